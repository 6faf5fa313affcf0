// The event selection registers: PMEVTYPER<n> of each counter.
//
//   owns   PMEVTYPER<n>, and its filter bits a second time
//
// Timing: a write is applied at the clock edge. The outputs show the write after that edge.
//
// pmuv3_event_select decodes evtCount. The filter judges all counters at once. The bits that it
// needs are therefore held a second time, as vectors with a bit for each counter.
//
// TC, TE and TH have a reset of their own, so they have flops of their own.
`default_nettype none

module pmuv3_evtypers #(
  parameter int unsigned Lanes     = 31,  // event counters
  parameter int unsigned NumEvents = 1
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic rst_threshold_ni,  // resets TC, TE and TH
  input wire pmuv3_pkg::config_t cfg_i,
  input wire logic [pmuv3_pkg::EventWidth*NumEvents-1:0] events_i,

  input wire logic [63:0]      filter_fields_i,  // the filter bits that are implemented
  input wire logic [Lanes-1:0] write_i,          // a write to PMEVTYPER<n>
  input wire logic [63:0]      wdata_i,
  input wire logic [63:0]      bits_i,           // the bits in reach, in whole halves

  output logic [pmuv3_types_pkg::EvtyperWidth*Lanes-1:0] evtypers_o,  // evtypers_t
  output logic [64*Lanes-1:0]                            evtyper_o    // what reads return
);

  `PMUV3_FILTERS_T(Lanes)
  `PMUV3_EVTYPERS_T(Lanes)
  evtypers_t evtypers;
  filters_t  filters;

  ////////////
  // Fields //
  ////////////

  // The fields that hold the written value, by the configuration
  logic [63:0] evtyper_even_fields, evtyper_odd_fields;
  always_comb begin
    // TH has th_width bits. Only odd counters have TLC.
    evtyper_even_fields = filter_fields_i;
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

  ///////////////
  // Registers //
  ///////////////

  // Write enables of [31:0] and [63:32], and the written value without TLC.
  logic [Lanes-1:0] write_low, write_high;
  assign write_low  = write_i & {Lanes{bits_i[0]}};
  assign write_high = write_i & {Lanes{bits_i[32]}};

  logic [63:0] evtyper_d;
  assign evtyper_d = wdata_i & evtyper_even_fields;

  pmuv3_event_select #(
    .NumEvents(NumEvents),
    .Lanes    (Lanes)
  ) u_event_select (
    .clk_i,
    .rst_ni,
    .events_i,
    .write_i       (write_low),
    .evt_count_i   (evtyper_d[15:0]),
    .event_index_o (evtypers.event_index),
    .event_class_o (evtypers.event_class),
    .chain_o       (evtypers.chain),
    .sync_capable_o(evtypers.sync_capable),
    .memory_o      (evtypers.memory),
    .shared_o      (evtypers.shared),
    .own_o         (evtypers.own),
    .trace_o       (evtypers.trace)
  );

  // TC, TE and TH have their own reset.
  logic [63:0] threshold_fields;
  always_comb begin
    threshold_fields = 64'd0;
    threshold_fields[pmuv3_pkg::PmevtyperTcMsb:pmuv3_pkg::PmevtyperTcLsb] = '1;
    threshold_fields[pmuv3_pkg::PmevtyperTeLsb]                           = 1'b1;
    threshold_fields[pmuv3_pkg::PmevtyperThMsb:pmuv3_pkg::PmevtyperThLsb] = '1;
  end

  for (genvar n = 0; n < Lanes; n++) begin : g_evtyper
    logic [63:0] fields, evtyper, threshold_q, rest_q;
    assign fields = n % 2 == 0 ? evtyper_even_fields : evtyper_odd_fields;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        rest_q <= 64'd0;
      end else if (write_i[n]) begin
        rest_q <= pmuv3_types_pkg::written(rest_q, wdata_i, bits_i, fields & ~threshold_fields);
      end
    end
    always_ff @(posedge clk_i or negedge rst_threshold_ni) begin
      if (!rst_threshold_ni) begin
        threshold_q <= 64'd0;
      end else if (write_i[n]) begin
        threshold_q <= pmuv3_types_pkg::written(threshold_q, wdata_i, bits_i,
                                                fields & threshold_fields);
      end
    end

    assign evtyper             = rest_q | threshold_q;
    assign evtyper_o[64*n+:64] = evtyper;
    assign evtypers.tc[3*n+:3] = evtyper[pmuv3_pkg::PmevtyperTcMsb:pmuv3_pkg::PmevtyperTcLsb];
    assign evtypers.te[n] = evtyper[pmuv3_pkg::PmevtyperTeLsb];
    assign evtypers.tlc[2*n+:2] = evtyper[pmuv3_pkg::PmevtyperTlcMsb:pmuv3_pkg::PmevtyperTlcLsb];
    assign evtypers.th[12*n+:12] = evtyper[pmuv3_pkg::PmevtyperThMsb:pmuv3_pkg::PmevtyperThLsb];
  end

  // The value of a vector with a bit for each counter, after a write to some counters' bits_i.
  function automatic logic [Lanes-1:0] put(input logic [Lanes-1:0] old,
                                           input logic [Lanes-1:0] at, input logic value);
    put = (old & ~at) | (at & {Lanes{value}});
  endfunction

  logic [Lanes-1:0] p_q, u_q, nsk_q, nsu_q, nsh_q, m_q, mt_q, sh_q, rlk_q, rlu_q, rlh_q;
  logic [Lanes-1:0] sync_q, vs1_q, vs0_q;
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
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sync_q <= '0;
      vs1_q  <= '0;
      vs0_q  <= '0;
    end else if (|write_high) begin
      sync_q <= put(sync_q, write_high, evtyper_d[pmuv3_pkg::PmevtyperSyncLsb]);
      vs1_q  <= put(vs1_q, write_high, evtyper_d[pmuv3_pkg::PmevtyperVsMsb]);
      vs0_q  <= put(vs0_q, write_high, evtyper_d[pmuv3_pkg::PmevtyperVsLsb]);
    end
  end

  /////////////
  // Outputs //
  /////////////

  assign evtypers_o = evtypers;

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

  logic unused_bits;
  assign unused_bits = ^cfg_i;

endmodule

`default_nettype wire
