/* The RTL under Verilator as a side. It is not in the package, which has no Verilated models. */
#ifndef PMUV3_SIDE_RTL_H
#define PMUV3_SIDE_RTL_H

#include "tlm_wrapper/side.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The RTL under Verilator as a side: the smallest built model that has params->counters and
 * params->threads. Registers that its reset does not set start at random values drawn from x_seed,
 * so that a missing reset shows. NULL: as for pmuv3_side_cmodel.
 */
struct pmuv3_side *pmuv3_side_rtl(const struct pmuv3_params *params, uint32_t x_seed);

/*
 * Writes an FST of the RTL to `file`, from now on until pmuv3_side_rtl_wave_end. A clock is 2 ns.
 * The side comes from pmuv3_side_rtl. A side writes one FST at a time, and any number one after the
 * other; time goes on from one to the next. False: the file cannot be written, the side writes one
 * already, or this is a build without waves, which cost speed even when none is written. On a full
 * disk the writer may get SIGBUS.
 */
bool pmuv3_side_rtl_wave(struct pmuv3_side *side, const char *file);

/* Completes the FST. False: a part of it was not written, or there is none. */
bool pmuv3_side_rtl_wave_end(struct pmuv3_side *side);

#ifdef __cplusplus
}
#endif

#endif
