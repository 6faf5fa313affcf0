#include "engine/symex/compare.h"

#include "engine/symex/util.h"

/* By condition; width 0: it is no comparison that is kept. */
static struct comparison *kept;
static size_t room;

static term without_zeros(term a) {
  const struct term_node *node = term_node(a);
  uint64_t high;
  while (node->op == TERM_CONCAT && term_is_const(node->args[0], &high) && high == 0) {
    a = node->args[1];
    node = term_node(a);
  }
  return a;
}

static bool compare(enum term_op op, term a, term b, struct comparison *comparison) {
  comparison->op = op;
  comparison->width = term_width(a);
  if (comparison->width > 64) return false;
  comparison->with_is_first = term_is_const(a, &comparison->with);
  if (!comparison->with_is_first && !term_is_const(b, &comparison->with)) return false;
  comparison->what = without_zeros(comparison->with_is_first ? b : a);
  return true;
}

void compare_note(term condition, enum term_op op, term a, term b) {
  struct comparison comparison;
  uint64_t value;
  if (term_is_const(condition, &value) || term_width(a) == 1) return;
  if (!compare(op, a, b, &comparison)) return;
  const size_t before = room;
  kept = symex_grow(kept, &room, (size_t)condition + 1, sizeof *kept);
  for (size_t c = before; c < room; c++) kept[c].width = 0;
  if (kept[condition].width == 0) kept[condition] = comparison;
}

bool compare_of(term condition, struct comparison *comparison) {
  if (condition < room && kept[condition].width != 0) {
    *comparison = kept[condition];
    return true;
  }
  const struct term_node *node = term_node(condition);
  if (node->op != TERM_EQ && node->op != TERM_ULT && node->op != TERM_SLT) return false;
  return compare((enum term_op)node->op, node->args[0], node->args[1], comparison);
}

bool compare_holds(const struct comparison *comparison, uint64_t value) {
  const uint64_t flip = comparison->op == TERM_SLT ? UINT64_C(1) << (comparison->width - 1) : 0;
  const uint64_t a = (comparison->with_is_first ? comparison->with : value) ^ flip;
  const uint64_t b = (comparison->with_is_first ? value : comparison->with) ^ flip;
  return comparison->op == TERM_EQ ? a == b : a < b;
}
