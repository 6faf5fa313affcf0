#include "testbench/signoff/coverage/lean.h"

#include "testbench/signoff/coverage/bins.h"
#include "testbench/signoff/coverage/coverage.h"

/* The plans that are for a cross; PMUV3_NUM_PLANS: none is. */
static enum pmuv3_plan plan_for(enum cross cross) {
  switch (cross) {
    case CROSS_PAIRS:
      return PMUV3_PLAN_PAIRS;
    case CROSS_PROHIBITION:
    case CROSS_CYCLE_PROHIBITION:
    case CROSS_INSTRUCTION_PROHIBITION:
      return PMUV3_PLAN_PROHIBITIONS;
    case CROSS_ENABLES:
      return PMUV3_PLAN_ENABLES;
    case CROSS_COLLISION:
      return PMUV3_PLAN_COLLISIONS;
    case CROSS_STATES:
      return PMUV3_PLAN_STATES;
    case CROSS_PMEE:
      return PMUV3_PLAN_EXCEPTIONS;
    case CROSS_PMSSE:
      return PMUV3_PLAN_CAPTURES;
    default:
      return PMUV3_NUM_PLANS;
  }
}

struct pmuv3_lean pmuv3_coverage_lean(const struct pmuv3_params *params, const uint64_t *hits) {
  struct pmuv3_lean lean = {{0}};
  for (size_t bin = NUM_RULE_BINS; bin < pmuv3_coverage_num_bins(); bin++) {
    unsigned values[MAX_AXES];
    enum cross cross;
    if (hits[bin] || !pmuv3_cross_of(bin, &cross, values)) continue;
    const enum pmuv3_plan plan = plan_for(cross);
    if (plan != PMUV3_NUM_PLANS && pmuv3_coverage_reachable(bin, params)) lean.weights[plan]++;
  }
  return lean;
}
