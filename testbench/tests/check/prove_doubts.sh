# shellcheck shell=bash
# Of prove_test.sh: what must give no verdict.
# shellcheck disable=SC2154 # variables of prove_test.sh
# ---- No verdict, and whose word does not count ----
# What a user's settings of ABC say is not ABC's answer.
mkdir home
printf 'alias pdr "echo Property proved."\nalias bmc3 "echo"\n' >home/.abc.rc
of_size 2
right=("${sized[@]}")
HOME=$scratch/home proves "${right[@]}"
# An initial value does not stand for the reset of a register.
sed "s/^  reg         en, lc;/  reg en = 0, lc = 0;/" "$small" >initial.v
cmp -s initial.v "$small" && fail "no initial value"
has_none 'the counterexample does not diverge in simulation' "${right[0]}" initial.v -GN=2 -DBUG_NO_RESET
# Without the registers that select events no event is counted.
sed '/PMEVTYPER/d' "${sized[0]}" >"$tiny.unseen.pmu"
has_none 'never reached.*: defect: ev_retired does not count$' "$tiny.unseen.pmu" "${sized[@]:1}"
# Without EL3 there are no write traps to EL3, so a pin cannot say that there is one.
sed 's/input  wire        csr_req,/input wire trap, &/' "$small" >trap.v
sed '$a state fgwte3 trap' "${sized[0]}" >"$tiny.trap.pmu"
has_none 'never reached.*: another value of trap$' "$tiny.trap.pmu" trap.v -GN=2
# A net without a driver is anything, and a read shows this one. What simulation takes it for depends on the seed.
sed 's/reg \[31:0\] enables;/wire open; &/' tiny.v >open.v
"$program" --prove --seconds "$limit" --out open "$tiny.pmu" open.v '-DVALUE=enables^open' >out 2>err
case $(tail -n 1 out) in
  refuted | 'no verdict: the counterexample does not diverge in simulation') ;;
  *) fail "a net without a driver: $(cat out err)" ;;
esac

# ---- A core's clock that stops ----
# The clock enable has a flip-flop. An event and a state have one beside it, and one more; a flag has one. These stop
# with the clock where EVENT, STATE and FLAG say so; a flag that waits rises when RISES does.
cat >gate.v <<'RTL'
`ifndef NUMBER
`define NUMBER wdata[15:0]
`endif
module gate(input clk, input rst_n, input run, input ev, input el, input req, input we, input [7:0] addr, input [31:0] wdata,
            output reg [31:0] rdata);
  reg cycle, event_1, event_2, el_1, el_2, enable, counts, flag, wrapped, p, u;
  reg [15:0] number;
  reg [31:0] count;
  always @(posedge clk or negedge rst_n) if (!rst_n) {cycle, event_1} <= 0; else {cycle, event_1} <= {run, ev};
`ifdef UNRESET
  always @(posedge clk) begin
    el_1 <= el;
    if (`STATE) el_2 <= el_1;
  end
`else
  always @(posedge clk or negedge rst_n)
    if (!rst_n) {el_1, el_2} <= 0;
    else begin
      el_1 <= el;
      if (`STATE) el_2 <= el_1;
    end
`endif
  wire counting = enable & counts & cycle & (number == 16'h11 | number == 16'h8 & event_2) & !(el_2 ? p : u);
  always @(posedge clk or negedge rst_n)
    if (!rst_n) {event_2, enable, counts, flag, wrapped, p, u, number, count} <= 0;
    else begin
      if (`EVENT) event_2 <= event_1;
`ifdef LOSES
      else event_2 <= 0;
`endif
      if (`FLAG) wrapped <= counting & &count;
      if (counting) count <= count + 1;
      if (req & we)
        case (addr)
          0: begin
            enable <= wdata[0];
            if (wdata[1]) count <= 0;
          end
          4: counts <= counts | wdata[0];
          8: counts <= counts & !wdata[0];
          12: count <= wdata;
          16: {p, u, number} <= {wdata[31:30], `NUMBER};
          20: flag <= flag & !wdata[0];
        endcase
      if (wrapped & `RISES) flag <= 1;
    end
  always @*
    case (addr)
      0: rdata = enable;
      4, 8: rdata = counts;
      12: rdata = count;
      20: rdata = flag;
      default: rdata = {p, u, 14'b0, number};
    endcase
endmodule
RTL
cat >"$tiny.gate.pmu" <<'PMU'
pmuv3-device 1
param counters=1 el2=0 el3=0 features=PMUv3p1
top gate
clock clk
reset rst_n low
event 0x0008 ev
state el el 0=0 1=1
port csr request=req write=we address=addr data=wdata value=rdata width=32
register 0 PMCR_EL0 write=0x3 read=0x1
register 4 PMCNTENSET_EL0 write=1 read=1
register 8 PMCNTENCLR_EL0 write=1 read=1
register 12 PMEVCNTR0_EL0
register 16 PMEVTYPER0_EL0 write=0xC000FFFF read=0xC000FFFF
register 20 PMOVSCLR_EL0 write=1 read=1
absent cycles
absent event 0x1E
absent event 0x0
latency event 2 clock 1 state 2 flag 1
PMU
sed '$a clock_enable run' "$tiny.gate.pmu" >"$tiny.goes.pmu"
sed '$a clock_enable run state flag' "$tiny.gate.pmu" >"$tiny.stops.pmu"
goes=("$tiny.goes.pmu" gate.v -DSTATE=1 -DFLAG=1 -DRISES=1)
stops=("$tiny.stops.pmu" gate.v -DEVENT=cycle -DRISES=cycle)
proves "${goes[@]}" -DEVENT=cycle
refutes "${goes[@]}" -DEVENT=cycle -DLOSES
refutes "${goes[@]}" -DEVENT=1
proves "${stops[@]}" -DSTATE=cycle -DFLAG=cycle
proves "${stops[@]}" -DSTATE=cycle -DFLAG=cycle -DUNRESET
refutes "${stops[@]}" -DSTATE=1 -DFLAG=cycle
# An event of 8 bits: what the register does not take selects no absent event.
sed 's/write=0xC000FFFF/write=0xC00000FF/' "$tiny.stops.pmu" >"$tiny.narrow.pmu"
proves "$tiny.narrow.pmu" "${stops[@]:1}" -DSTATE=cycle -DFLAG=cycle "-DNUMBER={8'b0,wdata[7:0]}"
refutes "${stops[@]}" -DSTATE=cycle -DFLAG=cycle "-DNUMBER={8'b0,wdata[7:0]}"
refutes "${stops[@]::2}" -DEVENT=cycle -DSTATE=cycle -DFLAG=cycle -DRISES=1

# ---- An output that the miter leaves out ----
# left_out all|some WIRES DEFECTS ARGUMENT...: without these comparisons, these defects alone (a line each) are never
# refuted. Some: ABC has 20 s to prove that they are never reached, which may be too short for the rest.
# A stand-in takes the wires out of what differs, before Yosys reads the miter.
mkdir blind
left_out() {
  stand_in blind/yosys <<SCRIPT
#!/bin/sh
for wire in $2; do sed -i "/assign differs =/s/ || \$wire\\\\b//" ../miter.v; done 2>/dev/null
exec "$(command -v yosys)" "\$@"
SCRIPT
  PMUV3_STAND_INS=$scratch/blind status 3 --prove "${@:4}"
  sed -n 's/.*: never reached: defect: //p' err | sort >never
  [ -s never ] || fail "without $2: nothing is never reached: $(cat out err)"
  [ -z "$(comm -23 never <(sort <<<"$3"))" ] || fail "without $2: others are never reached: $(cat out err)"
  [ "$1" = some ] || [ -z "$(comm -13 never <(sort <<<"$3"))" ] || fail "without $2: some are reached: $(cat out err)"
}
# Its pins by their numbers: the interrupt, a counter, the flags.
cat "${sized[0]}" - <<<$'visible counter 1 cnt[1]\nvisible overflow flags[1:0]' >"$tiny.seen.pmu"
left_out all 'differs_7 differs_13 differs_14' $'irq is inverted\ncnt[1] is inverted\nflags[1:0] is inverted' "$tiny.seen.pmu" "${sized[@]:1}"
left_out all differs_value_0 'port 0 reads inverted values' "$tiny.seen.pmu" "${sized[@]:1}"
# The same device behind APB, where a read takes a clock more than a write, and nothing fails.
cat >slow.v <<'RTL'
module slow(input clk, input rst_n, input [1:0] ev_retired, input ev_mispredict, input ev_dcache, input [3:0] ev_stall_slot,
            input ev_irq_taken, output irq, input sel, input en, input we, input [7:0] addr, input [31:0] wdata,
            output ready, output reg [31:0] rdata, output error);
  reg second;
  wire [31:0] value;
  small_pmu #(.N(2)) pmu(.csr_req(sel & (en ? we : !we)), .csr_we(we), .csr_addr(addr), .csr_wdata(wdata), .csr_rdata(value), .*);
  assign ready = en & (we | second);
  assign error = 0;
  always @(posedge clk) begin
    rdata <= value;
    second <= rst_n & sel & en & !we & !second;
  end
endmodule
RTL
sed -E 's/^top.*/top slow/; s/^latency read.*/latency read 2/
  s/^port.*/port apb select=sel enable=en write=we address=addr data=wdata ready=ready value=rdata error=error/' "${sized[0]}" >"$tiny.slow.pmu"
slow=("$tiny.slow.pmu" slow.v "$small" --top slow)
proves "${slow[@]}"
# A software increment ends as any other write.
sed "s/assign error = 0/assign error = sel \& en \& we \& addr == 8'h18/" slow.v >fails.v
refutes "${slow[0]}" fails.v "${slow[@]:2}"
left_out some 'differs_error_0 differs_fault_0 early_0 hangs_0' \
  $'port 0 ends reads wrongly\nport 0 ends writes wrongly\nport 0 answers too early\nport 0 answers with the last value\nport 0 never answers' "${slow[@]}"

# ---- The limit ----
has_none '^no verdict: out of time after [0-9]+ s, (before there was a graph|while Yosys made the graphs)$' "${slow[@]}" --seconds 1

# ---- A counterexample's folder ----
wrong=("${right[@]}" -DBUG_CLEAR)
refutes "${wrong[@]}"
refutes "${wrong[@]}" # in the folder that it made
"$program" --prove --seconds "$limit" --out cex "${wrong[@]}" >/dev/full 2>err
[ $? = 1 ] || fail "a divergence is lost on a full disk: $(cat err)"
echo '# edited' >>cex/counterexample.check
unusable "^pmuv3 check: --out: cannot write 'cex/counterexample.check': it is not as pmuv3 made it" --prove --out cex "${wrong[@]}"
mkdir mine
echo mine >mine/counterexample.check
unusable "^pmuv3 check: --out: cannot write 'mine/counterexample.check': it is not as pmuv3 made it" --prove --out mine "${wrong[@]}"
[ "$(cat mine/counterexample.check)" = mine ] || fail "a file of the user's is gone"
# What appears there while the proof goes on stays, too. The device is refuted all the same.
of_size 1
mkdir late
for appears in 'ln -s ../thesis late.out/counterexample.check' 'echo mine >late.out/counterexample.check'; do
  echo mine >thesis
  stand_in late/yosys-abc <<SCRIPT
#!/bin/sh
case \$2 in *bmc3*write_cex*) (cd '$scratch' && mkdir -p late.out && $appears) ;; esac
exec "$(command -v yosys-abc)" "\$@"
SCRIPT
  PMUV3_STAND_INS=$scratch/late status 1 --prove --out late.out "${sized[@]}" -DBUG_CLEAR
  [ "$(tail -n 1 out)" = refuted ] || fail "no verdict: $(cat out err)"
  grep -q "^pmuv3 check: --out: cannot write to 'late.out': \(not a regular file\|it is not as pmuv3 made it\)" err || fail "nothing said: $(cat err)"
  [ "$(cat thesis late.out/counterexample.check)" = $'mine\nmine' ] || fail "a file of the user's is gone"
  rm -r late.out
done

# ---- Tools that end without an answer ----
mkdir dead liar
# shellcheck disable=SC2016 # the stand-in's own process
stand_in dead/yosys <<<'#!/bin/sh
kill -9 $$'
PMUV3_STAND_INS=$scratch/dead has_none 'Yosys: ended without an answer' "${right[@]}"
stand_in liar/yosys-abc <<SCRIPT
#!/bin/sh
case \$2 in
  *witness*) exec "$(command -v yosys-abc)" "\$@" ;;
esac
echo 'prove : i/o = 10/ 1 lat = 1'
echo 'Property proved.  Time = 0.01 sec'
kill -9 \$\$
SCRIPT
PMUV3_STAND_INS=$scratch/liar has_none 'undecided: ABC ended without an answer' "${right[@]}"
# An ABC that dies of all that must be reached: then each is asked for alone. Or of each, too.
rm dead/yosys
# dies_of PATTERN: an ABC whose commands have it
dies_of() {
  stand_in dead/yosys-abc <<SCRIPT
#!/bin/sh
case \$2 in $1) kill -9 \$\$ ;; esac
exec "$(command -v yosys-abc)" "\$@"
SCRIPT
}
dies_of '*witness*'
PMUV3_STAND_INS=$scratch/dead proves "${right[@]}"
dies_of '*witness* | *alone*'
PMUV3_STAND_INS=$scratch/dead has_none '^no verdict: ABC ended without an answer$' "${right[@]}"
# An ABC that proves whatever it is asked. The simulation diverges all the same.
stand_in liar/yosys-abc <<SCRIPT
#!/bin/sh
case \$2 in
  *witness* | *prove.aig*) exec "$(command -v yosys-abc)" "\$@" ;;
  *induction*) echo 'prove : i/o = 10/ 1 lat = 1' && echo 'Property proved.  Time = 0.01 sec' && echo 'ended 1' ;;
  *) sleep 5 ;;
esac
SCRIPT
PMUV3_STAND_INS=$scratch/liar status 1 --prove --out lies "${wrong[@]}"
[ "$(tail -n 1 out)" = refuted ] || fail "no verdict: $(cat out err)"
grep -q 'the proof has a fault$' err || fail "nothing said of the fault: $(cat err)"
status 1 --replay lies/minimal.check "${wrong[@]}"
PMUV3_STAND_INS=$scratch/liar "$program" --prove --out lies "${wrong[@]}" >/dev/full 2>err
[ $? = 1 ] || fail "a divergence is lost on a full disk: $(cat err)"
# An ABC that proves what it refutes, at once. What it refutes does not diverge.
stand_in liar/yosys-abc <<SCRIPT
#!/bin/sh
case \$2 in
  *induction*) exec sleep 3000 ;;
  *bounded*)
    "$(command -v yosys-abc)" "\$@" >bounded.out 2>&1
    cat bounded.out
    printf 'prove : i/o = 10/ 1 lat = 1\nProperty proved.  Time = 0.01 sec\nended 1\n' >>induction.log
    ;;
  *) exec "$(command -v yosys-abc)" "\$@" ;;
esac
SCRIPT
PMUV3_STAND_INS=$scratch/liar has_none 'the counterexample does not diverge in simulation' "${right[0]}" initial.v -GN=2 -DBUG_NO_RESET
grep -q 'ABC proved it, too: ABC has a fault$' err || fail "nothing said of both: $(cat err)"
