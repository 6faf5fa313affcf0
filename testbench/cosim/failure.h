/* What is kept of a co-simulation that diverged. */
#ifndef PMUV3_FAILURE_H
#define PMUV3_FAILURE_H

#include "testbench/cosim/cosim.h"

/*
 * Saves to the folder, which is made if need be: stimulus.stim, the task's
 * stimulus up to and with the cycle or the read in which the sides differed,
 * and divergence.txt, what the two sides held then. Returns false with errno
 * when something cannot be written.
 */
bool pmuv3_failure_save(const char *folder, const struct pmuv3_cosim_task *task,
                        const struct pmuv3_divergence *divergence);

#endif
