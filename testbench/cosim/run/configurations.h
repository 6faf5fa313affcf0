/* The configurations of `pmuv3 run` without --param. */
#ifndef PMUV3_CONFIGURATIONS_H
#define PMUV3_CONFIGURATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmuv3/params.h"

struct pmuv3_configuration {
  const char *name;
  const char *params; /* as on a `param` line; no core= */
};

#define PMUV3_NUM_CONFIGURATIONS 41
extern const struct pmuv3_configuration pmuv3_configurations[PMUV3_NUM_CONFIGURATIONS];

/*
 * Sets name=value pairs that blanks separate. Returns NULL, or the error in words. Does not
 * complete the params.
 */
const char *pmuv3_configuration_set(struct pmuv3_params *params, const char *pairs);

/* The complete params with these pairs. Returns NULL, or the error in words. */
const char *pmuv3_configuration_complete(struct pmuv3_params *params, const char *pairs);

/* The complete parameters of the configuration of that number. */
struct pmuv3_params pmuv3_configuration_params(size_t number);

/* Whether no set can leave an event out: SELF events are in every set, and the instruction counter
 * and class SECOND need INST_RETIRED and STALL_BACKEND. */
bool pmuv3_configuration_needs(const struct pmuv3_event *event);

/*
 * Leaves out a random part of the events, so that the others are in other rows: each row has its
 * own input of the RTL. Those that are needed stay. Complete parameters stay complete.
 */
void pmuv3_configuration_reduce_events(struct pmuv3_params *params, uint64_t seed);

/*
 * A configuration's share of the cycles. All shares are equal, except for the remainder. The shares
 * add up to the cycles, which are at most UINT64_MAX / 100.
 */
uint64_t pmuv3_configuration_cycles(size_t number, uint64_t cycles);

#endif
