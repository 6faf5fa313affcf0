/* The bias of the stimulus: weights of kinds of sequences, by the open bins. */
#ifndef PMUV3_COVERAGE_BIAS_H
#define PMUV3_COVERAGE_BIAS_H

#include "testbench/cosim/stimulus/random.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Weights of the sequences that hit open bins: bins that these parameters can reach and that `hits`
 * does not have. All weights are 0 if there is no open bin. The result depends only on the
 * arguments.
 */
struct pmuv3_bias pmuv3_coverage_bias(const struct pmuv3_params *params, const uint64_t *hits);

#ifdef __cplusplus
}
#endif

#endif
