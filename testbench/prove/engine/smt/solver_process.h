/*
 * A solver's process. It is asked and answers, again and again, through one socket. All that run
 * are killed when this process is interrupted or exits.
 */
#ifndef ENGINE_SMT_SOLVER_PROCESS_H
#define ENGINE_SMT_SOLVER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

enum { SOLVER_PROCESSES = 256 }; /* at most, beside each other */

/* All 0: it does not run. */
struct solver_process {
  int number; /* of those that run, 1 or more */
  int socket;
  unsigned long asked; /* times since it runs */
  char mark[32];       /* the solver echoes it after the answer */
  char *question;
  size_t question_size, sent;
  char *answer;
  size_t answer_size, answer_capacity;
};

enum solver_progress {
  SOLVER_WAITS,    /* for the rest of its answer, or until it reads on */
  SOLVER_ANSWERED, /* answer has all it said */
  SOLVER_ENDED,    /* by itself; answer has what it said until then */
};

/* False: it cannot be run, with a line on stderr. */
bool solver_process_start(struct solver_process *process, const char *const *command);

/* In place of a program, a copy of this process: it works at its end of the socket, and ends when
 * the work does, or when this process ends. */
typedef void solver_work(int socket, void *with);
bool solver_process_fork(struct solver_process *process, solver_work *work, void *with);

void solver_process_stop(struct solver_process *process);

/* Commands, of which it forgets what it was asked before if they are a new query. They are copied.
 */
void solver_process_ask(struct solver_process *process, bool is_new, const char *commands);
/* Sends and receives what it can, without waiting. */
enum solver_progress solver_process_go_on(struct solver_process *process);
/* The events for poll() that make it go on. */
short solver_process_events(const struct solver_process *process);

/* Between these two, SIGHUP, SIGINT and SIGTERM kill what runs before they do what they did before.
 */
void solver_processes_guard(void);
void solver_processes_unguard(void);

#endif
