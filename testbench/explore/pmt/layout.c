#include "testbench/explore/pmt/layout.h"

#include <string.h>
#include <zlib.h>

uint32_t pmt_crc(const void *bytes, size_t size) {
  return (uint32_t)crc32_z(0, bytes, size);
}

/* ---- States ---- */

#define PMUV3_PE_NUMBER(name, bits, text) " " #name
#define PMUV3_PE_FLAG(name, text) " " #name
#define PMUV3_PE_MASK(name, bits, text) " " #name
const char pmt_state_fields[] = ""
#include "pmuv3/pe.def"
    ;

void pmt_put_state(struct pmt_bytes *bytes, const struct pmuv3_pe *pe) {
#define PMUV3_PE_NUMBER(name, bits, text) pmt_put(bytes, pe->name, 1);
#define PMUV3_PE_FLAG(name, text) pmt_put(bytes, pe->name, 1);
#define PMUV3_PE_MASK(name, bits, text) pmt_put(bytes, pe->name, 8);
#include "pmuv3/pe.def"
}

bool pmt_take_state(struct pmt_taker *taker, struct pmuv3_pe *pe) {
  bool fits = true;
  uint64_t number;
#define FIELD(name, type, size, bits) \
  number = pmt_take(taker, size);     \
  fits &= number >> (bits) == 0;      \
  pe->name = (type)number;
#define PMUV3_PE_NUMBER(name, bits, text) FIELD(name, uint8_t, 1, bits)
#define PMUV3_PE_FLAG(name, text) FIELD(name, bool, 1, 1)
#define PMUV3_PE_MASK(name, bits, text) FIELD(name, uint64_t, 8, bits)
#include "pmuv3/pe.def"
#undef FIELD
  return fits;
}

/* ---- Headers ---- */

static bool is_same(const struct pmt_column *a, const struct pmt_column *b) {
  return a->event == b->event && a->thread == b->thread && a->origin == b->origin;
}

static bool is_mnemonic(const char *name) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  const size_t length = strnlen(name, PMT_NAME_SIZE);
  return length != 0 && length < PMT_NAME_SIZE && strspn(name, letters) == length;
}

static const char *column_wrong(const struct pmt_header *header, unsigned c) {
  const struct pmt_column *column = &header->columns[c];
  if (column->thread >= header->threads) return "a column's thread does not exist";
  if (column->origin != PMUV3_CURRENT && column->origin != PMUV3_UNATTRIBUTABLE)
    return "a column's origin must be PMUV3_CURRENT or PMUV3_UNATTRIBUTABLE";
  if (column->width < 1 || column->width > PMT_MAX_PLANES) return "a column's width must be 1..8";
  if (!is_mnemonic(column->name))
    return "a column's name must be a mnemonic: capital letters, digits and _";
  for (unsigned other = 0; other < c; other++)
    if (is_same(column, &header->columns[other]))
      return "two columns have the same event, thread and origin";
  return NULL;
}

const char *pmt_header_wrong(const struct pmt_header *header) {
  if (header->block_cycles == 0 || header->block_cycles > PMT_MAX_BLOCK ||
      header->block_cycles % PMT_CYCLES_UNIT != 0)
    return "the cycles of a block must be a multiple of 4096, and at most 16777216";
  if (header->threads < 1 || header->threads > PMUV3_MAX_THREADS) return "threads must be 1..4";
  if (header->num_columns > PMT_MAX_COLUMNS) return "there can be 1024 columns at most";
  if (!header->generator || !header->command || !header->core)
    return "the generator, the command and the core must be texts";
  for (unsigned c = 0; c < header->num_columns; c++) {
    const char *wrong = column_wrong(header, c);
    if (wrong) return wrong;
  }
  return NULL;
}
