// Exception: makes PMUIRQ, the trigger to the CTI, and the PMU Profiling exception from the
// overflow flags (D13.3).
//
// Timing: combinational, from registers and the thread's state in this clock. Stateless.
`default_nettype none

module pmuv3_exception #(
  parameter int unsigned Lanes = 31
) (
  input wire pmuv3_pkg::config_t cfg_i,

  // The thread
  input wire logic [1:0]  el_i,
  input wire logic        el2_enabled_i,
  input wire logic        tge_i,
  input wire logic        halted_i,
  input wire logic        pm_i,
  input wire logic [63:0] pmcr_i,
  input wire logic [63:0] mdcr_el2_i,
  input wire logic [63:0] mdcr_el3_i,
  input wire logic [63:0] pmecr_i,

  // Its counters
  input wire logic [Lanes-1:0] global_enable_i,     // of its range
  input wire logic [Lanes-1:0] overflow_i,          // PMOVS
  input wire logic [Lanes-1:0] interrupt_enable_i,  // PMINTEN
  input wire logic [Lanes-1:0] counter_enable_i,    // PMCNTEN
  input wire logic [Lanes-1:0] sync_i,              // PMEVTYPER.SYNC
  input wire logic [Lanes-1:0] sync_capable_i,      // the event can support synchronous mode
  input wire logic [1:0]       fixed_overflow_i,    // {F0, C}
  input wire logic [1:0]       fixed_interrupt_enable_i,
  input wire logic             instruction_enable_i,  // PMCNTEN.F0
  input wire logic             instruction_sync_i,    // PMICFILTR.SYNC

  output logic       enabled_o,  // the PMU Profiling exception is
  output logic       irq_o,      // PMUIRQ
  output logic       cti_o,
  output logic [3:0] exception_o  // {target Exception level, synchronous, asynchronous}
);

  localparam logic [1:0] PmeeInterrupt = 2'b00;
  localparam logic [1:0] PmeeDelegate = 2'b01;  // to the next lower of EL3, EL2 and EL1
  localparam logic [1:0] PmeeException = 2'b11;

  ////////////
  // Enable //
  ////////////

  // RSCBDZ: the highest Exception level that does not delegate decides. What is reserved, and that
  // PMECR delegates, enables neither the exception nor the interrupt. Without EBEP all are 0.
  logic [1:0] pmee_el3, pmee_el2, pmee_el1, pmee, target;
  assign pmee_el3 = mdcr_el3_i[pmuv3_pkg::MdcrEl3PmeeMsb:pmuv3_pkg::MdcrEl3PmeeLsb];
  assign pmee_el2 = mdcr_el2_i[pmuv3_pkg::MdcrEl2PmeeMsb:pmuv3_pkg::MdcrEl2PmeeLsb];
  assign pmee_el1 = pmecr_i[pmuv3_pkg::PmecrPmeeMsb:pmuv3_pkg::PmecrPmeeLsb];
  always_comb begin
    if (cfg_i.el3 && pmee_el3 != PmeeDelegate) begin
      pmee   = pmee_el3;
      target = 2'd3;
    end else if (el2_enabled_i && pmee_el2 != PmeeDelegate) begin
      pmee   = pmee_el2;
      target = 2'd2;
    end else begin
      pmee   = pmee_el1;
      target = el2_enabled_i && tge_i ? 2'd2 : 2'd1;
    end
  end
  assign enabled_o = pmee == PmeeException;

  // RKBPMJ
  logic kpme, masked;
  assign kpme   = pmecr_i[pmuv3_pkg::PmecrKpmeLsb];
  assign masked = halted_i || target < el_i
                  || (target == el_i
                      && (!kpme || pm_i || (el_i == 2'd2 && pmee_el2 != PmeeException)));

  ////////////
  // Levels //
  ////////////

  // D13.3-1: PMCNTEN has no part in the levels.
  logic [Lanes-1:0] pending;
  logic [1:0]       fixed_pending;
  assign pending       = global_enable_i & overflow_i & interrupt_enable_i;
  assign fixed_pending = fixed_overflow_i & fixed_interrupt_enable_i
                         & {2{pmcr_i[pmuv3_pkg::PmcrELsb]}};

  // D13.3-2: PMEE does not matter to the CTI.
  assign cti_o = |pending || |fixed_pending;
  assign irq_o = cti_o && pmee == PmeeInterrupt;

  // RMQDPX, RNZLVW: a counter makes the exception a synchronous one where it is enabled and in
  // synchronous mode. RKBPMJ: where SYNC is 1 it never makes it an asynchronous one, not even where
  // its event is none for that mode. The cycle counter has no SYNC.
  logic [Lanes-1:0] in_sync;
  logic             instruction_in_sync;
  assign in_sync             = counter_enable_i & sync_i & sync_capable_i;
  assign instruction_in_sync = instruction_enable_i && instruction_sync_i;

  logic synchronous, asynchronous;
  always_comb begin
    synchronous  = 1'b0;
    asynchronous = 1'b0;
    if (enabled_o && !masked) begin
      synchronous  = |(pending & in_sync) || (fixed_pending[1] && instruction_in_sync);
      asynchronous = |(pending & ~sync_i) || (fixed_pending[1] && !instruction_sync_i)
                     || fixed_pending[0];
    end
  end
  assign exception_o = {{2{synchronous || asynchronous}} & target, synchronous, asynchronous};

  logic unused_bits;
  assign unused_bits = ^{cfg_i, pmcr_i, mdcr_el2_i, mdcr_el3_i, pmecr_i};

endmodule

`default_nettype wire
