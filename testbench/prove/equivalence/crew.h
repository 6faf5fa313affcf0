/* Processes side by side, some of which start processes themselves: so many of them work at once.
 */
#ifndef PMUV3_PROVE_CREW_H
#define PMUV3_PROVE_CREW_H

#include <stdbool.h>
#include <sys/types.h>

#include "testbench/cosim/cli/cli.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a process ends, by its exit status. With any other it died, which is no verdict. */
enum crew_end { CREW_DONE = 0, CREW_UNUSABLE = PMUV3_UNUSABLE, CREW_NO_VERDICT = PMUV3_NO_VERDICT };

/* One process, of a program that may have been given children by whoever started it. 0: in it. */
pid_t crew_fork_one(void);
enum crew_end crew_wait_for_one(pid_t pid);

/* What the processes share. */
struct crew_shared {
  int tokens[2]; /* a pipe, with a byte for each process that may work: read to work, written after
                  */
  bool *stops;   /* nothing more is to be started: who wants it says so, or a process ended badly */
  bool *begun;   /* of CREW_STAGES: what others build upon is done */
};
enum { CREW_STAGES = 32 };
struct crew_shared crew_share(unsigned working);

/* A process that works without being started by a crew_fork(): it waits until it may. False:
 * nothing more is to be started. */
bool crew_work(const struct crew_shared *shared);
void crew_rest(const struct crew_shared *shared);

/* Waits until what it builds upon is done. False: nothing more is to be started. */
bool crew_await(const struct crew_shared *shared, unsigned stage);
void crew_begun(const struct crew_shared *shared, unsigned stage);

/* The processes that this one has started. */
struct crew {
  const struct crew_shared *shared;
  unsigned most; /* of them at once; 0: as many as may work, and each of them works */
  int ended;     /* a descriptor: a process has ended */
  unsigned running;
  enum crew_end end; /* CREW_DONE, or of the first that did not */
};
struct crew crew_new(const struct crew_shared *shared, unsigned most);

/* Waits until one more may be started. */
enum crew_fork { CREW_PARENT, CREW_CHILD, CREW_OVER /* nothing more is to be started */ };
enum crew_fork crew_fork(struct crew *crew);

/* Waits until all have ended. */
enum crew_end crew_wait(struct crew *crew);

#ifdef __cplusplus
}
#endif

#endif
