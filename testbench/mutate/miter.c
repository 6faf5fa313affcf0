/*
 * pmuv3-miter: asks a question of the RTL with all its mutants, for a SAT solver.
 *
 *   pmuv3-miter CUT.aig QUESTION OUT.aig
 *
 * CUT.aig is what prove_rtl.sh makes: a clock of the RTL. Its latches are the registers, its
 * constraints what is assumed of the inputs, its bads what a lemma says is not. OUT.aig has one
 * output, which can be 1 where the answer is yes:
 *
 *   NUMBER       From a state of which the lemmas hold, does a clock differ with this mutant?
 *   assumptions  Is there such a state at all, with inputs that are assumed?
 *   lemma-N      Can this lemma, from 0 on, fail after a clock from such a state?
 *   reset        Can a lemma fail after both resets, from any state?
 */
#include <stdlib.h>
#include <string.h>

#include "testbench/cli/cli.h"
#include "testbench/mutate/aig.h"

static struct pmuv3_design design;
static struct pmuv3_graph *graph;

/* ---- Copies of the design ---- */

/* A copy is what each node of the design is in the graph. */
static pmuv3_literal *new_copy(void) {
  pmuv3_literal *copy = calloc(1 + design.inputs + design.latches + design.gates, sizeof *copy);
  if (!copy) pmuv3_cli_unusable("out of memory");
  return copy;
}

static pmuv3_literal get(const pmuv3_literal *copy, pmuv3_literal literal) {
  return copy[literal / 2] ^ literal % 2;
}

/* Inputs and latches, which are given, are at the beginning. */
static pmuv3_literal *input_of(pmuv3_literal *copy, uint32_t i) {
  return &copy[1 + i];
}

static pmuv3_literal *latch_of(pmuv3_literal *copy, uint32_t i) {
  return &copy[1 + design.inputs + i];
}

static void fill(pmuv3_literal *copy) {
  pmuv3_literal *gates = latch_of(copy, design.latches);
  for (uint32_t i = 0; i < design.gates; i++)
    gates[i] = pmuv3_graph_and(graph, get(copy, design.gate[i][0]), get(copy, design.gate[i][1]));
}

/* ---- Inputs ---- */

/* The bit that an input is of a port; -1: it is of another. */
static long bit_of(uint32_t input, const char *port) {
  const char *name = design.names[input];
  const size_t length = strlen(port);
  if (strncmp(name, port, length) != 0) return -1;
  if (!name[length]) return 0;
  return name[length] == '[' ? strtol(name + length + 1, NULL, 10) : -1;
}

/* The design must have all bits of a port, or what is asked is another question. */
static void expect_bits(const char *port, unsigned found, unsigned expected) {
  if (found != expected) pmuv3_cli_unusable("%u bits of %s, expected %u", found, port, expected);
}

static void set_port(pmuv3_literal *copy, const char *port, unsigned width, unsigned value) {
  unsigned found = 0;
  for (uint32_t i = 0; i < design.inputs; i++) {
    const long bit = bit_of(i, port);
    if (bit < 0) continue;
    *input_of(copy, i) = value >> bit & 1 ? PMUV3_TRUE : PMUV3_FALSE;
    found++;
  }
  expect_bits(port, found, width);
}

static void select_mutant(pmuv3_literal *copy, unsigned number) {
  set_port(copy, "mutant", 16, number);
}

/* Any inputs and any state, without a mutant. */
static pmuv3_literal *any_clock(void) {
  pmuv3_literal *copy = new_copy();
  for (uint32_t i = 0; i < design.inputs; i++) *input_of(copy, i) = pmuv3_graph_input(graph);
  for (uint32_t i = 0; i < design.latches; i++) *latch_of(copy, i) = pmuv3_graph_input(graph);
  select_mutant(copy, 0);
  return copy;
}

/* The configuration is static. */
static pmuv3_literal *next_clock(pmuv3_literal *before) {
  pmuv3_literal *copy = any_clock();
  unsigned found = 0;
  for (uint32_t i = 0; i < design.inputs; i++) {
    if (bit_of(i, "cfg") < 0) continue;
    *input_of(copy, i) = *input_of(before, i);
    found++;
  }
  if (found == 0) pmuv3_cli_unusable("no configuration");
  for (uint32_t i = 0; i < design.latches; i++) *latch_of(copy, i) = get(before, design.next[i]);
  return copy;
}

/* ---- Questions ---- */

static pmuv3_literal assumed(pmuv3_literal *copy) {
  pmuv3_literal all = PMUV3_TRUE;
  for (uint32_t i = 0; i < design.constraints; i++)
    all = pmuv3_graph_and(graph, all, get(copy, design.constraint[i]));
  return all;
}

static pmuv3_literal lemma_fails(pmuv3_literal *copy) {
  pmuv3_literal any = PMUV3_FALSE;
  for (uint32_t i = 0; i < design.bads; i++)
    any = pmuv3_graph_or(graph, any, get(copy, design.bad[i]));
  return any;
}

static pmuv3_literal allowed(pmuv3_literal *copy) {
  return pmuv3_graph_and(graph, assumed(copy), pmuv3_not(lemma_fails(copy)));
}

/* Whether any of these is not the same in the two. */
static pmuv3_literal differ(const pmuv3_literal *list, uint32_t num, pmuv3_literal *right,
                            pmuv3_literal *wrong) {
  pmuv3_literal any = PMUV3_FALSE;
  for (uint32_t i = 0; i < num; i++) {
    const pmuv3_literal one = pmuv3_graph_xor(graph, get(right, list[i]), get(wrong, list[i]));
    any = pmuv3_graph_or(graph, any, one);
  }
  return any;
}

/* The mutant has the inputs and the state of the other. What is allowed is said of the other alone.
 */
static pmuv3_literal mutant_differs(unsigned number) {
  pmuv3_literal *right = any_clock(), *wrong = new_copy();
  memcpy(wrong, right, (1 + design.inputs + design.latches) * sizeof *wrong);
  select_mutant(wrong, number);
  fill(right);
  fill(wrong);
  const pmuv3_literal outputs = differ(design.output, design.outputs, right, wrong);
  const pmuv3_literal registers = differ(design.next, design.latches, right, wrong);
  return pmuv3_graph_and(graph, pmuv3_graph_or(graph, outputs, registers), allowed(right));
}

static pmuv3_literal can_be(void) {
  pmuv3_literal *now = any_clock();
  fill(now);
  return allowed(now);
}

/* Another copy, whose inputs are legal, too. */
static pmuv3_literal *legal_clock_after(pmuv3_literal *now, pmuv3_literal *legal) {
  pmuv3_literal *next = next_clock(now);
  fill(next);
  *legal = pmuv3_graph_and(graph, *legal, assumed(next));
  return next;
}

static pmuv3_literal step_fails(uint32_t lemma) {
  pmuv3_literal *now = any_clock();
  fill(now);
  pmuv3_literal legal = allowed(now);
  pmuv3_literal *next = legal_clock_after(now, &legal);
  return pmuv3_graph_and(graph, legal, get(next, design.bad[lemma]));
}

static pmuv3_literal reset_fails(void) {
  pmuv3_literal *now = any_clock();
  set_port(now, "rst_ni", 1, 0);
  set_port(now, "rst_cold_ni", 1, 0);
  fill(now);
  pmuv3_literal legal = assumed(now);
  pmuv3_literal *next = legal_clock_after(now, &legal);
  return pmuv3_graph_and(graph, legal, lemma_fails(next));
}

static pmuv3_literal ask(const char *question) {
  if (strcmp(question, "assumptions") == 0) return can_be();
  if (strncmp(question, "lemma-", 6) == 0)
    return step_fails((uint32_t)pmuv3_cli_number("lemma", question + 6, 0, design.bads - 1));
  if (strcmp(question, "reset") == 0) return reset_fails();
  return mutant_differs((unsigned)pmuv3_cli_number("mutant", question, 0, UINT16_MAX));
}

/* ---- The program ---- */

/* Two copies of the design, and at most five gates for each thing that is compared. */
static void create_graph(void) {
  const uint64_t nodes =
      UINT64_C(2) * (1 + design.inputs + design.latches + design.gates) +
      UINT64_C(5) * (design.outputs + design.latches + design.bads + design.constraints + 16);
  graph = nodes < UINT32_MAX / 4 ? pmuv3_graph_create((uint32_t)nodes) : NULL;
  if (!graph) pmuv3_cli_unusable("out of memory");
}

static bool write_answer(FILE *out, const void *output) {
  pmuv3_graph_write(graph, *(const pmuv3_literal *)output, out);
  return true;
}

int main(int argc, char **argv) {
  if (argc != 4) pmuv3_cli_unusable("expected CUT.aig QUESTION OUT.aig");
  const char *error = pmuv3_design_read(&design, argv[1]);
  if (error) pmuv3_cli_unusable("%s: %s", argv[1], error);
  create_graph();
  const pmuv3_literal output = ask(argv[2]);
  pmuv3_cli_write("OUT.aig", argv[3], write_answer, &output);
  return 0;
}
