// What the RTL shows of each thread: the probes' ports and the outputs, as the two sides of a
// lockstep compare them.
//
// Ports are flat vectors, thread 0 lowest, which Verilator keeps as arrays of words: on a
// little-endian host what has a multiple of 8 bits is copied as memory.
#ifndef PMUV3_RTL_PROBES_H
#define PMUV3_RTL_PROBES_H

#include <cstdint>
#include <cstring>

#include "tlm_wrapper/side.h"

namespace pmuv3_rtl {

// An element of a port, whatever Verilator keeps it in.
template <class Port, class Element>
void PutElement(Port &port, unsigned index, Element value) {
  std::memcpy(reinterpret_cast<uint8_t *>(&port) + sizeof value * index, &value, sizeof value);
}

template <class Element, class Port>
Element GetElement(const Port &port, unsigned index) {
  Element value;
  std::memcpy(&value, reinterpret_cast<const uint8_t *>(&port) + sizeof value * index,
              sizeof value);
  return value;
}

// A thread's bits of a port that has `width` for each thread: at most 33, in one or two words.
template <class Port>
uint64_t ThreadBits(const Port &from, unsigned width, unsigned thread) {
  uint32_t words[(sizeof from + 3) / 4 + 1] = {};
  std::memcpy(words, &from, sizeof from);
  const unsigned lsb = width * thread;
  const uint64_t two_words = uint64_t{words[lsb / 32 + 1]} << 32 | words[lsb / 32];
  return two_words >> lsb % 32 & ((uint64_t{1} << width) - 1);
}

// The model's ports have kThreads threads of kLanes lanes. The model is evaluated by its owner.
template <class Model, unsigned kThreads, unsigned kLanes>
class Probes {
 public:
  explicit Probes(const Model &model) : model_(model) {}

  // The values that exist only during a cycle are 0 after a reset.
  void Reset() { std::memset(now_, 0, sizeof now_); }

  // Keeps the values that exist only during the cycle.
  void SampleCycle(unsigned thread) {
    pmuv3_probe &now = now_[thread];
    now.allowed = LaneBits(model_.probe_allowed_o, thread);
    now.CT = LaneBits(model_.probe_ct_o, thread);
    now.CP = LaneBits(model_.probe_cp_o, thread);
    now.CE = LaneBits(model_.probe_ce_o, thread);
    CopyLanes(now.VB, model_.probe_vb_o, thread);
    CopyLanes(now.VT, model_.probe_vt_o, thread);
    CopyLanes(now.VE, model_.probe_ve_o, thread);
    CopyLanes(now.V, model_.probe_v_o, thread);
    now.pulses = ThreadBits(model_.pulse_o, 33, thread);
  }

  // Those values, and the registers as they are now.
  const pmuv3_probe &Of(unsigned thread) {
    pmuv3_probe &now = now_[thread];
    CopyLanes(now.svr, model_.probe_svr_o, thread);
    CopyLanes(now.value, model_.probe_value_o, thread);
    CopyLanes(now.evtyper, model_.probe_evtyper_o, thread);
    now.overflow = LaneBits(model_.probe_overflow_o, thread);
    now.cnten = LaneBits(model_.probe_cnten_o, thread);
    now.inten = LaneBits(model_.probe_inten_o, thread);
    const struct pmuv3_outputs outputs = Outputs(thread);
#define PMUV3_PROBE_GLOBAL(field, name, owner) \
  now.field = GetElement<uint64_t>(model_.probe_##field##_o, thread);
#define PMUV3_PROBE_FIXED(field, name, owner) \
  now.field = model_.probe_##field##_o >> 2 * thread & 3;
#define PMUV3_PROBE_STATIC(field, name, owner) now.field = field(thread);
#define PMUV3_PROBE_OUTPUT(field, name, owner) now.field = outputs.field;
#include "pmuv3/probe.def"
    return now;
  }

  struct pmuv3_outputs Outputs(unsigned thread) const {
    struct pmuv3_outputs outputs;
    outputs.irq = ThreadBits(model_.irq_o, 1, thread);
    outputs.cti = ThreadBits(model_.cti_o, 1, thread);
    outputs.exception = ThreadBits(model_.exception_o, 4, thread);
    outputs.halt = ThreadBits(model_.halt_o, 1, thread);
    outputs.brbe = ThreadBits(model_.brbe_o, 2, thread);
    outputs.pulses = now_[thread].pulses;
    return outputs;
  }

  // What reads of PMCEID0 and PMCEID1 gave: they follow from inputs that are static.
  void KeepEventIds(unsigned thread, uint64_t pmceid0, uint64_t pmceid1) {
    event_ids_[thread][0] = pmceid0;
    event_ids_[thread][1] = pmceid1;
  }

 private:
  uint64_t pmceid0(unsigned thread) const {
    return event_ids_[thread][0];
  }
  uint64_t pmceid1(unsigned thread) const {
    return event_ids_[thread][1];
  }

  // A thread's lanes, as many as the model has.
  template <class Port, class Lane>
  static void CopyLanes(Lane (&to)[PMUV3_LANES], const Port &from, unsigned thread) {
    static_assert(sizeof from >= sizeof(Lane) * kThreads * kLanes);
    const size_t size = sizeof(Lane) * kLanes;
    std::memcpy(to, reinterpret_cast<const uint8_t *>(&from) + size * thread, size);
  }

  // A thread's lanes of one bit.
  template <class Port>
  static uint32_t LaneBits(const Port &from, unsigned thread) {
    return static_cast<uint32_t>(ThreadBits(from, kLanes, thread));
  }

  const Model &model_;
  uint64_t event_ids_[kThreads][2] = {};
  pmuv3_probe now_[kThreads] = {};
};

}  // namespace pmuv3_rtl

#endif
