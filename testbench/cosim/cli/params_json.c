#include "testbench/cosim/cli/params_json.h"

#include <string.h>

#include "testbench/cosim/cli/json_text.h"

static json_object *features_json(const struct pmuv3_params *params) {
  char list[256] = "";
  for (int f = 0; f < PMUV3_NUM_FEATURES; f++) {
    if (!pmuv3_has(params, (enum pmuv3_feature)f)) continue;
    if (*list) strcat(list, ",");
    strcat(list, pmuv3_feature_name((enum pmuv3_feature)f));
  }
  return pmuv3_json_text(*list ? list : "none");
}

/* A choice's value: word number `index` of `words`, which | separates. */
static json_object *choice_json(const char *words, unsigned index) {
  for (; index > 0; index--) words += strcspn(words, "|") + 1;
  return json_object_new_string_len(words, (int)strcspn(words, "|"));
}

void pmuv3_params_json(json_object *object, const struct pmuv3_params *params) {
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  json_object_object_add(object, #name, json_object_new_int(params->name));
#define PMUV3_IDENTITY(name, dflt, mask, bits, text) \
  json_object_object_add(object, #name, json_object_new_int64((int64_t)params->name));
#include "pmuv3/params.def"
  json_object_object_add(object, "features", features_json(params));
  json_object_object_add(object, "events", json_object_new_int(params->events.num));
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  json_object_object_add(object, name, choice_json(values, params->id));
#include "pmuv3/params.def"
}
