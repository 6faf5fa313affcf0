/* Values: operations on words, the lowest first, with zeros above the width. */
#include <stdlib.h>
#include <string.h>

#include "engine/term/term_internal.h"

static void trim(uint64_t *out, uint32_t width) {
  const size_t last = words_of(width) - 1;
  out[last] &= width_mask(width - (uint32_t)last * 64);
}

static bool bit_of(const uint64_t *a, uint32_t bit) {
  return (a[bit / 64] >> bit % 64 & 1) != 0;
}

static void clear(uint64_t *out, uint32_t width) {
  memset(out, 0, words_of(width) * sizeof *out);
}

static void set_ones(uint64_t *out, uint32_t width) {
  memset(out, 0xFF, words_of(width) * sizeof *out);
  trim(out, width);
}

static void copy(uint64_t *out, const uint64_t *a, uint32_t width) {
  memcpy(out, a, words_of(width) * sizeof *out);
}

static bool is_zero(const uint64_t *a, uint32_t width) {
  for (size_t i = 0; i < words_of(width); i++)
    if (a[i] != 0) return false;
  return true;
}

static bool is_less(const uint64_t *a, const uint64_t *b, uint32_t width) {
  for (size_t i = words_of(width); i-- > 0;)
    if (a[i] != b[i]) return a[i] < b[i];
  return false;
}

static bool is_less_signed(const uint64_t *a, const uint64_t *b, uint32_t width) {
  const bool negative = bit_of(a, width - 1);
  return negative != bit_of(b, width - 1) ? negative : is_less(a, b, width);
}

/* --- Arithmetic ------------------------------------------------------------------------------- */

static void add(uint64_t *out, const uint64_t *a, const uint64_t *b, uint32_t width) {
  uint64_t carry = 0;
  for (size_t i = 0; i < words_of(width); i++) {
    const uint64_t sum = a[i] + b[i];
    const uint64_t all = sum + carry;
    carry = (uint64_t)(sum < a[i]) | (uint64_t)(all < sum);
    out[i] = all;
  }
  trim(out, width);
}

static void subtract(uint64_t *out, const uint64_t *b, uint32_t width) {
  uint64_t borrow = 0;
  for (size_t i = 0; i < words_of(width); i++) {
    const uint64_t difference = out[i] - b[i];
    const uint64_t all = difference - borrow;
    borrow = (uint64_t)(out[i] < b[i]) | (uint64_t)(difference < borrow);
    out[i] = all;
  }
  trim(out, width);
}

/* By half words, whose products fit. */
static uint32_t half(const uint64_t *a, size_t n) {
  return (uint32_t)(a[n / 2] >> n % 2 * 32);
}

static void multiply(uint64_t *out, const uint64_t *a, const uint64_t *b, uint32_t width) {
  const size_t halves = words_of(width) * 2;
  clear(out, width);
  for (size_t i = 0; i < halves; i++) {
    uint64_t carry = 0;
    if (half(a, i) == 0) continue;
    for (size_t j = 0; i + j < halves; j++) {
      const size_t n = i + j;
      const uint64_t sum = (uint64_t)half(a, i) * half(b, j) + half(out, n) + carry;
      const unsigned shift = n % 2 * 32;
      out[n / 2] = (out[n / 2] & ~((uint64_t)UINT32_MAX << shift)) | (sum & UINT32_MAX) << shift;
      carry = sum >> 32;
    }
  }
  trim(out, width);
}

/* out = out * 2 + bit; returns what falls out on top. */
static bool shift_in(uint64_t *out, bool bit, uint32_t width) {
  const bool top = bit_of(out, width - 1);
  uint64_t carry = bit;
  for (size_t i = 0; i < words_of(width); i++) {
    const uint64_t next = out[i] >> 63;
    out[i] = out[i] << 1 | carry;
    carry = next;
  }
  trim(out, width);
  return top;
}

static void remainder_of(uint64_t *out, const uint64_t *a, const uint64_t *b, uint32_t width,
                         uint64_t *quotient) {
  clear(out, width);
  for (uint32_t i = width; i-- > 0;) {
    const bool over = shift_in(out, bit_of(a, i), width);
    if (!over && is_less(out, b, width)) continue;
    subtract(out, b, width);
    if (quotient) quotient[i / 64] |= (uint64_t)1 << i % 64;
  }
}

static void urem(uint64_t *out, const uint64_t *a, const uint64_t *b, uint32_t width) {
  if (is_zero(b, width))
    copy(out, a, width);
  else
    remainder_of(out, a, b, width, NULL);
}

static void udiv(uint64_t *out, const uint64_t *a, const uint64_t *b, uint32_t width) {
  if (is_zero(b, width)) {
    set_ones(out, width);
    return;
  }
  uint64_t *rest = term_allocate(NULL, words_of(width) * sizeof *rest);
  clear(out, width);
  remainder_of(rest, a, b, width, out);
  free(rest);
}

/* --- Bits in other places --------------------------------------------------------------------- */

/* out[width - 1 : 0] = a[low + width - 1 : low], with zeros above the width of a. */
static void take(uint64_t *out, uint32_t width, const uint64_t *a, uint32_t a_width, uint32_t low) {
  const size_t num = words_of(a_width);
  for (size_t i = 0; i < words_of(width); i++) {
    const size_t n = i + low / 64;
    const unsigned shift = low % 64;
    uint64_t word = n < num ? a[n] >> shift : 0;
    if (shift > 0 && n + 1 < num) word |= a[n + 1] << (64 - shift);
    out[i] = word;
  }
  trim(out, width);
}

/* out |= a << low, which fits. */
static void put(uint64_t *out, uint32_t width, const uint64_t *a, uint32_t a_width, uint32_t low) {
  const unsigned shift = low % 64;
  for (size_t i = 0; i < words_of(a_width); i++) {
    const size_t n = i + low / 64;
    if (n < words_of(width)) out[n] |= a[i] << shift;
    if (shift > 0 && n + 1 < words_of(width)) out[n + 1] |= a[i] >> (64 - shift);
  }
  trim(out, width);
}

/* By how much a shift is, or the width, if it is more. */
static uint32_t amount_of(const uint64_t *a, uint32_t width) {
  for (size_t i = 1; i < words_of(width); i++)
    if (a[i] != 0) return width;
  return a[0] < width ? (uint32_t)a[0] : width;
}

static void shl(uint64_t *out, const uint64_t *a, const uint64_t *b, uint32_t width) {
  const uint32_t by = amount_of(b, width);
  clear(out, width);
  if (by < width) put(out, width, a, width, by);
}

static void lshr(uint64_t *out, const uint64_t *a, const uint64_t *b, uint32_t width) {
  const uint32_t by = amount_of(b, width);
  clear(out, width);
  if (by < width) take(out, width, a, width, by);
}

static void ashr(uint64_t *out, const uint64_t *a, const uint64_t *b, uint32_t width) {
  const bool sign = bit_of(a, width - 1);
  const uint32_t by = amount_of(b, width);
  lshr(out, a, b, width);
  if (!sign) return;
  for (uint32_t i = width - by; i < width; i++) out[i / 64] |= (uint64_t)1 << i % 64;
}

/* --- Nodes ------------------------------------------------------------------------------------ */

static void bitwise(const struct term_node *node, const uint64_t *const args[3], uint64_t *out) {
  for (size_t i = 0; i < words_of(node->width); i++) {
    const uint64_t a = args[0][i];
    if (node->op == TERM_NOT)
      out[i] = ~a;
    else if (node->op == TERM_AND)
      out[i] = a & args[1][i];
    else
      out[i] = node->op == TERM_OR ? a | args[1][i] : a ^ args[1][i];
  }
  trim(out, node->width);
}

static bool compared(const struct term_node *node, const uint64_t *const args[3]) {
  const uint32_t width = width_of(node->args[0]);
  if (node->op == TERM_ULT) return is_less(args[0], args[1], width);
  if (node->op == TERM_SLT) return is_less_signed(args[0], args[1], width);
  return memcmp(args[0], args[1], words_of(width) * sizeof **args) == 0;
}

static void concat(const struct term_node *node, const uint64_t *const args[3], uint64_t *out) {
  const uint32_t low = width_of(node->args[1]);
  clear(out, node->width);
  put(out, node->width, args[1], low, 0);
  put(out, node->width, args[0], width_of(node->args[0]), low);
}

void term_evaluate(const struct term_node *node, const uint64_t *const args[3], uint64_t *out) {
  const uint32_t width = node->width;
  switch ((enum term_op)node->op) {
    case TERM_CONST:
    case TERM_VAR:
      term_unusable("a value of what is no operation");
    case TERM_NOT:
    case TERM_AND:
    case TERM_OR:
    case TERM_XOR:
      bitwise(node, args, out);
      return;
    case TERM_ADD:
      add(out, args[0], args[1], width);
      return;
    case TERM_MUL:
      multiply(out, args[0], args[1], width);
      return;
    case TERM_UDIV:
      udiv(out, args[0], args[1], width);
      return;
    case TERM_UREM:
      urem(out, args[0], args[1], width);
      return;
    case TERM_SHL:
      shl(out, args[0], args[1], width);
      return;
    case TERM_LSHR:
      lshr(out, args[0], args[1], width);
      return;
    case TERM_ASHR:
      ashr(out, args[0], args[1], width);
      return;
    case TERM_EQ:
    case TERM_ULT:
    case TERM_SLT:
      out[0] = compared(node, args);
      return;
    case TERM_ITE:
      copy(out, args[0][0] != 0 ? args[1] : args[2], width);
      return;
    case TERM_CONCAT:
      concat(node, args, out);
      return;
    case TERM_EXTRACT:
      take(out, width, args[0], width_of(node->args[0]), node->low);
      return;
  }
}
