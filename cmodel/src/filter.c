/* Filter: in which counters counting is allowed. */
#include "internal.h"

/* A counter is enabled by itself and by the global enable of its range (RKYBQW). */
void pmuv3_filter_decode(struct pmuv3 *pmu, unsigned n) {
  const uint32_t enabled = pmu->registers.cnten & pmu->decoded.enabled;
  pmu->config.allowed[pmuv3_lane(n)] = all_if(pmuv3_bit(enabled, n));
}

PMUV3_STEP
void pmuv3_filter(const struct pmuv3_config *restrict config,
                  struct pmuv3_values *restrict values) {
  for (int i = 0; i < PMUV3_LANES; i++) {
    values->allowed[i] = config->allowed[i];
    values->VB[i] &= config->allowed[i];
  }
}
