#include "testbench/cosim/run/report.h"

#include <inttypes.h>
#include <json-c/json.h>

#include "testbench/cosim/cli/json_text.h"
#include "testbench/cosim/cli/params_json.h"

const struct pmuv3_run *pmuv3_report_diverged(const struct pmuv3_report *report) {
  for (size_t i = 0; i < report->num_runs; i++)
    if (report->runs[i].divergence) return &report->runs[i];
  return NULL;
}

static double rate(uint64_t cycles, double seconds) {
  return seconds > 0 ? (double)cycles / seconds : 0;
}

struct totals {
  uint64_t cycles;
  uint64_t comparisons;
};

static struct totals totals_of(const struct pmuv3_report *report) {
  struct totals totals = {0, 0};
  for (size_t i = 0; i < report->num_runs; i++) {
    totals.cycles += report->runs[i].cycles;
    totals.comparisons += report->runs[i].comparisons;
  }
  return totals;
}

static const char *verdict(bool diverged) {
  return diverged ? "diverged" : "equivalent";
}

/* Only a run that reached its end is equivalent. */
static const char *verdict_of(const struct pmuv3_run *run) {
  return run->finished || run->divergence ? verdict(run->divergence) : "not finished";
}

static void print_divergence(FILE *out, const struct pmuv3_run *run) {
  fprintf(out, "%s: ", run->name);
  pmuv3_divergence_print(out, run->divergence);
  pmuv3_divergence_explain(out, run->divergence, &run->diverged->params);
}

void pmuv3_report_print(FILE *out, const struct pmuv3_report *report) {
  fprintf(out, "\n%-42s %12s %14s %12s  %s\n", "configuration", "cycles", "comparisons", "cycles/s",
          "verdict");
  for (size_t i = 0; i < report->num_runs; i++) {
    const struct pmuv3_run *run = &report->runs[i];
    fprintf(out, "%-42s %12" PRIu64 " %14" PRIu64 " %12.0f  %s\n", run->name, run->cycles,
            run->comparisons, rate(run->cycles, run->seconds), verdict_of(run));
  }
  struct totals totals = totals_of(report);
  fprintf(out, "%-42s %12" PRIu64 " %14" PRIu64 " %12.0f  seed %" PRIu64 ", %.1f s\n\n", "in all",
          totals.cycles, totals.comparisons, rate(totals.cycles, report->seconds), report->seed,
          report->seconds);
  const struct pmuv3_run *diverged = pmuv3_report_diverged(report);
  if (diverged) print_divergence(out, diverged);
}

static void add(json_object *object, const char *key, json_object *value) {
  json_object_object_add(object, key, value);
}

static void add_figures(json_object *object, const char *verdict, uint64_t cycles,
                        uint64_t comparisons, double seconds) {
  add(object, "verdict", pmuv3_json_text(verdict));
  add(object, "cycles", json_object_new_uint64(cycles));
  add(object, "comparisons", json_object_new_uint64(comparisons));
  add(object, "seconds", json_object_new_double(seconds));
  add(object, "cycles_per_second", json_object_new_double(rate(cycles, seconds)));
}

static json_object *run_json(const struct pmuv3_run *run) {
  json_object *object = json_object_new_object();
  add(object, "name", pmuv3_json_text(run->name));
  pmuv3_params_json(object, &run->params);
  add_figures(object, verdict_of(run), run->cycles, run->comparisons, run->seconds);
  return object;
}

static json_object *divergence_json(const struct pmuv3_report *report,
                                    const struct pmuv3_run *run) {
  const struct pmuv3_divergence *divergence = run->divergence;
  json_object *object = json_object_new_object();
  add(object, "configuration", pmuv3_json_text(run->name));
  add(object, "cycle", json_object_new_uint64(divergence->cycle));
  add(object, "thread", json_object_new_uint64(divergence->thread));
  add(object, "counter",
      divergence->counter >= 0 ? json_object_new_int(divergence->counter) : NULL);
  add(object, "signal", pmuv3_json_text(divergence->signal));
  add(object, "cmodel", json_object_new_uint64(divergence->cmodel));
  add(object, "rtl", json_object_new_uint64(divergence->rtl));
  char path[4096];
  if (report->is_kept) {
    snprintf(path, sizeof path, "%s/stimulus.stim", report->out);
    add(object, "stimulus", pmuv3_json_text(path));
  }
  add(object, "x_seed", json_object_new_uint64(run->diverged->x_seed));
  if (report->is_shrunk) {
    snprintf(path, sizeof path, "%s/minimal.stim", report->out);
    add(object, "minimal", pmuv3_json_text(path));
  }
  if (report->has_wave) {
    snprintf(path, sizeof path, "%s/window.fst", report->out);
    add(object, "wave", pmuv3_json_text(path));
  }
  return object;
}

bool pmuv3_report_json(FILE *out, const struct pmuv3_report *report) {
  const struct pmuv3_run *diverged = pmuv3_report_diverged(report);
  struct totals totals = totals_of(report);
  json_object *root = json_object_new_object();
  add_figures(root, verdict(diverged), totals.cycles, totals.comparisons, report->seconds);
  add(root, "seed", json_object_new_uint64(report->seed));
  json_object *runs = json_object_new_array_ext((int)report->num_runs);
  for (size_t i = 0; i < report->num_runs; i++)
    json_object_array_add(runs, run_json(&report->runs[i]));
  add(root, "runs", runs);
  if (diverged) add(root, "first_divergence", divergence_json(report, diverged));
  fprintf(out, "%s\n", json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY));
  json_object_put(root);
  return fflush(out) == 0 && !ferror(out);
}
