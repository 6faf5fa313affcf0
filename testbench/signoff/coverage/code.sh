#!/usr/bin/env bash
# Coverage of the code: the lines, branches and bits of the C model and of the RTL that a sample of the
# regression reaches (docs/reference/coverage.md).
#
#   --db FILE          the evidence database (default build/evidence.db)
#   --build DIR        the build with PMUV3_CODE_COVERAGE (default build/coverage)
#   --check-arguments  checks the other arguments, and does nothing else
#
# DIR/code/holes.txt lists the items that were not reached. The database changes only after all measurements.
#
# Exit status: 0 it was measured, 2 unusable arguments, or a tool or the sample failed, 3 no verdict: a
# tool or the sample was killed, or the sample has none.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
root=$(realpath "$here/../../..")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
# shellcheck source=../evidence/evidence.sh
. "$here/../evidence/evidence.sh"

# Seeds and cycles of each configuration that fits into the built models (rtl/CMakeLists.txt).
seeds=4 cycles=10000
too_large='31 counters|[34] threads'

main() {
  end_without_verdict
  parse_arguments "$@"
  [ "$check" = 0 ] || return 0
  [ -x "$build/bin/pmuv3-regress" ] || unusable "$build/bin/pmuv3-regress: there is no such program"
  build=$(realpath "$build")
  { [ -f "$build/CMakeCache.txt" ] && grep -sqxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; } ||
    unusable "--build: '$build' is no build of these sources"
  work=$build/code
  own_folder --build "$work"
  empty_folder "$work"
  open_evidence
  measure_unchanged
}

# gcovr reads the sources long after they were built.
measure_unchanged() {
  times=$(source_times "$root" C)
  [ "$(source_digest "$root")" = "$source" ] || unusable "the sources are not those that $build was built of"
  told measure
}

expect_unchanged() {
  [ "$(source_times "$root" C)" = "$times" ] || unusable "the sources were changed while they were measured"
}

measure() {
  end_without_verdict
  run_sample
  points_of cmodel
  points_of rtl
  expect_unchanged
  record
  report
}

parse_arguments() {
  db=$root/build/evidence.db build=$root/build/coverage check=0
  while [ $# -gt 0 ]; do
    once "$1"
    case $1 in
      --check-arguments) check=1 ;;
      --db | --build)
        [ $# -gt 1 ] || unusable "$1: expected a value"
        printf -v "${1#--}" %s "$2"
        shift
        ;;
      *) unusable "$1: unknown argument" ;;
    esac
    shift
  done
  [[ $db == /* ]] || db=./$db # always a file's name, even if it begins with -
  [ "$db" = "$root/build/evidence.db" ] || expect_database --db "$db"
  expect_own_folder --build "$build/code"
  expect_outside "$build/code" --db "$db"
}

# ---- The sample ----

# Drops the counts of former runs. The models of evidence are other builds, so this sample's results go to a
# database of their own.
run_sample() {
  local status=0 configurations
  configurations=$(configurations)
  find "$build/cmodel" -name '*.gcda' -delete
  PMUV3_CODE_COVERAGE=$work "$build/bin/pmuv3-regress" --configurations "$configurations" \
    --seeds "$seeds" --cycles "$cycles" --db "$work/sample.db" --out "$work/divergences" \
    --no-shrink >"$work/sample.log" 2>&1 || status=$?
  expect_ended 'the sample' $status "$work/sample.log"
}

configurations() {
  sed -n 's/^    {"\([^"]*\)",.*/\1/p' "$root/testbench/cosim/run/configurations.c" |
    grep -vE "$too_large" | paste -sd,
}

# expect_ended WHAT STATUS LOG: what has no verdict, or was killed, says nothing of the sources.
expect_ended() {
  [ "$2" != 0 ] || return 0
  if [ "$2" = 3 ] || [ "$2" -ge 124 ]; then end_with 3 "no verdict: $1 ended with status $2; see $3"; fi
  unusable "$1: $(tail -n 1 "$3"); see $3"
}

# ---- Points (points.py) ----

points_of() {
  local status=0
  "points_of_$1" >"$work/$1.points" 2>"$work/$1.log" || status=$?
  expect_ended "$1" $status "$work/$1.log"
  [ -s "$work/$1.points" ] || unusable "$1: nothing was counted"
}

# gcovr's filter is relative to the current folder.
points_of_cmodel() {
  (cd "$root" && gcovr --config /dev/null --object-directory "$build/cmodel" --filter cmodel/src/ \
    --json "$work/cmodel.json" "$build/cmodel") >&2 &&
    "$here/points.py" cmodel "$work/cmodel.json"
}

# The points of all co-simulations together.
points_of_rtl() {
  verilator_coverage --write "$work/rtl.dat" "$work"/[0-9]*.dat >&2 &&
    "$here/points.py" rtl "$work/rtl.dat" "$root"
}

# All statements are prepared before any is executed, so that a failure records nothing.
record() {
  "$here/points.py" record "$source" "$work/holes.txt" "$work/cmodel.points" "$work/rtl.points" >"$work/record.sql"
  ask <"$work/record.sql"
}

report() {
  show "SELECT file, metric, covered, total, printf('%.1f%%', 100.0 * covered / total) AS share
        FROM code WHERE source = $(quoted "$source") ORDER BY file, metric"
  echo
  show "SELECT iif(file GLOB 'rtl/*', 'RTL', 'C model') AS of, metric, sum(covered) AS covered,
               sum(total) AS total, printf('%.1f%%', 100.0 * sum(covered) / sum(total)) AS share
        FROM code WHERE source = $(quoted "$source") GROUP BY 1, metric"
  echo
  echo "$(wc -l <"$work/holes.txt") points were not reached: $work/holes.txt"
}

main "$@"
