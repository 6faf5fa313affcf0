#!/usr/bin/env bash
# Proves mutants of the C model equivalent to it, all of them at once (testbench/prove/mutants.h).
#
#   prove_cmodel.sh BUILD DIR CASES NAME...
#
# DIR is what cmodel.sh made: the mutants that are proved must be the same. BUILD is what is built of
# the sources. CASES is idle, ci or standard (testbench/prove/cases.h), of which each is a part of the
# next and the last alone proves something equivalent, what it meets: what differs in few is not asked in more.
# Bounded: it is of the size below, and of a model that is proved itself.
#
# Prints a line a mutant: its name and `equivalent`, or why not. Exit status: 0, or 2 after one line.
set -euo pipefail
export LC_ALL=C

size=1x2
patience=10 # of a solver for a question, in seconds

main() {
  [[ $# -ge 4 && $3 =~ ^(idle|ci|standard)$ ]] || fail "expected BUILD DIR idle|ci|standard NAME..."
  local last=$3
  build=$1 dir=$2
  shift 3
  open=("$@")
  try --set ci --only idle
  [ "$last" = idle ] || try --set ci
  [ "$last" != standard ] || try --set standard
  conclude "$last"
}

fail() {
  echo "prove_cmodel.sh: $1" >&2
  exit 2
}

# What is open is not told from the model in the last cases.
conclude() {
  local i answer
  for i in "${!open[@]}"; do
    answer="no answer: not told from the model in a part of the cases"
    if [ "$1" = standard ]; then
      answer=equivalent
      is_met $((i + 1)) || answer="no answer: the proof does not meet it"
    fi
    echo "${open[i]} $answer"
  done
}

# In a run of those that are open.
is_met() {
  grep -qE "^  meets mutants( [0-9]+)* $1( |$)" "$dir/proof.log"
}

# try OPTION...: those that are open, again until nothing is found of those that are left. What several ask alike
# is told of the first alone, so only a run in which nothing is found says something of the others.
try() {
  local names i status
  while [ ${#open[@]} -gt 0 ]; do
    names=("${open[@]}") status=0
    prove "$@" || status=$?
    case $status in
      0) return ;;
      1) open=() ;;
      *) break ;;
    esac
    for i in "${!names[@]}"; do
      if answer_of $((i + 1)); then open+=("${names[i]}"); else echo "${names[i]} $answer"; fi
    done
    [ ${#open[@]} -lt ${#names[@]} ] || fail "not proved, and of no mutant; see $dir/proof.log"
  done
  [ ${#open[@]} = 0 ] || try_apart "$@"
}

# try_apart OPTION...: the machine stops at one of those that are open; at which is seen where they are alone.
try_apart() {
  local names=("${open[@]}") kept=() name
  if [ ${#names[@]} = 1 ]; then
    echo "${names[0]} no answer: $(tail -n 1 "$dir/proof.log")"
    open=()
    return
  fi
  for name in "${names[@]}"; do
    open=("$name")
    try "$@"
    kept+=("${open[@]}")
  done
  open=("${kept[@]}")
  [ ${#open[@]} -lt ${#names[@]} ] || fail "the machine stops, and at none of them alone; see $dir/proof.log"
  try "$@"
}

# prove OPTION...: of those that are open. Exit status: that of pmuv3-prove.
prove() {
  make_module "${open[@]}"
  "$build/bin/pmuv3-prove" --bitcode "$dir/proof.bc" --mutants ${#open[@]} --size "$size" "$@" \
    --seconds "$patience" --patience "$patience" --out "$dir/refuted" >"$dir/proof.log" 2>&1
}

# All of them behind a selector, as the proof has the C model. Where that cannot be made no mutant is at fault:
# DIR has a library of all.
make_module() {
  local name only=()
  for name; do only+=(--only "$name"); done
  "$build/bin/pmuv3-mutants" "$build/prove/pmuv3.bc" "${only[@]}" -o "$dir/proof.bc" --list "$dir/proof.list" \
    >"$dir/proof.log" 2>&1 || fail "$(tail -n 1 "$dir/proof.log"); see $dir/proof.log"
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
