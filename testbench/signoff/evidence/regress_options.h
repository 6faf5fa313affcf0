/* The command line of `pmuv3 regress`. */
#ifndef PMUV3_REGRESS_OPTIONS_H
#define PMUV3_REGRESS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "testbench/cosim/cli/shards.h"
#include "testbench/cosim/run/configurations.h"

/* The number of seeds if only --time ends the run. */
#define PMUV3_SEEDS_WITHOUT_END UINT32_MAX

struct pmuv3_regress_options {
  struct pmuv3_shards shards;
  uint64_t shard_seeds;                          /* seeds of a shard */
  bool configurations[PMUV3_NUM_CONFIGURATIONS]; /* the chosen configurations */
  uint64_t first_seed;
  uint64_t num_seeds;   /* or PMUV3_SEEDS_WITHOUT_END */
  uint64_t cycles;      /* cycles of a task */
  double seconds;       /* no task starts after this time; infinite: no time budget */
  unsigned jobs;        /* parallel tasks */
  const char *database; /* file */
  const char *junit;    /* file, or NULL */
  const char *out;      /* folder for divergences */
  bool shrinks;         /* shrink the stimuli of divergences */
};

/* Parses the command line. Unusable arguments give one line on standard error and exit status 2. */
struct pmuv3_regress_options pmuv3_regress_options(int argc, char **argv);

#endif
