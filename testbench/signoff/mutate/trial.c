#define _GNU_SOURCE
#include "testbench/signoff/mutate/trial.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/now.h"
#include "testbench/cosim/run/configurations.h"
#include "testbench/cosim/run/pool.h"
#include "testbench/signoff/mutate/mutants.h"

/* ---- The plan: tasks and seeds as `pmuv3 run` has them ---- */

/*
 * Where the library has few inputs of events, a round whose events are a part of all is for their
 * rows. So it becomes several tasks, each with rows and a stimulus of its own, as far as it has
 * cycles for them: two have rows of the set, one has INST_RETIRED in one of the rows in which the
 * RTL looks for it, five have numbers that PMCEID0 or PMCEID1 shows, two of them numbers of both
 * halves, and the others have rows again.
 */
enum {
  ROWS = 2,
  NEAR_INST_RETIRED = ROWS,
  NUMBERS,
  HALVES = 6,
  MORE_ROWS = 8,
  PARTS = 64,
  CYCLES_OF_PART = 400
};

static unsigned parts_of(const struct pmuv3_cosim_task *round) {
  const uint64_t parts = round->cycles / CYCLES_OF_PART;
  return parts < 1 ? 1 : parts < PARTS ? (unsigned)parts : PARTS;
}

/* `number` is that of the round among those that become parts. */
static void clip_to_part(struct pmuv3_cosim_task *task, unsigned part, unsigned number) {
  const unsigned rows = task->params.events.num;
  if (part < ROWS || part >= MORE_ROWS)
    pmuv3_mutants_clip_events(&task->params, PMUV3_CLIP_TO_ROWS, task->seed + part * (rows / ROWS));
  else if (part == NEAR_INST_RETIRED)
    pmuv3_mutants_clip_events(&task->params, PMUV3_CLIP_TO_NUMBERS,
                              1 + number % PMUV3_EVENT_INST_RETIRED);
  else if (part < HALVES)
    pmuv3_mutants_clip_events(&task->params, PMUV3_CLIP_TO_NUMBERS,
                              number * (HALVES - NUMBERS) + part - NUMBERS);
  else
    pmuv3_mutants_clip_events(&task->params, PMUV3_CLIP_TO_BOTH_HALVES,
                              number * (MORE_ROWS - HALVES) + part - HALVES);
}

static void add_task(struct pmuv3_regression *regression, const struct pmuv3_cosim_task *task,
                     size_t configuration) {
  regression->tasks[regression->num_tasks] = *task;
  regression->names[regression->num_tasks++] = pmuv3_configurations[configuration].name;
}

static void add_parts(struct pmuv3_regression *regression, const struct pmuv3_cosim_task *round,
                      size_t configuration, unsigned number) {
  const unsigned parts = parts_of(round);
  for (unsigned part = 0; part < parts; part++) {
    const uint64_t begun = part * round->cycles / parts;
    const uint64_t cycles = (part + 1) * round->cycles / parts - begun;
    struct pmuv3_cosim_task task = pmuv3_pool_task(&round->params, cycles, round->seed, part);
    clip_to_part(&task, part, number);
    add_task(regression, &task, configuration);
  }
}

/* The tasks of a round of a configuration. The first round and the last one have all events. */
static void add_round(struct pmuv3_regression *regression, uint64_t cycles, uint64_t seed,
                      size_t configuration, unsigned round) {
  const struct pmuv3_params params = pmuv3_configuration_params(configuration);
  const uint64_t budget = pmuv3_configuration_cycles(configuration, cycles);
  struct pmuv3_cosim_task task =
      pmuv3_pool_reduced_round(&params, budget, seed, configuration, round);
  const bool is_whole = task.params.events.num == params.events.num;
  pmuv3_mutants_clip(&task.params);
  if (!pmuv3_mutants_limit_events()) {
    add_task(regression, &task, configuration);
  } else if (is_whole) {
    pmuv3_mutants_clip_events(&task.params, PMUV3_CLIP_TO_KINDS, 0);
    add_task(regression, &task, configuration);
  } else {
    add_parts(regression, &task, configuration,
              (unsigned)configuration * (PMUV3_NUM_ROUNDS - 2) + round - 1);
  }
}

bool pmuv3_regression_plan(struct pmuv3_regression *regression, uint64_t cycles, uint64_t seed) {
  const size_t most = PARTS * PMUV3_NUM_CONFIGURATIONS * PMUV3_NUM_ROUNDS;
  *regression = (struct pmuv3_regression){
      .tasks = calloc(most, sizeof *regression->tasks),
      .names = calloc(most, sizeof *regression->names),
      .result = mmap(NULL, sizeof *regression->result, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0),
  };
  if (!regression->tasks || !regression->names || regression->result == MAP_FAILED) return false;
  for (unsigned round = 0; round < PMUV3_NUM_ROUNDS; round++)
    for (size_t configuration = 0; configuration < PMUV3_NUM_CONFIGURATIONS; configuration++)
      add_round(regression, cycles, seed, configuration, round);
  return true;
}

/* ---- A task ---- */

/* The exit status of a task whose mutant keeps another state than the model. */
#define OTHER_STATE 4

/* Processor time after which a task hangs: it takes far less. */
static rlim_t seconds_of(const struct pmuv3_cosim_task *task) {
  return 20 + task->cycles / 1000;
}

/* The child: what it may say of a crash is said by its end. */
_Noreturn static void run_task(const struct pmuv3_cosim_task *task,
                               struct pmuv3_cosim_result *result) {
  const rlim_t seconds = seconds_of(task);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  /* A smaller limit of the user would end a mutant that does not hang. */
  if (setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds + 1}) != 0) _exit(PMUV3_NO_VERDICT);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(2);
  pmuv3_cosim(task, result);
  _exit(pmuv3_mutants_keep_other_state() ? OTHER_STATE : 0);
}

static void kill_by_crash(struct pmuv3_trial *trial, int status, const char *configuration) {
  trial->killed = true;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    snprintf(trial->reason, sizeof trial->reason, "hangs, in '%s'", configuration);
  else if (WIFSIGNALED(status))
    snprintf(trial->reason, sizeof trial->reason, "crashes (%s), in '%s'",
             strsignal(WTERMSIG(status)), configuration);
  else
    snprintf(trial->reason, sizeof trial->reason, "ends the simulation, in '%s'", configuration);
}

static void kill_by_divergence(struct pmuv3_trial *trial, const struct pmuv3_divergence *divergence,
                               const char *configuration) {
  char counter[16] = "";
  if (divergence->counter >= 0) snprintf(counter, sizeof counter, "[%d]", divergence->counter);
  trial->killed = true;
  snprintf(trial->reason, sizeof trial->reason,
           "%s%s: cmodel 0x%" PRIx64 ", rtl 0x%" PRIx64 ", in cycle %" PRIu64 " of '%s'",
           divergence->signal, counter, divergence->cmodel, divergence->rtl, divergence->cycle,
           configuration);
}

static void kill_by_state(struct pmuv3_trial *trial, const char *configuration) {
  trial->killed = true;
  snprintf(trial->reason, sizeof trial->reason,
           "keeps another state than the model, at the end of '%s'", configuration);
}

/* A task that diverged has its verdict, even if its process then died. */
static void note_end(struct pmuv3_cosim_result *result, int status) {
  const bool has_ended =
      WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == OTHER_STATE);
  if (!has_ended && !result->diverged) result->finished = false;
}

/* A mutant raises these signals itself. Every other signal comes from elsewhere: from the kernel
 * that is short of memory, or from a user. */
static bool is_crash(int signal_number) {
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGXCPU};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
    if (crashes[i] == signal_number) return true;
  return false;
}

/* Whether something else than the mutant ended the process. */
static bool was_stopped(int status) {
  if (WIFSIGNALED(status)) return !is_crash(WTERMSIG(status));
  return WEXITSTATUS(status) == PMUV3_UNUSABLE || WEXITSTATUS(status) == PMUV3_NO_VERDICT;
}

enum model { MUTANT, SOUND };

/* False: there was no process for it, or it was stopped. */
static bool run_apart(const struct pmuv3_regression *regression, size_t number, enum model model,
                      int *status) {
  memset(regression->result, 0, sizeof *regression->result);
  fflush(NULL);
  const pid_t process = fork();
  if (process == 0) {
    if (model == SOUND) pmuv3_mutants_select(0);
    run_task(&regression->tasks[number], regression->result);
  }
  if (process < 0 || waitpid(process, status, 0) != process || was_stopped(*status)) return false;
  note_end(regression->result, *status);
  return true;
}

/* Memory that runs out looks like a crash, too. So a crash counts if the task ends well without the
 * mutant, and its second run with the mutant says what became of it. */
static bool run_with_control(const struct pmuv3_regression *regression, size_t number,
                             int *status) {
  const struct pmuv3_cosim_result *result = regression->result;
  if (!run_apart(regression, number, MUTANT, status)) return false;
  if (result->finished) return true;
  return run_apart(regression, number, SOUND, status) && result->finished &&
         run_apart(regression, number, MUTANT, status);
}

/* False: there is no verdict. */
static bool try_task(struct pmuv3_trial *trial, const struct pmuv3_regression *regression,
                     size_t number) {
  const char *configuration = regression->names[number];
  const struct pmuv3_cosim_result *result = regression->result;
  int status;
  if (!run_with_control(regression, number, &status)) return false;
  trial->cycles += result->cycles;
  if (!result->finished)
    kill_by_crash(trial, status, configuration);
  else if (result->diverged)
    kill_by_divergence(trial, &result->divergence, configuration);
  else if (WIFEXITED(status) && WEXITSTATUS(status) == OTHER_STATE)
    kill_by_state(trial, configuration);
  return true;
}

/* ---- The trial ---- */

static uint64_t cycles_of(const struct pmuv3_regression *regression) {
  uint64_t cycles = 0;
  for (size_t i = 0; i < regression->num_tasks; i++) cycles += regression->tasks[i].cycles;
  return cycles;
}

void pmuv3_trial(struct pmuv3_trial *trial, const struct pmuv3_regression *regression) {
  const double start = pmuv3_now();
  bool ran = true;
  *trial = (struct pmuv3_trial){0};
  for (size_t i = 0; ran && i < regression->num_tasks && !trial->killed; i++)
    ran = try_task(trial, regression, i);
  if (!trial->killed) trial->cycles = cycles_of(regression);
  trial->seconds = pmuv3_now() - start;
  trial->finished = ran;
}
