/* Access: the result of a System register access, and its reach (D13.11). */
#include "internal.h"

/* A System register access, and the state of the thread that makes the access. */
struct access {
  const struct pmuv3_params *params;
  const struct pmuv3_pe *pe;
  const struct pmuv3_registers *registers;
  const struct pmuv3_decoded *decoded;
  uint16_t reg;    /* the encoding that the instruction names */
  uint16_t base;   /* the AArch64 register with n = 0 */
  uint16_t target; /* views resolved, PMSELR_EL0 applied */
  bool writes;
  bool el2;     /* the access is from below EL2, and EL2 is enabled */
  bool el3;     /* the access is from below EL3, and EL3 uses AArch64 */
  bool in_host; /* {E2H, TGE} is {1, 1} */
  bool uen;     /* the access is from EL0, and PMUACR_EL1 limits its reach */
};

static bool is_el1_aa32(const struct pmuv3 *pmu, unsigned thread) {
  return pmu->pe[thread].a32el1 || pmuv3_el3_aa32(pmu, thread);
}
static bool is_aa32(const struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_pe *pe = &pmu->pe[thread];
  return pe->aa32 || pmuv3_el3_aa32(pmu, thread) || (pe->el <= 1 && pe->a32el1);
}

static struct access access_of(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                               bool writes) {
  const struct pmuv3_pe *pe = &pmu->pe[thread];
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  const bool uen = PMUV3_GET(registers->pmuserenr, PMUSERENR, UEN);
  return (struct access){
      .params = &pmu->params,
      .pe = pe,
      .registers = registers,
      .decoded = &pmu->thread[thread].decoded,
      .reg = reg,
      .base = pmuv3_register_base(pmuv3_register_viewed(reg)),
      .target = pmuv3_registers_target(pmu, thread, reg),
      .writes = writes,
      .el2 = pe->el <= 1 && pmuv3_el2_enabled(&pmu->params, pe),
      .el3 = pe->el <= 2 && pmu->params.el3 && !pmuv3_el3_aa32(pmu, thread),
      .in_host = pe->e2h && pe->tge,
      .uen = pe->el == 0 && uen && !is_el1_aa32(pmu, thread),
  };
}

/* The number of event counters that the access sees (table D13-11). */
static uint8_t event_counters(const struct access *access) {
  return access->el2 ? access->decoded->hpmn : access->decoded->epmn;
}

/* Whether the target belongs to one event counter n, with n >= `counters`. */
static bool is_beyond(const struct access *access, uint8_t counters) {
  const uint64_t event_counter =
      pmuv3_registers_counter(access->target) & PMUV3_MASK(PMCNTENSET, P);
  return (event_counter & ~(uint64_t)pmuv3_counters_below(counters)) != 0;
}

/* The core traps accesses to the debug controls. The model does not. */
static bool is_of_debug(const struct access *access) {
  return access->base == PMUV3_MDCR_EL2 || access->base == PMUV3_MDCR_EL3 ||
         access->base == PMUV3_SDER32_EL3;
}

/* TPM does not trap snapshot registers: EnPMSS does. */
static bool is_of_snapshots(const struct access *access) {
  return access->base == PMUV3_PMSSCR || access->base == PMUV3_PMEVCNTSVR ||
         access->base == PMUV3_PMCCNTSVR || access->base == PMUV3_PMICNTSVR;
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

/* Whether the register exists and can be read, or written. Event counters from EPMN_eff on behave
 * as not implemented. PMXEVCNTR_EL0 is undefined if PMSELR_EL0.SEL is 31 (RSRPKH,
 * K-PMUEVENTCOUNTER, K-PMXEVCNTR31). */
static bool is_defined(const struct access *access) {
  const struct pmuv3_params *params = access->params;
  const enum pmuv3_access possible = access->writes ? pmuv3_register_writable(params, access->reg)
                                                    : pmuv3_register_readable(params, access->reg);
  return possible == PMUV3_ACCESS_OK &&
         pmuv3_register_readable(params, access->target) != PMUV3_ACCESS_UNKNOWN &&
         !is_beyond(access, access->decoded->epmn);
}

/* Secure EL1 exists only if EL3 uses AArch64. */
static bool is_secure_el1(const struct access *access) {
  return access->pe->el == 1 && access->pe->ss == PMUV3_S && access->el3;
}

/* Secure EL1 may access SDER. EL3 in AArch32 may access HDCR if SCR.NS is set. eel2 stands for
 * SCR.NS there. */
static bool is_for_el(const struct access *access) {
  const struct pmuv3_pe *pe = access->pe;
  if (access->base == PMUV3_PMUSERENR && access->writes) return pe->el != 0;
  if (access->reg == PMUV3_SDER && is_secure_el1(access)) return true;
  if (access->reg == PMUV3_HDCR && pe->el == 3) return pmuv3_el2_enabled(access->params, pe);
  return pe->el >= lowest_el(access->base);
}

/* An access to SDCR at Secure EL1 traps, so that Secure EL2 or EL3 can emulate SDCR. */
static bool is_emulated(const struct access *access) {
  return access->reg == PMUV3_SDCR && is_secure_el1(access);
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

/* H-30: EL1 in AArch32 gets an Undefined Instruction exception. */
static enum pmuv3_result refused(const struct pmuv3 *pmu, unsigned thread,
                                 const struct access *access) {
  if (access->el2 && access->pe->tge) return PMUV3_TRAP_EL2;
  return is_el1_aa32(pmu, thread) ? PMUV3_UNDEFINED : PMUV3_TRAP_EL1;
}

/* --- Traps ------------------------------------------------------------------------------------ */

/* The model has the fine-grained traps of the instruction counter (FEAT_FGT2). They do not trap EL0
 * in a host. */
static bool is_trapped_finely(const struct access *access) {
  const uint8_t fgt = access->pe->el == 0 && access->in_host ? 0 : access->pe->fgt;
  switch (access->base) {
    case PMUV3_PMICFILTR:
      return (fgt & (access->writes ? PMUV3_FGT_PMICFILTR_WRITE : PMUV3_FGT_PMICFILTR_READ)) != 0;
    case PMUV3_PMICNTR:
      return (fgt & (access->writes ? PMUV3_FGT_PMICNTR_WRITE : PMUV3_FGT_PMICNTR_READ)) != 0;
    default:
      return false;
  }
}

static bool is_of_tpm(const struct access *access) {
  return !is_of_snapshots(access) && !is_of_debug(access);
}

/* MDCR_EL2 traps, and counters from HPMN_eff on trap: these counters are reserved for EL2. */
static bool is_trapped_to_el2(const struct access *access) {
  const uint64_t mdcr_el2 = access->registers->mdcr_el2;
  const bool tpm = PMUV3_GET(mdcr_el2, MDCR_EL2, TPM) && is_of_tpm(access);
  const bool tpmcr = PMUV3_GET(mdcr_el2, MDCR_EL2, TPMCR) && access->base == PMUV3_PMCR;
  return access->el2 &&
         (tpm || tpmcr || is_trapped_finely(access) || is_beyond(access, access->decoded->hpmn));
}

/* MDCR_EL3. EnPM2 exists if one of the registers that EnPM2 traps exists: both come with PMUv3p9 or
 * EBEP. */
static bool is_disabled_by_el3(const struct access *access) {
  const uint64_t mdcr_el3 = access->registers->mdcr_el3;
  switch (access->base) {
    case PMUV3_PMICNTR:
    case PMUV3_PMICFILTR:
    case PMUV3_PMUACR:
    case PMUV3_PMECR:
    case PMUV3_PMIAR:
      return !PMUV3_GET(mdcr_el3, MDCR_EL3, EnPM2);
    default:
      return is_of_snapshots(access) && !PMUV3_GET(mdcr_el3, MDCR_EL3, EnPMSS);
  }
}

static bool is_trapped_to_el3(const struct access *access) {
  const uint64_t mdcr_el3 = access->registers->mdcr_el3;
  const bool tpm = PMUV3_GET(mdcr_el3, MDCR_EL3, TPM) && is_of_tpm(access);
  return access->el3 && (tpm || is_disabled_by_el3(access));
}

/* --- Reach ------------------------------------------------------------------------------------ */

/* Whether a register with a bit for each counter hides F0 (PMCNTENSET_EL0.F0). */
static bool is_f0_hidden(const struct access *access) {
  const bool enpm2 = PMUV3_GET(access->registers->mdcr_el3, MDCR_EL3, EnPM2);
  unsigned trap = access->writes ? PMUV3_FGT_PMICFILTR_WRITE : PMUV3_FGT_PMICFILTR_READ;
  switch (access->base) {
    case PMUV3_PMZR:
      trap = PMUV3_FGT_PMICNTR_WRITE;
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

struct pmuv3_reach pmuv3_access_highest(const struct pmuv3 *pmu, unsigned thread) {
  const uint8_t n = pmu->thread[thread].decoded.epmn;
  return (struct pmuv3_reach){
      .bits = UINT64_MAX,
      .counters = pmuv3_counters_below(n) | PMUV3_BIT_C | PMUV3_BIT_F0,
      .n = n,
  };
}

/* --- An access -------------------------------------------------------------------------------- */

enum pmuv3_result pmuv3_access(const struct pmuv3 *pmu, unsigned thread, uint16_t reg, bool writes,
                               struct pmuv3_reach *reach) {
  const struct access access = access_of(pmu, thread, reg, writes);
  const bool is_view = pmuv3_register_viewed(reg) != reg;
  if (is_view != is_aa32(pmu, thread)) return PMUV3_UNDEFINED;
  if (!is_defined(&access)) return PMUV3_UNDEFINED;
  if (is_emulated(&access)) return access.el2 ? PMUV3_TRAP_EL2 : PMUV3_TRAP_EL3;
  if (!is_for_el(&access)) return PMUV3_UNDEFINED;
  if (pmu->pe[thread].el == 0 && !is_permitted(&access)) return refused(pmu, thread, &access);
  if (is_trapped_to_el2(&access)) return PMUV3_TRAP_EL2;
  if (is_trapped_to_el3(&access)) return PMUV3_TRAP_EL3;
  *reach = reach_of(&access);
  return PMUV3_DONE;
}

enum pmuv3_result pmuv3_msr(struct pmuv3 *pmu, unsigned thread, uint16_t reg, uint64_t value) {
  struct pmuv3_reach reach;
  const enum pmuv3_result result = pmuv3_access(pmu, thread, reg, true, &reach);
  if (result == PMUV3_DONE) pmuv3_registers_write(pmu, thread, reg, value, &reach);
  return result;
}

enum pmuv3_result pmuv3_mrs(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                            uint64_t *value) {
  struct pmuv3_reach reach;
  const enum pmuv3_result result = pmuv3_access(pmu, thread, reg, false, &reach);
  *value = result == PMUV3_DONE ? pmuv3_registers_read(pmu, thread, reg, &reach) : 0;
  return result;
}
