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
  // Counters elaborated. cfg_i.counters of them, the lowest, are implemented; the registers and
  // bits of the others do not exist.
  parameter  int unsigned Lanes = 31,
  localparam int unsigned EventWidth = $bits(pmuv3_pkg::EventNone)
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic rst_agent_ni,      // of what an external agent's counters need
  input wire logic rst_threshold_ni,  // of PMEVTYPER.{TC, TE, TH}
  input wire logic rst_cold_ni,
  input wire pmuv3_pkg::config_t cfg_i,
  input wire logic present_i,  // the thread is

  // The access
  input wire logic        write_i,
  input wire logic        read_i,
  input wire logic        replace_i,   // a write of a ...SET register: what is 0 is cleared
  input wire logic [15:0] addr_i,      // of an AArch64 register
  input wire logic [63:0] wdata_i,
  input wire logic [63:0] bits_i,      // in reach: of the register, in whole halves;
  input wire logic [32:0] counters_i,  // and counters, as in PMCNTENSET
  input wire logic [4:0]  n_i,         // what PMCR.N reads
  output logic [63:0]     rdata_o,

  // Registers of other rooms
  input wire logic [64*Lanes-1:0] value_i,
  input wire logic [63:0]         pmccntr_i,
  input wire logic [63:0]         pmicntr_i,
  input wire logic [Lanes-1:0]    overflow_i,
  input wire logic [1:0]          fixed_overflow_i,
  input wire logic [63:0]         pmsscr_i,
  input wire logic [64*Lanes-1:0] svr_i,
  input wire logic [63:0]         pmccntsvr_i,
  input wire logic [63:0]         pmicntsvr_i,
  input wire logic [63:0]         pmccr_i,
  output logic [Lanes-1:0]        counter_zero_o,  // PMCR.P, PMZR
  output logic [1:0]              fixed_zero_o,    // PMZR, PMCR.C
  output logic [Lanes-1:0]        counter_write_o,
  output logic [1:0]              fixed_write_o,
  output logic [Lanes-1:0]        overflow_set_o,
  output logic [Lanes-1:0]        overflow_clear_o,
  output logic [1:0]              fixed_overflow_set_o,
  output logic [1:0]              fixed_overflow_clear_o,
  output logic [Lanes-1:0]        swinc_o,
  output logic                    capture_o,  // PMSSCR.SS

  // Configuration of each counter
  input wire logic exception_enabled_i,  // the PMU Profiling exception is
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
  output logic [Lanes-1:0]    range2_o,            // in the second
  output logic [Lanes-1:0]    range_continues_o,   // counter n+1 is in n's range, not the third
  output logic [4:0]          hpmn_o,              // Effective values
  output logic [4:0]          epmn_o,
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

  // As reads with the highest rights give them
  output logic [64*Lanes-1:0] evtyper_o,
  output logic [63:0]         pmcr_o,
  output logic [63:0]         mdcr_el2_o,
  output logic [63:0]         mdcr_el3_o,
  output logic [63:0]         sder_o,
  output logic [63:0]         pmccfiltr_o,
  output logic [63:0]         pmicfiltr_o,
  output logic [63:0]         pmmir_o,
  output logic [63:0]         pmceid0_o,
  output logic [63:0]         pmceid1_o,
  output logic [63:0]         pmselr_o,
  output logic [63:0]         pmuserenr_o,
  output logic [63:0]         pmuacr_o,
  output logic [63:0]         pmecr_o,
  output logic [63:0]         pmiar_o
);

  // The counters whose number is below n.
  function automatic logic [Lanes-1:0] below(input logic [4:0] n);
    below = ~({Lanes{1'b1}} << n);
  endfunction

  // What has to do with other rooms, or with nothing that is here.
  logic unused_bits;
  assign unused_bits = ^{cfg_i, wdata_i, bits_i, selected, dropped, pmccr_i};

  ////////////
  // Access //
  ////////////

  // The counters in reach, and what of a register with a bit per counter is. One that is not
  // implemented never is, and so folds away.
  logic [32:0] counters, reach;
  logic [31:0] reached;  // event counters
  assign counters = counters_i & {cfg_i.feat_icntr, 1'b1, ~(31'h7FFF_FFFF << cfg_i.counters)};
  assign reach    = counters & bits_i[32:0];
  assign reached  = {1'b0, counters[30:0]};

  // The address of PMEVCNTR<n>, PMEVTYPER<n> and PMEVCNTSVR<n> is that of n = 0, with n in its low
  // bits.
  logic [4:0]  addr_n;
  logic [15:0] addr_n0;
  assign addr_n  = addr_i[4:0];
  assign addr_n0 = {addr_i[15:5], 5'd0};

  // Reads
  logic [63:0] rdata;
  always_comb begin
    rdata = 64'd0;
    if (read_i) begin
      unique case (addr_i)
        pmuv3_pkg::RegPmcr: begin
          rdata = pmcr_o;
          rdata[pmuv3_pkg::PmcrNMsb:pmuv3_pkg::PmcrNLsb] = n_i;
        end
        pmuv3_pkg::RegPmcntenset, pmuv3_pkg::RegPmcntenclr: begin
          rdata[32:31]     = fixed_enable_o;
          rdata[Lanes-1:0] = counter_enable_o;
          rdata[32:0]     &= counters;
        end
        pmuv3_pkg::RegPmintenset, pmuv3_pkg::RegPmintenclr: begin
          rdata[32:31]     = fixed_interrupt_enable_o;
          rdata[Lanes-1:0] = interrupt_enable_o;
          rdata[32:0]     &= counters;
        end
        pmuv3_pkg::RegPmovsset, pmuv3_pkg::RegPmovsclr: begin
          rdata[32:31]     = fixed_overflow_i;
          rdata[Lanes-1:0] = overflow_i;
          rdata[32:0]     &= counters;
        end
        pmuv3_pkg::RegPmselr:    rdata = pmselr_o;
        pmuv3_pkg::RegPmuserenr: rdata = pmuserenr_o;
        pmuv3_pkg::RegPmuacr:    rdata = pmuacr_o & {31'd0, counters};
        pmuv3_pkg::RegPmecr:     rdata = pmecr_o;
        pmuv3_pkg::RegPmiar:     rdata = pmiar_o;
        pmuv3_pkg::RegPmsscr:    rdata = pmsscr_i;
        pmuv3_pkg::RegMdcrEl2:   rdata = mdcr_el2_o;
        pmuv3_pkg::RegMdcrEl3:   rdata = mdcr_el3_o;
        pmuv3_pkg::RegSder32El3: rdata = sder_o;
        pmuv3_pkg::RegPmccntr:   if (counters[31]) rdata = pmccntr_i;
        pmuv3_pkg::RegPmccfiltr: if (counters[31]) rdata = pmccfiltr_o;
        pmuv3_pkg::RegPmccntsvr: if (counters[31]) rdata = pmccntsvr_i;
        pmuv3_pkg::RegPmicntr:   if (counters[32]) rdata = pmicntr_i;
        pmuv3_pkg::RegPmicfiltr: if (counters[32]) rdata = pmicfiltr_o;
        pmuv3_pkg::RegPmicntsvr: if (counters[32]) rdata = pmicntsvr_i;
        pmuv3_pkg::RegPmceid0:   rdata = pmceid0_o;
        pmuv3_pkg::RegPmceid1:   rdata = pmceid1_o;
        pmuv3_pkg::RegPmmir:     rdata = pmmir_o;
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
  assign rdata_o = rdata & bits_i;

  // Writes. Of a bit per counter: those selected, and those that a replaced value does without.
  logic [32:0]      selected, dropped;
  logic [Lanes-1:0] write_evtyper;
  always_comb begin
    selected        = 33'd0;
    dropped         = 33'd0;
    write_evtyper   = '0;
    counter_write_o = '0;
    fixed_write_o   = 2'b00;
    if (write_i) begin
      selected      = wdata_i[32:0] & reach;
      dropped       = ~wdata_i[32:0] & reach & {33{replace_i}};
      fixed_write_o = {addr_i == pmuv3_pkg::RegPmicntr && counters[32],
                       addr_i == pmuv3_pkg::RegPmccntr && counters[31]};
      if (reached[addr_n]) begin
        write_evtyper   = Lanes'(addr_n0 == pmuv3_pkg::RegPmevtyper) << addr_n;
        counter_write_o = Lanes'(addr_n0 == pmuv3_pkg::RegPmevcntr) << addr_n;
      end
    end
  end

  // Of other rooms
  always_comb begin
    counter_zero_o         = '0;
    fixed_zero_o           = 2'b00;
    overflow_set_o         = '0;
    overflow_clear_o       = '0;
    fixed_overflow_set_o   = 2'b00;
    fixed_overflow_clear_o = 2'b00;
    swinc_o                = '0;
    capture_o              = 1'b0;
    if (write_i) begin
      unique case (addr_i)
        pmuv3_pkg::RegPmcr: begin
          if (bits_i[pmuv3_pkg::PmcrPLsb] && wdata_i[pmuv3_pkg::PmcrPLsb]) begin
            counter_zero_o = counters[Lanes-1:0];
          end
          fixed_zero_o[0] = bits_i[pmuv3_pkg::PmcrCLsb] && wdata_i[pmuv3_pkg::PmcrCLsb];
        end
        pmuv3_pkg::RegPmzr: begin
          {fixed_zero_o, counter_zero_o} = {selected[32:31], selected[Lanes-1:0]};
        end
        pmuv3_pkg::RegPmswinc: swinc_o = selected[Lanes-1:0];
        pmuv3_pkg::RegPmovsset: begin
          {fixed_overflow_set_o, overflow_set_o}     = {selected[32:31], selected[Lanes-1:0]};
          {fixed_overflow_clear_o, overflow_clear_o} = {dropped[32:31], dropped[Lanes-1:0]};
        end
        pmuv3_pkg::RegPmovsclr: begin
          {fixed_overflow_clear_o, overflow_clear_o} = {selected[32:31], selected[Lanes-1:0]};
        end
        pmuv3_pkg::RegPmsscr: begin
          capture_o = bits_i[pmuv3_pkg::PmsscrSsLsb] && wdata_i[pmuv3_pkg::PmsscrSsLsb];
        end
        default: ;
      endcase
    end
  end

  ////////////
  // Fields //
  ////////////

  // Those that hold what is written, with what is implemented. Filter bits are the same ones in
  // PMEVTYPER, PMCCFILTR and PMICFILTR.
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

    mdcr_el2_fields = 64'd0;  // but for HPMN, PMSSE and MTPME
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

    mdcr_el3_fields = 64'd0;  // but for PMSSE and MTPME
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

    pmecr_fields = 64'd0;  // but for SSE
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

  // A register of fields after a write.
  function automatic logic [63:0] written(input logic [63:0] old, input logic [63:0] data,
                                          input logic [63:0] bits, input logic [63:0] fields);
    written = ((old & ~bits) | (data & bits)) & fields;
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
    end else if (write_i) begin
      unique case (addr_i)
        pmuv3_pkg::RegPmcr: pmcr_q <= written(pmcr_q, wdata_i, bits_i, pmcr_fields);
        pmuv3_pkg::RegMdcrEl2:
          mdcr_el2_q <= written(mdcr_el2_q, wdata_i, bits_i, mdcr_el2_fields);
        pmuv3_pkg::RegMdcrEl3:
          mdcr_el3_q <= written(mdcr_el3_q, wdata_i, bits_i, mdcr_el3_fields);
        pmuv3_pkg::RegSder32El3: sder_q <= written(sder_q, wdata_i, bits_i, sder_fields);
        pmuv3_pkg::RegPmselr: begin
          if (bits_i[0]) begin
            pmselr_q <= wdata_i[pmuv3_pkg::PmselrSelMsb:pmuv3_pkg::PmselrSelLsb];
          end
        end
        pmuv3_pkg::RegPmuserenr:
          pmuserenr_q <= written(pmuserenr_q, wdata_i, bits_i, pmuserenr_fields);
        pmuv3_pkg::RegPmuacr:
          pmuacr_q <= ((pmuacr_q & ~reach) | selected) & {33{cfg_i.feat_pmuv3p9}};
        pmuv3_pkg::RegPmecr:  pmecr_q  <= written(pmecr_q, wdata_i, bits_i, pmecr_fields);
        pmuv3_pkg::RegPmiar:  pmiar_q  <= written(pmiar_q, wdata_i, bits_i, pmiar_fields);
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_agent_ni) begin
    if (!rst_agent_ni) begin
      pmccfiltr_q <= 64'd0;
      pmicfiltr_q <= 64'd0;
    end else if (write_i) begin
      if (addr_i == pmuv3_pkg::RegPmccfiltr && counters[31]) begin
        pmccfiltr_q <= written(pmccfiltr_q, wdata_i, bits_i, filter_fields);
      end
      if (addr_i == pmuv3_pkg::RegPmicfiltr && counters[32]) begin
        pmicfiltr_q <= written(pmicfiltr_q, wdata_i, bits_i, pmicfiltr_fields);
      end
    end
  end

  // HPMN resets to the number of counters. It is held as the difference from it, so that its flops
  // reset to a constant, whatever the configuration.
  logic [4:0] hpmn, hpmn_diff_q;
  assign hpmn = hpmn_diff_q ^ cfg_i.counters;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hpmn_diff_q <= 5'd0;
    end else if (write_i && addr_i == pmuv3_pkg::RegMdcrEl2 && bits_i[0] && cfg_i.el2) begin
      hpmn_diff_q <= wdata_i[pmuv3_pkg::MdcrEl2HpmnMsb:pmuv3_pkg::MdcrEl2HpmnLsb] ^ cfg_i.counters;
    end
  end

  // What a Warm reset leaves as it is: MTPME of the highest of EL3 and EL2 (D13.6-8; MTPMU with
  // neither of them is never disabled), and what enables snapshots.
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
    end else if (write_i && bits_i[0]) begin
      unique case (addr_i)
        pmuv3_pkg::RegMdcrEl3: begin
          if (mtpme_el3) mtpme_q <= wdata_i[pmuv3_pkg::MdcrEl3MtpmeLsb];
          if (cfg_i.el3 && cfg_i.feat_ss) begin
            sse_el3_q <= wdata_i[pmuv3_pkg::MdcrEl3PmsseMsb:pmuv3_pkg::MdcrEl3PmsseLsb];
          end
        end
        pmuv3_pkg::RegMdcrEl2: begin
          if (mtpme_el2) mtpme_q <= wdata_i[pmuv3_pkg::MdcrEl2MtpmeLsb];
          if (cfg_i.el2 && cfg_i.feat_ss) begin
            sse_el2_q <= wdata_i[pmuv3_pkg::MdcrEl2PmsseMsb:pmuv3_pkg::MdcrEl2PmsseLsb];
          end
        end
        pmuv3_pkg::RegPmecr: begin
          if (cfg_i.feat_ss) begin
            sse_el1_q <= wdata_i[pmuv3_pkg::PmecrSseMsb:pmuv3_pkg::PmecrSseLsb];
          end
        end
        default: ;
      endcase
    end
  end
  assign mtpmu_disabled_o = !mtpme_q;

  always_comb begin
    pmcr_o = pmcr_q;
    if (present_i) pmcr_o[pmuv3_pkg::PmcrNMsb:pmuv3_pkg::PmcrNLsb] = epmn_o;

    // RMFYQC: HPMN reads as no more than EPMN.
    mdcr_el2_o = mdcr_el2_q;
    mdcr_el2_o[pmuv3_pkg::MdcrEl2PmsseMsb:pmuv3_pkg::MdcrEl2PmsseLsb] = sse_el2_q;
    mdcr_el2_o[pmuv3_pkg::MdcrEl2MtpmeLsb] = mtpme_q && mtpme_el2 && present_i;
    if (cfg_i.el2 && present_i) begin
      mdcr_el2_o[pmuv3_pkg::MdcrEl2HpmnMsb:pmuv3_pkg::MdcrEl2HpmnLsb] =
          cfg_i.feat_extpmn ? hpmn_o : hpmn;
    end

    mdcr_el3_o = mdcr_el3_q;
    mdcr_el3_o[pmuv3_pkg::MdcrEl3PmsseMsb:pmuv3_pkg::MdcrEl3PmsseLsb] = sse_el3_q;
    mdcr_el3_o[pmuv3_pkg::MdcrEl3MtpmeLsb] = mtpme_q && mtpme_el3 && present_i;
  end
  assign sder_o      = sder_q;
  assign pmccfiltr_o = pmccfiltr_q;
  assign pmselr_o    = {59'd0, pmselr_q};
  assign pmuserenr_o = pmuserenr_q;
  assign pmuacr_o    = {31'd0, pmuacr_q};
  assign pmecr_o     = pmecr_q | {59'd0, sse_el1_q, 3'd0};
  assign pmiar_o     = pmiar_q;

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

  // DXWVNH: the first range, R1, is the counters below HPMN, R2 the others below EPMN, and R3 those
  // of an external agent, which go before EL2's. A reserved EPMN acts as the number of counters
  // (K-EPMN-RES), and so does a reserved HPMN (K-HPMN-RES).
  logic [4:0]       epmn;
  logic             hpmn_reserved;
  logic [Lanes-1:0] range1, range2, range3, below_epmn;
  assign epmn          = pmccr_i[4:0];
  assign hpmn_reserved = hpmn > cfg_i.counters || (hpmn == 5'd0 && !cfg_i.feat_hpmn0);
  always_comb begin
    epmn_o = cfg_i.feat_extpmn && epmn < cfg_i.counters ? epmn : cfg_i.counters;
    if (!cfg_i.el2)              hpmn_o = epmn_o;
    else if (cfg_i.feat_extpmn)  hpmn_o = hpmn < epmn_o ? hpmn : epmn_o;
    else                         hpmn_o = hpmn_reserved ? cfg_i.counters : hpmn;
  end
  assign below_epmn = below(epmn_o);
  assign range1     = below(hpmn_o);
  assign range2     = below_epmn & ~range1;
  assign range3     = ~below_epmn;

  assign range1_o          = range1;
  assign range2_o          = range2;
  assign global_enable_o   = (range1 & {Lanes{pmcr_q[pmuv3_pkg::PmcrELsb]}})
                             | (range2 & {Lanes{mdcr_el2_q[pmuv3_pkg::MdcrEl2HpmeLsb]}})
                             | (range3 & {Lanes{pmccr_i[7]}});  // EPME
  assign long_overflow_o   = {Lanes{cfg_i.feat_pmuv3p5 && cfg_i.aa64}}  // else there are 32 bits
                             & ((range1 & {Lanes{pmcr_q[pmuv3_pkg::PmcrLpLsb]}})
                                | (range2 & {Lanes{mdcr_el2_q[pmuv3_pkg::MdcrEl2HlpLsb]}})
                                | range3 | {Lanes{exception_enabled_i}});
  assign range_continues_o = ~(range1 ^ (range1 >> 1)) & ~(range3 >> 1);

  //////////////////////
  // PMCNTEN, PMINTEN //
  //////////////////////

  logic [Lanes-1:0] counter_enable_q, interrupt_enable_q;
  logic             cycle_enable_q, cycle_interrupt_enable_q;
  logic             instruction_enable_q, instruction_interrupt_enable_q;
  assign counter_enable_o         = counter_enable_q;
  assign interrupt_enable_o       = interrupt_enable_q;
  assign fixed_enable_o           = {instruction_enable_q, cycle_enable_q};
  assign fixed_interrupt_enable_o = {instruction_interrupt_enable_q, cycle_interrupt_enable_q};

  logic [Lanes-1:0] counter_enable_d, interrupt_enable_d;
  logic [1:0]       fixed_enable_d, fixed_interrupt_enable_d;
  always_comb begin
    counter_enable_d         = counter_enable_o;
    interrupt_enable_d       = interrupt_enable_o;
    fixed_enable_d           = fixed_enable_o;
    fixed_interrupt_enable_d = fixed_interrupt_enable_o;
    if (write_i) begin
      unique case (addr_i)
        pmuv3_pkg::RegPmcntenset: begin
          counter_enable_d = (counter_enable_o & ~dropped[Lanes-1:0]) | selected[Lanes-1:0];
          fixed_enable_d   = (fixed_enable_o & ~dropped[32:31]) | selected[32:31];
        end
        pmuv3_pkg::RegPmcntenclr: begin
          counter_enable_d = counter_enable_o & ~selected[Lanes-1:0];
          fixed_enable_d   = fixed_enable_o & ~selected[32:31];
        end
        pmuv3_pkg::RegPmintenset: begin
          interrupt_enable_d = (interrupt_enable_o & ~dropped[Lanes-1:0]) | selected[Lanes-1:0];
          fixed_interrupt_enable_d =
              (fixed_interrupt_enable_o & ~dropped[32:31]) | selected[32:31];
        end
        pmuv3_pkg::RegPmintenclr: begin
          interrupt_enable_d       = interrupt_enable_o & ~selected[Lanes-1:0];
          fixed_interrupt_enable_d = fixed_interrupt_enable_o & ~selected[32:31];
        end
        default: ;
      endcase
    end
  end

  // F0 is not an agent's: a Warm reset always clears it.
  always_ff @(posedge clk_i or negedge rst_agent_ni) begin
    if (!rst_agent_ni) begin
      counter_enable_q         <= '0;
      interrupt_enable_q       <= '0;
      cycle_enable_q           <= 1'b0;
      cycle_interrupt_enable_q <= 1'b0;
    end else if (write_i) begin
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
    end else if (write_i) begin
      instruction_enable_q           <= fixed_enable_d[1];
      instruction_interrupt_enable_q <= fixed_interrupt_enable_d[1];
    end
  end

  ///////////////
  // PMEVTYPER //
  ///////////////

  // What is written, but for TLC, and where: to [31:0] and to [63:32].
  logic [Lanes-1:0] write_low, write_high;
  assign write_low  = write_evtyper & {Lanes{bits_i[0]}};
  assign write_high = write_evtyper & {Lanes{bits_i[32]}};

  logic [63:0]       evtyper_d;
  pmuv3_pkg::event_t event_d;
  logic [2:0]        class_d;
  logic [1:0]        attribution_d;
  assign evtyper_d     = wdata_i & evtyper_even_fields;
  assign event_d       = pmuv3_pkg::event_index(evtyper_d[15:0]);
  assign class_d       = pmuv3_pkg::event_class(event_d);
  assign attribution_d = pmuv3_pkg::event_attribution(event_d);

  // TC, TE and TH have a reset of their own.
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
        rest_q <= written(rest_q, wdata_i, bits_i, fields & ~threshold_fields);
        if (bits_i[0]) begin
          event_q <= event_d;
          class_q <= class_d;
        end
      end
    end
    always_ff @(posedge clk_i or negedge rst_threshold_ni) begin
      if (!rst_threshold_ni) begin
        threshold_q <= 64'd0;
      end else if (write_evtyper[n]) begin
        threshold_q <= written(threshold_q, wdata_i, bits_i, fields & threshold_fields);
      end
    end

    assign evtyper             = rest_q | threshold_q;
    assign evtyper_o[64*n+:64] = evtyper;
    assign event_o[EventWidth*n+:EventWidth] = event_q;
    assign class_o[3*n+:3] = class_q;
    assign tc_o[3*n+:3]    = evtyper[pmuv3_pkg::PmevtyperTcMsb:pmuv3_pkg::PmevtyperTcLsb];
    assign te_o[n]         = evtyper[pmuv3_pkg::PmevtyperTeLsb];
    assign tlc_o[2*n+:2]   = evtyper[pmuv3_pkg::PmevtyperTlcMsb:pmuv3_pkg::PmevtyperTlcLsb];
    assign th_o[12*n+:12]  = evtyper[pmuv3_pkg::PmevtyperThMsb:pmuv3_pkg::PmevtyperThLsb];
  end

  // A vector with one bit a counter, after a write of some counters' bits.
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
      sync_capable_q <= '1;  // as SW_INCR
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
