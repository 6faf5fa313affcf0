/*
 * The evidence database (schema.sql): an SQLite file that several programs may fill at the same
 * time. Every row has a digest of its values (row_digest.h), so that a program sees damage before
 * it reads rows. A failure gives one line on standard error and exit status 2.
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
 * Opens a database, and makes it if needed. A damaged database, or one with another schema, is
 * unusable: none of its rows counts. Close the database with sqlite3_close.
 */
sqlite3 *pmuv3_database_open(const char *path);

/* Opens an existing database for reading. The file does not change. */
sqlite3 *pmuv3_database_open_input(const char *path);

/* Checks, before any work, the rows of a database that is to be written. It may have no tables yet:
 * a run that found no room on the disk leaves such a database. */
void pmuv3_database_check_contents(const char *path);

/* A new database in memory. */
sqlite3 *pmuv3_database_new(void);

/* Reads a whole database file into memory, without a lock. A damaged file is unusable. */
sqlite3 *pmuv3_database_load(const char *path);

/* The text of a file in testbench/signoff/evidence/. The caller frees it. */
char *pmuv3_database_script(const char *name);

/*
 * Prepares one statement, and binds its parameters ?1, ?2... Each has a letter in `types`. t: text
 * or NULL, which must stay valid until the statement is done; i: int64_t; d: double.
 */
sqlite3_stmt *pmuv3_database_ask(sqlite3 *database, const char *sql, const char *types, ...);

/* Steps to the next row of an answer. False: no row is left, and the statement is finalized. */
bool pmuv3_database_next(sqlite3_stmt *statement);

/* Executes a statement without an answer. Returns the number of changed rows. */
int pmuv3_database_do(sqlite3 *database, const char *sql, const char *types, ...);

/* All writes between these two calls are one transaction. */
void pmuv3_database_begin(sqlite3 *database);
void pmuv3_database_commit(sqlite3 *database);

#ifdef __cplusplus
}
#endif

#endif
