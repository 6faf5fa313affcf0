/*
 * Digests of terms: what a term says, in 128 bits, in every process alike. Those
 * of commutative operations do not depend on the order of what they are made of,
 * which terms do: they are in the order in which they were made.
 */
#ifndef ENGINE_CACHE_DIGEST_H
#define ENGINE_CACHE_DIGEST_H

#include "engine/term/term.h"

#ifdef __cplusplus
extern "C" {
#endif

struct digest {
  uint64_t words[2];
};

/* Of SHA-256: terms that are not the same have other digests. */
struct digest digest_term(term a);

/* Takes those of all terms that there are, for processes that will be forked. */
void digest_all(void);

/* Of a condition under assumptions, in any order. */
struct digest digest_question(term condition, const term *assumptions, size_t num_assumptions);

#ifdef __cplusplus
}
#endif

#endif
