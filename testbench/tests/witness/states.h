// Random implementations, states of a thread and register values, which a side and the witness see
// alike. Equal seeds give equal states.
#ifndef PMUV3_WITNESS_STATES_H
#define PMUV3_WITNESS_STATES_H

#include <cstdint>
#include <string>

#include "testbench/cosim/stimulus/prng.h"
#include "testbench/tests/witness/witness.h"
#include "tlm_wrapper/side.h"

namespace pmuv3::witness {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() { return pmuv3_splitmix64(&state_); }
  unsigned Below(unsigned limit) { return static_cast<unsigned>((Next() >> 32) * limit >> 32); }
  bool OneIn(unsigned n) { return Below(n) == 0; }

 private:
  uint64_t state_;
};

// Parameters that some implementation may have, with at most so many counters.
pmuv3_params RandomParams(Random *random, unsigned most_counters);

// A state that these parameters have.
pmuv3_pe RandomPe(Random *random, const pmuv3_params &params);

// The values of the registers that decide accesses.
struct Controls {
  uint64_t pmuserenr, pmuacr, mdcr_el2, mdcr_el3, pmselr;
};
Controls RandomControls(Random *random, const pmuv3_params &params);

// Writes them to thread 0, and reads them back.
void WriteControls(pmuv3_side *side, const Controls &controls);
Controls ReadControls(pmuv3_side *side);

// The witness's view of a thread in a state, with these registers, and with PMCCR.EPMN.
State StateOf(const pmuv3_params &params, const pmuv3_pe &pe, const Controls &controls,
              unsigned epmn);

// Makes inputs random that the witness takes alone, as they are the core's, and what is rare.
void WidenState(Random *random, State *state);

// Replaces the registers of a state.
void SetControls(State *state, const Controls &controls);

// What the witness's state says, for a message.
std::string Text(const State &state);

}  // namespace pmuv3::witness

#endif
