/* Asking both sides again: the stimulus up to the first difference, and then something else. */
#ifndef PMUV3_ASK_H
#define PMUV3_ASK_H

#include "testbench/cosim/failure_report/chain.h"

/* Asks what tells stages apart whose difference shows in the same signal, adds the answers to the
 * chain and makes its stage the one that they point to. */
void pmuv3_chain_ask(struct pmuv3_chain *chain);

#endif
