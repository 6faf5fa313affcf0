// Constants and types of the PMU. Derived by pmuv3-derive from cmodel/include/pmuv3/*.def:
// change those, not this file.
`default_nettype none

// Values that the scoreboard compares: a port for each row of probe.def, of all threads,
// thread 0 lowest. Of counters, thread t's counter n is at Lanes*t+n.
//   PMUV3_PROBE_PORTS    the ports of NumThreads threads
//   PMUV3_PROBE_CONNECT  thread t's ports, connected to those of all threads
//   PMUV3_REGS_MEMBERS   the registers that pmuv3_registers owns, as members of regs_t
//   PMUV3_PROBE_REGS     drives their ports
`define PMUV3_PROBE_PORTS(NumThreads, Lanes) \
  output logic [(Lanes)*(NumThreads)-1:0] probe_allowed_o, \
  output logic [16*(Lanes)*(NumThreads)-1:0] probe_vb_o, \
  output logic [(Lanes)*(NumThreads)-1:0] probe_ct_o, \
  output logic [(Lanes)*(NumThreads)-1:0] probe_cp_o, \
  output logic [(Lanes)*(NumThreads)-1:0] probe_ce_o, \
  output logic [16*(Lanes)*(NumThreads)-1:0] probe_vt_o, \
  output logic [16*(Lanes)*(NumThreads)-1:0] probe_ve_o, \
  output logic [16*(Lanes)*(NumThreads)-1:0] probe_v_o, \
  output logic [64*(Lanes)*(NumThreads)-1:0] probe_value_o, \
  output logic [(Lanes)*(NumThreads)-1:0] probe_overflow_o, \
  output logic [64*(Lanes)*(NumThreads)-1:0] probe_evtyper_o, \
  output logic [(Lanes)*(NumThreads)-1:0] probe_cnten_o, \
  output logic [(Lanes)*(NumThreads)-1:0] probe_inten_o, \
  output logic [64*(NumThreads)-1:0] probe_pmcr_o, \
  output logic [64*(NumThreads)-1:0] probe_mdcr_el2_o, \
  output logic [64*(NumThreads)-1:0] probe_mdcr_el3_o, \
  output logic [64*(NumThreads)-1:0] probe_sder_o, \
  output logic [64*(NumThreads)-1:0] probe_pmccfiltr_o, \
  output logic [64*(NumThreads)-1:0] probe_pmicfiltr_o, \
  output logic [64*(NumThreads)-1:0] probe_pmccntr_o, \
  output logic [64*(NumThreads)-1:0] probe_pmicntr_o, \
  output logic [2*(NumThreads)-1:0] probe_fixed_overflow_o, \
  output logic [2*(NumThreads)-1:0] probe_fixed_cnten_o, \
  output logic [2*(NumThreads)-1:0] probe_fixed_inten_o, \
  output logic [64*(NumThreads)-1:0] probe_pmmir_o, \
  output logic [64*(NumThreads)-1:0] probe_pmselr_o, \
  output logic [64*(NumThreads)-1:0] probe_pmuserenr_o, \
  output logic [64*(NumThreads)-1:0] probe_pmuacr_o, \
  output logic [64*(NumThreads)-1:0] probe_pmecr_o, \
  output logic [64*(NumThreads)-1:0] probe_pmiar_o, \
  output logic [64*(NumThreads)-1:0] probe_pmsscr_o, \
  output logic [64*(NumThreads)-1:0] probe_pmccr_o, \
  output logic [64*(NumThreads)-1:0] probe_pmlsr_o, \
  output logic [64*(Lanes)*(NumThreads)-1:0] probe_svr_o, \
  output logic [64*(NumThreads)-1:0] probe_pmccntsvr_o, \
  output logic [64*(NumThreads)-1:0] probe_pmicntsvr_o

`define PMUV3_PROBE_CONNECT(t, Lanes) \
  .probe_allowed_o(probe_allowed_o[(Lanes)*(t)+:(Lanes)]), \
  .probe_vb_o(probe_vb_o[16*(Lanes)*(t)+:16*(Lanes)]), \
  .probe_ct_o(probe_ct_o[(Lanes)*(t)+:(Lanes)]), \
  .probe_cp_o(probe_cp_o[(Lanes)*(t)+:(Lanes)]), \
  .probe_ce_o(probe_ce_o[(Lanes)*(t)+:(Lanes)]), \
  .probe_vt_o(probe_vt_o[16*(Lanes)*(t)+:16*(Lanes)]), \
  .probe_ve_o(probe_ve_o[16*(Lanes)*(t)+:16*(Lanes)]), \
  .probe_v_o(probe_v_o[16*(Lanes)*(t)+:16*(Lanes)]), \
  .probe_value_o(probe_value_o[64*(Lanes)*(t)+:64*(Lanes)]), \
  .probe_overflow_o(probe_overflow_o[(Lanes)*(t)+:(Lanes)]), \
  .probe_evtyper_o(probe_evtyper_o[64*(Lanes)*(t)+:64*(Lanes)]), \
  .probe_cnten_o(probe_cnten_o[(Lanes)*(t)+:(Lanes)]), \
  .probe_inten_o(probe_inten_o[(Lanes)*(t)+:(Lanes)]), \
  .probe_pmcr_o(probe_pmcr_o[64*(t)+:64]), \
  .probe_mdcr_el2_o(probe_mdcr_el2_o[64*(t)+:64]), \
  .probe_mdcr_el3_o(probe_mdcr_el3_o[64*(t)+:64]), \
  .probe_sder_o(probe_sder_o[64*(t)+:64]), \
  .probe_pmccfiltr_o(probe_pmccfiltr_o[64*(t)+:64]), \
  .probe_pmicfiltr_o(probe_pmicfiltr_o[64*(t)+:64]), \
  .probe_pmccntr_o(probe_pmccntr_o[64*(t)+:64]), \
  .probe_pmicntr_o(probe_pmicntr_o[64*(t)+:64]), \
  .probe_fixed_overflow_o(probe_fixed_overflow_o[2*(t)+:2]), \
  .probe_fixed_cnten_o(probe_fixed_cnten_o[2*(t)+:2]), \
  .probe_fixed_inten_o(probe_fixed_inten_o[2*(t)+:2]), \
  .probe_pmmir_o(probe_pmmir_o[64*(t)+:64]), \
  .probe_pmselr_o(probe_pmselr_o[64*(t)+:64]), \
  .probe_pmuserenr_o(probe_pmuserenr_o[64*(t)+:64]), \
  .probe_pmuacr_o(probe_pmuacr_o[64*(t)+:64]), \
  .probe_pmecr_o(probe_pmecr_o[64*(t)+:64]), \
  .probe_pmiar_o(probe_pmiar_o[64*(t)+:64]), \
  .probe_pmsscr_o(probe_pmsscr_o[64*(t)+:64]), \
  .probe_pmccr_o(probe_pmccr_o[64*(t)+:64]), \
  .probe_pmlsr_o(probe_pmlsr_o[64*(t)+:64]), \
  .probe_svr_o(probe_svr_o[64*(Lanes)*(t)+:64*(Lanes)]), \
  .probe_pmccntsvr_o(probe_pmccntsvr_o[64*(t)+:64]), \
  .probe_pmicntsvr_o(probe_pmicntsvr_o[64*(t)+:64])

`define PMUV3_REGS_MEMBERS \
  logic [63:0] pmcr; \
  logic [63:0] mdcr_el2; \
  logic [63:0] mdcr_el3; \
  logic [63:0] sder; \
  logic [63:0] pmccfiltr; \
  logic [63:0] pmicfiltr; \
  logic [63:0] pmmir; \
  logic [63:0] pmselr; \
  logic [63:0] pmuserenr; \
  logic [63:0] pmuacr; \
  logic [63:0] pmecr; \
  logic [63:0] pmiar;

`define PMUV3_PROBE_REGS(regs) \
  assign probe_pmcr_o = regs.pmcr; \
  assign probe_mdcr_el2_o = regs.mdcr_el2; \
  assign probe_mdcr_el3_o = regs.mdcr_el3; \
  assign probe_sder_o = regs.sder; \
  assign probe_pmccfiltr_o = regs.pmccfiltr; \
  assign probe_pmicfiltr_o = regs.pmicfiltr; \
  assign probe_pmmir_o = regs.pmmir; \
  assign probe_pmselr_o = regs.pmselr; \
  assign probe_pmuserenr_o = regs.pmuserenr; \
  assign probe_pmuacr_o = regs.pmuacr; \
  assign probe_pmecr_o = regs.pmecr; \
  assign probe_pmiar_o = regs.pmiar;

package pmuv3_pkg;

  // The static configuration input: what is implemented and how choices are made.
  typedef struct packed {
    logic [4:0] counters;  // NUM_PMU_COUNTERS: event counters implemented
    logic [2:0] threads;  // threads of the multithreaded processor, all of one group
    logic [3:0] th_width;  // PMMIR_EL1.THWIDTH: bits of PMEVTYPER<n>_EL0.TH, with TH
    logic [0:0] el2;  // EL2 is implemented
    logic [0:0] el3;  // EL3 is implemented
    logic [7:0] slots;  // PMMIR_EL1.SLOTS: Slots of a cycle
    logic [7:0] bus_slots;  // PMMIR_EL1.BUS_SLOTS: the most that BUS_ACCESS counts in a bus cycle
    logic [3:0] bus_width;  // PMMIR_EL1.BUS_WIDTH: 1 + log2 of the bytes of a bus access, 3 to 12
    logic [0:0] aa64;  // some Exception level can use AArch64
    logic [0:0] debugv8p2;  // FEAT_Debugv8p2
    logic [7:0] imp;  // PMCR_EL0.IMP
    logic [7:0] idcode;  // PMCR_EL0.IDCODE
    logic [31:0] iidr;  // PMIIDR
    logic [39:0] pidr;  // PMPIDR4, PMPIDR3, PMPIDR2, PMPIDR1, PMPIDR0, a byte each
    logic [31:0] authstatus;  // PMAUTHSTATUS
    logic [23:0] affinity;  // MPIDR_EL1.{Aff3, Aff2, Aff1}, a byte each
    logic [2:0] aa32;  // aa32
    logic [0:0] k_restc;  // K-RESTC
    logic [1:0] k_vs_res;  // K-VS-RES
    logic [1:0] k_unattr_filter;  // K-UNATTR-FILTER
    logic [1:0] k_unattr_prohib;  // K-UNATTR-PROHIB
    logic [1:0] k_unattr_debug;  // K-UNATTR-DEBUG
    logic [0:0] k_attr_nonel_filter;  // K-ATTR-NONEL-FILTER
    logic [0:0] k_attr_nonss_prohib;  // K-ATTR-NONSS-PROHIB
    logic [0:0] k_debug_late;  // K-DEBUG-LATE
    logic [0:0] k_mt_legacy;  // K-MT-LEGACY
    logic [0:0] k_mtpme_group;  // K-MTPME-GROUP
    logic [0:0] k_ns_count_s_attr;  // K-NS-COUNT-S-ATTR
    logic [0:0] k_ns_count_s_unattr;  // K-NS-COUNT-S-UNATTR
    logic [0:0] k_lo_count_el2_attr;  // K-LO-COUNT-EL2-ATTR
    logic [0:0] k_lo_count_el2_unattr;  // K-LO-COUNT-EL2-UNATTR
    logic [0:0] k_lo_count_ssel_attr;  // K-LO-COUNT-SSEL-ATTR
    logic [0:0] k_lo_count_ssel_unattr;  // K-LO-COUNT-SSEL-UNATTR
    logic [0:0] k_shared_other;  // K-SHARED-OTHER
    logic [0:0] k_sdd_priority;  // K-SDD-PRIORITY
    logic [0:0] k_a32_res0;  // K-A32-RES0
    logic [0:0] k_stall_cycles;  // K-STALL-CYCLES
    logic [0:0] k_chain_filter;  // K-CHAIN-FILTER
    logic [0:0] k_software_lock;  // K-SOFTWARE-LOCK
    logic [0:0] k_mt_self_debug;  // K-MT-SELF-DEBUG
    logic feat_debugv8p9;
    logic feat_extpmn;
    logic feat_ext64;
    logic feat_ext32;
    logic feat_dpfzs;
    logic feat_spe;
    logic feat_fgwte3;
    logic feat_ss;
    logic feat_pmuv3p9;
    logic feat_pmuv3p8;
    logic feat_pmuv3p7;
    logic feat_pmuv3p5;
    logic feat_pmuv3p4;
    logic feat_pmuv3p1;
    logic feat_hpmn0;
    logic feat_sebep;
    logic feat_ebep;
    logic feat_mtpmu;
    logic feat_sel2;
    logic feat_rme;
    logic feat_icntr;
    logic feat_sme;
    logic feat_th2;
    logic feat_edge;
    logic feat_th;
  } config_t;

  // Identities: the bits that they have.
  localparam logic [7:0] ImpMask = 8'hFF;
  localparam logic [7:0] IdcodeMask = 8'hFF;
  localparam logic [31:0] IidrMask = 32'hFFFFFFFF;
  localparam logic [39:0] PidrMask = 40'hFFFFFFFFFF;
  localparam logic [31:0] AuthstatusMask = 32'hC00C0CC;
  localparam logic [23:0] AffinityMask = 24'hFFFFFF;

  // Choices: the index of each word.
  localparam logic [2:0] Aa32None = 3'd0;
  localparam logic [2:0] Aa32El0 = 3'd1;
  localparam logic [2:0] Aa32El1 = 3'd2;
  localparam logic [2:0] Aa32El2 = 3'd3;
  localparam logic [2:0] Aa32El3 = 3'd4;
  localparam logic [0:0] KRestcA = 1'd0;
  localparam logic [0:0] KRestcB = 1'd1;
  localparam logic [1:0] KVsRes00 = 2'd0;
  localparam logic [1:0] KVsRes01 = 2'd1;
  localparam logic [1:0] KVsRes10 = 2'd2;
  localparam logic [1:0] KVsResBoth = 2'd3;
  localparam logic [1:0] KUnattrFilterNone = 2'd0;
  localparam logic [1:0] KUnattrFilterCore = 2'd1;
  localparam logic [1:0] KUnattrFilterMemory = 2'd2;
  localparam logic [1:0] KUnattrFilterAll = 2'd3;
  localparam logic [1:0] KUnattrProhibNone = 2'd0;
  localparam logic [1:0] KUnattrProhibCore = 2'd1;
  localparam logic [1:0] KUnattrProhibMemory = 2'd2;
  localparam logic [1:0] KUnattrProhibAll = 2'd3;
  localparam logic [1:0] KUnattrDebugNone = 2'd0;
  localparam logic [1:0] KUnattrDebugCore = 2'd1;
  localparam logic [1:0] KUnattrDebugMemory = 2'd2;
  localparam logic [1:0] KUnattrDebugAll = 2'd3;
  localparam logic [0:0] KAttrNonelFilterDrop = 1'd0;
  localparam logic [0:0] KAttrNonelFilterCount = 1'd1;
  localparam logic [0:0] KAttrNonssProhibDrop = 1'd0;
  localparam logic [0:0] KAttrNonssProhibCount = 1'd1;
  localparam logic [0:0] KDebugLateDrop = 1'd0;
  localparam logic [0:0] KDebugLateCount = 1'd1;
  localparam logic [0:0] KMtLegacyRes0 = 1'd0;
  localparam logic [0:0] KMtLegacyRw = 1'd1;
  localparam logic [0:0] KMtpmeGroupSelf = 1'd0;
  localparam logic [0:0] KMtpmeGroupGroup = 1'd1;
  localparam logic [0:0] KNsCountSAttrRefuse = 1'd0;
  localparam logic [0:0] KNsCountSAttrPermit = 1'd1;
  localparam logic [0:0] KNsCountSUnattrRefuse = 1'd0;
  localparam logic [0:0] KNsCountSUnattrPermit = 1'd1;
  localparam logic [0:0] KLoCountEl2AttrRefuse = 1'd0;
  localparam logic [0:0] KLoCountEl2AttrPermit = 1'd1;
  localparam logic [0:0] KLoCountEl2UnattrRefuse = 1'd0;
  localparam logic [0:0] KLoCountEl2UnattrPermit = 1'd1;
  localparam logic [0:0] KLoCountSselAttrRefuse = 1'd0;
  localparam logic [0:0] KLoCountSselAttrPermit = 1'd1;
  localparam logic [0:0] KLoCountSselUnattrRefuse = 1'd0;
  localparam logic [0:0] KLoCountSselUnattrPermit = 1'd1;
  localparam logic [0:0] KSharedOtherAttributable = 1'd0;
  localparam logic [0:0] KSharedOtherAll = 1'd1;
  localparam logic [0:0] KSddPriorityLate = 1'd0;
  localparam logic [0:0] KSddPriorityFirst = 1'd1;
  localparam logic [0:0] KA32Res0Zero = 1'd0;
  localparam logic [0:0] KA32Res0Keep = 1'd1;
  localparam logic [0:0] KStallCyclesPresented = 1'd0;
  localparam logic [0:0] KStallCyclesCpuCycles = 1'd1;
  localparam logic [0:0] KChainFilterObey = 1'd0;
  localparam logic [0:0] KChainFilterIgnore = 1'd1;
  localparam logic [0:0] KSoftwareLockPresent = 1'd0;
  localparam logic [0:0] KSoftwareLockAbsent = 1'd1;
  localparam logic [0:0] KMtSelfDebugDrop = 1'd0;
  localparam logic [0:0] KMtSelfDebugCount = 1'd1;

  // State of a thread, in one cycle.
  typedef struct packed {
    logic [35:0] fgt;  // fine-grained traps in effect: bits of enum pmuv3_fgt
    logic pme;  // EDECR.PME: overflow asks to halt
    logic fgwte3;  // FGWTE3_EL3.MDCR_EL3
    logic sdd;  // EDSCR.SDD
    logic nv;  // HCR_EL2.NV is in effect
    logic hstr;  // HSTR_EL2.T9, or HSTR.T9 if EL2 uses AArch32
    logic a32el2;  // EL2 uses AArch32, and so does EL1
    logic dlk;  // OSDLR_EL1.DLK
    logic oslk;  // the OS Lock is locked
    logic spe;  // PMBLIMITR_EL1.{PMFZ, E} is {1, 1} and profiling is stopped: asks to freeze
    logic pm;  // PSTATE.PM masks the PMU Profiling exception
    logic eel2;  // EL2 is enabled in Secure state and at EL3
    logic e2h;  // HCR_EL2.E2H
    logic tge;  // HCR_EL2.TGE
    logic snid;  // ExternalSecureNoninvasiveDebugEnabled
    logic a32el3;  // EL3 uses AArch32, and so do all levels below it
    logic a32el1;  // EL1 uses AArch32
    logic aa32;  // the current Exception level uses AArch32
    logic wfx;  // in WFI or WFE
    logic active;  // may issue in this Processor cycle (D14.4-a)
    logic halted;  // Debug state
    logic sm;  // Streaming SVE mode
    logic [1:0] ss;  // Security state: enum pmuv3_security_state
    logic [1:0] el;  // Exception level, 0..3
  } pe_t;
  localparam int unsigned PeWidth = 61;

  // Fine-grained traps: bits of fgt.
  localparam int unsigned FgtPmicfiltrRead = 0;
  localparam int unsigned FgtPmicfiltrWrite = 1;
  localparam int unsigned FgtPmicntrRead = 2;
  localparam int unsigned FgtPmicntrWrite = 3;
  localparam int unsigned FgtPmevcntrRead = 4;
  localparam int unsigned FgtPmevcntrWrite = 5;
  localparam int unsigned FgtPmevtyperRead = 6;
  localparam int unsigned FgtPmevtyperWrite = 7;
  localparam int unsigned FgtPmccfiltrRead = 8;
  localparam int unsigned FgtPmccfiltrWrite = 9;
  localparam int unsigned FgtPmccntrRead = 10;
  localparam int unsigned FgtPmccntrWrite = 11;
  localparam int unsigned FgtPmcntenRead = 12;
  localparam int unsigned FgtPmcntenWrite = 13;
  localparam int unsigned FgtPmintenRead = 14;
  localparam int unsigned FgtPmintenWrite = 15;
  localparam int unsigned FgtPmovsRead = 16;
  localparam int unsigned FgtPmovsWrite = 17;
  localparam int unsigned FgtPmselrRead = 18;
  localparam int unsigned FgtPmselrWrite = 19;
  localparam int unsigned FgtPmuacrRead = 20;
  localparam int unsigned FgtPmuacrWrite = 21;
  localparam int unsigned FgtPmecrRead = 22;
  localparam int unsigned FgtPmecrWrite = 23;
  localparam int unsigned FgtPmiarRead = 24;
  localparam int unsigned FgtPmiarWrite = 25;
  localparam int unsigned FgtPmsscrRead = 26;
  localparam int unsigned FgtPmsscrWrite = 27;
  localparam int unsigned FgtPmceidRead = 28;
  localparam int unsigned FgtPmmirRead = 29;
  localparam int unsigned FgtPmuserenrRead = 30;
  localparam int unsigned FgtPmuserenrWrite = 31;
  localparam int unsigned FgtPmssdataRead = 32;
  localparam int unsigned FgtPmcrWrite = 33;
  localparam int unsigned FgtPmswincWrite = 34;
  localparam int unsigned FgtPmzrWrite = 35;

  // Security states, in ss.
  localparam logic [1:0] SsNonSecure = 2'd0;
  localparam logic [1:0] SsSecure = 2'd1;
  localparam logic [1:0] SsRealm = 2'd2;
  localparam logic [1:0] SsRoot = 2'd3;

  // The other context of a thread in a cycle: where it was before its state changed.
  typedef struct packed {
    logic related;  // its Unattributable occurrences are related to activity there
    logic [1:0] ss;
    logic [1:0] el;
  } context_t;
  localparam int unsigned ContextWidth = 5;

  // How often an event occurs on a thread in a cycle, by how it came about.
  typedef struct packed {
    logic [7:0] debugger;  // of operations that a debugger issued
    logic [7:0] unattributable;
    logic [7:0] other;  // in the other context
    logic [7:0] current;  // in the current state
  } occurrence_t;
  localparam int unsigned OccurrenceWidth = 32;

  // How a checked access ends.
  localparam logic [2:0] ResultDone = 3'd0;
  localparam logic [2:0] ResultUndefined = 3'd1;
  localparam logic [2:0] ResultTrapEl1 = 3'd2;
  localparam logic [2:0] ResultTrapEl2 = 3'd3;
  localparam logic [2:0] ResultTrapEl3 = 3'd4;

  // Classes of events: how a cycle's occurrences become a number.
  localparam logic [2:0] EventClassSelf = 3'd0;
  localparam logic [2:0] EventClassCount = 3'd1;
  localparam logic [2:0] EventClassStall = 3'd2;
  localparam logic [2:0] EventClassSecond = 3'd3;
  localparam logic [2:0] EventClassCondition = 3'd4;
  localparam logic [2:0] EventClassSlots = 3'd5;

  // What an event's occurrences are attributable to.
  localparam logic [2:0] EventAttributionCore = 3'd0;
  localparam logic [2:0] EventAttributionMemory = 3'd1;
  localparam logic [2:0] EventAttributionShared = 3'd2;
  localparam logic [2:0] EventAttributionOwn = 3'd3;
  localparam logic [2:0] EventAttributionTrace = 3'd4;

  // An event that has an input: a row of the static input events_i. The rows are in order
  // of their numbers. Rows that are not used are 0, and come last.
  typedef struct packed {
    logic sync;  // can support synchronous mode (D14.7)
    logic [2:0] attribution;
    logic [2:0] event_class;
    logic [15:0] number;
  } event_t;
  localparam int unsigned EventWidth = 23;

  // The event that a counter selects: its row, or with class SELF one of these.
  typedef logic [7:0] event_index_t;
  localparam event_index_t SelfSwIncr = 8'd0;
  localparam event_index_t SelfCpuCycles = 8'd1;
  localparam event_index_t SelfChain = 8'd2;
  localparam event_index_t SelfSnapshot = 8'd3;
  localparam event_index_t SelfNone = 8'd4;  // a number that is not implemented

  // Numbers of the events that have a meaning to the PMU.
  localparam logic [15:0] EventSwIncr = 16'h0000;
  localparam logic [15:0] EventInstRetired = 16'h0008;
  localparam logic [15:0] EventCpuCycles = 16'h0011;
  localparam logic [15:0] EventChain = 16'h001E;
  localparam logic [15:0] EventStallBackend = 16'h0024;
  localparam logic [15:0] EventPmuSnapshot = 16'h8127;

  // System register encodings {op0, op1, CRn, CRm, op2}; PMEVCNTR and PMEVTYPER are those
  // of n = 0, and n adds to the low 5 bits.
  localparam logic [15:0] RegPmcr = 16'hDCE0;
  localparam logic [15:0] RegPmcntenset = 16'hDCE1;
  localparam logic [15:0] RegPmcntenclr = 16'hDCE2;
  localparam logic [15:0] RegPmovsclr = 16'hDCE3;
  localparam logic [15:0] RegPmswinc = 16'hDCE4;
  localparam logic [15:0] RegPmceid0 = 16'hDCE6;
  localparam logic [15:0] RegPmceid1 = 16'hDCE7;
  localparam logic [15:0] RegPmselr = 16'hDCE5;
  localparam logic [15:0] RegPmxevtyper = 16'hDCE9;
  localparam logic [15:0] RegPmxevcntr = 16'hDCEA;
  localparam logic [15:0] RegPmzr = 16'hDCEC;
  localparam logic [15:0] RegPmuserenr = 16'hDCF0;
  localparam logic [15:0] RegPmuacr = 16'hC4F4;
  localparam logic [15:0] RegPmecr = 16'hC4F5;
  localparam logic [15:0] RegPmiar = 16'hC4F7;
  localparam logic [15:0] RegPmsscr = 16'hC4EB;
  localparam logic [15:0] RegPmintenset = 16'hC4F1;
  localparam logic [15:0] RegPmintenclr = 16'hC4F2;
  localparam logic [15:0] RegPmovsset = 16'hDCF3;
  localparam logic [15:0] RegPmmir = 16'hC4F6;
  localparam logic [15:0] RegMdcrEl2 = 16'hE089;
  localparam logic [15:0] RegMdcrEl3 = 16'hF099;
  localparam logic [15:0] RegSder32El3 = 16'hF089;
  localparam logic [15:0] RegPmccntr = 16'hDCE8;
  localparam logic [15:0] RegPmccfiltr = 16'hDF7F;
  localparam logic [15:0] RegPmicntr = 16'hDCA0;
  localparam logic [15:0] RegPmicfiltr = 16'hDCB0;
  localparam logic [15:0] RegPmevcntr = 16'hDF40;
  localparam logic [15:0] RegPmevtyper = 16'hDF60;
  localparam logic [15:0] RegPmevcntsvr = 16'h8740;
  localparam logic [15:0] RegPmccntsvr = 16'h875F;
  localparam logic [15:0] RegPmicntsvr = 16'h8760;

  // AArch32 System registers, views of 32 bits, and what they show of them.
  localparam logic [15:0] RegPmcrAa32 = 16'h04E0;
  localparam logic [31:0] ViewPmcrAa32 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmcntensetAa32 = 16'h04E1;
  localparam logic [31:0] ViewPmcntensetAa32 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmcntenclrAa32 = 16'h04E2;
  localparam logic [31:0] ViewPmcntenclrAa32 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmovsr = 16'h04E3;
  localparam logic [31:0] ViewPmovsr = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmswincAa32 = 16'h04E4;
  localparam logic [31:0] ViewPmswincAa32 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmselrAa32 = 16'h04E5;
  localparam logic [31:0] ViewPmselrAa32 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmceid0Aa32 = 16'h04E6;
  localparam logic [31:0] ViewPmceid0Aa32 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmceid1Aa32 = 16'h04E7;
  localparam logic [31:0] ViewPmceid1Aa32 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmceid2 = 16'h04F4;
  localparam logic [31:0] ViewPmceid2 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmceid3 = 16'h04F5;
  localparam logic [31:0] ViewPmceid3 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmccntrAa32 = 16'h04E8;
  localparam logic [31:0] ViewPmccntrAa32 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmccntr64 = 16'h04C8;
  localparam logic [15:0] RegPmxevtyperAa32 = 16'h04E9;
  localparam logic [31:0] ViewPmxevtyperAa32 = 32'hFA20FFFF;
  localparam logic [15:0] RegPmxevcntrAa32 = 16'h04EA;
  localparam logic [31:0] ViewPmxevcntrAa32 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmuserenrAa32 = 16'h04F0;
  localparam logic [31:0] ViewPmuserenrAa32 = 32'h0000004F;
  localparam logic [15:0] RegPmintensetAa32 = 16'h04F1;
  localparam logic [31:0] ViewPmintensetAa32 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmintenclrAa32 = 16'h04F2;
  localparam logic [31:0] ViewPmintenclrAa32 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmovssetAa32 = 16'h04F3;
  localparam logic [31:0] ViewPmovssetAa32 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmmirAa32 = 16'h04F6;
  localparam logic [31:0] ViewPmmirAa32 = 32'h0FFFFFFF;
  localparam logic [15:0] RegPmevcntrAa32 = 16'h0740;
  localparam logic [31:0] ViewPmevcntrAa32 = 32'hFFFFFFFF;
  localparam logic [15:0] RegPmevtyperAa32 = 16'h0760;
  localparam logic [31:0] ViewPmevtyperAa32 = 32'hFA20FFFF;
  localparam logic [15:0] RegPmccfiltrAa32 = 16'h077F;
  localparam logic [31:0] ViewPmccfiltrAa32 = 32'hF8200000;
  localparam logic [15:0] RegHdcr = 16'h2089;
  localparam logic [31:0] ViewHdcr = 32'h3FFFFFFF;
  localparam logic [15:0] RegSdcr = 16'h0099;
  localparam logic [31:0] ViewSdcr = 32'h10A20000;
  localparam logic [15:0] RegSder = 16'h0089;
  localparam logic [31:0] ViewSder = 32'hFFFFFFFF;

  // Other names of AArch64 registers.
  localparam logic [15:0] RegSder32El2 = 16'hE099;

  // Fields.
  localparam int unsigned PmcrFzsLsb = 32;
  localparam int unsigned PmcrImpLsb = 24;
  localparam int unsigned PmcrImpMsb = 31;
  localparam int unsigned PmcrIdcodeLsb = 16;
  localparam int unsigned PmcrIdcodeMsb = 23;
  localparam int unsigned PmcrNLsb = 11;
  localparam int unsigned PmcrNMsb = 15;
  localparam int unsigned PmcrFzoLsb = 9;
  localparam int unsigned PmcrLpLsb = 7;
  localparam int unsigned PmcrLcLsb = 6;
  localparam int unsigned PmcrDpLsb = 5;
  localparam int unsigned PmcrDLsb = 3;
  localparam int unsigned PmcrCLsb = 2;
  localparam int unsigned PmcrPLsb = 1;
  localparam int unsigned PmcrELsb = 0;
  localparam int unsigned PmcntensetF0Lsb = 32;
  localparam int unsigned PmcntensetCLsb = 31;
  localparam int unsigned PmcntensetPLsb = 0;
  localparam int unsigned PmcntensetPMsb = 30;
  localparam int unsigned PmcntenclrF0Lsb = 32;
  localparam int unsigned PmcntenclrCLsb = 31;
  localparam int unsigned PmcntenclrPLsb = 0;
  localparam int unsigned PmcntenclrPMsb = 30;
  localparam int unsigned PmovsclrF0Lsb = 32;
  localparam int unsigned PmovsclrCLsb = 31;
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
  localparam int unsigned PmselrSelLsb = 0;
  localparam int unsigned PmselrSelMsb = 4;
  localparam int unsigned PmzrF0Lsb = 32;
  localparam int unsigned PmzrCLsb = 31;
  localparam int unsigned PmzrPLsb = 0;
  localparam int unsigned PmzrPMsb = 30;
  localparam int unsigned PmuserenrTidLsb = 6;
  localparam int unsigned PmuserenrIrLsb = 5;
  localparam int unsigned PmuserenrUenLsb = 4;
  localparam int unsigned PmuserenrErLsb = 3;
  localparam int unsigned PmuserenrCrLsb = 2;
  localparam int unsigned PmuserenrSwLsb = 1;
  localparam int unsigned PmuserenrEnLsb = 0;
  localparam int unsigned PmuacrF0Lsb = 32;
  localparam int unsigned PmuacrCLsb = 31;
  localparam int unsigned PmuacrPLsb = 0;
  localparam int unsigned PmuacrPMsb = 30;
  localparam int unsigned PmecrSseLsb = 3;
  localparam int unsigned PmecrSseMsb = 4;
  localparam int unsigned PmecrKpmeLsb = 2;
  localparam int unsigned PmecrPmeeLsb = 0;
  localparam int unsigned PmecrPmeeMsb = 1;
  localparam int unsigned PmiarAddressLsb = 2;
  localparam int unsigned PmiarAddressMsb = 63;
  localparam int unsigned PmsscrNcLsb = 32;
  localparam int unsigned PmsscrSsLsb = 0;
  localparam int unsigned PmintensetF0Lsb = 32;
  localparam int unsigned PmintensetCLsb = 31;
  localparam int unsigned PmintensetPLsb = 0;
  localparam int unsigned PmintensetPMsb = 30;
  localparam int unsigned PmintenclrF0Lsb = 32;
  localparam int unsigned PmintenclrCLsb = 31;
  localparam int unsigned PmintenclrPLsb = 0;
  localparam int unsigned PmintenclrPMsb = 30;
  localparam int unsigned PmovssetF0Lsb = 32;
  localparam int unsigned PmovssetCLsb = 31;
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
  localparam int unsigned MdcrEl2PmeeLsb = 40;
  localparam int unsigned MdcrEl2PmeeMsb = 41;
  localparam int unsigned MdcrEl2HpmfzsLsb = 36;
  localparam int unsigned MdcrEl2PmsseLsb = 30;
  localparam int unsigned MdcrEl2PmsseMsb = 31;
  localparam int unsigned MdcrEl2HpmfzoLsb = 29;
  localparam int unsigned MdcrEl2MtpmeLsb = 28;
  localparam int unsigned MdcrEl2HlpLsb = 26;
  localparam int unsigned MdcrEl2HccdLsb = 23;
  localparam int unsigned MdcrEl2HpmdLsb = 17;
  localparam int unsigned MdcrEl2HpmeLsb = 7;
  localparam int unsigned MdcrEl2TpmLsb = 6;
  localparam int unsigned MdcrEl2TpmcrLsb = 5;
  localparam int unsigned MdcrEl2HpmnLsb = 0;
  localparam int unsigned MdcrEl2HpmnMsb = 4;
  localparam int unsigned MdcrEl3EpmssadLsb = 45;
  localparam int unsigned MdcrEl3EpmssadMsb = 46;
  localparam int unsigned MdcrEl3EnpmssLsb = 44;
  localparam int unsigned MdcrEl3PmeeLsb = 40;
  localparam int unsigned MdcrEl3PmeeMsb = 41;
  localparam int unsigned MdcrEl3MpmxLsb = 35;
  localparam int unsigned MdcrEl3MccdLsb = 34;
  localparam int unsigned MdcrEl3PmsseLsb = 30;
  localparam int unsigned MdcrEl3PmsseMsb = 31;
  localparam int unsigned MdcrEl3MtpmeLsb = 28;
  localparam int unsigned MdcrEl3SccdLsb = 23;
  localparam int unsigned MdcrEl3EpmadLsb = 21;
  localparam int unsigned MdcrEl3SpmeLsb = 17;
  localparam int unsigned MdcrEl3Enpm2Lsb = 7;
  localparam int unsigned MdcrEl3TpmLsb = 6;
  localparam int unsigned MdcrEl3EpmadeLsb = 2;
  localparam int unsigned Sder32El3SunidenLsb = 1;
  localparam int unsigned PmccntrCcntLsb = 0;
  localparam int unsigned PmccntrCcntMsb = 63;
  localparam int unsigned PmccfiltrVsLsb = 56;
  localparam int unsigned PmccfiltrVsMsb = 57;
  localparam int unsigned PmccfiltrPLsb = 31;
  localparam int unsigned PmccfiltrULsb = 30;
  localparam int unsigned PmccfiltrNskLsb = 29;
  localparam int unsigned PmccfiltrNsuLsb = 28;
  localparam int unsigned PmccfiltrNshLsb = 27;
  localparam int unsigned PmccfiltrMLsb = 26;
  localparam int unsigned PmccfiltrShLsb = 24;
  localparam int unsigned PmccfiltrRlkLsb = 22;
  localparam int unsigned PmccfiltrRluLsb = 21;
  localparam int unsigned PmccfiltrRlhLsb = 20;
  localparam int unsigned PmicntrIcntLsb = 0;
  localparam int unsigned PmicntrIcntMsb = 63;
  localparam int unsigned PmicfiltrSyncLsb = 58;
  localparam int unsigned PmicfiltrVsLsb = 56;
  localparam int unsigned PmicfiltrVsMsb = 57;
  localparam int unsigned PmicfiltrPLsb = 31;
  localparam int unsigned PmicfiltrULsb = 30;
  localparam int unsigned PmicfiltrNskLsb = 29;
  localparam int unsigned PmicfiltrNsuLsb = 28;
  localparam int unsigned PmicfiltrNshLsb = 27;
  localparam int unsigned PmicfiltrMLsb = 26;
  localparam int unsigned PmicfiltrShLsb = 24;
  localparam int unsigned PmicfiltrRlkLsb = 22;
  localparam int unsigned PmicfiltrRluLsb = 21;
  localparam int unsigned PmicfiltrRlhLsb = 20;
  localparam int unsigned PmicfiltrEvtcountLsb = 0;
  localparam int unsigned PmicfiltrEvtcountMsb = 15;
  localparam int unsigned PmevcntrEvcntHiLsb = 32;
  localparam int unsigned PmevcntrEvcntHiMsb = 63;
  localparam int unsigned PmevcntrEvcntLsb = 0;
  localparam int unsigned PmevcntrEvcntMsb = 31;
  localparam int unsigned PmevtyperTcLsb = 61;
  localparam int unsigned PmevtyperTcMsb = 63;
  localparam int unsigned PmevtyperTeLsb = 60;
  localparam int unsigned PmevtyperSyncLsb = 58;
  localparam int unsigned PmevtyperVsLsb = 56;
  localparam int unsigned PmevtyperVsMsb = 57;
  localparam int unsigned PmevtyperTlcLsb = 54;
  localparam int unsigned PmevtyperTlcMsb = 55;
  localparam int unsigned PmevtyperThLsb = 32;
  localparam int unsigned PmevtyperThMsb = 43;
  localparam int unsigned PmevtyperPLsb = 31;
  localparam int unsigned PmevtyperULsb = 30;
  localparam int unsigned PmevtyperNskLsb = 29;
  localparam int unsigned PmevtyperNsuLsb = 28;
  localparam int unsigned PmevtyperNshLsb = 27;
  localparam int unsigned PmevtyperMLsb = 26;
  localparam int unsigned PmevtyperMtLsb = 25;
  localparam int unsigned PmevtyperShLsb = 24;
  localparam int unsigned PmevtyperRlkLsb = 22;
  localparam int unsigned PmevtyperRluLsb = 21;
  localparam int unsigned PmevtyperRlhLsb = 20;
  localparam int unsigned PmevtyperEvtcountHiLsb = 10;
  localparam int unsigned PmevtyperEvtcountHiMsb = 15;
  localparam int unsigned PmevtyperEvtcountLsb = 0;
  localparam int unsigned PmevtyperEvtcountMsb = 9;
  localparam int unsigned PmevcntsvrEvcntLsb = 0;
  localparam int unsigned PmevcntsvrEvcntMsb = 63;
  localparam int unsigned PmccntsvrCcntLsb = 0;
  localparam int unsigned PmccntsvrCcntMsb = 63;
  localparam int unsigned PmicntsvrIcntLsb = 0;
  localparam int unsigned PmicntsvrIcntMsb = 63;

  // Offsets in the external view: with EXT32 of [31:0] and of [63:32], with EXT64.
  localparam logic [11:0] ExtPmevcntrLo32 = 12'h000;
  localparam logic [11:0] ExtPmevcntrHi32 = 12'h004;
  localparam logic [11:0] ExtPmevcntrOff64 = 12'h000;
  localparam logic [11:0] ExtPmccntrLo32 = 12'h0F8;
  localparam logic [11:0] ExtPmccntrHi32 = 12'h0FC;
  localparam logic [11:0] ExtPmccntrOff64 = 12'h0F8;
  localparam logic [11:0] ExtPmicntrLo32 = 12'h100;
  localparam logic [11:0] ExtPmicntrHi32 = 12'h104;
  localparam logic [11:0] ExtPmicntrOff64 = 12'h100;
  localparam logic [11:0] ExtPmevtyperLo32 = 12'h400;
  localparam logic [11:0] ExtPmevtyperHi32 = 12'hA00;
  localparam logic [11:0] ExtPmevtyperOff64 = 12'h400;
  localparam logic [11:0] ExtPmccfiltrLo32 = 12'h47C;
  localparam logic [11:0] ExtPmccfiltrHi32 = 12'hA7C;
  localparam logic [11:0] ExtPmccfiltrOff64 = 12'h4F8;
  localparam logic [11:0] ExtPmicfiltrLo32 = 12'h480;
  localparam logic [11:0] ExtPmicfiltrHi32 = 12'hA80;
  localparam logic [11:0] ExtPmicfiltrOff64 = 12'h500;
  localparam logic [11:0] ExtPmevcntsvrLo32 = 12'h600;
  localparam logic [11:0] ExtPmevcntsvrHi32 = 12'h604;
  localparam logic [11:0] ExtPmevcntsvrOff64 = 12'h600;
  localparam logic [11:0] ExtPmccntsvrLo32 = 12'h6F8;
  localparam logic [11:0] ExtPmccntsvrHi32 = 12'h6FC;
  localparam logic [11:0] ExtPmccntsvrOff64 = 12'h6F8;
  localparam logic [11:0] ExtPmicntsvrLo32 = 12'h700;
  localparam logic [11:0] ExtPmicntsvrHi32 = 12'h704;
  localparam logic [11:0] ExtPmicntsvrOff64 = 12'h700;
  localparam logic [11:0] ExtPmcntensetLo32 = 12'hC00;
  localparam logic [11:0] ExtPmcntensetHi32 = 12'hC04;
  localparam logic [11:0] ExtPmcntensetOff64 = 12'hC00;
  localparam logic [11:0] ExtPmcntenOff64 = 12'hC10;
  localparam logic [11:0] ExtPmcntenclrLo32 = 12'hC20;
  localparam logic [11:0] ExtPmcntenclrHi32 = 12'hC24;
  localparam logic [11:0] ExtPmcntenclrOff64 = 12'hC20;
  localparam logic [11:0] ExtPmintensetLo32 = 12'hC40;
  localparam logic [11:0] ExtPmintensetHi32 = 12'hC44;
  localparam logic [11:0] ExtPmintensetOff64 = 12'hC40;
  localparam logic [11:0] ExtPmintenOff64 = 12'hC50;
  localparam logic [11:0] ExtPmintenclrLo32 = 12'hC60;
  localparam logic [11:0] ExtPmintenclrHi32 = 12'hC64;
  localparam logic [11:0] ExtPmintenclrOff64 = 12'hC60;
  localparam logic [11:0] ExtPmovsclrLo32 = 12'hC80;
  localparam logic [11:0] ExtPmovsclrHi32 = 12'hC84;
  localparam logic [11:0] ExtPmovsclrOff64 = 12'hC80;
  localparam logic [11:0] ExtPmovsOff64 = 12'hC90;
  localparam logic [11:0] ExtPmzrLo32 = 12'hCA0;
  localparam logic [11:0] ExtPmzrHi32 = 12'hCA4;
  localparam logic [11:0] ExtPmzrOff64 = 12'hCA0;
  localparam logic [11:0] ExtPmovssetLo32 = 12'hCC0;
  localparam logic [11:0] ExtPmovssetHi32 = 12'hCC4;
  localparam logic [11:0] ExtPmovssetOff64 = 12'hCC0;
  localparam logic [11:0] ExtPmcgcr0Lo32 = 12'hCE0;
  localparam logic [11:0] ExtPmcgcr0Off64 = 12'hCE0;
  localparam logic [11:0] ExtPmcfgrLo32 = 12'hE00;
  localparam logic [11:0] ExtPmcfgrOff64 = 12'hE00;
  localparam logic [11:0] ExtPmcrLo32 = 12'hE04;
  localparam logic [11:0] ExtPmcrOff64 = 12'hE10;
  localparam logic [11:0] ExtPmiidrLo32 = 12'hE08;
  localparam logic [11:0] ExtPmiidrOff64 = 12'hE08;
  localparam logic [11:0] ExtPmceid0Lo32 = 12'hE20;
  localparam logic [11:0] ExtPmceid0Hi32 = 12'hE28;
  localparam logic [11:0] ExtPmceid1Lo32 = 12'hE24;
  localparam logic [11:0] ExtPmceid1Hi32 = 12'hE2C;
  localparam logic [11:0] ExtPmsscrLo32 = 12'hE30;
  localparam logic [11:0] ExtPmsscrHi32 = 12'hE34;
  localparam logic [11:0] ExtPmsscrOff64 = 12'hE30;
  localparam logic [11:0] ExtPmmirLo32 = 12'hE40;
  localparam logic [11:0] ExtPmmirHi32 = 12'hE44;
  localparam logic [11:0] ExtPmmirOff64 = 12'hE40;
  localparam logic [11:0] ExtPmccrLo32 = 12'hE58;
  localparam logic [11:0] ExtPmccrHi32 = 12'hE5C;
  localparam logic [11:0] ExtPmccrOff64 = 12'hE58;
  localparam logic [11:0] ExtPmdevaffLo32 = 12'hFA8;
  localparam logic [11:0] ExtPmdevaffHi32 = 12'hFAC;
  localparam logic [11:0] ExtPmdevaffOff64 = 12'hFA8;
  localparam logic [11:0] ExtPmlarLo32 = 12'hFB0;
  localparam logic [11:0] ExtPmlsrLo32 = 12'hFB4;
  localparam logic [11:0] ExtPmauthstatusLo32 = 12'hFB8;
  localparam logic [11:0] ExtPmauthstatusOff64 = 12'hFB8;
  localparam logic [11:0] ExtPmdevarchLo32 = 12'hFBC;
  localparam logic [11:0] ExtPmdevarchOff64 = 12'hFBC;
  localparam logic [11:0] ExtPmdevidLo32 = 12'hFC8;
  localparam logic [11:0] ExtPmdevidOff64 = 12'hFC8;
  localparam logic [11:0] ExtPmdevtypeLo32 = 12'hFCC;
  localparam logic [11:0] ExtPmdevtypeOff64 = 12'hFCC;
  localparam logic [11:0] ExtPmpidr4Lo32 = 12'hFD0;
  localparam logic [11:0] ExtPmpidr4Off64 = 12'hFD0;
  localparam logic [11:0] ExtPmpidr0Lo32 = 12'hFE0;
  localparam logic [11:0] ExtPmpidr0Off64 = 12'hFE0;
  localparam logic [11:0] ExtPmpidr1Lo32 = 12'hFE4;
  localparam logic [11:0] ExtPmpidr1Off64 = 12'hFE4;
  localparam logic [11:0] ExtPmpidr2Lo32 = 12'hFE8;
  localparam logic [11:0] ExtPmpidr2Off64 = 12'hFE8;
  localparam logic [11:0] ExtPmpidr3Lo32 = 12'hFEC;
  localparam logic [11:0] ExtPmpidr3Off64 = 12'hFEC;
  localparam logic [11:0] ExtPmcidr0Lo32 = 12'hFF0;
  localparam logic [11:0] ExtPmcidr0Off64 = 12'hFF0;
  localparam logic [11:0] ExtPmcidr1Lo32 = 12'hFF4;
  localparam logic [11:0] ExtPmcidr1Off64 = 12'hFF4;
  localparam logic [11:0] ExtPmcidr2Lo32 = 12'hFF8;
  localparam logic [11:0] ExtPmcidr2Off64 = 12'hFF8;
  localparam logic [11:0] ExtPmcidr3Lo32 = 12'hFFC;
  localparam logic [11:0] ExtPmcidr3Off64 = 12'hFFC;

endpackage

`default_nettype wire
