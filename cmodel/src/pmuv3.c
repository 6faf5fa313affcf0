/* libpmuv3: the stages put together. */
#include "pmuv3/pmuv3.h"

#include <string.h>

#include "internal.h"

void pmuv3_init(struct pmuv3 *pmu, const struct pmuv3_params *params) {
  memset(pmu, 0, sizeof *pmu);
  pmu->params = *params;
  pmuv3_registers_identify(pmu);
  pmuv3_registers_cold_reset(pmu);
}

void pmuv3_reset(struct pmuv3 *pmu) {
  memset(&pmu->state, 0, sizeof pmu->state);
  memset(&pmu->values, 0, sizeof pmu->values);
  pmuv3_registers_reset(pmu);
}

enum pmuv3_access pmuv3_write(struct pmuv3 *pmu, uint16_t reg, uint64_t value) {
  const enum pmuv3_access access = pmuv3_register_writable(&pmu->params, reg);
  if (access == PMUV3_ACCESS_OK) pmuv3_registers_write(pmu, reg, value);
  return access;
}

enum pmuv3_access pmuv3_read(const struct pmuv3 *pmu, uint16_t reg, uint64_t *value) {
  const enum pmuv3_access access = pmuv3_register_readable(&pmu->params, reg);
  *value = access == PMUV3_ACCESS_OK ? pmuv3_registers_read(pmu, reg) : 0;
  return access;
}

/* A Processor cycle's data flow. Returns which counters overflowed. */
static uint32_t count(const struct pmuv3_decoded *decoded, const struct pmuv3_config *config,
                      const struct pmuv3_cycle *cycle, struct pmuv3_state *state,
                      struct pmuv3_values *values) {
  static const uint16_t no_links[PMUV3_PAIRS] = {0};
  const size_t even = 0, odd = PMUV3_PAIRS;
  pmuv3_attribution(config, cycle, state, values);
  pmuv3_filter(config, values);

  pmuv3_threshold(config, even, no_links, state, values);
  const bool even_carry = pmuv3_counter(config, decoded->width, even, state, values);
  if (even_carry) pmuv3_overflow_chain(config, values);

  pmuv3_threshold(config, odd, &values->V[even], state, values);
  const bool odd_carry = pmuv3_counter(config, decoded->width, odd, state, values);
  return even_carry || odd_carry ? pmuv3_overflow(values) : 0;
}

void pmuv3_tick(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle) {
  const struct pmuv3_write write = cycle->write;
  const bool increments = cycle->has_write && write.reg == PMUV3_PMSWINC;
  /* Increments of this very cycle need not wait, so the limit does not hold them. */
  if (increments)
    pmuv3_attribution_increment(&pmu->state, (uint32_t)write.value, PMUV3_MAX_PENDING + 1);
  const uint32_t overflow = count(&pmu->decoded, &pmu->config, cycle, &pmu->state, &pmu->values);
  /* The write wins over what was counted, and new overflow flags over the write. */
  if (cycle->has_write && !increments) pmuv3_write(pmu, write.reg, write.value);
  pmu->registers.overflow |= overflow;
}

/* A field of the probe from the lanes of the same name, in the order of the counters. */
#define IN_ORDER(field, from)                                         \
  for (int pair = 0; pair < PMUV3_PAIRS; pair++) {                    \
    probe->field[2 * pair] = pmu->from.field[pair];                   \
    probe->field[2 * pair + 1] = pmu->from.field[PMUV3_PAIRS + pair]; \
  }
#define AS_MASK(field, from) probe->field = pmuv3_mask(pmu->from.field)

PMUV3_STEP
void pmuv3_probe(const struct pmuv3 *restrict pmu, struct pmuv3_probe *restrict probe) {
  const struct pmuv3_registers *registers = &pmu->registers;
  memset(probe, 0, sizeof *probe);
  AS_MASK(allowed, values);
  IN_ORDER(VB, values);
  AS_MASK(CT, values);
  AS_MASK(CP, values);
  AS_MASK(CE, values);
  IN_ORDER(VT, values);
  IN_ORDER(VE, values);
  IN_ORDER(V, values);
  IN_ORDER(value, state);
  probe->overflow = registers->overflow;
  memcpy(probe->evtyper, registers->evtyper, sizeof probe->evtyper);
  probe->cnten = registers->cnten;
  probe->inten = registers->inten;
  probe->pmcr = pmuv3_registers_read(pmu, PMUV3_PMCR);
  probe->mdcr_el2 = registers->mdcr_el2;
  probe->pmmir = pmu->decoded.pmmir;
  probe->pmceid0 = pmu->decoded.pmceid[0];
  probe->pmceid1 = pmu->decoded.pmceid[1];
  probe->irq = pmuv3_irq(pmu);
}
