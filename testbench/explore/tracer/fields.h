/*
 * The rows of a trace that others give: what their columns are, and what each holds. CSV files and
 * pins files name events and states alike (docs/reference/trace.md).
 */
#ifndef PMUV3_TRACE_FIELDS_H
#define PMUV3_TRACE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "testbench/explore/pmt/pmt.h"

enum { TRACE_MAX_FIELDS = 1024 };

/* An event's count, or a member of a thread's state. */
struct trace_field {
  enum { TRACE_EVENT, TRACE_STATE } kind;
  unsigned most;   /* its largest value */
  unsigned column; /* of events: of the trace */
  unsigned thread; /* of states */
  size_t offset;   /* of states: of its byte in struct pmuv3_pe */
};

struct trace_fields {
  struct trace_field of[TRACE_MAX_FIELDS];
  unsigned count;
  struct pmt_column columns[PMT_MAX_COLUMNS];
  unsigned num_columns;
  unsigned threads;
  struct pmt_writer *writer; /* NULL: it has not begun */
  /* The row that grows. */
  uint8_t counts[PMT_MAX_COLUMNS];
  struct pmuv3_pe states[PMUV3_MAX_THREADS];
  bool is_changed[PMUV3_MAX_THREADS];
  char wrong[256];
};

/* NULL: out of memory. */
struct trace_fields *trace_fields_new(void);

/* Ends a trace that has begun, too. */
void trace_fields_free(struct trace_fields *fields);

/*
 * The functions below return NULL, or in words what is wrong; the words last until the next call.
 */

/* Adds "EVENT" or "STATE", perhaps with "@THREAD" and "/unattr" behind. The name is cut in place.
 */
const char *trace_fields_add(struct trace_fields *fields, char *name);

/* Begins the trace. There are no fields more. */
const char *trace_fields_begin(struct trace_fields *fields, FILE *out, const char *generator,
                               const char *command);

/* In the row that grows. States stay from row to row, counts do not. */
const char *trace_fields_put(struct trace_fields *fields, unsigned field, uint64_t value);

/* The row is whole, and holds for some cycles. */
const char *trace_fields_row(struct trace_fields *fields, uint64_t cycles);

/* The trace is whole. */
const char *trace_fields_end(struct trace_fields *fields);

/* Decimal, or hexadecimal with 0x. False: the text is no such number. */
bool trace_read_number(const char *text, uint64_t most, uint64_t *number);

#endif
