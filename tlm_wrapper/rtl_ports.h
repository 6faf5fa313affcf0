// Packs a configuration, a state and a context for the ports of the RTL.
#ifndef PMUV3_RTL_PORTS_H
#define PMUV3_RTL_PORTS_H

#include <cstdint>
#include <cstring>

#include "pmuv3/cycle.h"
#include "pmuv3/params.h"

namespace pmuv3 {

// A configuration has more than 64 bits.
__extension__ typedef unsigned __int128 Wide;

// The configuration input, packed as config_t in pmuv3_pkg.sv: the first member has the top bits.
inline Wide Config(const pmuv3_params &params) {
  Wide config = 0;
#define PMUV3_PARAM(name, dflt, min, max, bits, text) config = config << (bits) | params.name;
#include "pmuv3/params.def"
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) config = config << (bits) | params.id;
#include "pmuv3/params.def"
  return config << PMUV3_NUM_FEATURES | params.features;
}

// Widths of pe_t, context_t and event_t in pmuv3_pkg.sv. The first member has the top bits.
constexpr int kPeBits = 23;
constexpr int kContextBits = 5;
constexpr unsigned kEventBits = 22;

inline uint64_t Pack(const pmuv3_pe &pe) {
  uint64_t packed = pe.fgt;
  for (bool bit : {pe.dlk, pe.oslk, pe.spe, pe.pm, pe.eel2, pe.e2h, pe.tge, pe.snid, pe.a32el3,
                   pe.a32el1, pe.aa32, pe.wfx, pe.active, pe.halted, pe.sm})
    packed = packed << 1 | bit;
  return packed << 4 | pe.ss << 2 | pe.el;
}

inline uint64_t Pack(const pmuv3_context &context) {
  return context.related << 4 | context.ss << 2 | context.el;
}

inline uint32_t Pack(const pmuv3_event &event) {
  const uint32_t sync = (event.traits & PMUV3_EVENT_TRAIT_SYNC) != 0;
  return sync << 21 | uint32_t{event.attribution} << 19 | uint32_t{event.event_class} << 16 |
         event.number;
}

// The state PMUV3_PE_RESET.
inline pmuv3_pe ResetState() {
  pmuv3_pe pe = {};
  pe.el = 1;
  pe.ss = PMUV3_NS;
  pe.active = true;
  return pe;
}

template <class Model>
auto Sample(Model &model, int) -> decltype(void(model.sample_i)) {
  model.sample_i = !model.sample_i;
}
template <class Model>
void Sample(Model &, long) {}

// The same of events_i, which is static.
template <class Model>
auto Configure(Model &model, int) -> decltype(void(model.configure_i)) {
  model.configure_i = !model.configure_i;
}
template <class Model>
void Configure(Model &, long) {}

// The same of occurrence_i, which is large.
template <class Model>
auto Occur(Model &model, int) -> decltype(void(model.occur_i)) {
  model.occur_i = !model.occur_i;
}
template <class Model>
void Occur(Model &, long) {}

// Evaluates a Verilated model with its inputs as they are now. A model that samples its inputs
// (rtl/sampled.sh) has to be told; those with waves or mutants do not. occurrences: false only if
// occurrence_i is the same as in the last evaluation.
template <class Model>
void Evaluate(Model &model, bool occurrences = true) {
  Sample(model, 0);
  if (occurrences) Occur(model, 0);
  model.eval();
}

// A port of any width up to 128 bits, as one value.
template <class Port>
void PutWide(Port &port, Wide value) {
  static_assert(sizeof port <= sizeof value);
  std::memcpy(&port, &value, sizeof port);
}

template <class Port>
Wide GetWide(const Port &port) {
  Wide value = 0;
  std::memcpy(&value, &port, sizeof port);
  return value;
}

}  // namespace pmuv3

#endif
