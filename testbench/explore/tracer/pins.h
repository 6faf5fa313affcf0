/* Pins files: which signals of a wave are a core's events and states
 * (docs/reference/trace.md). */
#ifndef PMUV3_TRACE_PINS_H
#define PMUV3_TRACE_PINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "testbench/explore/tracer/fields.h"

/* A field's value is that of some bits of a signal, or the number of these bits that are 1. */
struct pin {
  char *signal; /* its path, as the file has it */
  uint32_t line;
  unsigned field;
  bool is_ones;
};

struct pins {
  char *clock;
  uint32_t clock_line;
  struct pin of[TRACE_MAX_FIELDS]; /* of each field */
  unsigned count;
};

/* Reads a pins file, and adds its fields. On bad input returns false and writes one line
 * "FILE:LINE: what is wrong" to error, without a newline. */
bool pins_read(struct pins *pins, struct trace_fields *fields, FILE *in, const char *name,
               char *error, size_t error_size);
void pins_free(struct pins *pins);

#endif
