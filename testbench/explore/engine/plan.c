/* Plans: compiles PMUs to nodes, evaluates them, and counts the sums. */
#include "testbench/explore/engine/plan.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "testbench/explore/engine/plan_internal.h"

/* ---- Nodes ---- */

static uint32_t hash_of(const struct node *node) {
  const uint64_t words[3] = {
      (uint64_t)node->op << 56 | (uint64_t)node->flag << 48 | (uint64_t)node->cp << 40 | node->th,
      (uint64_t)node->a << 32 | node->b, node->c};
  uint64_t hash = UINT64_C(0x9E3779B97F4A7C15);
  for (unsigned i = 0; i < 3; i++) hash = (hash ^ words[i]) * UINT64_C(0xD6E8FEB86659FD93);
  return (uint32_t)(hash >> 32);
}

static bool is_same(const struct node *a, const struct node *b) {
  return a->op == b->op && a->flag == b->flag && a->cp == b->cp && a->th == b->th && a->a == b->a &&
         a->b == b->b && a->c == b->c;
}

static void *grown(struct explore_plan *plan, void *array, uint32_t num, uint32_t *room,
                   size_t size) {
  if (num < *room) return array;
  const uint32_t more = *room == 0 ? 64 : *room * 2;
  void *bigger = realloc(array, more * size);
  if (!bigger) {
    plan->failed = true;
    return array;
  }
  *room = more;
  return bigger;
}

static void rehash(struct explore_plan *plan) {
  const uint32_t size = plan->table_size == 0 ? 256 : plan->table_size * 2;
  uint32_t *table = calloc(size, sizeof *table);
  if (!table) {
    plan->failed = true;
    return;
  }
  free(plan->table);
  plan->table = table;
  plan->table_size = size;
  for (uint32_t n = 0; n < plan->num_nodes; n++) {
    uint32_t at = hash_of(&plan->nodes[n]) & (size - 1);
    while (table[at] != 0) at = (at + 1) & (size - 1);
    table[at] = n + 1;
  }
}

/* The node, which is made if there is none like it. */
static uint32_t node_of(struct explore_plan *plan, struct node node) {
  if (plan->num_nodes * 2 >= plan->table_size) rehash(plan);
  plan->nodes = grown(plan, plan->nodes, plan->num_nodes, &plan->nodes_room, sizeof *plan->nodes);
  if (plan->failed) return NODE_ZERO;
  uint32_t at = hash_of(&node) & (plan->table_size - 1);
  for (; plan->table[at] != 0; at = (at + 1) & (plan->table_size - 1))
    if (is_same(&plan->nodes[plan->table[at] - 1], &node)) return plan->table[at] - 1;
  plan->nodes[plan->num_nodes] = node;
  plan->table[at] = ++plan->num_nodes;
  return plan->num_nodes - 1;
}

static unsigned width_of(const struct explore_plan *plan, uint32_t n) {
  return plan->nodes[n].width;
}

static unsigned wider(const struct explore_plan *plan, uint32_t a, uint32_t b) {
  const unsigned x = width_of(plan, a), y = width_of(plan, b);
  return x > y ? x : y;
}

static uint32_t column(struct explore_plan *plan, unsigned c) {
  return node_of(plan,
                 (struct node){.op = OP_COLUMN, .a = c, .width = plan->header->columns[c].width});
}

static uint32_t add(struct explore_plan *plan, uint32_t a, uint32_t b) {
  if (a == NODE_ZERO) return b;
  if (b == NODE_ZERO) return a;
  const unsigned width = wider(plan, a, b) + 1;
  const unsigned most = EXPLORE_MAX_PLANES;
  return node_of(
      plan,
      (struct node){.op = OP_ADD, .a = a, .b = b, .width = (uint8_t)(width < most ? width : most)});
}

static uint32_t nonzero(struct explore_plan *plan, uint32_t a) {
  if (a == NODE_ZERO || a == NODE_ONES) return a;
  return node_of(plan, (struct node){.op = OP_NONZERO, .a = a, .width = 1});
}

static uint32_t constant(bool is_one) {
  return is_one ? NODE_ONES : NODE_ZERO;
}

/* Whether a number meets the condition {TC2, TC1} of a threshold (RWXVGN). */
static uint32_t compare(struct explore_plan *plan, uint32_t a, bool at_least, bool negate,
                        uint16_t th) {
  if (a == NODE_ZERO || a == NODE_ONES) {
    const unsigned number = a == NODE_ONES;
    return constant((at_least ? number >= th : number != th) != negate);
  }
  if (at_least && th == 0) return constant(!negate);
  return node_of(
      plan,
      (struct node){
          .op = at_least ? OP_AT_LEAST : OP_UNEQUAL, .flag = negate, .th = th, .a = a, .width = 1});
}

static uint32_t and_(struct explore_plan *plan, uint32_t number, uint32_t mask) {
  if (number == NODE_ZERO || mask == NODE_ZERO) return NODE_ZERO;
  if (mask == NODE_ONES || number == mask) return number;
  if (number == NODE_ONES) return mask;
  return node_of(
      plan, (struct node){
                .op = OP_AND, .a = number, .b = mask, .width = (uint8_t)width_of(plan, number)});
}

static uint32_t edge(struct explore_plan *plan, uint32_t ct, bool both, bool cp) {
  return node_of(
      plan,
      (struct node){.op = OP_EDGE, .flag = both, .cp = cp, .before = cp, .a = ct, .width = 1});
}

/* `a` where the condition holds, else `b`. */
static uint32_t select_(struct explore_plan *plan, uint32_t condition, uint32_t a, uint32_t b) {
  if (b == NODE_ZERO) return and_(plan, a, condition);
  if (condition == NODE_ONES) return a;
  if (condition == NODE_ZERO) return b;
  return node_of(
      plan,
      (struct node){
          .op = OP_SELECT, .a = condition, .b = a, .c = b, .width = (uint8_t)wider(plan, a, b)});
}

/* The sum of a node over the cycles. A node that is a number under a mask is summed without making
 * it. */
static uint32_t sum_of(struct explore_plan *plan, uint32_t n) {
  if (plan->nodes[n].sum != 0) return plan->nodes[n].sum - 1;
  plan->sums = grown(plan, plan->sums, plan->num_sums, &plan->sums_room, sizeof *plan->sums);
  if (plan->failed) return 0;
  plan->sums[plan->num_sums] = (struct sum){.node = n};
  plan->nodes[n].sum = ++plan->num_sums;
  return plan->num_sums - 1;
}

/* ---- Compilation ---- */

/* A cycle with one occurrence of a column, and one without any. */
static struct pmuv3_cycle probing(const struct pmt_header *header, unsigned c,
                                  struct pmuv3_occurrence *occurrence) {
  struct pmuv3_cycle cycle = {.occurrences = occurrence};
  if (c == header->num_columns) return cycle;
  const struct pmt_column *column = &header->columns[c];
  *occurrence = (struct pmuv3_occurrence){
      .event = column->event, .count = 1, .thread = column->thread, .origin = column->origin};
  cycle.num_occurrences = 1;
  return cycle;
}

/*
 * VB of each counter, asked of the C model's own attribution: it is given one occurrence of a
 * column at a time, and the columns whose occurrences it counts add up to VB. Without an occurrence
 * it gives 1 to a counter of cycles.
 */
static void probe_VB(struct explore_plan *plan, const struct pmuv3 *pmu, unsigned t,
                     uint32_t VB[PMUV3_LANES]) {
  const unsigned num = plan->header->num_columns;
  struct pmuv3_values values;
  struct pmuv3_contexts contexts;
  struct pmuv3_occurrence occurrence;
  struct pmuv3_cycle cycle = probing(plan->header, num, &occurrence);
  pmuv3_attribution_contexts(pmu, &cycle, &contexts);
  pmuv3_attribution(pmu, t, &cycle, &contexts, &values);
  uint16_t by_itself[PMUV3_LANES];
  memcpy(by_itself, values.VB, sizeof by_itself);
  for (unsigned i = 0; i < PMUV3_LANES; i++) VB[i] = constant(by_itself[i] != 0);
  for (unsigned c = 0; c < num; c++) {
    cycle = probing(plan->header, c, &occurrence);
    pmuv3_attribution(pmu, t, &cycle, &contexts, &values);
    for (unsigned i = 0; i < PMUV3_LANES; i++)
      if (values.VB[i] != by_itself[i]) VB[i] = add(plan, VB[i], column(plan, c));
  }
}

/* What the instruction counter adds, asked of the C model's own step likewise. */
static uint32_t probe_instructions(struct explore_plan *plan, const struct pmuv3 *pmu, unsigned t,
                                   bool frozen) {
  uint32_t node = NODE_ZERO;
  for (unsigned c = 0; c < plan->header->num_columns; c++) {
    struct pmuv3_contexts contexts;
    struct pmuv3_occurrence occurrence;
    struct pmuv3_cycle cycle = probing(plan->header, c, &occurrence);
    struct pmuv3_state state = {0};
    pmuv3_attribution_contexts(pmu, &cycle, &contexts);
    pmuv3_instruction_counter(pmu, t, &cycle, &contexts, frozen, &state);
    if (state.instructions != 0) node = add(plan, node, column(plan, c));
  }
  return node;
}

/* The number and bits of a counter in each cycle. */
struct lane {
  uint32_t CT;
  uint32_t CE;
  uint32_t V;
};

/* The stages threshold, edge and link (threshold.c), of nodes instead of values. */
static struct lane compile_lane(struct explore_plan *plan, const struct pmuv3_thread *thread,
                                unsigned i, uint32_t VB, uint32_t link) {
  const struct pmuv3_config *config = &thread->config;
  const bool TC2 = config->TC[2][i] != 0, TC1 = config->TC[1][i] != 0, TC0 = config->TC[0][i] != 0;
  const uint32_t allowed = config->eligible[i] != 0 ? NODE_ONES : nonzero(plan, VB);
  const bool counts_all = !TC2 && !TC1 && config->TH[i] == 0;
  const uint32_t met = counts_all ? nonzero(plan, VB) : compare(plan, VB, TC2, TC1, config->TH[i]);
  struct lane lane = {.CT = and_(plan, met, allowed), .CE = NODE_ZERO};

  const uint32_t own = TC0 ? NODE_ONES : VB;
  const uint32_t if_true = config->link_true[i] ? link : own;
  const uint32_t if_false = config->link_false[i] ? and_(plan, link, allowed) : NODE_ZERO;
  const bool is_whole = counts_all && if_true == VB; /* VB under VB's own mask */

  if (config->adds_VE[i]) {
    if (TC0 || TC1) lane.CE = edge(plan, lane.CT, !TC0, thread->state.CP[i] != 0);
    lane.V = and_(plan, config->link_true[i] ? link : NODE_ONES, and_(plan, lane.CE, allowed));
  } else if (config->adds_VB[i]) {
    lane.V = VB;
  } else if (config->adds_own[i]) {
    lane.V = and_(plan, own, lane.CT);
  } else if (is_whole && if_false == NODE_ZERO) {
    lane.V = VB;
  } else {
    lane.V = select_(plan, lane.CT, if_true, if_false);
  }
  return lane;
}

/* Overflows of these flags change what other counters do, or are watched: their cycle matters. */
static uint64_t attended_flags(const struct pmuv3_thread *thread, uint64_t watched) {
  const struct pmuv3_decoded *decoded = &thread->decoded;
  uint64_t flags = watched | decoded->freezes[PMUV3_R1] | decoded->freezes[PMUV3_R2];
  for (unsigned n = 1; n < PMUV3_MAX_COUNTERS; n += 2)
    if (thread->config.chain[pmuv3_lane(n)]) flags |= UINT64_C(1) << (n - 1);
  return flags;
}

static void add_counter(struct explore_plan *plan, struct counter counter) {
  plan->counters =
      grown(plan, plan->counters, plan->num_counters, &plan->counters_room, sizeof *plan->counters);
  if (!plan->failed) plan->counters[plan->num_counters++] = counter;
}

/* A counter that does not run has CP = 0 after the cycle, and nothing else of it changes. */
static void compile_event_counters(struct explore_plan *plan, struct pmuv3 *pmu, unsigned t,
                                   const bool frozen[2], struct counter counter,
                                   uint64_t attended) {
  struct pmuv3_thread *thread = &pmu->thread[t];
  uint16_t running[PMUV3_LANES];
  uint32_t VB[PMUV3_LANES], V_even = NODE_ZERO;
  pmuv3_filter(&thread->config, frozen, running);
  probe_VB(plan, pmu, t, VB);
  for (unsigned n = 0; n < pmu->params.counters; n++) {
    const unsigned i = pmuv3_lane(n);
    struct lane lane = {NODE_ZERO, NODE_ZERO, NODE_ZERO};
    if (running[i]) lane = compile_lane(plan, thread, i, VB[i], n % 2 == 1 ? V_even : NODE_ZERO);
    V_even = lane.V;
    if (!running[i] && thread->state.CP[i] == 0) continue;
    counter.bit = (uint8_t)n;
    counter.value = &thread->state.value[i];
    counter.CP = &thread->state.CP[i];
    counter.top = thread->config.top[i];
    counter.width = pmu->identity.width;
    counter.CT = lane.CT;
    counter.edge = plan->failed || plan->nodes[lane.CE].op != OP_EDGE ? NODE_ZERO : lane.CE;
    counter.sum = plan->failed ? 0 : sum_of(plan, lane.V);
    counter.is_attended = (attended >> n & 1) != 0;
    add_counter(plan, counter);
  }
}

/* Whether the cycle counter counts, asked of the C model's own step. */
static bool counts_cycles(const struct pmuv3_thread *thread, const struct pmuv3_pe *pe,
                          struct pmuv3_freeze freeze) {
  struct pmuv3_state state = {0};
  pmuv3_cycle_counter(&thread->cycle_config, pe, freeze, &state);
  return state.cycles != 0 || state.divider != 0;
}

static void compile_thread(struct explore_plan *plan, const struct explore_member *member,
                           unsigned t) {
  struct pmuv3 *pmu = member->pmu;
  struct pmuv3_thread *thread = &pmu->thread[t];
  const struct pmuv3_freeze freeze_r1 = pmuv3_filter_freeze(thread, &pmu->pe[t], PMUV3_R1);
  const struct pmuv3_freeze freeze_r2 = pmuv3_filter_freeze(thread, &pmu->pe[t], PMUV3_R2);
  const bool frozen[2] = {pmuv3_is_frozen(freeze_r1), pmuv3_is_frozen(freeze_r2)};
  const uint64_t attended = attended_flags(thread, member->watched ? member->watched[t] : 0);
  struct counter counter = {
      .member = plan->num_members,
      .counted = member->counts->counted[t],
      .overflows = member->counts->overflows[t],
      .flags = &thread->registers.overflow,
  };
  compile_event_counters(plan, pmu, t, frozen, counter, attended);
  counter.CP = NULL;
  counter.width = UINT64_MAX;
  if (thread->decoded.running & PMUV3_BIT_F0) {
    counter.bit = EXPLORE_INSTRUCTIONS;
    counter.value = &thread->state.instructions;
    counter.top = UINT64_C(1) << 63;
    counter.is_attended = (attended & PMUV3_BIT_F0) != 0;
    counter.sum = sum_of(plan, probe_instructions(plan, pmu, t, frozen[PMUV3_R1]));
    add_counter(plan, counter);
  }
  if ((thread->decoded.running & PMUV3_BIT_C) && counts_cycles(thread, &pmu->pe[t], freeze_r1)) {
    counter.bit = EXPLORE_CYCLES;
    counter.value = &thread->state.cycles;
    counter.divider = thread->cycle_config.divides ? &thread->state.divider : NULL;
    counter.top = thread->cycle_config.top;
    counter.is_attended = (attended & PMUV3_BIT_C) != 0;
    counter.sum = sum_of(plan, NODE_ONES);
    add_counter(plan, counter);
  }
}

bool explore_plan_can_have(const struct pmuv3 *pmu) {
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    const struct pmuv3_thread *thread = &pmu->thread[t];
    if (thread->state.waiting) return false;
    if ((thread->decoded.grouped & thread->decoded.combining & thread->decoded.running) != 0)
      return false;
  }
  return true;
}

void explore_plan_add(struct explore_plan *plan, const struct explore_member *member) {
  for (unsigned t = 0; t < member->pmu->params.threads; t++) compile_thread(plan, member, t);
  plan->num_members++;
}

void explore_plan_clear(struct explore_plan *plan) {
  plan->num_nodes = plan->num_sums = plan->num_counters = plan->num_members = 0;
  plan->failed = false;
  if (plan->table) memset(plan->table, 0, plan->table_size * sizeof *plan->table);
  node_of(plan, (struct node){.op = OP_ZERO});
  node_of(plan, (struct node){.op = OP_ONES, .width = 1});
}

/* ---- Rooms for values ---- */

/* Marks what a node needs over all cycles, not only in the last. Operands come before the node. */
static void mark_whole(struct explore_plan *plan) {
  for (uint32_t n = plan->num_nodes; n-- > 0;) {
    const struct node node = plan->nodes[n];
    if (node.op == OP_EDGE) plan->nodes[n].is_whole = true;
    if (!plan->nodes[n].is_whole) continue;
    if (node.op >= OP_ADD) plan->nodes[node.a].is_whole = true;
    if (node.op == OP_ADD || node.op == OP_AND || node.op == OP_SELECT)
      plan->nodes[node.b].is_whole = true;
    if (node.op == OP_SELECT) plan->nodes[node.c].is_whole = true;
  }
}

/* A sum of a number under a mask needs both, but not the node; unless another node does. */
static void mark_sums(struct explore_plan *plan) {
  for (uint32_t n = 0; n < plan->num_nodes; n++) plan->nodes[n].is_whole = false;
  for (uint32_t s = 0; s < plan->num_sums; s++) {
    struct sum *sum = &plan->sums[s];
    const struct node *node = &plan->nodes[sum->node];
    sum->is_masked = node->op == OP_AND;
    if (sum->is_masked) {
      plan->nodes[node->a].is_whole = true;
      plan->nodes[node->b].is_whole = true;
    } else {
      plan->nodes[sum->node].is_whole = true;
    }
  }
}

/* Nodes that are values of planes have room; columns and constants do not. A masked sum whose node
 * nobody else wants is never made. */
static void mark_made(struct explore_plan *plan) {
  for (uint32_t c = 0; c < plan->num_counters; c++)
    if (plan->counters[c].CP) plan->nodes[plan->counters[c].CT].is_wanted = true;
  for (uint32_t n = plan->num_nodes; n-- > 0;) {
    struct node *node = &plan->nodes[n];
    node->is_wanted |= node->is_whole || node->op == OP_EDGE;
    if (!node->is_wanted || node->op < OP_ADD) continue;
    plan->nodes[node->a].is_wanted = true;
    if (node->op == OP_ADD || node->op == OP_AND || node->op == OP_SELECT)
      plan->nodes[node->b].is_wanted = true;
    if (node->op == OP_SELECT) plan->nodes[node->c].is_wanted = true;
  }
}

bool explore_plan_end(struct explore_plan *plan) {
  if (plan->failed) return false;
  for (uint32_t n = 0; n < plan->num_nodes; n++) plan->nodes[n].is_wanted = false;
  mark_sums(plan);
  mark_whole(plan);
  mark_made(plan);
  size_t words = 0;
  for (uint32_t n = 0; n < plan->num_nodes; n++) {
    struct node *node = &plan->nodes[n];
    node->room = words;
    if (node->op >= OP_ADD && node->is_wanted) words += (size_t)node->width * EXPLORE_CHUNK;
  }
  if (words > plan->arena_words) {
    free(plan->arena);
    plan->arena = aligned_alloc(64, words * 8);
    plan->arena_words = plan->arena ? words : 0;
  }
  if (plan->num_nodes > plan->numbers_room) {
    free(plan->numbers);
    plan->numbers = calloc(plan->num_nodes, sizeof *plan->numbers);
    plan->numbers_room = plan->numbers ? plan->num_nodes : 0;
  }
  plan->failed = (words != 0 && !plan->arena) || !plan->numbers;
  return !plan->failed;
}

struct explore_plan *explore_plan_new(const struct pmt_header *header,
                                      const struct explore_kernels *kernels) {
  struct explore_plan *plan = calloc(1, sizeof *plan);
  if (!plan) return NULL;
  plan->header = header;
  plan->kernels = kernels;
  explore_plan_clear(plan);
  if (!plan->failed) return plan;
  explore_plan_free(plan);
  return NULL;
}

void explore_plan_free(struct explore_plan *plan) {
  if (!plan) return;
  free(plan->nodes);
  free(plan->table);
  free(plan->sums);
  free(plan->counters);
  free(plan->numbers);
  free(plan->arena);
  free(plan);
}

void explore_plan_size(const struct explore_plan *plan, unsigned *nodes, unsigned *sums) {
  *nodes = plan->num_nodes;
  *sums = plan->num_sums;
}

/* ---- Edges that continue ---- */

static bool continues(const struct explore_plan *plan, const struct counter *counter) {
  if (!counter->CP || counter->edge == NODE_ZERO) return true;
  return plan->nodes[counter->edge].before == (*counter->CP != 0);
}

bool explore_plan_continues(const struct explore_plan *plan, unsigned member) {
  for (uint32_t c = 0; c < plan->num_counters; c++)
    if (plan->counters[c].member == member && !continues(plan, &plan->counters[c])) return false;
  return true;
}

bool explore_plan_continue(struct explore_plan *plan) {
  for (uint32_t c = 0; c < plan->num_counters; c++) {
    const struct counter *counter = &plan->counters[c];
    if (counter->CP && counter->edge != NODE_ZERO)
      plan->nodes[counter->edge].before = *counter->CP != 0;
  }
  return explore_plan_continues(plan, 0);
}
