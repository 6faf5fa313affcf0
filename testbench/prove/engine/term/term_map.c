/* Terms: walked, and put in place of others. */
#include <stdlib.h>
#include <string.h>

#include "engine/term/term_internal.h"

struct stack {
  term *items;
  size_t count, capacity;
};

static void push(struct stack *stack, term a) {
  if (stack->count == stack->capacity) {
    stack->capacity = stack->capacity ? stack->capacity * 2 : 256;
    stack->items = term_allocate(stack->items, stack->capacity * sizeof *stack->items);
  }
  stack->items[stack->count++] = a;
}

/* --- Walked ----------------------------------------------------------------------------------- */

static term highest(const term *roots, size_t num_roots) {
  term last = 0;
  for (size_t i = 0; i < num_roots; i++)
    if (roots[i] > last) last = roots[i];
  return last;
}

static bool is_in(const uint64_t *set, term a) {
  return (set[a / 64] >> a % 64 & 1) != 0;
}

static bool push_arguments(struct stack *stack, const uint64_t *done, term a) {
  const struct term_node *node = term_at(a);
  bool any = false;
  for (unsigned i = 3; i-- > 0;) {
    if (!node->args[i] || is_in(done, node->args[i])) continue;
    push(stack, node->args[i]);
    any = true;
  }
  return any;
}

void term_walk(const term *roots, size_t num_roots, void (*visit)(term a, void *with), void *with) {
  uint64_t *done = calloc(highest(roots, num_roots) / 64 + 1, sizeof *done);
  if (!done) term_unusable("out of memory");
  struct stack stack = {NULL, 0, 0};
  for (size_t i = 0; i < num_roots; i++) {
    push(&stack, roots[i]);
    while (stack.count > 0) {
      const term top = stack.items[stack.count - 1];
      if (!is_in(done, top)) {
        if (push_arguments(&stack, done, top)) continue;
        done[top / 64] |= (uint64_t)1 << top % 64;
        visit(top, with);
      }
      stack.count--;
    }
  }
  free(stack.items);
  free(done);
}

struct search {
  term variable;
  bool is_found;
};

static void look_at(term a, void *with) {
  struct search *search = with;
  search->is_found |= a == search->variable;
}

bool term_depends_on(term a, term variable) {
  struct search search = {variable, false};
  if (variable != TERM_NONE) term_walk(&a, 1, look_at, &search);
  return search.is_found;
}

/* --- Put in place of others ------------------------------------------------------------------- */

struct term_map {
  term *to; /* by term; TERM_NONE: not known yet */
  size_t size;
};

struct term_map *term_map_new(void) {
  struct term_map *map = term_allocate(NULL, sizeof *map);
  *map = (struct term_map){NULL, 0};
  return map;
}

void term_map_free(struct term_map *map) {
  if (!map) return;
  free(map->to);
  free(map);
}

static void make_room(struct term_map *map, term a) {
  if (a < map->size) return;
  const size_t size = term_count() + 1 + map->size / 2;
  term *to = calloc(size, sizeof *to);
  if (!to) term_unusable("out of memory");
  if (map->size > 0) memcpy(to, map->to, map->size * sizeof *to);
  free(map->to);
  map->to = to;
  map->size = size;
}

void term_map_put(struct term_map *map, term from, term to) {
  term_check(width_of(from) == width_of(to), "replacement", from, to);
  make_room(map, from);
  map->to[from] = to;
}

term term_again(const struct term_node *node, const term args[3]) {
  switch ((enum term_op)node->op) {
    case TERM_CONST:
    case TERM_VAR:
      break;
    case TERM_NOT:
      return term_not(args[0]);
    case TERM_AND:
      return term_and(args[0], args[1]);
    case TERM_OR:
      return term_or(args[0], args[1]);
    case TERM_XOR:
      return term_xor(args[0], args[1]);
    case TERM_ADD:
      return term_add(args[0], args[1]);
    case TERM_MUL:
      return term_mul(args[0], args[1]);
    case TERM_UDIV:
      return term_udiv(args[0], args[1]);
    case TERM_UREM:
      return term_urem(args[0], args[1]);
    case TERM_SHL:
      return term_shl(args[0], args[1]);
    case TERM_LSHR:
      return term_lshr(args[0], args[1]);
    case TERM_ASHR:
      return term_ashr(args[0], args[1]);
    case TERM_EQ:
      return term_eq(args[0], args[1]);
    case TERM_ULT:
      return term_ult(args[0], args[1]);
    case TERM_SLT:
      return term_slt(args[0], args[1]);
    case TERM_ITE:
      return term_ite(args[0], args[1], args[2]);
    case TERM_CONCAT:
      return term_concat(args[0], args[1]);
    case TERM_EXTRACT:
      return term_extract(args[0], node->low, node->width);
  }
  term_unusable("a replacement in what is no operation");
}

static bool replaced_arguments(const struct term_map *map, struct stack *stack,
                               const struct term_node *node, term args[3]) {
  bool all = true;
  for (unsigned i = 0; i < 3; i++) {
    args[i] = node->args[i] ? map->to[node->args[i]] : TERM_NONE;
    if (!node->args[i] || args[i]) continue;
    push(stack, node->args[i]);
    all = false;
  }
  return all;
}

/* What nothing was replaced in is itself. */
static term replaced(term a, const term args[3]) {
  const struct term_node *node = term_at(a);
  return memcmp(args, node->args, sizeof node->args) == 0 ? a : term_again(node, args);
}

term term_replace(term a, struct term_map *map) {
  struct stack stack = {NULL, 0, 0};
  make_room(map, a);
  push(&stack, a);
  while (stack.count > 0) {
    const term top = stack.items[stack.count - 1];
    term args[3];
    if (!map->to[top]) {
      if (!replaced_arguments(map, &stack, term_at(top), args)) continue;
      map->to[top] = replaced(top, args);
    }
    stack.count--;
  }
  free(stack.items);
  return map->to[a];
}
