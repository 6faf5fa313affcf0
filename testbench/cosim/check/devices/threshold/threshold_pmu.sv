// Two counters of 32 bits with thresholds, and a port of 64 bits. Up to 31 instructions retire in a
// clock. Nothing is delayed but the answer of a read, by one clock.
//
// Each BUG_ macro plants one mistake; the comment after the macro says which.

module threshold_pmu (
  input  logic        clk, rst_n,
  input  logic [4:0]  retired,
  input  logic [1:0]  cached,
  input  logic        req, we,
  input  logic [7:0]  addr,
  input  logic [63:0] wdata,
  output logic [63:0] rdata,
  output logic        irq
);
  localparam int N = 2;
  localparam logic [31:0] Present = 32'h8000_0003;

  logic        on, long_cycles;
  logic [31:0] enabled, interrupting, wrapped;
  logic [63:0] cycles;
  logic [31:0] count [N];
  logic [2:0]  tc [N];
  logic [11:0] th [N];
  logic [15:0] number [N];

  wire writes = req && we;

  // Whether a count meets a threshold.
  function automatic logic meets(logic [1:0] comparison, logic [11:0] vb, logic [11:0] threshold);
`ifdef BUG_MIDDLE_BIT // bit 5 of a threshold is not compared
    threshold[5] = 0;
`endif
`ifdef BUG_HIGH_BIT // the highest bit of a threshold is not compared
    threshold[11] = 0;
`endif
`ifdef BUG_BYTE // "less" compares eight bits of a threshold
    if (comparison == 3) threshold[11:8] = 0;
`endif
`ifdef BUG_FROM_16 // the low four bits of a threshold from 16 to 31 are not compared
    if (threshold[11:4] == 1) {vb[3:0], threshold[3:0]} = 0;
`endif
    case (comparison)
      0:       meets = vb != threshold;
      1:       meets = vb == threshold;
      2:       meets = vb >= threshold;
      default: meets = vb < threshold;
    endcase
  endfunction

  // ---- Count ----
  logic [11:0]  vb;
  logic [N-1:0] wraps;
  logic [31:0]  sum [N];
  logic [31:0]  add;
  always_comb begin
    wraps = 0;
    for (int n = 0; n < N; n++) begin
      case (number[n])
        16'h0000: vb = 12'(writes && addr == 8'h06 && wdata[n]);
        16'h0008: vb = 12'(retired);
        16'h0004: vb = 12'(cached);
        16'h0011: vb = 1;
        16'h001E: vb = 12'(n % 2 == 1 && wraps[n ^ 1]);
        default:  vb = 0;
      endcase
      add = 0;
`ifdef BUG_ADDS // where a threshold is met the count is added, also if TC says 1
      if (on && enabled[n] && meets(tc[n][2:1], vb, th[n])) add = 32'(vb);
`else
      if (on && enabled[n] && meets(tc[n][2:1], vb, th[n])) add = tc[n][0] ? 1 : 32'(vb);
`endif
      {wraps[n], sum[n]} = 33'(count[n]) + 33'(add);
    end
  end

  wire        ticks = on && enabled[31];
  wire        cycles_wrap = ticks && (long_cycles ? &cycles : &cycles[31:0]);
  wire [31:0] raised = {cycles_wrap, 31'(wraps)};

  // ---- Write ----
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      {on, long_cycles, enabled, interrupting, wrapped, cycles} <= '0;
      for (int n = 0; n < N; n++) {count[n], tc[n], th[n], number[n]} <= '0;
    end else begin
      cycles <= cycles + 64'(ticks);
      wrapped <= wrapped | raised;
      for (int n = 0; n < N; n++) count[n] <= sum[n];
      if (writes) begin
        case (addr)
          8'h00: begin
            on <= wdata[0];
            long_cycles <= wdata[6];
            if (wdata[2]) cycles <= 0;
          end
          8'h01: enabled <= enabled | wdata[31:0] & Present;
          8'h02: enabled <= enabled & ~wdata[31:0];
          8'h03: wrapped <= wrapped & ~wdata[31:0] | raised;
          8'h04: interrupting <= interrupting | wdata[31:0] & Present;
          8'h05: interrupting <= interrupting & ~wdata[31:0];
          8'h07: wrapped <= wrapped | raised | wdata[31:0] & Present;
          8'h08: cycles <= wdata;
          default: ;
        endcase
        for (int n = 0; n < N; n++) begin
          if (addr == 8'h00 && wdata[1]) count[n] <= 0;
          if (addr == 8'h10 + 8'(n)) count[n] <= wdata[31:0];
          if (addr == 8'h20 + 8'(n)) begin
            tc[n] <= wdata[63:61];
            th[n] <= wdata[43:32];
            number[n] <= wdata[15:0];
          end
        end
      end
    end

  assign irq = on && |(wrapped & interrupting);

  // ---- Read ----
  always_ff @(posedge clk)
    case (addr)
      8'h00:        rdata <= {48'b0, 5'(N), 4'b0, long_cycles, 5'b0, on};
      8'h01, 8'h02: rdata <= 64'(enabled);
      8'h03, 8'h07: rdata <= 64'(wrapped);
      8'h04, 8'h05: rdata <= 64'(interrupting);
      8'h08:        rdata <= cycles;
      8'h10, 8'h11: rdata <= 64'(count[addr[0]]);
      8'h20, 8'h21: rdata <= {tc[addr[0]], 17'b0, th[addr[0]], 16'b0, number[addr[0]]};
      default:      rdata <= 0;
    endcase
endmodule
