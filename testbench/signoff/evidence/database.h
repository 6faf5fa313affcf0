/*
 * The evidence database (schema.sql), an SQLite file that several programs may
 * fill at the same time. Every row has a digest of its values (digest.h), so that
 * damage is seen before anything is read. What cannot be done with it is unusable: one line on
 * standard error, exit status 2.
 */
#ifndef PMUV3_DATABASE_H
#define PMUV3_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Checks, before anything is done, that a database can be written, or read, and notes its file and
 * those that SQLite makes beside it (NAME-wal, ...) as used (testbench/cosim/cli/cli.h). A new
 * database takes no such file over. `option` is for the message.
 */
void pmuv3_database_check(const char *option, const char *path);
void pmuv3_database_check_input(const char *path);

/*
 * Opens a database, which is made if it is not there. One that is damaged, or of another schema, is
 * unusable: none of its rows counts. Close it with sqlite3_close.
 */
sqlite3 *pmuv3_database_open(const char *path);

/* Opens one that is there, to read it: nothing of the file is changed. */
sqlite3 *pmuv3_database_open_input(const char *path);

/* The text of a file of testbench/signoff/evidence/, to be freed. */
char *pmuv3_database_script(const char *name);

/*
 * Prepares one statement, and gives its parameters ?1, ?2... their values, a letter of `types`
 * each: t text or NULL (it must stay until the statement is done), i int64_t, d double.
 */
sqlite3_stmt *pmuv3_database_ask(sqlite3 *database, const char *sql, const char *types, ...);

/* The next row of an answer; false: there is none, and the statement is gone. */
bool pmuv3_database_next(sqlite3_stmt *statement);

/* A statement without an answer. Returns how many rows it changed. */
int pmuv3_database_do(sqlite3 *database, const char *sql, const char *types, ...);

/* Between these two, all or nothing is written. */
void pmuv3_database_begin(sqlite3 *database);
void pmuv3_database_commit(sqlite3 *database);

/* A co-simulation that ended: a row of the table `run`, which says what they are. */
struct pmuv3_database_run {
  const char *source;
  const char *configuration;
  uint64_t seed;
  const char *params;
  uint64_t cycles;
  uint64_t comparisons;
  const char *verdict;
  const char *difference; /* or NULL */
  const char *capsule;    /* or NULL */
  double seconds;
};

/*
 * Records a run and adds its hits of bins, in one transaction. Returns false,
 * and adds nothing, where the same run is there already: one that did not
 * crash, of at least these cycles or with a divergence.
 */
bool pmuv3_database_record(sqlite3 *database, const struct pmuv3_database_run *run,
                           const uint64_t *hits, size_t num_hits, const char *(*name)(size_t bin));

/* Records the versions of the tools that the programs were built with (source.h). */
void pmuv3_database_record_versions(sqlite3 *database, const char *source, const char *versions);

#ifdef __cplusplus
}
#endif

#endif
