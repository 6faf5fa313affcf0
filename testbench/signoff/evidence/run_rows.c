#include "testbench/signoff/evidence/run_rows.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#define OF_CONFIGURATION "source = ?1 AND configuration = ?2"
#define THIS_RUN OF_CONFIGURATION " AND seed = ?3"

static int do_with_run(sqlite3 *database, const struct pmuv3_database_run *run, const char *sql) {
  return pmuv3_database_do(database, sql, "ttiti", run->source, run->configuration,
                           (int64_t)run->seed, run->verdict, (int64_t)run->cycles);
}

/* Whether the database knows as much: a divergence, or the same verdict, or one that outdoes a
 * crash, of as many cycles. */
static bool is_known(sqlite3 *database, const struct pmuv3_database_run *run) {
  bool is_known = false;
  sqlite3_stmt *answer =
      pmuv3_database_ask(database,
                         "SELECT count(*) > 0 FROM run WHERE " THIS_RUN
                         " AND (verdict = 'diverged' OR (cycles >= ?5 AND ?4 <> 'diverged'"
                         " AND verdict IN ('equivalent', ?4)))",
                         "ttiti", run->source, run->configuration, (int64_t)run->seed, run->verdict,
                         (int64_t)run->cycles);
  while (pmuv3_database_next(answer)) is_known = sqlite3_column_int(answer, 0) != 0;
  return is_known;
}

#define NOTE_CRASH                                                       \
  "INSERT OR IGNORE INTO replaced SELECT source, 'Lockstep regression'," \
  " configuration || ', seed ' || seed, 'crashed' FROM run WHERE " THIS_RUN

/* A crash comes after what outdoes it, and is not what is recorded already. */
static void note_late_crash(sqlite3 *database, const struct pmuv3_database_run *run) {
  do_with_run(database, run,
              NOTE_CRASH " AND ?4 = 'crashed' AND NOT EXISTS (SELECT * FROM run WHERE " THIS_RUN
                         " AND verdict = 'crashed' AND cycles = ?5)");
}

/* A crash goes when a run came as far. A verdict goes when another one says more, and takes its
 * hits with it. A verdict and the crash of a longer run stay side by side. */
#define OUTDONE                                          \
  " AND NOT (verdict = 'equivalent' AND ?4 = 'crashed')" \
  " AND NOT (verdict = 'crashed' AND ?4 = 'equivalent' AND cycles > ?5)"

static void forget_outdone(sqlite3 *database, const struct pmuv3_database_run *run) {
  do_with_run(database, run, NOTE_CRASH " AND verdict = 'crashed'" OUTDONE);
  do_with_run(database, run, "DELETE FROM run WHERE " THIS_RUN OUTDONE);
  pmuv3_database_do(database,
                    "UPDATE hit SET hits = hit.hits - added.value"
                    " FROM run_hits, json_each(run_hits.hits) added"
                    " WHERE run_hits.source = ?1 AND run_hits.configuration = ?2"
                    " AND run_hits.seed = ?3 AND ?4 <> 'crashed' AND hit.source = ?1"
                    " AND hit.configuration = ?2 AND hit.bin = added.key",
                    "ttit", run->source, run->configuration, (int64_t)run->seed, run->verdict);
  do_with_run(database, run, "DELETE FROM hit WHERE " OF_CONFIGURATION " AND hits = 0");
  do_with_run(database, run, "DELETE FROM run_hits WHERE " THIS_RUN " AND ?4 <> 'crashed'");
}

static void insert(sqlite3 *database, const struct pmuv3_database_run *run) {
  pmuv3_database_do(database,
                    "INSERT INTO run VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                    "ttitiittttd", run->source, run->configuration, (int64_t)run->seed, run->params,
                    (int64_t)run->cycles, (int64_t)run->comparisons, run->verdict, run->difference,
                    run->capsule, run->stimulus, run->seconds);
}

/* ---- Hits ---- */

static void add_hits(sqlite3 *database, const struct pmuv3_database_run *run, const char *json) {
  const char *hits_of = run->hits_of ? run->hits_of : run->configuration;
  pmuv3_database_do(database,
                    "INSERT INTO hit SELECT ?1, ?2, key, value FROM json_each(?3) WHERE true"
                    " ON CONFLICT DO UPDATE SET hits = hits + excluded.hits",
                    "ttt", run->source, hits_of, json);
}

/* What a run adds to its configuration goes with the run. Sorted: a shard has its own order. */
static void keep_hits(sqlite3 *database, const struct pmuv3_database_run *run, const char *json) {
  pmuv3_database_do(database,
                    "INSERT INTO run_hits SELECT ?1, ?2, ?3, json_group_object(key, value)"
                    " FROM (SELECT key, value FROM json_each(?4) ORDER BY key)",
                    "ttit", run->source, run->configuration, (int64_t)run->seed, json);
}

static void forget_hits(sqlite3 *database, const struct pmuv3_database_run *run) {
  pmuv3_database_do(database, "DELETE FROM hit WHERE " OF_CONFIGURATION, "tt", run->source,
                    run->hits_of);
}

static json_object *json_of_hits(const uint64_t *hits, size_t num_hits,
                                 const char *(*name)(size_t bin)) {
  json_object *object = json_object_new_object();
  for (size_t bin = 0; bin < num_hits; bin++)
    if (hits[bin] > 0)
      json_object_object_add(object, name(bin), json_object_new_int64((int64_t)hits[bin]));
  return object;
}

static void record_hits(sqlite3 *database, const struct pmuv3_database_run *run,
                        const uint64_t *hits, size_t num_hits, const char *(*name)(size_t bin)) {
  json_object *object = json_of_hits(hits, num_hits, name);
  const char *json = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN);
  const bool crashed = strcmp(run->verdict, "crashed") == 0; /* beside a verdict, whose hits stay */
  if (run->hits_of && !crashed) forget_hits(database, run);
  add_hits(database, run, json);
  if (!run->hits_of && json_object_object_length(object) > 0) keep_hits(database, run, json);
  json_object_put(object);
}

bool pmuv3_database_record(sqlite3 *database, const struct pmuv3_database_run *run,
                           const uint64_t *hits, size_t num_hits, const char *(*name)(size_t bin)) {
  pmuv3_database_begin(database);
  const bool is_new = !is_known(database, run);
  if (is_new) {
    forget_outdone(database, run);
    insert(database, run);
    record_hits(database, run, hits, num_hits, name);
  } else {
    note_late_crash(database, run);
  }
  pmuv3_database_commit(database);
  return is_new;
}

void pmuv3_database_record_version(sqlite3 *database, const char *source, const char *tool,
                                   const char *version) {
  pmuv3_database_do(database, "INSERT OR IGNORE INTO version VALUES (?1, ?2, ?3)", "ttt", source,
                    tool, version);
}

void pmuv3_database_record_versions(sqlite3 *database, const char *source, const char *versions) {
  char name[64], version[64];
  for (int length; sscanf(versions, "%63s %63s%n", name, version, &length) == 2; versions += length)
    pmuv3_database_record_version(database, source, name, version);
}
