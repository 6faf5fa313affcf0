/*
 * The engine: what PMUs count in the cycles of a trace (docs/design/exploration.md).
 *
 * Each PMU is a struct pmuv3 of the C model, and equals one that was ticked cycle by cycle, in all
 * but `values`, which are of a single cycle. An engine is for one thread of the computer; several
 * engines may read the same block.
 */
#ifndef EXPLORE_ENGINE_H
#define EXPLORE_ENGINE_H

#include "pmuv3/pmuv3.h"
#include "testbench/explore/engine/kernels.h"
#include "testbench/explore/engine/plan.h"
#include "testbench/explore/pmt/pmt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is done to a PMU. All but CLOCKED take place before a cycle, in the order of the list. */
enum explore_action_kind {
  EXPLORE_WRITE,    /* write: as pmuv3_write */
  EXPLORE_MSR,      /* write: as pmuv3_msr */
  EXPLORE_EXTERNAL, /* external: as pmuv3_external_write */
  EXPLORE_RESET,    /* a Warm reset */
  EXPLORE_CLOCKED,  /* clocked: the writes in the clock of the cycle */
};

struct explore_action {
  uint64_t cycle;
  enum explore_action_kind kind;
  uint8_t thread;
  union {
    struct pmuv3_write write;
    struct pmuv3_external external;
    struct pmuv3_cycle clocked; /* without occurrences */
  };
};

/* Why a cycle was ticked on the C model. */
enum explore_reason {
  EXPLORE_TICKED_WRITE,    /* a write in its clock */
  EXPLORE_TICKED_WAITING,  /* software increments waited */
  EXPLORE_TICKED_OVERFLOW, /* an overflow freezes, is counted by CHAIN, or is watched */
  EXPLORE_TICKED_COMBINED, /* a counter combines threads' values */
  EXPLORE_NUM_REASONS
};
const char *explore_reason_text(enum explore_reason reason);

struct explore_pmu {
  struct pmuv3 pmu;
  struct explore_counts counts;        /* the caller may set them to 0 between two runs */
  uint64_t watched[PMUV3_MAX_THREADS]; /* as explore_member; set before the first run */
  uint64_t ticked[EXPLORE_NUM_REASONS];
  uint64_t changes; /* how often its configuration changed */

  /* The engine's own. */
  struct explore_action *actions; /* in the order of their cycles */
  size_t num_actions, actions_room, next_action;
  struct explore_plan *plan; /* for when it is counted alone */
  uint64_t plan_changes;     /* `changes` when that plan was made; 0: there is none */
  uint64_t shared_changes;   /* likewise for the engine's plan */
  uint32_t freezes;          /* what freezes R1 and R2 of each thread */
};

struct explore_engine;

/* Makes an engine for a trace's columns. NULL: out of memory. */
struct explore_engine *explore_engine_new(const struct pmt_header *header,
                                          const struct explore_kernels *kernels);
void explore_engine_free(struct explore_engine *engine);

/* Adds a PMU, which pmuv3_init made and writes configured. It stays where it is until the engine is
 * freed. NULL: out of memory. */
struct explore_pmu *explore_engine_add(struct explore_engine *engine, const struct pmuv3 *pmu);

/* Adds an action at a cycle that is yet to come; equal cycles keep their order. False: out of
 * memory. */
bool explore_pmu_act(struct explore_pmu *pmu, const struct explore_action *action);

/* Called in the cycle in which watched flags of a thread overflow, once the cycle is over. It may
 * call explore_pmu_act for later cycles. */
typedef void explore_watcher(void *context, struct explore_pmu *pmu, unsigned thread,
                             uint64_t flags, uint64_t cycle);
void explore_engine_watch(struct explore_engine *engine, explore_watcher *watcher, void *context);

/*
 * Counts the cycles from `from` to before `to` of a block, and the block's changes of state in
 * them. Cycles come in order, each once. Actions of the cycle behind the last are not yet done.
 * False: out of memory; the PMUs are then of no use.
 */
bool explore_engine_run(struct explore_engine *engine, const struct pmt_block *block, uint32_t from,
                        uint32_t to);

/* Does the actions before a cycle, the one behind the last that was counted. */
void explore_pmu_settle(struct explore_pmu *pmu, uint64_t cycle);

/* The occurrences of a cycle of a block, as the C model takes them. `occurrences` has room for one
 * a column. Returns their number. */
unsigned explore_occurrences(const struct pmt_header *header, const struct pmt_block *block,
                             uint32_t cycle, struct pmuv3_occurrence *occurrences);

/* Of the shared plan as it is now. */
void explore_engine_size(const struct explore_engine *engine, unsigned *nodes, unsigned *sums);

#ifdef __cplusplus
}
#endif

#endif
