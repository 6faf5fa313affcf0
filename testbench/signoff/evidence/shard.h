/*
 * The file of a shard (docs/design/farm.md): an evidence database with the rows of this shard
 * alone. It is filled in memory and written whole, so SQLite takes no lock on a network file
 * system.
 */
#ifndef PMUV3_SHARD_H
#define PMUV3_SHARD_H

#include "testbench/cosim/cli/shards.h"
#include "testbench/signoff/evidence/database.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the hits of a run are recorded for in a shard (`hits_of`). The caller frees it. */
char *pmuv3_shard_run_name(const char *configuration, uint64_t seed);

/* Writes a database that is in memory to a file, and closes the database. */
void pmuv3_shard_write(const char *option, const char *path, sqlite3 *results);

/* Whose hits the database has. */
enum pmuv3_shard_hits {
  PMUV3_SHARD_HITS_SUMMED, /* of each configuration: the sum over its runs */
  PMUV3_SHARD_HITS_OF_RUNS /* of each run by itself, as the shard has them */
};

/*
 * Merges the files of a folder, NAME.shard, into the database, and removes each that is merged:
 * their runs with the hits, and their mutants.
 * What the database has already stays as it is, so files may come twice, late and in any order. A
 * file that is damaged or of other sources than `source` is unusable, and stays; files before it,
 * in the order of names, are merged.
 */
void pmuv3_shard_merge(sqlite3 *database, const char *source, enum pmuv3_shard_hits kind,
                       const struct pmuv3_shards *shards);

#ifdef __cplusplus
}
#endif

#endif
