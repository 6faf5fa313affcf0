/*
 * A proof in shards (docs/design/farm.md). A shard is a part of the cases of a size, or of its
 * places. Its file has the reports of its cases as the program has them in memory: only a program
 * of the same sources reads the file.
 */
#ifndef PMUV3_PROVE_SHARDS_H
#define PMUV3_PROVE_SHARDS_H

#include "testbench/prove/equivalence/report.h"

/* Prints the shards: the name, a tab, and the arguments as a shell takes them. The numbers are of
 * the cases of each size, and of the places of each size of non-interference. */
void shards_list(const struct prove_options *options, const size_t num_cases[MAX_SIZES],
                 const size_t num_places[MAX_SIZES]);

/* Writes what a shard reported. It asked one theorem of one size. */
void shards_write(const struct prove_options *options, const struct report *report);

/* Adds the reports in the files of a folder, NAME.shard, to the report, each case and place once.
 * The files stay. A file that is damaged or of other sources is unusable. */
void shards_merge(const struct prove_options *options, struct report *report);

#endif
