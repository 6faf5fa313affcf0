/* Counts that a question would lose: they occur in a state in which its counters do not count. */
#ifndef EXPLORE_LOST_H
#define EXPLORE_LOST_H

#include "testbench/explore/command/config.h"

/* Says in words which event of the counters is lost in the state from a change of a block on, and
 * in which cycle first. NULL: nothing is lost. Valid until the thread's next call. */
const char *explore_lost(const struct explore_config *config, const struct pmt_header *header,
                         const struct pmt_block *block, uint32_t change);

#endif
