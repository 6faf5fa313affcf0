/*
 * Queries as solvers read them (SMT-LIB 2.6, QF_BV), and the models that they answer with.
 */
#ifndef ENGINE_SMT_SMTLIB_H
#define ENGINE_SMT_SMTLIB_H

#include <stdio.h>

#include "engine/smt/solver.h"

/* What a solver is asked: unsat says that the condition is true under its assumptions. */
struct smtlib_query {
  char *text; /* from the name, in a comment, up to (check-sat) */
  size_t size;
  char *get_value; /* asks for the variables' values; "": it has none */
  term *vars;
  size_t num_vars;
};

/* Keeps what writing one query after the other needs. */
struct smtlib_writer;
struct smtlib_writer *smtlib_writer_new(void);
void smtlib_writer_free(struct smtlib_writer *writer);

struct smtlib_query *smtlib_write(struct smtlib_writer *writer, const struct query *query);
void smtlib_query_free(struct smtlib_query *query);

/* Questions with the same assumptions, for one session. */
struct smtlib_set {
  char *head;       /* what they have in common */
  char **questions; /* each with its (check-sat), after which nothing is left of it */
  size_t num_questions;
};

struct smtlib_set *smtlib_write_set(struct smtlib_writer *writer, const struct query_set *set);
void smtlib_set_free(struct smtlib_set *set);

/* Answers get_value as a solver does; value is as term_values_new asks for it. */
void smtlib_put_values(FILE *out, const struct smtlib_query *query,
                       void (*value)(term var, uint64_t *words, void *with), void *with);

/* Values of a query's variables. */
struct smtlib_model;

/* From the answer to get_value. NULL: it is none. */
struct smtlib_model *smtlib_read_model(const struct smtlib_query *query, const char *answer);
void smtlib_model_free(struct smtlib_model *model);

/* As term_values_new asks for it; with is the model. 0 for what is none of its variables. */
void smtlib_model_value(term var, uint64_t *words, void *with);

#endif
