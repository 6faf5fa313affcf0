#define _GNU_SOURCE
#include "testbench/cosim/wave/vcd.h"

#include <ctype.h>
#include <errno.h>
#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"

enum { BUFFER = 1 << 16, MAX_WORD = 1 << 20, MAX_TEXT = 4096 };

struct vcd {
  FILE *in;
  const char *name;
  bool has_lines, is_of_changes;
  uint64_t line; /* behind the word */
  uint64_t word_line;
  uint64_t time;
  size_t at, filled; /* in the buffer */
  char kind[MAX_TEXT], text[MAX_TEXT], id[MAX_TEXT];
  size_t length; /* of the word */
  void *ids;     /* that are declared: a tree */
  char word[MAX_WORD + 1];
  char buffer[BUFFER];
};

struct vcd *vcd_open(FILE *in, const char *name, bool has_lines) {
  struct vcd *vcd = calloc(1, sizeof *vcd);
  if (!vcd) pmuv3_cli_no_verdict("out of memory");
  vcd->in = in;
  vcd->name = name;
  vcd->has_lines = has_lines;
  vcd->line = vcd->word_line = 1;
  return vcd;
}

void vcd_go_on(struct vcd *vcd, FILE *in) {
  vcd->in = in;
  vcd->at = vcd->filled = 0;
}

void vcd_close(struct vcd *vcd) {
  tdestroy(vcd->ids, free);
  free(vcd);
}

__attribute__((format(printf, 2, 3))) _Noreturn static void wrong(const struct vcd *vcd,
                                                                  const char *format, ...) {
  char text[200], line[24] = "";
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (vcd->has_lines) snprintf(line, sizeof line, ":%llu", (unsigned long long)vcd->word_line);
  for (char *c = text; *c; c++)
    if (!isprint((unsigned char)*c)) *c = '?';
  pmuv3_cli_unusable("%s%s: %s", vcd->name, line, text);
}

/* ---- Words ---- */

static int next_character(struct vcd *vcd) {
  if (vcd->at == vcd->filled) {
    vcd->filled = fread(vcd->buffer, 1, sizeof vcd->buffer, vcd->in);
    vcd->at = 0;
    if (ferror(vcd->in)) wrong(vcd, "cannot be read: %s", strerror(errno));
    if (vcd->filled == 0) return EOF;
  }
  return (unsigned char)vcd->buffer[vcd->at++];
}

static bool is_blank(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool read_word(struct vcd *vcd) {
  int c;
  while (is_blank(c = next_character(vcd))) vcd->line += c == '\n';
  vcd->word_line = vcd->line;
  for (vcd->length = 0; c != EOF && !is_blank(c); c = next_character(vcd)) {
    if (c < ' ' || c == 0x7F) wrong(vcd, "a character 0x%02X; the file is damaged, or no VCD", c);
    if (vcd->length == MAX_WORD) wrong(vcd, "a word of more than %d characters", MAX_WORD);
    vcd->word[vcd->length++] = (char)c;
  }
  vcd->word[vcd->length] = '\0';
  if (vcd->length == 0) return false;
  if (c == EOF) wrong(vcd, "the file ends within a word: it is cut off");
  vcd->line += c == '\n';
  return true;
}

/* A word that has to be there. */
static const char *need_word(struct vcd *vcd) {
  if (!read_word(vcd)) wrong(vcd, "the file ends too early: it is cut off");
  return vcd->word;
}

static bool is_end(struct vcd *vcd) {
  return strcmp(need_word(vcd), "$end") == 0;
}

static void skip_command(struct vcd *vcd) {
  while (!is_end(vcd)) continue;
}

static const char *keep(struct vcd *vcd, char text[MAX_TEXT]) {
  if (vcd->length >= MAX_TEXT) wrong(vcd, "a name of more than %d characters", MAX_TEXT - 1);
  return memcpy(text, vcd->word, vcd->length + 1);
}

/* Appends the word to what is kept of a command. False: there is no room. */
static bool append(struct vcd *vcd, size_t *length) {
  if (*length + vcd->length >= MAX_TEXT) return false;
  memcpy(vcd->text + *length, vcd->word, vcd->length + 1);
  *length += vcd->length;
  return true;
}

/* What is left of a command, without blanks. */
static const char *keep_rest(struct vcd *vcd) {
  size_t length = 0;
  vcd->text[0] = '\0';
  while (!is_end(vcd))
    if (!append(vcd, &length)) wrong(vcd, "a name of more than %d characters", MAX_TEXT - 1);
  return vcd->text;
}

/* Likewise, of a text of any length: the words that there is room for. */
static const char *keep_words(struct vcd *vcd) {
  size_t length = 0;
  vcd->text[0] = '\0';
  while (!is_end(vcd)) append(vcd, &length);
  return vcd->text;
}

/* ---- The header ---- */

static unsigned width_of(struct vcd *vcd) {
  char *end;
  const unsigned long width = strtoul(need_word(vcd), &end, 10);
  if (*end || width > 1u << 30) wrong(vcd, "\"%.40s\" is no width", vcd->word);
  return (unsigned)width;
}

/* Returns what is behind a number. NULL: it is none, or too large. */
static const char *read_index(const char *text, int *index) {
  char *end;
  errno = 0;
  const long number = strtol(text, &end, 10);
  if (end == text || errno || labs(number) >= 1L << 30) return NULL;
  *index = (int)number;
  return end;
}

bool vcd_range(const char *text, int *high, int *low) {
  const char *end = *text == '[' ? read_index(text + 1, high) : NULL;
  if (end && *end == ':')
    end = read_index(end + 1, low);
  else
    *low = *high;
  return end && strcmp(end, "]") == 0;
}

/* The range of a name must have the signal's bits. Several ranges may be one signal's, and an
 * escaped name may look like a range. */
static void check_range(struct vcd *vcd, const struct vcd_item *item) {
  int high = 0, low = 0;
  const char *range = strrchr(item->name, '['), *colon = strchr(item->name, ':');
  if (*item->name == '\\' || !range || !colon || colon < range) return;
  if (range[1 + strspn(range + 1, "-0123456789:")] != ']') return;
  if (!vcd_range(range, &high, &low) || (unsigned)abs(high - low) + 1 != item->width)
    wrong(vcd, "%.80s has %u bits, and another range", item->name, item->width);
}

static int by_text(const void *a, const void *b) {
  return strcmp(a, b);
}

/* Several names may be one signal's. */
static void declare(struct vcd *vcd, const char *id) {
  if (tfind(id, &vcd->ids, by_text)) return;
  char *copy = strdup(id);
  if (!copy || !tsearch(copy, &vcd->ids, by_text)) pmuv3_cli_no_verdict("out of memory");
}

static enum vcd_kind scope(struct vcd *vcd, struct vcd_item *item) {
  if (is_end(vcd)) wrong(vcd, "a scope without a kind");
  item->kind = keep(vcd, vcd->kind);
  item->name = keep_rest(vcd);
  return VCD_SCOPE;
}

static enum vcd_kind var(struct vcd *vcd, struct vcd_item *item) {
  need_word(vcd);
  item->kind = keep(vcd, vcd->kind);
  item->width = width_of(vcd);
  need_word(vcd);
  item->id = keep(vcd, vcd->id);
  item->name = keep_rest(vcd);
  if (!*item->name) wrong(vcd, "a signal without a name");
  check_range(vcd, item);
  declare(vcd, item->id);
  return VCD_VAR;
}

static enum vcd_kind next_of_header(struct vcd *vcd, struct vcd_item *item) {
  for (;;) {
    if (!read_word(vcd))
      wrong(vcd, "the header is not whole: the file is damaged, or neither VCD nor FST");
    if (vcd->word[0] != '$')
      wrong(vcd, "\"%.40s\" is nothing of a header; expected a VCD or an FST", vcd->word);
    if (strcmp(vcd->word, "$scope") == 0) return scope(vcd, item);
    if (strcmp(vcd->word, "$var") == 0) return var(vcd, item);
    const bool goes_up = strcmp(vcd->word, "$upscope") == 0;
    const bool is_last = strcmp(vcd->word, "$enddefinitions") == 0;
    const bool is_timescale = strcmp(vcd->word, "$timescale") == 0;
    const bool is_version = strcmp(vcd->word, "$version") == 0;
    if (is_timescale) item->name = keep_rest(vcd);
    if (is_timescale) return VCD_TIMESCALE;
    if (is_version) item->name = keep_words(vcd);
    if (is_version) return VCD_VERSION;
    skip_command(vcd);
    if (goes_up) return VCD_UPSCOPE;
    if (!is_last) continue;
    vcd->is_of_changes = true;
    return VCD_HEADER_END;
  }
}

/* ---- Changes ---- */

static enum vcd_kind time_of(struct vcd *vcd, struct vcd_item *item) {
  char *end;
  errno = 0;
  item->time = strtoull(vcd->word + 1, &end, 10);
  if (!isdigit((unsigned char)vcd->word[1]) || *end || errno)
    wrong(vcd, "\"%.40s\" is no time", vcd->word);
  if (item->time < vcd->time)
    wrong(vcd, "time goes back from %llu to %llu: the file is damaged",
          (unsigned long long)vcd->time, (unsigned long long)item->time);
  vcd->time = item->time;
  return VCD_TIME;
}

static const char *declared(struct vcd *vcd, const char *id) {
  if (!tfind(id, &vcd->ids, by_text))
    wrong(vcd, "no signal has the id \"%.40s\": the file is damaged", id);
  return id;
}

static enum vcd_kind scalar(struct vcd *vcd, struct vcd_item *item) {
  if (vcd->length < 2) wrong(vcd, "\"%.40s\" is no change of a value", vcd->word);
  item->bits = vcd->word;
  item->num_bits = 1;
  item->id = declared(vcd, vcd->word + 1);
  return VCD_VALUE;
}

/* The id follows the bits in the same buffer. */
static enum vcd_kind vector(struct vcd *vcd, struct vcd_item *item) {
  const size_t length = vcd->length - 1;
  static char bits[MAX_WORD + 1];
  memcpy(bits, vcd->word + 1, length + 1);
  if (length == 0 || bits[strspn(bits, "01xXzZuUwWhHlL-")])
    wrong(vcd, "\"%.40s\" is no value", vcd->word);
  item->bits = bits;
  item->num_bits = length;
  item->id = declared(vcd, need_word(vcd));
  return VCD_VALUE;
}

static enum vcd_kind next_change(struct vcd *vcd, struct vcd_item *item) {
  while (read_word(vcd)) {
    switch (vcd->word[0]) {
      case '#':
        return time_of(vcd, item);
      case '0':
      case '1':
      case 'x':
      case 'X':
      case 'z':
      case 'Z':
      case 'u':
      case 'U':
      case 'w':
      case 'W':
      case 'h':
      case 'H':
      case 'l':
      case 'L':
      case '-':
        return scalar(vcd, item);
      case 'b':
      case 'B':
        return vector(vcd, item);
      case 'r':
      case 'R':
      case 's':
      case 'S':
        item->id = declared(vcd, need_word(vcd));
        return VCD_OTHER;
      case 'p':
        wrong(vcd, "an extended VCD ($dumpports); expected the VCD of $dumpvars");
      case '$':
        if (strcmp(vcd->word, "$comment") == 0) skip_command(vcd);
        if (strcmp(vcd->word, "$dumpoff") == 0) return VCD_OFF;
        continue;
      default:
        wrong(vcd, "\"%.40s\" is no change of a value", vcd->word);
    }
  }
  return VCD_END;
}

enum vcd_kind vcd_next(struct vcd *vcd, struct vcd_item *item) {
  return vcd->is_of_changes ? next_change(vcd, item) : next_of_header(vcd, item);
}

static char level_of(char digit) {
  if (digit == '1' || digit == 'h' || digit == 'H') return '1';
  return digit == '0' || digit == 'l' || digit == 'L' ? '0' : 'x';
}

char vcd_bit(const struct vcd_item *item, unsigned bit) {
  if (bit < item->num_bits) return level_of(item->bits[item->num_bits - 1 - bit]);
  return level_of(item->bits[0]) == 'x' ? 'x' : '0';
}
