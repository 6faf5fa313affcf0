/* What `pmuv3 regress` runs, and what sign-off expects of it unless told otherwise. */
#ifndef PMUV3_REGRESSION_H
#define PMUV3_REGRESSION_H

/* Of each configuration. */
#define PMUV3_REGRESSION_SEEDS 8
#define PMUV3_REGRESSION_CYCLES 50000 /* a seed */

#endif
