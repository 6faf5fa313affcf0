#include <stdio.h>
#include <string.h>

#include "derive.h"
#include "pmuv3/registers.h"

const struct derive_external derive_externals[] = {
#define PMUV3_EXTERNAL(id, name, lo32, hi32, off64, stride32, stride64, access, domain, present, \
                       high, text)                                                               \
  {#id, name, lo32, hi32, off64, stride32, stride64, #access, #domain, #present, #high, text},
#include "pmuv3/external.def"
};
const size_t derive_num_externals = sizeof derive_externals / sizeof *derive_externals;

/* ---- Fields ---- */

static const struct derive_field fields[] = {
#define PMUV3_FIELD(reg, field, msb, lsb, access, present) \
  {#reg, #field, msb, lsb, #access, #present, NULL},
#include "pmuv3/registers.def"
#define PMUV3_EXTERNAL_FIELD(reg, field, msb, lsb, access, reset) \
  {#reg, #field, msb, lsb, #access, "ALWAYS", reset},
#include "external_fields.def"
    {.reg = NULL},
};

static const struct {
  const char *reg;
  const char *field;
  const char *reset;
} resets[] = {
#define PMUV3_RESET(reg, field, reset) {#reg, #field, reset},
#include "resets.def"
};

const char *derive_reset(const struct derive_field *field) {
  if (field->reset) return field->reset;
  for (size_t i = 0; i < sizeof resets / sizeof *resets; i++)
    if (strcmp(resets[i].reg, field->reg) == 0 && strcmp(resets[i].field, field->name) == 0)
      return resets[i].reset;
  return strcmp(field->access, "WO") == 0 ? "" : "0";
}

const struct derive_field *derive_next_field(const char *reg, const struct derive_field *field) {
  field = field ? field + 1 : fields;
  while (field->reg && strcmp(field->reg, reg) != 0) field++;
  return field->reg ? field : NULL;
}

const struct derive_field *derive_next_external_field(const char *reg,
                                                      const struct derive_field *field) {
  static const char *const of_set[][2] = {
      {"PMCNTEN", "PMCNTENSET"}, {"PMINTEN", "PMINTENSET"}, {"PMOVS", "PMOVSSET"}};
  const char *of = reg;
  for (size_t i = 0; i < sizeof of_set / sizeof *of_set; i++)
    if (strcmp(reg, of_set[i][0]) == 0) of = of_set[i][1];

  do field = derive_next_field(of, field);
  while (field && strcmp(reg, "PMCR") == 0 && strcmp(field->access, "RO") == 0);
  return field;
}

bool derive_has_high_half64(const struct derive_external *external) {
  return external->hi32 != NO_OFFSET || strcmp(external->domain, "NONE") != 0;
}

/* ---- Words ---- */

const char *derive_present_text(const char *present) {
  static const char *const text[][2] = {
      {"ALWAYS", "always"},
      {"TH2_ODD", "TH2, n odd"},
      {"EL3_SEL2", "EL3 and SEL2"},
      {"EL2_SEL2", "EL2 and SEL2"},
      {"EL3_AA64", "EL3 and AArch64"},
      {"P5_AA64", "PMUv3p5 and AArch64"},
      {"P7_AA64", "PMUv3p7 and AArch64"},
      {"P9_AA64", "PMUv3p9 and AArch64"},
      {"BEFORE_P7", "without PMUv3p7"},
      {"P9_EBEP_AA64", "PMUv3p9 or EBEP, and AArch64"},
      {"TYPES", "TH, PMUv3p8 or SME"},
      {"EBEP_OR_SS", "EBEP or SS"},
      {"SS_ICNTR", "SS and ICNTR"},
      {"AA32", "aa32 is not none"},
      {"AA32_P1", "PMUv3p1, and aa32 is not none"},
      {"AA32EL1", "aa32 is el1 or higher"},
      {"AA32EL2", "aa32 is el2 or higher"},
      {"AA32EL3", "aa32 is el3"},
      {"EXT", "EXT32 or EXT64"},
      {"EXT_RME", "EXT32 or EXT64, and RME"},
      {"MT_BIT", "MTPMU, or K-MT-LEGACY = rw"},
      {"MTPMU_NO_EL3", "MTPMU, without EL3"},
      {"PROHIBITABLE", "EL3, or PMUv3p1 and EL2, or PMUv3p7"},
  };
  for (size_t i = 0; i < sizeof text / sizeof *text; i++)
    if (strcmp(present, text[i][0]) == 0) return text[i][1];
  return present;
}

void derive_print_name(const char *name, const char *n) {
  const char *number = strstr(name, "%u");
  if (number)
    printf("%.*s%s%s", (int)(number - name), name, n, number + 2);
  else
    printf("%s", name);
}
