/* Overflow: what follows from it. */
#include "internal.h"

/*
 * CHAIN of the pair's even counter, in a counter that may count (CYC-2, CHAIN-1,
 * CHAIN-2). K-CHAIN-SPLIT: none from range R1 into R2.
 */
PMUV3_STEP
void pmuv3_overflow_decode(struct pmuv3_thread *thread) {
  const struct pmuv3_decoded *decoded = &thread->decoded;
  const uint32_t odd = UINT32_C(0xAAAAAAAA);
  const uint32_t second_range = UINT32_C(1) << decoded->hpmn; /* its first counter */
  pmuv3_spread(decoded->chain & odd & ~(decoded->lp << 1) & ~second_range, thread->config.chain);
}

void pmuv3_overflow_chain(const struct pmuv3_config *config, struct pmuv3_values *values) {
  for (int pair = 0; pair < PMUV3_PAIRS; pair++) {
    const int odd = PMUV3_PAIRS + pair;
    values->VB[odd] |=
        config->chain[odd] & values->allowed[odd] & all_if(values->carry[pair] != 0) & 1;
  }
}

uint32_t pmuv3_overflow(const struct pmuv3_values *values) {
  uint32_t flags = 0;
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    flags |= (uint32_t)(values->carry[pmuv3_lane(n)] != 0) << n;
  return flags;
}

/* D13.3-1: whether the counter itself is enabled does not matter. */
bool pmuv3_irq(const struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  return (registers->overflow & registers->inten & pmu->thread[thread].decoded.enabled) != 0;
}
