/* Terms in parts: CONCAT and EXTRACT. */
#include <stdlib.h>

#include "engine/term/term_internal.h"

/* --- Parts put together ----------------------------------------------------------------------- */

static bool is_sum(term a) {
  return is_op(a, TERM_ADD) || is_op(a, TERM_MUL);
}

/* Sums and products depend on the bits below: these are their own, and no EXTRACT. */
static bool is_upper_sum(term a) {
  return is_op(a, TERM_EXTRACT) && is_sum(arg_of(a, 0));
}

static bool are_adjacent(term high, term low) {
  const struct term_node *a = term_at(high), *b = term_at(low);
  return a->op == TERM_EXTRACT && b->op == TERM_EXTRACT && a->args[0] == b->args[0] &&
         a->low == b->low + b->width;
}

static bool same_choice(term high, term low, term *result) {
  term c, d, high1, high0, low1, low0;
  if (!as_choice(high, &c, &high1, &high0) || !as_choice(low, &d, &low1, &low0) || c != d)
    return false;
  *result = term_ite(c, term_concat(high1, low1), term_concat(high0, low0));
  return true;
}

static bool may_merge(term a) {
  switch (op_of(stripped(a))) {
    case TERM_AND:
    case TERM_XOR:
    case TERM_ITE:
    case TERM_EXTRACT:
      return true;
    default:
      return stripped(a) != a;
  }
}

/* What is simple enough is known at once: TERM_NONE, if the two stay apart. */
static bool merge_at_once(term high, term low, term *result) {
  *result = TERM_NONE;
  if (is_const(high) && is_const(low)) {
    *result = term_folded(TERM_CONCAT, width_of(high) + width_of(low), 0, high, low, TERM_NONE);
    return true;
  }
  if (is_const(high) || is_const(low)) return true;
  if (are_adjacent(high, low)) {
    *result = term_extract(arg_of(low, 0), term_at(low)->low, width_of(high) + width_of(low));
    return true;
  }
  return same_choice(high, low, result) || (!may_merge(high) && !may_merge(low));
}

static bool need_merge(term high, term low, term *result) {
  return merge_at_once(high, low, result) ||
         task_need((struct task){TASK_MERGE, high, low, 0}, result);
}

static term merged(term high, term low) {
  term result;
  if (merge_at_once(high, low, &result)) return result;
  return task_solve((struct task){TASK_MERGE, high, low, 0});
}

/* The upper bits of a sum, and all that are below. */
static bool completes_sum(term high, term low) {
  if (!is_upper_sum(high)) return false;
  const uint32_t below = term_at(high)->low;
  return width_of(low) == below && term_extract(arg_of(high, 0), 0, below) == low;
}

static term completed_sum(term high) {
  const struct term_node *node = term_at(high);
  return term_extract(node->args[0], 0, node->low + node->width);
}

/* Where both choose by the same condition; what is 1 bit wide and not written as a choice, too. */
struct choice {
  term condition, a, b;
};

static bool choice_by(term a, term condition, struct choice *choice) {
  const term inner = stripped(a);
  if (is_op(inner, TERM_ITE) && arg_of(inner, 0) == condition) {
    const term x = arg_of(inner, 1), y = arg_of(inner, 2);
    *choice = inner == a ? (struct choice){condition, x, y}
                         : (struct choice){condition, term_not(x), term_not(y)};
    return !is_concat(choice->a) && !is_concat(choice->b);
  }
  if (width_of(a) > 1) return false;
  struct leaves known;
  leaves_of(&known, TERM_AND, condition);
  const term x = term_assume(&known, a);
  leaves_of(&known, TERM_AND, term_not(condition));
  const term y = term_assume(&known, a);
  *choice = (struct choice){condition, x, y};
  return x != a && y != a;
}

static bool choices_of(term high, term low, struct choice *a, struct choice *b) {
  term inner = stripped(high);
  if (!is_op(inner, TERM_ITE)) inner = stripped(low);
  if (!is_op(inner, TERM_ITE)) return false;
  const term condition = arg_of(inner, 0);
  return choice_by(high, condition, a) && choice_by(low, condition, b);
}

static bool merge_choices(const struct choice *high, const struct choice *low, term *result) {
  term a, b;
  *result = TERM_NONE;
  if (!need_merge(high->a, low->a, &a)) return false;
  if (!a) return true;
  if (!need_merge(high->b, low->b, &b)) return false;
  if (b) *result = term_ite(high->condition, a, b);
  return true;
}

/* Leaf by leaf, in any order. */
enum { MAX_MERGED = 8 };

static bool merge_leaf(term high, struct leaves *low, term *result) {
  for (size_t i = 0; i < low->count; i++) {
    if (!need_merge(high, low->items[i], result)) return false;
    if (!*result) continue;
    leaves_remove(low, i);
    return true;
  }
  *result = TERM_NONE;
  return true;
}

static bool merge_leaves(enum term_op op, term high, term low, term *result) {
  struct leaves a = {.count = 0}, b = {.count = 0};
  *result = TERM_NONE;
  if (!leaves_add(&a, op, high) || !leaves_add(&b, op, low)) return true;
  if (a.count != b.count || a.count > MAX_MERGED) return true;
  for (size_t i = 0; i < a.count; i++) {
    if (!merge_leaf(a.items[i], &b, &a.items[i])) return false;
    if (!a.items[i]) return true;
  }
  *result = a.items[0];
  for (size_t i = 1; i < a.count; i++)
    *result = op == TERM_AND ? term_and(*result, a.items[i]) : term_xor(*result, a.items[i]);
  return true;
}

static bool merge_negations(term high, term low, term *result) {
  if (!need_merge(arg_of(high, 0), arg_of(low, 0), result)) return false;
  if (*result) *result = term_not(*result);
  return true;
}

static bool merge_any(term high, term low, term *result) {
  struct choice a, b;
  if (completes_sum(high, low)) {
    *result = completed_sum(high);
    return true;
  }
  if (is_op(high, TERM_NOT) && is_op(low, TERM_NOT)) return merge_negations(high, low, result);
  if (choices_of(high, low, &a, &b)) return merge_choices(&a, &b, result);
  if (is_op(high, TERM_AND) && is_op(low, TERM_AND))
    return merge_leaves(TERM_AND, high, low, result);
  if (is_op(high, TERM_XOR) && is_op(low, TERM_XOR))
    return merge_leaves(TERM_XOR, high, low, result);
  *result = TERM_NONE;
  return true;
}

bool solve_merge(const struct task *task, term *result) {
  if (!merge_any(task->x, task->y, result)) return false;
  if (*result && is_concat(*result)) *result = TERM_NONE;
  return true;
}

/* --- CONCAT ----------------------------------------------------------------------------------- */

static term first_of(term list) {
  return is_concat(list) ? arg_of(list, 0) : list;
}
static term rest_of(term list) {
  return is_concat(list) ? arg_of(list, 1) : TERM_NONE;
}

static term joined(term high, term low) {
  return low ? term_concat(high, low) : high;
}

/* The upper bits of a sum, and several parts that start with what is below. */
static bool join_sum(term part, term rest, term *result) {
  if (!is_upper_sum(part) || width_of(rest) < term_at(part)->low) return false;
  const uint32_t below = term_at(part)->low, left = width_of(rest) - below;
  if (!completes_sum(part, term_extract(rest, left, below))) return false;
  *result = joined(completed_sum(part), left > 0 ? term_extract(rest, 0, left) : TERM_NONE);
  return true;
}

/* The same choice on both sides of a constant. */
static bool join_choices(term part, term rest, term *result) {
  const term constant = first_of(rest), tail = rest_of(rest);
  if (!tail || !is_const(constant)) return false;
  term c, d, high1, high0, low1, low0;
  if (!as_choice(part, &c, &high1, &high0)) return false;
  if (!as_choice(first_of(tail), &d, &low1, &low0) || c != d) return false;
  const term choice = term_ite(c, term_concat(high1, term_concat(constant, low1)),
                               term_concat(high0, term_concat(constant, low0)));
  *result = joined(choice, rest_of(tail));
  return true;
}

/* A part on top of others. */
static term on_top(term part, term rest) {
  while (rest) {
    const term one = merged(part, first_of(rest));
    if (!one) break;
    part = one;
    rest = rest_of(rest);
  }
  if (!rest) return part;
  term result;
  if (join_sum(part, rest, &result) || join_choices(part, rest, &result)) return result;
  return term_raw(TERM_CONCAT, width_of(part) + width_of(rest), 0, part, rest, TERM_NONE);
}

static term list_on_top(term high, term low) {
  size_t count = 0;
  for (term a = high; a; a = rest_of(a)) count++;
  term few[64], *parts = count <= 64 ? few : term_allocate(NULL, count * sizeof *parts);
  count = 0;
  for (term a = high; a; a = rest_of(a)) parts[count++] = first_of(a);
  while (count > 0) low = on_top(parts[--count], low);
  if (parts != few) free(parts);
  return low;
}

term term_concat(term high, term low) {
  return is_concat(high) ? list_on_top(high, low) : on_top(high, low);
}

term term_zext(term a, uint32_t width) {
  term_check(width >= width_of(a), "zext", a, TERM_NONE);
  return width == width_of(a) ? a : term_concat(term_zero(width - width_of(a)), a);
}

term term_sext(term a, uint32_t width) {
  term_check(width >= width_of(a), "sext", a, TERM_NONE);
  const uint32_t more = width - width_of(a);
  if (more == 0) return a;
  const term sign = term_extract(a, width_of(a) - 1, 1);
  return term_concat(term_ite(sign, term_ones(more), term_zero(more)), a);
}

/* --- EXTRACT ---------------------------------------------------------------------------------- */

/* Wide shifts by few unknown bits are how a vector is indexed: parts of it are chosen by those. */
enum { MAX_SHIFT_BITS = 7, MIN_SHIFTED = 65 };

static bool unknown_bits(term a, uint32_t *bits, size_t *count, uint64_t *known) {
  uint32_t end = width_of(a);
  *count = 0;
  *known = 0;
  for (; a; a = rest_of(a)) {
    const term part = first_of(a);
    const uint32_t low = end - width_of(part);
    for (uint32_t i = low; i < end; i++) {
      if (!is_const(part)) {
        if (*count == MAX_SHIFT_BITS) return false;
        bits[(*count)++] = i;
      } else if (const_bit(part, i - low)) {
        *known += i < 32 ? (uint64_t)1 << i : (uint64_t)1 << 32;
      }
    }
    end = low;
  }
  return true;
}

struct shift {
  bool left;
  term a, by;
  uint32_t bits[MAX_SHIFT_BITS];
  size_t count;
  uint32_t low, width; /* of the EXTRACT */
};

static bool as_indexing(term a, struct shift *shift, uint64_t *known) {
  if (!is_op(a, TERM_SHL) && !is_op(a, TERM_LSHR)) return false;
  if (width_of(a) < MIN_SHIFTED) return false;
  shift->left = is_op(a, TERM_SHL);
  shift->a = arg_of(a, 0);
  shift->by = arg_of(a, 1);
  return unknown_bits(shift->by, shift->bits, &shift->count, known);
}

/* The bits from low on, which may be below or above what there is. */
static term padded(term a, int64_t low, uint32_t width) {
  const int64_t end = low + width, all = width_of(a);
  const int64_t from = low < 0 ? 0 : low, to = end > all ? all : end;
  if (from >= to) return term_zero(width);
  term result = term_extract(a, (uint32_t)from, (uint32_t)(to - from));
  if (from > low) result = term_concat(result, term_zero((uint32_t)(from - low)));
  if (end > to) result = term_concat(term_zero((uint32_t)(end - to)), result);
  return result;
}

static term indexed(const struct shift *shift, size_t n, uint64_t by) {
  if (by >= width_of(shift->a)) return term_zero(shift->width);
  if (n == shift->count) {
    const int64_t low = shift->low, distance = (int64_t)by;
    return padded(shift->a, shift->left ? low - distance : low + distance, shift->width);
  }
  const uint32_t bit = shift->bits[n];
  const uint64_t more = bit < 32 ? (uint64_t)1 << bit : (uint64_t)1 << 32;
  const term other = indexed(shift, n + 1, by);
  return term_ite(term_extract(shift->by, bit, 1), indexed(shift, n + 1, by + more), other);
}

static bool goes_through(term a, uint32_t low) {
  struct shift shift;
  uint64_t known;
  switch (op_of(a)) {
    case TERM_NOT:
    case TERM_AND:
    case TERM_OR:
    case TERM_XOR:
    case TERM_ITE:
    case TERM_CONCAT:
      return true;
    case TERM_ADD:
    case TERM_MUL:
      return low == 0;
    case TERM_SHL:
    case TERM_LSHR:
      return as_indexing(a, &shift, &known);
    default:
      return false;
  }
}

/* The list that starts with the first part that is needed, or this part alone. */
static void find_part(term *a, uint32_t *low, uint32_t width) {
  while (is_concat(*a)) {
    const uint32_t below = width_of(arg_of(*a, 1));
    if (*low<below && * low + width> below) return;
    *a = arg_of(*a, *low < below ? 1 : 0);
    if (*low >= below) *low -= below;
  }
  if (!is_op(*a, TERM_EXTRACT)) return;
  *low += term_at(*a)->low;
  *a = arg_of(*a, 0);
}

/* What there is no way into is known at once. */
static bool extract_at_once(term a, uint32_t low, uint32_t width, term *result) {
  if (width == width_of(a))
    *result = a;
  else if (is_const(a))
    *result = term_folded(TERM_EXTRACT, width, low, a, TERM_NONE, TERM_NONE);
  else if (!goes_through(a, low))
    *result = term_raw(TERM_EXTRACT, width, low, a, TERM_NONE, TERM_NONE);
  else
    return false;
  return true;
}

static bool need_extract(term a, uint32_t low, uint32_t width, term *result) {
  if (width == width_of(a)) {
    *result = a;
    return true;
  }
  find_part(&a, &low, width);
  return extract_at_once(a, low, width, result) ||
         task_need((struct task){TASK_EXTRACT, a, low, width}, result);
}

/* Of several parts: the piece of the first, and the rest. */
static bool extract_parts(term list, uint32_t low, uint32_t width, term *result) {
  const uint32_t below = width_of(arg_of(list, 1));
  term high, rest;
  const bool has_high = need_extract(arg_of(list, 0), 0, low + width - below, &high);
  const bool has_rest = need_extract(arg_of(list, 1), low, below - low, &rest);
  if (!has_high || !has_rest) return false;
  *result = term_concat(high, rest);
  return true;
}

bool solve_extract(const struct task *task, term *result) {
  const term a = task->x;
  struct shift shift = {.low = task->y, .width = task->z};
  uint64_t known;
  if (is_concat(a)) return extract_parts(a, task->y, task->z, result);
  if (as_indexing(a, &shift, &known)) {
    *result = indexed(&shift, 0, known);
    return true;
  }
  const struct term_node *node = term_at(a);
  term args[3] = {node->args[0], TERM_NONE, TERM_NONE};
  bool all = true;
  for (unsigned i = node->op == TERM_ITE ? 1 : 0; i < 3 && node->args[i]; i++)
    all &= need_extract(node->args[i], task->y, task->z, &args[i]);
  if (!all) return false;
  *result = term_again(node, args);
  return true;
}

term term_extract(term a, uint32_t low, uint32_t width) {
  term_check(low < width_of(a) && width <= width_of(a) - low && width > 0, "extract", a, TERM_NONE);
  term result;
  if (width == width_of(a)) return a;
  find_part(&a, &low, width);
  if (extract_at_once(a, low, width, &result)) return result;
  return task_solve((struct task){TASK_EXTRACT, a, low, width});
}
