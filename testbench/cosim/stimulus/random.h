/*
 * Constrained-random stimulus. The same parameters and seed give the same
 * items on any machine. Its preferences, and how the generator of random
 * numbers works: docs/design/stimulus.md.
 */
#ifndef PMUV3_RANDOM_H
#define PMUV3_RANDOM_H

#include "testbench/cosim/stimulus/stimulus.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_random;

/* A generator for complete params. NULL when out of memory. Free with pmuv3_random_destroy. */
struct pmuv3_random *pmuv3_random_create(const struct pmuv3_params *params, uint64_t seed);
void pmuv3_random_destroy(struct pmuv3_random *random);

/* Kinds of sequences that a bias can prefer. */
enum pmuv3_sequence {
  PMUV3_SEQUENCE_PAIRS,        /* links across the ranges' borders */
  PMUV3_SEQUENCE_PROHIBITIONS, /* every control that prohibits, in every state */
  PMUV3_SEQUENCE_ENABLES,      /* every combination of the ranges' enables */
  PMUV3_SEQUENCE_COLLISIONS,   /* every write in the clock of an overflow, frozen or not */
  PMUV3_SEQUENCE_STATES,       /* threads that all wait, or are halted */
  PMUV3_SEQUENCE_EXCEPTIONS,   /* every combination of PMEE */
  PMUV3_SEQUENCE_CAPTURES,     /* every combination of PMSSE and SSE */
  PMUV3_NUM_SEQUENCES
};

/* The weight of each kind, relative to the others; all 0: no bias. */
struct pmuv3_bias {
  uint32_t weights[PMUV3_NUM_SEQUENCES];
};

/* Sets the bias. If all weights are 0, the items are those of the seed without a bias. */
void pmuv3_random_bias(struct pmuv3_random *random, const struct pmuv3_bias *bias);

/*
 * The next item. WRITE, READ, CYCLE, PE and RESET are legal for the parameters, REFUSED_WRITE and
 * REFUSED_READ are not; MSR, MRS and external accesses may end in any way. A stimulus file of the
 * items is legal.
 * It never looks at a PMU. The item and its occurrences are valid until the next
 * call. Never ends.
 */
const struct pmuv3_item *pmuv3_random_next(struct pmuv3_random *random);

#ifdef __cplusplus
}
#endif

#endif
