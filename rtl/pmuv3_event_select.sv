// Event selection: the event that each counter of a thread counts, and its properties.
//
//   owns  the selected event, decoded, and its properties
//
// Timing: a write of PMEVTYPER compares evtCount with the numbers of all implemented events, at the
// clock edge. From then on the counter's event is an index, so a cycle compares no numbers.
//
// events_i is static. Tied to constants, each comparison is with a constant, and an event that is
// not implemented costs nothing. The comparisons are under a condition that is rare. A simulator
// skips them in all other clocks.
`default_nettype none

module pmuv3_event_select #(
  parameter int unsigned NumEvents = 1,
  parameter int unsigned Lanes     = 31
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic [pmuv3_pkg::EventWidth*NumEvents-1:0] events_i,  // event_t

  // A write: the counters whose PMEVTYPER<n>[31:0] it reaches, and their evtCount after it
  input wire logic [Lanes-1:0] write_i,
  input wire logic [15:0]      evt_count_i,

  output logic [8*Lanes-1:0] event_index_o,  // event_index_t
  output logic [3*Lanes-1:0] event_class_o,  // EventClass
  output logic [Lanes-1:0]   chain_o,        // the event is CHAIN
  output logic [Lanes-1:0]   sync_capable_o,
  output logic [Lanes-1:0]   memory_o,       // the attribution is MEMORY or SHARED
  output logic [Lanes-1:0]   shared_o,
  output logic [Lanes-1:0]   own_o,
  output logic [Lanes-1:0]   trace_o
);

  // The event of evtCount: its index, and its row without the number. A number that is not
  // implemented is an event that never occurs. At most one row has the number.
  localparam int unsigned PropertyWidth = pmuv3_pkg::EventWidth - 16;
  pmuv3_pkg::event_index_t  index;
  logic [PropertyWidth-1:0] properties;
  always_comb begin
    index      = pmuv3_pkg::SelfNone;
    properties = '0;  // class SELF, attribution CORE
    if (|write_i) begin
      unique case (evt_count_i)
        pmuv3_pkg::EventSwIncr: begin
          index = pmuv3_pkg::SelfSwIncr;
          properties[PropertyWidth-1] = 1'b1;  // sync
        end
        pmuv3_pkg::EventCpuCycles:   index = pmuv3_pkg::SelfCpuCycles;
        pmuv3_pkg::EventChain:       index = pmuv3_pkg::SelfChain;
        pmuv3_pkg::EventPmuSnapshot: index = pmuv3_pkg::SelfSnapshot;  // never occurs without SS
        default: begin
          for (int unsigned e = 0; e < NumEvents; e++) begin
            if (events_i[pmuv3_pkg::EventWidth*e+:16] == evt_count_i) begin
              index      = 8'(e);
              properties = events_i[pmuv3_pkg::EventWidth*e+16+:PropertyWidth];
            end
          end
        end
      endcase
    end
  end
  logic [2:0] event_class;
  logic [2:0] attribution;
  logic       sync_capable;
  assign {sync_capable, attribution, event_class} = properties;

  // An index has no more bits than the number of rows needs, or the events without a row.
  localparam int unsigned IndexWidth = NumEvents <= 8 ? 3 : $clog2(NumEvents);

  // fsm_encoding: neither is the state of a state machine. Yosys 0.23 takes class_q for one, and
  // dies when it extracts the machine.
  for (genvar n = 0; n < Lanes; n++) begin : g_event
    (* fsm_encoding = "none" *) logic [IndexWidth-1:0] index_q;
    (* fsm_encoding = "none" *) logic [2:0]            class_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        index_q <= pmuv3_pkg::SelfSwIncr[IndexWidth-1:0];
        class_q <= pmuv3_pkg::EventClassSelf;
      end else if (write_i[n]) begin
        index_q <= index[IndexWidth-1:0];
        class_q <= event_class;
      end
    end
    assign event_index_o[8*n+:8] = 8'(index_q);
    assign event_class_o[3*n+:3] = class_q;
  end

  // The value of a vector with a bit for each counter, after a write to some counters' bits.
  function automatic logic [Lanes-1:0] updated(input logic [Lanes-1:0] old,
                                           input logic [Lanes-1:0] at, input logic value);
    updated = (old & ~at) | (at & {Lanes{value}});
  endfunction

  logic [Lanes-1:0] chain_q, sync_capable_q, memory_q, shared_q, own_q, trace_q;
  logic             is_memory, is_shared, is_own, is_trace;
  assign is_memory = attribution == pmuv3_pkg::EventAttributionMemory;
  assign is_shared = attribution == pmuv3_pkg::EventAttributionShared;
  assign is_own    = attribution == pmuv3_pkg::EventAttributionOwn;
  assign is_trace  = attribution == pmuv3_pkg::EventAttributionTrace;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      chain_q        <= '0;
      sync_capable_q <= '1;  // SW_INCR supports synchronous mode
      memory_q       <= '0;
      shared_q       <= '0;
      own_q          <= '0;
      trace_q        <= '0;
    end else if (|write_i) begin
      chain_q        <= updated(chain_q, write_i, evt_count_i == pmuv3_pkg::EventChain);
      sync_capable_q <= updated(sync_capable_q, write_i, sync_capable);
      memory_q       <= updated(memory_q, write_i, is_memory || is_shared);
      shared_q       <= updated(shared_q, write_i, is_shared);
      own_q          <= updated(own_q, write_i, is_own);
      trace_q        <= updated(trace_q, write_i, is_trace);
    end
  end
  assign chain_o        = chain_q;
  assign sync_capable_o = sync_capable_q;
  assign memory_o       = memory_q;
  assign shared_o       = shared_q;
  assign own_o          = own_q;
  assign trace_o        = trace_q;

  logic unused_index;
  assign unused_index = ^index;

endmodule

`default_nettype wire
