#include "engine/symex/memo.h"

#include <string.h>

#include "engine/symex/trace.h"
#include "engine/symex/util.h"

/* Shorter calls are as soon executed. */
enum { LEAST_STEPS = 20 };

/* An object that the call looked for, as it was before. */
struct met {
  uint32_t object;
  size_t size; /* MEMORY_NO_OBJECT: it was not there */
};

/* Consecutive bytes, which are in the memo's bytes one run after the other. */
struct run {
  uint64_t address;
  size_t size;
};

struct bytes {
  struct run *runs;
  size_t num_runs, room_runs;
  struct memory_byte *all;
  size_t count, room;
};

/* A call: what decides what it does, and what it did. */
struct memo {
  struct memo *next;
  struct function *function;
  uint32_t num_objects; /* before */
  term *arguments;      /* then the result */
  struct met *met;
  size_t num_met;
  struct bytes read;
  struct memory *before; /* for what it recalls */

  struct bytes written;
  struct memory *after;
  struct noted *noted;
  size_t num_noted;
  uint32_t made; /* objects */
  size_t steps, trivial;
};

/* ---- Bytes ---- */

static void add_byte(struct bytes *bytes, uint64_t address, struct memory_byte byte) {
  struct run *last = bytes->num_runs == 0 ? NULL : &bytes->runs[bytes->num_runs - 1];
  if (last != NULL && last->address + last->size == address) {
    last->size++;
  } else {
    bytes->runs =
        symex_grow(bytes->runs, &bytes->room_runs, bytes->num_runs + 1, sizeof *bytes->runs);
    bytes->runs[bytes->num_runs++] = (struct run){address, 1};
  }
  bytes->all = symex_grow(bytes->all, &bytes->room, bytes->count + 1, sizeof *bytes->all);
  bytes->all[bytes->count++] = byte;
}

static bool are_same(const struct bytes *bytes, const struct memory *memory) {
  const struct memory_byte *from = bytes->all;
  for (size_t r = 0; r < bytes->num_runs; from += bytes->runs[r++].size)
    if (!memory_is_same(memory, bytes->runs[r].address, from, bytes->runs[r].size)) return false;
  return true;
}

static void write_bytes(const struct bytes *bytes, struct memory **memory) {
  const struct memory_byte *from = bytes->all;
  for (size_t r = 0; r < bytes->num_runs; from += bytes->runs[r++].size)
    memory_write(memory, bytes->runs[r].address, from, bytes->runs[r].size);
}

static void free_bytes(struct bytes *bytes) {
  free(bytes->runs);
  free(bytes->all);
}

/* ---- Kept ---- */

/* A byte that was changed and is as before has to be as before: it may not have been written on
 * every path. */
static void keep_byte(struct memo *memo, uint64_t address, bool is_read, bool is_changed) {
  struct memory_byte before, after;
  if (!is_read && !is_changed) return;
  memory_read(memo->before, address, &before, 1);
  memory_read(memo->after, address, &after, 1);
  const bool is_same = before.value == after.value && before.byte == after.byte;
  if (is_read || is_same) add_byte(&memo->read, address, before);
  if (!is_same) add_byte(&memo->written, address, after);
}

static void keep_object(struct memo *memo, const struct traced *traced) {
  const size_t size = memory_size(memo->before, traced->object);
  memo->met[memo->num_met++] = (struct met){traced->object, size};
  for (size_t byte = 0; size != MEMORY_NO_OBJECT && byte < traced->room && byte < size; byte++)
    keep_byte(memo, MEMORY_ADDRESS(traced->object, byte), trace_bit(traced->looked_at, byte),
              trace_bit(traced->changed, byte));
}

static term *copy_arguments(const struct function *function, const term *arguments,
                            const term *result) {
  const size_t count = function_arguments(function), results = function->result.count;
  term *copy = symex_allocate(count + results, sizeof *copy);
  if (count > 0) memcpy(copy, arguments, count * sizeof *copy);
  if (results > 0) memcpy(copy + count, result, results * sizeof *copy);
  return copy;
}

/* What is counted before a call, and compared with after it. */
struct begun {
  size_t fresh, watched, steps, trivial, noted;
  uint32_t num_objects;
};

static struct begun begin(const struct symex *symex) {
  return (struct begun){term_num_fresh(), symex->watched,   symex->steps,
                        symex->trivial,   symex->num_noted, symex->num_objects};
}

static bool can_be_kept(const struct symex *symex, const struct begun *begun) {
  return term_num_fresh() == begun->fresh && symex->watched == begun->watched &&
         symex->steps - begun->steps >= LEAST_STEPS;
}

static struct memo *new_memo(const struct symex *symex, const struct begun *begun,
                             const struct trace *trace) {
  struct memo *memo = symex_allocate(1, sizeof *memo);
  memo->num_objects = begun->num_objects;
  memo->made = symex->num_objects - begun->num_objects;
  memo->steps = symex->steps - begun->steps;
  memo->trivial = symex->trivial - begun->trivial;
  memo->num_noted = symex->num_noted - begun->noted;
  memo->noted = symex_allocate(memo->num_noted, sizeof *memo->noted);
  if (memo->num_noted > 0)
    memcpy(memo->noted, symex->noted + begun->noted, memo->num_noted * sizeof *memo->noted);
  memo->met = symex_allocate(trace->num_objects, sizeof *memo->met);
  return memo;
}

/* Executes a call, and keeps what it did. */
static term *execute(struct symex *symex, struct function *function, const term *arguments,
                     struct memory **memory, struct memo **bucket) {
  struct trace trace;
  struct memory *before = memory_copy(*memory);
  const struct begun begun = begin(symex);
  trace_begin(&trace, symex->num_objects);
  term *result = call_body(symex, function, arguments, path_root(), memory);
  trace_end(&trace);
  if (can_be_kept(symex, &begun)) {
    struct memo *memo = new_memo(symex, &begun, &trace);
    memo->function = function;
    memo->arguments = copy_arguments(function, arguments, result);
    memo->before = memory_copy(before);
    memo->after = memory_copy(*memory);
    for (size_t o = 0; o < trace.num_objects; o++) keep_object(memo, &trace.objects[o]);
    memo->next = *bucket;
    *bucket = memo;
  }
  if (trace_current == NULL) symex->num_noted = 0;
  memory_free(before);
  trace_free(&trace);
  return result;
}

/* ---- Done again ---- */

static bool meets_same(const struct memo *memo, const struct memory *memory) {
  for (size_t m = 0; m < memo->num_met; m++)
    if (memory_size(memory, memo->met[m].object) != memo->met[m].size) return false;
  return true;
}

static bool is_like(const struct memo *memo, const struct symex *symex,
                    const struct function *function, const term *arguments,
                    const struct memory *memory) {
  return memo->function == function && memo->num_objects == symex->num_objects &&
         memcmp(memo->arguments, arguments, function_arguments(function) * sizeof *arguments) ==
             0 &&
         memory_recalls_same(memo->before, memory) && meets_same(memo, memory) &&
         are_same(&memo->read, memory);
}

/* For the call around it, which is executed. */
static void trace_again(const struct memo *memo) {
  for (size_t m = 0; m < memo->num_met; m++) trace_find(memo->met[m].object);
  for (size_t r = 0; r < memo->read.num_runs; r++)
    trace_look(memo->read.runs[r].address, memo->read.runs[r].size);
}

static term *do_again(struct symex *symex, const struct memo *memo, struct memory **memory) {
  symex->recalled++;
  trace_again(memo);
  write_bytes(&memo->written, memory);
  memory_recall_as(memory, memo->after);
  for (size_t n = 0; n < memo->num_noted; n++) obligation_keep(symex, &memo->noted[n]);
  symex->num_objects += memo->made;
  symex->steps += memo->steps;
  symex->trivial += memo->trivial;
  const size_t results = memo->function->result.count;
  term *result = symex_allocate(results, sizeof *result);
  if (results > 0)
    memcpy(result, memo->arguments + function_arguments(memo->function), results * sizeof *result);
  return result;
}

term *memo_call(struct symex *symex, struct function *function, const term *arguments,
                struct memory **memory) {
  struct memo **bucket =
      &symex->memos[call_bucket(function, arguments, function_arguments(function))];
  for (const struct memo *memo = *bucket; memo != NULL; memo = memo->next)
    if (is_like(memo, symex, function, arguments, *memory)) return do_again(symex, memo, memory);
  if (symex->remembers) return execute(symex, function, arguments, memory, bucket);
  return call_body(symex, function, arguments, path_root(), memory);
}

void memo_note(struct symex *symex, const struct noted *noted) {
  if (trace_current == NULL) return;
  symex->noted =
      symex_grow(symex->noted, &symex->room_noted, symex->num_noted + 1, sizeof *symex->noted);
  symex->noted[symex->num_noted++] = *noted;
}

void memo_free(struct memo *memos) {
  while (memos != NULL) {
    struct memo *next = memos->next;
    memory_free(memos->before);
    memory_free(memos->after);
    free_bytes(&memos->read);
    free_bytes(&memos->written);
    free(memos->arguments);
    free(memos->met);
    free(memos->noted);
    free(memos);
    memos = next;
  }
}
