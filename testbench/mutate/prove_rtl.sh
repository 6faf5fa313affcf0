#!/usr/bin/env bash
# Proves mutants of the RTL equivalent to it.
#
#   prove_rtl.sh DIR NUMBER...
#
# DIR is what rtl.sh made. What is proved of a mutant, by SAT: from the same values of all registers,
# whatever they are, and with the same inputs, all that a legal integration presents
# (testbench/prove/properties/pmuv3_legal.sv), all outputs and all registers' next values are the same
# as without it. So the two are the same for ever, in DIR's size, and after any reset. A mutant may be
# equivalent for another reason: that there is no such state.
#
# Prints a line a mutant: its number and `equivalent`, or why not. Exit status: 0, or 2 after one line.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=../prove/yosys.sh
. "$here/../prove/yosys.sh"
timeout=60 # of the solver, in seconds

main() {
  if [ $# -lt 2 ] || [ ! -f "$1/apply.ys" ]; then fail "expected DIR NUMBER..., DIR made by rtl.sh"; fi
  dir=$(cd "$1" && pwd)
  shift
  cut_once || fail "$(tail -n 1 "$dir/cut.log"); see $dir/cut.log"
  local number
  for number; do echo "$number $(prove "$number")"; done
}

fail() {
  echo "prove_rtl.sh: $1" >&2
  exit 2
}

# For all who prove mutants of it side by side.
cut_once() {
  local status=0
  exec 9>"$dir/cut.lock"
  flock 9
  [ -f "$dir/cut.il" ] || cut || status=$?
  exec 9>&-
  return "$status"
}

# All mutants behind an input, and each register cut into outputs and an input. Where Verilog has x there is
# an input, too, which both sides share: what differs for some value of it is not the same.
cut() {
  local threads counters widths
  read -r threads counters <"$dir/size"
  widths=$(widths_of_registers <"$dir/rtl.il")
  { registers "$widths" && selection && part_select; } >"$dir/cells.v"
  with_legal <"$dir/rtl.il" >"$dir/legal.il"
  cat >"$dir/cut.ys" <<END
read_ilang $dir/legal.il
script $dir/apply.ys
read_verilog -sv -formal $root/rtl/pmuv3_pkg.sv $root/testbench/prove/properties/pmuv3_legal.sv
chparam -set NumThreads $threads -set NumCounters $counters pmuv3_legal
read_verilog $dir/cells.v
chtype -set part_select t:\$shiftx
chtype -set selection t:\$pmux
hierarchy -check -top pmuv3
proc
flatten
chformal -cover -remove
delete c:*legal_start
opt_clean
setundef -anyseq
delete t:\$anyseq
setundef -undriven -expose
$(for width in $widths; do echo "chtype -set register_$width t:\\\$adff r:WIDTH=$width %i"; done)
expose -evert pmuv3/t:register_*
select -assert-none t:register_* t:\$*ff*
select -assert-any pmuv3/t:\$assume
opt_expr
opt_merge
opt_clean -purge
check -assert
write_ilang $dir/cut.il.new
# What is assumed can be met: nothing is equivalent for want of a state.
cd pmuv3
sat -falsify -timeout $timeout -set-assumes -prove clk_i 0
END
  yosys -q -s "$dir/cut.ys" >"$dir/cut.log" 2>&1 && mv "$dir/cut.il.new" "$dir/cut.il"
}

# What may be presented is assumed beside the RTL.
with_legal() {
  awk '/^module \\pmuv3$/ { top = 1 }
       /^end$/ && top {
         print "  cell \\pmuv3_legal \\legal"
         n = split("clk_i rst_ni rst_cold_ni cfg_i pe_i other_i reg_write_i reg_read_i psel_i", port, " ")
         for (i = 1; i <= n; i++) print "    connect \\" port[i] " \\" port[i]
         print "  end"
         top = 0
       }
       { print }'
}

widths_of_registers() {
  # shellcheck disable=SC2016  # Yosys' names have a $
  sed -n '/^  cell \$adff /,/^  end/s/.* \\WIDTH \([0-9]*\)$/\1/p' | sort -nu
}

# Nothing is said of them: what one shows is an input, what it is given an output. One of each width, since expose
# looks at the module and not at the cell's parameters.
registers() {
  local width
  for width in $1; do
    cat <<END
(* blackbox *)
module register_$width (
  input CLK, ARST,
  input [$width-1:0] D,
  output [$width-1:0] Q
);
endmodule
END
  done
}

# Yosys' cell $pmux as the netlist has it that is simulated: the lowest bit that is set selects. Yosys itself
# takes for granted that one alone is set, which a mutant may change.
selection() {
  cat <<'END'
module selection (A, B, S, Y);
  parameter WIDTH = 1;
  parameter S_WIDTH = 1;
  input [WIDTH-1:0] A;
  input [WIDTH*S_WIDTH-1:0] B;
  input [S_WIDTH-1:0] S;
  output reg [WIDTH-1:0] Y;
  integer i;
  always @* begin
    Y = A;
    for (i = S_WIDTH - 1; i >= 0; i = i - 1)
      if (S[i]) Y = B[WIDTH*i+:WIDTH];
  end
endmodule
END
}

# What is the same on both sides becomes one before the solver sees it.
prove() {
  local log=$dir/proof.$1.log
  cat >"$dir/proof.$1.ys" <<END
read_ilang $dir/cut.il
copy pmuv3 right
rename pmuv3 wrong
delete wrong/t:\$assume
delete -input right/w:mutant wrong/w:mutant
cd right
connect -set mutant 16'd0
cd ..
cd wrong
connect -set mutant 16'd$1
cd ..
miter -equiv -flatten right wrong miter
cd miter
opt_expr
opt_merge
opt_expr
opt_merge
opt_clean
sat -verify -timeout $timeout -set-assumes -prove trigger 0
END
  if yosys -q -s "$dir/proof.$1.ys" >"$log" 2>&1; then
    echo equivalent
  elif grep -q 'proof did fail' "$log"; then
    echo "differs in a clock from some state, reached or not"
  else
    echo "no answer: $(tail -n 1 "$log")"
  fi
}

main "$@"
