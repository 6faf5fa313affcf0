/*
 * A digest of a row's values, by which damage in it is seen: SQLite does not see a bit that changed
 * within a value. It is the SQL function row_digest(TABLE, VALUE...), FNV-1a of 64 bits, and every
 * table of schema.sql has it in a generated column. So what can write at all writes it.
 */
#ifndef PMUV3_ROW_DIGEST_H
#define PMUV3_ROW_DIGEST_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* Gives a connection the function. */
bool pmuv3_row_digest_add(sqlite3 *database);

/* How many rows of a table have another digest than that of their values. */
int64_t pmuv3_row_digest_differs(sqlite3 *database, const char *table);

#endif
