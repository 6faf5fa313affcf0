/* Proves a C function equal to a module of SystemVerilog, and refutes another function. */
#include <inttypes.h>
#include <stdio.h>

#include "engine/netlist/netlist.h"
#include "engine/smt/solver.h"
#include "engine/symex/symex.h"

struct question {
  const char *const inputs[2];
  const struct netlist *netlist;
  enum answer answer;
};

static void print_counterexample(const struct question *question, const struct result *result) {
  for (size_t i = 0; i < 2; i++) {
    uint64_t value;
    result->value(netlist_input(question->netlist, question->inputs[i])->value, &value,
                  result->model);
    printf(" %s=%" PRIu64, question->inputs[i], value);
  }
}

static void answered(const struct query *query, const struct result *result) {
  static const char *const words[] = {[ANSWER_PROVED] = "equal",
                                      [ANSWER_REFUTED] = "differs where",
                                      [ANSWER_UNKNOWN] = "no answer",
                                      [ANSWER_DISAGREE] = "the solvers disagree"};
  struct question *question = query->with;
  question->answer = result->answer;
  printf("%s: %s", query->name, words[result->answer]);
  if (result->answer == ANSWER_REFUTED) print_counterexample(question, result);
  printf("\n");
}

/* Equal to the module's output, and nothing undefined happens. */
static term claim(struct symex *symex, const struct netlist *netlist, const char *function) {
  const term arguments[] = {netlist_input(netlist, "a_i")->value,
                            netlist_input(netlist, "b_i")->value};
  const term sum = symex_call(symex, function, arguments, 2);
  term condition = term_eq(sum, netlist_output(netlist, "sum_o")->value);
  const struct symex_obligation *obligations;
  size_t trivial;
  const size_t number = symex_obligations(symex, &obligations, &trivial);
  for (size_t o = 0; o < number; o++) condition = term_and(condition, obligations[o].condition);
  return condition;
}

static enum answer ask(struct symex *symex, const struct netlist *netlist, const char *function) {
  struct question question = {{"a_i", "b_i"}, netlist, ANSWER_UNKNOWN};
  const struct query query = {
      .name = function, .condition = claim(symex, netlist, function), .with = &question};
  const struct solver_options options = {.jobs = 2, .seconds = 60};
  return solve(&query, 1, &options, answered) ? question.answer : ANSWER_UNKNOWN;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: example BITCODE NETLIST\n");
    return 2;
  }
  struct symex *symex = symex_new(argv[1]);
  struct netlist *netlist = netlist_read(argv[2], "", NULL, NULL);
  if (symex == NULL || netlist == NULL) return 2;
  const bool good = ask(symex, netlist, "saturating_add") == ANSWER_PROVED &&
                    ask(symex, netlist, "wrong_add") == ANSWER_REFUTED;
  netlist_free(netlist);
  symex_free(symex);
  return good ? 0 : 1;
}
