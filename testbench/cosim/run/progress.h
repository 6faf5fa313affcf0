/* How far something is that takes a while. */
#ifndef PMUV3_PROGRESS_H
#define PMUV3_PROGRESS_H

#include <stdint.h>

/*
 * Shows on standard output how many per cent are done and of how many cycles, since
 * `start`: on a terminal as a bar that is redrawn, else as a line when another
 * tenth is done.
 */
void pmuv3_progress(unsigned percent, uint64_t cycles, double start);

#endif
