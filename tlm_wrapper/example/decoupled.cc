// Two cores, each a thread of one module, run ahead of SystemC's time by quanta of different
// length. Each profiles itself: it takes a sample every so many instructions, by PMUIRQ through
// GICv3 PPI 23. The interrupt ends the quantum under way at the very cycle of the overflow.
#include <algorithm>
#include <iostream>
#include <systemc>

#include "bus.h"
// What includes SystemC itself comes before.
#include <tlm_utils/tlm_quantumkeeper.h>

const sc_core::sc_time kCycle(1, sc_core::SC_NS);

// The redistributor of a GICv3, as far as PPI 23 goes: level-sensitive, one for each core.
struct Redistributor : sc_core::sc_module {
  sc_core::sc_in<bool> ppi23{"ppi23"};
  sc_core::sc_out<bool> irq{"irq"};

  explicit Redistributor(const sc_core::sc_module_name &name) : sc_module(name) {
    SC_HAS_PROCESS(Redistributor);
    SC_METHOD(forward);
    sensitive << ppi23;
  }
  void forward() { irq = ppi23; }
};

// A core, as an emulator has it: it executes blocks of instructions, at an average of so many in
// four cycles.
struct Core : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Core, 64> registers{"registers"};
  sc_core::sc_port<pmuv3_thread_if> events{"events"};
  sc_core::sc_in<bool> irq{"irq"};
  int samples = 0;
  bool late = false;

  Core(const sc_core::sc_module_name &name, uint8_t thread, uint64_t quantum, unsigned rate)
      : sc_module(name), thread_(thread), quantum_(quantum), rate_(rate) {
    how_.checked = true;
    SC_HAS_PROCESS(Core);
    SC_THREAD(run);
  }

 private:
  static constexpr uint64_t kPeriod = 3000;

  void run() {
    keeper_.reset();
    msr(PMUV3_PMEVTYPERn(0), PMUV3_EVENT_INST_RETIRED);
    msr(PMUV3_PMEVCNTRn(0), -kPeriod);
    msr(PMUV3_PMINTENSET, 1);
    msr(PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C) | 1);
    msr(PMUV3_PMCR, PMUV3_MASK(PMCR, LP) | PMUV3_MASK(PMCR, LC) | PMUV3_MASK(PMCR, E));
    while (samples < 10) {
      execute();
      synchronize();
      if (irq) sample();
    }
  }

  // A quantum, or the part of it up to the next overflow.
  void execute() {
    const auto now = [this] { return keeper_.get_local_time(); };
    const uint64_t all = rate_ * quantum_ / 4;
    uint64_t cycles = quantum_;
    const auto next = events->next_overflow(cycles, instructions(all), now());
    if (next && *next != 0) cycles = *next;
    // As `all` are spread over the quantum: evenly, the larger numbers first.
    const uint64_t part = cycles * (all / quantum_) + std::min(cycles, all % quantum_);
    if (const char *wrong = events->run(cycles, instructions(part), now()))
      SC_REPORT_FATAL("/platform", wrong);
    keeper_.inc(static_cast<double>(cycles) * kCycle);
  }

  std::vector<pmuv3_rate> instructions(uint64_t total) const {
    return {{PMUV3_EVENT_INST_RETIRED, thread_, PMUV3_CURRENT, total}};
  }

  // The outputs of a cycle come in the delta cycles after its end.
  void synchronize() {
    keeper_.sync();
    for (int delta = 0; delta < 4; delta++) wait(sc_core::SC_ZERO_TIME);
  }

  void sample() {
    const uint64_t beyond = mrs(PMUV3_PMEVCNTRn(0));
    std::cout << name() << ": sample " << ++samples << " in cycle " << mrs(PMUV3_PMCCNTR) << "\n";
    late |= beyond > 1;  // of the two instructions that a cycle has at most
    msr(PMUV3_PMEVCNTRn(0), beyond - kPeriod);
    msr(PMUV3_PMOVSCLR, 1);
    synchronize();
  }

  void msr(uint16_t reg, uint64_t value) { access(tlm::TLM_WRITE_COMMAND, reg, value); }
  uint64_t mrs(uint16_t reg) { return access(tlm::TLM_READ_COMMAND, reg, 0); }
  uint64_t access(tlm::tlm_command command, uint16_t reg, uint64_t value) {
    sc_core::sc_time local = keeper_.get_local_time();
    transport(registers, command, pmuv3_tlm::address_of(reg), value, how_, local);
    keeper_.set(local);
    return value;
  }

  const uint8_t thread_;
  const uint64_t quantum_;
  const unsigned rate_;
  pmuv3_access_extension how_;
  tlm_utils::tlm_quantumkeeper keeper_;
};

int sc_main(int, char **) {
  pmuv3_params params = pmuv3_tlm::platform_params();
  params.threads = 2;
  if (const char *wrong = pmuv3_params_complete(&params)) SC_REPORT_FATAL("/platform", wrong);

  pmuv3_tlm pmu("pmu", pmuv3_side_cmodel(&params));
  Core fast("fast", 0, 700, 6), slow("slow", 1, 10000, 3);
  sc_core::sc_vector<Redistributor> gic("gic", 2);
  sc_core::sc_vector<sc_core::sc_signal<bool>> ppi23("ppi23", 2), irq("irq", 2);
  Core *const cores[] = {&fast, &slow};
  for (unsigned t = 0; t < 2; t++) {
    pmu.irq[t](ppi23[t]);
    gic[t].ppi23(ppi23[t]);
    gic[t].irq(irq[t]);
    cores[t]->irq(irq[t]);
    cores[t]->registers.bind(pmu.thread_registers[t]);
    cores[t]->events.bind(pmu.threads[t]);
  }
  if (const char *wrong = pmu.decouple(kCycle)) SC_REPORT_FATAL("/platform", wrong);

  sc_core::sc_start(100, sc_core::SC_US);
  return fast.samples == 10 && slow.samples == 10 && !fast.late && !slow.late ? 0 : 1;
}
