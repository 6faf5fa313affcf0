// Exception: makes PMUIRQ, the trigger to the CTI, the PMU Profiling exception, the request to
// halt, and the condition that freezes the BRBE from the overflow flags (D13.3).
//
// Timing: combinational, from registers and the thread's state in this clock. Stateless.
`default_nettype none

module pmuv3_exception #(
  parameter int unsigned Lanes = 31
) (
  input wire pmuv3_pkg::config_t       cfg_i,
  input wire pmuv3_types_pkg::thread_t thread_i,
  input wire pmuv3_types_pkg::regs_t   regs_i,

  // The thread's counters
  input wire logic [pmuv3_types_pkg::EvtyperWidth*Lanes-1:0] evtypers_i,
  input wire logic [pmuv3_types_pkg::ControlWidth*Lanes-1:0] controls_i,
  input wire logic [Lanes-1:0] overflow_i,        // PMOVS
  input wire logic [1:0]       fixed_overflow_i,  // {F0, C}
  input wire logic             instruction_freezes_i,  // F0, not in synchronous mode

  output logic       enabled_o,  // the PMU Profiling exception is enabled
  output logic       irq_o,      // PMUIRQ
  output logic       cti_o,
  output logic [3:0] exception_o,  // {target Exception level, synchronous, asynchronous}
  output logic       halt_o,
  output logic [1:0] brbe_o  // {second range, first range}
);
  `PMUV3_EVTYPERS_T(Lanes)
  `PMUV3_CONTROLS_T(Lanes)
  evtypers_t evtypers;
  controls_t controls;
  assign evtypers = evtypers_i;
  assign controls = controls_i;

  localparam logic [1:0] PmeeInterrupt = 2'b00;
  localparam logic [1:0] PmeeDelegate = 2'b01;  // delegates to the next lower of EL3, EL2, EL1
  localparam logic [1:0] PmeeException = 2'b11;

  ////////////
  // Enable //
  ////////////

  // RSCBDZ: the highest Exception level that does not delegate decides. A reserved value, and
  // PmeeDelegate in PMECR, enable neither the exception nor the interrupt. Without EBEP all PMEE
  // fields are 0.
  logic [1:0] pmee_el3, pmee_el2, pmee_el1, pmee, target;
  assign pmee_el3 = regs_i.mdcr_el3[pmuv3_pkg::MdcrEl3PmeeMsb:pmuv3_pkg::MdcrEl3PmeeLsb];
  assign pmee_el2 = regs_i.mdcr_el2[pmuv3_pkg::MdcrEl2PmeeMsb:pmuv3_pkg::MdcrEl2PmeeLsb];
  assign pmee_el1 = regs_i.pmecr[pmuv3_pkg::PmecrPmeeMsb:pmuv3_pkg::PmecrPmeeLsb];
  always_comb begin
    if (cfg_i.el3 && pmee_el3 != PmeeDelegate) begin
      pmee   = pmee_el3;
      target = 2'd3;
    end else if (thread_i.el2_enabled && pmee_el2 != PmeeDelegate) begin
      pmee   = pmee_el2;
      target = 2'd2;
    end else begin
      pmee   = pmee_el1;
      target = thread_i.el2_enabled && thread_i.tge ? 2'd2 : 2'd1;
    end
  end
  assign enabled_o = pmee == PmeeException;

  // RKBPMJ
  logic kpme, masked;
  assign kpme   = regs_i.pmecr[pmuv3_pkg::PmecrKpmeLsb];
  assign masked = thread_i.halted || target < thread_i.el
                  || (target == thread_i.el
                      && (!kpme || thread_i.pm
                          || (thread_i.el == 2'd2 && pmee_el2 != PmeeException)));

  ////////////
  // Levels //
  ////////////

  // D13.3-1: PMCNTEN does not affect the levels.
  logic [Lanes-1:0] pending;
  logic [1:0]       fixed_pending;
  assign pending       = controls.global_enable & overflow_i & controls.interrupt_enable;
  assign fixed_pending = fixed_overflow_i & regs_i.fixed_interrupt_enable
                         & {2{regs_i.pmcr[pmuv3_pkg::PmcrELsb]}};

  // D13.3-2: PMEE does not affect the CTI trigger.
  assign cti_o = |pending || |fixed_pending;
  assign irq_o = cti_o && pmee == PmeeInterrupt;

  // I-10: the request to halt has the level of the CTI trigger.
  assign halt_o = cti_o && thread_i.pme && cfg_i.feat_pmuv3p9 && cfg_i.feat_debugv8p9;

  // I-11: flags alone freeze the BRBE, whatever the enables are. The cycle counter, counters in
  // synchronous mode and the third range never do. FZP of each range is the BRBE's.
  logic [Lanes-1:0] freezes;
  assign freezes = overflow_i & ~evtypers.sync;
  assign brbe_o  = {|(freezes & controls.range2),
                    |(freezes & controls.range1) || instruction_freezes_i};

  // RMQDPX, RNZLVW: the exception is synchronous if the counter is enabled and in synchronous mode.
  // RKBPMJ: a counter with SYNC = 1 never makes the exception asynchronous, even if the counter's
  // event does not support synchronous mode. The cycle counter has no SYNC.
  logic [Lanes-1:0] in_sync;
  logic             instruction_sync, instruction_in_sync;
  assign instruction_sync    = regs_i.pmicfiltr[pmuv3_pkg::PmicfiltrSyncLsb];
  assign in_sync             = controls.enable & evtypers.sync & evtypers.sync_capable;
  assign instruction_in_sync = regs_i.fixed_enable[1] && instruction_sync;

  logic synchronous, asynchronous;
  always_comb begin
    synchronous  = 1'b0;
    asynchronous = 1'b0;
    if (enabled_o && !masked) begin
      synchronous  = |(pending & in_sync) || (fixed_pending[1] && instruction_in_sync);
      asynchronous = |(pending & ~evtypers.sync) || (fixed_pending[1] && !instruction_sync)
                     || fixed_pending[0];
    end
  end
  assign exception_o = {{2{synchronous || asynchronous}} & target, synchronous, asynchronous};

  logic unused_bits;
  assign unused_bits = ^{cfg_i, thread_i, regs_i, evtypers, controls};

endmodule

`default_nettype wire
