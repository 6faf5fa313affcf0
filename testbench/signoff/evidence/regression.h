/* The default regression of `pmuv3 regress`. Sign-off expects the same. */
#ifndef PMUV3_REGRESSION_H
#define PMUV3_REGRESSION_H

/* Seeds of each configuration. */
#define PMUV3_REGRESSION_SEEDS 8
#define PMUV3_REGRESSION_CYCLES 50000 /* cycles of each seed */

#endif
