#include "engine/cache/digest.h"

#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "engine/term/checked.h"

/* Of each term. A list is summed up, which knows no order; its first node has the sum of all. */
static struct entry {
  struct digest digest, sum;
  bool is_known;
} * entries;
static size_t num_entries;

/* What a digest is taken of. */
struct content {
  uint32_t op, width, low, length;
  struct digest parts[3];
};

static struct digest hash(const void *bytes, size_t size) {
  struct sha256_ctx context;
  struct digest digest;
  sha256_init(&context);
  sha256_update(&context, size, bytes);
  sha256_digest(&context, sizeof digest, (uint8_t *)&digest);
  return digest;
}

/* Modulo 2^128. */
static struct digest add(struct digest a, struct digest b) {
  struct digest sum = {{a.words[0] + b.words[0], a.words[1] + b.words[1]}};
  sum.words[1] += sum.words[0] < a.words[0];
  return sum;
}

static bool is_list(enum term_op op) {
  return op == TERM_AND || op == TERM_OR || op == TERM_XOR || op == TERM_ADD || op == TERM_MUL;
}

static unsigned num_args(enum term_op op) {
  switch (op) {
    case TERM_CONST:
    case TERM_VAR:
      return 0;
    case TERM_NOT:
    case TERM_EXTRACT:
      return 1;
    case TERM_ITE:
      return 3;
    default:
      return 2;
  }
}

/* ---- Of one term, whose arguments have theirs ---- */

static struct digest hash_leaf(struct content content, const void *bytes, size_t size) {
  content.parts[0] = hash(bytes, size);
  return hash(&content, sizeof content);
}

static struct digest sum_of(enum term_op op, term argument) {
  const struct entry *entry = &entries[argument];
  return is_list(op) && term_node(argument)->op == op ? entry->sum : entry->digest;
}

static struct entry make(term a) {
  const struct term_node node = *term_node(a);
  const enum term_op op = (enum term_op)node.op;
  struct content content = {.op = op, .width = node.width};
  struct entry entry = {.is_known = true};
  if (op == TERM_CONST) {
    entry.digest = hash_leaf(content, term_words(a), (node.width + 63) / 64 * sizeof(uint64_t));
  } else if (op == TERM_VAR) {
    entry.digest = hash_leaf(content, term_name(a), strlen(term_name(a)));
  } else {
    if (op == TERM_EXTRACT) content.low = node.low;
    if (is_list(op) || op == TERM_EQ) {
      entry.sum = add(sum_of(op, node.args[0]), sum_of(op, node.args[1]));
      content.parts[0] = entry.sum;
    } else {
      for (unsigned n = 0; n < num_args(op); n++) content.parts[n] = entries[node.args[n]].digest;
    }
    entry.digest = hash(&content, sizeof content);
  }
  return entry;
}

/* ---- Of all that a term is made of ---- */

static void make_room(void) {
  const size_t room = term_count() + 1;
  if (room <= num_entries) return;
  entries = checked(realloc(entries, 2 * room * sizeof *entries));
  memset(entries + num_entries, 0, (2 * room - num_entries) * sizeof *entries);
  num_entries = 2 * room;
}

/* Terms whose digests are wanted, those of arguments above. */
static struct {
  term *terms;
  size_t number, room;
} stack;

static void push(term a) {
  if (stack.number == stack.room) {
    stack.room = 2 * stack.room + 64;
    stack.terms = checked(realloc(stack.terms, stack.room * sizeof *stack.terms));
  }
  stack.terms[stack.number++] = a;
}

/* Whether all arguments have their digests. */
static bool push_arguments(term a) {
  const struct term_node node = *term_node(a);
  const size_t before = stack.number;
  for (unsigned n = 0; n < num_args((enum term_op)node.op); n++)
    if (!entries[node.args[n]].is_known) push(node.args[n]);
  return stack.number == before;
}

struct digest digest_term(term a) {
  make_room();
  push(a);
  while (stack.number > 0) {
    const term top = stack.terms[stack.number - 1];
    if (entries[top].is_known) {
      stack.number--;
    } else if (push_arguments(top)) {
      entries[top] = make(top);
      stack.number--;
    }
  }
  return entries[a].digest;
}

void digest_all(void) {
  const size_t number = term_count();
  for (term a = TERM_NONE + 1; a < number; a++) digest_term(a);
}

struct digest digest_question(term condition, const term *assumptions, size_t num_assumptions) {
  struct digest parts[2] = {digest_term(condition), {{0, 0}}};
  for (size_t n = 0; n < num_assumptions; n++)
    parts[1] = add(parts[1], digest_term(assumptions[n]));
  return hash(parts, sizeof parts);
}
