/* `pmuv3 trace --from`: a trace of what another simulator wrote (docs/reference/trace.md). */
#ifndef PMUV3_TRACE_CONVERT_H
#define PMUV3_TRACE_CONVERT_H

#include <stdio.h>

/* Writes the trace of a CSV or, with a pins file, of a VCD or FST to `out`. If that fails, the
 * program ends with a message. */
void convert(const char *from, const char *pins, const char *generator, FILE *out);

#endif
