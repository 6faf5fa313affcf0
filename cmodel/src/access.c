/* Access: the result of a System register access, and its reach (D13.11). */
#include "access.h"

static struct access access_of(const struct pmuv3 *pmu, unsigned thread, struct pmuv3_register reg,
                               bool writes) {
  const struct pmuv3_pe *pe = &pmu->pe[thread];
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  const bool uen = PMUV3_GET(registers->pmuserenr, PMUSERENR, UEN);
  const bool el1_aa32 = pmuv3_el1_aa32(pmu, thread), el2_aa32 = pmuv3_el2_aa32(pmu, thread);
  return (struct access){
      .pmu = pmu,
      .params = &pmu->params,
      .pe = pe,
      .registers = registers,
      .decoded = &pmu->thread[thread].decoded,
      .named = reg,
      .reg = (uint16_t)(pmuv3_views[reg.view].encoding + reg.n),
      .base = reg.base,
      .target = pmuv3_registers_target(pmu, thread, reg),
      .writes = writes,
      .aa32 = pmuv3_pe_is_aa32(&pmu->params, pe),
      .el1_aa32 = el1_aa32,
      .el2_aa32 = el2_aa32,
      .el2 = pe->el <= 1 && pmuv3_el2_enabled(&pmu->params, pe),
      .el3 = pe->el <= 2 && pmu->params.el3 && !pmuv3_el3_aa32(pmu, thread),
      .in_host = pe->e2h && pe->tge && !el2_aa32,
      .uen = pe->el == 0 && uen && !el1_aa32,
  };
}

/* The number of event counters that the access sees (table D13-11). */
static uint8_t event_counters(const struct access *access) {
  return access->el2 ? access->decoded->hpmn : access->decoded->epmn;
}

bool pmuv3_access_is_beyond(const struct access *access, uint8_t counters) {
  const uint64_t event_counter =
      pmuv3_registers_counter(access->target) & PMUV3_MASK(PMCNTENSET, P);
  return (event_counter & ~(uint64_t)pmuv3_counters_below(counters)) != 0;
}

/* --- The register exists ---------------------------------------------------------------------- */

/* op1 of the encoding gives the lowest Exception level that may access the register. */
static unsigned lowest_el(uint16_t reg) {
  switch (reg >> 11 & 7) {
    case 0:
      return 1;
    case 3:
      return 0;
    case 4:
      return 2;
    default:
      return 3;
  }
}

/* Whether the register exists in this Execution state, and can be read, or written. Event counters
 * from EPMN_eff on behave as not implemented. PMXEVCNTR_EL0 is undefined if PMSELR_EL0.SEL is 31
 * (RSRPKH, K-PMUEVENTCOUNTER, K-PMXEVCNTR31). */
static bool is_defined(const struct access *access) {
  return pmuv3_register_is_aa32(access->reg) == access->aa32 &&
         pmuv3_register_access(access->pmu, access->named, access->writes) == PMUV3_ACCESS_OK &&
         pmuv3_register_exists(access->params, access->target) &&
         !pmuv3_access_is_beyond(access, access->decoded->epmn);
}

/* Under an EL3 that uses AArch32 there is no Secure EL1. Without EL3 the PE may be Secure. */
static bool is_secure_el1(const struct access *access) {
  const bool can_be = access->el3 || !access->params->el3;
  return access->pe->el == 1 && access->pe->ss == PMUV3_S && can_be;
}

/* Secure EL2, and EL3 while Secure EL2 is enabled, may access SDER32_EL2. Secure EL1 may access
 * SDER. EL3 in AArch32 may access HDCR if SCR.NS is set. At EL3, eel2 stands for SCR_EL3.EEL2 or
 * SCR.NS. */
static bool is_for_el(const struct access *access) {
  const struct pmuv3_pe *pe = access->pe;
  if (access->base == PMUV3_PMUSERENR && access->writes) return pe->el != 0;
  if (access->reg == PMUV3_SDER && is_secure_el1(access)) return true;
  if (access->reg == PMUV3_HDCR && pe->el == 3) return pmuv3_el2_enabled(access->params, pe);
  if (access->reg == PMUV3_SDER32_EL2)
    return (pe->el == 2 && pe->ss == PMUV3_S) || (pe->el == 3 && pe->eel2);
  return pe->el >= lowest_el(access->base);
}

/* --- EL0 -------------------------------------------------------------------------------------- */

/* PMUSERENR_EL0 (table D13-12). */
static bool is_permitted(const struct access *access) {
  const uint64_t pmuserenr = access->registers->pmuserenr;
  const bool reads = !access->writes;
  const bool uen = access->uen;
  const bool en = PMUV3_GET(pmuserenr, PMUSERENR, EN), any = en || uen;
  const bool er = PMUV3_GET(pmuserenr, PMUSERENR, ER), cr = PMUV3_GET(pmuserenr, PMUSERENR, CR);
  const bool sw = PMUV3_GET(pmuserenr, PMUSERENR, SW), tid = PMUV3_GET(pmuserenr, PMUSERENR, TID);
  switch (access->base) {
    case PMUV3_PMUSERENR:
      return true;
    case PMUV3_PMCR:
      return en && !uen;
    case PMUV3_PMICNTR:
    case PMUV3_PMICFILTR:
      return uen;
    case PMUV3_PMSELR:
      return any || er;
    case PMUV3_PMEVCNTR:
    case PMUV3_PMXEVCNTR:
      return any || (er && reads);
    case PMUV3_PMCCNTR:
      return any || (cr && reads);
    case PMUV3_PMSWINC:
      return any || sw;
    case PMUV3_PMCEID0:
    case PMUV3_PMCEID1:
      return any && !tid;
    default:
      return any;
  }
}

static bool is_refused(const struct access *access) {
  return access->pe->el == 0 && !is_permitted(access);
}

/* --- Reach ------------------------------------------------------------------------------------ */

/* Whether a register with a bit for each counter hides F0 (PMCNTENSET_EL0.F0). */
static bool is_f0_hidden(const struct access *access) {
  const bool enpm2 = PMUV3_GET(access->registers->mdcr_el3, MDCR_EL3, EnPM2);
  uint64_t trap = access->writes ? PMUV3_FGT_MASK(PMICFILTR_WRITE) : PMUV3_FGT_MASK(PMICFILTR_READ);
  switch (access->base) {
    case PMUV3_PMZR:
      trap = PMUV3_FGT_MASK(PMICNTR_WRITE);
      break;
    case PMUV3_PMCNTENSET:
    case PMUV3_PMCNTENCLR:
    case PMUV3_PMINTENSET:
    case PMUV3_PMINTENCLR:
    case PMUV3_PMOVSSET:
    case PMUV3_PMOVSCLR:
      break;
    default:
      return false;
  }
  return (access->el3 && !enpm2) ||
         (access->el2 && !access->in_host && (access->pe->fgt & trap) != 0);
}

/* EL0 reaches PMICNTR_EL0 only with UEN. */
static bool reaches_f0(const struct access *access) {
  return pmuv3_has(access->params, PMUV3_FEATURE_ICNTR) && (access->pe->el != 0 || access->uen) &&
         !is_f0_hidden(access);
}

/* PMUACR_EL1 gives the counters that EL0 may read. ER, CR and IR forbid EL0 to write some of these.
 * SW lets EL0 increment all event counters. */
static uint64_t by_user_access(const struct access *access) {
  const uint64_t pmuserenr = access->registers->pmuserenr;
  const uint64_t pmuacr = access->registers->pmuacr;
  if (access->base == PMUV3_PMSWINC)
    return PMUV3_GET(pmuserenr, PMUSERENR, SW) ? UINT64_MAX : pmuacr;
  uint64_t read_only = 0;
  if (PMUV3_GET(pmuserenr, PMUSERENR, ER)) read_only |= PMUV3_MASK(PMCNTENSET, P);
  if (PMUV3_GET(pmuserenr, PMUSERENR, CR)) read_only |= PMUV3_BIT_C;
  if (PMUV3_GET(pmuserenr, PMUSERENR, IR)) read_only |= PMUV3_BIT_F0;
  return access->writes ? pmuacr & ~read_only : pmuacr;
}

/* RNNBYQ, RZCCDD: PMCR_EL0.N is the number of event counters in reach. */
static struct pmuv3_reach reach_of(const struct access *access) {
  const uint8_t n = event_counters(access);
  const uint64_t in_range =
      pmuv3_counters_below(n) | PMUV3_BIT_C | (reaches_f0(access) ? PMUV3_BIT_F0 : 0);
  return (struct pmuv3_reach){
      .bits = UINT64_MAX,
      .counters = access->uen ? in_range & by_user_access(access) : in_range,
      .n = n,
  };
}

/* --- An access -------------------------------------------------------------------------------- */

/* The order of the checks (I-3). */
static enum pmuv3_result result_of(const struct access *access) {
  enum pmuv3_result emulated;
  if (!is_defined(access)) return PMUV3_UNDEFINED;
  if (pmuv3_traps_emulated(access, &emulated)) return emulated;
  if (!is_for_el(access) || pmuv3_traps_first(access)) return PMUV3_UNDEFINED;
  return is_refused(access) ? pmuv3_traps_refused(access) : pmuv3_traps(access);
}

enum pmuv3_result pmuv3_access(const struct pmuv3 *pmu, unsigned thread, struct pmuv3_register reg,
                               bool writes, struct pmuv3_reach *reach, struct pmuv3_trap *trap) {
  const struct access access = access_of(pmu, thread, reg, writes);
  const enum pmuv3_result result = result_of(&access);
  if (result == PMUV3_DONE)
    *reach = reach_of(&access);
  else
    *trap = pmuv3_traps_syndrome(&access, result, is_refused(&access));
  return result;
}

enum pmuv3_result pmuv3_trap_of(const struct pmuv3 *pmu, unsigned thread, uint16_t reg, bool writes,
                                struct pmuv3_trap *trap) {
  struct pmuv3_reach reach;
  *trap = (struct pmuv3_trap){0};
  return pmuv3_access(pmu, thread, pmuv3_register_decode(reg), writes, &reach, trap);
}

enum pmuv3_result pmuv3_msr(struct pmuv3 *pmu, unsigned thread, uint16_t encoding, uint64_t value) {
  const struct pmuv3_register reg = pmuv3_register_decode(encoding);
  struct pmuv3_reach reach;
  struct pmuv3_trap trap;
  const enum pmuv3_result result = pmuv3_access(pmu, thread, reg, true, &reach, &trap);
  if (result == PMUV3_DONE) pmuv3_registers_write(pmu, thread, reg, value, &reach);
  return result;
}

enum pmuv3_result pmuv3_mrs(const struct pmuv3 *pmu, unsigned thread, uint16_t encoding,
                            uint64_t *value) {
  const struct pmuv3_register reg = pmuv3_register_decode(encoding);
  struct pmuv3_reach reach;
  struct pmuv3_trap trap;
  const enum pmuv3_result result = pmuv3_access(pmu, thread, reg, false, &reach, &trap);
  *value = result == PMUV3_DONE ? pmuv3_registers_read(pmu, thread, reg, &reach) : 0;
  return result;
}
