/* Snapshot: saves all counters at one moment (D13.9). */
#include "internal.h"

/* The values of PMSSE and SSE. */
enum { DISABLED = 0, DELEGATED = 1, PROHIBITED = 2, ALLOWED = 3 };

/* Table D13-10: EL3 decides or delegates to EL2. EL2 decides or delegates to EL1. DELEGATED is
 * reserved at EL1 (K-SSE-RES). */
static uint64_t captures(const struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  const uint64_t el3 = PMUV3_GET(registers->mdcr_el3, MDCR_EL3, PMSSE);
  const uint64_t el2 = PMUV3_GET(registers->mdcr_el2, MDCR_EL2, PMSSE);
  const uint64_t el1 = PMUV3_GET(registers->pmecr, PMECR, SSE);
  if (pmu->params.el3 && el3 != DELEGATED) return el3;
  if (pmu->params.el2 && el2 != DELEGATED) return el2;
  return el1 != DELEGATED ? el1 : DISABLED;
}

static void save(const struct pmuv3_params *params, const struct pmuv3_state *state,
                 struct pmuv3_saved *saved) {
  for (unsigned n = 0; n < params->counters; n++) saved->value[n] = state->value[pmuv3_lane(n)];
  saved->cycles = state->cycles;
  saved->instructions = state->instructions;
}

/* RYWLFL, RTSYTY with K-SS-DEBUG: no capture while the OS Lock is locked or in Debug state. */
enum pmuv3_capture pmuv3_snapshot_judge(const struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_pe *pe = &pmu->pe[thread];
  const uint64_t control = captures(pmu, thread);
  if (control == DISABLED) return PMUV3_CAPTURE_DISABLED;
  const bool allowed = control == ALLOWED && !pe->oslk && !pe->halted;
  return allowed ? PMUV3_CAPTURE_ALLOWED : PMUV3_CAPTURE_PROHIBITED;
}

/* D13.9-1, D13.9-2: PMSSCR_EL1.NC is 1 if the capture was prohibited. */
void pmuv3_snapshot_end(struct pmuv3 *pmu, unsigned thread, enum pmuv3_capture capture) {
  struct pmuv3_thread *of = &pmu->thread[thread];
  const bool saves = capture == PMUV3_CAPTURE_ALLOWED;
  if (capture == PMUV3_CAPTURE_DISABLED) return;
  of->registers.pmsscr = saves ? 0 : PMUV3_MASK(PMSSCR, NC);
  if (!saves) return;
  save(&pmu->params, &of->state, &of->saved);
  pmuv3_attribution_snapshot(&of->state);
}
