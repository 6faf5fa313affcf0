#include "testbench/fuzz/checked.h"

#include <string.h>

static uint32_t implemented(const struct pmuv3_params *params) {
  return (UINT32_C(1) << params->counters) - 1;
}

/* The bits of a counter. */
static uint64_t width(const struct pmuv3_params *params) {
  return pmuv3_has(params, PMUV3_FEATURE_PMUv3p5) ? UINT64_MAX : UINT32_MAX;
}

/* n of PMEVCNTR<n> or PMEVTYPER<n>, whose n = 0 is `first`; -1: it is another register. */
static int index_in(uint16_t reg, uint16_t first) {
  return reg >= first && reg < first + PMUV3_MAX_COUNTERS ? reg - first : -1;
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

static uint32_t enabled(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  return spread(params, probe, PMUV3_GET(probe->pmcr, PMCR, E),
                PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HPME));
}

/* Counters that overflow at bit 63 (RQZJKS). */
static uint32_t long_overflow(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  return spread(params, probe, PMUV3_GET(probe->pmcr, PMCR, LP),
                PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HLP));
}

static uint64_t irq(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  return (enabled(params, probe) & probe->overflow & probe->inten) != 0;
}

/* ---- What a cycle and a write do to registers ---- */

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

/* The cycle's values, and the registers after it if no write meets it. */
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
  probe.overflow |= overflows(params, before, cycle);
  for (unsigned n = 0; n < PMUV3_LANES; n++)
    probe.value[n] = (before->value[n] + cycle->V[n]) & width(params);
  return probe;
}

/*
 * The registers after a legal write. `new_overflows` are those of its own clock:
 * PMOVSCLR leaves them.
 */
static struct pmuv3_probe written(const struct pmuv3_params *params, struct pmuv3_probe probe,
                                  uint16_t reg, uint64_t value, uint32_t new_overflows) {
  uint64_t mask = pmuv3_register_mask(params, reg);
  uint32_t bits = (uint32_t)value & implemented(params);
  int counter = index_in(reg, PMUV3_PMEVCNTR);
  int type = index_in(reg, PMUV3_PMEVTYPER);
  uint64_t stored = PMUV3_MASK(PMCR, E) | PMUV3_MASK(PMCR, LP);
  switch (reg) {
    case PMUV3_PMCR:
      probe.pmcr = (probe.pmcr & ~stored) | (value & mask & stored);
      if (value & PMUV3_MASK(PMCR, P)) memset(probe.value, 0, sizeof probe.value);
      break;
    case PMUV3_MDCR_EL2:
      probe.mdcr_el2 = (probe.mdcr_el2 & ~mask) | (value & mask);
      break;
    case PMUV3_PMCNTENSET:
      probe.cnten |= bits;
      break;
    case PMUV3_PMCNTENCLR:
      probe.cnten &= ~bits;
      break;
    case PMUV3_PMINTENSET:
      probe.inten |= bits;
      break;
    case PMUV3_PMINTENCLR:
      probe.inten &= ~bits;
      break;
    case PMUV3_PMOVSSET:
      probe.overflow |= bits;
      break;
    case PMUV3_PMOVSCLR:
      probe.overflow &= ~bits | new_overflows;
      break;
    default:
      if (counter >= 0) probe.value[counter] = value & width(params);
      if (type >= 0) probe.evtyper[type] = value & mask;
  }
  return probe;
}

/* ---- What a read gives ---- */

static uint64_t shown(const struct pmuv3_probe *probe, uint16_t reg) {
  switch (reg) {
    case PMUV3_PMCR:
      return probe->pmcr;
    case PMUV3_MDCR_EL2:
      return probe->mdcr_el2;
    case PMUV3_PMCNTENSET:
    case PMUV3_PMCNTENCLR:
      return probe->cnten;
    case PMUV3_PMINTENSET:
    case PMUV3_PMINTENCLR:
      return probe->inten;
    case PMUV3_PMOVSSET:
    case PMUV3_PMOVSCLR:
      return probe->overflow;
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
  switch (reg) {
    case PMUV3_PMCR:
      return UINT64_C(0xFFFFFFFE00000506);
    case PMUV3_MDCR_EL2:
      return ~UINT64_C(0x00000310F48200FF);
    case PMUV3_PMMIR:
      return UINT64_C(0xFFFFFFFFE0000000);
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
  CHECK(probe->irq == irq(params, probe));
}

static struct pmuv3_probe probe_of(const struct pmuv3 *pmu) {
  struct pmuv3_probe probe;
  memset(&probe, 0xA5, sizeof probe); /* every byte is filled */
  pmuv3_probe(pmu, &probe);
  return probe;
}

static struct pmuv3_probe checked_probe(const struct pmuv3 *pmu) {
  struct pmuv3_probe probe = probe_of(pmu);
  check_state(&pmu->params, &probe);
  CHECK(pmuv3_irq(pmu) == (probe.irq != 0));
  return probe;
}

/* PMUIRQ follows from the rest. */
static void check_same(const struct pmuv3_params *params, struct pmuv3_probe expected,
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

/* ---- The model, checked ---- */

/* The registers as they start; MTPME, which a Warm reset leaves alone (D13.6-8), as in mdcr_el2. */
static void check_start(const struct pmuv3 *pmu, uint64_t mdcr_el2) {
  const struct pmuv3_params *params = &pmu->params;
  struct pmuv3_probe actual = checked_probe(pmu);
  struct pmuv3_probe expected;
  memset(&expected, 0, sizeof expected);
  expected.pmcr = (uint64_t)params->counters << PMUV3_PMCR_N_LSB;
  if (params->el2) expected.mdcr_el2 = params->counters;
  expected.mdcr_el2 |= mdcr_el2 & PMUV3_MASK(MDCR_EL2, MTPME);
  expected.pmmir = actual.pmmir;
  expected.pmceid0 = actual.pmceid0;
  expected.pmceid1 = actual.pmceid1;
  check_same(params, expected, &actual);
}

void checked_init(struct pmuv3 *pmu, const struct pmuv3_params *params) {
  memset(pmu, 0xA5, sizeof *pmu);
  pmuv3_init(pmu, params);
  CHECK(memcmp(&pmu->params, params, sizeof *params) == 0);
  bool has_mtpme = params->el2 && !params->el3 && pmuv3_has(params, PMUV3_FEATURE_MTPMU);
  check_start(pmu, has_mtpme ? PMUV3_MASK(MDCR_EL2, MTPME) : 0);
}

void checked_reset(struct pmuv3 *pmu) {
  uint64_t mdcr_el2 = probe_of(pmu).mdcr_el2;
  pmuv3_reset(pmu);
  check_start(pmu, mdcr_el2);
}

enum pmuv3_access checked_write(struct pmuv3 *pmu, uint16_t reg, uint64_t value) {
  struct pmuv3_probe expected = probe_of(pmu);
  enum pmuv3_access access = pmuv3_write(pmu, reg, value);
  struct pmuv3_probe actual = checked_probe(pmu);
  CHECK(access == pmuv3_register_writable(&pmu->params, reg));
  if (access == PMUV3_ACCESS_OK) expected = written(&pmu->params, expected, reg, value, 0);
  check_same(&pmu->params, expected, &actual);
  return access;
}

enum pmuv3_access checked_read(const struct pmuv3 *pmu, uint16_t reg, uint64_t *value) {
  struct pmuv3_probe probe = probe_of(pmu);
  struct pmuv3 before;
  memcpy(&before, pmu, sizeof before);
  *value = UINT64_MAX;
  enum pmuv3_access access = pmuv3_read(pmu, reg, value);
  CHECK(memcmp(&before, pmu, sizeof before) == 0);
  CHECK(access == pmuv3_register_readable(&pmu->params, reg));
  CHECK(*value == (access == PMUV3_ACCESS_OK ? shown(&probe, reg) : 0));
  CHECK(access != PMUV3_ACCESS_OK || (*value & res0(reg)) == 0);
  return access;
}

/* The same cycle without its write. */
static struct pmuv3_probe without_write(const struct pmuv3 *pmu, struct pmuv3_cycle cycle) {
  struct pmuv3 copy = *pmu;
  cycle.has_write = false;
  pmuv3_tick(&copy, &cycle);
  return probe_of(&copy);
}

void checked_tick(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle) {
  const struct pmuv3_params *params = &pmu->params;
  uint16_t reg = cycle->write.reg;
  bool writes = cycle->has_write && pmuv3_register_writable(params, reg) == PMUV3_ACCESS_OK;
  struct pmuv3_probe before = probe_of(pmu);
  struct pmuv3_probe alone = without_write(pmu, *cycle);
  pmuv3_tick(pmu, cycle);
  struct pmuv3_probe after = checked_probe(pmu);

  CHECK((after.allowed & ~(before.cnten & enabled(params, &before))) == 0);
  struct pmuv3_probe expected = counted(params, &before, &after);
  if (writes)
    expected =
        written(params, expected, reg, cycle->write.value, overflows(params, &before, &after));
  check_same(params, expected, &after);
  if (!writes) check_same(params, alone, &after); /* a refused write has no effect */
  if (!writes || reg != PMUV3_PMSWINC) CHECK(memcmp(alone.V, after.V, sizeof alone.V) == 0);
}
