#include "testbench/prove/equivalence/keep.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace pmuv3::prove {
namespace {

class KeepTest : public ::testing::Test {
 protected:
  ~KeepTest() override { std::filesystem::remove_all(folder_); }

  bool Keep(const std::string &folder, const char *name, const std::string &text,
            const char *of = "idle") {
    keep_place place = {folder.c_str(), "1x2", of};
    return keep_query(name, text.data(), text.size(), &place);
  }

  static std::string Text(const std::string &file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  std::string name_ = ::testing::TempDir() + "keep_test.XXXXXX";
  const std::string folder_ = mkdtemp(name_.data());
};

TEST_F(KeepTest, NamesStayDifferent) {
  const std::string kept = folder_ + "/kept", idle = kept + "/1x2/idle";
  EXPECT_TRUE(Keep(kept, "t0.u_a/b[3] next", "(check-sat)\n"));
  EXPECT_TRUE(Keep(kept, "t0.u_a%2Fb[3]", "other"));
  EXPECT_EQ(Text(idle + "/t0.u_a%2Fb[3]%20next.smt2"), "(check-sat)\n");
  EXPECT_TRUE(std::filesystem::exists(idle + "/t0.u_a%252Fb[3].smt2"));
}

// Cases ask questions of the same names, and a case may ask one again.
TEST_F(KeepTest, EachQueryIsKept) {
  for (const char *of : {"idle", "reads PMCR_EL0"})
    for (const char *text : {"first", "again"})
      EXPECT_TRUE(Keep(folder_, "next q", of + std::string(text), of));
  EXPECT_EQ(Text(folder_ + "/1x2/idle/next%20q.smt2"), "idlefirst");
  EXPECT_EQ(Text(folder_ + "/1x2/idle/next%20q-2.smt2"), "idleagain");
  EXPECT_EQ(Text(folder_ + "/1x2/reads%20PMCR_EL0/next%20q.smt2"), "reads PMCR_EL0first");
  EXPECT_EQ(Text(folder_ + "/1x2/reads%20PMCR_EL0/next%20q-2.smt2"), "reads PMCR_EL0again");
}

TEST_F(KeepTest, CannotBeWritten) {
  const std::string kept = folder_ + "/not/there";
  testing::internal::CaptureStderr();
  EXPECT_FALSE(Keep(kept, "true", ""));
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "pmuv3 prove: cannot write " + kept + "/1x2/idle/true.smt2: No such file or directory\n");
}

}  // namespace
}  // namespace pmuv3::prove
