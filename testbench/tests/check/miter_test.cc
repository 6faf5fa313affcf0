// The miter of `pmuv3 check --prove`: each output of a device is compared, and a defect is planted
// into each.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <vector>

#include "testbench/cosim/check/glue/miter.h"
#include "testbench/tests/check/synthetic.h"

namespace {

// Two threads with all kinds of outputs: a CSR port that answers when it likes, and APB.
const char kDevice[] =
    "pmuv3-device 1\n"
    "param counters=2 threads=2 el2=0 el3=0 features=PMUv3p1\n"
    "clock clk\n"
    "reset rst low\n"
    "event 0x8 retired\n"
    "state el level 0=0 1=1\n"
    "irq irq\n"
    "cti trigger\n"
    "exception pends\n"
    "irq@1 irq1 low\n"
    "port csr request=req write=we address=addr data=wdata ready=ready response=resp value=rdata "
    "error=err width=32\n"
    "port@1 apb select=sel enable=en write=wr address=paddr data=pwdata ready=pready value=prdata "
    "error=perr\n"
    "register 0 PMCR_EL0\n"
    "register@1 0 PMCR_EL0\n"
    "visible counter 0 cnt0\n"
    "visible counter 1 cnt1\n"
    "visible counter 31 cycles\n"
    "visible overflow flags\n"
    "visible flag 31 flag31\n"
    "visible@1 flag 0 flag1\n"
    "latency read 2\n";

// As a port of the device has it, or an internal.
std::vector<miter_pin> Pins(const pmuv3_device *device) {
  std::vector<miter_pin> pins(device->num_pins);
  for (size_t p = 0; p < pins.size(); p++) {
    const unsigned width = device->pins[p].role == PMUV3_ROLE_EXCEPTION      ? 4
                           : device->pins[p].role == PMUV3_ROLE_SEEN_COUNTER ? 32
                                                                             : 1;
    pins[p] = {0, width, width, false};
  }
  return pins;
}

std::string Miter(const pmuv3_device *device, const std::vector<miter_pin> &pins) {
  char *text = nullptr;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  EXPECT_TRUE(miter_print(out, device, "top", pins.data()));
  fclose(out);
  const std::string miter(text, size);
  free(text);
  return miter;
}

std::string Miter(const pmuv3_device *device) {
  return Miter(device, Pins(device));
}

Device ReadMiterDevice() {
  std::string error;
  Device device = ReadDevice(kDevice, &error);
  EXPECT_TRUE(device) << error;
  EXPECT_EQ(miter_refused(device.get()), nullptr);
  return device;
}

// What stands behind `start`, up to the end of its line.
std::set<std::string> Lines(const std::string &text, const std::string &start) {
  std::set<std::string> lines;
  for (size_t at = 0; (at = text.find(start, at)) != std::string::npos;) {
    at += start.size();
    lines.insert(text.substr(at, text.find('\n', at) - at));
  }
  return lines;
}

TEST(MiterTest, EachOutputHasADefect) {
  const Device device = ReadMiterDevice();
  const std::set<std::string> defects = {"retired does not count",
                                         "irq is inverted",
                                         "trigger is inverted",
                                         "pends is inverted",
                                         "irq1 is inverted",
                                         "cnt0 is inverted",
                                         "cnt1 is inverted",
                                         "cycles is inverted",
                                         "flags is inverted",
                                         "flag31 is inverted",
                                         "flag1 is inverted",
                                         "port 0 does not write",
                                         "port 0 reads inverted values",
                                         "port 0 ends reads wrongly",
                                         "port 0 answers too early",
                                         "port 0 never answers",
                                         "port 1 does not write",
                                         "port 1 reads inverted values",
                                         "port 1 ends reads wrongly",
                                         "port 1 ends writes wrongly",
                                         "port 1 answers too early",
                                         "port 1 never answers"};
  EXPECT_EQ(Lines(Miter(device.get()), "// defect: "), defects);
}

// A read of another register, while the value of the read before is on its way. Where that value
// has time to pass, there is no such read.
TEST(MiterTest, TheLastValueIsNoAnswer) {
  std::string text = kDevice, error;
  for (const char *reg : {"register 0 PMCR_EL0\n", "register@1 0 PMCR_EL0\n"}) {
    std::string second = std::regex_replace(reg, std::regex("0 PMCR"), "4 PMSELR");
    text.replace(text.find(reg), 0, second);
  }
  const std::string latencies[] = {"", "latency swinc 1\n", "latency write 2\n"};
  const std::set<std::string> ports[] = {{"0", "1"}, {"0"}, {}};
  for (size_t l = 0; l < 3; l++) {
    const Device device = ReadDevice(text + latencies[l], &error);
    ASSERT_TRUE(device) << error;
    const std::string miter = Miter(device.get());
    const std::set<std::string> defects = Lines(miter, "// defect: ");
    for (const std::string port : {"0", "1"}) {
      EXPECT_EQ(defects.count("port " + port + " answers with the last value"),
                ports[l].count(port))
          << latencies[l] << port;
      EXPECT_EQ(Lines(miter, "  wire early_" + port + " = answered_" + port + " && !(").size(), 1u);
    }
  }
}

// rtl/ writes what a register holds where the device does not write it, but for a counter, which
// counts on there.
TEST(MiterTest, BitsThatTheDeviceDoesNotWrite) {
  const std::string head =
      "pmuv3-device 1\nparam counters=2 el3=0 features=PMUv3p9,EXT64\nclock clk\n"
      "port csr request=req write=we address=addr data=wdata value=rdata width=32\n";
  const struct {
    const char *line, *kept; /* of the register, or "" */
  } rows[] = {
      {"register 0 MDCR_EL2", ""},
      {"register 0 MDCR_EL2 write=0xFFFFFFE0", " ? 64'h1f & (probe_mdcr_el2[0+:64] >> 0) : 64'h0)"},
      {"register 0 PMCCFILTR_EL0 write=0x7FFFFFFF",
       " ? 64'h80000000 & (probe_pmccfiltr[0+:64] >> 0) : 64'h0)"},
      {"register 0 PMEVTYPER1_EL0 write=0xFFFF7FFF",
       " ? 64'h8000 & (evtyper[64+:64] >> 0) : 64'h0)"},
      {"register 0 PMCNTENSET_EL0 write=1", ""},
      {"register 0 page.0xC00 write=1", ""},
      {"register 0 page.0xC10 write=0x80000001",
       " ? 64'h2 & (({62'b0, fixed_cnten[0+:2]} << 31 | cnten[0+:2]) >> 0) : 64'h0)"},
  };
  for (const auto &row : rows) {
    std::string error;
    const Device device = ReadDevice(head + row.line + "\n", &error);
    ASSERT_TRUE(device) << error;
    EXPECT_EQ(miter_refused(device.get()), nullptr) << row.line;
    const std::string miter = Miter(device.get()), start = "      | (acts_0[64:64] == 1'h0";
    EXPECT_EQ(Lines(miter, start), *row.kept ? std::set<std::string>{std::string(row.kept) + ";"}
                                             : std::set<std::string>{})
        << row.line;
  }
  for (const char *counter : {"PMEVCNTR0_EL0", "PMCCNTR_EL0.high", "PMXEVCNTR_EL0", "page.0x000"}) {
    std::string error;
    const Device device = ReadDevice(head + "register 0 " + counter + " write=0xFFFF\n", &error);
    ASSERT_TRUE(device) << error;
    EXPECT_STREQ(miter_refused(device.get()), "needs all bits of a counter in \"write=\"")
        << counter;
  }
  const std::string extpmn = "pmuv3-device 1\nparam counters=2 features=PMUv3p9,EXT64,EXTPMN\n" +
                             head.substr(head.find("clock"));
  for (const char *line : {"register 0 MDCR_EL2", "register 0 MDCR_EL2 write=0x80"}) {
    std::string error;
    const Device device = ReadDevice(extpmn + line + "\n", &error);
    ASSERT_TRUE(device) << error;
    EXPECT_STREQ(miter_refused(device.get()),
                 std::string(line).find("write=") != std::string::npos
                     ? "needs all bits of HPMN in \"write=\", with EXTPMN"
                     : nullptr);
  }
}

// docs/design/check.md, What a proof does not cover
TEST(MiterTest, SaysWhatIsNotCovered) {
  const std::set<std::string> always = {
      "states that no pin can say",
      "registers that no line names, and bits outside `read=` or `write=`",
      "outputs that no line names",
      "counters and flags without a `visible` line, while nobody reads them",
      "outputs in a clock with a reset, and until the latencies have passed after it",
      "combinational paths from an input to an output within one clock",
      "glitches between rising edges, and a second clock domain",
      "illegal input: unaligned APB, an unlisted address",
      "X propagation, power, timing"};
  std::set<std::string> of_device = {
      "requests while a read of the port waits for its answer",
      "resets that are shorter than the one that the proof begins with",
      "events, requests and changes of the state in a clock with a reset",
      "answers that nobody asked for", "whether writes of a port with a response pin failed"};
  of_device.insert(always.begin(), always.end());
  EXPECT_EQ(Lines(Miter(ReadMiterDevice().get()), "// uncovered: "), of_device);

  std::string error;
  const Device other = ReadDevice(
      "pmuv3-device 1\nparam counters=2 aa32=el2 features=PMUv3p1\nclock clk\nreset rst low\n"
      "reset warm low warm\nclock_enable run\nevent 0x8 retired max=1\ntie test 0\n"
      "state el level 0=0 1=1 2=1 3=3\nabsent cycles\nabsent event 0x1E\n"
      "absent PMCR_EL0.LC\n"
      "port csr request=req write=we address=addr data=wdata value=rdata response=1 width=32\n"
      "registers 0 HDCR PMSELR\nlatency write 1 state 2 read 1\n",
      &error);
  ASSERT_TRUE(other) << error;
  ASSERT_EQ(miter_refused(other.get()), nullptr);
  std::vector<miter_pin> pins = Pins(other.get());
  for (miter_pin &pin : pins) pin.width = pin.port_width = 2;
  std::set<std::string> of_other = {
      "accesses of a port that follow each other so soon that their latencies matter",
      "accesses in the first `latency state` Processor cycles after a reset",
      "Warm resets",
      "resets that are shorter than the one that the proof begins with",
      "a reset by some of several pins",
      "resets while the clock enable is low",
      "events, requests and changes of the state in a clock with a reset",
      "reserved values of HPMN",
      "PMSELR that selects the cycle counter, with `absent cycles`",
      "other values of `absent` fields",
      "counters that select an `absent` event",
      "more occurrences of an event than a cycle can have, or than `max=`",
      "other values of pins of `tie` lines",
      "of several values of a pin that say the same state, all but the first"};
  of_other.insert(always.begin(), always.end());
  EXPECT_EQ(Lines(Miter(other.get(), pins), "// uncovered: "), of_other);
}

// rtl/ gets no access that does nothing, so it does not say how one ends.
TEST(MiterTest, SaysWhichEndsAreNotCovered) {
  const std::string head =
      "pmuv3-device 1\nparam counters=2 el2=0 el3=0 features=PMUv3p1\nclock clk\n"
      "port csr request=req write=we address=addr data=wdata value=rdata width=32";
  const std::string reads = "how reads end of a register that has no value";
  const std::string writes = "how writes end of a register of which no bit is written";
  const struct {
    const char *port, *reg;
    bool has_reads, has_writes;
  } rows[] = {
      {"", "PMSWINC_EL0", false, false},
      {"", "PMCEID0_EL0", false, false},
      {" error=err", "PMCR_EL0", false, false},
      {" error=err", "PMSWINC_EL0", true, false},
      {" error=err", "PMCEID0_EL0", false, true},
      {" error=err checked", "PMSWINC_EL0", false, false},
      {" error=err checked", "PMCEID0_EL0", false, false},
      {" error=err response=resp", "PMSWINC_EL0", true, false},
      {" error=err response=resp", "PMCEID0_EL0", false, false},
  };
  for (const auto &row : rows) {
    const std::string text = head + row.port + "\nregister 0 " + row.reg + "\n";
    std::string error;
    const Device device = ReadDevice(text, &error);
    ASSERT_TRUE(device) << text << error;
    const std::set<std::string> uncovered = Lines(Miter(device.get()), "// uncovered: ");
    EXPECT_EQ(uncovered.count(reads) == 1, row.has_reads) << text;
    EXPECT_EQ(uncovered.count(writes) == 1, row.has_writes) << text;
  }
}

// Two pins of 8 bits that add up can say more than the 255 occurrences of a cycle.
TEST(MiterTest, SaysThatPinsTogetherAreLimited) {
  std::string text = kDevice, error;
  text.replace(text.find("event 0x8"), 0, "event 0x12 a+b\n");
  const Device device = ReadDevice(text, &error);
  ASSERT_TRUE(device) << error;
  const std::string excess = "more occurrences of an event than a cycle can have, or than `max=`";
  std::vector<miter_pin> pins = Pins(device.get());
  EXPECT_EQ(Lines(Miter(device.get(), pins), "// uncovered: ").count(excess), 0u);
  for (size_t p = 0; p < pins.size(); p++)
    if (device->pins[p].role == PMUV3_ROLE_EVENT) pins[p].width = pins[p].port_width = 8;
  EXPECT_EQ(Lines(Miter(device.get(), pins), "// uncovered: ").count(excess), 1u);
}

TEST(MiterTest, EachOutputIsCompared) {
  const Device device = ReadMiterDevice();
  const std::string miter = Miter(device.get());
  const std::set<std::string> all = Lines(miter, "  assign differs = ");
  ASSERT_EQ(all.size(), 1u);
  const std::string &differs = *all.begin();
  unsigned outputs = 0;
  for (size_t p = 0; p < device->num_pins; p++) {
    const pmuv3_role role = static_cast<pmuv3_role>(device->pins[p].role);
    if (pmuv3_role_is_input(role) || (role >= PMUV3_ROLE_REQUEST && role <= PMUV3_ROLE_ERROR))
      continue;
    const std::string number = std::to_string(p);
    EXPECT_NE((differs + " ").find("|| differs_" + number), std::string::npos)
        << device->pins[p].name;
    EXPECT_NE(miter.find("planted_pin_" + number + "}}) != expected_" + number), std::string::npos)
        << device->pins[p].name;
    outputs++;
  }
  EXPECT_EQ(outputs, 10u);
  for (const char *port : {"0", "1"})
    for (const char *of :
         {"early_", "hangs_", "differs_value_", "differs_error_", "differs_fault_"})
      EXPECT_NE(differs.find(std::string("|| ") + of + port), std::string::npos) << of << port;
}

// A pin of several events has one driver and one defect, and a delay for each event.
TEST(MiterTest, PinsOfSeveralEvents) {
  std::string text = kDevice, error;
  text.replace(text.find("event 0x8"), 0, "event 0x12 retired|missed latency=2\n");
  const Device device = ReadDevice(text, &error);
  ASSERT_TRUE(device) << error;
  const std::string miter = Miter(device.get());
  const std::set<std::string> defects = Lines(miter, "// defect: ");
  EXPECT_TRUE(defects.count("retired does not count"));
  EXPECT_TRUE(defects.count("missed does not count"));
  EXPECT_EQ(Lines(miter, "  pmuv3_delay #(1, 2) delay_event_").size(), 2u);
  EXPECT_EQ(Lines(miter, "  pmuv3_delay #(1, 0) delay_event_").size(), 1u);
  size_t retired = 0;
  while (std::string(device->pins[retired].name) != "retired") retired++;
  const std::string number = std::to_string(retired);
  EXPECT_EQ(Lines(miter, "  assign d_" + number + " = ").size(), 1u);
  unsigned drives = 0;
  for (const std::string &delay : Lines(miter, "delay_event_"))
    drives += delay.find(": d_" + number + ", ") != std::string::npos;
  EXPECT_EQ(drives, 2u);
  EXPECT_EQ(Lines(miter, " = late_0 + late_1").size(), 1u);
  EXPECT_NE(miter.find(" > 1 ? 1 : sum_"), std::string::npos);
}

// What cannot occur is no input: a debugger's operation on a running thread, and more on all pins
// of an event than a cycle can have.
TEST(MiterTest, EventsThatCannotOccur) {
  std::string text = kDevice, error;
  text.replace(text.find("event 0x8"), 0,
               "event 0x16 op debugger\nstate halted h 2=1 3=0\nevent 0x12 a+b\n");
  const Device device = ReadDevice(text, &error);
  ASSERT_TRUE(device) << error;
  const std::string miter = Miter(device.get());
  std::map<std::string, std::string> number;
  for (size_t p = 0; p < device->num_pins; p++) number[device->pins[p].name] = std::to_string(p);
  const auto driver = [&](const std::string &pin) {
    return "  assign d_" + number[pin] + " = reset";
  };
  EXPECT_NE(miter.find(driver("op") + " || !(0 || d_" + number["h"] + " == 2) ? 0"),
            std::string::npos);
  for (const char *pin : {"a", "b"})
    EXPECT_NE(miter.find(driver(pin) + " || 16'd0 + pin_" + number["a"] + " + pin_" + number["b"] +
                         " > 16'd255 ? 0"),
              std::string::npos);
}

// Where a member of pe_t is, rtl/ alone says.
TEST(MiterTest, StatesHaveNames) {
  const Device device = ReadMiterDevice();
  const std::string miter = Miter(device.get());
  EXPECT_NE(miter.find("    pe_0.el = "), std::string::npos);
  EXPECT_NE(miter.find("  assign reset_pe_1.fgt = 64'h0;"), std::string::npos);
}

}  // namespace
