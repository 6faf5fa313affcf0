/* The parts of the prover, which prover.c puts together. */
#ifndef PMUV3_PROVE_PROVER_INTERNAL_H
#define PMUV3_PROVE_PROVER_INTERNAL_H

#include "testbench/prove/equivalence/prover.h"

/* A query, and its answer so far. */
struct question {
  struct prover *prover;
  struct query query;
  char *name;
  const struct assertion *assertion;
  term whole; /* all assertions that share the question, for the values that it is asked for */
  enum answer answer;
  bool is_final; /* the question is not asked again */
  char *against; /* what a solver said against a proof (solver.h). NULL: nothing */
  bool is_wrong; /* that is wrong, and no refutation explains it */
};

/*
 * Every question is asked first PLAIN, then PATIENT if it was not answered. A refuted question is
 * asked about the whole clock, with no cut variable free, for a counterexample. The counterexample
 * is, in order of preference:
 *
 *   APART      of choices that tell most events apart, and nothing waits
 *   RICH       of an implementation with every feature
 *   PREFERRED  one that a stimulus file can have
 *   LAST       any
 */
enum round { PLAIN, PATIENT, APART, RICH, PREFERRED, LAST };

/* One theorem while it is proved. */
struct prover {
  const struct theorem *theorem;
  const struct model *model;
  const struct prover_options *options;
  struct tally *tally;
  struct question *questions;
  size_t num_questions;
  size_t from, to; /* the questions that are asked now */
  enum round round;
  /* The assumptions of the whole clock; each number includes those before. */
  term *definitions;
  size_t num_definitions, num_preferred, num_rich, num_apart;
  term shows; /* a wrong sum over threads is visible; TERM_NONE: not made yet */
};

/* ---- Questions (prover_questions.c) ---- */

/* Makes the questions of the theorem. */
void prover_ask_all(struct prover *prover);

struct digest prover_digest(const struct prover *prover, term condition);
bool prover_has_proved(const struct prover *prover, term condition);

/* The condition of an assertion, and its sides. The sides are compared after the replacement, which
 * simplifies more. */
struct claimed {
  term condition, sides[2];
};
struct claimed prover_claimed(const struct assertion *assertion);
/* Frees the replacements. */
struct claimed prover_replaced(const struct claimed *claimed, struct term_map *map);

/* The variable of the event number that a counter's PMEVTYPER selects. */
term prover_selected_event(const struct assertion *assertion);

/* ---- The whole clock (prover_whole.c) ---- */

/* Makes the assumptions of the whole clock. */
void prover_define_whole(struct prover *prover);

/* Turns a refuted question into one about the whole clock, for the round. */
void prover_ask_whole(struct question *question);

#endif
