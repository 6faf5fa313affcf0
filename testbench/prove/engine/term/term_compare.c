/* Terms compared: EQ, ULT, SLT. */
#include "engine/term/term_internal.h"

/* --- Tables ----------------------------------------------------------------------------------- */

/* What chooses a constant somewhere is compared with a constant branch by branch. */
static bool is_table(term a) {
  if (!is_op(a, TERM_ITE)) return false;
  return (term_at(a)->flags & TERM_IS_TABLE) || is_const(arg_of(a, 1)) || is_const(arg_of(a, 2));
}

static term compared(enum task_kind kind, term a, term k) {
  return kind == TASK_EQ ? term_eq(a, k) : term_ult(a, k);
}

static bool need_compared(enum task_kind kind, term a, term k, term *result) {
  if (is_table(a)) return task_need((struct task){kind, a, k, 0}, result);
  *result = compared(kind, a, k);
  return true;
}

/* Those that are tables again first: nothing else may be made before it is known what is needed. */
bool solve_compare(const struct task *task, term *result) {
  const term a = task->x, k = task->y;
  term branches[2];
  bool all = true;
  for (unsigned i = 0; i < 2; i++)
    if (is_table(arg_of(a, i + 1)))
      all &= need_compared(task->kind, arg_of(a, i + 1), k, &branches[i]);
  if (!all) return false;
  for (unsigned i = 0; i < 2; i++)
    if (!is_table(arg_of(a, i + 1))) branches[i] = compared(task->kind, arg_of(a, i + 1), k);
  *result = term_ite(arg_of(a, 0), branches[0], branches[1]);
  return true;
}

/* --- Equal ------------------------------------------------------------------------------------ */

/* The bits of small fields are looked at one by one in hardware. */
enum { MAX_FIELD = 6 };

static term eq_pieces(term a, term b, const struct cuts *cuts) {
  term all = TERM_TRUE;
  uint32_t low = 0;
  for (size_t i = 0; i < cuts->count && !term_is_false(all); i++) {
    const uint32_t width = cuts->ends[i] - low;
    all = term_and(all, term_eq(term_extract(a, low, width), term_extract(b, low, width)));
    low = cuts->ends[i];
  }
  return all;
}

/* Constant parts first: they are what decides. */
static bool differs(term a, term b, const struct cuts *cuts) {
  uint32_t low = 0;
  for (size_t i = 0; i < cuts->count; i++) {
    const uint32_t width = cuts->ends[i] - low;
    const term x = term_extract(a, low, width);
    if (is_const(x)) {
      const term y = term_extract(b, low, width);
      if (is_const(y) && x != y) return true;
    }
    low = cuts->ends[i];
  }
  return false;
}

static term eq_parts(term a, term b) {
  struct cuts cuts;
  cuts_of(&cuts, (const term[]){a, b}, 2, false);
  const term all = differs(a, b, &cuts) ? TERM_FALSE : eq_pieces(a, b, &cuts);
  cuts_free(&cuts);
  return all;
}

static term eq_bits(term a, term k) {
  term bits[MAX_FIELD];
  const uint32_t width = width_of(a);
  for (uint32_t i = 0; i < width; i++)
    bits[i] = term_eq(term_extract(a, i, 1), term_extract(k, i, 1));
  return term_and_all(bits, width);
}

/* Its bits are there, and not calculated. */
static bool has_bits(term a) {
  switch (op_of(a)) {
    case TERM_VAR:
    case TERM_NOT:
    case TERM_AND:
    case TERM_XOR:
    case TERM_ITE:
    case TERM_CONCAT:
      return true;
    case TERM_EXTRACT:
      return is_op(arg_of(a, 0), TERM_VAR);
    default:
      return false;
  }
}

/* x + k1 == k2; x + ~y == ~0, which is x == y. */
static bool eq_sum(term a, term k, term *result) {
  const term x = arg_of(a, 0), y = arg_of(a, 1);
  if (is_const(y)) {
    *result = term_eq(x, term_sub(k, y));
    return true;
  }
  if (!const_is_ones(k) || is_op(x, TERM_ADD)) return false;
  if (!is_op(x, TERM_NOT) && !is_op(y, TERM_NOT)) return false;
  *result = is_op(x, TERM_NOT) ? term_eq(stripped(x), y) : term_eq(x, stripped(y));
  return true;
}

static bool is_beyond(term k, term a) {
  if (term_size(k) > term_size(a)) return true;
  return width_of(a) <= 64 && term_max(k) > term_max(a);
}

static term eq_const(term a, term k) {
  const uint32_t width = width_of(a);
  term result;
  if (is_beyond(k, a)) return TERM_FALSE;
  if (is_op(a, TERM_NOT)) return term_eq(stripped(a), term_not(k));
  if (is_concat(a)) return eq_parts(a, k);
  if (is_table(a)) return task_solve((struct task){TASK_EQ, a, k, 0});
  if (is_op(a, TERM_ADD) && eq_sum(a, k, &result)) return result;
  if (is_op(a, TERM_XOR)) {
    if (const_is_zero(k)) return term_eq(arg_of(a, 0), arg_of(a, 1));
    if (const_is_ones(k)) return term_eq(arg_of(a, 0), term_not(arg_of(a, 1)));
  }
  if (width <= MAX_FIELD && has_bits(a)) return eq_bits(a, k);
  return term_raw(TERM_EQ, 1, 0, a, k, TERM_NONE);
}

static bool eq_branch(term a, term b, term *result) {
  if (!is_op(a, TERM_ITE)) return false;
  const term c = arg_of(a, 0), x = arg_of(a, 1), y = arg_of(a, 2);
  if (x == b) *result = term_or(c, term_eq(y, b));
  if (y == b) *result = term_or(term_not(c), term_eq(x, b));
  return x == b || y == b;
}

/* Choices by the same condition: what is chosen may be choices again, not too deep. */
static bool eq_choices(term a, term b, term *result) {
  enum { MAX_DEPTH = 32 };
  static unsigned depth;
  if (!is_op(a, TERM_ITE) || !is_op(b, TERM_ITE) || arg_of(a, 0) != arg_of(b, 0)) return false;
  if (depth == MAX_DEPTH) return false;
  const term x1 = arg_of(a, 1), y1 = arg_of(b, 1), x2 = arg_of(a, 2), y2 = arg_of(b, 2);
  if (depth > 0 && x1 != y1 && x2 != y2) return false;
  depth++;
  *result = term_ite(arg_of(a, 0), term_eq(x1, y1), term_eq(x2, y2));
  depth--;
  return true;
}

static term sum_of(const struct leaves *leaves, uint32_t width) {
  term sum = term_zero(width);
  for (size_t i = 0; i < leaves->count; i++) sum = term_add(sum, leaves->items[i]);
  return sum;
}

/* What both sums have is taken away. */
static bool eq_sums(term a, term b, term *result) {
  if (!is_op(a, TERM_ADD) && !is_op(b, TERM_ADD)) return false;
  struct leaves x = {.count = 0}, y = {.count = 0};
  if (!leaves_add(&x, TERM_ADD, a) || !leaves_add(&y, TERM_ADD, b)) return false;
  const size_t before = x.count;
  for (size_t i = 0; i < x.count;) {
    size_t n = 0;
    while (n < y.count && y.items[n] != x.items[i]) n++;
    if (n == y.count) {
      i++;
    } else {
      leaves_remove(&x, i);
      leaves_remove(&y, n);
    }
  }
  if (x.count == before) return false;
  *result = term_eq(sum_of(&x, width_of(a)), sum_of(&y, width_of(a)));
  return true;
}

static term eq_terms(term a, term b) {
  term result;
  if (stripped(a) > stripped(b)) {
    const term other = a;
    a = b;
    b = other;
  }
  if (stripped(a) == stripped(b)) return TERM_FALSE;
  if (is_op(a, TERM_NOT)) return term_eq(stripped(a), term_not(b));
  if ((is_concat(a) || is_concat(b)) && has_bits(a) && has_bits(b)) return eq_parts(a, b);
  if (eq_branch(a, b, &result) || eq_branch(b, a, &result)) return result;
  if (eq_choices(a, b, &result) || eq_sums(a, b, &result)) return result;
  return term_raw(TERM_EQ, 1, 0, a, b, TERM_NONE);
}

term term_eq(term a, term b) {
  const uint32_t width = width_of(a);
  term_check(width == width_of(b), "eq", a, b);
  if (a == b) return TERM_TRUE;
  if (is_const(a) && is_const(b)) return TERM_FALSE;
  if (width == 1) return term_not(term_xor(a, b));
  if (is_const(b)) return eq_const(a, b);
  return is_const(a) ? eq_const(b, a) : eq_terms(a, b);
}

term term_any(term a) {
  return term_not(term_eq(a, term_zero(width_of(a))));
}

/* --- Less ------------------------------------------------------------------------------------- */

static term last_of(term list) {
  while (is_concat(list)) list = arg_of(list, 1);
  return list;
}

static uint32_t trailing_zeros(term k) {
  uint32_t count = 0;
  while (!const_bit(k, count)) count++;
  return count;
}

static term plus_one(term k) {
  return term_add(k, term_const(width_of(k), 1));
}

static term without_low(term a, uint32_t low) {
  return term_extract(a, low, width_of(a) - low);
}
static term without_high(term a, uint32_t high) {
  return term_extract(a, 0, width_of(a) - high);
}

/* A constant part on top decides, or is the same. */
static term ult_known_top(term a, term k) {
  const term top = arg_of(a, 0);
  const uint32_t width = width_of(top);
  const term other = term_extract(k, width_of(k) - width, width);
  if (top == other) return term_ult(without_high(a, width), without_high(k, width));
  return term_folded(TERM_ULT, 1, 0, top, other, TERM_NONE);
}

/* {x, k1} < {k, k2}: x < k, or x <= k where k1 < k2. */
static term ult_known_low(term a, term k, uint32_t low) {
  const term rest = without_low(a, low), limit = without_low(k, low);
  const term below = term_extract(k, 0, low);
  if (term_is_false(term_folded(TERM_ULT, 1, 0, last_of(a), below, TERM_NONE)))
    return term_ult(rest, limit);
  return const_is_ones(limit) ? TERM_TRUE : term_ult(rest, plus_one(limit));
}

static term ult_const(term a, term k) {
  if (const_is_zero(k)) return TERM_FALSE;
  if (is_beyond(k, a)) return TERM_TRUE;
  if (term_size(k) == 1) return term_eq(a, term_zero(width_of(a)));
  if (const_is_ones(k)) return term_not(term_eq(a, k));
  const uint32_t low = trailing_zeros(k);
  if (low > 0) return term_ult(without_low(a, low), without_low(k, low));
  if (is_concat(a) && is_const(arg_of(a, 0))) return ult_known_top(a, k);
  if (is_concat(a) && is_const(last_of(a))) return ult_known_low(a, k, width_of(last_of(a)));
  if (is_table(a)) return task_solve((struct task){TASK_ULT, a, k, 0});
  return term_raw(TERM_ULT, 1, 0, a, k, TERM_NONE);
}

/* How many bits on top are the same in both, or constant in both; below likewise. */
static uint32_t common_top(term a, term b) {
  if (!is_concat(a) || !is_concat(b)) return 0;
  const term x = arg_of(a, 0), y = arg_of(b, 0);
  if (x == y) return width_of(x);
  if (!is_const(x) || !is_const(y)) return 0;
  return width_of(x) < width_of(y) ? width_of(x) : width_of(y);
}

static uint32_t common_low(term a, term b) {
  if (!is_concat(a) || !is_concat(b)) return 0;
  return last_of(a) == last_of(b) ? width_of(last_of(a)) : 0;
}

/* What is chosen is too large for b, which has 0 on top, whichever it is. */
static bool is_beyond_zeros(term a, term b) {
  if (!is_concat(b) || !is_const(arg_of(b, 0)) || !const_is_zero(arg_of(b, 0))) return false;
  const uint32_t zeros = width_of(arg_of(b, 0));
  const term top = without_low(a, width_of(a) - zeros);
  return (is_table(top) || is_concat(top)) && term_is_false(term_eq(top, term_zero(zeros)));
}

static term ult_terms(term a, term b) {
  const uint32_t width = width_of(a), top = common_top(a, b), low = common_low(a, b);
  if (top > 0) {
    const term x = term_extract(a, width - top, top), y = term_extract(b, width - top, top);
    if (x != y) return term_folded(TERM_ULT, 1, 0, x, y, TERM_NONE);
    return term_ult(without_high(a, top), without_high(b, top));
  }
  if (low > 0) return term_ult(without_low(a, low), without_low(b, low));
  if (is_beyond_zeros(a, b)) return TERM_FALSE;
  return term_raw(TERM_ULT, 1, 0, a, b, TERM_NONE);
}

term term_ult(term a, term b) {
  const uint32_t width = width_of(a);
  term_check(width == width_of(b), "ult", a, b);
  if (a == b) return TERM_FALSE;
  if (is_const(a) && is_const(b)) return term_folded(TERM_ULT, 1, 0, a, b, TERM_NONE);
  if (width == 1) return term_and(term_not(a), b);
  if (is_op(a, TERM_NOT) && (is_op(b, TERM_NOT) || is_const(b)))
    return term_ult(term_not(b), stripped(a));
  if (is_op(b, TERM_NOT) && is_const(a)) return term_ult(stripped(b), term_not(a));
  if (is_const(b)) return ult_const(a, b);
  if (!is_const(a)) return ult_terms(a, b);
  return const_is_ones(a) ? TERM_FALSE : term_not(term_ult(b, plus_one(a)));
}

term term_ule(term a, term b) {
  return term_not(term_ult(b, a));
}

/* --- Less, with signs ------------------------------------------------------------------------- */

static term sign_of(term a) {
  return term_extract(a, width_of(a) - 1, 1);
}

/* With the sign of one known, or less than 0, signs are no longer needed. */
term term_slt(term a, term b) {
  term_check(width_of(a) == width_of(b), "slt", a, b);
  if (a == b) return TERM_FALSE;
  if (is_const(a) && is_const(b)) return term_folded(TERM_SLT, 1, 0, a, b, TERM_NONE);
  const term sign_a = sign_of(a), sign_b = sign_of(b);
  if (sign_a == sign_b) return term_ult(a, b);
  if (is_const(sign_a) && is_const(sign_b)) return sign_a;
  if (const_is_zero(b)) return sign_a;
  if (const_is_ones(a)) return term_not(sign_b);
  return term_raw(TERM_SLT, 1, 0, a, b, TERM_NONE);
}

term term_sle(term a, term b) {
  return term_not(term_slt(b, a));
}
