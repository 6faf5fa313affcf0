/*
 * The PMU's fields of the ID registers, for the parameters of an implementation.
 * id_registers.def is the source of the fields.
 */
#ifndef PMUV3_ID_REGISTERS_H
#define PMUV3_ID_REGISTERS_H

#include <stdint.h>

#include "pmuv3/params.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pmuv3_id_register {
#define PMUV3_ID_REGISTER(id, name, text) PMUV3_ID_##id,
#include "pmuv3/id_registers.def"
  PMUV3_NUM_ID_REGISTERS
};

/* A core has these parameters if its register, and `mask`, is `value`. */
struct pmuv3_id {
  uint64_t value;
  uint64_t mask; /* the PMU's fields; 0: the register does not exist, or is UNKNOWN */
};

/*
 * The PMU's fields of an ID register. ID_AA64DFR0_EL1 and ID_AA64DFR1_EL1 exist with AArch64.
 * ID_DFR0_EL1 and ID_DFR1_EL1 are UNKNOWN unless some Exception level can use AArch32.
 *
 * MTPMU without FEAT_MTPMU: PMEVTYPER<n>_EL0.MT is RES0 (0b1111), or this field does not tell
 * (0b0000). The architecture does not permit 0b0000 from Armv8.6 on. So the field is 0b1111 with
 * FEAT_PMUv3p7, and else 0b0000.
 */
struct pmuv3_id pmuv3_id_of(const struct pmuv3_params *params, enum pmuv3_id_register reg);

/* The name of an ID register: "ID_AA64DFR0_EL1". "unknown": there is no such register. */
const char *pmuv3_id_register_name(enum pmuv3_id_register reg);

/* A field of 4 bits. */
struct pmuv3_id_field {
  enum pmuv3_id_register reg;
  const char *name;
  unsigned lsb;
  const char *text; /* what it tells of */
};

/* The fields, in order of their registers and bits; NULL beyond the last. */
const struct pmuv3_id_field *pmuv3_id_register_field(unsigned index);

#ifdef __cplusplus
}
#endif

#endif
