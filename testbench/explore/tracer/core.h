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

/* Where the front end and the back end stand. The loop over instructions has a copy of its own,
 * which the compiler keeps in registers. */
struct pipeline {
  uint64_t cycle;   /* in which operations dispatch now */
  unsigned slots;   /* of the cycle, which are left */
  uint64_t fetched; /* the first cycle in which the next instruction can dispatch */
  uint64_t line;    /* the address of the line that was fetched last */
  uint64_t retired; /* the cycle in which the latest operation retires */
  unsigned ops;     /* operations so far, modulo 2^32 */
};

struct core {
  struct core_params params;
  struct columns columns;

  struct {
    uint64_t latency;
    uint64_t dispatched, retires; /* what is booked, as words of columns.h */
  } classes[TRACE_NUM_CLASSES];

  struct pipeline pipeline;
  struct predictor predictor;
  uint64_t ready[TRACE_NUM_REGISTERS]; /* the first cycle in which the register can be read */
  /* Of the latest operations, the first cycle in which the operation has left the window. A ring of
   * a power of 2. */
  uint64_t *left_window;
  unsigned ring_mask;

  /* Memory. */
  unsigned line_shift;
  uint64_t line_mask;   /* of an address: that of its line */
  uint64_t last_booked; /* no event of an access is behind this cycle */
  struct cache l1i, l1d, l2, itlb, dtlb;
};

enum { CORE_NO_INSTRUCTION = UINT32_MAX };

/* The first access to memory of an instruction. */
struct core_access {
  uint64_t address;
  uint32_t instruction; /* its index in the block */
};

/* Instructions that execute, one behind the other. Only the last one may be a branch. */
struct core_block {
  uint64_t pc;
  const struct trace_instruction *instructions;
  uint32_t count;
  const struct core_access *accesses; /* CORE_NO_INSTRUCTION ends them */
  uint64_t next;                      /* the address of the instruction that executes then */
};

/* False: out of memory. */
bool core_init(struct core *core, const struct core_params *params, columns_sink *sink,
               void *context);
void core_free(struct core *core);

void core_execute(struct core *core, const struct core_block *block);

/* All instructions retire, and all cycles go to the sink. */
void core_finish(struct core *core);

#endif
