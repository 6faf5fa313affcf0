/* The command line of `pmuv3 regress`. */
#ifndef PMUV3_REGRESS_OPTIONS_H
#define PMUV3_REGRESS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "testbench/cosim/run/configurations.h"

/* Number of seeds where only the time ends them. */
#define PMUV3_SEEDS_WITHOUT_END UINT32_MAX

struct pmuv3_regress_options {
  bool configurations[PMUV3_NUM_CONFIGURATIONS]; /* which of them */
  uint64_t first_seed;
  uint64_t num_seeds;   /* or PMUV3_SEEDS_WITHOUT_END */
  uint64_t cycles;      /* a task */
  double seconds;       /* after which no task starts; infinite: no budget */
  unsigned jobs;        /* tasks side by side */
  const char *database; /* file */
  const char *junit;    /* file, or NULL */
  const char *out;      /* folder in which divergences are kept */
  bool shrinks;         /* ... and their stimuli are shrunk */
};

/* Parses the command line. Bad usage: one line on standard error, exit status 2. */
struct pmuv3_regress_options pmuv3_regress_options(int argc, char **argv);

#endif
