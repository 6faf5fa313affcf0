#!/usr/bin/env bash
# `pmuv3 check --prove`: what is refused; of an example device: it is proved, and every third of its mistakes is refuted
# by a stimulus that diverges in simulation; with --all, each of its mistakes.
# Usage: prove_test.sh ROOT [--small|--apb|--dual|--threshold [--all]|--values|--doubts|--slang]
#        with --values, when reads are answered and what writes keep; with --doubts, what must not be proved, and tools
#        that do not answer; with --slang, what slang reads
# shellcheck disable=SC2016  # sed's addresses, Verilog's back quotes
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
# shellcheck source=tiny.sh
. "$here/tiny.sh"
devices=$root/testbench/cosim/check/devices
limit=3000 # of a proof, in seconds: others may work on this machine, too

sample=(--sample)
if [ "${3-}" = --all ]; then sample=(); fi
mistakes_of() { "$devices/bugs.sh" --list "${sample[@]}" | sed -n "s/^$1 \([^ ]*\) .*/\1/p"; }

# proves ARGUMENT...: expects `proved`
proves() {
  status 0 --prove --seconds "$limit" "$@"
  [ "$(tail -n 1 out)" = proved ] || fail "$name --prove $*: $(cat out err)"
  sed -n '/^the proof does not cover:$/,/^proved$/s/^  /- /p' out >uncovered
  [ -s uncovered ] || fail "$name --prove $*: not a word of what is not covered: $(cat out)"
  finds_none -vxF -f "$root/docs/design/check.md" uncovered || fail "docs/design/check.md does not say it"
}

# refutes ARGUMENT...: expects `refuted`, and a counterexample that diverges
refutes() {
  status 1 --prove --seconds "$limit" --out cex "$@"
  [ "$(tail -n 1 out)" = refuted ] || fail "$name --prove $*: $(cat out err)"
  status 1 --replay cex/counterexample.check "$@"
}

# has_none PATTERN ARGUMENT...: expects no verdict, and a line that says why
has_none() {
  local pattern=$1
  shift
  status 3 --prove "$@"
  grep -qE -e "$pattern" out err || fail "$name --prove $*: not '$pattern': $(cat out err)"
  finds_none -qE '^(proved|refuted)$' out || fail "$name --prove $*: a verdict: $(cat out)"
}

# head_of TOP COUNTERS EL2: the first lines of a description
head_of() {
  printf '%s\n' 'pmuv3-device 1' "param counters=$2 el2=$3 el3=0 features=PMUv3p1" "top $1" 'clock clk' 'reset rst_n low' \
    'port csr request=req write=we address=addr data=wdata value=rdata response=0 width=32'
}

# ---- The small device ----

# The device with so many counters, and its description.
small=$devices/small/small_pmu.v
of_size() {
  sed "s/counters=6/counters=$1/" "$devices/small/small.pmu" >"$tiny.small$1.pmu"
  sized=("$tiny.small$1.pmu" "$small" "-GN=$1")
}

# With two counters all mistakes but one: it needs a second even counter.
prove_small() {
  local bug
  of_size 2
  proves "${sized[@]}"
  # What the proof reads as the device is the device.
  status 0 --cycles 200000 "${sized[0]}" "$(echo "$root/build/check/${tiny}_small2-"*/proof/device.v)"
  while read -r bug; do
    of_size "$([ "$bug" = CHAIN ] && echo 3 || echo 2)"
    refutes "${sized[@]}" "-DBUG_$bug"
  done < <(mistakes_of small)
  proves "$devices/small/small.pmu" "$small"
}

# With the events that the proof of rtl/ against the C model knows (model_events.c), both steps of the chain are
# proofs. The fifth event is tied.
prove_chain() {
  sed "s/16'h0010:/16'h0024:/; s/16'h0086:/16'h4005:/" "$small" >chain.v
  of_size 2
  sed 's/^event 0x0010/event 0x0024/; s/^event 0x0086/event 0x4005/; s/^event 0x003F \(.*\)/tie \1 0/' "${sized[0]}" >"$tiny.chain.pmu"
  [ "$(sed -n 's/^event \(0x[^ ]*\).*/\1/p' "$tiny.chain.pmu" | sort | xargs)" = '0x0004 0x0008 0x0024 0x4005' ] || fail "other events"
  proves "$tiny.chain.pmu" chain.v -GN=2
}

# found_beside ARGUMENT...: what the proof cannot see, and the simulation beside it does
found_beside() {
  status 1 --prove --seconds "$limit" --out beside "$@"
  status 1 --replay beside/minimal.check "$@"
}

# Another device, in its own size. ONE_ANSWER needs requests that overlap, which the proof does not have.
prove_device() {
  local device=("$devices/$1/$1.pmu" "$devices/$1/"*_pmu.*v) bug
  proves "${device[@]}"
  while read -r bug; do
    if [ "$bug" = ONE_ANSWER ]; then found_beside "${device[@]}" "-DBUG_$bug"; else refutes "${device[@]}" "-DBUG_$bug"; fi
  done < <(mistakes_of "$1")
}

if [ "${2-}" = --small ]; then
  prove_small
  prove_chain
  all_held
fi

if [[ ${2-} == @(--apb|--dual|--threshold) ]]; then
  prove_device "${2#--}"
  all_held
fi

if [ "${2-}" = --values ]; then
  # shellcheck source=prove_values.sh
  . "$here/prove_values.sh"
  all_held
fi

if [ "${2-}" = --doubts ]; then
  # shellcheck source=prove_doubts.sh
  . "$here/prove_doubts.sh"
  all_held
fi

if [ "${2-}" = --slang ]; then
  # shellcheck source=prove_slang.sh
  . "$here/prove_slang.sh"
  all_held
fi

# ---- What is refused ----
unusable '^pmuv3 check: --prove takes no --cycles$' --prove --cycles 5 $tiny.pmu tiny.v -DVALUE=enables
unusable '^pmuv3 check: --prove takes no --calibrate$' --prove --calibrate $tiny.pmu tiny.v -DVALUE=enables
unusable '^pmuv3 check: --seconds takes a number' --prove --seconds x $tiny.pmu tiny.v -DVALUE=enables
with initial '$a initial PMCR_EL0 0'
unusable "^$tiny.initial.pmu:1: --prove does not know \"initial\"$" --prove $tiny.initial.pmu tiny.v -DVALUE=enables
has_none 'does not know a statement "finish"' $tiny.pmu tiny.v -DVALUE=enables "-DENDS=\$finish"

# Another proof of the device is waited for, as long as the time lasts.
folder=$(find "$root/build/check" -maxdepth 1 -name "$tiny-*" -newer $tiny.pmu | head -n 1)
flock "$folder/lock" sleep 5 &
has_none '^no verdict: out of time after 1 s, behind another proof of the device$' $tiny.pmu tiny.v -DVALUE=enables "-DENDS=\$finish" --seconds 1
wait

has_none "does not know a net that can be high impedance, at .*tiny.v:10: no verdict$" $tiny.pmu tiny.v "-DVALUE=req?enables:32'bz"
sed 's/^  assign rdata/  reg [31:0] read;\n  always @* case (req) \/\/ synopsys parallel_case\n1: read = enables; 0: read = 0; endcase\n&/' tiny.v >comment.v
has_none 'does not know the comment "synopsys parallel_case" or "full_case"' $tiny.pmu comment.v -DVALUE=read

# ---- Where unique is not so, hardware does anything ----
# writes NAME WORDS: the register of a device is written by this statement
writes() {
  sed "s/if (req & we) enables <= .*/$2/" tiny.v >"$1.sv"
  grep -qF unique "$1.sv" || grep -qF parallel_case "$1.sv" || fail "$1: $(cat "$1.sv")"
}
set='enables <= enables | wdata \& 32'"'h80000003"
writes one "unique case ({req, we}) 2'b11: $set; 0, 1, 2: enables <= enables; endcase"
proves $tiny.pmu one.sv -DVALUE=enables
writes one "unique if (req \& we) $set; else if (!req) enables <= enables; else enables <= enables;"
proves $tiny.pmu one.sv -DVALUE=enables
writes one "(* parallel_case *) casez ({req, we}) 2'b11: $set; 2'b0?: ; endcase"
proves $tiny.pmu one.sv -DVALUE=enables
for statement in "unique casez ({req, we}) 2'b11: $set; 2'b?1: enables <= enables; default: ; endcase" \
  "(* parallel_case *) casez ({req, we}) 2'b11: $set; 2'b?1: enables <= enables; default: ; endcase" \
  "unique case ({req, we}) 2'b11: $set; 0, 1: enables <= enables; endcase" \
  "unique if (req \& we) $set; else if (we) enables <= enables; else enables <= enables;"; do
  writes two "$statement"
  has_none 'the device ended the simulation|the counterexample does not diverge in simulation' $tiny.pmu two.sv -DVALUE=enables
done
# The device may be called as a part of the proof.
for top in pmuv3 pmuv3_miter; do
  sed "s/module tiny/module $top/" tiny.v >$top.v
  with $top "s/^top.*/top $top/"
  proves $tiny.$top.pmu $top.v -DVALUE=enables
done

# The words of two files with one name: what is refused comes after them.
mkdir other
echo 'package p; function [31:0] same(input [31:0] x); casez (x) 32'"'b?: same = x; endcase endfunction endpackage" >other/tiny.v
has_none 'does not know a statement "finish"' $tiny.pmu other/tiny.v tiny.v '-DVALUE=p::same(enables)' "-DENDS=\$finish"

# ---- Verilator reads the RTL more than once: each time the same files ----
mkdir first second shadow
# shellcheck disable=SC2016 # of Verilog
sed 's/^module/`include "word.vh"\n&/' tiny.v >shadowed.v
touch second/word.vh
stand_in shadow/verilator <<'SCRIPT'
#!/bin/bash
[[ " $* " != *" $STAND_IN_READS "* ]] || cp second/word.vh first
/usr/bin/verilator "$@"
ended=$?
rm -f first/word.vh
exit $ended
SCRIPT
for reads in --xml-only --debugi -E; do
  STAND_IN_READS=$reads PMUV3_STAND_INS=$PWD/shadow status 2 --prove $tiny.pmu shadowed.v -DVALUE=enables -I first -I second
  [[ $(tail -n 1 err) == 'pmuv3 check: the RTL was changed while it was built: '*/word.vh ]] || fail "$reads: $(cat err)"
done

# ---- What devices may take in different ways, and neither stimulus nor proof has ----
# A reserved number of counters for EL2 is all counters here.
cat >split.v <<'RTL'
module split(input clk, input rst_n, input req, input we, input addr, input [31:0] wdata, output [31:0] rdata);
  reg [4:0] hpmn;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) hpmn <= 2;
    else if (req & we) hpmn <= wdata[4:0] == 0 || wdata[4:0] > 2 ? 5'd2 : wdata[4:0];
  assign rdata = hpmn;
endmodule
RTL
# A device without a cycle counter: what PMSELR selects is the event counter, or nothing. Nothing drives some bits at
# other addresses.
cat >chooser.v <<'RTL'
module chooser(input clk, input rst_n, input req, input we, input [7:0] addr, input [31:0] wdata, output reg [31:0] rdata);
  reg [4:0] chosen;
  reg [15:0] number;
  reg p, u;
  wire open;
  wire [1:0] half;
  assign half[0] = we;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) {chosen, number, p, u} <= 0;
    else if (req & we)
      case (addr)
        0: chosen <= wdata[4:0];
        4: if (chosen == 0) {p, u, number} <= {wdata[31:30], wdata[15:0]};
      endcase
  always @* rdata = addr == 0 ? chosen : addr != 4 ? {29'b0, half, open} : chosen == 0 ? {p, u, 14'b0, number} : 0;
endmodule
RTL
for view in MDCR_EL2 HDCR; do
  { head_of split 2 1 && echo "register 0 $view write=0x1F read=0x1F"; } >"$tiny.$view.pmu"
  proves "$tiny.$view.pmu" split.v
  grep -qxF -e '- reserved values of HPMN' uncovered || fail "HPMN: $(cat out)"
done
for end in _EL0 ''; do
  head_of chooser 1 0 >"$tiny.chooser$end.pmu"
  cat >>"$tiny.chooser$end.pmu" <<PMU
absent cycles
register 0 PMSELR$end
register 4 PMXEVTYPER$end write=0xC000FFFF read=0xC000FFFF
PMU
  proves "$tiny.chooser$end.pmu" chooser.v
done

# ---- A Cold reset asserts the Warm pins, too, in the proof as in the simulation beside it ----
sed 's/input rst_n/input cold_n, &/' tiny.v >rests.v
with rests 's/^reset.*/reset cold_n low\n& warm/'
proves "$tiny.rests.pmu" rests.v -DVALUE=enables

# ---- A port of the core's clock keeps an access waiting while the clock stands, as long as that is ----
sed 's/input req/input run, output ready, &/; s/req & we/req \& ready \& we/
  s/^  assign/  assign ready = `READY;\n&/' tiny.v >stands.v
with stands 's/^clock.*/&\nclock_enable run/; s/^port.*/& ready=ready/'
proves "$tiny.stands.pmu" stands.v -DVALUE=enables -DREADY=run
grep -qxF -e '- how long accesses wait while the clock enable is low' uncovered || fail "a port that stands: $(cat out)"
refutes "$tiny.stands.pmu" stands.v -DVALUE=enables -DREADY=0

# ---- What is installed: a proof needs its tools, and says so before the device is compiled ----
mkdir tools
echo 'exec "$@"' | stand_in tools/sudo
echo 'exit 1' | stand_in tools/apt-get
echo "/usr/bin/dpkg-query \"\$@\" | grep -v ' yosys\$'" | stand_in tools/dpkg-query
sed -i '1i #!/bin/sh' tools/*
PMUV3_STAND_INS=$PWD/tools status 2 --prove $tiny.pmu tiny.v -DVALUE=enables
[ "$(cat err)" = "pmuv3: installing yosys
pmuv3 check: cannot read the lists of packages" ] || fail "what a proof needs: $(cat err)"

# ---- The file of a counterexample: nothing but an earlier one is replaced, and it is whole or not there ----
keeps() { echo new | "$root/build/release/bin/pmuv3-check-glue" keep kept counterexample.check 2>err; }
keeps || fail "a new folder: $(cat err)"
keeps || fail "its own folder: $(cat err)"
[ "$(cat kept/counterexample.check)" = new ] || fail "the counterexample is not there"
echo mine >thesis
for appears in 'ln -s ../thesis' 'cp thesis' mkfifo; do
  rm kept/counterexample.check
  $appears kept/counterexample.check
  find kept -printf '%p %y %i %s %l\n' >before
  if keeps; then fail "$appears: it was replaced"; fi
  [ "$(wc -l <err)" -eq 1 ] || fail "$appears: $(cat err)"
  find kept -printf '%p %y %i %s %l\n' | cmp -s - before || fail "$appears: something was changed"
done
[ "$(cat thesis)" = mine ] || fail "a file of the user's is gone"
rm -r kept
mkdir kept
if (ulimit -f 0; keeps 2>/dev/null); then fail "no room, and nothing said"; fi
left kept/counterexample.check

all_held
