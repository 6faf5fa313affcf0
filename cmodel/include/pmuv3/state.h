/*
 * struct pmuv3: the whole state of a processor's PMUs. It is public so that it can be a variable
 * and be copied. Use it through pmuv3.h.
 *
 * Counters form pairs: an even counter, and the odd counter that CHAIN and links tie to it. Values
 * of counters are arrays of lanes. The even counters come first, then the odd ones, so that the
 * compiler vectorizes each half. In a lane, a condition is a mask: 0xFFFF where it holds, else 0.
 * Elsewhere, conditions of counters are bits: bit n is counter n's. In 64 bits, bit 31 is the cycle
 * counter's and bit 32 the instruction counter's.
 *
 * A context is a pair of an Exception level and a Security state. A set of contexts is a map of 16
 * bits: bit 4 * el + ss.
 */
#ifndef PMUV3_STATE_H
#define PMUV3_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "pmuv3/cycle.h"
#include "pmuv3/params.h"
#include "pmuv3/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PMUV3_PAIRS (PMUV3_LANES / 2)

/* The lane of counter n. */
static inline unsigned pmuv3_lane(unsigned n) {
  return n % 2 * PMUV3_PAIRS + n / 2;
}

/* Architectural state: the registers, except the counters and their saved values. */
struct pmuv3_registers {
  uint64_t evtyper[PMUV3_LANES]; /* PMEVTYPER<n>_EL0 at n */
#define PMUV3_HELD(id, member) uint64_t member;
#include "pmuv3/registers.def"
  uint64_t pmcr;      /* PMCR_EL0, except write-only and constant fields */
  uint64_t mdcr_el2;  /* MDCR_EL2 */
  uint64_t pmicfiltr; /* PMICFILTR_EL0, except evtCount, which is constant */
  uint64_t cnten;     /* PMCNTENSET_EL0, PMCNTENCLR_EL0 */
  uint64_t inten;     /* PMINTENSET_EL1, PMINTENCLR_EL1 */
  uint64_t overflow;  /* PMOVSSET_EL0, PMOVSCLR_EL0; overflow sets it too */
  uint64_t pmuacr;    /* PMUACR_EL1 */
  uint64_t pmsscr;    /* PMSSCR_EL1: only NC; a capture is complete at once */
  uint64_t pmccr;     /* PMCCR, which only the external view has */
  bool locked;        /* the Software Lock of the external view */
};

/* Architectural state: the counters as the last capture saved them. Owner: snapshot. */
struct pmuv3_saved {
  uint64_t value[PMUV3_LANES]; /* PMEVCNTSVR<n>_EL1 at n */
  uint64_t cycles;             /* PMCCNTSVR_EL1 */
  uint64_t instructions;       /* PMICNTSVR_EL1 */
};

/* Architectural state that counters hold from cycle to cycle, with the stage that owns it. */
struct pmuv3_state {
  uint64_t value[PMUV3_LANES];   /* PMEVCNTR<n>_EL0; owner: counter */
  uint16_t CP[PMUV3_LANES];      /* CT of the last cycle; owner: threshold */
  uint16_t pending[PMUV3_LANES]; /* waiting software increments; owner: attribution */
  bool captured;                 /* a PMU_SNAPSHOT waits; owner: attribution */
  bool waiting;                  /* any of these wait; owner: attribution */
  uint64_t cycles;               /* PMCCNTR_EL0; owner: cycle_counter */
  uint8_t divider;               /* cycles since the last that counted; owner: cycle_counter */
  uint64_t instructions;         /* PMICNTR_EL0; owner: instruction_counter */
};

/* What the parameters leave of a register, or of a view of one. */
struct pmuv3_presence {
  uint8_t read, write; /* enum pmuv3_access, unless n is not implemented */
  uint64_t mask[2];    /* by n % 2: the bits that a write can change */
  uint64_t shown;      /* the bits that the view has */
};

/* Derived from only the parameters. */
struct pmuv3_identity {
  struct pmuv3_presence presence[PMUV3_NUM_VIEWS]; /* by what an encoding names */
  uint64_t pmcr;                                   /* PMCR_EL0.{IMP, IDCODE} */
  uint64_t pmmir;                                  /* PMMIR_EL1 */
  uint64_t pmceid[2];                              /* PMCEID0_EL0, PMCEID1_EL0 */
  uint64_t width;                                  /* the bits of an event counter, as a mask */
  uint16_t contexts; /* the contexts that the parameters have (pmuv3_context_wrong) */
};

/* Contexts in which counting is prohibited, by the rule that prohibits it. */
struct pmuv3_prohibited {
  uint16_t secure; /* Secure state, where EL3 is without RME */
  uint16_t el3;    /* EL3 by MPMX; EL3 in Root state */
  uint16_t el2;    /* EL2 */
};

/* Derived from the registers and, where marked "by state, too", the thread's state: the counters'
 * ranges, and conditions of many counters. */
struct pmuv3_decoded {
  uint8_t hpmn;        /* HPMN_eff: the first counter of range R2 */
  uint8_t epmn;        /* EPMN_eff: the first counter of range R3 */
  uint32_t range[3];   /* counters of R1, R2, R3 */
  bool profiles;       /* by state, too: the PMU Profiling exception is enabled */
  uint64_t enabled;    /* counters whose range's global enable is 1 */
  uint64_t running;    /* of the enabled: enabled by themselves, too, and not mute */
  uint32_t lp;         /* by state, too: Effective LP is 1: the counter overflows at bit 63 */
  uint32_t sync;       /* PMEVTYPER<n>_EL0.SYNC */
  uint32_t mute;       /* SYNC on an event that cannot be synchronous: the counter does not count */
  uint32_t mt;         /* PMEVTYPER<n>_EL0.MT, except of CHAIN, which never sums over threads */
  uint32_t grouped;    /* of these: Effective MT is 1 */
  uint32_t combining;  /* counts an event that MT = 1 does not sum over threads (D14.4-d..f) */
  uint32_t chain;      /* counts CHAIN */
  uint64_t freezes[2]; /* flags that freeze R1, R2 */
  bool stops[2];       /* a stopped profiling buffer freezes R1, R2 */
  uint8_t sources;     /* threads whose occurrences any counter counts, a bit each */
  struct pmuv3_prohibited prohibited[2]; /* in R1, R2, unless SUNIDEN lifts it */
};

/* Whether an occurrence is Attributable to its thread. */
enum pmuv3_attributability { PMUV3_IS_ATTRIBUTABLE, PMUV3_IS_UNATTRIBUTABLE };

/* Each counter's configuration. Derived from the registers and, below "by states, too", from the
 * threads' states. */
struct pmuv3_config {
  uint64_t top[PMUV3_LANES];         /* the bit whose carry out is an overflow */
  uint16_t event[PMUV3_LANES];       /* evtCount */
  uint16_t event_class[PMUV3_LANES]; /* its enum pmuv3_event_class */
  uint16_t attributed[PMUV3_LANES];  /* its enum pmuv3_event_attribution */
  uint16_t traits[PMUV3_LANES];      /* its enum pmuv3_event_trait bits */
  uint16_t grouped[PMUV3_LANES];     /* Effective MT is 1 */
  uint16_t range[2][PMUV3_LANES];    /* of range R1, R2 */
  uint16_t running[PMUV3_LANES];     /* see decoded.running */
  uint16_t filtered[2][PMUV3_LANES]; /* by Streaming mode: contexts that the filter excludes */

  /* by states, too */
  uint16_t unattributable[PMUV3_LANES];               /* Unattributable occurrences may count */
  uint16_t eligible[PMUV3_LANES];                     /* eligible threads, a bit each */
  uint16_t counts[2][PMUV3_MAX_THREADS][PMUV3_LANES]; /* by enum pmuv3_attributability and thread:
                                                         contexts whose occurrences count */
  uint16_t cpu_cycles[PMUV3_LANES];                   /* CPU_CYCLES counts */
  uint16_t stopped[PMUV3_LANES];                      /* stalls and Slots do not count */

  uint16_t TH[PMUV3_LANES];         /* Effective TH */
  uint16_t TC[3][PMUV3_LANES];      /* Effective TC, bit by bit */
  uint16_t link_true[PMUV3_LANES];  /* TLC = 0b10: a true condition gives V[n-1] */
  uint16_t link_false[PMUV3_LANES]; /* TLC = 0b01: a false condition gives V[n-1] */
  uint16_t adds_VE[PMUV3_LANES];    /* TE = 1: V is VE. Else V is VT, except for */
  uint16_t adds_VB[PMUV3_LANES];    /* a reserved {TC, TE, TLC}: K-RESTC a */
  uint16_t adds_own[PMUV3_LANES];   /* a reserved {TC, TE, TLC}: K-RESTC b, VT as without a link */
  uint16_t chain[PMUV3_LANES];      /* counts CHAIN, and the other counter of the pair raises it */
};

/* The cycle counter's configuration, derived from the registers. */
struct pmuv3_cycle_config {
  bool freezes;       /* PMCR_EL0.DP: flags freeze it like range R1 */
  bool stops;         /* a stopped profiling buffer freezes it like range R1 */
  bool divides;       /* Effective D: counts every 64th cycle */
  uint64_t top;       /* the bit whose carry out is an overflow */
  uint16_t counts[2]; /* by Streaming mode: contexts in which it counts */
};

/* The instruction counter's configuration, derived from the registers. */
struct pmuv3_instruction_config {
  uint16_t counts[2];         /* by Streaming mode: contexts whose occurrences count */
  uint16_t unattributable[2]; /* by Streaming mode: contexts in which Unattributable ones count, */
  uint16_t related;           /* if they are related to activity in one of these or in none */
};

/* Values of the last Processor cycle. The next cycle does not use them. */
struct pmuv3_values {
  uint16_t allowed[PMUV3_LANES];
  uint16_t VB[PMUV3_LANES];
  uint16_t CT[PMUV3_LANES];
  uint16_t CP[PMUV3_LANES]; /* as used in the cycle */
  uint16_t CE[PMUV3_LANES];
  uint16_t VT[PMUV3_LANES];
  uint16_t VE[PMUV3_LANES];
  uint16_t V[PMUV3_LANES];
  uint64_t carry[PMUV3_LANES]; /* not 0: there was a carry out of the top bit */
  uint64_t pulses;             /* counters that overflowed */
};

/* The PMU of a thread. Lanes come first, so that they are aligned. */
struct pmuv3_thread {
  /* Derived whenever the registers or the states of threads change. */
  struct pmuv3_config config;

  struct pmuv3_values values;

  /* Architectural state. */
  struct pmuv3_state state;
  struct pmuv3_registers registers;
  struct pmuv3_saved saved;

  /* Derived whenever the registers or the states of threads change. */
  struct pmuv3_decoded decoded;
  struct pmuv3_cycle_config cycle_config;
  struct pmuv3_instruction_config instruction_config;
};

struct pmuv3 {
  struct pmuv3_thread thread[PMUV3_MAX_THREADS];
  struct pmuv3_pe pe[PMUV3_MAX_THREADS]; /* the threads' states */
  struct pmuv3_params params;
  struct pmuv3_identity identity;
  struct pmuv3_ends ends; /* of the last Processor cycle */
};

#ifdef __cplusplus
}
#endif

#endif
