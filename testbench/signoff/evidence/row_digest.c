#include "testbench/signoff/evidence/row_digest.h"

#include <stddef.h>

#include "testbench/signoff/evidence/database.h"

static uint64_t add_bytes(uint64_t digest, const void *bytes, size_t size) {
  for (const unsigned char *byte = bytes; size > 0; byte++, size--)
    digest = (digest ^ *byte) * UINT64_C(0x100000001B3);
  return digest;
}

/* A number is 8 bytes, a text is its bytes. The type and the size come first, so that adjacent
 * values cannot be confused. */
static uint64_t add_value(uint64_t digest, sqlite3_value *value) {
  const int type = sqlite3_value_type(value);
  const int64_t integer = sqlite3_value_int64(value);
  const double real = sqlite3_value_double(value);
  const void *text = type == SQLITE_TEXT ? sqlite3_value_text(value) : NULL;
  const int size = text ? sqlite3_value_bytes(value) : 0;
  digest = add_bytes(digest, &type, sizeof type);
  digest = add_bytes(digest, &size, sizeof size);
  if (type == SQLITE_INTEGER) return add_bytes(digest, &integer, sizeof integer);
  if (type == SQLITE_FLOAT) return add_bytes(digest, &real, sizeof real);
  return text ? add_bytes(digest, text, (size_t)size) : digest;
}

static void row_digest(sqlite3_context *context, int num_values, sqlite3_value **values) {
  uint64_t digest = UINT64_C(0xCBF29CE484222325);
  for (int i = 0; i < num_values; i++) digest = add_value(digest, values[i]);
  sqlite3_result_int64(context, (int64_t)digest);
}

bool pmuv3_row_digest_add(sqlite3 *database) {
  const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  return sqlite3_create_function(database, "row_digest", -1, flags, NULL, row_digest, NULL, NULL) ==
         SQLITE_OK;
}

int64_t pmuv3_row_digest_differs(sqlite3 *database, const char *table) {
  int64_t rows = 0;
  char sql[1024] = "";
  sqlite3_stmt *answer = pmuv3_database_ask(
      database,
      "SELECT printf('SELECT count(*) FROM %s WHERE digest IS NOT row_digest(''%s'', %s)', ?1, ?1,"
      " group_concat(name, ', ')) FROM pragma_table_xinfo(?1) WHERE hidden = 0",
      "t", table);
  while (pmuv3_database_next(answer))
    sqlite3_snprintf(sizeof sql, sql, "%s", sqlite3_column_text(answer, 0));
  answer = pmuv3_database_ask(database, sql, "");
  while (pmuv3_database_next(answer)) rows = sqlite3_column_int64(answer, 0);
  return rows;
}
