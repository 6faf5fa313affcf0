/*
 * Events (D14). The implemented events are a parameter: a set of rows, one for each event.
 * events.def is the source of the default set, and of the mnemonics.
 */
#ifndef PMUV3_EVENTS_H
#define PMUV3_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_params;

/* Numbers of the events in events.def, as in evtCount and in pmuv3_occurrence. */
enum pmuv3_event_number {
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits, most) \
  PMUV3_EVENT_##mnemonic = (number),
#include "pmuv3/events.def"
};

/* Common events that the architecture exports, but never counts (D14.3.1). */
#define PMUV3_EVENT_NUMBER_PMU_OVFS 0x400D
#define PMUV3_EVENT_NUMBER_PMU_HOVFS 0x400F

/* Classes of events, see events.def. */
enum pmuv3_event_class {
  PMUV3_EVENT_CLASS_SELF,
  PMUV3_EVENT_CLASS_COUNT,
  PMUV3_EVENT_CLASS_STALL,
  PMUV3_EVENT_CLASS_SECOND,
  PMUV3_EVENT_CLASS_CONDITION,
  PMUV3_EVENT_CLASS_SLOTS,
  PMUV3_NUM_EVENT_CLASSES
};

/* To what an event is attributable, see events.def. */
enum pmuv3_event_attribution {
  PMUV3_EVENT_ATTRIBUTION_CORE,
  PMUV3_EVENT_ATTRIBUTION_MEMORY,
  PMUV3_EVENT_ATTRIBUTION_SHARED,
  PMUV3_EVENT_ATTRIBUTION_OWN,
  PMUV3_EVENT_ATTRIBUTION_TRACE,
  PMUV3_NUM_EVENT_ATTRIBUTIONS
};

/* Traits of events, see events.def; a bit each. */
enum pmuv3_event_trait {
  PMUV3_EVENT_TRAIT_NONE = 0,
  PMUV3_EVENT_TRAIT_EXACT = 1,
  PMUV3_EVENT_TRAIT_SYNC = 2
};

/* An implementation has at most this many events. */
#define PMUV3_MAX_EVENTS 256

/* The index of a row that does not exist. */
#define PMUV3_NO_EVENT PMUV3_MAX_EVENTS

/* An implemented event. */
struct pmuv3_event {
  uint16_t number;
  uint8_t event_class; /* enum pmuv3_event_class */
  uint8_t attribution; /* enum pmuv3_event_attribution */
  uint8_t traits;      /* enum pmuv3_event_trait bits */
  uint8_t most;        /* how often it can occur in one cycle; 0 for SELF */
};

/*
 * The events of an implementation: `num` rows in order of their numbers, each number once. Rows
 * beyond are 0, so that equal sets are equal bytes. The RTL has an input for each row that is not
 * SELF, in the order of the rows.
 */
struct pmuv3_events {
  uint16_t num;
  struct pmuv3_event event[PMUV3_MAX_EVENTS];
};

/* The default set: all rows of events.def. */
struct pmuv3_events pmuv3_events_default(void);

/* The smallest set: the SELF events, which every implementation has. */
struct pmuv3_events pmuv3_events_smallest(void);

/*
 * Adds an event to a set, or replaces the event of that number. Returns NULL, or says in words what
 * is wrong with the event by itself, until the thread's next call; then the set is unchanged.
 * Wrong are
 * - a number that can never count: PMU_OVFS (0x400D) and PMU_HOVFS (0x400F)
 * - a class, an attribution or a trait that does not exist
 * - SELF for any event but SW_INCR, CPU_CYCLES, CHAIN and PMU_SNAPSHOT, and another row for these
 * - `most` other than 1 for STALL, SECOND and CONDITION, or 0 for COUNT and SLOTS
 * - TRACE for another class than COUNT: cycles and Slots belong to the thread's Exception level
 * - another class than STALL for STALL_BACKEND, on which SECOND depends
 * - another class than COUNT or another attribution than CORE for INST_RETIRED, which the
 *   instruction counter counts
 * - SYNC for an event of events.def that counts no retired instructions (D14.7): one that is of
 *   another class than COUNT there, or is an exception taken
 * - an event more than PMUV3_MAX_EVENTS
 */
const char *pmuv3_events_add(struct pmuv3_events *events, struct pmuv3_event event);

/*
 * Says in words what is wrong with a set, until the thread's next call. NULL: an implementation may
 * have it. Wrong are
 * - more than PMUV3_MAX_EVENTS rows, rows out of order or twice, or bytes beyond that are not 0
 * - a row that pmuv3_events_add refuses
 * - a SELF event that is missing
 * - an event of class SECOND without STALL_BACKEND
 */
const char *pmuv3_events_wrong(const struct pmuv3_events *events);

/* The row of an event by its number. NULL: the event is not implemented. */
const struct pmuv3_event *pmuv3_events_find(const struct pmuv3_events *events, uint16_t number);

/* The index of an event's row by its number. PMUV3_NO_EVENT: the event is not implemented. */
unsigned pmuv3_events_index(const struct pmuv3_events *events, uint16_t number);

/*
 * A table of the rows of a set by event number, for a caller that looks up many events.
 * pmuv3_events_rows fills it. pmuv3_events_at returns what pmuv3_events_find returns. The table is
 * of the set as it was then: fill it again when the set changes.
 */
struct pmuv3_event_rows {
  uint16_t place[UINT16_MAX + 1]; /* index + 1 of the row; 0: the event is not implemented */
};
void pmuv3_events_rows(const struct pmuv3_events *events, struct pmuv3_event_rows *rows);
static inline const struct pmuv3_event *pmuv3_events_at(const struct pmuv3_events *events,
                                                        const struct pmuv3_event_rows *rows,
                                                        uint16_t number) {
  const uint16_t place = rows->place[number];
  return place != 0 ? &events->event[place - 1] : NULL;
}

/* The row of an event in events.def. NULL: events.def does not have the number. */
const struct pmuv3_event *pmuv3_event_of_architecture(uint16_t number);

/* The mnemonic of an event in events.def. NULL: events.def does not have the number. */
const char *pmuv3_event_mnemonic(uint16_t number);

/* The words of events.def: "COUNT", "CORE". NULL: there is no such class or attribution. */
const char *pmuv3_event_class_name(unsigned event_class);
const char *pmuv3_event_attribution_name(unsigned attribution);

/* Whether evtCount can hold the event's number with these parameters. It has 16 bits with PMUv3p1,
 * else 10. */
bool pmuv3_event_fits(const struct pmuv3_params *params, const struct pmuv3_event *event);

#ifdef __cplusplus
}
#endif

#endif
