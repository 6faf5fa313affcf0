/*
 * Comparisons with constants, from which conditions are made: what is left of a
 * condition when terms are simplified need not show it any more.
 */
#ifndef ENGINE_SYMEX_COMPARE_H
#define ENGINE_SYMEX_COMPARE_H

#include "engine/term/term.h"

struct comparison {
  enum term_op op; /* EQ, ULT, SLT */
  uint32_t width;
  term what; /* without zeros on top */
  uint64_t with;
  bool with_is_first;
};

/* Keeps that a condition is this comparison. */
void compare_note(term condition, enum term_op op, term a, term b);

/* False: it is none. */
bool compare_of(term condition, struct comparison *comparison);

bool compare_holds(const struct comparison *comparison, uint64_t value);

#endif
