#define _GNU_SOURCE
#include "testbench/cosim/check/bench/seeds.h"

#include <argz.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/cosim/check/bench/seed.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/signoff/evidence/run_rows.h"
#include "testbench/signoff/evidence/shard.h"

/* ---- A seed ---- */

/* A seed that diverges in a mode has a folder of its own, beside DIR. */
static void folder_of(const struct options *options, const struct profile *profile, uint64_t seed,
                      char folder[PATH_MAX]) {
  size_t length = strlen(options->out);
  while (length > 1 && options->out[length - 1] == '/') length--;
  snprintf(folder, PATH_MAX, "%.*s-%s-seed-%" PRIu64, (int)length, options->out,
           pmuv3_mode_name(profile->device->mode), seed);
}

/* Before the first seed runs. `recorded`: seeds that are not to run; NULL: there is none. */
static void check_folders(const struct options *options, const struct profile *profile,
                          const bool *recorded) {
  char folder[PATH_MAX];
  for (uint64_t s = 0; s < options->num_seeds; s++) {
    if (recorded && recorded[s]) continue;
    folder_of(options, profile, options->seed + s, folder);
    pmuv3_cli_check_folder("--out", folder, divergence_files);
  }
}

/* Records how a seed ended. The page is of all seeds. */
static void run_seed(const struct options *options, const struct profile *profile, uint64_t seed) {
  struct options own = *options;
  char folder[PATH_MAX];
  folder_of(options, profile, seed, folder);
  own.seed = seed;
  own.out = folder;
  own.page = NULL;
  struct outcome outcome = outcome_begin(&own, profile);
  seed_run(&outcome);
  if (*outcome.crash) pmuv3_cli_warn("%s: no verdict", outcome.crash);
  totals_free(&outcome.totals);
}

static int end_of(pid_t process) {
  int status;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) pmuv3_cli_no_verdict("cannot wait for a process: %s", strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : PMUV3_NO_VERDICT;
}

/* In a process of its own, so that it ends alone. Returns the exit status: 0 if it is recorded how
 * the seed ended, 1 if the seed diverged and the process ended early, recorded or not. */
static int run_apart(const struct options *options, const struct profile *profile, uint64_t seed) {
  const pid_t parent = getpid();
  fflush(NULL);
  const pid_t process = fork();
  if (process < 0) pmuv3_cli_no_verdict("cannot start a process: %s", strerror(errno));
  if (process > 0) return end_of(process);
  pmuv3_cli_end_with(parent);
  printf("seed %" PRIu64 ":\n", seed);
  run_seed(options, profile, seed);
  exit(0);
}

/* ---- The report: what the database holds ---- */

static bool *recorded_of(sqlite3 *database, const struct options *options,
                         const struct profile *profile) {
  bool *recorded = or_no_verdict(calloc(options->num_seeds, sizeof *recorded));
  evidence_recorded(database, options, profile->device, recorded);
  return recorded;
}

/* A crash of a longer run stays beside a verdict. */
static uint64_t num_missing(sqlite3 *database, const struct outcome *outcome) {
  const struct options *options = outcome->options;
  bool *recorded = recorded_of(database, options, outcome->profile);
  uint64_t missing = 0;
  for (size_t c = 0; c < outcome->num_crashed; c++)
    recorded[outcome->crashes[c].seed - options->seed] = false;
  for (uint64_t s = 0; s < options->num_seeds; s++) missing += !recorded[s];
  free(recorded);
  return missing;
}

/* What is missing hides no divergence, noted or recorded. `missing_status`: where nothing diverged.
 */
static int report(sqlite3 *database, const struct options *options, const struct profile *profile,
                  int missing_status) {
  struct outcome outcome = outcome_begin(options, profile);
  evidence_sum_seeds(database, &outcome);
  evidence_failures(database, &outcome);
  const uint64_t missing = num_missing(database, &outcome);
  report_print(stdout, &outcome);
  if (options->page) seed_write_page(database, &outcome);
  if (missing && !outcome.diverged && missing_status == PMUV3_UNUSABLE && !pmuv3_cli_has_diverged())
    exit(PMUV3_UNUSABLE); /* it has said why */
  if (missing && !outcome.diverged)
    pmuv3_cli_no_verdict("%" PRIu64 " of %" PRIu64 " seeds have no verdict", missing,
                         options->num_seeds);
  if (missing) printf("%" PRIu64 " seeds have no verdict\n", missing);
  return outcome_end(&outcome);
}

/* ---- On one machine ---- */

static int run_all(const struct options *options, const struct profile *profile) {
  sqlite3 *database = pmuv3_database_open(options->database);
  bool *recorded = recorded_of(database, options, profile);
  sqlite3_close(database);     /* no connection is shared with a child */
  uint64_t early = UINT64_MAX; /* the last seed that diverged and ended early */
  int end = PMUV3_NO_VERDICT;
  check_folders(options, profile, recorded);
  for (uint64_t s = 0; s < options->num_seeds && end != PMUV3_UNUSABLE; s++) {
    const int status = recorded[s] ? 0 : run_apart(options, profile, options->seed + s);
    if (status == PMUV3_UNUSABLE) end = status;
    if (status == 1) early = options->seed + s;
  }
  free(recorded);
  if (early != UINT64_MAX) pmuv3_cli_note_divergence("seed %" PRIu64 " diverged", early);
  database = pmuv3_database_open(options->database);
  const int status = report(database, options, profile, end);
  sqlite3_close(database);
  return early != UINT64_MAX ? 1 : status;
}

/* ---- Shards ---- */

static void print_option(const char *option, const char *value) {
  char *quoted = pmuv3_cli_quoted(value);
  printf(" %s%s", option, quoted);
  free(quoted);
}

/* The name, a tab, and the arguments as a shell takes them. */
static void list_shard(const struct options *options, const char *mode, uint64_t first,
                       uint64_t num) {
  printf("%s-seeds-%" PRIu64 "-%" PRIu64 "-cycles-%" PRIu64 "\t--seed %" PRIu64 " --seeds %" PRIu64
         " --cycles %" PRIu64 " --seconds %.0f --jobs 1%s",
         mode, first, first + num - 1, options->cycles, first, num, options->cycles,
         options->seconds, options->shrinks ? "" : " --no-shrink");
  if (options->mode) print_option("--mode ", mode);
  print_option("--out ", options->out);
  print_option("--source ", options->source ? options->source : "unknown");
  if (options->sources) print_option("--sources ", options->sources);
  for (const char *path = NULL; (path = argz_next(options->reads, options->reads_length, path));)
    print_option("--reads ", path);
  if (options->module) print_option("--module ", options->module);
  print_option("--description ", options->description);
  for (char **word = options->device; word && *word; word++) print_option("--device=", *word);
  printf("\n");
}

static int list(sqlite3 *database, const struct options *options, const struct profile *profile) {
  bool *recorded = recorded_of(database, options, profile);
  for (uint64_t begun = 0; begun < options->num_seeds; begun += options->shard_seeds) {
    const uint64_t left = options->num_seeds - begun;
    const uint64_t num = left < options->shard_seeds ? left : options->shard_seeds;
    if (memchr(&recorded[begun], false, num))
      list_shard(options, pmuv3_mode_name(profile->device->mode), options->seed + begun, num);
  }
  free(recorded);
  return 0;
}

/* A database of a shard of many seeds, each of which has a process. The shard may be on a network
 * file system, so this is elsewhere. */
struct scratch {
  char folder[PATH_MAX], database[PATH_MAX + 16];
};

static void scratch_make(struct scratch *scratch) {
  const char *above = getenv("TMPDIR");
  snprintf(scratch->folder, sizeof scratch->folder, "%s/pmuv3-check-XXXXXX",
           above && *above ? above : "/tmp");
  if (!mkdtemp(scratch->folder))
    pmuv3_cli_no_verdict("cannot make '%s': %s", scratch->folder, strerror(errno));
  snprintf(scratch->database, sizeof scratch->database, "%s/seeds.db", scratch->folder);
}

static void scratch_remove(const struct scratch *scratch) {
  static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
  char file[sizeof scratch->database + 16];
  for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
    snprintf(file, sizeof file, "%s%s", scratch->database, ends[e]);
    unlink(file);
  }
  rmdir(scratch->folder);
}

static bool has_row(sqlite3 *database) {
  bool any = false;
  sqlite3_stmt *row = pmuv3_database_ask(database, "SELECT count(*) FROM run", "");
  while (pmuv3_database_next(row)) any = sqlite3_column_int64(row, 0) > 0;
  return any;
}

/* A seed that is not recorded hides none of the others, but a shard without a row has no file. */
static int run_shard(const struct options *options, const struct profile *profile) {
  struct options own = *options;
  struct scratch scratch;
  int status = 0;
  check_folders(options, profile, NULL);
  scratch_make(&scratch);
  own.database = scratch.database;
  for (uint64_t s = 0; s < options->num_seeds && status != PMUV3_UNUSABLE; s++)
    status = run_apart(&own, profile, options->seed + s);
  const bool is_made = access(scratch.database, F_OK) == 0 && status != PMUV3_UNUSABLE;
  sqlite3 *database = is_made ? pmuv3_database_open(scratch.database) : NULL;
  const bool is_recorded = database && has_row(database);
  scratch_remove(&scratch); /* the open files stay until they are closed */
  if (!is_recorded) return status;
  pmuv3_shard_write("--shard", options->shards.path, database);
  return 0; /* the rows are in the file */
}

static int merge(sqlite3 *database, const struct options *options, const struct profile *profile) {
  char source[EVIDENCE_SOURCE_SIZE];
  evidence_source(options, source);
  pmuv3_database_record_versions(database, source, pmuv3_versions);
  pmuv3_shard_merge(database, source, PMUV3_SHARD_HITS_OF_RUNS, &options->shards);
  return report(database, options, profile, PMUV3_NO_VERDICT);
}

int seeds_run(const struct options *options, const struct profile *profile) {
  if (options->shards.mode == PMUV3_SHARDS_NONE) return run_all(options, profile);
  if (options->shards.mode == PMUV3_SHARDS_ONE) return run_shard(options, profile);
  sqlite3 *database = pmuv3_database_open(options->database);
  const int status = options->shards.mode == PMUV3_SHARDS_LIST ? list(database, options, profile)
                                                               : merge(database, options, profile);
  sqlite3_close(database);
  return status;
}
