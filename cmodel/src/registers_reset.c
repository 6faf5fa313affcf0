/* Registers: what a Cold and a Warm reset leave in them. */
#include "internal.h"

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
      (before.mdcr_el2 & COLD_MDCR_EL2) | PMUV3_PUT(params->counters, MDCR_EL2, HPMN);
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
      .locked = pmuv3_has_software_lock(params),
  };
}

void pmuv3_registers_cold_reset(struct pmuv3 *pmu) {
  for (unsigned t = 0; t < pmu->params.threads; t++)
    cold_reset(&pmu->params, &pmu->thread[t].registers);
  pmuv3_registers_reset(pmu);
}
