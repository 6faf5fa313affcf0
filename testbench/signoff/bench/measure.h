/* The measurements of `pmuv3 bench`, for one number of threads and counters. */
#ifndef PMUV3_BENCH_MEASURE_H
#define PMUV3_BENCH_MEASURE_H

#include <stdbool.h>

#include "pmuv3/params.h"
#include "testbench/signoff/bench/options.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pmuv3_bench_subject {
  PMUV3_BENCH_CMODEL,    /* the C model alone, through its side */
  PMUV3_BENCH_RTL,       /* the Verilated RTL alone, through its side */
  PMUV3_BENCH_LOCKSTEP,  /* both in the TLM module on a SystemC clock, with all comparisons */
  PMUV3_BENCH_GENERATED, /* lockstep with stimulus generated during the run, as `pmuv3 run` does */
  PMUV3_BENCH_NUM_SUBJECTS
};

/* Processor cycles per second of processor time, over all repetitions. */
struct pmuv3_bench_rate {
  double median;
  double min;
  double max;
};

struct pmuv3_bench_row {
  unsigned threads;
  unsigned counters;
  struct pmuv3_bench_rate rates[PMUV3_BENCH_NUM_SUBJECTS];
  char error[128]; /* empty: no error */
};

/*
 * Measures all subjects with interleaved repetitions, and fills *row. Only once in a process, since
 * SystemC elaborates only once.
 */
void pmuv3_bench_measure(const struct pmuv3_params *params,
                         const struct pmuv3_bench_options *options, struct pmuv3_bench_row *row);

#ifdef __cplusplus
}
#endif

#endif
