// The proof's top: pmuv3 with every input free, pmuv3_rules_thread for each thread, and the
// assumptions. The top does not use `bind`, since Yosys 0.23 drops `bind` without a message.
//
// Lint, with the sources of rtl/CMakeLists.txt before these:
//   $ verilator --lint-only -Wall -Wno-PINMISSING -Wno-UNDRIVEN -Wno-UNUSEDSIGNAL -Wno-SYNCASYNCNET
//     -Wno-DECLFILENAME --assert -DPMUV3_PROBE --top-module pmuv3_proof ...
// The options allow for outputs that no property reads, for seen_* that ../yosys.sh connects, and
// for properties that read the resets.
`default_nettype none

module pmuv3_proof #(
  parameter  int unsigned NumThreads  = 1,
  parameter  int unsigned NumCounters = 2,
  parameter  int unsigned NumEvents   = 3,
  localparam int unsigned Lanes = NumCounters
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic rst_cold_ni,
  input wire logic cycle_i,
  input wire logic [pmuv3_pkg::PeWidth*NumThreads-1:0]      pe_i,
  input wire logic [pmuv3_pkg::ContextWidth*NumThreads-1:0] other_i,
  input wire logic [pmuv3_pkg::OccurrenceWidth*NumThreads*NumEvents-1:0] occurrence_i,
  input wire logic [NumThreads-1:0]    reg_write_i,
  input wire logic [NumThreads-1:0]    reg_read_i,
  input wire logic [NumThreads-1:0]    reg_checked_i,
  input wire logic [16*NumThreads-1:0] reg_addr_i,
  input wire logic [64*NumThreads-1:0] reg_wdata_i,
  input wire logic [NumThreads-1:0]    capture_i,
  input wire logic        pclken_i,
  input wire logic        psel_i,
  input wire logic        penable_i,
  input wire logic        pwrite_i,
  input wire logic [13:0] paddr_i,
  input wire logic        pnse_i,
  input wire logic [2:0]  pprot_i,
  input wire logic [31:0] pwdata_i,
  input wire logic [3:0]  pstrb_i
);

  // Any value, the same in every clock. So an event is any number with any class, attribution and
  // traits.
  (* anyconst *) pmuv3_pkg::config_t cfg;
  (* anyconst *) logic [pmuv3_pkg::EventWidth*NumEvents-1:0] events;

  pmuv3_legal #(
    .NumThreads (NumThreads),
    .NumCounters(NumCounters),
    .NumEvents  (NumEvents)
  ) u_legal (
    .clk_i,
    .rst_ni,
    .rst_cold_ni,
    .cfg_i   (cfg),
    .events_i(events),
    .pe_i,
    .other_i,
    .reg_write_i,
    .reg_read_i,
    .psel_i
  );

  logic [NumThreads-1:0]   irq, cti, halt;
  logic [2*NumThreads-1:0] brbe;
  logic [33*NumThreads-1:0] pulse;
  logic [4*NumThreads-1:0] exception;
  logic [Lanes*NumThreads-1:0] probe_allowed;
  logic [Lanes*NumThreads-1:0] probe_ct;
  logic [Lanes*NumThreads-1:0] probe_cp;
  logic [Lanes*NumThreads-1:0] probe_ce;
  logic [16*Lanes*NumThreads-1:0] probe_vb;
  logic [16*Lanes*NumThreads-1:0] probe_vt;
  logic [16*Lanes*NumThreads-1:0] probe_ve;
  logic [16*Lanes*NumThreads-1:0] probe_v;
  logic [64*Lanes*NumThreads-1:0] probe_value;
  logic [64*Lanes*NumThreads-1:0] probe_evtyper;
  logic [Lanes*NumThreads-1:0] probe_overflow;
  logic [Lanes*NumThreads-1:0] probe_cnten;
  logic [Lanes*NumThreads-1:0] probe_inten;
  logic [64*NumThreads-1:0] probe_pmcr;
  logic [64*NumThreads-1:0] probe_mdcr_el2;
  logic [64*NumThreads-1:0] probe_mdcr_el3;
  logic [64*NumThreads-1:0] probe_sder;
  logic [64*NumThreads-1:0] probe_pmccfiltr;
  logic [64*NumThreads-1:0] probe_pmicfiltr;
  logic [64*NumThreads-1:0] probe_pmccntr;
  logic [64*NumThreads-1:0] probe_pmicntr;
  logic [2*NumThreads-1:0] probe_fixed_overflow;
  logic [2*NumThreads-1:0] probe_fixed_cnten;
  logic [2*NumThreads-1:0] probe_fixed_inten;
  logic [64*NumThreads-1:0] probe_pmuserenr;
  logic [64*NumThreads-1:0] probe_pmuacr;
  logic [64*NumThreads-1:0] probe_pmecr;
  logic [64*NumThreads-1:0] probe_pmccr;

  pmuv3 #(
    .NumThreads (NumThreads),
    .NumCounters(NumCounters),
    .NumEvents  (NumEvents)
  ) u_pmuv3 (
    .clk_i,
    .rst_ni,
    .rst_cold_ni,
    .cfg_i           (cfg),
    .events_i        (events),
    .cycle_i,
    .pe_i,
    .other_i,
    .occurrence_i,
    .reg_write_i,
    .reg_read_i,
    .reg_checked_i,
    .reg_addr_i,
    .reg_wdata_i,
    .capture_i,
    .pclken_i,
    .psel_i,
    .penable_i,
    .pwrite_i,
    .paddr_i,
    .pnse_i,
    .pprot_i,
    .pwdata_i,
    .pstrb_i,
    .irq_o           (irq),
    .cti_o           (cti),
    .exception_o     (exception),
    .halt_o          (halt),
    .brbe_o          (brbe),
    .pulse_o         (pulse),
    .probe_allowed_o       (probe_allowed),
    .probe_ct_o            (probe_ct),
    .probe_cp_o            (probe_cp),
    .probe_ce_o            (probe_ce),
    .probe_vb_o            (probe_vb),
    .probe_vt_o            (probe_vt),
    .probe_ve_o            (probe_ve),
    .probe_v_o             (probe_v),
    .probe_value_o         (probe_value),
    .probe_evtyper_o       (probe_evtyper),
    .probe_overflow_o      (probe_overflow),
    .probe_cnten_o         (probe_cnten),
    .probe_inten_o         (probe_inten),
    .probe_pmcr_o          (probe_pmcr),
    .probe_mdcr_el2_o      (probe_mdcr_el2),
    .probe_mdcr_el3_o      (probe_mdcr_el3),
    .probe_sder_o          (probe_sder),
    .probe_pmccfiltr_o     (probe_pmccfiltr),
    .probe_pmicfiltr_o     (probe_pmicfiltr),
    .probe_pmccntr_o       (probe_pmccntr),
    .probe_pmicntr_o       (probe_pmicntr),
    .probe_fixed_overflow_o(probe_fixed_overflow),
    .probe_fixed_cnten_o   (probe_fixed_cnten),
    .probe_fixed_inten_o   (probe_fixed_inten),
    .probe_pmuserenr_o     (probe_pmuserenr),
    .probe_pmuacr_o        (probe_pmuacr),
    .probe_pmecr_o         (probe_pmecr),
    .probe_pmccr_o         (probe_pmccr)
  );

  // Registers of the RTL that no output shows. yosys.sh connects them when the hierarchy is flat,
  // and checks that each of them has a driver.
  wire logic [8*NumThreads*Lanes-1:0]  seen_pending;    // thread b's counter n at NumThreads*n+b
  wire logic [8*NumThreads*Lanes-1:0]  seen_event;      // from here on at Lanes*b+n
  wire logic [3*NumThreads*Lanes-1:0]  seen_class;
  wire logic [64*NumThreads*Lanes-1:0] seen_rest;       // PMEVTYPER without TC, TE and TH
  wire logic [64*NumThreads*Lanes-1:0] seen_threshold;  // TC, TE and TH
  wire logic [20*NumThreads*Lanes-1:0] seen_decoded;    // decoded bits of PMEVTYPER
  // The occurrences of the counter's event that the counter looks up, on each thread
  wire logic [32*NumThreads*NumThreads*Lanes-1:0] seen_lookup;
  wire logic [NumThreads-1:0]          seen_mtpme;
  wire logic [NumThreads-1:0]          seen_captured;   // a PMU_SNAPSHOT waits
  wire logic [6*NumThreads-1:0]        seen_divider;    // the cycle counter's

  logic page_write;
  assign page_write = psel_i && penable_i && pclken_i && pwrite_i;

  for (genvar t = 0; t < NumThreads; t++) begin : g_thread
    pmuv3_rules_thread #(
      .NumThreads (NumThreads),
      .NumCounters(NumCounters),
      .NumEvents  (NumEvents),
      .Thread     (t)
    ) u_rules (
      .clk_i,
      .rst_ni,
      .rst_cold_ni,
      .cfg_i           (cfg),
      .events_i        (events),
      .cycle_i,
      .pe_i,
      .other_i,
      .occurrence_i,
      .reg_write_i,
      .reg_checked_i,
      .reg_addr_i,
      .reg_wdata_i,
      .page_write_i    (page_write),
      .irq_i           (irq[t]),
      .cti_i           (cti[t]),
      .exception_i     (exception[4*t+:4]),
      .halt_i          (halt[t]),
      .brbe_i          (brbe[2*t+:2]),
      .pulse_i         (pulse[33*t+:33]),
      .capture_i       (capture_i[t]),
      .allowed_i        (probe_allowed[Lanes*t+:Lanes]),
      .ct_i             (probe_ct[Lanes*t+:Lanes]),
      .cp_i             (probe_cp[Lanes*t+:Lanes]),
      .ce_i             (probe_ce[Lanes*t+:Lanes]),
      .vb_i             (probe_vb[16*Lanes*t+:16*Lanes]),
      .vt_i             (probe_vt[16*Lanes*t+:16*Lanes]),
      .ve_i             (probe_ve[16*Lanes*t+:16*Lanes]),
      .v_i              (probe_v[16*Lanes*t+:16*Lanes]),
      .value_i          (probe_value[64*Lanes*t+:64*Lanes]),
      .evtyper_i        (probe_evtyper[64*Lanes*t+:64*Lanes]),
      .overflow_i       (probe_overflow[Lanes*t+:Lanes]),
      .cnten_i          (probe_cnten[Lanes*t+:Lanes]),
      .inten_i          (probe_inten[Lanes*t+:Lanes]),
      .pmcr_i           (probe_pmcr[64*t+:64]),
      .all_mdcr_el2_i   (probe_mdcr_el2),
      .all_mdcr_el3_i   (probe_mdcr_el3),
      .sder_i           (probe_sder[64*t+:64]),
      .pmccfiltr_i      (probe_pmccfiltr[64*t+:64]),
      .pmicfiltr_i      (probe_pmicfiltr[64*t+:64]),
      .pmccntr_i        (probe_pmccntr[64*t+:64]),
      .pmicntr_i        (probe_pmicntr[64*t+:64]),
      .fixed_overflow_i (probe_fixed_overflow[2*t+:2]),
      .fixed_cnten_i    (probe_fixed_cnten[2*t+:2]),
      .fixed_inten_i    (probe_fixed_inten[2*t+:2]),
      .pmuserenr_i      (probe_pmuserenr[64*t+:64]),
      .pmuacr_i         (probe_pmuacr[64*t+:64]),
      .pmecr_i          (probe_pmecr[64*t+:64]),
      .all_pmccr_i      (probe_pmccr),
      .seen_pending_i   (seen_pending),
      .seen_event_i     (seen_event[8*Lanes*t+:8*Lanes]),
      .seen_class_i     (seen_class[3*Lanes*t+:3*Lanes]),
      .seen_rest_i      (seen_rest[64*Lanes*t+:64*Lanes]),
      .seen_threshold_i(seen_threshold[64*Lanes*t+:64*Lanes]),
      .seen_decoded_i   (seen_decoded[20*Lanes*t+:20*Lanes]),
      .seen_lookup_i    (seen_lookup[32*NumThreads*Lanes*t+:32*NumThreads*Lanes]),
      .seen_mtpme_i     (seen_mtpme[t]),
      .seen_captured_i  (seen_captured),
      .seen_divider_i   (seen_divider[6*t+:6])
    );
  end

endmodule

`default_nettype wire
