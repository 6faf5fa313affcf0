/* The TLM module in a platform, beside a target that does nothing. */
#ifndef PMUV3_BENCH_PLATFORM_H
#define PMUV3_BENCH_PLATFORM_H

#include "testbench/signoff/bench/measure.h"
#include "testbench/signoff/bench/options.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pmuv3_bench_call {
  PMUV3_BENCH_READ,    /* b_transport: a read of a counter */
  PMUV3_BENCH_WRITE,   /* b_transport: a write of a counter */
  PMUV3_BENCH_MRS,     /* the same, judged by the thread's state */
  PMUV3_BENCH_MSR,     /* likewise */
  PMUV3_BENCH_ADVANCE, /* 1,000,000 cycles of which nothing is told */
  PMUV3_BENCH_RUN,     /* 1,000 cycles with 1,500 instructions */
  PMUV3_BENCH_NUM_CALLS
};

/* Calls per second of processor time: of a target that does nothing, and of the module with 31
 * counters that all count. */
struct pmuv3_bench_platform {
  struct pmuv3_bench_rate nothing[PMUV3_BENCH_NUM_CALLS];
  struct pmuv3_bench_rate module[PMUV3_BENCH_NUM_CALLS];
  char error[128]; /* empty: no error */
};

/* What a call is, in words. */
const char *pmuv3_bench_call_name(enum pmuv3_bench_call call);

/* Measures all calls with interleaved repetitions. Only once in a process, and in another than
 * pmuv3_bench_measure, since SystemC elaborates only once. */
void pmuv3_bench_measure_platform(const struct pmuv3_bench_options *options,
                                  struct pmuv3_bench_platform *platform);

#ifdef __cplusplus
}
#endif

#endif
