#include "testbench/cosim/stimulus/lex.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The file's name stands as it was given, but in one line; of what is quoted, only ASCII does. */
static void make_printable(char *text, size_t name_length) {
  for (size_t i = 0; text[i]; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c < ' ' || c == 0x7f || (c > 0x7f && i >= name_length)) text[i] = '?';
  }
}

bool pmuv3_lex_error(struct pmuv3_lex *lex, const char *format, ...) {
  if (lex->error_size == 0) return false;
  int head = snprintf(lex->error, lex->error_size, "%s:%u: ", lex->name, (unsigned)lex->line);
  if (head >= 0 && (size_t)head < lex->error_size) {
    va_list args;
    va_start(args, format);
    vsnprintf(lex->error + head, lex->error_size - (size_t)head, format, args);
    va_end(args);
  }
  make_printable(lex->error, strlen(lex->name));
  return false;
}

bool pmuv3_lex_may_name(struct pmuv3_lex *lex, const char *key, const char *value) {
  if (*lex->name) return true;
  return pmuv3_lex_error(lex, "%s=%.200s names a file; expected the parameters themselves", key,
                         value);
}

/* Reads `in` into lex->text, with room for the closing '\0'. */
static bool read_all(struct pmuv3_lex *lex, FILE *in) {
  size_t size = 0;
  for (size_t capacity = 4096;; capacity *= 2) {
    char *text = realloc(lex->text, capacity);
    if (!text) return pmuv3_lex_error(lex, "out of memory");
    lex->text = text;
    size += fread(text + size, 1, capacity - 1 - size, in);
    if (size < capacity - 1) break;
  }
  if (ferror(in)) return pmuv3_lex_error(lex, "cannot be read: %s", strerror(errno));
  lex->end = lex->text + size;
  *lex->end = '\0';
  return true;
}

/* Numbers the lines once, so that a file is either wholly text or refused. */
static bool check_text(struct pmuv3_lex *lex) {
  for (const char *c = lex->text; c < lex->end; c++) {
    if (*c == '\0') return pmuv3_lex_error(lex, "a NUL byte; expected text");
    if (*c != '\n') continue;
    if (lex->line == UINT32_MAX)
      return pmuv3_lex_error(lex, "too many lines; expected at most %u", (unsigned)UINT32_MAX);
    lex->line++;
  }
  return true;
}

bool pmuv3_lex_open(struct pmuv3_lex *lex, FILE *in, const char *name, char *error,
                    size_t error_size) {
  *lex = (struct pmuv3_lex){.name = name, .line = 1, .error = error, .error_size = error_size};
  if (!read_all(lex, in) || !check_text(lex)) return false;
  lex->line = 0;
  lex->next_line = lex->text;
  return true;
}

void pmuv3_lex_close(struct pmuv3_lex *lex) {
  free(lex->text);
  lex->text = NULL;
}

bool pmuv3_lex_line(struct pmuv3_lex *lex) {
  if (lex->next_line == lex->end) return false;
  char *line = lex->next_line;
  char *end = memchr(line, '\n', (size_t)(lex->end - line));
  lex->next_line = end ? end + 1 : lex->end;
  if (!end) end = lex->end;
  if (end > line && end[-1] == '\r') end--;
  *end = '\0';
  lex->comment = strchr(line, '#');
  if (lex->comment) *lex->comment++ = '\0';
  lex->next_word = line;
  lex->line++;
  return true;
}

char *pmuv3_lex_word(struct pmuv3_lex *lex) {
  static const char blanks[] = " \t";
  char *word = lex->next_word + strspn(lex->next_word, blanks);
  if (!*word) return NULL;
  char *end = word + strcspn(word, blanks);
  lex->next_word = *end ? end + 1 : end;
  *end = '\0';
  return word;
}

/* The value of a digit in this base; base when it is none. */
static unsigned digit_value(char c, unsigned base) {
  unsigned value = base;
  if (c >= '0' && c <= '9')
    value = (unsigned)(c - '0');
  else if (c >= 'a' && c <= 'f')
    value = (unsigned)(c - 'a') + 10;
  else if (c >= 'A' && c <= 'F')
    value = (unsigned)(c - 'A') + 10;
  return value < base ? value : base;
}

char *pmuv3_lex_need(struct pmuv3_lex *lex, const char *what) {
  char *word = pmuv3_lex_word(lex);
  if (!word) pmuv3_lex_error(lex, "the line ends too early; expected %s", what);
  return word;
}

bool pmuv3_lex_once(struct pmuv3_lex *lex, const char *word, bool *given) {
  if (*given) return pmuv3_lex_error(lex, "%.40s is given twice; expected it once", word);
  return *given = true;
}

bool pmuv3_lex_end(struct pmuv3_lex *lex) {
  const char *word = pmuv3_lex_word(lex);
  if (!word) return true;
  return pmuv3_lex_error(lex, "\"%.40s\" is left over; expected the end of the line", word);
}

bool pmuv3_lex_head(struct pmuv3_lex *lex, const char *format, const char *what) {
  char expected[80];
  snprintf(expected, sizeof expected, "expected \"%s 1\" in the first line", format);
  if (!pmuv3_lex_line(lex)) {
    lex->line = 1;
    return pmuv3_lex_error(lex, "the file is empty; %s", expected);
  }
  const char *word = pmuv3_lex_word(lex);
  if (!word || strcmp(word, format) != 0) return pmuv3_lex_error(lex, "not %s; %s", what, expected);
  word = pmuv3_lex_word(lex);
  if (!word || strcmp(word, "1") != 0)
    return pmuv3_lex_error(lex, "the format's version is \"%.40s\"; %s", word ? word : "",
                           expected);
  return pmuv3_lex_end(lex);
}

bool pmuv3_lex_number(struct pmuv3_lex *lex, const char *what, const char *word, uint64_t *number) {
  unsigned base = strncmp(word, "0x", 2) == 0 ? 16 : 10;
  const char *c = base == 16 ? word + 2 : word;
  bool fits = true;
  *number = 0;
  do {
    unsigned digit = digit_value(*c, base);
    if (digit == base)
      return pmuv3_lex_error(lex, "%s is \"%.40s\"; expected a decimal or 0x number", what, word);
    if (*number > (UINT64_MAX - digit) / base) fits = false;
    *number = *number * base + digit;
  } while (*++c);
  if (!fits)
    return pmuv3_lex_error(lex, "%s is %.40s; expected a number of at most 64 bits", what, word);
  return true;
}
