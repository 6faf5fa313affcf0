// The rules of one thread's PMU, as properties: ranges, freezes, the cycle counter, the instruction
// counter, interrupts and exceptions. Each event counter has a pmuv3_rules_lane.
`default_nettype none

module pmuv3_rules_thread #(
  parameter  int unsigned NumThreads  = 1,
  parameter  int unsigned NumCounters = 2,
  parameter  int unsigned NumEvents   = 1,
  parameter  int unsigned Thread      = 0,
  localparam int unsigned Lanes = NumCounters
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic rst_cold_ni,
  input wire pmuv3_pkg::config_t cfg_i,
  input wire logic [pmuv3_pkg::EventWidth*NumEvents-1:0] events_i,
  input wire logic cycle_i,
  input wire logic [pmuv3_pkg::PeWidth*NumThreads-1:0]      pe_i,
  input wire logic [pmuv3_pkg::ContextWidth*NumThreads-1:0] other_i,
  input wire logic [pmuv3_pkg::OccurrenceWidth*NumThreads*NumEvents-1:0] occurrence_i,
  input wire logic [NumThreads-1:0]    reg_write_i,
  input wire logic [NumThreads-1:0]    reg_checked_i,
  input wire logic [16*NumThreads-1:0] reg_addr_i,
  input wire logic [64*NumThreads-1:0] reg_wdata_i,
  input wire logic                     page_write_i,  // the external view is written
  input wire logic                     irq_i,
  input wire logic                     cti_i,
  input wire logic [3:0]               exception_i,
  input wire logic                     halt_i,
  input wire logic [1:0]               brbe_i,
  input wire logic [32:0]              pulse_i,
  input wire logic                     capture_i,

  // The probe outputs
  input wire logic [Lanes-1:0]    allowed_i,
  input wire logic [Lanes-1:0]    ct_i,
  input wire logic [Lanes-1:0]    cp_i,
  input wire logic [Lanes-1:0]    ce_i,
  input wire logic [16*Lanes-1:0] vb_i,
  input wire logic [16*Lanes-1:0] vt_i,
  input wire logic [16*Lanes-1:0] ve_i,
  input wire logic [16*Lanes-1:0] v_i,
  input wire logic [64*Lanes-1:0] value_i,
  input wire logic [64*Lanes-1:0] evtyper_i,
  input wire logic [Lanes-1:0]    overflow_i,
  input wire logic [Lanes-1:0]    cnten_i,
  input wire logic [Lanes-1:0]    inten_i,
  input wire logic [63:0]         pmcr_i,
  input wire logic [64*NumThreads-1:0] all_mdcr_el2_i,  // of every thread
  input wire logic [64*NumThreads-1:0] all_mdcr_el3_i,
  input wire logic [63:0]         sder_i,
  input wire logic [63:0]         pmccfiltr_i,
  input wire logic [63:0]         pmicfiltr_i,
  input wire logic [63:0]         pmccntr_i,
  input wire logic [63:0]         pmicntr_i,
  input wire logic [1:0]          fixed_overflow_i,
  input wire logic [1:0]          fixed_cnten_i,
  input wire logic [1:0]          fixed_inten_i,
  input wire logic [63:0]         pmuserenr_i,
  input wire logic [63:0]         pmuacr_i,
  input wire logic [63:0]         pmecr_i,
  input wire logic [64*NumThreads-1:0] all_pmccr_i,

  // Hidden state, for the induction
  input wire logic [8*NumThreads*Lanes-1:0] seen_pending_i,  // thread b, counter n: NumThreads*n+b
  input wire logic [8*Lanes-1:0]            seen_event_i,
  input wire logic [3*Lanes-1:0]            seen_class_i,
  input wire logic [64*Lanes-1:0]           seen_rest_i,
  input wire logic [64*Lanes-1:0]           seen_threshold_i,
  input wire logic [20*Lanes-1:0]           seen_decoded_i,
  input wire logic [32*NumThreads*Lanes-1:0] seen_lookup_i,
  input wire logic                          seen_mtpme_i,
  input wire logic [NumThreads-1:0]         seen_captured_i,  // of each thread
  input wire logic [5:0]                    seen_divider_i
);

  pmuv3_pkg::pe_t pe;
  assign pe = pe_i[pmuv3_pkg::PeWidth*Thread+:pmuv3_pkg::PeWidth];
  pmuv3_pkg::context_t left;
  assign left = other_i[pmuv3_pkg::ContextWidth*Thread+:pmuv3_pkg::ContextWidth];

  logic [63:0] mdcr_el2, mdcr_el3;
  assign mdcr_el2 = all_mdcr_el2_i[64*Thread+:64];
  assign mdcr_el3 = all_mdcr_el3_i[64*Thread+:64];
  logic [63:0] pmccr;
  assign pmccr = all_pmccr_i[64*Thread+:64];

  logic present, agent_n, now, quiet;
  assign present = Thread < cfg_i.threads;
  assign agent_n = cfg_i.feat_extpmn ? rst_cold_ni : rst_ni;
  assign now     = present && cycle_i && rst_ni && rst_cold_ni;
  assign quiet   = !reg_write_i[Thread] && !page_write_i;

  ////////////
  // Ranges //
  ////////////

  // DXWVNH, with RMFYQC, K-HPMN-RES and K-EPMN-RES
  logic [4:0]              hpmn, epmn;
  logic [5*NumThreads-1:0] all_epmn;
  for (genvar b = 0; b < NumThreads; b++) begin : g_epmn
    assign all_epmn[5*b+:5] = pmuv3_rules_pkg::effective_epmn(
        cfg_i.feat_extpmn, cfg_i.counters, all_pmccr_i[64*b+:5]);
  end
  assign epmn = all_epmn[5*Thread+:5];
  always_comb begin
    hpmn = epmn;
    if (cfg_i.el2 && mdcr_el2[4:0] < epmn) hpmn = mdcr_el2[4:0];
    if (hpmn == 5'd0 && !cfg_i.feat_hpmn0 && cfg_i.el2) hpmn = cfg_i.counters;
  end

  logic [Lanes-1:0] r1, r2, r3, sync;
  for (genvar n = 0; n < Lanes; n++) begin : g_range
    assign r1[n]   = n < hpmn;
    assign r2[n]   = n >= hpmn && n < epmn;
    assign r3[n]   = n >= epmn;
    assign sync[n] = cfg_i.feat_sebep && evtyper_i[64*n+58];
  end

  /////////////////
  // D.5: freeze //
  /////////////////

  logic a32el3, a32el2, a32el1, highest_a32, spe_stops;
  assign a32el3      = pe.a32el3 || !cfg_i.aa64;
  assign a32el2      = pe.a32el2 || a32el3;
  assign a32el1      = pe.a32el1 || a32el2;
  assign highest_a32 = cfg_i.el3 ? a32el3 : cfg_i.el2 ? a32el2 : a32el1;
  assign spe_stops   = cfg_i.feat_spe && pe.spe && !highest_a32;

  logic fzo_r1, fzo_r2, spe_r1, spe_r2, frozen_r1, frozen_r2;
  assign fzo_r1 = cfg_i.feat_pmuv3p7 && pmcr_i[9]
                  && (|(overflow_i & r1 & ~sync)
                      || (cfg_i.feat_icntr && fixed_overflow_i[1]
                          && !(cfg_i.feat_sebep && pmicfiltr_i[58])));
  assign fzo_r2 = cfg_i.feat_pmuv3p7 && mdcr_el2[29] && |(overflow_i & r2 & ~sync);
  assign spe_r1 = spe_stops && pmcr_i[32];
  assign spe_r2 = spe_stops && mdcr_el2[36];
  assign frozen_r1 = fzo_r1 || spe_r1;
  assign frozen_r2 = fzo_r2 || spe_r2;

  /////////////////////////////////
  // The PMU Profiling exception //
  /////////////////////////////////

  // EL2Enabled(): SCR_EL3.EEL2 decides at EL3, and below EL3 in Secure state
  logic el2_enabled;
  assign el2_enabled = cfg_i.el2
                       && (!cfg_i.el3 || pe.el == 2'd2
                           || (pe.el == 2'd3 ? pe.eel2
                               : pe.ss != pmuv3_pkg::SsSecure
                                 || (cfg_i.feat_sel2 && !a32el3 && pe.eel2)));

  // RSCBDZ: EL3 decides or delegates to EL2, if EL2 is enabled. EL2 decides or delegates to EL1. 10
  // is reserved, and so is 01 at EL1 (K-PMEE-RES).
  logic [1:0] pmee, pmee_el3, pmee_el2;
  assign pmee_el3 = cfg_i.el3 ? mdcr_el3[41:40] : 2'b01;
  assign pmee_el2 = el2_enabled ? mdcr_el2[41:40] : 2'b01;
  always_comb begin
    pmee = pmee_el3;
    if (pmee == 2'b01) pmee = pmee_el2;
    if (pmee == 2'b01) pmee = pmecr_i[1:0];
  end
  logic profiling;
  assign profiling = cfg_i.feat_ebep && pmee == 2'b11;

  // C.6, step 6: an enabled flag of a counter whose global enable is set
  logic             heard;
  logic [Lanes-1:0] global_enable;
  assign global_enable = (r1 & {Lanes{pmcr_i[0]}}) | (r2 & {Lanes{mdcr_el2[7]}})
                         | (r3 & {Lanes{pmccr[7]}});
  assign heard = |(overflow_i & inten_i & global_enable)
                 || (pmcr_i[0] && |(fixed_overflow_i & fixed_inten_i));

  // I-11: neither enables nor the cycle counter matter to the BRBE.
  logic [1:0] stops_brbe;
  assign stops_brbe = {|(overflow_i & r2 & ~sync),
                       |(overflow_i & r1 & ~sync)
                           || (cfg_i.feat_icntr && fixed_overflow_i[1]
                               && !(cfg_i.feat_sebep && pmicfiltr_i[58]))};

  // CYC-8: the exception is not masked if its target is above the thread's Exception level
  logic [Lanes-1:0] sync_capable, sync_heard;  // sync_capable: the counter's event, by its lane
  assign sync_heard = overflow_i & inten_i & cnten_i & global_enable & sync & sync_capable;
  logic unmasked;
  assign unmasked = profiling && !pe.halted && pe.ss == pmuv3_pkg::SsNonSecure
                    && pe.el < (pmee_el3 == 2'b11                       ? 2'd3
                                : pmee_el2 == 2'b11 ? 2'd2 : 2'd1);
  always_comb begin
    `RULE(C_6_6, present && heard, cti_i && irq_i == (pmee == 2'b00))
    `RULE(C_6_6__none, present && !heard, !cti_i && !irq_i)
    // I-10, I-11
    `RULE(C_6_6__halt, present && heard && pe.pme && cfg_i.feat_pmuv3p9 && cfg_i.feat_debugv8p9,
          halt_i)
    `RULE(C_6_6__no_halt, present && !(heard && pe.pme && cfg_i.feat_pmuv3p9
                                       && cfg_i.feat_debugv8p9), !halt_i)
    `RULE(C_6_6__brbe_r1, present, brbe_i[0] == stops_brbe[0])
    `RULE(C_6_6__brbe_r2, present, brbe_i[1] == stops_brbe[1])
    `RULE(C_6_6__brbe_r3, present && |(overflow_i & r3 & ~sync) && !(|(overflow_i & (r1 | r2)))
                          && !fixed_overflow_i[1], brbe_i == 2'b00)
    `RULE(C_6_6__brbe_no_EL2, present && !cfg_i.el2, !brbe_i[1])
    `RULE(CYC_8, present && sync_heard != '0 && unmasked, exception_i[1])
    `RULE(CYC_8__else, present && sync_heard == '0 && !fixed_overflow_i[1], !exception_i[1])
  end

  /////////////////////////
  // The effect of MTPME //
  /////////////////////////

  logic [NumThreads-1:0] disabled;
  for (genvar b = 0; b < NumThreads; b++) begin : g_disabled
    assign disabled[b] = b < cfg_i.threads && cfg_i.feat_mtpmu
                         && (cfg_i.el3 ? !all_mdcr_el3_i[64*b+28]
                                       : cfg_i.el2 && !all_mdcr_el2_i[64*b+28]);
  end
  logic mt_enable;
  assign mt_enable = cfg_i.threads > 3'd1
                     && !(cfg_i.k_mtpme_group == pmuv3_pkg::KMtpmeGroupGroup ? |disabled
                                                                             : disabled[Thread]);

  ///////////////////////
  // The cycle counter //
  ///////////////////////

  logic spme, mpmx, hpmd, secure;
  assign spme   = mdcr_el3[17];
  assign mpmx   = mdcr_el3[35];
  assign hpmd   = mdcr_el2[17];
  assign secure = cfg_i.el3 && (pe.ss == pmuv3_pkg::SsSecure || pe.el == 2'd3);

  // D.4 for R1, in the thread's state
  logic prohibited_r1;
  assign prohibited_r1 =
      (cfg_i.debugv8p2 || !pe.snid)
      && (pmuv3_rules_pkg::prohibited_secure(cfg_i.el3, cfg_i.feat_rme, cfg_i.feat_pmuv3p7, a32el3,
                                             a32el1, spme, mpmx, sder_i[1], pe.el, pe.ss)
          || (cfg_i.el3 && pmuv3_rules_pkg::prohibited_el3(cfg_i.feat_rme, cfg_i.feat_pmuv3p7,
                                                           a32el3, spme, mpmx, 1'b1, pe.el))
          || pmuv3_rules_pkg::prohibited_el2(cfg_i.el2, cfg_i.feat_pmuv3p1, hpmd, 1'b1, pe.el));

  logic p_dp, p_cc, cc_enabled, cc_filtered, cc_counts;
  assign p_dp = pmcr_i[5] && (prohibited_r1 || fzo_r1 || (cfg_i.feat_dpfzs && spe_r1));
  assign p_cc = cfg_i.feat_pmuv3p5
                && ((secure && mdcr_el3[23]) || (cfg_i.el2 && pe.el == 2'd2 && mdcr_el2[23])
                    || (cfg_i.feat_pmuv3p7 && cfg_i.el3 && !a32el3 && pe.el == 2'd3
                        && mdcr_el3[34]));
  assign cc_enabled = pmcr_i[0] && fixed_cnten_i[0];
  logic [63:0] cc_filter;
  assign cc_filter = pmuv3_rules_pkg::effective_filter(
      pmccfiltr_i, cfg_i.el2, cfg_i.el3, cfg_i.aa64, cfg_i.feat_sel2, cfg_i.feat_rme, a32el3);
  assign cc_filtered = !pmuv3_rules_pkg::counts_at(cc_filter, pe.el, pe.ss)
                       || !pmuv3_rules_pkg::counts_in_mode(cfg_i.feat_sme, pmccfiltr_i[57:56],
                                                           pe.sm, cfg_i.k_vs_res);
  assign cc_counts = cc_enabled && !p_dp && !p_cc && !cc_filtered && !pe.halted;

  logic lc, divided, ticks;  // C.0: D is Effective with LC = 0
  assign lc      = pmcr_i[6] || profiling;
  assign divided = !lc && pmcr_i[3];
  assign ticks   = cc_counts && (!divided || seen_divider_i == 6'd63);

  /////////////////////////////
  // The instruction counter //
  /////////////////////////////

  logic [31:0] retired;
  always_comb begin
    retired = 32'd0;
    for (int unsigned e = 0; e < NumEvents; e++) begin
      if (events_i[pmuv3_pkg::EventWidth*e+:16] == 16'h0008) begin
        retired = occurrence_i[pmuv3_pkg::OccurrenceWidth*(NumThreads*e+Thread)+:32];
      end
    end
  end
  logic [63:0] ic_filter;
  logic        ic_mode, ic_runs;
  assign ic_filter = pmuv3_rules_pkg::effective_filter(
      pmicfiltr_i, cfg_i.el2, cfg_i.el3, cfg_i.aa64, cfg_i.feat_sel2, cfg_i.feat_rme, a32el3);
  assign ic_mode = pmuv3_rules_pkg::counts_in_mode(cfg_i.feat_sme, pmicfiltr_i[57:56], pe.sm,
                                                   cfg_i.k_vs_res);
  assign ic_runs = pmcr_i[0] && fixed_cnten_i[1] && !frozen_r1 && !pe.halted;

  // RCSRMB: in the thread's state, and in the thread's other context
  logic ic_prohibited, ic_other_prohibited, ic_filtered, ic_other_filtered;
  assign ic_prohibited =
      pe.el == 2'd3 ? a32el3 || !spme || mpmx
                    : (cfg_i.el2 && pe.el == 2'd2 && hpmd)
                      || (secure && (a32el3 || !(spme || mpmx)));
  assign ic_other_prohibited =
      left.el == 2'd3 ? a32el3 || !spme || mpmx
                      : (cfg_i.el2 && left.el == 2'd2 && hpmd)
                        || (cfg_i.el3 && left.ss == pmuv3_pkg::SsSecure
                            && (a32el3 || !(spme || mpmx)));
  assign ic_filtered       = !pmuv3_rules_pkg::counts_at(ic_filter, pe.el, pe.ss) || !ic_mode;
  assign ic_other_filtered = !pmuv3_rules_pkg::counts_at(ic_filter, left.el, left.ss) || !ic_mode;
  // ic_exact: no choice affects the cycle. refused: no choice waives a prohibition for occurrences
  // in the other context.
  logic ic_exact, refused;
  assign refused = cfg_i.k_ns_count_s_attr == pmuv3_pkg::KNsCountSAttrRefuse
                   && cfg_i.k_lo_count_el2_attr == pmuv3_pkg::KLoCountEl2AttrRefuse
                   && cfg_i.k_lo_count_ssel_attr == pmuv3_pkg::KLoCountSselAttrRefuse;
  assign ic_exact = retired[23:16] == 8'd0 && (retired[15:8] == 8'd0 || refused);
  logic [8:0] ic_adds;
  assign ic_adds = ic_runs ? (ic_prohibited || ic_filtered ? 9'd0 : {1'b0, retired[7:0]})
                             + (ic_other_prohibited || ic_other_filtered ? 9'd0
                                                                         : {1'b0, retired[15:8]})
                           : 9'd0;

  ///////////////////////////////////
  // Captures (D13.9, Table D13-10) //
  ///////////////////////////////////

  logic [1:0] sse;
  logic       captures;  // a request captures
  always_comb begin
    sse = cfg_i.el3 ? mdcr_el3[31:30] : 2'b01;
    if (sse == 2'b01) sse = cfg_i.el2 ? mdcr_el2[31:30] : 2'b01;
    if (sse == 2'b01) sse = pmecr_i[4:3];
  end
  assign captures = cfg_i.feat_ss && sse == 2'b11 && !pe.oslk && !pe.halted;

  ////////////////
  // Next clock //
  ////////////////

  logic        valid_q, cycle_q, quiet_q, ticks_q, cc_counts_q, lc_q, divided_q, ic_exact_q;
  logic        p_dp_q, p_cc_q, cc_filtered_q, cc_enabled_q, halted_q, active_q, fzo_r1_q, ic_runs_q;
  logic        ic_prohibited_q, ic_filtered_q, dp_q, r1_stops_q, cc_overflow_only_q, wfx_q;
  logic [1:0]  overflow_q;
  logic [5:0]  divider_q;
  logic [8:0]  ic_adds_q;
  logic [63:0] pmccntr_q, pmicntr_q;
  logic        el3_q, spe_r1_q, ic_other_q, open_q, ic_enabled_q;
  logic        capture_q, captures_q, captured_q, after_q;
  logic [1:0]  pulse_q;
  initial begin
    valid_q = 1'b0;
    after_q = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    valid_q         <= rst_ni && rst_cold_ni;
    after_q         <= !rst_ni;
    cycle_q         <= cycle_i;
    quiet_q         <= quiet;
    capture_q       <= capture_i && cycle_i;
    captures_q      <= captures;
    captured_q      <= seen_captured_i[Thread];
    pulse_q         <= pulse_i[32:31];
    ticks_q         <= ticks;
    cc_counts_q     <= cc_counts;
    cc_enabled_q    <= cc_enabled;
    cc_filtered_q   <= cc_filtered;
    lc_q            <= lc;
    divided_q       <= divided;
    divider_q       <= seen_divider_i;
    p_dp_q          <= p_dp;
    p_cc_q          <= p_cc;
    dp_q            <= pmcr_i[5];
    r1_stops_q      <= prohibited_r1 || frozen_r1;
    halted_q        <= pe.halted;
    active_q        <= pe.active;
    wfx_q           <= pe.wfx;
    el3_q           <= pe.el == 2'd3;
    fzo_r1_q        <= fzo_r1;
    spe_r1_q        <= spe_r1;
    open_q          <= cc_enabled && !p_cc && !cc_filtered && !pe.halted && !divided;
    overflow_q      <= fixed_overflow_i;
    pmccntr_q       <= pmccntr_i;
    pmicntr_q       <= pmicntr_i;
    ic_exact_q      <= ic_exact;
    ic_runs_q       <= ic_runs;
    ic_enabled_q    <= pmcr_i[0] && fixed_cnten_i[1];
    ic_prohibited_q <= ic_prohibited;
    ic_filtered_q   <= ic_filtered;
    ic_other_q      <= retired[15:8] != 8'd0;
    ic_adds_q       <= ic_adds;
    cc_overflow_only_q <= fixed_overflow_i[0] && !fixed_overflow_i[1] && !(|overflow_i);
  end

  logic        valid, counted;
  logic [64:0] cc_sum, ic_sum;
  logic [32:0] cc_low;
  logic        cc_carry;
  assign valid    = present && valid_q && rst_ni && rst_cold_ni;
  assign counted  = valid && quiet_q && cycle_q;
  assign cc_sum   = {1'b0, pmccntr_q} + {64'd0, cycle_q && ticks_q};
  assign cc_low   = {1'b0, pmccntr_q[31:0]} + {32'd0, cycle_q && ticks_q};
  assign cc_carry = lc_q ? cc_sum[64] : cc_low[32];
  assign ic_sum   = {1'b0, pmicntr_q} + (cycle_q ? {56'd0, ic_adds_q} : 65'd0);

  logic still;  // the cycle counter does not move
  assign still = pmccntr_i == pmccntr_q && fixed_overflow_i[0] == overflow_q[0];
  logic stepped;
  assign stepped = pmccntr_i == pmccntr_q + 64'd1;
  always_comb begin
    `RULE(D13_6_15, counted && cc_counts_q && !divided_q && !active_q, stepped)
    `RULE(D14_4_g, counted && cc_counts_q && !divided_q && !active_q && wfx_q, stepped)
    `RULE(C_0_LC, valid && quiet_q && cc_low[32] && !cc_sum[64] && !overflow_q[0],
          fixed_overflow_i[0] == !lc_q)
    `RULE(C_0_LC__divider, counted && cc_counts_q && lc_q, stepped)
    // I-2
    `RULE(C_0_LC__no_AArch32, counted && cc_counts_q && cfg_i.aa32 == pmuv3_pkg::Aa32None, stepped)
    `RULE(C_0_LC__no_AArch32_carry, valid && quiet_q && cfg_i.aa32 == pmuv3_pkg::Aa32None
                                    && !overflow_q[0], fixed_overflow_i[0] == cc_sum[64])
    `RULE(C_6_5, valid && quiet_q, pmccntr_i == cc_sum[63:0])
    `RULE(C_6_5__every_64th, valid && cycle_q && cc_counts_q && divided_q,
          seen_divider_i == divider_q + 6'd1)
    `RULE(C_6_5__overflow, valid && quiet_q, fixed_overflow_i[0] == (overflow_q[0] || cc_carry))
    `RULE(C_6_5__pulse, valid, pulse_q[0] == cc_carry)
    `RULE(CYC_6__pulse, valid && ic_exact_q, pulse_q[1] == ic_sum[64])
    // I-14: a capture makes one occurrence, which the next cycle counts.
    `RULE(C_5_SNAPSHOT__request, valid && capture_q && captures_q, seen_captured_i[Thread])
    `RULE(C_5_SNAPSHOT__refused, valid && quiet_q && !captures_q,
          seen_captured_i[Thread] == (captured_q && !cycle_q))
    `RULE(C_5_SNAPSHOT__once, valid && quiet_q && cycle_q && !capture_q, !seen_captured_i[Thread])
    `RULE(C_5_SNAPSHOT__waits, valid && !cycle_q && captured_q, seen_captured_i[Thread])
    `RULE(C_5_SNAPSHOT__reset, !rst_ni || after_q, !seen_captured_i[Thread])
    `RULE(D_4_CCNT_dp, counted && p_dp_q, still)
    `RULE(D_4_CCNT_dp__off, counted && open_q && !dp_q && r1_stops_q, stepped)
    `RULE(D_4_CCNT_cc, counted && p_cc_q, still)
    `RULE(D_5_C, counted && cc_overflow_only_q && fzo_r1_q == 1'b0 && open_q && dp_q && !p_dp_q,
          stepped)
    `RULE(D_6_CCNT, counted && !divided_q, pmccntr_i == pmccntr_q + {63'd0, cc_counts_q})
    `RULE(D_5_debug__CCNT, counted && halted_q, still)
    `RULE(D_5_frozen_spe__CCNT, counted && open_q && dp_q && spe_r1_q && cfg_i.feat_dpfzs, still)
    `RULE(D13_7_2__CCNT, counted && cc_filtered_q, still)
    `RULE(D_5_counter__CCNT, counted && !cc_enabled_q, still)
    `RULE(CYC_6, valid && quiet_q && cycle_q && ic_exact_q && ic_adds_q != 0,
          fixed_overflow_i[1] == (overflow_q[1] || ic_sum[64]))
    `RULE(D_4_ICNTR, counted && ic_prohibited_q && ic_exact_q && !ic_other_q,
          pmicntr_i == pmicntr_q)
    `RULE(D_6_ICNTR, valid && quiet_q && ic_exact_q, pmicntr_i == ic_sum[63:0])
    `RULE(D13_7_2__ICNTR, counted && ic_filtered_q && ic_exact_q && !ic_other_q,
          pmicntr_i == pmicntr_q)
    `RULE(D_5_debug__ICNTR, counted && halted_q && ic_enabled_q, pmicntr_i == pmicntr_q)
    `RULE(D_5_frozen_fzo__ICNTR, counted && fzo_r1_q && ic_enabled_q, pmicntr_i == pmicntr_q)
    `RULE(MT_REG_1__fixed, present, !pmccfiltr_i[25] && !pmicfiltr_i[25])
  end

  ////////////////////////////////////////////////////
  // Lemmas of the induction: bits that are present //
  ////////////////////////////////////////////////////

  logic [63:0] filter_fields, el2_fields, el3_fields;
  always_comb begin
    filter_fields        = 64'd0;
    filter_fields[57:56] = {2{cfg_i.feat_sme}};
    filter_fields[31:30] = 2'b11;
    filter_fields[29:28] = {2{cfg_i.el3}};
    filter_fields[27]    = cfg_i.el2;
    filter_fields[26]    = cfg_i.el3 && cfg_i.aa64;
    filter_fields[24]    = cfg_i.el3 && cfg_i.feat_sel2;
    filter_fields[22:20] = {3{cfg_i.feat_rme}};

    el2_fields        = 64'd0;
    el2_fields[41:40] = {2{cfg_i.feat_ebep}};
    el2_fields[36]    = cfg_i.feat_spe;
    el2_fields[31:30] = {2{cfg_i.feat_ss}};
    el2_fields[29]    = cfg_i.feat_pmuv3p7;
    el2_fields[28]    = cfg_i.feat_mtpmu && !cfg_i.el3;
    el2_fields[26]    = cfg_i.feat_pmuv3p5 && cfg_i.aa64;
    el2_fields[23]    = cfg_i.feat_pmuv3p5;
    el2_fields[17]    = cfg_i.feat_pmuv3p1;
    el2_fields[7:0]   = 8'hFF;

    el3_fields        = 64'd0;
    el3_fields[46:44] = {3{cfg_i.feat_ss}};
    el3_fields[41:40] = {2{cfg_i.feat_ebep}};
    el3_fields[35:34] = {2{cfg_i.feat_pmuv3p7 && cfg_i.aa64}};
    el3_fields[31:30] = {2{cfg_i.feat_ss}};
    el3_fields[28]    = cfg_i.feat_mtpmu;
    el3_fields[23]    = cfg_i.feat_pmuv3p5;
    el3_fields[21]    = 1'b1;
    el3_fields[17]    = 1'b1;
    el3_fields[7]     = (cfg_i.feat_pmuv3p9 || cfg_i.feat_ebep) && cfg_i.aa64;
    el3_fields[6]     = cfg_i.aa64;
    el3_fields[2]     = cfg_i.feat_rme;
  end
  logic owns_mtpme;  // MTPME is a field, of EL3 or EL2
  assign owns_mtpme = cfg_i.feat_mtpmu && (cfg_i.el3 || cfg_i.el2) && present;
  always_comb begin
    `RULE(INV_pmccfiltr, 1'b1, (pmccfiltr_i & ~filter_fields) == 0)
    `RULE(INV_pmicfiltr, 1'b1, (pmicfiltr_i[63:16]
                                & ~(filter_fields[63:16] | {5'd0, cfg_i.feat_sebep, 42'd0})) == 0)
    `RULE(INV_mdcr_el2, 1'b1, (mdcr_el2 & ~(el2_fields & {64{cfg_i.el2}})) == 0)
    `RULE(INV_mdcr_el3, 1'b1, (mdcr_el3 & ~(el3_fields & {64{cfg_i.el3}})) == 0)
    `RULE(INV_sder, 1'b1, (sder_i & ~{62'd0, cfg_i.el3 && cfg_i.aa32 >= pmuv3_pkg::Aa32El1,
                                      1'b0}) == 0)
    `RULE(INV_pmcr, 1'b1, (pmcr_i & ~{31'd0, cfg_i.feat_spe, 16'hFFFF, 5'h1F, 1'b0,
                                      cfg_i.feat_pmuv3p7, 1'b0, cfg_i.feat_pmuv3p5 && cfg_i.aa64,
                                      3'b110, cfg_i.aa32 != pmuv3_pkg::Aa32None, 3'b001}) == 0
          && (!present || pmcr_i[31:16] == (cfg_i.feat_pmuv3p7 || cfg_i.imp == 0
                                            ? 16'd0 : {cfg_i.imp, cfg_i.idcode})))
    `RULE(INV_pmecr, 1'b1, (pmecr_i & ~{59'd0, {2{cfg_i.feat_ss}}, {3{cfg_i.feat_ebep}}}) == 0)
    `RULE(INV_pmuserenr, 1'b1, (pmuserenr_i & ~{57'd0, cfg_i.feat_pmuv3p9, cfg_i.feat_icntr,
                                                cfg_i.feat_pmuv3p9 && cfg_i.aa64, 4'hF}) == 0)
    `RULE(INV_pmuacr, 1'b1, (pmuacr_i & ~({31'd0, cfg_i.feat_icntr, 1'b1,
                                           ~(31'h7FFF_FFFF << cfg_i.counters)}
                                          & {64{cfg_i.feat_pmuv3p9 && cfg_i.aa64}})) == 0)
    `RULE(INV_icntr, !cfg_i.feat_icntr || !present,
          !fixed_overflow_i[1] && !fixed_cnten_i[1] && !fixed_inten_i[1] && pmicntr_i == 0
          && pmicfiltr_i == 0)
    `RULE(INV_mtpme, 1'b1, owns_mtpme ? seen_mtpme_i == (cfg_i.el3 ? mdcr_el3[28] : mdcr_el2[28])
                                      : seen_mtpme_i)
  end

  //////////////
  // Counters //
  //////////////

  for (genvar n = 0; n < Lanes; n++) begin : g_lane
    logic running, chain, even_running, even_chain;
    if (n % 2 == 1) begin : g_even_neighbour
      assign even_running = g_lane[n-1].running;
      assign even_chain   = g_lane[n-1].chain;
    end else begin : g_none
      assign even_running = 1'b0;
      assign even_chain   = 1'b0;
    end
    localparam int unsigned Even = n % 2 == 1 ? n - 1 : n;
    logic [NumThreads-1:0] reaches;
    for (genvar b = 0; b < NumThreads; b++) begin : g_reaches
      assign reaches[b] = n < all_epmn[5*b+:5];
    end
    pmuv3_rules_lane #(
      .NumThreads(NumThreads),
      .Thread    (Thread),
      .Lane      (n),
      .NumEvents (NumEvents)
    ) u_lane (
      .clk_i,
      .rst_ni,
      .agent_ni        (agent_n),
      .cfg_i,
      .events_i,
      .cycle_i,
      .pe_i,
      .other_i,
      .occurrence_i,
      .reg_write_i,
      .reg_checked_i,
      .reg_addr_i,
      .reg_wdata_i,
      .quiet_i         (quiet),
      .hpmn_i          (hpmn),
      .epmn_i          (epmn),
      .frozen_r1_i     (frozen_r1),
      .frozen_r2_i     (frozen_r2),
      .fzo_r1_i        (fzo_r1),
      .fzo_r2_i        (fzo_r2),
      .spe_r1_i        (spe_r1),
      .spe_r2_i        (spe_r2),
      .profiling_i     (profiling),
      .mt_enable_i     (mt_enable),
      .reaches_i       (reaches),
      .pmcr_i,
      .mdcr_el2_i      (mdcr_el2),
      .mdcr_el3_i      (mdcr_el3),
      .sder_i,
      .pmccr_i         (pmccr),
      .pmuserenr_i,
      .pmuacr_i,
      .cnten_i         (cnten_i[n]),
      .allowed_i       (allowed_i[n]),
      .vb_i            (vb_i[16*n+:16]),
      .ct_i            (ct_i[n]),
      .cp_i            (cp_i[n]),
      .ce_i            (ce_i[n]),
      .vt_i            (vt_i[16*n+:16]),
      .ve_i            (ve_i[16*n+:16]),
      .v_i             (v_i[16*n+:16]),
      .value_i         (value_i[64*n+:64]),
      .overflow_i      (overflow_i[n]),
      .pulse_i         (pulse_i[n]),
      .evtyper_i       (evtyper_i[64*n+:64]),
      .even_allowed_i  (allowed_i[Even]),
      .even_v_i        (v_i[16*Even+:16]),
      .even_vb_i       (vb_i[16*Even+:16]),
      .even_evtyper_i  (evtyper_i[64*Even+:64]),
      .even_running_i  (even_running),
      .even_chain_i    (even_chain),
      .seen_pending_i  (seen_pending_i[8*NumThreads*n+:8*NumThreads]),
      .seen_captured_i,
      .seen_event_i    (seen_event_i[8*n+:8]),
      .seen_class_i    (seen_class_i[3*n+:3]),
      .seen_rest_i     (seen_rest_i[64*n+:64]),
      .seen_threshold_i(seen_threshold_i[64*n+:64]),
      .seen_decoded_i  (seen_decoded_i[20*n+:20]),
      .seen_lookup_i   (seen_lookup_i[32*NumThreads*n+:32*NumThreads]),
      .sync_capable_o  (sync_capable[n]),
      .running_o       (running),
      .chain_o         (chain)
    );
  end

endmodule

`default_nettype wire
