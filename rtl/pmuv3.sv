// pmuv3: the event counters of Arm's Performance Monitors Extension, PMUv3.
//
// Each clock cycle, data flows one way through every counter's lane:
//
//   occurrences -> attribution -> filter -> threshold -> counter -> overflow
//                              registers configure all of them
//
// An odd counter n takes two signals from its even neighbour n-1, within the cycle: V to link to
// (IVBVHX), and CHAIN (CYC-2).
//
// Timing: one clock. cycle_i marks the clocks that are Processor cycles; without it nothing counts,
// but register writes commit. Events presented with cycle_i are counted at the edge that ends that
// clock. Resets assert asynchronously. Ports and waveforms: docs/rtl.md.
`default_nettype none

module pmuv3 #(
  // The most event counters a configuration of this instance may have, 0..31;
  // cfg_i.counters <= NumCounters of them are implemented.
  parameter  int unsigned NumCounters = 31,
  // A PMU without counters has one lane that no configuration implements: nothing is 0 bits wide.
  localparam int unsigned Lanes = NumCounters > 0 ? NumCounters : 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,       // Warm reset
  input  wire logic rst_cold_ni,  // Cold reset; rst_ni falls with it

  input  wire pmuv3_pkg::config_t cfg_i,  // static

  input  wire logic cycle_i,  // this clock is a Processor cycle
  input  wire logic [8*pmuv3_pkg::NumEventInputs-1:0] event_i,  // how often each event occurs in it

  input  wire logic        reg_write_i,
  input  wire logic [15:0] reg_addr_i,  // {op0, op1, CRn, CRm, op2}
  input  wire logic [63:0] reg_wdata_i,
  input  wire logic        reg_read_i,
  output logic [63:0]      reg_rdata_o,
  output logic             reg_error_o,

  output logic irq_o  // PMUIRQ
`ifdef PMUV3_PROBE
  ,
  // Of the cycle that is presented now, meaningful with cycle_i.
  output logic [Lanes-1:0]    probe_allowed_o,
  output logic [Lanes-1:0]    probe_ct_o,
  output logic [Lanes-1:0]    probe_cp_o,
  output logic [Lanes-1:0]    probe_ce_o,
  output logic [16*Lanes-1:0] probe_vb_o,
  output logic [16*Lanes-1:0] probe_vt_o,
  output logic [16*Lanes-1:0] probe_ve_o,
  output logic [16*Lanes-1:0] probe_v_o,
  // State, and registers as reads give them.
  output logic [64*Lanes-1:0] probe_value_o,
  output logic [64*Lanes-1:0] probe_evtyper_o,
  output logic [Lanes-1:0]    probe_overflow_o,
  output logic [Lanes-1:0]    probe_cnten_o,
  output logic [Lanes-1:0]    probe_inten_o,
  output logic [63:0]         probe_pmcr_o,
  output logic [63:0]         probe_mdcr_el2_o,
  output logic [63:0]         probe_pmmir_o,
  output logic [63:0]         probe_pmceid0_o,
  output logic [63:0]         probe_pmceid1_o
`endif
);

  // The widest V is a multithreaded sum: 4 threads, each with occurrences in up to 3 contexts, of
  // 255 each, make 3060.
  localparam int unsigned ValueWidth = 12;
  localparam int unsigned EventWidth = $bits(pmuv3_pkg::EventNone);

  logic [64*Lanes-1:0] value, evtyper;
  logic [Lanes-1:0]    overflow, irq;
  logic                counter_zero;
  logic [Lanes-1:0]    counter_write, overflow_set, overflow_clear, swinc;
  logic [EventWidth*Lanes-1:0] event_index;
  logic [3*Lanes-1:0]  tc;
  logic [Lanes-1:0]    te;
  logic [2*Lanes-1:0]  tlc;
  logic [12*Lanes-1:0] th;
  logic [Lanes-1:0]    counter_enable, global_enable, interrupt_enable;
  logic [Lanes-1:0]    long_overflow, range_continues;
  logic [63:0]         pmcr, mdcr_el2, pmmir, pmceid0, pmceid1;

  pmuv3_registers #(
    .Lanes(Lanes)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .rst_cold_ni,
    .cfg_i,
    .reg_write_i,
    .reg_read_i,
    .reg_addr_i,
    .reg_wdata_i,
    .reg_rdata_o,
    .reg_error_o,
    .value_i(value),
    .overflow_i(overflow),
    .counter_zero_o(counter_zero),
    .counter_write_o(counter_write),
    .overflow_set_o(overflow_set),
    .overflow_clear_o(overflow_clear),
    .swinc_o(swinc),
    .event_o(event_index),
    .tc_o(tc),
    .te_o(te),
    .tlc_o(tlc),
    .th_o(th),
    .counter_enable_o(counter_enable),
    .global_enable_o(global_enable),
    .interrupt_enable_o(interrupt_enable),
    .long_overflow_o(long_overflow),
    .range_continues_o(range_continues),
    .evtyper_o(evtyper),
    .pmcr_o(pmcr),
    .mdcr_el2_o(mdcr_el2),
    .pmmir_o(pmmir),
    .pmceid0_o(pmceid0),
    .pmceid1_o(pmceid1)
  );

  for (genvar n = 0; n < Lanes; n++) begin : g_lane
    // What a lane computes stays in it, or goes to the odd neighbour: one vector over all lanes
    // would look like a combinational loop to simulators.
    logic [ValueWidth-1:0] count, vb, vt, ve, v;
    logic                  allowed, ct, cp, ce;
    logic                  carry31, carry63, chain;

    logic [ValueWidth-1:0] neighbour_v;
    logic                  neighbour_chain;
    if (n % 2 == 1) begin : g_odd
      assign neighbour_v     = g_lane[n-1].v;
      assign neighbour_chain = g_lane[n-1].chain;
    end else begin : g_even
      assign neighbour_v     = '0;
      assign neighbour_chain = 1'b0;
    end

    pmuv3_attribution #(
      .ValueWidth(ValueWidth)
    ) u_attribution (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .event_i(event_index[EventWidth*n+:EventWidth]),
      .occurrences_i(event_i),
      .swinc_i(swinc[n]),
      .chain_i(neighbour_chain),
      .count_o(count)
    );

    pmuv3_filter #(
      .ValueWidth(ValueWidth)
    ) u_filter (
      .global_enable_i(global_enable[n]),
      .counter_enable_i(counter_enable[n]),
      .count_i(count),
      .allowed_o(allowed),
      .vb_o(vb)
    );

    pmuv3_threshold #(
      .ValueWidth(ValueWidth)
    ) u_threshold (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .tc_i(tc[3*n+:3]),
      .te_i(te[n]),
      .tlc_i(tlc[2*n+:2]),
      .th_i(th[12*n+:12]),
      .k_restc_i(cfg_i.k_restc),
      .allowed_i(allowed),
      .vb_i(vb),
      .link_i(neighbour_v),
      .ct_o(ct),
      .cp_o(cp),
      .ce_o(ce),
      .vt_o(vt),
      .ve_o(ve),
      .v_o(v)
    );

    pmuv3_counter #(
      .ValueWidth(ValueWidth)
    ) u_counter (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .wide_i(cfg_i.feat_pmuv3p5),
      .v_i(v),
      .zero_i(counter_zero),
      .write_i(counter_write[n]),
      .wdata_i(reg_wdata_i),
      .value_o(value[64*n+:64]),
      .carry31_o(carry31),
      .carry63_o(carry63)
    );

    pmuv3_overflow u_overflow (
      .clk_i,
      .rst_ni,
      .cycle_i,
      .carry31_i(carry31),
      .carry63_i(carry63),
      .long_overflow_i(long_overflow[n]),
      .range_continues_i(range_continues[n]),
      .global_enable_i(global_enable[n]),
      .interrupt_enable_i(interrupt_enable[n]),
      .set_i(overflow_set[n]),
      .clear_i(overflow_clear[n]),
      .overflow_o(overflow[n]),
      .chain_o(chain),
      .irq_o(irq[n])
    );

`ifdef PMUV3_PROBE
    assign probe_allowed_o[n]   = allowed;
    assign probe_ct_o[n]        = ct;
    assign probe_cp_o[n]        = cp;
    assign probe_ce_o[n]        = ce;
    assign probe_vb_o[16*n+:16] = 16'(vb);
    assign probe_vt_o[16*n+:16] = 16'(vt);
    assign probe_ve_o[16*n+:16] = 16'(ve);
    assign probe_v_o[16*n+:16]  = 16'(v);
`else
    logic unused_lane;
    assign unused_lane = ^{ct, cp, ce, vt, ve};
`endif
    if (n % 2 == 1 || n + 1 == Lanes) begin : g_chain_ends
      logic unused_chain;
      assign unused_chain = chain;
    end
  end

  assign irq_o = |irq;

`ifdef PMUV3_PROBE
  assign probe_value_o    = value;
  assign probe_evtyper_o  = evtyper;
  assign probe_overflow_o = overflow;
  assign probe_cnten_o    = counter_enable;
  assign probe_inten_o    = interrupt_enable;
  assign probe_pmcr_o     = pmcr;
  assign probe_mdcr_el2_o = mdcr_el2;
  assign probe_pmmir_o    = pmmir;
  assign probe_pmceid0_o  = pmceid0;
  assign probe_pmceid1_o  = pmceid1;
`else
  logic unused_state;
  assign unused_state = ^{evtyper, pmcr, mdcr_el2, pmmir, pmceid0, pmceid1};
`endif

endmodule

`default_nettype wire
