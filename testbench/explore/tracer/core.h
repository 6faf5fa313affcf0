/*
 * The core model: it makes cycles of the instructions that a program executes, and books the events
 * of each cycle (docs/reference/core_model.md).
 */
#ifndef PMUV3_TRACE_CORE_H
#define PMUV3_TRACE_CORE_H

#include "testbench/explore/tracer/cache.h"
#include "testbench/explore/tracer/columns.h"
#include "testbench/explore/tracer/core_params.h"
#include "testbench/explore/tracer/decode.h"
#include "testbench/explore/tracer/predictor.h"

/* Operations. */
enum {
  CORE_MAX_WINDOW = 512,           /* the window's, and what retires in a cycle, are no more */
  CORE_MAX_LINE_OPS = 256 / 4 * 5, /* of the instructions of a line */
  CORE_LEFT_WINDOW = 4 * CORE_MAX_WINDOW,
};

/* Where the front end and the back end stand. The loop over instructions has a copy of its own,
 * which the compiler keeps in registers. */
struct pipeline {
  uint64_t cycle;   /* in which operations dispatch now */
  unsigned slots;   /* of the cycle, which are left */
  uint64_t fetched; /* the first cycle in which the next instruction can dispatch */
  uint64_t line;    /* the address of the line that was fetched last */
  uint64_t retired; /* the cycle in which the latest operation retires */
  uint64_t *left;   /* where in left_window the next operation will be */
};

struct core {
  struct core_params params;
  struct columns columns;

  /* Of a class: its latency, and what it books, as words of columns.h. */
  uint64_t latency[TRACE_NUM_CLASSES];
  uint64_t dispatched[TRACE_NUM_CLASSES], retires[TRACE_NUM_CLASSES];

  struct pipeline pipeline;
  struct predictor predictor;
  uint64_t ready[TRACE_NUM_REGISTERS]; /* the first cycle in which the register can be read */
  /* Of the latest operations, the first cycle in which the operation has left the window. The next
   * operation waits for the one `window_back` before it, and retires behind the one `width_back`.
   */
  uint64_t *left_window;
  ptrdiff_t window_back, width_back;

  /* Memory. */
  unsigned line_shift;
  uint64_t line_mask;   /* of an address: that of its line */
  uint64_t last_booked; /* no event of an access is behind this cycle */
  struct cache l1i, l1d, l2, itlb, dtlb;
};

/* Instructions that execute, one behind the other. Only the last one may be a branch, or serialize.
 */
struct core_block {
  uint64_t pc;
  const struct trace_instruction *instructions;
  uint32_t count;
  const uint64_t *accesses; /* in the order of instructions; what is no access of them ends them */
  uint64_t next;            /* the address of the instruction that executes then */
};

/* False: out of memory. */
bool core_init(struct core *core, const struct core_params *params, columns_sink *sink,
               void *context);
void core_free(struct core *core);

void core_execute(struct core *core, const struct core_block *block);

/* All instructions retire, and all cycles go to the sink. */
void core_finish(struct core *core);

#endif
