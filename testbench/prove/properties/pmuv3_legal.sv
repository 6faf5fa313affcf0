// All assumptions of the proof: a legal configuration and legal states of the threads
// (docs/reference/rtl.md, "Parameters and configuration" and "Resets"; formats.md, "States"). The
// other context of a thread is legal, too, also in a clock in which nothing occurs in it. All other
// inputs are free in every clock.
`default_nettype none

module pmuv3_legal #(
  parameter int unsigned NumThreads  = 1,
  parameter int unsigned NumCounters = 2,
  parameter int unsigned NumEvents   = 1
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic rst_cold_ni,
  input wire pmuv3_pkg::config_t cfg_i,
  input wire logic [pmuv3_pkg::EventWidth*NumEvents-1:0]    events_i,
  input wire logic [pmuv3_pkg::PeWidth*NumThreads-1:0]      pe_i,
  input wire logic [pmuv3_pkg::ContextWidth*NumThreads-1:0] other_i,
  input wire logic [NumThreads-1:0] reg_write_i,
  input wire logic [NumThreads-1:0] reg_read_i,
  input wire logic                  psel_i
);

  localparam logic [2:0] MaxThreads  = 3'(NumThreads);
  localparam logic [4:0] MaxCounters = 5'(NumCounters);

  // The proof starts with a reset. The induction step starts in any state.
  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic needs_aa64, external;
  assign needs_aa64 = cfg_i.feat_th || cfg_i.feat_edge || cfg_i.feat_th2 || cfg_i.feat_sme
                      || cfg_i.feat_icntr || cfg_i.feat_rme || cfg_i.feat_sel2 || cfg_i.feat_ebep
                      || cfg_i.feat_sebep || cfg_i.feat_ss || cfg_i.feat_spe || cfg_i.feat_dpfzs
                      || cfg_i.feat_extpmn;
  assign external   = cfg_i.feat_ext32 || cfg_i.feat_ext64;

  always_comb begin
    // The instance has no more threads.
    legal_threads: assume (cfg_i.threads >= 3'd1 && cfg_i.threads <= MaxThreads);
    legal_counters: assume (cfg_i.counters <= MaxCounters);
    // PMMIR.THWIDTH = 0 means no TH. 13 to 15 are reserved.
    legal_th_width: assume (cfg_i.th_width >= 4'd1 && cfg_i.th_width <= 4'd12);
    // PMMIR.BUS_WIDTH: 1, 2 and 13 to 15 are reserved.
    legal_bus_width: assume (cfg_i.bus_width == 4'd0
                             || (cfg_i.bus_width >= 4'd3 && cfg_i.bus_width <= 4'd12));
    // PMAUTHSTATUS has no other bits.
    legal_authstatus: assume ((cfg_i.authstatus & ~pmuv3_pkg::AuthstatusMask) == 32'd0);
    // Each feature comes with the features that it implies.
    legal_versions: assume ((!cfg_i.feat_pmuv3p9 || cfg_i.feat_pmuv3p8)
                            && (!cfg_i.feat_pmuv3p8 || cfg_i.feat_pmuv3p7)
                            && (!cfg_i.feat_pmuv3p7 || cfg_i.feat_pmuv3p5)
                            && (!cfg_i.feat_pmuv3p5 || cfg_i.feat_pmuv3p4)
                            && (!cfg_i.feat_pmuv3p4 || cfg_i.feat_pmuv3p1));
    legal_thresholds: assume ((!cfg_i.feat_th2 || cfg_i.feat_edge)
                              && (!cfg_i.feat_edge || cfg_i.feat_th));
    legal_extensions: assume ((!cfg_i.feat_icntr || cfg_i.feat_pmuv3p9)
                              && (!cfg_i.feat_ss || cfg_i.feat_pmuv3p9)
                              && (!cfg_i.feat_sebep || cfg_i.feat_ebep)
                              && (!cfg_i.feat_spe || cfg_i.feat_pmuv3p7)
                              && (!cfg_i.feat_dpfzs || cfg_i.feat_spe));
    // Features that need an Exception level.
    legal_levels: assume ((!cfg_i.feat_hpmn0 || cfg_i.el2) && (!cfg_i.feat_sel2 || cfg_i.el2)
                          && (!cfg_i.feat_rme || cfg_i.el3));
    // Otherwise HPMN has no legal value (rules.md, A.1).
    legal_no_counters: assume (cfg_i.counters != 5'd0 || !cfg_i.el2 || cfg_i.feat_hpmn0);
    legal_external: assume (!(cfg_i.feat_ext32 && cfg_i.feat_ext64));
    legal_extpmn: assume (!cfg_i.feat_extpmn
                          || (external && (!cfg_i.el2 || cfg_i.feat_hpmn0)));
    // Features that need AArch64.
    legal_aa64: assume (cfg_i.aa64 || !needs_aa64);
    // I-2: only an implemented Exception level can use AArch32, and with SS only EL0. Without
    // AArch64 every Exception level uses AArch32.
    legal_aa32: assume (!cfg_i.aa64 ? cfg_i.aa32 == pmuv3_pkg::Aa32El3
                        : cfg_i.feat_ss ? cfg_i.aa32 <= pmuv3_pkg::Aa32El0
                        : cfg_i.el3 ? cfg_i.aa32 <= pmuv3_pkg::Aa32El3
                        : cfg_i.el2 ? cfg_i.aa32 <= pmuv3_pkg::Aa32El2
                                    : cfg_i.aa32 <= pmuv3_pkg::Aa32El1);
    // MT without MTPMU exists only in Armv8.5 and earlier (D13.6-5).
    legal_mt_legacy: assume (cfg_i.k_mt_legacy == pmuv3_pkg::KMtLegacyRes0
                             || (!cfg_i.feat_mtpmu && !cfg_i.feat_pmuv3p7));

    // The first clock is in reset. A Cold reset is also a Warm reset. Nothing writes in reset.
    legal_start: assume (started_q || (!rst_ni && !rst_cold_ni));
    legal_cold: assume (rst_cold_ni || !rst_ni);
    legal_reset: assume (rst_ni || (reg_write_i == '0 && (cfg_i.feat_extpmn || !psel_i)));
    // A System register port makes at most one access in a clock.
    legal_access: assume ((reg_write_i & reg_read_i) == '0);
  end

  // Rows that are not used are 0, and come last. The others have a class, an attribution, and no
  // event that the PMU makes itself, and are in order of their numbers.
  logic [NumEvents-1:0] legal_row;
  for (genvar e = 0; e < NumEvents; e++) begin : g_event
    logic [pmuv3_pkg::EventWidth-1:0] row;
    logic [2:0]                       attribution, kind;
    logic [15:0]                      number;
    logic                             in_order;
    assign row = events_i[pmuv3_pkg::EventWidth*e+:pmuv3_pkg::EventWidth];
    assign {attribution, kind, number} = row[21:0];
    if (e == 0) begin : g_first
      assign in_order = 1'b1;
    end else begin : g_next
      assign in_order = events_i[pmuv3_pkg::EventWidth*(e-1)+:16] != 16'h0000
                        && events_i[pmuv3_pkg::EventWidth*(e-1)+:16] < number;
    end
    assign legal_row[e] = row == '0 || (in_order && kind >= pmuv3_pkg::EventClassCount
                                        && kind <= pmuv3_pkg::EventClassSlots
                                        && attribution <= pmuv3_pkg::EventAttributionTrace
                                        && number != 16'h0000 && number != 16'h0011
                                        && number != 16'h001E && number != 16'h8127);
  end
  always_comb begin
    legal_events: assume (&legal_row);
  end

  // States that exist in the configuration. EL3 is in Root state with RME, else in Secure state.
  // Realm needs RME. Secure EL2 needs SEL2 if there is EL3.
  for (genvar t = 0; t < NumThreads; t++) begin : g_thread
    logic [pmuv3_pkg::PeWidth-1:0]      pe;
    logic [pmuv3_pkg::ContextWidth-1:0] left;
    assign pe   = pe_i[pmuv3_pkg::PeWidth*t+:pmuv3_pkg::PeWidth];
    assign left = other_i[pmuv3_pkg::ContextWidth*t+:pmuv3_pkg::ContextWidth];
    pmuv3_legal_context u_state (.cfg_i, .el_i(pe[1:0]), .ss_i(pe[3:2]));
    pmuv3_legal_context u_left (.cfg_i, .el_i(left[1:0]), .ss_i(left[3:2]));
    pmuv3_legal_states u_states (.cfg_i, .pe_i(pe));
  end

  // The assumptions together are not vacuous: a clock after reset can count.
  always_comb begin
    legal_seen: cover (started_q && rst_ni && cfg_i.threads == MaxThreads
                       && cfg_i.counters == MaxCounters);
  end

endmodule

module pmuv3_legal_context (
  input wire pmuv3_pkg::config_t cfg_i,
  input wire logic [1:0] el_i,
  input wire logic [1:0] ss_i
);
  always_comb begin
    legal_level: assume ((el_i != 2'd3 || cfg_i.el3) && (el_i != 2'd2 || cfg_i.el2));
    legal_el3: assume (el_i != 2'd3 || ss_i == (cfg_i.feat_rme ? pmuv3_pkg::SsRoot
                                                               : pmuv3_pkg::SsSecure));
    legal_below_el3: assume (el_i == 2'd3 || (ss_i != pmuv3_pkg::SsRoot
                                              && (ss_i != pmuv3_pkg::SsRealm || cfg_i.feat_rme)));
  end
endmodule

module pmuv3_legal_states (
  input wire pmuv3_pkg::config_t cfg_i,
  input wire pmuv3_pkg::pe_t pe_i
);
  always_comb begin
    // I-2: an Exception level uses AArch32 only if it can.
    legal_a32el3: assume (!pe_i.a32el3 || (cfg_i.el3 && cfg_i.aa32 >= pmuv3_pkg::Aa32El3));
    legal_a32el2: assume (!pe_i.a32el2 || (cfg_i.el2 && cfg_i.aa32 >= pmuv3_pkg::Aa32El2
                                           && (pe_i.a32el1 || pe_i.a32el3)));
    legal_a32el1: assume (!pe_i.a32el1 || cfg_i.aa32 >= pmuv3_pkg::Aa32El1);
    legal_a32: assume (!pe_i.aa32 || cfg_i.aa32 > {1'b0, pe_i.el});
    // I-12: under an EL3 in AArch32 there is no Secure EL1 or EL2. aa32 agrees with a32el1 and
    // a32el3 at the current Exception level.
    legal_secure: assume (!((pe_i.a32el3 || !cfg_i.aa64) && cfg_i.el3
                            && pe_i.ss == pmuv3_pkg::SsSecure
                            && (pe_i.el == 2'd1 || pe_i.el == 2'd2)));
    legal_aa32: assume (!pe_i.aa32 || !cfg_i.aa64 || pe_i.a32el3 || pe_i.el == 2'd0
                        || (pe_i.el != 2'd3 && pe_i.a32el1));
    // FGWTE3_EL3 exists only with its feature.
    legal_fgwte3: assume (!pe_i.fgwte3 || cfg_i.feat_fgwte3);
    // D.3: in AArch32 state SM is 0. All levels below a level in AArch32 use AArch32.
    legal_sm: assume (!pe_i.sm || !(!cfg_i.aa64 || pe_i.aa32 || pe_i.a32el3
                                    || (pe_i.el <= 2'd2 && pe_i.a32el2)
                                    || (pe_i.el <= 2'd1 && pe_i.a32el1)));
  end
endmodule

`default_nettype wire
