/* Heat maps of crosses: one cell for each bin. The more hits, the darker the cell. */
#ifndef PMUV3_HEAT_H
#define PMUV3_HEAT_H

#include <json-c/json.h>
#include <stdio.h>

/* Writes a map for each coverpoint. The rows {coverpoint, bin, hits, unreachable} are in the order
 * of the bins. */
void pmuv3_heat(FILE *out, const json_object *bins);

#endif
