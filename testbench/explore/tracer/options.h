/* The command line of `pmuv3 trace`. */
#ifndef PMUV3_TRACE_OPTIONS_H
#define PMUV3_TRACE_OPTIONS_H

#include <stdint.h>

#include "testbench/explore/tracer/columns.h"
#include "testbench/explore/tracer/core_params.h"

enum { MAX_VARIABLES = 64 };

struct trace_options {
  const char *out;
  const char *from;                         /* NULL: a program is traced */
  const char *pins;                         /* NULL: no pins file */
  const char *program;                      /* the path of its ELF; NULL: the program's name */
  const char *root;                         /* where its loader and libraries are; NULL: nowhere */
  char *const *arguments;                   /* the program's argv; empty: there is none */
  const char *variables[MAX_VARIABLES + 1]; /* of its environment, NAME=VALUE; NULL ends them */
  uint8_t chosen[NUM_COLUMNS];
  unsigned num_chosen;
  struct core_params core;
  const char *package;    /* NULL: none was given */
  const char *core_model; /* NULL: the default one */
  bool is_plan;           /* the program ends once the arguments are checked */
};

struct trace_options trace_options_parse(int argc, char **argv);

#endif
