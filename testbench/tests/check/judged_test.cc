// Which states judge what, by the latencies of a description.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "testbench/cosim/check/bench/judged.h"
#include "testbench/tests/check/synthetic.h"

namespace {

// "BY: WHAT (RULES)" of each, in lines.
std::string Judged(const std::string &text) {
  std::string error, all;
  const Device device = ReadDevice(text, &error);
  EXPECT_TRUE(device) << error;
  const auto add = [](void *context, const judged *judged) {
    auto *lines = static_cast<std::string *>(context);
    *lines += std::string(judged->by) + ": " + judged->what + " (" + judged->rules + ")\n";
  };
  judged_by_others(device.get(), add, &all);
  return all;
}

const char kEvents[] = "events (D13.7-10, D13.7-11)\n";
const char kIncrements[] = "software increments (D13.7-13)\n";

TEST(JudgedTest, AllAsLateAsTheStates) {
  EXPECT_EQ(Judged(DeviceText()), "");
  EXPECT_EQ(Judged(DeviceText("latency event 2 state 2 swinc 2\n")), "");
}

TEST(JudgedTest, WithoutAPinOfAState) {
  std::string text = DeviceText("latency event 2\n");
  text.erase(text.find("state el"), strlen("state el level 0=0 1=1\n"));
  EXPECT_EQ(Judged(text), "");
}

TEST(JudgedTest, EventsAndIncrementsApart) {
  EXPECT_EQ(Judged(DeviceText("latency event 1\n")),
            std::string("the state 1 clock later: ") + kEvents);
  EXPECT_EQ(Judged(DeviceText("latency event 3 state 3 swinc 1\n")),
            std::string("the state 2 clocks earlier: ") + kIncrements);
}

TEST(JudgedTest, APinWithALatencyOfItsOwn) {
  EXPECT_EQ(Judged(DeviceText("event 0x0009 taken latency=1\n")),
            "the state 1 clock later: occurrences of event 0x0009 of thread 0 "
            "(D13.7-10, D13.7-11)\n");
}

TEST(JudgedTest, Ranges) {
  const auto within = [](const std::string &latencies) {
    return Judged(DeviceText("mode within\nlatency swinc 1..1 " + latencies + "\n"));
  };
  EXPECT_EQ(within("event 1..3 state 1..1"),
            std::string("a state 0 to 2 clocks later: ") + kEvents);
  EXPECT_EQ(within("event 1..1 state 1..2"), std::string("a state 0 to 1 clock earlier: ") +
                                                 kEvents +
                                                 "a state 0 to 1 clock earlier: " + kIncrements);
  EXPECT_EQ(within("event 0..3 state 1..1"),
            std::string("a state from 1 earlier to 2 clocks later: ") + kEvents);
}

// Events wait in flip-flops that stop with the clock. Those of states may go on.
TEST(JudgedTest, StoppedClocks) {
  const std::string latencies = "latency clock 1 event 2 state 2 swinc 2\n";
  EXPECT_EQ(Judged(DeviceText("clock_enable ce state\n" + latencies)),
            "the state 1 Processor cycle earlier: Processor cycles (CYC-7)\n"
            "an earlier state where the clock stops: " +
                std::string(kIncrements));
  EXPECT_EQ(Judged(DeviceText("clock_enable ce\n" + latencies)),
            std::string("a later state where the clock stops: ") + kEvents +
                "the state 1 clock earlier: Processor cycles (CYC-7)\n");
  EXPECT_EQ(Judged(DeviceText("clock_enable ce\nlatency clock 1 event 1 state 1 swinc 1\n")), "");
}

TEST(JudgedTest, Accesses) {
  EXPECT_EQ(Judged(DeviceText("latency write 2\n", "response=0 checked")),
            "the state 2 clocks later: writes through port 0 (table D13-12)\n");
  EXPECT_EQ(Judged(DeviceText("latency read 1\n", "response=2 checked")),
            "the state 1 clock later: reads through port 0 (table D13-12)\n");
  EXPECT_EQ(Judged(DeviceText("latency read 2\n", "response=valid checked")),
            "the state 2 clocks before the answer: reads through port 0 (table D13-12)\n");
}

}  // namespace
