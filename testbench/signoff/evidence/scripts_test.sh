#!/usr/bin/env bash
# Scripts for a user: they leave files of others alone, refuse unusable arguments before any work, and end the
# processes that they started. Stand-ins replace the tools.
set -- scripts
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
unset PMUV3_SOURCE
scratch=$(realpath "$scratch")
cd "$scratch" || exit 1
mkdir tools
export PMUV3_STAND_INS=$scratch/tools
for tool in yosys yosys-smtbmc z3; do stand_in tools/$tool <<<'exec sleep 7654'; done

# ---- Files and folders ----
program=$here/../../prove/properties/properties.sh
mkdir dir
echo mine >dir/mine
mkfifo fifo
ln -s nowhere dangling
echo mine >file
for output in dir fifo dangling /dev/null none/file ''; do
  unusable "^properties.sh: --json: cannot write '$output'" --check-arguments --json "$output"
  unusable "^properties.sh: --json: cannot write '$output'" --json "$output"
done
unusable "^properties.sh: --bogus: unknown argument" --json file --bogus
unusable "^properties.sh: --json: is given twice" --check-arguments --json file --json other
for other in '--json file' --sample D13_6_4__siblings; do
  # shellcheck disable=SC2086 # two words
  unusable "^properties.sh: --self-test takes no --json" --check-arguments --self-test $other
done
for option in --jobs --timeout; do
  for number in 0 10000 99999999999999999999; do
    unusable "^properties.sh: $option: $number: expected a number from 1 to 9999" --check-arguments $option $number
  done
done
for wrong in NOSUCH 'D13_4_[1]' 'D13_4_6.' C_9 ''; do
  unusable "^properties.sh: .*: no such property in size 1x2" --check-arguments --size 1x2 "$wrong"
  unusable "^properties.sh: .*: no such property in size 1x2" --json file --size 1x2 D13_4_1 "$wrong"
done
unusable "^properties.sh: D13_6_4__siblings: no such property in size 1x2" --size 1x2 D13_6_4__siblings
status 0 --check-arguments D13_6_4__siblings 'RJJRJQ_*' INV_value
# Each property of a size is proved once, however often it is named.
unusable "^properties.sh: D13_4_1: --sample takes no names" --check-arguments --sample D13_4_1
unusable "^properties.sh: --size 1x2: is given twice" --check-arguments --size 1x2 --size 2x1 --size 1x2
status 0 --check-arguments --size 1x2 --size 2x1 D13_4_1 'D13_4_*' D13_4_1
cp -rL "$here/../../../rtl" rtl
unusable "^properties.sh: --json: cannot write 'rtl/pmuv3.sv': it is an input" --json rtl/pmuv3.sv --rtl rtl
cmp -s rtl/pmuv3.sv "$here/../../../rtl/pmuv3.sv" || fail "the RTL was overwritten"
# No input or output is in a folder that a script may empty.
mkdir -p emptied/mine
(. "$here/../../common.sh" && mark emptied)
touch emptied/mine/pmuv3{,_proof}.sv
for path in --rtl:mine --rules:mine --json:json; do
  unusable "^properties.sh: ${path%:*}: '.*emptied/${path#*:}' is in 'emptied', where files are removed" \
    --work emptied "${path%:*}" "emptied/${path#*:}"
done
for work in dir file /dev/null; do
  unusable "^properties.sh: --work: '$work'" --work "$work"
  unusable "^properties.sh: --work: '$work'" --check-arguments --work "$work"
done
mkdir $'a\nb'
unusable "^properties.sh: --json: cannot write 'a[?]b': Is a directory" --json $'a\nb'
[ "$(cat dir/mine file) $(ls -A dir)" = $'mine\nmine mine' ] || fail "something was touched"
if [ ! -p fifo ] || [ ! -L dangling ]; then fail "a FIFO or a link is gone"; fi
# An open descriptor has no name, and a file with two names would keep its old contents under the other.
echo mine >open
exec 7>>open
ln -s /proc/self/fd/7 named
ln file hard
for output in /proc/self/fd/7 /dev/fd/7 "/proc/$$/fd/7" named; do
  unusable "^properties.sh: --json: cannot write '.*': it is in /proc" --check-arguments --json "$output"
done
exec 7>&-
unusable "^properties.sh: --json: cannot write 'file': it has another name" --check-arguments --json file
# Nor what standard output or standard error goes to.
for stream in output:out error:err; do
  unusable "^properties.sh: --json: cannot write '${stream#*:}': it is standard ${stream%:*}, too" --check-arguments --json "${stream#*:}"
done
[ "$(cat open file hard)" = $'mine\nmine\nmine' ] || fail "something was written"
rm named hard

# Nor is a link that leads from a lock to a file.
mkdir -p locked/bin
touch locked/apply.ys
ln -s ../file locked/cut.lock
stand_in locked/bin/pmuv3-miter <<<'exit 1'
program=$here/../mutate/prove_rtl.sh
unusable "^prove_rtl.sh: '.*/locked/cut.lock' is no regular file, and in the way$" locked locked
[ "$(cat file)" = mine ] || fail "a file behind a link is gone"
rm -r locked

program=$here/../../tests/fuzz/fuzz.sh
unusable '^fuzz.sh: --seed: expected a value' --program /bin/true --seed
unusable "^fuzz.sh: --seed takes a number, not 'x'" --program /bin/true --seed x
unusable '^fuzz.sh: --replays: expected a value' --replays
unusable '^fuzz.sh: --program: expected a value' --program
for option in --seconds --replays; do
  unusable "^fuzz.sh: $option takes a number of 1 or more" --program /bin/true --check-arguments $option 0
  unusable "^fuzz.sh: $option: --keep is asked for already" --program /bin/true --keep $option 1
done
unusable "^fuzz.sh: --replays: --seconds is asked for already" --program /bin/true --seconds 1 --replays 2
unusable '^fuzz.sh: --seed: libFuzzer takes none' --seconds 1 --seed 7
printf '%s\n' '#!/bin/sh' 'kill -KILL $$' >killed_replay
chmod +x killed_replay
PMUV3_FUZZ_DIR=$PWD/fuzzed status 3 --replays 2 --program "$PWD/killed_replay"
grep -q '^fuzz.sh: no verdict: a replay was killed' err || fail "a killed replay: $(cat err)"
stand_in absent_interpreter <<<'#!/absent'
PMUV3_FUZZ_DIR=$PWD/fuzzed status 3 --replays 2 --program "$PWD/absent_interpreter"
[ -z "$(ls fuzzed/failures)" ] || fail "a killed replay, or one that cannot be executed, is kept as a failure"
# One with two faults is a failure, and one that is killed hides none. A relative path is that of the caller.
stand_in faulty_replay <<'END'
#!/bin/sh
[ "$1" != mutants/1.stim ] || kill -KILL $$
printf 'some error\nsecond line\n' >&2
exit 2
END
PMUV3_FUZZ_DIR=fuzzed status 1 --replays 3 --program ./faulty_replay
[ "$(grep -c 'mutant-1-[02].stim: refused in 2 lines;refused without FILE:LINE: some error$' err)" = 2 ] || fail "two faults: $(cat err)"
[ "$(ls fuzzed/failures)" = $'mutant-1-0.stim\nmutant-1-2.stim' ] || fail "failures: $(ls fuzzed/failures)"
loses_stdout 1 env PMUV3_FUZZ_DIR=fuzzed "$program" --replays 3 --program ./faulty_replay
loses_stdout 2 env PMUV3_FUZZ_DIR=fuzzed "$program" --replays 3 --program /bin/true
unusable '^fuzz.sh: --program .: not found' --check-arguments --program .
unusable '^fuzz.sh: --replays takes a number up to 1000000' --check-arguments --replays 1000001
unusable '^fuzz.sh: --program: libFuzzer takes none' --program /bin/true --keep
unusable '^fuzz.sh: --program absent: not found' --check-arguments --program absent
unusable "^fuzz.sh: --replays: is given twice" --program /bin/true --replays 1 --replays 2
PMUV3_FUZZ_DIR=/dev/null unusable '^fuzz.sh: cannot make /dev/null/failures' --program /bin/true --replays 1

# Folders that a script would empty, and outputs that would replace something else.
mkdir $'user\n' user theirs
for folder in $'user\n' user theirs; do echo mine >"$folder/mine"; done
program=$here/../defects/plant.sh
unusable "^plant.sh: COPY: 'user[?]' has the end of a line" "$here/../defects/defects.txt" $'user\n'
unusable "^plant.sh: COPY: 'user' has files" "$here/../defects/defects.txt" user
# Only this project's mark counts, not any file with that name. A link's target stays.
mkdir marked symlinked
echo mine | tee marked/.pmuv3 >marked/mine
ln -s ../file symlinked/.pmuv3
unusable "^plant.sh: COPY: 'marked' has files" "$here/../defects/defects.txt" marked
unusable "^plant.sh: COPY: 'symlinked' has files" "$here/../defects/defects.txt" symlinked
[ "$(cat marked/mine marked/.pmuv3 file)" = $'mine\nmine\nmine' ] || fail "somebody's mark was taken for ours"
# A folder of builds has evidence, too.
mkdir builds
(. "$here/../../common.sh" && mark builds 'pmuv3 builds here')
touch builds/evidence.db
unusable "^plant.sh: COPY: 'builds' has files" "$here/../defects/defects.txt" builds
[ -e builds/evidence.db ] || fail "evidence was removed"
# A folder that cannot be looked at is not an empty one.
broken_find=$scratch/broken_find
mkdir "$broken_find"
stand_in "$broken_find/find" <<<'exit 1'
program=$here/../mutate/rtl.sh
PMUV3_STAND_INS=$broken_find unusable "^rtl.sh: DIR: 'user' has files" 1 1 1 1 user
[ "$(cat user/mine)" = mine ] || fail "somebody's file is gone"

# Two scripts in one folder would take each other's files.
mkdir used
flock used true
(. "$here/../../common.sh"; own_folder --work used) || fail "an empty folder"
exec 7<used/.pmuv3
flock --shared 7
program=$here/../mutate/rtl.sh
unusable "^rtl.sh: DIR: '.*used' is in use by another script" 1 1 1 1 used
exec 7<&-
program=$here/../../prove/equivalence/broken_test.sh
unusable "^broken_test.sh: WORK: 'theirs' has files" /bin/true /bin/true theirs
program=$here/digest.sh
unusable "^digest.sh: 'theirs' is no folder that CMake made" "$here/../../.." theirs
# Programs carry the versions of the tools of their build: those of the compiler and of the prover that are executed,
# not of a package with a link to one.
mkdir built
touch built/CMakeCache.txt
status 0 "$here/../../.." built
for tool in c++ yosys-abc; do
  real=$(realpath -e /usr/bin/$tool) || continue
  version=$(dpkg-query -W -f '${Version}' "$(dpkg-query -S "$real" | sed 's/: .*//')")
  grep -qF " $version\n\"" built/source.c || fail "$tool is of version $version: $(cat built/source.c)"
done
finds_none -q '"g++ ' built/source.c || fail "a link has a version: $(cat built/source.c)"
# versions VERSION...: all tools but the linker are of one package, and its source has made packages of these versions
versions() {
  stand_in tools/dpkg-query <<END
#!/usr/bin/env bash
case "\$1 \$3" in
  -S*) printf 'some-tools:amd64: %s\n' "\${@:2}" | grep -v '/[^/]*ld[^/]*$' ;;
  *Version*) printf 'installed some %s\n' $*; echo 'config-files some 0.1' ;;
  *) echo some ;;
esac
END
}
rm built/versions.list
versions 1:0.23-6+b1 1:0.23-6
status 0 "$here/../../.." built
grep -qxF 'some 1:0.23-6+b1' built/versions.list || fail "no version: $(cat built/versions.list)"
grep -qF '"some 1:0.23-6\n"' built/source.c || fail "no version: $(cat built/source.c)"
finds_none -q '0[.]1$' built/versions.list || fail "a package that is gone has a version: $(cat built/versions.list)"
# A tool that no package has is known by its content.
grep -qxE '[^ ]*ld[^ ]* sha256:[0-9a-f]{16}' built/versions.list || fail "no linker: $(cat built/versions.list)"
# A tool that is new is no other one, and a changed one is detected.
versions 1:0.23-6+b1 1:0.23-6 0.99
status 0 "$here/../../.." built
versions 1:0.24
unusable '^digest.sh: it was built with some 0.99, which is gone; remove built and build again' "$here/../../.." built
grep -qF '"some 1:0.23-6\n"' built/source.c || fail "other versions: $(cat built/source.c)"
# A pipe in place of a file that the script makes is replaced, and not opened.
stand_in limited <<<"exec timeout 60 '$here/digest.sh' \"\$@\""
versions 1:0.23-6+b1 1:0.23-6 0.99
for file in source.list versions.list source.c; do
  rm built/$file
  mkfifo built/$file
  program=$scratch/limited status 0 "$here/../../.." built
  [ -f built/$file ] || fail "$file is a pipe"
done
# A link to somebody's file stays one, and nothing is written to it.
ln -s ../mine.c built/source.list.new
versions 1:0.23-6+b1 1:0.23-6 0.99
status 0 "$here/../../.." built
left mine.c
rm tools/dpkg-query
program=$here/../../prove/equivalence/elaborate.sh
for output in dir fifo dangling /dev/null; do
  unusable "^elaborate.sh: OUT: cannot write '$output'" 1 1 "$output"
done
# What an option is given twice for is anybody's guess.
given_twice() {
  program=$here/../../$1
  unusable "^${1##*/}: $2: is given twice" "${@:3}" "$2" 1 "$2" 2
}
given_twice prove/equivalence/elaborate.sh --rtl --rtl "$here/../../../rtl"
given_twice prove/equivalence/defects.sh --limit
for option in --rtl --seed --jobs --db; do given_twice signoff/mutate/mutate.sh $option --check-arguments; done
given_twice signoff/coverage/code.sh --db --check-arguments
given_twice signoff/defects/campaign.sh --work
given_twice tests/fuzz/fuzz.sh --seed
given_twice prove/properties/properties.sh --timeout --check-arguments
given_twice cosim/shrink/measure.sh --seconds
given_twice cosim/failure_report/measure.sh --least
program=$here/../../prove/equivalence/defects.sh
status 0 --limit 1 --defaults-end --limit 2 --check-arguments
unusable '^defects.sh: rtl-threshold-link-vb: is given twice' --check-arguments rtl-threshold-link-vb rtl-threshold-link-vb
unusable "^defects.sh: --proved: cannot read 'absent'" --check-arguments --proved absent
# A name with the end of a line makes one line.
unusable '^defects.sh: .*a[?]b' --check-arguments $'a\nb'
program=$here/../defects/campaign.sh
unusable '^campaign.sh: .*a[?]b' --check-arguments $'a\nb'

program=$here/../../prove/equivalence/bitcode.sh
echo 'int one;' >mine.c
unusable "^bitcode.sh: cannot write 'mine.c'" "$scratch" mine.c mine.c
[ "$(cat $'user\n/mine' user/mine theirs/mine mine.c; ls -A theirs)" = $'mine\nmine\nmine\nint one;\nmine' ] ||
  fail "something was touched"

# ---- What dies unforeseen is no verdict ----
# no_verdict SCRIPT ARGUMENT...
no_verdict() {
  local actual=0
  "$@" >out 2>&1 || actual=$?
  [ "$actual" = 3 ] || fail "$*: exit status $actual, expected 3: $(cat out)"
  grep -qE "^${1##*/}: no verdict: a command failed in line [0-9]+$" out || fail "$*: $(cat out)"
}
stand_in tools/yosys <<<'exit 0'
no_verdict "$here/../synth/synth.sh" --check full2
ended=0
env LINENO=7 "$here/../synth/synth.sh" --check full2 >out 2>&1 || ended=$?
{ [ "$ended" = 3 ] && grep -q '^synth.sh: no verdict: a command failed in line' out; } || fail "LINENO of the environment: $(cat out)"
stand_in tools/yosys <<<'exit 1'
"$here/../synth/synth.sh" --check full2 >out 2>&1
[ $? = 1 ] || fail "a setting that fails: $(cat out)"
# Flops that are those of the page, others, and others that a grep does not find. The cells may be others.
row=$(grep '^| few1 |' "$here/../../../docs/reference/synthesis.md")
flops=$(awk -F'|' '{ print $(NF - 1) }' <<<"$row")
for said in "0 $flops" "1 $((flops + 1))" "3 $((flops + 1))"; do
  # shellcheck disable=SC2016
  stand_in tools/yosys <<<'script=${*: -1}; printf "Number of cells: 5\n\$_DFF_PN0_ '"${said#* }"'\n" >"${script%.ys}.stat"'
  # shellcheck disable=SC2016
  [ "${said%% *}" != 3 ] || stand_in tools/grep <<<'[[ $* != *-Fvx* ]] || exit 2; exec /usr/bin/grep "$@"'
  "$here/../synth/synth.sh" --check few1 >out 2>&1
  [ $? = "${said%% *}" ] || fail "flops, and expected $said: $(cat out)"
  case $said in
    0*) loses_stdout 2 "$here/../synth/synth.sh" --check few1 ;;
    1*) loses_stdout 1 "$here/../synth/synth.sh" --check few1 ;;
  esac
done
rm tools/grep
stand_in tools/yosys <<<'exec sleep 7654'
broken() { stand_in "tools/$1" <<<'exit 1'; }
broken clang
PMUV3_FUZZ_DIR=$scratch/fuzz no_verdict "$here/../../tests/fuzz/fuzz.sh" --program /bin/true
rm tools/clang
broken chmod
no_verdict "$here/../defects/plant.sh" "$here/../defects/defects.txt" planted
rm tools/chmod
broken date
no_verdict "$here/../../prove/properties/properties.sh" --size 1x1 --work proved
rm tools/date tools/yosys
# A grep that is killed, that cannot write, or that does not find what is there loses no property.
for ends in 'kill -9 $$:grep was killed' 'exit 2:grep failed' 'exit 1:properties of size 1x1 are lost'; do
  stand_in tools/grep <<END
[[ \$* != *'(^|[.])('* ]] || ${ends%%:*}
exec /usr/bin/grep "\$@"
END
  "$here/../../prove/properties/properties.sh" --size 1x1 --work proved D13_4_1 >out 2>&1
  if [ $? != 3 ] || ! grep -qx "properties.sh: no verdict: ${ends#*:}" out; then fail "a property that is lost: $(cat out)"; fi
done
rm tools/grep
# A property that is proved has not been told where standard output is closed or full. One that is refuted counts.
cp tools/yosys-smtbmc kept.smtbmc
# shellcheck disable=SC2016
stand_in tools/yosys-smtbmc <<<'#!/bin/bash
grep -oE "[^ ]+_seen" "${@: -1}" | sed "s/.*/Reached cover statement at & in step 1/"; echo "Status: PASSED"'
loses_stdout 2 "$here/../../prove/properties/properties.sh" --size 1x1 --size 1x2 --work proved D13_4_1
stand_in tools/yosys-smtbmc <<<'echo "Status: FAILED"'
loses_stdout 1 "$here/../../prove/properties/properties.sh" --size 1x1 --work proved D13_4_1
# results.py that is killed has no verdict, and hides no property that is refuted. python_dies WORD: where it is an
# argument.
python_dies() {
  stand_in tools/python3 <<END
#!/bin/sh
case "\$*" in *"$1"*) kill -9 \$\$ ;; esac
exec /usr/bin/python3 "\$@"
END
}
proves() { "$here/../../prove/properties/properties.sh" --size 1x1 --work proved "$@" D13_4_1; }
python_dies results.py\ show
proves >out 2>&1
[ $? = 1 ] || fail "results.py show: $(cat out)"
# shellcheck disable=SC2016
stand_in tools/yosys-smtbmc <<<'#!/bin/bash
grep -oE "[^ ]+_seen" "${@: -1}" | sed "s/.*/Reached cover statement at & in step 1/"; echo "Status: PASSED"'
for dies in show summary json; do
  python_dies "results.py $dies"
  killed=0
  proves --json results.json >out 2>err || killed=$?
  [ "$killed $(cat err)" = '3 properties.sh: no verdict: a tool ended with status 137' ] ||
    fail "results.py $dies: exit status $killed: $(cat err)"
done
rm tools/python3
mv kept.smtbmc tools/yosys-smtbmc
# Where a full disk takes no result, an earlier one goes, and nothing else.
# shellcheck disable=SC2317 # it is called by a name
in_full() { # what the program prints goes through a pipe
  { (trap '' XFSZ && ulimit -f 0 && proves "$@") 2>&1 >&3 | cat >&2; } 3> >(cat)
  return "${PIPESTATUS[0]}"
}
for kept in ':{"source": "x", "properties": []}' ':{"verdict": "no verdict"}' 'stays:{"mine": 1}'; do
  echo "${kept#*:}" >earlier.json
  program=in_full unusable '^properties.sh: cannot write' --json earlier.json
  [ "$([ ! -e earlier.json ] || echo stays)" = "${kept%%:*}" ] || fail "an earlier result: $kept"
done
# It stays where the disk is not full.
broken chmod
echo '{"source": "x", "properties": []}' >earlier.json
program=proves unusable '^properties.sh: cannot write' --json earlier.json
[ -s earlier.json ] || fail "an earlier result is gone"
rm -f tools/chmod earlier.json
# A source that changes just when its digest was taken: the digest is not that of what is proved.
mkdir copied
(set -euo pipefail && . "$here/../../common.sh" && cd "$here/../../.." && find_sources -print0 |
  xargs -0 cp -pL --parents -t "$scratch/copied") || fail "the sources were not copied"
mkdir edits
stand_in edits/sha256sum <<END
/usr/bin/sha256sum "\$@"
[ \$# -gt 0 ] || echo >>"$scratch/copied/testbench/help.txt"
END
PMUV3_STAND_INS=$scratch/edits copied/testbench/prove/properties/properties.sh --size 1x1 --work proved \
  --json proved.json D13_4_1 >out 2>err
if [ $? != 2 ] || ! grep -qx 'properties.sh: the sources were changed while they were proved' err; then
  fail "changed when its digest was taken: $(cat err)"
fi
jq -e '.verdict == "no verdict" and (has("source") | not)' proved.json >/dev/null ||
  fail "JSON of no verdict: $(cat proved.json)"
rm -r edits copied
stand_in tools/yosys <<<'exit 0'
no_verdict "$here/../../prove/equivalence/elaborate.sh" 1 1 none.btor
stand_in tools/yosys <<<'kill -9 $$'
"$here/../../prove/equivalence/elaborate.sh" 1 1 none.btor >out 2>&1
[ "$? $(cat out)" = '3 elaborate.sh: no verdict: Yosys was killed' ] || fail "a Yosys that is killed: $(cat out)"
stand_in tools/yosys <<<'exit 0'
no_verdict "$here/../mutate/rtl.sh" 1 1 1 1 "$PWD/mutants"
stand_in tools/yosys <<<'kill -9 $$'
"$here/../mutate/rtl.sh" 1 1 1 1 "$PWD/mutants" >out 2>&1
if [ $? != 3 ] || ! grep -q '^rtl.sh: no verdict: yosys: ' out; then fail "a Yosys that is killed: $(cat out)"; fi
stand_in tools/yosys <<<'exec sleep 7654'
broken sha256sum
no_verdict "$here/../../prove/equivalence/bitcode.sh" "$here/../../.." "$here/../../../cmodel/src/pe.c" pe.bc
rm -rf built/source.*
no_verdict "$here/digest.sh" "$here/../../.." built
rm tools/sha256sum
broken mkdir
no_verdict "$here/../mutate/cmodel.sh" /bin/true 1 1 "$PWD/mutants"
rm tools/mkdir
# More mutants than there are: the program says so when it has the bitcode.
stand_in tools/pmuv3-mutants <<<'echo "pmuv3-mutants: there are only 9 mutants" >&2; exit 2'
"$here/../mutate/cmodel.sh" "$PWD/tools/pmuv3-mutants" 10 1 "$PWD/few" >out 2>&1
if [ $? != 2 ] || ! grep -q '^cmodel.sh: pmuv3-mutants: there are only 9 mutants$' out; then fail "too many mutants: $(cat out)"; fi
rm -r tools/pmuv3-mutants few
mkdir -p cut/bin
touch cut/apply.ys cut/bin/pmuv3-miter
chmod +x cut/bin/pmuv3-miter
broken flock
no_verdict "$here/../mutate/prove_rtl.sh" cut cut 1
rm tools/flock
# shellcheck disable=SC2016
stand_in cut/bin/pmuv3-mutants <<<'printf "1\tmutant\n" >"${@: -1}"'
stand_in cut/bin/pmuv3-prove <<<'exit 9'
printf '1\tmutant\n' >cut/mutants.list
"$here/../mutate/prove_cmodel.sh" cut cut idle mutant 2>out >/dev/full
if [ $? != 3 ] || ! grep -q 'prove_cmodel.sh: no verdict: a command failed' out; then fail "prove_cmodel.sh: $(cat out)"; fi
# Nor has a full /tmp a verdict: a script says so in one line.
broken mktemp
touch plain.c
for words in 'prove/properties/properties.sh --size 1x1' 'prove/equivalence/elaborate.sh 1 1 none.btor' \
  "prove/equivalence/bitcode.sh . $PWD/plain.c plain.bc" 'tests/fuzz/fuzz.sh --program /bin/true' 'tests/test.sh --check-arguments -R x' \
  'signoff/synth/synth.sh --check full2' 'signoff/bench/instructions.sh /bin/true' 'signoff/mutate/prove_rtl.sh cut cut 1' \
  'signoff/mutate/prove_cmodel.sh cut cut idle mutant' "../cmodel/derive/write.sh --check $PWD/plain.c true"; do
  # shellcheck disable=SC2086 # several words
  PMUV3_FUZZ_DIR=$scratch/fuzz "$here"/../../$words >out 2>&1
  [ "$?$(sed -E 's/^[a-z0-9_. ]*: //' out)" = "3no verdict: cannot write to '${TMPDIR-/tmp}'" ] || fail "$words, full: $(cat out)"
done
rm tools/mktemp
broken chmod
no_verdict "$here/../../prove/properties/properties.sh" --size 1x1
rm tools/chmod
mkdir -p measured/{results,build/bin}
touch measured/results/one.json
printf 'of\n%s\n' "$(sha256sum <"$here/../defects/defects.txt" | cut -c1-16)" >measured/of
for measured in shrink failure_report; do
  for program in shrink report; do stand_in measured/build/bin/pmuv3-$program <<<'kill -9 $$'; done
  defect=$(awk '$1 == "defect" { print $2; exit }' "$here/../defects/defects.txt")
  mkdir -p "measured/results/$defect"
  echo '{"first_divergence": {"x_seed": 1}}' >"measured/results/$defect.json"
  echo x >"measured/results/$defect/minimal.stim"
  "$here/../../cosim/$measured/measure.sh" --work measured "$defect" >out 2>&1
  [ $? = 3 ] || fail "$measured/measure.sh: a program was killed: $(cat out)"
  broken nproc
  no_verdict "$here/../../cosim/$measured/measure.sh" --work measured "$defect"
  rm tools/nproc
  for program in shrink report; do stand_in measured/build/bin/pmuv3-$program <<<'exit 0'; done
  loses_stdout 1 "$here/../../cosim/$measured/measure.sh" --work measured "$defect"
  stand_in measured/build/bin/pmuv3-shrink <<<'printf "a 9 lines\nb 5 lines, c 7 tries in 0.5 s\n"; exit 1'
  # shellcheck disable=SC2016
  stand_in measured/build/bin/pmuv3-report <<<'while [ "$1" != --out ]; do shift; done
mkdir -p "$2" && echo "id=\"first-difference\"" >"$2/window.svg"
echo "{\"points_to\": \"x\", \"first_difference\": {\"stage\": \"x\"}}" >"$2/report.json"
exit 1'
  python_dies results.py
  killed=0
  "$here/../../cosim/$measured/measure.sh" --work measured "$defect" >out 2>err || killed=$?
  [ "$killed $(cat err)" = '3 measure.sh: no verdict: a tool ended with status 137' ] ||
    fail "$measured/measure.sh, results.py: exit status $killed: $(cat err)"
  rm tools/python3
  # Two of them would take each other's files.
  (. "$here/../../common.sh" && mark measured)
  exec 7<measured/.pmuv3
  flock --shared 7
  program=$here/../../cosim/$measured/measure.sh
  unusable "^measure.sh: --work: 'measured' is in use by another script" --work measured "$defect"
  exec 7<&-
done

# ---- Names with blanks ----
# Yosys ends a file name at a blank. The stand-in executes Yosys's write commands, and fails.
stand_in tools/yosys <<'END'
#!/usr/bin/env bash
for script; do :; done
awk '{ for (i = 2; i <= NF; i++) if ($(i - 1) == "-o" || ($1 ~ /^write_/ && $i !~ /^-/)) { print $i; break } }' "$script" |
  while read -r file; do echo written >"$file"; done
exit 1
END
# keeps_blanks STATUS COMMAND...: the command fails, and a file named like its folder up to the blank stays
keeps_blanks() {
  local actual=0
  echo mine >my
  "${@:2}" >out 2>&1 || actual=$?
  [ "$actual" = "$1" ] || fail "${*:2}: exit status $actual, expected $1: $(cat out)"
  [ "$(cat my)" = mine ] || fail "${*:2}: wrote to a file of the user"
}
mkdir 'my tmp'
TMPDIR="$PWD/my tmp" keeps_blanks 2 "$here/../../prove/equivalence/elaborate.sh" 1 1 out.btor
keeps_blanks 2 "$here/../../prove/properties/properties.sh" --size 1x1 --work 'my work'
keeps_blanks 3 "$here/../mutate/rtl.sh" 1 1 1 1 "$PWD/my mutants"
[ -f 'my mutants/drawn' ] || fail "Yosys did not write to the folder: $(ls 'my mutants')"
stand_in tools/yosys <<<'exec sleep 7654'

# ---- Outputs are written whole or not at all ----
# shellcheck source=../../common.sh
whole() (set -euo pipefail && . "$here/../../common.sh" && write_whole "$@")
stand_in half <<<'echo half && exit 1'
# written TEXT FILE...: the files together contain TEXT
written() { [ "$(cat "${@:2}")" = "$1" ] || fail "not '$1': $(cat "${@:2}")"; }
whole new echo whole
written whole new
ln -s new link
whole link echo through
written through new
[ -L link ] || fail "not through the link"
if whole new ./half 2>err; then fail "half a file is one"; fi
written through new
[ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"
chmod 604 new
whole new echo kept
written kept new
[ "$(stat -c %a new)" = 604 ] || fail "the rights of the file are gone"
ln new hard
if whole new echo lost 2>err; then fail "a file with two names was replaced"; fi
written $'kept\nkept' new hard
rm hard
# Nobody else reads a file before it has its rights, and one that is not whole does not stay.
stand_in slow <<<'echo begun; echo $$ >slow.process; exec sleep 7654'
(whole new ./slow) &
for _ in {1..100}; do [ -s "$(echo new.*.new)" ] && break; sleep 0.1; done
[ "$(stat -c %a new.*.new)" = 600 ] || fail "others can read what is not whole: $(stat -c %a new.*.new)"
for child in $(pgrep -P $!) $!; do kill "$child"; done
wait $!
for _ in {1..100}; do [ -z "$(find . -name '*.new')" ] && break; sleep 0.1; done
[ -z "$(find . -name '*.new')" ] || fail "left: $(find . -name '*.new')"
! kill "$(cat slow.process)" 2>/dev/null || fail "what writes the file goes on"
written kept new
(umask 027; whole rights echo x)
[ "$(stat -c %a rights)" = 640 ] || fail "the umask: $(stat -c %a rights)"
whole $'two\nlines' echo x
written x $'two\nlines'
[ -z "$(find . -name '*.new')" ] || fail "left: $(find . -name '*.new')"

# ---- A script that is ended ends its processes ----
ends() {
  local script left
  (exec "${@:2}") >out 2>&1 &
  script=$!
  for _ in {1..3000}; do if [ -n "$(asleep)" ]; then break; else sleep 0.1; fi; done
  [ -n "$(asleep)" ] || fail "$2: nothing was started: $(cat out)"
  kill -"$1" "$script"
  wait "$script"
  left=$(asleep)
  [ -z "$left" ] || fail "$2: left after $1: $left"
  for script in $left; do kill -9 "$script"; done
}
# The stand-ins' processes that run for this test.
asleep() {
  local process words
  for process in /proc/[0-9]*; do
    { mapfile -d '' -t words <"$process/cmdline"; } 2>/dev/null || continue
    [ "${words[*]}" = 'sleep 7654' ] || continue
    if grep -qzFx "STAND_IN_SCRATCH=$scratch" "$process/environ" 2>/dev/null; then echo "${process#/proc/}"; fi
  done
}
export STAND_IN_SCRATCH=$scratch
for signal in TERM HUP; do
  ends $signal "$here/../../prove/properties/properties.sh" --work properties
  ends $signal "$here/../synth/synth.sh" --check full2
done
stand_in tools/cmake <<<'exec sleep 7654'
ends TERM "$here/../defects/campaign.sh" --sample --work campaign
stand_in tools/cc <<<'exec sleep 7654'
ends TERM "$here/../../tests/fuzz/fuzz.sh" --program /bin/true --replays 1

# ---- A build's commands have the environment of ./pmuv3 ----
program=$here/../../launch.sh
# shellcheck disable=SC2031
destination=/x CPATH=/elsewhere GTEST_FILTER=none VERILATOR_ROOT=/elsewhere PATH=$scratch/elsewhere:$PATH CCACHE_DIR=$scratch/cache \
  DESTDIR=$scratch/installed status 7 bash -c 'env && exit 7'
finds_none -E '^(CPATH|GTEST_FILTER|VERILATOR_ROOT)=' out || fail "launch.sh keeps a variable"
grep -qx "PATH=$PMUV3_STAND_INS:/usr/sbin:/usr/bin:/sbin:/bin" out || fail "launch.sh: $(grep ^PATH= out)"
for kept in CCACHE_DIR=$scratch/cache DESTDIR=$scratch/installed; do
  grep -qx "$kept" out || fail "launch.sh does not keep $kept"
done

# ---- Settings of the user do not change what tools say, in scripts and in the tests ----
mkdir set
# shellcheck disable=SC2016
stand_in set/sqlite3 <<<'[ "$1 $2 $3" = "-batch -init /dev/null" ] || echo "~/.sqliterc was read"'
# shellcheck disable=SC2016
stand_in set/jq <<<'[ "$HOME" = /proc/none ] || echo "~/.jq was read"'
asked='sqlite3 one.db; jq . one.json; bash -c "sqlite3 one.db; jq . one.json"'
# shellcheck disable=SC2031
said=$(PMUV3_STAND_INS=$scratch/set bash -c ". '$here/../../common.sh' && $asked")$(PATH=$scratch/set:$PATH bash -c "$asked")
[ -z "$said" ] || fail "$said"
# A script goes to other folders.
for sourced in common.sh tests/cli/check.sh; do
  said=$(TMPDIR=. bash -c ". '$here/../../$sourced' && echo \"\${TMPDIR-none}\"" "$here/x") || fail "$sourced: TMPDIR=."
  [ "$said" = none ] || fail "$sourced: a relative TMPDIR: $said"
done
# Nor do they close a stream.
for stream in 1 2; do
  said=$(BASH_XTRACEFD=$stream bash -c ". '$here/../../common.sh' && echo out && echo err >&2" "$here/x" 2>&1)
  [ "$said" = $'out\nerr' ] || fail "BASH_XTRACEFD=$stream: $said"
  BASH_XTRACEFD=$stream "$here/../../prove/properties/properties.sh" --bogus 2>err
  [ "$(cat err)" = 'properties.sh: --bogus: unknown argument' ] || fail "BASH_XTRACEFD=$stream: $(cat err)"
done
# What cannot be read is not equal.
# shellcheck source=../../farm/rows.sh
. "$here/../../farm/rows.sh"
differs() { (failures=0 && "$@" >out 2>&1 && exit "$failures") && fail "$*: what says nothing is equal"; }
echo '[]' >empty.json
sqlite3 empty.db VACUUM
sqlite3 rows.db 'CREATE TABLE run (seed); INSERT INTO run VALUES (1)'
(failures=0 && same_rows rows.db rows.db rows && exit "$failures") || fail "a database is not equal to itself"
differs same_rows absent.db empty.db rows
differs same_rows empty.db rows.db rows
differs same_of empty.json empty.json proof proof_in

# ---- Called from another folder, with another CDPATH ----
mkdir -p elsewhere/testbench/prove/properties
cd "$here/../../.." || exit 1
CDPATH=$scratch/elsewhere bash testbench/prove/properties/properties.sh --check-arguments || fail "CDPATH leads elsewhere"
cd "$scratch" || exit 1
ln -s "$here/../../prove/properties/properties.sh" linked
./linked --check-arguments || fail "through a link"

all_held
