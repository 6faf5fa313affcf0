/*
 * `pmuv3 run`: every configuration in lockstep.
 *
 * A configuration is split into tasks, each with its own stimulus and its own
 * random initial values of the RTL; a task is a process (SystemC elaborates
 * once in a process), as many at a time as there are processors. Tasks start in
 * order and write their results to shared memory, so what is reported depends
 * on the seed alone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/cli/cli.h"
#include "testbench/cli/now.h"
#include "testbench/cosim/configurations.h"
#include "testbench/cosim/cosim.h"
#include "testbench/cosim/failure.h"
#include "testbench/cosim/options.h"
#include "testbench/cosim/report.h"
#include "testbench/stimulus/prng.h"

#define MAX_TASKS_PER_RUN 4
#define MAX_TASKS (PMUV3_NUM_CONFIGURATIONS * MAX_TASKS_PER_RUN)

struct campaign {
  struct pmuv3_run runs[PMUV3_NUM_CONFIGURATIONS];
  size_t num_runs;
  uint64_t tasks_per_run; /* 1 with a wave, which is of one process */
  struct pmuv3_cosim_task tasks[MAX_TASKS];
  struct pmuv3_cosim_result *results; /* shared with the tasks' processes */
  pid_t processes[MAX_TASKS];         /* 0: not running */
  size_t num_tasks;
  size_t num_started;
};

/* The number-th output of SplitMix64 from the seed. */
static uint64_t mix(uint64_t seed, uint64_t number) {
  uint64_t state = seed + number * UINT64_C(0x9E3779B97F4A7C15);
  return pmuv3_splitmix64(&state);
}

static void add_run(struct campaign *campaign, const char *name, const struct pmuv3_params *params,
                    uint64_t cycles, uint64_t seed) {
  struct pmuv3_run *run = &campaign->runs[campaign->num_runs];
  *run = (struct pmuv3_run){.params = *params, .budget = cycles};
  snprintf(run->name, sizeof run->name, "%s", name);
  campaign->num_runs++;
  for (uint64_t i = 0; i < campaign->tasks_per_run; i++) {
    size_t number = campaign->num_tasks++;
    campaign->tasks[number] = (struct pmuv3_cosim_task){
        .params = *params,
        .seed = mix(seed, 2 * number),
        .x_seed = (uint32_t)mix(seed, 2 * number + 1) >> 1 | 1, /* 0 means none to Verilator */
        .cycles = (i + 1) * cycles / campaign->tasks_per_run - i * cycles / campaign->tasks_per_run,
    };
  }
}

static void plan(struct campaign *campaign, const struct pmuv3_run_options *options) {
  campaign->tasks_per_run = options->wave ? 1 : MAX_TASKS_PER_RUN;
  if (options->configured) {
    char name[64];
    snprintf(name, sizeof name, "%u counters, %u threads, as asked for", options->params.counters,
             options->params.threads);
    add_run(campaign, name, &options->params, options->cycles, options->seed);
    campaign->tasks[0].wave = options->wave;
    return;
  }
  for (uint64_t i = 0; i < PMUV3_NUM_CONFIGURATIONS; i++) {
    struct pmuv3_params params = pmuv3_params_default();
    const char *error = pmuv3_configuration_set(&params, pmuv3_configurations[i].params);
    if (!error) error = pmuv3_params_complete(&params);
    if (error) pmuv3_cli_unusable("%s: %s", pmuv3_configurations[i].name, error);
    uint64_t cycles = (i + 1) * options->cycles / PMUV3_NUM_CONFIGURATIONS -
                      i * options->cycles / PMUV3_NUM_CONFIGURATIONS;
    add_run(campaign, pmuv3_configurations[i].name, &params, cycles, options->seed);
  }
}

static bool anything_diverged(const struct campaign *campaign) {
  for (size_t i = 0; i < campaign->num_started; i++)
    if (campaign->results[i].diverged) return true;
  return false;
}

static size_t num_running(const struct campaign *campaign) {
  size_t running = 0;
  for (size_t i = 0; i < campaign->num_started; i++) running += campaign->processes[i] != 0;
  return running;
}

static void kill_all(const struct campaign *campaign) {
  for (size_t i = 0; i < campaign->num_started; i++)
    if (campaign->processes[i]) kill(campaign->processes[i], SIGKILL);
}

static void start_task(struct campaign *campaign) {
  size_t number = campaign->num_started;
  fflush(NULL);
  pid_t process = fork();
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no orphans */
    pmuv3_cosim(&campaign->tasks[number], &campaign->results[number]);
    fflush(NULL);
    _exit(0);
  }
  if (process < 0) {
    kill_all(campaign);
    pmuv3_cli_unusable("cannot start a process: %s", strerror(errno));
  }
  campaign->processes[number] = process;
  campaign->num_started++;
}

/* A task that ended without a result was a crash: nothing can be said of the sides then. */
static void reap(struct campaign *campaign) {
  for (size_t i = 0; i < campaign->num_started; i++) {
    if (!campaign->processes[i] || waitpid(campaign->processes[i], NULL, WNOHANG) == 0) continue;
    campaign->processes[i] = 0;
    if (campaign->results[i].finished) continue;
    kill_all(campaign);
    fprintf(stderr, "pmuv3 run: a co-simulation of '%s' ended before its time: no verdict\n",
            campaign->runs[i / campaign->tasks_per_run].name);
    exit(1);
  }
}

/* The tasks that count: up to the first that diverged, whatever ran beside it. */
static size_t num_counting(const struct campaign *campaign) {
  for (size_t i = 0; i < campaign->num_started; i++)
    if (campaign->results[i].diverged) return i + 1;
  return campaign->num_tasks;
}

static void sum_up(struct campaign *campaign) {
  const size_t counting = num_counting(campaign);
  for (size_t r = 0; r < campaign->num_runs; r++) {
    struct pmuv3_run *run = &campaign->runs[r];
    run->cycles = run->comparisons = 0;
    run->seconds = 0;
    run->finished = true;
    for (size_t i = r * campaign->tasks_per_run; i < (r + 1) * campaign->tasks_per_run; i++) {
      const struct pmuv3_cosim_result *result = &campaign->results[i];
      run->finished &= i < counting;
      if (i >= counting) break;
      run->cycles += result->cycles;
      run->comparisons += result->comparisons;
      run->seconds += result->seconds;
      if (!result->diverged || run->divergence) continue;
      run->divergence = &result->divergence;
      run->diverged = &campaign->tasks[i];
    }
  }
}

/* On a terminal a bar that is redrawn, else a line when another tenth is done. */
static void show_progress(const struct campaign *campaign, uint64_t budget, double start) {
  static unsigned shown;
  uint64_t cycles = 0;
  for (size_t i = 0; i < campaign->num_started; i++) cycles += campaign->results[i].cycles;
  unsigned percent = (unsigned)(cycles * 100 / budget);
  double rate = (double)cycles / (pmuv3_now() - start);
  if (isatty(STDOUT_FILENO)) {
    static const char bar[] = "########################################";
    printf("\r[%-40.*s] %3u%%  %" PRIu64 " cycles, %.0f cycles/s ", (int)percent * 40 / 100, bar,
           percent, cycles, rate);
    if (percent == 100) printf("\n");
  } else if (percent / 10 > shown) {
    shown = percent / 10;
    printf("%3u%%  %" PRIu64 " cycles, %.0f cycles/s\n", shown * 10, cycles, rate);
  }
  fflush(stdout);
}

/* A task starts when a processor is free and, so that the first divergence is the first, none
 * before it diverged. */
static void run_all(struct campaign *campaign, const struct pmuv3_run_options *options) {
  double start = pmuv3_now();
  bool done = false;
  while (!done) {
    reap(campaign);
    bool more = campaign->num_started < campaign->num_tasks && !anything_diverged(campaign);
    size_t running = num_running(campaign);
    for (; more && running < options->jobs && campaign->num_started < campaign->num_tasks;
         running++)
      start_task(campaign);
    done = running == 0;
    show_progress(campaign, options->cycles, start);
    if (!done) nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
}

/* Why they differ, as far as it can be seen, of the smallest stimulus that there is. */
static void keep_capsule(struct pmuv3_report *report, const struct pmuv3_cosim_task *task,
                         const char *command) {
  struct pmuv3_capsule capsule = {.command = command, .seed = &report->seed};
  if (!pmuv3_failure_capsule(report->out, task, report->is_shrunk, &capsule)) {
    fprintf(stderr, "pmuv3 run: no capsule in %s: %s\n", report->out, strerror(errno));
    return;
  }
  report->has_wave = capsule.has_wave;
  printf("the causal chain, %s/chain.txt, points to: %s; it is seen in %s/window.svg\n",
         report->out, pmuv3_stage_name(capsule.points_to), report->out);
  if (report->has_wave)
    printf("and with\n  gtkwave %s/window.fst %s/window.gtkw\n", report->out, report->out);
}

/* Keeps what is needed of a divergence, and says where. */
static void keep(struct pmuv3_report *report, const struct pmuv3_run *diverged, bool shrinks,
                 const char *command) {
  if (!pmuv3_failure_save(report->out, diverged->diverged, diverged->divergence)) {
    fprintf(stderr, "pmuv3 run: cannot keep the stimulus in %s: %s\n", report->out,
            strerror(errno));
    return;
  }
  report->is_kept = true;
  printf("\nkept in %s; it happens again with\n  ./pmuv3 replay %s/stimulus.stim --x-seed %u\n",
         report->out, report->out, diverged->diverged->x_seed);
  fflush(stdout);
  struct pmuv3_shrunk shrunk;
  report->is_shrunk = shrinks && pmuv3_failure_shrink(report->out, diverged->diverged, &shrunk);
  if (report->is_shrunk)
    printf("and in %zu lines instead of %zu with\n  ./pmuv3 replay %s/minimal.stim --x-seed %u\n",
           shrunk.lines_after, shrunk.lines_before, report->out, diverged->diverged->x_seed);
  fflush(stdout);
  keep_capsule(report, diverged->diverged, command);
  printf("\n");
}

/* The whole file or none of it: a name beside it first, unless it is a device or a pipe. */
static bool write_json(const char *path, const struct pmuv3_report *report) {
  struct stat status;
  char temporary[4096];
  const bool special = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
  snprintf(temporary, sizeof temporary, special ? "%s" : "%s.tmp", path);
  FILE *out = fopen(temporary, "w");
  if (!out) return false;
  const bool written = pmuv3_report_json(out, report);
  return fclose(out) == 0 && written && (special || rename(temporary, path) == 0);
}

/* The command line as the entry point takes it. */
static void join_command(char *command, size_t size, int argc, char **argv) {
  size_t length = (size_t)snprintf(command, size, "./pmuv3 run");
  for (int i = 1; i < argc && length < size; i++)
    length += (size_t)snprintf(command + length, size - length, " %s", argv[i]);
}

int main(int argc, char **argv) {
  char command[1024];
  join_command(command, sizeof command, argc, argv);
  struct pmuv3_run_options options = pmuv3_run_options(argc, argv);
  static struct campaign campaign;
  plan(&campaign, &options);
  campaign.results = mmap(NULL, sizeof *campaign.results * MAX_TASKS, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (campaign.results == MAP_FAILED) pmuv3_cli_unusable("out of memory");

  double start = pmuv3_now();
  run_all(&campaign, &options);
  sum_up(&campaign);
  struct pmuv3_report report = {
      .runs = campaign.runs,
      .num_runs = campaign.num_runs,
      .seed = options.seed,
      .seconds = pmuv3_now() - start,
      .out = options.out,
  };
  const struct pmuv3_run *diverged = pmuv3_report_diverged(&report);
  pmuv3_report_print(stdout, &report);
  if (diverged) keep(&report, diverged, options.shrinks, command);
  printf("%s\n", diverged ? "diverged" : "equivalent");
  if (options.json && !write_json(options.json, &report))
    pmuv3_cli_unusable("cannot write %s: %s", options.json, strerror(errno));
  if (fflush(stdout) != 0 || ferror(stdout))
    pmuv3_cli_unusable("cannot write to standard output: %s", strerror(errno));
  return diverged ? 1 : 0;
}
