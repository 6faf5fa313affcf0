/* A recording of the device: under the stimulus of --replay, or under random stimulus. */
#ifndef PMUV3_CHECK_RECORDED_H
#define PMUV3_CHECK_RECORDED_H

#include "testbench/cosim/check/bench/player.h"
#include "testbench/cosim/check/bench/run.h"

/* The whole stimulus file, checked. Does not return if it is unusable. */
struct stimulus read_stimulus(const struct options *options, const struct profile *profile);

/* What the pins carried. `player` has no checker, and owns the recording. */
const struct recording *recorded(struct player *player, const struct options *options,
                                 const struct profile *profile);

#endif
