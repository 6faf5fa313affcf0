/* The parameters of the core model (core_params.def), and files of them. */
#ifndef PMUV3_TRACE_CORE_PARAMS_H
#define PMUV3_TRACE_CORE_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct core_params {
#define CORE_PARAM(name, default, least, most, text) uint32_t name;
#include "testbench/explore/tracer/core_params.def"
#undef CORE_PARAM
};

struct core_params core_params_default(void);

/*
 * Reads a file of parameters. On bad input returns false and writes one line "FILE:LINE: what is
 * wrong" to error, without a newline.
 */
bool core_params_read(struct core_params *params, FILE *in, const char *name, char *error,
                      size_t error_size);

/* Sets NAME=VALUE, which is cut in place, and notes it in `seen`, a bit for each parameter: none is
 * given twice. Returns NULL, or in words what is wrong; the words last until the next call. */
const char *core_params_set(struct core_params *params, uint64_t *seen, char *setting);

/* Those that were seen take the place of others. */
void core_params_override(struct core_params *params, const struct core_params *given,
                          uint64_t seen);

/* Why the parameters do not fit together, in words. NULL: they do. */
const char *core_params_wrong(const struct core_params *params);

/* Writes "NAME=VALUE" of each parameter, with `between` after each. */
void core_params_write(FILE *out, const struct core_params *params, const char *between);

/* The table of docs/reference/core_model.md. */
void core_params_table(FILE *out);

#endif
