/*
 * Two forms of a stimulus file. A person's form is a usual file. The form of the passes has no
 * comments and no `repeat`, and one line for each parameter, with features last.
 */
#ifndef PMUV3_FORM_H
#define PMUV3_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include "pmuv3/params.h"
#include "testbench/cosim/scoreboard/divergence.h"

bool pmuv3_form_is_param(const char *line);

/* The text, which was read to these parameters, without the files that it names: where it has
 * `core=` or `events=FILE`, all parameters themselves stand. The caller frees it. */
char *pmuv3_form_alone(const char *text, const struct pmuv3_params *params);

/* The number of lines without comments and blank lines. */
size_t pmuv3_form_lines(const char *text);

/* Converts a person's form to the form of the passes. */
char *pmuv3_form_spread(const char *text);

/* Converts the form of the passes to a person's form: parameters share a line, and three or more
 * equal lines become one `repeat`. The last line diverges: a comment in it prints the
 * divergence. */
char *pmuv3_form_write(const char *text, const struct pmuv3_divergence *divergence);

#endif
