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

  // The threads in this cycle
  input wire logic [NumThreads-1:0]   present_i,
  input wire logic [2*NumThreads-1:0] el_i,
  input wire logic [2*NumThreads-1:0] ss_i,
  input wire logic [NumThreads-1:0]   sm_i,
  input wire logic [NumThreads-1:0]   halted_i,
  input wire logic [NumThreads-1:0]   a32el1_i,
  input wire logic                    a32el3_i,    // of the counting thread
  input wire logic                    snid_i,      // likewise
  input wire logic                    spe_i,       // likewise: SPE asks to freeze
  input wire logic [2*NumThreads-1:0] other_el_i,  // their other contexts
  input wire logic [2*NumThreads-1:0] other_ss_i,
  input wire logic [NumThreads-1:0]   related_i,

  // Registers of the counting thread
  input wire logic [63:0] pmcr_i,
  input wire logic [63:0] mdcr_el2_i,
  input wire logic [63:0] mdcr_el3_i,
  input wire logic [63:0] sder_i,
  input wire logic        instruction_freezes_i,  // PMOVS.F0, not in synchronous mode

  // Its counters
  input wire logic [Lanes-1:0] counter_enable_i,  // PMCNTEN
  input wire logic [Lanes-1:0] global_enable_i,   // of its range
  input wire logic [Lanes-1:0] range1_i,          // in the first range
  input wire logic [Lanes-1:0] range2_i,          // in the second; the others are in the third
  input wire logic [Lanes-1:0] overflow_i,        // PMOVS
  input wire logic [Lanes-1:0] mt_i,              // Effective MT; not of CHAIN (MT-CHAIN)
  input wire logic [Lanes-1:0] sync_i,            // PMEVTYPER.SYNC
  input wire logic [Lanes-1:0] p_i,
  input wire logic [Lanes-1:0] u_i,
  input wire logic [Lanes-1:0] nsk_i,
  input wire logic [Lanes-1:0] nsu_i,
  input wire logic [Lanes-1:0] nsh_i,
  input wire logic [Lanes-1:0] m_i,
  input wire logic [Lanes-1:0] sh_i,
  input wire logic [Lanes-1:0] rlk_i,
  input wire logic [Lanes-1:0] rlu_i,
  input wire logic [Lanes-1:0] rlh_i,
  input wire logic [Lanes-1:0] vs1_i,
  input wire logic [Lanes-1:0] vs0_i,

  // The events that they select
  input wire logic [Lanes-1:0] sync_capable_i,
  input wire logic [Lanes-1:0] memory_i,  // MEMORY or SHARED, as one class of choices
  input wire logic [Lanes-1:0] shared_i,
  input wire logic [Lanes-1:0] trace_i,

  output logic [Lanes-1:0] running_o,
  // The thread's current state is eligible
  output logic [Lanes*NumThreads-1:0] eligible_o,
  // Occurrences on the thread count: in its current state, its other context, Unattributable ones
  output logic [Lanes*NumThreads-1:0] counts_current_o,
  output logic [Lanes*NumThreads-1:0] counts_other_o,
  output logic [Lanes*NumThreads-1:0] counts_unattributable_o,

  // For the cycle counter and the instruction counter
  output logic frozen_r1_o,
  output logic frozen_dp_o,     // what of that freezes the cycle counter, with DP
  output logic prohibited_r1_o  // in the counting thread's current state
);

  // A bit for each counter, by its range. Nothing prohibits or freezes the third range.
  function automatic logic [Lanes-1:0] by_range(
      input logic [Lanes-1:0] range1, input logic [Lanes-1:0] range2, input logic r1,
      input logic r2);
    by_range = (range1 & {Lanes{r1}}) | (range2 & {Lanes{r2}});
  endfunction

  // A bit for each counter, by the class of its event in a choice none|core|memory|all.
  function automatic logic [Lanes-1:0] by_class(input logic [Lanes-1:0] memory,
                                                input logic [1:0] choice);
    by_class = (memory & {Lanes{choice[1]}}) | (~memory & {Lanes{choice[0]}});
  endfunction

  logic [1:0] self_el, self_ss;
  logic       self_halted;
  assign self_el     = el_i[2*Thread+:2];
  assign self_ss     = ss_i[2*Thread+:2];
  assign self_halted = halted_i[Thread];

  /////////////
  // Running //
  /////////////

  // RBHFSF, IDKYFT: a range freezes on the flags of its counters that are not in synchronous mode,
  // as they are at the start of the cycle (CYC-3).
  logic [Lanes-1:0] freezes;
  logic             overflow_r1, overflow_r2;
  assign freezes     = overflow_i & ~sync_i;
  assign overflow_r1 = pmcr_i[pmuv3_pkg::PmcrFzoLsb]
                       && (|(freezes & range1_i) || instruction_freezes_i);
  assign overflow_r2 = mdcr_el2_i[pmuv3_pkg::MdcrEl2HpmfzoLsb] && |(freezes & range2_i);

  // RHSGZX: and in the cycles in which SPE asks for it.
  logic spe_r1, spe_r2, frozen_r2;
  assign spe_r1      = spe_i && pmcr_i[pmuv3_pkg::PmcrFzsLsb];
  assign spe_r2      = spe_i && mdcr_el2_i[pmuv3_pkg::MdcrEl2HpmfzsLsb];
  assign frozen_r1_o = overflow_r1 || spe_r1;
  assign frozen_r2   = overflow_r2 || spe_r2;
  assign frozen_dp_o = overflow_r1 || (spe_r1 && cfg_i.feat_dpfzs);

  // RKYBQW, ICTDHP
  assign running_o = counter_enable_i & global_enable_i & ~(sync_i & ~sync_capable_i)
                     & ~by_range(range1_i, range2_i, frozen_r1_o, frozen_r2);

  ////////////////////
  // Unattributable //
  ////////////////////

  // The counting thread's own state judges them, and choices for each class of events (D13.4).
  logic             self_secure, self_el2_r1, self_el3_r1, self_el3_r2;
  logic [Lanes-1:0] self_prohibited, self_filtered;
  pmuv3_prohibited u_self_prohibited (
    .cfg_i,
    .mdcr_el2_i,
    .mdcr_el3_i,
    .sder_i,
    .a32el3_i,
    .snid_i,
    .el_i    (self_el),
    .ss_i    (self_ss),
    .a32el1_i(a32el1_i[Thread]),
    .secure_o(self_secure),
    .el2_r1_o(self_el2_r1),
    .el3_r1_o(self_el3_r1),
    .el3_r2_o(self_el3_r2)
  );
  pmuv3_filtered #(
    .Width(Lanes)
  ) u_self_filtered (
    .k_vs_res_i(cfg_i.k_vs_res),
    .p_i,
    .u_i,
    .nsk_i,
    .nsu_i,
    .nsh_i,
    .m_i,
    .sh_i,
    .rlk_i,
    .rlu_i,
    .rlh_i,
    .vs1_i,
    .vs0_i,
    .a32el3_i,
    .el_i      (self_el),
    .ss_i      (self_ss),
    .sm_i      (sm_i[Thread]),
    .filtered_o(self_filtered)
  );
  assign prohibited_r1_o = self_secure || self_el2_r1 || self_el3_r1;
  assign self_prohibited = by_range(range1_i, range2_i, prohibited_r1_o,
                                    self_secure || self_el3_r2);

  logic [Lanes-1:0] unattributable;
  always_comb begin
    if (self_halted) begin
      unattributable = by_class(memory_i, cfg_i.k_unattr_debug) & ~self_filtered;
    end else begin
      unattributable = (self_prohibited & by_class(memory_i, cfg_i.k_unattr_prohib))
                       | (~self_prohibited & (~self_filtered
                                              | ~by_class(memory_i, cfg_i.k_unattr_filter)));
    end
    // MT-SHARED-1
    if (cfg_i.k_shared_other == pmuv3_pkg::KSharedOtherAttributable) begin
      unattributable &= ~shared_i;
    end else begin
      unattributable &= ~shared_i | mt_i;
    end
  end

  // What choices permit to count without MT of activity that is prohibited, while the counting
  // thread is elsewhere (D13.6-12..14).
  logic outside_secure, outside_el2, outside_el3;
  assign outside_secure = self_ss == pmuv3_pkg::SsNonSecure;
  assign outside_el2    = self_el != 2'd2;
  assign outside_el3    = self_el != 2'd3;

  logic waive_secure_attr, waive_el2_attr, waive_el3_attr;
  logic waive_secure_unattr, waive_el2_unattr, waive_el3_unattr;
  assign waive_secure_attr   = outside_secure && cfg_i.k_ns_count_s_attr;
  assign waive_el2_attr      = outside_el2 && cfg_i.k_lo_count_el2_attr;
  assign waive_el3_attr      = outside_el3 && cfg_i.k_lo_count_ssel_attr;
  assign waive_secure_unattr = outside_secure && cfg_i.k_ns_count_s_unattr;
  assign waive_el2_unattr    = outside_el2 && cfg_i.k_lo_count_el2_unattr;
  assign waive_el3_unattr    = outside_el3 && cfg_i.k_lo_count_ssel_unattr;

  /////////////////////////////////
  // What each thread's PE causes //
  /////////////////////////////////

  // Attributable to no Security state, or to no Exception level, and counted all the same.
  logic [Lanes-1:0] no_ss, no_el;
  assign no_ss = trace_i & {Lanes{cfg_i.k_attr_nonss_prohib}};
  assign no_el = trace_i & {Lanes{cfg_i.k_attr_nonel_filter}};

  for (genvar b = 0; b < NumThreads; b++) begin : g_source
    // D13.6-1, D13.6-4. Siblings are out of sight of a halted thread, unless K-MT-SELF-DEBUG.
    logic [Lanes-1:0] in_scope;
    logic             seen;
    if (b == Thread) begin : g_self
      assign in_scope = '1;
      assign seen     = 1'b1;
    end else begin : g_sibling
      assign in_scope = mt_i & {Lanes{present_i[b]}};
      assign seen     = !self_halted || cfg_i.k_mt_self_debug;
    end

    // The current state
    logic             now_secure, now_el2_r1, now_el3_r1, now_el3_r2;
    logic [Lanes-1:0] now_prohibited, now_filtered;
    pmuv3_prohibited u_now_prohibited (
      .cfg_i,
      .mdcr_el2_i,
      .mdcr_el3_i,
      .sder_i,
      .a32el3_i,
      .snid_i,
      .el_i    (el_i[2*b+:2]),
      .ss_i    (ss_i[2*b+:2]),
      .a32el1_i(a32el1_i[b]),
      .secure_o(now_secure),
      .el2_r1_o(now_el2_r1),
      .el3_r1_o(now_el3_r1),
      .el3_r2_o(now_el3_r2)
    );
    pmuv3_filtered #(
      .Width(Lanes)
    ) u_now_filtered (
      .k_vs_res_i(cfg_i.k_vs_res),
      .p_i,
      .u_i,
      .nsk_i,
      .nsu_i,
      .nsh_i,
      .m_i,
      .sh_i,
      .rlk_i,
      .rlu_i,
      .rlh_i,
      .vs1_i,
      .vs0_i,
      .a32el3_i,
      .el_i      (el_i[2*b+:2]),
      .ss_i      (ss_i[2*b+:2]),
      .sm_i      (sm_i[b]),
      .filtered_o(now_filtered)
    );
    assign now_prohibited = by_range(range1_i, range2_i, now_secure || now_el2_r1 || now_el3_r1,
                                     now_secure || now_el3_r2);

    // The other context
    logic             then_secure, then_el2_r1, then_el3_r1, then_el3_r2;
    logic [Lanes-1:0] then_prohibited, then_filtered;
    pmuv3_prohibited u_then_prohibited (
      .cfg_i,
      .mdcr_el2_i,
      .mdcr_el3_i,
      .sder_i,
      .a32el3_i,
      .snid_i,
      .el_i    (other_el_i[2*b+:2]),
      .ss_i    (other_ss_i[2*b+:2]),
      .a32el1_i(a32el1_i[b]),
      .secure_o(then_secure),
      .el2_r1_o(then_el2_r1),
      .el3_r1_o(then_el3_r1),
      .el3_r2_o(then_el3_r2)
    );
    pmuv3_filtered #(
      .Width(Lanes)
    ) u_then_filtered (
      .k_vs_res_i(cfg_i.k_vs_res),
      .p_i,
      .u_i,
      .nsk_i,
      .nsu_i,
      .nsh_i,
      .m_i,
      .sh_i,
      .rlk_i,
      .rlu_i,
      .rlh_i,
      .vs1_i,
      .vs0_i,
      .a32el3_i,
      .el_i      (other_el_i[2*b+:2]),
      .ss_i      (other_ss_i[2*b+:2]),
      .sm_i      (sm_i[b]),
      .filtered_o(then_filtered)
    );
    assign then_prohibited = by_range(range1_i, range2_i,
                                      then_secure || then_el2_r1 || then_el3_r1,
                                      then_secure || then_el3_r2);

    // Likewise where it waives nothing that it may, for counters without MT.
    logic             attr_secure, unattr_secure;
    logic [Lanes-1:0] attr_prohibited, unattr_prohibited;
    assign attr_secure       = then_secure && !waive_secure_attr;
    assign unattr_secure     = then_secure && !waive_secure_unattr;
    assign attr_prohibited   = by_range(
        range1_i, range2_i,
        attr_secure || (then_el2_r1 && !waive_el2_attr) || (then_el3_r1 && !waive_el3_attr),
        attr_secure || (then_el3_r2 && !waive_el3_attr));
    assign unattr_prohibited = by_range(
        range1_i, range2_i,
        unattr_secure || (then_el2_r1 && !waive_el2_unattr) || (then_el3_r1 && !waive_el3_unattr),
        unattr_secure || (then_el3_r2 && !waive_el3_unattr));

    // T4: a halted thread's own occurrences are late ones.
    logic [Lanes-1:0] attributable;
    assign attributable = in_scope & {Lanes{seen && (!halted_i[b] || cfg_i.k_debug_late)}};

    assign eligible_o[Lanes*b+:Lanes] =
        in_scope & {Lanes{seen && !halted_i[b]}} & ~now_prohibited & ~now_filtered;
    // Where counting is prohibited the filter does not matter (T3).
    logic [Lanes-1:0] other_prohibited;
    assign other_prohibited = (mt_i & then_prohibited) | (~mt_i & attr_prohibited);
    assign counts_current_o[Lanes*b+:Lanes] =
        attributable & ((now_prohibited & no_ss) | (~now_prohibited & (~now_filtered | no_el)));
    assign counts_other_o[Lanes*b+:Lanes] =
        attributable & ((other_prohibited & no_ss)
                        | (~other_prohibited & (~then_filtered | no_el)));
    assign counts_unattributable_o[Lanes*b+:Lanes] =
        in_scope & unattributable
        & ~({Lanes{related_i[b]}} & ((mt_i & then_prohibited) | (~mt_i & unattr_prohibited)));
  end

  logic unused_bits;
  assign unused_bits = ^{cfg_i, present_i, pmcr_i, mdcr_el2_i};

endmodule

`default_nettype wire
