// libpmuv3 itself, where it says more than a side does.
#include <gtest/gtest.h>

#include <memory>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // functions and structs of the same name, as C may
#include "pmuv3/pmuv3.h"
#pragma GCC diagnostic pop

namespace {

// A PMU that is refused is one of the default parameters.
TEST(LibraryTest, InitRefusesWhatIsWrong) {
  pmuv3_params params = pmuv3_params_default();
  params.threads = 5;
  params.counters = 40;
  auto pmu = std::make_unique<struct pmuv3>();
  EXPECT_NE(pmuv3_init(pmu.get(), &params), nullptr);
  EXPECT_EQ(pmu->params.threads, 1);
  EXPECT_EQ(pmu->params.counters, 6);
  const pmuv3_cycle nothing = {};
  pmuv3_tick(pmu.get(), &nothing);
  params = pmuv3_params_default();
  EXPECT_EQ(pmuv3_init(pmu.get(), &params), nullptr);
}

}  // namespace
