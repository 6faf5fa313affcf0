/* The miter of a device and rtl/, for `pmuv3 check --prove` (docs/design/check.md, Proof). */
#ifndef PMUV3_CHECK_MITER_H
#define PMUV3_CHECK_MITER_H

#include <stdio.h>

#include "pmuv3/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a pin of the description is in the device: bits of a port of the top module. */
struct miter_pin {
  unsigned lsb, width;
  unsigned port_width;
  bool is_element; /* of an array, which the pin's bits name */
};

/* NULL, or in words why a device cannot be proved. */
const char *miter_refused(const struct pmuv3_device *device);

/* Prints what the proof's script needs of a description: threads, counters, inputs of events and
 * clocks of a reset, the port of the clock, and the ports of resets. */
void miter_print_facts(FILE *out, const struct pmuv3_device *device);

/* Prints the miter, module pmuv3_miter. `pins` has a place for each pin of the device. False: the
 * pins say too many states to name each. */
bool miter_print(FILE *out, const struct pmuv3_device *device, const char *top,
                 const struct miter_pin *pins);

/* Whether the outputs t_0, t_1... of the miter show the pin. After the pins they show of each port
 * whether an access begins, whether the access is a write, its address and its data. */
bool miter_traces(const struct pmuv3_pin *pin);

/* The stimulus of a counterexample: `in` has a line for each clock, with the values of t_0, t_1...
 * `carries`: with what ports carry without an access, too. False: `in` is no counterexample of the
 * device, or no memory. */
bool miter_stimulus(FILE *out, const struct pmuv3_device *device, FILE *in, uint32_t seed,
                    bool carries);

#ifdef __cplusplus
}
#endif

#endif
