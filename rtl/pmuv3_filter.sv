// Filter: whether a counter may count in this cycle, and what it may count.
//
// Timing: combinational. Stateless.
`default_nettype none

module pmuv3_filter #(
  parameter int unsigned ValueWidth = 12  // of a count in one cycle, see pmuv3
) (
  input  wire logic                  global_enable_i,   // of the counter's range
  input  wire logic                  counter_enable_i,  // PMCNTEN
  input  wire logic [ValueWidth-1:0] count_i,

  output logic                  allowed_o,
  output logic [ValueWidth-1:0] vb_o
);

  assign allowed_o = global_enable_i && counter_enable_i;  // RKYBQW
  assign vb_o      = allowed_o ? count_i : '0;

endmodule

`default_nettype wire
