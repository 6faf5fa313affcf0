#!/usr/bin/env bash
# `pmuv3 bench` for a user. Usage: bench_test.sh PROGRAM
# shellcheck source=check.sh
. "$(dirname "$0")/check.sh"
short=(--repetitions 1 --min-time 0.001)

unusable '^pmuv3 bench: --repetitions takes a number' --repetitions 0
unusable '^pmuv3 bench: --repetitions takes a number from 1 to 1000' --repetitions 1.9
unusable '^pmuv3 bench: --min-time takes a number' --min-time soon
unusable "^pmuv3 bench: unusable argument 'stray'" stray
: >out
refuses_others --json out --min-time 1000
checks_stdout 0 "${short[@]}"
status 2 "${short[@]}" --json /dev/full
grep -qx "pmuv3 bench: --json: cannot write '/dev/full': No space left on device" err || fail "a full device: $(cat err)"

# A measurement whose process dies has no result.
child_killed --min-time 1000
[ "$(cat err)" = "pmuv3 bench: 1 counters, 1 threads: its process ended early" ] ||
  fail "a measurement was killed: $(cat err)"

all_held
