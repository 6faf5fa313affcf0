/* Where two sides first differed, and telling a person about it. */
#ifndef PMUV3_DIVERGENCE_H
#define PMUV3_DIVERGENCE_H

#include <stdio.h>

#include "pmuv3/cycle.h"
#include "pmuv3/params.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_divergence {
  uint64_t cycle;  /* Processor cycles since creation, from 0 */
  unsigned thread; /* whose counters and registers they are */
  int counter;     /* -1: not of one counter */
  char signal[40]; /* as in probe.def; of an access the register's name, with "mrs ", "extr " or
                      "result of msr ", say, before it where it is judged */
  uint64_t cmodel;
  uint64_t rtl;
  struct pmuv3_probe cmodel_probe; /* all of the thread's PMU on both sides, then */
  struct pmuv3_probe rtl_probe;
  struct pmuv3_pe pe[PMUV3_MAX_THREADS]; /* state of each thread, then */
};

/*
 * Finds the first signal in which two probes of a thread differ: the lowest
 * counter, and in it the first in data flow, then what is not of one counter.
 * Sets counter, signal, the two values and the probes; false when they are equal.
 */
bool pmuv3_divergence_find(struct pmuv3_divergence *divergence, const struct pmuv3_probe *cmodel,
                           const struct pmuv3_probe *rtl);

/* Prints a divergence as a line. */
void pmuv3_divergence_print(FILE *out, const struct pmuv3_divergence *divergence);

/*
 * Prints the states of all threads and what controls the thread's counters, as
 * the C model has it; then the counter's configuration and its values from
 * allowed to PMOVS on both sides, side by side, and those of the even counter
 * that an odd one may link to; the registers where no counter is concerned.
 * Differences are marked.
 */
void pmuv3_divergence_explain(FILE *out, const struct pmuv3_divergence *divergence,
                              const struct pmuv3_params *params);

#ifdef __cplusplus
}
#endif

#endif
