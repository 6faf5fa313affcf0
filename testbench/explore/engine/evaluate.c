/* Plans: evaluates the nodes over cycles of a block, and counts the sums. */
#include <string.h>

#include "testbench/explore/engine/plan_internal.h"

typedef uint64_t plane[EXPLORE_CHUNK] __attribute__((aligned(64)));

static const plane zeros;
#define EIGHT_ONES \
  UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX
static const plane ones = {EIGHT_ONES, EIGHT_ONES, EIGHT_ONES, EIGHT_ONES,
                           EIGHT_ONES, EIGHT_ONES, EIGHT_ONES, EIGHT_ONES};
_Static_assert(EXPLORE_CHUNK == 8 * 8, "as many as `ones` has");
static const struct explore_number never = {NULL, 0, 0};
static const struct explore_number always = {ones, 0, 1};

static struct explore_number constant(bool is_one) {
  return is_one ? always : never;
}

/* The plane of a number of one bit. */
static const uint64_t *bits_of(struct explore_number number) {
  return number.num == 0 ? zeros : number.planes;
}

static bool is_set(const uint64_t *bits, uint32_t bit) {
  return (bits[bit / 64] >> bit % 64 & 1) != 0;
}

/* ---- Nodes ---- */

static struct explore_number make_nonzero(const struct explore_plan *plan, uint64_t *to,
                                          struct explore_number a, size_t words) {
  if (a.num <= 1) return a;
  plan->kernels->nonzero(to, a, words);
  return (struct explore_number){to, EXPLORE_CHUNK, 1};
}

static struct explore_number make_at_least(const struct explore_plan *plan, uint64_t *to,
                                           const struct node *node, struct explore_number a,
                                           size_t words) {
  if (node->th >> a.num != 0) return constant(node->flag);
  if (a.num == 1 && !node->flag) return a;
  plan->kernels->at_least(to, a, node->th, node->flag, words);
  return (struct explore_number){to, EXPLORE_CHUNK, 1};
}

static struct explore_number make_unequal(const struct explore_plan *plan, uint64_t *to,
                                          const struct node *node, struct explore_number a,
                                          size_t words) {
  if (node->th >> a.num != 0) return constant(!node->flag);
  if (a.num == 0) return constant(node->flag);
  plan->kernels->unequal(to, a, node->th, node->flag, words);
  return (struct explore_number){to, EXPLORE_CHUNK, 1};
}

static struct explore_number make_add(const struct explore_plan *plan, uint64_t *to,
                                      struct explore_number a, struct explore_number b,
                                      unsigned width, size_t words) {
  if (a.num == 0) return b;
  if (b.num == 0) return a;
  plane carry;
  memset(carry, 0, words * 8);
  unsigned k = 0;
  for (; k < a.num || k < b.num; k++) {
    const uint64_t *x = k < a.num ? a.planes + k * a.stride : zeros;
    const uint64_t *y = k < b.num ? b.planes + k * b.stride : zeros;
    plan->kernels->add(to + k * EXPLORE_CHUNK, x, y, carry, words);
  }
  if (k < width) memcpy(to + k++ * EXPLORE_CHUNK, carry, words * 8);
  return (struct explore_number){to, EXPLORE_CHUNK, k};
}

static struct explore_number make_and(const struct explore_plan *plan, uint64_t *to,
                                      struct explore_number number, struct explore_number mask,
                                      size_t words) {
  if (mask.num == 0) return never;
  if (mask.planes == ones) return number;
  for (unsigned k = 0; k < number.num; k++)
    plan->kernels->and_(to + k * EXPLORE_CHUNK, number.planes + k * number.stride, mask.planes,
                        words);
  return (struct explore_number){to, EXPLORE_CHUNK, number.num};
}

static struct explore_number make_select(const struct explore_plan *plan, uint64_t *to,
                                         struct explore_number condition, struct explore_number a,
                                         struct explore_number b, size_t words) {
  const uint64_t *holds = bits_of(condition);
  unsigned k = 0;
  for (; k < a.num || k < b.num; k++) {
    uint64_t *at = to + k * EXPLORE_CHUNK;
    if (k < b.num)
      plan->kernels->and_not(at, holds, b.planes + k * b.stride, words);
    else
      memset(at, 0, words * 8);
    if (k < a.num) plan->kernels->or_masked(at, a.planes + k * a.stride, holds, words);
  }
  return (struct explore_number){to, EXPLORE_CHUNK, k};
}

/* The cycle before the first that counts may be of another range: node->after has its CT. */
static struct explore_number make_edge(const struct explore_plan *plan, uint64_t *to,
                                       struct node *node, struct explore_number a, size_t words) {
  const uint64_t *ct = bits_of(a);
  const uint32_t first = plan->first;
  plan->kernels->edge(to, ct, node->flag, words);
  const bool now = is_set(ct, first);
  const bool is_edge = node->flag ? now != node->after : now && !node->after;
  const uint64_t bit = UINT64_C(1) << first % 64;
  to[first / 64] = is_edge ? to[first / 64] | bit : to[first / 64] & ~bit;
  node->after = is_set(ct, plan->end - 1);
  return (struct explore_number){to, EXPLORE_CHUNK, 1};
}

static struct explore_number make(struct explore_plan *plan, const struct pmt_block *block,
                                  struct node *node, size_t words) {
  const struct explore_number *numbers = plan->numbers;
  uint64_t *to = plan->arena + node->room;
  switch ((enum op)node->op) {
    case OP_ZERO:
      return never;
    case OP_ONES:
      return always;
    case OP_COLUMN:
      return (struct explore_number){block->planes[node->a] + plan->first_word, block->words,
                                     block->num_planes[node->a]};
    case OP_ADD:
      return make_add(plan, to, numbers[node->a], numbers[node->b], node->width, words);
    case OP_NONZERO:
      return make_nonzero(plan, to, numbers[node->a], words);
    case OP_AT_LEAST:
      return make_at_least(plan, to, node, numbers[node->a], words);
    case OP_UNEQUAL:
      return make_unequal(plan, to, node, numbers[node->a], words);
    case OP_EDGE:
      return make_edge(plan, to, node, numbers[node->a], words);
    case OP_AND:
      return make_and(plan, to, numbers[node->a], numbers[node->b], words);
    case OP_SELECT:
      return make_select(plan, to, numbers[node->a], numbers[node->b], numbers[node->c], words);
  }
  return never;
}

/* ---- Sums ---- */

/* The cycles of the chunk that are evaluated. NULL: all. */
static const uint64_t *make_range(const struct explore_plan *plan, plane range, size_t words) {
  if (plan->first == 0 && plan->end == words * 64) return NULL;
  memset(range, 0, words * 8);
  for (size_t w = plan->first / 64; w <= (plan->end - 1) / 64; w++) range[w] = UINT64_MAX;
  range[plan->first / 64] &= UINT64_MAX << plan->first % 64;
  range[(plan->end - 1) / 64] &= UINT64_MAX >> (63 - (plan->end - 1) % 64);
  return range;
}

static void split_sum(const struct explore_plan *plan, const struct sum *sum,
                      struct explore_number *number, struct explore_number *mask) {
  const struct node *node = &plan->nodes[sum->node];
  *number = plan->numbers[sum->is_masked ? node->a : sum->node];
  *mask = sum->is_masked ? plan->numbers[node->b] : always;
}

static uint64_t sum_chunk(const struct explore_plan *plan, const struct sum *sum,
                          const uint64_t *range, size_t words) {
  const struct explore_kernels *kernels = plan->kernels;
  struct explore_number number, mask;
  split_sum(plan, sum, &number, &mask);
  if (number.num == 0 || mask.num == 0) return 0;
  if (number.planes == ones && mask.planes == ones) return plan->end - plan->first;
  if (mask.planes == ones)
    return range ? kernels->sum_masked(number, range, words) : kernels->sum(number, words);
  if (!range) return kernels->sum_masked(number, mask.planes, words);
  plane both;
  kernels->and_(both, mask.planes, range, words);
  return kernels->sum_masked(number, both, words);
}

/* The number of a sum in one word's cycles, those of a mask. */
static uint64_t sum_word(struct explore_number number, uint64_t mask, size_t word) {
  uint64_t sum = 0;
  for (unsigned k = 0; k < number.num; k++)
    sum += (uint64_t)__builtin_popcountll(number.planes[k * number.stride + word] & mask) << k;
  return sum;
}

static uint64_t sum_few(struct explore_number number, uint32_t from, uint32_t to) {
  uint64_t sum = 0;
  for (uint32_t bit = from; bit < to; bit = (bit / 64 + 1) * 64) {
    const uint64_t behind = bit / 64 == to / 64 ? UINT64_MAX << to % 64 : 0;
    sum += sum_word(number, UINT64_MAX << bit % 64 & ~behind, bit / 64);
  }
  return sum;
}

/* A column is summed over the whole range at once, as memory is read fastest: its planes go on from
 * chunk to chunk. */
static bool is_of_column(const struct explore_plan *plan, const struct sum *sum) {
  return !sum->is_masked && plan->nodes[sum->node].op == OP_COLUMN;
}

static uint64_t sum_column(const struct explore_plan *plan, const struct pmt_block *block,
                           const struct sum *sum, uint32_t from, uint32_t to) {
  enum { UNIT = 64 * EXPLORE_UNIT };
  const uint32_t column = plan->nodes[sum->node].a;
  const uint32_t first = from / UNIT * UNIT, end = (to + UNIT - 1) / UNIT * UNIT;
  const struct explore_number all = {block->planes[column], block->words,
                                     block->num_planes[column]};
  if (all.num == 0) return 0;
  const struct explore_number units = {all.planes + first / 64, all.stride, all.num};
  return plan->kernels->sum(units, (end - first) / 64) - sum_few(all, first, from) -
         sum_few(all, to, end);
}

/* ---- Evaluation ---- */

static void evaluate_chunk(struct explore_plan *plan, const struct pmt_block *block, size_t words,
                           bool is_last) {
  for (uint32_t n = 0; n < plan->num_nodes; n++) {
    struct node *node = &plan->nodes[n];
    if (node->is_whole || (is_last && node->is_wanted))
      plan->numbers[n] = make(plan, block, node, words);
  }
  plane room;
  const uint64_t *range = make_range(plan, room, words);
  for (uint32_t s = 0; s < plan->num_sums; s++)
    if (!is_of_column(plan, &plan->sums[s]))
      plan->sums[s].value += sum_chunk(plan, &plan->sums[s], range, words);
}

static uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

void explore_plan_evaluate(struct explore_plan *plan, const struct pmt_block *block, uint32_t from,
                           uint32_t to) {
  for (uint32_t s = 0; s < plan->num_sums; s++) {
    struct sum *sum = &plan->sums[s];
    sum->value = is_of_column(plan, sum) ? sum_column(plan, block, sum, from, to) : 0;
  }
  for (uint32_t n = 0; n < plan->num_nodes; n++) plan->nodes[n].after = plan->nodes[n].before;
  plan->cycles = to - from;
  uint32_t word = from / 64 / EXPLORE_UNIT * EXPLORE_UNIT;
  while (word * 64 < to) {
    const uint32_t begin = word * 64;
    const uint32_t units = (to - begin + 64 * EXPLORE_UNIT - 1) / (64 * EXPLORE_UNIT);
    const uint32_t words = smaller(units * EXPLORE_UNIT, EXPLORE_CHUNK);
    plan->first_word = word;
    plan->first = from > begin ? from - begin : 0;
    plan->end = smaller(to - begin, words * 64);
    evaluate_chunk(plan, block, words, begin + plan->end == to);
    word += words;
  }
}

/* ---- Counting ---- */

/* What a counter adds in the evaluated cycles. */
static uint64_t added(const struct explore_plan *plan, const struct counter *counter) {
  const uint64_t sum = plan->sums[counter->sum].value;
  return counter->divider ? (*counter->divider + sum) / 64 : sum;
}

/* V is so small that the top bit falls at most once (CYC-4). */
static bool overflows(const struct counter *counter, uint64_t adds) {
  const uint64_t next = (*counter->value + adds) & counter->width;
  return (*counter->value & ~next & counter->top) != 0;
}

void explore_plan_attend(const struct explore_plan *plan, bool *members) {
  for (uint32_t c = 0; c < plan->num_counters; c++) {
    const struct counter *counter = &plan->counters[c];
    if (counter->is_attended && overflows(counter, added(plan, counter)))
      members[counter->member] = true;
  }
}

/* The bit of the chunk in which the sum reaches `needed`, which it does. */
static uint32_t reach(const struct explore_plan *plan, const struct sum *sum, uint64_t needed) {
  struct explore_number number, mask;
  split_sum(plan, sum, &number, &mask);
  uint32_t word = plan->first / 64;
  uint64_t bits = UINT64_MAX << plan->first % 64;
  for (;; word++, bits = UINT64_MAX) {
    bits &= mask.planes[word];
    const uint64_t here = sum_word(number, bits, word);
    if (here >= needed) break;
    needed -= here;
  }
  for (unsigned bit = 0; bit < 64; bit++) {
    const uint64_t here = sum_word(number, bits & UINT64_C(1) << bit, word);
    if (here >= needed) return word * 64 + bit;
    needed -= here;
  }
  return plan->end - 1;
}

/* Bits of the chunk are cycles of the block from the chunk's first word on. */
static uint32_t first_overflow(const struct explore_plan *plan, const struct counter *counter) {
  const uint64_t needed = counter->top - (*counter->value & (counter->top - 1));
  const uint32_t begin = plan->first_word * 64;
  if (counter->divider)
    return begin + plan->first + (uint32_t)(needed * 64 - *counter->divider) - 1;
  return begin + reach(plan, &plan->sums[counter->sum], needed);
}

uint32_t explore_plan_first(const struct explore_plan *plan, uint32_t to) {
  uint32_t first = to;
  for (uint32_t c = 0; c < plan->num_counters; c++) {
    const struct counter *counter = &plan->counters[c];
    if (counter->is_attended && overflows(counter, added(plan, counter)))
      first = smaller(first, first_overflow(plan, counter));
  }
  return first;
}

static void commit(const struct explore_plan *plan, const struct counter *counter) {
  const uint64_t adds = added(plan, counter);
  if (overflows(counter, adds)) {
    *counter->flags |= UINT64_C(1) << counter->bit;
    counter->overflows[counter->bit]++;
  }
  *counter->value = (*counter->value + adds) & counter->width;
  counter->counted[counter->bit] += adds;
  if (counter->divider)
    *counter->divider = (uint8_t)((*counter->divider + plan->sums[counter->sum].value) % 64);
  if (counter->CP)
    *counter->CP = is_set(bits_of(plan->numbers[counter->CT]), plan->end - 1) ? UINT16_MAX : 0;
}

void explore_plan_commit(struct explore_plan *plan, const bool *left_out) {
  for (uint32_t c = 0; c < plan->num_counters; c++)
    if (!left_out || !left_out[plan->counters[c].member]) commit(plan, &plan->counters[c]);
  for (uint32_t n = 0; n < plan->num_nodes; n++) plan->nodes[n].before = plan->nodes[n].after;
}
