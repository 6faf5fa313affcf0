/* `pmuv3 check --calibrate`: finds the latencies of a device from a recording. */
#ifndef PMUV3_CHECK_BENCH_CALIBRATE_H
#define PMUV3_CHECK_BENCH_CALIBRATE_H

#include "testbench/cosim/check/bench/recording.h"
#include "testbench/cosim/check/bench/run.h"

/* Prints what was found, and writes --json. Returns whether exactly one combination of latencies
 * explains the recording. */
bool calibrate(const struct options *options, const struct pmuv3_device *device,
               const struct recording *recording);

#endif
