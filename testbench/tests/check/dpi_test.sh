#!/usr/bin/env bash
# `pmuv3 check --emit`: in another bench, the monitor has the same verdict, clock and number of comparisons.
# Usage: dpi_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
root=$1
name=dpi
small=$root/testbench/cosim/check/devices/small
library=$root/build/release/testbench/cosim/check/libpmuv3_dpi.so
program=$scratch/check
stand_in "$program" <<SCRIPT
#!/bin/sh
exec "$root/testbench/cosim/check/check.sh" --evidence "$scratch/evidence.db" --built "\$@"
SCRIPT
unset PMUV3_SOURCE

# played NAME [VERILATOR-ARGUMENT]...: the bench of the folder `emitted`, on a small device
played() {
  local here=$1
  shift
  verilator --binary -O3 -Wno-fatal -Wno-lint --top-module pmuv3_player -Mdir "$here" -CFLAGS -O0 "$@" emitted/pmuv3_player.sv \
    emitted/pmuv3_monitor.sv "$small/small_pmu.v" "$library" >"$here.log" 2>&1 || fail "verilator: $(tail -3 "$here.log")"
  # $error ends a simulation of Verilator by a signal, which a shell would report.
  (LD_LIBRARY_PATH=${library%/*} "$here/Vpmuv3_player" +inputs=emitted/pmuv3_player.hex || true) >"$here.out" 2>&1
}

# A stimulus on which a mistake diverges.
status 1 "$small/small.pmu" "$small/small_pmu.v" --jobs 1 --cycles 1000000 -DBUG_CARRY --no-shrink --out divergence
status 0 "$small/small.pmu" "$small/small_pmu.v" --replay divergence/stimulus.check --json good.json
status 1 "$small/small.pmu" "$small/small_pmu.v" --replay divergence/stimulus.check -DBUG_CARRY --json bad.json

status 0 "$small/small.pmu" "$small/small_pmu.v" --replay divergence/stimulus.check --emit emitted
played good
expected=$(jq -r '"pmuv3: equivalent: \(.cycles) clocks, \(.comparisons) comparisons"' good.json)
grep -qxF "$expected" good.out || fail "expected '$expected': $(cat good.out)"

status 0 "$small/small.pmu" "$small/small_pmu.v" --replay divergence/stimulus.check -DBUG_CARRY --emit emitted
played bad -DBUG_CARRY
expected="pmuv3: diverged: $(jq -r .first_divergence.words bad.json)"
grep -qxF "$expected" bad.out || fail "expected '$expected': $(cat bad.out)"

# What is refused.
unusable 'takes no --wave' "$small/small.pmu" "$small/small_pmu.v" --emit emitted --mode within
mkdir mine
echo mine >mine/pmuv3_monitor.sv
unusable "it is not as pmuv3 made it" "$small/small.pmu" "$small/small_pmu.v" --emit mine
[ "$(cat mine/pmuv3_monitor.sv)" = mine ] || fail "a file of the user's is gone"
all_held
