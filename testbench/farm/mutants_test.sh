#!/usr/bin/env bash
# A campaign of mutants in shards: the rows and the report are those of one machine. The C model stands for both
# sides, and stand-ins prove. Usage: mutants_test.sh PROGRAM CC, the program pmuv3-mutate.
# shellcheck source=../tests/cli/check.sh
. "$(dirname "$0")/../tests/cli/check.sh"
# shellcheck source=rows.sh
. "$here/rows.sh"
# shellcheck source=campaign.sh
. "$here/campaign.sh"
evidence=${program%mutate}evidence
PMUV3_SOURCE=$("$evidence" --source)
export PMUV3_SOURCE
root=$here/../..
scratch=$(realpath "$scratch")

# ---- Mutants that are made already: every third one ends by a signal ----
cat >ends.c <<'END'
#include <signal.h>
#include "tlm_wrapper/side.h"
struct pmuv3_side *whole_side(const struct pmuv3_params *params);
int pmuv3_mutant;
struct pmuv3_side *SIDE(const struct pmuv3_params *params) {
  if (pmuv3_mutant % 3 == 1) raise(SIGSEGV);
  return whole_side(params);
}
END
options=(-O1 -fPIC "-I$root" "-I$root/cmodel/include" -shared)
"$2" "${options[@]}" -Dpmuv3_side_cmodel=whole_side -o model.so "$root/tlm_wrapper/side_cmodel.c" "$root"/cmodel/src/*.c || fail "no model"
mkdir -p work build
echo 'gcc-12 12' >build/versions.list
versions=$(sha256sum <build/versions.list | cut -c1-8)
echo 'pmuv3 made this folder and may empty it' >work/.pmuv3
for side in "rtl 2x4-4-1" "cmodel 3-1"; do
  made=work/${side% *}-$PMUV3_SOURCE-$versions-${side#* }
  mkdir "$made"
  "$2" "${options[@]}" -DSIDE="pmuv3_side_${side% *}" -o "$made/mutants.so" ends.c "$scratch/model.so" || fail "no library"
  number=${side#* }
  number=${number#2x4-}
  for ((n = 1; n <= ${number%-*}; n++)); do printf '%d\tm.%d\tm\tm:%d\tit'"'"'s - for +\n' $n $n $n; done >"$made/mutants.list"
  touch "$made"/{cut.aig,apply.ys,size}
done

# ---- Provers: of the RTL's mutants the third is equivalent, of the C model's all that are open ----
mkdir -p build/bin build/prove stand-ins
ln -s "$program" "$evidence" build/bin
stand_in build/bin/pmuv3-miter <<'END'
touch "$3"
END
stand_in stand-ins/yosys-abc <<'END'
if [[ $* == *ask.3.aig* ]]; then echo UNSATISFIABLE; else echo SATISFIABLE; fi
END
stand_in build/bin/pmuv3-mutants <<'END'
while [ $# -gt 0 ]; do
  case $1 in
    --only) names+=("$2") ;;
    --list) list=$2 ;;
  esac
  shift
done
for name in "${names[@]}"; do printf '%d\t%s\tm\tm:%d\tit'"'"'s - for +\n' ${name#m.} $name ${name#m.}; done >"$list"
END
stand_in build/bin/pmuv3-prove <<<"echo '  meets mutants 1 2 3 4 5'"
arguments=(--work work --build "$scratch/build" --rtl 4 --cmodel 3 --cycles 1000)
mutate=$scratch/mutate.sh
stand_in mutate.sh <<END
#!/bin/sh
PMUV3_STAND_INS='$scratch/stand-ins' exec '$here/../signoff/mutate/mutate.sh' "\$@"
END

program=$mutate
status 1 "${arguments[@]}" --db one.db
cp out one.out
[ "$(sqlite3 one.db "SELECT group_concat(number) FROM
       (SELECT count(*) AS number FROM mutant GROUP BY side, verdict ORDER BY side, verdict)")" = 2,1,1,2,1 ] ||
  fail "one machine: $(cat one.out)"

same() {
  same_rows one.db all.db "$1"
  diff <(grep '^SURVIVED' one.out | grep -v '^SURVIVED *[0-9]') <(grep '^SURVIVED' out) >difference || fail "$1: $(cat difference)"
}
forget() { rm all.db*; }
of_other_sources() { "$evidence" --db "$1" <<<"UPDATE mutant SET source = '0123456789abcdef'"; }
splits_as "$mutate" mutate --db all.db "${arguments[@]}"
campaign_holds 1 4 --shard-mutants 2

# ---- What is missing is said; more cycles run survivors again, in whatever order results come ----
forget
cp "$(find kept -name 'cmodel-1-2-*')" f/mutate-*/arrived
status 3 --merge "${split[@]}"
grep -q '^5 mutants have no verdict$' out || fail "not said what is missing: $(cat out)"
longer=(--work work --build "$scratch/build" --rtl 4 --cmodel 0 --cycles 2000)
program=$mutate
status 0 "${longer[@]}" --shard longer.shard --mutants rtl:1-2
for order in 'longer kept' 'kept longer'; do
  for which in $order; do
    mkdir -p one
    if [ "$which" = longer ]; then cp longer.shard one; else cp "$(find kept -name 'rtl-1-2-*')" one/kept.shard; fi
    "$evidence" --db "${order/ /-}.db" --merge one || fail "$order: not merged"
  done
done
same_rows longer-kept.db kept-longer.db "more cycles first and last"
[ "$(sqlite3 longer-kept.db "SELECT group_concat(verdict) FROM (SELECT verdict FROM mutant ORDER BY name)")" = \
  killed,survived ] || fail "verdicts: $(rows_of longer-kept.db)"

# ---- Arguments ----
unusable '^mutate.sh: --shards, --shard and --merge exclude each other' --shards --merge .
unusable '^mutate.sh: --mutants needs --shard' --mutants rtl:1-2
unusable '^mutate.sh: --shard-mutants needs --shards' --shard-mutants 2
"$here/farm.py" check mutate "$mutate" --merge "${arguments[@]}" --db all.db --shard-mutants 2 || fail "an option of shards"
unusable "^mutate.sh: --mutants: 'rtl': expected SIDE:FIRST-LAST" --shard x --mutants rtl
unusable '^mutate.sh: --shard-mutants: expected a number of 1 or more' --shards --shard-mutants 0
unusable "^mutate.sh: --shard: cannot write 'absent/x'" --shard absent/x --mutants rtl:1-2
unusable "^mutate.sh: --shard: '.*' has no mutants; --shards makes them" --shard x --mutants rtl:1-2 --work "$scratch/absent"
unusable "^pmuv3-evidence: --merge: cannot read 'absent'" "${arguments[@]}" --db all.db --merge absent
left x

all_held
