#!/usr/bin/env bash
# What proves mutants equivalent can say no: of those that the sample killed (mutate.sh --sample) it proves none.
#
#   prove_test.sh BUILD WORK   what mutate.sh made there
set -u
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
build=$1 work=$2

# killed SIDE DIR: their numbers and names.
killed() {
  awk -F'\t' 'NR == FNR { killed[$0]; next } $2 in killed { print $1 "\t" $2 }' \
    <(sqlite3 "$work.db" "SELECT name FROM mutant WHERE side = '$1'
                                   AND verdict = 'killed'") "$2/mutants.list"
}

# expect_no ANSWER PATTERN NAME
expect_no() {
  grep -qE "$2" <<<"$1" || fail "$3 was killed: $1"
}

# Settings of the user must not answer in the prover's place.
mkdir home
printf 'alias iprove "echo UNSATISFIABLE"\n' >home/.abc.rc
export HOME=$PWD/home

# Each of the RTL: all can be told from it in one clock.
tried=0
rtl=$(echo "$work"/rtl-*)
while IFS=$'\t' read -r number name; do
  expect_no "$("$here/prove_rtl.sh" "$build" "$rtl" "$number")" '^[0-9]+ differs' "$name"
  tried=$((tried + 1))
done < <(killed rtl "$rtl")
[ "$tried" -gt 0 ] || fail "no mutant of the RTL was killed"

# Nothing differs from itself.
[ "$("$here/prove_rtl.sh" "$build" "$rtl" 0)" = '0 equivalent' ] || fail "the RTL is not equivalent to itself"

# Of the C model all at once.
cmodel=$(echo "$work"/cmodel-*)
mapfile -t names < <(killed cmodel "$cmodel" | cut -f2)
answers=$("$here/prove_cmodel.sh" "$build" "$cmodel" idle "${names[@]}")
for name in "${names[@]}"; do expect_no "$(grep -F "$name " <<<"$answers")" ' (differs|no answer)' "$name"; done
[ "$(grep -c ' differs ' <<<"$answers")" -ge 2 ] ||
  fail "of fewer than two mutants of the C model it is seen that they differ: $answers"

all_held
