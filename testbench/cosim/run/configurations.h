/* The configurations that `pmuv3 run` covers when none is asked for. */
#ifndef PMUV3_CONFIGURATIONS_H
#define PMUV3_CONFIGURATIONS_H

#include <stddef.h>
#include <stdint.h>

#include "pmuv3/params.h"

struct pmuv3_configuration {
  const char *name;
  const char *params; /* as on a `param` line */
};

#define PMUV3_NUM_CONFIGURATIONS 24
extern const struct pmuv3_configuration pmuv3_configurations[PMUV3_NUM_CONFIGURATIONS];

/*
 * Sets blank separated name=value pairs. NULL, or what is wrong, in words.
 * Does not complete the params.
 */
const char *pmuv3_configuration_set(struct pmuv3_params *params, const char *pairs);

/* The complete params with these pairs. Returns NULL, or what is wrong, in words. */
const char *pmuv3_configuration_complete(struct pmuv3_params *params, const char *pairs);

/* The complete parameters of the configuration of that number. */
struct pmuv3_params pmuv3_configuration_params(size_t number);

/*
 * Its share of the cycles of all configurations: the same for each, but for what is left over. The
 * shares add up to the cycles, which are at most UINT64_MAX / 100.
 */
uint64_t pmuv3_configuration_cycles(size_t number, uint64_t cycles);

#endif
