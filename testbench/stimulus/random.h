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
 * The next item: WRITE, READ, CYCLE, PE, an access to be refused, or RESET; all
 * but the refused are legal for the parameters, and a stimulus file of them is.
 * It never looks at a PMU. The item and its occurrences are valid until the next
 * call. Never ends.
 */
const struct pmuv3_item *pmuv3_random_next(struct pmuv3_random *random);

#ifdef __cplusplus
}
#endif

#endif
