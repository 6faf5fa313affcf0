#define _GNU_SOURCE /* SOCK_CLOEXEC */
#include "engine/smt/solver_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/term/checked.h"

enum { LARGEST_ANSWER = 1 << 28 };

extern char **environ;

/* ---- All that run ---- */

/* 0: none. Each leads a process group, so that what a wrapper started ends with it. */
static volatile pid_t running[SOLVER_PROCESSES];

static void kill_all(void) {
  for (size_t i = 0; i < SOLVER_PROCESSES; i++)
    if (running[i]) kill(-running[i], SIGKILL);
}

static const int guarded[] = {SIGHUP, SIGINT, SIGTERM};
enum { NUM_GUARDED = sizeof guarded / sizeof *guarded };
static struct sigaction before[NUM_GUARDED];

/* The signal comes again when this returns. */
static void on_signal(int number) {
  int error = errno;
  kill_all();
  for (size_t i = 0; i < NUM_GUARDED; i++)
    if (guarded[i] == number) sigaction(number, &before[i], NULL);
  raise(number);
  errno = error;
}

void solver_processes_guard(void) {
  static bool at_exit;
  if (!at_exit) at_exit = atexit(kill_all) == 0;
  struct sigaction action = {.sa_handler = on_signal};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < NUM_GUARDED; i++) {
    sigaction(guarded[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(guarded[i], &action, NULL);
  }
}

void solver_processes_unguard(void) {
  for (size_t i = 0; i < NUM_GUARDED; i++) sigaction(guarded[i], &before[i], NULL);
}

/* ---- Started and stopped ---- */

/* With what is ours in front, in which the first one of a name counts. glibc's malloc would give
 * memory back after each query and ask for it again: that is half of z3's time for a small one. */
static char **make_environment(void) {
  static char *const ours[] = {"MALLOC_TRIM_THRESHOLD_=1000000000", "MALLOC_TOP_PAD_=16777216",
                               "MALLOC_MMAP_THRESHOLD_=1000000000"};
  enum { NUM_OURS = sizeof ours / sizeof *ours };
  size_t count = 0;
  while (environ[count]) count++;
  char **all = checked(calloc(NUM_OURS + count + 1, sizeof *all));
  memcpy(all, ours, sizeof ours);
  memcpy(all + NUM_OURS, environ, count * sizeof *all);
  return all;
}

static int spawn(pid_t *pid, const char *const *command, int socket, const sigset_t *mask) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
  if (posix_spawnattr_init(&attributes) != 0) return ENOMEM;
  for (int fd = 0; fd <= 2; fd++) posix_spawn_file_actions_adddup2(&actions, socket, fd);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, mask);
  char **environment = make_environment();
  int error =
      posix_spawnp(pid, command[0], &actions, &attributes, (char *const *)command, environment);
  free(environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/* No signal may come before the handler knows of the process. */
static int spawn_unsignalled(volatile pid_t *slot, const char *const *command, int socket) {
  sigset_t all, mask;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &mask);
  pid_t pid;
  int error = spawn(&pid, command, socket, &mask);
  if (error == 0) *slot = pid;
  sigprocmask(SIG_SETMASK, &mask, NULL);
  return error;
}

/* Ours are not the copy's to kill; the copy ends with us. */
_Noreturn static void work_as_copy(pid_t parent, const sigset_t *mask, solver_work *work,
                                   int socket, void *with) {
  for (size_t i = 0; i < SOLVER_PROCESSES; i++) running[i] = 0;
  for (size_t i = 0; i < NUM_GUARDED; i++) signal(guarded[i], SIG_DFL);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigprocmask(SIG_SETMASK, mask, NULL);
  if (getppid() == parent) work(socket, with);
  _exit(0);
}

static int fork_unsignalled(volatile pid_t *slot, solver_work *work, int socket, void *with) {
  sigset_t all, mask;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &mask);
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0) work_as_copy(parent, &mask, work, socket, with);
  const int error = pid < 0 ? errno : 0;
  if (error == 0) {
    setpgid(pid, pid); /* whoever is first */
    *slot = pid;
  }
  sigprocmask(SIG_SETMASK, &mask, NULL);
  return error;
}

static bool cannot_run(const char *program, int error) {
  fprintf(stderr, "smt: cannot run %s: %s\n", program, strerror(error));
  return false;
}

/* Of the program, or of a copy of this process. */
struct beginning {
  const char *const *command; /* NULL: a copy */
  solver_work *work;
  void *with;
};

static bool start(struct solver_process *process, const struct beginning *beginning) {
  const char *program = beginning->command ? beginning->command[0] : "a copy of this process";
  int number = 1;
  while (number <= SOLVER_PROCESSES && running[number - 1]) number++;
  if (number > SOLVER_PROCESSES) return cannot_run(program, EAGAIN);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return cannot_run(program, errno);
  volatile pid_t *slot = &running[number - 1];
  const int error = beginning->command
                        ? spawn_unsignalled(slot, beginning->command, ends[1])
                        : fork_unsignalled(slot, beginning->work, ends[1], beginning->with);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return cannot_run(program, error);
  }
  *process = (struct solver_process){.number = number, .socket = ends[0]};
  return true;
}

bool solver_process_start(struct solver_process *process, const char *const *command) {
  return start(process, &(struct beginning){.command = command});
}

bool solver_process_fork(struct solver_process *process, solver_work *work, void *with) {
  return start(process, &(struct beginning){.work = work, .with = with});
}

void solver_process_stop(struct solver_process *process) {
  if (process->number == 0) return;
  volatile pid_t *slot = &running[process->number - 1];
  kill(-*slot, SIGKILL);
  while (waitpid(*slot, NULL, 0) < 0 && errno == EINTR) continue;
  *slot = 0;
  close(process->socket);
  free(process->question);
  free(process->answer);
  *process = (struct solver_process){0};
}

/* ---- Asked ---- */

void solver_process_ask(struct solver_process *process, bool is_new, const char *commands) {
  const char *reset = is_new && process->asked > 0 ? "(reset)\n" : "";
  snprintf(process->mark, sizeof process->mark, "end-%lu", ++process->asked);
  free(process->question);
  FILE *out = checked(open_memstream(&process->question, &process->question_size));
  fprintf(out, "%s%s(echo \"%s\")\n", reset, commands, process->mark);
  fclose(out);
  checked(process->question);
  process->sent = 0;
  process->answer_size = 0;
}

/* False: nobody reads it any more. */
static bool send_some(struct solver_process *process) {
  while (process->sent < process->question_size) {
    ssize_t sent = send(process->socket, process->question + process->sent,
                        process->question_size - process->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    process->sent += (size_t)sent;
  }
  return true;
}

static void make_room(struct solver_process *process) {
  enum { ROOM = 4096 };
  if (process->answer_capacity - process->answer_size < ROOM) {
    process->answer_capacity = 2 * process->answer_capacity + ROOM;
    process->answer = checked(realloc(process->answer, process->answer_capacity));
  }
  process->answer[process->answer_size] = '\0';
}

/* False: there is nothing more to come. */
static bool receive_some(struct solver_process *process) {
  for (;;) {
    make_room(process);
    size_t room = process->answer_capacity - process->answer_size - 1;
    ssize_t received =
        recv(process->socket, process->answer + process->answer_size, room, MSG_DONTWAIT);
    if (received < 0) return errno == EAGAIN || errno == EINTR;
    process->answer_size += (size_t)received;
    process->answer[process->answer_size] = '\0';
    if (received == 0 || process->answer_size > LARGEST_ANSWER) return false;
  }
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Whether the answer's last line is the mark; takes it away. cvc5 puts it in quotes. */
static bool take_mark(struct solver_process *process) {
  size_t end = process->answer_size;
  size_t length = strlen(process->mark);
  while (end > 0 && is_blank(process->answer[end - 1])) end--;
  if (end == process->answer_size) return false; /* the line goes on */
  bool quoted = end > 0 && process->answer[end - 1] == '"';
  if (quoted) end--;
  if (end < length || memcmp(process->answer + end - length, process->mark, length) != 0)
    return false;
  end -= length;
  if (quoted && (end == 0 || process->answer[--end] != '"')) return false;
  if (end > 0 && process->answer[end - 1] != '\n') return false;
  while (end > 0 && is_blank(process->answer[end - 1])) end--;
  process->answer[end] = '\0';
  process->answer_size = end;
  return true;
}

enum solver_progress solver_process_go_on(struct solver_process *process) {
  bool sent = send_some(process);
  bool received = receive_some(process);
  if (take_mark(process)) return SOLVER_ANSWERED;
  return sent && received ? SOLVER_WAITS : SOLVER_ENDED;
}

short solver_process_events(const struct solver_process *process) {
  return process->sent < process->question_size ? POLLIN | POLLOUT : POLLIN;
}
