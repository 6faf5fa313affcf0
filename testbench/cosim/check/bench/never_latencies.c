/* Which latencies no comparison shows, and why. */
#include "pmuv3/record.h"
#include "testbench/cosim/check/bench/cover.h"
#include "testbench/cosim/check/bench/never.h"

/* ---- What was done, and what was seen ---- */

static bool is_written(const struct outcome *outcome, bool increments) {
  for (size_t r = 0; r < outcome->device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &outcome->device->registers[r];
    const bool is_increment = profile_class(reg) == CLASS_INCREMENT;
    if (is_increment == increments && reg->write != 0 && outcome->totals.registers[r].writes > 0)
      return true;
  }
  return false;
}

static uint64_t sum_of_reads(const struct outcome *outcome) {
  return outcome->totals.counts.compared[PMUV3_COMPARED_READ];
}

static bool is_read(const struct outcome *outcome, enum register_class kind) {
  for (size_t r = 0; r < outcome->device->num_registers; r++)
    if (profile_class(&outcome->device->registers[r]) == kind && outcome->totals.registers[r].reads)
      return true;
  return false;
}

/* Whether a comparison saw an interrupt, a trigger or an exception that was asserted. */
static bool is_asserted(const struct outcome *outcome) {
  for (unsigned t = 0; t < outcome->device->params.threads; t++)
    for (unsigned o = 0; o < PMUV3_CHECK_OUTPUTS; o++)
      if (outcome->totals.counts.asserted[t][o] > 0) return true;
  return false;
}

/* Whether the stimulus had an event that some counter counted. */
static bool counts_events(const struct outcome *outcome) {
  for (size_t e = 0; e < outcome->device->num_events; e++)
    if (outcome->totals.reached[cover_of_event(e)] > 0) return true;
  return false;
}

/* Whether some state changed after a reset. */
static bool changes_states(const struct outcome *outcome) {
  const struct profile *profile = outcome->profile;
  for (unsigned s = 0; s < profile->num_states; s++) {
    const struct state_pin *state = &profile->states[s];
    if (state->key == PMUV3_STATE_pme) continue; /* nothing that is compared depends on it */
    const uint64_t first =
        pmuv3_state_get(&outcome->device->pe[state->thread], (enum pmuv3_state_key)state->key);
    for (unsigned v = 0; v < state->num_values; v++)
      if (state->values[v] != first &&
          outcome->totals.reached[cover_of_state(outcome->device, state->thread, state->key,
                                                 state->values[v])] > 0)
        return true;
  }
  return false;
}

static uint64_t sum_of_interrupts(const struct outcome *outcome) {
  const uint64_t *compared = outcome->totals.counts.compared;
  return compared[PMUV3_COMPARED_IRQ] + compared[PMUV3_COMPARED_CTI] +
         compared[PMUV3_COMPARED_EXCEPTION];
}

static uint64_t sum_of_internals(const struct outcome *outcome) {
  const uint64_t *compared = outcome->totals.counts.compared;
  return compared[PMUV3_COMPARED_COUNTER] + compared[PMUV3_COMPARED_OVERFLOW] +
         compared[PMUV3_COMPARED_V];
}

/* Whether a flag that was compared had risen. */
static bool shows_flags(const struct outcome *outcome) {
  for (unsigned t = 0; t < outcome->device->params.threads; t++)
    for (unsigned n = 0; n < PMUV3_RECORD_COUNTERS; n++)
      if (outcome->totals.counts.flags[t][n] > 0) return true;
  return false;
}

static bool shows_counts(const struct outcome *outcome) {
  const uint64_t *compared = outcome->totals.counts.compared;
  return compared[PMUV3_COMPARED_COUNTER] + compared[PMUV3_COMPARED_V] > 0 ||
         is_read(outcome, CLASS_COUNTER) || shows_flags(outcome);
}

/* Why nothing at all depends on a latency. */
static const char *never_at_all(const struct outcome *outcome, enum pmuv3_latency latency) {
  const struct pmuv3_device *device = outcome->device;
  switch (latency) {
    case PMUV3_LATENCY_EVENT:
      if (device->num_events == 0) return "no `event` line";
      if (!counts_events(outcome)) return "no counter counted an event in an observed clock";
      return shows_counts(outcome) ? NULL : "nothing shows the counts";
    case PMUV3_LATENCY_STATE:
      if (!pmuv3_device_has(device, PMUV3_ROLE_STATE)) return "no `state` line has a pin";
      return changes_states(outcome) ? NULL : "no state changed in an observed clock";
    case PMUV3_LATENCY_CLOCK:
      if (!device->has_clock_enable) return "no `clock_enable` line";
      return outcome->totals.counts.stopped ? NULL : "the clock enable was never low";
    case PMUV3_LATENCY_SWINC:
      return is_written(outcome, true) ? NULL : "PMSWINC was never written";
    case PMUV3_LATENCY_WRITE:
      return is_written(outcome, false) ? NULL : "no register was written";
    case PMUV3_LATENCY_FLAG:
      return shows_flags(outcome) ? NULL : "no flag that was compared had risen";
    case PMUV3_LATENCY_INTERRUPT:
      if (sum_of_interrupts(outcome) == 0) return "no `irq`, `cti` or `exception` was compared";
      return is_asserted(outcome) ? NULL : "no comparison saw an interrupt that was asserted";
    case PMUV3_LATENCY_READ:
      return sum_of_reads(outcome) ? NULL : "no value was read";
    default:
      return sum_of_internals(outcome) ? NULL : "nothing `visible` was compared";
  }
}

static bool is_range(const struct pmuv3_device *device, enum pmuv3_latency latency) {
  return device->latency[latency].min != device->latency[latency].max;
}

/* Whether an output shows in which clock an input acts. */
static bool has_exact_output(const struct outcome *outcome) {
  const struct pmuv3_device *device = outcome->device;
  return (sum_of_interrupts(outcome) && !is_range(device, PMUV3_LATENCY_INTERRUPT)) ||
         (sum_of_reads(outcome) && !is_range(device, PMUV3_LATENCY_READ)) ||
         (sum_of_internals(outcome) && !is_range(device, PMUV3_LATENCY_VISIBLE));
}

/* Why comparisons that depend on a latency do not show it to the clock. */
static const char *why_not_to_the_clock(const struct outcome *outcome, enum pmuv3_latency latency) {
  const struct pmuv3_device *device = outcome->device;
  if (device->mode == PMUV3_MODE_SETTLED) return "only what has settled is compared";
  if (is_range(device, latency)) return "any clock of the range is right";
  if (pmuv3_device_event_slack(device) + pmuv3_device_change_slack(device) > 0)
    return "the ranges of other inputs make each output later";
  if (latency <= PMUV3_LATENCY_FLAG && !has_exact_output(outcome))
    return "each output that was compared has a range";
  return NULL;
}

const char *never_latency(const struct outcome *outcome, enum pmuv3_latency latency) {
  const char *why = never_at_all(outcome, latency);
  return why ? why : why_not_to_the_clock(outcome, latency);
}
