#include "testbench/tests/driver/pmu_driver.h"

#include <stddef.h>

#include "pmuv3/registers.h"

enum { CPU_CYCLES = 0x0011, CHAIN = 0x001E, AT_LEAST = 5 /* TC: adds 1 if VB >= TH */ };

/* ---- Registers ---- */

static uint64_t get(struct pmu_driver *driver, unsigned reg) {
  uint64_t value = 0;
  if (!driver->access.read(driver->access.machine, (uint16_t)reg, &value)) driver->failed = true;
  return value;
}

static void set(struct pmu_driver *driver, unsigned reg, uint64_t value) {
  if (!driver->access.write(driver->access.machine, (uint16_t)reg, value)) driver->failed = true;
}

static bool is_cycles(const struct pmu_event *event) {
  return event->counter == PMU_DRIVER_CYCLES;
}

static uint64_t bit(int counter) {
  return UINT64_C(1) << counter;
}

/* In a pair, the odd counter is the upper half. Its overflow flag is the pair's. */
static int upper(const struct pmu_event *event) {
  return event->counter + event->chained;
}

static uint64_t bits(const struct pmu_event *event) {
  return bit(event->counter) | bit(upper(event));
}

/* ---- Features of the PMU ---- */

static void stop_and_clear(struct pmu_driver *driver) {
  const uint64_t all = ~UINT64_C(0);
  set(driver, PMUV3_PMCR, 0);
  set(driver, PMUV3_PMCNTENCLR, all);
  set(driver, PMUV3_PMINTENCLR, all);
  set(driver, PMUV3_PMOVSCLR, all);
  set(driver, PMUV3_PMCR, PMUV3_MASK(PMCR, P) | PMUV3_MASK(PMCR, C) | PMUV3_MASK(PMCR, LC));
}

void pmu_driver_probe(struct pmu_driver *driver, const struct pmu_access *access) {
  *driver = (struct pmu_driver){.access = *access};
  driver->counters = (unsigned)PMUV3_GET(get(driver, PMUV3_PMCR), PMCR, N);
  driver->common[0] = get(driver, PMUV3_PMCEID0);
  driver->common[1] = get(driver, PMUV3_PMCEID1);
  const uint64_t pmmir = get(driver, PMUV3_PMMIR);
  driver->threshold_bits = (unsigned)PMUV3_GET(pmmir, PMMIR, THWIDTH);
  driver->slots = (unsigned)PMUV3_GET(pmmir, PMMIR, SLOTS);
  stop_and_clear(driver);
}

/* PMCEID0 covers 0x0000-0x001F and 0x4000-0x401F. PMCEID1 covers the 32 numbers after each. */
bool pmu_driver_supports(const struct pmu_driver *driver, uint16_t number) {
  const unsigned low = number & 0x3Fu, half = number & 0x4000u ? 32 : 0;
  if ((number & ~0x403Fu) != 0) return true;
  return (driver->common[low / 32] >> (low % 32 + half) & 1) != 0;
}

/* ---- Counters ---- */

static int find_counter(const struct pmu_driver *driver, const struct pmu_event *event) {
  if (event->number == CPU_CYCLES && !event->chained && !event->threshold)
    return driver->event[PMU_DRIVER_CYCLES] ? -1 : PMU_DRIVER_CYCLES;
  const unsigned size = event->chained ? 2 : 1;
  for (unsigned n = 0; n + size <= driver->counters; n += size)
    if (!driver->event[n] && !driver->event[n + size - 1]) return (int)n;
  return -1;
}

static uint64_t filter_of(const struct pmu_event *event) {
  return (event->not_kernel ? PMUV3_MASK(PMEVTYPER, P) : 0) |
         (event->not_user ? PMUV3_MASK(PMEVTYPER, U) : 0);
}

static uint64_t type_of(const struct pmu_event *event) {
  const uint64_t threshold = !event->threshold
                                 ? 0
                                 : (uint64_t)AT_LEAST << PMUV3_PMEVTYPER_TC_LSB |
                                       (uint64_t)event->threshold << PMUV3_PMEVTYPER_TH_LSB;
  return filter_of(event) | threshold | event->number;
}

static void program(struct pmu_driver *driver, const struct pmu_event *event) {
  if (is_cycles(event)) {
    set(driver, PMUV3_PMCCFILTR, filter_of(event));
    return;
  }
  set(driver, PMUV3_PMEVTYPERn((unsigned)event->counter), type_of(event));
  if (event->chained) set(driver, PMUV3_PMEVTYPERn((unsigned)upper(event)), CHAIN);
}

/* Bits that the driver uses of a counter: 64 of the cycle counter and of a pair, 32 of any
 * other. */
static uint64_t width(const struct pmu_event *event) {
  return is_cycles(event) || event->chained ? ~UINT64_C(0) : UINT32_MAX;
}

static uint64_t read_pair(struct pmu_driver *driver, const struct pmu_event *event) {
  const unsigned low = PMUV3_PMEVCNTRn((unsigned)event->counter);
  const unsigned high = PMUV3_PMEVCNTRn((unsigned)upper(event));
  uint64_t before, after = get(driver, high), value;
  do { /* until two reads of the upper half agree */
    before = after;
    value = get(driver, low);
    after = get(driver, high);
  } while (before != after);
  return after << 32 | (value & UINT32_MAX);
}

static uint64_t read_counter(struct pmu_driver *driver, const struct pmu_event *event) {
  if (is_cycles(event)) return get(driver, PMUV3_PMCCNTR);
  if (event->chained) return read_pair(driver, event);
  return get(driver, PMUV3_PMEVCNTRn((unsigned)event->counter)) & UINT32_MAX;
}

static void write_counter(struct pmu_driver *driver, const struct pmu_event *event,
                          uint64_t value) {
  if (is_cycles(event)) {
    set(driver, PMUV3_PMCCNTR, value);
    return;
  }
  set(driver, PMUV3_PMEVCNTRn((unsigned)event->counter), value & UINT32_MAX);
  if (event->chained) set(driver, PMUV3_PMEVCNTRn((unsigned)upper(event)), value >> 32);
}

/* Sets the counter so that it overflows after the period, if the event has one. */
static void start_period(struct pmu_driver *driver, struct pmu_event *event) {
  event->last = -event->period & width(event);
  write_counter(driver, event, event->last);
}

bool pmu_driver_add(struct pmu_driver *driver, struct pmu_event *event) {
  if (!pmu_driver_supports(driver, event->number)) return false;
  if (event->threshold >> driver->threshold_bits != 0) return false;
  event->counter = find_counter(driver, event);
  if (event->counter < 0) return false;
  driver->event[event->counter] = event;
  driver->event[upper(event)] = event;
  program(driver, event);
  start_period(driver, event);
  set(driver, PMUV3_PMOVSCLR, bits(event));
  if (event->period) set(driver, PMUV3_PMINTENSET, bit(upper(event)));
  set(driver, PMUV3_PMCNTENSET, bits(event));
  return true;
}

void pmu_driver_remove(struct pmu_driver *driver, struct pmu_event *event) {
  set(driver, PMUV3_PMCNTENCLR, bits(event));
  set(driver, PMUV3_PMINTENCLR, bits(event));
  pmu_driver_read(driver, event);
  set(driver, PMUV3_PMOVSCLR, bits(event));
  driver->event[event->counter] = NULL;
  driver->event[upper(event)] = NULL;
}

void pmu_driver_read(struct pmu_driver *driver, struct pmu_event *event) {
  const uint64_t now = read_counter(driver, event);
  event->count += (now - event->last) & width(event);
  event->last = now;
}

/* ---- All events ---- */

void pmu_driver_start(struct pmu_driver *driver) {
  set(driver, PMUV3_PMCR, PMUV3_MASK(PMCR, LC) | PMUV3_MASK(PMCR, E));
}

void pmu_driver_stop(struct pmu_driver *driver) {
  set(driver, PMUV3_PMCR, PMUV3_MASK(PMCR, LC));
  for (int n = 0; n < PMU_DRIVER_COUNTERS; n++)
    if (driver->event[n] && driver->event[n]->counter == n)
      pmu_driver_read(driver, driver->event[n]);
}

bool pmu_driver_interrupt(struct pmu_driver *driver) {
  set(driver, PMUV3_PMCR, PMUV3_MASK(PMCR, LC));
  const uint64_t flags = get(driver, PMUV3_PMOVSCLR) & get(driver, PMUV3_PMINTENSET);
  set(driver, PMUV3_PMOVSCLR, flags);
  for (int n = 0; n < PMU_DRIVER_COUNTERS; n++) {
    struct pmu_event *event = driver->event[n];
    if (!event || upper(event) != n || !(flags & bit(n))) continue;
    pmu_driver_read(driver, event);
    event->samples++;
    start_period(driver, event);
  }
  pmu_driver_start(driver);
  return flags != 0;
}

/* ---- EL0 ---- */

void pmu_driver_allow_user(struct pmu_driver *driver, bool allowed) {
  const uint64_t reads = PMUV3_MASK(PMUSERENR, ER) | PMUV3_MASK(PMUSERENR, CR);
  set(driver, PMUV3_PMUSERENR, allowed ? reads : 0);
}

bool pmu_user_read(const struct pmu_access *access, int counter, uint64_t *value) {
  if (counter == PMU_DRIVER_CYCLES) return access->user_read(access->machine, PMUV3_PMCCNTR, value);
  return access->user_write(access->machine, PMUV3_PMSELR, (uint64_t)counter) &&
         access->user_read(access->machine, PMUV3_PMXEVCNTR, value);
}
