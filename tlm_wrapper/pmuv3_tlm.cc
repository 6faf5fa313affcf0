// The module itself: its threads, its time, its outputs. transport.cc has its sockets,
// saved_module.cc what is saved and traced of it.
#include "tlm_wrapper/pmuv3_tlm.h"

#include "tlm_wrapper/decoupled.h"
#include "tlm_wrapper/spread.h"

static const char kNever[] = "time ends before that";

// What a thread's core tells.
struct pmuv3_tlm::Thread : pmuv3_thread_if {
  Thread(pmuv3_tlm &pmu, unsigned thread) : pmu_(pmu), thread_(thread) {}

 private:
  // Whether time lasts for so many cycles.
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
    return tell(delay, [&](auto &of, uint64_t at) {
      if (occurrence.thread != thread_)
        return of.refuse(thread_, at, "the event is another thread's");
      return of.occur(at, occurrence);
    });
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
  if (!is_clocked()) return;
  if (decoupled_) {
    SC_REPORT_ERROR("/pmuv3/tlm",
                    "the threads have times of their own (decouple), so clk is unused");
    return;
  }
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

// At the start, if it is active then. A reset takes place again when it ends, for what was done
// while it was active.
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
  meet_edge();
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

// ---- Events ----

constexpr const char *kClocked = "the clock makes the cycles";
constexpr const char *kDecoupled = "each thread has a time of its own";
constexpr const char *kWaits = "something waits for the cycle under way";

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
  if (is_clocked()) return kClocked;
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
  if (is_clocked()) return kClocked;
  if (decoupled_) return kDecoupled;
  if (!cycle_.is_empty()) return kWaits;
  if (const char *wrong = wrong_with(cycles, rates)) return wrong;
  pmuv3_spread spread(cycles, rates);
  for (uint64_t done = 0; done < cycles;) {
    const uint64_t alike = spread.from(done);
    pmuv3_side_repeat(side_, &spread.cycle(), alike);
    done += alike;
  }
  if (cycles != 0) cycle_.start();
  update_outputs();
  return nullptr;
}

std::optional<uint64_t> pmuv3_tlm::next_overflow(uint64_t cycles,
                                                 const std::vector<pmuv3_rate> &rates) {
  meet_edge();
  if (decoupled_ || !cycle_.is_empty() || !pmuv3_side_foresees(side_) || wrong_with(cycles, rates))
    return std::nullopt;
  return pmuv3_side_next_overflow(side_, cycles, rates.data(), static_cast<unsigned>(rates.size()));
}

// Until the end of sc_time, which would wrap there.
static sc_core::sc_time time_left() {
  return sc_core::sc_max_time() - sc_core::sc_time_stamp();
}

// Whether time ends before so long from now.
bool pmuv3_tlm::is_never(const sc_core::sc_time &delay) {
  return delay > time_left();
}

const char *pmuv3_tlm::notify_overflow(uint64_t cycles, const std::vector<pmuv3_rate> &rates,
                                       const sc_core::sc_time &period, sc_core::sc_event &event) {
  meet_edge();
  if (decoupled_) return kDecoupled;
  if (!cycle_.is_empty()) return kWaits;
  if (const char *wrong = wrong_with(cycles, rates)) return wrong;
  const std::optional<uint64_t> next = next_overflow(cycles, rates);
  if (!next) return "this side cannot tell";
  event.cancel();
  if (*next > 0 && period.value() <= time_left().value() / *next)
    event.notify(sc_core::sc_time::from_value(*next * period.value()));
  return nullptr;
}

// Of a thread with a time of its own, or of all.
pmuv3_open_cycle &pmuv3_tlm::open_cycle(unsigned thread) {
  return decoupled_ ? decoupled_->open(thread) : cycle_;
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
  if (decoupled_) return decoupled_->written(thread);
  if (cycle_.cycle().has_write >> thread & 1) return std::nullopt;
  return written_[thread];
}

const char *pmuv3_tlm::capture(unsigned thread) {
  meet_edge();
  return decoupled_ ? kDecoupled : cycle_.capture(thread);
}

std::optional<bool> pmuv3_tlm::external_written() {
  meet_edge();
  if (cycle_.cycle().has_external) return std::nullopt;
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
  if (is_clocked()) return kClocked;
  if (decoupled_) return kDecoupled;
  if (period == sc_core::SC_ZERO_TIME) return "a cycle takes time";
  if (!cycle_.is_empty()) return kWaits;
  period_ = period;
  origin_ = sc_core::sc_time_stamp();
  decoupled_ = std::make_unique<pmuv3_decoupled>(side_, cycle_);
  for (unsigned t = 0; has_thread(t); t++) decoupled_->set_written(t, written_[t]);
  cycle_.start();
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
