#include "testbench/cosim/driver.h"

#include <utility>

namespace pmuv3 {

const pmuv3_side_ops Spy::kOps = {
    "spy",
    [](pmuv3_side *side) { pmuv3_side_reset(Of(side).inner_); },
    [](pmuv3_side *side, uint16_t reg, uint64_t value) {
      Of(side).access_ = {reg, value};
      return pmuv3_side_write(Of(side).inner_, reg, value);
    },
    [](pmuv3_side *side, uint16_t reg, uint64_t *value) {
      pmuv3_access result = pmuv3_side_read(Of(side).inner_, reg, value);
      Of(side).access_ = {reg, *value};
      return result;
    },
    [](pmuv3_side *side, const pmuv3_cycle *cycle) {
      Of(side).Keep(*cycle);
      pmuv3_side_cycle(Of(side).inner_, cycle);
    },
    [](pmuv3_side *side, pmuv3_probe *probe) { pmuv3_side_probe(Of(side).inner_, probe); },
    [](pmuv3_side *side) { return pmuv3_side_irq(Of(side).inner_); },
    [](pmuv3_side *side) {
      pmuv3_side_destroy(Of(side).inner_);
      delete &Of(side);
    },
};

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
  with_clock_.with_clock = true;
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
      access(tlm::TLM_WRITE_COMMAND, item.access, true);
      break;
    case PMUV3_ITEM_READ:
      access(tlm::TLM_READ_COMMAND, item.access, true);
      break;
    case PMUV3_ITEM_REFUSED_WRITE:
      access(tlm::TLM_WRITE_COMMAND, item.access, false);
      break;
    case PMUV3_ITEM_REFUSED_READ:
      access(tlm::TLM_READ_COMMAND, item.access, false);
      break;
    case PMUV3_ITEM_RESET:
      pmu_.reset();
      break;
    default:
      cycle(item.cycle);
  }
}

void Driver::cycle(const pmuv3_cycle &cycle) {
  for (int i = 0; i < cycle.num_occurrences; i++) {
    const pmuv3_occurrence &occurrence = cycle.occurrences[i];
    require(events->occur(static_cast<pmuv3_event>(occurrence.event), occurrence.count),
            "an event was refused");
  }
  if (cycle.has_write) {
    transport(tlm::TLM_WRITE_COMMAND, cycle.write, &with_clock_);
    require(payload_.is_response_ok(), "a write with the clock was refused");
  }
  wait(period_);
  require(spy_.Saw(cycle), "the TLM module changed a cycle");
}

void Driver::access(tlm::tlm_command command, pmuv3_write write, bool legal) {
  transport(command, write, nullptr);
  require(payload_.is_response_ok() == legal, "an access was not answered as it should be");
  if (legal && command == tlm::TLM_READ_COMMAND) write.value = value_;
  require(!legal || spy_.Saw(write), "the TLM module changed an access");
}

void Driver::transport(tlm::tlm_command command, const pmuv3_write &write,
                       pmuv3_access_extension *extension) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  value_ = write.value;
  payload_.set_command(command);
  payload_.set_address(pmuv3_tlm::address_of(write.reg));
  payload_.set_data_ptr(reinterpret_cast<unsigned char *>(&value_));
  payload_.set_data_length(sizeof value_);
  payload_.set_streaming_width(sizeof value_);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  payload_.set_extension(extension);
  registers->b_transport(payload_, delay);
  payload_.clear_extension(extension);
}

// What does not hold is the TLM module's fault, unless the sides diverged over it.
void Driver::require(bool holds, const char *otherwise) {
  if (!holds && !pmuv3_lockstep_divergence(lockstep_)) SC_REPORT_FATAL("/pmuv3/cosim", otherwise);
}

}  // namespace pmuv3
