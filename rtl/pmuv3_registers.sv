// The programmer's model: decodes register accesses, owns what configures the other rooms, and
// reads back theirs.
//
//   owns   PMCR, MDCR_EL2, MDCR_EL3, SDER32_EL3, PMEVTYPER<n>, PMCCFILTR, PMICFILTR, PMCNTEN,
//          PMINTEN
//   reads  PMEVCNTR<n> (pmuv3_counter), PMCCNTR and PMOVS.C (pmuv3_cycle_counter), PMICNTR and
//          PMOVS.F0 (pmuv3_instruction_counter) and PMOVS (pmuv3_overflow), and sends writes there
//
// Timing: a write is applied at the clock edge, with the Processor-cycle strobe high or low; the
// configuration outputs show it after that edge. Reads, errors and the write strobes to other
// rooms are combinational from the access.
//
// Whatever depends on registers alone is prepared here for all counters at once: which of them are
// implemented, their ranges (DXWVNH), global enables and overflow widths. When PMEVTYPER is written
// evtCount becomes an event index, with what is known of the event; and since the filter judges all
// counters at once, what it needs is held a second time, as vectors with a bit for each counter.
//
// Pairs of bits {F0, C} are those of the instruction counter and the cycle counter.
`default_nettype none

module pmuv3_registers #(
  // Counters elaborated. cfg_i.counters of them, the lowest, are implemented; the registers and
  // bits of the others do not exist.
  parameter  int unsigned Lanes = 31,
  localparam int unsigned EventWidth = $bits(pmuv3_pkg::EventNone)
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic rst_cold_ni,
  input wire pmuv3_pkg::config_t cfg_i,
  input wire logic present_i,  // the thread is; else no register is

  // The access
  input wire logic        reg_write_i,
  input wire logic        reg_read_i,
  input wire logic [15:0] reg_addr_i,
  input wire logic [63:0] reg_wdata_i,
  output logic [63:0]     reg_rdata_o,
  output logic            reg_error_o,

  // Registers of other rooms
  input wire logic [64*Lanes-1:0] value_i,
  input wire logic [63:0]         pmccntr_i,
  input wire logic [63:0]         pmicntr_i,
  input wire logic [Lanes-1:0]    overflow_i,
  input wire logic [1:0]          fixed_overflow_i,
  output logic                    counter_zero_o,  // PMCR.P
  output logic                    cycle_counter_zero_o,  // PMCR.C
  output logic [Lanes-1:0]        counter_write_o,
  output logic                    cycle_counter_write_o,
  output logic                    instruction_counter_write_o,
  output logic [Lanes-1:0]        overflow_set_o,
  output logic [Lanes-1:0]        overflow_clear_o,
  output logic [1:0]              fixed_overflow_set_o,
  output logic [1:0]              fixed_overflow_clear_o,
  output logic [Lanes-1:0]        swinc_o,

  // Configuration of each counter
  output logic [EventWidth*Lanes-1:0] event_o,
  output logic [3*Lanes-1:0]  class_o,  // of the event
  output logic [3*Lanes-1:0]  tc_o,
  output logic [Lanes-1:0]    te_o,
  output logic [2*Lanes-1:0]  tlc_o,
  output logic [12*Lanes-1:0] th_o,
  output logic [Lanes-1:0]    counter_enable_o,    // PMCNTEN
  output logic [Lanes-1:0]    global_enable_o,     // of its range
  output logic [Lanes-1:0]    interrupt_enable_o,  // PMINTEN
  output logic [Lanes-1:0]    long_overflow_o,     // LP_eff: overflow is a carry out of bit 63
  output logic [Lanes-1:0]    range1_o,            // in the first range
  output logic [Lanes-1:0]    range_continues_o,   // counter n+1 is in the same range as n
  output logic [1:0]          fixed_enable_o,
  output logic [1:0]          fixed_interrupt_enable_o,

  // Bits of PMEVTYPER<n>
  output logic [Lanes-1:0] sync_o,
  output logic [Lanes-1:0] vs1_o,
  output logic [Lanes-1:0] vs0_o,
  output logic [Lanes-1:0] p_o,
  output logic [Lanes-1:0] u_o,
  output logic [Lanes-1:0] nsk_o,
  output logic [Lanes-1:0] nsu_o,
  output logic [Lanes-1:0] nsh_o,
  output logic [Lanes-1:0] m_o,
  output logic [Lanes-1:0] mt_o,
  output logic [Lanes-1:0] sh_o,
  output logic [Lanes-1:0] rlk_o,
  output logic [Lanes-1:0] rlu_o,
  output logic [Lanes-1:0] rlh_o,
  // The event is CHAIN; can support synchronous mode; is of MEMORY or SHARED, SHARED, TRACE
  output logic [Lanes-1:0] chain_o,
  output logic [Lanes-1:0] sync_capable_o,
  output logic [Lanes-1:0] memory_o,
  output logic [Lanes-1:0] shared_o,
  output logic [Lanes-1:0] trace_o,

  output logic mtpmu_disabled_o,  // by MTPME of this thread

  // As reads give them
  output logic [64*Lanes-1:0] evtyper_o,
  output logic [63:0]         pmcr_o,
  output logic [63:0]         mdcr_el2_o,
  output logic [63:0]         mdcr_el3_o,
  output logic [63:0]         sder_o,
  output logic [63:0]         pmccfiltr_o,
  output logic [63:0]         pmicfiltr_o,
  output logic [63:0]         pmmir_o,
  output logic [63:0]         pmceid0_o,
  output logic [63:0]         pmceid1_o
);

  // The counters whose number is below n.
  function automatic logic [Lanes-1:0] below(input logic [4:0] n);
    below = ~({Lanes{1'b1}} << n);
  endfunction

  logic [Lanes-1:0] implemented;
  logic [1:0]       fixed_implemented;
  assign implemented       = below(cfg_i.counters);
  assign fixed_implemented = {cfg_i.feat_icntr, 1'b1};

  // What has to do with other rooms, or with nothing that is here.
  logic unused_cfg;
  assign unused_cfg = ^cfg_i;

  ////////////
  // Access //
  ////////////

  // A view: an AArch32 System register, bits [31:0] of the AArch64 register addr.
  logic        view;
  logic [15:0] addr;
  logic [31:0] view_mask;
  logic [4:0]  addr_n;  // <n>, the low bits of an address
  assign addr_n = reg_addr_i[4:0];
  always_comb begin
    view      = 1'b1;
    addr      = reg_addr_i;
    view_mask = 32'hFFFF_FFFF;
    unique case (reg_addr_i)
      pmuv3_pkg::RegPmccfiltrAa32: begin
        addr      = pmuv3_pkg::RegPmccfiltr;
        view_mask = pmuv3_pkg::ViewPmccfiltrAa32;
      end
      pmuv3_pkg::RegHdcr: begin
        addr      = pmuv3_pkg::RegMdcrEl2;
        view_mask = pmuv3_pkg::ViewHdcr;
      end
      pmuv3_pkg::RegSdcr: begin
        addr      = pmuv3_pkg::RegMdcrEl3;
        view_mask = pmuv3_pkg::ViewSdcr;
      end
      pmuv3_pkg::RegSder: begin
        addr      = pmuv3_pkg::RegSder32El3;
        view_mask = pmuv3_pkg::ViewSder;
      end
      default: begin
        if ({reg_addr_i[15:5], 5'd0} == pmuv3_pkg::RegPmevtyperAa32) begin
          addr      = pmuv3_pkg::RegPmevtyper | 16'(addr_n);
          view_mask = pmuv3_pkg::ViewPmevtyperAa32;
        end else begin
          view = 1'b0;
        end
      end
    endcase
  end

  // The address of PMEVCNTR<n> and PMEVTYPER<n> is that of n = 0, with n in its low bits.
  logic [15:0] addr_n0;
  logic        is_pmevcntr, is_pmevtyper;
  assign addr_n0      = {addr[15:5], 5'd0};
  assign is_pmevcntr  = addr_n0 == pmuv3_pkg::RegPmevcntr && addr_n < cfg_i.counters;
  assign is_pmevtyper = addr_n0 == pmuv3_pkg::RegPmevtyper && addr_n < cfg_i.counters;

  logic        readable, writable;
  logic [63:0] rdata;

  always_comb begin
    readable = present_i;
    writable = present_i;
    rdata    = 64'd0;
    unique case (addr)
      pmuv3_pkg::RegPmcr: rdata = pmcr_o;
      pmuv3_pkg::RegPmcntenset, pmuv3_pkg::RegPmcntenclr: begin
        rdata[32:31]     = fixed_enable_o;
        rdata[Lanes-1:0] = counter_enable_o;
      end
      pmuv3_pkg::RegPmintenset, pmuv3_pkg::RegPmintenclr: begin
        rdata[32:31]     = fixed_interrupt_enable_o;
        rdata[Lanes-1:0] = interrupt_enable_o;
      end
      pmuv3_pkg::RegPmovsset, pmuv3_pkg::RegPmovsclr: begin
        rdata[32:31]     = fixed_overflow_i;
        rdata[Lanes-1:0] = overflow_i;
      end
      pmuv3_pkg::RegPmswinc:   readable = 1'b0;
      pmuv3_pkg::RegMdcrEl2:   rdata = mdcr_el2_o;
      pmuv3_pkg::RegMdcrEl3:   rdata = mdcr_el3_o;
      pmuv3_pkg::RegSder32El3: rdata = sder_o;
      pmuv3_pkg::RegPmccntr:   rdata = pmccntr_i;
      pmuv3_pkg::RegPmccfiltr: rdata = pmccfiltr_o;
      pmuv3_pkg::RegPmicntr: begin
        rdata    = pmicntr_i;
        readable = present_i && cfg_i.feat_icntr;
        writable = present_i && cfg_i.feat_icntr;
      end
      pmuv3_pkg::RegPmicfiltr: begin
        rdata    = pmicfiltr_o;
        readable = present_i && cfg_i.feat_icntr;
        writable = present_i && cfg_i.feat_icntr;
      end
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
        readable = present_i && cfg_i.feat_pmuv3p4;
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
    if (view) rdata = {32'd0, rdata[31:0] & view_mask};
  end

  assign reg_rdata_o = reg_read_i && readable ? rdata : 64'd0;
  assign reg_error_o = (reg_write_i && !writable) || (reg_read_i && !readable);

  logic             write, write_pmcr;
  logic [63:0]      wdata;
  logic [Lanes-1:0] write_evtyper, select;
  logic [1:0]       fixed_select;
  assign write      = reg_write_i && writable;
  assign wdata      = {reg_wdata_i[63:32], reg_wdata_i[31:0] & view_mask};
  assign write_pmcr = write && addr == pmuv3_pkg::RegPmcr;

  assign write_evtyper   = Lanes'(write && is_pmevtyper) << addr_n;
  assign counter_write_o = Lanes'(write && is_pmevcntr) << addr_n;
  assign cycle_counter_write_o       = write && addr == pmuv3_pkg::RegPmccntr;
  assign instruction_counter_write_o = write && addr == pmuv3_pkg::RegPmicntr;

  // The counters that a write of a bit per counter selects.
  assign select       = wdata[Lanes-1:0] & implemented & {Lanes{write}};
  assign fixed_select = wdata[32:31] & fixed_implemented & {2{write}};
  assign overflow_set_o         = addr == pmuv3_pkg::RegPmovsset ? select : '0;
  assign overflow_clear_o       = addr == pmuv3_pkg::RegPmovsclr ? select : '0;
  assign fixed_overflow_set_o   = addr == pmuv3_pkg::RegPmovsset ? fixed_select : '0;
  assign fixed_overflow_clear_o = addr == pmuv3_pkg::RegPmovsclr ? fixed_select : '0;
  assign swinc_o                = addr == pmuv3_pkg::RegPmswinc ? select : '0;

  // PMCR.P zeroes the event counters of both ranges: the access has the rights of the highest EL.
  assign counter_zero_o       = write_pmcr && wdata[pmuv3_pkg::PmcrPLsb];
  assign cycle_counter_zero_o = write_pmcr && wdata[pmuv3_pkg::PmcrCLsb];

  ////////////
  // Fields //
  ////////////

  // Those that hold what is written, with what is implemented. Filter bits are the same ones in
  // PMEVTYPER, PMCCFILTR and PMICFILTR.
  logic [63:0] pmcr_fields, mdcr_el2_fields, mdcr_el3_fields, sder_fields, filter_fields;
  logic [63:0] pmicfiltr_fields, evtyper_even_fields, evtyper_odd_fields;
  always_comb begin
    pmcr_fields = 64'd0;
    pmcr_fields[pmuv3_pkg::PmcrFzoLsb] = cfg_i.feat_pmuv3p7;
    pmcr_fields[pmuv3_pkg::PmcrLpLsb]  = cfg_i.feat_pmuv3p5 && cfg_i.aa64;
    pmcr_fields[pmuv3_pkg::PmcrLcLsb]  = 1'b1;
    pmcr_fields[pmuv3_pkg::PmcrDpLsb]  = cfg_i.el3 || (cfg_i.feat_pmuv3p1 && cfg_i.el2)
                                         || cfg_i.feat_pmuv3p7;
    pmcr_fields[pmuv3_pkg::PmcrDLsb]   = 1'b1;
    pmcr_fields[pmuv3_pkg::PmcrELsb]   = 1'b1;

    mdcr_el2_fields = 64'd0;  // but for HPMN and MTPME
    if (cfg_i.el2) begin
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2HpmfzoLsb] = cfg_i.feat_pmuv3p7;
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2HlpLsb]    = cfg_i.feat_pmuv3p5 && cfg_i.aa64;
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2HccdLsb]   = cfg_i.feat_pmuv3p5;
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2HpmdLsb]   = cfg_i.feat_pmuv3p1;
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2HpmeLsb]   = 1'b1;
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2TpmLsb]    = 1'b1;
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2TpmcrLsb]  = 1'b1;
    end

    mdcr_el3_fields = 64'd0;  // but for MTPME
    sder_fields     = 64'd0;
    if (cfg_i.el3) begin
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3MpmxLsb]  = cfg_i.feat_pmuv3p7 && cfg_i.aa64;
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3MccdLsb]  = cfg_i.feat_pmuv3p7 && cfg_i.aa64;
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3SccdLsb]  = cfg_i.feat_pmuv3p5;
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3SpmeLsb]  = 1'b1;
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3Enpm2Lsb] = cfg_i.feat_pmuv3p9 || cfg_i.feat_sebep;
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3TpmLsb]   = 1'b1;
      sder_fields[pmuv3_pkg::Sder32El3SunidenLsb] = 1'b1;
    end

    filter_fields = 64'd0;
    filter_fields[pmuv3_pkg::PmevtyperVsMsb:pmuv3_pkg::PmevtyperVsLsb] = {2{cfg_i.feat_sme}};
    filter_fields[pmuv3_pkg::PmevtyperPLsb]   = 1'b1;
    filter_fields[pmuv3_pkg::PmevtyperULsb]   = 1'b1;
    filter_fields[pmuv3_pkg::PmevtyperNskLsb] = cfg_i.el3;
    filter_fields[pmuv3_pkg::PmevtyperNsuLsb] = cfg_i.el3;
    filter_fields[pmuv3_pkg::PmevtyperNshLsb] = cfg_i.el2;
    filter_fields[pmuv3_pkg::PmevtyperMLsb]   = cfg_i.el3 && cfg_i.aa64;
    filter_fields[pmuv3_pkg::PmevtyperShLsb]  = cfg_i.el3 && cfg_i.feat_sel2;
    filter_fields[pmuv3_pkg::PmevtyperRlkLsb] = cfg_i.feat_rme;
    filter_fields[pmuv3_pkg::PmevtyperRluLsb] = cfg_i.feat_rme;
    filter_fields[pmuv3_pkg::PmevtyperRlhLsb] = cfg_i.feat_rme;

    pmicfiltr_fields = filter_fields;
    pmicfiltr_fields[pmuv3_pkg::PmicfiltrSyncLsb] = cfg_i.feat_sebep;

    // TH has th_width bits, and only odd counters have TLC.
    evtyper_even_fields = filter_fields;
    if (cfg_i.feat_th) begin
      evtyper_even_fields[pmuv3_pkg::PmevtyperTcMsb:pmuv3_pkg::PmevtyperTcLsb] = '1;
      evtyper_even_fields[pmuv3_pkg::PmevtyperThMsb:pmuv3_pkg::PmevtyperThLsb] =
          ~(12'hFFF << cfg_i.th_width);
    end
    evtyper_even_fields[pmuv3_pkg::PmevtyperTeLsb]   = cfg_i.feat_edge;
    evtyper_even_fields[pmuv3_pkg::PmevtyperSyncLsb] = cfg_i.feat_sebep;
    evtyper_even_fields[pmuv3_pkg::PmevtyperMtLsb]   =
        cfg_i.feat_mtpmu || cfg_i.k_mt_legacy == pmuv3_pkg::KMtLegacyRw;
    evtyper_even_fields[pmuv3_pkg::PmevtyperEvtcountHiMsb:pmuv3_pkg::PmevtyperEvtcountHiLsb] =
        {6{cfg_i.feat_pmuv3p1}};
    evtyper_even_fields[pmuv3_pkg::PmevtyperEvtcountMsb:pmuv3_pkg::PmevtyperEvtcountLsb] = '1;

    evtyper_odd_fields = evtyper_even_fields;
    evtyper_odd_fields[pmuv3_pkg::PmevtyperTlcMsb:pmuv3_pkg::PmevtyperTlcLsb] =
        {2{cfg_i.feat_th2}};
  end

  // A register of fields after a write. Through a view bits [63:32] stay (H-29).
  logic [63:0] reach;
  assign reach = {{32{!view}}, 32'hFFFF_FFFF};
  function automatic logic [63:0] written(input logic [63:0] old, input logic [63:0] data,
                                          input logic [63:0] bits);
    written = (old & ~bits) | (data & bits);
  endfunction

  logic [63:0] pmcr_q, mdcr_el2_q, mdcr_el3_q, sder_q, pmccfiltr_q, pmicfiltr_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pmcr_q      <= 64'd0;
      mdcr_el2_q  <= 64'd0;
      mdcr_el3_q  <= 64'd0;
      sder_q      <= 64'd0;
      pmccfiltr_q <= 64'd0;
      pmicfiltr_q <= 64'd0;
    end else if (write) begin
      unique case (addr)
        pmuv3_pkg::RegPmcr:      pmcr_q      <= wdata & pmcr_fields;
        pmuv3_pkg::RegMdcrEl2:   mdcr_el2_q  <= written(mdcr_el2_q, wdata & mdcr_el2_fields, reach);
        pmuv3_pkg::RegMdcrEl3:   mdcr_el3_q  <= written(mdcr_el3_q, wdata & mdcr_el3_fields, reach);
        pmuv3_pkg::RegSder32El3: sder_q      <= written(sder_q, wdata & sder_fields, reach);
        pmuv3_pkg::RegPmccfiltr: pmccfiltr_q <= written(pmccfiltr_q, wdata & filter_fields, reach);
        pmuv3_pkg::RegPmicfiltr: pmicfiltr_q <= wdata & pmicfiltr_fields;
        default: ;
      endcase
    end
  end

  // HPMN resets to the number of counters. It is held as the difference from it, so that its flops
  // reset to a constant, whatever the configuration.
  logic [4:0] hpmn, hpmn_diff_q;
  assign hpmn = hpmn_diff_q ^ cfg_i.counters;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hpmn_diff_q <= 5'd0;
    end else if (write && addr == pmuv3_pkg::RegMdcrEl2 && cfg_i.el2) begin
      hpmn_diff_q <= wdata[pmuv3_pkg::MdcrEl2HpmnMsb:pmuv3_pkg::MdcrEl2HpmnLsb] ^ cfg_i.counters;
    end
  end

  // MTPME, of the highest of EL3 and EL2. D13.6-8: a Warm reset leaves it as it is. MTPMU with
  // neither of them is never disabled.
  logic mtpme_q, mtpme_el3, mtpme_el2, write_mtpme;
  assign mtpme_el3   = cfg_i.feat_mtpmu && cfg_i.el3;
  assign mtpme_el2   = cfg_i.feat_mtpmu && !cfg_i.el3 && cfg_i.el2;
  assign write_mtpme = write && ((addr == pmuv3_pkg::RegMdcrEl3 && mtpme_el3)
                                 || (addr == pmuv3_pkg::RegMdcrEl2 && mtpme_el2));
  always_ff @(posedge clk_i or negedge rst_cold_ni) begin
    if (!rst_cold_ni) begin
      mtpme_q <= 1'b1;
    end else if (write_mtpme) begin
      mtpme_q <= wdata[pmuv3_pkg::MdcrEl3MtpmeLsb];  // the same bit in MDCR_EL2
    end
  end
  assign mtpmu_disabled_o = !mtpme_q;

  always_comb begin
    pmcr_o = pmcr_q;
    if (present_i) pmcr_o[pmuv3_pkg::PmcrNMsb:pmuv3_pkg::PmcrNLsb] = cfg_i.counters;

    mdcr_el2_o = mdcr_el2_q;
    mdcr_el2_o[pmuv3_pkg::MdcrEl2MtpmeLsb] = mtpme_q && mtpme_el2 && present_i;
    if (cfg_i.el2 && present_i) begin
      mdcr_el2_o[pmuv3_pkg::MdcrEl2HpmnMsb:pmuv3_pkg::MdcrEl2HpmnLsb] = hpmn;
    end

    mdcr_el3_o = mdcr_el3_q;
    mdcr_el3_o[pmuv3_pkg::MdcrEl3MtpmeLsb] = mtpme_q && mtpme_el3 && present_i;
  end
  assign sder_o      = sder_q;
  assign pmccfiltr_o = pmccfiltr_q;

  always_comb begin
    pmicfiltr_o = pmicfiltr_q;
    if (cfg_i.feat_icntr && present_i) begin
      pmicfiltr_o[pmuv3_pkg::PmicfiltrEvtcountMsb:pmuv3_pkg::PmicfiltrEvtcountLsb] =
          16'h0008;  // INST_RETIRED
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

  assign range1_o          = range1;
  assign global_enable_o   = (range1 & {Lanes{pmcr_q[pmuv3_pkg::PmcrELsb]}})
                             | (~range1 & {Lanes{mdcr_el2_q[pmuv3_pkg::MdcrEl2HpmeLsb]}});
  assign long_overflow_o   = (range1 & {Lanes{pmcr_q[pmuv3_pkg::PmcrLpLsb]}})
                             | (~range1 & {Lanes{mdcr_el2_q[pmuv3_pkg::MdcrEl2HlpLsb]}});
  assign range_continues_o = ~(range1 ^ (range1 >> 1));

  //////////////////////
  // PMCNTEN, PMINTEN //
  //////////////////////

  logic [Lanes-1:0] counter_enable_q, interrupt_enable_q;
  logic [1:0]       fixed_enable_q, fixed_interrupt_enable_q;
  assign counter_enable_o         = counter_enable_q;
  assign interrupt_enable_o       = interrupt_enable_q;
  assign fixed_enable_o           = fixed_enable_q;
  assign fixed_interrupt_enable_o = fixed_interrupt_enable_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      counter_enable_q         <= '0;
      interrupt_enable_q       <= '0;
      fixed_enable_q           <= '0;
      fixed_interrupt_enable_q <= '0;
    end else if (write) begin
      unique case (addr)
        pmuv3_pkg::RegPmcntenset: begin
          counter_enable_q <= counter_enable_q | select;
          fixed_enable_q   <= fixed_enable_q | fixed_select;
        end
        pmuv3_pkg::RegPmcntenclr: begin
          counter_enable_q <= counter_enable_q & ~select;
          fixed_enable_q   <= fixed_enable_q & ~fixed_select;
        end
        pmuv3_pkg::RegPmintenset: begin
          interrupt_enable_q       <= interrupt_enable_q | select;
          fixed_interrupt_enable_q <= fixed_interrupt_enable_q | fixed_select;
        end
        pmuv3_pkg::RegPmintenclr: begin
          interrupt_enable_q       <= interrupt_enable_q & ~select;
          fixed_interrupt_enable_q <= fixed_interrupt_enable_q & ~fixed_select;
        end
        default: ;
      endcase
    end
  end

  ///////////////
  // PMEVTYPER //
  ///////////////

  // What is written, but for TLC.
  logic [63:0]       evtyper_d;
  pmuv3_pkg::event_t event_d;
  logic [2:0]        class_d;
  logic [1:0]        attribution_d;
  assign evtyper_d     = wdata & evtyper_even_fields;
  assign event_d       = pmuv3_pkg::event_index(evtyper_d[15:0]);
  assign class_d       = pmuv3_pkg::event_class(event_d);
  assign attribution_d = pmuv3_pkg::event_attribution(event_d);

  for (genvar n = 0; n < Lanes; n++) begin : g_evtyper
    logic [63:0]       evtyper_q;
    pmuv3_pkg::event_t event_q;
    logic [2:0]        class_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        evtyper_q <= 64'd0;
        event_q   <= pmuv3_pkg::EventSwIncr;
        class_q   <= pmuv3_pkg::EventClassSelf;
      end else if (write_evtyper[n]) begin
        evtyper_q <= written(
            evtyper_q, wdata & (n % 2 == 0 ? evtyper_even_fields : evtyper_odd_fields), reach);
        event_q   <= event_d;
        class_q   <= class_d;
      end
    end

    assign evtyper_o[64*n+:64] = evtyper_q;
    assign event_o[EventWidth*n+:EventWidth] = event_q;
    assign class_o[3*n+:3] = class_q;
    assign tc_o[3*n+:3]    = evtyper_q[pmuv3_pkg::PmevtyperTcMsb:pmuv3_pkg::PmevtyperTcLsb];
    assign te_o[n]         = evtyper_q[pmuv3_pkg::PmevtyperTeLsb];
    assign tlc_o[2*n+:2]   = evtyper_q[pmuv3_pkg::PmevtyperTlcMsb:pmuv3_pkg::PmevtyperTlcLsb];
    assign th_o[12*n+:12]  = evtyper_q[pmuv3_pkg::PmevtyperThMsb:pmuv3_pkg::PmevtyperThLsb];
  end

  // A vector with one bit a counter, after a write of some counters' bits.
  function automatic logic [Lanes-1:0] put(input logic [Lanes-1:0] old,
                                           input logic [Lanes-1:0] at, input logic value);
    put = (old & ~at) | (at & {Lanes{value}});
  endfunction

  logic [Lanes-1:0] p_q, u_q, nsk_q, nsu_q, nsh_q, m_q, mt_q, sh_q, rlk_q, rlu_q, rlh_q;
  logic [Lanes-1:0] sync_q, vs1_q, vs0_q;
  logic [Lanes-1:0] chain_q, sync_capable_q, memory_q, shared_q, trace_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      p_q   <= '0;
      u_q   <= '0;
      nsk_q <= '0;
      nsu_q <= '0;
      nsh_q <= '0;
      m_q   <= '0;
      mt_q  <= '0;
      sh_q  <= '0;
      rlk_q <= '0;
      rlu_q <= '0;
      rlh_q <= '0;
    end else if (|write_evtyper) begin
      p_q   <= put(p_q, write_evtyper, evtyper_d[pmuv3_pkg::PmevtyperPLsb]);
      u_q   <= put(u_q, write_evtyper, evtyper_d[pmuv3_pkg::PmevtyperULsb]);
      nsk_q <= put(nsk_q, write_evtyper, evtyper_d[pmuv3_pkg::PmevtyperNskLsb]);
      nsu_q <= put(nsu_q, write_evtyper, evtyper_d[pmuv3_pkg::PmevtyperNsuLsb]);
      nsh_q <= put(nsh_q, write_evtyper, evtyper_d[pmuv3_pkg::PmevtyperNshLsb]);
      m_q   <= put(m_q, write_evtyper, evtyper_d[pmuv3_pkg::PmevtyperMLsb]);
      mt_q  <= put(mt_q, write_evtyper, evtyper_d[pmuv3_pkg::PmevtyperMtLsb]);
      sh_q  <= put(sh_q, write_evtyper, evtyper_d[pmuv3_pkg::PmevtyperShLsb]);
      rlk_q <= put(rlk_q, write_evtyper, evtyper_d[pmuv3_pkg::PmevtyperRlkLsb]);
      rlu_q <= put(rlu_q, write_evtyper, evtyper_d[pmuv3_pkg::PmevtyperRluLsb]);
      rlh_q <= put(rlh_q, write_evtyper, evtyper_d[pmuv3_pkg::PmevtyperRlhLsb]);
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sync_q <= '0;
      vs1_q  <= '0;
      vs0_q  <= '0;
    end else if (|write_evtyper && !view) begin
      sync_q <= put(sync_q, write_evtyper, evtyper_d[pmuv3_pkg::PmevtyperSyncLsb]);
      vs1_q  <= put(vs1_q, write_evtyper, evtyper_d[pmuv3_pkg::PmevtyperVsMsb]);
      vs0_q  <= put(vs0_q, write_evtyper, evtyper_d[pmuv3_pkg::PmevtyperVsLsb]);
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      chain_q        <= '0;
      sync_capable_q <= '1;  // as SW_INCR
      memory_q       <= '0;
      shared_q       <= '0;
      trace_q        <= '0;
    end else if (|write_evtyper) begin
      chain_q        <= put(chain_q, write_evtyper, event_d == pmuv3_pkg::EventChain);
      sync_capable_q <= put(sync_capable_q, write_evtyper, pmuv3_pkg::event_is_sync(event_d));
      memory_q       <= put(memory_q, write_evtyper,
                            attribution_d == pmuv3_pkg::EventAttributionMemory
                            || attribution_d == pmuv3_pkg::EventAttributionShared);
      shared_q       <= put(shared_q, write_evtyper,
                            attribution_d == pmuv3_pkg::EventAttributionShared);
      trace_q        <= put(trace_q, write_evtyper,
                            attribution_d == pmuv3_pkg::EventAttributionTrace);
    end
  end

  assign p_o            = p_q;
  assign u_o            = u_q;
  assign nsk_o          = nsk_q;
  assign nsu_o          = nsu_q;
  assign nsh_o          = nsh_q;
  assign m_o            = m_q;
  assign mt_o           = mt_q;
  assign sh_o           = sh_q;
  assign rlk_o          = rlk_q;
  assign rlu_o          = rlu_q;
  assign rlh_o          = rlh_q;
  assign sync_o         = sync_q;
  assign vs1_o          = vs1_q;
  assign vs0_o          = vs0_q;
  assign chain_o        = chain_q;
  assign sync_capable_o = sync_capable_q;
  assign memory_o       = memory_q;
  assign shared_o       = shared_q;
  assign trace_o        = trace_q;

  ////////////////////
  // Identification //
  ////////////////////

  logic [3:0] edge_level;
  assign edge_level = cfg_i.feat_th2 ? 4'd2 : {3'd0, cfg_i.feat_edge};

  always_comb begin
    pmmir_o = 64'd0;
    if (cfg_i.feat_pmuv3p4 && present_i) begin
      pmmir_o[pmuv3_pkg::PmmirSmeLsb] = cfg_i.feat_sme;
      pmmir_o[pmuv3_pkg::PmmirEdgeMsb:pmuv3_pkg::PmmirEdgeLsb] = edge_level;
      pmmir_o[pmuv3_pkg::PmmirThwidthMsb:pmuv3_pkg::PmmirThwidthLsb] =
          cfg_i.feat_th ? cfg_i.th_width : 4'd0;
      pmmir_o[pmuv3_pkg::PmmirSlotsMsb:pmuv3_pkg::PmmirSlotsLsb] = cfg_i.slots;
    end
  end

  // The events in the upper halves, 0x4000 and up, cannot be selected without PMUv3p1.
  logic [63:0] pmceid_fields;
  assign pmceid_fields = {{32{cfg_i.feat_pmuv3p1}}, 32'hFFFF_FFFF} & {64{present_i}};
  assign pmceid0_o     = pmuv3_pkg::Pmceid0 & pmceid_fields;
  assign pmceid1_o     = pmuv3_pkg::Pmceid1 & pmceid_fields;

endmodule

`default_nettype wire
