/*
 * A stimulus on which two sides differ, observed step by step: what each side
 * shows after every item of the window, the last cycles up to the divergence.
 */
#ifndef PMUV3_OBSERVE_H
#define PMUV3_OBSERVE_H

#include "testbench/cosim/scoreboard/lockstep.h"
#include "testbench/cosim/stimulus/stimulus.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cycles of the window. */
#define PMUV3_WINDOW 16

enum { PMUV3_CMODEL, PMUV3_RTL, PMUV3_NUM_SIDES };

/* Makes the two sides; NULLs when out of memory. */
typedef void pmuv3_make_sides(struct pmuv3_side *sides[PMUV3_NUM_SIDES],
                              const struct pmuv3_params *params, uint32_t x_seed);

/* The C model and the RTL. */
void pmuv3_make_cmodel_rtl(struct pmuv3_side *sides[PMUV3_NUM_SIDES],
                           const struct pmuv3_params *params, uint32_t x_seed);

/* An item, or one cycle of an idle one, and what is seen after it. */
struct pmuv3_step {
  const struct pmuv3_item *item;         /* NULL: the reset before the first one */
  size_t before;                         /* items before it */
  uint64_t idle_before;                  /* cycles of an idle one before it */
  uint64_t cycle;                        /* that it is, or that comes next */
  struct pmuv3_pe pe[PMUV3_MAX_THREADS]; /* states of threads in it */
  struct pmuv3_probe probe[PMUV3_NUM_SIDES][PMUV3_MAX_THREADS];
};

struct pmuv3_observation {
  const struct pmuv3_stimulus *stimulus;
  const char *text; /* its file, for quoting; NULL: items are written anew */
  pmuv3_make_sides *make;
  uint32_t x_seed;
  struct pmuv3_step *steps; /* of the window; the sides diverged in the last */
  size_t num_steps;
  struct pmuv3_divergence divergence; /* as the lockstep tells it */
};

enum pmuv3_observe_end { PMUV3_OBSERVED, PMUV3_SAME, PMUV3_OUT_OF_MEMORY };

/* Plays the stimulus, which must outlive the observation. PMUV3_SAME: it does not diverge, and
 * there is nothing to free, nor when out of memory. */
enum pmuv3_observe_end pmuv3_observe(struct pmuv3_observation *observation,
                                     const struct pmuv3_stimulus *stimulus, pmuv3_make_sides *make,
                                     uint32_t x_seed);

/* Frees what it holds. */
void pmuv3_observation_free(struct pmuv3_observation *observation);

/* Whether the step is a Processor cycle. */
bool pmuv3_step_is_cycle(const struct pmuv3_step *step);

/* What is seen of both sides, and whether they differ in it or in an answer. */
struct pmuv3_seen {
  bool differ;
  struct pmuv3_probe probe[PMUV3_NUM_SIDES][PMUV3_MAX_THREADS];
};

/* Plays the items before the step, and then these instead of it. False: out of memory. */
bool pmuv3_replay_with(struct pmuv3_seen *seen, const struct pmuv3_observation *observation,
                       const struct pmuv3_step *step, const struct pmuv3_item *items,
                       size_t num_items);

#ifdef __cplusplus
}
#endif

#endif
