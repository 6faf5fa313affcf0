/* Registers: the programmer's model. Reads and writes of a register that exists. */
#include "internal.h"

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
 * bits of [31:0] that the view does not have (H-29, K-A32-RES0). No view that can be written begins
 * elsewhere than at bit 0 (register_map.c). */
static uint64_t written_to(const struct pmuv3 *pmu, struct pmuv3_register reg,
                           struct pmuv3_register target, uint64_t value) {
  return pmuv3_register_shown(pmu, reg, value) & pmuv3_register_implemented(pmu, target);
}

/* What is decoded of a register that holds what is written (PMUV3_HELD). */
static void decode_held(struct pmuv3 *pmu, unsigned thread, uint16_t reg) {
  switch (reg) {
    case PMUV3_PMCCFILTR:
      pmuv3_cycle_counter_decode(pmu, thread);
      return;
    case PMUV3_PMECR:
    case PMUV3_SDER32_EL3:
      pmuv3_registers_decode_thread(pmu, thread);
      return;
    case PMUV3_MDCR_EL3:
      pmuv3_registers_decode_group(pmu, thread);
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
      pmuv3_registers_decode_evtyper(pmu, thread, n);
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
      pmuv3_registers_decode_thread(pmu, thread);
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
      pmuv3_registers_decode_group(pmu, thread);
      return;
  }
}

void pmuv3_registers_write_pmccr(struct pmuv3 *pmu, unsigned thread, uint64_t value) {
  pmu->thread[thread].registers.pmccr =
      value & (PMUV3_PMCCR_OSLO | PMUV3_PMCCR_EPME | PMUV3_PMCCR_EPMN);
  pmuv3_registers_decode_thread(pmu, thread);
}

/* RMFYQC: with EXTPMN, a read of HPMN gives at most EPMN_eff. HPMN is stored as written. */
static uint64_t mdcr_el2(const struct pmuv3 *pmu, unsigned thread) {
  const uint64_t stored = pmu->thread[thread].registers.mdcr_el2;
  const uint8_t epmn = pmu->thread[thread].decoded.epmn;
  if (!pmuv3_has(&pmu->params, PMUV3_FEATURE_EXTPMN) || PMUV3_GET(stored, MDCR_EL2, HPMN) <= epmn)
    return stored;
  return with_bits(stored, PMUV3_MASK(MDCR_EL2, HPMN), PMUV3_PUT(epmn, MDCR_EL2, HPMN));
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
      return registers->pmicfiltr | PMUV3_PUT(PMUV3_EVENT_INST_RETIRED, PMICFILTR, evtCount);
    case PMUV3_PMCR:
      return registers->pmcr | pmu->identity.pmcr | PMUV3_PUT(pmuv3_lc(pmu, thread), PMCR, LC) |
             PMUV3_PUT(reach->n, PMCR, N);
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
  return pmuv3_register_shown(pmu, reg, value & reach->bits);
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
