/*
 * A stand-in for a co-simulation (--wrap). Without counters the sides differ. With one counter,
 * after that, the process is killed; or it ends as for an unusable output if STAND_IN_UNUSABLE is
 * set. With two counters the process writes a file that never ends.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/file.h"
#include "testbench/cosim/run/cosim.h"

/* SystemC's library needs this symbol if no co-simulation is linked. */
__attribute__((weak)) int sc_main(int argc, char *argv[]);
int sc_main(int argc, char *argv[]) {
  (void)argc, (void)argv;
  return 0;
}

void __wrap_pmuv3_cosim(const struct pmuv3_cosim_task *task, struct pmuv3_cosim_result *result);

void __wrap_pmuv3_cosim(const struct pmuv3_cosim_task *task, struct pmuv3_cosim_result *result) {
  if (task->params.counters == 1) {
    sleep(2);
    if (getenv("STAND_IN_UNUSABLE")) pmuv3_cli_unusable("an output is unusable");
    raise(SIGKILL);
  }
  if (task->params.counters == 2) {
    const char *why;
    pmuv3_file_begin("never", PMUV3_FILE_REGULAR, &why);
    for (;;) pause();
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
