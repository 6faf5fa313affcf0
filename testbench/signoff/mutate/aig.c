#define _GNU_SOURCE
#include "testbench/signoff/mutate/aig.h"

#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/file.h"
#include "testbench/cosim/cli/text.h"

/* ---- A design ---- */

/* A difference of two literals: 7 bits a byte, the lowest first. */
static bool read_delta(FILE *in, uint32_t *delta) {
  *delta = 0;
  for (unsigned shift = 0; shift < 32; shift += 7) {
    const int byte = getc(in);
    if (byte == EOF) return false;
    *delta |= (uint32_t)(byte & 0x7F) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

static bool read_gates(FILE *in, struct pmuv3_design *design) {
  pmuv3_literal literal = 2 * (1 + design->inputs + design->latches);
  for (uint32_t i = 0; i < design->gates; i++, literal += 2) {
    uint32_t first, second;
    if (!read_delta(in, &first) || !read_delta(in, &second)) return false;
    if (first == 0 || first > literal || second > literal - first) return false;
    design->gate[i][0] = literal - first;
    design->gate[i][1] = literal - first - second;
  }
  return true;
}

/* Literals, a line each. Of a latch's line the first is read, what it starts with is not looked at.
 */
static bool read_literals(FILE *in, pmuv3_literal *list, uint32_t num, pmuv3_literal limit) {
  char line[64], *end;
  for (uint32_t i = 0; i < num; i++) {
    if (!fgets(line, sizeof line, in)) return false;
    const unsigned long literal = strtoul(line, &end, 10);
    if (end == line || literal >= limit) return false;
    list[i] = (pmuv3_literal)literal;
  }
  return true;
}

/* A line such as "i0 name", into a list. */
static bool read_name(const char *line, char **names, uint32_t num) {
  char *end;
  const unsigned long number = strtoul(line + 1, &end, 10);
  if (*end != ' ' || number >= num) return false;
  names[number] = strdup(end + 1);
  return names[number] != NULL;
}

/* Lines of inputs and outputs, and others, up to the comment. */
static bool read_names(FILE *in, struct pmuv3_design *design) {
  struct pmuv3_lines lines = {.in = in};
  bool read = true;
  while (read && pmuv3_lines_next(&lines) && strcmp(lines.line, "c") != 0) {
    const char *line = lines.line;
    if (line[0] == 'i') read = read_name(line, design->names, design->inputs);
    if (line[0] == 'o') read = read_name(line, design->output_names, design->outputs);
  }
  read &= !*lines.wrong;
  pmuv3_lines_free(&lines);
  return read;
}

/* No list is empty to calloc. */
static bool allocate(struct pmuv3_design *design) {
  design->next = calloc(design->latches + 1, sizeof *design->next);
  design->output = calloc(design->outputs + 1, sizeof *design->output);
  design->bad = calloc(design->bads + 1, sizeof *design->bad);
  design->constraint = calloc(design->constraints + 1, sizeof *design->constraint);
  design->gate = calloc(design->gates + 1, sizeof *design->gate);
  design->names = calloc(design->inputs + 1, sizeof *design->names);
  design->output_names = calloc(design->outputs + 1, sizeof *design->output_names);
  if (!design->names || !design->output_names) return false;
  for (uint32_t i = 0; i < design->inputs; i++) design->names[i] = "";
  for (uint32_t i = 0; i < design->outputs; i++) design->output_names[i] = "";
  return design->next && design->output && design->bad && design->constraint && design->gate;
}

static bool read_header(FILE *in, struct pmuv3_design *design) {
  char line[128];
  uint32_t most;
  return fgets(line, sizeof line, in) &&
         sscanf(line, "aig %u %u %u %u %u %u %u", &most, &design->inputs, &design->latches,
                &design->outputs, &design->gates, &design->bads, &design->constraints) == 7 &&
         most < UINT32_MAX / 8 && most == design->inputs + design->latches + design->gates;
}

static const char *read_design(FILE *in, struct pmuv3_design *design) {
  if (!read_header(in, design)) return "no binary AIGER file with constraints";
  if (!allocate(design)) return "out of memory";
  const pmuv3_literal limit = 2 * (1 + design->inputs + design->latches + design->gates);
  const bool read = read_literals(in, design->next, design->latches, limit) &&
                    read_literals(in, design->output, design->outputs, limit) &&
                    read_literals(in, design->bad, design->bads, limit) &&
                    read_literals(in, design->constraint, design->constraints, limit) &&
                    read_gates(in, design) && read_names(in, design);
  return read ? NULL : "a broken AIGER file";
}

const char *pmuv3_design_read(struct pmuv3_design *design, const char *path) {
  *design = (struct pmuv3_design){0};
  const char *error;
  FILE *in = pmuv3_file_open(path, &error);
  if (!in) return error;
  error = read_design(in, design);
  fclose(in);
  return error;
}

/* ---- A graph ---- */

/* An input is a node of which both are 0; no gate is. */
struct node {
  pmuv3_literal a, b;
};

struct pmuv3_graph {
  struct node *nodes;
  uint32_t num, most;
  uint32_t *gates; /* by their hash, 0: none */
  uint32_t mask;
};

struct pmuv3_graph *pmuv3_graph_create(uint32_t nodes) {
  struct pmuv3_graph *graph = calloc(1, sizeof *graph);
  if (!graph) return NULL;
  for (graph->mask = 1; graph->mask / 2 < nodes; graph->mask = 2 * graph->mask + 1) continue;
  graph->most = nodes;
  graph->num = 1;
  graph->nodes = calloc(nodes, sizeof *graph->nodes);
  graph->gates = calloc((size_t)graph->mask + 1, sizeof *graph->gates);
  return graph->nodes && graph->gates ? graph : NULL;
}

static pmuv3_literal add(struct pmuv3_graph *graph, struct node node) {
  if (graph->num == graph->most) abort(); /* who creates it says how many */
  graph->nodes[graph->num] = node;
  return 2 * graph->num++;
}

pmuv3_literal pmuv3_graph_input(struct pmuv3_graph *graph) {
  return add(graph, (struct node){0});
}

/* Where this gate is, or would be. */
static uint32_t *find(const struct pmuv3_graph *graph, struct node gate) {
  const uint64_t mixed = (((uint64_t)gate.a << 32) + gate.b) * UINT64_C(0x9E3779B97F4A7C15);
  uint32_t at = (uint32_t)(mixed >> 32) & graph->mask;
  while (graph->gates[at]) {
    const struct node *other = &graph->nodes[graph->gates[at]];
    if (other->a == gate.a && other->b == gate.b) break;
    at = (at + 1) & graph->mask;
  }
  return &graph->gates[at];
}

pmuv3_literal pmuv3_graph_and(struct pmuv3_graph *graph, pmuv3_literal a, pmuv3_literal b) {
  if (a < b) return pmuv3_graph_and(graph, b, a);
  if (b == PMUV3_FALSE || a == pmuv3_not(b)) return PMUV3_FALSE;
  if (b == PMUV3_TRUE || a == b) return a;
  uint32_t *gate = find(graph, (struct node){a, b});
  if (!*gate) *gate = add(graph, (struct node){a, b}) / 2;
  return 2 * *gate;
}

pmuv3_literal pmuv3_graph_or(struct pmuv3_graph *graph, pmuv3_literal a, pmuv3_literal b) {
  return pmuv3_not(pmuv3_graph_and(graph, pmuv3_not(a), pmuv3_not(b)));
}

pmuv3_literal pmuv3_graph_xor(struct pmuv3_graph *graph, pmuv3_literal a, pmuv3_literal b) {
  return pmuv3_graph_and(graph, pmuv3_graph_or(graph, a, b),
                         pmuv3_not(pmuv3_graph_and(graph, a, b)));
}

/* ---- What a literal needs ---- */

static bool is_gate(const struct pmuv3_graph *graph, uint32_t node) {
  return graph->nodes[node].a != 0;
}

uint32_t pmuv3_graph_nodes(const struct pmuv3_graph *graph) {
  return graph->num;
}

/* What a gate needs is before it. */
void pmuv3_graph_mark(const struct pmuv3_graph *graph, bool *marked) {
  for (uint32_t i = graph->num - 1; i > 0; i--) {
    if (!marked[i] || !is_gate(graph, i)) continue;
    marked[graph->nodes[i].a / 2] = true;
    marked[graph->nodes[i].b / 2] = true;
  }
}

/* Numbers those nodes that are marked, gates or inputs, from `next` on. Returns how many these are.
 */
static uint32_t number(const struct pmuv3_graph *graph, const bool *marked, bool gates,
                       uint32_t next, uint32_t *numbers) {
  const uint32_t first = next;
  for (uint32_t i = 1; i < graph->num; i++) {
    if (marked[i] && is_gate(graph, i) == gates) numbers[i] = next++;
  }
  return next - first;
}

static void write_delta(FILE *out, uint32_t delta) {
  for (; delta >= 0x80; delta >>= 7) putc((int)(delta & 0x7F) | 0x80, out);
  putc((int)delta, out);
}

static void write_gates(const struct pmuv3_graph *graph, const uint32_t *numbers, uint32_t first,
                        FILE *out) {
  for (uint32_t i = 1; i < graph->num; i++) {
    if (numbers[i] < first) continue;
    const struct node *gate = &graph->nodes[i];
    const pmuv3_literal a = 2 * numbers[gate->a / 2] + gate->a % 2;
    const pmuv3_literal b = 2 * numbers[gate->b / 2] + gate->b % 2;
    write_delta(out, 2 * numbers[i] - (a > b ? a : b));
    write_delta(out, a > b ? a - b : b - a);
  }
}

void pmuv3_graph_write(const struct pmuv3_graph *graph, pmuv3_literal output, FILE *out) {
  bool *marked = calloc(graph->num, sizeof *marked);
  uint32_t *numbers = calloc(graph->num, sizeof *numbers);
  if (!marked || !numbers) abort();
  marked[output / 2] = true;
  pmuv3_graph_mark(graph, marked);
  const uint32_t inputs = number(graph, marked, false, 1, numbers);
  const uint32_t gates = number(graph, marked, true, 1 + inputs, numbers);
  fprintf(out, "aig %u %u 0 1 %u\n%u\n", inputs + gates, inputs, gates,
          2 * numbers[output / 2] + output % 2);
  write_gates(graph, numbers, 1 + inputs, out);
  free(marked);
  free(numbers);
}
