/* The time that limits go by. */
#ifndef ENGINE_SMT_CLOCK_H
#define ENGINE_SMT_CLOCK_H

#include <time.h>

/* Seconds since some moment; the clock never goes back. */
static inline double clock_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
