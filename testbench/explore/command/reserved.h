/* Conditions that the architecture reserves (ILQXJZ): combinations of {TC, TE, TLC}. */
#ifndef EXPLORE_RESERVED_H
#define EXPLORE_RESERVED_H

#include "pmuv3/pmuv3.h"

/* NULL, or in words that the condition of counter n is reserved, and which term would make it
 * legal. The C model decides. Valid until the thread's next call. */
const char *explore_reserved(const struct pmuv3 *pmu, unsigned thread, unsigned n);

#endif
