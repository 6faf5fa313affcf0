/*
 * The C model with checks of every access and every cycle: the contracts of the interface, and
 * rules that hold for any stimulus. The first failure is printed, and aborts the program.
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

/* Checks that the parameters are the same. */
void check_same_params(const struct pmuv3_params *a, const struct pmuv3_params *b);

/* pmuv3_init, pmuv3_reset: check that all registers have their reset values. */
void checked_init(struct pmuv3 *pmu, const struct pmuv3_params *params);
void checked_reset(struct pmuv3 *pmu);

/* pmuv3_set_pe: checks that only outputs change before the next cycle. */
void checked_set_pe(struct pmuv3 *pmu, unsigned thread, const struct pmuv3_pe *pe);

/* pmuv3_write: checks all changes in the thread's PMU. */
enum pmuv3_access checked_write(struct pmuv3 *pmu, unsigned thread, uint16_t reg, uint64_t value);

/* pmuv3_read: checks the value, and that the read has no side effects. */
enum pmuv3_access checked_read(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                               uint64_t *value);

/* Checked accesses: an error changes nothing, other threads' PMUs stay the same, and reads have no
 * side effects. An external access has its own thread. */
enum pmuv3_result checked_msr(struct pmuv3 *pmu, unsigned thread, uint16_t reg, uint64_t value);
enum pmuv3_result checked_mrs(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                              uint64_t *value);
bool checked_external_write(struct pmuv3 *pmu, const struct pmuv3_external *write);
bool checked_external_read(const struct pmuv3 *pmu, const struct pmuv3_external *read,
                           uint32_t *value);

/* pmuv3_tick: checks counting, overflow and the writes in the clock of the cycle. */
void checked_tick(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle);

/*
 * Checks that the model's derived values depend only on the registers and states: the next cycle is
 * the same after all registers and states are written again with their current values.
 */
void check_derived(const struct pmuv3 *pmu);

#endif
