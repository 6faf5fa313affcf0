#!/usr/bin/env bash
# `pmuv3 coverage` for a user. Usage: coverage_test.sh PMUV3-COVERAGE PMUV3-REGRESS PMUV3-EVIDENCE
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
regress=$2 evidence=$3
source=$("$evidence" --source)

said() { grep -qF -- "$1" out || fail "expected '$1', got: $(head -3 out)"; }

# holds FILTER: jq's FILTER is true for the JSON file
holds() { jq -e "$1" coverage.json >/dev/null || fail "not so: $1"; }

# ---- Unusable arguments ----
unusable "none.db" --db none.db
left none.db
# A file that is not an evidence database does not change, and no file appears beside it.
: >empty.txt
unusable '^pmuv3 coverage: empty.txt: not an evidence database: it has no tables$' --db empty.txt
[ ! -s empty.txt ] || fail "an empty file was written to"
echo 'a text' >text.txt
unusable '^pmuv3 coverage: text.txt: file is not a database$' --db text.txt
[ "$(cat text.txt)" = 'a text' ] || fail "a text was written to"
sqlite3 other.db 'CREATE TABLE mine (x)'
cp other.db copy.db
unusable "^pmuv3 coverage: other.db: the tables are not those of this version" --db other.db
cmp other.db copy.db || fail "another database was written to"
left {empty.txt,text.txt,other.db}-{wal,shm,journal}
"$evidence" --db evidence.db </dev/null
unusable "no run of the sources $source" --db evidence.db
unusable "unusable option '--colour'" --db evidence.db --colour
unusable "^pmuv3 coverage: --holes and --unreachable exclude each other$" --db evidence.db --holes --unreachable

: >out
refuses_others --json out --db evidence.db
unusable "^pmuv3 coverage: --json: cannot write './evidence.db': it is an input, too" --db evidence.db --json ./evidence.db

# ---- A database written by hand ----
"$evidence" --db evidence.db <<<"
  INSERT INTO run VALUES ('$source', 'one', 1, 'counters=2 features=TH', 7, 7, 'equivalent', NULL, NULL, NULL, 1.0);
  INSERT INTO hit VALUES ('$source', 'one', 'D13.4-1.own', 3);
  INSERT INTO hit VALUES ('another source', 'one', 'D13.4-2.of_an_agent_alone', 3);"
status 1 --db evidence.db --json coverage.json
said "1 configurations, 7 cycles"
holds '.holes | index("D13.4-1.own_and_of_an_agent") != null'
holds '.holes | index("D13.4-1.own") == null'
holds '.coverpoints[] | select(.name == "D13.4-1") | .bins == 2 and .hit == 1'
cp evidence.db before.db
status 1 --db evidence.db --holes
cmp evidence.db before.db || fail "reading changes the database"
left evidence.db-{wal,shm,journal}
said "D13.4-2.of_an_agent_alone"
finds_none -qF "RHXHZC" out || fail "a bin that TH2 has to be there for is a hole"
status 1 --db evidence.db --unreachable
said "RHXHZC.TLC_01: no links"

# An archive cannot be written to, not even by root, who may write wherever the capability says.
mkdir archive
cp evidence.db archive
cp evidence.db archive/open.db
printf '\x37\x7f\x06\x82' >archive/open.db-wal
chmod 444 archive/*
chmod 555 archive
reader=$program
stand_in reader <<<"exec $([ "$EUID" != 0 ] || echo setpriv --bounding-set=-dac_override --inh-caps=-dac_override) '$reader' \"\$@\""
program=$scratch/reader
status 1 --db archive/evidence.db
said "1 configurations, 7 cycles"
unusable '^pmuv3 [a-z]*: archive/open.db: its last rows are in its log' --db archive/open.db
chmod 755 archive
program=$reader

checks_stdout 1 --db evidence.db --holes

# A failed write leaves nothing incomplete.
for full in "--json /dev/full" ""; do
  actual=0
  # shellcheck disable=SC2086
  "$program" --db evidence.db $full >"$([ "$full" ] && echo out || echo /dev/full)" 2>err || actual=$?
  [ "$actual" = 2 ] || fail "a full device, $full: exit status $actual: $(cat err)"
done

# ---- Planted: a hit of an unreachable bin, and an unknown bin ----
"$evidence" --db evidence.db <<<"INSERT INTO hit VALUES ('$source', 'one', 'RHXHZC.TLC_01', 1);"
status 1 --db evidence.db
grep -qF "RHXHZC.TLC_01 was hit in 'one', where it is listed as unreachable" err || fail "not said: $(cat err)"
"$evidence" --db evidence.db <<<"INSERT INTO hit VALUES ('$source', 'one', 'RHXHZC.TLC_99', 1);"
unusable "RHXHZC.TLC_99" --db evidence.db

# ---- Filled by regress: no unreachable bin is hit ----
"$regress" --cycles 200 --seeds 4 --db filled.db >out 2>err || fail "regress: $(cat err)"
status 1 --db filled.db
configurations=$(sed -n 's/^#define PMUV3_NUM_CONFIGURATIONS //p' "$here/../../cosim/run/configurations.h")
said "$configurations configurations, $((configurations * 4 * 200)) cycles"
finds_none -q "listed as unreachable" err || fail "$(cat err)"
# More cycles of the configurations whose choices let most count.
"$regress" --cycles 20000 --seeds 1 --configurations '8 counters, count more,8 counters, choices for core events' \
  --db long.db >out 2>err || fail "regress: $(cat err)"
status 1 --db long.db
finds_none -q "listed as unreachable" err || fail "$(cat err)"

all_held
