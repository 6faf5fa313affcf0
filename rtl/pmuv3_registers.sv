// The programmer's model: a thread's registers. The registers that configure the other stages are
// here. Accesses of the other stages' registers go through here.
//
//   owns   PMCR, MDCR_EL2, MDCR_EL3, SDER32_EL3, PMEVTYPER<n>, PMCCFILTR, PMICFILTR, PMCNTEN,
//          PMINTEN, PMSELR, PMUSERENR, PMUACR, PMECR, PMIAR
//   reads  PMEVCNTR<n> (pmuv3_counter), PMCCNTR and PMOVS.C (pmuv3_cycle_counter), PMICNTR and
//          PMOVS.F0 (pmuv3_instruction_counter), PMOVS (pmuv3_overflow) and PMSSCR and the saved
//          values (pmuv3_snapshot), and sends writes there
//
// Timing: a write is applied at the clock edge, with the Processor-cycle strobe high or low. The
// configuration outputs show the write after that edge. Reads and the write strobes to other stages
// are combinational from the access.
//
// The accessing port has decided that the register exists, and which bits and counters are in
// reach. The rest is RAZ/WI.
//
// Values that depend only on registers are prepared here for all counters at once: their ranges
// (DXWVNH), global enables and overflow widths. A write of PMEVTYPER turns evtCount into an event
// index and the traits of the event. The filter judges all counters at once, so the bits that it
// needs are held a second time, as vectors with a bit for each counter.
//
// Pairs of bits {F0, C} are those of the instruction counter and the cycle counter.
`default_nettype none

module pmuv3_registers #(
  // The number of elaborated counters. The lowest cfg_i.counters counters are implemented. The
  // registers and bits of the others do not exist.
  parameter  int unsigned Lanes = 31,
  localparam int unsigned EventWidth = $bits(pmuv3_pkg::EventNone)
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic rst_agent_ni,      // resets state that an external agent's counters need
  input wire logic rst_threshold_ni,  // resets PMEVTYPER.{TC, TE, TH}
  input wire logic rst_cold_ni,
  input wire pmuv3_pkg::config_t cfg_i,
  input wire logic present_i,  // the thread is implemented

  input wire pmuv3_types_pkg::access_t access_i,
  output logic [63:0]                  rdata_o,

  // Registers of other stages, and the changes that a write makes there
  input wire logic [64*Lanes-1:0]      value_i,
  input wire logic [64*Lanes-1:0]      svr_i,
  input wire logic [Lanes-1:0]         overflow_i,
  input wire pmuv3_types_pkg::others_t others_i,
  output logic [pmuv3_types_pkg::ChangeWidth*Lanes-1:0] changes_o,  // changes_t
  output pmuv3_types_pkg::change_t cycle_change_o,
  output pmuv3_types_pkg::change_t instruction_change_o,
  output logic                     capture_o,  // PMSSCR.SS

  // The registers of this stage
  input wire logic exception_enabled_i,  // the PMU Profiling exception is enabled
  output pmuv3_types_pkg::regs_t regs_o,
  output logic [pmuv3_types_pkg::EvtyperWidth*Lanes-1:0] evtypers_o,  // evtypers_t
  output logic [pmuv3_types_pkg::ControlWidth*Lanes-1:0] controls_o,  // controls_t
  output logic [64*Lanes-1:0] evtyper_o,  // the values that reads return
  output logic mtpmu_disabled_o  // by MTPME of this thread
);

  `PMUV3_FILTERS_T(Lanes)
  `PMUV3_EVTYPERS_T(Lanes)
  `PMUV3_CONTROLS_T(Lanes)
  `PMUV3_CHANGES_T(Lanes)
  evtypers_t evtypers;
  filters_t  filters;
  controls_t controls;
  changes_t  changes;

  logic        write, read;
  logic [15:0] addr;
  logic [63:0] wdata, bits;
  assign write = access_i.write;
  assign read  = access_i.read;
  assign addr  = access_i.addr;
  assign wdata = access_i.wdata;
  assign bits  = access_i.bits;

  // The counters 0 to n-1.
  function automatic logic [Lanes-1:0] below(input logic [4:0] n);
    below = ~({Lanes{1'b1}} << n);
  endfunction

  ////////////
  // Access //
  ////////////

  // The counters in reach, and the reach in a register with a bit for each counter. A counter that
  // is not implemented is never in reach, so synthesis removes it.
  logic [32:0] counters, reach;
  logic [31:0] reached;  // event counters
  assign counters = access_i.counters
                    & {cfg_i.feat_icntr, 1'b1, ~(31'h7FFF_FFFF << cfg_i.counters)};
  assign reach    = counters & bits[32:0];
  assign reached  = {1'b0, counters[30:0]};

  // The addresses of PMEVCNTR<n>, PMEVTYPER<n> and PMEVCNTSVR<n> have n in the low bits.
  logic [4:0]  addr_n;
  logic [15:0] addr_n0;
  assign addr_n  = addr[4:0];
  assign addr_n0 = {addr[15:5], 5'd0};

  // Reads
  logic [63:0] pmcr, mdcr_el2, mdcr_el3, pmicfiltr, pmecr, pmmir, pmceid0, pmceid1, rdata;
  logic [1:0]  fixed_enable, fixed_interrupt_enable;
  always_comb begin
    rdata = 64'd0;
    if (read) begin
      unique case (addr)
        pmuv3_pkg::RegPmcr: begin
          rdata = pmcr;
          rdata[pmuv3_pkg::PmcrNMsb:pmuv3_pkg::PmcrNLsb] = access_i.n;
        end
        pmuv3_pkg::RegPmcntenset, pmuv3_pkg::RegPmcntenclr: begin
          rdata[32:31]     = fixed_enable;
          rdata[Lanes-1:0] = counter_enable_q;
          rdata[32:0]     &= counters;
        end
        pmuv3_pkg::RegPmintenset, pmuv3_pkg::RegPmintenclr: begin
          rdata[32:31]     = fixed_interrupt_enable;
          rdata[Lanes-1:0] = interrupt_enable_q;
          rdata[32:0]     &= counters;
        end
        pmuv3_pkg::RegPmovsset, pmuv3_pkg::RegPmovsclr: begin
          rdata[32:31]     = others_i.fixed_overflow;
          rdata[Lanes-1:0] = overflow_i;
          rdata[32:0]     &= counters;
        end
        pmuv3_pkg::RegPmselr:    rdata = {59'd0, pmselr_q};
        pmuv3_pkg::RegPmuserenr: rdata = pmuserenr_q;
        pmuv3_pkg::RegPmuacr:    rdata = {31'd0, pmuacr_q} & {31'd0, counters};
        pmuv3_pkg::RegPmecr:     rdata = pmecr;
        pmuv3_pkg::RegPmiar:     rdata = pmiar_q;
        pmuv3_pkg::RegPmsscr:    rdata = others_i.pmsscr;
        pmuv3_pkg::RegMdcrEl2:   rdata = mdcr_el2;
        pmuv3_pkg::RegMdcrEl3:   rdata = mdcr_el3;
        pmuv3_pkg::RegSder32El3: rdata = sder_q;
        pmuv3_pkg::RegPmccntr:   if (counters[31]) rdata = others_i.pmccntr;
        pmuv3_pkg::RegPmccfiltr: if (counters[31]) rdata = pmccfiltr_q;
        pmuv3_pkg::RegPmccntsvr: if (counters[31]) rdata = others_i.pmccntsvr;
        pmuv3_pkg::RegPmicntr:   if (counters[32]) rdata = others_i.pmicntr;
        pmuv3_pkg::RegPmicfiltr: if (counters[32]) rdata = pmicfiltr;
        pmuv3_pkg::RegPmicntsvr: if (counters[32]) rdata = others_i.pmicntsvr;
        pmuv3_pkg::RegPmceid0:   rdata = pmceid0;
        pmuv3_pkg::RegPmceid1:   rdata = pmceid1;
        pmuv3_pkg::RegPmmir:     rdata = pmmir;
        default: begin
          if (reached[addr_n]) begin
            unique case (addr_n0)
              pmuv3_pkg::RegPmevcntr:   rdata = value_i[64*addr_n+:64];
              pmuv3_pkg::RegPmevtyper:  rdata = evtyper_o[64*addr_n+:64];
              pmuv3_pkg::RegPmevcntsvr: rdata = svr_i[64*addr_n+:64];
              default: ;
            endcase
          end
        end
      endcase
    end
  end
  assign rdata_o = rdata & bits;

  // Writes. selected: the bits that are written as 1. dropped: the bits that a replacing write
  // clears.
  logic [32:0]      selected, dropped;
  logic [Lanes-1:0] write_evtyper;
  always_comb begin
    selected        = 33'd0;
    dropped         = 33'd0;
    write_evtyper   = '0;
    counter_write = '0;
    fixed_write   = 2'b00;
    if (write) begin
      selected      = wdata[32:0] & reach;
      dropped       = ~wdata[32:0] & reach & {33{access_i.replace}};
      fixed_write = {addr == pmuv3_pkg::RegPmicntr && counters[32],
                       addr == pmuv3_pkg::RegPmccntr && counters[31]};
      if (reached[addr_n]) begin
        write_evtyper   = Lanes'(addr_n0 == pmuv3_pkg::RegPmevtyper) << addr_n;
        counter_write = Lanes'(addr_n0 == pmuv3_pkg::RegPmevcntr) << addr_n;
      end
    end
  end

  // Changes in other stages
  logic [Lanes-1:0] counter_zero, counter_write, overflow_set, overflow_clear, swinc;
  logic [1:0]       fixed_zero, fixed_write, fixed_overflow_set, fixed_overflow_clear;
  always_comb begin
    counter_zero         = '0;
    fixed_zero           = 2'b00;
    overflow_set         = '0;
    overflow_clear       = '0;
    fixed_overflow_set   = 2'b00;
    fixed_overflow_clear = 2'b00;
    swinc                = '0;
    capture_o              = 1'b0;
    if (write) begin
      unique case (addr)
        pmuv3_pkg::RegPmcr: begin
          if (bits[pmuv3_pkg::PmcrPLsb] && wdata[pmuv3_pkg::PmcrPLsb]) begin
            counter_zero = counters[Lanes-1:0];
          end
          fixed_zero[0] = bits[pmuv3_pkg::PmcrCLsb] && wdata[pmuv3_pkg::PmcrCLsb];
        end
        pmuv3_pkg::RegPmzr: begin
          {fixed_zero, counter_zero} = {selected[32:31], selected[Lanes-1:0]};
        end
        pmuv3_pkg::RegPmswinc: swinc = selected[Lanes-1:0];
        pmuv3_pkg::RegPmovsset: begin
          {fixed_overflow_set, overflow_set}     = {selected[32:31], selected[Lanes-1:0]};
          {fixed_overflow_clear, overflow_clear} = {dropped[32:31], dropped[Lanes-1:0]};
        end
        pmuv3_pkg::RegPmovsclr: begin
          {fixed_overflow_clear, overflow_clear} = {selected[32:31], selected[Lanes-1:0]};
        end
        pmuv3_pkg::RegPmsscr: begin
          capture_o = bits[pmuv3_pkg::PmsscrSsLsb] && wdata[pmuv3_pkg::PmsscrSsLsb];
        end
        default: ;
      endcase
    end
  end

  ////////////
  // Fields //
  ////////////

  // The fields that hold the written value, by the configuration. PMEVTYPER, PMCCFILTR and
  // PMICFILTR have the filter bits in the same places.
  logic [63:0] pmcr_fields, mdcr_el2_fields, mdcr_el3_fields, sder_fields, filter_fields;
  logic [63:0] pmicfiltr_fields, evtyper_even_fields, evtyper_odd_fields;
  logic [63:0] pmuserenr_fields, pmecr_fields, pmiar_fields;
  always_comb begin
    pmcr_fields = 64'd0;
    pmcr_fields[pmuv3_pkg::PmcrFzsLsb] = cfg_i.feat_spe;
    pmcr_fields[pmuv3_pkg::PmcrFzoLsb] = cfg_i.feat_pmuv3p7;
    pmcr_fields[pmuv3_pkg::PmcrLpLsb]  = cfg_i.feat_pmuv3p5 && cfg_i.aa64;
    pmcr_fields[pmuv3_pkg::PmcrLcLsb]  = 1'b1;
    pmcr_fields[pmuv3_pkg::PmcrDpLsb]  = cfg_i.el3 || (cfg_i.feat_pmuv3p1 && cfg_i.el2)
                                         || cfg_i.feat_pmuv3p7;
    pmcr_fields[pmuv3_pkg::PmcrDLsb]   = 1'b1;
    pmcr_fields[pmuv3_pkg::PmcrELsb]   = 1'b1;

    mdcr_el2_fields = 64'd0;  // without HPMN, PMSSE and MTPME
    if (cfg_i.el2) begin
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2PmeeMsb:pmuv3_pkg::MdcrEl2PmeeLsb] = {2{cfg_i.feat_ebep}};
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2HpmfzsLsb] = cfg_i.feat_spe;
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2HpmfzoLsb] = cfg_i.feat_pmuv3p7;
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2HlpLsb]    = cfg_i.feat_pmuv3p5 && cfg_i.aa64;
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2HccdLsb]   = cfg_i.feat_pmuv3p5;
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2HpmdLsb]   = cfg_i.feat_pmuv3p1;
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2HpmeLsb]   = 1'b1;
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2TpmLsb]    = 1'b1;
      mdcr_el2_fields[pmuv3_pkg::MdcrEl2TpmcrLsb]  = 1'b1;
    end

    mdcr_el3_fields = 64'd0;  // without PMSSE and MTPME
    sder_fields     = 64'd0;
    if (cfg_i.el3) begin
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3EpmssadMsb:pmuv3_pkg::MdcrEl3EpmssadLsb] =
          {2{cfg_i.feat_ss}};
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3EnpmssLsb] = cfg_i.feat_ss;
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3PmeeMsb:pmuv3_pkg::MdcrEl3PmeeLsb] = {2{cfg_i.feat_ebep}};
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3MpmxLsb]   = cfg_i.feat_pmuv3p7 && cfg_i.aa64;
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3MccdLsb]   = cfg_i.feat_pmuv3p7 && cfg_i.aa64;
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3SccdLsb]   = cfg_i.feat_pmuv3p5;
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3EpmadLsb]  = cfg_i.feat_ext32 || cfg_i.feat_ext64;
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3SpmeLsb]   = 1'b1;
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3Enpm2Lsb]  =
          (cfg_i.feat_pmuv3p9 || cfg_i.feat_ebep) && cfg_i.aa64;
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3TpmLsb]    = cfg_i.aa64;
      mdcr_el3_fields[pmuv3_pkg::MdcrEl3EpmadeLsb] =
          cfg_i.feat_rme && (cfg_i.feat_ext32 || cfg_i.feat_ext64);
      sder_fields[pmuv3_pkg::Sder32El3SunidenLsb] = !cfg_i.feat_ss;
    end

    pmuserenr_fields = 64'd0;
    pmuserenr_fields[pmuv3_pkg::PmuserenrTidLsb] = cfg_i.feat_pmuv3p9;
    pmuserenr_fields[pmuv3_pkg::PmuserenrIrLsb]  = cfg_i.feat_icntr;
    pmuserenr_fields[pmuv3_pkg::PmuserenrUenLsb] = cfg_i.feat_pmuv3p9 && cfg_i.aa64;
    pmuserenr_fields[pmuv3_pkg::PmuserenrErLsb]  = 1'b1;
    pmuserenr_fields[pmuv3_pkg::PmuserenrCrLsb]  = 1'b1;
    pmuserenr_fields[pmuv3_pkg::PmuserenrSwLsb]  = 1'b1;
    pmuserenr_fields[pmuv3_pkg::PmuserenrEnLsb]  = 1'b1;

    pmecr_fields = 64'd0;  // without SSE
    pmecr_fields[pmuv3_pkg::PmecrKpmeLsb] = cfg_i.feat_ebep;
    pmecr_fields[pmuv3_pkg::PmecrPmeeMsb:pmuv3_pkg::PmecrPmeeLsb] = {2{cfg_i.feat_ebep}};

    pmiar_fields = {{62{cfg_i.feat_sebep}}, 2'b00};

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

    pmicfiltr_fields = filter_fields & {64{cfg_i.feat_icntr}};
    pmicfiltr_fields[pmuv3_pkg::PmicfiltrSyncLsb] = cfg_i.feat_sebep && cfg_i.feat_icntr;

    // TH has th_width bits. Only odd counters have TLC.
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

  // The value of a register with fields after a write.
  function automatic logic [63:0] written(input logic [63:0] old, input logic [63:0] data,
                                          input logic [63:0] at, input logic [63:0] fields);
    written = ((old & ~at) | (data & at)) & fields;
  endfunction

  logic [63:0] pmcr_q, mdcr_el2_q, mdcr_el3_q, sder_q, pmccfiltr_q, pmicfiltr_q;
  logic [63:0] pmuserenr_q, pmecr_q, pmiar_q;
  logic [32:0] pmuacr_q;
  logic [4:0]  pmselr_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pmcr_q      <= 64'd0;
      mdcr_el2_q  <= 64'd0;
      mdcr_el3_q  <= 64'd0;
      sder_q      <= 64'd0;
      pmselr_q    <= 5'd0;
      pmuserenr_q <= 64'd0;
      pmuacr_q    <= 33'd0;
      pmecr_q     <= 64'd0;
      pmiar_q     <= 64'd0;
    end else if (write) begin
      unique case (addr)
        pmuv3_pkg::RegPmcr: pmcr_q <= written(pmcr_q, wdata, bits, pmcr_fields);
        pmuv3_pkg::RegMdcrEl2:
          mdcr_el2_q <= written(mdcr_el2_q, wdata, bits, mdcr_el2_fields);
        pmuv3_pkg::RegMdcrEl3:
          mdcr_el3_q <= written(mdcr_el3_q, wdata, bits, mdcr_el3_fields);
        pmuv3_pkg::RegSder32El3: sder_q <= written(sder_q, wdata, bits, sder_fields);
        pmuv3_pkg::RegPmselr: begin
          if (bits[0]) begin
            pmselr_q <= wdata[pmuv3_pkg::PmselrSelMsb:pmuv3_pkg::PmselrSelLsb];
          end
        end
        pmuv3_pkg::RegPmuserenr:
          pmuserenr_q <= written(pmuserenr_q, wdata, bits, pmuserenr_fields);
        pmuv3_pkg::RegPmuacr:
          pmuacr_q <= ((pmuacr_q & ~reach) | selected) & {33{cfg_i.feat_pmuv3p9}};
        pmuv3_pkg::RegPmecr:  pmecr_q  <= written(pmecr_q, wdata, bits, pmecr_fields);
        pmuv3_pkg::RegPmiar:  pmiar_q  <= written(pmiar_q, wdata, bits, pmiar_fields);
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_agent_ni) begin
    if (!rst_agent_ni) begin
      pmccfiltr_q <= 64'd0;
      pmicfiltr_q <= 64'd0;
    end else if (write) begin
      if (addr == pmuv3_pkg::RegPmccfiltr && counters[31]) begin
        pmccfiltr_q <= written(pmccfiltr_q, wdata, bits, filter_fields);
      end
      if (addr == pmuv3_pkg::RegPmicfiltr && counters[32]) begin
        pmicfiltr_q <= written(pmicfiltr_q, wdata, bits, pmicfiltr_fields);
      end
    end
  end

  // HPMN resets to the number of counters. The flops hold the difference from that number, so that
  // they reset to a constant.
  logic [4:0] hpmn, hpmn_diff_q;
  assign hpmn = hpmn_diff_q ^ cfg_i.counters;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hpmn_diff_q <= 5'd0;
    end else if (write && addr == pmuv3_pkg::RegMdcrEl2 && bits[0] && cfg_i.el2) begin
      hpmn_diff_q <= wdata[pmuv3_pkg::MdcrEl2HpmnMsb:pmuv3_pkg::MdcrEl2HpmnLsb] ^ cfg_i.counters;
    end
  end

  // A Warm reset keeps MTPME and the controls of snapshots. The highest of EL3 and EL2 has MTPME
  // (D13.6-8). With neither, MTPMU is never disabled.
  logic       mtpme_q, mtpme_el3, mtpme_el2;
  logic [1:0] sse_el3_q, sse_el2_q, sse_el1_q;
  assign mtpme_el3 = cfg_i.feat_mtpmu && cfg_i.el3;
  assign mtpme_el2 = cfg_i.feat_mtpmu && !cfg_i.el3 && cfg_i.el2;
  always_ff @(posedge clk_i or negedge rst_cold_ni) begin
    if (!rst_cold_ni) begin
      mtpme_q   <= 1'b1;
      sse_el3_q <= 2'b00;
      sse_el2_q <= 2'b00;
      sse_el1_q <= 2'b00;
    end else if (write && bits[0]) begin
      unique case (addr)
        pmuv3_pkg::RegMdcrEl3: begin
          if (mtpme_el3) mtpme_q <= wdata[pmuv3_pkg::MdcrEl3MtpmeLsb];
          if (cfg_i.el3 && cfg_i.feat_ss) begin
            sse_el3_q <= wdata[pmuv3_pkg::MdcrEl3PmsseMsb:pmuv3_pkg::MdcrEl3PmsseLsb];
          end
        end
        pmuv3_pkg::RegMdcrEl2: begin
          if (mtpme_el2) mtpme_q <= wdata[pmuv3_pkg::MdcrEl2MtpmeLsb];
          if (cfg_i.el2 && cfg_i.feat_ss) begin
            sse_el2_q <= wdata[pmuv3_pkg::MdcrEl2PmsseMsb:pmuv3_pkg::MdcrEl2PmsseLsb];
          end
        end
        pmuv3_pkg::RegPmecr: begin
          if (cfg_i.feat_ss) begin
            sse_el1_q <= wdata[pmuv3_pkg::PmecrSseMsb:pmuv3_pkg::PmecrSseLsb];
          end
        end
        default: ;
      endcase
    end
  end
  assign mtpmu_disabled_o = !mtpme_q;

  always_comb begin
    pmcr = pmcr_q;
    if (present_i) pmcr[pmuv3_pkg::PmcrNMsb:pmuv3_pkg::PmcrNLsb] = epmn_eff;

    // RMFYQC: a read of HPMN returns at most EPMN.
    mdcr_el2 = mdcr_el2_q;
    mdcr_el2[pmuv3_pkg::MdcrEl2PmsseMsb:pmuv3_pkg::MdcrEl2PmsseLsb] = sse_el2_q;
    mdcr_el2[pmuv3_pkg::MdcrEl2MtpmeLsb] = mtpme_q && mtpme_el2 && present_i;
    if (cfg_i.el2 && present_i) begin
      mdcr_el2[pmuv3_pkg::MdcrEl2HpmnMsb:pmuv3_pkg::MdcrEl2HpmnLsb] =
          cfg_i.feat_extpmn ? hpmn_eff : hpmn;
    end

    mdcr_el3 = mdcr_el3_q;
    mdcr_el3[pmuv3_pkg::MdcrEl3PmsseMsb:pmuv3_pkg::MdcrEl3PmsseLsb] = sse_el3_q;
    mdcr_el3[pmuv3_pkg::MdcrEl3MtpmeLsb] = mtpme_q && mtpme_el3 && present_i;
  end
  always_comb begin
    pmicfiltr = pmicfiltr_q;
    if (cfg_i.feat_icntr && present_i) begin
      pmicfiltr[pmuv3_pkg::PmicfiltrEvtcountMsb:pmuv3_pkg::PmicfiltrEvtcountLsb] =
          16'h0008;  // INST_RETIRED
    end
  end

  ////////////
  // Ranges //
  ////////////

  // DXWVNH: R1 has the counters below HPMN. R2 has the other counters below EPMN. R3 has the rest,
  // for an external agent. R3 takes precedence over R2. A reserved EPMN behaves as the number of
  // counters (K-EPMN-RES). A reserved HPMN does too (K-HPMN-RES).
  logic [4:0]       epmn, hpmn_eff, epmn_eff;
  logic             hpmn_reserved;
  logic [Lanes-1:0] range1, range2, range3, below_epmn;
  logic [Lanes-1:0] global_enable, long_overflow, range_continues;
  assign epmn          = others_i.pmccr[4:0];
  assign hpmn_reserved = hpmn > cfg_i.counters || (hpmn == 5'd0 && !cfg_i.feat_hpmn0);
  always_comb begin
    epmn_eff = cfg_i.feat_extpmn && epmn < cfg_i.counters ? epmn : cfg_i.counters;
    if (!cfg_i.el2)              hpmn_eff = epmn_eff;
    else if (cfg_i.feat_extpmn)  hpmn_eff = hpmn < epmn_eff ? hpmn : epmn_eff;
    else                         hpmn_eff = hpmn_reserved ? cfg_i.counters : hpmn;
  end
  assign below_epmn = below(epmn_eff);
  assign range1     = below(hpmn_eff);
  assign range2     = below_epmn & ~range1;
  assign range3     = ~below_epmn;

  assign global_enable   = (range1 & {Lanes{pmcr_q[pmuv3_pkg::PmcrELsb]}})
                             | (range2 & {Lanes{mdcr_el2_q[pmuv3_pkg::MdcrEl2HpmeLsb]}})
                             | (range3 & {Lanes{others_i.pmccr[7]}});  // EPME
  assign long_overflow   = {Lanes{cfg_i.feat_pmuv3p5 && cfg_i.aa64}}  // else 32 bits
                             & ((range1 & {Lanes{pmcr_q[pmuv3_pkg::PmcrLpLsb]}})
                                | (range2 & {Lanes{mdcr_el2_q[pmuv3_pkg::MdcrEl2HlpLsb]}})
                                | range3 | {Lanes{exception_enabled_i}});
  assign range_continues = ~(range1 ^ (range1 >> 1)) & ~(range3 >> 1);

  //////////////////////
  // PMCNTEN, PMINTEN //
  //////////////////////

  logic [Lanes-1:0] counter_enable_q, interrupt_enable_q;
  logic             cycle_enable_q, cycle_interrupt_enable_q;
  logic             instruction_enable_q, instruction_interrupt_enable_q;
  assign fixed_enable           = {instruction_enable_q, cycle_enable_q};
  assign fixed_interrupt_enable = {instruction_interrupt_enable_q, cycle_interrupt_enable_q};

  logic [Lanes-1:0] counter_enable_d, interrupt_enable_d;
  logic [1:0]       fixed_enable_d, fixed_interrupt_enable_d;
  always_comb begin
    counter_enable_d         = counter_enable_q;
    interrupt_enable_d       = interrupt_enable_q;
    fixed_enable_d           = fixed_enable;
    fixed_interrupt_enable_d = fixed_interrupt_enable;
    if (write) begin
      unique case (addr)
        pmuv3_pkg::RegPmcntenset: begin
          counter_enable_d = (counter_enable_q & ~dropped[Lanes-1:0]) | selected[Lanes-1:0];
          fixed_enable_d   = (fixed_enable & ~dropped[32:31]) | selected[32:31];
        end
        pmuv3_pkg::RegPmcntenclr: begin
          counter_enable_d = counter_enable_q & ~selected[Lanes-1:0];
          fixed_enable_d   = fixed_enable & ~selected[32:31];
        end
        pmuv3_pkg::RegPmintenset: begin
          interrupt_enable_d = (interrupt_enable_q & ~dropped[Lanes-1:0]) | selected[Lanes-1:0];
          fixed_interrupt_enable_d =
              (fixed_interrupt_enable & ~dropped[32:31]) | selected[32:31];
        end
        pmuv3_pkg::RegPmintenclr: begin
          interrupt_enable_d       = interrupt_enable_q & ~selected[Lanes-1:0];
          fixed_interrupt_enable_d = fixed_interrupt_enable & ~selected[32:31];
        end
        default: ;
      endcase
    end
  end

  // An agent never owns F0, so a Warm reset always clears F0.
  always_ff @(posedge clk_i or negedge rst_agent_ni) begin
    if (!rst_agent_ni) begin
      counter_enable_q         <= '0;
      interrupt_enable_q       <= '0;
      cycle_enable_q           <= 1'b0;
      cycle_interrupt_enable_q <= 1'b0;
    end else if (write) begin
      counter_enable_q         <= counter_enable_d;
      interrupt_enable_q       <= interrupt_enable_d;
      cycle_enable_q           <= fixed_enable_d[0];
      cycle_interrupt_enable_q <= fixed_interrupt_enable_d[0];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      instruction_enable_q           <= 1'b0;
      instruction_interrupt_enable_q <= 1'b0;
    end else if (write) begin
      instruction_enable_q           <= fixed_enable_d[1];
      instruction_interrupt_enable_q <= fixed_interrupt_enable_d[1];
    end
  end

  ///////////////
  // PMEVTYPER //
  ///////////////

  // Write enables of [31:0] and [63:32], and the written value without TLC.
  logic [Lanes-1:0] write_low, write_high;
  assign write_low  = write_evtyper & {Lanes{bits[0]}};
  assign write_high = write_evtyper & {Lanes{bits[32]}};

  logic [63:0]       evtyper_d;
  pmuv3_pkg::event_t event_d;
  logic [2:0]        class_d;
  logic [1:0]        attribution_d;
  assign evtyper_d     = wdata & evtyper_even_fields;
  assign event_d       = pmuv3_pkg::event_index(evtyper_d[15:0]);
  assign class_d       = pmuv3_pkg::event_class(event_d);
  assign attribution_d = pmuv3_pkg::event_attribution(event_d);

  // TC, TE and TH have their own reset.
  logic [63:0] threshold_fields;
  always_comb begin
    threshold_fields = 64'd0;
    threshold_fields[pmuv3_pkg::PmevtyperTcMsb:pmuv3_pkg::PmevtyperTcLsb] = '1;
    threshold_fields[pmuv3_pkg::PmevtyperTeLsb]                           = 1'b1;
    threshold_fields[pmuv3_pkg::PmevtyperThMsb:pmuv3_pkg::PmevtyperThLsb] = '1;
  end

  for (genvar n = 0; n < Lanes; n++) begin : g_evtyper
    logic [63:0]       fields, evtyper, threshold_q, rest_q;
    pmuv3_pkg::event_t event_q;
    logic [2:0]        class_q;
    assign fields = n % 2 == 0 ? evtyper_even_fields : evtyper_odd_fields;
    always_ff @(posedge clk_i or negedge rst_agent_ni) begin
      if (!rst_agent_ni) begin
        rest_q  <= 64'd0;
        event_q <= pmuv3_pkg::EventSwIncr;
        class_q <= pmuv3_pkg::EventClassSelf;
      end else if (write_evtyper[n]) begin
        rest_q <= written(rest_q, wdata, bits, fields & ~threshold_fields);
        if (bits[0]) begin
          event_q <= event_d;
          class_q <= class_d;
        end
      end
    end
    always_ff @(posedge clk_i or negedge rst_threshold_ni) begin
      if (!rst_threshold_ni) begin
        threshold_q <= 64'd0;
      end else if (write_evtyper[n]) begin
        threshold_q <= written(threshold_q, wdata, bits, fields & threshold_fields);
      end
    end

    assign evtyper             = rest_q | threshold_q;
    assign evtyper_o[64*n+:64] = evtyper;
    assign evtypers.event_index[EventWidth*n+:EventWidth] = event_q;
    assign evtypers.event_class[3*n+:3] = class_q;
    assign evtypers.tc[3*n+:3] = evtyper[pmuv3_pkg::PmevtyperTcMsb:pmuv3_pkg::PmevtyperTcLsb];
    assign evtypers.te[n] = evtyper[pmuv3_pkg::PmevtyperTeLsb];
    assign evtypers.tlc[2*n+:2] = evtyper[pmuv3_pkg::PmevtyperTlcMsb:pmuv3_pkg::PmevtyperTlcLsb];
    assign evtypers.th[12*n+:12] = evtyper[pmuv3_pkg::PmevtyperThMsb:pmuv3_pkg::PmevtyperThLsb];
  end

  // The value of a vector with a bit for each counter, after a write to some counters' bits.
  function automatic logic [Lanes-1:0] put(input logic [Lanes-1:0] old,
                                           input logic [Lanes-1:0] at, input logic value);
    put = (old & ~at) | (at & {Lanes{value}});
  endfunction

  logic [Lanes-1:0] p_q, u_q, nsk_q, nsu_q, nsh_q, m_q, mt_q, sh_q, rlk_q, rlu_q, rlh_q;
  logic [Lanes-1:0] sync_q, vs1_q, vs0_q;
  logic [Lanes-1:0] chain_q, sync_capable_q, memory_q, shared_q, trace_q;
  always_ff @(posedge clk_i or negedge rst_agent_ni) begin
    if (!rst_agent_ni) begin
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
    end else if (|write_low) begin
      p_q   <= put(p_q, write_low, evtyper_d[pmuv3_pkg::PmevtyperPLsb]);
      u_q   <= put(u_q, write_low, evtyper_d[pmuv3_pkg::PmevtyperULsb]);
      nsk_q <= put(nsk_q, write_low, evtyper_d[pmuv3_pkg::PmevtyperNskLsb]);
      nsu_q <= put(nsu_q, write_low, evtyper_d[pmuv3_pkg::PmevtyperNsuLsb]);
      nsh_q <= put(nsh_q, write_low, evtyper_d[pmuv3_pkg::PmevtyperNshLsb]);
      m_q   <= put(m_q, write_low, evtyper_d[pmuv3_pkg::PmevtyperMLsb]);
      mt_q  <= put(mt_q, write_low, evtyper_d[pmuv3_pkg::PmevtyperMtLsb]);
      sh_q  <= put(sh_q, write_low, evtyper_d[pmuv3_pkg::PmevtyperShLsb]);
      rlk_q <= put(rlk_q, write_low, evtyper_d[pmuv3_pkg::PmevtyperRlkLsb]);
      rlu_q <= put(rlu_q, write_low, evtyper_d[pmuv3_pkg::PmevtyperRluLsb]);
      rlh_q <= put(rlh_q, write_low, evtyper_d[pmuv3_pkg::PmevtyperRlhLsb]);
    end
  end
  always_ff @(posedge clk_i or negedge rst_agent_ni) begin
    if (!rst_agent_ni) begin
      sync_q <= '0;
      vs1_q  <= '0;
      vs0_q  <= '0;
    end else if (|write_high) begin
      sync_q <= put(sync_q, write_high, evtyper_d[pmuv3_pkg::PmevtyperSyncLsb]);
      vs1_q  <= put(vs1_q, write_high, evtyper_d[pmuv3_pkg::PmevtyperVsMsb]);
      vs0_q  <= put(vs0_q, write_high, evtyper_d[pmuv3_pkg::PmevtyperVsLsb]);
    end
  end
  always_ff @(posedge clk_i or negedge rst_agent_ni) begin
    if (!rst_agent_ni) begin
      chain_q        <= '0;
      sync_capable_q <= '1;  // SW_INCR supports synchronous mode
      memory_q       <= '0;
      shared_q       <= '0;
      trace_q        <= '0;
    end else if (|write_low) begin
      chain_q        <= put(chain_q, write_low, event_d == pmuv3_pkg::EventChain);
      sync_capable_q <= put(sync_capable_q, write_low, pmuv3_pkg::event_is_sync(event_d));
      memory_q       <= put(memory_q, write_low,
                            attribution_d == pmuv3_pkg::EventAttributionMemory
                            || attribution_d == pmuv3_pkg::EventAttributionShared);
      shared_q       <= put(shared_q, write_low,
                            attribution_d == pmuv3_pkg::EventAttributionShared);
      trace_q        <= put(trace_q, write_low,
                            attribution_d == pmuv3_pkg::EventAttributionTrace);
    end
  end

  ////////////////////
  // Identification //
  ////////////////////

  logic [3:0] edge_level;
  assign edge_level = cfg_i.feat_th2 ? 4'd2 : {3'd0, cfg_i.feat_edge};

  always_comb begin
    pmmir = 64'd0;
    if (cfg_i.feat_pmuv3p4 && present_i) begin
      pmmir[pmuv3_pkg::PmmirSmeLsb] = cfg_i.feat_sme;
      pmmir[pmuv3_pkg::PmmirEdgeMsb:pmuv3_pkg::PmmirEdgeLsb] = edge_level;
      pmmir[pmuv3_pkg::PmmirThwidthMsb:pmuv3_pkg::PmmirThwidthLsb] =
          cfg_i.feat_th ? cfg_i.th_width : 4'd0;
      pmmir[pmuv3_pkg::PmmirSlotsMsb:pmuv3_pkg::PmmirSlotsLsb] = cfg_i.slots;
    end
  end

  // Without PMUv3p1, software cannot select the events of the upper halves (0x4000 and up).
  logic [63:0] pmceid_fields;
  assign pmceid_fields = {{32{cfg_i.feat_pmuv3p1}}, 32'hFFFF_FFFF} & {64{present_i}};
  assign pmceid0     = pmuv3_pkg::Pmceid0 & pmceid_fields;
  assign pmceid1     = pmuv3_pkg::Pmceid1 & pmceid_fields;

  /////////////
  // Outputs //
  /////////////

  assign evtypers_o = evtypers;
  assign controls_o = controls;
  assign changes_o  = changes;

  assign filters.p   = p_q;
  assign filters.u   = u_q;
  assign filters.nsk = nsk_q;
  assign filters.nsu = nsu_q;
  assign filters.nsh = nsh_q;
  assign filters.m   = m_q;
  assign filters.sh  = sh_q;
  assign filters.rlk = rlk_q;
  assign filters.rlu = rlu_q;
  assign filters.rlh = rlh_q;
  assign filters.vs1 = vs1_q;
  assign filters.vs0 = vs0_q;

  assign evtypers.filters      = filters;
  assign evtypers.sync         = sync_q;
  assign evtypers.mt           = mt_q;
  assign evtypers.chain        = chain_q;
  assign evtypers.sync_capable = sync_capable_q;
  assign evtypers.memory       = memory_q;
  assign evtypers.shared       = shared_q;
  assign evtypers.trace        = trace_q;

  assign controls.enable           = counter_enable_q;
  assign controls.interrupt_enable = interrupt_enable_q;
  assign controls.global_enable    = global_enable;
  assign controls.range1           = range1;
  assign controls.range2           = range2;
  assign controls.range_continues  = range_continues;
  assign controls.long_overflow    = long_overflow;

  assign changes.zero           = counter_zero;
  assign changes.write          = counter_write;
  assign changes.overflow_set   = overflow_set;
  assign changes.overflow_clear = overflow_clear;
  assign changes.swinc          = swinc;
  assign cycle_change_o         = {fixed_zero[0], fixed_write[0], fixed_overflow_set[0],
                                   fixed_overflow_clear[0]};
  assign instruction_change_o   = {fixed_zero[1], fixed_write[1], fixed_overflow_set[1],
                                   fixed_overflow_clear[1]};

  assign pmecr = pmecr_q | {59'd0, sse_el1_q, 3'd0};
  assign regs_o.hpmn                   = hpmn_eff;
  assign regs_o.epmn                   = epmn_eff;
  assign regs_o.fixed_enable           = fixed_enable;
  assign regs_o.fixed_interrupt_enable = fixed_interrupt_enable;
  assign regs_o.pmcr                   = pmcr;
  assign regs_o.mdcr_el2               = mdcr_el2;
  assign regs_o.mdcr_el3               = mdcr_el3;
  assign regs_o.sder                   = sder_q;
  assign regs_o.pmccfiltr              = pmccfiltr_q;
  assign regs_o.pmicfiltr              = pmicfiltr;
  assign regs_o.pmselr                 = {59'd0, pmselr_q};
  assign regs_o.pmuserenr              = pmuserenr_q;
  assign regs_o.pmuacr                 = {31'd0, pmuacr_q};
  assign regs_o.pmecr                  = pmecr;
  assign regs_o.pmiar                  = pmiar_q;
  assign regs_o.pmmir                  = pmmir;
  assign regs_o.pmceid0                = pmceid0;
  assign regs_o.pmceid1                = pmceid1;

  logic unused_bits;
  assign unused_bits = ^{cfg_i, access_i, selected, dropped, others_i};

endmodule

`default_nettype wire
