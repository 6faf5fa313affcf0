/*
 * Presets of cores: files of `param` lines (docs/reference/formats.md).
 */
#ifndef PMUV3_CORE_H
#define PMUV3_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "pmuv3/params.h"
#include "testbench/cosim/stimulus/lex.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The folder of the presets: the one that the environment variable PMUV3_CORES names; without it
 * share/pmuv3/cores or cmodel/cores in the nearest folder above this library or this program. "":
 * there is none.
 */
const char *pmuv3_cores_folder(void);

/* The names of the presets in order, with a NULL behind the last. NULL: out of memory. */
char **pmuv3_core_names(void);
void pmuv3_core_names_free(char **names);

/*
 * The path of a preset. `value` is a name, or a path, which has a slash. A relative path is beside
 * the file `beside`. Returns NULL, or says in words what is wrong, until the thread's next call.
 */
const char *pmuv3_core_path(char *path, size_t size, const char *value, const char *beside);

/*
 * Reads a preset: the parameters of a core, to be completed once others have overridden them. On
 * bad input returns false and writes one line "FILE:LINE: what is wrong and what was expected" (no
 * newline) to error; *params is unchanged then.
 */
bool pmuv3_core_read(struct pmuv3_params *params, FILE *in, const char *name, char *error,
                     size_t error_size);

/* Likewise the preset that the current line of a file names: `core=VALUE`. */
bool pmuv3_core_read_value(struct pmuv3_params *params, const char *value, struct pmuv3_lex *lex);

/* Likewise the preset that a command line or a configuration names. Returns NULL, or says in words
 * what is wrong, until the thread's next call. */
const char *pmuv3_core_set(struct pmuv3_params *params, const char *value);

#ifdef __cplusplus
}
#endif

#endif
