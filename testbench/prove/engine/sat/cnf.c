#include "engine/sat/cnf.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/term/checked.h"

enum kind { NO_GATE, AND, XOR, ITE, MAJORITY };

struct gate {
  enum kind kind;
  int inputs[3], output;
};

struct cnf {
  int num_variables;
  int *clauses;
  size_t size, capacity;
  struct gate *gates; /* a hash table */
  size_t num_gates, num_slots;
};

/* ---- Clauses ---- */

struct cnf *cnf_new(void) {
  struct cnf *cnf = checked(calloc(1, sizeof *cnf));
  cnf->num_slots = 1 << 10;
  cnf->gates = checked(calloc(cnf->num_slots, sizeof *cnf->gates));
  const int is_true = cnf_variable(cnf);
  cnf_add(cnf, &is_true, 1);
  return cnf;
}

void cnf_free(struct cnf *cnf) {
  if (!cnf) return;
  free(cnf->clauses);
  free(cnf->gates);
  free(cnf);
}

int cnf_variable(struct cnf *cnf) {
  return ++cnf->num_variables;
}

void cnf_add(struct cnf *cnf, const int *literals, size_t count) {
  if (cnf->size + count + 1 > cnf->capacity) {
    cnf->capacity = 2 * cnf->capacity + count + 1024;
    cnf->clauses = checked(realloc(cnf->clauses, cnf->capacity * sizeof *cnf->clauses));
  }
  memcpy(cnf->clauses + cnf->size, literals, count * sizeof *literals);
  cnf->size += count;
  cnf->clauses[cnf->size++] = 0;
}

const int *cnf_clauses(const struct cnf *cnf, size_t *size) {
  *size = cnf->size;
  return cnf->clauses;
}

static void add_2(struct cnf *cnf, int a, int b) {
  cnf_add(cnf, (const int[]){a, b}, 2);
}

static void add_3(struct cnf *cnf, int a, int b, int c) {
  cnf_add(cnf, (const int[]){a, b, c}, 3);
}

/* ---- Gates, made once each ---- */

static struct gate *slot_of(const struct cnf *cnf, const struct gate *gate) {
  uint64_t hash = (uint64_t)gate->kind;
  for (size_t i = 0; i < 3; i++) {
    hash = (hash ^ (uint32_t)gate->inputs[i]) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  size_t slot = hash & (cnf->num_slots - 1);
  for (;; slot = (slot + 1) & (cnf->num_slots - 1)) {
    struct gate *found = &cnf->gates[slot];
    if (found->kind == NO_GATE) return found;
    if (found->kind == gate->kind && memcmp(found->inputs, gate->inputs, sizeof gate->inputs) == 0)
      return found;
  }
}

static void make_room(struct cnf *cnf) {
  if (2 * cnf->num_gates < cnf->num_slots) return;
  struct gate *old = cnf->gates;
  const size_t num_old = cnf->num_slots;
  cnf->num_slots *= 2;
  cnf->gates = checked(calloc(cnf->num_slots, sizeof *cnf->gates));
  for (size_t i = 0; i < num_old; i++)
    if (old[i].kind != NO_GATE) *slot_of(cnf, &old[i]) = old[i];
  free(old);
}

/* The output of the gate; is_new: its clauses are to be added. */
static int gate(struct cnf *cnf, enum kind kind, int a, int b, int c, bool *is_new) {
  make_room(cnf);
  const struct gate wanted = {kind, {a, b, c}, 0};
  struct gate *slot = slot_of(cnf, &wanted);
  *is_new = slot->kind == NO_GATE;
  if (*is_new) {
    *slot = wanted;
    slot->output = cnf_variable(cnf);
    cnf->num_gates++;
  }
  return slot->output;
}

static bool is_constant(int a) {
  return abs(a) == LITERAL_TRUE;
}

static void order(int *a, int *b) {
  const int first = *a;
  if (abs(first) <= abs(*b)) return;
  *a = *b;
  *b = first;
}

int cnf_and(struct cnf *cnf, int a, int b) {
  order(&a, &b);
  if (a == LITERAL_FALSE || a == -b) return LITERAL_FALSE;
  if (a == LITERAL_TRUE || a == b) return b;
  bool is_new;
  const int output = gate(cnf, AND, a, b, 0, &is_new);
  if (is_new) {
    add_2(cnf, -output, a);
    add_2(cnf, -output, b);
    add_3(cnf, output, -a, -b);
  }
  return output;
}

int cnf_or(struct cnf *cnf, int a, int b) {
  return -cnf_and(cnf, -a, -b);
}

/* A negated input negates the output. */
int cnf_xor(struct cnf *cnf, int a, int b) {
  order(&a, &b);
  if (is_constant(a)) return a == LITERAL_TRUE ? -b : b;
  if (abs(a) == abs(b)) return a == b ? LITERAL_FALSE : LITERAL_TRUE;
  const bool is_negated = (a < 0) != (b < 0);
  a = abs(a);
  b = abs(b);
  bool is_new;
  const int output = gate(cnf, XOR, a, b, 0, &is_new);
  if (is_new) {
    add_3(cnf, -output, a, b);
    add_3(cnf, -output, -a, -b);
    add_3(cnf, output, -a, b);
    add_3(cnf, output, a, -b);
  }
  return is_negated ? -output : output;
}

/* Neither is the other, nor its negation, and none is constant. */
static int ite_gate(struct cnf *cnf, int condition, int a, int b) {
  bool is_new;
  const int output = gate(cnf, ITE, condition, a, b, &is_new);
  if (is_new) {
    add_3(cnf, -condition, -a, output);
    add_3(cnf, -condition, a, -output);
    add_3(cnf, condition, -b, output);
    add_3(cnf, condition, b, -output);
    add_3(cnf, -a, -b, output); /* implied, but it propagates where the condition is unknown */
    add_3(cnf, a, b, -output);
  }
  return output;
}

int cnf_ite(struct cnf *cnf, int condition, int a, int b) {
  if (condition < 0) return cnf_ite(cnf, -condition, b, a);
  if (condition == LITERAL_TRUE || a == b) return a;
  if (a == -b) return -cnf_xor(cnf, condition, a);
  if (a == condition || a == LITERAL_TRUE) return cnf_or(cnf, condition, b);
  if (a == -condition || a == LITERAL_FALSE) return cnf_and(cnf, -condition, b);
  if (b == condition || b == LITERAL_FALSE) return cnf_and(cnf, condition, a);
  if (b == -condition || b == LITERAL_TRUE) return cnf_or(cnf, -condition, a);
  return a < 0 ? -ite_gate(cnf, condition, -a, -b) : ite_gate(cnf, condition, a, b);
}

static int majority_gate(struct cnf *cnf, int a, int b, int c) {
  bool is_new;
  const int output = gate(cnf, MAJORITY, a, b, c, &is_new);
  if (is_new) {
    add_3(cnf, -a, -b, output);
    add_3(cnf, -a, -c, output);
    add_3(cnf, -b, -c, output);
    add_3(cnf, a, b, -output);
    add_3(cnf, a, c, -output);
    add_3(cnf, b, c, -output);
  }
  return output;
}

int cnf_majority(struct cnf *cnf, int a, int b, int c) {
  order(&a, &b);
  order(&b, &c);
  order(&a, &b);
  if (a == LITERAL_TRUE) return cnf_or(cnf, b, c);
  if (a == LITERAL_FALSE) return cnf_and(cnf, b, c);
  if (abs(a) == abs(b)) return a == b ? a : c;
  if (abs(b) == abs(c)) return b == c ? b : a;
  return a < 0 ? -majority_gate(cnf, -a, -b, -c) : majority_gate(cnf, a, b, c);
}

int cnf_and_all(struct cnf *cnf, const int *literals, size_t count) {
  int *clause = checked(malloc((count + 1) * sizeof *clause));
  size_t size = 0;
  bool is_false = false;
  for (size_t i = 0; i < count; i++) {
    is_false = is_false || literals[i] == LITERAL_FALSE;
    if (literals[i] != LITERAL_TRUE) clause[size++] = -literals[i];
  }
  int output = is_false ? LITERAL_FALSE : LITERAL_TRUE;
  if (!is_false && size == 1) output = -clause[0];
  if (!is_false && size > 1) {
    output = cnf_variable(cnf);
    for (size_t i = 0; i < size; i++) add_2(cnf, -output, -clause[i]);
    clause[size++] = output;
    cnf_add(cnf, clause, size);
  }
  free(clause);
  return output;
}
