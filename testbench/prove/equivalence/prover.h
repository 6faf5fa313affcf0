/*
 * Proves a theorem: by structure, where both sides became the same term; as what
 * was proved before; or by both solvers. A counter's values are taken apart by
 * the event that it counts.
 */
#ifndef PMUV3_PROVE_PROVER_H
#define PMUV3_PROVE_PROVER_H

#include "engine/cache/proof_cache.h"
#include "engine/smt/solver.h"
#include "testbench/prove/equivalence/theorem.h"

/* How many, and how. */
struct tally {
  size_t assertions;
  size_t by_structure, by_memory,
      by_solvers; /* proved: queries, of which an assertion may have several */
  size_t refuted, unknown, disagreed;
  double solver_seconds; /* of both */
};

/* Something that was not proved. */
struct shortfall {
  const char *name;
  enum answer answer;
  const char *trouble; /* NULL: none */
  /* Of what is refuted: the value of a variable of the model, by its name; 0 where it does not
   * matter. */
  uint64_t (*value)(const char *variable, void *with);
  void *with;
};

struct prover_options {
  struct proof_cache *cache; /* of what is proved */
  struct solver_options solver;
  double patience;     /* seconds for what is not answered within solver.seconds, tried again */
  bool stop;           /* at the first shortfall: the others are not asked */
  bool cuts_stay_free; /* what is refuted with them is not asked of the whole clock */
  void (*answered)(const char *name, const struct result *result); /* by the solvers */
  void (*failed)(const struct shortfall *shortfall, const struct model *model);
};

/* What is in the cache is not asked again. False: a solver could not be run. */
bool prover_run(const struct theorem *theorem, const struct model *model,
                const struct prover_options *options, struct tally *tally);

void tally_add(struct tally *sum, const struct tally *tally);
bool tally_is_proved(const struct tally *tally);

#endif
