// Constants and types of the PMU. Derived by pmuv3-derive from cmodel/include/pmuv3/*.def:
// change those, not this file.
`default_nettype none

package pmuv3_pkg;

  // The static configuration input: what is implemented and how choices are made.
  typedef struct packed {
    logic [4:0] counters;  // NUM_PMU_COUNTERS: event counters implemented
    logic [2:0] threads;  // threads of the multithreaded processor, all of one group
    logic [3:0] th_width;  // PMMIR_EL1.THWIDTH: bits of PMEVTYPER<n>_EL0.TH, with TH
    logic [0:0] el2;  // EL2 is implemented
    logic [0:0] el3;  // EL3 is implemented
    logic [7:0] slots;  // PMMIR_EL1.SLOTS: Slots of a cycle
    logic [0:0] k_restc;  // K-RESTC
    logic feat_pmuv3p9;
    logic feat_pmuv3p8;
    logic feat_pmuv3p7;
    logic feat_pmuv3p5;
    logic feat_pmuv3p4;
    logic feat_pmuv3p1;
    logic feat_hpmn0;
    logic feat_sebep;
    logic feat_mtpmu;
    logic feat_sel2;
    logic feat_rme;
    logic feat_icntr;
    logic feat_sme;
    logic feat_th2;
    logic feat_edge;
    logic feat_th;
  } config_t;

  // Events: an index for each implemented one. Those below NumEventInputs have an
  // increment input, event_i[8*index +: 8]; the others are made by the PMU itself.
  typedef logic [5:0] event_t;
  localparam int unsigned NumEventInputs = 29;
  localparam int unsigned NumEvents = 32;
  localparam event_t EventL1dCache = 6'd0;  // 0x0004
  localparam event_t EventInstRetired = 6'd1;  // 0x0008
  localparam event_t EventExcTaken = 6'd2;  // 0x0009
  localparam event_t EventExcReturn = 6'd3;  // 0x000A
  localparam event_t EventCidWriteRetired = 6'd4;  // 0x000B
  localparam event_t EventBrMisPred = 6'd5;  // 0x0010
  localparam event_t EventBrPred = 6'd6;  // 0x0012
  localparam event_t EventTtbrWriteRetired = 6'd7;  // 0x001C
  localparam event_t EventStallFrontend = 6'd8;  // 0x0023
  localparam event_t EventStallBackend = 6'd9;  // 0x0024
  localparam event_t EventStall = 6'd10;  // 0x003C
  localparam event_t EventStallSlotBackend = 6'd11;  // 0x003D
  localparam event_t EventStallSlotFrontend = 6'd12;  // 0x003E
  localparam event_t EventStallSlot = 6'd13;  // 0x003F
  localparam event_t EventExcUndef = 6'd14;  // 0x0081
  localparam event_t EventExcSvc = 6'd15;  // 0x0082
  localparam event_t EventExcPabort = 6'd16;  // 0x0083
  localparam event_t EventExcDabort = 6'd17;  // 0x0084
  localparam event_t EventExcIrq = 6'd18;  // 0x0086
  localparam event_t EventExcFiq = 6'd19;  // 0x0087
  localparam event_t EventExcSmc = 6'd20;  // 0x0088
  localparam event_t EventExcHvc = 6'd21;  // 0x008A
  localparam event_t EventExcTrapPabort = 6'd22;  // 0x008B
  localparam event_t EventExcTrapDabort = 6'd23;  // 0x008C
  localparam event_t EventExcTrapOther = 6'd24;  // 0x008D
  localparam event_t EventExcTrapIrq = 6'd25;  // 0x008E
  localparam event_t EventExcTrapFiq = 6'd26;  // 0x008F
  localparam event_t EventFpFixedOpsSpec = 6'd27;  // 0x80C1
  localparam event_t EventBrbFiltrate = 6'd28;  // 0x811F
  localparam event_t EventSwIncr = 6'd29;  // 0x0000
  localparam event_t EventCpuCycles = 6'd30;  // 0x0011
  localparam event_t EventChain = 6'd31;  // 0x001E
  localparam event_t EventNone = 6'd63;  // a number that is not implemented

  // evtCount to event index.
  function automatic event_t event_index(input logic [15:0] evt_count);
    unique case (evt_count)
      16'h0000: event_index = EventSwIncr;
      16'h0004: event_index = EventL1dCache;
      16'h0008: event_index = EventInstRetired;
      16'h0009: event_index = EventExcTaken;
      16'h000A: event_index = EventExcReturn;
      16'h000B: event_index = EventCidWriteRetired;
      16'h0010: event_index = EventBrMisPred;
      16'h0011: event_index = EventCpuCycles;
      16'h0012: event_index = EventBrPred;
      16'h001C: event_index = EventTtbrWriteRetired;
      16'h001E: event_index = EventChain;
      16'h0023: event_index = EventStallFrontend;
      16'h0024: event_index = EventStallBackend;
      16'h003C: event_index = EventStall;
      16'h003D: event_index = EventStallSlotBackend;
      16'h003E: event_index = EventStallSlotFrontend;
      16'h003F: event_index = EventStallSlot;
      16'h0081: event_index = EventExcUndef;
      16'h0082: event_index = EventExcSvc;
      16'h0083: event_index = EventExcPabort;
      16'h0084: event_index = EventExcDabort;
      16'h0086: event_index = EventExcIrq;
      16'h0087: event_index = EventExcFiq;
      16'h0088: event_index = EventExcSmc;
      16'h008A: event_index = EventExcHvc;
      16'h008B: event_index = EventExcTrapPabort;
      16'h008C: event_index = EventExcTrapDabort;
      16'h008D: event_index = EventExcTrapOther;
      16'h008E: event_index = EventExcTrapIrq;
      16'h008F: event_index = EventExcTrapFiq;
      16'h80C1: event_index = EventFpFixedOpsSpec;
      16'h811F: event_index = EventBrbFiltrate;
      default: event_index = EventNone;
    endcase
  endfunction

  // The common events as PMCEID0_EL0 and PMCEID1_EL0 show them, with PMUv3p1.
  localparam logic [63:0] Pmceid0 = 64'h0000000050070F11;
  localparam logic [63:0] Pmceid1 = 64'h00000000F0000018;

  // System register encodings {op0, op1, CRn, CRm, op2}; PMEVCNTR and PMEVTYPER are those
  // of n = 0, and n adds to the low 5 bits.
  localparam logic [15:0] RegPmcr = 16'hDCE0;
  localparam logic [15:0] RegPmcntenset = 16'hDCE1;
  localparam logic [15:0] RegPmcntenclr = 16'hDCE2;
  localparam logic [15:0] RegPmovsclr = 16'hDCE3;
  localparam logic [15:0] RegPmswinc = 16'hDCE4;
  localparam logic [15:0] RegPmceid0 = 16'hDCE6;
  localparam logic [15:0] RegPmceid1 = 16'hDCE7;
  localparam logic [15:0] RegPmintenset = 16'hC4F1;
  localparam logic [15:0] RegPmintenclr = 16'hC4F2;
  localparam logic [15:0] RegPmovsset = 16'hDCF3;
  localparam logic [15:0] RegPmmir = 16'hC4F6;
  localparam logic [15:0] RegMdcrEl2 = 16'hE089;
  localparam logic [15:0] RegPmevcntr = 16'hDF40;
  localparam logic [15:0] RegPmevtyper = 16'hDF60;

  // Fields.
  localparam int unsigned PmcrNLsb = 11;
  localparam int unsigned PmcrNMsb = 15;
  localparam int unsigned PmcrLpLsb = 7;
  localparam int unsigned PmcrPLsb = 1;
  localparam int unsigned PmcrELsb = 0;
  localparam int unsigned PmcntensetPLsb = 0;
  localparam int unsigned PmcntensetPMsb = 30;
  localparam int unsigned PmcntenclrPLsb = 0;
  localparam int unsigned PmcntenclrPMsb = 30;
  localparam int unsigned PmovsclrPLsb = 0;
  localparam int unsigned PmovsclrPMsb = 30;
  localparam int unsigned PmswincPLsb = 0;
  localparam int unsigned PmswincPMsb = 30;
  localparam int unsigned Pmceid0IdhiLsb = 32;
  localparam int unsigned Pmceid0IdhiMsb = 63;
  localparam int unsigned Pmceid0IdLsb = 0;
  localparam int unsigned Pmceid0IdMsb = 31;
  localparam int unsigned Pmceid1IdhiLsb = 32;
  localparam int unsigned Pmceid1IdhiMsb = 63;
  localparam int unsigned Pmceid1IdLsb = 0;
  localparam int unsigned Pmceid1IdMsb = 31;
  localparam int unsigned PmintensetPLsb = 0;
  localparam int unsigned PmintensetPMsb = 30;
  localparam int unsigned PmintenclrPLsb = 0;
  localparam int unsigned PmintenclrPMsb = 30;
  localparam int unsigned PmovssetPLsb = 0;
  localparam int unsigned PmovssetPMsb = 30;
  localparam int unsigned PmmirSmeLsb = 28;
  localparam int unsigned PmmirEdgeLsb = 24;
  localparam int unsigned PmmirEdgeMsb = 27;
  localparam int unsigned PmmirThwidthLsb = 20;
  localparam int unsigned PmmirThwidthMsb = 23;
  localparam int unsigned PmmirBusWidthLsb = 16;
  localparam int unsigned PmmirBusWidthMsb = 19;
  localparam int unsigned PmmirBusSlotsLsb = 8;
  localparam int unsigned PmmirBusSlotsMsb = 15;
  localparam int unsigned PmmirSlotsLsb = 0;
  localparam int unsigned PmmirSlotsMsb = 7;
  localparam int unsigned MdcrEl2MtpmeLsb = 28;
  localparam int unsigned MdcrEl2HlpLsb = 26;
  localparam int unsigned MdcrEl2HpmeLsb = 7;
  localparam int unsigned MdcrEl2HpmnLsb = 0;
  localparam int unsigned MdcrEl2HpmnMsb = 4;
  localparam int unsigned PmevcntrEvcntHiLsb = 32;
  localparam int unsigned PmevcntrEvcntHiMsb = 63;
  localparam int unsigned PmevcntrEvcntLsb = 0;
  localparam int unsigned PmevcntrEvcntMsb = 31;
  localparam int unsigned PmevtyperTcLsb = 61;
  localparam int unsigned PmevtyperTcMsb = 63;
  localparam int unsigned PmevtyperTeLsb = 60;
  localparam int unsigned PmevtyperTlcLsb = 54;
  localparam int unsigned PmevtyperTlcMsb = 55;
  localparam int unsigned PmevtyperThLsb = 32;
  localparam int unsigned PmevtyperThMsb = 43;
  localparam int unsigned PmevtyperMtLsb = 25;
  localparam int unsigned PmevtyperEvtcountHiLsb = 10;
  localparam int unsigned PmevtyperEvtcountHiMsb = 15;
  localparam int unsigned PmevtyperEvtcountLsb = 0;
  localparam int unsigned PmevtyperEvtcountMsb = 9;

endpackage

`default_nettype wire
