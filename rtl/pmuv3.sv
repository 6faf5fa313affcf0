// pmuv3: Arm's Performance Monitors Extension, PMUv3, of a processor with 1 to 4 threads. Each
// thread has a PMU of its own.
//
// Each clock cycle, data flows one way through every counter's lane:
//
//   registers, states -> filter
//                          |
//          occurrences -> attribution -> threshold -> counter -> overflow -> exception
//
// The filter judges all of a thread's counters at once. Then attribution adds up the occurrences
// that the filter lets count. Beside the lanes, each thread has a cycle counter and an instruction
// counter. The exception stage makes interrupts of a thread's flags. The stages of a thread are in
// pmuv3_thread.
//
// Two ports access a thread's registers: its System register port (access), and a page of the
// external view (external). Each clock has one access. A snapshot copies all counters of a thread.
//
// An odd counter n takes two signals from its even neighbour n-1, within the cycle: V to link to
// (IVBVHX), and CHAIN (CYC-2). Threads see each other's states, occurrences and software
// increments and captures (D13.6), and whether MTPMU is disabled (D13.6-9).
//
// Timing: one clock. cycle_i marks the clocks that are Processor cycles. Without cycle_i nothing
// counts, but register writes commit. States and occurrences presented with cycle_i are those of
// the cycle. They are counted at the edge that ends that clock. Resets assert asynchronously. Ports
// and waveforms: docs/reference/rtl.md.
`default_nettype none

module pmuv3 #(
  // The largest cfg_i.threads (1..4) and the largest cfg_i.counters (0..31) of this instance. The
  // lowest cfg_i.threads threads and cfg_i.counters event counters are implemented.
  parameter  int unsigned NumThreads  = 1,
  parameter  int unsigned NumCounters = 31,
  // The largest number of events that have an input (1..256): those that are implemented, without
  // the events that the PMU makes itself.
  parameter  int unsigned NumEvents   = 1,
  // An instance without event counters still has one lane, so that no vector is 0 bits wide. No
  // configuration implements this lane.
  localparam int unsigned Lanes = NumCounters > 0 ? NumCounters : 1,
  localparam int unsigned OccurrencesWidth = pmuv3_pkg::OccurrenceWidth * NumThreads
) (
  input wire logic clk_i,
  input wire logic rst_ni,       // Warm reset
  input wire logic rst_cold_ni,  // Cold reset; rst_ni falls with it

  // Static: what is implemented, and event_t of each event that has an input, in order of their
  // numbers
  input wire pmuv3_pkg::config_t cfg_i,
  input wire logic [pmuv3_pkg::EventWidth*NumEvents-1:0] events_i,

  input wire logic cycle_i,  // this clock is a Processor cycle

  // The threads in this cycle, thread 0 lowest
  input wire logic [pmuv3_pkg::PeWidth*NumThreads-1:0]      pe_i,     // pe_t: current state
  input wire logic [pmuv3_pkg::ContextWidth*NumThreads-1:0] other_i,  // context_t: other context
  // Occurrences of each event on each thread: occurrence_t of event e and thread t is at
  // OccurrenceWidth*(NumThreads*e+t)
  input wire logic [OccurrencesWidth*NumEvents-1:0] occurrence_i,

  // System register access, for each thread
  input wire logic [NumThreads-1:0]    reg_write_i,
  input wire logic [NumThreads-1:0]    reg_read_i,
  input wire logic [NumThreads-1:0]    reg_checked_i,  // pe_i decides the result
  input wire logic [16*NumThreads-1:0] reg_addr_i,     // {op0, op1, CRn, CRm, op2}
  input wire logic [64*NumThreads-1:0] reg_wdata_i,
  output logic [64*NumThreads-1:0]     reg_rdata_o,
  output logic [NumThreads-1:0]        reg_error_o,   // error of an unchecked access
  output logic [3*NumThreads-1:0]      reg_result_o,  // Result... of a checked access
  output logic [32*NumThreads-1:0]     reg_syndrome_o,  // {EC, IL, ISS} of one that is not done

  // With cycle_i: a request from outside to capture the thread's counters
  input wire logic [NumThreads-1:0] capture_i,

  // The external view on APB: a page of 4 KiB for each thread
  input wire logic        pclken_i,  // this clock is an APB clock
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

  output logic [NumThreads-1:0]    irq_o,  // PMUIRQ
  output logic [NumThreads-1:0]    cti_o,  // the overflow trigger to the CTI
  // The PMU Profiling exception: {target, synchronous, asynchronous}
  output logic [4*NumThreads-1:0]  exception_o,
  output logic [NumThreads-1:0]    halt_o,  // the request to halt of EDECR.PME
  output logic [2*NumThreads-1:0]  brbe_o,  // {second range, first range}: freezes the BRBE
  // The counters that overflow in this cycle, as in PMOVSSET: {F0, C, event counters}
  output logic [33*NumThreads-1:0] pulse_o
`ifdef PMUV3_PROBE
  ,
  // allowed to V are values of this clock's cycle, valid with cycle_i. The others are state, and
  // the values that register reads return.
  `PMUV3_PROBE_PORTS(NumThreads, Lanes)
`endif
);

  ////////////
  // Resets //
  ////////////

  // With EXTPMN an external agent may count across a Warm reset, so only a Cold reset resets the
  // counters and their configuration. A Warm reset still resets the thresholds if EL1 can use
  // AArch32, where it cannot clear thresholds. cfg_i is static, so each reset is one of the two
  // reset inputs.
  logic rst_agent_n, rst_threshold_n;
  assign rst_agent_n     = cfg_i.feat_extpmn ? rst_cold_ni : rst_ni;
  assign rst_threshold_n = cfg_i.aa32 >= pmuv3_pkg::Aa32El1 ? rst_ni : rst_agent_n;

  ////////////////////////
  // Across the threads //
  ////////////////////////

  // The threads' states, in the order of pe_t and context_t.
  localparam int unsigned NumFgt = pmuv3_pkg::FgtPmzrWrite + 1;
  logic [NumThreads-1:0]   present, sm, halted, active, wfx, aa32, given_a32el1, given_a32el3;
  logic [NumThreads-1:0]   snid, tge, e2h, eel2, pm, spe, oslk, dlk, related;
  logic [NumThreads-1:0]   given_a32el2, hstr, nv, sdd, fgwte3, pme;
  logic [2*NumThreads-1:0] el, ss, other_el, other_ss;
  logic [NumFgt*NumThreads-1:0] fgt;
  for (genvar t = 0; t < NumThreads; t++) begin : g_pe
    assign {fgt[NumFgt*t+:NumFgt], pme[t], fgwte3[t], sdd[t], nv[t], hstr[t], given_a32el2[t],
            dlk[t], oslk[t], spe[t], pm[t], eel2[t], e2h[t], tge[t], snid[t], given_a32el3[t],
            given_a32el1[t], aa32[t], wfx[t], active[t], halted[t], sm[t], ss[2*t+:2],
            el[2*t+:2]} = pe_i[pmuv3_pkg::PeWidth*t+:pmuv3_pkg::PeWidth];
    assign {related[t], other_ss[2*t+:2], other_el[2*t+:2]} =
        other_i[pmuv3_pkg::ContextWidth*t+:pmuv3_pkg::ContextWidth];
    assign present[t] = t < cfg_i.threads;
  end

  // Without AArch64 all Exception levels use AArch32. If EL3 uses AArch32, EL2 and EL1 do too.
  logic [NumThreads-1:0] a32el1, a32el2, a32el3;
  assign a32el3 = given_a32el3 | {NumThreads{!cfg_i.aa64}};
  assign a32el2 = given_a32el2 | a32el3;
  assign a32el1 = given_a32el1 | a32el2;

  // EL2Enabled(): SCR_EL3.EEL2 enables Secure EL2. If EL3 uses AArch32, eel2 is SCR.NS, and has the
  // same effect on accesses at EL3.
  logic [NumThreads-1:0] el2_enabled;
  for (genvar t = 0; t < NumThreads; t++) begin : g_el2_enabled
    assign el2_enabled[t] = cfg_i.el2
                            && (el[2*t+:2] == 2'd2 || !cfg_i.el3
                                || ss[2*t+:2] == pmuv3_pkg::SsNonSecure
                                || ss[2*t+:2] == pmuv3_pkg::SsRealm
                                || (eel2[t] && (el[2*t+:2] == 2'd3
                                                || (cfg_i.feat_sel2 && !a32el3[t]))));
  end

  // SPE exists only in AArch64 state: no freeze by SPE if the highest Exception level uses AArch32.
  logic [NumThreads-1:0] spe_freezes;
  assign spe_freezes = spe & ~a32el3 & ~(a32el2 & {NumThreads{!cfg_i.el3}})
                       & ~(a32el1 & {NumThreads{!cfg_i.el3 && !cfg_i.el2}})
                       & {NumThreads{cfg_i.feat_spe}};

  // thread_t of each thread. aa32 has no effect on counting (K-VS-A32).
  logic [pmuv3_types_pkg::ThreadWidth*NumThreads-1:0] threads;
  for (genvar t = 0; t < NumThreads; t++) begin : g_state
    assign threads[pmuv3_types_pkg::ThreadWidth*t+:pmuv3_types_pkg::ThreadWidth] = {
        present[t], related[t], other_ss[2*t+:2], other_el[2*t+:2], pme[t], dlk[t], oslk[t],
        spe_freezes[t], pm[t], el2_enabled[t], eel2[t], e2h[t], tge[t], snid[t], a32el3[t],
        a32el1[t], aa32[t], wfx[t], active[t], halted[t], sm[t], ss[2*t+:2], el[2*t+:2]};
  end

  // D13.6-7..9: MT has an effect on a thread unless MTPMU is disabled on the thread, or on its
  // group.
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

  // STALL_BACKEND on each thread, for counters with MT. Its number is 0x24, and the rows are in
  // order of their numbers, of which three have no row. So it is one of the first 34.
  localparam int unsigned FirstEvents = NumEvents < 34 ? NumEvents : 34;
  logic [NumThreads-1:0] stall_backend;
  always_comb begin
    stall_backend = '0;
    if (NumThreads > 1) begin
      for (int unsigned e = 0; e < FirstEvents; e++) begin
        if (events_i[pmuv3_pkg::EventWidth*e+:16] == pmuv3_pkg::EventStallBackend) begin
          for (int unsigned t = 0; t < NumThreads; t++) begin
            stall_backend[t] = occurrence_i[OccurrencesWidth*e+pmuv3_pkg::OccurrenceWidth*t];
          end
        end
      end
    end
  end

  ///////////////////////
  // The external view //
  ///////////////////////

  logic [1:0] space;  // physical address space
  always_comb begin
    unique case ({pnse_i, pprot_i[1]})
      2'b00:   space = pmuv3_pkg::SsSecure;
      2'b01:   space = pmuv3_pkg::SsNonSecure;
      2'b10:   space = pmuv3_pkg::SsRoot;
      default: space = pmuv3_pkg::SsRealm;
    endcase
  end

  // A page for each implemented thread.
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

  // Waiting software increments of each thread, for each counter.
  logic [9*NumThreads*Lanes-1:0] pending;
  // Threads whose PMU_SNAPSHOT waits.
  logic [NumThreads-1:0] captured;

  for (genvar t = 0; t < NumThreads; t++) begin : g_thread
    assign page_sel[t] = psel_i && page == 2'(t);

    logic [9*Lanes-1:0] own_pending;
    for (genvar n = 0; n < Lanes; n++) begin : g_pending
      assign pending[9*(NumThreads*n+t)+:9] = own_pending[9*n+:9];
    end

    pmuv3_thread #(
      .NumThreads(NumThreads),
      .Thread    (t),
      .Lanes     (Lanes),
      .NumEvents (NumEvents)
    ) u_thread (
      .clk_i,
      .rst_ni,
      .rst_agent_ni    (rst_agent_n),
      .rst_threshold_ni(rst_threshold_n),
      .rst_cold_ni,
      .cfg_i,
      .events_i,
      .cycle_i,
      .threads_i       (threads),
      .rights_i        ({fgt[NumFgt*t+:NumFgt], fgwte3[t], sdd[t] && halted[t], nv[t], hstr[t],
                         a32el2[t]}),
      .wfx_i           (wfx),
      .mt_enable_i     (mt_enable[t]),
      .occurrence_i,
      .stall_backend_i (stall_backend),
      .request_i       ({reg_write_i[t], reg_read_i[t], reg_checked_i[t], reg_addr_i[16*t+:16],
                         reg_wdata_i[64*t+:64]}),
      .reg_rdata_o     (reg_rdata_o[64*t+:64]),
      .reg_error_o     (reg_error_o[t]),
      .reg_result_o    (reg_result_o[3*t+:3]),
      .reg_syndrome_o  (reg_syndrome_o[32*t+:32]),
      .transfer_i      ({page_sel[t], access_phase, pwrite_i, paddr_i[11:0], space, pwdata_i,
                         apb_bad || !present[t]}),
      .prdata_o        (page_rdata[32*t+:32]),
      .pready_o        (page_ready[t]),
      .pslverr_o       (page_error[t]),
      .pending_o       (own_pending),
      .pending_i       (pending),
      .capture_i       (capture_i[t]),
      .captured_o      (captured[t]),
      .captured_i      (captured),
      .mtpmu_disabled_o(mtpmu_disabled[t]),
      .irq_o           (irq_o[t]),
      .cti_o           (cti_o[t]),
      .exception_o     (exception_o[4*t+:4]),
      .halt_o          (halt_o[t]),
      .brbe_o          (brbe_o[2*t+:2]),
      .pulse_o         (pulse_o[33*t+:33])
`ifdef PMUV3_PROBE
      ,
      `PMUV3_PROBE_CONNECT(t, Lanes)
`endif
    );
  end

endmodule

`default_nettype wire
