#define _GNU_SOURCE
#include "testbench/signoff/evidence/expected.h"

#include <errno.h>
#include <glob.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/text.h"
#include "testbench/cosim/run/configurations.h"
#include "testbench/signoff/coverage/coverage.h"
#include "testbench/signoff/evidence/regression.h"

/* ---- Lines of a file ---- */

static void for_each_line(const char *path, void (*use)(sqlite3 *database, char *line),
                          sqlite3 *database) {
  FILE *in = fopen(path, "r");
  if (!in) pmuv3_cli_unusable("cannot read %s: %s", path, strerror(errno));
  struct pmuv3_lines lines = {.in = in};
  while (pmuv3_lines_next(&lines)) use(database, lines.line);
  if (*lines.wrong) pmuv3_cli_unusable("%s:%lu: %s", path, lines.number, lines.wrong);
  pmuv3_lines_free(&lines);
  fclose(in);
}

/* Cuts the blanks at both ends. */
static char *trim(char *text) {
  text += strspn(text, " ");
  size_t length = strlen(text);
  while (length > 0 && text[length - 1] == ' ') length--;
  text[length] = '\0';
  return text;
}

/* ---- Configurations and choices ---- */

static void load_configurations(sqlite3 *database) {
  for (size_t i = 0; i < PMUV3_NUM_CONFIGURATIONS; i++)
    pmuv3_database_do(database, "INSERT INTO configuration VALUES (?1, ?2, ?3, ?4, ?5)", "ittii",
                      (int64_t)i, pmuv3_configurations[i].name, pmuv3_configurations[i].params,
                      (int64_t)PMUV3_REGRESSION_SEEDS, (int64_t)PMUV3_REGRESSION_CYCLES);
}

static void load_choice(sqlite3 *database, const char *name, const char *words, const char *says) {
  static int64_t position;
  char values[64];
  snprintf(values, sizeof values, "%s", words);
  for (char *rest = values, *value; (value = strtok_r(rest, "|", &rest));)
    pmuv3_database_do(database, "INSERT INTO choice VALUES (?1, ?2, ?3, ?4)", "ittt", position++,
                      name, value, value == values ? says : NULL);
}

static void load_choices(sqlite3 *database) {
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) load_choice(database, name, values, text);
#include "pmuv3/params.def"
}

/* ---- Coverpoints ---- */

/* Records the configurations that cannot hit a bin. Returns why none can, in the words of the
 * first; NULL: at least one can. */
static const char *load_barred(sqlite3 *database, size_t bin, const struct pmuv3_params *params) {
  const char *first = pmuv3_coverage_unreachable(bin, &params[0]);
  bool is_reachable = false;
  for (size_t i = 0; i < PMUV3_NUM_CONFIGURATIONS; i++) {
    const char *why = pmuv3_coverage_unreachable(bin, &params[i]);
    is_reachable |= !why;
    if (why)
      pmuv3_database_do(database, "INSERT INTO barred VALUES (?1, ?2, ?3)", "ttt",
                        pmuv3_coverage_name(bin), pmuv3_configurations[i].name, why);
  }
  return is_reachable ? NULL : first;
}

static void load_bins(sqlite3 *database) {
  struct pmuv3_params params[PMUV3_NUM_CONFIGURATIONS];
  for (size_t i = 0; i < PMUV3_NUM_CONFIGURATIONS; i++) params[i] = pmuv3_configuration_params(i);
  for (size_t bin = 0; bin < pmuv3_coverage_num_bins(); bin++) {
    const char *name = pmuv3_coverage_name(bin);
    char *coverpoint = strndup(name, (size_t)(strrchr(name, '.') - name));
    pmuv3_database_do(database, "INSERT INTO bin VALUES (?1, ?2, ?3, ?4)", "ittt", (int64_t)bin,
                      name, coverpoint, load_barred(database, bin, params));
    free(coverpoint);
  }
}

/* ---- Rules ---- */

/* The names in backticks in a cell. */
static void load_links(sqlite3 *database, const char *rule, const char *kind, const char *cell) {
  char *copy = strdup(cell), *rest = copy;
  for (int i = 0; rest; i++) {
    const char *name = strsep(&rest, "`");
    if (i % 2 == 1)
      pmuv3_database_do(database, "INSERT INTO link VALUES (?1, ?2, ?3)", "ttt", rule, kind, name);
  }
  free(copy);
}

/* rules.txt writes names without blanks. */
static void drop_blanks(char *name) {
  char *end = name;
  for (; *name; name++)
    if (*name != ' ') *end++ = *name;
  *end = '\0';
}

/* Loads a heading, or a row: | rule | class | what it says | C | RTL | tests | planted defects | */
static void load_row(sqlite3 *database, char *line) {
  static char section[256];
  static int64_t position;
  if (strncmp(line, "## ", 3) == 0) snprintf(section, sizeof section, "%s", line + 3);
  if (strncmp(line, "| ", 2) != 0 || strncmp(line, "| rule ", 7) == 0) return;
  char *cells[8] = {0}, *rest = line + 1;
  for (int i = 0; i < 7 && rest; i++) cells[i] = trim(strsep(&rest, "|"));
  if (!cells[6]) pmuv3_cli_unusable("docs/reference/rules.md: %s: not 7 columns", cells[0]);
  drop_blanks(cells[0]);
  pmuv3_database_do(database,
                    "INSERT INTO rule VALUES"
                    " (?1, ?2, ?3, ?4, NULL, ?5, ?6, ?7, ?8, ?9, ?10, NULL)",
                    "itttttttttt", position++, cells[0], section, cells[1], cells[2], cells[3],
                    cells[4], cells[5], cells[6], pmuv3_coverage_excused(cells[0]));
  static const char *const kinds[] = {"c", "rtl", "tests", "defects"};
  for (int i = 0; i < 4; i++) load_links(database, cells[0], kinds[i], cells[3 + i]);
}

/* RULE CLASS MARK */
static void load_mark(sqlite3 *database, char *line) {
  char rule[512], mark[32];
  line[strcspn(line, "#")] = '\0';
  if (sscanf(line, "%511s %*s %31s", rule, mark) != 2) return;
  if (pmuv3_database_do(database, "UPDATE rule SET mark = ?2 WHERE name = ?1", "tt", rule, mark) ==
      0)
    pmuv3_cli_unusable(
        "testbench/tests/rules/rules.txt: %s: docs/reference/rules.md has no such rule", rule);
}

/* Every rule needs a mark: sign-off would not judge a rule without one. */
static void expect_marks(sqlite3 *database) {
  sqlite3_stmt *rule = pmuv3_database_ask(database, "SELECT name FROM rule WHERE mark IS NULL", "");
  while (pmuv3_database_next(rule))
    pmuv3_cli_unusable(
        "docs/reference/rules.md: %s: testbench/tests/rules/rules.txt has no such rule",
        sqlite3_column_text(rule, 0));
}

/* RULE PROPERTY..., continued in lines that begin with a blank; or RULE none: REASON */
static void load_properties(sqlite3 *database, char *line) {
  static char rule[512];
  line[strcspn(line, "#")] = '\0';
  char *rest = line;
  if (*line != ' ' && *line) snprintf(rule, sizeof rule, "%s", strtok_r(rest, " ", &rest));
  for (char *name; rest && (name = strtok_r(rest, " ", &rest));) {
    if (strcmp(name, "none:") == 0) {
      pmuv3_database_do(database, "UPDATE rule SET no_property = ?2 WHERE name = ?1", "tt", rule,
                        trim(rest));
      return;
    }
    pmuv3_database_do(database, "INSERT INTO link VALUES (?1, 'property', ?2)", "tt", rule, name);
  }
}

/* ---- Defects, litmus files, topics outside the model ---- */

static void load_defect(sqlite3 *database, char *line) {
  static int64_t position;
  char *rest = line, *key = strtok_r(rest, " ", &rest);
  if (!key) return;
  if (strcmp(key, "defect") == 0)
    pmuv3_database_do(database, "INSERT INTO planted VALUES (?1, ?2, '', 0)", "it", ++position,
                      rest);
  if (strcmp(key, "what") == 0)
    pmuv3_database_do(database, "UPDATE planted SET what = ?2 WHERE position = ?1", "it", position,
                      rest);
  if (strcmp(key, "sample") == 0)
    pmuv3_database_do(database, "UPDATE planted SET is_sample = 1 WHERE position = ?1", "i",
                      position);
}

static void load_litmus(sqlite3 *database) {
  glob_t found;
  if (glob(PMUV3_ROOT "/testbench/tests/litmus/*.stim", 0, NULL, &found) != 0)
    pmuv3_cli_unusable("%s: no files", PMUV3_ROOT "/testbench/tests/litmus");
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char *name = basename(found.gl_pathv[i]);
    name[strlen(name) - strlen(".stim")] = '\0';
    pmuv3_database_do(database, "INSERT INTO litmus VALUES (?1)", "t", name);
  }
  globfree(&found);
}

/* TOPIC: TEXT */
static void load_outside(sqlite3 *database, char *line) {
  static int64_t position;
  char *colon = strstr(line, ": ");
  if (*line == '#' || !colon) return;
  *colon = '\0';
  pmuv3_database_do(database, "INSERT INTO outside VALUES (?1, ?2, ?3)", "itt", position++, line,
                    colon + 2);
}

/* ITEM: COMMAND, MINUTES. An item may have a colon, and a command may have none. */
static void load_measure(sqlite3 *database, char *line) {
  static int64_t position;
  char *comma = strrchr(line, ',');
  if (*line == '#' || !comma) return;
  *comma = '\0';
  char *command = NULL;
  for (char *colon = line; (colon = strstr(colon, ": ")); colon++) command = colon;
  if (!command) pmuv3_cli_unusable("measures.txt: %s: no command", line);
  *command = '\0';
  pmuv3_database_do(database, "INSERT INTO measure VALUES (?1, ?2, ?3, ?4)", "itti", position++,
                    line, command + 2, (int64_t)atoll(comma + 1));
}

static void create(sqlite3 *database, const char *source) {
  char *sql = pmuv3_database_script("expected.sql");
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK)
    pmuv3_cli_unusable("expected.sql: %s", sqlite3_errmsg(database));
  free(sql);
  pmuv3_database_do(database, "INSERT INTO subject VALUES (?1)", "t", source);
}

void pmuv3_expected_load(sqlite3 *database, const char *source) {
  create(database, source);
  pmuv3_database_begin(database);
  load_configurations(database);
  load_choices(database);
  load_bins(database);
  for_each_line(PMUV3_ROOT "/docs/reference/rules.md", load_row, database);
  for_each_line(PMUV3_ROOT "/testbench/tests/rules/rules.txt", load_mark, database);
  expect_marks(database);
  for_each_line(PMUV3_ROOT "/testbench/prove/properties/properties.txt", load_properties, database);
  for_each_line(PMUV3_ROOT "/testbench/signoff/defects/defects.txt", load_defect, database);
  load_litmus(database);
  for_each_line(PMUV3_ROOT "/testbench/signoff/evidence/outside.txt", load_outside, database);
  for_each_line(PMUV3_ROOT "/testbench/signoff/evidence/measures.txt", load_measure, database);
  pmuv3_database_commit(database);
}
