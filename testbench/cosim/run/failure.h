/* What is kept of a co-simulation that diverged. */
#ifndef PMUV3_FAILURE_H
#define PMUV3_FAILURE_H

#include "testbench/cosim/failure_report/capsule.h"
#include "testbench/cosim/run/cosim.h"
#include "testbench/cosim/shrink/shrink.h"

/*
 * Saves to the folder, which is made if need be: stimulus.stim, the task's
 * stimulus up to and with the cycle or the read in which the sides differed;
 * divergence.txt, what the two sides held then. What was kept there of another
 * failure is removed. Returns NULL, or in words why it cannot.
 */
const char *pmuv3_failure_save(const char *folder, const struct pmuv3_cosim_task *task,
                               const struct pmuv3_divergence *divergence);

/*
 * Shrinks the stimulus that was saved: minimal.stim, and minimal_test.cc, a GoogleTest with it.
 * Returns whether it did, and what it did, whose text is freed.
 */
bool pmuv3_failure_shrink(const char *folder, const struct pmuv3_cosim_task *task,
                          struct pmuv3_shrunk *shrunk);

/*
 * Makes the capsule of the stimulus that was saved, or of the smallest one if it
 * was shrunk; its command and seed are set before. Returns NULL, or in words why it
 * cannot.
 */
const char *pmuv3_failure_capsule(const char *folder, const struct pmuv3_cosim_task *task,
                                  bool is_shrunk, struct pmuv3_capsule *capsule);

#endif
