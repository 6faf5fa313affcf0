/* Parameters in JSON, for `run --json` and failure reports. */
#ifndef PMUV3_PARAMS_JSON_H
#define PMUV3_PARAMS_JSON_H

#include <json-c/json.h>

#include "pmuv3/params.h"

/* Adds each parameter, the features and each choice to an object. */
void pmuv3_params_json(json_object *object, const struct pmuv3_params *params);

#endif
