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

  bool Keep(const std::string &folder, const char *name, const std::string &text) {
    return keep_in_directory(name, text.data(), text.size(), const_cast<char *>(folder.c_str()));
  }

  std::string name_ = ::testing::TempDir() + "keep_test.XXXXXX";
  const std::string folder_ = mkdtemp(name_.data());
};

TEST_F(KeepTest, NamesStayDifferent) {
  const std::string kept = folder_ + "/kept";
  EXPECT_TRUE(Keep(kept, "t0.u_a/b[3] next", "(check-sat)\n"));
  EXPECT_TRUE(Keep(kept, "t0.u_a%2Fb[3]", "other"));
  std::stringstream text;
  text << std::ifstream(kept + "/t0.u_a%2Fb[3]%20next.smt2").rdbuf();
  EXPECT_EQ(text.str(), "(check-sat)\n");
  EXPECT_TRUE(std::filesystem::exists(kept + "/t0.u_a%252Fb[3].smt2"));
}

TEST_F(KeepTest, CannotBeWritten) {
  const std::string kept = folder_ + "/not/there";
  testing::internal::CaptureStderr();
  EXPECT_FALSE(Keep(kept, "true", ""));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "pmuv3 prove: cannot write " + kept + "/true.smt2: No such file or directory\n");
}

}  // namespace
}  // namespace pmuv3::prove
