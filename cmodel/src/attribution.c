/*
 * Attribution: the thread and the context of an occurrence (D13.4, D13.6). The filter decides which
 * occurrences count. VB is their sum, or the combined value of the group's threads. The stage also
 * puts out whether counting is allowed.
 */
#include <string.h>

#include "internal.h"

/* --- Event and group -------------------------------------------------------------------------- */

/* Whether a counter with MT = 1 combines the threads' values instead of adding them. */
static bool combines(unsigned event_class) {
  return event_class != PMUV3_EVENT_CLASS_SELF && event_class != PMUV3_EVENT_CLASS_COUNT;
}

/* CHAIN counts in the counter's own thread, whatever MT is (MT-CHAIN). An event number that is not
 * implemented behaves as an event that never occurs. */
void pmuv3_attribution_decode_counter(struct pmuv3 *pmu, unsigned thread, unsigned n) {
  struct pmuv3_decoded *decoded = &pmu->thread[thread].decoded;
  struct pmuv3_config *config = &pmu->thread[thread].config;
  const uint64_t evtyper = pmu->thread[thread].registers.evtyper[n];
  const uint64_t evt_count =
      PMUV3_GET(evtyper, PMEVTYPER, evtCount_hi) << 10 | PMUV3_GET(evtyper, PMEVTYPER, evtCount);
  static const struct pmuv3_event none = {.event_class = PMUV3_EVENT_CLASS_SELF};
  const struct pmuv3_event *found = pmuv3_events_find(&pmu->params.events, (uint16_t)evt_count);
  const struct pmuv3_event event = found ? *found : none;
  const unsigned i = pmuv3_lane(n);
  config->event[i] = (uint16_t)evt_count;
  config->event_class[i] = event.event_class;
  config->attributed[i] = event.attribution;
  config->traits[i] = event.traits;
  const bool chain = evt_count == PMUV3_EVENT_CHAIN;
  const bool mt = PMUV3_GET(evtyper, PMEVTYPER, MT) && !chain;
  decoded->chain = pmuv3_with_bit(decoded->chain, n, chain);
  decoded->mt = pmuv3_with_bit(decoded->mt, n, mt);
  decoded->combining = pmuv3_with_bit(decoded->combining, n, combines(event.event_class));
}

/* D13.6-7, D13.6-8: whether MTPME disables FEAT_MTPMU on a thread. */
static bool is_disabled(const struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  if (pmu->params.el3) return !PMUV3_GET(registers->mdcr_el3, MDCR_EL3, MTPME);
  return pmu->params.el2 && !PMUV3_GET(registers->mdcr_el2, MDCR_EL2, MTPME);
}

/* Whether MT = 1 has an effect in a thread's PMU. */
static bool is_grouped(const struct pmuv3 *pmu, unsigned thread) {
  if (pmu->params.threads == 1) return false;
  if (!pmuv3_has(&pmu->params, PMUV3_FEATURE_MTPMU)) return true; /* K-MT-LEGACY; else MT is RES0 */
  if (!pmu->params.k_mtpme_group) return !is_disabled(pmu, thread);
  for (unsigned t = 0; t < pmu->params.threads; t++)
    if (is_disabled(pmu, t)) return false;
  return true;
}

PMUV3_STEP
void pmuv3_attribution_decode(struct pmuv3 *pmu, unsigned thread) {
  struct pmuv3_decoded *decoded = &pmu->thread[thread].decoded;
  struct pmuv3_config *config = &pmu->thread[thread].config;
  const unsigned all = (1u << pmu->params.threads) - 1;
  decoded->grouped = is_grouped(pmu, thread) ? decoded->mt : 0;
  decoded->sources = (uint8_t)(decoded->grouped != 0 ? all : 1u << thread);
  pmuv3_spread(decoded->grouped, config->grouped);
}

/* Sets of threads have 8 bits or more, and VB has 16: all threads, each in each way that counts. */
_Static_assert(PMUV3_MAX_THREADS <= 8, "decoded.sources, cycle.has_write: a bit for each thread");
_Static_assert(PMUV3_MAX_THREADS *(PMUV3_NUM_ORIGINS - 1) * UINT8_MAX <= UINT16_MAX, "VB");

/* The set of threads that are not in WFI or WFE. */
static uint16_t awake_threads(const struct pmuv3 *pmu) {
  unsigned awake = 0;
  for (unsigned t = 0; t < pmu->params.threads; t++) awake |= (unsigned)!pmu->pe[t].wfx << t;
  return (uint16_t)awake;
}

/* All ones for the classes whose cycles are those of CPU_CYCLES. */
static inline uint16_t is_of_cpu_cycles(uint16_t event_class) {
  return all_if(event_class == PMUV3_EVENT_CLASS_STALL) |
         all_if(event_class == PMUV3_EVENT_CLASS_SECOND) |
         all_if(event_class == PMUV3_EVENT_CLASS_SLOTS);
}

/* CPU_CYCLES counts when the thread is active (D14.4-a), or when a thread of the group is awake
 * (D14.4-c). With MT = 0, stalls and Slots may keep to these cycles (K-STALL-CYCLES). */
PMUV3_STEP
void pmuv3_attribution_decode_cycles(struct pmuv3 *pmu, unsigned thread) {
  struct pmuv3_config *restrict config = &pmu->thread[thread].config;
  const uint16_t awake = awake_threads(pmu);
  const uint16_t self = (uint16_t)(1u << thread);
  const uint16_t active = all_if(pmu->pe[thread].active) & awake & self;
  const uint16_t stops = all_if(pmu->params.k_stall_cycles != 0 && active == 0);
  for (int i = 0; i < PMUV3_LANES; i++) {
    const uint16_t selected = all_if(config->event[i] == PMUV3_EVENT_CPU_CYCLES);
    const uint16_t running = config->eligible[i] & pick(config->grouped[i], awake, active);
    config->cpu_cycles[i] = selected & all_if(running != 0);
    config->stopped[i] = stops & ~config->grouped[i] & is_of_cpu_cycles(config->event_class[i]);
  }
}

/* --- A cycle ---------------------------------------------------------------------------------- */

void pmuv3_attribution_increment(struct pmuv3 *pmu, unsigned thread, uint32_t counters,
                                 uint16_t most) {
  struct pmuv3_state *state = &pmu->thread[thread].state;
  if (pmu->pe[thread].halted) return;
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
    uint16_t *pending = &state->pending[pmuv3_lane(n)];
    if (pmuv3_bit(counters, n) && *pending < most) ++*pending;
  }
  state->waiting |= counters != 0;
}

void pmuv3_attribution_snapshot(struct pmuv3_state *state) {
  state->captured = true;
  state->waiting = true;
}

void pmuv3_attribution_consume(struct pmuv3_state *state) {
  if (!state->waiting) return;
  memset(state->pending, 0, sizeof state->pending);
  state->captured = false;
  state->waiting = false;
}

/* The set of threads that have STALL_BACKEND in this cycle. */
static uint16_t stalled_threads(const struct pmuv3_cycle *cycle) {
  unsigned stalled = 0;
  for (unsigned o = 0; o < cycle->num_occurrences; o++) {
    const struct pmuv3_occurrence *occurrence = &cycle->occurrences[o];
    if (occurrence->event == PMUV3_EVENT_STALL_BACKEND && occurrence->origin == PMUV3_CURRENT &&
        occurrence->count != 0 && pmuv3_has_place(occurrence))
      stalled |= 1u << occurrence->thread;
  }
  return (uint16_t)stalled;
}

/* D14.4-d..f: the event's value for the group. `sum` adds the values of the eligible threads. */
static inline uint16_t combined(uint16_t event_class, uint16_t eligible, uint16_t awake,
                                uint16_t stalled, uint16_t sum, uint16_t slots) {
  const uint16_t any_awake = all_if((eligible & awake) != 0);
  const uint16_t threads =
      (uint16_t)((eligible & 1) + (eligible >> 1 & 1) + (eligible >> 2 & 1) + (eligible >> 3 & 1));
  const uint16_t any = all_if(sum != 0) & any_awake;
  const uint16_t every = all_if(sum == threads) & any_awake;
  const uint16_t every_stalled = all_if((eligible & ~stalled) == 0);
  const uint16_t used = (uint16_t)((threads - (threads != 0)) * slots);
  const uint16_t unused = all_if(sum > used) & (uint16_t)(sum - used);

  const uint16_t is_stall = all_if(event_class == PMUV3_EVENT_CLASS_STALL);
  const uint16_t is_second = all_if(event_class == PMUV3_EVENT_CLASS_SECOND);
  const uint16_t is_condition = all_if(event_class == PMUV3_EVENT_CLASS_CONDITION);
  const uint16_t holds =
      (is_stall & every) | (is_second & any & every_stalled) | (is_condition & any);
  return pick(is_stall | is_second | is_condition, holds & 1, unused);
}

PMUV3_STEP
static void combine(const struct pmuv3 *pmu, const struct pmuv3_config *restrict config,
                    uint16_t stalled, uint16_t VB[restrict PMUV3_LANES]) {
  const uint16_t awake = awake_threads(pmu);
  const uint16_t slots = pmu->params.slots;
  for (int i = 0; i < PMUV3_LANES; i++) {
    const uint16_t is_count = all_if(config->event_class[i] == PMUV3_EVENT_CLASS_COUNT);
    const uint16_t is_self = all_if(config->event_class[i] == PMUV3_EVENT_CLASS_SELF);
    const uint16_t combines = config->grouped[i] & ~(is_count | is_self);
    VB[i] = pick(
        combines,
        combined(config->event_class[i], config->eligible[i], awake, stalled, VB[i], slots), VB[i]);
  }
}

/* What waited counts where the thread is eligible: the thread's SW_INCR in the counters that the
 * thread wrote (MT-SWINCR), and its PMU_SNAPSHOT in all. */
static inline void add_waiting(const struct pmuv3_config *config, uint16_t thread,
                               const struct pmuv3_state *state, uint16_t VB[restrict PMUV3_LANES]) {
  const uint16_t captured = state->captured;
  for (int i = 0; i < PMUV3_LANES; i++) {
    const uint16_t is_increment = all_if(config->event[i] == PMUV3_EVENT_SW_INCR);
    const uint16_t is_snapshot = all_if(config->event[i] == PMUV3_EVENT_PMU_SNAPSHOT);
    const uint16_t eligible = all_if((config->eligible[i] & thread) != 0);
    const uint16_t waiting = (is_increment & state->pending[i]) | (is_snapshot & captured);
    VB[i] = (uint16_t)(VB[i] + (eligible & waiting));
  }
}

static inline void add_occurrence(const struct pmuv3_config *config,
                                  const uint16_t counts[PMUV3_LANES], uint16_t context,
                                  uint16_t event, uint16_t count,
                                  uint16_t VB[restrict PMUV3_LANES]) {
  for (int i = 0; i < PMUV3_LANES; i++) {
    const uint16_t selected = all_if(config->event[i] == event);
    const uint16_t may = all_if((counts[i] & context) != 0);
    VB[i] = (uint16_t)(VB[i] + (selected & may & count));
  }
}

/* Class SELF: the PMU makes the event, or no event has the number. Occurrences do not count in such
 * a counter; only CPU_CYCLES does. */
static inline void add_cycles(const struct pmuv3_config *config, const uint16_t sum[PMUV3_LANES],
                              struct pmuv3_values *restrict values) {
  for (int i = 0; i < PMUV3_LANES; i++) {
    const uint16_t is_self = all_if(config->event_class[i] == PMUV3_EVENT_CLASS_SELF);
    values->VB[i] = pick(is_self, config->cpu_cycles[i] & 1, sum[i] & ~config->stopped[i]);
  }
}

/* The map of one context. The map is empty if the context does not exist with these parameters. */
static inline uint16_t known(const struct pmuv3 *pmu, const struct pmuv3_context *context) {
  if (((unsigned)context->el | context->ss) > 3) return 0;
  return (uint16_t)PMUV3_CONTEXT(context->el, context->ss) & pmu->identity.contexts;
}

void pmuv3_attribution_contexts(const struct pmuv3 *pmu, const struct pmuv3_cycle *cycle,
                                struct pmuv3_contexts *contexts) {
  contexts->stalled = pmu->params.threads > 1 ? stalled_threads(cycle) : 0;
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    const struct pmuv3_context *other = &cycle->other[t];
    const uint16_t context = known(pmu, other);
    contexts->of[t][PMUV3_CURRENT] = pmuv3_context_of(&pmu->pe[t]);
    contexts->of[t][PMUV3_OTHER] = context;
    contexts->of[t][PMUV3_UNATTRIBUTABLE] = other->related ? context : PMUV3_UNRELATED;
    contexts->of[t][PMUV3_DEBUGGER] = 0;
  }
}

/* The PMU makes the SELF events itself. pmuv3_overflow_chain adds CHAIN later. */
PMUV3_STEP
void pmuv3_attribution(const struct pmuv3 *restrict pmu, unsigned thread,
                       const struct pmuv3_cycle *restrict cycle,
                       const struct pmuv3_contexts *restrict contexts,
                       struct pmuv3_values *restrict values) {
  const struct pmuv3_config *config = &pmu->thread[thread].config;
  const struct pmuv3_decoded *decoded = &pmu->thread[thread].decoded;
  const uint32_t sources = decoded->sources;
  uint16_t VB[PMUV3_LANES] = {0};
  for (unsigned o = 0; o < cycle->num_occurrences; o++) {
    const struct pmuv3_occurrence *occurrence = &cycle->occurrences[o];
    const unsigned t = occurrence->thread;
    /* % 32 keeps the shift defined. The cheap test comes first, since it decides most cases. */
    if (!pmuv3_bit(sources, t % 32) || !pmuv3_has_place(occurrence)) continue;
    add_occurrence(config, config->counts[occurrence->origin == PMUV3_UNATTRIBUTABLE][t],
                   contexts->of[t][occurrence->origin], occurrence->event, occurrence->count, VB);
  }
  add_cycles(config, VB, values);
  for (unsigned t = 0; t < pmu->params.threads; t++)
    if (pmuv3_bit(sources, t) && pmu->thread[t].state.waiting)
      add_waiting(config, (uint16_t)(1u << t), &pmu->thread[t].state, values->VB);
  if ((decoded->grouped & decoded->combining) != 0)
    combine(pmu, config, contexts->stalled, values->VB);
}

/* Counting is allowed if the state of a thread in scope allows it. Counting is also allowed if an
 * occurrence from elsewhere counted (formats.md section 3). */
PMUV3_STEP
void pmuv3_attribution_allow(const struct pmuv3_config *restrict config,
                             const uint16_t running[restrict PMUV3_LANES],
                             struct pmuv3_values *restrict values) {
  for (int i = 0; i < PMUV3_LANES; i++) {
    const uint16_t allowed = running[i] & all_if((config->eligible[i] | values->VB[i]) != 0);
    values->allowed[i] = allowed;
    values->VB[i] &= allowed;
  }
}
