#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cli/now.h"
#include "testbench/prove/smtlib.h"
#include "testbench/prove/solver.h"
#include "testbench/prove/solver_process.h"

static void *checked(void *memory) {
  if (memory) return memory;
  fputs("pmuv3 prove: out of memory\n", stderr);
  exit(2);
}

/* Until it has answered all, has ended, or takes much longer than each of the queries may. */
static void wait_for(struct solver_process *process, double until) {
  double left = until - pmuv3_now();
  while (solver_process_go_on(process) == SOLVER_WAITS && left > 0) {
    struct pollfd socket = {.fd = process->socket, .events = solver_process_events(process)};
    poll(&socket, 1, (int)(left * 1000) + 1);
    left = until - pmuv3_now();
  }
}

/* A line for each query, in their order: after a line that is no answer nothing counts. */
static void read_answers(const char *answer, size_t num_queries, bool *unsat) {
  static const char *const answers[] = {"sat", "unknown", "unsat"};
  enum { UNSAT = 2, ANSWERS };
  for (size_t i = 0; i < num_queries; i++) {
    const size_t length = strcspn(answer, "\n");
    int which = 0;
    while (which < ANSWERS &&
           (strlen(answers[which]) != length || memcmp(answer, answers[which], length) != 0))
      which++;
    if (which == ANSWERS) return;
    unsat[i] = which == UNSAT;
    if (answer[length] == '\0') return;
    answer += length + 1;
  }
}

static bool ask(const char *const *command, const char *text, size_t num_queries, double each,
                bool *unsat) {
  struct solver_process process = {0};
  memset(unsat, 0, num_queries * sizeof *unsat);
  if (!solver_process_start(&process, command)) return false;
  solver_process_ask(&process, true, text);
  wait_for(&process, pmuv3_now() + each * (double)(num_queries + 1));
  read_answers(process.answer, num_queries, unsat);
  solver_process_stop(&process);
  return true;
}

static bool ask_both(const char *text, size_t num_queries, double each, bool *proved) {
  char z3_limit[32], cvc5_limit[32];
  snprintf(z3_limit, sizeof z3_limit, "-t:%.0f", each * 1000);
  snprintf(cvc5_limit, sizeof cvc5_limit, "--tlimit-per=%.0f", each * 1000);
  const char *const z3[] = {"z3", "-in", z3_limit, NULL};
  const char *const cvc5[] = {"cvc5",          "--lang=smt2.6", "--bitblast=eager",
                              "--incremental", cvc5_limit,      NULL};
  bool *unsat = checked(malloc(num_queries * sizeof *unsat));
  const bool ran =
      ask(z3, text, num_queries, each, proved) && ask(cvc5, text, num_queries, each, unsat);
  for (size_t i = 0; i < num_queries; i++) proved[i] = ran && proved[i] && unsat[i];
  free(unsat);
  return ran;
}

bool solve_together(const struct query *queries, size_t num_queries, double each, bool *proved,
                    double *seconds) {
  const double start = pmuv3_now();
  struct smtlib_writer *writer = smtlib_writer_new();
  char *text = smtlib_write_together(writer, queries, num_queries);
  solver_processes_guard();
  const bool ran = ask_both(text, num_queries, each, proved);
  solver_processes_unguard();
  free(text);
  smtlib_writer_free(writer);
  *seconds = pmuv3_now() - start;
  return ran;
}
