/*
 * The C model as terms: its state before and after a clock, and what is seen in
 * between. Variables stand for what the state may be, and the invariants hold
 * of it whatever they are: a bit that is not implemented is 0.
 */
#ifndef PMUV3_PROVE_MODEL_H
#define PMUV3_PROVE_MODEL_H

#include "engine/symex/symex.h"
#include "engine/term/term.h"
#include "testbench/prove/equivalence/step.h"

/* Instances: so many threads, with up to so many counters; and so many threads more that are
 * elaborated, but not implemented. */
struct size {
  unsigned threads;
  unsigned counters;
  unsigned absent;
};

/* "2x1", or with an absent thread "2x1+1". */
enum { SIZE_NAME = 16 };
const char *size_name(struct size size, char name[SIZE_NAME]);

/* A clock is proved access by access: nothing is accessed; or a thread's System register port has a
 * read or a write, checked or not, of a register; or the APB has a transfer to a thread's page. */
enum model_access {
  MODEL_NO_ACCESS,
  MODEL_READ,
  MODEL_WRITE,
  MODEL_TRANSFER,
  /* And what is no clock: resets, after which the states are equal, whatever they were; and a
   * change of a thread's state (pmuv3_set_pe), after which what the C model derives from it is
   * right; and what the C model does at once and the RTL in two clocks, each of which is a case. */
  MODEL_RESET,
  MODEL_COLD_RESET,
  MODEL_SET_PE,
  MODEL_WAIT,
};

/* The layout of the external page, which a transfer is proved for each of: no page, in words, in
 * doublewords. */
enum model_layout { MODEL_NO_PAGE, MODEL_EXT32, MODEL_EXT64, MODEL_LAYOUTS };

struct model_case {
  bool cycle; /* the clock is a Processor cycle */
  enum model_access access;
  unsigned thread; /* of a transfer: the page, whether there is such a thread or not */
  uint16_t place;  /* the register; the offset in the page; of no access, enum model_idle; of what
                      waits, the register that is written first */
  bool is_unknown; /* the register is any that is none: the C model has the one at place, and does
                      the same for all of them */
  enum model_layout layout; /* of a transfer */
  uint8_t sel;              /* PMSELR_EL0, of an access to what it selects */
};

/* Whether PMSELR_EL0 says which register it is. */
bool model_is_selected(uint16_t reg);

/* Encodings that are each a case: those of registers. */
bool model_knows_register(uint16_t reg);

/* Why the APB has no transfer; while a port has an access anything may be there. */
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
  term waiting;                     /* 1 bit */
  term divider;                     /* 8 bits */
  term saved[PMUV3_MAX_COUNTERS], saved_cycles, saved_instructions;
};

/* What the RTL alone has: a snapshot is copied in the clock after the capture. Until then the C
 * model's saved values are the counters. */
struct copy_state {
  term copying;                      /* 1 bit */
  term values, cycles, instructions; /* what was copied before */
};

/* A counter's values of a Processor cycle, 16 bits each. */
struct lane_values {
  term allowed, VB, CT, CP, CE, VT, VE, V;
};

/* The input of a clock, in the widths of the RTL's ports. */
struct thread_inputs {
  term pe;                                         /* pe_t */
  term other;                                      /* context_t */
  term count[PMUV3_NUM_EVENTS][PMUV3_NUM_ORIGINS]; /* 8 bits; TERM_NONE: cannot come about so */
  term write, read, checked, reg, value;
};

struct model_inputs {
  struct thread_inputs thread[PMUV3_MAX_THREADS];
  term psel, penable, pclken; /* select: all of them */
  term select, transfer_write, page, space, offset, strobes, word;
};

/* A value between stages, which is cut: what is made of it is proved for any value, and what it is
 * made of apart. */
enum cut { CUT_ALLOWED, CUT_VB, CUT_V, CUTS };
struct model_cut {
  term any;    /* the variable */
  term driven; /* what it is, 16 bits */
  term value;  /* what it is taken for: 0 where counting is not allowed, which it is of no counter
                   that is not there */
};
#define MODEL_VALUE_WIDTH 12 /* of VB and V, as the RTL has them */

/* What the filter says of a counter and a source thread, which is cut too where there are several:
 * the contexts in which occurrences count. They are looked up in it by the thread's contexts. */
enum { MODEL_MAPS = 2 }; /* enum pmuv3_attributability */
struct model_map {
  term any;    /* the variable */
  term stale;  /* a variable, where nothing is to look at it */
  term driven; /* what it is, 16 bits */
  term value;  /* what it is taken for: 0 of what the counter does not add up */
};

/* Also cut then: whether the counter adds up what occurs on other threads, and the sum. */
struct model_part {
  term any;    /* the variable */
  term driven; /* what it is */
};

struct model_answers {
  term error[PMUV3_MAX_THREADS], result[PMUV3_MAX_THREADS], value[PMUV3_MAX_THREADS];
  term ready, transfer_error, word;
  term irq[PMUV3_MAX_THREADS], cti[PMUV3_MAX_THREADS], exception[PMUV3_MAX_THREADS];
};

/* Where values are cut: nowhere, between the stages, or there and where several threads' events are
 * added up. */
enum model_cut_at { MODEL_CUT_NOWHERE, MODEL_CUT_STAGES, MODEL_CUT_SUMS };

/* Something that must hold, by name. */
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
  struct model_inputs inputs;
  struct thread_state now[PMUV3_MAX_THREADS], next[PMUV3_MAX_THREADS];
  struct copy_state copies[PMUV3_MAX_THREADS];
  struct lane_values values[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS];
  enum model_cut_at cut_at;
  struct model_cut cuts[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS][CUTS]; /* of a cycle, if it is cut */
  struct model_map maps[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS][PMUV3_MAX_THREADS][MODEL_MAPS];
  struct model_part groups[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS];  /* 1 bit */
  struct model_cut eligible[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS]; /* a bit for each thread */
  struct model_part sums[PMUV3_MAX_THREADS]
                        [PMUV3_MAX_COUNTERS];          /* 16 bits, of any in MODEL_VALUE_WIDTH */
  term sources[PMUV3_MAX_THREADS];                     /* 8 bits: the threads whose maps are used */
  term contexts[PMUV3_MAX_THREADS][PMUV3_NUM_ORIGINS]; /* 16 bits, as sets */
  struct model_answers answers;
  term *assumptions; /* of legal parameters and inputs, alike in most cases */
  size_t num_assumptions;
  term *particulars; /* what else is so in this case, for which the terms are made already */
  size_t num_particulars;
  term *denials; /* model_denials() */
  size_t num_denials;
  struct claim *claims; /* the invariants hold after the clock; nothing is undefined */
  size_t num_claims;
  term *variables; /* that all of this is made of */
  size_t num_variables;
  size_t steps;    /* instructions of IR */
  size_t trivial;  /* obligations that are constant */
  term mutant;     /* a variable, if the bitcode has a selector of mutants; else TERM_NONE */
  struct run *run; /* how the terms are made */
};

/* The clock of a case, from any state. NULL: a line on stderr. */
struct model *model_new(const char *bitcode, struct size size, const struct model_case *which,
                        enum model_cut_at cut_at);

/* The same in two steps, of which many cases have the first in common: any state and inputs, before
 * it is known what is accessed; and a clock from there. */
bool model_begin_alike(const struct model_case *a, const struct model_case *b);
struct model *model_begin(const char *bitcode, struct size size, const struct model_case *which,
                          enum model_cut_at cut_at);
void model_finish(struct model *model, const struct model_case *which);
void model_free(struct model *model);

/* What is not so in this case, whatever its variables are: comparisons with what it is none of. */
struct model_denials {
  const term *conditions;
  size_t number;
};
struct model_denials model_denials(const struct model *model);

/* Whether something that is a variable in other cases has a value in this one. */
bool model_fixes(const struct model *model, const char *name, uint64_t *value);

/* The variable of this name. TERM_NONE: there is none. */
term model_variable(const struct model *model, const char *name);

/* Whether there are sums over threads, which MODEL_CUT_SUMS cuts. */
bool model_has_sums(struct size size);

/* Whether there is a clock, in which something is seen and the RTL does something. */
bool model_is_clock(const struct model_case *which);
bool model_is_reset(const struct model_case *which);

/* A term's field, msb..lsb. */
static inline term field(term a, unsigned msb, unsigned lsb) {
  return term_extract(a, lsb, msb - lsb + 1);
}

#endif
