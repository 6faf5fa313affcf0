#define _GNU_SOURCE
#include "testbench/explore/tracer/csv.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/text.h"
#include "testbench/explore/tracer/fields.h"

/* In `places`: the column has the row's cycles. */
enum { CYCLES = -1, MAX_CELLS = TRACE_MAX_FIELDS + 1 };

struct csv {
  const char *name;
  struct pmuv3_lines lines;
  char *error;
  size_t error_size;
  int places[MAX_CELLS]; /* of each cell: its field, or CYCLES */
  unsigned num_cells;
  struct trace_fields *fields;
};

/* What is quoted of the file stays in one line. */
static void make_printable(char *text) {
  for (; *text; text++)
    if (*text < ' ' || *text > '~') *text = '?';
}

__attribute__((format(printf, 2, 3))) static bool wrong(struct csv *csv, const char *format, ...) {
  va_list args;
  const unsigned long line = csv->lines.number ? csv->lines.number : 1; /* an empty file has none */
  const int length = snprintf(csv->error, csv->error_size, "%s:%lu: ", csv->name, line);
  if (length < 0 || (size_t)length >= csv->error_size) return false;
  va_start(args, format);
  vsnprintf(csv->error + length, csv->error_size - (size_t)length, format, args);
  va_end(args);
  make_printable(csv->error + length);
  return false;
}

/* `why`: NULL, or what is wrong. */
static bool held(struct csv *csv, const char *why) {
  return !why || wrong(csv, "%s", why);
}

/* ---- The first line ---- */

static bool has_cycles(const struct csv *csv) {
  for (unsigned i = 0; i < csv->num_cells; i++)
    if (csv->places[i] == CYCLES) return true;
  return false;
}

static bool add_cell(struct csv *csv, char *name) {
  if (csv->num_cells == MAX_CELLS) return wrong(csv, "expected at most %u columns", MAX_CELLS);
  int place = (int)csv->fields->count;
  if (strcmp(name, "cycles") == 0) {
    if (has_cycles(csv)) return wrong(csv, "column \"cycles\" is given twice");
    place = CYCLES;
  } else if (!held(csv, trace_fields_add(csv->fields, name))) {
    return false;
  }
  csv->places[csv->num_cells++] = place;
  return true;
}

static bool read_head(struct csv *csv, char *line) {
  for (char *name; (name = strsep(&line, ",")) != NULL;)
    if (!add_cell(csv, name)) return false;
  return csv->fields->num_columns > 0 || wrong(csv, "there is no event");
}

/* ---- The rows ---- */

/* An empty cell is 0, or the state as before. */
static bool read_cell(struct csv *csv, int place, const char *cell, uint64_t *cycles) {
  uint64_t value;
  if (place == CYCLES)
    return (trace_read_number(cell, UINT32_MAX, cycles) && *cycles > 0) ||
           wrong(csv, "\"%.40s\" is no number of cycles", cell);
  if (!*cell) return true;
  if (!trace_read_number(cell, UINT64_MAX, &value))
    return wrong(csv, "\"%.40s\" is no number from 0 to %u", cell, csv->fields->of[place].most);
  return held(csv, trace_fields_put(csv->fields, (unsigned)place, value));
}

/* A row holds for its cycles. */
static bool read_row(struct csv *csv, char *line) {
  uint64_t cycles = 1;
  unsigned count = 0;
  for (char *cell; (cell = strsep(&line, ",")) != NULL; count++) {
    if (count == csv->num_cells) return wrong(csv, "expected %u cells", csv->num_cells);
    if (!read_cell(csv, csv->places[count], cell, &cycles)) return false;
  }
  if (count < csv->num_cells) return wrong(csv, "expected %u cells, not %u", csv->num_cells, count);
  return held(csv, trace_fields_row(csv->fields, cycles));
}

/* ---- All ---- */

/* The next line that is neither empty nor a comment. False: there is none, or it cannot be read. */
static bool next_line(struct csv *csv) {
  while (pmuv3_lines_next(&csv->lines))
    if (*csv->lines.line && *csv->lines.line != '#') return true;
  return false;
}

/* A number that lost its last digits is still a number. */
static bool is_whole(struct csv *csv) {
  return csv->lines.has_end || wrong(csv, "the line has no end: the file may be cut off");
}

static bool could_read(struct csv *csv) {
  return !*csv->lines.wrong || wrong(csv, "%s", csv->lines.wrong);
}

static bool expect_line(struct csv *csv, const char *what) {
  return next_line(csv) || (could_read(csv) && wrong(csv, "there is no %s", what));
}

static bool read_all(struct csv *csv, FILE *out, const char *generator, const char *command) {
  if (!expect_line(csv, "line; expected the names of the columns") ||
      !read_head(csv, csv->lines.line) ||
      !held(csv, trace_fields_begin(csv->fields, out, generator, command)))
    return false;
  if (!expect_line(csv, "row; expected the counts of a cycle")) return false;
  do {
    if (!is_whole(csv) || !read_row(csv, csv->lines.line)) return false;
  } while (next_line(csv));
  return could_read(csv) && held(csv, trace_fields_end(csv->fields));
}

bool csv_convert(FILE *in, const char *name, FILE *out, const char *generator, const char *command,
                 char *error, size_t error_size) {
  struct csv csv = {.name = name, .lines = {.in = in}, .error = error, .error_size = error_size};
  csv.fields = trace_fields_new();
  if (!csv.fields) {
    snprintf(error, error_size, "out of memory");
    return false;
  }
  const bool is_good = read_all(&csv, out, generator, command);
  pmuv3_lines_free(&csv.lines);
  trace_fields_free(csv.fields);
  return is_good;
}
