#include <poll.h>
#include <string.h>

#include "testbench/cli/now.h"
#include "testbench/prove/smtlib.h"
#include "testbench/prove/solver.h"
#include "testbench/prove/solver_process.h"

static const double reading = 20; /* times as long as a question may take, before the first */

static const char *const z3[] = {"z3", "-in", NULL};
static const char *const cvc5[] = {"cvc5", "--lang=smt2.6", "--bitblast=eager", "--incremental",
                                   NULL};

/* Whether it answers these commands in time, and what. */
static bool answers(struct solver_process *process, const char *commands, double seconds,
                    const char *expected) {
  const double until = pmuv3_now() + seconds;
  enum solver_progress progress;
  solver_process_ask(process, false, commands);
  while ((progress = solver_process_go_on(process)) == SOLVER_WAITS) {
    const double left = until - pmuv3_now();
    struct pollfd socket = {.fd = process->socket, .events = solver_process_events(process)};
    if (left <= 0) return false;
    poll(&socket, 1, (int)(left * 1000) + 1);
  }
  return progress == SOLVER_ANSWERED && strcmp(process->answer, expected) == 0;
}

/* Of those that are still taken to be proved. A session in which anything but unsat was said is not
 * gone on with: z3 may have lost some of what it was told. */
static bool ask(const char *const *command, const struct smtlib_set *set, double each,
                bool *proved) {
  struct solver_process process = {0};
  bool reads = true;
  for (size_t i = 0; i < set->num_questions; i++) {
    if (!proved[i]) continue;
    if (reads && process.number == 0) {
      if (!solver_process_start(&process, command)) return false;
      reads = answers(&process, set->head, each * reading, "");
    }
    proved[i] = reads && answers(&process, set->questions[i], each, "unsat");
    if (!proved[i]) solver_process_stop(&process);
  }
  solver_process_stop(&process);
  return true;
}

bool solve_together(const struct query_set *set, double each, bool *proved, double *seconds) {
  const double start = pmuv3_now();
  struct smtlib_writer *writer = smtlib_writer_new();
  struct smtlib_set *written = smtlib_write_set(writer, set);
  for (size_t i = 0; i < set->num_conditions; i++) proved[i] = true;
  solver_processes_guard();
  const bool ran = ask(z3, written, each, proved) && ask(cvc5, written, each, proved);
  solver_processes_unguard();
  smtlib_set_free(written);
  smtlib_writer_free(writer);
  *seconds = pmuv3_now() - start;
  return ran;
}
