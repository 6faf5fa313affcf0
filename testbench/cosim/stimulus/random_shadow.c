/* What was programmed, and what follows from it for counts and overflows. */
#include "testbench/cosim/stimulus/random_internal.h"

/* ---- Ranges and overflows ---- */

unsigned random_epmn(const struct pmuv3_random *random, const struct thread *thread) {
  unsigned counters = random->params.counters;
  if (!has(random, PMUV3_FEATURE_EXTPMN)) return counters;
  return (unsigned)smaller(thread->pmccr & 31, counters);
}

unsigned random_hpmn(const struct pmuv3_random *random, const struct thread *thread) {
  unsigned counters = random->params.counters;
  unsigned epmn = random_epmn(random, thread);
  unsigned hpmn = (unsigned)PMUV3_GET(thread->held[TO_MDCR_EL2], MDCR_EL2, HPMN);
  if (!random->params.el2) return epmn;
  if (has(random, PMUV3_FEATURE_EXTPMN)) return (unsigned)smaller(hpmn, epmn);
  bool reserved = hpmn > counters || (hpmn == 0 && !has(random, PMUV3_FEATURE_HPMN0));
  return reserved ? counters : hpmn;
}

/* Whether the PMU Profiling exception is enabled, which makes all counters overflow from bit 63. */
static bool profiles(const struct pmuv3_random *random, const struct thread *thread) {
  uint64_t el3 = PMUV3_GET(thread->held[TO_MDCR_EL3], MDCR_EL3, PMEE);
  uint64_t el2 = PMUV3_GET(thread->held[TO_MDCR_EL2], MDCR_EL2, PMEE);
  uint64_t el1 = PMUV3_GET(thread->held[TO_PMECR], PMECR, PMEE);
  if (!has(random, PMUV3_FEATURE_EBEP)) return false;
  if (random->params.el3 && el3 != 1) return el3 == 3;
  if (pmuv3_el2_enabled(&random->params, &thread->pe) && el2 != 1) return el2 == 3;
  return el1 == 3;
}

bool random_overflows_long(const struct pmuv3_random *random, const struct thread *thread,
                           unsigned n) {
  uint64_t pmcr = thread->held[TO_PMCR];
  if (n == INSTRUCTION_COUNTER || profiles(random, thread)) return true;
  if (n == CYCLE_COUNTER)
    return PMUV3_GET(pmcr, PMCR, LC) != 0 || !pmuv3_can_aa32(&random->params, 0);
  if (!has(random, PMUV3_FEATURE_PMUv3p5) || !random->params.aa64) return false;
  if (n >= random_epmn(random, thread)) return true;
  if (n < random_hpmn(random, thread)) return PMUV3_GET(pmcr, PMCR, LP) != 0;
  return PMUV3_GET(thread->held[TO_MDCR_EL2], MDCR_EL2, HLP) != 0;
}

uint64_t random_likely_increment(const struct pmuv3_random *random, const struct thread *thread,
                                 unsigned n, unsigned count) {
  unsigned tc = (unsigned)PMUV3_GET(thread->type[n], PMEVTYPER, TC);
  unsigned threshold = threshold_of(random, thread, n);
  bool meets[4] = {count != threshold, count == threshold, count >= threshold, count < threshold};
  if (!meets[tc >> 1]) return 0;
  return tc & 1 || PMUV3_GET(thread->type[n], PMEVTYPER, TE) ? 1 : count;
}

unsigned random_likely_count(struct pmuv3_random *random, const struct thread *thread, unsigned n) {
  unsigned event = event_of(thread, n);
  if (!is_listable(random, event)) return 1;
  unsigned count = 0;
  for (int tries = 0; tries < 4; tries++) {
    count = random->counts[event][below(random, COUNTS)];
    if (random_likely_increment(random, thread, n, count) > 0) break;
  }
  return count;
}

/* ---- Counts near the thresholds of the counters that select the event ---- */

uint64_t random_count_near(uint64_t threshold, unsigned i) {
  if (threshold == 0 && i % 3 == 0) return 2;
  return threshold + i % 3 - 1;
}

/* The threshold of one of the counters that select an event, of any thread. */
static uint64_t selector_threshold(const struct pmuv3_random *random, unsigned event,
                                   unsigned choice) {
  for (unsigned i = 0; i < random->params.threads; i++) {
    const struct thread *thread = &random->threads[(choice + i) % random->params.threads];
    uint32_t users = thread->users[event];
    if (users) return threshold_of(random, thread, any_bit(users, choice >> 2));
  }
  return 0;
}

static void choose_counts(struct pmuv3_random *random, unsigned event) {
  uint64_t limit = random->event[event].most;
  uint64_t bits = draw(random);
  uint8_t *counts = random->counts[event];
  for (unsigned i = 0; i < COUNTS; i++) {
    uint64_t count;
    switch (i) {
      case 9:
      case 10:
        count = 0;
        break;
      case 11:
        count = 1;
        break;
      case 12: /* at and above 2^THWIDTH: VB must not be cut */
        count = random->th_max + (bits & 3);
        break;
      case 13:
        count = limit - (bits >> 2 & limit & 1);
        break;
      case 14:
        count = 1 + (bits >> 3 & 7);
        break;
      case WILD:
        count = bits >> 6 & 0xFF;
        break;
      default: /* three of the counters, each around its threshold */
        count = random_count_near(
            selector_threshold(random, event, (unsigned)(bits >> (14 + 7 * (i / 3))) & 127), i);
    }
    counts[i] = (uint8_t)smaller(count, limit);
  }
}

/* Swaps a listable event to another place of the order. */
static void move_event(struct pmuv3_random *random, unsigned event, unsigned to) {
  unsigned from = random->place[event];
  uint8_t other = random->order[to];
  random->order[to] = (uint8_t)event;
  random->place[event] = (uint16_t)to;
  random->order[from] = other;
  random->place[other] = (uint16_t)from;
}

void random_note_selector(struct pmuv3_random *random, unsigned event, int by) {
  bool was_selected = random->selectors[event] > 0;
  random->selectors[event] = (uint16_t)(random->selectors[event] + by);
  bool is_selected = random->selectors[event] > 0;
  if (!is_listable(random, event)) return;
  if (!was_selected && is_selected) move_event(random, event, random->num_selected++);
  if (was_selected && !is_selected) move_event(random, event, --random->num_selected);
  if (is_selected) choose_counts(random, event);
}

/* ---- What was programmed ---- */

static void note_type(struct pmuv3_random *random, struct thread *thread, unsigned n,
                      uint64_t value) {
  unsigned before = event_of(thread, n);
  thread->type[n] = value & random->mask[n % 2 ? TO_EVTYPER_ODD : TO_EVTYPER_EVEN];
  thread->event[n] =
      (uint16_t)pmuv3_events_index(&random->params.events, (uint16_t)thread->type[n]);
  unsigned after = event_of(thread, n);
  uint32_t bit = UINT32_C(1) << n;
  bool was_noted = thread->users[before] & bit;
  if (was_noted && before == after) {
    random_note_selector(random, after, 0);
    return;
  }
  thread->users[before] &= ~bit;
  if (was_noted) random_note_selector(random, before, -1);
  thread->users[after] |= bit;
  random_note_selector(random, after, +1);
}

/* What the register that a write goes to holds; 0 of one that is not kept. */
static uint64_t held(const struct thread *thread, uint16_t reg) {
  if (is_type(reg)) return thread->type[reg - PMUV3_PMEVTYPER];
  for (unsigned target = 0; target < NUM_HELD; target++)
    if (random_target_reg[target] == reg) return thread->held[target];
  return 0;
}

/* The bits of [31:0] that a write of a view reaches (H-29). */
static uint64_t bits_of_view(const struct pmuv3_params *params, const struct view *view) {
  const bool is_half = view->mask <= UINT32_MAX;
  return is_half && params->k_a32_res0 && view->reg != PMUV3_SDCR ? UINT32_MAX : view->mask;
}

/* The write of the register that a write of a view or by another name is. */
static struct pmuv3_write without_view(const struct pmuv3_params *params,
                                       const struct thread *thread, struct pmuv3_write write) {
  for (size_t i = 0; i < NUM_VIEWS; i++) {
    const struct view *view = &random_views[i];
    unsigned n = (unsigned)(write.reg - view->reg);
    if (n >= copies_of(view->of)) continue;
    uint16_t reg = (uint16_t)(view->of + n);
    uint64_t kept = view->mask <= UINT32_MAX ? held(thread, reg) & ~(uint64_t)UINT32_MAX : 0;
    return write_of(reg, kept | (write.value & bits_of_view(params, view)));
  }
  return write;
}

/* The write of the selected register that a write of PMXEVTYPER is. */
static struct pmuv3_write without_selection(const struct thread *thread, struct pmuv3_write write) {
  unsigned selected = (unsigned)thread->held[TO_PMSELR];
  if (write.reg != PMUV3_PMXEVTYPER) return write;
  return write_of(selected < PMUV3_MAX_COUNTERS ? PMUV3_PMEVTYPERn(selected) : PMUV3_PMCCFILTR,
                  write.value);
}

/* A write that reaches these counters. */
static void note(struct pmuv3_random *random, struct thread *thread, const struct pmuv3_write *to,
                 uint64_t counters) {
  unsigned n = (unsigned)(to->reg - PMUV3_PMEVTYPER);
  if (is_type(to->reg) && counters >> n & 1) note_type(random, thread, n, to->value);
  if (to->reg == PMUV3_PMCNTENSET) thread->enabled |= to->value & counters;
  if (to->reg == PMUV3_PMCNTENCLR) thread->enabled &= ~(to->value & counters);
  for (unsigned target = 0; target < NUM_HELD; target++)
    if (random_target_reg[target] == to->reg)
      thread->held[target] = to->value & random->mask[target];
  thread->held[TO_PMCR] &= ~(PMUV3_MASK(PMCR, C) | PMUV3_MASK(PMCR, P));
}

static void doubt(struct thread *thread, uint16_t reg) {
  if (is_type(reg)) thread->doubt |= UINT64_C(1) << (reg - PMUV3_PMEVTYPER);
  for (unsigned target = 0; target < NUM_HELD; target++)
    if (random_target_reg[target] == reg) thread->doubt |= UINT64_C(1) << (32 + target);
}

/* Counters that System registers reach. */
static uint64_t reached(const struct pmuv3_random *random, const struct thread *thread) {
  uint64_t agents = ~UINT64_C(0) << random_epmn(random, thread);
  return random->implemented & ~(agents & ((UINT64_C(1) << CYCLE_COUNTER) - 1));
}

/* A checked write is taken for done from EL1 on. */
void random_note_write(struct pmuv3_random *random, struct thread *thread,
                       const struct pmuv3_write *write) {
  struct pmuv3_write to = without_selection(thread, without_view(&random->params, thread, *write));
  if (write->checked) doubt(thread, to.reg);
  if (write->checked && thread->pe.el == 0) return;
  note(random, thread, &to, reached(random, thread));
}

/* ---- The external view ---- */

/* A word of the page: a row, of which counter, which half. */
struct word {
  enum page_row row;
  unsigned n;
  unsigned half;
};

static bool find_word(const struct pmuv3_random *random, unsigned offset, struct word *word) {
  for (word->row = 0; word->row < NUM_ROWS; word->row++) {
    unsigned copies = copies_of(random->page_reg[word->row]);
    for (unsigned i = 0; i < 2 * copies; i++) {
      word->n = i / 2;
      word->half = i % 2;
      if (random_offset(random, word->row, word->n, word->half) == offset) return true;
    }
  }
  return false;
}

/* Whether a write of the external view is likely to be done. */
static bool is_likely(const struct pmuv3_random *random, const struct thread *thread,
                      const struct pmuv3_external *write, enum page_row row) {
  return random_has_page(random) && write->ss == pmuv3_el3_state(&random->params) &&
         (!thread->pe.dlk || thread->pe.halted) && !thread->pe.oslk &&
         (!thread->locked || row == PAGE_PMLAR);
}

static void note_word(struct pmuv3_random *random, struct thread *thread, const struct word *word,
                      uint32_t value) {
  uint64_t placed = (uint64_t)value << 32 * word->half;
  uint64_t kept = ~((uint64_t)UINT32_MAX << 32 * word->half);
  uint16_t reg = (uint16_t)(random->page_reg[word->row] + word->n);
  switch (word->row) {
    case PAGE_PMCCR:
      thread->pmccr = value;
      break;
    case PAGE_PMLAR:
      thread->locked = pmuv3_has_software_lock(&random->params) && value != PAGE_KEY;
      break;
    case PAGE_PMCNTEN:
      thread->enabled = ((thread->enabled & kept) | placed) & random->implemented;
      break;
    default: {
      struct pmuv3_write write = write_of(reg, (held(thread, reg) & kept) | placed);
      doubt(thread, reg);
      note(random, thread, &write, random->implemented);
    }
  }
}

void random_note_external(struct pmuv3_random *random, const struct pmuv3_external *write) {
  struct thread *thread = &random->threads[write->thread];
  struct word word;
  if (find_word(random, write->offset, &word) && is_likely(random, thread, write, word.row))
    note_word(random, thread, &word, write->value);
}

/* What a Warm reset leaves, which a Cold reset alone sets. */
static uint64_t kept_by_reset(enum target target) {
  switch (target) {
    case TO_MDCR_EL2:
      return PMUV3_MASK(MDCR_EL2, MTPME) | PMUV3_MASK(MDCR_EL2, PMSSE);
    case TO_MDCR_EL3:
      return PMUV3_MASK(MDCR_EL3, MTPME) | PMUV3_MASK(MDCR_EL3, PMSSE);
    case TO_PMECR:
      return PMUV3_MASK(PMECR, SSE);
    default:
      return 0;
  }
}

void random_note_reset(struct pmuv3_random *random) {
  for (unsigned t = 0; t < random->params.threads; t++) {
    struct thread *thread = &random->threads[t];
    for (unsigned target = 0; target < NUM_HELD; target++)
      thread->held[target] &= kept_by_reset((enum target)target);
    thread->held[TO_MDCR_EL2] |= random->params.counters; /* HPMN */
    thread->enabled = 0;
    thread->pending = 0;
    thread->doubt = 0;
    for (unsigned n = 0; n < random->params.counters; n++) note_type(random, thread, n, 0);
  }
}
