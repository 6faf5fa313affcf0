// Calibration: devices whose delays are known, and recordings that do not tell.
#include <gtest/gtest.h>

#include "pmuv3/calibrate.h"
#include "testbench/cosim/check/bench/player.h"
#include "testbench/cosim/check/bench/random.h"
#include "testbench/tests/check/synthetic.h"

namespace {

constexpr uint64_t kClocks = 80000;

class CalibrateTest : public testing::Test {
 protected:
  void SetUp() override {
    synthetic = Synthetic();
    synthetic.response = 2;
  }

  // What random stimulus on the synthetic device tells.
  const pmuv3_calibration &Calibrate(const std::string &text, uint64_t clocks = kClocks) {
    std::string error;
    device_ = ReadDevice(text, &error);
    EXPECT_TRUE(device_) << error;
    static profile profile;
    profile_find(&profile, device_.get(), pmuv3_dut_width);
    struct player *player = player_create(&profile, nullptr);
    struct random *random = random_create(&profile, 1);
    EXPECT_TRUE(player_start(player, 1));
    while (player_clocks(player) < clocks) EXPECT_TRUE(player_play(player, random_next(random)));
    const recording *recording = player_recording(player);
    pmuv3_range ranges[PMUV3_NUM_LATENCIES];
    pmuv3_calibrate_ranges(device_.get(), ranges);
    EXPECT_TRUE(pmuv3_calibrate(device_.get(), recording->records, recording->count, ranges,
                                &calibration_));
    records_.assign(recording->records, recording->records + recording->count);
    random_destroy(random);
    player_destroy(player);
    return calibration_;
  }

  // With exactly the synthetic device's latencies.
  void ExpectUnique(const std::string &text = DeviceText()) {
    const pmuv3_calibration &calibration = Calibrate(text);
    ASSERT_EQ(calibration.num_explaining, 1u) << calibration.words;
    // All inputs earlier and all outputs later is the same device.
    const uint8_t *of = calibration.explaining[0].of;
    const unsigned by = synthetic.write - of[PMUV3_LATENCY_WRITE];
    EXPECT_EQ(of[PMUV3_LATENCY_EVENT] + by, synthetic.event);
    EXPECT_EQ(of[PMUV3_LATENCY_STATE] + by, synthetic.state);
    EXPECT_EQ(of[PMUV3_LATENCY_SWINC] + by, synthetic.swinc);
    EXPECT_EQ(of[PMUV3_LATENCY_FLAG], synthetic.flag);
    EXPECT_EQ(of[PMUV3_LATENCY_INTERRUPT], synthetic.interrupt + by);
    EXPECT_EQ(of[PMUV3_LATENCY_READ], synthetic.read + by);
  }

  // With inputs that are not late; and it diverges as the answer says.
  void ExpectNearest(unsigned read, unsigned interrupt) {
    const pmuv3_calibration &calibration = Calibrate(DeviceText());
    EXPECT_EQ(calibration.num_explaining, 0u);
    EXPECT_EQ(calibration.nearest.of[PMUV3_LATENCY_READ], read);
    EXPECT_EQ(calibration.nearest.of[PMUV3_LATENCY_INTERRUPT], interrupt);
    EXPECT_EQ(calibration.nearest.of[PMUV3_LATENCY_EVENT], 0);
    pmuv3_device nearest = *device_;
    for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++)
      nearest.latency[l] = {calibration.nearest.of[l], calibration.nearest.of[l]};
    const Check check(pmuv3_check_create(&nearest));
    char words[400];
    for (const pmuv3_record &record : records_)
      if (!pmuv3_check_clock(check.get(), &record)) break;
    EXPECT_EQ(std::string(pmuv3_check_words(check.get(), words, sizeof words)), calibration.words);
  }

  Device device_;
  std::vector<pmuv3_record> records_;
  pmuv3_calibration calibration_;
};

TEST_F(CalibrateTest, NoLatency) {
  ExpectUnique();
}

TEST_F(CalibrateTest, FindsAllLatenciesAtOnce) {
  synthetic.event = 3, synthetic.state = 1, synthetic.swinc = 2, synthetic.write = 1;
  synthetic.flag = 2, synthetic.interrupt = 3, synthetic.read = 2;
  ExpectUnique();
  EXPECT_TRUE(calibration_.is_shiftable);
}

// What the description says of latencies is no hint.
TEST_F(CalibrateTest, DoesNotBelieveTheDescription) {
  synthetic.event = 2, synthetic.flag = 1;
  ExpectUnique(DeviceText("latency event 1\nlatency interrupt 2\n"));
}

// The answer lies beyond the default range: the description gives another range.
TEST_F(CalibrateTest, TakesRangesOfTheDescription) {
  synthetic.event = 9;
  EXPECT_EQ(Calibrate(DeviceText()).num_explaining, 0u);
  ExpectUnique(DeviceText("mode within\nlatency event 6..12\n"));
}

// A range of one latency leaves no choice, in any mode.
TEST_F(CalibrateTest, ARangeOfOneFixesALatency) {
  synthetic.event = 1;
  ExpectUnique(DeviceText("latency state 0..0\n"));
  const uint64_t tried = calibration_.tried;
  EXPECT_EQ(Calibrate(DeviceText("latency state 0\n")).tried, 4 * tried);
  EXPECT_EQ(Calibrate(DeviceText("latency state 1..1\n")).num_explaining, 0u);
}

TEST_F(CalibrateTest, SaysWhatNothingDependsOn) {
  const pmuv3_calibration &calibration = Calibrate(DeviceText());
  EXPECT_FALSE(calibration.is_used[PMUV3_LATENCY_CLOCK]);
  EXPECT_FALSE(calibration.is_used[PMUV3_LATENCY_VISIBLE]);
  EXPECT_TRUE(calibration.is_used[PMUV3_LATENCY_STATE]);
}

// Nothing is enabled within the first clocks, so they do not tell latencies apart.
TEST_F(CalibrateTest, AShortRecordingIsAmbiguous) {
  EXPECT_GT(Calibrate(DeviceText(), 10).num_explaining, 1u);
}

// A device that loses events is of no latency.
TEST_F(CalibrateTest, AMistakeIsInexplicable) {
  synthetic.event = 2;
  synthetic.drop_every = 700;
  const pmuv3_calibration &calibration = Calibrate(DeviceText());
  EXPECT_EQ(calibration.num_explaining, 0u);
  EXPECT_EQ(calibration.nearest.of[PMUV3_LATENCY_EVENT], 2);
  EXPECT_GT(calibration.furthest.clock, 0u);
  EXPECT_NE(std::string(calibration.words), "");
}

// The nearest combination has the outputs' latencies, too, and it is the one that diverges so.
TEST_F(CalibrateTest, TheNearestIsTheOneThatComesFurthest) {
  synthetic.read = 1, synthetic.interrupt = 2;
  synthetic.drop_every = 1000;
  ExpectNearest(1, 2);
}

// Each latency of an output is right at some time, none always.
TEST_F(CalibrateTest, TheNearestWhereTheOutputsExplainNothing) {
  synthetic.read = 2, synthetic.late_from = 15000;
  ExpectNearest(2, 0);
}

}  // namespace
