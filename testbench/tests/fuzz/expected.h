/*
 * The rules of a thread's PMU, written independently of the model: the effects of registers on a
 * cycle, and of unchecked accesses on registers. The functions use only observable values, struct
 * pmuv3_probe, and the thread's state.
 */
#ifndef PMUV3_EXPECTED_H
#define PMUV3_EXPECTED_H

#include "pmuv3/pmuv3.h"

/* A thread's PMU as the probe shows it, and the thread's state. The parameters give counters and
 * features. */
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

/* The implemented flags, and those that System registers reach. */
uint64_t all_flags(const struct pmuv3_params *params);
uint64_t reached_flags(const struct pmuv3_params *params, const struct pmuv3_probe *probe);

/* Sets the flags of a probe. */
void set_overflow(struct pmuv3_probe *probe, uint64_t flags);

/* ---- Values that depend only on registers and the state ---- */

uint32_t implemented(const struct pmuv3_params *params);

/* The implemented bits of a counter. */
uint64_t counter_width(const struct pmuv3_params *params);

/* The external agent's first counter, as a read of PMCR_EL0.N gives it (K-EPMN-RES). */
unsigned epmn_of(const struct pmuv3_params *params, const struct pmuv3_probe *probe);

/* Whether the PMU Profiling exception is enabled in the state. */
bool profiles(struct seen seen);

/* The expected outputs. */
bool expected_cti(struct seen seen);
bool expected_irq(struct seen seen);
bool expected_halt(struct seen seen);
unsigned expected_brbe(struct seen seen);

/* {sync, async}: the kinds of counters that would raise the exception if it were enabled and not
 * masked. */
unsigned expected_sources(struct seen seen);

/* The counters that may count in a cycle with these registers. Prohibitions and filters are not
 * considered. */
uint64_t running(struct seen seen);

/* All flags that a cycle without writes sets. `cycle` is the probe of the cycle. */
uint64_t new_flags(struct seen before, const struct pmuv3_probe *cycle);

/* ---- Unchecked accesses ---- */

/* The registers after a legal write. `new` are the flags of its clock, which PMOVSCLR does not
 * clear. */
struct pmuv3_probe written(struct seen seen, uint16_t reg, uint64_t value, uint64_t new);

/* The registers after a request to capture, which `judges` decides. */
struct pmuv3_probe captured(struct seen judges, struct pmuv3_probe probe);

/* The value of a legal read. */
uint64_t shown(struct seen seen, uint16_t reg);

/* Bits that are 0 with any features: RES0, RAZ, or no bits of the PMU. */
uint64_t res0(const struct pmuv3_params *params, uint16_t reg);

#endif
