/* Rows of the tables `run`, `hit` and `version` (schema.sql): co-simulations that ended. */
#ifndef PMUV3_RUN_ROWS_H
#define PMUV3_RUN_ROWS_H

#include "testbench/signoff/evidence/database.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A co-simulation that ended. The table `run` describes the fields. */
struct pmuv3_database_run {
  const char *source;
  const char *configuration;
  uint64_t seed;
  const char *params;
  uint64_t cycles;
  uint64_t comparisons;
  const char *verdict;
  const char *difference; /* or NULL */
  const char *capsule;    /* folder of the failure report, or NULL */
  const char *stimulus;   /* or NULL */
  double seconds;
  const char
      *hits_of; /* what the hits are recorded for; NULL: the configuration, of all its seeds */
};

/*
 * Records a run and its hits of bins, in one transaction. The order of the runs of a seed does not
 * matter:
 * - A divergence stays, and replaces all other runs.
 * - A longer equivalent run replaces a shorter one, and crashes that came no further.
 * - A crash replaces shorter crashes alone.
 * A crash that is replaced, or comes too late, is listed in the table `replaced`. Returns false if
 * the run adds nothing. Hits of a configuration are the sum over its runs; those of a replaced run
 * go. Hits of anything else are those of the last run.
 */
bool pmuv3_database_record(sqlite3 *database, const struct pmuv3_database_run *run,
                           const uint64_t *hits, size_t num_hits, const char *(*name)(size_t bin));

/* Records the versions of the tools that the programs were built with (source.h), beside those of
 * programs that measured before. */
void pmuv3_database_record_versions(sqlite3 *database, const char *source, const char *versions);
void pmuv3_database_record_version(sqlite3 *database, const char *source, const char *tool,
                                   const char *version);

#ifdef __cplusplus
}
#endif

#endif
