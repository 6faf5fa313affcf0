#!/usr/bin/env bash
# What looks for mistakes in files passes only if it has read them. Usage: lint_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
root=$(realpath "$1")
mkdir empty failing
for tool in grep awk find sed; do stand_in failing/$tool <<<'exit 2'; done

# passes LINT ARGUMENT..., and fails LINT ARGUMENT...
passes() { "$here/$1.sh" "${@:2}" >out 2>&1 || fail "$*: exit status $?: $(cat out)"; }
fails() { ! "$here/$1.sh" "${@:2}" </dev/null >out 2>&1 || fail "$*: passes, whatever is there"; }

# needs LINT TOOL FOLDER: it passes there, but not without the tool, and not in an empty folder
needs() {
  passes "$1" "$3"
  (PATH=$scratch/failing/only:$PATH && rm -rf failing/only && mkdir failing/only && cp "failing/$2" failing/only && fails "$1" "$3"
    exit "$failures") || failures=$((failures + 1))
  fails "$1" "$scratch/empty"
}
for lint in outputs pipes tree; do
  for tool in grep find; do needs $lint $tool "$root"; done
done

# A build of two commands.
mkdir -p build/CMakeFiles
launch=/testbench/launch.sh
printf '%s\n' 'rule C_COMPILER__one' "  command = $launch cc" >build/CMakeFiles/rules.ninja
printf '%s\n' 'build x:' "  COMMAND = $launch touch x" '  POST_BUILD = :' >build/build.ninja
for tool in grep awk; do needs launched $tool build; done
sed -i 's|/testbench/launch.sh||' build/build.ninja
fails launched build
grep -q 'touch x' out || fail "a command without launch.sh: $(cat out)"

# Registers, in a copy.
include=cmodel/include/pmuv3
mkdir -p "$include" testbench/tests/{registers,litmus,unit,exhaustive}
cp "$root"/testbench/{common,settings}.sh "$root/testbench/script.py" testbench
cp "$root"/testbench/tests/registers/{check.sh,unit_tests.py} testbench/tests/registers
cp "$root/$include"/{external,registers}.def "$include"
cp "$root"/testbench/tests/litmus/*.stim testbench/tests/litmus
for room in unit exhaustive; do cp "$root"/testbench/tests/$room/*.cc testbench/tests/$room; done
program=$scratch/testbench/tests/registers/check.sh
status 0
for tool in grep sed; do
  rm -rf failing/only
  mkdir failing/only
  cp failing/$tool failing/only
  PMUV3_STAND_INS=$scratch/failing/only status 3
done
: >$include/external.def
: >$include/registers.def
status 3
rm testbench/tests/litmus/*_PMCR* "$include/external.def"
status 3

all_held
