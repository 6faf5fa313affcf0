/* Registers: what the stages need of them and of the states, decoded when these change. */
#include "internal.h"

/* EPMN_eff. K-EPMN-RES: a reserved value behaves as all counters. */
static uint8_t epmn(const struct pmuv3_params *params, uint64_t pmccr) {
  const uint8_t epmn = (uint8_t)(pmccr & PMUV3_PMCCR_EPMN);
  if (!pmuv3_has(params, PMUV3_FEATURE_EXTPMN) || epmn > params->counters) return params->counters;
  return epmn;
}

/* HPMN_eff. With EXTPMN, HPMN_eff is at most EPMN_eff (RMFYQC). K-HPMN-RES: without EXTPMN, a
 * reserved value behaves as all counters. */
static uint8_t hpmn(const struct pmuv3_params *params, uint64_t mdcr_el2, uint8_t epmn) {
  const uint8_t hpmn = (uint8_t)PMUV3_GET(mdcr_el2, MDCR_EL2, HPMN);
  const bool reserved = hpmn == 0 && !pmuv3_has(params, PMUV3_FEATURE_HPMN0);
  return !params->el2 || reserved || hpmn > epmn ? epmn : hpmn;
}

/* The counters for which a control is set. r1 is the control of range R1, and so on (DXWVNH). */
static uint32_t by_range(const struct pmuv3_decoded *decoded, bool r1, bool r2, bool r3) {
  return (r1 ? decoded->range[PMUV3_R1] : 0) | (r2 ? decoded->range[PMUV3_R2] : 0) |
         (r3 ? decoded->range[PMUV3_R3] : 0);
}

static void decode_ranges(struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  struct pmuv3_decoded *decoded = &pmu->thread[thread].decoded;
  const bool e = PMUV3_GET(registers->pmcr, PMCR, E);
  const bool hpme = PMUV3_GET(registers->mdcr_el2, MDCR_EL2, HPME);
  const bool epme = (registers->pmccr & PMUV3_PMCCR_EPME) != 0;
  decoded->epmn = epmn(&pmu->params, registers->pmccr);
  decoded->hpmn = hpmn(&pmu->params, registers->mdcr_el2, decoded->epmn);
  const uint32_t r1 = pmuv3_counters_below(decoded->hpmn);
  const uint32_t r1_r2 = pmuv3_counters_below(decoded->epmn);
  decoded->range[PMUV3_R1] = r1;
  decoded->range[PMUV3_R2] = r1_r2 & ~r1;
  decoded->range[PMUV3_R3] = pmuv3_counters_below(pmu->params.counters) & ~r1_r2;
  decoded->enabled = by_range(decoded, e, hpme, epme) | (e ? PMUV3_BIT_C | PMUV3_BIT_F0 : 0);
}

/* The counters that overflow at bit 63. Counters of 32 bits overflow at bit 31 in every range,
 * whatever the controls are (RQZJKS). */
static void decode_lp(struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  struct pmuv3_decoded *decoded = &pmu->thread[thread].decoded;
  const bool wide = pmu->identity.width == UINT64_MAX;
  const bool lp = PMUV3_GET(registers->pmcr, PMCR, LP);
  const bool hlp = PMUV3_GET(registers->mdcr_el2, MDCR_EL2, HLP);
  decoded->profiles = pmuv3_exception_enabled(pmu, thread);
  decoded->lp = by_range(decoded, wide && (lp || decoded->profiles),
                         wide && (hlp || decoded->profiles), wide);
}

static void decode_states(struct pmuv3 *pmu, unsigned thread) {
  pmuv3_filter_decode_states(pmu, thread);
  pmuv3_attribution_decode_cycles(pmu, thread);
}

static void decode_event_counters(struct pmuv3 *pmu, unsigned thread) {
  pmuv3_attribution_decode(pmu, thread);
  pmuv3_filter_decode(pmu, thread);
  decode_states(pmu, thread);
  pmuv3_counter_decode(&pmu->thread[thread]);
  pmuv3_overflow_decode(&pmu->thread[thread]);
}

void pmuv3_registers_decode_thread(struct pmuv3 *pmu, unsigned thread) {
  decode_ranges(pmu, thread);
  decode_lp(pmu, thread);
  decode_event_counters(pmu, thread);
  pmuv3_cycle_counter_decode(pmu, thread);
  pmuv3_instruction_counter_decode(pmu, thread);
}

/* K-MTPME-GROUP: MTPME of one thread can affect the whole group. */
void pmuv3_registers_decode_group(struct pmuv3 *pmu, unsigned thread) {
  for (unsigned t = 0; t < pmu->params.threads; t++)
    if (t == thread || pmu->params.k_mtpme_group) pmuv3_registers_decode_thread(pmu, t);
}

static void decode_counter(struct pmuv3 *pmu, unsigned thread, unsigned n) {
  pmuv3_attribution_decode_counter(pmu, thread, n);
  pmuv3_filter_decode_counter(pmu, thread, n);
  pmuv3_threshold_decode_counter(pmu, thread, n);
}

void pmuv3_registers_decode_evtyper(struct pmuv3 *pmu, unsigned thread, unsigned n) {
  decode_counter(pmu, thread, n);
  decode_event_counters(pmu, thread);
}

static void decode_counters(struct pmuv3 *pmu, unsigned thread) {
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) decode_counter(pmu, thread, n);
}

void pmuv3_registers_decode(struct pmuv3 *pmu) {
  for (unsigned t = 0; t < pmu->params.threads; t++) decode_counters(pmu, t);
  for (unsigned t = 0; t < pmu->params.threads; t++) pmuv3_registers_decode_thread(pmu, t);
}

/* Whether a state change changes the decoding of registers. EL1's Execution state changes the use
 * of SUNIDEN, the highest level's the freeze of the profiling buffer, and EL3's the use of EL3's
 * controls. Authentication changes prohibitions. */
static bool changes_decode(const struct pmuv3_pe *pe, const struct pmuv3_pe *next) {
  return pe->a32el1 != next->a32el1 || pe->a32el3 != next->a32el3 || pe->snid != next->snid ||
         pe->a32el2 != next->a32el2;
}

/* The PMU Profiling exception moves the overflow to bit 63. */
static void decode_profiles(struct pmuv3 *pmu, unsigned thread) {
  if (pmuv3_exception_enabled(pmu, thread) == pmu->thread[thread].decoded.profiles) return;
  decode_lp(pmu, thread);
  pmuv3_counter_decode(&pmu->thread[thread]);
  pmuv3_overflow_decode(&pmu->thread[thread]);
  pmuv3_cycle_counter_decode(pmu, thread);
}

/* A thread's state affects its own PMU, and the PMUs that count with their group. */
void pmuv3_registers_set_pe(struct pmuv3 *pmu, unsigned thread, const struct pmuv3_pe *pe) {
  const bool changes_filters = pe->a32el3 != pmu->pe[thread].a32el3;
  const bool changes = changes_decode(&pmu->pe[thread], pe);
  pmu->pe[thread] = *pe;
  if (changes_filters) decode_counters(pmu, thread);
  if (changes)
    pmuv3_registers_decode_thread(pmu, thread);
  else
    decode_states(pmu, thread);
  decode_profiles(pmu, thread);
  for (unsigned t = 0; t < pmu->params.threads; t++)
    if (t != thread && pmuv3_bit(pmu->thread[t].decoded.sources, thread)) {
      pmuv3_filter_decode_sibling(pmu, t, thread);
      pmuv3_attribution_decode_cycles(pmu, t);
    }
}
