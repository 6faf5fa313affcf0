/*
 * What is proved, by the digest of the question: for those who ask it again, in
 * this process or another. Processes that are forked from one share it.
 */
#ifndef PMUV3_PROVE_LIBRARY_H
#define PMUV3_PROVE_LIBRARY_H

#include "testbench/prove/engine/cache/digest.h"

#ifdef __cplusplus
extern "C" {
#endif

struct library;

/* In a file, which is made if there is none. NULL: of this process and its children alone, or it
 * goes wrong, with a line on stderr, which a file that is no library does. */
struct library *library_open(const char *file);
void library_close(struct library *library);

bool library_has(struct library *library, struct digest digest);
void library_add(struct library *library, struct digest digest);

#ifdef __cplusplus
}
#endif

#endif
