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
  input wire pmuv3_pkg::config_t cfg_i,

  // The thread
  input wire logic [1:0]  el_i,
  input wire logic [1:0]  ss_i,
  input wire logic        sm_i,
  input wire logic        halted_i,
  input wire logic        a32el3_i,
  input wire logic [63:0] pmcr_i,
  input wire logic [63:0] pmccfiltr_i,
  input wire logic [63:0] mdcr_el2_i,
  input wire logic [63:0] mdcr_el3_i,
  input wire logic        counter_enable_i,  // PMCNTEN.C
  input wire logic        frozen_dp_i,       // with DP: as the first range
  input wire logic        prohibited_r1_i,   // to it, in the current state
  input wire logic        exception_enabled_i,

  input wire logic        zero_i,    // PMCR.C, PMZR
  input wire logic        write_i,   // PMCCNTR
  input wire logic [1:0]  halves_i,  // of it, that the write reaches
  input wire logic [63:0] wdata_i,
  input wire logic        overflow_set_i,    // PMOVSSET.C
  input wire logic        overflow_clear_i,  // PMOVSCLR.C

  output logic [63:0] value_o,
  output logic        overflow_o
);

  logic filtered;
  pmuv3_filtered #(
    .Width(1)
  ) u_filtered (
    .k_vs_res_i(cfg_i.k_vs_res),
    .p_i       (pmccfiltr_i[pmuv3_pkg::PmccfiltrPLsb]),
    .u_i       (pmccfiltr_i[pmuv3_pkg::PmccfiltrULsb]),
    .nsk_i     (pmccfiltr_i[pmuv3_pkg::PmccfiltrNskLsb]),
    .nsu_i     (pmccfiltr_i[pmuv3_pkg::PmccfiltrNsuLsb]),
    .nsh_i     (pmccfiltr_i[pmuv3_pkg::PmccfiltrNshLsb]),
    .m_i       (pmccfiltr_i[pmuv3_pkg::PmccfiltrMLsb]),
    .sh_i      (pmccfiltr_i[pmuv3_pkg::PmccfiltrShLsb]),
    .rlk_i     (pmccfiltr_i[pmuv3_pkg::PmccfiltrRlkLsb]),
    .rlu_i     (pmccfiltr_i[pmuv3_pkg::PmccfiltrRluLsb]),
    .rlh_i     (pmccfiltr_i[pmuv3_pkg::PmccfiltrRlhLsb]),
    .vs1_i     (pmccfiltr_i[pmuv3_pkg::PmccfiltrVsMsb]),
    .vs0_i     (pmccfiltr_i[pmuv3_pkg::PmccfiltrVsLsb]),
    .a32el3_i,
    .el_i,
    .ss_i,
    .sm_i,
    .filtered_o(filtered)
  );

  // RGKPZH: controls of its own, and with DP those of the first range.
  logic secure, disabled_at, disabled_with;
  assign secure        = ss_i == pmuv3_pkg::SsSecure || el_i == 2'd3;
  assign disabled_at   = (secure && mdcr_el3_i[pmuv3_pkg::MdcrEl3SccdLsb])
                         || (el_i == 2'd2 && mdcr_el2_i[pmuv3_pkg::MdcrEl2HccdLsb])
                         || (el_i == 2'd3 && mdcr_el3_i[pmuv3_pkg::MdcrEl3MccdLsb]
                             && !a32el3_i);
  assign disabled_with = pmcr_i[pmuv3_pkg::PmcrDpLsb] && (prohibited_r1_i || frozen_dp_i);

  logic counts;
  assign counts = pmcr_i[pmuv3_pkg::PmcrELsb] && counter_enable_i && !halted_i && !filtered
                  && !disabled_at && !disabled_with;

  // LC is effectively 1 where the PMU Profiling exception is enabled, and D has no effect with it.
  // The divider counts the cycles that D divides, and is no part of PMCCNTR: it keeps its value
  // when that is written or zeroed.
  logic       long_overflow, divides;
  logic [5:0] divider_q;
  assign long_overflow = pmcr_i[pmuv3_pkg::PmcrLcLsb] || exception_enabled_i;
  assign divides       = pmcr_i[pmuv3_pkg::PmcrDLsb] && !long_overflow;
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
    end else if (zero_i) begin
      {high_q, low_q} <= 64'd0;
    end else begin
      if (write_i && halves_i[1]) high_q <= wdata_i[63:32];
      else if (cycle_i)           high_q <= high_sum;

      if (write_i && halves_i[0]) low_q <= wdata_i[31:0];
      else if (cycle_i)           low_q <= low_sum;
    end
  end
  assign value_o = {high_q, low_q};

  logic overflow_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      overflow_q <= 1'b0;
    end else begin
      overflow_q <= (overflow_q && !overflow_clear_i) || overflow_set_i
                    || (cycle_i && (long_overflow ? carry63 : carry31));
    end
  end
  assign overflow_o = overflow_q;

  logic unused_bits;
  assign unused_bits = ^{cfg_i, pmcr_i, pmccfiltr_i, mdcr_el2_i, mdcr_el3_i};

endmodule

`default_nettype wire
