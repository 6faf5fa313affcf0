#!/usr/bin/env bash
# Whether the chains of planted defects point to where they were planted: the report of each defect that
# testbench/cosim/shrink/measure.sh has shrunk is made on the campaign's scratch copy.
#
#   measure.sh             every defect that has a shrunk stimulus
#   measure.sh NAME...     these
#
#   --work DIR             where the campaign worked (default build/defects)
#   --least N              percent of them that must point to the planted stage (default 75)
#
# A defect's stage is the second part of its name. Reports are results/NAME/report. Exit status: 0 all
# well, 1 a report is missing or fewer point there, 2 unusable arguments, 3 no verdict: a command died
# unforeseen.
here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
# shellcheck source=../../signoff/defects/measure.sh
. "$here/../../signoff/defects/measure.sh"

least=75 failed=0

main() {
  end_without_verdict
  parse_arguments --least "$@"
  default_names /minimal.stim testbench/cosim/shrink/measure.sh
  export -f stage_of
  told measure_all
}

measure_all() {
  local lost=0
  end_without_verdict
  measure pmuv3-report
  results_of reports "$results" "$least" "${names[@]}" || lost=$?
  [ "$lost" != 1 ] || end_with 1 "fewer than $least % point to the planted stage"
  if [ "$failed" = 1 ]; then end_with 1 "not every report was made"; fi
  end_as "$lost"
}

# A stage by the name that defects have.
stage_of() {
  case $1 in
    edge | link) echo threshold ;;
    increment) echo counter ;;
    *) echo "${1// /_}" ;;
  esac
}

# measured_defect NUMBER NAME: leaves a row "name planted pointed marked": stages, and that of the marked signal.
measured_defect() {
  local out=$results/$2/report status=0 x_seed planted
  rm -rf "$out" "$results/$2.report"
  x_seed=$(jq .first_divergence.x_seed "$results/$2.json")
  PMUV3_DEFECT=$1 "$program" --no-shrink "$results/$2/minimal.stim" --x-seed "$x_seed" --out "$out" \
    >"$results/$2/report.log" 2>&1 || status=$?
  [ "$status" -le 1 ] || untold
  if [ "$status" != 1 ] || ! grep -q 'id="first-difference"' "$out/window.svg"; then
    echo "$2: NO REPORT, exit status $status; see $results/$2/report.log"
    exit 1
  fi
  planted=${2#*-}
  printf '%s\t%s\t%s\t%s\n' "$2" "${planted%%-*}" "$(stage_of "$(jq -r .points_to "$out/report.json")")" \
    "$(stage_of "$(jq -r .first_difference.stage "$out/report.json")")" >"$results/$2.report"
}

main "$@"
