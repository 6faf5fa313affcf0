#include "tlm_wrapper/decoupled.h"

#include <algorithm>

#include "tlm_wrapper/spread.h"

constexpr const char *kLate = "late: the thread has told this cycle already";

pmuv3_decoupled::pmuv3_decoupled(pmuv3_side *side, const pmuv3_open_cycle &cycle)
    : threads_(side->params.threads) {
  all_.side = side;
  all_.follows = (1u << threads_) - 1;
  std::copy_n(cycle.pe(), PMUV3_MAX_THREADS, pe_);
  for (unsigned t = 0; t < threads_; t++) {
    thread_.emplace_back(side->params);
    for (unsigned other = 0; other < threads_; other++) thread_[t].open.set_pe(other, pe_[other]);
    thread_[t].open.set_increments(t, cycle.has_increments(t));
    thread_[t].depends = can_copy() && side->ops->depends(side, t);
  }
  follow();
}

// ---- Time ----

void pmuv3_decoupled::reach(uint64_t cycle) {
  if (cycle < all_.made) return;
  for (unsigned t = 0; t < threads_; t++)
    if (thread_[t].told < cycle) tell(t, cycle);
  follow();  // copies are never behind
  advance(all_, cycle, nullptr, 0);
  prune();
  for (unsigned t = 0; t < threads_; t++) {
    Thread &thread = thread_[t];
    if (!thread.depends || !thread.log.empty() || all_.side->ops->depends(all_.side, t)) continue;
    thread.depends = false;  // nothing that it told waits
    thread.copy.reset();
  }
  follow();
}

// Drops the steps that the side has made.
void pmuv3_decoupled::prune() {
  for (unsigned t = 0; t < threads_; t++) {
    Thread &thread = thread_[t];
    for (; thread.dropped < all_.place[t].step; thread.dropped++) thread.log.pop_front();
  }
}

uint64_t pmuv3_decoupled::all_told() const {
  uint64_t least = UINT64_MAX;
  for (const Thread &thread : thread_) least = std::min(least, thread.told);
  return least;
}

bool pmuv3_decoupled::is_together() const {
  return std::all_of(thread_.begin(), thread_.end(), [this](const Thread &thread) {
    return thread.told == all_.made && thread.log.empty() && thread.open.is_empty();
  });
}

void pmuv3_decoupled::drop() {
  for (unsigned t = 0; t < threads_; t++) {
    Thread &thread = thread_[t];
    thread.dropped += thread.log.size();
    thread.log.clear();
    all_.place[t] = {thread.dropped, 0};
    thread.told = all_.made;
    thread.open.start();
    thread.open.set_pe(t, pe_[t]);
    thread.written = thread.ended;
  }
  touched();
}

// ---- What threads tell ----

void pmuv3_decoupled::push(unsigned thread, Step step) {
  thread_[thread].log.push_back(std::move(step));
}

// The cycle under way has been told.
void pmuv3_decoupled::close(unsigned thread) {
  Thread &of = thread_[thread];
  Step step;
  step.cycles = 1;
  step.cycle = of.open.cycle();
  step.occurrences.assign(step.cycle.occurrences,
                          step.cycle.occurrences + step.cycle.num_occurrences);
  push(thread, std::move(step));
  of.open.start();
  of.told++;
}

// Moves a thread's time on to a cycle.
const char *pmuv3_decoupled::tell(unsigned thread, uint64_t at) {
  Thread &of = thread_[thread];
  if (at < of.told) return kLate;
  if (at > of.told && !of.open.is_empty()) close(thread);
  if (at == of.told) return nullptr;
  of.open.start();
  Step idle;
  idle.cycles = at - of.told;
  push(thread, std::move(idle));
  of.told = at;
  return nullptr;
}

const char *pmuv3_decoupled::refuse(unsigned thread, uint64_t at, const char *why) {
  const char *late = tell(thread, at);
  follow();
  return late ? late : why;
}

const char *pmuv3_decoupled::set_pe(unsigned thread, uint64_t at, const pmuv3_pe &pe) {
  if (const char *wrong = tell(thread, at)) return wrong;
  if (const char *wrong = thread_[thread].open.set_pe(thread, pe)) return refuse(thread, at, wrong);
  Step step;
  step.pe = pe;
  push(thread, std::move(step));
  follow();
  return nullptr;
}

const char *pmuv3_decoupled::in_context(unsigned thread, uint64_t at,
                                        const pmuv3_context &context) {
  if (const char *wrong = tell(thread, at)) return wrong;
  follow();
  return thread_[thread].open.in_context(thread, context);
}

const char *pmuv3_decoupled::occur(uint64_t at, const pmuv3_occurrence &occurrence) {
  if (const char *wrong = tell(occurrence.thread, at)) return wrong;
  follow();
  return thread_[occurrence.thread].open.occur(occurrence);
}

const char *pmuv3_decoupled::notify(unsigned thread, uint64_t at, uint16_t event, unsigned count,
                                    const pmuv3_context &context) {
  if (const char *wrong = tell(thread, at)) return wrong;
  follow();
  return thread_[thread].open.notify(event, count, thread, context);
}

const char *pmuv3_decoupled::capture(unsigned thread, uint64_t at) {
  if (const char *wrong = tell(thread, at)) return wrong;
  follow();
  return thread_[thread].open.capture(thread);
}

const char *pmuv3_decoupled::write_with_clock(unsigned thread, uint64_t at,
                                              const pmuv3_write &write) {
  if (const char *wrong = tell(thread, at)) return wrong;
  follow();
  if (!thread_[thread].open.write(thread, write)) return "the thread has a write in this clock";
  thread_[thread].written.reset();
  return nullptr;
}

static const char *rates_wrong(const pmuv3_params &params, const pmuv3_open_cycle &open,
                               unsigned thread, uint64_t cycles,
                               const std::vector<pmuv3_rate> &rates) {
  for (const pmuv3_rate &rate : rates)
    if (rate.thread != thread) return "the event is another thread's";
  return pmuv3_rates_wrong(&params, open.pe(), cycles, rates.data(),
                           static_cast<unsigned>(rates.size()));
}

const char *pmuv3_decoupled::run(unsigned thread, uint64_t at, uint64_t cycles,
                                 const std::vector<pmuv3_rate> &rates) {
  Thread &of = thread_[thread];
  if (const char *wrong = tell(thread, at)) return wrong;
  if (!of.open.is_empty()) return refuse(thread, at, "something waits for the cycle under way");
  if (const char *wrong = rates_wrong(all_.side->params, of.open, thread, cycles, rates))
    return refuse(thread, at, wrong);
  pmuv3_spread spread(cycles, rates);
  for (uint64_t done = 0; done < cycles;) {
    Step step;
    step.cycles = spread.from(done);
    step.occurrences = spread.occurrences();
    done += step.cycles;
    push(thread, std::move(step));
  }
  if (cycles != 0) of.open.start();
  of.told += cycles;
  follow();
  return nullptr;
}

// In a copy of its own, since overflows of other threads do not matter.
std::optional<uint64_t> pmuv3_decoupled::next_overflow(unsigned thread, uint64_t at,
                                                       uint64_t cycles,
                                                       const std::vector<pmuv3_rate> &rates) {
  const Thread &of = thread_[thread];
  pmuv3_side *side = ahead(thread, at);
  if (!side || !of.open.is_empty() || !pmuv3_side_foresees(side) ||
      rates_wrong(all_.side->params, of.open, thread, cycles, rates))
    return std::nullopt;
  const std::unique_ptr<pmuv3_side, Destroy> trial(side->ops->clone(side));
  if (!trial) return std::nullopt;
  pmuv3_spread spread(cycles, rates);
  for (uint64_t done = 0; done < cycles;) {
    const uint64_t alike = spread.from(done);
    done += to_change(trial.get(), thread, spread.cycle(), alike);
    if (pmuv3_side_outputs(trial.get(), thread).pulses != 0) return done;
  }
  return 0;
}

// ---- Accesses ----

pmuv3_side *pmuv3_decoupled::ahead(unsigned thread, uint64_t at) {
  const Thread &of = thread_[thread];
  if (tell(thread, at)) return nullptr;
  follow();
  return !of.depends && of.copy && of.ahead.made == at ? of.ahead.side : nullptr;
}

void pmuv3_decoupled::wrote(unsigned thread, const pmuv3_write &write) {
  Thread &of = thread_[thread];
  Step step;
  step.write = write;
  push(thread, std::move(step));
  of.ahead.place[thread].step++;  // made already
  note(of, thread, of.ahead.side, of.ahead.made);
  if (!all_.side->ops->depends(of.ahead.side, thread)) return;
  of.depends = true;
  of.copy.reset();
  follow();
}

void pmuv3_decoupled::touched() {
  for (unsigned t = 0; t < threads_; t++) {
    Thread &thread = thread_[t];
    thread.copy.reset();
    thread.changes.clear();
    note(thread, t, all_.side, all_.made);
    if (can_copy() && all_.side->ops->depends(all_.side, t)) thread.depends = true;
  }
  follow();
}

// ---- Copies that run ahead ----

// Brings all copies as far as they can be.
void pmuv3_decoupled::follow() {
  if (!can_copy()) return;
  for (unsigned t = 0; t < threads_; t++) follow(t);
}

void pmuv3_decoupled::follow(unsigned thread) {
  Thread &of = thread_[thread];
  for (;;) {
    if (!of.copy) copy(thread);
    if (!of.copy) return;  // memory ran out: it synchronizes
    if (advance(of.ahead, of.depends ? all_told() : of.told, &of, thread)) return;
    of.depends = true;  // on what it did not follow
    of.copy.reset();
  }
}

void pmuv3_decoupled::copy(unsigned thread) {
  Thread &of = thread_[thread];
  of.ahead = all_;
  of.copy.reset(all_.side->ops->clone(all_.side));
  of.ahead.side = of.copy.get();
  of.ahead.follows = of.depends ? all_.follows : 1u << thread;
  of.changes.erase(std::find_if(of.changes.begin(), of.changes.end(),
                                [this](const Change &change) { return change.at > all_.made; }),
                   of.changes.end());
  if (of.copy) note(of, thread, of.ahead.side, of.ahead.made);
}

// ---- Making cycles ----

// Makes the cycles before `cycle`, and what lies between the last of them and the next. False: a
// copy that follows only its thread found that the thread depends on others.
bool pmuv3_decoupled::advance(Strand &strand, uint64_t cycle, Thread *ahead, unsigned thread) {
  std::vector<pmuv3_occurrence> occurrences;
  for (;;) {
    if (!between(strand, ahead, thread)) return false;
    if (strand.made >= cycle) return true;
    pmuv3_cycle now = {};
    uint64_t cycles = piece(strand, cycle - strand.made, &occurrences, &now);
    if (ahead)
      cycles = to_change(strand.side, thread, now, cycles);
    else
      pmuv3_side_repeat(strand.side, &now, cycles);
    pass(strand, cycles);
    if (now.has_write) take_results(strand, now.has_write, ahead, thread);
    if (!ahead) continue;
    note(*ahead, thread, strand.side, strand.made);
    if (now.has_write && !ahead->depends && strand.side->ops->depends(strand.side, thread))
      return false;
  }
}

// What the logs have between two cycles.
bool pmuv3_decoupled::between(Strand &strand, Thread *ahead, unsigned thread) {
  for (unsigned t = 0; t < threads_; t++) {
    const Thread &of = thread_[t];
    Place &place = strand.place[t];
    if (!(strand.follows >> t & 1)) continue;
    for (; place.step < of.dropped + of.log.size(); place = {place.step + 1, 0}) {
      const Step &step = of.log[place.step - of.dropped];
      if (step.cycles > 0) break;
      if (step.pe) pmuv3_side_set_pe(strand.side, t, &*step.pe);
      if (step.pe && &strand == &all_) pe_[t] = *step.pe;
      if (!step.write) continue;
      if (step.write->checked)
        pmuv3_side_msr(strand.side, t, step.write->reg, step.write->value);
      else
        pmuv3_side_write(strand.side, t, step.write->reg, step.write->value);
      if (ahead && !ahead->depends && strand.side->ops->depends(strand.side, thread)) return false;
    }
  }
  if (ahead) note(*ahead, thread, strand.side, strand.made);
  return true;
}

// The next cycles that are alike, at most so many: how many there are, and what is in them.
uint64_t pmuv3_decoupled::piece(const Strand &strand, uint64_t most,
                                std::vector<pmuv3_occurrence> *occurrences,
                                pmuv3_cycle *cycle) const {
  uint64_t cycles = most;
  occurrences->clear();
  for (unsigned t = 0; t < threads_; t++) {
    const Thread &of = thread_[t];
    const Place &place = strand.place[t];
    if (!(strand.follows >> t & 1) || place.step == of.dropped + of.log.size()) continue;
    const Step &step = of.log[place.step - of.dropped];
    cycles = std::min(cycles, step.cycles - place.done);
    occurrences->insert(occurrences->end(), step.occurrences.begin(), step.occurrences.end());
    cycle->other[t] = step.cycle.other[t];
    cycle->write[t] = step.cycle.write[t];
    cycle->has_write |= step.cycle.has_write;
    cycle->capture |= step.cycle.capture;
  }
  cycle->occurrences = occurrences->data();
  cycle->num_occurrences = static_cast<uint16_t>(occurrences->size());
  return cycles;
}

void pmuv3_decoupled::pass(Strand &strand, uint64_t cycles) {
  strand.made += cycles;
  for (unsigned t = 0; t < threads_; t++) {
    const Thread &of = thread_[t];
    Place &place = strand.place[t];
    if (!(strand.follows >> t & 1) || place.step == of.dropped + of.log.size()) continue;
    place.done += cycles;
    if (place.done == of.log[place.step - of.dropped].cycles) place = {place.step + 1, 0};
  }
}

// A cycle with writes was made: in the side itself, or `ahead` in a copy for a thread.
void pmuv3_decoupled::take_results(const Strand &strand, uint8_t has_write, const Thread *ahead,
                                   unsigned thread) {
  const pmuv3_ends ends = pmuv3_side_written(strand.side);
  for (unsigned t = 0; t < threads_; t++) {
    if (!(has_write >> t & 1)) continue;
    const auto result = static_cast<pmuv3_result>(ends.result[t]);
    if (!ahead) thread_[t].ended = result;
    if (ahead ? t == thread : !can_copy()) thread_[t].written = result;
  }
}

// Makes these cycles, which are alike, in a copy, up to and with a change of the thread's outputs.
// Without a write and a new state only an overflow changes them, and the end of its pulses. Returns
// how many it made.
uint64_t pmuv3_decoupled::to_change(pmuv3_side *side, unsigned thread, const pmuv3_cycle &cycle,
                                    uint64_t cycles) {
  const bool pulses = pmuv3_side_outputs(side, thread).pulses != 0;
  return side->ops->repeat_to_overflow(side, &cycle, pulses ? 1 : cycles);
}

// ---- Outputs ----

void pmuv3_decoupled::note(Thread &of, unsigned thread, pmuv3_side *side, uint64_t at) {
  const struct pmuv3_outputs now = pmuv3_side_outputs(side, thread);
  if (of.changes.empty() || of.changes.back().outputs != now) of.changes.push_back({at, now});
}

// A side without copies makes each cycle at its time.
std::optional<uint64_t> pmuv3_decoupled::next_change(uint64_t last) const {
  if (!can_copy()) return all_.made + 1;
  std::optional<uint64_t> next;
  for (unsigned t = 0; t < threads_; t++) {
    const std::optional<uint64_t> at = next_change_of(t, last);
    if (at) next = std::min(next.value_or(UINT64_MAX), *at);
  }
  return next;
}

std::optional<uint64_t> pmuv3_decoupled::next_change_of(unsigned thread, uint64_t last) const {
  const Thread &of = thread_[thread];
  for (const Change &change : of.changes)
    if (change.at > all_.made) return change.at;
  if (!of.copy || waits(of)) return std::max(of.ahead.made, all_.made) + 1;
  // Nothing is told of the cycles that follow, and none may be.
  pmuv3_side *side = of.ahead.side;
  if (!pmuv3_side_foresees(side) || pmuv3_side_outputs(side, thread).pulses != 0)
    return of.ahead.made + 1;
  if (last <= of.ahead.made) return std::nullopt;
  const uint64_t overflow = pmuv3_side_next_overflow(side, last - of.ahead.made, nullptr, 0);
  if (overflow == 0) return std::nullopt;
  return of.ahead.made + overflow;
}

// Whether threads have told of cycles that the copy has not made, but would.
bool pmuv3_decoupled::waits(const Thread &of) const {
  for (unsigned t = 0; t < threads_; t++) {
    const Thread &other = thread_[t];
    if (!(of.ahead.follows >> t & 1)) continue;
    if (!other.open.is_empty() || of.ahead.place[t].step < other.dropped + other.log.size())
      return true;
  }
  return false;
}

struct pmuv3_outputs pmuv3_decoupled::outputs(unsigned thread) {
  std::deque<Change> &changes = thread_[thread].changes;
  if (!can_copy()) return pmuv3_side_outputs(all_.side, thread);
  while (changes.size() > 1 && changes[1].at <= all_.made) changes.pop_front();
  return changes.empty() ? pmuv3_side_outputs(all_.side, thread) : changes.front().outputs;
}
