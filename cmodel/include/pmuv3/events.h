/* The implemented events (D14). events.def is their source. */
#ifndef PMUV3_EVENTS_H
#define PMUV3_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmuv3/params.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of the implemented events, as in evtCount and in pmuv3_occurrence. */
enum pmuv3_event {
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits) PMUV3_EVENT_##mnemonic = (number),
#include "pmuv3/events.def"
};

/* Indexes of the implemented events in tables, in order of their numbers. An index is no number. */
enum pmuv3_event_index {
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits) PMUV3_INDEX_##mnemonic,
#include "pmuv3/events.def"
  PMUV3_NUM_EVENTS,
  PMUV3_INDEX_NONE = PMUV3_NUM_EVENTS /* the event of this number is not implemented */
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

/* To what an event is attributable, see events.def. */
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

/* The index of an event by its number. PMUV3_INDEX_NONE: not implemented. */
enum pmuv3_event_index pmuv3_event_index_of(uint16_t number);

/*
 * Number, mnemonic, class, attribution and traits of an event by its index, which is below
 * PMUV3_NUM_EVENTS. pmuv3_event_limit: how often the event can occur in one cycle at most (0 for
 * SELF).
 */
uint16_t pmuv3_event_number(enum pmuv3_event_index event);
const char *pmuv3_event_mnemonic(enum pmuv3_event_index event);
enum pmuv3_event_class pmuv3_event_class_of(enum pmuv3_event_index event);
enum pmuv3_event_attribution pmuv3_event_attribution_of(enum pmuv3_event_index event);
unsigned pmuv3_event_traits(enum pmuv3_event_index event);
uint8_t pmuv3_event_limit(enum pmuv3_event_index event);

/* Whether evtCount can hold the event's number with these parameters. It has 16 bits with PMUv3p1,
 * else 10. False for PMUV3_INDEX_NONE. */
bool pmuv3_event_fits(const struct pmuv3_params *params, enum pmuv3_event_index event);

#ifdef __cplusplus
}
#endif

#endif
