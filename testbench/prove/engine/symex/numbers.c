#include "engine/symex/numbers.h"

#include "engine/symex/util.h"

static size_t find_key(const struct numbers *numbers, const void *key) {
  size_t at = ((uintptr_t)key >> 4) * 0x9E3779B1u & (numbers->room - 1);
  while (numbers->keys[at] != NULL && numbers->keys[at] != key) at = (at + 1) & (numbers->room - 1);
  return at;
}

void numbers_put(struct numbers *numbers, const void *key, uint32_t value) {
  if (2 * numbers->count >= numbers->room) {
    const struct numbers old = *numbers;
    numbers->room = old.room == 0 ? 64 : 2 * old.room;
    numbers->keys = symex_allocate(numbers->room, sizeof *numbers->keys);
    numbers->values = symex_allocate(numbers->room, sizeof *numbers->values);
    numbers->count = 0;
    for (size_t i = 0; i < old.room; i++)
      if (old.keys[i] != NULL) numbers_put(numbers, old.keys[i], old.values[i]);
    free(old.keys);
    free(old.values);
  }
  const size_t at = find_key(numbers, key);
  numbers->keys[at] = key;
  numbers->values[at] = value;
  numbers->count++;
}

bool numbers_get(const struct numbers *numbers, const void *key, uint32_t *value) {
  if (numbers->room == 0) return false;
  const size_t at = find_key(numbers, key);
  if (numbers->keys[at] == NULL) return false;
  *value = numbers->values[at];
  return true;
}

void numbers_free(struct numbers *numbers) {
  free(numbers->keys);
  free(numbers->values);
}
