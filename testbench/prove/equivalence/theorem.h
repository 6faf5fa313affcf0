/*
 * The theorem of a case. From equal states and with equal inputs, the C model and the RTL have
 * equal outputs in a clock and equal states after it. The theorem includes the invariants that the
 * proof relies on.
 */
#ifndef PMUV3_PROVE_THEOREM_H
#define PMUV3_PROVE_THEOREM_H

#include "engine/netlist/netlist.h"
#include "testbench/prove/equivalence/model.h"

/* The events that a counter may select. */
enum events {
  EVENTS_ALL,
  EVENTS_COUNT,    /* class COUNT */
  EVENTS_COMBINED, /* the other classes, SW_INCR, and no event: the eligible threads decide */
  EVENTS_OWN,      /* the PMU's own events: CPU_CYCLES and CHAIN */
};

/* A part of the theorem: a condition that must be true under the model's assumptions. */
struct assertion {
  char *name;
  term condition;
  term sides[2];       /* the condition is that these are equal; TERM_NONE: some other condition */
  int thread, counter; /* the prover splits by this counter's event; -1: by none */
  enum events events;  /* the assertion is about counters that select one of these */
  bool is_of_part;     /* about a part of a sum over threads, which no output shows */
  bool is_whole_sum;   /* about an output, with sums replaced by the terms that drive them */
};

struct theorem {
  struct assertion *assertions;
  size_t num_assertions;
  size_t state_bits; /* of the RTL; all are mapped */
  size_t input_bits; /* of the RTL that are not constant in this case */
  size_t num_states, num_inputs;
};

/* For netlist_read(): whether the RTL's signal is cut where the C model is. `size` is a struct
 * size. */
bool theorem_is_cut(const char *name, void *size);

/* Makes the theorem. False: the state map has holes, or the RTL lacks a signal; a line on stderr
 * names each. */
bool theorem_make(struct theorem *theorem, const struct model *model,
                  const struct netlist *netlist);

/* Adds a condition, simplified for the model's case. Takes the name. */
struct assertion *theorem_add(struct theorem *theorem, const struct model *model, char *name,
                              term condition);

void theorem_free(struct theorem *theorem);

#endif
