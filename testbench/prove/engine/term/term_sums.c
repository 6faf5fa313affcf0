/* Terms calculated: ADD, MUL, UDIV, UREM, shifts. */
#include "engine/term/term_internal.h"

/* --- Sums ------------------------------------------------------------------------------------- */

struct sum {
  uint32_t width;
  struct leaves leaves; /* none is constant or an ADD */
  term constant;
  bool has_too_many;
};

static term folded(enum term_op op, term a, term b) {
  return term_folded(op, width_of(a), 0, a, b, TERM_NONE);
}

static struct sum empty_sum(uint32_t width) {
  return (struct sum){.width = width, .constant = term_zero(width)};
}

static void add_constant(struct sum *sum, term k) {
  sum->constant = folded(TERM_ADD, sum->constant, k);
}

static bool has_const_part(term a) {
  for (; is_concat(a); a = arg_of(a, 1))
    if (is_const(arg_of(a, 0)) && !const_is_zero(arg_of(a, 0))) return true;
  return is_const(a) && !const_is_zero(a);
}

/* Its constant parts, with zeros for the others; or the other way round. */
static term parts_of(term list, bool constant) {
  term all = TERM_NONE;
  struct cuts cuts;
  cuts_of(&cuts, &list, 1, false);
  uint32_t low = 0;
  for (size_t i = 0; i < cuts.count; i++) {
    term part = term_extract(list, low, cuts.ends[i] - low);
    if (is_const(part) != constant) part = term_zero(width_of(part));
    all = all ? term_concat(part, all) : part;
    low = cuts.ends[i];
  }
  cuts_free(&cuts);
  return all;
}

static uint64_t total_of(const term *items, size_t count, uint64_t total);

/* A number with zeros on top that is a sum without a carry. */
static bool is_exact_sum(term a, struct leaves *leaves) {
  leaves->count = 0;
  if (!is_concat(a) || !const_is_zero(arg_of(a, 0))) return false;
  const term sum = arg_of(a, 1);
  if (!is_op(sum, TERM_ADD) || width_of(sum) > 63) return false;
  if (!leaves_add(leaves, TERM_ADD, sum)) return false;
  return total_of(leaves->items, leaves->count, 0) <= width_mask(width_of(sum));
}

static void add_leaf(struct sum *sum, term a) {
  if (is_concat(a) && has_const_part(a)) {
    add_constant(sum, parts_of(a, true));
    a = parts_of(a, false);
  }
  if (sum->leaves.count == MAX_LEAVES)
    sum->has_too_many = true;
  else
    sum->leaves.items[sum->leaves.count++] = a;
}

static void add_to(struct sum *sum, term a) {
  struct leaves leaves = {.count = 0};
  if (is_const(a)) {
    add_constant(sum, a);
  } else if (is_exact_sum(a, &leaves)) {
    for (size_t i = 0; i < leaves.count; i++) add_to(sum, term_zext(leaves.items[i], sum->width));
  } else if (is_op(a, TERM_ADD)) {
    leaves.count = 0;
    if (!leaves_add(&leaves, TERM_ADD, a)) sum->has_too_many = true;
    for (size_t i = 0; i < leaves.count && !sum->has_too_many; i++) add_to(sum, leaves.items[i]);
  } else {
    add_leaf(sum, a);
  }
}

/* At most what 64 bits hold. */
static uint64_t total_of(const term *items, size_t count, uint64_t total) {
  for (size_t i = 0; i < count; i++) {
    const uint64_t most = term_max(items[i]);
    if (most > UINT64_MAX - total) return UINT64_MAX;
    total += most;
  }
  return total;
}

static term sum_of(struct sum *sum);

/* x + x is x in the next place, x + ~x is all ones. */
static bool drop_pair(struct sum *sum, size_t i) {
  const term a = sum->leaves.items[i], b = sum->leaves.items[i + 1];
  if (stripped(a) != stripped(b)) return false;
  leaves_remove(&sum->leaves, i);
  leaves_remove(&sum->leaves, i);
  if (a != b)
    add_constant(sum, term_ones(sum->width));
  else if (sum->width > 1)
    add_to(sum, term_concat(term_extract(a, 0, sum->width - 1), term_zero(1)));
  return true;
}

static void drop_pairs(struct sum *sum) {
  leaves_sort(&sum->leaves);
  for (size_t i = 0; i + 1 < sum->leaves.count;) {
    if (drop_pair(sum, i)) {
      leaves_sort(&sum->leaves);
      i = 0;
    } else {
      i++;
    }
  }
}

/* The same of lists of parts, whose constant parts were taken out; only where something is
 * subtracted, which leaves a constant. */
static bool drop_opposite(struct sum *sum, size_t i) {
  const term opposite = term_not(sum->leaves.items[i]);
  const term rest = parts_of(opposite, false);
  for (size_t j = i + 1; j < sum->leaves.count; j++) {
    if (sum->leaves.items[j] != rest) continue;
    leaves_remove(&sum->leaves, j);
    leaves_remove(&sum->leaves, i);
    add_constant(sum, term_not(parts_of(opposite, true)));
    return true;
  }
  return false;
}

static void drop_opposites(struct sum *sum) {
  for (size_t i = 0; i + 1 < sum->leaves.count;) {
    const bool may = is_concat(sum->leaves.items[i]) && !const_is_zero(sum->constant);
    if (!may || !drop_opposite(sum, i)) i++;
  }
}

static uint32_t zeros_below(term a) {
  while (is_concat(a)) a = arg_of(a, 1);
  if (!is_const(a)) return 0;
  uint32_t count = 0;
  while (count < width_of(a) && !const_bit(a, count)) count++;
  return count;
}

/* All that is added, its constant too. */
static size_t items_of(const struct sum *sum, term *items) {
  size_t count = 0;
  for (; count < sum->leaves.count; count++) items[count] = sum->leaves.items[count];
  if (!const_is_zero(sum->constant)) items[count++] = sum->constant;
  return count;
}

static term sum_of_slices(const term *items, size_t count, uint32_t low, uint32_t width) {
  struct sum sum = empty_sum(width);
  term slices[MAX_LEAVES + 1];
  for (size_t i = 0; i < count; i++) slices[i] = term_extract(items[i], low, width);
  for (size_t i = 0; i < count; i++) add_to(&sum, slices[i]);
  if (!sum.has_too_many) return sum_of(&sum);
  for (size_t i = 1; i < count; i++) slices[0] = term_add(slices[0], slices[i]);
  return slices[0];
}

/* Low bits that are zeros in all but one. */
static term sum_above(const term *items, size_t count, uint32_t width) {
  uint32_t least = width, second = width;
  size_t lowest = 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t zeros = zeros_below(items[i]);
    if (zeros < least) {
      second = least;
      least = zeros;
      lowest = i;
    } else if (zeros < second) {
      second = zeros;
    }
  }
  if (second == 0) return TERM_NONE;
  return term_concat(sum_of_slices(items, count, second, width - second),
                     term_extract(items[lowest], 0, second));
}

static uint32_t log2_up(size_t n) {
  uint32_t log = 0;
  while (((size_t)1 << log) < n) log++;
  return log;
}

static uint32_t size_of_sum(const term *items, size_t count, uint32_t width) {
  if (width <= 64) {
    const uint64_t total = total_of(items, count, 0);
    return total == 0 ? 1 : 64 - (uint32_t)__builtin_clzll(total);
  }
  uint32_t size = 0;
  for (size_t i = 0; i < count; i++)
    if (term_size(items[i]) > size) size = term_size(items[i]);
  return size + log2_up(count);
}

/* One of two constants: where only one part, which is a choice of constants, is not known. */
static bool as_two(term a, term *condition, term *k1, term *k0) {
  if (as_choice(a, condition, k1, k0)) return width_of(a) > 1;
  term list = a;
  while (is_concat(list) && is_const(arg_of(list, 0))) list = arg_of(list, 1);
  const term part = is_concat(list) ? arg_of(list, 0) : list;
  if (is_const(part) || !as_choice(part, condition, k1, k0)) return false;
  if (is_concat(list) && !is_const(arg_of(list, 1))) return false;
  const uint32_t below = width_of(list) - width_of(part), width = width_of(a);
  const uint32_t above = width - width_of(list);
  const term low = below > 0 ? arg_of(list, 1) : TERM_NONE;
  if (low) *k1 = term_concat(*k1, low);
  if (low) *k0 = term_concat(*k0, low);
  if (above == 0) return true;
  *k1 = term_concat(term_extract(a, width - above, above), *k1);
  *k0 = term_concat(term_extract(a, width - above, above), *k0);
  return true;
}

/* A choice of two constants, and a constant. */
static bool sum_of_two(const struct sum *sum, term *result) {
  term c, k1, k0;
  if (sum->leaves.count > 1 || !as_two(sum->leaves.items[0], &c, &k1, &k0)) return false;
  *result = term_ite(c, folded(TERM_ADD, k1, sum->constant), folded(TERM_ADD, k0, sum->constant));
  return true;
}

static term sum_of(struct sum *sum) {
  term items[MAX_LEAVES + 1];
  const uint32_t width = sum->width;
  drop_pairs(sum);
  drop_opposites(sum);
  const size_t count = items_of(sum, items);
  if (count == 0) return sum->constant;
  if (count == 1) return items[0];
  if (width == 1) {
    for (size_t i = 1; i < count; i++) items[0] = term_xor(items[0], items[i]);
    return items[0];
  }
  term result;
  if (sum_of_two(sum, &result)) return result;
  const term above = sum_above(items, count, width);
  if (above) return above;
  const uint32_t size = size_of_sum(items, count, width);
  if (size < width) return term_zext(sum_of_slices(items, count, 0, size), width);
  return leaves_join(TERM_ADD, width, items, count);
}

static term sum_raw(term a, term b) {
  if (is_const(a) || (!is_const(b) && a > b)) {
    const term other = a;
    a = b;
    b = other;
  }
  return term_raw(TERM_ADD, width_of(a), 0, a, b, TERM_NONE);
}

term term_add(term a, term b) {
  const uint32_t width = width_of(a);
  term_check(width == width_of(b), "add", a, b);
  if (const_is_zero(a)) return b;
  if (const_is_zero(b)) return a;
  struct sum sum = empty_sum(width);
  add_to(&sum, a);
  add_to(&sum, b);
  return sum.has_too_many ? sum_raw(a, b) : sum_of(&sum);
}

/* Takes away what is added in the other one, too; whether that was all of it. */
static bool take_away(struct sum *sum, const struct sum *other) {
  for (size_t i = 0; i < other->leaves.count; i++) {
    size_t j = 0;
    while (j < sum->leaves.count && sum->leaves.items[j] != other->leaves.items[i]) j++;
    if (j == sum->leaves.count) return false;
    leaves_remove(&sum->leaves, j);
  }
  return const_is_zero(other->constant);
}

static bool is_sum(term a) {
  struct leaves leaves;
  return is_op(a, TERM_ADD) || is_exact_sum(a, &leaves);
}

/* c ? x + y : x is x + (c ? y : 0). */
static bool adds_if(term c, term more, term less, term *result) {
  struct sum sum = empty_sum(width_of(more)), rest = sum;
  if (!is_sum(more) || is_const(less)) return false;
  add_to(&sum, more);
  add_to(&rest, less);
  if (sum.has_too_many || rest.has_too_many || rest.leaves.count >= sum.leaves.count ||
      !take_away(&sum, &rest))
    return false;
  *result = term_add(less, term_ite(c, sum_of(&sum), term_zero(sum.width)));
  return true;
}

bool share_sum(term c, term a, term b, term *result) {
  return adds_if(c, a, b, result) || adds_if(term_not(c), b, a, result);
}

term term_neg(term a) {
  return term_add(term_not(a), term_const(width_of(a), 1));
}

term term_sub(term a, term b) {
  term_check(width_of(a) == width_of(b), "sub", a, b);
  return a == b ? term_zero(width_of(a)) : term_add(a, term_neg(b));
}

/* --- Products --------------------------------------------------------------------------------- */

static term shifted_up(term a, uint32_t by) {
  const uint32_t width = width_of(a);
  if (by == 0) return a;
  if (by >= width) return term_zero(width);
  return term_concat(term_extract(a, 0, width - by), term_zero(by));
}

static term shifted_down(term a, uint32_t by) {
  const uint32_t width = width_of(a);
  if (by >= width) return term_zero(width);
  return term_zext(term_extract(a, by, width - by), width);
}

static uint32_t size_of_product(term a, term b) {
  const uint32_t size = term_size(a) + term_size(b);
  if (size > 64) return size;
  const uint64_t product =
      term_max(term_extract(a, 0, term_size(a))) * term_max(term_extract(b, 0, term_size(b)));
  return product == 0 ? 1 : 64 - (uint32_t)__builtin_clzll(product);
}

static term product_of(term a, term b) {
  const uint32_t width = width_of(a), low_a = zeros_below(a), low_b = zeros_below(b);
  if (low_a > 0)
    return shifted_up(term_zext(term_mul(term_extract(a, low_a, width - low_a),
                                         term_extract(b, 0, width - low_a)),
                                width),
                      low_a);
  if (low_b > 0) return term_mul(b, a);
  const uint32_t size = size_of_product(a, b);
  if (size < width)
    return term_zext(term_mul(term_extract(a, 0, size), term_extract(b, 0, size)), width);
  const bool swap = is_const(a) || (!is_const(b) && a > b);
  return term_raw(TERM_MUL, width, 0, swap ? b : a, swap ? a : b, TERM_NONE);
}

term term_mul(term a, term b) {
  term_check(width_of(a) == width_of(b), "mul", a, b);
  if (width_of(a) == 1) return term_and(a, b);
  if (is_const(a) && is_const(b)) return folded(TERM_MUL, a, b);
  if (const_is_zero(a) || const_is_zero(b)) return term_zero(width_of(a));
  if (is_const(a) && term_size(a) == 1) return b;
  if (is_const(b) && term_size(b) == 1) return a;
  return product_of(a, b);
}

/* --- Quotients -------------------------------------------------------------------------------- */

static bool is_power_of_2(term k) {
  const uint32_t zeros = zeros_below(k);
  return zeros < width_of(k) && term_size(k) == zeros + 1;
}

static uint32_t wider(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* By 0 it is all ones. */
term term_udiv(term a, term b) {
  const uint32_t width = width_of(a);
  term_check(width == width_of(b), "udiv", a, b);
  if (is_const(a) && is_const(b)) return folded(TERM_UDIV, a, b);
  if (!is_const(b)) return term_raw(TERM_UDIV, width, 0, a, b, TERM_NONE);
  if (const_is_zero(b)) return term_ones(width);
  if (is_power_of_2(b)) return shifted_down(a, zeros_below(b));
  const uint32_t size = term_size(a);
  if (size < term_size(b)) return term_zero(width);
  if (size == width) return term_raw(TERM_UDIV, width, 0, a, b, TERM_NONE);
  return term_zext(term_udiv(term_extract(a, 0, size), term_extract(b, 0, size)), width);
}

/* By 0 it is the number. */
term term_urem(term a, term b) {
  const uint32_t width = width_of(a);
  term_check(width == width_of(b), "urem", a, b);
  if (is_const(a) && is_const(b)) return folded(TERM_UREM, a, b);
  if (const_is_zero(b)) return a;
  if (is_const(b) && is_power_of_2(b)) {
    const uint32_t size = zeros_below(b);
    return size == 0 ? term_zero(width) : term_zext(term_extract(a, 0, size), width);
  }
  if (is_const(b) && term_size(a) < term_size(b)) return a;
  const uint32_t size = wider(term_size(a), term_size(b));
  if (size == width || size == 0) return term_raw(TERM_UREM, width, 0, a, b, TERM_NONE);
  return term_zext(term_urem(term_extract(a, 0, size), term_extract(b, 0, size)), width);
}

/* --- Shifts ----------------------------------------------------------------------------------- */

/* By how much, or the width, if it is more. */
static uint32_t amount_of(term k) {
  const uint64_t *words = term_words(k);
  const uint32_t width = width_of(k);
  return term_size(k) > 32 || words[0] > width ? width : (uint32_t)words[0];
}

term term_shl(term a, term b) {
  const uint32_t width = width_of(a);
  term_check(width == width_of(b), "shl", a, b);
  term c, k1, k0;
  if (const_is_zero(a)) return a;
  if (is_const(b)) return shifted_up(a, amount_of(b));
  if (width == 1) return term_and(a, term_not(b));
  if (as_two(b, &c, &k1, &k0)) return term_ite(c, term_shl(a, k1), term_shl(a, k0));
  return term_raw(TERM_SHL, width, 0, a, b, TERM_NONE);
}

/* As wide as the number is, if that is enough for the amount. */
static bool narrow(term a, term b, uint32_t *size) {
  *size = term_size(a);
  return *size < width_of(a) && *size > 1 && term_size(b) <= *size;
}

term term_lshr(term a, term b) {
  const uint32_t width = width_of(a);
  term_check(width == width_of(b), "lshr", a, b);
  term c, k1, k0;
  uint32_t size;
  if (const_is_zero(a)) return a;
  if (is_const(b)) return shifted_down(a, amount_of(b));
  if (width == 1) return term_and(a, term_not(b));
  if (as_two(b, &c, &k1, &k0)) return term_ite(c, term_lshr(a, k1), term_lshr(a, k0));
  if (narrow(a, b, &size))
    return term_zext(term_lshr(term_extract(a, 0, size), term_extract(b, 0, size)), width);
  return term_raw(TERM_LSHR, width, 0, a, b, TERM_NONE);
}

term term_ashr(term a, term b) {
  const uint32_t width = width_of(a);
  term_check(width == width_of(b), "ashr", a, b);
  if (is_const(a) && is_const(b)) return folded(TERM_ASHR, a, b);
  const term sign = term_extract(a, width - 1, 1);
  if (term_is_false(sign)) return term_lshr(a, b);
  if (term_is_true(sign)) return term_not(term_lshr(term_not(a), b));
  if (width == 1) return a;
  if (!is_const(b)) return term_raw(TERM_ASHR, width, 0, a, b, TERM_NONE);
  const uint32_t by = amount_of(b);
  return by >= width ? term_sext(sign, width) : term_sext(term_extract(a, by, width - by), width);
}
