#include "testbench/tests/fuzz/checked.h"

#include <string.h>

#include "testbench/tests/fuzz/expected.h"

/* The probes of all threads. */
struct probes {
  struct pmuv3_probe of[PMUV3_MAX_THREADS];
};

/* ---- The effects of a cycle ---- */

/*
 * The probe after a cycle without writes: the cycle's values and the registers. PMCCNTR and PMICNTR
 * are the model's (see check_fixed_counters).
 */
static struct pmuv3_probe counted(struct seen seen, const struct pmuv3_probe *cycle) {
  const struct pmuv3_probe *before = seen.probe;
  struct pmuv3_probe probe = *before;
#define PMUV3_PROBE_LANES(field, name, owner) memcpy(probe.field, cycle->field, sizeof probe.field);
#include "pmuv3/probe.def"
  probe.allowed = cycle->allowed;
  probe.CT = cycle->CT;
  probe.CP = before->CT; /* RJJRJQ, even if counting is not allowed */
  probe.CE = cycle->CE;
  probe.pmccntr = cycle->pmccntr;
  probe.pmicntr = cycle->pmicntr;
  probe.pulses = new_flags(seen, cycle);
  set_overflow(&probe, overflow_of(before) | probe.pulses);
  for (unsigned n = 0; n < PMUV3_LANES; n++)
    probe.value[n] = (before->value[n] + cycle->V[n]) & counter_width(seen.params);
  return probe;
}

/* Whether the cycle counter must count every cycle in this state. */
static bool counts_every_cycle(struct seen seen) {
  const struct pmuv3_probe *probe = seen.probe;
  uint64_t disable = PMUV3_MASK(PMCR, DP);
  uint64_t divide = PMUV3_GET(probe->pmcr, PMCR, LC) || profiles(seen) ? 0 : PMUV3_MASK(PMCR, D);
  uint64_t el2_disables = PMUV3_MASK(MDCR_EL2, HCCD);
  uint64_t el3_disables = PMUV3_MASK(MDCR_EL3, SCCD) | PMUV3_MASK(MDCR_EL3, MCCD);
  return probe->pmccfiltr == 0 && seen.pe->el != 2 && !seen.pe->halted &&
         (probe->pmcr & (disable | divide)) == 0 && (probe->mdcr_el2 & el2_disables) == 0 &&
         (probe->mdcr_el3 & el3_disables) == 0;
}

/* The most instructions that a thread can retire in the cycle. */
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

/* Checks the increments of the cycle counter and the instruction counter in a cycle without
 * writes. */
static void check_fixed_counters(const struct pmuv3 *pmu, unsigned thread,
                                 const struct pmuv3_cycle *cycle, const struct pmuv3_probe *before,
                                 const struct pmuv3_probe *after) {
  const struct pmuv3_pe *pe = &pmu->pe[thread];
  struct seen seen = {&pmu->params, pe, before};
  uint64_t runs = running(seen);
  uint64_t added = after->pmccntr - before->pmccntr;
  bool may_count = runs & MASK_C && !pe->halted;
  CHECK(added <= may_count);
  CHECK(!may_count || !counts_every_cycle(seen) || added == 1);

  added = after->pmicntr - before->pmicntr;
  may_count = runs & MASK_F0 && !pe->halted;
  CHECK(added <= (may_count ? instructions(cycle, thread) : 0));
}

/* ---- Invariants ---- */

/* Registers of features that are not implemented must be 0. */
static void check_absent(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  bool has_ss = pmuv3_has(params, PMUV3_FEATURE_SS);
  if (!pmuv3_has(params, PMUV3_FEATURE_ICNTR))
    CHECK(probe->pmicntr == 0 && probe->pmicfiltr == 0 && probe->pmicntsvr == 0);
  if (!pmuv3_has(params, PMUV3_FEATURE_PMUv3p9)) CHECK(probe->pmuacr == 0);
  if (!pmuv3_has(params, PMUV3_FEATURE_EBEP)) CHECK(probe->exception == 0);
  if (!pmuv3_has(params, PMUV3_FEATURE_EXTPMN)) CHECK(probe->pmccr == 0);
  if (!pmuv3_has(params, PMUV3_FEATURE_EXT32)) CHECK(probe->pmlsr == 0);
  if (!has_ss) CHECK(probe->pmsscr == 0 && probe->pmccntsvr == 0);
  for (unsigned n = 0; n < PMUV3_LANES; n++) CHECK(has_ss || probe->svr[n] == 0);
}

static void check_outputs(struct seen seen) {
  const struct pmuv3_probe *probe = seen.probe;
  CHECK(probe->cti == expected_cti(seen));
  CHECK(probe->irq == expected_irq(seen));
  CHECK(probe->halt == expected_halt(seen));
  CHECK(probe->brbe == expected_brbe(seen));
  CHECK((probe->pulses & ~all_flags(seen.params)) == 0);
  CHECK(probe->exception == 0 || (profiles(seen) && probe->cti && !seen.pe->halted));
  CHECK(probe->exception == 0 || (probe->exception & 3) == expected_sources(seen));
  CHECK((probe->exception & 3) == 0 ? probe->exception == 0 : probe->exception >> 2 != 0);
}

static void check_state(struct seen seen) {
  const struct pmuv3_params *params = seen.params;
  const struct pmuv3_probe *probe = seen.probe;
  uint32_t absent = ~implemented(params);
  uint64_t absent_flags = ~all_flags(params);
#define PMUV3_PROBE_BITS(field, name, owner) CHECK((probe->field & absent) == 0);
#include "pmuv3/probe.def"
  for (unsigned n = 0; n < PMUV3_LANES; n++) {
    bool exists = n < params->counters;
    bool counts = probe->allowed >> n & 1;
    if (exists) CHECK((probe->value[n] & ~counter_width(params)) == 0);
#define PMUV3_PROBE_LANES(field, name, owner) CHECK(counts || probe->field[n] == 0);
#define PMUV3_PROBE_COUNTERS(field, name, owner) CHECK(exists || probe->field[n] == 0);
#include "pmuv3/probe.def"
  }
  CHECK(((probe->CT | probe->CE) & ~probe->allowed) == 0);
  CHECK(((overflow_of(probe) | cnten_of(probe) | inten_of(probe)) & absent_flags) == 0);
  check_absent(params, probe);
  check_outputs(seen);
}

static struct probes probes_of(const struct pmuv3 *pmu) {
  struct probes probes;
  memset(&probes, 0xA5, sizeof probes); /* the probe must fill every byte */
  for (unsigned t = 0; t < pmu->params.threads; t++) pmuv3_probe(pmu, t, &probes.of[t]);
  return probes;
}

static struct probes checked_probes(const struct pmuv3 *pmu) {
  struct probes probes = probes_of(pmu);
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    check_state((struct seen){&pmu->params, &pmu->pe[t], &probes.of[t]});
    CHECK(pmuv3_irq(pmu, t) == (probes.of[t].irq != 0));
    CHECK(pmuv3_cti(pmu, t) == (probes.of[t].cti != 0));
    CHECK(pmuv3_exception(pmu, t) == probes.of[t].exception);
    CHECK(pmuv3_halt(pmu, t) == (probes.of[t].halt != 0));
    CHECK(pmuv3_brbe(pmu, t) == probes.of[t].brbe);
    CHECK(pmuv3_pulses(pmu, t) == probes.of[t].pulses);
  }
  return probes;
}

/* Outputs follow from the other values, so check_outputs checks them. */
static void check_same_probe(struct pmuv3_probe expected, const struct pmuv3_probe *actual) {
  expected.irq = actual->irq;
  expected.cti = actual->cti;
  expected.exception = actual->exception;
  expected.halt = actual->halt;
  expected.brbe = actual->brbe;
#define PMUV3_PROBE_BITS(field, name, owner) CHECK(expected.field == actual->field);
#define PMUV3_PROBE_GLOBAL(field, name, owner) CHECK(expected.field == actual->field);
#define PMUV3_PROBE_LANES(field, name, owner) \
  CHECK(memcmp(expected.field, actual->field, sizeof expected.field) == 0);
#define PMUV3_PROBE_COUNTERS(field, name, owner) \
  CHECK(memcmp(expected.field, actual->field, sizeof expected.field) == 0);
#include "pmuv3/probe.def"
}

static void check_same(const struct pmuv3_params *params, const struct probes *expected,
                       const struct probes *actual) {
  for (unsigned t = 0; t < params->threads; t++) check_same_probe(expected->of[t], &actual->of[t]);
}

void check_same_params(const struct pmuv3_params *a, const struct pmuv3_params *b) {
#define PMUV3_PARAM(name, dflt, min, max, bits, text) CHECK(a->name == b->name);
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) CHECK(a->id == b->id);
#include "pmuv3/params.def"
  CHECK(a->features == b->features);
}

/* ---- Init, reset and states, checked ---- */

/* The state that a Warm reset keeps (D13.6-8, D24.5): MTPME, the fields of captures, and the
 * registers of the external view. */
static void keep(struct pmuv3_probe *expected, const struct pmuv3_probe *before) {
  uint64_t el2 = PMUV3_MASK(MDCR_EL2, MTPME) | PMUV3_MASK(MDCR_EL2, PMSSE);
  uint64_t el3 = PMUV3_MASK(MDCR_EL3, MTPME) | PMUV3_MASK(MDCR_EL3, PMSSE);
  expected->mdcr_el2 |= before->mdcr_el2 & el2;
  expected->mdcr_el3 |= before->mdcr_el3 & el3;
  expected->pmecr = before->pmecr & PMUV3_MASK(PMECR, SSE);
  expected->pmccr = before->pmccr;
  expected->pmlsr = before->pmlsr;
}

/* With an external agent, only a Cold reset touches counters and their configuration (D24.5). A
 * Warm reset still resets F0, and resets thresholds if EL1 can use AArch32. */
static void keep_counters(const struct pmuv3_params *params, struct pmuv3_probe *expected,
                          const struct pmuv3_probe *before) {
  uint64_t threshold =
      PMUV3_MASK(PMEVTYPER, TC) | PMUV3_MASK(PMEVTYPER, TE) | PMUV3_MASK(PMEVTYPER, TH);
  uint64_t zeroed = params->aa32 >= PMUV3_AA32_EL1 ? threshold : 0;
  for (unsigned n = 0; n < PMUV3_LANES; n++) expected->evtyper[n] = before->evtyper[n] & ~zeroed;
  memcpy(expected->value, before->value, sizeof expected->value);
  memcpy(expected->svr, before->svr, sizeof expected->svr);
  expected->pmccntr = before->pmccntr;
  expected->pmicntr = before->pmicntr;
  expected->pmccntsvr = before->pmccntsvr;
  expected->pmicntsvr = before->pmicntsvr;
  expected->pmccfiltr = before->pmccfiltr;
  expected->pmicfiltr = before->pmicfiltr;
  expected->cnten = before->cnten;
  expected->inten = before->inten;
  expected->overflow = before->overflow;
  expected->fixed_cnten = before->fixed_cnten & 1; /* {F0, C} */
  expected->fixed_inten = before->fixed_inten & 1;
  expected->fixed_overflow = before->fixed_overflow & 1;
}

/* Checks the registers after a reset, except the kept state. */
static void check_start(const struct pmuv3 *pmu, const struct probes *before) {
  const struct pmuv3_params *params = &pmu->params;
  struct probes actual = checked_probes(pmu);
  for (unsigned t = 0; t < params->threads; t++) {
    struct pmuv3_probe expected;
    memset(&expected, 0, sizeof expected);
    keep(&expected, &before->of[t]);
    if (pmuv3_has(params, PMUV3_FEATURE_EXTPMN)) keep_counters(params, &expected, &before->of[t]);
    uint64_t epmn = epmn_of(params, &expected);
    expected.pmcr = epmn << PMUV3_PMCR_N_LSB;
    if (params->aa32 == PMUV3_AA32_NONE) expected.pmcr |= PMUV3_MASK(PMCR, LC); /* RES1 */
    if (!pmuv3_has(params, PMUV3_FEATURE_PMUv3p7) && params->imp != 0)
      expected.pmcr |= params->imp << PMUV3_PMCR_IMP_LSB | params->idcode << PMUV3_PMCR_IDCODE_LSB;
    if (params->el2) expected.mdcr_el2 |= epmn; /* HPMN is `counters`; reads give at most EPMN */
    if (pmuv3_has(params, PMUV3_FEATURE_SS)) expected.pmsscr = PMUV3_MASK(PMSSCR, NC);
    if (pmuv3_has(params, PMUV3_FEATURE_ICNTR)) expected.pmicfiltr |= PMUV3_EVENT_INST_RETIRED;
    expected.pmmir = actual.of[t].pmmir;
    expected.pmceid0 = actual.of[t].pmceid0;
    expected.pmceid1 = actual.of[t].pmceid1;
    check_same_probe(expected, &actual.of[t]);
  }
}

void checked_init(struct pmuv3 *pmu, const struct pmuv3_params *params) {
  memset(pmu, 0xA5, sizeof *pmu);
  pmuv3_init(pmu, params);
  check_same_params(&pmu->params, params);
  struct probes cold = {0};
  for (unsigned t = 0; t < params->threads; t++) {
    if (pmuv3_has(params, PMUV3_FEATURE_EXTPMN)) cold.of[t].pmccr = params->counters;
    if (pmuv3_has(params, PMUV3_FEATURE_EXT32) && params->k_software_lock == 0)
      cold.of[t].pmlsr = 3; /* locked */
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
  struct seen seen = {&pmu->params, &pmu->pe[thread], own};
  if (access == PMUV3_ACCESS_OK) *own = written(seen, reg, value, 0);
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
  struct seen seen = {&pmu->params, &pmu->pe[thread], &probes.of[thread]};
  CHECK(*value == (access == PMUV3_ACCESS_OK ? shown(seen, reg) : 0));
  CHECK(access != PMUV3_ACCESS_OK || (*value & res0(&pmu->params, reg)) == 0);
  return access;
}

/* Checks a checked access. A failed access changes nothing. No access changes another thread's
 * PMU. */
static void check_judged(const struct pmuv3 *pmu, unsigned thread, bool done,
                         const struct probes *before) {
  struct probes after = checked_probes(pmu);
  for (unsigned t = 0; t < pmu->params.threads; t++)
    if (t != thread || !done) check_same_probe(before->of[t], &after.of[t]);
}

enum pmuv3_result checked_msr(struct pmuv3 *pmu, unsigned thread, uint16_t reg, uint64_t value) {
  struct probes before = probes_of(pmu);
  enum pmuv3_result result = pmuv3_msr(pmu, thread, reg, value);
  CHECK(result <= PMUV3_TRAP_EL3);
  CHECK(result != PMUV3_DONE || pmuv3_register_writable(&pmu->params, reg) == PMUV3_ACCESS_OK);
  check_judged(pmu, thread, result == PMUV3_DONE, &before);
  return result;
}

enum pmuv3_result checked_mrs(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                              uint64_t *value) {
  struct pmuv3 before;
  memcpy(&before, pmu, sizeof before);
  *value = UINT64_MAX;
  enum pmuv3_result result = pmuv3_mrs(pmu, thread, reg, value);
  CHECK(memcmp(&before, pmu, sizeof before) == 0);
  CHECK(result <= PMUV3_TRAP_EL3);
  CHECK(result != PMUV3_DONE || pmuv3_register_readable(&pmu->params, reg) == PMUV3_ACCESS_OK);
  CHECK((*value & (result == PMUV3_DONE ? res0(&pmu->params, reg) : UINT64_MAX)) == 0);
  return result;
}

bool checked_external_write(struct pmuv3 *pmu, const struct pmuv3_external *write) {
  struct probes before = probes_of(pmu);
  bool done = pmuv3_external_write(pmu, write->thread, (enum pmuv3_security_state)write->ss,
                                   write->offset, write->value);
  check_judged(pmu, write->thread, done, &before);
  return done;
}

bool checked_external_read(const struct pmuv3 *pmu, const struct pmuv3_external *read,
                           uint32_t *value) {
  struct pmuv3 before;
  memcpy(&before, pmu, sizeof before);
  *value = UINT32_MAX;
  bool done = pmuv3_external_read(pmu, read->thread, (enum pmuv3_security_state)read->ss,
                                  read->offset, value);
  CHECK(memcmp(&before, pmu, sizeof before) == 0);
  CHECK(done || *value == 0);
  return done;
}

/* ---- A cycle, checked ---- */

/* The probes after the same cycle without its writes. */
static struct probes without_writes(const struct pmuv3 *pmu, struct pmuv3_cycle cycle) {
  struct pmuv3 copy = *pmu;
  cycle.has_write = 0;
  cycle.has_external = false;
  pmuv3_tick(&copy, &cycle);
  return probes_of(&copy);
}

static bool counts_siblings(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  for (unsigned n = 0; n < params->counters; n++)
    if (PMUV3_GET(probe->evtyper[n], PMEVTYPER, MT)) return true;
  return false;
}

/* Whether a choice lets a thread in Debug state count. */
static bool counts_halted(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  return params->k_debug_late || params->k_unattr_debug ||
         (params->k_mt_self_debug && counts_siblings(params, probe));
}

/* With MT = 0, siblings do not affect a thread's PMU. */
static void check_alone(const struct pmuv3 *pmu, struct pmuv3_cycle cycle, unsigned thread,
                        const struct pmuv3_probe *expected) {
  struct pmuv3_occurrence own[PMUV3_MAX_EVENTS * PMUV3_NUM_ORIGINS];
  uint16_t num_own = 0;
  for (unsigned i = 0; i < cycle.num_occurrences; i++)
    if (cycle.occurrences[i].thread == thread) own[num_own++] = cycle.occurrences[i];
  cycle.occurrences = own;
  cycle.num_occurrences = num_own;
  cycle.has_write &= (uint8_t)(1u << thread);
  cycle.capture &= (uint8_t)(1u << thread);
  cycle.has_external = cycle.has_external && cycle.external.thread == thread;

  struct pmuv3 copy = *pmu;
  struct pmuv3_probe probe;
  pmuv3_tick(&copy, &cycle);
  pmuv3_probe(&copy, thread, &probe);
  check_same_probe(probe, expected);
}

static bool is_written(const struct pmuv3_params *params, const struct pmuv3_cycle *cycle,
                       unsigned thread) {
  return cycle->has_write >> thread & 1 &&
         pmuv3_register_writable(params, cycle->write[thread].reg) == PMUV3_ACCESS_OK;
}

/* Whether the cycle has a checked write or an external write to the thread. */
static bool is_judged(const struct pmuv3_cycle *cycle, unsigned thread) {
  return (cycle->has_write >> thread & 1 && cycle->write[thread].checked) ||
         (cycle->has_external && cycle->external.thread == thread);
}

/* Whether the cycle has a PMSWINC write. Its software increments count in the cycle. */
static bool has_increments(const struct pmuv3_params *params, const struct pmuv3_cycle *cycle) {
  for (unsigned t = 0; t < params->threads; t++) {
    uint16_t reg = cycle->write[t].reg;
    if (cycle->has_write >> t & 1 && (reg == PMUV3_PMSWINC || reg == PMUV3_PMSWINC_AA32))
      return true;
  }
  return false;
}

/* Checks the effect of the cycle, and of an unchecked write in it, on a thread's PMU. */
static void check_counted(struct seen was, const struct pmuv3_cycle *cycle, unsigned thread,
                          const struct pmuv3_probe *alone, const struct pmuv3_probe *is) {
  struct pmuv3_probe cycled = *is; /* with what no write has met */
  cycled.pmccntr = alone->pmccntr;
  cycled.pmicntr = alone->pmicntr;
  struct pmuv3_probe expected = counted(was, &cycled);
  struct seen then = {was.params, was.pe, &expected};
  const struct pmuv3_write *write = &cycle->write[thread];
  if (is_written(was.params, cycle, thread))
    expected = written(then, write->reg, write->value, new_flags(was, &cycled));
  if (cycle->capture >> thread & 1) expected = captured(was, expected);
  check_same_probe(expected, is);
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
    struct seen seen = {params, &pmu->pe[t], was};
    CHECK((is->allowed & ~running(seen)) == 0);
    CHECK(!pmu->pe[t].halted || counts_halted(params, was) || is->allowed == 0);
    check_fixed_counters(pmu, t, cycle, was, &alone.of[t]);
    if (!is_judged(cycle, t)) check_counted(seen, cycle, t, &alone.of[t], is);
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
                                  PMUV3_PMCNTENSET, PMUV3_PMECR,     PMUV3_PMUACR};
  const struct pmuv3_pe pe = pmu->pe[thread];
  pmuv3_set_pe(pmu, thread, &pe);
  for (size_t r = 0; r < sizeof regs / sizeof *regs; r++) rewrite(pmu, thread, regs[r]);
  for (unsigned n = 0; n < pmu->params.counters; n++) rewrite(pmu, thread, PMUV3_PMEVTYPERn(n));
}

/* Each event in each thread, here, elsewhere and Unattributable. Returns how many there are. */
static uint16_t all_occurrences(const struct pmuv3_params *params,
                                struct pmuv3_occurrence list[PMUV3_MAX_OCCURRENCES]) {
  uint16_t num = 0;
  for (unsigned e = 0; e < params->events.num; e++) {
    const struct pmuv3_event *event = &params->events.event[e];
    unsigned origins = event->event_class == PMUV3_EVENT_CLASS_SELF    ? 0
                       : event->event_class == PMUV3_EVENT_CLASS_COUNT ? PMUV3_DEBUGGER
                                                                       : PMUV3_OTHER;
    for (unsigned t = 0; t < params->threads; t++)
      for (unsigned origin = 0; origin < origins; origin++)
        list[num++] = (struct pmuv3_occurrence){event->number, 1, (uint8_t)t, (uint8_t)origin};
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
