/* Tasks side by side: processes, each with a device of its own. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/cosim/check/bench/cover.h"
#include "testbench/cosim/check/bench/player.h"
#include "testbench/cosim/check/bench/run.h"
#include "testbench/cosim/check/bench/watchdog.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/now.h"
#include "testbench/cosim/run/progress.h"
#include "testbench/cosim/stimulus/prng.h"

/*
 * Rounds of tasks, for feedback: coverage of all earlier rounds decides the foci of a round. Each
 * round is as long as all before it, so the foci do not depend on how many processes there are, and
 * processes seldom wait.
 */
enum { FIRST_ROUND = 4, MAX_ROUNDS = 64 };

/* Memory that all processes share. */
struct shared {
  _Atomic uint64_t next;  /* task to start */
  _Atomic uint64_t first; /* that diverged; UINT64_MAX: none */
  _Atomic uint64_t clocks;
  _Atomic uint64_t done;   /* tasks */
  _Atomic unsigned rounds; /* whose foci are known, besides the first */
  struct foci foci[MAX_ROUNDS];
  _Atomic bool no_memory, no_process;
  _Atomic bool is_given_up; /* a process is gone, so nobody waits for its task */
  atomic_flag is_said;      /* why a process gave up, in `why` */
  char why[CRASH_SIZE];
  _Atomic uint64_t watched;
  _Atomic uint64_t reached[]; /* struct totals */
};

static struct shared *shared_memory; /* for signal handlers */

/* What a process hands back. Its tasks end with the first that diverged. */
struct handed {
  struct pmuv3_check_counts counts;
  bool is_whole;
  bool diverged;
  uint64_t task; /* that diverged */
  struct met met;
  struct pmuv3_check_register registers[]; /* of the description */
};

/* ---- A device that ends the simulation ---- */

/* A signal handler may call this. */
static void say_why(struct shared *shared, const char *why) {
  if (!atomic_flag_test_and_set(&shared->is_said))
    strncat(shared->why, why, sizeof shared->why - 1);
}

/* The parent prints the reason of a child. */
static void say_how_it_ended(const char *why) {
  say_why(shared_memory, why);
}

/* ---- A task ---- */

static uint64_t seed_of(const struct options *options, uint64_t task) {
  uint64_t state = options->seed * UINT64_C(0x9E3779B97F4A7C15) + task;
  return pmuv3_splitmix64(&state);
}

static uint64_t clocks_of(const struct options *options, uint64_t task) {
  const uint64_t left = options->cycles - task * TASK_CLOCKS;
  return left < TASK_CLOCKS ? left : TASK_CLOCKS;
}

static uint64_t num_tasks(const struct options *options) {
  return (options->cycles + TASK_CLOCKS - 1) / TASK_CLOCKS;
}

/* ---- Rounds ---- */

static unsigned round_of(uint64_t task) {
  unsigned round = 0;
  for (uint64_t end = FIRST_ROUND; task >= end; end *= 2) round++;
  return round;
}

static uint64_t first_of_round(unsigned round) {
  return round == 0 ? 0 : (uint64_t)FIRST_ROUND << (round - 1);
}

/* Waits until all tasks of earlier rounds are done. False: there is nothing to wait for any more.
 */
static bool wait_for_round(struct shared *shared, uint64_t task) {
  while (atomic_load(&shared->rounds) < round_of(task)) {
    if (task > atomic_load(&shared->first) || atomic_load(&shared->is_given_up)) return false;
    usleep(1000);
  }
  return true;
}

/* Whoever ends the last task of a round finds the foci of the next. Tasks of the next round wait,
 * so what is reached does not change meanwhile. */
static void end_task(struct shared *shared, const struct lacks *lacks) {
  const uint64_t done = atomic_fetch_add(&shared->done, 1) + 1;
  const unsigned round = round_of(done);
  if (done != first_of_round(round)) return;
  shared->foci[round] = cover_foci(lacks, (const uint64_t *)shared->reached);
  atomic_store(&shared->rounds, round);
}

/* ---- Playing ---- */

/* Coverage takes longer than all the rest, so only the first clocks of a task are observed. */
enum { OBSERVED_CLOCKS = TASK_CLOCKS / 4 };

/* Plays a task. `stimulus`, if any, gets the items. False: the device diverged, or no memory. */
static bool play(struct player *player, const struct options *options,
                 const struct profile *profile, uint64_t task, const struct foci *foci,
                 struct cover *cover, struct stimulus *stimulus, bool *no_memory) {
  const uint64_t seed = seed_of(options, task), clocks = clocks_of(options, task);
  struct random *random = random_create(profile, seed);
  const uint32_t x_seed = (uint32_t)(seed >> 33) | 1;
  bool good = random && player_start(player, x_seed);
  *no_memory = !good;
  if (random) random_set_foci(random, foci);
  if (stimulus) stimulus->seed = x_seed;
  while (good && player_clocks(player) < clocks) {
    const struct item *item = random_next(random);
    if (stimulus && !stimulus_add(stimulus, item)) {
      *no_memory = true;
      break;
    }
    good = player_play(player, item);
    if (cover && player_clocks(player) >= OBSERVED_CLOCKS) cover_end(cover);
  }
  if (good && !*no_memory) good = player_finish(player);
  random_destroy(random);
  return good;
}

bool task_record(struct player *player, const struct options *options,
                 const struct profile *profile, const struct diverged *diverged,
                 struct stimulus *stimulus) {
  bool no_memory;
  return !play(player, options, profile, diverged->task, &diverged->foci, NULL, stimulus,
               &no_memory) &&
         !no_memory;
}

/* ---- A process ---- */

static void note_divergence(struct shared *shared, struct handed *handed, uint64_t task,
                            const struct pmuv3_check *check) {
  uint64_t first = atomic_load(&shared->first);
  handed->met = met_of(check);
  handed->task = task;
  handed->diverged = true;
  while (task < first && !atomic_compare_exchange_weak(&shared->first, &first, task)) continue;
}

static void hand_back(struct handed *handed, const struct pmuv3_check *check,
                      const struct pmuv3_device *device) {
  pmuv3_check_count(check, &handed->counts);
  for (size_t r = 0; r < device->num_registers; r++)
    pmuv3_check_count_register(check, r, &handed->registers[r]);
  handed->is_whole = true;
}

/* Adds what a task reached, and forgets it. */
static void add_reached(struct shared *shared, uint64_t *reached, size_t size) {
  for (size_t n = 0; n < size; n++)
    if (reached[n]) atomic_fetch_add(&shared->reached[n], reached[n]);
  memset(reached, 0, size * sizeof *reached);
}

/* What a process works with. */
struct worker {
  const struct options *options;
  const struct profile *profile;
  struct lacks lacks;
  struct pmuv3_check *check;
  struct player *player;
  struct handed *handed;
  uint64_t *reached;
  size_t num_reached;
};

static bool do_task(struct worker *worker, struct shared *shared, uint64_t task) {
  const struct pmuv3_device *device = worker->profile->device;
  const struct foci *foci = &shared->foci[round_of(task)];
  bool no_memory;
  struct cover *cover = cover_create(device, worker->check, worker->reached, true);
  if (!cover) return false;
  const bool good =
      play(worker->player, worker->options, worker->profile, task, foci, cover, NULL, &no_memory);
  cover_destroy(cover);
  if (no_memory) return false;
  if (!good) note_divergence(shared, worker->handed, task, worker->check);
  const uint64_t clocks = player_clocks(worker->player);
  add_reached(shared, worker->reached, worker->num_reached);
  atomic_fetch_add(&shared->clocks, clocks);
  atomic_fetch_add(&shared->watched, clocks < OBSERVED_CLOCKS ? clocks : OBSERVED_CLOCKS);
  end_task(shared, &worker->lacks);
  return true;
}

/* Tasks before the first that diverged go on, so that the first does not depend on chance. */
static bool do_tasks(struct worker *worker, struct shared *shared) {
  for (uint64_t task; (task = atomic_fetch_add(&shared->next, 1)) < num_tasks(worker->options);) {
    if (task > atomic_load(&shared->first) || !wait_for_round(shared, task)) break;
    if (!do_task(worker, shared, task)) return false;
  }
  return true;
}

static void work(const struct options *options, const struct profile *profile,
                 struct shared *shared, struct handed *handed) {
  const struct pmuv3_device *device = profile->device;
  static struct worker worker;
  watchdog_tell(say_how_it_ended);
  worker.options = options;
  worker.profile = profile;
  worker.handed = handed;
  worker.check = pmuv3_check_create(device);
  worker.player = worker.check ? player_create(profile, worker.check) : NULL;
  worker.num_reached = cover_size(device);
  worker.reached = calloc(worker.num_reached, sizeof *worker.reached);
  cover_find_lacks(&worker.lacks, profile);
  if (worker.player && worker.reached && do_tasks(&worker, shared))
    hand_back(handed, worker.check, device);
  else
    atomic_store(&shared->no_memory, true);
  free(worker.reached);
  player_destroy(worker.player);
  pmuv3_check_destroy(worker.check);
}

/* ---- All ---- */

static void *share(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) pmuv3_cli_no_verdict("out of memory");
  return memory;
}

/* Adds what has numbers of 64 bits alone (check.h). */
static void add_numbers(void *sum, const void *numbers, size_t size) {
  uint64_t *to = sum;
  const uint64_t *from = numbers;
  for (size_t n = 0; n < size / sizeof *to; n++) to[n] += from[n];
}

static void add(struct totals *totals, const struct handed *handed,
                const struct pmuv3_device *device) {
  add_numbers(&totals->counts, &handed->counts, sizeof handed->counts);
  add_numbers(totals->registers, handed->registers,
              device->num_registers * sizeof *handed->registers);
}

static void show(const struct options *options, struct shared *shared, double start) {
  const uint64_t clocks = atomic_load(&shared->clocks);
  const unsigned percent =
      clocks >= options->cycles ? 100 : (unsigned)(clocks * 100 / options->cycles);
  if (percent < 100 && atomic_load(&shared->first) == UINT64_MAX)
    pmuv3_progress(percent, clocks, start);
}

static void refuse_to_start(const struct options *options, struct shared *shared) {
  char why[100];
  snprintf(why, sizeof why, "cannot start a process: %s", strerror(errno));
  say_why(shared, why);
  atomic_store(&shared->no_process, true);
  atomic_store(&shared->next, num_tasks(options));
  atomic_store(&shared->is_given_up, true);
}

/* Starts the processes. If one cannot start, the others end after their task. */
static void start_all(const struct options *options, const struct profile *profile,
                      struct shared *shared, char *handed, unsigned jobs, size_t size,
                      pid_t *processes) {
  const pid_t parent = getpid();
  fflush(NULL);
  for (unsigned j = 0; j < jobs; j++) {
    processes[j] = fork();
    if (processes[j] < 0) {
      refuse_to_start(options, shared);
      return;
    }
    if (processes[j] > 0) continue;
    shared_memory = shared;
    pmuv3_cli_end_with(parent);
    work(options, profile, shared, (struct handed *)(handed + j * size));
    _exit(0);
  }
}

/* Whoever started this program may have left it other children. A process that ends before its
 * tasks leaves others waiting for them. */
static bool is_running(struct shared *shared, pid_t process) {
  int status = 0;
  if (process <= 0) return false;
  if (waitpid(process, &status, WNOHANG) == 0) return true;
  if (status != 0) atomic_store(&shared->is_given_up, true);
  return false;
}

static void wait_all(const struct options *options, struct shared *shared, pid_t *processes,
                     unsigned jobs, double start) {
  for (bool any = true; any; usleep(any ? 20000 : 0)) {
    any = false;
    for (unsigned j = 0; j < jobs; j++) {
      if (is_running(shared, processes[j]))
        any = true;
      else
        processes[j] = 0;
    }
    show(options, shared, start);
  }
}

/* Adds what the processes handed back. False: one ended before it did. */
static bool add_all(struct totals *totals, const char *handed, unsigned jobs, size_t size,
                    const struct pmuv3_device *device) {
  bool is_whole = true;
  for (unsigned j = 0; j < jobs; j++) {
    const struct handed *one = (const struct handed *)(handed + j * size);
    is_whole &= one->is_whole;
    if (one->is_whole) add(totals, one, device);
  }
  return is_whole;
}

static struct met met_in(uint64_t task, const char *handed, unsigned jobs, size_t size) {
  for (unsigned j = 0; j < jobs; j++) {
    const struct handed *one = (const struct handed *)(handed + j * size);
    if (one->diverged && one->task == task) return one->met;
  }
  return (struct met){.num_accesses = 0};
}

/* Whether the device ended a process. The first reason counts. */
static bool find_crash(struct shared *shared, bool is_whole, char crash[CRASH_SIZE]) {
  if (atomic_load(&shared->no_memory)) pmuv3_cli_no_verdict("out of memory");
  if (!is_whole) say_why(shared, "a process ended before its time");
  if (atomic_load(&shared->no_process)) pmuv3_cli_no_verdict("%s: no verdict", shared->why);
  memcpy(crash, shared->why, CRASH_SIZE);
  return *crash;
}

bool tasks_run(const struct options *options, const struct profile *profile, struct totals *totals,
               struct diverged *diverged, char crash[CRASH_SIZE]) {
  const struct pmuv3_device *device = profile->device;
  const uint64_t tasks = num_tasks(options);
  const unsigned jobs = tasks < options->jobs ? (unsigned)tasks : options->jobs;
  const size_t size =
      (sizeof(struct handed) + device->num_registers * sizeof(struct pmuv3_check_register) + 63) /
      64 * 64;
  const size_t num_reached = cover_size(device);
  struct shared *shared = share(sizeof *shared + num_reached * sizeof *shared->reached);
  char *handed = share(jobs * size);
  atomic_store(&shared->first, UINT64_MAX);
  const double start = pmuv3_now();
  pid_t *processes = calloc(jobs, sizeof *processes);
  if (!processes) pmuv3_cli_no_verdict("out of memory");
  start_all(options, profile, shared, handed, jobs, size, processes);
  wait_all(options, shared, processes, jobs, start);
  free(processes);
  for (size_t n = 0; n < num_reached; n++) totals->reached[n] = atomic_load(&shared->reached[n]);
  totals->watched = atomic_load(&shared->watched);
  const bool is_whole = add_all(totals, handed, jobs, size, device);
  diverged->task = atomic_load(&shared->first);
  if (diverged->task != UINT64_MAX) {
    diverged->foci = shared->foci[round_of(diverged->task)];
    diverged->met = met_in(diverged->task, handed, jobs, size);
    return true;
  }
  if (!find_crash(shared, is_whole, crash))
    pmuv3_progress(100, atomic_load(&shared->clocks), start);
  return false;
}
