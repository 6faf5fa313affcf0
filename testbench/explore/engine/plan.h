/*
 * A plan: what some PMUs count, as numbers and bits of each cycle (nodes) and sums of them.
 * Counters that count the same share nodes and sums. A plan holds until a PMU's configuration
 * changes.
 */
#ifndef EXPLORE_PLAN_H
#define EXPLORE_PLAN_H

#include "pmuv3/pmuv3.h"
#include "testbench/explore/engine/kernels.h"
#include "testbench/explore/pmt/pmt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bits of PMCNTEN, PMINTEN and PMOVS: event counters, the cycle counter, the instruction
 * counter. */
enum { EXPLORE_CYCLES = 31, EXPLORE_INSTRUCTIONS = 32, EXPLORE_BITS = 33 };

/* What was counted since somebody set it to 0, whatever was written to the counters meanwhile. */
struct explore_counts {
  uint64_t counted[PMUV3_MAX_THREADS][EXPLORE_BITS];
  uint64_t overflows[PMUV3_MAX_THREADS][EXPLORE_BITS];
};

/* A PMU of a plan. */
struct explore_member {
  struct pmuv3 *pmu;
  struct explore_counts *counts;
  const uint64_t *watched; /* by thread: flags whose new overflow must be seen in its cycle */
};

struct explore_plan;

/* An empty plan for a trace's columns. NULL: out of memory. */
struct explore_plan *explore_plan_new(const struct pmt_header *header,
                                      const struct explore_kernels *kernels);
void explore_plan_free(struct explore_plan *plan);

/* Forgets what the plan had. */
void explore_plan_clear(struct explore_plan *plan);

/* Whether a plan can have the PMU as it is: no counter combines threads' values, and no software
 * increments wait. */
bool explore_plan_can_have(const struct pmuv3 *pmu);

/* Adds a PMU as it is now. Members have the numbers 0, 1, ... */
void explore_plan_add(struct explore_plan *plan, const struct explore_member *member);

/* Completes a plan. False: out of memory. */
bool explore_plan_end(struct explore_plan *plan);

/* Whether the plan's edges begin from a member's CP: its CP may have changed elsewhere. */
bool explore_plan_continues(const struct explore_plan *plan, unsigned member);

/* Makes the edges of a plan of one member begin from its CP. False: the plan must be made anew. */
bool explore_plan_continue(struct explore_plan *plan);

/* Evaluates the cycles from `from` to before `to` of a block, at most EXPLORE_MOST_CYCLES. Nothing
 * of the members changes. */
#define EXPLORE_MOST_CYCLES 65536u
void explore_plan_evaluate(struct explore_plan *plan, const struct pmt_block *block, uint32_t from,
                           uint32_t to);

/* Marks the members in which an overflow of these cycles freezes counters, is counted by CHAIN, or
 * is watched. */
void explore_plan_attend(const struct explore_plan *plan, bool *members);

/* The first cycle with such an overflow, for a plan of one member. `to`: there is none. The cycles
 * are at most EXPLORE_CHUNK words. */
uint32_t explore_plan_first(const struct explore_plan *plan, uint32_t to);

/* Counts the evaluated cycles in all members but those that are left out. NULL: in all. */
void explore_plan_commit(struct explore_plan *plan, const bool *left_out);

/* How many nodes and sums the plan has. */
void explore_plan_size(const struct explore_plan *plan, unsigned *nodes, unsigned *sums);

#ifdef __cplusplus
}
#endif

#endif
