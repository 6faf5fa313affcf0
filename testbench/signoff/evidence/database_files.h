/* Where an evidence database lies, and what lies beside it. Failures are as in database.h. */
#ifndef PMUV3_DATABASE_FILES_H
#define PMUV3_DATABASE_FILES_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Refuses a file or a folder among the sources: what is made there makes them others, and then all
 * evidence is of sources that are no more. */
void pmuv3_database_check_apart(const char *option, const char *path);

/*
 * Checks, before any work, that a database can be written, or read. Notes the database and SQLite's
 * files beside it (NAME-wal, ...) as used (testbench/cosim/cli/cli.h). A new database must not take
 * over such a file. `option` is for the message.
 */
void pmuv3_database_check(const char *option, const char *path);
void pmuv3_database_check_input(const char *path);

/* Refuses a database if a file that is not SQLite's has the name of one of SQLite's beside it. */
void pmuv3_database_expect_none_beside(const char *option, const char *path);

/* Refuses a database that has two names. */
void pmuv3_database_expect_one_name(const char *path);

/* Whether SQLite can write to a database and beside it; true if there is none. Whether its log has
 * rows that are not in it yet. */
bool pmuv3_database_is_writable(const char *path);
bool pmuv3_database_has_log(const char *path);

#ifdef __cplusplus
}
#endif

#endif
