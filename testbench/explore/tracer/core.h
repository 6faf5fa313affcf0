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

struct core {
  struct core_params params;
  struct columns columns;

  /* Of each class of instruction: its latency, and what is booked, as words of columns.h. */
  unsigned latencies[TRACE_NUM_CLASSES];
  uint64_t dispatched[TRACE_NUM_CLASSES];
  uint64_t retires[TRACE_NUM_CLASSES];

  /* Front end. */
  uint64_t cycle;   /* in which operations dispatch now */
  unsigned slots;   /* of the cycle, which are left */
  uint64_t fetched; /* the first cycle in which the next instruction can dispatch */
  uint64_t line;    /* that was fetched last */
  struct predictor predictor;

  /* Back end. */
  uint64_t ready[TRACE_NUM_REGISTERS]; /* the first cycle in which the register can be read */
  uint64_t *free_from;  /* the first cycle in which each entry of the window is free */
  unsigned entry;       /* of the next operation */
  uint64_t retired;     /* the cycle in which the latest operation retires */
  unsigned retired_ops; /* in that cycle */

  /* Memory. */
  unsigned line_shift;
  uint64_t last_booked; /* no event is behind this cycle */
  struct cache l1i, l1d, l2, itlb, dtlb;
};

/* An instruction that executes. */
struct core_step {
  uint64_t pc;
  const struct trace_instruction *inst;
  bool has_address;
  uint64_t address; /* of its first access to memory */
  uint64_t next;    /* of branches: the address of the next instruction that executes */
};

/* False: out of memory. */
bool core_init(struct core *core, const struct core_params *params, columns_sink *sink,
               void *context);
void core_free(struct core *core);

void core_execute(struct core *core, const struct core_step *step);

/* All instructions retire, and all cycles go to the sink. */
void core_finish(struct core *core);

#endif
