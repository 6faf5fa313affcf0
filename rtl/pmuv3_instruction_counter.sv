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
  input wire pmuv3_pkg::config_t       cfg_i,
  input wire pmuv3_types_pkg::thread_t thread_i,
  input wire pmuv3_types_pkg::regs_t   regs_i,

  input wire pmuv3_pkg::occurrence_t occurrence_i,  // of INST_RETIRED
  input wire logic                   frozen_r1_i,   // the first range

  input wire pmuv3_types_pkg::change_t change_i,
  input wire logic [1:0]  halves_i,  // the halves of PMICNTR that the write reaches
  input wire logic [63:0] wdata_i,

  output logic [63:0] value_o,
  output logic        overflow_o,
  output logic        pulse_o  // the counter overflows in this cycle
);

  logic now_filtered, then_filtered;
  pmuv3_filtered #(
    .Width(1)
  ) u_now_filtered (
    .k_vs_res_i(cfg_i.k_vs_res),
    .filters_i (pmuv3_types_pkg::filter_of(regs_i.pmicfiltr)),
    .a32el3_i  (thread_i.a32el3),
    .el_i      (thread_i.el),
    .ss_i      (thread_i.ss),
    .sm_i      (thread_i.sm),
    .filtered_o(now_filtered)
  );
  pmuv3_filtered #(
    .Width(1)
  ) u_then_filtered (
    .k_vs_res_i(cfg_i.k_vs_res),
    .filters_i (pmuv3_types_pkg::filter_of(regs_i.pmicfiltr)),
    .a32el3_i  (thread_i.a32el3),
    .el_i      (thread_i.other_el),
    .ss_i      (thread_i.other_ss),
    .sm_i      (thread_i.sm),
    .filtered_o(then_filtered)
  );

  // RCSRMB, with H-16 and H-17: if EL3 uses AArch64, SPME or MPMX allows counting in Secure state,
  // and SPME without MPMX allows counting at EL3.
  logic spme, mpmx, hpmd, prohibit_secure, prohibit_el3;
  assign spme            = regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3SpmeLsb];
  assign mpmx            = regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3MpmxLsb];
  assign hpmd            = regs_i.mdcr_el2[pmuv3_pkg::MdcrEl2HpmdLsb];
  assign prohibit_secure = cfg_i.el3 && (thread_i.a32el3 || !(spme || mpmx));
  assign prohibit_el3    = thread_i.a32el3 || !spme || mpmx;

  logic now_secure, then_secure, now_prohibited, then_prohibited;
  assign now_secure  = thread_i.ss == pmuv3_pkg::SsSecure;
  assign then_secure = thread_i.other_ss == pmuv3_pkg::SsSecure;
  always_comb begin
    unique case (thread_i.el)
      2'd3:    now_prohibited = prohibit_el3;
      2'd2:    now_prohibited = hpmd || (prohibit_secure && now_secure);
      default: now_prohibited = prohibit_secure && now_secure;
    endcase
    unique case (thread_i.other_el)
      2'd3:    then_prohibited = prohibit_el3;
      2'd2:    then_prohibited = hpmd || (prohibit_secure && then_secure);
      default: then_prohibited = prohibit_secure && then_secure;
    endcase
  end

  // The current state and the choices for CORE events decide about Unattributable occurrences.
  logic counts_unattributable;
  always_comb begin
    if (now_prohibited) begin
      counts_unattributable = cfg_i.k_unattr_prohib[0];
    end else begin
      counts_unattributable = !now_filtered || !cfg_i.k_unattr_filter[0];
    end
    if (thread_i.related && then_prohibited) counts_unattributable = 1'b0;
  end

  logic       running;
  logic [9:0] count;
  assign running = regs_i.pmcr[pmuv3_pkg::PmcrELsb] && regs_i.fixed_enable[1] && !frozen_r1_i
                   && !thread_i.halted;
  always_comb begin
    count = 10'd0;
    if (running) begin
      if (!now_prohibited && !now_filtered) count += 10'(occurrence_i.current);
      if (!then_prohibited && !then_filtered) count += 10'(occurrence_i.other);
      if (counts_unattributable) count += 10'(occurrence_i.unattributable);
    end
  end

  logic        carry;  // out of bit 63: the sum is then smaller than value_q
  logic [63:0] value_q, sum;
  assign sum   = value_q + 64'(count);
  assign carry = sum < value_q;
  always_ff @(posedge clk_i or negedge rst_agent_ni) begin
    if (!rst_agent_ni) begin
      value_q <= 64'd0;
    end else if (change_i.zero) begin
      value_q <= 64'd0;
    end else begin
      if (change_i.write && halves_i[1]) value_q[63:32] <= wdata_i[63:32];
      else if (cycle_i)                  value_q[63:32] <= sum[63:32];

      if (change_i.write && halves_i[0]) value_q[31:0] <= wdata_i[31:0];
      else if (cycle_i)                  value_q[31:0] <= sum[31:0];
    end
  end
  assign value_o = value_q;

  logic raised;
  assign raised  = cycle_i && carry;
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

  // D13.10-2: occurrences that a debugger's operations cause never count.
  logic unused_debugger, unused_bits;
  assign unused_debugger = ^occurrence_i.debugger;
  assign unused_bits     = ^{cfg_i, thread_i, regs_i};

endmodule

`default_nettype wire
