// The smallest platform: no clock and no ports. The program tells what happens, and asks.
#include <iostream>
#include <systemc>

#include "tlm_wrapper/pmuv3_tlm.h"

static void write(pmuv3_tlm &pmu, uint16_t reg, uint64_t value) {
  if (pmuv3_side_write(pmu.side(), 0, reg, value) != PMUV3_ACCESS_OK)
    SC_REPORT_FATAL("/platform", "no such register");
}

int sc_main(int, char **) {
  pmuv3_tlm pmu("pmu");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  write(pmu, PMUV3_PMEVTYPERn(0), PMUV3_EVENT_INST_RETIRED);
  write(pmu, PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C) | 1);
  write(pmu, PMUV3_PMCR, PMUV3_MASK(PMCR, LC) | PMUV3_MASK(PMCR, E));

  // A million cycles, with three instructions in every two of them.
  const char *wrong =
      pmu.events->run(1000000, {{PMUV3_EVENT_INST_RETIRED, 0, PMUV3_CURRENT, 1500000}});
  if (wrong) SC_REPORT_FATAL("/platform", wrong);

  uint64_t cycles, instructions;
  pmuv3_side_read(pmu.side(), 0, PMUV3_PMCCNTR, &cycles);
  pmuv3_side_read(pmu.side(), 0, PMUV3_PMEVCNTRn(0), &instructions);
  std::cout << instructions << " instructions in " << cycles << " cycles\n";
  return cycles == 1000000 && instructions == 1500000 ? 0 : 1;
}
