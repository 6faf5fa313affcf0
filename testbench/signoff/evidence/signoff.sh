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

# parse ARGUMENT...: sets `signoff`, the program, `named`, the user's options, and `run`, whether to measure first
parse() {
  run=0 database=$root/build/evidence.db named=()
  while [ $# -gt 0 ]; do
    case $1 in
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
      *) named+=("$1") ;;
    esac
    shift
  done
  # What is found comes before what the user names, which takes its place.
  signoff=("$root/build/release/bin/pmuv3-signoff" --out "$results" --db "$database")
  named=(--defaults-end "${named[@]}")
}

# Arguments are checked before any measurement.
build_program() {
  local help
  own_build
  [ ! -L "$results" ] || unusable "'$results' is a link, and in the way"
  mkdir -p "$results" 2>/dev/null || unusable "cannot write to $results"
  build release pmuv3-signoff
  help=$("${signoff[@]}" --check-arguments "${named[@]}") || end_as $?
  [ -n "$help" ] || return 0
  say "$help"
  exit 0
}

# measure LINE...: a failed measurement leaves no result, and the page then shows the result as missing.
measure() {
  local line command
  end_without_verdict
  for line in "$@"; do
    command=${line%%$'\t'*}
    case $command in
      test*) measure_tests "$line" ;;
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
      *) step "${command%% *}" --db "$database" ;; # code-coverage, mutate
    esac
  done
}

# measure_tests LINE: all of them, or, if there are results of all, those that did not pass. What a test of planted
# defects left may be gone, though it passed. `test` removes earlier results itself, behind its lock.
measure_tests() {
  local lines
  if has_whole_tests "$root/build/sanitize" "$digest" && has_whole_tests "$root/build/release" "$digest"; then
    step test --again
    [[ $1 == *'Planted defects'* ]] || return 0
    find_results
    lines=$(missing) || end_as $?
    [[ $lines == *'Planted defects'* ]] || return 0
  fi
  step test --all
}

# step COMMAND ARGUMENT...: runs a ./pmuv3 command. If the command was interrupted, this script exits too. A command
# that was killed or crashed is one that failed.
step() {
  local status=0
  "$root/pmuv3" "$@" || status=$?
  case $status in 129 | 130 | 143) exit "$status" ;; esac
}

# The sources must not change during the measurements.
measure_unchanged() {
  local before now commands
  before=$(source_times "$root" C) || not_read $?
  commands=$(missing) || end_as $?
  mapfile -t commands < <(printf '%s' "$commands")
  together measure "${commands[@]}"
  now=$(source_times "$root" C) || not_read $?
  [ "$now" = "$before" ] || unusable "the sources were changed while they were measured"
  find_results
}

# missing: the commands that make what is missing, a line each, and behind a tab the items that each makes.
missing() { "${signoff[@]}" --missing "${found[@]}" "${named[@]}"; }

# find_results: sets `found`, the options that read in the results that are there and of these sources.
find_results() {
  local preset folder
  digest=$(source_digest "$root") || not_read $?
  found=()
  find_proof prove
  find_proof properties
  for preset in sanitize release; do find_tests "$preset"; done
  for folder in "$root"/build/{release/,}defects/results; do find_defects "$folder"; done
}

# find_proof NAME: the program reads in each result once, so an older one does not take the place of a later one.
find_proof() {
  local file=$results/$1.json
  if is_of "$digest" "$file"; then found+=("--found-$1" "$file"); fi
}

# find_tests PRESET: all of them, since a part would take the place of the whole.
find_tests() {
  local folder=$root/build/$1
  if has_whole_tests "$folder" "$digest"; then
    found+=(--tests "$1=$folder/tests.xml" --registered "$1=$folder/tests.json")
  fi
}

find_defects() {
  local source
  [ -f "$1/source" ] || return 0
  source=$(head -n 1 "$1/source" 2>/dev/null) || return 0
  (cd "$1" && compgen -G '*-*.log') >/dev/null || return 0 # none was tried
  if [ "${source%% *}" = "$digest" ]; then found+=(--defects "$1"); fi
}

end_without_verdict
if [ "${1-}" = --check-arguments ]; then
  parse "${@:2}"
  exit 0
fi
parse "$@"
build_program
find_results
[ "$run" = 0 ] || measure_unchanged
exec "${signoff[@]}" "${found[@]}" "${named[@]}"
