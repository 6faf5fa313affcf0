/*
 * Making a model, the C model's clock as terms: what its files share.
 */
#ifndef PMUV3_PROVE_MODEL_RUN_H
#define PMUV3_PROVE_MODEL_RUN_H

#include <stddef.h>

#include "internal.h"
#include "testbench/prove/equivalence/model.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* The symbolic execution of the C model, while the terms are made. */
struct run {
  struct model *model;
  struct symex *symex;
  uint64_t pmu, params, inputs, answers, copy; /* objects */
};

/* ---- Names, variables ---- */

__attribute__((format(printf, 3, 4))) term run_variable(struct model *model, uint32_t width,
                                                        const char *text, ...);
static inline term constant(uint32_t width, uint64_t value) {
  return term_const(width, value);
}

static inline term zext(term a, uint32_t width) {
  return term_zext(a, width);
}

void run_assume(struct model *model, term condition);
void run_assume_particular(struct model *model, term condition);

/* ---- Memory ---- */

static inline void store(struct run *run, uint64_t address, term value) {
  symex_store(run->symex, address, value);
}
static inline term load(struct run *run, uint64_t address, uint32_t width) {
  return symex_load(run->symex, address, width);
}

/* A bool or a narrow number, in a field that is wider. */
static inline void store_in(struct run *run, uint64_t address, uint32_t width, term value) {
  store(run, address, zext(value, width));
}

static inline void zero(struct run *run, uint64_t address, size_t size) {
  for (size_t i = 0; i < size; i++) store(run, address + i, constant(8, 0));
}

static inline term call(struct run *run, const char *function, const term *arguments,
                        size_t number) {
  return symex_call(run->symex, function, arguments, number);
}
static inline term address_of(uint64_t address) {
  return constant(64, address);
}

/* ---- Parameters and inputs (model_inputs.c) ---- */

/* The variable of PMSELR_EL0 of the thread that goes through it. */
bool inputs_go_through_selection(const struct model_case *which);
const char *inputs_selection_name(unsigned t, char name[32]);
void inputs_make_params(struct run *run);
term inputs_feature(const struct model *model, enum pmuv3_feature which);
/* A thread's state at an address, of variables "t0.<pe>.el". pe_t, in the order of pmuv3_pkg.sv:
 * the last is on top. */
term inputs_make_pe(struct run *run, uint64_t at, unsigned t, const char *pe);
/* Threads' states and what occurs. */
void inputs_make(struct run *run);
/* What the case says. */
void inputs_make_accesses(struct run *run);

/* ---- State (model_state.c) ---- */

/* A place in struct pmuv3 that holds state of a thread. */
struct place {
  const char *name;
  size_t in_model;  /* the term, in struct thread_state */
  size_t in_thread; /* in struct pmuv3_thread */
  uint32_t width;   /* as stored */
  uint32_t bits;    /* that it has at most */
  uint16_t reg;     /* whose implemented bits it has; 0: see state_allowed() */
};

#define PLACE(model, thread, width, bits, reg)                                                   \
  {                                                                                              \
#thread, offsetof(struct thread_state, model), offsetof(struct pmuv3_thread, thread), width, \
        bits, reg                                                                                \
  }

static const struct place places[] = {
#define REGISTER(member, id) PLACE(member, registers.member, 64, 64, PMUV3_##id),
#include "testbench/prove/equivalence/state_registers.def"
    PLACE(pmsscr, registers.pmsscr, 64, 64, 0),
    PLACE(pmccr, registers.pmccr, 64, 64, 0),
    PLACE(locked, registers.locked, 8, 1, 0),
    PLACE(cycles, state.cycles, 64, 64, 0),
    PLACE(instructions, state.instructions, 64, 64, 0),
    PLACE(waiting, state.waiting, 8, 1, 0),
    PLACE(captured, state.captured, 8, 1, 0), /* only while something waits */
    PLACE(divider, state.divider, 8, 6, 0),
    PLACE(saved_cycles, saved.cycles, 64, 64, 0),
    PLACE(saved_instructions, saved.instructions, 64, 64, 0),
};

/* Arrays with a place for each counter, at its number or in its lane. */
struct array {
  const char *name;
  size_t in_model, in_thread;
  uint32_t width;
  bool in_lanes;
};
#define ARRAY(model, thread, width, in_lanes)                                                    \
  {                                                                                              \
#thread, offsetof(struct thread_state, model), offsetof(struct pmuv3_thread, thread), width, \
        in_lanes                                                                                 \
  }

enum { EVTYPER, VALUE, CP, PENDING, SAVED };
static const struct array arrays[] = {
    [EVTYPER] = ARRAY(evtyper, registers.evtyper, 64, false),
    [VALUE] = ARRAY(value, state.value, 64, true),
    [CP] = ARRAY(CP, state.CP, 16, true),
    [PENDING] = ARRAY(pending, state.pending, 16, true),
    [SAVED] = ARRAY(saved, saved.value, 64, false),
};

term *state_member(struct thread_state *state, size_t offset);
uint64_t state_thread_address(const struct run *run, uint64_t pmu, unsigned t);
uint64_t state_array_address(const struct array *array, unsigned i);
/* The number of the counter in a lane, and the reverse. */
unsigned state_index_of(const struct array *array, unsigned n);
/* The bits that a place may have: every state that is reached has no other ones. */
term state_allowed(struct run *run, const struct place *place);
/* Likewise of an array. */
term state_allowed_in(struct run *run, const struct array *array, unsigned n);
void state_decode(struct run *run, uint64_t pmu);
/* Whether a thread counts in another one's PMU. */
term state_is_source(struct run *run, uint64_t thread, unsigned source);
void state_make_model(struct run *run);
/* The selection that the case is of, which nothing is derived from. */
void state_fix_selection(struct run *run);

/* ---- What is seen, and what holds (model_claims.c) ---- */

/* What is proved with one encoding that is no register's is proved with all. */
void claims_unknown_alike(struct run *run);
void claims_make_answers(struct run *run);
/* The pulses of the clock, after it; and that there are none after a reset. */
void claims_make_pulses(struct run *run);
void claims_no_pulses(struct run *run);
void claims_read_thread(struct run *run, uint64_t pmu, unsigned t, struct thread_state *state);
void claims_invariants(struct run *run, unsigned t);
/* A write in the clock of a cycle ends as the same access between two cycles, of which the theorem
 * speaks. */
void claims_written(struct run *run);
/* What a clock leaves alone: the parameters, the threads' states, and global variables. */
void claims_kept(struct run *run, const struct symex_mark *before);
/* Everything that the C model derives from its state when that changes is what it derives from the
 * state after the clock. */
void claims_derived(struct run *run, unsigned t);
/* Whether a byte of struct pmuv3_thread is of a row of what is derived. */
bool claims_has_row(size_t at);
/* A copy of the state alone, from which everything else is derived. */
void claims_derive_again(struct run *run);

/* ---- Cuts (model_cuts.c) ---- */

uint64_t cuts_values_address(const struct run *run, unsigned t, size_t field, unsigned n);
bool cuts_sums(const struct model *model);
void cuts_threshold(void *with, const term *arguments, bool after);
/* pmuv3_attribution(pmu, thread, cycle, contexts, values): while it runs, what it is given by the
 * filter is cut; and then what it has added up. */
void cuts_attribution(void *with, const term *arguments, bool after);

#endif
