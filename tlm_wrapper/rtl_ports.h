// Packs a configuration, a state and a context for the ports of the RTL.
#ifndef PMUV3_RTL_PORTS_H
#define PMUV3_RTL_PORTS_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "pmuv3/cycle.h"
#include "pmuv3/params.h"

namespace pmuv3_rtl {

// A window of a port in which up to 64 bits at any place lie.
__extension__ typedef unsigned __int128 Wide;

// `bits` bits of a port of any width, at most 64, from bit `lsb` on.
template <class Port>
void PutBits(Port &port, unsigned lsb, unsigned bits, uint64_t value) {
  char *at = reinterpret_cast<char *>(&port) + lsb / 8;
  const size_t size = std::min(sizeof port - lsb / 8, sizeof(Wide));
  const Wide mask = ((Wide{1} << bits) - 1) << lsb % 8;
  Wide window = 0;
  std::memcpy(&window, at, size);
  window = (window & ~mask) | Wide{value} << lsb % 8;
  std::memcpy(at, &window, size);
}

// Widths of config_t, pe_t, context_t and event_t in pmuv3_pkg.sv. The first member of a struct has
// the top bits.
constexpr unsigned kConfigBits = PMUV3_NUM_FEATURES
#define PMUV3_PARAM(name, dflt, min, max, bits, text) +(bits)
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) +(bits)
#include "pmuv3/params.def"
    ;
constexpr unsigned kPeBits = 0
#define PMUV3_PE_NUMBER(name, bits, text) +(bits)
#define PMUV3_PE_MASK(name, bits, text) +(bits)
#define PMUV3_PE_FLAG(name, text) +1
#include "pmuv3/pe.def"
    ;
static_assert(kPeBits <= 64);
constexpr int kContextBits = 5;
constexpr unsigned kEventBits = 23;

// The configuration input.
template <class Port>
void PutConfig(Port &port, const pmuv3_params &params) {
  static_assert(kConfigBits <= 8 * sizeof port);
  unsigned lsb = kConfigBits;
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  PutBits(port, lsb -= (bits), (bits), params.name);
#include "pmuv3/params.def"
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  PutBits(port, lsb -= (bits), (bits), params.id);
#include "pmuv3/params.def"
  PutBits(port, 0, PMUV3_NUM_FEATURES, params.features);
}

inline uint64_t Pack(const pmuv3_pe &pe) {
  uint64_t packed = 0;
  unsigned lsb = 0;
#define PMUV3_PE_NUMBER(name, bits, text) packed |= uint64_t{pe.name} << lsb, lsb += bits;
#define PMUV3_PE_FLAG(name, text) packed |= uint64_t{pe.name} << lsb, lsb += 1;
#define PMUV3_PE_MASK(name, bits, text) packed |= pe.name << lsb, lsb += bits;
#include "pmuv3/pe.def"
  return packed;
}

inline uint64_t Pack(const pmuv3_context &context) {
  return context.related << 4 | context.ss << 2 | context.el;
}

inline uint32_t Pack(const pmuv3_event &event) {
  const uint32_t sync = (event.traits & PMUV3_EVENT_TRAIT_SYNC) != 0;
  return sync << 22 | uint32_t{event.attribution} << 19 | uint32_t{event.event_class} << 16 |
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

// Whether a model samples its inputs (rtl/sampled.sh). Only then can inputs change together with
// the clock edge that they come after.
template <class Model, class = void>
constexpr bool kIsSampled = false;
template <class Model>
constexpr bool kIsSampled<Model, std::void_t<decltype(Model::sample_i)>> = true;

template <class Model>
void Sample(Model &model) {
  if constexpr (kIsSampled<Model>) model.sample_i = !model.sample_i;
}

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

// Evaluates a Verilated model with its inputs as they are now. A model that samples its inputs has
// to be told; those with waves or mutants do not. occurrences: false only if
// occurrence_i is the same as in the last evaluation.
template <class Model>
void Evaluate(Model &model, bool occurrences = true) {
  Sample(model);
  if (occurrences) Occur(model, 0);
  model.eval();
}

}  // namespace pmuv3_rtl

#endif
