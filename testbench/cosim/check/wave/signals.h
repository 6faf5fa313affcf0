/* The pins of a description among the signals of a recording. */
#ifndef PMUV3_CHECK_SIGNALS_H
#define PMUV3_CHECK_SIGNALS_H

#include "pmuv3/device.h"
#include "testbench/cosim/wave/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

struct signals;

/* Reads the header, and finds the instance that has all pins: the only one, or the one whose path
 * is `scope`. Does not return if there is none. Of structs, an FST that a simulator wrote itself
 * keeps the members' order. */
struct signals *signals_find(struct wave_stream *stream, const char *file,
                             const struct pmuv3_device *device, const char *scope);
void signals_free(struct signals *signals);

/* The path of the instance, and how long a unit of time is: "1ns". */
const char *signals_scope(const struct signals *signals);
const char *signals_timescale(const struct signals *signals);

/* How many bits a pin has. */
unsigned signals_width(const struct signals *signals, size_t pin);

/* The ids of all signals that pins are of. */
const char *const *signals_ids(const struct signals *signals, size_t *count);

/* Whether a pin is of the signal of this id. */
bool signals_have(const struct signals *signals, const char *id);

/* All bits of pins are X. */
void signals_start(const struct signals *signals, uint64_t *unknown);

/* Takes over a signal's new value: values of pins, and which of their bits are X. Returns whether a
 * pin is of this signal. */
bool signals_take(const struct signals *signals, const struct vcd_item *item, uint64_t *values,
                  uint64_t *unknown);

#ifdef __cplusplus
}
#endif

#endif
