/* Overflow: what follows from it. */
#include "internal.h"

/*
 * CHAIN of the pair's even counter, in a counter that may count (CYC-2, CHAIN-1,
 * CHAIN-2). K-CHAIN-SPLIT: none from range R1 into R2.
 */
void pmuv3_overflow_decode(struct pmuv3 *pmu, unsigned n) {
  const unsigned i = pmuv3_lane(n);
  const bool selected = pmu->config.event[i] == PMUV3_EVENT_CHAIN && n % 2 == 1;
  const bool raised = selected && !pmuv3_bit(pmu->decoded.lp, n - 1) && n != pmu->decoded.hpmn;
  pmu->config.chain[i] = all_if(raised) & pmu->config.allowed[i];
}

void pmuv3_overflow_chain(const struct pmuv3_config *config, struct pmuv3_values *values) {
  for (int pair = 0; pair < PMUV3_PAIRS; pair++) {
    const int odd = PMUV3_PAIRS + pair;
    values->VB[odd] |= config->chain[odd] & all_if(values->carry[pair] != 0) & 1;
  }
}

uint32_t pmuv3_overflow(const struct pmuv3_values *values) {
  uint32_t flags = 0;
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    flags |= (uint32_t)(values->carry[pmuv3_lane(n)] != 0) << n;
  return flags;
}

/* D13.3-1: whether the counter itself is enabled does not matter. */
bool pmuv3_irq(const struct pmuv3 *pmu) {
  return (pmu->registers.overflow & pmu->registers.inten & pmu->decoded.enabled) != 0;
}
