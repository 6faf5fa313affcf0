/*
 * Checks proofs: whether each lemma follows from the clauses before it by propagation alone (RUP:
 * reverse unit propagation). It knows nothing of terms, nor of who made the proof.
 *
 * A lemma is checked when it comes, so the clauses are equivalent to those given at all times.
 * Whatever is deleted only makes fewer lemmas follow.
 */
#ifndef ENGINE_SAT_CHECKER_H
#define ENGINE_SAT_CHECKER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Literals are as in DIMACS: a variable's number, or its negation. */
struct checker;
struct checker *checker_new(void);
void checker_free(struct checker *checker);

/* A clause that is given. */
void checker_give(struct checker *checker, const int *literals, size_t count);
/* Whether the clause follows. It is among the clauses then. */
bool checker_lemma(struct checker *checker, const int *literals, size_t count);
/* Forgets one clause of these literals, in any order; if there is none, nothing. */
void checker_delete(struct checker *checker, const int *literals, size_t count);

/* Lemmas and deletions in binary DRAT. False: a lemma does not follow, or this is no proof. */
bool checker_read(struct checker *checker, const unsigned char *proof, size_t size);

/* Lemmas that were checked. */
size_t checker_num_lemmas(const struct checker *checker);

#ifdef __cplusplus
}
#endif

#endif
