#include "tlm_wrapper/open_cycle.h"

#include <algorithm>
#include <cstring>

constexpr const char *kNoThread = "there is no such thread";
constexpr const char *kTooOften = "the event cannot occur so often in a cycle";

pmuv3_open_cycle::pmuv3_open_cycle(const pmuv3_params &params)
    : params_(params), rows_(new pmuv3_event_rows) {
  pmuv3_events_rows(&params_.events, rows_.get());
  std::fill_n(pe_, PMUV3_MAX_THREADS, pmuv3_pe PMUV3_PE_RESET);
  cycle_.occurrences = occurrences_;
}

const char *pmuv3_open_cycle::set_pe(unsigned thread, const pmuv3_pe &pe) {
  if (!has_thread(thread)) return kNoThread;
  if (const char *wrong = pmuv3_pe_wrong(&params_, &pe)) return wrong;
  if (!pe.halted && has_debugger(thread)) return "a debugger's operation of this cycle waits";
  pe_[thread] = pe;
  return nullptr;
}

const char *pmuv3_open_cycle::in_context(unsigned thread, const pmuv3_context &context) {
  if (!has_thread(thread)) return kNoThread;
  if (const char *wrong = pmuv3_context_wrong(&params_, context.el, context.ss)) return wrong;
  pmuv3_context &other = cycle_.other[thread];
  if (has_context_ >> thread & 1 && (other.el != context.el || other.ss != context.ss))
    return "the thread has another context in this cycle already";
  other = {context.el, context.ss, other.related || context.related};
  has_context_ |= static_cast<uint8_t>(1u << thread);
  return nullptr;
}

const char *pmuv3_open_cycle::wrong_with(const pmuv3_event *event,
                                         const pmuv3_occurrence &occurrence) const {
  if (const char *wrong = pmuv3_occurrence_wrong(&params_, event, &occurrence)) return wrong;
  if (occurrence.origin == PMUV3_OTHER && !(has_context_ >> occurrence.thread & 1))
    return "the thread has no other context";
  if (occurrence.origin == PMUV3_DEBUGGER && !pe_[occurrence.thread].halted)
    return "a debugger's operation on a thread that is not halted";
  return nullptr;
}

bool pmuv3_open_cycle::has_debugger(unsigned thread) const {
  return std::any_of(occurrences_, occurrences_ + cycle_.num_occurrences,
                     [thread](const pmuv3_occurrence &occurrence) {
                       return occurrence.thread == thread && occurrence.origin == PMUV3_DEBUGGER;
                     });
}

const char *pmuv3_open_cycle::occur(const pmuv3_occurrence &occurrence) {
  const pmuv3_event *event = pmuv3_events_at(&params_.events, rows_.get(), occurrence.event);
  if (const char *wrong = wrong_with(event, occurrence)) return wrong;
  uint16_t &at = place_[event - params_.events.event][occurrence.thread][occurrence.origin];
  pmuv3_occurrence all = occurrence;
  const int sum = occurrence.count + (at ? occurrences_[at - 1].count : 0);
  if (sum > event->most) return kTooOften;
  if (!at) {
    places_[cycle_.num_occurrences] = &at;
    at = ++cycle_.num_occurrences;
  }
  all.count = static_cast<uint8_t>(sum);
  occurrences_[at - 1] = all;
  return nullptr;
}

const char *pmuv3_open_cycle::notify(uint16_t event, unsigned count, unsigned thread,
                                     const pmuv3_context &context) {
  if (!has_thread(thread)) return kNoThread;
  if (count > UINT8_MAX) return kTooOften;
  const bool is_current = context.el == pe_[thread].el && context.ss == pe_[thread].ss;
  const pmuv3_occurrence occurrence = {
      event, static_cast<uint8_t>(count), static_cast<uint8_t>(thread),
      static_cast<uint8_t>(is_current ? PMUV3_CURRENT : PMUV3_OTHER)};
  if (is_current) return occur(occurrence);

  // Occurrences that are refused leave no context behind.
  const pmuv3_context context_before = cycle_.other[thread];
  const uint8_t had_context = has_context_;
  const char *wrong = in_context(thread, context);
  if (!wrong) wrong = occur(occurrence);
  if (wrong) {
    cycle_.other[thread] = context_before;
    has_context_ = had_context;
  }
  return wrong;
}

const char *pmuv3_open_cycle::capture(unsigned thread) {
  if (!has_thread(thread)) return kNoThread;
  cycle_.capture |= static_cast<uint8_t>(1u << thread);
  return nullptr;
}

bool pmuv3_open_cycle::write(unsigned thread, const pmuv3_write &write) {
  if (cycle_.has_write >> thread & 1) return false;
  cycle_.has_write |= static_cast<uint8_t>(1u << thread);
  cycle_.write[thread] = write;
  return true;
}

bool pmuv3_open_cycle::external(const pmuv3_external &write) {
  if (cycle_.has_external) return false;
  cycle_.has_external = true;
  cycle_.external = write;
  return true;
}

bool pmuv3_open_cycle::is_empty() const {
  return cycle_.num_occurrences == 0 && cycle_.has_write == 0 && !cycle_.has_external &&
         cycle_.capture == 0 && has_context_ == 0;
}

namespace {
struct Saved {
  pmuv3_pe pe[PMUV3_MAX_THREADS];
  pmuv3_cycle cycle;
  uint8_t has_context;
};
}  // namespace

void pmuv3_open_cycle::save(std::vector<unsigned char> *bytes) const {
  Saved saved = {};
  std::copy_n(pe_, PMUV3_MAX_THREADS, saved.pe);
  saved.cycle = cycle_;
  saved.cycle.occurrences = nullptr;
  saved.has_context = has_context_;
  const auto *from = reinterpret_cast<const unsigned char *>(&saved);
  bytes->insert(bytes->end(), from, from + sizeof saved);
  from = reinterpret_cast<const unsigned char *>(occurrences_);
  bytes->insert(bytes->end(), from, from + sizeof *occurrences_ * cycle_.num_occurrences);
}

// Occurrences are told again, since each has its place.
bool pmuv3_open_cycle::restore(const unsigned char *bytes, size_t size) {
  Saved saved;
  if (size < sizeof saved) return false;
  std::memcpy(&saved, bytes, sizeof saved);
  if (size != sizeof saved + sizeof *occurrences_ * saved.cycle.num_occurrences) return false;
  for (unsigned t = 0; has_thread(t); t++)
    if (pmuv3_pe_wrong(&params_, &saved.pe[t])) return false;
  start();
  std::copy_n(saved.pe, PMUV3_MAX_THREADS, pe_);
  cycle_ = saved.cycle;
  cycle_.occurrences = occurrences_;
  cycle_.num_occurrences = 0;
  has_context_ = saved.has_context;
  for (unsigned i = 0; i < saved.cycle.num_occurrences; i++) {
    pmuv3_occurrence occurrence;
    std::memcpy(&occurrence, bytes + sizeof saved + i * sizeof occurrence, sizeof occurrence);
    if (occur(occurrence)) return false;
  }
  return true;
}

void pmuv3_open_cycle::start() {
  for (int i = 0; i < cycle_.num_occurrences; i++) *places_[i] = 0;
  cycle_ = {};
  cycle_.occurrences = occurrences_;
  has_context_ = 0;
}
