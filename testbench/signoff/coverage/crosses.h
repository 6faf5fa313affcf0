/* The sampling of crosses. */
#ifndef PMUV3_CROSSES_H
#define PMUV3_CROSSES_H

#include "testbench/signoff/coverage/bins.h"
#include "testbench/signoff/coverage/sample.h"

/* The bins of each cross, and the number of hits of each bin. */
struct cross_hits {
  uint64_t *of[NUM_CROSSES];
};

/* `rows`: the indexes of the occurrences' events. `values`: of each row, its event's value on the
 * axis EVENT; NUM_EVENTS if events.def does not have the event. */
struct occurred_events {
  const uint16_t *rows;
  const uint16_t *values;
};

/* Samples the crosses of a cycle, and of an access. */
void pmuv3_crosses_cycle(const struct cross_hits *hits, const struct pmuv3_params *params,
                         const struct thread *threads, const struct pmuv3_cycle *cycle,
                         const struct occurred_events *occurred, const struct sample *samples);
void pmuv3_crosses_access(const struct cross_hits *hits, const struct access *access);

/* The value on the axis CONTEXT. */
unsigned pmuv3_context_value(unsigned el, unsigned ss);

#endif
