/*
 * In the stead of a co-simulation (--wrap): without counters the sides differ, and with one counter
 * the process is killed, after that.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "testbench/cosim/run/cosim.h"

void __wrap_pmuv3_cosim(const struct pmuv3_cosim_task *task, struct pmuv3_cosim_result *result);

void __wrap_pmuv3_cosim(const struct pmuv3_cosim_task *task, struct pmuv3_cosim_result *result) {
  if (task->params.counters == 1) {
    sleep(2);
    raise(SIGKILL);
  }
  result->cycles = task->cycles;
  result->diverged = task->params.counters == 0;
  if (result->diverged) {
    result->divergence.counter = -1;
    strcpy(result->divergence.signal, "PMCCNTR_EL0");
    result->divergence.rtl = 1;
  }
  result->finished = true;
}
