#include "testbench/explore/tracer/cache.h"

#include <stdlib.h>

bool cache_init(struct cache *cache, uint64_t lines, unsigned ways) {
  cache->ways = ways;
  cache->num_sets = lines / ways;
  cache->lines = calloc(lines, sizeof *cache->lines);
  return cache->lines != NULL;
}

void cache_free(struct cache *cache) {
  free(cache->lines);
}
