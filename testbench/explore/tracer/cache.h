/* Caches of the core model: sets of lines, of which the least recently used is replaced. */
#ifndef PMUV3_TRACE_CACHE_H
#define PMUV3_TRACE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line, or a page of a TLB, by its number. 0 in `holds`: none. */
struct cache_line {
  uint64_t holds; /* the number + 1 */
  uint64_t ready; /* the cycle in which its data is there */
  bool is_dirty;
};

struct cache {
  struct cache_line *lines; /* of a set, the most recently used first */
  uint64_t set_mask;        /* the number of sets is a power of 2 */
  uint64_t ways;
};

/* False: out of memory. */
bool cache_init(struct cache *cache, uint64_t lines, unsigned ways);
void cache_free(struct cache *cache);

static inline struct cache_line *cache_set(const struct cache *cache, uint64_t number) {
  return &cache->lines[(number & cache->set_mask) * cache->ways];
}

/* Whether the number is the most recently used of its set. */
static inline bool cache_is_first(const struct cache *cache, uint64_t number) {
  return cache_set(cache, number)->holds == number + 1;
}

/* Makes the line of a way the first of its set. */
static inline struct cache_line *cache_use(struct cache_line *set, uint64_t way) {
  const struct cache_line line = set[way];
  for (; way > 0; way--) set[way] = set[way - 1];
  set[0] = line;
  return set;
}

/* As below, if the line is not the first of its set. */
struct cache_line *cache_find_further(const struct cache *cache, uint64_t number);

/* The line of a number, which becomes the most recently used. NULL: a miss. */
static inline struct cache_line *cache_find(const struct cache *cache, uint64_t number) {
  struct cache_line *set = cache_set(cache, number);
  return set->holds == number + 1 ? set : cache_find_further(cache, number);
}

/* Room for a number that missed. The line still holds what is replaced. */
static inline struct cache_line *cache_replace(const struct cache *cache, uint64_t number) {
  return cache_use(cache_set(cache, number), cache->ways - 1);
}

#endif
