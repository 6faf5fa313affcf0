/*
 * What is to be proved of a case: that the C model and the RTL, from equal
 * states and with equal inputs, are seen to do the same in a clock and have equal
 * states after it; and what the proof itself rests on.
 */
#ifndef PMUV3_PROVE_THEOREM_H
#define PMUV3_PROVE_THEOREM_H

#include "engine/netlist/netlist.h"
#include "testbench/prove/equivalence/model.h"

/* The events that a counter may select. */
enum events {
  EVENTS_ALL,
  EVENTS_COUNT,    /* of class COUNT */
  EVENTS_COMBINED, /* of the other classes, SW_INCR, and none: what is eligible decides */
  EVENTS_OWN,      /* what the PMU makes of its own: CPU_CYCLES and CHAIN */
};

/* A part of it: a condition that must be true under the model's assumptions. */
struct assertion {
  char *name;
  term condition;
  term sides[2];       /* if it is that they are equal; else TERM_NONE */
  int thread, counter; /* of a value of this counter, that depends on its event: best proved event
                          by event; -1: of none */
  enum events events;  /* if it selects one of these */
  bool is_of_part;     /* of what a sum over threads is made of, which is not seen itself */
  bool is_whole_sum;   /* of what is seen, with sums as they are made */
};

struct theorem {
  struct assertion *assertions;
  size_t num_assertions;
  size_t state_bits; /* of the RTL, all of them mapped */
  size_t input_bits; /* of the RTL that are free: not constant in this case */
  size_t num_states, num_inputs;
};

/* The RTL's signals that are where the C model is cut, for netlist_read(); size: struct size. */
bool theorem_is_cut(const char *name, void *size);

/* Whether the state map is whole and everything that is compared is there; otherwise a line on
 * stderr for each that is not. */
bool theorem_make(struct theorem *theorem, const struct model *model,
                  const struct netlist *netlist);
/* Adds a condition, as it is in the model's case; the name is the theorem's from then on. */
struct assertion *theorem_add(struct theorem *theorem, const struct model *model, char *name,
                              term condition);
void theorem_free(struct theorem *theorem);

#endif
