#!/usr/bin/env bash
# What Yosys makes of a module with --prove is what Verilator simulates of it, as `check` has it compile a device: of
# random modules. Without the options of exact.sh, modules 25, 48 and 67 differ.
# Usage: modules_test.sh ROOT [SEED...]
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
# shellcheck source=elaborate.sh
. "$here/elaborate.sh" "$1"
# shellcheck source=../../cosim/check/exact.sh
. "$1/testbench/cosim/check/exact.sh"
name=modules
shift
[ $# -gt 0 ] || set -- {1..4} 25 48 67

# instance MODULE OUTPUT
instance() { echo "  \\$1 u_$2 (.clk_i(clk), .rst_ni(rst_n), .a, .b, .c, .d, .e, .f, .g, .o($2));"; }
# compared SEED: a bench of the module and of what Yosys makes of it
compared() {
  cat <<RTL
module bench_$1;
  logic clk = 0, rst_n = 0;
  logic [7:0] a;
  logic signed [7:0] b;
  logic [4:0] c;
  logic signed [15:0] d;
  logic e;
  logic [31:0] f;
  logic [2:0] g;
  logic [63:0] simulated, netlist;
$(instance "dev_$1" simulated)
$(instance "netlist_$1" netlist)
  initial begin
    for (int i = 0; i < 3000; i++) begin
      {a, b, c, d, e, f, g} = {\$urandom, \$urandom, \$urandom};
      rst_n = i > 2;
      #1 clk = 1;
      #1 clk = 0;
      #1;
      if (i > 2 && simulated != netlist)
        \$display("FAILED $1: in cycle %0d %h is simulated, %h proved", i, simulated, netlist);
    end
    \$display("compared $1");
  end
endmodule
RTL
}

for seed; do
  "$here/random_module.py" "dev_$seed" "$seed" >"dev_$seed.sv"
  elaborate "dev_$seed"
  [ "$actual" = 0 ] || fail "$seed: refused: $(cat err)"
  yosys -q -p "read_verilog -sv dev_$seed.v; hierarchy -check -top dev_$seed; proc -norom; flatten;
    setundef -undriven -zero; opt_clean; rename dev_$seed netlist_$seed; write_verilog -noattr netlist_$seed.v" \
    >yosys.log 2>&1 || fail "$seed: Yosys: $(tail -3 yosys.log)"
  compared "$seed" >"bench_$seed.sv"
done
{
  echo 'module bench;'
  for seed; do echo "  bench_$seed bench_$seed ();"; done
  echo 'endmodule'
} >bench.sv
verilator --binary --timing --noassert "${lint[@]}" -O3 --x-initial 0 "${exact[@]}" \
  -MAKEFLAGS 'OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0' --top-module bench --Mdir model bench.sv bench_*.sv dev_*.sv netlist_*.v \
  >build.log 2>&1 ||
  fail "the bench: $(grep -m 3 Error build.log)"
./model/Vbench >out || fail "the bench ends with status $?"
for seed; do grep -qx "compared $seed" out || fail "$seed: nothing was compared"; done
finds_none -m 8 FAILED out || fail 'another module'

all_held
