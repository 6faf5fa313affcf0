/* Observes the checker's model, for coverage. */
#include "testbench/cosim/check/bench/cover.h"

#include <stdlib.h>
#include <string.h>

#include "pmuv3/record.h"
#include "testbench/cosim/check/engine/observe.h"
#include "testbench/signoff/coverage/coverage.h"

struct cover {
  struct pmuv3_observer observer;
  const struct pmuv3_device *device;
  struct pmuv3_check *check;
  struct pmuv3_collector *collector;
  struct pmuv3_observer *bins; /* the collector, or NULL */
  uint64_t *numbers;
  struct pmuv3_pe pe[PMUV3_MAX_THREADS];
  bool has_pe;
};

static struct cover *cover_of(struct pmuv3_observer *observer) {
  return (struct cover *)observer;
}

/* ---- Numbers ---- */

size_t cover_of_event(size_t event) {
  return pmuv3_coverage_num_bins() + event;
}

size_t cover_of_state(const struct pmuv3_device *device, unsigned thread, unsigned key,
                      unsigned value) {
  const size_t row = thread * PMUV3_NUM_STATE_KEYS + key;
  return cover_of_event(device->num_events) + row * COVER_STATE_VALUES + value;
}

size_t cover_size(const struct pmuv3_device *device) {
  return cover_of_state(device, device->params.threads, 0, 0);
}

/* ---- States ---- */

static void note_pe(struct cover *cover, unsigned thread, const struct pmuv3_pe *pe) {
  if (cover->has_pe && pmuv3_pe_equal(pe, &cover->pe[thread])) return;
  cover->pe[thread] = *pe;
  for (unsigned key = 0; key < PMUV3_NUM_STATE_KEYS; key++) {
    const unsigned value = (unsigned)pmuv3_state_get(pe, (enum pmuv3_state_key)key);
    cover->numbers[cover_of_state(cover->device, thread, key, value)]++;
  }
}

static void observe_start(struct pmuv3_observer *observer,
                          const struct pmuv3_pe pe[PMUV3_MAX_THREADS],
                          const struct pmuv3_probe probes[PMUV3_MAX_THREADS]) {
  struct cover *cover = cover_of(observer);
  for (unsigned t = 0; t < cover->device->params.threads; t++) note_pe(cover, t, &pe[t]);
  cover->has_pe = true;
  if (cover->bins) cover->bins->start(cover->bins, pe, probes);
}

static void observe_reset(struct pmuv3_observer *observer,
                          const struct pmuv3_probe probes[PMUV3_MAX_THREADS]) {
  struct cover *cover = cover_of(observer);
  if (cover->bins) cover->bins->reset(cover->bins, probes);
}

static void observe_set_pe(struct pmuv3_observer *observer, unsigned thread,
                           const struct pmuv3_pe *pe) {
  struct cover *cover = cover_of(observer);
  note_pe(cover, thread, pe);
  if (cover->bins) cover->bins->set_pe(cover->bins, thread, pe);
}

static void observe_access(struct pmuv3_observer *observer, const struct pmuv3_observed *access,
                           const struct pmuv3_probe *probe) {
  struct cover *cover = cover_of(observer);
  if (cover->bins) cover->bins->access(cover->bins, access, probe);
}

/* ---- Events ---- */

static void observe_cycle(struct pmuv3_observer *observer, const struct pmuv3_cycle *cycle,
                          const struct pmuv3_probe probes[PMUV3_MAX_THREADS]) {
  struct cover *cover = cover_of(observer);
  const struct pmuv3_device *device = cover->device;
  for (size_t e = 0; cycle->num_occurrences > 0 && e < device->num_events; e++)
    cover->numbers[cover_of_event(e)] += pmuv3_check_counted(cover->check, e);
  if (cover->bins) cover->bins->cycle(cover->bins, cycle, probes);
}

/* ---- Creation and destruction ---- */

static bool collect(struct cover *cover) {
  cover->collector = pmuv3_collector_create(&cover->device->params, cover->numbers);
  if (cover->collector) cover->bins = pmuv3_collector_observer(cover->collector);
  return cover->collector != NULL;
}

struct cover *cover_create(const struct pmuv3_device *device, struct pmuv3_check *check,
                           uint64_t *numbers, bool with_bins) {
  struct cover *cover = calloc(1, sizeof *cover);
  if (!cover) return NULL;
  cover->observer = (struct pmuv3_observer){.start = observe_start,
                                            .reset = observe_reset,
                                            .set_pe = observe_set_pe,
                                            .access = observe_access,
                                            .cycle = observe_cycle};
  cover->device = device;
  cover->check = check;
  cover->numbers = numbers;
  if (with_bins && !collect(cover)) {
    free(cover);
    return NULL;
  }
  pmuv3_check_observe(check, &cover->observer);
  return cover;
}

void cover_end(struct cover *cover) {
  pmuv3_check_observe(cover->check, NULL);
}

void cover_destroy(struct cover *cover) {
  if (!cover) return;
  cover_end(cover);
  pmuv3_collector_destroy(cover->collector);
  free(cover);
}
