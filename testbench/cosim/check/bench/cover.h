/*
 * What a task's stimulus reached in the C model: coverage, events that counted, states. All of it
 * follows from the model alone. The device has no say.
 */
#ifndef PMUV3_CHECK_COVER_H
#define PMUV3_CHECK_COVER_H

#include "pmuv3/check.h"
#include "testbench/cosim/check/bench/profile.h"
#include "testbench/cosim/check/bench/random.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { COVER_STATE_VALUES = 16 };

/* Numbers of a device, in one array: the hits of each bin (coverage.h), then in how many cycles a
 * counter counted occurrences of each pin of each event, and how often each state was entered. */
size_t cover_size(const struct pmuv3_device *device);
size_t cover_of_event(size_t event);
size_t cover_of_state(const struct pmuv3_device *device, unsigned thread, unsigned key,
                      unsigned value);

struct cover;

/* Adds to numbers[0..cover_size) what the checker's model does from now on; without bins, which
 * take long, only what is behind them. NULL: out of memory. */
struct cover *cover_create(const struct pmuv3_device *device, struct pmuv3_check *check,
                           uint64_t *numbers, bool with_bins);
void cover_end(struct cover *cover); /* observes no more */
void cover_destroy(struct cover *cover);

/* What the description lacks of what bins need (needs.def). */
enum { COVER_MAX_NEEDS = 250 };
struct lacks {
  const struct pmuv3_device *device;
  bool has[COVER_MAX_NEEDS];
};
void cover_find_lacks(struct lacks *lacks, const struct profile *profile);

/* Why no stimulus within the description can hit a bin. NULL: nothing is known against it. */
const char *cover_unreachable(const struct lacks *lacks, size_t bin);

/* Why a bin does not count: likewise, or no comparison depends on it. NULL: the bin counts. */
const char *cover_left_out(const struct lacks *lacks, size_t bin);

/* The weights of what reaches open bins. All are 0 if no bin is open. */
struct foci cover_foci(const struct lacks *lacks, const uint64_t *numbers);

#ifdef __cplusplus
}
#endif

#endif
