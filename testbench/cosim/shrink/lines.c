#define _GNU_SOURCE
#include "testbench/cosim/shrink/lines.h"

#include <stdlib.h>
#include <string.h>

static void *demand(void *memory) {
  if (memory) return memory;
  fprintf(stderr, "pmuv3 shrink: out of memory\n");
  exit(3); /* no verdict */
}

void pmuv3_builder_open(struct pmuv3_builder *builder) {
  builder->out = demand(open_memstream(&builder->text, &builder->size));
}

char *pmuv3_builder_take(struct pmuv3_builder *builder) {
  const int failed = ferror(builder->out) | fclose(builder->out);
  return demand(failed ? NULL : builder->text);
}

/* ---- Lines ---- */

size_t pmuv3_lines_count(const char *text) {
  size_t count = 0;
  for (; *text; text = pmuv3_lines_at(text, 1)) count++;
  return count;
}

const char *pmuv3_lines_at(const char *text, size_t n) {
  for (; n > 0 && *text; n--) {
    text = strchrnul(text, '\n');
    if (*text) text++;
  }
  return text;
}

char *pmuv3_lines_without(const char *text, size_t first, size_t length) {
  const char *from = pmuv3_lines_at(text, first);
  const char *to = pmuv3_lines_at(from, length);
  const size_t before = (size_t)(from - text);
  const size_t after = strlen(to);
  char *made = demand(malloc(before + after + 1));
  memcpy(made, text, before);
  memcpy(made + before, to, after + 1);
  return made;
}

char *pmuv3_lines_replace(const char *text, size_t n, const char *line) {
  if (!line) return pmuv3_lines_without(text, n, 1);
  const char *from = pmuv3_lines_at(text, n);
  struct pmuv3_builder builder;
  pmuv3_builder_open(&builder);
  fprintf(builder.out, "%.*s%s\n%s", (int)(from - text), text, line, pmuv3_lines_at(from, 1));
  return pmuv3_builder_take(&builder);
}

/* ---- Words ---- */

static const char blanks[] = " \t\r";

struct pmuv3_words pmuv3_words_of(const char *line) {
  struct pmuv3_words words = {.copy = demand(strndup(line, strcspn(line, "#\n")))};
  words.word = demand(malloc((strlen(words.copy) / 2 + 1) * sizeof *words.word));
  char *rest = words.copy;
  for (char *word; (word = strtok_r(rest, blanks, &rest)) != NULL;)
    words.word[words.count++] = word;
  return words;
}

void pmuv3_words_free(struct pmuv3_words *words) {
  free(words->copy);
  free(words->word);
}

char *pmuv3_words_join(const struct pmuv3_words *words) {
  struct pmuv3_builder builder;
  const char *blank = "";
  pmuv3_builder_open(&builder);
  for (size_t i = 0; i < words->count; i++) {
    if (!words->word[i]) continue;
    fprintf(builder.out, "%s%s", blank, words->word[i]);
    blank = " ";
  }
  return pmuv3_builder_take(&builder);
}

/* A leading zero does not make a number octal. */
uint64_t pmuv3_lines_number(const char *text, char **end) {
  return strtoull(text, end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
}
