#!/usr/bin/env bash
# `pmuv3 regress` on planted defects: records, keeps and reports a divergence, and continues with the other
# tasks. Usage: regress_defect_test.sh --work DIR, where testbench/signoff/defects/campaign.sh made and built
# its copy.
bin=$2/build/bin
set -- "$bin/pmuv3-regress"
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
unset PMUV3_SOURCE

# The defect's number in the table.
number_of() { "$here/../defects/table.py" number "$here/../defects/defects.txt" "$1"; }

# regress EXPECTED DEFECT ARGUMENT...: expects the exit status with a defect
regress() { PMUV3_DEFECT=$2 status "$1" --seeds 3 --cycles 20000 "${@:3}"; }

count() { xmllint --xpath "count($1)" junit.xml; }
one() { sqlite3 evidence.db "SELECT $1"; }

# A defect that needs several threads: one of two configurations diverges, with every seed.
defect=$(number_of rtl-attribution-MT)
two=(--configurations '2 threads, 6 counters, no EL2,1 counter')
regress 1 "$defect" "${two[@]}" --db evidence.db --junit junit.xml --out kept
[ "$(tail -n 1 out)" = "not equivalent" ] || fail "last line: $(tail -n 1 out)"
[ "$(one "group_concat(verdict || ' ' || n) FROM (SELECT verdict, count(*) n FROM run GROUP BY 1)")" = \
  "diverged 3,equivalent 3" ] || fail "verdicts: $(one "group_concat(verdict) FROM run")"
xmllint --noout --relaxng "$here/junit.rng" junit.xml 2>err || fail "JUnit: $(cat err)"
[ "$(count '//testsuite[@failures=3]/testcase/failure[@type="diverged"]')" = 3 ] || fail "JUnit: $(cat junit.xml)"
[ "$(count '//testsuite[@failures=0]/testcase[not(*)]')" = 3 ] || fail "JUnit: $(cat junit.xml)"

# Each divergence has a folder. Its stimulus shows the same divergence, and its small stimulus shows a
# divergence.
while IFS='|' read -r seed folder difference; do
  grep -qF "seed $seed: $difference" out || fail "seed $seed is not told: $(cat out)"
  [ "$difference" = "$(head -n 1 "$folder/divergence.txt")" ] || fail "$folder: $difference"
  PMUV3_DEFECT=$defect "$bin/pmuv3-replay" "$folder/minimal.stim" >/dev/null 2>replayed
  grep -q diverged replayed || fail "$folder: the minimal stimulus does not diverge"
  [ "$(wc -l <"$folder/minimal.stim")" -le 15 ] || fail "$folder: not a handful of lines"
done < <(sqlite3 evidence.db "SELECT seed, capsule, difference FROM run WHERE verdict = 'diverged'")
[ "$(find kept -name minimal.stim | wc -l)" = 3 ] || fail "kept: $(find kept)"

# The verdict stays red if no task is left to run. Another number of jobs gives the same rows.
# shellcheck disable=SC2317 # called by same_of
evidence() { sqlite3 "$1" 'SELECT configuration, seed, cycles, verdict, difference FROM run ORDER BY 1, 2'; }
regress 1 0 "${two[@]}" --db evidence.db
regress 1 "$defect" "${two[@]}" --db other.db --jobs 5 --no-shrink --out $'other\001' --junit other.xml
xmllint --noout --relaxng "$here/junit.rng" other.xml 2>err || fail "JUnit of a strange name: $(cat err)"
same_of evidence.db other.db "another number of jobs" evidence
[ -z "$(find $'other\001' -name 'minimal*')" ] || fail "it was shrunk all the same"

# Files of a former divergence are removed from a folder, and no others.
for folder in kept/*/; do
  echo mine >"$folder/notes"
  ln -s notes "$folder/link"
done
regress 1 "$defect" "${two[@]}" --db again.db --no-shrink --out kept
[ -z "$(find kept -name 'minimal*')" ] || fail "files of a former divergence stay"
[ "$(find kept -name notes -size 5c | wc -l) $(find kept -name link -type l | wc -l)" = "3 3" ] ||
  fail "files of others are gone: $(find kept)"

# If the failure report of a divergence cannot be written, the run still counts as diverged.
rm -r kept
mkdir kept
for seed in 1 2 3; do : >"kept/2-threads-6-counters-no-el2-seed-$seed"; done
regress 1 "$defect" --configurations '2 threads, 6 counters, no EL2' --db full.db --out kept --no-shrink
grep -q 'cannot keep the stimulus in kept/2-threads-6-counters-no-el2-seed-1: Not a directory' err || fail "not told: $(cat err)"
[ "$(sqlite3 full.db "SELECT count(*) FROM run WHERE verdict = 'diverged' AND capsule IS NULL")" = 3 ] ||
  fail "a folder that is not there is recorded"

# Without a defect the copy is equivalent.
regress 0 0 "${two[@]}" --db sound.db

all_held
