/* A user of the C library: an event counter counts a cycle's instructions. */
#include <pmuv3/pmuv3.h>

int main(void) {
  static struct pmuv3 pmu;
  struct pmuv3_params params = pmuv3_params_default();
  const struct pmuv3_occurrence occurs = {.event = PMUV3_EVENT_INST_RETIRED, .count = 4};
  const struct pmuv3_cycle cycle = {.occurrences = &occurs, .num_occurrences = 1};
  uint64_t value = 0;
  if (pmuv3_params_complete(&params)) return 1;
  pmuv3_init(&pmu, &params);
  pmuv3_write(&pmu, 0, PMUV3_PMEVTYPERn(0), 0x0008);
  pmuv3_write(&pmu, 0, PMUV3_PMCNTENSET, 1);
  pmuv3_write(&pmu, 0, PMUV3_PMCR, 1);
  pmuv3_tick(&pmu, &cycle);
  pmuv3_read(&pmu, 0, PMUV3_PMEVCNTRn(0), &value);
  return value == 4 ? 0 : 1;
}
