#define _GNU_SOURCE
#include "testbench/prove/equivalence/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void stop(void) {
  pmuv3_cli_no_verdict("a process: %s", strerror(errno));
}

/* ---- One ---- */

/* It ends with us. */
pid_t crew_fork_one(void) {
  fflush(stdout);
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0) stop();
  if (pid == 0) pmuv3_cli_end_with(parent);
  return pid;
}

/* One that is bad has said why, but where it died. */
static enum crew_end end_of(int status) {
  const enum crew_end end = (enum crew_end)WEXITSTATUS(status);
  if (WIFEXITED(status) && (end == CREW_DONE || end == CREW_UNUSABLE || end == CREW_NO_VERDICT))
    return end;
  pmuv3_cli_warn("a process ended early: no verdict");
  return CREW_NO_VERDICT;
}

enum crew_end crew_wait_for_one(pid_t pid) {
  int status;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) stop();
  return end_of(status);
}

/* ---- What they share ---- */

static void give_token(const struct crew_shared *shared) {
  if (write(shared->tokens[1], "", 1) != 1) stop();
}

/* Somebody else may have been faster. */
static bool take_token(const struct crew_shared *shared) {
  char token;
  const ssize_t size = read(shared->tokens[0], &token, 1);
  if (size != 1 && errno != EAGAIN && errno != EINTR) stop();
  return size == 1;
}

struct crew_shared crew_share(unsigned working) {
  struct crew_shared shared;
  if (pipe2(shared.tokens, O_CLOEXEC) != 0) stop();
  if (fcntl(shared.tokens[0], F_SETFL, O_NONBLOCK) != 0) stop();
  shared.stops =
      mmap(NULL, 1 + CREW_STAGES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared.stops == MAP_FAILED) stop();
  shared.begun = shared.stops + 1;
  for (unsigned w = 0; w < working; w++) give_token(&shared);
  return shared;
}

static bool stops(const struct crew_shared *shared) {
  return *(const volatile bool *)shared->stops;
}

enum { LOOK_AGAIN_MS = 10 }; /* whether it is over: few wait, and not for long */

bool crew_work(const struct crew_shared *shared) {
  struct pollfd token = {.fd = shared->tokens[0], .events = POLLIN};
  while (!stops(shared)) {
    if (take_token(shared)) return true;
    if (poll(&token, 1, LOOK_AGAIN_MS) < 0 && errno != EINTR) stop();
  }
  return false;
}

void crew_rest(const struct crew_shared *shared) {
  give_token(shared);
}

bool crew_await(const struct crew_shared *shared, unsigned stage) {
  const volatile bool *begun = &shared->begun[stage];
  while (!*begun && !stops(shared)) poll(NULL, 0, LOOK_AGAIN_MS);
  return *begun;
}

void crew_begun(const struct crew_shared *shared, unsigned stage) {
  shared->begun[stage] = true;
}

/* ---- The end of a process ---- */

static sigset_t of_children(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  return set;
}

struct crew crew_new(const struct crew_shared *shared, unsigned most) {
  const sigset_t set = of_children();
  struct crew crew = {.shared = shared, .most = most, .end = CREW_DONE};
  sigprocmask(SIG_BLOCK, &set, NULL);
  crew.ended = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  if (crew.ended < 0) stop();
  return crew;
}

/* Those that have ended. A signal may be of several. */
static void reap(struct crew *crew) {
  struct signalfd_siginfo ignored;
  int status;
  while (read(crew->ended, &ignored, sizeof ignored) > 0) continue;
  while (crew->running > 0 && waitpid(-1, &status, WNOHANG) > 0) {
    const enum crew_end end = end_of(status);
    if (crew->end == CREW_DONE) crew->end = end;
    if (end != CREW_DONE) *crew->shared->stops = true;
    if (crew->most == 0) give_token(crew->shared);
    crew->running--;
  }
}

/* ---- Starting ---- */

/* Whether one more may be started now, which takes its token. */
static bool may_start(struct crew *crew) {
  return crew->most == 0 ? take_token(crew->shared) : crew->running < crew->most;
}

/* A process that was killed may have taken tokens along, so none comes: then it is over. */
static void wait_for_event(struct crew *crew, bool waits_for_token) {
  struct pollfd events[] = {{.fd = crew->ended, .events = POLLIN},
                            {.fd = crew->shared->tokens[0], .events = POLLIN}};
  const int timeout = waits_for_token ? LOOK_AGAIN_MS : -1;
  if (poll(events, waits_for_token ? 2 : 1, timeout) < 0 && errno != EINTR) stop();
  reap(crew);
}

static enum crew_fork start(struct crew *crew) {
  crew->running++;
  if (crew_fork_one() > 0) return CREW_PARENT;
  const sigset_t set = of_children();
  close(crew->ended);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  return CREW_CHILD;
}

enum crew_fork crew_fork(struct crew *crew) {
  while (!stops(crew->shared)) {
    if (may_start(crew)) return start(crew);
    wait_for_event(crew, crew->most == 0);
  }
  return CREW_OVER;
}

enum crew_end crew_wait(struct crew *crew) {
  while (crew->running > 0) wait_for_event(crew, false);
  return crew->end;
}
