/*
 * A digest of a row's values, to detect damage. SQLite does not detect a changed bit within a
 * value. The SQL function row_digest(TABLE, VALUE...) is FNV-1a of 64 bits. Every table of
 * schema.sql has the digest in a generated column, so every writer needs the function.
 */
#ifndef PMUV3_ROW_DIGEST_H
#define PMUV3_ROW_DIGEST_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* Adds the function to a connection. */
bool pmuv3_row_digest_add(sqlite3 *database);

/* The number of rows in a table whose digest does not match their values. */
int64_t pmuv3_row_digest_differs(sqlite3 *database, const char *table);

#endif
