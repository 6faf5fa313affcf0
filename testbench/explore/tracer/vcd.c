#define _GNU_SOURCE
#include "testbench/explore/tracer/vcd.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The value of bits of which one is X or Z. */
#define UNKNOWN UINT64_MAX

enum { NUM_BUCKETS = 1024, MAX_NUMBER_BITS = 63 };

/* A signal that matters: a pin's, or the clock. */
struct watch {
  const struct pin *pin; /* NULL: the clock */
  const char *signal;
  uint32_t line;          /* of the pins file */
  size_t path_length;     /* of the signal's name, without the bits that are chosen */
  char *code;             /* of the signal in the VCD. NULL: it was not found yet */
  unsigned width;         /* of the signal */
  unsigned low, bits;     /* which of its bits are the pin's */
  uint64_t before, after; /* the value before, and after what changes at the current time */
  bool has_changed;
  struct watch *next; /* of the same bucket */
};

struct vcd {
  FILE *in;
  const struct vcd_names *names;
  struct trace_fields *fields;
  unsigned long line;
  char *error;
  size_t error_size;
  char *word, *digits; /* each has room for word_size */
  size_t word_size;
  char *scope; /* "a.b." */
  size_t scope_length;
  struct watch *watches; /* the clock is the first */
  unsigned num_watches;
  struct watch *buckets[NUM_BUCKETS];
  struct watch **changed;
  unsigned num_changed;
  bool has_risen; /* the clock, at the current time */
  bool has_begun;
  uint64_t skipped;
  const struct watch *unknown; /* at the latest edge that was skipped */
  char time[24];
};

/* ---- Messages ---- */

/* Writes "PLACE: ...". */
__attribute__((format(printf, 3, 4))) static bool wrong_at(struct vcd *vcd, const char *place,
                                                           const char *format, ...) {
  va_list args;
  const int length = snprintf(vcd->error, vcd->error_size, "%s: ", place);
  if (length < 0 || (size_t)length >= vcd->error_size) return false;
  va_start(args, format);
  vsnprintf(vcd->error + length, vcd->error_size - (size_t)length, format, args);
  va_end(args);
  return false;
}

static bool wrong(struct vcd *vcd, const char *what) {
  char place[4096 + 32];
  snprintf(place, sizeof place, "%s:%lu", vcd->names->wave, vcd->line);
  return wrong_at(vcd, place, "%s", what);
}

static bool wrong_pin(struct vcd *vcd, const struct watch *watch, const char *what) {
  char place[4096 + 32];
  snprintf(place, sizeof place, "%s:%u", vcd->names->pins, watch->line);
  return wrong_at(vcd, place, "%.200s: %s", watch->signal, what);
}

static bool wrong_value(struct vcd *vcd, const struct watch *watch, const char *what) {
  char place[4096 + 64];
  snprintf(place, sizeof place, "%s: at time %s", vcd->names->wave, vcd->time);
  return wrong_at(vcd, place, "%.200s: %s", watch->signal, what);
}

/* ---- Words ---- */

static bool grow_word(struct vcd *vcd) {
  const size_t size = 2 * vcd->word_size;
  char *word = realloc(vcd->word, size);
  if (word) vcd->word = word;
  char *digits = realloc(vcd->digits, size);
  if (digits) vcd->digits = digits;
  if (word && digits) vcd->word_size = size;
  return word && digits;
}

/* The next word, in vcd->word. False: the file ends. */
static bool next_word(struct vcd *vcd) {
  size_t length = 0;
  int c;
  while ((c = getc_unlocked(vcd->in)) != EOF && isspace(c)) vcd->line += c == '\n';
  for (; c != EOF && !isspace(c); c = getc_unlocked(vcd->in)) {
    if (length + 1 == vcd->word_size && !grow_word(vcd)) return false;
    vcd->word[length++] = (char)c;
  }
  if (c != EOF) ungetc(c, vcd->in);
  vcd->word[length] = '\0';
  return length > 0;
}

static bool is_word(const struct vcd *vcd, const char *word) {
  return strcmp(vcd->word, word) == 0;
}

static bool expect_word(struct vcd *vcd) {
  return next_word(vcd) || wrong(vcd, "the file ends too early");
}

static bool skip_to_end(struct vcd *vcd) {
  while (!is_word(vcd, "$end"))
    if (!expect_word(vcd)) return false;
  return true;
}

/* ---- Signals ---- */

/* "[HIGH:LOW]" or "[BIT]", which is all of the text. HIGH may be the smaller one. */
static bool read_bits(const char *text, int *high, int *low) {
  int length = 0;
  if (sscanf(text, "[%d:%d]%n", high, low, &length) == 2 && length && !text[length]) return true;
  length = 0;
  if (sscanf(text, "[%d]%n", high, &length) != 1 || !length || text[length]) return false;
  *low = *high;
  return true;
}

/* The pin's bits of a signal whose bits are numbered from `high` to `low`. */
static bool choose_bits(struct vcd *vcd, struct watch *watch, int high, int low) {
  const char *chosen = watch->signal + watch->path_length;
  int first = high, last = low;
  if (*chosen && !read_bits(chosen, &first, &last)) return wrong_pin(vcd, watch, "unknown bits");
  const unsigned a = (unsigned)abs(first - low), b = (unsigned)abs(last - low);
  const bool is_inside = a < watch->width && b < watch->width;
  if (!is_inside) return wrong_pin(vcd, watch, "the signal has no such bits");
  watch->low = a < b ? a : b;
  watch->bits = (a < b ? b - a : a - b) + 1;
  const bool is_ones = watch->pin && watch->pin->is_ones;
  if (!is_ones && watch->bits > MAX_NUMBER_BITS)
    return wrong_pin(vcd, watch, "more than 63 bits; expected fewer, or ones");
  if (!watch->pin && watch->bits != 1) return wrong_pin(vcd, watch, "a clock has one bit");
  return true;
}

static unsigned bucket_of(const char *code) {
  uint32_t hash = 2166136261;
  for (; *code; code++) hash = (hash ^ (uint8_t)*code) * 16777619;
  return hash % NUM_BUCKETS;
}

static bool attach(struct vcd *vcd, struct watch *watch, const char *code) {
  struct watch **bucket = &vcd->buckets[bucket_of(code)];
  watch->code = strdup(code);
  watch->next = *bucket;
  *bucket = watch;
  return watch->code || wrong(vcd, "out of memory");
}

/* Whether the VCD's name, of so many letters, is that of the watch's signal. */
static bool is_named(const struct vcd *vcd, const struct watch *watch, const char *name,
                     size_t length) {
  return watch->path_length == vcd->scope_length + length &&
         memcmp(watch->signal, vcd->scope, vcd->scope_length) == 0 &&
         memcmp(watch->signal + vcd->scope_length, name, length) == 0;
}

/* A signal "name", "name[BIT]" or "name[HIGH:LOW]". Of a signal that has several names, and of a
 * name that comes twice, the first counts. */
static bool declare(struct vcd *vcd, unsigned width, const char *code, const char *name) {
  const size_t length = strcspn(name, "[");
  int high = (int)width - 1, low = 0;
  const bool is_one_of_many = name[length] && !strchr(name, ':'); /* a vector in pieces */
  if (name[length] && !read_bits(name + length, &high, &low)) return true;
  for (struct watch *watch = vcd->watches; watch < vcd->watches + vcd->num_watches; watch++) {
    if (watch->code || !is_named(vcd, watch, name, length)) continue;
    if (is_one_of_many && strcmp(watch->signal + watch->path_length, name + length) != 0) continue;
    watch->width = width;
    if (!choose_bits(vcd, watch, high, low) || !attach(vcd, watch, code)) return false;
  }
  return true;
}

/* ---- The header ---- */

static bool set_scope(struct vcd *vcd, size_t length, const char *more) {
  const size_t added = strlen(more);
  char *scope = realloc(vcd->scope, length + added + 2);
  if (!scope) return wrong(vcd, "out of memory");
  memcpy(scope + length, more, added + 1);
  if (added) strcpy(scope + length + added, ".");
  vcd->scope = scope;
  vcd->scope_length = length + added + (added > 0);
  return true;
}

/* $scope TYPE NAME $end */
static bool enter_scope(struct vcd *vcd) {
  return expect_word(vcd) && expect_word(vcd) && set_scope(vcd, vcd->scope_length, vcd->word) &&
         skip_to_end(vcd);
}

static bool leave_scope(struct vcd *vcd) {
  size_t length = vcd->scope_length ? vcd->scope_length - 1 : 0;
  while (length > 0 && vcd->scope[length - 1] != '.') length--;
  return set_scope(vcd, length, "") && skip_to_end(vcd);
}

/* $var TYPE WIDTH CODE NAME [BITS] $end */
static bool take_signal(struct vcd *vcd) {
  enum { MAX_WIDTH = 1 << 24, NAME = 4096 };
  char code[64], name[NAME] = "";
  uint64_t width;
  if (!expect_word(vcd) || !expect_word(vcd)) return false;
  if (!trace_read_number(vcd->word, MAX_WIDTH, &width)) return wrong(vcd, "no width of a signal");
  if (!expect_word(vcd)) return false;
  if (snprintf(code, sizeof code, "%s", vcd->word) >= (int)sizeof code)
    return wrong(vcd, "the code of a signal is too long");
  for (;;) {
    if (!expect_word(vcd)) return false;
    if (is_word(vcd, "$end")) break;
    strncat(name, vcd->word, sizeof name - 1 - strlen(name));
  }
  return width == 0 || declare(vcd, (unsigned)width, code, name);
}

static bool read_head(struct vcd *vcd) {
  while (expect_word(vcd)) {
    bool is_good = true;
    if (is_word(vcd, "$enddefinitions")) return skip_to_end(vcd);
    if (is_word(vcd, "$scope"))
      is_good = enter_scope(vcd);
    else if (is_word(vcd, "$upscope"))
      is_good = leave_scope(vcd);
    else if (is_word(vcd, "$var"))
      is_good = take_signal(vcd);
    else if (*vcd->word == '$')
      is_good = skip_to_end(vcd);
    else
      return wrong(vcd, "it is no VCD: expected $enddefinitions");
    if (!is_good) return false;
  }
  return false;
}

static bool all_found(struct vcd *vcd) {
  for (unsigned i = 0; i < vcd->num_watches; i++)
    if (!vcd->watches[i].code)
      return wrong_pin(vcd, &vcd->watches[i], "the wave has no such signal");
  return true;
}

/* ---- Cycles ---- */

/* A pin that has no number. NULL: all have. */
static const struct watch *find_unknown(const struct vcd *vcd) {
  for (unsigned i = 1; i < vcd->num_watches; i++)
    if (vcd->watches[i].before == UNKNOWN) return &vcd->watches[i];
  return NULL;
}

static bool take_cycle(struct vcd *vcd) {
  const struct watch *unknown = find_unknown(vcd);
  if (unknown && vcd->has_begun) return wrong_value(vcd, unknown, "the value is X or Z");
  if (unknown) {
    vcd->unknown = unknown;
    vcd->skipped++;
    return true;
  }
  vcd->has_begun = true;
  for (const struct watch *watch = vcd->watches + 1; watch < vcd->watches + vcd->num_watches;
       watch++) {
    const char *why = trace_fields_put(vcd->fields, watch->pin->field, watch->before);
    if (why) return wrong_value(vcd, watch, why);
  }
  const char *why = trace_fields_row(vcd->fields, 1);
  return !why || wrong_at(vcd, vcd->names->wave, "%s", why);
}

/* All that changes at the current time is known. */
static bool end_time(struct vcd *vcd) {
  if (vcd->has_risen && !take_cycle(vcd)) return false;
  vcd->has_risen = false;
  for (unsigned i = 0; i < vcd->num_changed; i++) {
    vcd->changed[i]->before = vcd->changed[i]->after;
    vcd->changed[i]->has_changed = false;
  }
  vcd->num_changed = 0;
  return true;
}

/* ---- Values ---- */

/* Bit n of a value, whose leading digit stands for those that are left out, unless it is 1. */
static char digit_of(const char *digits, size_t length, size_t n) {
  if (n < length) return digits[length - 1 - n];
  return *digits == '1' ? '0' : *digits;
}

static uint64_t value_of(const struct watch *watch, const char *digits) {
  const size_t length = strlen(digits);
  const bool is_ones = watch->pin && watch->pin->is_ones;
  uint64_t value = 0;
  for (unsigned n = watch->low + watch->bits; n-- > watch->low;) {
    const char digit = digit_of(digits, length, n);
    if (digit != '0' && digit != '1') return UNKNOWN;
    value = (is_ones ? value : value << 1) + (digit == '1');
  }
  return value;
}

static void change(struct vcd *vcd, const char *code, const char *digits) {
  for (struct watch *watch = vcd->buckets[bucket_of(code)]; watch; watch = watch->next) {
    if (strcmp(watch->code, code) != 0) continue;
    const uint64_t value = value_of(watch, digits);
    if (!watch->pin && watch->after == 0 && value == 1) vcd->has_risen = true;
    watch->after = value;
    if (!watch->has_changed) vcd->changed[vcd->num_changed++] = watch;
    watch->has_changed = true;
  }
}

/* A digit and a code, without a blank. VHDL has more digits than Verilog. */
static bool change_bit(struct vcd *vcd) {
  const char digit[] = {*vcd->word, '\0'};
  if (!strchr("01xXzZuUwWlLhH-", *digit) || !vcd->word[1])
    return wrong(vcd, "it is no VCD: expected a change of a value");
  change(vcd, vcd->word + 1, digit);
  return true;
}

/* b and digits, and then a code. */
static bool change_vector(struct vcd *vcd) {
  char *digits = vcd->word;
  vcd->word = vcd->digits;
  vcd->digits = digits;
  if (!digits[1]) return wrong(vcd, "a value without digits");
  if (!expect_word(vcd)) return false;
  change(vcd, vcd->word, vcd->digits + 1);
  return true;
}

static bool take_time(struct vcd *vcd) {
  if (!end_time(vcd)) return false;
  snprintf(vcd->time, sizeof vcd->time, "%s", vcd->word + 1);
  return true;
}

static bool take_word(struct vcd *vcd) {
  switch (*vcd->word) {
    case '#':
      return take_time(vcd);
    case 'b':
    case 'B':
      return change_vector(vcd);
    case 'r': /* a real number, a string: no pins */
    case 'R':
    case 's':
    case 'S':
      return expect_word(vcd);
    case '$':
      return !is_word(vcd, "$comment") || skip_to_end(vcd);
    default:
      return change_bit(vcd);
  }
}

static bool has_cycles(struct vcd *vcd) {
  if (vcd->has_begun) return true;
  if (vcd->skipped == 0) return wrong_pin(vcd, vcd->watches, "the clock never rises");
  return wrong_value(vcd, vcd->unknown, "the value is X or Z at every edge of the clock");
}

static bool read_values(struct vcd *vcd) {
  while (next_word(vcd))
    if (!take_word(vcd)) return false;
  if (ferror(vcd->in)) return wrong(vcd, strerror(errno));
  return end_time(vcd) && has_cycles(vcd);
}

/* ---- All ---- */

static void watch_signal(struct vcd *vcd, const struct pin *pin, const char *signal,
                         uint32_t line) {
  vcd->watches[vcd->num_watches++] = (struct watch){.pin = pin,
                                                    .signal = signal,
                                                    .line = line,
                                                    .path_length = strcspn(signal, "["),
                                                    .before = UNKNOWN,
                                                    .after = UNKNOWN};
}

static bool allocate(struct vcd *vcd, const struct pins *pins) {
  vcd->word_size = 256;
  vcd->word = malloc(vcd->word_size);
  vcd->digits = malloc(vcd->word_size);
  vcd->watches = calloc(pins->count + 1, sizeof *vcd->watches);
  vcd->changed = calloc(pins->count + 1, sizeof(struct watch *));
  if (!vcd->word || !vcd->digits || !vcd->watches || !vcd->changed)
    return wrong_at(vcd, vcd->names->wave, "out of memory");
  watch_signal(vcd, NULL, pins->clock, pins->clock_line);
  for (unsigned i = 0; i < pins->count; i++)
    watch_signal(vcd, &pins->of[i], pins->of[i].signal, pins->of[i].line);
  return set_scope(vcd, 0, "");
}

static void release(struct vcd *vcd) {
  for (unsigned i = 0; i < vcd->num_watches; i++) free(vcd->watches[i].code);
  free(vcd->word);
  free(vcd->digits);
  free(vcd->watches);
  free(vcd->changed);
  free(vcd->scope);
}

static bool begin_trace(struct vcd *vcd, FILE *out) {
  const char *why =
      trace_fields_begin(vcd->fields, out, vcd->names->generator, vcd->names->command);
  return !why || wrong_at(vcd, vcd->names->pins, "%s", why);
}

static bool end_trace(struct vcd *vcd) {
  const char *why = trace_fields_end(vcd->fields);
  return !why || wrong_at(vcd, vcd->names->wave, "%s", why);
}

bool vcd_convert(FILE *in, FILE *out, const struct vcd_names *names, const struct pins *pins,
                 struct trace_fields *fields, uint64_t *skipped, char *error, size_t error_size) {
  struct vcd vcd = {.in = in,
                    .names = names,
                    .fields = fields,
                    .line = 1,
                    .error = error,
                    .error_size = error_size,
                    .time = "0"};
  const bool is_good = allocate(&vcd, pins) && read_head(&vcd) && all_found(&vcd) &&
                       begin_trace(&vcd, out) && read_values(&vcd) && end_trace(&vcd);
  *skipped = vcd.skipped;
  release(&vcd);
  return is_good;
}
