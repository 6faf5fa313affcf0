/* The command line of `pmuv3 bench`. */
#ifndef PMUV3_BENCH_OPTIONS_H
#define PMUV3_BENCH_OPTIONS_H

struct pmuv3_bench_options {
  unsigned repetitions; /* of every measurement; their median counts */
  double min_time;      /* of a repetition, in seconds */
  const char *json;     /* file, or NULL */
};

/* Parses the command line. Bad usage: one line on standard error, exit status 2. */
struct pmuv3_bench_options pmuv3_bench_parse(int argc, char **argv);

#endif
