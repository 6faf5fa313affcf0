#include "tlm_wrapper/open_cycle.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "pmuv3/registers.h"
#include "tlm_wrapper/increments.h"

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
  if (has_increments(thread) && !pmuv3_pe_equal(&pe_[thread], &pe))
    return "software increments wait for the cycle";
  const bool stays = pe.el == pe_[thread].el && pe.ss == pe_[thread].ss;
  if (!stays && has_notified(thread)) return notify_again(thread, pe);
  pe_[thread] = pe;
  return nullptr;
}

const char *pmuv3_open_cycle::in_context(unsigned thread, const pmuv3_context &context) {
  if (!has_thread(thread)) return kNoThread;
  if (const char *wrong = take_context(thread, context)) return wrong;
  has_given_ |= static_cast<uint8_t>(1u << thread);
  return nullptr;
}

const char *pmuv3_open_cycle::take_context(unsigned thread, const pmuv3_context &context) {
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
  if (const char *wrong = add(occurrence)) return wrong;
  if (occurrence.origin != PMUV3_CURRENT)
    has_given_ |= static_cast<uint8_t>(has_context_ & 1u << occurrence.thread);
  return nullptr;
}

const char *pmuv3_open_cycle::add(const pmuv3_occurrence &occurrence) {
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

// ---- Occurrences that name their context ----

const char *pmuv3_open_cycle::notify(uint16_t event, unsigned count, unsigned thread,
                                     const pmuv3_context &context) {
  if (!has_thread(thread)) return kNoThread;
  if (count > UINT8_MAX) return kTooOften;
  const Notified told = {event, static_cast<uint16_t>(count), static_cast<uint8_t>(thread),
                         context};
  const pmuv3_origin origin = is_own(told) ? PMUV3_CURRENT : PMUV3_OTHER;
  if (count == 0) return wrong_notified(told, origin);
  const char *wrong = add_notified(told, origin);
  if (!wrong) notified_.push_back(told);
  return wrong;
}

// What is wrong with an occurrence, whatever else is in the cycle.
const char *pmuv3_open_cycle::wrong_notified(const Notified &told, pmuv3_origin origin) const {
  const pmuv3_event *event = pmuv3_events_at(&params_.events, rows_.get(), told.event);
  const pmuv3_occurrence occurrence = {told.event, static_cast<uint8_t>(told.count), told.thread,
                                       static_cast<uint8_t>(origin)};
  if (const char *wrong = pmuv3_context_wrong(&params_, told.context.el, told.context.ss))
    return wrong;
  return pmuv3_occurrence_wrong(&params_, event, &occurrence);
}

// Occurrences that are refused leave no context behind.
const char *pmuv3_open_cycle::add_notified(const Notified &told, pmuv3_origin origin) {
  const pmuv3_occurrence occurrence = {told.event, static_cast<uint8_t>(told.count), told.thread,
                                       static_cast<uint8_t>(origin)};
  if (origin == PMUV3_CURRENT) return add(occurrence);
  const pmuv3_context context_before = cycle_.other[told.thread];
  const uint8_t had_context = has_context_;
  const char *wrong = take_context(told.thread, told.context);
  if (!wrong) wrong = add(occurrence);
  if (wrong) {
    cycle_.other[told.thread] = context_before;
    has_context_ = had_context;
  }
  return wrong;
}

bool pmuv3_open_cycle::is_own(const Notified &told) const {
  const pmuv3_pe &pe = pe_[told.thread];
  return told.context.el == pe.el && told.context.ss == pe.ss;
}

// An event without a context is the cycle's.
pmuv3_origin pmuv3_open_cycle::origin_of(const Notified &told) const {
  const pmuv3_event *event = pmuv3_events_at(&params_.events, rows_.get(), told.event);
  return is_own(told) || !pmuv3_event_has(event, PMUV3_OTHER) ? PMUV3_CURRENT : PMUV3_OTHER;
}

uint16_t pmuv3_open_cycle::place(const Notified &told) const {
  const pmuv3_event *event = pmuv3_events_at(&params_.events, rows_.get(), told.event);
  return event ? place_[event - params_.events.event][told.thread][origin_of(told)] : 0;
}

bool pmuv3_open_cycle::has_notified(unsigned thread) const {
  return std::any_of(notified_.begin(), notified_.end(),
                     [thread](const Notified &told) { return told.thread == thread; });
}

// They stay in the contexts that they name, whichever of these is the thread's own one now.
const char *pmuv3_open_cycle::notify_again(unsigned thread, const pmuv3_pe &pe) {
  std::vector<unsigned char> before;
  save(&before);
  withdraw(thread);
  pe_[thread] = pe;
  const char *wrong = nullptr;
  for (const Notified &told : notified_)
    if (told.thread == thread && !wrong) wrong = add_notified(told, origin_of(told));
  if (wrong) restore(before.data(), before.size());
  return wrong;
}

void pmuv3_open_cycle::withdraw(unsigned thread) {
  for (const Notified &told : notified_) {
    if (told.thread != thread) continue;
    uint8_t &count = occurrences_[place(told) - 1].count;
    count = static_cast<uint8_t>(count - told.count);
  }
  if (has_given_ >> thread & 1) return;
  cycle_.other[thread] = {};
  has_context_ &= static_cast<uint8_t>(~(1u << thread));
}

// ---- What else is in a cycle ----

void pmuv3_open_cycle::note_write(pmuv3_side *side, unsigned thread, const pmuv3_write &write) {
  const bool may = write.reg == PMUV3_PMSWINC || write.reg == PMUV3_PMSWINC_AA32;
  if (may && !has_increments(thread) && pmuv3_increments(side, thread, &pe_[thread], &write))
    set_increments(thread, true);
}

void pmuv3_open_cycle::set_increments(unsigned thread, bool wait) {
  const auto bit = static_cast<uint8_t>(1u << thread);
  increments_ = static_cast<uint8_t>(wait ? increments_ | bit : increments_ & ~bit);
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

// ---- As bytes ----

namespace {
struct Saved {
  pmuv3_pe pe[PMUV3_MAX_THREADS];
  pmuv3_cycle cycle;
  uint8_t has_context, has_given, increments;
  uint64_t notified;  // how many there are
};

void append(std::vector<unsigned char> *bytes, const void *from, size_t size) {
  const auto *first = static_cast<const unsigned char *>(from);
  bytes->insert(bytes->end(), first, first + size);
}
}  // namespace

// An occurrence that was withdrawn may have left a place, of count 0, whose context is gone. It
// cannot be told again.
void pmuv3_open_cycle::save(std::vector<unsigned char> *bytes) const {
  std::vector<pmuv3_occurrence> told;
  std::copy_if(occurrences_, occurrences_ + cycle_.num_occurrences, std::back_inserter(told),
               [this](const pmuv3_occurrence &occurrence) {
                 return occurrence.origin != PMUV3_OTHER || has_context_ >> occurrence.thread & 1;
               });
  Saved saved = {};
  std::copy_n(pe_, PMUV3_MAX_THREADS, saved.pe);
  saved.cycle = cycle_;
  saved.cycle.occurrences = nullptr;
  saved.cycle.num_occurrences = static_cast<decltype(saved.cycle.num_occurrences)>(told.size());
  saved.has_context = has_context_;
  saved.has_given = has_given_;
  saved.increments = increments_;
  saved.notified = notified_.size();
  append(bytes, &saved, sizeof saved);
  append(bytes, told.data(), sizeof(pmuv3_occurrence) * told.size());
  append(bytes, notified_.data(), sizeof(Notified) * notified_.size());
}

// Occurrences are told again, since each has its place.
bool pmuv3_open_cycle::restore(const unsigned char *bytes, size_t size) {
  Saved saved;
  if (size < sizeof saved) return false;
  std::memcpy(&saved, bytes, sizeof saved);
  bytes += sizeof saved;
  size -= sizeof saved;
  const size_t occurrences = sizeof *occurrences_ * saved.cycle.num_occurrences;
  if (size < occurrences || saved.notified != (size - occurrences) / sizeof(Notified) ||
      (size - occurrences) % sizeof(Notified) != 0)
    return false;
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
    std::memcpy(&occurrence, bytes + i * sizeof occurrence, sizeof occurrence);
    if (add(occurrence)) return false;
  }
  has_given_ = saved.has_given;
  increments_ = saved.increments;
  notified_.resize(saved.notified);
  if (saved.notified != 0) std::memcpy(notified_.data(), bytes + occurrences, size - occurrences);
  return std::all_of(notified_.begin(), notified_.end(), [this](const Notified &told) {
    return has_thread(told.thread) && place(told);
  });
}

void pmuv3_open_cycle::start() {
  for (int i = 0; i < cycle_.num_occurrences; i++) *places_[i] = 0;
  cycle_ = {};
  cycle_.occurrences = occurrences_;
  has_context_ = has_given_ = increments_ = 0;
  notified_.clear();
}
