// The checker against devices whose delays are known.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <regex>
#include <stdexcept>
#include <vector>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // functions and structs of the same name, legal in C
#include "pmuv3/pmuv3.h"
#pragma GCC diagnostic pop
#include "testbench/cosim/check/bench/player.h"
#include "testbench/cosim/check/bench/random.h"
#include "testbench/cosim/check/bench/shrink.h"
#include "testbench/tests/check/synthetic.h"

namespace {

constexpr uint64_t kClocks = 20000;

struct Result {
  bool diverged = false;
  pmuv3_check_divergence divergence = {};
  pmuv3_check_counts counts = {};
  std::string words;
};

// Random stimulus on the synthetic device, which is as `synthetic` says, against the description.
Result RunDevice(const std::string &text, uint64_t seed = 1, uint64_t clocks = kClocks) {
  std::string error;
  const Device device = ReadDevice(text, &error);
  EXPECT_TRUE(device) << error;
  if (!device) return {};
  const Check check(pmuv3_check_create(device.get()));
  static profile profile;
  profile_find(&profile, device.get(), pmuv3_dut_width);
  struct player *player = player_create(&profile, check.get());
  struct random *random = random_create(&profile, seed);
  bool good = player_start(player, 1);
  while (good && player_clocks(player) < clocks) good = player_play(player, random_next(random));
  if (good) good = player_finish(player);
  Result result;
  char words[400];
  result.diverged = !good;
  result.words = pmuv3_check_words(check.get(), words, sizeof words);
  if (pmuv3_check_diverged(check.get())) result.divergence = *pmuv3_check_diverged(check.get());
  pmuv3_check_count(check.get(), &result.counts);
  random_destroy(random);
  player_destroy(player);
  return result;
}

class EngineTest : public testing::Test {
 protected:
  void SetUp() override {
    synthetic = Synthetic();
    synthetic.response = 2;
  }
};

TEST_F(EngineTest, NoLatency) {
  const Result result = RunDevice(DeviceText(""));
  EXPECT_FALSE(result.diverged) << result.words;
  EXPECT_GT(result.counts.compared[PMUV3_COMPARED_READ], 1000u);
  EXPECT_GT(result.counts.compared[PMUV3_COMPARED_IRQ], kClocks - 500);
  EXPECT_EQ(result.counts.uncertain[PMUV3_COMPARED_READ], 0u);
}

// Each latency alone: right if it is declared; found if it is declared one too small or too large.
struct Kind {
  const char *name;
  unsigned Synthetic::*latency;
};

class LatencyTest : public EngineTest, public testing::WithParamInterface<Kind> {};

TEST_P(LatencyTest, IsFoundUnlessItIsDeclared) {
  const Kind kind = GetParam();
  for (unsigned latency = 0; latency <= 2; latency++) {
    for (unsigned declared = 0; declared <= 3; declared++) {
      synthetic.*kind.latency = latency;
      synthetic.response = synthetic.read;  // the earliest: a later look sees less
      const std::string line =
          std::string("latency ") + kind.name + " " + std::to_string(declared) + "\n";
      const Result result = RunDevice(
          DeviceText(line, "response=" + std::to_string(synthetic.response)), 1, 4 * kClocks);
      EXPECT_EQ(result.diverged, latency != declared)
          << kind.name << " " << latency << ", declared " << declared << ": " << result.words;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, LatencyTest,
    testing::Values(Kind{"event", &Synthetic::event}, Kind{"state", &Synthetic::state},
                    Kind{"swinc", &Synthetic::swinc}, Kind{"write", &Synthetic::write},
                    Kind{"flag", &Synthetic::flag}, Kind{"interrupt", &Synthetic::interrupt},
                    Kind{"read", &Synthetic::read}),
    [](const auto &kind) { return kind.param.name; });

TEST_F(EngineTest, AllLatenciesAtOnce) {
  synthetic.event = 3, synthetic.state = 1, synthetic.swinc = 2, synthetic.write = 1;
  synthetic.flag = 2, synthetic.interrupt = 3, synthetic.read = 2;
  const std::string latencies =
      "latency event 3\nlatency state 1\nlatency swinc 2\nlatency write 1\nlatency flag 2\n"
      "latency interrupt 3\nlatency read 2\n";
  for (uint64_t seed = 1; seed <= 5; seed++) {
    const Result result = RunDevice(DeviceText(latencies), seed);
    EXPECT_FALSE(result.diverged) << "seed " << seed << ": " << result.words;
  }
}

// The clock enable: the strobe travels with the events.
TEST_F(EngineTest, ClockEnable) {
  for (unsigned latency = 0; latency <= 2; latency++) {
    synthetic.event = synthetic.clock = latency;
    const std::string declared = std::to_string(latency);
    const Result result = RunDevice(DeviceText("clock_enable ce\nlatency event " + declared +
                                               "\nlatency clock " + declared + "\n"));
    EXPECT_FALSE(result.diverged) << latency << ": " << result.words;
    EXPECT_LT(result.counts.cycles, result.counts.clocks - 300);
  }
}

// Flip-flops behind the clock enable stop with the clock, so each event counts once, however long.
TEST_F(EngineTest, EventsWaitForTheClock) {
  for (unsigned clock = 0; clock <= 1; clock++)
    for (unsigned held = 1; held <= 2; held++) {
      SetUp();
      synthetic.event = synthetic.clock = clock;
      synthetic.event_held = held;
      const std::string text =
          DeviceText("clock_enable ce\nlatency event " + std::to_string(clock + held) + " clock " +
                     std::to_string(clock) + "\n");
      const Result right = RunDevice(text);
      EXPECT_FALSE(right.diverged) << clock << " " << held << ": " << right.words;
      synthetic.loses_held = true;
      EXPECT_TRUE(RunDevice(text).diverged) << clock << " " << held;
    }
}

// A clock enable that is known before the events of its cycle.
TEST_F(EngineTest, EnableBeforeTheEvents) {
  synthetic.clock = 1;
  const Result result = RunDevice(DeviceText("clock_enable ce\nlatency clock 1\n"));
  EXPECT_FALSE(result.diverged) << result.words;
}

// States pass whatever the enable is, unless the description says that they wait for the clock.
TEST_F(EngineTest, StatesThatWaitForTheClock) {
  for (unsigned held = 0; held <= 2; held++) {
    SetUp();
    synthetic.clock = synthetic.event = 1;
    synthetic.state = held ? 1 : 2;
    synthetic.state_held = held;
    const std::string latencies =
        "\nlatency event 1 clock 1 state " + std::to_string(held ? 1 + held : 2) + "\n";
    for (const bool says_so : {false, true}) {
      const std::string enable = says_so ? "clock_enable ce state" : "clock_enable ce";
      const Result result = RunDevice(DeviceText(enable + latencies), 1, 20 * kClocks);
      EXPECT_EQ(result.diverged, says_so != (held > 0)) << held << ": " << result.words;
    }
  }
}

TEST_F(EngineTest, FlagsThatWaitForTheClock) {
  for (const bool held : {false, true})
    for (const bool says_so : {false, true}) {
      synthetic.flag = 2;
      synthetic.flag_held = held;
      const std::string enable = says_so ? "clock_enable ce flag" : "clock_enable ce";
      const Result result = RunDevice(DeviceText(enable + "\nlatency flag 2\n"), 1, 20 * kClocks);
      EXPECT_EQ(result.diverged, says_so != held) << result.words;
    }
}

// Also where its operations are not as late as the states, and where that is not known.
TEST_F(EngineTest, OperationsOfADebuggerApart) {
  for (unsigned event = 0; event <= 2; event++)
    for (unsigned state = 0; state <= 2; state++) {
      SetUp();
      synthetic.event = event;
      synthetic.state = state;
      const std::string text =
          DeviceText("event 0x24 op debugger\nstate halted h\nlatency event " +
                     std::to_string(event) + " state " + std::to_string(state) + "\n");
      const Result result = RunDevice(text, 1, 2 * kClocks);
      EXPECT_FALSE(result.diverged) << event << " " << state << ": " << result.words;
      EXPECT_EQ(synthetic.operations, 0u) << event << " " << state;
    }
}

// With latency clock an event's pin matters although the enable is low.
TEST_F(EngineTest, UnknownEventsOfAnEarlyEnable) {
  for (const bool early : {false, true}) {
    std::string error;
    const Device device = ReadDevice(
        DeviceText(early ? "clock_enable ce\nlatency clock 1\n" : "clock_enable ce\n"), &error);
    ASSERT_TRUE(device) << error;
    pmuv3_record record;
    pmuv3_record_init(&record, device.get());
    record.was_reset = true;
    std::vector<uint64_t> values(device->num_pins), unknown(device->num_pins);
    for (size_t p = 0; p < device->num_pins; p++)
      unknown[p] = device->pins[p].role == PMUV3_ROLE_EVENT;
    const pmuv3_pin *wrong =
        pmuv3_record_pins(&record, device.get(), values.data(), unknown.data());
    EXPECT_EQ(wrong != nullptr, early);
  }
}

// While a read waits, nobody knows whether X on `response` is its answer.
TEST_F(EngineTest, UnknownResponse) {
  std::string error;
  const Device device = ReadDevice(DeviceText("", "response=rsp"), &error);
  ASSERT_TRUE(device) << error;
  pmuv3_record record;
  pmuv3_record_init(&record, device.get());
  std::vector<uint64_t> values(device->num_pins), unknown(device->num_pins);
  const auto pin = [&](pmuv3_role role) {
    size_t p = 0;
    while (device->pins[p].role != role) p++;
    return p;
  };
  const size_t response = pin(PMUV3_ROLE_RESPONSE);
  // A clock; the pin that is wrong in it, or "".
  const auto clock = [&](bool reset, bool request, bool write, char response_is) {
    values[pin(PMUV3_ROLE_RESET)] = reset;
    values[pin(PMUV3_ROLE_REQUEST)] = request;
    values[pin(PMUV3_ROLE_WRITE)] = write;
    values[response] = response_is == '1';
    unknown[response] = response_is == 'x';
    const pmuv3_pin *wrong =
        pmuv3_record_pins(&record, device.get(), values.data(), unknown.data());
    return std::string(wrong ? wrong->name : "");
  };
  EXPECT_EQ(clock(true, false, false, 'x'), "");
  EXPECT_EQ(clock(false, false, false, 'x'), "");
  EXPECT_EQ(clock(false, true, true, 'x'), "") << "a write";
  EXPECT_EQ(clock(false, true, false, 'x'), "rsp") << "the clock of the request";
  EXPECT_EQ(clock(true, false, false, '0'), "");
  EXPECT_EQ(clock(false, true, false, '0'), "");
  EXPECT_EQ(clock(false, true, false, '0'), "");
  EXPECT_EQ(clock(false, false, false, '1'), "");
  EXPECT_EQ(clock(false, false, false, 'x'), "rsp") << "the second read";
  EXPECT_EQ(clock(true, false, false, '0'), "");
  EXPECT_EQ(clock(false, false, false, 'x'), "") << "a reset ends reads";
  EXPECT_EQ(clock(false, true, false, '1'), "");
  EXPECT_EQ(clock(false, false, false, 'x'), "") << "it was answered";
}

// A foreign bench: the synthetic device, clock by clock, after a reset.
class Bench {
 public:
  explicit Bench(const std::string &text) {
    std::string error;
    device_ = ReadDevice(text, &error);
    if (!device_) throw std::runtime_error(error);
    check_.reset(pmuv3_check_create(device_.get()));
    dut_ = pmuv3_dut_create(device_.get(), 1);
    pmuv3_record_init(&record, device_.get());
    record.reset = PMUV3_COLD_RESET;
    Clocks(20);
    record.reset = PMUV3_NO_RESET;
  }
  ~Bench() { pmuv3_dut_destroy(dut_); }
  Bench(const Bench &) = delete;
  Bench &operator=(const Bench &) = delete;

  void Clocks(unsigned count) {
    for (unsigned c = 0; c < count; c++) {
      pmuv3_dut_clock(dut_, &record);
      good_ = good_ && pmuv3_check_clock(check_.get(), &record);
    }
  }
  // Long after an access nothing of it is under way.
  void Write(uint64_t address, uint64_t data) { Access(address, true, data); }
  void Read(uint64_t address) { Access(address, false, 0); }
  bool Ends() { return good_ && pmuv3_check_end(check_.get()); }
  pmuv3_check_counts Counts() const {
    pmuv3_check_counts counts;
    pmuv3_check_count(check_.get(), &counts);
    return counts;
  }
  std::string Words() const {
    char words[400];
    return pmuv3_check_words(check_.get(), words, sizeof words);
  }

  pmuv3_record record;

 private:
  void Access(uint64_t address, bool write, uint64_t data) {
    pmuv3_record_port *port = &record.port[0];
    port->request = true;
    port->write = write;
    port->address = address;
    port->data = data;
    Clocks(1);
    port->request = false;
    Clocks(40);
  }

  Device device_;
  Check check_;
  pmuv3_dut *dut_ = nullptr;
  bool good_ = true;
};

// A foreign bench stops the clock where own stimulus does not: behind an event, before a read. What
// counts in a flip-flop that stops is in doubt, where latencies are not exact.
TEST_F(EngineTest, DoubtNearAStop) {
  for (const char *mode : {"mode within\nlatency event 1..2\n", "mode settled\n"}) {
    SetUp();
    synthetic.event_held = 2;
    Bench bench(DeviceText(std::string("clock_enable ce\n") + mode));
    for (const auto &[address, data] : std::map<uint64_t, uint64_t>{{0, 1}, {4, 1}, {128, 8}})
      bench.Write(address, data);
    bench.record.count[0] = 1;
    bench.Clocks(1);
    bench.record.count[0] = 0;
    bench.Clocks(1);
    bench.record.clock = false;
    bench.Clocks(60);
    bench.Read(64);
    EXPECT_TRUE(bench.Ends()) << mode << bench.Words();
    EXPECT_EQ(bench.Counts().uncertain[PMUV3_COMPARED_READ], 1u) << mode;
  }
}

TEST_F(EngineTest, DevicesThatAreNotReady) {
  synthetic.ready_every = 3;
  const Result result = RunDevice(DeviceText("", "response=2 ready=rdy"));
  EXPECT_FALSE(result.diverged) << result.words;
}

TEST_F(EngineTest, ResponsePin) {
  synthetic.response = 5;
  const Result result = RunDevice(DeviceText("", "response=rsp"));
  EXPECT_FALSE(result.diverged) << result.words;
  EXPECT_GT(result.counts.compared[PMUV3_COMPARED_READ], 500u);
}

// Whoever drives the device: the player itself waits for as long as there is no verdict.
TEST_F(EngineTest, DevicesThatHang) {
  const auto hangs = [](const std::string &port) {
    const Result result = RunDevice(DeviceText("", port), 1, 2 * kClocks);
    EXPECT_TRUE(result.diverged) << port;
    EXPECT_TRUE(result.divergence.hangs) << result.words;
    EXPECT_EQ(result.divergence.counter, -1);
    EXPECT_NE(result.words.find("port 0 has not answered for 1000 Processor cycles"),
              std::string::npos)
        << result.words;
    return result.divergence.clock;
  };
  synthetic.ready_every = 1 << 20;
  EXPECT_LT(hangs("response=2 ready=rdy"), 1100u);
  synthetic.ready_every = 1;
  synthetic.silent_from = 1500;
  const uint64_t clock = hangs("response=rsp");
  EXPECT_GT(clock, 2490u);
  EXPECT_LT(clock, 2600u);
}

TEST_F(EngineTest, DroppedAndDoubledCounts) {
  synthetic.drop_every = 1000;
  EXPECT_TRUE(RunDevice(DeviceText(""), 1, 100000).diverged);
  synthetic.drop_every = 0;
  synthetic.double_every = 1000;
  EXPECT_TRUE(RunDevice(DeviceText(""), 1, 100000).diverged);
}

// The port's bits beside a half of a register are compared, unless `read=` leaves them out.
TEST_F(EngineTest, BitsBesideAHalf) {
  std::string text = DeviceText();
  text.replace(text.find("width=32"), 8, "width=64");
  EXPECT_FALSE(RunDevice(text).diverged);
  synthetic.has_junk_above = true;
  const Result result = RunDevice(text);
  EXPECT_TRUE(result.diverged);
  EXPECT_EQ(result.divergence.seen >> 32, 0xDEADBEEF) << result.words;
  for (const char *half : {".low\n", ".high\n"})
    text.insert(text.find(half) + strlen(half) - 1, " read=0xFFFFFFFF");
  EXPECT_FALSE(RunDevice(text).diverged);
}

TEST_F(EngineTest, SwallowedInterrupt) {
  synthetic.swallows_irq = true;
  const Result result = RunDevice(DeviceText(""));
  EXPECT_TRUE(result.diverged);
  EXPECT_EQ(result.divergence.what, PMUV3_COMPARED_IRQ);
}

// Flags that rise near a write, and thresholds that events unmeet.
TEST_F(EngineTest, RangesOfEventsAndFlags) {
  synthetic.event = 2;
  synthetic.flag = synthetic.interrupt = synthetic.read = 1;
  std::string text = DeviceText(
      "mode within\nlatency event 1..3\nlatency flag 0..2\nlatency interrupt 0..2\n"
      "latency read 0..2\n");
  text.replace(text.find("PMUv3p1"), 7, "PMUv3p7,TH");
  text.replace(text.find("width=32"), 8, "width=64");
  for (uint64_t seed = 1; seed <= 5; seed++) {
    const Result result = RunDevice(text, seed, 300000);
    EXPECT_FALSE(result.diverged) << result.words;
    EXPECT_GT(result.counts.compared[PMUV3_COMPARED_READ], 1000u);
  }
  synthetic.drop_every = 50;
  EXPECT_TRUE(RunDevice(text, 1, 300000).diverged);
}

// As many events as a description can have: a core has more than a hundred.
TEST_F(EngineTest, ManyEvents) {
  std::string text = DeviceText(""), error;
  const size_t has = ReadDevice(text, &error)->num_events;
  for (size_t e = has; e < PMUV3_DEVICE_MAX_EVENTS; e++)
    text += "event " + std::to_string(0x100 + e) + " many" + std::to_string(e) + "\n";
  const Result result = RunDevice(text);
  EXPECT_FALSE(result.diverged) << result.words;
  synthetic.drop_every = 50;
  EXPECT_TRUE(RunDevice(text, 1, 100000).diverged);
  EXPECT_FALSE(ReadDevice(text + "event 0x99 one_more\n", &error));
  EXPECT_NE(error.find("too many events"), std::string::npos) << error;
}

// A reset ends accesses: reads that a device answers after it belong to nobody. A Warm reset beside
// a Cold one may leave the port alone.
TEST_F(EngineTest, ReadsThatSurviveAReset) {
  synthetic.has_response_pin = true;
  synthetic.response = 12;
  const auto text = [](const std::string &lines) {
    return DeviceText(lines, "response=valid outstanding=4");
  };
  EXPECT_FALSE(RunDevice(text("reset wrst high warm\n"), 1, 200000).diverged);
  synthetic.keeps_reads = true;
  for (uint64_t seed = 1; seed <= 3; seed++) {
    const Result result = RunDevice(text("reset wrst high warm\n"), seed, 200000);
    EXPECT_FALSE(result.diverged) << result.words;
  }
  synthetic.keeps_reads_cold = true;
  EXPECT_TRUE(RunDevice(text(""), 1, 200000).diverged);
}

// A reset ends a write, too, whose error nobody sees then.
TEST_F(EngineTest, ErrorsOfWritesThatAResetEnds) {
  for (const unsigned response : {1, 2, 5})
    for (unsigned reset = 1; reset <= response + 1; reset++) {
      std::string error;
      const Device device = ReadDevice(
          "pmuv3-device 1\nparam counters=4\nclock clk\nreset rst high\nevent 0x8 retired\n"
          "state el 0\nport csr request=r write=w address=a data=d value=v error=err checked "
          "response=" +
              std::to_string(response) + " width=64\nregister 0 PMCR_EL0\n",
          &error);
      ASSERT_TRUE(device) << error;
      const Check check(pmuv3_check_create(device.get()));
      pmuv3_record record;
      pmuv3_record_init(&record, device.get());
      bool good = true;
      const auto clocks = [&](unsigned count, uint8_t kind) {
        record.reset = kind;
        for (unsigned c = 0; c < count; c++) good = good && pmuv3_check_clock(check.get(), &record);
      };
      clocks(5, PMUV3_COLD_RESET);
      clocks(5, PMUV3_NO_RESET);
      record.port[0].request = record.port[0].write = true;
      clocks(1, PMUV3_NO_RESET);
      record.port[0].request = false;
      clocks(reset - 1, PMUV3_NO_RESET);
      clocks(2, PMUV3_COLD_RESET);
      clocks(20, PMUV3_NO_RESET);
      good = good && pmuv3_check_end(check.get());
      // EL0 may not write PMCR_EL0, so an answer before the reset is wrong without an error.
      EXPECT_EQ(good, reset <= response) << response << " " << reset;
    }
}

// A reset empties the delays of outputs, also one that is shorter than they are long.
TEST_F(EngineTest, OutputsBehindAShortReset) {
  for (unsigned clocks = 1; clocks <= 3; clocks++) {
    SetUp();
    synthetic.interrupt = 2;
    Bench bench(DeviceText("latency interrupt 2\n"));
    for (const auto &[address, data] :
         std::map<uint64_t, uint64_t>{{0, 1}, {4, 1}, {20, 1}, {64, UINT32_MAX}, {128, 8}})
      bench.Write(address, data);
    bench.record.count[0] = 1;
    bench.Clocks(1);
    bench.record.count[0] = 0;
    bench.Clocks(10);
    EXPECT_TRUE(bench.record.thread[0].irq);
    bench.record.reset = PMUV3_COLD_RESET;
    bench.Clocks(clocks);
    bench.record.reset = PMUV3_NO_RESET;
    bench.Clocks(20);
    EXPECT_TRUE(bench.Ends()) << clocks << bench.Words();
  }
}

// A read that is answered at once shows what was so three clocks before, and nothing of the time
// before a reset. The register was 1 before the reset, and is 0 behind it.
TEST_F(EngineTest, ReadsBehindAShortReset) {
  for (unsigned after = 0; after <= 4; after++) {
    std::string error;
    const Device device =
        ReadDevice(DeviceText("latency read 3\nlatency write 0\n", "response=0"), &error);
    ASSERT_TRUE(device) << error;
    for (const uint64_t value : {0, 1}) {
      const Check check(pmuv3_check_create(device.get()));
      pmuv3_record record;
      pmuv3_record_init(&record, device.get());
      bool good = true;
      const auto clocks = [&](unsigned count) {
        for (unsigned c = 0; c < count; c++) good = good && pmuv3_check_clock(check.get(), &record);
      };
      const auto access = [&](bool write) {
        record.port[0].request = true;
        record.port[0].write = write;
        record.port[0].address = 20;
        record.port[0].data = 1;
        clocks(1);
        record.port[0].request = false;
      };
      clocks(5);
      access(true);
      clocks(5);
      record.reset = PMUV3_COLD_RESET;
      clocks(1);
      record.reset = PMUV3_NO_RESET;
      clocks(after);
      record.port[0].value = value;
      access(false);
      clocks(5);
      good = good && pmuv3_check_end(check.get());
      EXPECT_EQ(good, value == 0 || after < 3) << after << " " << value;
    }
  }
}

TEST_F(EngineTest, CountersThatSurviveAReset) {
  synthetic.forgets_reset = true;
  EXPECT_TRUE(RunDevice(DeviceText(""), 1, 200000).diverged);
}

// A device whose events are one stage later than described.
TEST_F(EngineTest, OneStageLater) {
  synthetic.event = 3;
  EXPECT_TRUE(RunDevice(DeviceText("latency event 2\n")).diverged);
  for (uint64_t seed = 1; seed <= 5; seed++) {
    const Result within = RunDevice(DeviceText("latency event 2..3\nmode within\n"), seed);
    EXPECT_FALSE(within.diverged) << "seed " << seed << ": " << within.words;
    EXPECT_GT(within.counts.compared[PMUV3_COMPARED_READ], 300u);
    const Result settled = RunDevice(DeviceText("mode settled\n"), seed);
    EXPECT_FALSE(settled.diverged) << "seed " << seed << ": " << settled.words;
    EXPECT_GT(settled.counts.compared[PMUV3_COMPARED_READ], 100u);
  }
}

// The counters that count in quiet clocks may be off. Away from a wrap their flags are known, and
// their high halves.
TEST_F(EngineTest, FlagsOfCountersThatMayBeOff) {
  for (const char *mode :
       {"mode within\nlatency write 0..1\n", "mode settled\n",
        "mode within\nlatency event 0..1\nlatency flag 0..1\nlatency write 0..1\n"}) {
    const auto run = [mode](uint64_t seed) { return RunDevice(DeviceText(mode), seed, 200000); };
    const auto is_found = [run] {
      uint64_t seed = 1;
      while (seed <= 5 && !run(seed).diverged) seed++;
      return seed <= 5;
    };
    uint64_t flags = 0, cycle_flags = 0, carries = 0;
    for (unsigned late = 0; late <= 1; late++)
      for (uint64_t seed = 1; seed <= 5; seed++) {
        SetUp();
        synthetic.write = late;
        if (strstr(mode, "flag")) synthetic.event = synthetic.flag = late;
        const Result result = run(seed);
        EXPECT_FALSE(result.diverged) << mode << "seed " << seed << ": " << result.words;
        flags += result.counts.flags[0][31];
        cycle_flags += result.counts.cycle_flags[0];
        carries += result.counts.carries[0];
      }
    EXPECT_GT(flags, 5u) << mode;
    EXPECT_GT(cycle_flags, 5u) << mode;
    EXPECT_GT(carries, 5u) << mode;
    SetUp();
    synthetic.lost_flags = UINT64_C(1) << 31;
    EXPECT_TRUE(is_found()) << mode;
    SetUp();
    synthetic.loses_cycle_flags = true;
    EXPECT_TRUE(is_found()) << mode;
    SetUp();
    synthetic.loses_carry = true;
    EXPECT_TRUE(is_found()) << mode;
  }
}

// PMSELR_EL0 selects the counter that PMXEVCNTR_EL0 shows, and a capture saves all.
std::string CapturesText(const std::string &mode) {
  std::string text = DeviceText(
      "register 200 PMSELR_EL0\nregister 208 PMXEVCNTR_EL0\nregister 216 PMECR_EL1\n"
      "register 224 PMSSCR_EL1\nregisters 256 PMEVCNTSVR%u_EL1\n"
      "register 320 PMCCNTSVR_EL1\n" +
      mode);
  text.replace(text.find("PMUv3p1"), 7, "PMUv3p9,SS");
  text.replace(text.find("width=32"), 8, "width=64");
  return text;
}

// Counter 0 counts cycles at EL0. Its enable is a clock late, and the state that ends it is not: so
// it is off by one. Counter 1 counts an event, which is lost or not.
TEST_F(EngineTest, SelectedAndSavedCountsThatMayBeOff) {
  for (const bool is_saved : {false, true})
    for (const bool is_lost : {false, true}) {
      SetUp();
      synthetic.write = 1;
      synthetic.drop_every = is_lost;
      Bench bench(CapturesText("mode within\nlatency write 0..1\n"));
      bench.Write(0, 1);
      bench.Write(128, PMUV3_EVENT_CPU_CYCLES | PMUV3_MASK(PMEVTYPER, P));
      bench.Write(136, 8);
      bench.record.thread[0].state.el = 0;
      bench.Clocks(40);
      bench.Write(4, 3);
      bench.record.count[0] = 1;
      bench.Clocks(1);
      bench.record.count[0] = 0;
      bench.Clocks(40);
      bench.record.thread[0].state.el = 1;
      bench.Clocks(40);
      if (is_saved) {
        bench.Write(216, PMUV3_MASK(PMECR, SSE));
        bench.Write(224, 1);
        bench.Write(64, 0);  // what is known of the counter then is not known of its saved value
        bench.Read(256);
        bench.Read(264);
      } else {
        bench.Read(208);
        bench.Write(200, 1);
        bench.Read(208);
      }
      EXPECT_EQ(bench.Ends(), !is_lost) << is_saved << " " << is_lost << bench.Words();
      EXPECT_EQ(bench.Counts().compared[PMUV3_COMPARED_READ], 2u);
      EXPECT_EQ(bench.Counts().uncertain[PMUV3_COMPARED_READ], 0u);
    }
}

TEST_F(EngineTest, SelectedAndSavedCountsUnderRandomStimulus) {
  for (const char *mode : {"mode within\nlatency write 0..1\n", "mode settled\n",
                           "mode within\nlatency event 0..1 flag 0..1 write 0..1\n"})
    for (unsigned late = 0; late <= 1; late++)
      for (uint64_t seed = 1; seed <= 5; seed++) {
        SetUp();
        synthetic.write = late;
        if (strstr(mode, "flag")) synthetic.event = synthetic.flag = late;
        const Result result = RunDevice(CapturesText(mode), seed, 100000);
        EXPECT_FALSE(result.diverged) << mode << "seed " << seed << ": " << result.words;
      }
}

// The name that MRRC and MCRR have for the cycle counter changes nothing of what is done and seen.
TEST_F(EngineTest, TheCycleCounterOfAArch32) {
  for (const char *mode : {"", "mode within\nlatency write 0..1\n", "mode settled\n"}) {
    const std::string own = DeviceText(mode);
    const std::string view = std::regex_replace(own, std::regex("PMCCNTR_EL0"), "PMCCNTR64");
    for (const bool loses_carry : {false, true}) {
      synthetic.loses_carry = loses_carry;
      for (uint64_t seed = 1; seed <= 2; seed++) {
        const Result expected = RunDevice(own, seed, 200000),
                     result = RunDevice(view, seed, 200000);
        EXPECT_EQ(result.diverged, expected.diverged) << mode << result.words;
        EXPECT_EQ(result.divergence.clock, expected.divergence.clock) << mode << result.words;
        EXPECT_EQ(memcmp(&result.counts, &expected.counts, sizeof result.counts), 0) << mode;
      }
    }
  }
}

// PMCR.LC chooses where the cycle counter wraps.
TEST_F(EngineTest, WrapsOf32AndOf64Bits) {
  const pmuv3_check_counts both = RunDevice(DeviceText(), 1, 200000).counts;
  EXPECT_GT(both.wide_flags[0][31], 50u);
  EXPECT_GT(both.flags[0][31], both.wide_flags[0][31] + 50);
  EXPECT_GT(both.flags[0][0], 50u);
  EXPECT_EQ(both.wide_flags[0][0], 0u);  // before PMUv3p5
  for (const char *late : {"", "latency flag 2\n"}) {
    synthetic.flag = *late ? 2 : 0;
    std::string text = DeviceText(late);
    text.replace(text.find("write=0x47"), strlen("write=0x47"), "write=0x07");
    const Result narrow = RunDevice(text, 1, 200000);
    EXPECT_FALSE(narrow.diverged) << narrow.words;
    EXPECT_GT(narrow.counts.flags[0][31], 50u);
    EXPECT_EQ(narrow.counts.wide_flags[0][31], 0u);
  }
}

// settled needs no latency at all.
TEST_F(EngineTest, SettledNeedsNoLatency) {
  synthetic.event = 2, synthetic.state = 1, synthetic.swinc = 1, synthetic.write = 1;
  synthetic.flag = 1, synthetic.interrupt = 1, synthetic.read = 1;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    const Result result = RunDevice(DeviceText("mode settled\n"), seed, 50000);
    EXPECT_FALSE(result.diverged) << "seed " << seed << ": " << result.words;
    EXPECT_GT(result.counts.compared[PMUV3_COMPARED_READ],
              result.counts.uncertain[PMUV3_COMPARED_READ]);
  }
}

// Latencies of a description move inputs towards each other, so stimulus keeps farther away.
TEST_F(EngineTest, SettledIsQuietForLatenciesToo) {
  synthetic.event = synthetic.flag = 3;
  const Result result = RunDevice(DeviceText("mode settled\nlatency event 3 flag 3\n"), 1, 100000);
  EXPECT_FALSE(result.diverged) << result.words;
  EXPECT_GT(result.counts.compared[PMUV3_COMPARED_READ],
            4 * result.counts.uncertain[PMUV3_COMPARED_READ]);
}

TEST_F(EngineTest, ADroppedCountShowsInEachMode) {
  synthetic.event = 3;
  synthetic.drop_every = 50;
  EXPECT_TRUE(RunDevice(DeviceText("latency event 3\n")).diverged);
  EXPECT_TRUE(RunDevice(DeviceText("latency event 2..3\nmode within\n")).diverged);
  EXPECT_TRUE(RunDevice(DeviceText("mode settled\n")).diverged);
}

// One pin of several events, and one event of several pins: any of them, or all added up.
TEST_F(EngineTest, PinsOfSeveralEvents) {
  std::string text = DeviceText();
  text.replace(text.find("event 0x0023"), 0,
               "event 0x0012 retired|missed\nevent 0x0003 retired+missed\n"
               "event 0x0006 missed latency=1\n");
  for (uint64_t seed = 1; seed <= 3; seed++) {
    const Result result = RunDevice(text, seed);
    EXPECT_TRUE(result.diverged) << "seed " << seed << ": 0x0006 is not late";
  }
  text.erase(text.find(" latency=1"), 10);
  for (uint64_t seed = 1; seed <= 3; seed++) {
    const Result result = RunDevice(text, seed);
    EXPECT_FALSE(result.diverged) << "seed " << seed << ": " << result.words;
  }
  synthetic.adds_up = true;
  EXPECT_TRUE(RunDevice(text).diverged);
}

// ---- Devices without delays, and all that a description can have ----

class PlainTest : public EngineTest {
 protected:
  void SetUp() override {
    synthetic = Synthetic();
    synthetic.is_plain = true;
  }
};

std::string CsrOf(unsigned thread, unsigned base, const std::string &words) {
  const std::string at = "@" + std::to_string(thread);
  const std::string p = std::to_string(thread);
  std::string text = "port" + at + " csr request=r" + p + " write=w" + p + " address=a" + p +
                     " data=d" + p + " value=v" + p + " " + words + "\n";
  const char *const names[] = {"PMCR_EL0",      "PMCNTENSET_EL0", "PMCNTENCLR_EL0", "PMOVSCLR_EL0",
                               "PMOVSSET_EL0",  "PMINTENSET_EL1", "PMINTENCLR_EL1", "PMCCNTR_EL0",
                               "PMCCFILTR_EL0", "PMSELR_EL0",     "PMUSERENR_EL0",  "MDCR_EL2",
                               "MDCR_EL3",      "PMXEVTYPER_EL0", "PMXEVCNTR_EL0",  "PMSWINC_EL0"};
  for (unsigned n = 0; n < sizeof names / sizeof names[0]; n++)
    text += "register" + at + " " + std::to_string(base + 8 * n) + " " + names[n] + "\n";
  return text + "registers" + at + " " + std::to_string(base + 256) + " PMEVCNTR%u_EL0\n" +
         "registers" + at + " " + std::to_string(base + 512) + " PMEVTYPER%u_EL0\n";
}

std::string StatesOf(unsigned thread) {
  const std::string at = "@" + std::to_string(thread);
  return "state" + at + " el el" + at.substr(1) + "\nstate" + at + " ss ss" + at.substr(1) +
         "\nstate" + at + " halted halted" + at.substr(1) + "\n";
}

const char kVisible[] =
    "visible counter 0 c0\nvisible counter 3 c3\nvisible counter 31 cc\nvisible overflow o\n"
    "visible flag 31 oc\nvisible V 1 v1\n";

// The page and two ports of one thread, whose registers 0, 4... are PMCR_EL0, PMCNTENSET_EL0...
class PortsOfAThread {
 public:
  explicit PortsOfAThread(const std::string &lines) {
    const std::string registers =
        "registers 0 PMCR_EL0 PMCNTENSET_EL0 PMOVSCLR_EL0 PMINTENSET_EL1 PMEVCNTR0_EL0 "
        "PMEVTYPER0_EL0 step=4 port=";
    std::string error;
    device_ = ReadDevice(
        "pmuv3-device 1\nparam counters=2 el2=0 el3=0 features=PMUv3p9,EXT64\nclock clk\n"
        "reset rst high\nclock_enable ce\nevent 0x8 e\n"
        "port apb select=s enable=e0 write=w0 address=a0 data=d0 value=v0\npage 0x1000\n"
        "port csr request=r1 write=w1 address=a1 data=d1 value=v1 width=32\n"
        "port csr request=r2 write=w2 address=a2 data=d2 value=v2 width=64\n" +
            registers + "1\n" + registers + "2\n" + lines,
        &error);
    if (!device_) throw std::runtime_error(error);
    check_.reset(pmuv3_check_create(device_.get()));
    pmuv3_record_init(&record, device_.get());
    for (const auto &[address, data] :
         std::map<uint64_t, uint64_t>{{0, 1}, {4, 1}, {16, UINT32_MAX}, {20, 8}}) {
      Write(1, address, data);
      Clock();
    }
  }
  // In the next clock.
  void Write(unsigned port, uint64_t address, uint64_t data) {
    pmuv3_record_port *pins = &record.port[port];
    pins->request = pins->enable = pins->write = true;
    pins->address = address;
    pins->data = data;
  }
  void Clock() {
    EXPECT_TRUE(pmuv3_check_clock(check_.get(), &record));
    for (pmuv3_record_port &pins : record.port) pins.request = pins.enable = false;
  }
  // In the end, of the model.
  uint64_t Value(uint16_t reg) {
    uint64_t value;
    EXPECT_TRUE(pmuv3_check_end(check_.get()));
    EXPECT_EQ(pmuv3_read(pmuv3_check_model(check_.get()), 0, reg, &value), PMUV3_ACCESS_OK);
    return value;
  }

  pmuv3_record record;

 private:
  Device device_;
  Check check_;
};

// docs/howto/check.md: the port of the last line acts last, and the page behind all others.
// formats.md section 4: none of them clears a flag that rises in this clock.
TEST(WritesTest, OfSeveralPortsInOneClock) {
  for (const char *lines : {"", "latency flag 1\n"})
    for (const bool clock : {false, true}) {
      PortsOfAThread page(lines), last(lines), flag(lines);
      page.record.clock = last.record.clock = clock;
      page.Write(0, 0x1000, 7);
      page.Write(1, 16, 5);
      page.Clock();
      EXPECT_EQ(page.Value(PMUV3_PMEVCNTR), 7u) << lines << clock;
      last.Write(1, 16, 5);
      last.Write(2, 0, PMUV3_MASK(PMCR, P) | PMUV3_MASK(PMCR, E));
      last.Clock();
      EXPECT_EQ(last.Value(PMUV3_PMEVCNTR), 0u) << lines << clock;
      flag.record.count[0] = 1;
      flag.Write(1, 12, 1);
      flag.Write(2, 8, 1);
      flag.Clock();
      flag.record.count[0] = 0;
      flag.Clock();
      EXPECT_EQ(flag.Value(PMUV3_PMOVSSET), 1u) << lines;
    }
}

// What a device does not write stays as a reset left it, or an `initial` line, where a register
// holds what is written. Where ones act, nothing comes of the other bits. Bits 7 to 0 are looked
// at.
TEST(WritesTest, BitsThatAreNotWritten) {
  const struct {
    const char *lines;
    uint16_t reg;
    uint64_t data, expected;
  } rows[] = {
      {"register 0 MDCR_EL2 write=0x80\n", PMUV3_MDCR_EL2, 0xFF, 0x86},
      {"register 0 MDCR_EL2\nabsent MDCR_EL2.HPMN\n", PMUV3_MDCR_EL2, 0x80, 0x86},
      {"register 0 HDCR write=0x80\n", PMUV3_MDCR_EL2, 0x80, 0x86},
      {"register 0 MDCR_EL2.low write=0x80\n", PMUV3_MDCR_EL2, 0x80, 0x86},
      {"register 0 MDCR_EL2.high\n", PMUV3_MDCR_EL2, 0, 0x06},
      {"register 0 PMCR_EL0 write=1\ninitial PMCR_EL0 0x40\n", PMUV3_PMCR, 0x81, 0x41},
      {"register 0 page.0xE10 write=1\ninitial PMCR_EL0 0x40\n", PMUV3_PMCR, 0x81, 0x41},
      {"register 0 PMOVSSET_EL0 write=1\ninitial PMOVSSET_EL0 4\n", PMUV3_PMOVSSET, 3, 5},
      {"register 0 PMOVSCLR_EL0 write=1\ninitial PMOVSSET_EL0 3\n", PMUV3_PMOVSSET, 3, 2},
      {"register 0 page.0xC80 write=1\ninitial PMOVSSET_EL0 3\n", PMUV3_PMOVSSET, 3, 2},
      {"register 0 page.0xC90 write=1\ninitial PMOVSSET_EL0 3\n", PMUV3_PMOVSSET, 0, 2},
  };
  for (const auto &row : rows) {
    std::string error;
    const Device device =
        ReadDevice(std::string("pmuv3-device 1\n"
                               "param counters=6 el3=0 aa32=el2 features=PMUv3p9,EXT64\nclock clk\n"
                               "port csr request=r write=w address=a data=d value=v width=64\n") +
                       row.lines,
                   &error);
    ASSERT_TRUE(device) << error;
    const Check check(pmuv3_check_create(device.get()));
    pmuv3_record record;
    pmuv3_record_init(&record, device.get());
    record.port[0].request = record.port[0].write = true;
    record.port[0].data = row.data;
    EXPECT_TRUE(pmuv3_check_clock(check.get(), &record));
    EXPECT_TRUE(pmuv3_check_end(check.get()));
    uint64_t value;
    EXPECT_EQ(pmuv3_read(pmuv3_check_model(check.get()), 0, row.reg, &value), PMUV3_ACCESS_OK);
    EXPECT_EQ(value & 0xFF, row.expected) << row.lines;
  }
}

// A debugger operates on halted threads alone, so what a device makes of others is its own.
TEST_F(PlainTest, OperationsOfADebugger) {
  const std::string text =
      "pmuv3-device 1\nparam counters=4\nclock clk\nreset rst low\nevent 0x8 retired debugger\n" +
      StatesOf(0) + CsrOf(0, 0, "response=0 width=64");
  for (const bool counts : {false, true}) {
    synthetic.counts_debugger = counts;
    const Result result = RunDevice(text, 1, 10 * kClocks);
    EXPECT_FALSE(result.diverged) << result.words;
    EXPECT_GT(synthetic.operations, 100u);
  }
}

// Each new device is played alike, also without a reset: its divergences happen again.
TEST_F(PlainTest, ANewDeviceWaitsForItsStates) {
  const std::string text =
      "pmuv3-device 1\nparam counters=4\nclock clk\nevent 0x8 retired\n"
      "state el el\nstate ss ss\nlatency state 5\n" +
      CsrOf(0, 0, "error=e checked response=0 width=64");
  std::string error;
  const Device device = ReadDevice(text, &error);
  ASSERT_TRUE(device) << error;
  static profile profile;
  profile_find(&profile, device.get(), pmuv3_dut_width);
  const Check check(pmuv3_check_create(device.get()));
  struct player *player = player_create(&profile, check.get());
  item read = {};
  read.kind = ITEM_READ;
  for (const uint32_t seed : {1, 2}) {
    EXPECT_TRUE(player_start(player, seed));
    EXPECT_TRUE(player_play(player, &read));
    EXPECT_EQ(player_clocks(player), 5u);
  }
  player_destroy(player);
}

// A write that is refused near a change of the state leaves its register as it is.
TEST_F(PlainTest, RefusedWritesEndNoDoubt) {
  const std::string text =
      "pmuv3-device 1\nparam counters=4\nclock clk\nreset rst low\nevent 0x8 retired\n"
      "state el el\nstate ss ss\nmode within\nlatency state 0..3\n" +
      CsrOf(0, 0, "error=e checked response=0 width=64");
  synthetic.unreset_states = true;  // so states are a clock late
  for (uint64_t seed = 1; seed <= 5; seed++) {
    const Result result = RunDevice(text, seed, 10 * kClocks);
    EXPECT_FALSE(result.diverged) << result.words;
    EXPECT_GT(result.counts.compared[PMUV3_COMPARED_READ], 1000u);
  }
}

// A device whose counters have no reset is right if they are `unknown`, and wrong otherwise.
void ExpectUnknown(const std::string &text, const std::string &counters) {
  synthetic.forgets_reset = true;
  EXPECT_TRUE(RunDevice(text, 1, 10 * kClocks).diverged);
  for (uint64_t seed = 1; seed <= 3; seed++) {
    const Result result = RunDevice(text + "unknown " + counters + "\n", seed, 10 * kClocks);
    EXPECT_FALSE(result.diverged) << result.words;
  }
}

// They are written in a state that may write, wherever the thread is; in AArch32, if a pin says so.
TEST_F(PlainTest, CountersOfAArch32WithoutAReset) {
  const std::string text =
      "pmuv3-device 1\nparam counters=4 aa32=el3 features=PMUv3p1\nclock clk\nreset rst low\n"
      "event 0x8 retired\nstate el el\nstate ss ss\nstate aa32 aa32\nstate a32el1 a32el1\n"
      "port csr request=r write=w address=a data=d value=v error=e checked response=0 width=64\n"
      "register 0 PMCR\nregister 8 PMCNTENSET\nregister 16 PMCNTENCLR\nregister 24 PMUSERENR\n"
      "registers 256 PMEVCNTR%u\nregisters 512 PMEVTYPER%u\n";
  ExpectUnknown(text, "PMEVCNTR%u");
}

TEST_F(PlainTest, CountersWithoutAReset) {
  const std::string text =
      "pmuv3-device 1\nparam counters=4\nclock clk\nreset rst low\nevent 0x8 retired\n"
      "state el el\nstate ss ss\n" +
      CsrOf(0, 0, "error=e checked response=0 width=64");
  ExpectUnknown(text, "PMEVCNTR%u_EL0 PMCCNTR_EL0");
}

// A register that does not reset to 0 in the model, and must not be 0. HPMN 0 is reserved without
// HPMN0, so devices may differ there.
TEST_F(PlainTest, HpmnWithoutAReset) {
  const std::string text =
      "pmuv3-device 1\nparam counters=4 features=PMUv3p1\nclock clk\nreset rst low\n"
      "event 0x8 retired\n" +
      CsrOf(0, 0, "response=0 width=64") + "unknown MDCR_EL2\n";
  synthetic.reserves_hpmn_0 = true;
  for (uint64_t seed = 1; seed <= 3; seed++) {
    const Result result = RunDevice(text, seed);
    EXPECT_FALSE(result.diverged) << result.words;
  }
}

// A right device whose flip-flop of states has no reset; and what shrinks of a wrong one is legal.
TEST_F(PlainTest, StatesWithoutAReset) {
  const std::string text =
      "pmuv3-device 1\nparam counters=4\nclock clk\nreset rst low\nevent 0x8 retired\n"
      "state el el\nstate ss ss\nlatency state 1\n" +
      CsrOf(0, 0, "error=e checked response=0 width=64");
  synthetic.unreset_states = true;
  for (uint64_t seed = 1; seed <= 3; seed++) {
    const Result result = RunDevice(text, seed, 5 * kClocks);
    EXPECT_FALSE(result.diverged) << result.words;
  }
  std::string error;
  const Device device = ReadDevice(text, &error);
  ASSERT_TRUE(device) << error;
  const Check check(pmuv3_check_create(device.get()));
  profile profile;
  profile_find(&profile, device.get(), pmuv3_dut_width);
  struct player *player = player_create(&profile, check.get());
  struct random *random = random_create(&profile, 1);
  std::vector<item> items;
  synthetic.skips_thread_1 = true;
  bool good = player_start(player, 1);
  while (good && items.size() < 100000) {
    items.push_back(*random_next(random));
    good = player_play(player, &items.back());
  }
  EXPECT_FALSE(good);
  stimulus shrunk = {};
  shrunk.items = items.data();
  shrunk.count = items.size();
  shrunk.seed = 1;
  stimulus_shrink(player, &shrunk, device.get(), 10);
  EXPECT_LT(shrunk.count, items.size());
  for (size_t i = 0; i < shrunk.count; i++)
    EXPECT_TRUE(shrunk.items[i].kind != ITEM_RESET ||
                shrunk.items[i].clocks >= pmuv3_device_reset_clocks(device.get()));
  synthetic.skips_thread_1 = false;
  size_t at;
  EXPECT_FALSE(stimulus_diverges(player, &shrunk, &at));
  random_destroy(random);
  player_destroy(player);
}

// The pins of an event count no more together than can occur in a cycle, whatever a device would
// add.
TEST_F(PlainTest, SumsOfPins) {
  synthetic.width = 8;
  for (const char *lines : {"event 0x8 a+b\n", "event 0x8 a\nevent 0x8 b\nevent 0x8 c\n",
                            "event 0x8 a\nevent 0x8 b latency=0\n"}) {
    const Result result = RunDevice("pmuv3-device 1\nparam counters=4\nclock clk\nreset rst low\n" +
                                        std::string(lines) + CsrOf(0, 0, "response=0 width=64"),
                                    1, 5 * kClocks);
    EXPECT_FALSE(result.diverged) << lines << result.words;
  }
}

TEST_F(PlainTest, EveryFeatureWithChecksAndErrors) {
  const std::string text =
      "pmuv3-device 1\nparam counters=4\nclock clk\nreset rst high\n"
      "reset wrst high warm\nevent 0x8 e\nevent 0x9 x other\n"
      "event 0x4 m unattributable\nirq irq\ncti cti\nexception exc\n" +
      StatesOf(0) + CsrOf(0, 0, "error=err checked") + kVisible;
  for (uint64_t seed = 1; seed <= 3; seed++) {
    const Result result = RunDevice(text, seed);
    EXPECT_FALSE(result.diverged) << result.words;
    EXPECT_GT(result.counts.compared[PMUV3_COMPARED_ERROR], 500u);
    EXPECT_GT(result.counts.compared[PMUV3_COMPARED_V], kClocks / 2);
    EXPECT_GT(result.counts.compared[PMUV3_COMPARED_COUNTER], kClocks);
  }
  synthetic.never_fails = true;
  const Result result = RunDevice(text);
  EXPECT_TRUE(result.diverged);
  EXPECT_EQ(result.divergence.what, PMUV3_COMPARED_ERROR) << result.words;
}

// Software increments end at latencies of their own.
TEST_F(PlainTest, ErrorsOfIncrements) {
  synthetic.ends_increments_wrongly = true;
  const Result result =
      RunDevice("pmuv3-device 1\nparam counters=4\nclock clk\nreset rst high\nevent 0x8 e\n" +
                StatesOf(0) + CsrOf(0, 0, "error=err checked"));
  ASSERT_TRUE(result.diverged);
  EXPECT_EQ(result.divergence.what, PMUV3_COMPARED_ERROR) << result.words;
  EXPECT_NE(result.words.find("PMSWINC_EL0"), std::string::npos) << result.words;
}

TEST_F(PlainTest, TwoThreads) {
  const std::string text =
      "pmuv3-device 1\nparam counters=4 threads=2\nclock clk\nreset rst high\n"
      "event@0 0x8 e0\nevent@1 0x8 e1\nevent@1 0x23 s1\nevent@0 0x23 s0\nirq@0 i0\nirq@1 i1\n" +
      StatesOf(0) + StatesOf(1) + CsrOf(0, 0, "") + CsrOf(1, 0, "");
  for (uint64_t seed = 1; seed <= 3; seed++) {
    const Result result = RunDevice(text, seed);
    EXPECT_FALSE(result.diverged) << result.words;
  }
  synthetic.skips_thread_1 = true;
  EXPECT_TRUE(RunDevice(text, 1, 100000).diverged);
}

TEST_F(PlainTest, ThePageThroughApb) {
  for (const char *layout : {"EXT32", "EXT64"}) {
    const std::string text =
        std::string("pmuv3-device 1\nparam counters=4 features=PMUv3p9,TH2,") + layout +
        "\nclock clk\nreset rst high\nevent 0x8 e\nevent 0x10 b\nirq irq\n"
        "port apb select=s enable=e2 write=w address=a data=d value=v error=err\n"
        "page 0x1000\n";
    const Result result = RunDevice(text, 1, 2 * kClocks);
    EXPECT_FALSE(result.diverged) << layout << ": " << result.words;
    EXPECT_GT(result.counts.compared[PMUV3_COMPARED_READ], 1000u);
    EXPECT_GT(result.counts.compared[PMUV3_COMPARED_ERROR], 2000u);
  }
}

// Whatever word of the page is wrong, it is seen. Both layouts by the architecture's map: some
// words of each.
TEST_F(PlainTest, EachWordOfThePage) {
  const std::map<std::string, std::vector<unsigned>> words = {
      {"EXT32", {0x000, 0x004, 0x01C, 0x0F8, 0x0FC, 0x400, 0x40C, 0x47C, 0xC00, 0xC20, 0xC40,
                 0xC60, 0xC80, 0xCC0, 0xE00, 0xE04, 0xE08, 0xE20, 0xE24, 0xE28, 0xE40, 0xFA8,
                 0xFB4, 0xFB8, 0xFBC, 0xFC8, 0xFCC, 0xFD0, 0xFE0, 0xFF0, 0xFFC}},
      {"EXT64", {0x000, 0x004, 0x01C, 0x0F8, 0x0FC, 0x400, 0x404, 0x418, 0x4F8, 0x4FC,
                 0xC00, 0xC04, 0xC10, 0xC14, 0xC20, 0xC50, 0xC90, 0xCC0, 0xE00, 0xE04,
                 0xE10, 0xE14, 0xE40, 0xFA8, 0xFB8, 0xFBC, 0xFC8, 0xFE0, 0xFFC}}};
  for (const auto &[layout, offsets] : words)
    for (const unsigned offset : offsets) {
      synthetic.wrong_word = offset;
      EXPECT_TRUE(
          RunDevice("pmuv3-device 1\nparam counters=4 features=PMUv3p9,TH2," + layout +
                        "\nclock clk\nreset rst high\nevent 0x8 e\n"
                        "port apb select=s enable=e2 write=w address=a data=d value=v error=err\n"
                        "page 0x1000\n",
                    1, 100000)
              .diverged)
          << layout << ": word " << std::hex << offset;
    }
}

// What does not follow from counts is compared in each mode, and counters as far as they are known.
TEST_F(PlainTest, ThePageSettled) {
  const std::string text =
      "pmuv3-device 1\nparam counters=4 features=PMUv3p9,EXT32\nclock clk\nreset rst high\n"
      "event 0x8 e\nevent 0x10 b\nport apb select=s enable=e2 write=w address=a data=d value=v\n"
      "page 0x1000\nmode settled\n";
  for (uint64_t seed = 1; seed <= 5; seed++) {
    const Result result = RunDevice(text, seed, 50000);
    EXPECT_FALSE(result.diverged) << "seed " << seed << ": " << result.words;
    EXPECT_GT(result.counts.compared[PMUV3_COMPARED_READ], 200u);
  }
}

// CPU_CYCLES would show the lost flag as well, but the device does not have it.
TEST_F(EngineTest, ShrinksToNoAbsentEvent) {
  synthetic.lost_flags = 0xF;
  std::string error;
  const std::string of_bus =
      std::regex_replace(DeviceText("absent event 0x11\n"), std::regex("0x0008"), "0x0019");
  const Device device = ReadDevice(
      std::regex_replace(of_bus, std::regex("event 0x0010.*\nevent 0x0023.*\n"), ""), &error);
  ASSERT_TRUE(device) << error;
  const Check check(pmuv3_check_create(device.get()));
  static profile profile;
  profile_find(&profile, device.get(), pmuv3_dut_width);
  struct player *player = player_create(&profile, check.get());
  unsigned types = 0;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    struct random *random = random_create(&profile, seed);
    stimulus stimulus = {};
    bool good = player_start(player, 0);
    while (good && stimulus.count < 100000) {
      const item *item = random_next(random);
      ASSERT_TRUE(stimulus_add(&stimulus, item));
      good = player_play(player, item);
    }
    EXPECT_FALSE(good);
    stimulus_shrink(player, &stimulus, device.get(), 30);
    for (size_t i = 0; i < stimulus.count; i++) {
      const item *item = &stimulus.items[i];
      const unsigned address = static_cast<unsigned>(device->registers[item->reg].address);
      if (item->kind != ITEM_WRITE || address < 128 || address >= 192) continue;
      types++;
      EXPECT_NE(item->value & 0xFFFF, 0x11u) << "seed " << seed;
    }
    stimulus_free(&stimulus);
    random_destroy(random);
  }
  EXPECT_GT(types, 0u);
  player_destroy(player);
}

// A divergence shrinks to a few lines, and these lines diverge when they are read again.
TEST_F(EngineTest, Shrinks) {
  synthetic.double_every = 5;
  std::string error;
  const Device device = ReadDevice(DeviceText(""), &error);
  const Check check(pmuv3_check_create(device.get()));
  static profile profile;
  profile_find(&profile, device.get(), pmuv3_dut_width);
  struct player *player = player_create(&profile, check.get());
  struct random *random = random_create(&profile, 3);
  stimulus stimulus = {};
  stimulus.seed = 1;
  bool good = player_start(player, 1);
  while (good) {
    const item *item = random_next(random);
    ASSERT_TRUE(stimulus_add(&stimulus, item));
    good = player_play(player, item);
  }
  const size_t lines = stimulus_lines(&stimulus);
  const shrunk shrunk = stimulus_shrink(player, &stimulus, device.get(), 30);
  EXPECT_TRUE(shrunk.in_time);
  EXPECT_LT(stimulus_lines(&stimulus), lines);
  EXPECT_LE(stimulus_lines(&stimulus), 15u);
  char *text = nullptr;
  size_t size = 0, at;
  FILE *out = open_memstream(&text, &size);
  stimulus_write(out, &stimulus, device.get());
  fclose(out);
  FILE *in = fmemopen(text, size, "r");
  struct stimulus again;
  char message[400];
  ASSERT_TRUE(stimulus_read(&again, in, "again", &profile, message, sizeof message)) << message;
  fclose(in);
  EXPECT_TRUE(stimulus_diverges(player, &again, &at)) << text;
  synthetic = Synthetic();
  synthetic.response = 2;
  EXPECT_FALSE(stimulus_diverges(player, &again, &at)) << text;
  free(text);
  stimulus_free(&again);
  stimulus_free(&stimulus);
  random_destroy(random);
  player_destroy(player);
}

}  // namespace
