/* pmuv3 explore: what the counters of a configuration count in a trace. */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/json_text.h"
#include "testbench/cosim/cli/params_json.h"
#include "testbench/explore/command/ask.h"
#include "testbench/explore/command/check.h"
#include "testbench/explore/command/options.h"
#include "testbench/explore/command/plot.h"
#include "testbench/explore/command/shards.h"
#include "testbench/explore/command/table.h"

enum { ERROR_SIZE = 4096 + 512, MOST_LINES = 8 }; /* a path, and words about it */

static struct pmt_reader *open_trace(const char *path) {
  char error[ERROR_SIZE];
  struct pmt_reader *reader = pmt_reader_open(path, error, sizeof error);
  if (!reader) pmuv3_cli_failed(error);
  if (pmt_reader_cycles(reader) == 0) pmuv3_cli_unusable("%s: the trace has no cycle", path);
  return reader;
}

/* Reads all blocks with all columns. A run reads only the columns that it counts. */
static void verify(const char *path, const struct pmt_reader *reader) {
  char error[ERROR_SIZE];
  struct pmt_block *block = pmt_block_new(reader);
  if (!block) pmuv3_cli_no_verdict("out of memory");
  for (uint64_t b = 0; b < pmt_reader_blocks(reader); b++)
    if (!pmt_reader_read(reader, b, NULL, block, error, sizeof error)) pmuv3_cli_failed(error);
  pmt_block_free(block);
  char *shown = pmuv3_cli_shown(path);
  printf("%s: %" PRIu64 " blocks of %u columns are undamaged\n", shown, pmt_reader_blocks(reader),
         pmt_reader_header(reader)->num_columns);
  free(shown);
}

static struct explore_config read_config(const struct explore_options *options,
                                         const struct pmt_reader *reader) {
  char error[ERROR_SIZE];
  struct explore_config config;
  FILE *in = pmuv3_cli_open_input("--config", options->config);
  if (!explore_config_read(&config, &options->params, reader, false, in, options->config, error,
                           sizeof error))
    pmuv3_cli_failed_at(error);
  fclose(in);
  return config;
}

/* ---- Results ---- */

/* What is told of a run. */
struct outcome {
  const struct explore_options *options;
  const struct pmt_reader *reader;
  const struct explore_config *config;
  const struct explore_results *results;
  uint64_t interval;
  double seconds;
};

static void print_ticked(const struct outcome *outcome) {
  for (unsigned r = 0; r < EXPLORE_NUM_REASONS; r++)
    if (outcome->results->ticked[r] != 0)
      printf("%" PRIu64 " cycles of a PMU were ticked on the C model: %s\n",
             outcome->results->ticked[r], explore_reason_text((enum explore_reason)r));
}

static void print_counters(const struct outcome *outcome) {
  const struct explore_config *config = outcome->config;
  const double cycles = (double)outcome->results->cycles;
  struct explore_table table = explore_table_new("counter", config->num_counters, 3, 4);
  snprintf(table.columns[0], sizeof *table.columns, "count");
  snprintf(table.columns[1], sizeof *table.columns, "per cycle");
  snprintf(table.columns[2], sizeof *table.columns, "overflows");
  for (unsigned c = 0; c < config->num_counters; c++) {
    const double total = (double)outcome->results->totals[c];
    char *name = pmuv3_cli_shown(config->counters[c].name);
    explore_table_name(table.rows[c], "%s", name);
    free(name);
    *explore_cell(&table, c, 0) = total;
    *explore_cell(&table, c, 1) = total / cycles;
    *explore_cell(&table, c, 2) = (double)outcome->results->overflows[c];
  }
  explore_table_print(stdout, &table);
  explore_table_free(&table);
}

static void print_outcome(const struct outcome *outcome) {
  char *trace = pmuv3_cli_shown(outcome->options->trace);
  printf("%s: %" PRIu64 " cycles, %u PMUs, %u counters\n", trace, outcome->results->cycles,
         outcome->config->num_pmus, outcome->config->num_counters);
  free(trace);
  print_counters(outcome);
  print_ticked(outcome);
  fprintf(stderr, "%.2f s, %.0f M cycles/s, vectors: %s\n", outcome->seconds,
          (double)outcome->results->cycles / outcome->seconds / 1e6,
          outcome->options->kernels->name);
}

static json_object *number(uint64_t value) {
  return json_object_new_uint64(value);
}

static json_object *json_counter(const struct outcome *outcome, unsigned c) {
  const struct explore_counter *counter = &outcome->config->counters[c];
  const struct explore_results *results = outcome->results;
  json_object *object = json_object_new_object(), *values = json_object_new_array();
  json_object_object_add(object, "name", pmuv3_json_text(counter->name));
  json_object_object_add(object, "pmu", pmuv3_json_text(outcome->config->pmus[counter->pmu].name));
  json_object_object_add(object, "thread", number(outcome->config->pmus[counter->pmu].thread));
  json_object_object_add(object, "counter", number(counter->bit));
  json_object_object_add(object, "event", number(counter->event));
  json_object_object_add(object, "count", number(results->totals[c]));
  json_object_object_add(object, "overflows", number(results->overflows[c]));
  for (unsigned i = 0; i < results->series.num; i++)
    json_object_array_add(values,
                          number(results->series.values[(size_t)c * EXPLORE_MOST_POINTS + i]));
  json_object_object_add(object, "values", values);
  return object;
}

static bool write_json(FILE *out, const void *context) {
  const struct outcome *outcome = context;
  const struct pmt_header *header = pmt_reader_header(outcome->reader);
  json_object *object = json_object_new_object(), *params = json_object_new_object();
  json_object *counters = json_object_new_array(), *cycles = json_object_new_array();
  json_object_object_add(object, "trace", pmuv3_json_text(outcome->options->trace));
  json_object_object_add(object, "generator", pmuv3_json_text(header->generator));
  json_object_object_add(object, "command", pmuv3_json_text(header->command));
  json_object_object_add(object, "core", pmuv3_json_text(header->core));
  json_object_object_add(object, "cycles", number(outcome->results->cycles));
  pmuv3_params_json(params, &outcome->config->params);
  json_object_object_add(object, "params", params);
  for (unsigned i = 0; i < outcome->results->series.num; i++)
    json_object_array_add(cycles, number(outcome->results->series.cycles[i]));
  json_object_object_add(object, "intervals", cycles);
  for (unsigned c = 0; c < outcome->config->num_counters; c++)
    json_object_array_add(counters, json_counter(outcome, c));
  json_object_object_add(object, "counters", counters);
  const char *text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY);
  const bool done = fputs(text, out) >= 0 && putc('\n', out) == '\n';
  json_object_put(object);
  return done;
}

/* The counters per cycle over time; the first ones if there are many. */
static void draw(const struct outcome *outcome) {
  const struct explore_series *series = &outcome->results->series;
  const unsigned all = outcome->config->num_counters;
  const unsigned num = all < MOST_LINES ? all : MOST_LINES;
  const char *names[MOST_LINES];
  char title[256];
  double *x = calloc(series->num + 1u, sizeof *x);
  double *y = calloc((size_t)num * series->num + 1, sizeof *y);
  if (!x || !y) pmuv3_cli_no_verdict("out of memory");
  double begin = 0;
  for (unsigned i = 0; i < series->num; i++) {
    x[i] = begin;
    begin += (double)series->cycles[i];
    for (unsigned c = 0; c < num; c++)
      y[(size_t)c * series->num + i] =
          (double)series->values[(size_t)c * EXPLORE_MOST_POINTS + i] / (double)series->cycles[i];
  }
  for (unsigned c = 0; c < num; c++) names[c] = outcome->config->counters[c].name;
  const char *command = pmt_reader_header(outcome->reader)->command;
  if (num < all)
    snprintf(title, sizeof title, "%.120s (the first %u of %u counters)", command, num, all);
  else
    snprintf(title, sizeof title, "%.200s", command);
  const struct explore_plot plot = {.kind = EXPLORE_PLOT_LINES,
                                    .title = title,
                                    .x_label = "cycle",
                                    .y_label = "per cycle",
                                    .num_series = num,
                                    .num_points = series->num,
                                    .names = names,
                                    .x = x,
                                    .y = y};
  explore_plot_draw(&plot, outcome->options->plot);
  free(x);
  free(y);
}

/* ---- A run ---- */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint64_t interval_of(const struct explore_options *options,
                            const struct pmt_reader *reader) {
  if (options->interval != 0) return options->interval;
  const uint64_t interval = pmt_reader_cycles(reader) / 1000;
  return interval < 64 ? 64 : interval;
}

static struct pmuv3_file *begin_csv(const struct explore_options *options) {
  return options->csv ? pmuv3_cli_begin_output("--csv", options->csv) : NULL;
}

static FILE *stream_of(const struct pmuv3_file *csv) {
  return csv ? pmuv3_file_stream(csv) : NULL;
}

static struct pmuv3_file *count(const struct explore_shards *what,
                                struct explore_results *results) {
  char error[ERROR_SIZE];
  struct pmuv3_file *csv = begin_csv(what->options);
  const struct explore_run run = {
      .reader = what->reader,
      .kernels = what->options->kernels,
      .jobs = what->options->jobs,
      .interval = what->interval,
      .csv = stream_of(csv),
      .shows_progress = isatty(STDERR_FILENO) == 1,
  };
  if (explore_run(&run, what->config, results, error, sizeof error)) return csv;
  pmuv3_file_drop(csv);
  pmuv3_cli_failed(error);
}

static struct pmuv3_file *merge(const struct explore_shards *what,
                                struct explore_results *results) {
  struct explore_parts *parts = explore_shards_open(what);
  struct pmuv3_file *csv = begin_csv(what->options);
  struct explore_collector collector = {what->config, results, stream_of(csv)};
  *results = (struct explore_results){.config = what->config};
  if (explore_shards_take(parts, &collector)) return csv;
  pmuv3_file_drop(csv);
  pmuv3_cli_no_verdict("out of memory");
}

/* Counts, or takes what shards counted; all that is told is the same. */
static void explore(const struct explore_shards *what) {
  const struct explore_options *options = what->options;
  struct explore_results results;
  const double start = now();
  struct pmuv3_file *csv =
      options->shards.mode == PMUV3_SHARDS_MERGE ? merge(what, &results) : count(what, &results);
  const struct outcome outcome = {options,  what->reader,   what->config,
                                  &results, what->interval, now() - start};
  if (csv) pmuv3_cli_end("--csv", options->csv, csv);
  print_outcome(&outcome);
  if (options->json) pmuv3_cli_write("--json", options->json, write_json, &outcome);
  if (options->plot) draw(&outcome);
  if (options->check) explore_check(options, what->reader, what->config);
  explore_results_free(&results);
}

static void act(const struct explore_options *options, const struct pmt_reader *reader) {
  struct explore_config config = read_config(options, reader);
  const struct explore_shards what = {options, reader, &config, interval_of(options, reader)};
  if (options->shards.mode == PMUV3_SHARDS_LIST)
    explore_shards_list(&what);
  else if (options->shards.mode == PMUV3_SHARDS_ONE)
    explore_shards_write(&what);
  else
    explore(&what);
  explore_config_free(&config);
}

int main(int argc, char **argv) {
  const struct explore_options options = explore_options_parse(argc, argv);
  if (options.shards.mode != PMUV3_SHARDS_LIST)
    pmuv3_cli_name_result(options.json, options.ask ? "[" : "\"trace\"", pmuv3_cli_no_result_json);
  struct pmt_reader *reader = open_trace(options.trace);
  if (options.verifies) verify(options.trace, reader);
  if (options.ask) explore_ask(&options, reader);
  if (options.config) act(&options, reader);
  pmt_reader_close(reader);
  return 0;
}
