/* Plays a stimulus on the C model and the RTL in lockstep, until they differ. */
#ifndef PMUV3_PLAY_H
#define PMUV3_PLAY_H

#include "testbench/cosim/scoreboard/lockstep.h"
#include "testbench/cosim/stimulus/stimulus.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is given, and the result. `line`: the line of the first difference, or of what ends the run
 * without a verdict: a wrong cycle, or an idle that the deadline cuts. 0: before the first item. */
struct pmuv3_played {
  double deadline;   /* given: by pmuv3_now, when to give up within idle cycles; 0: never */
  const char *wrong; /* the error of the cycle in `line` */
  bool diverged;
  bool is_cut; /* the deadline came within idle cycles; the items after them were not played */
  uint32_t line;
  uint64_t idle; /* cycles of the `idle` in `line` up to the first difference; 0: another item */
  struct pmuv3_divergence divergence;
};

/* Gives an item to a lockstep, until it diverges. The item's expectations are not checked. */
void pmuv3_play_item(struct pmuv3_side *side, const struct pmuv3_item *item);

/*
 * Plays a stimulus on new sides with its parameters. x_seed: see pmuv3_side_rtl. Expectations are
 * parsed, but not checked. False: out of memory.
 */
bool pmuv3_play(struct pmuv3_played *play, const struct pmuv3_stimulus *stimulus, uint32_t x_seed);

/* A function that plays a stimulus as pmuv3_play does. */
typedef bool pmuv3_player(struct pmuv3_played *play, const struct pmuv3_stimulus *stimulus,
                          uint32_t x_seed);

/*
 * For tests: whether the text is a stimulus file on which the sides do not differ. Otherwise
 * `message` says what is wrong.
 */
bool pmuv3_play_text(const char *text, uint32_t x_seed, char *message, size_t message_size);

#ifdef __cplusplus
}
#endif

#endif
