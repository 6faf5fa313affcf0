#!/usr/bin/env bash
# Proves mutants of the C model equivalent to it, all of them at once (testbench/prove/mutants.h).
#
#   prove_cmodel.sh BUILD DIR CASES NAME...
#
# DIR is what cmodel.sh made: the mutants that are proved must be the same. BUILD is what is built of
# the sources. CASES is idle, ci or standard (testbench/prove/cases.h), of which each is a part of the
# next and the last alone proves something equivalent: what differs in few is not asked in more. Bounded: it is of
# the size below.
#
# Prints a line a mutant: its name and `equivalent`, or why not. Exit status: 0, or 2 after one line.
set -euo pipefail
export LC_ALL=C

size=1x2
patience=10 # of a solver for a question, in seconds

main() {
  [ $# -ge 4 ] || fail "expected BUILD DIR SET NAME..."
  local name last=$3
  build=$1 dir=$2
  shift 3
  open=("$@")
  try --set ci --only idle
  [ "$last" = idle ] || try --set ci
  answer="no answer: not told from the model in a part of the cases"
  if [ "$last" = standard ]; then
    try --set standard
    answer=equivalent
  fi
  for name in "${open[@]}"; do echo "$name $answer"; done
}

fail() {
  echo "prove_cmodel.sh: $1" >&2
  exit 2
}

# try OPTION...: those that are open; what is not proved of them is no longer.
try() {
  local status=0 names=("${open[@]}") i
  [ ${#names[@]} -gt 0 ] || return 0
  make_module "${names[@]}"
  "$build/bin/pmuv3-prove" --bitcode "$dir/proof.bc" --mutants ${#names[@]} --size "$size" "$@" \
    --seconds "$patience" --patience "$patience" --out "$dir/refuted" >"$dir/proof.log" 2>&1 || status=$?
  case $status in
    0) return ;;
    1) open=() ;;
    *) fail "$(tail -n 1 "$dir/proof.log"); see $dir/proof.log" ;;
  esac
  for i in "${!names[@]}"; do
    if answer_of $((i + 1)); then open+=("${names[i]}"); else echo "${names[i]} $answer"; fi
  done
  [ ${#open[@]} -lt ${#names[@]} ] || fail "not proved, and of no mutant; see $dir/proof.log"
}

# All of them behind a selector, as the proof has the C model.
make_module() {
  local name only=()
  for name; do only+=(--only "$name"); done
  "$build/bin/pmuv3-mutants" "$build/prove/pmuv3.bc" "${only[@]}" -o "$dir/proof.bc" --list "$dir/proof.list"
  cmp -s <(cut -f2- "$dir/proof.list" | sort) \
    <(awk -F'\t' 'NR == FNR { wanted[$2]; next } $2 in wanted' "$dir/proof.list" "$dir/mutants.list" |
      cut -f2- | sort) || fail "$build/prove/pmuv3.bc has other mutants than $dir/mutants.list"
}

# answer_of NUMBER: whether nothing was found; else `answer` says what.
answer_of() {
  local found
  found=$(grep -oE ": mutant $1: .*: (refuted|unknown|the solvers disagree)" "$dir/proof.log") || return 0
  answer="no answer: ${found%%$'\n'*}"
  if [[ $found == *refuted* ]]; then answer="differs in a clock from some state, reached or not"; fi
  return 1
}

main "$@"
