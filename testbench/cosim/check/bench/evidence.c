/* Runs of a device, as rows of the evidence database. */
#define _GNU_SOURCE
#include "testbench/cosim/check/bench/evidence.h"

#include <inttypes.h>
#include <limits.h>
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

/* ---- All numbers of struct totals, in one order ---- */

static const struct pmuv3_device *named; /* the device that the numbers are of */

enum { CLOCKS, CYCLES, STOPPED, RESETS, REFUSED, WATCHED, NUM_SUMS };
static const char *const sums[] = {"clocks", "cycles", "stopped", "resets", "refused", "watched"};

static size_t num_flags(void) {
  return (size_t)named->params.threads * PMUV3_RECORD_COUNTERS;
}

static size_t num_numbers(void) {
  return cover_size(named) + 2 * PMUV3_NUM_COMPARED + NUM_SUMS + 3 * named->num_registers +
         2 * num_flags() + 2 * named->params.threads;
}

/* Where number n of struct totals is. */
static uint64_t *number_at(struct totals *totals, size_t n) {
  uint64_t *const all[] = {[CLOCKS] = &totals->counts.clocks,   [CYCLES] = &totals->counts.cycles,
                           [STOPPED] = &totals->counts.stopped, [RESETS] = &totals->counts.resets,
                           [REFUSED] = &totals->counts.refused, [WATCHED] = &totals->watched};
  if (n < cover_size(named)) return &totals->reached[n];
  n -= cover_size(named);
  if (n < PMUV3_NUM_COMPARED) return &totals->counts.compared[n];
  n -= PMUV3_NUM_COMPARED;
  if (n < PMUV3_NUM_COMPARED) return &totals->counts.uncertain[n];
  n -= PMUV3_NUM_COMPARED;
  if (n < NUM_SUMS) return all[n];
  n -= NUM_SUMS;
  if (n < named->num_registers) return &totals->reads[n];
  n -= named->num_registers;
  if (n < named->num_registers) return &totals->writes[n];
  n -= named->num_registers;
  if (n < named->num_registers) return &totals->doubts[n];
  n -= named->num_registers;
  if (n < num_flags()) return &totals->counts.flags[0][0] + n;
  n -= num_flags();
  if (n < num_flags()) return &totals->counts.wide_flags[0][0] + n;
  n -= num_flags();
  if (n < named->params.threads) return &totals->counts.cycle_flags[n];
  return &totals->counts.carries[n - named->params.threads];
}

/* Its name in the table `hit`. Valid until the next call. */
static const char *number_name(size_t n) {
  static char name[80];
  const char *kind = "reached";
  if (n < pmuv3_coverage_num_bins()) return pmuv3_coverage_name(n);
  if (n < cover_size(named)) {
    n -= pmuv3_coverage_num_bins();
  } else if ((n -= cover_size(named)) < 2 * PMUV3_NUM_COMPARED) {
    kind = pmuv3_compared_name((enum pmuv3_compared)(n % PMUV3_NUM_COMPARED));
    snprintf(name, sizeof name, "check/%s.%s", n < PMUV3_NUM_COMPARED ? "compared" : "in_doubt",
             kind);
    return name;
  } else if ((n -= 2 * PMUV3_NUM_COMPARED) < NUM_SUMS) {
    kind = sums[n];
    n = 0;
  } else if ((n -= NUM_SUMS) < named->num_registers) {
    kind = "reads";
  } else if ((n -= named->num_registers) < named->num_registers) {
    kind = "writes";
  } else if ((n -= named->num_registers) < named->num_registers) {
    kind = "doubts";
  } else if ((n -= named->num_registers) < num_flags()) {
    kind = "flags";
  } else if ((n -= num_flags()) < num_flags()) {
    kind = "wide_flags";
  } else if ((n -= num_flags()) < named->params.threads) {
    kind = "cycle_flags";
  } else {
    kind = "carries";
    n -= named->params.threads;
  }
  snprintf(name, sizeof name, "check/%s.%zu", kind, n);
  return name;
}

/* ---- Rows ---- */

/* The numbers of a seed are kept apart: a longer run of the seed replaces them. A crash has none,
 * and the clocks that it was to have: a run of as many clocks meets what the crash met. */
void evidence_record(sqlite3 *database, const struct outcome *outcome) {
  char source[EVIDENCE_SOURCE_SIZE], seed[64];
  const bool crashed = *outcome->crash;
  struct totals totals = outcome->totals;
  named = outcome->device;
  uint64_t *numbers = calloc(num_numbers(), sizeof *numbers);
  if (!numbers) pmuv3_cli_no_verdict("out of memory");
  for (size_t n = 0; n < num_numbers(); n++) numbers[n] = *number_at(&totals, n);
  snprintf(seed, sizeof seed, "%s, seed %" PRIu64, pmuv3_mode_name(named->mode),
           outcome->options->seed);
  const struct pmuv3_database_run run = {
      .source = evidence_source(outcome->options, source),
      .configuration = pmuv3_mode_name(named->mode),
      .seed = outcome->options->seed,
      .params = named->file,
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
  pmuv3_database_record(database, &run, numbers, crashed ? 0 : num_numbers(), number_name);
  pmuv3_database_record_versions(database, source, pmuv3_versions);
  free(numbers);
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

static void add_number(struct totals *totals, const char *name, uint64_t value) {
  for (size_t n = 0; n < num_numbers(); n++)
    if (strcmp(number_name(n), name) == 0) *number_at(totals, n) += value;
}

/* Adds the rows of an answer: names and values. */
static void add_numbers(struct totals *totals, sqlite3_stmt *row,
                        const struct pmuv3_device *device) {
  named = device;
  while (pmuv3_database_next(row))
    add_number(totals, (const char *)sqlite3_column_text(row, 0),
               (uint64_t)sqlite3_column_int64(row, 1));
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
  char *copy = strdup(text ? text : "");
  if (!copy) pmuv3_cli_no_verdict("out of memory");
  return copy;
}

#define FAILED "SELECT seed, difference, capsule, stimulus" OF_SEEDS

static struct failed_seed *failed_seeds(sqlite3 *database, const char *sql,
                                        const struct outcome *outcome, size_t *count) {
  sqlite3_stmt *row = ask_seeds(database, sql, outcome->options, outcome->device);
  struct failed_seed *seeds = calloc(outcome->options->num_seeds, sizeof *seeds);
  if (!seeds) pmuv3_cli_no_verdict("out of memory");
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
