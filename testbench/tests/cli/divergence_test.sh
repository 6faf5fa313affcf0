#!/usr/bin/env bash
# `pmuv3 run`, `shrink` and `report` on a planted defect: the files of a divergence. A divergence stays a
# divergence if files cannot be written. Usage: divergence_test.sh --work DIR, where
# testbench/signoff/defects/campaign.sh made and built its copy.
bin=$2/build/bin
set -- "$bin/pmuv3-run"
# shellcheck source=check.sh
. "$(dirname "$0")/check.sh"
unset PMUV3
PMUV3_DEFECT=$("$here/../../signoff/defects/table.py" number "$here/../../signoff/defects/defects.txt" rtl-threshold-link-vb)
export PMUV3_DEFECT
run=(--counters 4 --cycles 20000)

# as NAME: the program of the tests below
as() { name=$1 program=$bin/pmuv3-$1; }

# limited BLOCKS EXPECTED ARGUMENT...: expects the exit status with a file size limit; standard error is a pipe
limited() {
  local blocks=$1 expected=$2
  shift 2
  (ulimit -f "$blocks"; "$program" "$@" 2>&1 >/dev/null; echo "status $?") | cat >err
  [ "$(tail -n 1 err)" = "status $expected" ] || fail "$name $*: $(cat err)"
  sed -i '$d' err
  nothing_grows
}

# ---- run ----
status 1 "${run[@]}" --json found.json
[ "$(tail -n 1 out)" = diverged ] || fail "last line: $(tail -n 1 out)"
for file in stimulus.stim divergence.txt minimal.stim minimal_test.cc chain.txt window.svg window.gtkw report.json; do
  [ -s "divergence/$file" ] || fail "no $file"
done
cp divergence/minimal.stim minimal.stim
cp divergence/stimulus.stim stimulus.stim
jq -e '.first_divergence.minimal == "divergence/minimal.stim"' found.json >/dev/null || fail "$(cat found.json)"

# Files of another divergence are removed. Files of others stay.
echo mine >divergence/notes
status 1 "${run[@]}" --no-shrink
left divergence/minimal.stim divergence/minimal_test.cc
[ "$(cat divergence/notes)" = mine ] || fail "a file of others is gone"

# The commands that are printed are right for a folder that looks like an option.
status 1 "${run[@]}" --out=-d --no-shrink
again=$(grep -A1 '; replay it with$' out | tail -n 1)
[[ $again == '  ./pmuv3 replay ./-d/stimulus.stim --x-seed '* ]] || fail "a folder -d: $again"
grep -qF ' ./-d/chain.txt, points to: ' out || fail "a folder -d: $(cat out)"

# A divergence counts even if its files cannot be written.
limited 1 1 "${run[@]}" --out full --no-shrink
grep -qx 'pmuv3 run: cannot keep the stimulus in full: File too large' err || fail "a full disk: $(cat err)"
left full/stimulus.stim full/chain.txt
limited 0 1 "${run[@]}" --out full --no-shrink --json full.json
grep -qx "pmuv3 run: --json: cannot write 'full.json': File too large" err || fail "a full disk: $(cat err)"
left full.json
status 1 "${run[@]}" --no-shrink --json /dev/null
# Of the stimulus, of the smallest one and of the report all files are there, or none. The disk is full when the file
# $FULL is put in place.
cat >full.c <<'C'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int rename(const char *from, const char *to) {
  const char *full = getenv("FULL"), *name = strrchr(to, '/');
  if (full && name && strcmp(name + 1, full) == 0) return errno = ENOSPC, -1;
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}
C
cc -shared -fPIC -o full.so full.c
# at FILE ARGUMENT...
at() { LD_PRELOAD=$PWD/full.so FULL=$1 status 1 "${run[@]}" --out part "${@:2}"; }
at divergence.txt --no-shrink
grep -qx 'pmuv3 run: cannot keep the stimulus in part: No space left on device' err || fail "a full disk: $(cat err)"
left part/{stimulus.stim,divergence.txt}
at minimal_test.cc
left part/{minimal.stim,minimal_test.cc}
[[ "$(jq -r .reproduce.replay part/report.json)" == './pmuv3 replay stimulus.stim '* ]] || fail "another stimulus: $(cat part/report.json)"
at report.json --no-shrink
grep -qx 'pmuv3 run: no failure report in part: No space left on device' err || fail "a full disk: $(cat err)"
left part/{chain.txt,window.svg,window.gtkw,window.fst,report.json}
[ -s part/stimulus.stim ] || fail "the stimulus is gone"
diverges=1 checks_stdout 1 "${run[@]}" --no-shrink
grep -q '^pmuv3 run: .*: diverged at cycle ' err || fail "a full standard output: $(cat err)"

# ---- shrink ----
as shrink
status 1 stimulus.stim -o small.stim --test small.cc
if [ ! -s small.stim ] || [ ! -s small.cc ]; then fail "nothing was written"; fi
limited 0 2 small.stim -o none.stim
[ "$(cat err)" = "pmuv3 shrink: -o: cannot write 'none.stim': File too large" ] || fail "a full disk: $(cat err)"
left none.stim
checks_stdout 1 small.stim -o again.stim

# ---- report ----
as report
mkdir own
cp stimulus.stim own
status 1 own/stimulus.stim --out own --seconds 20
cmp stimulus.stim own/stimulus.stim || fail "the stimulus was changed"
[ -s own/minimal.stim ] || fail "no minimal.stim"
cp own/minimal.stim smallest.stim
unusable "^pmuv3 report: --out: cannot write 'own/minimal.stim': it is an input, too" own/minimal.stim --out own
cmp smallest.stim own/minimal.stim || fail "the input was changed"
cmp stimulus.stim own/stimulus.stim || fail "the stimulus was replaced by another one"

# What was kept of another divergence goes, as with `run`; of the same stimulus the explanation stays.
status 1 stimulus.stim --out former --seconds 20
[ -s former/minimal.stim ] || fail "no minimal.stim"
echo mine >former/notes
status 1 minimal.stim --out former --no-shrink
left former/{minimal.stim,minimal_test.cc}
[ "$(cat former/notes)" = mine ] || fail "a file of others is gone"
as run
status 1 "${run[@]}" --out told
as report
cp told/divergence.txt told.txt
status 1 told/stimulus.stim --out told --no-shrink
left told/{minimal.stim,minimal_test.cc}
cmp told.txt told/divergence.txt || fail "what run said of this stimulus is gone"
status 1 minimal.stim --out told --no-shrink
left told/divergence.txt
# What pmuv3 did not make, or what was edited since, stays.
for file in chain.txt window.svg report.json stimulus.stim; do
  mkdir users
  echo mine >users/$file
  unusable "^pmuv3 report: --out: cannot write 'users/$file': it is not as pmuv3 made it" minimal.stim --out users --no-shrink
  [ "$(cat users/$file)" = mine ] || fail "users/$file is gone"
  rm -r users
  echo mine >>told/$file
  unusable "^pmuv3 report: --out: cannot write 'told/$file': it is not as pmuv3 made it" minimal.stim --out told --no-shrink
  sed -i '$d' told/$file
done
status 1 minimal.stim --out told --no-shrink

# A folder is of one program at a time.
exec 9>>told/.pmuv3.list
flock 9
before=$(cat told/*)
status 1 minimal.stim --out told --no-shrink
grep -q "^pmuv3 report: --out: cannot write to 'told': another program writes there now" err || fail "no report: $(cat err)"
[ "$(cat told/*)" = "$before" ] || fail "a folder of another program was written to"
exec 9>&-

# A report that cannot be written takes no divergence away, and nothing of it stays.
for blocks in 0 2; do
  limited "$blocks" 1 minimal.stim --out full2 --no-shrink
  grep -qE "^pmuv3 report: (--out: cannot write 'full2/stimulus.stim'|no failure report in full2): File too large" err || fail "a full disk: $(cat err)"
  grep -q '^pmuv3 report: minimal.stim: diverged at cycle ' err || fail "a full disk: no divergence: $(cat err)"
  left full2/stimulus.stim full2/chain.txt full2/report.json
done
diverges=1 checks_stdout 1 minimal.stim --out own2 --no-shrink

# The page says what the help says of the exit status.
"$program" --help >help 2>err
said=$(tr -s ' \n' ' ' <help | sed -n 's/.*\(Exit status: .*; 3 no verdict\.\).*/\1/p')
[ -n "$said" ] || fail "the help has no exit status: $(cat help)"
tr -s ' \n' ' ' <"$here/../../../docs/reference/failure_report.md" | grep -qF "$said" || fail "the page does not say: $said"

all_held
