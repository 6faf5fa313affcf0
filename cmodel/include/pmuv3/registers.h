/*
 * Names, encodings and fields of the registers (specification E). registers.def is their source.
 *
 * The System register encoding identifies a register: {op0, op1, CRn, CRm, op2}, 16 bits, as in MRS
 * and MSR. An AArch32 register is a view of the low half of an AArch64 register. It has an encoding
 * of its own, with op0 = 0.
 */
#ifndef PMUV3_REGISTERS_H
#define PMUV3_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmuv3/params.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PMUV3_SYSREG(op0, op1, crn, crm, op2) \
  ((op0) << 14 | (op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))

/* Encodings: PMUV3_PMCR, PMUV3_MDCR_EL2, PMUV3_HDCR, ... A register with <n> has that of n = 0. */
enum {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) \
  PMUV3_##id = PMUV3_SYSREG(op0, op1, crn, crm, op2),
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) \
  PMUV3_##id = PMUV3_SYSREG(0, opc1, crn, crm, opc2),
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) \
  PMUV3_##id = PMUV3_SYSREG(op0, op1, crn, crm, op2),
#include "pmuv3/registers.def"
};

/* What an encoding can name, in all: a register, a view or an alias, with <n> once; or nothing. */
enum {
  PMUV3_NUM_VIEWS = 1
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) +1
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) +1
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) +1
#include "pmuv3/registers.def"
};

/* Encodings of the registers with <n>: n is {CRm[1:0], op2}. */
#define PMUV3_PMEVCNTRn(n) ((uint16_t)(PMUV3_PMEVCNTR + (n)))
#define PMUV3_PMEVTYPERn(n) ((uint16_t)(PMUV3_PMEVTYPER + (n)))
#define PMUV3_PMEVCNTSVRn(n) ((uint16_t)(PMUV3_PMEVCNTSVR + (n)))
#define PMUV3_PMEVCNTRn_AA32(n) ((uint16_t)(PMUV3_PMEVCNTR_AA32 + (n)))
#define PMUV3_PMEVTYPERn_AA32(n) ((uint16_t)(PMUV3_PMEVTYPER_AA32 + (n)))

/* Fields: PMUV3_PMCR_LP_LSB, PMUV3_PMCR_LP_MSB, ... */
enum {
#define PMUV3_FIELD(reg, field, msb, lsb, access, present) \
  PMUV3_##reg##_##field##_LSB = (lsb), PMUV3_##reg##_##field##_MSB = (msb),
#include "pmuv3/registers.def"
};

/* PMUV3_MASK: the bits of a field. PMUV3_GET: the value of a field in a register's value. */
#define PMUV3_MASK(reg, field)                                                        \
  (~UINT64_C(0) >> (63 - (PMUV3_##reg##_##field##_MSB - PMUV3_##reg##_##field##_LSB)) \
                       << PMUV3_##reg##_##field##_LSB)
#define PMUV3_GET(value, reg, field) \
  (((value)&PMUV3_MASK(reg, field)) >> PMUV3_##reg##_##field##_LSB)

/* How an access with the highest rights ends. */
enum pmuv3_access {
  PMUV3_ACCESS_OK,
  PMUV3_ACCESS_UNKNOWN,    /* no such register with these parameters, or n is not implemented */
  PMUV3_ACCESS_READ_ONLY,  /* a write of a register that is wholly read-only */
  PMUV3_ACCESS_WRITE_ONLY, /* a read of a register that is wholly write-only */
};

/* How an access that the thread's state judges ends: it takes effect, is UNDEFINED, or is trapped
 * to an Exception level. */
enum pmuv3_result {
  PMUV3_DONE,
  PMUV3_UNDEFINED,
  PMUV3_TRAP_EL1,
  PMUV3_TRAP_EL2,
  PMUV3_TRAP_EL3,
};

/*
 * The exception that ends an access. An UNDEFINED instruction is 0 in all members: the architecture
 * says where its exception goes.
 *
 * ec: 0x18 of MRS and MSR; 0x03 of MRC and MCR; 0x04 of MRRC and MCRR; 0x00 of the Hyp trap that
 * EL2 in AArch32 gets if HCR.TGE sends it an access that PMUSERENR refuses. iss is the syndrome of
 * the instruction, with 0 for Rt and Rt2; it is 0 if ec is 0.
 */
struct pmuv3_trap {
  uint8_t el;
  uint8_t ec;
  uint32_t iss;
};

/* The syndrome as ESR_ELx[31:0] has it, {EC, IL = 1, ISS}. 0 if the access is done. */
static inline uint32_t pmuv3_syndrome(enum pmuv3_result result, struct pmuv3_trap trap) {
  return result == PMUV3_DONE ? 0 : (uint32_t)trap.ec << 26 | UINT32_C(1) << 25 | trap.iss;
}

/* Says what is wrong, in words: "unknown register", ... PMUV3_ACCESS_OK gives "ok". */
const char *pmuv3_access_text(enum pmuv3_access access);

/* Finds the encoding of a register by its name, PMEVTYPER3_EL0 or HDCR. False: no such name. */
bool pmuv3_register_find(const char *name, uint16_t *reg);

/*
 * The register that a word of the external view shows (external.def): its encoding, with *lsb = 0
 * for its bits [31:0], 32 for [63:32]. 0 is no register: the word is reserved, or is of a register
 * that has no encoding, as PMCFGR. PMCNTEN, PMINTEN and PMOVS give 0, too.
 *
 *   unsigned lsb;
 *   if (pmuv3_register_external(&params, 0x408, &lsb) == PMUV3_PMEVTYPERn(1) && lsb == 0)
 *     puts("PMEVTYPER1_EL0[31:0], with EXT64");
 */
uint16_t pmuv3_register_external(const struct pmuv3_params *params, uint16_t offset, unsigned *lsb);

/* Writes the register's name to buf, or an unknown encoding as 0x and four digits. Returns buf. */
const char *pmuv3_register_name(uint16_t reg, char buf[24]);

/* How many bits an access of a register has: 32 for MRC and MCR, else 64. */
unsigned pmuv3_register_bits(uint16_t reg);

/* Whether a register can be read (written) with these parameters. */
enum pmuv3_access pmuv3_register_readable(const struct pmuv3_params *params, uint16_t reg);
enum pmuv3_access pmuv3_register_writable(const struct pmuv3_params *params, uint16_t reg);

/*
 * The bits of a register that a write can change or that act on a write, as a mask. TH has its low
 * th_width bits. Where a register has a bit for each counter, the mask has those of the implemented
 * counters. PMEVCNTR and PMEVTYPER need n in the encoding. The mask of PMXEVTYPER and PMXEVCNTR is
 * all ones, since PMSELR selects another register; the mask of an unknown register is 0. A write
 * through an AArch32 view sets the bits of [31:0] that the view's mask lacks to 0.
 */
uint64_t pmuv3_register_mask(const struct pmuv3_params *params, uint16_t reg);

#ifdef __cplusplus
}
#endif

#endif
