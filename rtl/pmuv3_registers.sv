// The programmer's model: decodes register accesses, owns what configures the other rooms, and
// reads back theirs.
//
//   owns   PMCR.{E, LP}, MDCR_EL2, PMEVTYPER<n>, PMCNTEN, PMINTEN
//   reads  PMEVCNTR<n> (pmuv3_counter) and PMOVS (pmuv3_overflow), and sends writes there
//
// Timing: a write is applied at the clock edge, with the Processor-cycle strobe high or low; the
// configuration outputs show it after that edge. Reads, errors and the write strobes to other
// rooms are combinational from the access.
//
// Whatever depends on registers alone is prepared here for all counters at once: which of them are
// implemented, their ranges (DXWVNH), global enables and overflow widths; and evtCount becomes an
// event index when it is written.
`default_nettype none

module pmuv3_registers #(
  // Counters elaborated. cfg_i.counters of them, the lowest, are implemented; the registers and
  // bits of the others do not exist.
  parameter  int unsigned Lanes = 31,
  localparam int unsigned EventWidth = $bits(pmuv3_pkg::EventNone)
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic rst_cold_ni,
  input  wire pmuv3_pkg::config_t cfg_i,

  // The access
  input  wire logic        reg_write_i,
  input  wire logic        reg_read_i,
  input  wire logic [15:0] reg_addr_i,
  input  wire logic [63:0] reg_wdata_i,
  output logic [63:0]      reg_rdata_o,
  output logic             reg_error_o,

  // Registers of other rooms
  input  wire logic [64*Lanes-1:0] value_i,
  input  wire logic [Lanes-1:0]    overflow_i,
  output logic                     counter_zero_o,
  output logic [Lanes-1:0]         counter_write_o,
  output logic [Lanes-1:0]         overflow_set_o,
  output logic [Lanes-1:0]         overflow_clear_o,
  output logic [Lanes-1:0]         swinc_o,

  // Configuration of each counter
  output logic [EventWidth*Lanes-1:0] event_o,
  output logic [3*Lanes-1:0]  tc_o,
  output logic [Lanes-1:0]    te_o,
  output logic [2*Lanes-1:0]  tlc_o,
  output logic [12*Lanes-1:0] th_o,
  output logic [Lanes-1:0]    counter_enable_o,    // PMCNTEN
  output logic [Lanes-1:0]    global_enable_o,     // of its range
  output logic [Lanes-1:0]    interrupt_enable_o,  // PMINTEN
  output logic [Lanes-1:0]    long_overflow_o,     // LP_eff: overflow is a carry out of bit 63
  output logic [Lanes-1:0]    range_continues_o,   // counter n+1 is in the same range as n

  // As reads give them
  output logic [64*Lanes-1:0] evtyper_o,
  output logic [63:0]         pmcr_o,
  output logic [63:0]         mdcr_el2_o,
  output logic [63:0]         pmmir_o,
  output logic [63:0]         pmceid0_o,
  output logic [63:0]         pmceid1_o
);

  // The counters whose number is below n.
  function automatic logic [Lanes-1:0] below(input logic [4:0] n);
    below = ~({Lanes{1'b1}} << n);
  endfunction

  logic [Lanes-1:0] implemented;
  assign implemented = below(cfg_i.counters);

  // What nothing uses yet.
  logic unused_cfg;
  assign unused_cfg = ^{cfg_i.threads, cfg_i.k_restc, cfg_i.feat_pmuv3p9, cfg_i.feat_pmuv3p8,
                        cfg_i.feat_pmuv3p7, cfg_i.feat_sebep, cfg_i.feat_sel2, cfg_i.feat_rme,
                        cfg_i.feat_icntr};

  ////////////
  // Access //
  ////////////

  // The address of PMEVCNTR<n> and PMEVTYPER<n> is that of n = 0, with n in its low bits.
  logic [15:0] addr_n0;
  logic [4:0]  addr_n;
  logic        is_pmevcntr, is_pmevtyper;
  assign addr_n0      = {reg_addr_i[15:5], 5'd0};
  assign addr_n       = reg_addr_i[4:0];
  assign is_pmevcntr  = addr_n0 == pmuv3_pkg::RegPmevcntr && addr_n < cfg_i.counters;
  assign is_pmevtyper = addr_n0 == pmuv3_pkg::RegPmevtyper && addr_n < cfg_i.counters;

  logic        readable, writable;
  logic [63:0] rdata;

  always_comb begin
    readable = 1'b1;
    writable = 1'b1;
    rdata    = 64'd0;
    unique case (reg_addr_i)
      pmuv3_pkg::RegPmcr:       rdata = pmcr_o;
      pmuv3_pkg::RegPmcntenset: rdata[Lanes-1:0] = counter_enable_o;
      pmuv3_pkg::RegPmcntenclr: rdata[Lanes-1:0] = counter_enable_o;
      pmuv3_pkg::RegPmintenset: rdata[Lanes-1:0] = interrupt_enable_o;
      pmuv3_pkg::RegPmintenclr: rdata[Lanes-1:0] = interrupt_enable_o;
      pmuv3_pkg::RegPmovsset:   rdata[Lanes-1:0] = overflow_i;
      pmuv3_pkg::RegPmovsclr:   rdata[Lanes-1:0] = overflow_i;
      pmuv3_pkg::RegMdcrEl2:    rdata = mdcr_el2_o;
      pmuv3_pkg::RegPmswinc:    readable = 1'b0;
      pmuv3_pkg::RegPmceid0: begin
        rdata    = pmceid0_o;
        writable = 1'b0;
      end
      pmuv3_pkg::RegPmceid1: begin
        rdata    = pmceid1_o;
        writable = 1'b0;
      end
      pmuv3_pkg::RegPmmir: begin
        rdata    = pmmir_o;
        readable = cfg_i.feat_pmuv3p4;
        writable = 1'b0;
      end
      default: begin
        if (is_pmevcntr) begin
          rdata = value_i[64*addr_n+:64];
        end else if (is_pmevtyper) begin
          rdata = evtyper_o[64*addr_n+:64];
        end else begin
          readable = 1'b0;
          writable = 1'b0;
        end
      end
    endcase
  end

  assign reg_rdata_o = reg_read_i && readable ? rdata : 64'd0;
  assign reg_error_o = (reg_write_i && !writable) || (reg_read_i && !readable);

  logic             write, write_pmcr, write_mdcr_el2;
  logic [Lanes-1:0] write_evtyper, select;
  assign write           = reg_write_i && writable;
  assign write_pmcr      = write && reg_addr_i == pmuv3_pkg::RegPmcr;
  assign write_mdcr_el2  = write && reg_addr_i == pmuv3_pkg::RegMdcrEl2 && cfg_i.el2;
  assign write_evtyper   = Lanes'(write && is_pmevtyper) << addr_n;
  assign counter_write_o = Lanes'(write && is_pmevcntr) << addr_n;

  // The counters that a write of a bit per counter selects.
  assign select           = reg_wdata_i[Lanes-1:0] & implemented & {Lanes{write}};
  assign overflow_set_o   = reg_addr_i == pmuv3_pkg::RegPmovsset ? select : '0;
  assign overflow_clear_o = reg_addr_i == pmuv3_pkg::RegPmovsclr ? select : '0;
  assign swinc_o          = reg_addr_i == pmuv3_pkg::RegPmswinc ? select : '0;

  // PMCR.P zeroes the event counters of both ranges: the access has the rights of the highest EL.
  assign counter_zero_o = write_pmcr && reg_wdata_i[pmuv3_pkg::PmcrPLsb];

  ////////////////////
  // PMCR, MDCR_EL2 //
  ////////////////////

  logic pmcr_e_q, pmcr_lp_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pmcr_e_q  <= 1'b0;
      pmcr_lp_q <= 1'b0;
    end else if (write_pmcr) begin
      pmcr_e_q  <= reg_wdata_i[pmuv3_pkg::PmcrELsb];
      pmcr_lp_q <= reg_wdata_i[pmuv3_pkg::PmcrLpLsb] && cfg_i.feat_pmuv3p5;
    end
  end

  // HPMN resets to the number of counters. It is held as the difference from it, so that its flops
  // reset to a constant, whatever the configuration.
  logic [4:0] hpmn, hpmn_diff_q;
  logic       hpme_q, hlp_q, mtpme_q, mtpme_present;
  assign hpmn          = hpmn_diff_q ^ cfg_i.counters;
  assign mtpme_present = cfg_i.feat_mtpmu && !cfg_i.el3;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hpmn_diff_q <= 5'd0;
      hpme_q      <= 1'b0;
      hlp_q       <= 1'b0;
    end else if (write_mdcr_el2) begin
      hpmn_diff_q <= reg_wdata_i[pmuv3_pkg::MdcrEl2HpmnMsb:pmuv3_pkg::MdcrEl2HpmnLsb]
                     ^ cfg_i.counters;
      hpme_q      <= reg_wdata_i[pmuv3_pkg::MdcrEl2HpmeLsb];
      hlp_q       <= reg_wdata_i[pmuv3_pkg::MdcrEl2HlpLsb] && cfg_i.feat_pmuv3p5;
    end
  end

  // D13.6-8: a Warm reset leaves MTPME as it is.
  always_ff @(posedge clk_i or negedge rst_cold_ni) begin
    if (!rst_cold_ni) begin
      mtpme_q <= 1'b1;
    end else if (write_mdcr_el2) begin
      mtpme_q <= reg_wdata_i[pmuv3_pkg::MdcrEl2MtpmeLsb] || !mtpme_present;
    end
  end

  always_comb begin
    pmcr_o = 64'd0;
    pmcr_o[pmuv3_pkg::PmcrNMsb:pmuv3_pkg::PmcrNLsb] = cfg_i.counters;
    pmcr_o[pmuv3_pkg::PmcrLpLsb] = pmcr_lp_q;
    pmcr_o[pmuv3_pkg::PmcrELsb]  = pmcr_e_q;

    mdcr_el2_o = 64'd0;
    if (cfg_i.el2) begin
      mdcr_el2_o[pmuv3_pkg::MdcrEl2MtpmeLsb] = mtpme_q && mtpme_present;
      mdcr_el2_o[pmuv3_pkg::MdcrEl2HlpLsb]   = hlp_q;
      mdcr_el2_o[pmuv3_pkg::MdcrEl2HpmeLsb]  = hpme_q;
      mdcr_el2_o[pmuv3_pkg::MdcrEl2HpmnMsb:pmuv3_pkg::MdcrEl2HpmnLsb] = hpmn;
    end
  end

  ////////////
  // Ranges //
  ////////////

  // DXWVNH: the first range, R1, is the counters below HPMN, and R2 the others. A reserved HPMN
  // acts as the number of counters (K-HPMN-RES); without EL2 so it stays.
  logic             hpmn_reserved;
  logic [Lanes-1:0] range1;
  assign hpmn_reserved = hpmn > cfg_i.counters || (hpmn == 5'd0 && !cfg_i.feat_hpmn0);
  assign range1        = below(hpmn_reserved ? cfg_i.counters : hpmn);

  assign global_enable_o   = (range1 & {Lanes{pmcr_e_q}}) | (~range1 & {Lanes{hpme_q}});
  assign long_overflow_o   = (range1 & {Lanes{pmcr_lp_q}}) | (~range1 & {Lanes{hlp_q}});
  assign range_continues_o = ~(range1 ^ (range1 >> 1));

  //////////////////////
  // PMCNTEN, PMINTEN //
  //////////////////////

  logic [Lanes-1:0] counter_enable_q, interrupt_enable_q;
  assign counter_enable_o   = counter_enable_q;
  assign interrupt_enable_o = interrupt_enable_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      counter_enable_q   <= '0;
      interrupt_enable_q <= '0;
    end else begin
      unique case (reg_addr_i)
        pmuv3_pkg::RegPmcntenset: counter_enable_q   <= counter_enable_q | select;
        pmuv3_pkg::RegPmcntenclr: counter_enable_q   <= counter_enable_q & ~select;
        pmuv3_pkg::RegPmintenset: interrupt_enable_q <= interrupt_enable_q | select;
        pmuv3_pkg::RegPmintenclr: interrupt_enable_q <= interrupt_enable_q & ~select;
        default: ;
      endcase
    end
  end

  ///////////////
  // PMEVTYPER //
  ///////////////

  // The fields that these features have; TH has th_width bits, and only odd counters have TLC.
  logic [63:0] evtyper_even, evtyper_odd;
  always_comb begin
    evtyper_even = 64'd0;
    evtyper_even[pmuv3_pkg::PmevtyperEvtcountMsb:pmuv3_pkg::PmevtyperEvtcountLsb] = '1;
    evtyper_even[pmuv3_pkg::PmevtyperEvtcountHiMsb:pmuv3_pkg::PmevtyperEvtcountHiLsb] =
        {6{cfg_i.feat_pmuv3p1}};
    evtyper_even[pmuv3_pkg::PmevtyperMtLsb] = cfg_i.feat_mtpmu;
    if (cfg_i.feat_th) begin
      evtyper_even[pmuv3_pkg::PmevtyperTcMsb:pmuv3_pkg::PmevtyperTcLsb] = '1;
      evtyper_even[pmuv3_pkg::PmevtyperThMsb:pmuv3_pkg::PmevtyperThLsb] =
          ~(12'hFFF << cfg_i.th_width);
    end
    evtyper_even[pmuv3_pkg::PmevtyperTeLsb] = cfg_i.feat_edge;

    evtyper_odd = evtyper_even;
    evtyper_odd[pmuv3_pkg::PmevtyperTlcMsb:pmuv3_pkg::PmevtyperTlcLsb] = {2{cfg_i.feat_th2}};
  end

  pmuv3_pkg::event_t event_d;
  assign event_d = pmuv3_pkg::event_index(reg_wdata_i[15:0] & evtyper_even[15:0]);

  for (genvar n = 0; n < Lanes; n++) begin : g_evtyper
    logic [63:0]       evtyper_q;
    pmuv3_pkg::event_t event_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        evtyper_q <= 64'd0;
        event_q   <= pmuv3_pkg::EventSwIncr;
      end else if (write_evtyper[n]) begin
        evtyper_q <= reg_wdata_i & (n % 2 == 0 ? evtyper_even : evtyper_odd);
        event_q   <= event_d;
      end
    end

    assign evtyper_o[64*n+:64] = evtyper_q;
    assign event_o[EventWidth*n+:EventWidth] = event_q;
    assign tc_o[3*n+:3]   = evtyper_q[pmuv3_pkg::PmevtyperTcMsb:pmuv3_pkg::PmevtyperTcLsb];
    assign te_o[n]        = evtyper_q[pmuv3_pkg::PmevtyperTeLsb];
    assign tlc_o[2*n+:2]  = evtyper_q[pmuv3_pkg::PmevtyperTlcMsb:pmuv3_pkg::PmevtyperTlcLsb];
    assign th_o[12*n+:12] = evtyper_q[pmuv3_pkg::PmevtyperThMsb:pmuv3_pkg::PmevtyperThLsb];
  end

  ////////////////////
  // Identification //
  ////////////////////

  logic [3:0] edge_level;
  assign edge_level = cfg_i.feat_th2 ? 4'd2 : {3'd0, cfg_i.feat_edge};

  always_comb begin
    pmmir_o = 64'd0;
    if (cfg_i.feat_pmuv3p4) begin
      pmmir_o[pmuv3_pkg::PmmirSmeLsb] = cfg_i.feat_sme;
      pmmir_o[pmuv3_pkg::PmmirEdgeMsb:pmuv3_pkg::PmmirEdgeLsb] = edge_level;
      pmmir_o[pmuv3_pkg::PmmirThwidthMsb:pmuv3_pkg::PmmirThwidthLsb] =
          cfg_i.feat_th ? cfg_i.th_width : 4'd0;
      pmmir_o[pmuv3_pkg::PmmirSlotsMsb:pmuv3_pkg::PmmirSlotsLsb] = cfg_i.slots;
    end
  end

  // The events in the upper halves, 0x4000 and up, cannot be selected without PMUv3p1.
  logic [63:0] pmceid_fields;
  assign pmceid_fields = {{32{cfg_i.feat_pmuv3p1}}, 32'hFFFF_FFFF};
  assign pmceid0_o     = pmuv3_pkg::Pmceid0 & pmceid_fields;
  assign pmceid1_o     = pmuv3_pkg::Pmceid1 & pmceid_fields;

endmodule

`default_nettype wire
