/* A seed of `pmuv3 check`: its tasks, and what is told of a divergence. */
#ifndef PMUV3_CHECK_SEED_H
#define PMUV3_CHECK_SEED_H

#include "testbench/cosim/check/bench/evidence.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the tasks of options->seed, records the run in options->database, if there is one, and
 * writes options->page. Then plays the first divergence again, and shrinks it. Does not return
 * without a verdict, unless the device ended (outcome->crash). */
void seed_run(struct outcome *outcome);

/* What was checked must be what the digests say. The device may read a file whenever it starts. */
void seed_expect_unchanged(const struct options *options, const char *done);

/* Writes the page of all recorded runs of the device. */
void seed_write_page(sqlite3 *database, const struct outcome *outcome);

#ifdef __cplusplus
}
#endif

#endif
