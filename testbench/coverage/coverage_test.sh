#!/bin/bash
# pmuv3 coverage as a user meets it: coverage_test.sh PMUV3-COVERAGE PMUV3-REGRESS
set -euo pipefail

coverage=$1
regress=$2
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
db=$scratch/evidence.db
export PMUV3_SOURCE=0123456789abcdef
failed=0

wrong() {
  echo "coverage_test.sh: $*"
  failed=1
}

# expect STATUS COMMAND...: its output is in $scratch/said.
expect() {
  local expected=$1 status=0
  shift
  "$@" >"$scratch/said" 2>&1 || status=$?
  [ $status = "$expected" ] || wrong "$*: exit status $status instead of $expected: $(head -3 "$scratch/said")"
}

said() {
  grep -qF -- "$1" "$scratch/said" || wrong "expected '$1', got: $(head -3 "$scratch/said")"
}

# ---- What is unusable ----
expect 2 "$coverage" --db "$scratch/none.db"
said "$scratch/none.db"
[ ! -e "$scratch/none.db" ] || wrong "a database was made"
sqlite3 "$db" <"$here/../evidence/schema.sql" >/dev/null
expect 2 "$coverage" --db "$db"
said "no run of the sources 0123456789abcdef"
expect 2 "$coverage" --db "$db" --colour
said "unusable option '--colour'"

# ---- A database by hand ----
sqlite3 "$db" "
  INSERT INTO run VALUES ('$PMUV3_SOURCE', 'one', 1, 'counters=2 features=TH', 7, 7, 'equivalent', NULL, NULL, 1.0);
  INSERT INTO hit VALUES ('$PMUV3_SOURCE', 'one', 'D13.4-1.own', 3);
  INSERT INTO hit VALUES ('another source', 'one', 'D13.4-2.of_an_agent_alone', 3);"
expect 1 "$coverage" --db "$db" --json "$scratch/coverage.json"
said "1 configurations, 7 cycles"
[ "$(jq -r '.holes | index("D13.4-1.own_and_of_an_agent") != null' "$scratch/coverage.json")" = true ] ||
  wrong "a hole is missing"
[ "$(jq -r '.holes | index("D13.4-1.own")' "$scratch/coverage.json")" = null ] || wrong "a hit is a hole"
[ "$(jq -r '.coverpoints[] | select(.name == "D13.4-1") | "\(.bins) \(.hit)"' "$scratch/coverage.json")" = "2 1" ] ||
  wrong "D13.4-1 is not 1 of 2"
expect 1 "$coverage" --db "$db" --holes
said "D13.4-2.of_an_agent_alone"
! grep -qF "RHXHZC" "$scratch/said" || wrong "a bin that TH2 has to be there for is a hole"
expect 1 "$coverage" --db "$db" --unreachable
said "RHXHZC.TLC_01: no links"

# ---- Planted: a hit that cannot be; a bin that is not known ----
sqlite3 "$db" "INSERT INTO hit VALUES ('$PMUV3_SOURCE', 'one', 'RHXHZC.TLC_01', 1);"
expect 1 "$coverage" --db "$db"
said "RHXHZC.TLC_01 was hit in 'one', where it is listed as unreachable"
sqlite3 "$db" "INSERT INTO hit VALUES ('$PMUV3_SOURCE', 'one', 'RHXHZC.TLC_99', 1);"
expect 2 "$coverage" --db "$db"
said "RHXHZC.TLC_99"

# ---- Filled by regress: no bin is hit that cannot be ----
rm -f "$db"*
expect 0 "$regress" --cycles 200 --seeds 4 --db "$db"
expect 1 "$coverage" --db "$db"
said "23 configurations, 18400 cycles"
! grep -q "listed as unreachable" "$scratch/said" || wrong "$(grep unreachable "$scratch/said")"
exit $failed
