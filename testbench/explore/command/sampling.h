/* Sampled counters: their periods, and the handler of their interrupts. */
#ifndef EXPLORE_SAMPLING_H
#define EXPLORE_SAMPLING_H

#include "testbench/explore/command/config.h"

/* The sampled counter with this bit in a PMU, by the PMU's number. NULL: there is none. */
const struct explore_counter *explore_sampled(const struct explore_config *config, unsigned pmu,
                                              unsigned bit);

/* The sampled counters of a PMU, by their bits. */
uint64_t explore_all_sampled(const struct explore_config *config, unsigned pmu);

/* What a counter must hold to overflow once it counted a period. */
uint64_t explore_period_start(const struct explore_config *config,
                              const struct explore_counter *counter);

/*
 * Adds the handler of a sample to a PMU of an engine. The interrupt comes `skid` cycles behind
 * `cycle`, the one that overflowed. Its handler clears the flag and starts the next period. False:
 * out of memory.
 */
bool explore_handle_sample(const struct explore_config *config,
                           const struct explore_counter *counter, struct explore_pmu *pmu,
                           uint64_t cycle);

#endif
