/*
 * Lines, words and numbers of a stimulus file, and messages about them. The
 * whole file is held in memory and cut in place: words are strings within it.
 */
#ifndef PMUV3_LEX_H
#define PMUV3_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_lex {
  const char *name; /* the path of the file; "": the text is no file, and may name none */
  char *text;       /* the file, with a '\0' after it */
  char *end;        /* of the file */
  char *next_line;
  char *next_word; /* within the current line */
  char *comment;   /* of the current line, behind its #; NULL: it has none */
  uint32_t line;   /* number of the current line; 1 before the first is taken */
  char *error;
  size_t error_size;
};

/*
 * Reads all of `in`. False, with a message in error, when that fails or the
 * file is not text. Free with pmuv3_lex_close in either case. `name` is the path
 * as it is, since other files lie beside it. Messages make one line of it.
 */
bool pmuv3_lex_open(struct pmuv3_lex *lex, FILE *in, const char *name, char *error,
                    size_t error_size);
void pmuv3_lex_close(struct pmuv3_lex *lex);

/* Steps to the next line, without its comment. False at the end of the file. */
bool pmuv3_lex_line(struct pmuv3_lex *lex);

/* The next word of the line; NULL at its end. Valid until pmuv3_lex_close. */
char *pmuv3_lex_word(struct pmuv3_lex *lex);

/* Writes "FILE:LINE: ..." as one printable line to error. Returns false. */
bool pmuv3_lex_error(struct pmuv3_lex *lex, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the text may name another file: a file may. False after an error, which quotes the words
 * KEY=VALUE that name the other file. */
bool pmuv3_lex_may_name(struct pmuv3_lex *lex, const char *key, const char *value);

/* Steps to the first line, which must be `format`, "pmuv3-stimulus" or another, and version 1.
 * `what` names such a file: "a stimulus file". */
bool pmuv3_lex_head(struct pmuv3_lex *lex, const char *format, const char *what);

/* The next word, which must be there. NULL after an error: the line needs `what`. */
char *pmuv3_lex_need(struct pmuv3_lex *lex, const char *what);

/* Of a word that is given twice only the last would count. `given`: whether it was given before. */
bool pmuv3_lex_once(struct pmuv3_lex *lex, const char *word, bool *given);

/* The line must have no word more. */
bool pmuv3_lex_end(struct pmuv3_lex *lex);

/* Reads a decimal or 0x number of at most 64 bits. `what` names it in the message when it is not
 * one. */
bool pmuv3_lex_number(struct pmuv3_lex *lex, const char *what, const char *word, uint64_t *number);

#ifdef __cplusplus
}
#endif

#endif
