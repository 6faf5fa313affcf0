#include "engine/symex/activation.h"

#include <stdlib.h>
#include <string.h>

#include "engine/symex/memo.h"
#include "engine/symex/util.h"

static size_t bucket_of(const struct symex *symex, term condition) {
  size_t b = condition * 0x9E3779B1u & (symex->num_buckets - 1);
  while (symex->buckets[b] != 0 && symex->obligations[symex->buckets[b] - 1].condition != condition)
    b = (b + 1) & (symex->num_buckets - 1);
  return b;
}

static void rehash_obligations(struct symex *symex, size_t num_buckets) {
  symex->num_buckets = num_buckets;
  free(symex->buckets);
  symex->buckets = symex_allocate(symex->num_buckets, sizeof *symex->buckets);
  for (size_t o = 0; o < symex->num_obligations; o++)
    symex->buckets[bucket_of(symex, symex->obligations[o].condition)] = (uint32_t)o + 1;
}

static void keep_obligation(struct symex *symex, const struct symex_obligation *obligation) {
  symex->obligations = symex_grow(symex->obligations, &symex->room_obligations,
                                  symex->num_obligations + 1, sizeof *symex->obligations);
  symex->obligations[symex->num_obligations++] = *obligation;
}

/* The same condition again needs no second proof. */
void obligation_keep(struct symex *symex, const struct noted *noted) {
  memo_note(symex, noted);
  if (2 * symex->num_obligations >= symex->num_buckets)
    rehash_obligations(symex, symex->num_buckets == 0 ? 256 : 2 * symex->num_buckets);
  const size_t bucket = bucket_of(symex, noted->condition);
  if (symex->buckets[bucket] != 0) {
    symex->obligations[symex->buckets[bucket] - 1].is_promise &= noted->is_promise;
    return;
  }
  char *place = code_place(noted->function, noted->at);
  const size_t size = strlen(place) + strlen(noted->what) + sizeof ": ";
  char *text = symex_allocate(size, 1);
  snprintf(text, size, "%s: %s", place, noted->what);
  free(place);
  keep_obligation(symex, &(struct symex_obligation){noted->condition, text, noted->is_promise});
  symex->buckets[bucket] = (uint32_t)symex->num_obligations;
}

void obligation_add(struct activation *activation, struct path *path, term condition,
                    const char *what, bool is_promise) {
  struct symex *symex = activation->symex;
  if (!term_is_true(condition))
    condition = term_implies(path_condition(path), path_known(path, condition));
  if (term_is_true(condition)) {
    symex->trivial++;
    return;
  }
  obligation_keep(
      symex, &(struct noted){condition, activation->function, activation->at, what, is_promise});
}

void obligations_cut(struct symex *symex, size_t number) {
  while (symex->num_obligations > number) free(symex->obligations[--symex->num_obligations].what);
  rehash_obligations(symex, symex->num_buckets);
}

void obligation_claim(struct activation *activation, struct path *path, term condition,
                      const char *what) {
  obligation_add(activation, path, condition, what, false);
}

/* What IR says of a value. */
void obligation_promise(struct activation *activation, struct path *path, term condition,
                        const char *what) {
  obligation_add(activation, path, condition, what, true);
}
