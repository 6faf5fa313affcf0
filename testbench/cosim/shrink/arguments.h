/* What `pmuv3 shrink` and `pmuv3 capsule` both take: a FILE, and how it is shrunk. */
#ifndef PMUV3_SHRINK_ARGUMENTS_H
#define PMUV3_SHRINK_ARGUMENTS_H

#include <argp.h>

#include "testbench/cosim/shrink/shrink.h"

struct pmuv3_shrink_arguments {
  const char *file;
  struct pmuv3_shrink_options options;
};

/* Without a FILE, and the defaults of --seconds and --x-seed. */
struct pmuv3_shrink_arguments pmuv3_shrink_arguments_default(void);

/* A program's argp has it as its child, with pmuv3_shrink_arguments as the input. */
extern const struct argp pmuv3_shrink_argp;

/*
 * Reads a stimulus file, which the caller frees, and its text, which is returned
 * and the caller frees. Anything unusable ends the program as pmuv3_cli_unusable does.
 */
char *pmuv3_shrink_read_stimulus(struct pmuv3_stimulus *stimulus, const char *file);

#endif
