/* Attribution: which occurrences are a counter's own; their sum is VB. */
#include "internal.h"

void pmuv3_attribution_decode(struct pmuv3 *pmu, unsigned n) {
  const uint64_t evtyper = pmu->registers.evtyper[n];
  const uint64_t evt_count =
      PMUV3_GET(evtyper, PMEVTYPER, evtCount_hi) << 10 | PMUV3_GET(evtyper, PMEVTYPER, evtCount);
  pmu->config.event[pmuv3_lane(n)] = (uint16_t)pmuv3_event_find((uint16_t)evt_count);
}

void pmuv3_attribution_increment(struct pmuv3_state *state, uint32_t counters, uint16_t most) {
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
    uint16_t *pending = &state->pending[pmuv3_lane(n)];
    if (pmuv3_bit(counters, n) && *pending < most) ++*pending;
  }
}

/* CHAIN is the other event of the PMU's own: pmuv3_overflow_chain. */
PMUV3_STEP
void pmuv3_attribution(const struct pmuv3_config *restrict config,
                       const struct pmuv3_cycle *restrict cycle, struct pmuv3_state *restrict state,
                       struct pmuv3_values *restrict values) {
  for (int i = 0; i < PMUV3_LANES; i++) {
    const uint16_t software_increments = all_if(config->event[i] == PMUV3_EVENT_SW_INCR);
    const uint16_t cycles = all_if(config->event[i] == PMUV3_EVENT_CPU_CYCLES);
    values->VB[i] = (software_increments & state->pending[i]) | (cycles & 1);
    state->pending[i] = 0;
  }
  for (int o = 0; o < cycle->num_occurrences; o++) {
    const struct pmuv3_occurrence occurrence = cycle->occurrences[o];
    for (int i = 0; i < PMUV3_LANES; i++) {
      const uint16_t selected = all_if(config->event[i] == occurrence.event);
      values->VB[i] = (uint16_t)(values->VB[i] + (selected & occurrence.count));
    }
  }
}
