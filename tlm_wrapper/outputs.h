// The outputs of a thread's PMU together.
#ifndef PMUV3_OUTPUTS_H
#define PMUV3_OUTPUTS_H

#include "tlm_wrapper/side.h"

struct pmuv3_outputs {
  bool irq, cti, halt;
  unsigned exception, brbe;
  uint64_t pulses;

  static pmuv3_outputs of(pmuv3_side *side, unsigned thread) {
    return {pmuv3_side_irq(side, thread),  pmuv3_side_cti(side, thread),
            pmuv3_side_halt(side, thread), pmuv3_side_exception(side, thread),
            pmuv3_side_brbe(side, thread), pmuv3_side_pulses(side, thread)};
  }
  bool operator!=(const pmuv3_outputs &other) const {
    return irq != other.irq || cti != other.cti || halt != other.halt ||
           exception != other.exception || brbe != other.brbe || pulses != other.pulses;
  }
};

#endif
