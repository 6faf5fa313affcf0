/* The parts of the theorem, which theorem.c puts together. */
#ifndef PMUV3_PROVE_THEOREM_INTERNAL_H
#define PMUV3_PROVE_THEOREM_INTERNAL_H

#include "testbench/prove/equivalence/map.h"
#include "testbench/prove/equivalence/theorem.h"

/*
 * The theorem while it is made. `to_c` has the RTL's registers, inputs and cut signals in terms of
 * the C model. The other three maps replace cut variables, on both sides, by the terms that drive
 * them: `parts` those that a sum over threads is made of; `whole` these and the sums; `combined`
 * the sums of an event that depends on the eligible threads alone.
 */
struct making {
  struct theorem *theorem;
  const struct model *model;
  const struct netlist *netlist;
  struct term_map *to_c, *parts, *combined, *whole;
  char *missing; /* the first cut signal that the RTL lacks; NULL: none */
  bool is_whole; /* false: the state map has a hole; a line on stderr says which */
};

/* ---- The theorem (theorem.c) ---- */

/* Prints a hole of the state map: the theorem cannot be made. */
__attribute__((format(printf, 2, 3))) void theorem_wrong(struct making *making, const char *text,
                                                         ...);

/* Notes a cut signal that the RTL lacks. The theorem then has an assertion that fails. */
void theorem_lacks(struct making *making, const char *signal);

/* Adds an assertion: the condition holds. Takes the name. */
struct assertion *theorem_claim(struct making *making, char *name, term condition);

/* Adds an assertion: the two sides have the same value. Takes the name. */
struct assertion *theorem_equal(struct making *making, char *name, term cmodel, term rtl);

/* Marks an assertion about a part of a sum over threads. */
struct assertion *theorem_of_part(struct assertion *assertion);

/* The prover splits the assertion by the events that the counter may select. */
void theorem_by_event(struct assertion *assertion, unsigned t, unsigned n, enum events events);

/* Maps a signal of the RTL to a term of the C model. `kind` is for messages. */
void theorem_map(struct making *making, const char *kind, const char *name, term from, term to);

/* ---- Values cut between the stages of a counter (theorem_cuts.c) ---- */

/* The RTL's signal of a cut. NULL: the RTL lacks it. */
const struct netlist_cut *theorem_rtl_cut(struct making *making, unsigned t, unsigned n,
                                          enum cut which);

void theorem_map_cuts(struct making *making);
void theorem_claim_cut(struct making *making, unsigned t, unsigned n, enum cut which);
void theorem_claim_cut_values(struct making *making, unsigned t, unsigned n);
void theorem_claim_empty_lane(struct making *making, unsigned t, unsigned n);

/* ---- Values cut in a sum over threads (theorem_sums.c) ---- */

/* Whether a signal is cut: the groups of all lanes by its whole name, a part of a lane's sum by its
 * name in the lane. */
bool theorem_is_groups(const char *name, struct size size);
bool theorem_is_of_sum(const char *name, struct size size);

void theorem_map_sums(struct making *making);
void theorem_claim_groups(struct making *making, unsigned t);
void theorem_claim_parts(struct making *making, unsigned t, unsigned n);

/* ---- Outputs and the next state (theorem_outputs.c) ---- */

void theorem_claim_probes(struct making *making, unsigned t, unsigned n);

/* The snapshot's registers: the value that they read after the clock is the value that the C model
 * has saved. Sets the RTL's next registers. False: a register is missing. */
bool theorem_claim_saved(struct making *making, unsigned t, struct copy_state *copies);

void theorem_claim_answers(struct making *making, unsigned t);
void theorem_claim_transfer(struct making *making);
void theorem_claim_states(struct making *making, const struct copy_state *copies);

#endif
