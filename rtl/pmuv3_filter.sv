// Filter: which counters of a thread run in this cycle, and which occurrences of each thread they
// may count.
//
// Timing: combinational, from the threads' states to a bit for each counter. Stateless.
//
// The "counting thread" is the thread that has these counters. Its registers decide. They are
// applied to the state of the thread that an occurrence comes from (D13.7-3), and for
// Unattributable occurrences to the counting thread's own state (D13.7-6). All counters are judged
// at once: vectors have a bit for each counter. The vectors of the source threads are Lanes bits
// apart.
`default_nettype none

module pmuv3_filter #(
  parameter int unsigned NumThreads = 1,
  parameter int unsigned Thread     = 0,  // the counting thread
  parameter int unsigned Lanes      = 31
) (
  input wire pmuv3_pkg::config_t cfg_i,

  // thread_t of each thread
  input wire logic [pmuv3_types_pkg::ThreadWidth*NumThreads-1:0] threads_i,

  // Registers of the counting thread, and its counters
  input wire pmuv3_types_pkg::regs_t regs_i,
  input wire logic                   instruction_freezes_i,  // PMOVS.F0, if not synchronous
  input wire logic [pmuv3_types_pkg::EvtyperWidth*Lanes-1:0] evtypers_i,
  input wire logic [pmuv3_types_pkg::ControlWidth*Lanes-1:0] controls_i,
  input wire logic [Lanes-1:0] overflow_i,  // PMOVS
  input wire logic [Lanes-1:0] mt_i,        // Effective MT; 0 for CHAIN (MT-CHAIN)

  output logic [Lanes-1:0] running_o,
  // The thread's current state is eligible
  output logic [Lanes*NumThreads-1:0] eligible_o,
  // The thread's occurrences count: in the current state, in the other context, Unattributable
  output logic [Lanes*NumThreads-1:0] counts_current_o,
  output logic [Lanes*NumThreads-1:0] counts_other_o,
  output logic [Lanes*NumThreads-1:0] counts_unattributable_o,

  // For the cycle counter and the instruction counter
  output logic frozen_r1_o,
  output logic frozen_dp_o,     // with DP, freezes the cycle counter
  output logic prohibited_r1_o  // in the counting thread's current state
);

  // A bit for each counter, by the counter's range. Nothing prohibits or freezes the third range.
  function automatic logic [Lanes-1:0] by_range(
      input logic [Lanes-1:0] range1, input logic [Lanes-1:0] range2, input logic r1,
      input logic r2);
    by_range = (range1 & {Lanes{r1}}) | (range2 & {Lanes{r2}});
  endfunction

  // A bit for each counter, by the attribution of its event in a choice none|core|memory|all.
  function automatic logic [Lanes-1:0] by_class(input logic [Lanes-1:0] memory,
                                                input logic [1:0] choice);
    by_class = (memory & {Lanes{choice[1]}}) | (~memory & {Lanes{choice[0]}});
  endfunction

  `PMUV3_EVTYPERS_T(Lanes)
  `PMUV3_CONTROLS_T(Lanes)
  evtypers_t evtypers;
  controls_t controls;
  assign evtypers = evtypers_i;
  assign controls = controls_i;

  // The counting thread, and the source thread.
  pmuv3_types_pkg::thread_t self, source;
  logic [NumThreads-1:0]   present, sm, halted, a32el1, related;
  logic [2*NumThreads-1:0] el, ss, other_el, other_ss;
  assign self = threads_i[pmuv3_types_pkg::ThreadWidth*Thread+:pmuv3_types_pkg::ThreadWidth];
  always_comb begin
    for (int unsigned b = 0; b < NumThreads; b++) begin
      source = threads_i[pmuv3_types_pkg::ThreadWidth*b+:pmuv3_types_pkg::ThreadWidth];
      present[b]       = source.present;
      el[2*b+:2]       = source.el;
      ss[2*b+:2]       = source.ss;
      sm[b]            = source.sm;
      halted[b]        = source.halted;
      a32el1[b]        = source.a32el1;
      other_el[2*b+:2] = source.other_el;
      other_ss[2*b+:2] = source.other_ss;
      related[b]       = source.related;
    end
  end

  logic [1:0] self_el, self_ss;
  logic       self_halted;
  assign self_el     = self.el;
  assign self_ss     = self.ss;
  assign self_halted = self.halted;

  /////////////
  // Running //
  /////////////

  // RBHFSF, IDKYFT: the flags of a range's counters freeze the range, except counters in
  // synchronous mode. The flags at the start of the cycle decide (CYC-3).
  logic [Lanes-1:0] freezes;
  logic             overflow_r1, overflow_r2;
  assign freezes     = overflow_i & ~evtypers.sync;
  assign overflow_r1 = regs_i.pmcr[pmuv3_pkg::PmcrFzoLsb]
                       && (|(freezes & controls.range1) || instruction_freezes_i);
  assign overflow_r2 = regs_i.mdcr_el2[pmuv3_pkg::MdcrEl2HpmfzoLsb] && |(freezes & controls.range2);

  // RHSGZX: a range also freezes in cycles in which SPE requests a freeze.
  logic spe_r1, spe_r2, frozen_r2;
  assign spe_r1      = self.spe && regs_i.pmcr[pmuv3_pkg::PmcrFzsLsb];
  assign spe_r2      = self.spe && regs_i.mdcr_el2[pmuv3_pkg::MdcrEl2HpmfzsLsb];
  assign frozen_r1_o = overflow_r1 || spe_r1;
  assign frozen_r2   = overflow_r2 || spe_r2;
  assign frozen_dp_o = overflow_r1 || (spe_r1 && cfg_i.feat_dpfzs);

  // RKYBQW, ICTDHP
  assign running_o = controls.enable & controls.global_enable
                     & ~(evtypers.sync & ~evtypers.sync_capable)
                     & ~by_range(controls.range1, controls.range2, frozen_r1_o, frozen_r2);

  ////////////////////
  // Unattributable //
  ////////////////////

  // The counting thread's own state decides, with choices for each attribution (D13.4).
  logic             self_secure, self_el2_r1, self_el3_r1, self_el3_r2;
  logic [Lanes-1:0] self_prohibited, self_filtered;
  pmuv3_prohibited u_self_prohibited (
    .cfg_i,
    .self_i  (self),
    .regs_i,
    .el_i    (self_el),
    .ss_i    (self_ss),
    .a32el1_i(a32el1[Thread]),
    .secure_o(self_secure),
    .el2_r1_o(self_el2_r1),
    .el3_r1_o(self_el3_r1),
    .el3_r2_o(self_el3_r2)
  );
  pmuv3_filtered #(
    .Width(Lanes)
  ) u_self_filtered (
    .k_vs_res_i(cfg_i.k_vs_res),
    .filters_i (evtypers.filters),
    .a32el3_i  (self.a32el3),
    .el_i      (self_el),
    .ss_i      (self_ss),
    .sm_i      (sm[Thread]),
    .filtered_o(self_filtered)
  );
  assign prohibited_r1_o = self_secure || self_el2_r1 || self_el3_r1;
  assign self_prohibited = by_range(controls.range1, controls.range2, prohibited_r1_o,
                                    self_secure || self_el3_r2);

  logic [Lanes-1:0] unattributable;
  always_comb begin
    if (self_halted) begin
      unattributable = by_class(evtypers.memory, cfg_i.k_unattr_debug) & ~self_filtered;
    end else begin
      unattributable = (self_prohibited & by_class(evtypers.memory, cfg_i.k_unattr_prohib))
                       | (~self_prohibited & (~self_filtered
                                              | ~by_class(evtypers.memory, cfg_i.k_unattr_filter)));
    end
    // MT-SHARED-1
    if (cfg_i.k_shared_other == pmuv3_pkg::KSharedOtherAttributable) begin
      unattributable &= ~evtypers.shared;
    end else begin
      unattributable &= ~evtypers.shared | mt_i;
    end
    // D13.4-9: these events count Attributable occurrences alone.
    unattributable &= ~evtypers.own;
  end

  // D13.6-12..14: for counters without MT, choices about activity in a prohibited state while the
  // counting thread is outside that state. They waive the prohibition of Attributable occurrences.
  // They refuse Unattributable occurrences that are related to that activity.
  logic outside_secure, outside_el2, outside_el3;
  assign outside_secure = self_ss == pmuv3_pkg::SsNonSecure;
  assign outside_el2    = self_el != 2'd2;
  assign outside_el3    = self_el != 2'd3;

  logic waive_secure_attr, waive_el2_attr, waive_el3_attr;
  logic refuse_secure_unattr, refuse_el2_unattr, refuse_el3_unattr;
  assign waive_secure_attr    = outside_secure && cfg_i.k_ns_count_s_attr;
  assign waive_el2_attr       = outside_el2 && cfg_i.k_lo_count_el2_attr;
  assign waive_el3_attr       = outside_el3 && cfg_i.k_lo_count_ssel_attr;
  assign refuse_secure_unattr = outside_secure && !cfg_i.k_ns_count_s_unattr;
  assign refuse_el2_unattr    = outside_el2 && !cfg_i.k_lo_count_el2_unattr;
  assign refuse_el3_unattr    = outside_el3 && !cfg_i.k_lo_count_ssel_unattr;

  ////////////////////
  // Source threads //
  ////////////////////

  // Choices can count an event that is attributable to no Security state, or to no Exception level.
  logic [Lanes-1:0] no_ss, no_el;
  assign no_ss = evtypers.trace & {Lanes{cfg_i.k_attr_nonss_prohib}};
  assign no_el = evtypers.trace & {Lanes{cfg_i.k_attr_nonel_filter}};

  for (genvar b = 0; b < NumThreads; b++) begin : g_source
    // D13.6-1, D13.6-4. K-MT-SELF-DEBUG: whether a halted thread counts its siblings.
    logic [Lanes-1:0] in_scope;
    logic             seen;
    if (b == Thread) begin : g_self
      assign in_scope = '1;
      assign seen     = 1'b1;
    end else begin : g_sibling
      assign in_scope = mt_i & {Lanes{present[b]}};
      assign seen     = !self_halted || cfg_i.k_mt_self_debug;
    end

    // The current state
    logic             now_secure, now_el2_r1, now_el3_r1, now_el3_r2;
    logic [Lanes-1:0] now_prohibited, now_filtered;
    pmuv3_prohibited u_now_prohibited (
      .cfg_i,
      .self_i  (self),
      .regs_i,
      .el_i    (el[2*b+:2]),
      .ss_i    (ss[2*b+:2]),
      .a32el1_i(a32el1[b]),
      .secure_o(now_secure),
      .el2_r1_o(now_el2_r1),
      .el3_r1_o(now_el3_r1),
      .el3_r2_o(now_el3_r2)
    );
    pmuv3_filtered #(
      .Width(Lanes)
    ) u_now_filtered (
      .k_vs_res_i(cfg_i.k_vs_res),
      .filters_i (evtypers.filters),
      .a32el3_i  (self.a32el3),
      .el_i      (el[2*b+:2]),
      .ss_i      (ss[2*b+:2]),
      .sm_i      (sm[b]),
      .filtered_o(now_filtered)
    );
    assign now_prohibited = by_range(controls.range1, controls.range2,
                                     now_secure || now_el2_r1 || now_el3_r1,
                                     now_secure || now_el3_r2);

    // The other context
    logic             then_secure, then_el2_r1, then_el3_r1, then_el3_r2;
    logic [Lanes-1:0] then_prohibited, then_filtered;
    pmuv3_prohibited u_then_prohibited (
      .cfg_i,
      .self_i  (self),
      .regs_i,
      .el_i    (other_el[2*b+:2]),
      .ss_i    (other_ss[2*b+:2]),
      .a32el1_i(a32el1[b]),
      .secure_o(then_secure),
      .el2_r1_o(then_el2_r1),
      .el3_r1_o(then_el3_r1),
      .el3_r2_o(then_el3_r2)
    );
    pmuv3_filtered #(
      .Width(Lanes)
    ) u_then_filtered (
      .k_vs_res_i(cfg_i.k_vs_res),
      .filters_i (evtypers.filters),
      .a32el3_i  (self.a32el3),
      .el_i      (other_el[2*b+:2]),
      .ss_i      (other_ss[2*b+:2]),
      .sm_i      (sm[b]),
      .filtered_o(then_filtered)
    );
    assign then_prohibited = by_range(controls.range1, controls.range2,
                                      then_secure || then_el2_r1 || then_el3_r1,
                                      then_secure || then_el3_r2);

    // For MT = 0: the prohibition left after waivers; what choices refuse
    logic             attr_secure, unattr_secure;
    logic [Lanes-1:0] attr_prohibited, unattr_refused;
    assign attr_secure     = then_secure && !waive_secure_attr;
    assign unattr_secure   = then_secure && refuse_secure_unattr;
    assign attr_prohibited = by_range(
        controls.range1, controls.range2,
        attr_secure || (then_el2_r1 && !waive_el2_attr) || (then_el3_r1 && !waive_el3_attr),
        attr_secure || (then_el3_r2 && !waive_el3_attr));
    assign unattr_refused  = by_range(
        controls.range1, controls.range2,
        unattr_secure || (then_el2_r1 && refuse_el2_unattr) || (then_el3_r1 && refuse_el3_unattr),
        unattr_secure || (then_el3_r2 && refuse_el3_unattr));

    // T4: occurrences of a halted thread are late occurrences.
    logic [Lanes-1:0] attributable;
    assign attributable = in_scope & {Lanes{seen && (!halted[b] || cfg_i.k_debug_late)}};

    assign eligible_o[Lanes*b+:Lanes] =
        in_scope & {Lanes{seen && !halted[b]}} & ~now_prohibited & ~now_filtered;
    // T3: the filter has no effect in a prohibited state.
    logic [Lanes-1:0] other_prohibited;
    assign other_prohibited = (mt_i & then_prohibited) | (~mt_i & attr_prohibited);
    assign counts_current_o[Lanes*b+:Lanes] =
        attributable & ((now_prohibited & no_ss) | (~now_prohibited & (~now_filtered | no_el)));
    assign counts_other_o[Lanes*b+:Lanes] =
        attributable & ((other_prohibited & no_ss)
                        | (~other_prohibited & (~then_filtered | no_el)));
    assign counts_unattributable_o[Lanes*b+:Lanes] =
        in_scope & unattributable & ~({Lanes{related[b]}} & ~mt_i & unattr_refused);
  end

  logic unused_bits;
  assign unused_bits = ^{cfg_i, self, source, present, regs_i, evtypers, controls};

endmodule

`default_nettype wire
