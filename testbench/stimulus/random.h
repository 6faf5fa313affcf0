/*
 * Constrained-random stimulus. The same parameters and seed give the same
 * items on any machine. What it leans to, and how the generator of random
 * numbers works: docs/stimulus.md.
 */
#ifndef PMUV3_RANDOM_H
#define PMUV3_RANDOM_H

#include "testbench/stimulus/stimulus.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_random;

/* A generator for complete params. NULL when out of memory. Free with pmuv3_random_destroy. */
struct pmuv3_random *pmuv3_random_create(const struct pmuv3_params *params, uint64_t seed);
void pmuv3_random_destroy(struct pmuv3_random *random);

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
