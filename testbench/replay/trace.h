/* The trace: a CSV row for every cycle, thread and event counter (docs/reference/formats.md). */
#ifndef PMUV3_TRACE_H
#define PMUV3_TRACE_H

#include <stdbool.h>

#include "pmuv3/cycle.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_trace;

/*
 * Begins a trace that will be at `path`. Until pmuv3_trace_close it grows
 * under a temporary name beside it, so `path` never holds half a trace; only a
 * device or pipe is written directly. NULL, with errno, when that fails.
 */
struct pmuv3_trace *pmuv3_trace_open(const char *path);

/* Adds the rows of a thread's `counters` event counters in a cycle. */
void pmuv3_trace_rows(struct pmuv3_trace *trace, uint64_t cycle, unsigned thread,
                      const struct pmuv3_probe *probe, unsigned counters);

/* Completes and frees the trace. False, with errno and nothing at `path`, when it could not all be
 * written. */
bool pmuv3_trace_close(struct pmuv3_trace *trace);

/* Drops and frees the trace, leaving `path` as it was. NULL is allowed. */
void pmuv3_trace_discard(struct pmuv3_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
