#define _GNU_SOURCE /* memfd_create */
#include "engine/cache/proof_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/term/checked.h"

/* A file of digests, after one that says what it is. It is only ever appended to. */
static const struct digest head = {{0x76756D702056334Dull, 0x6465766F72702031ull}};

struct proof_cache {
  int file;
  off_t read;           /* of the file so far */
  struct digest *slots; /* a hash table; 0: none, which no digest is */
  size_t num_slots, num_used;
};

static bool is_same(struct digest a, struct digest b) {
  return a.words[0] == b.words[0] && a.words[1] == b.words[1];
}

static bool is_none(struct digest a) {
  return is_same(a, (struct digest){{0, 0}});
}

/* ---- The table ---- */

static struct digest *slot_of(const struct proof_cache *cache, struct digest digest) {
  size_t s = digest.words[0] & (cache->num_slots - 1);
  while (!is_none(cache->slots[s]) && !is_same(cache->slots[s], digest))
    s = (s + 1) & (cache->num_slots - 1);
  return &cache->slots[s];
}

static void grow(struct proof_cache *cache) {
  const struct proof_cache old = *cache;
  cache->num_slots = old.num_slots == 0 ? 1024 : 2 * old.num_slots;
  cache->slots = checked(calloc(cache->num_slots, sizeof *cache->slots));
  for (size_t s = 0; s < old.num_slots; s++)
    if (!is_none(old.slots[s])) *slot_of(cache, old.slots[s]) = old.slots[s];
  free(old.slots);
}

static void put(struct proof_cache *cache, struct digest digest) {
  if (2 * cache->num_used >= cache->num_slots) grow(cache);
  struct digest *slot = slot_of(cache, digest);
  cache->num_used += is_none(*slot);
  *slot = digest;
}

/* ---- The file ---- */

/* What others have added. */
static void catch_up(struct proof_cache *cache) {
  struct digest some[256];
  ssize_t size;
  while ((size = pread(cache->file, some, sizeof some, cache->read)) >= (ssize_t)sizeof *some) {
    const size_t number = (size_t)size / sizeof *some;
    for (size_t n = 0; n < number; n++) put(cache, some[n]);
    cache->read += (off_t)(number * sizeof *some);
  }
}

static bool append(const struct proof_cache *cache, struct digest digest) {
  return write(cache->file, &digest, sizeof digest) == sizeof digest;
}

/* An empty file begins with the head; one that does not is none of ours. */
static bool read_head(struct proof_cache *cache) {
  struct digest first;
  flock(cache->file, LOCK_EX);
  const ssize_t size = pread(cache->file, &first, sizeof first, 0);
  const bool is_good =
      size == 0 ? append(cache, head) : size == (ssize_t)sizeof first && is_same(first, head);
  flock(cache->file, LOCK_UN);
  cache->read = sizeof head;
  return is_good;
}

struct proof_cache *proof_cache_open(const char *file) {
  struct proof_cache *cache = checked(calloc(1, sizeof *cache));
  cache->file =
      file == NULL ? memfd_create("proved", 0) : open(file, O_RDWR | O_CREAT | O_APPEND, 0666);
  if (cache->file >= 0 && (file != NULL || fcntl(cache->file, F_SETFL, O_APPEND) == 0) &&
      read_head(cache)) {
    grow(cache);
    return cache;
  }
  if (cache->file < 0)
    perror(file == NULL ? "proof cache" : file);
  else
    fprintf(stderr, "%s: not a file of what is proved\n", file);
  proof_cache_close(cache);
  return NULL;
}

void proof_cache_close(struct proof_cache *cache) {
  if (cache->file >= 0) close(cache->file);
  free(cache->slots);
  free(cache);
}

bool proof_cache_has(struct proof_cache *cache, struct digest digest) {
  catch_up(cache);
  return !is_none(*slot_of(cache, digest));
}

/* A process alone with its cache does without what it cannot write. */
void proof_cache_add(struct proof_cache *cache, struct digest digest) {
  if (!append(cache, digest)) perror("proof cache");
  put(cache, digest);
}
