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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/signoff/mutate/aig.h"

static struct pmuv3_design design;
static struct pmuv3_graph *graph;

/* ---- Copies of the design ---- */

/* A copy is what each node of the design is in the graph. */
static pmuv3_literal *new_copy(void) {
  pmuv3_literal *copy = calloc(1 + design.inputs + design.latches + design.gates, sizeof *copy);
  if (!copy) pmuv3_cli_no_verdict("out of memory");
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

/* The bit that this name is of a port; -1: it is of another. */
static long bit_of(const char *name, const char *port) {
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
    const long bit = bit_of(design.names[i], port);
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

static bool is_configuration(const char *name) {
  return bit_of(name, "cfg") >= 0 || bit_of(name, "events") >= 0;
}

/* The configuration is static. */
static pmuv3_literal *next_clock(pmuv3_literal *before) {
  pmuv3_literal *copy = any_clock();
  unsigned found = 0;
  for (uint32_t i = 0; i < design.inputs; i++) {
    if (!is_configuration(design.names[i])) continue;
    *input_of(copy, i) = *input_of(before, i);
    found++;
  }
  if (found == 0) pmuv3_cli_unusable("no configuration");
  for (uint32_t i = 0; i < design.latches; i++) *latch_of(copy, i) = get(before, design.next[i]);
  return copy;
}

/* ---- What is allowed ---- */

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

/* ---- Two copies ---- */

static unsigned width_of(const char *port) {
  unsigned bits = 0;
  for (uint32_t i = 0; i < design.outputs; i++)
    if (bit_of(design.output_names[i], port) >= 0) bits++;
  return bits;
}

static pmuv3_literal output_of(const char *port, unsigned bit) {
  for (uint32_t i = 0; i < design.outputs; i++)
    if (bit_of(design.output_names[i], port) == bit) return design.output[i];
  pmuv3_cli_unusable("no output %s[%u]", port, bit);
}

#define PROBE "u_pmuv3.probe_"
#define READ_VALUE "u_pmuv3.reg_rdata_o"
#define PRESENT "u_pmuv3.present" /* outputs for this question: which threads there are, */
#define READ "u_pmuv3.reg_read_i" /* and which read */

/* Whether an output is looked at. The probe of a thread that is not there is not, nor what is read
 * where nothing is. */
static pmuv3_literal is_seen(const char *name, const pmuv3_literal *right) {
  char port[256];
  const char *where = PRESENT;
  if (bit_of(name, PRESENT) >= 0 || bit_of(name, READ) >= 0) return PMUV3_FALSE;
  if (bit_of(name, READ_VALUE) >= 0)
    where = READ;
  else if (strncmp(name, PROBE, strlen(PROBE)) != 0)
    return PMUV3_TRUE;
  snprintf(port, sizeof port, "%.*s", (int)strcspn(name, "["), name);
  const unsigned thread = (unsigned)bit_of(name, port) * width_of(where) / width_of(port);
  return get(right, output_of(where, thread));
}

static pmuv3_literal outputs_differ(const pmuv3_literal *right, const pmuv3_literal *wrong) {
  pmuv3_literal any = PMUV3_FALSE;
  for (uint32_t i = 0; i < design.outputs; i++) {
    pmuv3_literal one =
        pmuv3_graph_xor(graph, get(right, design.output[i]), get(wrong, design.output[i]));
    if (one != PMUV3_FALSE)
      one = pmuv3_graph_and(graph, one, is_seen(design.output_names[i], right));
    any = pmuv3_graph_or(graph, any, one);
  }
  return any;
}

static void mark_both(bool *marked, pmuv3_literal literal, const pmuv3_literal *right,
                      const pmuv3_literal *wrong) {
  marked[get(right, literal) / 2] = true;
  marked[get(wrong, literal) / 2] = true;
}

/* Which registers matter: those that an output needs, or another one that matters, in one of the
 * copies. What the others hold is seen never. */
static bool *find_matter(pmuv3_literal *right, const pmuv3_literal *wrong) {
  bool *marked = calloc(pmuv3_graph_nodes(graph), sizeof *marked);
  bool *matter = calloc(design.latches + 1, sizeof *matter);
  if (!marked || !matter) pmuv3_cli_no_verdict("out of memory");
  for (uint32_t i = 0; i < design.outputs; i++) mark_both(marked, design.output[i], right, wrong);
  for (bool found = true; found;) {
    found = false;
    pmuv3_graph_mark(graph, marked);
    for (uint32_t i = 0; i < design.latches; i++) {
      if (matter[i] || !marked[*latch_of(right, i) / 2]) continue;
      matter[i] = found = true;
      mark_both(marked, design.next[i], right, wrong);
    }
  }
  free(marked);
  return matter;
}

static pmuv3_literal registers_differ(pmuv3_literal *right, const pmuv3_literal *wrong) {
  pmuv3_literal any = PMUV3_FALSE;
  bool *matter = find_matter(right, wrong);
  for (uint32_t i = 0; i < design.latches; i++) {
    if (!matter[i]) continue;
    any = pmuv3_graph_or(
        graph, any, pmuv3_graph_xor(graph, get(right, design.next[i]), get(wrong, design.next[i])));
  }
  free(matter);
  return any;
}

/* ---- The questions ---- */

/* The mutant has the inputs and the state of the other. What is allowed is said of the other alone.
 */
static pmuv3_literal mutant_differs(unsigned number) {
  pmuv3_literal *right = any_clock(), *wrong = new_copy();
  memcpy(wrong, right, (1 + design.inputs + design.latches) * sizeof *wrong);
  select_mutant(wrong, number);
  fill(right);
  fill(wrong);
  const pmuv3_literal registers = registers_differ(right, wrong);
  return pmuv3_graph_and(graph, pmuv3_graph_or(graph, outputs_differ(right, wrong), registers),
                         allowed(right));
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
  if (!graph) pmuv3_cli_no_verdict("out of memory");
}

static bool write_answer(FILE *out, const void *output) {
  pmuv3_graph_write(graph, *(const pmuv3_literal *)output, out);
  return true;
}

int main(int argc, char **argv) {
  pmuv3_cli_begin("pmuv3-miter");
  if (argc != 4) pmuv3_cli_unusable("expected CUT.aig QUESTION OUT.aig");
  pmuv3_cli_check_input("CUT.aig", argv[1]);
  pmuv3_cli_check_output("OUT.aig", argv[3]);
  const char *error = pmuv3_design_read(&design, argv[1]);
  if (error) pmuv3_cli_unusable("%s: %s", argv[1], error);
  create_graph();
  const pmuv3_literal output = ask(argv[2]);
  pmuv3_cli_write("OUT.aig", argv[3], write_answer, &output);
  return 0;
}
