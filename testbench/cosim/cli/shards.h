/*
 * What programs have in common whose work splits into shards (docs/design/farm.md): the options
 * --shards, --shard FILE and --merge DIR, and the files that are merged.
 */
#ifndef PMUV3_CLI_SHARDS_H
#define PMUV3_CLI_SHARDS_H

#ifdef __cplusplus
extern "C" {
#endif

enum pmuv3_shards_mode {
  PMUV3_SHARDS_NONE, /* do all the work, and report */
  PMUV3_SHARDS_LIST, /* list the shards that have no result */
  PMUV3_SHARDS_ONE,  /* do the work of a shard, and write its file */
  PMUV3_SHARDS_MERGE /* merge the files of shards, and report */
};

struct pmuv3_shards {
  enum pmuv3_shards_mode mode;
  const char *path; /* file of a shard, or folder to merge */
};

/* Takes one of the options. Another one before it is unusable, and so is a folder to merge that
 * cannot be read. */
void pmuv3_shards_set(struct pmuv3_shards *shards, enum pmuv3_shards_mode mode, const char *path);

/* Visits the files of the folder to merge, NAME.shard, in the order of their names. A folder that
 * cannot be read is unusable. */
void pmuv3_shards_each(const struct pmuv3_shards *shards,
                       void (*visit)(const char *path, void *with), void *with);

#ifdef __cplusplus
}
#endif

#endif
