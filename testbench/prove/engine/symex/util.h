/* What the files of this folder share: arrays that grow, and how execution stops. */
#ifndef ENGINE_SYMEX_UTIL_H
#define ENGINE_SYMEX_UTIL_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/term/checked.h"

/* Stops the process: "symex: ...". */
__attribute__((format(printf, 1, 2), noreturn)) void symex_stop(const char *format, ...);

/* Zeros. */
static inline void *symex_allocate(size_t count, size_t size) {
  return checked(calloc(count == 0 ? 1 : count, size));
}

/* An array with room for so many elements, and for more of them next time. */
static inline void *symex_grow(void *array, size_t *room, size_t count, size_t size) {
  if (count <= *room) return array;
  *room = count < 16 ? 16 : count + count / 2;
  return checked(realloc(array, *room * size));
}

#endif
