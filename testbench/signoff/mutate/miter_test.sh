#!/usr/bin/env bash
# What nobody looks at is no difference, and everything else is one: of a design with a mutant of each kind.
#
#   miter_test.sh PROGRAM   pmuv3-miter
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"

cat >design.sv <<'END'
module design (
  input [15:0] mutant,
  input cfg, events, clk_i, d,
  input [1:0] there, read,
  output [1:0] \u_pmuv3.present , \u_pmuv3.reg_read_i ,
  output [3:0] \u_pmuv3.probe_x_o , \u_pmuv3.reg_rdata_o ,
  output other, other_q
);
  (* keep *) reg unused_q;
  reg used_q;
  always @(posedge clk_i) unused_q <= d ^ unused_q ^ (mutant == 5);
  always @(posedge clk_i) used_q <= d ^ (mutant == 6);
  assign \u_pmuv3.present = there ^ {2{mutant == 7}};
  assign \u_pmuv3.reg_read_i = read;
  assign \u_pmuv3.probe_x_o = {1'b0, (mutant == 1 && !there[1]) || (mutant == 2 && there[1]), 2'b0};
  assign \u_pmuv3.reg_rdata_o = {1'b0, (mutant == 3 && !read[1]) || (mutant == 4 && read[1]), 2'b0};
  assign other = used_q ^ (mutant == 8);
  always @* assume (cfg);
  reg event_q;
  always @(posedge clk_i) event_q <= events;
  assign other_q = event_q;
  always @* assert (cfg);
  always @* assert (event_q == events);
endmodule
END
yosys -q -p 'read_verilog -formal -sv design.sv; prep -top design; flatten; aigmap; dffunmap; simplemap; aigmap
             write_aiger -symbols design.aig' || fail "design.sv: not an and-inverter graph"

# expect QUESTION ANSWER: whether the mutant of that number differs, or that lemma fails after a clock.
expect() {
  "$program" design.aig "$1" question.aig || fail "mutant $1: no question"
  yosys-abc -q '&read question.aig; &put; iprove' >said
  grep -q "^$2" said || fail "mutant $1: expected $2: $(cat said)"
}
for same in 0 1 3 5 7; do expect "$same" UNSATISFIABLE; done
for differs in 2 4 6 8; do expect "$differs" SATISFIABLE; done
# The configuration and the set of events stay what they are from a clock to the next.
for lemma in 0 1; do expect "lemma-$lemma" UNSATISFIABLE; done

# ---- Files that are written ----
cp design.aig kept.aig
for other in design.aig ./design.aig absent/file . ''; do
  status 2 design.aig 1 "$other"
  grep -q "^pmuv3-miter: OUT.aig: cannot write '$other': " err || fail "'$other': $(cat err)"
done
cmp design.aig kept.aig || fail "the input was replaced"
status 2 design.aig 1 /dev/full
grep -qx "pmuv3-miter: OUT.aig: cannot write '/dev/full': No space left on device" err || fail "a full device: $(cat err)"

all_held
