#include "engine/netlist/reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Errors ---- */

bool reader_fail(const struct reader *reader, const char *format, ...) {
  va_list arguments;
  fprintf(stderr, "%s:%u: ", reader->file, reader->line);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return false;
}

/* ---- Lines ---- */

/* A part of a line behind which an error came is no line. */
bool reader_line(struct reader *reader, FILE *in, char **line, size_t *size) {
  errno = 0;
  if (getline(line, size, in) < 0 || ferror(in)) return false;
  reader->line++;
  return true;
}

/* Where memory is short, getline fails without a mark in the stream. */
bool reader_is_at_end(struct reader *reader, FILE *in) {
  if (feof(in) && !ferror(in)) return true;
  reader->line++;
  return reader_fail(reader, "cannot be read: %s", strerror(errno ? errno : EIO));
}

/* Makes room for one more, where the room is always a power of two. */
void *reader_grown(void *array, size_t num, size_t size) {
  if (num & (num - 1)) return array;
  return checked(realloc(array, (num ? 2 * num : 1) * size));
}

/* ---- Fields ---- */

bool reader_number(const struct reader *reader, const char *field, uint32_t *value) {
  char *end;
  errno = 0;
  *value = 0; /* gcc does not see that reader_fail() is false */
  const unsigned long read = strtoul(field, &end, 10);
  if (field[0] < '0' || field[0] > '9' || *end || errno || read > UINT32_MAX / 2)
    return reader_fail(reader, "%s: expected a number", field);
  *value = (uint32_t)read;
  return true;
}

/* A node of a line above. */
bool reader_node(const struct reader *reader, const char *field, const struct node **node) {
  uint32_t id;
  if (!reader_number(reader, field, &id)) return false;
  *node = id < reader->num_nodes ? &reader->nodes[id] : NULL;
  return *node || reader_fail(reader, "%s: unknown node", field);
}

bool reader_width(const struct reader *reader, const char *field, uint32_t *width) {
  const struct node *sort;
  if (!reader_node(reader, field, &sort)) return false;
  *width = sort->sort;
  return *width || reader_fail(reader, "%s: expected a sort", field);
}

bool reader_value(const struct reader *reader, const char *field, term *value) {
  const struct node *of;
  if (!reader_node(reader, field, &of)) return false;
  *value = of->value;
  return *value != TERM_NONE || reader_fail(reader, "%s: expected a node with a value", field);
}

/* The optional name that is the last field. */
const char *reader_name_at(const struct reader *reader, size_t field) {
  return field < reader->num_fields ? reader->fields[field] : NULL;
}

bool reader_expect_fields(const struct reader *reader, size_t least, size_t most) {
  return (reader->num_fields >= least && reader->num_fields <= most) ||
         reader_fail(reader, "%s: %zu fields, expected %zu to %zu", reader->fields[1],
                     reader->num_fields, least, most);
}
