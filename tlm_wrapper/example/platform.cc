// A platform: a core that profiles itself, and a debugger that looks on.
//
// The core retires three instructions a cycle, at EL1. Its software programs the PMU with MSR, and
// takes a sample every 300 instructions, by PMUIRQ. The debugger reads the cycle counter in the
// external view; it runs ahead of time, as loosely-timed models do.
#include <tlm_utils/simple_initiator_socket.h>

#include <iostream>
#include <systemc>

#include "tlm_wrapper/pmuv3_tlm.h"

const sc_core::sc_time kCycle(1, sc_core::SC_NS);

// Writes a value, or reads one, through an initiator socket.
template <class Socket, class Value>
void transport(Socket &socket, tlm::tlm_command command, uint64_t address, Value &value,
               pmuv3_access_extension how, sc_core::sc_time delay) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char *>(&value));
  payload.set_data_length(sizeof value);
  payload.set_streaming_width(sizeof value);
  payload.set_extension(&how);
  socket->b_transport(payload, delay);
  payload.clear_extension(&how);
  if (!payload.is_response_ok())
    SC_REPORT_FATAL("/platform", payload.get_response_string().c_str());
}

struct Core : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Core, 64> registers{"registers"};
  sc_core::sc_port<pmuv3_event_if> events{"events"};
  sc_core::sc_in<bool> clk{"clk"}, irq{"irq"};
  int samples = 0;

  explicit Core(const sc_core::sc_module_name &name) : sc_module(name) {
    how_.checked = true;
    SC_HAS_PROCESS(Core);
    SC_THREAD(run);
    sensitive << clk.pos();
  }

 private:
  static constexpr uint64_t kPeriod = 300;

  void run() {
    msr(PMUV3_PMEVTYPERn(0), PMUV3_EVENT_INST_RETIRED);
    msr(PMUV3_PMEVCNTRn(0), -kPeriod);
    msr(PMUV3_PMINTENSET, 1);
    msr(PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C) | 1);
    msr(PMUV3_PMCR, PMUV3_MASK(PMCR, LP) | PMUV3_MASK(PMCR, E));
    while (samples < 10) {
      events->occur({PMUV3_EVENT_INST_RETIRED, 3, 0, PMUV3_CURRENT});
      wait();
      if (irq) sample();
    }
    sc_core::sc_stop();
  }

  void sample() {
    const uint64_t late = mrs(PMUV3_PMEVCNTRn(0));
    std::cout << "sample " << ++samples << " in cycle " << mrs(PMUV3_PMCCNTR) << ", " << late
              << " instructions late\n";
    msr(PMUV3_PMEVCNTRn(0), late - kPeriod);
    msr(PMUV3_PMOVSCLR, 1);
  }

  void msr(uint16_t reg, uint64_t value) { access(tlm::TLM_WRITE_COMMAND, reg, value); }
  uint64_t mrs(uint16_t reg) { return access(tlm::TLM_READ_COMMAND, reg, 0); }
  uint64_t access(tlm::tlm_command command, uint16_t reg, uint64_t value) {
    transport(registers, command, pmuv3_tlm::address_of(reg), value, how_, sc_core::SC_ZERO_TIME);
    return value;
  }

  pmuv3_access_extension how_;
};

struct Debugger : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Debugger, 32> pmu{"pmu"};
  uint32_t cycles = 0;

  explicit Debugger(const sc_core::sc_module_name &name) : sc_module(name) {
    SC_HAS_PROCESS(Debugger);
    SC_THREAD(run);
  }

 private:
  static constexpr uint64_t kPmccntr = 0x0F8;

  void run() {
    pmuv3_access_extension how;
    how.space = PMUV3_S;
    transport(pmu, tlm::TLM_READ_COMMAND, pmuv3_tlm::page_of(0) + kPmccntr, cycles, how,
              500 * kCycle);
    std::cout << "the debugger at " << sc_core::sc_time_stamp() << ": " << cycles << " cycles\n";
  }
};

int sc_main(int, char **) {
  pmuv3_params params = pmuv3_params_default();
  params.features |= 1u << PMUV3_FEATURE_EXT64;
  if (const char *wrong = pmuv3_params_complete(&params)) SC_REPORT_FATAL("/platform", wrong);

  pmuv3_tlm pmu("pmu", pmuv3_side_cmodel(&params));
  Core core("core");
  Debugger debugger("debugger");
  sc_core::sc_clock clock("clock", kCycle);
  sc_core::sc_signal<bool> irq("irq");
  pmu.clk(clock);
  pmu.irq[0](irq);
  core.clk(clock);
  core.irq(irq);
  core.registers.bind(pmu.registers);
  core.events.bind(pmu.events);
  debugger.pmu.bind(pmu.external);

  sc_core::sc_start();
  return core.samples == 10 && debugger.cycles == 500 ? 0 : 1;
}
