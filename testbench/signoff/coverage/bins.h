/* The indices of each coverpoint's bins. */
#ifndef PMUV3_BINS_H
#define PMUV3_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmuv3/events.h"

/* Events of events.def; of them those of the table in B.3.1: exact, and presented to the PMU. */
enum {
  NUM_EVENTS = 0
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits, most) +1
#include "pmuv3/events.def"
  ,
#define NONE 0
#define EXACT 1
#define SYNC 0
  NUM_EXACT_EVENTS = -1 /* SW_INCR */
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits, most) +(traits)
#include "pmuv3/events.def"
#undef NONE
#undef EXACT
#undef SYNC
};

/* The numbers of these events, by their value on the axis. */
uint16_t pmuv3_event_of_value(unsigned value);
uint16_t pmuv3_exact_event_of_value(unsigned value);

/* VALUES_OF_TC, ...: sizes of axes. */
enum {
#define PMUV3_AXIS(id, size, words) VALUES_OF_##id = (size),
#include "testbench/signoff/coverage/crosses.def"
};

enum cross {
#define PMUV3_CROSS(id, name, ...) CROSS_##id,
#include "testbench/signoff/coverage/crosses.def"
  NUM_CROSSES
};

enum { MAX_AXES = 7 };

/* Bins of rules come first: bins of a cycle, of a cycle with siblings, of an access. */
enum {
  FIRST_OF_CYCLE = 0,
  FIRST_OF_GROUP = FIRST_OF_CYCLE
#define PMUV3_COVER_CYCLE(rule, bin, when) +1
#include "testbench/signoff/coverage/coverpoints.def"
  ,
  FIRST_OF_ACCESS = FIRST_OF_GROUP
#define PMUV3_COVER_GROUP(rule, bin, when) +1
#include "testbench/signoff/coverage/coverpoints.def"
  ,
  NUM_RULE_BINS = FIRST_OF_ACCESS
#define PMUV3_COVER_ACCESS(rule, bin, when) +1
#include "testbench/signoff/coverage/coverpoints.def"
};

/* The first bin of a cross. */
size_t pmuv3_cross_first(enum cross cross);

/* The cross of a bin, and the value of each axis. False: the bin belongs to a rule. */
bool pmuv3_cross_of(size_t bin, enum cross *cross, unsigned values[MAX_AXES]);

#endif
