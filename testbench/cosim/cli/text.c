#define _GNU_SOURCE
#include "testbench/cosim/cli/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The length of the piece up to a delimiter. -1: there is none; `errno` is 0 at the end of the
 * file. */
static ssize_t read_piece(FILE *in, int delimiter, char **text, size_t *size) {
  errno = 0;
  const ssize_t length = getdelim(text, size, delimiter, in);
  const bool is_whole = !ferror(in) && (length >= 0 || feof(in));
  if (!is_whole && errno == 0) errno = EIO;
  if (is_whole) errno = 0;
  return is_whole ? length : -1;
}

static bool wrong(struct pmuv3_lines *lines, const char *why) {
  snprintf(lines->wrong, sizeof lines->wrong, "%s", why);
  return false;
}

static bool cannot_read(struct pmuv3_lines *lines) {
  snprintf(lines->wrong, sizeof lines->wrong, "cannot be read: %s", strerror(errno));
  return false;
}

/* Returns the length of the line without its end. */
static size_t cut_end(char *line, size_t length) {
  if (length > 0 && line[length - 1] == '\n') {
    length--;
    if (length > 0 && line[length - 1] == '\r') length--;
  }
  line[length] = '\0';
  return length;
}

bool pmuv3_lines_next(struct pmuv3_lines *lines) {
  if (*lines->wrong) return false;
  const ssize_t read = read_piece(lines->in, '\n', &lines->line, &lines->size);
  if (read < 0 && errno == 0) return false;
  lines->number++;
  if (read < 0) return cannot_read(lines);
  lines->has_end = read > 0 && lines->line[read - 1] == '\n';
  const size_t length = cut_end(lines->line, (size_t)read);
  if (memchr(lines->line, '\0', length)) return wrong(lines, "a NUL byte; expected text");
  if (memchr(lines->line, '\r', length))
    return wrong(lines, "a carriage return within the line; expected it only at its end");
  return true;
}

void pmuv3_lines_free(struct pmuv3_lines *lines) {
  free(lines->line);
  lines->line = NULL;
  lines->size = 0;
}

char *pmuv3_text_all(FILE *in) {
  char *text = NULL;
  size_t size = 0;
  if (read_piece(in, '\0', &text, &size) >= 0) return text;
  const int error = errno;
  free(text);
  errno = error;
  return error == 0 ? strdup("") : NULL;
}
