// The programmer's model: a thread's registers. The registers that configure the other stages are
// here. Accesses of the other stages' registers go through here.
//
//   owns   PMCR, MDCR_EL2, MDCR_EL3, SDER32_EL3, PMCCFILTR, PMICFILTR, PMSELR, PMUSERENR, PMUACR,
//          PMECR, PMIAR; in pmuv3_evtypers PMEVTYPER<n>; in pmuv3_controls PMCNTEN, PMINTEN
//   reads  PMEVCNTR<n> (pmuv3_counter), PMCCNTR and PMOVS.C (pmuv3_cycle_counter), PMICNTR and
//          PMOVS.F0 (pmuv3_instruction_counter), PMOVS (pmuv3_overflow) and PMSSCR and the saved
//          values (pmuv3_snapshot); pmuv3_changes sends writes there
//
// Timing: a write is applied at the clock edge, with the Processor-cycle strobe high or low. The
// configuration outputs show the write after that edge. Reads and the write strobes to other stages
// are combinational from the access.
//
// The accessing port has decided that the register exists, and which bits and counters are in
// reach. The rest is RAZ/WI.
`default_nettype none

module pmuv3_registers #(
  // The number of elaborated counters. The lowest cfg_i.counters counters are implemented. The
  // registers and bits of the others do not exist.
  parameter int unsigned Lanes     = 31,
  parameter int unsigned NumEvents = 1
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic rst_agent_ni,      // resets state that an external agent's counters need
  input wire logic rst_threshold_ni,  // resets PMEVTYPER.{TC, TE, TH}
  input wire logic rst_cold_ni,
  input wire pmuv3_pkg::config_t cfg_i,
  input wire logic [pmuv3_pkg::EventWidth*NumEvents-1:0] events_i,
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

  logic        write;
  logic [15:0] addr;
  logic [63:0] wdata, bits;
  assign write = access_i.write;
  assign addr  = access_i.addr;
  assign wdata = access_i.wdata;
  assign bits  = access_i.bits;

  ////////////
  // Access //
  ////////////

  // The counters in reach, and the reach in a register with a bit for each counter. A counter that
  // is not implemented is never in reach, so synthesis removes it.
  logic [32:0] counters, reach;
  assign counters = access_i.counters
                    & {cfg_i.feat_icntr, 1'b1, ~(31'h7FFF_FFFF << cfg_i.counters)};
  assign reach    = counters & bits[32:0];

  // selected: the bits that are written as 1. dropped: the bits that a replacing write clears.
  logic [32:0] selected, dropped;
  always_comb begin
    selected = 33'd0;
    dropped  = 33'd0;
    if (write) begin
      selected = wdata[32:0] & reach;
      dropped  = ~wdata[32:0] & reach & {33{access_i.replace}};
    end
  end

  pmuv3_changes #(
    .Lanes(Lanes)
  ) u_changes (
    .access_i,
    .counters_i(counters),
    .selected_i(selected),
    .dropped_i (dropped),
    .changes_o,
    .cycle_change_o,
    .instruction_change_o,
    .capture_o
  );

  pmuv3_types_pkg::regs_t regs;
  assign regs_o = regs;
  pmuv3_read #(
    .Lanes(Lanes)
  ) u_read (
    .access_i,
    .counters_i(counters),
    .pmceid0_i (pmceid0),
    .pmceid1_i (pmceid1),
    .regs_i    (regs),
    .others_i,
    .controls_i(controls_o),
    .value_i,
    .evtyper_i (evtyper_o),
    .svr_i,
    .overflow_i,
    .rdata_o
  );

  ////////////
  // Fields //
  ////////////

  // The fields that hold the written value, by the configuration. PMEVTYPER, PMCCFILTR and
  // PMICFILTR have the filter bits in the same places.
  logic [63:0] pmcr_fields, mdcr_el2_fields, mdcr_el3_fields, sder_fields, filter_fields;
  logic [63:0] pmicfiltr_fields, pmuserenr_fields, pmecr_fields, pmiar_fields;
  logic        has_aa32;
  assign has_aa32 = cfg_i.aa32 != pmuv3_pkg::Aa32None;
  always_comb begin
    pmcr_fields = 64'd0;
    pmcr_fields[pmuv3_pkg::PmcrFzsLsb] = cfg_i.feat_spe;
    pmcr_fields[pmuv3_pkg::PmcrFzoLsb] = cfg_i.feat_pmuv3p7;
    pmcr_fields[pmuv3_pkg::PmcrLpLsb]  = cfg_i.feat_pmuv3p5 && cfg_i.aa64;
    pmcr_fields[pmuv3_pkg::PmcrLcLsb]  = has_aa32;
    pmcr_fields[pmuv3_pkg::PmcrDpLsb]  = cfg_i.el3 || (cfg_i.feat_pmuv3p1 && cfg_i.el2)
                                         || cfg_i.feat_pmuv3p7;
    pmcr_fields[pmuv3_pkg::PmcrDLsb]   = has_aa32;
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
      sder_fields[pmuv3_pkg::Sder32El3SunidenLsb] = cfg_i.aa32 >= pmuv3_pkg::Aa32El1;
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
  end

  ///////////
  // Flops //
  ///////////

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
        pmuv3_pkg::RegPmcr: pmcr_q <= pmuv3_types_pkg::written(pmcr_q, wdata, bits, pmcr_fields);
        pmuv3_pkg::RegMdcrEl2:
          mdcr_el2_q <= pmuv3_types_pkg::written(mdcr_el2_q, wdata, bits, mdcr_el2_fields);
        pmuv3_pkg::RegMdcrEl3:
          mdcr_el3_q <= pmuv3_types_pkg::written(mdcr_el3_q, wdata, bits, mdcr_el3_fields);
        pmuv3_pkg::RegSder32El3:
          sder_q <= pmuv3_types_pkg::written(sder_q, wdata, bits, sder_fields);
        pmuv3_pkg::RegPmselr: begin
          if (bits[0]) begin
            pmselr_q <= wdata[pmuv3_pkg::PmselrSelMsb:pmuv3_pkg::PmselrSelLsb];
          end
        end
        pmuv3_pkg::RegPmuserenr:
          pmuserenr_q <= pmuv3_types_pkg::written(pmuserenr_q, wdata, bits, pmuserenr_fields);
        pmuv3_pkg::RegPmuacr:
          pmuacr_q <= ((pmuacr_q & ~reach) | selected) & {33{cfg_i.feat_pmuv3p9}};
        pmuv3_pkg::RegPmecr:
          pmecr_q <= pmuv3_types_pkg::written(pmecr_q, wdata, bits, pmecr_fields);
        pmuv3_pkg::RegPmiar:
          pmiar_q <= pmuv3_types_pkg::written(pmiar_q, wdata, bits, pmiar_fields);
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
        pmccfiltr_q <= pmuv3_types_pkg::written(pmccfiltr_q, wdata, bits, filter_fields);
      end
      if (addr == pmuv3_pkg::RegPmicfiltr && counters[32]) begin
        pmicfiltr_q <= pmuv3_types_pkg::written(pmicfiltr_q, wdata, bits, pmicfiltr_fields);
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

  ////////////
  // Values //
  ////////////

  logic [4:0]  hpmn_eff, epmn_eff;  // Effective values of MDCR_EL2.HPMN and PMCCR.EPMN
  logic [63:0] pmcr, mdcr_el2, mdcr_el3, pmicfiltr, pmmir, pmceid0, pmceid1;
  always_comb begin
    pmcr = pmcr_q;
    if (present_i) begin
      pmcr[pmuv3_pkg::PmcrNMsb:pmuv3_pkg::PmcrNLsb] = epmn_eff;
      if (!cfg_i.feat_pmuv3p7 && cfg_i.imp != 8'd0) begin
        pmcr[pmuv3_pkg::PmcrImpMsb:pmuv3_pkg::PmcrImpLsb]       = cfg_i.imp;
        pmcr[pmuv3_pkg::PmcrIdcodeMsb:pmuv3_pkg::PmcrIdcodeLsb] = cfg_i.idcode;
      end
      if (!has_aa32) pmcr[pmuv3_pkg::PmcrLcLsb] = 1'b1;  // RES1: the cycle counter has 64 bits
    end

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
      pmmir[pmuv3_pkg::PmmirBusWidthMsb:pmuv3_pkg::PmmirBusWidthLsb] = cfg_i.bus_width;
      pmmir[pmuv3_pkg::PmmirBusSlotsMsb:pmuv3_pkg::PmmirBusSlotsLsb] = cfg_i.bus_slots;
      pmmir[pmuv3_pkg::PmmirSlotsMsb:pmuv3_pkg::PmmirSlotsLsb] = cfg_i.slots;
    end
  end

  // Without PMUv3p1, software cannot select the events of the upper halves (0x4000 and up).
  logic [63:0] pmceid_fields, id0, id1;
  assign pmceid_fields = {{32{cfg_i.feat_pmuv3p1}}, 32'hFFFF_FFFF} & {64{present_i}};
  assign pmceid0     = id0 & pmceid_fields;
  assign pmceid1     = id1 & pmceid_fields;
  pmuv3_event_ids #(
    .NumEvents(NumEvents)
  ) u_event_ids (
    .events_i,
    .read_i   (access_i.read && (addr == pmuv3_pkg::RegPmceid0 || addr == pmuv3_pkg::RegPmceid1)),
    .pmceid0_o(id0),
    .pmceid1_o(id1)
  );

  ///////////////////////////////
  // Event selection, controls //
  ///////////////////////////////

  // The address of PMEVTYPER<n> has n in the low bits.
  logic [31:0]      reached;  // event counters
  logic [Lanes-1:0] write_evtyper;
  assign reached = {1'b0, counters[30:0]};
  always_comb begin
    write_evtyper = '0;
    if (write && reached[addr[4:0]]) begin
      write_evtyper = Lanes'({addr[15:5], 5'd0} == pmuv3_pkg::RegPmevtyper) << addr[4:0];
    end
  end

  pmuv3_evtypers #(
    .Lanes    (Lanes),
    .NumEvents(NumEvents)
  ) u_evtypers (
    .clk_i,
    .rst_ni         (rst_agent_ni),
    .rst_threshold_ni,
    .cfg_i,
    .events_i,
    .filter_fields_i(filter_fields),
    .write_i        (write_evtyper),
    .wdata_i        (wdata),
    .bits_i         (bits),
    .evtypers_o,
    .evtyper_o
  );

  pmuv3_controls #(
    .Lanes(Lanes)
  ) u_controls (
    .clk_i,
    .rst_ni,
    .rst_agent_ni,
    .cfg_i,
    .write_i                 (write),
    .addr_i                  (addr),
    .selected_i              (selected),
    .dropped_i               (dropped),
    .pmcr_e_i                (pmcr_q[pmuv3_pkg::PmcrELsb]),
    .pmcr_lp_i               (pmcr_q[pmuv3_pkg::PmcrLpLsb]),
    .hpmn_i                  (hpmn),
    .hpme_i                  (mdcr_el2_q[pmuv3_pkg::MdcrEl2HpmeLsb]),
    .hlp_i                   (mdcr_el2_q[pmuv3_pkg::MdcrEl2HlpLsb]),
    .epmn_i                  (others_i.pmccr[4:0]),
    .epme_i                  (others_i.pmccr[7]),
    .exception_enabled_i,
    .hpmn_o                  (hpmn_eff),
    .epmn_o                  (epmn_eff),
    .fixed_enable_o          (regs.fixed_enable),
    .fixed_interrupt_enable_o(regs.fixed_interrupt_enable),
    .controls_o
  );

  /////////////
  // Outputs //
  /////////////

  assign regs.hpmn = hpmn_eff;
  assign regs.epmn = epmn_eff;

  // The values that reads return
  assign regs.pmcr      = pmcr;
  assign regs.mdcr_el2  = mdcr_el2;
  assign regs.mdcr_el3  = mdcr_el3;
  assign regs.sder      = sder_q;
  assign regs.pmccfiltr = pmccfiltr_q;
  assign regs.pmicfiltr = pmicfiltr;
  assign regs.pmselr    = {59'd0, pmselr_q};
  assign regs.pmuserenr = pmuserenr_q;
  assign regs.pmuacr    = {31'd0, pmuacr_q};
  assign regs.pmecr     = pmecr_q | {59'd0, sse_el1_q, 3'd0};
  assign regs.pmiar     = pmiar_q;
  assign regs.pmmir     = pmmir;

  logic unused_bits;
  assign unused_bits = ^{cfg_i, access_i, others_i};

endmodule

`default_nettype wire
