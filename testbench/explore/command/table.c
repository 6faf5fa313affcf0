#include "testbench/explore/command/table.h"

#include <json-c/json.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/json_text.h"
#include "testbench/explore/command/results.h"

struct explore_table explore_table_new(const char *rows_name, unsigned num_rows,
                                       unsigned num_columns, unsigned decimals) {
  const size_t cells = (size_t)num_rows * num_columns;
  struct explore_table table = {
      .rows_name = rows_name,
      .num_columns = num_columns,
      .num_rows = num_rows,
      .columns = calloc(num_columns + 1u, sizeof *table.columns),
      .rows = calloc(num_rows + 1u, sizeof *table.rows),
      .values = calloc(cells + 1, sizeof *table.values),
      .decimals = decimals,
  };
  if (!table.columns || !table.rows || !table.values) pmuv3_cli_no_verdict("out of memory");
  for (size_t i = 0; i < cells; i++) table.values[i] = NAN;
  return table;
}

void explore_table_free(struct explore_table *table) {
  free(table->columns);
  free(table->rows);
  free(table->values);
}

void explore_table_name(char name[EXPLORE_NAME_SIZE], const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(name, EXPLORE_NAME_SIZE, format, args);
  va_end(args);
}

/* A whole number is shown without decimals. */
static int put_value(FILE *out, const struct explore_table *table, double value) {
  if (!isfinite(value)) return fprintf(out, "%s", "");
  const bool is_whole = value == floor(value);
  return fprintf(out, "%.*f", is_whole ? 0 : (int)table->decimals, value);
}

static int width_of(const struct explore_table *table, unsigned column) {
  char text[64];
  int width = (int)strlen(table->columns[column]);
  for (unsigned r = 0; r < table->num_rows; r++) {
    FILE *out = fmemopen(text, sizeof text, "w");
    const int length = out ? put_value(out, table, *explore_cell(table, r, column)) : 0;
    if (out) fclose(out);
    if (length > width) width = length;
  }
  return width;
}

void explore_table_print(FILE *out, const struct explore_table *table) {
  int first = (int)strlen(table->rows_name);
  for (unsigned r = 0; r < table->num_rows; r++)
    if ((int)strlen(table->rows[r]) > first) first = (int)strlen(table->rows[r]);
  int *widths = calloc(table->num_columns + 1u, sizeof *widths);
  if (!widths) pmuv3_cli_no_verdict("out of memory");
  fprintf(out, "%-*s", first, table->rows_name);
  for (unsigned c = 0; c < table->num_columns; c++) {
    widths[c] = width_of(table, c);
    fprintf(out, "  %*s", widths[c], table->columns[c]);
  }
  putc('\n', out);
  for (unsigned r = 0; r < table->num_rows; r++) {
    fprintf(out, "%-*s", first, table->rows[r]);
    for (unsigned c = 0; c < table->num_columns; c++) {
      char text[64] = "";
      FILE *cell = fmemopen(text, sizeof text, "w");
      if (cell) put_value(cell, table, *explore_cell(table, r, c));
      if (cell) fclose(cell);
      fprintf(out, "  %*s", widths[c], text);
    }
    putc('\n', out);
  }
  if (table->note[0]) fprintf(out, "%s\n", table->note);
  free(widths);
}

bool explore_table_csv(FILE *out, const void *context) {
  const struct explore_table *table = context;
  explore_csv_field(out, table->rows_name);
  for (unsigned c = 0; c < table->num_columns; c++) {
    putc(',', out);
    explore_csv_field(out, table->columns[c]);
  }
  putc('\n', out);
  for (unsigned r = 0; r < table->num_rows; r++) {
    explore_csv_field(out, table->rows[r]);
    for (unsigned c = 0; c < table->num_columns; c++) {
      putc(',', out);
      put_value(out, table, *explore_cell(table, r, c));
    }
    putc('\n', out);
  }
  return !ferror(out);
}

/* A row is an object with its name and the columns' values. */
bool explore_table_json(FILE *out, const void *context) {
  const struct explore_table *table = context;
  json_object *rows = json_object_new_array();
  for (unsigned r = 0; r < table->num_rows; r++) {
    json_object *row = json_object_new_object();
    json_object_object_add(row, table->rows_name, pmuv3_json_text(table->rows[r]));
    for (unsigned c = 0; c < table->num_columns; c++) {
      const double value = *explore_cell(table, r, c);
      json_object_object_add(row, table->columns[c],
                             isfinite(value) ? json_object_new_double(value) : NULL);
    }
    json_object_array_add(rows, row);
  }
  if (table->note[0]) {
    json_object *note = json_object_new_object();
    json_object_object_add(note, "note", pmuv3_json_text(table->note));
    json_object_array_add(rows, note);
  }
  const char *text = json_object_to_json_string_ext(rows, JSON_C_TO_STRING_PRETTY);
  const bool done = fputs(text, out) >= 0 && putc('\n', out) == '\n';
  json_object_put(rows);
  return done;
}
