/* The window of a chain as a timing diagram. */
#ifndef PMUV3_DIAGRAM_H
#define PMUV3_DIAGRAM_H

#include "testbench/cosim/failure_report/chain.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes the window as SVG: a column a step, those that are no cycle shaded; the
 * clock, the events of the counter, and a lane for each signal that is shown,
 * two for those in which the sides differ, red where they do. The first difference
 * is framed, in an element with the id "first-difference".
 */
void pmuv3_diagram_write(FILE *out, const struct pmuv3_chain *chain);

#ifdef __cplusplus
}
#endif

#endif
