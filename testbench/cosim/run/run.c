/*
 * `pmuv3 run`: every configuration in lockstep. A configuration is split into tasks. Each task has
 * its own stimulus and its own random initial values of the RTL. Tasks start in order, round after
 * round. Results after the first task that diverged do not count, so the report depends only on the
 * seed.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/id_text.h"
#include "testbench/cosim/cli/now.h"
#include "testbench/cosim/run/configurations.h"
#include "testbench/cosim/run/cosim.h"
#include "testbench/cosim/run/failure.h"
#include "testbench/cosim/run/options.h"
#include "testbench/cosim/run/pool.h"
#include "testbench/cosim/run/progress.h"
#include "testbench/cosim/run/report.h"

#define MAX_TASKS (PMUV3_NUM_CONFIGURATIONS * PMUV3_NUM_ROUNDS)

struct campaign {
  struct pmuv3_run runs[PMUV3_NUM_CONFIGURATIONS];
  size_t num_runs;
  struct pmuv3_cosim_task tasks[MAX_TASKS];     /* tasks of all runs, round after round */
  struct pmuv3_cosim_result results[MAX_TASKS]; /* results of the tasks that ended */
  size_t num_tasks;
  size_t num_started;
  const struct pmuv3_run *ended_early; /* its task crashed or was killed; NULL: none */
  bool unusable;                       /* an output was unusable; a process has printed which */
  uint64_t budget;                     /* cycles asked for; cycles of the tasks that ended */
  uint64_t cycles;
  double start;
};

static void add_run(struct campaign *campaign, const char *name, const struct pmuv3_params *params,
                    uint64_t cycles) {
  struct pmuv3_run *run = &campaign->runs[campaign->num_runs++];
  *run = (struct pmuv3_run){.params = *params, .budget = cycles};
  snprintf(run->name, sizeof run->name, "%s", name);
}

/* A wave shows one process, so the run has only one task. */
static void plan_tasks(struct campaign *campaign, const struct pmuv3_run_options *options,
                       const struct pmuv3_file *wave) {
  const struct pmuv3_run *run = campaign->runs;
  if (wave) {
    campaign->tasks[campaign->num_tasks++] =
        pmuv3_pool_task(&run->params, run->budget, options->seed, 0);
    campaign->tasks[0].wave = pmuv3_file_name(wave);
    return;
  }
  for (unsigned round = 0; round < PMUV3_NUM_ROUNDS; round++)
    for (size_t r = 0; r < campaign->num_runs; r++)
      campaign->tasks[campaign->num_tasks++] =
          (options->configured ? pmuv3_pool_round : pmuv3_pool_reduced_round)(
              &run[r].params, run[r].budget, options->seed, r, round);
}

static void plan_runs(struct campaign *campaign, const struct pmuv3_run_options *options) {
  if (options->configured) {
    char name[64];
    snprintf(name, sizeof name, "%u counters, %u threads, %.30s", options->params.counters,
             options->params.threads, options->core ? options->core : "as asked for");
    add_run(campaign, name, &options->params, options->cycles);
    return;
  }
  for (size_t i = 0; i < PMUV3_NUM_CONFIGURATIONS; i++) {
    const struct pmuv3_params params = pmuv3_configuration_params(i);
    add_run(campaign, pmuv3_configurations[i].name, &params,
            pmuv3_configuration_cycles(i, options->cycles));
  }
}

static struct pmuv3_run *run_of(struct campaign *campaign, size_t task) {
  return &campaign->runs[task % campaign->num_runs];
}

static bool anything_diverged(const struct campaign *campaign) {
  for (size_t i = 0; i < campaign->num_started; i++)
    if (campaign->results[i].diverged) return true;
  return false;
}

/* No task starts after a task diverged, so that the first divergence in task order is reported. No
 * task starts after a task without a verdict. */
static const struct pmuv3_cosim_task *next_task(void *context) {
  struct campaign *campaign = context;
  if (campaign->num_started == campaign->num_tasks || campaign->ended_early || campaign->unusable ||
      anything_diverged(campaign))
    return NULL;
  return &campaign->tasks[campaign->num_started++];
}

static void end_task(void *context, const struct pmuv3_cosim_task *task,
                     const struct pmuv3_cosim_result *result) {
  struct campaign *campaign = context;
  const size_t number = (size_t)(task - campaign->tasks);
  campaign->results[number] = *result;
  campaign->cycles += result->cycles;
  campaign->unusable |= result->unusable;
  if (!result->finished && !result->unusable) campaign->ended_early = run_of(campaign, number);
}

/* A crash or an unusable output leaves no verdict, unless another task diverged. */
static void check_verdict(const struct campaign *campaign) {
  if (anything_diverged(campaign)) return;
  if (campaign->unusable) exit(PMUV3_UNUSABLE);
  if (campaign->ended_early)
    pmuv3_cli_no_verdict("a co-simulation of '%s' ended early: no verdict",
                         campaign->ended_early->name);
}

static void show_progress(void *context, uint64_t running_cycles) {
  const struct campaign *campaign = context;
  const uint64_t cycles = campaign->cycles + running_cycles;
  check_verdict(campaign);
  pmuv3_progress((unsigned)(cycles * 100 / campaign->budget), cycles, campaign->start);
}

/* The number of tasks that count: all tasks up to the first that diverged. */
static size_t num_counting(const struct campaign *campaign) {
  for (size_t i = 0; i < campaign->num_started; i++)
    if (campaign->results[i].diverged) return i + 1;
  return campaign->num_tasks;
}

static void add_result(struct pmuv3_run *run, const struct pmuv3_cosim_task *task,
                       const struct pmuv3_cosim_result *result) {
  run->cycles += result->cycles;
  run->comparisons += result->comparisons;
  run->seconds += result->seconds;
  if (!result->diverged || run->divergence) return;
  run->divergence = &result->divergence;
  run->diverged = task;
}

static void sum_up(struct campaign *campaign) {
  const size_t counting = num_counting(campaign);
  for (size_t r = 0; r < campaign->num_runs; r++) campaign->runs[r].finished = true;
  for (size_t i = 0; i < campaign->num_tasks; i++) {
    struct pmuv3_run *run = run_of(campaign, i);
    run->finished &= i < counting && campaign->results[i].finished;
    if (i < counting) add_result(run, &campaign->tasks[i], &campaign->results[i]);
  }
}

static void print_reproducer(const struct pmuv3_shrunk *shrunk, const char *folder,
                             uint32_t x_seed) {
  printf("and in %zu lines instead of %zu with\n  ./pmuv3 replay %s/minimal.stim --x-seed %u\n",
         shrunk->lines_after, shrunk->lines_before, folder, x_seed);
}

/* Makes the failure report of the smallest stimulus, and says what is in it. `folder` is the folder
 * as a shell takes it. */
static void explain(struct pmuv3_report *report, const struct pmuv3_cosim_task *task, bool shrinks,
                    const char *command, const char *folder) {
  struct pmuv3_shrunk shrunk;
  struct pmuv3_failure_report failure = {
      .is_shrunk = shrinks && pmuv3_failure_shrink(report->out, task, &shrunk),
      .command = command,
      .seed = &report->seed};
  const char *why = pmuv3_failure_make_report(report->out, task, &failure);
  report->is_shrunk = failure.is_shrunk;
  if (report->is_shrunk) print_reproducer(&shrunk, folder, task->x_seed);
  fflush(stdout);
  if (why) {
    pmuv3_cli_warn("no failure report in %s: %s", report->out, why);
    return;
  }
  report->has_wave = failure.has_wave;
  printf("the causal chain, %s/chain.txt, points to: %s; it is seen in %s/window.svg\n", folder,
         pmuv3_stage_name(failure.points_to), folder);
  if (report->has_wave)
    printf("and with\n  gtkwave %s/window.fst %s/window.gtkw\n", folder, folder);
  else if (getenv("PMUV3"))
    printf("there is no wave: it could not be written, or the stimulus has no cycle\n");
}

/* Keeps the files of a divergence, and prints the folder. */
static void keep(struct pmuv3_report *report, const struct pmuv3_run *diverged, bool shrinks,
                 const char *command) {
  const char *why = pmuv3_failure_save(report->out, diverged->diverged, diverged->divergence);
  if (why) {
    pmuv3_cli_warn("cannot keep the stimulus in %s: %s", report->out, why);
    return;
  }
  report->is_kept = true;
  char *folder = pmuv3_cli_quoted_name(report->out);
  printf("\nkept in %s; replay it with\n  ./pmuv3 replay %s/stimulus.stim --x-seed %u\n", folder,
         folder, diverged->diverged->x_seed);
  fflush(stdout);
  explain(report, diverged->diverged, shrinks, command, folder);
  free(folder);
  printf("\n");
}

static void note_divergence(const struct pmuv3_run *run) {
  char words[PMUV3_DIVERGENCE_WORDS];
  pmuv3_cli_note_divergence("%s: %s", run->name, pmuv3_divergence_words(run->divergence, words));
}

static bool write_json(FILE *out, const void *report) {
  return pmuv3_report_json(out, report);
}

/* If the result cannot be written, a divergence still counts. */
static void write_result(const struct pmuv3_run_options *options, const struct pmuv3_report *report,
                         bool is_diverged) {
  if (!options->json) return;
  const char *why = pmuv3_cli_try_write(options->json, write_json, report);
  if (why && !is_diverged) pmuv3_cli_unusable("--json: cannot write '%s': %s", options->json, why);
  if (why) pmuv3_cli_warn("--json: cannot write '%s': %s", options->json, why);
}

/* If the wave cannot be put in place, the divergence still counts. */
static void end_wave(const struct campaign *campaign, const char *path, struct pmuv3_file *wave) {
  if (campaign->unusable) {
    pmuv3_file_drop(wave);
    return;
  }
  const char *why = pmuv3_file_end(wave);
  if (!why) return;
  if (!anything_diverged(campaign)) pmuv3_cli_unusable("--wave: cannot write '%s': %s", path, why);
  pmuv3_cli_warn("--wave: cannot write '%s': %s", path, why);
}

/* The command line as a shell takes it. The caller frees it. */
static char *join_command(int argc, char **argv) {
  char *command = NULL;
  size_t size;
  FILE *out = open_memstream(&command, &size);
  if (!out) pmuv3_cli_no_verdict("out of memory");
  fputs("./pmuv3 run", out);
  for (int i = 1; i < argc; i++) {
    char *quoted = pmuv3_cli_quoted(argv[i]);
    fprintf(out, " %s", quoted);
    free(quoted);
  }
  if (fclose(out) != 0) pmuv3_cli_no_verdict("out of memory");
  return command;
}

int main(int argc, char **argv) {
  char *command = join_command(argc, argv); /* argp sorts argv */
  struct pmuv3_run_options options = pmuv3_run_options(argc, argv);
  pmuv3_cli_name_result(options.json, "\"verdict\"", pmuv3_cli_no_result_json);
  static struct campaign campaign;
  struct pmuv3_file *wave = options.wave ? pmuv3_cli_begin_named("--wave", options.wave) : NULL;
  plan_runs(&campaign, &options);
  plan_tasks(&campaign, &options, wave);
  campaign.budget = options.cycles;
  campaign.start = pmuv3_now();
  pmuv3_pool_run(
      options.jobs,
      &(struct pmuv3_pool_work){
          .context = &campaign, .next = next_task, .ended = end_task, .progress = show_progress});
  if (wave) end_wave(&campaign, options.wave, wave);
  if (campaign.ended_early)
    pmuv3_cli_warn("a co-simulation of '%s' ended early", campaign.ended_early->name);
  sum_up(&campaign);
  struct pmuv3_report report = {
      .runs = campaign.runs,
      .num_runs = campaign.num_runs,
      .seed = options.seed,
      .seconds = pmuv3_now() - campaign.start,
      .out = options.out,
  };
  const struct pmuv3_run *diverged = pmuv3_report_diverged(&report);
  if (diverged) note_divergence(diverged);
  if (options.core) pmuv3_print_id_registers(stdout, &options.params);
  pmuv3_report_print(stdout, &report);
  if (diverged) keep(&report, diverged, options.shrinks, command);
  printf("%s\n", diverged ? "diverged" : "equivalent");
  write_result(&options, &report, diverged != NULL);
  free(command);
  return diverged ? 1 : 0;
}
