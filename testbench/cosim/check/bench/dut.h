/*
 * The device under test, as the bench drives it. The glue that `pmuv3-check-glue` writes implements
 * this around a Verilated model.
 */
#ifndef PMUV3_CHECK_DUT_H
#define PMUV3_CHECK_DUT_H

#include "pmuv3/record.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_dut;

/* A device whose registers start at random values that `seed` gives. NULL: no memory. */
struct pmuv3_dut *pmuv3_dut_create(const struct pmuv3_device *device, uint32_t seed);
void pmuv3_dut_destroy(struct pmuv3_dut *dut);

/* One clock: drives the inputs that the record has, puts the outputs before the rising edge into
 * the record, and rises the clock. */
void pmuv3_dut_clock(struct pmuv3_dut *dut, struct pmuv3_record *record);

/* How many bits pin number `pin` of the description has. */
unsigned pmuv3_dut_width(size_t pin);

/* The bits of the whole signal that the pin is of; msb < lsb: the pin is an element of an array. */
void pmuv3_dut_range(size_t pin, int *msb, int *lsb);

/* An output of the device, or bits of one. */
struct pmuv3_dut_bits {
  const char *name;
  int msb, lsb;
  bool is_whole;
};

/* Those that no line of the description names. A name of NULL ends them. */
const struct pmuv3_dut_bits *pmuv3_dut_unnamed(void);

/* The glue calls this function of the bench, if the device ends the simulation: `why` is what the
 * device did, and where. Does not return. */
void pmuv3_dut_ended(const char *why);

/* Writes an FST from now on, until pmuv3_dut_wave_end. False: the file cannot be written, or lacks
 * something. */
bool pmuv3_dut_wave(struct pmuv3_dut *dut, const char *path);
bool pmuv3_dut_wave_end(struct pmuv3_dut *dut);

#ifdef __cplusplus
}
#endif

#endif
