/*
 * The cases that together are a clock: whatever is accessed in it.
 */
#ifndef PMUV3_PROVE_CASES_H
#define PMUV3_PROVE_CASES_H

#include "testbench/prove/equivalence/model.h"

enum case_set {
  CASES_CI,       /* a fixed sample */
  CASES_STANDARD, /* every register, every offset that some register has */
  CASES_LARGE,    /* the same, of larger sizes, too */
  CASES_ALL,      /* every offset */
  CASE_SETS
};
const char *case_set_name(enum case_set set);

struct cases {
  struct model_case *cases;
  size_t num_cases;
};

/* Those without an access go first: most of what is proved of the others is proved there. The page
   and what waits for a cycle go last, as they take longest: pmuv3-prove --stop is done sooner. */
struct cases cases_of(struct size size, enum case_set set);
void cases_free(struct cases *cases);

/* "write PMCR_EL0, cycle". */
void case_name(const struct model_case *which, char *text, size_t size);

#endif
