// pmuv3: Arm's Performance Monitors Extension, PMUv3, of a processor with 1 to 4 threads, each of
// which has a PMU of its own.
//
// Each clock cycle, data flows one way through every counter's lane:
//
//   occurrences -> attribution -> filter -> threshold -> counter -> overflow
//                         registers and states configure all of them
//
// where the filter judges all of a thread's counters at once, before attribution adds up what it
// lets through; beside the lanes each thread has a cycle counter and an instruction counter.
//
// An odd counter n takes two signals from its even neighbour n-1, within the cycle: V to link to
// (IVBVHX), and CHAIN (CYC-2). Threads see each other's states, occurrences and software
// increments (D13.6), and whether MTPMU is disabled (D13.6-9).
//
// Timing: one clock. cycle_i marks the clocks that are Processor cycles; without it nothing counts,
// but register writes commit. States and occurrences presented with cycle_i are those of the cycle,
// and counted at the edge that ends that clock. Resets assert asynchronously. Ports and waveforms:
// docs/rtl.md.
`default_nettype none

module pmuv3 #(
  // The most threads and event counters that a configuration of this instance may have, 1..4 and
  // 0..31; cfg_i.threads and cfg_i.counters of them, the lowest, are implemented.
  parameter  int unsigned NumThreads  = 1,
  parameter  int unsigned NumCounters = 31,
  // A PMU without counters has one lane that no configuration implements: nothing is 0 bits wide.
  localparam int unsigned Lanes = NumCounters > 0 ? NumCounters : 1,
  localparam int unsigned OccurrencesWidth = pmuv3_pkg::OccurrenceWidth * NumThreads
) (
  input wire logic clk_i,
  input wire logic rst_ni,       // Warm reset
  input wire logic rst_cold_ni,  // Cold reset; rst_ni falls with it

  input wire pmuv3_pkg::config_t cfg_i,  // static

  input wire logic cycle_i,  // this clock is a Processor cycle

  // The threads in it, thread 0 lowest
  input wire logic [pmuv3_pkg::PeWidth*NumThreads-1:0]      pe_i,     // pe_t: their states
  input wire logic [pmuv3_pkg::ContextWidth*NumThreads-1:0] other_i,  // context_t: where they were
  // How often each event occurs in it on each thread: occurrence_t of event e and thread t at
  // OccurrenceWidth*(NumThreads*e+t)
  input wire logic [OccurrencesWidth*pmuv3_pkg::NumEventInputs-1:0] occurrence_i,

  // An access of each thread's registers
  input wire logic [NumThreads-1:0]    reg_write_i,
  input wire logic [NumThreads-1:0]    reg_read_i,
  input wire logic [16*NumThreads-1:0] reg_addr_i,  // {op0, op1, CRn, CRm, op2}
  input wire logic [64*NumThreads-1:0] reg_wdata_i,
  output logic [64*NumThreads-1:0]     reg_rdata_o,
  output logic [NumThreads-1:0]        reg_error_o,

  output logic [NumThreads-1:0] irq_o  // PMUIRQ
`ifdef PMUV3_PROBE
  ,
  // Thread t's counter n is at Lanes*t+n.
  // Of the cycle that is presented now, meaningful with cycle_i.
  output logic [Lanes*NumThreads-1:0]    probe_allowed_o,
  output logic [Lanes*NumThreads-1:0]    probe_ct_o,
  output logic [Lanes*NumThreads-1:0]    probe_cp_o,
  output logic [Lanes*NumThreads-1:0]    probe_ce_o,
  output logic [16*Lanes*NumThreads-1:0] probe_vb_o,
  output logic [16*Lanes*NumThreads-1:0] probe_vt_o,
  output logic [16*Lanes*NumThreads-1:0] probe_ve_o,
  output logic [16*Lanes*NumThreads-1:0] probe_v_o,
  // State, and registers as reads give them.
  output logic [64*Lanes*NumThreads-1:0] probe_value_o,
  output logic [64*Lanes*NumThreads-1:0] probe_evtyper_o,
  output logic [Lanes*NumThreads-1:0]    probe_overflow_o,
  output logic [Lanes*NumThreads-1:0]    probe_cnten_o,
  output logic [Lanes*NumThreads-1:0]    probe_inten_o,
  output logic [64*NumThreads-1:0]       probe_pmcr_o,
  output logic [64*NumThreads-1:0]       probe_mdcr_el2_o,
  output logic [64*NumThreads-1:0]       probe_mdcr_el3_o,
  output logic [64*NumThreads-1:0]       probe_sder_o,
  output logic [64*NumThreads-1:0]       probe_pmccfiltr_o,
  output logic [64*NumThreads-1:0]       probe_pmicfiltr_o,
  output logic [64*NumThreads-1:0]       probe_pmccntr_o,
  output logic [64*NumThreads-1:0]       probe_pmicntr_o,
  output logic [2*NumThreads-1:0]        probe_fixed_overflow_o,  // {F0, C}
  output logic [2*NumThreads-1:0]        probe_fixed_cnten_o,
  output logic [2*NumThreads-1:0]        probe_fixed_inten_o,
  output logic [64*NumThreads-1:0]       probe_pmmir_o,
  output logic [64*NumThreads-1:0]       probe_pmceid0_o,
  output logic [64*NumThreads-1:0]       probe_pmceid1_o
`endif
);

  // The widest VB is a multithreaded sum: 4 threads, each with occurrences that came about in up to
  // 3 ways, of 255 each, make 3060.
  localparam int unsigned ValueWidth = 12;
  localparam int unsigned EventWidth = $bits(pmuv3_pkg::EventNone);

  ////////////////////////
  // Across the threads //
  ////////////////////////

  // The threads' states, in the order of pe_t and context_t.
  logic [NumThreads-1:0]   present, sm, halted, active, wfx, given_a32el1, given_a32el3, snid;
  logic [NumThreads-1:0]   related;
  logic [2*NumThreads-1:0] el, ss, other_el, other_ss;
  for (genvar t = 0; t < NumThreads; t++) begin : g_pe
    logic unused_aa32;  // nothing depends on it (K-VS-A32)
    assign {snid[t], given_a32el3[t], given_a32el1[t], unused_aa32, wfx[t], active[t], halted[t],
            sm[t], ss[2*t+:2], el[2*t+:2]} = pe_i[pmuv3_pkg::PeWidth*t+:pmuv3_pkg::PeWidth];
    assign {related[t], other_ss[2*t+:2], other_el[2*t+:2]} =
        other_i[pmuv3_pkg::ContextWidth*t+:pmuv3_pkg::ContextWidth];
    assign present[t] = t < cfg_i.threads;
  end

  // Without AArch64 all use AArch32, and where EL3 does so does EL1.
  logic [NumThreads-1:0] a32el1, a32el3;
  assign a32el3 = given_a32el3 | {NumThreads{!cfg_i.aa64}};
  assign a32el1 = given_a32el1 | a32el3;

  // D13.6-7..9: MT has an effect on a thread, unless MTPMU is disabled on it, or its group.
  logic [NumThreads-1:0] mtpmu_disabled, mt_enable;
  if (NumThreads > 1) begin : g_mt
    always_comb begin
      mt_enable = ~mtpmu_disabled;
      if (cfg_i.k_mtpme_group == pmuv3_pkg::KMtpmeGroupGroup && |mtpmu_disabled) mt_enable = '0;
      if (cfg_i.threads == 3'd1) mt_enable = '0;
    end
  end else begin : g_no_mt
    assign mt_enable = '0;
    logic unused_mt;
    assign unused_mt = ^{mtpmu_disabled, cfg_i.k_mtpme_group};
  end

  // Occurrences of each event, on all threads, for a counter to look up by event index.
  (* mem2reg *) logic [OccurrencesWidth-1:0] occurrence [2**EventWidth];
  for (genvar e = 0; e < 2 ** EventWidth; e++) begin : g_occurrence
    if (e < pmuv3_pkg::NumEventInputs) begin : g_input
      assign occurrence[e] = occurrence_i[OccurrencesWidth*e+:OccurrencesWidth];
    end else begin : g_none
      assign occurrence[e] = '0;
    end
  end

  logic [OccurrencesWidth-1:0] inst_retired;
  logic [NumThreads-1:0]       stall_backend;
  assign inst_retired = occurrence[pmuv3_pkg::EventInstRetired];
  for (genvar t = 0; t < NumThreads; t++) begin : g_stall_backend
    assign stall_backend[t] =
        occurrence_i[OccurrencesWidth*pmuv3_pkg::EventStallBackend+pmuv3_pkg::OccurrenceWidth*t];
  end

  // Software increments that wait for counter n, of each thread.
  logic [9*NumThreads*Lanes-1:0] pending;

  for (genvar t = 0; t < NumThreads; t++) begin : g_thread

    ///////////////
    // Registers //
    ///////////////

    logic [64*Lanes-1:0] value, evtyper;
    logic [Lanes-1:0]    overflow, irq;
    logic [63:0]         pmccntr, pmicntr, wdata;
    logic [1:0]          fixed_overflow, fixed_overflow_set, fixed_overflow_clear;
    logic [1:0]          fixed_enable, fixed_interrupt_enable;
    logic                counter_zero, cycle_counter_zero;
    logic                cycle_counter_write, instruction_counter_write;
    logic [Lanes-1:0]    counter_write, overflow_set, overflow_clear, swinc;
    logic [EventWidth*Lanes-1:0] event_index;
    logic [3*Lanes-1:0]  event_class;
    logic [3*Lanes-1:0]  tc;
    logic [Lanes-1:0]    te;
    logic [2*Lanes-1:0]  tlc;
    logic [12*Lanes-1:0] th;
    logic [Lanes-1:0]    counter_enable, global_enable, interrupt_enable;
    logic [Lanes-1:0]    long_overflow, range1, range_continues;
    logic [Lanes-1:0]    sync, vs1, vs0, p, u, nsk, nsu, nsh, m, mt, sh, rlk, rlu, rlh;
    logic [Lanes-1:0]    is_chain, sync_capable, memory, shared, trace;
    logic [63:0]         pmcr, mdcr_el2, mdcr_el3, sder, pmccfiltr, pmicfiltr;
    logic [63:0]         pmmir, pmceid0, pmceid1;
    assign wdata = reg_wdata_i[64*t+:64];

    pmuv3_registers #(
      .Lanes(Lanes)
    ) u_registers (
      .clk_i,
      .rst_ni,
      .rst_cold_ni,
      .cfg_i,
      .present_i                  (present[t]),
      .reg_write_i                (reg_write_i[t]),
      .reg_read_i                 (reg_read_i[t]),
      .reg_addr_i                 (reg_addr_i[16*t+:16]),
      .reg_wdata_i                (wdata),
      .reg_rdata_o                (reg_rdata_o[64*t+:64]),
      .reg_error_o                (reg_error_o[t]),
      .value_i                    (value),
      .pmccntr_i                  (pmccntr),
      .pmicntr_i                  (pmicntr),
      .overflow_i                 (overflow),
      .fixed_overflow_i           (fixed_overflow),
      .counter_zero_o             (counter_zero),
      .cycle_counter_zero_o       (cycle_counter_zero),
      .counter_write_o            (counter_write),
      .cycle_counter_write_o      (cycle_counter_write),
      .instruction_counter_write_o(instruction_counter_write),
      .overflow_set_o             (overflow_set),
      .overflow_clear_o           (overflow_clear),
      .fixed_overflow_set_o       (fixed_overflow_set),
      .fixed_overflow_clear_o     (fixed_overflow_clear),
      .swinc_o                    (swinc),
      .event_o                    (event_index),
      .class_o                    (event_class),
      .tc_o                       (tc),
      .te_o                       (te),
      .tlc_o                      (tlc),
      .th_o                       (th),
      .counter_enable_o           (counter_enable),
      .global_enable_o            (global_enable),
      .interrupt_enable_o         (interrupt_enable),
      .long_overflow_o            (long_overflow),
      .range1_o                   (range1),
      .range_continues_o          (range_continues),
      .fixed_enable_o             (fixed_enable),
      .fixed_interrupt_enable_o   (fixed_interrupt_enable),
      .sync_o                     (sync),
      .vs1_o                      (vs1),
      .vs0_o                      (vs0),
      .p_o                        (p),
      .u_o                        (u),
      .nsk_o                      (nsk),
      .nsu_o                      (nsu),
      .nsh_o                      (nsh),
      .m_o                        (m),
      .mt_o                       (mt),
      .sh_o                       (sh),
      .rlk_o                      (rlk),
      .rlu_o                      (rlu),
      .rlh_o                      (rlh),
      .chain_o                    (is_chain),
      .sync_capable_o             (sync_capable),
      .memory_o                   (memory),
      .shared_o                   (shared),
      .trace_o                    (trace),
      .mtpmu_disabled_o           (mtpmu_disabled[t]),
      .evtyper_o                  (evtyper),
      .pmcr_o                     (pmcr),
      .mdcr_el2_o                 (mdcr_el2),
      .mdcr_el3_o                 (mdcr_el3),
      .sder_o                     (sder),
      .pmccfiltr_o                (pmccfiltr),
      .pmicfiltr_o                (pmicfiltr),
      .pmmir_o                    (pmmir),
      .pmceid0_o                  (pmceid0),
      .pmceid1_o                  (pmceid1)
    );

    ////////////
    // Filter //
    ////////////

    // The Effective MT; CHAIN has none (MT-CHAIN).
    logic [Lanes-1:0] mt_eff;
    assign mt_eff = mt & ~is_chain & {Lanes{mt_enable[t]}};

    logic [Lanes-1:0]            running;
    logic [Lanes*NumThreads-1:0] eligible, counts_current, counts_other, counts_unattributable;
    logic                        frozen_r1, prohibited_r1;
    pmuv3_filter #(
      .NumThreads(NumThreads),
      .Thread    (t),
      .Lanes     (Lanes)
    ) u_filter (
      .cfg_i,
      .present_i              (present),
      .el_i                   (el),
      .ss_i                   (ss),
      .sm_i                   (sm),
      .halted_i               (halted),
      .a32el1_i               (a32el1),
      .a32el3_i               (a32el3[t]),
      .snid_i                 (snid[t]),
      .other_el_i             (other_el),
      .other_ss_i             (other_ss),
      .related_i              (related),
      .pmcr_i                 (pmcr),
      .mdcr_el2_i             (mdcr_el2),
      .mdcr_el3_i             (mdcr_el3),
      .sder_i                 (sder),
      .instruction_freezes_i  (fixed_overflow[1] && !pmicfiltr[pmuv3_pkg::PmicfiltrSyncLsb]),
      .counter_enable_i       (counter_enable),
      .global_enable_i        (global_enable),
      .range1_i               (range1),
      .overflow_i             (overflow),
      .mt_i                   (mt_eff),
      .sync_i                 (sync),
      .p_i                    (p),
      .u_i                    (u),
      .nsk_i                  (nsk),
      .nsu_i                  (nsu),
      .nsh_i                  (nsh),
      .m_i                    (m),
      .sh_i                   (sh),
      .rlk_i                  (rlk),
      .rlu_i                  (rlu),
      .rlh_i                  (rlh),
      .vs1_i                  (vs1),
      .vs0_i                  (vs0),
      .sync_capable_i         (sync_capable),
      .memory_i               (memory),
      .shared_i               (shared),
      .trace_i                (trace),
      .running_o              (running),
      .eligible_o             (eligible),
      .counts_current_o       (counts_current),
      .counts_other_o         (counts_other),
      .counts_unattributable_o(counts_unattributable),
      .frozen_r1_o            (frozen_r1),
      .prohibited_r1_o        (prohibited_r1)
    );

    //////////////
    // Counters //
    //////////////

    pmuv3_cycle_counter u_cycle_counter (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .cfg_i,
      .el_i            (el[2*t+:2]),
      .ss_i            (ss[2*t+:2]),
      .sm_i            (sm[t]),
      .halted_i        (halted[t]),
      .a32el3_i        (a32el3[t]),
      .pmcr_i          (pmcr),
      .pmccfiltr_i     (pmccfiltr),
      .mdcr_el2_i      (mdcr_el2),
      .mdcr_el3_i      (mdcr_el3),
      .counter_enable_i(fixed_enable[0]),
      .frozen_r1_i     (frozen_r1),
      .prohibited_r1_i (prohibited_r1),
      .zero_i          (cycle_counter_zero),
      .write_i         (cycle_counter_write),
      .wdata_i         (wdata),
      .overflow_set_i  (fixed_overflow_set[0]),
      .overflow_clear_i(fixed_overflow_clear[0]),
      .value_o         (pmccntr),
      .overflow_o      (fixed_overflow[0])
    );

    pmuv3_instruction_counter u_instruction_counter (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .cfg_i,
      .el_i            (el[2*t+:2]),
      .ss_i            (ss[2*t+:2]),
      .sm_i            (sm[t]),
      .halted_i        (halted[t]),
      .a32el3_i        (a32el3[t]),
      .other_el_i      (other_el[2*t+:2]),
      .other_ss_i      (other_ss[2*t+:2]),
      .related_i       (related[t]),
      .occurrence_i    (inst_retired[pmuv3_pkg::OccurrenceWidth*t+:pmuv3_pkg::OccurrenceWidth]),
      .pmcr_i          (pmcr),
      .pmicfiltr_i     (pmicfiltr),
      .mdcr_el2_i      (mdcr_el2),
      .mdcr_el3_i      (mdcr_el3),
      .counter_enable_i(fixed_enable[1]),
      .frozen_r1_i     (frozen_r1),
      .write_i         (instruction_counter_write),
      .wdata_i         (wdata),
      .overflow_set_i  (fixed_overflow_set[1]),
      .overflow_clear_i(fixed_overflow_clear[1]),
      .value_o         (pmicntr),
      .overflow_o      (fixed_overflow[1])
    );

    for (genvar n = 0; n < Lanes; n++) begin : g_lane
      // What a lane computes stays in it, or goes to the odd neighbour: one vector over all lanes
      // would look like a combinational loop to simulators.
      logic [ValueWidth-1:0] vb, vt, ve, v;
      logic                  allowed, ct, cp, ce;
      logic                  carry31, carry63, chain;

      logic [ValueWidth-1:0] neighbour_v;
      logic                  neighbour_chain;
      if (n % 2 == 1) begin : g_odd
        assign neighbour_v     = g_lane[n-1].v;
        assign neighbour_chain = g_lane[n-1].chain;
      end else begin : g_even
        assign neighbour_v     = '0;
        assign neighbour_chain = 1'b0;
      end

      // This counter's bit for each source thread.
      logic [NumThreads-1:0] may, may_current, may_other, may_unattributable;
      for (genvar b = 0; b < NumThreads; b++) begin : g_source
        assign may[b]                = eligible[Lanes*b+n];
        assign may_current[b]        = counts_current[Lanes*b+n];
        assign may_other[b]          = counts_other[Lanes*b+n];
        assign may_unattributable[b] = counts_unattributable[Lanes*b+n];
      end

      pmuv3_pkg::event_t selected;
      assign selected = event_index[EventWidth*n+:EventWidth];

      pmuv3_attribution #(
        .NumThreads(NumThreads),
        .Thread    (t),
        .ValueWidth(ValueWidth)
      ) u_attribution (
        .clk_i,
        .rst_ni,
        .cycle_i,
        .event_i                (selected),
        .class_i                (event_class[3*n+:3]),
        .mt_i                   (mt_eff[n]),
        .running_i              (running[n]),
        .chain_i                (neighbour_chain),
        .eligible_i             (may),
        .counts_current_i       (may_current),
        .counts_other_i         (may_other),
        .counts_unattributable_i(may_unattributable),
        .occurrence_i           (occurrence[selected]),
        .stall_backend_i        (stall_backend),
        .active_i               (active[t]),
        .wfx_i                  (wfx),
        .slots_i                (cfg_i.slots),
        .swinc_i                (swinc[n] && !halted[t]),
        .pending_o              (pending[9*(NumThreads*n+t)+:9]),
        .pending_i              (pending[9*NumThreads*n+:9*NumThreads]),
        .allowed_o              (allowed),
        .vb_o                   (vb)
      );

      pmuv3_threshold #(
        .ValueWidth(ValueWidth)
      ) u_threshold (
        .clk_i,
        .rst_ni,
        .cycle_i,
        .tc_i     (tc[3*n+:3]),
        .te_i     (te[n]),
        .tlc_i    (tlc[2*n+:2]),
        .th_i     (th[12*n+:12]),
        .k_restc_i(cfg_i.k_restc),
        .allowed_i(allowed),
        .vb_i     (vb),
        .link_i   (neighbour_v),
        .ct_o     (ct),
        .cp_o     (cp),
        .ce_o     (ce),
        .vt_o     (vt),
        .ve_o     (ve),
        .v_o      (v)
      );

      pmuv3_counter #(
        .ValueWidth(ValueWidth)
      ) u_counter (
        .clk_i,
        .rst_ni,
        .cycle_i,
        .wide_i   (cfg_i.feat_pmuv3p5 && cfg_i.aa64),
        .v_i      (v),
        .zero_i   (counter_zero),
        .write_i  (counter_write[n]),
        .wdata_i  (wdata),
        .value_o  (value[64*n+:64]),
        .carry31_o(carry31),
        .carry63_o(carry63)
      );

      pmuv3_overflow u_overflow (
        .clk_i,
        .rst_ni,
        .cycle_i,
        .carry31_i         (carry31),
        .carry63_i         (carry63),
        .long_overflow_i   (long_overflow[n]),
        .range_continues_i (range_continues[n]),
        .global_enable_i   (global_enable[n]),
        .interrupt_enable_i(interrupt_enable[n]),
        .set_i             (overflow_set[n]),
        .clear_i           (overflow_clear[n]),
        .overflow_o        (overflow[n]),
        .chain_o           (chain),
        .irq_o             (irq[n])
      );

`ifdef PMUV3_PROBE
      assign probe_allowed_o[Lanes*t+n]       = allowed;
      assign probe_ct_o[Lanes*t+n]            = ct;
      assign probe_cp_o[Lanes*t+n]            = cp;
      assign probe_ce_o[Lanes*t+n]            = ce;
      assign probe_vb_o[16*(Lanes*t+n)+:16]   = 16'(vb);
      assign probe_vt_o[16*(Lanes*t+n)+:16]   = 16'(vt);
      assign probe_ve_o[16*(Lanes*t+n)+:16]   = 16'(ve);
      assign probe_v_o[16*(Lanes*t+n)+:16]    = 16'(v);
`else
      logic unused_lane;
      assign unused_lane = ^{ct, cp, ce, vt, ve};
`endif
      if (n % 2 == 1 || n + 1 == Lanes) begin : g_chain_ends
        logic unused_chain;
        assign unused_chain = chain;
      end
    end

    // D13.3-1
    assign irq_o[t] = |irq || (pmcr[pmuv3_pkg::PmcrELsb]
                               && |(fixed_overflow & fixed_interrupt_enable));

`ifdef PMUV3_PROBE
    assign probe_value_o[64*Lanes*t+:64*Lanes]   = value;
    assign probe_evtyper_o[64*Lanes*t+:64*Lanes] = evtyper;
    assign probe_overflow_o[Lanes*t+:Lanes]      = overflow;
    assign probe_cnten_o[Lanes*t+:Lanes]         = counter_enable;
    assign probe_inten_o[Lanes*t+:Lanes]         = interrupt_enable;
    assign probe_pmcr_o[64*t+:64]                = pmcr;
    assign probe_mdcr_el2_o[64*t+:64]            = mdcr_el2;
    assign probe_mdcr_el3_o[64*t+:64]            = mdcr_el3;
    assign probe_sder_o[64*t+:64]                = sder;
    assign probe_pmccfiltr_o[64*t+:64]           = pmccfiltr;
    assign probe_pmicfiltr_o[64*t+:64]           = pmicfiltr;
    assign probe_pmccntr_o[64*t+:64]             = pmccntr;
    assign probe_pmicntr_o[64*t+:64]             = pmicntr;
    assign probe_fixed_overflow_o[2*t+:2]        = fixed_overflow;
    assign probe_fixed_cnten_o[2*t+:2]           = fixed_enable;
    assign probe_fixed_inten_o[2*t+:2]           = fixed_interrupt_enable;
    assign probe_pmmir_o[64*t+:64]               = pmmir;
    assign probe_pmceid0_o[64*t+:64]             = pmceid0;
    assign probe_pmceid1_o[64*t+:64]             = pmceid1;
`else
    logic unused_state;
    assign unused_state = ^{evtyper, sder, pmmir, pmceid0, pmceid1};
`endif
  end

endmodule

`default_nettype wire
