/*
 * A driver of the PMU as an operating system's kernel has one: C against the
 * System registers by their names, over four functions that access them. It
 * counts and samples events in counters of 32 bits, pairs of them by CHAIN and
 * the cycle counter.
 *
 *   struct pmu_driver driver;
 *   struct pmu_event event = {.number = 0x0008, .period = 1000};
 *   pmu_driver_probe(&driver, &access);
 *   pmu_driver_add(&driver, &event);
 *   pmu_driver_start(&driver);
 *   ... pmu_driver_interrupt(&driver) on each PMUIRQ ...
 *   pmu_driver_stop(&driver);
 *   event.count, event.samples
 *
 * What it runs on is the access's business: the tests run it on the System
 * registers of every side, through the TLM module and in the external view.
 */
#ifndef PMUV3_PMU_DRIVER_H
#define PMUV3_PMU_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* MRS and MSR by the kernel at EL1, and by a program at EL0. False: the access made an exception.
 * `reg` is an encoding of pmuv3/registers.h. */
struct pmu_access {
  void *machine;
  bool (*read)(void *machine, uint16_t reg, uint64_t *value);
  bool (*write)(void *machine, uint16_t reg, uint64_t value);
  bool (*user_read)(void *machine, uint16_t reg, uint64_t *value);
  bool (*user_write)(void *machine, uint16_t reg, uint64_t value);
};

/* An event to count, and its count. The cycle counter counts CPU_CYCLES without a threshold. */
struct pmu_event {
  uint16_t number;
  bool not_user;      /* do not count at EL0 */
  bool not_kernel;    /* do not count at EL1 */
  bool chained;       /* 64 bits in a pair of counters */
  unsigned threshold; /* count cycles with at least this number; 0: count every occurrence */
  uint64_t period;    /* occurrences between samples; 0: no samples */

  uint64_t count;
  unsigned samples;

  int counter; /* the event's counter, 31: cycle counter; the even counter of a pair */
  uint64_t last;
};

enum { PMU_DRIVER_CYCLES = 31, PMU_DRIVER_COUNTERS = 32 };

struct pmu_driver {
  struct pmu_access access;
  unsigned counters;       /* number of event counters */
  uint64_t common[2];      /* PMCEID0, PMCEID1 */
  unsigned threshold_bits; /* 0: no thresholds */
  unsigned slots;          /* Slots of a cycle */
  struct pmu_event *event[PMU_DRIVER_COUNTERS];
  bool failed; /* an access of the kernel made an exception */
};

/* Reads the PMU's features, and leaves the PMU stopped and cleared. */
void pmu_driver_probe(struct pmu_driver *driver, const struct pmu_access *access);

/* Whether PMCEID shows an event as implemented. True for events that PMCEID does not cover. */
bool pmu_driver_supports(const struct pmu_driver *driver, uint16_t number);

/* Gives an event a counter, and takes the counter back. False: no counter is free or able. */
bool pmu_driver_add(struct pmu_driver *driver, struct pmu_event *event);
void pmu_driver_remove(struct pmu_driver *driver, struct pmu_event *event);

/* Starts and stops all events. */
void pmu_driver_start(struct pmu_driver *driver);
void pmu_driver_stop(struct pmu_driver *driver);

/* Handles PMUIRQ: takes the samples that are due. Returns whether there were any. */
bool pmu_driver_interrupt(struct pmu_driver *driver);

/* Updates event->count. */
void pmu_driver_read(struct pmu_driver *driver, struct pmu_event *event);

/* Allows or forbids programs to read the counters. Programs never write them. */
void pmu_driver_allow_user(struct pmu_driver *driver, bool allowed);

/* Reads a counter at EL0 by selecting it. False: the read was not allowed. */
bool pmu_user_read(const struct pmu_access *access, int counter, uint64_t *value);

#ifdef __cplusplus
}
#endif

#endif
