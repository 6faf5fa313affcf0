/*
 * A counterexample as a stimulus file, which `pmuv3 replay` runs: from a reset
 * accesses bring both sides into its state; then comes its clock, and then what
 * shows a difference that the clock left behind.
 *
 * Not every state of the model can be brought about, and not every clock be had in
 * a file. Then it is the nearest one, and comments in the file say what differs:
 *
 *   Software increments that wait in a halted thread, which makes none, and a
 *   thread does not change its state while some wait. With EXTPMN, those of
 *   counters of range R3 behind an OS Double Lock: PMCCR gives these counters away
 *   after the increments, and would have to be written.
 *
 *   A snapshot in the clock before that the controls or PMSSCR.NC say was
 *   none; with the OS Lock locked while increments wait; of two threads at once;
 *   before a transfer, which takes a clock to set up. What is saved is right.
 *
 *   In the clock: reads in a Processor cycle, which come before it, and writes
 *   whose result is in question, which come before it, too; the clock of
 *   an unchecked write that is refused; a transfer that waits, or is not of a word
 *   of a thread's page; a debugger's operations on a thread that is not halted;
 *   events that the parameters do not have; an other context that is the current
 *   one; bits [63:32] written to a view; snid with FEAT_Debugv8p2.
 */
#ifndef PMUV3_PROVE_COUNTEREXAMPLE_H
#define PMUV3_PROVE_COUNTEREXAMPLE_H

#include <stdio.h>

#include "testbench/prove/equivalence/model.h"

struct counterexample {
  const char *claim; /* what does not hold, for a comment; NULL: none */
  struct size size;
  struct model_case which;
  /* What a variable of the model is (model_inputs.c, model_state.c); 0 where it does not matter. */
  uint64_t (*value)(const char *variable, void *with);
  void *with;
};

enum counterexample_result {
  COUNTEREXAMPLE_UNUSABLE, /* there is no such implementation, which a line on stderr says */
  COUNTEREXAMPLE_NEAR,     /* with comments that say where it is another state or clock */
  COUNTEREXAMPLE_EXACT,
};

enum counterexample_result counterexample_write(FILE *out,
                                                const struct counterexample *counterexample);

#endif
