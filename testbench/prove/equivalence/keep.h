/* Queries as files, for whoever asks for them (--keep). */
#ifndef PMUV3_PROVE_KEEP_H
#define PMUV3_PROVE_KEEP_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the queries belong to. Cases and sizes ask questions of the same names. */
struct keep_place {
  const char *folder, *size;
  const char *of; /* the case, or the place of non-interference */
};

/* A solver_keep: writes FOLDER/SIZE/OF/NAME.smt2, and makes the folders. `with` is the keep_place.
 * What a file's name cannot have is replaced so that different names stay different. A query that
 * has the name of another one becomes NAME-2.smt2. */
bool keep_query(const char *name, const char *text, size_t size, void *with);

#ifdef __cplusplus
}
#endif

#endif
