/*
 * The forms of a stimulus file: as a person has it, and as the passes of a
 * shrinking have it: without comments, a line for each parameter, of which that
 * of features is the last, and none repeated by `repeat`.
 */
#ifndef PMUV3_FORM_H
#define PMUV3_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include "testbench/cosim/scoreboard/divergence.h"

bool pmuv3_form_is_param(const char *line);

/* Lines of a file that say something: comments do not. */
size_t pmuv3_form_lines(const char *text);

/* From a person's form to that of the passes. */
char *pmuv3_form_spread(const char *text);

/* From that of the passes to a person's: parameters in a line, three and more lines that are the
 * same in one, and behind the last line the divergence, which is in it. */
char *pmuv3_form_write(const char *text, const struct pmuv3_divergence *divergence);

#endif
