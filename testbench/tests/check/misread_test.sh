#!/usr/bin/env bash
# RTL that Verilator takes in another way than IEEE 1800 has it: `pmuv3 check` refuses it, and no RTL beside it.
# Usage: misread_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
# shellcheck source=tiny.sh
. "$here/tiny.sh"

# find_in TEXT: `found` gets what is misread of a module whose third line is the text
find_in() {
  printf '%s\n' 'module top(input signed [7:0] s, input [7:0] u, input signed [3:0] n, input [63:0] i, output [63:0] o);' \
    '  reg [63:0] r; assign o = r;' "  $1" endmodule >top.sv
  rm -rf made
  verilator --xml-only --noassert -fno-dfg -Wno-fatal -Wno-lint -Wno-style --top-module top --Mdir made --xml-output made.xml \
    top.sv >verilator.log 2>&1 || fail "$1: $(cat verilator.log)"
  found=$("$root/testbench/cosim/check/misread.py" made.xml) || fail "$1: exit status $?"
}
misread() {
  find_in "$2"
  [[ $found == top.sv:3:*"$1"* ]] || fail "$2: '$found'"
}
right() {
  find_in "$1"
  [ -z "$found" ] || fail "$1: '$found'"
}

mixed='operands of "case" or "inside" that are signed and unsigned'
misread "$mixed" "always @* case (s) 16'h0001: r = 1; 16'sh0080: r = 2; default: r = 0; endcase"
misread "$mixed" "always @* casez (n) 4'b1???: r = 1; 8'sb1111_0???: r = 2; 8'h03: r = 3; default: r = 0; endcase"
misread "$mixed" "always @* case (u) -1: r = 1; 8'sh80: r = 2; 16'shff: r = 3; default: r = 0; endcase"
misread "$mixed" "always @* case (n) s: r = 1; u: r = 2; default: r = 0; endcase"
misread "$mixed" "assign r = s inside {16'h00ff, 3};"
range='a range of "inside" of a signed value'
misread "$range" 'assign r = (s inside {[-4:4]}) ? 5 : 6;'
misread "$range" 'assign r = {s inside {[-4:4]}};'
misread "$range" "assign r = {s inside {[8'shf0:8'sh04]}};"
misread "$range" "always @* case (s) inside [-4:4]: r = 1; default: r = 0; endcase"
right "always @* case (u) inside [4:9]: r = 1; default: r = 0; endcase"
effects='reg [7:0] m; function [7:0] f(input [7:0] x); begin f = x + 1; m = x; end endfunction'
misread 'a function that assigns a variable of its module' "$effects always @* begin m = 0; r = i[9] ? f(1) : f(2); end"
right "$effects always @* begin m = 0; r = f(i[9] ? 1 : 2); end"
right 'function [7:0] g(input [7:0] x); reg [7:0] m; begin m = x; g = m + 1; end endfunction assign r = i[9] ? g(1) : g(2);'
right "always @* case (u) 0: r = 1; 8'h80: r = 2; 255: r = 3; default: r = 0; endcase"
right "always @* case (s) -1: r = 1; 8'sh80: r = 2; 0: r = 3; default: r = 0; endcase"
right "always @* case (s) 8'hff: r = 1; 8'h80: r = 2; default: r = 0; endcase"
right "assign r = u inside {1, [8'h80:8'hff]} || i[1:0] inside {2'd1, 2'd2};"
right "assign r = s < n || u < i[2:0] || s == n || u == n || 16'(s) > i[15:0] || s + n < 3;"
misread 'a packed array of signed elements' 'logic signed [1:0][7:0] p; assign p = i[15:0], r = p[i[0]];'
right 'logic [1:0][7:0] p; logic signed [7:0] q [0:1]; assign p = i[15:0], r = p[i[0]], q[0] = s, q[1] = n;'
slice() { echo "reg [7:0] a $1; wire [7:0] x [0:1]; assign x = a[$2], r = x[i[0]]; always @* a[i[3:1]] = u;"; }
misread 'a slice of an array whose lowest index is not 0' "$(slice '[4:11]' '6+:2')"
misread 'a slice of an array whose lowest index is not 0' "$(slice '[11:4]' '6+:2')"
right "$(slice '[0:7]' '4+:2')"
misread 'a stream that is narrower than what takes it' 'assign r = {<<{u}};'
right 'assign r = {<<{i}};'

# Verilator itself knows that x in a label is no wildcard to it.
sed "s/^  assign rdata/  reg [31:0] read;\n  always @* case (addr) inside 8'bx: read = enables; default: read = 0; endcase\n&/" \
  tiny.v >x.sv
unusable '^pmuv3 check: the RTL: .*Use of x constant' $tiny.pmu x.sv -DVALUE=read
# The command refuses it, too.
# shellcheck disable=SC2154 # of Verilog
sed "s/^  assign rdata/  reg [31:0] read;\n  always @* case (\$signed(addr)) 16'h0: read = enables; 16'sh1: read = 0; default: read = 0; endcase\n&/" \
  tiny.v >mixed.v
unusable "^pmuv3 check: the RTL: .*mixed.v:1[0-9]: $mixed" $tiny.pmu mixed.v -DVALUE=read

all_held
