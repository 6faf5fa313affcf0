/* What is proved, as the build made it: of which sources it is. */
#ifndef PMUV3_PROVE_INPUTS_H
#define PMUV3_PROVE_INPUTS_H

#include "testbench/prove/equivalence/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Whether the C model and the netlists are those of the folder `build`, and were made of the
 * sources that the program was built of. FILE.sources says what FILE was made of (elaborate.sh,
 * bitcode.sh): a build of one target leaves others as they were.
 */
bool prove_inputs_are_of_sources(const struct prove_options *options, const char *build);

#ifdef __cplusplus
}
#endif

#endif
