/* The external page, whole or a word of it. */
#include <string.h>

#include "pmuv3/pmuv3.h"
#include "testbench/cosim/check/description/internal.h"

/* A row of external.def: the offsets of its words, in the layout that the parameters have. */
struct row {
  uint16_t reg; /* the System register that it shows, with n = 0; 0: none */
  uint16_t lo32, hi32, off64;
  uint8_t stride32, stride64;
  uint8_t domain; /* what blocks an access */
};

enum { DOMAIN_NONE, DOMAIN_CORE, DOMAIN_SNAPSHOT, DOMAIN_AGENT };

enum { PMUV3_NO_REGISTER = 0 };

static const struct row rows[] = {
#define PMUV3_EXTERNAL_ONLY(id, of, ...) PMUV3_EXTERNAL(of, __VA_ARGS__)
#define PMUV3_EXTERNAL(id, name, lo32, hi32, off64, stride32, stride64, access, domain, present, \
                       high, text)                                                               \
  {PMUV3_##id, lo32, hi32, off64, stride32, stride64, DOMAIN_##domain},
#include "pmuv3/external.def"
};

/* Registers of a row: one for each counter, or one. */
static unsigned copies_of(const struct description *d, const struct row *row) {
  const bool ext64 = pmuv3_has(&d->device->params, PMUV3_FEATURE_EXT64);
  return (ext64 ? row->stride64 : row->stride32) ? d->device->params.counters : 1;
}

/* With EXT64, all registers have 64 bits but those of domain NONE without a second word. */
static unsigned high64(const struct row *row) {
  return row->hi32 != 0xFFFF || row->domain != DOMAIN_NONE ? row->off64 + 4u : 0xFFFF;
}

/* The offset of a half of register n of a row. False: it is not in the page. */
static bool find_offset(const struct description *d, const struct row *row, unsigned n,
                        enum pmuv3_half half, unsigned *offset) {
  const bool ext64 = pmuv3_has(&d->device->params, PMUV3_FEATURE_EXT64);
  const unsigned lo = ext64 ? row->off64 : row->lo32;
  const unsigned hi = ext64 ? high64(row) : row->hi32;
  const unsigned first = half == PMUV3_HIGH ? hi : lo;
  *offset = first + n * (ext64 ? row->stride64 : row->stride32);
  return first != 0xFFFF && *offset < 0x1000;
}

static bool add_page_word(struct description *d, uint64_t address, uint16_t offset, uint16_t reg,
                          uint8_t half, const struct register_words *words) {
  const uint64_t port_bits = pmuv3_description_port_bits(d, words->port);
  if (!pmuv3_description_check_masks(d, words, UINT32_MAX)) return false;
  return pmuv3_description_add_register(
      d,
      (struct pmuv3_device_register){.address = address,
                                     .is_page = true,
                                     .offset = offset,
                                     .reg = reg,
                                     .half = half,
                                     .port = words->port,
                                     .thread = (uint8_t)d->thread,
                                     .write = words->has_write ? words->write : UINT32_MAX,
                                     .unwritten = pmuv3_description_unwritten(d, words, reg, half),
                                     .read = words->has_read ? words->read : port_bits,
                                     .is_written = !words->has_write || words->write != 0,
                                     .is_read = true});
}

static bool add_page_row(struct description *d, uint64_t base, const struct row *row,
                         const struct register_words *words) {
  for (unsigned n = 0; n < copies_of(d, row); n++) {
    for (unsigned half = PMUV3_LOW; half <= PMUV3_HIGH; half++) {
      unsigned offset;
      if (!find_offset(d, row, n, (enum pmuv3_half)half, &offset) ||
          pmuv3_device_find(d->device, words->port, base + offset) < d->device->num_registers)
        continue;
      if (!add_page_word(d, base + offset, (uint16_t)offset,
                         (uint16_t)(row->reg ? row->reg + n : 0), (uint8_t)half, words))
        return false;
    }
  }
  return true;
}

/* What a word of the page shows: a half of a register, or 0 for a word that is reserved. */
static uint16_t register_at(const struct description *d, unsigned offset, uint8_t *half) {
  for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
    for (unsigned n = 0; n < copies_of(d, &rows[r]); n++)
      for (*half = PMUV3_LOW; *half <= PMUV3_HIGH; (*half)++) {
        unsigned at;
        if (find_offset(d, &rows[r], n, (enum pmuv3_half) * half, &at) && at == offset)
          return (uint16_t)(rows[r].reg ? rows[r].reg + n : 0);
      }
  *half = PMUV3_WHOLE;
  return 0;
}

static bool has_page(struct description *d) {
  const struct pmuv3_params *params = &d->device->params;
  return pmuv3_has(params, PMUV3_FEATURE_EXT32) || pmuv3_has(params, PMUV3_FEATURE_EXT64) ||
         pmuv3_lex_error(&d->lex, "there is no external page without the feature EXT32 or EXT64");
}

/* page.0x600 */
bool pmuv3_description_page_register(struct description *d, uint64_t address, const char *name) {
  struct register_words words = {0};
  uint64_t offset;
  uint8_t half;
  if (!has_page(d) || !pmuv3_description_default_port(d, &words) ||
      !pmuv3_description_value(d, "the offset", name + strlen("page."), 0xFFC, &offset))
    return false;
  if (offset % 4 != 0) return pmuv3_lex_error(&d->lex, "the offset must be a multiple of 4");
  const uint16_t reg = register_at(d, (unsigned)offset, &half);
  return pmuv3_description_register_words(d, &words, false) &&
         add_page_word(d, address, (uint16_t)offset, reg, half, &words);
}

bool pmuv3_description_page(struct description *d) {
  struct register_words words = {0};
  uint64_t base;
  if (!has_page(d) || !pmuv3_description_number(d, "the address", UINT64_MAX - 0xFFF, &base) ||
      !pmuv3_description_default_port(d, &words) ||
      !pmuv3_description_register_words(d, &words, false))
    return false;
  for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
    if (!add_page_row(d, base, &rows[r], &words)) return false;
  return true;
}
