/* Heat maps of crosses: a cell a bin, the darker the more often it was hit. */
#ifndef PMUV3_HEAT_H
#define PMUV3_HEAT_H

#include <json-c/json.h>
#include <stdio.h>

/* Writes text with what HTML would take for its own replaced. */
void pmuv3_html(FILE *out, const char *text);

/* A map a coverpoint, of rows {coverpoint, bin, hits, unreachable} in the order of the bins. */
void pmuv3_heat(FILE *out, const json_object *bins);

#endif
