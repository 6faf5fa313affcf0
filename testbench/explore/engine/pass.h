/*
 * A pass over a trace: reads its blocks, and counts them in some engines, on several threads of the
 * computer. While the engines count some blocks, the next ones are read. So memory is bounded,
 * however long the trace is.
 */
#ifndef EXPLORE_PASS_H
#define EXPLORE_PASS_H

#include "testbench/explore/engine/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct explore_pass {
  const struct pmt_reader *reader;
  struct explore_engine **engines;
  unsigned num_engines;
  unsigned jobs;                     /* threads of the computer */
  const bool *wanted;                /* the columns that any counter may count; NULL: all */
  uint64_t interval;                 /* cycles; 0: the whole trace is one */
  const struct pmuv3_params *params; /* of all PMUs: states that they cannot have are refused */

  /*
   * Says in words why the pass does not count the cycles from a change of a block on. NULL: the
   * pass counts them. Different blocks are asked about at once. `refused` NULL: all are counted.
   */
  const char *(*refused)(void *context, const struct pmt_block *block, uint32_t change);

  /*
   * Called by the thread that counts in an engine: once cycles up to before `to` of a block were
   * counted, of which `to` ends an interval or the block. Different engines call at once. NULL:
   * nobody asks.
   */
  void (*counted)(void *context, unsigned engine, const struct pmt_block *block, uint32_t to,
                  bool ends_interval);
  /* Called between blocks by one thread alone, with the cycles that all engines have counted. False
   * ends the pass. */
  bool (*progress)(void *context, uint64_t cycles);
  void *context;
};

/* Runs a pass. False: `error` has one line, without a newline. A pass that `progress` ended is not
 * an error. */
bool explore_pass_run(const struct explore_pass *pass, char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif
