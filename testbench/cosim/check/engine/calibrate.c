/* Calibration: the checker runs a recording with one combination of latencies after the other. */
#include "pmuv3/calibrate.h"

#include <string.h>

#include "testbench/cosim/check/engine/internal.h"

/* Latencies of what goes into the model, and of what comes out of it. A flag is within. */
static const enum pmuv3_latency inputs[] = {
    PMUV3_LATENCY_EVENT, PMUV3_LATENCY_SWINC, PMUV3_LATENCY_WRITE,
    PMUV3_LATENCY_FLAG,  PMUV3_LATENCY_STATE, PMUV3_LATENCY_CLOCK,
};
static const enum pmuv3_latency outputs[] = {
    PMUV3_LATENCY_READ,
    PMUV3_LATENCY_INTERRUPT,
    PMUV3_LATENCY_VISIBLE,
};
enum {
  NUM_INPUTS = sizeof inputs / sizeof *inputs,
  NUM_OUTPUTS = sizeof outputs / sizeof *outputs,
};
_Static_assert(NUM_INPUTS + NUM_OUTPUTS == PMUV3_NUM_LATENCIES, "each latency is one of these");

struct trials {
  const struct pmuv3_device *device;
  const struct pmuv3_record *records;
  size_t num_records;
  struct pmuv3_range ranges[PMUV3_NUM_LATENCIES];
  struct pmuv3_calibration *calibration;
  bool no_memory;
};

/* ---- What is tried ---- */

void pmuv3_calibrate_ranges(const struct pmuv3_device *device,
                            struct pmuv3_range ranges[PMUV3_NUM_LATENCIES]) {
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++) {
    const bool is_long = l == PMUV3_LATENCY_EVENT || l == PMUV3_LATENCY_SWINC;
    ranges[l] = (struct pmuv3_range){0, is_long ? 7 : 3};
    if (device->has_range[l]) ranges[l] = device->latency[l];
  }
}

static bool has_increments(const struct pmuv3_device *device) {
  for (size_t r = 0; r < device->num_registers; r++)
    if (pmuv3_model_is_increment(&device->registers[r])) return true;
  return false;
}

static bool changes_state(const struct trials *trials) {
  for (size_t r = 1; r < trials->num_records; r++)
    for (unsigned t = 0; t < trials->device->params.threads; t++)
      if (!pmuv3_pe_equal(&trials->records[r].thread[t].state, &trials->records[0].thread[t].state))
        return true;
  return false;
}

static bool stops_the_clock(const struct trials *trials) {
  for (size_t r = 0; r < trials->num_records; r++)
    if (!trials->records[r].clock) return true;
  return false;
}

static unsigned seen_of_any(const struct pmuv3_device *device) {
  unsigned seen = 0;
  for (unsigned t = 0; t < device->params.threads; t++) seen |= device->seen[t];
  return seen;
}

static bool is_used(const struct trials *trials, enum pmuv3_latency latency) {
  const struct pmuv3_device *device = trials->device;
  const unsigned internals = PMUV3_SEEN_COUNTERS | PMUV3_SEEN_OVERFLOW | PMUV3_SEEN_V;
  switch (latency) {
    case PMUV3_LATENCY_EVENT:
      return device->num_events > 0;
    case PMUV3_LATENCY_SWINC:
      return has_increments(device);
    case PMUV3_LATENCY_STATE:
      return changes_state(trials);
    case PMUV3_LATENCY_CLOCK:
      return stops_the_clock(trials);
    case PMUV3_LATENCY_INTERRUPT:
      return (seen_of_any(device) & ~internals) != 0;
    case PMUV3_LATENCY_VISIBLE:
      return (seen_of_any(device) & internals) != 0;
    default:
      return true;
  }
}

/* What is not used is 0, once. */
static void set_ranges(struct trials *trials, const struct pmuv3_range *ranges) {
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++) {
    const bool used = is_used(trials, (enum pmuv3_latency)l);
    trials->calibration->is_used[l] = used;
    trials->ranges[l] = used ? ranges[l] : (struct pmuv3_range){0, 0};
  }
}

/* Latencies do not change which accesses match. */
static void count_accesses(const struct trials *trials, struct pmuv3_check_port *ports) {
  const struct pmuv3_device *device = trials->device;
  for (size_t r = 0; r < trials->num_records; r++) {
    const struct pmuv3_record *record = &trials->records[r];
    for (unsigned p = 0; record->reset == PMUV3_NO_RESET && p < device->num_ports; p++) {
      const struct pmuv3_record_port *pins = &record->port[p];
      if (!pmuv3_record_accepts(&device->ports[p], pins)) continue;
      const size_t reg = pmuv3_device_find(device, p, pins->address);
      pmuv3_check_count_access(&ports[p], pins->address, reg < device->num_registers);
    }
  }
}

/* ---- A trial ---- */

/* How much later events count than the description says. */
static int shift_of(const struct trials *trials, struct pmuv3_range event) {
  return event.min - trials->device->latency[PMUV3_LATENCY_EVENT].min;
}

/* Whether each event can keep its distance from `latency event`. */
static bool can_shift(const struct trials *trials, struct pmuv3_range event) {
  for (size_t e = 0; e < trials->device->num_events; e++) {
    const int shifted = trials->device->events[e].latency + shift_of(trials, event);
    if (shifted < 0 || shifted > PMUV3_DEVICE_MAX_LATENCY) return false;
  }
  return true;
}

/* The device with these latencies. An output with a range is right if any clock of it is. */
static struct pmuv3_device with(const struct trials *trials,
                                const struct pmuv3_range latency[PMUV3_NUM_LATENCIES]) {
  struct pmuv3_device device = *trials->device;
  const int shift = shift_of(trials, latency[PMUV3_LATENCY_EVENT]);
  for (size_t e = 0; e < device.num_events; e++)
    device.events[e].latency = (uint8_t)(device.events[e].latency + shift);
  memcpy(device.latency, latency, sizeof device.latency);
  device.mode = PMUV3_MODE_EXACT;
  return device;
}

static bool is_further(const struct pmuv3_calibration *calibration, uint64_t clock) {
  return calibration->words[0] == '\0' || clock > calibration->furthest.clock;
}

static bool is_single(const struct pmuv3_range latency[PMUV3_NUM_LATENCIES]) {
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++)
    if (latency[l].min != latency[l].max) return false;
  return true;
}

/* The combination that came furthest: every output has one latency. */
static void note_divergence(struct pmuv3_calibration *calibration, const struct pmuv3_check *check,
                            const struct pmuv3_range latency[PMUV3_NUM_LATENCIES]) {
  const struct pmuv3_check_divergence *divergence = pmuv3_check_diverged(check);
  if (!is_further(calibration, divergence->clock)) return;
  calibration->furthest = *divergence;
  pmuv3_check_words(check, calibration->words, sizeof calibration->words);
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++) calibration->nearest.of[l] = latency[l].min;
}

static void note_comparisons(struct pmuv3_calibration *calibration,
                             const struct pmuv3_check *check) {
  struct pmuv3_check_counts counts;
  pmuv3_check_count(check, &counts);
  const uint64_t comparisons = pmuv3_check_comparisons(&counts);
  if (comparisons > calibration->comparisons) calibration->comparisons = comparisons;
}

#define NEVER UINT64_MAX

/* Runs the recording. Returns the first clock that these latencies do not explain, or NEVER. */
static uint64_t first_wrong(struct trials *trials,
                            const struct pmuv3_range latency[PMUV3_NUM_LATENCIES]) {
  const struct pmuv3_device device = with(trials, latency);
  struct pmuv3_check *check = pmuv3_check_create(&device);
  trials->no_memory |= check == NULL;
  if (check == NULL) return 0;
  bool good = true;
  for (size_t r = 0; good && r < trials->num_records; r++)
    good = pmuv3_check_clock(check, &trials->records[r]);
  if (good) good = pmuv3_check_end(check);
  const uint64_t clock = good ? NEVER : pmuv3_check_diverged(check)->clock;
  if (good)
    note_comparisons(trials->calibration, check);
  else if (is_single(latency))
    note_divergence(trials->calibration, check, latency);
  pmuv3_check_destroy(check);
  return clock;
}

/* ---- Outputs, one by one ---- */

/* Bit v: the output is right with latency v, and the other outputs with any. `best` becomes the
 * latency with which it is right for longest. */
static uint32_t latencies_of(struct trials *trials, struct pmuv3_range *latency, unsigned output,
                             struct pmuv3_range *best) {
  const struct pmuv3_range range = latency[outputs[output]];
  uint32_t right = 0;
  uint64_t longest = 0;
  *best = range;
  if (range.min == range.max) return UINT32_C(1) << range.min;
  for (unsigned v = range.min; v <= range.max; v++) {
    const struct pmuv3_range one = {(uint8_t)v, (uint8_t)v};
    latency[outputs[output]] = one;
    const uint64_t wrong = first_wrong(trials, latency);
    if (wrong == NEVER) right |= UINT32_C(1) << v;
    if (v > range.min && wrong <= longest) continue;
    longest = wrong;
    *best = one;
  }
  latency[outputs[output]] = range;
  return right;
}

/* Whether nobody outside can tell the two apart: all inputs act so many clocks later, and all
 * outputs show what was so many clocks less before. */
static bool is_shifted(const struct pmuv3_calibration *calibration, const struct pmuv3_latencies *a,
                       const struct pmuv3_latencies *b) {
  const int by = b->of[PMUV3_LATENCY_WRITE] - a->of[PMUV3_LATENCY_WRITE];
  for (unsigned i = 0; i < NUM_INPUTS; i++) {
    const int expected = inputs[i] == PMUV3_LATENCY_FLAG ? 0 : by;
    if (calibration->is_used[inputs[i]] && b->of[inputs[i]] - a->of[inputs[i]] != expected)
      return false;
  }
  for (unsigned o = 0; o < NUM_OUTPUTS; o++)
    if (calibration->is_used[outputs[o]] && b->of[outputs[o]] - a->of[outputs[o]] != -by)
      return false;
  return true;
}

/* Of those that cannot be told apart, the first has the smallest latencies of inputs. */
static void add(struct pmuv3_calibration *calibration, const struct pmuv3_latencies *found) {
  for (uint64_t c = 0; c < calibration->num_explaining && c < PMUV3_CALIBRATION_EXPLAINING; c++) {
    if (!is_shifted(calibration, &calibration->explaining[c], found)) continue;
    calibration->is_shiftable = true;
    return;
  }
  if (calibration->num_explaining < PMUV3_CALIBRATION_EXPLAINING)
    calibration->explaining[calibration->num_explaining] = *found;
  calibration->num_explaining++;
}

/* Each combination of the outputs' latencies that are right. */
static void add_all(struct trials *trials, struct pmuv3_latencies *found,
                    const uint32_t right[NUM_OUTPUTS], unsigned output) {
  if (output == NUM_OUTPUTS) {
    add(trials->calibration, found);
    return;
  }
  for (uint32_t left = right[output]; left != 0; left &= left - 1) {
    found->of[outputs[output]] = (uint8_t)__builtin_ctz(left);
    add_all(trials, found, right, output + 1);
  }
}

static uint64_t size_of(struct pmuv3_range range) {
  return range.max - range.min + 1u;
}

/* All inputs have a latency. With any latency of the outputs, most are wrong at once. Of these only
 * the one that may come furthest is tried again: with the best latency of each output. */
static void try_outputs(struct trials *trials, struct pmuv3_range *latency) {
  struct pmuv3_calibration *calibration = trials->calibration;
  struct pmuv3_range best[PMUV3_NUM_LATENCIES];
  uint32_t right[NUM_OUTPUTS];
  struct pmuv3_latencies found;
  uint64_t combinations = 1;
  for (unsigned o = 0; o < NUM_OUTPUTS; o++) combinations *= size_of(latency[outputs[o]]);
  calibration->tried += combinations;
  const uint64_t wrong = first_wrong(trials, latency);
  if (wrong != NEVER && (calibration->num_explaining > 0 || !is_further(calibration, wrong)))
    return;
  memcpy(best, latency, sizeof best);
  for (unsigned o = 0; o < NUM_OUTPUTS; o++)
    right[o] = latencies_of(trials, latency, o, &best[outputs[o]]);
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++) found.of[l] = latency[l].min;
  if (wrong == NEVER) add_all(trials, &found, right, 0);
  if (calibration->num_explaining == 0) first_wrong(trials, best);
}

static void try_inputs(struct trials *trials, struct pmuv3_range *latency, unsigned input) {
  if (input == NUM_INPUTS) {
    if (can_shift(trials, latency[PMUV3_LATENCY_EVENT])) try_outputs(trials, latency);
    return;
  }
  const struct pmuv3_range range = trials->ranges[inputs[input]];
  for (unsigned v = range.min; v <= range.max && !trials->no_memory; v++) {
    latency[inputs[input]] = (struct pmuv3_range){(uint8_t)v, (uint8_t)v};
    try_inputs(trials, latency, input + 1);
  }
}

bool pmuv3_calibrate(const struct pmuv3_device *device, const struct pmuv3_record *records,
                     size_t num_records, const struct pmuv3_range ranges[PMUV3_NUM_LATENCIES],
                     struct pmuv3_calibration *calibration) {
  struct trials trials = {
      .device = device, .records = records, .num_records = num_records, .calibration = calibration};
  struct pmuv3_range latency[PMUV3_NUM_LATENCIES];
  memset(calibration, 0, sizeof *calibration);
  set_ranges(&trials, ranges);
  count_accesses(&trials, calibration->ports);
  memcpy(latency, trials.ranges, sizeof latency);
  try_inputs(&trials, latency, 0);
  return !trials.no_memory;
}
