/* Plays the items of a stimulus file on a side, and checks the file's expectations. */
#ifndef PMUV3_PLAYER_H
#define PMUV3_PLAYER_H

#include <stdio.h>

#include "testbench/cosim/stimulus/stimulus.h"
#include "tlm_wrapper/side.h"

/* A file while it is played. The caller sets all but the counts. */
struct pmuv3_player {
  const char *name; /* the file's name, as messages show it */
  struct pmuv3_side *side;
  bool is_lockstep; /* the side is a lockstep, which may find a divergence */
  FILE *trace;      /* NULL: no trace */
  /* Called before each cycle, with the number of cycles before it. */
  void (*before_cycle)(void *context, uint64_t cycles);
  void *context;
  uint64_t cycles;
  uint64_t held, failed; /* expectations */
  bool diverged;
};

/* Checks for a divergence before the first item. */
void pmuv3_player_begin(struct pmuv3_player *player);

/* Plays an item. Prints a line on stderr for a failed expectation, and for the first divergence. */
void pmuv3_player_item(struct pmuv3_player *player, const struct pmuv3_item *item);

#endif
