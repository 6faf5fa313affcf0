/*
 * The C model with every access and every cycle checked: the interface's
 * contracts and what the rules say of any stimulus, whatever it is. The first
 * thing that does not hold is printed and aborts.
 */
#ifndef PMUV3_CHECKED_H
#define PMUV3_CHECKED_H

#include <stdio.h>
#include <stdlib.h>

#include "pmuv3/pmuv3.h"

#define CHECK(condition)                                                                  \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, (int)__LINE__, #condition); \
      abort();                                                                            \
    }                                                                                     \
  } while (0)

/* pmuv3_init, pmuv3_reset: all registers as they start. */
void checked_init(struct pmuv3 *pmu, const struct pmuv3_params *params);
void checked_reset(struct pmuv3 *pmu);

/* pmuv3_write: what it changes, and nothing else. */
enum pmuv3_access checked_write(struct pmuv3 *pmu, uint16_t reg, uint64_t value);

/* pmuv3_read: what it gives, without side effects. */
enum pmuv3_access checked_read(const struct pmuv3 *pmu, uint16_t reg, uint64_t *value);

/* pmuv3_tick: counting, overflow and the write of the same clock. */
void checked_tick(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle);

#endif
