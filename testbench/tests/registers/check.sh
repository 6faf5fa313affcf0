#!/usr/bin/env bash
# Every register must have a test: a litmus file or a unit test that names the register.
#
#   check.sh               lists the registers without a test
#   check.sh REGISTER...   lists the tests of each register
#
# The registers are those of registers.def and external.def. A register of each counter has <n> in its name:
# PMEVTYPER<n>_EL0. In unit tests, a register's name is PMUV3_ and its id.
#
# Exit status: 0 every register has a test, 1 a register has none, 2 unknown register, 3 no verdict.
set -euo pipefail

root=$(realpath "$(dirname "$0")/../../..")
# shellcheck source=../../common.sh
. "$root/testbench/common.sh"
shopt -s inherit_errexit
end_without_verdict
declare -A id # by a register's name

collect() {
  local table of name
  table=$(sed -nE 's/^PMUV3_(REGISTER|VIEW|EXTERNAL|EXTERNAL_ONLY)\((\w+), (\w+, )?"([^"]+)".*/\2 \4/p' \
    "$root"/cmodel/include/pmuv3/{external,registers}.def | sed 's/%u/<n>/')
  [ -n "$table" ] || end_with 3 "no verdict: there are no registers"
  while read -r of name; do id[$name]=$of; done <<<"$table"
}

# tests_of REGISTER: prints the register's litmus files and unit tests, one a line.
tests_of() {
  local name=$1 pattern
  pattern="(^|[^A-Za-z0-9_])(${name/<n>/[0-9]+}|PMUV3_${id[$name]}n?)([^A-Za-z0-9_]|\$)"
  { grep -lE "$pattern" "$root"/testbench/tests/litmus/*.stim || [ $? = 1 ]; } |
    sed 's|.*/|litmus |; s/\.stim$//'
  "$root/testbench/tests/registers/unit_tests.py" "$pattern" \
    "$root"/testbench/tests/{unit,exhaustive}/*.cc
}

list() {
  local name
  for name; do
    [ -n "${id[$name]-}" ] || unusable "$name: no such register"
    echo "$name"
    tests_of "$name" | sed 's/^/  /'
  done
}

check() {
  local name tests none=0
  for name in "${!id[@]}"; do
    tests=$(tests_of "$name")
    [ -z "$tests" ] || continue
    echo "$name: no test"
    none=1
  done
  [ $none = 0 ] || exit 1
  echo "${#id[@]} registers, each with tests"
}

collect
if [ $# -gt 0 ]; then list "$@"; else check; fi
