#include "testbench/cosim/run/driver.h"

#include <utility>

namespace pmuv3 {

// The set of threads that have another context in the cycle. Only their `other` matters.
static unsigned with_context(const pmuv3_cycle &cycle) {
  unsigned threads = 0;
  for (int i = 0; i < cycle.num_occurrences; i++)
    if (cycle.occurrences[i].origin == PMUV3_OTHER) threads |= 1u << cycle.occurrences[i].thread;
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++)
    if (cycle.other[t].related) threads |= 1u << t;
  return threads;
}

// ---- The spy ----

static bool same(const pmuv3_write &a, const pmuv3_write &b) {
  return a.reg == b.reg && a.checked == b.checked && a.value == b.value;
}

static bool same(const pmuv3_external &a, const pmuv3_external &b) {
  return a.thread == b.thread && a.ss == b.ss && a.offset == b.offset && a.value == b.value;
}

static bool same(const pmuv3_context &a, const pmuv3_context &b) {
  return a.el == b.el && a.ss == b.ss && a.related == b.related;
}

static bool same(const pmuv3_occurrence &a, const pmuv3_occurrence &b) {
  return a.event == b.event && a.count == b.count && a.thread == b.thread && a.origin == b.origin;
}

bool Spy::Saw(unsigned thread, const pmuv3_write &access) const {
  return access_thread_ == thread && same(access_, access);
}

bool Spy::Saw(unsigned thread, const pmuv3_write &access, pmuv3_result result,
              uint32_t syndrome) const {
  return Saw(thread, access) && result_ == result && syndrome_ == syndrome;
}

bool Spy::Saw(const pmuv3_external &access, bool done) const {
  return same(external_, access) && external_done_ == done;
}

bool Spy::Saw(unsigned thread, const pmuv3_pe &pe) const {
  return pmuv3_pe_equal(&pe_[thread], &pe);
}

bool Spy::Saw(const pmuv3_cycle &cycle) const {
  const unsigned contexts = with_context(cycle);
  if (with_context(cycle_) != contexts || cycle_.has_write != cycle.has_write) return false;
  if (cycle_.has_external != cycle.has_external || cycle_.capture != cycle.capture) return false;
  if (cycle.has_external && !same(cycle_.external, cycle.external)) return false;
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) {
    if (contexts >> t & 1 && !same(cycle_.other[t], cycle.other[t])) return false;
    if (cycle.has_write >> t & 1 && !same(cycle_.write[t], cycle.write[t])) return false;
  }
  return std::equal(occurrences_, occurrences_ + cycle_.num_occurrences, cycle.occurrences,
                    cycle.occurrences + cycle.num_occurrences,
                    [](const auto &a, const auto &b) { return same(a, b); });
}

const pmuv3_side_ops Spy::kOps = {
    "spy",
    [](pmuv3_side *side) { pmuv3_side_reset(Of(side).inner_); },
    [](pmuv3_side *side, unsigned thread, const pmuv3_pe *pe) {
      Of(side).pe_[thread] = *pe;
      pmuv3_side_set_pe(Of(side).inner_, thread, pe);
    },
    [](pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t value) {
      Of(side).Keep(thread, {reg, false, value});
      return pmuv3_side_write(Of(side).inner_, thread, reg, value);
    },
    [](pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t *value) {
      pmuv3_access result = pmuv3_side_read(Of(side).inner_, thread, reg, value);
      Of(side).Keep(thread, {reg, false, *value});
      return result;
    },
    [](pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t value) {
      Of(side).Keep(thread, {reg, true, value});
      return Of(side).result_ = pmuv3_side_msr(Of(side).inner_, thread, reg, value);
    },
    [](pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t *value) {
      Of(side).result_ = pmuv3_side_mrs(Of(side).inner_, thread, reg, value);
      Of(side).Keep(thread, {reg, true, *value});
      return Of(side).result_;
    },
    [](pmuv3_side *side, unsigned thread) {
      return Of(side).syndrome_ = pmuv3_side_syndrome(Of(side).inner_, thread);
    },
    [](pmuv3_side *side, unsigned thread, pmuv3_security_state ss, uint16_t offset,
       uint32_t value) {
      bool done = pmuv3_side_external_write(Of(side).inner_, thread, ss, offset, value);
      Of(side).Keep(thread, ss, offset, value, done);
      return done;
    },
    [](pmuv3_side *side, unsigned thread, pmuv3_security_state ss, uint16_t offset,
       uint32_t *value) {
      bool done = pmuv3_side_external_read(Of(side).inner_, thread, ss, offset, value);
      Of(side).Keep(thread, ss, offset, *value, done);
      return done;
    },
    [](pmuv3_side *side, const pmuv3_cycle *cycle) {
      Of(side).Keep(*cycle);
      pmuv3_side_cycle(Of(side).inner_, cycle);
    },
    [](pmuv3_side *side) { return pmuv3_side_written(Of(side).inner_); },
    [](pmuv3_side *side, unsigned thread, pmuv3_probe *probe) {
      pmuv3_side_probe(Of(side).inner_, thread, probe);
    },
    [](pmuv3_side *side, unsigned thread) { return pmuv3_side_outputs(Of(side).inner_, thread); },
    [](pmuv3_side *side) {
      pmuv3_side_destroy(Of(side).inner_);
      delete &Of(side);
    },
    nullptr,  // repeat
    nullptr,  // next_overflow
    nullptr,  // clone
    nullptr,  // depends
    nullptr,  // repeat_to_overflow
    nullptr,  // save
    nullptr,  // restore
    [](pmuv3_side *side) { pmuv3_side_cold_reset(Of(side).inner_); },
    nullptr,  // keep
};

// ---- The driver ----

Driver::Driver(const sc_core::sc_module_name &name, pmuv3_tlm &pmu, const Spy &spy,
               pmuv3_side *lockstep, sc_core::sc_time period,
               std::function<const pmuv3_item *()> next)
    : sc_module(name),
      pmu_(pmu),
      spy_(spy),
      lockstep_(lockstep),
      period_(period),
      next_(std::move(next)) {
  SC_HAS_PROCESS(Driver);
  SC_THREAD(drive);
}

// Half a period away from the rising edges, so that inputs are stable at each edge.
void Driver::drive() {
  wait(period_ / 2);
  while (const pmuv3_item *item = next_()) play(*item);
  sc_core::sc_stop();
}

void Driver::play(const pmuv3_item &item) {
  switch (item.kind) {
    case PMUV3_ITEM_WRITE:
      access(tlm::TLM_WRITE_COMMAND, item, true);
      break;
    case PMUV3_ITEM_READ:
      access(tlm::TLM_READ_COMMAND, item, true);
      break;
    case PMUV3_ITEM_REFUSED_WRITE:
      access(tlm::TLM_WRITE_COMMAND, item, false);
      break;
    case PMUV3_ITEM_REFUSED_READ:
      access(tlm::TLM_READ_COMMAND, item, false);
      break;
    case PMUV3_ITEM_MSR:
      checked_access(tlm::TLM_WRITE_COMMAND, item);
      break;
    case PMUV3_ITEM_MRS:
      checked_access(tlm::TLM_READ_COMMAND, item);
      break;
    case PMUV3_ITEM_EXTERNAL_WRITE:
      external_access(tlm::TLM_WRITE_COMMAND, item);
      break;
    case PMUV3_ITEM_EXTERNAL_READ:
      external_access(tlm::TLM_READ_COMMAND, item);
      break;
    case PMUV3_ITEM_RESET:
      pmu_.reset();
      break;
    case PMUV3_ITEM_PE:
      require(!events->set_pe(item.thread, item.pe), "a state was refused");
      require(spy_.Saw(item.thread, item.pe), "the TLM module changed a state");
      break;
    default:
      cycle(item.cycle);
  }
}

void Driver::cycle(const pmuv3_cycle &cycle) {
  contexts(cycle);
  for (int i = 0; i < cycle.num_occurrences; i++)
    require(!events->occur(cycle.occurrences[i]), "an event was refused");
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++)
    if (cycle.capture >> t & 1) require(!events->capture(t), "a capture request was refused");
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) {
    if (!(cycle.has_write >> t & 1)) continue;
    transport(tlm::TLM_WRITE_COMMAND, t, cycle.write[t], true);
    require(payload_.is_response_ok(), "a write with the clock was refused");
  }
  if (cycle.has_external) {
    transport_external(tlm::TLM_WRITE_COMMAND, cycle.external, true);
    require(payload_.is_response_ok(), "an external write with the clock was refused");
  }
  wait(period_);
  require(spy_.Saw(cycle), "the TLM module changed a cycle");
}

void Driver::contexts(const pmuv3_cycle &cycle) {
  const unsigned threads = with_context(cycle);
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++)
    if (threads >> t & 1)
      require(!events->in_context(t, cycle.other[t]), "a thread's other context was refused");
}

void Driver::access(tlm::tlm_command command, const pmuv3_item &item, bool legal) {
  transport(command, item.thread, item.access, false);
  require(payload_.is_response_ok() == legal, "an access was not answered as it should be");
  pmuv3_write done = item.access;
  if (command == tlm::TLM_READ_COMMAND) done.value = value_;
  require(!legal || spy_.Saw(item.thread, done), "the TLM module changed an access");
}

// Makes a checked access. The TLM extension returns the result.
void Driver::checked_access(tlm::tlm_command command, const pmuv3_item &item) {
  transport(command, item.thread, item.access, false);
  const pmuv3_result result = extension_.result;
  require(payload_.is_response_ok() == (result == PMUV3_DONE),
          "a checked access was not answered as it ended");
  pmuv3_write done = item.access;
  if (command == tlm::TLM_READ_COMMAND) done.value = result == PMUV3_DONE ? value_ : 0;
  require(spy_.Saw(item.thread, done, result, extension_.syndrome),
          "the TLM module changed a checked access");
}

void Driver::external_access(tlm::tlm_command command, const pmuv3_item &item) {
  transport_external(command, item.external, false);
  if (item.external.offset % 4 != 0) {
    unaligned_access(command, item.external);
    return;
  }
  const bool done = payload_.is_response_ok();
  pmuv3_external access = item.external;
  if (command == tlm::TLM_READ_COMMAND) access.value = done ? word_ : 0;
  require(spy_.Saw(access, done), "the TLM module changed an external access");
}

// The TLM module itself refuses an unaligned access, so the sides get it without the module.
void Driver::unaligned_access(tlm::tlm_command command, const pmuv3_external &access) {
  const auto space = static_cast<pmuv3_security_state>(access.ss);
  require(!payload_.is_response_ok(), "the TLM module took an unaligned access");
  if (command == tlm::TLM_WRITE_COMMAND)
    pmuv3_side_external_write(lockstep_, access.thread, space, access.offset, access.value);
  else
    pmuv3_side_external_read(lockstep_, access.thread, space, access.offset, &word_);
}

void Driver::transport(tlm::tlm_command command, unsigned thread, const pmuv3_write &write,
                       bool with_clock) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  value_ = write.value;
  extension_ = {};
  extension_.thread = thread;
  extension_.checked = write.checked;
  extension_.with_clock = with_clock;
  prepare(command, pmuv3_tlm::address_of(write.reg), &value_, sizeof value_);
  registers->b_transport(payload_, delay);
  payload_.clear_extension(&extension_);
}

void Driver::transport_external(tlm::tlm_command command, const pmuv3_external &access,
                                bool with_clock) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  word_ = access.value;
  extension_ = {};
  extension_.space = static_cast<pmuv3_security_state>(access.ss);
  extension_.with_clock = with_clock;
  prepare(command, pmuv3_tlm::page_of(access.thread) + access.offset, &word_, sizeof word_);
  external->b_transport(payload_, delay);
  payload_.clear_extension(&extension_);
}

void Driver::prepare(tlm::tlm_command command, uint64_t address, void *data, unsigned length) {
  payload_.set_command(command);
  payload_.set_address(address);
  payload_.set_data_ptr(static_cast<unsigned char *>(data));
  payload_.set_data_length(length);
  payload_.set_streaming_width(length);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  payload_.set_extension(&extension_);
}

// A failed check is the TLM module's fault, unless the sides diverged.
void Driver::require(bool holds, const char *otherwise) {
  if (!holds && !pmuv3_lockstep_divergence(lockstep_)) SC_REPORT_FATAL("/pmuv3/cosim", otherwise);
}

}  // namespace pmuv3
