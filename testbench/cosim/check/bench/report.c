/* What a run says: how the device was compared, how often, and what never was. */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>

#include "pmuv3/record.h"
#include "testbench/cosim/check/bench/run.h"
#include "testbench/cosim/cli/json_text.h"

static const char *verdict(const struct outcome *outcome) {
  return outcome->diverged ? "diverged" : "equivalent";
}

uint64_t report_comparisons(const struct outcome *outcome) {
  return pmuv3_check_comparisons(&outcome->totals.counts);
}

/* A register, and of which thread it is if there are several. Returns buf. */
enum { NAME_SIZE = 60 };
static const char *name_of(const struct pmuv3_device *device,
                           const struct pmuv3_device_register *reg, char buf[NAME_SIZE]) {
  char name[40];
  pmuv3_device_register_name(reg, name);
  if (device->params.threads > 1)
    snprintf(buf, NAME_SIZE, "%s of thread %u", name, reg->thread);
  else
    snprintf(buf, NAME_SIZE, "%s", name);
  return buf;
}

/* ---- What was never compared ---- */

/* Calls `say` with each thing that no comparison reached. */
typedef void sayer(void *context, const char *what);

static void say_registers(const struct outcome *outcome, sayer *say, void *context) {
  const struct pmuv3_device *device = outcome->device;
  char name[NAME_SIZE], text[120];
  for (size_t r = 0; r < device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &device->registers[r];
    const bool reads = reg->read != 0, writes = reg->write != 0;
    name_of(device, reg, name);
    if (!reads && !reg->is_page && !writes)
      snprintf(text, sizeof text, "%s: neither read nor written, by its masks", name);
    else if (reads && outcome->totals.reads[r] == 0)
      snprintf(text, sizeof text, "%s: no value was read in this run", name);
    else if (!reads && outcome->totals.writes[r] == 0)
      snprintf(text, sizeof text, "%s: never written in this run", name);
    else
      continue;
    say(context, text);
  }
}

static void say_masks(const struct outcome *outcome, sayer *say, void *context) {
  const struct pmuv3_device *device = outcome->device;
  char name[NAME_SIZE], text[120];
  for (size_t r = 0; r < device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &device->registers[r];
    const uint64_t all =
        device->ports[reg->port].width == 32 || reg->half ? UINT32_MAX : UINT64_MAX;
    if (reg->read == 0 || reg->read == all) continue;
    snprintf(text, sizeof text, "%s: bits 0x%" PRIX64 " of what is read",
             name_of(device, reg, name), all & ~reg->read);
    say(context, text);
  }
}

/* Threads without an output that others have. */
static void say_threads(const struct pmuv3_device *device, unsigned seen, const char *what,
                        sayer *say, void *context) {
  for (unsigned t = 0; t < device->params.threads; t++) {
    char text[120];
    if (device->seen[t] & seen) continue;
    snprintf(text, sizeof text, "thread %u: %s", t, what);
    say(context, text);
  }
}

static void say_outputs(const struct outcome *outcome, sayer *say, void *context) {
  static const struct {
    unsigned what, seen;
    const char *text;
  } outputs[] = {
      {PMUV3_COMPARED_IRQ, PMUV3_SEEN_IRQ, "the interrupt: no `irq` line"},
      {PMUV3_COMPARED_CTI, PMUV3_SEEN_CTI, "the CTI trigger: no `cti` line"},
      {PMUV3_COMPARED_EXCEPTION, PMUV3_SEEN_EXCEPTION,
       "the PMU Profiling exception: no `exception` line"},
      {PMUV3_COMPARED_ERROR, 0, "how accesses end: no `error` pin"},
      {PMUV3_COMPARED_COUNTER, PMUV3_SEEN_COUNTERS,
       "counters while nobody reads them: no `visible counter` line"},
      {PMUV3_COMPARED_OVERFLOW, PMUV3_SEEN_OVERFLOW,
       "flags while nobody reads them: no `visible overflow` line"},
      {PMUV3_COMPARED_V, PMUV3_SEEN_V, "V of counters: no `visible V` line"},
  };
  for (size_t o = 0; o < sizeof outputs / sizeof outputs[0]; o++) {
    if (outcome->totals.counts.compared[outputs[o].what] == 0)
      say(context, outputs[o].text);
    else if (outputs[o].seen)
      say_threads(outcome->device, outputs[o].seen, outputs[o].text, say, context);
  }
}

static void say_uncompared(const struct outcome *outcome, sayer *say, void *context) {
  say_registers(outcome, say, context);
  say_masks(outcome, say, context);
  say_outputs(outcome, say, context);
  for (size_t e = 0; e < outcome->device->num_absent_events; e++) {
    char text[60];
    snprintf(text, sizeof text, "event 0x%04X, which is absent", outcome->device->absent_events[e]);
    say(context, text);
  }
  say(context, "registers that the description does not name");
}

/* ---- The page ---- */

static void print_line(void *out, const char *what) {
  fprintf(out, "  %s\n", what);
}

static void print_latencies(FILE *out, const struct pmuv3_device *device) {
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++) {
    const struct pmuv3_range range = device->latency[l];
    if (range.max == 0) continue;
    fprintf(out, " %s %u", pmuv3_latency_name((enum pmuv3_latency)l), range.min);
    if (range.max != range.min) fprintf(out, "..%u", range.max);
  }
}

static void print_counts(FILE *out, const struct outcome *outcome) {
  const struct pmuv3_check_counts *counts = &outcome->totals.counts;
  fprintf(out, "compared:\n");
  for (unsigned c = 0; c < PMUV3_NUM_COMPARED; c++) {
    if (counts->compared[c] + counts->uncertain[c] == 0) continue;
    fprintf(out, "  %-10s %12" PRIu64, pmuv3_compared_name((enum pmuv3_compared)c),
            counts->compared[c]);
    if (counts->uncertain[c]) fprintf(out, "   and %" PRIu64 " in doubt", counts->uncertain[c]);
    fprintf(out, "\n");
  }
  if (counts->refused)
    fprintf(out, "  and %" PRIu64 " reads that the model refuses, whose values were not\n",
            counts->refused);
}

static void print_accesses(FILE *out, const struct outcome *outcome) {
  const struct pmuv3_device *device = outcome->device;
  char name[NAME_SIZE];
  if (outcome->num_accesses) fprintf(out, "the last accesses:\n");
  for (size_t a = 0; a < outcome->num_accesses && a < 8; a++) {
    const struct pmuv3_check_access *access = &outcome->accesses[a];
    fprintf(out, "  clock %-8" PRIu64 " %-5s ", access->clock, access->is_write ? "write" : "read");
    if (access->reg < device->num_registers)
      fprintf(out, "%-20s", name_of(device, &device->registers[access->reg], name));
    else
      fprintf(out, "address 0x%-10" PRIX64, access->address);
    if (access->is_answered)
      fprintf(out, " 0x%" PRIX64 "\n", access->value);
    else
      fprintf(out, " no answer yet\n");
  }
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
  fprintf(out, "never compared:\n");
  say_uncompared(outcome, print_line, out);
  if (!outcome->diverged) return;
  fprintf(out, "\n%s\n", outcome->words);
  print_accesses(out, outcome);
}

/* ---- JSON ---- */

static void add(json_object *object, const char *key, json_object *value) {
  json_object_object_add(object, key, value);
}

static void add_text(void *array, const char *what) {
  json_object_array_add(array, pmuv3_json_text(what));
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
    json_object *object = json_object_new_object();
    add(object, "register", pmuv3_json_text(pmuv3_device_register_name(reg, name)));
    add(object, "thread", json_object_new_int(reg->thread));
    add(object, "reads", json_object_new_uint64(outcome->totals.reads[r]));
    add(object, "writes", json_object_new_uint64(outcome->totals.writes[r]));
    json_object_array_add(array, object);
  }
  return array;
}

static json_object *divergence_json(const struct outcome *outcome) {
  const struct pmuv3_check_divergence *divergence = &outcome->divergence;
  json_object *object = json_object_new_object();
  add(object, "clock", json_object_new_uint64(divergence->clock));
  add(object, "thread", json_object_new_int(divergence->thread));
  add(object, "what", pmuv3_json_text(pmuv3_compared_name((enum pmuv3_compared)divergence->what)));
  add(object, "counter", divergence->counter < 0 ? NULL : json_object_new_int(divergence->counter));
  add(object, "expected", json_object_new_uint64(divergence->expected));
  add(object, "seen", json_object_new_uint64(divergence->seen));
  add(object, "words", pmuv3_json_text(outcome->words));
  add(object, "lines", json_object_new_uint64(outcome->lines_before));
  if (outcome->is_shrunk) add(object, "shrunk_lines", json_object_new_uint64(outcome->lines_after));
  return object;
}

bool report_json(FILE *out, const void *context) {
  const struct outcome *outcome = context;
  const struct pmuv3_check_counts *counts = &outcome->totals.counts;
  json_object *root = json_object_new_object();
  json_object *never = json_object_new_array();
  add(root, "verdict", pmuv3_json_text(verdict(outcome)));
  add(root, "description", pmuv3_json_text(outcome->device->file));
  add(root, "mode", pmuv3_json_text(pmuv3_mode_name(outcome->device->mode)));
  add(root, "seed", json_object_new_uint64(outcome->options->seed));
  add(root, "cycles", json_object_new_uint64(counts->clocks));
  add(root, "comparisons", json_object_new_uint64(report_comparisons(outcome)));
  add(root, "seconds", json_object_new_double(outcome->seconds));
  add(root, "cycles_per_second",
      json_object_new_double(outcome->seconds > 0 ? (double)counts->clocks / outcome->seconds : 0));
  add(root, "compared", counts_json(counts->compared));
  add(root, "in_doubt", counts_json(counts->uncertain));
  add(root, "refused_reads", json_object_new_uint64(counts->refused));
  add(root, "registers", registers_json(outcome));
  say_uncompared(outcome, add_text, never);
  add(root, "never_compared", never);
  if (outcome->diverged) add(root, "first_divergence", divergence_json(outcome));
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

bool report_junit(FILE *out, const void *context) {
  const struct outcome *outcome = context;
  fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
  fprintf(out, "<testsuite name=\"pmuv3 check\" tests=\"1\" failures=\"%d\" errors=\"0\">\n",
          outcome->diverged);
  fprintf(out, "<testcase classname=\"");
  print_xml(out, outcome->device->file);
  fprintf(out, "\" name=\"%s\" time=\"%.3f\">", pmuv3_mode_name(outcome->device->mode),
          outcome->seconds);
  if (outcome->diverged) {
    fprintf(out, "<failure message=\"");
    print_xml(out, outcome->words);
    fprintf(out, "\"/>");
  }
  fprintf(out, "</testcase>\n</testsuite>\n</testsuites>\n");
  return fflush(out) == 0 && !ferror(out);
}
