#include "testbench/prove/equivalence/report.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/json_text.h"
#include "testbench/cosim/cli/now.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/prove/equivalence/inputs.h"

/* A case of a size. Its name says all of it. */
struct expected {
  unsigned size;
  char name[CASE_NAME_SIZE];
  bool is_added;
};

/* Of a size. */
struct sum {
  size_t wanted, added; /* of those that are expected */
  size_t cases, proved;
  struct tally tally;
  struct case_report largest; /* bits and numbers: the most of all cases */
  double seconds;             /* of all workers */
};

struct report {
  const struct prove_options *options;
  struct sum sums[MAX_SIZES];
  struct case_report *cases;
  size_t num_cases;
  struct expected *expected;
  size_t num_expected;
  struct place_report places[MAX_SIZES * PLACES];
  size_t num_places, places_wanted;
  enum expectation expected_places[MAX_SIZES][PLACES];
  double start;
  bool began_of_sources;
};

struct report *report_new(const struct prove_options *options) {
  struct report *report = calloc(1, sizeof *report);
  if (report == NULL) abort();
  report->options = options;
  report->start = pmuv3_now();
  report->began_of_sources = prove_inputs_are_of_sources(options, PMUV3_BUILD);
  return report;
}

static void expect(struct report *report, unsigned size, const struct model_case *which) {
  struct expected *expected = &report->expected[report->num_expected++];
  *expected = (struct expected){.size = size};
  case_name(which, expected->name, sizeof expected->name);
}

void report_expect(struct report *report, unsigned size, const struct cases *cases) {
  const size_t number = report->num_expected + cases->num_cases;
  report->expected = realloc(report->expected, (number + 1) * sizeof *report->expected);
  if (report->expected == NULL) abort();
  for (size_t c = 0; c < cases->num_cases; c++) expect(report, size, &cases->cases[c]);
  report->sums[size].wanted += cases->num_cases;
}

void report_expect_place(struct report *report, unsigned size, enum place place) {
  report->places_wanted += report->expected_places[size][place] == NOT_EXPECTED;
  report->expected_places[size][place] = MISSING;
}

/* NULL: the case is not expected. */
static struct expected *find_expected(const struct report *report,
                                      const struct case_report *of_case) {
  char name[CASE_NAME_SIZE];
  case_name(&of_case->which, name, sizeof name);
  for (size_t e = 0; e < report->num_expected; e++) {
    struct expected *expected = &report->expected[e];
    if (expected->size == of_case->size && strcmp(expected->name, name) == 0) return expected;
  }
  return NULL;
}

static void keep_largest(size_t *largest, size_t one) {
  if (one > *largest) *largest = one;
}

bool report_is_case_proved(const struct case_report *of_case) {
  return of_case->state_bits > 0 && of_case->input_bits > 0 && tally_is_proved(&of_case->tally);
}

/* What the line of a case ends with. */
static const char *case_end(const struct case_report *of_case) {
  if (of_case->state_bits == 0) return "  NOT PROVED: no state bits";
  if (of_case->input_bits == 0) return "  NOT PROVED: no free bits";
  return report_is_case_proved(of_case) ? "" : "  NOT PROVED";
}

static void print_progress(const struct report *report, const struct case_report *of_case) {
  char name[CASE_NAME_SIZE], size[SIZE_NAME];
  size_name(report->options->sizes[of_case->size], size);
  case_name(&of_case->which, name, sizeof name);
  printf("%7.1f s  %-6s  %-44s %5zu assertions %4zu by solvers %6.2f s%s\n",
         pmuv3_now() - report->start, size, name, of_case->tally.assertions,
         of_case->tally.by_solvers, of_case->seconds, case_end(of_case));
  fflush(stdout);
}

void report_add(struct report *report, const struct case_report *of_case) {
  struct sum *sum = &report->sums[of_case->size];
  struct expected *expected = find_expected(report, of_case);
  if (expected != NULL && !expected->is_added) sum->added++;
  if (expected != NULL) expected->is_added = true;
  sum->cases++;
  sum->proved += report_is_case_proved(of_case);
  sum->seconds += of_case->seconds;
  tally_add(&sum->tally, &of_case->tally);
  keep_largest(&sum->largest.state_bits, of_case->state_bits);
  keep_largest(&sum->largest.registers, of_case->registers);
  keep_largest(&sum->largest.input_bits, of_case->input_bits);
  keep_largest(&sum->largest.inputs, of_case->inputs);
  keep_largest(&sum->largest.assumptions, of_case->assumptions);
  report->cases = realloc(report->cases, (report->num_cases + 1) * sizeof *report->cases);
  if (report->cases == NULL) abort();
  report->cases[report->num_cases++] = *of_case;
  print_progress(report, of_case);
}

void report_add_place(struct report *report, const struct place_report *of_place) {
  char size[SIZE_NAME];
  size_name(report->options->interference[of_place->size], size);
  if (report->num_places == sizeof report->places / sizeof *report->places) abort();
  if (report_expects_place(report, of_place) == MISSING)
    report->expected_places[of_place->size][of_place->place] = ADDED;
  report->places[report->num_places++] = *of_place;
  printf("%7.1f s  %-6s  %-44s %5zu questions %5zu must fail %8.2f s%s\n",
         pmuv3_now() - report->start, size, place_name(of_place->place), of_place->questions,
         of_place->must_fail, of_place->seconds, place_is_proved(of_place) ? "" : "  NOT PROVED");
  fflush(stdout);
}

/* ---- What was added ---- */

enum expectation report_expects(const struct report *report, const struct case_report *of_case) {
  const struct expected *expected = find_expected(report, of_case);
  return expected == NULL ? NOT_EXPECTED : expected->is_added ? ADDED : MISSING;
}

enum expectation report_expects_place(const struct report *report,
                                      const struct place_report *of_place) {
  return of_place->place < PLACES ? report->expected_places[of_place->size][of_place->place]
                                  : NOT_EXPECTED;
}

const struct case_report *report_cases(const struct report *report, size_t *number) {
  *number = report->num_cases;
  return report->cases;
}
const struct place_report *report_places(const struct report *report, size_t *number) {
  *number = report->num_places;
  return report->places;
}

static size_t num_places_missing(const struct report *report) {
  size_t missing = 0;
  for (unsigned s = 0; s < MAX_SIZES; s++)
    for (int p = 0; p < PLACES; p++) missing += report->expected_places[s][p] == MISSING;
  return missing;
}

size_t report_missing(const struct report *report) {
  size_t missing = num_places_missing(report);
  for (unsigned s = 0; s < report->options->num_sizes; s++)
    missing += report->sums[s].wanted - report->sums[s].added;
  return missing;
}

static bool is_refuted(const struct report *report) {
  for (size_t p = 0; p < report->num_places; p++)
    if (!place_is_proved(&report->places[p])) return true;
  for (unsigned s = 0; s < report->options->num_sizes; s++)
    if (report->sums[s].proved < report->sums[s].cases) return true;
  return false;
}

bool report_has_verdict(const struct report *report) {
  return report_missing(report) == 0 || is_refuted(report);
}

bool report_is_of_sources(const struct report *report) {
  return report->began_of_sources && prove_inputs_are_of_sources(report->options, PMUV3_BUILD);
}

/* ---- The end ---- */

static bool is_size_proved(const struct sum *sum) {
  return sum->wanted > 0 && sum->added == sum->wanted && sum->cases == sum->wanted &&
         sum->proved == sum->cases;
}

/* --only and --part may leave out every case of a size. */
static bool is_left_out(const struct report *report, const struct sum *sum) {
  return sum->wanted == 0 && !prove_is_whole(report->options);
}

static bool is_sample(const struct report *report, struct size size) {
  return prove_set_of(report->options, size) == CASES_CI || !prove_is_whole(report->options);
}

static bool is_equal(const struct report *report) {
  for (unsigned s = 0; s < report->options->num_sizes; s++) {
    const struct sum *sum = &report->sums[s];
    if (!is_size_proved(sum) && !is_left_out(report, sum)) return false;
  }
  return true;
}

static bool is_free_of_interference(const struct report *report) {
  if (report->num_places != report->places_wanted || num_places_missing(report) > 0) return false;
  for (size_t p = 0; p < report->num_places; p++)
    if (!place_is_proved(&report->places[p])) return false;
  return true;
}

static bool is_all_proved(const struct report *report) {
  return report->num_cases + report->num_places > 0 && is_equal(report) &&
         is_free_of_interference(report);
}

static void print_sizes(const struct report *report) {
  printf("\n%-8s %6s %10s %10s %12s %12s %10s %10s %8s  %s\n", "size", "cases", "state bits",
         "free bits", "assumptions", "assertions", "structure", "solvers", "s", "verdict");
  for (unsigned s = 0; s < report->options->num_sizes; s++) {
    const struct sum *sum = &report->sums[s];
    const struct size size = report->options->sizes[s];
    char name[SIZE_NAME];
    printf("%-8s %6zu %10zu %10zu %12zu %12zu %10zu %10zu %8.0f  %s\n", size_name(size, name),
           sum->cases, sum->largest.state_bits, sum->largest.input_bits, sum->largest.assumptions,
           sum->tally.assertions, sum->tally.by_structure + sum->tally.by_memory,
           sum->tally.by_solvers, sum->seconds,
           is_left_out(report, sum)  ? "left out"
           : !is_size_proved(sum)    ? "NOT PROVED"
           : is_sample(report, size) ? "proved (sample)"
                                     : "proved");
  }
}

static void print_places(const struct report *report) {
  printf("\n%-8s %-24s %10s %10s %10s %10s %8s  %s\n", "size", "non-interference", "questions",
         "proved", "must fail", "refuted", "s", "verdict");
  for (size_t p = 0; p < report->num_places; p++) {
    const struct place_report *of = &report->places[p];
    char size[SIZE_NAME];
    printf("%-8s %-24s %10zu %10zu %10zu %10zu %8.0f  %s\n",
           size_name(report->options->interference[of->size], size), place_name(of->place),
           of->questions, of->proved, of->must_fail, of->refuted, of->seconds,
           place_is_proved(of) ? "proved" : "NOT PROVED");
  }
}

/* How what solvers proved was proved. */
static void print_proofs(const struct report *report) {
  struct proofs sum = {0};
  for (unsigned s = 0; s < report->options->num_sizes; s++)
    proofs_add(&sum, &report->sums[s].tally.proofs);
  for (size_t p = 0; p < report->num_places; p++) proofs_add(&sum, &report->places[p].proofs);
  printf(
      "\nsolvers: %zu questions by a certificate, %zu by a certificate and by z3 and cvc5, %zu by "
      "z3 and cvc5 alone\n",
      sum.by_certificate, sum.by_both_ways, sum.by_two_solvers);
}

static void print_table(const struct report *report) {
  if (report->options->num_sizes > 0) print_sizes(report);
  if (report->options->num_interference > 0) print_places(report);
  print_proofs(report);
  printf("%s, %.0f s\n", is_all_proved(report) ? "proved" : "NOT PROVED",
         pmuv3_now() - report->start);
}

/* ---- JSON ---- */

static void add(json_object *object, const char *key, json_object *value) {
  json_object_object_add(object, key, value);
}
static json_object *number(size_t value) {
  return json_object_new_int64((int64_t)value);
}

static void add_proofs(json_object *object, const struct proofs *proofs) {
  add(object, "by_certificate", number(proofs->by_certificate));
  add(object, "by_two_solvers", number(proofs->by_two_solvers));
  add(object, "by_both_ways", number(proofs->by_both_ways));
}

static void add_tally(json_object *object, const struct tally *tally) {
  add(object, "assertions", number(tally->assertions));
  add(object, "by_structure", number(tally->by_structure));
  add(object, "by_memory", number(tally->by_memory));
  add(object, "by_solvers", number(tally->by_solvers));
  add_proofs(object, &tally->proofs);
  add(object, "of_whole_clock", number(tally->of_whole_clock));
  add(object, "refuted", number(tally->refuted));
  add(object, "unknown", number(tally->unknown));
  add(object, "disagreed", number(tally->disagreed));
  add(object, "solver_seconds", json_object_new_double(tally->solver_seconds));
}

static json_object *json_of_case(const struct case_report *of_case) {
  json_object *object = json_object_new_object();
  char name[CASE_NAME_SIZE];
  case_name(&of_case->which, name, sizeof name);
  add(object, "case", pmuv3_json_text(name));
  add(object, "proved", json_object_new_boolean(report_is_case_proved(of_case)));
  add(object, "state_bits", number(of_case->state_bits));
  add(object, "input_bits", number(of_case->input_bits));
  add_tally(object, &of_case->tally);
  add(object, "instructions", number(of_case->instructions));
  add(object, "seconds", json_object_new_double(of_case->seconds));
  if (of_case->shortfall[0] != '\0') add(object, "shortfall", pmuv3_json_text(of_case->shortfall));
  return object;
}

static json_object *name_of(enum case_set set) {
  return pmuv3_json_text(case_set_name(set));
}

/* Of which another set is a sample. */
static size_t standard_cases(struct size size) {
  struct cases cases = cases_of(size, CASES_STANDARD);
  const size_t number = cases.num_cases;
  cases_free(&cases);
  return number;
}

static json_object *json_of_size(const struct report *report, unsigned s) {
  const struct sum *sum = &report->sums[s];
  json_object *object = json_object_new_object(), *cases = json_object_new_array();
  add(object, "threads", number(report->options->sizes[s].threads));
  add(object, "counters", number(report->options->sizes[s].counters));
  if (report->options->sizes[s].absent > 0)
    add(object, "absent", number(report->options->sizes[s].absent));
  add(object, "set", name_of(prove_set_of(report->options, report->options->sizes[s])));
  add(object, "standard_cases", number(standard_cases(report->options->sizes[s])));
  add(object, "asked_cases", number(sum->wanted));
  add(object, "proved", json_object_new_boolean(is_size_proved(sum)));
  add(object, "registers", number(sum->largest.registers));
  add(object, "state_bits", number(sum->largest.state_bits));
  add(object, "inputs", number(sum->largest.inputs));
  add(object, "input_bits", number(sum->largest.input_bits));
  add(object, "assumptions", number(sum->largest.assumptions));
  add_tally(object, &sum->tally);
  add(object, "cases", cases);
  for (size_t c = 0; c < report->num_cases; c++)
    if (report->cases[c].size == s) json_object_array_add(cases, json_of_case(&report->cases[c]));
  return object;
}

static size_t places_there(struct size size) {
  size_t number = 0;
  for (int p = 0; p < PLACES; p++) number += place_is_there((enum place)p, size);
  return number;
}

static json_object *json_of_place(const struct report *report, const struct place_report *of) {
  json_object *object = json_object_new_object();
  add(object, "threads", number(report->options->interference[of->size].threads));
  add(object, "counters", number(report->options->interference[of->size].counters));
  add(object, "places", number(places_there(report->options->interference[of->size])));
  add(object, "place", pmuv3_json_text(place_name(of->place)));
  add(object, "proved", json_object_new_boolean(place_is_proved(of)));
  add(object, "questions", number(of->questions));
  add(object, "questions_proved", number(of->proved));
  add_proofs(object, &of->proofs);
  add(object, "must_fail", number(of->must_fail));
  add(object, "must_fail_refuted", number(of->refuted));
  add(object, "solver_seconds", json_object_new_double(of->solver_seconds));
  add(object, "seconds", json_object_new_double(of->seconds));
  if (of->shortfall[0] != '\0') add(object, "shortfall", pmuv3_json_text(of->shortfall));
  return object;
}

static json_object *json_of_only(const struct prove_options *options) {
  json_object *texts = json_object_new_array();
  for (unsigned o = 0; o < options->num_only; o++)
    json_object_array_add(texts, pmuv3_json_text(options->only[o]));
  return texts;
}

static json_object *json_of_part(const struct prove_options *options) {
  char part[16];
  snprintf(part, sizeof part, "%u/%u", options->part, options->parts);
  return pmuv3_json_text(part);
}

/* Whether it is of the whole set. What was asked and has no answer is missing, too: after --stop,
 * or in shards of which only some have arrived. */
static bool is_whole(const struct report *report) {
  return prove_is_whole(report->options) && report_missing(report) == 0;
}

/* A kept cache does not say which prover and solvers filled it. */
static bool is_evidence(const struct report *report) {
  return report->options->proved == NULL && report_is_of_sources(report);
}

static bool write_json(FILE *out, const void *context) {
  const struct report *report = context;
  json_object *object = json_object_new_object(), *sizes = json_object_new_array();
  json_object *places = json_object_new_array();
  if (is_evidence(report)) add(object, "source", pmuv3_json_text(pmuv3_source));
  add(object, "proved", json_object_new_boolean(is_all_proved(report)));
  add(object, "seconds", json_object_new_double(pmuv3_now() - report->start));
  add(object, "set", name_of(report->options->set));
  add(object, "whole", json_object_new_boolean(is_whole(report)));
  if (report->options->num_only > 0) add(object, "only", json_of_only(report->options));
  if (report->options->parts > 1) add(object, "part", json_of_part(report->options));
  add(object, "sampled_one_in", number(report->options->sample.one_in));
  add(object, "sample_seed", json_object_new_uint64(report->options->sample.seed));
  add(object, "asked_sizes", number(report->options->num_sizes));
  add(object, "asked_places", number(report->places_wanted));
  add(object, "sizes", sizes);
  for (unsigned s = 0; s < report->options->num_sizes; s++)
    json_object_array_add(sizes, json_of_size(report, s));
  add(object, "interference", places);
  for (size_t p = 0; p < report->num_places; p++)
    json_object_array_add(places, json_of_place(report, &report->places[p]));
  const bool is_written =
      fputs(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY), out) >= 0;
  json_object_put(object);
  return is_written;
}

bool report_end(struct report *report) {
  print_table(report);
  const bool proved = is_all_proved(report);
  if (report->options->json && report_has_verdict(report))
    pmuv3_cli_write("--json", report->options->json, write_json, report);
  free(report->expected);
  free(report->cases);
  free(report);
  return proved;
}
