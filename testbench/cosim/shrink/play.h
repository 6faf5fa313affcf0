/* Plays a stimulus on the C model and the RTL in lockstep, until they differ. */
#ifndef PMUV3_PLAY_H
#define PMUV3_PLAY_H

#include "testbench/cosim/scoreboard/lockstep.h"
#include "testbench/cosim/stimulus/stimulus.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where two sides first differed: `line` of the file, 0 before the first item; or where a cycle was
 * wrong, which ends it without a verdict. */
struct pmuv3_played {
  const char *wrong; /* with the cycle of `line` */
  bool diverged;
  uint32_t line;
  struct pmuv3_divergence divergence;
};

/* Does an item to a lockstep, until it diverges; what the item expects is not judged. */
void pmuv3_play_item(struct pmuv3_side *side, const struct pmuv3_item *item);

/*
 * Plays it on sides of its parameters, made for it; x_seed: pmuv3_side_rtl.
 * Expectations are read and not judged. False: out of memory.
 */
bool pmuv3_play(struct pmuv3_played *play, const struct pmuv3_stimulus *stimulus, uint32_t x_seed);

/* What plays, as pmuv3_play does. */
typedef bool pmuv3_player(struct pmuv3_played *play, const struct pmuv3_stimulus *stimulus,
                          uint32_t x_seed);

/*
 * For tests: whether the text is a stimulus file on which the sides do not
 * differ. What is wrong is in the message otherwise.
 */
bool pmuv3_play_text(const char *text, uint32_t x_seed, char *message, size_t message_size);

#ifdef __cplusplus
}
#endif

#endif
