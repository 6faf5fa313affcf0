#include "engine/symex/activation.h"

#include <stdlib.h>
#include <string.h>

#include "engine/symex/choice.h"
#include "engine/symex/operation.h"
#include "engine/symex/util.h"

enum { WORD_SIZE = 8 };

/* ---- Objects ---- */

uint64_t object_new(struct symex *symex, struct memory **memory, size_t size) {
  const uint32_t number = ++symex->num_objects;
  memory_add(memory, number, size);
  return MEMORY_ADDRESS(number, 0);
}

uint64_t object_new_local(struct activation *activation, struct memory **memory, size_t size) {
  activation->objects = checked(
      realloc(activation->objects, (activation->num_objects + 1) * sizeof *activation->objects));
  const uint64_t address = object_new(activation->symex, memory, size);
  activation->objects[activation->num_objects++] = MEMORY_OBJECT(address);
  return address;
}

/* ---- Accesses ---- */

/*
 * That a pointer stays within its object is seen where it is used: an object is
 * far from the next one.
 */
const struct memory *access_memory(const struct symex *symex, const struct memory *memory,
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
  if (address == TERM_NONE) activation_stop(activation, "an address that is undefined");
  const choice all = choice_of(address);
  if (all == CHOICE_NONE) activation_stop(activation, "an address that can be anywhere");
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

term access_either(term condition, term if_true, term if_false) {
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
    const struct memory *memory = access_memory(activation->symex, state->memory, node.value, size);
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
    by_node[place] = access_either(condition, by_node[node.if_true], by_node[node.if_false]);
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
term access_load(struct activation *activation, const struct state *state, term address,
                 size_t size) {
  const term recent = memory_recall(state->memory, address, size);
  if (recent != TERM_NONE) return recent;
  const struct places places = places_of(activation, address);
  make_room_by_node(&places);
  for (size_t n = 0; n < places.count; n++) load_place(activation, state, places.nodes[n], size);
  const choice all = places.nodes[places.count - 1];
  const term loaded = by_node[all];
  obligation_claim(activation, state->path, term_not(bad_by_node[all]), "load out of bounds");
  if (loaded == TERM_NONE || places.count == 1) return loaded;
  choice_see_loaded(loaded, address, load_choice(state, &places));
  return choice_seen(loaded) == CHOICE_NONE ? path_simplified(state->path, loaded) : loaded;
}

/* Where its condition is not constant true, a place keeps what it has else. */
static void store_place(struct state *state, uint64_t address, term condition, term value) {
  const size_t size = term_width(value) / BYTE_BITS;
  if (!term_is_true(condition))
    value = access_either(condition, value, memory_load(state->memory, address, size));
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
void access_store(struct activation *activation, struct state *state, term address, term value,
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
  obligation_claim(activation, state->path, term_not(bad), "store out of bounds");
  if (places.count > 1 && value != TERM_NONE)
    memory_remember(&state->memory, address, low, high, value);
}

/* ---- Blocks of memory ---- */

uint64_t block_size(struct activation *activation, term size) {
  uint64_t value;
  if (size == TERM_NONE || !term_is_const(size, &value))
    activation_stop(activation, "memory of a size that is not constant");
  return value;
}

term block_offset(term address, uint64_t offset) {
  return operation_binary(LLVMAdd, address, term_const(ADDRESS_WIDTH, offset));
}

void block_copy(struct activation *activation, struct state *state, term to, term from,
                uint64_t size) {
  uint64_t to_address, from_address;
  if (size == 0) return;
  if (to != TERM_NONE && from != TERM_NONE && term_is_const(to, &to_address) &&
      term_is_const(from, &from_address)) {
    const struct memory *source =
        access_memory(activation->symex, state->memory, from_address, size);
    if (source != NULL && memory_has(state->memory, to_address, size)) {
      memory_move(&state->memory, to_address, source, from_address, size);
      return;
    }
  }
  term *words = symex_allocate(size / WORD_SIZE + 1, sizeof *words);
  for (uint64_t offset = 0; offset < size; offset += WORD_SIZE) {
    const uint64_t part = size - offset < WORD_SIZE ? size - offset : WORD_SIZE;
    words[offset / WORD_SIZE] = access_load(activation, state, block_offset(from, offset), part);
  }
  for (uint64_t offset = 0; offset < size; offset += WORD_SIZE) {
    const uint64_t part = size - offset < WORD_SIZE ? size - offset : WORD_SIZE;
    access_store(activation, state, block_offset(to, offset), words[offset / WORD_SIZE], part);
  }
  free(words);
}

void block_fill(struct activation *activation, struct state *state, term to, term byte,
                uint64_t size) {
  uint64_t address;
  if (to != TERM_NONE && term_is_const(to, &address) && memory_has(state->memory, address, size)) {
    memory_fill(&state->memory, address, byte, size);
    return;
  }
  for (uint64_t offset = 0; offset < size; offset++)
    access_store(activation, state, block_offset(to, offset), byte, 1);
}

void block_undefine(struct state *state, term address) {
  uint64_t at;
  if (!term_is_const(address, &at)) return;
  size_t size = 0;
  while (memory_has(state->memory, at, size + 1)) size++;
  memory_undefine(&state->memory, at, size);
}
