/* The registers and their fields, from registers.def. */
#include "pmuv3/registers.h"

#include <stdio.h>
#include <string.h>

#include "internal.h"

/* The condition for a register or a field: a feature, or a condition that no feature expresses. */
enum present {
#define PMUV3_FEATURE(id, implies, dflt, text) PRESENT_##id = PMUV3_FEATURE_##id,
#include "pmuv3/params.def"
  PRESENT_ALWAYS,
  PRESENT_EL2,
  PRESENT_EL3,
  PRESENT_TH2_ODD,
  PRESENT_EL3_SEL2,
  PRESENT_EL2_SEL2,
  PRESENT_EL3_AA64,
  PRESENT_P5_AA64,
  PRESENT_P7_AA64,
  PRESENT_P9_AA64,
  PRESENT_BEFORE_P7,
  PRESENT_P9_EBEP_AA64,
  PRESENT_EBEP_OR_SS,
  PRESENT_AA32,
  PRESENT_AA32_P1,
  PRESENT_AA32EL1,
  PRESENT_AA32EL2,
  PRESENT_AA32EL3,
  PRESENT_SS_ICNTR,
  PRESENT_EXT,
  PRESENT_EXT_RME,
  PRESENT_MT_BIT,
  PRESENT_MTPMU_NO_EL3,
  PRESENT_PROHIBITABLE,
};

enum access { ACCESS_RW, ACCESS_RO, ACCESS_WO };

struct reg {
  uint16_t encoding; /* with n = 0 */
  enum access access;
  enum present present;
  unsigned first_field; /* in fields */
};

struct field {
  uint16_t encoding; /* the register's */
  uint64_t mask;
  enum access access;
  enum present present;
};

/* Indices of the registers' rows, and of each register's first field. Fields of a register follow
 * each other. */
enum {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) ROW_##id,
#include "pmuv3/registers.def"
};
enum {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) \
  FIRST_FIELD_##id, BEFORE_##id = FIRST_FIELD_##id - 1,
#define PMUV3_FIELD(reg, field, msb, lsb, access, present) FIELD_##reg##_##field,
#include "pmuv3/registers.def"
};

static const struct reg regs[] = {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) \
  {PMUV3_##id, ACCESS_##access, PRESENT_##present, FIRST_FIELD_##id},
#include "pmuv3/registers.def"
};

static const struct field fields[] = {
#define PMUV3_FIELD(reg, field, msb, lsb, access, present) \
  {PMUV3_##reg, PMUV3_MASK(reg, field), ACCESS_##access, PRESENT_##present},
#include "pmuv3/registers.def"
};

const struct pmuv3_view pmuv3_views[] = {
    {.mask = UINT64_MAX},
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) \
  {PMUV3_##id, PMUV3_##id, ROW_##id, 0, PRESENT_ALWAYS, UINT64_MAX, name},
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) \
  {PMUV3_##id, PMUV3_##of, ROW_##of, lsb, PRESENT_##present, mask, name},
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) \
  {PMUV3_##id, PMUV3_##of, ROW_##of, 0, PRESENT_##present, UINT64_MAX, name},
#include "pmuv3/registers.def"
};

/* A register with <n> has 30 encodings more. */
#define AT(id, n) [PMUV3_##id + (n)] = PMUV3_VIEW_OF_##id
#define TEN(id, n)                                                                     \
  AT(id, (n) + 1), AT(id, (n) + 2), AT(id, (n) + 3), AT(id, (n) + 4), AT(id, (n) + 5), \
      AT(id, (n) + 6), AT(id, (n) + 7), AT(id, (n) + 8), AT(id, (n) + 9), AT(id, (n) + 10)
#define INDEXED(id) TEN(id, 0), TEN(id, 10), TEN(id, 20)

const uint8_t pmuv3_view_at[] = {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) \
  [PMUV3_##id] = PMUV3_VIEW_OF_##id,
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) \
  [PMUV3_##id] = PMUV3_VIEW_OF_##id,
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) \
  [PMUV3_##id] = PMUV3_VIEW_OF_##id,
#include "pmuv3/registers.def"
    INDEXED(PMEVCNTR),      INDEXED(PMEVTYPER),      INDEXED(PMEVCNTSVR),
    INDEXED(PMEVCNTR_AA32), INDEXED(PMEVTYPER_AA32), [UINT16_MAX] = PMUV3_VIEW_UNKNOWN,
};

/* A write through a view is a write to bits from bit 0 on (written_to). */
enum {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) \
  IS_READ_ONLY_##id = ACCESS_##access == ACCESS_RO,
#include "pmuv3/registers.def"
};
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) \
  _Static_assert((lsb) == 0 || IS_READ_ONLY_##of, #id " begins at bit " #lsb);
#include "pmuv3/registers.def"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static bool has_page(const struct pmuv3_params *params) {
  return pmuv3_has(params, PMUV3_FEATURE_EXT32) || pmuv3_has(params, PMUV3_FEATURE_EXT64);
}

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
    case PRESENT_EL2_SEL2:
      return params->el2 && pmuv3_has(params, PMUV3_FEATURE_SEL2);
    case PRESENT_EL3_AA64:
      return params->el3 && params->aa64;
    case PRESENT_P5_AA64:
      return pmuv3_has(params, PMUV3_FEATURE_PMUv3p5) && params->aa64;
    case PRESENT_P7_AA64:
      return pmuv3_has(params, PMUV3_FEATURE_PMUv3p7) && params->aa64;
    case PRESENT_P9_AA64:
      return pmuv3_has(params, PMUV3_FEATURE_PMUv3p9) && params->aa64;
    case PRESENT_BEFORE_P7:
      return !pmuv3_has(params, PMUV3_FEATURE_PMUv3p7);
    case PRESENT_P9_EBEP_AA64:
      return (pmuv3_has(params, PMUV3_FEATURE_PMUv3p9) || pmuv3_has(params, PMUV3_FEATURE_EBEP)) &&
             params->aa64;
    case PRESENT_EBEP_OR_SS:
      return pmuv3_has(params, PMUV3_FEATURE_EBEP) || pmuv3_has(params, PMUV3_FEATURE_SS);
    case PRESENT_AA32:
      return pmuv3_can_aa32(params, 0);
    case PRESENT_AA32_P1:
      return pmuv3_can_aa32(params, 0) && pmuv3_has(params, PMUV3_FEATURE_PMUv3p1);
    case PRESENT_AA32EL1:
      return pmuv3_can_aa32(params, 1);
    case PRESENT_AA32EL2:
      return pmuv3_can_aa32(params, 2);
    case PRESENT_AA32EL3:
      return pmuv3_can_aa32(params, 3);
    case PRESENT_SS_ICNTR:
      return pmuv3_has(params, PMUV3_FEATURE_SS) && pmuv3_has(params, PMUV3_FEATURE_ICNTR);
    case PRESENT_EXT:
      return has_page(params);
    case PRESENT_EXT_RME:
      return has_page(params) && pmuv3_has(params, PMUV3_FEATURE_RME);
    case PRESENT_MT_BIT:
      return pmuv3_has(params, PMUV3_FEATURE_MTPMU) || params->k_mt_legacy;
    case PRESENT_MTPMU_NO_EL3:
      return pmuv3_has(params, PMUV3_FEATURE_MTPMU) && !params->el3;
    case PRESENT_PROHIBITABLE:
      return params->el3 || (pmuv3_has(params, PMUV3_FEATURE_PMUv3p1) && params->el2) ||
             pmuv3_has(params, PMUV3_FEATURE_PMUv3p7);
    default:
      return pmuv3_has(params, (enum pmuv3_feature)present);
  }
}

uint16_t pmuv3_register_viewed(uint16_t encoding) {
  const struct pmuv3_register reg = pmuv3_register_decode(encoding);
  return (uint16_t)(reg.base + reg.n);
}

/* The row of the AArch64 register. */
static const struct reg *row_of(struct pmuv3_register reg) {
  return &regs[pmuv3_views[reg.view].row];
}

bool pmuv3_register_exists(const struct pmuv3_params *params, struct pmuv3_register reg) {
  if (reg.view == PMUV3_VIEW_UNKNOWN || !is_present(params, row_of(reg)->present, reg.n))
    return false;
  return !pmuv3_register_is_beyond(params, reg);
}

/* As pmuv3_register_exists, of the view, too. */
static bool is_named(const struct pmuv3_params *params, struct pmuv3_register reg) {
  const enum present present = (enum present)pmuv3_views[reg.view].present;
  return pmuv3_register_exists(params, reg) && is_present(params, present, reg.n);
}

static enum pmuv3_access access_of(const struct pmuv3_params *params, struct pmuv3_register reg,
                                   bool writes) {
  if (!is_named(params, reg)) return PMUV3_ACCESS_UNKNOWN;
  const enum access access = row_of(reg)->access;
  if (writes) return access == ACCESS_RO ? PMUV3_ACCESS_READ_ONLY : PMUV3_ACCESS_OK;
  return access == ACCESS_WO ? PMUV3_ACCESS_WRITE_ONLY : PMUV3_ACCESS_OK;
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

/* Parses a counter's n, without leading zeros. Returns the number of characters; 0: no n. */
static size_t parse_index(const char *text, unsigned *n) {
  const size_t length = strspn(text, "0123456789");
  if (length < 1 || length > 2 || (length == 2 && text[0] == '0')) return 0;
  *n = 0;
  for (size_t i = 0; i < length; i++) *n = *n * 10 + (unsigned)(text[i] - '0');
  return *n < PMUV3_MAX_COUNTERS ? length : 0;
}

/* Whether a name matches a row's pattern, where %u stands for n. Gives n. */
static bool matches(const char *pattern, const char *name, unsigned *n) {
  const size_t stem = strcspn(pattern, "%");
  if (strncmp(name, pattern, stem) != 0) return false;
  pattern += stem;
  name += stem;
  *n = 0;
  if (*pattern == '%') {
    const size_t digits = parse_index(name, n);
    if (digits == 0) return false;
    pattern += strlen("%u");
    name += digits;
  }
  return strcmp(name, pattern) == 0;
}

bool pmuv3_register_find(const char *name, uint16_t *reg) {
  unsigned n;
  for (size_t v = PMUV3_VIEW_UNKNOWN + 1; v < PMUV3_NUM_VIEWS; v++) {
    if (!matches(pmuv3_views[v].name, name, &n)) continue;
    *reg = (uint16_t)(pmuv3_views[v].encoding + n);
    return true;
  }
  return false;
}

const char *pmuv3_register_name(uint16_t encoding, char buf[24]) {
  const struct pmuv3_register reg = pmuv3_register_decode(encoding);
  if (reg.view == PMUV3_VIEW_UNKNOWN)
    snprintf(buf, 24, "0x%04X", encoding);
  else
    snprintf(buf, 24, pmuv3_views[reg.view].name, reg.n);
  return buf;
}

unsigned pmuv3_register_bits(uint16_t reg) {
  return pmuv3_register_is_half(pmuv3_register_decode(reg)) ? 32 : 64;
}

enum pmuv3_access pmuv3_register_readable(const struct pmuv3_params *params, uint16_t reg) {
  return access_of(params, pmuv3_register_decode(reg), false);
}

enum pmuv3_access pmuv3_register_writable(const struct pmuv3_params *params, uint16_t reg) {
  return access_of(params, pmuv3_register_decode(reg), true);
}

/* Whether a whole register is RES0, because its Exception level is not implemented. */
static bool is_res0(const struct pmuv3_params *params, uint16_t reg) {
  return (reg == PMUV3_MDCR_EL2 && !params->el2) ||
         ((reg == PMUV3_MDCR_EL3 || reg == PMUV3_SDER32_EL3) && !params->el3);
}

/* Whether a register is an alias of the register that PMSELR_EL0 selects. */
static bool is_alias(uint16_t reg) {
  return reg == PMUV3_PMXEVTYPER || reg == PMUV3_PMXEVCNTR;
}

/* The implemented bits of a field. TH has th_width bits. A field with a bit for each counter has
 * the bits of the implemented counters. */
static uint64_t implemented(const struct pmuv3_params *params, const struct field *field) {
  if (field->mask == PMUV3_MASK(PMCNTENSET, P)) return pmuv3_counters_below(params->counters);
  if (field->encoding == PMUV3_PMEVTYPER && field->mask == PMUV3_MASK(PMEVTYPER, TH))
    return field->mask & ~(field->mask << params->th_width);
  return field->mask;
}

/* The bits of the AArch64 register that a write can change. */
static uint64_t mask_of(const struct pmuv3_params *params, struct pmuv3_register reg) {
  if (is_alias(reg.base)) return UINT64_MAX;
  if (!pmuv3_register_exists(params, reg) || is_res0(params, reg.base)) return 0;
  const struct reg *row = row_of(reg);
  uint64_t mask = 0;
  for (size_t f = row->first_field; f < LENGTH(fields) && fields[f].encoding == row->encoding;
       f++) {
    const struct field *field = &fields[f];
    if (field->access != ACCESS_RO && is_present(params, field->present, reg.n))
      mask |= implemented(params, field);
  }
  return mask;
}

/* The bits that a view has. Where the architecture maps an AArch32 register to the AArch64
 * register, K-A32-RES0 decides about bits of the latter alone. It does not map SDCR. Bits of a
 * read-only register that are RES0 read as 0. */
static uint64_t shown(const struct pmuv3_params *params, struct pmuv3_register reg) {
  const bool keeps = params->k_a32_res0 && reg.view != PMUV3_VIEW_OF_SDCR &&
                     row_of(reg)->access != ACCESS_RO && pmuv3_register_is_half(reg);
  return keeps ? UINT32_MAX : pmuv3_views[reg.view].mask;
}

uint64_t pmuv3_register_mask(const struct pmuv3_params *params, uint16_t encoding) {
  const struct pmuv3_register reg = pmuv3_register_decode(encoding);
  return mask_of(params, reg) >> pmuv3_views[reg.view].lsb & shown(params, reg);
}

/* No register or view depends on n, except that the parameters have the counter. Fields do. */
void pmuv3_register_identify(const struct pmuv3_params *params,
                             struct pmuv3_presence presence[PMUV3_NUM_VIEWS]) {
  for (unsigned v = 0; v < PMUV3_NUM_VIEWS; v++) {
    struct pmuv3_register reg = {.view = (uint16_t)v, .base = pmuv3_views[v].of};
    presence[v].read = (uint8_t)access_of(params, reg, false);
    presence[v].write = (uint8_t)access_of(params, reg, true);
    presence[v].shown = shown(params, reg);
    for (; reg.n < 2; reg.n++) presence[v].mask[reg.n] = mask_of(params, reg);
  }
}
