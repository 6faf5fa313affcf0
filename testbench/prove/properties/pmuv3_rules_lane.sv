// The rules of event counter n of thread A, as properties of the lane's outputs in a cycle and in
// the clock after the cycle. A label is a rule's identifier in docs/reference/rules.md, with _ for
// each character that is neither a letter nor a digit. label_seen covers the antecedent.
//
// The properties are written from the rules. They read the ports and the probe outputs of the RTL.
// Hidden state, seen_* (see pmuv3_proof.sv), is for the induction, with two exceptions. No output
// shows the waiting software increments, so rules read seen_pending_i. Rules also read
// seen_lookup_i: C_5_lookup proves that the lookup equals the presented occurrences.
`default_nettype none

module pmuv3_rules_lane #(
  parameter int unsigned NumThreads = 1,
  parameter int unsigned Thread     = 0,  // A
  parameter int unsigned Lane       = 0,  // n
  parameter int unsigned NumEvents  = 1
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic agent_ni,  // resets the counters and their configuration
  input wire pmuv3_pkg::config_t cfg_i,
  input wire logic [pmuv3_pkg::EventWidth*NumEvents-1:0] events_i,
  input wire logic cycle_i,
  input wire logic [pmuv3_pkg::PeWidth*NumThreads-1:0]      pe_i,
  input wire logic [pmuv3_pkg::ContextWidth*NumThreads-1:0] other_i,
  input wire logic [pmuv3_pkg::OccurrenceWidth*NumThreads*NumEvents-1:0] occurrence_i,
  input wire logic [NumThreads-1:0]    reg_write_i,
  input wire logic [NumThreads-1:0]    reg_checked_i,
  input wire logic [16*NumThreads-1:0] reg_addr_i,
  input wire logic [64*NumThreads-1:0] reg_wdata_i,

  // Thread A, by pmuv3_rules_thread
  input wire logic       quiet_i,      // nothing writes the registers in this clock
  input wire logic [4:0] hpmn_i,       // Effective
  input wire logic [4:0] epmn_i,
  input wire logic       frozen_r1_i,
  input wire logic       frozen_r2_i,
  input wire logic       fzo_r1_i,     // overflow flags freeze R1
  input wire logic       fzo_r2_i,
  input wire logic       spe_r1_i,     // SPE freezes R1
  input wire logic       spe_r2_i,
  input wire logic       profiling_i,  // the PMU Profiling exception is enabled
  input wire logic       mt_enable_i,  // MT has an effect
  // For each thread: System registers reach counter n, so n is not in the thread's third range
  input wire logic [NumThreads-1:0] reaches_i,

  // The counter's probe outputs
  input wire logic [63:0] pmcr_i,
  input wire logic [63:0] mdcr_el2_i,
  input wire logic [63:0] mdcr_el3_i,
  input wire logic [63:0] sder_i,
  input wire logic [63:0] pmccr_i,
  input wire logic [63:0] pmuserenr_i,
  input wire logic [63:0] pmuacr_i,
  input wire logic        cnten_i,
  input wire logic        allowed_i,
  input wire logic [15:0] vb_i,
  input wire logic        ct_i,
  input wire logic        cp_i,
  input wire logic        ce_i,
  input wire logic [15:0] vt_i,
  input wire logic [15:0] ve_i,
  input wire logic [15:0] v_i,
  input wire logic [63:0] value_i,
  input wire logic        overflow_i,
  input wire logic        pulse_i,
  input wire logic [63:0] evtyper_i,

  // Probe outputs of the even neighbour n-1; 0 if there is none
  input wire logic        even_allowed_i,
  input wire logic [15:0] even_v_i,
  input wire logic [15:0] even_vb_i,
  input wire logic [63:0] even_evtyper_i,
  input wire logic        even_running_i,
  input wire logic        even_chain_i,

  // Hidden state
  input wire logic [8*NumThreads-1:0] seen_pending_i,  // counter n of each thread
  input wire logic [NumThreads-1:0]   seen_captured_i,  // each thread's PMU_SNAPSHOT
  input wire logic [7:0]              seen_event_i,
  input wire logic [2:0]              seen_class_i,
  input wire logic [63:0]             seen_rest_i,
  input wire logic [63:0]             seen_threshold_i,
  input wire logic [19:0]             seen_decoded_i,
  input wire logic [32*NumThreads-1:0] seen_lookup_i,  // the event's occurrences on each thread

  output logic sync_capable_o,  // the event supports synchronous mode

  // For the odd neighbour n+1
  output logic running_o,
  output logic chain_o
);

  localparam logic       Odd    = Lane % 2 == 1;
  localparam logic [4:0] Number = 5'(Lane);
  localparam logic [4:0] Next   = 5'(Lane + 1);

  logic exists, now;
  assign exists = Thread < cfg_i.threads && Lane < cfg_i.counters;
  assign now    = exists && cycle_i && rst_ni && agent_ni;

  ////////////////////////
  // Effective controls //
  ////////////////////////

  // C.0
  logic [2:0]  tc;
  logic        te, sync;
  logic [1:0]  tlc, vs;
  logic [11:0] th_mask;
  logic [15:0] th, number;
  assign th_mask = ~(12'hFFF << cfg_i.th_width);
  assign tc      = cfg_i.feat_th && cfg_i.aa64 ? evtyper_i[63:61] : 3'b000;
  assign th      = cfg_i.feat_th && cfg_i.aa64 ? {4'd0, evtyper_i[43:32] & th_mask} : 16'd0;
  assign te      = cfg_i.feat_edge && evtyper_i[60];
  assign tlc     = cfg_i.feat_th2 && Odd ? evtyper_i[55:54] : 2'b00;
  assign vs      = cfg_i.feat_sme ? evtyper_i[57:56] : 2'b00;
  assign sync    = cfg_i.feat_sebep && evtyper_i[58];
  assign number  = {evtyper_i[15:10] & {6{cfg_i.feat_pmuv3p1}}, evtyper_i[9:0]};

  logic reserved;  // ILQXJZ
  assign reserved = tlc == 2'b11 || (tc[0] && !te && tlc == 2'b10) || (te && tlc == 2'b01)
                    || (te && tc[1:0] == 2'b00);

  // DXWVNH
  logic r1, r2, r3;
  assign r1 = Lane < hpmn_i;
  assign r2 = !r1 && Lane < epmn_i;
  assign r3 = Lane >= epmn_i;

  logic lp, wide;
  assign wide = cfg_i.feat_pmuv3p5 && cfg_i.aa64;
  assign lp   = wide && ((r1 && pmcr_i[7]) || (r2 && mdcr_el2_i[26]) || r3 || profiling_i);

  logic chain_event, mt;
  assign chain_event = number == 16'h001E;
  assign mt          = mt_enable_i && evtyper_i[25] && !chain_event;

  // D.5
  logic enabled, frozen, running;
  assign enabled = cnten_i && ((r1 && pmcr_i[0]) || (r2 && mdcr_el2_i[7]) || (r3 && pmccr_i[7]))
                   && !(sync && !is_sync);
  assign frozen  = (r1 && frozen_r1_i) || (r2 && frozen_r2_i);
  assign running = enabled && !frozen;
  assign running_o = exists && running;

  ///////////////////////////
  // Event and attribution //
  ///////////////////////////

  // The row of the event, if it has one. A row that is not used has class SELF.
  logic [7:0] position;
  logic [2:0] kind;         // how a number follows from a cycle's occurrences (D14.4)
  logic [2:0] attribution;  // D13.4-3, D13.4-4, D13.4-9
  logic       is_sync;      // K-SYNC-EVENTS
  always_comb begin
    case (number)
      16'h0000: position = pmuv3_pkg::SelfSwIncr;
      16'h0011: position = pmuv3_pkg::SelfCpuCycles;
      16'h001E: position = pmuv3_pkg::SelfChain;
      16'h8127: position = pmuv3_pkg::SelfSnapshot;
      default:  position = pmuv3_pkg::SelfNone;
    endcase
    kind        = pmuv3_pkg::EventClassSelf;
    attribution = pmuv3_pkg::EventAttributionCore;
    is_sync     = number == 16'h0000;
    for (int unsigned e = 0; e < NumEvents; e++) begin
      if (events_i[pmuv3_pkg::EventWidth*e+:16] == number
          && events_i[pmuv3_pkg::EventWidth*e+16+:3] != pmuv3_pkg::EventClassSelf) begin
        position    = 8'(e);
        kind        = events_i[pmuv3_pkg::EventWidth*e+16+:3];
        attribution = events_i[pmuv3_pkg::EventWidth*e+19+:3];
        is_sync     = events_i[pmuv3_pkg::EventWidth*e+22];
      end
    end
  end

  assign sync_capable_o = is_sync;

  logic has_row, is_memory, is_shared, is_own, is_trace;
  assign has_row   = kind != pmuv3_pkg::EventClassSelf;
  assign is_memory = attribution == pmuv3_pkg::EventAttributionMemory;
  assign is_shared = attribution == pmuv3_pkg::EventAttributionShared;
  assign is_own    = attribution == pmuv3_pkg::EventAttributionOwn;
  assign is_trace  = attribution == pmuv3_pkg::EventAttributionTrace;

  logic counted;  // the counter sums occurrences
  assign counted = kind == pmuv3_pkg::EventClassCount;

  ///////////////////////
  // D.6, for thread B //
  ///////////////////////

  pmuv3_pkg::pe_t self;
  assign self = pe_i[pmuv3_pkg::PeWidth*Thread+:pmuv3_pkg::PeWidth];

  logic a32el3, spme, mpmx, suniden, hpmd, lifted;
  assign a32el3  = self.a32el3 || !cfg_i.aa64;
  assign spme    = mdcr_el3_i[17];
  assign mpmx    = mdcr_el3_i[35];
  assign suniden = sder_i[1];
  assign hpmd    = mdcr_el2_i[17];
  assign lifted  = r3 || (!cfg_i.debugv8p2 && self.snid);

  logic [63:0] filter;
  assign filter = pmuv3_rules_pkg::effective_filter(evtyper_i, cfg_i.el2, cfg_i.el3, cfg_i.aa64,
                                                    cfg_i.feat_sel2, cfg_i.feat_rme, a32el3);

  // The bit of each choice for the event's attribution.
  logic k_filter, k_prohib, k_debug;
  assign k_filter = is_memory || is_shared ? cfg_i.k_unattr_filter[1] : cfg_i.k_unattr_filter[0];
  assign k_prohib = is_memory || is_shared ? cfg_i.k_unattr_prohib[1] : cfg_i.k_unattr_prohib[0];
  assign k_debug  = is_memory || is_shared ? cfg_i.k_unattr_debug[1] : cfg_i.k_unattr_debug[0];

  logic [NumThreads-1:0] scope, prohibited, filtered, other_prohibited, other_filtered;
  logic [NumThreads-1:0] eligible, takes_current, takes_other, takes_unattributable;
  logic [NumThreads-1:0] halted, wfx, related, refused, condition, stall_backend;
  logic [32*NumThreads-1:0] presented;
  logic [8*NumThreads-1:0]  current, other, unattributable, debugger;
  logic [NumThreads-1:0] secure, at_el2, other_waived_s, other_waived_el2, other_waived_el3;
  for (genvar b = 0; b < NumThreads; b++) begin : g_source
    // pe_t and context_t of thread B. Yosys knows no structs in a generate block.
    logic [1:0] el, ss, left_el, left_ss;
    logic       sm, given_a32el1, given_a32el3;
    assign {ss, el}           = pe_i[pmuv3_pkg::PeWidth*b+:4];
    assign sm                 = pe_i[pmuv3_pkg::PeWidth*b+4];
    assign halted[b]          = pe_i[pmuv3_pkg::PeWidth*b+5];
    assign wfx[b]             = pe_i[pmuv3_pkg::PeWidth*b+7];
    assign given_a32el1       = pe_i[pmuv3_pkg::PeWidth*b+9];
    assign given_a32el3       = pe_i[pmuv3_pkg::PeWidth*b+10];
    assign {left_ss, left_el} = other_i[pmuv3_pkg::ContextWidth*b+:4];
    assign related[b]         = other_i[pmuv3_pkg::ContextWidth*b+4];

    assign scope[b] = b < cfg_i.threads && (b == Thread || mt);

    logic a32el1;
    assign a32el1 = given_a32el1 || given_a32el3 || !cfg_i.aa64;
    assign secure[b] = ss == pmuv3_pkg::SsSecure;
    assign at_el2[b] = el == 2'd2;

    // B's state, and B's other context, under A's controls
    logic state_s, state_el3, state_el2, left_s, left_el3, left_el2, mode;
    assign state_s = pmuv3_rules_pkg::prohibited_secure(
        cfg_i.el3, cfg_i.feat_rme, cfg_i.feat_pmuv3p7, a32el3, a32el1, spme, mpmx, suniden, el, ss);
    assign state_el3 = cfg_i.el3 && pmuv3_rules_pkg::prohibited_el3(
        cfg_i.feat_rme, cfg_i.feat_pmuv3p7, a32el3, spme, mpmx, r1, el);
    assign state_el2 = pmuv3_rules_pkg::prohibited_el2(
        cfg_i.el2, cfg_i.feat_pmuv3p1, hpmd, r1, el);
    assign left_s = pmuv3_rules_pkg::prohibited_secure(
        cfg_i.el3, cfg_i.feat_rme, cfg_i.feat_pmuv3p7, a32el3, a32el1, spme, mpmx, suniden, left_el,
        left_ss);
    assign left_el3 = cfg_i.el3 && pmuv3_rules_pkg::prohibited_el3(
        cfg_i.feat_rme, cfg_i.feat_pmuv3p7, a32el3, spme, mpmx, r1, left_el);
    assign left_el2 = pmuv3_rules_pkg::prohibited_el2(
        cfg_i.el2, cfg_i.feat_pmuv3p1, hpmd, r1, left_el);
    assign mode = pmuv3_rules_pkg::counts_in_mode(cfg_i.feat_sme, vs, sm, cfg_i.k_vs_res);

    // D13.6-12..14: with MT = 0, after A has left the state, one choice can waive a prohibition,
    // and another can refuse what is related to the state.
    logic gone_s, gone_el2, gone_el3;
    assign gone_s   = !mt && self.ss == pmuv3_pkg::SsNonSecure;
    assign gone_el2 = !mt && self.el != 2'd2;
    assign gone_el3 = !mt && self.el != 2'd3;
    assign other_waived_s[b] = gone_s && cfg_i.k_ns_count_s_attr == pmuv3_pkg::KNsCountSAttrPermit;
    assign other_waived_el2[b] = gone_el2
                                 && cfg_i.k_lo_count_el2_attr == pmuv3_pkg::KLoCountEl2AttrPermit;
    assign other_waived_el3[b] = gone_el3
                                 && cfg_i.k_lo_count_ssel_attr == pmuv3_pkg::KLoCountSselAttrPermit;
    assign refused[b] = related[b] && !lifted
        && ((left_s && gone_s
             && cfg_i.k_ns_count_s_unattr == pmuv3_pkg::KNsCountSUnattrRefuse)
            || (left_el2 && gone_el2
                && cfg_i.k_lo_count_el2_unattr == pmuv3_pkg::KLoCountEl2UnattrRefuse)
            || (left_el3 && gone_el3
                && cfg_i.k_lo_count_ssel_unattr == pmuv3_pkg::KLoCountSselUnattrRefuse));

    assign prohibited[b] = !lifted && (state_s || state_el3 || state_el2);
    assign filtered[b]   = !pmuv3_rules_pkg::counts_at(filter, el, ss) || !mode;
    assign other_prohibited[b] = !lifted && ((left_s && !other_waived_s[b])
                                             || (left_el3 && !other_waived_el3[b])
                                             || (left_el2 && !other_waived_el2[b]));
    assign other_filtered[b] = !pmuv3_rules_pkg::counts_at(filter, left_el, left_ss) || !mode;

    // formats.md, section 3
    assign eligible[b] = scope[b] && !halted[b] && !prohibited[b] && !filtered[b]
                         && (b == Thread || !self.halted
                             || cfg_i.k_mt_self_debug == pmuv3_pkg::KMtSelfDebugCount);

    // D.6, 4: Attributable occurrences, in B's state and in B's other context
    logic heard;
    assign heard = scope[b] && (!halted[b] || cfg_i.k_debug_late == pmuv3_pkg::KDebugLateCount)
                   && (b == Thread || !self.halted
                       || cfg_i.k_mt_self_debug == pmuv3_pkg::KMtSelfDebugCount);
    logic k_nonss, k_nonel;
    assign k_nonss = is_trace && cfg_i.k_attr_nonss_prohib == pmuv3_pkg::KAttrNonssProhibCount;
    assign k_nonel = is_trace && cfg_i.k_attr_nonel_filter == pmuv3_pkg::KAttrNonelFilterCount;
    assign takes_current[b] = heard && (prohibited[b] ? k_nonss : !filtered[b] || k_nonel);
    assign takes_other[b] =
        heard && (other_prohibited[b] ? k_nonss : !other_filtered[b] || k_nonel);

    // D.6, 3: Unattributable occurrences, by A's own state
    logic reaches;
    assign reaches = scope[b] && !is_own && !refused[b]
                     && (!is_shared || (mt && cfg_i.k_shared_other == pmuv3_pkg::KSharedOtherAll));
    assign takes_unattributable[b] =
        reaches && (self.halted        ? k_debug && !filtered[Thread]
                    : prohibited[Thread] ? k_prohib
                                         : !filtered[Thread] || !k_filter);

    // The presented occurrences of the event. C_5_lookup proves that the counter looks up these
    // occurrences. The other rules then read the counter's lookup. This saves the solvers the
    // selection in each proof.
    logic [31:0] word;
    always_comb begin
      presented[32*b+:32] = 32'd0;
      stall_backend[b]    = 1'b0;
      for (int unsigned e = 0; e < NumEvents; e++) begin
        if (has_row && position == 8'(e)) begin
          presented[32*b+:32] = occurrence_i[pmuv3_pkg::OccurrenceWidth*(NumThreads*e+b)+:32];
        end
        if (events_i[pmuv3_pkg::EventWidth*e+:16] == 16'h0024) begin
          stall_backend[b] = occurrence_i[pmuv3_pkg::OccurrenceWidth*(NumThreads*e+b)];
        end
      end
    end
    assign word = seen_lookup_i[32*b+:32];
    assign current[8*b+:8]        = word[7:0];
    assign other[8*b+:8]          = word[15:8];
    assign unattributable[8*b+:8] = word[23:16];
    assign debugger[8*b+:8]       = word[31:24];
    assign condition[b]           = word[0];
  end


  /////////////////////////
  // C.5: the base value //
  /////////////////////////

  logic [15:0] sum, slots, further;
  always_comb begin
    sum     = 16'd0;
    slots   = 16'd0;
    further = 16'd0;
    for (int unsigned b = 0; b < NumThreads; b++) begin
      if (takes_current[b])        sum += {8'd0, current[8*b+:8]};
      if (takes_other[b])          sum += {8'd0, other[8*b+:8]};
      if (takes_unattributable[b]) sum += {8'd0, unattributable[8*b+:8]};
      if (eligible[b]) begin
        slots   += {8'd0, current[8*b+:8]};
        further += {8'd0, cfg_i.slots};
      end
    end
    if (|eligible) further -= {8'd0, cfg_i.slots};
  end

  logic awake;  // some eligible thread is not in WFx
  assign awake = |(eligible & ~wfx);

  // SW_INCR. plain_writers: threads that write nothing, or write with the highest rights.
  logic [NumThreads-1:0] pmswinc, plain_writers, increments;
  logic [15:0]           software, snapshots;
  for (genvar b = 0; b < NumThreads; b++) begin : g_pmswinc
    assign pmswinc[b]       = reg_write_i[b]
                              && (reg_addr_i[16*b+:16] == pmuv3_pkg::RegPmswinc
                                  || (reg_addr_i[16*b+:16] == pmuv3_pkg::RegPmswincAa32
                                      && cfg_i.aa32 != pmuv3_pkg::Aa32None));
    assign plain_writers[b] = !reg_write_i[b] || !reg_checked_i[b];
    assign increments[b]    = pmswinc[b] && reg_wdata_i[64*b+Lane] && reaches_i[b] && !halted[b];
  end
  always_comb begin
    software  = 16'd0;
    snapshots = 16'd0;
    for (int unsigned b = 0; b < NumThreads; b++) begin
      if (eligible[b]) snapshots += {15'd0, seen_captured_i[b]};  // I-14
      if (eligible[b]) software += {8'd0, seen_pending_i[8*b+:8]} + {15'd0, increments[b]};
    end
  end

  // CHAIN-6: where the odd counter may count CHAIN
  logic chain_may;
  assign chain_may = eligible[Thread] || cfg_i.k_chain_filter == pmuv3_pkg::KChainFilterIgnore;

  // D14.4-a, D14.4-b: the cycles that CPU_CYCLES counts with MT = 0; K-STALL-CYCLES: so do stalls
  // and Slots
  logic ticking, stalls_count;
  assign ticking      = self.active && !self.wfx;
  assign stalls_count = ticking || cfg_i.k_stall_cycles == pmuv3_pkg::KStallCyclesPresented;

  // The base value of a running counter by the rules. exact: the rules leave nothing open.
  logic        exact;
  logic [15:0] base;
  always_comb begin
    exact = 1'b1;
    base  = 16'd0;
    case (kind)
      pmuv3_pkg::EventClassCount: begin
        base = sum;
      end
      pmuv3_pkg::EventClassStall:
        base = {15'd0, mt ? awake && (eligible & ~condition) == '0
                          : eligible[Thread] && condition[Thread] && stalls_count};
      pmuv3_pkg::EventClassSecond:
        base = {15'd0, mt ? awake && (eligible & ~stall_backend) == '0 && |(eligible & condition)
                          : eligible[Thread] && condition[Thread] && stalls_count};
      pmuv3_pkg::EventClassCondition:
        base = {15'd0, mt ? awake && |(eligible & condition)
                          : eligible[Thread] && condition[Thread]};
      pmuv3_pkg::EventClassSlots:
        base = slots > further && (mt || stalls_count) ? slots - further : 16'd0;
      default: begin
        if (number == 16'h0000) begin
          base  = software;
          exact = plain_writers == '1;
        end
        if (number == 16'h0011) begin
          base = {15'd0, mt ? awake : eligible[Thread] && ticking};
        end
        if (number == 16'h8127) base = snapshots;
        if (chain_event) base = {15'd0, Odd && even_chain_i && chain_may};
      end
    endcase
  end

  /////////////////////////////////////
  // B.1 to B.3, C.5, D: VB, allowed //
  /////////////////////////////////////

  // plain: a running counter with MT = 0 sums a CORE event, and all occurrences are from A's
  // current state, outside Debug state.
  logic own_only, plain;
  logic [7:0] own_current, own_other, own_unattributable;
  assign own_current        = current[8*Thread+:8];
  assign own_other          = other[8*Thread+:8];
  assign own_unattributable = unattributable[8*Thread+:8];
  assign own_only = now && running && counted && !mt && !self.halted;
  assign plain    = own_only && !is_shared && !is_memory && !is_own && !is_trace
                    && own_current != 8'd0 && own_other == 8'd0 && own_unattributable == 8'd0;

  // closed: with MT = 0 no Unattributable occurrence of the event counts, in any state
  logic closed;
  assign closed = is_shared || is_own;

  // booked: same, but all occurrences are from the context that A left in this cycle
  logic booked;
  pmuv3_pkg::context_t left;
  assign left   = other_i[pmuv3_pkg::ContextWidth*Thread+:pmuv3_pkg::ContextWidth];
  assign booked = own_only && !is_trace && own_current == 8'd0 && own_other != 8'd0
                  && own_unattributable == 8'd0;
  logic [15:0] booked_vb;
  assign booked_vb = takes_other[Thread] ? {8'd0, own_other} : 16'd0;

  // by_bits: nothing prohibits the occurrences and VS filters no mode, so the bits of D.2 decide
  logic open, by_bits;
  assign open    = !prohibited[Thread] && !filtered[Thread];
  assign by_bits = plain && !prohibited[Thread] && vs == 2'b00;

  logic counts;  // VB is the sum of all of A's occurrences
  assign counts = vb_i == {8'd0, own_current};

  always_comb begin
    `RULE(D13_4_1, plain && open, counts && allowed_i)
    `RULE(D13_4_2, own_only && own_current == 0 && own_other == 0 && own_unattributable != 0,
          vb_i == (takes_unattributable[Thread] ? {8'd0, own_unattributable} : 16'd0))
    `RULE(D13_4_4, own_only && debugger[8*Thread+:8] != 0 && own_current == 0 && own_other == 0
                   && own_unattributable == 0,
          vb_i == 0)
    `RULE(D13_4_8, own_only && !refused[Thread] && own_current != 0 && own_unattributable != 0
                   && prohibited[Thread] && own_other == 0 && !is_trace && !closed,
          vb_i == (k_prohib ? {8'd0, own_unattributable} : 16'd0))
    `RULE(D13_4_9, own_only && is_memory && !refused[Thread] && open && own_unattributable != 0,
          vb_i >= {8'd0, own_unattributable})
    `RULE(D13_4_9__shared, own_only && is_shared && own_unattributable != 0 && own_current == 0
                           && own_other == 0,
          vb_i == 0)
    `RULE(D13_4_9__own, now && running && counted && is_own && current == '0 && other == '0
                        && unattributable != '0,
          vb_i == 0)
    `RULE(D13_4_11, now && !running, vb_i == 0 && !allowed_i && v_i == 0)
    `RULE(D13_4_T1, own_only && open && !refused[Thread] && !closed && own_other == 0,
          vb_i == {8'd0, own_current} + {8'd0, own_unattributable})
    `RULE(D13_4_T2, plain && !prohibited[Thread] && filtered[Thread], vb_i == 0)
    `RULE(D13_4_T2__unattributable, own_only && !prohibited[Thread] && filtered[Thread]
                                    && !refused[Thread] && !is_trace && !closed && own_other == 0,
          vb_i == (k_filter ? 16'd0 : {8'd0, own_unattributable}))
    `RULE(D13_4_T3, plain && prohibited[Thread], vb_i == 0)
    `RULE(D13_4_T3__unattributable, own_only && prohibited[Thread] && !refused[Thread] && !is_trace
                                    && !closed && own_other == 0,
          vb_i == (k_prohib ? {8'd0, own_unattributable} : 16'd0))
    `RULE(D13_4_T4, now && running && !mt && self.halted && !(chain_event && chain_may)
                    && (!counted || (own_current == 0 && own_other == 0
                                     && own_unattributable == 0)),
          vb_i == 0)

    `RULE(D13_6_4, now && running && !mt && counted,
          vb_i == (takes_current[Thread] ? {8'd0, own_current} : 16'd0)
                  + (takes_other[Thread] ? {8'd0, own_other} : 16'd0)
                  + (takes_unattributable[Thread] ? {8'd0, own_unattributable} : 16'd0))
    `RULE(D13_6_6, exists && !cfg_i.feat_mtpmu && cfg_i.k_mt_legacy == pmuv3_pkg::KMtLegacyRes0,
          !evtyper_i[25])
    `RULE(MT_CHAIN, now && running && chain_event && Odd && evtyper_i[25],
          vb_i == {15'd0, even_chain_i && chain_may})
    `RULE(D14_4_a, now && running && number == 16'h0011 && !mt && eligible[Thread] && !self.wfx,
          vb_i == {15'd0, self.active})

    `RULE(D13_7_4, plain, vb_i == (open ? {8'd0, own_current} : 16'd0))
    `RULE(D13_7_6, own_only && !prohibited[Thread] && k_filter && !closed && !refused[Thread]
                   && own_current == 0 && own_other == 0 && own_unattributable != 0,
          vb_i == (filtered[Thread] ? 16'd0 : {8'd0, own_unattributable}))
    `RULE(D13_7_7, plain && !prohibited[Thread] && vs == 0 && self.aa32 && self.el == 0
                   && self.ss == pmuv3_pkg::SsNonSecure,
          (vb_i != 0) == (evtyper_i[30] == (evtyper_i[28] && cfg_i.el3)))
    `RULE(RYWWSV, plain && !prohibited[Thread] && cfg_i.feat_sme && vs != 2'b11
                  && pmuv3_rules_pkg::counts_at(filter, self.el, self.ss),
          (vb_i != 0) == (vs == 2'b00 || (vs == 2'b10) == self.sm))
    `RULE(D13_7_9, booked, vb_i == booked_vb)
    `RULE(D13_7_11, booked && other_filtered[Thread] && open, vb_i == 0)
    `RULE(D13_7_11__source, booked && filtered[Thread] && !other_filtered[Thread]
                            && !other_prohibited[Thread],
          vb_i == {8'd0, own_other} && allowed_i)
  end

  // D13.7-10, table B.3.1: the context that the exception was taken from, or that executed the
  // instruction
  always_comb begin
    `RULE(D13_7_10, booked && prohibited[Thread], vb_i == booked_vb)
    `RULE(B_3_1_EXC_TAKEN, booked && number == 16'h0009, vb_i == booked_vb)
    `RULE(B_3_1_EXC_RETURN, booked && number == 16'h000A, vb_i == booked_vb)
    `RULE(B_3_1_CID_WRITE_RETIRED, booked && number == 16'h000B, vb_i == booked_vb)
    `RULE(B_3_1_TTBR_WRITE_RETIRED, booked && number == 16'h001C, vb_i == booked_vb)
    `RULE(B_3_1_EXC_UNDEF, booked && number == 16'h0081, vb_i == booked_vb)
    `RULE(B_3_1_EXC_SVC, booked && number == 16'h0082, vb_i == booked_vb)
    `RULE(B_3_1_EXC_PABORT, booked && number == 16'h0083, vb_i == booked_vb)
    `RULE(B_3_1_EXC_DABORT, booked && number == 16'h0084, vb_i == booked_vb)
    `RULE(B_3_1_EXC_IRQ, booked && number == 16'h0086, vb_i == booked_vb)
    `RULE(B_3_1_EXC_FIQ, booked && number == 16'h0087, vb_i == booked_vb)
    `RULE(B_3_1_EXC_SMC, booked && number == 16'h0088, vb_i == booked_vb)
    `RULE(B_3_1_EXC_HVC, booked && number == 16'h008A, vb_i == booked_vb)
    `RULE(B_3_1_EXC_TRAP_PABORT, booked && number == 16'h008B, vb_i == booked_vb)
    `RULE(B_3_1_EXC_TRAP_DABORT, booked && number == 16'h008C, vb_i == booked_vb)
    `RULE(B_3_1_EXC_TRAP_OTHER, booked && number == 16'h008D, vb_i == booked_vb)
    `RULE(B_3_1_EXC_TRAP_IRQ, booked && number == 16'h008E, vb_i == booked_vb)
    `RULE(B_3_1_EXC_TRAP_FIQ, booked && number == 16'h008F, vb_i == booked_vb)
    `RULE(B_3_1_BRB_FILTRATE, booked && number == 16'h811F, vb_i == booked_vb)
  end

  // C.5
  always_comb begin
    `RULE(C_5_off, now && !running, vb_i == 0)
    `RULE(C_5_lookup, has_row, seen_lookup_i == presented)
    `RULE(C_5_sum, now && running && counted, vb_i == sum)
    `RULE(C_5_cycle, now && running && kind != pmuv3_pkg::EventClassCount
                     && kind != pmuv3_pkg::EventClassSelf,
          vb_i == base)
    `RULE(C_5_SW_INCR, now && running && number == 16'h0000 && exact && software != 0,
          vb_i == software)
    `RULE(C_5_SNAPSHOT, now && running && number == 16'h8127, vb_i == snapshots)
    `RULE(C_5_CHAIN, now && running && chain_event, vb_i == base)
    `RULE(C_5_none, now && !has_row && position == pmuv3_pkg::SelfNone, vb_i == 0)
    `RULE(C_5_allowed, now && exact,
          allowed_i == (running && (eligible != '0 || (counted && sum != 0)
                                    || (chain_event && base != 0))))
    `RULE(C_6_1, now && exact && running && counted, vb_i == base)
    `RULE(C_6_2, now && running && number == 16'h0011 && base != 0, vb_i == 16'd1 && allowed_i)
    `RULE(CYC_7, booked && open != takes_other[Thread], vb_i == booked_vb)
    `RULE(C_0_EVT, exists && !cfg_i.feat_pmuv3p1, evtyper_i[15:10] == 0)
    `RULE(C_0_MT, now && running && exact && evtyper_i[25] && !mt_enable_i && counted,
          vb_i == (takes_current[Thread] ? {8'd0, own_current} : 16'd0)
                  + (takes_other[Thread] ? {8'd0, own_other} : 16'd0)
                  + (takes_unattributable[Thread] ? {8'd0, own_unattributable} : 16'd0))
    `RULE(C_0_VS, exists && !cfg_i.feat_sme, evtyper_i[57:56] == 0)
    `RULE(C_0_SYNC, exists && !cfg_i.feat_sebep, !evtyper_i[58])
  end

  // D.1 to D.3: the table by encoding, and filter bits that are not implemented
  logic el0, el1, el2, el3, ns, s, rl;
  assign el0 = self.el == 2'd0;
  assign el1 = self.el == 2'd1;
  assign el2 = self.el == 2'd2;
  assign el3 = self.el == 2'd3;
  assign ns  = self.ss == pmuv3_pkg::SsNonSecure;
  assign s   = self.ss == pmuv3_pkg::SsSecure;
  assign rl  = self.ss == pmuv3_pkg::SsRealm;
  logic bit_p, bit_u, bit_nsk, bit_nsu, bit_nsh, bit_m, bit_sh, bit_rlk, bit_rlu, bit_rlh;
  assign {bit_p, bit_u, bit_nsk, bit_nsu, bit_nsh, bit_m} = evtyper_i[31:26];
  assign {bit_sh, bit_rlk, bit_rlu, bit_rlh} = {evtyper_i[24], evtyper_i[22:20]};
  always_comb begin
    `RULE(D13_7_2, by_bits, counts == pmuv3_rules_pkg::counts_at(filter, self.el, self.ss))
    `RULE(D_1_PU, by_bits && s && (el0 || el1), (vb_i != 0) == !(el0 ? bit_u : bit_p))
    `RULE(D_1_NSK_NSU, exists && !cfg_i.el3, evtyper_i[29:28] == 0)
    `RULE(D_1_NSH, exists && !cfg_i.el2, !bit_nsh)
    `RULE(D_1_M, exists && !(cfg_i.el3 && cfg_i.aa64), !bit_m)
    `RULE(D_1_SH, exists && !(cfg_i.el3 && cfg_i.feat_sel2), !bit_sh)
    `RULE(D_1_RL, exists && !cfg_i.feat_rme, evtyper_i[22:20] == 0)
    `RULE(D_2_NS_EL0, by_bits && ns && el0, (vb_i != 0) == (bit_u == bit_nsu))
    `RULE(D_2_S_EL0, by_bits && s && el0, (vb_i != 0) == !bit_u)
    `RULE(D_2_RL_EL0, by_bits && rl && el0, (vb_i != 0) == (bit_u == bit_rlu))
    `RULE(D_2_NS_EL1, by_bits && ns && el1, (vb_i != 0) == (bit_p == bit_nsk))
    `RULE(D_2_S_EL1, by_bits && s && el1, (vb_i != 0) == !bit_p)
    `RULE(D_2_RL_EL1, by_bits && rl && el1, (vb_i != 0) == (bit_p == bit_rlk))
    `RULE(D_2_NS_EL2, by_bits && ns && el2, (vb_i != 0) == bit_nsh)
    `RULE(D_2_S_EL2, by_bits && s && el2, (vb_i != 0) == (bit_nsh != bit_sh))
    `RULE(D_2_RL_EL2, by_bits && rl && el2, (vb_i != 0) == (bit_nsh != bit_rlh))
    `RULE(D_2_EL3, by_bits && el3 && !a32el3, (vb_i != 0) == (bit_p == bit_m))
    `RULE(D_2_EL3_A32, by_bits && el3 && a32el3, (vb_i != 0) == !bit_p)
    `RULE(D_3_00, plain && !prohibited[Thread] && cfg_i.feat_sme && vs == 2'b00
                  && pmuv3_rules_pkg::counts_at(filter, self.el, self.ss),
          counts)
    `RULE(D_3_01, plain && cfg_i.feat_sme && vs == 2'b01 && self.sm, vb_i == 0)
    `RULE(D_3_10, plain && cfg_i.feat_sme && vs == 2'b10 && !self.sm, vb_i == 0)
  end

  // D.4, for occurrences that the filter does not exclude
  logic unfiltered;
  assign unfiltered = plain && !filtered[Thread] && (cfg_i.debugv8p2 || !self.snid);
  always_comb begin
    `RULE(D_4_R3, plain && !filtered[Thread] && r3, counts)
    `RULE(D_4_pS, unfiltered && !r3 && cfg_i.el3 && s && el1 && !spme && (!mpmx || a32el3),
          vb_i == 0)
    `RULE(D_4_pS__allowed, unfiltered && cfg_i.el3 && s && (el0 || el1)
                           && (spme || (mpmx && !a32el3)),
          counts)
    `RULE(D_4_pS_EL0, unfiltered && !r3 && cfg_i.el3 && s && el0 && !spme && (!mpmx || a32el3),
          (vb_i != 0) == ((self.a32el1 || a32el3) && suniden))
    `RULE(D_4_pM, unfiltered && !r3 && cfg_i.el3 && el3 && !a32el3 && cfg_i.feat_pmuv3p7,
          (vb_i != 0) == (spme && (!mpmx || r2)))
    `RULE(D_4_pH, unfiltered && !s && el2 && cfg_i.feat_pmuv3p1, (vb_i != 0) == !(r1 && hpmd))
    `RULE(D_4_SNID, plain && !filtered[Thread] && !cfg_i.debugv8p2 && self.snid, counts)
    `RULE(D_4_no_EL3, unfiltered && !cfg_i.el3 && s && !el2, counts)
    `RULE(D_4_SEL2, unfiltered && !r3 && cfg_i.el3 && s && el2 && cfg_i.feat_pmuv3p1,
          (vb_i != 0) == ((spme || (mpmx && !a32el3)) && !(r1 && hpmd)))
    `RULE(D_4_CPU_CYCLES, now && running && number == 16'h0011 && !mt && eligible[Thread]
                          && self.active && !self.wfx
                          && (mdcr_el3_i[23] || mdcr_el3_i[34] || mdcr_el2_i[23]),
          vb_i == 16'd1)
    `RULE(IBTVLD, now && running && counted && !mt && prohibited[Thread]
                  && other_prohibited[Thread] && !k_prohib && !k_debug && !is_trace,
          vb_i == 0)
  end

  // D.5
  logic may;  // the counter counts if enabled and not frozen
  assign may = now && counted && eligible[Thread] && !(sync && !is_sync);
  always_comb begin
    `RULE(D_5_global, now && !((r1 && pmcr_i[0]) || (r2 && mdcr_el2_i[7]) || (r3 && pmccr_i[7])),
          !allowed_i && v_i == 0)
    `RULE(D_5_global__own, may && cnten_i && !frozen
                           && ((r1 && pmcr_i[0] && !mdcr_el2_i[7])
                               || (r2 && mdcr_el2_i[7] && !pmcr_i[0])
                               || (r3 && pmccr_i[7] && !pmcr_i[0])),
          allowed_i)
    `RULE(D_5_counter, now && !cnten_i, !allowed_i && v_i == 0)
    `RULE(D_5_SYNC, now && sync && !is_sync, !allowed_i && v_i == 0)
    `RULE(D_5_frozen_fzo, now && ((r1 && fzo_r1_i) || (r2 && fzo_r2_i)), !allowed_i && v_i == 0)
    `RULE(D_5_frozen_spe, now && ((r1 && spe_r1_i) || (r2 && spe_r2_i)), !allowed_i && v_i == 0)
    `RULE(D_5_ranges, may && enabled
                      && ((r1 && frozen_r2_i && !frozen_r1_i)
                          || (r2 && frozen_r1_i && !frozen_r2_i)
                          || (r3 && frozen_r1_i && frozen_r2_i)),
          allowed_i)
    `RULE(D_5_IDKYFT, now && sync && is_sync && frozen, !allowed_i)
    `RULE(D_5_debug, now && self.halted && !mt && !k_debug && !(chain_event && chain_may)
                     && cfg_i.k_debug_late == pmuv3_pkg::KDebugLateDrop,
          !allowed_i && v_i == 0)
    `RULE(D_5_IQKDTZ, may && cnten_i && r2 && el0 && !frozen_r2_i, allowed_i == mdcr_el2_i[7])
  end

  // D.6
  always_comb begin
    `RULE(D_6_1, now && running && counted && current == '0 && other == '0 && unattributable == '0,
          vb_i == 0)
    `RULE(D_6_2, now && (!enabled || frozen) && counted
                 && (own_current != 0 || own_unattributable != 0),
          vb_i == 0)
    `RULE(D_6_3d, own_only && open && !closed && !refused[Thread] && own_unattributable != 0,
          vb_i >= {8'd0, own_unattributable})
    `RULE(D_6_4b, now && running && counted && debugger != '0 && current == '0 && other == '0
                  && unattributable == '0,
          vb_i == 0)
    `RULE(D_6_4b__raw, now && running && number == 16'h0011 && self.halted && !mt, vb_i == 0)
    `RULE(D_6_4d, own_only && !is_trace && own_unattributable == 0,
          vb_i == (open ? {8'd0, own_current} : 16'd0) + booked_vb)
  end

  ///////////////////////////////////
  // SW_INCR: D13.7-13 to -15, SWI //
  ///////////////////////////////////

  // Increments of thread A, by a write with the highest rights, in the clock of a cycle
  logic [7:0] pending;
  logic       increment, lone;
  assign pending   = seen_pending_i[8*Thread+:8];
  assign increment = increments[Thread] && plain_writers[Thread];
  assign lone      = now && running && number == 16'h0000 && !mt;
  logic kernel;  // an MSR of A in AArch64 state, at EL1 or EL0 with EL2 enabled
  assign kernel = pmswinc[Thread] && reg_addr_i[16*Thread+:16] == pmuv3_pkg::RegPmswinc
                  && reg_checked_i[Thread] && !self.aa32 && !self.a32el1
                  && !self.a32el3 && cfg_i.aa64 && self.el < 2'd2 && cfg_i.el2
                  && self.ss == pmuv3_pkg::SsNonSecure;
  always_comb begin
    `RULE(D13_7_13, lone && increment && pending == 0, vb_i == {15'd0, eligible[Thread]})
    `RULE(D13_7_14, lone && eligible[Thread] && plain_writers[Thread],
          vb_i == {8'd0, pending} + {15'd0, increment})
    `RULE(D13_7_15, lone && eligible[Thread] && increment && pending == 8'd1, vb_i == 16'd2)
    `RULE(SWI_1, now && running && !mt && increment && number == 16'h0008 && own_current == 0
                 && own_other == 0 && own_unattributable == 0,
          vb_i == 0)
    `RULE(SWI_1__other_bit, lone && eligible[Thread] && pmswinc[Thread]
                            && !reg_wdata_i[64*Thread+Lane],
          vb_i == {8'd0, pending})
    `RULE(SWI_2, lone && kernel && eligible[Thread] && !r1, vb_i == {8'd0, pending})
    `RULE(SWI_3, lone && kernel && self.el == 0 && eligible[Thread] && cfg_i.feat_pmuv3p9
                 && pmuserenr_i[4] && !pmuserenr_i[1] && !pmuacr_i[Lane],
          vb_i == {8'd0, pending})
    `RULE(SWI_3__reached, lone && kernel && self.el == 0 && eligible[Thread] && cfg_i.feat_pmuv3p9
                          && pmuserenr_i[4] && (pmuserenr_i[1] || pmuacr_i[Lane]) && r1
                          && !mdcr_el2_i[6] && !mdcr_el3_i[6] && reg_wdata_i[64*Thread+Lane]
                          && !self.fgt[pmuv3_pkg::FgtPmswincWrite],
          vb_i == {8'd0, pending} + 16'd1)
  end

  ////////////////////////////////////
  // B.4, C.1 to C.3: the threshold //
  ////////////////////////////////////

  logic relation;  // C.1
  always_comb begin
    case (tc[2:1])
      2'b00:   relation = vb_i != th;
      2'b01:   relation = vb_i == th;
      2'b10:   relation = vb_i >= th;
      default: relation = vb_i < th;
    endcase
  end

  logic edge_condition;  // C.2
  always_comb begin
    case (tc[1:0])
      2'b01, 2'b11: edge_condition = ct_i && !cp_i;
      2'b10:        edge_condition = ct_i != cp_i;
      default:      edge_condition = 1'b0;
    endcase
  end

  logic [15:0] even_v, applied, edge_applied;
  assign even_v = Odd ? even_v_i : 16'd0;
  always_comb begin  // C.3
    applied      = 16'd0;
    edge_applied = 16'd0;
    case ({tc[0], tlc})
      3'b0_00: applied = ct_i ? vb_i : 16'd0;
      3'b0_01: applied = ct_i ? vb_i : even_v;
      3'b0_10: applied = ct_i ? even_v : 16'd0;
      3'b1_00: applied = ct_i ? 16'd1 : 16'd0;
      3'b1_01: applied = ct_i ? 16'd1 : even_v;
      default: ;
    endcase
    case (tlc)
      2'b00:   edge_applied = ce_i ? 16'd1 : 16'd0;
      2'b10:   edge_applied = ce_i ? even_v : 16'd0;
      default: ;
    endcase
  end

  logic on, legal, unlinked, linked, thresholding;
  assign on           = now && allowed_i;
  assign legal        = on && !reserved;
  assign unlinked     = !Odd || !cfg_i.feat_th2;
  assign linked       = Odd && cfg_i.feat_th2;
  assign thresholding = tc != 3'b000 || th != 0 || tlc != 2'b00;  // RHVGCV with H-1
  always_comb begin
    `RULE(RHVGCV, on && !thresholding && !te, v_i == vb_i)
    `RULE(RHVGCV__enabled, legal && thresholding && !te, v_i == vt_i)
    `RULE(RQVYDV, now && !cfg_i.feat_th,
          evtyper_i[63:61] == 0 && evtyper_i[43:32] == 0 && v_i == vb_i)
    `RULE(RGWTCZ, legal && te, v_i == ve_i)
    `RULE(RGWTCZ__disabled, legal && cfg_i.feat_edge && !te, v_i == vt_i || v_i == vb_i)
    `RULE(RSGLNM, now && !cfg_i.feat_edge, !evtyper_i[60] && v_i == vt_i)
    `RULE(RMRPVL, now && unlinked,
          evtyper_i[55:54] == 0 && (v_i == vb_i || v_i == 16'd1 || v_i == 0))
    `RULE(RJJRJQ_VB, on && vb_i > 16'h0FF && tc == 3'b100 && !te && tlc == 2'b00 && th < 16'h100,
          v_i == vb_i)
    `RULE(RJJRJQ_CT, on, ct_i == relation)
    `RULE(RJJRJQ_VT, on && unlinked, vt_i == vb_i || vt_i == 16'd1 || vt_i == 0)
    `RULE(RJJRJQ_CE, on, ce_i == edge_condition)
    `RULE(RJJRJQ_VE, on && unlinked, ve_i == {15'd0, ce_i})
    `RULE(RJJRJQ_V, on, v_i == ve_i || v_i == vt_i || v_i == vb_i || reserved)
    `RULE(RJJRJQ_DIS, now && !allowed_i,
          vb_i == 0 && !ct_i && !ce_i && vt_i == 0 && ve_i == 0 && v_i == 0)
    `RULE(RWXVGN, on, ct_i == relation)
    `RULE(RNXPYM, on && tc[1:0] != 2'b00, ce_i == (tc[0] ? ct_i && !cp_i : ct_i != cp_i))
    `RULE(RYKFCB, on && unlinked, vt_i == (ct_i ? (tc[0] ? 16'd1 : vb_i) : 16'd0))
    `RULE(RBGDTJ, on && unlinked, ve_i == {15'd0, ce_i})
    `RULE(RHBWBB, legal, v_i == (te ? edge_applied : thresholding ? applied : vb_i))
    `RULE(ILQXJZ_6, on && reserved && cfg_i.k_restc == pmuv3_pkg::KRestcA, v_i == vb_i)
    `RULE(TH_A32, legal && tc == 3'b001 && th == 0 && !te && tlc == 0 && self.aa32,
          v_i == {15'd0, vb_i != 0})
    `RULE(TH_A32__none, now && !cfg_i.aa64, v_i == vb_i)
    `RULE(TH_CYCLE, now && running && number == 16'h0011 && !mt && eligible[Thread]
                    && !self.active && tc == 3'b011 && th == 0 && !te && tlc == 2'b00,
          vb_i == 0 && v_i == 16'd1)
    `RULE(D13_7_A, legal && unlinked && !te && !tc[0], v_i == (relation ? vb_i : 16'd0))
    `RULE(D13_7_B, legal && unlinked && !te && tc[0], v_i == {15'd0, relation})
    `RULE(D13_8_F, legal && unlinked && te && tc[0], v_i == {15'd0, relation && !cp_i})
    `RULE(D13_8_F_, legal && unlinked && te && tc[1:0] == 2'b10, v_i == {15'd0, relation != cp_i})
    `RULE(C_0_TC, exists && !cfg_i.feat_th, evtyper_i[63:61] == 0)
    `RULE(C_0_TH, exists && cfg_i.feat_th, (evtyper_i[43:32] & ~th_mask) == 0)
    `RULE(C_0_TE, exists && !cfg_i.feat_edge, !evtyper_i[60])
    `RULE(C_0_TLC, exists && unlinked, evtyper_i[55:54] == 0)
    `RULE(C_1, now, ct_i == (allowed_i && relation))
    `RULE(C_2, now, ce_i == (allowed_i && edge_condition))
    `RULE(C_3_VT, legal && !te, vt_i == applied)
    `RULE(C_3_VE, legal && te, ve_i == edge_applied)
    `RULE(C_3_V, now && !reserved,
          v_i == (!allowed_i ? 16'd0 : te ? edge_applied : thresholding ? applied : vb_i))
  end

  // Only odd counters
  if (Odd) begin : g_odd
    always_comb begin
      `RULE(RHXHZC, legal && !te && tlc == 2'b01 && !ct_i, v_i == even_v_i)
      `RULE(RHXHZC__then, legal && !te && tlc == 2'b10 && ct_i, v_i == even_v_i)
      `RULE(RJJRJQ_VT__linked, on && linked,
            vt_i == even_v_i || vt_i == vb_i || vt_i == 16'd1 || vt_i == 0)
      `RULE(RJJRJQ_VE__linked, on && linked, ve_i == even_v_i || ve_i == 16'd1 || ve_i == 0)
      `RULE(RJJRJQ_DIS__even, legal && !te && tlc == 2'b01 && !ct_i && !even_running_i, v_i == 0)
      `RULE(RXFGYS, legal && linked && !te, vt_i == applied)
      `RULE(RFLGYG, legal && linked && te, ve_i == edge_applied)
      `RULE(NOTE_V_n_1_, legal && !te && tlc == 2'b01 && !ct_i && even_v_i != even_vb_i,
            v_i == even_v_i)
      `RULE(D13_5_A, legal && linked && !te && tlc == 2'b00 && !tc[0],
            v_i == (relation ? vb_i : 16'd0))
      `RULE(D13_5_B, legal && linked && !te && tlc == 2'b00 && tc[0], v_i == {15'd0, relation})
      `RULE(D13_5_C, legal && !te && tlc == 2'b01 && !tc[0],
            v_i == (relation ? vb_i : even_v_i))
      `RULE(D13_5_D, legal && !te && tlc == 2'b01 && tc[0],
            v_i == (relation ? 16'd1 : even_v_i))
      `RULE(D13_5_E, legal && !te && tlc == 2'b10 && !tc[0],
            v_i == (relation ? even_v_i : 16'd0))
      `RULE(D13_6_F, legal && linked && te && tlc == 2'b00 && tc[0],
            v_i == {15'd0, relation && !cp_i})
      `RULE(D13_6_G, legal && te && tlc == 2'b10 && tc[0],
            v_i == (relation && !cp_i ? even_v_i : 16'd0))
      `RULE(D13_6_F_, legal && linked && te && tlc == 2'b00 && tc[1:0] == 2'b10,
            v_i == {15'd0, relation != cp_i})
      `RULE(D13_6_G_, legal && te && tlc == 2'b10 && tc[1:0] == 2'b10,
            v_i == (relation != cp_i ? even_v_i : 16'd0))
      `RULE(CYC_1, legal && !te && tlc == 2'b01 && !ct_i && !even_allowed_i, v_i == 0)
      `RULE(CYC_2, on && running && chain_event && even_chain_i && eligible[Thread]
                   && tc == 3'b011 && th == 1 && !te && tlc == 2'b00,
            vb_i == 16'd1 && v_i == 16'd1)
      `RULE(C_6_1__pair, now && exact && counted && running && even_running_i
                         && evtyper_i[63:56] == even_evtyper_i[63:56]
                         && evtyper_i[31:0] == even_evtyper_i[31:0]
                         && hpmn_i != Number && epmn_i != Number,
            vb_i == even_vb_i)
    end
  end else begin : g_even
    always_comb begin
      `RULE(ILQXJZ_1, exists, evtyper_i[55:54] == 0)
      `RULE(CHAIN_1, now && chain_event, vb_i == 0)
    end
  end

  ///////////////////////////////////
  // Next clock: C.4, C.6, counter //
  ///////////////////////////////////

  // Values of the last clock. valid_q: there was a last clock, and it was not in reset.
  logic        valid_q, after_q, cycle_q, quiet_q, allowed_q, ct_q, cp_q, overflow_q, lp_q, now_q;
  logic        chain_q, eligible_q, running_q, chain_event_q, pulse_q;
  logic [15:0] v_q, vb_q, number_q;
  logic [63:0] value_q;
  logic [7:0]  pending_q;
  logic        increment_q, plain_q, pmswinc_q, bit_q;
  logic        thresholding_q, retired_q;
  logic [8:0]  retired_count_q;
  initial begin
    valid_q = 1'b0;
    after_q = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    valid_q       <= rst_ni && agent_ni;
    after_q       <= !rst_ni;
    now_q         <= now;
    cycle_q       <= cycle_i;
    quiet_q       <= quiet_i;
    allowed_q     <= allowed_i;
    ct_q          <= ct_i;
    cp_q          <= cp_i;
    overflow_q    <= overflow_i;
    lp_q          <= lp;
    v_q           <= v_i;
    vb_q          <= vb_i;
    number_q      <= number;
    value_q       <= value_i;
    pending_q     <= pending;
    increment_q   <= increment;
    plain_q       <= plain_writers[Thread];
    pmswinc_q     <= pmswinc[Thread];
    bit_q         <= reg_wdata_i[64*Thread+Lane];
    chain_q       <= Odd && even_chain_i;
    eligible_q    <= eligible[Thread];
    running_q     <= running;
    chain_event_q <= chain_event;
    pulse_q       <= pulse_i;
    thresholding_q <= thresholding || te;
    retired_q     <= own_only && number == 16'h0008 && open && takes_other[Thread]
                     && own_unattributable == 0;
    retired_count_q <= {1'b0, own_current} + {1'b0, own_other};
  end

  // The increment that the last clock added to the counter
  logic [63:0] added;
  logic [64:0] sum64;
  logic [32:0] sum32;
  logic        carry, carry32, valid;
  assign added   = cycle_q ? {48'd0, v_q} : 64'd0;
  assign sum64   = {1'b0, value_q} + {1'b0, added};
  assign sum32   = {1'b0, value_q[31:0]} + {1'b0, added[31:0]};
  assign carry32 = sum32[32];
  assign carry   = lp_q ? sum64[64] : carry32;
  assign valid   = exists && valid_q && rst_ni && agent_ni;

  // The overflow of this cycle, for CHAIN
  logic [32:0] low;
  assign low     = {1'b0, value_i[31:0]} + {17'd0, v_i};
  assign chain_o = now && !Odd && low[32] && !lp && !r3 && Lane + 1 < cfg_i.counters
                   && Next != hpmn_i && Next != epmn_i;

  always_comb begin
    `RULE(RJJRJQ_CP, valid && cycle_q, cp_i == (allowed_q && ct_q))
    `RULE(C_4_CP, valid && cycle_q && allowed_q && !thresholding_q, cp_i == (vb_q != 0))
    `RULE(C_4_CP__else, valid && cycle_q && !allowed_q, !cp_i)
    `RULE(C_4_CP__hold, valid && !cycle_q, cp_i == cp_q)
    `RULE(C_4_reset, !rst_ni || after_q, !cp_i)
    `RULE(C_4_change, valid && cycle_q && !quiet_q && number_q != number,
          cp_i == (allowed_q && ct_q))
    `RULE(C_6_3, valid && quiet_q && cycle_q && allowed_q,
          value_i == (wide ? sum64[63:0] : {32'd0, sum32[31:0]}) && cp_i == ct_q)
    `RULE(C_6_4, valid && quiet_q && cycle_q && !allowed_q,
          value_i == value_q && overflow_i == overflow_q)
    `RULE(CYC_4, valid && quiet_q && wide, value_i == sum64[63:0])
    `RULE(CYC_4__narrow, valid && quiet_q && !wide, value_i == {32'd0, sum32[31:0]})
    `RULE(CYC_4__flag, valid && quiet_q, overflow_i == (overflow_q || carry))
    `RULE(CYC_4__pulse, valid, pulse_q == carry)
    `RULE(CYC_4__no_pulse, !exists || !cycle_i, !pulse_i)
    `RULE(CYC_4__kept, valid && !quiet_q && carry, overflow_i)
    `RULE(CYC_5, valid && quiet_q && carry && v_q > 16'd1 && !overflow_q,
          overflow_i && value_i[31:0] == sum32[31:0])
    `RULE(C_0_LP, valid && quiet_q && carry32 && !sum64[64] && !overflow_q, overflow_i == !lp_q)
    `RULE(CYC_9, valid && !cycle_q && quiet_q, value_i == value_q && overflow_i == overflow_q)
    `RULE(D13_7_12, valid && quiet_q && cycle_q && retired_q && !thresholding_q && wide
                    && cfg_i.feat_sebep,
          value_i == value_q + {55'd0, retired_count_q})
    `RULE(D13_7_14__waits, valid && !cycle_q && increment_q && pending_q != 8'hFF,
          pending == pending_q + 8'd1)
    `RULE(D13_7_14__nothing, valid && !cycle_q && (!pmswinc_q || !bit_q) && plain_q,
          pending == pending_q)
    `RULE(D13_7_14__once, valid && cycle_q, pending == 0)
  end
  if (Odd) begin : g_pair
    always_comb begin
      `RULE(CHAIN_5, valid && quiet_q && now_q && chain_q && eligible_q && running_q
                     && chain_event_q && !thresholding_q && wide,
            value_i == value_q + 64'd1)
      `RULE(CHAIN_2, valid && quiet_q && now_q && !chain_q && chain_event_q && !thresholding_q,
            value_i == value_q)
    end
  end else begin : g_chain
    always_comb begin
      `RULE(CHAIN_3, now && r3 && low[32], !chain_o)
    end
  end

  //////////////////////////////
  // With more threads than A //
  //////////////////////////////

  if (NumThreads > 1) begin : g_siblings
    localparam int unsigned B = Thread == 0 ? 1 : 0;
    logic grouped, quiet_others;
    logic [15:0] sibling_current;
    logic [7:0]  sibling_other, sibling_pending;
    assign sibling_current = {8'd0, current[8*B+:8]};
    assign sibling_other   = other[8*B+:8];
    assign sibling_pending = seen_pending_i[8*B+:8];
    assign grouped = now && running && mt && NumThreads == 2 && cfg_i.threads == 3'd2;
    // Only B has Attributable occurrences, and neither thread is in Debug state
    logic theirs;
    assign theirs = grouped && counted && halted == '0 && unattributable == '0
                    && own_current == 0 && own_other == 0 && !is_trace;
    logic disabled;
    assign disabled = cfg_i.el3 ? !mdcr_el3_i[28] : cfg_i.el2 && !mdcr_el2_i[28];
    logic all_stalled;
    assign all_stalled = (eligible & ~condition) == '0;
    logic [1:0] b_el, b_ss;
    assign {b_ss, b_el} = pe_i[pmuv3_pkg::PeWidth*B+:4];
    always_comb begin
      `RULE(D13_4_5, theirs && sibling_other == 0 && sibling_current != 0,
            vb_i == (prohibited[B] || filtered[B] ? 16'd0 : sibling_current))
      `RULE(D13_4_5__debugger, grouped && counted && halted[B] && current == '0 && other == '0
                               && unattributable == '0 && debugger[8*B+:8] != 0,
            vb_i == 0)
      `RULE(D13_6_1, grouped && counted && unattributable == '0 && other == '0 && eligible == '1,
            vb_i == {8'd0, own_current} + sibling_current)
      `RULE(D13_6_3, grouped && kind == pmuv3_pkg::EventClassStall && eligible == '1 && awake,
            vb_i == {15'd0, condition == '1})
      `RULE(D13_6_4__siblings, now && running && !mt && counted && sibling_current != 0
                               && own_current == 0 && own_other == 0 && own_unattributable == 0,
            vb_i == 0)
      `RULE(D13_6_7, now && running && counted && cfg_i.el3 && cfg_i.feat_mtpmu && !mdcr_el3_i[28]
                     && evtyper_i[25] && own_current == 0 && own_other == 0
                     && own_unattributable == 0,
            vb_i == 0)
      `RULE(D13_6_8, now && running && counted && !cfg_i.el3 && cfg_i.el2 && cfg_i.feat_mtpmu
                     && !mdcr_el2_i[28] && evtyper_i[25] && own_current == 0
                     && own_other == 0 && own_unattributable == 0,
            vb_i == 0)
      `RULE(D13_6_10, theirs && sibling_other == 0 && sibling_current != 0 && !r3 && cfg_i.el3
                      && secure[B] && b_el == 2'd1 && !spme && (!mpmx || a32el3)
                      && (cfg_i.debugv8p2 || !self.snid),
            vb_i == 0)
      `RULE(D13_6_11, theirs && sibling_other == 0 && sibling_current != 0 && r1 && at_el2[B]
                      && hpmd && cfg_i.feat_pmuv3p1 && (cfg_i.debugv8p2 || !self.snid),
            vb_i == 0)
      `RULE(D13_6_11__r2, theirs && sibling_other == 0 && sibling_current != 0 && r2 && at_el2[B]
                          && b_ss == pmuv3_pkg::SsNonSecure && hpmd && !filtered[B],
            vb_i == sibling_current)
      `RULE(MT_SHARED_1, grouped && is_shared && current == '0 && other == '0
                         && unattributable != '0
                         && cfg_i.k_shared_other == pmuv3_pkg::KSharedOtherAttributable,
            vb_i == 0)
      `RULE(MT_SWINCR, grouped && number == 16'h0000 && plain_writers == '1 && eligible == '1,
            vb_i == {8'd0, pending} + {8'd0, sibling_pending} + {15'd0, increments[0]}
                    + {15'd0, increments[1]})
      `RULE(D14_4_c, grouped && number == 16'h0011, vb_i == {15'd0, awake})
      `RULE(D14_4_d, grouped && kind == pmuv3_pkg::EventClassStall,
            vb_i == {15'd0, awake && all_stalled})
      `RULE(D14_4_d__second, grouped && kind == pmuv3_pkg::EventClassSecond && eligible == '1
                             && awake,
            vb_i == {15'd0, stall_backend == '1 && condition != '0})
      `RULE(D14_4_e, grouped && kind == pmuv3_pkg::EventClassCondition && eligible == '1 && awake,
            vb_i == {15'd0, condition != '0})
      `RULE(D14_4_f, grouped && wfx == '1
                     && (kind == pmuv3_pkg::EventClassStall || kind == pmuv3_pkg::EventClassSecond
                         || kind == pmuv3_pkg::EventClassCondition),
            vb_i == 0)
      `RULE(D14_4_f__slots, grouped && kind == pmuv3_pkg::EventClassSlots && eligible == '1
                            && {8'd0, own_current} + sibling_current > {8'd0, cfg_i.slots},
            vb_i == {8'd0, own_current} + sibling_current - {8'd0, cfg_i.slots})
      `RULE(D13_7_3, theirs && sibling_other == 0 && sibling_current != 0 && !prohibited[B],
            (vb_i == 0) == filtered[B])
      `RULE(D13_7_6__mt, grouped && counted && halted == '0 && current == '0 && other == '0
                         && !closed && k_filter && !prohibited[Thread]
                         && unattributable[8*B+:8] != 0 && own_unattributable == 0,
            (vb_i == 0) == filtered[Thread])
      `RULE(D_6_4a, now && counted && !mt && own_current == 0 && own_other == 0
                    && own_unattributable == 0,
            vb_i == 0)
      `RULE(MT_REG_1, now && counted && evtyper_i[25] && cfg_i.feat_mtpmu && disabled
                      && own_current == 0 && own_other == 0 && own_unattributable == 0,
            vb_i == 0)
      `RULE(TH_MT, grouped && counted && eligible == '1 && unattributable == '0 && other == '0
                   && own_current == 8'd1 && sibling_current == 16'd1 && tc == 3'b101 && th == 2
                   && !te && tlc == 2'b00,
            v_i == 16'd1)
      `RULE(IBTVLD__siblings, grouped && counted && prohibited == '1 && other_prohibited == '1
                              && !k_prohib && !k_debug && !is_trace,
            vb_i == 0)
    end
  end

  /////////////////////////////////////
  // Lemmas of the induction (INV_*) //
  /////////////////////////////////////

  // E.1: bits that are not implemented are 0. The RTL holds TC, TE and TH in flops of their own.
  logic [63:0] fields, threshold_fields;
  always_comb begin
    fields        = 64'd0;
    fields[63:61] = {3{cfg_i.feat_th}};
    fields[60]    = cfg_i.feat_edge;
    fields[58]    = cfg_i.feat_sebep;
    fields[57:56] = {2{cfg_i.feat_sme}};
    fields[55:54] = {2{cfg_i.feat_th2 && Odd}};
    fields[43:32] = th_mask & {12{cfg_i.feat_th}};
    fields[31:30] = 2'b11;
    fields[29:28] = {2{cfg_i.el3}};
    fields[27]    = cfg_i.el2;
    fields[26]    = cfg_i.el3 && cfg_i.aa64;
    fields[25]    = cfg_i.feat_mtpmu || cfg_i.k_mt_legacy == pmuv3_pkg::KMtLegacyRw;
    fields[24]    = cfg_i.el3 && cfg_i.feat_sel2;
    fields[22:20] = {3{cfg_i.feat_rme}};
    fields[15:10] = {6{cfg_i.feat_pmuv3p1}};
    fields[9:0]   = '1;
    threshold_fields        = 64'd0;
    threshold_fields[63:60] = '1;
    threshold_fields[43:32] = '1;
  end
  logic [19:0] decoded;
  assign decoded = {evtyper_i[31:24], evtyper_i[22:20], evtyper_i[58:56], chain_event, is_sync,
                    is_memory || is_shared, is_shared, is_own, is_trace};
  always_comb begin
    `RULE(INV_fields, 1'b1, (evtyper_i & ~fields) == 0 && (exists || evtyper_i == 0))
    `RULE(INV_halves, 1'b1, (seen_rest_i & (threshold_fields | ~fields)) == 0
                            && (seen_threshold_i & ~(threshold_fields & fields)) == 0)
    `RULE(INV_event, 1'b1, seen_event_i == position && seen_class_i == kind)
    `RULE(D13_4_3, 1'b1, seen_decoded_i == decoded)
    `RULE(INV_value, !wide || !exists, value_i[63:32] == 0)
    `RULE(INV_absent, !exists, !cnten_i && !overflow_i && value_i == 0)
  end

endmodule

`default_nettype wire
