/* Files of `pmuv3 shrink`. */
#ifndef PMUV3_FILES_H
#define PMUV3_FILES_H

#include "testbench/cosim/cli/file.h"
#include "testbench/cosim/shrink/shrink.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The contents of a file (pmuv3_file_open), which the caller frees. NULL: `why` is the reason in
 * words. Sets `size` unless it is NULL: the contents may have NUL bytes. */
char *pmuv3_shrink_read(const char *path, size_t *size, const char **why);

/* Writes the file, and replaces only a file of this kind. Returns NULL, or the error in words. */
const char *pmuv3_shrink_save(const struct pmuv3_shrunk *shrunk, const char *path,
                              enum pmuv3_file_kind kind);

/* The same with a GoogleTest that fails as long as the sides differ on the file. NULL: no test. */
const char *pmuv3_shrink_save_test(const struct pmuv3_shrunk *shrunk, const char *test,
                                   enum pmuv3_file_kind kind, uint32_t x_seed);

#ifdef __cplusplus
}
#endif

#endif
