/*
 * Proves non-interference for a place: asks solvers, and those questions that must
 * be refuted too.
 */
#ifndef PMUV3_PROVE_INTERFERENCE_RUN_H
#define PMUV3_PROVE_INTERFERENCE_RUN_H

#include "engine/smt/solver.h"
#include "testbench/prove/equivalence/second_opinion.h"
#include "testbench/prove/interference/interference.h"

enum { PLACE_SHORTFALL_SIZE = 200 };

/* Of a place: small enough to arrive whole through a pipe. */
struct place_report {
  unsigned size; /* its number in the options */
  enum place place;
  size_t questions, proved;  /* that must hold, and do */
  size_t must_fail, refuted; /* and that must not, and do not */
  struct proofs proofs;      /* of proved */
  double solver_seconds;     /* of all */
  double seconds;
  char shortfall[PLACE_SHORTFALL_SIZE]; /* the first; "": none */
};

struct place_options {
  struct solver_options solver;
  double patience; /* seconds for what is not answered within solver.seconds */
  void (*answered)(const char *name, const struct result *result);
  void (*failed)(const char *name, bool must_fail, const struct result *result);
};

/* size and seconds are the caller's. False: a solver could not be run. */
bool place_prove(const struct model *model, enum place place, const struct place_options *options,
                 struct place_report *report);

/* A proof of nothing is none; and neither is one in which nothing could have failed. */
bool place_is_proved(const struct place_report *report);

#endif
