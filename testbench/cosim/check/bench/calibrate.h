/* `pmuv3 check --calibrate`: records the device under random stimulus, and finds its latencies. */
#ifndef PMUV3_CHECK_BENCH_CALIBRATE_H
#define PMUV3_CHECK_BENCH_CALIBRATE_H

#include "testbench/cosim/check/bench/run.h"

/* Prints what was found, and writes --json. Returns whether exactly one combination of latencies
 * explains the recording. */
bool calibrate(const struct options *options, const struct profile *profile);

#endif
