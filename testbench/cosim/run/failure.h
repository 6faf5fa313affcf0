/* The files that are kept of a co-simulation that diverged. */
#ifndef PMUV3_FAILURE_H
#define PMUV3_FAILURE_H

#include "testbench/cosim/failure_report/report.h"
#include "testbench/cosim/run/cosim.h"
#include "testbench/cosim/shrink/shrink.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Saves files to the folder, and makes the folder if needed. stimulus.stim: the task's stimulus up
 * to the end of the divergence's cycle. divergence.txt: the values of both sides at the divergence.
 * Removes the files of another failure, and keeps other programs out of the folder until the
 * process ends (own.h). Returns NULL, or the error in words.
 */
const char *pmuv3_failure_save(const char *folder, const struct pmuv3_cosim_task *task,
                               const struct pmuv3_divergence *divergence);

/*
 * Shrinks the saved stimulus to minimal.stim and minimal_test.cc, a GoogleTest with this stimulus.
 * Returns whether shrinking succeeded. The caller frees the text of the result.
 */
bool pmuv3_failure_shrink(const char *folder, const struct pmuv3_cosim_task *task,
                          struct pmuv3_shrunk *shrunk);

/*
 * Makes the failure report of the smallest saved stimulus. The caller sets the command, the seed
 * and `is_shrunk` before; `is_shrunk` is then whether minimal.stim is still there (report.h).
 * Returns NULL, or the error in words.
 */
const char *pmuv3_failure_make_report(const char *folder, const struct pmuv3_cosim_task *task,
                                      struct pmuv3_failure_report *report);

#ifdef __cplusplus
}
#endif

#endif
