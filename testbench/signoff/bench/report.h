/* The report of `pmuv3 bench`: a table for a person, JSON for a script. */
#ifndef PMUV3_BENCH_REPORT_H
#define PMUV3_BENCH_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "testbench/signoff/bench/measure.h"
#include "testbench/signoff/bench/platform.h"

/* A line for each row: median cycles per second, and the ratios to the RTL alone. A line for each
 * call of a platform: its time, and how many times that of a target that does nothing it is. */
void pmuv3_bench_print(FILE *out, const struct pmuv3_bench_row *rows, size_t num_rows,
                       const struct pmuv3_bench_platform *platform);

/* Writes both as JSON (docs/design/speed.md). False: a write failed. */
bool pmuv3_bench_json(FILE *out, const struct pmuv3_bench_options *options,
                      const struct pmuv3_bench_row *rows, size_t num_rows,
                      const struct pmuv3_bench_platform *platform);

#endif
