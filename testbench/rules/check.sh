#!/bin/bash
# Checks docs/rules.md: every rule of rules.txt has a row there, what a row names exists, and behaviour
# has a test.
#
#   check.sh               says what is wrong
#   check.sh --self-test   breaks copies of the page, a kind of mistake each, and expects to see it
#
# Exit status: 0 all well, 1 something wrong, 2 unusable arguments.
#
# shellcheck disable=SC2016  # backticks in single quotes are Markdown's
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
page=$root/docs/rules.md

main() {
  case "$#,${1-}" in
    0,) collect && check ;;
    1,--self-test) collect && self_test ;;
    *)
      echo "check.sh: $*: unknown arguments, expected --self-test or nothing" >&2
      exit 2
      ;;
  esac
}

# ---- What there is ----

declare -A class mark   # of a rule
declare -A exists       # "function NAME", "module NAME", "test NAME", "defect NAME"

collect() {
  local rule of_class of_mark kind name
  while read -r rule of_class of_mark; do
    class[$rule]=$of_class
    mark[$rule]=$of_mark
  done < <(sed 's/#.*//; /^ *$/d' "$here/rules.txt")
  while read -r kind name; do exists[$kind $name]=1; done < <(
    functions
    sed -nE 's/^(module \w+).*/\1/p' "$root"/rtl/*.sv
    unit_tests
    litmus_files
    grep '^defect ' "$root/testbench/defects/defects.txt"
  )
}

# Of every function that is defined, not only declared.
functions() {
  local file
  for file in "$root"/cmodel/src/*.c; do
    sed -nE "/;\$/d; s/^[a-z].*[ *](\w+)\(.*/function ${file##*/}:\1/p" "$file"
  done
  sed -nE 's/^static inline .*[ *](\w+)\(.*/function internal.h:\1/p' "$root/cmodel/src/internal.h"
}

unit_tests() {
  cat "$root"/testbench/{unit,exhaustive}/*.cc | tr -s '\n ' ' ' |
    grep -oE '\bTEST(_P|_F)?\(\w+, \w+\)' | sed -E 's/.*\((\w+), (\w+)\)/test \1.\2/'
}

litmus_files() {
  local file
  for file in "$root"/testbench/litmus/*.stim; do
    file=${file##*/}
    echo "test ${file%.stim}"
  done
}

# ---- The rows ----

check() {
  mistakes=0
  local -A rows=()
  local rule of_class c rtl tests planted rest
  while IFS='|' read -r _ rule of_class _ c rtl tests planted rest; do
    rule=${rule// /}
    [ "$rest" = "" ] || wrong "$rule" "has not 7 columns"
    [ -z "${rows[$rule]-}" ] || wrong "$rule" "has two rows"
    rows[$rule]=1
    [ "${of_class// /}" = "${class[$rule]-}" ] || wrong "$rule" "is ${class[$rule]-not in rules.txt}"
    case ${mark[$rule]-} in
      outside) check_outside "$rule" "$c" "$rtl$tests$planted" ;;
      *) check_row "$rule" "$c" "$rtl" "$tests" "$planted" ;;
    esac
  done < <(grep '^| ' "$page" | grep -v '^| rule |')

  for rule in "${!class[@]}"; do
    [ -n "${rows[$rule]-}" ] || wrong "$rule" "has no row"
  done
  [ $mistakes = 0 ] || return 1
  echo "${#rows[@]} rules, each with its row"
}

wrong() {
  echo "docs/rules.md: $1: $2"
  mistakes=$((mistakes + 1))
}

check_outside() {
  local rule=$1 c=$2 others=$3
  case $c in
    " the core's: "* | " the integrator's: "* | " not implemented: "*) ;;
    *) wrong "$rule" "does not say whose it is" ;;
  esac
  [ "${others// /}" = "" ] || wrong "$rule" "is not of the model, and names something"
}

check_row() {
  local rule=$1 c=$2 rtl=$3 tests=$4 planted=$5
  check_cell "$rule" function "$c"
  check_cell "$rule" module "$rtl"
  check_cell "$rule" test "$tests"
  check_cell "$rule" defect "$planted"
  [ "${mark[$rule]-}" = behaviour ] || return 0
  [[ $c == *\`* ]] || wrong "$rule" "names no function"
  [[ $rtl == *\`* ]] || wrong "$rule" "names no module"
  [[ $tests == *\`* ]] || wrong "$rule" "names no test"
}

# A cell is names in backticks with commas between them, and each is of this kind.
check_cell() {
  local rule=$1 kind=$2 cell=$3
  while [[ $cell =~ ^[\ ,]*\`([^\`]+)\`(.*) ]]; do
    cell=${BASH_REMATCH[2]}
    has "$kind" "${BASH_REMATCH[1]}" || wrong "$rule" "${BASH_REMATCH[1]}: no such $kind"
  done
  [ "${cell// /}" = "" ] || wrong "$rule" "$cell: not a name in backticks"
}

# Whether there is one of this name, or matching it.
has() {
  local kind=$1 name=$2 known
  [ -z "${exists[$kind $name]-}" ] || return 0
  [[ $name == *\** ]] || return 1
  for known in "${!exists[@]}"; do
    # shellcheck disable=SC2053  # a glob indeed
    if [[ $known == "$kind "$name ]]; then return; fi
  done
  return 1
}

# ---- The check itself ----

self_test() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  failed=0
  check || failed=1

  # how the page is broken, and what must be said of it
  broken '/^| RHVGCV /d' 'RHVGCV: has no row'
  broken '/^| RHVGCV /p' 'RHVGCV: has two rows'
  broken 's/^| RHVGCV /| RHVGCX /' 'RHVGCX: is not in rules.txt'
  broken '/^| RHVGCV /s/MUST/NOTE/' 'RHVGCV: is MUST'
  broken '/^| RHVGCV /s/$/ more |/' 'RHVGCV: has not 7 columns'
  broken 's/threshold.c:reserved/threshold.c:preserved/' 'ILQXJZ/2: threshold.c:preserved: no such function'
  broken 's/threshold.c:reserved/filter.c:reserved/' 'ILQXJZ/2: filter.c:reserved: no such function'
  broken 's/`pmuv3_filter`/`pmuv3_filters`/' 'RJJRJQ/DIS: pmuv3_filters: no such module'
  broken 's/Table-D13-5_A/Table-D13-5_Z/' 'D13-5/A: threshold_Table-D13-5_Z: no such test'
  broken 's/threshold_RHVGCV_\*/threshold_RHVGCX_*/' 'RHVGCV: threshold_RHVGCX_*: no such test'
  broken 's/ThresholdTest.Domains/ThresholdTest.Domain/' 'RBGDTJ: ThresholdTest.Domain: no such test'
  broken 's/rtl-threshold-own-one/rtl-threshold-own-two/' 'RYKFCB: rtl-threshold-own-two: no such defect'
  broken '/^| CYC-1 /s/`pmuv3.c:count`//' 'CYC-1: names no function'
  broken '/^| CYC-1 /s/`pmuv3`//' 'CYC-1: names no module'
  broken '/^| CYC-1 /s/`counter_.*Pairwise`//' 'CYC-1: names no test'
  broken '/^| CYC-1 /s/`pmuv3`/pmuv3/' 'CYC-1:  pmuv3 : not a name in backticks'
  broken "/^| CYC-8 /s/the core's: //" 'CYC-8: does not say whose it is'
  broken '/^| CYC-8 /s/| | |/| `pmuv3` | |/' 'CYC-8: is not of the model, and names something'
  return $failed
}

# A copy of the page, edited so, must fail and say so.
broken() {
  local edit=$1 expected=$2
  sed "$edit" "$root/docs/rules.md" >"$scratch/rules.md"
  page=$scratch/rules.md
  if ! check >"$scratch/said" && grep -qF "docs/rules.md: $expected" "$scratch/said"; then return; fi
  echo "$edit: expected \"$expected\", got:"
  cat "$scratch/said"
  failed=1
}

main "$@"
