// Presents the occurrences of a cycle to the RTL.
#ifndef PMUV3_RTL_OCCURRENCES_H
#define PMUV3_RTL_OCCURRENCES_H

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "tlm_wrapper/rtl_ports.h"

namespace pmuv3_rtl {

// events_i has a row for each event that has an input: SELF events have none. occurrence_i has a
// byte for each row, thread and origin. Rows beyond the set of events are not used.
template <class Model, unsigned kThreads>
class Occurrences {
 public:
  static_assert(kContextBits * kThreads <= 64, "uint64_t");

  // params outlive the object.
  Occurrences(Model &model, const pmuv3_params &params) : model_(model), params_(params) {
    std::memset(&model.events_i, 0, sizeof model.events_i);
    std::memset(&model.occurrence_i, 0, sizeof model.occurrence_i);
    for (unsigned e = 0; e < params.events.num; e++) {
      const pmuv3_event &event = params.events.event[e];
      if (event.event_class == PMUV3_EVENT_CLASS_SELF) continue;
      const auto input = static_cast<unsigned>(inputs_.size());
      PutBits(model.events_i, kEventBits * input, kEventBits, Pack(event));
      inputs_.push_back(&event);
      input_[event.number] = static_cast<uint16_t>(input);
    }
    Configure(model, 0);
  }

  // The occurrences and the contexts of a cycle. The bytes of the last cycle are still set.
  void Present(const pmuv3_cycle &cycle) {
    auto *counts = reinterpret_cast<uint8_t *>(&model_.occurrence_i);
    changed_ |= !presented_.empty();
    for (uint16_t i : presented_) counts[i] = 0;
    presented_.clear();
    for (int i = 0; i < cycle.num_occurrences; i++) {
      const pmuv3_occurrence &occurrence = cycle.occurrences[i];
      const unsigned input = input_[occurrence.event];
      if (input == kNoInput || !MayCount(*inputs_[input], occurrence, cycle)) continue;
      const unsigned word = kThreads * input + occurrence.thread;
      const auto index = static_cast<uint16_t>(PMUV3_NUM_ORIGINS * word + occurrence.origin);
      counts[index] = occurrence.count;
      presented_.push_back(index);
      changed_ = true;
    }
    PresentContexts(cycle);
  }

  // Whether occurrence_i has changed since the last call.
  bool TakeChanged() { return std::exchange(changed_, false); }

 private:
  static constexpr uint16_t kNoInput = UINT16_MAX;

  // What has no input, or a context that is not there, counts nothing: a wrong cycle does no harm
  // (pmuv3_cycle_wrong).
  bool MayCount(const pmuv3_event &event, const pmuv3_occurrence &occurrence,
                const pmuv3_cycle &cycle) const {
    if (occurrence.thread >= params_.threads || !pmuv3_event_has(&event, occurrence.origin))
      return false;
    const pmuv3_context &other = cycle.other[occurrence.thread];
    const bool is_there = occurrence.origin == PMUV3_OTHER ||
                          (occurrence.origin == PMUV3_UNATTRIBUTABLE && other.related);
    return !is_there || HasContext(other);
  }

  bool HasContext(const pmuv3_context &context) const {
    return !pmuv3_context_wrong(&params_, context.el, context.ss);
  }

  void PresentContexts(const pmuv3_cycle &cycle) {
    uint64_t contexts = 0;
    for (unsigned t = 0; t < params_.threads; t++)
      if (HasContext(cycle.other[t])) contexts |= Pack(cycle.other[t]) << kContextBits * t;
    model_.other_i = contexts;
  }

  Model &model_;
  const pmuv3_params &params_;
  std::vector<const pmuv3_event *> inputs_;  // the event of each row
  std::vector<uint16_t> input_ =
      std::vector<uint16_t>(0x10000, kNoInput);  // the row of each event's number
  std::vector<uint16_t> presented_;              // bytes of occurrence_i that the last cycle set
  bool changed_ = true;
};

}  // namespace pmuv3_rtl

#endif
