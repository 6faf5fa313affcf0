#include <poll.h>
#include <string.h>

#include "engine/smt/clock.h"
#include "engine/smt/smtlib.h"
#include "engine/smt/solver.h"
#include "engine/smt/solver_process.h"

static const double reading = 20; /* times as long as a question may take, before the first */

static const char *const z3[] = {"z3", "-in", NULL};
static const char *const cvc5[] = {"cvc5", "--lang=smt2.6", "--bitblast=eager", "--incremental",
                                   NULL};

/* What it answers to these commands; "late" if not in time. */
static const char *answer_to(struct solver_process *process, const char *commands, double seconds) {
  const double until = clock_seconds() + seconds;
  enum solver_progress progress;
  solver_process_ask(process, false, commands);
  while ((progress = solver_process_go_on(process)) == SOLVER_WAITS) {
    const double left = until - clock_seconds();
    struct pollfd socket = {.fd = process->socket, .events = solver_process_events(process)};
    if (left <= 0) return "late";
    poll(&socket, 1, (int)(left * 1000) + 1);
  }
  return progress == SOLVER_ANSWERED ? process->answer : "ended";
}

/* Whether a session is there, that has read what the questions have in common. */
static bool begin(struct solver_process *process, const char *const *command,
                  const struct smtlib_set *set, double each, bool *reads) {
  if (!*reads || process->number != 0) return true;
  if (!solver_process_start(process, command)) return false;
  *reads = strcmp(answer_to(process, set->head, each * reading), "") == 0;
  return true;
}

/* Of those that are still taken to be proved. A session in which anything but unsat was said is not
 * gone on with: z3 may have lost some of what it was told. */
static bool ask(const char *const *command, const struct smtlib_set *set, double each,
                bool *proved) {
  struct solver_process process = {0};
  bool reads = true;
  for (size_t i = 0; i < set->num_questions; i++) {
    if (!proved[i]) continue;
    if (!begin(&process, command, set, each, &reads)) return false;
    proved[i] = reads && strcmp(answer_to(&process, set->questions[i], each), "unsat") == 0;
    if (!proved[i]) solver_process_stop(&process);
  }
  solver_process_stop(&process);
  return true;
}

static bool ask_both(const struct smtlib_set *set, double each, void *proved) {
  return ask(z3, set, each, proved) && ask(cvc5, set, each, proved);
}

static bool ask_until_refuted(const struct smtlib_set *set, double each, void *with) {
  size_t *refuted = with;
  struct solver_process process = {0};
  bool reads = true;
  for (*refuted = 0; *refuted < set->num_questions; ++*refuted) {
    if (!begin(&process, z3, set, each, &reads)) return false;
    const char *said = reads ? answer_to(&process, set->questions[*refuted], each) : "late";
    const bool is_refuted = strcmp(said, "sat") == 0, is_proved = strcmp(said, "unsat") == 0;
    if (!is_proved) solver_process_stop(&process);
    if (is_refuted) return true;
  }
  solver_process_stop(&process);
  return true;
}

/* What is asked in sessions, once the questions are written. */
typedef bool ask_sessions(const struct smtlib_set *set, double each, void *with);

static bool in_sessions(const struct query_set *set, double each, ask_sessions *sessions,
                        void *with, double *seconds) {
  const double start = clock_seconds();
  struct smtlib_writer *writer = smtlib_writer_new();
  struct smtlib_set *written = smtlib_write_set(writer, set);
  solver_processes_guard();
  const bool ran = sessions(written, each, with);
  solver_processes_unguard();
  smtlib_set_free(written);
  smtlib_writer_free(writer);
  *seconds = clock_seconds() - start;
  return ran;
}

bool solve_together(const struct query_set *set, double each, bool *proved, double *seconds) {
  for (size_t i = 0; i < set->num_conditions; i++) proved[i] = true;
  return in_sessions(set, each, ask_both, proved, seconds);
}

bool solve_until_refuted(const struct query_set *set, double each, size_t *refuted,
                         double *seconds) {
  return in_sessions(set, each, ask_until_refuted, refuted, seconds);
}
