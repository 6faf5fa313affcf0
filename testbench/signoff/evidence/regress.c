/*
 * `pmuv3 regress`: many seeds of every configuration in lockstep. A task is one seed of one
 * configuration. A task that ends gets a row in the evidence database at once, so if this process
 * dies, only running tasks are lost. A task with a row is not run again. The final report is what
 * the database holds of the tasks, in their order.
 *
 * A shard (docs/design/farm.md) is some seeds of a configuration. Its tasks are recorded in a file
 * of its own, and merged into the database later.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/now.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/cosim/run/failure.h"
#include "testbench/cosim/run/pool.h"
#include "testbench/cosim/run/progress.h"
#include "testbench/cosim/stimulus/stimulus.h"
#include "testbench/signoff/coverage/coverage.h"
#include "testbench/signoff/evidence/regress_options.h"
#include "testbench/signoff/evidence/regress_report.h"
#include "testbench/signoff/evidence/run_rows.h"
#include "testbench/signoff/evidence/shard.h"

struct regression {
  struct pmuv3_regress_options options;
  size_t configurations[PMUV3_NUM_CONFIGURATIONS]; /* the chosen configurations */
  struct pmuv3_params params[PMUV3_NUM_CONFIGURATIONS];
  size_t num_configurations;
  sqlite3 *database;
  const char *source;
  uint64_t next; /* number of the task that starts next */
  uint64_t num_tasks;
  uint64_t num_ended; /* tasks that ended in this run, or in a former run */
  uint64_t cycles;    /* cycles of the tasks that ended in this run */
  bool unusable;      /* a task has printed which output is unusable: no task starts */
  double start;
};

/* A running task. */
struct task {
  struct pmuv3_cosim_task cosim; /* first, so that a pointer to it is a pointer to the task */
  size_t configuration;
  uint64_t seed;
  char folder[4096]; /* folder for a divergence */
};

static void plan(struct regression *regression) {
  for (size_t i = 0; i < PMUV3_NUM_CONFIGURATIONS; i++) {
    regression->params[i] = pmuv3_configuration_params(i);
    if (regression->options.configurations[i])
      regression->configurations[regression->num_configurations++] = i;
  }
  regression->num_tasks = regression->options.num_seeds * regression->num_configurations;
}

/* ---- A task ---- */

static bool is_recorded(const struct regression *regression, size_t configuration, uint64_t seed) {
  sqlite3_stmt *answer = pmuv3_database_ask(
      regression->database,
      "SELECT count(*) FROM run WHERE source = ?1 AND configuration = ?2 AND seed = ?3"
      " AND (verdict = 'diverged' OR (verdict = 'equivalent' AND cycles >= ?4))",
      "ttii", regression->source, pmuv3_configurations[configuration].name, (int64_t)seed,
      (int64_t)regression->options.cycles);
  bool is_there = false;
  while (pmuv3_database_next(answer)) is_there = sqlite3_column_int(answer, 0) > 0;
  return is_there;
}

/* Writes "4 threads, 8 counters" as "4-threads-8-counters". */
static void write_slug(FILE *out, const char *name) {
  for (; *name; name++)
    if (isalnum((unsigned char)*name))
      fputc(tolower((unsigned char)*name), out);
    else if (isalnum((unsigned char)name[1]))
      fputc('-', out);
}

static void set_folder(const struct regression *regression, struct task *task) {
  FILE *out = fmemopen(task->folder, sizeof task->folder, "w");
  if (!out) pmuv3_cli_no_verdict("out of memory");
  fprintf(out, "%s/", regression->options.out);
  write_slug(out, pmuv3_configurations[task->configuration].name);
  fprintf(out, "-seed-%" PRIu64, task->seed);
  if (fclose(out) != 0) pmuv3_cli_unusable("--out: the path is too long");
}

static size_t size_of_hits(void) {
  return (pmuv3_coverage_num_bins() + 1) * sizeof(uint64_t); /* never 0 bytes */
}

/* Every fourth seed is biased toward sequences that the others seldom have. */
static struct pmuv3_bias bias_of(uint64_t seed) {
  struct pmuv3_bias bias = {{0}};
  for (unsigned p = 0; p < PMUV3_NUM_SEQUENCES; p++) bias.weights[p] = seed % 4 == 0;
  return bias;
}

/* Makes a task. Its hits are in memory shared with its process. */
static struct pmuv3_cosim_task *new_task(const struct regression *regression, size_t configuration,
                                         uint64_t seed) {
  struct task *task = calloc(1, sizeof *task);
  if (!task) pmuv3_cli_no_verdict("out of memory");
  task->configuration = configuration;
  task->seed = seed;
  task->cosim = pmuv3_pool_task(&regression->params[configuration], regression->options.cycles,
                                seed, configuration);
  task->cosim.bias = bias_of(seed);
  task->cosim.hits =
      mmap(NULL, size_of_hits(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (task->cosim.hits == MAP_FAILED) pmuv3_cli_no_verdict("out of memory");
  set_folder(regression, task);
  return &task->cosim;
}

static void free_task(struct task *task) {
  munmap(task->cosim.hits, size_of_hits());
  free(task);
}

/* Opens a text for writing. The text is complete after fclose. */
static FILE *open_text(char **text) {
  static size_t size;
  FILE *out = open_memstream(text, &size);
  if (!out) pmuv3_cli_no_verdict("out of memory");
  return out;
}

/* The parameters as `run --param` takes them, from the head of a stimulus file. */
static char *params_text(const struct pmuv3_params *params) {
  char *text = NULL;
  FILE *out = open_text(&text);
  pmuv3_stimulus_write_head(out, params);
  fclose(out);
  char *end = text;
  for (char *rest = strchr(text, '\n'), *word; (word = strtok_r(rest, " \n", &rest));) {
    if (strcmp(word, "param") == 0) continue;
    if (end > text) *end++ = ' ';
    while (*word) *end++ = *word++;
  }
  *end = '\0';
  return text;
}

static char *difference_text(const struct pmuv3_divergence *divergence) {
  char *text = NULL;
  FILE *out = open_text(&text);
  pmuv3_divergence_print(out, divergence);
  fclose(out);
  text[strcspn(text, "\n")] = '\0';
  return text;
}

/* ---- Callbacks of the pool ---- */

/* Seed by seed, so that a time budget covers all configurations equally. */
static const struct pmuv3_cosim_task *next_task(void *context) {
  struct regression *regression = context;
  const struct pmuv3_regress_options *options = &regression->options;
  while (regression->next < regression->num_tasks && !regression->unusable &&
         pmuv3_now() - regression->start < options->seconds) {
    const size_t n = regression->num_configurations;
    const size_t configuration = regression->configurations[regression->next % n];
    const uint64_t seed = options->first_seed + regression->next / n;
    regression->next++;
    if (!is_recorded(regression, configuration, seed))
      return new_task(regression, configuration, seed);
    regression->num_ended++;
  }
  return NULL;
}

/* Keeps the files of a divergence. Runs in the task's process, in parallel with other tasks. */
static void keep(void *context, const struct pmuv3_cosim_task *cosim,
                 struct pmuv3_cosim_result *result) {
  const struct regression *regression = context;
  const struct task *task = (const struct task *)cosim;
  if (!result->diverged) return;
  mkdir(regression->options.out, 0777);
  const char *why = pmuv3_failure_save(task->folder, cosim, &result->divergence);
  if (why) {
    pmuv3_cli_warn("cannot keep the stimulus in %s: %s", task->folder, why);
    return;
  }
  result->is_kept = true;
  struct pmuv3_shrunk shrunk;
  char command[256];
  snprintf(command, sizeof command,
           "./pmuv3 regress --configurations '%s' --first-seed %" PRIu64
           " --seeds 1 --cycles %" PRIu64,
           pmuv3_configurations[task->configuration].name, task->seed, cosim->cycles);
  struct pmuv3_failure_report report = {
      .is_shrunk =
          regression->options.shrinks && pmuv3_failure_shrink(task->folder, cosim, &shrunk),
      .command = command,
      .seed = &task->seed};
  why = pmuv3_failure_make_report(task->folder, cosim, &report);
  if (why) pmuv3_cli_warn("no failure report in %s: %s", task->folder, why);
}

static const char *verdict(const struct pmuv3_cosim_result *result) {
  if (!result->finished) return "crashed";
  return result->diverged ? "diverged" : "equivalent";
}

static void record(void *context, const struct pmuv3_cosim_task *cosim,
                   const struct pmuv3_cosim_result *result) {
  struct regression *regression = context;
  struct task *task = (struct task *)cosim;
  regression->unusable |= result->unusable;
  if (result->unusable && !result->diverged) { /* an unusable output is not a crash */
    free_task(task);
    return;
  }
  char *params = params_text(&cosim->params);
  char *difference = result->diverged ? difference_text(&result->divergence) : NULL;
  char *hits_of = NULL;
  if (regression->options.shards.mode == PMUV3_SHARDS_ONE)
    hits_of = pmuv3_shard_run_name(pmuv3_configurations[task->configuration].name, task->seed);
  if (difference)
    pmuv3_cli_note_divergence("%s, seed %" PRIu64 ": %s",
                              pmuv3_configurations[task->configuration].name, task->seed,
                              difference);
  const struct pmuv3_database_run run = {
      .source = regression->source,
      .configuration = pmuv3_configurations[task->configuration].name,
      .seed = task->seed,
      .params = params,
      .cycles = result->cycles,
      .comparisons = result->comparisons,
      .verdict = verdict(result),
      .difference = difference,
      .capsule = result->diverged && result->is_kept ? task->folder : NULL,
      .seconds = result->seconds,
      .hits_of = hits_of,
  };
  pmuv3_database_record_versions(regression->database, regression->source, pmuv3_versions);
  pmuv3_database_record(regression->database, &run, cosim->hits,
                        result->finished ? pmuv3_coverage_num_bins() : 0, pmuv3_coverage_name);
  regression->num_ended++;
  regression->cycles += result->cycles;
  free(hits_of);
  free(difference);
  free(params);
  free_task(task);
}

/* A shard's progress is not looked at. */
static void show_progress(void *context, uint64_t running_cycles) {
  const struct regression *regression = context;
  if (regression->options.shards.mode == PMUV3_SHARDS_ONE) return;
  const double time = (pmuv3_now() - regression->start) / regression->options.seconds;
  const double tasks = (double)regression->num_ended / (double)regression->num_tasks;
  pmuv3_progress((unsigned)(100 * fmin(1, fmax(time, tasks))), regression->cycles + running_cycles,
                 regression->start);
}

/* Without a number of seeds, the seeds that were begun count. */
static void settle(struct regression *regression) {
  const size_t n = regression->num_configurations;
  const uint64_t begun = (regression->next + n - 1) / n;
  if (regression->options.num_seeds == PMUV3_SEEDS_WITHOUT_END)
    regression->options.num_seeds = begun;
}

static void run_tasks(struct regression *regression) {
  regression->start = pmuv3_now();
  pmuv3_pool_run(regression->options.jobs, &(struct pmuv3_pool_work){.context = regression,
                                                                     .next = next_task,
                                                                     .after = keep,
                                                                     .ended = record,
                                                                     .progress = show_progress});
  settle(regression);
}

/* ---- Shards ---- */

static bool is_shard_recorded(const struct regression *regression, size_t configuration,
                              uint64_t first, uint64_t num) {
  for (uint64_t seed = first; seed < first + num; seed++)
    if (!is_recorded(regression, configuration, seed)) return false;
  return true;
}

/* The name, a tab, and the arguments as a shell takes them. */
static void list_shard(const struct pmuv3_regress_options *options, size_t configuration,
                       uint64_t first, uint64_t num) {
  const char *name = pmuv3_configurations[configuration].name;
  char *quoted = pmuv3_cli_quoted(name), *out = pmuv3_cli_quoted(options->out);
  write_slug(stdout, name);
  printf("-seeds-%" PRIu64 "-%" PRIu64 "-cycles-%" PRIu64
         "\t--configurations %s --first-seed %" PRIu64 " --seeds %" PRIu64 " --cycles %" PRIu64
         " --jobs 1 --out %s%s\n",
         first, first + num - 1, options->cycles, quoted, first, num, options->cycles, out,
         options->shrinks ? "" : " --no-shrink");
  free(quoted);
  free(out);
}

/* Seed by seed, as on one machine, so that all configurations get the same share. */
static int list_shards(const struct regression *regression) {
  const struct pmuv3_regress_options *options = &regression->options;
  for (uint64_t begun = 0; begun < options->num_seeds; begun += options->shard_seeds) {
    const uint64_t left = options->num_seeds - begun, first = options->first_seed + begun;
    const uint64_t num = left < options->shard_seeds ? left : options->shard_seeds;
    for (size_t c = 0; c < regression->num_configurations; c++)
      if (!is_shard_recorded(regression, regression->configurations[c], first, num))
        list_shard(options, regression->configurations[c], first, num);
  }
  return 0;
}

/* The verdicts are in the file, so they are not in the exit status. */
static int run_shard(struct regression *regression) {
  run_tasks(regression);
  if (regression->unusable) return PMUV3_UNUSABLE;
  pmuv3_shard_write("--shard", regression->options.shards.path, regression->database);
  return 0;
}

static int run(struct regression *regression) {
  const struct pmuv3_regress_options *options = &regression->options;
  if (options->shards.mode == PMUV3_SHARDS_MERGE)
    pmuv3_shard_merge(regression->database, regression->source, PMUV3_SHARD_HITS_SUMMED,
                      &options->shards);
  else
    run_tasks(regression);
  const enum pmuv3_regress_verdict verdict =
      pmuv3_regress_report(regression->database, regression->source, options);
  return regression->unusable && verdict != PMUV3_REGRESS_DIVERGED ? PMUV3_UNUSABLE : (int)verdict;
}

static int act(struct regression *regression) {
  if (regression->options.shards.mode == PMUV3_SHARDS_ONE) {
    regression->database = pmuv3_database_new();
    return run_shard(regression);
  }
  regression->database = pmuv3_database_open(regression->options.database);
  const int status = regression->options.shards.mode == PMUV3_SHARDS_LIST ? list_shards(regression)
                                                                          : run(regression);
  sqlite3_close(regression->database);
  return status;
}

int main(int argc, char **argv) {
  static struct regression regression;
  regression.options = pmuv3_regress_options(argc, argv);
  regression.source = pmuv3_source;
  pmuv3_regress_name_results(&regression.options);
  plan(&regression);
  return act(&regression);
}
