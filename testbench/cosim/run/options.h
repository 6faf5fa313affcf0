/* The command line of `pmuv3 run`. */
#ifndef PMUV3_OPTIONS_H
#define PMUV3_OPTIONS_H

#include "pmuv3/params.h"

struct pmuv3_run_options {
  uint64_t cycles; /* in all */
  uint64_t seed;
  unsigned jobs;
  const char *json; /* file, or NULL */
  const char *wave; /* file, or NULL */
  const char *out;  /* folder for what is kept of a divergence */
  bool shrinks;     /* ... and its stimulus is shrunk */
  bool configured;  /* one configuration was asked for: */
  struct pmuv3_params params;
};

/* Parses the command line. Bad usage: one line on standard error, exit status 2. */
struct pmuv3_run_options pmuv3_run_options(int argc, char **argv);

#endif
