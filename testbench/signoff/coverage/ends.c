#include "testbench/signoff/coverage/ends.h"

#define PMCCR_OFFSET 0xE58 /* in both layouts */
#define PMLSR_SLK 2        /* the Software Lock is locked */

void pmuv3_ends_init(struct ends *ends, const struct pmuv3_params *params) {
  struct pmuv3_params open = *params;
  open.counters = PMUV3_MAX_COUNTERS;
  pmuv3_init(&ends->actual, params);
  pmuv3_init(&ends->open, &open);
}

/* Sets the state that decides results of accesses. The open model keeps its reset EPMN, so that it
 * has only range R1. */
static void bring(struct pmuv3 *pmu, const struct thread *thread, bool is_open,
                  uint64_t pmuserenr) {
  const struct pmuv3_pe unlocked = PMUV3_PE_RESET;
  const struct pmuv3_probe *now = &thread->now;
  const uint64_t hpmn = is_open ? PMUV3_MAX_COUNTERS : 0;
  const enum pmuv3_security_state most_secure = has(&pmu->params, RME) ? PMUV3_RT : PMUV3_S;
  pmuv3_set_pe(pmu, 0, &unlocked);
  if (!is_open) pmuv3_external_write(pmu, 0, most_secure, PMCCR_OFFSET, (uint32_t)now->pmccr);
  pmuv3_write(pmu, 0, PMUV3_MDCR_EL3, now->mdcr_el3);
  pmuv3_write(pmu, 0, PMUV3_MDCR_EL2, now->mdcr_el2 | hpmn);
  pmuv3_write(pmu, 0, PMUV3_PMSELR, now->pmselr);
  pmuv3_write(pmu, 0, PMUV3_PMUSERENR, pmuserenr);
  pmuv3_set_pe(pmu, 0, &thread->pe);
}

static bool is_done(struct pmuv3 *pmu, const struct pmuv3_observed *observed) {
  uint64_t read;
  if (observed->external)
    return pmuv3_external_write(pmu, 0, (enum pmuv3_security_state)observed->ss, observed->offset,
                                (uint32_t)observed->value);
  if (!observed->checked)
    return pmuv3_write(pmu, 0, observed->reg, observed->value) == PMUV3_ACCESS_OK;
  return (observed->writes ? pmuv3_msr(pmu, 0, observed->reg, observed->value)
                           : pmuv3_mrs(pmu, 0, observed->reg, &read)) == PMUV3_DONE;
}

bool pmuv3_ends_done(struct ends *ends, const struct thread *thread,
                     const struct pmuv3_observed *observed) {
  if (observed->external && (thread->now.pmlsr & PMLSR_SLK)) return false;
  bring(&ends->actual, thread, false, thread->now.pmuserenr);
  return is_done(&ends->actual, observed);
}

bool pmuv3_ends_done_in_r1(struct ends *ends, const struct thread *thread,
                           const struct pmuv3_observed *observed) {
  bring(&ends->open, thread, true, thread->now.pmuserenr);
  return is_done(&ends->open, observed);
}

/* Table D13-12: PMICNTR needs UEN. All others need EN. */
bool pmuv3_ends_done_if_permitted(struct ends *ends, const struct thread *thread,
                                  const struct pmuv3_observed *observed) {
  const bool of_icntr = observed->reg == PMUV3_PMICNTR || observed->reg == PMUV3_PMICFILTR;
  bring(&ends->actual, thread, false,
        of_icntr ? PMUV3_MASK(PMUSERENR, UEN) : PMUV3_MASK(PMUSERENR, EN));
  return is_done(&ends->actual, observed);
}

/* How the access would end in another state. */
static enum pmuv3_result in_state(struct pmuv3 *pmu, const struct pmuv3_observed *observed,
                                  const struct pmuv3_pe *pe) {
  struct pmuv3_trap trap;
  pmuv3_set_pe(pmu, 0, pe);
  return pmuv3_trap_of(pmu, 0, observed->reg, observed->writes, &trap);
}

/* Sets a register, in a state in which nothing forbids the write. */
static void set_register(struct pmuv3 *pmu, uint16_t reg, uint64_t value) {
  const struct pmuv3_pe unlocked = PMUV3_PE_RESET;
  pmuv3_set_pe(pmu, 0, &unlocked);
  pmuv3_write(pmu, 0, reg, value);
}

/* What EL3 decides if EDSCR.SDD allows exceptions to EL3 (I-9): behind the traps to EL2, and if
 * there are none (I-3). Then MDCR_EL2 traps nothing, and reserves no counter. */
static void find_trap_to_el3(struct pmuv3 *pmu, const struct thread *thread,
                             const struct pmuv3_observed *observed, struct access *access) {
  struct pmuv3_pe pe = thread->pe;
  pe.sdd = false;
  access->without_sdd = in_state(pmu, observed, &pe);
  pe.fgt = 0;
  pe.hstr = false;
  set_register(pmu, PMUV3_MDCR_EL2, pmu->params.counters);
  access->without_el2 = in_state(pmu, observed, &pe);
  set_register(pmu, PMUV3_MDCR_EL3, thread->now.mdcr_el3 & ~PMUV3_MASK(MDCR_EL3, TPM));
  access->by_tpm3 =
      access->without_sdd == PMUV3_TRAP_EL3 && in_state(pmu, observed, &pe) == PMUV3_DONE;
}

void pmuv3_ends_find_trap(struct ends *ends, const struct thread *thread,
                          const struct pmuv3_observed *observed, struct access *access) {
  struct pmuv3_pe pe = thread->pe;
  bring(&ends->actual, thread, false, thread->now.pmuserenr);
  for (unsigned bit = 0; bit < PMUV3_NUM_FGT; bit++) {
    const uint64_t trap = thread->pe.fgt & UINT64_C(1) << bit;
    pe.fgt = thread->pe.fgt & ~trap;
    if (trap && in_state(&ends->actual, observed, &pe) == PMUV3_DONE) access->by_fgt |= trap;
  }
  pe = thread->pe;
  pe.hstr = false;
  access->by_hstr = thread->pe.hstr && in_state(&ends->actual, observed, &pe) == PMUV3_DONE;
  find_trap_to_el3(&ends->actual, thread, observed, access);
}
