// Of which sources the inputs of a proof are.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // functions and structs of the same name, as C may
#include "testbench/prove/equivalence/inputs.h"
#pragma GCC diagnostic pop

namespace {

// A build in a folder: its list of sources is that of this program.
class InputsTest : public ::testing::Test {
 protected:
  InputsTest() {
    std::filesystem::create_directory(folder_ / "prove");
    std::filesystem::copy_file(PMUV3_BUILD "/source.list", folder_ / "source.list");
    std::getline(std::ifstream(folder_ / "source.list"), source_);
    Make("pmuv3_ub.bc", source_);
    Make("1_2.btor", source_);
    options_.bitcode = bitcode_.c_str();
    options_.netlists = netlists_.c_str();
    options_.sizes[0] = {1, 2, 0};
    options_.num_sizes = 1;
  }
  ~InputsTest() override { std::filesystem::remove_all(folder_); }

  // An input that was made of sources: a line each.
  void Make(const std::string &name, const std::string &sources) {
    std::ofstream(folder_ / "prove" / name) << "made of " << sources;
    const std::string digest =
        "cd '" + netlists_ + "' && sha256sum <" + name + " >" + name + ".sources";
    EXPECT_EQ(std::system(digest.c_str()), 0);
    std::ofstream(folder_ / "prove" / (name + ".sources"), std::ios::app) << sources << "\n";
  }

  bool AreOfSources() { return prove_inputs_are_of_sources(&options_, name_.c_str()); }

  std::string name_ = testing::TempDir() + "pmuv3-inputs-XXXXXX";
  const std::filesystem::path folder_ = mkdtemp(name_.data());
  const std::string netlists_ = name_ + "/prove", bitcode_ = netlists_ + "/pmuv3_ub.bc";
  std::string source_;
  struct prove_options options_ = {};
};

TEST_F(InputsTest, OfTheSources) {
  EXPECT_TRUE(AreOfSources());
}

TEST_F(InputsTest, OfOtherSources) {
  std::string other = source_;
  other[0] = other[0] == '0' ? '1' : '0';
  Make("1_2.btor", source_ + "\n" + other);
  EXPECT_FALSE(AreOfSources());
  Make("1_2.btor", source_);
  EXPECT_TRUE(AreOfSources());
  Make("pmuv3_ub.bc", other);
  EXPECT_FALSE(AreOfSources());
}

TEST_F(InputsTest, OfNoSources) {
  std::filesystem::resize_file(folder_ / "prove/1_2.btor.sources", 68);  // its own digest
  EXPECT_FALSE(AreOfSources());
  std::filesystem::remove(folder_ / "prove/1_2.btor.sources");
  EXPECT_FALSE(AreOfSources());
}

TEST_F(InputsTest, EveryInputCounts) {
  options_.sizes[1] = {2, 1, 0};
  options_.num_sizes = 2;
  EXPECT_FALSE(AreOfSources());
  Make("2_1.btor", source_);
  EXPECT_TRUE(AreOfSources());
}

TEST_F(InputsTest, MadeAnew) {
  std::ofstream(folder_ / "prove/1_2.btor", std::ios::app) << "more";
  EXPECT_FALSE(AreOfSources());
}

TEST_F(InputsTest, TheBuildIsOfOtherSources) {
  std::ofstream(folder_ / "source.list", std::ios::app) << "time 0 of.sv\n";
  EXPECT_TRUE(AreOfSources());
  std::ofstream(folder_ / "source.list", std::ios::app) << source_.substr(0, 64) << "  of.sv\n";
  EXPECT_FALSE(AreOfSources());
}

TEST_F(InputsTest, OfAnotherFolder) {
  const std::string other = netlists_ + "/./pmuv3_ub.bc";
  options_.bitcode = other.c_str();
  EXPECT_FALSE(AreOfSources());
}

}  // namespace
