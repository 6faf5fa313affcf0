/* Writes the core model's columns as a .pmt. A thread of its own compresses. */
#ifndef PMUV3_TRACE_RECORDER_H
#define PMUV3_TRACE_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "testbench/explore/pmt/pmt.h"
#include "testbench/explore/tracer/columns.h"

struct recorder;

/* Called if the trace cannot be written. It does not return. */
typedef void recorder_failed(const char *why);

/* Begins to write columns; `chosen` says which, in the order of the trace. The program is in EL0.
 * NULL: there is no memory, or no thread. */
struct recorder *recorder_begin(struct pmt_writer *writer, const uint8_t *chosen, unsigned count,
                                recorder_failed *failed);

/* The sink of the core model. `context` is a recorder. */
columns_sink recorder_take;

/* Waits until all is written. The recorder is freed. */
void recorder_end(struct recorder *recorder);

/* The event of a column, as a column of a trace. */
struct pmt_column recorder_column(enum trace_column column);

#endif
