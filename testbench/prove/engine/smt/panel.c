#define _POSIX_C_SOURCE 200809L
#include "engine/smt/panel.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/smt/clock.h"
#include "engine/smt/trial.h"
#include "engine/term/checked.h"

static const struct {
  const char *name;
  const char *const command[4]; /* none: it is a copy of this process */
} solvers[NUM_SOLVERS] = {
    [CERTIFIER] = {"cadical", {NULL}},
    [Z3] = {"z3", {"z3", "-in", NULL}},
    [CVC5] = {"cvc5", {"cvc5", "--lang=smt2.6", "--bitblast=eager", NULL}},
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
  const struct panel *panel;
  struct worker *workers; /* as many of each solver as there are jobs: not all of them work */
  size_t num_workers;
  unsigned num_busy;
  size_t next; /* of what is to be asked: each question goes to each solver */
};

/* ---- Questions ---- */

void question_add_trouble(struct question *question, unsigned solver, const char *what) {
  enum { LONGEST = 200 };
  const char *old = question->trouble ? question->trouble : "", *name = solvers[solver].name;
  size_t length = strcspn(what, "\r\n");
  size_t size = strlen(old) + strlen(name) + LONGEST + 8;
  char *new = checked(malloc(size));
  snprintf(new, size, "%s%s%s: %.*s", old, *old ? "; " : "", name,
           (int)(length < LONGEST ? length : LONGEST), what);
  free(question->trouble);
  question->trouble = new;
}

const struct smtlib_query *question_written(struct question *question,
                                            struct smtlib_writer *writer) {
  if (!question->written) question->written = smtlib_write(writer, question->query);
  return question->written;
}

static unsigned panel_size(const struct panel *panel) {
  return panel->last - panel->first + 1;
}

/* ---- Workers ---- */

static bool start(const struct session *session, struct worker *worker) {
  if (worker->solver == CERTIFIER)
    return certifier_start(&worker->process, session->panel->queries);
  return solver_process_start(&worker->process, solvers[worker->solver].command);
}

static void begin(const struct session *session, struct worker *worker, struct question *question) {
  const struct panel *panel = session->panel;
  char command[CERTIFIER_COMMAND_SIZE];
  certifier_command((size_t)(question - panel->questions), command);
  const bool is_certifier = worker->solver == CERTIFIER;
  const char *text = is_certifier ? command : question_written(question, panel->writer)->text;
  worker->question = question;
  worker->says_sat = false;
  worker->since = clock_seconds();
  solver_process_ask(&worker->process, true, text);
}

/* The worker is idle then. */
static void end(struct session *session, struct worker *worker) {
  worker->question->seconds[worker->solver] = clock_seconds() - worker->since;
  worker->question->num_heard++;
  worker->question = NULL;
  session->num_busy--;
}

static void tell_if_heard(const struct session *session, struct question *question) {
  const struct panel *panel = session->panel;
  if (question->num_heard == panel_size(panel)) panel->heard(question, panel->with);
}

static void hear(struct session *session, struct worker *worker, enum said said) {
  struct question *question = worker->question;
  question->said[worker->solver] = said;
  end(session, worker);
  tell_if_heard(session, question);
}

/* What the process is at, or whether it is in step, is not known: the next question gets a new one.
 */
static void give_up(struct session *session, struct worker *worker, const char *trouble) {
  if (!trouble && worker->says_sat) trouble = "sat, and no model in time";
  if (trouble) question_add_trouble(worker->question, worker->solver, trouble);
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

/* One refutation is enough: others are not asked. */
static void hear_refuted(struct session *session, struct worker *worker) {
  struct question *question = worker->question;
  question->said[worker->solver] = SAID_SAT;
  end(session, worker);
  stop_others(session, question);
  question->num_heard = panel_size(session->panel);
  tell_if_heard(session, question);
}

static void hear_model(struct session *session, struct worker *worker, const char *text) {
  struct question *question = worker->question;
  struct smtlib_model *model =
      smtlib_read_model(question_written(question, session->panel->writer), text);
  if (model && trial_refutes(question->query, smtlib_model_value, model)) {
    question->model = model;
    hear_refuted(session, worker);
    return;
  }
  question_add_trouble(question, worker->solver,
                       model ? "sat, with a model that does not hold" : text);
  hear(session, worker, model ? SAID_REJECTED : SAID_SAT);
  smtlib_model_free(model);
}

/* Of a question that has a model already, no other one is asked for. */
static void hear_sat(struct session *session, struct worker *worker) {
  struct question *question = worker->question;
  if (question->model) {
    hear_refuted(session, worker);
    return;
  }
  worker->says_sat = true;
  solver_process_ask(&worker->process, false,
                     worker->solver == CERTIFIER
                         ? CERTIFIER_VALUES
                         : question_written(question, session->panel->writer)->get_value);
}

static void hear_answer(struct session *session, struct worker *worker) {
  const char *text = worker->process.answer;
  if (worker->says_sat) {
    hear_model(session, worker, text);
  } else if (strcmp(text, "unsat") == 0) {
    hear(session, worker, SAID_UNSAT);
  } else if (strcmp(text, "sat") == 0) {
    hear_sat(session, worker);
  } else if (strcmp(text, CERTIFIER_REJECTED) == 0) {
    question_add_trouble(worker->question, worker->solver, text);
    hear(session, worker, SAID_REJECTED);
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
  if (!start(session, worker)) return false;
  begin(session, worker, worker->question);
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
  const struct panel *panel = session->panel;
  const unsigned size = panel_size(panel);
  for (; session->next < panel->num_questions * size; session->next++) {
    *question = &panel->questions[session->next / size];
    *solver = panel->first + (unsigned)(session->next % size);
    if (!(*question)->is_answered && (*question)->num_heard < size) {
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
  while (session->num_busy < session->panel->jobs && next_question(session, &question, &solver)) {
    struct worker *worker = idle_worker(session, solver);
    if (worker->process.number == 0 && !start(session, worker)) return false;
    begin(session, worker, question);
    session->num_busy++;
  }
  return true;
}

static int milliseconds_left(const struct session *session) {
  double left = 1e6;
  for (size_t i = 0; i < session->num_workers; i++) {
    const struct worker *worker = &session->workers[i];
    if (!worker->question) continue;
    double of_worker = worker->since + session->panel->seconds - clock_seconds();
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
  bool limited = session->panel->seconds > 0;
  int ready = poll(polls, session->num_workers, limited ? milliseconds_left(session) : -1);
  if (ready >= 0) return;
  for (size_t i = 0; i < session->num_workers; i++) polls[i].revents = 0;
}

static bool is_over_time(const struct session *session, const struct worker *worker) {
  double limit = session->panel->seconds;
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

bool panel_ask(const struct panel *panel) {
  struct session session = {.panel = panel, .num_workers = panel->jobs * panel_size(panel)};
  session.workers = checked(calloc(session.num_workers, sizeof *session.workers));
  for (size_t i = 0; i < session.num_workers; i++)
    session.workers[i].solver = panel->first + (unsigned)(i % panel_size(panel));
  for (size_t i = 0; i < panel->num_questions; i++) panel->questions[i].num_heard = 0;
  const bool ran = work(&session);
  for (size_t i = 0; i < session.num_workers; i++) solver_process_stop(&session.workers[i].process);
  free(session.workers);
  return ran;
}
