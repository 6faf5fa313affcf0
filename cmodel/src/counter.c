/* Counter: PMEVCNTR<n>_EL0 += V. */
#include "internal.h"

PMUV3_STEP
void pmuv3_counter_decode(struct pmuv3_thread *thread) {
  uint16_t lp[PMUV3_LANES];
  pmuv3_spread(thread->decoded.lp, lp);
  for (int i = 0; i < PMUV3_LANES; i++)
    thread->config.top[i] = lp[i] ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
}

void pmuv3_counter_zero(struct pmuv3_state *state, uint32_t counters) {
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    if (pmuv3_bit(counters, n)) state->value[pmuv3_lane(n)] = 0;
}

/*
 * All bits count, wherever the counter overflows (IFYVTD). V is far less than 2^31, so a bit has a
 * carry out exactly if the bit falls from 1 to 0 (CYC-4).
 */
PMUV3_STEP
bool pmuv3_counter(const struct pmuv3_config *restrict config, uint64_t width, size_t first,
                   struct pmuv3_state *restrict state, struct pmuv3_values *restrict values) {
  uint64_t any = 0;
  for (size_t pair = 0; pair < PMUV3_PAIRS; pair++) {
    const size_t i = first + pair;
    const uint64_t value = state->value[i];
    const uint64_t next = (value + values->V[i]) & width;
    const uint64_t carry = value & ~next & config->top[i];
    state->value[i] = next;
    values->carry[i] = carry;
    any |= carry;
  }
  return any != 0;
}
