#include "testbench/explore/tracer/core_params.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/stimulus/lex.h"

static const struct row {
  const char *name;
  size_t offset;
  uint32_t value, least, most; /* value: the default */
  const char *text;
} rows[] = {
#define CORE_PARAM(name, default, least, most, text) \
  {#name, offsetof(struct core_params, name), default, least, most, text},
#include "testbench/explore/tracer/core_params.def"
#undef CORE_PARAM
};

enum { NUM_ROWS = sizeof rows / sizeof *rows };
_Static_assert(NUM_ROWS <= 64, "a bit each in `seen`");

static uint32_t *value_of(struct core_params *params, const struct row *row) {
  return (uint32_t *)(void *)((char *)params + row->offset);
}

struct core_params core_params_default(void) {
  struct core_params params;
  for (size_t i = 0; i < NUM_ROWS; i++) *value_of(&params, &rows[i]) = rows[i].value;
  return params;
}

/* ---- Setting ---- */

static const struct row *find(const char *name) {
  for (size_t i = 0; i < NUM_ROWS; i++)
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  return NULL;
}

static bool read_number(const char *text, uint32_t least, uint32_t most, uint32_t *number) {
  char *end;
  errno = 0;
  const unsigned long value = strtoul(text, &end, 10);
  if (errno || end == text || *end || *text < '0' || *text > '9') return false;
  if (value < least || value > most) return false;
  *number = (uint32_t)value;
  return true;
}

const char *core_params_set(struct core_params *params, uint64_t *seen, char *setting) {
  static char wrong[256];
  char *value = strchr(setting, '=');
  if (!value) {
    snprintf(wrong, sizeof wrong, "expected NAME=VALUE, not '%.64s'", setting);
    return wrong;
  }
  *value++ = '\0';
  const struct row *row = find(setting);
  if (!row) {
    snprintf(wrong, sizeof wrong, "there is no parameter '%.64s'", setting);
    return wrong;
  }
  const uint64_t bit = UINT64_C(1) << (row - rows);
  if (*seen & bit) {
    snprintf(wrong, sizeof wrong, "%s is given twice", row->name);
    return wrong;
  }
  *seen |= bit;
  if (read_number(value, row->least, row->most, value_of(params, row))) return NULL;
  snprintf(wrong, sizeof wrong, "%s takes a number from %u to %u, not '%.64s'", row->name,
           row->least, row->most, value);
  return wrong;
}

void core_params_override(struct core_params *params, const struct core_params *given,
                          uint64_t seen) {
  struct core_params copy = *given;
  for (size_t i = 0; i < NUM_ROWS; i++)
    if (seen >> i & 1) *value_of(params, &rows[i]) = *value_of(&copy, &rows[i]);
}

bool core_params_read(struct core_params *params, FILE *in, const char *name, char *error,
                      size_t error_size) {
  struct pmuv3_lex lex;
  uint64_t seen = 0;
  bool is_good = pmuv3_lex_open(&lex, in, name, error, error_size) &&
                 pmuv3_lex_head(&lex, "pmuv3-core-model", "a core model");
  while (is_good && pmuv3_lex_line(&lex)) {
    char *setting = pmuv3_lex_word(&lex);
    if (!setting) continue;
    const char *wrong = core_params_set(params, &seen, setting);
    is_good = wrong ? pmuv3_lex_error(&lex, "%s", wrong) : pmuv3_lex_end(&lex);
  }
  pmuv3_lex_close(&lex);
  return is_good;
}

/* ---- Checking ---- */

static bool is_power_of_2(uint64_t number) {
  return number && (number & (number - 1)) == 0;
}

/* Sets are chosen by some bits of the address. */
static bool has_sets(uint64_t lines, uint32_t ways) {
  return lines % ways == 0 && is_power_of_2(lines / ways);
}

const char *core_params_wrong(const struct core_params *params) {
  const uint64_t lines_of_kib = 1024 / params->line_bytes;
  if (!is_power_of_2(params->line_bytes)) return "line_bytes is no power of 2";
  if (!has_sets(params->l1i_kib * lines_of_kib, params->l1i_ways))
    return "L1I: lines / ways is no power of 2";
  if (!has_sets(params->l1d_kib * lines_of_kib, params->l1d_ways))
    return "L1D: lines / ways is no power of 2";
  if (!has_sets(params->l2_kib * lines_of_kib, params->l2_ways))
    return "L2: lines / ways is no power of 2";
  if (!has_sets(params->tlb_entries, params->tlb_ways))
    return "TLB: entries / ways is no power of 2";
  return NULL;
}

/* ---- Writing ---- */

void core_params_write(FILE *out, const struct core_params *params, const char *between) {
  struct core_params copy = *params;
  for (size_t i = 0; i < NUM_ROWS; i++)
    fprintf(out, "%s=%u%s", rows[i].name, *value_of(&copy, &rows[i]), between);
}

void core_params_table(FILE *out) {
  fprintf(out, "| parameter | default | from | to | of |\n|---|---|---|---|---|\n");
  for (size_t i = 0; i < NUM_ROWS; i++)
    fprintf(out, "| `%s` | %u | %u | %u | %s |\n", rows[i].name, rows[i].value, rows[i].least,
            rows[i].most, rows[i].text);
}
