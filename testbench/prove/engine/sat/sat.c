#include "engine/sat/sat.h"

#include <stdlib.h>
#include <string.h>

#include "engine/sat/blast.h"
#include "engine/sat/cadical.h"
#include "engine/sat/checker.h"
#include "engine/sat/cnf.h"
#include "engine/term/checked.h"

struct sat {
  struct cnf *cnf;
  struct blaster *blaster;
  struct cadical *cadical;
  struct checker *checker;
  size_t given; /* of the CNF, to both */
};

static int literal_of(struct sat *sat, term condition) {
  return blast(sat->blaster, condition)[0];
}

struct sat *sat_new(const term *assumptions, size_t num_assumptions) {
  struct sat *sat = checked(calloc(1, sizeof *sat));
  sat->cnf = cnf_new();
  sat->blaster = blaster_new(sat->cnf);
  sat->cadical = cadical_new();
  sat->checker = checker_new();
  for (size_t i = 0; i < num_assumptions; i++) {
    const int literal = literal_of(sat, assumptions[i]);
    cnf_add(sat->cnf, &literal, 1);
  }
  return sat;
}

void sat_free(struct sat *sat) {
  if (!sat) return;
  checker_free(sat->checker);
  cadical_free(sat->cadical);
  blaster_free(sat->blaster);
  cnf_free(sat->cnf);
  free(sat);
}

/* The clauses that are new go to CaDiCaL and to the checker. */
static void give(struct sat *sat) {
  size_t size;
  const int *clauses = cnf_clauses(sat->cnf, &size);
  for (size_t first = sat->given, i = first; i < size; i++) {
    cadical_add(sat->cadical, clauses[i]);
    if (clauses[i] != 0) continue;
    checker_give(sat->checker, clauses + first, i - first);
    first = i + 1;
  }
  sat->given = size;
}

/* The proof up to here holds, and it says that the literal is true. */
static bool is_certified(struct sat *sat, int literal) {
  size_t size;
  const unsigned char *proof = cadical_proof(sat->cadical, &size);
  return checker_read(sat->checker, proof, size) && checker_lemma(sat->checker, &literal, 1);
}

enum sat_answer sat_ask(struct sat *sat, term condition) {
  const int literal = literal_of(sat, condition);
  give(sat);
  if (cadical_can_be_true(sat->cadical, -literal)) return SAT_REFUTED;
  if (!is_certified(sat, literal)) return SAT_REJECTED;
  cadical_add(sat->cadical, literal); /* the checker has it as a lemma */
  cadical_add(sat->cadical, 0);
  return SAT_PROVED;
}

void sat_value(term var, uint64_t *words, void *with) {
  const struct sat *sat = with;
  const uint32_t width = term_width(var);
  const int *bits = blasted(sat->blaster, var);
  memset(words, 0, (width + 63) / 64 * sizeof *words);
  for (uint32_t i = 0; bits && i < width; i++)
    words[i / 64] |= (uint64_t)cadical_value(sat->cadical, bits[i]) << i % 64;
}

size_t sat_num_lemmas(const struct sat *sat) {
  return checker_num_lemmas(sat->checker);
}
