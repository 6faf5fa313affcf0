#!/usr/bin/env bash
# The campaign is honest: the score is computed right, a survivor fails, what has a verdict is not run
# again, and what is killed in the middle goes on. With stand-ins for what makes, runs and proves mutants.
# Usage: mutate_test.sh EVIDENCE, the program pmuv3-evidence.
evidence=$1
set -- mutate.sh
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
unset PMUV3_SOURCE

# A copy of the scripts, whose makers and provers are stand-ins.
mkdir -p "$scratch/testbench/signoff" "$scratch/build/bin"
cp -rL "$here" "$here/../evidence" "$scratch/testbench/signoff"
cp "$here"/../../{common,settings}.sh "$scratch/testbench"
mkdir -p "$scratch/testbench/cosim/cli"
cp "$here/../../cosim/cli/cli.h" "$scratch/testbench/cosim/cli"
scripts=$scratch/testbench/signoff/mutate
program=$scripts/mutate.sh
db=$scratch/evidence.db
mkdir -p "$scratch"/{cmodel,rtl,tlm_wrapper,docs/reference}
touch "$scratch"/{docs/reference/rules.md,CMakeLists.txt,CMakePresets.json,.clang-format,pmuv3}

# built_with VERSIONS: the tools of the build.
built_with() { echo "$1" >"$scratch/build/versions.list"; }
built_with 'gcc-12 12'

# built_of TEXT: the sources have the text, and a file says of which sources the evidence is: of these.
built_of() {
  echo "$1" >"$scratch/cmodel/text"
  (set -euo pipefail && . "$here/../../common.sh" && source_digest "$scratch") >"$scratch/source"
}
stand_in "$scratch/build/bin/pmuv3-evidence" <<END
#!/usr/bin/env bash
if [ "\$1" = --source ]; then cat "$scratch/source"; else exec "$evidence" "\$@"; fi
END

# Four mutants of the RTL and two of the C model. A file has a line each time that they are made.
stand_in "$scripts/rtl.sh" <<'END'
#!/usr/bin/env bash
mkdir -p "$5"
echo rtl >>"${0%/testbench/*}/made"
for n in 1 2 3 4; do printf '%d\tm/$c%d.A[0] in'"'"'v\tm\tm.sv:%d\tinverted\n' "$n" "$n" "$n"; done >"$5/mutants.list"
: >"$5/mutants.so"
END
stand_in "$scripts/cmodel.sh" <<'END'
#!/usr/bin/env bash
mkdir -p "$4"
echo cmodel >>"${0%/testbench/*}/made"
for n in 1 2; do printf '%d\tf.%d.0\tc.c\tc.c:%d\t+ becomes -\n' "$n" "$n" "$n"; done >"$4/mutants.list"
: >"$4/mutants.so"
END

# The third mutant of the RTL is equivalent, and what it says of the others is in a file. What happens while something
# is proved is in files, too.
echo "differs" >"$scratch/answer"
touch "$scratch"/while_{rtl,cmodel}
stand_in "$scripts/prove_rtl.sh" <<END
#!/usr/bin/env bash
[ \$# -gt 2 ] || exit 0
. "$scratch/while_rtl"
if [ "\$3" = 3 ]; then echo "\$3 equivalent"; else echo "\$3 \$(<"$scratch/answer")"; fi
END
stand_in "$scripts/prove_cmodel.sh" <<END
#!/usr/bin/env bash
. "$scratch/while_cmodel"
shift 3
for name; do echo "\$name equivalent: proved"; done
END

# runner SURVIVORS LATE STOP: pmuv3-mutate, of which those mutants survive, those survive fewer cycles than all,
# and that ends before mutant STOP.
runner() {
  stand_in "$scratch/build/bin/pmuv3-mutate" <<END
#!/usr/bin/env bash
list=\$1/mutants.list
shift
while [ \$# -gt 0 ]; do printf -v "\${1#--}" %s "\$2"; shift 2; done
quote="'"
while IFS=\$'\t' read -r number name module place change; do
  name=\${name//\$quote/\$quote\$quote}
  [ "\$side \$number" != "$3" ] || kill -9 \$\$
  source=\$(cat "$scratch/source")
  key="source = '\$source' AND side = '\$side' AND name = '\$name'"
  [ -z "\$(sqlite3 -cmd '.timeout 20000' "\$db" "SELECT 1 FROM mutant WHERE \$key AND (verdict = 'killed' OR cycles >= \$cycles
       OR (verdict = 'equivalent' AND side = 'rtl'))")" ] ||
    continue
  echo "ran \$side \$number \$cycles"
  verdict=killed
  [[ " $1 " != *" \$side\$number "* ]] || verdict=survived
  [[ " $2 " != *" \$side\$number "* || \$cycles = 4000000 ]] || verdict=survived
  [ "\$verdict" = killed ] || verdict=\$(sqlite3 -cmd '.timeout 20000' "\$db" "SELECT verdict FROM mutant WHERE \$key")
  echo "INSERT OR REPLACE INTO mutant VALUES ('\$source', '\$side', '\$name', '\$module', '\$place',
        '\$change', '\${verdict:-survived}', CASE '\$verdict' WHEN 'killed' THEN 'V' ELSE
        (SELECT reason FROM mutant WHERE \$key) END, \$cycles, 0.5)" | "$evidence" --db "\$db"
done <"\$list"
END
}

# mutate EXPECTED TEXT...: its exit status, and texts that it prints; a text behind ! must not be there.
mutate() {
  local expected=$1 actual=0 text
  shift
  "$scripts/mutate.sh" --db "$db" --work "$scratch/work" --build "$scratch/build" >"$scratch/out" 2>&1 ||
    actual=$?
  [ "$actual" -eq "$expected" ] || fail "exit status $actual, expected $expected: $(cat "$scratch/out")"
  for text; do
    if [[ $text == !* ]]; then
      if grep -qE -- "${text#!}" "$scratch/out"; then fail "there is '${text#!}' in: $(cat "$scratch/out")"; fi
    else
      grep -qE -- "$text" "$scratch/out" || fail "no '$text' in: $(cat "$scratch/out")"
    fi
  done
}

built_of 0123456789abcdef
# One of four survives all, which is run after the proof; another is proved equivalent before: 2 of 3.
runner 'rtl2 rtl3 cmodel1' '' ''
mutate 1 '^rtl +4 +2 +1 +1 +66.7%' '^cmodel +2 +1 +1 +0 +100.0%' 'ran rtl 2 100000' 'ran rtl 2 4000000' \
  '!ran rtl 3 4000000' 'ran cmodel 1 4000000' 'SURVIVED m.sv:2, .*not killed in 4000000 cycles; differs'
# Nothing is run or proved again, and the survivor still fails.
mutate 1 '!^ran' '!^rtl: m/' '^rtl +4 +2 +1 +1 +66.7%'
# Of other sources nothing is known. One is killed by the whole regression alone, and so is one that is proved
# equivalent, of few threads.
built_of fedcba9876543210
runner '' 'rtl4 cmodel1' ''
mutate 0 'ran rtl 4 100000' 'ran rtl 4 4000000' 'ran cmodel 2 100000' '!ran cmodel 2 4000000' \
  'cmodel: f.1.0: equivalent' 'ran cmodel 1 4000000' '^rtl +4 +4 +0 +0 +100.0%' '^cmodel +2 +2 +0 +0 ' '!SURVIVED'
mutate 0 '!^ran'

# A full standard output ends nothing, and hides no survivor.
loses_stdout 2 "$scripts/mutate.sh" --db "$db" --work "$scratch/work" --build "$scratch/build"
built_of 4444444444444444
runner rtl2 '' ''
loses_stdout 1 "$scripts/mutate.sh" --db "$db" --work "$scratch/work" --build "$scratch/build"
mutate 1 '!^ran' '^rtl +4 +3 +0 +1 +75.0%' '^cmodel +2 +2 '

# Killed before the third: what was there stays, and is not run again.
built_of 00000000ffffffff
runner '' '' 'rtl 3'
mutate 3 'ran rtl 2' '!ran rtl 3' 'no verdict: pmuv3-mutate ended with status 137' '!SURVIVED' '![0-9]%'
runner '' '' ''
mutate 0 '!ran rtl 2' 'ran rtl 3' 'ran rtl 4' '^rtl +4 +4'

# A proof without an answer is tried again.
built_of ffffffff00000000
runner rtl2 '' ''
echo "no answer: it took too long" >"$scratch/answer"
mutate 1 'm/.c2.*: no answer' 'SURVIVED m.sv:2, .*the proof has no answer'
echo "equivalent" >"$scratch/answer"
mutate 0 '!^ran' '^rtl +4 +3 +1 +0 +100.0%'

# Sources that changed since they were built, or while mutants are made of them: there is no row.
rows() { sqlite3 "$db" 'SELECT count(*) FROM mutant'; }
built_of before
before=$(rows)
echo after >"$scratch/cmodel/text"
mutate 2 'the sources are now [0-9a-f]*, not ' '!^ran'
[ "$(rows)" = "$before" ] || fail "rows of other sources"
cp "$scripts/rtl.sh" "$scratch/rtl.kept"
echo "echo meanwhile >\"$scratch/cmodel/text\"" >>"$scripts/rtl.sh"
built_of before
mutate 2 'the sources were changed while mutants of them were made' '!^ran'
[ "$(rows)" = "$before" ] || fail "rows of other sources"
echo before >"$scratch/cmodel/text" # taken back: they are made again
mutate 2 'the sources were changed while mutants of them were made' '!^ran'
# Taken back before the end: nothing else tells that mutants were made of it.
cp "$scratch/rtl.kept" "$scripts/rtl.sh"
echo "echo meanwhile >\"$scratch/cmodel/text\"; echo before >\"$scratch/cmodel/text\"" >>"$scripts/rtl.sh"
built_of before
mutate 2 'the sources were changed while mutants of them were made' '!^ran'
[ "$(rows)" = "$before" ] || fail "rows of sources that were there for a moment"
cp "$scratch/rtl.kept" "$scripts/rtl.sh"
built_of before
runner '' '' ''
mutate 0 'ran rtl 4'

# Mutants are made once with the same tools. With others they are made anew: evidence names those of the build.
built_of 3333333333333333
made() { sort "$scratch/made" | paste -sd' '; }
rm "$scratch/made"
mutate 0
mutate 0
[ "$(made)" = 'cmodel rtl' ] || fail "made: $(made)"
built_with 'gcc-12 12.1'
mutate 0
[ "$(made)" = 'cmodel cmodel rtl rtl' ] || fail "made after an upgrade: $(made)"
built_with $'gcc-12 12.1\ngcovr 5.2'
mutate 0
[ "$(made)" = 'cmodel cmodel rtl rtl' ] || fail "made again for a tool that makes none: $(made)"
mv "$scratch/build/versions.list" kept.list
mutate 2 "^mutate.sh: --build: '.*/build' does not say which tools it was built with$"
mv kept.list "$scratch/build/versions.list"

# Another campaign kills a mutant while it is proved: the kill stays, and the mutant is not run again.
built_of 2222222222222222
runner 'cmodel1 cmodel2' '' ''
cat >"$scratch/while_cmodel" <<END
echo "UPDATE mutant SET verdict = 'killed', reason = 'V', cycles = 150000
      WHERE source = '\$(<"$scratch/source")' AND name = 'f.1.0'" | "$evidence" --db "$db"
END
mutate 0 'cmodel: f.1.0: equivalent' '!ran cmodel 1 4000000' 'ran cmodel 2 4000000' '^cmodel +2 +1 +1 +0 '

# The scripts that prove are sources: what they say while the sources are changed is no evidence, also where the change
# is taken back.
for side in rtl cmodel; do
  echo "echo meanwhile >\"$scratch/cmodel/text\"; echo $side >\"$scratch/cmodel/text\"" >"$scratch/while_$side"
  built_of $side
  runner "${side}1" '' ''
  mutate 2 'the sources were changed while mutants of them were proved' "ran $side 1 100000" "!^$side: .*: (equivalent|differs)"
  [ "$(sqlite3 "$db" "SELECT count(*) FROM mutant WHERE source = '$(<"$scratch/source")' AND reason <> 'V'")" = 0 ] ||
    fail "a proof of other sources"
  : >"$scratch/while_$side"
done

# What cannot be used.
unusable 'every: unknown' --every
unusable 'rtl: expected a value' --rtl
unusable 'many: expected a number' --rtl many
unusable '^mutate.sh: --rtl 0 and --cmodel 0: there are no mutants to try' --check-arguments --rtl 0 --cmodel 0
# What is given holds beside --sample, in any order.
unusable '^mutate.sh: --rtl: expected at most 65535' --check-arguments --rtl 65536 --sample
unusable '^mutate.sh: --cycles: expected a number of 1 or more' --check-arguments --cycles 0 --sample
unusable '^mutate.sh: --size: expected a size' --check-arguments --sample --size 5x2
for number in 09 010 00; do unusable "^mutate.sh: --cycles: $number: expected a number" --cycles $number; done
unusable 'expected a size' --size 5x2
for option in jobs cycles; do unusable "^mutate.sh: --$option: expected a number of 1 or more" --check-arguments --$option 0; done
unusable '^mutate.sh: --jobs: expected at most 1024$' --check-arguments --jobs 5000
unusable '^mutate.sh: --shard-mutants: expected at most 65535$' --check-arguments --shards --shard-mutants 65536
status 0 --check-arguments --jobs 1024 --work "$scratch/untouched"
unusable "^mutate.sh: --work: '' is no folder" --check-arguments --work ''
unusable "^mutate.sh: --work: 'my work' has a blank in it" --check-arguments --work 'my work'
mkdir "$scratch/users"
echo mine >"$scratch/users/notes"
for folder in users users/notes; do unusable "^mutate.sh: --work: '.*/$folder' " --check-arguments --work "$scratch/$folder"; done
[ "$(cat "$scratch"/users/* "$scratch"/users/.pmuv3 2>/dev/null)" = mine ] || fail "a folder of the user's was touched"
unusable 'none/evidence.db' --rtl 4 --db "$scratch/none/evidence.db" --work "$scratch/work"
sqlite3 "$scratch/old.db" 'CREATE TABLE run (source TEXT)'
unusable 'the tables are not those of this version' --rtl 4 --db "$scratch/old.db" --build "$scratch/build" --work "$scratch/work"
unusable 'there is no such program' --rtl 4 --build "$scratch/none" --db "$db" --work "$scratch/work"
for arguments in '' --shards '--merge .'; do
  # shellcheck disable=SC2086 # an option and its value
  unusable '^mutate.sh: --build needs --db: build/evidence.db is of build/release$' --check-arguments --build "$scratch/build" $arguments
done
# No database, and no file of a shard, is in a folder that a script may empty.
unusable "^mutate.sh: --db: '.*/work/my.db' is in '.*/work', where files are removed" \
  --db "$scratch/work/my.db" --work "$scratch/work"
unusable "^mutate.sh: --shard: '.*/work/x' is in '.*/work', where files are removed" \
  --shard "$scratch/work/x" --mutants rtl:1-2 --work "$scratch/work"
# Arguments are checked apart, and nothing is done.
status 0 --check-arguments --rtl 4 --work "$scratch/untouched"
left "$scratch/untouched"
unusable 'expected a size' --check-arguments --size 5x2
unusable "^mutate.sh: --db: '.*/notes' is no database" --check-arguments --db "$scratch/users/notes"

# A folder that was not made here, a file, a device: nothing is run, and nothing in it is touched.
mkdir mine
echo mine >mine/notes
echo mine >file
for work in mine file /dev/null; do unusable "^mutate.sh: --work: '$work'" --rtl 4 --work "$work"; done
[ "$(cat mine/notes file) $(ls -A mine)" = $'mine\nmine notes' ] || fail "the folder was touched"

# A mutant that could not be tried is neither killed nor a survivor.
stand_in "$scratch/build/bin/pmuv3-mutate" <<<'exit 3'
built_of 1111111111111111
mutate 3 'no verdict: pmuv3-mutate ended with status 3' '!SURVIVED' '![0-9]%'

# Nor is what dies unforeseen a survivor.
mkdir "$scratch/broken"
stand_in "$scratch/broken/sqlite3" <<<'exit 1'
stand_in "$scratch/build/bin/pmuv3-mutate" <<<'exit 0'
PMUV3_STAND_INS=$scratch/broken mutate 3 'mutate.sh: no verdict: a command failed' '!SURVIVED'
# Nor is a shard one that has no folder.
stand_in "$scratch/broken/mktemp" <<<'exit 1'
PMUV3_STAND_INS=$scratch/broken status 3 --build "$scratch/build" --work "$scratch/work" --shard "$scratch/shard" --mutants rtl:1-2
grep -qx "mutate.sh: no verdict: cannot write to '.*'" err || fail "a shard without a folder: $(cat err)"

all_held
