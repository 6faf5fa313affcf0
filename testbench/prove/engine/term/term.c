/* Terms: the nodes. */
#include "engine/term/term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/term/term_internal.h"

struct term_page *term_pages[TERM_PAGE_SIZE];

/* A part of its hash beside each term, so that others are told apart without a look at them. */
struct slot {
  term a; /* TERM_NONE: free */
  uint32_t hash;
};

/* Numbers start at 1: 0 is TERM_NONE. */
static struct {
  size_t count; /* and the next number is one more */
  struct slot *slots;
  size_t num_slots;
  uint64_t fresh;
} store;

void term_unusable(const char *what) {
  fprintf(stderr, "term: %s\n", what);
  exit(2);
}

void *term_allocate(void *old, size_t size) {
  void *new = realloc(old, size);
  if (!new) term_unusable("out of memory");
  return new;
}

void term_check(bool fits, const char *operation, term a, term b) {
  if (fits) return;
  fprintf(stderr, "term: %s of %u and %u bits\n", operation, a ? width_of(a) : 0,
          b ? width_of(b) : 0);
  exit(2);
}

/* --- Made once -------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

static uint64_t hash_extra(const struct term_node *node, union term_extra extra) {
  uint64_t hash = 0;
  if (node->op == TERM_VAR) {
    for (const char *c = extra.name; *c; c++) hash = mix(hash, (unsigned char)*c);
  } else if (node->width <= 64) {
    hash = extra.value;
  } else {
    for (size_t i = 0; i < words_of(node->width); i++) hash = mix(hash, extra.words[i]);
  }
  return hash;
}

static bool has_extra(const struct term_node *node) {
  return node->op == TERM_CONST || node->op == TERM_VAR;
}

/* A variable's width is not part of what it is found by. */
static uint64_t hash_of(const struct term_node *node, union term_extra extra) {
  uint64_t hash = mix(node->op, (uint64_t)node->args[0] << 32 | node->args[1]);
  hash = mix(hash, (uint64_t)node->args[2] << 32 | node->low);
  if (node->op != TERM_VAR) hash = mix(hash, node->width);
  if (has_extra(node)) hash = mix(hash, hash_extra(node, extra));
  return hash ^ hash >> 32;
}

static bool same_extra(const struct term_node *node, union term_extra a, union term_extra b) {
  if (node->op == TERM_VAR) return strcmp(a.name, b.name) == 0;
  if (node->width <= 64) return a.value == b.value;
  return memcmp(a.words, b.words, words_of(node->width) * sizeof *a.words) == 0;
}

static bool is_same(term a, const struct term_node *node, union term_extra extra) {
  const struct term_node *other = term_at(a);
  if (other->op != node->op || other->low != node->low || other->args[0] != node->args[0] ||
      other->args[1] != node->args[1] || other->args[2] != node->args[2])
    return false;
  if (other->op != TERM_VAR && other->width != node->width) return false;
  return !has_extra(node) || same_extra(node, *term_extra_at(a), extra);
}

static size_t first_slot(uint32_t hash) {
  return ((uint64_t)hash * store.num_slots) >> 32;
}

static size_t next_slot(size_t slot) {
  return (slot + 1) & (store.num_slots - 1);
}

/* Where a node is in the table, or the free slot where it goes. */
static struct slot *find(const struct term_node *node, union term_extra extra, uint32_t hash) {
  size_t slot = first_slot(hash);
  for (;; slot = next_slot(slot)) {
    const struct slot *here = &store.slots[slot];
    if (!here->a || (here->hash == hash && is_same(here->a, node, extra))) break;
  }
  return &store.slots[slot];
}

static void grow(void) {
  struct slot *old = store.slots;
  const size_t num_old = store.num_slots;
  store.num_slots = num_old ? num_old * 2 : 1 << 16;
  store.slots = calloc(store.num_slots, sizeof *store.slots);
  if (!store.slots) term_unusable("out of memory");
  for (size_t i = 0; i < num_old; i++) {
    if (!old[i].a) continue;
    size_t slot = first_slot(old[i].hash);
    while (store.slots[slot].a) slot = next_slot(slot);
    store.slots[slot] = old[i];
  }
  free(old);
}

static term next_term(void) {
  const size_t a = store.count + 1;
  if (a > UINT32_MAX) term_unusable("too many terms");
  struct term_page **page = &term_pages[a >> TERM_PAGE_BITS];
  if (!*page) *page = term_allocate(NULL, sizeof **page);
  store.count = a;
  return (term)a;
}

static uint64_t upper_bound(const struct term_node *node);

static uint8_t flags_of(const struct term_node *node) {
  if (node->op != TERM_ITE) return 0;
  for (unsigned i = 1; i < 3; i++) {
    const struct term_node *branch = term_at(node->args[i]);
    if (branch->op != TERM_CONST && !(branch->flags & TERM_IS_TABLE)) return 0;
  }
  return TERM_IS_TABLE;
}

/* What only the caller has becomes the terms' own. */
static union term_extra kept(const struct term_node *node, union term_extra extra) {
  size_t size = 0;
  if (node->op == TERM_VAR)
    size = strlen(extra.name) + 1;
  else if (node->op == TERM_CONST && node->width > 64)
    size = words_of(node->width) * sizeof *extra.words;
  if (size > 0) {
    void *copy = term_allocate(NULL, size);
    memcpy(copy, extra.words, size);
    extra.words = copy;
  } else if (node->op != TERM_CONST) {
    extra.value = upper_bound(node);
  }
  return extra;
}

static term make(const struct term_node *node, union term_extra extra) {
  if (node->width == 0) term_unusable("a term of 0 bits");
  if (store.count * 4 >= store.num_slots * 3) grow();
  const uint32_t hash = (uint32_t)hash_of(node, extra);
  struct slot *slot = find(node, extra, hash);
  if (slot->a) return slot->a;
  const term a = next_term();
  *term_at(a) = *node;
  term_at(a)->flags = flags_of(node);
  *term_extra_at(a) = kept(node, extra);
  *slot = (struct slot){a, hash};
  return a;
}

term term_raw(enum term_op op, uint32_t width, uint32_t low, term a, term b, term c) {
  const struct term_node node = {.op = (uint8_t)op, .width = width, .low = low, .args = {a, b, c}};
  const term made = make(&node, (union term_extra){.value = 0});
  return width <= 64 && term_max(made) == 0 ? term_zero(width) : made;
}

/* --- Constants and variables ------------------------------------------------------------------ */

uint64_t width_mask(uint32_t width) {
  return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

term term_const_words(uint32_t width, const uint64_t *words) {
  const struct term_node node = {.op = TERM_CONST, .width = width};
  if (width <= 64) return make(&node, (union term_extra){.value = words[0] & width_mask(width)});
  const size_t last = words_of(width) - 1;
  const uint64_t mask = width_mask(width - (uint32_t)last * 64);
  if ((words[last] & ~mask) == 0) return make(&node, (union term_extra){.words = words});
  uint64_t *copy = term_allocate(NULL, (last + 1) * sizeof *copy);
  memcpy(copy, words, (last + 1) * sizeof *copy);
  copy[last] &= mask;
  const term a = make(&node, (union term_extra){.words = copy});
  free(copy);
  return a;
}

static term filled(uint32_t width, uint64_t first, uint64_t rest) {
  if (width <= 64) return term_const_words(width, &first);
  const size_t count = words_of(width);
  uint64_t *words = term_allocate(NULL, count * sizeof *words);
  words[0] = first;
  for (size_t i = 1; i < count; i++) words[i] = rest;
  const term a = term_const_words(width, words);
  free(words);
  return a;
}

term term_const(uint32_t width, uint64_t value) {
  return filled(width, value, 0);
}
term term_zero(uint32_t width) {
  return filled(width, 0, 0);
}
term term_ones(uint32_t width) {
  return filled(width, UINT64_MAX, UINT64_MAX);
}

term term_var(uint32_t width, const char *name) {
  const struct term_node node = {.op = TERM_VAR, .width = width};
  const term a = make(&node, (union term_extra){.name = name});
  if (width_of(a) != width) {
    fprintf(stderr, "term: variable %s of %u bits, and of %u\n", name, width_of(a), width);
    exit(2);
  }
  return a;
}

term term_fresh(uint32_t width, const char *stem) {
  const size_t size = strlen(stem) + 24;
  char *name = term_allocate(NULL, size);
  const size_t before = store.count;
  term a;
  do {
    snprintf(name, size, "%s!%llu", stem, (unsigned long long)store.fresh++);
    a = term_var(width, name);
  } while (store.count == before);
  free(name);
  return a;
}

size_t term_num_fresh(void) {
  return store.fresh;
}

term term_folded(enum term_op op, uint32_t width, uint32_t low, term a, term b, term c) {
  const struct term_node node = {.op = (uint8_t)op, .width = width, .low = low, .args = {a, b, c}};
  const uint64_t *args[3] = {NULL, NULL, NULL};
  for (unsigned i = 0; i < 3; i++)
    if (node.args[i]) args[i] = term_words(node.args[i]);
  uint64_t few[4];
  uint64_t *out = width <= 256 ? few : term_allocate(NULL, words_of(width) * sizeof *out);
  term_evaluate(&node, args, out);
  const term result = term_const_words(width, out);
  if (out != few) free(out);
  return result;
}

static bool words_are(term a, uint64_t word) {
  const uint64_t *words = term_words(a);
  const uint32_t width = width_of(a);
  const size_t last = words_of(width) - 1;
  for (size_t i = 0; i < last; i++)
    if (words[i] != word) return false;
  return words[last] == (word & width_mask(width - (uint32_t)last * 64));
}

bool const_is_zero(term a) {
  return is_const(a) && words_are(a, 0);
}
bool const_is_ones(term a) {
  return is_const(a) && words_are(a, UINT64_MAX);
}
bool const_bit(term a, uint32_t bit) {
  return (term_words(a)[bit / 64] >> bit % 64 & 1) != 0;
}

/* --- Looked at -------------------------------------------------------------------------------- */

const struct term_node *term_node(term a) {
  return term_at(a);
}
uint32_t term_width(term a) {
  return width_of(a);
}
const char *term_name(term a) {
  return term_extra_at(a)->name;
}
size_t term_count(void) {
  return store.count;
}

const uint64_t *term_words(term constant) {
  const union term_extra *extra = term_extra_at(constant);
  return width_of(constant) <= 64 ? &extra->value : extra->words;
}

bool term_is_const(term a, uint64_t *value) {
  if (!is_const(a) || width_of(a) > 64) return false;
  *value = term_extra_at(a)->value;
  return true;
}

bool term_is_true(term a) {
  return is_const(a) && width_of(a) == 1 && words_are(a, 1);
}
bool term_is_false(term a) {
  return is_const(a) && width_of(a) == 1 && words_are(a, 0);
}

uint64_t term_max(term a) {
  const struct term_node *node = term_at(a);
  if (node->width > 64) return UINT64_MAX;
  return node->op == TERM_VAR ? width_mask(node->width) : term_extra_at(a)->value;
}

static uint32_t size_of(uint64_t value) {
  return value == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(value);
}

static uint32_t size_of_const(term a) {
  const uint64_t *words = term_words(a);
  for (size_t i = words_of(width_of(a)); i-- > 0;)
    if (words[i] != 0) return (uint32_t)i * 64 + size_of(words[i]);
  return 0;
}

uint32_t term_size(term a) {
  if (width_of(a) <= 64) return size_of(term_max(a));
  if (is_const(a)) return size_of_const(a);
  if (!is_concat(a) || !const_is_zero(arg_of(a, 0))) return width_of(a);
  return term_size(arg_of(a, 1));
}

/* --- Upper bounds ----------------------------------------------------------------------------- */

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}
static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static uint64_t bound_of_extract(const struct term_node *node) {
  const uint64_t mask = width_mask(node->width);
  return width_of(node->args[0]) > 64 ? mask : smaller(mask, term_max(node->args[0]) >> node->low);
}

static uint64_t bound_of_sum(const struct term_node *node) {
  const uint64_t mask = width_mask(node->width);
  const uint64_t a = term_max(node->args[0]), b = term_max(node->args[1]);
  return a > mask - b ? mask : a + b;
}

static uint64_t bound_of_product(const struct term_node *node) {
  const uint64_t mask = width_mask(node->width);
  const uint64_t a = term_max(node->args[0]), b = term_max(node->args[1]);
  return a != 0 && b > mask / a ? mask : a * b;
}

/* By 0 it is all ones; the remainder by 0 is the number itself. */
static uint64_t bound_of_quotient(const struct term_node *node) {
  uint64_t by;
  if (!term_is_const(node->args[1], &by) || by == 0) return width_mask(node->width);
  return term_max(node->args[0]) / by;
}

static uint64_t bound_of_remainder(const struct term_node *node) {
  uint64_t by;
  const uint64_t a = term_max(node->args[0]);
  return term_is_const(node->args[1], &by) && by != 0 ? smaller(a, by - 1) : a;
}

static uint64_t bound_of_concat(const struct term_node *node) {
  const uint32_t low = width_of(node->args[1]);
  return term_max(node->args[0]) << low | term_max(node->args[1]);
}

static uint64_t bound_of_xor(const struct term_node *node) {
  return width_mask(size_of(term_max(node->args[0]) | term_max(node->args[1])));
}

static uint64_t upper_bound(const struct term_node *node) {
  if (node->width > 64) return 0;
  switch (node->op) {
    case TERM_AND:
      return smaller(term_max(node->args[0]), term_max(node->args[1]));
    case TERM_OR:
    case TERM_XOR:
      return bound_of_xor(node);
    case TERM_ADD:
      return bound_of_sum(node);
    case TERM_MUL:
      return bound_of_product(node);
    case TERM_UDIV:
      return bound_of_quotient(node);
    case TERM_UREM:
      return bound_of_remainder(node);
    case TERM_LSHR:
      return term_max(node->args[0]);
    case TERM_ITE:
      return larger(term_max(node->args[1]), term_max(node->args[2]));
    case TERM_CONCAT:
      return bound_of_concat(node);
    case TERM_EXTRACT:
      return bound_of_extract(node);
    default:
      return width_mask(node->width);
  }
}
