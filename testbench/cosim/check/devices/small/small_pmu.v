// A small PMU: N (six) counters of 32 bits, a 64-bit cycle counter, a CSR port of 32 bits.
// Event wires go through two flip-flops; the overflow flag, the interrupt and the
// read data come a clock late. No filters, no privilege levels.
//
// Each BUG_ macro plants one mistake; the comment after the macro says which. SKEW is no
// mistake but one more stage of the events than small.pmu declares.
module small_pmu #(
  parameter N = 6
) (
  input  wire        clk,
  input  wire        rst_n,
  input  wire [1:0]  ev_retired,
  input  wire        ev_mispredict,
  input  wire        ev_dcache,
  input  wire [3:0]  ev_stall_slot,
  input  wire        ev_irq_taken,
  input  wire        csr_req,
  input  wire        csr_we,
  input  wire [7:0]  csr_addr,
  input  wire [31:0] csr_wdata,
  output reg  [31:0] csr_rdata,
  output reg         irq
);
  // ---------------------------------------------------------------- bus decode
`ifdef BUG_WAKE // the first write after 128 clocks without an access is lost
  reg  [7:0]  slept_q;
  always @(posedge clk or negedge rst_n)
    slept_q <= !rst_n || csr_req ? 8'd0 : slept_q + 8'(!slept_q[7]);
  wire        wr        = csr_req & csr_we & ~slept_q[7];
`else
  wire        wr        = csr_req & csr_we;
`endif
  wire        wr_pmcr   = wr & (csr_addr == 8'h00);
  wire        wr_enset  = wr & (csr_addr == 8'h04);
  wire        wr_enclr  = wr & (csr_addr == 8'h08);
`ifdef BUG_READ_ACTS // a read of PMOVSCLR clears what the data of the bus say
  wire        wr_ovclr  = csr_req & (csr_addr == 8'h0C);
`else
  wire        wr_ovclr  = wr & (csr_addr == 8'h0C);
`endif
  wire        wr_inset  = wr & (csr_addr == 8'h10);
  wire        wr_inclr  = wr & (csr_addr == 8'h14);
`ifdef BUG_READ_COUNTS // a read of PMSWINC, which has nothing to read, is a software increment
  wire        wr_swinc  = csr_req & (csr_addr == 8'h18);
`else
  wire        wr_swinc  = wr & (csr_addr == 8'h18);
`endif
  wire        wr_ovset  = wr & (csr_addr == 8'h1C);
  wire        wr_cyclo  = wr & (csr_addr == 8'hC0);
  wire        wr_cychi  = wr & (csr_addr == 8'hC4);
  wire [2:0]  bank      = csr_addr[4:2];
  wire        wr_cnt    = wr & (csr_addr[7:5] == 3'b010);
  wire        wr_typ    = wr & (csr_addr[7:5] == 3'b100);
  // ---------------------------------------------------------------- state
  reg         en, lc;
  reg  [31:0] cnten, inten, flags;
  reg  [31:0] cnt [0:N-1];
  reg  [15:0] typ [0:N-1];
  reg  [63:0] cyc;
  reg  [31:0] wrap_q;             // wrapped in the last clock: becomes a flag now
  // ---------------------------------------------------------------- events
  reg  [8:0]  ev_q1, ev_q2;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      ev_q1 <= 9'b0;
      ev_q2 <= 9'b0;
    end else begin
      ev_q1 <= {ev_irq_taken, ev_stall_slot, ev_dcache, ev_mispredict, ev_retired};
`ifdef BUG_STAGE // an event counts a stage early for the enable that qualifies it
      ev_q2 <= {ev_irq_taken, ev_stall_slot, ev_dcache, ev_mispredict, ev_retired};
`else
      ev_q2 <= ev_q1;
`endif
    end
`ifdef SKEW
  reg  [8:0]  ev;
  always @(posedge clk or negedge rst_n) ev <= !rst_n ? 9'b0 : ev_q2;
`else
  wire [8:0]  ev = ev_q2;
`endif
`ifdef BUG_SLEEP // after 256 clocks without an access events do not count
  reg  [8:0] idle_q;
  always @(posedge clk or negedge rst_n) idle_q <= !rst_n || csr_req ? 9'd0 : idle_q + 9'(!idle_q[8]);
  wire       awake = ~idle_q[8];
`else
  wire       awake = 1'b1;
`endif
`ifdef BUG_STALL // an event does not count after 16 clocks in a row
  reg  [4:0] run_q;
  always @(posedge clk or negedge rst_n) run_q <= !rst_n || !ev[3] ? 5'd0 : run_q + 5'(!run_q[4]);
  wire       dcache = ev[3] & ~run_q[4];
`else
  wire       dcache = ev[3];
`endif
  reg [3:0] lost_q;
  always @(posedge clk or negedge rst_n) lost_q <= !rst_n ? 4'd0 : lost_q + 4'(ev[1:0] == 2'd3);

  reg  [31:0] add  [0:N-1];
  reg  [32:0] sum  [0:N-1];
  reg  [N-1:0] wrap;
  reg  [15:0] sel;
  integer i;
`ifdef BUG_TYPE // a counter whose new event does not exist goes on with the old one
  reg  [15:0] last [0:N-1];
  integer m;
  always @(posedge clk)
    for (m = 0; m < N; m = m + 1) if (typ[m] <= 16'h0086) last[m] <= typ[m];
`endif
  always @* begin
    for (i = 0; i < N; i = i + 1) begin
      sel = typ[i];
`ifdef BUG_TYPE
      if (typ[i] > 16'h0086) sel = last[i];
`endif
      case (sel)
        16'h0000: add[i] = {31'b0, wr_swinc & csr_wdata[i]};
        16'h0008: add[i] = {30'b0, ev[1:0]};
        16'h0010: add[i] = {31'b0, ev[2]};
        16'h0004: add[i] = {31'b0, dcache};
        16'h003F: add[i] = {28'b0, ev[7:4]};
        16'h0086: add[i] = {31'b0, ev[8]};
        16'h0011: add[i] = 32'd1;
`ifdef BUG_CHAIN // an even counter, too, counts CHAIN
        16'h001E: add[i] = (i > 0) ? {31'b0, wrap[(i + N - 1) % N]} : 32'd0;
`else
        16'h001E: add[i] = (i % 2 == 1) ? {31'b0, wrap[i-1]} : 32'd0;
`endif
`ifdef BUG_NINE_BITS // the decoder of one event looks at too few bits: 0x0286 counts as 0x0086
        16'h0286: add[i] = {31'b0, ev[8]};
`endif
        default:  add[i] = 32'd0;
      endcase
`ifdef BUG_DROP // one of two or three occurrences is lost now and then
      if (lost_q == 4'd7 && typ[i] == 16'h0008 && ev[1:0] == 2'd3) add[i] = 32'd2;
`endif
      if (!(en & cnten[i] & awake)) add[i] = 32'd0;
      sum[i]  = {1'b0, cnt[i]} + {1'b0, add[i]};
`ifdef BUG_SKIP // an overflow by an increment of more than one from below the last value is missed
      wrap[i] = (&cnt[i]) & (|add[i]);
`else
      wrap[i] = sum[i][32];
`endif
    end
  end
  // ---------------------------------------------------------------- counters
  integer k;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) for (k = 0; k < N; k = k + 1) begin
      cnt[k] <= 32'b0;
      typ[k] <= 16'b0;
    end else begin
      for (k = 0; k < N; k = k + 1) begin
        cnt[k] <= sum[k][31:0];
        if (wr_pmcr & csr_wdata[1]) cnt[k] <= 32'b0;
      end
      if (wr_cnt && bank < N) cnt[bank] <= csr_wdata;
      if (wr_typ && bank < N) typ[bank] <= csr_wdata[15:0];
`ifdef BUG_TEN_BITS // an event's number has ten bits
      if (wr_typ && bank < N) typ[bank] <= {6'b0, csr_wdata[9:0]};
`endif
    end

`ifdef BUG_STOPS // the cycle counter stops 8192 cycles after it was written
  reg  [13:0] age_q;
  wire        cyc_on   = en & cnten[31] & ~age_q[13];
  always @(posedge clk or negedge rst_n)
    if (!rst_n)                                            age_q <= 14'd0;
    else if (wr_cyclo | wr_cychi | (wr_pmcr & csr_wdata[2])) age_q <= 14'd0;
    else                                                   age_q <= age_q + 14'(cyc_on);
`else
  wire        cyc_on   = en & cnten[31];
`endif
`ifdef BUG_SPLIT // the upper half of the adder looks at one bit too many, so bit 20 is never 1
  wire [63:0] cyc_next = {cyc[63:20] + 44'(cyc_on & (&cyc[20:0])), cyc[19:0] + 20'(cyc_on)};
`else
  wire [63:0] cyc_next = cyc + {63'b0, cyc_on};
`endif
`ifdef BUG_ALL_ONES // the comparison of the cycle counter with all ones lacks bit 50
  wire [63:0] ones     = {cyc[63:51], 1'b1, cyc[49:0]};
`else
  wire [63:0] ones     = cyc;
`endif
`ifdef BUG_LC // PMCR.LC does nothing
  wire        cyc_wrap = cyc_on & (&cyc[31:0]);
`else
  wire        cyc_wrap = cyc_on & (lc ? &ones : &cyc[31:0]);
`endif
  always @(posedge clk or negedge rst_n)
    if (!rst_n) cyc <= 64'b0;
    else if (wr_pmcr & csr_wdata[2]) cyc <= 64'b0;
`ifdef BUG_CARRY // a write of the low half loses the carry
    else if (wr_cyclo) cyc <= {cyc[63:32], csr_wdata};
`else
    else if (wr_cyclo) cyc <= {cyc_next[63:32], csr_wdata};
`endif
    else if (wr_cychi) cyc <= {csr_wdata, cyc_next[31:0]};
`ifdef BUG_COPY // a cycle counter that is not enabled takes the value of another counter
    else if (en & ~cnten[31]) cyc <= {32'b0, cnt[0]};
`endif
    else cyc <= cyc_next;
  // ---------------------------------------------------------------- control
  wire [31:0] have = {1'b1, {31-N{1'b0}}, {N{1'b1}}};
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin
`ifdef BUG_NO_RESET // a reset leaves PMCR.E as it was
`else
      en     <= 1'b0;
`endif
      lc     <= 1'b0;
      cnten  <= 32'b0;
      inten  <= 32'b0;
      flags  <= 32'b0;
      wrap_q <= 32'b0;
    end else begin
      if (wr_pmcr) begin
        en <= csr_wdata[0];
        lc <= csr_wdata[6];
      end
      if (wr_enset) cnten <= cnten | (csr_wdata & have);
      if (wr_enclr) cnten <= cnten & ~csr_wdata;
      if (wr_inset) inten <= inten | (csr_wdata & have);
      if (wr_inclr) inten <= inten & ~csr_wdata;
      wrap_q <= {cyc_wrap, {31-N{1'b0}}, wrap};
`ifdef BUG_CLEAR // a flag that rises while it is cleared is lost
      flags  <= (flags | wrap_q | ((wr_ovset) ? csr_wdata & have : 32'b0)) & ~(wr_ovclr ? csr_wdata : 32'b0);
`else
      flags  <= (flags & ~(wr_ovclr ? csr_wdata : 32'b0)) | wrap_q | (wr_ovset ? csr_wdata & have : 32'b0);
`endif
    end
`ifdef BUG_IRQ // the interrupt does not look at the cycle counter, nor at PMCR.E
  always @(posedge clk or negedge rst_n) irq <= rst_n & |(flags[N-1:0] & inten[N-1:0]);
`else
  always @(posedge clk or negedge rst_n) irq <= rst_n & en & |(flags & inten);
`endif
  // ---------------------------------------------------------------- read
  always @(posedge clk)
    casez (csr_addr)
      8'h00:        csr_rdata <= {16'b0, N[4:0], 4'b0, lc, 5'b0, en};
      8'h04, 8'h08: csr_rdata <= cnten;
      8'h0C, 8'h1C: csr_rdata <= flags;
      8'h10, 8'h14: csr_rdata <= inten;
      8'b010?_????: csr_rdata <= bank < N ? cnt[bank] : 32'b0;
      8'b100?_????: csr_rdata <= bank < N ? {16'b0, typ[bank]} : 32'b0;
      8'hC0:        csr_rdata <= cyc[31:0];
      8'hC4:        csr_rdata <= cyc[63:32];
      default:      csr_rdata <= 32'b0;
    endcase
endmodule
