#!/usr/bin/env bash
# `pmuv3 check` for a user, on the small device: its verdicts, its files, and what it refuses.
# Usage: device_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
root=$1
name=check
small=$root/testbench/cosim/check/devices/small
program=$scratch/check
stand_in "$program" <<SCRIPT
#!/bin/sh
exec "$root/testbench/cosim/check/check.sh" --evidence "$scratch/evidence.db" --once --built "\$@"
SCRIPT
unset PMUV3_SOURCE
changed=changed${$}x # no other number begins with it; its folders in build/check are removed
trap 'rm -rf "$scratch" "$root/build/check/$changed"*' EXIT

# A replay has no jobs and leaves nothing behind.
check() {
  local own=(--jobs 1 --out divergence)
  [[ " $* " != *" --replay "* ]] || own=()
  status "$1" "$small/small.pmu" "$small/small_pmu.v" "${own[@]}" "${@:2}"
}

# described SCRIPT: the small device's description, changed by a sed script
described() {
  sed -E "$1" "$small/small.pmu" >$changed.pmu
}

# refused PATTERN SCRIPT: the changed description is unusable, in one line
refused() {
  described "$2"
  unusable "$1" $changed.pmu "$small/small_pmu.v" --cycles 1000
}

# ---- A device that is right ----
check 0 --cycles 200000 --json good.json --junit good.xml
grep -qx equivalent out || fail "no verdict: $(cat out)"
jq -e '.verdict == "equivalent" and .compared.read > 10000 and .compared.irq > 190000 and .in_doubt.read == 0 and
  (.never_compared | length) > 3 and (.registers | all(.reads + .writes > 0)) and
  .coverage.impossible == [] and .coverage.hit > 150 and .coverage.clocks == 50000' good.json >/dev/null || fail "good.json"
xmllint --noout good.xml || fail "good.xml"
left divergence
cp out first
check 0 --cycles 200000
diff <(grep -v cycles/s first | grep -v clocks/s) <(grep -v cycles/s out | grep -v clocks/s) || fail "the same seed gives something else"

# ---- A clock gate that does not open in a reset: the edge of the reset alone reaches what is behind it ----
# gated SENSES: the small device whose types are behind the gate, and wake for this, too
gated() {
  sed "/typ\[k\] <= /d; /^      if (wr_typ .*csr_wdata\[15:0\];/d; /^  integer k;/r /dev/stdin" "$small/small_pmu.v" \
    >gated.v <<RTL
  reg gate;
  always @* if (!clk) gate = wr_typ;
  wire gated = clk & gate;
  integer g;
  always @(posedge gated$1)
    if (!rst_n) for (g = 0; g < N; g = g + 1) typ[g] <= 16'b0;
    else if (bank < N) typ[bank] <= csr_wdata[15:0];
RTL
}
gated ' or negedge rst_n'
for seed in 1 2 3; do status 0 "$small/small.pmu" gated.v --cycles 20000 --seed $seed; done
status 0 "$small/small.pmu" gated.v --calibrate
gated ''
status 1 "$small/small.pmu" gated.v --cycles 20000 --no-shrink

# ---- RTL of which Verilator makes a wrong model without the options of exact.sh ----
# Events of nine clocks ago, by a loop that is not unrolled. LifePost makes its assignments blocking ones.
sed '/^  reg  \[8:0\]  ev_q1/,/^    end$/d; /-- events$/r /dev/stdin' "$small/small_pmu.v" >line.v <<'RTL'
  reg  [80:0] pipe;
  wire [8:0]  ev_q2 = pipe[80:72];
  integer b;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) pipe <= 0;
    else begin
      for (b = 9; b < 81; b = b + 1) pipe[b] <= pipe[b-9];
      pipe[8:0] <= {ev_irq_taken, ev_stall_slot, ev_dcache, ev_mispredict, ev_retired};
    end
RTL
status 1 "$small/small.pmu" line.v --cycles 20000 --no-shrink
described 's/^latency event 2/latency event 9/'
status 0 $changed.pmu line.v --cycles 100000
# ConstBitOpTree takes the AND apart that a NOT has in front of it.
sed 's/^  reg         en, lc;/  reg lc; reg [31:0] hold; wire en = hold[3];/; s/^\( *\)en *<= 1.b0;/\1hold <= 32'"'"'h00400000;/
  s/ en <= csr_wdata\[0\]/ hold[3] <= csr_wdata[0]/; s/^      if (!(en & cnten\[i\]/      if (i == 3 ? stops : !(en \& cnten[i]/
  /^  integer i;/r /dev/stdin' "$small/small_pmu.v" >bits.v <<'RTL'
  wire [31:0] both  = (hold & cnten) >> 3;
  wire        stops = !both[0] & hold[22];
RTL
status 0 "$small/small.pmu" bits.v --cycles 100000
# MergeCond joins statements of one condition, past what leaves the loop between them.
sed '/^        cnt\[k\] <= sum/d; /^        if (wr_pmcr .*cnt\[k\]/{r /dev/stdin
d}' "$small/small_pmu.v" >leaves.sv <<'RTL'
        if (en) cnt[k] <= `COUNTS;
        if (!(wr_pmcr & csr_wdata[1])) continue;
        if (en) cnt[k] <= `CLEARS;
        if (!en) cnt[k] <= 32'b0;
RTL
status 0 "$small/small.pmu" leaves.sv '-DCOUNTS=sum[k][31:0]' -DCLEARS=0 --cycles 100000
status 1 "$small/small.pmu" leaves.sv '-DCOUNTS=cnt[k]' '-DCLEARS=sum[k][31:0]' --cycles 100000 --no-shrink
# No level of optimization that is asked for takes them back.
status 0 "$small/small.pmu" leaves.sv '-DCOUNTS=sum[k][31:0]' -DCLEARS=0 --verilator -O3 --cycles 100000

# ---- A mistake is found, and its reproducer diverges alone ----
for bug in CARRY DROP; do
  check 1 --cycles 1000000 -DBUG_$bug --json bad.json
  [ "$(grep -cv '^#' divergence/minimal.check)" -le 15 ] || fail "$bug: $(cat divergence/minimal.check)"
  jq -e '.verdict == "diverged" and .first_divergence.shrunk_lines <= 15' bad.json >/dev/null || fail "$bug: bad.json"
  check 1 -DBUG_$bug --replay divergence/minimal.check
  check 0 --replay divergence/minimal.check
  check 1 -DBUG_$bug --replay divergence/stimulus.check
done

# ---- The folder of a divergence: what pmuv3 did not make there, or what was edited since, stays ----
echo mine >divergence/notes
check 1 --cycles 1000000 -DBUG_CARRY --no-shrink
left divergence/minimal.check
[ "$(cat divergence/notes)" = mine ] || fail "a file of others is gone"
echo '# edited' >>divergence/stimulus.check
unusable "^pmuv3 check: --out: cannot write 'divergence/stimulus.check': it is not as pmuv3 made it" \
  "$small/small.pmu" "$small/small_pmu.v" --out divergence --cycles 1000
grep -qx '# edited' divergence/stimulus.check || fail "the user's edit is gone"
rm -r divergence
cp "$small/small.pmu" $'a\001<b'
status 1 $'a\001<b' "$small/small_pmu.v" --jobs 1 --cycles 1000000 -DBUG_CARRY --no-shrink --out "a b" --junit odd.xml
xmllint --noout odd.xml || fail "odd.xml"
grep -q "check \$'a.001<b' .* --replay \$'a b/stimulus.check'" out || fail "no command for a shell: $(cat out)"
status 1 "$small/small.pmu" "$small/small_pmu.v" --jobs 1 --cycles 1000000 -DBUG_CARRY --no-shrink --json /dev/full
grep -qx "pmuv3 check: --json: cannot write '/dev/full': No space left on device" err || fail "a full device: $(cat err)"

# ---- Other modes ----
for mode in within settled; do
  check 0 --cycles 200000 --mode $mode
  check 1 --cycles 1000000 --mode $mode -DBUG_DROP
done
# One more stage of the events than is declared: no mistake to who does not know the latency.
check 1 --cycles 200000 -DSKEW --no-shrink
check 0 --cycles 1000000 -DSKEW --mode settled
described 's/^latency event 2/latency event 2..3\nmode within/'
status 0 $changed.pmu "$small/small_pmu.v" --jobs 1 --cycles 1000000 -DSKEW
status 1 $changed.pmu "$small/small_pmu.v" --jobs 1 --cycles 1000000 -DSKEW -DBUG_DROP
check 1 --cycles 1000000 -DSKEW -DBUG_DROP --no-shrink
check 1 --cycles 1000000 -DSKEW -DBUG_DROP --mode settled
described '/^latency event/d'
status 1 $changed.pmu "$small/small_pmu.v" --cycles 200000 --no-shrink
status 0 $changed.pmu "$small/small_pmu.v" --cycles 200000 --mode settled

# ---- Coverage that no stimulus of the device can reach ----
many='["RJJRJQ/VB.many", "RJJRJQ/VT.VB", "CYC-5.overshoot"]'
described 's/^event.*/& max=1/'
status 0 $changed.pmu "$small/small_pmu.v" --cycles 1000000 --json once.json
jq -e "(.coverage.holes + .coverage.impossible | map(select(IN(${many}[], \"I-10.PME_alone\",
  \"I-14.request_without_snapshots\")))) == []" once.json >/dev/null || fail "1-bit events: $(jq .coverage.holes once.json)"
reachable=$(jq .coverage.reachable once.json)
status 0 "$small/small.pmu" "$small/small_pmu.v" --cycles 1000000 --json often.json
jq -e ".coverage.reachable >= $reachable + 3 and .coverage.impossible == []" often.json >/dev/null ||
  fail "2-bit events: $(jq .coverage often.json)"

# ---- Latencies from a recording ----
described '/^latency/d'
status 0 $changed.pmu "$small/small_pmu.v" --calibrate --json found.json
diff <(grep '^latency' out) <(printf 'latency %s\n' 'event 2' 'swinc 0' 'write 0' 'flag 1' 'interrupt 1' 'read 1') ||
  fail "the latencies of the small device"
jq -e '.verdict == "unique" and .explaining == [{"event": 2, "swinc": 0, "write": 0, "flag": 1, "interrupt": 1,
  "read": 1}]' found.json >/dev/null || fail "found.json"
described 's/^latency event .*/latency event 1/; /^latency [^e]/d'
status 0 $changed.pmu "$small/small_pmu.v" --calibrate
grep -qx 'latency event 2  # not 1, as the description says' out || fail "the wrong line: $(cat out)"
status 1 $changed.pmu "$small/small_pmu.v" --calibrate --cycles 20
grep -qx ambiguous out || fail "20 clocks: $(cat out)"
grep -qx 'a longer run may decide: --cycles 200' out || fail "no advice: $(cat out)"
status 1 $changed.pmu "$small/small_pmu.v" --calibrate --cycles 400
grep -qE '^not decided: .*swinc' out || fail "400 clocks: $(cat out)"
status 1 $changed.pmu "$small/small_pmu.v" --calibrate -DBUG_DROP --json none.json
grep -qx inexplicable out || fail "a mistake: $(cat out)"
jq -e '.verdict == "inexplicable" and .first_inexplicable_clock > 10' none.json >/dev/null || fail "none.json"
unusable '--calibrate takes no --emit' $changed.pmu "$small/small_pmu.v" --calibrate --mode within
for option in '--jobs 1' '--out divergence' --no-shrink '--seconds 5'; do
  # shellcheck disable=SC2086
  unusable '--calibrate takes no --jobs' $changed.pmu "$small/small_pmu.v" --calibrate $option
done

# ---- Internals ----
described '$ a visible counter 0 cnt[0]\nvisible counter 31 cyc\nvisible overflow flags[5:0]\nvisible flag 31 flags[31]'
status 0 $changed.pmu "$small/small_pmu.v" --cycles 100000 --json seen.json
jq -e '.compared.counter > 190000 and .compared.overflow > 90000' seen.json >/dev/null || fail "seen.json"
status 1 $changed.pmu "$small/small_pmu.v" --cycles 1000000 --no-shrink -DBUG_CARRY

# ---- Two threads: one without an interrupt; a port whose name is a word of C++ ----
grep -v '^irq@1' "$small/../dual/dual.pmu" >$changed.pmu
status 0 $changed.pmu "$small/../dual/dual_pmu.sv" --jobs 1 --cycles 1000 --json threads.json
jq -e '.never_compared | index("thread 1: the interrupt: no `irq` line") and
  index("PMCR_EL0 of thread 1, bits 0xFFFFFFFFFFFF0000 of what is read: outside `read=`")' threads.json >/dev/null || fail "threads.json"

# ---- Waves ----
printf 'pmuv3-check 1\ncycle ev_retired=1\n' >one.check
check 0 --replay one.check --wave one.fst
[ -s one.fst ] || fail "no wave"

# ---- Descriptions that are wrong of this device ----
refused ':5: small_pmu has no port "clock"' 's/^clock clk/clock clock/'
refused ':7: "irq" of small_pmu is an output; expected an input for event' 's/ev_retired/irq/; /^irq/d'
refused ':7: "ev_retired" has bits \[1:0\]; \[3:0\] is beyond' 's/ev_retired/ev_retired[3:0]/'
refused ':7: "csr_wdata" has 32 bits; expected at most 8 for event' 's/ev_retired/csr_wdata/; s/data=csr_wdata/data=x/'
refused ':7: 4 does not fit into the 2 bits of "ev_retired"' 's/(ev_retired).*/\1 max=4/'
refused ':13: "csr_wdata" has 32 bits, the port 64' 's/ width=32//'
refused ':14: address 0x100 does not fit' 's/^register 0x00/register 0x100/'
refused ':1: input "ev_dcache" of small_pmu is in no line' '/ev_dcache/d'
refused ':14: "PMXX_EL0" is no register' 's/PMCR_EL0/PMXX_EL0/'
refused ':23: small_pmu has no signal "nothing"' '$ a visible counter 0 nothing'
refused ':23: "flags" has 7 bits; expected at most 6 for visible overflow' '$ a visible overflow flags[6:0]'
refused '^pmuv3 check: the RTL: ' 's/^top small_pmu/top other/'
sed 's/^) (/&inout pad,/; s/^endmodule/assign pad = irq ? 1 : 1'"'bz"'; &/' "$small/small_pmu.v" >pad.v
unusable ':1: port "pad" of small_pmu is an inout; expected inputs and outputs' "$small/small.pmu" pad.v
described 's/ev_retired/pad/'
unusable ':7: "pad" of small_pmu is an inout; expected an input for event' $changed.pmu pad.v

# ---- Arguments ----
unusable '^pmuv3 check: a description and the RTL are missing'
unusable '^pmuv3 check: the RTL is missing' "$small/small.pmu"
unusable "^pmuv3 check: --top: is given twice" "$small/small.pmu" "$small/small_pmu.v" --top a --top b
unusable "^pmuv3 check: --top: '' is no name" "$small/small.pmu" "$small/small_pmu.v" --top ''
unusable "^pmuv3 check: unusable option '--seed': it is given twice" "$small/small.pmu" "$small/small_pmu.v" --seed 1 --seed 2
check 0 --cycles 1000 --json -h
[ -s ./-h ] || fail "a value was taken for an option"
unusable "^pmuv3 check: cannot read 'absent.v'" "$small/small.pmu" absent.v
mkfifo pipe
unusable "^pmuv3 check: cannot read 'pipe'" "$small/small.pmu" pipe
unusable "^pmuv3 check: cannot read 'pipe'" "$small/small.pmu" -f pipe
unusable "^pmuv3 check: cannot read 'pipe'" pipe "$small/small_pmu.v"
unusable "^pmuv3 check: --replay: cannot read 'pipe': not a regular file" "$small/small.pmu" "$small/small_pmu.v" --replay pipe
# What Verilator makes, and where, is not for the user to say.
echo mine >thesis
for option in --xml-output --Mdir -o --main --prefix --lint-only -E --version --trace --build --bbox-sys --bbox-unsup --colour thesis; do
  unusable "^pmuv3 check: --verilator: '$option' does not say how Verilator reads RTL" "$small/small.pmu" "$small/small_pmu.v" --verilator "$option" --verilator thesis
done
[ "$(cat thesis)" = mine ] || fail "a file of the user's is gone"
unusable "^pmuv3 check: --verilator: the value of '--x-assign' is missing" "$small/small.pmu" "$small/small_pmu.v" --verilator --x-assign
echo "$small/small_pmu.v -Wno-style // --Mdir x" >good.f
printf -- '--x-assign fast\n-f good.f\n' >whole.f
status 0 "$small/small.pmu" -f whole.f --cycles 1000 --verilator --timescale --verilator 1ns/1ps
# A port that is no vector.
sed 's/^  input  *wire  *clk,/&\n  input real vdd,/' "$small/small_pmu.v" >real.v
grep -q vdd real.v || fail "no port is added"
unusable "^pmuv3 check: port 'vdd' is no vector; wrap the device, and drive it there$" "$small/small.pmu" real.v --cycles 1000
# A port whose name Verilator's model has for a member of its own.
for name in name eval threads rootp trace; do
  sed "s/^  input  *wire  *clk,/&\n  input wire $name,/" "$small/small_pmu.v" >named.v
  { cat "$small/small.pmu" && echo "tie $name 0"; } >named.pmu
  unusable "^named.pmu:1: port \"$name\" of small_pmu has the name of a member of Verilator's model; wrap" named.pmu named.v --cycles 1000
done
# None is hidden: by another file, a path, a comment, quotes, blanks, or by another option's value.
for hidden in '--Mdir thesis' 'a//b --Mdir thesis' '/**/--Mdir thesis' '/* // */ --Mdir thesis' '"--Mdir" thesis' \
  '-M"dir" thesis' '\--Mdir thesis' $'x\v--Mdir thesis' '--error-limit -y --Mdir thesis'; do
  { cat good.f && echo "$hidden"; } >hidden.f
  echo '-f hidden.f -f whole.f' >whole.f
  unusable "^pmuv3 check: 'hidden.f': ('.*' does not say how Verilator reads RTL|a comment within a word)" "$small/small.pmu" -f whole.f
done
unusable "^pmuv3 check: --verilator: '--Mdir' does not" "$small/small.pmu" "$small/small_pmu.v" --verilator --error-limit --verilator -y --verilator --Mdir
unusable "^pmuv3 check: unusable option '--colour'" "$small/small.pmu" "$small/small_pmu.v" --colour
unusable '^pmuv3 check: --mode takes' "$small/small.pmu" "$small/small_pmu.v" --mode fuzzy
unusable '^pmuv3 check: --wave needs --replay' "$small/small.pmu" "$small/small_pmu.v" --wave x.fst
for option in '--seed 1' '--cycles 9' '--jobs 1' '--out replayed' --no-shrink '--seconds 9'; do
  # shellcheck disable=SC2086
  unusable '^pmuv3 check: --replay takes no --seed' "$small/small.pmu" "$small/small_pmu.v" --replay one.check $option
done
# twice WHAT LINE...: the last line gives it twice
twice() {
  printf '%s\n' 'pmuv3-check 1' "${@:2}" >twice.check
  unusable "^twice.check:$#: $1 is given twice" "$small/small.pmu" "$small/small_pmu.v" --replay twice.check
}
twice ev_retired 'cycle ev_retired=1 ev_retired=0'
twice times 'cycle times=2 times=3'
twice seed 'seed 1' 'seed 2'
twice el 'state el=1 el=1'
printf 'pmuv3-check 1\ncycle nothing=1\n' >bad.check
unusable '^bad.check:2: "nothing" is no event pin' "$small/small.pmu" "$small/small_pmu.v" --replay bad.check

all_held
