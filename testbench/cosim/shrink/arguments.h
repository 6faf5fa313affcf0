/* Arguments of both `pmuv3 shrink` and `pmuv3 report`: a FILE, and the options of shrinking. */
#ifndef PMUV3_SHRINK_ARGUMENTS_H
#define PMUV3_SHRINK_ARGUMENTS_H

#include <argp.h>

#include "testbench/cosim/shrink/shrink.h"

struct pmuv3_shrink_arguments {
  const char *file;
  struct pmuv3_shrink_options options;
};

/* The default arguments, without a FILE. */
struct pmuv3_shrink_arguments pmuv3_shrink_arguments_default(void);

/* A program adds this argp as a child. The child's input is a pmuv3_shrink_arguments. */
extern const struct argp pmuv3_shrink_argp;

/*
 * Reads a stimulus file into `stimulus`, and returns its text, which needs no other file
 * (pmuv3_form_alone). The caller frees both. Unusable input ends the program as pmuv3_cli_unusable
 * does.
 */
char *pmuv3_shrink_read_stimulus(struct pmuv3_stimulus *stimulus, const char *file);

#endif
