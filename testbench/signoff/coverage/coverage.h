/*
 * Functional coverage: what of the architecture a lockstep has been seen to do.
 *
 *   uint64_t *hits = calloc(pmuv3_coverage_num_bins(), sizeof *hits);
 *   struct pmuv3_collector *collector = pmuv3_collector_create(&params, hits);
 *   pmuv3_lockstep_observe(lockstep, collector);
 *   ... drive the lockstep ...
 *   pmuv3_collector_destroy(collector);
 *
 * A coverpoint is named after the rule that it is of, or is a cross; its bins are
 * situations. They are declared in coverpoints.def and crosses.def, what cannot be
 * reached in unreachable.def. See docs/reference/coverage.md.
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

/* The bins of all coverpoints, the same with all parameters, in a fixed order. */
size_t pmuv3_coverage_num_bins(void);

/* "coverpoint.bin": the bin is what follows the last dot. */
const char *pmuv3_coverage_name(size_t bin);

/*
 * Why these parameters cannot reach a bin, in words; NULL: they can. The
 * parameters must be complete.
 */
const char *pmuv3_coverage_unreachable(size_t bin, const struct pmuv3_params *params);

/* Whether they can reach it. */
bool pmuv3_coverage_reachable(size_t bin, const struct pmuv3_params *params);

/* Why a rule (testbench/tests/rules/rules.txt) has no coverpoint; NULL: it is not in the list of
 * those.
 */
const char *pmuv3_coverage_excused(const char *rule);

/*
 * A collector that adds what it observes to hits[0..num_bins), which the caller
 * owns (it may be shared memory). NULL when out of memory.
 */
struct pmuv3_collector *pmuv3_collector_create(const struct pmuv3_params *params, uint64_t *hits);

/* Frees it; NULL is allowed. */
void pmuv3_collector_destroy(struct pmuv3_collector *collector);

/* Observes a lockstep (scoreboard/lockstep.h) from now on; NULL: nobody does. */
void pmuv3_lockstep_observe(struct pmuv3_side *lockstep, struct pmuv3_collector *collector);

#ifdef __cplusplus
}
#endif

#endif
