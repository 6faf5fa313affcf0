#define _GNU_SOURCE
#include "testbench/signoff/evidence/imports.h"

#include <errno.h>
#include <glob.h>
#include <libgen.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"

/* ---- Files ---- */

/* A result says of which sources it is. */
static void expect_of_these_sources(const char *path, const char *said, const char *source) {
  if (!said || !*said) pmuv3_cli_unusable("%s: it does not say of which sources it is", path);
  if (strcmp(said, source) != 0)
    pmuv3_cli_unusable("%s: it is of the sources %s, not of these; make it again", path, said);
}

static char *read_file(const char *path) {
  char *text = NULL;
  size_t size = 0;
  errno = 0;
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

static char *read_json(sqlite3 *database, const char *path, const char *source) {
  char *json = read_file(path);
  if (!number_of(database, "SELECT json_valid(?1)", json))
    pmuv3_cli_unusable("%s: it is not JSON", path);
  sqlite3_stmt *said = pmuv3_database_ask(database, "SELECT ?1 ->> 'source'", "t", json);
  while (pmuv3_database_next(said))
    expect_of_these_sources(path, (const char *)sqlite3_column_text(said, 0), source);
  return json;
}

/* ---- Proofs ---- */

static void forget_theorem(sqlite3 *database, const char *source, const char *theorem) {
  pmuv3_database_do(database,
                    "INSERT OR IGNORE INTO replaced SELECT source, 'Proof: ' || theorem,"
                    " name || ', ' || size, verdict FROM proof"
                    " WHERE source = ?1 AND theorem = ?2 AND verdict <> 'proved'",
                    "tt", source, theorem);
  pmuv3_database_do(database, "DELETE FROM proof WHERE source = ?1 AND theorem = ?2", "tt", source,
                    theorem);
  pmuv3_database_do(database, "DELETE FROM extent WHERE source = ?1 AND theorem = ?2", "tt", source,
                    theorem);
}

/* Where the file has some of it, takes the theorem from it: what the statements make of source ?1
 * and file ?2. Returns whether there was any. */
static bool import_theorem(sqlite3 *database, const char *source, const char *json,
                           const char *theorem, const char *has, const char *const *statements) {
  if (!number_of(database, has, json)) return false;
  forget_theorem(database, source, theorem);
  for (; *statements; statements++) pmuv3_database_do(database, *statements, "tt", source, json);
  return true;
}

/* A set that was chosen from by name is a part of it, whatever the set. */
#define SIZE_OF(object)                           \
  "(" object " ->> 'threads') || 'x' || (" object \
  " ->> 'counters')"                              \
  " || coalesce('+' || (" object " ->> 'absent'), '')"
#define CHOSEN(set) "iif(?2 ->> 'only' IS NULL, " set ", 'part')"

static bool import_equivalence(sqlite3 *database, const char *source, const char *json) {
  static const char *const statements[] = {
      "INSERT INTO proof SELECT ?1, 'equivalence', of_case.value ->> 'case'," SIZE_OF(
          "size.value") ", iif(of_case.value ->> 'proved', 'proved', 'not proved'),"
                        " of_case.value ->> 'assertions', of_case.value ->> 'seconds'"
                        " FROM json_each(?2, '$.sizes') size,"
                        " json_each(size.value, '$.cases') of_case",
      /* all its cases, and yet not */
      "INSERT INTO proof SELECT ?1, 'equivalence', 'the size', " SIZE_OF(
          "value") ", 'not proved', NULL, NULL FROM json_each(?2, '$.sizes')"
                   " WHERE NOT value ->> 'proved' AND ?2 ->> 'only' IS NULL",
      "INSERT INTO extent SELECT ?1, 'equivalence', " SIZE_OF("value") ", " CHOSEN(
          "value ->> 'set'") ", value ->> 'standard_cases' FROM json_each(?2, '$.sizes')",
      NULL};
  return import_theorem(database, source, json, "equivalence",
                        "SELECT count(*) FROM json_each(?1, '$.sizes') size,"
                        " json_each(size.value, '$.cases')",
                        statements);
}

static bool import_interference(sqlite3 *database, const char *source, const char *json) {
  static const char *const statements[] = {
      "INSERT INTO proof SELECT ?1, 'interference', value ->> 'place', " SIZE_OF(
          "value") ", iif(value ->> 'proved', 'proved', 'not proved'), value ->> 'questions',"
                   " value ->> 'seconds' FROM json_each(?2, '$.interference')",
      "INSERT OR REPLACE INTO extent SELECT ?1, 'interference', " SIZE_OF("value") ", " CHOSEN(
          "?2 ->> 'set'") ", value ->> 'places' FROM json_each(?2, '$.interference')",
      NULL};
  return import_theorem(database, source, json, "interference",
                        "SELECT count(*) FROM json_each(?1, '$.interference')", statements);
}

void pmuv3_import_prove(sqlite3 *database, const char *source, const char *path) {
  char *json = read_json(database, path, source);
  pmuv3_database_begin(database);
  const bool is_equivalence = import_equivalence(database, source, json);
  const bool is_interference = import_interference(database, source, json);
  if (!is_equivalence && !is_interference) pmuv3_cli_unusable("%s: it has no proof", path);
  pmuv3_database_commit(database);
  free(json);
}

void pmuv3_import_properties(sqlite3 *database, const char *source, const char *path) {
  static const char *const statements[] = {
      "INSERT INTO proof SELECT ?1, 'properties', value ->> 'property', value ->> 'size',"
      " iif(value ->> 'cover' IN ('vacuous', 'unknown'), value ->> 'cover', value ->> 'verdict'),"
      " 1, (value ->> 'seconds') / (value ->> 'of_group') FROM json_each(?2, '$.properties')",
      NULL};
  char *json = read_json(database, path, source);
  pmuv3_database_begin(database);
  if (!import_theorem(database, source, json, "properties",
                      "SELECT count(*) FROM json_each(?1, '$.properties')", statements))
    pmuv3_cli_unusable("%s: it has no proof", path);
  pmuv3_database_commit(database);
  free(json);
}

/* ---- Tests ---- */

/* A result of tests says of which preset it is. */
static void expect_of_preset(const char *path, const char *said, const char *preset) {
  if (!said || strcmp(said, preset) != 0)
    pmuv3_cli_unusable("%s: it is of the preset '%s', not of '%s'", path, said ? said : "", preset);
}

static bool has_passed(xmlNodePtr testcase) {
  xmlChar *status = xmlGetProp(testcase, (const xmlChar *)"status");
  const bool passed = status && xmlStrEqual(status, (const xmlChar *)"run");
  xmlFree(status);
  return passed;
}

/* Of two of a name the one that failed. */
static void import_test(sqlite3 *database, const char *source, const char *preset,
                        xmlNodePtr testcase) {
  xmlChar *name = xmlGetProp(testcase, (const xmlChar *)"name");
  xmlChar *time = xmlGetProp(testcase, (const xmlChar *)"time");
  pmuv3_database_do(database,
                    "INSERT INTO test VALUES (?1, ?2, ?3, ?4, ?5)"
                    " ON CONFLICT DO UPDATE SET passed = min(passed, excluded.passed)",
                    "tttid", source, preset, (const char *)name, (int64_t)has_passed(testcase),
                    time ? atof((const char *)time) : 0);
  xmlFree(name);
  xmlFree(time);
}

static void forget_tests(sqlite3 *database, const char *source, const char *preset) {
  pmuv3_database_do(database,
                    "INSERT OR IGNORE INTO replaced SELECT source, 'Tests, ' || preset, name,"
                    " 'failed' FROM test WHERE source = ?1 AND preset = ?2 AND NOT passed",
                    "tt", source, preset);
  pmuv3_database_do(database, "DELETE FROM test WHERE source = ?1 AND preset = ?2", "tt", source,
                    preset);
}

void pmuv3_import_tests(sqlite3 *database, const char *source, const char *preset,
                        const char *path) {
  if (access(path, R_OK) != 0) pmuv3_cli_unusable("cannot read %s: %s", path, strerror(errno));
  xmlDocPtr document = xmlReadFile(path, NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  xmlNodePtr root = document ? xmlDocGetRootElement(document) : NULL;
  if (!root || !xmlStrEqual(root->name, (const xmlChar *)"testsuite"))
    pmuv3_cli_unusable("%s: it is not what ctest --output-junit writes", path);
  xmlChar *said = xmlGetProp(root, (const xmlChar *)"source");
  expect_of_these_sources(path, (const char *)said, source);
  xmlFree(said);
  said = xmlGetProp(root, (const xmlChar *)"preset");
  expect_of_preset(path, (const char *)said, preset);
  xmlFree(said);
  pmuv3_database_begin(database);
  forget_tests(database, source, preset);
  for (xmlNodePtr node = root->children; node; node = node->next)
    if (xmlStrEqual(node->name, (const xmlChar *)"testcase"))
      import_test(database, source, preset, node);
  pmuv3_database_commit(database);
  xmlFreeDoc(document);
}

void pmuv3_import_registered(sqlite3 *database, const char *source, const char *preset,
                             const char *path) {
  char *json = read_json(database, path, source);
  sqlite3_stmt *said = pmuv3_database_ask(database, "SELECT ?1 ->> 'preset'", "t", json);
  while (pmuv3_database_next(said))
    expect_of_preset(path, (const char *)sqlite3_column_text(said, 0), preset);
  pmuv3_database_begin(database);
  pmuv3_database_do(database, "DELETE FROM registered WHERE source = ?1 AND preset = ?2", "tt",
                    source, preset);
  if (pmuv3_database_do(database,
                        "INSERT OR IGNORE INTO registered SELECT ?1, ?2, value ->> 'name'"
                        " FROM json_each(?3, '$.tests')",
                        "ttt", source, preset, json) == 0)
    pmuv3_cli_unusable("%s: it has no test", path);
  pmuv3_database_commit(database);
  free(json);
}

/* ---- Planted defects ---- */

/* The fields of a file's first line, with tabs between; returns how many. */
static int read_row(const char *folder, const char *name, const char *suffix, int64_t fields[2]) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.%s", folder, name, suffix);
  FILE *in = fopen(path, "r");
  if (!in) return 0;
  long long first = 0, second = 0;
  const int read = fscanf(in, "%*s %lld %lld", &first, &second);
  fclose(in);
  if (read < 1) return 0;
  fields[0] = first;
  fields[1] = second;
  return read;
}

static void forget_defect(sqlite3 *database, const char *source, const char *name) {
  pmuv3_database_do(database,
                    "INSERT OR IGNORE INTO replaced SELECT source, 'Planted defects', name,"
                    " iif(found, 'shrunk to ' || lines_after || ' lines', 'not found')"
                    " FROM defect WHERE source = ?1 AND name = ?2"
                    " AND (NOT found OR lines_after > 15)",
                    "tt", source, name);
  pmuv3_database_do(database, "DELETE FROM defect WHERE source = ?1 AND name = ?2", "tt", source,
                    name);
}

/* NAME.log: it was tried; NAME.row: it was found, in so many cycles, and replayed; NAME.shrunk:
 * from so many lines to so many. */
static void import_defect(sqlite3 *database, const char *source, const char *folder,
                          const char *name) {
  int64_t cycles[2], lines[2];
  const bool found = read_row(folder, name, "row", cycles) > 0;
  const bool shrunk = read_row(folder, name, "shrunk", lines) == 2;
  forget_defect(database, source, name);
  pmuv3_database_do(database, "INSERT INTO defect (source, name, found) VALUES (?1, ?2, ?3)", "tti",
                    source, name, (int64_t)found);
  if (found)
    pmuv3_database_do(database, "UPDATE defect SET cycles = ?3 WHERE source = ?1 AND name = ?2",
                      "tti", source, name, cycles[0]);
  if (shrunk)
    pmuv3_database_do(database,
                      "UPDATE defect SET lines_before = ?3, lines_after = ?4"
                      " WHERE source = ?1 AND name = ?2",
                      "ttii", source, name, lines[0], lines[1]);
}

/* The first word of FOLDER/source, or "". */
static void read_source(const char *folder, char said[64]) {
  char path[4096];
  snprintf(path, sizeof path, "%s/source", folder);
  FILE *in = fopen(path, "r");
  if (!in || fscanf(in, "%63s", said) != 1) *said = '\0';
  if (in) fclose(in);
}

void pmuv3_import_defects(sqlite3 *database, const char *source, const char *folder) {
  char pattern[4096], said[64];
  glob_t found;
  if (access(folder, R_OK) != 0) pmuv3_cli_unusable("cannot read %s: %s", folder, strerror(errno));
  read_source(folder, said);
  expect_of_these_sources(folder, said, source);
  snprintf(pattern, sizeof pattern, "%s/*-*.log", folder);
  if (glob(pattern, 0, NULL, &found) != 0)
    pmuv3_cli_unusable("%s: no results of testbench/signoff/defects/campaign.sh", folder);
  pmuv3_database_begin(database);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char *name = basename(found.gl_pathv[i]);
    name[strlen(name) - strlen(".log")] = '\0';
    import_defect(database, source, folder, name);
  }
  pmuv3_database_commit(database);
  globfree(&found);
}
