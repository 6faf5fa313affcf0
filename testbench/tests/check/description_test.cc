// Descriptions: what is wrong is told with its line, and what is right is as it says.
#include <gtest/gtest.h>

#include <vector>

#include "testbench/tests/check/synthetic.h"

namespace {

const char kHead[] =
    "pmuv3-device 1\n"
    "param counters=2 el2=0 el3=0 features=PMUv3p1\n"
    "clock clk\n"
    "port csr request=req write=we address=addr data=wdata value=rdata width=32\n";

Device Read(const std::string &rest, std::string *error) {
  return ReadDevice(kHead + rest, error);
}

// A device with a preset; what is told of it without one.
TEST(DeviceCoreTest, GivesParametersAndRowsOfEvents) {
  const std::string rest =
      "clock clk\n"
      "port csr request=req write=we address=addr data=wdata value=rdata width=32\n"
      "register 0 PMCR_EL0\n"
      "event 0x24 backend\n"
      "event 0x8165 memory\n"
      "event 0x8 retired\n";
  std::string error;
  const Device device =
      ReadDevice("pmuv3-device 1\nparam core=neoverse-n3\nparam counters=2\n" + rest, &error);
  ASSERT_TRUE(device) << error;
  EXPECT_EQ(device->params.counters, 2);
  EXPECT_EQ(device->params.slots, 5);
  EXPECT_EQ(device->params.events.num, 7);
  EXPECT_EQ(pmuv3_events_find(&device->params.events, 0x8165)->event_class,
            PMUV3_EVENT_CLASS_SECOND);
}

TEST(DeviceCoreTest, Errors) {
  std::string error;
  EXPECT_FALSE(ReadDevice("pmuv3-device 1\nparam core=neoverse-v9\n", &error));
  EXPECT_EQ(error.rfind("test.pmu:2: core \"neoverse-v9\" is unknown; ", 0), 0u) << error;
  EXPECT_FALSE(ReadDevice("pmuv3-device 1\nparam counters=2 core=neoverse-v2\n", &error));
  EXPECT_EQ(error, "test.pmu:2: core= after other parameters; expected it before them");
}

// In a Warm reset an agent's counters count.
TEST(DescriptionTest, NoWarmResetWithExtpmn) {
  const std::string head =
      "pmuv3-device 1\nparam counters=2 features=EXT64,EXTPMN\nclock clk\n"
      "port csr request=req write=we address=addr data=wdata value=rdata width=32\n"
      "register 0 PMCR_EL0.low\n";
  std::string error;
  EXPECT_FALSE(ReadDevice(head + "reset rst low warm\nreset por low\n", &error));
  EXPECT_EQ(error.rfind("test.pmu:6: with EXTPMN counters count in a Warm reset", 0), 0u) << error;
  EXPECT_TRUE(ReadDevice(head + "tie rst 1\nreset por low\n", &error)) << error;
}

TEST(DescriptionTest, UnknownTwice) {
  std::string error;
  EXPECT_FALSE(Read("register 4 PMCCNTR_EL0\nunknown PMCCNTR_EL0 PMCCNTR_EL0\n", &error));
  EXPECT_EQ(error, "test.pmu:6: PMCCNTR_EL0 is given twice");
}

// A line that is wrong after the head, and what is said of it.
struct Wrong {
  const char *line, *message;
};

class WrongLineTest : public testing::TestWithParam<Wrong> {};

TEST_P(WrongLineTest, IsToldWithItsLine) {
  std::string error;
  const std::string rest = std::string("register 0 PMCR_EL0\n") + GetParam().line + "\n";
  EXPECT_FALSE(Read(rest, &error)) << GetParam().line;
  EXPECT_EQ(error.rfind("test.pmu:6: ", 0), 0u) << error;
  EXPECT_NE(error.find(GetParam().message), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(
    Lines, WrongLineTest,
    testing::Values(
        Wrong{"event 0x8 a|", "\"\" is no pin"}, Wrong{"event 0x8 a|a", "of event 0x0008 already"},
        Wrong{"event 0x8 a+b+a", "of event 0x0008 already"},
        Wrong{"event 0x8 clk|a", "in line 3, too"}, Wrong{"evnt 0x8 e", "\"evnt\" is no item"},
        Wrong{"param counters=3", "too late"}, Wrong{"event", "too early"},
        Wrong{"event 0x8", "a pin"}, Wrong{"event 0x400D e", "never counted"},
        Wrong{"event 0x11 e", "PMU itself"}, Wrong{"event 0x8 e max=256", "at most 255"},
        Wrong{"event 0x8 e max=0", "expected at least 1"}, Wrong{"event 0x23 e max=2", "so often"},
        Wrong{"event 0x8 e fast", "nothing of an event"}, Wrong{"event@1 0x8 e", "no thread 1"},
        Wrong{"event 0x8 e[2:", "[MSB:LSB]"}, Wrong{"event 0x8 e[0:1]", "[MSB:LSB]"},
        Wrong{"event 0x8 clk", "in line 3, too"}, Wrong{"clock c2", "clock is in line 3, too"},
        Wrong{"clock@0 c2", "of all threads"}, Wrong{"reset r", "low or high"},
        Wrong{"reset r up", "no level"}, Wrong{"reset r low cool", "no kind of reset"},
        Wrong{"tie t", "the value"}, Wrong{"tie t x", "decimal or 0x"},
        Wrong{"state mood p", "no key"}, Wrong{"state el 4", "at most 3"},
        Wrong{"state a32el3 p", "needs EL3"}, Wrong{"state a32el3 1", "needs EL3"},
        Wrong{"state ss p 0=X", "no Security state"}, Wrong{"state el p 0", "FROM=TO"},
        Wrong{"irq i high", "too much"}, Wrong{"port usb", "no kind of port"},
        Wrong{"port csr request=r", "no address=PIN"},
        Wrong{"port csr request=r request=q", "given twice"},
        Wrong{"port csr request=r address=a value=v write=w", "go together"},
        Wrong{"port apb select=s address=a value=v", "no enable=PIN"},
        Wrong{"port csr bogus=r", "nothing of a csr port"},
        Wrong{"port csr request=r address=a value=v width=16", "32 or 64"},
        Wrong{"register 4 PMXYZ_EL0", "no register"},
        Wrong{"register 4 PMICNTR_EL0", "not there with these parameters"},
        Wrong{"register 4 PMEVCNTR2_EL0", "not there with these parameters"},
        Wrong{"register 0 PMSELR_EL0", "in line 5, too"},
        Wrong{"register 4 PMSELR_EL0 read=1 read=0", "read is given twice"},
        Wrong{"register 4 PMSELR_EL0 write=1 write=1", "write is given twice"},
        Wrong{"register 4 PMSELR_EL0 port=0 port=0", "port is given twice"},
        Wrong{"registers 4 PMEVCNTR%u_EL0 step=8 step=4", "step is given twice"},
        Wrong{"port csr request=r address=a value=v width=32 width=64", "width is given twice"},
        Wrong{"port csr request=r address=a value=v response=1 response=2", "response is given"},
        Wrong{"port csr request=r address=a value=v outstanding=1", "needs response=PIN"},
        Wrong{"port csr request=r address=a value=v response=p outstanding=0", "at least 1"},
        Wrong{"port csr request=r address=a value=v response=p outstanding=17", "at most 16"},
        Wrong{"port csr request=r address=a value=v checked checked", "checked is given twice"},
        Wrong{"port apb select=s enable=e address=a value=v space=S space=NS", "space is given"},
        Wrong{"port csr request=r address=a value=v response=2 response=p", "response is given"},
        Wrong{"port csr request=r address=a value=v response=p response=2", "response is given"},
        Wrong{"port apb select=s enable=e address=a value=v width=64", "an apb port has 32 bits"},
        Wrong{"port csr request=r address=a value=v[15:0]", "value has 16 bits"},
        Wrong{"register 4 PMCEID0_EL0 write=0xFF", "write= of what cannot be written"},
        Wrong{"register 4 PMSWINC_EL0 read=0xFF", "read= of what cannot be read"},
        Wrong{"latency clock 3", "latency clock needs a line clock_enable"},
        Wrong{"event 0x8 e max=1 max=2", "max is given twice"},
        Wrong{"event 0x8 e latency=1 latency=1", "latency is given twice"},
        Wrong{"event 0x8 e other unattributable", "the origin is given twice"},
        Wrong{"state el p 0=0 0=1", "value 0 is given twice"}, Wrong{"state el 2", "EL2"},
        Wrong{"state el 3", "EL3"}, Wrong{"state el p 0=0 1=2", "EL2"},
        Wrong{"other el p 1=2", "EL2"}, Wrong{"state ss RL", "ss=RL needs RME"},
        Wrong{"absent event 0x3FFF", "none of the device's"},
        Wrong{"register 4 PMSELR_EL0 write=x", "decimal or 0x"},
        Wrong{"register 4 PMSELR_EL0 write=0x100000000", "more bits"},
        Wrong{"register 4 PMSELR_EL0 read=0x100000000", "read= has more bits than port 0"},
        Wrong{"register 4 PMSELR_EL0 port=1", "no port 1"},
        Wrong{"register 4 PMSELR_EL0 colour=1", "nothing of a register"},
        Wrong{"registers 4 PMEVCNTR_EL0", "no register"}, Wrong{"page 0", "EXT32 or EXT64"},
        Wrong{"registers 4", "a register's name"},
        Wrong{"registers 4 PMSELR_EL0 -2", "no register"},
        Wrong{"registers 4 PMEVCNTR%u_EL0 PMSELR_EL0 step=0", "in line 6, too"},
        Wrong{"registers 4 PMCNTENSET_EL0 write=3 PMCNTENCLR_EL0", "nothing of a register"},
        Wrong{"registers 4 PMCNTENSET_EL0 PMCCNTR_EL0.high write=0x100000000", "more bits"},
        Wrong{"register 4 PMCNTENSET_EL0 PMCNTENCLR_EL0", "nothing of a register"},
        Wrong{"absent PMCR_EL0.XY", "no field"}, Wrong{"absent PMCR", "REGISTER.FIELD"},
        Wrong{"absent event", "too early"}, Wrong{"initial PMCEID0_EL0 1", "cannot be written"},
        Wrong{"unknown", "a register's name"}, Wrong{"unknown PMXYZ_EL0", "no register"},
        Wrong{"unknown PMCCNTR_EL0", "no line before this one writes PMCCNTR_EL0"},
        Wrong{"unknown PMCR_EL0", "a reset leaves PMCR.E 0"},
        Wrong{"initial PMOVSCLR_EL0 1", "cannot have the value 0x1"},
        Wrong{"initial PMSWINC_EL0 1", "cannot have the value 0x1"},
        Wrong{"initial PMCNTENSET_EL0 0x7F000000", "cannot have the value"},
        Wrong{"visible counter 2 c", "no counter 2"}, Wrong{"visible soul s", "can be visible"},
        Wrong{"latency mood 1", "no latency"}, Wrong{"latency event 32", "at most 31"},
        Wrong{"latency event 1 read", "a number of clocks"},
        Wrong{"latency read 1 event 1 read 1", "the latency is in line 6, too"},
        Wrong{"latency event 2..1", "A of at most B"}, Wrong{"latency event 1..2", "exact latency"},
        Wrong{"latency event 0..31 flag 0..2 read 0..31\nmode within", "read may be later than 63"},
        Wrong{"mode fuzzy", "no mode"}, Wrong{"settle 99", "at most 31"},
        Wrong{"clock_enable e low", "expected state, flag or nothing"},
        Wrong{"clock_enable e state state", "given twice"},
        Wrong{"event 0x24 f debugger\nstate halted h 0=0 1=0", "thread 0 is never halted"},
        Wrong{"event 0x1B f debugger", "thread 0 is never halted"}, Wrong{"top", "top module"},
        Wrong{"top a b", "left over"}));

// A thread has one context in a cycle, so its events of origin other come in the same one.
TEST(DescriptionTest, OneContextInACycle) {
  const std::string text =
      "pmuv3-device 1\nclock c\nreset r low\nport csr request=q write=w address=a data=d value=v\n"
      "register 0 PMCR_EL0\nevent 0x8 f other latency=3\nother el e\n";
  std::string error;
  EXPECT_TRUE(ReadDevice(text + "event 0x16 g other latency=3\n", &error)) << error;
  EXPECT_FALSE(ReadDevice(text + "event 0x16 g other\n", &error));
  EXPECT_NE(error.find("test.pmu:8: events of origin other have one context"), std::string::npos)
      << error;
}

// Of two lines, only the last would be compared.
TEST(DescriptionTest, WhatCanStandOnce) {
  const Wrong twice[] = {{"irq i", "irq j low"},
                         {"cti i", "cti j"},
                         {"exception e", "exception f"},
                         {"clock_enable e", "clock_enable f"},
                         {"state el p", "state el q"},
                         {"state el 1", "state el q 0=1"},
                         {"other el p", "other el q"},
                         {"visible counter 0 a", "visible counter 0 b"},
                         {"visible V 1 a", "visible V 1 b"},
                         {"visible flag 1 a", "visible overflow b"},
                         {"visible overflow a", "visible flag 0 b"},
                         {"top a", "top b"},
                         {"initial PMCR_EL0 1", "initial PMCR_EL0 0"},
                         {"initial PMCCNTR_EL0 1", "initial PMCCNTR64 0"},
                         {"mode exact", "mode exact"},
                         {"settle 3", "settle 3"}};
  for (const auto &[first, second] : twice) {
    const std::string lines = std::string(first) + "\n" + second + "\n";
    std::string error;
    EXPECT_FALSE(Read("register 0 PMCR_EL0\n" + lines, &error)) << lines;
    EXPECT_NE(error.find(":7: "), std::string::npos) << error;
    EXPECT_NE(error.find("is in line 6, too"), std::string::npos) << error;
  }
}

// An event of several pins, and a pin of several events: the pin is one input with one count.
TEST(DescriptionTest, PinsOfEvents) {
  std::string error;
  const Device device = Read(
      "register 0 PMCR_EL0\nevent 0x6 class[1]\nevent 0x8 class[0]|class[1]|w latency=3\n"
      "event 0x9 class[0]+w max=2\n",
      &error);
  ASSERT_TRUE(device) << error;
  ASSERT_EQ(device->num_events, 6u);
  const unsigned sources[] = {0, 1, 0, 3, 1, 3};
  for (unsigned e = 0; e < 6; e++) {
    EXPECT_EQ(device->events[e].source, sources[e]) << e;
    EXPECT_EQ(device->events[e].is_any, e >= 1 && e <= 3) << e;
    EXPECT_EQ(device->events[e].latency, e >= 1 && e <= 3 ? 3 : 0) << e;
  }
  unsigned pins = 0;
  for (size_t p = 0; p < device->num_pins; p++) pins += device->pins[p].role == PMUV3_ROLE_EVENT;
  EXPECT_EQ(pins, 3u);
  EXPECT_EQ(pmuv3_device_event_most(device.get(), 3), 2u);  // the line that allows least
}

// With | any value of a pin is one occurrence, of a condition, too, unless max= says less.
TEST(DescriptionTest, LargestCountOfAny) {
  std::string error;
  const Device device = Read(
      "register 0 PMCR_EL0\nevent 0x23 a|b max=1\nevent 0x24 c|d\nevent 0x8 e|f max=3\n"
      "event 0x9 g\n",
      &error);
  ASSERT_TRUE(device) << error;
  const unsigned most[] = {1, 1, 255, 255, 3, 3, 255};
  ASSERT_EQ(device->num_events, sizeof most / sizeof most[0]);
  for (size_t e = 0; e < device->num_events; e++)
    EXPECT_EQ(pmuv3_device_event_most(device.get(), e), most[e]) << e;
}

// With | a line is all that there is of its event.
TEST(DescriptionTest, AnyIsOneLine) {
  std::string error;
  for (const char *lines : {"event 0x8 a|b\nevent 0x8 c\n", "event 0x8 c\nevent 0x8 a|b\n"}) {
    EXPECT_FALSE(Read(std::string("register 0 PMCR_EL0\n") + lines, &error));
    EXPECT_EQ(error, "test.pmu:7: event 0x0008 has another line; with | expected one line");
  }
  EXPECT_TRUE(Read("register 0 PMCR_EL0\nevent 0x8 a+b\nevent 0x8 c\n", &error)) << error;
}

// The device's own set of events, which a later line may make.
TEST(DescriptionTest, AbsentEventsAreOfTheSet) {
  std::string error;
  EXPECT_TRUE(
      Read("register 0 PMCR_EL0\nabsent event 0x1E\nabsent event 0x8\nevent 0x8 e\n", &error))
      << error;
  EXPECT_FALSE(Read("register 0 PMCR_EL0\nabsent event 0x9\nevent 0x8 e\n", &error));
  EXPECT_EQ(error, "test.pmu:6: event 0x0009 is none of the device's, so it is never selected");
}

// Without an `event` line the device has the PMU's own events alone, whatever a core has.
TEST(DescriptionTest, NoEventLine) {
  const std::string rest =
      "clock clk\nport csr request=req write=we address=addr data=wdata value=rdata width=32\n"
      "register 0 PMCR_EL0\n";
  for (const char *params : {"param counters=2 features=PMUv3p1\n", "param core=neoverse-n3\n"}) {
    std::string error;
    const Device device = ReadDevice(std::string("pmuv3-device 1\n") + params + rest, &error);
    ASSERT_TRUE(device) << params << error;
    std::string numbers;
    for (size_t e = 0; e < device->params.events.num; e++)
      numbers += std::to_string(device->params.events.event[e].number) + " ";
    EXPECT_EQ(numbers, "0 17 30 33063 ") << params;  // SW_INCR, CPU_CYCLES, CHAIN, PMU_SNAPSHOT
  }
  std::string error;
  EXPECT_FALSE(Read("register 0 PMCR_EL0\nabsent event 0x8\n", &error));
  EXPECT_EQ(error, "test.pmu:6: event 0x0008 is none of the device's, so it is never selected");
}

TEST(DescriptionTest, WrongAsAWhole) {
  std::string error;
  EXPECT_FALSE(ReadDevice("pmuv3-stimulus 1\n", &error));
  EXPECT_NE(error.find("test.pmu:1: "), std::string::npos);
  EXPECT_FALSE(ReadDevice("", &error));
  EXPECT_FALSE(ReadDevice("pmuv3-device 1\nparam counters=2\n", &error));
  EXPECT_NE(error.find("no clock"), std::string::npos) << error;
  EXPECT_FALSE(Read("", &error));
  EXPECT_NE(error.find("no register"), std::string::npos) << error;
  EXPECT_FALSE(ReadDevice("pmuv3-device 1\nparam counters=2\nparam counters=3\n", &error));
  EXPECT_EQ(error, "test.pmu:3: counters is given twice; expected it once");
}

// I-2: the parameter aa32 decides which keys of AArch32 there are.
TEST(DescriptionTest, KeysOfAArch32) {
  const auto reads = [](const std::string &params, const std::string &state) {
    std::string error;
    const bool good = ReadDevice("pmuv3-device 1\nparam " + params + "\nclock clk\n" +
                                     "port csr request=req write=we address=a data=d value=v "
                                     "width=32\nregister 0 PMCR_EL0\nevent 0x8 e\nstate " +
                                     state + " pin\n",
                                 &error) != nullptr;
    EXPECT_EQ(good, error.empty()) << error;
    EXPECT_EQ(good, error.find("needs AArch32 at") == std::string::npos) << error;
    return good;
  };
  EXPECT_TRUE(reads("counters=2", "a32el3"));
  EXPECT_FALSE(reads("aa32=el2", "a32el3"));
  EXPECT_TRUE(reads("aa32=el2", "a32el1"));
  EXPECT_FALSE(reads("aa32=el0", "a32el1"));
  EXPECT_TRUE(reads("aa32=el0", "aa32"));
  EXPECT_FALSE(reads("aa32=none", "aa32"));
  EXPECT_TRUE(reads("aa32=none", "el"));
}

// A Security state by its name is a constant, no pin, and the keys that are no Security states have
// numbers alone.
TEST(DescriptionTest, SecurityStatesAreConstants) {
  const std::pair<const char *, pmuv3_security_state> states[] = {
      {"NS", PMUV3_NS}, {"S", PMUV3_S}, {"RL", PMUV3_RL}};
  for (const auto &[name, ss] : states) {
    std::string error;
    const Device device = ReadDevice(
        "pmuv3-device 1\nparam counters=2 features=RME,EXT32\nclock clk\n"
        "port csr request=req write=we address=a data=d value=v\nregister 0 PMCR_EL0\n"
        "state el 1\nstate ss " +
            std::string(name) + "\n",
        &error);
    ASSERT_TRUE(device) << name << ": " << error;
    EXPECT_EQ(device->pe[0].ss, ss) << name;
    EXPECT_FALSE(pmuv3_device_has(device.get(), PMUV3_ROLE_STATE)) << name;
  }
  std::string error;
  const Device device = Read("register 0 PMCR_EL0\nstate halted RL\n", &error);
  ASSERT_TRUE(device) << error;
  EXPECT_TRUE(pmuv3_device_has(device.get(), PMUV3_ROLE_STATE)) << "RL is a pin's name";
}

// A thread starts in what its pins can say.
TEST(DescriptionTest, MapsWithoutTheStateAfterAReset) {
  std::string error;
  const Device device = Read(
      "register 0 PMCR_EL0\nstate el priv 1=0 2=0\nstate halted dbg 1=1\n"
      "event 0x8 e other\nother el from 3=1\n",
      &error);
  ASSERT_TRUE(device) << error;
  EXPECT_EQ(device->pe[0].el, 0);
  EXPECT_TRUE(device->pe[0].halted);
  pmuv3_record record;
  pmuv3_record_init(&record, device.get());
  EXPECT_EQ(record.thread[0].state.el, 0);
  EXPECT_EQ(record.thread[0].other.el, 1);
  for (size_t p = 0; p < device->num_pins; p++) {
    const pmuv3_pin &pin = device->pins[p];
    if (pin.num_values > 0) {
      EXPECT_EQ(pmuv3_record_get(&record, &pin), pin.from[0]) << pin.name;
    }
  }
  // A state that no PE has is refused.
  EXPECT_FALSE(Read("register 0 PMCR_EL0\nstate sm 1\nstate aa32 p 0=1\n", &error));
  EXPECT_EQ(error.rfind("test.pmu:7: the states of thread 0: ", 0), 0u) << error;
}

TEST(DescriptionTest, RegistersHaveTheirMasks) {
  std::string error;
  const Device device = Read(
      "register 0 PMCR_EL0 write=0x7 read=0xFF\n"
      "registers 64 PMEVCNTR%u_EL0 step=8\n"
      "register 4 PMCNTENSET_EL0\n"
      "register 8 PMCCNTR_EL0.high\n"
      "absent cycles\n",
      &error);
  ASSERT_TRUE(device) << error;
  ASSERT_EQ(device->num_registers, 5u);
  EXPECT_EQ(device->registers[0].write, 0x3u);  // without C, of the cycle counter
  EXPECT_EQ(device->registers[0].read, 0xFFu);
  EXPECT_EQ(device->registers[2].address, 72u);
  EXPECT_EQ(device->registers[2].reg, PMUV3_PMEVCNTRn(1));
  EXPECT_EQ(device->registers[3].write, 0x3u);
  EXPECT_EQ(device->registers[4].half, PMUV3_HIGH);
  EXPECT_EQ(pmuv3_device_find(device.get(), 0, 72), 2u);
  EXPECT_EQ(pmuv3_device_find(device.get(), 0, 73), device->num_registers);
}

// All bits of the port, whatever the register has of them.
TEST(DescriptionTest, BitsThatAreRead) {
  std::string error;
  const std::string head =
      "pmuv3-device 1\nparam counters=2 features=PMUv3p5,EXT32\nclock clk\n"
      "port csr request=req write=we address=a data=d value=v width=64\n";
  const Device device = ReadDevice(head +
                                       "register 0 PMCCNTR_EL0.low\nregister 8 PMCCNTR_EL0.high\n"
                                       "register 16 page.0x0F8\n"
                                       "register 24 PMCEID0_EL0.low read=0xFFFFFFFF\n"
                                       "register 32 page.0x000 read=0x10000FFFF\n"
                                       "register 40 PMCEID0_EL0.low\nabsent event 0x1E\n",
                                   &error);
  ASSERT_TRUE(device) << error;
  const uint64_t expected[] = {UINT64_MAX, UINT64_MAX,  UINT64_MAX,
                               0xBFFFFFFF, 0x10000FFFF, 0xFFFFFFFFBFFFFFFF};
  for (size_t r = 0; r < std::size(expected); r++)
    EXPECT_EQ(device->registers[r].read, expected[r]) << r;
  EXPECT_FALSE(ReadDevice(head + "register 0 PMCCNTR_EL0.low write=0x100000000\n", &error));
  EXPECT_EQ(error, "test.pmu:5: write= has more bits than the register has at this address");
  EXPECT_FALSE(ReadDevice(head + "register 0 page.0x0F8 write=0x100000000\n", &error));
  EXPECT_EQ(error, "test.pmu:5: write= has more bits than the register has at this address");
}

// A field that is absent is so in each view of its register: AArch32's, and the page's.
TEST(DescriptionTest, AbsentInEachView) {
  std::string error;
  const Device device = ReadDevice(
      "pmuv3-device 1\nparam counters=2 features=PMUv3p5,EXT32\nclock clk\n"
      "port csr request=req write=we address=a data=d value=v width=32\n"
      "register 0 PMCR_EL0\nregister 4 PMCR\nregister 8 PMEVTYPER1_EL0\nregister 12 PMEVTYPER1\n"
      "register 16 PMXEVTYPER\nregister 20 PMCNTENSET\nregister 24 page.0xE04\n"
      "register 28 page.0x404\nregister 32 page.0xC00\n"
      "absent PMCR_EL0.D\nabsent PMEVTYPER%u_EL0.U\nabsent cycles\n",
      &error);
  ASSERT_TRUE(device) << error;
  const struct {
    uint64_t address;
    uint32_t absent, present;
  } expected[] = {{0, 1u << 3, 1},          {4, 1u << 3, 1},          {8, 1u << 30, 1u << 31},
                  {12, 1u << 30, 1u << 31}, {16, 1u << 30, 1u << 31}, {20, 1u << 31, 3},
                  {24, 1u << 3, 1},         {28, 1u << 30, 1u << 31}, {32, 1u << 31, 3}};
  for (const auto &row : expected) {
    const size_t r = pmuv3_device_find(device.get(), 0, row.address);
    EXPECT_EQ(device->registers[r].write & row.absent, 0u) << row.address;
    EXPECT_EQ(device->registers[r].write & row.present, row.present) << row.address;
  }
}

// Names of one line are at one address after the other, each counter's by itself. "-" leaves one
// out.
TEST(DescriptionTest, RegistersOfALineFollowEachOther) {
  std::string error;
  const Device device = Read(
      "registers 8 PMCNTENSET_EL0 - PMEVCNTR%u_EL0 PMCCNTR_EL0.high write=0x5 step=2\n"
      "registers 64 PMOVSCLR_EL0 PMOVSSET_EL0\n",
      &error);
  ASSERT_TRUE(device) << error;
  const struct {
    uint64_t address;
    uint16_t reg;
    pmuv3_half half;
    uint64_t write;
  } expected[] = {
      {8, PMUV3_PMCNTENSET, PMUV3_LOW, 0x5},       {12, PMUV3_PMEVCNTRn(0), PMUV3_LOW, 0x5},
      {14, PMUV3_PMEVCNTRn(1), PMUV3_LOW, 0x5},    {16, PMUV3_PMCCNTR, PMUV3_HIGH, 0x5},
      {64, PMUV3_PMOVSCLR, PMUV3_LOW, 0x80000003}, {68, PMUV3_PMOVSSET, PMUV3_LOW, 0x80000003}};
  ASSERT_EQ(device->num_registers, std::size(expected));
  for (size_t r = 0; r < std::size(expected); r++) {
    EXPECT_EQ(device->registers[r].address, expected[r].address);
    EXPECT_EQ(device->registers[r].reg, expected[r].reg);
    EXPECT_EQ(device->registers[r].half, expected[r].half);
    EXPECT_EQ(device->registers[r].write, expected[r].write);
  }
}

TEST(DescriptionTest, LatenciesShareALine) {
  std::string error;
  const Device device =
      Read("register 0 PMCR_EL0\nlatency event 2 read 1..3\nmode within\n", &error);
  ASSERT_TRUE(device) << error;
  EXPECT_EQ(device->latency[PMUV3_LATENCY_EVENT].min, 2);
  EXPECT_EQ(device->latency[PMUV3_LATENCY_EVENT].max, 2);
  EXPECT_EQ(device->latency[PMUV3_LATENCY_READ].min, 1);
  EXPECT_EQ(device->latency[PMUV3_LATENCY_READ].max, 3);
  EXPECT_EQ(device->latency[PMUV3_LATENCY_FLAG].max, 0);
}

// A word of the page is half of the register that the external map has there.
TEST(DescriptionTest, WordsOfThePageHaveRegisters) {
  std::string error;
  const Device device = ReadDevice(
      "pmuv3-device 1\nparam counters=2 features=PMUv3p5,EXT32\nclock clk\n"
      "port apb select=s enable=e address=a value=v\n"
      "register 0 page.0x00C\nregister 4 page.0xC80\nregister 8 page.0x010\n",
      &error);
  ASSERT_TRUE(device) << error;
  EXPECT_EQ(device->registers[0].reg, PMUV3_PMEVCNTRn(1));
  EXPECT_EQ(device->registers[0].half, PMUV3_HIGH);
  EXPECT_EQ(device->registers[1].reg, PMUV3_PMOVSCLR);
  EXPECT_EQ(device->registers[1].half, PMUV3_LOW);
  EXPECT_EQ(device->registers[2].reg, 0);  // of a third counter
}

// X on a bit hides what the bit shows: a flag, or all of a counter.
TEST(DescriptionTest, BitsThatAreX) {
  std::string error;
  const Device device = Read(
      "register 0 PMCR_EL0\nvisible overflow f\nvisible flag 31 g\nvisible counter 0 c0\n"
      "visible counter 1 c1\nvisible V 0 v0\nvisible V 1 v1\n",
      &error);
  ASSERT_TRUE(device) << error;
  const struct {
    const char *pin;
    uint64_t bits, counters, flags, V;
  } rows[] = {
      {"f", 2, 3, 0x80000001, 3},     {"f", 4, 3, 0x80000003, 3},     {"g", 1, 3, 3, 3},
      {"c1", 0x10, 1, 0x80000003, 3}, {"v0", 0x10, 3, 0x80000003, 2}, {"", 0, 3, 0x80000003, 3}};
  for (const auto &row : rows) {
    pmuv3_record record;
    pmuv3_record_init(&record, device.get());
    std::vector<uint64_t> values(device->num_pins), unknown(device->num_pins);
    for (size_t p = 0; p < device->num_pins; p++)
      if (std::string(device->pins[p].name) == row.pin) unknown[p] = row.bits;
    EXPECT_FALSE(pmuv3_record_pins(&record, device.get(), values.data(), unknown.data()));
    EXPECT_EQ(record.thread[0].counters_seen, row.counters) << row.pin;
    EXPECT_EQ(record.thread[0].flags_seen, row.flags) << row.pin;
    EXPECT_EQ(record.thread[0].V_seen, row.V) << row.pin;
  }
}

// A Cold reset asserts a Warm reset (D1.6). A bench that leaves the Warm pin alone then makes a
// Cold reset, too.
TEST(DescriptionTest, AColdResetAssertsTheWarmPins) {
  std::string error;
  const Device device = Read("register 0 PMCR_EL0\nreset cold low\nreset warm high warm\n", &error);
  ASSERT_TRUE(device) << error;
  const struct {
    pmuv3_reset_kind kind;
    uint64_t cold, warm;
    bool is_driven;
  } rows[] = {{PMUV3_NO_RESET, 1, 0, true},
              {PMUV3_WARM_RESET, 1, 1, true},
              {PMUV3_COLD_RESET, 0, 1, true},
              {PMUV3_COLD_RESET, 0, 0, false}};
  for (const auto &row : rows) {
    pmuv3_record record;
    pmuv3_record_init(&record, device.get());
    record.was_reset = true;
    std::vector<uint64_t> driven(device->num_pins), values(device->num_pins);
    record.reset = row.kind;
    for (size_t p = 0; p < device->num_pins; p++) {
      const pmuv3_pin &pin = device->pins[p];
      driven[p] = pmuv3_record_get(&record, &pin);
      if (pin.role == PMUV3_ROLE_RESET) values[p] = pin.index == 1 ? row.warm : row.cold;
    }
    EXPECT_EQ(driven == values, row.is_driven) << row.cold << row.warm;
    const std::vector<uint64_t> unknown(device->num_pins);
    EXPECT_FALSE(pmuv3_record_pins(&record, device.get(), values.data(), unknown.data()));
    EXPECT_EQ(record.reset, row.kind) << row.cold << row.warm;
  }
}

TEST(DescriptionTest, PinsGoIntoRecordsAndBack) {
  std::string error;
  const Device device = Read(
      "register 0 PMCR_EL0\n"
      "reset rst low\n"
      "event 0x8 e[3:0]\n"
      "state el priv 3=1 0=0\n"
      "irq irq low\n"
      "visible overflow f\n"
      "visible flag 31 g\n",
      &error);
  ASSERT_TRUE(device) << error;
  pmuv3_record record;
  pmuv3_record_init(&record, device.get());
  for (size_t p = 0; p < device->num_pins; p++) {
    const pmuv3_pin &pin = device->pins[p];
    switch (pin.role) {
      case PMUV3_ROLE_RESET:
        pmuv3_record_set(&record, &pin, 0);
        EXPECT_EQ(record.reset, PMUV3_COLD_RESET);
        EXPECT_EQ(pmuv3_record_get(&record, &pin), 0u);
        break;
      case PMUV3_ROLE_EVENT:
        pmuv3_record_set(&record, &pin, 9);
        EXPECT_EQ(record.count[0], 9);
        EXPECT_EQ(pmuv3_record_get(&record, &pin), 9u);
        break;
      case PMUV3_ROLE_STATE:
        pmuv3_record_set(&record, &pin, 3);
        EXPECT_EQ(record.thread[0].state.el, 1);
        EXPECT_EQ(pmuv3_record_get(&record, &pin), 3u);
        break;
      case PMUV3_ROLE_IRQ:
        pmuv3_record_set(&record, &pin, 0);
        EXPECT_TRUE(record.thread[0].irq);
        break;
      case PMUV3_ROLE_SEEN_OVERFLOW:
        pmuv3_record_set(&record, &pin, 3);
        break;
      case PMUV3_ROLE_SEEN_FLAG:
        pmuv3_record_set(&record, &pin, 1);
        EXPECT_EQ(record.thread[0].overflow, 0x80000003u);
        break;
      default:
        break;
    }
  }
}

}  // namespace
