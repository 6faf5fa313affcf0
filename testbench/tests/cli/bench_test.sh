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

# Google Benchmark's variables have no effect.
echo precious >mine
BENCHMARK_OUT=mine BENCHMARK_FILTER=none BENCHMARK_LIST_TESTS=true BENCHMARK_PERF_COUNTERS=x BENCHMARK_MIN_TIME=1000 \
  status 0 "${short[@]}" --json bench.json
[ "$(cat mine)" = precious ] || fail "BENCHMARK_OUT: a file was overwritten"
[ "$(jq '[.. | numbers] | length > 0' bench.json)" = true ] || fail "BENCHMARK_FILTER: $(cat bench.json)"

# A measurement whose process dies has no result.
child_killed --min-time 1000
[ "$(cat err)" = "pmuv3 bench: 1 counters, 1 threads: its process ended early" ] ||
  fail "a measurement was killed: $(cat err)"

all_held
