#define _GNU_SOURCE
#include "testbench/cosim/cli/shards.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"

static void check_folder(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) pmuv3_cli_unusable("--merge: cannot read '%s': %s", path, strerror(errno));
  closedir(folder);
}

void pmuv3_shards_set(struct pmuv3_shards *shards, enum pmuv3_shards_mode mode, const char *path) {
  if (shards->mode != PMUV3_SHARDS_NONE)
    pmuv3_cli_unusable("--shards, --shard and --merge exclude each other");
  if (mode == PMUV3_SHARDS_MERGE) check_folder(path);
  *shards = (struct pmuv3_shards){mode, path};
}

static int is_shard(const struct dirent *entry) {
  const char *suffix = strrchr(entry->d_name, '.');
  return entry->d_name[0] != '.' && suffix && strcmp(suffix, ".shard") == 0;
}

void pmuv3_shards_each(const struct pmuv3_shards *shards,
                       void (*visit)(const char *path, void *with), void *with) {
  struct dirent **entries;
  const int num = scandir(shards->path, &entries, is_shard, versionsort);
  if (num < 0) pmuv3_cli_unusable("--merge: cannot read '%s': %s", shards->path, strerror(errno));
  for (int i = 0; i < num; i++) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", shards->path, entries[i]->d_name);
    visit(path, with);
    free(entries[i]);
  }
  free(entries);
}
