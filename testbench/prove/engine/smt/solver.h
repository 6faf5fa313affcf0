/*
 * Queries to SMT solvers: is a condition true whatever its variables are? Two
 * solvers that share nothing, z3 and cvc5, must say so of each. They run beside
 * each other, some at a time; queries are answered in any order.
 */
#ifndef ENGINE_SMT_SOLVER_H
#define ENGINE_SMT_SOLVER_H

#include "engine/term/term.h"

#ifdef __cplusplus
extern "C" {
#endif

enum answer {
  ANSWER_PROVED,   /* both say unsat of the negation */
  ANSWER_REFUTED,  /* a model makes the condition false and the assumptions true when the terms are
                      evaluated, whatever the solvers say: the other one need not answer */
  ANSWER_UNKNOWN,  /* a time limit, or trouble, on one of them at least; the other may say unsat */
  ANSWER_DISAGREE, /* one says sat, but no model holds: a defect, of a solver or of this */
};

struct query {
  const char *name;        /* in the first line of its text */
  term condition;          /* to be proved */
  const term *assumptions; /* under these */
  size_t num_assumptions;
  void *with; /* the caller's */
};

struct result {
  enum answer answer;
  double seconds[2]; /* of z3, cvc5 */
  /* Of a refuted one: a value of each variable, 0 where the solver does not say. */
  void (*value)(term var, uint64_t *words, void *model);
  void *model;
  /* What a solver said that is none of its answers, or is wrong: "z3: (error ...); cvc5: unsat".
   * NULL: nothing. */
  const char *trouble;
};

/* Keeps a query as SMT-LIB: it is called with each before the first is asked. False: it failed, has
 * said so, and nothing is asked. */
typedef bool solver_keep(const char *name, const char *text, size_t size, void *with);

struct solver_options {
  unsigned jobs;     /* processes at work beside each other */
  double seconds;    /* of wall time, for each solver and query; 0: no limit */
  solver_keep *keep; /* NULL: no query is kept */
  void *keep_with;
};

/* Answers all queries; done is called, in this process, once for each of them as soon as it is
 * answered. A true condition, a false assumption, and what one of some dozens of assignments shows
 * to be false, need no solver: PROVED or REFUTED, with 0 seconds. False: a solver could not be run,
 * with a line on stderr, or a query not be kept. Not to be called by done. */
bool solve(const struct query *queries, size_t num_queries, const struct solver_options *options,
           void (*done)(const struct query *query, const struct result *result));

/* Conditions that are to be proved under the same assumptions. */
struct query_set {
  const term *assumptions;
  size_t num_assumptions;
  const term *conditions;
  size_t num_conditions;
};

/* Asks for all of them in one session of each solver, which reads the assumptions once: proved[i]
 * if both say unsat of the i-th condition within `each` seconds; of the others nothing is known.
 * *seconds: how long that took. False: a solver could not be run, with a line on stderr, and
 * nothing is known of any. */
bool solve_together(const struct query_set *set, double each, bool *proved, double *seconds);

/* The first of them that z3 says is refuted, so asked; num_conditions: of none it does within
 * `each` seconds. To be asked again, by itself. False: as above. */
bool solve_until_refuted(const struct query_set *set, double each, size_t *refuted,
                         double *seconds);

#ifdef __cplusplus
}
#endif

#endif
