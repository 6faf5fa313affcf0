/* The registers and their fields, from registers.def. */
#include "pmuv3/registers.h"

#include <stdio.h>
#include <string.h>

#include "internal.h"

/* When a register or a field is present: a feature, or more than that. */
enum present {
#define PMUV3_FEATURE(id, implies, text) PRESENT_##id = PMUV3_FEATURE_##id,
#include "pmuv3/params.def"
  PRESENT_ALWAYS,
  PRESENT_EL2,
  PRESENT_EL3,
  PRESENT_TH2_ODD,
  PRESENT_EL3_SEL2,
  PRESENT_MTPMU_NO_EL3,
  PRESENT_PROHIBITABLE,
};

enum access { ACCESS_RW, ACCESS_RO, ACCESS_WO, ACCESS_LATER };

struct reg {
  uint16_t encoding; /* of n = 0 */
  const char *name;  /* with %u for n where there are several */
  enum access access;
  enum present present;
};

struct field {
  uint16_t encoding; /* of its register */
  const char *name;
  uint64_t mask;
  enum access access;
  enum present present;
};

static const struct reg regs[] = {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) \
  {PMUV3_##id, name, ACCESS_##access, PRESENT_##present},
#include "pmuv3/registers.def"
};

static const struct field fields[] = {
#define PMUV3_FIELD(reg, field, msb, lsb, access, present) \
  {PMUV3_##reg, #field, PMUV3_MASK(reg, field), ACCESS_##access, PRESENT_##present},
#include "pmuv3/registers.def"
};

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static bool is_present(const struct pmuv3_params *params, enum present present, unsigned n) {
  switch (present) {
    case PRESENT_ALWAYS:
      return true;
    case PRESENT_EL2:
      return params->el2;
    case PRESENT_EL3:
      return params->el3;
    case PRESENT_TH2_ODD:
      return pmuv3_has(params, PMUV3_FEATURE_TH2) && n % 2 == 1;
    case PRESENT_EL3_SEL2:
      return params->el3 && pmuv3_has(params, PMUV3_FEATURE_SEL2);
    case PRESENT_MTPMU_NO_EL3:
      return pmuv3_has(params, PMUV3_FEATURE_MTPMU) && !params->el3;
    case PRESENT_PROHIBITABLE:
      return params->el3 || (pmuv3_has(params, PMUV3_FEATURE_PMUv3p1) && params->el2) ||
             pmuv3_has(params, PMUV3_FEATURE_PMUv3p7);
    default:
      return pmuv3_has(params, (enum pmuv3_feature)present);
  }
}

/* The register's row; NULL for an unknown encoding. */
static const struct reg *row_of(uint16_t reg) {
  if (pmuv3_register_index(reg) >= PMUV3_MAX_COUNTERS) return NULL;
  for (size_t r = 0; r < LENGTH(regs); r++)
    if (regs[r].encoding == pmuv3_register_base(reg)) return &regs[r];
  return NULL;
}

/* The register's row; NULL unless it exists with these parameters. */
static const struct reg *existing(const struct pmuv3_params *params, uint16_t reg) {
  const struct reg *row = row_of(reg);
  if (row == NULL || !is_present(params, row->present, pmuv3_register_index(reg))) return NULL;
  if (strchr(row->name, '%') != NULL && pmuv3_register_index(reg) >= params->counters) return NULL;
  return row;
}

const char *pmuv3_access_text(enum pmuv3_access access) {
  switch (access) {
    case PMUV3_ACCESS_OK:
      return "ok";
    case PMUV3_ACCESS_UNKNOWN:
      return "unknown register";
    case PMUV3_ACCESS_READ_ONLY:
      return "read-only register";
    case PMUV3_ACCESS_WRITE_ONLY:
      return "write-only register";
  }
  return "?";
}

/* The n of a counter at the start of text, without leading zeros. Returns its length; 0: none. */
static size_t parse_index(const char *text, unsigned *n) {
  const size_t length = strspn(text, "0123456789");
  if (length < 1 || length > 2 || (length == 2 && text[0] == '0')) return 0;
  *n = 0;
  for (size_t i = 0; i < length; i++) *n = *n * 10 + (unsigned)(text[i] - '0');
  return *n < PMUV3_MAX_COUNTERS ? length : 0;
}

bool pmuv3_register_find(const char *name, uint16_t *reg) {
  for (size_t r = 0; r < LENGTH(regs); r++) {
    const char *pattern = regs[r].name;
    const size_t stem = strcspn(pattern, "%");
    if (strncmp(name, pattern, stem) != 0) continue;
    const char *rest = name + stem;
    unsigned n = 0;
    if (pattern[stem] == '%') {
      const size_t digits = parse_index(rest, &n);
      if (digits == 0) continue;
      rest += digits;
      pattern += strlen("%u");
    }
    if (strcmp(rest, pattern + stem) != 0) continue;
    *reg = (uint16_t)(regs[r].encoding + n);
    return true;
  }
  return false;
}

const char *pmuv3_register_name(uint16_t reg, char buf[24]) {
  const struct reg *row = row_of(reg);
  if (row == NULL)
    snprintf(buf, 24, "0x%04X", reg);
  else
    snprintf(buf, 24, row->name, pmuv3_register_index(reg));
  return buf;
}

enum pmuv3_access pmuv3_register_readable(const struct pmuv3_params *params, uint16_t reg) {
  const struct reg *row = existing(params, reg);
  if (row == NULL) return PMUV3_ACCESS_UNKNOWN;
  return row->access == ACCESS_WO ? PMUV3_ACCESS_WRITE_ONLY : PMUV3_ACCESS_OK;
}

enum pmuv3_access pmuv3_register_writable(const struct pmuv3_params *params, uint16_t reg) {
  const struct reg *row = existing(params, reg);
  if (row == NULL) return PMUV3_ACCESS_UNKNOWN;
  return row->access == ACCESS_RO ? PMUV3_ACCESS_READ_ONLY : PMUV3_ACCESS_OK;
}

/* Whether the register has this field: MDCR_EL2 is RES0 as a whole without EL2. */
static bool has_field(const struct pmuv3_params *params, uint16_t reg, const struct field *field) {
  return field->encoding == pmuv3_register_base(reg) &&
         is_present(params, field->present, pmuv3_register_index(reg)) &&
         (reg != PMUV3_MDCR_EL2 || params->el2);
}

/* The implemented bits of a field: the low th_width of TH; of a bit per counter, the counters'. */
static uint64_t implemented(const struct pmuv3_params *params, const struct field *field) {
  if (field->mask == PMUV3_MASK(PMCNTENSET, P)) return pmuv3_counters_below(params->counters);
  if (field->encoding == PMUV3_PMEVTYPER && field->mask == PMUV3_MASK(PMEVTYPER, TH))
    return field->mask & ~(field->mask << params->th_width);
  return field->mask;
}

uint64_t pmuv3_register_mask(const struct pmuv3_params *params, uint16_t reg) {
  if (existing(params, reg) == NULL) return 0;
  uint64_t mask = 0;
  for (size_t f = 0; f < LENGTH(fields); f++) {
    const struct field *field = &fields[f];
    if (field->access != ACCESS_RW && field->access != ACCESS_WO) continue;
    if (has_field(params, reg, field)) mask |= implemented(params, field);
  }
  return mask;
}

const char *pmuv3_register_unsupported(const struct pmuv3_params *params, uint16_t reg,
                                       uint64_t value) {
  if (existing(params, reg) == NULL) return NULL;
  for (size_t f = 0; f < LENGTH(fields); f++) {
    const struct field *field = &fields[f];
    if (field->access == ACCESS_LATER && (value & field->mask) != 0 &&
        has_field(params, reg, field))
      return field->name;
  }
  return NULL;
}
