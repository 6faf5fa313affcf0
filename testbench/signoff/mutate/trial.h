/* What becomes of a mutant in the lockstep regression. */
#ifndef PMUV3_TRIAL_H
#define PMUV3_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "testbench/cosim/run/cosim.h"

struct pmuv3_trial {
  bool finished;    /* there is a verdict */
  bool killed;      /* else it survived */
  char reason[200]; /* what killed it */
  uint64_t cycles;  /* Processor cycles until then, or that it survived */
  double seconds;
};

/* The tasks of the regression: those of `pmuv3 run`, on what the library of mutants has. */
struct pmuv3_regression {
  struct pmuv3_cosim_task *tasks;
  const char **names; /* of the tasks' configurations */
  size_t num_tasks;
  struct pmuv3_cosim_result *result; /* of the task that runs, in shared memory */
};

/* Plans the default regression of `cycles` and `seed`; false: out of memory. */
bool pmuv3_regression_plan(struct pmuv3_regression *regression, uint64_t cycles, uint64_t seed);

/*
 * Runs the selected mutant, each task in a process of its own, until one kills it. A task that
 * crashes or takes far more time than it should kills, too, if it does so again, and not without
 * the mutant.
 */
void pmuv3_trial(struct pmuv3_trial *trial, const struct pmuv3_regression *regression);

#endif
