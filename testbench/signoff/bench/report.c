#include "testbench/signoff/bench/report.h"

#include <json-c/json.h>

#include "testbench/cosim/cli/json_text.h"

static double median(const struct pmuv3_bench_row *row, enum pmuv3_bench_subject subject) {
  return row->rates[subject].median;
}

static double ratio(const struct pmuv3_bench_row *row, enum pmuv3_bench_subject subject) {
  return median(row, subject) / median(row, PMUV3_BENCH_RTL);
}

static double nanoseconds(const struct pmuv3_bench_rate *calls) {
  return 1e9 / calls->median;
}

/* How many times the time of a target that does nothing. */
static double times(const struct pmuv3_bench_platform *platform, enum pmuv3_bench_call call) {
  return platform->nothing[call].median / platform->module[call].median;
}

static void print_platform(FILE *out, const struct pmuv3_bench_platform *platform) {
  fprintf(out, "\nNanoseconds of a call of the TLM module, medians; 31 counters count\n\n");
  fprintf(out, "%-28s | %13s | %9s | %5s\n", "call", "does nothing", "C model", "times");
  for (int c = 0; c < PMUV3_BENCH_NUM_CALLS; c++)
    fprintf(out, "%-28s | %13.1f | %9.1f | %5.1f\n",
            pmuv3_bench_call_name((enum pmuv3_bench_call)c), nanoseconds(&platform->nothing[c]),
            nanoseconds(&platform->module[c]), times(platform, (enum pmuv3_bench_call)c));
}

void pmuv3_bench_print(FILE *out, const struct pmuv3_bench_row *rows, size_t num_rows,
                       const struct pmuv3_bench_platform *platform) {
  fprintf(out, "Processor cycles per second, medians\n\n");
  fprintf(out, "%7s | %8s | %11s | %9s | %9s | %13s | %7s | %12s\n", "threads", "counters",
          "C model", "RTL", "lockstep", "and generator", "C / RTL", "lockstep/RTL");
  for (size_t i = 0; i < num_rows; i++) {
    const struct pmuv3_bench_row *row = &rows[i];
    fprintf(out, "%7u | %8u | %11.0f | %9.0f | %9.0f | %13.0f | %7.1f | %12.2f\n", row->threads,
            row->counters, median(row, PMUV3_BENCH_CMODEL), median(row, PMUV3_BENCH_RTL),
            median(row, PMUV3_BENCH_LOCKSTEP), median(row, PMUV3_BENCH_GENERATED),
            ratio(row, PMUV3_BENCH_CMODEL), ratio(row, PMUV3_BENCH_LOCKSTEP));
  }
  print_platform(out, platform);
}

static void add(json_object *object, const char *key, json_object *value) {
  json_object_object_add(object, key, value);
}

static void add_double(json_object *object, const char *key, double value) {
  add(object, key, json_object_new_double(value));
}

static json_object *rate_json(const struct pmuv3_bench_rate *rate) {
  json_object *object = json_object_new_object();
  add_double(object, "median", rate->median);
  add_double(object, "min", rate->min);
  add_double(object, "max", rate->max);
  return object;
}

static json_object *row_json(const struct pmuv3_bench_row *row) {
  static const char *const keys[PMUV3_BENCH_NUM_SUBJECTS] = {
      [PMUV3_BENCH_CMODEL] = "cmodel",
      [PMUV3_BENCH_RTL] = "rtl",
      [PMUV3_BENCH_LOCKSTEP] = "lockstep",
      [PMUV3_BENCH_GENERATED] = "lockstep_generated",
  };
  json_object *object = json_object_new_object();
  add(object, "threads", json_object_new_int((int)row->threads));
  add(object, "counters", json_object_new_int((int)row->counters));
  for (int s = 0; s < PMUV3_BENCH_NUM_SUBJECTS; s++)
    add(object, keys[s], rate_json(&row->rates[s]));
  add_double(object, "cmodel_to_rtl", ratio(row, PMUV3_BENCH_CMODEL));
  add_double(object, "lockstep_to_rtl", ratio(row, PMUV3_BENCH_LOCKSTEP));
  return object;
}

static json_object *calls_json(const struct pmuv3_bench_platform *platform) {
  json_object *calls = json_object_new_array_ext(PMUV3_BENCH_NUM_CALLS);
  for (int c = 0; c < PMUV3_BENCH_NUM_CALLS; c++) {
    json_object *object = json_object_new_object();
    add(object, "call", pmuv3_json_text(pmuv3_bench_call_name((enum pmuv3_bench_call)c)));
    add(object, "nothing", rate_json(&platform->nothing[c]));
    add(object, "module", rate_json(&platform->module[c]));
    add_double(object, "times", times(platform, (enum pmuv3_bench_call)c));
    json_object_array_add(calls, object);
  }
  return calls;
}

bool pmuv3_bench_json(FILE *out, const struct pmuv3_bench_options *options,
                      const struct pmuv3_bench_row *rows, size_t num_rows,
                      const struct pmuv3_bench_platform *platform) {
  json_object *root = json_object_new_object();
  add(root, "unit", pmuv3_json_text("Processor cycles per second of processor time"));
  add(root, "repetitions", json_object_new_int((int)options->repetitions));
  add_double(root, "min_time", options->min_time);
  json_object *array = json_object_new_array_ext((int)num_rows);
  for (size_t i = 0; i < num_rows; i++) json_object_array_add(array, row_json(&rows[i]));
  add(root, "rows", array);
  add(root, "calls_per_second", calls_json(platform));
  fprintf(out, "%s\n", json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY));
  json_object_put(root);
  return fflush(out) == 0 && !ferror(out);
}
