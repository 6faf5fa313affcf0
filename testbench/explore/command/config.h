/*
 * Configurations of `pmuv3 explore`: PMUs with their counters, as text that reads like perf's event
 * syntax (docs/reference/explore.md).
 */
#ifndef EXPLORE_CONFIG_H
#define EXPLORE_CONFIG_H

#include <stdio.h>

#include "testbench/explore/engine/engine.h"
#include "testbench/explore/pmt/pmt.h"

#define EXPLORE_NAME_SIZE 160

/* A counter that was asked for. */
struct explore_counter {
  char name[EXPLORE_NAME_SIZE]; /* as it was written, or name=; unique */
  uint32_t line;
  unsigned pmu;    /* its PMU's number */
  unsigned bit;    /* its number in the PMU, or EXPLORE_CYCLES, EXPLORE_INSTRUCTIONS */
  uint16_t event;  /* of an event counter */
  uint64_t type;   /* PMEVTYPER */
  uint64_t period; /* counts between two samples; 0: it is not sampled */
  uint64_t skid;   /* cycles from an overflow to the interrupt that starts the next period */
  bool is_linked;  /* to the counter before it, which must be even */
};

struct explore_config_pmu {
  char name[48];
  unsigned thread;           /* whose PMU the counters are in */
  struct pmuv3 pmu;          /* configured */
  struct pmuv3_write *setup; /* the writes that configured it */
  size_t num_setup;
  struct explore_action *actions;
  size_t num_actions;
};

struct explore_config {
  struct pmuv3_params params; /* complete */
  struct explore_config_pmu *pmus;
  unsigned num_pmus;
  struct explore_counter *counters;
  unsigned num_counters;
  bool has_writes; /* of registers, by write lines */
  bool counts_everywhere;
  bool keeps_to_cycles; /* what occurs where CPU_CYCLES does not count is left out on purpose */
};

/*
 * Reads a configuration for a trace. `params` are those of the command line. On bad input returns
 * false and writes one line "FILE:LINE: what is wrong and what was expected" (no newline) to error.
 * What the trace and the parameters disagree about is of no line: the program ends, and names them.
 *
 * counts_everywhere: the PMUs count in every state in which a PMU can count. A run refuses a trace
 * in which the counters' events occur in another state. Else the PMUs' controls are as after reset.
 */
bool explore_config_read(struct explore_config *config, const struct pmuv3_params *params,
                         const struct pmt_reader *trace, bool counts_everywhere, FILE *in,
                         const char *name, char *error, size_t error_size);
void explore_config_free(struct explore_config *config);

/* Keeps the PMUs from number `first` to before `end`, with their counters, and drops the others. */
void explore_config_keep(struct explore_config *config, unsigned first, unsigned end);

/*
 * The columns that the counters may count, by number: all of the events that they count, and
 * INST_RETIRED. With write lines: all columns.
 */
void explore_config_wanted(const struct explore_config *config, const struct pmt_header *header,
                           bool *wanted);

#endif
