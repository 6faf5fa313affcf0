#include "tlm_wrapper/pmuv3_tlm.h"

#include <cstring>

pmuv3_tlm::pmuv3_tlm(const sc_core::sc_module_name &name, pmuv3_side *side)
    : sc_module(name), side_(side) {
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
  cycle_.num_occurrences = 0;
  cycle_.has_write = false;
  pmuv3_side_reset(side_);
  update_irq();
}

bool pmuv3_tlm::occur(pmuv3_event event, uint8_t count) {
  if (event >= PMUV3_NUM_EVENTS) return false;
  uint8_t i = 0;
  while (i < cycle_.num_occurrences && occurrences_[i].event != event) i++;
  int sum = count + (i < cycle_.num_occurrences ? occurrences_[i].count : 0);
  if (pmuv3_event_class_of(event) == PMUV3_EVENT_CLASS_SELF || sum > pmuv3_event_limit(event))
    return false;
  occurrences_[i] = {static_cast<uint8_t>(event), static_cast<uint8_t>(sum)};
  if (i == cycle_.num_occurrences) cycle_.num_occurrences++;
  return true;
}

void pmuv3_tlm::on_clock() {
  pmuv3_side_cycle(side_, &cycle_);
  cycle_.num_occurrences = 0;
  cycle_.has_write = false;
  update_irq();
}

// PMUIRQ can change in a cycle and by a register write; one process drives the port.
void pmuv3_tlm::update_irq() {
  bool level = pmuv3_side_irq(side_);
  if (level == irq_level_) return;
  irq_level_ = level;
  irq_changed_.notify(sc_core::SC_ZERO_TIME);
}

void pmuv3_tlm::drive_irq() {
  irq.write(irq_level_);
}

void pmuv3_tlm::b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &) {
  payload.set_dmi_allowed(false);
  auto *extension = payload.get_extension<pmuv3_access_extension>();
  payload.set_response_status(access(payload, extension && extension->with_clock));
}

unsigned pmuv3_tlm::transport_dbg(tlm::tlm_generic_payload &payload) {
  payload.set_response_status(access(payload, false));
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

tlm::tlm_response_status pmuv3_tlm::access(tlm::tlm_generic_payload &payload, bool with_clock) {
  constexpr unsigned kBytes = sizeof(uint64_t);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
  if (payload.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_data_length() != kBytes || payload.get_streaming_width() < kBytes)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_address() % kBytes != 0 || payload.get_address() / kBytes > UINT16_MAX)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;

  auto reg = static_cast<uint16_t>(payload.get_address() / kBytes);
  uint64_t value;
  if (payload.is_read()) {
    pmuv3_access result = pmuv3_side_read(side_, reg, &value);
    if (result == PMUV3_ACCESS_OK) std::memcpy(payload.get_data_ptr(), &value, kBytes);
    return response(result);
  }
  std::memcpy(&value, payload.get_data_ptr(), kBytes);
  return with_clock ? write_with_clock(reg, value) : write(reg, value);
}

tlm::tlm_response_status pmuv3_tlm::write(uint16_t reg, uint64_t value) {
  pmuv3_access result = pmuv3_side_write(side_, reg, value);
  update_irq();
  return response(result);
}

tlm::tlm_response_status pmuv3_tlm::write_with_clock(uint16_t reg, uint64_t value) {
  if (cycle_.has_write) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  pmuv3_access result = pmuv3_register_writable(&side_->params, reg);
  if (result != PMUV3_ACCESS_OK) return response(result);
  cycle_.has_write = true;
  cycle_.write = {reg, value};
  return tlm::TLM_OK_RESPONSE;
}
