/* Software increments that wait in a side for its next Processor cycle. */
#ifndef PMUV3_INCREMENTS_H
#define PMUV3_INCREMENTS_H

#include "tlm_wrapper/side.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a write of PMSWINC left some. The side has made it at once, of a thread in this state. */
bool pmuv3_increments(struct pmuv3_side *side, unsigned thread, const struct pmuv3_pe *pe,
                      const struct pmuv3_write *write);

#ifdef __cplusplus
}
#endif

#endif
