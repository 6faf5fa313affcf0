/*
 * Proves conditions with certificates: terms become clauses, CaDiCaL says that they cannot all be
 * true, and the checker says whether its proof holds. What CaDiCaL says is not believed.
 */
#ifndef ENGINE_SAT_SAT_H
#define ENGINE_SAT_SAT_H

#include "engine/term/term.h"

#ifdef __cplusplus
extern "C" {
#endif

enum sat_answer {
  SAT_PROVED,   /* the certificate holds */
  SAT_REFUTED,  /* sat_value has values */
  SAT_REJECTED, /* CaDiCaL says that it is proved, but its certificate does not hold */
};

/* Conditions under the same assumptions, one after the other: each learns from those before. */
struct sat;
struct sat *sat_new(const term *assumptions, size_t num_assumptions);
void sat_free(struct sat *sat);

enum sat_answer sat_ask(struct sat *sat, term condition);

/* As term_values_new asks for it; with is the sat that refuted last. 0 for what was never asked. */
void sat_value(term var, uint64_t *words, void *with);

/* Lemmas that the checker has checked. */
size_t sat_num_lemmas(const struct sat *sat);

#ifdef __cplusplus
}
#endif

#endif
