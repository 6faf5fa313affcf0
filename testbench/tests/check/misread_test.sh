#!/usr/bin/env bash
# RTL that Verilator takes in another way than IEEE 1800 has it: `pmuv3 check` refuses it, and no RTL beside it.
# Usage: misread_test.sh ROOT
# shellcheck disable=SC2016 # Verilog
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
# shellcheck source=tiny.sh
. "$here/tiny.sh"

# find_in TEXT: `found` gets what is misread of a module whose third line is the text
find_in() {
  printf '%s\n' 'module top(input signed [7:0] s, input [7:0] u, input signed [3:0] n, input [63:0] i, output [63:0] o);' \
    '  reg [63:0] r; assign o = r;' "  $1" endmodule >top.sv
  rm -rf made
  verilator --xml-only --noassert --no-timing -fno-dfg -Wno-fatal -Wno-lint -Wno-style --top-module top --Mdir made \
    --xml-output made.xml top.sv >verilator.log 2>&1 || fail "$1: $(cat verilator.log)"
  verilator -E top.sv >made.v || fail "$1: -E"
  found=$("$root/testbench/cosim/check/misread.py" made.xml made.v) || fail "$1: exit status $?"
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
misread 'a function that assigns a variable of its module' "$effects always @* begin m = 0; r = i[9] || f(1) == 2; end"
misread 'a function that assigns a variable of its module' "$effects always @* begin m = 0; if (i[9] && f(1) == 2) r = 1; else r = 0; end"
misread 'a function that assigns a variable of its module' "$effects always @* begin m = 0; r[0] = i[9] ? 1'b1 : f(1) == 2; end"
calling='function [7:0] h(input [7:0] x); h = f(x) + 1; endfunction'
misread 'a function that assigns a variable of its module' "$effects $calling always @* begin m = 0; r = i[9] ? h(1) : h(2); end"
giving='reg [7:0] m; function [7:0] f(input [7:0] x, output [7:0] y); begin f = x + 1; y = x; end endfunction'
misread 'a function that assigns a variable of its module' "$giving always @* begin m = 0; r = i[9] ? f(1, m) : 2; end"
both='reg [7:0] m; function [7:0] f(input [7:0] x); begin {m, f} = {x, x}; end endfunction'
misread 'a function that assigns a variable of its module' "$both always @* begin m = 0; r = i[9] ? f(1) : f(2); end"
right "$effects always @* begin m = 0; r = f(i[9] ? 1 : 2); end"
right 'function [7:0] f(input [7:0] x); f = x + 1; endfunction assign r = i[9] ? f(1) : f(2); endmodule
  module other; reg [7:0] m; function [7:0] f(input [7:0] x); begin f = x; m = x; end endfunction initial m = f(1);'
right 'function [7:0] g(input [7:0] x); reg [7:0] m; begin m = x; g = m + 1; end endfunction assign r = i[9] ? g(1) : g(2);'
misread "$mixed" "always @* begin r = 0; case (s) 16'h0001: r = 1; default: \$display(1); endcase end"
right "always @* begin r = 0; case (s) -8'sd1: r = 1; default: \$display(1); endcase end"
right "always @* case (u) 16'h8000: r = 1; 8'h80: r = 2; default: r = 0; endcase"
right "always @* case (u) 0: r = 1; 8'h80: r = 2; 255: r = 3; default: r = 0; endcase"
right "always @* case (s) -1: r = 1; 8'sh80: r = 2; 0: r = 3; default: r = 0; endcase"
right "always @* case (s) 8'hff: r = 1; 8'h80: r = 2; default: r = 0; endcase"
right "assign r = u inside {1, [8'h80:8'hff]} || i[1:0] inside {2'd1, 2'd2};"
right "assign r = s < n || u < i[2:0] || s == n || u == n || 16'(s) > i[15:0] || s + n < 3;"
misread 'a packed array of signed elements' 'logic signed [1:0][7:0] p; assign p = i[15:0], r = p[i[0]];'
right 'logic [1:0][7:0] p; logic signed [7:0] q [0:1]; assign p = i[15:0], r = p[i[0]], q[0] = s, q[1] = n;'
right 'typedef enum {IDLE, BUSY} state_t; state_t [3:0] p; typedef logic signed [7:0] s8_t; typedef s8_t [3:0] unused_t;
  assign p = {4{BUSY}}, r = p[i[1:0]] == BUSY;'

# Indexes that Verilator computes in 32 bits, though all operands are narrower.
wide='an index that is computed in more bits than its operands have'
bank='reg [3:0][32:0] b; always @(posedge u[0]) b[n[1:0]] <= i[32:0];'
for index in "i[1:0] + 2'd1" 'i[1:0] - i[3:2]' '~i[1:0]' 'i[9] ? i[1:0] + u[1:0] : i[3:2]' "(i[1:0] << 1)" "-i[1:0]"; do
  misread "$wide" "$bank assign r = b[$index];"
  misread "$wide" "reg [3:0][32:0] b; assign r = b[0]; always @(posedge u[0]) b[$index] <= i[32:0];"
  misread "$wide" "wire [3:0][2:0][32:0] b = {i, i, i, i, i, i, i}; assign r = b[$index][1];"
  misread "$wide" "wire [3:0][2:0][32:0] b = {i, i, i, i, i, i, i}; assign r = b[0][$index];"
  right "wire [32:0] b [0:3]; assign b[0] = u, b[1] = u, b[2] = s, b[3] = n; assign r = b[$index];"
  right "wire [3:0][31:0] b = {i, i}; assign r = b[$index];"
  right "assign r = i[$index +: 3];"
done
for index in 'i[1:0] + 1' 'i[1:0] - K' 'i[1:0]' "i[1:0] + 'd1" '$clog2(3) - i[1:0]' "u[i[1:0]] ^ i[1]" "2'(i[1:0] + 1)"; do
  right "parameter K = 3; $bank assign r = b[$index];"
done
misread "$wide" "localparam [1:0] K = 3; $bank assign r = b[i[1:0] - K];"
misread "$wide" "wire [0:15] y = i; assign r = y[u[2:0] + 3'd3];"
misread "$wide" "wire [16:1] y = i; assign r = y[u[2:0] + 3'd2];"
misread "$wide" "assign r = i[u[2:0] + 3'd3 -: 2];"
right "wire [0:15] y = i; wire [16:1] z = i; assign r = {y[u[2:0] + 3], z[u[2:0] + 2], i[u * 8 + 7 -: 8], y[u], z[u], i[u -: 2]};"
right '`define AT(a, b) a + b
  reg [3:0][32:0] b; always @(posedge u[0]) b[`AT(i[1:0],
  1)] <= i[32:0]; assign r = b[0];'

below='an assignment to part of a vector, which may begin below its lowest bit'
misread "$below" "always @* begin r = 0; r[u[2:0] -: 2] = 3; end"
misread "$below" "always @* begin r = 0; r[{1'b0, u[i[1:0]]} -: 2] = 3; end"
misread "$below" "reg [0:15] y; always @* begin y = 0; y[u[3:0] +: 3] = 7; r = y; end"
misread "$below" "reg [16:1] y; always @* begin y = 0; y[u[3:0] +: 3] = 7; r = y; end"
misread "$below" "always @* begin r = 0; r[n +: 4] = 7; end"
right "integer k; always @* begin r = 0; for (k = 1; k < 9; k = k + 1) r[k -: 2] = i[k]; r[u*4+3 -: 4] = 1; r[u +: 4] = 2; r[u] = 1; end"
right "integer k; reg [0:63] y; always @* begin for (k = 0; k < 64; k = k + 8) y[63-k -: 8] = i[k +: 8]; r = y; end"

struct='typedef struct {logic [7:0] a; logic [7:0] b;} two_t; two_t t'
misread 'an assignment to a member' "$struct [6]; assign r = t[1].a; always @(posedge i[0]) t[u[2:0]].a <= u;"
right "$struct [8]; assign r = t[1].a; always @(posedge i[0]) t[u[2:0]].a <= u;"
misread '"assign" in a process' "always @* begin r = 0; if (i[0]) assign r = u; end"
right 'assign r = u; initial begin : assigned reg assign_; assign_ = 1; end'
misread 'an assignment that waits for an event' 'always @(posedge u[0]) r <= @(posedge u[0]) i;'
misread 'an assignment that waits for an event' 'always @(posedge u[0]) r =
@(negedge u[1]) i;'
right 'always @(posedge u[0]) begin r <= i; $display("r=@%d", r); end'
static='a variable with a value in its declaration'
misread "$static" 'always @* begin : b static int n = 0; n = n + u; r = n; end'
misread "$static" 'always @(posedge u[0]) begin int n = 0; n += u; r <= n; end'
misread "$static" 'function int f(input [7:0] x); int n = 0; begin n = n + x; f = n; end endfunction assign r = f(u);'
right 'always @* begin automatic int n = 0, m = 1; n = n + u; m = m + n; r = m; end'
right 'always @* begin : b int n = 3; r = u + n; end'
right 'function automatic int f(input [7:0] x); int n = 0; for (int k = 0; k < 8; k++) n += x[k]; f = n; endfunction assign r = f(u);'
right 'int t = 0; always @(posedge u[0]) begin t <= t + 1; r <= t; for (int k = 0; k < 4; k++) r[k] <= i[k]; end'
right 'initial begin int n = 0; n = n + 1; r = n; end'
lanes='wire [1:0] l [0:2]; assign l[0] = u, l[1] = i, l[2] = s; wire [1:0] two;'
misread 'a sum or a product of an array' "$lanes assign r = l.sum();"
misread 'a sum or a product of an array' "$lanes assign r = u + l.product;"
right "$lanes assign two = l.sum(), r = two + l.xor();"
misread 'an always_comb that reads what it assigns by <=' "reg [7:0] t; always_comb begin t <= u; r = t ^ i; end"
right "reg [7:0] t; always_comb t <= u; always @* begin r <= t; end"

misread 'an array that takes its own elements' "$lanes reg [1:0] a [0:2]; always @* begin a = l; a = '{a[1], a[0], a[2]}; r = a[0]; end"
misread 'an array that takes its own elements' "$lanes reg [1:0] a [0:2]; always @* begin a = l; a[1:2] = a[0:1]; r = a[2]; end"
right "$lanes reg [1:0] a [0:2]; always @(posedge u[0]) begin a <= '{a[1], a[0], a[2]}; r <= a[0]; end"
right "$lanes reg [1:0] a [0:2]; always @* begin a = l; a[0] = a[1]; r = a[0]; end"
misread '"?:" of whole arrays' "$lanes wire [1:0] a [0:2]; assign a = i[0] ? l : '{1, 2, 3}, r = a[i[1]];"
misread 'a power of signed values' 'assign r = s ** n;'
right 'assign r = u ** i[1:0] + 2 ** s;'
increment='reg [1:0] x; reg [7:0] a; always @* begin x = u; a = i;'
misread 'a side effect in what an assignment assigns to' "$increment a[x++] += s; r = a; end"
misread 'a side effect in what an assignment assigns to' "$effects reg [7:0] a; always @* begin m = 0; a[f(u)] = 1; r = a; end"
right "$increment a[x++] = s[0]; x++; x += 1; r = a + x; end"

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
{ echo '// verilator lint_off CASEWITHX' && cat x.sv; } >quiet.sv
unusable '^pmuv3 check: the RTL: .*/quiet.sv: lint_off CASEWITHX would hide an error' $tiny.pmu quiet.sv -DVALUE=read
# A variable of = and <=.
sed 's/^  assign rdata/  reg both;\n  always @(posedge clk) begin if (we) both = 1; if (req) both <= 0; end\n&/' tiny.v >both.v
unusable '^pmuv3 check: the RTL: .*[Bb]lock.*both' $tiny.pmu both.v -DVALUE=enables^both
unusable '^pmuv3 check: the RTL: .*[Bb]lock.*both' $tiny.pmu both.v -DVALUE=enables^both --verilator -Wno-BLKANDNBLK
# The command refuses it, too, also in a file that it finds.
mkdir found
sed 's/^endmodule/other u_other();\n&/' tiny.v >uses.v
echo "module other; wire [3:0][32:0] b; wire [1:0] p; wire q = b[p + 2'd1]; endmodule" >found/other.v
unusable "^pmuv3 check: the RTL: .*found/other.v:1: $wide" $tiny.pmu uses.v -y found -DVALUE=enables
sed -i "s/2'd1/1/" found/other.v
status 0 $tiny.pmu uses.v -y found -DVALUE=enables --cycles 1000 --json found.json
! grep -q macros found.json || fail "Verilator's macros"
# What Verilator alone reads is in the list.
sed -i 's/^module/`ifndef VERILATOR\nmistake\n`endif\n&/' found/other.v
status 0 $tiny.pmu uses.v -y found -DVALUE=enables --cycles 1000 --json found.json
jq -e '.never_compared | index("the RTL without Verilator'"'"'s own macros: other.v")' found.json >/dev/null || fail "$(cat found.json)"
# shellcheck disable=SC2154 # of Verilog
sed "s/^  assign rdata/  reg [31:0] read;\n  always @* case (\$signed(addr)) 16'h0: read = enables; 16'sh1: read = 0; default: read = 0; endcase\n&/" \
  tiny.v >mixed.v
unusable "^pmuv3 check: the RTL: .*mixed.v:1[0-9]: $mixed" $tiny.pmu mixed.v -DVALUE=read

all_held
