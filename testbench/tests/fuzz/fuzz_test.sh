#!/usr/bin/env bash
# fuzz.sh in a copy of its own, with a stand-in for libFuzzer: the kept corpus is never lost, and what cannot be
# executed has found nothing.
set -- fuzz
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
program=$scratch/testbench/tests/fuzz/fuzz.sh
corpus=$scratch/testbench/tests/fuzz/corpus
mkdir -p testbench/tests/{fuzz,litmus} build/fuzz tools
cp "$here/fuzz.sh" testbench/tests/fuzz
cp "$here"/../../{common,settings}.sh testbench
export PMUV3_STAND_INS=$scratch/tools

# clang makes a copy of `harness`, which demands its folders, and merges the others into the first.
stand_in tools/clang <<CLANG
#!/usr/bin/env bash
while [ \$# -gt 1 ]; do
  [ "\$1" != -o ] || cp -p '$scratch/harness' "\$2"
  shift
done
CLANG
stand_in harness <<'HARNESS'
#!/usr/bin/env bash
for argument; do
  if [[ $argument != -* ]]; then folders+=("$argument"); fi
done
for folder in "${folders[@]}"; do [ -d "$folder" ] || exit 1; done
[[ $* != *-set_cover_merge=1* ]] || find "${folders[@]:1}" -type f -exec /usr/bin/cp -t "${folders[0]}" {} \;
HARNESS

# begin: both corpora have the input `kept` alone, and libFuzzer has found another.
begin() {
  local name
  rm -rf "$corpus" build/fuzz
  for name in stimulus registers; do
    mkdir -p "$corpus/$name" "build/fuzz/$name"
    echo kept >"$corpus/$name/kept"
    echo found >"build/fuzz/$name/found"
  done
}
inputs() { (cd "$corpus/$1" && echo ./*); }

# has NAME INPUTS...: the corpus has one of these sets of inputs
has() {
  local set
  for set in "${@:2}"; do
    if [ "$(inputs "$1")" = "$set" ]; then return; fi
  done
  fail "the corpus $1 has $(inputs "$1")"
}

begin
status 0 --keep
has stimulus './found ./kept'
has registers './found ./kept'
[ "$(ls "$corpus")" = $'registers\nstimulus' ] || fail "left: $(ls "$corpus")"

# Two calls do not replace it at once, nor while another reads it.
for how in exclusive shared; do
  exec 7<"$corpus"
  flock --$how 7
  unusable 'corpus is in use by another fuzz.sh$' --keep
  exec 7<&-
done

# Ended after any of its steps, it has lost nothing.
for tool in cp mv rm; do
  for last in 1 2 3; do
    begin
    echo 0 >calls
    stand_in tools/$tool <<TOOL
#!/usr/bin/env bash
/usr/bin/$tool "\$@" || exit
[[ " \$* " == *corpus/stimulus* ]] || exit 0
calls=\$((\$(cat '$scratch/calls') + 1))
echo \$calls >'$scratch/calls'
[ \$calls != $last ] || kill -9 \$PPID
TOOL
    "$program" --keep >out 2>err
    rm tools/$tool
    if [ "$(cat calls)" != "$last" ]; then break; fi
    status 0 --seconds 1
    has registers ./kept
    has stimulus ./kept './found ./kept'
    status 0 --keep
    has stimulus './found ./kept'
    [ "$(ls "$corpus")" = $'registers\nstimulus' ] || fail "left: $(ls "$corpus")"
  done
  [ "$last" -gt 1 ] || fail "$tool was not called"
done

# A merge without a result is none.
begin
stand_in harness <<<'exit 0'
status 3 --keep
has stimulus ./kept

# What cannot be executed has found nothing.
chmod -x harness
for options in '--program /bin/true' --keep '--seconds 1'; do
  # shellcheck disable=SC2086 # two words, or one
  status 3 $options
  grep -q '^fuzz.sh: no verdict: stimulus cannot be executed$' err || fail "$options: $(cat err)"
done
has stimulus ./kept

# How many files are mutated is said in several places.
mutants=$(sed -n "s/^  mode='' count=\([0-9]*\) .*/\1/p" "$here/fuzz.sh")
root=$here/../../..
for said in "$here/fuzz.sh:the kept corpus once, then $mutants mutants" \
  "$root/testbench/help.txt:the kept corpus and $mutants mutated stimulus files" \
  "$root/docs/howto/fuzz.md:then $mutants mutated files"; do
  grep -qF "${said#*:}" "${said%%:*}" || fail "${said%%:*} does not say: ${said#*:}"
done

all_held
