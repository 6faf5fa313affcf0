#!/usr/bin/env bash
# `pmuv3 explore --bench` leaves no file, and makes none outside of TMPDIR. Usage: bench_test.sh PROGRAM
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"

TMPDIR=absent unusable "^pmuv3 explore: cannot make a file in 'absent' \(TMPDIR\): No such file or directory" --bench
unusable '^pmuv3 explore: --bench stands alone' --bench t.pmt
mkdir tmp
TMPDIR=$PWD/tmp setpriv --pdeathsig KILL "$program" --bench >out 2>err &
for _ in {1..200}; do
  [ -z "$(find "/proc/$!/fd" -lname "$PWD/tmp/* (deleted)" 2>/dev/null)" ] || break
  sleep 0.01
done
[ -n "$(find "/proc/$!/fd" -lname "$PWD/tmp/* (deleted)")" ] || fail "the trace is not in TMPDIR"
kill -9 $!
wait $! 2>/dev/null
[ -z "$(ls -A tmp)" ] || fail "the bench left $(ls -A tmp)"
all_held
