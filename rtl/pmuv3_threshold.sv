// Threshold: event threshold, edge and linking (D13.8), from VB to V, which the counter adds.
//
//   owns  CP
//
// Timing: VB to V is combinational, within the cycle. CP is CT of the previous Processor cycle. CP
// holds while the strobe is low.
//
// TC, TE, TLC and TH are Effective values: 0 where the feature is absent, TLC also for even n. The
// names VB CT CP CE VT VE V are those of RJJRJQ. In a cycle in which counting is not allowed, all
// of them but CP are 0, also for conditions that hold for 0 (H-26).
`default_nettype none

module pmuv3_threshold #(
  parameter int unsigned ValueWidth = 12  // of VB, VT, VE and V, see pmuv3
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic cycle_i,

  input wire logic [2:0]  tc_i,
  input wire logic        te_i,
  input wire logic [1:0]  tlc_i,
  input wire logic [11:0] th_i,
  input wire logic        k_restc_i,  // K-RESTC: a (0) or b (1)

  input wire logic                  allowed_i,
  input wire logic [ValueWidth-1:0] vb_i,
  input wire logic [ValueWidth-1:0] link_i,  // V of counter n-1 in this cycle (CYC-1)

  output logic                  ct_o,
  output logic                  cp_o,
  output logic                  ce_o,
  output logic [ValueWidth-1:0] vt_o,
  output logic [ValueWidth-1:0] ve_o,
  output logic [ValueWidth-1:0] v_o
);

  localparam logic [1:0] TlcElse = 2'b01;  // V[n-1] if the condition is false
  localparam logic [1:0] TlcThen = 2'b10;  // V[n-1] if the condition is true
  localparam logic [1:0] TlcReserved = 2'b11;

  // RWXVGN: the threshold condition compares all bits of VB, also if TH is narrower.
  logic [ValueWidth-1:0] th;
  logic                  ct;
  assign th = ValueWidth'(th_i);
  always_comb begin
    unique case (tc_i[2:1])
      2'b00:   ct = vb_i != th;
      2'b01:   ct = vb_i == th;
      2'b10:   ct = vb_i >= th;
      default: ct = vb_i < th;
    endcase
  end
  assign ct_o = allowed_i && ct;

  // RJJRJQ: CP is 0 after a cycle in which counting was not allowed, and CT is 0 in that cycle.
  logic cp_q;
  assign cp_o = cp_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cp_q <= 1'b0;
    end else if (cycle_i) begin
      cp_q <= ct_o;
    end
  end

  // RNXPYM: the edge condition.
  logic ce;
  always_comb begin
    unique case (tc_i[1:0])
      2'b01, 2'b11: ce = ct_o && !cp_q;  // the threshold condition becomes true
      2'b10:        ce = ct_o != cp_q;   // the threshold condition changes
      default:      ce = 1'b0;           // reserved
    endcase
  end
  assign ce_o = allowed_i && ce;

  // RXFGYS, RYKFCB: VT. Without a link, VT is VB or 1 if the threshold condition is true.
  logic [ValueWidth-1:0] one, counted;
  assign one     = ValueWidth'(1'b1);
  assign counted = tc_i[0] ? one : vb_i;
  always_comb begin
    vt_o = '0;
    if (ct_o) begin
      vt_o = tlc_i == TlcThen ? link_i : counted;
    end else if (allowed_i && tlc_i == TlcElse) begin
      vt_o = link_i;
    end
  end

  // RFLGYG, RBGDTJ: VE, the value by the edge condition.
  always_comb begin
    ve_o = '0;
    if (ce_o) begin
      ve_o = tlc_i == TlcThen ? link_i : one;
    end
  end

  // RHBWBB. If TC, TH and TLC are all 0, threshold counting is disabled, and VT is VB.
  logic reserved;  // ILQXJZ
  assign reserved = te_i ? tc_i[1:0] == 2'b00 || tlc_i[0]
                         : tlc_i == TlcReserved || (tc_i[0] && tlc_i == TlcThen);
  always_comb begin
    if (reserved) begin
      v_o = k_restc_i ? (ct_o ? counted : '0) : vb_i;
    end else begin
      v_o = te_i ? ve_o : vt_o;
    end
  end

endmodule

`default_nettype wire
