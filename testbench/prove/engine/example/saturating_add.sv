// The sum, or all ones where it does not fit.
module saturating_add (
  input  logic [15:0] a_i,
  input  logic [15:0] b_i,
  output logic [15:0] sum_o
);
  logic [16:0] sum;
  assign sum   = {1'b0, a_i} + {1'b0, b_i};
  assign sum_o = sum[15:0] | {16{sum[16]}};
endmodule
