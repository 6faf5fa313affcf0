/* Makes a trace of a CSV file (docs/reference/trace.md). */
#ifndef PMUV3_TRACE_CSV_H
#define PMUV3_TRACE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Reads all of `in`, and writes a trace to `out`. `name` is that of the file. False: `error` has
 * one line "NAME:LINE: what is wrong", or what is wrong with the output, and the trace is not
 * whole.
 */
bool csv_convert(FILE *in, const char *name, FILE *out, const char *generator, const char *command,
                 char *error, size_t error_size);

#endif
