/*
 * Solvers at work beside each other: each question goes to each solver of a panel.
 */
#ifndef ENGINE_SMT_PANEL_H
#define ENGINE_SMT_PANEL_H

#include "engine/smt/certifier.h"
#include "engine/smt/smtlib.h"

enum { CERTIFIER, Z3, CVC5, NUM_SOLVERS };

/* What a solver said of a question. */
enum said {
  SAID_NOTHING, /* of use, or yet */
  SAID_UNSAT,
  SAID_SAT,      /* and gave the question's model; or none, which is trouble */
  SAID_REJECTED, /* and what was to show it does not hold, which is trouble: the certificate of
                    unsat, or the model of sat */
};

/* A query and what is known of it. */
struct question {
  const struct query *query;
  bool is_answered;
  struct smtlib_query *written; /* from when it is first needed until it is answered */
  unsigned num_heard;           /* solvers of the panel that will say nothing more */
  enum said said[NUM_SOLVERS];
  double seconds[NUM_SOLVERS];
  struct smtlib_model *model; /* that holds: it refutes the query. NULL: none yet */
  char *trouble;
};

/* Adds what is wrong with a solver's answer to the trouble. */
void question_add_trouble(struct question *question, unsigned solver, const char *what);
/* Its query, written for solvers. */
const struct smtlib_query *question_written(struct question *question,
                                            struct smtlib_writer *writer);

struct panel {
  unsigned first, last; /* these solvers, the last one too */
  struct question *questions;
  size_t num_questions;
  const struct query *queries; /* of the questions, numbered as they are */
  struct smtlib_writer *writer;
  unsigned jobs;
  double seconds; /* for each solver and question; 0: no limit */
  /* Called once for each question, when no solver will say more of it. */
  void (*heard)(struct question *question, void *with);
  void *with;
};

/* Asks the questions that are not answered. False: a solver could not be run, with a line on
 * stderr. */
bool panel_ask(const struct panel *panel);

#endif
