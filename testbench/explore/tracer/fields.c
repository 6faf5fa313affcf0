#include "testbench/explore/tracer/fields.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pmuv3/events.h"

__attribute__((format(printf, 2, 3))) static const char *wrong(struct trace_fields *fields,
                                                               const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(fields->wrong, sizeof fields->wrong, format, args);
  va_end(args);
  return fields->wrong;
}

bool trace_read_number(const char *text, uint64_t most, uint64_t *number) {
  char *end;
  const int base = strncmp(text, "0x", 2) == 0 ? 16 : 10;
  errno = 0;
  *number = strtoull(text, &end, base);
  return *text >= '0' && *text <= '9' && !*end && errno == 0 && *number <= most;
}

struct trace_fields *trace_fields_new(void) {
  struct trace_fields *fields = calloc(1, sizeof *fields);
  if (!fields) return NULL;
  fields->threads = 1;
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++)
    fields->states[t] = (struct pmuv3_pe)PMUV3_PE_RESET;
  return fields;
}

void trace_fields_free(struct trace_fields *fields) {
  if (fields->writer) pmt_writer_close(fields->writer);
  free(fields);
}

/* ---- Names ---- */

/* Numbers and flags have a byte. Traps are not here: they decide nothing that counts. */
static const struct {
  const char *name;
  size_t offset;
  unsigned most;
} states[] = {
#define PMUV3_PE_NUMBER(name, bits, text) \
  {#name, offsetof(struct pmuv3_pe, name), (1u << (bits)) - 1},
#define PMUV3_PE_FLAG(name, text) {#name, offsetof(struct pmuv3_pe, name), 1},
#include "pmuv3/pe.def"
};

/* "@T" behind a name, which is cut off. */
static const char *take_thread(struct trace_fields *fields, char *name, unsigned *thread) {
  char *at = strchr(name, '@');
  uint64_t number = 0;
  if (at) {
    *at++ = '\0';
    if (!trace_read_number(at, PMUV3_MAX_THREADS - 1, &number))
      return wrong(fields, "\"@%.40s\" is no thread; expected @0 to @%u", at,
                   PMUV3_MAX_THREADS - 1);
  }
  *thread = (unsigned)number;
  if (*thread >= fields->threads) fields->threads = *thread + 1;
  return NULL;
}

/* "/unattr" behind a name, which is cut off. */
static uint8_t take_origin(char *name) {
  static const char suffix[] = "/unattr";
  const size_t length = strlen(name), own = sizeof suffix - 1;
  if (length < own || strcmp(name + length - own, suffix) != 0) return PMUV3_CURRENT;
  name[length - own] = '\0';
  return PMUV3_UNATTRIBUTABLE;
}

static bool find_state(const char *name, unsigned thread, struct trace_field *field) {
  for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
    if (strcmp(states[i].name, name) != 0) continue;
    *field = (struct trace_field){
        .kind = TRACE_STATE, .thread = thread, .most = states[i].most, .offset = states[i].offset};
    return true;
  }
  return false;
}

/* An event has its mnemonic. Others are named by the user, or by their number. */
static const char *name_number(struct trace_fields *fields, struct pmt_column *column,
                               uint64_t number, const char *given) {
  if (given && strlen(given) >= sizeof column->name)
    return wrong(fields, "\"%.40s...\" is too long; expected a name of at most %zu characters",
                 given, sizeof column->name - 1);
  const char *known = pmuv3_event_mnemonic((uint16_t)number);
  column->event = (uint16_t)number;
  if (known || given)
    snprintf(column->name, sizeof column->name, "%s", given ? given : known);
  else
    snprintf(column->name, sizeof column->name, "IMP_%04X", column->event);
  return NULL;
}

/* A mnemonic, or 0xNNNN and perhaps :NAME. */
static const char *find_event(struct trace_fields *fields, char *name, struct pmt_column *column) {
  char *given = strchr(name, ':');
  uint64_t number;
  if (given) *given++ = '\0';
  if (trace_read_number(name, UINT16_MAX, &number))
    return name_number(fields, column, number, given);
  snprintf(column->name, sizeof column->name, "%s", name);
  for (unsigned event = 0; event <= UINT16_MAX; event++) {
    const char *known = pmuv3_event_mnemonic((uint16_t)event);
    column->event = (uint16_t)event;
    if (known && strcmp(known, name) == 0) return NULL;
  }
  return wrong(fields, "unknown column \"%.60s\"; expected an event or a state", name);
}

/* The bits of a number. */
static uint8_t width_of(unsigned most) {
  uint8_t width = 0;
  for (; most > 0; most >>= 1) width++;
  return width;
}

static const char *add_event(struct trace_fields *fields, char *name, unsigned thread,
                             uint8_t origin, struct trace_field *field) {
  struct pmt_column *column = &fields->columns[fields->num_columns];
  const char *why = find_event(fields, name, column);
  if (why) return why;
  const struct pmuv3_event *event = pmuv3_event_of_architecture(column->event);
  *field = (struct trace_field){.kind = TRACE_EVENT,
                                .column = fields->num_columns++,
                                .most = event ? event->most : UINT8_MAX};
  column->thread = (uint8_t)thread;
  column->origin = origin;
  column->width = width_of(field->most);
  why = pmt_column_wrong(fields->columns, field->column);
  return why ? wrong(fields, "%s", why) : NULL;
}

/* A state that was added before. */
static bool is_twice(const struct trace_fields *fields, const struct trace_field *field) {
  for (const struct trace_field *other = fields->of; other < field; other++)
    if (other->kind == TRACE_STATE && field->kind == TRACE_STATE &&
        other->thread == field->thread && other->offset == field->offset)
      return true;
  return false;
}

const char *trace_fields_add(struct trace_fields *fields, char *name) {
  struct trace_field *field = &fields->of[fields->count];
  unsigned thread = 0;
  if (fields->count == TRACE_MAX_FIELDS || fields->num_columns == PMT_MAX_COLUMNS)
    return wrong(fields, "expected at most %u columns", TRACE_MAX_FIELDS);
  const uint8_t origin = take_origin(name);
  const char *why = take_thread(fields, name, &thread);
  const bool is_state = !why && find_state(name, thread, field);
  if (is_state && origin == PMUV3_UNATTRIBUTABLE)
    return wrong(fields, "%s: a state has no /unattr behind", name);
  if (!why && !is_state) why = add_event(fields, name, thread, origin, field);
  if (why) return why;
  if (is_twice(fields, field)) return wrong(fields, "column \"%.60s\" is given twice", name);
  fields->count++;
  return NULL;
}

/* ---- Rows ---- */

const char *trace_fields_begin(struct trace_fields *fields, FILE *out, const char *generator,
                               const char *command) {
  const struct pmt_header header = {.threads = (uint16_t)fields->threads,
                                    .num_columns = (uint16_t)fields->num_columns,
                                    .columns = fields->columns,
                                    .generator = generator,
                                    .command = command,
                                    .core = ""};
  const char *why;
  fields->writer = pmt_writer_open(out, &header, &why);
  return fields->writer ? NULL : why;
}

const char *trace_fields_put(struct trace_fields *fields, unsigned index, uint64_t value) {
  const struct trace_field *field = &fields->of[index];
  if (value > field->most)
    return wrong(fields, "\"%llu\" is no number from 0 to %u", (unsigned long long)value,
                 field->most);
  if (field->kind == TRACE_EVENT) {
    fields->counts[field->column] = (uint8_t)value;
    return NULL;
  }
  uint8_t *member = (uint8_t *)&fields->states[field->thread] + field->offset;
  fields->is_changed[field->thread] |= *member != value;
  *member = (uint8_t)value;
  return NULL;
}

const char *trace_fields_row(struct trace_fields *fields, uint64_t cycles) {
  for (unsigned t = 0; t < fields->threads; t++) {
    if (fields->is_changed[t]) pmt_writer_state(fields->writer, t, &fields->states[t]);
    fields->is_changed[t] = false;
  }
  pmt_writer_run(fields->writer, fields->counts, cycles);
  memset(fields->counts, 0, fields->num_columns);
  const char *why = pmt_writer_wrong(fields->writer);
  return why ? wrong(fields, "cannot write the trace: %s", why) : NULL;
}

const char *trace_fields_end(struct trace_fields *fields) {
  const char *why = pmt_writer_close(fields->writer);
  fields->writer = NULL;
  return why ? wrong(fields, "cannot write the trace: %s", why) : NULL;
}
