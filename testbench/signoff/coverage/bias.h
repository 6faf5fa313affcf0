/* The bias of the stimulus: weights of kinds of sequences, by the bins that are open. */
#ifndef PMUV3_COVERAGE_BIAS_H
#define PMUV3_COVERAGE_BIAS_H

#include "testbench/cosim/stimulus/random.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Weights of the sequences that hit the bins which these parameters can reach and
 * `hits` has not: all 0 when there is none. The same hits, the same weights.
 */
struct pmuv3_bias pmuv3_coverage_bias(const struct pmuv3_params *params, const uint64_t *hits);

#ifdef __cplusplus
}
#endif

#endif
