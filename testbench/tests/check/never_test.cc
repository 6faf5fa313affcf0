// What the list "never compared" has of what a recording left out: each thread, counter and port is
// a matter of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "testbench/cosim/check/bench/cover.h"
#include "testbench/cosim/check/bench/dut.h"
#include "testbench/cosim/check/bench/never.h"
#include "testbench/tests/check/synthetic.h"

namespace {

// A device by its records, which a test makes: nothing happens on its pins but what the test says.
class Recorded {
 public:
  explicit Recorded(const std::string &text) {
    std::string error;
    device_ = ReadDevice("pmuv3-device 1\n" + text, &error);
    EXPECT_TRUE(device_) << error;
    if (!device_) return;
    check_.reset(pmuv3_check_create(device_.get()));
    profile_find(&profile_, device_.get(), pmuv3_dut_width);
    pmuv3_record_init(&record, device_.get());
    static options options;
    options.recorded = "test";
    outcome_ = outcome_begin(&options, &profile_);
    cover_ = cover_create(device_.get(), check_.get(), outcome_.totals.reached, false);
  }
  ~Recorded() {
    cover_destroy(cover_);
    totals_free(&outcome_.totals);
  }

  // The accesses of the record are made in each of these clocks.
  void Clock(unsigned clocks = 1) {
    pmuv3_record_begin(&record, device_.get());
    for (size_t p = 0; p < device_->num_pins; p++)
      if (std::count(unknown.begin(), unknown.end(), device_->pins[p].name))
        pmuv3_record_unknown(&record, &device_->pins[p]);
    for (unsigned clock = 0; clock < clocks; clock++) {
      char words[400];
      ASSERT_TRUE(pmuv3_check_clock(check_.get(), &record))
          << pmuv3_check_words(check_.get(), words, sizeof words);
    }
  }

  void Reset() {
    record.reset = PMUV3_COLD_RESET;
    ASSERT_TRUE(pmuv3_check_clock(check_.get(), &record));
    record.reset = PMUV3_NO_RESET;
  }

  // An access in the next clock, of this one alone; of APB, its second clock.
  void Access(unsigned port, bool writes, uint64_t address, uint64_t data) {
    pmuv3_record_port *pins = &record.port[port];
    pins->request = pins->enable = true;
    pins->write = writes;
    pins->address = address;
    (writes ? pins->data : pins->value) = data;
    Clock();
    pins->request = pins->enable = false;
    pins->value = 0;
  }
  void Write(unsigned port, uint64_t address, uint64_t data) { Access(port, true, address, data); }
  void Read(unsigned port, uint64_t address, uint64_t data) { Access(port, false, address, data); }

  // The rows "WHAT: WHY" that have the text, in their order.
  std::vector<std::string> Never(const std::string &text) {
    EXPECT_TRUE(pmuv3_check_end(check_.get()));
    outcome_count(&outcome_, check_.get());
    std::vector<std::string> all, rows;
    never_compared(
        &outcome_,
        [](void *context, const never *never) {
          static_cast<std::vector<std::string> *>(context)->push_back(std::string(never->what) +
                                                                      ": " + never->why);
        },
        &all);
    for (const std::string &row : all)
      if (row.find(text) != std::string::npos) rows.push_back(row);
    return rows;
  }

  pmuv3_check_counts Counts() const {
    pmuv3_check_counts counts;
    pmuv3_check_count(check_.get(), &counts);
    return counts;
  }

  pmuv3_record record;
  std::vector<std::string> unknown;  // pins that are X

 private:
  Device device_;
  Check check_;
  profile profile_ = {};
  outcome outcome_ = {};
  struct cover *cover_ = nullptr;
};

using Rows = std::vector<std::string>;

// ---- Outputs and internals ----

const char kThreads[] =
    "param counters=2 threads=2 el2=0 features=PMUv3p9,EBEP\nclock clk\n"
    "irq@0 i0\nirq@1 i1\ncti@0 t0\ncti@1 t1\nexception@0 x0\nexception@1 x1\n"
    "port@0 csr request=r0 write=w0 address=a0 data=d0 value=q0 response=0 error=e0\n"
    "register@0 0 PMCNTENSET_EL0\n"
    "port@1 csr request=r1 write=w1 address=a1 data=d1 value=q1 response=0 error=e1\n"
    "registers@1 0 PMCNTENSET_EL0 PMOVSSET_EL0 PMINTENSET_EL1 PMCR_EL0\n"
    "visible@0 counter 0 c0\nvisible@0 counter 1 c01\nvisible@0 overflow o0\nvisible@0 V 0 v0\n"
    "visible@1 counter 0 c1\nvisible@1 counter 31 cc\nvisible@1 overflow o1\nvisible@1 V 1 v1\n";

// Whatever of one thread, or of one port, was X for good has its row, however often it was compared
// of others.
TEST(NeverTest, WhatWasXForGood) {
  const struct {
    const char *pin;
    Rows rows;
  } tests[] = {
      {"", {}},
      {"i1", {"thread 1: the interrupt: X in each clock"}},
      {"t0", {"thread 0: the CTI trigger: X in each clock"}},
      {"x1", {"thread 1: the PMU Profiling exception: X in each clock"}},
      {"e1", {"how accesses of port 1 end: X in each clock"}},
      {"cc", {"thread 1: counter 31 while nobody reads it: X in each clock"}},
      {"o1",
       {"thread 1: flag 0 while nobody reads it: X in each clock",
        "thread 1: flag 1 while nobody reads it: X in each clock"}},
      {"v0", {"thread 0: V of counter 0: X in each clock"}},
  };
  for (const auto &test : tests) {
    Recorded device(kThreads);
    for (unsigned port = 0; port < 2; port++) device.record.port[port].request = true;
    device.unknown = {test.pin};
    device.Clock(20);
    EXPECT_EQ(device.Never("X in each clock"), test.rows) << test.pin;
    EXPECT_EQ(device.Never("too few clocks"), Rows()) << test.pin;
  }
}

// Of several internals of a thread, each that was X, and none of the others. The flags of a thread
// count as one comparison, and as X if one of them is.
TEST(NeverTest, OneInternalThatWasX) {
  const struct {
    const char *line;
    pmuv3_compared kind;
  } internals[] = {{"visible counter ", PMUV3_COMPARED_COUNTER},
                   {"visible flag ", PMUV3_COMPARED_OVERFLOW},
                   {"visible V ", PMUV3_COMPARED_V}};
  for (const auto &[line, kind] : internals) {
    Recorded device(
        "param counters=2 el2=0 el3=0 features=PMUv3p1\nclock clk\n"
        "port csr request=r write=w address=a data=d value=q response=0\nregister 0 PMCR_EL0\n" +
        std::string(line) + "0 x0\n" + line + "1 x1\n");
    device.unknown = {"x1"};
    device.Clock(20);
    const Rows rows = device.Never("X in each clock");
    ASSERT_EQ(rows.size(), 1u) << line;
    EXPECT_NE(rows[0].find(" 1"), std::string::npos) << rows[0];
    EXPECT_GT(device.Counts().compared[kind], 0u) << line;
    EXPECT_EQ(device.Counts().unknown[kind], device.Counts().compared[kind]) << line;
  }
}

// X up to some clock is no such thing.
TEST(NeverTest, WhatWasXForATime) {
  Recorded device(kThreads);
  for (unsigned port = 0; port < 2; port++) device.record.port[port].request = true;
  device.unknown = {"i1", "t1", "x1", "e1", "c1", "o1", "v1"};
  device.Clock(20);
  device.unknown = {};
  device.Clock(2);  // V is of the clock before
  EXPECT_EQ(device.Never("X in each clock"), Rows());
}

// An interrupt that the model asserts, and of which the device shows X then, shows no latency,
// however often it was compared before.
TEST(NeverTest, LatencyOfAnInterruptThatWasX) {
  const Rows none = {"latency interrupt: no comparison saw an interrupt that was asserted"};
  for (const bool is_unknown : {false, true}) {
    Recorded device(kThreads);
    device.Write(1, 24, 1);
    device.Write(1, 16, 1);
    device.Write(1, 8, 1);
    device.record.thread[1].irq = device.record.thread[1].cti = true;
    device.record.thread[1].overflow = 1;
    if (is_unknown) device.unknown = {"i1", "t1"};
    device.Clock(20);
    EXPECT_EQ(device.Never("latency interrupt"), is_unknown ? none : Rows());
    EXPECT_EQ(device.Never("thread 1: the interrupt, asserted: no comparison saw it").size(),
              is_unknown);
  }
}

// X on the value leaves the error alone, and X on the error the value. A read that the model
// refuses has no value that X could hide.
TEST(NeverTest, ErrorsAndValuesThatWereX) {
  const std::string text =
      "param counters=2 el2=0 el3=0 features=PMUv3p1\nclock clk\nstate el el 0=0 1=1\n"
      "port csr request=r write=w address=a data=d value=q response=0 error=e checked\n"
      "register 0 PMINTENSET_EL1\n";
  Recorded value(text), error(text);
  value.unknown = {"q"};
  error.unknown = {"e"};
  for (Recorded *device : {&value, &error}) {
    device->Read(0, 0, 0);
    device->record.thread[0].state.el = 0;
    device->record.port[0].error = true;
    device->Read(0, 0, 0);
    device->Write(0, 0, 1);
    device->Clock(5);
  }
  EXPECT_EQ(value.Never("how accesses end"), Rows());
  EXPECT_EQ(value.Never("PMINTENSET_EL1:"),
            Rows{"PMINTENSET_EL1: no value was read, and each write refused"});
  EXPECT_EQ(error.Never("how accesses end"), Rows{"how accesses end: X in each clock"});
  EXPECT_EQ(error.Never("PMINTENSET_EL1:"),
            Rows{"what writes do in PMINTENSET_EL1: each write refused"});
  const pmuv3_check_counts values = value.Counts(), errors = error.Counts();
  EXPECT_EQ(values.unknown[PMUV3_COMPARED_READ], 1u);
  EXPECT_EQ(values.compared[PMUV3_COMPARED_ERROR], 3u);
  EXPECT_EQ(errors.unknown[PMUV3_COMPARED_ERROR], 3u);
  EXPECT_EQ(errors.compared[PMUV3_COMPARED_READ], 1u);
  EXPECT_EQ(values.refused, 1u);
  EXPECT_EQ(errors.refused, 1u);
}

// A port that nobody used.
TEST(NeverTest, ErrorsOfAPortWithoutAnAccess) {
  Recorded device(kThreads);
  device.record.port[0].request = true;
  device.Clock(20);
  EXPECT_EQ(device.Never("how accesses"), Rows{"how accesses of port 1 end: no access ended"});
}

// Without a second port or thread, nothing is said of which one.
TEST(NeverTest, OfOneThread) {
  const std::string device =
      "param counters=2 el2=0 el3=0 features=PMUv3p1\nclock clk\nirq i\n"
      "port csr request=r write=w address=a data=d value=q response=0 error=e\n"
      "register 0 PMCNTENSET_EL0\nvisible counter 1 c\n";
  Recorded unknown(device);
  unknown.record.port[0].request = true;
  unknown.unknown = {"i", "e", "c"};
  unknown.Clock(20);
  EXPECT_EQ(unknown.Never("X in each clock"),
            (Rows{"the interrupt: X in each clock", "how accesses end: X in each clock",
                  "counter 1 while nobody reads it: X in each clock"}));
  Recorded none(device.substr(0, device.find("visible")));
  none.Clock(20);
  EXPECT_EQ(none.Never("counters while"),
            Rows{"counters while nobody reads them: no `visible counter` line"});
  EXPECT_EQ(none.Never("the CTI"), Rows{"the CTI trigger: no `cti` line"});
}

// A counter that was in doubt throughout, beside one that a quiet write has made known again; and
// its flag.
TEST(NeverTest, OneCounterInDoubt) {
  Recorded device(
      "param counters=2 el2=0 el3=0 features=PMUv3p1\nclock clk\nevent 0x8 ev\n"
      "port csr request=r write=w address=a data=d value=q response=0\n"
      "registers 0 PMCR_EL0 PMEVCNTR0_EL0 PMOVSCLR_EL0\n"
      "visible counter 0 c0\nvisible counter 1 c1\nvisible overflow o\nmode settled\n");
  device.record.count[0] = 1;
  device.Write(0, 0, 0);  // who knows whether the event came before it
  device.record.count[0] = 0;
  device.Clock(30);
  device.Write(0, 8, 0);
  device.Clock(30);
  device.Write(0, 16, 1);
  device.Clock(30);
  EXPECT_EQ(device.Never("in doubt each time"),
            (Rows{"counter 1 while nobody reads it: in doubt each time",
                  "flag 1 while nobody reads it: in doubt each time"}));
}

// ---- Events ----

const char kUncounted[] = "no counter counted it";

// A counter of the number that counts something else does not count these occurrences.
TEST(NeverTest, EventsThatAFilterLeavesOut) {
  for (const unsigned el : {0, 1}) {
    Recorded device(
        "param counters=2 el2=0 el3=0 features=PMUv3p1\nclock clk\n"
        "event 0x8 a\nevent 0x8 b other\nother el from\n"
        "port csr request=r write=w address=a0 data=d value=q response=0\n"
        "registers 0 PMCR_EL0 PMCNTENSET_EL0 PMEVTYPER0_EL0\n");
    device.Write(0, 8, 1);
    device.Write(0, 16, PMUV3_MASK(PMEVTYPER, U) | 8);  // not at EL0
    device.Write(0, 0, 1);
    device.record.count[0] = device.record.count[1] = 1;
    device.record.thread[0].other.el = static_cast<uint8_t>(el);
    device.Clock();
    EXPECT_EQ(device.Never(kUncounted),
              el ? Rows()
                 : Rows{"event 0x0008 of thread 0 on b: no counter counted it in an observed "
                        "clock"})
        << el;
  }
}

// With MT = 1 a counter counts events of another thread, too.
TEST(NeverTest, EventsThatAnotherThreadCounts) {
  const std::string other = "event 0x0008 of thread 1: no counter counted it in an observed clock";
  for (const uint64_t mt : {UINT64_C(0), PMUV3_MASK(PMEVTYPER, MT)}) {
    Recorded device(
        "param counters=2 threads=2 el2=0 el3=0 features=PMUv3p1,MTPMU\nclock clk\n"
        "event@0 0x8 e0\nevent@1 0x8 e1\n"
        "port@1 csr request=r write=w address=a data=d value=q response=0\n"
        "registers@1 0 PMCR_EL0 PMCNTENSET_EL0 PMEVTYPER0_EL0\n");
    device.Write(0, 8, 1);
    device.Write(0, 16, mt | 8);
    device.Write(0, 0, 1);
    device.record.count[0] = 1;
    device.Clock();
    Rows rows = {other};
    if (!mt)
      rows.insert(rows.begin(), std::regex_replace(other, std::regex("thread 1"), "thread 0"));
    EXPECT_EQ(device.Never(kUncounted), rows);
  }
}

// The instruction counter is a counter of INST_RETIRED, too.
TEST(NeverTest, EventsThatTheInstructionCounterCounts) {
  for (const bool counts : {false, true}) {
    Recorded device(
        "param counters=2 el2=0 el3=0 features=PMUv3p9,ICNTR\nclock clk\nevent 0x8 e\n"
        "port csr request=r write=w address=a data=d value=q response=0\n"
        "registers 0 PMCR_EL0 PMCNTENSET_EL0\n");
    device.Write(0, 8, counts ? PMUV3_MASK(PMCNTENSET, F0) : 1);
    device.Write(0, 0, 1);
    device.record.count[0] = 1;
    device.Clock();
    EXPECT_EQ(device.Never(kUncounted).empty(), counts);
  }
}

// ---- Carries ----

// What a write or a reset leaves is 0 as after a carry, also in the clock of a carry.
TEST(NeverTest, UpperCyclesAfterACarry) {
  const char text[] =
      "param counters=2 el2=0 el3=0 features=PMUv3p1\nclock clk\n"
      "port csr request=r write=w address=a data=d value=q response=0\n"
      "registers 0 PMCR_EL0 PMCNTENSET_EL0 PMCCNTR_EL0\n";
  const auto rows_of = [&text](bool counts, uint64_t before, auto change, uint64_t after) {
    Recorded device(text);
    device.Write(0, 8, uint64_t{1} << 31);
    device.Write(0, 0, counts);
    device.Write(0, 16, before);
    change(&device);
    device.Read(0, 16, after);
    device.Clock(5);
    return device.Never("after a carry");
  };
  const auto wait = [](Recorded *device) { device->Clock(); };
  const auto write = [](Recorded *device) { device->Write(0, 16, 0); };
  const auto clear = [](Recorded *device) { device->Write(0, 0, PMUV3_MASK(PMCR, C)); };
  const auto reset = [](Recorded *device) { device->Reset(); };
  const Rows none = {"bits [63:32] of the cycle counter after a carry: no comparison saw them"};
  EXPECT_EQ(rows_of(true, UINT32_MAX, wait, uint64_t{1} << 32), Rows());
  EXPECT_EQ(rows_of(true, UINT64_MAX, wait, 0), Rows());
  for (const bool counts : {false, true}) {
    EXPECT_EQ(rows_of(counts, UINT64_MAX, write, 0), none);
    EXPECT_EQ(rows_of(counts, UINT64_MAX, clear, 0), none);
    EXPECT_EQ(rows_of(counts, UINT64_MAX, reset, 0), none);
  }
  EXPECT_EQ(rows_of(false, UINT64_MAX, wait, UINT64_MAX), none);
}

// ---- Writes that the model does not do ----

// An APB port with the page, word by word, beside a port of the core. After a reset the Software
// Lock is closed (E.9/PMLAR).
const char kPage[] =
    "param counters=2 el2=0 el3=0 features=PMUv3p9,EXT32\nclock clk\n"
    "port csr request=r write=w address=a data=d value=q response=0\nregister 0 PMINTENSET_EL1\n"
    "port apb select=s enable=e write=w1 address=a1 data=d1 value=q1\n"
    "register 0x400 page.0x400 port=1\nregister 0xFB0 page.0xFB0 port=1\n";

TEST(NeverTest, WritesThatTheSoftwareLockIgnores) {
  Recorded locked(kPage);
  locked.Write(0, 0, 1);
  for (unsigned n = 0; n < 3; n++) locked.Write(1, 0x400, 8);
  locked.Read(1, 0x400, 0);
  locked.Clock(5);
  EXPECT_EQ(locked.Never("page.0x400:"),
            Rows{"what writes do in page.0x400: each write ignored: Software Lock"});
  EXPECT_EQ(locked.Never("PMINTENSET_EL1:"), Rows{"PMINTENSET_EL1: no value was read"});
  Recorded never_read(kPage);
  never_read.Write(1, 0x400, 8);
  never_read.Clock(5);
  EXPECT_EQ(never_read.Never("page.0x400:"),
            Rows{"page.0x400: no value was read, and each write ignored: Software Lock"});
  EXPECT_EQ(never_read.Never("latency write"), Rows{"latency write: no register was written"});
  Recorded open(kPage);
  open.Write(1, 0x400, 8);
  open.Write(1, 0xFB0, 0xC5ACCE55);
  open.Write(1, 0x400, 8);
  open.Read(1, 0x400, 8);
  open.Clock(5);
  EXPECT_EQ(open.Never("page.0x400:"), Rows());
  EXPECT_EQ(open.Never("latency write"), Rows());
}

// The state refuses all writes through a port that it judges.
TEST(NeverTest, WritesThatTheStateRefuses) {
  const std::string device =
      "param counters=2 el2=0 el3=0 features=PMUv3p1\nclock clk\nstate el el 0=0 1=1\n"
      "port csr request=r write=w address=a data=d value=q response=0 checked\n"
      "register 0 PMINTENSET_EL1\n";
  for (const unsigned el : {0, 1}) {
    Recorded of(device);
    of.record.thread[0].state.el = static_cast<uint8_t>(el);
    of.Write(0, 0, 1);
    of.record.thread[0].state.el = 1;
    of.Read(0, 0, el);
    of.Clock(5);
    EXPECT_EQ(of.Never("PMINTENSET_EL1:"),
              el ? Rows() : Rows{"what writes do in PMINTENSET_EL1: each write refused"});
    EXPECT_EQ(of.Never("latency write"),
              el ? Rows() : Rows{"latency write: no register was written"});
  }
}

}  // namespace
