// What random stimulus writes: whatever it never does, no device is checked for.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "testbench/cosim/check/bench/profile.h"
#include "testbench/cosim/check/bench/random.h"
#include "testbench/tests/check/synthetic.h"

namespace {

struct View {
  const char *name;
  uint16_t encoding, of;
  unsigned lsb;
};
const View kViews[] = {
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) \
  {name, PMUV3_##id, PMUV3_##of, lsb},
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) \
  {name, PMUV3_##id, PMUV3_##of, 0},
#include "pmuv3/registers.def"
};

// By whatever name a register is reached, it is stimulated and compared alike.
TEST(ViewTest, EachIsTreatedAsWhatItShows) {
  for (const View &view : kViews) {
    const bool has_number = strchr(view.name, '%') != nullptr;
    for (const unsigned n : {0u, 30u}) {
      if (n && !has_number) continue;
      pmuv3_device_register reg = {}, of = {};
      reg.reg = static_cast<uint16_t>(view.encoding + n);
      of.reg = static_cast<uint16_t>(view.of + n);
      EXPECT_EQ(pmuv3_device_viewed(reg.reg), view.of) << view.name;
      EXPECT_EQ(pmuv3_device_lsb(&reg), view.lsb) << view.name;
      EXPECT_EQ(profile_class(&reg), profile_class(&of)) << view.name;
      EXPECT_EQ(pmuv3_device_counter(reg.reg), pmuv3_device_counter(of.reg)) << view.name;
      EXPECT_EQ(pmuv3_device_clears(reg.reg), pmuv3_device_clears(of.reg)) << view.name;
      EXPECT_EQ(pmuv3_device_acts_by_ones(reg.reg), pmuv3_device_acts_by_ones(of.reg)) << view.name;
      EXPECT_EQ(pmuv3_device_shows_flags(reg.reg), pmuv3_device_shows_flags(of.reg)) << view.name;
    }
  }
}

TEST(ViewTest, Counters) {
  EXPECT_EQ(pmuv3_device_counter(PMUV3_PMEVCNTRn_AA32(7)), 7);
  EXPECT_EQ(pmuv3_device_counter(PMUV3_PMCCNTR64), 31);
  EXPECT_EQ(pmuv3_device_counter(PMUV3_PMICNTR), 32);
  EXPECT_EQ(pmuv3_device_counter(PMUV3_PMXEVCNTR_AA32), -1);
}

// Two threads, each with a port of so many bits.
std::string TwoThreads(unsigned width) {
  std::string text =
      "pmuv3-device 1\n"
      "param threads=2 counters=31 features=TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,HPMN0,PMUv3p9,SS\n"
      "clock clk\nclock_enable run\nreset rst low\n";
  for (unsigned t = 0; t < 2; t++) {
    const std::string n = std::to_string(t);
    text += "event@" + n + " 0x0008 retired" + n + "\nport@" + n + " csr request=req" + n +
            " write=we" + n + " address=addr" + n + " data=wdata" + n + " value=rdata" + n +
            " width=" + std::to_string(width) + "\n";
    unsigned address = 0;
    for (const char *name :
         {"PMCR_EL0",       "PMCNTENSET_EL0", "PMCNTENCLR_EL0", "PMOVSCLR_EL0",  "PMOVSSET_EL0",
          "PMINTENSET_EL1", "PMINTENCLR_EL1", "PMSWINC_EL0",    "PMSELR_EL0",    "PMCCNTR_EL0",
          "PMXEVTYPER_EL0", "PMXEVCNTR_EL0",  "PMUSERENR_EL0",  "PMEVCNTR0_EL0", "PMEVTYPER0_EL0",
          "PMCCFILTR_EL0",  "PMICNTR_EL0",    "PMICFILTR_EL0",  "PMZR_EL0",      "PMSSCR_EL1",
          "PMUACR_EL1",     "PMECR_EL1",      "MDCR_EL2",       "MDCR_EL3"})
      for (const char *half : {".low", ".high"}) {
        if (width == 64 && half != std::string(".low")) continue;
        text += "register@" + n + " " + std::to_string(address++) + " " + name +
                (width == 64 ? "" : half) + " port=" + n + "\n";
      }
  }
  return text;
}

class RandomTest : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    std::string error;
    device_ = ReadDevice(TwoThreads(GetParam()), &error);
    ASSERT_TRUE(device_) << error;
    profile_find(&profile_, device_.get(), [](size_t) { return 64u; });
    random_ = random_create(&profile_, 1);
  }
  void TearDown() override { random_destroy(random_); }

  // What is written, without a clock in between for the second of two.
  struct Written {
    const pmuv3_device_register *reg;
    uint64_t value;
    bool same_clock;
  };
  Written Next() {
    for (bool same_clock = true;; same_clock = false) {
      const item *item = random_next(random_);
      while (item->kind != ITEM_WRITE) {
        same_clock &= item->kind != ITEM_CYCLE && item->kind != ITEM_READ;
        item = random_next(random_);
      }
      return {&device_->registers[item->reg], item->value, same_clock};
    }
  }

  Device device_;
  profile profile_;
  struct random *random_;
};

// Each bit of each register is written as 0 and as 1.
TEST_P(RandomTest, EachBit) {
  std::map<std::string, uint64_t> ones, zeros;
  for (unsigned i = 0; i < 200000; i++) {
    const Written written = Next();
    char name[40];
    pmuv3_device_register_name(written.reg, name);
    ones[name] |= written.value;
    zeros[name] |= ~written.value;
  }
  EXPECT_EQ(ones.size(), GetParam() == 64 ? 24u : 48u);
  const uint64_t all = UINT64_MAX >> (64 - GetParam());
  for (const auto &[name, bits] : ones) {
    EXPECT_EQ(bits, all) << name << " is never written with other ones";
    EXPECT_EQ(zeros[name] & all, all) << name << " is never written with other zeros";
  }
}

// The value of a field that a write has, or -1: the other half is written.
int Field(const pmuv3_device_register &reg, uint64_t value, unsigned lsb, unsigned width) {
  const unsigned first = reg.half == PMUV3_HIGH ? 32 : 0;
  const unsigned bits = reg.half == PMUV3_WHOLE ? 64 : 32;
  if (lsb < first || lsb >= first + bits) return -1;
  return static_cast<int>(value >> (lsb - first) & ((uint64_t{1} << width) - 1));
}

// A comparison that leaves out one bit of a threshold meets a threshold that is small but for it.
TEST_P(RandomTest, ThresholdsWithOneHighBit) {
  unsigned written[12] = {};
  for (unsigned i = 0; i < 200000; i++) {
    const Written type = Next();
    if (pmuv3_device_viewed(type.reg->reg) != PMUV3_PMEVTYPER) continue;
    const int threshold = Field(*type.reg, type.value, PMUV3_PMEVTYPER_TH_LSB, 12);
    for (unsigned bit = 3; bit < 12; bit++) written[bit] += threshold >> 3 == 1 << (bit - 3);
  }
  for (unsigned bit = 3; bit < 12; bit++) EXPECT_GT(written[bit], 10u) << bit;
}

// Table D13-1: EL1 decides about the PMU Profiling exception, and takes it.
TEST_P(RandomTest, ExceptionsThatEl1Takes) {
  int el3 = 0, el2 = 0, el1 = 0;
  unsigned taken = 0;
  for (unsigned i = 0; i < 200000; i++) {
    const Written written = Next();
    const pmuv3_device_register &reg = *written.reg;
    if (reg.thread != 0) continue;
    const auto note = [&](int *field, uint16_t of, unsigned lsb, unsigned width) {
      const int value = reg.reg == of ? Field(reg, written.value, lsb, width) : -1;
      if (value >= 0) *field = value;
    };
    note(&el3, PMUV3_MDCR_EL3, PMUV3_MDCR_EL3_PMEE_LSB, 2);
    note(&el2, PMUV3_MDCR_EL2, PMUV3_MDCR_EL2_PMEE_LSB, 2);
    note(&el1, PMUV3_PMECR, PMUV3_PMECR_PMEE_LSB, 3);  // with KPME
    taken += el3 == 1 && el2 == 1 && el1 == 7;
  }
  EXPECT_GT(taken, 1000u);
}

// MT-SWINCR: software increments of two threads in one clock, in the same counter.
TEST_P(RandomTest, IncrementsOfTwoThreads) {
  unsigned together = 0;
  Written last = Next();
  for (unsigned i = 0; i < 200000; i++) {
    const Written written = Next();
    together += written.same_clock && written.reg->reg == PMUV3_PMSWINC &&
                last.reg->reg == PMUV3_PMSWINC && written.reg->port != last.reg->port &&
                (written.value & last.value) != 0;
    last = written;
  }
  EXPECT_GT(together, 2000u);
}

// A counter gets many increments in stopped clocks, but no 256.
TEST_P(RandomTest, IncrementsThatWait) {
  unsigned waiting = 0, most = 0;
  for (unsigned i = 0; i < 2000000; i++) {
    const item *item = random_next(random_);
    if (item->kind == ITEM_CYCLE) waiting = 0;
    waiting += item->kind == ITEM_WRITE && device_->registers[item->reg].reg == PMUV3_PMSWINC &&
               device_->registers[item->reg].thread == 0;
    most = std::max(most, waiting);
  }
  EXPECT_GT(most, 128u);
  EXPECT_LE(most, 255u);
}

// Many resets come a few clocks after an access has begun.
TEST_P(RandomTest, ResetsComeSoonAfterAccesses) {
  unsigned soon = 0, resets = 0;
  uint64_t clocks = 0;
  for (unsigned i = 0; i < 2000000; i++) {
    const item *item = random_next(random_);
    if (item->kind == ITEM_READ || item->kind == ITEM_WRITE) clocks = 0;
    if (item->kind == ITEM_CYCLE) clocks += item->clocks;
    if (item->kind != ITEM_RESET) continue;
    resets++;
    soon += clocks > 0 && clocks < 6;
  }
  EXPECT_GT(resets, 50u);
  EXPECT_GT(soon, resets / 4);
  EXPECT_LT(soon, resets);
}

// The values, in `bits`, that a random stimulus writes to each register of a port.
std::map<std::string, std::set<uint64_t>> Written(const std::string &params,
                                                  const std::string &lines, uint64_t bits) {
  std::map<std::string, std::set<uint64_t>> written;
  std::string error;
  const Device device = ReadDevice(
      "pmuv3-device 1\nparam " + params +
          "\nclock clk\nreset rst low\nevent 0x8 retired\n"
          "port csr request=req write=we address=addr data=wdata value=rdata width=32\n" +
          lines,
      &error);
  EXPECT_TRUE(device) << error;
  if (!device) return written;
  profile profile;
  profile_find(&profile, device.get(), [](size_t) { return 32u; });
  struct random *random = random_create(&profile, 1);
  for (unsigned i = 0; i < 1000000; i++) {
    const item *item = random_next(random);
    if (item->kind != ITEM_WRITE) continue;
    char name[40];
    pmuv3_device_register_name(&device->registers[item->reg], name);
    written[name].insert(item->value & bits);
  }
  random_destroy(random);
  return written;
}

// What devices may take in different ways is not written, through views of AArch32 either.
TEST(RandomValueTest, ViewsHaveNoReservedValue) {
  auto fields = Written("counters=3 aa32=el2 features=PMUv3p1",
                        "absent cycles\nregisters 0 HDCR MDCR_EL2 PMSELR PMSELR_EL0\n", 31);
  for (const char *name : {"HDCR", "MDCR_EL2"})
    EXPECT_EQ(fields[name], (std::set<uint64_t>{1, 2, 3})) << name;
  for (const char *name : {"PMSELR", "PMSELR_EL0"}) {
    EXPECT_EQ(fields[name].size(), 31u) << name;
    EXPECT_EQ(fields[name].count(31), 0u) << name << " selects an absent cycle counter";
  }
}

// Thresholds reach to the largest count of their event's pin.
TEST(RandomValueTest, ThresholdsOfAWidePin) {
  std::string error;
  const Device device = ReadDevice(
      "pmuv3-device 1\nparam counters=1 features=PMUv3p1,TH\nclock clk\nreset rst low\n"
      "event 0x8 retired max=40\nevent 0x4 cached max=3\n"
      "port csr request=req write=we address=addr data=wdata value=rdata width=64\n"
      "register 0 PMEVTYPER0_EL0\n",
      &error);
  ASSERT_TRUE(device) << error;
  profile profile;
  profile_find(&profile, device.get(), [](size_t) { return 64u; });
  struct random *random = random_create(&profile, 1);
  std::map<uint64_t, std::map<bool, unsigned>> thresholds;  // of an event: up to 7, or up to 40
  for (unsigned i = 0; i < 1000000; i++) {
    const item *item = random_next(random);
    const uint64_t threshold = PMUV3_GET(item->value, PMEVTYPER, TH);
    if (item->kind == ITEM_WRITE && threshold > 0 && threshold <= 40)
      thresholds[item->value & 0xFFFF][threshold > 7]++;
  }
  random_destroy(random);
  EXPECT_GT(thresholds[0x8][true], thresholds[0x8][false]);
  EXPECT_LT(thresholds[0x4][true], thresholds[0x4][false] / 4);
}

// What a register does not take selects nothing.
TEST(RandomValueTest, NoValueSelectsAnAbsentEvent) {
  const std::string params = "counters=1 features=PMUv3p1";
  const std::string lines = "absent event 0x1E\nregister 0 PMEVTYPER0_EL0";
  const auto narrow = Written(params, lines + " write=0xFF\n", 0xFF);
  const auto wide = Written(params, lines + "\n", 0xFFFF);
  EXPECT_EQ(narrow.at("PMEVTYPER0_EL0").count(0x1E), 0u);
  EXPECT_GT(narrow.at("PMEVTYPER0_EL0").size(), 200u);
  EXPECT_EQ(wide.at("PMEVTYPER0_EL0").count(0x1E), 0u);
  EXPECT_GT(wide.at("PMEVTYPER0_EL0").count(0x1E ^ 0x100), 0u) << "another event";
}

INSTANTIATE_TEST_SUITE_P(, RandomTest, testing::Values(32u, 64u));

}  // namespace
