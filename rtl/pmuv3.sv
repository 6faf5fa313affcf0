// pmuv3: Arm's Performance Monitors Extension, PMUv3, of a processor with 1 to 4 threads. Each
// thread has a PMU of its own.
//
// Each clock cycle, data flows one way through every counter's lane:
//
//   occurrences -> attribution -> filter -> threshold -> counter -> overflow -> exception
//                         registers and states configure all of them
//
// The filter judges all of a thread's counters at once. Then attribution adds up the occurrences
// that the filter lets count. Beside the lanes, each thread has a cycle counter and an instruction
// counter. The exception stage makes interrupts of a thread's flags.
//
// Two ports access a thread's registers: its System register port (access), and a page of the
// external view (external). Each clock has one access. A snapshot copies all counters of a thread.
//
// An odd counter n takes two signals from its even neighbour n-1, within the cycle: V to link to
// (IVBVHX), and CHAIN (CYC-2). Threads see each other's states, occurrences and software
// increments (D13.6), and whether MTPMU is disabled (D13.6-9).
//
// Timing: one clock. cycle_i marks the clocks that are Processor cycles. Without cycle_i nothing
// counts, but register writes commit. States and occurrences presented with cycle_i are those of
// the cycle. They are counted at the edge that ends that clock. Resets assert asynchronously. Ports
// and waveforms: docs/reference/rtl.md.
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

  // An access of each thread's System registers
  input wire logic [NumThreads-1:0]    reg_write_i,
  input wire logic [NumThreads-1:0]    reg_read_i,
  input wire logic [NumThreads-1:0]    reg_checked_i,  // judged by pe_i
  input wire logic [16*NumThreads-1:0] reg_addr_i,     // {op0, op1, CRn, CRm, op2}
  input wire logic [64*NumThreads-1:0] reg_wdata_i,
  output logic [64*NumThreads-1:0]     reg_rdata_o,
  output logic [NumThreads-1:0]        reg_error_o,   // of an access that is not checked
  output logic [3*NumThreads-1:0]      reg_result_o,  // Result... of a checked one

  // The external view, APB: a page of 4 KiB a thread
  input wire logic        pclken_i,  // this clock is one of APB's
  input wire logic        psel_i,
  input wire logic        penable_i,
  input wire logic        pwrite_i,
  input wire logic [13:0] paddr_i,  // {thread, offset}
  input wire logic        pnse_i,   // {pnse, pprot[1]}: the physical address space
  input wire logic [2:0]  pprot_i,
  input wire logic [31:0] pwdata_i,
  input wire logic [3:0]  pstrb_i,
  output logic [31:0]     prdata_o,
  output logic            pready_o,
  output logic            pslverr_o,

  output logic [NumThreads-1:0]   irq_o,       // PMUIRQ
  output logic [NumThreads-1:0]   cti_o,       // the overflow trigger to the CTI
  output logic [4*NumThreads-1:0] exception_o  // {target, synchronous, asynchronous}: PMU Profiling
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
  output logic [64*NumThreads-1:0]       probe_pmceid1_o,
  output logic [64*NumThreads-1:0]       probe_pmselr_o,
  output logic [64*NumThreads-1:0]       probe_pmuserenr_o,
  output logic [64*NumThreads-1:0]       probe_pmuacr_o,
  output logic [64*NumThreads-1:0]       probe_pmecr_o,
  output logic [64*NumThreads-1:0]       probe_pmiar_o,
  output logic [64*NumThreads-1:0]       probe_pmsscr_o,
  output logic [64*NumThreads-1:0]       probe_pmccr_o,
  output logic [64*NumThreads-1:0]       probe_pmlsr_o,
  output logic [64*Lanes*NumThreads-1:0] probe_svr_o,
  output logic [64*NumThreads-1:0]       probe_pmccntsvr_o,
  output logic [64*NumThreads-1:0]       probe_pmicntsvr_o
`endif
);

  // The widest VB is a multithreaded sum: 4 threads, each with occurrences that came about in up to
  // 3 ways, of 255 each, make 3060.
  localparam int unsigned ValueWidth = 12;
  localparam int unsigned EventWidth = $bits(pmuv3_pkg::EventNone);

  ////////////
  // Resets //
  ////////////

  // An external agent may count across a Warm reset: with EXTPMN a Cold reset alone resets the
  // counters and what sets them up, and with SS too their thresholds, which AArch32 at EL1, had it
  // not been excluded, would find set and could not clear. cfg_i is static: each is an input.
  logic rst_agent_n, rst_threshold_n;
  assign rst_agent_n     = cfg_i.feat_extpmn ? rst_cold_ni : rst_ni;
  assign rst_threshold_n = cfg_i.feat_ss ? rst_agent_n : rst_ni;

  ////////////////////////
  // Across the threads //
  ////////////////////////

  // The threads' states, in the order of pe_t and context_t.
  logic [NumThreads-1:0]   present, sm, halted, active, wfx, given_a32el1, given_a32el3, snid;
  logic [NumThreads-1:0]   tge, eel2, pm, spe, oslk;
  logic [NumThreads-1:0]   related;
  logic [2*NumThreads-1:0] el, ss, other_el, other_ss;
  for (genvar t = 0; t < NumThreads; t++) begin : g_pe
    // What is left matters to accesses alone; to counting AArch32 does not (K-VS-A32).
    logic       unused_aa32, unused_e2h, unused_dlk;
    logic [3:0] unused_fgt;
    assign {unused_fgt, unused_dlk, oslk[t], spe[t], pm[t], eel2[t], unused_e2h, tge[t], snid[t],
            given_a32el3[t], given_a32el1[t], unused_aa32, wfx[t], active[t], halted[t], sm[t],
            ss[2*t+:2], el[2*t+:2]} = pe_i[pmuv3_pkg::PeWidth*t+:pmuv3_pkg::PeWidth];
    assign {related[t], other_ss[2*t+:2], other_el[2*t+:2]} =
        other_i[pmuv3_pkg::ContextWidth*t+:pmuv3_pkg::ContextWidth];
    assign present[t] = t < cfg_i.threads;
  end

  // Without AArch64 all use AArch32, and where EL3 does so does EL1.
  logic [NumThreads-1:0] a32el1, a32el3;
  assign a32el3 = given_a32el3 | {NumThreads{!cfg_i.aa64}};
  assign a32el1 = given_a32el1 | a32el3;

  // EL2Enabled(): SCR_EL3.EEL2 matters where the Security state that EL2 would be in is Secure. An
  // EL3 that uses AArch32 has SCR.NS instead, which says the same of accesses at EL3.
  logic [NumThreads-1:0] el2_enabled;
  for (genvar t = 0; t < NumThreads; t++) begin : g_el2_enabled
    assign el2_enabled[t] = cfg_i.el2
                            && (el[2*t+:2] == 2'd2 || !cfg_i.el3
                                || ss[2*t+:2] == pmuv3_pkg::SsNonSecure
                                || ss[2*t+:2] == pmuv3_pkg::SsRealm
                                || (eel2[t] && (el[2*t+:2] == 2'd3
                                                || (cfg_i.feat_sel2 && !a32el3[t]))));
  end

  // SPE is of AArch64 alone: it freezes nothing where the highest Exception level uses AArch32.
  logic [NumThreads-1:0] spe_freezes;
  assign spe_freezes = spe & ~a32el3 & ~(a32el1 & {NumThreads{!cfg_i.el3 && !cfg_i.el2}})
                       & {NumThreads{cfg_i.feat_spe}};

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

  ///////////////////////
  // The external view //
  ///////////////////////

  logic [1:0] space;  // the physical address space
  always_comb begin
    unique case ({pnse_i, pprot_i[1]})
      2'b00:   space = pmuv3_pkg::SsSecure;
      2'b01:   space = pmuv3_pkg::SsNonSecure;
      2'b10:   space = pmuv3_pkg::SsRoot;
      default: space = pmuv3_pkg::SsRealm;
    endcase
  end

  // A page for each thread; there is no page of a thread that is not there.
  logic                     apb_bad;
  logic [1:0]               page;
  logic [NumThreads-1:0]    page_sel, page_ready, page_error;
  logic [32*NumThreads-1:0] page_rdata;
  logic                     access_phase;
  assign access_phase = penable_i && pclken_i;
  assign page    = paddr_i[13:12];
  assign apb_bad = paddr_i[1:0] != 2'b00 || (pwrite_i && pstrb_i != 4'b1111);
  always_comb begin
    prdata_o  = 32'd0;
    pready_o  = 1'b1;
    pslverr_o = psel_i && access_phase;
    for (int unsigned t = 0; t < NumThreads; t++) begin
      if (page_sel[t]) begin
        prdata_o  = page_rdata[32*t+:32];
        pready_o  = page_ready[t];
        pslverr_o = page_error[t];
      end
    end
  end
  logic unused_pprot;
  assign unused_pprot = ^pprot_i;

  // Software increments that wait for counter n, of each thread.
  logic [9*NumThreads*Lanes-1:0] pending;

  for (genvar t = 0; t < NumThreads; t++) begin : g_thread

    ///////////////
    // Registers //
    ///////////////

    logic [64*Lanes-1:0] value, evtyper;
    logic [Lanes-1:0]    overflow;
    logic [63:0]         pmccntr, pmicntr;
    logic [1:0]          fixed_overflow, fixed_overflow_set, fixed_overflow_clear;
    logic [1:0]          fixed_enable, fixed_interrupt_enable, fixed_zero, fixed_write;
    logic [Lanes-1:0]    counter_zero, counter_write, overflow_set, overflow_clear, swinc;
    logic                capture, exception_enabled;
    logic [EventWidth*Lanes-1:0] event_index;
    logic [3*Lanes-1:0]  event_class;
    logic [3*Lanes-1:0]  tc;
    logic [Lanes-1:0]    te;
    logic [2*Lanes-1:0]  tlc;
    logic [12*Lanes-1:0] th;
    logic [Lanes-1:0]    counter_enable, global_enable, interrupt_enable;
    logic [Lanes-1:0]    long_overflow, range1, range2, range_continues;
    logic [4:0]          hpmn, epmn;
    logic [Lanes-1:0]    sync, vs1, vs0, p, u, nsk, nsu, nsh, m, mt, sh, rlk, rlu, rlh;
    logic [Lanes-1:0]    is_chain, sync_capable, memory, shared, trace;
    logic [63:0]         pmcr, mdcr_el2, mdcr_el3, sder, pmccfiltr, pmicfiltr;
    logic [63:0]         pmmir, pmceid0, pmceid1;
    logic [63:0]         pmselr, pmuserenr, pmuacr, pmecr, pmiar, pmsscr, pmccr, pmlsr;
    logic [64*Lanes-1:0] svr;
    logic [63:0]         pmccntsvr, pmicntsvr;

    // The System register port
    logic        port_busy, port_write, port_read;
    logic [15:0] port_addr;
    logic [63:0] port_wdata, port_bits;
    logic [32:0] port_counters;
    logic [4:0]  port_n;
    assign port_busy = reg_write_i[t] || reg_read_i[t];
    pmuv3_access u_access (
      .cfg_i,
      .present_i    (present[t]),
      .write_i      (reg_write_i[t]),
      .read_i       (reg_read_i[t]),
      .checked_i    (reg_checked_i[t]),
      .addr_i       (reg_addr_i[16*t+:16]),
      .wdata_i      (reg_wdata_i[64*t+:64]),
      .rdata_o      (reg_rdata_o[64*t+:64]),
      .error_o      (reg_error_o[t]),
      .result_o     (reg_result_o[3*t+:3]),
      .pe_i         (pe_i[pmuv3_pkg::PeWidth*t+:pmuv3_pkg::PeWidth]),
      .a32el1_i     (a32el1[t]),
      .a32el3_i     (a32el3[t]),
      .el2_enabled_i(el2_enabled[t]),
      .pmselr_i     (pmselr),
      .pmuserenr_i  (pmuserenr),
      .pmuacr_i     (pmuacr),
      .mdcr_el2_i   (mdcr_el2),
      .mdcr_el3_i   (mdcr_el3),
      .hpmn_i       (hpmn),
      .epmn_i       (epmn),
      .write_o      (port_write),
      .read_o       (port_read),
      .addr_o       (port_addr),
      .wdata_o      (port_wdata),
      .bits_o       (port_bits),
      .counters_o   (port_counters),
      .n_o          (port_n),
      .rdata_i      (rdata)
    );

    // Its page of the external view
    logic        page_write, page_read, page_replace;
    logic [15:0] page_addr;
    logic [63:0] page_wdata, page_bits;
    logic [32:0] page_counters;
    logic [4:0]  page_n;
    assign page_sel[t] = psel_i && page == 2'(t);
    pmuv3_external #(
      .Thread(t),
      .Lanes (Lanes)
    ) u_external (
      .clk_i,
      .rst_ni,
      .rst_cold_ni,
      .cfg_i,
      .pe_i      (pe_i[pmuv3_pkg::PeWidth*t+:pmuv3_pkg::PeWidth]),
      .mdcr_el3_i(mdcr_el3),
      .hpmn_i    (hpmn),
      .epmn_i    (epmn),
      .psel_i    (page_sel[t]),
      .penable_i (access_phase),
      .pwrite_i,
      .paddr_i   (paddr_i[11:0]),
      .space_i   (space),
      .pwdata_i,
      .bad_i     (apb_bad || !present[t]),
      .busy_i    (port_busy),
      .prdata_o  (page_rdata[32*t+:32]),
      .pready_o  (page_ready[t]),
      .pslverr_o (page_error[t]),
      .write_o   (page_write),
      .read_o    (page_read),
      .replace_o (page_replace),
      .addr_o    (page_addr),
      .wdata_o   (page_wdata),
      .bits_o    (page_bits),
      .counters_o(page_counters),
      .n_o       (page_n),
      .rdata_i   (rdata),
      .pmccr_o   (pmccr),
      .pmlsr_o   (pmlsr)
    );

    // One of them has the register file: the page waits for the port.
    logic        write, read;
    logic [15:0] addr;
    logic [63:0] wdata, reach_bits, rdata;
    logic [32:0] reach_counters;
    logic [4:0]  reach_n;
    logic [1:0]  halves;  // of a register, that are in reach
    assign write          = port_write || page_write;
    assign read           = port_read || page_read;
    assign addr           = port_busy ? port_addr : page_addr;
    assign wdata          = port_busy ? port_wdata : page_wdata;
    assign reach_bits     = port_busy ? port_bits : page_bits;
    assign reach_counters = port_busy ? port_counters : page_counters;
    assign reach_n        = port_busy ? port_n : page_n;
    assign halves         = {reach_bits[32], reach_bits[0]};

    pmuv3_registers #(
      .Lanes(Lanes)
    ) u_registers (
      .clk_i,
      .rst_ni,
      .rst_agent_ni               (rst_agent_n),
      .rst_threshold_ni           (rst_threshold_n),
      .rst_cold_ni,
      .cfg_i,
      .present_i                  (present[t]),
      .write_i                    (write),
      .read_i                     (read),
      .replace_i                  (page_replace && page_write),
      .addr_i                     (addr),
      .wdata_i                    (wdata),
      .bits_i                     (reach_bits),
      .counters_i                 (reach_counters),
      .n_i                        (reach_n),
      .rdata_o                    (rdata),
      .value_i                    (value),
      .pmccntr_i                  (pmccntr),
      .pmicntr_i                  (pmicntr),
      .overflow_i                 (overflow),
      .fixed_overflow_i           (fixed_overflow),
      .pmsscr_i                   (pmsscr),
      .svr_i                      (svr),
      .pmccntsvr_i                (pmccntsvr),
      .pmicntsvr_i                (pmicntsvr),
      .pmccr_i                    (pmccr),
      .counter_zero_o             (counter_zero),
      .fixed_zero_o               (fixed_zero),
      .counter_write_o            (counter_write),
      .fixed_write_o              (fixed_write),
      .overflow_set_o             (overflow_set),
      .overflow_clear_o           (overflow_clear),
      .fixed_overflow_set_o       (fixed_overflow_set),
      .fixed_overflow_clear_o     (fixed_overflow_clear),
      .swinc_o                    (swinc),
      .capture_o                  (capture),
      .exception_enabled_i        (exception_enabled),
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
      .range2_o                   (range2),
      .range_continues_o          (range_continues),
      .hpmn_o                     (hpmn),
      .epmn_o                     (epmn),
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
      .pmceid1_o                  (pmceid1),
      .pmselr_o                   (pmselr),
      .pmuserenr_o                (pmuserenr),
      .pmuacr_o                   (pmuacr),
      .pmecr_o                    (pmecr),
      .pmiar_o                    (pmiar)
    );

    pmuv3_snapshot #(
      .Lanes(Lanes)
    ) u_snapshot (
      .clk_i,
      .rst_ni,
      .rst_agent_ni(rst_agent_n),
      .cfg_i,
      .present_i   (present[t]),
      .oslk_i      (oslk[t]),
      .halted_i    (halted[t]),
      .mdcr_el2_i  (mdcr_el2),
      .mdcr_el3_i  (mdcr_el3),
      .pmecr_i     (pmecr),
      .capture_i   (capture),
      .value_i     (value),
      .pmccntr_i   (pmccntr),
      .pmicntr_i   (pmicntr),
      .pmsscr_o    (pmsscr),
      .svr_o       (svr),
      .pmccntsvr_o (pmccntsvr),
      .pmicntsvr_o (pmicntsvr)
    );

    ////////////
    // Filter //
    ////////////

    // The Effective MT; CHAIN has none (MT-CHAIN).
    logic [Lanes-1:0] mt_eff;
    assign mt_eff = mt & ~is_chain & {Lanes{mt_enable[t]}};

    logic [Lanes-1:0]            running;
    logic [Lanes*NumThreads-1:0] eligible, counts_current, counts_other, counts_unattributable;
    logic                        frozen_r1, frozen_dp, prohibited_r1;
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
      .spe_i                  (spe_freezes[t]),
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
      .range2_i               (range2),
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
      .frozen_dp_o            (frozen_dp),
      .prohibited_r1_o        (prohibited_r1)
    );

    //////////////
    // Counters //
    //////////////

    pmuv3_cycle_counter u_cycle_counter (
      .clk_i,
      .rst_ni             (rst_agent_n),
      .cycle_i,
      .cfg_i,
      .el_i               (el[2*t+:2]),
      .ss_i               (ss[2*t+:2]),
      .sm_i               (sm[t]),
      .halted_i           (halted[t]),
      .a32el3_i           (a32el3[t]),
      .pmcr_i             (pmcr),
      .pmccfiltr_i        (pmccfiltr),
      .mdcr_el2_i         (mdcr_el2),
      .mdcr_el3_i         (mdcr_el3),
      .counter_enable_i   (fixed_enable[0]),
      .frozen_dp_i        (frozen_dp),
      .prohibited_r1_i    (prohibited_r1),
      .exception_enabled_i(exception_enabled),
      .zero_i             (fixed_zero[0]),
      .write_i            (fixed_write[0]),
      .halves_i           (halves),
      .wdata_i            (wdata),
      .overflow_set_i     (fixed_overflow_set[0]),
      .overflow_clear_i   (fixed_overflow_clear[0]),
      .value_o            (pmccntr),
      .overflow_o         (fixed_overflow[0])
    );

    pmuv3_instruction_counter u_instruction_counter (
      .clk_i,
      .rst_ni,
      .rst_agent_ni    (rst_agent_n),
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
      .zero_i          (fixed_zero[1]),
      .write_i         (fixed_write[1]),
      .halves_i        (halves),
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
        .rst_ni   (rst_agent_n),
        .cycle_i,
        .wide_i   (cfg_i.feat_pmuv3p5 && cfg_i.aa64),
        .v_i      (v),
        .zero_i   (counter_zero[n]),
        .write_i  (counter_write[n]),
        .halves_i (halves),
        .wdata_i  (wdata),
        .value_o  (value[64*n+:64]),
        .carry31_o(carry31),
        .carry63_o(carry63)
      );

      pmuv3_overflow u_overflow (
        .clk_i,
        .rst_ni           (rst_agent_n),
        .cycle_i,
        .carry31_i        (carry31),
        .carry63_i        (carry63),
        .long_overflow_i  (long_overflow[n]),
        .range_continues_i(range_continues[n]),
        .set_i            (overflow_set[n]),
        .clear_i          (overflow_clear[n]),
        .overflow_o       (overflow[n]),
        .chain_o          (chain)
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

    pmuv3_exception #(
      .Lanes(Lanes)
    ) u_exception (
      .cfg_i,
      .el_i                    (el[2*t+:2]),
      .el2_enabled_i           (el2_enabled[t]),
      .tge_i                   (tge[t]),
      .halted_i                (halted[t]),
      .pm_i                    (pm[t]),
      .pmcr_i                  (pmcr),
      .mdcr_el2_i              (mdcr_el2),
      .mdcr_el3_i              (mdcr_el3),
      .pmecr_i                 (pmecr),
      .global_enable_i         (global_enable),
      .overflow_i              (overflow),
      .interrupt_enable_i      (interrupt_enable),
      .counter_enable_i        (counter_enable),
      .sync_i                  (sync),
      .sync_capable_i          (sync_capable),
      .fixed_overflow_i        (fixed_overflow),
      .fixed_interrupt_enable_i(fixed_interrupt_enable),
      .instruction_enable_i    (fixed_enable[1]),
      .instruction_sync_i      (pmicfiltr[pmuv3_pkg::PmicfiltrSyncLsb]),
      .enabled_o               (exception_enabled),
      .irq_o                   (irq_o[t]),
      .cti_o                   (cti_o[t]),
      .exception_o             (exception_o[4*t+:4])
    );

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
    assign probe_pmselr_o[64*t+:64]              = pmselr;
    assign probe_pmuserenr_o[64*t+:64]           = pmuserenr;
    assign probe_pmuacr_o[64*t+:64]              = pmuacr;
    assign probe_pmecr_o[64*t+:64]               = pmecr;
    assign probe_pmiar_o[64*t+:64]               = pmiar;
    assign probe_pmsscr_o[64*t+:64]              = pmsscr;
    assign probe_pmccr_o[64*t+:64]               = present[t] ? pmccr : 64'd0;
    assign probe_pmlsr_o[64*t+:64]               = present[t] ? pmlsr : 64'd0;
    assign probe_svr_o[64*Lanes*t+:64*Lanes]     = svr;
    assign probe_pmccntsvr_o[64*t+:64]           = pmccntsvr;
    assign probe_pmicntsvr_o[64*t+:64]           = pmicntsvr;
`else
    logic unused_state;
    assign unused_state = ^{evtyper, sder, pmmir, pmceid0, pmceid1, pmiar, pmlsr};
`endif
  end

endmodule

`default_nettype wire
