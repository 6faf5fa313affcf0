// Attribution: VB, the sum of a counter's event in this cycle, over the threads and origins that
// may count (D13.4, D13.6).
//
//   owns  software increments that wait for a Processor cycle
//
// Timing: combinational from this cycle's occurrences to vb_o. Software increments that are written
// between Processor cycles wait here. The next Processor cycle consumes them, whether they count or
// not.
`default_nettype none

module pmuv3_attribution #(
  parameter int unsigned NumThreads = 1,
  parameter int unsigned Thread     = 0,  // the counting thread
  parameter int unsigned ValueWidth = 12  // of a value in one cycle, see pmuv3
) (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic cycle_i,

  // The counter
  input wire pmuv3_pkg::event_index_t event_i,  // the selected event
  input wire logic [2:0]        class_i,  // of the event
  input wire logic              mt_i,     // Effective MT
  input wire logic              running_i,
  input wire logic              chain_i,  // CHAIN from counter n-1, in this cycle

  // The threads that the counter may count (pmuv3_filter)
  input wire logic [NumThreads-1:0] eligible_i,
  input wire logic [NumThreads-1:0] counts_current_i,
  input wire logic [NumThreads-1:0] counts_other_i,
  input wire logic [NumThreads-1:0] counts_unattributable_i,

  // Occurrences in this cycle on each thread: of the event, and of STALL_BACKEND
  input wire logic [pmuv3_pkg::OccurrenceWidth*NumThreads-1:0] occurrence_i,
  input wire logic [NumThreads-1:0] stall_backend_i,
  input wire logic                  active_i,  // the counting thread
  input wire logic [NumThreads-1:0] wfx_i,
  input wire logic [7:0]            slots_i,   // Slots of a cycle

  // Choices: K-STALL-CYCLES is cpu_cycles, K-CHAIN-FILTER is ignore
  input wire logic stall_cycles_i,
  input wire logic chain_anywhere_i,

  // Software increments: the counting thread's, and those that wait for each thread's counter n
  input wire logic                    swinc_i,  // a write to PMSWINC selects this counter
  output logic [8:0]                  pending_o,
  input wire logic [9*NumThreads-1:0] pending_i,
  input wire logic [NumThreads-1:0]   captured_i,  // each thread's PMU_SNAPSHOT

  output logic                  allowed_o,  // counting is allowed
  output logic [ValueWidth-1:0] vb_o
);

  // At most 255 increments wait, and further increments are lost. An increment of this clock is
  // added to the waiting increments.
  logic [7:0] pending_q;
  assign pending_o = {1'b0, pending_q} + {8'd0, swinc_i};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= 8'd0;
    end else if (cycle_i) begin
      pending_q <= 8'd0;
    end else if (!pending_o[8]) begin
      pending_q <= pending_o[7:0];
    end
  end

  // D14.4-f: a cycle in which all threads are in WFx does not count.
  logic any_awake;
  assign any_awake = |(eligible_i & ~wfx_i);

  // D14.4-a: the cycles that CPU_CYCLES counts with MT = 0. Stalls and Slots may keep to them.
  logic ticking, stall_may;
  assign ticking   = active_i && !wfx_i[Thread];
  assign stall_may = mt_i || ticking || !stall_cycles_i;

  // Each thread's occurrences in the current state, as a number and as a condition.
  logic [8*NumThreads-1:0] current;
  logic [NumThreads-1:0]   condition;
  for (genvar b = 0; b < NumThreads; b++) begin : g_current
    assign current[8*b+:8] = occurrence_i[pmuv3_pkg::OccurrenceWidth*b+:8];
    assign condition[b]    = current[8*b];
  end

  logic [ValueWidth-1:0] count;
  logic [2:0]            further;  // number of eligible threads, less one
  always_comb begin
    count   = '0;
    further = 3'd0;
    unique case (class_i)
      // D13.6-1: the sum over the threads.
      pmuv3_pkg::EventClassCount: begin
        for (int unsigned b = 0; b < NumThreads; b++) begin
          if (b == Thread || mt_i) begin
            if (counts_current_i[b]) begin
              count += ValueWidth'(occurrence_i[pmuv3_pkg::OccurrenceWidth*b+:8]);
            end
            if (counts_other_i[b]) begin
              count += ValueWidth'(occurrence_i[pmuv3_pkg::OccurrenceWidth*b+8+:8]);
            end
            if (counts_unattributable_i[b]) begin
              count += ValueWidth'(occurrence_i[pmuv3_pkg::OccurrenceWidth*b+16+:8]);
            end
          end
        end
      end
      // D14.4-d: a stall condition must hold on every thread.
      pmuv3_pkg::EventClassStall: begin
        if (mt_i) count[0] = any_awake && &(condition | ~eligible_i);
        else      count[0] = eligible_i[Thread] && condition[Thread] && stall_may;
      end
      // D14.4-d: every thread stalls, and the second condition holds on any thread.
      pmuv3_pkg::EventClassSecond: begin
        if (mt_i) count[0] = any_awake && &(stall_backend_i | ~eligible_i)
                             && |(condition & eligible_i);
        else      count[0] = eligible_i[Thread] && condition[Thread] && stall_may;
      end
      // D14.4-e: another condition must hold on any thread.
      pmuv3_pkg::EventClassCondition: begin
        if (mt_i) count[0] = any_awake && |(condition & eligible_i);
        else      count[0] = eligible_i[Thread] && condition[Thread];
      end
      // D14.4-f: Slots that no thread uses. Each thread reports the Slots that it does not use.
      pmuv3_pkg::EventClassSlots: begin
        for (int unsigned b = 0; b < NumThreads; b++) begin
          if (eligible_i[b] && stall_may) begin
            count   += ValueWidth'(current[8*b+:8]);
            further += 3'd1;
          end
        end
        if (further != 3'd0) further -= 3'd1;
        if (count > ValueWidth'(slots_i) * ValueWidth'(further)) begin
          count -= ValueWidth'(slots_i) * ValueWidth'(further);
        end else begin
          count = '0;
        end
      end
      // Events that the PMU makes itself.
      default: begin
        unique case (event_i)
          pmuv3_pkg::SelfSwIncr: begin
            for (int unsigned b = 0; b < NumThreads; b++) begin
              if (eligible_i[b]) count += ValueWidth'(pending_i[9*b+:9]);
            end
          end
          pmuv3_pkg::SelfSnapshot: begin
            for (int unsigned b = 0; b < NumThreads; b++) begin
              if (eligible_i[b]) count += ValueWidth'(captured_i[b]);
            end
          end
          // D14.4-a, D14.4-c
          pmuv3_pkg::SelfCpuCycles: begin
            if (mt_i) count[0] = any_awake;
            else      count[0] = eligible_i[Thread] && ticking;
          end
          // CYC-2: the even counter overflows in this same cycle.
          pmuv3_pkg::SelfChain: count[0] = chain_i && (eligible_i[Thread] || chain_anywhere_i);
          default: ;
        endcase
      end
    endcase
  end

  // C.5: counting is allowed in an eligible state, or if an occurrence counts.
  assign allowed_o = running_i && (|eligible_i || |count);
  assign vb_o      = running_i ? count : '0;

  // D13.10-2: occurrences that a debugger's operations cause never count.
  logic unused_debugger;
  assign unused_debugger = ^occurrence_i;

endmodule

`default_nettype wire
