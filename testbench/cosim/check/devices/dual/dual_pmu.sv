// The PMUs of a core with two threads: four event counters and a cycle counter of 64 bits for each
// thread. What the core does in a clock (events, Exception levels, whether its clock runs) goes
// through one register. A counter with MT set counts what both threads do. Each thread has a port
// of its own; reads are pipelined and answer two clocks later. The interrupt has no register.
//
// Each BUG_ macro plants one mistake; the comment after the macro says which.

package Dual;
  localparam int Counters = 4;

  // What a thread did in a clock.
  typedef struct packed {
    bit [1:0] retired;
    bit       mispredicted;
    bit [1:0] cached;
    bit       excepted;
    bit       kernel;  // the thread is at EL1, not at EL0
  } Activity;

  // What a counter counts.
  typedef struct packed {
    bit        notKernel, notUser;
    bit        both;
    bit [15:0] number;
  } Selection;

  typedef struct packed {
    bit        go, store;
    bit [4:0]  where;
    bit [63:0] what;
  } Access;

  typedef struct packed {
    bit                              on, longCycles, longEvents;
    bit [31:0]                       enabled, interrupting, wrapped;
    bit [Counters-1:0][63:0]         count;
    bit [63:0]                       cycles;
    Selection [Counters-1:0]         selection;
    bit                              cyclesNotKernel, cyclesNotUser;
    bit [1:0]                        answering;
    bit [1:0][63:0]                  answer;
  } State;

  localparam bit [31:0] Present = 32'h8000000F;

  function automatic bit hidden(bit notKernel, bit notUser, Activity activity);
    return activity.kernel ? notKernel : notUser;
  endfunction

  // How often the selected event occurred in a thread, where the counter may see it.
  function automatic bit [2:0] occurred(Selection selection, Activity activity);
    if (hidden(selection.notKernel, selection.notUser, activity)) return 0;
    case (selection.number)
      16'h0008: return 3'(activity.retired);
      16'h0010: return 3'(activity.mispredicted);
      16'h0004: return 3'(activity.cached);
      16'h0009: return 3'(activity.excepted);
      default:  return 0;
    endcase
  endfunction

  function automatic bit [63:0] read(State s, bit [4:0] where);
    casez (where)
      5'h00:        return 64'({5'(Counters), 3'b0, s.longEvents, s.longCycles, 5'b0, s.on});
      5'h01, 5'h02: return 64'(s.enabled);
      5'h03, 5'h04: return 64'(s.wrapped);
      5'h05, 5'h06: return 64'(s.interrupting);
`ifdef BUG_HALF_READ // the upper half of the cycle counter is lost on its way to the port
      5'h07:        return 64'(s.cycles[31:0]);
`else
      5'h07:        return s.cycles;
`endif
      5'h08:        return {32'b0, s.cyclesNotKernel, s.cyclesNotUser, 30'b0};
      5'b100??:     return s.count[where[1:0]];
      5'b110??: begin
        Selection selection = s.selection[where[1:0]];
        return {32'b0, selection.notKernel, selection.notUser, 4'b0, selection.both, 9'b0,
                selection.number};
      end
      default:      return 0;
    endcase
  endfunction
endpackage

module DualThread import Dual::*; (
  input  bit        clk, nreset,
  input  bit        ran,           // the core's clock ran
  input  Activity   own, other,
  input  bit        otherLong,     // of the sibling, for a mistake
  input  bit [31:0] otherEnables,  // likewise
  input  Access     access,
  output bit        long,
  output bit [31:0] enables,
  output bit        valid,
  output bit [63:0] result,
  output bit        interrupt
);
  State now, next;
  bit [31:0] enabledBefore;
  bit [3:0]  stopped;  // clocks since the core's clock ran, up to 8

  always_comb begin : clockwork
    automatic bit [Counters-1:0] wraps32 = 0;
    automatic bit [31:0] raised = 0;
    next = now;

    // ---- Count ----
    for (int n = 0; n < Counters; n++) begin
      automatic Selection selection = now.selection[n];
      automatic Activity its = other;
      automatic bit [2:0] mine = occurred(selection, own), add;
      automatic bit [2:0] theirs;
      automatic bit sees = !hidden(selection.notKernel, selection.notUser, own);
      automatic bit wraps64, counts;
      automatic bit [32:0] low;
      automatic bit long64 = now.longEvents;
`ifdef BUG_OWN_LEVEL // the counting thread's Exception level filters the sibling's events
      its.kernel = own.kernel;
`endif
      theirs = selection.both ? occurred(selection, its) : 3'b0;
      add = mine + theirs;
`ifdef BUG_ONE_THREAD // when both threads have the event in a clock, only the own one counts
      if (mine != 0) add = mine;
`endif
      if (selection.number == 16'h0011)
        add = 3'(sees || selection.both && !hidden(selection.notKernel, selection.notUser, other));
      if (selection.number == 16'h001E)
        add = 3'(n % 2 == 1 && sees && !now.longEvents && wraps32[n - n % 2]);
      counts = ran && now.on && now.enabled[n];
`ifdef BUG_UNGATED // an event that occurs while the core's clock is stopped counts
      counts = (ran || selection.number != 16'h0011) && now.on && now.enabled[n];
`endif
`ifdef BUG_LATE_WAKE // the first clock after eight or more without the core's clock is lost
      counts = ran && !stopped[3] && now.on && now.enabled[n];
`endif
`ifdef BUG_ONCE_MORE // a counter counts once more after it was disabled
      counts = ran && now.on && (now.enabled[n] || enabledBefore[n]);
`endif
`ifdef BUG_ONE_FEWER // the last counter does not count
      if (n == Counters - 1) counts = 0;
`endif
      if (!counts) add = 0;
      low = {1'b0, now.count[n][31:0]} + 33'(add);
      {wraps64, next.count[n]} = {1'b0, now.count[n]} + 65'(add);
      wraps32[n] = low[32];
`ifdef BUG_SIBLING_LONG // the sibling's PMCR.LP says which overflow sets the flag
      long64 = otherLong;
`endif
      raised[n] = long64 ? wraps64 : wraps32[n];
    end

    // ---- Cycles ----
    begin
      automatic bit counts = ran && now.on && now.enabled[31];
      automatic bit wraps64;
`ifdef BUG_IDLE_CYCLES // the cycle counter counts while the core's clock is stopped, too
      counts = now.on && now.enabled[31];
`endif
`ifdef BUG_NOT_INHIBITED // the cycle counter does not look at its enable
      counts = ran && now.on;
`endif
      if (hidden(now.cyclesNotKernel, now.cyclesNotUser, own)) counts = 0;
      {wraps64, next.cycles} = {1'b0, now.cycles} + 65'(counts);
      raised[31] = now.longCycles ? wraps64 : counts && &now.cycles[31:0];
    end

    // ---- Write ----
`ifdef BUG_GATED_WRITE // a write is lost while the core's clock is stopped
    if (access.go && access.store && ran)
`else
    if (access.go && access.store)
`endif
      casez (access.where)
        5'h00: begin
          next.on = access.what[0];
          next.longCycles = access.what[6];
          next.longEvents = access.what[7];
          if (access.what[1]) next.count = 0;
          if (access.what[2]) next.cycles = 0;
`ifdef BUG_RESET_FLAGS // PMCR.P clears the overflow flags of the counters, too
          if (access.what[1]) next.wrapped &= 32'h80000000;
`endif
        end
        5'h01: next.enabled |= access.what[31:0] & Present;
        5'h02: next.enabled &= ~access.what[31:0];
        5'h03: next.wrapped &= ~access.what[31:0];
        5'h04: next.wrapped |= access.what[31:0] & Present;
        5'h05: next.interrupting |= access.what[31:0] & Present;
        5'h06: next.interrupting &= ~access.what[31:0];
`ifdef BUG_PLUS_ONE // the cycle counter becomes one more than what is written
        5'h07: next.cycles = access.what + 1;
`else
        5'h07: next.cycles = access.what;
`endif
        5'h08: {next.cyclesNotKernel, next.cyclesNotUser} = access.what[31:30];
        5'b100??: next.count[access.where[1:0]] = access.what;
        5'b110??: next.selection[access.where[1:0]] =
            '{access.what[31], access.what[30], access.what[25], access.what[15:0]};
        default: ;
      endcase
    next.wrapped |= raised;

    // ---- Read ----
    next.answering = {now.answering[0], access.go && !access.store};
    next.answer = {now.answer[0], read(now, access.where)};
`ifdef BUG_ONE_ANSWER // a read right behind another one spoils its answer
    if (access.go && !access.store) next.answer[1] = next.answer[0];
`endif
  end

  always_ff @(posedge clk or negedge nreset)
    if (!nreset) now <= '0;
    else now <= next;
  always_ff @(posedge clk or negedge nreset)
    if (!nreset) enabledBefore <= '0;
    else if (ran) enabledBefore <= now.enabled;
  always_ff @(posedge clk or negedge nreset)
    if (!nreset) stopped <= '0;
    else if (ran) stopped <= '0;
    else if (!stopped[3]) stopped <= stopped + 1;

  assign long    = now.longEvents;
  assign enables = now.interrupting;
  assign valid   = now.answering[1];
`ifdef BUG_LATE_ADDRESS // a read takes the address of the clock after its request
  State      was;
  bit [63:0] late;
  always_ff @(posedge clk or negedge nreset)
    if (!nreset) begin
      was  <= '0;
      late <= '0;
    end else begin
      was  <= now;
      late <= read(was, access.where);
    end
  assign result  = late;
`else
  assign result  = now.answer[1];
`endif
`ifdef BUG_SIBLING_ENABLE // the interrupt looks at the sibling's PMINTENSET
  assign interrupt = now.on && |(now.wrapped & otherEnables);
`else
  assign interrupt = now.on && |(now.wrapped & now.interrupting);
`endif

  // Probes.
  wire [Counters-1:0][63:0] probeCount   = now.count;
  wire [63:0]               probeCycles  = now.cycles;
  wire [31:0]               probeWrapped = now.wrapped;
endmodule

module DualPmu import Dual::*; (
  input  bit              clk, nreset,
  input  bit              running,
  input  Activity [1:0]   did,
  input  bit [1:0]        go, store,
  input  bit [1:0][4:0]   where,
  input  bit [1:0][63:0]  what,
  output bit [1:0]        valid,
  output bit [1:0][63:0]  result,
  output bit [1:0]        interrupt
);
  bit            ran;
  Activity [1:0] done, seen;
  always_ff @(posedge clk or negedge nreset)
    if (!nreset) {ran, done} <= '0;
    else {ran, done} <= {running, did};

  bit [1:0]       long;
  bit [1:0][31:0] enables;
`ifdef BUG_BOTH_MOVE // thread 1's change of level is a clock late if thread 0's level changes, too
  bit [1:0] level;
  always_ff @(posedge clk or negedge nreset)
    if (!nreset) level <= '0;
    else begin
      level[0] <= did[0].kernel;
      if (did[0].kernel == level[0]) level[1] <= did[1].kernel;
    end
`endif
  for (genvar t = 0; t < 2; t++) begin : thread
    always_comb begin
      seen[t] = done[t];
`ifdef BUG_BOTH_MOVE
      seen[t].kernel = level[t];
`endif
`ifdef BUG_NEXT_LEVEL // events are filtered by the Exception level of the clock after them
      seen[t].kernel = did[t].kernel;
`endif
    end
    DualThread pmu (
      .clk, .nreset, .ran,
      .own(seen[t]), .other(seen[1 - t]),
      .otherLong(long[1 - t]), .otherEnables(enables[1 - t]),
      .access('{go[t], store[t], where[t], what[t]}),
      .long(long[t]), .enables(enables[t]),
      .valid(valid[t]), .result(result[t]), .interrupt(interrupt[t])
    );
  end
endmodule
