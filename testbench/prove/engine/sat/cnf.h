/*
 * Gates as clauses (CNF). A literal is the number of a variable, or its negation. Equal gates are
 * made once; each gate's output is a literal that propagation alone decides from its inputs.
 */
#ifndef ENGINE_SAT_CNF_H
#define ENGINE_SAT_CNF_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LITERAL_TRUE = 1, LITERAL_FALSE = -1 };

struct cnf;
struct cnf *cnf_new(void);
void cnf_free(struct cnf *cnf);

int cnf_variable(struct cnf *cnf);
void cnf_add(struct cnf *cnf, const int *literals, size_t count);

int cnf_and(struct cnf *cnf, int a, int b);
int cnf_or(struct cnf *cnf, int a, int b);
int cnf_xor(struct cnf *cnf, int a, int b);
int cnf_ite(struct cnf *cnf, int condition, int a, int b);
int cnf_majority(struct cnf *cnf, int a, int b, int c);
int cnf_and_all(struct cnf *cnf, const int *literals, size_t count);

/* All clauses so far, each ended by a 0. Valid until the next is added. */
const int *cnf_clauses(const struct cnf *cnf, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
