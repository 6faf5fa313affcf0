#!/usr/bin/env bash
# `pmuv3 check` plays the device in Icarus Verilog, too: what a device is there alone is no verdict, and no evidence.
# Usage: again_test.sh ROOT
# shellcheck disable=SC2016 # Verilog
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
# shellcheck source=tiny.sh
. "$here/tiny.sh"
stand_in "$program" <<SCRIPT
#!/bin/sh
exec "$root/testbench/cosim/check/check.sh" --evidence "$scratch/evidence.db" --built "\$@"
SCRIPT
good=(-DVALUE=enables)
runs() { sqlite3 evidence.db 'SELECT count(*) FROM run'; }

# says NAME ROW: the list "never compared" of the JSON file has this row of the second simulator
says() {
  local row
  row=$(jq -r '.never_compared[] | select(startswith("the RTL as a second simulator reads it")) | split(": ")[1:] | join(": ")' "$1")
  # shellcheck disable=SC2053 # a pattern
  [[ $row == $2 ]] || fail "$1: '$row', expected '$2'"
}

# ---- The same in both ----
status 0 $tiny.pmu tiny.v "${good[@]}" --cycles 1000 --json both.json --page both.html
grep -qE 'equivalent in Icarus Verilog, too: 5[0-9]{4} clocks, [1-9][0-9]* comparisons' both.html || fail "both.html"
grep -qE '^in Icarus Verilog: 5[0-9]{4} clocks, [1-9][0-9]* comparisons$' out || fail "$(cat out)"
says both.json ''
jq -e '.icarus_verilog | test("^5[0-9]{4} clocks, [1-9][0-9]* comparisons$")' both.json >/dev/null || fail "$(cat both.json)"
# A device that is wrong in both diverges as ever.
status 1 $tiny.pmu tiny.v "-DVALUE=enables^2" --cycles 1000 --no-shrink
[ -f divergence-check/stimulus.check ] || fail "no stimulus"

# ---- Another device in Icarus Verilog alone ----
# What nothing assigns is x there, and in Verilator a value.
other=('-DVALUE=(enables^(hold===1'"'"'bx))')
sed 's/^  reg \[15:0\] clocks;/& reg hold;/' tiny.v >hold.v
says_other='^pmuv3 check: equivalent in Verilator, but not in Icarus Verilog: clock [0-9]+, thread 0: PMINTENSET_EL1 reads [0-9A-Fx]+, expected [0-9A-Fx]+ .*: no verdict$'
before=$(runs)
for way in '--cycles 1000 --page page.html' "--replay divergence-check/stimulus.check"; do
  # shellcheck disable=SC2086 # words
  status 3 $tiny.pmu hold.v "${other[@]}" $way --json other.json --junit other.xml
  grep -qE "$says_other" err || fail "$way: $(cat err)"
  ! grep -q '^equivalent$' out || fail "$way: $(cat out)"
  jq -e '.verdict == "no verdict"' other.json >/dev/null || fail "$way: $(cat other.json)"
  grep -q 'errors="1"' other.xml || fail "$way: $(cat other.xml)"
done
[ ! -e page.html ] || fail "a page without a verdict"
[ "$(runs)" = "$before" ] || fail "recorded"
status 3 $tiny.pmu hold.v "${other[@]}" --cycles 1000 --seeds 2
grep -q '^pmuv3 check: not equivalent in Icarus Verilog: clock .*: no verdict$' err || fail "$(cat err)"
[ "$(runs)" = "$before" ] || fail "seeds are recorded"
# It ends the simulation there.
sed "s/\`VALUE/enables; always @(posedge clk) if (clocks == 20 \&\& hold === 1'bx) \$finish/" hold.v >ends.v
status 3 $tiny.pmu ends.v --cycles 1000
grep -q 'not in Icarus Verilog: the device ends the simulation: [0-9]* clocks' err || fail "$(cat err)"
sed -i 's/\$finish/$fatal(1, "ends")/' ends.v
status 3 $tiny.pmu ends.v --cycles 1000
grep -q 'not in Icarus Verilog: the device ends the simulation: [0-9]* clocks' err || fail "\$fatal: $(cat err)"
# Nobody looks.
status 0 $tiny.pmu hold.v "${other[@]}" --one-simulator --cycles 1000 --json one.json
says one.json --one-simulator
unusable '^pmuv3 check: --one-simulator: is given twice$' $tiny.pmu hold.v --one-simulator --one-simulator

# ---- slang reads what Icarus Verilog does not take ----
# A package, structs in an array, `inside`, a parameter, internals: two in an instance, and an element of an array.
echo 'package p; typedef struct packed {logic [31:0] on, off;} pair_t; endpackage' >sv.sv
sed '/^  assign rdata/,$d; s/ tiny(/ tiny import p::*; #(parameter int X = 1)(/; s/output/& logic/; s/^  reg \[31:0\] enables;/  pair_t pairs [1];\n&/' tiny.v >>sv.sv
cat >>sv.sv <<'RTL'
  assign pairs[0] = '{on: enables, off: ~enables};
  always_comb begin
    rdata = '0;
    if (addr inside {[0:3]} && X == 5) rdata = pairs[0].on `VALUE;
  end
  if (1) begin : g probe u_probe[1:0](.clk, .rst_n); end
endmodule
module probe(input clk, rst_n);
  logic [63:0] count, counts [2];
  logic hold;
  assign count = '0, counts[0] = '0, counts[1] = '0;
endmodule
RTL
{
  cat $tiny.pmu
  printf 'visible counter %s\n' '0 g.u_probe[1].count' '1 g.u_probe[0].counts[1]' '31 g.u_probe[0].count[63:0]'
} >$tiny.sv.pmu
sv=(-DVALUE= -GX=4 -GX=5)
status 0 $tiny.sv.pmu sv.sv "${sv[@]}" --cycles 1000 --json sv.json --page sv.html
says sv.json ''
jq -e '.icarus_verilog | test("^5[0-9]{4} clocks, [1-9][0-9]{5} comparisons, of what slang reads$")' sv.json >/dev/null ||
  fail "$(cat sv.json)"
grep -q 'of what slang reads' sv.html || fail "sv.html"
status 1 $tiny.sv.pmu sv.sv -DVALUE='^2' -GX=5 --cycles 1000 --no-shrink
# x is no value there, either.
status 3 $tiny.sv.pmu sv.sv '-DVALUE=^(g.u_probe[0].hold!==0&g.u_probe[0].hold!==1)' -GX=5 --cycles 1000
grep -qE "^pmuv3 check: equivalent in Verilator, but not in Icarus Verilog: .*, of what slang reads: no verdict$" err || fail "$(cat err)"
# Nor does slang take it, or nobody can tell.
status 0 $tiny.pmu sv.sv -DVALUE= "-GX='d5" --cycles 1000 --json int.json
says int.json "Icarus Verilog does not take the RTL: *; -GX='d5 is no decimal number for slang"
mkdir killed
stand_in killed/npm <<<'#!/bin/sh
echo "npm error: no network" >&2
exit 1'
sed -i "s|--built|--slang '$scratch/slang' &|" "$program"
PMUV3_STAND_INS=$PWD/killed status 0 $tiny.sv.pmu sv.sv "${sv[@]}" --cycles 1000 --json npm.json
says npm.json 'Icarus Verilog does not take the RTL: *; slang cannot be installed: npm error: no network'
[ ! -e "$scratch/slang" ] || fail "half installed"
sed -i "s|--slang '.*' --built|--built|" "$program"

# ---- Nothing was compared there, and the list says so ----
status 0 $tiny.pmu tiny.v "${good[@]}" --cycles 1000 --mode within --json mode.json
says mode.json '--mode*'
status 0 $tiny.pmu tiny.v "${good[@]}" --replay <(cat divergence-check/stimulus.check) --json replay.json
says replay.json '--replay*'
rm killed/npm
stand_in killed/vvp <<<'#!/bin/sh
kill -KILL $$'
PMUV3_STAND_INS=$PWD/killed status 0 $tiny.pmu tiny.v "${good[@]}" --cycles 1000 --json killed.json
says killed.json 'Icarus Verilog has no verdict*'
[ ! -s err ] || fail "killed: $(cat err)"

# It ends with us.
stand_in killed/vvp <<<'#!/bin/sh
echo >begun
exec sleep 7653'
PMUV3_STAND_INS=$PWD/killed "$program" $tiny.pmu tiny.v "${good[@]}" --cycles 1000 >out 2>err &
until [ -e begun ] || ! kill -0 $!; do sleep 0.1; done
kill $!
wait $! && fail "it goes on"
! pgrep -f 'sleep 7653' >/dev/null || fail "vvp goes on"

# ---- A module of a library, and macros that select text ----
mkdir library
sed -n 's/^  assign rdata = .*/module inverse(input [31:0] a, output [31:0] y); assign y = ~a; endmodule/p' tiny.v >library/inverse.v
sed 's/`VALUE;/~inverted; wire [31:0] inverted; inverse u_inverse(enables, inverted);/' tiny.v >uses.v
status 0 $tiny.pmu uses.v -y library --cycles 1000 --json library.json
says library.json ''

# ---- RTL that prints ----
sed "s/^endmodule/  always @(posedge clk) \$write(\"pmuv3: equivalent: .\");\n&/" hold.v >prints.v
status 3 $tiny.pmu prints.v "${other[@]}" --cycles 1000
grep -qE "$says_other" err || fail "RTL that prints: $(cat err)"

# ---- Files of the user ----
echo kept >dump.vcd
sed 's/^endmodule/  initial begin $dumpfile("dump.vcd"); $dumpvars; end\n&/' tiny.v >dump.v
status 0 $tiny.pmu dump.v "${good[@]}" --cycles 1000 --json dump.json
says dump.json ''
[ "$(cat dump.vcd)" = kept ] || fail "dump.vcd is overwritten"

# ---- A proof ----
stand_in killed/vvp <<<'#!/bin/sh
for word; do :; done
echo "diverged: clock 7, after 8 clocks" >"${word#+pmuv3_words=}"
exit 1'
PMUV3_STAND_INS=$PWD/killed status 3 --prove $tiny.pmu tiny.v "${good[@]}"
grep -qx 'no verdict: not equivalent in Icarus Verilog: clock 7, after 8 clocks' out || fail "$(cat out err)"
status 0 --prove $tiny.pmu tiny.v "${good[@]}" --one-simulator
grep -qx '  the RTL as a second simulator reads it: --one-simulator' out || fail "$(cat out)"
all_held
