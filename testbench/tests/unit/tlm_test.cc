// The TLM module around a side. SystemC elaborates only once in a process, so each test has its own
// process (gtest_discover_tests).
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <string>
#include <systemc>

#include "testbench/tests/unit/bent_side.h"
#include "tlm_wrapper/pmuv3_tlm.h"
#include "tlm_wrapper/side_rtl.h"

namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

// An initiator and source of events. The test drives it between runs of the clock, or in a SystemC
// process.
class Core : public sc_core::sc_module {
 public:
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> clk{"clk"};
  tlm_utils::simple_initiator_socket<Core, 64> registers{"registers"};
  tlm_utils::simple_initiator_socket<Core, 32> external{"external"};
  sc_core::sc_port<pmuv3_event_if> events{"events"};
  std::function<void()> at_edge = [] {};    // in a method that is sensitive to the rising edge
  std::function<void()> in_thread = [] {};  // in a thread, when `go` is notified
  sc_core::sc_event go;
  int responses = 0;  // through nb_transport_bw

  explicit Core(const sc_core::sc_module_name &name) : sc_module(name) {
    registers.register_nb_transport_bw(this, &Core::nb_transport_bw);
    SC_HAS_PROCESS(Core);
    SC_THREAD(run);
  }

 private:
  // Registers the method at the same time as the module, so that either order can occur.
  void end_of_elaboration() override {
    if (clk.size() == 0) return;
    SC_HAS_PROCESS(Core);
    SC_METHOD(edge);
    sensitive << clk->posedge_event();
    dont_initialize();
  }
  void edge() { at_edge(); }
  void run() {
    for (;;) {
      wait(go);
      in_thread();
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &phase, sc_time &) {
    responses += phase == tlm::BEGIN_RESP;
    return tlm::TLM_COMPLETED;
  }
};

// Two threads with two counters each, and the external view.
pmuv3_params TwoByTwo() {
  pmuv3_params params = pmuv3_params_default();
  params.features |= 1u << PMUV3_FEATURE_EXT64 | 1u << PMUV3_FEATURE_SS;
  params.threads = 2;
  params.counters = 2;
  pmuv3_params_complete(&params);
  return params;
}

pmuv3_side *CreateCmodel(const pmuv3_params *params) {
  return pmuv3_side_cmodel(params);
}
pmuv3_side *CreateRtl(const pmuv3_params *params) {
  return pmuv3_side_rtl(params, 1);
}

// A platform that binds only the core: no clock, no signals.
class UnclockedTest : public ::testing::TestWithParam<pmuv3_side *(*)(const pmuv3_params *)> {
 protected:
  UnclockedTest() {
    core_.registers.bind(pmu_.registers);
    core_.external.bind(pmu_.external);
    core_.events.bind(pmu_.events);
    Prepare(tlm::TLM_READ_COMMAND, 0);
  }

  // Prepares a plain register access. Tests change payload_ and how_ before Transport.
  void Prepare(tlm::tlm_command command, uint16_t reg, uint64_t value = 0) {
    PrepareAt(command, pmuv3_tlm::address_of(reg), &data_, sizeof data_);
    data_ = value;
  }

  void PrepareAt(tlm::tlm_command command, uint64_t address, void *data, unsigned length) {
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(static_cast<unsigned char *>(data));
    payload_.set_data_length(length);
    payload_.set_streaming_width(length);
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }

  tlm::tlm_response_status Transport() {
    core_.registers->b_transport(payload_, delay_);
    return payload_.get_response_status();
  }

  tlm::tlm_response_status TransportWith(pmuv3_access_extension &how) {
    payload_.set_extension(&how);
    Transport();
    payload_.clear_extension(&how);
    return payload_.get_response_status();
  }

  tlm::tlm_response_status TransportOf(unsigned thread, bool with_clock) {
    pmuv3_access_extension how;
    how.thread = thread;
    how.with_clock = with_clock;
    return TransportWith(how);
  }

  // The same without a thread, as an initiator that knows no threads.
  tlm::tlm_response_status Write(uint16_t reg, uint64_t value) {
    Prepare(tlm::TLM_WRITE_COMMAND, reg, value);
    return Transport();
  }

  tlm::tlm_response_status Write(unsigned thread, uint16_t reg, uint64_t value) {
    Prepare(tlm::TLM_WRITE_COMMAND, reg, value);
    return TransportOf(thread, false);
  }

  tlm::tlm_response_status WriteWithClock(uint16_t reg, uint64_t value, unsigned thread = 0) {
    Prepare(tlm::TLM_WRITE_COMMAND, reg, value);
    return TransportOf(thread, true);
  }

  uint64_t Read(uint16_t reg) {
    Prepare(tlm::TLM_READ_COMMAND, reg);
    EXPECT_EQ(Transport(), tlm::TLM_OK_RESPONSE);
    return data_;
  }

  uint64_t Read(unsigned thread, uint16_t reg) {
    Prepare(tlm::TLM_READ_COMMAND, reg);
    EXPECT_EQ(TransportOf(thread, false), tlm::TLM_OK_RESPONSE);
    return data_;
  }

  // The error in words; "": none.
  std::string Occur(pmuv3_event_number event, int count, unsigned thread = 0,
                    pmuv3_origin origin = PMUV3_CURRENT) {
    return Words(core_.events->occur({static_cast<uint16_t>(event), static_cast<uint8_t>(count),
                                      static_cast<uint8_t>(thread), static_cast<uint8_t>(origin)}));
  }
  std::string InContext(unsigned thread, uint8_t el, uint8_t ss, bool related = false) {
    return Words(core_.events->in_context(thread, {el, ss, related}));
  }
  std::string SetPe(unsigned thread, uint8_t el, uint8_t ss, bool halted = false) {
    pmuv3_pe pe = StateAt(el);
    pe.ss = ss;
    pe.halted = halted;
    return Words(core_.events->set_pe(thread, pe));
  }
  std::string NotifyInstructions(unsigned count, uint8_t el) {
    const pmuv3_context context = {el, PMUV3_NS, false};
    return Words(core_.events->notify(PMUV3_EVENT_INST_RETIRED, count, 0, context));
  }
  static std::string Words(const char *wrong) { return wrong ? wrong : ""; }

  void CountInstructions(unsigned thread = 0, uint64_t type = 0) {
    EXPECT_EQ(Write(thread, PMUV3_PMEVTYPERn(0), type | 0x0008), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(Write(thread, PMUV3_PMCNTENSET, 1), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(Write(thread, PMUV3_PMCR, 1), tlm::TLM_OK_RESPONSE);
  }

  // MSR and MRS. data_ gets the value of a read.
  pmuv3_result Checked(tlm::tlm_command command, uint16_t reg, uint64_t value = 0,
                       std::optional<pmuv3_pe> state = std::nullopt) {
    pmuv3_access_extension how;
    how.checked = true;
    how.state = state;
    Prepare(command, reg, value);
    const tlm::tlm_response_status status = TransportWith(how);
    EXPECT_EQ(status,
              how.result == PMUV3_DONE ? tlm::TLM_OK_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE);
    return how.result;
  }

  // Words of the external view, in the most secure address space.
  tlm::tlm_response_status External(tlm::tlm_command command, uint64_t address, void *data,
                                    unsigned length, bool with_clock = false,
                                    pmuv3_security_state space = PMUV3_RT) {
    pmuv3_access_extension how;
    how.space = space;
    how.with_clock = with_clock;
    PrepareAt(command, address, data, length);
    payload_.set_extension(&how);
    core_.external->b_transport(payload_, delay_);
    payload_.clear_extension(&how);
    return payload_.get_response_status();
  }

  static pmuv3_pe StateAt(uint8_t el) {
    pmuv3_pe pe = PMUV3_PE_RESET;
    pe.el = el;
    return pe;
  }

  const pmuv3_params params_ = TwoByTwo();
  pmuv3_tlm pmu_{"pmu", GetParam()(&params_)};
  Core core_{"core"};
  tlm::tlm_generic_payload payload_;
  uint64_t data_ = 0;
  sc_time delay_ = sc_core::SC_ZERO_TIME;
};

// The same with a clock of 1 ns, and with every output bound.
class TlmTest : public UnclockedTest {
 protected:
  TlmTest() {
    pmu_.clk(clock_);
    core_.clk(clock_);
    pmu_.irq(irq_);
    pmu_.cti(cti_);
    pmu_.exception(exception_);
    pmu_.halt(halt_);
    pmu_.brbe(brbe_);
    pmu_.pulses(pulses_);
    sc_core::sc_start(period_ / 2);  // between the first two edges, so one cycle has passed
  }

  void Cycles(int cycles) { sc_core::sc_start(period_ * cycles); }

  // Runs `what` in a SystemC process until `cycles` have passed.
  void InThread(int cycles, std::function<void()> what) {
    core_.in_thread = std::move(what);
    core_.go.notify();
    Cycles(cycles);
  }

  void CountCycles() {
    EXPECT_EQ(Write(PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(Write(PMUV3_PMCR, 1), tlm::TLM_OK_RESPONSE);
  }

  const sc_time period_{1, SC_NS};
  sc_core::sc_clock clock_{"clock", period_};
  sc_core::sc_vector<sc_core::sc_signal<bool>> irq_{"irq", 2};
  sc_core::sc_vector<sc_core::sc_signal<bool>> cti_{"cti", 2};
  sc_core::sc_vector<sc_core::sc_signal<unsigned>> exception_{"exception", 2};
  sc_core::sc_vector<sc_core::sc_signal<bool>> halt_{"halt", 2};
  sc_core::sc_vector<sc_core::sc_signal<unsigned>> brbe_{"brbe", 2};
  sc_core::sc_vector<sc_core::sc_signal<uint64_t>> pulses_{"pulses", 2};
};

TEST_P(TlmTest, RegistersReadAndWrite) {
  EXPECT_EQ(Read(PMUV3_PMCR), uint64_t{2} << 11);
  EXPECT_EQ(Write(PMUV3_PMEVCNTRn(1), 0x123456789), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(1)), 0x123456789u);
  EXPECT_FALSE(payload_.is_dmi_allowed());
  EXPECT_EQ(delay_, sc_core::SC_ZERO_TIME);
}

TEST_P(TlmTest, EventsOfACycleCountAtItsEdge) {
  CountInstructions();
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 3), "");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 4), "");
  EXPECT_EQ(Occur(PMUV3_EVENT_EXC_TAKEN, 1), "");
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 0u);
  Cycles(1);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 7u);
  Cycles(3);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 7u);
}

TEST_P(TlmTest, OccurRefusesWhatCannotBe) {
  CountInstructions();
  EXPECT_EQ(Occur(PMUV3_EVENT_CPU_CYCLES, 1), "the PMU itself makes it");
  EXPECT_EQ(Occur(static_cast<pmuv3_event_number>(0x0080), 1), "there is no such event");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 2), "there is no such thread");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 0, PMUV3_NUM_ORIGINS), "there is no such origin");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 0, PMUV3_OTHER), "the thread has no other context");
  EXPECT_EQ(Occur(PMUV3_EVENT_STALL, 1, 0, PMUV3_UNATTRIBUTABLE),
            "the event cannot be Unattributable");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 200), "");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 56), "the event cannot occur so often in a cycle");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 56, 1), "") << "another thread's";
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 0, PMUV3_DEBUGGER),
            "a debugger's operation on a thread that is not halted");
  EXPECT_EQ(Occur(PMUV3_EVENT_STALL, 1), "");
  EXPECT_EQ(Occur(PMUV3_EVENT_STALL, 1), "the event cannot occur so often in a cycle");
  Cycles(1);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 200u);
}

// A debugger's operations are of a halted thread, also at the edge that counts them.
TEST_P(TlmTest, DebuggersOperations) {
  CountInstructions();
  CountCycles();
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS, true), "");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 200), "");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 56, 0, PMUV3_DEBUGGER), "") << "another origin's";
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), "a debugger's operation of this cycle waits");
  EXPECT_EQ(SetPe(0, 2, PMUV3_NS, true), "") << "halted";
  const uint64_t cycles = Read(PMUV3_PMCCNTR);
  Cycles(1);
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), "") << "another cycle";
  Cycles(1);
  EXPECT_EQ(Read(PMUV3_PMCCNTR), cycles + 1) << "not in Debug state";
}

TEST_P(TlmTest, AThreadHasOneOtherContextACycle) {
  CountInstructions(0, PMUV3_MASK(PMEVTYPER, U));  // not at EL0
  EXPECT_EQ(InContext(2, 0, PMUV3_NS), "there is no such thread");
  EXPECT_NE(InContext(0, 3, PMUV3_NS), "") << "EL3 is in Root";
  EXPECT_EQ(InContext(0, 0, PMUV3_NS), "");
  EXPECT_EQ(InContext(0, 0, PMUV3_NS, true), "") << "the same";
  EXPECT_EQ(InContext(0, 2, PMUV3_NS), "the thread has another context in this cycle already");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 0, PMUV3_OTHER), "");
  EXPECT_EQ(Occur(PMUV3_EVENT_STALL, 1, 0, PMUV3_OTHER), "the event has no context");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 1, PMUV3_OTHER), "the thread has no other context");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 2), "");
  Cycles(1);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 2u) << "those at EL0 are filtered";
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 0, PMUV3_OTHER), "the thread has no other context");
  EXPECT_EQ(InContext(0, 2, PMUV3_S), "");
  EXPECT_EQ(InContext(1, 0, PMUV3_RL), "");
}

TEST_P(TlmTest, StatesStayUntilTheyChange) {
  CountInstructions(0);
  CountInstructions(1);
  EXPECT_EQ(SetPe(2, 1, PMUV3_NS), "there is no such thread");
  EXPECT_NE(SetPe(1, 3, PMUV3_NS), "") << "EL3 is in Root";
  EXPECT_EQ(SetPe(1, 1, PMUV3_NS, true), "");
  for (int cycle = 1; cycle <= 3; cycle++) {
    EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 0), "");
    EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 1), "");
    Cycles(1);
    EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(0)), static_cast<uint64_t>(cycle));
    EXPECT_EQ(Read(1, PMUV3_PMEVCNTRn(0)), 0u) << "halted";
  }
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 1), "");
  EXPECT_EQ(SetPe(1, 1, PMUV3_NS), "");
  Cycles(1);
  EXPECT_EQ(Read(1, PMUV3_PMEVCNTRn(0)), 1u) << "from the cycle under way on";
}

TEST_P(TlmTest, RegistersOfThreads) {
  EXPECT_EQ(Write(1, PMUV3_PMEVCNTRn(1), 11), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Read(1, PMUV3_PMEVCNTRn(1)), 11u);
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(1)), 0u);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(1)), 0u) << "thread 0's unless it is said";
  EXPECT_EQ(Write(2, PMUV3_PMEVCNTRn(1), 1), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(WriteWithClock(PMUV3_PMEVCNTRn(1), 1, 2), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

// formats.md section 4: the write overrides the increment, and the overflow flag stays set.
TEST_P(TlmTest, WriteWithClockMeetsCounting) {
  CountInstructions();
  EXPECT_EQ(Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1), "");
  EXPECT_EQ(WriteWithClock(PMUV3_PMEVCNTRn(0), 100), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 0xFFFFFFFFu) << "not before the edge";
  Cycles(1);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 100u);
  EXPECT_EQ(Read(PMUV3_PMOVSSET), 1u);
  Cycles(1);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 100u) << "once";
}

TEST_P(TlmTest, OneWriteWithClockAThreadAndClock) {
  EXPECT_EQ(WriteWithClock(PMUV3_PMCNTENSET, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(WriteWithClock(PMUV3_PMCNTENSET, 2), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(WriteWithClock(PMUV3_PMCNTENSET, 2, 1), tlm::TLM_OK_RESPONSE);
  Cycles(1);
  EXPECT_EQ(Read(0, PMUV3_PMCNTENSET), 1u);
  EXPECT_EQ(Read(1, PMUV3_PMCNTENSET), 2u);
  EXPECT_EQ(WriteWithClock(PMUV3_PMMIR, 2), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(WriteWithClock(0, 2), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_P(TlmTest, ErrorResponses) {
  EXPECT_EQ(Write(PMUV3_PMMIR, 0), tlm::TLM_COMMAND_ERROR_RESPONSE);
  Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMSWINC);
  EXPECT_EQ(Transport(), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(Write(PMUV3_PMEVCNTRn(2), 0), tlm::TLM_ADDRESS_ERROR_RESPONSE);

  Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMCR);
  payload_.set_address(payload_.get_address() + 4);
  EXPECT_EQ(Transport(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMCR);
  payload_.set_address(payload_.get_address() + (uint64_t{8} << 16));
  EXPECT_EQ(Transport(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  for (unsigned length : {0u, 1u, 2u, 7u, 12u}) {
    Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMCR);
    payload_.set_data_length(length);
    EXPECT_EQ(Transport(), tlm::TLM_BURST_ERROR_RESPONSE) << length;
  }
  for (unsigned width : {0u, 1u, 4u}) {
    Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMCR);
    payload_.set_streaming_width(width);
    EXPECT_EQ(Transport(), tlm::TLM_BURST_ERROR_RESPONSE) << width;
  }
  Prepare(tlm::TLM_IGNORE_COMMAND, PMUV3_PMCR);
  EXPECT_EQ(Transport(), tlm::TLM_OK_RESPONSE);
}

// ---- Forms of accesses ----

TEST_P(TlmTest, HalvesOfRegisters) {
  EXPECT_EQ(Write(PMUV3_PMEVCNTRn(0), 0x1111111122222222), tlm::TLM_OK_RESPONSE);
  const uint64_t address = pmuv3_tlm::address_of(PMUV3_PMEVCNTRn(0));
  uint32_t half = 0;
  PrepareAt(tlm::TLM_READ_COMMAND, address, &half, 4);
  EXPECT_EQ(Transport(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(half, 0x22222222u);
  PrepareAt(tlm::TLM_READ_COMMAND, address + 4, &half, 4);
  EXPECT_EQ(Transport(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(half, 0x11111111u);
  PrepareAt(tlm::TLM_READ_COMMAND, address + 2, &half, 4);
  EXPECT_EQ(Transport(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  for (unsigned lsb : {0u, 4u}) {
    PrepareAt(tlm::TLM_WRITE_COMMAND, address + lsb, &half, 4);
    EXPECT_EQ(Transport(), tlm::TLM_BURST_ERROR_RESPONSE) << "the other half would be made up";
  }
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 0x1111111122222222u);

  half = 0x33333333;
  PrepareAt(tlm::TLM_WRITE_COMMAND, pmuv3_tlm::address_of(PMUV3_PMEVCNTRn_AA32(0)), &half, 4);
  EXPECT_EQ(Transport(), tlm::TLM_OK_RESPONSE) << "all of an AArch32 register";
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 0x1111111133333333u);
  PrepareAt(tlm::TLM_WRITE_COMMAND, pmuv3_tlm::address_of(PMUV3_PMEVCNTRn_AA32(0)) + 4, &half, 4);
  EXPECT_EQ(Transport(), tlm::TLM_BURST_ERROR_RESPONSE);
}

// A write of 4 bytes ends as one of 8 bytes does.
TEST_P(TlmTest, HalvesOfNoRegister) {
  uint32_t half = 0;
  const uint64_t absent = pmuv3_tlm::address_of(PMUV3_PMEVCNTRn(2));
  for (const uint64_t address : {uint64_t{0}, uint64_t{4}, absent, absent + 4}) {
    const auto write = [&](pmuv3_access_extension *how) {
      PrepareAt(tlm::TLM_WRITE_COMMAND, address, &half, 4);
      return TransportWith(*how);
    };
    pmuv3_access_extension plain, with_clock, with_state, checked;
    with_clock.with_clock = true;
    with_state.state = StateAt(0);
    for (pmuv3_access_extension *how : {&plain, &with_clock, &with_state})
      EXPECT_EQ(write(how), tlm::TLM_ADDRESS_ERROR_RESPONSE) << address;
    checked.checked = true;
    EXPECT_EQ(write(&checked), tlm::TLM_COMMAND_ERROR_RESPONSE) << address;
    EXPECT_EQ(checked.result, PMUV3_UNDEFINED) << address;
  }
}

TEST_P(TlmTest, Bursts) {
  const uint64_t address = pmuv3_tlm::address_of(PMUV3_PMEVCNTRn(0));
  uint64_t two[2] = {10, 11}, three[3] = {20, 21, 22};
  PrepareAt(tlm::TLM_WRITE_COMMAND, address, two, sizeof two);
  EXPECT_EQ(Transport(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 10u);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(1)), 11u);
  PrepareAt(tlm::TLM_WRITE_COMMAND, address, three, sizeof three);
  EXPECT_EQ(Transport(), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "there are two counters";
  PrepareAt(tlm::TLM_READ_COMMAND, address, two, sizeof two);
  EXPECT_EQ(Transport(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(two[0], 20u) << "up to the beat that goes wrong";
  EXPECT_EQ(two[1], 21u);
}

// No beat is at an address beyond the last one, also if those before it are not enabled.
TEST_P(TlmTest, BurstsEndWithTheAddresses) {
  const uint64_t last = ~uint64_t{0} - 7;
  uint64_t two[2] = {10, 11};
  uint64_t enables[2] = {0, ~uint64_t{0}};
  PrepareAt(tlm::TLM_WRITE_COMMAND, last, two, sizeof two);
  payload_.set_byte_enable_ptr(reinterpret_cast<unsigned char *>(enables));
  payload_.set_byte_enable_length(sizeof enables);
  EXPECT_EQ(Transport(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  uint32_t words[2] = {1, 1};
  PrepareAt(tlm::TLM_READ_COMMAND, last + 4, words, sizeof words);
  payload_.set_byte_enable_ptr(reinterpret_cast<unsigned char *>(enables));
  payload_.set_byte_enable_length(sizeof words);
  enables[0] = uint64_t{0xFFFFFFFF} << 32;
  core_.external->b_transport(payload_, delay_);
  EXPECT_EQ(payload_.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

// The result of a write with the clock is known after the edge.
TEST_P(TlmTest, WritesWithTheClockTellHowTheyEnd) {
  pmuv3_access_extension how;
  how.with_clock = how.checked = true;
  how.thread = 1;
  how.state = StateAt(0);
  EXPECT_EQ(core_.events->written(1), std::nullopt);
  Prepare(tlm::TLM_WRITE_COMMAND, PMUV3_PMCNTENSET, 1);
  EXPECT_EQ(TransportWith(how), tlm::TLM_OK_RESPONSE) << "accepted";
  EXPECT_EQ(core_.events->written(1), std::nullopt);
  Cycles(1);
  EXPECT_EQ(core_.events->written(1), PMUV3_TRAP_EL1);
  EXPECT_EQ(core_.events->written(0), std::nullopt);
  EXPECT_EQ(core_.events->written(2), std::nullopt) << "there is no such thread";
  how.state = StateAt(1);
  EXPECT_EQ(TransportWith(how), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(core_.events->written(1), std::nullopt) << "another one waits";
  Cycles(2);
  EXPECT_EQ(core_.events->written(1), PMUV3_DONE);
  EXPECT_EQ(WriteWithClock(PMUV3_PMCNTENSET, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(core_.events->external_written(), std::nullopt);
  Cycles(1);
  EXPECT_EQ(core_.events->written(0), PMUV3_DONE);
}

// The write before the dropped one is the last that has ended.
TEST_P(TlmTest, ResetDropsWritesWithTheClock) {
  uint32_t word = 1;
  const auto write = [this, &word] {
    EXPECT_EQ(WriteWithClock(PMUV3_PMCNTENSET, 1), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(External(tlm::TLM_WRITE_COMMAND, 0, &word, 4, true), tlm::TLM_OK_RESPONSE);
  };
  write();
  Cycles(1);
  write();
  EXPECT_EQ(core_.events->written(0), std::nullopt);
  EXPECT_EQ(core_.events->external_written(), std::nullopt);
  pmu_.reset();
  EXPECT_EQ(core_.events->written(0), PMUV3_DONE);
  EXPECT_EQ(core_.events->external_written(), true);
}

// There are only four physical address spaces.
TEST_P(TlmTest, UnknownAddressSpace) {
  uint32_t word = 1;
  for (const unsigned space : {4u, 7u, 255u}) {
    pmuv3_access_extension how;
    how.space = space;
    for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
      PrepareAt(command, 0xC00, &word, 4);
      payload_.set_extension(&how);
      core_.external->b_transport(payload_, delay_);
      payload_.clear_extension(&how);
      EXPECT_EQ(payload_.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE) << space;
    }
  }
}

TEST_P(TlmTest, NoData) {
  PrepareAt(tlm::TLM_READ_COMMAND, pmuv3_tlm::address_of(PMUV3_PMCR), nullptr, 8);
  EXPECT_EQ(Transport(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  PrepareAt(tlm::TLM_WRITE_COMMAND, pmuv3_tlm::address_of(PMUV3_PMCR), nullptr, 8);
  EXPECT_EQ(Transport(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  PrepareAt(tlm::TLM_READ_COMMAND, pmuv3_tlm::address_of(PMUV3_PMCR), nullptr, 8);
  EXPECT_EQ(core_.registers->transport_dbg(payload_), 0u);
  PrepareAt(tlm::TLM_IGNORE_COMMAND, 0, nullptr, 8);
  EXPECT_EQ(Transport(), tlm::TLM_OK_RESPONSE);
}

// Only an access that is made takes over its state.
TEST_P(TlmTest, StatesOfAccessesThatAreNotMade) {
  pmuv3_access_extension how;
  how.checked = true;
  how.result = PMUV3_DONE;
  how.state = StateAt(7);
  Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMCR);
  payload_.set_dmi_allowed(true);
  EXPECT_EQ(TransportWith(how), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_FALSE(payload_.is_dmi_allowed());
  EXPECT_NE(how.result, PMUV3_DONE);

  // EL0 has no access, EL1 has.
  const auto expect_el1 = [&] {
    pmuv3_access_extension now;
    now.checked = true;
    Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMCR);
    EXPECT_EQ(TransportWith(now), tlm::TLM_OK_RESPONSE);
  };
  how.state = StateAt(0);
  Prepare(tlm::TLM_IGNORE_COMMAND, PMUV3_PMCR);
  EXPECT_EQ(TransportWith(how), tlm::TLM_OK_RESPONSE);
  expect_el1();
  PrepareAt(tlm::TLM_READ_COMMAND, pmuv3_tlm::address_of(PMUV3_PMCR) + 1, &data_, 8);
  EXPECT_EQ(TransportWith(how), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  expect_el1();
  PrepareAt(tlm::TLM_READ_COMMAND, uint64_t{1} << 40, &data_, 8);
  EXPECT_EQ(TransportWith(how), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  expect_el1();
  PrepareAt(tlm::TLM_READ_COMMAND, pmuv3_tlm::address_of(PMUV3_PMCR), &data_, 3);
  EXPECT_EQ(TransportWith(how), tlm::TLM_BURST_ERROR_RESPONSE);
  expect_el1();
  how.checked = false;
  PrepareAt(tlm::TLM_READ_COMMAND, pmuv3_tlm::address_of(PMUV3_PMEVCNTRn(30)), &data_, 8);
  EXPECT_EQ(TransportWith(how), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  expect_el1();
  how.thread = 7;
  Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMCR);
  EXPECT_EQ(TransportWith(how), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  payload_.set_extension(&how);
  EXPECT_EQ(core_.registers->transport_dbg(payload_), 0u);
  payload_.clear_extension(&how);
  expect_el1();
}

TEST_P(TlmTest, StreamsOfOneRegister) {
  CountInstructions();
  EXPECT_EQ(Write(PMUV3_PMEVTYPERn(0), 0x0000), tlm::TLM_OK_RESPONSE);  // SW_INCR
  uint64_t increments[4] = {1, 1, 0, 1};
  PrepareAt(tlm::TLM_WRITE_COMMAND, pmuv3_tlm::address_of(PMUV3_PMSWINC), increments,
            sizeof increments);
  payload_.set_streaming_width(8);
  EXPECT_EQ(Transport(), tlm::TLM_OK_RESPONSE);
  Cycles(1);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 3u);
}

TEST_P(TlmTest, ByteEnables) {
  const uint64_t address = pmuv3_tlm::address_of(PMUV3_PMEVCNTRn(0));
  uint64_t two[2] = {10, 11};
  uint64_t enables[2] = {0, ~uint64_t{0}};
  const auto with_enables = [&](tlm::tlm_command command, unsigned length) {
    PrepareAt(command, address, two, sizeof two);
    payload_.set_byte_enable_ptr(reinterpret_cast<unsigned char *>(enables));
    payload_.set_byte_enable_length(length);
    return Transport();
  };
  EXPECT_EQ(with_enables(tlm::TLM_WRITE_COMMAND, 16), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 0u);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(1)), 11u);
  EXPECT_EQ(with_enables(tlm::TLM_WRITE_COMMAND, 8), tlm::TLM_OK_RESPONSE) << "repeated: none";
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 0u);
  two[0] = 99;
  EXPECT_EQ(with_enables(tlm::TLM_READ_COMMAND, 16), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(two[0], 99u) << "what is not enabled is not read";
  enables[1] = 0x00FFFFFFFFFFFFFF;
  EXPECT_EQ(with_enables(tlm::TLM_WRITE_COMMAND, 16), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  EXPECT_EQ(with_enables(tlm::TLM_WRITE_COMMAND, 0), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
}

// An initiator that writes `true` into its byte enables would lose each write without a word.
TEST_P(TlmTest, ByteEnablesAreOfTlm) {
  unsigned char enables[8];
  std::memset(enables, 1, sizeof enables);
  Prepare(tlm::TLM_WRITE_COMMAND, PMUV3_PMSELR, 1);
  payload_.set_byte_enable_ptr(enables);
  payload_.set_byte_enable_length(sizeof enables);
  sc_core::sc_time delay;
  core_.registers->b_transport(payload_, delay);
  EXPECT_EQ(payload_.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  payload_.set_byte_enable_ptr(nullptr);
}

// `checked` is of System registers: an access of the page that is done says nothing else.
TEST_P(TlmTest, APageIsNotChecked) {
  pmuv3_access_extension how;
  how.checked = true;
  payload_.set_extension(&how);
  uint32_t word = 0;
  PrepareAt(tlm::TLM_READ_COMMAND, pmuv3_tlm::page_of(0) + 0xFBC, &word, sizeof word);
  sc_core::sc_time delay;
  core_.external->b_transport(payload_, delay);
  EXPECT_EQ(payload_.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(how.result, PMUV3_DONE);
  EXPECT_EQ(how.syndrome, 0u);
  payload_.clear_extension(&how);
}

TEST_P(TlmTest, DebugTransportLooksAlone) {
  EXPECT_EQ(Write(1, PMUV3_PMEVCNTRn(0), 42), tlm::TLM_OK_RESPONSE);
  pmuv3_access_extension how;
  how.thread = 1;
  how.state = StateAt(0);
  payload_.set_extension(&how);
  Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMEVCNTRn(0));
  EXPECT_EQ(core_.registers->transport_dbg(payload_), 8u);
  EXPECT_EQ(data_, 42u);
  payload_.clear_extension(&how);
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), "");

  Prepare(tlm::TLM_WRITE_COMMAND, PMUV3_PMOVSSET, 1);
  EXPECT_EQ(core_.registers->transport_dbg(payload_), 0u);
  EXPECT_EQ(payload_.get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(Read(PMUV3_PMOVSSET), 0u);
  Prepare(tlm::TLM_READ_COMMAND, 0);
  EXPECT_EQ(core_.registers->transport_dbg(payload_), 0u);

  uint32_t words[2] = {};
  PrepareAt(tlm::TLM_READ_COMMAND, pmuv3_tlm::page_of(1), words, sizeof words);
  EXPECT_EQ(core_.external->transport_dbg(payload_), 8u);
  EXPECT_EQ(words[0], 42u);
}

// Counters change without an access, and reads through a pointer would not advance time.
TEST_P(TlmTest, NoDirectMemory) {
  Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMEVCNTRn(0));
  payload_.set_dmi_allowed(true);
  EXPECT_EQ(Transport(), tlm::TLM_OK_RESPONSE);
  EXPECT_FALSE(payload_.is_dmi_allowed());
  tlm::tlm_dmi dmi;
  EXPECT_FALSE(core_.registers->get_direct_mem_ptr(payload_, dmi));
  EXPECT_FALSE(core_.external->get_direct_mem_ptr(payload_, dmi));
}

// ---- The accessing thread ----

TEST_P(TlmTest, CheckedAccesses) {
  const tlm::tlm_command read = tlm::TLM_READ_COMMAND, write = tlm::TLM_WRITE_COMMAND;
  EXPECT_EQ(Checked(write, PMUV3_PMEVCNTRn(0), 5), PMUV3_DONE) << "EL1";
  EXPECT_EQ(Checked(write, PMUV3_MDCR_EL3, 0), PMUV3_UNDEFINED);
  EXPECT_EQ(Checked(read, PMUV3_PMEVCNTRn(0), 0, StateAt(0)), PMUV3_TRAP_EL1);
  EXPECT_EQ(Checked(read, PMUV3_PMEVCNTRn(0)), PMUV3_TRAP_EL1) << "the state stays";
  EXPECT_EQ(Write(PMUV3_PMUSERENR, 1), tlm::TLM_OK_RESPONSE) << "with the highest rights";
  EXPECT_EQ(Checked(read, PMUV3_PMEVCNTRn(0)), PMUV3_DONE);
  EXPECT_EQ(data_, 5u);
  EXPECT_EQ(Write(PMUV3_MDCR_EL2, PMUV3_MASK(MDCR_EL2, TPM)), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Checked(read, PMUV3_PMEVCNTRn(0)), PMUV3_TRAP_EL2);

  pmuv3_access_extension how;
  how.result = PMUV3_TRAP_EL2;
  Prepare(read, PMUV3_PMEVCNTRn(0));
  EXPECT_EQ(TransportWith(how), tlm::TLM_OK_RESPONSE) << "not checked";
  EXPECT_EQ(how.result, PMUV3_DONE);
  how.state = StateAt(3);  // and Non-secure
  EXPECT_EQ(TransportWith(how), tlm::TLM_GENERIC_ERROR_RESPONSE);
  how.thread = 2;
  EXPECT_EQ(TransportWith(how), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_P(TlmTest, CheckedWriteIsJudgedInItsClock) {
  pmuv3_access_extension how;
  how.checked = true;
  how.with_clock = true;
  for (uint64_t el : {0, 1}) {
    EXPECT_EQ(SetPe(0, static_cast<uint8_t>(el), PMUV3_NS), "");
    Prepare(tlm::TLM_WRITE_COMMAND, PMUV3_PMEVCNTRn(0), 5);
    EXPECT_EQ(TransportWith(how), tlm::TLM_OK_RESPONSE);
    Cycles(1);
    EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 5 * el);
  }
}

TEST_P(TlmTest, ExternalView) {
  const tlm::tlm_command read = tlm::TLM_READ_COMMAND, write = tlm::TLM_WRITE_COMMAND;
  const uint64_t counter = pmuv3_tlm::page_of(1) + 8;  // PMEVCNTR1 of thread 1
  uint32_t words[2] = {0x22222222, 0x11111111};
  EXPECT_EQ(External(write, counter, words, 8), tlm::TLM_OK_RESPONSE) << "the low word first";
  EXPECT_EQ(Read(1, PMUV3_PMEVCNTRn(1)), 0x1111111122222222u);
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(1)), 0u);
  words[0] = 0x33333333;
  EXPECT_EQ(External(write, counter + 4, words, 4), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Read(1, PMUV3_PMEVCNTRn(1)), 0x3333333322222222u);
  EXPECT_EQ(External(read, counter, words, 8), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(words[0], 0x22222222u);
  EXPECT_EQ(words[1], 0x33333333u);

  EXPECT_EQ(External(read, pmuv3_tlm::page_of(2), words, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(External(read, counter + 2, words, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(External(read, counter, words, 2), tlm::TLM_BURST_ERROR_RESPONSE);

  EXPECT_EQ(Write(1, PMUV3_MDCR_EL3, PMUV3_MASK(MDCR_EL3, EPMAD) | PMUV3_MASK(MDCR_EL3, EPMADE)),
            tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(External(read, counter, words, 4), tlm::TLM_OK_RESPONSE) << "Root alone";
  EXPECT_EQ(External(read, counter, words, 4, false, PMUV3_NS), tlm::TLM_GENERIC_ERROR_RESPONSE);
  PrepareAt(read, counter, words, 4);
  core_.external->b_transport(payload_, delay_);
  EXPECT_EQ(payload_.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE)
      << "Non-secure unless it is said";
}

TEST_P(TlmTest, OneExternalWriteWithClock) {
  CountInstructions();
  uint32_t value[2] = {100, 0};
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1), "");
  EXPECT_EQ(External(tlm::TLM_WRITE_COMMAND, 0, value, 8, true), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(External(tlm::TLM_WRITE_COMMAND, 0, value, 4, true), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(External(tlm::TLM_WRITE_COMMAND, 8, value, 4, true), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 0u) << "not before the edge";
  Cycles(1);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 100u);
}

// ---- Time ----

TEST_P(TlmTest, AnAccessWaitsForItsTime) {
  CountCycles();
  InThread(5, [this] {
    delay_ = 3 * period_;
    EXPECT_EQ(Read(PMUV3_PMCCNTR), 3u);
    EXPECT_EQ(delay_, sc_core::SC_ZERO_TIME);
    EXPECT_EQ(sc_core::sc_time_stamp(), 3.5 * period_);
    delay_ = 0.5 * period_;
    EXPECT_EQ(Read(PMUV3_PMCCNTR), 3u) << "at the time of an edge: before it";
    sc_core::wait(sc_core::SC_ZERO_TIME);
    sc_core::wait(sc_core::SC_ZERO_TIME);
    EXPECT_EQ(Read(PMUV3_PMCCNTR), 4u) << "the clock has risen";
  });
  EXPECT_EQ(Read(PMUV3_PMCCNTR), 5u) << "the test came that far";
}

TEST_P(TlmTest, AnAccessBehindTheEndOfTimeIsRefused) {
  CountCycles();
  InThread(2, [this] {
    uint32_t word = 1;
    delay_ = sc_core::sc_max_time();
    Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMCCNTR);
    EXPECT_EQ(Transport(), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(External(tlm::TLM_READ_COMMAND, 0, &word, 4), tlm::TLM_GENERIC_ERROR_RESPONSE);
    delay_ = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(sc_core::sc_time_stamp(), 0.5 * period_);
  });
  EXPECT_EQ(Read(PMUV3_PMCCNTR), 2u) << "the test came that far";
}

TEST_P(TlmTest, NonBlockingTransport) {
  CountCycles();
  Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMCCNTR);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = 2 * period_;
  EXPECT_EQ(core_.registers->nb_transport_fw(payload_, phase, delay), tlm::TLM_ACCEPTED);
  Cycles(1);
  EXPECT_EQ(core_.responses, 0);
  Cycles(2);
  EXPECT_EQ(core_.responses, 1);
  EXPECT_EQ(payload_.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(data_, 2u) << "at its time";
}

// The order of SystemC's processes does not matter.
TEST_P(TlmTest, WhatAnEdgeWakesComesAfterIt) {
  CountInstructions();
  CountCycles();
  EXPECT_EQ(Write(PMUV3_PMCNTENSET, 1), tlm::TLM_OK_RESPONSE);
  uint64_t edges = 0;
  core_.at_edge = [&] {
    if (edges % 2 == 0) {
      EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1), "");
    }
    EXPECT_EQ(Read(PMUV3_PMCCNTR), edges + 1);
    if (edges % 2 == 1) {
      EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1), "");
    }
    EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), edges) << "of the cycle that now begins";
    EXPECT_EQ(Read(PMUV3_PMCCNTR), ++edges) << "once";
  };
  InThread(4, [&] {
    sc_core::wait(clock_.posedge_event());
    EXPECT_EQ(Read(PMUV3_PMCCNTR), 1u);
  });
  EXPECT_EQ(edges, 4u);
}

// So do debug accesses and looks at the side.
TEST_P(TlmTest, WhoLooksAtAnEdgeSeesItsCycle) {
  CountCycles();
  uint64_t edges = 0;
  core_.at_edge = [&] {
    edges++;
    if (edges % 2 == 0) {
      Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMCCNTR);
      EXPECT_EQ(core_.registers->transport_dbg(payload_), 8u);
      EXPECT_EQ(data_, edges);
    } else {
      uint64_t value = 0;
      pmuv3_side_read(pmu_.side(), 0, PMUV3_PMCCNTR, &value);
      EXPECT_EQ(value, edges);
    }
  };
  Cycles(4);
  EXPECT_EQ(edges, 4u);
}

TEST_P(TlmTest, AStateThatAnEdgeBringsComesAfterIt) {
  CountInstructions();
  core_.at_edge = [this] { EXPECT_EQ(SetPe(0, 1, PMUV3_NS, true), ""); };
  for (int cycle = 0; cycle < 2; cycle++) {
    EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1), "");
    Cycles(1);
    EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 1u) << "halted in the second cycle";
  }
  core_.at_edge = [this] { EXPECT_EQ(InContext(0, 0, PMUV3_NS), ""); };
  EXPECT_EQ(InContext(0, 2, PMUV3_NS), "") << "in the cycle before";
  Cycles(1);
}

// ---- Loosely timed ----

TEST_P(TlmTest, NotifyFindsTheContext) {
  CountInstructions(0, PMUV3_MASK(PMEVTYPER, U));  // not at EL0
  const auto notify = [this](unsigned count, unsigned thread, uint8_t el,
                             pmuv3_event_number event = PMUV3_EVENT_INST_RETIRED) {
    return Words(core_.events->notify(event, count, thread, {el, PMUV3_NS, false}));
  };
  EXPECT_EQ(notify(2, 0, 1), "");
  EXPECT_EQ(notify(100, 0, 0), "") << "before the exception";
  EXPECT_EQ(notify(100, 0, 2), "the thread has another context in this cycle already");
  EXPECT_EQ(notify(1, 2, 1), "there is no such thread");
  EXPECT_EQ(notify(254, 0, 1), "the event cannot occur so often in a cycle");
  EXPECT_EQ(notify(256, 0, 1), "the event cannot occur so often in a cycle");
  EXPECT_EQ(notify(1, 1, 0, PMUV3_EVENT_STALL), "the event has no context");
  EXPECT_EQ(notify(1, 1, 2), "") << "no context was left behind";
  EXPECT_EQ(Words(core_.events->advance(1)), "the clock makes the cycles");
  Cycles(1);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 2u);
  EXPECT_EQ(SetPe(0, 0, PMUV3_NS), "");
  EXPECT_EQ(notify(4, 0, 1), "");
  EXPECT_EQ(notify(8, 0, 0), "");
  Cycles(1);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 6u);
}

// A cycle in which the thread leaves EL1 for EL0, told in any order.
TEST_P(TlmTest, NotifiedStaysInItsContext) {
  CountInstructions(0, PMUV3_MASK(PMEVTYPER, U));  // not at EL0
  const auto cycle = [&](const std::vector<std::function<std::string()>> &calls) {
    EXPECT_EQ(SetPe(0, 1, PMUV3_NS), "");
    const uint64_t before = Read(PMUV3_PMEVCNTRn(0));
    for (const auto &call : calls) EXPECT_EQ(call(), "");
    Cycles(1);
    return Read(PMUV3_PMEVCNTRn(0)) - before;
  };
  const auto leave = [this] { return SetPe(0, 0, PMUV3_NS); };
  const auto enter = [this] { return SetPe(0, 1, PMUV3_NS); };
  const auto at_el1 = [&] { return NotifyInstructions(5, 1); };
  const auto at_el0 = [&] { return NotifyInstructions(64, 0); };
  EXPECT_EQ(cycle({leave, at_el1, at_el0}), 5u);
  EXPECT_EQ(cycle({at_el1, leave, at_el0}), 5u);
  EXPECT_EQ(cycle({at_el1, at_el0, leave}), 5u);
  EXPECT_EQ(cycle({at_el0, at_el1, leave, enter, leave, at_el1}), 10u);
  EXPECT_EQ(cycle({at_el1, [this] { return InContext(0, 1, PMUV3_NS); }, leave, at_el0}), 5u);
  // What was not told of a context is in the state of the cycle.
  const auto current = [this] { return Occur(PMUV3_EVENT_INST_RETIRED, 1); };
  const auto other = [this] { return Occur(PMUV3_EVENT_INST_RETIRED, 2, 0, PMUV3_OTHER); };
  EXPECT_EQ(cycle({current, at_el1, leave}), 5u);
  EXPECT_EQ(cycle({at_el1, leave, other, current}), 7u);
  EXPECT_EQ(cycle({leave, current, at_el1, enter}), 6u);
}

TEST_P(TlmTest, ACycleHasTwoContexts) {
  CountInstructions(0, PMUV3_MASK(PMEVTYPER, U));  // not at EL0
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), "");
  EXPECT_EQ(NotifyInstructions(5, 1), "");
  EXPECT_EQ(NotifyInstructions(64, 0), "");
  EXPECT_EQ(SetPe(0, 2, PMUV3_NS), "the thread has another context in this cycle already");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1), "") << "at EL1 still";
  Cycles(1);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 6u);
  EXPECT_EQ(SetPe(0, 2, PMUV3_NS), "") << "another cycle";
}

// Software increments belong to the state in which they were made.
TEST_P(TlmTest, IncrementsKeepTheState) {
  EXPECT_EQ(Write(PMUV3_PMEVTYPERn(0), PMUV3_MASK(PMEVTYPER, U)), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Write(PMUV3_PMCNTENSET, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Write(PMUV3_PMCR, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), "");
  EXPECT_EQ(Write(PMUV3_PMSWINC, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(SetPe(0, 0, PMUV3_NS), "software increments wait for the cycle");
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), "") << "the same state";
  EXPECT_EQ(SetPe(1, 0, PMUV3_NS), "") << "another thread";
  Cycles(1);
  EXPECT_EQ(SetPe(0, 0, PMUV3_NS), "");
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 1u);
}

TEST_P(UnclockedTest, IncrementsWaitForARun) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), "");
  EXPECT_EQ(Write(PMUV3_PMSWINC, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(SetPe(0, 0, PMUV3_NS), "software increments wait for the cycle");
  EXPECT_EQ(Words(core_.events->run(0, {})), "");
  EXPECT_EQ(SetPe(0, 0, PMUV3_NS), "software increments wait for the cycle") << "no cycle passed";
  EXPECT_EQ(Words(core_.events->run(1, {})), "");
  EXPECT_EQ(SetPe(0, 0, PMUV3_NS), "");
}

// An increment of counters that are not there is nothing to wait for.
TEST_P(UnclockedTest, NothingWaits) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), "");
  EXPECT_EQ(Write(PMUV3_PMSWINC, 1 << 30), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(SetPe(0, 0, PMUV3_NS), "");
}

// Nor is one that the write does not reach: a counter of EL2, and at EL0 one that PMUACR_EL1 hides.
TEST_P(UnclockedTest, NothingThatIsOutOfReachWaits) {
  const auto increment = [this](uint64_t counters) {
    EXPECT_EQ(Checked(tlm::TLM_WRITE_COMMAND, PMUV3_PMSWINC, counters), PMUV3_DONE);
  };
  const char *const waits = "software increments wait for the cycle";
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(Write(PMUV3_MDCR_EL2, 1), tlm::TLM_OK_RESPONSE);  // HPMN
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), "");
  increment(2);
  EXPECT_EQ(SetPe(0, 2, PMUV3_NS), "") << "a counter of EL2";
  increment(2);
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), waits) << "EL2 reaches it";
  EXPECT_EQ(Words(core_.events->advance(1)), "");
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), "");
  increment(3);
  increment(2);
  EXPECT_EQ(SetPe(0, 0, PMUV3_NS), waits) << "counter 0";
  EXPECT_EQ(Words(core_.events->advance(1)), "");
  EXPECT_EQ(Write(PMUV3_PMSWINC, 2), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(SetPe(0, 0, PMUV3_NS), waits) << "the highest rights";
  EXPECT_EQ(Words(core_.events->advance(1)), "");

  EXPECT_EQ(Write(PMUV3_MDCR_EL2, 2), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Write(PMUV3_PMUACR, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Write(PMUV3_PMUSERENR, PMUV3_MASK(PMUSERENR, UEN)), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(SetPe(0, 0, PMUV3_NS), "");
  increment(2);
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), "") << "PMUACR";
  EXPECT_EQ(SetPe(0, 0, PMUV3_NS), "");
  EXPECT_EQ(Write(PMUV3_PMUSERENR, PMUV3_MASK(PMUSERENR, UEN) | PMUV3_MASK(PMUSERENR, SW)),
            tlm::TLM_OK_RESPONSE);
  increment(2);
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), waits) << "SW";
}

// Nor is one of an external agent's counter (EXTPMN), which no write of System registers reaches.
TEST_P(UnclockedTest, NothingOfAnAgentWaits) {
  pmuv3_params params = TwoByTwo();
  params.features |= 1u << PMUV3_FEATURE_EXTPMN;
  EXPECT_EQ(pmuv3_params_complete(&params), nullptr);
  pmuv3_tlm pmu("shared", GetParam()(&params));
  Core core("shared_core");
  core.registers.bind(pmu.registers);
  core.external.bind(pmu.external);
  core.events.bind(pmu.events);
  EXPECT_TRUE(pmuv3_side_external_write(pmu.side(), 0, PMUV3_RT, 0xE58, 1));  // PMCCR.EPMN
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(Words(core.events->set_pe(0, StateAt(1))), "");
  Prepare(tlm::TLM_WRITE_COMMAND, PMUV3_PMSWINC, 2);
  core.registers->b_transport(payload_, delay_);
  EXPECT_EQ(Words(core.events->set_pe(0, StateAt(0))), "");
  Prepare(tlm::TLM_WRITE_COMMAND, PMUV3_PMSWINC, 1);
  core.registers->b_transport(payload_, delay_);
  EXPECT_EQ(Words(core.events->set_pe(0, StateAt(1))), "software increments wait for the cycle");
}

TEST_P(UnclockedTest, NothingIsIncremented) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), "");
  EXPECT_EQ(Write(PMUV3_PMSWINC, 0), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS, true), "");
  EXPECT_EQ(Write(PMUV3_PMSWINC, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(SetPe(0, 1, PMUV3_NS), "") << "it was halted";
}

TEST_P(UnclockedTest, AdvanceMakesCycles) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  CountInstructions();
  EXPECT_EQ(Write(PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C)), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Words(core_.events->notify(PMUV3_EVENT_INST_RETIRED, 200, 0, {1, PMUV3_NS, false})),
            "");
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 0u);
  sc_core::sc_start(1, SC_NS);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 0u) << "time alone is no cycle";
  EXPECT_EQ(Words(core_.events->advance(1000)), "");
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 200u) << "in the first of them";
  EXPECT_EQ(Read(PMUV3_PMCCNTR), 1000u);
  EXPECT_EQ(WriteWithClock(PMUV3_PMCCNTR, 0), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Words(core_.events->advance(0)), "");
  EXPECT_EQ(Read(PMUV3_PMCCNTR), 1000u);
  EXPECT_EQ(Words(core_.events->advance(3)), "");
  EXPECT_EQ(Read(PMUV3_PMCCNTR), 2u);
}

TEST_P(UnclockedTest, RunMakesCycles) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  CountInstructions();
  EXPECT_EQ(Write(PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C)), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Words(core_.events->run(1000, {{PMUV3_EVENT_INST_RETIRED, 0, PMUV3_CURRENT, 2345}})),
            "");
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 2345u);
  EXPECT_EQ(Read(PMUV3_PMCCNTR), 1000u);
  EXPECT_EQ(Words(core_.events->run(10, {{PMUV3_EVENT_INST_RETIRED, 0, PMUV3_CURRENT, 2551}})),
            "event 0x0008: it cannot occur so often in a cycle");
  EXPECT_EQ(Words(core_.events->run(10, {{PMUV3_EVENT_INST_RETIRED, 7, PMUV3_CURRENT, 1}})),
            "there is no such thread");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 5), "");
  EXPECT_EQ(Words(core_.events->run(10, {})), "something waits for the cycle under way");
  EXPECT_EQ(Words(core_.events->advance(1)), "");
  EXPECT_EQ(Words(core_.events->run(0, {})), "");
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 2350u);
  EXPECT_EQ(Read(PMUV3_PMCCNTR), 1001u);
}

// The C model makes any number of cycles at once.
TEST_P(UnclockedTest, RunsOfAnyLength) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  CountInstructions();
  EXPECT_EQ(Write(PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C)), tlm::TLM_OK_RESPONSE);
  const uint64_t cycles = uint64_t{1} << (pmu_.side()->ops->repeat ? 40 : 10);
  EXPECT_EQ(Words(core_.events->advance(cycles)), "");
  EXPECT_EQ(
      Words(core_.events->run(cycles, {{PMUV3_EVENT_INST_RETIRED, 0, PMUV3_CURRENT, cycles / 2}})),
      "");
  EXPECT_EQ(Read(PMUV3_PMCCNTR), 2 * cycles);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), cycles / 2);
}

// An interrupt in the middle of a quantum: the core looks ahead, and stops there.
TEST_P(UnclockedTest, TheNextOverflow) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  CountInstructions();
  EXPECT_EQ(Write(PMUV3_PMINTENSET, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF - 99), tlm::TLM_OK_RESPONSE);
  const std::vector<pmuv3_rate> rates = {{PMUV3_EVENT_INST_RETIRED, 0, PMUV3_CURRENT, 3000}};
  const std::optional<uint64_t> next = core_.events->next_overflow(1000, rates);
  sc_core::sc_event due;
  if (!pmuv3_side_foresees(pmu_.side())) {
    EXPECT_FALSE(next);
    EXPECT_EQ(Words(core_.events->notify_overflow(1000, rates, sc_core::sc_time(1, SC_NS), due)),
              "this side cannot tell");
    return;
  }
  EXPECT_EQ(next, 34u) << "3 instructions a cycle";
  EXPECT_EQ(core_.events->next_overflow(1000, {}), 0u);
  EXPECT_FALSE(core_.events->next_overflow(0, rates)) << "wrong";
  EXPECT_EQ(Words(core_.events->notify_overflow(1000, rates, sc_core::sc_time(2, SC_NS), due)), "");
  sc_core::sc_time when;
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.set_sensitivity(&due);
  options.dont_initialize();
  const sc_core::sc_time start = sc_core::sc_time_stamp();
  sc_core::sc_spawn([&] { when = sc_core::sc_time_stamp() - start; }, "waits", &options);
  sc_core::sc_start(1, sc_core::SC_US);
  EXPECT_EQ(when, sc_core::sc_time(68, SC_NS));
  // Periods with which the cycle lies beyond the end of time: by themselves, and from now on.
  when = sc_core::SC_ZERO_TIME;
  for (const uint64_t period : {UINT64_MAX / 34 + 1, UINT64_MAX / 34}) {
    EXPECT_EQ(Words(core_.events->notify_overflow(1000, rates, sc_core::sc_time::from_value(period),
                                                  due)),
              "");
    sc_core::sc_start(1, sc_core::SC_US);
    EXPECT_EQ(when, sc_core::SC_ZERO_TIME);
  }
  EXPECT_EQ(Words(core_.events->run(33, {{PMUV3_EVENT_INST_RETIRED, 0, PMUV3_CURRENT, 99}})), "");
  EXPECT_FALSE(pmuv3_side_outputs(pmu_.side(), 0).irq);
  EXPECT_EQ(Words(core_.events->run(1, {{PMUV3_EVENT_INST_RETIRED, 0, PMUV3_CURRENT, 3}})), "");
  EXPECT_TRUE(pmuv3_side_outputs(pmu_.side(), 0).irq);
}

// The RTL has no copies that run ahead: its cycles come at their time.
TEST_P(UnclockedTest, ThreadsHaveTimesOfTheirOwn) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  CountInstructions(0);
  CountInstructions(1);
  const sc_time period(1, SC_NS);
  const auto expect = [this](uint64_t first, uint64_t second) {
    const uint64_t expected[] = {first, second};
    for (unsigned t = 0; t < 2; t++) {
      uint64_t value = 0;
      pmuv3_side_read(pmu_.side(), t, PMUV3_PMEVCNTRn(0), &value);
      EXPECT_EQ(value, expected[t]) << t;
    }
  };
  ASSERT_EQ(Words(pmu_.decouple(period)), "");
  EXPECT_EQ(Words(pmu_.threads[0]->run(10, {{PMUV3_EVENT_INST_RETIRED, 0, PMUV3_CURRENT, 30}},
                                       sc_core::SC_ZERO_TIME)),
            "");
  EXPECT_EQ(Words(pmu_.threads[1]->run(4, {{PMUV3_EVENT_INST_RETIRED, 1, PMUV3_CURRENT, 4}},
                                       sc_core::SC_ZERO_TIME)),
            "");
  expect(0, 0);
  sc_core::sc_start(3 * period);
  expect(9, 3);
  sc_core::sc_start(7 * period);
  expect(30, 4);
}

// ---- Outputs and reset ----

TEST(TlmOutputsTest, AreReadOnceForEachCall) {
  BentSide *side = NewBentSide(TwoByTwo());
  unsigned updates = 0;
  side->bend_output = [&updates](const char *output) {
    updates += output == std::string("PMUIRQ");
    return 0u;
  };
  pmuv3_tlm pmu("pmu", side);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  updates = 0;
  for (const uint64_t cycles : {1, 5}) EXPECT_EQ(pmu.events->advance(cycles), nullptr);
  EXPECT_EQ(updates, 2u);
  EXPECT_EQ(pmu.events->run(3, {}), nullptr);
  EXPECT_EQ(updates, 3u);
}

// D13.3-1: by counting, and by a register write.
TEST_P(TlmTest, InterruptFollowsOverflow) {
  CountInstructions();
  EXPECT_EQ(Write(PMUV3_PMINTENSET, 3), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF), tlm::TLM_OK_RESPONSE);
  Cycles(1);
  EXPECT_FALSE(irq_[0].read());
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1), "");
  Cycles(1);
  EXPECT_TRUE(irq_[0].read());
  EXPECT_EQ(Write(PMUV3_PMOVSCLR, 1), tlm::TLM_OK_RESPONSE);
  Cycles(1);
  EXPECT_FALSE(irq_[0].read());
  EXPECT_EQ(Write(PMUV3_PMOVSSET, 2), tlm::TLM_OK_RESPONSE);
  sc_core::sc_start(1, sc_core::SC_PS);
  EXPECT_TRUE(irq_[0].read()) << "without waiting for a clock";
  EXPECT_FALSE(irq_[1].read());
}

TEST_P(TlmTest, InterruptsOfThreads) {
  CountInstructions(1);
  EXPECT_EQ(Write(1, PMUV3_PMINTENSET, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Write(1, PMUV3_PMOVSSET, 1), tlm::TLM_OK_RESPONSE);
  sc_core::sc_start(1, sc_core::SC_PS);
  EXPECT_FALSE(irq_[0].read());
  EXPECT_TRUE(irq_[1].read());
}

// The PMU Profiling exception replaces PMUIRQ. The CTI trigger stays.
TEST_P(TlmTest, ExceptionAndTrigger) {
  EXPECT_EQ(Write(1, PMUV3_MDCR_EL3, uint64_t{1} << PMUV3_MDCR_EL3_PMEE_LSB), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Write(1, PMUV3_MDCR_EL2, uint64_t{1} << PMUV3_MDCR_EL2_PMEE_LSB | 2),
            tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Write(1, PMUV3_PMECR, PMUV3_MASK(PMECR, PMEE) | PMUV3_MASK(PMECR, KPME)),
            tlm::TLM_OK_RESPONSE);
  CountInstructions(1);
  EXPECT_EQ(Write(1, PMUV3_PMINTENSET, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Write(1, PMUV3_PMOVSSET, 1), tlm::TLM_OK_RESPONSE);
  sc_core::sc_start(1, sc_core::SC_PS);
  EXPECT_FALSE(irq_[1].read());
  EXPECT_TRUE(cti_[1].read());
  EXPECT_FALSE(cti_[0].read());
  EXPECT_EQ(exception_[1].read(), 1u << 2 | 1u) << "asynchronous, to EL1";
  EXPECT_EQ(exception_[0].read(), 0u);
  pmuv3_pe masking = StateAt(1);
  masking.pm = true;
  EXPECT_EQ(Words(core_.events->set_pe(1, masking)), "");
  sc_core::sc_start(1, sc_core::SC_PS);
  EXPECT_EQ(exception_[1].read(), 0u) << "without waiting for a clock";
}

// The request to halt and what freezes BRBE are levels; pulses are of one cycle.
TEST_P(TlmTest, ConsumersOfOverflow) {
  CountInstructions();
  EXPECT_EQ(Write(PMUV3_PMINTENSET, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1), "");
  Cycles(1);
  EXPECT_EQ(pulses_[0].read(), 1u);
  EXPECT_EQ(pulses_[1].read(), 0u);
  EXPECT_EQ(brbe_[0].read(), 1u);
  EXPECT_EQ(brbe_[1].read(), 0u);
  EXPECT_FALSE(halt_[0].read());
  pmuv3_pe asking = StateAt(1);
  asking.pme = true;
  EXPECT_EQ(Words(core_.events->set_pe(0, asking)), "");
  sc_core::sc_start(1, sc_core::SC_PS);
  EXPECT_TRUE(halt_[0].read()) << "without waiting for a clock";
  EXPECT_FALSE(halt_[1].read());
  Cycles(1);
  EXPECT_EQ(pulses_[0].read(), 0u);
  EXPECT_EQ(brbe_[0].read(), 1u);
}

// A request captures in the cycle under way.
TEST_P(TlmTest, CaptureRequest) {
  for (const unsigned t : {0u, 1u}) {
    EXPECT_EQ(Write(t, PMUV3_MDCR_EL3, uint64_t{3} << PMUV3_MDCR_EL3_PMSSE_LSB),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(Write(t, PMUV3_PMCCNTR, 0x10 + t), tlm::TLM_OK_RESPONSE);
  }
  EXPECT_EQ(Words(core_.events->capture(1)), "");
  EXPECT_EQ(Words(core_.events->capture(2)), "there is no such thread");
  Cycles(1);
  EXPECT_EQ(Read(0, PMUV3_PMCCNTSVR), 0u);
  EXPECT_EQ(Read(1, PMUV3_PMCCNTSVR), 0x11u);
}

TEST_P(TlmTest, ResetDropsWhatWaits) {
  CountInstructions();
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1), "");
  EXPECT_EQ(WriteWithClock(PMUV3_PMEVCNTRn(0), 5), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(InContext(0, 0, PMUV3_NS), "");
  uint32_t value = 5;
  EXPECT_EQ(External(tlm::TLM_WRITE_COMMAND, 8, &value, 4, true), tlm::TLM_OK_RESPONSE);
  pmu_.reset();
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 0, PMUV3_OTHER), "the thread has no other context");
  Cycles(1);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 0u);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(1)), 0u);
  EXPECT_EQ(Read(PMUV3_PMCNTENSET), 0u);
}

// MTPME is reset by a Cold reset alone.
TEST_P(TlmTest, ColdReset) {
  const uint64_t mtpme = PMUV3_MASK(MDCR_EL3, MTPME);
  const uint64_t before = Read(PMUV3_MDCR_EL3);
  EXPECT_EQ(Write(PMUV3_MDCR_EL3, before ^ mtpme), tlm::TLM_OK_RESPONSE);
  pmu_.reset();
  EXPECT_EQ(Read(PMUV3_MDCR_EL3) & mtpme, (before ^ mtpme) & mtpme);
  pmu_.reset_cold();
  EXPECT_EQ(Read(PMUV3_MDCR_EL3), before);
}

const auto kSides = ::testing::Values(CreateCmodel, CreateRtl);
const auto kName = [](const auto &side) { return side.index == 0 ? "Cmodel" : "Rtl"; };
INSTANTIATE_TEST_SUITE_P(Side, TlmTest, kSides, kName);
INSTANTIATE_TEST_SUITE_P(Side, UnclockedTest, kSides, kName);

}  // namespace

int sc_main(int, char **) {
  return 0;
}
