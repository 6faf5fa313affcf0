// The waves of the RTL's side, one after the other.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tlm_wrapper/side_rtl.h"

namespace {

class WaveTest : public ::testing::Test {
 protected:
  WaveTest() {
    pmuv3_params params = pmuv3_params_default();
    pmuv3_params_complete(&params);
    side_ = pmuv3_side_rtl(&params, 1);
  }
  ~WaveTest() override {
    pmuv3_side_destroy(side_);
    std::filesystem::remove_all(folder_);
  }

  bool Begin(const std::string &file) {
    return pmuv3_side_rtl_wave(side_, (folder_ / file).c_str());
  }
  bool End() { return pmuv3_side_rtl_wave_end(side_); }
  void Cycle() {
    const pmuv3_cycle nothing = {};
    pmuv3_side_cycle(side_, &nothing);
  }
  bool IsThere(const char *file) {
    return std::filesystem::exists(folder_ / file) &&
           std::filesystem::file_size(folder_ / file) > 0;
  }

  pmuv3_side *side_;
  std::string name_ = testing::TempDir() + "pmuv3-wave-XXXXXX";
  const std::filesystem::path folder_ = mkdtemp(name_.data());
};

TEST_F(WaveTest, EndsOnlyWhatBegan) {
  EXPECT_FALSE(End());
  ASSERT_TRUE(Begin("one.fst"));
  Cycle();
  EXPECT_TRUE(End());
  EXPECT_FALSE(End());
}

TEST_F(WaveTest, OneAtATime) {
  ASSERT_TRUE(Begin("one.fst"));
  Cycle();
  EXPECT_FALSE(Begin("two.fst"));
  Cycle();
  EXPECT_TRUE(End());
  EXPECT_TRUE(IsThere("one.fst"));
  EXPECT_FALSE(IsThere("two.fst"));
}

TEST_F(WaveTest, OneAfterTheOther) {
  for (const char *file : {"one.fst", "two.fst", "three.fst"}) {
    ASSERT_TRUE(Begin(file));
    Cycle();
    EXPECT_TRUE(End());
    EXPECT_TRUE(IsThere(file)) << file;
  }
}

TEST_F(WaveTest, AfterOneThatCouldNotBe) {
  EXPECT_FALSE(Begin("absent/one.fst"));
  EXPECT_FALSE(End());
  Cycle();
  ASSERT_TRUE(Begin("two.fst"));
  Cycle();
  EXPECT_TRUE(End());
  EXPECT_TRUE(IsThere("two.fst"));
}

}  // namespace
