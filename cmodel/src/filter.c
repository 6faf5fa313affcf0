/*
 * Filter: which counters run, and which occurrences of each thread count (rules.md D). Only the
 * freezes change from cycle to cycle. The rest follows from registers and states, and is decoded
 * when these change.
 */
#include "internal.h"

/* The three filter registers have their fields in the same places, so one function reads all. */
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

/* D.2. A field that is not present is RES0 in the register, so the bits are the Effective values
 * (D.1). With EL3 in AArch32 there is no M (K-A32-M). */
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

/* D.3: bit 0 of VS excludes Streaming mode, bit 1 excludes Non-streaming mode. The reserved value
 * 0b11 behaves as the VS value that K-VS-RES gives. */
static uint16_t by_mode(const struct pmuv3_params *params, uint64_t filter, bool sm) {
  const unsigned field = (unsigned)PMUV3_GET(filter, PMEVTYPER, VS);
  const unsigned vs = field == 3 ? params->k_vs_res : field;
  return all_if((vs >> (sm ? 0 : 1) & 1) != 0);
}

uint16_t pmuv3_filter_contexts(const struct pmuv3 *pmu, unsigned thread, uint64_t filter, bool sm) {
  return by_context(filter, pmuv3_el3_aa32(pmu, thread)) | by_mode(&pmu->params, filter, sm);
}

/* D.4: the controls and EL3 are those of the counting thread. With RME, EL3 is in Root state. So
 * {SPME, MPMX} = {0, 0} prohibits EL3 besides Secure state, as a pair of Security state and
 * Exception level (D13.6-14). Without FEAT_Debugv8p2, authentication of the external debugger lifts
 * all prohibitions. */
static struct pmuv3_prohibited decode_prohibited(const struct pmuv3 *pmu, unsigned thread,
                                                 enum pmuv3_range range) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  const bool el3_aa64 = !pmuv3_el3_aa32(pmu, thread);
  const bool spme = PMUV3_GET(registers->mdcr_el3, MDCR_EL3, SPME);
  const bool mpmx = PMUV3_GET(registers->mdcr_el3, MDCR_EL3, MPMX) && el3_aa64;
  const bool hpmd = PMUV3_GET(registers->mdcr_el2, MDCR_EL2, HPMD);
  struct pmuv3_prohibited prohibited = {0, 0, 0};
  if (!pmu->params.debugv8p2 && pmu->pe[thread].snid) return prohibited;
  if (pmu->params.el3 && !spme && !mpmx) {
    prohibited.secure = PMUV3_CONTEXTS_SECURE;
    prohibited.el3 = PMUV3_CONTEXT(3, PMUV3_RT);
  }
  if (mpmx && (!spme || range == PMUV3_R1)) prohibited.el3 = PMUV3_CONTEXTS_EL3;
  if (hpmd && range == PMUV3_R1) prohibited.el2 = PMUV3_CONTEXTS_EL2;
  return prohibited;
}

/* SUNIDEN lifts the prohibition for Secure EL0 if EL1 uses AArch32. The source thread's EL1 decides
 * (K-MT-A32CFG). */
struct pmuv3_prohibited pmuv3_filter_prohibited(const struct pmuv3 *pmu, unsigned thread,
                                                unsigned source, enum pmuv3_range range) {
  struct pmuv3_prohibited prohibited = pmu->thread[thread].decoded.prohibited[range];
  if (pmuv3_el1_aa32(pmu, source) &&
      PMUV3_GET(pmu->thread[thread].registers.sder, SDER32_EL3, SUNIDEN))
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

  /* ICTDHP: a counter in synchronous mode counts only synchronous events. */
  const bool sync = PMUV3_GET(evtyper, PMEVTYPER, SYNC);
  const bool capable = (config->traits[i] & PMUV3_EVENT_TRAIT_SYNC) != 0;
  decoded->sync = pmuv3_with_bit(decoded->sync, n, sync);
  decoded->mute = pmuv3_with_bit(decoded->mute, n, sync && !capable);
}

/* D.5: the flags that freeze a range, if freeze on overflow is enabled. Counters in synchronous
 * mode and the cycle counter freeze no range. The instruction counter belongs to R1. */
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
  if (pmu->params.el3) return pmuv3_el3_aa32(pmu, thread);
  return pmu->params.el2 ? pmuv3_el2_aa32(pmu, thread) : pmuv3_el1_aa32(pmu, thread);
}

/* RHSGZX. IHMLGP: there is no profiling buffer if the highest Exception level uses AArch32. */
static void decode_stops(const struct pmuv3_registers *registers, bool highest_aa32,
                         struct pmuv3_decoded *decoded) {
  const bool fzs = PMUV3_GET(registers->pmcr, PMCR, FZS);
  const bool hpmfzs = PMUV3_GET(registers->mdcr_el2, MDCR_EL2, HPMFZS);
  decoded->stops[PMUV3_R1] = fzs && !highest_aa32;
  decoded->stops[PMUV3_R2] = hpmfzs && !highest_aa32;
}

/* RKYBQW: a counter needs its own enable and the global enable of its range. */
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

/* --- Contexts that count, by the threads' states ---------------------------------------------- */

/* A thread as the source of occurrences for a PMU: the PMU's own thread, or a sibling. Arrays are
 * indexed by range. */
struct source {
  uint16_t bit;                     /* the thread's bit in a set of threads */
  uint16_t is_self;                 /* the thread is the PMU's own */
  uint16_t live;                    /* occurrences may count */
  uint16_t late;                    /* occurrences that arrive in Debug state may count */
  uint16_t context;                 /* the thread's current context */
  bool sm;                          /* the thread is in Streaming SVE mode */
  uint16_t prohibited[2];           /* contexts in which counting is prohibited */
  uint16_t refuses_attributable[2]; /* with MT = 0, contexts whose occurrences do not count */
  uint16_t refuses_related[2];      /* same, of Unattributable occurrences related to these */
};

/* A prohibition refuses Attributable occurrences. While the counting thread is outside the
 * prohibited state, a choice can waive the prohibition (D13.6-12..14). */
static uint16_t refused_attributable(const struct pmuv3_params *params,
                                     struct pmuv3_prohibited prohibited,
                                     const struct pmuv3_pe *self) {
  if (params->k_ns_count_s_attr && self->ss == PMUV3_NS) prohibited.secure = 0;
  if (params->k_lo_count_el2_attr && self->el != 2) prohibited.el2 = 0;
  if (params->k_lo_count_ssel_attr && self->el != 3) prohibited.el3 = 0;
  return pmuv3_prohibited_any(prohibited);
}

/* A prohibition does not refuse Unattributable occurrences that are related to it. While the
 * counting thread is outside the prohibited state, a choice can refuse them (D13.6-12..14). */
static uint16_t refused_related(const struct pmuv3_params *params,
                                struct pmuv3_prohibited prohibited, const struct pmuv3_pe *self) {
  if (params->k_ns_count_s_unattr || self->ss != PMUV3_NS) prohibited.secure = 0;
  if (params->k_lo_count_el2_unattr || self->el == 2) prohibited.el2 = 0;
  if (params->k_lo_count_ssel_unattr || self->el == 3) prohibited.el3 = 0;
  return pmuv3_prohibited_any(prohibited);
}

/* A thread halted in Debug state does not count its own occurrences. K-MT-SELF-DEBUG decides
 * whether the thread counts its siblings. */
static struct source source_of(const struct pmuv3 *pmu, unsigned thread, unsigned t) {
  const struct pmuv3_params *params = &pmu->params;
  const struct pmuv3_pe *self = &pmu->pe[thread], *pe = &pmu->pe[t];
  const bool may = t == thread || !self->halted || params->k_mt_self_debug;
  struct source source;
  source.bit = (uint16_t)(1u << t);
  source.is_self = all_if(t == thread);
  source.live = all_if(may && !pe->halted);
  source.late = all_if(may && (!pe->halted || params->k_debug_late));
  source.context = pmuv3_context_of(pe);
  source.sm = pe->sm;
  for (unsigned range = 0; range < 2; range++) {
    const struct pmuv3_prohibited prohibited =
        pmuv3_filter_prohibited(pmu, thread, t, (enum pmuv3_range)range);
    source.prohibited[range] = pmuv3_prohibited_any(prohibited);
    source.refuses_attributable[range] = refused_attributable(params, prohibited, self);
    source.refuses_related[range] = refused_related(params, prohibited, self);
  }
  return source;
}

/* The map of the lane's range. The map is empty for range R3, since nothing prohibits R3. */
static inline uint16_t by_range(const struct pmuv3_config *config, int i, const uint16_t maps[2]) {
  return (uint16_t)((config->range[PMUV3_R1][i] & maps[PMUV3_R1]) |
                    (config->range[PMUV3_R2][i] & maps[PMUV3_R2]));
}

/* The lane's bit of a choice that differs by attribution: bit 1 for MEMORY, bit 0 for the rest. */
static inline uint16_t choice_of(unsigned choice, uint16_t memory) {
  return pick(memory, all_if((choice & 2) != 0), all_if((choice & 1) != 0));
}

/*
 * Table D13-3 for Unattributable occurrences. The counting thread's own state decides (D.6, 3). An
 * Unattributable occurrence in a structure that threads share belongs to no thread (MT-SHARED-1).
 * Some events count Attributable occurrences alone (D13.4-9).
 */
static inline uint16_t counts_unattributable(const struct pmuv3_params *params,
                                             const struct pmuv3_config *config, int i,
                                             const struct source *self) {
  const uint16_t shared = all_if(config->attributed[i] == PMUV3_EVENT_ATTRIBUTION_SHARED);
  const uint16_t memory = all_if(config->attributed[i] == PMUV3_EVENT_ATTRIBUTION_MEMORY) | shared;
  const uint16_t own = all_if(config->attributed[i] == PMUV3_EVENT_ATTRIBUTION_OWN);
  const uint16_t filtered = all_if((config->filtered[self->sm][i] & self->context) != 0);
  const uint16_t prohibited = all_if((by_range(config, i, self->prohibited) & self->context) != 0);

  const uint16_t when_halted = choice_of(params->k_unattr_debug, memory) & ~filtered;
  const uint16_t when_prohibited = choice_of(params->k_unattr_prohib, memory);
  const uint16_t when_allowed = ~(filtered & choice_of(params->k_unattr_filter, memory));
  const uint16_t when_live = pick(prohibited, when_prohibited, when_allowed);
  const uint16_t of_any = config->grouped[i] & all_if(params->k_shared_other != 0);
  return pick(self->live, when_live, when_halted) & (of_any | ~shared) & ~own;
}

/*
 * For one lane: whether the source is eligible, and the contexts whose occurrences count (D.6, 4).
 * Filters and prohibitions need not apply to an occurrence that is attributable to no Exception
 * level and Security state (D13.4-T2, D13.4-T3). Only occurrences of COUNT events arrive late.
 */
static inline void decode_lane(const struct pmuv3_params *params,
                               struct pmuv3_config *restrict config, int i,
                               const struct source *source, uint16_t *restrict attributable,
                               uint16_t *restrict unattributable) {
  const uint16_t grouped = config->grouped[i];
  const uint16_t in_scope = source->is_self | grouped;
  const uint16_t filtered = config->filtered[source->sm][i];
  const uint16_t prohibited = by_range(config, i, source->prohibited);
  const uint16_t prevented = all_if(((filtered | prohibited) & source->context) != 0);
  const uint16_t eligible = in_scope & source->live & ~prevented;
  config->eligible[i] = pick(source->bit, eligible, config->eligible[i]);

  const uint16_t anywhere = all_if(config->attributed[i] == PMUV3_EVENT_ATTRIBUTION_TRACE);
  const uint16_t unfiltered = anywhere & all_if(params->k_attr_nonel_filter != 0);
  const uint16_t unprohibited = anywhere & all_if(params->k_attr_nonss_prohib != 0);
  const uint16_t is_count = all_if(config->event_class[i] == PMUV3_EVENT_CLASS_COUNT);
  const uint16_t may = in_scope & pick(is_count, source->late, source->live);
  const uint16_t refused =
      pick(grouped, prohibited, by_range(config, i, source->refuses_attributable));
  const uint16_t against = pick(refused, ~unprohibited, filtered & ~unfiltered);
  *attributable = may & ~against;

  const uint16_t related = ~grouped & by_range(config, i, source->refuses_related);
  *unattributable = in_scope & config->unattributable[i] & ~related;
}

static inline void decode_lanes(const struct pmuv3_params *params,
                                struct pmuv3_config *restrict config, unsigned t,
                                const struct source *source) {
  uint16_t *attributable = config->counts[PMUV3_IS_ATTRIBUTABLE][t];
  uint16_t *unattributable = config->counts[PMUV3_IS_UNATTRIBUTABLE][t];
  for (int i = 0; i < PMUV3_LANES; i++)
    decode_lane(params, config, i, source, &attributable[i], &unattributable[i]);
}

PMUV3_STEP
void pmuv3_filter_decode_states(struct pmuv3 *pmu, unsigned thread) {
  struct pmuv3_config *restrict config = &pmu->thread[thread].config;
  const struct source self = source_of(pmu, thread, thread);
  for (int i = 0; i < PMUV3_LANES; i++) {
    config->unattributable[i] = counts_unattributable(&pmu->params, config, i, &self);
    config->eligible[i] = 0;
  }
  decode_lanes(&pmu->params, config, thread, &self);
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    if (t == thread || !pmuv3_bit(pmu->thread[thread].decoded.sources, t)) continue;
    const struct source sibling = source_of(pmu, thread, t);
    decode_lanes(&pmu->params, config, t, &sibling);
  }
}

PMUV3_STEP
void pmuv3_filter_decode_sibling(struct pmuv3 *pmu, unsigned thread, unsigned t) {
  const struct source sibling = source_of(pmu, thread, t);
  decode_lanes(&pmu->params, &pmu->thread[thread].config, t, &sibling);
}

/* --- A cycle ---------------------------------------------------------------------------------- */

PMUV3_STEP
void pmuv3_filter(const struct pmuv3_config *restrict config, const bool frozen[2],
                  uint16_t running[restrict PMUV3_LANES]) {
  const uint16_t frozen1 = all_if(frozen[PMUV3_R1]), frozen2 = all_if(frozen[PMUV3_R2]);
  for (int i = 0; i < PMUV3_LANES; i++) {
    const uint16_t is_frozen =
        (config->range[PMUV3_R1][i] & frozen1) | (config->range[PMUV3_R2][i] & frozen2);
    running[i] = config->running[i] & ~is_frozen;
  }
}
