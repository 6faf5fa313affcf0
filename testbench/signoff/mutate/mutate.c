/*
 * pmuv3-mutate: runs the mutants of one side through the lockstep regression. Part of
 * `pmuv3 mutate`, which makes them (mutate.sh).
 *
 * Each mutant is a process, as many at a time as asked for; what became of it is in the database
 * when its line is printed, and a mutant that the database has a verdict on is not run again, but
 * for one that survived fewer cycles.
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
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/signoff/evidence/database.h"
#include "testbench/signoff/mutate/mutants.h"
#include "testbench/signoff/mutate/record.h"
#include "testbench/signoff/mutate/trial.h"

struct options {
  const char *directory, *database, *side;
  uint64_t cycles;
  size_t jobs;
  size_t first, last; /* places in the list, from 1 on; a last of 0: the end of the list */
  size_t shard;       /* mutants of a shard; 0: run them */
};

/* Of the stimulus: that of `pmuv3 run`. */
#define SEED 1

enum { OPT_DB = 0x100, OPT_SIDE, OPT_CYCLES, OPT_MUTANTS, OPT_UNTRIED };

static const struct argp_option argp_options[] = {
    {"side", OPT_SIDE, "rtl|cmodel", 0, "whose mutants they are", 0},
    {"db", OPT_DB, "FILE", 0, "where the verdicts are kept", 0},
    {"cycles", OPT_CYCLES, "N", 0, "cycles of the whole regression (default 4000000)", 0},
    {"jobs", 'j', "N", 0, "mutants side by side (default: one a processor)", 0},
    {"mutants", OPT_MUTANTS, "FIRST-LAST", 0, "these of the list (default: all)", 0},
    {"untried", OPT_UNTRIED, "N", 0,
     "run nothing; print the ranges of N mutants of which one has no verdict", 0},
    {0},
};

static void parse_range(struct options *options, char *text) {
  char *last = strchr(text, '-');
  if (!last) pmuv3_cli_unusable("--mutants takes FIRST-LAST, not '%s'", text);
  *last++ = '\0';
  options->first = pmuv3_cli_number("--mutants", text, 1, UINT16_MAX);
  options->last = pmuv3_cli_number("--mutants", last, options->first, UINT16_MAX);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct options *options = state->input;
  switch (key) {
    case OPT_SIDE:
      options->side = arg;
      return 0;
    case OPT_DB:
      options->database = arg;
      return 0;
    case OPT_CYCLES:
      options->cycles = pmuv3_cli_number("--cycles", arg, 1, UINT64_MAX / 100);
      return 0;
    case 'j':
      options->jobs = pmuv3_cli_number("--jobs", arg, 1, PMUV3_MAX_JOBS);
      return 0;
    case OPT_MUTANTS:
      parse_range(options, arg);
      return 0;
    case OPT_UNTRIED:
      options->shard = pmuv3_cli_number("--untried", arg, 1, UINT16_MAX);
      return 0;
    case ARGP_KEY_ARG:
      if (options->directory) pmuv3_cli_unusable("unusable argument '%s'", arg);
      options->directory = arg;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static struct options parse_options(int argc, char **argv) {
  static const struct argp argp = {.options = argp_options,
                                   .parser = parse,
                                   .args_doc = "DIR",
                                   .doc = "Runs the mutants made in DIR through the regression."};
  struct options options = {
      .cycles = 4000000, .jobs = (size_t)sysconf(_SC_NPROCESSORS_ONLN), .first = 1};
  pmuv3_cli_parse(&argp, "pmuv3-mutate", argc, argv, &options);
  if (!options.directory || !options.database || !options.side)
    pmuv3_cli_unusable("expected DIR, --side and --db");
  return options;
}

/* ---- The campaign ---- */

struct campaign {
  const struct options *options;
  struct pmuv3_mutants mutants;
  size_t begin, end; /* of those that are run, in the list */
  struct pmuv3_record record;
  struct pmuv3_trial *trials; /* of each mutant, in shared memory */
  pid_t *processes;           /* of each mutant; 0: not running */
  size_t num_running;
};

static void load(struct campaign *campaign) {
  const struct options *options = campaign->options;
  char path[4096];
  snprintf(path, sizeof path, "%s/mutants.list", options->directory);
  const char *error = pmuv3_mutants_read(&campaign->mutants, path);
  if (error) pmuv3_cli_unusable("%s: %s", path, error);
  campaign->begin = options->first - 1;
  campaign->end = options->last ? options->last : campaign->mutants.num;
  if (campaign->end > campaign->mutants.num || campaign->begin >= campaign->end)
    pmuv3_cli_unusable("--mutants: %s has %zu mutants", path, campaign->mutants.num);
  snprintf(path, sizeof path, "%s/mutants.so", options->directory);
  error = pmuv3_mutants_load(path);
  if (error) pmuv3_cli_unusable("%s: %s", path, error);
  campaign->record = (struct pmuv3_record){.database = pmuv3_database_open(options->database),
                                           .source = pmuv3_source,
                                           .side = options->side};
}

static void allocate(struct campaign *campaign) {
  const size_t num = campaign->mutants.num;
  campaign->trials = mmap(NULL, num * sizeof *campaign->trials, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  campaign->processes = calloc(num, sizeof *campaign->processes);
  if (campaign->trials == MAP_FAILED || !campaign->processes) pmuv3_cli_no_verdict("out of memory");
}

static void try_mutant(const struct pmuv3_mutant *mutant, const struct options *options,
                       struct pmuv3_trial *trial) {
  struct pmuv3_regression regression;
  pmuv3_mutants_select(mutant->number);
  if (pmuv3_regression_plan(&regression, options->cycles, SEED)) pmuv3_trial(trial, &regression);
}

/* The first selector, none, must survive: else what kills is not the mutants. */
static void expect_sound(const struct campaign *campaign) {
  struct pmuv3_trial trial = {0};
  const struct pmuv3_mutant none = {0};
  try_mutant(&none, campaign->options, &trial);
  if (!trial.finished)
    pmuv3_cli_no_verdict("%s: the run without a mutant ended without a verdict",
                         campaign->options->directory);
  if (trial.killed)
    pmuv3_cli_unusable("%s: the copy diverges without a mutant: %s", campaign->options->directory,
                       trial.reason);
}

static void start(struct campaign *campaign, size_t i) {
  fflush(NULL);
  const pid_t process = fork();
  if (process < 0) pmuv3_cli_no_verdict("cannot start a process: %s", strerror(errno));
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no orphans */
    try_mutant(&campaign->mutants.list[i], campaign->options, &campaign->trials[i]);
    _exit(0);
  }
  campaign->processes[i] = process;
  campaign->num_running++;
}

/* The mutant of a process. The number of mutants: somebody else started that process. */
static size_t find(const struct campaign *campaign, pid_t process) {
  size_t i = 0;
  while (i < campaign->mutants.num && campaign->processes[i] != process) i++;
  return i;
}

static size_t wait_for_one(const struct campaign *campaign) {
  size_t i;
  do {
    const pid_t process = waitpid(-1, NULL, 0);
    if (process < 0) pmuv3_cli_no_verdict("cannot wait for a process: %s", strerror(errno));
    i = find(campaign, process);
  } while (i == campaign->mutants.num);
  return i;
}

/* Waits for a mutant's end, and writes down what became of it. */
static void finish(struct campaign *campaign) {
  const size_t i = wait_for_one(campaign);
  const struct pmuv3_mutant *mutant = &campaign->mutants.list[i];
  const struct pmuv3_trial *trial = &campaign->trials[i];
  campaign->processes[i] = 0;
  campaign->num_running--;
  if (!trial->finished)
    pmuv3_cli_no_verdict("%s: its process ended without a verdict", mutant->name);
  pmuv3_record_add(&campaign->record, mutant, trial);
  printf("%-8s %9" PRIu64 " cycles %7.1f s  %s, %s: %s\n", trial->killed ? "killed" : "SURVIVED",
         trial->cycles, trial->seconds, mutant->place, mutant->name, mutant->change);
  fflush(stdout);
}

static bool has_verdict(const struct campaign *campaign, size_t i) {
  return pmuv3_record_has(&campaign->record, &campaign->mutants.list[i], campaign->options->cycles);
}

static bool all_have(const struct campaign *campaign, size_t begin, size_t end) {
  for (size_t i = begin; i < end; i++)
    if (!has_verdict(campaign, i)) return false;
  return true;
}

static void print_untried(const struct campaign *campaign) {
  const size_t shard = campaign->options->shard;
  for (size_t begin = campaign->begin; begin < campaign->end; begin += shard) {
    const size_t end = begin + shard < campaign->end ? begin + shard : campaign->end;
    if (!all_have(campaign, begin, end)) printf("%zu-%zu\n", begin + 1, end);
  }
}

static void run_all(struct campaign *campaign) {
  if (all_have(campaign, campaign->begin, campaign->end)) return;
  expect_sound(campaign);
  for (size_t i = campaign->begin; i < campaign->end; i++) {
    if (has_verdict(campaign, i)) continue;
    if (campaign->num_running == campaign->options->jobs) finish(campaign);
    start(campaign, i);
  }
  while (campaign->num_running > 0) finish(campaign);
}

int main(int argc, char **argv) {
  const struct options options = parse_options(argc, argv);
  struct campaign campaign = {.options = &options};
  load(&campaign);
  allocate(&campaign);
  if (options.shard)
    print_untried(&campaign);
  else
    run_all(&campaign);
  sqlite3_close(campaign.record.database);
  return 0;
}
