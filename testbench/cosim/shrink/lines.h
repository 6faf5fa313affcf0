/*
 * Texts as lines, and lines as words. The caller owns and frees each new text. Without memory the
 * program ends, so no text is NULL.
 */
#ifndef PMUV3_LINES_H
#define PMUV3_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Text that grows by printing to `out`. Take the text once, with pmuv3_builder_take. */
struct pmuv3_builder {
  FILE *out;
  char *text;
  size_t size;
};

void pmuv3_builder_open(struct pmuv3_builder *builder);
char *pmuv3_builder_take(struct pmuv3_builder *builder);

size_t pmuv3_lines_count(const char *text);

/* The start of line n, or the end of the text if there is no line n. */
const char *pmuv3_lines_at(const char *text, size_t n);

/* The text without lines first to first + length - 1. */
char *pmuv3_lines_without(const char *text, size_t first, size_t length);

/* The text with another line n. NULL: without line n. */
char *pmuv3_lines_replace(const char *text, size_t n, const char *line);

/* The words of a line, up to a comment. A word can be replaced by another string, or by NULL to
 * remove it. */
struct pmuv3_words {
  char *copy;
  char **word;
  size_t count;
};

struct pmuv3_words pmuv3_words_of(const char *line);
void pmuv3_words_free(struct pmuv3_words *words);

/* The number that a text begins with, as the reader of stimulus files takes it: decimal or 0x.
 * `end`, unless NULL, gets where the number ends. */
uint64_t pmuv3_lines_number(const char *text, char **end);

/* The words as a line, with a blank between words and without a line end. */
char *pmuv3_words_join(const struct pmuv3_words *words);

#endif
