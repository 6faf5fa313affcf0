/* One counter's text: perf's event syntax, with the architecture's own terms. */
#ifndef EXPLORE_SPEC_H
#define EXPLORE_SPEC_H

#include "testbench/explore/command/config.h"

/* Terms that stand for several counters have a range. */
struct explore_range {
  uint64_t first, last;
};

struct explore_spec {
  char name[EXPLORE_NAME_SIZE];  /* name=; "": none */
  char event[EXPLORE_NAME_SIZE]; /* the event as it was written */
  unsigned bit;                  /* EXPLORE_BITS: an event counter, any */
  uint16_t number;               /* of the event */
  unsigned given;                /* terms: a bit each */
  struct explore_range threshold;
  unsigned compare, count, edge, mt;
  unsigned link; /* TLC */
  uint64_t period, skid;
  bool user, kernel, hypervisor; /* counts there; none: everywhere */
};

/* Reads a spec of a thread's PMU; `text` is cut. Returns NULL, or in words what is wrong, until the
 * next call. */
const char *explore_spec_read(struct explore_spec *spec, char *text, unsigned thread,
                              const struct pmuv3_params *params, const struct pmt_header *header);

/* A counter of what was not traced would read 0: NULL, or in words that the trace has no column of
 * an event of the thread, or, with PMEVTYPER.MT, of some thread. Valid until the next call. */
const char *explore_event_untraced(uint16_t event, bool mt, unsigned thread,
                                   const struct pmuv3_params *params,
                                   const struct pmt_header *header);

/* The value of PMEVTYPER for a spec with one threshold. */
uint64_t explore_spec_type(const struct explore_spec *spec, uint64_t threshold);

/* The number of an event by mnemonic, in capitals or not, alias of perf, or number. Returns NULL,
 * or in words what is wrong, until the next call: a name may be unknown, or of two events. */
const char *explore_event_find(const char *name, const struct pmuv3_params *params,
                               const struct pmt_header *header, uint16_t *number);

#endif
