#include "engine/symex/operation.h"

#include <string.h>

#include "engine/symex/choice.h"
#include "engine/symex/compare.h"

static term bit_of(term a, uint32_t bit) {
  return term_extract(a, bit, 1);
}

static term sign_of(term a) {
  return bit_of(a, term_width(a) - 1);
}

/* ---- Binary ---- */

static term absolute(term a) {
  return term_ite(sign_of(a), term_neg(a), a);
}

static term signed_divide(term a, term b) {
  const term quotient = term_udiv(absolute(a), absolute(b));
  return term_ite(term_xor(sign_of(a), sign_of(b)), term_neg(quotient), quotient);
}

static term signed_remainder(term a, term b) {
  const term rest = term_urem(absolute(a), absolute(b));
  return term_ite(sign_of(a), term_neg(rest), rest);
}

/* What is the same on top of both is nothing in the difference. */
static uint32_t without_same_top(term a, term b) {
  const uint32_t width = term_width(a);
  uint32_t low = width;
  const struct term_node node = *term_node(b);
  if (node.op == TERM_CONCAT) low = term_width(node.args[1]);
  uint64_t zero;
  if (low < width && term_is_const(node.args[0], &zero) && zero == 0) {
    const struct term_node rest = *term_node(node.args[1]);
    if (rest.op == TERM_CONCAT) low = term_width(rest.args[1]);
  }
  if (low == width) return width;
  const term top = term_extract(a, low, width - low);
  const bool is_same = top == term_extract(b, low, width - low);
  return is_same && (width - low > 64 || !term_is_const(top, &zero)) ? low : width;
}

static term difference(term a, term b) {
  const uint32_t width = term_width(a), low = without_same_top(a, b);
  if (low < width)
    return difference(term_zext(term_extract(a, 0, low), width),
                      term_zext(term_extract(b, 0, low), width));
  const term bare = term_node(b)->op == TERM_CONCAT ? term_node(b)->args[1] : b;
  const struct term_node node = *term_node(bare);
  if (node.op != TERM_ITE || (bare != b && term_zext(bare, width) != b)) return term_sub(a, b);
  const term if_true = term_zext(node.args[1], width), if_false = term_zext(node.args[2], width);
  if (if_true != a && if_false != a) return term_sub(a, b);
  return term_ite(node.args[0], term_sub(a, if_true), term_sub(a, if_false));
}

static term subtract(term a, term b) {
  const uint32_t width = term_width(a);
  const term result = difference(a, b), ones = term_not(term_const(width, 0));
  const term negative = term_neg(b);
  choice_see(negative, TERM_MUL, 0, b, ones);
  choice_see(result, TERM_ADD, 0, a, negative);
  return result;
}

static term seen(enum term_op op, term a, term b, term result) {
  choice_see(result, op, 0, a, b);
  return result;
}

term operation_binary(LLVMOpcode opcode, term a, term b) {
  switch (opcode) {
    case LLVMAdd:
      return seen(TERM_ADD, a, b, term_add(a, b));
    case LLVMSub:
      return subtract(a, b);
    case LLVMMul:
      return seen(TERM_MUL, a, b, term_mul(a, b));
    case LLVMUDiv:
      return seen(TERM_UDIV, a, b, term_udiv(a, b));
    case LLVMSDiv:
      return signed_divide(a, b);
    case LLVMURem:
      return seen(TERM_UREM, a, b, term_urem(a, b));
    case LLVMSRem:
      return signed_remainder(a, b);
    case LLVMShl:
      return seen(TERM_SHL, a, b, term_shl(a, b));
    case LLVMLShr:
      return seen(TERM_LSHR, a, b, term_lshr(a, b));
    case LLVMAShr:
      return seen(TERM_ASHR, a, b, term_ashr(a, b));
    case LLVMAnd:
      return seen(TERM_AND, a, b, term_and(a, b));
    case LLVMOr:
      return seen(TERM_OR, a, b, term_or(a, b));
    case LLVMXor:
      return seen(TERM_XOR, a, b, term_xor(a, b));
    default:
      return TERM_NONE;
  }
}

/* ---- Comparisons ---- */

static term decided(enum term_op op, term a, term b, term compared) {
  uint64_t value;
  if (term_is_const(compared, &value) || term_width(a) > 64) return compared;
  const term decision = choice_compare(op, a, b);
  if (decision != TERM_NONE) compared = decision;
  compare_note(compared, op, a, b);
  return compared;
}

static term equal(term a, term b) {
  return decided(TERM_EQ, a, b, term_eq(a, b));
}
static term unsigned_less(term a, term b) {
  return decided(TERM_ULT, a, b, term_ult(a, b));
}
static term signed_less(term a, term b) {
  return decided(TERM_SLT, a, b, term_slt(a, b));
}

static term opposite(term condition) {
  const term result = term_not(condition);
  choice_see(result, TERM_NOT, 0, condition, TERM_NONE);
  return result;
}

term operation_compare(LLVMIntPredicate predicate, term a, term b) {
  switch (predicate) {
    case LLVMIntEQ:
      return equal(a, b);
    case LLVMIntNE:
      return opposite(equal(a, b));
    case LLVMIntULT:
      return unsigned_less(a, b);
    case LLVMIntUGT:
      return unsigned_less(b, a);
    case LLVMIntULE:
      return opposite(unsigned_less(b, a));
    case LLVMIntUGE:
      return opposite(unsigned_less(a, b));
    case LLVMIntSLT:
      return signed_less(a, b);
    case LLVMIntSGT:
      return signed_less(b, a);
    case LLVMIntSLE:
      return opposite(signed_less(b, a));
    case LLVMIntSGE:
      return opposite(signed_less(a, b));
    default:
      return TERM_NONE;
  }
}

/* ---- Casts ---- */

static term truncate(term a, uint32_t width) {
  const term result = term_extract(a, 0, width);
  choice_see(result, TERM_EXTRACT, 0, a, TERM_NONE);
  return result;
}

static term extend(term a, uint32_t width) {
  const term result = term_zext(a, width);
  choice_see_same(result, a);
  return result;
}

/* Shifted up as a wider one, and down again. */
static term extend_signed(term a, uint32_t width) {
  const term result = term_sext(a, width);
  if (width > 64 || choice_seen(a) == CHOICE_NONE) return result;
  const term amount = term_const(width, width - term_width(a));
  const term high = operation_binary(LLVMShl, extend(a, width), amount);
  choice_see(result, TERM_ASHR, 0, high, amount);
  return result;
}

term operation_cast(LLVMOpcode opcode, term a, uint32_t width) {
  switch (opcode) {
    case LLVMTrunc:
      return truncate(a, width);
    case LLVMZExt:
      return extend(a, width);
    case LLVMSExt:
      return extend_signed(a, width);
    case LLVMPtrToInt:
    case LLVMIntToPtr:
      return width > term_width(a) ? extend(a, width) : truncate(a, width);
    case LLVMBitCast:
      return width == term_width(a) ? a : TERM_NONE;
    default:
      return TERM_NONE;
  }
}

/* ---- Intrinsics ---- */

static term count_ones(term a) {
  const uint32_t width = term_width(a);
  term count = term_zext(bit_of(a, 0), width);
  for (uint32_t bit = 1; bit < width; bit++)
    count = term_add(count, term_zext(bit_of(a, bit), width));
  return count;
}

/* Zeros below, or above, the first 1; all of them where there is none. */
static term count_zeros(term a, bool from_top) {
  const uint32_t width = term_width(a);
  term count = term_const(width, width);
  for (uint32_t zeros = width; zeros-- > 0;)
    count =
        term_ite(bit_of(a, from_top ? width - 1 - zeros : zeros), term_const(width, zeros), count);
  return count;
}

static term reversed(term a, uint32_t unit) {
  term result = term_extract(a, 0, unit);
  for (uint32_t low = unit; low < term_width(a); low += unit)
    result = term_concat(result, term_extract(a, low, unit));
  return result;
}

/* The top of {a, b} shifted left, or the bottom of it shifted right, by c modulo the width. */
static term funnel(term a, term b, term c, bool left) {
  const uint32_t width = term_width(a);
  const term amount = term_zext(term_urem(c, term_const(width, width)), 2 * width);
  const term both = term_concat(a, b);
  return left ? term_extract(term_shl(both, amount), width, width)
              : term_extract(term_lshr(both, amount), 0, width);
}

static term unary(const char *name, term a) {
  if (strcmp(name, "ctpop") == 0) return count_ones(a);
  if (strcmp(name, "ctlz") == 0) return count_zeros(a, true);
  if (strcmp(name, "cttz") == 0) return count_zeros(a, false);
  if (strcmp(name, "bswap") == 0) return reversed(a, 8);
  if (strcmp(name, "bitreverse") == 0) return reversed(a, 1);
  if (strcmp(name, "abs") == 0) return absolute(a);
  return TERM_NONE;
}

static term saturated(const char *name, term a, term b) {
  const uint32_t width = term_width(a);
  if (strcmp(name, "usub.sat") == 0)
    return term_ite(term_ult(a, b), term_const(width, 0), term_sub(a, b));
  const term sum = term_add(a, b);
  if (strcmp(name, "uadd.sat") == 0)
    return term_ite(term_ult(sum, a), term_not(term_const(width, 0)), sum);
  return TERM_NONE;
}

static term binary(const char *name, term a, term b) {
  if (strcmp(name, "umin") == 0) return term_ite(unsigned_less(a, b), a, b);
  if (strcmp(name, "umax") == 0) return term_ite(unsigned_less(a, b), b, a);
  if (strcmp(name, "smin") == 0) return term_ite(signed_less(a, b), a, b);
  if (strcmp(name, "smax") == 0) return term_ite(signed_less(a, b), b, a);
  return saturated(name, a, b);
}

term operation_intrinsic(const char *name, const term *arguments, size_t num_arguments) {
  char stem[32];
  const char *types = strstr(name, ".i");
  const size_t length = types == NULL ? strlen(name) : (size_t)(types - name);
  if (length >= sizeof stem) return TERM_NONE;
  memcpy(stem, name, length);
  stem[length] = '\0';
  term result = TERM_NONE;
  if (num_arguments > 0) result = unary(stem, arguments[0]);
  if (result == TERM_NONE && num_arguments == 2) result = binary(stem, arguments[0], arguments[1]);
  if (num_arguments == 3 && (strcmp(stem, "fshl") == 0 || strcmp(stem, "fshr") == 0))
    result = funnel(arguments[0], arguments[1], arguments[2], strcmp(stem, "fshl") == 0);
  return result;
}

/* ---- Promises ---- */

static uint64_t largest(uint32_t width) {
  return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* Whether a result of small arguments is below a limit, as far as that can be seen without a proof.
 */
static bool is_below(LLVMOpcode opcode, term a, term b, uint64_t limit) {
  const uint64_t max_a = term_max(a), max_b = term_max(b);
  uint64_t result;
  switch (opcode) {
    case LLVMAdd:
      return !__builtin_add_overflow(max_a, max_b, &result) && result <= limit;
    case LLVMMul:
      return !__builtin_mul_overflow(max_a, max_b, &result) && result <= limit;
    case LLVMShl:
      return max_b < 64 && max_a <= limit >> max_b;
    default:
      return false;
  }
}

/* That the result is what it is of wider arguments. */
static term is_exact(LLVMOpcode opcode, term a, term b, bool is_signed) {
  const uint32_t width = term_width(a);
  const uint32_t wide = opcode == LLVMAdd || opcode == LLVMSub ? width + 1 : 2 * width;
  const term narrow = operation_binary(opcode, a, b);
  if (opcode == LLVMShl) {
    const term back = is_signed ? term_ashr(term_shl(a, b), b) : term_lshr(term_shl(a, b), b);
    return term_eq(back, a);
  }
  const term wide_a = is_signed ? term_sext(a, wide) : term_zext(a, wide);
  const term wide_b = is_signed ? term_sext(b, wide) : term_zext(b, wide);
  return term_eq(operation_binary(opcode, wide_a, wide_b),
                 is_signed ? term_sext(narrow, wide) : term_zext(narrow, wide));
}

static term no_unsigned_wrap(LLVMOpcode opcode, term a, term b) {
  if (opcode == LLVMSub) return term_ule(b, a);
  if (term_width(a) <= 64 && is_below(opcode, a, b, largest(term_width(a)))) return TERM_TRUE;
  return is_exact(opcode, a, b, false);
}

static term no_signed_wrap(LLVMOpcode opcode, term a, term b) {
  const uint32_t width = term_width(a);
  if (width <= 64) {
    const uint64_t limit = largest(width - 1);
    if (opcode == LLVMSub && term_max(a) <= limit && term_max(b) <= limit) return TERM_TRUE;
    if (is_below(opcode, a, b, limit)) return TERM_TRUE;
  }
  return is_exact(opcode, a, b, true);
}

static term lowest(uint32_t width) {
  return term_shl(term_const(width, 1), term_const(width, width - 1));
}

static size_t divide_promises(bool is_signed, term a, term b, struct promise made[MAX_PROMISES]) {
  const uint32_t width = term_width(a);
  const term zero = term_const(width, 0);
  made[0] = (struct promise){term_not(term_eq(b, zero)), "division by 0"};
  if (!is_signed) return 1;
  const term overflows = term_and(term_eq(a, lowest(width)), term_eq(b, term_not(zero)));
  made[1] = (struct promise){term_not(overflows), "division overflow"};
  return 2;
}

bool operation_is_shift(LLVMOpcode opcode) {
  return opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
}

static struct promise shift_promise(term a, term b) {
  const uint32_t width = term_width(a);
  const bool is_small = width <= 64 && term_max(b) < width;
  return (struct promise){is_small ? TERM_TRUE : term_ult(b, term_const(width, width)),
                          "shift amount"};
}

/* Nothing is shifted or divided away. */
static term without_rest(LLVMOpcode opcode, term a, term b) {
  if (opcode == LLVMUDiv) return term_not(term_any(term_urem(a, b)));
  if (opcode == LLVMSDiv) return term_not(term_any(signed_remainder(a, b)));
  return term_eq(term_shl(term_lshr(a, b), b), a);
}

size_t operation_promises(LLVMOpcode opcode, unsigned promises, term a, term b,
                          struct promise made[MAX_PROMISES]) {
  size_t count = 0;
  if (opcode == LLVMUDiv || opcode == LLVMURem || opcode == LLVMSDiv || opcode == LLVMSRem)
    count = divide_promises(opcode == LLVMSDiv || opcode == LLVMSRem, a, b, made);
  if ((promises & NO_UNSIGNED_WRAP) != 0)
    made[count++] = (struct promise){no_unsigned_wrap(opcode, a, b), "unsigned overflow"};
  if ((promises & NO_SIGNED_WRAP) != 0)
    made[count++] = (struct promise){no_signed_wrap(opcode, a, b), "signed overflow"};
  if ((promises & EXACT) != 0)
    made[count++] = (struct promise){without_rest(opcode, a, b), "a rest"};
  if (operation_is_shift(opcode)) made[count++] = shift_promise(a, b);
  return count;
}

/* Where their second argument says so. */
size_t operation_intrinsic_promises(const char *name, const term *arguments, size_t num_arguments,
                                    struct promise made[MAX_PROMISES]) {
  const bool is_abs = strncmp(name, "abs.", 4) == 0;
  const bool is_zeros = strncmp(name, "ctlz.", 5) == 0 || strncmp(name, "cttz.", 5) == 0;
  if ((!is_abs && !is_zeros) || num_arguments != 2 || term_is_false(arguments[1])) return 0;
  if (is_zeros)
    made[0] = (struct promise){term_any(arguments[0]), "zeros of 0"};
  else
    made[0] = (struct promise){term_not(term_eq(arguments[0], lowest(term_width(arguments[0])))),
                               "signed overflow"};
  return 1;
}
