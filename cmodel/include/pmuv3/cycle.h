/*
 * What goes into one Processor cycle and what is seen of it: plain data shared
 * by the model, the sides and everything that drives or compares them.
 */
#ifndef PMUV3_CYCLE_H
#define PMUV3_CYCLE_H

#include <stdbool.h>
#include <stdint.h>

#include "pmuv3/events.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counters with room for all 31; lane 31 is unused and always 0. */
#define PMUV3_LANES 32

/* `count` occurrences of an event in this cycle. Architecturally executed: nothing speculative is
 * presented. */
struct pmuv3_occurrence {
  uint8_t event; /* enum pmuv3_event, not of class SELF */
  uint8_t count; /* 0..pmuv3_event_limit */
};

/* A register write; reg is a System register encoding. */
struct pmuv3_write {
  uint16_t reg;
  uint64_t value;
};

/* One Processor cycle: what occurs in it, and a register write in that same clock (formats.md
 * section 4). */
struct pmuv3_cycle {
  const struct pmuv3_occurrence *occurrences; /* an event at most once */
  uint8_t num_occurrences;
  bool has_write;
  struct pmuv3_write write;
};

/*
 * The last Processor cycle's values of every counter (allowed .. V: in the
 * cycle; CP as used in it) and every readable register as it is now. All zero
 * beyond the implemented counters; after a reset VB..V are 0.
 */
struct pmuv3_probe {
#define PMUV3_PROBE_COUNTERS(field, name) uint64_t field[PMUV3_LANES];
#include "pmuv3/probe.def"
#define PMUV3_PROBE_GLOBAL(field, name) uint64_t field;
#include "pmuv3/probe.def"
#define PMUV3_PROBE_BITS(field, name) uint32_t field;
#include "pmuv3/probe.def"
#define PMUV3_PROBE_LANES(field, name) uint16_t field[PMUV3_LANES];
#include "pmuv3/probe.def"
};

#ifdef __cplusplus
}
#endif

#endif
