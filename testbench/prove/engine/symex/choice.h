/*
 * The values that a term can have, as a graph of decisions with the values at
 * its leaves: what an address or an index can be, when that is not known. Equal
 * choices are the same choice; they stay for as long as the process.
 */
#ifndef ENGINE_SYMEX_CHOICE_H
#define ENGINE_SYMEX_CHOICE_H

#include "engine/term/term.h"

typedef uint32_t choice;
#define CHOICE_NONE 0u

struct choice_node {
  term condition; /* TERM_NONE: a leaf */
  choice if_true;
  choice if_false;
  uint64_t value; /* of a leaf */
};

/* Of a term of at most 64 bits. CHOICE_NONE: there are too many to list. */
choice choice_of(term a);
const struct choice_node *choice_node(choice a); /* valid until the next choice is made */

/*
 * What a term can be is seen where it is made, of others that are seen: not all
 * of it can be told later from the term, when that is simplified. Constants are
 * seen. Each of these is of a term that was made of others that way.
 */
void choice_see(term result, enum term_op op, uint32_t low, term a, term b);
void choice_see_ite(term result, term condition, term a, term b);
void choice_see_same(term result, term a); /* of the same value, maybe in another width */
void choice_see_loaded(term result, term address, choice values);

/* CHOICE_NONE: it is not seen. */
choice choice_seen(term a);
choice choice_leaf(uint64_t value);
/* CHOICE_NONE: too many. */
choice choice_ite(term condition, choice if_true, choice if_false);

/* A comparison of two terms, if it has the same answer for all that they can be; or made of the
 * conditions that decide what they are, if these do. TERM_NONE: neither. */
term choice_compare(enum term_op op, term a, term b);

/* Nodes of a choice, arguments first, into an array that stays valid until the next call. */
size_t choice_walk(choice a, const choice **nodes);

#endif
