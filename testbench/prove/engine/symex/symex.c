#include "engine/symex/symex.h"

#include <stdarg.h>
#include <string.h>

#include "engine/symex/activation.h"
#include "engine/symex/memo.h"
#include "engine/symex/util.h"

void symex_stop(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "symex: ");
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "\n");
  va_end(arguments);
  exit(2);
}

_Noreturn void activation_stop(const struct activation *activation, const char *what) {
  symex_stop("%s: %s", code_place(activation->function, activation->at), what);
}

struct initial {
  struct memory **memory;
  uint64_t address;
};

static void initialize(uint64_t offset, term value, void *with) {
  const struct initial *initial = with;
  if (value == TERM_NONE) return;
  const uint32_t width = (uint32_t)size_of_width(term_width(value)) * BYTE_BITS;
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
    initial.address = object_new(symex, initial.memory, code_global_size(code, g));
    code_initialize(code, g, initialize, &initial);
  }
  symex->num_objects = (uint32_t)code_num_objects(code);
  return symex;
}

void symex_free(struct symex *symex) {
  for (size_t o = 0; o < symex->num_obligations; o++) free(symex->obligations[o].what);
  for (size_t b = 0; b < NUM_CALL_BUCKETS; b++) {
    results_free(symex->results[b]);
    memo_free(symex->memos[b]);
  }
  free(symex->noted);
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
  return object_new(symex, &symex->memory, size);
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
  const struct memory *memory = access_memory(symex, symex->memory, address, width / BYTE_BITS);
  if (memory == NULL) symex_stop("a load beyond an object");
  return memory_load(memory, address, width / BYTE_BITS);
}

/* The objects of a call have the same numbers, whatever the calls before it made: it is like a call
 * that is kept. */
static void number_alike(struct symex *symex) {
  enum { NUMBERS = 4096 };
  if (symex->num_objects > UINT32_MAX - 2 * NUMBERS) symex_stop("too many objects");
  symex->num_objects = (symex->num_objects / NUMBERS + 1) * NUMBERS;
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
  number_alike(symex);
  term *results = call_function(symex, function, arguments, path_root(), &symex->memory);
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

void symex_remember(struct symex *symex, bool remembers) {
  symex->remembers = remembers;
}

struct symex_mark {
  struct memory *memory;
  uint32_t num_objects;
  size_t num_obligations, num_watches, trivial, steps;
  bool *are_promises;
};

struct symex_mark *symex_mark(const struct symex *symex) {
  struct symex_mark *mark = symex_allocate(1, sizeof *mark);
  *mark = (struct symex_mark){
      .memory = memory_copy(symex->memory),
      .num_objects = symex->num_objects,
      .num_obligations = symex->num_obligations,
      .num_watches = symex->num_watches,
      .trivial = symex->trivial,
      .steps = symex->steps,
      .are_promises = symex_allocate(symex->num_obligations, sizeof *mark->are_promises),
  };
  for (size_t o = 0; o < mark->num_obligations; o++)
    mark->are_promises[o] = symex->obligations[o].is_promise;
  return mark;
}

void symex_back(struct symex *symex, const struct symex_mark *mark) {
  memory_free(symex->memory);
  symex->memory = memory_copy(mark->memory);
  symex->num_objects = mark->num_objects;
}

void symex_drop(struct symex *symex, const struct symex_mark *mark) {
  symex_back(symex, mark);
  symex->num_watches = mark->num_watches;
  symex->trivial = mark->trivial;
  symex->steps = mark->steps;
  obligations_cut(symex, mark->num_obligations);
  for (size_t o = 0; o < mark->num_obligations; o++)
    symex->obligations[o].is_promise = mark->are_promises[o];
}

void symex_mark_free(struct symex_mark *mark) {
  memory_free(mark->memory);
  free(mark->are_promises);
  free(mark);
}

bool symex_is_as_marked(const struct symex *symex, const struct symex_mark *mark, uint64_t address,
                        size_t size) {
  struct memory_byte *bytes = symex_allocate(size, sizeof *bytes);
  memory_read(mark->memory, address, bytes, size);
  const bool is_same = memory_is_same(symex->memory, address, bytes, size);
  free(bytes);
  return is_same;
}

bool symex_globals_are_as_marked(const struct symex *symex, const struct symex_mark *mark) {
  for (size_t g = 0; g < code_num_globals(symex->code); g++)
    if (!code_global_is_constant(symex->code, g) &&
        !symex_is_as_marked(symex, mark, MEMORY_ADDRESS(g + 1, 0),
                            code_global_size(symex->code, g)))
      return false;
  return true;
}

size_t symex_recalled(const struct symex *symex) {
  return symex->recalled;
}

size_t symex_steps(const struct symex *symex) {
  return symex->steps;
}
