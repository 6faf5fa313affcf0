/* What a run says: how the device was compared, how often, and what never was. */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>

#include "pmuv3/record.h"
#include "testbench/cosim/check/bench/cover.h"
#include "testbench/cosim/check/bench/never.h"
#include "testbench/cosim/check/bench/run.h"
#include "testbench/cosim/check/bench/unmatched.h"
#include "testbench/cosim/cli/json_text.h"
#include "testbench/signoff/coverage/coverage.h"

static const char *verdict(const struct outcome *outcome) {
  return outcome->diverged ? "diverged" : "equivalent";
}

uint64_t report_comparisons(const struct outcome *outcome) {
  return pmuv3_check_comparisons(&outcome->totals.counts);
}

/* ---- The page ---- */

static void print_never(void *out, const struct never *never) {
  fprintf(out, "  %s%s%s\n", never->what, *never->why ? ": " : "", never->why);
}

static void print_latencies(FILE *out, const struct pmuv3_device *device) {
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++) {
    const struct pmuv3_range range = device->latency[l];
    if (range.max == 0) continue;
    fprintf(out, " %s %u", pmuv3_latency_name((enum pmuv3_latency)l), range.min);
    if (range.max != range.min) fprintf(out, "..%u", range.max);
    if (device->stops[l]) fprintf(out, " (stops with the clock)");
  }
}

static void print_counts(FILE *out, const struct outcome *outcome) {
  const struct pmuv3_check_counts *counts = &outcome->totals.counts;
  fprintf(out, "compared:\n");
  for (unsigned c = 0; c < PMUV3_NUM_COMPARED; c++) {
    if (counts->compared[c] + counts->uncertain[c] + counts->unknown[c] == 0) continue;
    fprintf(out, "  %-10s %12" PRIu64, pmuv3_compared_name((enum pmuv3_compared)c),
            counts->compared[c]);
    if (counts->uncertain[c]) fprintf(out, "   and %" PRIu64 " in doubt", counts->uncertain[c]);
    if (counts->unknown[c]) fprintf(out, "   and %" PRIu64 " that were X", counts->unknown[c]);
    fprintf(out, "\n");
  }
  if (counts->refused)
    fprintf(out, "  and %" PRIu64 " reads that the model refuses, whose values were not\n",
            counts->refused);
}

static void print_accesses(FILE *out, const struct outcome *outcome) {
  const struct pmuv3_device *device = outcome->device;
  char name[NEVER_NAME_SIZE];
  if (outcome->met.num_accesses) fprintf(out, "the last accesses:\n");
  for (size_t a = 0; a < outcome->met.num_accesses && a < 8; a++) {
    const struct pmuv3_check_access *access = &outcome->met.accesses[a];
    fprintf(out, "  clock %-8" PRIu64 " %-5s ", access->clock, access->is_write ? "write" : "read");
    if (access->reg < device->num_registers)
      fprintf(out, "%-20s", never_name_of(device, &device->registers[access->reg], name));
    else
      fprintf(out, "address 0x%-10" PRIX64, access->address);
    if (access->is_answered)
      fprintf(out, " 0x%" PRIX64 "\n", access->value);
    else
      fprintf(out, " no answer yet\n");
  }
}

static void print_seeds(FILE *out, const struct outcome *outcome) {
  fprintf(out, "\n%zu of %" PRIu64 " seeds diverged:\n", outcome->num_diverged,
          outcome->options->num_seeds);
  for (size_t d = 0; d < outcome->num_diverged; d++) {
    const struct failed_seed *seed = &outcome->seeds[d];
    fprintf(out, "  seed %" PRIu64 ": %s; %s%s\n", seed->seed, seed->words,
            *seed->folder ? "see " : "no reproducer is kept", seed->folder);
  }
}

static void print_crashes(FILE *out, const struct outcome *outcome) {
  fprintf(out, "\nthe device ended on %zu of %" PRIu64 " seeds:\n", outcome->num_crashed,
          outcome->options->num_seeds);
  for (size_t c = 0; c < outcome->num_crashed; c++)
    fprintf(out, "  seed %" PRIu64 ": %s\n", outcome->crashes[c].seed, outcome->crashes[c].words);
}

void report_print(FILE *out, const struct outcome *outcome) {
  const struct pmuv3_device *device = outcome->device;
  const struct pmuv3_check_counts *counts = &outcome->totals.counts;
  fprintf(out, "%s: mode %s; latencies:", device->file, pmuv3_mode_name(device->mode));
  print_latencies(out, device);
  fprintf(out, "\n%" PRIu64 " clocks, %" PRIu64 " Processor cycles, %" PRIu64 " resets, %.1f s",
          counts->clocks, counts->cycles, counts->resets, outcome->seconds);
  if (outcome->seconds > 0)
    fprintf(out, ", %.0f clocks/s", (double)counts->clocks / outcome->seconds);
  fprintf(out, "\n");
  print_counts(out, outcome);
  if (outcome->options->again) fprintf(out, "in Icarus Verilog: %s\n", outcome->options->again);
  unmatched_print(out, device, outcome->totals.ports);
  fprintf(out, "never compared:\n");
  never_compared(outcome, print_never, out);
  if (outcome->num_crashed) print_crashes(out, outcome);
  if (!outcome->diverged) return;
  if (outcome->seeds) {
    print_seeds(out, outcome);
    return;
  }
  fprintf(out, "\n%s\n", outcome->met.words);
  if (outcome->options->recorded) fprintf(out, "at time %" PRIu64 "\n", outcome->time);
  print_accesses(out, outcome);
}

/* ---- JSON ---- */

static void add(json_object *object, const char *key, json_object *value) {
  json_object_object_add(object, key, value);
}

static void add_never(void *array, const struct never *never) {
  char text[500];
  snprintf(text, sizeof text, "%s%s%s", never->what, *never->why ? ": " : "", never->why);
  json_object_array_add(array, pmuv3_json_text(text));
}

static json_object *counts_json(const uint64_t counts[PMUV3_NUM_COMPARED]) {
  json_object *object = json_object_new_object();
  for (unsigned c = 0; c < PMUV3_NUM_COMPARED; c++)
    add(object, pmuv3_compared_name((enum pmuv3_compared)c), json_object_new_uint64(counts[c]));
  return object;
}

static json_object *registers_json(const struct outcome *outcome) {
  json_object *array = json_object_new_array();
  char name[40];
  for (size_t r = 0; r < outcome->device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &outcome->device->registers[r];
    const struct pmuv3_check_register *counts = &outcome->totals.registers[r];
    json_object *object = json_object_new_object();
    add(object, "register", pmuv3_json_text(pmuv3_device_register_name(reg, name)));
    add(object, "thread", json_object_new_int(reg->thread));
    add(object, "reads", json_object_new_uint64(counts->reads));
    add(object, "writes", json_object_new_uint64(counts->writes));
    add(object, "refused_writes", json_object_new_uint64(counts->refused));
    add(object, "ignored_writes", json_object_new_uint64(counts->ignored));
    json_object_array_add(array, object);
  }
  return array;
}

static json_object *coverage_json(const struct outcome *outcome) {
  static struct lacks lacks;
  json_object *object = json_object_new_object(), *holes = json_object_new_array();
  json_object *mistakes = json_object_new_array();
  const uint64_t *reached = outcome->totals.reached;
  uint64_t reachable = 0, hit = 0;
  cover_find_lacks(&lacks, outcome->profile);
  for (size_t bin = 0; bin < pmuv3_coverage_num_bins(); bin++) {
    const bool counts = !cover_left_out(&lacks, bin), is_hit = reached[bin] != 0;
    const bool is_mistake = is_hit && cover_unreachable(&lacks, bin);
    reachable += counts;
    hit += counts && is_hit;
    if (is_mistake || (counts && !is_hit))
      json_object_array_add(counts ? holes : mistakes, pmuv3_json_text(pmuv3_coverage_name(bin)));
  }
  add(object, "clocks", json_object_new_uint64(outcome->totals.watched));
  add(object, "bins", json_object_new_uint64(pmuv3_coverage_num_bins()));
  add(object, "reachable", json_object_new_uint64(reachable));
  add(object, "hit", json_object_new_uint64(hit));
  add(object, "holes", holes);
  add(object, "impossible", mistakes);
  return object;
}

/* What was compared, or which port keeps an access waiting. */
static void add_compared(json_object *object, const struct pmuv3_check_divergence *divergence) {
  if (divergence->hangs) {
    add(object, "what", pmuv3_json_text("hang"));
    add(object, "port", json_object_new_int(divergence->port));
    return;
  }
  add(object, "what", pmuv3_json_text(pmuv3_compared_name((enum pmuv3_compared)divergence->what)));
  add(object, "counter", divergence->counter < 0 ? NULL : json_object_new_int(divergence->counter));
  add(object, "expected", json_object_new_uint64(divergence->expected));
  add(object, "seen", json_object_new_uint64(divergence->seen));
  if (divergence->what == PMUV3_COMPARED_READ)
    add(object, "carried", json_object_new_uint64(divergence->carried));
}

static json_object *divergence_json(const struct outcome *outcome) {
  const struct pmuv3_check_divergence *divergence = &outcome->met.divergence;
  json_object *object = json_object_new_object();
  add(object, "clock", json_object_new_uint64(divergence->clock));
  add(object, "thread", json_object_new_int(divergence->thread));
  add_compared(object, divergence);
  if (outcome->options->recorded) add(object, "time", json_object_new_uint64(outcome->time));
  add(object, "words", pmuv3_json_text(outcome->met.words));
  if (!outcome->options->recorded)
    add(object, "lines", json_object_new_uint64(outcome->lines_before));
  if (!outcome->is_shrunk) return object;
  add(object, "shrunk_lines", json_object_new_uint64(outcome->lines_after));
  add(object, "shrunk_words", pmuv3_json_text(outcome->shrunk.words));
  return object;
}

static json_object *seeds_json(const struct outcome *outcome) {
  json_object *array = json_object_new_array();
  for (size_t d = 0; d < outcome->num_diverged; d++) {
    json_object *object = json_object_new_object();
    add(object, "seed", json_object_new_uint64(outcome->seeds[d].seed));
    add(object, "words", pmuv3_json_text(outcome->seeds[d].words));
    add(object, "folder", pmuv3_json_text(outcome->seeds[d].folder));
    json_object_array_add(array, object);
  }
  return array;
}

bool report_json(FILE *out, const void *context) {
  const struct outcome *outcome = context;
  const struct pmuv3_check_counts *counts = &outcome->totals.counts;
  json_object *root = json_object_new_object();
  json_object *never = json_object_new_array();
  add(root, "verdict", pmuv3_json_text(verdict(outcome)));
  add(root, "description", pmuv3_json_text(outcome->device->file));
  add(root, "mode", pmuv3_json_text(pmuv3_mode_name(outcome->device->mode)));
  if (outcome->options->recorded)
    add(root, "recorded", pmuv3_json_text(outcome->options->recorded));
  else if (outcome->options->replay)
    add(root, "replay", pmuv3_json_text(outcome->options->replay));
  else
    add(root, "seed", json_object_new_uint64(outcome->options->seed));
  if (outcome->seeds) add(root, "seeds", json_object_new_uint64(outcome->options->num_seeds));
  add(root, "cycles", json_object_new_uint64(counts->clocks));
  add(root, "comparisons", json_object_new_uint64(report_comparisons(outcome)));
  add(root, "seconds", json_object_new_double(outcome->seconds));
  add(root, "cycles_per_second",
      json_object_new_double(outcome->seconds > 0 ? (double)counts->clocks / outcome->seconds : 0));
  add(root, "compared", counts_json(counts->compared));
  add(root, "in_doubt", counts_json(counts->uncertain));
  add(root, "unknown", counts_json(counts->unknown));
  add(root, "refused_reads", json_object_new_uint64(counts->refused));
  add(root, "unmatched_accesses", unmatched_json(outcome->device, outcome->totals.ports));
  add(root, "registers", registers_json(outcome));
  never_compared(outcome, add_never, never);
  add(root, "never_compared", never);
  if (outcome->options->again)
    add(root, "icarus_verilog", pmuv3_json_text(outcome->options->again));
  if (outcome->totals.watched > 0) add(root, "coverage", coverage_json(outcome));
  if (outcome->seeds)
    add(root, "diverged_seeds", seeds_json(outcome));
  else if (outcome->diverged)
    add(root, "first_divergence", divergence_json(outcome));
  fprintf(out, "%s\n", json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY));
  json_object_put(root);
  return fflush(out) == 0 && !ferror(out);
}

/* ---- JUnit ---- */

static void print_xml(FILE *out, const char *text) {
  char *characters = pmuv3_xml_text(text);
  for (const char *c = characters; *c; c++) {
    if (*c == '<')
      fputs("&lt;", out);
    else if (*c == '&')
      fputs("&amp;", out);
    else if (*c == '"')
      fputs("&quot;", out);
    else
      fputc(*c, out);
  }
  free(characters);
}

bool report_junit_case(FILE *out, const struct report_case *of) {
  fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
  fprintf(out, "<testsuite name=\"pmuv3 check\" tests=\"1\" failures=\"%d\" errors=\"%d\">\n",
          of->failure, of->error);
  fprintf(out, "<testcase classname=\"");
  print_xml(out, of->description);
  fprintf(out, "\" name=\"%s\" time=\"%.3f\">", of->name, of->seconds);
  if (of->failure || of->error) {
    fprintf(out, "<%s message=\"", of->failure ? "failure" : "error");
    print_xml(out, of->why);
    fprintf(out, "\"/>");
  }
  fprintf(out, "</testcase>\n</testsuite>\n</testsuites>\n");
  return fflush(out) == 0 && !ferror(out);
}

bool report_junit(FILE *out, const void *context) {
  const struct outcome *outcome = context;
  return report_junit_case(out,
                           &(struct report_case){.description = outcome->device->file,
                                                 .name = pmuv3_mode_name(outcome->device->mode),
                                                 .seconds = outcome->seconds,
                                                 .failure = outcome->diverged,
                                                 .why = outcome->met.words});
}
