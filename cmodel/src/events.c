/* Sets of events: lookup, and checks that an implementation may have them. */
#include <string.h>

#include "internal.h"
#include "pmuv3/params.h"

/* The spelling of traits in events.def. */
enum {
  NONE = PMUV3_EVENT_TRAIT_NONE,
  EXACT = PMUV3_EVENT_TRAIT_EXACT,
  SYNC = PMUV3_EVENT_TRAIT_SYNC,
  ALL_TRAITS = EXACT | SYNC,
};

static const struct pmuv3_event rows[] = {
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits, most) \
  {number, PMUV3_EVENT_CLASS_##class, PMUV3_EVENT_ATTRIBUTION_##attribution, traits, most},
#include "pmuv3/events.def"
};

static const char *const mnemonics[] = {
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits, most) #mnemonic,
#include "pmuv3/events.def"
};

enum { NUM_ROWS = sizeof rows / sizeof *rows };
_Static_assert(NUM_ROWS <= PMUV3_MAX_EVENTS, "the default set holds all rows of events.def");

static const char *const class_names[PMUV3_NUM_EVENT_CLASSES] = {
    [PMUV3_EVENT_CLASS_SELF] = "SELF",           [PMUV3_EVENT_CLASS_COUNT] = "COUNT",
    [PMUV3_EVENT_CLASS_STALL] = "STALL",         [PMUV3_EVENT_CLASS_SECOND] = "SECOND",
    [PMUV3_EVENT_CLASS_CONDITION] = "CONDITION", [PMUV3_EVENT_CLASS_SLOTS] = "SLOTS",
};

static const char *const attribution_names[PMUV3_NUM_EVENT_ATTRIBUTIONS] = {
    [PMUV3_EVENT_ATTRIBUTION_CORE] = "CORE",     [PMUV3_EVENT_ATTRIBUTION_MEMORY] = "MEMORY",
    [PMUV3_EVENT_ATTRIBUTION_SHARED] = "SHARED", [PMUV3_EVENT_ATTRIBUTION_OWN] = "OWN",
    [PMUV3_EVENT_ATTRIBUTION_TRACE] = "TRACE",
};

/* ---- lookup ---- */

/* The index of the first row whose number is not below `number`. How far the search got does not
 * depend on the number, so the proof can follow it. */
static unsigned place_of(const struct pmuv3_event *event, unsigned num, uint16_t number) {
  unsigned first = 0;
  while (num > 1) {
    const unsigned half = num / 2;
    if (event[first + half - 1].number < number) first += half;
    num -= half;
  }
  return first + (num == 1 && event[first].number < number);
}

static const struct pmuv3_event *find(const struct pmuv3_event *event, unsigned num,
                                      uint16_t number) {
  const unsigned place = place_of(event, num, number);
  return place < num && event[place].number == number ? &event[place] : NULL;
}

const struct pmuv3_event *pmuv3_events_find(const struct pmuv3_events *events, uint16_t number) {
  return find(events->event, events->num, number);
}

unsigned pmuv3_events_index(const struct pmuv3_events *events, uint16_t number) {
  const struct pmuv3_event *event = pmuv3_events_find(events, number);
  return event ? (unsigned)(event - events->event) : PMUV3_NO_EVENT;
}

void pmuv3_events_rows(const struct pmuv3_events *events, struct pmuv3_event_rows *by_number) {
  memset(by_number, 0, sizeof *by_number);
  for (unsigned e = 0; e < events->num; e++)
    by_number->place[events->event[e].number] = (uint16_t)(e + 1);
}

const struct pmuv3_event *pmuv3_event_of_architecture(uint16_t number) {
  return find(rows, NUM_ROWS, number);
}

const char *pmuv3_event_mnemonic(uint16_t number) {
  const struct pmuv3_event *row = pmuv3_event_of_architecture(number);
  return row ? mnemonics[row - rows] : NULL;
}

const char *pmuv3_event_class_name(unsigned event_class) {
  return event_class < PMUV3_NUM_EVENT_CLASSES ? class_names[event_class] : NULL;
}

const char *pmuv3_event_attribution_name(unsigned attribution) {
  return attribution < PMUV3_NUM_EVENT_ATTRIBUTIONS ? attribution_names[attribution] : NULL;
}

bool pmuv3_event_fits(const struct pmuv3_params *params, const struct pmuv3_event *event) {
  return pmuv3_has(params, PMUV3_FEATURE_PMUv3p1) || event->number < 0x400;
}

/* ---- checks ---- */

/* The PMU makes SELF events itself, so their rows are fixed. */
static const char *self_wrong(const struct pmuv3_event *event) {
  const struct pmuv3_event *row = pmuv3_event_of_architecture(event->number);
  const bool is_self = row && row->event_class == PMUV3_EVENT_CLASS_SELF;
  if (!is_self && event->event_class == PMUV3_EVENT_CLASS_SELF)
    return pmuv3_error("event 0x%04X cannot be of class SELF: the PMU does not make it",
                       event->number);
  if (is_self && memcmp(event, row, sizeof *event) != 0)
    return pmuv3_error("event 0x%04X is the PMU's own: it is as in events.def", event->number);
  return NULL;
}

/* Class SECOND depends on STALL_BACKEND. The instruction counter counts INST_RETIRED. */
static const char *needed_wrong(const struct pmuv3_event *event) {
  const bool is_retired = event->number == PMUV3_EVENT_INST_RETIRED;
  if (event->number != PMUV3_EVENT_STALL_BACKEND && !is_retired) return NULL;
  const unsigned needed = is_retired ? PMUV3_EVENT_CLASS_COUNT : PMUV3_EVENT_CLASS_STALL;
  if (event->event_class != needed)
    return pmuv3_error("event 0x%04X must be of class %s, not %s", event->number,
                       class_names[needed], class_names[event->event_class]);
  if (is_retired && event->attribution != PMUV3_EVENT_ATTRIBUTION_CORE)
    return pmuv3_error("event 0x%04X must be attributable to CORE, not %s", event->number,
                       attribution_names[event->attribution]);
  return NULL;
}

/* Other classes are about the thread's own cycles, which belong to its Exception level. */
static const char *trace_wrong(const struct pmuv3_event *event) {
  if (event->attribution != PMUV3_EVENT_ATTRIBUTION_TRACE ||
      event->event_class == PMUV3_EVENT_CLASS_COUNT)
    return NULL;
  return pmuv3_error("event 0x%04X cannot be attributable to TRACE: only class COUNT can",
                     event->number);
}

/* D14.7: an event of an exception that is taken is attributable to no instruction, or to one that
 * generates an exception. */
static bool is_exception(uint16_t number) {
  return number == PMUV3_EVENT_EXC_TAKEN ||
         (number >= PMUV3_EVENT_EXC_UNDEF && number <= PMUV3_EVENT_EXC_TRAP_FIQ);
}

/* D14.7: only events that count instructions at retirement can be synchronous. Exceptions, and what
 * is in cycles or Slots, are no such events. The implementer knows what all others count. */
bool pmuv3_event_is_never_sync(uint16_t number) {
  const struct pmuv3_event *row = pmuv3_event_of_architecture(number);
  if (!row || (row->traits & SYNC) != 0) return false;
  return row->event_class != PMUV3_EVENT_CLASS_COUNT || is_exception(number);
}

/* K-SYNC-EVENTS: the minimum, which events.def marks. */
bool pmuv3_event_is_sync_with_sebep(uint16_t number) {
  const struct pmuv3_event *row = pmuv3_event_of_architecture(number);
  return row && (row->traits & SYNC) != 0;
}

static const char *sync_wrong(const struct pmuv3_event *event) {
  if ((event->traits & SYNC) == 0 || !pmuv3_event_is_never_sync(event->number)) return NULL;
  return pmuv3_error("event 0x%04X cannot have the trait SYNC: it counts no retired instructions",
                     event->number);
}

static const char *most_wrong(const struct pmuv3_event *event) {
  switch (event->event_class) {
    case PMUV3_EVENT_CLASS_COUNT:
    case PMUV3_EVENT_CLASS_SLOTS:
      if (event->most != 0) return NULL;
      return pmuv3_error("most of event 0x%04X must be 1..255, not 0", event->number);
    case PMUV3_EVENT_CLASS_SELF:
      return NULL; /* self_wrong */
    default:
      if (event->most == 1) return NULL;
      return pmuv3_error("most of event 0x%04X must be 1, not %u: it is a condition", event->number,
                         event->most);
  }
}

static const char *event_wrong(const struct pmuv3_event *event) {
  if (event->number == PMUV3_EVENT_NUMBER_PMU_OVFS || event->number == PMUV3_EVENT_NUMBER_PMU_HOVFS)
    return pmuv3_error("event 0x%04X is exported, but never counted", event->number);
  if (event->event_class >= PMUV3_NUM_EVENT_CLASSES)
    return pmuv3_error("event 0x%04X has an unknown class, %u", event->number, event->event_class);
  if (event->attribution >= PMUV3_NUM_EVENT_ATTRIBUTIONS)
    return pmuv3_error("event 0x%04X has an unknown attribution, %u", event->number,
                       event->attribution);
  if ((event->traits & ~ALL_TRAITS) != 0)
    return pmuv3_error("event 0x%04X has an unknown trait, %u", event->number, event->traits);
  const char *wrong = self_wrong(event);
  if (!wrong) wrong = needed_wrong(event);
  if (!wrong) wrong = trace_wrong(event);
  if (!wrong) wrong = sync_wrong(event);
  if (!wrong) wrong = most_wrong(event);
  return wrong;
}

static const char *rows_wrong(const struct pmuv3_events *events) {
  for (unsigned e = 0; e < events->num; e++) {
    const struct pmuv3_event *event = &events->event[e];
    if (e > 0 && event->number <= event[-1].number)
      return pmuv3_error("event 0x%04X is not in order, or twice", event->number);
    const char *wrong = event_wrong(event);
    if (wrong) return wrong;
  }
  static const struct pmuv3_event none;
  for (unsigned e = events->num; e < PMUV3_MAX_EVENTS; e++)
    if (memcmp(&events->event[e], &none, sizeof none) != 0)
      return pmuv3_error("row %u of the events is beyond the last, and not 0", e);
  return NULL;
}

const char *pmuv3_events_wrong(const struct pmuv3_events *events) {
  if (events->num > PMUV3_MAX_EVENTS)
    return pmuv3_error("there can be %u events, not %u", PMUV3_MAX_EVENTS, events->num);
  const char *wrong = rows_wrong(events);
  if (wrong) return wrong;
  for (unsigned e = 0; e < NUM_ROWS; e++)
    if (rows[e].event_class == PMUV3_EVENT_CLASS_SELF && !pmuv3_events_find(events, rows[e].number))
      return pmuv3_error("event 0x%04X is missing: every implementation has it", rows[e].number);
  if (pmuv3_events_find(events, PMUV3_EVENT_STALL_BACKEND)) return NULL;
  for (unsigned e = 0; e < events->num; e++)
    if (events->event[e].event_class == PMUV3_EVENT_CLASS_SECOND)
      return pmuv3_error("event 0x%04X needs STALL_BACKEND (0x0024), for its class SECOND",
                         events->event[e].number);
  return NULL;
}

const char *pmuv3_events_wrong_with_sebep(const struct pmuv3_events *events) {
  for (unsigned e = 0; e < events->num; e++) {
    const struct pmuv3_event *event = &events->event[e];
    if ((event->traits & SYNC) == 0 && pmuv3_event_is_sync_with_sebep(event->number))
      return pmuv3_error("event 0x%04X needs the trait SYNC, since features has SEBEP",
                         event->number);
  }
  return NULL;
}

/* ---- sets ---- */

const char *pmuv3_events_add(struct pmuv3_events *events, struct pmuv3_event event) {
  const char *wrong = event_wrong(&event);
  if (wrong) return wrong;
  const unsigned place = place_of(events->event, events->num, event.number);
  struct pmuv3_event *row = &events->event[place];
  if (place == events->num || row->number != event.number) {
    if (events->num == PMUV3_MAX_EVENTS)
      return pmuv3_error("event 0x%04X is one more than %u", event.number, PMUV3_MAX_EVENTS);
    memmove(row + 1, row, (events->num - place) * sizeof *row);
    events->num++;
  }
  *row = event;
  return NULL;
}

struct pmuv3_events pmuv3_events_default(void) {
  struct pmuv3_events events = {.num = NUM_ROWS};
  memcpy(events.event, rows, sizeof rows);
  return events;
}

struct pmuv3_events pmuv3_events_smallest(void) {
  struct pmuv3_events events = {0};
  for (unsigned e = 0; e < NUM_ROWS; e++)
    if (rows[e].event_class == PMUV3_EVENT_CLASS_SELF) events.event[events.num++] = rows[e];
  return events;
}
