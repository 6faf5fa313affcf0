#!/usr/bin/env bash
# Mutants of the RTL and of the C model: whether the lockstep regression kills each (docs/design/mutation.md).
#
#   --rtl N        mutants of the RTL (default 100)
#   --cmodel N     mutants of the C model (default 50)
#   --seed S       which of them (default 1)
#   --size TxC     threads and counters of the mutated RTL (default 2x4)
#   --cycles N     of the regression that a survivor survives (default 4000000)
#   --jobs N       mutants of a side, side by side (default: processors); 1: one side after the other
#   --sample       a few, of a small RTL, that are killed or proved equivalent in two minutes, for the tests: other
#                  defaults (4 and 8 mutants, of 1x2, 200000 cycles)
#   --db FILE      the evidence database (default build/evidence.db)
#   --work DIR     where mutants are made (default build/mutate)
#   --build DIR    what is built of the sources (default build/release; another one needs --db)
#   --check-arguments  sees whether the others can be used, and does nothing
#   --shards, --shard FILE --mutants SIDE:FIRST-LAST, --merge DIR, --shard-mutants N
#                  in shards (shards.sh)
#
# A proof of equivalence is tried for what survives the beginning of the regression. A survivor without a proof has
# to survive the whole regression. So has a mutant of the C model with a proof, which is of few threads and counters.
#
# Each verdict is in the database when its line is printed, and no mutant that has one is run again:
# started again after a kill, or with more cycles, it goes on.
#
# Exit status: 0 every mutant is killed or proved equivalent, 1 one survived, 2 unusable arguments, 3 no
# verdict: a mutant could not be tried, or something else died unforeseen.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
root=$(realpath "$here/../../..")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
# shellcheck source=../evidence/evidence.sh
. "$here/../evidence/evidence.sh"
# shellcheck source=shards.sh
. "$here/shards.sh"
beginning=100000 # cycles that are run before a proof is tried

main() {
  end_without_verdict
  parse_arguments "$@"
  [ "$check" = 0 ] || return 0
  case $mode in
    campaign) own_folder --work "$work" ;;
    run_shard) own_database ;;
  esac
  open_evidence
  note_versions
  told "$mode"
}

# Both sides run at once: while one proves, the other uses the idle processors. The proof of the C model has limits
# of wall-clock time, so the RTL gives way.
campaign() {
  local side running=0
  end_without_verdict
  note_sources
  for side in "${sides[@]}"; do make_once "$side" "$(folder_of "$side")"; done
  for side in "${sides[@]}"; do
    {
      end_without_verdict
      [ "$side" = cmodel ] || renice -n 5 "$BASHPID" >/dev/null
      try_mutants "$side" "$(folder_of "$side")"
    } &
    if [ "$jobs" = 1 ]; then wait_for_one; else running=$((running + 1)); fi
  done
  for (( ; running > 0; running--)); do wait_for_one; done
  report
}

# Waits for one of the processes side by side. If it fails, the others end, and we with its status.
wait_for_one() {
  local process status=0
  wait -n || status=$?
  [ "$status" != 0 ] || return 0
  for process in $(jobs -p); do end_all "$process"; done
  end_as "$status"
}

parse_arguments() {
  seed=1 jobs=$(nproc) sample=0
  unset rtl cmodel size cycles
  db=$root/build/evidence.db work=$root/build/mutate build=$root/build/release check=0
  mode=campaign shard='' mutants='' merge='' shard_mutants=20
  local name
  while [ $# -gt 0 ]; do
    once "$1"
    case $1 in
      --check-arguments) check=1 ;;
      --sample) sample=1 ;;
      --shards) set_mode list_shards ;;
      --rtl | --cmodel | --seed | --size | --cycles | --jobs | --db | --work | --build | --shard | --mutants | --merge | \
        --shard-mutants)
        [ $# -gt 1 ] || unusable "$1: expected a value"
        name=${1#--}
        printf -v "${name//-/_}" %s "$2"
        case $1 in
          --shard) set_mode run_shard ;;
          --merge) set_mode merge_shards ;;
        esac
        shift
        ;;
      *) unusable "$1: unknown argument" ;;
    esac
    shift
  done
  # What is given holds, before --sample and behind it.
  if [ "$sample" = 1 ]; then
    : "${rtl=4}" "${cmodel=8}" "${size=1x2}" "${cycles=200000}"
  else
    : "${rtl=100}" "${cmodel=50}" "${size=2x4}" "${cycles=4000000}"
  fi
  expect_number --rtl "$rtl"
  expect_number --cmodel "$cmodel"
  expect_number --seed "$seed"
  expect_number --cycles "$cycles"
  expect_number --jobs "$jobs"
  local option
  for option in cycles jobs; do
    [ "${!option}" != 0 ] || unusable "--$option: expected a number of 1 or more"
  done
  local most_jobs # of pmuv3-mutate
  most_jobs=$(sed -n 's/^#define PMUV3_MAX_JOBS //p' "$root/testbench/cosim/cli/cli.h")
  [ "$jobs" -le "$most_jobs" ] || unusable "--jobs: expected at most $most_jobs"
  sides=()
  [ "$rtl" = 0 ] || sides+=(rtl)
  [ "$cmodel" = 0 ] || sides+=(cmodel)
  [ ${#sides[@]} -gt 0 ] || unusable "--rtl 0 and --cmodel 0: there are no mutants to try"
  [ "$rtl" -le 65535 ] || unusable "--rtl: expected at most 65535"
  [[ $size =~ ^[1-4]x([1-9]|[12][0-9]|3[01])$ ]] || unusable "--size: expected a size such as 2x4"
  expect_own_folder --work "$work"
  expect_no_blank --work "$work"
  [[ $db == /* ]] || db=./$db # whatever it begins with, a file's name
  [ "$db" = "$root/build/evidence.db" ] || expect_database --db "$db"
  expect_mode
  expect_outside "$work" --db "$db"
  [ -z "$shard" ] || expect_outside "$work" --shard "$shard"
  expect_build
}

expect_number() {
  [[ $2 =~ ^(0|[1-9][0-9]{0,8})$ ]] || unusable "$1: $2: expected a number"
}

# expect_build: rows do not say of which build they are, so build/evidence.db is of build/release. A shard writes to no
# database but its own.
expect_build() {
  [ "$mode" = run_shard ] || [ "$build" = "$root/build/release" ] || [[ " $given " == *" --db "* ]] ||
    unusable "--build needs --db: build/evidence.db is of build/release"
}

# ---- A side ----

# try_mutants SIDE DIR [OPTION]...: those that were made there, or those that options of pmuv3-mutate name.
try_mutants() {
  run_side "$1" "$2" "$((cycles < beginning ? cycles : beginning))" "${@:3}"
  "prove_$1" "$2"
  run_side "$1" "$2" "$cycles" "${@:3}"
}

# note_versions: sets `versions`, a digest of the tools of the build: evidence names these, whoever made the mutants.
# gcovr makes none, and may be installed later.
note_versions() {
  [ -f "$build/versions.list" ] || unusable "--build: '$build' does not say which tools it was built with"
  versions=$(sed '/^gcovr /d' "$build/versions.list" | sha256sum | cut -c1-8)
}

# Mutants are made in a directory that says of what and with which tools, so what is there is not made again.
folder_of() {
  case $1 in
    rtl) echo "$work/rtl-$source-$versions-$size-$rtl-$seed" ;;
    cmodel) echo "$work/cmodel-$source-$versions-$cmodel-$seed" ;;
  esac
}

make_once() {
  echo "$1: mutants of $source, in $2"
  [ -d "$2" ] || make_of_sources "$1" "$2"
}

# make_of_sources SIDE DIR: mutants are of the sources that were built, also when they are made long after. What was
# made while the sources were others has no name that is looked for.
make_of_sources() {
  rm -rf "${2:?}.new"
  "make_$1" "$2.new" || end_as $?
  expect_unchanged "mutants of them were made"
  mv "$2.new" "$2"
}

# note_sources: sets `times`. What is made and proved from now on is of the sources that were built.
note_sources() {
  times=$(source_times "$root" C)
  expect_sources
}

expect_sources() {
  local now
  now=$(source_digest "$root")
  [ "$now" = "$source" ] || unusable "the sources are now $now, not $source of which $build was built"
}

# expect_unchanged TEXT: nor was a change taken back.
expect_unchanged() {
  [ "$(source_times "$root" C)" = "$times" ] || unusable "the sources were changed while $1"
}

# run_side SIDE DIR CYCLES [OPTION]...
run_side() {
  local status=0
  "$build/bin/pmuv3-mutate" "$2" --side "$1" --db "$db" --cycles "$3" --jobs "$jobs" "${@:4}" || status=$?
  case $status in
    0) ;;
    2) exit 2 ;;
    *)
      complain "mutate.sh: no verdict: pmuv3-mutate ended with status $status"
      exit 3
      ;;
  esac
}

# With what its proofs share.
make_rtl() {
  "$here/rtl.sh" "${size%x*}" "${size#*x}" "$rtl" "$seed" "$1" && "$here/prove_rtl.sh" "$build" "$1"
}

make_cmodel() {
  "$here/cmodel.sh" "$build/bin/pmuv3-mutants" "$cmodel" "$seed" "$1"
}

# One by one, side by side.
prove_rtl() {
  local number mutant running=0
  survivors rtl "$1" >"$1/survivors"
  while IFS=$'\t' read -r number mutant; do
    if [ "$running" = "$jobs" ]; then
      wait_for_one
      running=$((running - 1))
    fi
    prove_rtl_one "$1" "$number" "$mutant" &
    running=$((running + 1))
  done <"$1/survivors"
  for (( ; running > 0; running--)); do wait_for_one; done
}

# All at once: a run of all takes as long as that of one.
prove_cmodel() {
  local names=() name answer mutant
  survivors cmodel "$1" >"$1/survivors"
  mapfile -t names < <(cut -f2 "$1/survivors")
  [ ${#names[@]} -gt 0 ] || return 0
  "$here/prove_cmodel.sh" "$build" "$1" standard "${names[@]}" >"$1/proof.answers" || end_as $?
  while read -r name answer; do
    mutant=$(name=$name awk -F'\t' '$2 == ENVIRON["name"]' "$1/survivors" | cut -f2-)
    judge cmodel "$mutant" "$answer"
  done <"$1/proof.answers"
}

# judge SIDE MUTANT ANSWER: the mutant is a line of mutants.list without its number. The scripts that answered are
# sources, so the answer is of the sources that were there meanwhile.
judge() {
  expect_unchanged "mutants of them were proved"
  echo "$1: ${2%%$'\t'*}: $3"
  note "$1" "$2" "$3"
}

# Those that survived and of which nothing more is known, as lines of mutants.list.
survivors() {
  ask <<<"SELECT name, module, place, change FROM mutant WHERE source = $(quoted "$source") AND side = '$1'
          AND verdict = 'survived' AND reason IS NULL" >"$2/open"
  awk 'FILENAME == ARGV[1] { open[$0]; next } substr($0, index($0, "\t") + 1) in open' "$2/open" "$2/mutants.list"
}

# What is said of it: `equivalent: ...`, or why it survives. No answer is none: it is asked for again.
note() {
  local verdict=survived
  [[ $3 != "no answer"* ]] || return 0
  if [[ $3 == equivalent:* ]]; then verdict=equivalent; fi
  printf '%s\t%s\t%s\t%s\t%s\n' "$source" "$1" "$2" "$verdict" "${3#equivalent: }" | "$evidence" --db "$db" --proofs
}

prove_rtl_one() {
  local answer
  answer=$("$here/prove_rtl.sh" "$build" "$1" "$2") || end_as $?
  case ${answer#* } in
    equivalent) answer="equivalent: proved of any clock from any state that the lemmas allow, by SAT, in size $size" ;;
    *) answer=${answer#* } ;;
  esac
  judge rtl "$3" "$answer"
}

# ---- The score ----

# report [MISSING]: how many mutants of the campaign have no verdict.
report() {
  local of survived missing=${1-0}
  of="FROM mutant WHERE source = $(quoted "$source")"
  [ "$missing" = 0 ] || echo "$missing mutants have no verdict"
  echo
  show "SELECT side, count(*) AS mutants, sum(verdict = 'killed') AS killed,
               sum(verdict = 'equivalent') AS equivalent, sum(verdict = 'survived') AS survived,
               printf('%.1f%%', 100.0 * sum(verdict = 'killed') /
                      nullif(sum(verdict IN ('killed', 'survived')), 0)) AS score,
               printf('%.1f s', sum(seconds) / count(*)) AS each
        $of GROUP BY side ORDER BY side DESC"
  ask <<<"SELECT count(*) || ' of the killed differ only in the state that they keep' $of
          AND reason LIKE 'keeps another state%' HAVING count(*) > 0"
  [ "$missing" != 0 ] || [ "$(ask <<<"SELECT count(*) $of")" != 0 ] || unusable "no mutants"
  survived=$(ask <<<"SELECT count(*) $of AND verdict = 'survived'")
  if [ "$survived" = 0 ]; then
    [ "$missing" = 0 ] || exit 3
    return 0
  fi
  echo
  ask <<<"SELECT 'SURVIVED ' || place || ', ' || name || ': ' || change || '; not killed in ' || cycles
                 || ' cycles; ' || ifnull(reason, 'the proof has no answer')
          $of AND verdict = 'survived' ORDER BY side DESC, name"
  exit 1
}

main "$@"
