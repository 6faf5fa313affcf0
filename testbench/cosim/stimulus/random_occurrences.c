/* What occurs in a cycle. This is the inner loop of the generator. */
#include "testbench/cosim/stimulus/random_internal.h"

/* Puts an occurrence behind the num that are listed; to keep it is to count it. */
static inline void put(struct pmuv3_random *random, unsigned num, unsigned event, unsigned count,
                       unsigned thread, enum pmuv3_origin origin) {
  random->occurrences[num] = (struct pmuv3_occurrence){random->event[event].number, (uint8_t)count,
                                                       (uint8_t)thread, (uint8_t)origin};
}

/* ---- In the threads' current states ---- */

/* How threads have an event in a cycle: each for itself, one of them alone, two that share a count,
 * or, of what MT = 1 takes from all threads, all of them. */
enum company { EACH, ALONE, SPLIT, ALL };

static enum company any_company(const struct pmuv3_random *random, unsigned event, unsigned bits) {
  if (random->params.threads == 1) return EACH;
  if (random->event[event].event_class != PMUV3_EVENT_CLASS_COUNT) return bits < 9 ? ALL : EACH;
  return bits < 6 ? ALONE : bits < 9 ? SPLIT : EACH;
}

/* Each thread's byte of bits: a count, and whether it is listed. Lists for threads in [first, end).
 */
static unsigned list_each(struct pmuv3_random *random, unsigned num, unsigned event, uint64_t bits,
                          unsigned first, unsigned end) {
  const uint8_t *counts = random->counts[event];
  for (unsigned t = first; t < end; t++, bits >>= 8) {
    put(random, num, event, counts[bits & (COUNTS - 1)], t, PMUV3_CURRENT);
    num += (bits >> 4 & 15) < random->phase->density;
  }
  return num;
}

static unsigned list_split(struct pmuv3_random *random, unsigned num, unsigned event, uint64_t bits,
                           unsigned one) {
  unsigned other = (one + 1) % random->params.threads;
  unsigned count = random->counts[event][bits & (COUNTS - 1)];
  unsigned part = count >> (bits >> 4 & 3);
  put(random, num, event, part, one, PMUV3_CURRENT);
  put(random, num + 1, event, count - part, other, PMUV3_CURRENT);
  return num + 2;
}

/* With MT = 1, Slots count beyond (k - 1) x slots: most threads are short of all Slots by a few,
 * one of them perhaps has but a few. */
static unsigned slots_of(const struct pmuv3_random *random, bool is_one, unsigned bits) {
  unsigned few = bits & 3;
  unsigned slots = random->params.slots;
  if (few > slots) return 0;
  return is_one && bits & 8 ? few : slots - few;
}

static unsigned list_all(struct pmuv3_random *random, unsigned num, unsigned event, uint64_t bits,
                         unsigned one) {
  bool is_slots = random->event[event].event_class == PMUV3_EVENT_CLASS_SLOTS;
  for (unsigned t = 0; t < random->params.threads; t++, bits >>= 4) {
    unsigned count = is_slots ? slots_of(random, t == one, (unsigned)(bits & 15)) : 1;
    count = (unsigned)smaller(count, random->event[event].most);
    put(random, num++, event, count, t, PMUV3_CURRENT);
  }
  return num;
}

static unsigned list_current(struct pmuv3_random *random, unsigned num, unsigned event) {
  uint64_t bits = draw(random);
  unsigned threads = random->params.threads;
  unsigned one = (unsigned)(bits >> 48 & 0xFF) * threads >> 8;
  bool together = (bits >> 44 & 15) < random->phase->density;
  switch (any_company(random, event, (unsigned)(bits >> 40 & 15))) {
    case ALONE:
      return list_each(random, num, event, bits, one, one + 1);
    case SPLIT:
      return together ? list_split(random, num, event, bits, one) : num;
    case ALL:
      return together ? list_all(random, num, event, bits, one) : num;
    default:
      return list_each(random, num, event, bits, 0, threads);
  }
}

/* ---- Of other origins ---- */

/* Lists some of the selected events; only COUNT events occur elsewhere than where the thread is. */
static unsigned list_some(struct pmuv3_random *random, unsigned num, const struct thread *thread,
                          enum pmuv3_origin origin) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < random->num_selected; i++, bits >>= 8) {
    if (i % 8 == 0) bits = draw(random);
    unsigned event = random->order[i];
    bool may =
        origin == PMUV3_DEBUGGER || random->event[event].event_class == PMUV3_EVENT_CLASS_COUNT;
    put(random, num, event, random->counts[event][bits >> 4 & (COUNTS - 1)], thread->number,
        origin);
    num += may && (bits & 15) < 6;
  }
  return num;
}

/* Lists what occurs elsewhere, in another context, or by a debugger. */
static unsigned list_origins(struct pmuv3_random *random, unsigned num, const struct thread *thread,
                             struct pmuv3_context *other) {
  uint64_t bits = draw(random);
  bool in_other = thread->moved ? (bits & 3) != 0 : (bits & 31) == 0;
  bool elsewhere = (bits >> 5 & 7) < (thread->pe.halted ? 3 : 1);
  bool is_related = (bits >> 8 & 3) == 0;
  unsigned before = num;
  if (elsewhere) num = list_some(random, num, thread, PMUV3_UNATTRIBUTABLE);
  is_related = is_related && num > before;
  before = num;
  if (in_other) num = list_some(random, num, thread, PMUV3_OTHER);
  if (num > before || is_related) *other = random_other_context(random, thread);
  other->related = is_related;
  if (thread->pe.halted && (bits >> 10 & 1)) num = list_some(random, num, thread, PMUV3_DEBUGGER);
  return num;
}

/* Lists the most that can be counted of an event: VB has to hold it. */
static unsigned list_flood(struct pmuv3_random *random, unsigned num, unsigned event) {
  static const enum pmuv3_origin origins[] = {PMUV3_CURRENT, PMUV3_OTHER, PMUV3_UNATTRIBUTABLE};
  for (unsigned t = 0; t < random->params.threads; t++)
    for (unsigned i = 0; i < LENGTH(origins); i++)
      put(random, num++, event, random->event[event].most, t, origins[i]);
  return num;
}

/* ---- All of a cycle ---- */

/* Lists an event that no counter selects; it must not be counted. */
static unsigned list_unselected(struct pmuv3_random *random, unsigned num) {
  unsigned others = random->num_listable - random->num_selected;
  if (others == 0) return num;
  unsigned event = random->order[random->num_selected + below(random, others)];
  uint64_t bits = draw(random);
  unsigned thread = (unsigned)(bits >> 8 & 0xFF) * random->params.threads >> 8;
  uint64_t count = smaller(bits & 0xFF, random->event[event].most);
  put(random, num, event, (unsigned)count, thread, PMUV3_CURRENT);
  return num + 1;
}

/* Lists the event in a thread's focus with its count, once. */
static unsigned list_focus(struct pmuv3_random *random, unsigned num, struct thread *thread) {
  unsigned i = 0;
  for (; i < num; i++) {
    const struct pmuv3_occurrence *listed = &random->occurrences[i];
    if (listed->event == random->event[thread->focus].number && listed->thread == thread->number &&
        listed->origin == PMUV3_CURRENT)
      break;
  }
  put(random, i, thread->focus, thread->focus_count, thread->number, PMUV3_CURRENT);
  thread->focus = PMUV3_NO_EVENT;
  return i < num ? num : num + 1;
}

/* Every thread's selected COUNT events as often as they can occur, and nothing else. */
static unsigned list_floods(struct pmuv3_random *random,
                            struct pmuv3_context other[PMUV3_MAX_THREADS]) {
  unsigned num = 0;
  for (unsigned i = 0; i < random->num_selected; i++)
    if (random->event[random->order[i]].event_class == PMUV3_EVENT_CLASS_COUNT)
      num = list_flood(random, num, random->order[i]);
  for (unsigned t = 0; num > 0 && t < random->params.threads; t++)
    other[t] = random_other_context(random, &random->threads[t]);
  return num;
}

/* Whether an event can occur somewhere. A debugger's operations are of a halted thread. */
static bool can_occur(const struct pmuv3_random *random, const struct thread *thread,
                      unsigned event, enum pmuv3_origin origin) {
  if (origin == PMUV3_CURRENT) return true;
  if (origin == PMUV3_DEBUGGER) return thread->pe.halted;
  return random->event[event].event_class == PMUV3_EVENT_CLASS_COUNT;
}

/* Lists most of what an event can be in a thread, each with a count of its own. */
static unsigned list_everywhere(struct pmuv3_random *random, unsigned num, unsigned event,
                                const struct thread *thread) {
  static const enum pmuv3_origin origins[] = {PMUV3_CURRENT, PMUV3_OTHER, PMUV3_UNATTRIBUTABLE,
                                              PMUV3_DEBUGGER};
  uint64_t bits = draw(random);
  for (unsigned i = 0; i < LENGTH(origins); i++, bits >>= 12) {
    const uint64_t count = smaller(bits & 0xFF, random->event[event].most);
    if (!can_occur(random, thread, event, origins[i])) continue;
    put(random, num, event, (unsigned)count, thread->number, origins[i]);
    num += (bits >> 8 & 3) != 0;
  }
  return num;
}

/* Many events at once, everywhere: none of them may change how another one is counted. */
static unsigned list_crowd(struct pmuv3_random *random,
                           struct pmuv3_context other[PMUV3_MAX_THREADS]) {
  enum { CROWD = 16 };
  unsigned num = 0;
  for (unsigned t = 0; t < random->params.threads; t++) {
    const struct thread *thread = &random->threads[t];
    for (unsigned i = 0; i < smaller(CROWD, random->num_listable); i++)
      num = list_everywhere(random, num, random->order[i], thread);
    other[t] = random_other_context(random, thread);
  }
  return num;
}

static unsigned list_usual(struct pmuv3_random *random, bool is_quiet, bool has_unselected,
                           struct pmuv3_context other[PMUV3_MAX_THREADS]) {
  unsigned num = 0;
  if (!is_quiet)
    for (unsigned i = 0; i < random->num_selected; i++)
      num = list_current(random, num, random->order[i]);
  if (has_unselected) num = list_unselected(random, num);
  for (unsigned t = 0; t < random->params.threads; t++) {
    const struct thread *thread = &random->threads[t];
    if (!is_quiet || thread->moved) num = list_origins(random, num, thread, &other[t]);
  }
  return num;
}

unsigned random_list(struct pmuv3_random *random, struct pmuv3_context other[PMUV3_MAX_THREADS]) {
  uint64_t bits = draw(random);
  bool is_quiet = (bits & 0xFF) < random->phase->quiet;
  bool has_unselected = !is_quiet && (bits >> 8 & 7) == 0;
  bool is_flood = !is_quiet && (bits >> 11 & 0xFF) == 0;
  bool is_crowd = !is_quiet && (bits >> 52 & 0x7F) == 0;
  unsigned num = is_flood   ? list_floods(random, other)
                 : is_crowd ? list_crowd(random, other)
                            : list_usual(random, is_quiet, has_unselected, other);
  for (unsigned t = 0; t < random->params.threads; t++)
    if (random->threads[t].focus != PMUV3_NO_EVENT)
      num = list_focus(random, num, &random->threads[t]);
  unsigned refreshed = random->order[bits >> 40 & 15];
  random->counts[refreshed][WILD] =
      (uint8_t)smaller(bits >> 24 & 0xFF, random->event[refreshed].most);
  return num;
}
