#include "tlm_wrapper/pmuv3_tlm.h"

#include <cstring>

pmuv3_tlm::pmuv3_tlm(const sc_core::sc_module_name &name, pmuv3_side *side)
    : sc_module(name), irq("irq", side ? side->params.threads : 0), side_(side) {
  if (!side) SC_REPORT_FATAL("/pmuv3/tlm", "no side given");
  events(*this);
  registers.register_b_transport(this, &pmuv3_tlm::b_transport);
  registers.register_transport_dbg(this, &pmuv3_tlm::transport_dbg);
  cycle_.occurrences = occurrences_;

  SC_HAS_PROCESS(pmuv3_tlm);
  SC_METHOD(on_clock);
  sensitive << clk.pos();
  dont_initialize();
  SC_METHOD(drive_irq);
  sensitive << irq_changed_;
}

pmuv3_tlm::~pmuv3_tlm() {
  pmuv3_side_destroy(side_);
}

void pmuv3_tlm::reset() {
  start_cycle();
  pmuv3_side_reset(side_);
  update_irq();
}

// ---- Events ----

constexpr const char *kNoThread = "there is no such thread";

const char *pmuv3_tlm::set_pe(unsigned thread, const pmuv3_pe &pe) {
  if (!has_thread(thread)) return kNoThread;
  if (const char *wrong = pmuv3_pe_wrong(&side_->params, &pe)) return wrong;
  pmuv3_side_set_pe(side_, thread, &pe);
  return nullptr;
}

const char *pmuv3_tlm::in_context(unsigned thread, const pmuv3_context &context) {
  if (!has_thread(thread)) return kNoThread;
  if (const char *wrong = pmuv3_context_wrong(&side_->params, context.el, context.ss)) return wrong;
  pmuv3_context &other = cycle_.other[thread];
  if (has_context_ >> thread & 1 && (other.el != context.el || other.ss != context.ss))
    return "the thread has another context in this cycle already";
  other = {context.el, context.ss, other.related || context.related};
  has_context_ |= static_cast<uint8_t>(1u << thread);
  return nullptr;
}

const char *pmuv3_tlm::wrong_with(const pmuv3_occurrence &occurrence) const {
  const auto event = static_cast<pmuv3_event>(occurrence.event);
  if (!has_thread(occurrence.thread)) return kNoThread;
  if (event >= PMUV3_NUM_EVENTS) return "there is no such event";
  if (!pmuv3_event_fits(&side_->params, event)) return "the event needs PMUv3p1";
  const bool is_count = pmuv3_event_class_of(event) == PMUV3_EVENT_CLASS_COUNT;
  switch (occurrence.origin) {
    case PMUV3_CURRENT:
    case PMUV3_DEBUGGER:
      return pmuv3_event_class_of(event) != PMUV3_EVENT_CLASS_SELF ? nullptr
                                                                   : "the PMU itself makes it";
    case PMUV3_OTHER:
      if (!(has_context_ >> occurrence.thread & 1)) return "the thread has no other context";
      return is_count ? nullptr : "the event has no context";
    case PMUV3_UNATTRIBUTABLE:
      return is_count ? nullptr : "the event cannot be Unattributable";
    default:
      return "there is no such origin";
  }
}

const char *pmuv3_tlm::occur(const pmuv3_occurrence &occurrence) {
  if (const char *wrong = wrong_with(occurrence)) return wrong;
  uint16_t &place = place_[occurrence.event][occurrence.thread][occurrence.origin];
  const int sum = occurrence.count + (place ? occurrences_[place - 1].count : 0);
  if (sum > pmuv3_event_limit(static_cast<pmuv3_event>(occurrence.event)))
    return "the event cannot occur so often in a cycle";
  if (!place) place = ++cycle_.num_occurrences;
  occurrences_[place - 1] = occurrence;
  occurrences_[place - 1].count = static_cast<uint8_t>(sum);
  return nullptr;
}

// ---- The clock ----

void pmuv3_tlm::on_clock() {
  pmuv3_side_cycle(side_, &cycle_);
  start_cycle();
  update_irq();
}

void pmuv3_tlm::start_cycle() {
  for (int i = 0; i < cycle_.num_occurrences; i++) {
    const pmuv3_occurrence &occurrence = occurrences_[i];
    place_[occurrence.event][occurrence.thread][occurrence.origin] = 0;
  }
  cycle_ = {};
  cycle_.occurrences = occurrences_;
  has_context_ = 0;
}

// PMUIRQ can change in a cycle and by a register write; one process drives the ports.
void pmuv3_tlm::update_irq() {
  unsigned levels = 0;
  for (unsigned t = 0; has_thread(t); t++)
    levels |= static_cast<unsigned>(pmuv3_side_irq(side_, t)) << t;
  if (levels == irq_levels_) return;
  irq_levels_ = levels;
  irq_changed_.notify(sc_core::SC_ZERO_TIME);
}

void pmuv3_tlm::drive_irq() {
  for (unsigned t = 0; has_thread(t); t++) irq[t].write((irq_levels_ >> t & 1) != 0);
}

// ---- Registers ----

void pmuv3_tlm::b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &) {
  payload.set_dmi_allowed(false);
  const auto *extension = payload.get_extension<pmuv3_access_extension>();
  payload.set_response_status(
      access(payload, extension ? extension->thread : 0, extension && extension->with_clock));
}

unsigned pmuv3_tlm::transport_dbg(tlm::tlm_generic_payload &payload) {
  const auto *extension = payload.get_extension<pmuv3_access_extension>();
  payload.set_response_status(access(payload, extension ? extension->thread : 0, false));
  return payload.is_response_ok() && payload.get_command() != tlm::TLM_IGNORE_COMMAND
             ? payload.get_data_length()
             : 0;
}

static tlm::tlm_response_status response(pmuv3_access access) {
  switch (access) {
    case PMUV3_ACCESS_OK:
      return tlm::TLM_OK_RESPONSE;
    case PMUV3_ACCESS_UNKNOWN:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    default:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
}

tlm::tlm_response_status pmuv3_tlm::access(tlm::tlm_generic_payload &payload, unsigned thread,
                                           bool with_clock) {
  constexpr unsigned kBytes = sizeof(uint64_t);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
  if (payload.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_data_length() != kBytes || payload.get_streaming_width() < kBytes)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_address() % kBytes != 0 || payload.get_address() / kBytes > UINT16_MAX)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (!has_thread(thread)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;

  pmuv3_write access = {static_cast<uint16_t>(payload.get_address() / kBytes), 0};
  if (payload.is_read()) {
    const pmuv3_access result = pmuv3_side_read(side_, thread, access.reg, &access.value);
    if (result == PMUV3_ACCESS_OK) std::memcpy(payload.get_data_ptr(), &access.value, kBytes);
    return response(result);
  }
  std::memcpy(&access.value, payload.get_data_ptr(), kBytes);
  return with_clock ? write_with_clock(thread, access) : write(thread, access);
}

tlm::tlm_response_status pmuv3_tlm::write(unsigned thread, const pmuv3_write &write) {
  const pmuv3_access result = pmuv3_side_write(side_, thread, write.reg, write.value);
  update_irq();
  return response(result);
}

tlm::tlm_response_status pmuv3_tlm::write_with_clock(unsigned thread, const pmuv3_write &write) {
  if (cycle_.has_write >> thread & 1) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  const pmuv3_access result = pmuv3_register_writable(&side_->params, write.reg);
  if (result != PMUV3_ACCESS_OK) return response(result);
  cycle_.has_write |= static_cast<uint8_t>(1u << thread);
  cycle_.write[thread] = write;
  return tlm::TLM_OK_RESPONSE;
}
