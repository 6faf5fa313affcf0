/*
 * CaDiCaL, which keeps the proof of what it says. Clauses may be added after an answer; what it has
 * learned stays.
 */
#ifndef ENGINE_SAT_CADICAL_H
#define ENGINE_SAT_CADICAL_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cadical;
struct cadical *cadical_new(void);
void cadical_free(struct cadical *cadical);

/* Of a clause, which 0 ends. */
void cadical_add(struct cadical *cadical, int literal);

/* Whether the clauses can be true where the literal is. */
bool cadical_can_be_true(struct cadical *cadical, int literal);

/* After they can. */
bool cadical_value(struct cadical *cadical, int variable);

/* The proof in binary DRAT since this was called last. Valid until the next call of any of these.
 */
const unsigned char *cadical_proof(struct cadical *cadical, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
