/* Constrained-random stimulus: phases, and one item after the other. */
#include "testbench/cosim/stimulus/random.h"

#include <stdlib.h>

#include "testbench/cosim/stimulus/random_internal.h"

/* ---- Phases ---- */

static const struct phase phases[] = {
    /* share, length, density, quiet, operations, moves */
    {80, 160, 12, 16, 28, 16}, /* events flow */
    {40, 160, 4, 64, 28, 16},  /* few events */
    {36, 100, 15, 0, 28, 8},   /* nearly every event in every cycle */
    {20, 24, 0, 256, 28, 16},  /* idle */
    {24, 40, 12, 24, 128, 32}, /* reprogramming */
    {32, 60, 12, 16, 24, 144}, /* states change all the time */
    {16, 300, 10, 40, 4, 2},   /* left alone */
    {4, 600, 10, 40, 0, 2},    /* without an access */
    {4, 600, 16, 0, 0, 0},     /* all events in each cycle, for long */
};

static void begin_phase(struct pmuv3_random *random) {
  unsigned kind = (unsigned)(draw(random) >> 56);
  random->phase = phases;
  while (kind >= random->phase->share) kind -= random->phase++->share;
  random->phase_left = 1 + below(random, 2u * random->phase->length);
  unsigned changed = below(random, FAVOURITES);
  random->favourite[changed] = (uint8_t)any_listable(random);
  unsigned special = random_special_event(random);
  if (is_listable(random, special)) random->favourite[0] = (uint8_t)special;
  random_sequence_repair(random);
}

/* Share of cycles with an operation; more when more threads have registers. */
static unsigned operations(const struct pmuv3_random *random) {
  return random->phase->operations * (random->params.threads + 1u) / 2;
}

/* Requests to capture come unasked, too. Without SS they do nothing. */
static uint8_t any_captures(struct pmuv3_random *random) {
  const unsigned threads = (1u << random->params.threads) - 1;
  if (!chance(random, has(random, PMUV3_FEATURE_SS) ? 8 : 1)) return 0;
  return (uint8_t)(draw(random) >> 32 & threads);
}

/* Share of cycles with a sequence of the bias. */
enum { BIASED = 24 };

static bool has_accesses(const struct pmuv3_random *random) {
  return random->phase->operations > 0;
}

/* ---- Items ---- */

static const struct pmuv3_item *make_cycle(struct pmuv3_random *random) {
  if (random->has_write) random_sequence_company(random);
  random->item = (struct pmuv3_item){
      .kind = PMUV3_ITEM_CYCLE,
      .cycle = {.occurrences = random->occurrences, .has_write = random->has_write}};
  struct pmuv3_cycle *cycle = &random->item.cycle;
  cycle->has_external = random->has_external;
  cycle->capture = random->capture | any_captures(random);
  cycle->num_occurrences = (uint16_t)random_list(random, cycle->other);
  for (unsigned t = 0; t < random->params.threads; t++) {
    struct thread *thread = &random->threads[t];
    thread->pending = 0;
    thread->moved = false;
    if (!(random->has_write >> t & 1)) continue;
    cycle->write[t] = random->write[t];
    random_note_write(random, thread, &cycle->write[t]);
  }
  if (cycle->has_external) {
    cycle->external = random->external;
    random_note_external(random, &cycle->external);
  }
  random->after_cycle = true;
  random->after_planned = random->cycle_is_planned;
  random->cycle_is_planned = false;
  random->has_write = 0;
  random->has_external = false;
  random->capture = 0;
  random->phase_left--;
  return &random->item;
}

static const struct pmuv3_item *next_queued(struct pmuv3_random *random) {
  return &random->queue[random->queue_next++];
}

const struct pmuv3_item *pmuv3_random_next(struct pmuv3_random *random) {
  if (random->queue_next < random->queue_end) return next_queued(random);
  random->queue_next = random->queue_end = 0;
  if (random->phase_left == 0) {
    begin_phase(random);
    if (random->queue_end > 0) return next_queued(random);
  }
  if (random->after_cycle) {
    random->after_cycle = false;
    if (has_accesses(random)) random_sequence_rarities(random);
    random_sequence_moves(random);
    if (random->queue_end > 0) return next_queued(random);
  }
  if (!random->cycle_is_planned && random->bias_sum && has_accesses(random) &&
      chance(random, BIASED)) {
    random_sequence_biased(random);
    if (random->queue_end > 0) return next_queued(random);
  }
  if (!random->cycle_is_planned && chance(random, operations(random))) {
    random_sequence_operation(random);
    if (random->queue_end > 0) return next_queued(random);
  }
  return make_cycle(random);
}

/* ---- What the parameters have ---- */

static void find_registers(struct pmuv3_random *random) {
  for (unsigned i = 0; i < NUM_REGS; i++) {
    for (unsigned n = 0; n < copies_of(random_regs[i]); n++) {
      uint16_t reg = (uint16_t)(random_regs[i] + n);
      if (pmuv3_register_readable(&random->params, reg) == PMUV3_ACCESS_OK)
        random->readable[random->num_readable++] = reg;
    }
  }
}

static void find_bits(struct pmuv3_random *random) {
  for (unsigned target = 0; target < NUM_TARGETS; target++) {
    uint16_t reg = random_target_reg[target];
    random->mask[target] = pmuv3_register_mask(&random->params, reg);
    random->is_there[target] = pmuv3_register_writable(&random->params, reg) == PMUV3_ACCESS_OK;
  }
}

static void find_contexts(struct pmuv3_random *random) {
  for (uint8_t el = 0; el < 4; el++) {
    for (uint8_t ss = PMUV3_NS; ss <= PMUV3_RT; ss++) {
      if (pmuv3_context_wrong(&random->params, el, ss)) continue;
      unsigned copies = el == 3 ? 2 : 1; /* which has but one Security state */
      while (copies-- > 0)
        random->contexts[random->num_contexts++] = (struct pmuv3_context){.el = el, .ss = ss};
    }
  }
}

static void find_listable(struct pmuv3_random *random) {
  unsigned num = 0;
  for (unsigned pass = 0; pass < 2; pass++) {
    for (unsigned e = 0; e < random->params.events.num; e++) {
      bool listable = random->event[e].event_class != PMUV3_EVENT_CLASS_SELF &&
                      pmuv3_event_fits(&random->params, &random->event[e]);
      if (listable == (pass == 1)) continue;
      random->place[e] = (uint16_t)num;
      random->order[num++] = (uint8_t)e;
    }
    if (pass == 0) random->num_listable = num;
  }
}

static bool is_of_kind(const struct pmuv3_event *event, unsigned kind) {
  const unsigned attributions = PMUV3_NUM_EVENT_ATTRIBUTIONS;
  return kind == (event->event_class * attributions + event->attribution) * 4u + event->traits;
}

/* Sorts what can be listed by its kind. */
static void find_kinds(struct pmuv3_random *random) {
  unsigned num = 0;
  for (unsigned kind = 0; kind < MAX_KINDS; kind++) {
    const unsigned first = num;
    for (unsigned i = 0; i < random->num_listable; i++)
      if (is_of_kind(&random->event[random->order[i]], kind))
        random->of_kind[num++] = random->order[i];
    if (num > first) random->kinds[++random->num_kinds] = (uint16_t)num;
  }
}

static unsigned index_of(const struct pmuv3_random *random, uint16_t number) {
  return pmuv3_events_index(&random->params.events, number);
}

/* Events that can be listed; of them some that matter though no counter selects them. */
static void find_events(struct pmuv3_random *random) {
  random->event = random->params.events.event;
  random->sw_incr = index_of(random, PMUV3_EVENT_SW_INCR);
  random->cpu_cycles = index_of(random, PMUV3_EVENT_CPU_CYCLES);
  random->chain = index_of(random, PMUV3_EVENT_CHAIN);
  random->inst_retired = index_of(random, PMUV3_EVENT_INST_RETIRED);
  find_listable(random);
  find_kinds(random);
  for (unsigned i = 0; i < FAVOURITES; i++) random->favourite[i] = (uint8_t)any_listable(random);
  if (has(random, PMUV3_FEATURE_ICNTR)) random_note_selector(random, random->inst_retired, +1);
  const unsigned stall = index_of(random, PMUV3_EVENT_STALL_BACKEND);
  if (stall != PMUV3_NO_EVENT) random_note_selector(random, stall, +1); /* for SECOND */
}

static void begin_thread(struct pmuv3_random *random, unsigned t) {
  struct thread *thread = &random->threads[t];
  thread->number = (uint8_t)t;
  thread->pe = (struct pmuv3_pe)PMUV3_PE_RESET;
  thread->focus = PMUV3_NO_EVENT;
  for (unsigned n = 0; n < PMUV3_LANES; n++)
    thread->event[n] = (uint16_t)pmuv3_events_index(&random->params.events, 0);
  thread->held[TO_MDCR_EL2] = random->mask[TO_MDCR_EL2] & PMUV3_MASK(MDCR_EL2, MTPME);
  thread->held[TO_MDCR_EL3] = random->mask[TO_MDCR_EL3] & PMUV3_MASK(MDCR_EL3, MTPME);
  thread->pmccr = random->params.counters;
  thread->locked = pmuv3_has_software_lock(&random->params);
}

struct pmuv3_random *pmuv3_random_create(const struct pmuv3_params *params, uint64_t seed) {
  struct pmuv3_random *random = calloc(1, sizeof *random);
  if (!random) return NULL;
  pmuv3_prng_seed(&random->prng, seed);
  random->params = *params;
  random->implemented = (UINT64_C(1) << params->counters) - 1;
  random->implemented |= UINT64_C(1) << CYCLE_COUNTER;
  if (has(random, PMUV3_FEATURE_ICNTR)) random->implemented |= UINT64_C(1) << INSTRUCTION_COUNTER;
  random->th_max = has(random, PMUV3_FEATURE_TH) ? (UINT64_C(1) << params->th_width) - 1 : 0;
  find_registers(random);
  find_bits(random);
  random_find_page(random);
  find_contexts(random);
  find_events(random);
  for (unsigned t = 0; t < params->threads; t++) begin_thread(random, t);
  random_note_reset(random);
  random_sequence_start(random);
  return random;
}

void pmuv3_random_bias(struct pmuv3_random *random, const struct pmuv3_bias *bias) {
  random->bias = *bias;
  random->bias_sum = 0;
  for (unsigned i = 0; i < PMUV3_NUM_SEQUENCES; i++) random->bias_sum += bias->weights[i];
}

void pmuv3_random_destroy(struct pmuv3_random *random) {
  free(random);
}
