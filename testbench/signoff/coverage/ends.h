/*
 * Predicts results of accesses that the lockstep does not return, for example in the clock of a
 * Processor cycle, and reasons of refusals. Neither can be observed, so the collector asks a C
 * model of its own. The collector first sets the model's state from the observed thread, as far as
 * accesses depend on it. The lockstep compares this model's answers to all other accesses.
 */
#ifndef PMUV3_ENDS_H
#define PMUV3_ENDS_H

#include "pmuv3/pmuv3.h"
#include "testbench/signoff/coverage/sample.h"

struct ends {
  struct pmuv3 actual;
  struct pmuv3 open; /* has all event counters, and only range R1 */
};

void pmuv3_ends_init(struct ends *ends, const struct pmuv3_params *params);

/* Whether the access takes effect. Counters out of reach do not matter. */
bool pmuv3_ends_done(struct ends *ends, const struct thread *thread,
                     const struct pmuv3_observed *observed);

/* Whether a checked access would be done if its counter were implemented and in range R1. */
bool pmuv3_ends_done_in_r1(struct ends *ends, const struct thread *thread,
                           const struct pmuv3_observed *observed);

/* Whether a checked access would be done if PMUSERENR permitted it. */
bool pmuv3_ends_done_if_permitted(struct ends *ends, const struct thread *thread,
                                  const struct pmuv3_observed *observed);

/* Why a checked access was refused: see struct access. */
void pmuv3_ends_find_trap(struct ends *ends, const struct thread *thread,
                          const struct pmuv3_observed *observed, struct access *access);

#endif
