/* The report of `pmuv3 run`: progress, a summary for a person, JSON for a script. */
#ifndef PMUV3_REPORT_H
#define PMUV3_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "testbench/cosim/run/cosim.h"

/* The run of one configuration, summed over its tasks. */
struct pmuv3_run {
  char name[64];
  struct pmuv3_params params;
  uint64_t budget; /* cycles asked for */
  uint64_t cycles;
  uint64_t comparisons;
  double seconds; /* of simulation, summed over tasks */
  bool finished;
  const struct pmuv3_divergence *divergence; /* NULL: equivalent */
  const struct pmuv3_cosim_task *diverged;   /* the task that diverged */
};

struct pmuv3_report {
  const struct pmuv3_run *runs;
  size_t num_runs;
  uint64_t seed;
  double seconds;  /* wall clock */
  const char *out; /* folder of the files of a divergence */
  bool is_kept;    /* the stimulus was saved there */
  bool is_shrunk;  /* a minimal stimulus was saved there */
  bool has_wave;   /* an FST was saved there */
};

/* The first run that diverged; NULL: all are equivalent. */
const struct pmuv3_run *pmuv3_report_diverged(const struct pmuv3_report *report);

/* A line for each run, and the divergence. */
void pmuv3_report_print(FILE *out, const struct pmuv3_report *report);

/* Writes the report as JSON (docs/reference/formats.md). False: a write failed. */
bool pmuv3_report_json(FILE *out, const struct pmuv3_report *report);

#endif
