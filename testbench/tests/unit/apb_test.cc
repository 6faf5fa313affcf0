// The APB port of the RTL, pin by pin, beyond the accesses of a side. Phases and signals are those
// of APB4 (IHI 0024). external_test tests the effects of transfers on the page.
#include <gtest/gtest.h>

#include <Vpmuv3_1_8.h>

#include <cstring>
#include <memory>

#include "pmuv3/registers.h"
#include "tlm_wrapper/rtl_ports.h"

namespace pmuv3_rtl {
namespace {

// Offsets with EXT64.
constexpr uint16_t kPmevcntr0 = 0x000;
constexpr uint16_t kPmccntr = 0x0F8;
constexpr uint16_t kPmevtyper0 = 0x400;
constexpr uint16_t kPmccfiltr = 0x4F8;
constexpr uint16_t kPmcntenset = 0xC00;
constexpr uint16_t kPmcr = 0xE10;
constexpr uint16_t kPmccr = 0xE58;

constexpr uint32_t kCycleCounter = 1u << 31;
constexpr unsigned kAllBytes = 0b1111;

struct Transfer {
  bool write;
  uint16_t address;
  uint32_t data;
  unsigned strobes;
};
Transfer WriteOf(uint16_t address, uint32_t data) {
  return {true, address, data, kAllBytes};
}
Transfer ReadOf(uint16_t address) {
  return {false, address, 0, 0};
}

struct Answer {
  bool error;
  uint32_t data;
  int waits;
};

class ApbTest : public ::testing::Test {
 protected:
  explicit ApbTest(unsigned features = 1u << PMUV3_FEATURE_EXT64) {
    pmuv3_params params = pmuv3_params_default();
    params.features |= features;
    PutConfig(pins_->cfg_i, params);
    PutBits(pins_->pe_i, 0, kPeBits, Pack(ResetState()));
    std::memset(&pins_->occurrence_i, 0, sizeof pins_->occurrence_i);
    for (bool high : {true, false, true}) {
      pins_->rst_ni = pins_->rst_cold_ni = high;
      Evaluate(*pins_);
    }
    pins_->pclken_i = 1;
    pins_->pnse_i = 1;  // {pnse, pprot[1]}: Root
  }

  void SetUpPhase(const Transfer &transfer) {
    pins_->psel_i = 1;
    pins_->penable_i = 0;
    pins_->pwrite_i = transfer.write;
    pins_->paddr_i = transfer.address;
    pins_->pwdata_i = transfer.data;
    pins_->pstrb_i = static_cast<uint8_t>(transfer.strobes);
    Evaluate(*pins_);
    EXPECT_FALSE(pins_->pslverr_o) << "in the setup phase";
    Clock();
  }

  // Keeps PSEL and PENABLE.
  Answer AccessPhase() {
    Answer answer = {};
    pins_->penable_i = 1;
    Evaluate(*pins_);
    while (!pins_->pready_o) {
      answer.waits++;
      Clock();
      if (busy_clocks_ > 0 && --busy_clocks_ == 0) pins_->reg_write_i = 0;
      Evaluate(*pins_);
    }
    answer.error = pins_->pslverr_o;
    answer.data = pins_->prdata_o;
    Clock();
    return answer;
  }

  void Idle() {
    pins_->psel_i = 0;
    pins_->penable_i = 0;
    Clock();
  }

  Answer Do(const Transfer &transfer) {
    SetUpPhase(transfer);
    const Answer answer = AccessPhase();
    Idle();
    return answer;
  }

  uint32_t Read(uint16_t address) {
    const Answer answer = Do(ReadOf(address));
    EXPECT_FALSE(answer.error);
    return answer.data;
  }
  void Write(uint16_t address, uint32_t data) { EXPECT_FALSE(Do(WriteOf(address, data)).error); }

  // Makes the cycle counter count every clock that is a Processor cycle, at every Exception level.
  void CountCycles() {
    Write(kPmccfiltr, 0);
    Write(kPmcntenset, kCycleCounter);
    Write(kPmcr, 1);
  }

  void Clock() {
    Evaluate(*pins_);
    pins_->clk_i = 1;
    Evaluate(*pins_);
    pins_->clk_i = 0;
    Evaluate(*pins_);
  }

  // Makes the register port write PMCCNTR in the next `clocks` clocks.
  void KeepBusy(int clocks, uint64_t value) {
    busy_clocks_ = clocks;
    pins_->reg_write_i = 1;
    pins_->reg_addr_i = PMUV3_PMCCNTR;
    pins_->reg_wdata_i = value;
  }

  VerilatedContext context_;
  std::unique_ptr<Vpmuv3_1_8> pins_ = std::make_unique<Vpmuv3_1_8>(&context_);
  int busy_clocks_ = 0;
};

TEST_F(ApbTest, WritesAndReads) {
  const Answer answer = Do(WriteOf(kPmcntenset, 0b101));
  EXPECT_FALSE(answer.error);
  EXPECT_EQ(answer.waits, 0);
  EXPECT_EQ(Read(kPmcntenset), 0b101u);
}

// A write of less than a word is an error, without an effect.
TEST_F(ApbTest, WriteStrobes) {
  for (unsigned strobes = 0; strobes <= kAllBytes; strobes++) {
    const Answer answer = Do({true, kPmccfiltr, 0xF0000000, strobes});
    EXPECT_EQ(answer.error, strobes != kAllBytes) << strobes;
    EXPECT_EQ(Read(kPmccfiltr), strobes == kAllBytes ? 0xF0000000u : 0u) << strobes;
  }
}

TEST_F(ApbTest, Alignment) {
  Write(kPmcntenset, 1);
  for (uint16_t byte = 1; byte < 4; byte++) {
    EXPECT_TRUE(Do(ReadOf(kPmcntenset + byte)).error) << byte;
    EXPECT_TRUE(Do(WriteOf(kPmcntenset + byte, 2)).error) << byte;
  }
  EXPECT_EQ(Read(kPmcntenset), 1u);
}

// With one thread there is one page.
TEST_F(ApbTest, PageOfNoThread) {
  for (uint16_t thread = 1; thread < 4; thread++) {
    const auto page = static_cast<uint16_t>(thread << 12);
    EXPECT_TRUE(Do(ReadOf(page | kPmcr)).error) << thread;
    EXPECT_TRUE(Do(WriteOf(page | kPmcntenset, 1)).error) << thread;
  }
  EXPECT_EQ(Read(kPmcntenset), 0u);
}

// Without an access phase, or without PSEL, there is no transfer.
TEST_F(ApbTest, NoTransfer) {
  SetUpPhase(WriteOf(kPmcntenset, 1));
  Idle();
  pins_->penable_i = 1;
  Clock();
  Idle();
  EXPECT_EQ(Read(kPmcntenset), 0u);
}

// PSEL stays high from one transfer to the next.
TEST_F(ApbTest, BackToBack) {
  SetUpPhase(WriteOf(kPmcntenset, 0b001));
  EXPECT_FALSE(AccessPhase().error);
  SetUpPhase(WriteOf(kPmcntenset, 0b100));
  EXPECT_FALSE(AccessPhase().error);
  SetUpPhase(ReadOf(kPmcntenset));
  EXPECT_EQ(AccessPhase().data, 0b101u);
}

// Clocks without PCLKEN are no APB clocks.
TEST_F(ApbTest, SlowerClock) {
  CountCycles();
  pins_->cycle_i = 1;
  SetUpPhase(WriteOf(kPmccntr, 100));
  pins_->penable_i = 1;
  pins_->pclken_i = 0;
  for (int i = 0; i < 5; i++) {
    Clock();
    EXPECT_FALSE(pins_->pslverr_o);
  }
  pins_->reg_addr_i = PMUV3_PMCCNTR;
  pins_->reg_read_i = 1;
  Evaluate(*pins_);
  EXPECT_EQ(pins_->reg_rdata_o, 6u);  // counted in the setup phase, too
  pins_->reg_read_i = 0;
  pins_->pclken_i = 1;
  EXPECT_FALSE(AccessPhase().error);
  pins_->cycle_i = 0;
  Idle();
  EXPECT_EQ(Read(kPmccntr), 100u);
}

// There is no error in clocks without PCLKEN.
TEST_F(ApbTest, SlowerClockError) {
  for (const uint16_t address : {uint16_t{0x1000}, uint16_t{0x002}}) {
    SetUpPhase(ReadOf(address));
    pins_->penable_i = 1;
    pins_->pclken_i = 0;
    Evaluate(*pins_);
    EXPECT_FALSE(pins_->pslverr_o);
    pins_->pclken_i = 1;
    EXPECT_TRUE(AccessPhase().error);
    Idle();
  }
}

// The register port has priority in each clock. The transfer then takes effect once.
TEST_F(ApbTest, WaitsForTheRegisterPort) {
  Write(kPmccntr, 5);
  SetUpPhase(WriteOf(kPmccntr, 7));
  KeepBusy(3, 0x900000009);
  const Answer answer = AccessPhase();
  Idle();
  EXPECT_FALSE(answer.error);
  EXPECT_EQ(answer.waits, 3);
  EXPECT_EQ(Read(kPmccntr), 7u);
  EXPECT_EQ(Read(kPmccntr + 4), 9u);
}

TEST_F(ApbTest, ReadWaitsForTheRegisterPort) {
  SetUpPhase(ReadOf(kPmccntr));
  KeepBusy(1, 9);
  const Answer answer = AccessPhase();
  EXPECT_EQ(answer.waits, 1);
  EXPECT_EQ(answer.data, 9u);
}

// Processor cycles continue during a transfer, and none is lost.
TEST_F(ApbTest, CountsMeanwhile) {
  CountCycles();
  pins_->cycle_i = 1;
  SetUpPhase(WriteOf(kPmcntenset, 1));
  AccessPhase();
  Idle();
  for (int i = 0; i < 4; i++) Clock();
  pins_->cycle_i = 0;
  EXPECT_EQ(Read(kPmccntr), 7u);
}

// A write overrides the increment of the clock that ends the transfer, and no other increment.
TEST_F(ApbTest, WriteMeetsCounting) {
  CountCycles();
  pins_->cycle_i = 1;
  Do(WriteOf(kPmccntr, 100));
  pins_->cycle_i = 0;
  EXPECT_EQ(Read(kPmccntr), 101u);  // the idle clock
}

class ApbAgentTest : public ApbTest {
 protected:
  ApbAgentTest() : ApbTest(1u << PMUV3_FEATURE_EXT64 | 1u << PMUV3_FEATURE_EXTPMN) {}
};

// An external agent's counters count while a Warm reset lasts, and the page works.
TEST_F(ApbAgentTest, WarmReset) {
  constexpr uint32_t kEpme = 1u << 7;  // and EPMN = 0: all event counters are the agent's
  Write(kPmccr, kEpme);
  Write(kPmevtyper0, 0x11);  // CPU_CYCLES
  Write(kPmcntenset, 1);
  pins_->rst_ni = 0;
  pins_->cycle_i = 1;
  for (int i = 0; i < 5; i++) Clock();
  pins_->cycle_i = 0;
  EXPECT_EQ(Read(kPmevcntr0), 5u);
  Write(kPmevcntr0, 7);
  EXPECT_EQ(Read(kPmevcntr0), 7u);
  pins_->cycle_i = 1;
  Clock();
  pins_->cycle_i = 0;
  pins_->rst_ni = 1;
  EXPECT_EQ(Read(kPmevcntr0), 8u);
}

}  // namespace
}  // namespace pmuv3_rtl
