// What needs.def calls unreachable is not reached, whatever a description has and lacks.
#include <gtest/gtest.h>

#include <cstring>
#include <regex>
#include <utility>
#include <vector>

#include "testbench/cosim/check/bench/cover.h"
#include "testbench/cosim/check/bench/player.h"
#include "testbench/cosim/check/bench/random.h"
#include "testbench/signoff/coverage/coverage.h"
#include "testbench/tests/check/synthetic.h"

namespace {

constexpr uint64_t kClocks = 100000;

struct Lacking {
  const char *name, *params, *events, *states, *port, *registers;
};

constexpr char kMost[] =
    "PMCR_EL0 PMCNTENSET_EL0 PMCNTENCLR_EL0 PMOVSCLR_EL0 PMSWINC_EL0 PMCEID0_EL0 PMSELR_EL0 "
    "PMXEVTYPER_EL0 PMXEVCNTR_EL0 PMUSERENR_EL0 PMINTENSET_EL1 PMINTENCLR_EL1 PMOVSSET_EL0 "
    "MDCR_EL2 MDCR_EL3 PMCCNTR_EL0 PMEVCNTR%u_EL0 PMEVTYPER%u_EL0 ";

std::string TextOf(const Lacking &lacking) {
  return std::string("pmuv3-device 1\nparam ") + lacking.params +
         "\nclock clk\nreset rst low\nirq irq\ncti cti\nevent 0x8 ev\n" + lacking.events +
         lacking.states +
         "port csr request=req write=we address=a data=d value=q width=64 error=err " +
         lacking.port + "\nregisters 0 " + kMost + lacking.registers + "\n";
}

// The same registers by their AArch32 names.
std::string InAArch32(std::string text) {
  for (const auto &[name, view] :
       {std::pair("PMOVSCLR_EL0", "PMOVSR"), std::pair("MDCR_EL2", "HDCR"),
        std::pair("MDCR_EL3", "SDCR"), std::pair("PMCCNTR_EL0", "PMCCNTR64")})
    text.replace(text.find(name), strlen(name), view);
  return std::regex_replace(text, std::regex("_EL[01]"), "");
}

void ExpectNothingImpossible(const std::string &text) {
  synthetic = Synthetic();
  synthetic.is_plain = true;
  std::string error;
  const Device device = ReadDevice(text, &error);
  ASSERT_TRUE(device) << error;
  const Check check(pmuv3_check_create(device.get()));
  static profile profile;
  profile_find(&profile, device.get(), pmuv3_dut_width);
  std::vector<uint64_t> numbers(cover_size(device.get()));
  struct cover *cover = cover_create(device.get(), check.get(), numbers.data(), true);
  struct player *player = player_create(&profile, check.get());
  struct random *random = random_create(&profile, 1);
  bool good = player_start(player, 1);
  while (good && player_clocks(player) < kClocks) good = player_play(player, random_next(random));
  char words[400];
  EXPECT_TRUE(good) << pmuv3_check_words(check.get(), words, sizeof words);
  static lacks lacks;
  cover_find_lacks(&lacks, &profile);
  for (size_t bin = 0; bin < pmuv3_coverage_num_bins(); bin++) {
    const char *why = numbers[bin] ? cover_unreachable(&lacks, bin) : nullptr;
    EXPECT_EQ(why, nullptr) << pmuv3_coverage_name(bin) << " was hit: " << why;
  }
  random_destroy(random);
  player_destroy(player);
  cover_destroy(cover);
}

class NeedsTest : public testing::TestWithParam<Lacking> {};

TEST_P(NeedsTest, NothingIsImpossible) {
  ExpectNothingImpossible(TextOf(GetParam()));
}

constexpr Lacking kAArch32 = {"", "counters=4 aa64=0 el2=1 el3=1 features=PMUv3p1",
                              "", "state el el\nstate ss ss\n",
                              "", "PMCCFILTR_EL0"};

TEST(NeedsAArch32Test, NothingIsImpossible) {
  ExpectNothingImpossible(InAArch32(TextOf(kAArch32)));
}

INSTANTIATE_TEST_SUITE_P(
    Descriptions, NeedsTest,
    testing::Values(
        Lacking{"no_EL3", "counters=2 el3=0 features=PMUv3p9,SS,SEL2,TH2,SPE", "",
                "state el el\nstate ss ss\nstate aa32 aa32\nstate pme pme\n", "",
                "PMECR_EL1 PMSSCR_EL1 PMZR_EL0"},
        Lacking{"EL3_without_a_state", "counters=4 el2=1 el3=1 features=PMUv3p9,SS,EBEP,SEBEP", "",
                "state halted halted\n", "", "PMECR_EL1 PMSSCR_EL1 PMCCFILTR_EL0"},
        Lacking{"checked", "counters=4 el2=0 el3=1 aa32=none features=RME,PMUv3p9,MTPMU,EBEP",
                "event 0xC4 own unattributable\nevent 0x400C other0\n",
                "state el el\nstate ss ss\nstate halted halted\nstate pme pme\n", "checked",
                "PMCCFILTR_EL0 PMECR_EL1 PMUACR_EL1"},
        Lacking{"no_PMCCFILTR", "counters=8 el2=1 el3=0 features=TH,EDGE,PMUv3p4,HPMN0",
                "event 0x8005 e0 unattributable\n",
                "state el el\nstate ss ss\nstate halted halted\nstate aa32 aa32\n", "", ""},
        Lacking{"a32el3", "counters=1 el2=0 el3=1 features=TH,EDGE,PMUv3p7,SPE,DPFZS", "",
                "state el el\nstate ss ss\nstate a32el2 a2\nstate a32el3 a3\nstate oslk o\n", "",
                "PMCCFILTR_EL0"}),
    [](const auto &lacking) { return std::string(lacking.param.name); });

constexpr Lacking kChecked = {"",        "counters=2 features=PMUv3p9,Debugv8p9",
                              "",        "state el el\nstate pme pme\n",
                              "checked", "PMUACR_EL1"};

// Why a bin does not count for this description. "": the bin counts.
std::string LeftOut(const std::string &text, const std::string &bin) {
  std::string error;
  const Device device = ReadDevice(text, &error);
  EXPECT_TRUE(device) << error;
  if (!device) return error;
  static profile profile;
  static lacks lacks;
  profile_find(&profile, device.get(), pmuv3_dut_width);
  cover_find_lacks(&lacks, &profile);
  for (size_t b = 0; b < pmuv3_coverage_num_bins(); b++) {
    if (bin != pmuv3_coverage_name(b)) continue;
    const char *why = cover_left_out(&lacks, b);
    return why ? why : "";
  }
  return "no bin";
}

TEST(NeedsShownTest, ABinOfWhatNoLineSays) {
  const std::string text = TextOf(kChecked);
  EXPECT_EQ(LeftOut(text, "I-10.request"), "no line is of the request to halt");
  EXPECT_EQ(LeftOut(text, "I-10.overflow_alone"), "no line is of the request to halt");
  EXPECT_EQ(LeftOut(text, "I-11.R1"), "no line is of what freezes BRBE");
  const char *target = "no line is of the Exception level that a trap goes to, or of its syndrome";
  EXPECT_EQ(LeftOut(text, "I-4.MSR_to_EL1"), target);
  EXPECT_EQ(LeftOut(text, "I-3.EL2_before_EL3"), target);
  EXPECT_EQ(LeftOut(text, "I-3.finely_trapped_PMCR_WRITE"),
            "no line says which fine-grained traps are in effect");
  EXPECT_EQ(LeftOut(text, "D13-11/R1.EL1"), "");
}

TEST(NeedsShownTest, ABinOfARegisterByItsAArch32Name) {
  const std::string text = InAArch32(TextOf(kAArch32));
  for (const char *bin : {"SWI-1.selected", "collision.PMCCNTR,System_register,event",
                          "D13.7-2.cycle_counter", "D13.7-13.filtered"})
    EXPECT_EQ(LeftOut(text, bin), "") << bin;
}

// Pins of a line with | are one occurrence. Another origin of the event adds its own.
TEST(NeedsShownTest, ABinOfManyOccurrences) {
  synthetic = Synthetic();
  const auto left_out = [](const std::string &events) {
    std::string text = TextOf(kChecked);
    text.replace(text.find("event 0x8 ev\n"), strlen("event 0x8 ev\n"), events);
    return LeftOut(text, "CYC-5.overshoot");
  };
  EXPECT_EQ(left_out("event 0x9 m0|m1\n"), "no event occurs more than once in a cycle");
  EXPECT_EQ(left_out("event 0x9 m0|m1\nevent 0x9 m2 other\n"), "");
  EXPECT_EQ(left_out("event 0x9 m2 other\nevent 0x9 m0|m1\n"), "");
  EXPECT_EQ(left_out("event 0x9 m0|m1\nevent 0x9 m2|m3 other\n"), "");
}

// With MT = 0 nothing Unattributable of a shared structure counts.
TEST(NeedsShownTest, ABinOfAnUnattributableOccurrence) {
  synthetic = Synthetic();
  const auto left_out = [](const std::string &events, const std::string &bin) {
    std::string text = TextOf(kChecked);
    text.replace(text.find("event 0x8 ev\n"), strlen("event 0x8 ev\n"), events);
    return LeftOut(text, bin);
  };
  const char *all = "K-UNATTR-FILTER.all", *none = "K-UNATTR-PROHIB.none";
  const char *lacking = "no `event` line of this class of events has this origin";
  EXPECT_EQ(left_out("event 0x4 m unattributable\n", all), "");
  EXPECT_EQ(left_out("event 0x4 m\nevent 0x16 s unattributable\n", all), lacking);
  EXPECT_EQ(left_out("event 0x8 i\nevent 0x4 m unattributable\n", none), lacking);
  EXPECT_EQ(left_out("event 0x8 i unattributable\n", none), "");
  EXPECT_EQ(left_out("event 0x8 i unattributable\n", "K-UNATTR-DEBUG.none"),
            "no `state halted` line");
}

TEST(NeedsShownTest, ABinOfAnOutputWithoutALine) {
  std::string text = TextOf(kChecked);
  EXPECT_EQ(LeftOut(text, "C.6/6.PMUIRQ"), "");
  EXPECT_EQ(LeftOut(text, "C.6/6.CTI"), "");
  EXPECT_EQ(LeftOut(text, "D13.3-2.both"), "");
  text.erase(text.find("cti cti\n"), 8);
  EXPECT_EQ(LeftOut(text, "C.6/6.CTI"), "no line shows the overflow for the CTI");
  EXPECT_EQ(LeftOut(text, "D13.3-2.both"), "no line shows the overflow for the CTI");
  EXPECT_EQ(LeftOut(text, "D13.3-1.not_enabled"), "");
  text.erase(text.find("irq irq\n"), 8);
  EXPECT_EQ(LeftOut(text, "C.6/6.PMUIRQ"), "no line shows PMUIRQ");
  EXPECT_EQ(LeftOut(text, "D13.3-1.R1"), "no line shows PMUIRQ");
  EXPECT_EQ(LeftOut(text, "D13.3-1.not_enabled"),
            "no line shows PMUIRQ or the overflow for the CTI");
}

}  // namespace
