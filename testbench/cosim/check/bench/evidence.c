/* Runs of a device, as rows of the evidence database. */
#define _GNU_SOURCE
#include "testbench/cosim/check/bench/evidence.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/check/bench/cover.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/own.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/signoff/coverage/coverage.h"
#include "testbench/signoff/evidence/database_files.h"
#include "testbench/signoff/evidence/run_rows.h"

void evidence_check(const char *path) {
  pmuv3_database_check("--db", path);
  pmuv3_database_check_contents(path);
}

const char *evidence_source(const struct options *options, char buf[EVIDENCE_SOURCE_SIZE]) {
  snprintf(buf, EVIDENCE_SOURCE_SIZE, "%s %s", pmuv3_source,
           options->source ? options->source : "unknown");
  return buf;
}

/* ---- All numbers of struct totals, by their names in the table `hit` ---- */

struct number {
  char *name;
  uint64_t *at;
};

struct numbers {
  struct number *of;
  size_t count, size;
};

/* `format` makes the name. */
__attribute__((format(printf, 3, 4))) static void name_one(struct numbers *numbers, uint64_t *at,
                                                           const char *format, ...) {
  char name[128];
  va_list values;
  va_start(values, format);
  vsnprintf(name, sizeof name, format, values);
  va_end(values);
  if (numbers->count == numbers->size) {
    numbers->size = 2 * numbers->size + 1024;
    numbers->of = or_no_verdict(realloc(numbers->of, numbers->size * sizeof *numbers->of));
  }
  numbers->of[numbers->count++] = (struct number){or_no_verdict(strdup(name)), at};
}

static void name_all(struct numbers *numbers, const char *kind, uint64_t *first, size_t count) {
  for (size_t n = 0; n < count; n++) name_one(numbers, &first[n], "check/%s.%zu", kind, n);
}

/* X is of recordings alone, which are no evidence. */
static void name_counts(struct numbers *numbers, struct pmuv3_check_counts *counts) {
  const size_t counters = PMUV3_MAX_THREADS * PMUV3_RECORD_COUNTERS;
  for (unsigned c = 0; c < PMUV3_NUM_COMPARED; c++) {
    const char *kind = pmuv3_compared_name((enum pmuv3_compared)c);
    name_one(numbers, &counts->compared[c], "check/compared.%s", kind);
    name_one(numbers, &counts->uncertain[c], "check/in_doubt.%s", kind);
  }
  name_all(numbers, "compared_at", counts->compared_at, PMUV3_CHECK_PLACES);
  name_all(numbers, "in_doubt_at", counts->uncertain_at, PMUV3_CHECK_PLACES);
  name_all(numbers, "clocks", &counts->clocks, 1);
  name_all(numbers, "cycles", &counts->cycles, 1);
  name_all(numbers, "stopped", &counts->stopped, 1);
  name_all(numbers, "resets", &counts->resets, 1);
  name_all(numbers, "refused", &counts->refused, 1);
  name_all(numbers, "flags", &counts->flags[0][0], counters);
  name_all(numbers, "wide_flags", &counts->wide_flags[0][0], counters);
  name_all(numbers, "cycle_flags", counts->cycle_flags, PMUV3_MAX_THREADS);
  name_all(numbers, "carries", counts->carries, PMUV3_MAX_THREADS);
  name_all(numbers, "asserted", &counts->asserted[0][0], PMUV3_MAX_THREADS * PMUV3_CHECK_OUTPUTS);
}

static void name_register(struct numbers *numbers, struct pmuv3_check_register *counts, size_t r) {
  name_one(numbers, &counts->reads, "check/reads.%zu", r);
  name_one(numbers, &counts->doubts, "check/doubts.%zu", r);
  name_one(numbers, &counts->writes, "check/writes.%zu", r);
  name_one(numbers, &counts->refused, "check/refused_writes.%zu", r);
  name_one(numbers, &counts->ignored, "check/ignored_writes.%zu", r);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct number *)a)->name, ((const struct number *)b)->name);
}

static struct numbers name_numbers(struct totals *totals, const struct pmuv3_device *device) {
  struct numbers numbers = {0};
  const size_t bins = pmuv3_coverage_num_bins();
  for (size_t bin = 0; bin < bins; bin++)
    name_one(&numbers, &totals->reached[bin], "%s", pmuv3_coverage_name(bin));
  name_all(&numbers, "reached", totals->reached + bins, cover_size(device) - bins);
  name_counts(&numbers, &totals->counts);
  name_all(&numbers, "watched", &totals->watched, 1);
  for (size_t r = 0; r < device->num_registers; r++)
    name_register(&numbers, &totals->registers[r], r);
  qsort(numbers.of, numbers.count, sizeof *numbers.of, by_name);
  return numbers;
}

static void free_numbers(struct numbers *numbers) {
  for (size_t n = 0; n < numbers->count; n++) free(numbers->of[n].name);
  free(numbers->of);
}

/* ---- Rows ---- */

static const struct numbers *named; /* of pmuv3_database_record */

static const char *name_of(size_t n) {
  return named->of[n].name;
}

/* The numbers of a seed are kept apart: a longer run of the seed replaces them. A crash has none,
 * and the clocks that it was to have: a run of as many clocks meets what the crash met. */
void evidence_record(sqlite3 *database, const struct outcome *outcome) {
  char source[EVIDENCE_SOURCE_SIZE], seed[64];
  const bool crashed = *outcome->crash;
  const struct pmuv3_device *device = outcome->device;
  struct totals totals = outcome->totals;
  struct numbers numbers = name_numbers(&totals, device);
  uint64_t *values = or_no_verdict(calloc(numbers.count, sizeof *values));
  for (size_t n = 0; n < numbers.count; n++) values[n] = *numbers.of[n].at;
  named = &numbers;
  snprintf(seed, sizeof seed, "%s, seed %" PRIu64, pmuv3_mode_name(device->mode),
           outcome->options->seed);
  const struct pmuv3_database_run run = {
      .source = evidence_source(outcome->options, source),
      .configuration = pmuv3_mode_name(device->mode),
      .seed = outcome->options->seed,
      .params = device->file,
      .cycles = crashed ? outcome->options->cycles : outcome->totals.counts.clocks,
      .comparisons = crashed ? 0 : pmuv3_check_comparisons(&outcome->totals.counts),
      .verdict = crashed             ? "crashed"
                 : outcome->diverged ? "diverged"
                                     : "equivalent",
      .difference = crashed             ? outcome->crash
                    : outcome->diverged ? outcome->met.words
                                        : NULL,
      .seconds = outcome->seconds,
      .hits_of = seed};
  pmuv3_database_record(database, &run, values, crashed ? 0 : numbers.count, name_of);
  pmuv3_database_record_versions(database, source, pmuv3_versions);
  free(values);
  free_numbers(&numbers);
}

/* "": the folder has no stimulus. */
static void digest_stimulus(const char *folder, char digest[17]) {
  char path[PATH_MAX + 16];
  uint64_t number;
  snprintf(path, sizeof path, "%s/stimulus.check", folder);
  *digest = '\0';
  if (pmuv3_own_digest(&number, path)) snprintf(digest, 17, "%016" PRIx64, number);
}

/* The database is of all working directories, so the path is absolute. */
void evidence_name_folder(sqlite3 *database, const struct outcome *outcome) {
  char source[EVIDENCE_SOURCE_SIZE], folder[PATH_MAX], stimulus[17];
  if (!realpath(outcome->options->out, folder)) return;
  digest_stimulus(folder, stimulus);
  pmuv3_database_do(database,
                    "UPDATE run SET capsule = ?4, stimulus = ?5 WHERE source = ?1"
                    " AND configuration = ?2 AND seed = ?3 AND verdict = 'diverged'",
                    "ttitt", evidence_source(outcome->options, source),
                    pmuv3_mode_name(outcome->device->mode), (int64_t)outcome->options->seed, folder,
                    stimulus);
}

const char *evidence_folder(sqlite3_stmt *row, int capsule, int stimulus) {
  const char *folder = (const char *)sqlite3_column_text(row, capsule);
  const char *kept = (const char *)sqlite3_column_text(row, stimulus);
  char there[17];
  if (!folder || !kept) return "";
  digest_stimulus(folder, there);
  return *there && strcmp(there, kept) == 0 ? folder : "";
}

/* Adds the rows of an answer: names and values. */
static void add_numbers(struct totals *totals, sqlite3_stmt *row,
                        const struct pmuv3_device *device) {
  struct numbers numbers = name_numbers(totals, device);
  while (pmuv3_database_next(row)) {
    const struct number asked = {.name = (char *)sqlite3_column_text(row, 0)};
    const struct number *number = bsearch(&asked, numbers.of, numbers.count, sizeof asked, by_name);
    if (number) *number->at += (uint64_t)sqlite3_column_int64(row, 1);
  }
  free_numbers(&numbers);
}

uint64_t evidence_sum(sqlite3 *database, const struct options *options,
                      const struct pmuv3_device *device, struct totals *totals) {
  char source[EVIDENCE_SOURCE_SIZE];
  const char *mode = pmuv3_mode_name(device->mode);
  uint64_t runs = 0;
  evidence_source(options, source);
  add_numbers(totals,
              pmuv3_database_ask(database,
                                 "SELECT bin, sum(hits) FROM hit WHERE source = ?1 AND"
                                 " configuration IN (SELECT configuration || ', seed ' || seed"
                                 " FROM run WHERE source = ?1 AND configuration = ?2) GROUP BY bin",
                                 "tt", source, mode),
              device);
  sqlite3_stmt *row = pmuv3_database_ask(
      database,
      "SELECT count(*) FROM run WHERE source = ?1 AND configuration = ?2 AND verdict <> 'crashed'",
      "tt", source, mode);
  while (pmuv3_database_next(row)) runs = (uint64_t)sqlite3_column_int64(row, 0);
  return runs;
}

/* ---- Seeds ---- */

/* A question about the rows of the seeds of options. ?1: the source, ?2: the mode, ?3 and ?4: the
 * first seed and the last. */
static sqlite3_stmt *ask_seeds(sqlite3 *database, const char *sql, const struct options *options,
                               const struct pmuv3_device *device) {
  static char source[EVIDENCE_SOURCE_SIZE]; /* bound as long as the answer is read */
  return pmuv3_database_ask(database, sql, "ttiii", evidence_source(options, source),
                            pmuv3_mode_name(device->mode), (int64_t)options->seed,
                            (int64_t)(options->seed + options->num_seeds - 1),
                            (int64_t)options->cycles);
}

#define OF_SEEDS " FROM run WHERE source = ?1 AND configuration = ?2 AND seed BETWEEN ?3 AND ?4"

void evidence_recorded(sqlite3 *database, const struct options *options,
                       const struct pmuv3_device *device, bool recorded[]) {
  sqlite3_stmt *row =
      ask_seeds(database,
                "SELECT seed" OF_SEEDS
                " AND (verdict = 'diverged' OR (verdict = 'equivalent' AND cycles >= ?5))",
                options, device);
  memset(recorded, 0, options->num_seeds * sizeof *recorded);
  while (pmuv3_database_next(row))
    recorded[(uint64_t)sqlite3_column_int64(row, 0) - options->seed] = true;
}

void evidence_sum_seeds(sqlite3 *database, struct outcome *outcome) {
  const struct options *options = outcome->options;
  add_numbers(&outcome->totals,
              ask_seeds(database,
                        "SELECT bin, sum(hits) FROM hit WHERE source = ?1 AND configuration IN"
                        " (SELECT configuration || ', seed ' || seed" OF_SEEDS ") GROUP BY bin",
                        options, outcome->device),
              outcome->device);
  sqlite3_stmt *row =
      ask_seeds(database, "SELECT total(seconds)" OF_SEEDS " AND verdict <> 'crashed'", options,
                outcome->device);
  while (pmuv3_database_next(row)) outcome->seconds = sqlite3_column_double(row, 0);
}

static char *copy_of(const char *text) {
  return or_no_verdict(strdup(text ? text : ""));
}

#define FAILED "SELECT seed, difference, capsule, stimulus" OF_SEEDS

static struct failed_seed *failed_seeds(sqlite3 *database, const char *sql,
                                        const struct outcome *outcome, size_t *count) {
  sqlite3_stmt *row = ask_seeds(database, sql, outcome->options, outcome->device);
  struct failed_seed *seeds = or_no_verdict(calloc(outcome->options->num_seeds, sizeof *seeds));
  while (pmuv3_database_next(row))
    seeds[(*count)++] = (struct failed_seed){(uint64_t)sqlite3_column_int64(row, 0),
                                             copy_of((const char *)sqlite3_column_text(row, 1)),
                                             copy_of(evidence_folder(row, 2, 3))};
  return seeds;
}

void evidence_failures(sqlite3 *database, struct outcome *outcome) {
  outcome->crashes = failed_seeds(database, FAILED " AND verdict = 'crashed' ORDER BY seed",
                                  outcome, &outcome->num_crashed);
  outcome->seeds = failed_seeds(database, FAILED " AND verdict = 'diverged' ORDER BY seed", outcome,
                                &outcome->num_diverged);
  outcome->diverged = outcome->num_diverged > 0;
  if (outcome->diverged)
    snprintf(outcome->met.words, sizeof outcome->met.words, "seed %" PRIu64 ": %s",
             outcome->seeds[0].seed, outcome->seeds[0].words);
}
