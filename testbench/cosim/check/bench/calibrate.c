#include "testbench/cosim/check/bench/calibrate.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>

#include "pmuv3/calibrate.h"
#include "testbench/cosim/check/bench/judged.h"
#include "testbench/cosim/check/bench/unmatched.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/json_text.h"

enum {
  SHOWN = 10,  /* combinations of an ambiguous answer */
  LONGER = 10, /* times as many clocks, to try next */
};

struct answer {
  const struct pmuv3_device *device;
  const struct options *options;
  size_t clocks;
  struct pmuv3_calibration calibration;
};

/* ---- The answer ---- */

static const char *verdict(const struct answer *answer) {
  switch (answer->calibration.num_explaining) {
    case 0:
      return "inexplicable";
    case 1:
      return "unique";
    default:
      return "ambiguous";
  }
}

/* Events that have a latency of their own moved with all others. */
static void print_own(const struct answer *answer) {
  const struct pmuv3_device *device = answer->device;
  const unsigned declared = device->latency[PMUV3_LATENCY_EVENT].min;
  const unsigned found = answer->calibration.explaining[0].of[PMUV3_LATENCY_EVENT];
  for (size_t e = 0; e < device->num_events; e++) {
    const struct pmuv3_device_event *event = &device->events[e];
    if (event->latency != declared)
      printf("# event 0x%04X: latency=%u\n", (unsigned)event->number,
             event->latency + found - declared);
  }
}

/* ---- States that judge what is not theirs ---- */

/* The description with these latencies. A latency that nothing depends on is that of the states. */
static struct pmuv3_device with(const struct answer *answer,
                                const struct pmuv3_latencies *latencies) {
  struct pmuv3_device device = *answer->device;
  const bool *const is_used = answer->calibration.is_used;
  const int shift = latencies->of[PMUV3_LATENCY_EVENT] - device.latency[PMUV3_LATENCY_EVENT].min;
  for (size_t e = 0; e < device.num_events; e++)
    device.events[e].latency = (uint8_t)(device.events[e].latency + shift);
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++) {
    const unsigned of = is_used[l] ? l : PMUV3_LATENCY_STATE;
    const uint8_t latency = latencies->of[of];
    device.latency[l] = (struct pmuv3_range){latency, latency};
  }
  device.mode = PMUV3_MODE_EXACT;
  return device;
}

/* Calls `say` with what another state judges than its own. */
static void find_judged(const struct answer *answer, const struct pmuv3_latencies *latencies,
                        judged_sayer *say, void *context) {
  if (!answer->calibration.is_used[PMUV3_LATENCY_STATE]) return;
  const struct pmuv3_device device = with(answer, latencies);
  judged_by_others(&device, say, context);
}

static void print_judged(void *any, const struct judged *judged) {
  const bool has_rules = *judged->rules != '\0';
  printf("# %s judges %s, instead of their own%s%s%s\n", judged->by, judged->what,
         has_rules ? " (" : "", judged->rules, has_rules ? ")" : "");
  *(bool *)any = true;
}

static void print_doubt(const struct answer *answer) {
  bool any = false;
  find_judged(answer, &answer->calibration.explaining[0], print_judged, &any);
  if (any) printf("# this is right only if the core's pins are so far apart\n");
}

static void count_judged(void *count, const struct judged *judged) {
  (void)judged;
  ++*(unsigned *)count;
}

/* Whether the states judge all inputs of their own clocks. */
static bool is_right(const struct answer *answer, const struct pmuv3_latencies *latencies) {
  unsigned count = 0;
  find_judged(answer, latencies, count_judged, &count);
  return count == 0;
}

/* As lines of a description. */
static void print_lines(const struct answer *answer) {
  const struct pmuv3_calibration *calibration = &answer->calibration;
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++) {
    const char *name = pmuv3_latency_name((enum pmuv3_latency)l);
    const unsigned latency = calibration->explaining[0].of[l];
    const struct pmuv3_range declared = answer->device->latency[l];
    if (!calibration->is_used[l]) {
      printf("# latency %s: nothing in the recording depends on it\n", name);
      continue;
    }
    printf("latency %s %u", name, latency);
    if (declared.max != 0 && (latency < declared.min || latency > declared.max))
      printf("  # not %u, as the description says", declared.min);
    printf("\n");
    if (l == PMUV3_LATENCY_EVENT) print_own(answer);
  }
}

/* In one line. */
static void print_combination(const struct answer *answer,
                              const struct pmuv3_latencies *latencies) {
  printf(" ");
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++)
    if (answer->calibration.is_used[l])
      printf(" %s %u", pmuv3_latency_name((enum pmuv3_latency)l), latencies->of[l]);
  printf("%s\n", is_right(answer, latencies) ? "" : "  # the state of another clock judges inputs");
}

/* A latency as it would be with `latency write 0`: nobody can tell the two combinations apart. */
static int shifted(const struct pmuv3_latencies *latencies, enum pmuv3_latency kind) {
  const int by = latencies->of[PMUV3_LATENCY_WRITE];
  if (kind == PMUV3_LATENCY_FLAG) return latencies->of[kind];
  return latencies->of[kind] + (kind >= PMUV3_LATENCY_INTERRUPT ? by : -by);
}

static bool is_decided(const struct pmuv3_calibration *calibration, enum pmuv3_latency kind) {
  const struct pmuv3_latencies *all = calibration->explaining;
  for (uint64_t c = 1; calibration->is_used[kind] && c < calibration->num_explaining; c++)
    if (shifted(&all[c], kind) != shifted(&all[0], kind)) return false;
  return true;
}

/* What the combinations do not agree on, if all of them are known. */
static void print_open(const struct pmuv3_calibration *calibration) {
  if (calibration->num_explaining > PMUV3_CALIBRATION_EXPLAINING) return;
  printf("not decided:");
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++)
    if (!is_decided(calibration, (enum pmuv3_latency)l))
      printf(" %s", pmuv3_latency_name((enum pmuv3_latency)l));
  printf("\n");
}

/* Where --cycles was reached, the recording may be longer or not. */
static void print_advice(const struct answer *answer) {
  const uint64_t clocks = answer->options->cycles;
  const uint64_t more =
      clocks < MAX_RECORDED_CLOCKS / LONGER ? LONGER * clocks : MAX_RECORDED_CLOCKS;
  const bool is_recorded = answer->options->recorded != NULL;
  if (is_recorded && answer->clocks < clocks)
    printf("a longer recording may decide\n");
  else if (clocks < MAX_RECORDED_CLOCKS)
    printf("%s may decide: --cycles %" PRIu64 "\n",
           is_recorded ? "more of this recording, or a longer one," : "a longer run", more);
}

static void print(const struct answer *answer) {
  const struct pmuv3_calibration *calibration = &answer->calibration;
  const uint64_t number = calibration->num_explaining;
  printf("%s: %zu clocks recorded, %" PRIu64 " combinations of latencies\n", answer->device->file,
         answer->clocks, calibration->tried);
  unmatched_print(stdout, answer->device, calibration->ports);
  if (number == 1) {
    printf("one explains the recording:\n\n");
    print_lines(answer);
    print_doubt(answer);
    if (calibration->is_shiftable)
      printf("# nobody can tell this from all inputs later and all outputs earlier\n");
    printf("\n");
  } else if (number > 1) {
    printf("%" PRIu64 " explain the recording:\n", number);
    for (uint64_t c = 0; c < number && c < SHOWN; c++)
      print_combination(answer, &calibration->explaining[c]);
    if (number > SHOWN) printf("  ... and %" PRIu64 " more\n", number - SHOWN);
    print_open(calibration);
    print_advice(answer);
  } else {
    printf("none explains the recording; the nearest:\n");
    print_combination(answer, &calibration->nearest);
    printf("or all inputs later and all outputs earlier, by the same number of clocks\n");
    printf("no combination explains clock %" PRIu64 "; with the nearest:\n  %s\n",
           calibration->furthest.clock, calibration->words);
  }
  printf("%s\n", verdict(answer));
}

static json_object *latencies_json(const struct answer *answer,
                                   const struct pmuv3_latencies *latencies) {
  json_object *object = json_object_new_object();
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++)
    if (answer->calibration.is_used[l])
      json_object_object_add(object, pmuv3_latency_name((enum pmuv3_latency)l),
                             json_object_new_int(latencies->of[l]));
  return object;
}

static void add_judged(void *array, const struct judged *judged) {
  char text[200];
  snprintf(text, sizeof text, "%s judges %s", judged->by, judged->what);
  json_object_array_add(array, pmuv3_json_text(text));
}

/* An array for each combination. */
static json_object *judged_json(const struct answer *answer) {
  const struct pmuv3_calibration *calibration = &answer->calibration;
  json_object *all = json_object_new_array();
  for (uint64_t c = 0; c < calibration->num_explaining && c < PMUV3_CALIBRATION_EXPLAINING; c++) {
    json_object *array = json_object_new_array();
    find_judged(answer, &calibration->explaining[c], add_judged, array);
    json_object_array_add(all, array);
  }
  return all;
}

static bool write_json(FILE *out, const void *context) {
  const struct answer *answer = context;
  const struct pmuv3_calibration *calibration = &answer->calibration;
  json_object *root = json_object_new_object(), *explaining = json_object_new_array();
  for (uint64_t c = 0; c < calibration->num_explaining && c < PMUV3_CALIBRATION_EXPLAINING; c++)
    json_object_array_add(explaining, latencies_json(answer, &calibration->explaining[c]));
  json_object_object_add(root, "verdict", json_object_new_string(verdict(answer)));
  json_object_object_add(root, "clocks", json_object_new_uint64(answer->clocks));
  json_object_object_add(root, "combinations", json_object_new_uint64(calibration->tried));
  json_object_object_add(root, "unmatched_accesses",
                         unmatched_json(answer->device, answer->calibration.ports));
  json_object_object_add(root, "explaining", explaining);
  json_object_object_add(root, "judged_by_others", judged_json(answer));
  if (calibration->num_explaining == 0) {
    json_object_object_add(root, "nearest", latencies_json(answer, &calibration->nearest));
    json_object_object_add(root, "first_inexplicable_clock",
                           json_object_new_uint64(calibration->furthest.clock));
    json_object_object_add(root, "difference", pmuv3_json_text(calibration->words));
  }
  fprintf(out, "%s\n", json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY));
  json_object_put(root);
  return fflush(out) == 0 && !ferror(out);
}

static void expect_verdict(const struct answer *answer) {
  unmatched_expect_verdict(answer->device, answer->calibration.ports);
  if (answer->calibration.comparisons == 0)
    pmuv3_cli_no_verdict("nothing was compared in %zu clocks: no verdict", answer->clocks);
}

bool calibrate(const struct options *options, const struct pmuv3_device *device,
               const struct recording *recording) {
  static struct answer answer;
  struct pmuv3_range ranges[PMUV3_NUM_LATENCIES];
  pmuv3_calibrate_ranges(device, ranges);
  answer.device = device;
  answer.options = options;
  answer.clocks = recording->count;
  if (!pmuv3_calibrate(device, recording->records, recording->count, ranges, &answer.calibration))
    pmuv3_cli_no_verdict("out of memory");
  if (answer.calibration.num_explaining > 0) expect_verdict(&answer);
  print(&answer);
  if (options->json) pmuv3_cli_write("--json", options->json, write_json, &answer);
  return answer.calibration.num_explaining == 1;
}
