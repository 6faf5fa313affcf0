/* What stimulus should lean toward: kinds of plans, by the bins that are open. */
#ifndef PMUV3_COVERAGE_LEAN_H
#define PMUV3_COVERAGE_LEAN_H

#include "testbench/cosim/stimulus/random.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Weights of the plans that hit the bins which these parameters can reach and
 * `hits` has not: all 0 when there is none. The same hits, the same weights.
 */
struct pmuv3_lean pmuv3_coverage_lean(const struct pmuv3_params *params, const uint64_t *hits);

#ifdef __cplusplus
}
#endif

#endif
