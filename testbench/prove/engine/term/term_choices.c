/* Terms that are chosen: ITE, and what is known under a condition. */
#include "engine/term/term_internal.h"

/* --- What is known ---------------------------------------------------------------------------- */

enum knowledge { UNKNOWN, IS_TRUE, IS_FALSE };

/* They are equal to different constants. */
static bool excludes(term a, term b) {
  return is_op(a, TERM_EQ) && is_op(b, TERM_EQ) && arg_of(a, 0) == arg_of(b, 0) &&
         is_const(arg_of(a, 1)) && is_const(arg_of(b, 1)) && a != b;
}

/* Of a leaf itself. */
static enum knowledge knows(const struct leaves *known, term a) {
  const term inner = stripped(a);
  for (size_t i = 0; i < known->count; i++) {
    const term leaf = known->items[i];
    if (leaf == a) return IS_TRUE;
    if (stripped(leaf) == inner) return IS_FALSE;
    if (excludes(leaf, inner)) return a == inner ? IS_FALSE : IS_TRUE;
  }
  return UNKNOWN;
}

static bool is_within(term a, const struct leaves *leaves) {
  for (size_t i = 0; i < leaves->count; i++)
    if (leaves->items[i] == a) return true;
  return false;
}

/* One of those that are known says that not all of these are true. */
static bool are_refuted(const struct leaves *known, const struct leaves *leaves) {
  struct leaves inner;
  for (size_t i = 0; i < known->count; i++) {
    const term a = stripped(known->items[i]);
    if (a == known->items[i] || !is_op(a, TERM_AND)) continue;
    inner.count = 0;
    if (!leaves_add(&inner, TERM_AND, a) || inner.count > leaves->count) continue;
    size_t n = 0;
    while (n < inner.count && is_within(inner.items[n], leaves)) n++;
    if (n == inner.count) return true;
  }
  return false;
}

static term assume_and(const struct leaves *known, term a) {
  struct leaves leaves = {.count = 0};
  const uint32_t width = width_of(a);
  if (!leaves_add(&leaves, TERM_AND, a)) return a;
  if (are_refuted(known, &leaves)) return term_zero(width);
  size_t count = 0;
  for (size_t i = 0; i < leaves.count; i++) {
    const enum knowledge knowledge = knows(known, leaves.items[i]);
    if (knowledge == IS_FALSE) return term_zero(width);
    if (knowledge == UNKNOWN) leaves.items[count++] = leaves.items[i];
  }
  if (count == leaves.count) return a;
  if (count == 0) return term_ones(width);
  return leaves_join(TERM_AND, width, leaves.items, count);
}

static term assume_xor(const struct leaves *known, term a) {
  struct leaves leaves = {.count = 0};
  const uint32_t width = width_of(a);
  if (!leaves_add(&leaves, TERM_XOR, a)) return a;
  size_t count = 0;
  bool negated = false;
  for (size_t i = 0; i < leaves.count; i++) {
    const enum knowledge knowledge = knows(known, leaves.items[i]);
    negated ^= knowledge == IS_TRUE;
    if (knowledge == UNKNOWN) leaves.items[count++] = leaves.items[i];
  }
  if (count == leaves.count) return a;
  const term rest =
      count == 0 ? term_zero(width) : leaves_join(TERM_XOR, width, leaves.items, count);
  return negated ? term_not(rest) : rest;
}

static term assume_inner(const struct leaves *known, term a) {
  if (is_op(a, TERM_AND)) return assume_and(known, a);
  if (is_op(a, TERM_XOR)) return assume_xor(known, a);
  if (!is_op(a, TERM_ITE) || width_of(a) > 1) return a;
  const enum knowledge knowledge = knows(known, arg_of(a, 0));
  return knowledge == UNKNOWN ? a : arg_of(a, knowledge == IS_TRUE ? 1 : 2);
}

term term_assume(const struct leaves *known, term a) {
  const enum knowledge knowledge = knows(known, a);
  if (knowledge == IS_TRUE) return term_ones(width_of(a));
  if (knowledge == IS_FALSE) return term_zero(width_of(a));
  const term inner = stripped(a), assumed = assume_inner(known, inner);
  if (assumed == inner) return a;
  return inner == a ? assumed : term_not(assumed);
}

/* --- Branches --------------------------------------------------------------------------------- */

/* Of what chooses again, what is left under a condition. */
static term branch_where(const struct leaves *known, term a) {
  for (;;) {
    const term choice = stripped(a);
    if (!is_op(choice, TERM_ITE)) return a;
    const term condition = term_assume(known, arg_of(choice, 0));
    if (condition == arg_of(choice, 0)) return a;
    const term rest = term_ite(condition, arg_of(choice, 1), arg_of(choice, 2));
    a = choice == a ? rest : term_not(rest);
  }
}

static term branch_if(term condition, term a) {
  struct leaves known;
  if (width_of(a) > 1 && !is_op(stripped(a), TERM_ITE)) return a;
  leaves_of(&known, TERM_AND, condition);
  return width_of(a) == 1 ? term_assume(&known, a) : branch_where(&known, a);
}

/* c ? (d ? x : y) : (e ? x : y) is (c ? d : e) ? x : y. */
static bool share_branches(term c, term a, term b, term *result) {
  if (!is_op(a, TERM_ITE) || !is_op(b, TERM_ITE)) return false;
  const term x = arg_of(a, 1), y = arg_of(a, 2);
  term e = arg_of(b, 0);
  if (arg_of(b, 1) == y && arg_of(b, 2) == x)
    e = term_not(e);
  else if (arg_of(b, 1) != x || arg_of(b, 2) != y)
    return false;
  *result = term_ite(term_ite(c, arg_of(a, 0), e), x, y);
  return true;
}

/* c ? (d ? x : y) : y is c & d ? x : y, and so on. */
static bool share_branch(term c, term a, term b, term *result) {
  if (is_op(a, TERM_ITE)) {
    const term d = arg_of(a, 0), x = arg_of(a, 1), y = arg_of(a, 2);
    if (y == b) *result = term_ite(term_and(c, d), x, b);
    if (x == b) *result = term_ite(term_and(c, term_not(d)), y, b);
    if (x == b || y == b) return true;
  }
  if (!is_op(b, TERM_ITE)) return false;
  const term d = arg_of(b, 0), x = arg_of(b, 1), y = arg_of(b, 2);
  if (x == a) *result = term_ite(term_or(c, d), a, y);
  if (y == a) *result = term_ite(term_or(c, term_not(d)), a, x);
  return x == a || y == a;
}

/* The first branch that is not constant is no NOT. */
static bool is_negated(term a, term b) {
  return is_op(a, TERM_NOT) || (is_const(a) && is_op(b, TERM_NOT));
}

static term ite_raw(term c, term a, term b) {
  term result;
  if (is_negated(a, b)) return term_not(term_ite(c, term_not(a), term_not(b)));
  if (share_branches(c, a, b, &result) || share_branch(c, a, b, &result)) return result;
  return term_raw(TERM_ITE, width_of(a), 0, c, a, b);
}

/* --- Of 1 bit --------------------------------------------------------------------------------- */

static term ite_bit(term c, term a, term b) {
  if (is_const(a)) return term_is_true(a) ? term_or(c, b) : term_and(term_not(c), b);
  if (is_const(b)) return term_is_true(b) ? term_or(term_not(c), a) : term_and(c, a);
  if (stripped(a) == stripped(b)) return term_not(term_xor(c, a));
  return ite_raw(c, a, b);
}

/* --- Of several bits -------------------------------------------------------------------------- */

/* Bits that are the same on top and below are not chosen. */
static term ite_const(term c, term a, term b) {
  const uint32_t width = width_of(a);
  uint32_t high = width, low = 0;
  while (const_bit(a, high - 1) == const_bit(b, high - 1)) high--;
  while (const_bit(a, low) == const_bit(b, low)) low++;
  const uint32_t inner = high - low;
  if (inner == width) return term_raw(TERM_ITE, width, 0, c, a, b);
  term all = term_ite(c, term_extract(a, low, inner), term_extract(b, low, inner));
  if (low > 0) all = term_concat(all, term_extract(a, 0, low));
  if (high < width) all = term_concat(term_extract(a, high, width - high), all);
  return all;
}

static term ite_pieces(term c, term a, term b) {
  struct cuts cuts;
  cuts_of(&cuts, (const term[]){a, b}, 2, false);
  term all = TERM_NONE;
  uint32_t low = 0;
  for (size_t i = 0; i < cuts.count; i++) {
    const uint32_t width = cuts.ends[i] - low;
    const term piece = term_ite(c, term_extract(a, low, width), term_extract(b, low, width));
    all = all ? term_concat(piece, all) : piece;
    low = cuts.ends[i];
  }
  cuts_free(&cuts);
  return all;
}

static term ite_word(term c, term a, term b) {
  term sum;
  if (share_sum(c, a, b, &sum)) return sum;
  if (is_concat(a) || is_concat(b)) return ite_pieces(c, a, b);
  if (is_const(a) && is_const(b)) return ite_const(c, a, b);
  return ite_raw(c, a, b);
}

static term ite_terms(term c, term a, term b) {
  const term x = branch_if(c, a), y = branch_if(term_not(c), b);
  if (x != a || y != b) return term_ite(c, x, y);
  return width_of(a) == 1 ? ite_bit(c, a, b) : ite_word(c, a, b);
}

term term_ite(term c, term a, term b) {
  const uint32_t width = width_of(a);
  term_check(width_of(c) == 1, "condition", c, a);
  term_check(width == width_of(b), "ite", a, b);
  if (a == b) return a;
  if (is_const(c)) return term_is_true(c) ? a : b;
  if (is_op(c, TERM_NOT)) return term_ite(arg_of(c, 0), b, a);
  const struct kept *kept = kept_at(TERM_ITE, c, a, b);
  if (is_kept(kept, TERM_ITE, c, a, b)) return kept->result;
  return keep(TERM_ITE, c, a, b, ite_terms(c, a, b));
}

bool as_choice(term a, term *condition, term *k1, term *k0) {
  if (is_const(a)) return false;
  if (width_of(a) == 1) {
    *condition = stripped(a);
    *k1 = term_const(1, stripped(a) == a);
    *k0 = term_const(1, stripped(a) != a);
    return true;
  }
  if (!is_op(a, TERM_ITE) || !is_const(arg_of(a, 1)) || !is_const(arg_of(a, 2))) return false;
  *condition = arg_of(a, 0);
  *k1 = arg_of(a, 1);
  *k0 = arg_of(a, 2);
  return true;
}
