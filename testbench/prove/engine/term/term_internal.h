/*
 * Terms, for the files that make and simplify them.
 *
 *   term.c           the nodes, made once each
 *   term_words.c     operations on values
 *   term_values.c    values of terms under an assignment
 *   term_map.c       walks and replacements
 *   term_lists.c     lists of leaves and of parts
 *   term_bits.c      not, and, or, xor
 *   term_choices.c   ite, and what is known under a condition
 *   term_slices.c    concat, extract
 *   term_compare.c   eq, ult, slt
 *   term_sums.c      add, mul, udiv, urem, shifts
 *   term_tasks.c     what goes deep, without deep recursion
 *
 * The simplest form:
 * - There is no OR and no SLT of what is known to be positive: they are written
 *   with NOT and AND, and with ULT. The condition of an ITE is no NOT, and
 *   neither is its first branch that is not constant.
 * - Bits stay apart: what works bit by bit (NOT, AND, XOR, ITE, EQ) on a CONCAT,
 *   or with a mask, becomes a CONCAT of its parts; EXTRACT goes through it.
 *   Parts that fit together again are put together.
 * - A CONCAT is a list of parts, that on top first: its args[0] is no CONCAT.
 * - AND, XOR and ADD are lists of leaves in order, the last one in args[1].
 * - A number is as wide as it needs, the rest is a CONCAT with zeros.
 */
#ifndef ENGINE_TERM_TERM_INTERNAL_H
#define ENGINE_TERM_TERM_INTERNAL_H

#include "engine/term/term.h"

/* --- Nodes ------------------------------------------------------------------------------------ */

/* Beside each node: of a CONST of at most 64 bits its value, of a wider one its words, of a VAR its
 * name, of anything else of at most 64 bits what it is at most. */
union term_extra {
  uint64_t value;
  const uint64_t *words;
  const char *name;
};

enum { TERM_PAGE_BITS = 16, TERM_PAGE_SIZE = 1 << TERM_PAGE_BITS };

struct term_page {
  struct term_node nodes[TERM_PAGE_SIZE];
  union term_extra extras[TERM_PAGE_SIZE];
};
extern struct term_page *term_pages[TERM_PAGE_SIZE];

/* flags: an ITE whose leaves are all constant */
enum { TERM_IS_TABLE = 1 };

static inline struct term_node *term_at(term a) {
  return &term_pages[a >> TERM_PAGE_BITS]->nodes[a & (TERM_PAGE_SIZE - 1)];
}
static inline union term_extra *term_extra_at(term a) {
  return &term_pages[a >> TERM_PAGE_BITS]->extras[a & (TERM_PAGE_SIZE - 1)];
}
static inline enum term_op op_of(term a) {
  return (enum term_op)term_at(a)->op;
}
static inline uint32_t width_of(term a) {
  return term_at(a)->width;
}
static inline term arg_of(term a, unsigned n) {
  return term_at(a)->args[n];
}
static inline bool is_op(term a, enum term_op op) {
  return op_of(a) == op;
}
static inline bool is_const(term a) {
  return is_op(a, TERM_CONST);
}
static inline bool is_concat(term a) {
  return is_op(a, TERM_CONCAT);
}
/* Without the NOT in front of it. */
static inline term stripped(term a) {
  return is_op(a, TERM_NOT) ? arg_of(a, 0) : a;
}

/* Widths are checked where terms are made: a line on stderr and exit status 2. */
void term_check(bool fits, const char *operation, term a, term b);
_Noreturn void term_unusable(const char *what);
void *term_allocate(void *old, size_t size);

/* The node as it is, made once. */
term term_raw(enum term_op op, uint32_t width, uint32_t low, term a, term b, term c);
/* The value of an operation on constants. */
term term_folded(enum term_op op, uint32_t width, uint32_t low, term a, term b, term c);
bool const_is_zero(term a);
bool const_is_ones(term a);
bool const_bit(term a, uint32_t bit);
term term_zero(uint32_t width);
term term_ones(uint32_t width);
/* What is in it at most, of at most 64 bits. */
uint64_t width_mask(uint32_t width);
/* Its bits that may be other than the zeros on top. */
uint32_t term_size(term a);

/* --- Lists ------------------------------------------------------------------------------------ */

enum { MAX_LEAVES = 640 };

struct leaves {
  size_t count;
  term items[2 * MAX_LEAVES];
};

/* Adds the leaves of a list of this operation; false: they are too many. */
bool leaves_add(struct leaves *leaves, enum term_op op, term a);
/* The leaves of one, or just itself if they are too many. */
void leaves_of(struct leaves *leaves, enum term_op op, term a);
void leaves_remove(struct leaves *leaves, size_t n);
void leaves_sort(struct leaves *leaves);
/* The list of leaves as they are, in order. */
term leaves_join(enum term_op op, uint32_t width, const term *items, size_t count);

/* Terms of the same width cut into pieces that are within one part of each of them: where the
 * pieces end. With masks, constants are cut where their bits change. */
struct cuts {
  size_t count, capacity;
  uint32_t *ends;
  uint32_t few[32];
};
void cuts_of(struct cuts *cuts, const term *terms, size_t num_terms, bool with_masks);
void cuts_free(struct cuts *cuts);

/* --- Simplification --------------------------------------------------------------------------- */

/* The node's operation with other arguments: an operation, no variable and no constant. */
term term_again(const struct term_node *node, const term args[3]);
/* A term where these of the same width, bit by bit, are known to be true. */
term term_assume(const struct leaves *known, term a);
/* The AND of any number of conditions. */
term term_and_all(term *items, size_t count);
/* An ITE of two constants, or a condition itself: true where it has k1, else k0. */
bool as_choice(term a, term *condition, term *k1, term *k0);

/* c ? a : b, where one is the other and something more: added. */
bool share_sum(term c, term a, term b, term *result);

/* --- Tasks ------------------------------------------------------------------------------------ */

enum task_kind { TASK_NONE, TASK_EXTRACT, TASK_MERGE, TASK_EQ, TASK_ULT };

struct task {
  enum task_kind kind;
  uint32_t x, y, z;
};

term task_solve(struct task task);
/* The result of a part of what is being solved. False: it is not known yet, and will be solved
 * first. */
bool task_need(struct task task, term *result);

/* Each of them solves one: false, if it needs something first. */
bool solve_extract(const struct task *task, term *result);
bool solve_merge(const struct task *task, term *result);
bool solve_compare(const struct task *task, term *result);

/* --- Results kept ----------------------------------------------------------------------------- */

/* What an operation became, if it was asked for not long ago. */
struct kept {
  uint32_t op;
  term args[3], result;
};
/* Where it is kept: with another operation or arguments, it is not. */
struct kept *kept_at(enum term_op op, term a, term b, term c);
static inline bool is_kept(const struct kept *kept, enum term_op op, term a, term b, term c) {
  return kept->result && kept->op == (uint32_t)op && kept->args[0] == a && kept->args[1] == b &&
         kept->args[2] == c;
}
term keep(enum term_op op, term a, term b, term c, term result);

/* --- Values ----------------------------------------------------------------------------------- */

static inline size_t words_of(uint32_t width) {
  return (width + 63) / 64;
}
/* The value of a node, from those of its arguments, whose widths it takes from them. */
void term_evaluate(const struct term_node *node, const uint64_t *const args[3], uint64_t *out);

#endif
