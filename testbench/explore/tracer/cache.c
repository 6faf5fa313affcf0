#include "testbench/explore/tracer/cache.h"

#include <stdlib.h>

bool cache_init(struct cache *cache, uint64_t lines, unsigned ways) {
  cache->ways = ways;
  cache->set_mask = lines / ways - 1;
  cache->lines = calloc(lines, sizeof *cache->lines);
  return cache->lines != NULL;
}

void cache_free(struct cache *cache) {
  free(cache->lines);
}

__attribute__((noinline)) struct cache_line *cache_find_further(const struct cache *cache,
                                                                uint64_t number) {
  struct cache_line *set = cache_set(cache, number);
  for (uint64_t way = 1; way < cache->ways; way++)
    if (set[way].holds == number + 1) return cache_use(set, way);
  return NULL;
}
