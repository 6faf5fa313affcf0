/* Random stimulus within the profile of a device. docs/design/check.md says what it favours. */
#ifndef PMUV3_CHECK_RANDOM_H
#define PMUV3_CHECK_RANDOM_H

#include "testbench/cosim/check/bench/item.h"
#include "testbench/cosim/check/bench/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct random;

/* What a phase can do more of. */
enum focus {
  FOCUS_NONE,
  FOCUS_FILTERS,
  FOCUS_THRESHOLDS,
  FOCUS_CLASHES,
  FOCUS_STATES,
  FOCUS_INCREMENTS,
  FOCUS_ENABLES,
  FOCUS_OVERFLOWS,
  NUM_FOCUSES
};

/* How often a phase has each focus. All 0: none has one. */
struct foci {
  uint32_t weights[NUM_FOCUSES];
};

/* The same profile, seed and foci give the same items. NULL: no memory. */
struct random *random_create(const struct profile *profile, uint64_t seed);
void random_set_foci(struct random *random, const struct foci *foci);
void random_destroy(struct random *random);

/* The next item; it never ends. Valid until the next call. */
const struct item *random_next(struct random *random);

#ifdef __cplusplus
}
#endif

#endif
