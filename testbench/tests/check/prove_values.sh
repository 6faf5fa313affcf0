# shellcheck shell=bash
# Of prove_test.sh: when reads are answered, and what writes keep.
# shellcheck disable=SC2154 # variables of prove_test.sh
# ---- Reads that are answered before their time ----
# A read takes two clocks. In the clock behind an answer, a read that HURRIES is answered at once, by the value of two
# clocks before. Of the same register that value is right.
cat >hasty.v <<'RTL'
module hasty(input clk, input rst_n, input req, input we, input addr, input [31:0] wdata, output valid,
             output reg [31:0] rdata);
  reg [31:0] count, value;
  reg [4:0] chosen;
  reg [1:0] reading;
  reg last, answered;
  wire go = req & !we;
  wire at = go ? addr : last;
  wire hurries = answered & go & reading == 0 & (`HURRIES);
  assign valid = reading[1] | hurries;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) {count, value, rdata, chosen, reading, last, answered} <= 0;
    else begin
      if (req & we & !addr) count <= wdata;
      if (req & we & addr) chosen <= wdata[4:0];
      value <= at ? {27'b0, chosen} : count;
      rdata <= value;
      reading <= {reading[0], go & !hurries};
      last <= at;
      answered <= reading[1];
    end
endmodule
RTL
head_of hasty 1 0 | sed 's/response=0/response=valid/' >"$tiny.hasty.pmu"
printf '%s\n' 'register 0 PMEVCNTR0_EL0' 'register 1 PMSELR_EL0' 'latency read 2' >>"$tiny.hasty.pmu"
for hurries in "1'b0" addr==last; do proves "$tiny.hasty.pmu" hasty.v "-DHURRIES=$hurries"; done
refutes "$tiny.hasty.pmu" hasty.v "-DHURRIES=rdata==32'h5EED5EED"

# ---- Bits that the device does not write ----
# A device that writes HPME alone. HPMN stays as a reset leaves it, unless AFTER says otherwise.
cat >keeper.v <<'RTL'
module keeper(input clk, input rst_n, input req, input we, input addr, input [31:0] wdata, output [31:0] rdata);
  reg hpme;
  reg [4:0] hpmn;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) {hpme, hpmn} <= 2;
    else if (req & we) {hpme, hpmn} <= {wdata[7], `AFTER};
  assign rdata = {hpme, 2'b0, hpmn};
endmodule
RTL
for lines in 'register 0 MDCR_EL2 write=0x80' 'register 0 MDCR_EL2 write=0x9F\nabsent MDCR_EL2.HPMN'; do
  { head_of keeper 2 1 && echo -e "$lines"; } >"$tiny.keeper.pmu"
  proves "$tiny.keeper.pmu" keeper.v "-DAFTER=5'd2"
  refutes "$tiny.keeper.pmu" keeper.v "-DAFTER=5'd0"
done
