#include "testbench/cosim/check/monitor/monitor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pmuv3/check.h"
#include "testbench/cosim/cli/file.h"

enum { PORT_WORDS = 200 }; /* of a port's accesses */

struct monitor {
  struct pmuv3_device *device;
  struct pmuv3_check *check;
  struct pmuv3_record record;
  uint64_t *values, *unknown; /* of each pin */
  uint64_t clocks;
  char words[600 + PMUV3_DEVICE_MAX_PORTS * PORT_WORDS];
};

/* ---- Open ---- */

static struct pmuv3_device *read_device(const char *description, char *why, size_t size) {
  const char *reason;
  FILE *in = pmuv3_file_open(description, &reason);
  if (!in) {
    snprintf(why, size, "cannot read the description '%.400s': %s", description, reason);
    return NULL;
  }
  struct pmuv3_device *device = pmuv3_device_read(in, description, why, size);
  fclose(in);
  return device;
}

static bool allocate(struct monitor *monitor) {
  const size_t pins = monitor->device->num_pins;
  monitor->check = pmuv3_check_create(monitor->device);
  monitor->values = calloc(pins, sizeof *monitor->values);
  monitor->unknown = calloc(pins, sizeof *monitor->unknown);
  return monitor->check && monitor->values && monitor->unknown;
}

struct monitor *monitor_open(const char *description, char *why, size_t size) {
  struct pmuv3_device *device = read_device(description, why, size);
  if (!device) return NULL;
  struct monitor *monitor = calloc(1, sizeof *monitor);
  if (monitor) monitor->device = device;
  if (!monitor || !allocate(monitor)) {
    snprintf(why, size, "out of memory");
    if (!monitor) pmuv3_device_free(device);
    monitor_close(monitor);
    return NULL;
  }
  pmuv3_record_init(&monitor->record, device);
  return monitor;
}

void monitor_close(struct monitor *monitor) {
  if (!monitor) return;
  pmuv3_check_destroy(monitor->check);
  pmuv3_device_free(monitor->device);
  free(monitor->values);
  free(monitor->unknown);
  free(monitor);
}

const struct pmuv3_device *monitor_device(const struct monitor *monitor) {
  return monitor->device;
}

/* ---- A clock ---- */

static uint64_t bits_of(const uint32_t *vector, size_t lsb, unsigned width, bool unknown) {
  uint64_t bits = 0;
  for (unsigned b = 0; b < width;) {
    const unsigned at = (lsb + b) % 32;
    bits |= (uint64_t)(vector[(lsb + b) / 32 * 2 + unknown] >> at) << b;
    b += 32 - at;
  }
  return width == 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}

void monitor_bits(struct monitor *monitor, size_t pin, const uint32_t *vector, size_t lsb,
                  unsigned width) {
  monitor->values[pin] = bits_of(vector, lsb, width, false);
  monitor->unknown[pin] = bits_of(vector, lsb, width, true);
}

/* A divergence may come from an access that the model does not know. */
static void add_unmatched(struct monitor *monitor) {
  struct pmuv3_check_port counts;
  char words[PORT_WORDS];
  for (unsigned p = 0; p < monitor->device->num_ports; p++) {
    const size_t length = strlen(monitor->words);
    pmuv3_check_count_port(monitor->check, p, &counts);
    if (counts.unmatched)
      snprintf(monitor->words + length, sizeof monitor->words - length, "; %s",
               pmuv3_check_port_words(&counts, p, words, sizeof words));
  }
}

static bool diverged(struct monitor *monitor) {
  struct pmuv3_check_counts counts;
  char words[400];
  pmuv3_check_count(monitor->check, &counts);
  snprintf(monitor->words, sizeof monitor->words,
           "diverged: %s, after %" PRIu64 " clocks and %" PRIu64 " comparisons",
           pmuv3_check_words(monitor->check, words, sizeof words), counts.clocks,
           pmuv3_check_comparisons(&counts));
  add_unmatched(monitor);
  return false;
}

/* The clocks before are known, and the model is some clocks behind. */
static bool has_no_record(struct monitor *monitor, const struct pmuv3_pin *pin) {
  if (!pmuv3_check_end(monitor->check)) return diverged(monitor);
  const size_t p = (size_t)(pin - monitor->device->pins);
  char text[300], wrong[100];
  snprintf(monitor->words, sizeof monitor->words, "no verdict: clock %" PRIu64 ": %s %s",
           monitor->clocks, pmuv3_pin_text(pin, text, sizeof text),
           pmuv3_record_wrong(pin, monitor->values[p], monitor->unknown[p], wrong, sizeof wrong));
  return false;
}

bool monitor_clock(struct monitor *monitor) {
  const struct pmuv3_pin *wrong =
      pmuv3_record_pins(&monitor->record, monitor->device, monitor->values, monitor->unknown);
  if (wrong) return has_no_record(monitor, wrong);
  monitor->clocks++;
  return pmuv3_check_clock(monitor->check, &monitor->record) || diverged(monitor);
}

void monitor_lose_clock(struct monitor *monitor) {
  const struct pmuv3_pin *pin = monitor->device->pins;
  char text[300];
  if (!pmuv3_check_end(monitor->check)) {
    diverged(monitor);
    return;
  }
  while (pin->role != PMUV3_ROLE_CLOCK) pin++;
  snprintf(monitor->words, sizeof monitor->words, "no verdict: clock %" PRIu64 ": %s is X",
           monitor->clocks, pmuv3_pin_text(pin, text, sizeof text));
}

/* ---- The end ---- */

static bool has_verdict(const struct monitor *monitor, const struct pmuv3_check_counts *counts) {
  struct pmuv3_check_port port;
  for (unsigned p = 0; p < monitor->device->num_ports; p++) {
    pmuv3_check_count_port(monitor->check, p, &port);
    if (pmuv3_check_matches_none(&port)) return false;
  }
  return pmuv3_check_comparisons(counts) != 0;
}

static void say_counts(struct monitor *monitor, const struct pmuv3_check_counts *counts) {
  uint64_t unknown = 0;
  for (unsigned c = 0; c < PMUV3_NUM_COMPARED; c++) unknown += counts->unknown[c];
  const int length = snprintf(monitor->words, sizeof monitor->words,
                              "%s: %" PRIu64 " clocks, %" PRIu64 " comparisons",
                              has_verdict(monitor, counts) ? "equivalent" : "no verdict",
                              counts->clocks, pmuv3_check_comparisons(counts));
  if (unknown)
    snprintf(monitor->words + length, sizeof monitor->words - (size_t)length,
             "; %" PRIu64 " were X, and not compared", unknown);
  add_unmatched(monitor);
}

bool monitor_end(struct monitor *monitor) {
  struct pmuv3_check_counts counts;
  if (!pmuv3_check_end(monitor->check)) return diverged(monitor);
  pmuv3_check_count(monitor->check, &counts);
  if (monitor->record.was_reset || counts.clocks == 0)
    say_counts(monitor, &counts);
  else
    snprintf(monitor->words, sizeof monitor->words,
             "no verdict: no reset in %" PRIu64 " clocks, so nothing was compared", counts.clocks);
  return has_verdict(monitor, &counts);
}

const char *monitor_words(const struct monitor *monitor) {
  return monitor->words;
}
