/*
 * .pmt: what occurred in each Processor cycle, as columns (docs/reference/pmt.md). Any simulator
 * can write a trace with this library: it needs this header, libpmuv3 with its headers, zstd and
 * zlib.
 *
 * A column holds how often one event of one thread occurs in each cycle. The writer and the reader
 * allocate memory for a few blocks, however long the trace is.
 *
 *   struct pmt_column columns[] = {
 *       {.event = 0x0008, .width = 4, .name = "INST_RETIRED"},
 *       {.event = 0x0024, .width = 1, .name = "STALL_BACKEND"},
 *   };
 *   struct pmt_header header = {
 *       .threads = 1,
 *       .num_columns = 2,
 *       .columns = columns,
 *       .generator = "my simulator 1.0",
 *       .command = "./program",
 *       .core = "",
 *   };
 *   const char *why;
 *   struct pmt_writer *writer = pmt_writer_open(file, &header, &why);
 *   pmt_writer_add(writer, 0, 3);    // in this cycle three instructions retire
 *   pmt_writer_next(writer);         // the cycle ends
 *   pmt_writer_idle(writer, 20);     // twenty cycles in which nothing occurs
 *   why = pmt_writer_close(writer);  // NULL: the trace is whole
 */
#ifndef PMT_H
#define PMT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "pmuv3/cycle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A block has a multiple of this many cycles, so that a plane is whole vectors. */
#define PMT_CYCLES_UNIT 4096u

/* What a block has unless the header says otherwise, and the most. */
#define PMT_DEFAULT_BLOCK 65536u
#define PMT_MAX_BLOCK (1u << 24)

#define PMT_MAX_COLUMNS 1024u
#define PMT_MAX_PLANES 8u /* a count has 8 bits */
#define PMT_NAME_SIZE 48u

/* A column: an event of a thread. `width` is the number of bits of its largest count, 1..8. */
struct pmt_column {
  uint16_t event;
  uint8_t thread;
  uint8_t origin; /* PMUV3_CURRENT, or PMUV3_UNATTRIBUTABLE (related to no activity) */
  uint8_t width;
  char name[PMT_NAME_SIZE]; /* the mnemonic: capital letters, digits and _; no digit first */
};

/* Says in words what is wrong with column c, which may be given twice, or have the name of another
 * event. NULL: nothing. The words last until the next call. */
const char *pmt_column_wrong(const struct pmt_column *columns, unsigned c);

/* What a trace is of. `columns` are in any order; no two have the same event, thread and origin. */
struct pmt_header {
  uint32_t block_cycles; /* 0: PMT_DEFAULT_BLOCK */
  uint16_t threads;
  uint16_t num_columns;
  const struct pmt_column *columns;
  const char *generator; /* the program that wrote the trace, with its version */
  const char *command;   /* the command that was traced */
  const char *core;      /* the core model, with its settings, as text */
};

/* ---- Writing ---- */

/* The part of a writer that the inline functions below use, and nobody else. */
struct pmt_writer {
  uint8_t *counts; /* column c's count in cycle i of the unit: counts[c * PMT_CYCLES_UNIT + i] */
  uint64_t touched[PMT_MAX_COLUMNS / 64]; /* columns that are not all 0 in the unit, a bit each */
  uint32_t at;                            /* the current cycle, in the unit */
};

/*
 * Begins a trace in `out`, which may be a pipe. The threads are in the state PMUV3_PE_RESET. The
 * strings of the header are copied. NULL: *why says in words what is wrong.
 */
struct pmt_writer *pmt_writer_open(FILE *out, const struct pmt_header *header, const char **why);

/* From here on a second thread helps to compress, in the calls that write a block. The file is the
 * same. */
void pmt_writer_help(struct pmt_writer *writer);

/* Ends the unit of PMT_CYCLES_UNIT cycles that is full. The other functions call it. */
void pmt_writer_flush(struct pmt_writer *writer);

/* `count` further occurrences of a column in the current cycle. A sum above 255 becomes 255, and
 * pmt_writer_close says that the count is too large. */
void pmt_writer_overrun(struct pmt_writer *writer, unsigned column);
static inline void pmt_writer_add(struct pmt_writer *writer, unsigned column, unsigned count) {
  uint8_t *at = &writer->counts[(size_t)column * PMT_CYCLES_UNIT + writer->at];
  const uint64_t sum = (uint64_t)*at + count;
  *at = (uint8_t)sum;
  writer->touched[column / 64] |= UINT64_C(1) << column % 64;
  if (sum > UINT8_MAX) pmt_writer_overrun(writer, column);
}

/* Ends the current cycle. */
static inline void pmt_writer_next(struct pmt_writer *writer) {
  if (++writer->at == PMT_CYCLES_UNIT) pmt_writer_flush(writer);
}

/* One cycle: the count of each column. */
void pmt_writer_cycle(struct pmt_writer *writer, const uint8_t *counts);

/* `cycles` cycles with the same counts. The current cycle must have none yet. */
void pmt_writer_run(struct pmt_writer *writer, const uint8_t *counts, uint64_t cycles);

/* `cycles` cycles: counts[c] has the counts of column c. The current cycle must have none yet. */
void pmt_writer_columns(struct pmt_writer *writer, const uint8_t *const *counts, uint32_t cycles);

/* Ends the current cycle, and adds further ones without occurrences: `cycles` in all. */
void pmt_writer_idle(struct pmt_writer *writer, uint64_t cycles);

/* The state of a thread from the current cycle on. The current cycle must have no occurrences yet.
 * pmt_writer_close says that a field is out of range. */
void pmt_writer_state(struct pmt_writer *writer, unsigned thread, const struct pmuv3_pe *pe);

/* The cycles that ended. */
uint64_t pmt_writer_cycles(const struct pmt_writer *writer);

/* What went wrong so far, as pmt_writer_close will say it. NULL: nothing did. Nothing is written
 * after that, so a long run may end early. */
const char *pmt_writer_wrong(const struct pmt_writer *writer);

/*
 * Ends the trace and frees the writer. A current cycle that did not end is lost, with its
 * occurrences and states. The file stays open. NULL, or in words what went wrong: the trace is then
 * not whole.
 */
const char *pmt_writer_close(struct pmt_writer *writer);

/* ---- Reading ---- */

struct pmt_reader;

/* The state of a thread from a cycle of the block on. */
struct pmt_change {
  uint32_t cycle;
  uint8_t thread;
  struct pmuv3_pe pe;
};

/*
 * A block, as read. Plane k of column c has bit k of the counts: bit i % 64 of word i / 64 is cycle
 * i's. A plane has `words` words, aligned to 64 bytes; those beyond `cycles` are 0. Planes beyond
 * num_planes[c] are 0, and not there. `changes` begin with the states of all threads in cycle 0.
 */
struct pmt_block {
  uint64_t first; /* the number of its first cycle in the trace */
  uint32_t cycles;
  uint32_t words;
  uint8_t *num_planes;
  const uint64_t **planes; /* of column c, one plane after the other; NULL: not wanted */
  uint64_t *sums;          /* all counts of column c in the block */
  uint32_t num_changes;
  struct pmt_change *changes;
};

/*
 * Opens a trace, which is a regular file. NULL: `error` has one line "PATH: what is wrong", without
 * a newline.
 */
struct pmt_reader *pmt_reader_open(const char *path, char *error, size_t error_size);
void pmt_reader_close(struct pmt_reader *reader);

/* Valid until pmt_reader_close. */
const struct pmt_header *pmt_reader_header(const struct pmt_reader *reader);
const char *pmt_reader_path(const struct pmt_reader *reader);

uint64_t pmt_reader_cycles(const struct pmt_reader *reader);
uint64_t pmt_reader_blocks(const struct pmt_reader *reader);
uint64_t pmt_reader_bytes(const struct pmt_reader *reader);

/* All counts of a column in the trace. */
uint64_t pmt_reader_total(const struct pmt_reader *reader, unsigned column);

/* Room for any block of the trace. NULL: out of memory. */
struct pmt_block *pmt_block_new(const struct pmt_reader *reader);
void pmt_block_free(struct pmt_block *block);

/*
 * Reads a block. `wanted[c]` says whether column c's planes are read; NULL: all are. Several
 * threads may read different blocks at once. False: there is no such block, or it cannot be read;
 * `error` has one line "PATH: what is wrong".
 */
bool pmt_reader_read(const struct pmt_reader *reader, uint64_t index, const bool *wanted,
                     struct pmt_block *block, char *error, size_t error_size);

/* A column's count in a cycle of a block. */
static inline unsigned pmt_block_count(const struct pmt_block *block, unsigned column,
                                       uint32_t cycle) {
  unsigned count = 0;
  for (unsigned k = 0; k < block->num_planes[column]; k++) {
    const uint64_t word = block->planes[column][(size_t)k * block->words + cycle / 64];
    count |= (unsigned)(word >> cycle % 64 & 1) << k;
  }
  return count;
}

#ifdef __cplusplus
}
#endif

#endif
