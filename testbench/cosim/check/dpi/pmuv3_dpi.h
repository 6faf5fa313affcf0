/*
 * The checker for SystemVerilog, over DPI-C (IEEE 1800-2017, clause 35). `pmuv3 check --emit`
 * writes the monitor that imports these functions; docs/howto/simulators.md shows how to use it.
 */
#ifndef PMUV3_DPI_H
#define PMUV3_DPI_H

#include "svdpi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A checker of the device that a description file says. `pins` are the top module that the
 * description named when the monitor was made, or "-", then the width and the name of each pin of
 * the description, in its order: "my_pmu 1:clk 4:ev[3:0]". NULL: pmuv3_dpi_words(NULL) says why. */
void *pmuv3_dpi_open(const char *description, const char *pins);

/* PMUV3_DPI_BITS bits of what all pins carry before the rising edge, from `lsb` on, which is a
 * multiple of PMUV3_DPI_BITS. The first pin is lowest; bits beyond the last one do not matter. */
void pmuv3_dpi_pins(void *checker, unsigned lsb, const svLogicVecVal *pins);

/* A rise of the clock, after all its pins. A rise from X is that of the first level, and no clock.
 * X and Z of an output are not compared. 0: the device diverged, or an input that it looks at is X,
 * and there is no verdict; pmuv3_dpi_words says which. */
svBit pmuv3_dpi_clock(void *checker);

/* The clock was 0 or 1 and is X. pmuv3_dpi_words says that there is no verdict. */
void pmuv3_dpi_lose_clock(void *checker);

/* Compares what is left. pmuv3_dpi_words gives the verdict then. 0: the device diverged, or
 * there is no verdict. */
svBit pmuv3_dpi_end(void *checker);

/* What the last call has to say. Valid until the next call. */
const char *pmuv3_dpi_words(void *checker);

void pmuv3_dpi_close(void *checker);

#ifdef __cplusplus
}
#endif

#endif
