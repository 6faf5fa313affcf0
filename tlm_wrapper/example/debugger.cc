// An external debugger: it programs a core's PMU through the external page, and reads the counters
// while the core runs. The core's software does not know of it. The debugger runs ahead of time, as
// loosely-timed models do; each access waits for its time.
#include <iostream>
#include <systemc>

#include "bus.h"

const sc_core::sc_time kCycle(1, sc_core::SC_NS);

// Retires three instructions in each cycle.
struct Core : sc_core::sc_module {
  sc_core::sc_port<pmuv3_event_if> events{"events"};
  sc_core::sc_in<bool> clk{"clk"};

  explicit Core(const sc_core::sc_module_name &name) : sc_module(name) {
    SC_HAS_PROCESS(Core);
    SC_METHOD(retire);
    sensitive << clk.pos();
  }
  void retire() { events->occur({PMUV3_EVENT_INST_RETIRED, 3, 0, PMUV3_CURRENT}); }
};

struct Debugger : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Debugger, 32> pmu{"pmu"};
  uint64_t cycles = 0, instructions = 0;
  unsigned char byte = 0;

  explicit Debugger(const sc_core::sc_module_name &name) : sc_module(name) {
    how_.space = PMUV3_S;
    SC_HAS_PROCESS(Debugger);
    SC_THREAD(run);
  }

 private:
  // Offsets of the page with EXT64 (docs/reference/external-map.md).
  enum : uint64_t {
    kPmevcntr0 = 0x000,
    kPmccntr = 0x0F8,
    kPmevtyper0 = 0x400,
    kPmcntenset = 0xC00,
    kPmcr = 0xE10,
  };

  void run() {
    put<uint64_t>(kPmevtyper0, PMUV3_EVENT_INST_RETIRED);
    put<uint64_t>(kPmcntenset, PMUV3_MASK(PMCNTENSET, C) | 1);
    put<uint32_t>(kPmcr, PMUV3_MASK(PMCR, LC) | PMUV3_MASK(PMCR, E));
    for (int i = 0; i < 3; i++) {
      local_ += 1000 * kCycle;
      cycles = get(kPmccntr);
      instructions = get(kPmevcntr0);
      std::cout << "at " << sc_core::sc_time_stamp() << ": " << instructions << " instructions in "
                << cycles << " cycles\n";
    }
    look();
    sc_core::sc_stop();
  }

  // A debug access takes no time, and may be of a single byte.
  void look() {
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(pmuv3_tlm::page_of(0) + kPmccntr + 1);
    payload.set_data_ptr(&byte);
    payload.set_data_length(1);
    payload.set_streaming_width(1);
    payload.set_extension(&how_);
    if (pmu->transport_dbg(payload) != 1) SC_REPORT_FATAL("/platform", "no debug access");
    payload.clear_extension(&how_);
  }

  template <class Value>
  void put(uint64_t offset, Value value) {
    transport(pmu, tlm::TLM_WRITE_COMMAND, pmuv3_tlm::page_of(0) + offset, value, how_, local_);
  }
  uint64_t get(uint64_t offset) {
    uint64_t value = 0;
    transport(pmu, tlm::TLM_READ_COMMAND, pmuv3_tlm::page_of(0) + offset, value, how_, local_);
    return value;
  }

  pmuv3_access_extension how_;
  sc_core::sc_time local_ = 0.5 * kCycle;  // between two edges
};

int sc_main(int, char **) {
  pmuv3_tlm pmu("pmu");
  Core core("core");
  Debugger debugger("debugger");
  sc_core::sc_clock clock("clock", kCycle, 0.5, kCycle);
  pmu.clk(clock);
  core.clk(clock);
  core.events.bind(pmu.events);
  debugger.pmu.bind(pmu.external);

  sc_core::sc_start();
  return debugger.cycles == 3000 && debugger.instructions == 9000 && debugger.byte == 3000 >> 8 ? 0
                                                                                                : 1;
}
