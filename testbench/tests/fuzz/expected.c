#include "testbench/tests/fuzz/expected.h"

#include <string.h>

uint32_t implemented(const struct pmuv3_params *params) {
  return (UINT32_C(1) << params->counters) - 1;
}

uint64_t counter_width(const struct pmuv3_params *params) {
  bool is_long = pmuv3_has(params, PMUV3_FEATURE_PMUv3p5) && params->aa64;
  return is_long ? UINT64_MAX : UINT32_MAX;
}

/* The n of a counter's register, where `first` has n = 0; -1: another register. */
static int index_in(uint16_t reg, uint16_t first) {
  return reg >= first && reg < first + PMUV3_MAX_COUNTERS ? reg - first : -1;
}

/* ---- Flags and enables ---- */

enum { BIT_C = PMUV3_PMOVSSET_C_LSB };

static uint64_t joined(uint32_t counters, uint64_t fixed) {
  return fixed << BIT_C | counters;
}

static void split(uint64_t flags, uint32_t *counters, uint64_t *fixed) {
  *counters = (uint32_t)flags & ~(uint32_t)MASK_C;
  *fixed = flags >> BIT_C;
}

uint64_t overflow_of(const struct pmuv3_probe *probe) {
  return joined(probe->overflow, probe->fixed_overflow);
}

uint64_t cnten_of(const struct pmuv3_probe *probe) {
  return joined(probe->cnten, probe->fixed_cnten);
}

uint64_t inten_of(const struct pmuv3_probe *probe) {
  return joined(probe->inten, probe->fixed_inten);
}

void set_overflow(struct pmuv3_probe *probe, uint64_t flags) {
  split(flags, &probe->overflow, &probe->fixed_overflow);
}

uint64_t all_flags(const struct pmuv3_params *params) {
  return implemented(params) | MASK_C | (pmuv3_has(params, PMUV3_FEATURE_ICNTR) ? MASK_F0 : 0);
}

/* ---- Ranges ---- */

unsigned epmn_of(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  unsigned epmn = (unsigned)probe->pmccr & 31;
  bool is_all = !pmuv3_has(params, PMUV3_FEATURE_EXTPMN) || epmn > params->counters;
  return is_all ? params->counters : epmn;
}

static uint32_t below(unsigned n) {
  return (UINT32_C(1) << n) - 1;
}

uint64_t reached_flags(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  uint32_t agents = implemented(params) & ~below(epmn_of(params, probe));
  return all_flags(params) & ~(uint64_t)agents;
}

/* Counters of the first range (DXWVNH). A reserved HPMN behaves as all counters (K-HPMN-RES). */
static uint32_t first_range(struct seen seen) {
  unsigned epmn = epmn_of(seen.params, seen.probe);
  unsigned hpmn = (unsigned)PMUV3_GET(seen.probe->mdcr_el2, MDCR_EL2, HPMN);
  if (!seen.params->el2) return below(epmn);
  if (pmuv3_has(seen.params, PMUV3_FEATURE_EXTPMN)) return below(hpmn < epmn ? hpmn : epmn);
  bool is_reserved =
      hpmn > seen.params->counters || (hpmn == 0 && !pmuv3_has(seen.params, PMUV3_FEATURE_HPMN0));
  return below(is_reserved ? seen.params->counters : hpmn);
}

/* The ranges' bits, each spread over the counters of the range. */
static uint32_t spread(struct seen seen, uint64_t first, uint64_t second, uint64_t agents) {
  uint32_t system = below(epmn_of(seen.params, seen.probe));
  uint32_t range = first_range(seen);
  return (first ? range : 0) | (second ? system & ~range : 0) |
         (agents ? implemented(seen.params) & ~system : 0);
}

/* Enabled by the global enable of the range. C and F0 belong to the first range. */
static uint64_t enabled(struct seen seen) {
  uint64_t E = PMUV3_GET(seen.probe->pmcr, PMCR, E);
  uint64_t EPME = seen.probe->pmccr >> 7 & 1;
  return (E ? MASK_C | MASK_F0 : 0) |
         spread(seen, E, PMUV3_GET(seen.probe->mdcr_el2, MDCR_EL2, HPME), EPME);
}

/* ---- The PMU Profiling exception and the outputs ---- */

static uint32_t synchronous(const struct pmuv3_probe *probe) {
  uint32_t counters = 0;
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    counters |= (uint32_t)PMUV3_GET(probe->evtyper[n], PMEVTYPER, SYNC) << n;
  return counters;
}

/* The field that decides about the exception: PMEE of EL3, EL2 or EL1. */
static uint64_t deciding_pmee(struct seen seen) {
  uint64_t el3 = PMUV3_GET(seen.probe->mdcr_el3, MDCR_EL3, PMEE);
  uint64_t el2 = PMUV3_GET(seen.probe->mdcr_el2, MDCR_EL2, PMEE);
  if (seen.params->el3 && el3 != 1) return el3;
  if (pmuv3_el2_enabled(seen.params, seen.pe) && el2 != 1) return el2;
  return PMUV3_GET(seen.probe->pmecr, PMECR, PMEE);
}

bool profiles(struct seen seen) {
  return pmuv3_has(seen.params, PMUV3_FEATURE_EBEP) && deciding_pmee(seen) == 3;
}

bool expected_cti(struct seen seen) {
  return (enabled(seen) & overflow_of(seen.probe) & inten_of(seen.probe)) != 0;
}

bool expected_irq(struct seen seen) {
  bool is_on = !pmuv3_has(seen.params, PMUV3_FEATURE_EBEP) || deciding_pmee(seen) == 0;
  return is_on && expected_cti(seen);
}

bool expected_halt(struct seen seen) {
  bool exists = pmuv3_has(seen.params, PMUV3_FEATURE_PMUv3p9) &&
                pmuv3_has(seen.params, PMUV3_FEATURE_Debugv8p9);
  return exists && seen.pe->pme && expected_cti(seen);
}

unsigned expected_brbe(struct seen seen) {
  const struct pmuv3_probe *probe = seen.probe;
  uint32_t range = first_range(seen);
  uint32_t flags = probe->overflow & below(epmn_of(seen.params, probe)) & ~synchronous(probe);
  bool F0 = overflow_of(probe) & MASK_F0 && !PMUV3_GET(probe->pmicfiltr, PMICFILTR, SYNC);
  return (flags & ~range ? 2u : 0) | (flags & range || F0 ? 1u : 0);
}

/* ---- What may count ---- */

/* Whether the highest Exception level uses AArch32. There is no profiling buffer then (IHMLGP). */
static bool is_all_aarch32(struct seen seen) {
  if (seen.params->el3) return seen.pe->a32el3;
  if (!seen.params->el2) return seen.pe->a32el1;
  return seen.pe->a32el2;
}

/* Whether a stopped profiling buffer requests a freeze. */
static bool is_stopped(struct seen seen) {
  return pmuv3_has(seen.params, PMUV3_FEATURE_SPE) && seen.pe->spe && !is_all_aarch32(seen);
}

/* The counters that flags and the stopped buffer freeze (D.5). The flags of the cycle counter and
 * of synchronous counters freeze nothing. Nothing freezes the external agent's counters. */
static uint64_t frozen(struct seen seen) {
  const struct pmuv3_probe *probe = seen.probe;
  uint32_t range = first_range(seen);
  uint32_t flags = probe->overflow & below(epmn_of(seen.params, probe)) & ~synchronous(probe);
  bool F0 = overflow_of(probe) & MASK_F0 && !PMUV3_GET(probe->pmicfiltr, PMICFILTR, SYNC);
  bool first = PMUV3_GET(probe->pmcr, PMCR, FZO) && (flags & range || F0);
  bool second = PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HPMFZO) && flags & ~range;
  first |= is_stopped(seen) && PMUV3_GET(probe->pmcr, PMCR, FZS);
  second |= is_stopped(seen) && PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HPMFZS);
  return spread(seen, first, second, 0) | (first ? MASK_F0 : 0);
}

/* Counters in synchronous mode whose event does not support this mode (ICTDHP). */
static uint32_t mute(const struct pmuv3_params *params, const struct pmuv3_probe *probe) {
  uint32_t counters = synchronous(probe);
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
    const struct pmuv3_event *event =
        pmuv3_events_find(&params->events, (uint16_t)probe->evtyper[n]);
    if (event && event->traits & PMUV3_EVENT_TRAIT_SYNC) counters &= ~(UINT32_C(1) << n);
  }
  return counters;
}

uint64_t running(struct seen seen) {
  return cnten_of(seen.probe) & enabled(seen) & ~frozen(seen) &
         ~(uint64_t)mute(seen.params, seen.probe);
}

/* RKBPMJ, RNZLVW: SYNC = 0 makes a counter asynchronous. With SYNC = 1, the counter must be
 * enabled, and its event must support synchronous mode. */
unsigned expected_sources(struct seen seen) {
  const struct pmuv3_probe *probe = seen.probe;
  bool F0 = PMUV3_GET(probe->pmicfiltr, PMICFILTR, SYNC);
  uint64_t sync = synchronous(probe) | (F0 ? MASK_F0 : 0);
  uint64_t pending = enabled(seen) & overflow_of(probe) & inten_of(probe);
  bool is_async = pending & ~sync;
  bool is_sync = pending & sync & cnten_of(probe) & ~(uint64_t)mute(seen.params, probe);
  return (is_sync ? 2u : 0) | (is_async ? 1u : 0);
}

/* ---- The effects of a cycle ---- */

/* Counters that overflow at bit 63 (RQZJKS). */
static uint32_t long_overflow(struct seen seen) {
  if (counter_width(seen.params) == UINT32_MAX) return 0;
  if (profiles(seen)) return implemented(seen.params);
  return spread(seen, PMUV3_GET(seen.probe->pmcr, PMCR, LP),
                PMUV3_GET(seen.probe->mdcr_el2, MDCR_EL2, HLP), 1);
}

/* Counters that overflow in a cycle. `before` has the registers before the cycle, `cycle` has V. */
static uint32_t overflows(struct seen before, const struct pmuv3_probe *cycle) {
  uint32_t carries = 0;
  for (unsigned n = 0; n < PMUV3_LANES; n++) {
    uint64_t sum = before.probe->value[n] + cycle->V[n];
    bool is_long = long_overflow(before) >> n & 1;
    bool carry = is_long ? sum < cycle->V[n] : (uint32_t)sum < cycle->V[n];
    carries |= (uint32_t)carry << n;
  }
  return carries;
}

uint64_t new_flags(struct seen before, const struct pmuv3_probe *cycle) {
  bool long_cycles = PMUV3_GET(before.probe->pmcr, PMCR, LC) || profiles(before);
  bool C = long_cycles ? cycle->pmccntr < before.probe->pmccntr
                       : (uint32_t)cycle->pmccntr < (uint32_t)before.probe->pmccntr;
  bool F0 = cycle->pmicntr < before.probe->pmicntr;
  return overflows(before, cycle) | (C ? MASK_C : 0) | (F0 ? MASK_F0 : 0);
}

/* ---- The register of an encoding ---- */

/* A register, and the bits of it that an AArch32 register shows. */
struct view {
  uint16_t reg;
  unsigned lsb;
  uint64_t mask;
};

/* The view with n = 0 of a counter's register; reg itself if reg is not such a view. */
static uint16_t first_view(uint16_t reg, unsigned *n) {
  static const uint16_t firsts[] = {PMUV3_PMEVTYPER_AA32, PMUV3_PMEVCNTR_AA32};
  for (unsigned i = 0; i < 2; i++) {
    *n = (unsigned)(reg - firsts[i]);
    if (*n < PMUV3_MAX_COUNTERS) return firsts[i];
  }
  *n = 0;
  return reg;
}

/* H-29: the bits that a view has, by K-A32-RES0. */
static uint64_t kept(const struct pmuv3_params *params, uint16_t view, uint64_t mask) {
  switch (view) {
    case PMUV3_PMEVTYPER_AA32:
    case PMUV3_PMXEVTYPER_AA32:
    case PMUV3_PMCCFILTR_AA32:
    case PMUV3_PMUSERENR_AA32:
    case PMUV3_HDCR:
      return params->k_a32_res0 ? UINT32_MAX : mask;
    default:
      return mask;
  }
}

/* The register that a view shows; the register itself if it is no view. */
static struct view view_of(const struct pmuv3_params *params, uint16_t reg) {
  unsigned n;
  switch (first_view(reg, &n)) {
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) \
  case PMUV3_##id:                                                               \
    return (struct view){(uint16_t)(PMUV3_##of + n), lsb, kept(params, PMUV3_##id, mask)};
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) \
  case PMUV3_##id:                                                        \
    return (struct view){PMUV3_##of, 0, UINT64_MAX};
#include "pmuv3/registers.def"
    default:
      return (struct view){reg, 0, 0};
  }
}

/* The register that PMXEVTYPER and PMXEVCNTR access; 0: none, RAZ/WI. */
static uint16_t selected(struct seen seen, uint16_t reg) {
  unsigned n = (unsigned)seen.probe->pmselr;
  bool is_there = n < epmn_of(seen.params, seen.probe);
  if (reg == PMUV3_PMXEVTYPER) {
    if (n == 31) return PMUV3_PMCCFILTR;
    return is_there ? PMUV3_PMEVTYPERn(n) : 0;
  }
  if (reg == PMUV3_PMXEVCNTR) return is_there ? PMUV3_PMEVCNTRn(n) : 0;
  return reg;
}

/* ---- The effects of a write ---- */

static uint64_t replaced(uint64_t old, uint64_t mask, uint64_t value) {
  return (old & ~mask) | (value & mask);
}

/* PMCR.P, PMCR.C and PMZR: set the counters of these bits to 0. */
static void zero(struct pmuv3_probe *probe, uint64_t bits) {
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    if (bits >> n & 1) probe->value[n] = 0;
  if (bits & MASK_C) probe->pmccntr = 0;
  if (bits & MASK_F0) probe->pmicntr = 0;
}

/* The field that decides about captures: SSE, or PMSSE of a higher Exception level (D13.9). */
static uint64_t deciding_pmsse(struct seen seen) {
  uint64_t el3 = PMUV3_GET(seen.probe->mdcr_el3, MDCR_EL3, PMSSE);
  uint64_t el2 = PMUV3_GET(seen.probe->mdcr_el2, MDCR_EL2, PMSSE);
  if (seen.params->el3 && el3 != 1) return el3;
  if (seen.params->el2 && el2 != 1) return el2;
  return PMUV3_GET(seen.probe->pmecr, PMECR, SSE);
}

static void capture(struct seen seen, struct pmuv3_probe *probe) {
  uint64_t how = deciding_pmsse(seen);
  if (how < 2) return;
  probe->pmsscr = PMUV3_MASK(PMSSCR, NC);
  if (how == 2 || seen.pe->oslk || seen.pe->halted) return;
  probe->pmsscr = 0;
  memcpy(probe->svr, probe->value, sizeof probe->svr);
  probe->pmccntsvr = probe->pmccntr;
  probe->pmicntsvr = probe->pmicntr;
}

struct pmuv3_probe captured(struct seen judges, struct pmuv3_probe probe) {
  capture(judges, &probe);
  return probe;
}

static void write_pmcr(struct seen seen, struct pmuv3_probe *probe, uint64_t value) {
  uint64_t zeroing = PMUV3_MASK(PMCR, P) | PMUV3_MASK(PMCR, C);
  uint64_t mask = pmuv3_register_mask(seen.params, PMUV3_PMCR) & ~zeroing;
  if (value & PMUV3_MASK(PMCR, P)) zero(probe, below(epmn_of(seen.params, probe)));
  if (value & PMUV3_MASK(PMCR, C)) zero(probe, MASK_C);
  probe->pmcr = replaced(probe->pmcr, mask, value);
}

/* With EXTPMN, a read of HPMN gives at most EPMN (RMFYQC). */
static void write_mdcr_el2(struct seen seen, struct pmuv3_probe *probe, uint64_t value) {
  uint64_t mask = pmuv3_register_mask(seen.params, PMUV3_MDCR_EL2);
  uint64_t hpmn_mask = PMUV3_MASK(MDCR_EL2, HPMN) & mask;
  unsigned epmn = epmn_of(seen.params, probe);
  probe->mdcr_el2 = replaced(probe->mdcr_el2, mask, value);
  if (pmuv3_has(seen.params, PMUV3_FEATURE_EXTPMN) && (probe->mdcr_el2 & hpmn_mask) > epmn)
    probe->mdcr_el2 = replaced(probe->mdcr_el2, hpmn_mask, epmn);
}

/* The member of a register that only stores fields; NULL: the register has other effects. */
static uint64_t *held(struct pmuv3_probe *probe, uint16_t reg) {
  switch (reg) {
#define PMUV3_HELD(id, member) \
  case PMUV3_##id:             \
    return &probe->member;
#include "pmuv3/registers.def"
    case PMUV3_PMICFILTR:
      return &probe->pmicfiltr;
    case PMUV3_PMCCNTR:
      return &probe->pmccntr;
    case PMUV3_PMICNTR:
      return &probe->pmicntr;
    default:
      return NULL;
  }
}

/* Writes a counter's register. System registers must reach the counter. */
static void write_counter(struct seen seen, struct pmuv3_probe *probe, uint16_t reg,
                          uint64_t value) {
  int counter = index_in(reg, PMUV3_PMEVCNTR);
  int type = index_in(reg, PMUV3_PMEVTYPER);
  int epmn = (int)epmn_of(seen.params, probe);
  if (counter >= 0 && counter < epmn) probe->value[counter] = value & counter_width(seen.params);
  if (type >= 0 && type < epmn)
    probe->evtyper[type] = value & pmuv3_register_mask(seen.params, reg);
}

/* Writes a register with a bit for each counter. The write reaches only `bits`. */
static void write_bits(struct pmuv3_probe *probe, uint16_t reg, uint64_t bits, uint64_t reached,
                       uint64_t new) {
  uint64_t flags = overflow_of(probe);
  switch (reg) {
    case PMUV3_PMCNTENSET:
      split(cnten_of(probe) | bits, &probe->cnten, &probe->fixed_cnten);
      break;
    case PMUV3_PMCNTENCLR:
      split(cnten_of(probe) & ~bits, &probe->cnten, &probe->fixed_cnten);
      break;
    case PMUV3_PMINTENSET:
      split(inten_of(probe) | bits, &probe->inten, &probe->fixed_inten);
      break;
    case PMUV3_PMINTENCLR:
      split(inten_of(probe) & ~bits, &probe->inten, &probe->fixed_inten);
      break;
    case PMUV3_PMOVSSET:
      set_overflow(probe, flags | bits);
      break;
    case PMUV3_PMOVSCLR:
      set_overflow(probe, flags & (~bits | new));
      break;
    case PMUV3_PMZR:
      zero(probe, bits);
      break;
    case PMUV3_PMUACR:
      probe->pmuacr = replaced(probe->pmuacr, reached, bits);
      break;
    default:
      break;
  }
}

/* The value that a view's write gives to its register. Bits outside the view stay, if they can
 * (H-29). */
static uint64_t widened(struct seen seen, const struct view *view, uint64_t value) {
  uint64_t low = value & view->mask;
  switch (view->reg) {
    case PMUV3_PMCNTENCLR:
    case PMUV3_PMINTENCLR:
    case PMUV3_PMOVSCLR:
    case PMUV3_PMSWINC:
      return low;
    default:
      return view->mask > UINT32_MAX ? low : (shown(seen, view->reg) & ~(uint64_t)UINT32_MAX) | low;
  }
}

struct pmuv3_probe written(struct seen seen, uint16_t reg, uint64_t value, uint64_t new) {
  struct pmuv3_probe probe = *seen.probe;
  struct view view = view_of(seen.params, reg);
  if (view.reg != reg) return written(seen, view.reg, widened(seen, &view, value), new);
  reg = selected(seen, reg);
  uint64_t reached = reached_flags(seen.params, &probe);
  uint64_t *plain = held(&probe, reg);
  if (plain) *plain = replaced(*plain, pmuv3_register_mask(seen.params, reg), value);
  if (reg == PMUV3_PMCR) write_pmcr(seen, &probe, value);
  if (reg == PMUV3_MDCR_EL2) write_mdcr_el2(seen, &probe, value);
  if (reg == PMUV3_PMSSCR && value & PMUV3_MASK(PMSSCR, SS)) capture(seen, &probe);
  write_counter(seen, &probe, reg, value);
  write_bits(&probe, reg, value & reached, reached, new);
  return probe;
}

/* ---- The value of a read ---- */

static uint64_t shown_counter(struct seen seen, uint16_t reg) {
  int counter = index_in(reg, PMUV3_PMEVCNTR);
  int type = index_in(reg, PMUV3_PMEVTYPER);
  int saved = index_in(reg, PMUV3_PMEVCNTSVR);
  int n = counter >= 0 ? counter : type >= 0 ? type : saved;
  if (n < 0 || n >= (int)epmn_of(seen.params, seen.probe)) return 0;
  return counter >= 0 ? seen.probe->value[n]
         : type >= 0  ? seen.probe->evtyper[n]
                      : seen.probe->svr[n];
}

uint64_t shown(struct seen seen, uint16_t reg) {
  struct pmuv3_probe probe = *seen.probe;
  uint64_t reached = reached_flags(seen.params, &probe);
  struct view view = view_of(seen.params, reg);
  if (view.reg != reg) return shown(seen, view.reg) >> view.lsb & view.mask;
  reg = selected(seen, reg);
  if (held(&probe, reg)) return *held(&probe, reg);
  switch (reg) {
    case PMUV3_PMCR:
      return probe.pmcr;
    case PMUV3_MDCR_EL2:
      return probe.mdcr_el2;
    case PMUV3_PMCNTENSET:
    case PMUV3_PMCNTENCLR:
      return cnten_of(&probe) & reached;
    case PMUV3_PMINTENSET:
    case PMUV3_PMINTENCLR:
      return inten_of(&probe) & reached;
    case PMUV3_PMOVSSET:
    case PMUV3_PMOVSCLR:
      return overflow_of(&probe) & reached;
    case PMUV3_PMUACR:
      return probe.pmuacr & reached;
    case PMUV3_PMSSCR:
      return probe.pmsscr;
    case PMUV3_PMCCNTSVR:
      return probe.pmccntsvr;
    case PMUV3_PMICNTSVR:
      return probe.pmicntsvr;
    case PMUV3_PMMIR:
      return probe.pmmir;
    case PMUV3_PMCEID0:
      return probe.pmceid0;
    case PMUV3_PMCEID1:
      return probe.pmceid1;
    default:
      return shown_counter(seen, reg);
  }
}

uint64_t res0(const struct pmuv3_params *params, uint16_t reg) {
  struct view view = view_of(params, reg);
  if (view.reg != reg) return res0(params, view.reg) >> view.lsb | ~(uint64_t)view.mask;
  if (index_in(reg, PMUV3_PMEVCNTR) >= 0 || index_in(reg, PMUV3_PMEVCNTSVR) >= 0) return 0;
  if (index_in(reg, PMUV3_PMEVTYPER) >= 0) return UINT64_C(0x083FF000008F0000);
  switch (reg) {
    case PMUV3_PMCR:
      return UINT64_C(0xFFFFFFFE00000506);
    case PMUV3_MDCR_EL2:
      return ~UINT64_C(0x00000310F48200FF);
    case PMUV3_MDCR_EL3:
      return ~UINT64_C(0x0000730CD0A200C4);
    case PMUV3_SDER32_EL3:
      return ~UINT64_C(0x2);
    case PMUV3_PMCCFILTR:
      return ~UINT64_C(0x03000000FD700000);
    case PMUV3_PMICFILTR:
      return ~UINT64_C(0x07000000FD700008); /* evtCount reads as INST_RETIRED */
    case PMUV3_PMXEVTYPER:
      return UINT64_C(0x083FF000008F0000);
    case PMUV3_PMMIR:
      return UINT64_C(0xFFFFFFFFE0000000);
    case PMUV3_PMSELR:
    case PMUV3_PMECR:
      return ~UINT64_C(0x1F);
    case PMUV3_PMUSERENR:
      return ~UINT64_C(0x7F);
    case PMUV3_PMIAR:
      return 3;
    case PMUV3_PMSSCR:
      return ~PMUV3_MASK(PMSSCR, NC);
    case PMUV3_PMXEVCNTR:
    case PMUV3_PMCCNTR:
    case PMUV3_PMICNTR:
    case PMUV3_PMCCNTSVR:
    case PMUV3_PMICNTSVR:
    case PMUV3_PMCEID0:
    case PMUV3_PMCEID1:
      return 0;
    default:
      return UINT64_C(0xFFFFFFFE00000000); /* counters, C and F0 */
  }
}
