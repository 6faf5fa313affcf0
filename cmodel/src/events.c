#include "pmuv3/events.h"

#include "internal.h"

struct event {
  uint16_t number;
  const char *mnemonic;
  enum pmuv3_event_class event_class;
  enum pmuv3_event_attribution attribution;
  unsigned traits;
};

/* Traits as events.def writes them. */
enum {
  NONE = PMUV3_EVENT_TRAIT_NONE,
  EXACT = PMUV3_EVENT_TRAIT_EXACT,
  SYNC = PMUV3_EVENT_TRAIT_SYNC,
};

static const struct event events[PMUV3_NUM_EVENTS] = {
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits) \
  {number, #mnemonic, PMUV3_EVENT_CLASS_##class, PMUV3_EVENT_ATTRIBUTION_##attribution, traits},
#include "pmuv3/events.def"
};

enum pmuv3_event_index pmuv3_event_index_of(uint16_t number) {
  switch (number) {
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits) \
  case number:                                                    \
    return PMUV3_INDEX_##mnemonic;
#include "pmuv3/events.def"
    default:
      return PMUV3_INDEX_NONE;
  }
}

/* A table, because a cycle asks for the event of each of its occurrences. */
const uint8_t pmuv3_event_rows[UINT16_MAX + 1] = {
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits) \
  [number] = PMUV3_INDEX_##mnemonic + 1,
#include "pmuv3/events.def"
};

/* By class: of occurrences in the thread's current state, elsewhere, Unattributable, a debugger's.
 */
#define OVER_NONE \
  { 0xFF, 0xFF, 0xFF, 0xFF }
#define OVER_SELF OVER_NONE
#define OVER_COUNT \
  { 0, 0, 0, 0 }
#define OVER_STALL \
  { 0xFE, 0xFF, 0xFF, 0xFE }
#define OVER_SECOND OVER_STALL
#define OVER_CONDITION OVER_STALL
#define OVER_SLOTS \
  { 0, 0xFF, 0xFF, 0 }

const uint8_t pmuv3_event_over[PMUV3_NUM_EVENTS + 1][PMUV3_NUM_ORIGINS] = {
    OVER_NONE,
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits) OVER_##class,
#include "pmuv3/events.def"
};

uint16_t pmuv3_event_number(enum pmuv3_event_index event) {
  return events[event].number;
}

const char *pmuv3_event_mnemonic(enum pmuv3_event_index event) {
  return events[event].mnemonic;
}

enum pmuv3_event_class pmuv3_event_class_of(enum pmuv3_event_index event) {
  return events[event].event_class;
}

enum pmuv3_event_attribution pmuv3_event_attribution_of(enum pmuv3_event_index event) {
  return events[event].attribution;
}

unsigned pmuv3_event_traits(enum pmuv3_event_index event) {
  return events[event].traits;
}

uint8_t pmuv3_event_limit(enum pmuv3_event_index event) {
  return UINT8_MAX & ~pmuv3_event_over[event + 1][PMUV3_CURRENT];
}

bool pmuv3_event_has(enum pmuv3_event_index event, unsigned origin) {
  return origin < PMUV3_NUM_ORIGINS && pmuv3_event_over[event + 1][origin] != UINT8_MAX;
}

bool pmuv3_event_fits(const struct pmuv3_params *params, enum pmuv3_event_index event) {
  return pmuv3_has(params, PMUV3_FEATURE_PMUv3p1) || events[event].number < 0x400;
}
