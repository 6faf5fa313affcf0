/* The branch predictor of the core model: gshare, last targets, a stack of return addresses. */
#ifndef PMUV3_TRACE_PREDICTOR_H
#define PMUV3_TRACE_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "testbench/explore/tracer/core_params.h"

struct predictor {
  uint8_t *counters; /* 0 and 1: not taken */
  uint64_t *targets;
  uint64_t *returns; /* a ring */
  uint64_t counter_mask, target_mask, history_mask;
  uint64_t history; /* bit 0: whether the latest conditional branch was taken */
  unsigned return_depth;
  unsigned top; /* of the returns */
};

/* A branch that executes. */
struct branch {
  uint64_t pc;
  uint64_t next; /* the address of the next instruction that executes */
  bool is_taken;
  uint8_t flags; /* of decode.h */
};

/* False: out of memory. */
bool predictor_init(struct predictor *predictor, const struct core_params *params);
void predictor_free(struct predictor *predictor);

/* Whether the branch is predicted right. The predictor learns it. */
bool predictor_learn(struct predictor *predictor, const struct branch *branch);

#endif
