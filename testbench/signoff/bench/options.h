/* The command line of `pmuv3 bench`. */
#ifndef PMUV3_BENCH_OPTIONS_H
#define PMUV3_BENCH_OPTIONS_H

struct pmuv3_bench_options {
  unsigned repetitions; /* repetitions of every measurement; the median counts */
  double min_time;      /* seconds of a repetition */
  const char *json;     /* file, or NULL */
};

/* Parses the command line. Unusable arguments give one line on standard error and exit status 2. */
struct pmuv3_bench_options pmuv3_bench_parse(int argc, char **argv);

#endif
