// Attribution: how often the event that a counter counts occurs in this cycle.
//
//   owns  software increments that wait for a Processor cycle
//
// Timing: combinational from this cycle's events to count_o. Software increments written between
// Processor cycles wait here; the next Processor cycle consumes them, whether they count or not.
`default_nettype none

module pmuv3_attribution #(
  parameter int unsigned ValueWidth = 12  // of a count in one cycle, see pmuv3
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic cycle_i,

  input  wire pmuv3_pkg::event_t event_i,  // that the counter selects
  input  wire logic [8*pmuv3_pkg::NumEventInputs-1:0] occurrences_i,  // of each event
  input  wire logic swinc_i,  // PMSWINC is written for this counter, in this clock
  input  wire logic chain_i,  // CHAIN from counter n-1, in this cycle

  output logic [ValueWidth-1:0] count_o
);

  // At most 255 increments wait; further ones are lost.
  logic [7:0] pending_q;
  logic [8:0] pending;
  assign pending = {1'b0, pending_q} + {8'd0, swinc_i};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= 8'd0;
    end else if (cycle_i) begin
      pending_q <= 8'd0;
    end else if (!pending[8]) begin
      pending_q <= pending[7:0];
    end
  end

  always_comb begin
    unique case (event_i)
      pmuv3_pkg::EventSwIncr:    count_o = ValueWidth'(pending);
      pmuv3_pkg::EventCpuCycles: count_o = ValueWidth'(1'b1);
      pmuv3_pkg::EventChain:     count_o = ValueWidth'(chain_i);  // CYC-2: of this same cycle
      pmuv3_pkg::EventNone:      count_o = '0;
      default:                   count_o = ValueWidth'(occurrences_i[8*event_i+:8]);
    endcase
  end

endmodule

`default_nettype wire
