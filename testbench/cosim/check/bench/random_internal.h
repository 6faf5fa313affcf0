/* Random stimulus, for the files that make it. */
#ifndef PMUV3_CHECK_RANDOM_INTERNAL_H
#define PMUV3_CHECK_RANDOM_INTERNAL_H

#include "testbench/cosim/check/bench/random.h"
#include "testbench/cosim/stimulus/prng.h"

enum { QUEUE = 1024, MOST_WAITING = 255 }; /* increments that may wait (formats.md) */

struct random {
  struct pmuv3_prng prng;
  const struct profile *profile;
  struct item queue[QUEUE];
  unsigned first, end;
  uint32_t left;    /* items of the phase */
  uint32_t waiting; /* increments since the clock stopped */
  bool alone;       /* nobody has an access in the phase */
  bool fresh;       /* nothing was written since a reset */
  bool lasts;       /* counters are programmed once, and count from then on */
  uint8_t accesses; /* share of 256 of the items */
  uint8_t writes;   /* share of the accesses */
  uint8_t density;  /* share of the events that occur in a clock */
  uint8_t quiet;    /* share of the clocks without any event */
  bool full;        /* counts are the largest */
  struct foci foci;
  enum focus focus; /* of the phase */
  struct pmuv3_pe pe[PMUV3_MAX_THREADS];
  uint16_t event[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS]; /* that each counter selects, about */
};

/* ---- Draws ---- */

static inline uint64_t draw(struct random *random) {
  return pmuv3_prng_next(&random->prng);
}

static inline unsigned below(struct random *random, unsigned n) {
  return pmuv3_prng_below(&random->prng, n);
}

static inline bool chance(struct random *random, unsigned share) {
  return pmuv3_prng_chance(&random->prng, share);
}

/* A share that a focus makes larger. */
static inline bool chance_or(struct random *random, unsigned share, enum focus focus,
                             unsigned with_focus) {
  return chance(random, random->focus == focus ? with_focus : share);
}

/* A new item at the end of the queue. */
struct item *random_queue(struct random *random, enum item_kind kind);

/* ---- States (random_states.c) ---- */

/* A thread moves to another state, or two do in the same clock. */
void random_move(struct random *random);

/* Another context for occurrences of origin `other`. */
void random_move_other(struct random *random);

/* All threads move to the highest Exception level that pins can say. */
void random_rise(struct random *random);

/* ---- Values (random_values.c) ---- */

/* A mask of few bits, one bit, all, or any. */
uint64_t random_mask(struct random *random);

/* A comparison of a bit too few takes it for a value that it is not. */
uint64_t random_with_wrong_bit(struct random *random, uint64_t value, unsigned bits);

/* What is written to PMCR. */
uint64_t random_control(struct random *random);

/* What is written to a register. */
uint64_t random_value(struct random *random, const struct pmuv3_device_register *reg);

#endif
