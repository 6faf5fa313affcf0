/*
 * Shrinking: the smallest stimulus file on which the C model and the RTL still
 * differ, from one on which they do (docs/howto/shrink.md).
 */
#ifndef PMUV3_SHRINK_H
#define PMUV3_SHRINK_H

#include "testbench/cosim/shrink/play.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_shrink_options {
  uint32_t x_seed;    /* of the RTL's initial values */
  double seconds;     /* at most */
  bool same;          /* the first divergence must stay one of the same signal */
  pmuv3_player *play; /* NULL: pmuv3_play */
};

struct pmuv3_shrunk {
  char *text; /* the file; the caller frees it */
  size_t lines_before;
  size_t lines_after; /* that say something: comments are none */
  unsigned tries;
  double seconds;
  bool in_time;                       /* nothing is left to be tried */
  struct pmuv3_divergence divergence; /* of the file */
  const char *wrong;                  /* with PMUV3_SHRINK_WRONG: what is wrong in `line` */
  uint32_t line;                      /* of the text that was given */
};

enum pmuv3_shrink_end {
  PMUV3_SHRUNK,
  PMUV3_NOTHING_TO_SHRINK, /* there is no divergence, or it is no stimulus */
  PMUV3_SHRINK_WRONG,      /* a cycle of the file is wrong: see `wrong` */
  PMUV3_SHRINK_NO_MEMORY   /* for the first try: nothing is known of the sides */
};

/* Shrinks a stimulus file, given as text; `shrunk` is set with PMUV3_SHRUNK, and its
 * `wrong` and `line` with PMUV3_SHRINK_WRONG. */
enum pmuv3_shrink_end pmuv3_shrink(struct pmuv3_shrunk *shrunk, const char *text,
                                   const struct pmuv3_shrink_options *options);

#ifdef __cplusplus
}
#endif

#endif
