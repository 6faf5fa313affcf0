/* The checker: records in, and clock by clock through its parts. */
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/check/engine/internal.h"

/* ---- Once ---- */

static unsigned larger(unsigned a, unsigned b) {
  return a > b ? a : b;
}

/* Inputs that are late by an unknown number of clocks widen the window of each output. */
static struct window window_of(const struct pmuv3_check *check, enum pmuv3_latency latency) {
  const struct pmuv3_device *device = check->device;
  const struct pmuv3_range range = device->latency[latency];
  unsigned max = range.max;
  if (device->mode == PMUV3_MODE_WITHIN)
    max += larger(check->event_slack, check->change_slack);
  else if (device->mode == PMUV3_MODE_SETTLED)
    max = larger(device->settle, max);
  return (struct window){device->mode == PMUV3_MODE_SETTLED ? 0 : range.min, (uint8_t)max};
}

static void set_windows(struct pmuv3_check *check) {
  const struct pmuv3_device *device = check->device;
  check->is_exact = device->mode == PMUV3_MODE_EXACT;
  if (device->mode == PMUV3_MODE_WITHIN) {
    check->event_slack = (uint8_t)pmuv3_device_event_slack(device);
    check->change_slack = (uint8_t)pmuv3_device_change_slack(device);
    check->is_stop_unsure =
        device->latency[PMUV3_LATENCY_CLOCK].min < device->latency[PMUV3_LATENCY_CLOCK].max;
  } else if (device->mode == PMUV3_MODE_SETTLED) {
    check->event_slack = check->change_slack = device->settle;
    check->is_stop_unsure = true;
  }
  check->interrupts = window_of(check, PMUV3_LATENCY_INTERRUPT);
  check->reads = window_of(check, PMUV3_LATENCY_READ);
  check->visible = window_of(check, PMUV3_LATENCY_VISIBLE);
  check->lag = (uint8_t)larger(larger(check->interrupts.max, check->reads.max), check->visible.max);
  /* The error of a write comes with its answer. */
  for (size_t p = 0; p < device->num_ports; p++)
    check->lag = (uint8_t)larger(check->lag, device->ports[p].response);
}

static void set_groups(struct pmuv3_check *check) {
  const struct pmuv3_device *device = check->device;
  check->state_cycles = (uint8_t)pmuv3_device_cycles(device, PMUV3_LATENCY_STATE,
                                                     device->latency[PMUV3_LATENCY_STATE].min);
  for (size_t e = 0; e < device->num_events; e++) {
    const struct pmuv3_device_event *event = &device->events[e];
    unsigned g = 0;
    while (g < check->num_groups &&
           (check->groups[g].event != event->number || check->groups[g].thread != event->thread ||
            check->groups[g].origin != event->origin))
      g++;
    check->group[e] = (uint8_t)g;
    check->groups[g] = (struct pmuv3_occurrence){
        .event = event->number, .thread = event->thread, .origin = event->origin};
    check->limit[g] =
        event->is_any ? 1 : pmuv3_events_find(&device->params.events, event->number)->most;
    check->event_cycles[e] =
        (uint8_t)pmuv3_device_cycles(device, PMUV3_LATENCY_EVENT, event->latency);
    check->has_other |= event->origin == PMUV3_OTHER;
    if (g == check->num_groups) check->num_groups++;
  }
}

static bool set_places(struct pmuv3_check *check) {
  const struct pmuv3_device *device = check->device;
  size_t size = 4;
  while (size < 4 * device->num_registers) size *= 2;
  check->places = calloc(size, sizeof *check->places);
  check->places_mask = size - 1;
  if (!check->places) return false;
  for (size_t r = 0; r < device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &device->registers[r];
    size_t place = (reg->address * 5 + reg->port) & check->places_mask;
    while (check->places[place]) place = (place + 1) & check->places_mask;
    check->places[place] = (uint16_t)(r + 1);
  }
  return true;
}

static bool sees_lanes(const struct pmuv3_device *device) {
  for (unsigned t = 0; t < device->params.threads; t++)
    if (device->seen[t] & (PMUV3_SEEN_COUNTERS | PMUV3_SEEN_V)) return true;
  return false;
}

static bool allocate(struct pmuv3_check *check) {
  const struct pmuv3_device *device = check->device;
  check->registers = calloc(device->num_registers, sizeof *check->registers);
  if (sees_lanes(device))
    check->lanes = calloc((size_t)device->params.threads * SHOTS, sizeof *check->lanes);
  return set_places(check) && check->registers && (check->lanes || !sees_lanes(device));
}

/* ---- From the start ---- */

void pmuv3_check_restart(struct pmuv3_check *check) {
  check->now = check->model = check->start = 0;
  check->first_pending = check->num_pending = 0;
  check->num_logged = 0;
  check->is_ended = check->diverged = false;
  memset(check->raised, 0, sizeof check->raised);
  pmuv3_check_forget_accesses(check);
  pmuv3_model_reset(check, PMUV3_COLD_RESET);
  pmuv3_quiet_reset(check);
}

/* The model's lanes want alignment. */
struct pmuv3_check *pmuv3_check_create(const struct pmuv3_device *device) {
  const size_t size = (sizeof(struct pmuv3_check) + 63) / 64 * 64;
  struct pmuv3_check *check = aligned_alloc(64, size);
  if (!check) return NULL;
  memset(check, 0, size);
  check->device = device;
  if (!allocate(check) || pmuv3_init(&check->pmu, &device->params)) {
    pmuv3_check_destroy(check);
    return NULL;
  }
  set_windows(check);
  set_groups(check);
  pmuv3_check_restart(check);
  return check;
}

void pmuv3_check_destroy(struct pmuv3_check *check) {
  if (!check) return;
  free(check->places);
  free(check->registers);
  free(check->lanes);
  free(check);
}

/* ---- Clock by clock ---- */

static bool is_zero(const uint8_t *bytes, size_t size) {
  for (size_t b = 0; b < size; b++)
    if (bytes[b]) return false;
  return true;
}

/* Only what the device has. */
static void keep(const struct pmuv3_check *check, struct slot *slot,
                 const struct pmuv3_record *record) {
  const struct pmuv3_device *device = check->device;
  struct pmuv3_record *kept = &slot->record;
  kept->clock = record->clock;
  kept->reset = record->reset;
  memcpy(kept->count, record->count, device->num_events);
  memcpy(kept->port, record->port, device->num_ports * sizeof *kept->port);
  const size_t size =
      check->lanes ? sizeof *kept->thread : offsetof(struct pmuv3_record_thread, counter);
  for (unsigned t = 0; t < device->params.threads; t++)
    memcpy(&kept->thread[t], &record->thread[t], size);
  slot->has_event = !is_zero(kept->count, device->num_events);
}

static void reset(struct pmuv3_check *check, uint64_t t, enum pmuv3_reset_kind kind) {
  const bool goes_on = t > 0 && slot_at(check, t - 1)->record.reset == kind;
  check->start = t + 1;
  if (goes_on) return;
  pmuv3_model_reset(check, kind);
  pmuv3_quiet_reset(check);
  check->counts.resets++;
}

static void step(struct pmuv3_check *check) {
  const uint64_t t = check->model;
  const enum pmuv3_reset_kind kind = (enum pmuv3_reset_kind)slot_at(check, t)->record.reset;
  if (kind != PMUV3_NO_RESET) {
    reset(check, t, kind);
  } else {
    pmuv3_model_states(check, t);
    pmuv3_compare(check, t);
    if (check->diverged) return;
    pmuv3_model_step(check, t);
  }
  check->model++;
}

bool pmuv3_check_clock(struct pmuv3_check *check, const struct pmuv3_record *record) {
  if (check->diverged || check->is_ended) return !check->diverged;
  struct slot *slot = slot_of(check, check->now);
  keep(check, slot, record);
  pmuv3_check_ports(check, slot);
  check->now++;
  check->counts.clocks++;
  check->counts.stopped += !record->clock && record->reset == PMUV3_NO_RESET;
  if (!check->diverged && check->model + check->lag < check->now) step(check);
  return !check->diverged;
}

bool pmuv3_check_end(struct pmuv3_check *check) {
  check->is_ended = true;
  while (check->model < check->now && !check->diverged) step(check);
  return !check->diverged;
}

/* ---- What others ask ---- */

const struct pmuv3_check_divergence *pmuv3_check_diverged(const struct pmuv3_check *check) {
  return check->diverged ? &check->divergence : NULL;
}

void pmuv3_check_count(const struct pmuv3_check *check, struct pmuv3_check_counts *counts) {
  *counts = check->counts;
}

uint64_t pmuv3_check_comparisons(const struct pmuv3_check_counts *counts) {
  uint64_t sum = 0;
  for (unsigned c = 0; c < PMUV3_NUM_COMPARED; c++) sum += counts->compared[c];
  return sum;
}

void pmuv3_check_count_register(const struct pmuv3_check *check, size_t reg,
                                struct pmuv3_check_register *counts) {
  *counts = check->registers[reg];
}

void pmuv3_check_count_port(const struct pmuv3_check *check, unsigned port,
                            struct pmuv3_check_port *counts) {
  *counts = check->ports[port];
}

size_t pmuv3_check_accesses(const struct pmuv3_check *check,
                            struct pmuv3_check_access accesses[PMUV3_CHECK_ACCESSES]) {
  const size_t count =
      check->num_logged < PMUV3_CHECK_ACCESSES ? (size_t)check->num_logged : PMUV3_CHECK_ACCESSES;
  for (size_t a = 0; a < count; a++)
    accesses[a] = check->log[(check->num_logged - 1 - a) % PMUV3_CHECK_ACCESSES];
  return count;
}

const struct pmuv3 *pmuv3_check_model(const struct pmuv3_check *check) {
  return &check->pmu;
}
