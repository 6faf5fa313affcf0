/* The trace: a CSV row for every cycle, thread and event counter (docs/reference/formats.md). */
#ifndef PMUV3_TRACE_H
#define PMUV3_TRACE_H

#include <stdio.h>

#include "pmuv3/cycle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Begins a trace. */
void pmuv3_trace_head(FILE *out);

/* Adds the rows of a thread's `counters` event counters in a cycle. */
void pmuv3_trace_rows(FILE *out, uint64_t cycle, unsigned thread, const struct pmuv3_probe *probe,
                      unsigned counters);

#ifdef __cplusplus
}
#endif

#endif
