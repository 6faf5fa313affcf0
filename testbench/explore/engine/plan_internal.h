/* The parts of a plan: for plan.c, which makes them, and evaluate.c, which uses them. */
#ifndef EXPLORE_PLAN_INTERNAL_H
#define EXPLORE_PLAN_INTERNAL_H

#include "testbench/explore/engine/plan.h"

enum op {
  OP_ZERO,
  OP_ONES,
  OP_COLUMN,   /* column a of the trace */
  OP_ADD,      /* a + b */
  OP_NONZERO,  /* a != 0 */
  OP_AT_LEAST, /* a >= th; flag: negated */
  OP_UNEQUAL,  /* a != th; flag: negated */
  OP_EDGE,     /* rising edges of a; flag: all edges */
  OP_AND,      /* number a where b */
  OP_SELECT,   /* number b where a, else number c */
};

/* The nodes that every plan begins with. */
enum { NODE_ZERO, NODE_ONES };

/* A number or a bit of each cycle. Its operands are nodes before it. */
struct node {
  uint8_t op; /* enum op */
  uint8_t flag;
  uint8_t cp;    /* of an edge: CP when the plan was made, so that only equal ones are shared */
  uint8_t width; /* the planes that it has at most */
  uint16_t th;
  bool is_whole;  /* wanted in all cycles */
  bool is_wanted; /* wanted in the last cycle, at least */
  bool before;    /* of an edge: CP of the next cycle */
  bool after;     /* of an edge: likewise, once the evaluated cycles are counted */
  uint32_t a, b, c;
  uint32_t sum; /* its sum's number + 1; 0: it has none */
  size_t room;  /* its planes' place in the arena */
};

/* The sum of a node over the evaluated cycles. */
struct sum {
  uint32_t node;
  bool is_masked; /* the node is OP_AND: its operands are summed, the node is not made */
  uint64_t value;
};

/* What adds a sum: an event counter, the cycle counter or the instruction counter. */
struct counter {
  uint64_t *value;
  uint16_t *CP;     /* NULL: it has none */
  uint8_t *divider; /* NULL: it has none */
  uint64_t *counted;
  uint64_t *overflows;
  uint64_t *flags;
  uint64_t top;
  uint64_t width;
  uint32_t sum;
  uint32_t CT;   /* its node */
  uint32_t edge; /* its node; NODE_ZERO: it has none */
  uint32_t member;
  uint8_t bit;
  bool is_attended; /* see explore_plan_attend */
};

struct explore_plan {
  const struct pmt_header *header;
  const struct explore_kernels *kernels;
  struct node *nodes;
  struct sum *sums;
  struct counter *counters;
  uint32_t num_nodes, nodes_room;
  uint32_t num_sums, sums_room;
  uint32_t num_counters, counters_room;
  uint32_t num_members;
  uint32_t *table; /* a node's number + 1, by hash; 0: none */
  uint32_t table_size;
  struct explore_number *numbers; /* each node's, in the current chunk */
  uint32_t numbers_room;
  uint64_t *arena;
  size_t arena_words;
  uint32_t cycles;     /* that were evaluated */
  uint32_t last;       /* the last of them: its bit in the current chunk */
  uint32_t first_word; /* of the current chunk, in the block */
  uint32_t first, end; /* bits of the current chunk that were evaluated */
  bool failed;         /* out of memory */
};

#endif
