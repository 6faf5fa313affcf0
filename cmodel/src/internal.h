/*
 * The stages of the data flow, a room each. A stage's step is evaluated in
 * every Processor cycle; its decode prepares the configuration of counter n for
 * that when registers change.
 *
 * Steps are pure: they read the configuration and what the stages before them
 * made of the cycle, and write what is theirs. Those that depend on the other
 * counter of the pair take PMUV3_PAIRS lanes, from `first`.
 */
#ifndef PMUV3_INTERNAL_H
#define PMUV3_INTERNAL_H

#include "pmuv3/pmuv3.h"

/*
 * The vectors of AVX2 make steps half again as fast: gcc compiles them with and
 * without, and the loader picks. Not under sanitizers, which start too late for
 * that, nor with clang 14, whose clones other files don't find.
 */
#if defined __x86_64__ && defined __gnu_linux__ && !defined __clang__ && \
    !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ && !defined PMUV3_NO_CLONES
#define PMUV3_STEP __attribute__((target_clones("default", "avx2")))
#else
#define PMUV3_STEP
#endif

/* A counter's mask bit. */
static inline bool pmuv3_bit(uint32_t mask, unsigned n) {
  return (mask >> n & 1) != 0;
}

/* A mask of the counters 0..counters-1. */
static inline uint32_t pmuv3_counters_below(unsigned counters) {
  return (UINT32_C(1) << counters) - 1;
}

/* Conditions in a lane: all ones or 0, so that they mask and pick without a branch. */
static inline uint16_t all_if(bool condition) {
  return condition ? UINT16_MAX : 0;
}
static inline uint16_t pick(uint16_t condition, uint16_t if_true, uint16_t if_false) {
  return (uint16_t)((if_true & condition) | (if_false & ~condition));
}

/* A condition of all lanes as a mask, bit n for counter n. */
static inline uint32_t pmuv3_mask(const uint16_t lanes[PMUV3_LANES]) {
  uint32_t mask = 0;
  for (unsigned pair = 0; pair < PMUV3_PAIRS; pair++) {
    const uint32_t even = lanes[pair] & 1u;
    const uint32_t odd = lanes[PMUV3_PAIRS + pair] & 1u;
    mask |= (even | odd << 1) << 2 * pair;
  }
  return mask;
}

/* A register's encoding, for PMEVCNTR<n>_EL0 and PMEVTYPER<n>_EL0 that of n = 0; and n. */
static inline uint16_t pmuv3_register_base(uint16_t reg) {
  const uint16_t base = reg & 0xFFE0;
  return base == PMUV3_PMEVCNTR || base == PMUV3_PMEVTYPER ? base : reg;
}
static inline unsigned pmuv3_register_index(uint16_t reg) {
  return (unsigned)(reg - pmuv3_register_base(reg));
}

/* attribution: occurrences, software increments -> VB */
#define PMUV3_MAX_PENDING 255
void pmuv3_attribution_decode(struct pmuv3 *pmu, unsigned n);
void pmuv3_attribution(const struct pmuv3_config *config, const struct pmuv3_cycle *cycle,
                       struct pmuv3_state *state, struct pmuv3_values *values);

/* A software increment of each of `counters` of which fewer than `most` wait. */
void pmuv3_attribution_increment(struct pmuv3_state *state, uint32_t counters, uint16_t most);

/* filter: VB -> allowed, and VB where it is */
void pmuv3_filter_decode(struct pmuv3 *pmu, unsigned n);
void pmuv3_filter(const struct pmuv3_config *config, struct pmuv3_values *values);

/* threshold: VB, and as links V of the pairs' even counters -> CT, CP, CE, VT, VE, V */
void pmuv3_threshold_decode(struct pmuv3 *pmu, unsigned n);
void pmuv3_threshold(const struct pmuv3_config *config, size_t first,
                     const uint16_t links[PMUV3_PAIRS], struct pmuv3_state *state,
                     struct pmuv3_values *values);

/* counter: V -> value, carry; whether there is any carry */
void pmuv3_counter_decode(struct pmuv3 *pmu, unsigned n);
bool pmuv3_counter(const struct pmuv3_config *config, uint64_t width, size_t first,
                   struct pmuv3_state *state, struct pmuv3_values *values);
void pmuv3_counter_clear(struct pmuv3_state *state);

/* overflow: carry of the even counters -> CHAIN, in VB of the odd ones; carry -> new flags */
void pmuv3_overflow_decode(struct pmuv3 *pmu, unsigned n);
void pmuv3_overflow_chain(const struct pmuv3_config *config, struct pmuv3_values *values);
uint32_t pmuv3_overflow(const struct pmuv3_values *values);

/*
 * registers: all that is derived, from the parameters alone (identify) and from
 * the registers too (decode); access of a register that exists and allows it
 */
void pmuv3_registers_identify(struct pmuv3 *pmu);
void pmuv3_registers_decode(struct pmuv3 *pmu);
void pmuv3_registers_cold_reset(struct pmuv3 *pmu);
void pmuv3_registers_reset(struct pmuv3 *pmu);
void pmuv3_registers_write(struct pmuv3 *pmu, uint16_t reg, uint64_t value);
uint64_t pmuv3_registers_read(const struct pmuv3 *pmu, uint16_t reg);

#endif
