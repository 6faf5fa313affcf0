/*
 * Non-interference in a clock in which software accesses a register. It does so where it is counted
 * itself; what arrives late from elsewhere, and counters that it does not reach, must not be seen.
 */
#ifndef PMUV3_PROVE_INTERFERENCE_ACCESS_H
#define PMUV3_PROVE_INTERFERENCE_ACCESS_H

#include "testbench/prove/interference/interference_copies.h"

/* Whether the case is such a clock: a Processor cycle with an access of a System register, in the
 * size that non-interference is proved of. The one without an access has the same claims: what no
 * access matters to is proved there, once. */
bool interference_is_claimed(const struct model_case *which, struct size size);

/* Appends what must hold to the claims of the case, which is finished. */
void interference_claim_access(struct model *model);

#endif
