// What the sockets of pmuv3_tlm do with a payload: its form, its beats, and the access of each.
#include <algorithm>
#include <cstring>

#include "tlm_wrapper/decoupled.h"
#include "tlm_wrapper/pmuv3_tlm.h"

using tlm::tlm_response_status;

// ---- What an access waits for ----

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
  return has_thread(how.thread) && !how.is_foreign &&
         cycle_at(delay) < decoupled_->told(how.thread);
}

// A thread ahead of the others accesses its registers there, if they do not depend on the others.
// False: the access is refused.
inline bool pmuv3_tlm::begin(const pmuv3_access_extension &how, sc_core::sc_time &delay) {
  if (!decoupled_) {
    if (delay.value() == 0) return true;
    if (is_never(delay)) return false;
    synchronize(delay);
    if (decoupled_) begin_together(delay);  // since another process waited for less
    return true;
  }
  if (is_never(delay) || is_late(how, delay)) return false;
  if (!has_thread(how.thread) || how.is_foreign) {
    begin_together(delay);
    return true;
  }
  reach_now();
  access_at_ = cycle_at(delay);
  access_delay_ = &delay;
  accessed_ = decoupled_->ahead(how.thread, access_at_);
  if (!accessed_) begin_together(delay);
  return true;
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
  if (!begin(how, delay)) return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  payload.set_response_status(
      access<&pmuv3_tlm::registers_beat>(payload, how, register_bytes(payload), true));
}

void pmuv3_tlm::external_b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) {
  if (is_never(delay)) return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
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
  meet_edge();
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
  if (first != TLM_BYTE_ENABLED && first != TLM_BYTE_DISABLED) return std::nullopt;
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
  if (how.checked && face != &pmuv3_tlm::external_beat) {
    how.result = PMUV3_UNDEFINED;
    how.syndrome = pmuv3_syndrome(PMUV3_UNDEFINED, {});
  }
  meet_edge();
  const tlm_response_status status =
      is_beat(payload, bytes) ? (this->*face)({payload.is_write(), payload.get_address(),
                                               payload.get_data_ptr(), bytes, takes_state},
                                              how)
                              : beats(payload, how, face, bytes, takes_state);
  if (payload.is_write() || (decoupled_ && how.state)) update_outputs();
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
  if (beat.is_write && (half != 0 || (beat.bytes < 8 && pmuv3_register_bits(reg) == 64)) &&
      pmuv3_register_writable(&side_->params, reg) != PMUV3_ACCESS_UNKNOWN)
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
  if (status != tlm::TLM_OK_RESPONSE) return status;
  const pmuv3_write made = {reg, how.checked, value};
  // Another agent may write while the thread is ahead.
  if (!decoupled_ || decoupled_->told(how.thread) == access_at_)
    open_cycle(how.thread).note_write(accessed_, how.thread, made);
  if (decoupled_) wrote(how.thread, made);
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
  return cycle_.write(how.thread, write) ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
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
  return tlm::TLM_OK_RESPONSE;
}
