/*
 * What is proved, by the digest of the question: for those who ask it again, in
 * this process or another. Processes that are forked from one share it.
 */
#ifndef ENGINE_CACHE_PROOF_CACHE_H
#define ENGINE_CACHE_PROOF_CACHE_H

#include "engine/cache/digest.h"

#ifdef __cplusplus
extern "C" {
#endif

struct proof_cache;

/* In a file, which is made if there is none. NULL: of this process and its children alone, or it
 * goes wrong, with a line on stderr, which a file that is no proof cache does. */
struct proof_cache *proof_cache_open(const char *file);
void proof_cache_close(struct proof_cache *cache);

bool proof_cache_has(struct proof_cache *cache, struct digest digest);
void proof_cache_add(struct proof_cache *cache, struct digest digest);

#ifdef __cplusplus
}
#endif

#endif
