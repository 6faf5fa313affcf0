#include "engine/sat/blast.h"

#include <stdlib.h>
#include <string.h>

#include "engine/term/checked.h"

enum { CHUNK_BITS = 1 << 14 };

struct chunk {
  struct chunk *next;
  int bits[];
};

struct blaster {
  struct cnf *cnf;
  int **of; /* by term; NULL: not made yet */
  size_t num_terms;
  struct chunk *chunks;
  size_t left; /* bits in the first chunk */
  term *stack; /* terms to be made, after those above them */
  size_t depth, capacity;
};

/* ---- Memory ---- */

struct blaster *blaster_new(struct cnf *cnf) {
  struct blaster *blaster = checked(calloc(1, sizeof *blaster));
  blaster->cnf = cnf;
  return blaster;
}

void blaster_free(struct blaster *blaster) {
  if (!blaster) return;
  while (blaster->chunks) {
    struct chunk *next = blaster->chunks->next;
    free(blaster->chunks);
    blaster->chunks = next;
  }
  free(blaster->of);
  free(blaster->stack);
  free(blaster);
}

/* Memory that is not touched stays unused: most terms are never made. */
static void make_room(struct blaster *blaster, term a) {
  if (a < blaster->num_terms) return;
  const size_t size = term_count() + 1 + blaster->num_terms / 2;
  int **of = checked(calloc(size, sizeof *of));
  if (blaster->num_terms > 0) memcpy(of, blaster->of, blaster->num_terms * sizeof *of);
  free(blaster->of);
  blaster->of = of;
  blaster->num_terms = size;
}

static int *bits_for(struct blaster *blaster, uint32_t width) {
  if (width > blaster->left) {
    const size_t size = width > CHUNK_BITS ? width : CHUNK_BITS;
    struct chunk *chunk = checked(malloc(sizeof *chunk + size * sizeof *chunk->bits));
    chunk->next = blaster->chunks;
    blaster->chunks = chunk;
    blaster->left = size;
  }
  blaster->left -= width;
  return blaster->chunks->bits + blaster->left;
}

static void push(struct blaster *blaster, term a) {
  if (blaster->depth == blaster->capacity) {
    blaster->capacity = 2 * blaster->capacity + 256;
    blaster->stack = checked(realloc(blaster->stack, blaster->capacity * sizeof *blaster->stack));
  }
  blaster->stack[blaster->depth++] = a;
}

static int *copy_of(const int *bits, uint32_t width) {
  int *copy = checked(malloc(width * sizeof *copy));
  memcpy(copy, bits, width * sizeof *copy);
  return copy;
}

/* ---- Sums ---- */

/* out = a + b + carry, whose carry is returned. */
static int add(struct cnf *cnf, int *out, const int *a, const int *b, int carry, uint32_t width) {
  for (uint32_t i = 0; i < width; i++) {
    const int x = a[i], y = b[i];
    out[i] = cnf_xor(cnf, cnf_xor(cnf, x, y), carry);
    carry = cnf_majority(cnf, x, y, carry);
  }
  return carry;
}

/* The sum of a, shifted to each bit that is set in b. */
static void multiply(struct cnf *cnf, int *out, const int *a, const int *b, uint32_t width) {
  int *row = checked(malloc(width * sizeof *row));
  for (uint32_t i = 0; i < width; i++) out[i] = cnf_and(cnf, a[i], b[0]);
  for (uint32_t low = 1; low < width; low++) {
    if (b[low] == LITERAL_FALSE) continue;
    for (uint32_t i = 0; i < width - low; i++) row[i] = cnf_and(cnf, a[i], b[low]);
    add(cnf, out + low, out + low, row, LITERAL_FALSE, width - low);
  }
  free(row);
}

/* As on paper: a bit of a is brought down, and b taken away where it fits. 0 always fits: the
 * quotient is all ones then, and the remainder is a. */
static void divide(struct cnf *cnf, int *quotient, int *rest, const int *a, const int *b,
                   uint32_t width) {
  const size_t size = (width + 1) * sizeof *rest;
  int *from = checked(malloc(size)), *minus = checked(malloc(size));
  int *difference = checked(malloc(size));
  for (uint32_t i = 0; i < width; i++) {
    rest[i] = LITERAL_FALSE;
    minus[i] = -b[i];
  }
  minus[width] = LITERAL_TRUE;
  for (uint32_t n = width; n-- > 0;) {
    memcpy(from + 1, rest, width * sizeof *rest);
    from[0] = a[n];
    const int fits = add(cnf, difference, from, minus, LITERAL_TRUE, width + 1);
    quotient[n] = fits;
    for (uint32_t i = 0; i < width; i++) rest[i] = cnf_ite(cnf, fits, difference[i], from[i]);
  }
  free(from);
  free(difference);
  free(minus);
}

static void divided(struct cnf *cnf, const struct term_node *node, int *out, const int *a,
                    const int *b) {
  int *other = checked(malloc(node->width * sizeof *other));
  if (node->op == TERM_UDIV)
    divide(cnf, out, other, a, b, node->width);
  else
    divide(cnf, other, out, a, b, node->width);
  free(other);
}

/* ---- Comparisons ---- */

static int is_equal(struct cnf *cnf, const int *a, const int *b, uint32_t width) {
  int *same = checked(malloc(width * sizeof *same));
  for (uint32_t i = 0; i < width; i++) same[i] = -cnf_xor(cnf, a[i], b[i]);
  const int all = cnf_and_all(cnf, same, width);
  free(same);
  return all;
}

/* The highest bit that differs decides. Where numbers have a sign, it counts the other way. */
static int is_less(struct cnf *cnf, const int *a, const int *b, uint32_t width, bool has_sign) {
  int less = LITERAL_FALSE;
  for (uint32_t i = 0; i < width; i++) {
    const bool is_sign = has_sign && i == width - 1;
    less = cnf_majority(cnf, is_sign ? a[i] : -a[i], is_sign ? -b[i] : b[i], less);
  }
  return less;
}

/* ---- Shifts ---- */

/* out = out shifted by so many bits where the literal is true; fill comes in. */
static void shift_if(struct cnf *cnf, int *out, uint32_t width, uint32_t by, int literal,
                     bool to_left, int fill) {
  int *from = copy_of(out, width);
  for (uint32_t i = 0; i < width; i++) {
    const bool is_inside = to_left ? i >= by : by < width - i;
    const int shifted = is_inside ? from[to_left ? i - by : i + by] : fill;
    out[i] = cnf_ite(cnf, literal, shifted, from[i]);
  }
  free(from);
}

/* A bit of the amount after the other. Those that are worth the width or more, and the largest
 * amounts of the others, shift everything out. */
static void shift(struct cnf *cnf, const struct term_node *node, int *out, const int *a,
                  const int *amount) {
  const uint32_t width = node->width;
  const bool to_left = node->op == TERM_SHL;
  const int fill = node->op == TERM_ASHR ? a[width - 1] : LITERAL_FALSE;
  int is_beyond = LITERAL_FALSE;
  memcpy(out, a, width * sizeof *out);
  for (uint32_t n = 0; n < width; n++) {
    if (n < 31 && (uint32_t)1 << n < width)
      shift_if(cnf, out, width, (uint32_t)1 << n, amount[n], to_left, fill);
    else
      is_beyond = cnf_or(cnf, is_beyond, amount[n]);
  }
  shift_if(cnf, out, width, width, is_beyond, to_left, fill);
}

/* ---- Terms ---- */

static void constant(int *out, term a, uint32_t width) {
  const uint64_t *words = term_words(a);
  for (uint32_t i = 0; i < width; i++)
    out[i] = words[i / 64] >> i % 64 & 1 ? LITERAL_TRUE : LITERAL_FALSE;
}

static void bitwise(struct cnf *cnf, const struct term_node *node, int *out, const int *a,
                    const int *b) {
  for (uint32_t i = 0; i < node->width; i++) {
    if (node->op == TERM_NOT)
      out[i] = -a[i];
    else if (node->op == TERM_AND)
      out[i] = cnf_and(cnf, a[i], b[i]);
    else
      out[i] = node->op == TERM_OR ? cnf_or(cnf, a[i], b[i]) : cnf_xor(cnf, a[i], b[i]);
  }
}

static void choose(struct cnf *cnf, int *out, const int *const args[3], uint32_t width) {
  for (uint32_t i = 0; i < width; i++) out[i] = cnf_ite(cnf, args[0][0], args[1][i], args[2][i]);
}

static void concat(int *out, const struct term_node *node, const int *high, const int *low) {
  const uint32_t low_width = term_width(node->args[1]);
  memcpy(out, low, low_width * sizeof *out);
  memcpy(out + low_width, high, (node->width - low_width) * sizeof *out);
}

static void make(struct blaster *blaster, term a, int *out) {
  struct cnf *cnf = blaster->cnf;
  const struct term_node *node = term_node(a);
  const int *args[3] = {NULL, NULL, NULL};
  for (unsigned i = 0; i < 3 && node->args[i]; i++) args[i] = blaster->of[node->args[i]];
  switch ((enum term_op)node->op) {
    case TERM_CONST:
      constant(out, a, node->width);
      return;
    case TERM_VAR:
      for (uint32_t i = 0; i < node->width; i++) out[i] = cnf_variable(cnf);
      return;
    case TERM_NOT:
    case TERM_AND:
    case TERM_OR:
    case TERM_XOR:
      bitwise(cnf, node, out, args[0], args[1]);
      return;
    case TERM_ADD:
      add(cnf, out, args[0], args[1], LITERAL_FALSE, node->width);
      return;
    case TERM_MUL:
      multiply(cnf, out, args[0], args[1], node->width);
      return;
    case TERM_UDIV:
    case TERM_UREM:
      divided(cnf, node, out, args[0], args[1]);
      return;
    case TERM_SHL:
    case TERM_LSHR:
    case TERM_ASHR:
      shift(cnf, node, out, args[0], args[1]);
      return;
    case TERM_EQ:
      *out = is_equal(cnf, args[0], args[1], term_width(node->args[0]));
      return;
    case TERM_ULT:
    case TERM_SLT:
      *out = is_less(cnf, args[0], args[1], term_width(node->args[0]), node->op == TERM_SLT);
      return;
    case TERM_ITE:
      choose(cnf, out, args, node->width);
      return;
    case TERM_CONCAT:
      concat(out, node, args[0], args[1]);
      return;
    case TERM_EXTRACT:
      memcpy(out, args[0] + node->low, node->width * sizeof *out);
      return;
  }
}

/* Pushes the arguments that are not made yet. */
static bool has_arguments(struct blaster *blaster, const struct term_node *node) {
  const size_t depth = blaster->depth;
  for (unsigned i = 0; i < 3 && node->args[i]; i++)
    if (!blaster->of[node->args[i]]) push(blaster, node->args[i]);
  return blaster->depth == depth;
}

const int *blast(struct blaster *blaster, term a) {
  make_room(blaster, a);
  push(blaster, a);
  while (blaster->depth > 0) {
    const term top = blaster->stack[blaster->depth - 1];
    if (!blaster->of[top]) {
      if (!has_arguments(blaster, term_node(top))) continue;
      int *bits = bits_for(blaster, term_width(top));
      make(blaster, top, bits);
      blaster->of[top] = bits;
    }
    blaster->depth--;
  }
  return blaster->of[a];
}

const int *blasted(const struct blaster *blaster, term a) {
  return a < blaster->num_terms ? blaster->of[a] : NULL;
}
