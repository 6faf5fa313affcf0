/* Shrinks a stimulus on which a device diverges. */
#ifndef PMUV3_CHECK_SHRINK_H
#define PMUV3_CHECK_SHRINK_H

#include "testbench/cosim/check/bench/player.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Plays a whole stimulus. Returns whether the device diverges or hangs; *at is the number of items
 * that it took. False, too, if there is no memory. */
bool stimulus_diverges(struct player *player, const struct stimulus *stimulus, size_t *at);

struct shrunk {
  unsigned tries;
  unsigned ended; /* of these, the ones on which the device ended its process */
  bool in_time;   /* nothing was left to try */
};

/* Makes *stimulus as small as it gets in so many seconds. It diverges before and after. Each try
 * has a process of its own. */
struct shrunk stimulus_shrink(struct player *player, struct stimulus *stimulus,
                              const struct pmuv3_device *device, double seconds);

#ifdef __cplusplus
}
#endif

#endif
