/*
 * What was done before, and tasks: what goes through terms from the top to the leaves, as an
 * EXTRACT does. Terms are deep, and have parts in common: what is still to do is on a stack of its
 * own, and what was done is kept.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/term/term_internal.h"

/* Beyond this many results they are forgotten, when nothing is being solved. */
enum { MAX_DONE = 1 << 22 };

struct done {
  struct task task; /* TASK_NONE: free */
  term result;
};

static struct {
  struct task *items;
  size_t count, capacity;
} stack;

static struct {
  struct done *items;
  size_t count, capacity;
} memo;

static uint64_t hash_of(const struct task *task) {
  uint64_t hash = ((uint64_t)task->x << 32 | task->y) * 0x9E3779B97F4A7C15u;
  hash ^= hash >> 32;
  hash = (hash ^ ((uint64_t)task->z << 3 | task->kind)) * 0xD6E8FEB86659FD93u;
  return hash ^ hash >> 32;
}

static bool is_same(const struct task *a, const struct task *b) {
  return a->kind == b->kind && a->x == b->x && a->y == b->y && a->z == b->z;
}

static struct done *find(const struct task *task) {
  size_t slot = hash_of(task) & (memo.capacity - 1);
  while (memo.items[slot].task.kind != TASK_NONE && !is_same(&memo.items[slot].task, task))
    slot = (slot + 1) & (memo.capacity - 1);
  return &memo.items[slot];
}

static void set_capacity(size_t capacity) {
  struct done *old = memo.items;
  const size_t old_capacity = memo.capacity;
  memo.items = calloc(capacity, sizeof *memo.items);
  if (!memo.items) term_unusable("out of memory");
  memo.capacity = capacity;
  for (size_t i = 0; i < old_capacity; i++)
    if (old[i].task.kind != TASK_NONE) *find(&old[i].task) = old[i];
  free(old);
}

static void keep_done(const struct task *task, term result) {
  if (memo.count * 4 >= memo.capacity * 3) set_capacity(memo.capacity * 2);
  struct done *done = find(task);
  if (done->task.kind == TASK_NONE) memo.count++;
  *done = (struct done){*task, result};
}

static void forget(void) {
  free(memo.items);
  memo.items = NULL;
  memo.count = memo.capacity = 0;
}

static void push(struct task task) {
  if (stack.count == stack.capacity) {
    stack.capacity = stack.capacity ? stack.capacity * 2 : 256;
    stack.items = term_allocate(stack.items, stack.capacity * sizeof *stack.items);
  }
  stack.items[stack.count++] = task;
}

bool task_need(struct task task, term *result) {
  const struct done *done = find(&task);
  if (done->task.kind == TASK_NONE) {
    push(task);
    return false;
  }
  *result = done->result;
  return true;
}

static bool solve_one(const struct task *task, term *result) {
  switch (task->kind) {
    case TASK_NONE:
      break;
    case TASK_EXTRACT:
      return solve_extract(task, result);
    case TASK_MERGE:
      return solve_merge(task, result);
    case TASK_EQ:
    case TASK_ULT:
      return solve_compare(task, result);
  }
  term_unusable("no task");
}

/* Solving one may make terms for which others are solved, above it on the stack. */
term task_solve(struct task task) {
  const size_t base = stack.count;
  if (base == 0 && memo.count > MAX_DONE) forget();
  if (!memo.items) set_capacity(1 << 16);
  term result;
  if (!task_need(task, &result)) {
    while (stack.count > base) {
      const struct task top = stack.items[stack.count - 1];
      if (!solve_one(&top, &result)) continue;
      keep_done(&top, result);
      stack.count--;
    }
  }
  return result;
}

/* --- Results kept ----------------------------------------------------------------------------- */

enum { KEPT_BITS = 18 };

static struct kept results[1 << KEPT_BITS];

struct kept *kept_at(enum term_op op, term a, term b, term c) {
  uint64_t hash = ((uint64_t)a << 32 | b) * 0x9E3779B97F4A7C15u;
  hash = ((hash ^ hash >> 31) + ((uint64_t)c << 8 | op)) * 0xD6E8FEB86659FD93u;
  return &results[hash >> (64 - KEPT_BITS)];
}

term keep(enum term_op op, term a, term b, term c, term result) {
  *kept_at(op, a, b, c) = (struct kept){op, {a, b, c}, result};
  return result;
}
