/*
 * z3 and cvc5 as the second opinion on what a certificate proves: of which questions it is asked,
 * and how many there are of each kind.
 */
#ifndef PMUV3_PROVE_SECOND_OPINION_H
#define PMUV3_PROVE_SECOND_OPINION_H

#include "engine/smt/solver.h"

/* A random sample of all questions: the same for the same questions, whatever their order. */
struct sample {
  unsigned one_in; /* 1: all of them */
  uint64_t seed;
};

/* A solver_doubts; with is a struct sample. */
bool sample_has(const struct query *query, void *with);

/* Proved queries: by one of these alone, or by both. */
struct proofs {
  size_t by_certificate, by_two_solvers, by_both_ways;
};

/* Counts one; it is an enum proof, or 0. */
void proofs_count(struct proofs *proofs, unsigned proof);
void proofs_add(struct proofs *sum, const struct proofs *proofs);

#endif
