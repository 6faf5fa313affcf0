/* Shrinking of files. */
#ifndef PMUV3_FILES_H
#define PMUV3_FILES_H

#include "testbench/cosim/shrink/shrink.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All of a file, which the caller frees; NULL with errno. `size` is set, unless it is NULL: there
 * may be NUL bytes in it. */
char *pmuv3_shrink_read(const char *path, size_t *size);

/*
 * Writes the file and, if its path is not NULL, a GoogleTest that fails as long
 * as the sides differ on it. NULL, or in words why it cannot.
 */
const char *pmuv3_shrink_save(const struct pmuv3_shrunk *shrunk, const char *path, const char *test,
                              uint32_t x_seed);

#ifdef __cplusplus
}
#endif

#endif
