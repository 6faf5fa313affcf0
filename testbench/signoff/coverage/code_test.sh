#!/usr/bin/env bash
# Coverage of the code is counted and merged correctly, and a failure is not taken for coverage. The test uses
# gcov and verilator_coverage themselves on a C file, and points of a stand-in for the regression. Usage:
# code_test.sh EVIDENCE, the program pmuv3-evidence.
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
evidence=$1

# ---- A project of one C file, and points of one SystemVerilog file ----

mkdir -p testbench/signoff/coverage testbench/signoff/evidence testbench/cosim/run cmodel/src build/bin build/cmodel tools elsewhere
cp "$here"/{code.sh,points.py} testbench/signoff/coverage
cp "$here"/../evidence/evidence.sh testbench/signoff/evidence
cp "$here"/../../{common.sh,settings.sh,script.py} testbench
stand_in build/bin/pmuv3-evidence <<END
#!/usr/bin/env bash
[ "\$1" = --source ] && exec cat "$scratch/source"
exec "$evidence" "\$@"
END
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$(realpath .)" >build/CMakeCache.txt
cp "$here/../../cosim/run/configurations.c" testbench/cosim/run
cat >cmodel/src/sign.c <<'END'
#include <stdlib.h>
int main(int argc, char **argv) {
  int x = argc > 1 ? atoi(argv[1]) : 0;
  if (x > 0)
    return 0;
  if (x < -9)
    return 1;
  return 0;
}
END
(cd build/cmodel && gcc -O0 --coverage -o sign "$scratch/cmodel/src/sign.c") || fail "it does not compile"

# A sample has two processes: with a positive and with a negative number, and each with its points. Only both
# together toggle bit 0 and reach both lines of the block.
point() { # FILE LINE PAGE COMMENT LINES COUNT
  printf "C '\001f\002%s\001l\002%s\001n\0025\001page\002%s\001o\002%s\001S\002%s\001h\002pmuv3' %s\n" \
    "$scratch/rtl/$1" "$2" "$3" "$4" "$5" "$6"
}
points() { # COUNT...
  echo '# SystemC::Coverage-3'
  point a.sv 1 v_toggle/a 'q[0]' '' "$1"
  point a.sv 1 v_toggle/a 'q[1]' '' "$2"
  point a.sv 1 v_toggle/a__W2 'q[1]' '' "$3"
  point a.sv 1 v_toggle/a 'q[2]' '' 0
  point a.sv 3 v_toggle/a 'probe_q_o[0]' '' 0
  point a.sv 5 v_branch/a if 5-6 "$4"
  point a.sv 5 v_branch/a else '' 0
  point a.sv 9 v_line/a block 9,11 0
}
mkdir points
points 0 0 1 3 >points/1-0.dat
points 2 0 0 4 >points/2-0.dat

stand_in build/bin/pmuv3-regress <<'END'
#!/usr/bin/env bash
cd "$(dirname "$0")/../.." || exit 3
printf '%s\n' "$@" >arguments
if [ -e diverges ]; then exit 1; fi
build/cmodel/sign 5
build/cmodel/sign -5
cp points/*.dat "$PMUV3_CODE_COVERAGE"
END

# Of these sources the programs were built.
mkdir -p rtl tlm_wrapper docs/reference
touch docs/reference/rules.md CMakeLists.txt CMakePresets.json .clang-format pmuv3
source=$(bash -c '. testbench/common.sh; source_digest .')
echo "$source" >source

# code EXPECTED [PATTERN]: runs code.sh, expects the exit status and the message
code() {
  local actual=0
  (cd elsewhere && PMUV3_STAND_INS=$scratch/tools ../testbench/signoff/coverage/code.sh --db ../evidence.db --build ../build) \
    >out 2>&1 || actual=$?
  [ "$actual" -eq "$1" ] || fail "exit status $actual, expected $1: $(cat out)"
  if [ $# -gt 1 ]; then grep -qE -- "$2" out || fail "no '$2' in: $(cat out)"; fi
}

rows() { sqlite3 evidence.db "SELECT file, metric, covered, total FROM code WHERE source = '$source'"; }

expected='cmodel/src/sign.c|branch|4|6
cmodel/src/sign.c|line|6|7
rtl/a.sv|branch|1|2
rtl/a.sv|line|2|4
rtl/a.sv|toggle|2|3'

# ---- Counting ----

"$evidence" --db evidence.db <<<"INSERT INTO code VALUES ('$source', 'gone.c', 'line', 1, 1), ('other', 'gone.c', 'line', 1, 1)"
code 0 '^rtl/a.sv +toggle +2 +3 +66.7%$'
[ "$(rows)" = "$expected" ] || fail "it was counted: $(rows)"
[ "$(sqlite3 evidence.db "SELECT count(*) FROM code WHERE source = 'other'")" = 1 ] || fail "rows of other sources are gone"
for hole in cmodel/src/sign.c:7:\ line rtl/a.sv:1:\ toggle\ q[2] rtl/a.sv:5:\ branch\ else@5 rtl/a.sv:9:\ line rtl/a.sv:11:\ line; do
  grep -qxF -- "$hole" build/code/holes.txt || fail "no '$hole' in: $(cat build/code/holes.txt)"
done
[ "$(wc -l <build/code/holes.txt)" -eq 7 ] || fail "holes: $(cat build/code/holes.txt)"
grep -q '^1 counter,no counters' <(sed 's/.*,1 counter/1 counter/' arguments) || fail "configurations: $(cat arguments)"
grep -q 'Cortex-A53,Neoverse N1,Neoverse V2' arguments || fail "configurations that are cores: $(cat arguments)"
finds_none -qE '31 counters|4 threads' arguments || fail "configurations that are too large: $(cat arguments)"
loses_stdout 2 testbench/signoff/coverage/code.sh --db evidence.db --build build
# Counts of a former run are not added.
sed -i 's/sign -5/sign 6/' build/bin/pmuv3-regress
code 0
[ "$(rows | grep -c 'sign.c|line|4|7')" = 1 ] || fail "it was counted: $(rows)"
sed -i 's/sign 6/sign -5/' build/bin/pmuv3-regress
code 0
[ "$(rows)" = "$expected" ] || fail "it was counted again: $(rows)"

# ---- Failures: the database keeps its rows ----

fails() {
  code 2 "^code.sh: $1"
  [ "$(tail -n 1 out | cut -c1-8)" = code.sh: ] || fail "it went on: $(cat out)"
  [ "$(rows)" = "$expected" ] || fail "rows are gone: $1"
}

: >diverges
fails 'the sample: '
rm diverges
# shellcheck disable=SC2016
for death in 'exit 3' 'kill -KILL $$'; do
  cp build/bin/pmuv3-regress kept
  stand_in build/bin/pmuv3-regress <<<"#!/usr/bin/env bash"$'\n'"$death"
  code 3 'code.sh: no verdict: the sample ended with status '
  mv kept build/bin/pmuv3-regress
  stand_in tools/gcovr <<<"#!/usr/bin/env bash"$'\n'"${death/3/137}"
  code 3 'code.sh: no verdict: cmodel ended with status 137'
  rm tools/gcovr
done
[ "$(rows)" = "$expected" ] || fail "rows are gone: what was killed"
for tool in gcovr python3 verilator_coverage; do
  stand_in "tools/$tool" <<<$'#!/usr/bin/env bash\necho "no such luck" >&2; exit 1'
  fails '(cmodel|rtl): no such luck'
  rm "tools/$tool"
done
stand_in tools/find <<<$'#!/usr/bin/env bash\nexit 1'
code 3 'code.sh: no verdict: a command failed'
[ "$(rows)" = "$expected" ] || fail "rows are gone: find"
rm tools/find
rm points/2-0.dat
echo broken >points/1-0.dat
fails 'rtl: '
rm points/*.dat && points 0 0 1 3 >points/1-0.dat && points 2 0 0 4 >points/2-0.dat
mv build/cmodel/*.gcno .
fails 'cmodel: '
mv ./*.gcno build/cmodel
code 0

# What changes while it is measured, or was changed since it was built, is no evidence: gcovr reads sources.
for tool in gcovr verilator_coverage; do
  stand_in "tools/$tool" <<END
#!/usr/bin/env bash
echo '// changed' >>"$scratch/cmodel/src/sign.c"
exec /usr/bin/$tool "\$@"
END
  fails 'the sources were changed while they were measured'
  rm "tools/$tool"
  fails 'the sources are not those that .*build was built of'
  sed -i '/changed/d' cmodel/src/sign.c
done
code 0

# The folder is emptied, so no database is in it, by its name or behind a link.
"$evidence" --db build/code/my.db <<<"INSERT INTO code VALUES ('$source', 'mine.c', 'line', 1, 1)"
cp build/code/my.db kept.db
ln -s build/code/my.db linked.db
ln -s code build/linked
ln -s ../../evidence.db build/code/link.db
for db in build/code/my.db build/code/new.db linked.db build/linked/my.db build/code/link.db; do
  for check in --check-arguments ''; do
    ended=0
    # shellcheck disable=SC2086 # nothing, or an option
    testbench/signoff/coverage/code.sh --db $db --build build $check >out 2>&1 || ended=$?
    if [ "$ended $(wc -l <out)" != '2 1' ] || ! grep -q "^code.sh: --db: '[^']*$db' is in" out; then
      fail "a database in the folder, $db $check: $ended: $(cat out)"
    fi
  done
done
cmp -s build/code/my.db kept.db || fail "a database in the folder was removed"
rm linked.db build/linked

# A folder that this script did not make stays.
rm -r build/code
mkdir build/code
echo mine >build/code/notes
mkdir -p "$scratch/other"
mv build "$scratch/other/built"
testbench/signoff/coverage/code.sh --build "$scratch/other/built" --db evidence.db >out 2>&1 && fail "somebody's folder"
grep -q 'has files that were not made here' out || fail "$(cat out)"
[ "$(cat "$scratch/other/built/code/notes")" = mine ] || fail "somebody's file is gone"
rm -r "$scratch/other/built/code"
sed -i 's|=.*|=/elsewhere|' "$scratch/other/built/CMakeCache.txt"
echo mine >"$scratch/other/built/cmodel/mine.gcda"
testbench/signoff/coverage/code.sh --build "$scratch/other/built" --db evidence.db >out 2>&1 && fail "somebody's build"
grep -q 'is no build of these sources' out || fail "$(cat out)"
[ -f "$scratch/other/built/cmodel/mine.gcda" ] || fail "somebody's file is gone"
# A pipe says nothing of the build, and its writer may never come.
rm "$scratch/other/built/CMakeCache.txt"
mkfifo "$scratch/other/built/CMakeCache.txt"
timeout 30 testbench/signoff/coverage/code.sh --build "$scratch/other/built" --db evidence.db >out 2>&1 && fail "a pipe"
grep -q 'is no build of these sources' out || fail "a pipe: $(cat out)"
testbench/signoff/coverage/code.sh --check-arguments --build nowhere >out 2>&1 || fail "arguments alone: $(cat out)"
mkdir -p theirs/code
echo mine >theirs/code/notes
testbench/signoff/coverage/code.sh --check-arguments --build theirs >out 2>&1 && fail "somebody's folder is usable"
grep -q "^code.sh: --build: 'theirs/code' has files that were not made here" out || fail "$(cat out)"
testbench/signoff/coverage/code.sh --colour >out 2>&1 && fail "an option that there is not"
grep -q -- '--colour: unknown argument' out || fail "$(cat out)"
all_held
