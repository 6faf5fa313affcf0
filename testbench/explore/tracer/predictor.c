#include "testbench/explore/tracer/predictor.h"

#include <stdlib.h>

#include "testbench/explore/tracer/decode.h"

bool predictor_init(struct predictor *predictor, const struct core_params *params) {
  *predictor = (struct predictor){
      .counter_mask = (UINT64_C(1) << params->predictor_bits) - 1,
      .target_mask = (UINT64_C(1) << params->target_bits) - 1,
      .history_mask = (UINT64_C(1) << params->history_bits) - 1,
      .return_depth = params->return_depth,
  };
  predictor->counters = calloc(predictor->counter_mask + 1, sizeof *predictor->counters);
  predictor->targets = calloc(predictor->target_mask + 1, sizeof *predictor->targets);
  predictor->returns = calloc(predictor->return_depth, sizeof *predictor->returns);
  return predictor->counters && predictor->targets && predictor->returns;
}

void predictor_free(struct predictor *predictor) {
  free(predictor->counters);
  free(predictor->targets);
  free(predictor->returns);
}

static bool learn_target(struct predictor *predictor, const struct branch *branch) {
  const uint64_t place = (branch->pc / 4 ^ predictor->history) & predictor->target_mask;
  const bool is_right = predictor->targets[place] == branch->next;
  predictor->targets[place] = branch->next;
  return is_right;
}

static void call(struct predictor *predictor, uint64_t address) {
  predictor->top = (predictor->top + 1) % predictor->return_depth;
  predictor->returns[predictor->top] = address;
}

static uint64_t return_address(struct predictor *predictor) {
  const uint64_t address = predictor->returns[predictor->top];
  predictor->top = (predictor->top + predictor->return_depth - 1) % predictor->return_depth;
  return address;
}

/* The targets of branches that are not indirect are in the instruction. */
bool predictor_learn_target(struct predictor *predictor, const struct branch *branch) {
  if (branch->flags & TRACE_RETURN) return return_address(predictor) == branch->next;
  if (branch->flags & TRACE_CALL) call(predictor, branch->pc + 4);
  return !(branch->flags & TRACE_INDIRECT) || learn_target(predictor, branch);
}
