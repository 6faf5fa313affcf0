#include "pmuv3/events.h"

struct event {
  uint16_t number;
  const char *mnemonic;
  enum pmuv3_event_class class;
};

static const struct event events[PMUV3_NUM_EVENTS] = {
#define PMUV3_EVENT(number, mnemonic, class) {number, #mnemonic, PMUV3_EVENT_CLASS_##class},
#include "pmuv3/events.def"
};

enum pmuv3_event pmuv3_event_find(uint16_t number) {
  switch (number) {
#define PMUV3_EVENT(number, mnemonic, class) \
  case number:                               \
    return PMUV3_EVENT_##mnemonic;
#include "pmuv3/events.def"
    default:
      return PMUV3_EVENT_NONE;
  }
}

uint16_t pmuv3_event_number(enum pmuv3_event event) {
  return events[event].number;
}

const char *pmuv3_event_mnemonic(enum pmuv3_event event) {
  return events[event].mnemonic;
}

enum pmuv3_event_class pmuv3_event_class_of(enum pmuv3_event event) {
  return events[event].class;
}

uint8_t pmuv3_event_limit(enum pmuv3_event event) {
  switch (events[event].class) {
    case PMUV3_EVENT_CLASS_SELF:
      return 0;
    case PMUV3_EVENT_CLASS_CYCLE:
      return 1;
    default:
      return 255;
  }
}

bool pmuv3_event_fits(const struct pmuv3_params *params, enum pmuv3_event event) {
  return pmuv3_has(params, PMUV3_FEATURE_PMUv3p1) || events[event].number < 0x400;
}
