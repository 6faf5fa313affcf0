// Packed structs that the stages pass to each other. pmuv3_pkg has the constants and types that the
// C model shares.
`default_nettype none

// The structs of event counters hold vectors. A vector has one or more bits for each of Lanes
// counters, counter 0 lowest. Yosys knows neither parameterized types nor arrays of structs. So a
// port is a flat vector, and the module assigns the vector to a struct:
//
//   input wire logic [pmuv3_types_pkg::FilterWidth*Lanes-1:0] filters_i
//   `PMUV3_FILTERS_T(Lanes)
//   filters_t filters;
//   assign filters = filters_i;

// The filter bits of PMEVTYPER<n>, PMCCFILTR or PMICFILTR.
`define PMUV3_FILTERS_T(Lanes) \
  typedef struct packed {      \
    logic [Lanes-1:0] p;       \
    logic [Lanes-1:0] u;       \
    logic [Lanes-1:0] nsk;     \
    logic [Lanes-1:0] nsu;     \
    logic [Lanes-1:0] nsh;     \
    logic [Lanes-1:0] m;       \
    logic [Lanes-1:0] sh;      \
    logic [Lanes-1:0] rlk;     \
    logic [Lanes-1:0] rlu;     \
    logic [Lanes-1:0] rlh;     \
    logic [Lanes-1:0] vs1;     \
    logic [Lanes-1:0] vs0;     \
  } filters_t;

// PMEVTYPER<n> of each counter: the fields, and properties of the selected event. TC, TE, TLC and
// TH are 0 if the feature is absent. TLC is also 0 for even n.
//   chain         the event is CHAIN
//   sync_capable  the event supports synchronous mode
//   memory        the event's attribution is MEMORY or SHARED; choices treat these as one
//   shared, own   the event's attribution is SHARED, OWN
//   trace         the event's attribution is TRACE
`define PMUV3_EVTYPERS_T(Lanes)                       \
  typedef struct packed {                             \
    logic [8*Lanes-1:0]  event_index; /* event_index_t */ \
    logic [3*Lanes-1:0]  event_class; /* EventClass */ \
    logic [3*Lanes-1:0]  tc;                          \
    logic [Lanes-1:0]    te;                          \
    logic [2*Lanes-1:0]  tlc;                         \
    logic [12*Lanes-1:0] th;                          \
    logic [12*Lanes-1:0] filters; /* filters_t */     \
    logic [Lanes-1:0]    sync;                        \
    logic [Lanes-1:0]    mt;                          \
    logic [Lanes-1:0]    chain;                       \
    logic [Lanes-1:0]    sync_capable;                \
    logic [Lanes-1:0]    memory;                      \
    logic [Lanes-1:0]    shared;                      \
    logic [Lanes-1:0]    own;                         \
    logic [Lanes-1:0]    trace;                       \
  } evtypers_t;

// The controls of each counter in the other registers.
//   enable, interrupt_enable  PMCNTEN, PMINTEN
//   global_enable             of the counter's range
//   range1, range2            the counter is in that range; the others are in the third
//   range_continues           counters n and n+1 are both in the first or both in the second range
//   long_overflow             LP_eff: overflow is a carry out of bit 63
`define PMUV3_CONTROLS_T(Lanes)         \
  typedef struct packed {               \
    logic [Lanes-1:0] enable;           \
    logic [Lanes-1:0] interrupt_enable; \
    logic [Lanes-1:0] global_enable;    \
    logic [Lanes-1:0] range1;           \
    logic [Lanes-1:0] range2;           \
    logic [Lanes-1:0] range_continues;  \
    logic [Lanes-1:0] long_overflow;    \
  } controls_t;

// The changes that an access makes to each counter: see change_t.
`define PMUV3_CHANGES_T(Lanes)        \
  typedef struct packed {             \
    logic [Lanes-1:0] zero;           \
    logic [Lanes-1:0] write;          \
    logic [Lanes-1:0] overflow_set;   \
    logic [Lanes-1:0] overflow_clear; \
    logic [Lanes-1:0] swinc;          \
  } changes_t;

package pmuv3_types_pkg;

  // The number of bits for each counter in the structs above.
  localparam int unsigned FilterWidth  = 12;
  localparam int unsigned EvtyperWidth = 49;
  localparam int unsigned ControlWidth = 7;
  localparam int unsigned ChangeWidth  = 5;

  // PMEVTYPER<n>, PMCCFILTR and PMICFILTR have the filter bits in the same places.
  function automatic logic [FilterWidth-1:0] filter_of(input logic [63:0] register);
    filter_of = {register[pmuv3_pkg::PmevtyperPLsb],   register[pmuv3_pkg::PmevtyperULsb],
                 register[pmuv3_pkg::PmevtyperNskLsb], register[pmuv3_pkg::PmevtyperNsuLsb],
                 register[pmuv3_pkg::PmevtyperNshLsb], register[pmuv3_pkg::PmevtyperMLsb],
                 register[pmuv3_pkg::PmevtyperShLsb],  register[pmuv3_pkg::PmevtyperRlkLsb],
                 register[pmuv3_pkg::PmevtyperRluLsb], register[pmuv3_pkg::PmevtyperRlhLsb],
                 register[pmuv3_pkg::PmevtyperVsMsb],  register[pmuv3_pkg::PmevtyperVsLsb]};
  endfunction

  // The value of a register with fields after a write.
  function automatic logic [63:0] written(input logic [63:0] old, input logic [63:0] data,
                                          input logic [63:0] at, input logic [63:0] fields);
    written = ((old & ~at) | (data & at)) & fields;
  endfunction

  // A thread in this clock: pe_t and context_t of pmuv3_pkg, with Effective values. The other
  // context is the thread's context before its state changed. Several threads make a flat vector,
  // thread 0 lowest.
  typedef struct packed {
    logic       present;      // cfg_i.threads has it
    logic       related;      // Unattributable occurrences are related to the other context
    logic [1:0] other_ss;
    logic [1:0] other_el;
    logic       pme;          // EDECR.PME
    logic       dlk;
    logic       oslk;
    logic       spe;          // SPE requests a freeze
    logic       pm;
    logic       el2_enabled;  // EL2Enabled()
    logic       eel2;
    logic       e2h;
    logic       tge;
    logic       snid;
    logic       a32el3;       // EL3 uses AArch32, also without AArch64
    logic       a32el1;       // EL1 uses AArch32, also because EL3 does
    logic       aa32;
    logic       wfx;
    logic       active;
    logic       halted;
    logic       sm;
    logic [1:0] ss;
    logic [1:0] el;
  } thread_t;
  localparam int unsigned ThreadWidth = 27;

  // The part of a thread's state that decides accesses alone: pe_t, with Effective values.
  typedef struct packed {
    logic [35:0] fgt;  // as in pe_t
    logic fgwte3;
    logic sdd;     // and the thread is in Debug state
    logic nv;
    logic hstr;
    logic a32el2;  // EL2 uses AArch32, also because EL3 does
  } rights_t;

  // The register that an access reaches.
  typedef struct packed {
    logic        view;           // an AArch32 register
    logic        selected;       // through PMSELR
    logic        numbered;       // of event counter n
    logic        event_counter;  // PMEVCNTR<n>
    logic        snapshot;       // PMSSCR, or a saved value
    logic        pm2;            // MDCR_EL3.EnPM2 controls it
    logic [1:0]  lowest_el;      // the lowest Exception level that may access it
    logic [4:0]  n;
    logic [15:0] addr;           // of the AArch64 register
  } register_t;

  // An access to a thread's System registers.
  typedef struct packed {
    logic        write;
    logic        read;
    logic        checked;  // the thread's state decides the result
    logic [15:0] addr;     // {op0, op1, CRn, CRm, op2}
    logic [63:0] wdata;
  } request_t;

  // A transfer of a thread's page of the external view.
  typedef struct packed {
    logic        sel;     // for this page
    logic        enable;
    logic        write;
    logic [11:0] addr;
    logic [1:0]  space;   // the physical address space, as a Security state
    logic [31:0] wdata;
    logic        bad;     // not a whole word, or no page is there
  } transfer_t;

  // An access to the register file, from the port or from the page.
  typedef struct packed {
    logic        write;
    logic        read;
    logic        replace;   // a write to a ...SET register also clears: 0 bits are cleared
    logic [15:0] addr;      // of an AArch64 register
    logic [63:0] wdata;
    logic [63:0] bits;      // the register's bits in reach, in whole halves
    logic [32:0] counters;  // counters in reach, as in PMCNTENSET
    logic [4:0]  n;         // read value of PMCR.N
  } access_t;

  // The changes that a write makes to one counter.
  typedef struct packed {
    logic zero;            // PMCR.P, PMCR.C, PMZR
    logic write;           // PMEVCNTR<n>, PMCCNTR, PMICNTR
    logic overflow_set;    // PMOVSSET
    logic overflow_clear;  // PMOVSCLR
  } change_t;

  // A thread's registers, as a read with the highest rights returns them. {F0, C} are the bits of
  // the instruction counter and the cycle counter.
  typedef struct packed {
    logic [4:0]  hpmn;  // Effective values of MDCR_EL2.HPMN
    logic [4:0]  epmn;  // and PMCCR.EPMN
    logic [1:0]  fixed_enable;            // PMCNTEN
    logic [1:0]  fixed_interrupt_enable;  // PMINTEN
    `PMUV3_REGS_MEMBERS
  } regs_t;

  // Registers of other stages, without those of the event counters.
  typedef struct packed {
    logic [63:0] pmccntr;
    logic [63:0] pmicntr;
    logic [63:0] pmsscr;
    logic [63:0] pmccntsvr;
    logic [63:0] pmicntsvr;
    logic [63:0] pmccr;
    logic [63:0] pmlsr;
    logic [1:0]  fixed_overflow;  // PMOVS.{F0, C}
  } others_t;

endpackage

`default_nettype wire
