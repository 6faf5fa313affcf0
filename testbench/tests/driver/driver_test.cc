// Runs an unchanged driver (testbench/tests/driver) on every interface to the PMU's registers: MSR
// and MRS of each side, the TLM module's register socket, and the external view. SystemC elaborates
// only once in a process, so each test has its own process (gtest_discover_tests).
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <ostream>
#include <systemc>

#include "testbench/tests/driver/pmu_driver.h"
#include "tlm_wrapper/pmuv3_tlm.h"
#include "tlm_wrapper/side_rtl.h"

namespace {

pmuv3_pe At(unsigned el) {
  pmuv3_pe pe = PMUV3_PE_RESET;
  pe.el = static_cast<uint8_t>(el);
  return pe;
}

pmuv3_params Params() {
  pmuv3_params params = pmuv3_params_default();
  params.features |= 1u << PMUV3_FEATURE_EXT64;
  EXPECT_EQ(pmuv3_params_complete(&params), nullptr);
  return params;
}

using CreateSide = pmuv3_side *(*)(const pmuv3_params *params);

// A processor for the driver: its registers, its events and its interrupt.
class Machine {
 public:
  virtual ~Machine() = default;

  // Accesses by the kernel at EL1. False: the access made an exception.
  virtual bool Read(uint16_t reg, uint64_t *value) = 0;
  virtual bool Write(uint16_t reg, uint64_t value) = 0;

  // Accesses by a program at EL0.
  virtual bool UserRead(uint16_t reg, uint64_t *value) = 0;
  virtual bool UserWrite(uint16_t reg, uint64_t value) = 0;

  // A Processor cycle at an Exception level, with this number of retired instructions.
  virtual void Cycle(unsigned el, unsigned instructions) = 0;
  virtual bool Irq() = 0;

  virtual bool HasCommon() const { return true; }  // PMCEID0 and PMCEID1

  pmu_access Access() {
    return {
        this,
        [](void *m, uint16_t reg, uint64_t *value) { return From(m).Read(reg, value); },
        [](void *m, uint16_t reg, uint64_t value) { return From(m).Write(reg, value); },
        [](void *m, uint16_t reg, uint64_t *value) { return From(m).UserRead(reg, value); },
        [](void *m, uint16_t reg, uint64_t value) { return From(m).UserWrite(reg, value); },
    };
  }

 private:
  static Machine &From(void *machine) { return *static_cast<Machine *>(machine); }
};

// A machine that uses MSR and MRS of a side.
class SideMachine : public Machine {
 public:
  explicit SideMachine(CreateSide create) : params_(Params()), side_(create(&params_)) {}
  ~SideMachine() override { pmuv3_side_destroy(side_); }

  bool Read(uint16_t reg, uint64_t *value) override {
    return pmuv3_side_mrs(side_, 0, reg, value) == PMUV3_DONE;
  }
  bool Write(uint16_t reg, uint64_t value) override {
    return pmuv3_side_msr(side_, 0, reg, value) == PMUV3_DONE;
  }
  bool UserRead(uint16_t reg, uint64_t *value) override {
    Enter(0);
    const pmuv3_result result = pmuv3_side_mrs(side_, 0, reg, value);
    return Leave(result);
  }
  bool UserWrite(uint16_t reg, uint64_t value) override {
    Enter(0);
    const pmuv3_result result = pmuv3_side_msr(side_, 0, reg, value);
    return Leave(result);
  }
  void Cycle(unsigned el, unsigned instructions) override {
    Enter(el);
    const pmuv3_occurrence retired = {PMUV3_EVENT_INST_RETIRED, static_cast<uint8_t>(instructions),
                                      0, PMUV3_CURRENT};
    pmuv3_cycle cycle = {};
    cycle.occurrences = &retired;
    cycle.num_occurrences = 1;
    pmuv3_side_cycle(side_, &cycle);
    Enter(1);
  }
  bool Irq() override { return pmuv3_side_outputs(side_, 0).irq; }

 protected:
  void Enter(unsigned el) {
    const pmuv3_pe pe = At(el);
    pmuv3_side_set_pe(side_, 0, &pe);
  }
  bool Leave(pmuv3_result result) {
    EXPECT_TRUE(result == PMUV3_DONE || result == PMUV3_TRAP_EL1) << result;
    Enter(1);
    return result == PMUV3_DONE;
  }

  const pmuv3_params params_;
  pmuv3_side *side_;
};

// A machine that uses the TLM module in a platform without a clock, with checked accesses through
// the register socket.
class TlmMachine : public Machine {
 public:
  explicit TlmMachine(CreateSide create)
      : params_(Params()), pmu_("pmu", create(&params_)), core_("core") {
    pmu_.irq[0](irq_);
    core_.registers.bind(pmu_.registers);
    core_.events.bind(pmu_.events);
    sc_core::sc_start(1, sc_core::SC_NS);
  }

  bool Read(uint16_t reg, uint64_t *value) override {
    return Transport(1, tlm::TLM_READ_COMMAND, reg, value);
  }
  bool Write(uint16_t reg, uint64_t value) override {
    return Transport(1, tlm::TLM_WRITE_COMMAND, reg, &value);
  }
  bool UserRead(uint16_t reg, uint64_t *value) override {
    return Transport(0, tlm::TLM_READ_COMMAND, reg, value);
  }
  bool UserWrite(uint16_t reg, uint64_t value) override {
    return Transport(0, tlm::TLM_WRITE_COMMAND, reg, &value);
  }
  void Cycle(unsigned el, unsigned instructions) override {
    EXPECT_EQ(core_.events->set_pe(0, At(el)), nullptr);
    EXPECT_EQ(core_.events->occur(
                  {PMUV3_EVENT_INST_RETIRED, static_cast<uint8_t>(instructions), 0, PMUV3_CURRENT}),
              nullptr);
    EXPECT_EQ(core_.events->advance(1), nullptr);
  }
  bool Irq() override {
    sc_core::sc_start(1, sc_core::SC_NS);  // let the signal settle
    return irq_;
  }

 private:
  struct Core : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Core, 64> registers{"registers"};
    sc_core::sc_port<pmuv3_event_if> events{"events"};
    explicit Core(const sc_core::sc_module_name &name) : sc_module(name) {}
  };

  bool Transport(unsigned el, tlm::tlm_command command, uint16_t reg, uint64_t *value) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(pmuv3_tlm::address_of(reg));
    payload.set_data_ptr(reinterpret_cast<unsigned char *>(value));
    payload.set_data_length(sizeof *value);
    payload.set_streaming_width(sizeof *value);
    pmuv3_access_extension how;
    how.checked = true;
    how.state = At(el);
    payload.set_extension(&how);
    sc_core::sc_time delay;
    core_.registers->b_transport(payload, delay);
    payload.clear_extension(&how);
    EXPECT_EQ(payload.is_response_ok(), how.result == PMUV3_DONE);
    EXPECT_TRUE(how.result == PMUV3_DONE || (el == 0 && how.result == PMUV3_TRAP_EL1))
        << how.result;
    return how.result == PMUV3_DONE;
  }

  const pmuv3_params params_;
  pmuv3_tlm pmu_;
  Core core_;
  sc_core::sc_signal<bool> irq_{"irq"};
};

// An external agent that programs the PMU of a running thread. The agent accesses words at the
// offsets of FEAT_PMUv3_EXT64. The page has neither PMSELR, PMUSERENR nor PMCEID. PMCFGR shows N
// instead of PMCR.
class ExternalMachine : public SideMachine {
 public:
  using SideMachine::SideMachine;

  bool Read(uint16_t reg, uint64_t *value) override {
    if (reg == PMUV3_PMCEID0 || reg == PMUV3_PMCEID1) {
      *value = ~uint64_t{0};  // the page does not tell the agent
      return true;
    }
    const Place place = PlaceOf(reg);
    if (place.offset < 0) return false;
    *value = Word(place.offset);
    if (place.words == 2) *value |= uint64_t{Word(place.offset + 4)} << 32;
    if (reg == PMUV3_PMCR) *value |= EventCounters() << PMUV3_PMCR_N_LSB;
    return ok_;
  }
  bool Write(uint16_t reg, uint64_t value) override {
    const Place place = PlaceOf(reg);
    if (place.offset < 0) return false;
    for (int word = 0; word < place.words; word++)
      ok_ &= pmuv3_side_external_write(side_, 0, PMUV3_RT,
                                       static_cast<uint16_t>(place.offset + 4 * word),
                                       static_cast<uint32_t>(value >> 32 * word));
    return ok_;
  }
  bool HasCommon() const override { return false; }

 private:
  struct Place {
    int offset, words;
  };

  static Place PlaceOf(int reg) {
    if (reg >= PMUV3_PMEVCNTR && reg < PMUV3_PMEVCNTR + 31) return {8 * (reg - PMUV3_PMEVCNTR), 2};
    if (reg >= PMUV3_PMEVTYPER && reg < PMUV3_PMEVTYPER + 31)
      return {0x400 + 8 * (reg - PMUV3_PMEVTYPER), 2};
    switch (reg) {
      case PMUV3_PMCCNTR:
        return {0x0F8, 2};
      case PMUV3_PMCCFILTR:
        return {0x4F8, 2};
      case PMUV3_PMCNTENSET:
        return {0xC00, 2};
      case PMUV3_PMCNTENCLR:
        return {0xC20, 2};
      case PMUV3_PMINTENSET:
        return {0xC40, 2};
      case PMUV3_PMINTENCLR:
        return {0xC60, 2};
      case PMUV3_PMOVSCLR:
        return {0xC80, 2};
      case PMUV3_PMOVSSET:
        return {0xCC0, 2};
      case PMUV3_PMCR:
        return {0xE10, 2};
      case PMUV3_PMMIR:
        return {0xE40, 1};
      default:
        return {-1, 0};
    }
  }

  uint32_t Word(int offset) {
    uint32_t value = 0;
    ok_ &= pmuv3_side_external_read(side_, 0, PMUV3_RT, static_cast<uint16_t>(offset), &value);
    return value;
  }

  // PMCFGR.N is the number of counters minus one, including the cycle counter. NCG is 1 if these
  // include the instruction counter.
  uint64_t EventCounters() {
    const uint32_t pmcfgr = Word(0xE00);
    return (pmcfgr & 0xFF) - (pmcfgr >> 28);
  }

  bool ok_ = true;
};

pmuv3_side *CreateRtl(const pmuv3_params *params) {
  return pmuv3_side_rtl(params, 1);
}

struct Platform {
  const char *name;
  std::unique_ptr<Machine> (*make)();
};
void PrintTo(const Platform &platform, std::ostream *out) {
  *out << platform.name;
}

template <class Kind, CreateSide create>
std::unique_ptr<Machine> Make() {
  return std::make_unique<Kind>(create);
}

class DriverTest : public ::testing::TestWithParam<Platform> {
 protected:
  void SetUp() override {
    machine_ = GetParam().make();
    access_ = machine_->Access();
    pmu_driver_probe(&driver_, &access_);
  }
  void TearDown() override { EXPECT_FALSE(driver_.failed) << "an access made an exception"; }

  void Add(pmu_event *event) { ASSERT_TRUE(pmu_driver_add(&driver_, event)); }

  // Runs cycles with this number of retired instructions, and handles interrupts.
  void Run(int cycles, unsigned instructions, unsigned el = 1) {
    for (int i = 0; i < cycles; i++) {
      machine_->Cycle(el, instructions);
      if (!machine_->Irq()) continue;
      interrupts_++;
      EXPECT_TRUE(pmu_driver_interrupt(&driver_));
      EXPECT_FALSE(machine_->Irq());
    }
  }

  std::unique_ptr<Machine> machine_;
  pmu_access access_;
  pmu_driver driver_;
  int interrupts_ = 0;
};

const Platform kPlatforms[] = {
    {"CmodelMsr", Make<SideMachine, pmuv3_side_cmodel>},
    {"RtlMsr", Make<SideMachine, CreateRtl>},
    {"CmodelTlm", Make<TlmMachine, pmuv3_side_cmodel>},
    {"RtlTlm", Make<TlmMachine, CreateRtl>},
    {"CmodelExternal", Make<ExternalMachine, pmuv3_side_cmodel>},
    {"RtlExternal", Make<ExternalMachine, CreateRtl>},
};
constexpr int kUserPlatforms = 4;  // the first platforms have accesses by EL0

std::string PlatformName(const ::testing::TestParamInfo<Platform> &info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(On, DriverTest, ::testing::ValuesIn(kPlatforms), PlatformName);

TEST_P(DriverTest, Discovers) {
  EXPECT_EQ(driver_.counters, 6u);
  EXPECT_EQ(driver_.threshold_bits, 12u);
  EXPECT_EQ(driver_.slots, 8u);
  EXPECT_TRUE(pmu_driver_supports(&driver_, 0x0008));  // INST_RETIRED
  EXPECT_TRUE(pmu_driver_supports(&driver_, 0x0023));  // STALL_FRONTEND
  EXPECT_TRUE(pmu_driver_supports(&driver_, 0x4005));  // STALL_BACKEND_MEM
  EXPECT_TRUE(
      pmu_driver_supports(&driver_, 0x80C1));  // FP_FIXED_OPS_SPEC: PMCEID does not cover it
  if (!machine_->HasCommon()) return;
  EXPECT_FALSE(pmu_driver_supports(&driver_, 0x4007));
  EXPECT_FALSE(pmu_driver_supports(&driver_, 0x400D));  // PMU_OVFS: exported, never counted
  EXPECT_FALSE(pmu_driver_supports(&driver_, 0x4030));
  pmu_event absent = {};
  absent.number = 0x4007;
  EXPECT_FALSE(pmu_driver_add(&driver_, &absent));
}

TEST_P(DriverTest, Counts) {
  pmu_event instructions = {}, cycles = {};
  instructions.number = 0x0008;
  cycles.number = 0x0011;
  Add(&instructions);
  Add(&cycles);
  Run(3, 7);
  pmu_driver_read(&driver_, &instructions);
  EXPECT_EQ(instructions.count, 0u) << "not started";
  pmu_driver_start(&driver_);
  Run(10, 3);
  pmu_driver_read(&driver_, &instructions);
  EXPECT_EQ(instructions.count, 30u);
  Run(5, 2);
  pmu_driver_stop(&driver_);
  Run(4, 1);
  pmu_driver_read(&driver_, &instructions);
  pmu_driver_read(&driver_, &cycles);
  EXPECT_EQ(instructions.count, 40u);
  EXPECT_EQ(cycles.count, 15u);
  EXPECT_EQ(cycles.counter, PMU_DRIVER_CYCLES);
  EXPECT_EQ(interrupts_, 0);
}

// A sample every 100 instructions. The overflow raises an interrupt, the driver reads and clears
// the flag, and the counter starts again.
TEST_P(DriverTest, Samples) {
  pmu_event instructions = {};
  instructions.number = 0x0008;
  instructions.period = 100;
  Add(&instructions);
  pmu_driver_start(&driver_);
  Run(100, 10);
  pmu_driver_stop(&driver_);
  EXPECT_EQ(interrupts_, 10);
  EXPECT_EQ(instructions.samples, 10u);
  EXPECT_EQ(instructions.count, 1000u);
  EXPECT_FALSE(pmu_driver_interrupt(&driver_)) << "nothing is due";
}

// The cycle counter, which overflows at bit 63, beside an event with another period.
TEST_P(DriverTest, SamplesOfTwo) {
  pmu_event cycles = {}, instructions = {};
  cycles.number = 0x0011;
  cycles.period = 8;
  instructions.number = 0x0008;
  instructions.period = 12;
  Add(&cycles);
  Add(&instructions);
  pmu_driver_start(&driver_);
  Run(24, 1);
  pmu_driver_stop(&driver_);
  EXPECT_EQ(cycles.samples, 3u);
  EXPECT_EQ(instructions.samples, 2u);
  EXPECT_EQ(interrupts_, 4) << "the last is for both";
  EXPECT_EQ(cycles.count, 24u);
  EXPECT_EQ(instructions.count, 24u);
}

// CHAIN makes a pair of counters count beyond 32 bits.
TEST_P(DriverTest, Chained) {
  pmu_event instructions = {};
  instructions.number = 0x0008;
  instructions.chained = true;
  instructions.period = 0x100000000 + 50;
  Add(&instructions);
  pmu_driver_start(&driver_);
  Run(10, 10);  // the lower counter passes bit 31 without an interrupt
  EXPECT_EQ(interrupts_, 0);
  pmu_driver_read(&driver_, &instructions);
  EXPECT_EQ(instructions.count, 100u);
  pmu_driver_remove(&driver_, &instructions);

  instructions = {};
  instructions.number = 0x0008;
  instructions.chained = true;
  instructions.period = 50;
  Add(&instructions);
  Run(20, 10);
  pmu_driver_stop(&driver_);
  EXPECT_EQ(instructions.samples, 4u);
  EXPECT_EQ(instructions.count, 200u);
}

// The driver uses all counters, and reuses the first one when it is free.
TEST_P(DriverTest, CountersAreUsedUp) {
  pmu_event events[7] = {}, pair = {};
  pair.number = 0x0008;
  pair.chained = true;
  for (int i = 0; i < 6; i++) {
    events[i].number = 0x0008;
    Add(&events[i]);
    EXPECT_EQ(events[i].counter, i);
  }
  events[6].number = 0x0008;
  EXPECT_FALSE(pmu_driver_add(&driver_, &events[6]));
  pmu_driver_remove(&driver_, &events[2]);
  EXPECT_FALSE(pmu_driver_add(&driver_, &pair));
  pmu_driver_remove(&driver_, &events[3]);
  Add(&pair);
  EXPECT_EQ(pair.counter, 2);
  pmu_driver_start(&driver_);
  Run(5, 4);
  pmu_driver_stop(&driver_);
  EXPECT_EQ(pair.count, 20u);
  EXPECT_EQ(events[5].count, 20u);
  EXPECT_EQ(events[2].count, 0u);
}

TEST_P(DriverTest, Filters) {
  pmu_event user = {}, kernel = {}, cycles = {};
  user.number = kernel.number = 0x0008;
  cycles.number = 0x0011;
  user.not_kernel = kernel.not_user = cycles.not_user = true;
  Add(&user);
  Add(&kernel);
  Add(&cycles);
  pmu_driver_start(&driver_);
  Run(3, 5, 0);
  Run(4, 2, 1);
  pmu_driver_stop(&driver_);
  EXPECT_EQ(user.count, 15u);
  EXPECT_EQ(kernel.count, 8u);
  EXPECT_EQ(cycles.count, 4u);
}

// Counts cycles in which at least four instructions retire.
TEST_P(DriverTest, Threshold) {
  pmu_event busy = {}, beyond = {};
  busy.number = beyond.number = 0x0008;
  busy.threshold = 4;
  beyond.threshold = 1 << 12;
  EXPECT_FALSE(pmu_driver_add(&driver_, &beyond)) << "more than TH can hold";
  Add(&busy);
  pmu_driver_start(&driver_);
  Run(3, 3);
  Run(5, 4);
  Run(2, 9);
  pmu_driver_stop(&driver_);
  EXPECT_EQ(busy.count, 7u);
}

// A program reads counters if PMUSERENR allows it, and never writes them. The external view does
// not have PMUSERENR.
class UserTest : public DriverTest {};
INSTANTIATE_TEST_SUITE_P(On, UserTest, ::testing::ValuesIn(kPlatforms, kPlatforms + kUserPlatforms),
                         PlatformName);

TEST_P(UserTest, ReadsOnly) {
  pmu_event instructions = {}, cycles = {};
  instructions.number = 0x0008;
  cycles.number = 0x0011;
  Add(&instructions);
  Add(&cycles);
  pmu_driver_start(&driver_);
  Run(6, 2);
  uint64_t value = 0;
  EXPECT_FALSE(pmu_user_read(&access_, instructions.counter, &value));
  EXPECT_FALSE(pmu_user_read(&access_, PMU_DRIVER_CYCLES, &value));
  pmu_driver_allow_user(&driver_, true);
  EXPECT_TRUE(pmu_user_read(&access_, instructions.counter, &value));
  EXPECT_EQ(value, 12u);
  EXPECT_TRUE(pmu_user_read(&access_, PMU_DRIVER_CYCLES, &value));
  EXPECT_EQ(value, 6u);
  EXPECT_FALSE(access_.user_write(access_.machine, PMUV3_PMCCNTR, 0));
  EXPECT_FALSE(access_.user_write(access_.machine, PMUV3_PMXEVCNTR, 0));
  EXPECT_FALSE(access_.user_write(access_.machine, PMUV3_PMCR, 0));
  pmu_driver_allow_user(&driver_, false);
  EXPECT_FALSE(pmu_user_read(&access_, instructions.counter, &value));
  Run(1, 1);
  pmu_driver_stop(&driver_);
  EXPECT_EQ(instructions.count, 13u);
}

}  // namespace

int sc_main(int, char **) {
  return 0;
}
