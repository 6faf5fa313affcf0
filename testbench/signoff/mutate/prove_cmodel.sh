#!/usr/bin/env bash
# Proves mutants of the C model equivalent to it, all of them at once (testbench/prove/equivalence/mutants.h).
#
#   prove_cmodel.sh BUILD DIR CASES NAME...
#
# DIR is what cmodel.sh made: the mutants that are proved must be the same. DIR/proof.log is the log of the last run.
# BUILD is what is built of the sources. CASES is idle, ci or standard (testbench/prove/equivalence/cases.h), of which
# each is a part of the next and the last alone proves something equivalent, what it meets: what differs in few is not
# asked in more.
# Bounded: it is of 1 thread and 2 counters, and of 2 threads and 1 counter in the cases that are proved of them, and
# of a model that is proved itself. One of the two sizes must meet the mutant, and neither may tell it from the model.
#
# Prints a line a mutant: its name and `equivalent:` with the bound, or why not. Exit status: 0; 2 after one line; 3 a
# command died unforeseen.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"

patience=10 # of a solver for a question, in seconds

main() {
  [[ $# -ge 4 && $3 =~ ^(idle|ci|standard)$ ]] || unusable "expected BUILD DIR idle|ci|standard NAME..."
  local cases=$3
  end_without_verdict
  build=$1 dir=$2
  own_run
  shift 3
  leave_side "$@"
  size=1x2
  try --set ci --only idle
  [ "$cases" = idle ] || try --set ci
  if [ "$cases" = standard ]; then
    try --set standard
    note_met 'with 1 thread and 2 counters'
    size=2x1
    try --set ci
    note_met 'with 2 threads and 1 counter in a sample of cases'
    conclude
  else
    give_up 'not told from the model in a part of the cases'
  fi
}

# leave_side NAME...: sets `open`. The proof calls the C model's functions. It has none of those that make a side of
# them, whatever these have inlined.
leave_side() {
  local name functions
  functions=$("$(llvm-config-14 --bindir)/llvm-nm" --defined-only --just-symbol-name "$build/prove/pmuv3.bc")
  open=()
  for name; do
    if grep -qxF -e "${name%.*.*}" <<<"$functions"; then
      open+=("$name")
    else
      echo "$name no answer: the proof has no side"
    fi
  done
}

# own_run: sets `run`, a folder of this run alone. Others may prove mutants of DIR at the same time.
own_run() {
  run=$(temporary_folder) || exit $?
  trap 'mv -f "$run/proof.log" "$dir/proof.log" 2>/dev/null || true; rm -rf "$run"' EXIT
}

declare -A met=() # by name: the bounds within which the last cases meet it

# note_met BOUND: which of those that are open the last cases meet. What is open is not told from the model.
note_met() {
  local i name
  for i in "${!open[@]}"; do
    name=${open[i]}
    if is_met $((i + 1)); then met[$name]=${met[$name]+${met[$name]}, and }$1; fi
  done
}

# conclude: what no case meets has no answer.
conclude() {
  local name
  for name in "${open[@]}"; do
    if [ -n "${met[$name]-}" ]; then
      echo "$name equivalent: proved of any clock from any state, ${met[$name]}"
    else
      echo "$name no answer: the proof does not meet it"
    fi
  done
}

# give_up REASON: of what is open.
give_up() {
  local name
  for name in "${open[@]}"; do echo "$name no answer: $1"; done
}

# In a run of those that are open.
is_met() {
  grep -qE "^  meets mutants( [0-9]+)* $1( |$)" "$run/proof.log"
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
    [ ${#open[@]} -lt ${#names[@]} ] || unusable "not proved, and of no mutant; see $dir/proof.log"
  done
  [ ${#open[@]} = 0 ] || try_apart "$@"
}

# try_apart OPTION...: execution stops at one of those that are open; at which is seen where they are alone.
try_apart() {
  local names=("${open[@]}") kept=() name
  if [ ${#names[@]} = 1 ]; then
    echo "${names[0]} no answer: $(tail -n 1 "$run/proof.log")"
    open=()
    return
  fi
  for name in "${names[@]}"; do
    open=("$name")
    try "$@"
    kept+=("${open[@]}")
  done
  open=("${kept[@]}")
  [ ${#open[@]} -lt ${#names[@]} ] || unusable "execution stops, and at none of them alone; see $dir/proof.log"
  try "$@"
}

# prove OPTION...: of those that are open. Exit status: that of pmuv3-prove.
prove() {
  make_module "${open[@]}"
  "$build/bin/pmuv3-prove" --bitcode "$run/proof.bc" --mutants ${#open[@]} --size "$size" "$@" \
    --seconds "$patience" --patience "$patience" --out "$run/refuted" >"$run/proof.log" 2>&1
}

# All of them behind a selector, as the proof has the C model. Where that cannot be made no mutant is at fault:
# DIR has a library of all.
make_module() {
  local name only=()
  for name; do only+=(--only "$name"); done
  "$build/bin/pmuv3-mutants" "$build/prove/pmuv3.bc" "${only[@]}" -o "$run/proof.bc" --list "$run/proof.list" \
    >"$run/proof.log" 2>&1 || unusable "$(tail -n 1 "$run/proof.log"); see $dir/proof.log"
  cut -f2- "$run/proof.list" | sort >"$run/made"
  awk -F'\t' 'NR == FNR { wanted[$2]; next } $2 in wanted' "$run/proof.list" "$dir/mutants.list" |
    cut -f2- | sort >"$run/listed"
  if [ ! -s "$run/made" ] || ! cmp -s "$run/made" "$run/listed"; then
    unusable "$build/prove/pmuv3.bc has other mutants than $dir/mutants.list"
  fi
}

# answer_of NUMBER: whether nothing was found; else `answer` says what.
answer_of() {
  local found status=0
  found=$(grep -oE ": mutant $1: .*: (refuted|unknown|the solvers disagree)" "$run/proof.log") || status=$?
  [ "$status" -le 1 ] || no_verdict "$LINENO"
  [ "$status" = 0 ] || return 0
  found=${found%%$'\n'*}
  answer="no answer: ${found#*": mutant $1: "}"
  if [[ $found == *refuted* ]]; then answer="differs in a clock from some state, reached or not"; fi
  return 1
}

main "$@"
