#define _GNU_SOURCE
#include "testbench/evidence/imports.h"

#include <errno.h>
#include <glob.h>
#include <libgen.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "testbench/cli/cli.h"

/* ---- Files ---- */

/* When the newest of the sources was changed, as the entry point says; 0 where it does not. */
static long long time_of_sources(void) {
  const char *text = getenv("PMUV3_SOURCE_TIME");
  return text ? atoll(text) : 0;
}

static void expect_of_these_sources(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) pmuv3_cli_unusable("cannot read %s: %s", path, strerror(errno));
  if (status.st_mtim.tv_sec < time_of_sources())
    pmuv3_cli_unusable("%s: it is older than the sources; make it again", path);
}

static char *read_file(const char *path) {
  char *text = NULL;
  size_t size = 0;
  expect_of_these_sources(path);
  FILE *in = fopen(path, "r");
  if (!in || getdelim(&text, &size, '\0', in) < 0)
    pmuv3_cli_unusable("cannot read %s: %s", path, errno ? strerror(errno) : "it is empty");
  fclose(in);
  return text;
}

/* ---- JSON, which SQLite reads ---- */

static int64_t number_of(sqlite3 *database, const char *sql, const char *json) {
  int64_t number = 0;
  sqlite3_stmt *answer = pmuv3_database_ask(database, sql, "t", json);
  while (pmuv3_database_next(answer)) number = sqlite3_column_int64(answer, 0);
  return number;
}

/* Inserts what the statements make of source ?1 and file ?2; there must be something. */
static void import_json(sqlite3 *database, const char *source, const char *path,
                        const char *const *statements) {
  char *json = read_file(path);
  if (!number_of(database, "SELECT json_valid(?1)", json))
    pmuv3_cli_unusable("%s: it is not JSON", path);
  int rows = 0;
  pmuv3_database_begin(database);
  for (; *statements; statements++)
    rows += pmuv3_database_do(database, *statements, "tt", source, json);
  pmuv3_database_commit(database);
  free(json);
  if (rows == 0) pmuv3_cli_unusable("%s: it has no proof", path);
}

void pmuv3_import_prove(sqlite3 *database, const char *source, const char *path) {
  static const char *const statements[] = {
      "INSERT OR REPLACE INTO proof SELECT ?1, 'equivalence', of_case.value ->> 'case',"
      " (size.value ->> 'threads') || 'x' || (size.value ->> 'counters'),"
      " iif(of_case.value ->> 'proved', 'proved', 'not proved'), of_case.value ->> 'assertions',"
      " of_case.value ->> 'seconds'"
      " FROM json_each(?2, '$.sizes') size, json_each(size.value, '$.cases') of_case",
      "INSERT OR REPLACE INTO proof SELECT ?1, 'interference', value ->> 'place',"
      " (value ->> 'threads') || 'x' || (value ->> 'counters'),"
      " iif(value ->> 'proved', 'proved', 'not proved'), value ->> 'questions',"
      " value ->> 'seconds'"
      " FROM json_each(?2, '$.interference')",
      NULL};
  import_json(database, source, path, statements);
}

void pmuv3_import_properties(sqlite3 *database, const char *source, const char *path) {
  static const char *const statements[] = {
      "INSERT OR REPLACE INTO proof SELECT ?1, 'properties', value ->> 'property',"
      " value ->> 'size', iif(value ->> 'cover' IN ('vacuous', 'unknown'), value ->> 'cover',"
      " value ->> 'verdict'), 1, (value ->> 'seconds') / (value ->> 'of_group')"
      " FROM json_each(?2, '$.properties')",
      NULL};
  import_json(database, source, path, statements);
}

/* ---- Tests ---- */

static bool has_passed(xmlNodePtr testcase) {
  xmlChar *status = xmlGetProp(testcase, (const xmlChar *)"status");
  const bool passed = status && xmlStrEqual(status, (const xmlChar *)"run");
  xmlFree(status);
  return passed;
}

static void import_test(sqlite3 *database, const char *source, const char *preset,
                        xmlNodePtr testcase) {
  xmlChar *name = xmlGetProp(testcase, (const xmlChar *)"name");
  xmlChar *time = xmlGetProp(testcase, (const xmlChar *)"time");
  pmuv3_database_do(database, "INSERT OR REPLACE INTO test VALUES (?1, ?2, ?3, ?4, ?5)", "tttid",
                    source, preset, (const char *)name, (int64_t)has_passed(testcase),
                    time ? atof((const char *)time) : 0);
  xmlFree(name);
  xmlFree(time);
}

void pmuv3_import_tests(sqlite3 *database, const char *source, const char *preset,
                        const char *path) {
  expect_of_these_sources(path);
  xmlDocPtr document = xmlReadFile(path, NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  xmlNodePtr root = document ? xmlDocGetRootElement(document) : NULL;
  if (!root || !xmlStrEqual(root->name, (const xmlChar *)"testsuite"))
    pmuv3_cli_unusable("%s: it is not what ctest --output-junit writes", path);
  pmuv3_database_begin(database);
  for (xmlNodePtr node = root->children; node; node = node->next)
    if (xmlStrEqual(node->name, (const xmlChar *)"testcase"))
      import_test(database, source, preset, node);
  pmuv3_database_commit(database);
  xmlFreeDoc(document);
}

/* ---- Planted defects ---- */

/* The fields of a file's first line, with tabs between; returns how many. */
static int read_row(const char *folder, const char *name, const char *suffix, int64_t fields[2]) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.%s", folder, name, suffix);
  FILE *in = fopen(path, "r");
  if (!in) return 0;
  expect_of_these_sources(path);
  long long first = 0, second = 0;
  const int read = fscanf(in, "%*s %lld %lld", &first, &second);
  fclose(in);
  if (read < 1) return 0;
  fields[0] = first;
  fields[1] = second;
  return read;
}

/* NAME.log: it was tried; NAME.row: it was found, in so many cycles, and replayed; NAME.shrunk:
 * from so many lines to so many. */
static void import_defect(sqlite3 *database, const char *source, const char *folder,
                          const char *name) {
  int64_t cycles[2], lines[2];
  const bool found = read_row(folder, name, "row", cycles) > 0;
  pmuv3_database_do(database,
                    "INSERT INTO defect (source, name, found) VALUES (?1, ?2, ?3)"
                    " ON CONFLICT DO UPDATE SET found = excluded.found",
                    "tti", source, name, (int64_t)found);
  if (found)
    pmuv3_database_do(database, "UPDATE defect SET cycles = ?3 WHERE source = ?1 AND name = ?2",
                      "tti", source, name, cycles[0]);
  if (read_row(folder, name, "shrunk", lines) == 2)
    pmuv3_database_do(database,
                      "UPDATE defect SET lines_before = ?3, lines_after = ?4"
                      " WHERE source = ?1 AND name = ?2",
                      "ttii", source, name, lines[0], lines[1]);
}

void pmuv3_import_defects(sqlite3 *database, const char *source, const char *folder) {
  char pattern[4096];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/*-*.log", folder);
  if (glob(pattern, 0, NULL, &found) != 0)
    pmuv3_cli_unusable("%s: no results of testbench/defects/campaign.sh", folder);
  pmuv3_database_begin(database);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    expect_of_these_sources(found.gl_pathv[i]);
    char *name = basename(found.gl_pathv[i]);
    name[strlen(name) - strlen(".log")] = '\0';
    import_defect(database, source, folder, name);
  }
  pmuv3_database_commit(database);
  globfree(&found);
}
