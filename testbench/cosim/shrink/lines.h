/*
 * Texts as lines, and lines as words. Each text that is made belongs to the
 * caller, who frees it; there is no way on without memory, so none is NULL.
 */
#ifndef PMUV3_LINES_H
#define PMUV3_LINES_H

#include <stddef.h>
#include <stdio.h>

/* Text that grows by what is printed to `out`; take it once, with pmuv3_builder_take. */
struct pmuv3_builder {
  FILE *out;
  char *text;
  size_t size;
};

void pmuv3_builder_open(struct pmuv3_builder *builder);
char *pmuv3_builder_take(struct pmuv3_builder *builder);

size_t pmuv3_lines_count(const char *text);

/* Where line n begins; the end of the text if there is none. */
const char *pmuv3_lines_at(const char *text, size_t n);

/* Without lines first to first + length - 1. */
char *pmuv3_lines_without(const char *text, size_t first, size_t length);

/* With another line n; NULL: without it. */
char *pmuv3_lines_replace(const char *text, size_t n, const char *line);

/* The words of a line, up to a comment. A word may be made to point to another string, or to NULL
 * for none. */
struct pmuv3_words {
  char *copy;
  char **word;
  size_t count;
};

struct pmuv3_words pmuv3_words_of(const char *line);
void pmuv3_words_free(struct pmuv3_words *words);

/* A line of them, a blank between, without its end. */
char *pmuv3_words_join(const struct pmuv3_words *words);

#endif
