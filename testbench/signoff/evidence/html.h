/* Pieces of the pages that are written as HTML. */
#ifndef PMUV3_HTML_H
#define PMUV3_HTML_H

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes text with HTML's special characters escaped. */
void pmuv3_html(FILE *out, const char *text);

/* Writes a number with commas: 1,234,567. */
void pmuv3_html_number(FILE *out, int64_t value);

#ifdef __cplusplus
}
#endif

#endif
