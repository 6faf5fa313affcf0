/* A map from LLVM's pointers to numbers. All zeros is the empty map. */
#ifndef ENGINE_SYMEX_NUMBERS_H
#define ENGINE_SYMEX_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct numbers {
  const void **keys;
  uint32_t *values;
  size_t count, room;
};

/* Adds a key, which the map must not have yet. */
void numbers_put(struct numbers *numbers, const void *key, uint32_t value);

/* False: the map does not have the key. */
bool numbers_get(const struct numbers *numbers, const void *key, uint32_t *value);

void numbers_free(struct numbers *numbers);

#endif
