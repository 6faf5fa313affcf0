/*
 * The passes of a shrinking. Each tries what makes the file smaller or plainer
 * in its way, keeps what still diverges, and returns whether anything was kept.
 */
#ifndef PMUV3_PASSES_H
#define PMUV3_PASSES_H

#include "testbench/cosim/shrink/lines.h"
#include "testbench/cosim/shrink/shrink.h"

struct pmuv3_shrinking {
  const struct pmuv3_shrink_options *options;
  char *text; /* the smallest so far: no comments, a line a parameter, that of features last */
  struct pmuv3_divergence divergence; /* of it */
  double deadline;
  bool late;
  bool starved;      /* the last try ran out of memory */
  const char *wrong; /* with a cycle of the last try; NULL: nothing */
  unsigned tries;
};

/*
 * Takes a text, which it frees or keeps, instead of the smallest so far if it
 * diverges: without lines that its reader refuses, and with none after the one in
 * which it diverges. Once it is late, nothing is tried any more.
 */
bool pmuv3_shrinking_try(struct pmuv3_shrinking *shrinking, char *candidate);

/* Likewise with another line n; NULL: without it. Frees the line. */
bool pmuv3_shrinking_try_line(struct pmuv3_shrinking *shrinking, size_t n, char *line);

/* Whether the time is over. Passes look at it in every loop over what a file may have many of: a
 * step of a loop takes time that grows with the file, though nothing is tried. */
bool pmuv3_shrinking_is_late(struct pmuv3_shrinking *shrinking);

/* Whether there is a line n, and time left for it. */
bool pmuv3_shrinking_has_line(struct pmuv3_shrinking *shrinking, size_t n);

/* The first line behind the params. */
size_t pmuv3_shrinking_body(const struct pmuv3_shrinking *shrinking);

/* What the last line of the params says of features; NULL: nothing. */
const char *pmuv3_shrinking_features(const struct pmuv3_shrinking *shrinking);

/* ---- passes.c ---- */

bool pmuv3_pass_last_lines(struct pmuv3_shrinking *shrinking);
bool pmuv3_pass_lines(struct pmuv3_shrinking *shrinking);
bool pmuv3_pass_join(struct pmuv3_shrinking *shrinking);
bool pmuv3_pass_params(struct pmuv3_shrinking *shrinking);
bool pmuv3_pass_words(struct pmuv3_shrinking *shrinking);
bool pmuv3_pass_plain(struct pmuv3_shrinking *shrinking);

/* ---- pass_features.c, pass_numbers.c, pass_threads.c ---- */

bool pmuv3_pass_features(struct pmuv3_shrinking *shrinking);
bool pmuv3_pass_threads(struct pmuv3_shrinking *shrinking);
bool pmuv3_pass_numbers(struct pmuv3_shrinking *shrinking);

#endif
