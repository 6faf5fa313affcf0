/*
 * How the plugin, in QEMU's process, tells the tracer what the program executes: through a memory
 * that both map.
 *
 * The plugin describes each block of instructions once, when QEMU translates the block. Then it
 * appends a record, one word, for each block that begins and for each access to memory in it. An
 * instruction of a block has been executed unless the block's records end before its last access.
 * An instruction that is UNDEFINED ends its block, has no record, and raises SIGILL. QEMU may find
 * out that it is UNDEFINED only when it executes it: such an instruction is the last one of a block
 * here, and QEMU's block goes on with the next one.
 *
 * `head`, `tail` and `cursor` number words; word n is at records[n % TRACE_NUM_RECORDS]. The tracer
 * maps the records twice, one behind the other, so that the words of a block follow one another.
 */
#ifndef PMUV3_TRACE_STREAM_H
#define PMUV3_TRACE_STREAM_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "testbench/explore/tracer/decode.h"

/* A block: its descriptor's place, in units of 8 bytes. An access: as in decode.h. */
#define TRACE_RECORD_BLOCK (UINT64_C(1) << 63)

enum {
  TRACE_NUM_RECORDS = 1 << 17,
  TRACE_PUBLISHED = 1 << 13, /* records that the plugin publishes together, or more */
  /* The records of one block at most: 512 instructions with 64 accesses, and the block's own. */
  TRACE_MAX_BLOCK_RECORDS = 1 << 15 | 1 << 10,
  TRACE_MAX_HANDLERS = 16,
};

/* What the blocks' descriptors may take in all. The pages that are not used cost nothing. */
#define TRACE_DESCRIPTOR_BYTES (UINT64_C(1) << 33)

struct trace_block {
  uint64_t pc;
  uint32_t count;
  uint32_t must_access; /* no instruction from here on must access memory */
  bool last_executes;   /* the last instruction is known not to be UNDEFINED */
  struct trace_instruction instructions[];
};

struct trace_stream {
  /* Whole pages. The plugin writes the first half; the second is the tracer's second view of it. */
  uint64_t records[2 * TRACE_NUM_RECORDS];
  /* The plugin's. */
  _Alignas(64) _Atomic uint64_t head; /* records before it are whole blocks, and published */
  _Atomic uint32_t head_changed;      /* a futex: counts changes of head */
  _Atomic uint32_t is_ready;          /* the plugin is installed */
  _Atomic uint32_t has_threads;       /* the program made a further thread, which is not traced */
  _Atomic uint32_t is_replaced;       /* the program is in execve */
  _Atomic uint32_t is_full;           /* no room for descriptors: the trace ends here */
  _Atomic uint32_t num_handlers;      /* that the program has had for SIGILL, perhaps too many */
  uint64_t handlers[TRACE_MAX_HANDLERS];
  uint64_t cursor;           /* where the next record goes */
  uint64_t descriptors_used; /* bytes */
  uint64_t clears;           /* executed DC ZVA */
  /* The tracer's. */
  _Alignas(64) _Atomic uint64_t tail; /* records before it are read */
  _Atomic uint32_t tail_changed;      /* a futex: counts changes of tail */
  _Alignas(64) unsigned char descriptors[];
};

#define TRACE_STREAM_BYTES (sizeof(struct trace_stream) + TRACE_DESCRIPTOR_BYTES)

#endif
