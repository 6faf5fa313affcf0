// Overflow: makes the overflow flag, a pulse and CHAIN from a carry.
//
//   owns  PMOVS bit n
//
// Timing: pulse_o and chain_o are combinational, in the cycle of the overflow. overflow_o changes
// at the same clock edge as the counter (RHTPDY).
`default_nettype none

module pmuv3_overflow (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic cycle_i,

  input wire logic carry31_i,
  input wire logic carry63_i,

  input wire logic long_overflow_i,     // LP_eff
  input wire logic range_continues_i,   // counter n+1 is in the same range, R1 or R2

  input wire logic set_i,    // PMOVSSET
  input wire logic clear_i,  // PMOVSCLR

  output logic overflow_o,
  output logic pulse_o,  // the counter overflows in this cycle
  output logic chain_o
);

  logic raised;  // RQZJKS
  assign raised  = cycle_i && (long_overflow_i ? carry63_i : carry31_i);
  assign pulse_o = raised;

  // A write clears the flag first. Then this cycle's overflow sets the flag, so no overflow is
  // lost.
  logic overflow_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      overflow_q <= 1'b0;
    end else begin
      overflow_q <= (overflow_q && !clear_i) || set_i || raised;
    end
  end
  assign overflow_o = overflow_q;

  // CHAIN-2. CHAIN does not cross ranges (K-CHAIN-SPLIT). The third range has no CHAIN (CHAIN-3).
  assign chain_o = carry31_i && !long_overflow_i && range_continues_i;

endmodule

`default_nettype wire
