/* Progress of a long run. */
#ifndef PMUV3_PROGRESS_H
#define PMUV3_PROGRESS_H

#include <stdint.h>

/*
 * Prints the percentage and the cycles done since `start` to standard output. On a terminal, a bar
 * is redrawn. Otherwise a line is printed after each tenth.
 */
void pmuv3_progress(unsigned percent, uint64_t cycles, double start);

#endif
