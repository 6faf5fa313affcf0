#define _GNU_SOURCE
#include "testbench/signoff/evidence/regress_report.h"

#include <inttypes.h>
#include <libxml/xmlwriter.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/json_text.h"

struct report {
  sqlite3 *database;
  const char *source;
  const struct pmuv3_regress_options *options;
};

/* Sums of one configuration, or of all. */
struct sum {
  int64_t tasks, diverged, crashed, missing;
  int64_t cycles, comparisons;
  double seconds;
};

/* The recorded tasks of a configuration. A crash counts, whatever shorter run was equivalent. */
#define OF_TASKS                                                                       \
  " FROM run task WHERE source = ?1 AND configuration = ?2 AND seed BETWEEN ?3 AND ?4" \
  " AND (verdict <> 'equivalent' OR (cycles >= ?5 AND NOT EXISTS (SELECT * FROM run"   \
  " WHERE source = ?1 AND configuration = ?2 AND seed = task.seed"                     \
  " AND verdict = 'crashed'))) ORDER BY seed"

/* What was different, or how far a crash came. */
#define WHAT "iif(verdict = 'crashed', 'crashed after ' || cycles || ' cycles', difference) AS what"

static sqlite3_stmt *ask(const struct report *report, size_t configuration, const char *sql) {
  const struct pmuv3_regress_options *options = report->options;
  return pmuv3_database_ask(report->database, sql, "ttiii", report->source,
                            pmuv3_configurations[configuration].name, (int64_t)options->first_seed,
                            (int64_t)(options->first_seed + options->num_seeds - 1),
                            (int64_t)options->cycles);
}

static struct sum sum_of(const struct report *report, size_t configuration) {
  struct sum sum = {0};
  sqlite3_stmt *answer =
      ask(report, configuration,
          "SELECT count(*), total(verdict = 'diverged'), total(verdict = 'crashed'), total(cycles),"
          " total(comparisons), total(seconds)" OF_TASKS);
  while (pmuv3_database_next(answer))
    sum = (struct sum){
        .tasks = sqlite3_column_int64(answer, 0),
        .diverged = sqlite3_column_int64(answer, 1),
        .crashed = sqlite3_column_int64(answer, 2),
        .cycles = sqlite3_column_int64(answer, 3),
        .comparisons = sqlite3_column_int64(answer, 4),
        .seconds = sqlite3_column_double(answer, 5),
        .missing = (int64_t)report->options->num_seeds - sqlite3_column_int64(answer, 0),
    };
  return sum;
}

static void add(struct sum *sum, const struct sum *other) {
  sum->tasks += other->tasks;
  sum->diverged += other->diverged;
  sum->crashed += other->crashed;
  sum->missing += other->missing;
  sum->cycles += other->cycles;
  sum->comparisons += other->comparisons;
  sum->seconds += other->seconds;
}

/* ---- For a person ---- */

static void print_verdict(const struct sum *sum) {
  const char *separator = "";
  const struct {
    int64_t number;
    const char *what;
  } parts[] = {{sum->diverged, "diverged"}, {sum->crashed, "crashed"}, {sum->missing, "not run"}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (parts[i].number == 0) continue;
    printf("%s%" PRId64 " %s", separator, parts[i].number, parts[i].what);
    separator = ", ";
  }
  puts(*separator ? "" : "equivalent");
}

static void print_sum(const char *name, const struct sum *sum) {
  printf("%-42s %6" PRId64 " %12" PRId64 " %14" PRId64 " %10.1f  ", name, sum->tasks, sum->cycles,
         sum->comparisons, sum->seconds);
  print_verdict(sum);
}

static void print_failures(const struct report *report, size_t configuration) {
  sqlite3_stmt *answer =
      ask(report, configuration, "SELECT seed, verdict, " WHAT ", capsule" OF_TASKS);
  while (pmuv3_database_next(answer)) {
    const char *verdict = (const char *)sqlite3_column_text(answer, 1);
    const char *difference = (const char *)sqlite3_column_text(answer, 2);
    const char *folder = (const char *)sqlite3_column_text(answer, 3);
    if (strcmp(verdict, "equivalent") == 0) continue;
    printf("%s, seed %lld: %s\n", pmuv3_configurations[configuration].name,
           sqlite3_column_int64(answer, 0), difference ? difference : verdict);
    if (!folder) continue;
    char *quoted = pmuv3_cli_quoted(folder);
    printf("  kept in %s\n", quoted);
    free(quoted);
  }
}

static struct sum print(const struct report *report) {
  struct sum all = {0};
  printf("\n%-42s %6s %12s %14s %10s  %s\n", "configuration", "seeds", "cycles", "comparisons",
         "seconds", "verdict");
  for (size_t i = 0; i < PMUV3_NUM_CONFIGURATIONS; i++) {
    if (!report->options->configurations[i]) continue;
    const struct sum sum = sum_of(report, i);
    print_sum(pmuv3_configurations[i].name, &sum);
    add(&all, &sum);
  }
  print_sum("in all", &all);
  printf("\n");
  for (size_t i = 0; i < PMUV3_NUM_CONFIGURATIONS; i++)
    if (report->options->configurations[i]) print_failures(report, i);
  return all;
}

/* ---- JUnit ---- */

static const xmlChar *xml(const char *text) {
  return (const xmlChar *)text;
}

static void attribute(xmlTextWriterPtr out, const char *name, int64_t value) {
  xmlTextWriterWriteFormatAttribute(out, xml(name), "%" PRId64, value);
}

static void write_counts(xmlTextWriterPtr out, const struct sum *sum) {
  attribute(out, "tests", sum->tasks + sum->missing);
  attribute(out, "failures", sum->diverged);
  attribute(out, "errors", sum->crashed);
  attribute(out, "skipped", sum->missing);
  xmlTextWriterWriteFormatAttribute(out, xml("time"), "%.3f", sum->seconds);
}

static void write_failure(xmlTextWriterPtr out, sqlite3_stmt *row) {
  const char *verdict = (const char *)sqlite3_column_text(row, 1);
  const char *difference = (const char *)sqlite3_column_text(row, 2);
  const char *folder = (const char *)sqlite3_column_text(row, 3);
  if (strcmp(verdict, "equivalent") == 0) return;
  xmlTextWriterStartElement(out, xml(strcmp(verdict, "crashed") == 0 ? "error" : "failure"));
  xmlTextWriterWriteAttribute(out, xml("type"), xml(verdict));
  xmlTextWriterWriteAttribute(out, xml("message"), xml(difference ? difference : verdict));
  if (folder) {
    char *shown = pmuv3_xml_text(folder);
    xmlTextWriterWriteFormatString(out, "kept in %s", shown);
    free(shown);
  }
  xmlTextWriterEndElement(out);
}

static void start_case(xmlTextWriterPtr out, size_t configuration, uint64_t seed) {
  xmlTextWriterStartElement(out, xml("testcase"));
  xmlTextWriterWriteFormatAttribute(out, xml("name"), "seed %" PRIu64, seed);
  xmlTextWriterWriteAttribute(out, xml("classname"), xml(pmuv3_configurations[configuration].name));
}

static void write_skipped(xmlTextWriterPtr out, size_t configuration, uint64_t seed) {
  start_case(out, configuration, seed);
  xmlTextWriterStartElement(out, xml("skipped"));
  xmlTextWriterWriteAttribute(out, xml("message"), xml("not run"));
  xmlTextWriterEndElement(out);
  xmlTextWriterEndElement(out);
}

static void write_cases(xmlTextWriterPtr out, const struct report *report, size_t configuration) {
  uint64_t seed = report->options->first_seed;
  const uint64_t end = seed + report->options->num_seeds;
  sqlite3_stmt *row =
      ask(report, configuration, "SELECT seed, verdict, " WHAT ", capsule, seconds" OF_TASKS);
  while (pmuv3_database_next(row)) {
    while (seed < (uint64_t)sqlite3_column_int64(row, 0)) write_skipped(out, configuration, seed++);
    start_case(out, configuration, seed++);
    xmlTextWriterWriteFormatAttribute(out, xml("time"), "%.3f", sqlite3_column_double(row, 4));
    write_failure(out, row);
    xmlTextWriterEndElement(out);
  }
  while (seed < end) write_skipped(out, configuration, seed++);
}

static void write_suites(xmlTextWriterPtr out, const void *context) {
  const struct report *report = context;
  for (size_t i = 0; i < PMUV3_NUM_CONFIGURATIONS; i++) {
    if (!report->options->configurations[i]) continue;
    const struct sum sum = sum_of(report, i);
    xmlTextWriterStartElement(out, xml("testsuite"));
    xmlTextWriterWriteAttribute(out, xml("name"), xml(pmuv3_configurations[i].name));
    write_counts(out, &sum);
    write_cases(out, report, i);
    xmlTextWriterEndElement(out);
  }
}

/* We say ourselves what cannot be written. */
static void say_nothing(void *context, const char *format, ...) {
  (void)context, (void)format;
}

static bool write_document(FILE *file, void (*content)(xmlTextWriterPtr out, const void *context),
                           const void *context) {
  xmlSetGenericErrorFunc(NULL, say_nothing);
  xmlOutputBufferPtr buffer = xmlOutputBufferCreateFile(file, NULL);
  xmlTextWriterPtr out = buffer ? xmlNewTextWriter(buffer) : NULL;
  if (!out) pmuv3_cli_no_verdict("out of memory");
  xmlTextWriterSetIndent(out, 1);
  xmlTextWriterStartDocument(out, NULL, "UTF-8", NULL);
  xmlTextWriterStartElement(out, xml("testsuites"));
  xmlTextWriterWriteAttribute(out, xml("name"), xml("pmuv3 regress"));
  content(out, context);
  const bool written = xmlTextWriterEndDocument(out) >= 0;
  xmlFreeTextWriter(out);
  return written;
}

static bool write_junit(FILE *file, const void *report) {
  return write_document(file, write_suites, report);
}

/* One test, which is the whole. */
static void write_no_suite(xmlTextWriterPtr out, const void *context) {
  const struct pmuv3_cli_no_result *no_result = context;
  const struct sum sum = {
      .tasks = 1, .diverged = no_result->diverged, .crashed = !no_result->diverged};
  char *why = pmuv3_xml_text(no_result->why);
  xmlTextWriterStartElement(out, xml("testsuite"));
  xmlTextWriterWriteAttribute(out, xml("name"), xml("pmuv3 regress"));
  write_counts(out, &sum);
  xmlTextWriterStartElement(out, xml("testcase"));
  xmlTextWriterWriteAttribute(out, xml("name"), xml("regress"));
  xmlTextWriterWriteAttribute(out, xml("classname"), xml("pmuv3 regress"));
  xmlTextWriterWriteAttribute(out, xml("time"), xml("0"));
  xmlTextWriterStartElement(out, xml(no_result->diverged ? "failure" : "error"));
  xmlTextWriterWriteAttribute(out, xml("type"),
                              xml(no_result->diverged ? "diverged" : PMUV3_CLI_NO_VERDICT));
  xmlTextWriterWriteAttribute(out, xml("message"), xml(why));
  free(why);
}

static bool write_no_junit(FILE *file, const void *no_result) {
  return write_document(file, write_no_suite, no_result);
}

void pmuv3_regress_name_results(const struct pmuv3_regress_options *options) {
  if (options->shards.mode != PMUV3_SHARDS_LIST)
    pmuv3_cli_name_result(options->junit, "<testsuites", write_no_junit);
}

/* If the results cannot be written, a divergence still counts. */
static void write_results(const struct report *report, bool is_diverged) {
  const char *path = report->options->junit;
  const char *why = path ? pmuv3_cli_try_write(path, write_junit, report) : NULL;
  if (why && !is_diverged) pmuv3_cli_unusable("--junit: cannot write '%s': %s", path, why);
  if (why) pmuv3_cli_warn("--junit: cannot write '%s': %s", path, why);
}

enum pmuv3_regress_verdict pmuv3_regress_report(sqlite3 *database, const char *source,
                                                const struct pmuv3_regress_options *options) {
  static const char *const names[] = {
      [PMUV3_REGRESS_EQUIVALENT] = "equivalent",
      [PMUV3_REGRESS_DIVERGED] = "not equivalent",
      [PMUV3_REGRESS_NO_VERDICT] = "no verdict",
  };
  const struct report report = {database, source, options};
  const struct sum all = print(&report);
  write_results(&report, all.diverged > 0);
  const bool has_all = all.missing == 0 || !isinf(options->seconds);
  const bool is_answered = all.crashed == 0 && all.tasks > 0 && has_all;
  const enum pmuv3_regress_verdict verdict = all.diverged > 0 ? PMUV3_REGRESS_DIVERGED
                                             : is_answered    ? PMUV3_REGRESS_EQUIVALENT
                                                              : PMUV3_REGRESS_NO_VERDICT;
  puts(names[verdict]);
  return verdict;
}
