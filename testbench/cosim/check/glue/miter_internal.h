/*
 * The printer of miters, a file a part:
 *
 *   miter.c            what cannot be proved, names, and the whole
 *   miter_device.c     the device and its drivers
 *   miter_states.c     states of threads
 *   miter_port.c       ports: accesses and answers
 *   miter_kept.c       bits of registers that the device does not write
 *   miter_rtl.c        the core's clock, events, rtl/ and the hints for the proof
 *   miter_outputs.c    comparisons
 *   miter_witnesses.c  planted defects, and what must be reached
 *   miter_uncovered.c  what the proof does not cover
 *
 * Names in the miter: d_N is pin N of the description, s_N an internal, port_N a port of the
 * device; what ends with _P is of port P of the description.
 */
#ifndef PMUV3_CHECK_MITER_INTERNAL_H
#define PMUV3_CHECK_MITER_INTERNAL_H

#include "testbench/cosim/check/glue/miter.h"

enum { NONE = -1 };

struct miter {
  FILE *out;
  const struct pmuv3_device *device;
  const char *top;
  const struct miter_pin *pins;
};

unsigned miter_larger(unsigned a, unsigned b);
unsigned miter_latency(const struct pmuv3_device *device, enum pmuv3_latency kind);

/* Inputs of events of rtl/, and event counters: at least one. */
unsigned miter_num_inputs(const struct pmuv3_device *device);
unsigned miter_lanes(const struct pmuv3_device *device);

/* ---- Pins and ports ---- */

/* NONE: the thread has no port. */
int miter_port_of_thread(const struct pmuv3_device *device, unsigned thread);

/* Whether a read waits for its answer, so that the device decides when it comes. */
bool miter_waits(const struct pmuv3_device_port *port);

/* How many clocks lie between accesses of a port, so that rtl/ has one in each clock. */
unsigned miter_quiet_clocks(const struct pmuv3_device *device, unsigned p);

/* Whether the end of writes is compared. */
bool miter_compares_fault(const struct pmuv3_device_port *port);

/* The pin of a role; NULL: there is none. */
const struct pmuv3_pin *miter_find_pin(const struct miter *m, enum pmuv3_role role, unsigned index,
                                       size_t *at);
unsigned miter_width_of(const struct miter *m, enum pmuv3_role role, unsigned index);

/* Whether a pin is of a port of the device, rather than an internal. */
bool miter_is_port_pin(const struct pmuv3_pin *pin);

/* Whether a pin is compared in each clock. */
bool miter_is_compared(const struct pmuv3_pin *pin);

/* ---- States ---- */

bool miter_has_too_many_states(const struct miter *m, unsigned thread);

/* What a state's pin carries in a state. */
uint64_t miter_on_pin(const struct miter *m, size_t p, const struct pmuv3_pe *pe);

/* Why rtl/ cannot keep the bits that the device does not write. NULL: it can. */
const char *miter_cannot_keep(const struct pmuv3_device *device,
                              const struct pmuv3_device_register *reg);

/* The wire kept_P: the bits that a write of the register at the address leaves as they are. */
void miter_print_kept(const struct miter *m, unsigned p, const char *address);

/* ---- Parts of the miter, in their order ---- */

void miter_print_inputs(const struct miter *m);

/* Declares t_0, t_1... or assigns them. */
void miter_print_trace(const struct miter *m, bool declares);
void miter_print_plants(const struct miter *m);
void miter_print_device(const struct miter *m);
void miter_print_cycle(const struct miter *m);
void miter_print_states_valid(const struct miter *m);
void miter_print_drivers(const struct miter *m);
void miter_print_states(const struct miter *m, unsigned thread);
void miter_print_probes(const struct miter *m);
void miter_print_port(const struct miter *m, unsigned p);
void miter_print_events(const struct miter *m);
void miter_print_rtl(const struct miter *m);
void miter_print_probe_pins(const struct miter *m);
void miter_print_answers(const struct miter *m, unsigned p);
void miter_print_comparisons(const struct miter *m);
void miter_print_hints(const struct miter *m);
void miter_print_witnesses(const struct miter *m);
void miter_print_uncovered(const struct miter *m);

unsigned miter_num_witnesses(const struct miter *m);

#endif
