/* Instruction counter: PMICNTR_EL0 counts INST_RETIRED as a counter of range R1 with MT = 0 does.
 */
#include "internal.h"

/* RCSRMB: counting at EL3 needs {SPME, MPMX} = {1, 0} (K-ICNTR-MPMX11). Counting in Secure state
 * needs SPME or MPMX. Both need EL3 in AArch64. SUNIDEN lifts nothing (K-ICNTR-SUNIDEN). */
static uint16_t prohibited(const struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  const bool el3_aa64 = !pmuv3_el3_aa32(pmu, thread);
  const bool spme = PMUV3_GET(registers->mdcr_el3, MDCR_EL3, SPME) && el3_aa64;
  const bool mpmx = PMUV3_GET(registers->mdcr_el3, MDCR_EL3, MPMX) && el3_aa64;
  uint16_t contexts = 0;
  if (pmu->params.el3 && !(spme && !mpmx)) contexts |= PMUV3_CONTEXTS_EL3;
  if (pmu->params.el3 && !(spme || mpmx)) contexts |= PMUV3_CONTEXTS_SECURE;
  if (PMUV3_GET(registers->mdcr_el2, MDCR_EL2, HPMD)) contexts |= PMUV3_CONTEXTS_EL2;
  return contexts;
}

/* Table D13-3: the contexts in which a thread counts Unattributable occurrences. INST_RETIRED has
 * the attribution CORE. */
static uint16_t unattributable(const struct pmuv3_params *params, uint16_t prohibits,
                               uint16_t filters) {
  const bool while_prohibited = (params->k_unattr_prohib & 1) != 0;
  const bool while_filtered = (params->k_unattr_filter & 1) == 0;
  return pick(prohibits, all_if(while_prohibited),
              pick(filters, all_if(while_filtered), UINT16_MAX));
}

void pmuv3_instruction_counter_decode(struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  struct pmuv3_instruction_config *config = &pmu->thread[thread].instruction_config;
  const uint16_t prohibits = prohibited(pmu, thread);
  for (unsigned sm = 0; sm < 2; sm++) {
    const uint16_t filters = pmuv3_filter_contexts(pmu, thread, registers->pmicfiltr, sm);
    config->counts[sm] = ~(prohibits | filters);
    config->unattributable[sm] = unattributable(&pmu->params, prohibits, filters);
  }
  config->related = ~prohibits;
}

bool pmuv3_instruction_counter(const struct pmuv3 *pmu, unsigned thread,
                               const struct pmuv3_cycle *cycle,
                               const struct pmuv3_contexts *contexts, bool frozen,
                               struct pmuv3_state *state) {
  const struct pmuv3_instruction_config *config = &pmu->thread[thread].instruction_config;
  const struct pmuv3_pe *pe = &pmu->pe[thread];
  if (pe->halted || frozen) return false;
  const bool any = (config->unattributable[pe->sm] & pmuv3_context_of(pe)) != 0;
  const uint16_t counts[2] = {
      [PMUV3_IS_ATTRIBUTABLE] = config->counts[pe->sm],
      [PMUV3_IS_UNATTRIBUTABLE] = any ? config->related : 0,
  };
  const uint64_t before = state->instructions;
  for (unsigned o = 0; o < cycle->num_occurrences; o++) {
    const struct pmuv3_occurrence *occurrence = &cycle->occurrences[o];
    if (occurrence->event != PMUV3_EVENT_INST_RETIRED || occurrence->thread != thread) continue;
    if (pmuv3_has_place(occurrence) && counts[occurrence->origin == PMUV3_UNATTRIBUTABLE] &
                                           contexts->of[thread][occurrence->origin])
      state->instructions += occurrence->count;
  }
  return state->instructions < before;
}
