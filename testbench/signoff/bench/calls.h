// A platform's calls of the TLM module, and of a target that does nothing. The payload is the
// caller's and is used again, as platforms do.
#ifndef PMUV3_BENCH_CALLS_H
#define PMUV3_BENCH_CALLS_H

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <vector>

#include "testbench/signoff/bench/platform.h"
#include "tlm_wrapper/pmuv3_tlm.h"

namespace pmuv3 {

constexpr uint64_t kLongTime = 1000000;
constexpr uint64_t kBlock = 1000;
constexpr uint8_t kCounters = 31;

// A target as fast as any: it answers, and does nothing.
struct Nothing : sc_core::sc_module, pmuv3_event_if {
  tlm_utils::simple_target_socket<Nothing, 64> registers{"registers"};
  sc_core::sc_export<pmuv3_event_if> events{"events"};

  explicit Nothing(const sc_core::sc_module_name &name) : sc_module(name) {
    registers.register_b_transport(this, &Nothing::Answer);
    events(*this);
  }

  void Answer(tlm::tlm_generic_payload &payload, sc_core::sc_time &) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  const char *set_pe(unsigned, const pmuv3_pe &) override { return nullptr; }
  const char *in_context(unsigned, const pmuv3_context &) override { return nullptr; }
  const char *occur(const pmuv3_occurrence &) override { return nullptr; }
  const char *notify(uint16_t, unsigned, unsigned, const pmuv3_context &) override {
    return nullptr;
  }
  const char *capture(unsigned) override { return nullptr; }
  std::optional<pmuv3_result> written(unsigned) override { return std::nullopt; }
  std::optional<bool> external_written() override { return std::nullopt; }
  const char *advance(uint64_t cycles) override {
    passed += cycles;
    return nullptr;
  }
  const char *run(uint64_t cycles, const std::vector<pmuv3_rate> &) override {
    return advance(cycles);
  }
  std::optional<uint64_t> next_overflow(uint64_t, const std::vector<pmuv3_rate> &) override {
    return std::nullopt;
  }
  const char *notify_overflow(uint64_t, const std::vector<pmuv3_rate> &, const sc_core::sc_time &,
                              sc_core::sc_event &) override {
    return nullptr;
  }

  uint64_t passed = 0;
};

struct Core : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Core, 64> registers{"registers"};
  sc_core::sc_port<pmuv3_event_if> events{"events"};

  explicit Core(const sc_core::sc_module_name &name) : sc_module(name) {}

  void Access(tlm::tlm_command command, uint16_t reg, pmuv3_access_extension *how) {
    sc_core::sc_time delay;
    payload.set_command(command);
    payload.set_address(pmuv3_tlm::address_of(reg));
    payload.set_data_ptr(reinterpret_cast<unsigned char *>(&data));
    payload.set_data_length(sizeof data);
    payload.set_streaming_width(sizeof data);
    payload.set_extension(how);
    registers->b_transport(payload, delay);
    payload.clear_extension(how);
    is_refused |= !payload.is_response_ok();
  }

  void Write(uint16_t reg, uint64_t value) {
    data = value;
    Access(tlm::TLM_WRITE_COMMAND, reg, &highest);
  }

  // Not inlined into a loop that repeats one call: a platform makes others in between.
  [[gnu::noinline]] void Call(pmuv3_bench_call call) {
    const uint16_t counter = PMUV3_PMEVCNTRn(5);
    switch (call) {
      case PMUV3_BENCH_READ:
        return Access(tlm::TLM_READ_COMMAND, counter, &highest);
      case PMUV3_BENCH_WRITE:
        return Access(tlm::TLM_WRITE_COMMAND, counter, &highest);
      case PMUV3_BENCH_MRS:
        return Access(tlm::TLM_READ_COMMAND, counter, &checked);
      case PMUV3_BENCH_MSR:
        return Access(tlm::TLM_WRITE_COMMAND, counter, &checked);
      case PMUV3_BENCH_ADVANCE:
        events->advance(kLongTime);
        return;
      default:
        events->run(kBlock, rates);
    }
  }

  tlm::tlm_generic_payload payload;
  pmuv3_access_extension highest, checked;
  uint64_t data = 0;
  bool is_refused = false;  // an access
  const std::vector<pmuv3_rate> rates = {
      {PMUV3_EVENT_INST_RETIRED, 0, PMUV3_CURRENT, kBlock + kBlock / 2}};
};

// The module with 31 counters, and the target that does nothing, each with a core of its own.
struct Platform {
  Platform() {
    of_module.registers.bind(module.registers);
    of_module.events.bind(module.events);
    of_nothing.registers.bind(nothing.registers);
    of_nothing.events.bind(nothing.events);
    of_module.checked.checked = of_nothing.checked.checked = true;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    Program();
  }

  pmuv3_tlm module{"module", Side()};
  Nothing nothing{"nothing"};
  Core of_module{"of_module"}, of_nothing{"of_nothing"};

 private:
  static pmuv3_side *Side() {
    pmuv3_params params = pmuv3_params_default();
    params.counters = kCounters;
    pmuv3_params_complete(&params);
    return pmuv3_side_cmodel(&params);
  }

  // All counters count, those of 31 events among them that occur.
  void Program() {
    for (uint16_t n = 0; n < kCounters; n++)
      of_module.Write(PMUV3_PMEVTYPERn(n), PMUV3_EVENT_INST_RETIRED);
    of_module.Write(PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C) | PMUV3_MASK(PMCNTENSET, P));
    of_module.Write(PMUV3_PMCR, PMUV3_MASK(PMCR, E) | PMUV3_MASK(PMCR, LC) | PMUV3_MASK(PMCR, LP));
    of_module.data = 0;
  }
};

}  // namespace pmuv3

#endif
