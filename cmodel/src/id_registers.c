/* The PMU's fields of the ID registers (D24.2.80, D24.2.81, D24.2.99, D24.2.100). */
#include "pmuv3/id_registers.h"

#include <stddef.h>

enum {
#define PMUV3_ID_FIELD(reg, field, lsb, text) FIELD_##reg##_##field,
#include "pmuv3/id_registers.def"
  NUM_FIELDS
};

static const struct pmuv3_id_field fields[NUM_FIELDS] = {
#define PMUV3_ID_FIELD(reg, field, lsb, text) {PMUV3_ID_##reg, #field, lsb, text},
#include "pmuv3/id_registers.def"
};

static const char *const names[PMUV3_NUM_ID_REGISTERS] = {
#define PMUV3_ID_REGISTER(id, name, text) name,
#include "pmuv3/id_registers.def"
};

/* The alternative ID scheme of the Performance Monitors Extension. PMUVer and PerfMon differ for
 * PMUv3 without later versions. */
static unsigned version(const struct pmuv3_params *params, unsigned pmuv3_alone) {
  if (pmuv3_has(params, PMUV3_FEATURE_PMUv3p9)) return 9;
  if (pmuv3_has(params, PMUV3_FEATURE_PMUv3p8)) return 8;
  if (pmuv3_has(params, PMUV3_FEATURE_PMUv3p7)) return 7;
  if (pmuv3_has(params, PMUV3_FEATURE_PMUv3p5)) return 6;
  if (pmuv3_has(params, PMUV3_FEATURE_PMUv3p4)) return 5;
  if (pmuv3_has(params, PMUV3_FEATURE_PMUv3p1)) return 4;
  return pmuv3_alone;
}

static unsigned mtpmu(const struct pmuv3_params *params) {
  if (pmuv3_has(params, PMUV3_FEATURE_MTPMU)) return 1;
  return pmuv3_has(params, PMUV3_FEATURE_PMUv3p7) ? 15 : 0;
}

static unsigned field_value(const struct pmuv3_params *params, unsigned field) {
  switch (field) {
    case FIELD_AA64DFR0_PMUVer:
      return version(params, 1);
    case FIELD_DFR0_PerfMon:
      return version(params, 3);
    case FIELD_AA64DFR0_MTPMU:
    case FIELD_DFR1_MTPMU:
      return mtpmu(params);
    case FIELD_AA64DFR0_HPMN0:
    case FIELD_DFR1_HPMN0:
      return pmuv3_has(params, PMUV3_FEATURE_HPMN0);
    case FIELD_AA64DFR0_PMSS:
      return pmuv3_has(params, PMUV3_FEATURE_SS);
    case FIELD_AA64DFR0_SEBEP:
      return pmuv3_has(params, PMUV3_FEATURE_SEBEP);
    case FIELD_AA64DFR1_PMICNTR:
      return pmuv3_has(params, PMUV3_FEATURE_ICNTR);
    case FIELD_AA64DFR1_EBEP:
      return pmuv3_has(params, PMUV3_FEATURE_EBEP);
    default: /* FIELD_AA64DFR1_DPFZS */
      return pmuv3_has(params, PMUV3_FEATURE_DPFZS);
  }
}

static bool is_present(const struct pmuv3_params *params, enum pmuv3_id_register reg) {
  const bool is_aa64 = reg == PMUV3_ID_AA64DFR0 || reg == PMUV3_ID_AA64DFR1;
  return is_aa64 ? params->aa64 : pmuv3_can_aa32(params, 0);
}

struct pmuv3_id pmuv3_id_of(const struct pmuv3_params *params, enum pmuv3_id_register reg) {
  struct pmuv3_id id = {0, 0};
  for (unsigned f = 0; f < NUM_FIELDS && is_present(params, reg); f++) {
    if (fields[f].reg != reg) continue;
    id.value |= (uint64_t)field_value(params, f) << fields[f].lsb;
    id.mask |= UINT64_C(15) << fields[f].lsb;
  }
  return id;
}

const char *pmuv3_id_register_name(enum pmuv3_id_register reg) {
  return (unsigned)reg < PMUV3_NUM_ID_REGISTERS ? names[reg] : "unknown";
}

const struct pmuv3_id_field *pmuv3_id_register_field(unsigned index) {
  return index < NUM_FIELDS ? &fields[index] : NULL;
}
