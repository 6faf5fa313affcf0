#include "testbench/cosim/scoreboard/lockstep.h"
#include "testbench/signoff/coverage/coverage.h"

void pmuv3_lockstep_observe(struct pmuv3_side *lockstep, struct pmuv3_collector *collector) {
  pmuv3_lockstep_set_observer(lockstep, collector ? pmuv3_collector_observer(collector) : NULL);
}
