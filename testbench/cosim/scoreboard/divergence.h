/* The first difference of two sides, and its report for a person. */
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
  unsigned thread; /* the thread of the counters and registers */
  int counter;     /* -1: the signal belongs to no counter */
  char signal[40]; /* as in probe.def; or the value of a read: "PMCR_EL0", "mrs PMCR_EL0"; or how an
                      access ended: "result of write PMCR_EL0", "syndrome of msr PMCR_EL0" */
  uint64_t cmodel;
  uint64_t rtl;
  struct pmuv3_probe cmodel_probe; /* the thread's probes on both sides, at the divergence */
  struct pmuv3_probe rtl_probe;
  struct pmuv3_pe pe[PMUV3_MAX_THREADS]; /* each thread's state, at the divergence */
};

/*
 * Finds the first signal in which two probes of a thread differ: the lowest counter first, in
 * data-flow order, then signals of no counter. Sets counter, signal, the two values and the probes.
 * False: the probes are equal.
 */
bool pmuv3_divergence_find(struct pmuv3_divergence *divergence, const struct pmuv3_probe *cmodel,
                           const struct pmuv3_probe *rtl);

/* Whether the sides differ in how an access ended: in its result or its syndrome. The two values
 * are then not those of a register. */
bool pmuv3_divergence_is_end(const struct pmuv3_divergence *divergence);

/* A divergence in one line, without its end. Returns `words`. */
enum { PMUV3_DIVERGENCE_WORDS = 256 };
const char *pmuv3_divergence_words(const struct pmuv3_divergence *divergence,
                                   char words[PMUV3_DIVERGENCE_WORDS]);

/* Prints this line. */
void pmuv3_divergence_print(FILE *out, const struct pmuv3_divergence *divergence);

/*
 * Prints the states of all threads and the thread's controls in the C model. For a counter, prints
 * its configuration, and both sides' values from allowed to PMOVS side by side, with those of the
 * even counter of the pair. Otherwise prints the registers. Marks the differences.
 */
void pmuv3_divergence_explain(FILE *out, const struct pmuv3_divergence *divergence,
                              const struct pmuv3_params *params);

#ifdef __cplusplus
}
#endif

#endif
