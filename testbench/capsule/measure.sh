#!/usr/bin/env bash
# Whether the chains of planted defects point to where they were planted: the capsule of each defect that
# testbench/shrink/measure.sh has shrunk is made on the campaign's scratch copy.
#
#   measure.sh             every defect that has a shrunk stimulus
#   measure.sh NAME...     these
#
#   --work DIR             where the campaign worked (default build/defects)
#   --least N              percent of them that must point to the planted stage (default 75)
#
# A defect's stage is the second part of its name. Capsules are results/NAME/capsule. Exit status: 0 all
# well, 1 a capsule is missing or fewer point there, 2 unusable arguments.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
table=$root/testbench/defects/defects.txt

main() {
  parse_arguments "$@"
  results=$work/results program=$work/build/bin/pmuv3-capsule
  [ -x "$program" ] || fail 2 "$program: no such program; run testbench/defects/campaign.sh first"
  if [ ${#names[@]} -eq 0 ]; then mapfile -t names < <(shrunk); fi
  [ ${#names[@]} -gt 0 ] || fail 2 "$results: nothing shrunk; run testbench/shrink/measure.sh first"
  failed=0
  export -f make_capsule room
  export results program
  defects | awk 'NR == FNR { wanted[$1]; next } $2 in wanted' <(printf '%s\n' "${names[@]}") - |
    xargs -P "$(nproc)" -L1 bash -euo pipefail -c 'make_capsule "$@"' make_capsule || failed=1
  print_table
  if [ "$failed" = 1 ]; then fail 1 "not every capsule was made"; fi
  [ "$(percent)" -ge "$least" ] || fail 1 "fewer than $least % point to the planted stage"
}

fail() {
  echo "measure.sh: $2" >&2
  exit "$1"
}

parse_arguments() {
  work=$root/build/defects least=75 names=()
  while [ $# -gt 0 ]; do
    case $1 in
      --work | --least)
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

# Those that are shrunk.
shrunk() {
  local name
  defects | while read -r _ name; do
    if [ -s "$results/$name/minimal.stim" ]; then echo "$name"; fi
  done
}

# The room of a stage.
room() {
  case $1 in
    edge | link) echo threshold ;;
    increment) echo counter ;;
    *) echo "${1// /_}" ;;
  esac
}

# make_capsule NUMBER NAME: leaves a line "name planted pointed marked": stages, and that of the marked signal.
make_capsule() {
  local out=$results/$2/capsule status=0 x_seed planted
  rm -rf "$out" "$results/$2.capsule"
  x_seed=$(jq .first_divergence.x_seed "$results/$2.json")
  PMUV3_DEFECT=$1 "$program" --no-shrink "$results/$2/minimal.stim" --x-seed "$x_seed" --out "$out" \
    >"$results/$2/capsule.log" 2>&1 || status=$?
  if [ "$status" != 1 ] || ! grep -q 'id="first-difference"' "$out/window.svg"; then
    echo "$2: NO CAPSULE, exit status $status; see $results/$2/capsule.log"
    exit 1
  fi
  planted=${2#*-}
  printf '%s\t%s\t%s\t%s\n' "$2" "${planted%%-*}" "$(room "$(jq -r .points_to "$out/capsule.json")")" \
    "$(room "$(jq -r .first_difference.stage "$out/capsule.json")")" >"$results/$2.capsule"
}

rows() {
  local name
  for name in "${names[@]}"; do
    if [ -f "$results/$name.capsule" ]; then cat "$results/$name.capsule"; fi
  done
}

percent() { rows | awk -F'\t' '$2 == $3 { n++ } END { print NR ? int(100 * n / NR) : 0 }'; }

# Each planted stage with how many point there; then the others by where they point.
print_table() {
  rows | awk -F'\t' '
    { all[$2]++; if ($2 == $3) right[$2]++; else wrong[$2 " -> " $3] = wrong[$2 " -> " $3] " " $1 }
    END {
      for (stage in all) printf "%-20s %3d of %3d\n", stage, right[stage], all[stage] | "sort"
      close("sort")
      for (pair in wrong) print pair ":" wrong[pair] | "sort"
      close("sort")
    }'
  rows | awk -F'\t' '
    $2 == $4 { marked++ }
    $2 == $3 { pointed++ }
    END {
      printf "%d of %d mark a signal of the planted stage\n", marked, NR
      printf "%d of %d point to the planted stage\n", pointed, NR
    }'
}

main "$@"
