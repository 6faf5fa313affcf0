/*
 * An exploration in shards (docs/design/farm.md). A shard is some PMUs of the configuration. Its
 * file has what each of their counters counted in each interval.
 */
#ifndef EXPLORE_SHARDS_H
#define EXPLORE_SHARDS_H

#include "testbench/explore/command/collect.h"
#include "testbench/explore/command/options.h"

/* What all shards have in common. */
struct explore_shards {
  const struct explore_options *options;
  const struct pmt_reader *reader;
  struct explore_config *config;
  uint64_t interval;
};

/* Prints the shards: the name, a tab, and the arguments as a shell takes them. */
void explore_shards_list(const struct explore_shards *shards);

/* Counts the PMUs of options, and writes the file of the shard. The configuration keeps no others.
 */
void explore_shards_write(const struct explore_shards *shards);

/*
 * Opens the files of a folder, NAME.shard; what comes twice is taken once. A file that is damaged,
 * of other sources, or of another exploration is unusable. Does not return if PMUs are missing:
 * there is no verdict.
 */
struct explore_parts *explore_shards_open(const struct explore_shards *shards);

/* Takes all intervals, and closes the files. False: out of memory. */
bool explore_shards_take(struct explore_parts *parts, struct explore_collector *collector);

#endif
