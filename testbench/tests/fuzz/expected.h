/*
 * What the rules say of a thread's PMU, written down apart from the model: what
 * its registers make of a cycle, and what unchecked accesses do to them. All of
 * it from what can be seen, struct pmuv3_probe, and the thread's state.
 */
#ifndef PMUV3_EXPECTED_H
#define PMUV3_EXPECTED_H

#include "pmuv3/pmuv3.h"

/* A thread's PMU, seen, and its state; counters and features are those of the parameters. */
struct seen {
  const struct pmuv3_params *params;
  const struct pmuv3_pe *pe;
  const struct pmuv3_probe *probe;
};

/* ---- Flags and enables: a bit per counter, then the cycle counter's C, the instruction counter's
 * F0 ---- */

#define MASK_C PMUV3_MASK(PMOVSSET, C)
#define MASK_F0 PMUV3_MASK(PMOVSSET, F0)

uint64_t overflow_of(const struct pmuv3_probe *probe);
uint64_t cnten_of(const struct pmuv3_probe *probe);
uint64_t inten_of(const struct pmuv3_probe *probe);

/* Those that the parameters have; of them, those that System registers reach. */
uint64_t all_flags(const struct pmuv3_params *params);
uint64_t reached_flags(const struct pmuv3_params *params, const struct pmuv3_probe *probe);

/* Sets the flags of a probe. */
void set_overflow(struct pmuv3_probe *probe, uint64_t flags);

/* ---- What depends on registers and the state alone ---- */

uint32_t implemented(const struct pmuv3_params *params);

/* The bits of a counter. */
uint64_t counter_width(const struct pmuv3_params *params);

/* The first counter of the external agent, as PMCR_EL0.N reads (K-EPMN-RES). */
unsigned epmn_of(const struct pmuv3_params *params, const struct pmuv3_probe *probe);

/* Whether the PMU Profiling exception is enabled, in that state. */
bool profiles(struct seen seen);

/* The outputs, as they must be. */
bool expected_cti(struct seen seen);
bool expected_irq(struct seen seen);

/* {sync, async}: what kinds of counters would raise the exception where it is enabled, not masked.
 */
unsigned expected_sources(struct seen seen);

/* What may count in a cycle with these registers, whatever the other states of threads are. */
uint64_t running(struct seen seen);

/* All flags that a cycle without writes raises; `cycle` is what it did. */
uint64_t new_flags(struct seen before, const struct pmuv3_probe *cycle);

/* ---- Unchecked accesses ---- */

/* The registers after a legal write. `new` are the flags of its own clock: PMOVSCLR leaves them. */
struct pmuv3_probe written(struct seen seen, uint16_t reg, uint64_t value, uint64_t new);

/* What a legal read gives. */
uint64_t shown(struct seen seen, uint16_t reg);

/* Bits that are 0 in every implementation: RES0 or RAZ, or not the PMU's. */
uint64_t res0(uint16_t reg);

#endif
