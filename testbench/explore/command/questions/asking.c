#define _GNU_SOURCE
#include "testbench/explore/command/questions/asking.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/explore/command/spec.h"

enum { ERROR_SIZE = 4096 + 512 }; /* a path, and words */

/* ---- Configurations ---- */

void asking_drop(struct asking *asking) {
  explore_results_free(&asking->results);
  explore_config_free(&asking->config);
  free(asking->text);
  asking->text = NULL;
}

void asking_begin(struct asking *asking) {
  asking_drop(asking);
  asking->out = open_memstream(&asking->text, &asking->text_size);
  if (!asking->out) pmuv3_cli_no_verdict("out of memory");
  fputs("pmuv3-explore 1\n", asking->out);
}

void asking_add(struct asking *asking, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(asking->out, format, args);
  va_end(args);
  putc('\n', asking->out);
}

/* The user did not write the configuration, so a line of it says nothing. */
_Noreturn static void unusable_configuration(const struct asking *asking, const char *error) {
  const char *why = strstr(error, ": ");
  char text[ERROR_SIZE];
  snprintf(text, sizeof text, "--ask %s%s", asking->options->ask, why);
  pmuv3_cli_failed(text);
}

void asking_run_with(struct asking *asking, struct explore_run run) {
  char error[ERROR_SIZE];
  if (fclose(asking->out) != 0) pmuv3_cli_no_verdict("out of memory");
  FILE *in = fmemopen(asking->text, asking->text_size, "r");
  if (!in) pmuv3_cli_no_verdict("out of memory");
  if (!explore_config_read(&asking->config, &asking->params, asking->reader, true, in, "--ask",
                           error, sizeof error))
    unusable_configuration(asking, error);
  fclose(in);
  asking->config.keeps_to_cycles = asking->keeps_to_cycles;
  run.reader = asking->reader;
  run.kernels = asking->options->kernels;
  run.shows_progress = isatty(STDERR_FILENO) == 1;
  if (!explore_run(&run, &asking->config, &asking->results, error, sizeof error))
    pmuv3_cli_failed(error);
}

void asking_run(struct asking *asking, uint64_t interval) {
  asking_run_with(asking,
                  (struct explore_run){.jobs = asking->options->jobs, .interval = interval});
}

double asking_total(const struct asking *asking, unsigned counter) {
  return (double)asking->results.totals[counter];
}

double asking_cycles(const struct asking *asking) {
  return (double)asking->results.cycles;
}

void asking_add_pair(struct asking *asking, const struct pmt_column *event,
                     const struct pmt_column *condition, bool occurs, unsigned number) {
  asking_add(asking, "0x%04X/name=a%u/", event->event, number);
  asking_add(asking, "0x%04X/threshold=1,threshold_compare=%u,link=true,name=p%u/",
             condition->event, occurs ? 2u : 3u, number);
}

/* ---- The trace's columns ---- */

_Noreturn void asking_no_column(const struct asking *asking) {
  pmuv3_cli_unusable("%s: no column suits the question", asking->options->trace);
}

/* Without MT a counter counts events in a shared structure, and events of the PE alone, only if
 * they are attributable. */
static bool is_of_others(const struct asking *asking, const struct pmt_column *column) {
  const struct pmuv3_event *row = pmuv3_events_find(&asking->params.events, column->event);
  return column->origin == PMUV3_UNATTRIBUTABLE && row &&
         (row->attribution == PMUV3_EVENT_ATTRIBUTION_SHARED ||
          row->attribution == PMUV3_EVENT_ATTRIBUTION_OWN);
}

/* Whether a counter of thread 0 counts what the column says. */
static bool is_countable(const struct asking *asking, const struct pmt_column *column) {
  return column->thread == 0 && !is_of_others(asking, column);
}

/* An event may have a column for each origin: the first stands for all. */
const struct pmt_column *asking_find_column(const struct asking *asking, uint16_t event) {
  for (unsigned c = 0; c < asking->header->num_columns; c++) {
    const struct pmt_column *column = &asking->header->columns[c];
    if (column->event == event && is_countable(asking, column)) return column;
  }
  return NULL;
}

bool asking_is_counted(const struct asking *asking, const struct pmt_column *column) {
  return column == asking_find_column(asking, column->event);
}

const struct pmt_column *asking_option_column(const struct asking *asking, uint16_t otherwise) {
  uint16_t event = otherwise;
  const char *asked = asking->options->event;
  const char *why =
      asked ? explore_event_find(asked, &asking->params, asking->header, &event) : NULL;
  if (why) pmuv3_cli_unusable("--event: %s", why);
  const struct pmt_column *column = asking_find_column(asking, event);
  if (!column)
    pmuv3_cli_unusable("%s: the trace has no column of event 0x%04X", asking->options->trace,
                       event);
  return column;
}

bool asking_is_condition(const struct pmt_column *column) {
  return column->width == 1;
}

unsigned asking_list(const struct asking *asking, bool (*is)(const struct pmt_column *column),
                     const struct pmt_column *columns[ASKING_MOST_EVENTS]) {
  unsigned num = 0;
  for (unsigned c = 0; c < asking->header->num_columns; c++) {
    const struct pmt_column *column = &asking->header->columns[c];
    if (asking_is_counted(asking, column) && (!is || is(column))) columns[num++] = column;
  }
  if (num == 0) asking_no_column(asking);
  return num;
}

static bool is_of(const struct asking *asking, const struct pmt_column *column,
                  const struct pmt_column *event) {
  return column->thread == event->thread && column->event == event->event &&
         !is_of_others(asking, column);
}

uint64_t asking_occurrences(const struct asking *asking, const struct pmt_column *event) {
  uint64_t total = 0;
  for (unsigned c = 0; c < asking->header->num_columns; c++)
    if (is_of(asking, &asking->header->columns[c], event))
      total += pmt_reader_total(asking->reader, c);
  return total;
}

bool asking_occurs(const struct asking *asking, const struct pmt_column *event,
                   const struct pmt_block *block, uint32_t cycle) {
  for (unsigned c = 0; c < asking->header->num_columns; c++)
    if (is_of(asking, &asking->header->columns[c], event) && block->planes[c] &&
        pmt_block_count(block, c, cycle) != 0)
      return true;
  return false;
}

unsigned asking_list_frequent(const struct asking *asking, uint64_t least,
                              const struct pmt_column *columns[ASKING_MOST_EVENTS]) {
  unsigned num = 0;
  for (unsigned c = 0; c < asking->header->num_columns; c++)
    if (asking_is_counted(asking, &asking->header->columns[c]) &&
        asking_occurrences(asking, &asking->header->columns[c]) >= least)
      columns[num++] = &asking->header->columns[c];
  return num;
}

/* ---- Tables ---- */

void asking_tell(const struct asking *asking, const struct explore_table *table) {
  explore_table_print(stdout, table);
  if (asking->options->csv)
    pmuv3_cli_write("--csv", asking->options->csv, explore_table_csv, table);
  if (asking->options->json)
    pmuv3_cli_write("--json", asking->options->json, explore_table_json, table);
}

void asking_draw(const struct asking *asking, const struct explore_table *table,
                 enum explore_plot_kind kind, unsigned first, unsigned num, const char *title,
                 const char *y_label) {
  if (!asking->options->plot) return;
  const char **names = calloc(num + 1u, sizeof *names);
  const char **labels = calloc(table->num_rows + 1u, sizeof *labels);
  double *y = calloc((size_t)num * table->num_rows + 1, sizeof *y);
  if (!names || !labels || !y) pmuv3_cli_no_verdict("out of memory");
  for (unsigned r = 0; r < table->num_rows; r++) labels[r] = table->rows[r];
  for (unsigned c = 0; c < num; c++) {
    names[c] = table->columns[first + c];
    for (unsigned r = 0; r < table->num_rows; r++)
      y[(size_t)c * table->num_rows + r] = *explore_cell(table, r, first + c);
  }
  const struct explore_plot plot = {.kind = kind,
                                    .title = title,
                                    .x_label = kind == EXPLORE_PLOT_BARS ? table->rows_name : "",
                                    .y_label = y_label,
                                    .num_series = num,
                                    .num_points = table->num_rows,
                                    .names = names,
                                    .labels = labels,
                                    .y = y};
  explore_plot_draw(&plot, asking->options->plot);
  free(names);
  free(labels);
  free(y);
}
