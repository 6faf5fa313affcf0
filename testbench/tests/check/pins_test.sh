#!/usr/bin/env bash
# Pins of `pmuv3 check`: ranges that do not begin at 0, what a replay's pins can carry, and names with any character.
# Usage: pins_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
# shellcheck source=tiny.sh
. "$here/tiny.sh"

# ---- Ranges ----
cat >ranged.v <<'RTL'
module ranged(input [2:1] clks, input rst_n, input [3:1] mode, input ev, input req, input we, input [7:0] addr,
              input [31:0] wdata, output [31:0] rdata);
  reg [31:0] shadow[1:6], down[6:1];
  reg [4:2] part;
  reg [3:0] two[0:1][0:1];
  wire [31:0] value;
  always @(posedge clks[2]) begin
    shadow[1 + addr[2:0] % 5] <= 32'hbad;
    shadow[6] <= 0;
    down[2 + addr[2:0] % 5] <= 32'hbad;
    down[1] <= 0;
    part <= 3'b101;
    two[0][1] <= ev;
  end
  tiny t(.clk(clks[2]), .rdata(value), .*);
  assign rdata = mode == 3'b001 ? value : 0;
endmodule
RTL
cat >$tiny.ranged.pmu <<'PMU'
pmuv3-device 1
param counters=2 el2=0 el3=0 features=PMUv3p1
top ranged
clock clks[2]
tie clks[1] 0
reset rst_n low
tie mode[1] 1
tie mode[3:2] 0
event 0x0008 ev
port csr request=req write=we address=addr data=wdata value=rdata response=0 width=32
register 0x00 PMINTENSET_EL1
visible counter 0 shadow[6]
visible counter 1 down[1]
visible flag 0 part[3]
PMU
ranged=(ranged.v tiny.v --top ranged -DVALUE=enables --verilator --public-flat-rw)
status 0 $tiny.ranged.pmu "${ranged[@]}" --cycles 20000 --json ranged.json
jq -e '.compared.counter > 30000 and .compared.overflow > 10000 and .compared.read > 1000' ranged.json >/dev/null || fail ranged.json
status 0 $tiny.ranged.pmu "${ranged[@]}" --cycles 300 --emit emitted
grep -q '^  wire \[3:1\] mode = {' emitted/pmuv3_player.sv || fail "another range: $(grep wire emitted/pmuv3_player.sv)"
verilator --lint-only --timing -Wno-lint -Wno-fatal --top-module pmuv3_player -DVALUE=enables emitted/*.sv ranged.v tiny.v >lint 2>&1 ||
  fail "the player: $(cat lint)"

# beyond PATTERN SCRIPT: the changed description is unusable
beyond() {
  sed -E "$2" $tiny.ranged.pmu >$tiny.beyond.pmu
  unusable "^$tiny.beyond.pmu:[0-9]+: $1" $tiny.beyond.pmu "${ranged[@]}" --cycles 100
}
beyond '"mode" has bits \[3:1\]; \[0:0\] is beyond' 's/mode\[1\]/mode[0]/'
beyond '"mode" has bits \[3:1\]; \[4:2\] is beyond' 's/mode\[3:2\]/mode[4:2]/'
beyond '"clks" has bits \[2:1\]; \[3:3\] is beyond' 's/clks\[2\]/clks[3]/'
beyond '"shadow" has elements 1 to 6; 7 is beyond' 's/shadow\[6\]/shadow[7]/'
beyond '"shadow" has elements 1 to 6; 0 is beyond' 's/shadow\[6\]/shadow[0]/'
beyond '"part" has bits \[4:2\]; \[5:5\] is beyond' 's/part\[3\]/part[5]/'
beyond '"two" is no array of one dimension' 's/shadow\[6\]/two[1]/'
beyond '4 does not fit into the 2 bits of "mode"' 's/^(tie mode.3:2.) 0/\1 4/'
beyond '2 does not fit into the 1 bits of "mode"' 's/^tie mode.1. 1/state el mode[1] 2=1 1=0/'
beyond '"down" has 32 bits; expected at most 16 for visible V' 's/^visible flag.*/visible V 0 down[2]/'
beyond 'input "mode\[3\]" of ranged is in no line; add "tie mode\[3\] 0" if it is constant' 's/mode\[3:2\]/mode[2]/'
beyond 'input "clks\[1\]" of ranged is in no line; ' '/^tie clks/d'

# Bits of what counts upwards from the left, which Verilator's model does not tell from others.
for name in mode part; do
  sed -E "s/\[([0-9]):([0-9])\] $name/[\2:\1] $name/" ranged.v >ascending.v
  unusable "^$tiny.ranged.pmu:[0-9]+: the lowest index of \"$name\" is on the left; expected no bits of it" \
    $tiny.ranged.pmu ascending.v "${ranged[@]:1}" --cycles 100
done
# So does a packed array if one of its ranges does, or a range that a type has.
sed 's/mode\[1\]/mode[0]/; s/mode\[3:2\]/mode[2:1]/' $tiny.ranged.pmu >$tiny.packed.pmu
for type in 'logic [0:2][0:0]' 'logic [0:0][0:2]' counted; do
  sed "1i typedef logic [0:2] counted;
    s/\[3:1\] mode/$type mode/" ranged.v >ascending.v
  unusable "^$tiny.packed.pmu:[0-9]+: the lowest index of \"mode\" is on the left; expected no bits of it" \
    $tiny.packed.pmu ascending.v "${ranged[@]:1}" --cycles 100
done

# ---- What pins can carry ----
# carries PATTERN LINE: a stimulus with this line is unusable
carries() {
  printf 'pmuv3-check 1\n%s\n' "$2" >line.check
  unusable "^line.check:2: $1" $tiny.ranged.pmu "${ranged[@]}" --replay line.check
}
carries 'the count is too large; expected at most 1' 'cycle ev=2'
carries 'no pin of the description carries halted=1' 'state halted=1'
carries 'the value is too large' 'write PMINTENSET_EL1 0x100000000'
carries 'the description has no pin for "reset_warm"' 'reset_warm 3'
carries 'the description has no pin for "stop"' 'stop 3'
carries 'the value is too large' 'read PMINTENSET_EL1 0x100000000'
carries 'the value is too large' 'carry write 0 0x100000000'
carries 'the address is too large' 'carry write 0x10000000000 0'
carries 'the description has no port 1' 'carry p1:write 0 0'
carries '"probe": expected write or read' 'carry probe 0 0'

# ---- The wrapper of the how-to, around a device whose request is a change of a pin ----
howto=$root/docs/howto/check.md
sed -n '/^.\{3\}systemverilog$/,/^.\{3\}$/{//!p}' "$howto" >my_wrap.sv
sed -n '/^pmuv3-device 1$/,/^.\{3\}$/{/^.\{3\}$/!p}' "$howto" >$tiny.howto.pmu
cat >my_pmu.sv <<'RTL'
module my_pmu(input clk, input rst_n, input req_tgl, input we, input [7:0] addr, input [31:0] wdata,
              output reg ack_tgl, output reg [31:0] rdata, input retired);
  reg [31:0] enables;
  reg open;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) {enables, ack_tgl, rdata, open} <= 0;
    else begin
      open <= req_tgl != ack_tgl && !open;
      if (open) ack_tgl <= req_tgl;
      if (open && we) enables <= enables | wdata & `MASK;
      if (open && !we) rdata <= enables;
    end
endmodule
RTL
handshake=("$tiny.howto.pmu" my_wrap.sv my_pmu.sv --cycles 100000 --no-shrink)
status 0 "${handshake[@]}" "-DMASK=32'h80000003" --json howto.json
jq -e '.compared.read > 5000' howto.json >/dev/null || fail "few reads through the wrapper: $(cat howto.json)"
status 1 "${handshake[@]}" "-DMASK=32'h80000001"

# ---- Names ----
strange=$tiny$'\nstatic int evil = evil();\n.pmu'
cp $tiny.pmu "$strange"
status 0 "$strange" tiny.v -DVALUE=enables --cycles 2000
status 0 "$strange" tiny.v -DVALUE=enables --cycles 300 --emit 'emitted too'
finds_none -q '^static' 'emitted too'/*.sv || fail "a name became code"

# ---- Where events of origin `other` occurred ----
cat >other.v <<'RTL'
module other(input clk, input rst_n, input ev, input el, input el_then, input req, input we, input [7:0] addr,
             input [31:0] wdata, output reg [31:0] rdata);
  reg on, enabled;
  reg [31:0] count, selected;
  wire hidden = (`LEVEL) ? selected[31] : selected[30];
  always @(posedge clk or negedge rst_n)
    if (!rst_n) {on, enabled, count, selected} <= 0;
    else begin
      if (on & enabled & ev & selected[15:0] == 16'h86 & !hidden) count <= count + 1;
      if (req & we) case (addr)
        0: on <= wdata[0];
        4: enabled <= enabled | wdata[0];
        8: count <= wdata;
        default: selected <= wdata;
      endcase
    end
  always @* rdata = addr == 8 ? count : 0;
endmodule
RTL
cat >$tiny.other.pmu <<'PMU'
pmuv3-device 1
param counters=1 el2=0 el3=0 features=PMUv3p1
absent cycles
absent event 0x11
absent event 0x1E
top other
clock clk
reset rst_n low
event 0x0086 ev other
state el el
other el el_then
port csr request=req write=we address=addr data=wdata value=rdata width=32
register 0x0 PMCR_EL0 write=1 read=0
register 0x4 PMCNTENSET_EL0 write=1 read=0
register 0x8 PMEVCNTR0_EL0
register 0xC PMEVTYPER0_EL0 write=0xC000FFFF read=0
PMU
status 0 $tiny.other.pmu other.v -DLEVEL=el_then --cycles 200000
status 1 $tiny.other.pmu other.v -DLEVEL=0 --cycles 200000 --out moved
grep -q '^other el=1 ss=0$' moved/minimal.check || fail "$(cat moved/minimal.check)"
printf 'pmuv3-check 1\nother el=2 ss=0\n' >other.check
unusable '^other.check:2: no pin of the description carries el=2$' $tiny.other.pmu other.v -DLEVEL=el_then --replay other.check
printf 'pmuv3-check 1\nother el=1 ss=1\n' >other.check
unusable '^other.check:2: no pin of the description carries ss=1$' $tiny.other.pmu other.v -DLEVEL=el_then --replay other.check

# ---- Resets ----
# What resets, stops, a response pin and a port without an error pin keep from being compared is said.
cat >told.v <<'END'
module told (input clk, input rst, input cold, input run, input req, input we, input [7:0] addr, input [31:0] wdata,
             output reg valid, output [31:0] rdata, output err, input req2, input [7:0] addr2, output [31:0] rdata2);
  reg enable, value;
  assign rdata = {31'd0, value}, rdata2 = rdata;
  assign err = 0;
  always @(posedge clk)
    if (rst || cold) {enable, valid, value} <= 0;
    else begin
      if (req && we && addr == 0 && wdata[0]) enable <= 1;
      valid <= req && !we;
      value <= enable;
    end
endmodule
END
cat >$tiny.told.pmu <<'END'
pmuv3-device 1
param counters=1 features=PMUv3p1
top told
clock clk
clock_enable run
reset cold high
reset rst high warm
port csr request=req write=we address=addr data=wdata value=rdata response=valid error=err width=32
port csr request=req2 address=addr2 value=rdata2 width=32
register 0x00 PMINTENSET_EL1 write=0x1
register 0x00 PMINTENSET_EL1 read=0x1 port=1
latency read 1
END
# says TEXT: among what was never compared
says() {
  jq -e --arg text "$1" '.never_compared | index($text)' told.json >/dev/null || fail "no '$1': $(jq -c .never_compared told.json)"
}
# tells MODE TEXT: likewise, of the device in this mode
tells() {
  status 0 $tiny.told.pmu told.v --cycles 20000 --mode "$1" --json told.json
  says "$2"
}
tells exact 'a Warm reset in the middle of an access: the master may go on'
tells exact 'more than 1024 clocks with the clock enable low: random stimulus makes none'
tells exact 'events, requests and changes of the state in a clock with a reset: stimulus has none'
tells exact 'whether writes of port 0 failed: only reads have a response'
tells exact "how accesses of port 1 end: no \`error\` pin"
tells within 'a reset in the middle of a write or a change of the state: not in this mode'
tells settled 'a reset in the middle of a read: not in this mode'
tells settled 'events around a write or a change of the state: not in this mode for 9 clocks'
sed -i 's/^latency.*/& flag 1..2\nmode within/' $tiny.told.pmu
tells within 'events around a write or a change of the state: not in this mode for 4 clocks'
tells within 'accesses around a write or a change of the state: not in this mode for 4 clocks'
# So is how accesses end that must do nothing.
sed -i 's/response=valid/response=1/; s/^latency.*/latency read 1/; /^mode/d' $tiny.told.pmu
printf '%s\n' 'register 0x10 PMSWINC_EL0' 'register 0x14 PMCEID0_EL0 read=0' >>$tiny.told.pmu
tells exact 'how reads of PMSWINC_EL0 end: it has no value'
tells exact 'how writes of PMCEID0_EL0 end: no bit of it is written'

# So are outputs, and bits of them, that no line names.
cat >spare.v <<'END'
module spare (input clk, input rst_n, input req, input we, input [7:0] addr, input [31:0] wdata, output [63:0] bus,
              output [5:2] irqs, output [3:1] two__names, output \odd$-o , output [7:0] banks [1:0]);
  wire [31:0] value;
  tiny t (.rdata(value), .*);
  assign bus = {32'd0, value}, irqs = 4'b1101, two__names = 3'd7, \odd$-o = 1, banks[0] = 0, banks[1] = 0;
endmodule
END
sed 's/^top tiny/top spare/; s/value=rdata/value=bus[31:0]/; s/^clock/irq irqs[3]\n&/' $tiny.pmu >$tiny.spare.pmu
spare=("$tiny.spare.pmu" spare.v tiny.v -DVALUE=enables)
status 0 "${spare[@]}" --cycles 2000 --json told.json --page spare.html
says 'bits [63:32] of bus: no line names them'
says 'bits [5:4] of irqs: no line names them'
says 'bit [2] of irqs: no line names it'
for port in two__names 'odd$-o' banks; do says "$port: no line names it"; done
[ "$(jq '[.never_compared[] | select(contains("no line names"))] | length' told.json)" = 6 ] || fail "$(jq -c .never_compared told.json)"
grep -qF "<tr><td>output</td><td>bits [63:32] of bus</td><td>no line names them</td></tr>" spare.html || fail "the page has no bits of bus"
# An array of which a line names an element is not all named.
sed 's/output \[7:0\] banks/output [63:0] banks/' spare.v >banks.v
sed 's/^clock/visible counter 0 banks[0]\n&/' $tiny.spare.pmu >$tiny.banks.pmu
status 0 $tiny.banks.pmu banks.v "${spare[@]:2}" --cycles 2000 --json told.json
says 'banks: no line names it'
# An array of ports is no pin: as an input nothing would drive the array.
sed 's/input clk,/& input [3:0] more [1:0],/' spare.v >array.v
unusable 'input "more" of spare is an unpacked array, which no line can drive; wrap it' $tiny.spare.pmu array.v "${spare[@]:2}"

# So is what no line of a description can say, and what the description says that the device lacks.
beyond='no line of a description can say it'
tells exact "what freezes BRBE: $beyond"
finds_none -E 'request to halt|trap goes|captures that' told.json || fail "these parameters have none of these"
sed 's/^param.*/param counters=2 el3=0 features=PMUv3p9,SS,Debugv8p9/; s/^clock/state pme pme\n&/; s/^port.*/& checked/
  $a absent PMINTENSET_EL1.F0' $tiny.pmu >$tiny.beyond.pmu
sed 's/input clk,/& input pme,/' tiny.v >beyond.v
status 0 $tiny.beyond.pmu beyond.v -DVALUE=enables --cycles 20000 --json told.json
says "the request to halt (EDECR.PME): $beyond"
says "captures that a pin requests: $beyond"
says "the Exception level that a trap goes to, and its syndrome: $beyond"
says "fine-grained traps: $beyond"
says 'pme of thread 0: nothing that is compared depends on it'
says 'latency state: no state changed in an observed clock'
says "PMINTENSET_EL1.F0: \`absent\`"
jq -e '[.coverage.holes[], .coverage.impossible[] | select(test("^(I-10|I-11|I-4|E.7/EDECR)"))] == []' told.json >/dev/null ||
  fail "bins of what no line can say count: $(jq -c .coverage told.json)"

# So are a register of which no bit is compared, though it can be read, and a reset value that is taken as it is.
(cat $tiny.other.pmu && echo 'initial PMEVCNTR0_EL0 0x0') >$tiny.initial.pmu
status 0 $tiny.initial.pmu other.v -DLEVEL=el_then --cycles 20000 --json told.json
says "what a reset leaves in PMEVCNTR0_EL0: \`initial\` says 0x0"
says "PMCNTENSET_EL0: \`read=0\`: no bit of what is read"
says "the cycle counter: \`absent cycles\`"

# A device whose only reset is a Warm one begins with it.
sed 's/^reset.*/& warm/' $tiny.other.pmu >$tiny.warm.pmu
status 0 $tiny.warm.pmu other.v -DLEVEL=el_then --cycles 20000
# A counter that no reset reaches is right if the description says so.
sed 's/, count, selected} <= 0/, selected} <= 0/' other.v >kept.v
status 1 $tiny.other.pmu kept.v -DLEVEL=el_then --cycles 200000 --no-shrink
(cat $tiny.other.pmu && echo 'unknown PMEVCNTR%u_EL0') >$tiny.unknown.pmu
status 0 $tiny.unknown.pmu kept.v -DLEVEL=el_then --cycles 200000
sed '$a unknown PMCNTENSET_EL0' $tiny.other.pmu >$tiny.set.pmu
unusable "^$tiny.set.pmu:[0-9]+: PMCNTENSET_EL0 does not clear; expected the register that does$" $tiny.set.pmu kept.v -DLEVEL=el_then

# ---- A Cold reset asserts the Warm pins, too: a device may rest on that ----
cat >rests.v <<'RTL'
module rests(input clk, input cold_n, input rst_n, input req, input we, input [7:0] addr, input [31:0] wdata,
             output [31:0] rdata);
  tiny t(.rst_n(`RESET), .*);
endmodule
RTL
sed 's/^top.*/top rests/; s/^reset.*/reset cold_n low\n& warm/' $tiny.pmu >$tiny.rests.pmu
for reset in rst_n '(rst_n&cold_n)'; do
  status 0 $tiny.rests.pmu rests.v tiny.v -DVALUE=enables "-DRESET=$reset" --cycles 20000 --json told.json
  says 'a Cold reset without a Warm one: stimulus has none'
done
status 1 $tiny.rests.pmu rests.v tiny.v -DVALUE=enables -DRESET=cold_n --cycles 200000 --no-shrink

# ---- A port of the core's clock keeps an access waiting while the clock stands, as long as that is ----
cat >stands.v <<'RTL'
module stands(input clk, input rst_n, input run, input req, input we, input [7:0] addr, input [31:0] wdata,
              output [31:0] rdata, output ready);
  assign ready = `READY;
  tiny t(.req(req & ready), .*);
endmodule
RTL
sed 's/^top.*/top stands\nclock_enable run/; s/^port.*/& ready=ready/' $tiny.pmu >$tiny.stands.pmu
stands=("$tiny.stands.pmu" stands.v tiny.v -DVALUE=enables)
printf '%s\n' 'pmuv3-check 1' 'write PMINTENSET_EL1 1' 'stop 3000' 'read PMINTENSET_EL1' >stands.check
status 0 "${stands[@]}" -DREADY=run --replay stands.check --json told.json
says 'how long accesses of port 0 wait while the clock enable is low: Processor cycles alone count'
status 0 "${stands[@]}" -DREADY=run --replay stands.check --emit stands
status 1 "${stands[@]}" -DREADY=0 --replay stands.check
grep -q 'port 0 has not answered for 1000 Processor cycles' out || fail "a port that hangs: $(cat out)"
unusable 'port 0 has not answered for 1000 Processor cycles' "${stands[@]}" -DREADY=0 --replay stands.check \
  --emit stands

# ---- Reads that wait side by side ----
# One that spoils the answer before it is wrong, unless the description says that no read follows so closely.
dual=$root/testbench/cosim/check/devices/dual
spoils=("$dual/dual_pmu.sv" -DBUG_ONE_ANSWER --no-shrink --cycles 100000)
grep -v '^visible' "$dual/dual.pmu" >$tiny.dual.pmu
status 1 $tiny.dual.pmu "${spoils[@]}"
# Of internals, each counter is told that has no line, if another one has.
(cat $tiny.dual.pmu && grep '^visible@0 \(counter 1\|overflow\) ' "$dual/dual.pmu") >$tiny.part.pmu
status 0 $tiny.part.pmu "$dual/dual_pmu.sv" --cycles 20000 --json told.json
says "thread 0: counters 0 2 3 31 while nobody reads them: no \`visible counter\` line"
says "thread 1: counters while nobody reads them: no \`visible counter\` line"
says "thread 0: flags 31 while nobody reads them: no \`visible overflow\` line"
sed 's/^port.*/& outstanding=1/' $tiny.dual.pmu >$tiny.one.pmu
status 0 $tiny.one.pmu "${spoils[@]}"

all_held
