#include "tlm_wrapper/pmuv3_tlm.h"

#include <algorithm>
#include <cstring>

using tlm::tlm_response_status;

pmuv3_tlm::pmuv3_tlm(const sc_core::sc_module_name &name, pmuv3_side *side)
    : sc_module(name),
      irq("irq", side ? side->params.threads : 0),
      cti("cti", side ? side->params.threads : 0),
      exception("exception", side ? side->params.threads : 0),
      halt("halt", side ? side->params.threads : 0),
      brbe("brbe", side ? side->params.threads : 0),
      pulses("pulses", side ? side->params.threads : 0),
      side_(side) {
  if (!side) SC_REPORT_FATAL("/pmuv3/tlm", "no side given (pmuv3_params_wrong may say why)");
  if (const char *wrong = pmuv3_params_wrong(&side->params)) SC_REPORT_FATAL("/pmuv3/tlm", wrong);
  events(*this);
  registers.register_b_transport(this, &pmuv3_tlm::registers_b_transport);
  registers.register_transport_dbg(this, &pmuv3_tlm::registers_dbg);
  external.register_b_transport(this, &pmuv3_tlm::external_b_transport);
  external.register_transport_dbg(this, &pmuv3_tlm::external_dbg);
  std::fill_n(pe_, PMUV3_MAX_THREADS, pmuv3_pe PMUV3_PE_RESET);
  cycle_.occurrences = occurrences_;

  SC_HAS_PROCESS(pmuv3_tlm);
  SC_METHOD(drive_outputs);
  sensitive << outputs_changed_;
}

pmuv3_tlm::~pmuv3_tlm() {
  pmuv3_side_destroy(side_);
}

// Only now is it known whether there is a clock.
void pmuv3_tlm::end_of_elaboration() {
  if (clk.size() == 0) return;
  clock_ = clk[0];
  SC_HAS_PROCESS(pmuv3_tlm);
  SC_METHOD(meet_edge);
  sensitive << clock_->posedge_event();
  dont_initialize();
}

void pmuv3_tlm::reset() {
  meet_edge();
  start_cycle();
  pmuv3_side_reset(side_);
  update_outputs();
}

// ---- Events ----

constexpr const char *kNoThread = "there is no such thread";
constexpr const char *kClocked = "the clock makes the cycles";
constexpr const char *kTooOften = "the event cannot occur so often in a cycle";

const char *pmuv3_tlm::set_pe(unsigned thread, const pmuv3_pe &pe) {
  if (!has_thread(thread)) return kNoThread;
  if (const char *wrong = pmuv3_pe_wrong(&side_->params, &pe)) return wrong;
  meet_edge();
  if (!pe.halted && has_debugger(thread)) return "a debugger's operation of this cycle waits";
  pe_[thread] = pe;
  pmuv3_side_set_pe(side_, thread, &pe);
  update_outputs();
  return nullptr;
}

const char *pmuv3_tlm::in_context(unsigned thread, const pmuv3_context &context) {
  if (!has_thread(thread)) return kNoThread;
  if (const char *wrong = pmuv3_context_wrong(&side_->params, context.el, context.ss)) return wrong;
  meet_edge();
  pmuv3_context &other = cycle_.other[thread];
  if (has_context_ >> thread & 1 && (other.el != context.el || other.ss != context.ss))
    return "the thread has another context in this cycle already";
  other = {context.el, context.ss, other.related || context.related};
  has_context_ |= static_cast<uint8_t>(1u << thread);
  return nullptr;
}

const char *pmuv3_tlm::wrong_with(const pmuv3_event *event,
                                  const pmuv3_occurrence &occurrence) const {
  if (const char *wrong = pmuv3_occurrence_wrong(&side_->params, event, &occurrence)) return wrong;
  if (occurrence.origin == PMUV3_OTHER && !(has_context_ >> occurrence.thread & 1))
    return "the thread has no other context";
  if (occurrence.origin == PMUV3_DEBUGGER && !pe_[occurrence.thread].halted)
    return "a debugger's operation on a thread that is not halted";
  return nullptr;
}

bool pmuv3_tlm::has_debugger(unsigned thread) const {
  return std::any_of(occurrences_, occurrences_ + cycle_.num_occurrences,
                     [thread](const pmuv3_occurrence &occurrence) {
                       return occurrence.thread == thread && occurrence.origin == PMUV3_DEBUGGER;
                     });
}

const char *pmuv3_tlm::occur(const pmuv3_occurrence &occurrence) {
  meet_edge();
  const pmuv3_events &set = side_->params.events;
  const pmuv3_event *event = pmuv3_events_find(&set, occurrence.event);
  if (const char *wrong = wrong_with(event, occurrence)) return wrong;
  uint16_t &at = place_[event - set.event][occurrence.thread][occurrence.origin];
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

const char *pmuv3_tlm::notify(uint16_t event, unsigned count, unsigned thread,
                              const pmuv3_context &context) {
  if (!has_thread(thread)) return kNoThread;
  if (count > UINT8_MAX) return kTooOften;
  const bool is_current = context.el == pe_[thread].el && context.ss == pe_[thread].ss;
  const pmuv3_occurrence occurrence = {
      event, static_cast<uint8_t>(count), static_cast<uint8_t>(thread),
      static_cast<uint8_t>(is_current ? PMUV3_CURRENT : PMUV3_OTHER)};
  if (is_current) return occur(occurrence);

  // Occurrences that are refused leave no context behind.
  meet_edge();
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

// ---- The clock ----

// A cycle ends before anything else is done in the delta cycle in which its clock edge is seen: in
// which order SystemC runs the processes that the edge wakes does not matter.
void pmuv3_tlm::meet_edge() {
  if (!clock_ || !clock_->posedge() || edge_ == sc_core::sc_delta_count()) return;
  edge_ = sc_core::sc_delta_count();
  end_cycle();
  update_outputs();
}

const char *pmuv3_tlm::advance(uint64_t cycles) {
  if (clock_) return kClocked;
  if (cycles == 0) return nullptr;
  end_cycle();
  pmuv3_side_repeat(side_, &cycle_, cycles - 1);
  update_outputs();
  return nullptr;
}

const char *pmuv3_tlm::wrong_with(uint64_t cycles, const std::vector<pmuv3_rate> &rates) const {
  return pmuv3_rates_wrong(&side_->params, pe_, cycles, rates.data(),
                           static_cast<unsigned>(rates.size()));
}

const char *pmuv3_tlm::run(uint64_t cycles, const std::vector<pmuv3_rate> &rates) {
  if (clock_) return kClocked;
  if (!is_empty()) return "something waits for the cycle under way";
  if (const char *wrong = wrong_with(cycles, rates)) return wrong;
  const auto number = static_cast<unsigned>(rates.size());
  std::vector<pmuv3_occurrence> occurrences(number);
  pmuv3_cycle cycle = {};
  cycle.occurrences = occurrences.data();
  cycle.num_occurrences = static_cast<uint16_t>(number);
  for (uint64_t done = 0; done < cycles;) {
    const uint64_t alike =
        pmuv3_rates_cycle(done, cycles, rates.data(), number, occurrences.data());
    pmuv3_side_repeat(side_, &cycle, alike);
    done += alike;
  }
  update_outputs();
  return nullptr;
}

std::optional<uint64_t> pmuv3_tlm::next_overflow(uint64_t cycles,
                                                 const std::vector<pmuv3_rate> &rates) {
  meet_edge();
  if (!pmuv3_side_foresees(side_) || wrong_with(cycles, rates)) return std::nullopt;
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

// Whether nothing was told of the cycle under way.
bool pmuv3_tlm::is_empty() const {
  return cycle_.num_occurrences == 0 && cycle_.has_write == 0 && !cycle_.has_external &&
         cycle_.capture == 0 && has_context_ == 0;
}

void pmuv3_tlm::end_cycle() {
  pmuv3_side_cycle(side_, &cycle_);
  const pmuv3_ends ends = pmuv3_side_written(side_);
  for (unsigned t = 0; has_thread(t); t++)
    if (cycle_.has_write >> t & 1) written_[t] = static_cast<pmuv3_result>(ends.result[t]);
  if (cycle_.has_external) external_written_ = !ends.external_error;
  start_cycle();
}

std::optional<pmuv3_result> pmuv3_tlm::written(unsigned thread) {
  meet_edge();
  return has_thread(thread) ? written_[thread] : std::nullopt;
}

const char *pmuv3_tlm::capture(unsigned thread) {
  if (!has_thread(thread)) return kNoThread;
  meet_edge();
  cycle_.capture |= static_cast<uint8_t>(1u << thread);
  return nullptr;
}

std::optional<bool> pmuv3_tlm::external_written() {
  meet_edge();
  return external_written_;
}

void pmuv3_tlm::start_cycle() {
  for (int i = 0; i < cycle_.num_occurrences; i++) *places_[i] = 0;
  cycle_ = {};
  cycle_.occurrences = occurrences_;
  has_context_ = 0;
}

// ---- Outputs ----

bool pmuv3_tlm::Outputs::operator!=(const Outputs &other) const {
  return irq != other.irq || cti != other.cti || halt != other.halt ||
         exception != other.exception || brbe != other.brbe || pulses != other.pulses;
}

// They can change in a cycle, by an access and with a state; one process drives the ports.
void pmuv3_tlm::update_outputs() {
  for (unsigned t = 0; has_thread(t); t++) {
    const Outputs now = {pmuv3_side_irq(side_, t),  pmuv3_side_cti(side_, t),
                         pmuv3_side_halt(side_, t), pmuv3_side_exception(side_, t),
                         pmuv3_side_brbe(side_, t), pmuv3_side_pulses(side_, t)};
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

// ---- Transport ----

// Temporal decoupling ends here: what is accessed depends on the time.
static void synchronize(sc_core::sc_time &delay) {
  if (delay == sc_core::SC_ZERO_TIME) return;
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
}

// A register, or a half of one.
static unsigned register_bytes(const tlm::tlm_generic_payload &payload) {
  return payload.get_data_length() == 4 ? 4 : 8;
}

void pmuv3_tlm::registers_b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) {
  synchronize(delay);
  payload.set_response_status(
      access(payload, &pmuv3_tlm::registers_beat, register_bytes(payload), true));
}

void pmuv3_tlm::external_b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) {
  synchronize(delay);
  payload.set_response_status(access(payload, &pmuv3_tlm::external_beat, 4, false));
}

unsigned pmuv3_tlm::registers_dbg(tlm::tlm_generic_payload &payload) {
  return look(payload, &pmuv3_tlm::registers_beat, register_bytes(payload));
}

unsigned pmuv3_tlm::external_dbg(tlm::tlm_generic_payload &payload) {
  return look(payload, &pmuv3_tlm::external_beat, 4);
}

// Reads have no side effects, and every write has some.
unsigned pmuv3_tlm::look(tlm::tlm_generic_payload &payload, Face face, unsigned bytes) {
  payload.set_response_status(payload.is_write() ? tlm::TLM_COMMAND_ERROR_RESPONSE
                                                 : access(payload, face, bytes, false));
  return payload.is_read() && payload.is_response_ok() ? payload.get_data_length() : 0;
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

// Beat after beat, up to one that goes wrong.
tlm_response_status pmuv3_tlm::access(tlm::tlm_generic_payload &payload, Face face, unsigned bytes,
                                      bool takes_state) {
  payload.set_dmi_allowed(false);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
  pmuv3_access_extension plain;
  auto *given = payload.get_extension<pmuv3_access_extension>();
  pmuv3_access_extension &how = given ? *given : plain;
  how.result = how.checked ? PMUV3_UNDEFINED : PMUV3_DONE;
  how.syndrome = pmuv3_syndrome(how.result, {});
  tlm_response_status status = form(payload, bytes);
  if (how.with_clock && payload.is_write() && payload.get_data_length() != bytes)
    status = tlm::TLM_BURST_ERROR_RESPONSE;

  meet_edge();
  const unsigned width = std::min(payload.get_streaming_width(), payload.get_data_length());
  for (unsigned at = 0; status == tlm::TLM_OK_RESPONSE && at < payload.get_data_length();
       at += bytes) {
    if (!*enabled(payload, at, bytes)) continue;
    status = (this->*face)({payload.is_write(), payload.get_address() + at % width,
                            payload.get_data_ptr() + at, bytes, takes_state},
                           how);
    takes_state = false;
  }
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
tlm_response_status pmuv3_tlm::place_of(const Beat &beat, const pmuv3_access_extension &how) const {
  if (!has_thread(how.thread) || beat.address > address_of(UINT16_MAX) + 7)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const auto reg = static_cast<uint16_t>(beat.address / 8);
  const unsigned half = beat.address % 8;
  // The other half of a register is not to be made up.
  if (beat.is_write && (8 * (half + beat.bytes) < pmuv3_register_bits(reg) || half))
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

tlm_response_status pmuv3_tlm::registers_beat(const Beat &beat, pmuv3_access_extension &how) {
  const tlm_response_status place = place_of(beat, how);
  if (place != tlm::TLM_OK_RESPONSE) return place;
  if (beat.takes_state && how.state && set_pe(how.thread, *how.state))
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  const auto reg = static_cast<uint16_t>(beat.address / 8);
  const unsigned half = beat.address % 8;
  uint64_t value = 0;
  if (beat.is_write) {
    copy(&value, beat.data, beat.bytes);
    return write(reg, value, how);
  }
  const tlm_response_status status = read(reg, &value, how);
  if (status == tlm::TLM_OK_RESPONSE)
    copy(beat.data, reinterpret_cast<unsigned char *>(&value) + half, beat.bytes);
  return status;
}

tlm_response_status pmuv3_tlm::read(uint16_t reg, uint64_t *value, pmuv3_access_extension &how) {
  if (!how.checked) return response(pmuv3_side_read(side_, how.thread, reg, value));
  how.result = pmuv3_side_mrs(side_, how.thread, reg, value);
  how.syndrome = pmuv3_side_syndrome(side_, how.thread);
  return response(how.result);
}

tlm_response_status pmuv3_tlm::write(uint16_t reg, uint64_t value, pmuv3_access_extension &how) {
  if (how.with_clock) return write_with_clock(reg, value, how);
  if (!how.checked) return response(pmuv3_side_write(side_, how.thread, reg, value));
  how.result = pmuv3_side_msr(side_, how.thread, reg, value);
  how.syndrome = pmuv3_side_syndrome(side_, how.thread);
  return response(how.result);
}

// A checked one is judged in the clock.
tlm_response_status pmuv3_tlm::write_with_clock(uint16_t reg, uint64_t value,
                                                const pmuv3_access_extension &how) {
  if (cycle_.has_write >> how.thread & 1) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  written_[how.thread].reset();
  cycle_.has_write |= static_cast<uint8_t>(1u << how.thread);
  cycle_.write[how.thread] = {reg, how.checked, value};
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
  } else {
    done = pmuv3_side_external_read(side_, word.thread, space, word.offset, &word.value);
    if (done) std::memcpy(beat.data, &word.value, beat.bytes);
  }
  return done ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

// Whether it is blocked is judged in the clock.
tlm_response_status pmuv3_tlm::external_with_clock(const pmuv3_external &write) {
  if (cycle_.has_external) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  external_written_.reset();
  cycle_.has_external = true;
  cycle_.external = write;
  return tlm::TLM_OK_RESPONSE;
}
