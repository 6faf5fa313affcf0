#include "testbench/explore/command/collect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Series ---- */

static bool new_series(struct explore_series *series, unsigned counters) {
  series->merged = 1;
  series->cycles = calloc(EXPLORE_MOST_POINTS, sizeof *series->cycles);
  series->values = calloc((size_t)(counters + 1) * EXPLORE_MOST_POINTS, sizeof *series->values);
  return series->cycles && series->values;
}

/* Merges two points to one, so that there is room for as many again. */
static void halve(struct explore_series *series, unsigned counters) {
  const unsigned half = series->num / 2;
  for (unsigned i = 0; i < half; i++)
    series->cycles[i] = series->cycles[2 * i] + series->cycles[2 * i + 1];
  for (size_t c = 0; c < counters; c++) {
    uint64_t *values = &series->values[c * EXPLORE_MOST_POINTS];
    for (unsigned i = 0; i < half; i++) values[i] = values[2 * i] + values[2 * i + 1];
  }
  series->num = half;
  series->merged *= 2;
}

/* The point that the next interval is added to, which is empty if it is a new one. */
static unsigned next_point(struct explore_series *series, unsigned counters) {
  if (series->num != 0 && series->in_last < series->merged) {
    series->in_last++;
    return series->num - 1;
  }
  if (series->num == EXPLORE_MOST_POINTS) halve(series, counters);
  series->in_last = 1;
  const unsigned point = series->num++;
  series->cycles[point] = 0;
  for (size_t c = 0; c < counters; c++) series->values[c * EXPLORE_MOST_POINTS + point] = 0;
  return point;
}

/* ---- The CSV file ---- */

void explore_csv_field(FILE *out, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, out);
    return;
  }
  putc('"', out);
  for (; *text; text++) {
    if (*text == '"') putc('"', out);
    putc(*text, out);
  }
  putc('"', out);
}

static void write_head(FILE *csv, const struct explore_config *config) {
  fputs("cycle,cycles", csv);
  for (unsigned c = 0; c < config->num_counters; c++) {
    putc(',', csv);
    explore_csv_field(csv, config->counters[c].name);
  }
  putc('\n', csv);
}

static void write_row(const struct explore_collector *collector, uint64_t cycles,
                      const uint64_t *row) {
  FILE *csv = collector->csv;
  fprintf(csv, "%" PRIu64 ",%" PRIu64, collector->results->cycles, cycles);
  for (unsigned c = 0; c < collector->config->num_counters; c++) fprintf(csv, ",%" PRIu64, row[c]);
  putc('\n', csv);
}

/* ---- Rows ---- */

bool explore_collect_begin(struct explore_collector *collector) {
  struct explore_results *results = collector->results;
  const unsigned counters = collector->config->num_counters;
  results->totals = calloc(counters + 1, sizeof *results->totals);
  results->overflows = calloc(counters + 1, sizeof *results->overflows);
  if (!results->totals || !results->overflows || !new_series(&results->series, counters))
    return false;
  if (collector->csv) write_head(collector->csv, collector->config);
  return true;
}

void explore_collect_row(struct explore_collector *collector, uint64_t cycles,
                         const uint64_t *row) {
  struct explore_results *results = collector->results;
  struct explore_series *series = &results->series;
  const unsigned counters = collector->config->num_counters;
  if (collector->csv) write_row(collector, cycles, row);
  results->cycles += cycles;
  const unsigned point = next_point(series, counters);
  series->cycles[point] += cycles;
  for (size_t c = 0; c < counters; c++) {
    series->values[c * EXPLORE_MOST_POINTS + point] += row[c];
    results->totals[c] += row[c];
  }
}
