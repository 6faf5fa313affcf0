// What the checker says of a stimulus that is written down: a device that is late, and by how much.
#include <gtest/gtest.h>

#include "testbench/cosim/check/bench/player.h"
#include "testbench/cosim/check/bench/shrink.h"
#include "testbench/tests/check/synthetic.h"

namespace {

class PlayedTest : public testing::Test {
 protected:
  void SetUp() override {
    synthetic = Synthetic();
    synthetic.response = 2;
  }
};

// What these lines of a stimulus file say of the synthetic device: "", or how it diverges.
std::string Play(const std::string &text, const std::string &lines) {
  std::string error;
  const Device device = ReadDevice(text, &error);
  EXPECT_TRUE(device) << error;
  if (!device) return error;
  static profile profile;
  profile_find(&profile, device.get(), pmuv3_dut_width);
  const std::string file = "pmuv3-check 1\nseed 1\n" + lines;
  FILE *in = fmemopen(const_cast<char *>(file.data()), file.size(), "r");
  char words[400];
  struct stimulus stimulus;
  size_t at;
  EXPECT_TRUE(stimulus_read(&stimulus, in, "test", &profile, words, sizeof words)) << words;
  fclose(in);
  const Check check(pmuv3_check_create(device.get()));
  struct player *player = player_create(&profile, check.get());
  const bool diverges = stimulus_diverges(player, &stimulus, &at);
  stimulus_free(&stimulus);
  player_destroy(player);
  return diverges ? pmuv3_check_words(check.get(), words, sizeof words) : "";
}

// An odd counter's flag rises a clock later than its neighbour's, so both are right, but not at
// once.
TEST_F(PlayedTest, FlagsThatRiseApart) {
  const std::string lines =
      "write PMEVTYPER0_EL0 8\nwrite PMEVTYPER1_EL0 8\nwrite PMCNTENSET_EL0 3\n"
      "write PMEVCNTR0_EL0 0xFFFFFFFF\nwrite PMEVCNTR1_EL0 0xFFFFFFFF\nwrite PMCR_EL0 1\n"
      "idle 20\ncycle retired=1\n";
  const auto play = [&](const std::string &text, const std::string &read) {
    for (unsigned idle = 0; idle <= 4; idle++) {
      const std::string wait = idle ? "idle " + std::to_string(idle) + "\n" : "";
      const std::string words = Play(DeviceText(text), lines + wait + read);
      if (!words.empty()) return words;
    }
    return std::string();
  };
  const std::string read = "read PMOVSSET_EL0\n", see = "idle 9\n";
  const std::string flags = "visible overflow o\n";
  synthetic.read = 2;  // a read's value is of the clock of its request
  synthetic.odd_flags = 1;
  EXPECT_EQ(play("mode within\nlatency read 2\nlatency flag 0..1\n", read), "");
  EXPECT_EQ(play("mode within\nlatency flag 0..1\n" + flags, see), "");
  // With a read alone that is not exact, all flags of a value are of one clock.
  EXPECT_NE(play("mode within\nlatency read 2..3\n", read), "");
  EXPECT_NE(play("mode within\nlatency visible 0..1\n" + flags, see), "");
  synthetic.odd_flags = 4;
  EXPECT_NE(play("mode within\nlatency read 2\nlatency flag 0..1\n", read), "");
  EXPECT_NE(play("mode within\nlatency flag 0..1\n" + flags, see), "");
}

// A counter overflows near a write that clears its flag, which is 1 already. Nobody knows whether
// the flag rises before the write.
TEST_F(PlayedTest, AFlagThatRisesTwice) {
  synthetic.flag = 2;
  for (unsigned before = 0; before <= 12; before++) {
    const std::string lines =
        "write PMINTENSET_EL1 1\nwrite PMEVTYPER0_EL0 0x11\nwrite PMCR_EL0 1\n"
        "write PMEVCNTR0_EL0 0xFFFFFFF8\nwrite PMCNTENSET_EL0 1\nidle 20\n"
        "write PMEVCNTR0_EL0 " +
        std::to_string(0xFFFFFFFF - before) + "\nidle 2\nwrite PMOVSCLR_EL0 1\nidle 20\n";
    EXPECT_EQ(Play(DeviceText("mode within\nlatency flag 1..2\n"), lines), "") << before;
    EXPECT_EQ(Play(DeviceText("latency flag 2\n"), lines), "") << before;
  }
}

// A port that stands with the core's clock keeps an access waiting for as long as the clock stands:
// its request, or its answer. Processor cycles alone count.
TEST_F(PlayedTest, APortOfTheCoresClock) {
  const std::string text = DeviceText("clock_enable ce\n", "ready=rdy response=rsp");
  const std::string stands = "stop 3000\nidle 9\n", answered = "read PMINTENSET_EL1\nidle 1\n";
  synthetic.port_stops = true;
  EXPECT_EQ(Play(text, "write PMINTENSET_EL1 1\n" + stands + "read PMINTENSET_EL1\n" + stands +
                           answered + stands),
            "");
  // Stops do not end the patience with a device that never answers.
  synthetic.silent_from = 50;
  std::string stops = answered;
  for (unsigned n = 0; n < 4; n++) stops += "stop 3000\nidle 300\n";
  const std::string words = Play(text, "idle 100\n" + stops);
  EXPECT_NE(words.find("port 0 has not answered for 1000 Processor cycles"), std::string::npos)
      << words;
}

// Bits that are not compared are told apart from those that are.
TEST_F(PlayedTest, WhatTheBusCarried) {
  const std::string lines =
      "write PMEVCNTR0_EL0 0x123\nwrite PMEVTYPER0_EL0 0x11\nwrite PMCNTENSET_EL0 1\n"
      "write PMCR_EL0 1\nread PMEVCNTR0_EL0:0x100\n";
  synthetic.read =
      2;  // the device shows the value of the first clock that counts, not of the third
  EXPECT_EQ(Play(DeviceText("register 256 PMEVCNTR0_EL0 read=0xFF\n"), lines),
            "clock 10, thread 0: PMEVCNTR0_EL0 reads 0x23 (the bus carried 0x123), expected 0x25 "
            "(mode exact)");
  EXPECT_EQ(Play(DeviceText("register 256 PMEVCNTR0_EL0\n"), lines),
            "clock 10, thread 0: PMEVCNTR0_EL0 reads 0x123, expected 0x125 (mode exact)");
}

// Which values of the model would have been right.
TEST_F(PlayedTest, WordsOfAWindow) {
  const auto end = [](const std::string &lines) {
    const std::string words =
        Play(DeviceText(lines), "write PMEVCNTR0_EL0 5\nread PMEVCNTR0_EL0\n");
    return words.substr(words.find("reads"));
  };
  synthetic.write = 9;
  EXPECT_EQ(end(""), "reads 0, expected 5 (mode exact)");
  EXPECT_EQ(end("mode within\n"), "reads 0, expected 5 (mode within)");
  EXPECT_EQ(end("mode within\nlatency read 1\n"),
            "reads 0, expected 5, the model's value 1 clock before (mode within)");
  synthetic.write = 0, synthetic.read = 2;
  const std::string count = Play(DeviceText("mode within\nlatency read 0..1\n"),
                                 "write PMEVTYPER0_EL0 17\nwrite PMCNTENSET_EL0 1\n"
                                 "write PMCR_EL0 1\nread PMEVCNTR0_EL0\n");
  EXPECT_EQ(count.substr(count.find("reads")),
            "reads 0, expected 2 or another value that the model had 0 to 1 clocks before (mode "
            "within)");
}

// A counter counts the cycles of EL0, from a change of the state on, until a write stops it about
// where it wraps. So a device whose changes of the state are late stays behind.
struct Wrap {
  const char *name;
  const char *width;  // of the port
  const char *text;   // of the description
  const char *lines;  // begin to count, a few counts below the wrap
  const char *read;
};

class WrapTest : public PlayedTest, public testing::WithParamInterface<Wrap> {
 protected:
  // The first divergence, or "".
  static std::string First() {
    const Wrap &wrap = GetParam();
    std::string text = DeviceText(std::string("mode within\nlatency state 0..1\n") + wrap.text);
    text.replace(text.find("width=32"), 8, wrap.width);
    for (unsigned count = 1; count <= 40; count++) {
      const std::string words =
          Play(text, std::string(wrap.lines) + "state el=0\nidle " + std::to_string(count) +
                         "\nwrite PMCNTENCLR_EL0 0x80000004\nidle 20\n" + wrap.read);
      if (!words.empty()) return words;
    }
    return "";
  }
};

TEST_P(WrapTest, ADistanceWrapsToo) {
  for (synthetic.state = 0; synthetic.state <= 1; synthetic.state++) EXPECT_EQ(First(), "");
}

TEST_P(WrapTest, TooFarIsFound) {
  synthetic.state = 9;
  EXPECT_NE(First(), "");
}

constexpr char kCounter[] =
    "write PMEVTYPER2_EL0 0x80000011\nwrite PMCNTENSET_EL0 4\nwrite PMCR_EL0 1\n"
    "write PMEVCNTR2_EL0 0xFFFFFFE8\n";
constexpr char kCycles[] =
    "write PMCCFILTR_EL0 0x80000000\nwrite PMCNTENSET_EL0 0x80000000\nwrite PMCR_EL0 1\n"
    "write PMCCNTR_EL0.low 0xFFFFFFE8\n";

INSTANTIATE_TEST_SUITE_P(
    Counters, WrapTest,
    testing::Values(Wrap{"of_32_bits", "width=64", "", kCounter, "read PMEVCNTR2_EL0\n"},
                    Wrap{"low_half", "width=32", "register 200 PMCCFILTR_EL0\n", kCycles,
                         "read PMCCNTR_EL0.low\n"},
                    Wrap{"low_bits", "width=64", "register 256 PMEVCNTR2_EL0 read=0xFF\n", kCounter,
                         "read PMEVCNTR2_EL0:0x100\n"},
                    Wrap{"high_bits", "width=64", "register 256 PMEVCNTR2_EL0 read=0xFFFFFFF8\n",
                         kCounter, "read PMEVCNTR2_EL0:0x100\n"},
                    Wrap{"visible", "width=64", "visible counter 2 c2\n", kCounter, "idle 1\n"}),
    [](const auto &wrap) { return std::string(wrap.param.name); });

}  // namespace
