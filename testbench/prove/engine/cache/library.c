#define _GNU_SOURCE /* memfd_create */
#include "testbench/prove/engine/cache/library.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file of digests, after one that says what it is. It is only ever appended to. */
static const struct digest head = {{0x76756D702056334Dull, 0x6465766F72702031ull}};

struct library {
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

static struct digest *slot_of(const struct library *library, struct digest digest) {
  size_t s = digest.words[0] & (library->num_slots - 1);
  while (!is_none(library->slots[s]) && !is_same(library->slots[s], digest))
    s = (s + 1) & (library->num_slots - 1);
  return &library->slots[s];
}

static void grow(struct library *library) {
  const struct library old = *library;
  library->num_slots = old.num_slots == 0 ? 1024 : 2 * old.num_slots;
  library->slots = calloc(library->num_slots, sizeof *library->slots);
  if (library->slots == NULL) abort();
  for (size_t s = 0; s < old.num_slots; s++)
    if (!is_none(old.slots[s])) *slot_of(library, old.slots[s]) = old.slots[s];
  free(old.slots);
}

static void put(struct library *library, struct digest digest) {
  if (2 * library->num_used >= library->num_slots) grow(library);
  struct digest *slot = slot_of(library, digest);
  library->num_used += is_none(*slot);
  *slot = digest;
}

/* ---- The file ---- */

/* What others have added. */
static void catch_up(struct library *library) {
  struct digest some[256];
  ssize_t size;
  while ((size = pread(library->file, some, sizeof some, library->read)) >= (ssize_t)sizeof *some) {
    const size_t number = (size_t)size / sizeof *some;
    for (size_t n = 0; n < number; n++) put(library, some[n]);
    library->read += (off_t)(number * sizeof *some);
  }
}

static bool append(const struct library *library, struct digest digest) {
  return write(library->file, &digest, sizeof digest) == sizeof digest;
}

/* An empty file begins with the head; one that does not is none of ours. */
static bool read_head(struct library *library) {
  struct digest first;
  flock(library->file, LOCK_EX);
  const ssize_t size = pread(library->file, &first, sizeof first, 0);
  const bool is_good =
      size == 0 ? append(library, head) : size == (ssize_t)sizeof first && is_same(first, head);
  flock(library->file, LOCK_UN);
  library->read = sizeof head;
  return is_good;
}

struct library *library_open(const char *file) {
  struct library *library = calloc(1, sizeof *library);
  if (library == NULL) abort();
  library->file =
      file == NULL ? memfd_create("proved", 0) : open(file, O_RDWR | O_CREAT | O_APPEND, 0666);
  if (library->file >= 0 && (file != NULL || fcntl(library->file, F_SETFL, O_APPEND) == 0) &&
      read_head(library)) {
    grow(library);
    return library;
  }
  if (library->file < 0)
    perror(file == NULL ? "pmuv3-prove" : file);
  else
    fprintf(stderr, "%s: not a file of what is proved\n", file);
  library_close(library);
  return NULL;
}

void library_close(struct library *library) {
  if (library->file >= 0) close(library->file);
  free(library->slots);
  free(library);
}

bool library_has(struct library *library, struct digest digest) {
  catch_up(library);
  return !is_none(*slot_of(library, digest));
}

/* A process alone with its library does without what it cannot write. */
void library_add(struct library *library, struct digest digest) {
  if (!append(library, digest)) perror("pmuv3-prove");
  put(library, digest);
}
