/* What was programmed, and what follows from it for counts and overflows. */
#include "testbench/stimulus/random_internal.h"

/* ---- Ranges and overflows ---- */

unsigned random_hpmn(const struct pmuv3_random *random, const struct thread *thread) {
  unsigned counters = random->params.counters;
  unsigned hpmn = (unsigned)PMUV3_GET(thread->held[TO_MDCR_EL2], MDCR_EL2, HPMN);
  bool reserved = hpmn > counters || (hpmn == 0 && !has(random, PMUV3_FEATURE_HPMN0));
  return !random->params.el2 || reserved ? counters : hpmn;
}

bool random_overflows_long(const struct pmuv3_random *random, const struct thread *thread,
                           unsigned n) {
  uint64_t pmcr = thread->held[TO_PMCR];
  if (n == CYCLE_COUNTER) return PMUV3_GET(pmcr, PMCR, LC) != 0;
  if (n == INSTRUCTION_COUNTER) return true;
  if (!has(random, PMUV3_FEATURE_PMUv3p5) || !random->params.aa64) return false;
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
  enum pmuv3_event event = event_of(thread, n);
  if (!is_listable(random, event)) return 1;
  unsigned count = 0;
  for (int tries = 0; tries < 4; tries++) {
    count = random->counts[event][below(random, COUNTS)];
    if (random_likely_increment(random, thread, n, count) > 0) break;
  }
  return count;
}

/* ---- Counts that lean on the thresholds of the counters that select the event ---- */

uint64_t random_count_near(uint64_t threshold, unsigned i) {
  if (threshold == 0 && i % 3 == 0) return 2;
  return threshold + i % 3 - 1;
}

/* The threshold of one of the counters that select an event, of any thread. */
static uint64_t selector_threshold(const struct pmuv3_random *random, enum pmuv3_event event,
                                   unsigned choice) {
  for (unsigned i = 0; i < random->params.threads; i++) {
    const struct thread *thread = &random->threads[(choice + i) % random->params.threads];
    uint32_t users = thread->users[event];
    if (users) return threshold_of(random, thread, any_bit(users, choice >> 2));
  }
  return 0;
}

static void choose_counts(struct pmuv3_random *random, enum pmuv3_event event) {
  uint64_t limit = pmuv3_event_limit(event);
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
static void move_event(struct pmuv3_random *random, enum pmuv3_event event, unsigned to) {
  unsigned from = random->place[event];
  uint8_t other = random->order[to];
  random->order[to] = (uint8_t)event;
  random->place[event] = (uint8_t)to;
  random->order[from] = other;
  random->place[other] = (uint8_t)from;
}

void random_note_selector(struct pmuv3_random *random, enum pmuv3_event event, int by) {
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
  enum pmuv3_event before = event_of(thread, n);
  thread->type[n] = value & random->mask[n % 2 ? TO_EVTYPER_ODD : TO_EVTYPER_EVEN];
  enum pmuv3_event after = event_of(thread, n);
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

static bool is_type(uint16_t reg) {
  return reg >= PMUV3_PMEVTYPER && reg < PMUV3_PMEVTYPERn(PMUV3_MAX_COUNTERS);
}

/* What the register that a write goes to holds; 0 of one that is not kept. */
static uint64_t held(const struct thread *thread, uint16_t reg) {
  if (is_type(reg)) return thread->type[reg - PMUV3_PMEVTYPER];
  for (unsigned target = 0; target < NUM_HELD; target++)
    if (random_target_reg[target] == reg) return thread->held[target];
  return 0;
}

/* The write of the AArch64 register that a write of an AArch32 one is. */
static struct pmuv3_write without_view(const struct thread *thread, struct pmuv3_write write) {
  for (size_t i = 0; i < NUM_VIEWS; i++) {
    const struct view *view = &random_views[i];
    unsigned n = (unsigned)(write.reg - view->reg);
    if (n >= copies_of(view->of)) continue;
    uint16_t reg = (uint16_t)(view->of + n);
    uint64_t kept = held(thread, reg) & ~(uint64_t)UINT32_MAX;
    return (struct pmuv3_write){reg, kept | (write.value & view->mask)};
  }
  return write;
}

void random_note_write(struct pmuv3_random *random, struct thread *thread,
                       const struct pmuv3_write *write) {
  struct pmuv3_write to = write->reg >> 14 == 0 ? without_view(thread, *write) : *write;
  if (is_type(to.reg)) note_type(random, thread, (unsigned)(to.reg - PMUV3_PMEVTYPER), to.value);
  if (to.reg == PMUV3_PMCNTENSET) thread->enabled |= to.value & random->implemented;
  if (to.reg == PMUV3_PMCNTENCLR) thread->enabled &= ~to.value;
  for (unsigned target = 0; target < NUM_HELD; target++)
    if (random_target_reg[target] == to.reg) thread->held[target] = to.value & random->mask[target];
  thread->held[TO_PMCR] &= ~(PMUV3_MASK(PMCR, C) | PMUV3_MASK(PMCR, P));
}

/* Every register is as at the start, but MTPME, which a Cold reset alone sets. */
void random_note_reset(struct pmuv3_random *random) {
  for (unsigned t = 0; t < random->params.threads; t++) {
    struct thread *thread = &random->threads[t];
    for (unsigned target = 0; target < NUM_HELD; target++)
      thread->held[target] &= target == TO_MDCR_EL2   ? PMUV3_MASK(MDCR_EL2, MTPME)
                              : target == TO_MDCR_EL3 ? PMUV3_MASK(MDCR_EL3, MTPME)
                                                      : 0;
    thread->held[TO_MDCR_EL2] |= random->params.counters; /* HPMN */
    thread->enabled = 0;
    thread->pending = 0;
    for (unsigned n = 0; n < random->params.counters; n++) note_type(random, thread, n, 0);
  }
}
