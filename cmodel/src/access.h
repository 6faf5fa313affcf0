/* access and traps: a System register access, and the state of the thread that makes the access. */
#ifndef PMUV3_ACCESS_H
#define PMUV3_ACCESS_H

#include "internal.h"

struct access {
  const struct pmuv3 *pmu;
  const struct pmuv3_params *params;
  const struct pmuv3_pe *pe;
  const struct pmuv3_registers *registers;
  const struct pmuv3_decoded *decoded;
  struct pmuv3_register named;  /* by the instruction */
  struct pmuv3_register target; /* PMSELR_EL0 applied */
  uint16_t reg;                 /* the encoding that the instruction names */
  uint16_t base;                /* the AArch64 register with n = 0 */
  bool writes;
  bool aa32;     /* the instruction is an AArch32 instruction */
  bool el1_aa32; /* EL1 uses AArch32 */
  bool el2_aa32; /* EL2 uses AArch32 */
  bool el2;      /* the access is from below EL2, and EL2 is enabled */
  bool el3;      /* the access is from below EL3, and EL3 uses AArch64 */
  bool in_host;  /* {E2H, TGE} is {1, 1}, and EL2 uses AArch64 */
  bool uen;      /* the access is from EL0, and PMUACR_EL1 limits its reach */
};

/* Whether the target belongs to one event counter n, with n >= `counters`. */
bool pmuv3_access_is_beyond(const struct access *access, uint8_t counters);

/* Whether an access that is not for its Exception level traps, so that another level can emulate
 * it. Gives the level. */
bool pmuv3_traps_emulated(const struct access *access, enum pmuv3_result *result);

/* Whether EDSCR.SDD makes the access UNDEFINED before all other checks (K-SDD-PRIORITY). */
bool pmuv3_traps_first(const struct access *access);

/* Where an access traps that PMUSERENR_EL0 refuses. */
enum pmuv3_result pmuv3_traps_refused(const struct access *access);

/* Where an access traps that nothing before has decided. PMUV3_DONE: nowhere. */
enum pmuv3_result pmuv3_traps(const struct access *access);

/* The exception that ends the access. `is_refused`: PMUSERENR_EL0 refuses the access. */
struct pmuv3_trap pmuv3_traps_syndrome(const struct access *access, enum pmuv3_result result,
                                       bool is_refused);

#endif
