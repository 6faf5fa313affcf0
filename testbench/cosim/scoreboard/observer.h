/* An observer of a lockstep: gets the inputs of both sides, and the answers on which both sides
 * agree. */
#ifndef PMUV3_OBSERVER_H
#define PMUV3_OBSERVER_H

#include "pmuv3/cycle.h"
#include "pmuv3/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A finished access between two Processor cycles. */
struct pmuv3_observed {
  unsigned thread;
  bool writes;
  bool checked;      /* the thread's state decides the result (msr, mrs) */
  bool external;     /* an access in the external view */
  uint8_t ss;        /* external: the physical address space */
  uint16_t offset;   /* external: the offset in the page */
  uint16_t reg;      /* otherwise: the register's encoding */
  uint64_t value;    /* the value written or read */
  unsigned result;   /* enum pmuv3_result, where it was checked; enum pmuv3_access, where not; of an
                        external one: whether it was done */
  uint32_t syndrome; /* pmuv3_syndrome, where it was checked */
};

/* An observer. Embed it as the first member of your own struct. Probes are of each thread after the
 * input; an access gives only the probe of its thread. The observer gets nothing after a
 * divergence. */
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
