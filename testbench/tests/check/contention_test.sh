#!/usr/bin/env bash
# Nets with two drivers, and other RTL of which Verilator leaves a part out: `pmuv3 check` refuses them, and no legal
# design.
# Usage: contention_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
# shellcheck source=tiny.sh
. "$here/tiny.sh"
contention=$root/testbench/cosim/check/contention.py

# find_in FILE: `found` gets the nets of module top that have two drivers, and their lines
find_in() {
  rm -rf made
  verilator --xml-only --noassert -fno-dfg -Wno-fatal -Wno-lint -Wno-style --top-module top --Mdir made \
    --xml-output made.xml "$1" >verilator.log 2>&1 || fail "$1: $(cat verilator.log)"
  found=$("$contention" made.xml) || fail "$1: exit status $?"
}

# ---- Two drivers ----
# two NET MODULE TEXT...: the lines 2 and 3 drive the net of the module
two() {
  printf '%s\n' "${before-}module top(input a, input b, input [3:0] d, output [3:0] q);" "${@:3}" >two.sv
  find_in two.sv
  [[ ${found%%$'\n'*} == "'$1' of $2 has two drivers, "@(two.sv:2 and two.sv:3|two.sv:3 and two.sv:2) ]] ||
    fail "'$1' of $2: '$found' in $(cat two.sv)"
}
unit='module unit(input i, output o); assign o = !i; endmodule'
two w top 'wire w; assign w = a;' 'assign w = b;' 'assign q = w; endmodule'
two w top 'wire w = a;' 'and (w, a, b);' 'assign q = w; endmodule'
two q top 'assign q[2:0] = d[2:0];' 'assign q[3:2] = {a, b};' endmodule
two q top 'assign {q[3], q[1:0]} = d[2:0];' 'assign q[1] = a;' 'assign q[2] = b; endmodule'
two w top 'wire w; assign w = a;' 'unit u(b, w);' "endmodule $unit"
two w top 'wire w; unit u(.i(a), .o(w));' 'unit v(.o(w), .i(b));' "endmodule $unit"
two w top 'logic w; assign w = a;' 'always_comb w = b;' 'assign q = w; endmodule'
two w top 'logic [3:0] w [2]; assign w[1][2] = a;' 'assign w[1] = d;' 'assign q = w[1]; endmodule'
two w top 'logic w; assign w = a;' 'task automatic t(input x); w = x; endtask always_comb t(b);' 'assign q = w; endmodule'
two w top 'logic w; assign w = a;' 'function automatic void f(); w = b; endfunction' \
  'task automatic t(); f(); endtask always @* t(); assign q = w; endmodule'
two pair top 'struct packed {logic [1:0] x, y;} pair; assign pair.x = d[1:0];' 'assign pair = d;' \
  'assign q = pair; endmodule'
two 'g__BRA__1__KET__.w' top 'for (genvar i = 1; i < 2; i++) begin : g wire w; assign w = d[i];' \
  'assign w = d[i + 1];' 'assign q[i] = w; end endmodule'
two bus.v top \
  'io bus(); one u(bus, a); other v(bus.m, b); endmodule module one(io p, input i); assign p.v = i; endmodule' \
  'module other(io.m p, input i); assign p.v = i; endmodule' \
  'interface io; logic v; modport m(output v); endinterface'
# Subroutines: arguments, names of their own, calls in expressions, in connections, of another block or interface.
t='task automatic t(input x, output y); y = x; endtask'
f='function automatic logic f(input x); w = x; return x; endfunction'
two w top 'logic w; assign w = a;' 'always_comb t(b, w);' "$t assign q = w; endmodule"
two w top 'logic [1:0] w; assign w = d[1:0];' 'always_comb t(b, w[1]);' "$t assign q = w; endmodule"
two w top 'logic w; assign w = a;' "$f assign q[1] = f(b);" 'assign q[0] = w; endmodule'
two w top 'logic w; assign w = a;' "$f unit u(.i(f(b)), .o(q[1]));" "assign q[0] = w; endmodule $unit"
two w top 'logic w; assign w = a;' 'task automatic t(input x); w = x; endtask' \
  'if (1) begin : g logic w; always_comb t(b); end assign q = w; endmodule'
two h.w top 'if (1) begin : h logic w; assign w = a;' 'task automatic t(); w = b; endtask always_comb t();' \
  'end if (1) begin : g logic k; task automatic t(); k = b; endtask always_comb t(); assign q = {h.w, k}; end endmodule'
two g.w top 'if (1) begin : g logic w; assign w = a;' 'task automatic t(); w = b; endtask end' \
  'always_comb g.t(); assign q = g.w; endmodule'
two bus.v top \
  'io bus(.i(a)); assign q = bus.v; always_comb bus.t(b); endmodule interface io(input i); logic v; assign v = i;' \
  'task automatic t(input x); v = x; endtask' endinterface
# A constant.
two w top "wire w = 1'b0;" 'assign w = a;' 'assign q = w; endmodule'
two w top "wire w; assign w = 1'b0;" 'unit u(b, w);' "assign q = w; endmodule $unit"
two w top "logic w; assign w = 1'b0;" 'always_comb w = a;' 'assign q = w; endmodule'
# An index that varies, members of an unpacked structure, arrays of interfaces.
two w top 'logic [3:0] w; assign w = d;' 'always_comb for (int i = 0; i < 4; i++) w[i] = !d[i];' 'assign q = w; endmodule'
two w top 'logic [3:0] w; assign w[3] = a;' 'always_comb w[{d[0], 1'"'b0} +: 2] = d[1:0];" 'assign q = w; endmodule'
two m top 'logic [1:0] m [4]; assign m[2] = d[1:0];' 'always_comb m[d[3:2]] = d[1:0];' 'assign q = m[2]; endmodule'
pair='typedef struct {logic [1:0] x; logic y [2];} pair_t;'
two u top "$pair pair_t u; assign u.x = d[1:0];" 'assign u.x[1] = a;' 'assign q = u.x; endmodule'
two u top "$pair pair_t u [2]; assign u[1].y[0] = a;" 'always_comb u[d[0]].y[0] = b;' 'assign q = u[1].y[0]; endmodule'
two 'buses__BRA__2__KET__.v' top \
  'io buses[2:1](); one u(buses[2], a); assign buses[2].v = b; assign q = buses[2].v; endmodule' \
  'module one(io p, input i); assign p.v = i; endmodule interface io; logic v; endinterface'
two 'buses__BRA__1__KET__.v' top \
  'io buses[1:2](); all u(buses, a); assign buses[1].v = b; assign q = buses[1].v; endmodule' \
  'module all(io p[1:2], input i); assign p[1].v = i; endmodule interface io; logic v; endinterface'

# Equal values that go to other bits.
two w top 'wire [4:0] w; assign w[1:0] = d[1:0];' 'assign w[2:1] = d[1:0];' 'assign q = w; endmodule'
two w top "wire [4:0] w; assign w[1:0] = 2'd1;" "assign w[2:1] = 2'd1;" 'assign q = w; endmodule'
two w top 'logic [1:0] w [3]; assign w[0:1] = '"'{a, b};" "assign w[1:2] = '{a, b};" 'assign q = w[1]; endmodule'
# A constant in a generate block.
two 'g__BRA__0__KET__.w' top "for (genvar i = 0; i < 2; i++) begin : g wire w = 1'b1;" 'assign w = a;' \
  'assign q[i] = w; end endmodule'
two g.w top "parameter P = 1; if (1) begin : g wire w; assign w = P > 0;" 'unit u(b, w);' \
  "assign q = w; end endmodule $unit"
two g.w top "if (1) begin : g logic w; assign w = 1'b0;" 'always_comb w = b;' 'assign q = w; end endmodule'
# Values that are not high impedance: of a package, of another module, compared with z, of other bits.
before="package p; localparam logic [3:0] T [4] = '{1, 2, 3, 4}; endpackage " \
  two q top 'assign q = a ? p::T[d[1:0]] : d;' 'assign q = d;' endmodule
two w top 'wire w; assign w = u.n;' 'assign w = b;' \
  'below u(a); assign q = w; endmodule module below(input i); wire n = i; endmodule'
two w top "wire w; assign w = a === 1'bz ? b : a;" 'assign w = b;' 'assign q = w; endmodule'
two w top "wire w; assign w = t[1];" 'assign w = a;' \
  "wire [1:0] t; assign t[0] = a ? b : 1'bz, t[1] = b; assign q = w; endmodule"
two w top "wire [1:0] w; assign w = {1'bz, a};" 'assign w[0] = b;' 'assign q = w; endmodule'
# Interfaces of blocks; slices and directions of arrays; a stream; an initial value; another's task.
two 'g__BRA__0__KET__.bus.v' top 'for (genvar i = 0; i < 1; i++) begin : g io bus(); assign bus.v = a; end' \
  'assign g[0].bus.v = b;' 'assign q = g[0].bus.v; endmodule interface io; logic v; endinterface'
banks='module banks(input i, output logic [3:0] o [2]);'
two w top 'logic [3:0] w [4]; banks u(a, w[2:3]);' 'assign w[2] = d;' \
  "assign q = w[2]; endmodule $banks assign o[0] = {4{i}}; endmodule"
two w top 'logic [3:0] w [1:0]; banks u(a, w);' 'assign w[1] = d;' \
  "assign q = w[1]; endmodule $banks assign o[0] = {4{i}}; endmodule"
two v top 'wire w, v; two u(a, {<<{w, v}});' 'assign v = b;' \
  'assign q = w; endmodule module two(input i, output [1:0] o); assign o = {2{i}}; endmodule'
two w top 'wire w; tie u(w);' 'assign w = a;' \
  "assign q = w; endmodule module tie(output reg o); initial o = 1'b1; endmodule"
two w below 'below u(a); always_comb u.t(b); assign q = u.w; endmodule module below(input i); logic w; assign w = i;' \
  'task automatic t(input x); w = x; endtask' endmodule
# A path into an instance.
two m.u.w top \
  'middle m(a); assign m.u.w = b; assign q = m.u.w; endmodule module middle(input i); below u(i); endmodule' \
  'module below(input i); wire w; assign w = i;' endmodule

# ---- Legal designs ----
cat >legal.sv <<'RTL'
module top(input clk, input rst_n, input a, input b, input [1:0] s, input [7:0] d, output [7:0] q, output r,
           output [3:0] chain, output odd, output [7:0] halves, output one);
  // High impedance: an expression, a buffer, through a net, a port, a process, a pull-up.
  tri [7:0] shared;
  wire passed = s == 2 ? a : 1'bz;
  assign shared = s == 0 ? d : 'z, shared = s == 1 ? ~d : 8'hzz, shared[0] = passed;
  bufif1 buffers[7:0](shared, d, s[1]);
  pulls u(.a(a), .y(line)), v(.a(b), .y(line));
  wire line;
  pullup (line);
  wire kept;
  assign (weak0, weak1) kept = 1'b1;
  assign kept = a;
  // Bits apart: of a vector, a structure, an array, a generate block, instances.
  struct packed {logic [3:0] high, low;} pair;
  assign pair.high = d[7:4];
  always_comb pair.low = d[3:0];
  logic [1:0] list [2];
  assign list[0] = s;
  always_comb list[1] = ~s;
  logic [7:0] lanes;
  for (genvar i = 0; i < 8; i++) if (i % 2) assign lanes[i] = d[i]; else always_comb lanes[i] = ~d[i];
  wire [2:0] cut;
  assign {cut[0], cut[2:1]} = {a, s};
  logic [15:0] wide;
  assign wide[7 -: 8] = d, wide[8 +: 8] = ~d;
  half #(0) low(.a(a), .y(halves));
  half #(1) high(.a(b), .y(halves));
  wire [3:0] [1:0] many;
  pair_of each[3:0](.a(d), .y(many));
  // Names of blocks: each has its own, and a path into another.
  for (genvar g = 0; g < 4; g++) begin : l
    wire c;
    if (g == 0) assign c = a; else assign c = l[g-1].c ^ b;
    assign chain[g] = c;
  end
  always @* begin : block
    reg same;
    same = a;
    if (same) begin : inner
      reg same;
      same = b;
    end
  end
  for (genvar g = 0; g < 2; g++) begin : m wire x; end
  assign m[0].x = a, m[1].x = b;
  // Defaults, processes in turn, initial values, subroutines, equal assignments.
  logic [7:0] value;
  always_comb begin
    value = '0;
    for (int i = 0; i < 8; i++) if (a) value[i] = d[7-i];
    if (b) value[3:0] = 4'hf;
  end
  logic [7:0] ff;
  always_ff @(posedge clk) ff[3:0] <= d[3:0];
  always_ff @(posedge clk or negedge rst_n) if (!rst_n) ff[7:4] <= 0; else ff[7:4] <= d[7:4];
  reg once = 1'b0;
  initial once = 1'b1;
  always @(posedge clk) once <= a;
  always @(negedge rst_n) once <= b;
  function automatic logic f(input logic x); logic same; same = x; same = ~same; return same; endfunction
  task automatic t(output logic o); o = 1; endtask
  logic told;
  always_comb t(told);
  wire same;
  assign same = a & b;
  assign same = a & b;
  // An interface, whose signals two modules drive.
  // Subroutines whose arguments are nets, are high impedance, or have the names of nets; one in each block.
  wire told2;
  logic [1:0] turned;
  task automatic turn(input logic told2, output logic o); o = !told2; endtask
  always_comb begin turn(a, turned[0]); turn(b, turned[1]); end
  assign told2 = ^turned;
  reg loose;
  task automatic lend(input x); loose = x; endtask
  always @* if (a) lend(0); else lend(1'bz);
  tri lent;
  assign lent = loose, lent = b ? s[0] : 1'bz;
  for (genvar g = 0; g < 2; g++) begin : each_own
    logic own;
    task automatic set(input x); own = x; endtask
    if (g == 0) assign own = a; else always_comb set(b);
  end
  // Parts of arrays, of arrays of interfaces; an index that a function makes of constants; a driver with two values.
  logic [1:0] sliced [4];
  assign sliced[0:1] = '{s, s};
  always_comb sliced[2:3] = '{~s, ~s};
  io slices[4]();
  both one_half(slices[0:1], a), other_half(slices[2:3], b);
  function automatic int mirrored(input int i); return 3 - i; endfunction
  wire [3:0] mirror;
  for (genvar g = 0; g < 4; g++) assign mirror[mirrored(g)] = d[g];
  tri twice;
  drives first(.a(a), .b(b), .y(twice)), second(.a(b), .b(a), .y(twice));
  for (genvar g = 0; g < 2; g++) begin : names wire same = g == 0; end
  below paths[1:0](.i(a)), path(.i(b));
  assign path.driven = a;
  always_comb path.assigned = b;
  // Members of an unpacked structure, a memory, an array of interfaces, of which each module has one.
  struct {logic [1:0] x; logic y;} apart [2];
  assign apart[0].x = s, apart[0].y = a, apart[1].x[1] = b, apart[1].x[0] = a;
  always_comb apart[1].y = b;
  logic [1:0] memory [4];
  initial for (int i = 0; i < 4; i++) memory[i] = 0;
  always @(posedge clk) memory[s] <= d[1:0];
  io buses[1:0]();
  asks askers[1:0](.p(buses), .a(a));
  says low_sayer(.p(buses[0])), high_sayer(.p(buses[1]));
  io bus();
  asks asker(.p(bus.m), .a(a));
  says sayer(.p(bus.s));
  assign q = ff ^ value ^ pair ^ shared ^ lanes ^ wide[11:4];
  assign r = same ^ once ^ told ^ line ^ kept ^ bus.yes ^ told2 ^ lent ^ buses[1].yes;
  assign odd = ^many ^ ^cut ^ ^list[0] ^ ^list[1] ^ path.driven ^ path.assigned ^ ^mirror ^ ^sliced[1] ^ twice;
  assign one = line ? f(b) : f(a) ^ each_own[1].own ^ memory[0][0] ^ apart[1].y;
endmodule
interface io;
  logic ask, yes;
  logic [7:0] what;
  modport m(output ask, output what, input yes);
  modport s(input ask, inout what, output yes);
endinterface
module asks(io.m p, input a);
  assign p.ask = a, p.what[3:0] = 4'h3;
endmodule
module says(io.s p);
  assign p.yes = p.ask & p.what[0];
  always_comb p.what[7:4] = {4{p.ask}};
endmodule
module half #(parameter H = 0)(input a, output [7:0] y);
  assign y[4*H +: 4] = {4{a}};
endmodule
module both(io p[2], input i);
  assign p[0].ask = i, p[1].ask = i;
endmodule
module drives(input a, input b, output reg y);
  always @* begin
    y = 1'bz;
    if (a) begin
      y = b;
      if (b) y = a;
    end
  end
endmodule
module below(input i);
  wire driven, held;
  logic assigned;
  assign held = i;
endmodule
module pair_of(input [1:0] a, output [1:0] y);
  assign y = a;
endmodule
module pulls(input a, inout y);
  reg t;
  always @* if (a) t = 1'b0; else t = 1'bz;
  assign y = t;
endmodule
RTL
find_in legal.sv
[ -z "$found" ] || fail "legal nets: $found"

# ---- The command ----
sed 's/assign rdata = .*/assign rdata = enables;\n  assign rdata = enables \& wdata;/' tiny.v >short.v
lines=$(sed -n '/assign rdata/=' short.v | xargs)
both=".*/short.v:${lines% *} and .*/short.v:${lines#* }"
for what in '' --prove; do
  # No option takes one of them away.
  for option in '' -O3 -O1; do
    unusable "^pmuv3 check: the RTL: 'rdata' of tiny has two drivers, $both\$" ${what:+"$what"} $tiny.pmu short.v \
      ${option:+--verilator "$option"}
  done
done

# A race between two clocked processes: of the variable itself, or of what follows from it.
racing() { # adds the text of standard input to the device
  sed 's/assign rdata = .*/assign rdata = enables ^ held;/; /^endmodule/d' tiny.v
  cat
  echo endmodule
}
racing >racing.v <<'RTL'
  reg [31:0] now, held;
  always @(posedge clk) now = wdata;
  always @(posedge clk) held <= now;
RTL
unusable "^pmuv3 check: the RTL: 'now' has a race: by = the process of .*/racing.v:1[0-9] assigns" $tiny.pmu racing.v
racing >racing.v <<'RTL'
  reg [31:0] now, held;
  wire [31:0] then = ~now;
  always @(posedge clk or negedge rst_n) if (!rst_n) now = 0; else now = wdata;
  always @(posedge clk) held <= then;
RTL
unusable "^pmuv3 check: the RTL: 'then' has a race" $tiny.pmu racing.v
# The clock has two names, is gated or inverted, is a bit, or is looked at. What is read before it is assigned is not
# the process's own.
for pair in "posedge clk,posedge same" "posedge clk,negedge inverted" "posedge gated,posedge clk" "posedge bits[0],posedge bits[1]" \
  "edge clk,posedge same"; do
  racing >racing.v <<RTL
  reg [31:0] now, held;
  wire same = clk, inverted = ~clk, gated = clk & enables[0];
  wire [1:0] bits = {clk, clk};
  always @(${pair%,*}) now = wdata;
  always @(${pair#*,}) begin held <= now; now[0] = 0; end
RTL
  unusable "^pmuv3 check: the RTL: 'now' has a race" $tiny.pmu racing.v
done
racing >racing.v <<'RTL'
  reg [31:0] now, held;
  always @(posedge clk or negedge rst_n) if (!rst_n) now = 0; else if (clk) now = wdata;
  always @(posedge clk or negedge rst_n) if (!rst_n) held <= 0; else if (clk) held <= now;
RTL
unusable "^pmuv3 check: the RTL: 'now' has a race" $tiny.pmu racing.v
# What one branch alone assigns is read before. A clock is divided by =.
racing >racing.v <<'RTL'
  reg [31:0] now [0:1], then [0:1], held;
  reg other;
  always @(posedge clk) then[0] <= wdata;
  always @(posedge clk) now[1] = wdata;
  always @(posedge clk) begin if (we) now = then; else other = req; held <= now[1] ^ other; end
RTL
unusable "^pmuv3 check: the RTL: 'now' has a race" $tiny.pmu racing.v
racing >racing.v <<'RTL'
  reg [31:0] now, held;
  reg half;
  always @(posedge clk) half = ~half;
  always @(posedge clk) now = wdata;
  always @(posedge half) held <= now;
RTL
unusable "^pmuv3 check: the RTL: 'now' has a race" $tiny.pmu racing.v
# Two processes assign it, and a clock that comes late.
for by in '<=' '='; do
  racing >racing.v <<RTL
  reg [31:0] held;
  always @(posedge clk) if (req) held[7:0] $by wdata;
  always @(posedge clk) if (we) held[9:7] $by 0;
RTL
  unusable "^pmuv3 check: the RTL: 'held' is assigned at one edge by the processes of .*:15 and .*:16" $tiny.pmu racing.v
done
racing >racing.v <<'RTL'
  reg [31:0] now, held;
  reg gated;
  always @(clk or we) gated <= clk & we;
  always @(posedge clk) now <= wdata;
  always @(posedge gated) held <= now;
RTL
unusable "^pmuv3 check: the RTL: 'gated' is a clock, which the process of .* assigns by <= without a clock" $tiny.pmu racing.v
racing >racing.v <<'RTL'
  reg [31:0] now, held;
  reg passed;
  wire gated = passed & we;
  always @* passed <= clk;
  always @(posedge clk) now <= wdata;
  always @(posedge gated) held <= now;
RTL
unusable "^pmuv3 check: the RTL: 'gated' is a clock, which the process of .* assigns by <= without a clock" $tiny.pmu racing.v
for all in 'for (i = 0; i < 4; i = i + 1) now[i] <= wdata' 'now[2] <= wdata'; do
  racing >racing.v <<RTL
  reg [31:0] now [0:3];
  wire [31:0] held = now[addr[3:2]];
  integer i;
  always @(posedge clk) $all;
  always @(posedge clk) if (we) now[addr[1:0]] <= ~wdata;
RTL
  unusable "^pmuv3 check: the RTL: 'now' is assigned at one edge by the processes of .*:17 and .*:18" $tiny.pmu racing.v
done
# A process without a clock, and another one.
for pair in 'always @*;held = wdata' 'always_comb;held[9:7] = 0' 'always @(posedge clk);held = 0' 'always @*;held[addr[4:0]] = we' \
  'always @(posedge clk);for (i = 0; i < 4; i = i + 1) held[i] = we' 'always @*;{other, held[4]} = {we, req}'; do
  racing >racing.sv <<RTL
  reg [31:0] held;
  reg other;
  integer i;
  always @* begin held = 0; for (i = 0; i < 8; i = i + 1) held[i] = enables[i]; end
  ${pair%%;*} ${pair#*;};
RTL
  unusable "^pmuv3 check: the RTL: 'held' is assigned by the processes of .*:17 and .*:18, of which not both have a clock" \
    $tiny.pmu racing.sv
done
# None: other bits, elements of a generate block, a variable that each process assigns before it reads it, another edge.
racing >racing.sv <<'RTL'
  reg [31:0] held;
  reg [3:0] parts [0:1];
  reg temporary, half;
  integer i;
  always @* for (i = 0; i < 4; i = i + 1) parts[0][i] = enables[i];
  always_comb parts[1] = enables[7:4];
  for (genvar g = 0; g < 30; g = g + 1) always @* held[g] = parts[0][g % 4] & 1'b0;
  always @* begin temporary = parts[1][0]; held[30] = temporary & 1'b0; end
  always @(posedge clk) begin temporary = we; held[31] = temporary & half & 1'b0; end
  always @(posedge clk) half <= we;
  always @(negedge rst_n) half <= 0;
RTL
status 0 $tiny.pmu racing.sv --cycles 2000
# None: ports of a memory, an index that processes share, other bits, the latch of a clock gate.
racing >racing.v <<'RTL'
  reg [31:0] now [0:3], held;
  reg half, open;
  wire gated = clk & open;
  integer i;
  always @(clk or we) if (!clk) open <= we;
  always @(posedge gated) half <= ~half;
  always @(posedge clk) if (we) now[addr[1:0]] <= wdata;
  always @(posedge clk) if (!we) now[addr[3:2]] <= ~wdata;
  always @(posedge clk) for (i = 0; i < 8; i = i + 1) held[i] <= 0 & now[i[1:0]][0];
  always @(posedge clk) for (i = 8; i < 32; i = i + 1) held[i] <= 0 & half;
RTL
status 0 $tiny.pmu racing.v --cycles 2000
# None: another edge, the reset alone, an index of loops, what each process has assigned before it reads it.
racing >racing.v <<'RTL'
  reg [31:0] now, held;
  reg [3:0] other, part;
  reg [1:0] late;
  integer i;
  wire inverted = ~clk;
  always @(posedge inverted) late[0] <= now[0];
  always @(posedge clk or negedge rst_n) if (!rst_n) now = 0; else now = wdata;
  always @(negedge clk or negedge rst_n)
    if (!rst_n) held <= 0; else for (i = 0; i < 32; i = i + 1) held[i] <= now[i] & enables[7];
  always @(posedge clk) for (i = 1; i < 4; i = i + 1) other[i] <= wdata[i];
  always @(posedge clk) begin
    part[0] = wdata[0];
    if (enables[0]) part[1] = wdata[1]; else part[1] = 0;
    late[1] <= part[0] & part[1];
  end
  always @(posedge clk) begin
    case (wdata[1:0])
      0: part[3:2] = 1;
      default: part[3:2] = 2;
    endcase
    other[0] <= part[2] ^ ^part[3:2];
  end
RTL
status 0 $tiny.pmu racing.v --cycles 2000

# Verilator skips what is encrypted, and a configuration of its own may let it say nothing.
{
  sed '/^endmodule/d' tiny.v
  printf '`pragma protect %s\n' begin_protected 'encoding = (enctype = "BASE64", line_length = 76, bytes = 12)' data_block
  printf 'c2VjcmV0IHdvcmRz\n\n`pragma protect end_protected\nendmodule\n'
} >secret.v
printf '`verilator_config\nlint_off -rule PROTECTED\n' >quiet.vlt
for config in '' quiet.vlt; do
  unusable '^pmuv3 check: the RTL: .*encrypted' $tiny.pmu $config secret.v -DVALUE=enables
done

# Of two modules of one name Verilator takes the first, whatever a lint pragma or an option says.
sed 's/`VALUE/enables/' tiny.v >good.v
sed 's/`VALUE/0/' tiny.v >again.v
printf 'module twice(output o); assign o = %d; endmodule\n' 0 1 >twice.v
for files in 'good.v again.v' 'again.v good.v' 'good.v twice.v' '--verilator -Wno-MODDUP good.v twice.v'; do
  read -ra words <<<"$files"
  unusable "^pmuv3 check: the RTL: .*: Duplicate declaration of module: '(tiny|twice)'" $tiny.pmu "${words[@]}"
done
# Verilator knows these forms of a pragma.
# shellcheck disable=SC2016 # `verilator_config
for pragma in '/* verilator lint_off MODDUP */' '/* verilator lint_off\nMODDUP */' \
  '`verilator_config\nlint_off -rule MODDUP\n`verilog' '/* verilator lint_off moddup */'; do
  sed "1i $pragma" twice.v >hidden.v
  unusable '^pmuv3 check: the RTL: .*/hidden.v: lint_off MODDUP would hide an error' $tiny.pmu good.v hidden.v
done
cat - twice.v >hidden.v <<'RTL'
`define JOINED(a, b) a``b
`verilator_config
lint_off -rule `JOINED(MOD,DUP)
`verilog
RTL
unusable '^pmuv3 check: the RTL: a macro makes lint_off MODDUP, which would hide an error' $tiny.pmu good.v hidden.v
echo -Wno-MODDUP >list.f
status 0 $tiny.pmu good.v -f list.f --cycles 2000
unusable "^pmuv3 check: the RTL: .*: Duplicate declaration of module: 'twice'" $tiny.pmu good.v twice.v -f list.f

# A primitive that Verilator does not know. No option leaves it out.
{
  sed 's/assign rdata = .*/wire bit0; prim u(bit0, enables[0]); assign rdata = {enables[31:1], bit0};/' tiny.v
  echo 'primitive prim(output o, input i); table 0 : 0; 1 : 1; endtable endprimitive'
} >prim.v
unusable '^pmuv3 check: the RTL: .*Unsupported: Verilog 1995 UDP Tables\.$' $tiny.pmu prim.v
echo --bbox-unsup >prim.f
unusable "^pmuv3 check: 'prim.f': '--bbox-unsup' does not say how Verilator reads RTL" $tiny.pmu prim.v -f prim.f

all_held
