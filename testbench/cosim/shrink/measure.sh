#!/usr/bin/env bash
# Measures the shrinking of planted defects' stimuli. The script shrinks each stimulus that
# testbench/signoff/defects/campaign.sh kept, on the campaign's scratch copy.
#
#   measure.sh             every defect with a result of the campaign
#   measure.sh NAME...     these defects
#
#   --work DIR             the campaign's folder (default build/defects)
#   --seconds N            time limit for each defect (default 60)
#   --most N               lines that a shrunk file may have (default 15)
#
# The results are results/NAME/minimal.stim and minimal_test.cc. Exit status: 0 success, 1 a file has more lines
# after shrinking, 2 unusable arguments, 3 no verdict: a command died unforeseen.
here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
# shellcheck source=../../signoff/defects/measure.sh
. "$here/../../signoff/defects/measure.sh"

seconds=60 most=15 failed=0

main() {
  end_without_verdict
  parse_arguments '--seconds --most' "$@"
  default_names .json testbench/signoff/defects/campaign.sh
  export -f row
  export seconds
  told measure_all
}

measure_all() {
  local lost=0
  end_without_verdict
  measure pmuv3-shrink
  results_of shrunk "$results" "$most" "${names[@]}" || lost=$?
  [ "$lost" != 1 ] || end_with 1 "a file has more than $most lines"
  if [ "$failed" = 1 ]; then end_with 1 "not every file was shrunk"; fi
  end_as "$lost"
}

# measured_defect NUMBER NAME: writes a row "name before after tries seconds".
measured_defect() {
  local out=$results/$2 status=0 x_seed
  rm -f "$out.shrunk" "$out/minimal.stim"
  x_seed=$(jq .first_divergence.x_seed "$out.json")
  PMUV3_DEFECT=$1 "$program" "$out/stimulus.stim" --x-seed "$x_seed" --seconds "$seconds" \
    -o "$out/minimal.stim" --test "$out/minimal_test.cc" >"$out.shrink" 2>&1 || status=$?
  [ "$status" -le 1 ] || untold
  if [ "$status" != 1 ]; then
    echo "$2: NOT SHRUNK, exit status $status; see $out.shrink"
    exit 1
  fi
  row "$2" <"$out.shrink" >"$out.shrunk"
}

# row NAME <OUTPUT: the program's first line has the lines before; the second has those after, tries and seconds.
row() {
  local before after tries seconds
  read -r _ before _
  read -r _ after _ _ tries _ _ seconds _
  printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$before" "$after" "$tries" "$seconds"
}

main "$@"
