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

/* That the parameters are the same. */
void check_same_params(const struct pmuv3_params *a, const struct pmuv3_params *b);

/* pmuv3_init, pmuv3_reset: all registers as they start. */
void checked_init(struct pmuv3 *pmu, const struct pmuv3_params *params);
void checked_reset(struct pmuv3 *pmu);

/* pmuv3_set_pe: nothing but outputs is seen of it before a cycle. */
void checked_set_pe(struct pmuv3 *pmu, unsigned thread, const struct pmuv3_pe *pe);

/* pmuv3_write: what it changes in its thread's PMU, and nothing else. */
enum pmuv3_access checked_write(struct pmuv3 *pmu, unsigned thread, uint16_t reg, uint64_t value);

/* pmuv3_read: what it gives, without side effects. */
enum pmuv3_access checked_read(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                               uint64_t *value);

/* Accesses that are judged: an error changes nothing, other threads' PMUs stay, reads have no side
 * effects. The thread of an external one is its own. */
enum pmuv3_result checked_msr(struct pmuv3 *pmu, unsigned thread, uint16_t reg, uint64_t value);
enum pmuv3_result checked_mrs(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                              uint64_t *value);
bool checked_external_write(struct pmuv3 *pmu, const struct pmuv3_external *write);
bool checked_external_read(const struct pmuv3 *pmu, const struct pmuv3_external *read,
                           uint32_t *value);

/* pmuv3_tick: counting, overflow and the writes of the same clock. */
void checked_tick(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle);

/*
 * That the next cycle is the same when all registers and states are given the
 * values that they have: what the model derives from them does not depend on how
 * they came to be so.
 */
void check_derived(const struct pmuv3 *pmu);

#endif
