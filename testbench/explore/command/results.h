/* What the counters of a configuration counted: in all, and in each interval. */
#ifndef EXPLORE_RESULTS_H
#define EXPLORE_RESULTS_H

#include <stdio.h>

#include "testbench/explore/command/config.h"

/* A plot has at most this many points a counter: intervals are merged. */
enum { EXPLORE_MOST_POINTS = 2000 };

/* A series of values over time, with few enough points to plot. */
struct explore_series {
  unsigned num;     /* points */
  uint64_t merged;  /* intervals in a point, but for the last */
  uint64_t in_last; /* intervals in the last point */
  uint64_t *cycles; /* of each point */
  uint64_t *values; /* counter c in point i: values[c * EXPLORE_MOST_POINTS + i] */
};

struct explore_results {
  const struct explore_config *config;
  uint64_t cycles;
  uint64_t *totals;    /* by counter */
  uint64_t *overflows; /* by counter: of a sampled one, its samples */
  struct explore_series series;
  uint64_t ticked[EXPLORE_NUM_REASONS];
  unsigned nodes, sums; /* of all engines' shared plans, at the end */
};

struct explore_run {
  const struct pmt_reader *reader;
  const struct explore_kernels *kernels;
  unsigned jobs;
  uint64_t interval; /* 0: none */
  FILE *csv;         /* gets a row an interval; NULL: none */
  bool shows_progress;

  /* Called in the thread of an engine, in the order of cycles; NULL: nobody asks. `counter` is one
   * with a period. */
  void (*sampled)(void *context, unsigned counter, uint64_t cycle);
  /* Likewise once a block was counted: where the samples of its cycles are. */
  void (*block)(void *context, unsigned engine, const struct pmt_block *block);
  /* Called with each interval, in their order: what each counter counted. NULL: nobody asks. */
  void (*row)(void *context, uint64_t cycles, const uint64_t *row);
  void *context;
};

/* Counts a trace. False: `error` has one line. Free the results in either case. */
bool explore_run(const struct explore_run *run, const struct explore_config *config,
                 struct explore_results *results, char *error, size_t error_size);
void explore_results_free(struct explore_results *results);

/* Writes a field of a CSV file: in quotes if it needs them. */
void explore_csv_field(FILE *out, const char *text);

#endif
