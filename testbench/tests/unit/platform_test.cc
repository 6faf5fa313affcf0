// The plumbing of a platform: reset ports, save and restore, debug accesses, sockets, the adapter
// and the trace. SystemC elaborates only once in a process, so each test has its own process.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <systemc>
#include <vector>

// Before the module's headers, whose structs its functions hide.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // functions and structs of the same name, legal in C
#include "pmuv3/pmuv3.h"
#pragma GCC diagnostic pop

#include "tlm_wrapper/adapter.h"
#include "tlm_wrapper/pmuv3_tlm.h"

namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

template <unsigned width>
struct Initiator : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Initiator, width> socket{"socket"};
  explicit Initiator(const sc_core::sc_module_name &name) : sc_module(name) {}

  tlm::tlm_generic_payload payload;

  void Prepare(tlm::tlm_command command, uint64_t address, void *data, unsigned length) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char *>(data));
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  tlm::tlm_response_status Transport(tlm::tlm_command command, uint64_t address, void *data,
                                     unsigned length) {
    sc_time delay;
    Prepare(command, address, data, length);
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }
  unsigned Debug(tlm::tlm_command command, uint64_t address, void *data, unsigned length) {
    Prepare(command, address, data, length);
    return socket->transport_dbg(payload);
  }
};

uint64_t AddressOf(int reg) {
  return pmuv3_tlm::address_of(static_cast<uint16_t>(reg));
}

pmuv3_params Params(unsigned threads) {
  pmuv3_params params = pmuv3_tlm::platform_params();
  params.threads = static_cast<uint8_t>(threads);
  EXPECT_STREQ(pmuv3_params_complete(&params), nullptr);
  return params;
}

// The C model by itself with a clock.
class PlatformTest : public ::testing::Test {
 protected:
  PlatformTest() {
    pmu_.clk(clock_);
    pmu_.warm_reset(warm_);
    pmu_.cold_reset(cold_);
    pmu_.irq(irq_);
    registers_.socket.bind(pmu_.registers);
    external_.socket.bind(pmu_.external);
  }
  void Start() { sc_core::sc_start(period_ / 2); }
  void Cycles(int cycles) { sc_core::sc_start(period_ * cycles); }
  uint64_t Read(unsigned thread, int reg) {
    uint64_t value = 0;
    pmuv3_side_read(pmu_.side(), thread, static_cast<uint16_t>(reg), &value);
    return value;
  }
  void Write(unsigned thread, int reg, uint64_t value) {
    pmuv3_side_write(pmu_.side(), thread, static_cast<uint16_t>(reg), value);
  }
  void CountInstructions(unsigned thread) {
    Write(thread, PMUV3_PMEVTYPERn(0), PMUV3_EVENT_INST_RETIRED);
    Write(thread, PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C) | 1);
    Write(thread, PMUV3_PMCR, 1);
  }

  const sc_time period_{1, SC_NS};
  const pmuv3_params params_ = Params(2);
  sc_core::sc_clock clock_{"clock", period_};
  sc_core::sc_signal<bool> warm_{"warm"}, cold_{"cold"};
  sc_core::sc_vector<sc_core::sc_signal<bool>> irq_{"irq", 2};
  pmuv3_tlm pmu_{"pmu", pmuv3_side_cmodel(&params_)};
  Initiator<64> registers_{"registers"};
  Initiator<32> external_{"external"};
};

// ---- Resets ----

// PMCR is reset by both, MTPME by a Cold reset alone (pmuv3_reset).
TEST_F(PlatformTest, ResetPorts) {
  Start();
  const uint64_t mtpme = PMUV3_MASK(MDCR_EL3, MTPME);
  const uint64_t cold_value = Read(0, PMUV3_MDCR_EL3) & mtpme;
  const auto write = [&] {
    Write(0, PMUV3_PMCR, 1);
    Write(0, PMUV3_MDCR_EL3, cold_value ^ mtpme);
  };
  write();
  warm_ = true;
  Cycles(1);
  EXPECT_EQ(Read(0, PMUV3_PMCR) & 1, 0u);
  EXPECT_EQ(Read(0, PMUV3_MDCR_EL3) & mtpme, cold_value ^ mtpme) << "stays";
  Write(0, PMUV3_PMCR, 1);
  Write(0, PMUV3_MDCR_EL3, cold_value);
  Cycles(1);
  EXPECT_EQ(Read(0, PMUV3_PMCR) & 1, 1u);
  warm_ = false;
  Cycles(1);
  EXPECT_EQ(Read(0, PMUV3_PMCR) & 1, 0u) << "lost at the end of the reset";
  EXPECT_EQ(Read(0, PMUV3_MDCR_EL3) & mtpme, cold_value) << "stays as it was written meanwhile";
  write();
  cold_ = true;
  Cycles(1);
  EXPECT_EQ(Read(0, PMUV3_PMCR) & 1, 0u);
  EXPECT_EQ(Read(0, PMUV3_MDCR_EL3) & mtpme, cold_value);
  cold_ = false;
  Cycles(1);
  write();
  Cycles(1);
  EXPECT_EQ(Read(0, PMUV3_PMCR) & 1, 1u) << "no reset is active";
}

TEST_F(PlatformTest, StatesOutliveAColdReset) {
  Start();
  pmuv3_pe halted = PMUV3_PE_RESET;
  halted.halted = true;
  EXPECT_STREQ(pmu_.events->set_pe(0, halted), nullptr);
  cold_ = true;
  Cycles(1);
  cold_ = false;
  Cycles(1);
  CountInstructions(0);
  EXPECT_STREQ(pmu_.events->occur({PMUV3_EVENT_INST_RETIRED, 1, 0, PMUV3_CURRENT}), nullptr);
  Cycles(1);
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(0)), 0u) << "still halted";
}

// ---- Debug accesses ----

TEST_F(PlatformTest, DebugReadsAnyBytes) {
  Start();
  Write(0, PMUV3_PMEVCNTRn(0), 0x8877665544332211);
  Write(0, PMUV3_PMEVCNTRn(1), 0x0102030405060708);
  const uint64_t address = AddressOf(PMUV3_PMEVCNTRn(0));
  for (unsigned from = 0; from < 8; from++) {
    for (const unsigned length : {1u, 2u, 4u, 8u}) {
      unsigned char bytes[8] = {}, expected[8] = {};
      const uint64_t both[2] = {0x8877665544332211, 0x0102030405060708};
      std::memcpy(expected, reinterpret_cast<const unsigned char *>(both) + from, length);
      EXPECT_EQ(registers_.Debug(tlm::TLM_READ_COMMAND, address + from, bytes, length), length);
      EXPECT_EQ(std::memcmp(bytes, expected, sizeof bytes), 0) << from << " " << length;
      EXPECT_TRUE(registers_.payload.is_response_ok());
    }
  }
  unsigned char bytes[3] = {};
  EXPECT_EQ(external_.Debug(tlm::TLM_READ_COMMAND, pmuv3_tlm::page_of(0) + 2, bytes, 3), 3u);
  EXPECT_EQ(bytes[0], 0x33);
  EXPECT_EQ(bytes[2], 0x55) << "of the next word";
}

TEST_F(PlatformTest, DebugReadsUpToWhatIsNotThere) {
  Start();
  unsigned char bytes[32] = {};
  const unsigned last = params_.counters - 1u;
  EXPECT_EQ(registers_.Debug(tlm::TLM_READ_COMMAND, AddressOf(PMUV3_PMEVCNTRn(last)) + 4, bytes,
                             sizeof bytes),
            4u);
  EXPECT_EQ(registers_.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(registers_.Debug(tlm::TLM_READ_COMMAND, ~uint64_t{0}, bytes, 2), 0u);
}

TEST_F(PlatformTest, DebugWritesWhatOnlyHolds) {
  Start();
  for (const int reg :
       {+PMUV3_PMEVCNTRn(1), +PMUV3_PMEVTYPERn(1), +PMUV3_PMCCNTR, +PMUV3_PMUSERENR}) {
    uint64_t value = 2;
    EXPECT_EQ(registers_.Debug(tlm::TLM_WRITE_COMMAND, AddressOf(reg), &value, 8), 8u) << reg;
    EXPECT_EQ(Read(0, reg), 2u);
  }
  Write(0, PMUV3_PMOVSSET, 1);
  for (const int reg : {+PMUV3_PMOVSCLR, +PMUV3_PMCR, +PMUV3_PMSWINC, +PMUV3_PMCNTENSET}) {
    uint64_t value = 1;
    EXPECT_EQ(registers_.Debug(tlm::TLM_WRITE_COMMAND, AddressOf(reg), &value, 8), 0u) << reg;
    EXPECT_EQ(registers_.payload.get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
  }
  EXPECT_EQ(Read(0, PMUV3_PMOVSSET), 1u);
  uint64_t value = 3;
  EXPECT_EQ(registers_.Debug(tlm::TLM_WRITE_COMMAND, AddressOf(PMUV3_PMCCNTR), &value, 4), 0u);
  EXPECT_EQ(registers_.Debug(tlm::TLM_WRITE_COMMAND, AddressOf(PMUV3_PMCCNTR) + 4, &value, 8), 0u);
  EXPECT_EQ(external_.Debug(tlm::TLM_WRITE_COMMAND, 0, &value, 4), 0u) << "the external view";
  EXPECT_EQ(Read(0, PMUV3_PMCCNTR), 2u);
}

// ---- Save and restore ----

pmuv3_pe NonSecure(uint8_t el) {
  pmuv3_pe pe = PMUV3_PE_RESET;
  pe.el = el;
  pe.ss = PMUV3_NS;
  return pe;
}

TEST_F(PlatformTest, RestoresTheContextsOfACycle) {
  Start();
  const pmuv3_pe user = NonSecure(0), kernel = NonSecure(1);
  CountInstructions(0);
  Write(0, PMUV3_PMEVTYPERn(0), PMUV3_EVENT_INST_RETIRED | PMUV3_MASK(PMEVTYPER, U));
  EXPECT_STREQ(pmu_.events->set_pe(0, kernel), nullptr);
  EXPECT_STREQ(pmu_.events->notify(PMUV3_EVENT_INST_RETIRED, 5, 0, {1, PMUV3_NS, false}), nullptr);
  ASSERT_STREQ(pmu_.restore(pmu_.save()), nullptr);
  EXPECT_STREQ(pmu_.events->set_pe(0, user), nullptr);
  Cycles(1);
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(0)), 5u);
}

// Occurrences that change their context leave a place behind, which is not told again.
TEST_F(PlatformTest, RestoresACycleWithWithdrawnOccurrences) {
  Start();
  const pmuv3_pe user = NonSecure(0), kernel = NonSecure(1);
  CountInstructions(0);
  EXPECT_STREQ(pmu_.events->set_pe(0, kernel), nullptr);
  EXPECT_STREQ(pmu_.events->notify(PMUV3_EVENT_INST_RETIRED, 5, 0, {0, PMUV3_NS, false}), nullptr);
  EXPECT_STREQ(pmu_.events->set_pe(0, user), nullptr);
  const std::vector<unsigned char> bytes = pmu_.save();
  ASSERT_STREQ(pmu_.restore(bytes), nullptr);
  EXPECT_EQ(pmu_.save(), bytes);
  Cycles(1);
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(0)), 5u);
  ASSERT_STREQ(pmu_.restore(bytes), nullptr);
  Cycles(1);
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(0)), 5u);
}

// A core that works its counts out may notify none.
TEST_F(PlatformTest, NoOccurrenceLeavesNothingBehind) {
  Start();
  const std::vector<unsigned char> before = pmu_.save();
  EXPECT_STREQ(pmu_.events->notify(PMUV3_EVENT_INST_RETIRED, 0, 0, {0, PMUV3_NS, false}), nullptr);
  EXPECT_EQ(pmu_.save(), before);
  EXPECT_STREQ(pmu_.events->notify(PMUV3_EVENT_INST_RETIRED, 1, 0, {2, PMUV3_NS, false}), nullptr);
  EXPECT_STRNE(pmu_.events->notify(0xFFFF, 0, 0, {0, PMUV3_NS, false}), nullptr);
}

// What comes after restoring is what came after saving, all registers and values compared.
TEST_F(PlatformTest, RestoresTheModule) {
  Start();
  const auto go_on = [this] {
    std::vector<struct pmuv3_probe> probes(2);
    EXPECT_STREQ(pmu_.events->occur({PMUV3_EVENT_INST_RETIRED, 7, 1, PMUV3_CURRENT}), nullptr);
    Cycles(5);
    for (unsigned t = 0; t < 2; t++) pmuv3_side_probe(pmu_.side(), t, &probes[t]);
    return probes;
  };
  CountInstructions(0);
  CountInstructions(1);
  Write(1, PMUV3_PMEVCNTRn(0), 0xFFFFFFFD);
  Write(1, PMUV3_PMINTENSET, 1);
  Cycles(3);
  EXPECT_STREQ(pmu_.events->occur({PMUV3_EVENT_INST_RETIRED, 5, 0, PMUV3_CURRENT}), nullptr);
  const std::vector<unsigned char> bytes = pmu_.save();
  ASSERT_FALSE(bytes.empty());
  const auto first = go_on();
  EXPECT_TRUE(irq_[1].read());
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(0)), 5u);
  ASSERT_STREQ(pmu_.restore(bytes), nullptr);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_FALSE(irq_[1].read()) << "outputs follow";
  const auto second = go_on();
  EXPECT_EQ(std::memcmp(first.data(), second.data(), 2 * sizeof first[0]), 0);

  std::vector<unsigned char> other = bytes;
  for (unsigned char &byte : other) {
    byte ^= 1;
    EXPECT_STRNE(pmu_.restore(other), nullptr) << "byte " << &byte - other.data();
    byte ^= 1;
  }
  other.back() ^= 1;
  EXPECT_STREQ(pmu_.restore(other), "the saved module was changed");
  other.pop_back();
  EXPECT_STREQ(pmu_.restore(other), "the saved module is not whole");
  EXPECT_STREQ(pmu_.restore({}), "no saved module: it is too short");
  std::vector<struct pmuv3_probe> probes(2);
  for (unsigned t = 0; t < 2; t++) pmuv3_side_probe(pmu_.side(), t, &probes[t]);
  EXPECT_EQ(std::memcmp(probes.data(), second.data(), 2 * sizeof first[0]), 0);
}

TEST(SaveTest, RestoresDecoupledThreads) {
  const pmuv3_params params = Params(2);
  pmuv3_tlm pmu("pmu", pmuv3_side_cmodel(&params)), other("other", pmuv3_side_cmodel(&params));
  pmuv3_side_write(pmu.side(), 0, PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C));
  pmuv3_side_write(pmu.side(), 0, PMUV3_PMCR, 1);
  const sc_time period(1, SC_NS);
  ASSERT_STREQ(pmu.decouple(period), nullptr);
  EXPECT_STREQ(pmu.threads[0]->run(100, {}, sc_core::SC_ZERO_TIME), nullptr);
  sc_core::sc_start(50 * period);
  EXPECT_TRUE(pmu.save().empty()) << "thread 0 is ahead";
  sc_core::sc_start(50 * period);
  const std::vector<unsigned char> bytes = pmu.save();
  ASSERT_FALSE(bytes.empty());
  sc_core::sc_start(10 * period);
  uint64_t value = 0;
  pmuv3_side_read(pmu.side(), 0, PMUV3_PMCCNTR, &value);
  EXPECT_EQ(value, 110u);
  ASSERT_STREQ(pmu.restore(bytes), nullptr);
  EXPECT_STREQ(pmu.threads[0]->run(7, {}, sc_core::SC_ZERO_TIME), nullptr) << "not late";
  sc_core::sc_start(7 * period);
  pmuv3_side_read(pmu.side(), 0, PMUV3_PMCCNTR, &value);
  EXPECT_EQ(value, 107u);

  // A module that is not decoupled may have something for the cycle under way.
  EXPECT_STREQ(other.events->capture(1), nullptr);
  EXPECT_STREQ(pmu.restore(other.save()), "something waits for the cycle under way");
  pmuv3_side_read(pmu.side(), 0, PMUV3_PMCCNTR, &value);
  EXPECT_EQ(value, 107u);
}

// Cycles begin where they began before, so an overflow comes at the end of its cycle.
TEST(SaveTest, RestoresInTheMiddleOfACycle) {
  pmuv3_tlm pmu("pmu");
  sc_core::sc_vector<sc_core::sc_signal<bool>> irq("irq", 1);
  pmu.irq(irq);
  const sc_time period(4, SC_NS);
  ASSERT_STREQ(pmu.decouple(period), nullptr);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  pmuv3_side *side = pmu.side();
  pmuv3_side_write(side, 0, PMUV3_PMEVTYPERn(0), PMUV3_EVENT_INST_RETIRED);
  pmuv3_side_write(side, 0, PMUV3_PMEVCNTRn(0), 0xFFFFFFFF - 4);
  pmuv3_side_write(side, 0, PMUV3_PMINTENSET, 1);
  pmuv3_side_write(side, 0, PMUV3_PMCNTENSET, 1);
  pmuv3_side_write(side, 0, PMUV3_PMCR, 1);
  const std::vector<unsigned char> bytes = pmu.save();
  sc_core::sc_start(10.5 * period);
  ASSERT_STREQ(pmu.restore(bytes), nullptr);
  const std::vector<pmuv3_rate> rates = {{PMUV3_EVENT_INST_RETIRED, 0, PMUV3_CURRENT, 20}};
  ASSERT_STREQ(pmu.threads[0]->run(20, rates, period / 2), nullptr) << "from cycle 11 on";
  sc_core::sc_start(5.25 * period);
  EXPECT_FALSE(irq[0].read()) << "in the fifth of these cycles";
  sc_core::sc_start(0.5 * period);
  EXPECT_TRUE(irq[0].read()) << "after it";
}

// The library by itself.
TEST(SaveTest, RefusesOthers) {
  const pmuv3_params params = Params(2);
  pmuv3_params other = params;
  other.counters = 5;
  auto pmu = std::make_unique<struct pmuv3>(), again = std::make_unique<struct pmuv3>();
  pmuv3_init(pmu.get(), &params);
  pmuv3_write(pmu.get(), 1, PMUV3_PMEVTYPERn(3), 0x8);
  pmuv3_write(pmu.get(), 1, PMUV3_PMCR, 1);
  std::vector<unsigned char> bytes(pmuv3_save(pmu.get(), nullptr, 0));
  EXPECT_EQ(pmuv3_save(pmu.get(), bytes.data(), bytes.size() - 1), bytes.size());
  EXPECT_EQ(bytes[0], 0) << "nothing was written";
  EXPECT_EQ(pmuv3_save(pmu.get(), bytes.data(), bytes.size()), bytes.size());

  pmuv3_init(again.get(), &params);
  EXPECT_STREQ(pmuv3_restore(again.get(), bytes.data(), bytes.size()), nullptr);
  EXPECT_EQ(std::memcmp(again.get(), pmu.get(), sizeof *pmu), 0) << "what is derived, too";
  pmuv3_init(again.get(), &other);
  const struct pmuv3 before = *again;
  EXPECT_STREQ(pmuv3_restore(again.get(), bytes.data(), bytes.size()),
               "the saved PMU has other parameters");
  bytes[8]++;
  EXPECT_STREQ(pmuv3_restore(again.get(), bytes.data(), bytes.size()),
               "the PMU was saved by another version of libpmuv3, or for another host");
  bytes[0]++;
  EXPECT_STREQ(pmuv3_restore(again.get(), bytes.data(), bytes.size()), "no saved PMU");
  EXPECT_STREQ(pmuv3_restore(again.get(), bytes.data(), 3), "no saved PMU: it is too short");
  EXPECT_EQ(std::memcmp(again.get(), &before, sizeof before), 0);
}

// In parameters that are wrong, too.
TEST(SaveTest, DigestOfTooManyEvents) {
  auto params = std::make_unique<pmuv3_params>(Params(2));
  params->events.num = UINT16_MAX;
  auto other = std::make_unique<pmuv3_params>(*params);
  EXPECT_EQ(pmuv3_params_digest(params.get()), pmuv3_params_digest(other.get()));
  other->events.num--;
  EXPECT_NE(pmuv3_params_digest(params.get()), pmuv3_params_digest(other.get()));
}

// Every parameter counts in the digest.
TEST(SaveTest, DigestOfParameters) {
  const pmuv3_params params = Params(2);
  const uint64_t digest = pmuv3_params_digest(&params);
  EXPECT_EQ(pmuv3_params_digest(&params), digest);
#define EXPECT_CHANGE(member)                                  \
  {                                                            \
    pmuv3_params other = params;                               \
    other.member ^= 1;                                         \
    EXPECT_NE(pmuv3_params_digest(&other), digest) << #member; \
  }
#define PMUV3_PARAM(name, dflt, min, max, bits, text) EXPECT_CHANGE(name)
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) EXPECT_CHANGE(id)
#include "pmuv3/params.def"
  EXPECT_CHANGE(features)
  EXPECT_CHANGE(events.num)
  EXPECT_CHANGE(events.event[3].number)
  EXPECT_CHANGE(events.event[3].event_class)
  EXPECT_CHANGE(events.event[3].attribution)
  EXPECT_CHANGE(events.event[3].traits)
  EXPECT_CHANGE(events.event[3].most)
}

// ---- Sockets, the adapter and the trace ----

TEST(SocketTest, ThirtyTwoBitsAndThreads) {
  const pmuv3_params params = Params(2);
  pmuv3_tlm pmu("pmu", pmuv3_side_cmodel(&params));
  Initiator<32> bus("bus");
  Initiator<64> core("core");
  bus.socket.bind(pmu.registers32);
  core.socket.bind(pmu.thread_registers[1]);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  uint64_t value = 0x1111111122222222;
  const uint64_t address = AddressOf(PMUV3_PMEVCNTRn(0));
  EXPECT_EQ(bus.Transport(tlm::TLM_WRITE_COMMAND, address, &value, 8), tlm::TLM_OK_RESPONSE);
  uint32_t half = 0;
  EXPECT_EQ(bus.Transport(tlm::TLM_READ_COMMAND, address + 4, &half, 4), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(half, 0x11111111u);
  EXPECT_EQ(bus.Debug(tlm::TLM_READ_COMMAND, address + 1, &half, 2), 2u);
  value = 77;
  EXPECT_EQ(core.Transport(tlm::TLM_WRITE_COMMAND, address, &value, 8), tlm::TLM_OK_RESPONSE);
  pmuv3_side_read(pmu.side(), 1, PMUV3_PMEVCNTRn(0), &value);
  EXPECT_EQ(value, 77u) << "thread 1's without an extension";
  pmuv3_side_read(pmu.side(), 0, PMUV3_PMEVCNTRn(0), &value);
  EXPECT_EQ(value, 0x1111111122222222u);
  value = 0;
  EXPECT_EQ(core.Debug(tlm::TLM_READ_COMMAND, address, &value, 8), 8u);
  EXPECT_EQ(value, 77u);
}

// A module by its name alone answers on its external page.
TEST(SocketTest, DefaultsOfAPlatform) {
  pmuv3_tlm pmu("pmu");
  Initiator<32> debugger("debugger");
  debugger.socket.bind(pmu.external);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  uint32_t word = 0;
  EXPECT_EQ(debugger.Transport(tlm::TLM_READ_COMMAND, 0xFBC, &word, 4), tlm::TLM_OK_RESPONSE);
  EXPECT_NE(word, 0u) << "PMDEVARCH";
}

struct CoreExtension : tlm::tlm_extension<CoreExtension> {
  unsigned number = 0;
  uint8_t el = 1;
  bool trapped = false;
  tlm_extension_base *clone() const override { return new CoreExtension(*this); }
  void copy_from(const tlm_extension_base &from) override {
    *this = static_cast<const CoreExtension &>(from);
  }
};

TEST(SocketTest, Adapter) {
  const pmuv3_params params = Params(2);
  pmuv3_tlm pmu("pmu", pmuv3_side_cmodel(&params));
  Initiator<32> core("core");
  pmuv3_adapter<32> adapter(
      "adapter",
      [](const tlm::tlm_generic_payload &payload, pmuv3_access_extension &how) {
        const auto *core_is = payload.get_extension<CoreExtension>();
        if (!core_is) return;
        pmuv3_pe pe = PMUV3_PE_RESET;
        pe.el = core_is->el;
        how.thread = core_is->number;
        how.checked = true;
        how.state = pe;
      },
      [](const tlm::tlm_generic_payload &payload, pmuv3_access_extension &how) {
        auto *core_is = payload.get_extension<CoreExtension>();
        if (core_is) core_is->trapped = how.result != PMUV3_DONE;
      });
  core.socket.bind(adapter.in);
  adapter.out.bind(pmu.registers32);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  CoreExtension is;
  is.number = 1;
  core.payload.set_extension(&is);
  uint64_t value = 5;
  const uint64_t address = AddressOf(PMUV3_PMEVCNTRn(0));
  EXPECT_EQ(core.Transport(tlm::TLM_WRITE_COMMAND, address, &value, 8), tlm::TLM_OK_RESPONSE);
  EXPECT_FALSE(is.trapped);
  is.el = 0;
  EXPECT_EQ(core.Transport(tlm::TLM_READ_COMMAND, address, &value, 8),
            tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_TRUE(is.trapped);
  EXPECT_EQ(core.payload.get_extension<pmuv3_access_extension>(), nullptr);
  core.payload.clear_extension(&is);
  EXPECT_EQ(core.Transport(tlm::TLM_READ_COMMAND, address, &value, 8), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(value, 0u) << "thread 0";
  pmuv3_side_read(pmu.side(), 1, PMUV3_PMEVCNTRn(0), &value);
  EXPECT_EQ(value, 5u);
}

// SystemC ends a process that waits in an access by an exception.
TEST(SocketTest, AProcessThatEndsBehindAnAdapter) {
  pmuv3_tlm pmu("pmu");
  Initiator<32> core("core");
  pmuv3_adapter<32> adapter("adapter",
                            [](const tlm::tlm_generic_payload &, pmuv3_access_extension &) {});
  core.socket.bind(adapter.in);
  adapter.out.bind(pmu.registers32);
  uint64_t value = 0;
  bool has_ended = false;
  sc_core::sc_process_handle process = sc_core::sc_spawn([&] {
    sc_time delay(100, sc_core::SC_NS);
    core.Prepare(tlm::TLM_READ_COMMAND, AddressOf(PMUV3_PMCR), &value, 8);
    core.socket->b_transport(core.payload, delay);
    has_ended = true;
  });
  sc_core::sc_spawn([&] {
    sc_core::wait(10, sc_core::SC_NS);
    EXPECT_NE(core.payload.get_extension<pmuv3_access_extension>(), nullptr) << "it waits";
    process.kill();
  });
  sc_core::sc_start(200, sc_core::SC_NS);
  EXPECT_FALSE(has_ended);
  EXPECT_EQ(core.payload.get_extension<pmuv3_access_extension>(), nullptr);
}

// An access that waits while threads get times of their own takes place when it has waited.
TEST(SocketTest, DecoupledWhileAnAccessWaits) {
  pmuv3_tlm pmu("pmu");
  Initiator<64> core("core");
  core.socket.bind(pmu.registers);
  uint64_t value = PMUV3_MASK(PMCR, E), cycles = 0;
  sc_core::sc_spawn([&] {
    core.Transport(tlm::TLM_WRITE_COMMAND, AddressOf(PMUV3_PMCR), &value, 8);
    value = UINT64_C(1) << 31;
    core.Transport(tlm::TLM_WRITE_COMMAND, AddressOf(PMUV3_PMCNTENSET), &value, 8);
    sc_time delay(7, sc_core::SC_NS);
    core.Prepare(tlm::TLM_READ_COMMAND, AddressOf(PMUV3_PMCCNTR), &cycles, 8);
    core.socket->b_transport(core.payload, delay);
  });
  sc_core::sc_spawn([&] {
    sc_core::wait(3, sc_core::SC_NS);
    EXPECT_STREQ(pmu.decouple(sc_time(1, sc_core::SC_NS)), nullptr);
  });
  sc_core::sc_start(20, sc_core::SC_NS);
  EXPECT_EQ(cycles, 4u);
}

using Values = std::vector<std::string>;

// A VCD file, which is removed in the end.
class Vcd {
 public:
  explicit Vcd(const std::string &name) : name_(testing::TempDir() + name) {}
  ~Vcd() { std::remove((name_ + ".vcd").c_str()); }
  sc_core::sc_trace_file *file() { return file_; }

  // "$var wire 64 aaaab cycles_0 [63:0] $end" says the identifier of a variable, and "b101 aaaab"
  // its value from then on.
  void Read() {
    sc_core::sc_close_vcd_trace_file(file_);
    std::ifstream text(name_ + ".vcd");
    for (std::string line; std::getline(text, line);) {
      std::string first, second, width, id, variable;
      std::istringstream(line) >> first >> second >> width >> id >> variable;
      if (first == "$var") values_[variable] = &of_id_[id];
      if (first[0] == 'b') of_id_[second].push_back(first);
    }
  }

  Values Of(const std::string &variable) const {
    const auto values = values_.find(variable);
    return values == values_.end() ? Values{"no such variable"} : *values->second;
  }

 private:
  const std::string name_;
  sc_core::sc_trace_file *file_ = sc_core::sc_create_vcd_trace_file(name_.c_str());
  std::map<std::string, Values> of_id_;
  std::map<std::string, const Values *> values_;
};

TEST_F(PlatformTest, TracesCounters) {
  Vcd vcd("pmuv3_trace");
  sc_trace(vcd.file(), pmu_, "pmu");
  Start();
  CountInstructions(1);
  for (int i = 0; i < 3; i++) {
    EXPECT_STREQ(pmu_.events->occur({PMUV3_EVENT_INST_RETIRED, 5, 1, PMUV3_CURRENT}), nullptr);
    Cycles(1);
  }
  vcd.Read();
  EXPECT_EQ(vcd.Of("counter0_1"), (Values{"b0", "b101", "b1010", "b1111"}));
}

// System registers do not reach the counters of an external agent (EXTPMN).
TEST(TraceTest, CountersOfAnAgent) {
  pmuv3_params params = pmuv3_tlm::platform_params();
  params.features |= 1u << PMUV3_FEATURE_EXTPMN;
  ASSERT_STREQ(pmuv3_params_complete(&params), nullptr);
  pmuv3_tlm pmu("pmu", pmuv3_side_cmodel(&params));
  Vcd vcd("pmuv3_trace_of_agent");
  sc_trace(vcd.file(), pmu, "pmu");
  const auto poke = [&](uint16_t offset, uint32_t value) {
    EXPECT_TRUE(pmuv3_side_external_write(pmu.side(), 0, PMUV3_RT, offset, value));
  };
  poke(0xE58, 0x82);                      // PMCCR: EPME, EPMN = 2
  poke(0x410, PMUV3_EVENT_INST_RETIRED);  // PMEVTYPER2
  poke(0xC00, 1 << 2);                    // PMCNTENSET
  const uint64_t fixed = PMUV3_MASK(PMCNTENSET, C) | PMUV3_MASK(PMCNTENSET, F0);
  pmuv3_side_write(pmu.side(), 0, PMUV3_PMCNTENSET, fixed);
  pmuv3_side_write(pmu.side(), 0, PMUV3_PMCR, 1);
  for (int i = 0; i < 3; i++) {
    EXPECT_STREQ(pmu.events->occur({PMUV3_EVENT_INST_RETIRED, 5, 0, PMUV3_CURRENT}), nullptr);
    EXPECT_STREQ(pmu.events->advance(1), nullptr);
    sc_core::sc_start(1, SC_NS);
  }
  vcd.Read();
  EXPECT_EQ(vcd.Of("counter2_0"), (Values{"b101", "b1010", "b1111"}));
  EXPECT_EQ(vcd.Of("cycles_0"), (Values{"b1", "b10", "b11"}));
  EXPECT_EQ(vcd.Of("instructions_0"), (Values{"b101", "b1010", "b1111"}));
}

// ---- Looking ahead ----

// What was told is in a cycle before those of the rates, so no answer would hold for them.
TEST(LookAheadTest, NotPastWhatWaits) {
  pmuv3_tlm pmu("pmu");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const auto write = [&](int reg, uint64_t value) {
    pmuv3_side_write(pmu.side(), 0, static_cast<uint16_t>(reg), value);
  };
  write(PMUV3_PMEVTYPERn(0), PMUV3_EVENT_INST_RETIRED);
  write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF - 9);
  write(PMUV3_PMCNTENSET, 1);
  write(PMUV3_PMCR, 1);
  const std::vector<pmuv3_rate> rates = {{PMUV3_EVENT_INST_RETIRED, 0, PMUV3_CURRENT, 100}};
  const sc_time period(1, SC_NS);
  sc_core::sc_event due;
  EXPECT_EQ(pmu.events->next_overflow(100, rates), 10u);
  EXPECT_STREQ(pmu.events->occur({PMUV3_EVENT_INST_RETIRED, 5, 0, PMUV3_CURRENT}), nullptr);
  EXPECT_EQ(pmu.events->next_overflow(100, rates), std::nullopt);
  EXPECT_STREQ(pmu.events->notify_overflow(100, rates, period, due),
               "something waits for the cycle under way");
  EXPECT_STREQ(pmu.events->advance(1), nullptr);
  EXPECT_EQ(pmu.events->next_overflow(100, rates), 5u);
  EXPECT_STREQ(pmu.events->notify_overflow(100, rates, period, due), nullptr);
}

TEST(LookAheadTest, DecoupledThreadsTellThemselves) {
  pmuv3_tlm pmu("pmu");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const sc_time period(1, SC_NS);
  sc_core::sc_event due;
  EXPECT_STREQ(pmu.decouple(period), nullptr);
  EXPECT_STREQ(pmu.events->notify_overflow(100, {}, period, due),
               "each thread has a time of its own");
}

}  // namespace

int sc_main(int, char **) {
  return 0;
}
