/* The report of `pmuv3 bench`: a table for a person, JSON for a script. */
#ifndef PMUV3_BENCH_REPORT_H
#define PMUV3_BENCH_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "testbench/signoff/bench/measure.h"

/* A line for each row: median cycles per second, and the ratios to the RTL alone. */
void pmuv3_bench_print(FILE *out, const struct pmuv3_bench_row *rows, size_t num_rows);

/* Writes the rows as JSON (docs/design/speed.md). False: a write failed. */
bool pmuv3_bench_json(FILE *out, const struct pmuv3_bench_options *options,
                      const struct pmuv3_bench_row *rows, size_t num_rows);

#endif
