/*
 * Shrinking: finds a smaller stimulus file on which the C model and the RTL still differ
 * (docs/howto/shrink.md).
 */
#ifndef PMUV3_SHRINK_H
#define PMUV3_SHRINK_H

#include "testbench/cosim/shrink/play.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_shrink_options {
  uint32_t x_seed;    /* seed of the RTL's initial values */
  double seconds;     /* time limit */
  bool same;          /* the first divergence must stay in the same signal */
  pmuv3_player *play; /* NULL: pmuv3_play */
};

struct pmuv3_shrunk {
  char *text; /* the shrunk file; the caller frees it */
  size_t lines_before;
  size_t lines_after; /* lines that are not comments */
  unsigned tries;
  double seconds;
  bool in_time; /* nothing was left to try: the time limit did not end the search */
  struct pmuv3_divergence divergence; /* the divergence of the shrunk file */
  const char *wrong;                  /* with PMUV3_SHRINK_WRONG: the error in `line` */
  uint32_t line;                      /* a line of the given text */
};

enum pmuv3_shrink_end {
  PMUV3_SHRUNK,
  PMUV3_NOTHING_TO_SHRINK, /* no divergence */
  PMUV3_SHRINK_UNREADABLE, /* no stimulus file: no verdict */
  PMUV3_SHRINK_WRONG,      /* a cycle of the file is wrong: see `wrong` */
  PMUV3_SHRINK_NO_MEMORY   /* the first try ran out of memory: no verdict */
};

/* Shrinks a stimulus file, given as text. Sets `shrunk` with PMUV3_SHRUNK. Sets only `wrong` and
 * `line` with PMUV3_SHRINK_WRONG. */
enum pmuv3_shrink_end pmuv3_shrink(struct pmuv3_shrunk *shrunk, const char *text,
                                   const struct pmuv3_shrink_options *options);

#ifdef __cplusplus
}
#endif

#endif
