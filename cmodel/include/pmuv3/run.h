/*
 * Many Processor cycles at once: how often events occur in them, and in which of them. Plain data:
 * the model and the sides share it.
 */
#ifndef PMUV3_RUN_H
#define PMUV3_RUN_H

#include <stdint.h>

#include "pmuv3/cycle.h"
#include "pmuv3/params.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How often an event occurs in all cycles of a run together. The total is spread as evenly as whole
 * occurrences can be: total / cycles in each cycle, and one more in each of the first
 * total % cycles.
 */
struct pmuv3_rate {
  uint16_t event; /* its number */
  uint8_t thread;
  uint8_t origin; /* enum pmuv3_origin, but not PMUV3_OTHER: no state changes within a run */
  uint64_t total;
};

/*
 * Says in words what is wrong with the rates of a run of threads in these states: an event that
 * there is not, or twice; more than `most` in a cycle; occurrences in 0 cycles. NULL: nothing. The
 * words stay valid until the calling thread's next error.
 */
const char *pmuv3_rates_wrong(const struct pmuv3_params *params,
                              const struct pmuv3_pe pe[PMUV3_MAX_THREADS], uint64_t cycles,
                              const struct pmuv3_rate rates[], unsigned num_rates);

/*
 * The occurrences of cycle `done` of a run, counted from 0, one for each rate. `done` is below
 * `cycles`. Returns how many cycles, from this one on, have the same occurrences.
 */
uint64_t pmuv3_rates_cycle(uint64_t done, uint64_t cycles, const struct pmuv3_rate rates[],
                           unsigned num_rates, struct pmuv3_occurrence occurrences[]);

#ifdef __cplusplus
}
#endif

#endif
