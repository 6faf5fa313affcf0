#include "testbench/fuzz/checked.h"

#include <string.h>

/* The PMUs of all threads, seen. */
struct probes {
  struct pmuv3_probe of[PMUV3_MAX_THREADS];
};

static uint32_t implemented(const struct pmuv3_params *params) {
  return (UINT32_C(1) << params->counters) - 1;
}

/* The bits of a counter. */
static uint64_t width(const struct pmuv3_params *params) {
  bool is_long = pmuv3_has(params, PMUV3_FEATURE_PMUv3p5) && params->aa64;
  return is_long ? UINT64_MAX : UINT32_MAX;
}

/* n of PMEVCNTR<n> or PMEVTYPER<n>, whose n = 0 is `first`; -1: it is another register. */
static int index_in(uint16_t reg, uint16_t first) {
  return reg >= first && reg < first + PMUV3_MAX_COUNTERS ? reg - first : -1;
}

/* ---- Flags and enables: a bit per counter, then the cycle counter's C, the instruction counter's
 * F0
 * ---- */

enum { BIT_C = PMUV3_PMOVSSET_C_LSB };

static const uint64_t mask_C = PMUV3_MASK(PMOVSSET, C);
static const uint64_t mask_F0 = PMUV3_MASK(PMOVSSET, F0);

static uint64_t all_flags(const struct pmuv3_params *params) {
  return implemented(params) | mask_C | (pmuv3_has(params, PMUV3_FEATURE_ICNTR) ? mask_F0 : 0);
}

static uint64_t joined(uint32_t counters, uint64_t fixed) {
  return fixed << BIT_C | counters;
}

static void split(uint64_t flags, uint32_t *counters, uint64_t *fixed) {
  *counters = (uint32_t)flags & ~(uint32_t)mask_C;
  *fixed = flags >> BIT_C;
}

static uint64_t overflow_of(const struct pmuv3_probe *probe) {
  return joined(probe->overflow, probe->fixed_overflow);
}

static uint64_t cnten_of(const struct pmuv3_probe *probe) {
  return joined(probe->cnten, probe->fixed_cnten);
}

static uint64_t inten_of(const struct pmuv3_probe *probe) {
  return joined(probe->inten, probe->fixed_inten);
}

/* ---- What depends on registers alone ---- */

/* Counters of the first range (DXWVNH). A reserved HPMN acts as all counters (K-HPMN-RES). */
static uint32_t first_range(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  uint64_t hpmn = params->el2 ? PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HPMN) : params->counters;
  if (hpmn > params->counters || (hpmn == 0 && !pmuv3_has(params, PMUV3_FEATURE_HPMN0)))
    hpmn = params->counters;
  return (UINT32_C(1) << hpmn) - 1;
}

/* A bit of each range, spread over the range's counters. */
static uint32_t spread(const struct pmuv3_params *params, const struct pmuv3_probe *probe,
                       uint64_t first, uint64_t second) {
  uint32_t range = first_range(params, probe);
  return ((first ? range : 0) | (second ? ~range : 0)) & implemented(params);
}

/* By the global enable of the range; C and F0 are of the first. */
static uint64_t enabled(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  uint64_t fixed = PMUV3_GET(probe->pmcr, PMCR, E) ? mask_C | mask_F0 : 0;
  return fixed | spread(params, probe, PMUV3_GET(probe->pmcr, PMCR, E),
                        PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HPME));
}

/* Counters that overflow at bit 63 (RQZJKS). */
static uint32_t long_overflow(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  return spread(params, probe, PMUV3_GET(probe->pmcr, PMCR, LP),
                PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HLP));
}

static uint64_t irq(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  return (enabled(params, probe) & overflow_of(probe) & inten_of(probe)) != 0;
}

static uint32_t synchronous(const struct pmuv3_probe *probe) {
  uint32_t counters = 0;
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    counters |= (uint32_t)PMUV3_GET(probe->evtyper[n], PMEVTYPER, SYNC) << n;
  return counters;
}

/* What a flag freezes (D13.5-2): neither the cycle counter's, nor that of a synchronous counter. */
static uint64_t frozen(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  uint32_t range = first_range(params, probe);
  uint32_t flags = probe->overflow & ~synchronous(probe);
  bool F0 = overflow_of(probe) & mask_F0 && !PMUV3_GET(probe->pmicfiltr, PMICFILTR, SYNC);
  bool first = PMUV3_GET(probe->pmcr, PMCR, FZO) && (flags & range || F0);
  bool second = PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HPMFZO) && flags & ~range;
  return spread(params, probe, first, second) | (first ? mask_F0 : 0);
}

/* In synchronous mode, for an event that has none (ICTDHP). */
static uint32_t mute(const struct pmuv3_probe *probe) {
  uint32_t counters = synchronous(probe);
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
    enum pmuv3_event event = pmuv3_event_find((uint16_t)probe->evtyper[n]);
    if (event != PMUV3_EVENT_NONE && pmuv3_event_traits(event) & PMUV3_EVENT_TRAIT_SYNC)
      counters &= ~(UINT32_C(1) << n);
  }
  return counters;
}

/* What may count in a cycle with these registers, whatever the states of threads are. */
static uint64_t running(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  return cnten_of(probe) & enabled(params, probe) & ~frozen(params, probe) & ~(uint64_t)mute(probe);
}

/* ---- What a cycle does ---- */

/* Counters that overflow in a cycle with these registers before it; `cycle` has its V. */
static uint32_t overflows(const struct pmuv3_params *params, const struct pmuv3_probe *before,
                          const struct pmuv3_probe *cycle) {
  uint32_t carries = 0;
  for (unsigned n = 0; n < PMUV3_LANES; n++) {
    uint64_t sum = before->value[n] + cycle->V[n];
    bool is_long = long_overflow(params, before) >> n & 1;
    bool carry = is_long ? sum < cycle->V[n] : (uint32_t)sum < cycle->V[n];
    carries |= (uint32_t)carry << n;
  }
  return carries;
}

/* All flags of a cycle, in which no write meets a counter. */
static uint64_t new_flags(const struct pmuv3_params *params, const struct pmuv3_probe *before,
                          const struct pmuv3_probe *cycle) {
  bool long_cycles = PMUV3_GET(before->pmcr, PMCR, LC);
  bool C = long_cycles ? cycle->pmccntr < before->pmccntr
                       : (uint32_t)cycle->pmccntr < (uint32_t)before->pmccntr;
  bool F0 = cycle->pmicntr < before->pmicntr;
  return overflows(params, before, cycle) | (C ? mask_C : 0) | (F0 ? mask_F0 : 0);
}

/*
 * A cycle without writes: its values, and the registers after it. PMCCNTR and PMICNTR are as the
 * model says (check_fixed_counters).
 */
static struct pmuv3_probe counted(const struct pmuv3_params *params,
                                  const struct pmuv3_probe *before,
                                  const struct pmuv3_probe *cycle) {
  struct pmuv3_probe probe = *before;
#define PMUV3_PROBE_LANES(field, name) memcpy(probe.field, cycle->field, sizeof probe.field);
#include "pmuv3/probe.def"
  probe.allowed = cycle->allowed;
  probe.CT = cycle->CT;
  probe.CP = before->CT; /* RJJRJQ, also where counting was not allowed */
  probe.CE = cycle->CE;
  probe.pmccntr = cycle->pmccntr;
  probe.pmicntr = cycle->pmicntr;
  split(overflow_of(before) | new_flags(params, before, cycle), &probe.overflow,
        &probe.fixed_overflow);
  for (unsigned n = 0; n < PMUV3_LANES; n++)
    probe.value[n] = (before->value[n] + cycle->V[n]) & width(params);
  return probe;
}

/* Whether nothing at all is against the cycle counter's counting each cycle of this state. */
static bool counts_every_cycle(const struct pmuv3_probe *probe, const struct pmuv3_pe *pe) {
  uint64_t disable = PMUV3_MASK(PMCR, DP);
  uint64_t divide = PMUV3_GET(probe->pmcr, PMCR, LC) ? 0 : PMUV3_MASK(PMCR, D);
  uint64_t el2_disables = PMUV3_MASK(MDCR_EL2, HCCD);
  uint64_t el3_disables = PMUV3_MASK(MDCR_EL3, SCCD) | PMUV3_MASK(MDCR_EL3, MCCD);
  return probe->pmccfiltr == 0 && pe->el != 2 && !pe->halted &&
         (probe->pmcr & (disable | divide)) == 0 && (probe->mdcr_el2 & el2_disables) == 0 &&
         (probe->mdcr_el3 & el3_disables) == 0;
}

/* The most that a thread's instructions of a cycle can be. */
static unsigned instructions(const struct pmuv3_cycle *cycle, unsigned thread) {
  unsigned sum = 0;
  for (unsigned i = 0; i < cycle->num_occurrences; i++) {
    const struct pmuv3_occurrence *occurrence = &cycle->occurrences[i];
    if (occurrence->event == PMUV3_EVENT_INST_RETIRED && occurrence->thread == thread &&
        occurrence->origin != PMUV3_DEBUGGER)
      sum += occurrence->count;
  }
  return sum;
}

/* What the cycle and the instruction counter add in a cycle without writes. */
static void check_fixed_counters(const struct pmuv3 *pmu, unsigned thread,
                                 const struct pmuv3_cycle *cycle, const struct pmuv3_probe *before,
                                 const struct pmuv3_probe *after) {
  const struct pmuv3_pe *pe = &pmu->pe[thread];
  uint64_t runs = running(&pmu->params, before);
  uint64_t added = after->pmccntr - before->pmccntr;
  bool may_count = runs & mask_C && !pe->halted;
  CHECK(added <= may_count);
  CHECK(!may_count || !counts_every_cycle(before, pe) || added == 1);

  added = after->pmicntr - before->pmicntr;
  may_count = runs & mask_F0 && !pe->halted;
  CHECK(added <= (may_count ? instructions(cycle, thread) : 0));
}

/* ---- What a write does to registers ---- */

/* A register, of which an AArch32 one shows some bits. */
struct view {
  uint16_t reg;
  uint32_t mask;
};

/* What a register is a view of; of itself when it is none. */
static struct view view_of(uint16_t reg) {
  int n = index_in(reg, PMUV3_PMEVTYPER_AA32);
  uint16_t base = n < 0 ? reg : PMUV3_PMEVTYPER_AA32;
  switch (base) {
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, mask, text) \
  case PMUV3_##id:                                                 \
    return (struct view){(uint16_t)(PMUV3_##of + (n < 0 ? 0 : n)), mask};
#include "pmuv3/registers.def"
    default:
      return (struct view){reg, 0};
  }
}

static uint64_t shown(const struct pmuv3_probe *probe, uint16_t reg);

static uint64_t replaced(uint64_t old, uint64_t mask, uint64_t value) {
  return (old & ~mask) | (value & mask);
}

/*
 * The registers after a legal write. `new` are the flags of its own clock:
 * PMOVSCLR leaves them.
 */
static struct pmuv3_probe written(const struct pmuv3_params *params, struct pmuv3_probe probe,
                                  uint16_t reg, uint64_t value, uint64_t new) {
  struct view view = view_of(reg);
  if (view.reg != reg) { /* H-29 */
    value = (shown(&probe, view.reg) & ~(uint64_t)UINT32_MAX) | (value & view.mask);
    reg = view.reg;
  }
  uint64_t mask = pmuv3_register_mask(params, reg);
  uint64_t bits = value & all_flags(params);
  int counter = index_in(reg, PMUV3_PMEVCNTR);
  int type = index_in(reg, PMUV3_PMEVTYPER);
  switch (reg) {
    case PMUV3_PMCR:
      if (value & PMUV3_MASK(PMCR, P)) memset(probe.value, 0, sizeof probe.value);
      if (value & PMUV3_MASK(PMCR, C)) probe.pmccntr = 0;
      mask &= ~(PMUV3_MASK(PMCR, P) | PMUV3_MASK(PMCR, C));
      probe.pmcr = replaced(probe.pmcr, mask, value);
      break;
    case PMUV3_MDCR_EL2:
      probe.mdcr_el2 = replaced(probe.mdcr_el2, mask, value);
      break;
    case PMUV3_MDCR_EL3:
      probe.mdcr_el3 = replaced(probe.mdcr_el3, mask, value);
      break;
    case PMUV3_SDER32_EL3:
      probe.sder = replaced(probe.sder, mask, value);
      break;
    case PMUV3_PMCCFILTR:
      probe.pmccfiltr = replaced(probe.pmccfiltr, mask, value);
      break;
    case PMUV3_PMICFILTR:
      probe.pmicfiltr = replaced(probe.pmicfiltr, mask, value);
      break;
    case PMUV3_PMCCNTR:
      probe.pmccntr = value;
      break;
    case PMUV3_PMICNTR:
      probe.pmicntr = value;
      break;
    case PMUV3_PMCNTENSET:
      split(cnten_of(&probe) | bits, &probe.cnten, &probe.fixed_cnten);
      break;
    case PMUV3_PMCNTENCLR:
      split(cnten_of(&probe) & ~bits, &probe.cnten, &probe.fixed_cnten);
      break;
    case PMUV3_PMINTENSET:
      split(inten_of(&probe) | bits, &probe.inten, &probe.fixed_inten);
      break;
    case PMUV3_PMINTENCLR:
      split(inten_of(&probe) & ~bits, &probe.inten, &probe.fixed_inten);
      break;
    case PMUV3_PMOVSSET:
      split(overflow_of(&probe) | bits, &probe.overflow, &probe.fixed_overflow);
      break;
    case PMUV3_PMOVSCLR:
      split(overflow_of(&probe) & (~bits | new), &probe.overflow, &probe.fixed_overflow);
      break;
    default:
      if (counter >= 0) probe.value[counter] = value & width(params);
      if (type >= 0) probe.evtyper[type] = value & mask;
  }
  return probe;
}

/* ---- What a read gives ---- */

static uint64_t shown(const struct pmuv3_probe *probe, uint16_t reg) {
  struct view view = view_of(reg);
  if (view.reg != reg) return shown(probe, view.reg) & view.mask;
  switch (reg) {
    case PMUV3_PMCR:
      return probe->pmcr;
    case PMUV3_MDCR_EL2:
      return probe->mdcr_el2;
    case PMUV3_MDCR_EL3:
      return probe->mdcr_el3;
    case PMUV3_SDER32_EL3:
      return probe->sder;
    case PMUV3_PMCCNTR:
      return probe->pmccntr;
    case PMUV3_PMCCFILTR:
      return probe->pmccfiltr;
    case PMUV3_PMICNTR:
      return probe->pmicntr;
    case PMUV3_PMICFILTR:
      return probe->pmicfiltr;
    case PMUV3_PMCNTENSET:
    case PMUV3_PMCNTENCLR:
      return cnten_of(probe);
    case PMUV3_PMINTENSET:
    case PMUV3_PMINTENCLR:
      return inten_of(probe);
    case PMUV3_PMOVSSET:
    case PMUV3_PMOVSCLR:
      return overflow_of(probe);
    case PMUV3_PMMIR:
      return probe->pmmir;
    case PMUV3_PMCEID0:
      return probe->pmceid0;
    case PMUV3_PMCEID1:
      return probe->pmceid1;
    default:
      break;
  }
  if (index_in(reg, PMUV3_PMEVCNTR) >= 0) return probe->value[index_in(reg, PMUV3_PMEVCNTR)];
  CHECK(index_in(reg, PMUV3_PMEVTYPER) >= 0);
  return probe->evtyper[index_in(reg, PMUV3_PMEVTYPER)];
}

/* Bits that are 0 in every implementation: RES0 or RAZ, or not the PMU's. */
static uint64_t res0(uint16_t reg) {
  struct view view = view_of(reg);
  if (view.reg != reg) return res0(view.reg) | ~(uint64_t)view.mask;
  switch (reg) {
    case PMUV3_PMCR:
      return UINT64_C(0xFFFFFFFE00000506);
    case PMUV3_MDCR_EL2:
      return ~UINT64_C(0x00000310F48200FF);
    case PMUV3_MDCR_EL3:
      return ~UINT64_C(0x0000030C108200C0);
    case PMUV3_SDER32_EL3:
      return ~UINT64_C(0x2);
    case PMUV3_PMCCFILTR:
      return ~UINT64_C(0x03000000FD700000);
    case PMUV3_PMICFILTR:
      return ~UINT64_C(0x07000000FD700008); /* evtCount is INST_RETIRED's */
    case PMUV3_PMMIR:
      return UINT64_C(0xFFFFFFFFE0000000);
    case PMUV3_PMCCNTR:
    case PMUV3_PMICNTR:
    case PMUV3_PMCEID0:
    case PMUV3_PMCEID1:
      return 0;
    default:
      break;
  }
  if (index_in(reg, PMUV3_PMEVCNTR) >= 0) return 0;
  if (index_in(reg, PMUV3_PMEVTYPER) >= 0) return UINT64_C(0x083FF000008F0000);
  return UINT64_C(0xFFFFFFFE00000000); /* a bit per counter, C and F0 */
}

/* ---- What holds at any time ---- */

static void check_state(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  uint32_t absent = ~implemented(params);
  uint64_t absent_flags = ~all_flags(params);
#define PMUV3_PROBE_BITS(field, name) CHECK((probe->field & absent) == 0);
#include "pmuv3/probe.def"
  for (unsigned n = 0; n < PMUV3_LANES; n++) {
    bool exists = n < params->counters;
    bool counts = probe->allowed >> n & 1;
    if (exists) CHECK((probe->value[n] & ~width(params)) == 0);
#define PMUV3_PROBE_LANES(field, name) CHECK(counts || probe->field[n] == 0);
#define PMUV3_PROBE_COUNTERS(field, name) CHECK(exists || probe->field[n] == 0);
#include "pmuv3/probe.def"
  }
  CHECK(((probe->CT | probe->CE) & ~probe->allowed) == 0);
  CHECK(((overflow_of(probe) | cnten_of(probe) | inten_of(probe)) & absent_flags) == 0);
  if (!pmuv3_has(params, PMUV3_FEATURE_ICNTR)) CHECK(probe->pmicntr == 0 && probe->pmicfiltr == 0);
  CHECK(probe->irq == irq(params, probe));
}

static struct probes probes_of(const struct pmuv3 *pmu) {
  struct probes probes;
  memset(&probes, 0xA5, sizeof probes); /* every byte is filled */
  for (unsigned t = 0; t < pmu->params.threads; t++) pmuv3_probe(pmu, t, &probes.of[t]);
  return probes;
}

static struct probes checked_probes(const struct pmuv3 *pmu) {
  struct probes probes = probes_of(pmu);
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    check_state(&pmu->params, &probes.of[t]);
    CHECK(pmuv3_irq(pmu, t) == (probes.of[t].irq != 0));
  }
  return probes;
}

/* PMUIRQ follows from the rest. */
static void check_same_probe(const struct pmuv3_params *params, struct pmuv3_probe expected,
                             const struct pmuv3_probe *actual) {
  expected.irq = irq(params, &expected);
#define PMUV3_PROBE_BITS(field, name) CHECK(expected.field == actual->field);
#define PMUV3_PROBE_GLOBAL(field, name) CHECK(expected.field == actual->field);
#define PMUV3_PROBE_LANES(field, name) \
  CHECK(memcmp(expected.field, actual->field, sizeof expected.field) == 0);
#define PMUV3_PROBE_COUNTERS(field, name) \
  CHECK(memcmp(expected.field, actual->field, sizeof expected.field) == 0);
#include "pmuv3/probe.def"
}

static void check_same(const struct pmuv3_params *params, const struct probes *expected,
                       const struct probes *actual) {
  for (unsigned t = 0; t < params->threads; t++)
    check_same_probe(params, expected->of[t], &actual->of[t]);
}

void check_same_params(const struct pmuv3_params *a, const struct pmuv3_params *b) {
#define PMUV3_PARAM(name, dflt, min, max, bits, text) CHECK(a->name == b->name);
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) CHECK(a->id == b->id);
#include "pmuv3/params.def"
  CHECK(a->features == b->features);
}

/* ---- Init, reset and states, checked ---- */

/* The registers as they start; MTPME, which a Warm reset leaves alone (D13.6-8), as before. */
static void check_start(const struct pmuv3 *pmu, const struct probes *mtpme) {
  const struct pmuv3_params *params = &pmu->params;
  struct probes actual = checked_probes(pmu);
  for (unsigned t = 0; t < params->threads; t++) {
    struct pmuv3_probe expected;
    memset(&expected, 0, sizeof expected);
    expected.pmcr = (uint64_t)params->counters << PMUV3_PMCR_N_LSB;
    if (params->el2) expected.mdcr_el2 = params->counters;
    expected.mdcr_el2 |= mtpme->of[t].mdcr_el2 & PMUV3_MASK(MDCR_EL2, MTPME);
    expected.mdcr_el3 |= mtpme->of[t].mdcr_el3 & PMUV3_MASK(MDCR_EL3, MTPME);
    if (pmuv3_has(params, PMUV3_FEATURE_ICNTR))
      expected.pmicfiltr = pmuv3_event_number(PMUV3_EVENT_INST_RETIRED);
    expected.pmmir = actual.of[t].pmmir;
    expected.pmceid0 = actual.of[t].pmceid0;
    expected.pmceid1 = actual.of[t].pmceid1;
    check_same_probe(params, expected, &actual.of[t]);
  }
}

void checked_init(struct pmuv3 *pmu, const struct pmuv3_params *params) {
  memset(pmu, 0xA5, sizeof *pmu);
  pmuv3_init(pmu, params);
  check_same_params(&pmu->params, params);
  struct probes cold = {0};
  for (unsigned t = 0; t < params->threads; t++) {
    if (!pmuv3_has(params, PMUV3_FEATURE_MTPMU)) continue;
    if (params->el2 && !params->el3) cold.of[t].mdcr_el2 = PMUV3_MASK(MDCR_EL2, MTPME);
    if (params->el3) cold.of[t].mdcr_el3 = PMUV3_MASK(MDCR_EL3, MTPME);
  }
  check_start(pmu, &cold);
}

void checked_reset(struct pmuv3 *pmu) {
  struct probes before = probes_of(pmu);
  pmuv3_reset(pmu);
  check_start(pmu, &before);
}

void checked_set_pe(struct pmuv3 *pmu, unsigned thread, const struct pmuv3_pe *pe) {
  CHECK(!pmuv3_pe_wrong(&pmu->params, pe));
  struct probes before = probes_of(pmu);
  pmuv3_set_pe(pmu, thread, pe);
  struct probes after = checked_probes(pmu);
  check_same(&pmu->params, &before, &after);
}

/* ---- Accesses, checked ---- */

enum pmuv3_access checked_write(struct pmuv3 *pmu, unsigned thread, uint16_t reg, uint64_t value) {
  struct probes expected = probes_of(pmu);
  enum pmuv3_access access = pmuv3_write(pmu, thread, reg, value);
  struct probes actual = checked_probes(pmu);
  struct pmuv3_probe *own = &expected.of[thread];
  CHECK(access == pmuv3_register_writable(&pmu->params, reg));
  if (access == PMUV3_ACCESS_OK) *own = written(&pmu->params, *own, reg, value, 0);
  check_same(&pmu->params, &expected, &actual);
  return access;
}

enum pmuv3_access checked_read(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                               uint64_t *value) {
  struct probes probes = probes_of(pmu);
  struct pmuv3 before;
  memcpy(&before, pmu, sizeof before);
  *value = UINT64_MAX;
  enum pmuv3_access access = pmuv3_read(pmu, thread, reg, value);
  CHECK(memcmp(&before, pmu, sizeof before) == 0);
  CHECK(access == pmuv3_register_readable(&pmu->params, reg));
  CHECK(*value == (access == PMUV3_ACCESS_OK ? shown(&probes.of[thread], reg) : 0));
  CHECK(access != PMUV3_ACCESS_OK || (*value & res0(reg)) == 0);
  return access;
}

/* ---- A cycle, checked ---- */

/* The same cycle without its writes. */
static struct probes without_writes(const struct pmuv3 *pmu, struct pmuv3_cycle cycle) {
  struct pmuv3 copy = *pmu;
  cycle.has_write = 0;
  pmuv3_tick(&copy, &cycle);
  return probes_of(&copy);
}

static bool counts_siblings(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  for (unsigned n = 0; n < params->counters; n++)
    if (PMUV3_GET(probe->evtyper[n], PMEVTYPER, MT)) return true;
  return false;
}

/* Whether a choice lets anything count in a thread that is in Debug state. */
static bool counts_halted(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  return params->k_debug_late || params->k_unattr_debug ||
         (params->k_mt_self_debug && counts_siblings(params, probe));
}

/* With MT = 0, a thread's PMU is not touched by what its siblings do. */
static void check_alone(const struct pmuv3 *pmu, struct pmuv3_cycle cycle, unsigned thread,
                        const struct pmuv3_probe *expected) {
  struct pmuv3_occurrence own[PMUV3_NUM_EVENTS * PMUV3_NUM_ORIGINS];
  uint16_t num_own = 0;
  for (unsigned i = 0; i < cycle.num_occurrences; i++)
    if (cycle.occurrences[i].thread == thread) own[num_own++] = cycle.occurrences[i];
  cycle.occurrences = own;
  cycle.num_occurrences = num_own;
  cycle.has_write &= (uint8_t)(1u << thread);

  struct pmuv3 copy = *pmu;
  struct pmuv3_probe probe;
  pmuv3_tick(&copy, &cycle);
  pmuv3_probe(&copy, thread, &probe);
  check_same_probe(&pmu->params, probe, expected);
}

static bool is_written(const struct pmuv3_params *params, const struct pmuv3_cycle *cycle,
                       unsigned thread) {
  return cycle->has_write >> thread & 1 &&
         pmuv3_register_writable(params, cycle->write[thread].reg) == PMUV3_ACCESS_OK;
}

/* Only software increments of the same clock count in it. */
static bool has_increments(const struct pmuv3_params *params, const struct pmuv3_cycle *cycle) {
  for (unsigned t = 0; t < params->threads; t++)
    if (is_written(params, cycle, t) && cycle->write[t].reg == PMUV3_PMSWINC) return true;
  return false;
}

void checked_tick(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle) {
  const struct pmuv3_params *params = &pmu->params;
  struct pmuv3 start = *pmu;
  struct probes before = probes_of(pmu);
  struct probes alone = without_writes(pmu, *cycle);
  pmuv3_tick(pmu, cycle);
  struct probes after = checked_probes(pmu);

  for (unsigned t = 0; t < params->threads; t++) {
    const struct pmuv3_probe *was = &before.of[t];
    const struct pmuv3_probe *is = &after.of[t];
    CHECK((is->allowed & ~running(params, was)) == 0);
    CHECK(!pmu->pe[t].halted || counts_halted(params, was) || is->allowed == 0);
    check_fixed_counters(pmu, t, cycle, was, &alone.of[t]);

    struct pmuv3_probe cycled = *is; /* with what no write has met */
    cycled.pmccntr = alone.of[t].pmccntr;
    cycled.pmicntr = alone.of[t].pmicntr;
    struct pmuv3_probe expected = counted(params, was, &cycled);
    if (is_written(params, cycle, t))
      expected = written(params, expected, cycle->write[t].reg, cycle->write[t].value,
                         new_flags(params, was, &cycled));
    check_same_probe(params, expected, is);
    if (!has_increments(params, cycle)) CHECK(memcmp(alone.of[t].V, is->V, sizeof is->V) == 0);
    if (params->threads > 1 && !counts_siblings(params, was)) check_alone(&start, *cycle, t, is);
  }
}

/* ---- What is derived ---- */

/* Gives a register the value that it has; one that does not exist has none. */
static void rewrite(struct pmuv3 *pmu, unsigned thread, uint16_t reg) {
  uint64_t value;
  if (pmuv3_read(pmu, thread, reg, &value) == PMUV3_ACCESS_OK) pmuv3_write(pmu, thread, reg, value);
}

/* Gives all registers and states the values that they have. */
static void refresh(struct pmuv3 *pmu, unsigned thread) {
  static const uint16_t regs[] = {PMUV3_PMCR,       PMUV3_MDCR_EL2,  PMUV3_MDCR_EL3,
                                  PMUV3_SDER32_EL3, PMUV3_PMCCFILTR, PMUV3_PMICFILTR,
                                  PMUV3_PMCNTENSET};
  const struct pmuv3_pe pe = pmu->pe[thread];
  pmuv3_set_pe(pmu, thread, &pe);
  for (size_t r = 0; r < sizeof regs / sizeof *regs; r++) rewrite(pmu, thread, regs[r]);
  for (unsigned n = 0; n < pmu->params.counters; n++) rewrite(pmu, thread, PMUV3_PMEVTYPERn(n));
}

/* Each event in each thread, here, elsewhere and Unattributable. Returns how many there are. */
static uint16_t all_occurrences(const struct pmuv3_params *params,
                                struct pmuv3_occurrence list[PMUV3_MAX_OCCURRENCES]) {
  uint16_t num = 0;
  for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++) {
    enum pmuv3_event_class class = pmuv3_event_class_of((enum pmuv3_event)e);
    unsigned origins = class == PMUV3_EVENT_CLASS_SELF    ? 0
                       : class == PMUV3_EVENT_CLASS_COUNT ? PMUV3_DEBUGGER
                                                          : PMUV3_OTHER;
    for (unsigned t = 0; t < params->threads; t++)
      for (unsigned origin = 0; origin < origins; origin++)
        list[num++] = (struct pmuv3_occurrence){(uint8_t)e, 1, (uint8_t)t, (uint8_t)origin};
  }
  return num;
}

void check_derived(const struct pmuv3 *pmu) {
  struct pmuv3_occurrence list[PMUV3_MAX_OCCURRENCES];
  struct pmuv3_cycle cycle = {.occurrences = list};
  cycle.num_occurrences = all_occurrences(&pmu->params, list);

  struct pmuv3 as_it_is = *pmu;
  struct pmuv3 fresh = *pmu;
  for (unsigned t = 0; t < pmu->params.threads; t++) refresh(&fresh, t);
  pmuv3_tick(&as_it_is, &cycle);
  pmuv3_tick(&fresh, &cycle);
  struct probes expected = probes_of(&fresh);
  struct probes actual = probes_of(&as_it_is);
  check_same(&pmu->params, &expected, &actual);
}
