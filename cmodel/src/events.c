#include "pmuv3/cycle.h"

struct event {
  uint16_t number;
  const char *mnemonic;
  enum pmuv3_event_class event_class;
  enum pmuv3_event_attribution attribution;
  unsigned traits;
};

/* The spelling of traits in events.def. */
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
  switch (events[event].event_class) {
    case PMUV3_EVENT_CLASS_SELF:
      return 0;
    case PMUV3_EVENT_CLASS_STALL:
    case PMUV3_EVENT_CLASS_SECOND:
    case PMUV3_EVENT_CLASS_CONDITION:
      return 1;
    default:
      return 255;
  }
}

bool pmuv3_event_has(enum pmuv3_event_index event, unsigned origin) {
  if (event == PMUV3_INDEX_NONE) return false;
  switch (events[event].event_class) {
    case PMUV3_EVENT_CLASS_SELF:
      return false;
    case PMUV3_EVENT_CLASS_COUNT:
      return origin < PMUV3_NUM_ORIGINS;
    default:
      return origin == PMUV3_CURRENT || origin == PMUV3_DEBUGGER;
  }
}

bool pmuv3_event_fits(const struct pmuv3_params *params, enum pmuv3_event_index event) {
  if (event == PMUV3_INDEX_NONE) return false;
  return pmuv3_has(params, PMUV3_FEATURE_PMUv3p1) || events[event].number < 0x400;
}
