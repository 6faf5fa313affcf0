/*
 * `pmuv3 signoff`: compares the evidence of these sources with the required evidence, and writes
 * the result as JSON and as a page. The views of signoff.sql are the parts of both.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/json_text.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/signoff/evidence/database.h"
#include "testbench/signoff/evidence/database_files.h"
#include "testbench/signoff/evidence/expected.h"
#include "testbench/signoff/evidence/imports.h"
#include "testbench/signoff/evidence/page.h"

/* A result to import first. */
struct import {
  int kind;           /* the option's key */
  const char *preset; /* of --tests and --registered */
  const char *path;
};

#define MAX_IMPORTS 16

struct options {
  const char *database;
  const char *out; /* folder */
  struct import imports[MAX_IMPORTS];
  size_t num_imports;
  bool checks_arguments; /* check the arguments and exit */
  bool only_missing;     /* print the commands that make what is missing, and exit */
};

/* ---- The command line ---- */

enum {
  OPT_DATABASE = 0x100,
  OPT_OUT,
  OPT_PROVE,
  OPT_PROPERTIES,
  OPT_FOUND_PROVE,
  OPT_FOUND_PROPERTIES,
  OPT_TESTS,
  OPT_REGISTERED,
  OPT_DEFECTS,
  OPT_CHECK_ARGUMENTS,
  OPT_MISSING
};

static const struct argp_option options[] = {
    {"db", OPT_DATABASE, "FILE", 0, "the evidence database (default build/evidence.db)", 0},
    {"out", OPT_OUT, "DIR", 0, "write signoff.html and signoff.json to DIR (default build/signoff)",
     0},
    {"prove", OPT_PROVE, "FILE", PMUV3_CLI_REPEATS, "read in what prove --json wrote", 1},
    {"properties", OPT_PROPERTIES, "FILE", PMUV3_CLI_REPEATS,
     "read in what properties --json wrote", 1},
    {"found-prove", OPT_FOUND_PROVE, "FILE", OPTION_HIDDEN, 0, 0},
    {"found-properties", OPT_FOUND_PROPERTIES, "FILE", OPTION_HIDDEN, 0, 0},
    {"tests", OPT_TESTS, "PRESET=FILE", PMUV3_CLI_REPEATS,
     "read in what ctest --output-junit wrote", 1},
    {"registered", OPT_REGISTERED, "PRESET=FILE", PMUV3_CLI_REPEATS,
     "read in which tests there are: what ctest --show-only=json-v1 wrote", 1},
    {"defects", OPT_DEFECTS, "DIR", PMUV3_CLI_REPEATS,
     "read in the results of defects and what they shrink to", 1},
    {"check-arguments", OPT_CHECK_ARGUMENTS, 0, OPTION_HIDDEN, 0, 0},
    {"missing", OPT_MISSING, 0, OPTION_HIDDEN, 0, 0},
    {0},
};

static void add_import(struct options *signoff, int kind, const char *preset, const char *path) {
  if (signoff->num_imports == MAX_IMPORTS) pmuv3_cli_unusable("too many results to read in");
  signoff->imports[signoff->num_imports++] = (struct import){kind, preset, path};
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct options *signoff = state->input;
  char *path;
  switch (key) {
    case OPT_DATABASE:
      signoff->database = arg;
      return 0;
    case OPT_OUT:
      signoff->out = arg;
      return 0;
    case OPT_CHECK_ARGUMENTS:
      signoff->checks_arguments = true;
      return 0;
    case OPT_MISSING:
      signoff->only_missing = true;
      return 0;
    case OPT_PROVE:
    case OPT_PROPERTIES:
    case OPT_FOUND_PROVE:
    case OPT_FOUND_PROPERTIES:
    case OPT_DEFECTS:
      add_import(signoff, key, NULL, arg);
      return 0;
    case OPT_TESTS:
    case OPT_REGISTERED:
      path = strchr(arg, '=');
      if (!path)
        pmuv3_cli_unusable("%s takes PRESET=FILE, not '%s'",
                           key == OPT_TESTS ? "--tests" : "--registered", arg);
      *path = '\0';
      add_import(signoff, key, arg, path + 1);
      return 0;
    case ARGP_KEY_ARG:
      pmuv3_cli_unusable("unusable argument '%s'; see ./pmuv3 help", arg);
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

/* With an option of the entry point's own there is no page, and the exit status is 0. */
static void expect_none_of_ours(void) {
  for (const struct argp_option *option = options; option->name; option++)
    if (option->flags & OPTION_HIDDEN && pmuv3_cli_given(option->name))
      pmuv3_cli_unusable("unusable option '--%s'; see ./pmuv3 help", option->name);
}

/* Before any measurement: a name may be mistyped. */
static void check_import(const struct import *import) {
  const struct argp_option *named = options;
  char option[32];
  while (named->key != import->kind) named++;
  snprintf(option, sizeof option, "--%s", named->name);
  if (import->kind != OPT_DEFECTS) {
    pmuv3_cli_check_input(option, import->path);
    return;
  }
  if (access(import->path, R_OK | X_OK) != 0)
    pmuv3_cli_unusable("%s: cannot read '%s': %s", option, import->path, strerror(errno));
  pmuv3_cli_note_input(import->path);
}

static struct options parse_options(int argc, char **argv) {
  static const struct argp argp = {
      .options = options,
      .parser = parse,
      .doc =
          "One page and one JSON file of what was verified of these sources, and what was not. "
          "./pmuv3 signoff --run first measures what is missing. "
          "Exit status: 0 signed off, 1 not, 2 unusable arguments, input or output, 3 no verdict."};
  struct options signoff = {.database = "build/evidence.db", .out = "signoff"};
  pmuv3_cli_parse(&argp, "pmuv3 signoff", argc, argv, &signoff);
  expect_none_of_ours();
  pmuv3_database_check("--db", signoff.database);
  for (size_t i = 0; i < signoff.num_imports; i++) check_import(&signoff.imports[i]);
  pmuv3_database_check_apart("--out", signoff.out);
  pmuv3_cli_check_folder("--out", signoff.out,
                         (const char *const[]){"signoff.json", "signoff.html", NULL});
  if (signoff.checks_arguments) exit(0);
  return signoff;
}

static void read_in_red_defects(sqlite3 *database, const char *source,
                                const struct options *signoff) {
  for (size_t i = 0; i < signoff->num_imports; i++)
    if (signoff->imports[i].kind == OPT_DEFECTS)
      pmuv3_import_defects(database, source, signoff->imports[i].path, true);
}

static void read_in_one(sqlite3 *database, const char *source, const struct import *import) {
  const char *path = import->path;
  switch (import->kind) {
    case OPT_PROVE:
    case OPT_FOUND_PROVE:
      pmuv3_import_prove(database, source, path, import->kind == OPT_FOUND_PROVE);
      break;
    case OPT_PROPERTIES:
    case OPT_FOUND_PROPERTIES:
      pmuv3_import_properties(database, source, path, import->kind == OPT_FOUND_PROPERTIES);
      break;
    case OPT_TESTS:
      pmuv3_import_tests(database, source, import->preset, path);
      break;
    case OPT_REGISTERED:
      pmuv3_import_registered(database, source, import->preset, path);
      break;
    default:
      pmuv3_import_defects(database, source, path, false);
  }
}

/* Unusable arguments change nothing. */
static void read_in(sqlite3 *database, const char *source, const struct options *signoff) {
  read_in_red_defects(database, source, signoff);
  for (size_t i = 0; i < signoff->num_imports; i++)
    read_in_one(database, source, &signoff->imports[i]);
  pmuv3_imports_commit(database);
}

/* ---- JSON ---- */

static json_object *value(sqlite3_stmt *row, int column) {
  switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER:
      return json_object_new_int64(sqlite3_column_int64(row, column));
    case SQLITE_FLOAT:
      return json_object_new_double(sqlite3_column_double(row, column));
    case SQLITE_NULL:
      return NULL;
    default:
      return pmuv3_json_text((const char *)sqlite3_column_text(row, column));
  }
}

/* An array with an object for each row of the view. */
static json_object *rows_of(sqlite3 *database, const char *view) {
  char sql[64];
  snprintf(sql, sizeof sql, "SELECT * FROM %s", view);
  json_object *rows = json_object_new_array();
  sqlite3_stmt *row = pmuv3_database_ask(database, sql, "");
  while (pmuv3_database_next(row)) {
    json_object *object = json_object_new_object();
    for (int i = 0; i < sqlite3_column_count(row); i++)
      json_object_object_add(object, sqlite3_column_name(row, i), value(row, i));
    json_object_array_add(rows, object);
  }
  return rows;
}

/* The checks that are not green. */
static json_object *reasons(const json_object *checks) {
  json_object *reasons = json_object_new_array();
  for (size_t i = 0; i < json_object_array_length(checks); i++) {
    const json_object *check = json_object_array_get_idx(checks, i);
    const char *state = json_object_get_string(json_object_object_get(check, "state"));
    if (strcmp(state, "green") == 0) continue;
    char reason[512];
    snprintf(reason, sizeof reason, "%s: %s",
             json_object_get_string(json_object_object_get(check, "evidence")),
             json_object_get_string(json_object_object_get(check, "says")));
    json_object_array_add(reasons, pmuv3_json_text(reason));
  }
  return reasons;
}

static json_object *assemble(sqlite3 *database, const char *source) {
  static const char *const views[] = {
      "totals",     "configurations", "failures", "coverage",   "coverpoints",  "holes",
      "impossible", "unreached",      "crosses",  "code_files", "code_metrics", "mutation",
      "survivors",  "equivalents",    "defects",  "shrunk",     "proofs",       "unproved",
      "tests",      "failed_tests",   "choices",  "rules",      "not_verified", "replacements",
      "versions",   "to_do"};
  json_object *root = json_object_new_object();
  json_object *checks = rows_of(database, "checks");
  json_object *missing = reasons(checks);
  const bool is_signed_off = json_object_array_length(missing) == 0;
  json_object_object_add(root, "verdict",
                         pmuv3_json_text(is_signed_off ? "signed off" : "not signed off"));
  json_object_object_add(root, "reasons", missing);
  json_object_object_add(root, "source", pmuv3_json_text(source));
  json_object_object_add(root, "checks", checks);
  for (size_t i = 0; i < sizeof views / sizeof *views; i++)
    json_object_object_add(root, views[i], rows_of(database, views[i]));
  return root;
}

static void make_views(sqlite3 *database) {
  char *sql = pmuv3_database_script("signoff.sql");
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK)
    pmuv3_cli_unusable("signoff.sql: %s", sqlite3_errmsg(database));
  free(sql);
}

/* ---- The database of commands ---- */

static bool is_default(const char *database) {
  char *own = realpath(PMUV3_ROOT "/build/evidence.db", NULL), *named = realpath(database, NULL);
  const bool is_own = own && named && strcmp(own, named) == 0;
  free(own);
  free(named);
  return is_own;
}

/* The option that makes a command fill this database: a word before it, or nothing. */
static char *database_option(const char *database) {
  if (is_default(database)) return strdup("");
  char *path = realpath(database, NULL), *quoted = pmuv3_cli_quoted_name(path ? path : database);
  char *option = NULL;
  if (asprintf(&option, " --db %s", quoted) < 0) pmuv3_cli_no_verdict("out of memory");
  free(path);
  free(quoted);
  return option;
}

/* ---- Files ---- */

static bool write_json(FILE *out, const void *signoff) {
  /* json-c caches the text in the object, hence the cast */
  return fprintf(out, "%s\n",
                 json_object_to_json_string_ext(
                     (json_object *)signoff,
                     JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE)) > 0;
}

static bool write_page(FILE *out, const void *signoff) {
  return pmuv3_page_write(out, signoff);
}

/* An earlier page would pass for one that cannot be written. */
static void write_all(const char *folder, const json_object *signoff) {
  char path[PATH_MAX + 16];
  pmuv3_cli_begin_folder("--out", folder,
                         (const char *const[]){"signoff.json", "signoff.html", NULL});
  snprintf(path, sizeof path, "%s/signoff.json", folder);
  pmuv3_cli_write_own("--out", path, write_json, signoff);
  snprintf(path, sizeof path, "%s/signoff.html", folder);
  pmuv3_cli_write_own("--out", path, write_page, signoff);
}

/* What makes the rest, command by command. */
static void tell_to_do(const json_object *to_do, const char *database_option) {
  if (json_object_array_length(to_do) == 0) return;
  printf(
      "\n./pmuv3 signoff --run%s makes what is missing. On two cores it takes, where that was "
      "measured:\n",
      database_option);
  for (size_t i = 0; i < json_object_array_length(to_do); i++) {
    const json_object *row = json_object_array_get_idx(to_do, i);
    const int64_t minutes = json_object_get_int64(json_object_object_get(row, "minutes"));
    const char *command = json_object_get_string(json_object_object_get(row, "command"));
    if (minutes > 0)
      printf("  %3lld min  ./pmuv3 %s\n", (long long)minutes, command);
    else
      printf("           ./pmuv3 %s\n", command);
  }
}

static bool tell(const char *folder, const json_object *signoff, const char *database_option) {
  const json_object *reasons = json_object_object_get(signoff, "reasons");
  const size_t num_reasons = json_object_array_length(reasons);
  char *shown = pmuv3_cli_shown(folder);
  printf("%s/signoff.html, %s/signoff.json\n\n", shown, shown);
  free(shown);
  for (size_t i = 0; i < num_reasons; i++)
    printf("  %s\n", json_object_get_string(json_object_array_get_idx(reasons, i)));
  tell_to_do(json_object_object_get(signoff, "to_do"), database_option);
  printf("%s%s", num_reasons > 0 ? "\n" : "",
         json_object_get_string(json_object_object_get(signoff, "verdict")));
  if (num_reasons > 0)
    printf(": %s%s", json_object_get_string(json_object_array_get_idx(reasons, 0)),
           num_reasons > 1 ? ", and what else is above" : "");
  printf("\n");
  return num_reasons == 0;
}

/* The commands of what is missing, one a line, and behind a tab the items that each makes. */
static void print_missing(sqlite3 *database) {
  sqlite3_stmt *row = pmuv3_database_ask(database, "SELECT command, evidence FROM to_do", "");
  while (pmuv3_database_next(row))
    printf("%s\t%s\n", sqlite3_column_text(row, 0), sqlite3_column_text(row, 1));
}

/* An item that nothing makes would stay missing for ever. */
static void expect_all_made(sqlite3 *database) {
  sqlite3_stmt *row = pmuv3_database_ask(database, "SELECT evidence FROM unmade", "");
  while (pmuv3_database_next(row))
    pmuv3_cli_unusable("measures.txt: '%s': no item of evidence, or an item without a command",
                       sqlite3_column_text(row, 0));
}

/* The program reads the required evidence from the sources at run time. These must be the sources
 * that the program was built from. */
static void expect_own_sources(void) {
  char now[32];
  const char *const command[] = {PMUV3_ROOT "/pmuv3", "source", NULL};
  if (!pmuv3_cli_first_line(command, now, sizeof now))
    pmuv3_cli_unusable("cannot compute the digest of the sources in %s", PMUV3_ROOT);
  if (strcmp(now, pmuv3_source) != 0)
    pmuv3_cli_unusable("the program was built from sources %s, and the sources in %s are now %s",
                       pmuv3_source, PMUV3_ROOT, now);
}

/* A digest of when each of the sources was last changed. It tells of a change that was taken back,
 * too. */
static void read_times(char times[80]) {
  static const char script[] =
      "set -euo pipefail\n. \"$0/testbench/common.sh\"\nsource_times \"$0\" C | sha256sum";
  const char *const command[] = {"/usr/bin/env", "bash", "-c", script, PMUV3_ROOT, NULL};
  if (!pmuv3_cli_first_line(command, times, 80))
    pmuv3_cli_unusable("cannot read the times of the sources in %s", PMUV3_ROOT);
}

/* What the page demands was read from the sources meanwhile. */
static void expect_times(const char before[80]) {
  char now[80];
  read_times(now);
  if (strcmp(now, before) != 0)
    pmuv3_cli_unusable("the sources in %s were changed while the page was made", PMUV3_ROOT);
}

int main(int argc, char **argv) {
  char times[80];
  const struct options signoff = parse_options(argc, argv);
  const char *source = pmuv3_source;
  read_times(times);
  expect_own_sources();
  sqlite3 *database = pmuv3_database_open(signoff.database);
  read_in(database, source, &signoff);
  pmuv3_expected_load(database, source);
  char *option = database_option(signoff.database);
  pmuv3_database_do(database, "UPDATE measure SET command = replace(command, ' --db DB', ?1)", "t",
                    option);
  make_views(database);
  expect_all_made(database);
  expect_times(times);
  if (signoff.only_missing) {
    print_missing(database);
    return 0;
  }
  json_object *assembled = assemble(database, source);
  write_all(signoff.out, assembled);
  const bool is_signed_off = tell(signoff.out, assembled, option);
  free(option);
  json_object_put(assembled);
  sqlite3_close(database);
  return is_signed_off ? 0 : 1;
}
