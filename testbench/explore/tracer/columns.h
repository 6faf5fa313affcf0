/*
 * The counts of the cycles that the core model works on, a column for each of its events. The model
 * books events in cycles ahead of the one in which it dispatches. Cycles behind are done, and go to
 * the sink in blocks.
 */
#ifndef PMUV3_TRACE_COLUMNS_H
#define PMUV3_TRACE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trace_column {
#define COLUMN(mnemonic, text) COLUMN_##mnemonic,
#include "testbench/explore/tracer/columns.def"
#undef COLUMN
  NUM_COLUMNS
};

enum {
  COLUMNS_GROUP = 8, /* columns in a word, eight bits each */
  NUM_GROUPS = (NUM_COLUMNS + COLUMNS_GROUP - 1) / COLUMNS_GROUP,
  COLUMNS_BLOCK = 4096, /* cycles that go to the sink together */
  /* Cycles that can be worked on. The memory of those that are not used costs nothing. */
  COLUMNS_ROOM = 1 << 22,
  /* So that groups do not meet in the same sets of the host's caches. */
  COLUMNS_STRIDE = COLUMNS_ROOM + 64,
};

/* What is done with cycles that are done: words[g] has the words of group g. */
typedef void columns_sink(void *context, const uint64_t *const words[NUM_GROUPS], uint32_t cycles);

struct columns {
  uint64_t *words; /* group g of cycle t: words[g * COLUMNS_STRIDE + t - first] */
  uint64_t first;
  uintptr_t origin;    /* where the word of group 0 of cycle 0 would be */
  uint64_t block_done; /* once this cycle is reached, a block is done */
  columns_sink *sink;
  void *context;
};

/* False: out of memory. */
bool columns_init(struct columns *columns, columns_sink *sink, void *context);
void columns_free(struct columns *columns);

/* A column's count, in the word of its group. */
static inline uint64_t columns_counts(enum trace_column column, uint64_t count) {
  return count << 8 * (column % COLUMNS_GROUP);
}

/* The word of a column's group. */
static inline uint64_t *columns_at(const struct columns *columns, enum trace_column column,
                                   uint64_t cycle) {
  const size_t group = column / COLUMNS_GROUP;
  return (uint64_t *)(columns->origin + (group * COLUMNS_STRIDE + cycle) * sizeof(uint64_t));
}

static inline unsigned columns_count(const struct columns *columns, enum trace_column column,
                                     uint64_t cycle) {
  return (uint8_t)(*columns_at(columns, column, cycle) >> 8 * (column % COLUMNS_GROUP));
}

/* Hands on the blocks before `done`. No event is booked in `end` or behind. */
void columns_hand_on(struct columns *columns, uint64_t done, uint64_t end);

/* Hands on all cycles before `end`. */
void columns_finish(struct columns *columns, uint64_t end);

/* The counts of each column, of COLUMNS_BLOCK cycles. */
struct columns_block {
  uint8_t of[NUM_GROUPS * COLUMNS_GROUP][COLUMNS_BLOCK];
};

/* Makes the counts of the words of a block, also those of columns that others of their group imply.
 * A group without words is left out. `cycles` may be fewer than a block's. */
void columns_split(struct columns_block *block, const uint64_t *const words[NUM_GROUPS],
                   uint32_t cycles);

#endif
