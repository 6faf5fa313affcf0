/*
 * The causal chain of a divergence: the first step and the first signal in it in
 * which the sides differ, in the order in which one depends on another; the stage
 * that this points to; and what both sides say when they are asked again.
 */
#ifndef PMUV3_CHAIN_H
#define PMUV3_CHAIN_H

#include <stdio.h>

#include "testbench/cosim/failure_report/observe.h"
#include "testbench/cosim/failure_report/stages.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A replay of the stimulus with something else in the last place. */
struct pmuv3_answer {
  const char *question;
  bool differ; /* the sides still do */
};

enum { PMUV3_MAX_ANSWERS = 8 };

struct pmuv3_chain {
  const struct pmuv3_observation *observation;
  size_t first; /* step in which they first differ */
  unsigned thread;
  int counter;   /* -1: not of one counter */
  int signal;    /* enum pmuv3_signal; -1: an answer, which probes do not have */
  char name[40]; /* of the signal, or as the lockstep calls the answer */
  uint64_t values[PMUV3_NUM_SIDES];
  enum pmuv3_stage stage; /* that it points to */
  struct pmuv3_answer answers[PMUV3_MAX_ANSWERS];
  size_t num_answers;
};

/* Finds it, and asks. The observation must outlive the chain. */
void pmuv3_chain_find(struct pmuv3_chain *chain, const struct pmuv3_observation *observation);

/* The probes of the thread of a side before the first step, and after any. */
const struct pmuv3_probe *pmuv3_chain_before(const struct pmuv3_chain *chain, int side);
const struct pmuv3_probe *pmuv3_chain_after(const struct pmuv3_chain *chain, size_t step, int side);

/* Whether the first difference is in what a stage of an event counter shows, not in a register. */
bool pmuv3_chain_is_in_datapath(const struct pmuv3_chain *chain);

/* Whether the signal, of the counter if each has one, differs in the window of the thread. */
bool pmuv3_chain_differs(const struct pmuv3_chain *chain, enum pmuv3_signal signal, int counter);

/*
 * The signals to be looked at, those of counters with their number: of the
 * stages that the first difference is in, and what it depends on. Returns how many.
 */
struct pmuv3_shown {
  enum pmuv3_signal signal;
  int counter; /* -1: not of one */
};
enum { PMUV3_MAX_SHOWN = 32 };
size_t pmuv3_chain_shown(const struct pmuv3_chain *chain, struct pmuv3_shown *shown);

/* Writes what happens in a step, as its file has it, without the end of the line. */
void pmuv3_chain_quote(FILE *out, const struct pmuv3_chain *chain, const struct pmuv3_step *step);

/* Prints it for a person. */
void pmuv3_chain_print(FILE *out, const struct pmuv3_chain *chain);

#ifdef __cplusplus
}
#endif

#endif
