#include "engine/symex/trace.h"

#include <string.h>

#include "engine/symex/memory.h"
#include "engine/symex/util.h"

struct trace *trace_current;

void trace_begin(struct trace *trace, uint32_t last) {
  *trace = (struct trace){.outer = trace_current, .last = last};
  trace_current = trace;
}

static struct traced *traced_of(struct trace *trace, uint32_t object) {
  if (trace->recent < trace->num_objects && trace->objects[trace->recent].object == object)
    return &trace->objects[trace->recent];
  size_t o = 0;
  while (o < trace->num_objects && trace->objects[o].object != object) o++;
  if (o == trace->num_objects) {
    trace->objects = symex_grow(trace->objects, &trace->room, o + 1, sizeof *trace->objects);
    trace->objects[trace->num_objects++] = (struct traced){.object = object};
  }
  trace->recent = o;
  return &trace->objects[o];
}

static uint8_t *grow_bits(uint8_t *bits, size_t before, size_t room) {
  bits = checked(realloc(bits, room / 8));
  memset(bits + before / 8, 0, (room - before) / 8);
  return bits;
}

static void make_room(struct traced *traced, size_t bytes) {
  if (bytes <= traced->room) return;
  const size_t room = (bytes + bytes / 2 + 63) / 64 * 64;
  traced->looked_at = grow_bits(traced->looked_at, traced->room, room);
  traced->changed = grow_bits(traced->changed, traced->room, room);
  traced->room = room;
}

static void set_bits(uint8_t *bits, size_t from, size_t size) {
  for (size_t byte = from; byte < from + size; byte++) bits[byte / 8] |= (uint8_t)(1u << byte % 8);
}

/* NULL: it is the call's own, or nothing is traced. */
static struct traced *current(uint32_t object, size_t bytes) {
  if (trace_current == NULL || object > trace_current->last) return NULL;
  struct traced *traced = traced_of(trace_current, object);
  make_room(traced, bytes);
  return traced;
}

void trace_find(uint32_t object) {
  current(object, 0);
}

void trace_look(uint64_t address, size_t size) {
  const size_t offset = MEMORY_OFFSET(address);
  struct traced *traced = current(MEMORY_OBJECT(address), offset + size);
  if (traced != NULL) set_bits(traced->looked_at, offset, size);
}

void trace_change(uint64_t address, size_t size) {
  const size_t offset = MEMORY_OFFSET(address);
  struct traced *traced = current(MEMORY_OBJECT(address), offset + size);
  if (traced != NULL) set_bits(traced->changed, offset, size);
}

static void add_object(const struct traced *inner) {
  struct traced *outer = current(inner->object, inner->room);
  if (outer == NULL) return;
  for (size_t b = 0; b < inner->room / 8; b++) {
    outer->looked_at[b] |= inner->looked_at[b];
    outer->changed[b] |= inner->changed[b];
  }
}

void trace_end(struct trace *trace) {
  trace_current = trace->outer;
  for (size_t o = 0; o < trace->num_objects; o++) add_object(&trace->objects[o]);
}

void trace_free(struct trace *trace) {
  for (size_t o = 0; o < trace->num_objects; o++) {
    free(trace->objects[o].looked_at);
    free(trace->objects[o].changed);
  }
  free(trace->objects);
}
