# shellcheck shell=bash
# Tests of `pmuv3 check` on a device that is compiled in a moment. NAME_test.sh ROOT sources this file after
# cli/check.sh.
root=$1
# shellcheck disable=SC2034 # of check.sh
name=check
# shellcheck disable=SC2154 # likewise
program=$scratch/check
stand_in "$program" <<SCRIPT
#!/bin/sh
exec "$root/testbench/cosim/check/check.sh" --evidence "$scratch/evidence.db" --once --built "\$@"
SCRIPT
unset PMUV3_SOURCE
tiny=tiny${$}x # no other number begins with it; its folders in build/check are removed
trap 'rm -rf "$scratch" "$root/build/check/$tiny"*' EXIT

# A device of one register.
cat >tiny.v <<'RTL'
module tiny(input clk, input rst_n, input req, input we, input [7:0] addr, input [31:0] wdata, output [31:0] rdata);
  reg [31:0] enables;
  reg [15:0] clocks;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) {enables, clocks} <= 0;
    else begin
      clocks <= clocks + 1;
      if (req & we) enables <= enables | wdata & 32'h80000003;
    end
  assign rdata = `VALUE;
`ifdef ENDS
  always @(posedge clk) if (rst_n && clocks == 20) `ENDS;
`endif
endmodule
RTL
cat >$tiny.pmu <<'PMU'
pmuv3-device 1
param counters=2 el2=0 el3=0 features=PMUv3p1
top tiny
clock clk
reset rst_n low
port csr request=req write=we address=addr data=wdata value=rdata response=0 width=32
register 0x00 PMINTENSET_EL1
PMU

# with NAME SCRIPT: writes the changed description $tiny.NAME.pmu
with() { sed -E "$2" $tiny.pmu >"$tiny.$1.pmu"; }
