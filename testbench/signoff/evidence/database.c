#define _GNU_SOURCE
#include "testbench/signoff/evidence/database.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/text.h"
#include "testbench/signoff/evidence/database_files.h"
#include "testbench/signoff/evidence/row_digest.h"

/* Milliseconds that a writer waits for other writers. */
#define PATIENCE 60000

/* Refuses a database in one line. SQLite's message may have several lines. */
static _Noreturn void refuse(const char *path, const char *why) {
  char line[512];
  snprintf(line, sizeof line, "%s", why);
  for (char *c = line; (c = strchr(c, '\n'));) *c = ' ';
  pmuv3_cli_unusable("%s: %s", path ? path : "the evidence database", line);
}

/* The last connection that closes removes SQLite's files beside the database. */
static void close_whole(sqlite3 *database) {
  for (sqlite3_stmt *open; (open = sqlite3_next_stmt(database, NULL));) sqlite3_finalize(open);
  sqlite3_close(database);
}

static _Noreturn void fail(sqlite3 *database, const char *path) {
  char why[512];
  snprintf(why, sizeof why, "%s", database ? sqlite3_errmsg(database) : "out of memory");
  if (database) close_whole(database);
  refuse(path, why);
}

char *pmuv3_database_script(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", PMUV3_EVIDENCE, name);
  FILE *in = fopen(path, "r");
  char *text = in ? pmuv3_text_all(in) : NULL;
  if (!text) pmuv3_cli_unusable("cannot read %s: %s", path, strerror(errno));
  fclose(in);
  return text;
}

/* ---- Opening ---- */

/* A path is a file's name. SQLite itself gives ":memory:" and "file:x?mode=memory" other
 * meanings. The name has room: those of the files beside it are longer (expect_none_beside). */
static int open_file(const char *path, int flags, sqlite3 **database) {
  char name[PATH_MAX];
  snprintf(name, sizeof name, "%s%s", *path == '/' ? "" : "./", path);
  return sqlite3_open_v2(name, database, flags, NULL);
}

/* NULL: a database in memory. */
static sqlite3 *connect(const char *path, int flags) {
  sqlite3 *database;
  const int status = path ? open_file(path, flags, &database) : sqlite3_open(":memory:", &database);
  if (status != SQLITE_OK || !pmuv3_row_digest_add(database)) fail(database, path);
  sqlite3_busy_timeout(database, PATIENCE);
  return database;
}

/* The bytes of a database, which SQLite frees. */
static unsigned char *bytes_of(const char *path, sqlite3_int64 *size) {
  const char *why;
  FILE *in = pmuv3_file_open(path, &why);
  if (!in) refuse(path, why);
  fseek(in, 0, SEEK_END);
  *size = ftell(in);
  rewind(in);
  unsigned char *bytes = *size >= 0 ? sqlite3_malloc64((sqlite3_uint64)*size + 1) : NULL;
  if (!bytes) pmuv3_cli_no_verdict("out of memory");
  if (fread(bytes, 1, (size_t)*size, in) != (size_t)*size) refuse(path, "cannot read it");
  fclose(in);
  if (*size > 19) bytes[18] = bytes[19] = 1; /* in memory there is no log */
  return bytes;
}

static sqlite3 *load(const char *path) {
  sqlite3_int64 size;
  unsigned char *bytes = bytes_of(path, &size);
  sqlite3 *database = connect(NULL, 0);
  const unsigned flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY;
  if (sqlite3_deserialize(database, "main", bytes, size, size, flags) != SQLITE_OK)
    fail(database, path);
  return database;
}

/* Processes that run a script on the same database wait for each other. */
static void execute(sqlite3 *database, const char *path, const char *script) {
  int status;
  for (int waited = 0; (status = sqlite3_exec(database, script, NULL, NULL, NULL)) == SQLITE_BUSY &&
                       waited < PATIENCE;
       waited += 10)
    sqlite3_sleep(10);
  if (status != SQLITE_OK) fail(database, path);
}

/* The first value of the answer as text, which the caller frees. "": no answer. */
static char *text_of(sqlite3 *database, const char *path, const char *sql) {
  sqlite3_stmt *answer;
  if (sqlite3_prepare_v2(database, sql, -1, &answer, NULL) != SQLITE_OK) fail(database, path);
  const int status = sqlite3_step(answer);
  if (status != SQLITE_ROW && status != SQLITE_DONE) fail(database, path);
  const char *value = status == SQLITE_ROW ? (const char *)sqlite3_column_text(answer, 0) : NULL;
  char *text = strdup(value ? value : "");
  if (!text) fail(NULL, path);
  sqlite3_finalize(answer);
  return text;
}

static char *schema_of(sqlite3 *database, const char *path) {
  return text_of(database, path,
                 "SELECT group_concat(type || ' ' || name || ' ' || tbl_name || ' ' || sql, ';')"
                 " FROM (SELECT * FROM sqlite_schema ORDER BY name)");
}

static void create(sqlite3 *database, const char *path, const char *tables) {
  execute(database, path, "PRAGMA journal_mode = WAL");
  execute(database, path, "BEGIN IMMEDIATE");
  char *schema = schema_of(database, path);
  if (!*schema) execute(database, path, tables);
  execute(database, path, "COMMIT");
  free(schema);
}

/* A database from another version has other tables, and so has a database with a damaged name. */
static void expect_schema(sqlite3 *database, const char *path, const char *tables) {
  sqlite3 *model = connect(NULL, 0);
  execute(model, NULL, tables);
  char *expected = schema_of(model, NULL), *schema = schema_of(database, path);
  if (strcmp(schema, expected) != 0) {
    sqlite3_close(database); /* also removes SQLite's files beside the database */
    pmuv3_cli_unusable(
        "%s: the tables are not those of this version: the database is older or damaged; "
        "move it away and measure again",
        path);
  }
  free(expected);
  free(schema);
  sqlite3_close(model);
}

static _Noreturn void damaged(const char *path, const char *how) {
  char line[512];
  snprintf(line, sizeof line,
           "it is damaged: %s; nothing in it counts: move it away and measure again", how);
  refuse(path, line);
}

/* SQLite's own checks: pages, cells, the order of keys. */
static void expect_sound_pages(sqlite3 *database, const char *path) {
  char *how = text_of(database, path, "PRAGMA integrity_check(1)");
  if (strcmp(how, "ok") != 0) damaged(path, how);
  free(how);
}

static void expect_sound_rows(sqlite3 *database, const char *path) {
  sqlite3_stmt *tables =
      pmuv3_database_ask(database, "SELECT name FROM sqlite_schema WHERE type = 'table'", "");
  while (pmuv3_database_next(tables)) {
    char how[256];
    const char *table = (const char *)sqlite3_column_text(tables, 0);
    const int64_t rows = pmuv3_row_digest_differs(database, table);
    snprintf(how, sizeof how, "%" PRId64 " rows of the table %s are not as they were written", rows,
             table);
    if (rows != 0) damaged(path, how);
  }
}

static void expect_sound(sqlite3 *database, const char *path, const char *tables) {
  expect_schema(database, path, tables);
  expect_sound_pages(database, path);
  expect_sound_rows(database, path);
}

/* An archive: without a lock, and without files beside it. */
static sqlite3 *connect_archived(const char *path) {
  if (pmuv3_database_has_log(path))
    refuse(path, "its last rows are in its log (-wal), and it cannot be written to; copy both");
  return load(path);
}

/* With SQLITE_OPEN_READONLY, SQLite would leave its files beside the database. */
static sqlite3 *open_existing(const char *path, bool *has_tables) {
  pmuv3_database_expect_none_beside("--db", path);
  sqlite3 *database = pmuv3_database_is_writable(path) ? connect(path, SQLITE_OPEN_READWRITE)
                                                       : connect_archived(path);
  execute(database, path, "PRAGMA query_only = ON");
  char *tables = pmuv3_database_script("schema.sql"), *schema = schema_of(database, path);
  *has_tables = *schema != '\0';
  if (*has_tables) expect_sound(database, path, tables);
  free(schema);
  free(tables);
  return database;
}

sqlite3 *pmuv3_database_open_input(const char *path) {
  bool has_tables;
  sqlite3 *database = open_existing(path, &has_tables);
  if (!has_tables) {
    sqlite3_close(database);
    refuse(path, "not an evidence database: it has no tables");
  }
  return database;
}

void pmuv3_database_check_contents(const char *path) {
  bool has_tables;
  if (access(path, F_OK) == 0) sqlite3_close(open_existing(path, &has_tables));
}

sqlite3 *pmuv3_database_open(const char *path) {
  pmuv3_database_expect_one_name(path);
  pmuv3_database_expect_none_beside("--db", path);
  sqlite3 *database = connect(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  char *tables = pmuv3_database_script("schema.sql"), *schema = schema_of(database, path);
  if (!*schema) create(database, path, tables);
  expect_sound(database, path, tables);
  /* A killed process loses nothing. Only a crash of the machine may lose the last writes. */
  pmuv3_database_do(database, "PRAGMA synchronous = NORMAL", "");
  free(schema);
  free(tables);
  return database;
}

/* ---- In memory ---- */

sqlite3 *pmuv3_database_new(void) {
  sqlite3 *database = connect(NULL, 0);
  char *tables = pmuv3_database_script("schema.sql");
  execute(database, NULL, tables);
  free(tables);
  return database;
}

sqlite3 *pmuv3_database_load(const char *path) {
  char *tables = pmuv3_database_script("schema.sql");
  sqlite3 *database = load(path);
  expect_sound(database, path, tables);
  free(tables);
  return database;
}

/* ---- Statements ---- */

static void bind(sqlite3_stmt *statement, const char *types, va_list values) {
  for (int i = 0; types[i]; i++) {
    switch (types[i]) {
      case 't':
        sqlite3_bind_text(statement, i + 1, va_arg(values, const char *), -1, SQLITE_STATIC);
        break;
      case 'i':
        sqlite3_bind_int64(statement, i + 1, va_arg(values, int64_t));
        break;
      default:
        sqlite3_bind_double(statement, i + 1, va_arg(values, double));
    }
  }
}

static sqlite3_stmt *ask(sqlite3 *database, const char *sql, const char *types, va_list values) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) fail(database, NULL);
  bind(statement, types, values);
  return statement;
}

sqlite3_stmt *pmuv3_database_ask(sqlite3 *database, const char *sql, const char *types, ...) {
  va_list values;
  va_start(values, types);
  sqlite3_stmt *statement = ask(database, sql, types, values);
  va_end(values);
  return statement;
}

bool pmuv3_database_next(sqlite3_stmt *statement) {
  const int status = sqlite3_step(statement);
  if (status == SQLITE_ROW) return true;
  if (status != SQLITE_DONE) fail(sqlite3_db_handle(statement), NULL);
  sqlite3_finalize(statement);
  return false;
}

int pmuv3_database_do(sqlite3 *database, const char *sql, const char *types, ...) {
  va_list values;
  va_start(values, types);
  sqlite3_stmt *statement = ask(database, sql, types, values);
  va_end(values);
  while (pmuv3_database_next(statement)) continue;
  return sqlite3_changes(database);
}

/* Immediate: takes the write lock at once, so that a transaction that has begun cannot fail for
 * another writer. */
void pmuv3_database_begin(sqlite3 *database) {
  pmuv3_database_do(database, "BEGIN IMMEDIATE", "");
}
void pmuv3_database_commit(sqlite3 *database) {
  pmuv3_database_do(database, "COMMIT", "");
}
