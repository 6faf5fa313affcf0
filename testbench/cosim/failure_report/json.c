/* report.json */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>

#include "testbench/cosim/cli/json_text.h"
#include "testbench/cosim/cli/params_json.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/cosim/failure_report/report.h"

static void add(json_object *object, const char *key, json_object *value) {
  json_object_object_add(object, key, value);
}

static json_object *text(const char *string) {
  return string ? pmuv3_json_text(string) : NULL;
}

/* ---- How it is reproduced, and of what ---- */

static json_object *reproduce_json(const struct pmuv3_failure_report *report) {
  json_object *object = json_object_new_object();
  char command[256];
  snprintf(command, sizeof command, "./pmuv3 replay %s --x-seed %" PRIu32, report->stimulus,
           report->x_seed);
  add(object, "replay", text(command));
  add(object, "found_by", text(report->command));
  add(object, "seed", report->seed ? json_object_new_uint64(*report->seed) : NULL);
  add(object, "x_seed", json_object_new_uint64(report->x_seed));
  return object;
}

static json_object *versions_json(void) {
  json_object *object = json_object_new_object();
  add(object, "sources", text(pmuv3_source));
  add(object, "verilator", text(PMUV3_VERILATOR));
  add(object, "systemc", text(PMUV3_SYSTEMC));
  add(object, "compiler", text(PMUV3_COMPILER));
  add(object, "cmake", text(PMUV3_CMAKE));
  return object;
}

/* ---- The chain ---- */

static json_object *value_json(uint64_t value) {
  char hex[24];
  snprintf(hex, sizeof hex, "0x%" PRIx64,
           value); /* a double, as many readers take it, has 53 bits */
  return text(hex);
}

static json_object *pair_json(const char *name, uint64_t cmodel, uint64_t rtl) {
  json_object *object = json_object_new_object();
  add(object, "signal", text(name));
  add(object, "cmodel", value_json(cmodel));
  add(object, "rtl", value_json(rtl));
  return object;
}

static json_object *counter_json(int counter) {
  return counter >= 0 ? json_object_new_int(counter) : NULL;
}

static json_object *first_json(const struct pmuv3_chain *chain) {
  const struct pmuv3_step *step = &chain->observation->steps[chain->first];
  const enum pmuv3_stage stage =
      chain->signal < 0 ? chain->stage : pmuv3_signal_stage((enum pmuv3_signal)chain->signal);
  json_object *object =
      pair_json(chain->name, chain->values[PMUV3_CMODEL], chain->values[PMUV3_RTL]);
  add(object, "stage", text(pmuv3_stage_name(stage)));
  add(object, "cycle", json_object_new_uint64(step->cycle));
  add(object, "line", step->item ? json_object_new_uint64(step->item->line) : NULL);
  add(object, "thread", json_object_new_uint64(chain->thread));
  add(object, "counter", counter_json(chain->counter));
  return object;
}

static json_object *answers_json(const struct pmuv3_chain *chain) {
  json_object *array = json_object_new_array();
  for (size_t i = 0; i < chain->num_answers; i++) {
    json_object *object = json_object_new_object();
    add(object, "changed", text(chain->answers[i].question));
    add(object, "differ", json_object_new_boolean(chain->answers[i].differ));
    json_object_array_add(array, object);
  }
  return array;
}

static json_object *signals_json(const struct pmuv3_chain *chain, size_t step,
                                 const struct pmuv3_shown *shown, size_t count) {
  json_object *array = json_object_new_array();
  for (size_t i = 0; i < count; i++) {
    uint64_t values[PMUV3_NUM_SIDES];
    for (int s = 0; s < PMUV3_NUM_SIDES; s++)
      values[s] =
          pmuv3_signal_value(shown[i].signal, pmuv3_chain_after(chain, step, s), shown[i].counter);
    json_object *object = pair_json(pmuv3_signal_name(shown[i].signal), values[0], values[1]);
    add(object, "stage", text(pmuv3_stage_name(pmuv3_signal_stage(shown[i].signal))));
    add(object, "counter", counter_json(shown[i].counter));
    json_object_array_add(array, object);
  }
  return array;
}

/* A window has any number of steps, so what is shown of them is found out once. */
static json_object *window_json(const struct pmuv3_chain *chain) {
  struct pmuv3_shown shown[PMUV3_MAX_SHOWN];
  const size_t count = pmuv3_chain_shown(chain, shown);
  json_object *array = json_object_new_array();
  for (size_t i = 0; i < chain->observation->num_steps; i++) {
    const struct pmuv3_step *step = &chain->observation->steps[i];
    json_object *object = json_object_new_object();
    add(object, "line", step->item ? json_object_new_uint64(step->item->line) : NULL);
    add(object, "is_cycle", json_object_new_boolean(pmuv3_step_is_cycle(step)));
    add(object, "cycle", json_object_new_uint64(step->cycle));
    add(object, "first_difference", json_object_new_boolean(i == chain->first));
    add(object, "signals", signals_json(chain, i, shown, count));
    json_object_array_add(array, object);
  }
  return array;
}

bool pmuv3_failure_report_write_json(FILE *out, const struct pmuv3_failure_report *report,
                                     const struct pmuv3_chain *chain) {
  json_object *root = json_object_new_object();
  add(root, "reproduce", reproduce_json(report));
  json_object *parameters = json_object_new_object();
  pmuv3_params_json(parameters, &chain->observation->stimulus->params);
  add(root, "parameters", parameters);
  add(root, "versions", versions_json());
  add(root, "first_difference", first_json(chain));
  add(root, "points_to", text(pmuv3_stage_name(chain->stage)));
  add(root, "replayed_with", answers_json(chain));
  add(root, "window", window_json(chain));
  const int flags = JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE;
  fprintf(out, "%s\n", json_object_to_json_string_ext(root, flags));
  json_object_put(root);
  return fflush(out) == 0 && !ferror(out);
}
