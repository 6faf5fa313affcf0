// The TLM module around a side. SystemC elaborates once in a process: each
// test runs in a process of its own (gtest_discover_tests).
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <string>
#include <systemc>

#include "tlm_wrapper/pmuv3_tlm.h"

namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

// An initiator and the source of events, driven by the test between runs of the clock.
class Core : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Core, 64> registers{"registers"};
  sc_core::sc_port<pmuv3_event_if> events{"events"};
  explicit Core(const sc_core::sc_module_name &name) : sc_module(name) {}
};

// Two threads with two counters each.
pmuv3_params TwoByTwo() {
  pmuv3_params params = pmuv3_params_default();
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

class TlmTest : public ::testing::TestWithParam<pmuv3_side *(*)(const pmuv3_params *)> {
 protected:
  TlmTest() {
    pmu_.clk(clock_);
    pmu_.irq(irq_);
    core_.registers.bind(pmu_.registers);
    core_.events.bind(pmu_.events);
    Prepare(tlm::TLM_READ_COMMAND, 0);
    sc_core::sc_start(period_ / 2);  // between the first two edges: one cycle has passed
  }

  void Cycles(int cycles) { sc_core::sc_start(period_ * cycles); }

  // A plain access of a register; tests bend payload_ before Transport.
  void Prepare(tlm::tlm_command command, uint16_t reg, uint64_t value = 0) {
    data_ = value;
    payload_.set_command(command);
    payload_.set_address(pmuv3_tlm::address_of(reg));
    payload_.set_data_ptr(reinterpret_cast<unsigned char *>(&data_));
    payload_.set_data_length(8);
    payload_.set_streaming_width(8);
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }

  tlm::tlm_response_status Transport() {
    core_.registers->b_transport(payload_, delay_);
    return payload_.get_response_status();
  }

  tlm::tlm_response_status TransportOf(unsigned thread, bool with_clock) {
    pmuv3_access_extension extension;
    extension.thread = thread;
    extension.with_clock = with_clock;
    payload_.set_extension(&extension);
    Transport();
    payload_.clear_extension(&extension);
    return payload_.get_response_status();
  }

  // Without a thread: as an initiator that knows nothing of threads.
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

  // What is wrong with it, in words; "": nothing.
  std::string Occur(pmuv3_event event, int count, unsigned thread = 0,
                    pmuv3_origin origin = PMUV3_CURRENT) {
    return Words(core_.events->occur({static_cast<uint8_t>(event), static_cast<uint8_t>(count),
                                      static_cast<uint8_t>(thread), static_cast<uint8_t>(origin)}));
  }
  std::string InContext(unsigned thread, uint8_t el, uint8_t ss, bool related = false) {
    return Words(core_.events->in_context(thread, {el, ss, related}));
  }
  std::string SetPe(unsigned thread, uint8_t el, uint8_t ss, bool halted = false) {
    pmuv3_pe pe = {};
    pe.el = el;
    pe.ss = ss;
    pe.halted = halted;
    return Words(core_.events->set_pe(thread, pe));
  }
  static std::string Words(const char *wrong) { return wrong ? wrong : ""; }

  void CountInstructions(unsigned thread = 0, uint64_t type = 0) {
    EXPECT_EQ(Write(thread, PMUV3_PMEVTYPERn(0), type | 0x0008), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(Write(thread, PMUV3_PMCNTENSET, 1), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(Write(thread, PMUV3_PMCR, 1), tlm::TLM_OK_RESPONSE);
  }

  const sc_time period_{1, SC_NS};
  const pmuv3_params params_ = TwoByTwo();
  pmuv3_tlm pmu_{"pmu", GetParam()(&params_)};
  Core core_{"core"};
  sc_core::sc_clock clock_{"clock", period_};
  sc_core::sc_vector<sc_core::sc_signal<bool>> irq_{"irq", 2};
  tlm::tlm_generic_payload payload_;
  uint64_t data_ = 0;
  sc_time delay_ = sc_core::SC_ZERO_TIME;
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
  EXPECT_EQ(Occur(PMUV3_EVENT_NONE, 1), "there is no such event");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 2), "there is no such thread");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 0, PMUV3_NUM_ORIGINS), "there is no such origin");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 0, PMUV3_OTHER), "the thread has no other context");
  EXPECT_EQ(Occur(PMUV3_EVENT_STALL, 1, 0, PMUV3_UNATTRIBUTABLE),
            "the event cannot be Unattributable");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 200), "");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 56), "the event cannot occur so often in a cycle");
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 56, 1), "") << "another thread's";
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 56, 0, PMUV3_DEBUGGER), "") << "another origin's";
  EXPECT_EQ(Occur(PMUV3_EVENT_STALL, 1), "");
  EXPECT_EQ(Occur(PMUV3_EVENT_STALL, 1), "the event cannot occur so often in a cycle");
  Cycles(1);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 200u);
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

// formats.md section 4: the write wins over the increment, the overflow stands.
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
  for (unsigned length : {1u, 4u, 16u}) {
    Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMCR);
    payload_.set_data_length(length);
    EXPECT_EQ(Transport(), tlm::TLM_BURST_ERROR_RESPONSE);
  }
  Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMCR);
  payload_.set_streaming_width(4);
  EXPECT_EQ(Transport(), tlm::TLM_BURST_ERROR_RESPONSE);
  unsigned char enables[8] = {};
  Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMCR);
  payload_.set_byte_enable_ptr(enables);
  EXPECT_EQ(Transport(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  Prepare(tlm::TLM_IGNORE_COMMAND, PMUV3_PMCR);
  EXPECT_EQ(Transport(), tlm::TLM_OK_RESPONSE);
}

TEST_P(TlmTest, DebugTransport) {
  Prepare(tlm::TLM_WRITE_COMMAND, PMUV3_PMEVCNTRn(0), 42);
  EXPECT_EQ(core_.registers->transport_dbg(payload_), 8u);
  Prepare(tlm::TLM_READ_COMMAND, PMUV3_PMEVCNTRn(0));
  EXPECT_EQ(core_.registers->transport_dbg(payload_), 8u);
  EXPECT_EQ(data_, 42u);
  Prepare(tlm::TLM_READ_COMMAND, 0);
  EXPECT_EQ(core_.registers->transport_dbg(payload_), 0u);

  pmuv3_access_extension extension;  // of no meaning here: a debug access takes place at once
  extension.with_clock = true;
  Prepare(tlm::TLM_WRITE_COMMAND, PMUV3_PMEVCNTRn(0), 43);
  payload_.set_extension(&extension);
  EXPECT_EQ(core_.registers->transport_dbg(payload_), 8u);
  payload_.clear_extension(&extension);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 43u);

  extension.thread = 1;
  Prepare(tlm::TLM_WRITE_COMMAND, PMUV3_PMEVCNTRn(0), 44);
  payload_.set_extension(&extension);
  EXPECT_EQ(core_.registers->transport_dbg(payload_), 8u);
  payload_.clear_extension(&extension);
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(0)), 43u);
  EXPECT_EQ(Read(1, PMUV3_PMEVCNTRn(0)), 44u);
}

// D13.3-1, by counting and by a register write.
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

TEST_P(TlmTest, ResetDropsWhatWaits) {
  CountInstructions();
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1), "");
  EXPECT_EQ(WriteWithClock(PMUV3_PMEVCNTRn(0), 5), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(InContext(0, 0, PMUV3_NS), "");
  pmu_.reset();
  EXPECT_EQ(Occur(PMUV3_EVENT_INST_RETIRED, 1, 0, PMUV3_OTHER), "the thread has no other context");
  Cycles(1);
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 0u);
  EXPECT_EQ(Read(PMUV3_PMCNTENSET), 0u);
}

INSTANTIATE_TEST_SUITE_P(Side, TlmTest, ::testing::Values(CreateCmodel, CreateRtl),
                         [](const auto &side) { return side.index == 0 ? "Cmodel" : "Rtl"; });

}  // namespace

int sc_main(int, char **) {
  return 0;
}
