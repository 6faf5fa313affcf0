# shellcheck shell=bash
# What those who read the RTL with Yosys share. Sourced.

# sources DIR: the RTL's files there, in the order of the build.
sources() { sed -n '/^set(PMUV3_RTL_SOURCES/,/)/s/^ *\([a-z0-9_]*\.sv\).*/\1/p' "$1/CMakeLists.txt"; }

# A part select, with which Yosys' cell $shiftx is replaced: beyond its vector it is x, which Yosys
# would write as 0.
part_select() {
  cat <<'END_MODULE'
module part_select (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  wire within;
  wire [A_WIDTH-1:0] shifted;
  assign within = A_WIDTH >= Y_WIDTH && !(B_SIGNED && B[B_WIDTH-1]) && B <= A_WIDTH - Y_WIDTH;
  assign shifted = A >> B;
  assign Y = within ? shifted : {Y_WIDTH{1'bx}};
endmodule
END_MODULE
}
