/* And-inverter graphs: AIGER files, and a graph in which what is the same is one node. */
#ifndef PMUV3_AIG_H
#define PMUV3_AIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Twice a node's number, and 1 more: inverted. Node 0 is the constant 0. */
typedef uint32_t pmuv3_literal;

#define PMUV3_FALSE 0U
#define PMUV3_TRUE 1U

static inline pmuv3_literal pmuv3_not(pmuv3_literal a) {
  return a ^ 1U;
}

/* ---- A design, as a file has it ---- */

/*
 * Its nodes are numbered in this order: the constant, inputs, latches, gates. A list's literals are
 * those of its nodes; a gate has two.
 */
struct pmuv3_design {
  uint32_t inputs, latches, gates, outputs, bads, constraints;
  pmuv3_literal *next; /* of each latch */
  pmuv3_literal *output, *bad, *constraint;
  pmuv3_literal (*gate)[2];
  char **names; /* of each input, "" where it has none */
  char **output_names;
};

/* Reads a binary AIGER file. NULL, or what is wrong, in words. What it allocates is never freed. */
const char *pmuv3_design_read(struct pmuv3_design *design, const char *path);

/* ---- A graph ---- */

struct pmuv3_graph;

/* An empty one, for at most that many nodes. NULL: out of memory. */
struct pmuv3_graph *pmuv3_graph_create(uint32_t nodes);

/* A new input. */
pmuv3_literal pmuv3_graph_input(struct pmuv3_graph *graph);

pmuv3_literal pmuv3_graph_and(struct pmuv3_graph *graph, pmuv3_literal a, pmuv3_literal b);
pmuv3_literal pmuv3_graph_or(struct pmuv3_graph *graph, pmuv3_literal a, pmuv3_literal b);
pmuv3_literal pmuv3_graph_xor(struct pmuv3_graph *graph, pmuv3_literal a, pmuv3_literal b);

/* How many nodes it has. */
uint32_t pmuv3_graph_nodes(const struct pmuv3_graph *graph);

/* Marks all nodes that those which are marked need. */
void pmuv3_graph_mark(const struct pmuv3_graph *graph, bool *marked);

/* Writes what this literal needs as a binary AIGER file with one output. */
void pmuv3_graph_write(const struct pmuv3_graph *graph, pmuv3_literal output, FILE *out);

#endif
