/*
 * One co-simulation: the C model and the RTL in lockstep inside the TLM module, on a SystemC clock,
 * with random stimulus.
 */
#ifndef PMUV3_COSIM_H
#define PMUV3_COSIM_H

#include "pmuv3/params.h"
#include "testbench/cosim/scoreboard/lockstep.h"
#include "testbench/cosim/stimulus/random.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_cosim_task {
  struct pmuv3_params params; /* complete */
  uint64_t seed;              /* of the stimulus */
  uint32_t x_seed;            /* of the RTL's initial values */
  uint64_t cycles;            /* Processor cycles to run */
  const char *wave;           /* file for an FST of the RTL, in a build with waves; or NULL */
  uint64_t *hits;             /* of the bins of coverage/coverage.h; NULL: not collected */
  struct pmuv3_bias bias;     /* of the stimulus */
};

/* The result grows while the task runs, so that another process can watch it in shared memory. */
struct pmuv3_cosim_result {
  volatile uint64_t cycles;      /* Processor cycles run */
  volatile uint64_t comparisons; /* values compared between the two sides */
  double seconds;
  bool finished; /* the task ran to its end or to a divergence */
  bool unusable; /* an output was unusable; the task's process has printed which */
  bool diverged;
  bool is_kept; /* the task's process kept the divergence's files */
  struct pmuv3_divergence divergence;
};

/* Runs a task. Only once in a process, since SystemC elaborates only once. */
void pmuv3_cosim(const struct pmuv3_cosim_task *task, struct pmuv3_cosim_result *result);

#ifdef __cplusplus
}
#endif

#endif
