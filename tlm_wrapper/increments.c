/* How far a write of PMSWINC reaches follows from registers and the state, and no side shows what
 * waits in it. So a C model that has these registers makes the write, too. */
#include "tlm_wrapper/increments.h"

#include "pmuv3/pmuv3.h"

/* Gives a C model the registers of a thread that decide how an access ends and how far it reaches.
 */
static void copy_registers(struct pmuv3_side *side, unsigned thread, struct pmuv3 *pmu) {
  struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  struct pmuv3_probe probe;
  pmuv3_side_probe(side, thread, &probe);
#define PMUV3_HELD(id, member) registers->member = probe.member;
#include "pmuv3/registers.def"
  registers->mdcr_el2 = probe.mdcr_el2;
  registers->pmuacr = probe.pmuacr;
  registers->pmccr = probe.pmccr;
  pmuv3_write(pmu, thread, PMUV3_PMCR, probe.pmcr); /* the model decodes the others, too */
}

bool pmuv3_increments(struct pmuv3_side *side, unsigned thread, const struct pmuv3_pe *pe,
                      const struct pmuv3_write *write) {
  struct pmuv3 pmu;
  pmuv3_init(&pmu, &side->params);
  copy_registers(side, thread, &pmu);
  pmuv3_set_pe(&pmu, thread, pe);
  if (write->checked)
    pmuv3_msr(&pmu, thread, write->reg, write->value);
  else
    pmuv3_write(&pmu, thread, write->reg, write->value);
  return pmu.thread[thread].state.waiting;
}
