#define _POSIX_C_SOURCE 200809L
#include "engine/smt/solver.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/smt/clock.h"
#include "engine/smt/smtlib.h"
#include "engine/smt/solver_process.h"
#include "engine/smt/trial.h"
#include "engine/term/checked.h"

enum { Z3, CVC5, NUM_SOLVERS };

static const struct {
  const char *name;
  const char *const command[4];
} solvers[NUM_SOLVERS] = {
    [Z3] = {"z3", {"z3", "-in", NULL}},
    [CVC5] = {"cvc5", {"cvc5", "--lang=smt2.6", "--bitblast=eager", NULL}},
};

/* What a solver said of a query. */
enum said {
  SAID_NOTHING, /* of use, or yet */
  SAID_UNSAT,
  SAID_SAT, /* but gave no model that holds: with one the query is answered */
};

/* A query and what is known of it. */
struct question {
  const struct query *query;
  bool is_answered;
  struct smtlib_query *written; /* from when it is first asked until it is answered */
  unsigned num_heard;           /* solvers that will say nothing more */
  enum said said[NUM_SOLVERS];
  double seconds[NUM_SOLVERS];
  char *trouble;
};

/* A process and the question that it works on; NULL: none. */
struct worker {
  unsigned solver;
  struct solver_process process;
  struct question *question;
  bool says_sat; /* and is asked for the model */
  double since;
};

struct session {
  const struct solver_options *options;
  void (*done)(const struct query *query, const struct result *result);
  struct question *questions;
  size_t num_questions;
  struct worker *workers; /* as many of each solver as there are jobs: not all of them work */
  size_t num_workers;
  unsigned jobs;
  unsigned num_busy;
  size_t next; /* of what is to be asked: each question goes to each solver */
  struct smtlib_writer *writer;
};

/* ---- Answers ---- */

static void add_trouble(struct question *question, const char *solver, const char *what) {
  enum { LONGEST = 200 };
  const char *old = question->trouble ? question->trouble : "";
  size_t length = strcspn(what, "\r\n");
  size_t size = strlen(old) + strlen(solver) + LONGEST + 8;
  char *new = checked(malloc(size));
  snprintf(new, size, "%s%s%s: %.*s", old, *old ? "; " : "", solver,
           (int)(length < LONGEST ? length : LONGEST), what);
  free(question->trouble);
  question->trouble = new;
}

static void answer(struct session *session, struct question *question,
                   const struct result *result) {
  question->is_answered = true;
  session->done(question->query, result);
  smtlib_query_free(question->written);
  question->written = NULL;
  free(question->trouble);
  question->trouble = NULL;
}

static struct result result_of(const struct question *question, enum answer answer) {
  struct result result = {.answer = answer, .trouble = question->trouble};
  for (size_t i = 0; i < NUM_SOLVERS; i++) result.seconds[i] = question->seconds[i];
  return result;
}

/* From what both solvers said; neither has refuted it. */
static enum answer verdict(const struct question *question) {
  const enum said *said = question->said;
  if (said[Z3] == SAID_SAT || said[CVC5] == SAID_SAT) return ANSWER_DISAGREE;
  if (said[Z3] == SAID_UNSAT && said[CVC5] == SAID_UNSAT) return ANSWER_PROVED;
  return ANSWER_UNKNOWN;
}

static void answer_if_heard(struct session *session, struct question *question) {
  if (question->num_heard < NUM_SOLVERS) return;
  struct result result = result_of(question, verdict(question));
  answer(session, question, &result);
}

static void answer_refuted(struct session *session, struct question *question,
                           struct smtlib_model *model) {
  struct result result = result_of(question, ANSWER_REFUTED);
  result.value = smtlib_model_value;
  result.model = model;
  answer(session, question, &result);
}

/* ---- Workers ---- */

static void begin(struct worker *worker, struct question *question) {
  worker->question = question;
  worker->says_sat = false;
  worker->since = clock_seconds();
  solver_process_ask(&worker->process, true, question->written->text);
}

/* The worker is idle then. */
static void end(struct session *session, struct worker *worker) {
  worker->question->seconds[worker->solver] = clock_seconds() - worker->since;
  worker->question->num_heard++;
  worker->question = NULL;
  session->num_busy--;
}

static void hear(struct session *session, struct worker *worker, enum said said) {
  struct question *question = worker->question;
  question->said[worker->solver] = said;
  end(session, worker);
  answer_if_heard(session, question);
}

/* What the process is at, or whether it is in step, is not known: the next question gets a new one.
 */
static void give_up(struct session *session, struct worker *worker, const char *trouble) {
  if (trouble) add_trouble(worker->question, solvers[worker->solver].name, trouble);
  solver_process_stop(&worker->process);
  hear(session, worker, worker->says_sat ? SAID_SAT : SAID_NOTHING);
}

/* The others need not go on when one has refuted it. */
static void stop_others(struct session *session, const struct question *question) {
  for (size_t i = 0; i < session->num_workers; i++) {
    struct worker *worker = &session->workers[i];
    if (worker->question != question) continue;
    solver_process_stop(&worker->process);
    end(session, worker);
  }
}

static void hear_refuted(struct session *session, struct worker *worker,
                         struct smtlib_model *model) {
  struct question *question = worker->question;
  end(session, worker);
  stop_others(session, question);
  for (size_t i = 0; i < NUM_SOLVERS; i++) /* it is wrong, and the model shows it */
    if (question->said[i] == SAID_UNSAT) add_trouble(question, solvers[i].name, "unsat");
  answer_refuted(session, question, model);
}

static void hear_model(struct session *session, struct worker *worker, const char *text) {
  const char *name = solvers[worker->solver].name;
  struct question *question = worker->question;
  struct smtlib_model *model = smtlib_read_model(question->written, text);
  if (model && trial_refutes(question->query, smtlib_model_value, model)) {
    hear_refuted(session, worker, model);
  } else {
    add_trouble(question, name, model ? "sat, with a model that does not hold" : text);
    hear(session, worker, SAID_SAT);
  }
  smtlib_model_free(model);
}

static void hear_answer(struct session *session, struct worker *worker) {
  const char *text = worker->process.answer;
  if (worker->says_sat) {
    hear_model(session, worker, text);
  } else if (strcmp(text, "unsat") == 0) {
    hear(session, worker, SAID_UNSAT);
  } else if (strcmp(text, "sat") == 0) {
    worker->says_sat = true;
    solver_process_ask(&worker->process, false, worker->question->written->get_value);
  } else {
    give_up(session, worker, text);
  }
}

/* A process that has answered before may have ended for what it was asked then: a new one is asked
 * again. */
static bool hear_end(struct session *session, struct worker *worker) {
  if (worker->process.asked == (worker->says_sat ? 2 : 1)) {
    const char *text = worker->process.answer;
    give_up(session, worker, *text ? text : "it ended");
    return true;
  }
  solver_process_stop(&worker->process);
  if (!solver_process_start(&worker->process, solvers[worker->solver].command)) return false;
  begin(worker, worker->question);
  return true;
}

static bool go_on(struct session *session, struct worker *worker) {
  switch (solver_process_go_on(&worker->process)) {
    case SOLVER_WAITS:
      return true;
    case SOLVER_ANSWERED:
      hear_answer(session, worker);
      return true;
    case SOLVER_ENDED:
      return hear_end(session, worker);
  }
  return true;
}

/* ---- Who works on what ---- */

static bool next_question(struct session *session, struct question **question, unsigned *solver) {
  for (; session->next < session->num_questions * NUM_SOLVERS; session->next++) {
    *question = &session->questions[session->next / NUM_SOLVERS];
    *solver = (unsigned)(session->next % NUM_SOLVERS);
    if (!(*question)->is_answered) {
      session->next++;
      return true;
    }
  }
  return false;
}

/* One that runs already, if there is one. */
static struct worker *idle_worker(struct session *session, unsigned solver) {
  struct worker *found = NULL;
  for (size_t i = 0; i < session->num_workers; i++) {
    struct worker *worker = &session->workers[i];
    if (worker->solver != solver || worker->question) continue;
    if (!found || worker->process.number > 0) found = worker;
  }
  return found;
}

static bool hand_out(struct session *session) {
  struct question *question;
  unsigned solver;
  while (session->num_busy < session->jobs && next_question(session, &question, &solver)) {
    struct worker *worker = idle_worker(session, solver);
    if (worker->process.number == 0 &&
        !solver_process_start(&worker->process, solvers[solver].command))
      return false;
    if (!question->written) question->written = smtlib_write(session->writer, question->query);
    begin(worker, question);
    session->num_busy++;
  }
  return true;
}

static int milliseconds_left(const struct session *session) {
  double left = 1e6;
  for (size_t i = 0; i < session->num_workers; i++) {
    const struct worker *worker = &session->workers[i];
    if (!worker->question) continue;
    double of_worker = worker->since + session->options->seconds - clock_seconds();
    if (of_worker < left) left = of_worker;
  }
  return left < 0 ? 0 : (int)(left * 1000) + 1;
}

static void wait_for_some(struct session *session, struct pollfd *polls) {
  for (size_t i = 0; i < session->num_workers; i++) {
    const struct worker *worker = &session->workers[i];
    polls[i] = (struct pollfd){.fd = -1};
    if (!worker->question) continue;
    polls[i].fd = worker->process.socket;
    polls[i].events = solver_process_events(&worker->process);
  }
  bool limited = session->options->seconds > 0;
  int ready = poll(polls, session->num_workers, limited ? milliseconds_left(session) : -1);
  if (ready >= 0) return;
  for (size_t i = 0; i < session->num_workers; i++) polls[i].revents = 0;
}

static bool is_over_time(const struct session *session, const struct worker *worker) {
  double limit = session->options->seconds;
  return worker->question && limit > 0 && clock_seconds() - worker->since > limit;
}

/* An answer may end the work of others: what they were at is looked up anew. */
static bool go_on_all(struct session *session, const struct pollfd *polls) {
  for (size_t i = 0; i < session->num_workers; i++) {
    struct worker *worker = &session->workers[i];
    if (worker->question && polls[i].revents != 0 && !go_on(session, worker)) return false;
    if (is_over_time(session, worker)) give_up(session, worker, NULL);
  }
  return true;
}

static bool work(struct session *session) {
  struct pollfd *polls = checked(calloc(session->num_workers, sizeof *polls));
  bool runs = hand_out(session);
  while (runs && session->num_busy > 0) {
    wait_for_some(session, polls);
    runs = go_on_all(session, polls) && hand_out(session);
  }
  free(polls);
  return runs;
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

/* ---- All queries ---- */

static void set_up(struct session *session, const struct query *queries, size_t num_queries) {
  enum { MOST_JOBS = SOLVER_PROCESSES / NUM_SOLVERS };
  unsigned jobs = session->options->jobs;
  session->jobs = jobs < 1 ? 1 : jobs > MOST_JOBS ? MOST_JOBS : jobs;
  session->num_workers = session->jobs * NUM_SOLVERS;
  session->workers = checked(calloc(session->num_workers, sizeof *session->workers));
  for (size_t i = 0; i < session->num_workers; i++)
    session->workers[i].solver = (unsigned)(i % NUM_SOLVERS);
  session->questions = checked(calloc(num_queries + 1, sizeof *session->questions));
  session->num_questions = num_queries;
  for (size_t i = 0; i < num_queries; i++) session->questions[i].query = &queries[i];
  session->writer = smtlib_writer_new();
}

static void clean_up(struct session *session) {
  for (size_t i = 0; i < session->num_workers; i++)
    solver_process_stop(&session->workers[i].process);
  for (size_t i = 0; i < session->num_questions; i++) {
    smtlib_query_free(session->questions[i].written);
    free(session->questions[i].trouble);
  }
  smtlib_writer_free(session->writer);
  free(session->workers);
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
    good = work(&session);
  }
  clean_up(&session);
  solver_processes_unguard();
  return good;
}
