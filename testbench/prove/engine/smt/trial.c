#include "engine/smt/trial.h"

/* How the bits of a variable are chosen. */
enum kind {
  ZEROS,
  ONES,
  RANDOM,
  SPARSE,  /* one bit in eight is 1 */
  DENSE,   /* seven in eight */
  SMALL,   /* a number below 8 */
  ONE_BIT, /* a power of 2 */
  KINDS,
};

/* Splitmix64: of what is alike, numbers that are not. */
static uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

static uint64_t sparse(uint64_t seed) {
  return mix(seed ^ 1) & mix(seed ^ 2) & mix(seed ^ 3);
}

static uint64_t word_of(enum kind kind, uint64_t var_seed, uint32_t width, uint32_t n) {
  uint64_t seed = mix(var_seed + n);
  uint32_t bit = (uint32_t)(var_seed % width);
  switch (kind) {
    case ZEROS:
      return 0;
    case ONES:
      return UINT64_MAX;
    case RANDOM:
      return seed;
    case SPARSE:
      return sparse(seed);
    case DENSE:
      return ~sparse(seed);
    case SMALL:
      return n == 0 ? seed % 8 : 0;
    case ONE_BIT:
    case KINDS:
      break;
  }
  return bit / 64 == n ? (uint64_t)1 << bit % 64 : 0;
}

/* The first ones are of one kind for all variables, then each variable has its own. */
static enum kind kind_of(const struct trial *trial, uint64_t var_seed) {
  enum { ALIKE = 2 * KINDS };
  return (enum kind)(trial->number < ALIKE ? trial->number % KINDS : mix(var_seed) % KINDS);
}

void trial_value(term var, uint64_t *words, void *with) {
  const struct trial *trial = with;
  uint32_t width = term_width(var);
  uint64_t var_seed = mix((uint64_t)trial->number << 32 | var);
  enum kind kind = kind_of(trial, var_seed);
  uint32_t num_words = (width + 63) / 64;
  for (uint32_t i = 0; i < num_words; i++) words[i] = word_of(kind, var_seed, width, i);
  if (width % 64 != 0) words[num_words - 1] &= ((uint64_t)1 << width % 64) - 1;
}

static bool is_set(struct term_values *values, term condition) {
  return term_value(values, condition)[0] & 1;
}

bool trial_values_refute(const struct query *query, struct term_values *values) {
  for (size_t i = 0; i < query->num_assumptions; i++)
    if (!is_set(values, query->assumptions[i])) return false;
  return !is_set(values, query->condition);
}

bool trial_refutes(const struct query *query, void (*value)(term var, uint64_t *words, void *with),
                   void *with) {
  struct term_values *values = term_values_new(value, with);
  bool refutes = trial_values_refute(query, values);
  term_values_free(values);
  return refutes;
}
