/* Overflow: CHAIN and the overflow flags. */
#include "internal.h"

/*
 * An odd counter counts CHAIN when the even counter of the pair overflows at bit 31 (CYC-2,
 * CHAIN-1, CHAIN-2). CHAIN does not cross from R1 into R2 (K-CHAIN-SPLIT). Counters of R3 never
 * count CHAIN, even with 32 bits (RBHFSF, CHAIN-3).
 */
PMUV3_STEP
void pmuv3_overflow_decode(struct pmuv3_thread *thread) {
  const struct pmuv3_decoded *decoded = &thread->decoded;
  const uint32_t odd = UINT32_C(0xAAAAAAAA);
  const uint32_t first_of_r2 = UINT32_C(1) << decoded->hpmn;
  const uint32_t unchained = decoded->lp << 1 | first_of_r2 | decoded->range[PMUV3_R3];
  pmuv3_spread(decoded->chain & odd & ~unchained, thread->config.chain);
}

void pmuv3_overflow_chain(const struct pmuv3_config *config, const uint16_t where[PMUV3_LANES],
                          struct pmuv3_values *values) {
  for (int pair = 0; pair < PMUV3_PAIRS; pair++) {
    const int odd = PMUV3_PAIRS + pair;
    const uint16_t counts = config->chain[odd] & where[odd] & all_if(values->carry[pair] != 0);
    values->allowed[odd] |= counts;
    values->VB[odd] |= counts & 1;
  }
}

uint32_t pmuv3_overflow(const struct pmuv3_values *values) {
  uint32_t flags = 0;
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    flags |= (uint32_t)(values->carry[pmuv3_lane(n)] != 0) << n;
  return flags;
}
