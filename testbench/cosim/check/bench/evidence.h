/*
 * Evidence of a device's checks, in an evidence database (testbench/signoff/evidence/database.h):
 * a row of the table `run` for each seed of a mode, and the numbers of struct totals in the table
 * `hit`. `source` of both is two digests: of the project's sources, and of the device's sources
 * with its description. Rows of other digests count for nothing.
 */
#ifndef PMUV3_CHECK_EVIDENCE_H
#define PMUV3_CHECK_EVIDENCE_H

#include "testbench/cosim/check/bench/run.h"
#include "testbench/signoff/evidence/database.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Refuses a database that is damaged, before any work. */
void evidence_check(const char *path);

/* "PROJECT DEVICE". Returns buf. */
enum { EVIDENCE_SOURCE_SIZE = 200 };
const char *evidence_source(const struct options *options, char buf[EVIDENCE_SOURCE_SIZE]);

void evidence_record(sqlite3 *database, const struct outcome *outcome);

/* Once the stimulus of a run that diverged is kept in options->out, the row names this folder. */
void evidence_name_folder(sqlite3 *database, const struct outcome *outcome);

/* The folder of the columns `capsule` and `stimulus` of a row. "": the stimulus of the run is not
 * there, since another run began the folder, or somebody changed it. */
const char *evidence_folder(sqlite3_stmt *row, int capsule, int stimulus);

/* Adds up all recorded runs of this device in its mode. `totals` has memory for its arrays. Returns
 * how many runs there are. */
uint64_t evidence_sum(sqlite3 *database, const struct options *options,
                      const struct pmuv3_device *device, struct totals *totals);

/* Which of the seeds of options have a verdict of so many clocks, in the device's mode. */
void evidence_recorded(sqlite3 *database, const struct options *options,
                       const struct pmuv3_device *device, bool recorded[]);

/* Adds up the runs of these seeds, and lists those that diverged or have no verdict. */
void evidence_sum_seeds(sqlite3 *database, struct outcome *outcome);
void evidence_failures(sqlite3 *database, struct outcome *outcome);

#ifdef __cplusplus
}
#endif

#endif
