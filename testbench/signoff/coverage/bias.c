#include "testbench/signoff/coverage/bias.h"

#include "testbench/signoff/coverage/bins.h"
#include "testbench/signoff/coverage/coverage.h"

/* The sequences for a cross. PMUV3_NUM_SEQUENCES: there is no sequence. */
static enum pmuv3_sequence sequence_for(enum cross cross) {
  switch (cross) {
    case CROSS_PAIRS:
      return PMUV3_SEQUENCE_PAIRS;
    case CROSS_PROHIBITION:
    case CROSS_CYCLE_PROHIBITION:
    case CROSS_INSTRUCTION_PROHIBITION:
      return PMUV3_SEQUENCE_PROHIBITIONS;
    case CROSS_ENABLES:
      return PMUV3_SEQUENCE_ENABLES;
    case CROSS_COLLISION:
      return PMUV3_SEQUENCE_COLLISIONS;
    case CROSS_STATES:
      return PMUV3_SEQUENCE_STATES;
    case CROSS_PMEE:
      return PMUV3_SEQUENCE_EXCEPTIONS;
    case CROSS_PMSSE:
      return PMUV3_SEQUENCE_CAPTURES;
    default:
      return PMUV3_NUM_SEQUENCES;
  }
}

struct pmuv3_bias pmuv3_coverage_bias(const struct pmuv3_params *params, const uint64_t *hits) {
  struct pmuv3_bias bias = {{0}};
  for (size_t bin = NUM_RULE_BINS; bin < pmuv3_coverage_num_bins(); bin++) {
    unsigned values[MAX_AXES];
    enum cross cross;
    if (hits[bin] || !pmuv3_cross_of(bin, &cross, values)) continue;
    const enum pmuv3_sequence sequence = sequence_for(cross);
    if (sequence != PMUV3_NUM_SEQUENCES && pmuv3_coverage_reachable(bin, params))
      bias.weights[sequence]++;
  }
  return bias;
}
