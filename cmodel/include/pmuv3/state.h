/*
 * struct pmuv3: all that a PMU is. Public so that it can be a variable and be
 * copied; use it through pmuv3.h.
 *
 * Counters go in pairs: an even one and the odd one that CHAIN and links tie to
 * it. Per-counter values are arrays of lanes, first those of the even counters
 * and then those of the odd ones, so that one kind after the other is evaluated
 * side by side. In a lane, a condition is a mask: 0xFFFF where it holds, else 0.
 */
#ifndef PMUV3_STATE_H
#define PMUV3_STATE_H

#include <stdint.h>

#include "pmuv3/cycle.h"
#include "pmuv3/params.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PMUV3_PAIRS (PMUV3_LANES / 2)

/* The lane of counter n. */
static inline unsigned pmuv3_lane(unsigned n) {
  return n % 2 * PMUV3_PAIRS + n / 2;
}

/* Architectural state: the registers but for the counters; in masks, bit n is counter n's. */
struct pmuv3_registers {
  uint64_t evtyper[PMUV3_LANES]; /* PMEVTYPER<n>_EL0 at n */
  uint64_t pmcr;                 /* PMCR_EL0: E and LP */
  uint64_t mdcr_el2;             /* MDCR_EL2 */
  uint32_t cnten;                /* PMCNTENSET_EL0, PMCNTENCLR_EL0 */
  uint32_t inten;                /* PMINTENSET_EL1, PMINTENCLR_EL1 */
  uint32_t overflow;             /* PMOVSSET_EL0, PMOVSCLR_EL0; overflow sets it too */
};

/* Architectural state: what counters hold from cycle to cycle. */
struct pmuv3_state {
  uint64_t value[PMUV3_LANES];   /* PMEVCNTR<n>_EL0; owner: counter */
  uint16_t CP[PMUV3_LANES];      /* CT of the last cycle; owner: threshold */
  uint16_t pending[PMUV3_LANES]; /* waiting software increments; owner: attribution */
};

/* Derived: what the parameters say, and the counters' ranges. */
struct pmuv3_decoded {
  uint64_t pmmir;     /* PMMIR_EL1 */
  uint64_t pmceid[2]; /* PMCEID0_EL0, PMCEID1_EL0 */
  uint64_t width;     /* the bits of a counter, as a mask */
  uint32_t enabled;   /* counters whose range's global enable is 1 */
  uint32_t lp;        /* counters whose Effective LP is 1: overflow at bit 63, not 31 */
  uint8_t hpmn;       /* HPMN_eff: the first counter of range R2 */
};

/* Derived: each counter's configuration. */
struct pmuv3_config {
  uint64_t top[PMUV3_LANES];        /* the bit whose carry out is an overflow */
  uint16_t event[PMUV3_LANES];      /* enum pmuv3_event that evtCount selects */
  uint16_t allowed[PMUV3_LANES];    /* counting is allowed */
  uint16_t TH[PMUV3_LANES];         /* Effective TH */
  uint16_t TC[3][PMUV3_LANES];      /* Effective TC, bit by bit */
  uint16_t link_true[PMUV3_LANES];  /* TLC = 0b10: V[n-1] is what a true condition gives */
  uint16_t link_false[PMUV3_LANES]; /* TLC = 0b01: V[n-1] is what a false condition gives */
  uint16_t adds_VE[PMUV3_LANES];    /* TE = 1: V is VE; else VT, but for */
  uint16_t adds_VB[PMUV3_LANES];    /* a reserved {TC, TE, TLC}: K-RESTC a */
  uint16_t adds_own[PMUV3_LANES];   /* a reserved {TC, TE, TLC}: K-RESTC b, VT as without a link */
  uint16_t chain[PMUV3_LANES];      /* counts CHAIN */
};

/* The last Processor cycle. Nothing of it goes into the next one. */
struct pmuv3_values {
  uint16_t allowed[PMUV3_LANES];
  uint16_t VB[PMUV3_LANES];
  uint16_t CT[PMUV3_LANES];
  uint16_t CP[PMUV3_LANES]; /* as used in the cycle */
  uint16_t CE[PMUV3_LANES];
  uint16_t VT[PMUV3_LANES];
  uint16_t VE[PMUV3_LANES];
  uint16_t V[PMUV3_LANES];
  uint64_t carry[PMUV3_LANES]; /* not 0: a carry out of the top bit */
};

struct pmuv3 {
  struct pmuv3_params params;

  /* Architectural state. */
  struct pmuv3_registers registers;
  struct pmuv3_state state;

  /* Derived from the parameters and the registers whenever those change. */
  struct pmuv3_decoded decoded;
  struct pmuv3_config config;

  struct pmuv3_values values;
};

#ifdef __cplusplus
}
#endif

#endif
