/*
 * Functional coverage: the situations of the architecture that a lockstep has shown.
 *
 *   uint64_t *hits = calloc(pmuv3_coverage_num_bins(), sizeof *hits);
 *   struct pmuv3_collector *collector = pmuv3_collector_create(&params, hits);
 *   pmuv3_lockstep_observe(lockstep, collector);
 *   ... drive the lockstep ...
 *   pmuv3_collector_destroy(collector);
 *
 * A coverpoint has the name of its rule, or is a cross. Its bins are situations. coverpoints.def
 * and crosses.def declare the bins. unreachable.def lists unreachable bins. See
 * docs/reference/coverage.md.
 */
#ifndef PMUV3_COVERAGE_H
#define PMUV3_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmuv3/params.h"
#include "tlm_wrapper/side.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_collector;
struct pmuv3_observer;

/* The number of bins of all coverpoints. The order is fixed. Both are the same for all
 * parameters. */
size_t pmuv3_coverage_num_bins(void);

/* "coverpoint.bin". The bin's name follows the last dot. */
const char *pmuv3_coverage_name(size_t bin);

/*
 * Why a bin is unreachable with these parameters, in words. NULL: the bin is reachable. The
 * parameters must be complete.
 */
const char *pmuv3_coverage_unreachable(size_t bin, const struct pmuv3_params *params);

/* Whether a bin is reachable with these parameters. */
bool pmuv3_coverage_reachable(size_t bin, const struct pmuv3_params *params);

/* Why a rule (testbench/tests/rules/rules.txt) has no coverpoint. NULL: unreachable.def gives no
 * reason. */
const char *pmuv3_coverage_excused(const char *rule);

/*
 * A collector that adds its hits to hits[0..num_bins). The caller owns `hits`, which may be in
 * shared memory. NULL: out of memory.
 */
struct pmuv3_collector *pmuv3_collector_create(const struct pmuv3_params *params, uint64_t *hits);

/* Frees a collector. NULL is allowed. */
void pmuv3_collector_destroy(struct pmuv3_collector *collector);

/* The collector as an observer (scoreboard/observer.h) of a lockstep or of a checker. */
struct pmuv3_observer *pmuv3_collector_observer(struct pmuv3_collector *collector);

/* Makes the collector the observer of a lockstep (scoreboard/lockstep.h). NULL: no observer. */
void pmuv3_lockstep_observe(struct pmuv3_side *lockstep, struct pmuv3_collector *collector);

#ifdef __cplusplus
}
#endif

#endif
