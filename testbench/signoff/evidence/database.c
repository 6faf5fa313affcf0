#define _GNU_SOURCE
#include "testbench/signoff/evidence/database.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/text.h"
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

/* ---- Files ---- */

/* The suffixes of SQLite's own files beside a database, and how such a file begins. */
static const char *const suffixes[] = {"-wal", "-shm", "-journal"};
static const struct beginning {
  size_t size;
  unsigned char bytes[8];
} beginnings[] = {{3, {0x37, 0x7F, 0x06}},
                  {4, {0x18, 0xE2, 0x2D, 0x00}},
                  {8, {0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7}}};
#define NUM_SUFFIXES (sizeof suffixes / sizeof *suffixes)

static void join(char name[PATH_MAX], const char *first, const char *second) {
  if (snprintf(name, PATH_MAX, "%s%s", first, second) >= PATH_MAX)
    pmuv3_cli_unusable("%s%s: %s", first, second, strerror(ENAMETOOLONG));
}

/* A file that SQLite has just made is empty or begins with zeros. */
static bool begins_as(const char *name, const struct beginning *beginning) {
  unsigned char bytes[sizeof beginning->bytes] = {0};
  const int file = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return errno == ENOENT;
  const ssize_t size = read(file, bytes, beginning->size);
  close(file);
  if (size < 0) return false;
  if (memcmp(bytes, (const unsigned char[sizeof bytes]){0}, beginning->size) == 0) return true;
  return memcmp(bytes, beginning->bytes, beginning->size) == 0;
}

/* SQLite removes such a file when it makes a database. Another process may be making this database,
 * and makes the database file first. So the database file is checked last. Beside a database,
 * SQLite takes any file of such a name for its own. */
static void expect_none_beside(const char *option, const char *path) {
  struct stat status;
  char *target = realpath(path, NULL); /* SQLite's files are beside the target of a link */
  for (size_t i = 0; i < NUM_SUFFIXES; i++) {
    char name[PATH_MAX];
    join(name, target ? target : path, suffixes[i]);
    if (lstat(name, &status) == 0 && access(path, F_OK) != 0)
      pmuv3_cli_unusable("%s: cannot make '%s': there is a '%s', which is no database's", option,
                         path, name);
    if (!begins_as(name, &beginnings[i]))
      pmuv3_cli_unusable("%s: cannot use '%s': there is a '%s', which is not SQLite's", option,
                         path, name);
  }
  free(target);
}

/* The real path of a file, or of the folder that it is to be in. NULL: there is none. */
static char *real_path(const char *path) {
  char *real = realpath(path, NULL), *parent = strdup(path);
  if (!real && parent) real = realpath(dirname(parent), NULL);
  free(parent);
  return real;
}

void pmuv3_database_check_apart(const char *option, const char *path) {
  static const char *const folders[] = {"cmodel", "rtl", "tlm_wrapper", "testbench"};
  char *real = real_path(path);
  for (size_t i = 0; real && i < sizeof folders / sizeof *folders; i++) {
    char name[PATH_MAX];
    join(name, PMUV3_EVIDENCE "/../../../", folders[i]);
    char *folder = realpath(name, NULL);
    const size_t length = folder ? strlen(folder) : 0;
    if (folder && strncmp(real, folder, length) == 0 && strchr("/", real[length]))
      pmuv3_cli_unusable("%s: '%s' is among the sources", option, path);
    free(folder);
  }
  free(real);
}

void pmuv3_database_check(const char *option, const char *path) {
  pmuv3_database_check_apart(option, path);
  pmuv3_cli_check_file(option, path);
  expect_none_beside(option, path);
  for (size_t i = 0; i < NUM_SUFFIXES; i++) {
    char name[PATH_MAX];
    join(name, path, suffixes[i]);
    pmuv3_cli_check_file(option, name);
  }
}

void pmuv3_database_check_input(const char *path) {
  pmuv3_cli_check_input(path);
  for (size_t i = 0; i < NUM_SUFFIXES; i++) {
    char name[PATH_MAX];
    join(name, path, suffixes[i]);
    pmuv3_cli_check_input(name);
  }
}

/* ---- Opening ---- */

/* A path is a file's name. SQLite itself gives ":memory:" and "file:x?mode=memory" other
 * meanings. */
static int open_file(const char *path, int flags, sqlite3 **database) {
  char name[PATH_MAX];
  join(name, *path == '/' ? "" : "./", path);
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

static bool is_writable(const char *path) {
  char *target = realpath(path, NULL);
  if (!target) return true; /* SQLite says why not */
  const bool is_file_writable = access(target, W_OK) == 0;
  *strrchr(target, '/') = '\0';
  const bool is_writable = is_file_writable && access(*target ? target : "/", W_OK) == 0;
  free(target);
  return is_writable;
}

static bool has_log(const char *path) {
  char name[PATH_MAX];
  struct stat status;
  char *target = realpath(path, NULL);
  join(name, target ? target : path, suffixes[0]);
  free(target);
  return stat(name, &status) == 0 && status.st_size > 0;
}

/* An archive: without a lock, and without files beside it. */
static sqlite3 *connect_archived(const char *path) {
  if (has_log(path))
    refuse(path, "its last rows are in its log (-wal), and it cannot be written to; copy both");
  return load(path);
}

/* With SQLITE_OPEN_READONLY, SQLite would leave its files beside the database. */
static sqlite3 *open_existing(const char *path, bool *has_tables) {
  expect_none_beside("--db", path);
  sqlite3 *database =
      is_writable(path) ? connect(path, SQLITE_OPEN_READWRITE) : connect_archived(path);
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

/* SQLite finds the locks and the log of a database by its name: under two names, two processes
 * destroy it. */
static void expect_one_name(const char *path) {
  struct stat status;
  if (stat(path, &status) == 0 && status.st_nlink > 1)
    pmuv3_cli_unusable("%s: the database has another name, too (a hard link); copy it", path);
}

sqlite3 *pmuv3_database_open(const char *path) {
  expect_one_name(path);
  expect_none_beside("--db", path);
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

/* ---- Runs ---- */

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
  pmuv3_database_do(database, "INSERT INTO run VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                    "ttitiitttd", run->source, run->configuration, (int64_t)run->seed, run->params,
                    (int64_t)run->cycles, (int64_t)run->comparisons, run->verdict, run->difference,
                    run->capsule, run->seconds);
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
  if (run->hits_of) forget_hits(database, run);
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
