// The state of pmuv3_tlm as bytes, and its counters in a trace.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "tlm_wrapper/decoupled.h"
#include "tlm_wrapper/pmuv3_tlm.h"

namespace {
// What the module has beside its side and the cycle under way, which follow.
struct SavedModule {
  uint64_t size;    // of all
  uint64_t digest;  // of all from `side_size` on
  uint64_t side_size;
  uint8_t has_written, written[PMUV3_MAX_THREADS];
  uint8_t has_external_written, external_written;
};

uint64_t digest_of(const std::vector<unsigned char> &bytes) {
  constexpr size_t kFrom = offsetof(SavedModule, side_size);
  return pmuv3_digest(bytes.data() + kFrom, bytes.size() - kFrom);
}
}  // namespace

std::vector<unsigned char> pmuv3_tlm::save() {
  meet_edge();
  reach_now();
  SavedModule saved = {};
  saved.side_size = pmuv3_side_save(side_, nullptr, 0);
  if (saved.side_size == 0 || (decoupled_ && !decoupled_->is_together())) return {};
  for (unsigned t = 0; has_thread(t); t++) {
    const bool waits = open_cycle(t).has_increments(t);
    cycle_.set_increments(t, false);
    if (decoupled_) cycle_.set_pe(t, decoupled_->pe(t));
    cycle_.set_increments(t, waits);
    const std::optional<pmuv3_result> result = decoupled_ ? decoupled_->written(t) : written_[t];
    saved.has_written |= static_cast<uint8_t>(result.has_value() << t);
    saved.written[t] = static_cast<uint8_t>(result.value_or(PMUV3_DONE));
  }
  saved.has_external_written = external_written_.has_value();
  saved.external_written = external_written_.value_or(false);
  const auto *from = reinterpret_cast<const unsigned char *>(&saved);
  std::vector<unsigned char> bytes(from, from + sizeof saved);
  bytes.resize(sizeof saved + saved.side_size);
  pmuv3_side_save(side_, bytes.data() + sizeof saved, saved.side_size);
  cycle_.save(&bytes);
  saved.size = bytes.size();
  saved.digest = digest_of(bytes);
  std::memcpy(bytes.data(), &saved, sizeof saved);
  return bytes;
}

// The cycle is tried first, so that nothing has changed if it is not one.
const char *pmuv3_tlm::restore(const std::vector<unsigned char> &bytes) {
  SavedModule saved;
  const auto trial = std::make_unique<pmuv3_open_cycle>(side_->params);
  if (bytes.size() < sizeof saved) return "no saved module: it is too short";
  std::memcpy(&saved, bytes.data(), sizeof saved);
  if (saved.size != bytes.size()) return "the saved module is not whole";
  if (saved.digest != digest_of(bytes)) return "the saved module was changed";
  if (saved.side_size > bytes.size() - sizeof saved) return "the saved module is another host's";
  const unsigned char *side = bytes.data() + sizeof saved;
  const unsigned char *cycle = side + saved.side_size;
  const size_t cycle_size = bytes.size() - sizeof saved - saved.side_size;
  meet_edge();
  reach_now();
  if (!trial->restore(cycle, cycle_size)) return "the saved module has other parameters";
  if (decoupled_ && !trial->is_empty()) return "something waits for the cycle under way";
  if (const char *wrong = pmuv3_side_restore(side_, side, saved.side_size)) return wrong;
  cycle_.restore(cycle, cycle_size);
  for (unsigned t = 0; has_thread(t); t++) {
    written_[t].reset();
    if (saved.has_written >> t & 1) written_[t] = static_cast<pmuv3_result>(saved.written[t]);
  }
  external_written_.reset();
  if (saved.has_external_written) external_written_ = saved.external_written != 0;
  // Cycles go on where they began before: now may be in the middle of one.
  if (decoupled_) {
    const uint64_t passed = cycle_at(sc_core::SC_ZERO_TIME) * period_.value();
    const sc_core::sc_time began = origin_ + sc_core::sc_time::from_value(passed);
    decoupled_.reset();
    decouple(period_);
    origin_ = began;
  }
  update_outputs();
  return nullptr;
}

void sc_trace(sc_core::sc_trace_file *file, pmuv3_tlm &pmu, const std::string &name) {
  const unsigned counters = pmu.side_->params.counters, each = counters + 2;
  pmu.traced_.resize(each * pmu.side_->params.threads);
  for (unsigned t = 0; pmu.has_thread(t); t++) {
    uint64_t *values = &pmu.traced_[each * t];
    const std::string thread = "_" + std::to_string(t);
    for (unsigned n = 0; n < counters; n++)
      sc_core::sc_trace(file, values[n], name + ".counter" + std::to_string(n) + thread);
    sc_core::sc_trace(file, values[counters], name + ".cycles" + thread);
    sc_core::sc_trace(file, values[counters + 1], name + ".instructions" + thread);
  }
  pmu.sample();
}

// What is traced. The probe has every counter. A read would not reach those of an external agent
// (EXTPMN). A counter that is not there stays 0.
void pmuv3_tlm::sample() {
  auto to = traced_.begin();
  for (unsigned t = 0; has_thread(t); t++) {
    struct pmuv3_probe probe;
    pmuv3_side_probe(side_, t, &probe);
    to = std::copy_n(probe.value, side_->params.counters, to);
    *to++ = probe.pmccntr;
    *to++ = probe.pmicntr;
  }
}
