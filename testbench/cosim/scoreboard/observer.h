/* Who watches a lockstep: what was done to both sides, and what both answered alike. */
#ifndef PMUV3_OBSERVER_H
#define PMUV3_OBSERVER_H

#include "pmuv3/cycle.h"
#include "pmuv3/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An access between two Processor cycles, as it ended. */
struct pmuv3_observed {
  unsigned thread;
  bool writes;
  bool checked;    /* by the thread's state (msr, mrs) */
  bool external;   /* in the external view: */
  uint8_t ss;      /* its physical address space */
  uint16_t offset; /* and place in the page */
  uint16_t reg;    /* else: the register's encoding */
  uint64_t value;  /* that was written or read */
  unsigned result; /* enum pmuv3_result, where it was checked; enum pmuv3_access, where not; of an
                      external one: whether it was done */
};

/* A watcher; embed it as the first member of your own struct. Probes are those of each thread after
 * what is told, of an access of its thread alone. Nothing is told from a divergence on. */
struct pmuv3_observer {
  void (*start)(struct pmuv3_observer *observer, const struct pmuv3_pe pe[PMUV3_MAX_THREADS],
                const struct pmuv3_probe probes[PMUV3_MAX_THREADS]);
  void (*reset)(struct pmuv3_observer *observer,
                const struct pmuv3_probe probes[PMUV3_MAX_THREADS]);
  void (*set_pe)(struct pmuv3_observer *observer, unsigned thread, const struct pmuv3_pe *pe);
  void (*access)(struct pmuv3_observer *observer, const struct pmuv3_observed *access,
                 const struct pmuv3_probe *probe); /* NULL: nothing was written */
  void (*cycle)(struct pmuv3_observer *observer, const struct pmuv3_cycle *cycle,
                const struct pmuv3_probe probes[PMUV3_MAX_THREADS]);
};

#ifdef __cplusplus
}
#endif

#endif
