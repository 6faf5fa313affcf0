/* Values of terms under an assignment of the variables. */
#include <stdlib.h>
#include <string.h>

#include "engine/term/term_internal.h"

enum { CHUNK_WORDS = 1 << 12 };

struct chunk {
  struct chunk *next;
  uint64_t words[];
};

struct term_values {
  void (*value)(term var, uint64_t *words, void *with);
  void *with;
  uint64_t **of; /* by term; NULL: not known yet */
  size_t size;
  struct chunk *chunks;
  size_t left; /* words in the first chunk */
  term *stack;
  size_t count, capacity;
};

struct term_values *term_values_new(void (*value)(term var, uint64_t *words, void *with),
                                    void *with) {
  struct term_values *values = term_allocate(NULL, sizeof *values);
  *values = (struct term_values){.value = value, .with = with};
  return values;
}

void term_values_free(struct term_values *values) {
  if (!values) return;
  while (values->chunks) {
    struct chunk *next = values->chunks->next;
    free(values->chunks);
    values->chunks = next;
  }
  free(values->of);
  free(values->stack);
  free(values);
}

/* Memory that is not touched stays unused: there are many more terms than are asked for. */
static void make_room(struct term_values *values, term a) {
  if (a < values->size) return;
  const size_t size = term_count() + 1 + values->size / 2;
  uint64_t **of = calloc(size, sizeof *of);
  if (!of) term_unusable("out of memory");
  if (values->size > 0) memcpy(of, values->of, values->size * sizeof *of);
  free(values->of);
  values->of = of;
  values->size = size;
}

static uint64_t *words_for(struct term_values *values, uint32_t width) {
  const size_t num = words_of(width);
  if (num > values->left) {
    const size_t size = num > CHUNK_WORDS ? num : CHUNK_WORDS;
    struct chunk *chunk = term_allocate(NULL, sizeof *chunk + size * sizeof *chunk->words);
    chunk->next = values->chunks;
    values->chunks = chunk;
    values->left = size;
  }
  values->left -= num;
  return values->chunks->words + values->left;
}

static void push(struct term_values *values, term a) {
  if (values->count == values->capacity) {
    values->capacity = values->capacity ? values->capacity * 2 : 256;
    values->stack = term_allocate(values->stack, values->capacity * sizeof *values->stack);
  }
  values->stack[values->count++] = a;
}

/* Pushes the arguments that have no value yet. */
static bool has_arguments(struct term_values *values, const struct term_node *node) {
  bool all = true;
  for (unsigned i = 0; i < 3 && node->args[i]; i++) {
    if (values->of[node->args[i]]) continue;
    push(values, node->args[i]);
    all = false;
  }
  return all;
}

static void ask(struct term_values *values, term var, uint64_t *words) {
  const uint32_t width = width_of(var);
  const size_t last = words_of(width) - 1;
  memset(words, 0, (last + 1) * sizeof *words);
  values->value(var, words, values->with);
  words[last] &= width_mask(width - (uint32_t)last * 64);
}

static void calculate(struct term_values *values, term a) {
  const struct term_node *node = term_at(a);
  uint64_t *words = words_for(values, node->width);
  if (node->op == TERM_CONST) {
    memcpy(words, term_words(a), words_of(node->width) * sizeof *words);
  } else if (node->op == TERM_VAR) {
    ask(values, a, words);
  } else {
    const uint64_t *args[3] = {NULL, NULL, NULL};
    for (unsigned i = 0; i < 3 && node->args[i]; i++) args[i] = values->of[node->args[i]];
    term_evaluate(node, args, words);
  }
  values->of[a] = words;
}

const uint64_t *term_value(struct term_values *values, term a) {
  make_room(values, a);
  push(values, a);
  while (values->count > 0) {
    const term top = values->stack[values->count - 1];
    if (!values->of[top]) {
      if (!has_arguments(values, term_at(top))) continue;
      calculate(values, top);
    }
    values->count--;
  }
  return values->of[a];
}
