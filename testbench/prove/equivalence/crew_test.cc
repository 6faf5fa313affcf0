#include "testbench/prove/equivalence/crew.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pmuv3::prove {
namespace {

/* The exit status of a process in which the work runs; -1: it did not end in ten seconds. */
template <typename Work>
int StatusOf(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    _exit(work());
  }
  int status;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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
  EXPECT_EQ(StatusOf([] {
              const struct crew_shared shared = crew_share(1);
              if (!crew_work(&shared)) return 1;
              const pid_t killed = fork();
              if (killed == 0) {
                usleep(100'000);
                *shared.stops = true;
                _exit(0);
              }
              struct crew crew = crew_new(&shared, 0);
              return crew_fork(&crew) == CREW_OVER ? 0 : 2;
            }),
            0);
}

}  // namespace
}  // namespace pmuv3::prove
