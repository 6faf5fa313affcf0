/* Co-simulations side by side, each a process: SystemC elaborates once in a process. */
#ifndef PMUV3_POOL_H
#define PMUV3_POOL_H

#include <stddef.h>

#include "testbench/cosim/run/cosim.h"

/* What is to be run, and what becomes of it. */
struct pmuv3_pool_work {
  void *context;
  /* The task that starts next, which stays where it is until it ended; NULL: none now. */
  const struct pmuv3_cosim_task *(*next)(void *context);
  /* In the task's own process, when it was simulated; NULL: nothing more. */
  void (*after)(void *context, const struct pmuv3_cosim_task *task,
                const struct pmuv3_cosim_result *result);
  /* A task ended. One whose result is not finished crashed, or met something unusable. */
  void (*ended)(void *context, const struct pmuv3_cosim_task *task,
                const struct pmuv3_cosim_result *result);
  /* Now and then, with the cycles so far of the tasks that are running. */
  void (*progress)(void *context, uint64_t running_cycles);
};

/*
 * Runs tasks, as many at a time as there are jobs, until there is no next one.
 * They start in the order in which they are given; in which they end is left to
 * the machine. None outlives this process.
 */
void pmuv3_pool_run(unsigned jobs, const struct pmuv3_pool_work *work);

/*
 * The number-th task of a seed: its stimulus and its random initial values
 * depend on nothing else.
 */
struct pmuv3_cosim_task pmuv3_pool_task(const struct pmuv3_params *params, uint64_t cycles,
                                        uint64_t seed, uint64_t number);

/*
 * What runs first of a configuration, and what then: rounds of 1, 9, 30 and 60
 * percent of its cycles, each a task. With the first round of all configurations
 * before the second of any, what only one of them shows is seen soon.
 */
enum { PMUV3_NUM_ROUNDS = 4 };
struct pmuv3_cosim_task pmuv3_pool_round(const struct pmuv3_params *params, uint64_t cycles,
                                         uint64_t seed, uint64_t configuration, unsigned round);

#endif
