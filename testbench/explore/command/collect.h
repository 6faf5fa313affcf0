/* Collects what was counted in each interval: the CSV file, the series, and the totals. */
#ifndef EXPLORE_COLLECT_H
#define EXPLORE_COLLECT_H

#include "testbench/explore/command/results.h"

struct explore_collector {
  const struct explore_config *config;
  struct explore_results *results;
  FILE *csv; /* NULL: none */
};

/* Begins with no interval. `results` says only of which configuration it is. False: out of
 * memory. */
bool explore_collect_begin(struct explore_collector *collector);

/* Takes the next interval: what each counter of the configuration counted in so many cycles. */
void explore_collect_row(struct explore_collector *collector, uint64_t cycles, const uint64_t *row);

#endif
