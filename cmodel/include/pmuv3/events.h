/* The implemented events (D14), from events.def. */
#ifndef PMUV3_EVENTS_H
#define PMUV3_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmuv3/params.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of the implemented events: what evtCount holds, and what an occurrence is of. */
enum pmuv3_event {
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits) PMUV3_EVENT_##mnemonic = (number),
#include "pmuv3/events.def"
};

/* Places of the implemented events in tables, in order of their numbers. Not an event. */
enum pmuv3_event_index {
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits) PMUV3_INDEX_##mnemonic,
#include "pmuv3/events.def"
  PMUV3_NUM_EVENTS,
  PMUV3_INDEX_NONE = PMUV3_NUM_EVENTS /* of a number that is not implemented */
};

/* Classes of events, see events.def. */
enum pmuv3_event_class {
  PMUV3_EVENT_CLASS_SELF,
  PMUV3_EVENT_CLASS_COUNT,
  PMUV3_EVENT_CLASS_STALL,
  PMUV3_EVENT_CLASS_SECOND,
  PMUV3_EVENT_CLASS_CONDITION,
  PMUV3_EVENT_CLASS_SLOTS
};

/* What an event is attributable to, see events.def. */
enum pmuv3_event_attribution {
  PMUV3_EVENT_ATTRIBUTION_CORE,
  PMUV3_EVENT_ATTRIBUTION_MEMORY,
  PMUV3_EVENT_ATTRIBUTION_SHARED,
  PMUV3_EVENT_ATTRIBUTION_TRACE
};

/* Traits of events, see events.def; a bit each. */
enum pmuv3_event_trait {
  PMUV3_EVENT_TRAIT_NONE = 0,
  PMUV3_EVENT_TRAIT_EXACT = 1,
  PMUV3_EVENT_TRAIT_SYNC = 2
};

/* The index of an event's number; PMUV3_INDEX_NONE when it is not implemented. */
enum pmuv3_event_index pmuv3_event_index_of(uint16_t number);

/*
 * Number, mnemonic, class, attribution and traits of the event with an index, which
 * is below PMUV3_NUM_EVENTS. pmuv3_event_limit: the most that it can occur in one
 * cycle (0 for SELF).
 */
uint16_t pmuv3_event_number(enum pmuv3_event_index event);
const char *pmuv3_event_mnemonic(enum pmuv3_event_index event);
enum pmuv3_event_class pmuv3_event_class_of(enum pmuv3_event_index event);
enum pmuv3_event_attribution pmuv3_event_attribution_of(enum pmuv3_event_index event);
unsigned pmuv3_event_traits(enum pmuv3_event_index event);
uint8_t pmuv3_event_limit(enum pmuv3_event_index event);

/* Whether an evtCount of these parameters can hold the event's number: 16 bits with PMUv3p1,
 * else 10. */
bool pmuv3_event_fits(const struct pmuv3_params *params, enum pmuv3_event_index event);

#ifdef __cplusplus
}
#endif

#endif
