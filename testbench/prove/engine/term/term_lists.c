/* Lists: the leaves of AND, XOR and ADD, and where the parts of CONCATs end. */
#include <stdlib.h>
#include <string.h>

#include "engine/term/term_internal.h"

/* --- Leaves ----------------------------------------------------------------------------------- */

/* Mostly they are in args[1] of one node below the other. False: they are not. */
static bool add_in_order(struct leaves *leaves, enum term_op op, term a) {
  size_t count = 1;
  for (term list = a; is_op(list, op); list = arg_of(list, 0), count++)
    if (count > MAX_LEAVES || is_op(arg_of(list, 1), op)) return false;
  if (leaves->count + count > MAX_LEAVES) return false;
  leaves->count += count;
  term *item = leaves->items + leaves->count;
  for (; is_op(a, op); a = arg_of(a, 0)) *--item = arg_of(a, 1);
  *--item = a;
  return true;
}

static bool add_in_any_order(struct leaves *leaves, enum term_op op, term a) {
  term stack[MAX_LEAVES];
  size_t depth = 0;
  stack[depth++] = a;
  while (depth > 0) {
    const term top = stack[--depth];
    if (leaves->count + depth + 1 > MAX_LEAVES) return false;
    if (is_op(top, op)) {
      if (depth + 2 > MAX_LEAVES) return false;
      stack[depth++] = arg_of(top, 1);
      stack[depth++] = arg_of(top, 0);
    } else {
      leaves->items[leaves->count++] = top;
    }
  }
  return true;
}

bool leaves_add(struct leaves *leaves, enum term_op op, term a) {
  return add_in_order(leaves, op, a) || add_in_any_order(leaves, op, a);
}

void leaves_of(struct leaves *leaves, enum term_op op, term a) {
  leaves->count = 0;
  if (leaves_add(leaves, op, a)) return;
  leaves->count = 1;
  leaves->items[0] = a;
}

void leaves_remove(struct leaves *leaves, size_t n) {
  leaves->count--;
  memmove(leaves->items + n, leaves->items + n + 1, (leaves->count - n) * sizeof *leaves->items);
}

/* A term and its NOT side by side. */
static bool is_before(term a, term b) {
  const term of_a = stripped(a), of_b = stripped(b);
  return of_a != of_b ? of_a < of_b : a < b;
}

void leaves_sort(struct leaves *leaves) {
  for (size_t i = 1; i < leaves->count; i++) {
    const term a = leaves->items[i];
    size_t n = i;
    for (; n > 0 && is_before(a, leaves->items[n - 1]); n--)
      leaves->items[n] = leaves->items[n - 1];
    leaves->items[n] = a;
  }
}

term leaves_join(enum term_op op, uint32_t width, const term *items, size_t count) {
  term all = items[0];
  for (size_t i = 1; i < count; i++) all = term_raw(op, width, 0, all, items[i], TERM_NONE);
  return all;
}

/* --- Pieces ----------------------------------------------------------------------------------- */

static void cut(struct cuts *cuts, uint32_t end) {
  if (cuts->count == cuts->capacity) {
    uint32_t *old = cuts->ends == cuts->few ? NULL : cuts->ends;
    cuts->capacity *= 2;
    cuts->ends = term_allocate(old, cuts->capacity * sizeof *cuts->ends);
    if (!old) memcpy(cuts->ends, cuts->few, sizeof cuts->few);
  }
  cuts->ends[cuts->count++] = end;
}

static void cut_mask(struct cuts *cuts, term a) {
  const uint32_t width = width_of(a);
  for (uint32_t i = width; i-- > 1;)
    if (const_bit(a, i) != const_bit(a, i - 1)) cut(cuts, i);
}

static int compare_ends(const void *a, const void *b) {
  const uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
  return first < second ? -1 : first > second;
}

static void drop_doubles(struct cuts *cuts) {
  size_t count = 1;
  for (size_t i = 1; i < cuts->count; i++)
    if (cuts->ends[i] != cuts->ends[count - 1]) cuts->ends[count++] = cuts->ends[i];
  cuts->count = count;
}

void cuts_of(struct cuts *cuts, const term *terms, size_t num_terms, bool with_masks) {
  cuts->count = 0;
  cuts->capacity = sizeof cuts->few / sizeof *cuts->few;
  cuts->ends = cuts->few;
  cut(cuts, width_of(terms[0]));
  for (size_t i = 0; i < num_terms; i++) {
    for (term a = terms[i]; is_concat(a); a = arg_of(a, 1)) cut(cuts, width_of(arg_of(a, 1)));
    if (with_masks && is_const(terms[i])) cut_mask(cuts, terms[i]);
  }
  qsort(cuts->ends, cuts->count, sizeof *cuts->ends, compare_ends);
  drop_doubles(cuts);
}

void cuts_free(struct cuts *cuts) {
  if (cuts->ends != cuts->few) free(cuts->ends);
}
