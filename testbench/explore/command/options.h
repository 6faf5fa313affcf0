/* The command line of `pmuv3 explore`. */
#ifndef EXPLORE_OPTIONS_H
#define EXPLORE_OPTIONS_H

#include "testbench/cosim/cli/shards.h"
#include "testbench/explore/command/results.h"

struct explore_options {
  const char *trace;
  const char *config; /* NULL: none */
  const char *ask;    /* NULL: none */
  const char *event;  /* of a question; NULL: its default */
  const char *csv, *json, *plot;
  uint64_t interval; /* 0: not given */
  uint64_t period;   /* likewise */
  unsigned jobs;
  bool verifies;  /* the whole trace */
  unsigned check; /* windows */
  uint64_t seed;
  struct pmuv3_params params;
  bool has_slots; /* --param slots or --core was given */
  const struct explore_kernels *kernels;
  struct pmuv3_shards shards;
  unsigned shard_pmus;      /* PMUs of a shard */
  unsigned first_pmu, last; /* numbers of a shard's PMUs, from 1 on */
  const char *words;        /* options that decide what is counted, as a shell takes them */
};

struct explore_options explore_options_parse(int argc, char **argv);

#endif
