#!/usr/bin/env bash
# `pmuv3 shrink` as a user meets it, where nothing diverges; where something does it is tried by
# testbench/shrink/measure.sh. Usage: shrink_test.sh PROGRAM
set -u
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# status EXPECTED ARGUMENT...: runs, and keeps what was printed.
status() {
  local expected=$1 actual=0
  shift
  "$program" "$@" >out 2>err || actual=$?
  [ "$actual" -eq "$expected" ] || fail "shrink $*: exit status $actual, expected $expected"
  if [ -e good.min.stim ] || [ -e test.cc ]; then fail "shrink $*: a file was left"; fi
}

# unusable PATTERN ARGUMENT...: exit status 2, one line that matches.
unusable() {
  local pattern=$1
  shift
  status 2 "$@"
  [ "$(wc -l <err)" -eq 1 ] || fail "shrink $*: not one line: $(cat err)"
  grep -qE "$pattern" err || fail "shrink $*: $(cat err)"
  [ ! -s out ] || fail "shrink $*: something was done: $(cat out)"
}

cat >good.stim <<'STIM'
pmuv3-stimulus 1
param counters=2
write PMEVTYPER0_EL0 0x0008
write PMCNTENSET_EL0 3
write PMCR_EL0 1
cycle 0x0008:3
expect PMEVCNTR0_EL0 4
STIM
sed 's/cycle 0x0008:3/cycle 0x0008/' good.stim >bad.stim

unusable '^pmuv3 shrink: '
unusable '^pmuv3 shrink: ' --no-such-option good.stim
unusable '^pmuv3 shrink: ' good.stim good.stim
unusable '^pmuv3 shrink: ' --seconds 0 good.stim
unusable '^pmuv3 shrink: ' --seconds soon good.stim
unusable '^pmuv3 shrink: ' --x-seed 0 good.stim
unusable '^pmuv3 shrink: ' good.stim -o
unusable '^pmuv3 shrink: ' good.stim -o /nonexistent/directory/out.stim
unusable '^pmuv3 shrink: ' good.stim --test /nonexistent/directory/test.cc
unusable '^missing.stim:1: ' missing.stim
unusable '^bad.stim:6: ' bad.stim
unusable '^\.:1: ' .

# An expectation that fails is no divergence.
status 0 good.stim --seconds 5 --same --test test.cc
grep -qx 'good.stim: no divergence, so nothing to shrink' out || fail "what it says: $(cat out)"
status 0 --help
grep -q 'docs/shrink.md' out || fail "no help: $(cat out)"

[ "$failures" -eq 0 ] && echo "all held"
exit "$((failures > 0))"
