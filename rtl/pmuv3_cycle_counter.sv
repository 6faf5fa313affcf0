// Cycle counter: counts every Processor cycle, or every 64th.
//
//   owns  PMCCNTR, its divider, PMOVS.C
//
// Timing: as an event counter and its overflow flag (pmuv3_counter, pmuv3_overflow).
//
// It counts the clock of the whole processor, whether or not the thread is active or in WFx
// (D13.6-15).
`default_nettype none

module pmuv3_cycle_counter (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic cycle_i,
  input wire pmuv3_pkg::config_t       cfg_i,
  input wire pmuv3_types_pkg::thread_t thread_i,
  input wire pmuv3_types_pkg::regs_t   regs_i,

  input wire logic frozen_dp_i,      // with DP: the first range is frozen
  input wire logic prohibited_r1_i,  // the current state prohibits the first range
  input wire logic exception_enabled_i,

  input wire pmuv3_types_pkg::change_t change_i,
  input wire logic [1:0]  halves_i,  // the halves of PMCCNTR that the write reaches
  input wire logic [63:0] wdata_i,

  output logic [63:0] value_o,
  output logic        overflow_o,
  output logic        pulse_o  // the counter overflows in this cycle
);

  logic [63:0] filtr;
  logic        filtered;
  assign filtr = regs_i.pmccfiltr;
  pmuv3_filtered #(
    .Width(1)
  ) u_filtered (
    .k_vs_res_i(cfg_i.k_vs_res),
    .filters_i (pmuv3_types_pkg::filter_of(filtr)),
    .a32el3_i  (thread_i.a32el3),
    .el_i      (thread_i.el),
    .ss_i      (thread_i.ss),
    .sm_i      (thread_i.sm),
    .filtered_o(filtered)
  );

  // RGKPZH: the counter's own controls, and with DP the controls of the first range.
  logic halted, secure, disabled_at, disabled_with;
  assign halted        = thread_i.halted;
  assign secure        = thread_i.ss == pmuv3_pkg::SsSecure || thread_i.el == 2'd3;
  assign disabled_at   = (secure && regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3SccdLsb])
                         || (thread_i.el == 2'd2 && regs_i.mdcr_el2[pmuv3_pkg::MdcrEl2HccdLsb])
                         || (thread_i.el == 2'd3 && regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3MccdLsb]
                             && !thread_i.a32el3);
  assign disabled_with = regs_i.pmcr[pmuv3_pkg::PmcrDpLsb] && (prohibited_r1_i || frozen_dp_i);

  logic counts;
  assign counts = regs_i.pmcr[pmuv3_pkg::PmcrELsb] && regs_i.fixed_enable[0] && !halted
                  && !filtered && !disabled_at && !disabled_with;

  // The Effective value of LC is 1 while the PMU Profiling exception is enabled. With LC = 1, D has
  // no effect. The divider is not a part of PMCCNTR: a write to PMCCNTR, or zeroing PMCCNTR, does
  // not change the divider.
  logic       long_overflow, divides;
  logic [5:0] divider_q;
  assign long_overflow = regs_i.pmcr[pmuv3_pkg::PmcrLcLsb] || exception_enabled_i;
  assign divides       = regs_i.pmcr[pmuv3_pkg::PmcrDLsb] && !long_overflow;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      divider_q <= 6'd0;
    end else if (cycle_i && counts && divides) begin
      divider_q <= divider_q + 6'd1;
    end
  end

  logic        increment, carry31, carry63;
  logic [31:0] high_q, low_q, high_sum, low_sum;
  assign increment           = counts && (!divides || &divider_q);
  assign {carry31, low_sum}  = {1'b0, low_q} + 33'(increment);
  assign {carry63, high_sum} = {1'b0, high_q} + 33'(carry31);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {high_q, low_q} <= 64'd0;
    end else if (change_i.zero) begin
      {high_q, low_q} <= 64'd0;
    end else begin
      if (change_i.write && halves_i[1]) high_q <= wdata_i[63:32];
      else if (cycle_i)                  high_q <= high_sum;

      if (change_i.write && halves_i[0]) low_q <= wdata_i[31:0];
      else if (cycle_i)                  low_q <= low_sum;
    end
  end
  assign value_o = {high_q, low_q};

  logic raised;
  assign raised  = cycle_i && (long_overflow ? carry63 : carry31);
  assign pulse_o = raised;

  logic overflow_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      overflow_q <= 1'b0;
    end else begin
      overflow_q <= (overflow_q && !change_i.overflow_clear) || change_i.overflow_set || raised;
    end
  end
  assign overflow_o = overflow_q;

  logic unused_bits;
  assign unused_bits = ^{cfg_i, thread_i, regs_i};

endmodule

`default_nettype wire
