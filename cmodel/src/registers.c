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
  pmu->decoded.pmmir = pmmir(&pmu->params);
  pmu->decoded.width = pmuv3_has(&pmu->params, PMUV3_FEATURE_PMUv3p5) ? UINT64_MAX : UINT32_MAX;
  for (unsigned i = 0; i < 2; i++) pmu->decoded.pmceid[i] = pmceid(&pmu->params, i);
}

/* HPMN_eff. K-HPMN-RES: a reserved value acts as all counters. */
static uint8_t hpmn(const struct pmuv3 *pmu) {
  const uint8_t hpmn = (uint8_t)PMUV3_GET(pmu->registers.mdcr_el2, MDCR_EL2, HPMN);
  const bool reserved =
      hpmn > pmu->params.counters || (hpmn == 0 && !pmuv3_has(&pmu->params, PMUV3_FEATURE_HPMN0));
  return !pmu->params.el2 || reserved ? pmu->params.counters : hpmn;
}

/* The counters for which a control is set: in range R1 by its bit r1, in R2 by r2 (DXWVNH). */
static uint32_t by_range(const struct pmuv3 *pmu, bool r1, bool r2) {
  const uint32_t all = pmuv3_counters_below(pmu->params.counters);
  const uint32_t range1 = pmuv3_counters_below(pmu->decoded.hpmn);
  return (r1 ? range1 : 0) | (r2 ? all & ~range1 : 0);
}

static void decode_counter(struct pmuv3 *pmu, unsigned n) {
  pmuv3_attribution_decode(pmu, n);
  pmuv3_filter_decode(pmu, n);
  pmuv3_threshold_decode(pmu, n);
  pmuv3_counter_decode(pmu, n);
  pmuv3_overflow_decode(pmu, n);
}

void pmuv3_registers_decode(struct pmuv3 *pmu) {
  const uint64_t pmcr = pmu->registers.pmcr;
  const uint64_t mdcr_el2 = pmu->registers.mdcr_el2;
  struct pmuv3_decoded *decoded = &pmu->decoded;
  decoded->hpmn = hpmn(pmu);
  decoded->enabled =
      by_range(pmu, PMUV3_GET(pmcr, PMCR, E) != 0, PMUV3_GET(mdcr_el2, MDCR_EL2, HPME) != 0);
  decoded->lp =
      by_range(pmu, PMUV3_GET(pmcr, PMCR, LP) != 0, PMUV3_GET(mdcr_el2, MDCR_EL2, HLP) != 0);
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) decode_counter(pmu, n);
}

void pmuv3_registers_cold_reset(struct pmuv3 *pmu) {
  pmu->registers.mdcr_el2 = FIELD(1, MDCR_EL2, MTPME);
  pmuv3_registers_reset(pmu);
}

/* Warm: MTPME, which resets on a Cold reset only (D13.6-8), keeps its value. */
void pmuv3_registers_reset(struct pmuv3 *pmu) {
  const uint64_t kept = pmu->registers.mdcr_el2 & PMUV3_MASK(MDCR_EL2, MTPME);
  const uint64_t reset = FIELD(pmu->params.counters, MDCR_EL2, HPMN) | kept;
  memset(&pmu->registers, 0, sizeof pmu->registers);
  pmu->registers.mdcr_el2 = reset & pmuv3_register_mask(&pmu->params, PMUV3_MDCR_EL2);
  pmuv3_registers_decode(pmu);
}

void pmuv3_registers_write(struct pmuv3 *pmu, uint16_t reg, uint64_t value) {
  struct pmuv3_registers *registers = &pmu->registers;
  const unsigned n = pmuv3_register_index(reg);
  const uint64_t written = value & pmuv3_register_mask(&pmu->params, reg);
  const uint32_t counters = (uint32_t)written; /* where the register has a bit per counter */
  switch (pmuv3_register_base(reg)) {
    case PMUV3_PMEVCNTR:
      pmu->state.value[pmuv3_lane(n)] = written;
      return;
    case PMUV3_PMEVTYPER:
      registers->evtyper[n] = written;
      decode_counter(pmu, n);
      return;
    case PMUV3_PMINTENSET:
      registers->inten |= counters;
      return;
    case PMUV3_PMINTENCLR:
      registers->inten &= ~counters;
      return;
    case PMUV3_PMOVSSET:
      registers->overflow |= counters;
      return;
    case PMUV3_PMOVSCLR:
      registers->overflow &= ~counters;
      return;
    case PMUV3_PMSWINC:
      pmuv3_attribution_increment(&pmu->state, counters, PMUV3_MAX_PENDING);
      return;
    case PMUV3_PMCR:
      if (PMUV3_GET(written, PMCR, P)) pmuv3_counter_clear(&pmu->state);
      registers->pmcr = written & ~PMUV3_MASK(PMCR, P);
      break;
    case PMUV3_MDCR_EL2:
      registers->mdcr_el2 = written;
      break;
    case PMUV3_PMCNTENSET:
      registers->cnten |= counters;
      break;
    case PMUV3_PMCNTENCLR:
      registers->cnten &= ~counters;
      break;
  }
  pmuv3_registers_decode(pmu);
}

uint64_t pmuv3_registers_read(const struct pmuv3 *pmu, uint16_t reg) {
  const struct pmuv3_registers *registers = &pmu->registers;
  const unsigned n = pmuv3_register_index(reg);
  switch (pmuv3_register_base(reg)) {
    case PMUV3_PMEVCNTR:
      return pmu->state.value[pmuv3_lane(n)];
    case PMUV3_PMEVTYPER:
      return registers->evtyper[n];
    case PMUV3_PMCR:
      return registers->pmcr | FIELD(pmu->params.counters, PMCR, N);
    case PMUV3_MDCR_EL2:
      return registers->mdcr_el2;
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
      return pmu->decoded.pmmir;
    case PMUV3_PMCEID0:
      return pmu->decoded.pmceid[0];
    case PMUV3_PMCEID1:
      return pmu->decoded.pmceid[1];
    default:
      return 0;
  }
}
