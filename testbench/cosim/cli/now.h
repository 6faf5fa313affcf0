/* The time for budgets and reports. */
#ifndef PMUV3_NOW_H
#define PMUV3_NOW_H

#include <time.h>

/* Seconds since a fixed moment. The clock never goes back. */
static inline double pmuv3_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
