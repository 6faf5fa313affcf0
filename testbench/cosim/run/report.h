/* What `pmuv3 run` tells: progress, a summary for a person, JSON for a script. */
#ifndef PMUV3_REPORT_H
#define PMUV3_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "testbench/cosim/run/cosim.h"

/* One configuration's run, summed over its tasks. */
struct pmuv3_run {
  char name[64];
  struct pmuv3_params params;
  uint64_t budget; /* cycles asked for */
  uint64_t cycles;
  uint64_t comparisons;
  double seconds; /* of simulation, summed over tasks */
  bool finished;
  const struct pmuv3_divergence *divergence; /* NULL: equivalent */
  const struct pmuv3_cosim_task *diverged;   /* the task it was in */
};

struct pmuv3_report {
  const struct pmuv3_run *runs;
  size_t num_runs;
  uint64_t seed;
  double seconds;  /* wall clock */
  const char *out; /* folder in which a divergence was kept */
  bool is_kept;    /* ... its stimulus was kept there */
  bool is_shrunk;  /* ... and a minimal one */
  bool has_wave;   /* ... and an FST */
};

/* The first run that diverged; NULL: all are equivalent. */
const struct pmuv3_run *pmuv3_report_diverged(const struct pmuv3_report *report);

/* A line a run, and what diverged. */
void pmuv3_report_print(FILE *out, const struct pmuv3_report *report);

/* Writes the report as JSON (docs/reference/formats.md); false: `out` could not be written. */
bool pmuv3_report_json(FILE *out, const struct pmuv3_report *report);

#endif
