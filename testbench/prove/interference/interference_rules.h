/*
 * Where counting is prohibited or filtered: the rules once more, as conditions on
 * the model's registers and threads' states, with nothing of the C model's own
 * functions (rules.md C.0, D.2, D.4, G.1).
 */
#ifndef PMUV3_PROVE_INTERFERENCE_RULES_H
#define PMUV3_PROVE_INTERFERENCE_RULES_H

#include "testbench/prove/equivalence/model.h"

/* ---- Conditions ---- */

#define RULES_LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define ALL(...) rules_all((const term[]){__VA_ARGS__}, RULES_LENGTH(((const term[]){__VA_ARGS__})))
#define ANY(...) rules_any((const term[]){__VA_ARGS__}, RULES_LENGTH(((const term[]){__VA_ARGS__})))
#define NOT(a) term_not(a)
term rules_all(const term *conditions, size_t number);
term rules_any(const term *conditions, size_t number);
term rules_is(term a, uint64_t value);

/* ---- Who counts ---- */

enum kind { COUNTER, CYCLES, INSTRUCTIONS, INTERRUPTS, SOFTWARE };

/* A counter of a thread's PMU; or what it tells others: its interrupts, as a counter of R1; or the
 * software of the thread, which accesses registers. */
struct observer {
  const struct model *model;
  unsigned thread;
  enum kind kind;
  unsigned n; /* of a COUNTER */
};

/* Its range. */
term rules_in_r1(const struct observer *observer, unsigned n);
term rules_in_r2(const struct observer *observer, unsigned n);
term rules_in_r3(const struct observer *observer, unsigned n);

/* ISBQGJ: software, in the thread's state, reaches it by System registers. */
term rules_reached(const struct observer *observer, unsigned n);

/* Effective MT: it counts with its group. */
term rules_grouped(const struct observer *observer);

/* ---- Where ---- */

/* Of what happens in a thread. */
struct context {
  unsigned thread;
  term el, ss;
};
struct context rules_current(const struct model *model, unsigned thread);
struct context rules_other(const struct model *model, unsigned thread);

/* An event counter's counting there, by what prohibits it. */
struct prohibition {
  term secure, el3, el2;
};
struct prohibition rules_prohibition(const struct observer *observer, const struct context *of);
struct prohibition rules_prohibition_r1(const struct observer *observer, const struct context *of);

term rules_prohibited(const struct observer *observer, const struct context *of);
term rules_filtered(const struct observer *observer, const struct context *of);

/* ---- What they are made of ---- */

/* A variable of the model by its name. TERM_NONE: there is none. */
__attribute__((format(printf, 2, 3))) term rules_variable(const struct model *model,
                                                          const char *text, ...);
term rules_pe(const struct model *model, unsigned thread, const char *name);
/* A parameter or choice, by its field in struct pmuv3_params. */
term rules_param(const struct model *model, const char *field);
term rules_has(const struct model *model, enum pmuv3_feature feature);

#endif
