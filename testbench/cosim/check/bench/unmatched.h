/* Accesses of addresses without a line in the description: the model does not know them. */
#ifndef PMUV3_CHECK_UNMATCHED_H
#define PMUV3_CHECK_UNMATCHED_H

#include <json-c/json.h>
#include <stdio.h>

#include "pmuv3/check.h"

/* `ports` are those of the device, in its order. */

/* Does not return if no access of a port has a line: nothing that the port does is known. */
void unmatched_expect_verdict(const struct pmuv3_device *device,
                              const struct pmuv3_check_port *ports);

/* A line for each port that has such accesses. */
void unmatched_print(FILE *out, const struct pmuv3_device *device,
                     const struct pmuv3_check_port *ports);

/* Likewise, an array. */
json_object *unmatched_json(const struct pmuv3_device *device,
                            const struct pmuv3_check_port *ports);

#endif
