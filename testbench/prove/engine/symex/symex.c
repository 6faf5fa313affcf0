#include "engine/symex/symex.h"

#include <stdarg.h>
#include <string.h>

#include "engine/symex/choice.h"
#include "engine/symex/code.h"
#include "engine/symex/memory.h"
#include "engine/symex/operation.h"
#include "engine/symex/path.h"
#include "engine/symex/util.h"

/* Loops that run longer do not end: when their conditions are constant, and when they are not. */
enum { MAX_ROUNDS = 5000, MAX_UNKNOWN_ROUNDS = 70, MAX_CALL_DEPTH = 200 };

enum { NUM_RESULT_BUCKETS = 1024 };

enum { ADDRESS_WIDTH = 64, BYTE_BITS = 8, WORD_SIZE = 8 };

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
  struct result *results[NUM_RESULT_BUCKETS];
  struct watch *watches;
  size_t num_watches, room_watches;
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

void symex_stop(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "symex: ");
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "\n");
  va_end(arguments);
  exit(2);
}

static _Noreturn void stop_at(const struct activation *activation, const char *what) {
  symex_stop("%s: %s", code_place(activation->function, activation->at), what);
}

/* ---- Obligations ---- */

static size_t bucket_of(const struct symex *symex, term condition) {
  size_t b = condition * 0x9E3779B1u & (symex->num_buckets - 1);
  while (symex->buckets[b] != 0 && symex->obligations[symex->buckets[b] - 1].condition != condition)
    b = (b + 1) & (symex->num_buckets - 1);
  return b;
}

static void rehash_obligations(struct symex *symex) {
  symex->num_buckets = symex->num_buckets == 0 ? 256 : 2 * symex->num_buckets;
  free(symex->buckets);
  symex->buckets = symex_allocate(symex->num_buckets, sizeof *symex->buckets);
  for (size_t o = 0; o < symex->num_obligations; o++)
    symex->buckets[bucket_of(symex, symex->obligations[o].condition)] = (uint32_t)o + 1;
}

static void keep_obligation(struct symex *symex, const struct symex_obligation *obligation) {
  symex->obligations = symex_grow(symex->obligations, &symex->room_obligations,
                                  symex->num_obligations + 1, sizeof *symex->obligations);
  symex->obligations[symex->num_obligations++] = *obligation;
}

/* The same condition again needs no second proof. */
static void oblige_as(struct activation *activation, struct path *path, term condition,
                      const char *what, bool is_promise) {
  struct symex *symex = activation->symex;
  if (!term_is_true(condition))
    condition = term_implies(path_condition(path), path_known(path, condition));
  if (term_is_true(condition)) {
    symex->trivial++;
    return;
  }
  if (2 * symex->num_obligations >= symex->num_buckets) rehash_obligations(symex);
  const size_t bucket = bucket_of(symex, condition);
  if (symex->buckets[bucket] != 0) {
    symex->obligations[symex->buckets[bucket] - 1].is_promise &= is_promise;
    return;
  }
  char *place = code_place(activation->function, activation->at);
  const size_t size = strlen(place) + strlen(what) + sizeof ": ";
  char *text = symex_allocate(size, 1);
  snprintf(text, size, "%s: %s", place, what);
  free(place);
  keep_obligation(symex, &(struct symex_obligation){condition, text, is_promise});
  symex->buckets[bucket] = (uint32_t)symex->num_obligations;
}

static void oblige(struct activation *activation, struct path *path, term condition,
                   const char *what) {
  oblige_as(activation, path, condition, what, false);
}

/* What IR says of a value. */
static void promise(struct activation *activation, struct path *path, term condition,
                    const char *what) {
  oblige_as(activation, path, condition, what, true);
}

/* ---- Objects ---- */

static uint64_t new_object(struct symex *symex, struct memory **memory, size_t size) {
  const uint32_t number = ++symex->num_objects;
  memory_add(memory, number, size);
  return MEMORY_ADDRESS(number, 0);
}

static uint64_t new_local(struct activation *activation, struct memory **memory, size_t size) {
  activation->objects = symex_checked(
      realloc(activation->objects, (activation->num_objects + 1) * sizeof *activation->objects));
  const uint64_t address = new_object(activation->symex, memory, size);
  activation->objects[activation->num_objects++] = MEMORY_OBJECT(address);
  return address;
}

/* ---- Accesses ---- */

/*
 * That a pointer stays within its object is seen where it is used: an object is
 * far from the next one.
 */
static const struct memory *memory_at(const struct symex *symex, const struct memory *memory,
                                      uint64_t address, size_t size) {
  if (memory_has(memory, address, size)) return memory;
  return memory_has(symex->constants, address, size) ? symex->constants : NULL;
}

/* Where an address can point, as it is on a path. */
struct places {
  const choice *nodes;
  size_t count;
};

/* Of one access at a time; by node of a choice. */
static choice *walked;
static term *by_node, *bad_by_node;
static size_t room_walked, room_by_node, room_bad_by_node;

static struct places places_of(struct activation *activation, term address) {
  struct places places;
  if (address == TERM_NONE) stop_at(activation, "an address that is undefined");
  const choice all = choice_of(address);
  if (all == CHOICE_NONE) stop_at(activation, "an address that can be anywhere");
  const choice *nodes;
  places.count = choice_walk(all, &nodes);
  walked = symex_grow(walked, &room_walked, places.count, sizeof *walked);
  memcpy(walked, nodes, places.count * sizeof *walked);
  places.nodes = walked;
  return places;
}

static void make_room_by_node(const struct places *places) {
  for (size_t n = 0; n < places->count; n++) {
    by_node = symex_grow(by_node, &room_by_node, (size_t)places->nodes[n] + 1, sizeof *by_node);
    bad_by_node = symex_grow(bad_by_node, &room_bad_by_node, (size_t)places->nodes[n] + 1,
                             sizeof *bad_by_node);
  }
}

static term either(term condition, term if_true, term if_false) {
  if (if_true == if_false) return if_true;
  if (if_true == TERM_NONE) if_true = term_fresh(term_width(if_false), "undefined");
  if (if_false == TERM_NONE) if_false = term_fresh(term_width(if_true), "undefined");
  const term result = term_ite(condition, if_true, if_false);
  if (result != if_true && result != if_false) choice_see_ite(result, condition, if_true, if_false);
  return result;
}

static void load_place(struct activation *activation, const struct state *state, choice place,
                       size_t size) {
  const struct choice_node node = *choice_node(place);
  if (node.condition == TERM_NONE) {
    const struct memory *memory = memory_at(activation->symex, state->memory, node.value, size);
    bad_by_node[place] = memory == NULL ? TERM_TRUE : TERM_FALSE;
    by_node[place] = memory == NULL ? TERM_NONE : memory_load(memory, node.value, size);
    return;
  }
  const term condition = path_known(state->path, node.condition);
  const term bad_true = bad_by_node[node.if_true], bad_false = bad_by_node[node.if_false];
  bad_by_node[place] = term_ite(condition, bad_true, bad_false);
  if (term_is_true(condition) || (!term_is_false(condition) && term_is_true(bad_false)))
    by_node[place] = by_node[node.if_true];
  else if (term_is_false(condition) || term_is_true(bad_true))
    by_node[place] = by_node[node.if_false];
  else
    by_node[place] = either(condition, by_node[node.if_true], by_node[node.if_false]);
}

/* Constants at all places: what was loaded is one of them, picked as load_place() does. */
static choice load_choice(const struct state *state, const struct places *places) {
  static choice *of_node;
  static size_t room_of_node;
  uint64_t value;
  for (size_t n = 0; n < places->count; n++) {
    const choice place = places->nodes[n];
    const struct choice_node node = *choice_node(place);
    of_node = symex_grow(of_node, &room_of_node, (size_t)place + 1, sizeof *of_node);
    of_node[place] = CHOICE_NONE;
    if (term_is_true(bad_by_node[place])) continue;
    if (node.condition == TERM_NONE) {
      if (by_node[place] == TERM_NONE || term_width(by_node[place]) > 64 ||
          !term_is_const(by_node[place], &value))
        return CHOICE_NONE;
      of_node[place] = choice_leaf(value);
      continue;
    }
    const term condition = path_known(state->path, node.condition);
    if (term_is_true(condition) || of_node[node.if_false] == CHOICE_NONE)
      of_node[place] = of_node[node.if_true];
    else if (term_is_false(condition) || of_node[node.if_true] == CHOICE_NONE)
      of_node[place] = of_node[node.if_false];
    else
      of_node[place] = choice_ite(condition, of_node[node.if_true], of_node[node.if_false]);
    if (of_node[place] == CHOICE_NONE) return CHOICE_NONE;
  }
  return of_node[places->nodes[places->count - 1]];
}

/* Bytes at an address. TERM_NONE: they are undefined. */
static term load(struct activation *activation, const struct state *state, term address,
                 size_t size) {
  const term recent = memory_recall(state->memory, address, size);
  if (recent != TERM_NONE) return recent;
  const struct places places = places_of(activation, address);
  make_room_by_node(&places);
  for (size_t n = 0; n < places.count; n++) load_place(activation, state, places.nodes[n], size);
  const choice all = places.nodes[places.count - 1];
  const term loaded = by_node[all];
  oblige(activation, state->path, term_not(bad_by_node[all]), "load out of bounds");
  if (loaded == TERM_NONE || places.count == 1) return loaded;
  choice_see_loaded(loaded, address, load_choice(state, &places));
  return choice_seen(loaded) == CHOICE_NONE ? path_simplified(state->path, loaded) : loaded;
}

/* Where its condition is not constant true, a place keeps what it has else. */
static void store_place(struct state *state, uint64_t address, term condition, term value) {
  const size_t size = term_width(value) / BYTE_BITS;
  if (!term_is_true(condition))
    value = either(condition, value, memory_load(state->memory, address, size));
  memory_store(&state->memory, address, value);
}

/* Nodes are reached under the conditions that lead to them, which are summed up from the top. */
static void reach_places(const struct state *state, const struct places *places) {
  for (size_t n = 0; n < places->count; n++) by_node[places->nodes[n]] = TERM_FALSE;
  by_node[places->nodes[places->count - 1]] = TERM_TRUE;
  for (size_t n = places->count; n-- > 0;) {
    const choice place = places->nodes[n];
    const struct choice_node node = *choice_node(place);
    if (node.condition == TERM_NONE) continue;
    const term condition = path_known(state->path, node.condition);
    const term reached = by_node[place];
    by_node[node.if_true] = term_or(by_node[node.if_true], term_and(reached, condition));
    by_node[node.if_false] =
        term_or(by_node[node.if_false], term_and(reached, term_not(condition)));
  }
}

/* An undefined value makes one place undefined; it is not stored at one of several. */
static void store(struct activation *activation, struct state *state, term address, term value,
                  size_t size) {
  const struct places places = places_of(activation, address);
  make_room_by_node(&places);
  reach_places(state, &places);
  term bad = TERM_FALSE;
  uint64_t low = UINT64_MAX, high = 0;
  for (size_t n = 0; n < places.count; n++) {
    const struct choice_node node = *choice_node(places.nodes[n]);
    const term reached = by_node[places.nodes[n]];
    if (node.condition != TERM_NONE || term_is_false(reached)) continue;
    if (!memory_has(state->memory, node.value, size)) {
      bad = term_or(bad, reached);
      continue;
    }
    if (node.value < low) low = node.value;
    if (node.value + size > high) high = node.value + size;
    if (value != TERM_NONE)
      store_place(state, node.value, reached, value);
    else if (term_is_true(reached))
      memory_undefine(&state->memory, node.value, size);
    else
      store_place(state, node.value, reached, term_fresh((uint32_t)size * BYTE_BITS, "undefined"));
  }
  oblige(activation, state->path, term_not(bad), "store out of bounds");
  if (places.count > 1 && value != TERM_NONE)
    memory_remember(&state->memory, address, low, high, value);
}

/* ---- Blocks of memory ---- */

static uint64_t constant_size(struct activation *activation, term size) {
  uint64_t value;
  if (size == TERM_NONE || !term_is_const(size, &value))
    stop_at(activation, "memory of a size that is not constant");
  return value;
}

static term offset_by(term address, uint64_t offset) {
  return operation_binary(LLVMAdd, address, term_const(ADDRESS_WIDTH, offset));
}

static void copy_block(struct activation *activation, struct state *state, term to, term from,
                       uint64_t size) {
  uint64_t to_address, from_address;
  if (size == 0) return;
  if (to != TERM_NONE && from != TERM_NONE && term_is_const(to, &to_address) &&
      term_is_const(from, &from_address)) {
    const struct memory *source = memory_at(activation->symex, state->memory, from_address, size);
    if (source != NULL && memory_has(state->memory, to_address, size)) {
      memory_move(&state->memory, to_address, source, from_address, size);
      return;
    }
  }
  term *words = symex_allocate(size / WORD_SIZE + 1, sizeof *words);
  for (uint64_t offset = 0; offset < size; offset += WORD_SIZE) {
    const uint64_t part = size - offset < WORD_SIZE ? size - offset : WORD_SIZE;
    words[offset / WORD_SIZE] = load(activation, state, offset_by(from, offset), part);
  }
  for (uint64_t offset = 0; offset < size; offset += WORD_SIZE) {
    const uint64_t part = size - offset < WORD_SIZE ? size - offset : WORD_SIZE;
    store(activation, state, offset_by(to, offset), words[offset / WORD_SIZE], part);
  }
  free(words);
}

static void fill_block(struct activation *activation, struct state *state, term to, term byte,
                       uint64_t size) {
  uint64_t address;
  if (to != TERM_NONE && term_is_const(to, &address) && memory_has(state->memory, address, size)) {
    memory_fill(&state->memory, address, byte, size);
    return;
  }
  for (uint64_t offset = 0; offset < size; offset++)
    store(activation, state, offset_by(to, offset), byte, 1);
}

static void undefine_block(struct state *state, term address) {
  uint64_t at;
  if (!term_is_const(address, &at)) return;
  size_t size = 0;
  while (memory_has(state->memory, at, size + 1)) size++;
  memory_undefine(&state->memory, at, size);
}

/* ---- Values ---- */

static term value_of(const struct state *state, const struct operand *operand, size_t scalar) {
  return operand->is_constant ? operand->constants[scalar] : state->values[operand->slot + scalar];
}

/* For an operation, which needs to have one. */
static term defined_value(const struct activation *activation, const struct state *state,
                          size_t operand) {
  const term value = value_of(state, &activation->at->operands[operand], 0);
  if (value == TERM_NONE) stop_at(activation, "an operation on an undefined value");
  return value;
}

static void define(const struct activation *activation, struct state *state, term value) {
  if (value == TERM_NONE) stop_at(activation, "an unknown operation");
  state->values[activation->at->slot] = value;
}

/* ---- Instructions ---- */

static bool is_division(LLVMOpcode opcode) {
  return opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
}

/* A division that is not defined is no matter of its value alone. */
static void oblige_promises(struct activation *activation, const struct state *state,
                            const struct promise *promises, size_t count) {
  const bool is_promise = !is_division(activation->at->opcode);
  for (size_t p = 0; p < count; p++)
    oblige_as(activation, state->path, promises[p].condition, promises[p].what, is_promise);
}

static void execute_binary(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  const term a = defined_value(activation, state, 0), b = defined_value(activation, state, 1);
  struct promise promises[MAX_PROMISES];
  size_t count = operation_promises(at->opcode, at->promises, a, b, promises);
  term result = operation_binary(at->opcode, a, b);
  /* A shift by too much is any value, and only wrong where it matters: compilers make one that does
   * not, of a switch. */
  if (count > 0 && operation_is_shift(at->opcode)) {
    const term is_kept = path_known(state->path, promises[--count].condition);
    if (!term_is_true(is_kept))
      result = term_ite(is_kept, result, term_fresh(term_width(result), "shift"));
  }
  oblige_promises(activation, state, promises, count);
  define(activation, state, result);
}

static void execute_select(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  const term condition = path_known(state->path, defined_value(activation, state, 0));
  for (size_t s = 0; s < at->type.count; s++) {
    const term if_true = value_of(state, &at->operands[1], s);
    const term if_false = value_of(state, &at->operands[2], s);
    term *value = &state->values[at->slot + s];
    if (term_is_true(condition))
      *value = if_true;
    else if (term_is_false(condition))
      *value = if_false;
    else
      *value = either(condition, if_true, if_false);
  }
}

static size_t size_of(uint32_t width) {
  return (width + BYTE_BITS - 1) / BYTE_BITS;
}

static void oblige_range(struct activation *activation, const struct state *state, term value) {
  const uint64_t *range = activation->at->range;
  if (value == TERM_NONE || (range[0] == 0 && range[1] == 0)) return;
  const uint32_t width = term_width(value);
  const term offset = term_sub(value, term_const(width, range[0]));
  promise(activation, state->path, term_ult(offset, term_const(width, range[1] - range[0])),
          "range of a load");
}

static void execute_load(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  const term address = defined_value(activation, state, 0);
  for (size_t s = 0; s < at->type.count; s++) {
    const struct scalar *scalar = &at->type.scalars[s];
    term value =
        load(activation, state, offset_by(address, scalar->offset), size_of(scalar->width));
    if (value != TERM_NONE) value = operation_cast(LLVMTrunc, value, scalar->width);
    state->values[at->slot + s] = value;
    oblige_range(activation, state, value);
  }
}

static void execute_store(struct activation *activation, struct state *state) {
  const struct operand *stored = &activation->at->operands[0];
  const term address = defined_value(activation, state, 1);
  for (size_t s = 0; s < stored->type.count; s++) {
    const struct scalar *scalar = &stored->type.scalars[s];
    const size_t size = size_of(scalar->width);
    term value = value_of(state, stored, s);
    if (value != TERM_NONE) value = operation_cast(LLVMZExt, value, (uint32_t)size * BYTE_BITS);
    store(activation, state, offset_by(address, scalar->offset), value, size);
  }
}

static void execute_address(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  term address = offset_by(defined_value(activation, state, 0), at->offset);
  for (size_t o = 1; o < at->num_operands; o++) {
    const term index = defined_value(activation, state, o);
    const term wide = operation_cast(LLVMSExt, index, ADDRESS_WIDTH);
    const term scale = term_const(ADDRESS_WIDTH, at->scales[o]);
    address = operation_binary(LLVMAdd, address, operation_binary(LLVMMul, wide, scale));
  }
  define(activation, state, address);
}

static void copy_scalars(struct state *state, uint32_t to, const struct operand *from, size_t first,
                         size_t count) {
  for (size_t s = 0; s < count; s++) state->values[to + s] = value_of(state, from, first + s);
}

static void execute_insert(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  copy_scalars(state, at->slot, &at->operands[0], 0, at->type.count);
  copy_scalars(state, at->slot + (uint32_t)at->offset, &at->operands[1], 0,
               at->operands[1].type.count);
}

/* What is undefined becomes something, no matter what. */
static void execute_freeze(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  for (size_t s = 0; s < at->type.count; s++) {
    const term value = value_of(state, &at->operands[0], s);
    state->values[at->slot + s] =
        value != TERM_NONE ? value : term_fresh(at->type.scalars[s].width, "undefined");
  }
}

static bool starts(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static void execute_overflow(struct activation *activation, struct state *state) {
  const char *name = activation->at->intrinsic;
  const LLVMOpcode opcode = name[1] == 'a' ? LLVMAdd : name[1] == 's' ? LLVMSub : LLVMMul;
  const term a = defined_value(activation, state, 0), b = defined_value(activation, state, 1);
  struct promise promises[MAX_PROMISES];
  operation_promises(opcode, name[0] == 'u' ? NO_UNSIGNED_WRAP : NO_SIGNED_WRAP, a, b, promises);
  state->values[activation->at->slot] = operation_binary(opcode, a, b);
  state->values[activation->at->slot + 1] = term_not(promises[0].condition);
}

static void execute_pure_intrinsic(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  term *arguments = symex_allocate(at->num_operands, sizeof *arguments);
  for (size_t a = 0; a < at->num_operands; a++) arguments[a] = defined_value(activation, state, a);
  const term result = operation_intrinsic(at->intrinsic, arguments, at->num_operands);
  struct promise promises[MAX_PROMISES];
  const size_t count =
      operation_intrinsic_promises(at->intrinsic, arguments, at->num_operands, promises);
  oblige_promises(activation, state, promises, count);
  free(arguments);
  if (result == TERM_NONE) stop_at(activation, "an unknown intrinsic");
  define(activation, state, result);
}

static void execute_intrinsic(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  const char *name = at->intrinsic;
  if (starts(name, "memcpy.") || starts(name, "memmove.")) {
    const uint64_t size = constant_size(activation, value_of(state, &at->operands[2], 0));
    copy_block(activation, state, value_of(state, &at->operands[0], 0),
               value_of(state, &at->operands[1], 0), size);
  } else if (starts(name, "memset.")) {
    const uint64_t size = constant_size(activation, value_of(state, &at->operands[2], 0));
    fill_block(activation, state, value_of(state, &at->operands[0], 0),
               value_of(state, &at->operands[1], 0), size);
  } else if (starts(name, "lifetime.")) {
    undefine_block(state, value_of(state, &at->operands[1], 0));
  } else if (starts(name, "ubsantrap") || starts(name, "trap")) {
    oblige(activation, state->path, TERM_FALSE, "undefined behaviour");
  } else if (starts(name, "assume")) {
    promise(activation, state->path, defined_value(activation, state, 0), "assumption");
  } else if (strstr(name, ".with.overflow.") != NULL) {
    execute_overflow(activation, state);
  } else if (starts(name, "va_start") || starts(name, "va_end")) {
    return; /* who takes the further arguments puts them into text alone */
  } else if (starts(name, "expect.")) {
    define(activation, state, defined_value(activation, state, 0));
  } else {
    execute_pure_intrinsic(activation, state);
  }
}

static term *call(struct symex *symex, struct function *function, const term *arguments,
                  struct path *path, struct memory **memory);

/* Messages are made with it. Nothing but their address, which is not NULL, is looked at here. */
static bool makes_text(LLVMValueRef function) {
  size_t length;
  return strcmp(LLVMGetValueName2(function, &length), "vsnprintf") == 0;
}

static void execute_call(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  if (at->intrinsic != NULL) {
    execute_intrinsic(activation, state);
    return;
  }
  if (makes_text(at->callee->value)) {
    define(activation, state, term_fresh(32, "length"));
    return;
  }
  if (LLVMCountBasicBlocks(at->callee->value) == 0)
    stop_at(activation, "a call of a function without a body");
  const size_t num_arguments = at->callee->num_parameters;
  size_t count = 0;
  for (size_t o = 0; o < num_arguments; o++) count += at->operands[o].type.count;
  term *arguments = symex_allocate(count, sizeof *arguments);
  count = 0;
  for (size_t o = 0; o < num_arguments; o++)
    for (size_t s = 0; s < at->operands[o].type.count; s++)
      arguments[count++] = value_of(state, &at->operands[o], s);
  term *result = call(activation->symex, at->callee, arguments, state->path, &state->memory);
  for (size_t s = 0; s < at->type.count; s++) state->values[at->slot + s] = result[s];
  free(result);
  free(arguments);
}

static void execute(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  activation->symex->steps++;
  if (at->unknown != NULL) stop_at(activation, at->unknown);
  switch (at->opcode) {
    case LLVMICmp:
      define(activation, state,
             path_known(state->path,
                        operation_compare(at->predicate, defined_value(activation, state, 0),
                                          defined_value(activation, state, 1))));
      return;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
      define(activation, state,
             operation_cast(at->opcode, defined_value(activation, state, 0),
                            at->type.scalars[0].width));
      return;
    case LLVMSelect:
      execute_select(activation, state);
      return;
    case LLVMLoad:
      execute_load(activation, state);
      return;
    case LLVMStore:
      execute_store(activation, state);
      return;
    case LLVMGetElementPtr:
      execute_address(activation, state);
      return;
    case LLVMExtractValue:
      copy_scalars(state, at->slot, &at->operands[0], at->offset, at->type.count);
      return;
    case LLVMInsertValue:
      execute_insert(activation, state);
      return;
    case LLVMFreeze:
      execute_freeze(activation, state);
      return;
    case LLVMCall:
      execute_call(activation, state);
      return;
    case LLVMAlloca:
      define(activation, state,
             term_const(ADDRESS_WIDTH, new_local(activation, &state->memory, at->size)));
      return;
    default:
      if (at->num_operands != 2) stop_at(activation, "an unknown instruction");
      execute_binary(activation, state);
      return;
  }
}

/* ---- States ---- */

static struct state *new_state(struct path *path, struct memory *memory, size_t num_values) {
  struct state *state = symex_allocate(1, sizeof *state);
  state->path = path;
  state->memory = memory;
  state->values = symex_allocate(num_values, sizeof *state->values);
  return state;
}

static void free_state(struct state *state) {
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
    *value = either(is_a, *value, b->values[slots == NULL ? s : slots[s]]);
  }
  struct memory *memory = memory_merged(is_a, a->memory, b->memory);
  memory_free(a->memory);
  a->memory = memory;
  free_state(b);
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
static struct state *merge(struct state *states, const uint32_t *slots, size_t num_slots) {
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
    if (phi->operands[o].unknown != NULL) stop_at(activation, phi->operands[o].unknown);
    for (size_t s = 0; s < phi->type.count; s++)
      values[count++] = value_of(state, &phi->operands[o], s);
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
  struct state *forked = new_state(path, memory_copy(state->memory), num_slots);
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
    state = branch(activation, state, from, at->targets[0], defined_value(activation, state, 0));
  if (state != NULL) arrive(activation, state, from, at->targets[at->num_operands]);
}

/* Cases of the same block are one branch. */
static void execute_switch(struct activation *activation, struct state *state, uint32_t from) {
  const struct instruction *at = activation->at;
  const term value = defined_value(activation, state, 0);
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
  for (size_t s = 0; s < count; s++) result[s] = value_of(state, &at->operands[0], s);
  free(state->values);
  state->values = result;
  for (size_t o = 0; o < activation->num_objects; o++)
    memory_remove(&state->memory, activation->objects[o]);
  state->next = activation->returned;
  activation->returned = state;
}

static void execute_last(struct activation *activation, struct state *state, uint32_t block) {
  if (activation->at->unknown != NULL) stop_at(activation, activation->at->unknown);
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
      oblige(activation, state->path, TERM_FALSE, "unreachable");
      free_state(state);
      return;
    default:
      stop_at(activation, "an unknown instruction");
  }
}

/* ---- Functions ---- */

static void limit_rounds(struct activation *activation, const struct state *state, uint32_t block) {
  if (++activation->rounds[block] > MAX_ROUNDS) stop_at(activation, "a loop that does not end");
  if (activation->last_path[block] != state->path &&
      ++activation->unknown_rounds[block] > MAX_UNKNOWN_ROUNDS)
    stop_at(activation, "a loop that may not end");
  activation->last_path[block] = state->path;
}

static void execute_block(struct activation *activation, uint32_t number) {
  const struct block *block = &activation->function->blocks[number];
  struct state *states = activation->pending[number];
  activation->pending[number] = NULL;
  struct state *state = merge(states, block->live, block->num_live);
  activation->at = &block->instructions[block->num_phis];
  limit_rounds(activation, state, number);
  for (size_t i = block->num_phis; i + 1 < block->num_instructions; i++) {
    activation->at = &block->instructions[i];
    execute(activation, state);
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
      const term copy =
          term_const(ADDRESS_WIDTH, new_local(activation, &state->memory, function->copied[p]));
      copy_block(activation, state, copy, state->values[slot], function->copied[p]);
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
  struct state *state = new_state(activation->path, memory, function->num_slots);
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
    struct memory *outer = symex->memory;
    symex->memory = *memory;
    watch->around(watch->with, arguments, after);
    *memory = symex->memory;
    if (memory != &symex->memory) symex->memory = outer;
  }
}

/* The scalars of the result, to be freed. Where the function did not return, execution goes on as
 * if it had: it has the obligation to do so. */
static term *call_again(struct symex *symex, struct function *function, const term *arguments,
                        struct path *path, struct memory **memory) {
  code_decode(symex->code, function);
  struct activation activation = {.symex = symex, .function = function, .path = path};
  if (++symex->depth > MAX_CALL_DEPTH) symex_stop("%s: calls too deep", function->name);
  watch(symex, function, arguments, path, memory, false);
  begin(&activation, arguments, *memory);
  execute_blocks(&activation);
  if (activation.returned == NULL) symex_stop("%s: does not return", function->name);
  struct state *state = merge(activation.returned, NULL, function->result.count);
  *memory = memory_copy(state->memory);
  term *result = state->values;
  state->values = NULL;
  free_state(state);
  end(&activation);
  watch(symex, function, arguments, path, memory, true);
  symex->depth--;
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

static size_t result_bucket(const struct function *function, const term *arguments, size_t count) {
  uint64_t hash = (uintptr_t)function;
  for (size_t a = 0; a < count; a++) hash = (hash ^ arguments[a]) * UINT64_C(0x9E3779B97F4A7C15);
  return (hash ^ hash >> 32) % NUM_RESULT_BUCKETS;
}

static size_t count_arguments(const struct function *function) {
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
  const size_t count = count_arguments(function), results = function->result.count;
  struct result **bucket = &symex->results[result_bucket(function, arguments, count)];
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

static term *call(struct symex *symex, struct function *function, const term *arguments,
                  struct path *path, struct memory **memory) {
  return function->is_pure ? call_pure(symex, function, arguments, path, memory)
                           : call_again(symex, function, arguments, path, memory);
}

/* ---- From outside ---- */

struct initial {
  struct memory **memory;
  uint64_t address;
};

static void initialize(uint64_t offset, term value, void *with) {
  const struct initial *initial = with;
  if (value == TERM_NONE) return;
  const uint32_t width = (uint32_t)size_of(term_width(value)) * BYTE_BITS;
  memory_store(initial->memory, initial->address + offset, term_zext(value, width));
}

struct symex *symex_new(const char *bitcode) {
  struct code *code = code_read(bitcode);
  if (code == NULL) return NULL;
  struct symex *symex = symex_allocate(1, sizeof *symex);
  symex->code = code;
  symex->constants = memory_new();
  symex->memory = memory_new();
  for (size_t g = 0; g < code_num_globals(code); g++) {
    struct initial initial = {code_global_is_constant(code, g) ? &symex->constants : &symex->memory,
                              0};
    initial.address = new_object(symex, initial.memory, code_global_size(code, g));
    code_initialize(code, g, initialize, &initial);
  }
  symex->num_objects = (uint32_t)code_num_objects(code);
  return symex;
}

static void free_results(struct result *results) {
  while (results != NULL) {
    struct result *next = results->next;
    free(results->arguments);
    free(results);
    results = next;
  }
}

void symex_free(struct symex *symex) {
  for (size_t o = 0; o < symex->num_obligations; o++) free(symex->obligations[o].what);
  for (size_t b = 0; b < NUM_RESULT_BUCKETS; b++) free_results(symex->results[b]);
  free(symex->obligations);
  free(symex->buckets);
  free(symex->watches);
  memory_free(symex->memory);
  memory_free(symex->constants);
  code_free(symex->code);
  free(symex);
}

uint64_t symex_object(struct symex *symex, const char *name, size_t size) {
  if (size >= UINT32_MAX) symex_stop("%s: too large", name);
  return new_object(symex, &symex->memory, size);
}

uint64_t symex_global(const struct symex *symex, const char *name) {
  for (size_t g = 0; g < code_num_globals(symex->code); g++)
    if (strcmp(code_global_name(symex->code, g), name) == 0)
      return MEMORY_ADDRESS(g + 1, 0); /* they are the objects from 1 */
  return 0;
}

void symex_store(struct symex *symex, uint64_t address, term value) {
  if (!memory_has(symex->memory, address, term_width(value) / BYTE_BITS))
    symex_stop("a store beyond an object");
  memory_store(&symex->memory, address, value);
}

term symex_load(struct symex *symex, uint64_t address, uint32_t width) {
  const struct memory *memory = memory_at(symex, symex->memory, address, width / BYTE_BITS);
  if (memory == NULL) symex_stop("a load beyond an object");
  return memory_load(memory, address, width / BYTE_BITS);
}

term symex_call(struct symex *symex, const char *name, const term *arguments,
                size_t num_arguments) {
  struct function *function = code_function(symex->code, name);
  if (function == NULL) symex_stop("there is no function %s", name);
  size_t count = 0;
  for (size_t p = 0; p < function->num_parameters; p++)
    for (size_t s = 0; s < function->parameters[p].count; s++, count++)
      if (count >= num_arguments ||
          term_width(arguments[count]) != function->parameters[p].scalars[s].width)
        symex_stop("%s: other arguments than it has", name);
  if (count != num_arguments) symex_stop("%s: other arguments than it has", name);
  if (function->result.count > 1) symex_stop("%s: cannot be called from outside", name);
  term *results = call(symex, function, arguments, path_root(), &symex->memory);
  const term result = function->result.count == 0 ? TERM_NONE : results[0];
  free(results);
  return result;
}

void symex_watch(struct symex *symex, const char *function, symex_around *around, void *with) {
  const struct watch watch = {code_function(symex->code, function), around, with};
  if (watch.function == NULL) symex_stop("there is no function %s", function);
  symex->watches = symex_grow(symex->watches, &symex->room_watches, symex->num_watches + 1,
                              sizeof *symex->watches);
  symex->watches[symex->num_watches++] = watch;
}

size_t symex_obligations(const struct symex *symex, const struct symex_obligation **obligations,
                         size_t *trivial) {
  *obligations = symex->obligations;
  *trivial = symex->trivial;
  return symex->num_obligations;
}

size_t symex_steps(const struct symex *symex) {
  return symex->steps;
}
