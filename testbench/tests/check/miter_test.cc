// The miter of `pmuv3 check --prove`: each output of a device is compared, and a defect is planted
// into each.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
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

std::string Miter(const pmuv3_device *device) {
  char *text = nullptr;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  EXPECT_TRUE(miter_print(out, device, "top", Pins(device).data()));
  fclose(out);
  const std::string miter(text, size);
  free(text);
  return miter;
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
