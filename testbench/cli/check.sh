# shellcheck shell=bash
# What tests in bash share: a scratch directory to work in, how something that does not hold is
# said, and the program, if it is of one. Sourced by NAME_test.sh [PROGRAM]; all_held ends it.
set -u
# shellcheck disable=SC2034  # the tests' own files
here=$(cd "$(dirname "$0")" && pwd)
program=${1-}
name=${program##*/pmuv3-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# stand_in FILE: a program, from standard input.
stand_in() {
  cat >"$1"
  chmod +x "$1"
}

# counts EXPECTED: good.stim, of eight lines, counts 3 of an event and expects that many.
counts() {
  cat >good.stim <<STIM
pmuv3-stimulus 1
param counters=2
write PMEVTYPER0_EL0 0x0008
write PMCNTENSET_EL0 3
write PMCR_EL0 1
cycle 0x0008:3
idle 1
expect PMEVCNTR0_EL0 $1
STIM
}

# status EXPECTED ARGUMENT...: runs, and keeps what was printed.
status() {
  local expected=$1 actual=0
  shift
  "$program" "$@" >out 2>err || actual=$?
  [ "$actual" -eq "$expected" ] || fail "$name $*: exit status $actual, expected $expected: $(cat err)"
}

# unusable PATTERN ARGUMENT...: exit status 2, one line that matches.
unusable() {
  local pattern=$1
  shift
  status 2 "$@"
  [ "$(wc -l <err)" -eq 1 ] || fail "$name $*: not one line: $(cat err)"
  grep -qE "$pattern" err || fail "$name $*: $(cat err)"
  [ ! -s out ] || fail "$name $*: something was done: $(cat out)"
}

# left FILE...: none of them may be there.
left() {
  local file
  for file; do [ ! -e "$file" ] || fail "$name: $file was left"; done
}

all_held() {
  [ "$failures" -eq 0 ] && echo "all held"
  exit "$((failures > 0))"
}
