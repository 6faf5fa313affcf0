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

/* What is to be counted, and what was. CPU_CYCLES without a threshold is the cycle counter's. */
struct pmu_event {
  uint16_t number;
  bool not_user;      /* not what occurs at EL0 */
  bool not_kernel;    /* not what occurs at EL1 */
  bool chained;       /* in 64 bits, of a pair of counters */
  unsigned threshold; /* cycles in which at least so many occur; 0: every occurrence */
  uint64_t period;    /* a sample after each so many; 0: none */

  uint64_t count;
  unsigned samples;

  int counter; /* that it has, 31 the cycle counter; of a pair the even one */
  uint64_t last;
};

enum { PMU_DRIVER_CYCLES = 31, PMU_DRIVER_COUNTERS = 32 };

struct pmu_driver {
  struct pmu_access access;
  unsigned counters;       /* event counters */
  uint64_t common[2];      /* PMCEID0, PMCEID1 */
  unsigned threshold_bits; /* 0: there are no thresholds */
  unsigned slots;          /* of a cycle */
  struct pmu_event *event[PMU_DRIVER_COUNTERS];
  bool failed; /* an access of the kernel made an exception */
};

/* Finds out what the PMU has, and leaves it stopped and cleared. */
void pmu_driver_probe(struct pmu_driver *driver, const struct pmu_access *access);

/* Whether PMCEID says that an event is implemented; of events that it does not show, true. */
bool pmu_driver_supports(const struct pmu_driver *driver, uint16_t number);

/* Gives an event a counter, and takes it back. False: it cannot have one. */
bool pmu_driver_add(struct pmu_driver *driver, struct pmu_event *event);
void pmu_driver_remove(struct pmu_driver *driver, struct pmu_event *event);

/* Starts and stops all of them. */
void pmu_driver_start(struct pmu_driver *driver);
void pmu_driver_stop(struct pmu_driver *driver);

/* PMUIRQ: takes the samples that are due. Returns whether there were any. */
bool pmu_driver_interrupt(struct pmu_driver *driver);

/* Brings event->count up to date. */
void pmu_driver_read(struct pmu_driver *driver, struct pmu_event *event);

/* Lets programs read the counters, not write them; or nothing. */
void pmu_driver_allow_user(struct pmu_driver *driver, bool allowed);

/* What a program at EL0 does: reads a counter by selecting it. False: it was not allowed to. */
bool pmu_user_read(const struct pmu_access *access, int counter, uint64_t *value);

#ifdef __cplusplus
}
#endif

#endif
