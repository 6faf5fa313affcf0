/* Cycle counter: PMCCNTR_EL0, the clock of the processor (D13.6-15). */
#include "internal.h"

/* D.4: the cycle counter's own prohibitions. PMCR.DP does not change them. */
static uint16_t prohibited(const struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  const bool sccd = PMUV3_GET(registers->mdcr_el3, MDCR_EL3, SCCD);
  const bool mccd = PMUV3_GET(registers->mdcr_el3, MDCR_EL3, MCCD) && !pmuv3_el3_aa32(pmu, thread);
  const bool hccd = PMUV3_GET(registers->mdcr_el2, MDCR_EL2, HCCD);
  uint16_t contexts = 0;
  if (sccd) contexts |= PMUV3_CONTEXTS_SECURE | PMUV3_CONTEXTS_EL3;
  if (mccd) contexts |= PMUV3_CONTEXTS_EL3;
  if (hccd) contexts |= PMUV3_CONTEXTS_EL2;
  return contexts;
}

/* With PMCR.DP = 1 the cycle counter does not count where R1 is prohibited or frozen on overflow. A
 * stopped profiling buffer freezes the cycle counter only with DPFZS. The Effective value of LC is
 * 1 while the PMU Profiling exception is enabled. */
void pmuv3_cycle_counter_decode(struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  struct pmuv3_cycle_config *config = &pmu->thread[thread].cycle_config;
  const bool lc = pmuv3_lc(pmu, thread) || pmu->thread[thread].decoded.profiles;
  const bool dp = PMUV3_GET(registers->pmcr, PMCR, DP);
  const uint16_t with_r1 =
      pmuv3_prohibited_any(pmuv3_filter_prohibited(pmu, thread, thread, PMUV3_R1));
  const uint16_t prohibits = prohibited(pmu, thread) | (dp ? with_r1 : 0);
  for (unsigned sm = 0; sm < 2; sm++)
    config->counts[sm] =
        ~(prohibits | pmuv3_filter_contexts(pmu, thread, registers->pmccfiltr, sm));
  config->freezes = dp;
  config->stops = dp && pmuv3_has(&pmu->params, PMUV3_FEATURE_DPFZS);
  config->divides = !lc && PMUV3_GET(registers->pmcr, PMCR, D);
  config->top = UINT64_C(1) << (lc ? 63 : 31);
}

/* The divider counts the cycles in which the counter may count. The counter counts every 64th. */
bool pmuv3_cycle_counter(const struct pmuv3_cycle_config *config, const struct pmuv3_pe *pe,
                         struct pmuv3_freeze freeze, struct pmuv3_state *state) {
  if (pe->halted || (freeze.by_overflow && config->freezes) || (freeze.by_spe && config->stops))
    return false;
  if (!(config->counts[pe->sm] & pmuv3_context_of(pe))) return false;
  if (config->divides) {
    state->divider = (uint8_t)((state->divider + 1) % 64);
    if (state->divider != 0) return false;
  }
  const uint64_t before = state->cycles++;
  return (before & ~state->cycles & config->top) != 0;
}
