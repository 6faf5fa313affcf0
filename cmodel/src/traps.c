/* Traps: what sends a System register access that exists to an Exception level (I-3 to I-9). */
#include "access.h"

/* --- EL2 -------------------------------------------------------------------------------------- */

/* The fine-grained trap of a register. 0: there is none. */
static uint64_t fine_grained(uint16_t base, bool writes) {
  switch (base) {
#define TRAPS(id) writes ? PMUV3_FGT_MASK(id##_WRITE) : PMUV3_FGT_MASK(id##_READ)
#define TRAPS_READS(id) writes ? 0 : PMUV3_FGT_MASK(id##_READ)
#define TRAPS_WRITES(id) writes ? PMUV3_FGT_MASK(id##_WRITE) : 0
    case PMUV3_PMICFILTR:
      return TRAPS(PMICFILTR);
    case PMUV3_PMICNTR:
      return TRAPS(PMICNTR);
    case PMUV3_PMEVCNTR:
    case PMUV3_PMXEVCNTR:
      return TRAPS(PMEVCNTR);
    case PMUV3_PMEVTYPER:
    case PMUV3_PMXEVTYPER: /* even if PMSELR_EL0.SEL is 31 */
      return TRAPS(PMEVTYPER);
    case PMUV3_PMCCFILTR:
      return TRAPS(PMCCFILTR);
    case PMUV3_PMCCNTR:
      return TRAPS(PMCCNTR);
    case PMUV3_PMCNTENSET:
    case PMUV3_PMCNTENCLR:
      return TRAPS(PMCNTEN);
    case PMUV3_PMINTENSET:
    case PMUV3_PMINTENCLR:
      return TRAPS(PMINTEN);
    case PMUV3_PMOVSSET:
    case PMUV3_PMOVSCLR:
      return TRAPS(PMOVS);
    case PMUV3_PMSELR:
      return TRAPS(PMSELR);
    case PMUV3_PMUACR:
      return TRAPS(PMUACR);
    case PMUV3_PMECR:
      return TRAPS(PMECR);
    case PMUV3_PMIAR:
      return TRAPS(PMIAR);
    case PMUV3_PMSSCR:
      return TRAPS(PMSSCR);
    case PMUV3_PMUSERENR:
      return TRAPS(PMUSERENR);
    case PMUV3_PMCEID0:
    case PMUV3_PMCEID1:
      return TRAPS_READS(PMCEID);
    case PMUV3_PMMIR:
      return TRAPS_READS(PMMIR);
    case PMUV3_PMEVCNTSVR:
    case PMUV3_PMCCNTSVR:
    case PMUV3_PMICNTSVR:
      return TRAPS_READS(PMSSDATA);
    case PMUV3_PMCR:
      return TRAPS_WRITES(PMCR);
    case PMUV3_PMSWINC:
      return TRAPS_WRITES(PMSWINC);
    case PMUV3_PMZR:
      return TRAPS_WRITES(PMZR);
    default:
      return 0;
  }
}

static bool is_host_user(const struct access *access) {
  return access->pe->el == 0 && access->in_host;
}

/* Fine-grained traps exist only while EL1 uses AArch64. They do not trap EL0 in a host. */
static bool is_trapped_finely(const struct access *access) {
  const uint64_t trap = fine_grained(access->base, access->writes);
  return (access->pe->fgt & trap) != 0 && !access->el1_aa32 && !is_host_user(access);
}

/* HSTR.T9 traps the AArch32 registers with CRn = c9, and MRRC and MCRR with CRm = c9: PMCCNTR64 has
 * both in its encoding. HSTR_EL2 does not trap EL0 in a host. */
static bool is_trapped_by_hstr(const struct access *access) {
  const bool is_c9 = access->aa32 && (access->reg >> 7 & 15) == 9;
  return access->pe->hstr && is_c9 && !is_host_user(access);
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

static bool is_of_tpm(const struct access *access) {
  return !is_of_snapshots(access) && !is_of_debug(access);
}

/* Fine-grained traps, HSTR and MDCR_EL2. Counters from HPMN_eff on trap, too: these counters are
 * reserved for EL2. */
static bool is_trapped_to_el2(const struct access *access) {
  const uint64_t mdcr_el2 = access->registers->mdcr_el2;
  const bool tpm = PMUV3_GET(mdcr_el2, MDCR_EL2, TPM) && is_of_tpm(access);
  const bool tpmcr = PMUV3_GET(mdcr_el2, MDCR_EL2, TPMCR) && access->base == PMUV3_PMCR;
  return access->el2 && (is_trapped_finely(access) || is_trapped_by_hstr(access) || tpm || tpmcr ||
                         pmuv3_access_is_beyond(access, access->decoded->hpmn));
}

/* --- EL3 -------------------------------------------------------------------------------------- */

/* EnPM2 exists if one of the registers that EnPM2 traps exists: both come with PMUv3p9 or EBEP. */
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

/* EL3SDDUndef: EDSCR.SDD forbids exceptions to EL3 in Debug state (I-9). */
static bool is_el3_forbidden(const struct access *access) {
  return access->pe->halted && access->pe->sdd;
}

bool pmuv3_traps_first(const struct access *access) {
  return access->params->k_sdd_priority && is_el3_forbidden(access) && is_trapped_to_el3(access);
}

/* FGWTE3_EL3 traps EL3's own writes of MDCR_EL3 (I-8). */
static bool is_trapped_at_el3(const struct access *access) {
  return access->pe->fgwte3 && access->writes && access->reg == PMUV3_MDCR_EL3;
}

/* --- The order -------------------------------------------------------------------------------- */

/* SDCR traps from Secure EL1, also where SDD forbids other exceptions to EL3. HCR_EL2.NV traps what
 * EL1 may not access of EL2: MDCR_EL2, and in Secure state SDER32_EL2 (I-7). */
bool pmuv3_traps_emulated(const struct access *access, enum pmuv3_result *result) {
  const struct pmuv3_pe *pe = access->pe;
  const bool is_secure = pe->ss == PMUV3_S;
  const bool of_el2 =
      access->reg == PMUV3_MDCR_EL2 || (access->reg == PMUV3_SDER32_EL2 && is_secure);
  const bool sdcr = access->reg == PMUV3_SDCR && is_secure && access->el3;
  const bool nv = of_el2 && access->el2 && pe->nv;
  *result = access->el2 ? PMUV3_TRAP_EL2 : PMUV3_TRAP_EL3;
  return pe->el == 1 && (sdcr || nv);
}

/* H-30: EL1 in AArch32 gets an Undefined Instruction exception. */
enum pmuv3_result pmuv3_traps_refused(const struct access *access) {
  if (access->el2 && access->pe->tge) return PMUV3_TRAP_EL2;
  return access->el1_aa32 ? PMUV3_UNDEFINED : PMUV3_TRAP_EL1;
}

enum pmuv3_result pmuv3_traps(const struct access *access) {
  if (is_trapped_to_el2(access)) return PMUV3_TRAP_EL2;
  if (is_trapped_at_el3(access)) return PMUV3_TRAP_EL3;
  if (!is_trapped_to_el3(access)) return PMUV3_DONE;
  return is_el3_forbidden(access) ? PMUV3_UNDEFINED : PMUV3_TRAP_EL3;
}

/* --- The syndrome ----------------------------------------------------------------------------- */

enum { EC_UNKNOWN = 0x00, EC_MCR = 0x03, EC_MCRR = 0x04, EC_MSR = 0x18 };

static uint8_t exception_class(uint16_t reg) {
  if (reg == PMUV3_PMCCNTR64) return EC_MCRR;
  return pmuv3_register_is_aa32(reg) ? EC_MCR : EC_MSR;
}

/* The fields of the encoding where the ISS has them. Rt and Rt2 are 0: the instruction is not the
 * PMU's. An AArch32 instruction is unconditional: CV is 1, and COND is 0b1110. */
static uint32_t instruction_syndrome(uint16_t reg, bool writes) {
  const uint32_t op0 = reg >> 14, op1 = reg >> 11 & 7, crn = reg >> 7 & 15, crm = reg >> 3 & 15;
  const uint32_t op2 = reg & 7, direction = !writes;
  const uint32_t condition = UINT32_C(1) << 24 | UINT32_C(0xE) << 20;
  switch (exception_class(reg)) {
    case EC_MCRR:
      return condition | op1 << 16 | crm << 1 | direction;
    case EC_MCR:
      return condition | op2 << 17 | op1 << 14 | crn << 10 | crm << 1 | direction;
    default:
      return op0 << 20 | op2 << 17 | op1 << 14 | crn << 10 | crm << 1 | direction;
  }
}

static uint8_t target_el(enum pmuv3_result result) {
  switch (result) {
    case PMUV3_TRAP_EL1:
      return 1;
    case PMUV3_TRAP_EL2:
      return 2;
    case PMUV3_TRAP_EL3:
      return 3;
    default:
      return 0;
  }
}

/* I-4. If TGE sends what PMUSERENR_EL0 refuses to an EL2 in AArch32, EL2 gets the Hyp trap of an
 * UNDEFINED instruction. */
struct pmuv3_trap pmuv3_traps_syndrome(const struct access *access, enum pmuv3_result result,
                                       bool is_refused) {
  const uint8_t el = target_el(result);
  if (el == 0 || (is_refused && access->el2_aa32)) return (struct pmuv3_trap){.el = el};
  return (struct pmuv3_trap){
      .el = el,
      .ec = exception_class(access->reg),
      .iss = instruction_syndrome(access->reg, access->writes),
  };
}
