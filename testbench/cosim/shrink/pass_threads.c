/* Threads: removes a thread, and renumbers the threads after it. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/shrink/passes.h"

#define THREADS "param threads="

static unsigned long num_threads(const char *text) {
  const char *line = strstr(text, "\n" THREADS);
  return line ? pmuv3_lines_number(line + 1 + strlen(THREADS), NULL) : 1;
}

/* The thread that a word names with @T. Without @T: thread 0. */
static unsigned long thread_of(const char *word) {
  const char *at = strchr(word, '@');
  return at ? strtoul(at + 1, NULL, 10) : 0;
}

/* Decrements the thread of a word. @0 is omitted. */
static void rename_word(char *word) {
  char *at = strchr(word, '@'), *end;
  const unsigned long thread = strtoul(at + 1, &end, 10) - 1;
  if (thread > 0) {
    at[1] = (char)('0' + thread);
    return;
  }
  end += *end == ':';
  memmove(at, end, strlen(end) + 1);
}

/* Whether to keep a word. False: the word belongs to the removed thread. */
static bool keep_word(char *word, unsigned long removed) {
  const unsigned long thread = thread_of(word);
  if (thread > removed) rename_word(word);
  return thread != removed;
}

static bool keep_state(struct pmuv3_words *words, unsigned long removed) {
  char *word = words->word[1];
  const unsigned long thread = pmuv3_lines_number(word, NULL);
  if (thread > removed) {
    word[0] = (char)('0' + thread - 1);
    word[1] = '\0';
  }
  return thread != removed;
}

/* Each item of a cycle names its own thread. */
static bool keep_cycle(struct pmuv3_words *words, unsigned long removed) {
  for (size_t i = 1; i < words->count; i++)
    if (!keep_word(words->word[i], removed)) words->word[i] = NULL;
  return true;
}

static bool keep_access(struct pmuv3_words *words, unsigned long removed) {
  for (size_t i = 1; i < words->count; i++)
    if (*words->word[i] == '@') {
      const bool kept = keep_word(words->word[i], removed);
      if (!*words->word[i]) words->word[i] = NULL;
      return kept;
    }
  return removed > 0;
}

static bool keep_line(struct pmuv3_words *words, unsigned long removed) {
  const char *keyword = words->word[0];
  if (strcmp(keyword, "pe") == 0) return keep_state(words, removed);
  if (strcmp(keyword, "cycle") == 0) return keep_cycle(words, removed);
  if (strcmp(keyword, "idle") == 0 || strcmp(keyword, "reset") == 0) return true;
  return keep_access(words, removed);
}

static void write_without_thread(FILE *out, const char *line, unsigned long removed) {
  struct pmuv3_words words = pmuv3_words_of(line);
  if (keep_line(&words, removed)) {
    char *kept = pmuv3_words_join(&words);
    fprintf(out, "%s\n", kept);
    free(kept);
  }
  pmuv3_words_free(&words);
}

static void write_head_line(FILE *out, const char *line, unsigned long threads) {
  if (strncmp(line, THREADS, strlen(THREADS)) == 0)
    fprintf(out, THREADS "%lu\n", threads);
  else
    fprintf(out, "%.*s\n", (int)strcspn(line, "\n"), line);
}

static bool remove_thread(struct pmuv3_shrinking *shrinking, unsigned long removed) {
  const size_t body = pmuv3_shrinking_body(shrinking);
  const unsigned long threads = num_threads(shrinking->text) - 1;
  const char *line = shrinking->text;
  struct pmuv3_builder builder;
  pmuv3_builder_open(&builder);
  for (size_t n = 0; *line; n++) {
    if (n < body)
      write_head_line(builder.out, line, threads);
    else
      write_without_thread(builder.out, line, removed);
    line = pmuv3_lines_at(line, 1);
  }
  return pmuv3_shrinking_try(shrinking, pmuv3_builder_take(&builder));
}

bool pmuv3_pass_threads(struct pmuv3_shrinking *shrinking) {
  bool any = false;
  for (unsigned long t = num_threads(shrinking->text); t-- > 0;)
    any |= num_threads(shrinking->text) > 1 && remove_thread(shrinking, t);
  return any;
}
