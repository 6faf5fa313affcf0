# shellcheck shell=bash
# Of prove_test.sh: what the proof's own reader cannot write, and slang reads.
# shellcheck disable=SC2016,SC2154 # sed's addresses, variables of prove_test.sh
# other NAME WORDS: a device with a condition that the script cannot write, and these words
other() {
  sed "s/ wdata,/ wdata, input other,/; s|^  assign rdata.*|  wire same = addr ==? 8'b00??_0000;\n  $2\n&|" tiny.v >"$1.sv"
  grep -qF "$2" "$1.sv" || fail "$1: $(cat "$1.sv")"
}
with other '$a tie other 0'
other slang ''
proves "$tiny.other.pmu" slang.sv '-DVALUE=same ? enables : 0'
grep -qx 'slang read the RTL, which has an expression "eqwild"' out || fail "$(cat out)"
refutes "$tiny.other.pmu" slang.sv '-DVALUE=same ? enables ^ (clocks == 3) : 0'
sed '$a visible counter 0 seen[1]' "$tiny.other.pmu" >"$tiny.seen.pmu"
other seen 'reg [31:0] seen [0:1]; always @(posedge clk) begin seen[0] <= 0; seen[1] <= 0; end'
has_none 'does not know an expression "eqwild": no verdict$' "$tiny.seen.pmu" seen.sv '-DVALUE=same ? enables : 0'
# What Yosys would take in another way than a simulator.
while read -r words; do
  other unsound "$words"
  has_none '^pmuv3 check: --prove does not know [^;]*: no verdict$' "$tiny.other.pmu" unsound.sv '-DVALUE=same ? enables : {32{gate}} & 0'
done <<'RTL'
reg gate; always @(req) gate = req ^ we;
reg gate; always @* unique case (req) 0: gate = we; 1: gate = 0; endcase
wire gate; assign gate = wdata / addr;
RTL
