/*
 * The C model as terms: its state before and after a clock, and its outputs in the clock. Variables
 * stand for the possible states. The invariants hold for any value of the variables: a bit that is
 * not implemented is 0.
 */
#ifndef PMUV3_PROVE_MODEL_H
#define PMUV3_PROVE_MODEL_H

#include "engine/symex/symex.h"
#include "engine/term/term.h"
#include "testbench/prove/equivalence/model_events.h"
#include "testbench/prove/equivalence/step.h"

/* The size of an instance: threads, counters of each thread, and further threads that are
 * elaborated but not implemented. */
struct size {
  unsigned threads;
  unsigned counters;
  unsigned absent;
};

/* "2x1", or with an absent thread "2x1+1". */
enum { SIZE_NAME = 16 };
const char *size_name(struct size size, char name[SIZE_NAME]);

/* A case is a clock with one kind of access: none; a read or a write of a register at a thread's
 * System register port, checked or not; or an APB transfer to a thread's page. */
enum model_access {
  MODEL_NO_ACCESS,
  MODEL_READ,
  MODEL_WRITE,
  MODEL_TRANSFER,
  /* Other cases are no clock. After a reset the states are equal, whatever they were. After a
   * change of a thread's state (pmuv3_set_pe) the values that the C model derives from it are
   * right. MODEL_WAIT: the C model does in one step what the RTL does in two clocks. */
  MODEL_RESET,
  MODEL_COLD_RESET,
  MODEL_SET_PE,
  MODEL_WAIT,
};

/* The layout of the external page: no page, words, doublewords. A transfer is proved for each. */
enum model_layout { MODEL_NO_PAGE, MODEL_EXT32, MODEL_EXT64, MODEL_LAYOUTS };

struct model_case {
  bool cycle; /* the clock is a Processor cycle */
  enum model_access access;
  unsigned thread; /* a transfer's page, even if there is no such thread */
  uint16_t place;  /* the register; a transfer's offset in the page; without an access, enum
                      model_idle; for MODEL_WAIT, the register that is written first */
  bool is_unknown; /* any encoding without a register; the C model does the same for all, and gets
                      the one at `place` */
  enum model_layout layout; /* for a transfer */
  uint8_t sel;              /* PMSELR_EL0, for a register that it selects */
};

/* Whether PMSELR_EL0 selects the register. */
bool model_is_selected(uint16_t reg);

/* Whether the encoding is a register, which is a case of its own. */
bool model_knows_register(uint16_t reg);

/* Why the APB has no transfer. While a port has an access, the APB may have anything. */
enum model_idle { MODEL_NO_PSEL, MODEL_NO_PENABLE, MODEL_NO_PCLKEN, MODEL_IDLES };

/* The architectural state of a thread, as struct pmuv3_thread has it. */
struct thread_state {
  term evtyper[PMUV3_MAX_COUNTERS]; /* 64 bits, and so are the other registers */
#define REGISTER(member, id) term member;
#include "testbench/prove/equivalence/state_registers.def"
  term pmsscr, pmccr;
  term locked; /* 1 bit */
  term value[PMUV3_MAX_COUNTERS], cycles, instructions;
  term CP[PMUV3_MAX_COUNTERS];      /* 16 bits, all of them alike */
  term pending[PMUV3_MAX_COUNTERS]; /* 16 bits */
  term waiting, captured;           /* 1 bit */
  term divider;                     /* 8 bits */
  term saved[PMUV3_MAX_COUNTERS], saved_cycles, saved_instructions;
};

/* State that only the RTL has. The RTL copies a snapshot in the clock after the capture; until then
 * the C model's saved values equal the counters. */
struct copy_state {
  term copying;                      /* 1 bit */
  term values, cycles, instructions; /* the last copy */
};

/* A counter's values in a Processor cycle, 16 bits each. */
struct lane_values {
  term allowed, VB, CT, CP, CE, VT, VE, V;
};

/* The input of a clock, in the widths of the RTL's ports. */
struct thread_inputs {
  term pe;                                     /* pe_t */
  term other;                                  /* context_t */
  term count[MODEL_EVENTS][PMUV3_NUM_ORIGINS]; /* 8 bits; TERM_NONE: impossible */
  term write, read, checked, reg, value;
  term capture; /* 1 bit */
};

struct model_inputs {
  struct thread_inputs thread[PMUV3_MAX_THREADS];
  term psel, penable, pclken; /* select: all of them */
  term select, transfer_write, page, space, offset, strobes, word;
};

/* A cut is a value between two stages. The stages after the cut are proved for any value; the
 * stages before it are proved to drive it equally. */
enum cut { CUT_ALLOWED, CUT_VB, CUT_V, CUTS };
struct model_cut {
  term any;    /* the variable */
  term driven; /* the term that drives the value, 16 bits */
  term value;  /* the value that the stages after the cut use: 0 where counting is not allowed */
};
#define MODEL_VALUE_WIDTH 12 /* of VB and V, as the RTL has them */

/* The contexts of a source thread in which a counter counts, as the filter decides. With several
 * threads this is cut, too. */
enum { MODEL_MAPS = 2 }; /* enum pmuv3_attributability */
struct model_map {
  term any;    /* the variable */
  term stale;  /* a variable that nothing should read */
  term driven; /* the term that drives the value, 16 bits */
  term value;  /* the value after the cut: 0 if the counter does not add the thread up */
};

/* With several threads two more values are cut: whether the counter adds up other threads, and the
 * sum. */
struct model_part {
  term any;    /* the variable */
  term driven; /* the term that drives the value */
};

struct model_answers {
  term error[PMUV3_MAX_THREADS], result[PMUV3_MAX_THREADS], value[PMUV3_MAX_THREADS];
  term syndrome[PMUV3_MAX_THREADS];
  term ready, transfer_error, transfer_writes, word;
  term irq[PMUV3_MAX_THREADS], cti[PMUV3_MAX_THREADS], exception[PMUV3_MAX_THREADS];
  term halt[PMUV3_MAX_THREADS], brbe[PMUV3_MAX_THREADS];
  term pulses[PMUV3_MAX_THREADS]; /* 64 bits, of a Processor cycle */
};

/* Where values are cut: nowhere, between the stages, or also in the sums over threads. */
enum model_cut_at { MODEL_CUT_NOWHERE, MODEL_CUT_STAGES, MODEL_CUT_SUMS };

/* A condition that must hold. */
struct claim {
  char *name;
  term condition;
  bool is_promise; /* symex.h */
};

struct model {
  struct size size;
  struct model_case which;
  term params[64]; /* as fields of config_t, in its order, widths as there */
  unsigned num_params;
  term features; /* PMUV3_NUM_FEATURES bits */
  struct event_terms events[MODEL_EVENTS];
  struct model_inputs inputs;
  struct thread_state now[PMUV3_MAX_THREADS], next[PMUV3_MAX_THREADS];
  struct copy_state copies[PMUV3_MAX_THREADS];
  struct lane_values values[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS];
  enum model_cut_at cut_at;
  struct model_cut cuts[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS][CUTS]; /* in a Processor cycle */
  struct model_map maps[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS][PMUV3_MAX_THREADS][MODEL_MAPS];
  struct model_part groups[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS];  /* 1 bit */
  struct model_cut eligible[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS]; /* a bit for each thread */
  struct model_part sums[PMUV3_MAX_THREADS]
                        [PMUV3_MAX_COUNTERS];          /* 16 bits, of any in MODEL_VALUE_WIDTH */
  term sources[PMUV3_MAX_THREADS];                     /* 8 bits: the threads whose maps are used */
  term contexts[PMUV3_MAX_THREADS][PMUV3_NUM_ORIGINS]; /* 16 bits, as sets */
  struct model_answers answers;
  term *assumptions; /* legal parameters and inputs; the same in most cases */
  size_t num_assumptions;
  term *particulars; /* further assumptions of this case */
  size_t num_particulars;
  term *denials; /* model_denials() */
  size_t num_denials;
  term denied;          /* the variable of all denials, and of nothing else that is assumed */
  struct claim *claims; /* invariants after the clock, and no undefined behaviour */
  size_t num_claims;
  term *variables; /* all variables of the terms above */
  size_t num_variables;
  size_t steps;    /* instructions of IR */
  size_t trivial;  /* obligations that are constant true */
  term mutant;     /* the selector of mutants; TERM_NONE: the bitcode has none */
  struct run *run; /* how the terms are made */
};

/* Makes the clock of a case, from any state. NULL: failed; a line on stderr says why. */
struct model *model_new(const char *bitcode, struct size size, const struct model_case *which,
                        enum model_cut_at cut_at);

/* The same in two steps. model_begin makes the state and the inputs, which many cases share;
 * model_finish makes the clock. */
bool model_begin_alike(const struct model_case *a, const struct model_case *b);
struct model *model_begin(const char *bitcode, struct size size, const struct model_case *which,
                          enum model_cut_at cut_at);
/* Makes the clock of a case and drops it. What the C model did there is kept: a case of the same
 * beginning does not execute what it would do alike, and has the same terms (symex.h). */
void model_rehearse(struct model *model, const struct model_case *which);
void model_finish(struct model *model, const struct model_case *which);
/* One claim more. The name is freed with the model. */
void model_claim(struct model *model, char *name, term condition);
void model_free(struct model *model);

/* Comparisons that are false in this case, whatever its variables are. */
struct model_denials {
  const term *conditions;
  size_t number;
};
struct model_denials model_denials(const struct model *model);

/* How many of the assumptions a condition can need, from the first: all, or all but the denials. */
size_t model_num_needed(const struct model *model, term condition);

/* Whether a variable of other cases is constant in this case. */
bool model_fixes(const struct model *model, const char *name, uint64_t *value);

/* A parameter or choice, by its field in struct pmuv3_params. TERM_NONE: there is none. */
term model_param(const struct model *model, const char *name);
/* pmuv3_has_software_lock. */
term model_has_software_lock(const struct model *model);

/* The variable of this name. TERM_NONE: there is none. */
term model_variable(const struct model *model, const char *name);

/* Whether an instance of this size has sums over threads, which MODEL_CUT_SUMS cuts. */
bool model_has_sums(struct size size);

/* Whether the case is a clock of the RTL. */
bool model_is_clock(const struct model_case *which);
bool model_is_reset(const struct model_case *which);

/* A term's field, msb..lsb. */
static inline term field(term a, unsigned msb, unsigned lsb) {
  return term_extract(a, lsb, msb - lsb + 1);
}

#endif
