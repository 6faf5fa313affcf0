/* Tables of numbers: as text, as CSV, as JSON. */
#ifndef EXPLORE_TABLE_H
#define EXPLORE_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "testbench/explore/command/config.h"

struct explore_table {
  const char *rows_name; /* of what the rows are */
  unsigned num_columns, num_rows;
  char (*columns)[EXPLORE_NAME_SIZE]; /* names */
  char (*rows)[EXPLORE_NAME_SIZE];    /* names */
  double *values; /* row r, column c: values[r * num_columns + c]; NAN: there is none */
  unsigned decimals;
  char note[EXPLORE_NAME_SIZE]; /* what the table does not show; empty: nothing */
};

/* A table of NANs. Out of memory ends the program. */
struct explore_table explore_table_new(const char *rows_name, unsigned num_rows,
                                       unsigned num_columns, unsigned decimals);
void explore_table_free(struct explore_table *table);

/* Names a row or a column, or writes the note; a long name is cut. */
__attribute__((format(printf, 2, 3))) void explore_table_name(char name[EXPLORE_NAME_SIZE],
                                                              const char *format, ...);

static inline double *explore_cell(const struct explore_table *table, unsigned row,
                                   unsigned column) {
  return &table->values[(size_t)row * table->num_columns + column];
}

/* The note is a last line of the text, and a last element of the JSON array. CSV has none. */
void explore_table_print(FILE *out, const struct explore_table *table);
bool explore_table_csv(FILE *out, const void *table);
bool explore_table_json(FILE *out, const void *table);

#endif
