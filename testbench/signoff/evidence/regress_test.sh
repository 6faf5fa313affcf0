#!/usr/bin/env bash
# `pmuv3 regress` for a user: unusable arguments, recorded rows, continuing after a kill, and crashes, which are
# no verdict. Usage: regress_test.sh PROGRAM PRESET. Divergences: regress_defect_test.sh.
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
unset PMUV3_SOURCE
preset=$2

# The contents of a database without times.
# shellcheck disable=SC2317 # called by `same`
evidence() {
  sqlite3 "$1" "SELECT source, configuration, seed, params, cycles, comparisons, verdict, difference
                FROM run ORDER BY 1, 2, 3; SELECT * FROM hit ORDER BY 1, 2, 3"
}
rows() { sqlite3 "$1" 'SELECT count(*) FROM run'; }

# same A B WHAT: both databases have the same contents
same() { same_of "$@" evidence; }

# The process of the running task.
child_of() {
  local child children
  read -ra children <"/proc/$1/task/$1/children"
  for child in "${children[@]}"; do
    if [ "$(cat "/proc/$child/comm" 2>/dev/null)" = pmuv3-regress ]; then
      echo "$child"
      return
    fi
  done
  return 1
}

unusable "^pmuv3 regress: --seeds takes a number" --seeds 0
unusable "^pmuv3 regress: --cycles takes a number" --cycles 0
unusable "^pmuv3 regress: --time takes a number" --time soon
unusable "^pmuv3 regress: --jobs takes a number" --jobs 0
unusable "^pmuv3 regress: --shard-seeds needs --shards" --shard-seeds 5
unusable "^pmuv3 regress: --configurations: no configuration is named 'none at all'" --configurations '1 counter,none at all'
unusable "^pmuv3 regress: --configurations: no configuration is named ''" --configurations '1 counter,'
unusable "^pmuv3 regress: unusable option '--first-seed'" --first-seed
unusable "^pmuv3 regress: unusable argument 'stray'" stray
unusable "^pmuv3 regress: --db: cannot write" --db absent/evidence.db
sources=$(realpath "$here/../../..")
read -ra source_folders <<<"$(bash -c '. "$1" && echo "${source_folders[*]}"' bash "$here/../../common.sh")"
[ ${#source_folders[@]} -gt 3 ] || fail "the folders of the sources: ${source_folders[*]}"
for folder in "${source_folders[@]}" testbench/signoff; do
  unusable "^pmuv3 regress: --db: '.*' is among the sources$" --db "$sources/$folder/new.db"
done
for option in --out --junit; do
  unusable "^pmuv3 regress: $option: '.*' is among the sources$" --db source.db $option "$sources/rtl/new"
done
ln -s "$sources/rtl" linked
unusable "^pmuv3 regress: --db: 'linked/new.db' is among the sources$" --db linked/new.db
unusable "^pmuv3 regress: --junit: cannot write" --db source.db --junit absent/junit.xml
echo 'no database at all' >bad.db
unusable "^pmuv3 regress: bad.db: file is not a database" --db bad.db
# A program that must have other sources records nothing.
PMUV3_SOURCE=0123456789abcdef unusable "built from sources [0-9a-f]{16}, but PMUV3_SOURCE says 0123456789abcdef" --db source.db
PMUV3_SOURCE='' unusable "built from sources" --db source.db
[ ! -e source.db ] || fail "a database was left"

# ---- Presets: another one has other models, and a row of the database has no preset ----
mkdir build
one=(--configurations '1 counter' --seeds 1 --cycles 100)
if [ "$preset" = release ]; then
  status 0 "${one[@]}"
  [ "$(rows build/evidence.db)" = 1 ] || fail "no evidence without --db"
else
  unusable "^pmuv3 regress: a build of the preset $preset needs --db: build/evidence.db is of release$" "${one[@]}"
  left build/evidence.db
  for shards in --shards "--shard new.shard" "--merge build"; do
    # shellcheck disable=SC2086 # an option and its value
    unusable "^pmuv3 regress: a build of the preset $preset has no shards$" "${one[@]}" --db new.db $shards
  done
  left new.db new.shard
fi

# ---- Outputs: all are checked before anything runs ----
: >out
refuses_others --junit out --db source.db --seeds 1000000
refuses_others --db out --seeds 1000000
refuses_streams --db --seeds 1000000
unusable "^pmuv3 regress: --junit: cannot write './source.db': it is --db, too" --db source.db --junit ./source.db
# SQLite's files beside a database must be neither another output nor another user's file.
for suffix in wal shm journal; do
  unusable "^pmuv3 regress: --junit: cannot write 'source.db-$suffix': it is --db, too" --db source.db --junit source.db-$suffix
  echo mine >new.db-$suffix
  unusable "^pmuv3 regress: --db: cannot make 'new.db': there is a 'new.db-$suffix'" --db new.db
  [ "$(cat new.db-$suffix)" = mine ] || fail "new.db-$suffix was touched"
  rm new.db-$suffix
done
echo kept >file
for other in file file/folder absent/folder ''; do
  unusable "^pmuv3 regress: --out: cannot (write|make) '$other': " --db source.db --seeds 1000000 --out "$other"
done
[ "$(cat file)" = kept ] || fail "--out: a file was changed"
left source.db
status 2 --db full.db --configurations '1 counter' --seeds 1 --cycles 100 --junit /dev/full
# AddressSanitizer warns before it of SystemC's stacks.
[ "$(tail -n 1 err)" = "pmuv3 regress: --junit: cannot write '/dev/full': No space left on device" ] || fail "a full device: $(cat err)"
mkdir small
checks_stdout 0 --db small/stdout.db --configurations '1 counter' --seeds 1 --cycles 100

# Three configurations, two of them with a comma in their names. The JUnit XML must match its schema.
few=(--configurations '1 counter,31 counters, everything,no counters' --seeds 4 --cycles 5000 --defaults-end)
# A database's name is a file's name, even if SQLite has another meaning for it.
for name in :memory: 'file:odd.db?mode=memory'; do
  status 0 "${few[@]}" --db "$name"
  [ -s "$name" ] || fail "$name: no evidence is kept"
done
# The recorded versions are those of the build, whatever is installed now.
stand_in dpkg-query <<<'echo verilator 9.9'
PATH=$PWD:$PATH status 0 --configurations '1 counter' --seeds 1 --cycles 100 --db versions.db
[ "$(sqlite3 versions.db "SELECT count(*) > 0, sum(version = '9.9') FROM version")" = '1|0' ] ||
  fail "versions: $(sqlite3 versions.db 'SELECT * FROM version')"
# What another version measured is there still, so both are named.
"${program%/*}/pmuv3-evidence" --db versions.db <<<"UPDATE version SET version = '0.1' WHERE tool = 'verilator'"
versions_of() { sqlite3 versions.db "SELECT group_concat(version, ' ') FROM version WHERE tool = 'verilator'"; }
status 0 --configurations '1 counter' --seeds 1 --cycles 100 --db versions.db
[ "$(versions_of)" = 0.1 ] || fail "a regression of no task names its tools: $(versions_of)"
status 0 --configurations '1 counter' --seeds 2 --cycles 100 --db versions.db
[[ $(versions_of) == '0.1 '?* ]] || fail "after an upgrade: $(versions_of)"
status 0 "${few[@]}" --db one.db --jobs 1 --junit junit.xml
[ "$(tail -n 1 out)" = equivalent ] || fail "last line: $(tail -n 1 out)"
[ "$(rows one.db)" = 12 ] || fail "rows: $(rows one.db)"
xmllint --noout --relaxng "$here/junit.rng" junit.xml 2>err || fail "JUnit: $(cat err)"
[ "$(xmllint --xpath 'count(//testsuite[@tests=4 and @failures=0])' junit.xml)" = 3 ] ||
  fail "JUnit: $(cat junit.xml)"

# The result does not depend on the number of processors. A recorded task is not run again, and keeps its row.
status 0 "${few[@]}" --db many.db --jobs 7
same one.db many.db "another number of jobs"
sqlite3 one.db 'SELECT * FROM run ORDER BY 2, 3' >before
status 0 "${few[@]}" --db one.db
sqlite3 one.db 'SELECT * FROM run ORDER BY 2, 3' | diff before - || fail "tasks were run again"

# The presets of configurations are those of the sources, whatever lies in the folder of presets.
core=(--configurations 'Neoverse N1' --seeds 1 --cycles 1000)
mkdir presets
printf 'pmuv3-core 1\n# Mine\nparam counters=2\n' >presets/neoverse-n1.core
status 0 "${core[@]}" --db core.db
PMUV3_CORES=$PWD/presets status 0 "${core[@]}" --db presets.db
same core.db presets.db "another folder of presets"
[[ $(sqlite3 core.db 'SELECT params FROM run') == *counters=6* ]] || fail "a core without its counters"

# Rows of other sources are kept, and do not count.
cp many.db others.db
"${program%regress}evidence" --db others.db <<<"UPDATE run SET source = 'fedcba9876543210'"
status 0 "${few[@]}" --db others.db
[ "$(rows others.db)" = 24 ] || fail "rows of two sources: $(rows others.db)"

# Tasks run again for more cycles, but not for fewer.
status 0 "${few[@]}" --db many.db --cycles 6000
status 0 "${few[@]}" --db many.db --cycles 50
[ "$(sqlite3 many.db 'SELECT DISTINCT cycles FROM run')" = 6000 ] || fail "not the larger number of cycles"

# Two processes on one database at the same time.
status 0 "${few[@]}" --db undisturbed.db
"$program" "${few[@]}" --db both.db >/dev/null 2>&1 &
status 0 "${few[@]}" --db both.db
wait $! || fail "the other of two"
same undisturbed.db both.db "two at a time"

# A run that is killed again and again until it ends gives the same result.
all=(--seeds 2 --cycles 3000)
status 0 "${all[@]}" --db undisturbed2.db
kills=0 before=0
while :; do
  "$program" "${all[@]}" --db killed.db --jobs 3 >/dev/null 2>&1 &
  for _ in {1..100}; do
    sleep 0.02
    kill -0 $! 2>/dev/null || break
    after=$(rows killed.db 2>/dev/null || echo 0)
    [ "$after" -le $((before + 5)) ] || break
  done
  if ! kill -9 $! 2>/dev/null; then break; fi
  wait $! 2>/dev/null
  kills=$((kills + 1))
  before=$(rows killed.db)
done
[ "$kills" -ge 2 ] || fail "it was killed $kills times only"
status 0 "${all[@]}" --db killed.db
same undisturbed2.db killed.db "after $kills kills"

# A time budget: some tasks are not run, and the report says so. Without a number of seeds, only the time ends
# the run.
status 0 --db budget.db --time 1 --seeds 1000 --configurations '1 counter' --cycles 20000 --junit junit.xml
grep -qE '^1 counter .* not run$' out || fail "not said what was not run: $(cat out)"
xmllint --noout --relaxng "$here/junit.rng" junit.xml 2>err || fail "JUnit: $(cat err)"
[ "$(xmllint --xpath 'count(//skipped)' junit.xml)" -gt 0 ] || fail "JUnit has none skipped"
status 0 --db endless.db --time 1 --configurations '1 counter' --cycles 100
[ "$(rows endless.db)" -gt 8 ] || fail "without a number of seeds: $(rows endless.db)"

# What is killed leaves no earlier result.
"$program" --db ended.db --configurations '1 counter' --seeds 1 --cycles 100000000 --junit junit.xml >out 2>&1 &
for _ in {1..200}; do
  child_of $! >/dev/null && break
  sleep 0.01
done
kill -9 $!
wait $!
xmllint --noout --relaxng "$here/junit.rng" junit.xml 2>err || fail "JUnit: $(cat err)"
[ "$(xmllint --xpath 'concat(count(//testcase), " ", count(//error))' junit.xml)" = '1 1' ] ||
  fail "JUnit: $(cat junit.xml)"

# A task whose process dies gives no verdict, and runs again the next time.
"$program" --db crash.db --configurations '1 counter' --seeds 1 --cycles 100000 >out 2>&1 &
regress=$!
for _ in {1..200}; do
  child=$(child_of "$regress") && break
  sleep 0.01
done
kill -9 "$child"
crash=0
wait "$regress" || crash=$?
[ "$crash" -eq 3 ] || fail "exit status of a crash: $crash"
[ "$(tail -n 1 out)" = "no verdict" ] || fail "last line of a crash: $(tail -n 1 out)"
grep -q '^1 counter, seed 1: crashed' out || fail "a crash is not told: $(cat out)"
[ "$(sqlite3 crash.db 'SELECT verdict FROM run')" = crashed ] || fail "a crash is not recorded"
# A shorter run is a verdict, and the crash stays.
"$(dirname "$program")/pmuv3-evidence" --db crash.db <<<"UPDATE run SET cycles = 90000"
status 3 --db crash.db --configurations '1 counter' --seeds 1 --cycles 1000
[ "$(tail -n 1 out)" = "no verdict" ] || fail "a shorter run hides a crash: $(cat out)"
[ "$(sqlite3 crash.db "SELECT group_concat(verdict || ' ' || cycles, ', ') FROM run")" = 'crashed 90000, equivalent 1000' ] ||
  fail "a shorter run after a crash: $(sqlite3 crash.db 'SELECT * FROM run')"
status 0 --db crash.db --configurations '1 counter' --seeds 1 --cycles 100000
[ "$(sqlite3 crash.db 'SELECT verdict FROM run')" = equivalent ] || fail "not run again after a crash"

all_held
