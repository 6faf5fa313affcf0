#!/usr/bin/env bash
# Mutants of the RTL and of the C model: whether the lockstep regression kills each (docs/design/mutation.md).
#
#   --rtl N        mutants of the RTL (default 100)
#   --cmodel N     mutants of the C model (default 50)
#   --seed S       which of them (default 1)
#   --size TxC     threads and counters of the mutated RTL (default 2x4)
#   --cycles N     of the regression that a survivor survives (default 1000000)
#   --jobs N       mutants side by side (default: processors)
#   --sample       a few, of a small RTL, that are killed or proved equivalent in two minutes: for the tests
#   --db FILE      the evidence database (default build/evidence.db)
#   --work DIR     where mutants are made (default build/mutate)
#   --build DIR    what is built of the sources (default build/release)
#
# What survives the beginning of the regression is tried to be proved equivalent, which is cheaper than the
# whole regression, and what is not has to survive the whole.
#
# Each verdict is in the database when its line is printed, and no mutant that has one is run again:
# started again after a kill, or with more cycles, it goes on.
#
# Exit status: 0 every mutant is killed or proved equivalent, 1 one survived, 2 unusable arguments.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=../evidence/evidence.sh
. "$here/../evidence/evidence.sh"
beginning=100000 # cycles that are run before a proof is tried

main() {
  parse_arguments "$@"
  mkdir -p "$work"
  ask <"$here/../evidence/schema.sql" >/dev/null
  if [ "$rtl" != 0 ]; then try_side rtl "$size-$rtl-$seed"; fi
  if [ "$cmodel" != 0 ]; then try_side cmodel "$cmodel-$seed"; fi
  report
}

fail() {
  echo "mutate.sh: $1" >&2
  exit 2
}

parse_arguments() {
  rtl=100 cmodel=50 seed=1 size=2x4 cycles=1000000 jobs=$(nproc)
  db=$root/build/evidence.db work=$root/build/mutate build=$root/build/release
  while [ $# -gt 0 ]; do
    case $1 in
      --sample) rtl=4 cmodel=8 size=1x2 cycles=200000 ;;
      --rtl | --cmodel | --seed | --size | --cycles | --jobs | --db | --work | --build)
        [ $# -gt 1 ] || fail "$1: expected a value"
        printf -v "${1#--}" %s "$2"
        shift
        ;;
      *) fail "$1: unknown argument" ;;
    esac
    shift
  done
  expect_number --rtl "$rtl"
  expect_number --cmodel "$cmodel"
  expect_number --seed "$seed"
  expect_number --cycles "$cycles"
  expect_number --jobs "$jobs"
  [ "$rtl" -le 65535 ] || fail "--rtl: expected at most 65535"
  [[ $size =~ ^[1-4]x([1-9]|[12][0-9]|3[01])$ ]] || fail "--size: expected a size such as 2x4"
  expect_source
}

expect_number() {
  [[ $2 =~ ^[0-9]{1,9}$ ]] || fail "$1: $2: expected a number"
}

# ---- The database ----

# SQL's text of a name.
quoted() {
  printf "'%s'" "${1//\'/\'\'}"
}

# ---- A side ----

# Mutants are made in a directory that says of what, so what is there is not made again.
try_side() {
  local side=$1 dir=$work/$1-$source-$2
  echo "$side: mutants of $source, in $dir"
  [ -f "$dir/mutants.so" ] || "make_$side" "$dir"
  run_side "$side" "$dir" "$((cycles < beginning ? cycles : beginning))"
  "prove_$side" "$dir"
  run_side "$side" "$dir" "$cycles"
}

run_side() {
  "$build/bin/pmuv3-mutate" "$2" --side "$1" --db "$db" --cycles "$3" --jobs "$jobs"
}

make_rtl() {
  "$here/rtl.sh" "${size%x*}" "${size#*x}" "$rtl" "$seed" "$1"
}

make_cmodel() {
  "$here/cmodel.sh" "$build/bin/pmuv3-mutants" "$cmodel" "$seed" "$1"
}

# One by one, side by side.
prove_rtl() {
  local number name running=0
  while IFS=$'\t' read -r number name; do
    if [ "$running" = "$jobs" ]; then
      wait -n || exit 2
      running=$((running - 1))
    fi
    prove_rtl_one "$1" "$number" "$name" &
    running=$((running + 1))
  done < <(survivors rtl "$1")
  for (( ; running > 0; running--)); do wait -n || exit 2; done
}

# All at once: a run of all takes as long as that of one.
prove_cmodel() {
  local names=() name answer
  mapfile -t names < <(survivors cmodel "$1" | cut -f2)
  [ ${#names[@]} -gt 0 ] || return 0
  "$here/prove_cmodel.sh" "$build" "$1" standard "${names[@]}" >"$1/proof.answers" || exit 2
  while read -r name answer; do judge cmodel "$name" "$answer"; done <"$1/proof.answers"
}

# judge SIDE NAME ANSWER
judge() {
  echo "$1: $2: $3"
  note "$1" "$2" "$3"
}

# Those that survived and of which nothing more is known, with their numbers.
survivors() {
  awk -F'\t' 'NR == FNR { open[$0]; next } $2 in open { print $1 "\t" $2 }' \
    <(ask <<<"SELECT name FROM mutant WHERE source = $(quoted "$source") AND side = '$1'
              AND verdict = 'survived' AND reason IS NULL") "$2/mutants.list"
}

# What is said of it: `equivalent: ...`, or why it survives. No answer is none: it is asked for again.
note() {
  local verdict=survived
  [[ $3 != "no answer"* ]] || return 0
  if [[ $3 == equivalent:* ]]; then verdict=equivalent; fi
  ask <<<"UPDATE mutant SET verdict = '$verdict', reason = $(quoted "${3#equivalent: }")
          WHERE source = $(quoted "$source") AND side = '$1' AND name = $(quoted "$2")"
}

prove_rtl_one() {
  local answer
  answer=$("$here/prove_rtl.sh" "$build" "$1" "$2") || fail "$3: cannot be proved"
  case ${answer#* } in
    equivalent) answer="equivalent: proved of any clock from any state that the lemmas allow, by SAT, in size $size" ;;
    *) answer=${answer#* } ;;
  esac
  judge rtl "$3" "$answer"
}

# ---- The score ----

report() {
  local of survived
  of="FROM mutant WHERE source = $(quoted "$source")"
  echo
  ask <<END
.mode column
.headers on
SELECT side, count(*) AS mutants, sum(verdict = 'killed') AS killed,
       sum(verdict = 'equivalent') AS equivalent, sum(verdict = 'survived') AS survived,
       printf('%.1f%%', 100.0 * sum(verdict = 'killed') /
              nullif(sum(verdict IN ('killed', 'survived')), 0)) AS score,
       printf('%.1f s', sum(seconds) / count(*)) AS each
$of GROUP BY side ORDER BY side DESC;
END
  [ "$(ask <<<"SELECT count(*) $of")" != 0 ] || fail "no mutants"
  survived=$(ask <<<"SELECT count(*) $of AND verdict = 'survived'")
  [ "$survived" != 0 ] || return 0
  echo
  ask <<<"SELECT 'SURVIVED ' || place || ', ' || name || ': ' || change || '; not killed in ' || cycles
                 || ' cycles; ' || ifnull(reason, 'the proof has no answer')
          $of AND verdict = 'survived' ORDER BY side DESC, name"
  exit 1
}

main "$@"
