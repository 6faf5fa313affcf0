#!/usr/bin/env bash
# Fuzzes the reader of stimulus files, the register interface and `pmuv3 replay` (docs/howto/fuzz.md).
#
#   fuzz.sh                the kept corpus once, then 250 mutants through replay
#   fuzz.sh --seconds N    libFuzzer, N seconds for each harness
#   fuzz.sh --keep         reduces libFuzzer's inputs so far, and makes them the kept corpus
#   fuzz.sh --replays N    N mutants through replay
#
#   --program FILE         the pmuv3-replay to use (default: that of build/sanitize)
#   --seed S               seed of the mutants (default 1)
#   --check-arguments      checks the other arguments, and does nothing else
#
# Failing inputs stay in build/fuzz/failures (in $PMUV3_FUZZ_DIR/failures).
# Exit status: 0 success, 1 something failed, 2 unusable arguments, 3 no verdict: a command died unexpectedly.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
root=$(realpath "$here/../../..")
work=$(realpath -m -- "${PMUV3_FUZZ_DIR:-$root/build/fuzz}")
failures=$work/failures
harnesses=(stimulus registers)
seconds_limit=20 # time limit of a replay; a longer replay is a hang
sanitizer_status=99

main() {
  end_without_verdict
  mode='' count=250 seed=1 program=$root/build/sanitize/bin/pmuv3-replay
  local check=0 drawn='' named=''
  while [ $# -gt 0 ]; do
    once "$1"
    case $1 in
      --check-arguments) check=1 ;;
      --keep) choose --keep ;;
      --seconds | --replays | --seed | --program)
        [ $# -gt 1 ] || unusable "$1: expected a value"
        option "$1" "$2"
        case $1 in --seed) drawn=$1 ;; --program) named=$1 ;; esac
        shift
        ;;
      *) unusable "$1: unknown argument; expected one of those at the top of fuzz.sh" ;;
    esac
    shift
  done
  : "${mode:=check}"
  case $mode in seconds | keep) [ -z "$drawn$named" ] || unusable "${drawn:-$named}: libFuzzer takes none" ;; esac
  [ -z "$named" ] || is_program || unusable "--program $program: not found"
  [ "$check" = 0 ] || return 0
  case $mode in check | replays) is_program || unusable "--program $program: not found" ;; esac
  program=$(realpath -m -- "$program")
  mkdir -p "$failures" 2>/dev/null || unusable "cannot make $failures"
  scratch=$(temporary_folder) || exit $?
  trap 'rm -rf "$scratch"' EXIT
  unset PMUV3_SOURCE # --program may come from other sources
  told fuzz
}

fuzz() {
  end_without_verdict
  hold_corpus
  case $mode in
    check)
      build_harnesses
      run_kept_corpus
      replay_mutants "$count" "$seed" "$program"
      ;;
    seconds)
      build_harnesses
      campaign "$count"
      ;;
    keep)
      build_harnesses
      keep
      ;;
    replays) replay_mutants "$count" "$seed" "$program" ;;
  esac
}

# --keep replaces the corpus, so it is alone. The others read it. What a call that was killed has started may still end.
hold_corpus() {
  local how=--shared
  [ "$mode" != keep ] || how=--exclusive
  exec 8<"$here/corpus"
  flock --timeout 2 "$how" 8 || unusable "$here/corpus is in use by another fuzz.sh"
}

is_program() { [ -f "$program" ] && [ -x "$program" ]; }

# option NAME VALUE: sets an option
option() {
  [ "$1" = --program ] || [[ $2 =~ ^[0-9]{1,9}$ ]] || unusable "$1 takes a number, not '$2'"
  case $1 in
    --program) program=$2 ;;
    --seed) seed=$((10#$2)) ;;
    *)
      count=$((10#$2))
      [ "$count" != 0 ] || unusable "$1 takes a number of 1 or more"
      [ "$1" != --replays ] || [ "$count" -le 1000000 ] || unusable "$1 takes a number up to 1000000: each is a file"
      choose "$1"
      ;;
  esac
}

# choose MODE: sets the mode, once
choose() {
  [ -z "$mode" ] || unusable "$1: --$mode is asked for already"
  mode=${1#--}
}

# ---- In process, under libFuzzer ----

build_harnesses() {
  put_back
  command -v clang >/dev/null || unusable "clang: not found, expected Debian's package clang"
  local flags=(-std=gnu11 -O2 -g -Wall -Wextra -Werror -I"$root" -I"$root/cmodel/include")
  local sanitizers=("-fsanitize=fuzzer,address,undefined" -fno-sanitize-recover=all
    -fno-sanitize-coverage=trace-cmp) # the dictionary has the words, and this is four times as fast
  local name
  mkdir "$scratch"/{checks,model,stimulus}
  # The checks themselves get no coverage instrumentation.
  (cd "$scratch/checks" && clang "${flags[@]}" -c "$here"/{checked,expected}.c)
  (cd "$scratch/model" && clang "${flags[@]}" "${sanitizers[@]}" -c "$root"/cmodel/src/*.c) &
  (cd "$scratch/stimulus" && clang "${flags[@]}" "${sanitizers[@]}" -c \
    "$root"/testbench/cosim/stimulus/{core,events_text,lex,param_lines,stimulus{,_access,_cycle,_states},writer}.c)
  wait $!
  for name in "${harnesses[@]}"; do
    clang "${flags[@]}" "${sanitizers[@]}" -o "$scratch/$name.fuzz" "$here/${name}_fuzz.c" "$scratch"/{checks,model,stimulus}/*.o
  done
}

# seeds HARNESS: prints the folders of inputs in the repository
seeds() {
  echo "$here/corpus/$1"
  [ "$1" != stimulus ] || echo "$root/testbench/tests/litmus"
}

# harness NAME OPTION... DIRECTORY...: runs a harness, and prints its output only if it fails
harness() {
  local name=$1 log=$scratch/$1.log
  local status=0
  shift
  (
    cd "$scratch" || exit 127
    exec "$scratch/$name.fuzz" -artifact_prefix="$failures/$name-" -timeout="$seconds_limit" -print_final_stats=1 "$@"
  ) >"$log" 2>&1 || status=$?
  case $status in
    0) return ;;
    126 | 127) end_with 3 "no verdict: $name cannot be executed" ;;
  esac
  [ "$status" -lt 128 ] || end_with 3 "no verdict: $name was killed" # libFuzzer ends by itself for what it finds
  cat "$log" >&2
  echo "fuzz.sh: $name failed; its input is in $failures" >&2
  exit 1
}

run_kept_corpus() {
  local name directories
  for name in "${harnesses[@]}"; do
    mapfile -t directories < <(seeds "$name")
    harness "$name" -runs=0 "${directories[@]}"
    echo "$name: $(find "${directories[@]}" -type f | wc -l) inputs, all well"
  done
}

campaign() {
  local name directories
  for name in "${harnesses[@]}"; do
    mkdir -p "$work/$name"
    mapfile -t directories < <(seeds "$name")
    harness "$name" -max_total_time="$1" -max_len=4096 -dict="$here/stimulus.dict" \
      -jobs="$(nproc)" -workers="$(nproc)" "$work/$name" "${directories[@]}"
    echo "$name: $(awk '/^stat::number_of_executed_units:/ {n += $2} END {print n}' "$scratch/$name.log") inputs, all well"
  done
}

# Replaces the corpus by the smallest set of small inputs with the same coverage.
keep() {
  local name
  for name in "${harnesses[@]}"; do
    mkdir -p "$work/$name" "$here/corpus/$name" "$scratch/kept/$name"
    harness "$name" -set_cover_merge=1 -use_counters=0 -max_len=1024 \
      "$scratch/kept/$name" "$here/corpus/$name" "$work/$name"
    ! is_empty "$scratch/kept/$name" || end_with 3 "no verdict: of $name no input was kept"
    replace "$here/corpus/$name" "$scratch/kept/$name"
    echo "$name: $(find "$here/corpus/$name" -type f | wc -l) inputs kept"
  done
}

# replace OLD NEW: a call may be ended anywhere. OLD is then whole, or OLD.old is (put_back).
replace() {
  rm -rf "$1".{new,old}
  cp -r "$2" "$1.new"
  mv "$1" "$1.old"
  mv "$1.new" "$1"
  rm -r "$1.old"
}

# put_back: the corpus that a call was replacing when it was ended.
put_back() {
  local name corpus
  for name in "${harnesses[@]}"; do
    corpus=$here/corpus/$name
    if [ ! -e "$corpus" ] && [ -e "$corpus.old" ]; then mv "$corpus.old" "$corpus"; fi
  done
}

# ---- Mutants through replay ----

# replay_mutants COUNT SEED PROGRAM: replays mutants in parallel
replay_mutants() {
  local jobs job
  jobs=$(nproc)
  mkdir "$scratch/mutants"
  cc -std=c11 -O1 -I"$root" -o "$scratch/mutate" "$here/mutate.c"
  "$scratch/mutate" "$2" "$1" "$scratch/mutants" "$root"/testbench/tests/litmus/*.stim
  for ((job = 0; job < jobs; job++)); do replay_share "$1" "$job" "$jobs" "$3" & done
  wait
  report_mutants "$1" "$2"
}

# replay_share COUNT JOB JOBS PROGRAM: replays every JOBS-th mutant, and prints its status and failure in a line
replay_share() {
  local i
  for ((i = $2; i < $1; i += $3)); do replay_one "$i" "$2" "$4"; done >"$scratch/results.$2"
}

# replay_one MUTANT JOB PROGRAM: replays a mutant. Every fourth one also writes a trace.
replay_one() {
  local file=mutants/$1.stim out=$scratch/out.$2 err=$scratch/err.$2 status=0 options=()
  (($1 % 4 == 3)) && options=(--trace "$scratch/trace.$2")
  (
    cd "$scratch" || exit 127
    export ASAN_OPTIONS=exitcode=$sanitizer_status UBSAN_OPTIONS=exitcode=$sanitizer_status
    exec timeout "$seconds_limit" "$3" "$file" "${options[@]}"
  ) >"$out" 2>"$err" || status=$?
  local wrong
  wrong=$(what_is_wrong "$file" "$status" "$out" "$err" | paste -sd ';')
  echo "$status $1 $wrong"
}

# what_is_wrong FILE STATUS OUT ERR: prints the errors, a line each
what_is_wrong() {
  local lines
  mapfile -t lines <"$4"
  case $2 in
    0) [ ${#lines[@]} -eq 0 ] || echo "all held, and yet: ${lines[0]}" ;;
    1)
      [[ ${lines[*]} != *diverged* ]] || echo "diverged: ${lines[*]}"
      [[ ${lines[0]-} == "$1:"[0-9]*": "* ]] || echo "failed without saying where: ${lines[0]-}"
      ;;
    2)
      [ ${#lines[@]} -eq 1 ] || echo "refused in ${#lines[@]} lines"
      [[ ${lines[0]-} =~ ^"$1":[0-9]+:\ .+$ ]] || echo "refused without FILE:LINE: ${lines[0]-}"
      [ ! -s "$3" ] || echo "refused, and yet something was done"
      ;;
    124) echo "hangs" ;;
    "$sanitizer_status") echo "sanitizer: ${lines[*]:0:3}" ;;
    *) echo "exit status $2: ${lines[0]-}" ;;
  esac
}

# report_mutants COUNT SEED: prints the summary
report_mutants() {
  cat "$scratch"/results.* >"$scratch/results"
  [ "$(wc -l <"$scratch/results")" -eq "$1" ] || end_with 3 "no verdict: not all mutants were run"
  local status mutant wrong failed=0
  while read -r status mutant wrong; do
    if [ -z "$wrong" ] || is_no_verdict "$status"; then continue; fi
    failed=$((failed + 1))
    cp "$scratch/mutants/$mutant.stim" "$failures/mutant-$2-$mutant.stim"
    echo "$failures/mutant-$2-$mutant.stim: $wrong" >&2
  done <"$scratch/results"
  echo "replay: $1 mutants, $failed failed;" \
    "$(awk '{n[$1]++} END {printf "%d held, %d failed an expectation, %d were refused", n[0], n[1], n[2]}' \
      "$scratch/results")"
  [ "$failed" -eq 0 ] || exit 1
  while read -r status _; do
    ! is_no_verdict "$status" || end_with 3 "no verdict: a replay was killed, or the program cannot be executed"
  done <"$scratch/results"
}

# is_no_verdict STATUS: timeout ends so if it cannot execute the program, or if the program is killed, for want of
# memory or by a user.
is_no_verdict() { [[ $1 == @(125|126|127|137) ]]; }

main "$@"
