// stimulus_errors: bad input is refused with one line that says where and what
// (docs/formats.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "testbench/stimulus/stimulus.h"

namespace pmuv3 {
namespace {

struct Bad {
  const char *text;      // after "pmuv3-stimulus 1\n", so its first line is line 2
  int line;              // of the whole file
  const char *mentions;  // something that the message must name
};

void ExpectError(const std::string &text, int line, const char *mentions) {
  SCOPED_TRACE(text);
  std::string copy = text;
  // fmemopen refuses a size of 0; a file of that size is /dev/null.
  FILE *in = copy.empty() ? std::fopen("/dev/null", "r") : fmemopen(copy.data(), copy.size(), "r");
  ASSERT_NE(in, nullptr);
  pmuv3_stimulus stimulus;
  char error[256] = "";
  const bool good = pmuv3_stimulus_read(&stimulus, in, "dir/bad.stim", error, sizeof error);
  std::fclose(in);
  EXPECT_FALSE(good);
  if (good) {
    pmuv3_stimulus_free(&stimulus);
    return;
  }
  const std::string where = "dir/bad.stim:" + std::to_string(line) + ": ";
  EXPECT_EQ(std::string(error).substr(0, where.size()), where) << error;
  EXPECT_GT(std::strlen(error), where.size());
  EXPECT_NE(std::strstr(error + std::min(where.size(), std::strlen(error)), mentions), nullptr)
      << error << "\nshould mention " << mentions;
  EXPECT_EQ(std::strchr(error, '\n'), nullptr) << "one line";
}

void ExpectErrors(std::initializer_list<Bad> table) {
  for (const Bad &bad : table)
    ExpectError(std::string("pmuv3-stimulus 1\n") + bad.text, bad.line, bad.mentions);
}

TEST(StimulusErrorsTest, FirstLine) {
  ExpectError("", 1, "pmuv3-stimulus 1");
  ExpectError("\n", 1, "pmuv3-stimulus 1");
  ExpectError("\npmuv3-stimulus 1\n", 1, "pmuv3-stimulus 1");
  ExpectError("# comment\npmuv3-stimulus 1\n", 1, "pmuv3-stimulus 1");
  ExpectError("pmuv3-stimulus\n", 1, "");
  ExpectError("pmuv3-stimulus 2\n", 1, "");
  ExpectError("pmuv3-stimulus 1 1\n", 1, "");
  ExpectError("pmuv3-stimulus one\n", 1, "");
  ExpectError("pmuv3-trace 1\n", 1, "");
  ExpectError("param counters=6\n", 1, "");
}

TEST(StimulusErrorsTest, Words) {
  ExpectErrors({
      {"wirte PMCR_EL0 1\n", 2, "wirte"},
      {"Write PMCR_EL0 1\n", 2, "Write"},
      {"cycles\n", 2, "cycles"},
      {"\n# fine\n\ncycle\nbang\ncycle\n", 6, "bang"},
      {"cycle\npmuv3-stimulus 1\n", 3, "pmuv3-stimulus"},
      {"bang", 2, "bang"},  // a last line without its newline
  });
}

TEST(StimulusErrorsTest, Params) {
  ExpectErrors({
      {"param\n", 2, "param"},
      {"param counter=6\n", 2, "counter"},
      {"param counters=32\n", 2, "counters"},
      {"param counters=-1\n", 2, "counters"},
      {"param counters=many\n", 2, "counters"},
      {"param counters=\n", 2, "counters"},
      {"param counters=0X6\n", 2, "counters"},  // as in any number, x is a small letter
      {"param counters\n", 2, "counters"},
      {"param =6\n", 2, ""},
      {"param counters =6\n", 2, "counters"},
      {"param th_width=0\n", 2, "th_width"},
      {"param th_width=13\n", 2, "th_width"},
      {"param threads=0\n", 2, "threads"},
      {"param threads=5\n", 2, "threads"},
      {"param el2=2\n", 2, "el2"},
      {"param slots=256\n", 2, "slots"},
      {"param features=TH,BOGUS\n", 2, "BOGUS"},
      {"param features=\n", 2, "feature"},
      {"param K-RESTC=z\n", 2, "K-RESTC"},
      {"param K-NOSUCH=a\n", 2, "K-NOSUCH"},
      {"param counters=6\nparam bogus=1\n", 3, "bogus"},
      {"write PMCR_EL0 1\nparam counters=6\n", 3, "param"},
      {"cycle\n\nparam counters=6\n", 4, "param"},
      {"idle 1\nparam counters=6\n", 3, "param"},
      {"expect PMCR_EL0 0x3000\nparam counters=6\n", 3, "param"},
  });
}

TEST(StimulusErrorsTest, Registers) {
  ExpectErrors({
      {"write\n", 2, ""},
      {"write PMCR_EL0\n", 2, ""},
      {"write PMCR_EL0 1 2\n", 2, "2"},
      {"write 1 PMCR_EL0\n", 2, ""},
      {"write PMCR 1\n", 2, "PMCR"},
      {"write PMBOGUS_EL0 1\n", 2, "PMBOGUS_EL0"},
      {"write PMEVCNTR6_EL0 1\n", 2, "PMEVCNTR6_EL0"},
      {"write PMEVTYPER31_EL0 1\n", 2, "PMEVTYPER31_EL0"},
      {"param counters=2\nwrite PMEVTYPER2_EL0 1\n", 3, "PMEVTYPER2_EL0"},
      {"param counters=0\nwrite PMEVCNTR0_EL0 1\n", 3, "PMEVCNTR0_EL0"},
      {"write PMCEID0_EL0 1\n", 2, "PMCEID0_EL0"},
      {"write PMCEID1_EL0 1\n", 2, "PMCEID1_EL0"},
      {"write PMMIR_EL1 1\n", 2, "PMMIR_EL1"},
      {"param features=PMUv3p1\nexpect PMMIR_EL1 0\n", 3, "PMMIR_EL1"},
      {"expect\n", 2, ""},
      {"expect PMCR_EL0\n", 2, ""},
      {"expect PMCR_EL0 0 0\n", 2, "0"},
      {"expect PMSWINC_EL0 0\n", 2, "PMSWINC_EL0"},
      {"expect PMBOGUS_EL0 0\n", 2, "PMBOGUS_EL0"},
      {"expect PMEVCNTR6_EL0 0\n", 2, "PMEVCNTR6_EL0"},
      {"write PMCR_EL0 1\nwrite PMCR_EL0 1\n\nwrite PMCR_EL9 1\n", 5, "PMCR_EL9"},
  });
}

TEST(StimulusErrorsTest, Numbers) {
  ExpectErrors({
      {"write PMCR_EL0 one\n", 2, "one"},
      {"write PMCR_EL0 0x\n", 2, "0x"},
      {"write PMCR_EL0 -1\n", 2, "-1"},
      {"write PMCR_EL0 +1\n", 2, "+1"},
      {"write PMCR_EL0 1x\n", 2, "1x"},
      {"write PMCR_EL0 0b1\n", 2, "0b1"},
      {"write PMCR_EL0 1.0\n", 2, "1.0"},
      {"write PMEVCNTR0_EL0 0x10000000000000000\n", 2, "0x10000000000000000"},
      {"write PMEVCNTR0_EL0 18446744073709551616\n", 2, "18446744073709551616"},
      {"expect PMCR_EL0 0xG\n", 2, "0xG"},
  });
}

TEST(StimulusErrorsTest, Occurrences) {
  ExpectErrors({
      {"cycle 0x8\n", 2, "0x8"},
      {"cycle 0x8:\n", 2, "count"},
      {"cycle :1\n", 2, "event"},
      {"cycle 0x8:1:1\n", 2, "1:1"},
      {"cycle 0x8:-1\n", 2, "-1"},
      {"cycle 0x8:256\n", 2, "256"},
      {"cycle 0x8:200 0x8:56\n", 2, ""},
      {"cycle 0x8:0x100\n", 2, "255"},
      {"cycle INST_RETIRED:1\n", 2, "INST_RETIRED"},
      {"cycle 0x7:1\n", 2, "0x7"},          // not implemented
      {"cycle 0x10008:1\n", 2, "0x10008"},  // more than 16 bits
      {"cycle 0x0000:1\n", 2, "0x0000"},    // made by the PMU itself
      {"cycle 0x0011:1\n", 2, "0x0011"},
      {"cycle 0x001E:1\n", 2, "0x001E"},
      {"cycle 0x0023:2\n", 2, "0x0023"},  // cycle events are 0 or 1
      {"cycle 0x003C:1 0x003C:1\n", 2, ""},
      {"param features=TH2\ncycle 0x80C1:1\n", 3, "0x80C1"},  // evtCount has 10 bits
      {"cycle 0x8:1 nonsense\n", 2, "nonsense"},
      {"cycle\ncycle 0x8:1\ncycle 0x8:1 0x9:300\n", 4, "300"},
  });
}

TEST(StimulusErrorsTest, WritesInCycles) {
  ExpectErrors({
      {"cycle PMCR_EL0=\n", 2, "value"},
      {"cycle PMCR_EL0\n", 2, "PMCR_EL0"},
      {"cycle =1\n", 2, "register"},
      {"cycle PMCR_EL0=x\n", 2, "x"},
      {"cycle PMCR_EL0=0x10000000000000000\n", 2, "0x10000000000000000"},
      {"cycle PMBOGUS_EL0=1\n", 2, "PMBOGUS_EL0"},
      {"cycle PMEVCNTR6_EL0=1\n", 2, "PMEVCNTR6_EL0"},
      {"cycle PMCEID0_EL0=1\n", 2, "PMCEID0_EL0"},
      {"cycle PMCR_EL0=1 PMCR_EL0=1\n", 2, ""},  // one a thread
      {"cycle PMCR_EL0=1 0x8:1 PMOVSCLR_EL0=1\n", 2, ""},
  });
}

TEST(StimulusErrorsTest, Idle) {
  ExpectErrors({
      {"idle\n", 2, ""},
      {"idle x\n", 2, "x"},
      {"idle -1\n", 2, "-1"},
      {"idle 1 2\n", 2, "2"},
      {"idle 0x10000000000000000\n", 2, "0x10000000000000000"},
      {"idle 0x8:1\n", 2, "0x8:1"},
  });
}

TEST(StimulusErrorsTest, Threads) {
  ExpectErrors({
      {"write @1 PMCR_EL0 1\n", 2, "thread 1"},
      {"write @ PMCR_EL0 1\n", 2, "thread"},
      {"write @x PMCR_EL0 1\n", 2, "thread"},
      {"write @0\n", 2, ""},
      {"expect @4 PMCR_EL0 1\n", 2, "thread 4"},
      {"cycle 0x8:1@1\n", 2, "thread 1"},
      {"cycle 0x8:1@\n", 2, "thread"},
      {"cycle @1:PMCR_EL0=1\n", 2, "thread 1"},
      {"cycle @0:PMCR_EL0=1 PMCR_EL0=1\n", 2, ""},
  });
}

TEST(StimulusErrorsTest, RefusedAccesses) {
  ExpectErrors({
      {"refused\n", 2, "too early"},
      {"refused write\n", 2, "too early"},
      {"refused read\n", 2, "too early"},
      {"refused write PMCEID0_EL0\n", 2, "too early"},
      {"refused access PMCEID0_EL0 1\n", 2, "access"},
      {"refused read PMSWINC_EL0 1\n", 2, "left over"},
      {"refused write PMCEID0_EL0 1 1\n", 2, "left over"},
      {"refused write PMCEID0_EL0 one\n", 2, "one"},
      {"refused read PMBOGUS_EL0\n", 2, "PMBOGUS_EL0"},
      {"refused read PMEVTYPER31_EL0\n", 2, "PMEVTYPER31_EL0"},  // the name of no register
      {"refused read 0x10000\n", 2, "0x10000"},
      {"refused read 0X1\n", 2, "0X1"},
      {"refused read -1\n", 2, "-1"},
      {"refused read @1 PMSWINC_EL0\n", 2, "thread 1"},
      {"refused read @0\n", 2, "too early"},
      {"refused read PMCCNTR_EL0\n", 2, "not supported yet"},
      {"cycle\nrefused write PMCR_EL0 1\n", 3, "write of PMCR_EL0 is not refused"},
      {"refused write 0xDCE0 1\n", 2, "write of 0xDCE0 is not refused"},  // PMCR_EL0
      {"refused write PMSWINC_EL0 1\n", 2, "not refused"},
      {"refused read PMCEID0_EL0\n", 2, "read of PMCEID0_EL0 is not refused"},
      {"refused read PMMIR_EL1\n", 2, "not refused"},
      {"refused write PMEVCNTR5_EL0 1\n", 2, "not refused"},
      {"param counters=7\nrefused read PMEVCNTR6_EL0\n", 3, "not refused"},
  });
}

TEST(StimulusErrorsTest, Reset) {
  ExpectErrors({
      {"reset now\n", 2, "now"},
      {"reset @0\n", 2, "@0"},
      {"reset\nparam counters=6\n", 3, "param"},
  });
}

// The 256th pending increment of one counter, on its own line; other counters' do not add to it.
TEST(StimulusErrorsTest, PendingIncrements) {
  std::string text = "pmuv3-stimulus 1\nwrite PMSWINC_EL0 2\n";
  for (int i = 0; i < 255; i++) text += "write PMSWINC_EL0 1\n";
  text += "write PMCR_EL0 1\n";
  text += "write PMSWINC_EL0 3\n";
  text += "cycle\n";
  ExpectError(text, 2 + 255 + 2, "255");
}

// Nothing is half-read: an error in the last line refuses the whole file.
TEST(StimulusErrorsTest, LateError) {
  std::string text = "pmuv3-stimulus 1\n";
  for (int i = 0; i < 10000; i++) text += "cycle 0x8:1\n";
  text += "cycle 0x8\n";
  ExpectError(text, 10002, "0x8");
}

// The message is cut to the space there is for it, and ends in a 0.
TEST(StimulusErrorsTest, LongInput) {
  const std::string word(5000, 'x');
  std::string text = "pmuv3-stimulus 1\n" + word + "\n";
  FILE *in = fmemopen(text.data(), text.size(), "r");
  pmuv3_stimulus stimulus;
  char error[40];
  std::memset(error, 'E', sizeof error);
  EXPECT_FALSE(pmuv3_stimulus_read(&stimulus, in, "bad.stim", error, 32));
  std::fclose(in);
  EXPECT_EQ(std::string(error).substr(0, 12), "bad.stim:2: ");
  EXPECT_LT(std::strlen(error), 32u);
  EXPECT_EQ(error[32], 'E');
}

// What the architecture has and this model does not have yet is refused, not ignored.
TEST(StimulusErrorsTest, NotModelledYet) {
  ExpectErrors({
      {"param threads=2\n", 2, "threads"},
      {"pe 0 el=0\n", 2, "pe"},
      {"write PMEVTYPER0_EL0 0x80000008\n", 2, "P"},
      {"write PMEVTYPER0_EL0 0x40000008\n", 2, "U"},
      {"write PMEVTYPER0_EL0 0x0400000000000008\n", 2, "SYNC"},
      {"write PMCR_EL0 0x4\n", 2, "C"},
      {"write PMCNTENSET_EL0 0x80000000\n", 2, "C"},
      {"write PMCNTENSET_EL0 0x100000000\n", 2, "F0"},
      {"write MDCR_EL2 0x20000\n", 2, "HPMD"},
      {"cycle PMCR_EL0=0x200\n", 2, "FZO"},
      {"write PMCCNTR_EL0 1\n", 2, "PMCCNTR_EL0"},
      {"cycle 0x8:1/el0,NS\n", 2, "context"},
      {"cycle 0x8:1/unattr\n", 2, "/unattr"},
      {"cycle 0x8:1/dbg\n", 2, "/dbg"},
      {"msr PMSWINC_EL0 1\n", 2, "msr"},
  });
}

}  // namespace
}  // namespace pmuv3
