#!/usr/bin/env bash
# What --prove hands to Yosys, and what Yosys makes of it, is what Verilator simulates: jumps, cases and divisions,
# for each value of the inputs. Usage: elaborated_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
# shellcheck source=elaborate.sh
. "$here/elaborate.sh" "$1"
name=elaborated

cat >taken.sv <<'RTL'
module taken (
  input logic clk_i,
  input logic [3:0] a_i,
  input logic [3:0] b_i,
  output logic [3:0] first_o,
  output logic [3:0] last_o,
  output logic [3:0] both_o,
  output logic [7:0] nested_o,
  output logic [3:0] found_o,
  output logic [3:0] case_o,
  output logic [3:0] casez_o,
  output logic [3:0] casex_o,
  output logic [3:0] ratio_o,
  output logic [3:0] twice_o,
  output logic [3:0] label_o,
  output logic [3:0] zeros_o,
  output logic [3:0] known_o,
  output logic [7:0] half_o,
  output logic [15:0] rows_o,
  output logic [3:0] any_1
);
  // Left by two breaks, and by return.
  function automatic logic [3:0] seek(logic [3:0] a, logic [3:0] b);
    for (int i = 0; i < 4; i++) begin
      if (a == 4'(i)) break;
      if (b == 4'(i)) break;
      if (a[i]) return 4'hf;
    end
    for (int i = 0; i < 4; i++) begin
      if (a == 4'(i)) continue;
      if (b[i]) continue;
      return 4'(i);
    end
    return 4'd9;
  endfunction
  logic seen;
  logic [3:0] up [2], down [2:1];
  logic signed [7:0] step;
  logic [2:0][4:0] rows;  // places that a shift does not reach
  logic [31:0] at;

  // A variable that is known, and a place in it that is not.
  logic [15:0] known;
  always_comb begin
    known = 16'h17b1;
    known_o = {3'b000, known[a_i]};
  end

  // Left by return, from a loop and from a loop in it.
  function automatic logic [3:0] product_of(logic [3:0] a);
    for (int i = 1; i < 4; i++) begin
      for (int k = 1; k < 5; k++) begin
        if (k > i) break;
        if (4'(i * k) == a) return 4'(10 + i);
      end
      if (a == 4'(8 + i)) return 4'(i);
    end
    return 0;
  endfunction

  always_comb begin
    first_o = 0;
    for (int i = 1; i < 5; i++) begin
      if (a_i >= 4'(i)) begin
        first_o = 4'(i);
        break;
      end
    end
    last_o = 0;
    for (int i = 1; i < 5; i++) begin
      if (4'(i) > a_i) continue;
      last_o = 4'(i);
    end
    both_o = 0;
    for (int i = 1; i < 9; i++) begin
      if (4'(i) < a_i) continue;
      both_o = 4'(i);
      if (b_i != 7) break;
    end
    nested_o = 0;
    for (int i = 0; i < 4; i++) begin
      for (int k = 0; k < 4; k++) begin
        if (k == int'(a_i[1:0])) continue;
        if (k == int'(a_i[3:2])) break;
        nested_o += 8'(k + 1);
      end
      if (i == int'(b_i)) break;
      nested_o += 16;
    end
    found_o = product_of(a_i);
    case (a_i)
      4'b10??: case_o = 1;
      4'b1010: case_o = 2;
      4'b011x: case_o = 3;
      default: case_o = 4;
    endcase
    casez (a_i)
      4'b10??: casez_o = 1;
      4'b011x: casez_o = 2;
      4'b01?1: casez_o = 3;
      default: casez_o = 4;
    endcase
    casex (a_i)
      4'b10x?: casex_o = 1;
      4'b011x: casex_o = 2;
      default: casex_o = 3;
    endcase
    casez ({a_i, b_i})
      8'b0000_????: zeros_o = 1;
      8'b0??1_0000: zeros_o = 2;
      default: zeros_o = 3;
    endcase
    twice_o = seek(a_i, b_i);
    seen = b_i[0];
    label_o = 0;
    case (1'b1)
      !seen: begin
        seen = 1;
        label_o = 1;
      end
      a_i[b_i[1:0]]: label_o = 2;
      default: ;
    endcase
    for (int i = 0; i < 8; i++) begin  // a value that is known
      casez (3'(i))
        3'b1?0: label_o ^= {a_i[0], a_i[3:1]};
        3'b?01: label_o ^= b_i;
        3'b110: label_o = 0;
        default: label_o += 1;
      endcase
    end
    rows = 15'h5ac3;
    at = 32'(a_i[1:0]);
    if (at < 3) rows[at] = {1'b1, b_i};
    rows[b_i[0]][a_i[3:2] +: 2] = b_i[3:2];
    rows[b_i[2]][4:2] = a_i[2:0];
    {rows[a_i[0]][b_i[1:0]], rows[2][0]} = a_i[3:2];
    rows_o = {1'b0, rows};
    if (b_i[3:2] != 3) rows_o ^= 16'(rows[b_i[3:2]]) << 3 ^ 16'(rows[b_i[2]][a_i[1:0]+:2]);
    half_o = 0;
    for (step = -4; step < 4; step++) if (a_i == 4'(step)) half_o = step / 8'sd2;
    up = '{a_i, b_i};
    down = '{up[1] + 4'd1, ~up[0]};
    up = '{default: down[1]};
    up[0] = down[2];
    any_1 = a_i + b_i ^ {up[0][1:0], up[1][2:1]};
    ratio_o = b_i == 0 ? 0 : a_i / b_i + a_i % b_i;
  end
endmodule
RTL

cat >bench.sv <<'RTL'
module bench;
  logic clk = 0;
  logic [7:0] in;
  logic [79:0] simulated, proved;
  `define PORTS(of) clk, in[3:0], in[7:4], of[3:0], of[7:4], of[11:8], of[19:12], of[23:20], of[27:24], of[31:28], \
      of[35:32], of[39:36], of[43:40], of[47:44], of[63:60], of[55:48], of[79:64], of[59:56]
  taken taken (`PORTS(simulated));
  \other other (`PORTS(proved));
  initial begin
    for (int i = 0; i < 256; i++) begin
      in = 8'(i);
      #1;
      if (simulated != proved) $display("FAILED: of %h: %h is simulated, %h proved", in, simulated, proved);
    end
    $display("compared");
    $finish;
  end
endmodule
RTL

elaborate taken
[ "$actual" = 0 ] || fail "refused: $(cat err)"
sed -i 's/^module \\taken /module \\other /' taken.v
yosys -q -p 'read_verilog -sv taken.v; hierarchy -check -top other; proc -norom; opt_clean; write_verilog -noattr netlist.v' \
  >yosys.log 2>&1 || fail "Yosys: $(tail -3 yosys.log)"
for read in taken.v netlist.v; do
  rm -rf model
  verilator --binary --timing "${lint[@]}" -O0 --top-module bench --Mdir model bench.sv taken.sv $read >build.log 2>&1 ||
    fail "the bench of $read: $(tail -5 build.log)"
  ./model/Vbench >out || fail "the bench of $read ends with status $?"
  grep -qx compared out || fail "$read: nothing was compared"
  finds_none FAILED out || fail "$read: another device"
done

# A register that is a part of what its instance is connected to holds its value.
cat >lanes.sv <<'RTL'
module lane (input logic clk_i, input logic rst_ni, input logic [1:0] a_i, output logic [1:0] b_o);
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) b_o <= 0; else if (a_i[0]) b_o <= a_i;
endmodule
module lanes (input logic clk_i, input logic rst_ni, input logic [1:0] a_i, output logic [3:0] b_o);
  for (genvar g = 0; g < 2; g++) begin : g_lane
    lane u_lane (.clk_i, .rst_ni, .a_i(a_i ^ 2'(g)), .b_o(b_o[2*g+:2]));
  end
endmodule
RTL
elaborate lanes
[ "$actual" = 0 ] || fail "refused: $(cat err)"
grep -q '<=' lanes.v || fail "no register: $(cat lanes.v)"
finds_none 'any_' lanes.v || fail "a register is anything"

# refused WORDS <<<RTL: what Verilator simulates in an order, or at times, that Yosys does not know
refused() {
  cat >refused.sv
  elaborate refused
  says "$1"
}
# says WORDS [STATUS]: it is refused so
says() {
  if [ "$actual" != "${2-2}" ] || ! grep -q "$1" err; then fail "expected '$1': status $actual: $(cat err)"; fi
}
# unwritten WORDS <<<RTL: what another reader may write
unwritten() {
  cat >refused.sv
  elaborate refused
  says "$1" 4
}
head='module refused (input logic clk_i, input logic rst_ni, input logic a_i, output logic b_o); logic c, d;'
refused '"c", which follows from an assignment by = in one clocked process' \
  <<<"$head always @(posedge clk_i) c = a_i; always @(posedge clk_i) b_o <= c; endmodule"
refused '"d", which follows from an assignment by = in one clocked process' \
  <<<"$head always @(posedge clk_i) c = a_i; assign d = !c; always @(posedge clk_i) b_o <= d; endmodule"
refused '"e", which follows from an assignment by = in one clocked process' \
  <<<"$head logic [1:0] e; always @(posedge clk_i) e[0] = a_i; always @(posedge clk_i) e[1] = e[0]; assign b_o = e[1]; endmodule"
# Beside what is not known it is refused all the same.
unknown="assign d = a_i ==? 1'b?;"
unwritten 'an expression "eqwild"' <<<"$head $unknown assign b_o = d; endmodule"
for process in 'always @(posedge a_i) b_o <= d;' 'always @(negedge clk_i) b_o <= d;' 'always @(d) b_o = d ^ a_i;' \
  'always @(posedge clk_i or posedge rst_ni) if (rst_ni) b_o <= 1; else b_o <= d;' \
  'always @(posedge clk_i) c = a_i; always @(posedge clk_i) b_o <= c ^ d;' 'assign b_o = d; assign b_o = a_i;' \
  'always @(posedge clk_i) begin b_o <= d; b_o = 0; end'; do
  refused . <<<"$head $unknown $process endmodule"
done
for process in 'always @(posedge clk_i) begin b_o <= a_i; b_o = 0; end' 'always @* begin b_o = 0; b_o <= a_i; end' \
  'initial begin b_o <= 1; b_o = 0; end' 'logic [1:0] e; always @(posedge clk_i) begin e[0] = a_i; e[1] <= a_i; b_o <= ^e; end' \
  'logic e[2]; always @(posedge clk_i) e[0] = a_i; always @(posedge clk_i) e[1] <= a_i; assign b_o = e[0] ^ e[1];'; do
  refused ', which is assigned by both = and <=$' <<<"$head $process endmodule"
done
refused 'a process that reads "c" and does not wait for it' \
  <<<"$head always @(a_i) begin c <= a_i; b_o = c; end endmodule"
refused 'a process that reads "e" and does not wait for it' \
  <<<"$head logic [1:0] e; assign e[1] = c; always @(posedge clk_i) c <= a_i; always @(a_i) begin e[0] = 0; b_o = ^e; end endmodule"
refused 'a process that reads "c" and does not wait for it' \
  <<<"$head always @(posedge clk_i) c <= a_i; always @(a_i) b_o = c ^ a_i; endmodule"
unwritten '"e", an array that takes its own elements' \
  <<<"$head logic e[2]; always_comb begin e = '{a_i, c}; e = '{e[1], e[0]}; b_o = e[0]; end endmodule"
unwritten 'a whole array' <<<"$head logic e[2], f[2]; always_comb begin e = '{a_i, c}; f = e; b_o = f[0]; end endmodule"
refused 'a register with an edge of an expression' \
  <<<"$head always @(posedge (clk_i & a_i)) b_o <= a_i; endmodule"
refused 'a register that the rising edge of "clk_i" does not clock' <<<"$head always @(edge clk_i) b_o <= a_i; endmodule"
refused 'a register with an edge of an expression' <<<"$head always @(posedge 1'b0) b_o <= a_i; endmodule"
refused 'a register with the edge of "rst_ni" at which a reset ends' \
  <<<"$head always @(posedge clk_i or posedge rst_ni) if (!rst_ni) b_o <= 0; else b_o <= a_i; endmodule"
refused '"c", which has two drivers' <<<"$head assign c = a_i, c = 0; assign b_o = c; endmodule"
refused '"b_o", which has two drivers' <<<"$head always_comb b_o = a_i; always_comb b_o = 1'b0; endmodule"
refused '"b_o", which has two drivers' <<<"$head always_comb b_o = a_i; assign b_o = 1'b0; endmodule"
refused '"d", which has two drivers' \
  <<<"${head/, d/, d = 0} always @(posedge clk_i) c <= c; assign d = c; assign b_o = d; endmodule"
refused 'a register with an edge and a level' <<<"$head always @(posedge clk_i or a_i) b_o <= a_i; endmodule"
unwritten 'a case inside with x or z in a label' \
  <<<"$head always_comb case ({a_i, clk_i}) inside 2'b1?: b_o = 1; default: b_o = 0; endcase endmodule"
unwritten 'a case inside with x or z in a label' \
  <<<"\`define IN /* */ inside"$'\n'"$head always_comb case ({a_i, clk_i}) \`IN 2'b1?: b_o = 1; default: b_o = 0; endcase endmodule"
unwritten 'a whole array' <<<"$head logic m[2], n[2]; always @(posedge clk_i) m <= n; always_comb b_o = m[a_i]; endmodule"
# Names that Verilator prints alike.
sub='module sub (input logic i, output logic b); always_comb b = i; endmodule'
for named in '\u.b ; assign \u.b = a_i; sub u (.i(\u.b ), .b(b_o));' 'b; assign b = a_i; sub refused (.i(b), .b(b_o));' \
  'b[2]; logic \b[0] ; assign \b[0] = a_i, b[0] = clk_i, b_o = b[0] ^ \b[0] ;' \
  '\s[0].b ; assign \s[0].b = a_i; for (genvar i = 0; i < 2; i++) begin : s logic b; assign b = clk_i; end assign b_o = s[0].b ^ \s[0].b ;' \
  'b; assign b = a_i; always_comb begin : u logic b; b = clk_i; b_o = b; end logic \u.b ; assign \u.b = b, c = \u.b ;'; do
  refused '^two variables with one name' <<<"$head logic $named endmodule $sub"
done
package='package p; logic x; localparam int c = 3; localparam logic t[2] = '"'{0, 1}; endpackage interface i; logic z; endinterface"
for named in 'logic x; always_comb begin p::x = a_i; x = 1; end assign b_o = p::x;' 'logic t[2]; assign t[0] = 0, t[1] = 1, b_o = p::t[a_i];' \
  'i i(); logic z; assign z = a_i, i.z = clk_i, b_o = z ^ i.z;'; do
  refused '^two variables with one name' <<<"$package $head $named endmodule"
done
unwritten '^the variable "x", which is in no instance' <<<"$package $head always_comb p::x = a_i; assign b_o = p::x; endmodule"
# A <= of a combinational process is a =.
echo "$head always @* begin c <= 0; if (a_i) c <= clk_i; b_o = c; end initial d <= 0; endmodule" >refused.sv
elaborate refused
{ [ "$actual" = 0 ] && finds_none -q '<=' refused.v; } || fail "<= without a clock: $(cat err refused.v)"
# What only an initial block assigns is a constant; what a process changes is none.
echo "$head logic [3:0] x = 5, y; initial y = 6; assign b_o = x[0] ^ y[0] ^ d; logic e = 0; initial d = 1; always @(posedge clk_i) d <= e; endmodule" >refused.sv
elaborate refused
yosys -q -p "read_verilog refused.v; proc -norom; opt_clean; setundef -undriven -anyseq; select -assert-none t:\$anyseq; select -assert-count 1 t:\$dff" \
  >yosys.log 2>&1 || fail "constants: $(cat err yosys.log refused.v)"
# What an initial block copies from a register stays, whatever becomes of the register.
echo "$head logic [3:0] x = 5, y; initial y = x; assign b_o = y[0]; always @(posedge clk_i) x <= x + 1; endmodule" >refused.sv
elaborate refused
finds_none -q 'always @\*' refused.v || fail "an initial value that is read: $(cat refused.v)"
# A register is no constant because it has an initial value.
echo "$head logic [3:0] x = 5; assign b_o = x[0]; always @(posedge clk_i) x <= x + 1; endmodule" >refused.sv
elaborate refused
grep -qE '^assign .b_o += .x +\[0:0\];' refused.v || fail "an initial value: $(cat err refused.v)"
for well in 'if (1) begin : u logic b; assign b = a_i; end assign c = p::c == 3 ? u.b : 0, b_o = c;' 'always @(posedge clk_i) begin c = a_i; b_o <= c; end' 'always @(c or a_i) b_o = c ^ a_i; assign c = clk_i;' \
  'always @(posedge clk_i) c = a_i; assign b_o = c;' \
  'always @(posedge clk_i or negedge rst_ni) if (!rst_ni) b_o <= 0; else b_o <= a_i;' \
  'logic [1:0] e; always_comb e[0] = a_i; always @(posedge clk_i) e[1] <= a_i; assign b_o = ^e;' \
  'wire [1:0] e; assign e[0] = a_i, e[1] = clk_i; assign {c, d} = e; assign b_o = c ^ d;'; do
  echo "$package $head $well endmodule" >refused.sv
  elaborate refused
  [ "$actual" = 0 ] || fail "$well: $(cat err)"
done

# Beyond a variable is anything, also if the variable and the place are known.
echo "$head logic [2:0] k; always_comb begin k = 0; b_o = a_i; for (int i = 2; i < 4; i++) b_o ^= k[i]; end endmodule" >refused.sv
elaborate refused
grep -q any_ refused.v || fail "a place beyond: $(cat err refused.v)"

# A function's variable does not live longer than its call.
echo "$head function automatic f(logic b); logic k; if (b) k = b; f = k; endfunction
always @(posedge clk_i) b_o <= f(a_i); endmodule" >refused.sv
elaborate refused
grep -qE '^.__V[^ ]*__k += any_[0-9]+;' refused.v || fail "a function's variable: $(cat err refused.v)"

# ---- Words that Verilator's XML does not tell ----
# same NAME: NAME.sv is taken.sv in other words, and becomes the same Verilog.
same() {
  elaborate "$1"
  sed "s/_$1\./_taken./; s/^module .$1 /module \\\\other /" "$1.v" | cmp - taken.v || fail "$1: $(cat err)"
}
shifted() {
  sed 's/module taken/module shifted/' taken.sv >plain.sv
  sed "$1" plain.sv >shifted.sv || fail "sed $1"
  ! cmp -s plain.sv shifted.sv || fail "nothing is shifted: $1"
  same shifted
}
shifted '1i // \f'
shifted '1i /* \r */ // \r'
shifted 's/$/\r/'
shifted 's/casez (/\/*casex*\/ casez (/'
shifted 's/casez (/\/* \r\n*\/ \/*casex*\/\tcasez \/*casex*\/ (/'
shifted 's/casez (/\/*éééééééé*\/casez\/*casex*\/(/'
shifted 's/casez (a_i)/casez \/* ( *\/ (a_i) \/* inside *\//; s/first_o = 0;/first_o = "(\\" inside" == 1;/'
shifted 's/break;/\/*return;*\/ break;/; s/continue;/\/*return*\/ continue;/; s/return [4p0]/\/*break*\/&/'
# shellcheck disable=SC2016
for macro in 'HIDDEN casez' 'SHORT /*casex*/casez' $'LONG /* casex */ \\\\\\\n \\\\\\\n  /* a */  casez'; do
  shifted "s/casez (/\`${macro%% *} (/; 1i \`define $macro"
done
shifted '1i `define LEAVE(how, other) /*other;*/ how;
  s/break;/`LEAVE(break, continue)/'
# A file that is included twice, with two words.
cat >word.svh <<<'/* casex */ `WORD /* casez */'
included() { printf '%s' "s/\<$1 (a_i)/\n\`define WORD $1\n\`include \"word.svh\"\n\`undef WORD\n(a_i)/"; }
shifted "$(included case); $(included casez)"
# So are places of loops, of which one is left.
refused 'a loop with a jump, of a macro of several lines' <<RTL
\`define LOOPS for (int i = 0; i < 3; i++) begin \\
  for (int i = 0; i < 3; i++) begin if (a_i) break; b_o = !b_o; end if (clk_i) continue; b_o = !b_o; end
$head always_comb begin b_o = 0;
  \`LOOPS
end endmodule
RTL
refused 'a jump by "disable"' <<RTL
$head always_comb begin : all begin : some b_o = a_i; if (clk_i) disable some; b_o = !b_o; end b_o = !b_o; end endmodule
RTL
# They may not be told from each other.
sed "s/module taken/module refused/; $(included casez); $(included casex)" taken.sv >refused.sv
elaborate refused
says '^a case whose word is "?"$' 4

all_held
