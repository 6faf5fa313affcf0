/*
 * The state map: what each register of the RTL is, in terms of the C model's
 * state. It is whole on both sides: a register that it does not know is an
 * error, and so is a part of the state that no register holds.
 */
#ifndef PMUV3_PROVE_MAP_H
#define PMUV3_PROVE_MAP_H

#include "engine/netlist/netlist.h"
#include "testbench/prove/equivalence/model.h"

/* A register's value where the C model's state is `state`. TERM_NONE: the map does not know it. */
term map_state(const struct model *model, const struct thread_state *state,
               const struct copy_state *copies, const char *name);

/* Whether a register is of a thread that is not implemented: it may be anything. */
bool map_is_absent(const struct model *model, const char *name);

/* Whether a register is one of struct copy_state, whose next value is its own. */
bool map_is_copy(const char *name);

/* What the snapshot registers read, of the RTL's state. */
struct saved_values {
  term values, cycles, instructions;
};
struct saved_values map_saved(const struct model *model, const struct thread_state *state,
                              const struct copy_state *copies);

/* An input port's value. TERM_NONE: the map does not know it. Threads that are not implemented have
 * no access; all else that is presented of them may be anything. */
term map_input(const struct model *model, const char *name);

/* Nothing occurs in them. */
term map_absent_rest(const struct model *model);

/* A lane of a vector with one for each counter of each thread, `width` bits each. */
term map_lane(const struct model *model, term vector, uint32_t width, unsigned thread, unsigned n);

/* Lanes that are elaborated: one where there are no counters. */
unsigned map_lanes(const struct model *model);

#endif
