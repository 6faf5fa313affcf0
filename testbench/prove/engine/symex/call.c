#include "engine/symex/activation.h"

#include <stdlib.h>
#include <string.h>

#include "engine/symex/memo.h"
#include "engine/symex/util.h"

/* Loops that run longer do not end: when their conditions are constant, and when they are not. */
enum { MAX_ROUNDS = 5000, MAX_UNKNOWN_ROUNDS = 70, MAX_CALL_DEPTH = 200 };

/* ---- Functions ---- */

static void limit_rounds(struct activation *activation, const struct state *state, uint32_t block) {
  if (++activation->rounds[block] > MAX_ROUNDS)
    activation_stop(activation, "a loop that does not end");
  if (activation->last_path[block] != state->path &&
      ++activation->unknown_rounds[block] > MAX_UNKNOWN_ROUNDS)
    activation_stop(activation, "a loop that may not end");
  activation->last_path[block] = state->path;
}

static void execute_block(struct activation *activation, uint32_t number) {
  const struct block *block = &activation->function->blocks[number];
  struct state *states = activation->pending[number];
  activation->pending[number] = NULL;
  struct state *state = state_merge(states, block->live, block->num_live);
  activation->at = &block->instructions[block->num_phis];
  limit_rounds(activation, state, number);
  for (size_t i = block->num_phis; i + 1 < block->num_instructions; i++) {
    activation->at = &block->instructions[i];
    execute_instruction(activation, state);
  }
  activation->at = &block->instructions[block->num_instructions - 1];
  activation->symex->steps++;
  execute_last(activation, state, number);
}

/* Parameters that are passed as copies. */
static void copy_parameters(struct activation *activation, struct state *state) {
  const struct function *function = activation->function;
  for (size_t p = 0, slot = 0; p < function->num_parameters; p++) {
    if (function->copied[p] != 0) {
      const term copy = term_const(
          ADDRESS_WIDTH, object_new_local(activation, &state->memory, function->copied[p]));
      block_copy(activation, state, copy, state->values[slot], function->copied[p]);
      state->values[slot] = copy;
    }
    slot += function->parameters[p].count;
  }
}

/* The first pending block comes first: loops are done before what is after them. */
static void execute_blocks(struct activation *activation) {
  const size_t count = activation->function->num_blocks;
  for (size_t b = 0; b < count;) {
    if (activation->pending[b] == NULL) {
      b++;
      continue;
    }
    execute_block(activation, (uint32_t)b);
    b = 0;
  }
}

static void begin(struct activation *activation, const term *arguments, struct memory *memory) {
  const struct function *function = activation->function;
  const size_t count = function->num_blocks;
  activation->pending = symex_allocate(count, sizeof *activation->pending);
  activation->rounds = symex_allocate(count, sizeof *activation->rounds);
  activation->unknown_rounds = symex_allocate(count, sizeof *activation->unknown_rounds);
  activation->last_path = symex_allocate(count, sizeof *activation->last_path);
  activation->at = &function->blocks[0].instructions[0];
  struct state *state = state_new(activation->path, memory, function->num_slots);
  for (size_t p = 0, slot = 0; p < function->num_parameters; p++)
    for (size_t s = 0; s < function->parameters[p].count; s++, slot++)
      state->values[slot] = arguments[slot];
  copy_parameters(activation, state);
  activation->pending[0] = state;
}

static void end(struct activation *activation) {
  free(activation->pending);
  free(activation->rounds);
  free(activation->unknown_rounds);
  free(activation->last_path);
  free(activation->objects);
}

/* Whoever watches the function works on the memory that it has. */
static void watch(struct symex *symex, const struct function *function, const term *arguments,
                  const struct path *path, struct memory **memory, bool after) {
  for (size_t w = 0; w < symex->num_watches; w++) {
    const struct watch *watch = &symex->watches[w];
    if (function != watch->function) continue;
    if (path != path_root()) symex_stop("%s: watched, but called conditionally", function->name);
    symex->watched++;
    struct memory *outer = symex->memory;
    symex->memory = *memory;
    watch->around(watch->with, arguments, after);
    *memory = symex->memory;
    if (memory != &symex->memory) symex->memory = outer;
  }
}

/* The scalars of the result, to be freed. Where the function did not return, execution goes on as
 * if it had: it has the obligation to do so. */
term *call_body(struct symex *symex, struct function *function, const term *arguments,
                struct path *path, struct memory **memory) {
  code_decode(symex->code, function);
  struct activation activation = {.symex = symex, .function = function, .path = path};
  if (++symex->depth > MAX_CALL_DEPTH) symex_stop("%s: calls too deep", function->name);
  begin(&activation, arguments, *memory);
  execute_blocks(&activation);
  if (activation.returned == NULL) symex_stop("%s: does not return", function->name);
  struct state *state = state_merge(activation.returned, NULL, function->result.count);
  *memory = memory_copy(state->memory);
  term *result = state->values;
  state->values = NULL;
  state_free(state);
  end(&activation);
  symex->depth--;
  return result;
}

static term *call_again(struct symex *symex, struct function *function, const term *arguments,
                        struct path *path, struct memory **memory) {
  watch(symex, function, arguments, path, memory, false);
  term *result = path == path_root() ? memo_call(symex, function, arguments, memory)
                                     : call_body(symex, function, arguments, path, memory);
  watch(symex, function, arguments, path, memory, true);
  return result;
}

/* ---- Calls done before ---- */

/* A pure function's result: on this path and those that go on from it. */
struct result {
  struct function *function;
  struct path *path;
  term *arguments; /* then the result */
  struct result *next;
};

size_t call_bucket(const struct function *function, const term *arguments, size_t count) {
  uint64_t hash = (uintptr_t)function;
  for (size_t a = 0; a < count; a++) hash = (hash ^ arguments[a]) * UINT64_C(0x9E3779B97F4A7C15);
  return (hash ^ hash >> 32) % NUM_CALL_BUCKETS;
}

size_t function_arguments(const struct function *function) {
  size_t count = 0;
  for (size_t p = 0; p < function->num_parameters; p++) count += function->parameters[p].count;
  return count;
}

static term *copy_terms(const term *terms, size_t count, size_t room) {
  term *copy = symex_allocate(room, sizeof *copy);
  if (count > 0) memcpy(copy, terms, count * sizeof *copy);
  return copy;
}

static term *call_pure(struct symex *symex, struct function *function, const term *arguments,
                       struct path *path, struct memory **memory) {
  const size_t count = function_arguments(function), results = function->result.count;
  struct result **bucket = &symex->results[call_bucket(function, arguments, count)];
  for (const struct result *r = *bucket; r != NULL; r = r->next)
    if (r->function == function && path_continues(path, r->path) &&
        memcmp(r->arguments, arguments, count * sizeof *arguments) == 0)
      return copy_terms(r->arguments + count, results, results);
  term *result = call_again(symex, function, arguments, path, memory);
  struct result *kept = symex_allocate(1, sizeof *kept);
  *kept = (struct result){function, path, copy_terms(arguments, count, count + results), *bucket};
  if (results > 0) memcpy(kept->arguments + count, result, results * sizeof *result);
  *bucket = kept;
  return result;
}

term *call_function(struct symex *symex, struct function *function, const term *arguments,
                    struct path *path, struct memory **memory) {
  return function->is_pure ? call_pure(symex, function, arguments, path, memory)
                           : call_again(symex, function, arguments, path, memory);
}

void results_free(struct result *results) {
  while (results != NULL) {
    struct result *next = results->next;
    free(results->arguments);
    free(results);
    results = next;
  }
}
