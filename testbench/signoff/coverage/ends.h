/*
 * How an access ends that nobody answers, as one in the clock of a Processor cycle, and why one was
 * refused. A model of its own is brought into what was observed of the thread, as far as accesses
 * depend on it, and asked; its answers to all other accesses are what the lockstep compares.
 */
#ifndef PMUV3_ENDS_H
#define PMUV3_ENDS_H

#include "pmuv3/pmuv3.h"
#include "testbench/signoff/coverage/sample.h"

struct ends {
  struct pmuv3 actual;
  struct pmuv3 open; /* of all event counters, with one range R1 */
};

void pmuv3_ends_init(struct ends *ends, const struct pmuv3_params *params);

/* Whether the access takes effect, apart from the counters that it does not reach. */
bool pmuv3_ends_done(struct ends *ends, const struct thread *thread,
                     const struct pmuv3_observed *observed);

/* Whether a checked access would be done if its counter were implemented, and of range R1. */
bool pmuv3_ends_done_in_r1(struct ends *ends, const struct thread *thread,
                           const struct pmuv3_observed *observed);

/* Whether it would if PMUSERENR permitted it. */
bool pmuv3_ends_done_if_permitted(struct ends *ends, const struct thread *thread,
                                  const struct pmuv3_observed *observed);

#endif
