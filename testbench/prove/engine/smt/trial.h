/*
 * Values tried on a query: whether they refute it. Assignments of several kinds that need no
 * solver.
 */
#ifndef ENGINE_SMT_TRIAL_H
#define ENGINE_SMT_TRIAL_H

#include "engine/smt/solver.h"

enum { TRIALS = 48 };

/* An assignment of all variables. */
struct trial {
  unsigned number; /* below TRIALS */
};

/* As term_values_new asks for it; with is the trial. */
void trial_value(term var, uint64_t *words, void *with);

/* Whether the assumptions are true and the condition is false. */
bool trial_values_refute(const struct query *query, struct term_values *values);
bool trial_refutes(const struct query *query, void (*value)(term var, uint64_t *words, void *with),
                   void *with);

#endif
