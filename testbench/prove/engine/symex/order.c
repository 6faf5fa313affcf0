#include "engine/symex/order.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "engine/symex/util.h"

/*
 * Bourdoncle's weak topological order: strongly connected components, of each
 * of them the first block that is reached, and the order of what is left of it
 * without that block. Made from the end.
 */
struct graph {
  LLVMBasicBlockRef *blocks;
  size_t count;
  uint32_t **successors;
  unsigned *num_successors;
};

struct walk {
  const struct graph *graph;
  size_t *number; /* 0: not visited; DONE */
  size_t visited;
  uint32_t *stack;
  size_t depth;
  uint32_t *order; /* filled from the end */
  size_t left;
};

#define DONE SIZE_MAX

static size_t visit(struct walk *walk, uint32_t block);

static void visit_component(struct walk *walk, uint32_t header) {
  const struct graph *graph = walk->graph;
  for (unsigned s = 0; s < graph->num_successors[header]; s++)
    if (walk->number[graph->successors[header][s]] == 0) visit(walk, graph->successors[header][s]);
}

/* The smallest number that the block leads to. */
static size_t visit(struct walk *walk, uint32_t block) {
  const struct graph *graph = walk->graph;
  walk->stack[walk->depth++] = block;
  size_t head = walk->number[block] = ++walk->visited;
  bool loops = false;
  for (unsigned s = 0; s < graph->num_successors[block]; s++) {
    const uint32_t successor = graph->successors[block][s];
    const size_t low =
        walk->number[successor] == 0 ? visit(walk, successor) : walk->number[successor];
    if (low <= head) {
      head = low;
      loops = true;
    }
  }
  if (head != walk->number[block]) return head;
  walk->number[block] = DONE;
  uint32_t member = walk->stack[--walk->depth];
  if (loops) {
    while (member != block) {
      walk->number[member] = 0;
      member = walk->stack[--walk->depth];
    }
    visit_component(walk, block);
  }
  walk->order[--walk->left] = block;
  return head;
}

static uint32_t index_of(const struct graph *graph, LLVMBasicBlockRef block) {
  uint32_t b = 0;
  while (graph->blocks[b] != block) b++;
  return b;
}

static struct graph graph_of(LLVMValueRef function) {
  struct graph graph = {.count = LLVMCountBasicBlocks(function)};
  graph.blocks = symex_allocate(graph.count, sizeof *graph.blocks);
  graph.successors = symex_allocate(graph.count, sizeof *graph.successors);
  graph.num_successors = symex_allocate(graph.count, sizeof *graph.num_successors);
  LLVMGetBasicBlocks(function, graph.blocks);
  for (size_t b = 0; b < graph.count; b++) {
    const LLVMValueRef last = LLVMGetBasicBlockTerminator(graph.blocks[b]);
    const unsigned count = LLVMGetNumSuccessors(last);
    graph.num_successors[b] = count;
    graph.successors[b] = symex_allocate(count, sizeof **graph.successors);
    /* Visited first is late in the order: the usual way comes first then. */
    for (unsigned s = 0; s < count; s++)
      graph.successors[b][count - 1 - s] = index_of(&graph, LLVMGetSuccessor(last, s));
  }
  return graph;
}

LLVMBasicBlockRef *symex_order(LLVMValueRef function, size_t *count) {
  struct graph graph = graph_of(function);
  struct walk walk = {.graph = &graph, .left = graph.count};
  walk.number = symex_allocate(graph.count, sizeof *walk.number);
  walk.stack = symex_allocate(graph.count, sizeof *walk.stack);
  walk.order = symex_allocate(graph.count, sizeof *walk.order);
  visit(&walk, 0);
  *count = graph.count - walk.left;
  LLVMBasicBlockRef *order = symex_allocate(*count, sizeof *order);
  for (size_t b = 0; b < *count; b++) order[b] = graph.blocks[walk.order[walk.left + b]];
  for (size_t b = 0; b < graph.count; b++) free(graph.successors[b]);
  free(graph.blocks);
  free(graph.successors);
  free(graph.num_successors);
  free(walk.number);
  free(walk.stack);
  free(walk.order);
  return order;
}
