#!/usr/bin/env bash
# pmuv3 signoff: with --run it measures what is missing first; then the program writes the page.
#
#   signoff.sh [--run] [--db FILE] OPTION...      options of pmuv3-signoff
#
# Exit status: 0 signed off; 1 not; 2 unusable arguments, input or output; 3 no verdict.
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
# shellcheck source=../../build.sh
. "$here/../../build.sh"
called='pmuv3 signoff'
results=$root/build/signoff

# parse ARGUMENT...: sets `arguments` for the program, and whether to measure first
parse() {
  run=0 only_check=0 database=$root/build/evidence.db arguments=()
  while [ $# -gt 0 ]; do
    case $1 in
      --check-arguments) only_check=1 ;;
      --run) run=1 ;;
      --db=*)
        once --db
        database=${1#*=}
        ;;
      --db)
        [ $# -gt 1 ] || unusable "--db takes a file"
        once --db
        database=$2
        shift
        ;;
      *) arguments+=("$1") ;;
    esac
    shift
  done
  arguments=(--out "$results" --db "$database" --defaults-end "${arguments[@]}")
}

# Arguments are checked before any measurement.
build_program() {
  own_build
  mkdir -p "$results" 2>/dev/null || unusable "cannot write to $results"
  build release pmuv3-signoff
  "$root/build/release/bin/pmuv3-signoff" --check-arguments "${arguments[@]}" || exit $?
}

# measure COMMAND...: a failed measurement leaves no result, and the page then shows the result as missing.
measure() {
  local command
  end_without_verdict
  for command in "$@"; do
    case $command in
      test*)
        rm -f "$root"/build/{sanitize,release}/tests.{json,xml}
        rm -rf "$root/build/release/defects/results"
        step test --all
        ;;
      regress*)
        rm -f "$results/regress.xml"
        step regress --db "$database" --junit "$results/regress.xml" --out "$results/divergences"
        ;;
      prove*)
        rm -f "$results/prove.json"
        step prove --set ci --json "$results/prove.json"
        ;;
      properties*)
        rm -f "$results/properties.json"
        step properties --json "$results/properties.json"
        ;;
      *) step "$command" --db "$database" ;; # code-coverage, mutate
    esac
  done
}

# step COMMAND ARGUMENT...: runs a ./pmuv3 command. If the command was interrupted, this script exits too.
step() {
  local status=0
  "$root/pmuv3" "$@" || status=$?
  [ "$status" -lt 128 ] || exit "$status"
}

# The sources must not change during the measurements.
measure_unchanged() {
  local before missing
  before=$(source_times "$root" C)
  missing=$("$root/build/release/bin/pmuv3-signoff" --missing "${arguments[@]}" "${there[@]}") || exit $?
  mapfile -t missing < <(printf '%s' "$missing")
  together measure "${missing[@]}"
  [ "$(source_times "$root" C)" = "$before" ] || unusable "the sources were changed while they were measured"
}

# results_there: sets `there`, the options to read in the results that exist and are of these sources. Tests are
# read in only if they are all tests: a part would take the place of the whole.
results_there() {
  local digest preset
  there=()
  digest=$(source_digest "$root") || unusable "the sources cannot be read"
  ! says "$results/prove.json" || there+=(--prove "$results/prove.json")
  ! says "$results/properties.json" || there+=(--properties "$results/properties.json")
  for preset in sanitize release; do
    if says "$root/build/$preset/tests.json" && are_all "$root/build/$preset"; then
      there+=(--tests "$preset=$root/build/$preset/tests.xml" --registered "$preset=$root/build/$preset/tests.json")
    fi
  done
  for folder in "$root"/build/{release/,}defects/results; do
    if [ "$(cut -d' ' -f1 "$folder/source" 2>/dev/null | head -1)" = "$digest" ]; then there+=(--defects "$folder"); fi
  done
}

# says FILE: whether a result says that it is of the sources of `digest`.
says() { grep -qsE "\"source\" ?: ?\"$digest\"" "$1"; }

# are_all FOLDER: whether `test --all` was run, and no part of it.
are_all() { grep -qs '<testsuite.* suite="all"' "$1/tests.xml"; }

end_without_verdict
parse "$@"
[ "$only_check" = 0 ] || exit 0
build_program
results_there
if [ "$run" = 1 ]; then
  measure_unchanged
  results_there
fi
exec "$root/build/release/bin/pmuv3-signoff" "${arguments[@]}" "${there[@]}"
