#define _GNU_SOURCE
#include "testbench/cosim/run/pool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/run/configurations.h"
#include "testbench/cosim/stimulus/prng.h"

/* A place for one task at a time. */
struct slot {
  pid_t process; /* 0: free */
  const struct pmuv3_cosim_task *task;
};

struct pool {
  const struct pmuv3_pool_work *work;
  unsigned jobs;
  struct slot *slots;
  struct pmuv3_cosim_result *results; /* one a slot, shared with its process */
};

static _Noreturn void run_task(const struct pool *pool, unsigned s, pid_t parent) {
  const struct pmuv3_cosim_task *task = pool->slots[s].task;
  pmuv3_cli_end_with(parent);
  pmuv3_cosim(task, &pool->results[s]);
  if (pool->work->after) pool->work->after(pool->work->context, task, &pool->results[s]);
  fflush(NULL);
  _exit(0);
}

static void start(struct pool *pool, unsigned s, const struct pmuv3_cosim_task *task) {
  memset(&pool->results[s], 0, sizeof pool->results[s]);
  pool->slots[s].task = task;
  fflush(NULL);
  const pid_t parent = getpid();
  pool->slots[s].process = fork();
  if (pool->slots[s].process == 0) run_task(pool, s, parent);
  if (pool->slots[s].process < 0)
    pmuv3_cli_no_verdict("cannot start a process: %s", strerror(errno));
}

/* A task that diverged has its verdict, even if its process then died. */
static void note_end(struct pmuv3_cosim_result *result, int status) {
  result->unusable = WIFEXITED(status) && WEXITSTATUS(status) == PMUV3_UNUSABLE;
  if (status != 0 && !result->diverged) result->finished = false;
}

static void reap(struct pool *pool) {
  for (unsigned s = 0; s < pool->jobs; s++) {
    struct slot *slot = &pool->slots[s];
    int status = 0;
    if (!slot->process || waitpid(slot->process, &status, WNOHANG) == 0) continue;
    slot->process = 0;
    note_end(&pool->results[s], status);
    pool->work->ended(pool->work->context, slot->task, &pool->results[s]);
  }
}

/* Starts a task in every free slot, as long as there are tasks. */
static void fill(struct pool *pool) {
  for (unsigned s = 0; s < pool->jobs; s++) {
    if (pool->slots[s].process) continue;
    const struct pmuv3_cosim_task *task = pool->work->next(pool->work->context);
    if (!task) return;
    start(pool, s, task);
  }
}

static bool is_idle(const struct pool *pool) {
  for (unsigned s = 0; s < pool->jobs; s++)
    if (pool->slots[s].process) return false;
  return true;
}

static uint64_t running_cycles(const struct pool *pool) {
  uint64_t cycles = 0;
  for (unsigned s = 0; s < pool->jobs; s++)
    if (pool->slots[s].process) cycles += pool->results[s].cycles;
  return cycles;
}

void pmuv3_pool_run(unsigned jobs, const struct pmuv3_pool_work *work) {
  struct pool pool = {.work = work, .jobs = jobs};
  pool.slots = calloc(jobs, sizeof *pool.slots);
  pool.results = mmap(NULL, jobs * sizeof *pool.results, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!pool.slots || pool.results == MAP_FAILED) pmuv3_cli_no_verdict("out of memory");
  for (bool done = false; !done;) {
    reap(&pool);
    fill(&pool);
    done = is_idle(&pool);
    work->progress(work->context, running_cycles(&pool));
    if (!done) nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
  free(pool.slots);
  munmap(pool.results, jobs * sizeof *pool.results);
}

/* The number-th output of SplitMix64 from the seed. */
static uint64_t mix(uint64_t seed, uint64_t number) {
  uint64_t state = seed + number * UINT64_C(0x9E3779B97F4A7C15);
  return pmuv3_splitmix64(&state);
}

struct pmuv3_cosim_task pmuv3_pool_task(const struct pmuv3_params *params, uint64_t cycles,
                                        uint64_t seed, uint64_t number) {
  return (struct pmuv3_cosim_task){
      .params = *params,
      .seed = mix(seed, 2 * number),
      .x_seed = (uint32_t)mix(seed, 2 * number + 1) >> 1 | 1, /* Verilator: 0 is not random */
      .cycles = cycles,
  };
}

/* The share of a configuration's cycles before each round, in percent. */
static const unsigned before[PMUV3_NUM_ROUNDS + 1] = {0, 1, 10, 40, 100};

struct pmuv3_cosim_task pmuv3_pool_round(const struct pmuv3_params *params, uint64_t cycles,
                                         uint64_t seed, uint64_t configuration, unsigned round) {
  const uint64_t share = before[round + 1] * cycles / 100 - before[round] * cycles / 100;
  return pmuv3_pool_task(params, share, seed, configuration * PMUV3_NUM_ROUNDS + round);
}

struct pmuv3_cosim_task pmuv3_pool_reduced_round(const struct pmuv3_params *params, uint64_t cycles,
                                                 uint64_t seed, uint64_t configuration,
                                                 unsigned round) {
  struct pmuv3_cosim_task task = pmuv3_pool_round(params, cycles, seed, configuration, round);
  const bool is_reduced = round > 0 && round + 1 < PMUV3_NUM_ROUNDS;
  if (is_reduced) pmuv3_configuration_reduce_events(&task.params, task.seed);
  return task;
}
