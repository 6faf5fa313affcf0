#!/usr/bin/env bash
# How far the stimuli of planted defects shrink: what testbench/defects/campaign.sh kept of each defect
# that it found is shrunk on the same scratch copy.
#
#   measure.sh             every defect that the campaign has a result of
#   measure.sh NAME...     these
#
#   --work DIR             where the campaign worked (default build/defects)
#   --seconds N            for each (default 60)
#   --most N               lines that a shrunk file may have (default 15)
#
# Shrunk files and their tests are results/NAME/minimal.stim and minimal_test.cc. Exit status: 0 all
# well, 1 a file does not shrink to that, 2 unusable arguments.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
table=$root/testbench/defects/defects.txt

main() {
  parse_arguments "$@"
  results=$work/results program=$work/build/bin/pmuv3-shrink
  [ -x "$program" ] || fail 2 "$program: no such program; run testbench/defects/campaign.sh first"
  if [ ${#names[@]} -eq 0 ]; then mapfile -t names < <(found); fi
  [ ${#names[@]} -gt 0 ] || fail 2 "$results: no results; run testbench/defects/campaign.sh first"
  shrink_all
  print_table
  [ "$(worst)" -le "$most" ] || fail 1 "a file has more than $most lines"
  if [ "$failed" = 1 ]; then fail 1 "not every file was shrunk"; fi
}

fail() {
  echo "measure.sh: $2" >&2
  exit "$1"
}

parse_arguments() {
  work=$root/build/defects seconds=60 most=15 names=()
  while [ $# -gt 0 ]; do
    case $1 in
      --work | --seconds | --most)
        [ $# -gt 1 ] || fail 2 "$1: expected a value"
        printf -v "${1#--}" %s "$2"
        shift
        ;;
      -*) fail 2 "$1: unknown argument" ;;
      *) names+=("$1") ;;
    esac
    shift
  done
}

# The defects as lines "number name".
defects() { awk '$1 == "defect" { print ++n, $2 }' "$table"; }

# Those that have a result.
found() {
  local name
  defects | while read -r _ name; do
    if [ -s "$results/$name.json" ]; then echo "$name"; fi
  done
}

# Side by side.
shrink_all() {
  export -f shrink
  export results program seconds
  failed=0
  defects | awk 'NR == FNR { wanted[$1]; next } $2 in wanted' <(printf '%s\n' "${names[@]}") - |
    xargs -P "$(nproc)" -L1 bash -euo pipefail -c 'shrink "$@"' shrink || failed=1
}

# shrink NUMBER NAME: leaves a line "name before after tries seconds".
shrink() {
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

rows() {
  local name
  for name in "${names[@]}"; do
    if [ -f "$results/$name.shrunk" ]; then cat "$results/$name.shrunk"; fi
  done
}

# median COLUMN, largest COLUMN: of the rows.
median() { rows | cut -f"$1" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] + 0 }'; }
largest() { rows | cut -f"$1" | sort -g | tail -n 1; }
worst() { echo "$(($(largest 3) + 0))"; }

print_table() {
  printf '%-42s %7s %7s %7s %8s\n' defect before after tries seconds
  rows | awk -F'\t' '{ printf "%-42s %7d %7d %7d %8.1f\n", $1, $2, $3, $4, $5 }'
  printf '%-42s %7d %7d %7d %8.1f\n' median "$(median 2)" "$(median 3)" "$(median 4)" "$(median 5)"
  printf '%-42s %7d %7d %7d %8.1f\n' worst "$(largest 2)" "$(largest 3)" "$(largest 4)" "$(largest 5)"
  echo "$(rows | wc -l) of ${#names[@]} shrunk"
}

main "$@"
