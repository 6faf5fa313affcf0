#include "engine/symex/choice.h"

#include <string.h>

#include "engine/symex/compare.h"
#include "engine/symex/util.h"

/* More values than this of a term are not listed one by one; nor larger graphs made. */
enum {
  MAX_VALUES = 256,
  MAX_NODES = 8192,
  MAX_SEEN_NODES = 4096,
  MAX_CONDITION_NODES = 64,
  MAX_SMALL_VALUE = 31
};

#define TOO_MANY UINT32_MAX

static struct choice_node *nodes; /* 0 is none */
static size_t num_nodes, room_nodes;
static uint32_t *buckets; /* of nodes, by hash, open addressing */
static size_t num_buckets;
static uint32_t *of_term; /* 0: not asked yet; TOO_MANY */
static bool *is_by_value; /* by term: its values were listed, not only found */
static size_t room_of_term;

/* ---- Made ---- */

/* Values are addresses, which may differ in their upper half alone: it has to reach the lower one.
 */
static uint64_t mixed(uint64_t hash, uint64_t with) {
  hash = (hash ^ with) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ hash >> 32;
}

static uint64_t hash_of(const struct choice_node *node) {
  return mixed(mixed(mixed(mixed(0, node->value), node->condition), node->if_true), node->if_false);
}

static bool same_node(const struct choice_node *a, const struct choice_node *b) {
  return a->condition == b->condition && a->if_true == b->if_true && a->if_false == b->if_false &&
         a->value == b->value;
}

static void rehash(void) {
  num_buckets = num_buckets == 0 ? 1024 : 2 * num_buckets;
  free(buckets);
  buckets = symex_allocate(num_buckets, sizeof *buckets);
  for (size_t n = 1; n < num_nodes; n++) {
    size_t b = hash_of(&nodes[n]) & (num_buckets - 1);
    while (buckets[b] != 0) b = (b + 1) & (num_buckets - 1);
    buckets[b] = (uint32_t)n;
  }
}

static choice make(struct choice_node node) {
  if (num_nodes == 0) num_nodes = 1;
  if (2 * num_nodes >= num_buckets) rehash();
  size_t b = hash_of(&node) & (num_buckets - 1);
  while (buckets[b] != 0 && !same_node(&nodes[buckets[b]], &node)) b = (b + 1) & (num_buckets - 1);
  if (buckets[b] == 0) {
    nodes = symex_grow(nodes, &room_nodes, num_nodes + 1, sizeof *nodes);
    nodes[num_nodes] = node;
    buckets[b] = (uint32_t)num_nodes++;
  }
  return buckets[b];
}

static choice make_leaf(uint64_t value) {
  return make((struct choice_node){.value = value});
}

static choice make_decision(term condition, choice if_true, choice if_false) {
  if (if_true == if_false || term_is_true(condition)) return if_true;
  if (term_is_false(condition)) return if_false;
  return make(
      (struct choice_node){.condition = condition, .if_true = if_true, .if_false = if_false});
}

const struct choice_node *choice_node(choice a) {
  return &nodes[a];
}

/* ---- Walked ---- */

size_t choice_walk(choice a, const choice **walked) {
  static uint32_t *seen, stamp;
  static size_t room_seen, room_order, room_stack;
  static choice *order, *stack;
  const size_t room_before = room_seen;
  seen = symex_grow(seen, &room_seen, num_nodes, sizeof *seen);
  if (room_seen > room_before)
    memset(seen + room_before, 0, (room_seen - room_before) * sizeof *seen);
  stamp++;
  size_t num_order = 0, num_stack = 0;
  stack = symex_grow(stack, &room_stack, 3, sizeof *stack);
  stack[num_stack++] = a;
  while (num_stack > 0) {
    const choice top = stack[num_stack - 1];
    const struct choice_node *node = &nodes[top];
    if (seen[top] == stamp) {
      num_stack--;
      continue;
    }
    const bool leaf = node->condition == TERM_NONE;
    if (leaf || (seen[node->if_true] == stamp && seen[node->if_false] == stamp)) {
      seen[top] = stamp;
      order = symex_grow(order, &room_order, num_order + 1, sizeof *order);
      order[num_order++] = top;
      num_stack--;
      continue;
    }
    stack = symex_grow(stack, &room_stack, num_stack + 2, sizeof *stack);
    if (seen[node->if_false] != stamp) stack[num_stack++] = node->if_false;
    if (seen[node->if_true] != stamp) stack[num_stack++] = node->if_true;
  }
  *walked = order;
  return num_order;
}

/* ---- Operations ---- */

static uint64_t mask_of(uint32_t width) {
  return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static int64_t signed_of(uint64_t value, uint32_t width) {
  const uint64_t sign = UINT64_C(1) << (width - 1);
  return (int64_t)((value ^ sign) - sign);
}

/* An operation on values. */
struct operation {
  enum term_op op;
  uint32_t width;     /* of the result */
  uint32_t low_width; /* of the arguments; CONCAT: of the lower one */
  uint32_t low;       /* EXTRACT */
};

static uint64_t operate(const struct operation *operation, uint64_t a, uint64_t b) {
  const uint32_t width = operation->low_width;
  switch (operation->op) {
    case TERM_NOT:
      return ~a & mask_of(operation->width);
    case TERM_AND:
      return a & b;
    case TERM_OR:
      return a | b;
    case TERM_XOR:
      return a ^ b;
    case TERM_ADD:
      return (a + b) & mask_of(operation->width);
    case TERM_MUL:
      return (a * b) & mask_of(operation->width);
    case TERM_UDIV:
      return b == 0 ? mask_of(operation->width) : a / b;
    case TERM_UREM:
      return b == 0 ? a : a % b;
    case TERM_SHL:
      return b >= width ? 0 : (a << b) & mask_of(operation->width);
    case TERM_LSHR:
      return b >= width ? 0 : a >> b;
    case TERM_ASHR:
      return (uint64_t)(signed_of(a, width) >> (b >= width ? width - 1 : b)) &
             mask_of(operation->width);
    case TERM_EQ:
      return a == b;
    case TERM_ULT:
      return a < b;
    case TERM_SLT:
      return signed_of(a, width) < signed_of(b, width);
    case TERM_CONCAT:
      return a << width | b;
    case TERM_EXTRACT:
      return a >> operation->low & mask_of(operation->width);
    default:
      return 0;
  }
}

/* ---- Decisions in order ---- */

/*
 * Decisions are in the same order in all choices, so that what two of them share
 * is decided once. Those that a value equals this constant or that one are next to
 * each other, and where one of them is true no other is.
 */
struct key {
  term about;
  uint64_t with;
  term condition;
};

static struct key key_of(term condition) {
  struct comparison comparison;
  const bool is_value = compare_of(condition, &comparison) && comparison.op == TERM_EQ;
  return (struct key){is_value ? comparison.what : condition, is_value ? comparison.with : 1,
                      condition};
}

static bool is_before(struct key a, struct key b) {
  return a.about != b.about ? a.about < b.about : a.condition < b.condition;
}

/* The first condition of some choices; TERM_NONE: all are leaves. */
static struct key first_of(const choice *choices, size_t count) {
  struct key first = {TERM_NONE, 0, TERM_NONE};
  for (size_t c = 0; c < count; c++) {
    const term condition = nodes[choices[c]].condition;
    if (condition == TERM_NONE || condition == first.condition) continue;
    const struct key key = key_of(condition);
    if (first.condition == TERM_NONE || is_before(key, first)) first = key;
  }
  return first;
}

/* A choice, none of whose conditions is before this one, when that is decided. */
static choice decided(choice a, struct key first, bool holds) {
  while (nodes[a].condition != TERM_NONE) {
    const struct key key = key_of(nodes[a].condition);
    if (key.about != first.about || (key.with != first.with && !holds)) break;
    a = key.with == first.with && holds ? nodes[a].if_true : nodes[a].if_false;
  }
  return a;
}

/* What was made of some choices, while one operation is done. */
struct done {
  choice of[3];
  choice result;
};
static struct done *dones;
static size_t num_dones, room_dones, max_dones;
static uint32_t *done_buckets;
enum { NUM_DONE_BUCKETS = 4 * MAX_NODES };

static size_t done_bucket(const choice of[3]) {
  uint32_t hash = of[0] * 0x9E3779B1u ^ of[1] * 0x85EBCA6Bu ^ of[2] * 0xC2B2AE35u;
  size_t at = (hash ^ hash >> 15) & (NUM_DONE_BUCKETS - 1);
  while (done_buckets[at] != 0 &&
         memcmp(dones[done_buckets[at] - 1].of, of, sizeof(choice[3])) != 0)
    at = (at + 1) & (NUM_DONE_BUCKETS - 1);
  return at;
}

static void forget_done(void) {
  if (done_buckets == NULL) done_buckets = symex_allocate(NUM_DONE_BUCKETS, sizeof *done_buckets);
  static size_t *used;
  static size_t room_used;
  used = symex_grow(used, &room_used, num_dones, sizeof *used);
  for (size_t d = 0; d < num_dones; d++) used[d] = done_bucket(dones[d].of);
  for (size_t d = 0; d < num_dones; d++) done_buckets[used[d]] = 0;
  num_dones = 0;
}

static choice keep_done(const choice of[3], choice result) {
  if (num_dones >= max_dones) return CHOICE_NONE;
  dones = symex_grow(dones, &room_dones, num_dones + 1, sizeof *dones);
  memcpy(dones[num_dones].of, of, sizeof(choice[3]));
  dones[num_dones++].result = result;
  done_buckets[done_bucket(of)] = (uint32_t)num_dones;
  return result;
}

/* An operation on the values of two choices; NULL: the second where the first is 1, else the third.
 */
static choice apply(const struct operation *operation, const choice of[3]) {
  if (operation == NULL && nodes[of[0]].condition == TERM_NONE)
    return nodes[of[0]].value != 0 ? of[1] : of[2];
  if (operation == NULL && of[1] == of[2]) return of[1];
  const struct key first = first_of(of, operation == NULL ? 3 : 2);
  if (first.condition == TERM_NONE)
    return make_leaf(operate(operation, nodes[of[0]].value, nodes[of[1]].value));
  const uint32_t done = done_buckets[done_bucket(of)];
  if (done != 0) return dones[done - 1].result;
  if (num_dones >= max_dones) return CHOICE_NONE;
  choice parts[2];
  for (int holds = 0; holds < 2; holds++) {
    choice part_of[3] = {0};
    for (int i = 0; i < 3; i++)
      if (of[i] != CHOICE_NONE) part_of[i] = decided(of[i], first, holds != 0);
    parts[holds] = apply(operation, part_of);
    if (parts[holds] == CHOICE_NONE) return CHOICE_NONE;
  }
  return keep_done(of, make_decision(first.condition, parts[1], parts[0]));
}

static choice apply_to_two(const struct operation *operation, choice a, choice b, size_t most) {
  forget_done();
  max_dones = most;
  return apply(operation, (choice[3]){a, b, CHOICE_NONE});
}

static choice apply_ite(choice condition, choice if_true, choice if_false, size_t most) {
  forget_done();
  max_dones = most;
  return apply(NULL, (choice[3]){condition, if_true, if_false});
}

/* ---- Seen ---- */

static void make_room(term a) {
  const size_t room_before = room_of_term;
  size_t room_is_by_value = room_of_term;
  of_term = symex_grow(of_term, &room_of_term, (size_t)a + 1, sizeof *of_term);
  is_by_value = symex_grow(is_by_value, &room_is_by_value, (size_t)a + 1, sizeof *is_by_value);
  for (size_t t = room_before; t < room_of_term; t++) {
    of_term[t] = 0;
    is_by_value[t] = false;
  }
}

choice choice_leaf(uint64_t value) {
  return make_leaf(value);
}

choice choice_seen(term a) {
  uint64_t value;
  if (term_width(a) <= 64 && term_is_const(a, &value)) return make_leaf(value);
  return a >= room_of_term || of_term[a] == TOO_MANY ? CHOICE_NONE : of_term[a];
}

static bool is_larger(choice a, size_t most) {
  const choice *walked;
  return choice_walk(a, &walked) > most;
}

/* A condition by itself, or by what it is made of if that is not much. */
static choice decision_of(term condition) {
  const choice seen = choice_seen(condition);
  if (seen != CHOICE_NONE && !is_larger(seen, MAX_CONDITION_NODES)) return seen;
  return make_decision(condition, make_leaf(1), make_leaf(0));
}

static void see(term result, choice found, bool by_value) {
  uint64_t value;
  if (found == CHOICE_NONE || term_is_const(result, &value)) return;
  make_room(result);
  if (of_term[result] != 0 && of_term[result] != TOO_MANY) return;
  of_term[result] = found;
  is_by_value[result] = by_value;
}

static bool has_by_value(term a) {
  return a < room_of_term && is_by_value[a];
}

static bool is_several(choice a) {
  return a != CHOICE_NONE && nodes[a].condition != TERM_NONE;
}

/* With what is seen, small values are, too. */
static choice seen_beside(term a, choice other) {
  const choice seen = choice_seen(a);
  if (seen != CHOICE_NONE || !is_several(other) || term_width(a) > 64) return seen;
  return term_max(a) <= MAX_SMALL_VALUE ? choice_of(a) : CHOICE_NONE;
}

void choice_see(term result, enum term_op op, uint32_t low, term a, term b) {
  if (term_width(result) > 64) return;
  const choice y = b == TERM_NONE ? make_leaf(0) : seen_beside(b, choice_seen(a));
  const choice x = seen_beside(a, y);
  if (x == CHOICE_NONE || y == CHOICE_NONE || !(is_several(x) || is_several(y))) return;
  const struct operation operation = {op, term_width(result), term_width(b == TERM_NONE ? a : b),
                                      low};
  see(result, apply_to_two(&operation, x, y, MAX_SEEN_NODES),
      has_by_value(a) || (b != TERM_NONE && has_by_value(b)));
}

void choice_see_same(term result, term a) {
  see(result, choice_seen(a), has_by_value(a));
}

choice choice_ite(term condition, choice if_true, choice if_false) {
  return apply_ite(decision_of(condition), if_true, if_false, MAX_SEEN_NODES);
}

void choice_see_ite(term result, term condition, term a, term b) {
  const choice y = seen_beside(b, choice_seen(a)), x = seen_beside(a, y);
  if (x == CHOICE_NONE || y == CHOICE_NONE) return;
  see(result, choice_ite(condition, x, y),
      has_by_value(a) || has_by_value(b) || has_by_value(condition));
}

void choice_see_loaded(term result, term address, choice values) {
  see(result, values, has_by_value(address));
}

/* ---- Of terms ---- */

/* One value after the other. */
static choice choice_by_value(term a) {
  const uint32_t width = term_width(a);
  const uint64_t max = term_max(a);
  if (width == 1) return make_decision(a, make_leaf(1), make_leaf(0));
  if (max >= MAX_VALUES) return CHOICE_NONE;
  term is_value[MAX_VALUES];
  for (uint64_t value = 0; value < max; value++) {
    const term constant = term_const(width, value);
    is_value[value] = term_eq(a, constant);
    compare_note(is_value[value], TERM_EQ, a, constant);
  }
  choice rest = make_leaf(max);
  for (uint64_t value = max; value-- > 0;) {
    const choice condition = make_decision(is_value[value], make_leaf(1), make_leaf(0));
    rest = apply_ite(condition, make_leaf(value), rest, MAX_NODES);
  }
  return rest;
}

/* The same choice, one value after the other: where there are few, but many decisions lead to them.
 */
static choice listed(term a, choice of_a) {
  const choice *walked;
  const size_t count = choice_walk(of_a, &walked);
  uint64_t leaves[MAX_VALUES];
  size_t num_leaves = 0;
  for (size_t n = 0; n < count; n++) {
    const struct choice_node *node = &nodes[walked[n]];
    if (node->condition != TERM_NONE) continue;
    if (num_leaves == MAX_VALUES) return CHOICE_NONE;
    leaves[num_leaves++] = node->value;
  }
  choice rest = CHOICE_NONE;
  for (size_t l = 0; l < num_leaves; l++) {
    const choice leaf = make_leaf(leaves[l]);
    const term constant = term_const(term_width(a), leaves[l]), is_leaf = term_eq(a, constant);
    compare_note(is_leaf, TERM_EQ, a, constant);
    const choice decision = make_decision(is_leaf, make_leaf(1), make_leaf(0));
    rest = l == 0 ? leaf : apply_ite(decision, leaf, rest, MAX_NODES);
    if (rest == CHOICE_NONE) break;
  }
  return rest;
}

static choice choice_of_ite(term of, const struct term_node *node) {
  const choice if_true = choice_of(node->args[1]);
  if (if_true == CHOICE_NONE) return CHOICE_NONE;
  const choice if_false = choice_of(node->args[2]);
  if (if_false == CHOICE_NONE) return CHOICE_NONE;
  const choice found = apply_ite(decision_of(node->args[0]), if_true, if_false, MAX_NODES);
  if (found != CHOICE_NONE) return found;
  is_by_value[of] = true;
  const choice a = listed(node->args[1], if_true), b = listed(node->args[2], if_false);
  if (a == CHOICE_NONE || b == CHOICE_NONE) return CHOICE_NONE;
  return apply_ite(decision_of(node->args[0]), a, b, MAX_NODES);
}

static choice choice_of_operation(term of, const struct term_node *node) {
  const bool unary = node->op == TERM_NOT || node->op == TERM_EXTRACT;
  if (node->width == 1 && node->op >= TERM_NOT && node->op <= TERM_XOR) return CHOICE_NONE;
  const term low = node->args[unary ? 0 : 1];
  struct operation operation = {(enum term_op)node->op, node->width, term_width(low), node->low};
  if (term_width(node->args[0]) > 64 || term_width(low) > 64) return CHOICE_NONE;
  choice a = choice_of(node->args[0]);
  if (a == CHOICE_NONE) return CHOICE_NONE;
  choice b = unary ? make_leaf(0) : choice_of(low);
  if (b == CHOICE_NONE) return CHOICE_NONE;
  const choice found = apply_to_two(&operation, a, b, MAX_NODES);
  if (found != CHOICE_NONE) return found;
  is_by_value[of] = true;
  a = listed(node->args[0], a);
  if (!unary) b = listed(low, b);
  if (a == CHOICE_NONE || b == CHOICE_NONE) return CHOICE_NONE;
  return apply_to_two(&operation, a, b, MAX_NODES);
}

static choice find(term a) {
  uint64_t value;
  if (term_width(a) > 64) return CHOICE_NONE;
  if (term_is_const(a, &value)) return make_leaf(value);
  const struct term_node node = *term_node(a);
  choice found = CHOICE_NONE;
  if (node.op == TERM_ITE)
    found = choice_of_ite(a, &node);
  else if (node.op != TERM_VAR && node.op != TERM_EQ && node.op != TERM_ULT && node.op != TERM_SLT)
    found = choice_of_operation(a, &node);
  if (found == CHOICE_NONE) {
    is_by_value[a] = term_width(a) > 1;
    return choice_by_value(a);
  }
  for (int i = 0; i < 3; i++)
    if (node.args[i] != TERM_NONE && is_by_value[node.args[i]]) is_by_value[a] = true;
  return found;
}

choice choice_of(term a) {
  make_room(a);
  if (of_term[a] == 0) {
    const choice found = find(a);
    of_term[a] = found == CHOICE_NONE ? TOO_MANY : found;
  }
  return of_term[a] == TOO_MANY ? CHOICE_NONE : of_term[a];
}

/* ---- Comparisons ---- */

enum { MAX_DECISIONS = 200, MAX_FEW_DECISIONS = 12 };

static term condition_of(choice a, size_t most) {
  static term *of_node;
  static size_t room_of_node;
  const choice *order;
  const size_t count = choice_walk(a, &order);
  if (count > most) return TERM_NONE;
  of_node = symex_grow(of_node, &room_of_node, num_nodes, sizeof *of_node);
  for (size_t n = 0; n < count; n++) {
    const struct choice_node node = nodes[order[n]];
    of_node[order[n]] =
        node.condition == TERM_NONE
            ? term_const(1, node.value)
            : term_ite(node.condition, of_node[node.if_true], of_node[node.if_false]);
  }
  return of_node[a];
}

term choice_compare(enum term_op op, term a, term b) {
  const choice y = seen_beside(b, choice_seen(a)), x = seen_beside(a, y);
  if (x == CHOICE_NONE || y == CHOICE_NONE) return TERM_NONE;
  const struct operation operation = {op, 1, term_width(a), 0};
  const choice result = apply_to_two(&operation, x, y, MAX_SEEN_NODES);
  if (result == CHOICE_NONE) return TERM_NONE;
  const bool by_value = has_by_value(a) || has_by_value(b);
  const term condition = condition_of(result, by_value ? MAX_FEW_DECISIONS : MAX_DECISIONS);
  if (condition != TERM_NONE) see(condition, result, by_value);
  return condition;
}
