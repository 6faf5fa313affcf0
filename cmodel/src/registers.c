/* Registers: the programmer's model. The registers configure all stages. */
#include "internal.h"

/* A value shifted to the place of a register's field. */
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

/* IMP is RAZ with PMUv3p7. IDCODE is RES0 where IMP is 0. */
static uint64_t pmcr_identity(const struct pmuv3_params *params) {
  if (pmuv3_has(params, PMUV3_FEATURE_PMUv3p7) || params->imp == 0) return 0;
  return FIELD(params->imp, PMCR, IMP) | FIELD(params->idcode, PMCR, IDCODE);
}

/* PMCEID<i>_EL0: the events from 0x20 * i in [31:0], those from 0x4000 + 0x20 * i in [63:32]. */
static uint64_t pmceid(const struct pmuv3_params *params, unsigned i) {
  uint64_t id = 0;
  for (unsigned e = 0; e < params->events.num; e++) {
    const struct pmuv3_event *event = &params->events.event[e];
    const unsigned number = event->number;
    const unsigned offset = number % 0x4000 - 0x20 * i;
    if (number < 0x8000 && offset < 0x20 && pmuv3_event_fits(params, event))
      id |= UINT64_C(1) << (offset + (number >= 0x4000 ? 32 : 0));
  }
  return id;
}

static uint16_t contexts(const struct pmuv3_params *params) {
  uint16_t map = 0;
  for (unsigned el = 0; el <= 3; el++)
    for (unsigned ss = PMUV3_NS; ss <= PMUV3_RT; ss++)
      if (!pmuv3_context_wrong(params, el, ss)) map |= (uint16_t)PMUV3_CONTEXT(el, ss);
  return map;
}

void pmuv3_registers_identify(struct pmuv3 *pmu) {
  const bool wide = pmuv3_has(&pmu->params, PMUV3_FEATURE_PMUv3p5) && pmu->params.aa64;
  pmu->identity.pmcr = pmcr_identity(&pmu->params);
  pmu->identity.pmmir = pmmir(&pmu->params);
  pmu->identity.width = wide ? UINT64_MAX : UINT32_MAX;
  for (unsigned i = 0; i < 2; i++) pmu->identity.pmceid[i] = pmceid(&pmu->params, i);
  pmu->identity.contexts = contexts(&pmu->params);
  pmuv3_register_identify(&pmu->params, pmu->identity.presence);
}

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

static void decode(struct pmuv3 *pmu, unsigned thread) {
  decode_ranges(pmu, thread);
  decode_lp(pmu, thread);
  decode_event_counters(pmu, thread);
  pmuv3_cycle_counter_decode(pmu, thread);
  pmuv3_instruction_counter_decode(pmu, thread);
}

/* K-MTPME-GROUP: MTPME of one thread can affect the whole group. */
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

void pmuv3_registers_decode(struct pmuv3 *pmu) {
  for (unsigned t = 0; t < pmu->params.threads; t++) decode_counters(pmu, t);
  for (unsigned t = 0; t < pmu->params.threads; t++) decode(pmu, t);
}

/* Only a Cold reset resets these fields. A Warm reset also keeps the Software Lock, which is
 * outside the core. */
#define COLD_MDCR_EL2 (PMUV3_MASK(MDCR_EL2, MTPME) | PMUV3_MASK(MDCR_EL2, PMSSE))
#define COLD_MDCR_EL3 (PMUV3_MASK(MDCR_EL3, MTPME) | PMUV3_MASK(MDCR_EL3, PMSSE))
#define COLD_PMECR PMUV3_MASK(PMECR, SSE)

/* With EXTPMN only a Cold reset resets the configuration of the event counters and of the cycle
 * counter, since an external agent may own counters. A Warm reset still resets thresholds if EL1
 * can use AArch32. */
static void keep_counters(const struct pmuv3_params *params, const struct pmuv3_registers *before,
                          struct pmuv3_registers *registers) {
  const uint64_t threshold =
      PMUV3_MASK(PMEVTYPER, TC) | PMUV3_MASK(PMEVTYPER, TE) | PMUV3_MASK(PMEVTYPER, TH);
  const uint64_t kept = pmuv3_can_aa32(params, 1) ? ~threshold : UINT64_MAX;
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    registers->evtyper[n] = before->evtyper[n] & kept;
  registers->pmccfiltr = before->pmccfiltr;
  registers->pmicfiltr = before->pmicfiltr;
  registers->cnten = before->cnten & ~PMUV3_BIT_F0;
  registers->inten = before->inten & ~PMUV3_BIT_F0;
  registers->overflow = before->overflow & ~PMUV3_BIT_F0;
}

static void reset(const struct pmuv3_params *params, struct pmuv3_registers *registers) {
  const struct pmuv3_registers before = *registers;
  const uint64_t mdcr_el2 =
      (before.mdcr_el2 & COLD_MDCR_EL2) | FIELD(params->counters, MDCR_EL2, HPMN);
  const uint64_t mdcr_el3 = before.mdcr_el3 & COLD_MDCR_EL3;
  *registers = (struct pmuv3_registers){
      .mdcr_el2 = mdcr_el2 & pmuv3_register_mask(params, PMUV3_MDCR_EL2),
      .mdcr_el3 = mdcr_el3 & pmuv3_register_mask(params, PMUV3_MDCR_EL3),
      .pmecr = before.pmecr & COLD_PMECR,
      .pmsscr = pmuv3_has(params, PMUV3_FEATURE_SS) ? PMUV3_MASK(PMSSCR, NC) : 0,
      .pmccr = before.pmccr,
      .locked = before.locked,
  };
  if (pmuv3_has(params, PMUV3_FEATURE_EXTPMN)) keep_counters(params, &before, registers);
}

void pmuv3_registers_reset(struct pmuv3 *pmu) {
  for (unsigned t = 0; t < pmu->params.threads; t++) reset(&pmu->params, &pmu->thread[t].registers);
  pmuv3_registers_decode(pmu);
}

static void cold_reset(const struct pmuv3_params *params, struct pmuv3_registers *registers) {
  *registers = (struct pmuv3_registers){
      .mdcr_el2 = PMUV3_MASK(MDCR_EL2, MTPME),
      .mdcr_el3 = PMUV3_MASK(MDCR_EL3, MTPME),
      .pmccr = pmuv3_has(params, PMUV3_FEATURE_EXTPMN) ? params->counters : 0,
      .locked = pmuv3_has(params, PMUV3_FEATURE_EXT32),
  };
}

void pmuv3_registers_cold_reset(struct pmuv3 *pmu) {
  for (unsigned t = 0; t < pmu->params.threads; t++)
    cold_reset(&pmu->params, &pmu->thread[t].registers);
  pmuv3_registers_reset(pmu);
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
    decode(pmu, thread);
  else
    decode_states(pmu, thread);
  decode_profiles(pmu, thread);
  for (unsigned t = 0; t < pmu->params.threads; t++)
    if (t != thread && pmuv3_bit(pmu->thread[t].decoded.sources, thread)) {
      pmuv3_filter_decode_sibling(pmu, t, thread);
      pmuv3_attribution_decode_cycles(pmu, t);
    }
}

/* --- Accesses --------------------------------------------------------------------------------- */

/* PMXEVTYPER_EL0 and PMXEVCNTR_EL0 access the register that PMSELR_EL0 selects. With n = 31, the
 * encoding is PMCCFILTR_EL0's, or no register's. */
_Static_assert(PMUV3_PMEVTYPERn(31) == PMUV3_PMCCFILTR, "PMCCFILTR_EL0 is PMEVTYPER31_EL0");

uint64_t pmuv3_registers_counter(struct pmuv3_register reg) {
  switch (reg.base) {
    case PMUV3_PMEVCNTR:
    case PMUV3_PMEVTYPER:
    case PMUV3_PMEVCNTSVR:
      return UINT64_C(1) << reg.n;
    case PMUV3_PMCCNTR:
    case PMUV3_PMCCFILTR:
      return PMUV3_BIT_C;
    case PMUV3_PMICNTR:
    case PMUV3_PMICFILTR:
      return PMUV3_BIT_F0;
    default:
      return 0;
  }
}

/* Whether a register belongs to one counter, and the counter is out of reach. */
static bool is_out_of_reach(struct pmuv3_register reg, const struct pmuv3_reach *reach) {
  return (pmuv3_registers_counter(reg) & ~reach->counters) != 0;
}

/* PMCR_EL0.P, PMCR_EL0.C, PMZR_EL0: zero counters, and keep the overflow flags. */
static void zero(struct pmuv3_state *state, uint64_t counters) {
  pmuv3_counter_zero(state, (uint32_t)(counters & PMUV3_MASK(PMCNTENSET, P)));
  if ((counters & PMUV3_BIT_C) != 0) state->cycles = 0;
  if ((counters & PMUV3_BIT_F0) != 0) state->instructions = 0;
}

/* The counters that a write to PMCR_EL0 zeroes. */
static uint64_t zeroed(uint64_t pmcr, uint64_t reached) {
  return (PMUV3_GET(pmcr, PMCR, P) ? reached & PMUV3_MASK(PMCNTENSET, P) : 0) |
         (PMUV3_GET(pmcr, PMCR, C) ? PMUV3_BIT_C : 0);
}

static uint64_t with_bits(uint64_t old, uint64_t bits, uint64_t written) {
  return (old & ~bits) | (written & bits);
}

/* The value that a write to a register gives to its target. A write through a view writes 0 to the
 * bits of [31:0] that the view does not have (H-29). No view that can be written begins elsewhere
 * than at bit 0 (register_map.c). */
static uint64_t written_to(const struct pmuv3 *pmu, struct pmuv3_register reg,
                           struct pmuv3_register target, uint64_t value) {
  return pmuv3_register_shown(reg, value) & pmuv3_register_implemented(pmu, target);
}

/* What is decoded of a register that holds what is written (PMUV3_HELD). */
static void decode_held(struct pmuv3 *pmu, unsigned thread, uint16_t reg) {
  switch (reg) {
    case PMUV3_PMCCFILTR:
      pmuv3_cycle_counter_decode(pmu, thread);
      return;
    case PMUV3_PMECR:
    case PMUV3_SDER32_EL3:
      decode(pmu, thread);
      return;
    case PMUV3_MDCR_EL3:
      decode_group(pmu, thread);
      return;
  }
}

void pmuv3_registers_write(struct pmuv3 *pmu, unsigned thread, struct pmuv3_register reg,
                           uint64_t value, const struct pmuv3_reach *reach) {
  struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  struct pmuv3_state *state = &pmu->thread[thread].state;
  const struct pmuv3_register target = pmuv3_registers_target(pmu, thread, reg);
  const unsigned n = target.n;
  if (is_out_of_reach(target, reach)) return;
  const uint64_t bits = reach->bits & (pmuv3_register_is_half(reg) ? UINT32_MAX : UINT64_MAX);
  const uint64_t written = written_to(pmu, reg, target, value) & bits;
  const uint64_t selected = written & reach->counters;
  uint64_t *count;
  switch (target.base) {
#define PMUV3_HELD(id, member)                                       \
  case PMUV3_##id:                                                   \
    registers->member = with_bits(registers->member, bits, written); \
    decode_held(pmu, thread, PMUV3_##id);                            \
    return;
#include "pmuv3/registers.def"
    case PMUV3_PMEVCNTR:
      count = &state->value[pmuv3_lane(n)];
      *count = with_bits(*count, bits, written);
      return;
    case PMUV3_PMCCNTR:
      state->cycles = with_bits(state->cycles, bits, written);
      return;
    case PMUV3_PMICNTR:
      state->instructions = with_bits(state->instructions, bits, written);
      return;
    case PMUV3_PMZR:
      zero(state, selected);
      return;
    case PMUV3_PMSWINC:
      pmuv3_attribution_increment(pmu, thread, (uint32_t)selected, PMUV3_MAX_PENDING);
      return;
    case PMUV3_PMINTENSET:
      registers->inten |= selected;
      return;
    case PMUV3_PMINTENCLR:
      registers->inten &= ~selected;
      return;
    case PMUV3_PMOVSSET:
      registers->overflow |= selected;
      return;
    case PMUV3_PMOVSCLR:
      registers->overflow &= ~selected;
      return;
    case PMUV3_PMCNTENSET:
      registers->cnten |= selected;
      pmuv3_filter_decode(pmu, thread);
      return;
    case PMUV3_PMCNTENCLR:
      registers->cnten &= ~selected;
      pmuv3_filter_decode(pmu, thread);
      return;
    case PMUV3_PMEVTYPER:
      registers->evtyper[n] = with_bits(registers->evtyper[n], bits, written);
      decode_counter(pmu, thread, n);
      decode_event_counters(pmu, thread);
      return;
    case PMUV3_PMICFILTR:
      registers->pmicfiltr = with_bits(registers->pmicfiltr, bits, written);
      pmuv3_filter_decode(pmu, thread);
      pmuv3_instruction_counter_decode(pmu, thread);
      return;
    case PMUV3_PMCR:
      zero(state, zeroed(written, reach->counters));
      registers->pmcr =
          with_bits(registers->pmcr, bits, written) & ~(PMUV3_MASK(PMCR, P) | PMUV3_MASK(PMCR, C));
      decode(pmu, thread);
      return;
    case PMUV3_PMUACR:
      registers->pmuacr = with_bits(registers->pmuacr, bits & reach->counters, written);
      return;
    case PMUV3_PMSSCR:
      if (PMUV3_GET(written, PMSSCR, SS))
        pmuv3_snapshot_end(pmu, thread, pmuv3_snapshot_judge(pmu, thread));
      return;
    case PMUV3_MDCR_EL2:
      registers->mdcr_el2 = with_bits(registers->mdcr_el2, bits, written);
      decode_group(pmu, thread);
      return;
  }
}

void pmuv3_registers_write_pmccr(struct pmuv3 *pmu, unsigned thread, uint64_t value) {
  pmu->thread[thread].registers.pmccr =
      value & (PMUV3_PMCCR_OSLO | PMUV3_PMCCR_EPME | PMUV3_PMCCR_EPMN);
  decode(pmu, thread);
}

/* RMFYQC: with EXTPMN, a read of HPMN gives at most EPMN_eff. HPMN is stored as written. */
static uint64_t mdcr_el2(const struct pmuv3 *pmu, unsigned thread) {
  const uint64_t stored = pmu->thread[thread].registers.mdcr_el2;
  const uint8_t epmn = pmu->thread[thread].decoded.epmn;
  if (!pmuv3_has(&pmu->params, PMUV3_FEATURE_EXTPMN) || PMUV3_GET(stored, MDCR_EL2, HPMN) <= epmn)
    return stored;
  return with_bits(stored, PMUV3_MASK(MDCR_EL2, HPMN), FIELD(epmn, MDCR_EL2, HPMN));
}

static inline uint64_t value_of(const struct pmuv3 *pmu, unsigned thread, uint16_t base, unsigned n,
                                const struct pmuv3_reach *reach) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  const struct pmuv3_state *state = &pmu->thread[thread].state;
  const struct pmuv3_saved *saved = &pmu->thread[thread].saved;
  switch (base) {
#define PMUV3_HELD(id, member) \
  case PMUV3_##id:             \
    return registers->member;
#include "pmuv3/registers.def"
    case PMUV3_PMEVCNTR:
      return state->value[pmuv3_lane(n)];
    case PMUV3_PMCCNTR:
      return state->cycles;
    case PMUV3_PMICNTR:
      return state->instructions;
    case PMUV3_PMEVCNTSVR:
      return saved->value[n];
    case PMUV3_PMCCNTSVR:
      return saved->cycles;
    case PMUV3_PMICNTSVR:
      return saved->instructions;
    case PMUV3_PMEVTYPER:
      return registers->evtyper[n];
    case PMUV3_PMICFILTR:
      return registers->pmicfiltr | FIELD(PMUV3_EVENT_INST_RETIRED, PMICFILTR, evtCount);
    case PMUV3_PMCR:
      return registers->pmcr | pmu->identity.pmcr | FIELD(pmuv3_lc(pmu, thread), PMCR, LC) |
             FIELD(reach->n, PMCR, N);
    case PMUV3_MDCR_EL2:
      return mdcr_el2(pmu, thread);
    case PMUV3_PMCNTENSET:
    case PMUV3_PMCNTENCLR:
      return registers->cnten & reach->counters;
    case PMUV3_PMINTENSET:
    case PMUV3_PMINTENCLR:
      return registers->inten & reach->counters;
    case PMUV3_PMOVSSET:
    case PMUV3_PMOVSCLR:
      return registers->overflow & reach->counters;
    case PMUV3_PMUACR:
      return registers->pmuacr & reach->counters;
    case PMUV3_PMSSCR:
      return registers->pmsscr;
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

uint64_t pmuv3_registers_value(const struct pmuv3 *pmu, unsigned thread, uint16_t base, unsigned n,
                               const struct pmuv3_reach *reach) {
  return value_of(pmu, thread, base, n, reach);
}

uint64_t pmuv3_registers_read(const struct pmuv3 *pmu, unsigned thread, struct pmuv3_register reg,
                              const struct pmuv3_reach *reach) {
  const struct pmuv3_register target = pmuv3_registers_target(pmu, thread, reg);
  if (is_out_of_reach(target, reach)) return 0;
  const uint64_t value = value_of(pmu, thread, target.base, target.n, reach);
  return pmuv3_register_shown(reg, value & reach->bits);
}

enum pmuv3_access pmuv3_write(struct pmuv3 *pmu, unsigned thread, uint16_t encoding,
                              uint64_t value) {
  const struct pmuv3_register reg = pmuv3_register_decode(encoding);
  const enum pmuv3_access access = pmuv3_register_access(pmu, reg, true);
  if (access != PMUV3_ACCESS_OK) return access;
  const struct pmuv3_reach reach = pmuv3_access_highest(pmu, thread);
  pmuv3_registers_write(pmu, thread, reg, value, &reach);
  return PMUV3_ACCESS_OK;
}

enum pmuv3_access pmuv3_read(const struct pmuv3 *pmu, unsigned thread, uint16_t encoding,
                             uint64_t *value) {
  const struct pmuv3_register reg = pmuv3_register_decode(encoding);
  const enum pmuv3_access access = pmuv3_register_access(pmu, reg, false);
  if (access != PMUV3_ACCESS_OK) {
    *value = 0;
    return access;
  }
  const struct pmuv3_reach reach = pmuv3_access_highest(pmu, thread);
  *value = pmuv3_registers_read(pmu, thread, reg, &reach);
  return PMUV3_ACCESS_OK;
}
