#define _GNU_SOURCE
#include "testbench/explore/tracer/wave.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/wave/stream.h"

/* The value of bits of which one is X or Z. */
#define UNKNOWN UINT64_MAX

enum { NUM_BUCKETS = 1024, MAX_NUMBER_BITS = 63 };

/* A signal that matters: a pin's, or the clock. */
struct watch {
  const struct pin *pin; /* NULL: the clock */
  const char *signal;
  uint32_t line;          /* of the pins file */
  char *code;             /* of the signal in the VCD. NULL: it was not found yet */
  unsigned width;         /* of the signal */
  unsigned low, bits;     /* which of its bits are the pin's */
  uint64_t before, after; /* the value before, and after what changes at the current time */
  bool has_changed;
  struct watch *next; /* of the same bucket */
};

struct wave {
  struct wave_stream *stream;
  const struct wave_names *names;
  struct trace_fields *fields;
  char *error;
  size_t error_size;
  char *scope; /* "a.b." */
  size_t scope_length;
  size_t *outer; /* lengths of the scopes around it, whose names can have dots */
  size_t depth;
  struct watch *watches; /* the clock is the first */
  unsigned num_watches;
  struct watch *buckets[NUM_BUCKETS];
  struct watch **changed;
  unsigned num_changed;
  bool has_risen; /* the clock, at the current time */
  bool has_begun;
  bool is_off; /* since $dumpoff no clock rose */
  uint64_t off_since;
  uint64_t skipped;
  const struct watch *unknown; /* at the latest edge that was skipped */
  uint64_t time;
};

/* ---- Messages ---- */

/* Writes "PLACE: ...". */
__attribute__((format(printf, 3, 4))) static bool wrong_at(struct wave *wave, const char *place,
                                                           const char *format, ...) {
  va_list args;
  const int length = snprintf(wave->error, wave->error_size, "%s: ", place);
  if (length < 0 || (size_t)length >= wave->error_size) return false;
  va_start(args, format);
  vsnprintf(wave->error + length, wave->error_size - (size_t)length, format, args);
  va_end(args);
  return false;
}

static bool no_memory(struct wave *wave) {
  return wrong_at(wave, wave->names->wave, "out of memory");
}

static bool wrong_pin(struct wave *wave, const struct watch *watch, const char *what) {
  char place[4096 + 32];
  snprintf(place, sizeof place, "%s:%u", wave->names->pins, watch->line);
  return wrong_at(wave, place, "%.200s: %s", watch->signal, what);
}

static bool wrong_value(struct wave *wave, const struct watch *watch, const char *what) {
  char place[4096 + 64];
  snprintf(place, sizeof place, "%s: at time %" PRIu64, wave->names->wave, wave->time);
  return wrong_at(wave, place, "%.200s: %s", watch->signal, what);
}

/* ---- Signals ---- */

/* The pin's bits, `chosen` ("": all), of a signal whose bits are numbered from `high` to `low`,
 * which may be the larger number. */
static bool choose_bits(struct wave *wave, struct watch *watch, const char *chosen, int high,
                        int low) {
  int first = high, last = low;
  if (*chosen && !vcd_range(chosen, &first, &last)) return wrong_pin(wave, watch, "unknown bits");
  const int a = high < low ? low - first : first - low, b = high < low ? low - last : last - low;
  const bool is_inside = a >= 0 && b >= 0 && a < (int)watch->width && b < (int)watch->width;
  if (!is_inside) return wrong_pin(wave, watch, "the signal has no such bits");
  watch->low = (unsigned)(a < b ? a : b);
  watch->bits = (unsigned)abs(a - b) + 1;
  const bool is_ones = watch->pin && watch->pin->is_ones;
  if (!is_ones && watch->bits > MAX_NUMBER_BITS)
    return wrong_pin(wave, watch, "more than 63 bits; expected fewer, or ones");
  if (!watch->pin && watch->bits != 1) return wrong_pin(wave, watch, "a clock has one bit");
  return true;
}

static unsigned bucket_of(const char *code) {
  uint32_t hash = 2166136261;
  for (; *code; code++) hash = (hash ^ (uint8_t)*code) * 16777619;
  return hash % NUM_BUCKETS;
}

static bool attach(struct wave *wave, struct watch *watch, const char *code) {
  struct watch **bucket = &wave->buckets[bucket_of(code)];
  watch->code = strdup(code);
  watch->next = *bucket;
  *bucket = watch;
  return watch->code || no_memory(wave);
}

/* A name in a VCD, and its range. */
struct declared {
  const char *name;
  size_t length; /* of the name */
  int high, low; /* its bits, from the left to the right */
};

/* The backslash of an escaped name. */
static const char *without_escape(const char *name) {
  return *name == '\\' ? name + 1 : name;
}

/* [HIGH:LOW] at the end is the range. [N] is a piece of a vector, or an element of an array: it
 * belongs to the name. So does a range of other bits than the signal has. */
static struct declared declared_as(const char *text, unsigned width) {
  const char *name = without_escape(text);
  struct declared is = {.name = name, .length = strlen(name), .high = (int)width - 1, .low = 0};
  int high, low;
  const char *bracket = strrchr(name, '[');
  if (!bracket || !strchr(bracket, ':') || !vcd_range(bracket, &high, &low)) return is;
  if ((unsigned)abs(high - low) + 1 != width) return is;
  return (struct declared){
      .name = name, .length = (size_t)(bracket - name), .high = high, .low = low};
}

/* The bits that the watch chooses of a signal of the current scope: what is behind the signal's
 * name, "" or "[...]". NULL: the watch names another signal. Only the wave tells bits from the
 * indexes of scopes and arrays, and from the letters of an escaped name. */
static const char *chosen_of(const struct wave *wave, const struct watch *watch,
                             const struct declared *declared) {
  if (strncmp(watch->signal, wave->scope, wave->scope_length) != 0) return NULL;
  const char *name = without_escape(watch->signal + wave->scope_length);
  if (strncmp(name, declared->name, declared->length) != 0) return NULL;
  const char *chosen = name + declared->length;
  return !*chosen || (*chosen == '[' && !strchr(chosen, '.')) ? chosen : NULL;
}

static bool declare(struct wave *wave, unsigned width, const char *code, const char *name) {
  const struct declared declared = declared_as(name, width);
  for (struct watch *watch = wave->watches; watch < wave->watches + wave->num_watches; watch++) {
    const char *chosen = chosen_of(wave, watch, &declared);
    if (!chosen) continue;
    if (watch->code && strcmp(watch->code, code) == 0) continue; /* another name of the signal */
    if (watch->code) return wrong_pin(wave, watch, "the wave has two such signals");
    watch->width = width;
    if (!choose_bits(wave, watch, chosen, declared.high, declared.low) ||
        !attach(wave, watch, code))
      return false;
  }
  return true;
}

/* ---- The header ---- */

static bool set_scope(struct wave *wave, size_t length, const char *more) {
  const size_t added = strlen(more);
  char *scope = realloc(wave->scope, length + added + 2);
  if (!scope) return no_memory(wave);
  memcpy(scope + length, more, added + 1);
  if (added) strcpy(scope + length + added, ".");
  wave->scope = scope;
  wave->scope_length = length + added + (added > 0);
  return true;
}

static bool enter_scope(struct wave *wave, const char *name) {
  size_t *outer = realloc(wave->outer, (wave->depth + 1) * sizeof *outer);
  if (!outer) return no_memory(wave);
  wave->outer = outer;
  outer[wave->depth++] = wave->scope_length;
  return set_scope(wave, wave->scope_length, name);
}

static bool leave_scope(struct wave *wave) {
  return wave->depth == 0 || set_scope(wave, wave->outer[--wave->depth], "");
}

static bool read_head(struct wave *wave) {
  struct vcd_item item;
  bool is_good = true;
  for (enum vcd_kind kind;
       is_good && (kind = wave_stream_next(wave->stream, &item)) != VCD_HEADER_END;) {
    if (kind == VCD_SCOPE) is_good = enter_scope(wave, item.name);
    if (kind == VCD_UPSCOPE) is_good = leave_scope(wave);
    if (kind == VCD_VAR && item.width > 0) is_good = declare(wave, item.width, item.id, item.name);
  }
  return is_good;
}

static bool all_found(struct wave *wave) {
  for (unsigned i = 0; i < wave->num_watches; i++)
    if (!wave->watches[i].code)
      return wrong_pin(wave, &wave->watches[i], "the wave has no such signal");
  return true;
}

/* ---- Cycles ---- */

/* A pin that has no number. NULL: all have. */
static const struct watch *find_unknown(const struct wave *wave) {
  for (unsigned i = 1; i < wave->num_watches; i++)
    if (wave->watches[i].before == UNKNOWN) return &wave->watches[i];
  return NULL;
}

/* $dumpoff takes cycles out of a trace that has begun. */
static bool expect_on(struct wave *wave) {
  if (!wave->is_off || !wave->has_begun) return true;
  return wrong_at(wave, wave->names->wave,
                  "nothing was recorded from time %" PRIu64
                  " on ($dumpoff), and cycles are missing before time %" PRIu64,
                  wave->off_since, wave->time);
}

static void turn_off(struct wave *wave) {
  if (!wave->is_off) wave->off_since = wave->time;
  wave->is_off = true;
}

static bool take_cycle(struct wave *wave) {
  if (!expect_on(wave)) return false;
  wave->is_off = false;
  const struct watch *unknown = find_unknown(wave);
  if (unknown && wave->has_begun) return wrong_value(wave, unknown, "the value is X or Z");
  if (unknown) {
    wave->unknown = unknown;
    wave->skipped++;
    return true;
  }
  wave->has_begun = true;
  for (const struct watch *watch = wave->watches + 1; watch < wave->watches + wave->num_watches;
       watch++) {
    const char *why = trace_fields_put(wave->fields, watch->pin->field, watch->before);
    if (why) return wrong_value(wave, watch, why);
  }
  const char *why = trace_fields_row(wave->fields, 1);
  return !why || wrong_at(wave, wave->names->wave, "%s", why);
}

/* All that changes at the current time is known. */
static bool end_time(struct wave *wave) {
  if (wave->has_risen && !take_cycle(wave)) return false;
  wave->has_risen = false;
  for (unsigned i = 0; i < wave->num_changed; i++) {
    wave->changed[i]->before = wave->changed[i]->after;
    wave->changed[i]->has_changed = false;
  }
  wave->num_changed = 0;
  return true;
}

/* ---- Values ---- */

static uint64_t value_of(const struct watch *watch, const struct vcd_item *item) {
  const bool is_ones = watch->pin && watch->pin->is_ones;
  uint64_t value = 0;
  for (unsigned n = watch->low + watch->bits; n-- > watch->low;) {
    const char digit = vcd_bit(item, n);
    if (digit == 'x') return UNKNOWN;
    value = (is_ones ? value : value << 1) + (digit == '1');
  }
  return value;
}

static bool change(struct wave *wave, const struct vcd_item *item) {
  for (struct watch *watch = wave->buckets[bucket_of(item->id)]; watch; watch = watch->next) {
    if (strcmp(watch->code, item->id) != 0) continue;
    if (item->num_bits > watch->width)
      return wrong_value(wave, watch, "a value of more bits than the signal has");
    const uint64_t value = value_of(watch, item);
    if (!watch->pin && value == UNKNOWN && wave->has_begun && !wave->is_off)
      return wrong_value(wave, watch, "the clock is X or Z");
    if (!watch->pin && watch->after == 0 && value == 1) wave->has_risen = true;
    watch->after = value;
    if (!watch->has_changed) wave->changed[wave->num_changed++] = watch;
    watch->has_changed = true;
  }
  return true;
}

/* A real, or a string. */
static bool change_to_other(struct wave *wave, const char *id) {
  for (struct watch *watch = wave->buckets[bucket_of(id)]; watch; watch = watch->next)
    if (strcmp(watch->code, id) == 0) return wrong_value(wave, watch, "a value that is no vector");
  return true;
}

static bool take_time(struct wave *wave, uint64_t time) {
  if (time == wave->time) return true;
  if (!end_time(wave)) return false;
  wave->time = time;
  return true;
}

static bool has_cycles(struct wave *wave) {
  if (wave->has_begun) return true;
  if (wave->skipped == 0) return wrong_pin(wave, wave->watches, "the clock never rises");
  return wrong_value(wave, wave->unknown, "the value is X or Z at every edge of the clock");
}

/* Only these signals' changes matter. */
static bool choose_signals(struct wave *wave) {
  const char **codes = calloc(wave->num_watches, sizeof *codes);
  if (!codes) return no_memory(wave);
  for (unsigned i = 0; i < wave->num_watches; i++) codes[i] = wave->watches[i].code;
  wave_stream_choose(wave->stream, codes, wave->num_watches);
  free(codes);
  return true;
}

static bool read_values(struct wave *wave) {
  struct vcd_item item;
  if (!choose_signals(wave)) return false;
  for (enum vcd_kind kind; (kind = wave_stream_next(wave->stream, &item)) != VCD_END;) {
    if (kind == VCD_VALUE && !change(wave, &item)) return false;
    if (kind == VCD_OTHER && !change_to_other(wave, item.id)) return false;
    if (kind == VCD_OFF) turn_off(wave);
    if (kind == VCD_TIME && !take_time(wave, item.time)) return false;
  }
  return end_time(wave) && has_cycles(wave);
}

/* ---- All ---- */

static void watch_signal(struct wave *wave, const struct pin *pin, const char *signal,
                         uint32_t line) {
  wave->watches[wave->num_watches++] = (struct watch){
      .pin = pin, .signal = signal, .line = line, .before = UNKNOWN, .after = UNKNOWN};
}

static bool allocate(struct wave *wave, const struct pins *pins) {
  wave->watches = calloc(pins->count + 1, sizeof *wave->watches);
  wave->changed = calloc(pins->count + 1, sizeof(struct watch *));
  if (!wave->watches || !wave->changed) return no_memory(wave);
  watch_signal(wave, NULL, pins->clock, pins->clock_line);
  for (unsigned i = 0; i < pins->count; i++)
    watch_signal(wave, &pins->of[i], pins->of[i].signal, pins->of[i].line);
  return set_scope(wave, 0, "");
}

static void release(struct wave *wave) {
  for (unsigned i = 0; i < wave->num_watches; i++) free(wave->watches[i].code);
  free(wave->watches);
  free(wave->changed);
  free(wave->scope);
  free(wave->outer);
}

static bool begin_trace(struct wave *wave, FILE *out) {
  const char *why =
      trace_fields_begin(wave->fields, out, wave->names->generator, wave->names->command);
  return !why || wrong_at(wave, wave->names->pins, "%s", why);
}

static bool end_trace(struct wave *wave) {
  const char *why = trace_fields_end(wave->fields);
  return !why || wrong_at(wave, wave->names->wave, "%s", why);
}

bool wave_convert(FILE *in, FILE *out, const struct wave_names *names, const struct pins *pins,
                  struct trace_fields *fields, uint64_t *skipped, char *error, size_t error_size) {
  struct wave wave = {.stream = wave_stream_open(in, names->path),
                      .names = names,
                      .fields = fields,
                      .error = error,
                      .error_size = error_size};
  const bool is_good = allocate(&wave, pins) && read_head(&wave) && all_found(&wave) &&
                       begin_trace(&wave, out) && read_values(&wave) && end_trace(&wave);
  *skipped = wave.skipped;
  wave_stream_close(wave.stream);
  release(&wave);
  return is_good;
}
