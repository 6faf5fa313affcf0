/* `pmuv3 explore --check N`: random windows of the trace on the engine, the C model and the RTL. */
#ifndef EXPLORE_CHECK_H
#define EXPLORE_CHECK_H

#include "testbench/explore/command/options.h"

/* Prints how many windows were equal. A difference is printed, and ends the program with status 1.
 */
void explore_check(const struct explore_options *options, const struct pmt_reader *reader,
                   const struct explore_config *config);

#endif
