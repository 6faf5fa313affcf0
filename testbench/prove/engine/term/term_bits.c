/* Terms, bit by bit: NOT, AND, OR, XOR. */
#include "engine/term/term_internal.h"

static bool is_negation(term a, term b) {
  return a != b && stripped(a) == stripped(b);
}

/* --- In pieces -------------------------------------------------------------------------------- */

static term made(enum term_op op, term a, term b) {
  if (op == TERM_AND) return term_and(a, b);
  return op == TERM_OR ? term_or(a, b) : term_xor(a, b);
}

/* What a mask takes away is not even looked at. */
static bool decides(enum term_op op, term a) {
  if (op == TERM_AND) return const_is_zero(a);
  return op == TERM_OR && const_is_ones(a);
}

static term piece_of(enum term_op op, term a, term b, uint32_t low, uint32_t width) {
  if (is_const(a)) {
    const term mask = term_extract(a, low, width);
    if (decides(op, mask)) return mask;
  }
  if (is_const(b)) {
    const term mask = term_extract(b, low, width);
    if (decides(op, mask)) return mask;
  }
  return made(op, term_extract(a, low, width), term_extract(b, low, width));
}

static term in_pieces(enum term_op op, term a, term b) {
  struct cuts cuts;
  cuts_of(&cuts, (const term[]){a, b}, 2, true);
  term all = TERM_NONE;
  uint32_t low = 0;
  for (size_t i = 0; i < cuts.count; i++) {
    const term piece = piece_of(op, a, b, low, cuts.ends[i] - low);
    all = all ? term_concat(piece, all) : piece;
    low = cuts.ends[i];
  }
  cuts_free(&cuts);
  return all;
}

static bool has_pieces(term a) {
  return is_const(a) || is_concat(a);
}

/* --- NOT -------------------------------------------------------------------------------------- */

static term not_parts(term a) {
  struct cuts cuts;
  cuts_of(&cuts, &a, 1, false);
  term all = TERM_NONE;
  uint32_t low = 0;
  for (size_t i = 0; i < cuts.count; i++) {
    const term piece = term_not(term_extract(a, low, cuts.ends[i] - low));
    all = all ? term_concat(piece, all) : piece;
    low = cuts.ends[i];
  }
  cuts_free(&cuts);
  return all;
}

/* -sum - 1: of a sum, the sum of what is in it, each with NOT. */
static term not_sum(term a) {
  const term x = arg_of(a, 0), y = arg_of(a, 1);
  return term_add(term_add(term_not(x), term_not(y)), term_const(width_of(a), 1));
}

static bool is_upper_sum(term a) {
  return is_op(a, TERM_EXTRACT) && is_op(arg_of(a, 0), TERM_ADD);
}

term term_not(term a) {
  const struct term_node *node = term_at(a);
  if (is_const(a)) return term_folded(TERM_NOT, node->width, 0, a, TERM_NONE, TERM_NONE);
  if (is_op(a, TERM_NOT)) return node->args[0];
  if (is_concat(a)) return not_parts(a);
  if (is_op(a, TERM_ADD)) return not_sum(a);
  if (is_upper_sum(a)) return term_extract(not_sum(node->args[0]), node->low, node->width);
  if (is_op(a, TERM_ITE) && is_const(node->args[1]) && is_const(node->args[2]))
    return term_ite(node->args[0], term_not(node->args[1]), term_not(node->args[2]));
  return term_raw(TERM_NOT, node->width, 0, a, TERM_NONE, TERM_NONE);
}

/* --- AND -------------------------------------------------------------------------------------- */

/*
 * Two lists of leaves. Within each of them, everything was done when it was made: what is left is
 * each leaf of one with each of the other.
 */
struct lists {
  uint32_t width;
  struct leaves a, b;
};

static term list_of(const struct lists *lists, const struct leaves *leaves) {
  if (leaves->count == 0) return term_ones(lists->width);
  return leaves_join(TERM_AND, lists->width, leaves->items, leaves->count);
}

/* Some leaves were removed: the rest, and what takes their place. */
static term and_rest(const struct lists *lists, term a) {
  return term_and(term_and(list_of(lists, &lists->a), list_of(lists, &lists->b)), a);
}

/* Sorted, each is there once. False: one and its NOT are. */
static bool drop_same(struct leaves *leaves) {
  size_t count = 1;
  for (size_t i = 1; i < leaves->count; i++) {
    const term last = leaves->items[count - 1], a = leaves->items[i];
    if (is_negation(last, a)) return false;
    if (a != last) leaves->items[count++] = a;
  }
  leaves->count = count;
  return true;
}

static bool may_assume(term a, uint32_t width) {
  const enum term_op op = op_of(stripped(a));
  if (op == TERM_AND) return stripped(a) != a;
  return op == TERM_XOR || (width == 1 && (op == TERM_ITE || op == TERM_EQ));
}

/* A bit for each leaf, so that most lists that have none in common are told apart by their bits. */
static uint64_t mark(term a) {
  return (uint64_t)1 << (stripped(a) * 0x9E3779B1u >> 26);
}

/* What is equal to one thing is not equal to another. */
static uint64_t mark_compared(term a) {
  const term inner = stripped(a);
  return mark(a) | (is_op(inner, TERM_EQ) ? mark(arg_of(inner, 0)) : 0);
}

static uint64_t marks_of_list(enum term_op op, term list) {
  uint64_t marks = 0;
  for (; is_op(list, op); list = arg_of(list, 0)) {
    if (is_op(arg_of(list, 1), op)) return UINT64_MAX;
    marks |= mark_compared(arg_of(list, 1));
  }
  return marks | mark_compared(list);
}

static uint64_t marks_of_inner(term a) {
  const term inner = stripped(a);
  if (is_op(inner, TERM_AND) || is_op(inner, TERM_XOR))
    return mark(inner) | marks_of_list(op_of(inner), inner);
  return mark_compared(inner) | (is_op(inner, TERM_ITE) ? mark(arg_of(inner, 0)) : 0);
}

/* With one of what is known not to be all true, which are true where all of it are. */
static uint64_t marks_of_known(const struct leaves *known) {
  uint64_t marks = 0;
  for (size_t i = 0; i < known->count; i++) {
    const term inner = stripped(known->items[i]);
    marks |= mark_compared(inner);
    if (is_op(inner, TERM_AND)) marks |= mark(arg_of(inner, 1));
  }
  return marks;
}

/* Each leaf of a list where those of the other are true. */
static bool and_assumed(struct lists *lists, struct leaves *leaves, const struct leaves *known,
                        term *result) {
  const uint64_t marks = marks_of_known(known);
  for (size_t i = 0; i < leaves->count; i++) {
    const term a = leaves->items[i];
    if (!may_assume(a, lists->width) || (marks_of_inner(a) & marks) == 0) continue;
    const term assumed = term_assume(known, a);
    if (assumed == a) continue;
    leaves_remove(leaves, i);
    *result = and_rest(lists, assumed);
    return true;
  }
  return false;
}

/* Something that is 0 where a condition is false, or where it is true. */
struct gate {
  term condition, value;
  bool when;
};

static bool as_gate(term a, struct gate *gate) {
  const term choice = stripped(a);
  if (!is_op(choice, TERM_ITE)) return false;
  const bool negated = choice != a;
  for (unsigned i = 1; i < 3; i++) {
    const term other = arg_of(choice, i), value = arg_of(choice, 3 - i);
    if (!(negated ? const_is_ones(other) : const_is_zero(other))) continue;
    *gate = (struct gate){arg_of(choice, 0), negated ? term_not(value) : value, i == 2};
    return true;
  }
  return false;
}

/* x & (c ? y : 0) is c ? x & y : 0. */
static bool and_gate(term a, term b, term *result) {
  struct gate gate;
  if (!as_gate(b, &gate)) return false;
  const term value = term_and(a, gate.value), zero = term_zero(width_of(a));
  *result =
      gate.when ? term_ite(gate.condition, value, zero) : term_ite(gate.condition, zero, value);
  return true;
}

/* Two choices by the same condition are one. What is chosen may be choices again: not too deep. */
static unsigned depth;
enum { MAX_DEPTH = 8 };

static bool choose_by_same(term a, term b) {
  a = stripped(a);
  b = stripped(b);
  return is_op(a, TERM_ITE) && is_op(b, TERM_ITE) && arg_of(a, 0) == arg_of(b, 0);
}

static term branch_of(term a, unsigned n) {
  const term branch = arg_of(stripped(a), n);
  return stripped(a) == a ? branch : term_not(branch);
}

static term of_choices(enum term_op op, term a, term b) {
  depth++;
  const term x = made(op, branch_of(a, 1), branch_of(b, 1));
  const term y = made(op, branch_of(a, 2), branch_of(b, 2));
  depth--;
  return term_ite(arg_of(stripped(a), 0), x, y);
}

static bool as_nand(term a, struct leaves *leaves) {
  const term inner = stripped(a);
  leaves->count = 0;
  return inner != a && is_op(inner, TERM_AND) && leaves_add(leaves, TERM_AND, inner);
}

static bool is_nand(term a) {
  return is_op(a, TERM_NOT) && is_op(arg_of(a, 0), TERM_AND);
}

/* ~(c & x) & ~(~c & y) is ~(c ? x : y). */
static bool of_nands(term first, term second, term *result) {
  struct leaves a, b;
  if (!as_nand(first, &a) || !as_nand(second, &b)) return false;
  for (size_t i = 0; i < a.count; i++) {
    for (size_t j = 0; j < b.count; j++) {
      const term condition = a.items[i];
      if (!is_negation(condition, b.items[j])) continue;
      leaves_remove(&a, i);
      leaves_remove(&b, j);
      *result = term_not(term_ite(condition, leaves_join(TERM_AND, 1, a.items, a.count),
                                  leaves_join(TERM_AND, 1, b.items, b.count)));
      return true;
    }
  }
  return false;
}

static bool and_two(term a, term b, uint64_t marks, term *result) {
  if (depth < MAX_DEPTH && choose_by_same(a, b)) {
    *result = of_choices(TERM_AND, a, b);
    return true;
  }
  if (width_of(a) > 1 || !is_nand(a) || !is_nand(b)) return false;
  return (marks_of_inner(b) & marks) != 0 && of_nands(a, b, result);
}

/* A leaf of one list and a leaf of the other that are one term together. */
static bool and_pairs(struct lists *lists, term *result) {
  for (size_t i = 0; i < lists->a.count; i++) {
    const term a = lists->a.items[i];
    const enum term_op op = op_of(stripped(a));
    if (op != TERM_ITE && op != TERM_AND) continue;
    const uint64_t marks = marks_of_inner(a);
    for (size_t j = 0; j < lists->b.count; j++) {
      if (!and_two(a, lists->b.items[j], marks, result)) continue;
      leaves_remove(&lists->a, i);
      leaves_remove(&lists->b, j);
      *result = and_rest(lists, *result);
      return true;
    }
  }
  return false;
}

static term and_all(const struct lists *lists) {
  struct leaves all = lists->a;
  for (size_t i = 0; i < lists->b.count; i++) all.items[all.count++] = lists->b.items[i];
  leaves_sort(&all);
  return drop_same(&all) ? list_of(lists, &all) : term_zero(lists->width);
}

/* Where they are too many for one list, it is one of the two. */
static void shorten(struct lists *lists, term a, term b) {
  if (lists->a.count + lists->b.count <= MAX_LEAVES) return;
  lists->a.count = lists->b.count = 1;
  lists->a.items[0] = a;
  lists->b.items[0] = b;
}

static term and_terms(term a, term b) {
  const uint32_t width = width_of(a);
  term result;
  if (width > 1 && (and_gate(a, b, &result) || and_gate(b, a, &result))) return result;
  struct lists lists;
  lists.width = width;
  leaves_of(&lists.a, TERM_AND, a);
  leaves_of(&lists.b, TERM_AND, b);
  if (and_assumed(&lists, &lists.a, &lists.b, &result)) return result;
  if (and_assumed(&lists, &lists.b, &lists.a, &result)) return result;
  if (and_pairs(&lists, &result)) return result;
  shorten(&lists, a, b);
  return and_all(&lists);
}

term term_and(term a, term b) {
  const uint32_t width = width_of(a);
  term_check(width == width_of(b), "and", a, b);
  if (a == b || const_is_zero(a) || const_is_ones(b)) return a;
  if (const_is_zero(b) || const_is_ones(a)) return b;
  if (is_negation(a, b)) return term_zero(width);
  if (is_const(a) && is_const(b)) return term_folded(TERM_AND, width, 0, a, b, TERM_NONE);
  if (has_pieces(a) || has_pieces(b)) return in_pieces(TERM_AND, a, b);
  if (depth > MAX_DEPTH / 2) return and_terms(a, b);
  const struct kept *kept = kept_at(TERM_AND, a, b, TERM_NONE);
  if (is_kept(kept, TERM_AND, a, b, TERM_NONE)) return kept->result;
  return keep(TERM_AND, a, b, TERM_NONE, and_terms(a, b));
}

/* Halves, so that not all of what went before is looked at again with each. */
term term_and_all(term *items, size_t count) {
  if (count == 0) return TERM_TRUE;
  if (count == 1) return items[0];
  const term low = term_and_all(items, count / 2);
  if (term_is_false(low)) return low;
  return term_and(low, term_and_all(items + count / 2, count - count / 2));
}

term term_or(term a, term b) {
  const uint32_t width = width_of(a);
  term_check(width == width_of(b), "or", a, b);
  if (a == b || const_is_zero(b) || const_is_ones(a)) return a;
  if (const_is_zero(a) || const_is_ones(b)) return b;
  if (is_const(a) && is_const(b)) return term_folded(TERM_OR, width, 0, a, b, TERM_NONE);
  if (has_pieces(a) || has_pieces(b)) return in_pieces(TERM_OR, a, b);
  return term_not(term_and(term_not(a), term_not(b)));
}

/* --- XOR -------------------------------------------------------------------------------------- */

/* Without NOTs and pairs of the same. Returns whether the number of NOTs was odd. */
static bool drop_pairs(struct leaves *leaves) {
  bool negated = false;
  for (size_t i = 0; i < leaves->count; i++) {
    negated ^= stripped(leaves->items[i]) != leaves->items[i];
    leaves->items[i] = stripped(leaves->items[i]);
  }
  leaves_sort(leaves);
  size_t count = 0;
  for (size_t i = 0; i < leaves->count; i++) {
    if (count > 0 && leaves->items[count - 1] == leaves->items[i])
      count--;
    else
      leaves->items[count++] = leaves->items[i];
  }
  leaves->count = count;
  return negated;
}

static void remove_pair(struct leaves *leaves, size_t i, size_t j) {
  leaves_remove(leaves, j);
  leaves_remove(leaves, i);
}

static bool xor_choices(struct leaves *leaves, term *result) {
  if (depth >= MAX_DEPTH) return false;
  for (size_t i = 0; i < leaves->count; i++) {
    if (!is_op(leaves->items[i], TERM_ITE)) continue;
    for (size_t j = i + 1; j < leaves->count; j++) {
      const term a = leaves->items[i], b = leaves->items[j];
      if (!choose_by_same(a, b)) continue;
      remove_pair(leaves, i, j);
      *result = of_choices(TERM_XOR, a, b);
      for (size_t n = 0; n < leaves->count; n++) *result = term_xor(*result, leaves->items[n]);
      return true;
    }
  }
  return false;
}

/* All ones or all zeros. */
static bool is_mask(term a) {
  if (!is_op(a, TERM_ITE)) return false;
  return (const_is_ones(arg_of(a, 1)) && const_is_zero(arg_of(a, 2))) ||
         (const_is_zero(arg_of(a, 1)) && const_is_ones(arg_of(a, 2)));
}

/* Masks become one. */
static bool xor_masks(struct leaves *leaves, uint32_t width, term *result) {
  size_t count = 0, last = 0;
  term all = TERM_FALSE;
  for (size_t i = 0; i < leaves->count; i++) {
    if (!is_mask(leaves->items[i])) continue;
    all = term_xor(all, term_extract(leaves->items[i], 0, 1));
    last = i;
    count++;
  }
  if (count < 2) return false;
  leaves->items[last] = term_sext(all, width);
  *result = term_zero(width);
  for (size_t i = 0; i < leaves->count; i++)
    if (i == last || !is_mask(leaves->items[i])) *result = term_xor(*result, leaves->items[i]);
  return true;
}

static term xor_leaves(struct leaves *leaves, uint32_t width) {
  const bool negated = drop_pairs(leaves);
  term result;
  if (leaves->count == 0)
    result = term_zero(width);
  else if (!xor_choices(leaves, &result) && !(width > 1 && xor_masks(leaves, width, &result)))
    result = leaves_join(TERM_XOR, width, leaves->items, leaves->count);
  return negated ? term_not(result) : result;
}

term term_xor(term a, term b) {
  const uint32_t width = width_of(a);
  term_check(width == width_of(b), "xor", a, b);
  if (const_is_zero(a)) return b;
  if (const_is_zero(b)) return a;
  if (const_is_ones(a)) return term_not(b);
  if (const_is_ones(b)) return term_not(a);
  if (is_const(a) && is_const(b)) return term_folded(TERM_XOR, width, 0, a, b, TERM_NONE);
  if (a == b) return term_zero(width);
  if (has_pieces(a) || has_pieces(b)) return in_pieces(TERM_XOR, a, b);
  struct leaves leaves = {.count = 0};
  if (!leaves_add(&leaves, TERM_XOR, stripped(a)) || !leaves_add(&leaves, TERM_XOR, stripped(b))) {
    leaves.count = 2;
    leaves.items[0] = stripped(a);
    leaves.items[1] = stripped(b);
  }
  const term result = xor_leaves(&leaves, width);
  return (stripped(a) == a) == (stripped(b) == b) ? result : term_not(result);
}

term term_implies(term a, term b) {
  return term_or(term_not(a), b);
}
