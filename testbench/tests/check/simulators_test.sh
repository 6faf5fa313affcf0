#!/usr/bin/env bash
# The same stimulus has the same verdict, clock and number of comparisons in each way to check it: `pmuv3 check`,
# recordings, the emitted monitor over DPI-C, and Icarus Verilog over VPI. For the example devices, as they are and
# with a planted mistake. Usage: simulators_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
root=$1
name=simulators
devices=$root/testbench/cosim/check/devices
library=$root/build/release/testbench/cosim/check/libpmuv3_dpi.so
program=$scratch/check
stand_in "$program" <<SCRIPT
#!/bin/sh
exec "$root/testbench/cosim/check/check.sh" --evidence "$scratch/evidence.db" --built "\$@"
SCRIPT
unset PMUV3_SOURCE

# verdict JSON: as a monitor prints it
verdict() {
  jq -r 'if .verdict == "equivalent" then "pmuv3: equivalent: \(.cycles) clocks, \(.comparisons) comparisons"
    else "pmuv3: diverged: \(.first_divergence.words), after \(.cycles) clocks and \(.comparisons) comparisons" end' "$1"
}

# expect_verdict JSON OUTPUT: a monitor has said so
expect_verdict() {
  grep -qxF "$(verdict "$1")" "$2" || fail "$device: expected '$(verdict "$1")': $(cat "$2")"
}

# exit_of JSON: the exit status of that verdict
exit_of() { [ "$(jq -r .verdict "$1")" != equivalent ]; echo $((1 - $?)); }

# ---- One way each ----
# All are of the device and the mistake `bug`; empty: none. `macro` plants it.

# live SEE: the run that the others are compared with
live() {
  status "$([ -z "$bug" ] && echo 0 || echo 1)" "$1.pmu" "$rtl" --replay divergence/stimulus.check "${macro[@]}" \
    --json "$1.json" --wave "$1.fst"
}

# recorded SEE FILE
recorded() {
  local numbers='[.cycles, .comparisons, .compared, .verdict, .first_divergence.words]'
  status "$(exit_of "$1.json")" "$1.pmu" --recorded "$2" --json recorded.json
  [ "$(jq -c "$numbers" recorded.json)" = "$(jq -c "$numbers" "$1.json")" ] ||
    fail "$device, $2: $(jq -c "$numbers" recorded.json), expected $(jq -c "$numbers" "$1.json")"
}

# in_vcd SEE: a VCD does not keep the order of the structs that dual has
in_vcd() {
  fst2vcd "$1.fst" >"$1.vcd" || fail "fst2vcd"
  if [ "$device" = dual ]; then
    unusable "'TOP.DualPmu' in $1.vcd: \"did\" is a struct, whose order a VCD does not keep; use an FST" "$1.pmu" --recorded "$1.vcd"
  else
    recorded "$1" "$1.vcd"
  fi
}

# over_dpi SEE: the emitted player and the monitor, which is bound to the device
over_dpi() {
  status 0 "$1.pmu" "$rtl" --replay divergence/stimulus.check "${macro[@]}" --emit emitted
  verilator --binary -O3 -Wno-fatal -Wno-lint --top-module pmuv3_player -Mdir player -CFLAGS -O0 "${macro[@]}" \
    emitted/pmuv3_player.sv emitted/pmuv3_monitor.sv "$rtl" "$library" >verilator.log 2>&1 || fail "verilator: $(tail -3 verilator.log)"
  play dpi.out
  expect_verdict "$1.json" dpi.out
}

# play OUTPUT [ARGUMENT]... $error ends a simulation of Verilator by a signal, which a shell would report.
play() {
  (LD_LIBRARY_PATH=${library%/*} player/Vpmuv3_player +inputs=emitted/pmuv3_player.hex "${@:2}" || true) >"$1" 2>&1
}

# A second top module dumps the signals, and the elements of arrays that the description names.
# shellcheck disable=SC2016 # Verilog
dump() {
  echo 'module dump; initial begin $dumpfile("icarus.fst"); $dumpvars(0, pmuv3_player);'
  sed -nE 's/^visible counter [0-9]+ (.*\[[0-9]+\])$/$dumpvars(0, pmuv3_player.dut.\1);/p' seen.pmu
  echo 'end endmodule'
}

# in_icarus SEE...: the player of emitted/, checked over VPI and recorded
in_icarus() {
  local see actual
  dump >dump.v
  iverilog -g2012 "${macro[@]}" -s pmuv3_player -s dump -o player.vvp emitted/pmuv3_player.sv dump.v "$rtl" >/dev/null 2>&1 || fail "iverilog"
  for see; do
    actual=0
    vvp -M "${library%/*}" -m pmuv3_vpi player.vvp -fst "+pmuv3=$see.pmu" +inputs=emitted/pmuv3_player.hex >vpi.out 2>&1 || actual=$?
    [ "$actual" = "$(exit_of "$see.json")" ] || fail "$device: vvp: exit status $actual: $(cat vpi.out)"
    expect_verdict "$see.json" vpi.out
    # Icarus Verilog does not record elements of an array of wires, which apb has.
    [ "$device" = apb ] || recorded "$see" icarus.fst
  done
}

# ---- The devices ----

# begin DEVICE MISTAKE: in a folder of its own, with a stimulus on which the mistake diverges
begin() {
  device=$1
  mkdir "$scratch/$1" && cd "$scratch/$1" || exit 1
  rtl=$(find "$devices/$1" -name '*.v' -o -name '*.sv')
  grep -v '^visible' "$devices/$1/$1.pmu" >blind.pmu
  cat "$devices/$1/$1.pmu" "$devices/$1/$1.visible" >seen.pmu 2>/dev/null
  status 1 blind.pmu "$rtl" --jobs 1 --cycles 1000000 "-DBUG_$2" --no-shrink --out divergence
}

# ways MISTAKE SEE...: the last way to see the device is that of the monitor
ways() {
  local see bug macro
  for bug in '' "$1"; do
    macro=(${bug:+"-DBUG_$bug"})
    for see in "${@:2}"; do
      live "$see"
      recorded "$see" "$see.fst"
      in_vcd "$see"
    done
    over_dpi "$see"
    [ -n "$bug" ] || cp "$see.fst" good.fst
    # Icarus Verilog 11 does not take the RTL of dual.
    [ "$device" = dual ] || in_icarus "${@:2}"
  done
}

# calibrated SEE LATENCY...: the recording of the device as it is has these latencies, and no others explain it
calibrated() {
  local latency
  status 0 "$1.pmu" --recorded good.fst --calibrate
  for latency in "${@:2}"; do grep -qx "latency $latency" out || fail "$device: no 'latency $latency': $(cat out)"; done
}

begin small DROP
ways DROP seen blind
calibrated blind 'event 2' 'flag 1' 'interrupt 1' 'read 1'
sed '/^latency/d' blind.pmu >untimed.pmu
calibrated untimed 'event 2' 'flag 1' 'interrupt 1' 'read 1'

# The monitor does not take a description whose pins are others, or in another order.
# refused MESSAGE [SED-SCRIPT]: of the description without internals
refused() {
  sed -E "${2-}" blind.pmu >other.pmu
  play refused.out +pmuv3=other.pmu
  grep -qE "pmuv3: other.pmu:$1" refused.out || fail "expected '$1': $(cat refused.out)"
  ! grep -q 'comparisons' refused.out || fail "checked all the same: $(cat refused.out)"
}
refused '7: other pins than when the monitor was made: emit again' \
  '/ev_retired/{s/ev_retired/ev_mispredict/;n;s/ev_mispredict/ev_retired/}'
refused '7: other pins than' '/ev_retired/{h;d};/ev_mispredict/G'
refused '12: other pins than' '/^irq/d'
refused '6: "rset" is no item' 's/^reset/rset/'
refused '13: "csr_wdata" has 32 bits, the port 64' 's/width=32/width=64/'

# Nor what the options do not fit.
unusable 'takes no --wave' blind.pmu "$rtl" --emit emitted --mode within
mkdir mine
echo mine >mine/pmuv3_monitor.sv
unusable "it is not as pmuv3 made it" blind.pmu "$rtl" --emit mine
[ "$(cat mine/pmuv3_monitor.sv)" = mine ] || fail "a file of the user's is gone"

# Bits of a range that ascends are refused in Icarus Verilog, too.
cat >asc.v <<'END'
module asc (input clk, rst_n, input [0:1] events, input request, write, input [7:0] address,
            input [31:0] data, output [31:0] value);
  assign value = 0;
endmodule
module bench;
  reg clk = 0;
  wire [31:0] value;
  asc dut (clk, 1'b1, 2'b10, 1'b0, 1'b0, 8'd0, 32'd0, value);
  initial begin #5 clk = 1; #5 $finish; end
endmodule
END
cat >asc.pmu <<'END'
pmuv3-device 1
param counters=2
top asc
clock clk
reset rst_n low
event 0x0008 events[0]
port csr request=request write=write address=address data=data value=value width=32 response=1
register 0 PMCR_EL0.low
END
iverilog -g2012 -s bench -o asc.vvp asc.v || fail "iverilog"
vvp -M "${library%/*}" -m pmuv3_vpi asc.vvp +pmuv3=asc.pmu >refused.out 2>&1 && fail "an ascending range: $(cat refused.out)"
grep -q 'asc.pmu:6: the lowest index of "events" is on the left' refused.out || fail "an ascending range: $(cat refused.out)"

# ---- More than one instance ----

# The player's device has the parameters of the command.
sed 's/counters=6/counters=2/' blind.pmu >two.pmu
status 0 two.pmu "$rtl" -GN=7 -GN=002 --emit emitted
iverilog -g2012 -s pmuv3_player -o two.vvp emitted/pmuv3_player.sv "$rtl" >/dev/null 2>&1 || fail "iverilog"
vvp -M "${library%/*}" -m pmuv3_vpi two.vvp +pmuv3=two.pmu +inputs=emitted/pmuv3_player.hex >two.out || fail "parameters: $(cat two.out)"
grep -q '^pmuv3: equivalent: ' two.out || fail "parameters: $(cat two.out)"
echo '-GN=2' >two.f
unusable "--emit: '-GN=2' is in a file of -f; expected it in the command" two.pmu -f two.f "$rtl" --emit emitted

# beside FOLDER MODULE OTHER: the player of the folder, with another instance of the same inputs, in both.sv
beside() {
  sed "/ $2 dut (/,/);/{H;\$!{/);/!b};x;s/ $2 dut/ $3 other/;x;G}" "$1/pmuv3_player.sv" >both.sv
}
# compile FILE...: the simulation of both.sv with the monitor
compile() {
  verilator --binary -O3 -Wno-fatal -Wno-lint --top-module pmuv3_player -Mdir player -CFLAGS -O0 both.sv "$@" "$library" \
    >verilator.log 2>&1 || fail "verilator: $(tail -3 verilator.log)"
}

# Another kind of device has its own description, and its own monitor. This one has the mistake.
{ echo '`define BUG_DROP' && sed 's/module small_pmu/module other_pmu/' "$rtl"; } >other.v
sed 's/^top .*/top other_pmu/' blind.pmu >other.pmu
status 0 other.pmu other.v --cycles 100 --emit other
status 0 blind.pmu "$rtl" --replay divergence/stimulus.check --emit emitted
beside emitted small_pmu other_pmu
both() {
  [ "$(grep -c '^pmuv3: equivalent' both.out) $(grep -c '^pmuv3: diverged' both.out)" = '1 1' ] || fail "$1: $(cat both.out)"
  grep -q 'pmuv3_player.other.* is not equivalent' both.out || fail "$1: $(cat both.out)"
}
iverilog -g2012 -s pmuv3_player -o both.vvp both.sv "$rtl" other.v >/dev/null 2>&1 || fail "iverilog"
vvp -M "${library%/*}" -m pmuv3_vpi both.vvp +pmuv3=blind.pmu +pmuv3=other.pmu +inputs=emitted/pmuv3_player.hex >both.out
both "over VPI"
vvp -M "${library%/*}" -m pmuv3_vpi both.vvp +pmuv3=blind.pmu +pmuv3=other.pmu +pmuv3_top=other_pmu >refused.out
grep -q '+pmuv3_top is of one description' refused.out || fail "one top module of two: $(cat refused.out)"
compile emitted/pmuv3_monitor.sv other/pmuv3_monitor.sv "$rtl" other.v
# A simulation of Verilator ends at the first $error, without the verdict of the other.
play both.out
grep -q 'pmuv3_player.other.* is not equivalent' both.out || fail "over DPI-C: $(cat both.out)"
refused '1: another top module than when the monitor was made: emit again'
play both.out +pmuv3_small_pmu=other.pmu
grep -q 'other.pmu:1: another top module' both.out || fail "a description for one module: $(cat both.out)"

# Each instance has its own parameters. Bits of a port, and internals, must have the width that they had.
cat >wide.v <<'END'
module wide #(parameter W = 2) (input clk, rst_n, input [W-1:0] ev, input request, write, input [7:0] address,
            input [31:0] data, output [31:0] value);
  reg [31:0] enabled;
  wire [15*W+1:0] inner = 0;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) enabled <= 0;
    else if (request && write && address == 4) enabled <= enabled | data & 32'h80000003;
  assign value = address == 4 ? enabled : 0;
endmodule
END
cat >wide.pmu <<'END'
pmuv3-device 1
param counters=2 el2=0 el3=0 features=PMUv3p1
top wide
clock clk
reset rst_n low
event 0x0008 ev
port csr request=request write=write address=address data=data value=value width=32 response=0
register 4 PMINTENSET_EL1
END
# wider [SED-SCRIPT]: what the simulation says of the description, changed so, for instances of W=2 and W=5
wider() {
  sed "${1-}" wide.pmu >changed.pmu
  status 0 changed.pmu wide.v --emit wide
  beside wide wide 'wide #(.W(5))'
  sed -i "/ other (/,/);/s/(ev)/({3'b0, ev})/" both.sv
  compile wide/pmuv3_monitor.sv wide.v
  (LD_LIBRARY_PATH=${library%/*} player/Vpmuv3_player +inputs=wide/pmuv3_player.hex || true) >both.out 2>&1
}
wider
[ "$(grep -c '^pmuv3: equivalent' both.out)" = 2 ] || fail "another width: $(cat both.out)"
for changed in 's/ ev$/ ev[0]/; s/^reset.*/&\ntie ev[1] 0/' "\$ a visible counter 0 inner"; do
  wider "$changed"
  grep -qE 'other.*another width than when the monitor was made' both.out || fail "another width ($changed): $(cat both.out)"
done

begin apb LOW_ONLY
ways LOW_ONLY seen
refused '[0-9]+: the monitor has more pins: emit again'

begin dual NEXT_LEVEL
ways NEXT_LEVEL seen

# ---- Arrays in a struct ----
# In an FST of Verilator the first member is highest, and the first element of an array in the struct lowest. No two
# elements of an array carry the same here.
device=nested
mkdir "$scratch/nested" && cd "$scratch/nested" || exit 1
rtl=$PWD/nested.sv
cat "$devices/small/small_pmu.v" - >nested.sv <<'END'
package Nested;
  typedef bit Flag;
  typedef struct packed {
    bit [1:0] count;
    bit       one;
  } Unit;
  typedef struct packed {
    bit [1:0][1:0] pair;
    Unit [1:0]     unit;
    Flag [1:0]     flag;
  } Activity;
endpackage

module nested_pmu import Nested::*; (
  input  bit        clk, rst_n,
  input  Activity   act,
  input  bit        csr_req, csr_we,
  input  bit [7:0]  csr_addr,
  input  bit [31:0] csr_wdata,
  output bit [31:0] csr_rdata,
  output bit        irq
);
  Activity seen;
`ifdef BUG_SWAPPED
  assign seen = '{pair: {act.pair[0], act.pair[1]}, unit: {act.unit[0], act.unit[1]}, flag: {act.flag[0], act.flag[1]}};
`else
  assign seen = act;
`endif
  small_pmu pmu (
    .clk, .rst_n, .ev_retired(seen.unit[1].count), .ev_mispredict(seen.flag[1]), .ev_dcache(seen.flag[0]),
    .ev_stall_slot(4'(seen.unit[0].count) + 4'(seen.pair[0])), .ev_irq_taken(seen.unit[0].one),
    .csr_req, .csr_we, .csr_addr, .csr_wdata, .csr_rdata, .irq
  );
endmodule
END
{
  sed 's/^top .*/top nested_pmu/; /^event/d' "$devices/small/small.pmu"
  printf '%s\n' 'event 0x0004 act[0]' 'event 0x0010 act[1]' 'event 0x0086 act[2]' 'event 0x003F act[4:3]' \
    'tie act[5] 0' 'event 0x0008 act[7:6]' 'event 0x003F act[9:8]' 'tie act[11:10] 0'
} >nested.pmu
status 1 nested.pmu "$rtl" --jobs 1 --cycles 1000000 -DBUG_SWAPPED --no-shrink --out divergence
for bug in '' SWAPPED; do
  macro=(${bug:+"-DBUG_$bug"})
  live nested
  recorded nested nested.fst
done
all_held
