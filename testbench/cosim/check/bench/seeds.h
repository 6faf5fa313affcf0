/* Many seeds of `pmuv3 check`: a campaign, which splits into shards (docs/design/farm.md). */
#ifndef PMUV3_CHECK_SEEDS_H
#define PMUV3_CHECK_SEEDS_H

#include "testbench/cosim/check/bench/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs, lists or merges the seeds of options, and reports what the database holds of them. Returns
 * the exit status. */
int seeds_run(const struct options *options, const struct profile *profile);

#ifdef __cplusplus
}
#endif

#endif
