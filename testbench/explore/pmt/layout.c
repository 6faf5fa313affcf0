#include "testbench/explore/pmt/layout.h"

#include <stdarg.h>
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

bool pmt_state_fits(const struct pmuv3_pe *pe) {
  bool fits = true;
#define FIELD(name, bits) fits &= (uint64_t)pe->name >> (bits) == 0;
#define PMUV3_PE_NUMBER(name, bits, text) FIELD(name, bits)
#define PMUV3_PE_FLAG(name, text) FIELD(name, 1)
#define PMUV3_PE_MASK(name, bits, text) FIELD(name, bits)
#include "pmuv3/pe.def"
#undef FIELD
  return fits;
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

/* Names of the architecture. */
static const struct {
  uint16_t number;
  const char *name;
} known[] = {
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits, most) {number, #mnemonic},
#include "pmuv3/events.def"
#undef PMUV3_EVENT
};

/* A configuration of pmuv3 explore reads these words, in capitals or not, as others than events,
 * and R and hexadecimal digits as a number. */
static bool is_taken(const char *name) {
  static const char *const words[] = {"PARAM", "PMU", "PMCCNTR", "PMICNTR", "WRITE"};
  for (size_t w = 0; w < sizeof words / sizeof *words; w++)
    if (strcmp(name, words[w]) == 0) return true;
  const size_t digits = strspn(name + 1, "0123456789ABCDEF");
  return name[0] == 'R' && digits > 0 && !name[1 + digits];
}

static bool is_same(const struct pmt_column *a, const struct pmt_column *b) {
  return a->event == b->event && a->thread == b->thread && a->origin == b->origin;
}

/* A digit comes first in numbers only. */
static bool is_mnemonic(const char *name) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  const size_t length = strnlen(name, PMT_NAME_SIZE);
  return length != 0 && length < PMT_NAME_SIZE && strspn(name, letters) == length &&
         strchr("0123456789", *name) == NULL;
}

__attribute__((format(printf, 1, 2))) static const char *wrong(const char *format, ...) {
  static _Thread_local char text[PMT_NAME_SIZE * 2 + 160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

/* Who asks for a name must get its event: a name is of one event, and an event has one name. */
static const char *name_wrong(const struct pmt_column *columns, unsigned c) {
  const struct pmt_column *column = &columns[c];
  if (!is_mnemonic(column->name))
    return "a column's name must be a mnemonic: capital letters, digits and _, no digit first";
  if (is_taken(column->name))
    return wrong("%s is no name for an event: pmuv3 explore reads it as something else",
                 column->name);
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if ((known[k].number == column->event) != (strcmp(known[k].name, column->name) == 0))
      return wrong("event 0x%04X cannot be named %s: %s is event 0x%04X", column->event,
                   column->name, known[k].name, known[k].number);
  for (unsigned other = 0; other < c; other++)
    if ((columns[other].event == column->event) != (strcmp(columns[other].name, column->name) == 0))
      return wrong("event 0x%04X cannot be named %s: another column has event 0x%04X, named %s",
                   column->event, column->name, columns[other].event, columns[other].name);
  return NULL;
}

/* What the architecture's event can be. */
static const char *event_wrong(const struct pmt_column *column) {
  const struct pmuv3_event *event = pmuv3_event_of_architecture(column->event);
  if (!event) return NULL;
  if (event->most == 0) return wrong("%s: the PMU makes this event itself", column->name);
  if (!pmuv3_event_has(event, column->origin))
    return wrong("%s cannot be unattributable", column->name);
  return NULL;
}

/* A column has no more bits than the largest count of the architecture's event needs. */
static const char *width_wrong(const struct pmt_column *column) {
  const struct pmuv3_event *event = pmuv3_event_of_architecture(column->event);
  if (column->width < 1 || column->width > PMT_MAX_PLANES) return "a column's width must be 1..8";
  if (!event || column->width == 1 || event->most >> (column->width - 1) != 0) return NULL;
  return wrong("%s has a width of %u, and occurs %u times in a cycle at most", column->name,
               column->width, event->most);
}

const char *pmt_column_wrong(const struct pmt_column *columns, unsigned c) {
  const struct pmt_column *column = &columns[c];
  if (column->origin != PMUV3_CURRENT && column->origin != PMUV3_UNATTRIBUTABLE)
    return "a column's origin must be PMUV3_CURRENT or PMUV3_UNATTRIBUTABLE";
  for (unsigned other = 0; other < c; other++)
    if (is_same(column, &columns[other]))
      return "two columns have the same event, thread and origin";
  const char *why = name_wrong(columns, c);
  if (!why) why = event_wrong(column);
  return why ? why : width_wrong(column);
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
    if (header->columns[c].thread >= header->threads) return "a column's thread does not exist";
    const char *why = pmt_column_wrong(header->columns, c);
    if (why) return why;
  }
  return NULL;
}
