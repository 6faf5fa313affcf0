#include "engine/symex/activation.h"

#include <stdlib.h>
#include <string.h>

#include "engine/symex/operation.h"
#include "engine/symex/util.h"

/* ---- States ---- */

struct state *state_new(struct path *path, struct memory *memory, size_t num_values) {
  struct state *state = symex_allocate(1, sizeof *state);
  state->path = path;
  state->memory = memory;
  state->values = symex_allocate(num_values, sizeof *state->values);
  return state;
}

void state_free(struct state *state) {
  memory_free(state->memory);
  free(state->values);
  free(state);
}

/* The first of two states becomes both. */
static void merge_two(struct state *a, struct state *b, const uint32_t *slots, size_t num_slots) {
  term is_a;
  a->path = path_merged(a->path, b->path, &is_a);
  for (size_t s = 0; s < num_slots; s++) {
    term *value = &a->values[slots == NULL ? s : slots[s]];
    *value = access_either(is_a, *value, b->values[slots == NULL ? s : slots[s]]);
  }
  struct memory *memory = memory_merged(is_a, a->memory, b->memory);
  memory_free(a->memory);
  a->memory = memory;
  state_free(b);
}

/* The state that shares most of its path with the first. */
static struct state **nearest(struct state *states) {
  struct state **found = &states->next;
  size_t most = 0;
  for (struct state **other = &states->next; *other != NULL; other = &(*other)->next) {
    const size_t shared = path_shared(states->path, (*other)->path);
    if (shared < most) continue;
    most = shared;
    found = other;
  }
  return found;
}

/* The longest path first. */
static struct state *deepest_first(struct state *states) {
  struct state **deepest = &states;
  for (struct state **other = &states; *other != NULL; other = &(*other)->next)
    if (path_length((*other)->path) > path_length((*deepest)->path)) deepest = other;
  struct state *first = *deepest;
  *deepest = first->next;
  first->next = states;
  return first;
}

/* Those that parted last meet first: the conditions of their branches cancel out then. Slots: NULL:
 * the first ones. */
struct state *state_merge(struct state *states, const uint32_t *slots, size_t num_slots) {
  while (states->next != NULL) {
    states = deepest_first(states);
    struct state **other = nearest(states);
    struct state *b = *other;
    *other = b->next;
    b->next = NULL;
    merge_two(states, b, slots, num_slots);
  }
  return states;
}

/* ---- Branches ---- */

/* A state goes on at a block, with its phis' values. */
static void arrive(struct activation *activation, struct state *state, uint32_t from, uint32_t to) {
  const struct block *block = &activation->function->blocks[to];
  uint32_t count = 0;
  for (size_t p = 0; p < block->num_phis; p++) count += (uint32_t)block->instructions[p].type.count;
  term *values = symex_allocate(count, sizeof *values);
  count = 0;
  for (size_t p = 0; p < block->num_phis; p++) {
    const struct instruction *phi = &block->instructions[p];
    size_t o = 0;
    while (phi->targets[o] != from) o++;
    if (phi->operands[o].unknown != NULL) activation_stop(activation, phi->operands[o].unknown);
    for (size_t s = 0; s < phi->type.count; s++)
      values[count++] = operand_value(state, &phi->operands[o], s);
  }
  count = 0;
  for (size_t p = 0; p < block->num_phis; p++)
    for (uint32_t s = 0; s < block->instructions[p].type.count; s++)
      state->values[block->instructions[p].slot + s] = values[count++];
  free(values);
  state->next = activation->pending[to];
  activation->pending[to] = state;
  if (from < to) activation->rounds[to] = activation->unknown_rounds[to] = 0;
}

static struct state *fork_state(const struct activation *activation, struct state *state,
                                struct path *path) {
  const size_t num_slots = activation->function->num_slots;
  struct state *forked = state_new(path, memory_copy(state->memory), num_slots);
  memcpy(forked->values, state->values, num_slots * sizeof *forked->values);
  return forked;
}

/* To a block if a condition is true. Returns the state where it is not; NULL: it always is. */
static struct state *branch(struct activation *activation, struct state *state, uint32_t from,
                            uint32_t to, term condition) {
  struct path *taken = path_push(state->path, condition);
  if (taken == NULL) return state;
  struct path *not_taken = path_push(state->path, term_not(condition));
  if (not_taken == NULL) {
    arrive(activation, state, from, to);
    return NULL;
  }
  if (taken == state->path) symex_stop("a branch that is known in one direction alone");
  arrive(activation, fork_state(activation, state, taken), from, to);
  state->path = not_taken;
  return state;
}

static void execute_branch(struct activation *activation, struct state *state, uint32_t from) {
  const struct instruction *at = activation->at;
  if (at->num_operands > 0)
    state = branch(activation, state, from, at->targets[0], operand_defined(activation, state, 0));
  if (state != NULL) arrive(activation, state, from, at->targets[at->num_operands]);
}

/* The block of the case that a constant is. */
static uint32_t switched_to(const struct instruction *at, uint64_t value) {
  uint64_t of_case;
  for (size_t c = 1; c < at->num_operands; c++)
    if (term_is_const(at->operands[c].constants[0], &of_case) && of_case == value)
      return at->targets[c];
  return at->targets[0];
}

/* Cases of the same block are one branch. */
static void execute_switch(struct activation *activation, struct state *state, uint32_t from) {
  const struct instruction *at = activation->at;
  const term value = operand_defined(activation, state, 0);
  uint64_t constant;
  if (term_is_const(value, &constant)) {
    arrive(activation, state, from, switched_to(at, constant));
    return;
  }
  for (size_t c = 1; state != NULL && c < at->num_operands; c++) {
    bool first = true;
    for (size_t before = 1; before < c; before++) first &= at->targets[before] != at->targets[c];
    if (!first || at->targets[c] == at->targets[0]) continue;
    term condition = TERM_FALSE;
    for (size_t same = c; same < at->num_operands; same++)
      if (at->targets[same] == at->targets[c])
        condition = term_or(condition,
                            operation_compare(LLVMIntEQ, value, at->operands[same].constants[0]));
    state = branch(activation, state, from, at->targets[c], condition);
  }
  if (state != NULL) arrive(activation, state, from, at->targets[0]);
}

static void execute_return(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  const size_t count = activation->function->result.count;
  term *result = symex_allocate(count, sizeof *result);
  for (size_t s = 0; s < count; s++) result[s] = operand_value(state, &at->operands[0], s);
  free(state->values);
  state->values = result;
  for (size_t o = 0; o < activation->num_objects; o++)
    memory_remove(&state->memory, activation->objects[o]);
  state->next = activation->returned;
  activation->returned = state;
}

void execute_last(struct activation *activation, struct state *state, uint32_t block) {
  if (activation->at->unknown != NULL) activation_stop(activation, activation->at->unknown);
  switch (activation->at->opcode) {
    case LLVMBr:
      execute_branch(activation, state, block);
      return;
    case LLVMSwitch:
      execute_switch(activation, state, block);
      return;
    case LLVMRet:
      execute_return(activation, state);
      return;
    case LLVMUnreachable:
      obligation_claim(activation, state->path, TERM_FALSE, "unreachable");
      state_free(state);
      return;
    default:
      activation_stop(activation, "an unknown instruction");
  }
}
