/*
 * A checker within a simulator: DPI-C and VPI feed it with what the pins carry.
 *
 *   struct monitor *monitor = monitor_open("my.pmu", words, sizeof words);
 *   for each clock: monitor_bits of each pin, then monitor_clock
 *   monitor_end(monitor), monitor_words(monitor)
 */
#ifndef PMUV3_CHECK_MONITOR_H
#define PMUV3_CHECK_MONITOR_H

#include "pmuv3/device.h"

struct monitor;

/* A checker of the device that a description file says. NULL: `why` has the reason, in one line. */
struct monitor *monitor_open(const char *description, char *why, size_t size);
void monitor_close(struct monitor *monitor);

const struct pmuv3_device *monitor_device(const struct monitor *monitor);

/* Sets pin number `pin` of this clock: `width` bits of a vector from `lsb` on. A vector has pairs
 * of words as s_vpi_vecval and svLogicVecVal have them: values, and what is X or Z. */
void monitor_bits(struct monitor *monitor, size_t pin, const uint32_t *vector, size_t lsb,
                  unsigned width);

/* One clock, before its rising edge. False: there is a verdict, and it is not a good one. */
bool monitor_clock(struct monitor *monitor);

/* The clock was 0 or 1 and is X: there is no verdict, unless the device diverged before. */
void monitor_lose_clock(struct monitor *monitor);

/* Compares what is left. False: the device diverged, or there is no verdict. */
bool monitor_end(struct monitor *monitor);

/* The verdict: after monitor_clock returned false, and after monitor_lose_clock or monitor_end. */
const char *monitor_words(const struct monitor *monitor);

#endif
