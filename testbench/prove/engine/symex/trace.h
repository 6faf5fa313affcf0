/*
 * What a call looks at in memory and what it changes, byte by byte: the addresses, not what is
 * there. Objects of the call itself are left out. Traces are nested as calls are: what an inner
 * call does, the outer one does, too.
 */
#ifndef ENGINE_SYMEX_TRACE_H
#define ENGINE_SYMEX_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of an object. */
struct traced {
  uint32_t object;
  size_t room;                  /* bytes that have a bit */
  uint8_t *looked_at, *changed; /* bits */
};

struct trace {
  struct trace *outer;
  uint32_t last; /* the largest number of an object from before the call */
  struct traced *objects;
  size_t num_objects, room, recent;
};

/* The call that is traced now. NULL: none is. */
extern struct trace *trace_current;

/* Begins the trace of a call. */
void trace_begin(struct trace *trace, uint32_t last);
/* Ends it, and adds it to the trace around it. */
void trace_end(struct trace *trace);
void trace_free(struct trace *trace);

/* The object was looked for, whether it is there or not. */
void trace_find(uint32_t object);
void trace_look(uint64_t address, size_t size);
void trace_change(uint64_t address, size_t size);

static inline bool trace_bit(const uint8_t *bits, size_t byte) {
  return (bits[byte / 8] >> byte % 8 & 1) != 0;
}

#endif
