/* ID registers as text. */
#ifndef PMUV3_ID_TEXT_H
#define PMUV3_ID_TEXT_H

#include <stdio.h>

#include "pmuv3/params.h"

/* Prints a line for each ID register that exists: its PMU's fields as a number, and each field.
 * Then what identifies the implementation. */
void pmuv3_print_id_registers(FILE *out, const struct pmuv3_params *params);

#endif
