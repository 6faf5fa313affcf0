#include "engine/smt/solver.h"

#include <stdlib.h>

#include "engine/smt/panel.h"
#include "engine/smt/trial.h"
#include "engine/term/checked.h"

struct session {
  const struct solver_options *options;
  void (*done)(const struct query *query, const struct result *result);
  struct question *questions;
  size_t num_questions;
  struct smtlib_writer *writer;
};

/* ---- Answers ---- */

static void answer(const struct session *session, struct question *question,
                   const struct result *result) {
  question->is_answered = true;
  session->done(question->query, result);
  smtlib_query_free(question->written);
  smtlib_model_free(question->model);
  free(question->trouble);
  question->written = NULL;
  question->model = NULL;
  question->trouble = NULL;
}

/* Who has proved it. */
static unsigned proof_of(const struct question *question) {
  const enum said *said = question->said;
  unsigned proof = 0;
  if (said[CERTIFIER] == SAID_UNSAT) proof |= PROOF_CERTIFICATE;
  if (said[Z3] == SAID_UNSAT && said[CVC5] == SAID_UNSAT) proof |= PROOF_SOLVERS;
  return proof;
}

/* Whether somebody said what does not hold. */
static bool is_any_wrong(const struct question *question) {
  for (unsigned i = 0; i < NUM_SOLVERS; i++) {
    const enum said said = question->said[i];
    if (said == SAID_REJECTED || (question->model && said == SAID_UNSAT)) return true;
  }
  return false;
}

/* A refutation shows whoever said unsat to be wrong. */
static enum answer verdict(struct question *question) {
  bool is_wrong = false;
  for (unsigned i = 0; i < NUM_SOLVERS; i++) {
    const enum said said = question->said[i];
    is_wrong = is_wrong || said == SAID_SAT || said == SAID_REJECTED;
    if (question->model && said == SAID_UNSAT) question_add_trouble(question, i, "unsat");
  }
  if (question->model) return ANSWER_REFUTED;
  if (is_wrong) return ANSWER_DISAGREE;
  return proof_of(question) ? ANSWER_PROVED : ANSWER_UNKNOWN;
}

/* From all that was said. */
static void conclude(struct question *question, void *with) {
  struct result result = {.answer = verdict(question)};
  result.trouble = question->trouble;
  result.is_wrong = is_any_wrong(question);
  if (result.answer == ANSWER_PROVED) result.proof = proof_of(question);
  if (result.answer == ANSWER_REFUTED) result.value = smtlib_model_value;
  result.model = question->model;
  for (size_t i = 0; i < NUM_SOLVERS; i++) result.seconds[i] = question->seconds[i];
  answer(with, question, &result);
}

/* ---- Without solvers ---- */

/* It follows from what is constant in it. */
static bool is_trivial(const struct query *query) {
  if (term_is_true(query->condition)) return true;
  for (size_t i = 0; i < query->num_assumptions; i++)
    if (term_is_false(query->assumptions[i])) return true;
  return false;
}

static void answer_trivial(struct session *session) {
  for (size_t i = 0; i < session->num_questions; i++) {
    struct question *question = &session->questions[i];
    if (!is_trivial(question->query)) continue;
    struct result result = {.answer = ANSWER_PROVED};
    answer(session, question, &result);
  }
}

/* Most of what is false is so under one of a few assignments; each is tried on all queries, since
 * they share most of their terms. */
static void try_assignment(struct session *session, struct trial *trial) {
  struct term_values *values = term_values_new(trial_value, trial);
  for (size_t i = 0; i < session->num_questions; i++) {
    struct question *question = &session->questions[i];
    if (question->is_answered || !trial_values_refute(question->query, values)) continue;
    struct result result = {.answer = ANSWER_REFUTED, .value = trial_value, .model = trial};
    answer(session, question, &result);
  }
  term_values_free(values);
}

static void answer_by_trial(struct session *session) {
  for (unsigned i = 0; i < TRIALS; i++) try_assignment(session, &(struct trial){.number = i});
}

/* ---- Files ---- */

static bool keep(struct session *session, const struct query *query) {
  struct smtlib_query *written = smtlib_write(session->writer, query);
  const bool kept = session->options->keep(query->name, written->text, written->size,
                                           session->options->keep_with);
  smtlib_query_free(written);
  return kept;
}

static bool keep_all(struct session *session) {
  if (!session->options->keep) return true;
  for (size_t i = 0; i < session->num_questions; i++)
    if (!keep(session, session->questions[i].query)) return false;
  return true;
}

/* ---- Solvers ---- */

/* A certificate is enough, unless it is doubted. */
static void conclude_if_certified(struct question *question, void *with) {
  const struct session *session = with;
  const struct solver_options *options = session->options;
  if (question->said[CERTIFIER] != SAID_UNSAT) return;
  if (options->doubts && options->doubts(question->query, options->doubts_with)) return;
  conclude(question, with);
}

static bool ask(struct session *session, const struct query *queries) {
  enum { MOST_JOBS = SOLVER_PROCESSES / NUM_SOLVERS };
  const unsigned jobs = session->options->jobs;
  struct panel panel = {.questions = session->questions,
                        .num_questions = session->num_questions,
                        .queries = queries,
                        .writer = session->writer,
                        .jobs = jobs < 1           ? 1
                                : jobs > MOST_JOBS ? MOST_JOBS
                                                   : jobs,
                        .seconds = session->options->seconds,
                        .heard = conclude_if_certified,
                        .with = session};
  panel.first = panel.last = CERTIFIER;
  if (!session->options->no_certificates && !panel_ask(&panel)) return false;
  panel.first = Z3;
  panel.last = CVC5;
  panel.heard = conclude;
  return panel_ask(&panel);
}

/* ---- All queries ---- */

static void set_up(struct session *session, const struct query *queries, size_t num_queries) {
  session->questions = checked(calloc(num_queries + 1, sizeof *session->questions));
  session->num_questions = num_queries;
  for (size_t i = 0; i < num_queries; i++) session->questions[i].query = &queries[i];
  session->writer = smtlib_writer_new();
}

static void clean_up(struct session *session) {
  for (size_t i = 0; i < session->num_questions; i++) {
    smtlib_query_free(session->questions[i].written);
    smtlib_model_free(session->questions[i].model);
    free(session->questions[i].trouble);
  }
  smtlib_writer_free(session->writer);
  free(session->questions);
}

bool solve(const struct query *queries, size_t num_queries, const struct solver_options *options,
           void (*done)(const struct query *query, const struct result *result)) {
  struct session session = {.options = options, .done = done};
  set_up(&session, queries, num_queries);
  solver_processes_guard();
  bool good = keep_all(&session);
  if (good) {
    answer_trivial(&session);
    answer_by_trial(&session);
    good = ask(&session, queries);
  }
  clean_up(&session);
  solver_processes_unguard();
  return good;
}
