// presets of cores: param core= in stimulus files, what overrides it, and its errors.
extern "C" {
#include "testbench/cosim/stimulus/core.h"
#include "testbench/cosim/run/configurations.h"
}

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "pmuv3/id_registers.h"
#include "testbench/cosim/stimulus/events_text.h"
#include "testbench/cosim/stimulus/stimulus.h"

namespace pmuv3 {
namespace {

// The parameters of a stimulus file of that text in the folder, or the error.
pmuv3_params Read(const std::string &text, std::string *error, const std::string &file = "F") {
  const std::string whole = "pmuv3-stimulus 1\n" + text;
  char message[500] = "";
  FILE *in = fmemopen(const_cast<char *>(whole.data()), whole.size(), "r");
  pmuv3_stimulus stimulus;
  pmuv3_params params{};
  if (pmuv3_stimulus_read(&stimulus, in, file.c_str(), message, sizeof message)) {
    params = stimulus.params;
    pmuv3_stimulus_free(&stimulus);
  }
  fclose(in);
  *error = message;
  return params;
}

pmuv3_params Good(const std::string &text) {
  std::string error;
  const pmuv3_params params = Read(text, &error);
  EXPECT_EQ(error, "");
  return params;
}

std::string ErrorOf(const std::string &text, const std::string &file = "F") {
  std::string error;
  Read(text, &error, file);
  return error;
}

TEST(CoreTest, APresetGivesEveryParameter) {
  const pmuv3_params params = Good("param core=neoverse-v2\n");
  EXPECT_EQ(params.counters, 6);
  EXPECT_EQ(params.slots, 8);
  EXPECT_EQ(params.aa32, PMUV3_AA32_NONE);
  EXPECT_TRUE(pmuv3_has(&params, PMUV3_FEATURE_PMUv3p5));
  EXPECT_FALSE(pmuv3_has(&params, PMUV3_FEATURE_PMUv3p7));
  EXPECT_EQ(params.events.num, 156);
  EXPECT_NE(pmuv3_events_find(&params.events, 0x8074), nullptr);
  EXPECT_EQ(pmuv3_events_find(&params.events, 0x0006), nullptr);
}

TEST(CoreTest, LaterParametersOverride) {
  const pmuv3_params params = Good(
      "param core=neoverse-v2 counters=2\n"
      "param features=PMUv3p7 event=0x0006 event=0x0004,most=3\n");
  EXPECT_EQ(params.counters, 2);
  EXPECT_EQ(params.slots, 8);
  EXPECT_TRUE(pmuv3_has(&params, PMUV3_FEATURE_PMUv3p7));
  EXPECT_FALSE(pmuv3_has(&params, PMUV3_FEATURE_SEL2));
  EXPECT_EQ(params.events.num, 157);
  EXPECT_EQ(pmuv3_events_find(&params.events, 0x0004)->most, 3);
  EXPECT_EQ(Good("param core=neoverse-v2 events=none\n").events.num, 4);
}

TEST(CoreTest, ACommandLineTakesIt) {
  pmuv3_params params = pmuv3_params_default();
  EXPECT_EQ(pmuv3_param_set(&params, "core", "cortex-a53"), nullptr);
  EXPECT_EQ(params.debugv8p2, 0);
  EXPECT_STREQ(pmuv3_param_set(&params, "core", "cortex-a5"),
               "core \"cortex-a5\" is unknown; expected one that ./pmuv3 cores lists, as "
               "cortex-a35, cortex-a53 or cortex-a55");
  EXPECT_EQ(params.debugv8p2, 0);
}

TEST(CoreTest, NamesAreInOrder) {
  char **names = pmuv3_core_names();
  ASSERT_NE(names, nullptr);
  EXPECT_STREQ(names[0], "cortex-a35");
  EXPECT_STREQ(names[1], "cortex-a53");
  unsigned count = 0;
  while (names[count]) count++;
  EXPECT_GE(count, 12u);
  EXPECT_STREQ(names[count - 1], "neoverse-v3");
  pmuv3_core_names_free(names);
}

TEST(CoreTest, Errors) {
  EXPECT_EQ(ErrorOf("param core=neoverse-v9\n"),
            "F:2: core \"neoverse-v9\" is unknown; expected one that ./pmuv3 cores lists, as "
            "neoverse-v1, neoverse-v2 or neoverse-v3");
  EXPECT_EQ(ErrorOf("param counters=2\nparam core=neoverse-v2\n"),
            "F:3: core= after other parameters; expected it before them");
  EXPECT_EQ(ErrorOf("param core=cortex-a53\nparam core=cortex-a72\n"),
            "F:3: core= after other parameters; expected it before them");
  EXPECT_EQ(ErrorOf("param core=neoverse-v2 counters=2 counters=3\n"),
            "F:2: counters is given twice; expected it once");
  EXPECT_EQ(ErrorOf("param core=./absent.core\n"),
            "F:2: core=./absent.core cannot be opened: No such file or directory; expected a "
            "preset");
}

// A folder with a preset of one's own.
class OwnPresetTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "core_test." + std::to_string(getpid());
    path_ = folder_ + "/my.core";
    ASSERT_EQ(std::system(("mkdir -p " + folder_).c_str()), 0);
  }
  void TearDown() override { std::system(("rm -rf " + folder_).c_str()); }

  // What a stimulus file beside the preset says of this one.
  std::string Error(const std::string &preset) {
    std::ofstream(path_) << preset;
    return ErrorOf("param core=./my.core\n", folder_ + "/F");
  }

  std::string folder_, path_;
};

TEST_F(OwnPresetTest, IsBesideTheStimulusFile) {
  EXPECT_EQ(Error("pmuv3-core 1\n# Mine\nparam counters=3 # a comment\n"), "");
  EXPECT_EQ(ErrorOf("param core=" + path_ + "\n"), "");
}

TEST_F(OwnPresetTest, ABrokenOneNamesFileAndLine) {
  const std::string at = folder_ + "/./my.core:";
  EXPECT_EQ(Error(""), at + "1: the file is empty; expected \"pmuv3-core 1\" in the first line");
  EXPECT_EQ(Error("pmuv3-events 1\n"),
            at + "1: not a preset of a core; expected \"pmuv3-core 1\" in the first line");
  EXPECT_EQ(Error("pmuv3-core 2\n"),
            at + "1: the format's version is \"2\"; expected \"pmuv3-core 1\" in the first line");
  EXPECT_EQ(Error("pmuv3-core 1\ncycle\n"), at + "2: unknown word \"cycle\"; expected param");
  EXPECT_EQ(Error("pmuv3-core 1\n\nparam core=cortex-a53\n"),
            at + "3: core= in a preset; expected parameters of the core itself");
  EXPECT_EQ(Error("pmuv3-core 1\nparam counters=32\n"),
            at + "2: counters must be 0..31, not 32; expected NAME=VALUE of "
                 "docs/reference/parameters.md");
  EXPECT_EQ(Error("pmuv3-core 1\nparam event=0x00C0\n"),
            at + "2: event 0x00c0 is not in docs/reference/events.md; expected its mnemonic; "
                 "expected event=NUMBER[,MNEMONIC][,KEY=VALUE]...");
  EXPECT_EQ(Error("pmuv3-core 1\nparam features=ICNTR\nparam events=none\n# end\n"),
            at + "3: ICNTR needs INST_RETIRED (0x0008), the event that PMICNTR_EL0 counts; "
                 "expected parameters that can be together");
}

// The presets of configurations are compiled in.
TEST(CoreTest, ConfigurationsHaveThePresetsOfTheSources) {
  const std::pair<const char *, const char *> cores[] = {
      {"Cortex-A53", "cortex-a53"}, {"Neoverse N1", "neoverse-n1"}, {"Neoverse V2", "neoverse-v2"}};
  for (const auto &[name, core] : cores) {
    const pmuv3_params preset = Good("param core=" + std::string(core) + "\n");
    bool found = false;
    for (size_t c = 0; c < PMUV3_NUM_CONFIGURATIONS; c++) {
      if (std::strcmp(pmuv3_configurations[c].name, name) != 0) continue;
      const pmuv3_params params = pmuv3_configuration_params(c);
      EXPECT_EQ(std::memcmp(&params, &preset, sizeof params), 0) << name;
      found = true;
    }
    EXPECT_TRUE(found) << name;
  }
}

// The values that QEMU has of cores (target/arm/tcg/cpu64.c, target/arm/cpu64.c), and the presets.
TEST(CoreTest, IdRegistersAreThoseOfTheCores) {
  const struct {
    const char *core;
    uint64_t aa64dfr0, dfr0;
  } cores[] = {
      {"cortex-a35", 0x10305106, 0x03010066},
      {"cortex-a53", 0x10305106, 0x03010066},
      {"cortex-a72", 0x10305106, 0x03010066},
      {"cortex-a55", 0x10305408, 0x04010088},
      {"cortex-a76", 0x10305408, 0x04010088},
      {"neoverse-n1", 0x110305408, 0x04010088},
      {"neoverse-v1", 0x000001f210305519, 0x15011099},
      {"cortex-a710", 0x000011f010305619, 0x16011099},
      {"neoverse-n2", 0x000011f210305619, 0x16011099},
  };
  for (const auto &core : cores) {
    const pmuv3_params params = Good("param core=" + std::string(core.core) + "\n");
    const pmuv3_id aa64dfr0 = pmuv3_id_of(&params, PMUV3_ID_AA64DFR0);
    const pmuv3_id dfr0 = pmuv3_id_of(&params, PMUV3_ID_DFR0);
    EXPECT_EQ(core.aa64dfr0 & aa64dfr0.mask, aa64dfr0.value) << core.core;
    EXPECT_EQ(core.dfr0 & dfr0.mask, dfr0.value) << core.core;
    EXPECT_NE(dfr0.mask, 0u) << core.core;
  }
}

}  // namespace
}  // namespace pmuv3
