#include "testbench/cosim/driver.h"

#include <utility>

namespace pmuv3 {

// A bit a thread that has another context in the cycle, which is what `other` is about.
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
  return a.reg == b.reg && a.value == b.value;
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

bool Spy::Saw(unsigned thread, const pmuv3_pe &pe) const {
  const pmuv3_pe &seen = pe_[thread];
  return seen.el == pe.el && seen.ss == pe.ss && seen.sm == pe.sm && seen.halted == pe.halted &&
         seen.active == pe.active && seen.wfx == pe.wfx && seen.aa32 == pe.aa32 &&
         seen.a32el1 == pe.a32el1 && seen.a32el3 == pe.a32el3 && seen.snid == pe.snid;
}

bool Spy::Saw(const pmuv3_cycle &cycle) const {
  const unsigned contexts = with_context(cycle);
  if (with_context(cycle_) != contexts || cycle_.has_write != cycle.has_write) return false;
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
      Of(side).access_thread_ = thread;
      Of(side).access_ = {reg, value};
      return pmuv3_side_write(Of(side).inner_, thread, reg, value);
    },
    [](pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t *value) {
      pmuv3_access result = pmuv3_side_read(Of(side).inner_, thread, reg, value);
      Of(side).access_thread_ = thread;
      Of(side).access_ = {reg, *value};
      return result;
    },
    [](pmuv3_side *side, const pmuv3_cycle *cycle) {
      Of(side).Keep(*cycle);
      pmuv3_side_cycle(Of(side).inner_, cycle);
    },
    [](pmuv3_side *side, unsigned thread, pmuv3_probe *probe) {
      pmuv3_side_probe(Of(side).inner_, thread, probe);
    },
    [](pmuv3_side *side, unsigned thread) { return pmuv3_side_irq(Of(side).inner_, thread); },
    [](pmuv3_side *side) {
      pmuv3_side_destroy(Of(side).inner_);
      delete &Of(side);
    },
};

// ---- The driver ----

Driver::Driver(const sc_core::sc_module_name &name, pmuv3_tlm &pmu, const Spy &spy,
               const pmuv3_side *lockstep, sc_core::sc_time period,
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

// Half a period away from the rising edges, so that what is presented is settled when one comes.
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
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) {
    if (!(cycle.has_write >> t & 1)) continue;
    transport(tlm::TLM_WRITE_COMMAND, t, cycle.write[t], true);
    require(payload_.is_response_ok(), "a write with the clock was refused");
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

void Driver::transport(tlm::tlm_command command, unsigned thread, const pmuv3_write &write,
                       bool with_clock) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  value_ = write.value;
  extension_.thread = thread;
  extension_.with_clock = with_clock;
  payload_.set_command(command);
  payload_.set_address(pmuv3_tlm::address_of(write.reg));
  payload_.set_data_ptr(reinterpret_cast<unsigned char *>(&value_));
  payload_.set_data_length(sizeof value_);
  payload_.set_streaming_width(sizeof value_);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  payload_.set_extension(&extension_);
  registers->b_transport(payload_, delay);
  payload_.clear_extension(&extension_);
}

// What does not hold is the TLM module's fault, unless the sides diverged over it.
void Driver::require(bool holds, const char *otherwise) {
  if (!holds && !pmuv3_lockstep_divergence(lockstep_)) SC_REPORT_FATAL("/pmuv3/cosim", otherwise);
}

}  // namespace pmuv3
