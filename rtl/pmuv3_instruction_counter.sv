// Instruction counter: counts the thread's retired instructions (FEAT_PMUv3_ICNTR).
//
//   owns  PMICNTR, PMOVS.F0
//
// Timing: as an event counter and its overflow flag (pmuv3_counter, pmuv3_overflow).
//
// It counts INST_RETIRED like a counter of the first range without MT. It has rules of its own for
// prohibition (RCSRMB).
`default_nettype none

module pmuv3_instruction_counter (
  input wire logic clk_i,
  input wire logic rst_ni,        // of PMOVS.F0
  input wire logic rst_agent_ni,  // of PMICNTR
  input wire logic cycle_i,
  input wire pmuv3_pkg::config_t cfg_i,

  // The thread
  input wire logic [1:0]             el_i,
  input wire logic [1:0]             ss_i,
  input wire logic                   sm_i,
  input wire logic                   halted_i,
  input wire logic                   a32el3_i,
  input wire logic [1:0]             other_el_i,  // its other context
  input wire logic [1:0]             other_ss_i,
  input wire logic                   related_i,
  input wire pmuv3_pkg::occurrence_t occurrence_i,  // of INST_RETIRED
  input wire logic [63:0]            pmcr_i,
  input wire logic [63:0]            pmicfiltr_i,
  input wire logic [63:0]            mdcr_el2_i,
  input wire logic [63:0]            mdcr_el3_i,
  input wire logic                   counter_enable_i,  // PMCNTEN.F0
  input wire logic                   frozen_r1_i,       // the first range

  input wire logic        zero_i,    // PMZR
  input wire logic        write_i,   // PMICNTR
  input wire logic [1:0]  halves_i,  // of it, that the write reaches
  input wire logic [63:0] wdata_i,
  input wire logic        overflow_set_i,    // PMOVSSET.F0
  input wire logic        overflow_clear_i,  // PMOVSCLR.F0

  output logic [63:0] value_o,
  output logic        overflow_o
);

  logic now_filtered, then_filtered;
  pmuv3_filtered #(
    .Width(1)
  ) u_now_filtered (
    .k_vs_res_i(cfg_i.k_vs_res),
    .p_i       (pmicfiltr_i[pmuv3_pkg::PmicfiltrPLsb]),
    .u_i       (pmicfiltr_i[pmuv3_pkg::PmicfiltrULsb]),
    .nsk_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrNskLsb]),
    .nsu_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrNsuLsb]),
    .nsh_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrNshLsb]),
    .m_i       (pmicfiltr_i[pmuv3_pkg::PmicfiltrMLsb]),
    .sh_i      (pmicfiltr_i[pmuv3_pkg::PmicfiltrShLsb]),
    .rlk_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrRlkLsb]),
    .rlu_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrRluLsb]),
    .rlh_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrRlhLsb]),
    .vs1_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrVsMsb]),
    .vs0_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrVsLsb]),
    .a32el3_i,
    .el_i,
    .ss_i,
    .sm_i,
    .filtered_o(now_filtered)
  );
  pmuv3_filtered #(
    .Width(1)
  ) u_then_filtered (
    .k_vs_res_i(cfg_i.k_vs_res),
    .p_i       (pmicfiltr_i[pmuv3_pkg::PmicfiltrPLsb]),
    .u_i       (pmicfiltr_i[pmuv3_pkg::PmicfiltrULsb]),
    .nsk_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrNskLsb]),
    .nsu_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrNsuLsb]),
    .nsh_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrNshLsb]),
    .m_i       (pmicfiltr_i[pmuv3_pkg::PmicfiltrMLsb]),
    .sh_i      (pmicfiltr_i[pmuv3_pkg::PmicfiltrShLsb]),
    .rlk_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrRlkLsb]),
    .rlu_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrRluLsb]),
    .rlh_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrRlhLsb]),
    .vs1_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrVsMsb]),
    .vs0_i     (pmicfiltr_i[pmuv3_pkg::PmicfiltrVsLsb]),
    .a32el3_i,
    .el_i      (other_el_i),
    .ss_i      (other_ss_i),
    .sm_i,
    .filtered_o(then_filtered)
  );

  // RCSRMB, with H-16 and H-17: SPME or MPMX, of an EL3 that uses AArch64, allow Secure state, and
  // SPME without MPMX EL3.
  logic spme, mpmx, hpmd, prohibit_secure, prohibit_el3;
  assign spme            = mdcr_el3_i[pmuv3_pkg::MdcrEl3SpmeLsb];
  assign mpmx            = mdcr_el3_i[pmuv3_pkg::MdcrEl3MpmxLsb];
  assign hpmd            = mdcr_el2_i[pmuv3_pkg::MdcrEl2HpmdLsb];
  assign prohibit_secure = cfg_i.el3 && (a32el3_i || !(spme || mpmx));
  assign prohibit_el3    = a32el3_i || !spme || mpmx;

  logic now_prohibited, then_prohibited;
  always_comb begin
    unique case (el_i)
      2'd3:    now_prohibited = prohibit_el3;
      2'd2:    now_prohibited = hpmd || (prohibit_secure && ss_i == pmuv3_pkg::SsSecure);
      default: now_prohibited = prohibit_secure && ss_i == pmuv3_pkg::SsSecure;
    endcase
    unique case (other_el_i)
      2'd3:    then_prohibited = prohibit_el3;
      2'd2:    then_prohibited = hpmd || (prohibit_secure && other_ss_i == pmuv3_pkg::SsSecure);
      default: then_prohibited = prohibit_secure && other_ss_i == pmuv3_pkg::SsSecure;
    endcase
  end

  // Unattributable occurrences are judged by the current state, and by choices for CORE events.
  logic counts_unattributable;
  always_comb begin
    if (now_prohibited) begin
      counts_unattributable = cfg_i.k_unattr_prohib[0];
    end else begin
      counts_unattributable = !now_filtered || !cfg_i.k_unattr_filter[0];
    end
    if (related_i && then_prohibited) counts_unattributable = 1'b0;
  end

  logic       running;
  logic [9:0] count;
  assign running = pmcr_i[pmuv3_pkg::PmcrELsb] && counter_enable_i && !frozen_r1_i && !halted_i;
  always_comb begin
    count = 10'd0;
    if (running) begin
      if (!now_prohibited && !now_filtered) count += 10'(occurrence_i.current);
      if (!then_prohibited && !then_filtered) count += 10'(occurrence_i.other);
      if (counts_unattributable) count += 10'(occurrence_i.unattributable);
    end
  end

  logic        carry;  // out of bit 63: the sum is the smaller for it
  logic [63:0] value_q, sum;
  assign sum   = value_q + 64'(count);
  assign carry = sum < value_q;
  always_ff @(posedge clk_i or negedge rst_agent_ni) begin
    if (!rst_agent_ni) begin
      value_q <= 64'd0;
    end else if (zero_i) begin
      value_q <= 64'd0;
    end else begin
      if (write_i && halves_i[1]) value_q[63:32] <= wdata_i[63:32];
      else if (cycle_i)           value_q[63:32] <= sum[63:32];

      if (write_i && halves_i[0]) value_q[31:0] <= wdata_i[31:0];
      else if (cycle_i)           value_q[31:0] <= sum[31:0];
    end
  end
  assign value_o = value_q;

  logic overflow_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      overflow_q <= 1'b0;
    end else begin
      overflow_q <= (overflow_q && !overflow_clear_i) || overflow_set_i || (cycle_i && carry);
    end
  end
  assign overflow_o = overflow_q;

  // D13.10-2: what a debugger's operations cause never counts.
  logic unused_debugger, unused_bits;
  assign unused_debugger = ^occurrence_i.debugger;
  assign unused_bits     = ^{cfg_i, pmcr_i, pmicfiltr_i, mdcr_el2_i, mdcr_el3_i};

endmodule

`default_nettype wire
