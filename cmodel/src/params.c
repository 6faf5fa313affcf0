#include "pmuv3/params.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

static const char *const feature_names[PMUV3_NUM_FEATURES] = {
#define PMUV3_FEATURE(id, implies, dflt, text) #id,
#include "pmuv3/params.def"
};

/* BIT_<feature>: the feature's bit in params.features. BIT_NONE: no bit. */
enum {
  BIT_NONE = 0,
#define PMUV3_FEATURE(id, implies, dflt, text) BIT_##id = 1 << PMUV3_FEATURE_##id,
#include "pmuv3/params.def"
};

static const uint32_t implied[PMUV3_NUM_FEATURES] = {
#define PMUV3_FEATURE(id, implies, dflt, text) BIT_##implies,
#include "pmuv3/params.def"
};

/* Each number has as many bits in the RTL's configuration as it needs. */
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  _Static_assert((min) <= (dflt) && (dflt) <= (max) && (max) < 1 << (bits), #name);
#define PMUV3_IDENTITY(name, dflt, mask, bits, text) \
  _Static_assert(((dflt) & ~(mask)) == 0 && (mask) < UINT64_C(1) << (bits), #name);
#include "pmuv3/params.def"

const char *pmuv3_error(const char *format, ...) {
  static _Thread_local char text[160];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return text;
}

/* The value of a hexadecimal digit; 16 if the character is not a digit. */
static unsigned digit_of(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
  return 16;
}

/* Parses an unsigned number up to `max`, decimal or 0x. */
static bool parse_number(const char *text, uint64_t max, uint64_t *number) {
  const unsigned base = text[0] == '0' && text[1] == 'x' ? 16 : 10;
  if (base == 16) text += 2;
  if (*text == '\0') return false;
  *number = 0;
  for (; *text != '\0'; text++) {
    const unsigned digit = digit_of(*text);
    if (digit >= base) return false;
    *number = *number * base + digit;
    if (*number > max) return false;
  }
  return true;
}

static const char *number_wrong(const char *name, unsigned number, unsigned min, unsigned max) {
  if (number >= min && number <= max) return NULL;
  return pmuv3_error("%s must be %u..%u, not %u", name, min, max, number);
}

static const char *set_number(uint8_t *param, const char *name, unsigned min, unsigned max,
                              const char *value) {
  uint64_t number;
  if (!parse_number(value, max, &number) || number < min)
    return pmuv3_error("%s must be %u..%u, not %.24s", name, min, max, value);
  *param = (uint8_t)number;
  return NULL;
}

static const char *identity_wrong(const char *name, uint64_t value, uint64_t mask) {
  if ((value & ~mask) == 0) return NULL;
  return pmuv3_error("%s must have only bits of 0x%llX, not 0x%llX", name, (unsigned long long)mask,
                     (unsigned long long)value);
}

static const char *set_identity(uint64_t *identity, const char *name, uint64_t mask,
                                const char *value) {
  uint64_t number;
  if (!parse_number(value, mask, &number) || (number & ~mask) != 0)
    return pmuv3_error("%s must have only bits of 0x%llX, not %.24s", name,
                       (unsigned long long)mask, value);
  *identity = number;
  return NULL;
}

/* A choice is an index into `words`, which | separates. */
static const char *choice_wrong(const char *name, unsigned index, const char *words) {
  unsigned last = 0;
  for (const char *c = words; *c != '\0'; c++) last += *c == '|';
  if (index <= last) return NULL;
  return pmuv3_error("%s must be 0..%u for one of %s, not %u", name, last, words, index);
}

static const char *set_choice(uint8_t *choice, const char *name, const char *words,
                              const char *value) {
  uint8_t index = 0;
  for (const char *word = words;; word++, index++) {
    const size_t length = strcspn(word, "|");
    if (strlen(value) == length && strncmp(word, value, length) == 0) {
      *choice = index;
      return NULL;
    }
    word += length;
    if (*word == '\0') return pmuv3_error("%s must be one of %s, not %.24s", name, words, value);
  }
}

static const char *set_features(uint32_t *features, const char *list) {
  uint32_t given = 0;
  if (strcmp(list, "none") != 0) {
    for (const char *name = list;; name++) {
      const size_t length = strcspn(name, ",");
      unsigned f = 0;
      while (f < PMUV3_NUM_FEATURES &&
             (strlen(feature_names[f]) != length || strncmp(feature_names[f], name, length) != 0))
        f++;
      if (f == PMUV3_NUM_FEATURES)
        return pmuv3_error("unknown feature '%.*s'", length < 24 ? (int)length : 24, name);
      given |= UINT32_C(1) << f;
      name += length;
      if (*name == '\0') break;
    }
  }
  *features = given;
  return NULL;
}

struct pmuv3_params pmuv3_params_default(void) {
  struct pmuv3_params params = {
#define PMUV3_PARAM(name, dflt, min, max, bits, text) .name = (dflt),
#include "pmuv3/params.def"
      .features = 0
#define PMUV3_FEATURE(id, implies, dflt, text) | (uint32_t)(dflt) << PMUV3_FEATURE_##id
#include "pmuv3/params.def"
      ,
      .events = pmuv3_events_default(),
  };
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) set_choice(&params.id, name, values, dflt);
#include "pmuv3/params.def"
  return params;
}

const char *pmuv3_params_set(struct pmuv3_params *params, const char *name, const char *value) {
#define PMUV3_PARAM(param, dflt, min, max, bits, text) \
  if (strcmp(name, #param) == 0) return set_number(&params->param, name, min, max, value);
#define PMUV3_IDENTITY(param, dflt, mask, bits, text) \
  if (strcmp(name, #param) == 0) return set_identity(&params->param, name, mask, value);
#define PMUV3_CHOICE(id, choice, dflt, values, bits, text) \
  if (strcmp(name, choice) == 0) return set_choice(&params->id, name, values, value);
#include "pmuv3/params.def"
  if (strcmp(name, "features") == 0) return set_features(&params->features, value);
  return pmuv3_error("unknown parameter '%.24s'", name);
}

/* Features of Armv8.4 and later, where FEAT_Debugv8p2 is mandatory. Features that imply one of
 * these are not listed. */
enum {
  BITS_AFTER_DEBUGV8P2 = BIT_PMUv3p4 | BIT_TH | BIT_SME | BIT_RME | BIT_SEL2 | BIT_MTPMU |
                         BIT_EBEP | BIT_HPMN0 | BIT_EXT64 | BIT_EXTPMN,
};

/* Features that have controls only in AArch64 state. */
enum {
  BITS_AARCH64 = BIT_TH | BIT_EDGE | BIT_TH2 | BIT_SME | BIT_ICNTR | BIT_RME | BIT_SEL2 | BIT_EBEP |
                 BIT_SEBEP | BIT_SS | BIT_SPE | BIT_DPFZS | BIT_EXTPMN | BIT_FGWTE3,
};

static uint32_t complete_features(const struct pmuv3_params *params) {
  uint32_t features = params->features;
  for (unsigned pass = 0; pass < PMUV3_NUM_FEATURES; pass++) {
    for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++)
      if ((features >> f & 1) != 0) features |= implied[f];
  }
  if (params->el2 && params->counters == 0) features |= BIT_HPMN0;
  if (!params->aa64) features &= ~(uint32_t)BITS_AARCH64;
  if ((features & BIT_EXTPMN) != 0) features |= BIT_HPMN0;
  if ((features & (BIT_EXTPMN | BIT_EXT32)) == BIT_EXTPMN) features |= BIT_EXT64;
  if (!params->debugv8p2) features &= ~(uint32_t)BIT_Debugv8p9;
  if (!params->el2) features &= ~(uint32_t)(BIT_SEL2 | BIT_HPMN0);
  if (!params->el3) features &= ~(uint32_t)(BIT_RME | BIT_FGWTE3);
  return features;
}

/* aa32 is at most the highest Exception level that is implemented. SS excludes AArch32 at EL1.
 * Without AArch64 every Exception level uses AArch32. */
static uint8_t complete_aa32(const struct pmuv3_params *params) {
  const unsigned highest = params->el3   ? PMUV3_AA32_EL3
                           : params->el2 ? PMUV3_AA32_EL2
                                         : PMUV3_AA32_EL1;
  const unsigned most = pmuv3_has(params, PMUV3_FEATURE_SS) ? PMUV3_AA32_EL0 : highest;
  if (!params->aa64) return PMUV3_AA32_EL3;
  return (uint8_t)(params->aa32 < most ? params->aa32 : most);
}

static const char *combination_wrong(const struct pmuv3_params *params) {
  if (params->bus_width == 1 || params->bus_width == 2)
    return pmuv3_error("bus_width must be 0 or a number from 3 to 12, not %u", params->bus_width);
  if (params->k_mt_legacy && (params->features & (BIT_MTPMU | BIT_PMUv3p7)) != 0)
    return pmuv3_error(
        "K-MT-LEGACY=rw needs features without MTPMU and PMUv3p7, which came after it");
  if ((params->features & (BIT_EXT32 | BIT_EXT64)) == (BIT_EXT32 | BIT_EXT64))
    return pmuv3_error("EXT32 and EXT64 exclude each other");
  if ((params->features & BIT_ICNTR) != 0 &&
      !pmuv3_events_find(&params->events, PMUV3_EVENT_INST_RETIRED))
    return pmuv3_error("ICNTR needs INST_RETIRED (0x0008), the event that PMICNTR_EL0 counts");
  if (params->debugv8p2) return NULL;
  for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++)
    if ((params->features & BITS_AFTER_DEBUGV8P2 & UINT32_C(1) << f) != 0)
      return pmuv3_error("debugv8p2=0 needs features without %s, which came after it",
                         feature_names[f]);
  return NULL;
}

/* Ranges of parameters, choices and features. */
static const char *ranges_wrong(const struct pmuv3_params *params) {
  const char *wrong = NULL;
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  if (!wrong) wrong = number_wrong(#name, params->name, min, max);
#define PMUV3_IDENTITY(name, dflt, mask, bits, text) \
  if (!wrong) wrong = identity_wrong(#name, params->name, mask);
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  if (!wrong) wrong = choice_wrong(name, params->id, values);
#include "pmuv3/params.def"
  if (wrong) return wrong;
  return params->features >> PMUV3_NUM_FEATURES != 0
             ? pmuv3_error("features has a bit of no feature")
             : NULL;
}

const char *pmuv3_params_wrong_besides_events(const struct pmuv3_params *params) {
  const char *wrong = ranges_wrong(params);
  if (!wrong) wrong = combination_wrong(params);
  if (wrong) return wrong;
  if (params->features != complete_features(params))
    return pmuv3_error("features must be what pmuv3_params_complete makes of them");
  if (params->aa32 != complete_aa32(params))
    return pmuv3_error("aa32 must be what pmuv3_params_complete makes of it");
  return NULL;
}

const char *pmuv3_params_wrong(const struct pmuv3_params *params) {
  const char *wrong = pmuv3_events_wrong(&params->events);
  if (!wrong) wrong = pmuv3_params_wrong_besides_events(params);
  if (wrong || !pmuv3_has(params, PMUV3_FEATURE_SEBEP)) return wrong;
  return pmuv3_events_wrong_with_sebep(&params->events);
}

const char *pmuv3_params_complete(struct pmuv3_params *params) {
  params->features = complete_features(params);
  if (params->aa32 <= PMUV3_AA32_EL3) params->aa32 = complete_aa32(params);
  return pmuv3_params_wrong(params);
}

const char *pmuv3_feature_name(enum pmuv3_feature feature) {
  return (unsigned)feature < PMUV3_NUM_FEATURES ? feature_names[feature] : NULL;
}
