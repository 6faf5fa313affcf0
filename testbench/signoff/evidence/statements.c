/*
 * pmuv3-evidence: executes SQL on the evidence database, records answers of proofs in it, and
 * merges shards into it, for scripts. The sqlite3 shell cannot write to the database, since it
 * lacks row_digest (row_digest.h).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/cosim/cli/text.h"
#include "testbench/signoff/evidence/database.h"
#include "testbench/signoff/evidence/mutant_rows.h"
#include "testbench/signoff/evidence/shard.h"

struct options {
  const char *database;
  bool asks_source;
  bool records_proofs;
  struct pmuv3_shards shards;
};

enum { OPT_DATABASE = 0x100, OPT_SOURCE, OPT_MERGE, OPT_PROOFS };

static const struct argp_option argp_options[] = {
    {"db", OPT_DATABASE, "FILE", 0, "the evidence database", 0},
    {"source", OPT_SOURCE, 0, 0, "print the digest of the sources that this was built of", 0},
    {"proofs", OPT_PROOFS, 0, 0,
     "record answers of proofs about mutants, instead of SQL: lines of SOURCE, SIDE, NAME, MODULE, "
     "PLACE, CHANGE, VERDICT and REASON, with tabs between",
     0},
    {"merge", OPT_MERGE, "DIR", 0, "merge the files of shards in DIR, instead of SQL", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct options *options = state->input;
  switch (key) {
    case OPT_DATABASE:
      options->database = arg;
      return 0;
    case OPT_SOURCE:
      options->asks_source = true;
      return 0;
    case OPT_PROOFS:
      options->records_proofs = true;
      return 0;
    case OPT_MERGE:
      pmuv3_shards_set(&options->shards, PMUV3_SHARDS_MERGE, arg);
      return 0;
    case ARGP_KEY_ARG:
      pmuv3_cli_unusable("unusable argument '%s'", arg);
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static struct options parse_options(int argc, char **argv) {
  static const struct argp argp = {.options = argp_options,
                                   .parser = parse,
                                   .doc = "Executes the SQL of standard input; rows with tabs."};
  struct options options = {0};
  pmuv3_cli_parse(&argp, "pmuv3-evidence", argc, argv, &options);
  if (!options.database && !options.asks_source) pmuv3_cli_unusable("expected --db or --source");
  if (options.shards.path && !options.database) pmuv3_cli_unusable("--merge needs --db");
  if (options.records_proofs && (!options.database || options.shards.path))
    pmuv3_cli_unusable("--proofs needs --db, and takes no --merge");
  return options;
}

static char *read_all(FILE *in) {
  char *text = pmuv3_text_all(in);
  if (!text) pmuv3_cli_unusable("cannot read standard input: %s", strerror(errno));
  return text;
}

static void print_row(sqlite3_stmt *row) {
  for (int i = 0; i < sqlite3_column_count(row); i++) {
    const char *value = (const char *)sqlite3_column_text(row, i);
    printf("%s%s", i > 0 ? "\t" : "", value ? value : "");
  }
  printf("\n");
}

/* Executes the first statement of a text, if there is one. Returns the rest of the text. */
static const char *execute_one(sqlite3 *database, const char *path, const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, &sql) != SQLITE_OK)
    pmuv3_cli_unusable("%s: %s", path, sqlite3_errmsg(database));
  if (statement)
    while (pmuv3_database_next(statement)) print_row(statement);
  return sql;
}

static void execute(const char *path, const char *sql) {
  sqlite3 *database = pmuv3_database_open(path);
  while (*sql) sql = execute_one(database, path, sql);
  sqlite3_close(database);
}

static void merge(const struct options *options) {
  sqlite3 *database = pmuv3_database_open(options->database);
  pmuv3_shard_merge(database, pmuv3_source, PMUV3_SHARD_HITS_SUMMED, &options->shards);
  sqlite3_close(database);
}

/* ---- Answers of proofs ---- */

/* Cuts a line into its fields, which stay parts of it. False: there are not as many. */
static bool cut(char *line, const char *fields[], size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(fields[i] = strsep(&line, "\t")) || !*fields[i]) return false;
  return !line;
}

static bool is_answer(const char *verdict) {
  return strcmp(verdict, "equivalent") == 0 || strcmp(verdict, "survived") == 0;
}

static void record_proof(sqlite3 *database, const struct pmuv3_lines *lines) {
  enum { SOURCE, SIDE, NAME, MODULE, PLACE, CHANGE, VERDICT, REASON, COUNT };
  const char *fields[COUNT];
  if (!cut(lines->line, fields, COUNT) || !is_answer(fields[VERDICT]))
    pmuv3_cli_unusable("line %lu is no answer of a proof", lines->number);
  const struct pmuv3_database_mutant mutant = {.source = fields[SOURCE],
                                               .side = fields[SIDE],
                                               .name = fields[NAME],
                                               .module = fields[MODULE],
                                               .place = fields[PLACE],
                                               .change = fields[CHANGE],
                                               .verdict = fields[VERDICT],
                                               .reason = fields[REASON]};
  pmuv3_database_record_proof(database, &mutant);
}

/* All of them, or none. */
static void record_proofs(const char *path, FILE *in) {
  struct pmuv3_lines lines = {.in = in};
  sqlite3 *database = pmuv3_database_open(path);
  pmuv3_database_begin(database);
  while (pmuv3_lines_next(&lines)) record_proof(database, &lines);
  if (*lines.wrong) pmuv3_cli_unusable("line %lu: %s", lines.number, lines.wrong);
  pmuv3_database_commit(database);
  pmuv3_lines_free(&lines);
  sqlite3_close(database);
}

int main(int argc, char **argv) {
  const struct options options = parse_options(argc, argv);
  if (options.shards.path) merge(&options);
  if (options.records_proofs) record_proofs(options.database, stdin);
  const bool is_done = options.shards.path || options.records_proofs;
  char *sql = options.database && !is_done ? read_all(stdin) : NULL;
  if (options.asks_source) puts(pmuv3_source);
  if (sql) execute(options.database, sql);
  free(sql);
  if (fflush(stdout) != 0 || ferror(stdout))
    pmuv3_cli_unusable("cannot write to standard output: %s", strerror(errno));
  return 0;
}
