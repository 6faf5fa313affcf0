/* Queries as files, for whoever asks for them (--keep). */
#ifndef PMUV3_PROVE_KEEP_H
#define PMUV3_PROVE_KEEP_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A solver_keep: writes DIR/NAME.smt2 and makes the directory, whose path is `with`. What a file's
 * name cannot have is replaced so that different names stay different. */
bool keep_in_directory(const char *name, const char *text, size_t size, void *with);

#ifdef __cplusplus
}
#endif

#endif
