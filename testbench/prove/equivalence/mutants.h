/*
 * What is to be proved of mutants of the C model, which are all in one module
 * behind a selector (testbench/signoff/mutate/cmodel.c): that in a case, from the same
 * state and with the same inputs, each does what none does. A case is run once
 * for all of them, with a selector that can be any. That the model itself keeps
 * what it claims is the other theorem.
 */
#ifndef PMUV3_PROVE_MUTANTS_H
#define PMUV3_PROVE_MUTANTS_H

#include "testbench/prove/equivalence/theorem.h"

/* For the numbers from 1. What is claimed of a mutant has a name that begins with "mutant NUMBER:";
 * what several claim alike is one question, of the first one's name.
 * Prints a line with the numbers of those that the case meets: of others nothing is shown by it.
 * False, with a line on stderr: the model has no selector. */
bool mutants_make(struct theorem *theorem, const struct model *model, unsigned number);

#endif
