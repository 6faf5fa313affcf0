#!/usr/bin/env bash
# The same stimulus has the same verdict, clock and number of comparisons in each way to check it: `pmuv3 check`,
# the emitted monitor over DPI-C, Icarus Verilog over VPI, and recordings. Usage: simulators_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
root=$1
name=simulators
small=$root/testbench/cosim/check/devices/small
library=$root/build/release/testbench/cosim/check/libpmuv3_dpi.so
{ cat "$small/small.pmu" "$small/small.visible"; } >seen.pmu
cp "$small/small.pmu" blind.pmu
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
for see in seen blind; do
  status 0 $see.pmu "$small/small_pmu.v" --replay divergence/stimulus.check --json $see.good.json --wave $see.good.fst
  status 1 $see.pmu "$small/small_pmu.v" --replay divergence/stimulus.check -DBUG_CARRY --json $see.bad.json --wave $see.bad.fst
done

# verdict JSON: as a monitor prints it
verdict() {
  jq -r 'if .verdict == "equivalent" then "pmuv3: equivalent: \(.cycles) clocks, \(.comparisons) comparisons"
    else "pmuv3: diverged: \(.first_divergence.words)" end' "$1"
}

# ---- Recordings ----
# recorded DESCRIPTION FILE LIKE: the verdict of a recording is that of another JSON
recorded() {
  local expected=0
  [ "$(jq -r .verdict "$3")" = equivalent ] || expected=1
  status "$expected" "$1" --recorded "$2" --json recorded.json
  [ "$(verdict recorded.json)" = "$(verdict "$3")" ] || fail "$2: $(verdict recorded.json), expected $(verdict "$3")"
  [ "$(jq -c '[.cycles, .comparisons, .compared]' recorded.json)" = "$(jq -c '[.cycles, .comparisons, .compared]' "$3")" ] ||
    fail "$2: other numbers than $3"
}
for see in seen blind; do
  for bug in good bad; do
    recorded $see.pmu $see.$bug.fst $see.$bug.json
    fst2vcd $see.$bug.fst >$see.$bug.vcd || fail "fst2vcd"
    recorded $see.pmu $see.$bug.vcd $see.$bug.json
  done
done

# ---- DPI-C ----

status 0 "$small/small.pmu" "$small/small_pmu.v" --replay divergence/stimulus.check --emit emitted
played good
expected=$(verdict blind.good.json)
grep -qxF "$expected" good.out || fail "expected '$expected': $(cat good.out)"

status 0 "$small/small.pmu" "$small/small_pmu.v" --replay divergence/stimulus.check -DBUG_CARRY --emit emitted
played bad -DBUG_CARRY
expected=$(verdict blind.bad.json)
grep -qxF "$expected" bad.out || fail "expected '$expected': $(cat bad.out)"

# ---- Icarus Verilog ----
# The player is of the emitted files; a second top module dumps the signals.
cat >dump.v <<'RTL'
module dump;
  integer i;
  initial begin
    $dumpfile("icarus.fst");
    $dumpvars(0, pmuv3_player);
    for (i = 0; i < 6; i = i + 1) $dumpvars(0, pmuv3_player.dut.cnt[i]);
  end
endmodule
RTL
for bug in good bad; do
  macro=()
  [ $bug = good ] || macro=(-DBUG_CARRY)
  iverilog -g2012 "${macro[@]}" -s pmuv3_player -s dump -o player.vvp emitted/pmuv3_player.sv dump.v "$small/small_pmu.v" \
    >/dev/null 2>&1 || fail "iverilog"
  for see in seen blind; do
    vvp -M "${library%/*}" -m pmuv3_vpi player.vvp -fst +pmuv3=$see.pmu +inputs=emitted/pmuv3_player.hex >vpi.out 2>&1
    [ $? = "$([ $bug = good ] && echo 0 || echo 1)" ] || fail "vvp, $bug: exit status"
    expected=$(verdict $see.$bug.json)
    grep -qxF "$expected" vpi.out || fail "expected '$expected': $(cat vpi.out)"
    recorded $see.pmu icarus.fst $see.$bug.json
  done
done

# ---- What is refused ----
unusable 'takes no --wave' "$small/small.pmu" "$small/small_pmu.v" --emit emitted --mode within
mkdir mine
echo mine >mine/pmuv3_monitor.sv
unusable "it is not as pmuv3 made it" "$small/small.pmu" "$small/small_pmu.v" --emit mine
[ "$(cat mine/pmuv3_monitor.sv)" = mine ] || fail "a file of the user's is gone"
all_held
