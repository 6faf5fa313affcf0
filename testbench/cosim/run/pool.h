/* Runs co-simulations in parallel, each in a process: SystemC elaborates only once in a process. */
#ifndef PMUV3_POOL_H
#define PMUV3_POOL_H

#include <stddef.h>

#include "testbench/cosim/run/cosim.h"

/* The tasks, and the callbacks for their results. */
struct pmuv3_pool_work {
  void *context;
  /* The next task, which must stay valid until it ended. NULL: no task now. */
  const struct pmuv3_cosim_task *(*next)(void *context);
  /* Called in the task's process after the simulation. NULL: nothing to do. */
  void (*after)(void *context, const struct pmuv3_cosim_task *task,
                struct pmuv3_cosim_result *result);
  /* A task ended. If its result is not finished, the task crashed or an output was unusable. */
  void (*ended)(void *context, const struct pmuv3_cosim_task *task,
                const struct pmuv3_cosim_result *result);
  /* Called from time to time, with the cycles so far of the running tasks. */
  void (*progress)(void *context, uint64_t running_cycles);
};

/*
 * Runs tasks, at most `jobs` in parallel, until there is no next task. Tasks start in the given
 * order and end in any order. No task outlives this process.
 */
void pmuv3_pool_run(unsigned jobs, const struct pmuv3_pool_work *work);

/*
 * Task number `number` of a seed. Its stimulus and its random initial values depend on nothing
 * else.
 */
struct pmuv3_cosim_task pmuv3_pool_task(const struct pmuv3_params *params, uint64_t cycles,
                                        uint64_t seed, uint64_t number);

/*
 * Each configuration runs in rounds of 1, 9, 30 and 60 percent of its cycles. Each round is a task.
 * All configurations run their first round before any runs its second, so a defect that only one
 * configuration shows is found early.
 */
enum { PMUV3_NUM_ROUNDS = 4 };
struct pmuv3_cosim_task pmuv3_pool_round(const struct pmuv3_params *params, uint64_t cycles,
                                         uint64_t seed, uint64_t configuration, unsigned round);

/* The same, of a configuration whose events nobody asked for: the rounds of 9 and 30 percent leave
 * out a part of them (pmuv3_configuration_reduce_events). */
struct pmuv3_cosim_task pmuv3_pool_reduced_round(const struct pmuv3_params *params, uint64_t cycles,
                                                 uint64_t seed, uint64_t configuration,
                                                 unsigned round);

#endif
