/*
 * What runs a function: an activation, and the states at its blocks. Shared by the files of
 * symbolic execution.
 */
#ifndef ENGINE_SYMEX_ACTIVATION_H
#define ENGINE_SYMEX_ACTIVATION_H

#include "engine/symex/code.h"
#include "engine/symex/memory.h"
#include "engine/symex/path.h"
#include "engine/symex/symex.h"

enum { NUM_CALL_BUCKETS = 1024 };

enum { ADDRESS_WIDTH = 64, BYTE_BITS = 8 };

struct symex {
  struct code *code;
  struct memory *constants;
  struct memory *memory;
  uint32_t num_objects; /* numbers given */
  struct symex_obligation *obligations;
  size_t num_obligations, room_obligations;
  uint32_t *buckets; /* of obligations, by condition */
  size_t num_buckets;
  size_t trivial, steps, depth;
  struct result *results[NUM_CALL_BUCKETS];
  bool remembers; /* further calls */
  struct memo *memos[NUM_CALL_BUCKETS];
  struct noted *noted; /* of the calls that are executed now, if they are to be kept */
  size_t num_noted, room_noted;
  size_t watched, recalled; /* calls, so far */
  struct watch *watches;
  size_t num_watches, room_watches;
};

/* An obligation, with its place. */
struct noted {
  term condition;
  const struct function *function;
  const struct instruction *at;
  const char *what;
  bool is_promise;
};

struct watch {
  const struct function *function;
  symex_around *around;
  void *with;
};

/* What is known where execution has come to. */
struct state {
  struct state *next; /* others at the same block */
  struct path *path;
  struct memory *memory;
  term *values; /* by slot; TERM_NONE: undefined, or not used any more */
};

/* A function while it is called. */
struct activation {
  struct symex *symex;
  struct function *function;
  struct path *path;                 /* at the call */
  struct state **pending;            /* by block */
  struct state *returned;            /* values: the result's */
  uint32_t *rounds, *unknown_rounds; /* of loops, by header */
  struct path **last_path;           /* likewise, in the last round */
  uint32_t *objects;                 /* local ones */
  size_t num_objects;
  const struct instruction *at; /* executed now */
};

_Noreturn void activation_stop(const struct activation *activation, const char *what);

static inline size_t size_of_width(uint32_t width) {
  return (width + BYTE_BITS - 1) / BYTE_BITS;
}

/* ---- Obligations (obligation.c) ---- */

void obligation_add(struct activation *activation, struct path *path, term condition,
                    const char *what, bool is_promise);
/* One that is not trivial, and under the conditions of its path. */
void obligation_keep(struct symex *symex, const struct noted *noted);
void obligations_cut(struct symex *symex, size_t number); /* to the first ones */
void obligation_claim(struct activation *activation, struct path *path, term condition,
                      const char *what);
void obligation_promise(struct activation *activation, struct path *path, term condition,
                        const char *what);

/* ---- Objects, accesses and blocks of memory (access.c) ---- */

uint64_t object_new(struct symex *symex, struct memory **memory, size_t size);
uint64_t object_new_local(struct activation *activation, struct memory **memory, size_t size);
const struct memory *access_memory(const struct symex *symex, const struct memory *memory,
                                   uint64_t address, size_t size);
term access_either(term condition, term if_true, term if_false);
term access_load(struct activation *activation, const struct state *state, term address,
                 size_t size);
void access_store(struct activation *activation, struct state *state, term address, term value,
                  size_t size);
uint64_t block_size(struct activation *activation, term size);
term block_offset(term address, uint64_t offset);
void block_copy(struct activation *activation, struct state *state, term to, term from,
                uint64_t size);
void block_fill(struct activation *activation, struct state *state, term to, term byte,
                uint64_t size);
void block_undefine(struct state *state, term address);

/* ---- Instructions but the last of a block (execute.c) ---- */

term operand_value(const struct state *state, const struct operand *operand, size_t scalar);
term operand_defined(const struct activation *activation, const struct state *state,
                     size_t operand);
void execute_instruction(struct activation *activation, struct state *state);

/* ---- States, and the last instruction of a block (state.c) ---- */

struct state *state_new(struct path *path, struct memory *memory, size_t num_values);
void state_free(struct state *state);
struct state *state_merge(struct state *states, const uint32_t *slots, size_t num_slots);
void execute_last(struct activation *activation, struct state *state, uint32_t block);

/* ---- Functions (call.c) ---- */

size_t function_arguments(const struct function *function); /* scalars */
size_t call_bucket(const struct function *function, const term *arguments, size_t count);
term *call_body(struct symex *symex, struct function *function, const term *arguments,
                struct path *path, struct memory **memory);
term *call_function(struct symex *symex, struct function *function, const term *arguments,
                    struct path *path, struct memory **memory);
void results_free(struct result *results);

#endif
