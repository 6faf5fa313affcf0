/* Random stimulus within the profile of a device. docs/design/check.md says what it favours. */
#ifndef PMUV3_CHECK_RANDOM_H
#define PMUV3_CHECK_RANDOM_H

#include "testbench/cosim/check/bench/item.h"
#include "testbench/cosim/check/bench/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct random;

/* The same profile and seed give the same items. NULL: no memory. */
struct random *random_create(const struct profile *profile, uint64_t seed);
void random_destroy(struct random *random);

/* The next item; it never ends. Valid until the next call. */
const struct item *random_next(struct random *random);

#ifdef __cplusplus
}
#endif

#endif
