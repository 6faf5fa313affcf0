// The controls of each counter: its enables, its range, and the width at which it overflows.
//
//   owns   PMCNTEN, PMINTEN
//
// Timing: a write is applied at the clock edge. The outputs show the write after that edge.
//
// What depends only on registers is prepared here for all counters at once: their ranges (DXWVNH),
// the global enable of each range, and overflow widths.
`default_nettype none

module pmuv3_controls #(
  parameter int unsigned Lanes = 31  // event counters
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic rst_agent_ni,  // resets enables of counters that an external agent may own
  input wire pmuv3_pkg::config_t cfg_i,

  // A write of PMCNTENSET, PMCNTENCLR, PMINTENSET or PMINTENCLR
  input wire logic        write_i,
  input wire logic [15:0] addr_i,
  input wire logic [32:0] selected_i,  // the bits that are written as 1
  input wire logic [32:0] dropped_i,   // the bits that a replacing write clears

  // Fields of other registers
  input wire logic       pmcr_e_i,   // PMCR
  input wire logic       pmcr_lp_i,
  input wire logic [4:0] hpmn_i,     // MDCR_EL2
  input wire logic       hpme_i,
  input wire logic       hlp_i,
  input wire logic [4:0] epmn_i,     // PMCCR
  input wire logic       epme_i,
  input wire logic       exception_enabled_i,  // the PMU Profiling exception is enabled

  output logic [4:0] hpmn_o,  // Effective values
  output logic [4:0] epmn_o,
  output logic [1:0] fixed_enable_o,            // PMCNTEN.{F0, C}
  output logic [1:0] fixed_interrupt_enable_o,  // PMINTEN.{F0, C}
  output logic [pmuv3_types_pkg::ControlWidth*Lanes-1:0] controls_o  // controls_t
);

  `PMUV3_CONTROLS_T(Lanes)
  controls_t controls;

  ////////////
  // Ranges //
  ////////////

  // The counters 0 to n-1.
  function automatic logic [Lanes-1:0] below(input logic [4:0] n);
    below = ~({Lanes{1'b1}} << n);
  endfunction

  // DXWVNH: R1 has the counters below HPMN. R2 has the other counters below EPMN. R3 has the rest,
  // for an external agent. R3 takes precedence over R2. A reserved EPMN behaves as the number of
  // counters (K-EPMN-RES). A reserved HPMN does too (K-HPMN-RES).
  logic             hpmn_reserved;
  logic [Lanes-1:0] range1, range2, range3, below_epmn;
  assign hpmn_reserved = hpmn_i > cfg_i.counters || (hpmn_i == 5'd0 && !cfg_i.feat_hpmn0);
  always_comb begin
    epmn_o = cfg_i.feat_extpmn && epmn_i < cfg_i.counters ? epmn_i : cfg_i.counters;
    if (!cfg_i.el2)              hpmn_o = epmn_o;
    else if (cfg_i.feat_extpmn)  hpmn_o = hpmn_i < epmn_o ? hpmn_i : epmn_o;
    else                         hpmn_o = hpmn_reserved ? cfg_i.counters : hpmn_i;
  end
  assign below_epmn = below(epmn_o);
  assign range1     = below(hpmn_o);
  assign range2     = below_epmn & ~range1;
  assign range3     = ~below_epmn;

  assign controls.range1          = range1;
  assign controls.range2          = range2;
  assign controls.global_enable   = (range1 & {Lanes{pmcr_e_i}})
                                    | (range2 & {Lanes{hpme_i}})
                                    | (range3 & {Lanes{epme_i}});
  assign controls.long_overflow   = {Lanes{cfg_i.feat_pmuv3p5 && cfg_i.aa64}}  // else 32 bits
                                    & ((range1 & {Lanes{pmcr_lp_i}})
                                       | (range2 & {Lanes{hlp_i}})
                                       | range3 | {Lanes{exception_enabled_i}});
  assign controls.range_continues = ~(range1 ^ (range1 >> 1)) & ~(range3 >> 1);

  //////////////////////
  // PMCNTEN, PMINTEN //
  //////////////////////

  logic [Lanes-1:0] counter_enable_q, interrupt_enable_q;
  logic             cycle_enable_q, cycle_interrupt_enable_q;
  logic             instruction_enable_q, instruction_interrupt_enable_q;
  assign fixed_enable_o           = {instruction_enable_q, cycle_enable_q};
  assign fixed_interrupt_enable_o = {instruction_interrupt_enable_q, cycle_interrupt_enable_q};

  logic [Lanes-1:0] counter_enable_d, interrupt_enable_d;
  logic [1:0]       fixed_enable_d, fixed_interrupt_enable_d;
  always_comb begin
    counter_enable_d         = counter_enable_q;
    interrupt_enable_d       = interrupt_enable_q;
    fixed_enable_d           = fixed_enable_o;
    fixed_interrupt_enable_d = fixed_interrupt_enable_o;
    if (write_i) begin
      unique case (addr_i)
        pmuv3_pkg::RegPmcntenset: begin
          counter_enable_d = (counter_enable_q & ~dropped_i[Lanes-1:0]) | selected_i[Lanes-1:0];
          fixed_enable_d   = (fixed_enable_o & ~dropped_i[32:31]) | selected_i[32:31];
        end
        pmuv3_pkg::RegPmcntenclr: begin
          counter_enable_d = counter_enable_q & ~selected_i[Lanes-1:0];
          fixed_enable_d   = fixed_enable_o & ~selected_i[32:31];
        end
        pmuv3_pkg::RegPmintenset: begin
          interrupt_enable_d = (interrupt_enable_q & ~dropped_i[Lanes-1:0]) | selected_i[Lanes-1:0];
          fixed_interrupt_enable_d =
              (fixed_interrupt_enable_o & ~dropped_i[32:31]) | selected_i[32:31];
        end
        pmuv3_pkg::RegPmintenclr: begin
          interrupt_enable_d       = interrupt_enable_q & ~selected_i[Lanes-1:0];
          fixed_interrupt_enable_d = fixed_interrupt_enable_o & ~selected_i[32:31];
        end
        default: ;
      endcase
    end
  end

  // An agent never owns F0, so a Warm reset always clears F0.
  always_ff @(posedge clk_i or negedge rst_agent_ni) begin
    if (!rst_agent_ni) begin
      counter_enable_q         <= '0;
      interrupt_enable_q       <= '0;
      cycle_enable_q           <= 1'b0;
      cycle_interrupt_enable_q <= 1'b0;
    end else if (write_i) begin
      counter_enable_q         <= counter_enable_d;
      interrupt_enable_q       <= interrupt_enable_d;
      cycle_enable_q           <= fixed_enable_d[0];
      cycle_interrupt_enable_q <= fixed_interrupt_enable_d[0];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      instruction_enable_q           <= 1'b0;
      instruction_interrupt_enable_q <= 1'b0;
    end else if (write_i) begin
      instruction_enable_q           <= fixed_enable_d[1];
      instruction_interrupt_enable_q <= fixed_interrupt_enable_d[1];
    end
  end

  assign controls.enable           = counter_enable_q;
  assign controls.interrupt_enable = interrupt_enable_q;
  assign controls_o                = controls;

  logic unused_bits;
  assign unused_bits = ^{cfg_i, selected_i, dropped_i};

endmodule

`default_nettype wire
