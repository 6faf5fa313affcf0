/* Exception: signals an overflow by PMUIRQ, the CTI, a request to halt, the condition that freezes
 * BRBE, or the PMU Profiling exception (D13.3). */
#include "internal.h"

/* PMEE of the Exception level that decides, and the target Exception level of the exception. */
struct profiling {
  uint64_t pmee;
  unsigned target;
};

/* Values of PMEE. 2 is reserved and enables neither (K-PMEE-RES). PMEE_DELEGATED in PMECR_EL1
 * enables neither, since EL1 cannot delegate. */
enum { PMEE_INTERRUPT = 0, PMEE_DELEGATED = 1, PMEE_EXCEPTION = 3 };

/* RGWLVY: EL3 decides or delegates to EL2. EL2 decides or delegates to EL1. */
static struct profiling profiling_of(const struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  const struct pmuv3_pe *pe = &pmu->pe[thread];
  const uint64_t el3 = PMUV3_GET(registers->mdcr_el3, MDCR_EL3, PMEE);
  const uint64_t el2 = PMUV3_GET(registers->mdcr_el2, MDCR_EL2, PMEE);
  const uint64_t el1 = PMUV3_GET(registers->pmecr, PMECR, PMEE);
  if (pmu->params.el3 && el3 != PMEE_DELEGATED) return (struct profiling){el3, 3};
  const bool has_el2 = pmuv3_el2_enabled(&pmu->params, pe);
  if (has_el2 && el2 != PMEE_DELEGATED) return (struct profiling){el2, 2};
  return (struct profiling){el1, has_el2 && pe->tge ? 2 : 1};
}

bool pmuv3_exception_enabled(const struct pmuv3 *pmu, unsigned thread) {
  return pmuv3_has(&pmu->params, PMUV3_FEATURE_EBEP) &&
         profiling_of(pmu, thread).pmee == PMEE_EXCEPTION;
}

static bool is_interrupt_enabled(const struct pmuv3 *pmu, unsigned thread) {
  return !pmuv3_has(&pmu->params, PMUV3_FEATURE_EBEP) ||
         profiling_of(pmu, thread).pmee == PMEE_INTERRUPT;
}

/* RSCBDZ */
static bool is_masked(const struct pmuv3 *pmu, unsigned thread, unsigned target) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  const struct pmuv3_pe *pe = &pmu->pe[thread];
  const bool kpme = PMUV3_GET(registers->pmecr, PMECR, KPME);
  if (pe->halted || target < pe->el) return true;
  if (target > pe->el) return false;
  if (target == 2 && PMUV3_GET(registers->mdcr_el2, MDCR_EL2, PMEE) != PMEE_EXCEPTION) return true;
  return !kpme || pe->pm;
}

/* D13.3-1: the overflow flags that signal. PMCNTEN does not matter. */
static uint64_t heard(const struct pmuv3_thread *thread) {
  return thread->registers.overflow & thread->registers.inten & thread->decoded.enabled;
}

/* RSSVKV, H-20: the counters in synchronous mode. */
static uint64_t synchronous(const struct pmuv3_thread *thread) {
  const bool f0 = PMUV3_GET(thread->registers.pmicfiltr, PMICFILTR, SYNC);
  return thread->decoded.sync | (f0 ? PMUV3_BIT_F0 : 0);
}

bool pmuv3_cti(const struct pmuv3 *pmu, unsigned thread) {
  return heard(&pmu->thread[thread]) != 0;
}

bool pmuv3_irq(const struct pmuv3 *pmu, unsigned thread) {
  return pmuv3_cti(pmu, thread) && is_interrupt_enabled(pmu, thread);
}

/* I-10: the level of the CTI, whatever PMEE is (CheckPMUHalt). */
bool pmuv3_halt(const struct pmuv3 *pmu, unsigned thread) {
  return pmu->pe[thread].pme && pmuv3_has(&pmu->params, PMUV3_FEATURE_PMUv3p9) &&
         pmuv3_has(&pmu->params, PMUV3_FEATURE_Debugv8p9) && pmuv3_cti(pmu, thread);
}

/* I-11: no enable matters. The instruction counter belongs to R1 (CheckPMUOverflowCondition). */
unsigned pmuv3_brbe(const struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_thread *of = &pmu->thread[thread];
  const uint64_t flags = of->registers.overflow & ~synchronous(of);
  const unsigned r1 = (flags & (of->decoded.range[PMUV3_R1] | PMUV3_BIT_F0)) != 0;
  const unsigned r2 = (flags & of->decoded.range[PMUV3_R2]) != 0;
  return r2 << 1 | r1;
}

/* RKBPMJ, RMQDPX, RNZLVW: a flag is enough for an asynchronous exception. A synchronous exception
 * needs a running counter in synchronous mode. */
unsigned pmuv3_exception(const struct pmuv3 *pmu, unsigned thread) {
  const uint64_t flags = heard(&pmu->thread[thread]);
  if (flags == 0 || !pmuv3_exception_enabled(pmu, thread)) return 0;
  const unsigned target = profiling_of(pmu, thread).target;
  const uint64_t synchronous_flags = flags & synchronous(&pmu->thread[thread]);
  const unsigned is_async = flags != synchronous_flags;
  const unsigned is_sync = (synchronous_flags & pmu->thread[thread].decoded.running) != 0;
  if (!(is_async || is_sync) || is_masked(pmu, thread, target)) return 0;
  return target << 2 | is_sync << 1 | is_async;
}

/* Without a flag nothing signals. Most accesses and cycles leave none. */
struct pmuv3_outputs pmuv3_outputs(const struct pmuv3 *pmu, unsigned thread) {
  const uint64_t pulses = pmuv3_pulses(pmu, thread);
  if (pmu->thread[thread].registers.overflow == 0) return (struct pmuv3_outputs){.pulses = pulses};
  return (struct pmuv3_outputs){
      .irq = pmuv3_irq(pmu, thread),
      .cti = pmuv3_cti(pmu, thread),
      .exception = pmuv3_exception(pmu, thread),
      .halt = pmuv3_halt(pmu, thread),
      .brbe = pmuv3_brbe(pmu, thread),
      .pulses = pulses,
  };
}
