#!/usr/bin/env bash
# `pmuv3 explore` in little memory: a trace of ten times the limit gives the same results under the
# limit. Usage: memory_test.sh PROGRAM SAMPLE
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
sample=$2
limit=20000 # KiB of address space, of which the program's code and stack are a part

"$sample" large.pmt 240000000 noise || fail "the sample"
[ "$(stat -c %s large.pmt)" -ge $((limit * 1024 * 10)) ] || fail "the trace is too small"
cat >many.cfg <<'CFG'
pmuv3-explore 1
inst_retired/threshold=1..7,threshold_compare=2/
stall_frontend,stall_backend,l1i_cache_refill
pmccntr
inst_retired/period=1000003/
CFG
status 0 large.pmt --config many.cfg --csv free.csv --json free.json --interval 65000
status 0 large.pmt --ask bias --csv bias.csv --period 4001
(ulimit -s 1024; ulimit -v $limit
 status 0 large.pmt --config many.cfg --csv limited.csv --json limited.json --interval 65000 --jobs 1
 status 0 large.pmt --ask bias --csv bias-limited.csv --period 4001 --jobs 1
 exit "$failures") || failures=$((failures + 1))
cmp free.csv limited.csv || fail "the CSV files differ"
cmp free.json limited.json || fail "the JSON files differ"
cmp bias.csv bias-limited.csv || fail "the samples differ"
all_held
