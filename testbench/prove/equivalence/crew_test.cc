#include "testbench/prove/equivalence/crew.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pmuv3::prove {
namespace {

/* The exit status of a process; -1: it did not end by itself in its ten seconds. */
int EndOf(pid_t process) {
  int status;
  EXPECT_EQ(waitpid(process, &status, 0), process);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The exit status of a process in which the work runs. */
template <typename Work>
int StatusOf(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    _exit(work());
  }
  return EndOf(child);
}

int EndOfChild(struct crew *crew, int exit_status) {
  const enum crew_fork fork = crew_fork(crew);
  if (fork == CREW_CHILD) _exit(exit_status);
  EXPECT_EQ(fork, CREW_PARENT);
  return crew_wait(crew);
}

TEST(CrewTest, EndsAsItsProcessesDo) {
  for (const int end : {CREW_DONE, CREW_UNUSABLE, CREW_NO_VERDICT}) {
    EXPECT_EQ(StatusOf([end] {
                const struct crew_shared shared = crew_share(1);
                struct crew crew = crew_new(&shared, 0);
                return EndOfChild(&crew, end);
              }),
              end);
  }
}

/* A process that was killed keeps what it had of the tokens. Others that wait for one look whether
 * it is over. */
TEST(CrewTest, NobodyWaitsForTokensOfTheDead) {
  const struct crew_shared shared = crew_share(1);
  ASSERT_TRUE(crew_work(&shared));
  const pid_t waits = fork();
  if (waits == 0) {
    alarm(10);
    struct crew crew = crew_new(&shared, 0);
    _exit(crew_fork(&crew) == CREW_OVER ? 0 : 1);
  }
  usleep(300'000);
  *shared.stops = true;
  EXPECT_EQ(EndOf(waits), 0);
}

}  // namespace
}  // namespace pmuv3::prove
