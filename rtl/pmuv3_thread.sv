// A thread's PMU: its registers, the ways to them, and its counters, stage by stage.
//
// Timing and the order of the stages: see pmuv3.
`default_nettype none

module pmuv3_thread #(
  parameter  int unsigned NumThreads = 1,
  parameter  int unsigned Thread     = 0,
  parameter  int unsigned Lanes      = 31,  // event counters
  parameter  int unsigned NumEvents  = 1,
  localparam int unsigned OccurrencesWidth = pmuv3_pkg::OccurrenceWidth * NumThreads
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic rst_agent_ni,      // resets state that an external agent's counters need
  input wire logic rst_threshold_ni,  // resets thresholds
  input wire logic rst_cold_ni,
  input wire pmuv3_pkg::config_t cfg_i,
  input wire logic [pmuv3_pkg::EventWidth*NumEvents-1:0] events_i,
  input wire logic cycle_i,

  // The threads in this clock: thread_t of each, and their occurrences as in pmuv3
  input wire logic [pmuv3_types_pkg::ThreadWidth*NumThreads-1:0] threads_i,
  input wire pmuv3_types_pkg::rights_t rights_i,  // of this thread
  input wire logic [NumThreads-1:0] wfx_i,
  input wire logic                  mt_enable_i,  // MT has an effect on this thread
  input wire logic [OccurrencesWidth*NumEvents-1:0] occurrence_i,
  input wire logic [NumThreads-1:0] stall_backend_i,

  input wire pmuv3_types_pkg::request_t request_i,
  output logic [63:0] reg_rdata_o,
  output logic        reg_error_o,
  output logic [2:0]  reg_result_o,
  output logic [31:0] reg_syndrome_o,

  input wire pmuv3_types_pkg::transfer_t transfer_i,
  output logic [31:0] prdata_o,
  output logic        pready_o,
  output logic        pslverr_o,

  // Software increments that wait for counter n: this thread's at 9*n, thread b's at
  // 9*(NumThreads*n+b)
  output logic [9*Lanes-1:0]                pending_o,
  input wire logic [9*NumThreads*Lanes-1:0] pending_i,

  // With cycle_i: a request from outside to capture the counters
  input wire logic capture_i,
  // A PMU_SNAPSHOT waits: of this thread, of each thread
  output logic                      captured_o,
  input wire logic [NumThreads-1:0] captured_i,

  output logic        mtpmu_disabled_o,
  output logic        irq_o,
  output logic        cti_o,
  output logic [3:0]  exception_o,
  output logic        halt_o,
  output logic [1:0]  brbe_o,
  output logic [32:0] pulse_o
`ifdef PMUV3_PROBE
  ,
  `PMUV3_PROBE_PORTS(1, Lanes)
`endif
);

  // The largest VB is a multithreaded sum: 4 threads with 3 origins of up to 255 occurrences each,
  // which is 3060.
  localparam int unsigned ValueWidth = 12;

  pmuv3_types_pkg::thread_t self;
  assign self = threads_i[pmuv3_types_pkg::ThreadWidth*Thread+:pmuv3_types_pkg::ThreadWidth];

  // INST_RETIRED of this thread. Its number is 8, and the rows are in order of their numbers.
  localparam int unsigned FirstEvents = NumEvents < 8 ? NumEvents : 8;
  logic [pmuv3_pkg::OccurrenceWidth-1:0] inst_retired;
  always_comb begin
    inst_retired = '0;
    for (int unsigned e = 0; e < FirstEvents; e++) begin
      if (events_i[pmuv3_pkg::EventWidth*e+:16] == pmuv3_pkg::EventInstRetired) begin
        inst_retired = occurrence_i[OccurrencesWidth*e+pmuv3_pkg::OccurrenceWidth*Thread
                                    +:pmuv3_pkg::OccurrenceWidth];
      end
    end
  end

  ///////////////
  // Registers //
  ///////////////

  `PMUV3_EVTYPERS_T(Lanes)
  `PMUV3_CONTROLS_T(Lanes)
  `PMUV3_CHANGES_T(Lanes)
  evtypers_t evtypers;
  controls_t controls;
  changes_t  changes;
  pmuv3_types_pkg::regs_t   regs;
  pmuv3_types_pkg::others_t others;
  pmuv3_types_pkg::change_t cycle_change, instruction_change;
  logic [64*Lanes-1:0] value, evtyper, svr;
  logic [Lanes-1:0]    overflow;
  logic                capture, exception_enabled;

  // The System register port and the external page share the register file. The page waits for the
  // port.
  pmuv3_types_pkg::access_t port_access, page_access, access;
  logic        port_busy;
  logic [63:0] rdata;
  logic [1:0]  halves;  // the register's halves in reach
  assign port_busy = request_i.write || request_i.read;
  assign access    = port_busy ? port_access : page_access;
  assign halves    = {access.bits[32], access.bits[0]};

  pmuv3_access u_access (
    .cfg_i,
    .thread_i  (self),
    .rights_i,
    .regs_i    (regs),
    .request_i,
    .rdata_o   (reg_rdata_o),
    .error_o   (reg_error_o),
    .result_o  (reg_result_o),
    .syndrome_o(reg_syndrome_o),
    .access_o  (port_access),
    .rdata_i   (rdata)
  );

  pmuv3_external #(
    .Thread(Thread),
    .Lanes (Lanes)
  ) u_external (
    .clk_i,
    .rst_ni,
    .rst_cold_ni,
    .cfg_i,
    .thread_i(self),
    .regs_i  (regs),
    .transfer_i,
    .busy_i  (port_busy),
    .prdata_o,
    .pready_o,
    .pslverr_o,
    .access_o(page_access),
    .rdata_i (rdata),
    .pmccr_o (others.pmccr),
    .pmlsr_o (others.pmlsr)
  );

  pmuv3_registers #(
    .Lanes    (Lanes),
    .NumEvents(NumEvents)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .rst_agent_ni,
    .rst_threshold_ni,
    .rst_cold_ni,
    .cfg_i,
    .events_i,
    .present_i           (self.present),
    .access_i            (access),
    .rdata_o             (rdata),
    .value_i             (value),
    .svr_i               (svr),
    .overflow_i          (overflow),
    .others_i            (others),
    .changes_o           (changes),
    .cycle_change_o      (cycle_change),
    .instruction_change_o(instruction_change),
    .capture_o           (capture),
    .exception_enabled_i (exception_enabled),
    .regs_o              (regs),
    .evtypers_o          (evtypers),
    .controls_o          (controls),
    .evtyper_o           (evtyper),
    .mtpmu_disabled_o
  );

  pmuv3_snapshot #(
    .Lanes(Lanes)
  ) u_snapshot (
    .clk_i,
    .rst_ni,
    .rst_agent_ni,
    .cfg_i,
    .cycle_i,
    .thread_i   (self),
    .regs_i     (regs),
    .write_i    (capture),
    .request_i  (capture_i),
    .value_i    (value),
    .pmccntr_i  (others.pmccntr),
    .pmicntr_i  (others.pmicntr),
    .pmsscr_o   (others.pmsscr),
    .svr_o      (svr),
    .pmccntsvr_o(others.pmccntsvr),
    .pmicntsvr_o(others.pmicntsvr),
    .captured_o
  );

  ////////////
  // Filter //
  ////////////

  // The Effective MT. CHAIN ignores MT (MT-CHAIN).
  logic [Lanes-1:0] mt_eff;
  assign mt_eff = evtypers.mt & ~evtypers.chain & {Lanes{mt_enable_i}};

  // PMOVS.F0 freezes the counters of the first range, and the BRBE, only if the instruction counter
  // is not in synchronous mode.
  logic instruction_freezes;
  assign instruction_freezes = others.fixed_overflow[1]
                               && !regs.pmicfiltr[pmuv3_pkg::PmicfiltrSyncLsb];

  logic [Lanes-1:0]            running;
  logic [Lanes*NumThreads-1:0] eligible, counts_current, counts_other, counts_unattributable;
  logic                        frozen_r1, frozen_dp, prohibited_r1;
  pmuv3_filter #(
    .NumThreads(NumThreads),
    .Thread    (Thread),
    .Lanes     (Lanes)
  ) u_filter (
    .cfg_i,
    .threads_i,
    .regs_i                 (regs),
    .instruction_freezes_i  (instruction_freezes),
    .evtypers_i             (evtypers),
    .controls_i             (controls),
    .overflow_i             (overflow),
    .mt_i                   (mt_eff),
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
    .rst_ni             (rst_agent_ni),
    .cycle_i,
    .cfg_i,
    .thread_i           (self),
    .regs_i             (regs),
    .frozen_dp_i        (frozen_dp),
    .prohibited_r1_i    (prohibited_r1),
    .exception_enabled_i(exception_enabled),
    .change_i           (cycle_change),
    .halves_i           (halves),
    .wdata_i            (access.wdata),
    .value_o            (others.pmccntr),
    .overflow_o         (others.fixed_overflow[0]),
    .pulse_o            (pulse_o[31])
  );

  pmuv3_instruction_counter u_instruction_counter (
    .clk_i,
    .rst_ni,
    .rst_agent_ni,
    .cycle_i,
    .cfg_i,
    .thread_i    (self),
    .regs_i      (regs),
    .occurrence_i(inst_retired),
    .frozen_r1_i (frozen_r1),
    .change_i    (instruction_change),
    .halves_i    (halves),
    .wdata_i     (access.wdata),
    .value_o     (others.pmicntr),
    .overflow_o  (others.fixed_overflow[1]),
    .pulse_o     (pulse_o[32])
  );

  logic [Lanes-1:0] pulse;
  assign pulse_o[30:0] = 31'(pulse);

  for (genvar n = 0; n < Lanes; n++) begin : g_lane
    // These signals are local to the lane. Simulators would take one vector over all lanes for a
    // combinational loop, since even lanes feed odd lanes.
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

    // This counter's bit, for each source thread.
    logic [NumThreads-1:0] may, may_current, may_other, may_unattributable;
    for (genvar b = 0; b < NumThreads; b++) begin : g_source
      assign may[b]                = eligible[Lanes*b+n];
      assign may_current[b]        = counts_current[Lanes*b+n];
      assign may_other[b]          = counts_other[Lanes*b+n];
      assign may_unattributable[b] = counts_unattributable[Lanes*b+n];
    end

    logic [7:0] selected;  // event_index_t
    assign selected = evtypers.event_index[8*n+:8];

    pmuv3_attribution #(
      .NumThreads(NumThreads),
      .Thread    (Thread),
      .ValueWidth(ValueWidth)
    ) u_attribution (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .event_i                (selected),
      .class_i                (evtypers.event_class[3*n+:3]),
      .mt_i                   (mt_eff[n]),
      .running_i              (running[n]),
      .chain_i                (neighbour_chain),
      .eligible_i             (may),
      .counts_current_i       (may_current),
      .counts_other_i         (may_other),
      .counts_unattributable_i(may_unattributable),
      .occurrence_i           (occurrence_i[OccurrencesWidth*selected+:OccurrencesWidth]),
      .stall_backend_i,
      .active_i               (self.active),
      .wfx_i,
      .slots_i                (cfg_i.slots),
      .stall_cycles_i         (cfg_i.k_stall_cycles == pmuv3_pkg::KStallCyclesCpuCycles),
      .chain_anywhere_i       (cfg_i.k_chain_filter == pmuv3_pkg::KChainFilterIgnore),
      .swinc_i                (changes.swinc[n] && !self.halted),
      .pending_o              (pending_o[9*n+:9]),
      .pending_i              (pending_i[9*NumThreads*n+:9*NumThreads]),
      .captured_i,
      .allowed_o              (allowed),
      .vb_o                   (vb)
    );

    pmuv3_threshold #(
      .ValueWidth(ValueWidth)
    ) u_threshold (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .tc_i     (evtypers.tc[3*n+:3]),
      .te_i     (evtypers.te[n]),
      .tlc_i    (evtypers.tlc[2*n+:2]),
      .th_i     (evtypers.th[12*n+:12]),
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
      .rst_ni   (rst_agent_ni),
      .cycle_i,
      .wide_i   (cfg_i.feat_pmuv3p5 && cfg_i.aa64),
      .v_i      (v),
      .zero_i   (changes.zero[n]),
      .write_i  (changes.write[n]),
      .halves_i (halves),
      .wdata_i  (access.wdata),
      .value_o  (value[64*n+:64]),
      .carry31_o(carry31),
      .carry63_o(carry63)
    );

    pmuv3_overflow u_overflow (
      .clk_i,
      .rst_ni           (rst_agent_ni),
      .cycle_i,
      .carry31_i        (carry31),
      .carry63_i        (carry63),
      .long_overflow_i  (controls.long_overflow[n]),
      .range_continues_i(controls.range_continues[n]),
      .set_i            (changes.overflow_set[n]),
      .clear_i          (changes.overflow_clear[n]),
      .overflow_o       (overflow[n]),
      .pulse_o          (pulse[n]),
      .chain_o          (chain)
    );

`ifdef PMUV3_PROBE
    assign probe_allowed_o[n]       = allowed;
    assign probe_ct_o[n]            = ct;
    assign probe_cp_o[n]            = cp;
    assign probe_ce_o[n]            = ce;
    assign probe_vb_o[16*n+:16]   = 16'(vb);
    assign probe_vt_o[16*n+:16]   = 16'(vt);
    assign probe_ve_o[16*n+:16]   = 16'(ve);
    assign probe_v_o[16*n+:16]    = 16'(v);
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
    .thread_i              (self),
    .regs_i                (regs),
    .evtypers_i            (evtypers),
    .controls_i            (controls),
    .overflow_i            (overflow),
    .fixed_overflow_i      (others.fixed_overflow),
    .instruction_freezes_i (instruction_freezes),
    .enabled_o             (exception_enabled),
    .irq_o,
    .cti_o,
    .exception_o,
    .halt_o,
    .brbe_o
  );

`ifdef PMUV3_PROBE
  assign probe_value_o          = value;
  assign probe_evtyper_o        = evtyper;
  assign probe_overflow_o       = overflow;
  assign probe_cnten_o          = controls.enable;
  assign probe_inten_o          = controls.interrupt_enable;
  `PMUV3_PROBE_REGS(regs)
  assign probe_pmccntr_o        = others.pmccntr;
  assign probe_pmicntr_o        = others.pmicntr;
  assign probe_fixed_overflow_o = others.fixed_overflow;
  assign probe_fixed_cnten_o    = regs.fixed_enable;
  assign probe_fixed_inten_o    = regs.fixed_interrupt_enable;
  assign probe_pmsscr_o         = others.pmsscr;
  assign probe_pmccr_o          = self.present ? others.pmccr : 64'd0;
  assign probe_pmlsr_o          = self.present ? others.pmlsr : 64'd0;
  assign probe_svr_o            = svr;
  assign probe_pmccntsvr_o      = others.pmccntsvr;
  assign probe_pmicntsvr_o      = others.pmicntsvr;
`else
  logic unused_state;
  assign unused_state = ^{evtyper, others};
`endif

  logic unused_bits;
  assign unused_bits = ^{self, evtypers, controls, changes};

endmodule

`default_nettype wire
