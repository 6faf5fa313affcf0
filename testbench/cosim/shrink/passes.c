/* Passes over lines, parameters and words. */
#define _GNU_SOURCE
#include "testbench/cosim/shrink/passes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/shrink/ddmin.h"

static struct pmuv3_words words_at(const struct pmuv3_shrinking *shrinking, size_t n) {
  return pmuv3_words_of(pmuv3_lines_at(shrinking->text, n));
}

/* ---- Lines ---- */

/* The causes of a divergence are often close by: tries the last 16 lines, then 64, 256... */
bool pmuv3_pass_last_lines(struct pmuv3_shrinking *shrinking) {
  const size_t body = pmuv3_shrinking_body(shrinking);
  const size_t count = pmuv3_lines_count(shrinking->text) - body;
  for (size_t last = 16; last < count; last *= 4) {
    char *candidate = pmuv3_lines_without(shrinking->text, body, count - last);
    if (pmuv3_shrinking_try(shrinking, candidate)) return true;
  }
  return false;
}

static size_t count_body(void *row) {
  struct pmuv3_shrinking *shrinking = row;
  if (pmuv3_shrinking_is_late(shrinking)) return 0;
  return pmuv3_lines_count(shrinking->text) - pmuv3_shrinking_body(shrinking);
}

static bool leave_out_lines(void *row, size_t first, size_t length) {
  struct pmuv3_shrinking *shrinking = row;
  const size_t body = pmuv3_shrinking_body(shrinking);
  return pmuv3_shrinking_try(shrinking, pmuv3_lines_without(shrinking->text, body + first, length));
}

bool pmuv3_pass_lines(struct pmuv3_shrinking *shrinking) {
  return pmuv3_ddmin(&(struct pmuv3_row){count_body, leave_out_lines}, shrinking);
}

/* ---- Joining lines ---- */

/* The number of cycles without events that a line is. 0: the line is something else. */
static uint64_t idle_cycles(const struct pmuv3_words *words) {
  if (words->count == 1 && strcmp(words->word[0], "cycle") == 0) return 1;
  if (words->count == 2 && strcmp(words->word[0], "idle") == 0)
    return pmuv3_lines_number(words->word[1], NULL);
  return 0;
}

/* One idle line for two lines; NULL: the lines cannot be joined. */
static char *joined_idle(const struct pmuv3_words *first, const struct pmuv3_words *second) {
  const uint64_t cycles = idle_cycles(first), more = idle_cycles(second);
  if (cycles == 0 || more == 0 || cycles + more < cycles) return NULL;
  struct pmuv3_builder builder;
  pmuv3_builder_open(&builder);
  fprintf(builder.out, "idle %" PRIu64, cycles + more);
  return pmuv3_builder_take(&builder);
}

static bool is_given(const struct pmuv3_words *words, const char *pair) {
  for (size_t i = 2; i < words->count; i++)
    if (strncmp(words->word[i], pair, strcspn(pair, "=") + 1) == 0) return true;
  return false;
}

/* The keys of both lines. The second line overrides the first. */
static char *joined_state(const struct pmuv3_words *first, const struct pmuv3_words *second) {
  if (first->count < 2 || second->count < 2 || strcmp(first->word[0], "pe") != 0 ||
      strcmp(second->word[0], "pe") != 0 || strcmp(first->word[1], second->word[1]) != 0)
    return NULL;
  struct pmuv3_builder builder;
  pmuv3_builder_open(&builder);
  char *line = pmuv3_words_join(second);
  fputs(line, builder.out);
  free(line);
  for (size_t i = 2; i < first->count; i++)
    if (!is_given(second, first->word[i])) fprintf(builder.out, " %s", first->word[i]);
  return pmuv3_builder_take(&builder);
}

static bool join(struct pmuv3_shrinking *shrinking, size_t n) {
  struct pmuv3_words first = words_at(shrinking, n), second = words_at(shrinking, n + 1);
  char *joined = joined_idle(&first, &second);
  if (!joined) joined = joined_state(&first, &second);
  pmuv3_words_free(&first);
  pmuv3_words_free(&second);
  if (!joined) return false;
  char *without = pmuv3_lines_without(shrinking->text, n, 1);
  char *candidate = pmuv3_lines_replace(without, n, joined);
  free(without);
  free(joined);
  return pmuv3_shrinking_try(shrinking, candidate);
}

bool pmuv3_pass_join(struct pmuv3_shrinking *shrinking) {
  bool any = false;
  for (size_t n = pmuv3_shrinking_body(shrinking); pmuv3_shrinking_has_line(shrinking, n + 1);) {
    if (join(shrinking, n))
      any = true;
    else
      n++;
  }
  return any;
}

/* ---- Parameters, to their defaults; features have their own pass ---- */

static size_t count_params(void *row) {
  struct pmuv3_shrinking *shrinking = row;
  if (pmuv3_shrinking_is_late(shrinking)) return 0;
  return pmuv3_shrinking_body(shrinking) - 1 - (pmuv3_shrinking_features(shrinking) != NULL);
}

static bool leave_out_params(void *row, size_t first, size_t length) {
  struct pmuv3_shrinking *shrinking = row;
  return pmuv3_shrinking_try(shrinking, pmuv3_lines_without(shrinking->text, 1 + first, length));
}

bool pmuv3_pass_params(struct pmuv3_shrinking *shrinking) {
  return pmuv3_ddmin(&(struct pmuv3_row){count_params, leave_out_params}, shrinking);
}

/* ---- Words: items of cycles, keys of states, results ---- */

struct word_row {
  struct pmuv3_shrinking *shrinking;
  size_t n; /* the line's index */
};

static size_t count_words(void *row) {
  const struct word_row *self = row;
  if (pmuv3_shrinking_is_late(self->shrinking)) return 0;
  struct pmuv3_words words = words_at(self->shrinking, self->n);
  const size_t count = words.count;
  pmuv3_words_free(&words);
  return count > 0 ? count - 1 : 0;
}

static bool leave_out_words(void *row, size_t first, size_t length) {
  const struct word_row *self = row;
  struct pmuv3_words words = words_at(self->shrinking, self->n);
  for (size_t i = 0; i < length; i++) words.word[1 + first + i] = NULL;
  char *line = pmuv3_words_join(&words);
  pmuv3_words_free(&words);
  return pmuv3_shrinking_try_line(self->shrinking, self->n, line);
}

bool pmuv3_pass_words(struct pmuv3_shrinking *shrinking) {
  const struct pmuv3_row ddmin = {count_words, leave_out_words};
  bool any = false;
  for (size_t n = pmuv3_shrinking_body(shrinking); pmuv3_shrinking_has_line(shrinking, n); n++)
    any |= pmuv3_ddmin(&ddmin, &(struct word_row){shrinking, n});
  return any;
}

/* ---- Plainer words ---- */

/* msr R V: write R V; expect R V: mrs R; idle 1: cycle. */
static void say_plainly(struct pmuv3_words *words) {
  if (strcmp(words->word[0], "msr") == 0) {
    words->word[0] = "write";
  } else if (strcmp(words->word[0], "expect") == 0) {
    words->word[0] = "mrs";
    words->count--;
  } else if (idle_cycles(words) == 1) {
    words->word[0] = "cycle";
    words->count = 1;
  }
}

static bool plain_line(struct pmuv3_shrinking *shrinking, size_t n) {
  struct pmuv3_words words = words_at(shrinking, n);
  say_plainly(&words);
  char *line = pmuv3_words_join(&words);
  pmuv3_words_free(&words);
  return pmuv3_shrinking_try_line(shrinking, n, line);
}

/* Cuts a mark and the text up to the next mark from an item of a cycle: the thread, the context,
 * another origin, or "msr:". */
static bool cut_item(char *item, char mark) {
  if (mark == 'm') {
    char *checked = strstr(item, "msr:");
    if (checked) memmove(checked, checked + 4, strlen(checked + 4) + 1);
    return checked;
  }
  char *from = strchr(item, mark);
  if (!from) return false;
  const char *to = from + 1 + strcspn(from + 1, "@/:");
  to += *to == ':';
  memmove(from, to, strlen(to) + 1);
  return true;
}

static bool plain_item(struct pmuv3_shrinking *shrinking, size_t n, size_t i, char mark) {
  struct pmuv3_words words = words_at(shrinking, n);
  char *line = NULL;
  if (i < words.count && cut_item(words.word[i], mark)) line = pmuv3_words_join(&words);
  pmuv3_words_free(&words);
  return line && pmuv3_shrinking_try_line(shrinking, n, line);
}

static bool plain_cycle(struct pmuv3_shrinking *shrinking, size_t n) {
  bool any = false;
  const size_t count = 1 + count_words(&(struct word_row){shrinking, n});
  for (size_t i = 1; i < count; i++)
    for (const char *mark = "@/m"; *mark; mark++) any |= plain_item(shrinking, n, i, *mark);
  return any;
}

bool pmuv3_pass_plain(struct pmuv3_shrinking *shrinking) {
  bool any = false;
  for (size_t n = pmuv3_shrinking_body(shrinking); pmuv3_shrinking_has_line(shrinking, n); n++) {
    any |= plain_line(shrinking, n);
    if (strncmp(pmuv3_lines_at(shrinking->text, n), "cycle ", 6) == 0)
      any |= plain_cycle(shrinking, n);
  }
  return any;
}
