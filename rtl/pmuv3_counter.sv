// Counter: adds V to the counter in each Processor cycle.
//
//   owns  PMEVCNTR<n>
//
// Timing: value_o changes at the clock edge that ends the cycle. The carries are combinational,
// from this cycle's addition. A register write at that edge wins over the addition in the bits that
// it reaches. The carries stand (CYC-9).
`default_nettype none

module pmuv3_counter #(
  parameter int unsigned ValueWidth = 12  // of V, see pmuv3
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic cycle_i,
  input wire logic wide_i,  // 64 bits (PMUv3p5), else 32

  input wire logic [ValueWidth-1:0] v_i,

  input wire logic        zero_i,    // PMCR.P, PMZR
  input wire logic        write_i,   // PMEVCNTR<n>
  input wire logic [1:0]  halves_i,  // the halves that the write reaches
  input wire logic [63:0] wdata_i,

  output logic [63:0] value_o,
  output logic        carry31_o,  // out of bit 31
  output logic        carry63_o   // out of bit 63
);

  logic [31:0] high_q, low_q, high_sum, low_sum;

  // IFYVTD: the whole counter counts, whatever the overflow width. The sum is split into two halves
  // to get both carries.
  assign {carry31_o, low_sum}  = {1'b0, low_q} + 33'(v_i);
  assign {carry63_o, high_sum} = {1'b0, high_q} + 33'(carry31_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {high_q, low_q} <= 64'd0;
    end else if (zero_i) begin
      {high_q, low_q} <= 64'd0;
    end else begin
      if (write_i && halves_i[1]) high_q <= wide_i ? wdata_i[63:32] : 32'd0;
      else if (cycle_i)           high_q <= wide_i ? high_sum : 32'd0;

      if (write_i && halves_i[0]) low_q <= wdata_i[31:0];
      else if (cycle_i)           low_q <= low_sum;
    end
  end

  assign value_o = {high_q, low_q};

endmodule

`default_nettype wire
