/* The branch predictor of the core model: gshare, last targets, a stack of return addresses. */
#ifndef PMUV3_TRACE_PREDICTOR_H
#define PMUV3_TRACE_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "testbench/explore/tracer/core_params.h"
#include "testbench/explore/tracer/decode.h"

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

/* Of a conditional branch. */
static inline bool predictor_learn_direction(struct predictor *predictor,
                                             const struct branch *branch) {
  const uint64_t place = (branch->pc / 4 ^ predictor->history) & predictor->counter_mask;
  uint8_t *counter = &predictor->counters[place];
  const bool is_right = (*counter >= 2) == branch->is_taken;
  if (branch->is_taken && *counter < 3) ++*counter;
  if (!branch->is_taken && *counter > 0) --*counter;
  predictor->history = (predictor->history << 1 | branch->is_taken) & predictor->history_mask;
  return is_right;
}

/* Of another branch. */
bool predictor_learn_target(struct predictor *predictor, const struct branch *branch);

/* Whether the branch is predicted right. The predictor learns it. */
static inline bool predictor_learn(struct predictor *predictor, const struct branch *branch) {
  return branch->flags & TRACE_CONDITIONAL ? predictor_learn_direction(predictor, branch)
                                           : predictor_learn_target(predictor, branch);
}

#endif
