// Snapshot: copies all counters of a thread at once, when a write of PMSSCR or a request from
// outside asks for it (D13.9).
//
//   owns  PMSSCR, PMEVCNTSVR<n>, PMCCNTSVR, PMICNTSVR, a PMU_SNAPSHOT that waits
//
// Timing: a capture is complete at the edge that ends the clock of the write or the request. A
// capture in the clock of a Processor cycle copies the values after that cycle. The flops take
// these values in the next clock, in which the counters themselves hold the saved values. The next
// Processor cycle has the PMU_SNAPSHOT event, so the event is not in the saved values (D13.9-1).
`default_nettype none

module pmuv3_snapshot #(
  parameter int unsigned Lanes = 31
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic rst_agent_ni,  // resets the saved values
  input wire logic cycle_i,
  input wire pmuv3_pkg::config_t       cfg_i,
  input wire pmuv3_types_pkg::thread_t thread_i,
  input wire pmuv3_types_pkg::regs_t   regs_i,

  input wire logic write_i,    // a write sets PMSSCR.SS to 1
  input wire logic request_i,  // with cycle_i: a request from outside

  // The counters
  input wire logic [64*Lanes-1:0] value_i,
  input wire logic [63:0]         pmccntr_i,
  input wire logic [63:0]         pmicntr_i,

  output logic [63:0]         pmsscr_o,
  output logic [64*Lanes-1:0] svr_o,
  output logic [63:0]         pmccntsvr_o,
  output logic [63:0]         pmicntsvr_o,
  output logic                captured_o  // a PMU_SNAPSHOT waits for a Processor cycle
);

  localparam logic [1:0] SseDelegate = 2'b01;  // reserved in PMECR

  // The highest Exception level that does not delegate decides. Bit 1 enables captures. Bit 0 then
  // allows captures.
  logic [1:0] sse_el3, sse_el2, sse;
  assign sse_el3 = regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3PmsseMsb:pmuv3_pkg::MdcrEl3PmsseLsb];
  assign sse_el2 = regs_i.mdcr_el2[pmuv3_pkg::MdcrEl2PmsseMsb:pmuv3_pkg::MdcrEl2PmsseLsb];
  always_comb begin
    if (cfg_i.el3 && sse_el3 != SseDelegate) begin
      sse = sse_el3;
    end else if (cfg_i.el2 && sse_el2 != SseDelegate) begin
      sse = sse_el2;
    end else begin
      sse = regs_i.pmecr[pmuv3_pkg::PmecrSseMsb:pmuv3_pkg::PmecrSseLsb];
    end
  end

  logic capture, enabled, allowed;
  assign capture = write_i || (request_i && cycle_i);
  assign enabled = sse[1] && cfg_i.feat_ss;
  assign allowed = enabled && sse[0] && !thread_i.oslk && !thread_i.halted;

  logic                not_captured_q;  // PMSSCR.NC
  logic                copying_q;       // the clock after a capture
  logic                captured_q;
  logic [64*Lanes-1:0] svr_q;
  logic [63:0]         pmccntsvr_q, pmicntsvr_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      not_captured_q <= 1'b1;
    end else if (capture && enabled) begin
      not_captured_q <= !allowed;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      captured_q <= 1'b0;
    end else begin
      captured_q <= (capture && allowed) || (captured_q && !cycle_i);
    end
  end
  assign captured_o = captured_q;
  always_ff @(posedge clk_i or negedge rst_agent_ni) begin
    if (!rst_agent_ni) begin
      copying_q <= 1'b0;
    end else begin
      copying_q <= capture && allowed;
    end
  end
  always_ff @(posedge clk_i or negedge rst_agent_ni) begin
    if (!rst_agent_ni) begin
      svr_q       <= '0;
      pmccntsvr_q <= 64'd0;
      pmicntsvr_q <= 64'd0;
    end else if (copying_q) begin
      svr_q       <= value_i;
      pmccntsvr_q <= pmccntr_i;
      pmicntsvr_q <= pmicntr_i;
    end
  end

  always_comb begin
    pmsscr_o = 64'd0;
    pmsscr_o[pmuv3_pkg::PmsscrNcLsb] = not_captured_q && cfg_i.feat_ss && thread_i.present;
  end
  assign svr_o       = copying_q ? value_i : svr_q;
  assign pmccntsvr_o = copying_q ? pmccntr_i : pmccntsvr_q;
  assign pmicntsvr_o = copying_q ? pmicntr_i : pmicntsvr_q;

  logic unused_bits;
  assign unused_bits = ^{cfg_i, thread_i, regs_i};

endmodule

`default_nettype wire
