/* Reads text files. A file of which a part could not be read is never taken for a whole one: where
 * memory is short, getline and getdelim fail without a mark in the stream. */
#ifndef PMUV3_TEXT_H
#define PMUV3_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begins as {.in = FILE}. */
struct pmuv3_lines {
  FILE *in;
  char *line; /* the current line, without its end: LF, or CR LF */
  size_t size;
  unsigned long number; /* of the line; the first is 1 */
  bool has_end;         /* the current line: the last one of a file may have none */
  char wrong[96];       /* why the reading ended, in words; "": at the end of the file */
};

/* Steps to the next line. False: there is none, or the line `number` cannot be read or is no text,
 * and `wrong` says why. */
bool pmuv3_lines_next(struct pmuv3_lines *lines);

/* The file stays open. */
void pmuv3_lines_free(struct pmuv3_lines *lines);

/* All of a file up to its end or a NUL byte; the caller frees it. NULL: `errno` says why not. */
char *pmuv3_text_all(FILE *in);

#ifdef __cplusplus
}
#endif

#endif
