// A PMU behind APB4: eight event counters and a cycle counter of 64 bits. The low words are in one
// bank, the high words in another; the high bank takes a carry a clock after the low bank wrapped.
// A read takes two clocks of PENABLE, a write one. Events have one register; a flag rises a clock
// after its counter wrapped, the interrupt two clocks after the flag.
//
// Each BUG_ macro plants one mistake; the comment after the macro says which.
module banked_pmu (PCLK, PRESETn, PSEL, PENABLE, PWRITE, PADDR, PWDATA, PREADY, PRDATA, PSLVERR,
                   INST, REFILL, BUSACC, SPEC, VENDOR, PMUIRQ);
  input             PCLK, PRESETn;
  input             PSEL, PENABLE, PWRITE;
  input      [11:0] PADDR;
  input      [31:0] PWDATA;
  output            PREADY;
  output     [31:0] PRDATA;
  output            PSLVERR;
  input      [2:0]  INST;
  input             REFILL;
  input      [1:0]  BUSACC;
  input      [2:0]  SPEC;
  input             VENDOR;
  output            PMUIRQ;

  parameter COUNTERS = 8;
  parameter CYCLES   = COUNTERS;   // the row of the cycle counter in both banks

  // ---- APB --------------------------------------------------------------------------------
  reg         SECOND;              // the second clock of a read
  reg  [31:0] PRDATA;
`ifdef BUG_ANY_SLAVE // a write of another slave of the bus writes
  wire        SELECTED = 1'b1;
`else
  wire        SELECTED = PSEL;
`endif
  wire        READ  = PSEL & PENABLE & ~PWRITE & ~SECOND;
`ifdef BUG_UNSELECTED // a bus that selects nothing writes
  wire        WRITE = (PENABLE | ~PSEL) & PWRITE;
`else
  wire        WRITE = SELECTED & PENABLE & PWRITE;
`endif
  wire [3:0]  ROW   = PADDR[11:3] == 9'h01F ? CYCLES : {1'b0, PADDR[5:3]};
  wire        IS_COUNTER = PADDR[11:6] == 6'h00 | PADDR[11:3] == 9'h01F;
  wire        IS_TYPE    = PADDR[11:5] == 7'h20;
  assign PREADY  = PWRITE | SECOND;
  assign PSLVERR = 1'b0;

  always @(posedge PCLK)
    if (!PRESETn) SECOND <= 1'b0;
    else          SECOND <= READ;

  // ---- Storage ----------------------------------------------------------------------------
  reg  [31:0] BANK_LO [0:COUNTERS];
  reg  [31:0] BANK_HI [0:COUNTERS];
  reg  [COUNTERS:0] CARRY;         // the low word wrapped; the high word does not have it yet
  reg  [15:0] TYPE [0:COUNTERS-1];
  reg         E, LC, LP;
  reg  [31:0] ENABLE, INTEN, FLAGS, WRAPPED;
  localparam [31:0] PRESENT = 32'h800000FF;

  // ---- Events -----------------------------------------------------------------------------
  reg  [2:0]  INST_R, SPEC_R;
  reg  [1:0]  BUSACC_R;
  reg         REFILL_R, VENDOR_R;
  always @(posedge PCLK)
    if (!PRESETn) {INST_R, SPEC_R, BUSACC_R, REFILL_R, VENDOR_R} <= 10'd0;
    else          {INST_R, SPEC_R, BUSACC_R, REFILL_R, VENDOR_R} <=
                  {INST, SPEC, BUSACC, REFILL, VENDOR};

  // ---- One clock of all counters ----------------------------------------------------------
  reg  [31:0] LO   [0:COUNTERS];
  reg  [31:0] HI   [0:COUNTERS];
  reg  [COUNTERS:0] WRAP32, WRAP64, COUNTED;
  reg  [COUNTERS:0] GOING;         // counted in the last clock
  reg  [2:0]  STEP;
  reg         ON;
  integer     N;

  // What a function reads by itself does not wake `always @*`: the events are an argument.
  wire [9:0] EVENTS = {INST_R, REFILL_R, BUSACC_R, SPEC_R, VENDOR_R};
  function [2:0] occurred;
    input [15:0] number;
    input [9:0]  events;
    case (number)
      16'h0008: occurred = events[9:7];
      16'h0003: occurred = {2'b0, events[6]};
      16'h0019: occurred = {1'b0, events[5:4]};
      16'h001B: occurred = events[3:1];
      16'h00C4: occurred = {2'b0, events[0]};
      16'h0011: occurred = 3'd1;
      default:  occurred = 3'd0;
    endcase
  endfunction

  always @* begin
    for (N = 0; N <= COUNTERS; N = N + 1) begin
      ON = E & ENABLE[N == CYCLES ? 31 : N];
`ifdef BUG_STAYS_ON // PMCR.E = 0 does not stop a counter whose event occurs in each clock
      if (N != CYCLES && GOING[N] && ENABLE[N]) ON = 1'b1;
`endif
      if (N == CYCLES)                     STEP = 3'd1;
      else if (TYPE[N] == 16'h0000)        STEP = {2'b0, WRITE & PADDR == 12'hCA0 & PWDATA[N]};
      else if (TYPE[N] == 16'h001E)        STEP = {2'b0, N % 2 == 1 && !LP && WRAP32[N - 1]};
      else                                 STEP = occurred(TYPE[N], EVENTS);
`ifdef BUG_AT_MOST_ONE // several occurrences in a clock count once
      if (STEP > 3'd1) STEP = 3'd1;
`endif
      if (!ON) STEP = 3'd0;
      COUNTED[N] = STEP != 3'd0;
      HI[N] = BANK_HI[N] + {31'd0, CARRY[N]};
      {WRAP32[N], LO[N]} = {1'b0, BANK_LO[N]} + {30'd0, STEP};
      WRAP64[N] = WRAP32[N] & (&HI[N]);
`ifdef BUG_LONG_WRAP // an overflow of 64 bits sees one bit too few of the high word
      WRAP64[N] = WRAP32[N] & (&{HI[N][31:24], HI[N][22:0]});
`endif
`ifdef BUG_63_BITS // bit 63 of a counter does not exist
      HI[N] = HI[N] & 32'h7FFFFFFF;
`endif
    end
  end

  // ---- Probes, which no port carries --------------------------------------------------------
  wire [63:0] WHOLE [0:COUNTERS];
  genvar W;
  generate
    for (W = 0; W <= COUNTERS; W = W + 1) begin : PROBE
      assign WHOLE[W] = {BANK_HI[W] + {31'd0, CARRY[W]}, BANK_LO[W]};
    end
  endgenerate

  // ---- The banks --------------------------------------------------------------------------
  integer K;
  always @(posedge PCLK) begin
    for (K = 0; K <= COUNTERS; K = K + 1) begin
      BANK_LO[K] <= LO[K];
      BANK_HI[K] <= HI[K];
      CARRY[K]   <= WRAP32[K];
`ifdef BUG_CARRY_STAYS // the carry stays until the counter counts again
      if (!COUNTED[K]) CARRY[K] <= CARRY[K];
`endif
`ifdef BUG_LOW_ONLY // a count does not reach the high word
      if (K != CYCLES) CARRY[K] <= 1'b0;
`endif
`ifdef BUG_CLEARED // a counter is 0 after a clock without its event
      if (K != CYCLES && E && ENABLE[K] && !COUNTED[K]) BANK_LO[K] <= 32'd0;
`endif
      if (WRITE && PADDR == 12'hE04 && PWDATA[K == CYCLES ? 2 : 1]) begin
        BANK_LO[K] <= 32'd0;
        BANK_HI[K] <= 32'd0;
        CARRY[K]   <= 1'b0;
      end
    end
    if (WRITE && IS_COUNTER && !PADDR[2]) begin
      BANK_LO[ROW] <= PWDATA;
`ifdef BUG_SPLIT // a write of the low word takes the upper 56 bits plus one
      CARRY[ROW]   <= &BANK_LO[ROW][31:8];
`endif
    end
    if (WRITE && IS_COUNTER && PADDR[2]) begin
      BANK_HI[ROW] <= PWDATA;
      CARRY[ROW]   <= 1'b0;
    end
    GOING <= COUNTED;
    if (!PRESETn) begin
      for (K = 0; K <= COUNTERS; K = K + 1) begin
        BANK_LO[K] <= 32'd0;
        BANK_HI[K] <= 32'd0;
      end
      CARRY <= {COUNTERS + 1{1'b0}};
      GOING <= {COUNTERS + 1{1'b0}};
    end
  end

  // ---- Control ----------------------------------------------------------------------------
  integer J;
  wire [31:0] CLEAR = WRITE & PADDR == 12'hC80 ? PWDATA           : 32'd0;
  wire [31:0] SET   = WRITE & PADDR == 12'hCC0 ? PWDATA & PRESENT : 32'd0;
  always @(posedge PCLK) begin
    WRAPPED <= 32'd0;
    for (J = 0; J < COUNTERS; J = J + 1) WRAPPED[J] <= LP ? WRAP64[J] : WRAP32[J];
    WRAPPED[31] <= LC ? WRAP64[CYCLES] : WRAP32[CYCLES];
    FLAGS <= FLAGS & ~CLEAR | WRAPPED | SET;
`ifdef BUG_LOST // a flag that rises while the flags are written is lost
    if (WRITE & (PADDR == 12'hC80 | PADDR == 12'hCC0)) FLAGS <= FLAGS & ~CLEAR | SET;
`endif
    if (WRITE)
      case (PADDR)
        12'hC00: ENABLE <= ENABLE | PWDATA & PRESENT;
        12'hC20: ENABLE <= ENABLE & ~PWDATA;
        12'hC40: INTEN  <= INTEN | PWDATA & PRESENT;
        12'hC60: INTEN  <= INTEN & ~PWDATA;
        12'hE04: {LP, LC, E} <= {PWDATA[7:6], PWDATA[0]};
        default: if (IS_TYPE) TYPE[PADDR[4:2]] <= PWDATA[15:0];
      endcase
    if (!PRESETn) begin
      {LP, LC, E} <= 3'd0;
      {ENABLE, INTEN, FLAGS, WRAPPED} <= 128'd0;
      for (J = 0; J < COUNTERS; J = J + 1) TYPE[J] <= 16'd0;
    end
  end

  reg [1:0] IRQ;
  assign PMUIRQ = IRQ[1];
  always @(posedge PCLK)
    if (!PRESETn) IRQ <= 2'b00;
    else          IRQ <= {IRQ[0], E & |(FLAGS & INTEN)};

  // ---- Read -------------------------------------------------------------------------------
  reg  [31:0] FOUND;
  reg  [11:0] LAST;                // the address that the read buffer has
  always @* begin
    FOUND = 32'd0;
    case (PADDR)
      12'hC00, 12'hC20: FOUND = ENABLE;
      12'hC40, 12'hC60: FOUND = INTEN;
      12'hC80, 12'hCC0: FOUND = FLAGS;
      12'hE04:          FOUND = {16'd0, 5'd8, 3'd0, LP, LC, 5'd0, E};
      default:          if (IS_TYPE) FOUND = {16'd0, TYPE[PADDR[4:2]]};
    endcase
    if (IS_COUNTER) FOUND = PADDR[2] ? BANK_HI[ROW] + {31'd0, CARRY[ROW]} : BANK_LO[ROW];
`ifdef BUG_HIGH_IS_LOW // the high word of an event counter reads its low word
    if (IS_COUNTER && ROW != CYCLES) FOUND = BANK_LO[ROW];
`endif
`ifdef BUG_NEXT_HIGH // the high word reads that of the next counter
    if (IS_COUNTER && PADDR[2] && ROW != CYCLES)
      FOUND = BANK_HI[ROW + 1] + {31'd0, CARRY[ROW + 1]};
`endif
`ifdef BUG_BOUNDS // the address of a counter that does not exist reads another counter
    if (PADDR[11:6] == 6'h01) FOUND = BANK_LO[PADDR[5:3]];
`endif
  end

  always @(posedge PCLK)
    if (!PRESETn) begin
      PRDATA <= 32'd0;
      LAST   <= 12'hFFF;
    end else if (READ) begin
      PRDATA <= FOUND;
      LAST   <= PADDR;
`ifdef BUG_STALE // a read of the address that was read last takes the read buffer as it is
      if (PADDR == LAST) PRDATA <= PRDATA;
`endif
    end else if (WRITE)
      LAST   <= 12'hFFF;
endmodule
