#define _GNU_SOURCE
#include "testbench/cosim/run/progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "testbench/cosim/cli/now.h"

void pmuv3_progress(unsigned percent, uint64_t cycles, double start) {
  static unsigned shown;
  static bool has_ended;
  if (has_ended) return;
  has_ended = percent == 100;
  const double rate = (double)cycles / (pmuv3_now() - start);
  if (isatty(STDOUT_FILENO)) {
    static const char bar[] = "########################################";
    printf("\r[%-40.*s] %3u%%  %" PRIu64 " cycles, %.0f cycles/s ", (int)percent * 40 / 100, bar,
           percent, cycles, rate);
    if (percent == 100) printf("\n");
  } else if (percent / 10 > shown) {
    shown = percent / 10;
    printf("%3u%%  %" PRIu64 " cycles, %.0f cycles/s\n", shown * 10, cycles, rate);
  }
  fflush(stdout);
}
