// Cells of the miter that `pmuv3-check-glue miter` prints (docs/design/check.md, Proof).
`default_nettype none

// What was so L Processor cycles before: these flip-flops stop with the core's clock. A reset makes
// the delay forget.
module pmuv3_held #(
  parameter WIDTH = 1,
  parameter L = 1
) (
  input wire clk,
  input wire reset,
  input wire cycle,
  input wire [WIDTH-1:0] d,
  output wire [WIDTH-1:0] q
);
  generate
    if (L == 0) begin : g_none
      assign q = d;
    end else begin : g_some
      reg [WIDTH*L-1:0] stages;
      wire [WIDTH*(L+1)-1:0] next = {stages, d};
      always @(posedge clk)
        if (reset) stages <= 0;
        else if (cycle) stages <= next[WIDTH*L-1:0];
      assign q = stages[WIDTH*(L-1)+:WIDTH];
    end
  endgenerate
endmodule

// What was so L clocks before.
module pmuv3_delay #(
  parameter WIDTH = 1,
  parameter L = 1
) (
  input wire clk,
  input wire reset,
  input wire [WIDTH-1:0] d,
  output wire [WIDTH-1:0] q
);
  pmuv3_held #(WIDTH, L) held (clk, reset, 1'b1, d, q);
endmodule

// The driver of a port, which keeps the port's protocol. An access starts only when the one before
// it was taken, and QUIET more clocks have passed. With WAITS, a read must also have its answer.
module pmuv3_driver #(
  parameter APB = 0,
  parameter WAITS = 0,
  parameter QUIET = 0,
  parameter WIDTH = 1  // write, address and data
) (
  input wire clk,
  input wire reset,
  input wire start,
  input wire stray,             // of APB: PENABLE without PSEL, as in a transfer of another slave
  input wire [WIDTH-1:0] what,  // write is the highest bit
  input wire ready,
  input wire response,
  input wire cycle,    // a Processor cycle. The port may stop in other clocks: they do not count
  input wire hurries,  // an access that hangs does so within a few cycles
  output wire request,
  output wire enable,
  output wire [WIDTH-1:0] access,  // until it has its answer
  output wire [WIDTH-1:0] pins,    // during the request; without one they carry anything
  output wire accepted,
  output wire waits,  // a read, for its answer
  output reg [5:0] waited
);
  reg held_q, waits_q;
  reg [5:0] quiet_q;
  reg [WIDTH-1:0] access_q;
  assign waits    = waits_q || (WAITS && accepted && !access[WIDTH-1]);
  assign request  = !reset && (held_q || (start && !waits_q && quiet_q == 0));
  assign enable   = held_q || (APB && stray && !request);
  assign access   = held_q || waits_q ? access_q : what;
  assign pins     = held_q ? access_q : what;
  assign accepted = request && ready && (!APB || held_q);
  always @(posedge clk) begin
    held_q   <= request && !accepted;
    waits_q  <= !reset && waits && !response;
    access_q <= access;
    quiet_q  <= reset ? 0 : accepted ? QUIET : quiet_q != 0 ? quiet_q - 1 : 0;
    waited   <= reset || !(held_q || waits_q) ? 0 : &waited || !cycle ? waited
                : hurries ? {waited[4:0], 1'b1} : waited + 1;
  end
endmodule

// Which defect is planted into the miter's own model: what `any` says in the first clock, for ever.
module pmuv3_plant (
  input wire clk,
  input wire reset,
  input wire [15:0] any,
  output wire [15:0] plant
);
  reg is_chosen;
  reg [15:0] chosen;
  assign plant = reset ? 0 : is_chosen ? chosen : any;
  always @(posedge clk) begin
    is_chosen <= !reset;
    chosen    <= plant;
  end
endmodule

`default_nettype wire
