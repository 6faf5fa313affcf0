#!/usr/bin/env bash
# pmuv3 signoff: with --run it measures everything first; then the program writes the page.
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

# measure: a failed measurement leaves no result, and the page then shows the result as missing.
measure() {
  end_without_verdict
  rm -f "$results"/{prove,properties}.json "$results/regress.xml" "$root"/build/{sanitize,release}/tests.{json,xml}
  rm -rf "$root/build/release/defects/results"
  step test --all
  step regress --db "$database" --junit "$results/regress.xml" --out "$results/divergences"
  step code-coverage --db "$database"
  step prove --set ci --json "$results/prove.json"
  step properties --json "$results/properties.json"
  step mutate --db "$database"
}

# step COMMAND ARGUMENT...: runs a ./pmuv3 command. If the command was interrupted, this script exits too.
step() {
  local status=0
  "$root/pmuv3" "$@" || status=$?
  [ "$status" -lt 128 ] || exit "$status"
}

# The sources must not change during the measurements.
measure_unchanged() {
  local before
  before=$(source_times "$root" C)
  together measure
  [ "$(source_times "$root" C)" = "$before" ] || unusable "the sources were changed while they were measured"
}

# results_there: the options to import the existing results, one a line.
results_there() {
  local option file
  while read -r option file; do
    if [ -e "${file#*=}" ]; then printf '%s\n' "$option" "$file"; fi
  done <<OPTIONS
--prove $results/prove.json
--properties $results/properties.json
--tests sanitize=$root/build/sanitize/tests.xml
--registered sanitize=$root/build/sanitize/tests.json
--tests release=$root/build/release/tests.xml
--registered release=$root/build/release/tests.json
--defects $root/build/release/defects/results
OPTIONS
}

end_without_verdict
parse "$@"
[ "$only_check" = 0 ] || exit 0
build_program
if [ "$run" = 1 ]; then
  measure_unchanged
  mapfile -t -O ${#arguments[@]} arguments < <(results_there)
fi
exec "$root/build/release/bin/pmuv3-signoff" "${arguments[@]}"
