/* Filter: in which contexts and when a counter may count (rules.md D). */
#include "internal.h"

/* The three kinds of filter have their fields in the same places. */
_Static_assert(PMUV3_MASK(PMEVTYPER, P) == PMUV3_MASK(PMCCFILTR, P) &&
                   PMUV3_MASK(PMEVTYPER, RLH) == PMUV3_MASK(PMCCFILTR, RLH) &&
                   PMUV3_MASK(PMEVTYPER, VS) == PMUV3_MASK(PMCCFILTR, VS) &&
                   PMUV3_MASK(PMEVTYPER, P) == PMUV3_MASK(PMICFILTR, P) &&
                   PMUV3_MASK(PMEVTYPER, RLH) == PMUV3_MASK(PMICFILTR, RLH) &&
                   PMUV3_MASK(PMEVTYPER, VS) == PMUV3_MASK(PMICFILTR, VS),
               "PMEVTYPER, PMCCFILTR and PMICFILTR filter by the same bits");

static uint16_t context_if(bool condition, unsigned el, enum pmuv3_security_state ss) {
  return all_if(condition) & (uint16_t)PMUV3_CONTEXT(el, ss);
}

/* D.2. What is not present is RES0 in the register, so the bits are the Effective ones (D.1); with
 * EL3 in AArch32 there is no M (K-A32-M). */
static uint16_t by_context(uint64_t filter, bool el3_aa32) {
  const bool p = PMUV3_GET(filter, PMEVTYPER, P), u = PMUV3_GET(filter, PMEVTYPER, U);
  const bool nsk = PMUV3_GET(filter, PMEVTYPER, NSK), nsu = PMUV3_GET(filter, PMEVTYPER, NSU);
  const bool rlk = PMUV3_GET(filter, PMEVTYPER, RLK), rlu = PMUV3_GET(filter, PMEVTYPER, RLU);
  const bool nsh = PMUV3_GET(filter, PMEVTYPER, NSH), rlh = PMUV3_GET(filter, PMEVTYPER, RLH);
  const bool sh = PMUV3_GET(filter, PMEVTYPER, SH);
  const bool m = !el3_aa32 && PMUV3_GET(filter, PMEVTYPER, M);
  return context_if(u != nsu, 0, PMUV3_NS) | context_if(u, 0, PMUV3_S) |
         context_if(u != rlu, 0, PMUV3_RL) | context_if(p != nsk, 1, PMUV3_NS) |
         context_if(p, 1, PMUV3_S) | context_if(p != rlk, 1, PMUV3_RL) |
         context_if(!nsh, 2, PMUV3_NS) | context_if(nsh == sh, 2, PMUV3_S) |
         context_if(nsh == rlh, 2, PMUV3_RL) | context_if(m != p, 3, PMUV3_S) |
         context_if(m != p, 3, PMUV3_RT);
}

/* D.3: bit 0 of VS is against Streaming, bit 1 against Non-streaming. The reserved 0b11 is
 * K-VS-RES, whose index is the VS that it behaves as; `both` is 3. */
static uint16_t by_mode(const struct pmuv3_params *params, uint64_t filter, bool sm) {
  const unsigned field = (unsigned)PMUV3_GET(filter, PMEVTYPER, VS);
  const unsigned vs = field == 3 ? params->k_vs_res : field;
  return all_if((vs >> (sm ? 0 : 1) & 1) != 0);
}

uint16_t pmuv3_filter_contexts(const struct pmuv3 *pmu, unsigned thread, uint64_t filter, bool sm) {
  return by_context(filter, pmuv3_el3_aa32(pmu, thread)) | by_mode(&pmu->params, filter, sm);
}

/* D.4, by the counting thread's controls and its EL3. Without FEAT_Debugv8p2, authentication of the
 * external debugger lifts it all. */
static struct pmuv3_prohibited decode_prohibited(const struct pmuv3 *pmu, unsigned thread,
                                                 enum pmuv3_range range) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  const bool el3_aa64 = !pmuv3_el3_aa32(pmu, thread);
  const bool spme = PMUV3_GET(registers->mdcr_el3, MDCR_EL3, SPME);
  const bool mpmx = PMUV3_GET(registers->mdcr_el3, MDCR_EL3, MPMX) && el3_aa64;
  const bool hpmd = PMUV3_GET(registers->mdcr_el2, MDCR_EL2, HPMD);
  struct pmuv3_prohibited prohibited = {0, 0, 0};
  if (!pmu->params.debugv8p2 && pmu->pe[thread].snid) return prohibited;
  if (pmu->params.el3 && !spme && !mpmx) prohibited.secure = PMUV3_CONTEXTS_SECURE;
  if (mpmx && (!spme || range == PMUV3_R1)) prohibited.el3 = PMUV3_CONTEXTS_EL3;
  if (hpmd && range == PMUV3_R1) prohibited.el2 = PMUV3_CONTEXTS_EL2;
  return prohibited;
}

/* SUNIDEN relieves Secure EL0 under an EL1 in AArch32, which is the source's to say (K-MT-A32CFG).
 */
struct pmuv3_prohibited pmuv3_filter_prohibited(const struct pmuv3 *pmu, unsigned thread,
                                                unsigned source, enum pmuv3_range range) {
  struct pmuv3_prohibited prohibited = pmu->thread[thread].decoded.prohibited[range];
  const bool el1_aa32 = pmu->pe[source].a32el1 || pmuv3_el3_aa32(pmu, source);
  if (el1_aa32 && PMUV3_GET(pmu->thread[thread].registers.sder, SDER32_EL3, SUNIDEN))
    prohibited.secure &= (uint16_t)~PMUV3_CONTEXT(0, PMUV3_S);
  return prohibited;
}

void pmuv3_filter_decode_counter(struct pmuv3 *pmu, unsigned thread, unsigned n) {
  struct pmuv3_decoded *decoded = &pmu->thread[thread].decoded;
  struct pmuv3_config *config = &pmu->thread[thread].config;
  const uint64_t evtyper = pmu->thread[thread].registers.evtyper[n];
  const unsigned i = pmuv3_lane(n);
  for (unsigned sm = 0; sm < 2; sm++)
    config->filtered[sm][i] = pmuv3_filter_contexts(pmu, thread, evtyper, sm);

  /* ICTDHP: a counter in synchronous mode counts synchronous events alone. */
  const bool sync = PMUV3_GET(evtyper, PMEVTYPER, SYNC);
  const enum pmuv3_event_index event = pmuv3_event_index_of(config->event[i]);
  const bool capable =
      event != PMUV3_INDEX_NONE && (pmuv3_event_traits(event) & PMUV3_EVENT_TRAIT_SYNC) != 0;
  decoded->sync = pmuv3_with_bit(decoded->sync, n, sync);
  decoded->mute = pmuv3_with_bit(decoded->mute, n, sync && !capable);
}

/* D.5: the flags that freeze a range, if it is to freeze on overflow. A counter in synchronous mode
 * freezes none, and neither does the cycle counter; the instruction counter is of R1. */
static void decode_freezes(const struct pmuv3_registers *registers, struct pmuv3_decoded *decoded) {
  const bool fzo = PMUV3_GET(registers->pmcr, PMCR, FZO);
  const bool hpmfzo = PMUV3_GET(registers->mdcr_el2, MDCR_EL2, HPMFZO);
  const bool f0 = !PMUV3_GET(registers->pmicfiltr, PMICFILTR, SYNC);
  const uint32_t freezing = ~decoded->sync;
  decoded->freezes[PMUV3_R1] =
      fzo ? (decoded->range[PMUV3_R1] & freezing) | (f0 ? PMUV3_BIT_F0 : 0) : 0;
  decoded->freezes[PMUV3_R2] = hpmfzo ? decoded->range[PMUV3_R2] & freezing : 0;
}

/* Whether the highest Exception level of a thread uses AArch32. */
static bool is_highest_aa32(const struct pmuv3 *pmu, unsigned thread) {
  const bool is_el1 = !pmu->params.el3 && !pmu->params.el2;
  return pmuv3_el3_aa32(pmu, thread) || (is_el1 && pmu->pe[thread].a32el1);
}

/* RHSGZX; IHMLGP: there is no profiling buffer with the highest Exception level in AArch32. */
static void decode_stops(const struct pmuv3_registers *registers, bool highest_aa32,
                         struct pmuv3_decoded *decoded) {
  const bool fzs = PMUV3_GET(registers->pmcr, PMCR, FZS);
  const bool hpmfzs = PMUV3_GET(registers->mdcr_el2, MDCR_EL2, HPMFZS);
  decoded->stops[PMUV3_R1] = fzs && !highest_aa32;
  decoded->stops[PMUV3_R2] = hpmfzs && !highest_aa32;
}

/* A counter is enabled by itself and by the global enable of its range (RKYBQW). */
PMUV3_STEP
void pmuv3_filter_decode(struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  struct pmuv3_decoded *decoded = &pmu->thread[thread].decoded;
  struct pmuv3_config *config = &pmu->thread[thread].config;
  for (unsigned range = 0; range < 2; range++)
    decoded->prohibited[range] = decode_prohibited(pmu, thread, (enum pmuv3_range)range);
  decode_freezes(registers, decoded);
  decode_stops(registers, is_highest_aa32(pmu, thread), decoded);
  decoded->running = registers->cnten & decoded->enabled & ~(uint64_t)decoded->mute;
  pmuv3_spread((uint32_t)(decoded->running & PMUV3_MASK(PMCNTENSET, P)), config->running);
  pmuv3_spread(decoded->range[PMUV3_R1], config->range[PMUV3_R1]);
  pmuv3_spread(decoded->range[PMUV3_R2], config->range[PMUV3_R2]);
}

/* Counting is allowed where the state of a thread in scope allows it, or something counted that
 * occurred elsewhere (formats.md section 3). */
PMUV3_STEP
void pmuv3_filter(const struct pmuv3_config *restrict config, const bool frozen[2],
                  struct pmuv3_values *restrict values) {
  const uint16_t frozen1 = all_if(frozen[PMUV3_R1]), frozen2 = all_if(frozen[PMUV3_R2]);
  for (int i = 0; i < PMUV3_LANES; i++) {
    const uint16_t is_frozen =
        (config->range[PMUV3_R1][i] & frozen1) | (config->range[PMUV3_R2][i] & frozen2);
    const uint16_t counting = config->running[i] & ~is_frozen;
    const uint16_t allowed = counting & all_if((config->eligible[i] | values->VB[i]) != 0);
    values->allowed[i] = allowed;
    values->VB[i] &= allowed;
  }
}
