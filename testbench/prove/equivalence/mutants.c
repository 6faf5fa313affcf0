#include "testbench/prove/equivalence/mutants.h"

#include <stdio.h>

#include "testbench/prove/equivalence/text.h"

/* The theorem while it is made: of one mutant. */
struct making {
  struct theorem *theorem;
  const struct model *model;
  unsigned number;
  struct term_map *with, *without;
};

static struct term_map *selecting(const struct model *model, unsigned number) {
  struct term_map *map = term_map_new();
  term_map_put(map, model->mutant, term_const(term_width(model->mutant), number));
  return map;
}

static void same(struct making *making, const char *what, size_t place, term a) {
  if (a == TERM_NONE) return;
  char *name = text_format("mutant %u: %s %zu", making->number, what, place);
  const term is_same = term_eq(term_replace(a, making->with), term_replace(a, making->without));
  theorem_add(making->theorem, making->model, name, is_same);
}

/* A struct that has nothing but terms. */
static void all_same(struct making *making, const char *what, const void *terms, size_t size) {
  for (size_t place = 0; place < size / sizeof(term); place++)
    same(making, what, place, ((const term *)terms)[place]);
}

static void same_cuts(struct making *making, unsigned t, unsigned n) {
  const struct model *model = making->model;
  for (size_t c = 0; c < CUTS; c++) same(making, "cut", c, model->cuts[t][n][c].driven);
  same(making, "group", n, model->groups[t][n].driven);
  same(making, "eligible", n, model->eligible[t][n].driven);
  same(making, "sum", n, model->sums[t][n].driven);
  for (unsigned source = 0; source < model->size.threads; source++)
    for (size_t m = 0; m < MODEL_MAPS; m++)
      same(making, "map", m, model->maps[t][n][source][m].driven);
}

/* All that is seen of it, all that it keeps, and what of it is proved of the model itself: what it
 * derives is what it would derive anew, and nothing is undefined. What the compiler found out about
 * values of the model a mutant may make untrue. */
static void make_one(struct making *making) {
  const struct model *model = making->model;
  for (unsigned t = 0; t < model->size.threads; t++) {
    all_same(making, "next", &model->next[t], sizeof model->next[t]);
    for (unsigned n = 0; n < model->size.counters; n++) {
      all_same(making, "value", &model->values[t][n], sizeof model->values[t][n]);
      same_cuts(making, t, n);
    }
  }
  all_same(making, "answer", &model->answers, sizeof model->answers);
  for (size_t c = 0; c < model->num_claims; c++)
    if (!model->claims[c].is_promise)
      same(making, model->claims[c].name, c, model->claims[c].condition);
  for (size_t a = 0; a < model->num_assumptions; a++)
    same(making, "assumption", a, model->assumptions[a]);
  for (size_t p = 0; p < model->num_particulars; p++)
    same(making, "particular", p, model->particulars[p]);
}

static void count_bits(const struct model *model, struct theorem *theorem) {
  const term *next = (const term *)&model->next[0];
  for (size_t place = 0; place < sizeof model->next[0] / sizeof *next; place++)
    theorem->state_bits += term_width(next[place]);
  for (size_t v = 0; v < model->num_variables; v++)
    theorem->input_bits += term_width(model->variables[v]);
}

/* Whether symbolic execution has met the mutant: then there is a comparison with its number. */
static bool is_met(const struct model *model, unsigned number) {
  const size_t before = term_count();
  term_eq(model->mutant, term_const(term_width(model->mutant), number));
  return term_count() == before;
}

static void print_met(const struct model *model, unsigned number) {
  printf("  meets mutants");
  for (unsigned mutant = 1; mutant <= number; mutant++)
    if (is_met(model, mutant)) printf(" %u", mutant);
  printf("\n");
}

bool mutants_make(struct theorem *theorem, const struct model *model, unsigned number) {
  *theorem = (struct theorem){0};
  if (model->mutant == TERM_NONE) {
    fputs("pmuv3-prove: the C model has no selector of mutants\n", stderr);
    return false;
  }
  count_bits(model, theorem);
  print_met(model, number);
  for (unsigned mutant = 1; mutant <= number; mutant++) {
    struct making making = {theorem, model, mutant, selecting(model, mutant), selecting(model, 0)};
    make_one(&making);
    term_map_free(making.without);
    term_map_free(making.with);
  }
  return true;
}
