#define _GNU_SOURCE
#include "testbench/signoff/evidence/imports.h"

#include <dirent.h>
#include <errno.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/text.h"

/* ---- All or nothing ---- */

/* The first import begins the transaction, once its file is read: it may be a pipe that waits. */
static void begin(sqlite3 *database) {
  if (sqlite3_get_autocommit(database)) pmuv3_database_begin(database);
}

void pmuv3_imports_commit(sqlite3 *database) {
  if (!sqlite3_get_autocommit(database)) pmuv3_database_commit(database);
}

/* ---- Files ---- */

/* A result must belong to these sources. */
static void expect_of_these_sources(const char *path, const char *said, const char *source) {
  if (!said || !*said) pmuv3_cli_unusable("%s: the file does not name its sources", path);
  if (strcmp(said, source) != 0)
    pmuv3_cli_unusable("%s: the result is from sources %s, not from these; make it again", path,
                       said);
}

static FILE *open_result(const char *path) {
  const char *why;
  FILE *in = pmuv3_file_open(path, &why);
  if (!in) pmuv3_cli_unusable("cannot read %s: %s", path, why);
  return in;
}

static char *read_file(const char *path) {
  FILE *in = open_result(path);
  char *text = pmuv3_text_all(in);
  if (!text || !*text)
    pmuv3_cli_unusable("cannot read %s: %s", path, text ? "it is empty" : strerror(errno));
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

/* `sql` lists contradictions in the JSON text ?1. */
static void expect_no_contradiction(sqlite3 *database, const char *path, const char *json,
                                    const char *sql) {
  sqlite3_stmt *found = pmuv3_database_ask(database, sql, "t", json);
  while (pmuv3_database_next(found)) {
    const char *what = (const char *)sqlite3_column_text(found, 0);
    pmuv3_cli_unusable("%s: the result contradicts itself: %s; make it again", path,
                       what ? what : "a name is missing");
  }
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

/* The file has "proved" for the whole, for sizes, for cases and for places. Each must agree with
 * the counts (prover.h, interference_run.h, report.c). What is proved has all that was asked:
 * in a whole proof, that is all cases of the set. What says that it is whole has an answer to all
 * that was asked, whatever the answer is. */
static const char proof_contradictions[] =
    "WITH size AS MATERIALIZED (SELECT key, value AS of FROM json_each(?1, '$.sizes')),"
    " part AS MATERIALIZED (SELECT size.key AS size, part.value AS of"
    "   FROM size, json_each(size.of, '$.cases') part),"
    " place AS MATERIALIZED (SELECT value AS of FROM json_each(?1, '$.interference'))"
    " SELECT 'the verdict on the case ' || (of ->> 'case') || ' is not that of its counts' FROM "
    "part"
    " WHERE (of ->> 'proved') IS NOT (of ->> 'assertions' > 0"
    "   AND of ->> 'state_bits' > 0 AND of ->> 'input_bits' > 0"
    "   AND (of ->> 'by_structure') + (of ->> 'by_memory') + (of ->> 'by_solvers') > 0"
    "   AND (of ->> 'refuted') + (of ->> 'unknown') + (of ->> 'disagreed') = 0)"
    " UNION ALL SELECT 'the verdict on the place ' || (of ->> 'place') || ' is not that of its "
    "counts'"
    " FROM place WHERE (of ->> 'proved') IS NOT (of ->> 'questions' > 0"
    "   AND of ->> 'questions_proved' = of ->> 'questions'"
    "   AND of ->> 'must_fail' > 0 AND of ->> 'must_fail_refuted' = of ->> 'must_fail')"
    " UNION ALL SELECT 'the verdict on a size is not that of its cases' FROM size"
    " WHERE (of ->> 'proved') IS NOT (of ->> 'asked_cases' > 0"
    "   AND of ->> 'asked_cases' = (SELECT count(*) FROM part WHERE size = key)"
    "   AND NOT EXISTS (SELECT * FROM part WHERE size = key AND NOT part.of ->> 'proved'))"
    " UNION ALL SELECT 'the assertions of a size are not those of its cases' FROM size"
    " WHERE of ->> 'assertions' IS NOT"
    "   (SELECT coalesce(sum(part.of ->> 'assertions'), 0) FROM part WHERE size = key)"
    " UNION ALL SELECT 'the bits of a size are not those of its cases' FROM size"
    " WHERE (of ->> 'state_bits', of ->> 'input_bits') IS NOT"
    "   (SELECT coalesce(max(part.of ->> 'state_bits'), 0),"
    "     coalesce(max(part.of ->> 'input_bits'), 0) FROM part WHERE size = key)"
    " UNION ALL SELECT 'the number of sizes is not that of those asked'"
    " WHERE (?1 ->> 'asked_sizes') IS NOT (SELECT count(*) FROM size)"
    " UNION ALL SELECT 'the number of cases is not that of their set' FROM size"
    " WHERE of ->> 'set' = 'standard' AND (?1 ->> 'whole') IS TRUE"
    "   AND (of ->> 'asked_cases') IS NOT (of ->> 'standard_cases')"
    " UNION ALL SELECT 'a case of the whole set has no answer' FROM size"
    " WHERE (?1 ->> 'whole') IS TRUE"
    "   AND (of ->> 'asked_cases') IS NOT (SELECT count(*) FROM part WHERE size = key)"
    " UNION ALL SELECT 'a place of the whole set has no answer'"
    " WHERE (?1 ->> 'whole') IS TRUE"
    "   AND (?1 ->> 'asked_places') IS NOT (SELECT count(*) FROM place)"
    " UNION ALL SELECT 'the verdict on all is not that of the sizes and places'"
    " WHERE (?1 ->> 'proved') IS NOT"
    "   ((SELECT count(*) FROM part) + (SELECT count(*) FROM place) > 0"
    "   AND ?1 ->> 'asked_places' = (SELECT count(*) FROM place)"
    "   AND NOT EXISTS (SELECT * FROM place WHERE NOT of ->> 'proved')"
    "   AND NOT EXISTS (SELECT * FROM size WHERE NOT of ->> 'proved' AND ((?1 ->> 'whole') IS TRUE"
    "     OR (of ->> 'asked_cases') IS NOT 0)))";

/* properties.sh writes no verdict for the whole. */
static const char property_contradictions[] =
    "SELECT (value ->> 'property') || ' is ' || coalesce(value ->> 'verdict', 'not judged') || ', '"
    "   || coalesce(value ->> 'cover', 'without a cover') FROM json_each(?1, '$.properties')"
    " WHERE coalesce(value ->> 'verdict', '') NOT IN ('proved', 'refuted', 'unknown')"
    "   OR coalesce(value ->> 'cover', '') NOT IN ('covered', 'vacuous', 'unknown', 'elsewhere')"
    "   OR value ->> 'size' IS NULL OR value ->> 'property' IS NULL"
    " UNION ALL SELECT (value ->> 'property') || ' is there twice' FROM json_each(?1, "
    "'$.properties')"
    " GROUP BY value ->> 'property', value ->> 'size' HAVING count(*) > 1";

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

/* Whether the result is read in for the first time. */
static bool is_new(sqlite3 *database, const char *source, const char *theorem, const char *json) {
  return pmuv3_database_do(database, "INSERT OR IGNORE INTO taken VALUES (?1, ?2, row_digest(?3))",
                           "ttt", source, theorem, json) > 0;
}

/* A theorem of a file. `has`: how many results of it the file ?1 has. `is_part`: whether the file
 * ?2 is a part, and proves all that it asks, while a whole is known of source ?1. `statements`,
 * NULL behind them, insert the results. */
struct theorem {
  const char *name, *has, *is_part, *const *statements;
};

static bool is_part(sqlite3 *database, const char *source, const struct theorem *theorem,
                    const char *json) {
  bool part = false;
  sqlite3_stmt *answer = pmuv3_database_ask(database, theorem->is_part, "tt", source, json);
  while (pmuv3_database_next(answer)) part = sqlite3_column_int(answer, 0);
  return part;
}

/* Replaces the theorem's rows, if the file has results of the theorem. A file that was only found
 * does so once, and unless it is a part. Returns whether the file has results. */
static bool import_theorem(sqlite3 *database, const char *source, const char *json, bool found,
                           const struct theorem *theorem) {
  if (!number_of(database, theorem->has, json)) return false;
  const bool is_first = is_new(database, source, theorem->name, json);
  if (found && (!is_first || is_part(database, source, theorem, json))) return true;
  forget_theorem(database, source, theorem->name);
  for (const char *const *statement = theorem->statements; *statement; statement++)
    pmuv3_database_do(database, *statement, "tt", source, json);
  return true;
}

/* Only a file that says that it is whole is of the set. */
#define SIZE_OF(object)                           \
  "(" object " ->> 'threads') || 'x' || (" object \
  " ->> 'counters')"                              \
  " || coalesce('+' || (" object " ->> 'absent'), '')"
#define CHOSEN(set) "iif((?2 ->> 'whole') IS TRUE, " set ", 'part')"
#define IS_PART(theorem, unproved)                                              \
  "SELECT (?2 ->> 'whole') IS NOT TRUE"                                         \
  " AND EXISTS (SELECT * FROM extent WHERE source = ?1 AND theorem = '" theorem \
  "' AND chosen <> 'part') AND NOT EXISTS (SELECT * FROM " unproved ")"

static bool import_equivalence(sqlite3 *database, const char *source, const char *json,
                               bool found) {
  static const char *const statements[] = {
      "INSERT INTO proof SELECT ?1, 'equivalence', of_case.value ->> 'case'," SIZE_OF(
          "size.value") ", iif(of_case.value ->> 'proved', 'proved', 'not proved'),"
                        " of_case.value ->> 'assertions', of_case.value ->> 'seconds'"
                        " FROM json_each(?2, '$.sizes') size,"
                        " json_each(size.value, '$.cases') of_case",
      /* all cases are proved, but the size is not */
      "INSERT INTO proof SELECT ?1, 'equivalence', 'the size', " SIZE_OF(
          "value") ", 'not proved', NULL, NULL FROM json_each(?2, '$.sizes')"
                   " WHERE NOT value ->> 'proved' AND (?2 ->> 'whole') IS TRUE",
      "INSERT INTO extent SELECT ?1, 'equivalence', " SIZE_OF("value") ", " CHOSEN(
          "value ->> 'set'") ", value ->> 'standard_cases' FROM json_each(?2, '$.sizes')",
      NULL};
  static const struct theorem theorem = {
      "equivalence",
      "SELECT count(*) FROM json_each(?1, '$.sizes') size, json_each(size.value, '$.cases')",
      IS_PART("equivalence",
              "json_each(?2, '$.sizes') size, json_each(size.value, '$.cases') of_case"
              " WHERE NOT of_case.value ->> 'proved'"),
      statements};
  return import_theorem(database, source, json, found, &theorem);
}

static bool import_interference(sqlite3 *database, const char *source, const char *json,
                                bool found) {
  static const char *const statements[] = {
      "INSERT INTO proof SELECT ?1, 'interference', value ->> 'place', " SIZE_OF(
          "value") ", iif(value ->> 'proved', 'proved', 'not proved'), value ->> 'questions',"
                   " value ->> 'seconds' FROM json_each(?2, '$.interference')",
      "INSERT OR REPLACE INTO extent SELECT ?1, 'interference', " SIZE_OF("value") ", " CHOSEN(
          "?2 ->> 'set'") ", value ->> 'places' FROM json_each(?2, '$.interference')",
      NULL};
  static const struct theorem theorem = {
      "interference", "SELECT count(*) FROM json_each(?1, '$.interference')",
      IS_PART("interference", "json_each(?2, '$.interference') WHERE NOT value ->> 'proved'"),
      statements};
  return import_theorem(database, source, json, found, &theorem);
}

void pmuv3_import_prove(sqlite3 *database, const char *source, const char *path, bool found) {
  char *json = read_json(database, path, source);
  begin(database);
  const bool is_equivalence = import_equivalence(database, source, json, found);
  const bool is_interference = import_interference(database, source, json, found);
  if (!is_equivalence && !is_interference) pmuv3_cli_unusable("%s: the file has no proof", path);
  expect_no_contradiction(database, path, json, proof_contradictions);
  free(json);
}

void pmuv3_import_properties(sqlite3 *database, const char *source, const char *path, bool found) {
  static const char *const statements[] = {
      "INSERT INTO proof SELECT ?1, 'properties', value ->> 'property', value ->> 'size',"
      " iif(value ->> 'cover' IN ('vacuous', 'unknown'), value ->> 'cover', value ->> 'verdict'),"
      " 1, (value ->> 'seconds') / (value ->> 'of_group') FROM json_each(?2, '$.properties')",
      NULL};
  static const struct theorem theorem = {
      "properties", "SELECT count(*) FROM json_each(?1, '$.properties')",
      /* the file does not say whether it is whole */
      "SELECT (SELECT count(*) FROM proof WHERE source = ?1 AND theorem = 'properties') >"
      " (SELECT count(*) FROM json_each(?2, '$.properties')) AND NOT EXISTS (SELECT *"
      " FROM json_each(?2, '$.properties')"
      " WHERE value ->> 'verdict' <> 'proved' OR value ->> 'cover' IN ('vacuous', 'unknown'))",
      statements};
  char *json = read_json(database, path, source);
  expect_no_contradiction(database, path, json, property_contradictions);
  begin(database);
  if (!import_theorem(database, source, json, found, &theorem))
    pmuv3_cli_unusable("%s: the file has no proof", path);
  free(json);
}

/* ---- Tests ---- */

/* A result of tests must belong to the preset. */
static void expect_of_preset(const char *path, const char *said, const char *preset) {
  if (!said || strcmp(said, preset) != 0)
    pmuv3_cli_unusable("%s: the results are from preset '%s', not '%s'", path, said ? said : "",
                       preset);
}

static bool is_named(xmlNodePtr node, const char *name) {
  return node->type == XML_ELEMENT_NODE && xmlStrEqual(node->name, (const xmlChar *)name);
}

static bool has_child(xmlNodePtr node, const char *name) {
  for (xmlNodePtr child = node->children; child; child = child->next)
    if (is_named(child, name)) return true;
  return false;
}

/* How a test ended: its status, and the element with the same meaning; NULL: no element. `count` is
 * the suite's attribute that counts such tests. */
struct test_end {
  const char *status, *child, *count;
};
static const struct test_end test_ends[] = {{"run", NULL, NULL},
                                            {"fail", "failure", "failures"},
                                            {"notrun", "skipped", "skipped"},
                                            {"disabled", NULL, "disabled"}};
enum { PASSED, FAILED, NUM_TEST_ENDS = sizeof test_ends / sizeof *test_ends };

static int end_by_status(xmlNodePtr testcase) {
  int end = NUM_TEST_ENDS;
  xmlChar *status = xmlGetProp(testcase, (const xmlChar *)"status");
  while (end-- > 0 && !(status && xmlStrEqual(status, (const xmlChar *)test_ends[end].status)))
    continue;
  xmlFree(status);
  return end;
}

/* The end of a test. Its status and its elements must agree. */
static int end_of_test(const char *path, xmlNodePtr testcase) {
  const int end = end_by_status(testcase);
  bool agrees =
      end >= 0 && xmlHasProp(testcase, (const xmlChar *)"name") && !has_child(testcase, "error");
  for (int e = 0; e < NUM_TEST_ENDS && agrees; e++)
    if (test_ends[e].child) agrees = has_child(testcase, test_ends[e].child) == (e == end);
  if (!agrees)
    pmuv3_cli_unusable(
        "%s: the result contradicts itself: the status of the test in line %ld is not what is in "
        "it; "
        "make it again",
        path, xmlGetLineNo(testcase));
  return end;
}

static void expect_count(const char *path, xmlNodePtr suite, const char *name, unsigned number) {
  char expected[16];
  snprintf(expected, sizeof expected, "%u", number);
  xmlChar *said = xmlGetProp(suite, (const xmlChar *)name);
  if (!said || !xmlStrEqual(said, (const xmlChar *)expected))
    pmuv3_cli_unusable(
        "%s: the result contradicts itself: %s is '%s', and there are %s; make it again", path,
        name, said ? (const char *)said : "", expected);
  xmlFree(said);
}

/* The suite's attributes must equal the numbers of its tests. */
static void expect_counts(const char *path, xmlNodePtr suite) {
  unsigned tests = 0, ended[NUM_TEST_ENDS] = {0};
  for (xmlNodePtr node = suite->children; node; node = node->next) {
    if (!is_named(node, "testcase")) continue;
    ended[end_of_test(path, node)]++;
    tests++;
  }
  expect_count(path, suite, "tests", tests);
  for (int e = 0; e < NUM_TEST_ENDS; e++)
    if (test_ends[e].count) expect_count(path, suite, test_ends[e].count, ended[e]);
}

/* A test that failed before it was run again says so (testbench/tests/again.py). */
static void list_failed_before(sqlite3 *database, const char *source, const char *preset,
                               const char *name, xmlNodePtr testcase) {
  xmlChar *before = xmlGetProp(testcase, (const xmlChar *)"before");
  if (before && xmlStrEqual(before, (const xmlChar *)test_ends[FAILED].status))
    pmuv3_database_do(database,
                      "INSERT OR IGNORE INTO replaced VALUES (?1, 'Tests, ' || ?2, ?3, 'failed')",
                      "ttt", source, preset, name);
  xmlFree(before);
}

/* If two tests have the same name, the failed one counts. A test that was not run has no row. */
static void import_test(sqlite3 *database, const char *source, const char *preset,
                        xmlNodePtr testcase) {
  const int end = end_by_status(testcase);
  xmlChar *name = xmlGetProp(testcase, (const xmlChar *)"name");
  xmlChar *time = xmlGetProp(testcase, (const xmlChar *)"time");
  if (end == PASSED || end == FAILED)
    pmuv3_database_do(database,
                      "INSERT INTO test VALUES (?1, ?2, ?3, ?4, ?5)"
                      " ON CONFLICT DO UPDATE SET passed = min(passed, excluded.passed)",
                      "tttid", source, preset, (const char *)name, (int64_t)(end == PASSED),
                      time ? atof((const char *)time) : 0);
  list_failed_before(database, source, preset, (const char *)name, testcase);
  xmlFree(name);
  xmlFree(time);
}

/* Of two tests of a name, one that was not run takes the row of one that passed. */
static void leave_out(sqlite3 *database, const char *source, const char *preset,
                      xmlNodePtr testcase) {
  const int end = end_by_status(testcase);
  if (end == PASSED || end == FAILED) return;
  xmlChar *name = xmlGetProp(testcase, (const xmlChar *)"name");
  pmuv3_database_do(database,
                    "DELETE FROM test WHERE source = ?1 AND preset = ?2 AND name = ?3 AND passed",
                    "ttt", source, preset, (const char *)name);
  xmlFree(name);
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
  FILE *in = open_result(path);
  xmlDocPtr document = xmlReadFd(fileno(in), path, NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  fclose(in);
  xmlNodePtr root = document ? xmlDocGetRootElement(document) : NULL;
  if (!root || !xmlStrEqual(root->name, (const xmlChar *)"testsuite"))
    pmuv3_cli_unusable("%s: it is not what ctest --output-junit writes", path);
  xmlChar *said = xmlGetProp(root, (const xmlChar *)"source");
  expect_of_these_sources(path, (const char *)said, source);
  xmlFree(said);
  said = xmlGetProp(root, (const xmlChar *)"preset");
  expect_of_preset(path, (const char *)said, preset);
  xmlFree(said);
  expect_counts(path, root);
  begin(database);
  forget_tests(database, source, preset);
  for (xmlNodePtr node = root->children; node; node = node->next)
    if (is_named(node, "testcase")) import_test(database, source, preset, node);
  for (xmlNodePtr node = root->children; node; node = node->next)
    if (is_named(node, "testcase")) leave_out(database, source, preset, node);
  xmlFreeDoc(document);
}

void pmuv3_import_registered(sqlite3 *database, const char *source, const char *preset,
                             const char *path) {
  char *json = read_json(database, path, source);
  sqlite3_stmt *said = pmuv3_database_ask(database, "SELECT ?1 ->> 'preset'", "t", json);
  while (pmuv3_database_next(said))
    expect_of_preset(path, (const char *)sqlite3_column_text(said, 0), preset);
  begin(database);
  pmuv3_database_do(database, "DELETE FROM registered WHERE source = ?1 AND preset = ?2", "tt",
                    source, preset);
  if (pmuv3_database_do(database,
                        "INSERT OR IGNORE INTO registered SELECT ?1, ?2, value ->> 'name'"
                        " FROM json_each(?3, '$.tests')",
                        "ttt", source, preset, json) == 0)
    pmuv3_cli_unusable("%s: the file has no test", path);
  free(json);
}

/* ---- Planted defects ---- */

/* Reads the numbers of a file's first line, after the defect's name. Returns their number; 0: the
 * file does not exist. */
static int read_row(const char *folder, const char *name, const char *suffix, int64_t fields[2]) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.%s", folder, name, suffix);
  const char *why;
  FILE *in = pmuv3_file_open(path, &why);
  if (!in) return 0;
  long long first = 0, second = 0;
  char said[256] = "";
  const int read = fscanf(in, "%255s %lld %lld", said, &first, &second) - 1;
  fclose(in);
  if (!*said) return 0;
  if (read < 1 || strcmp(said, name) != 0 || first < 0 || second < 0)
    pmuv3_cli_unusable("%s: it is no result of the defect %s; make it again", path, name);
  fields[0] = first;
  fields[1] = second;
  return read;
}

/* A row of `defect` as signoff.sql judges it. */
#define IS_RED "(NOT found OR lines_after > 15)"

static void list_replaced(sqlite3 *database, const char *source, const char *name) {
  pmuv3_database_do(database,
                    "INSERT OR IGNORE INTO replaced SELECT source, 'Planted defects', name,"
                    " iif(found, 'shrunk to ' || lines_after || ' lines', 'not found')"
                    " FROM defect WHERE source = ?1 AND name = ?2 AND " IS_RED,
                    "tt", source, name);
}

/* Whether the database has a result of the defect for which `condition` holds. */
static bool has_defect(sqlite3 *database, const char *source, const char *name,
                       const char *condition) {
  char sql[200];
  bool has = false;
  snprintf(sql, sizeof sql, "SELECT * FROM defect WHERE source = ?1 AND name = ?2 AND %s",
           condition);
  sqlite3_stmt *answer = pmuv3_database_ask(database, sql, "tt", source, name);
  while (pmuv3_database_next(answer)) has = true;
  return has;
}

/* A result of a defect: whether it was found, in how many cycles, and the lines before and after
 * shrinking. */
struct tried {
  bool found, shrunk;
  int64_t cycles[2], lines[2];
};

static bool is_red(const struct tried *tried) {
  return !tried->found || (tried->shrunk && tried->lines[1] > 15);
}

/* NAME.log: the defect was tried. NAME.row: the defect was found in so many cycles, and its
 * stimulus replayed. NAME.shrunk: the lines before and after shrinking. */
static struct tried read_tried(const char *folder, const char *name) {
  struct tried tried;
  tried.found = read_row(folder, name, "row", tried.cycles) > 0;
  tried.shrunk = read_row(folder, name, "shrunk", tried.lines) == 2;
  if (tried.shrunk && (!tried.found || tried.lines[1] > tried.lines[0]))
    pmuv3_cli_unusable(
        "%s/%s.shrunk: the result contradicts itself: %s; make it again", folder, name,
        tried.found ? "more lines are left than there were" : "the defect was not found");
  return tried;
}

/* Whether a result of the same sources stays, though a green one is read. Of two folders a red
 * result counts: it is not known which of them was made later. `defects` alone shrinks nothing, and
 * its result does not take the place of one that is shrunk. */
static bool stays(sqlite3 *database, const char *source, const char *name,
                  const struct tried *tried) {
  return has_defect(database, source, name, "name IN temp.red_defect") ||
         (!tried->shrunk &&
          has_defect(database, source, name, "lines_after NOT NULL AND NOT " IS_RED));
}

static void put_defect(sqlite3 *database, const char *source, const char *name,
                       const struct tried *tried) {
  pmuv3_database_do(database,
                    "INSERT OR REPLACE INTO defect (source, name, found)"
                    " VALUES (?1, ?2, ?3)",
                    "tti", source, name, (int64_t)tried->found);
  if (tried->found)
    pmuv3_database_do(database, "UPDATE defect SET cycles = ?3 WHERE source = ?1 AND name = ?2",
                      "tti", source, name, tried->cycles[0]);
  if (tried->shrunk)
    pmuv3_database_do(database,
                      "UPDATE defect SET lines_before = ?3, lines_after = ?4"
                      " WHERE source = ?1 AND name = ?2",
                      "ttii", source, name, tried->lines[0], tried->lines[1]);
}

static void import_red_defect(sqlite3 *database, const char *source, const char *name,
                              const struct tried *tried) {
  put_defect(database, source, name, tried);
  pmuv3_database_do(database, "INSERT OR IGNORE INTO temp.red_defect VALUES (?1)", "t", name);
}

static void import_green_defect(sqlite3 *database, const char *source, const char *name,
                                const struct tried *tried) {
  if (stays(database, source, name, tried)) return;
  list_replaced(database, source, name);
  put_defect(database, source, name, tried);
}

/* The first word of FOLDER/source, or "". */
static void read_source(const char *folder, char said[64]) {
  char path[4096];
  snprintf(path, sizeof path, "%s/source", folder);
  const char *why;
  FILE *in = pmuv3_file_open(path, &why);
  if (!in || fscanf(in, "%63s", said) != 1) *said = '\0';
  if (in) fclose(in);
}

/* NAME.log, where a name has a dash. */
static int is_log(const struct dirent *entry) {
  const char *suffix = strrchr(entry->d_name, '.');
  return suffix && strcmp(suffix, ".log") == 0 && strchr(entry->d_name, '-');
}

void pmuv3_import_defects(sqlite3 *database, const char *source, const char *folder, bool red) {
  struct dirent **logs;
  char said[64];
  const int count = scandir(folder, &logs, is_log, alphasort);
  if (count < 0) pmuv3_cli_unusable("cannot read %s: %s", folder, strerror(errno));
  read_source(folder, said);
  expect_of_these_sources(folder, said, source);
  if (count == 0)
    pmuv3_cli_unusable("%s: no results of testbench/signoff/defects/campaign.sh", folder);
  begin(database);
  pmuv3_database_do(database, "CREATE TEMP TABLE IF NOT EXISTS red_defect (name TEXT PRIMARY KEY)",
                    "");
  for (int i = 0; i < count; i++) {
    *strrchr(logs[i]->d_name, '.') = '\0';
    const char *name = logs[i]->d_name;
    const struct tried tried = read_tried(folder, name);
    if (red && is_red(&tried)) import_red_defect(database, source, name, &tried);
    if (!red && !is_red(&tried)) import_green_defect(database, source, name, &tried);
    free(logs[i]);
  }
  free(logs);
}
