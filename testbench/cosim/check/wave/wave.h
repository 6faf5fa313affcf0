/* A recording of a simulator, VCD or FST: what the pins carried before each rising edge. */
#ifndef PMUV3_CHECK_WAVE_H
#define PMUV3_CHECK_WAVE_H

#include "pmuv3/device.h"

struct wave;

/* Does not return if the file is damaged, or lacks a pin. `scope` is the path of the device's
 * instance; NULL: the only one that has all pins. */
struct wave *wave_open(const char *file, const struct pmuv3_device *device, const char *scope);
void wave_close(struct wave *wave);

/* The next rising edge. False: there is no other, or none is known. Does not return if the file is
 * damaged. */
bool wave_next(struct wave *wave);

/* After the last edge. Does not return if others are not known, since the clock was X or nothing
 * was recorded, or if there was none. */
void wave_expect_end(const struct wave *wave);

/* Of this edge: what each pin carried before it, which bits of it were X, and when it was. */
const uint64_t *wave_values(const struct wave *wave);
const uint64_t *wave_unknown(const struct wave *wave);
uint64_t wave_time(const struct wave *wave);

/* How many bits a pin has. */
unsigned wave_width(const struct wave *wave, size_t pin);

const char *wave_scope(const struct wave *wave);
const char *wave_timescale(const struct wave *wave);

#endif
