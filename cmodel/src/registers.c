/* Registers: the programmer's model, which configures all stages. */
#include <string.h>

#include "internal.h"

/* A value as the field of a register, in place. */
#define FIELD(value, reg, field) ((uint64_t)(value) << PMUV3_##reg##_##field##_LSB)

static uint64_t pmmir(const struct pmuv3_params *params) {
  const unsigned edge = pmuv3_has(params, PMUV3_FEATURE_TH2)    ? 2
                        : pmuv3_has(params, PMUV3_FEATURE_EDGE) ? 1
                                                                : 0;
  const unsigned th_width = pmuv3_has(params, PMUV3_FEATURE_TH) ? params->th_width : 0;
  if (!pmuv3_has(params, PMUV3_FEATURE_PMUv3p4)) return 0;
  return FIELD(pmuv3_has(params, PMUV3_FEATURE_SME), PMMIR, SME) | FIELD(edge, PMMIR, EDGE) |
         FIELD(th_width, PMMIR, THWIDTH) | FIELD(params->slots, PMMIR, SLOTS);
}

/* PMCEID<i>_EL0: the events from 0x20 * i in [31:0], those from 0x4000 + 0x20 * i in [63:32]. */
static uint64_t pmceid(const struct pmuv3_params *params, unsigned i) {
  uint64_t id = 0;
  for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++) {
    const enum pmuv3_event event = (enum pmuv3_event)e;
    const unsigned number = pmuv3_event_number(event);
    const unsigned offset = number % 0x4000 - 0x20 * i;
    if (number < 0x8000 && offset < 0x20 && pmuv3_event_fits(params, event))
      id |= UINT64_C(1) << (offset + (number >= 0x4000 ? 32 : 0));
  }
  return id;
}

void pmuv3_registers_identify(struct pmuv3 *pmu) {
  const bool wide = pmuv3_has(&pmu->params, PMUV3_FEATURE_PMUv3p5) && pmu->params.aa64;
  pmu->identity.pmmir = pmmir(&pmu->params);
  pmu->identity.width = wide ? UINT64_MAX : UINT32_MAX;
  for (unsigned i = 0; i < 2; i++) pmu->identity.pmceid[i] = pmceid(&pmu->params, i);
}

/* HPMN_eff. K-HPMN-RES: a reserved value acts as all counters. */
static uint8_t hpmn(const struct pmuv3_params *params, uint64_t mdcr_el2) {
  const uint8_t hpmn = (uint8_t)PMUV3_GET(mdcr_el2, MDCR_EL2, HPMN);
  const bool reserved =
      hpmn > params->counters || (hpmn == 0 && !pmuv3_has(params, PMUV3_FEATURE_HPMN0));
  return !params->el2 || reserved ? params->counters : hpmn;
}

/* The counters for which a control is set: in range R1 by its bit r1, in R2 by r2 (DXWVNH). */
static uint32_t by_range(const struct pmuv3_decoded *decoded, bool r1, bool r2) {
  return (r1 ? decoded->range[PMUV3_R1] : 0) | (r2 ? decoded->range[PMUV3_R2] : 0);
}

static void decode_ranges(struct pmuv3 *pmu, unsigned thread) {
  struct pmuv3_decoded *decoded = &pmu->thread[thread].decoded;
  const uint64_t pmcr = pmu->thread[thread].registers.pmcr;
  const uint64_t mdcr_el2 = pmu->thread[thread].registers.mdcr_el2;
  const uint32_t all = pmuv3_counters_below(pmu->params.counters);
  const bool e = PMUV3_GET(pmcr, PMCR, E), hpme = PMUV3_GET(mdcr_el2, MDCR_EL2, HPME);
  const bool lp = PMUV3_GET(pmcr, PMCR, LP), hlp = PMUV3_GET(mdcr_el2, MDCR_EL2, HLP);
  decoded->hpmn = hpmn(&pmu->params, mdcr_el2);
  decoded->range[PMUV3_R1] = pmuv3_counters_below(decoded->hpmn);
  decoded->range[PMUV3_R2] = all & ~decoded->range[PMUV3_R1];
  decoded->enabled = by_range(decoded, e, hpme) | (e ? PMUV3_BIT_C | PMUV3_BIT_F0 : 0);
  decoded->lp = by_range(decoded, lp, hlp);
}

static void decode_event_counters(struct pmuv3 *pmu, unsigned thread) {
  pmuv3_attribution_decode(pmu, thread);
  pmuv3_filter_decode(pmu, thread);
  pmuv3_attribution_decode_states(pmu, thread);
  pmuv3_counter_decode(&pmu->thread[thread]);
  pmuv3_overflow_decode(&pmu->thread[thread]);
}

static void decode(struct pmuv3 *pmu, unsigned thread) {
  decode_ranges(pmu, thread);
  decode_event_counters(pmu, thread);
  pmuv3_cycle_counter_decode(pmu, thread);
  pmuv3_instruction_counter_decode(pmu, thread);
}

/* MTPME of one thread can be that of the whole group (K-MTPME-GROUP). */
static void decode_group(struct pmuv3 *pmu, unsigned thread) {
  for (unsigned t = 0; t < pmu->params.threads; t++)
    if (t == thread || pmu->params.k_mtpme_group) decode(pmu, t);
}

static void decode_counter(struct pmuv3 *pmu, unsigned thread, unsigned n) {
  pmuv3_attribution_decode_counter(pmu, thread, n);
  pmuv3_filter_decode_counter(pmu, thread, n);
  pmuv3_threshold_decode_counter(pmu, thread, n);
}

static void decode_counters(struct pmuv3 *pmu, unsigned thread) {
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) decode_counter(pmu, thread, n);
}

static void decode_all(struct pmuv3 *pmu) {
  for (unsigned t = 0; t < pmu->params.threads; t++) decode_counters(pmu, t);
  for (unsigned t = 0; t < pmu->params.threads; t++) decode(pmu, t);
}

/* Warm: MTPME, which resets on a Cold reset only (D13.6-8), keeps its value. */
static void reset(struct pmuv3 *pmu, struct pmuv3_registers *registers) {
  const uint64_t mdcr_el2 = (registers->mdcr_el2 & PMUV3_MASK(MDCR_EL2, MTPME)) |
                            FIELD(pmu->params.counters, MDCR_EL2, HPMN);
  const uint64_t mdcr_el3 = registers->mdcr_el3 & PMUV3_MASK(MDCR_EL3, MTPME);
  memset(registers, 0, sizeof *registers);
  registers->mdcr_el2 = mdcr_el2 & pmuv3_register_mask(&pmu->params, PMUV3_MDCR_EL2);
  registers->mdcr_el3 = mdcr_el3 & pmuv3_register_mask(&pmu->params, PMUV3_MDCR_EL3);
}

void pmuv3_registers_reset(struct pmuv3 *pmu) {
  for (unsigned t = 0; t < pmu->params.threads; t++) reset(pmu, &pmu->thread[t].registers);
  decode_all(pmu);
}

void pmuv3_registers_cold_reset(struct pmuv3 *pmu) {
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    pmu->thread[t].registers.mdcr_el2 = FIELD(1, MDCR_EL2, MTPME);
    pmu->thread[t].registers.mdcr_el3 = FIELD(1, MDCR_EL3, MTPME);
  }
  pmuv3_registers_reset(pmu);
}

/* What registers are decoded by, too: how EL1 uses SUNIDEN, EL3 its controls; and authentication.
 */
static bool changes_decode(const struct pmuv3_pe *pe, const struct pmuv3_pe *next) {
  return pe->a32el1 != next->a32el1 || pe->a32el3 != next->a32el3 || pe->snid != next->snid;
}

/* A thread's state matters to its own PMU, and to those that count with their group. */
void pmuv3_registers_set_pe(struct pmuv3 *pmu, unsigned thread, const struct pmuv3_pe *pe) {
  const bool changes_filters = pe->a32el3 != pmu->pe[thread].a32el3;
  const bool changes = changes_decode(&pmu->pe[thread], pe);
  pmu->pe[thread] = *pe;
  if (changes_filters) decode_counters(pmu, thread);
  if (changes)
    decode(pmu, thread);
  else
    pmuv3_attribution_decode_states(pmu, thread);
  for (unsigned t = 0; t < pmu->params.threads; t++)
    if (t != thread && pmuv3_bit(pmu->thread[t].decoded.sources, thread))
      pmuv3_attribution_decode_sibling(pmu, t, thread);
}

/* H-29: a write through a view replaces all of [31:0] and keeps [63:32]. */
static uint64_t through_view(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                             uint64_t written) {
  return (pmuv3_registers_read(pmu, thread, reg) & ~(uint64_t)UINT32_MAX) | written;
}

void pmuv3_registers_write(struct pmuv3 *pmu, unsigned thread, uint16_t reg, uint64_t value) {
  struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  struct pmuv3_state *state = &pmu->thread[thread].state;
  const uint16_t of = pmuv3_register_viewed(reg);
  uint64_t written = value & pmuv3_register_mask(&pmu->params, reg);
  if (of != reg) written = through_view(pmu, thread, of, written);
  const unsigned n = pmuv3_register_index(of);
  switch (pmuv3_register_base(of)) {
    case PMUV3_PMEVCNTR:
      state->value[pmuv3_lane(n)] = written;
      return;
    case PMUV3_PMCCNTR:
      state->cycles = written;
      return;
    case PMUV3_PMICNTR:
      state->instructions = written;
      return;
    case PMUV3_PMINTENSET:
      registers->inten |= written;
      return;
    case PMUV3_PMINTENCLR:
      registers->inten &= ~written;
      return;
    case PMUV3_PMOVSSET:
      registers->overflow |= written;
      return;
    case PMUV3_PMOVSCLR:
      registers->overflow &= ~written;
      return;
    case PMUV3_PMSWINC:
      pmuv3_attribution_increment(pmu, thread, (uint32_t)written, PMUV3_MAX_PENDING);
      return;
    case PMUV3_PMCNTENSET:
      registers->cnten |= written;
      pmuv3_filter_decode(pmu, thread);
      return;
    case PMUV3_PMCNTENCLR:
      registers->cnten &= ~written;
      pmuv3_filter_decode(pmu, thread);
      return;
    case PMUV3_PMEVTYPER:
      registers->evtyper[n] = written;
      decode_counter(pmu, thread, n);
      decode_event_counters(pmu, thread);
      return;
    case PMUV3_PMCCFILTR:
      registers->pmccfiltr = written;
      pmuv3_cycle_counter_decode(pmu, thread);
      return;
    case PMUV3_PMICFILTR:
      registers->pmicfiltr = written;
      pmuv3_filter_decode(pmu, thread);
      pmuv3_instruction_counter_decode(pmu, thread);
      return;
    case PMUV3_PMCR:
      if (PMUV3_GET(written, PMCR, P)) pmuv3_counter_clear(state);
      if (PMUV3_GET(written, PMCR, C)) state->cycles = 0;
      registers->pmcr = written & ~(PMUV3_MASK(PMCR, P) | PMUV3_MASK(PMCR, C));
      decode(pmu, thread);
      return;
    case PMUV3_SDER32_EL3:
      registers->sder = written;
      decode(pmu, thread);
      return;
    case PMUV3_MDCR_EL2:
      registers->mdcr_el2 = written;
      decode_group(pmu, thread);
      return;
    case PMUV3_MDCR_EL3:
      registers->mdcr_el3 = written;
      decode_group(pmu, thread);
      return;
  }
}

uint64_t pmuv3_registers_read(const struct pmuv3 *pmu, unsigned thread, uint16_t reg) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  const struct pmuv3_state *state = &pmu->thread[thread].state;
  const uint16_t of = pmuv3_register_viewed(reg);
  if (of != reg)
    return pmuv3_registers_read(pmu, thread, of) & pmuv3_register_mask(&pmu->params, reg);
  const unsigned n = pmuv3_register_index(reg);
  switch (pmuv3_register_base(reg)) {
    case PMUV3_PMEVCNTR:
      return state->value[pmuv3_lane(n)];
    case PMUV3_PMCCNTR:
      return state->cycles;
    case PMUV3_PMICNTR:
      return state->instructions;
    case PMUV3_PMEVTYPER:
      return registers->evtyper[n];
    case PMUV3_PMCCFILTR:
      return registers->pmccfiltr;
    case PMUV3_PMICFILTR:
      return registers->pmicfiltr |
             FIELD(pmuv3_event_number(PMUV3_EVENT_INST_RETIRED), PMICFILTR, evtCount);
    case PMUV3_PMCR:
      return registers->pmcr | FIELD(pmu->params.counters, PMCR, N);
    case PMUV3_MDCR_EL2:
      return registers->mdcr_el2;
    case PMUV3_MDCR_EL3:
      return registers->mdcr_el3;
    case PMUV3_SDER32_EL3:
      return registers->sder;
    case PMUV3_PMCNTENSET:
    case PMUV3_PMCNTENCLR:
      return registers->cnten;
    case PMUV3_PMINTENSET:
    case PMUV3_PMINTENCLR:
      return registers->inten;
    case PMUV3_PMOVSSET:
    case PMUV3_PMOVSCLR:
      return registers->overflow;
    case PMUV3_PMMIR:
      return pmu->identity.pmmir;
    case PMUV3_PMCEID0:
      return pmu->identity.pmceid[0];
    case PMUV3_PMCEID1:
      return pmu->identity.pmceid[1];
    default:
      return 0;
  }
}
