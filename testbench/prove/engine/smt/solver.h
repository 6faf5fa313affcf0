/*
 * Queries to solvers: is a condition true whatever its variables are? A certificate shows it, which
 * CaDiCaL writes and the engine checks (engine/sat). Where there is none, two solvers that share
 * nothing, z3 and cvc5, must both say so. They also say what they think of what is doubted. All run
 * as processes beside each other, some at a time; queries are answered in any order.
 */
#ifndef ENGINE_SMT_SOLVER_H
#define ENGINE_SMT_SOLVER_H

#include "engine/term/term.h"

#ifdef __cplusplus
extern "C" {
#endif

enum answer {
  ANSWER_PROVED,   /* by a certificate that holds, or as z3 and cvc5 say so, and nobody differs */
  ANSWER_REFUTED,  /* a model makes the condition false and the assumptions true when the terms are
                      evaluated; trouble says which solver takes it for proved */
  ANSWER_UNKNOWN,  /* no certificate, and a time limit or trouble on z3 or cvc5 */
  ANSWER_DISAGREE, /* one says sat, but no model holds, or a certificate does not hold: a defect, of
                      a solver or of this. trouble says which */
};

/* How a query is proved; both, if it was doubted. */
enum proof { PROOF_CERTIFICATE = 1, PROOF_SOLVERS = 2 };

struct query {
  const char *name;        /* in the first line of its text */
  term condition;          /* to be proved */
  const term *assumptions; /* under these */
  size_t num_assumptions;
  void *with; /* the caller's */
};

struct result {
  enum answer answer;
  unsigned proof;    /* of a proved one: enum proof; 0: it needed no solver */
  double seconds[3]; /* of CaDiCaL with the checker, z3, cvc5 */
  /* Of a refuted one: a value of each variable, 0 where the solver does not say. */
  void (*value)(term var, uint64_t *words, void *model);
  void *model;
  /* What a solver said that is none of its answers, or is wrong: "z3: (error ...); cvc5: unsat".
   * NULL: nothing. */
  const char *trouble;
  /* Something of that is wrong: a certificate or a model does not hold, or unsat was said of what
   * is refuted. No later answer makes it good. */
  bool is_wrong;
};

/* Keeps a query as SMT-LIB: it is called with each before the first is asked. False: it failed, has
 * said so, and nothing is asked. */
typedef bool solver_keep(const char *name, const char *text, size_t size, void *with);

/* Whether z3 and cvc5 are asked of a query, too, though a certificate proves it. */
typedef bool solver_doubts(const struct query *query, void *with);

struct solver_options {
  unsigned jobs;     /* processes at work beside each other */
  double seconds;    /* of wall time, for each solver and query; 0: no limit */
  solver_keep *keep; /* NULL: no query is kept */
  void *keep_with;
  solver_doubts *doubts; /* NULL: no query is doubted. What is refuted always is */
  void *doubts_with;
  bool no_certificates; /* z3 and cvc5 alone are asked */
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

/* What a session says of one of them. What is not proved is to be asked again, by itself. */
struct said_together {
  unsigned proof;      /* how it is proved (enum proof); 0: it is not */
  const char *against; /* What CaDiCaL said against a proof: "cadical: sat in a session". If the
                          condition is proved later, the solvers disagree. NULL: nothing */
  bool is_wrong;       /* that is wrong: a certificate does not hold */
};

/* Asks for all of them in one session of each solver, which reads the assumptions once, each for at
 * most options->seconds (CaDiCaL: some times as long): said[i] is of the i-th condition. One that
 * is doubted is proved by both, or not at all. Of z3 and cvc5 nothing but unsat counts here.
 * Neither keeps queries, nor uses jobs. *seconds: how long that took. False: a solver could not be
 * run, with a line on stderr, and nothing is known of any. */
bool solve_together(const struct query_set *set, const struct solver_options *options,
                    struct said_together *said, double *seconds);

/* Asks CaDiCaL alone, so, until it says something against a proof. Nothing is proved, and nothing
 * said of the conditions after that one. False: as above. */
bool solve_until_refuted(const struct query_set *set, const struct solver_options *options,
                         struct said_together *said, double *seconds);

/* Of all that were asked. */
static inline double result_seconds(const struct result *result) {
  return result->seconds[0] + result->seconds[1] + result->seconds[2];
}

#ifdef __cplusplus
}
#endif

#endif
