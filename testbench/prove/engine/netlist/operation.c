#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/netlist/reader.h"

static term redand(term a) {
  return term_not(term_any(term_not(a)));
}

/* The halves together, until there is one bit. */
static term redxor(term a) {
  for (uint32_t width = term_width(a); width > 1; width = term_width(a)) {
    const uint32_t half = (width + 1) / 2;
    a = term_xor(term_extract(a, 0, half), term_zext(term_extract(a, half, width - half), half));
  }
  return a;
}

static term inc(term a) {
  return term_add(a, term_const(term_width(a), 1));
}

static term dec(term a) {
  return term_sub(a, term_const(term_width(a), 1));
}

static term nand(term a, term b) {
  return term_not(term_and(a, b));
}

static term nor(term a, term b) {
  return term_not(term_or(a, b));
}

static term xnor(term a, term b) {
  return term_not(term_xor(a, b));
}

static term neq(term a, term b) {
  return term_not(term_eq(a, b));
}

static term ugt(term a, term b) {
  return term_ult(b, a);
}

static term ugte(term a, term b) {
  return term_ule(b, a);
}

static term sgt(term a, term b) {
  return term_slt(b, a);
}

static term sgte(term a, term b) {
  return term_sle(b, a);
}

/* ID OP SORT A */
static bool read_unary(const struct reader *reader, const struct operation *operation,
                       uint32_t bits, term *result) {
  (void)bits;
  term a;
  if (!reader_expect_fields(reader, 4, 5) || !reader_value(reader, reader->fields[3], &a))
    return false;
  *result = operation->unary(a);
  return true;
}

/* ID OP SORT A B */
static bool read_two(const struct reader *reader, term *a, term *b) {
  return reader_expect_fields(reader, 5, 6) && reader_value(reader, reader->fields[3], a) &&
         reader_value(reader, reader->fields[4], b);
}

static bool read_binary(const struct reader *reader, const struct operation *operation,
                        uint32_t bits, term *result) {
  (void)bits;
  term a, b;
  if (!read_two(reader, &a, &b)) return false;
  if (term_width(a) != term_width(b))
    return reader_fail(reader, "%s: of %u and %u bits", operation->name, term_width(a),
                       term_width(b));
  *result = operation->binary(a, b);
  return true;
}

/* Of conditions. */
static bool read_logical(const struct reader *reader, const struct operation *operation,
                         uint32_t bits, term *result) {
  (void)bits;
  term a, b;
  if (!read_two(reader, &a, &b)) return false;
  if (term_width(a) != 1 || term_width(b) != 1)
    return reader_fail(reader, "%s: of several bits", operation->name);
  *result = operation->binary(a, b);
  return true;
}

static bool read_concat(const struct reader *reader, const struct operation *operation,
                        uint32_t bits, term *result) {
  (void)operation, (void)bits;
  term a, b;
  if (!read_two(reader, &a, &b)) return false;
  *result = term_concat(a, b);
  return true;
}

/* ID ite SORT CONDITION A B */
static bool read_ite(const struct reader *reader, const struct operation *operation, uint32_t bits,
                     term *result) {
  (void)operation, (void)bits;
  term condition, a, b;
  if (!reader_expect_fields(reader, 6, 6) || !reader_value(reader, reader->fields[3], &condition) ||
      !reader_value(reader, reader->fields[4], &a) || !reader_value(reader, reader->fields[5], &b))
    return false;
  if (term_width(condition) != 1 || term_width(a) != term_width(b))
    return reader_fail(reader, "ite: of %u, %u and %u bits", term_width(condition), term_width(a),
                       term_width(b));
  *result = term_ite(condition, a, b);
  return true;
}

/* ID slice SORT A HIGH LOW */
static bool read_slice(const struct reader *reader, const struct operation *operation,
                       uint32_t bits, term *result) {
  (void)operation, (void)bits;
  term a;
  uint32_t high, low;
  if (!reader_expect_fields(reader, 6, 6) || !reader_value(reader, reader->fields[3], &a) ||
      !reader_number(reader, reader->fields[4], &high) ||
      !reader_number(reader, reader->fields[5], &low))
    return false;
  if (low > high || high >= term_width(a))
    return reader_fail(reader, "slice: [%u:%u] of %u bits", high, low, term_width(a));
  *result = term_extract(a, low, high - low + 1);
  return true;
}

/* ID uext SORT A BY: Yosys gives values further names by BY = 0. */
static bool read_extension(const struct reader *reader, const struct operation *operation,
                           uint32_t bits, term *result) {
  term a;
  uint32_t by;
  if (!reader_expect_fields(reader, 5, 6) || !reader_value(reader, reader->fields[3], &a) ||
      !reader_number(reader, reader->fields[4], &by))
    return false;
  if (term_width(a) + by != bits)
    return reader_fail(reader, "%s: %u and %u bits, its sort has %u", operation->name,
                       term_width(a), by, bits);
  *result = operation->extend(a, bits);
  return true;
}

static bool digit_of(char character, unsigned base, unsigned *digit) {
  static const char digits[] = "0123456789abcdef";
  const char lower =
      (char)(character >= 'A' && character <= 'F' ? character - 'A' + 'a' : character);
  const char *at = memchr(digits, lower, base);
  *digit = at ? (unsigned)(at - digits) : 0;
  return at != NULL;
}

/* words = words * base + digit. Whether it fits. */
static bool append_digit(uint64_t *words, size_t num_words, unsigned base, unsigned digit) {
  uint64_t carry = digit;
  for (size_t i = 0; i < num_words; i++) {
    const uint64_t low = (words[i] & UINT32_MAX) * base + carry;
    const uint64_t high = (words[i] >> 32) * base + (low >> 32);
    words[i] = high << 32 | (low & UINT32_MAX);
    carry = high >> 32;
  }
  return carry == 0;
}

/* ID const SORT DIGITS */
static bool read_digits(const struct reader *reader, const struct operation *operation,
                        uint32_t bits, term *result) {
  if (!reader_expect_fields(reader, 4, 5)) return false;
  const char *digits = reader->fields[3];
  const size_t num_words = (bits + 63) / 64;
  uint64_t *words = checked(calloc(num_words, sizeof *words));
  bool is_good = true;
  for (const char *at = digits; is_good && *at; at++) {
    unsigned digit;
    is_good = digit_of(*at, operation->base, &digit) &&
              append_digit(words, num_words, operation->base, digit);
  }
  if (bits % 64) is_good = is_good && words[num_words - 1] >> bits % 64 == 0;
  if (is_good) *result = term_const_words(bits, words);
  free(words);
  return is_good || reader_fail(reader, "%s: expected a constant of %u bits", digits, bits);
}

/* ID zero SORT: the operation on 0. */
static bool read_constant(const struct reader *reader, const struct operation *operation,
                          uint32_t bits, term *result) {
  if (!reader_expect_fields(reader, 3, 4)) return false;
  *result = operation->unary(term_const(bits, 0));
  return true;
}

static term same(term a) {
  return a;
}

#define UNARY(name, make) \
  { name, read_unary, make, NULL, NULL, 0 }
#define BINARY(name, make) \
  { name, read_binary, NULL, make, NULL, 0 }
#define LOGICAL(name, make) \
  { name, read_logical, NULL, make, NULL, 0 }
#define EXTENSION(name, make) \
  { name, read_extension, NULL, NULL, make, 0 }
#define DIGITS(name, base) \
  { name, read_digits, NULL, NULL, NULL, base }
#define CONSTANT(name, make) \
  { name, read_constant, make, NULL, NULL, 0 }
#define OTHER(name, read) \
  { name, read, NULL, NULL, NULL, 0 }
static const struct operation operations[] = {
    OTHER("ite", read_ite),
    OTHER("slice", read_slice),
    OTHER("concat", read_concat),
    EXTENSION("uext", term_zext),
    EXTENSION("sext", term_sext),
    DIGITS("const", 2),
    DIGITS("constd", 10),
    DIGITS("consth", 16),
    CONSTANT("zero", same),
    CONSTANT("one", inc),
    CONSTANT("ones", term_not),
    UNARY("not", term_not),
    UNARY("neg", term_neg),
    UNARY("inc", inc),
    UNARY("dec", dec),
    UNARY("redor", term_any),
    UNARY("redand", redand),
    UNARY("redxor", redxor),
    BINARY("and", term_and),
    BINARY("or", term_or),
    BINARY("xor", term_xor),
    BINARY("nand", nand),
    BINARY("nor", nor),
    BINARY("xnor", xnor),
    BINARY("add", term_add),
    BINARY("sub", term_sub),
    BINARY("mul", term_mul),
    BINARY("udiv", term_udiv),
    BINARY("urem", term_urem),
    BINARY("sll", term_shl),
    BINARY("srl", term_lshr),
    BINARY("sra", term_ashr),
    BINARY("eq", term_eq),
    BINARY("neq", neq),
    BINARY("ult", term_ult),
    BINARY("ulte", term_ule),
    BINARY("ugt", ugt),
    BINARY("ugte", ugte),
    BINARY("slt", term_slt),
    BINARY("slte", term_sle),
    BINARY("sgt", sgt),
    BINARY("sgte", sgte),
    LOGICAL("implies", term_implies),
    LOGICAL("iff", term_eq),
};

const struct operation *operation_find(const char *name) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (!strcmp(name, operations[i].name)) return &operations[i];
  return NULL;
}
