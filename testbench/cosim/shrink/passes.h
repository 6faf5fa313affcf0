/*
 * The passes of shrinking. Each pass tries to make the file smaller or plainer in one way, keeps a
 * change if the file still diverges, and returns whether it kept any.
 */
#ifndef PMUV3_PASSES_H
#define PMUV3_PASSES_H

#include "testbench/cosim/shrink/lines.h"
#include "testbench/cosim/shrink/shrink.h"

struct pmuv3_shrinking {
  const struct pmuv3_shrink_options *options;
  char *text; /* the smallest file so far: no comments, one parameter in a line, features last */
  struct pmuv3_divergence divergence; /* the divergence of `text` */
  double deadline;
  bool late;
  bool starved;      /* the last try ran out of memory */
  bool unreadable;   /* the reader refused the last text */
  const char *wrong; /* the error of a cycle of the last try; NULL: none */
  unsigned tries;
};

/*
 * Takes the candidate instead of the smallest file if the candidate diverges. Drops lines that the
 * reader refuses, and lines after the divergence. Frees or keeps the candidate. Does nothing when
 * the time is over.
 */
bool pmuv3_shrinking_try(struct pmuv3_shrinking *shrinking, char *candidate);

/* Tries the smallest file with another line n. NULL: without line n. Frees the line. */
bool pmuv3_shrinking_try_line(struct pmuv3_shrinking *shrinking, size_t n, char *line);

/* Whether the time is over. Passes check this in every loop over items of the file, since a step
 * takes time that grows with the file, even if nothing is tried. */
bool pmuv3_shrinking_is_late(struct pmuv3_shrinking *shrinking);

/* Whether there is a line n, and time left. */
bool pmuv3_shrinking_has_line(struct pmuv3_shrinking *shrinking, size_t n);

/* The first line after the params. */
size_t pmuv3_shrinking_body(const struct pmuv3_shrinking *shrinking);

/* The features in the last line of the params. NULL: the file has no features line. */
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
