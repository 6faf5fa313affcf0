/*
 * Proves a theorem: by structure, if both sides became the same term; from the proof cache; or with
 * solvers. Questions about a counter's values are split by the event that it counts.
 */
#ifndef PMUV3_PROVE_PROVER_H
#define PMUV3_PROVE_PROVER_H

#include "engine/cache/proof_cache.h"
#include "engine/smt/solver.h"
#include "testbench/prove/equivalence/second_opinion.h"
#include "testbench/prove/equivalence/theorem.h"

/* The result, in numbers. An assertion may have several queries. */
struct tally {
  size_t assertions;
  size_t by_structure, by_memory, by_solvers; /* queries proved */
  struct proofs proofs;                       /* of by_solvers */
  size_t of_whole_clock; /* of by_solvers: asked again, since a cut made a difference */
  size_t refuted, unknown, disagreed; /* queries not proved */
  double solver_seconds;              /* of all solvers, with the checker */
};

/* A query that was not proved. */
struct shortfall {
  const char *name;
  enum answer answer;
  const char *trouble; /* NULL: none */
  /* If the query is refuted: returns the value of a variable of the model, or 0 if any value will
   * do. Otherwise NULL. */
  uint64_t (*value)(const char *variable, void *with);
  void *with;
};

struct prover_options {
  struct proof_cache *cache;
  struct solver_options solver;
  double patience;     /* seconds for a query that was not answered within solver.seconds */
  bool stop;           /* the first shortfall ends the proof */
  bool cuts_stay_free; /* a refuted query is not asked about the whole clock */
  void (*answered)(const char *name, const struct result *result); /* called for each answer */
  void (*failed)(const struct shortfall *shortfall, const struct model *model);
};

/* Proves the theorem. False: a solver could not be run. */
bool prover_run(const struct theorem *theorem, const struct model *model,
                const struct prover_options *options, struct tally *tally);

/* Adds a tally to a sum. */
void tally_add(struct tally *sum, const struct tally *tally);

/* Whether there were assertions, and all are proved. */
bool tally_is_proved(const struct tally *tally);

#endif
