#define _GNU_SOURCE
#include "testbench/signoff/evidence/shard.h"
#include "testbench/signoff/evidence/run_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/signoff/evidence/mutant_rows.h"

char *pmuv3_shard_run_name(const char *configuration, uint64_t seed) {
  char *name;
  if (asprintf(&name, "%s, seed %" PRIu64, configuration, seed) < 0)
    pmuv3_cli_no_verdict("out of memory");
  return name;
}

/* ---- Writing ---- */

struct bytes {
  unsigned char *start;
  size_t size;
};

static bool write_bytes(FILE *out, const void *context) {
  const struct bytes *bytes = context;
  return fwrite(bytes->start, 1, bytes->size, out) == bytes->size;
}

void pmuv3_shard_write(const char *option, const char *path, sqlite3 *results) {
  sqlite3_int64 size;
  struct bytes bytes = {.start = sqlite3_serialize(results, "main", &size, 0)};
  if (!bytes.start) pmuv3_cli_no_verdict("out of memory");
  bytes.size = (size_t)size;
  pmuv3_cli_write(option, path, write_bytes, &bytes);
  sqlite3_free(bytes.start);
  sqlite3_close(results);
}

/* ---- Merging: a run ---- */

/* The hits of the run that is merged. */
static struct {
  size_t num, room;
  char **names;
  uint64_t *counts;
} hits;

static const char *hit_name(size_t bin) {
  return hits.names[bin];
}

static void add_hit(const char *name, uint64_t count) {
  if (hits.num == hits.room) {
    hits.room = 2 * hits.room + 1024;
    hits.names = reallocarray(hits.names, hits.room, sizeof *hits.names);
    hits.counts = reallocarray(hits.counts, hits.room, sizeof *hits.counts);
  }
  if (!hits.names || !hits.counts || !(hits.names[hits.num] = strdup(name)))
    pmuv3_cli_no_verdict("out of memory");
  hits.counts[hits.num++] = count;
}

static void read_hits(sqlite3 *shard, const struct pmuv3_database_run *run, const char *name) {
  sqlite3_stmt *row = pmuv3_database_ask(
      shard, "SELECT bin, hits FROM hit WHERE source = ?1 AND configuration = ?2 ORDER BY bin",
      "tt", run->source, name);
  while (hits.num > 0) free(hits.names[--hits.num]);
  while (pmuv3_database_next(row))
    add_hit((const char *)sqlite3_column_text(row, 0), (uint64_t)sqlite3_column_int64(row, 1));
}

static const char *text(sqlite3_stmt *row, int column) {
  return (const char *)sqlite3_column_text(row, column);
}

struct merging {
  sqlite3 *database;
  const char *source;
  enum pmuv3_shard_hits kind;
};

static void merge_run(const struct merging *merging, sqlite3 *shard, sqlite3_stmt *row) {
  struct pmuv3_database_run run = {
      .source = text(row, 0),
      .configuration = text(row, 1),
      .seed = (uint64_t)sqlite3_column_int64(row, 2),
      .params = text(row, 3),
      .cycles = (uint64_t)sqlite3_column_int64(row, 4),
      .comparisons = (uint64_t)sqlite3_column_int64(row, 5),
      .verdict = text(row, 6),
      .difference = text(row, 7),
      .capsule = text(row, 8),
      .stimulus = text(row, 9),
      .seconds = sqlite3_column_double(row, 10),
  };
  char *name = pmuv3_shard_run_name(run.configuration, run.seed);
  if (merging->kind == PMUV3_SHARD_HITS_OF_RUNS) run.hits_of = name;
  read_hits(shard, &run, name);
  pmuv3_database_record(merging->database, &run, hits.counts, hits.num, hit_name);
  free(name);
}

/* ---- Merging: files ---- */

static void expect_source(sqlite3 *shard, const char *path, const char *source) {
  sqlite3_stmt *row = pmuv3_database_ask(
      shard,
      "SELECT source FROM (SELECT source FROM run UNION SELECT source FROM mutant)"
      " WHERE source <> ?1 LIMIT 1",
      "t", source);
  while (pmuv3_database_next(row))
    pmuv3_cli_unusable("%s: a shard of the sources %s, not of %s", path, text(row, 0), source);
}

static void merge_file(const char *path, void *with) {
  const struct merging *merging = with;
  if (access(path, F_OK) != 0) return; /* another merger was faster */
  sqlite3 *shard = pmuv3_database_load(path);
  expect_source(shard, path, merging->source);
  sqlite3_stmt *row = pmuv3_database_ask(shard, "SELECT * FROM run", "");
  while (pmuv3_database_next(row)) merge_run(merging, shard, row);
  pmuv3_database_merge_mutants(merging->database, shard);
  row = pmuv3_database_ask(shard, "SELECT tool, version FROM version", "");
  while (pmuv3_database_next(row))
    pmuv3_database_record_version(merging->database, merging->source, text(row, 0), text(row, 1));
  sqlite3_close(shard);
  unlink(path);
}

void pmuv3_shard_merge(sqlite3 *database, const char *source, enum pmuv3_shard_hits kind,
                       const struct pmuv3_shards *shards) {
  pmuv3_shards_each(shards, merge_file, &(struct merging){database, source, kind});
}
