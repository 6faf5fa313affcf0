/*
 * Latencies of a device from a recording of its pins: which latencies explain what it did.
 *
 *   pmuv3_calibrate_ranges(device, ranges);
 *   struct pmuv3_calibration calibration;
 *   if (!pmuv3_calibrate(device, records, num_records, ranges, &calibration)) ... no memory ...
 *   if (calibration.num_explaining == 1) ... calibration.explaining[0] ...
 *
 * Each combination of latencies within the ranges is tried: the checker runs the recording, in mode
 * exact. Outputs do not depend on each other, so each output's latency is tried by itself.
 */
#ifndef PMUV3_CALIBRATE_H
#define PMUV3_CALIBRATE_H

#include "pmuv3/check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A latency of each kind, in clocks (enum pmuv3_latency). */
struct pmuv3_latencies {
  uint8_t of[PMUV3_NUM_LATENCIES];
};

#define PMUV3_CALIBRATION_EXPLAINING 64

struct pmuv3_calibration {
  uint64_t tried;          /* combinations */
  uint64_t num_explaining; /* of them explain the whole recording; the first: */
  struct pmuv3_latencies explaining[PMUV3_CALIBRATION_EXPLAINING];
  uint64_t comparisons; /* the most that a combination needed to explain it. 0: it says nothing */
  bool is_shiftable; /* the same device can also be described with all inputs later, and all outputs
                        earlier, by the same number of clocks: counted once */
  bool is_used[PMUV3_NUM_LATENCIES]; /* false: nothing in the recording depends on this latency */
  struct pmuv3_check_port ports[PMUV3_DEVICE_MAX_PORTS]; /* of the whole recording */

  /* If none explains it: the combination that held longest, and how it diverged. The first clock
   * that no combination explains is furthest.clock. */
  struct pmuv3_latencies nearest;
  struct pmuv3_check_divergence furthest;
  char words[400];
};

/*
 * The latencies that are tried by default: those of a line `latency KIND A..B` of the description;
 * without it, 0 to 7 of events and software increments, 0 to 3 of all others.
 */
void pmuv3_calibrate_ranges(const struct pmuv3_device *device,
                            struct pmuv3_range ranges[PMUV3_NUM_LATENCIES]);

/*
 * Tries all latencies within the ranges on a recording, which begins with a reset of the device.
 * The pin of an event that has a latency of its own keeps its distance from `latency event`: where
 * it cannot, a combination is not tried. False: memory ran out.
 */
bool pmuv3_calibrate(const struct pmuv3_device *device, const struct pmuv3_record *records,
                     size_t num_records, const struct pmuv3_range ranges[PMUV3_NUM_LATENCIES],
                     struct pmuv3_calibration *calibration);

#ifdef __cplusplus
}
#endif

#endif
