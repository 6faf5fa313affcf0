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
# after shrinking, 2 unusable arguments.
here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
# shellcheck source=../../signoff/defects/measure.sh
. "$here/../../signoff/defects/measure.sh"

seconds=60 most=15 failed=0

main() {
  parse_arguments '--seconds --most' "$@"
  default_names .json testbench/signoff/defects/campaign.sh
  export seconds
  measure pmuv3-shrink || failed=1
  print_table
  [ "$(worst)" -le "$most" ] || fail 1 "a file has more than $most lines"
  if [ "$failed" = 1 ]; then fail 1 "not every file was shrunk"; fi
}

# measured_defect NUMBER NAME: writes a row "name before after tries seconds".
measured_defect() {
  local out=$results/$2 status=0 x_seed
  rm -f "$out.shrunk" "$out/minimal.stim"
  x_seed=$(jq .first_divergence.x_seed "$out.json")
  PMUV3_DEFECT=$1 "$program" "$out/stimulus.stim" --x-seed "$x_seed" --seconds "$seconds" \
    -o "$out/minimal.stim" --test "$out/minimal_test.cc" >"$out.shrink" 2>&1 || status=$?
  if [ "$status" != 1 ]; then
    echo "$2: NOT SHRUNK, exit status $status; see $out.shrink"
    exit 1
  fi
  awk -v name="$2" '
    NR == 1 { before = $2 }
    NR == 2 { print name "\t" before "\t" $2 "\t" $5 "\t" $8 }
  ' "$out.shrink" >"$out.shrunk"
}

# median COLUMN, largest COLUMN: the median and the largest value of the rows.
median() { rows shrunk | cut -f"$1" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] + 0 }'; }
largest() { rows shrunk | cut -f"$1" | sort -g | tail -n 1; }
worst() { echo "$(($(largest 3) + 0))"; }

print_table() {
  printf '%-42s %7s %7s %7s %8s\n' defect before after tries seconds
  rows shrunk | awk -F'\t' '{ printf "%-42s %7d %7d %7d %8.1f\n", $1, $2, $3, $4, $5 }'
  printf '%-42s %7d %7d %7d %8.1f\n' median "$(median 2)" "$(median 3)" "$(median 4)" "$(median 5)"
  printf '%-42s %7d %7d %7d %8.1f\n' worst "$(largest 2)" "$(largest 3)" "$(largest 4)" "$(largest 5)"
  echo "$(rows shrunk | wc -l) of ${#names[@]} shrunk"
}

main "$@"
