/* libpmuv3: the stages put together. */
#include "pmuv3/pmuv3.h"

#include <string.h>

#include "internal.h"

void pmuv3_init(struct pmuv3 *pmu, const struct pmuv3_params *params) {
  memset(pmu, 0, sizeof *pmu);
  pmu->params = *params;
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) pmu->pe[t] = (struct pmuv3_pe)PMUV3_PE_RESET;
  pmuv3_registers_identify(pmu);
  pmuv3_registers_cold_reset(pmu);
}

void pmuv3_reset(struct pmuv3 *pmu) {
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    memset(&pmu->thread[t].state, 0, sizeof pmu->thread[t].state);
    memset(&pmu->thread[t].values, 0, sizeof pmu->thread[t].values);
  }
  pmuv3_registers_reset(pmu);
}

void pmuv3_set_pe(struct pmuv3 *pmu, unsigned thread, const struct pmuv3_pe *pe) {
  pmuv3_registers_set_pe(pmu, thread, pe);
}

enum pmuv3_access pmuv3_write(struct pmuv3 *pmu, unsigned thread, uint16_t reg, uint64_t value) {
  const enum pmuv3_access access = pmuv3_register_writable(&pmu->params, reg);
  if (access == PMUV3_ACCESS_OK) pmuv3_registers_write(pmu, thread, reg, value);
  return access;
}

enum pmuv3_access pmuv3_read(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                             uint64_t *value) {
  const enum pmuv3_access access = pmuv3_register_readable(&pmu->params, reg);
  *value = access == PMUV3_ACCESS_OK ? pmuv3_registers_read(pmu, thread, reg) : 0;
  return access;
}

/* From VB to the event counters. Returns which overflowed. */
static uint32_t count_events(struct pmuv3_thread *thread, uint64_t width, const bool frozen[2]) {
  static const uint16_t no_links[PMUV3_PAIRS] = {0};
  const size_t even = 0, odd = PMUV3_PAIRS;
  const struct pmuv3_config *config = &thread->config;
  struct pmuv3_state *state = &thread->state;
  struct pmuv3_values *values = &thread->values;
  pmuv3_filter(config, frozen, values);

  pmuv3_threshold(config, even, no_links, state, values);
  const bool even_carry = pmuv3_counter(config, width, even, state, values);
  if (even_carry) pmuv3_overflow_chain(config, values);

  pmuv3_threshold(config, odd, &values->V[even], state, values);
  const bool odd_carry = pmuv3_counter(config, width, odd, state, values);
  return even_carry || odd_carry ? pmuv3_overflow(values) : 0;
}

/* A Processor cycle's data flow in a thread's PMU. Returns which counters overflowed. Every freeze
 * follows from the flags at the start of the cycle (CYC-3). */
static uint64_t count(struct pmuv3 *pmu, unsigned t, const struct pmuv3_cycle *cycle,
                      const struct pmuv3_contexts *contexts) {
  struct pmuv3_thread *thread = &pmu->thread[t];
  const uint64_t running = thread->decoded.running;
  const bool frozen[2] = {pmuv3_filter_frozen(thread, PMUV3_R1),
                          pmuv3_filter_frozen(thread, PMUV3_R2)};
  pmuv3_attribution(pmu, t, cycle, contexts, &thread->values);
  uint64_t overflow = count_events(thread, pmu->identity.width, frozen);
  if ((running & PMUV3_BIT_C) != 0 &&
      pmuv3_cycle_counter(&thread->cycle_config, &pmu->pe[t], frozen[PMUV3_R1], &thread->state))
    overflow |= PMUV3_BIT_C;
  if ((running & PMUV3_BIT_F0) != 0 &&
      pmuv3_instruction_counter(pmu, t, cycle, contexts, frozen[PMUV3_R1], &thread->state))
    overflow |= PMUV3_BIT_F0;
  return overflow;
}

/* Increments of this very cycle need not wait, so the limit does not hold them. */
static bool increments(const struct pmuv3_cycle *cycle, unsigned thread) {
  return pmuv3_bit(cycle->has_write, thread) && cycle->write[thread].reg == PMUV3_PMSWINC;
}

void pmuv3_tick(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle) {
  const unsigned threads = pmu->params.threads;
  uint64_t overflow[PMUV3_MAX_THREADS];
  for (unsigned t = 0; t < threads; t++) {
    if (increments(cycle, t))
      pmuv3_attribution_increment(pmu, t, (uint32_t)cycle->write[t].value, PMUV3_MAX_PENDING + 1);
  }
  struct pmuv3_contexts contexts;
  pmuv3_attribution_contexts(pmu, cycle, &contexts);
  for (unsigned t = 0; t < threads; t++) overflow[t] = count(pmu, t, cycle, &contexts);
  /* The write wins over what was counted, and new overflow flags over the write. */
  for (unsigned t = 0; t < threads; t++) {
    pmuv3_attribution_consume(&pmu->thread[t].state);
    if (pmuv3_bit(cycle->has_write, t) && !increments(cycle, t))
      pmuv3_write(pmu, t, cycle->write[t].reg, cycle->write[t].value);
    pmu->thread[t].registers.overflow |= overflow[t];
  }
}

/* A field of the probe from the lanes of the same name, in the order of the counters. */
#define IN_ORDER(field, from)                                            \
  for (int pair = 0; pair < PMUV3_PAIRS; pair++) {                       \
    probe->field[2 * pair] = thread->from.field[pair];                   \
    probe->field[2 * pair + 1] = thread->from.field[PMUV3_PAIRS + pair]; \
  }
#define AS_MASK(field, from) probe->field = pmuv3_mask(thread->from.field)

/* What PMCNTEN, PMINTEN and PMOVS hold of the event counters; of the others, as {F0, C}. */
static uint32_t of_counters(uint64_t bits) {
  return (uint32_t)(bits & PMUV3_MASK(PMCNTENSET, P));
}
static uint64_t of_fixed(uint64_t bits) {
  return bits >> PMUV3_PMCNTENSET_C_LSB;
}

PMUV3_STEP
void pmuv3_probe(const struct pmuv3 *restrict pmu, unsigned t, struct pmuv3_probe *restrict probe) {
  const struct pmuv3_thread *thread = &pmu->thread[t];
  const struct pmuv3_registers *registers = &thread->registers;
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
  probe->overflow = of_counters(registers->overflow);
  memcpy(probe->evtyper, registers->evtyper, sizeof probe->evtyper);
  probe->cnten = of_counters(registers->cnten);
  probe->inten = of_counters(registers->inten);
  probe->pmcr = pmuv3_registers_read(pmu, t, PMUV3_PMCR);
  probe->mdcr_el2 = registers->mdcr_el2;
  probe->mdcr_el3 = registers->mdcr_el3;
  probe->sder = registers->sder;
  probe->pmccfiltr = registers->pmccfiltr;
  if (pmuv3_has(&pmu->params, PMUV3_FEATURE_ICNTR))
    probe->pmicfiltr = pmuv3_registers_read(pmu, t, PMUV3_PMICFILTR);
  probe->pmccntr = thread->state.cycles;
  probe->pmicntr = thread->state.instructions;
  probe->fixed_overflow = of_fixed(registers->overflow);
  probe->fixed_cnten = of_fixed(registers->cnten);
  probe->fixed_inten = of_fixed(registers->inten);
  probe->pmmir = pmu->identity.pmmir;
  probe->pmceid0 = pmu->identity.pmceid[0];
  probe->pmceid1 = pmu->identity.pmceid[1];
  probe->irq = pmuv3_irq(pmu, t);
}
