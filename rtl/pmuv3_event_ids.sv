// Event identification: PMCEID0 and PMCEID1, the common events that are implemented.
//
// Timing: combinational, from the static events_i. Stateless. The outputs are 0 unless read_i, so
// that a simulator decodes the events only for a read.
`default_nettype none

module pmuv3_event_ids #(
  parameter int unsigned NumEvents = 1
) (
  input wire logic [pmuv3_pkg::EventWidth*NumEvents-1:0] events_i,  // event_t
  input wire logic read_i,  // of PMCEID0 or PMCEID1
  output logic [63:0] pmceid0_o,
  output logic [63:0] pmceid1_o
);

  // The events of numbers 0x0000 to 0x003F are in the low halves, those of 0x4000 to 0x403F in the
  // high halves. SW_INCR, CPU_CYCLES and CHAIN, which the PMU makes itself, are always
  // implemented. A row that is not used is 0, the number of one of them.
  logic [63:0] low, high;
  logic [15:0] number;
  always_comb begin
    low    = 64'd0;
    high   = 64'd0;
    number = 16'd0;
    if (read_i) begin
      low[pmuv3_pkg::EventSwIncr[5:0]]    = 1'b1;
      low[pmuv3_pkg::EventCpuCycles[5:0]] = 1'b1;
      low[pmuv3_pkg::EventChain[5:0]]     = 1'b1;
      for (int unsigned e = 0; e < NumEvents; e++) begin
        number = events_i[pmuv3_pkg::EventWidth*e+:16];
        if (number[15:6] == 10'h000) low[number[5:0]]  = 1'b1;
        if (number[15:6] == 10'h100) high[number[5:0]] = 1'b1;
      end
    end
  end
  assign pmceid0_o = {high[31:0], low[31:0]};
  assign pmceid1_o = {high[63:32], low[63:32]};

  logic unused_bits;
  assign unused_bits = ^events_i;

endmodule

`default_nettype wire
