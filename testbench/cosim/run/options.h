/* The command line of `pmuv3 run`. */
#ifndef PMUV3_OPTIONS_H
#define PMUV3_OPTIONS_H

#include "pmuv3/params.h"

struct pmuv3_run_options {
  uint64_t cycles; /* cycles of all configurations together */
  uint64_t seed;
  unsigned jobs;
  const char *json; /* file, or NULL */
  const char *wave; /* file, or NULL */
  const char *out;  /* folder for the files of a divergence */
  bool shrinks;     /* shrink the stimulus of a divergence */
  bool configured;  /* one configuration was asked for: `params` */
  const char *core; /* whose preset it began as, or NULL */
  struct pmuv3_params params;
};

/* Parses the command line. Unusable arguments give one line on standard error and exit status 2. */
struct pmuv3_run_options pmuv3_run_options(int argc, char **argv);

#endif
