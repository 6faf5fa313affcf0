#!/usr/bin/env bash
# Coverage of the code: which lines, branches and bits of the C model and of the RTL a sample of the
# regression reaches (docs/reference/coverage.md).
#
#   --db FILE      the evidence database (default build/evidence.db)
#   --build DIR    what is built with PMUV3_CODE_COVERAGE (default build/coverage)
#
# DIR/code/holes.txt has what was not reached, by name. Until everything was measured, the database
# keeps what it has.
#
# Exit status: 0 it was measured, 2 unusable arguments, or a tool or the sample failed.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=../evidence/evidence.sh
. "$here/../evidence/evidence.sh"

# Of each configuration that fits into the model that is built (rtl/CMakeLists.txt).
seeds=4 cycles=10000
too_large='31 counters|[34] threads'

main() {
  parse_arguments "$@"
  rm -rf "$work"
  mkdir -p "$work"
  run_sample
  points_of cmodel
  points_of rtl
  record
  report
}

fail() {
  echo "code.sh: $1" >&2
  exit 2
}

parse_arguments() {
  db=$root/build/evidence.db build=$root/build/coverage
  while [ $# -gt 0 ]; do
    case $1 in
      --db | --build)
        [ $# -gt 1 ] || fail "$1: expected a value"
        printf -v "${1#--}" %s "$2"
        shift
        ;;
      *) fail "$1: unknown argument" ;;
    esac
    shift
  done
  [ -x "$build/bin/pmuv3-regress" ] || fail "$build/bin/pmuv3-regress: there is no such program"
  build=$(realpath "$build")
  work=$build/code
  expect_source
}

# ---- The sample ----

# What gcov counted before is forgotten. These models are not those that evidence is of, so what they
# do is in a database of its own.
run_sample() {
  find "$build/cmodel" -name '*.gcda' -delete
  PMUV3_CODE_COVERAGE=$work "$build/bin/pmuv3-regress" --configurations "$(configurations)" \
    --seeds "$seeds" --cycles "$cycles" --db "$work/sample.db" --out "$work/divergences" \
    --no-shrink >"$work/sample.log" 2>&1 || fail "the sample failed; see $work/sample.log"
}

configurations() {
  sed -n 's/^    {"\([^"]*\)",.*/\1/p' "$root/testbench/cosim/configurations.c" |
    grep -vE "$too_large" | paste -sd,
}

# ---- Points: file, line, metric, what it is, whether it was reached, between tabs ----

points_of() {
  "points_of_$1" >"$work/$1.points" 2>"$work/$1.log" ||
    fail "$1: $(tail -n 1 "$work/$1.log"); see $work/$1.log"
  [ -s "$work/$1.points" ] || fail "$1: nothing was counted"
}

# Each line, and each way that a branch of it may go. A filter is relative to where gcovr is called.
points_of_cmodel() {
  (cd "$root" && gcovr --object-directory "$build/cmodel" --filter cmodel/src/ \
    --json "$work/cmodel.json" "$build/cmodel") >&2 &&
    jq -r '.files[] | .file as $file | .lines[] | select(."gcovr/noncode" | not)
           | (.line_number | tostring) as $line
           | [$file, $line, "line", "", (.count > 0)],
             (.branches | to_entries[]
              | [$file, $line, "branch", "\(.key + 1)", (.value.count > 0)])
           | map(if . == true then 1 elif . == false then 0 else . end) | @tsv' "$work/cmodel.json"
}

# Those of all co-simulations together.
points_of_rtl() {
  verilator_coverage --write "$work/rtl.dat" "$work"/[0-9]*.dat >&2 &&
    awk -v root="$root/" -f "$here/code_rtl.awk" "$work/rtl.dat"
}

# ---- The database ----

# What several instances, or modules of other parameters, have in one place is one point.
record() {
  {
    cat "$here/../evidence/schema.sql"
    cat <<END
CREATE TEMP TABLE counted (file, line INTEGER, metric, what, reached INTEGER);
.import "$work/cmodel.points" counted
.import "$work/rtl.points" counted
CREATE TEMP TABLE point AS
  SELECT file, line, metric, what, max(reached) AS reached FROM counted
  GROUP BY file, line, metric, what;
BEGIN;
DELETE FROM code WHERE source = '$source';
INSERT INTO code
  SELECT '$source', file, metric, sum(reached), count(*) FROM point GROUP BY file, metric;
COMMIT;
.once "$work/holes.txt"
SELECT file || ':' || line || ': ' || rtrim(metric || ' ' || what) FROM point
WHERE NOT reached ORDER BY file, line, metric, what;
END
  } >"$work/record.sql"
  ask <"$work/record.sql" >/dev/null
}

report() {
  ask <<END
.mode column
.headers on
SELECT file, metric, covered, total, printf('%.1f%%', 100.0 * covered / total) AS share
FROM code WHERE source = '$source' ORDER BY file, metric;
END
  echo
  ask <<END
.mode column
.headers on
SELECT iif(file GLOB 'rtl/*', 'RTL', 'C model') AS of, metric, sum(covered) AS covered,
       sum(total) AS total, printf('%.1f%%', 100.0 * sum(covered) / sum(total)) AS share
FROM code WHERE source = '$source' GROUP BY 1, metric;
END
  echo
  echo "$(wc -l <"$work/holes.txt") points were not reached: $work/holes.txt"
}

main "$@"
