// The files that are kept of a divergence, on two C models of which one is bent.
#include "testbench/cosim/run/failure.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "pmuv3/registers.h"
#include "testbench/tests/unit/bent_side.h"

namespace {

using Bend = std::function<void(BentSide *)>;
using Next = std::function<const pmuv3_item *()>;

class FailureTest : public ::testing::Test {
 protected:
  FailureTest() {
    task_.params = pmuv3_params_default();
    EXPECT_STREQ(pmuv3_params_complete(&task_.params), nullptr);
    task_.seed = 1;
    task_.x_seed = 1;
  }
  ~FailureTest() override { std::filesystem::remove_all(folder_); }

  // Gives items to new sides until the sides differ. NULL ends the items. Returns whether the sides
  // differ.
  bool Play(const Bend &bend, const Next &next, pmuv3_divergence *divergence) {
    BentSide *bent = NewBentSide(task_.params);
    bend(bent);
    pmuv3_side *lockstep = pmuv3_side_lockstep(pmuv3_side_cmodel(&task_.params), bent);
    const pmuv3_item *item = next();
    while (item && !pmuv3_lockstep_divergence(lockstep)) {
      pmuv3_play_item(lockstep, item);
      item = next();
    }
    const pmuv3_divergence *found = pmuv3_lockstep_divergence(lockstep);
    const bool differ = found != nullptr;
    if (differ) *divergence = *found;
    pmuv3_side_destroy(lockstep);
    return differ;
  }

  // The same for the task's stimulus.
  bool PlayTask(const Bend &bend, pmuv3_divergence *divergence) {
    const std::unique_ptr<pmuv3_random, decltype(&pmuv3_random_destroy)> random(
        pmuv3_random_create(&task_.params, task_.seed), pmuv3_random_destroy);
    int items = 0;
    return Play(
        bend, [&] { return items++ < 100000 ? pmuv3_random_next(random.get()) : nullptr; },
        divergence);
  }

  // The same for the stimulus that was kept.
  bool PlayKept(const Bend &bend, pmuv3_divergence *divergence) {
    pmuv3_stimulus stimulus;
    char error[512] = "";
    FILE *in = std::fopen((folder_ / "stimulus.stim").c_str(), "r");
    const bool is_read =
        in && pmuv3_stimulus_read(&stimulus, in, "stimulus.stim", error, sizeof error);
    if (in) std::fclose(in);
    EXPECT_TRUE(is_read) << error;
    if (!is_read) return false;
    size_t next = 0;
    const bool differ = Play(
        bend, [&] { return next < stimulus.num_items ? &stimulus.items[next++] : nullptr; },
        divergence);
    pmuv3_stimulus_free(&stimulus);
    return differ;
  }

  void ExpectKept(const Bend &bend) {
    pmuv3_divergence found = {}, again = {};
    ASSERT_TRUE(PlayTask(bend, &found));
    ASSERT_STREQ(found.signal, "PMCCNTR_EL0");
    ASSERT_STREQ(pmuv3_failure_save(name_.c_str(), &task_, &found), nullptr);
    ASSERT_TRUE(PlayKept(bend, &again)) << "what was kept does not diverge";
    EXPECT_STREQ(again.signal, found.signal);
    EXPECT_EQ(again.cycle, found.cycle);
    EXPECT_EQ(again.cmodel, found.cmodel);
    EXPECT_EQ(again.rtl, found.rtl);
  }

  std::string name_ = testing::TempDir() + "pmuv3-failure-XXXXXX";
  const std::filesystem::path folder_ = mkdtemp(name_.data());
  pmuv3_cosim_task task_ = {};
};

TEST_F(FailureTest, KeepsTheReadThatDiffers) {
  ExpectKept([](BentSide *bent) {
    bent->bend_read = [](uint16_t reg, uint64_t *value) { *value ^= reg == PMUV3_PMCCNTR; };
  });
}

// The register is read alike just before the cycle after which it differs. The read and the probe
// have the same name.
TEST_F(FailureTest, KeepsTheCycleAfterAReadOfTheRegister) {
  ExpectKept([](BentSide *bent) {
    const auto was_read = std::make_shared<bool>(false);
    bent->bend_read = [=](uint16_t reg, uint64_t *) { *was_read |= reg == PMUV3_PMCCNTR; };
    bent->bend_probe = [=](uint64_t, pmuv3_probe *probe) { probe->pmccntr ^= *was_read; };
  });
}

}  // namespace
