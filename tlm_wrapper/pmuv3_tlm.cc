#include "tlm_wrapper/pmuv3_tlm.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "tlm_wrapper/decoupled.h"
#include "tlm_wrapper/spread.h"

using tlm::tlm_response_status;

static const char kNever[] = "time ends before that";

// What a thread's core tells.
struct pmuv3_tlm::Thread : pmuv3_thread_if {
  Thread(pmuv3_tlm &pmu, unsigned thread) : pmu_(pmu), thread_(thread) {}

 private:
  // Whether time ends before so long from now, and whether it lasts for so many cycles.
  static bool is_never(const sc_core::sc_time &delay) {
    return delay > sc_core::sc_max_time() - sc_core::sc_time_stamp();
  }
  bool goes_on(uint64_t at, uint64_t cycles) const { return cycles <= pmu_.last_cycle() - at; }

  // Calls what takes the cycle of that time, and then looks at the outputs.
  template <class Tell>
  const char *tell(const sc_core::sc_time &delay, Tell what) {
    if (!pmu_.decoupled_) return "the threads have no times of their own (decouple)";
    if (is_never(delay)) return kNever;
    pmu_.reach_now();
    const char *wrong = what(*pmu_.decoupled_, pmu_.cycle_at(delay));
    pmu_.update_outputs();
    return wrong;
  }

  const char *set_pe(const pmuv3_pe &pe, const sc_core::sc_time &delay) override {
    return tell(delay, [&](auto &of, uint64_t at) { return of.set_pe(thread_, at, pe); });
  }
  const char *in_context(const pmuv3_context &context, const sc_core::sc_time &delay) override {
    return tell(delay, [&](auto &of, uint64_t at) { return of.in_context(thread_, at, context); });
  }
  const char *occur(const pmuv3_occurrence &occurrence, const sc_core::sc_time &delay) override {
    if (occurrence.thread != thread_) return "the event is another thread's";
    return tell(delay, [&](auto &of, uint64_t at) { return of.occur(at, occurrence); });
  }
  const char *notify(uint16_t event, unsigned count, const pmuv3_context &context,
                     const sc_core::sc_time &delay) override {
    return tell(delay, [&](auto &of, uint64_t at) {
      return of.notify(thread_, at, event, count, context);
    });
  }
  const char *capture(const sc_core::sc_time &delay) override {
    return tell(delay, [&](auto &of, uint64_t at) { return of.capture(thread_, at); });
  }
  const char *run(uint64_t cycles, const std::vector<pmuv3_rate> &rates,
                  const sc_core::sc_time &delay) override {
    return tell(delay, [&](auto &of, uint64_t at) {
      return goes_on(at, cycles) ? of.run(thread_, at, cycles, rates) : kNever;
    });
  }
  std::optional<uint64_t> next_overflow(uint64_t cycles, const std::vector<pmuv3_rate> &rates,
                                        const sc_core::sc_time &delay) override {
    if (!pmu_.decoupled_ || is_never(delay)) return std::nullopt;
    pmu_.reach_now();
    const uint64_t at = pmu_.cycle_at(delay);
    if (!goes_on(at, cycles)) return std::nullopt;
    return pmu_.decoupled_->next_overflow(thread_, at, cycles, rates);
  }
  std::optional<pmuv3_result> written() override {
    pmu_.reach_now();
    return pmu_.written(thread_);
  }

  pmuv3_tlm &pmu_;
  const unsigned thread_;
};

// The side, if there is one and nothing is wrong with it.
static pmuv3_side *whole(pmuv3_side *side) {
  if (!side) SC_REPORT_FATAL("/pmuv3/tlm", "no side given (pmuv3_params_wrong may say why)");
  if (const char *wrong = pmuv3_params_wrong(&side->params)) SC_REPORT_FATAL("/pmuv3/tlm", wrong);
  return side;
}

pmuv3_tlm::pmuv3_tlm(const sc_core::sc_module_name &name, pmuv3_side *side)
    : sc_module(name),
      irq("irq", side ? side->params.threads : 0),
      cti("cti", side ? side->params.threads : 0),
      exception("exception", side ? side->params.threads : 0),
      halt("halt", side ? side->params.threads : 0),
      brbe("brbe", side ? side->params.threads : 0),
      pulses("pulses", side ? side->params.threads : 0),
      threads("threads", side ? side->params.threads : 0),
      thread_registers("thread_registers", side ? side->params.threads : 0),
      side_(whole(side)),
      accessed_(side),
      cycle_(side->params) {
  events(*this);
  for (unsigned t = 0; has_thread(t); t++) {
    cores_.push_back(std::make_unique<Thread>(*this, t));
    threads[t](*cores_[t]);
    const int id = static_cast<int>(t);
    thread_registers[t].register_b_transport(this, &pmuv3_tlm::registers_b_transport, id);
    thread_registers[t].register_transport_dbg(this, &pmuv3_tlm::registers_dbg, id);
  }
  registers.register_b_transport(this, &pmuv3_tlm::registers_b_transport, kAnyThread);
  registers.register_transport_dbg(this, &pmuv3_tlm::registers_dbg, kAnyThread);
  registers32.register_b_transport(this, &pmuv3_tlm::registers_b_transport, kAnyThread);
  registers32.register_transport_dbg(this, &pmuv3_tlm::registers_dbg, kAnyThread);
  external.register_b_transport(this, &pmuv3_tlm::external_b_transport);
  external.register_transport_dbg(this, &pmuv3_tlm::external_dbg);

  SC_HAS_PROCESS(pmuv3_tlm);
  SC_METHOD(drive_outputs);
  sensitive << outputs_changed_;
  SC_METHOD(meet_change);
  sensitive << change_ << look_;
  dont_initialize();
}

pmuv3_params pmuv3_tlm::platform_params() {
  pmuv3_params params = pmuv3_params_default();
  params.features |= 1u << PMUV3_FEATURE_EXT64;
  pmuv3_params_complete(&params);
  return params;
}

static pmuv3_side *platform_side() {
  const pmuv3_params params = pmuv3_tlm::platform_params();
  return pmuv3_side_cmodel(&params);
}

pmuv3_tlm::pmuv3_tlm(const sc_core::sc_module_name &name) : pmuv3_tlm(name, platform_side()) {}

pmuv3_tlm::~pmuv3_tlm() {
  pmuv3_side_destroy(side_);
}

// Only now is it known whether there is a clock, and what resets.
void pmuv3_tlm::end_of_elaboration() {
  SC_HAS_PROCESS(pmuv3_tlm);
  SC_METHOD(meet_reset);
  for (in<bool> *port : {&warm_reset, &cold_reset})
    if (port->size() != 0) sensitive << (*port)->value_changed_event();
  if (clk.size() == 0) return;
  clock_ = clk[0];
  SC_METHOD(meet_edge);
  sensitive << clock_->posedge_event();
  dont_initialize();
}

void pmuv3_tlm::reset_cold() {
  meet_edge();
  reach_now();
  cycle_.start();
  if (!pmuv3_side_cold_reset(side_)) SC_REPORT_ERROR("/pmuv3/tlm", "this side has no Cold reset");
  if (decoupled_) decoupled_->drop();
  update_outputs();
}

// At the start, if it is active then. Whatever was done while a reset was active is lost when it
// ends.
void pmuv3_tlm::meet_reset() {
  const auto changed = [](const in<bool> &port) {
    return port.size() != 0 && (port[0]->event() || port[0]->read());
  };
  if (changed(cold_reset))
    reset_cold();
  else if (changed(warm_reset))
    reset();
}

pmuv3_side *pmuv3_tlm::side() {
  reach_now();
  return side_;
}

void pmuv3_tlm::reset() {
  meet_edge();
  reach_now();
  cycle_.start();
  pmuv3_side_reset(side_);
  if (decoupled_) decoupled_->drop();
  update_outputs();
}

// ---- Save, restore and trace ----

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
    if (decoupled_) cycle_.set_pe(t, decoupled_->pe(t));
    const std::optional<pmuv3_result> result = written(t);
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
  if (decoupled_) {
    decoupled_.reset();
    decouple(period_);
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

// What is traced. A counter that is not there stays 0.
void pmuv3_tlm::sample() {
  const unsigned counters = side_->params.counters;
  for (size_t i = 0; i < traced_.size(); i++) {
    const auto n = static_cast<uint16_t>(i % (counters + 2));
    const uint16_t reg[] = {PMUV3_PMEVCNTRn(n), PMUV3_PMCCNTR, PMUV3_PMICNTR};
    pmuv3_side_read(side_, static_cast<unsigned>(i / (counters + 2)),
                    reg[n < counters ? 0 : 1 + n - counters], &traced_[i]);
  }
}

// ---- Events ----

constexpr const char *kClocked = "the clock makes the cycles";
constexpr const char *kDecoupled = "each thread has a time of its own";

const char *pmuv3_tlm::set_pe(unsigned thread, const pmuv3_pe &pe) {
  if (decoupled_) return kDecoupled;
  meet_edge();
  if (const char *wrong = cycle_.set_pe(thread, pe)) return wrong;
  pmuv3_side_set_pe(side_, thread, &pe);
  update_outputs();
  return nullptr;
}

const char *pmuv3_tlm::in_context(unsigned thread, const pmuv3_context &context) {
  meet_edge();
  return decoupled_ ? kDecoupled : cycle_.in_context(thread, context);
}

const char *pmuv3_tlm::occur(const pmuv3_occurrence &occurrence) {
  meet_edge();
  return decoupled_ ? kDecoupled : cycle_.occur(occurrence);
}

const char *pmuv3_tlm::notify(uint16_t event, unsigned count, unsigned thread,
                              const pmuv3_context &context) {
  meet_edge();
  return decoupled_ ? kDecoupled : cycle_.notify(event, count, thread, context);
}

// ---- The clock ----

// A cycle ends before anything else is done in the delta cycle in which its clock edge is seen: in
// which order SystemC runs the processes that the edge wakes does not matter.
void pmuv3_tlm::meet_clock() {
  if (!clock_->posedge() || edge_ == sc_core::sc_delta_count()) return;
  edge_ = sc_core::sc_delta_count();
  end_cycle();
  update_outputs();
}

const char *pmuv3_tlm::advance(uint64_t cycles) {
  if (clock_) return kClocked;
  if (decoupled_) return kDecoupled;
  if (cycles == 0) return nullptr;
  end_cycle();
  pmuv3_side_repeat(side_, &cycle_.cycle(), cycles - 1);
  update_outputs();
  return nullptr;
}

const char *pmuv3_tlm::wrong_with(uint64_t cycles, const std::vector<pmuv3_rate> &rates) const {
  return pmuv3_rates_wrong(&side_->params, cycle_.pe(), cycles, rates.data(),
                           static_cast<unsigned>(rates.size()));
}

const char *pmuv3_tlm::run(uint64_t cycles, const std::vector<pmuv3_rate> &rates) {
  if (clock_) return kClocked;
  if (decoupled_) return kDecoupled;
  if (!cycle_.is_empty()) return "something waits for the cycle under way";
  if (const char *wrong = wrong_with(cycles, rates)) return wrong;
  pmuv3_spread spread(cycles, rates);
  for (uint64_t done = 0; done < cycles;) {
    const uint64_t alike = spread.from(done);
    pmuv3_side_repeat(side_, &spread.cycle(), alike);
    done += alike;
  }
  update_outputs();
  return nullptr;
}

std::optional<uint64_t> pmuv3_tlm::next_overflow(uint64_t cycles,
                                                 const std::vector<pmuv3_rate> &rates) {
  meet_edge();
  if (decoupled_ || !pmuv3_side_foresees(side_) || wrong_with(cycles, rates)) return std::nullopt;
  return pmuv3_side_next_overflow(side_, cycles, rates.data(), static_cast<unsigned>(rates.size()));
}

// Until the end of sc_time, which would wrap there.
static sc_dt::uint64 time_left() {
  return (sc_core::sc_max_time() - sc_core::sc_time_stamp()).value();
}

const char *pmuv3_tlm::notify_overflow(uint64_t cycles, const std::vector<pmuv3_rate> &rates,
                                       const sc_core::sc_time &period, sc_core::sc_event &event) {
  if (const char *wrong = wrong_with(cycles, rates)) return wrong;
  const std::optional<uint64_t> next = next_overflow(cycles, rates);
  if (!next) return "this side cannot tell";
  event.cancel();
  if (*next > 0 && period.value() <= time_left() / *next)
    event.notify(sc_core::sc_time::from_value(*next * period.value()));
  return nullptr;
}

void pmuv3_tlm::end_cycle() {
  const pmuv3_cycle &cycle = cycle_.cycle();
  pmuv3_side_cycle(side_, &cycle);
  const pmuv3_ends ends = pmuv3_side_written(side_);
  for (unsigned t = 0; has_thread(t); t++)
    if (cycle.has_write >> t & 1) written_[t] = static_cast<pmuv3_result>(ends.result[t]);
  if (cycle.has_external) external_written_ = !ends.external_error;
  cycle_.start();
}

std::optional<pmuv3_result> pmuv3_tlm::written(unsigned thread) {
  meet_edge();
  if (!has_thread(thread)) return std::nullopt;
  return decoupled_ ? decoupled_->written(thread) : written_[thread];
}

const char *pmuv3_tlm::capture(unsigned thread) {
  meet_edge();
  return decoupled_ ? kDecoupled : cycle_.capture(thread);
}

std::optional<bool> pmuv3_tlm::external_written() {
  meet_edge();
  return external_written_;
}

// ---- Outputs ----

// They can change in a cycle, by an access and with a state; one process drives the ports. What
// cores tell one after the other is looked at once.
void pmuv3_tlm::update_outputs() {
  if (decoupled_)
    look_.notify(sc_core::SC_ZERO_TIME);
  else
    compare_outputs();
}

void pmuv3_tlm::compare_outputs() {
  if (!traced_.empty()) sample();
  for (unsigned t = 0; has_thread(t); t++) {
    const struct pmuv3_outputs now =
        decoupled_ ? decoupled_->outputs(t) : pmuv3_side_outputs(side_, t);
    if (now != outputs_[t]) outputs_changed_.notify(sc_core::SC_ZERO_TIME);
    outputs_[t] = now;
  }
}

void pmuv3_tlm::drive_outputs() {
  for (unsigned t = 0; has_thread(t); t++) {
    if (irq[t].size()) irq[t]->write(outputs_[t].irq);
    if (cti[t].size()) cti[t]->write(outputs_[t].cti);
    if (exception[t].size()) exception[t]->write(outputs_[t].exception);
    if (halt[t].size()) halt[t]->write(outputs_[t].halt);
    if (brbe[t].size()) brbe[t]->write(outputs_[t].brbe);
    if (pulses[t].size()) pulses[t]->write(outputs_[t].pulses);
  }
}

// ---- Threads with times of their own ----

const char *pmuv3_tlm::decouple(const sc_core::sc_time &period) {
  if (clock_ || clk.size() != 0) return kClocked;
  if (decoupled_) return kDecoupled;
  if (period == sc_core::SC_ZERO_TIME) return "a cycle takes time";
  if (!cycle_.is_empty()) return "something waits for the cycle under way";
  period_ = period;
  origin_ = sc_core::sc_time_stamp();
  decoupled_ = std::make_unique<pmuv3_decoupled>(side_, cycle_.pe());
  for (unsigned t = 0; has_thread(t); t++) decoupled_->set_written(t, written_[t]);
  update_outputs();
  return nullptr;
}

// The cycle under way at a time.
uint64_t pmuv3_tlm::cycle_at(const sc_core::sc_time &delay) const {
  return (sc_core::sc_time_stamp() + delay - origin_).value() / period_.value();
}

// The last cycle that begins before time ends.
uint64_t pmuv3_tlm::last_cycle() const {
  return (sc_core::sc_max_time() - origin_).value() / period_.value();
}

// The side makes the cycles whose time has come.
void pmuv3_tlm::reach_now() {
  if (decoupled_) decoupled_->reach(cycle_at(sc_core::SC_ZERO_TIME));
}

// Outputs of a thread change at their time, also where the thread has told more.
void pmuv3_tlm::plan_change() {
  change_.cancel();
  const uint64_t last = last_cycle();
  const std::optional<uint64_t> next = decoupled_->next_change(last);
  if (!next || *next > last) return;
  const sc_core::sc_time at = origin_ + sc_core::sc_time::from_value(*next * period_.value());
  change_.notify(at - sc_core::sc_time_stamp());
}

void pmuv3_tlm::meet_change() {
  reach_now();
  compare_outputs();
  plan_change();
}

// ---- Transport ----

// Temporal decoupling ends here: what is accessed depends on the time.
static void synchronize(sc_core::sc_time &delay) {
  if (delay.value() == 0) return;
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
}

// A register, or a half of one.
static unsigned register_bytes(const tlm::tlm_generic_payload &payload) {
  return payload.get_data_length() == 4 ? 4 : 8;
}

// The payload's extension, or a plain one in its place.
static pmuv3_access_extension &extension_of(const tlm::tlm_generic_payload &payload,
                                            pmuv3_access_extension &plain) {
  auto *given = payload.get_extension<pmuv3_access_extension>();
  return given ? *given : plain;
}

// Whether a thread's core accesses its registers in a cycle that it has told already.
inline bool pmuv3_tlm::is_late(const pmuv3_access_extension &how,
                               const sc_core::sc_time &delay) const {
  return decoupled_ && has_thread(how.thread) && !how.is_foreign &&
         cycle_at(delay) < decoupled_->told(how.thread);
}

// A thread ahead of the others accesses its registers there, if they do not depend on the others.
inline void pmuv3_tlm::begin(const pmuv3_access_extension &how, sc_core::sc_time &delay) {
  if (!decoupled_) return synchronize(delay);
  if (!has_thread(how.thread) || how.is_foreign) return begin_together(delay);
  reach_now();
  access_at_ = cycle_at(delay);
  access_delay_ = &delay;
  accessed_ = decoupled_->ahead(how.thread, access_at_);
  if (!accessed_) begin_together(delay);
}

// Other accesses may come while it waits.
void pmuv3_tlm::begin_together(sc_core::sc_time &delay) {
  synchronize(delay);
  reach_now();
  access_at_ = cycle_at(sc_core::SC_ZERO_TIME);
  access_delay_ = &delay;
  accessed_ = side_;
}

// Debug accesses and those of the page see the registers of now, in every thread.
void pmuv3_tlm::begin_now() {
  reach_now();
  accessed_ = side_;
}

void pmuv3_tlm::registers_b_transport(int thread, tlm::tlm_generic_payload &payload,
                                      sc_core::sc_time &delay) {
  pmuv3_access_extension plain;
  pmuv3_access_extension &how = extension_of(payload, plain);
  if (thread != kAnyThread) how.thread = static_cast<unsigned>(thread);
  if (is_late(how, delay)) return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  begin(how, delay);
  payload.set_response_status(
      access<&pmuv3_tlm::registers_beat>(payload, how, register_bytes(payload), true));
}

void pmuv3_tlm::external_b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) {
  synchronize(delay);
  begin_now();
  pmuv3_access_extension plain;
  payload.set_response_status(
      access<&pmuv3_tlm::external_beat>(payload, extension_of(payload, plain), 4, false));
}

unsigned pmuv3_tlm::registers_dbg(int thread, tlm::tlm_generic_payload &payload) {
  return look(payload, thread, &pmuv3_tlm::registers_beat, 8);
}

unsigned pmuv3_tlm::external_dbg(tlm::tlm_generic_payload &payload) {
  return look(payload, kAnyThread, &pmuv3_tlm::external_beat, 4);
}

// A register without side effects of writes: what is written is what it holds.
static bool is_storage(uint16_t reg) {
  for (uint16_t n = 0; n < PMUV3_MAX_COUNTERS; n++)
    if (reg == PMUV3_PMEVCNTRn(n) || reg == PMUV3_PMEVTYPERn(n)) return true;
  return reg == PMUV3_PMCCNTR || reg == PMUV3_PMICNTR || reg == PMUV3_PMCCFILTR ||
         reg == PMUV3_PMICFILTR || reg == PMUV3_PMSELR || reg == PMUV3_PMUSERENR;
}

unsigned pmuv3_tlm::look(tlm::tlm_generic_payload &payload, int thread, Face face, unsigned unit) {
  pmuv3_access_extension plain = {};
  if (const auto *given = payload.get_extension<pmuv3_access_extension>()) plain = *given;
  if (thread != kAnyThread) plain.thread = static_cast<unsigned>(thread);
  plain.with_clock = false;
  plain.state.reset();
  begin_now();
  tlm_response_status status = tlm::TLM_OK_RESPONSE;
  unsigned done = 0;
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND)
    status = payload.is_write() ? debug_write(payload, face, plain, &done)
                                : debug_read(payload, face, unit, plain, &done);
  payload.set_response_status(status);
  return done;
}

// Any bytes, up to one that cannot be read. A register, or a word, is read as a whole.
tlm_response_status pmuv3_tlm::debug_read(tlm::tlm_generic_payload &payload, Face face,
                                          unsigned unit, pmuv3_access_extension &how,
                                          unsigned *done) {
  unsigned char bytes[8];
  const uint64_t address = payload.get_address();
  if (!payload.get_data_ptr()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  for (; *done < payload.get_data_length(); ++*done) {
    const uint64_t at = address + *done;
    if (at < address) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (*done == 0 || at % unit == 0) {
      const tlm_response_status status =
          (this->*face)({false, at - at % unit, bytes, unit, false}, how);
      if (status != tlm::TLM_OK_RESPONSE) return status;
    }
    payload.get_data_ptr()[*done] = bytes[at % unit];
  }
  return tlm::TLM_OK_RESPONSE;
}

// Whole registers that only hold what is written, with the highest rights.
tlm_response_status pmuv3_tlm::debug_write(tlm::tlm_generic_payload &payload, Face face,
                                           pmuv3_access_extension &how, unsigned *done) {
  how.checked = false;
  const uint64_t address = payload.get_address();
  if (face != &pmuv3_tlm::registers_beat) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (!payload.get_data_ptr()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (address % 8 != 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (payload.get_data_length() % 8 != 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  tlm_response_status status = tlm::TLM_OK_RESPONSE;
  for (; status == tlm::TLM_OK_RESPONSE && *done < payload.get_data_length(); *done += 8) {
    const uint64_t at = address + *done;
    if (at > address_of(UINT16_MAX)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (!is_storage(static_cast<uint16_t>(at / 8))) return tlm::TLM_COMMAND_ERROR_RESPONSE;
    status = registers_beat({true, at, payload.get_data_ptr() + *done, 8, false}, how);
    if (status != tlm::TLM_OK_RESPONSE) break;
  }
  update_outputs();
  return status;
}

// Whether the bytes of a beat are enabled; nothing when they are not all alike.
static std::optional<bool> enabled(const tlm::tlm_generic_payload &payload, unsigned at,
                                   unsigned bytes) {
  const unsigned char *enables = payload.get_byte_enable_ptr();
  if (!enables) return true;
  const unsigned length = payload.get_byte_enable_length();
  if (length == 0) return std::nullopt;
  const unsigned char first = enables[at % length];
  for (unsigned i = at; i < at + bytes; i++)
    if (enables[i % length] != first) return std::nullopt;
  return first == TLM_BYTE_ENABLED;
}

// What is wrong with the form of an access in beats of so many bytes.
static tlm_response_status form(const tlm::tlm_generic_payload &payload, unsigned bytes) {
  const unsigned length = payload.get_data_length();
  const unsigned width = payload.get_streaming_width();
  if (length == 0 || length % bytes != 0 || width == 0 || (width < length && width % bytes != 0))
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (!payload.get_data_ptr()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  const sc_dt::uint64 last = std::min(length, width) - 1;
  if (payload.get_address() % bytes != 0 || payload.get_address() + last < last)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  for (unsigned at = 0; at < length; at += bytes)
    if (!enabled(payload, at, bytes)) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

// Whether an access is one beat, as most are, with nothing wrong with its form.
static bool is_beat(const tlm::tlm_generic_payload &payload, unsigned bytes) {
  return payload.get_data_length() == bytes && payload.get_streaming_width() >= bytes &&
         !payload.get_byte_enable_ptr() && payload.get_data_ptr() &&
         (payload.get_address() & (bytes - 1)) == 0;
}

// Beat after beat, up to one that goes wrong.
tlm_response_status pmuv3_tlm::beats(const tlm::tlm_generic_payload &payload,
                                     pmuv3_access_extension &how, Face face, unsigned bytes,
                                     bool takes_state) {
  const unsigned width = std::min(payload.get_streaming_width(), payload.get_data_length());
  tlm_response_status status = form(payload, bytes);
  if (how.with_clock && payload.is_write() && payload.get_data_length() != bytes)
    status = tlm::TLM_BURST_ERROR_RESPONSE;
  for (unsigned at = 0; status == tlm::TLM_OK_RESPONSE && at < payload.get_data_length();
       at += bytes) {
    if (!*enabled(payload, at, bytes)) continue;
    status = (this->*face)({payload.is_write(), payload.get_address() + at % width,
                            payload.get_data_ptr() + at, bytes, takes_state},
                           how);
    takes_state = false;
  }
  return status;
}

template <pmuv3_tlm::Face face>
[[gnu::always_inline]] inline tlm_response_status pmuv3_tlm::access(
    tlm::tlm_generic_payload &payload, pmuv3_access_extension &how, unsigned bytes,
    bool takes_state) {
  payload.set_dmi_allowed(false);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
  how.result = PMUV3_DONE;
  how.syndrome = 0;
  if (how.checked) {
    how.result = PMUV3_UNDEFINED;
    how.syndrome = pmuv3_syndrome(PMUV3_UNDEFINED, {});
  }
  meet_edge();
  const tlm_response_status status =
      is_beat(payload, bytes) ? (this->*face)({payload.is_write(), payload.get_address(),
                                               payload.get_data_ptr(), bytes, takes_state},
                                              how)
                              : beats(payload, how, face, bytes, takes_state);
  if (payload.is_write()) update_outputs();
  return status;
}

// ---- System registers ----

static tlm_response_status response(pmuv3_access access) {
  switch (access) {
    case PMUV3_ACCESS_OK:
      return tlm::TLM_OK_RESPONSE;
    case PMUV3_ACCESS_UNKNOWN:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    default:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
}

static tlm_response_status response(pmuv3_result result) {
  return result == PMUV3_DONE ? tlm::TLM_OK_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE;
}

// Whether there is something to access, whatever the thread's state is.
inline tlm_response_status pmuv3_tlm::place_of(const Beat &beat,
                                               const pmuv3_access_extension &how) const {
  if (!has_thread(how.thread) || beat.address > address_of(UINT16_MAX) + 7)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const auto reg = static_cast<uint16_t>(beat.address / 8);
  const unsigned half = beat.address % 8;
  // The other half of a register is not to be made up.
  if (beat.is_write && (half != 0 || (beat.bytes < 8 && pmuv3_register_bits(reg) == 64)))
    return tlm::TLM_BURST_ERROR_RESPONSE;
  // The access itself says whether there is the register, unless something happens before it.
  if (how.checked || !(how.with_clock || how.state)) return tlm::TLM_OK_RESPONSE;
  return response(beat.is_write ? pmuv3_register_writable(&side_->params, reg)
                                : pmuv3_register_readable(&side_->params, reg));
}

// A beat has 4 or 8 bytes. A copy of a constant size is one instruction.
static void copy(void *to, const void *from, unsigned bytes) {
  if (bytes == 8)
    std::memcpy(to, from, 8);
  else
    std::memcpy(to, from, 4);
}

// Sets the state that comes with an access.
const char *pmuv3_tlm::take_state(const pmuv3_access_extension &how) {
  if (!decoupled_) return set_pe(how.thread, *how.state);
  const char *wrong = decoupled_->set_pe(how.thread, access_at_, *how.state);
  if (accessed_ == side_) reach_now();
  return wrong;
}

// Inlined, as access is: most of the time of an access would go into calls.
[[gnu::always_inline]] inline tlm_response_status pmuv3_tlm::registers_beat(
    const Beat &beat, pmuv3_access_extension &how) {
  const tlm_response_status place = place_of(beat, how);
  if (place != tlm::TLM_OK_RESPONSE) return place;
  if (beat.takes_state && how.state && take_state(how)) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  const auto reg = static_cast<uint16_t>(beat.address / 8);
  if (beat.is_write) {
    uint64_t value = 0;
    copy(&value, beat.data, beat.bytes);
    return write(reg, value, how);
  }
  uint64_t value;
  const tlm_response_status status = read(reg, &value, how);
  if (status != tlm::TLM_OK_RESPONSE) return status;
  const auto *bytes = reinterpret_cast<const unsigned char *>(&value);
  if (beat.bytes < 8) bytes += beat.address % 8;
  copy(beat.data, bytes, beat.bytes);
  return tlm::TLM_OK_RESPONSE;
}

inline tlm_response_status pmuv3_tlm::read(uint16_t reg, uint64_t *value,
                                           pmuv3_access_extension &how) {
  if (!how.checked) return response(pmuv3_side_read(accessed_, how.thread, reg, value));
  how.result = pmuv3_side_mrs(accessed_, how.thread, reg, value);
  how.syndrome = pmuv3_side_syndrome(accessed_, how.thread);
  return response(how.result);
}

tlm_response_status pmuv3_tlm::write(uint16_t reg, uint64_t value, pmuv3_access_extension &how) {
  if (how.with_clock) return write_with_clock(reg, value, how);
  tlm_response_status status;
  if (how.checked) {
    how.result = pmuv3_side_msr(accessed_, how.thread, reg, value);
    how.syndrome = pmuv3_side_syndrome(accessed_, how.thread);
    status = response(how.result);
  } else {
    status = response(pmuv3_side_write(accessed_, how.thread, reg, value));
  }
  if (decoupled_ && status == tlm::TLM_OK_RESPONSE) wrote(how.thread, {reg, how.checked, value});
  return status;
}

// After a write, now or where the thread is ahead.
void pmuv3_tlm::wrote(unsigned thread, const pmuv3_write &write) {
  if (accessed_ == side_) return decoupled_->touched();
  decoupled_->wrote(thread, write);
  accessed_ = decoupled_->ahead(thread, access_at_);
  if (!accessed_) begin_together(*access_delay_);  // the thread depends on others now
}

// A checked one is judged in the clock.
tlm_response_status pmuv3_tlm::write_with_clock(uint16_t reg, uint64_t value,
                                                const pmuv3_access_extension &how) {
  const pmuv3_write write = {reg, how.checked, value};
  if (decoupled_)
    return decoupled_->write_with_clock(how.thread, access_at_, write)
               ? tlm::TLM_GENERIC_ERROR_RESPONSE
               : tlm::TLM_OK_RESPONSE;
  if (!cycle_.write(how.thread, write)) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  written_[how.thread].reset();
  return tlm::TLM_OK_RESPONSE;
}

// ---- The external view ----

tlm_response_status pmuv3_tlm::external_beat(const Beat &beat, pmuv3_access_extension &how) {
  if (!has_thread(beat.address / kPage)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (how.space > PMUV3_RT) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  const auto space = static_cast<pmuv3_security_state>(how.space);
  pmuv3_external word = {static_cast<uint8_t>(beat.address / kPage), static_cast<uint8_t>(space),
                         static_cast<uint16_t>(beat.address % kPage), 0};
  bool done;
  if (beat.is_write) {
    std::memcpy(&word.value, beat.data, beat.bytes);
    if (how.with_clock) return external_with_clock(word);
    done = pmuv3_side_external_write(side_, word.thread, space, word.offset, word.value);
    if (decoupled_) decoupled_->touched();
  } else {
    done = pmuv3_side_external_read(side_, word.thread, space, word.offset, &word.value);
    if (done) std::memcpy(beat.data, &word.value, beat.bytes);
  }
  return done ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

// Whether it is blocked is judged in the clock.
tlm_response_status pmuv3_tlm::external_with_clock(const pmuv3_external &write) {
  if (decoupled_ || !cycle_.external(write)) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  external_written_.reset();
  return tlm::TLM_OK_RESPONSE;
}
