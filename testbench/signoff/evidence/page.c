#define _GNU_SOURCE
#include "testbench/signoff/evidence/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/signoff/evidence/database.h"
#include "testbench/signoff/evidence/heat.h"
#include "testbench/signoff/evidence/html.h"

/* ---- Values of signoff.json ---- */

static json_object *get(const json_object *object, const char *key) {
  return json_object_object_get(object, key);
}
static const char *text(const json_object *row, const char *key) {
  const char *value = json_object_get_string(get(row, key));
  return value ? value : "";
}
static int64_t number(const json_object *row, const char *key) {
  return json_object_get_int64(get(row, key));
}
static double real(const json_object *row, const char *key) {
  return json_object_get_double(get(row, key));
}
static bool is(const json_object *row, const char *key, const char *value) {
  return strcmp(text(row, key), value) == 0;
}
static const json_object *row_of(const json_object *rows, size_t i) {
  return json_object_array_get_idx(rows, i);
}

/* ---- Pieces of HTML ---- */

/* The row's verdict, in the colour of the row's state. */
static void put_badge(FILE *out, const json_object *row, const char *verdict) {
  fprintf(out, "<span class=\"badge %s\">", text(row, "state"));
  pmuv3_html(out, text(row, verdict));
  fputs("</span>", out);
}

static void put_part(FILE *out, const char *colour, double share) {
  if (share > 0) fprintf(out, "<i class=\"%s\" style=\"width:%.2f%%\"></i>", colour, 100 * share);
}

/* A bar for part / whole. Prints nothing if the whole is 0. */
static void put_share(FILE *out, int64_t part, int64_t whole, const char *colour) {
  if (whole == 0) return;
  fputs("<div class=\"bar\">", out);
  put_part(out, colour, (double)part / (double)whole);
  fputs("</div>", out);
}

static void put_heading(FILE *out, const char *id, const char *title) {
  fprintf(out, "<h2 id=\"%s\">%s</h2>\n", id, title);
}

/* ---- Tables ---- */

enum kind { TEXT, CODE, NUMBER, SECONDS, STATE, SHARE };

struct column {
  const char *title;
  enum kind kind;
  const char *key;
  const char *whole; /* SHARE: the key of the whole */
};

static bool is_numeric(enum kind kind) {
  return kind == NUMBER || kind == SECONDS;
}

static void put_cell(FILE *out, const json_object *row, const struct column *column) {
  fputs(is_numeric(column->kind) ? "<td class=\"number\">" : "<td>", out);
  if (!get(row, column->key)) {
    fputs("</td>", out);
    return;
  }
  switch (column->kind) {
    case TEXT:
      pmuv3_html(out, text(row, column->key));
      break;
    case CODE:
      fputs("<code>", out);
      pmuv3_html(out, text(row, column->key));
      fputs("</code>", out);
      break;
    case NUMBER:
      pmuv3_html_number(out, number(row, column->key));
      break;
    case SECONDS:
      fprintf(out, "%.1f", real(row, column->key));
      break;
    case STATE:
      put_badge(out, row, column->key);
      break;
    case SHARE: {
      const int64_t part = number(row, column->key), whole = number(row, column->whole);
      put_share(out, part, whole, part == whole ? "green" : "amber");
      break;
    }
  }
  fputs("</td>", out);
}

static void put_titles(FILE *out, const struct column *columns) {
  fputs("<thead><tr>", out);
  for (; columns->title; columns++)
    fprintf(out, "<th%s>%s</th>", is_numeric(columns->kind) ? " class=\"number\"" : "",
            columns->title);
  fputs("</tr></thead>\n", out);
}

static void put_row(FILE *out, const json_object *row, const struct column *columns) {
  for (; columns->title; columns++) put_cell(out, row, columns);
  fputs("</tr>\n", out);
}

/* A column without a title ends the list. Prints no table if there are no rows. */
static void put_table(FILE *out, const json_object *rows, const struct column *columns) {
  const size_t num_rows = json_object_array_length(rows);
  if (num_rows == 0) return;
  fputs("<table>", out);
  put_titles(out, columns);
  for (size_t i = 0; i < num_rows; i++) {
    fputs("<tr>", out);
    put_row(out, row_of(rows, i), columns);
  }
  fputs("</table>\n", out);
}

/* ---- The parts ---- */

static void put_verdict(FILE *out, const json_object *signoff) {
  const json_object *reasons = get(signoff, "reasons");
  const bool is_signed_off = is(signoff, "verdict", "signed off");
  fprintf(out, "<div class=\"verdict %s\"><strong>", is_signed_off ? "green" : "red");
  pmuv3_html(out, is_signed_off ? "Signed off" : "Not signed off");
  fputs("</strong>\n", out);
  if (is_signed_off)
    fputs("<p>All evidence is present and green, and belongs to these sources.</p>", out);
  else
    fputs("<ul>", out);
  for (size_t i = 0; i < json_object_array_length(reasons); i++) {
    fputs("<li>", out);
    pmuv3_html(out, json_object_get_string(json_object_array_get_idx(reasons, i)));
    fputs("</li>\n", out);
  }
  fputs(is_signed_off ? "</div>\n" : "</ul></div>\n", out);
}

static void put_figure(FILE *out, int64_t value, const char *what) {
  fputs("<div><b>", out);
  pmuv3_html_number(out, value);
  fprintf(out, "</b>%s</div>\n", what);
}

static void put_figures(FILE *out, const json_object *signoff) {
  const json_object *totals = row_of(get(signoff, "totals"), 0);
  fputs("<div class=\"figures\">", out);
  put_figure(out, number(totals, "runs"), "co-simulations");
  put_figure(out, number(totals, "cycles"), "Processor cycles in lockstep");
  put_figure(out, number(totals, "comparisons"), "values compared");
  fputs("</div>\n", out);
}

static void put_checks(FILE *out, const json_object *checks) {
  fputs("<div class=\"checks\">\n", out);
  for (size_t i = 0; i < json_object_array_length(checks); i++) {
    const json_object *check = row_of(checks, i);
    fprintf(out, "<div class=\"check %s\"><b>", text(check, "state"));
    pmuv3_html(out, text(check, "evidence"));
    fputs("</b><span>", out);
    pmuv3_html(out, text(check, "says"));
    fputs("</span></div>\n", out);
  }
  fputs("</div>\n", out);
}

static void put_head(FILE *out, const json_object *signoff) {
  char *css = pmuv3_database_script("page.css");
  fprintf(out,
          "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width\"/>\n"
          "<title>pmuv3: %s</title>\n<style>\n%s</style></head>\n<body>\n",
          text(signoff, "verdict"), css);
  free(css);
  fprintf(out,
          "<h1>pmuv3: sign-off</h1>\n<p class=\"soft\">C model and RTL of Arm's PMUv3. All results "
          "belong to the sources with the digest <code>%s</code>.</p>\n",
          text(signoff, "source"));
  fputs(
      "<nav><a href=\"#regression\">Regression</a><a href=\"#coverage\">Coverage</a>"
      "<a href=\"#mutants\">Mutants</a><a href=\"#defects\">Defects</a>"
      "<a href=\"#proofs\">Proofs</a><a href=\"#tests\">Tests</a>"
      "<a href=\"#choices\">Choices</a><a href=\"#not-verified\">Not verified</a>"
      "<a href=\"#rules\">Rules</a><a href=\"#tools\">Tools</a></nav>\n",
      out);
}

static void put_regression(FILE *out, const json_object *signoff) {
  static const struct column configurations[] = {{"configuration", TEXT, "configuration", NULL},
                                                 {"seeds", NUMBER, "seeds", NULL},
                                                 {"cycles", NUMBER, "cycles", NULL},
                                                 {"values compared", NUMBER, "comparisons", NULL},
                                                 {"seconds", SECONDS, "seconds", NULL},
                                                 {"diverged", NUMBER, "diverged", NULL},
                                                 {"crashed", NUMBER, "crashed", NULL},
                                                 {"verdict", STATE, "verdict", NULL},
                                                 {NULL, TEXT, NULL, NULL}};
  static const struct column failures[] = {{"configuration", TEXT, "configuration", NULL},
                                           {"seed", NUMBER, "seed", NULL},
                                           {"verdict", TEXT, "verdict", NULL},
                                           {"first difference", TEXT, "difference", NULL},
                                           {"reproducer", CODE, "capsule", NULL},
                                           {NULL, TEXT, NULL, NULL}};
  put_heading(out, "regression", "Lockstep regression");
  fputs(
      "<p>The C model and the RTL run the same random stimulus. The scoreboard compares every "
      "architectural value of every counter in every cycle.</p>\n",
      out);
  put_table(out, get(signoff, "configurations"), configurations);
  put_table(out, get(signoff, "failures"), failures);
}

#define MOST_NAMES 300

static void put_names(FILE *out, const json_object *rows, const char *key) {
  const size_t num_rows = json_object_array_length(rows);
  fputs("<ul class=\"names code\">", out);
  for (size_t i = 0; i < num_rows && i < MOST_NAMES; i++) {
    fputs("<li>", out);
    pmuv3_html(out, text(row_of(rows, i), key));
    fputs("</li>", out);
  }
  fputs("</ul>\n", out);
  if (num_rows > MOST_NAMES)
    fprintf(out, "<p class=\"soft\">signoff.json lists %zu more</p>\n", num_rows - MOST_NAMES);
}

static void put_holes(FILE *out, const json_object *holes) {
  const size_t num_holes = json_object_array_length(holes);
  if (num_holes == 0) return;
  fprintf(out, "<h3>Holes: %zu</h3>\n", num_holes);
  put_names(out, holes, "bin");
}

static void put_coverage(FILE *out, const json_object *signoff) {
  static const struct column parts[] = {
      {"part", TEXT, "part", NULL},   {"coverpoints", NUMBER, "coverpoints", NULL},
      {"bins", NUMBER, "bins", NULL}, {"reachable", NUMBER, "reachable", NULL},
      {"hit", NUMBER, "hit", NULL},   {"", SHARE, "hit", "reachable"},
      {NULL, TEXT, NULL, NULL}};
  static const struct column unreached[] = {{"bins", NUMBER, "bins", NULL},
                                            {"unreachable, because", TEXT, "why", NULL},
                                            {NULL, TEXT, NULL, NULL}};
  static const struct column impossible[] = {{"unreachable bin that was hit", CODE, "bin", NULL},
                                             {"configuration", TEXT, "configuration", NULL},
                                             {"hits", NUMBER, "hits", NULL},
                                             {"unreachable, because", TEXT, "why", NULL},
                                             {NULL, TEXT, NULL, NULL}};
  static const struct column code[] = {{"metric", TEXT, "metric", NULL},
                                       {"covered", NUMBER, "covered", NULL},
                                       {"of", NUMBER, "total", NULL},
                                       {"", SHARE, "covered", "total"},
                                       {NULL, TEXT, NULL, NULL}};
  static const struct column files[] = {
      {"file", CODE, "file", NULL},         {"metric", TEXT, "metric", NULL},
      {"covered", NUMBER, "covered", NULL}, {"of", NUMBER, "total", NULL},
      {"", SHARE, "covered", "total"},      {NULL, TEXT, NULL, NULL}};
  put_heading(out, "coverage", "Coverage");
  fputs(
      "<p>The scoreboard samples the bins. The hits of all configurations and seeds are merged."
      "</p>\n",
      out);
  put_table(out, get(signoff, "coverage"), parts);
  put_table(out, get(signoff, "impossible"), impossible);
  put_holes(out, get(signoff, "holes"));
  pmuv3_heat(out, get(signoff, "crosses"));
  put_table(out, get(signoff, "unreached"), unreached);
  if (json_object_array_length(get(signoff, "code_files")) > 0)
    fputs("<h3>Code coverage</h3>\n", out);
  put_table(out, get(signoff, "code_metrics"), code);
  put_table(out, get(signoff, "code_files"), files);
}

static void put_mutation_bar(FILE *out, const json_object *row) {
  const double all = (double)number(row, "mutants");
  fputs("<td><div class=\"bar\">", out);
  put_part(out, "green", (double)number(row, "killed") / all);
  put_part(out, "grey", (double)(number(row, "equivalent") + number(row, "unusable")) / all);
  put_part(out, "red", (double)number(row, "survived") / all);
  fputs("</div></td>", out);
}

static void put_score(FILE *out, const json_object *row) {
  const int64_t judged = number(row, "killed") + number(row, "survived");
  if (judged > 0)
    fprintf(out, "<td class=\"number\">%.1f%%</td>",
            100 * (double)number(row, "killed") / (double)judged);
  else
    fputs("<td></td>", out);
}

static void put_mutation(FILE *out, const json_object *rows) {
  if (json_object_array_length(rows) == 0) return;
  fputs(
      "<table><thead><tr><th>side</th><th>module</th><th class=\"number\">mutants</th>"
      "<th class=\"number\">killed</th><th class=\"number\">survived</th>"
      "<th class=\"number\">proved equivalent</th><th class=\"number\">unusable</th>"
      "<th class=\"number\">score</th><th></th></tr></thead>\n",
      out);
  static const struct column columns[] = {
      {"", TEXT, "side", NULL},       {"", CODE, "module", NULL},
      {"", NUMBER, "mutants", NULL},  {"", NUMBER, "killed", NULL},
      {"", NUMBER, "survived", NULL}, {"", NUMBER, "equivalent", NULL},
      {"", NUMBER, "unusable", NULL}};
  for (size_t i = 0; i < json_object_array_length(rows); i++) {
    fputs("<tr>", out);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
      put_cell(out, row_of(rows, i), &columns[c]);
    put_score(out, row_of(rows, i));
    put_mutation_bar(out, row_of(rows, i));
    fputs("</tr>\n", out);
  }
  fputs("</table>\n", out);
}

static void put_mutants(FILE *out, const json_object *signoff) {
  static const struct column survivors[] = {
      {"side", TEXT, "side", NULL},     {"mutant", CODE, "name", NULL},
      {"place", CODE, "place", NULL},   {"change", TEXT, "change", NULL},
      {"reason", TEXT, "reason", NULL}, {NULL, TEXT, NULL, NULL}};
  static const struct column equivalents[] = {{"side", TEXT, "side", NULL},
                                              {"mutant", CODE, "name", NULL},
                                              {"place", CODE, "place", NULL},
                                              {"change", TEXT, "change", NULL},
                                              {"cycles", NUMBER, "cycles", NULL},
                                              {"reason", TEXT, "reason", NULL},
                                              {NULL, TEXT, NULL, NULL}};
  put_heading(out, "mutants", "Mutants");
  fputs(
      "<p>A mutant is a small wrong change. The lockstep regression must kill each mutant. The "
      "score is killed / (killed + survived), without the mutants proved equivalent.</p>\n"
      "<p class=\"legend\"><span><i style=\"background:#2e8b57\"></i>killed</span>"
      "<span><i style=\"background:#b8c0ca\"></i>equivalent or unusable</span>"
      "<span><i style=\"background:#c0392b\"></i>survived</span></p>\n",
      out);
  put_mutation(out, get(signoff, "mutation"));
  if (json_object_array_length(get(signoff, "survivors")) > 0) fputs("<h3>Survivors</h3>\n", out);
  put_table(out, get(signoff, "survivors"), survivors);
  if (json_object_array_length(get(signoff, "equivalents")) > 0)
    fputs("<h3>Proved equivalent</h3>\n", out);
  put_table(out, get(signoff, "equivalents"), equivalents);
}

static void put_histogram(FILE *out, const json_object *rows) {
  const size_t num_rows = json_object_array_length(rows);
  if (num_rows == 0) return;
  const int64_t lines = number(row_of(rows, num_rows - 1), "lines");
  int64_t most = 1;
  for (size_t i = 0; i < num_rows; i++)
    if (number(row_of(rows, i), "defects") > most) most = number(row_of(rows, i), "defects");
  fputs("<h3>Defects by the number of lines of their shrunk reproducer</h3>\n", out);
  fprintf(out,
          "<svg width=\"%" PRId64 "\" height=\"150\" font-size=\"11\" text-anchor=\"middle\">\n",
          34 * lines + 40);
  for (size_t i = 0; i < num_rows; i++) {
    const int64_t x = 34 * number(row_of(rows, i), "lines"), n = number(row_of(rows, i), "defects");
    const double height = 105.0 * (double)n / (double)most;
    fprintf(out,
            "<rect x=\"%" PRId64
            "\" y=\"%.1f\" width=\"28\" height=\"%.1f\" fill=\"%s\"/>"
            "<text x=\"%" PRId64 "\" y=\"%.1f\">%" PRId64
            "</text>"
            "<text x=\"%" PRId64 "\" y=\"145\" fill=\"#5d6878\">%" PRId64 "</text>\n",
            x - 14, 130 - height, height,
            number(row_of(rows, i), "is_long") ? "#c0392b" : "#3a6ea5", x, 126 - height, n, x,
            number(row_of(rows, i), "lines"));
  }
  fputs("</svg>\n", out);
}

static void put_defects(FILE *out, const json_object *signoff) {
  static const struct column columns[] = {{"defect", CODE, "defect", NULL},
                                          {"what is wrong", TEXT, "what", NULL},
                                          {"", STATE, "verdict", NULL},
                                          {"cycles", NUMBER, "cycles", NULL},
                                          {"lines", NUMBER, "lines_before", NULL},
                                          {"lines, shrunk", NUMBER, "lines_after", NULL},
                                          {NULL, TEXT, NULL, NULL}};
  put_heading(out, "defects", "Planted defects");
  fputs(
      "<p>Defects that were planted by hand (testbench/signoff/defects). The default run must find "
      "each defect. The table also gives the lines of the failing stimulus, before and after "
      "shrinking.</p>\n",
      out);
  put_histogram(out, get(signoff, "shrunk"));
  put_table(out, get(signoff, "defects"), columns);
}

static void put_proofs(FILE *out, const json_object *signoff) {
  static const struct column columns[] = {{"theorem", TEXT, "theorem", NULL},
                                          {"threads x counters", TEXT, "size", NULL},
                                          {"set", TEXT, "chosen", NULL},
                                          {"obligations", NUMBER, "obligations", NULL},
                                          {"of the full set", NUMBER, "total", NULL},
                                          {"proved", NUMBER, "proved", NULL},
                                          {"assertions", NUMBER, "assertions", NULL},
                                          {"seconds", SECONDS, "seconds", NULL},
                                          {"", SHARE, "proved", "obligations"},
                                          {NULL, TEXT, NULL, NULL}};
  static const struct column unproved[] = {{"theorem", TEXT, "theorem", NULL},
                                           {"not proved", CODE, "name", NULL},
                                           {"size", TEXT, "size", NULL},
                                           {"verdict", TEXT, "verdict", NULL},
                                           {NULL, TEXT, NULL, NULL}};
  put_heading(out, "proofs", "Proofs");
  put_table(out, get(signoff, "proofs"), columns);
  put_table(out, get(signoff, "unproved"), unproved);
}

static void put_tests(FILE *out, const json_object *signoff) {
  static const struct column columns[] = {{"build", TEXT, "preset", NULL},
                                          {"tests", NUMBER, "tests", NULL},
                                          {"passed", NUMBER, "passed", NULL},
                                          {"not run", NUMBER, "not_run", NULL},
                                          {"seconds", SECONDS, "seconds", NULL},
                                          {"", SHARE, "passed", "tests"},
                                          {NULL, TEXT, NULL, NULL}};
  static const struct column failed[] = {{"build", TEXT, "preset", NULL},
                                         {"test", CODE, "name", NULL},
                                         {"", TEXT, "verdict", NULL},
                                         {NULL, TEXT, NULL, NULL}};
  put_heading(out, "tests", "Tests");
  put_table(out, get(signoff, "tests"), columns);
  put_table(out, get(signoff, "failed_tests"), failed);
}

static void put_choices(FILE *out, const json_object *signoff) {
  static const struct column columns[] = {{"choice", CODE, "choice", NULL},
                                          {"value", CODE, "value", NULL},
                                          {"meaning", TEXT, "says", NULL},
                                          {"configurations", NUMBER, "configurations", NULL},
                                          {"cycles", NUMBER, "cycles", NULL},
                                          {"", STATE, "verdict", NULL},
                                          {NULL, TEXT, NULL, NULL}};
  put_heading(out, "choices", "Implementation choices");
  fputs("<p>Each value, with the equivalent runs that used the value.</p>\n", out);
  put_table(out, get(signoff, "choices"), columns);
}

static void put_not_verified(FILE *out, const json_object *signoff) {
  static const struct column columns[] = {{"topic", TEXT, "topic", NULL},
                                          {"not verified", TEXT, "says", NULL},
                                          {"kind", TEXT, "kind", NULL},
                                          {NULL, TEXT, NULL, NULL}};
  static const struct column replacements[] = {{"item", TEXT, "item", NULL},
                                               {"replaced verdict", TEXT, "verdict", NULL},
                                               {"of", CODE, "name", NULL},
                                               {NULL, TEXT, NULL, NULL}};
  put_heading(out, "not-verified", "Not verified");
  put_table(out, get(signoff, "not_verified"), columns);
  put_table(out, get(signoff, "replacements"), replacements);
}

static void put_of(FILE *out, const json_object *rule, const char *part, const char *whole) {
  fputs("<td class=\"number\">", out);
  if (number(rule, whole) > 0)
    fprintf(out, "%" PRId64 " of %" PRId64, number(rule, part), number(rule, whole));
  fputs("</td>", out);
}

/* A cell of docs/reference/rules.md, without backticks. */
static void put_names_of_cell(FILE *out, const json_object *rule, const char *key) {
  fputs("<td><code>", out);
  for (const char *next = text(rule, key); *next; next++) {
    if (*next == '`') continue;
    const char letter[2] = {*next, '\0'};
    pmuv3_html(out, letter);
  }
  fputs("</code></td>", out);
}

/* The rule's proofs. A rule of behaviour without proofs gets "not asked" if it has properties, and
 * "none" if rules.md gives a reason for having none. */
static void put_properties(FILE *out, const json_object *rule) {
  if (number(rule, "proofs") > 0 || !is(rule, "mark", "behaviour")) {
    put_of(out, rule, "proved", "proofs");
    return;
  }
  fputs("<td class=\"number soft\">", out);
  if (number(rule, "properties") > 0)
    fputs("not asked", out);
  else if (get(rule, "no_property"))
    fputs("none", out);
  fputs("</td>", out);
}

static void put_state(FILE *out, const json_object *rule) {
  fputs("<td>", out);
  put_badge(out, rule, "verdict");
  if (is(rule, "state", "missing")) {
    fputs(" <span class=\"soft\">", out);
    pmuv3_html(out, text(rule, "lacks"));
    fputs("</span>", out);
  }
  fputs("</td>", out);
}

static void put_rule(FILE *out, const json_object *rule) {
  fprintf(out, "<tr class=\"%s\"><td>", text(rule, "state"));
  pmuv3_html(out, text(rule, "rule"));
  fputs("</td>", out);
  put_cell(out, rule, &(struct column){"", TEXT, "class", NULL});
  put_cell(out, rule, &(struct column){"", TEXT, "says", NULL});
  put_names_of_cell(out, rule, "c");
  put_of(out, rule, "passed", "tests");
  put_of(out, rule, "hit", "reachable");
  put_of(out, rule, "killed", "mutants");
  put_properties(out, rule);
  put_state(out, rule);
  fputs("</tr>\n", out);
}

static void put_rules(FILE *out, const json_object *rules) {
  const char *section = "";
  put_heading(out, "rules", "Rules");
  fputs(
      "<p>The rules of docs/reference/rules.md, each with its evidence: tests that passed, bins of "
      "the rule's coverpoint that were hit, mutants killed in the rule's C files and RTL modules, "
      "and properties of the RTL that were proved. A rule is green if all its tests passed, in "
      "each preset that has them, all its bins were hit, and each of its properties was proved for "
      "some size. Rules of sections B, C and G must have bins. Rules of sections B, C and D must "
      "have properties.</p>\n<table class=\"rules\"><thead><tr><th>rule</th><th>class</th>"
      "<th>requirement</th><th>C</th><th class=\"number\">tests</th><th class=\"number\">bins</th>"
      "<th class=\"number\">mutants</th><th class=\"number\">proofs</th><th></th></tr></thead>\n",
      out);
  for (size_t i = 0; i < json_object_array_length(rules); i++) {
    const json_object *rule = row_of(rules, i);
    if (!is(rule, "section", section)) {
      section = text(rule, "section");
      fputs("<tr class=\"section\"><td colspan=\"9\">", out);
      pmuv3_html(out, section);
      fputs("</td></tr>\n", out);
    }
    put_rule(out, rule);
  }
  fputs("</table>\n", out);
}

static void put_tools(FILE *out, const json_object *versions) {
  static const struct column columns[] = {
      {"tool", TEXT, "tool", NULL}, {"version", CODE, "version", NULL}, {NULL, TEXT, NULL, NULL}};
  put_heading(out, "tools", "Tools");
  put_table(out, versions, columns);
}

bool pmuv3_page_write(FILE *out, const json_object *signoff) {
  put_head(out, signoff);
  put_verdict(out, signoff);
  put_figures(out, signoff);
  put_checks(out, get(signoff, "checks"));
  put_regression(out, signoff);
  put_coverage(out, signoff);
  put_mutants(out, signoff);
  put_defects(out, signoff);
  put_proofs(out, signoff);
  put_tests(out, signoff);
  put_choices(out, signoff);
  put_not_verified(out, signoff);
  put_rules(out, get(signoff, "rules"));
  put_tools(out, get(signoff, "versions"));
  fputs("</body></html>\n", out);
  return fflush(out) == 0 && !ferror(out);
}
