/* Makes a trace of a wave: a cycle for each rising edge of a clock (docs/reference/trace.md).
 */
#ifndef PMUV3_TRACE_WAVE_H
#define PMUV3_TRACE_WAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "testbench/explore/tracer/pins.h"

/* Names for messages, and what the trace's header says. */
struct wave_names {
  const char *path; /* of the wave */
  const char *wave, *pins, *generator, *command;
};

/*
 * Reads all of `in`, a VCD or FST, closes it, and writes a trace to `out`. A pin has the value
 * before the edge. `skipped` counts the edges at the beginning at which a pin had no value yet.
 * False: `error` has one line, and the trace is not whole. A damaged wave ends the program with a
 * message.
 */
bool wave_convert(FILE *in, FILE *out, const struct wave_names *names, const struct pins *pins,
                  struct trace_fields *fields, uint64_t *skipped, char *error, size_t error_size);

#endif
