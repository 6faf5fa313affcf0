#include "testbench/mutate/record.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "testbench/cli/cli.h"

struct pmuv3_record {
  sqlite3 *database;
  const char *path, *source, *side;
  sqlite3_stmt *has, *add;
};

static void expect(const struct pmuv3_record *record, bool good) {
  if (!good) pmuv3_cli_unusable("%s: %s", record->path, sqlite3_errmsg(record->database));
}

static sqlite3_stmt *prepare(struct pmuv3_record *record, const char *sql) {
  sqlite3_stmt *statement = NULL;
  expect(record, sqlite3_prepare_v2(record->database, sql, -1, &statement, NULL) == SQLITE_OK);
  return statement;
}

struct pmuv3_record *pmuv3_record_open(const char *path, const char *source, const char *side) {
  struct pmuv3_record *record = calloc(1, sizeof *record);
  if (!record) pmuv3_cli_unusable("out of memory");
  *record = (struct pmuv3_record){.path = path, .source = source, .side = side};
  expect(record,
         sqlite3_open_v2(path, &record->database, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK);
  sqlite3_busy_timeout(record->database, 60000); /* other campaigns write, too */
  record->has =
      prepare(record, "SELECT 1 FROM mutant WHERE source = ?1 AND side = ?2 AND name = ?3");
  record->add = prepare(record,
                        "INSERT OR REPLACE INTO mutant VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, "
                        "?9, ?10)");
  return record;
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text) {
  sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC);
}

/* Of both statements: which mutant it is. */
static void bind_key(const struct pmuv3_record *record, sqlite3_stmt *statement,
                     const struct pmuv3_mutant *mutant) {
  sqlite3_reset(statement);
  bind_text(statement, 1, record->source);
  bind_text(statement, 2, record->side);
  bind_text(statement, 3, mutant->name);
}

bool pmuv3_record_has(struct pmuv3_record *record, const struct pmuv3_mutant *mutant) {
  bind_key(record, record->has, mutant);
  const int step = sqlite3_step(record->has);
  expect(record, step == SQLITE_ROW || step == SQLITE_DONE);
  sqlite3_reset(record->has);
  return step == SQLITE_ROW;
}

void pmuv3_record_add(struct pmuv3_record *record, const struct pmuv3_mutant *mutant,
                      const struct pmuv3_trial *trial) {
  bind_key(record, record->add, mutant);
  bind_text(record->add, 4, mutant->module);
  bind_text(record->add, 5, mutant->place);
  bind_text(record->add, 6, mutant->change);
  bind_text(record->add, 7, trial->killed ? "killed" : "survived");
  bind_text(record->add, 8, trial->killed ? trial->reason : NULL);
  sqlite3_bind_int64(record->add, 9, (sqlite3_int64)trial->cycles);
  sqlite3_bind_double(record->add, 10, trial->seconds);
  expect(record, sqlite3_step(record->add) == SQLITE_DONE);
  sqlite3_reset(record->add);
}

void pmuv3_record_close(struct pmuv3_record *record) {
  sqlite3_finalize(record->has);
  sqlite3_finalize(record->add);
  sqlite3_close(record->database);
  free(record);
}
