// stimulus_errors: bad input is refused with one line that gives the place and the reason
// (docs/reference/formats.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "testbench/cosim/stimulus/stimulus.h"

namespace pmuv3 {
namespace {

struct Bad {
  const char *text;      // after "pmuv3-stimulus 1\n", so its first line is line 2
  int line;              // of the whole file
  const char *mentions;  // a word that the message must contain
};

void ExpectError(const std::string &text, int line, const char *mentions) {
  SCOPED_TRACE(text);
  std::string copy = text;
  // fmemopen refuses a size of 0, so an empty file is /dev/null.
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
      {"repeat\n", 2, "repeat N LINE"},
      {"repeat 3\n", 2, "repeat N LINE"},
      {"repeat 0 cycle\n", 2, "0 times"},
      {"repeat 256 cycle\n", 2, "256"},
      {"repeat many cycle\n", 2, "many"},
      {"repeat 2 repeat 2 cycle\n", 2, "within"},
      {"repeat 2 param counters=3\n", 2, "param"},
      {"repeat 2 bang\n", 2, "bang"},
      {"repeat 2 write PMSWINC_EL0 1\nrepeat 254 write PMSWINC_EL0 1\n", 3, "255"},
      {"bang", 2, "bang"},  // the last line has no newline
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
      {"param counters=0X6\n", 2, "counters"},  // x must be a small letter in every number
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
      {"param K-VS-RES=2\n", 2, "00|01|10|both"},
      {"param K-UNATTR-FILTER=\n", 2, "K-UNATTR-FILTER"},
      {"param K-DEBUG-LATE=counts\n", 2, "K-DEBUG-LATE"},
      {"param K-DEBUG-LATE=coun\n", 2, "K-DEBUG-LATE"},
      {"param aa64=2\n", 2, "aa64"},
      {"param debugv8p2=no\n", 2, "debugv8p2"},
      {"param counters=6 counters=6\n", 2, "twice"},
      {"param threads=2\nparam features=TH\nparam features=TH\n", 4, "features is given twice"},
      {"param K-MT-SELF-DEBUG=drop K-MT-SELF-DEBUG=drop\n", 2, "twice"},
      {"param K-NOSUCH=a\n", 2, "K-NOSUCH"},
      {"param counters=6\nparam bogus=1\n", 3, "bogus"},
      {"write PMCR_EL0 1\nparam counters=6\n", 3, "param"},
      {"cycle\n\nparam counters=6\n", 4, "param"},
      {"idle 1\nparam counters=6\n", 3, "param"},
      {"expect PMCR_EL0 0x3000\nparam counters=6\n", 3, "param"},
  });
}

// The set of events: `events=` before `event=`, each event once, and only events that can be.
TEST(StimulusErrorsTest, Events) {
  ExpectErrors({
      {"param events=nosuch.events\n", 2, "events=nosuch.events cannot be opened"},
      {"param events=/dev/null\n", 2, "not a regular file"},
      {"param events=\n", 2, "cannot be opened"},
      {"param events=none events=none\n", 2, "events is given twice"},
      {"param event=0x0004\nparam events=none\n", 3, "events= after event="},
      {"param event=0x0004 event=4,L1D_CACHE\n", 2, "event 0x0004 is given twice"},
      {"param event=\n", 2, "a number from 0 to 65535"},
      {"param event=L1D_CACHE\n", 2, "a number from 0 to 65535"},
      {"param event=0x10000,A\n", 2, "a number from 0 to 65535"},
      {"param event=0x00c0\n", 2, "expected its mnemonic"},
      {"param event=0x0004,L1D\n", 2, "event 0x0004 is L1D_CACHE, not L1D"},
      {"param event=0x0004,most=0\n", 2, "most of event 0x0004 must be 1..255, not 0"},
      {"param event=0x0004,class=SELF\n", 2, "cannot be of class SELF"},
      {"param event=0x0011,most=1\n", 2, "the PMU's own"},
      {"param event=0x400d\n", 2, "never counted"},
      {"param event=0x00c0,A,,\n", 2, "no key of an event"},
      {"param events=none\ncycle\n", 2, "ICNTR needs INST_RETIRED"},
      {"param features=none events=none event=0x4005\ncycle\n", 2, "needs STALL_BACKEND"},
      {"param features=none events=none\ncycle 0x0004:1\n", 3, "event 0x0004 is not implemented"},
      {"param event=0x0004,most=3\ncycle 0x0004:4\n", 3, "more than 3 times"},
      {"cycle\nparam event=0x0004\n", 3, "param"},
  });
}

// Parameters that contradict each other are reported at the last param line, before any other line.
TEST(StimulusErrorsTest, ParamsTogether) {
  ExpectErrors({
      {"param K-MT-LEGACY=rw\n", 2, "K-MT-LEGACY"},
      {"param features=MTPMU\n\nparam K-MT-LEGACY=rw\n# so\nnonsense\n", 4, "K-MT-LEGACY"},
      {"param K-MT-LEGACY=rw\nparam features=PMUv3p7\ncycle\n", 3, "K-MT-LEGACY"},
      {"param debugv8p2=0", 2, "debugv8p2"},
      {"param debugv8p2=0 features=PMUv3p1,RME\ncycle\n", 2, "debugv8p2"},
  });
}

TEST(StimulusErrorsTest, Registers) {
  ExpectErrors({
      {"write\n", 2, ""},
      {"write PMCR_EL0\n", 2, ""},
      {"write PMCR_EL0 1 2\n", 2, "2"},
      {"write 1 PMCR_EL0\n", 2, ""},
      {"write PMCR_EL1 1\n", 2, "PMCR_EL1"},
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
      {"read\n", 2, "REGISTER"},
      {"read PMSWINC_EL0\n", 2, "PMSWINC_EL0"},
      {"read PMBOGUS_EL0\n", 2, "PMBOGUS_EL0"},
      {"read PMCR_EL0 0\n", 2, "0"},
      {"read @1 PMCR_EL0\n", 2, "thread 1"},
      {"expect PMBOGUS_EL0 0\n", 2, "PMBOGUS_EL0"},
      {"expect PMEVCNTR6_EL0 0\n", 2, "PMEVCNTR6_EL0"},
      {"write PMCR_EL0 1\nwrite PMCR_EL0 1\n\nwrite PMCR_EL9 1\n", 5, "PMCR_EL9"},
      {"param features=PMUv3p9\nwrite PMICNTR_EL0 1\n", 3, "PMICNTR_EL0"},
      {"param features=PMUv3p9\nexpect PMICFILTR_EL0 8\n", 3, "PMICFILTR_EL0"},
  });
}

// AArch32's registers have 32 bits.
TEST(StimulusErrorsTest, AArch32Registers) {
  ExpectErrors({
      {"write SDER 0x100000000\n", 2, "32 bits"},
      {"write PMEVTYPER0 0xFFFFFFFF00000008\n", 2, "PMEVTYPER0"},
      {"expect HDCR 4294967296\n", 2, "32 bits"},
      {"cycle PMCCFILTR=0x100000000\n", 2, "32 bits"},
      {"write PMEVTYPER6 1\n", 2, "PMEVTYPER6"},
      {"param counters=31\nwrite PMEVTYPER31 1\n", 3, "PMEVTYPER31"},
      {"write PMEVTYPER 1\n", 2, "PMEVTYPER"},
      {"write SDER_EL0 1\n", 2, "SDER_EL0"},
      {"refused write SDCR 1\n", 2, "not refused"},
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
      {"cycle 0x80:1\n", 2, "0x80"},        // not implemented
      {"cycle 0x10008:1\n", 2, "0x10008"},  // more than 16 bits
      {"cycle 0x0000:1\n", 2, "0x0000"},    // made by the PMU itself
      {"cycle 0x0011:1\n", 2, "0x0011"},
      {"cycle 0x001E:1\n", 2, "0x001E"},
      {"cycle 0x0023:2\n", 2, "0x0023"},  // cycle events are 0 or 1
      {"cycle 0x003C:1 0x003C:1\n", 2, ""},
      {"param features=TH2\ncycle 0x80C1:1\n", 3, "0x80C1"},  // evtCount has 10 bits
      {"cycle 0x8:1 nonsense\n", 2, "nonsense"},
      {"cycle\ncycle 0x8:1\ncycle 0x8:1 0x9:300\n", 4, "300"},
      {"cycle 0x8:200/unattr 0x8:56/unattr\n", 2, "255"},
      {"cycle 0x8:200/el0,NS 0x8:56/el0,NS\n", 2, "255"},
      {"cycle 0x8:200/el1,NS 0x8:56\n", 2, "255"},  // the current state, both
      {"pe 0 halted=1\ncycle 0x8:200/dbg 0x8:56/dbg/unattr\n", 3, "255"},
      {"pe 0 halted=1\ncycle 0x23:1/dbg 0x23:1/dbg\n", 3, "0x0023"},
      {"param threads=2\ncycle 0x8:200@1 0x8:56@1\n", 3, "255"},
      {"cycle 0x4005:2\n", 2, "0x4005"},
      {"cycle 0x001D:2\n", 2, "0x001d"},
      {"cycle 0x3D:256\n", 2, "0x003d"},
  });
}

TEST(StimulusErrorsTest, Suffixes) {
  ExpectErrors({
      {"cycle 0x8:1/\n", 2, "suffix"},
      {"cycle 0x8:1/debug\n", 2, "/debug"},
      {"cycle 0x8:1/unattributable\n", 2, "/unattributable"},
      {"cycle 0x8:1/DBG\n", 2, "/DBG"},
      {"cycle 0x8:1/dbg,el0,NS\n", 2, "/dbg,el0,NS"},
      {"cycle 0x8/unattr:1\n", 2, "0x8/unattr"},
      {"cycle 0x8:/unattr\n", 2, "count"},
      {"cycle 0x8:1@0@0\n", 2, "second @0"},
      {"cycle 0x8:1/unattr/unattr\n", 2, "second /unattr"},
      {"cycle 0x8:1/unattr@0/unattr,el0,NS\n", 2, "second /unattr"},
      {"cycle 0x8:1/el0,NS/el0,NS\n", 2, "second /el0,NS"},
      {"pe 0 halted=1\ncycle 0x8:1/dbg/dbg\n", 3, "second /dbg"},
      {"cycle 0x8:1/dbg\n", 2, "not halted"},
      {"param threads=2\npe 0 halted=1\ncycle 0x8:1/dbg@1\n", 4, "thread 1 is not halted"},
      {"pe 0 halted=1\npe 0 halted=0\ncycle 0x8:1/dbg\n", 4, "not halted"},
  });
}

TEST(StimulusErrorsTest, Contexts) {
  ExpectErrors({
      {"cycle 0x8:1/el0\n", 2, "Security state"},
      {"cycle 0x8:1/el\n", 2, "elE,SS"},
      {"cycle 0x8:1/el4,NS\n", 2, "el4,NS"},
      {"cycle 0x8:1/el00,NS\n", 2, "el00,NS"},
      {"cycle 0x8:1/el0,\n", 2, "NS, S, RL or RT"},
      {"cycle 0x8:1/el3,\n", 2, "NS, S, RL or RT"},
      {"cycle 0x8:1/el0,ns\n", 2, "NS, S, RL or RT"},
      {"cycle 0x8:1/el0,NS,S\n", 2, "NS,S"},
      {"cycle 0x8:1/unattr,\n", 2, "elE,SS"},
      {"cycle 0x8:1/unattr,NS\n", 2, "elE,SS"},
      {"cycle 0x8:1/unattr,el0\n", 2, "Security state"},
      // Contexts that do not exist with the parameters.
      {"cycle 0x8:1/el3,NS\n", 2, "expected"},
      {"cycle 0x8:1/el3,S\n", 2, "expected"},
      {"cycle 0x8:1/el3,RL\n", 2, "expected"},
      {"cycle 0x8:1/el1,RT\n", 2, "expected"},
      {"cycle 0x8:1/unattr,el0,RT\n", 2, "expected"},
      {"param el2=0\ncycle 0x8:1/el2,NS\n", 3, "expected"},
      {"param el3=0\ncycle 0x8:1/el3\n", 3, "expected"},
      {"param features=SEL2\ncycle 0x8:1/el0,RL\n", 3, "expected"},
      {"param features=SEL2\ncycle 0x8:1/el3,RT\n", 3, "expected"},
      {"param features=RME\ncycle 0x8:1/el2,S\n", 3, "expected"},
      {"pe 0 halted=1\nparam el2=0\n", 3, "param"},
      // At most one context beside the current state, for any origin.
      {"cycle 0x8:1/el0,NS 0x9:1/el0,S\n", 2, "second context"},
      {"cycle 0x8:1/el0,NS 0x8:1/el1,NS 0x8:0/el2,NS\n", 2, "second context"},
      {"cycle 0x8:1/el0,NS 0x9:1/unattr,el0,S\n", 2, "second context"},
      {"cycle 0x8:1/unattr,el0,NS 0x9:1/unattr,el2,NS\n", 2, "second context"},
      {"cycle 0x8:1/unattr,el1,NS 0x9:1/el2,NS\n", 2, "second context"},
      {"param threads=2\ncycle 0x8:1/el0,S 0x8:1@1/el2,S 0x8:1@1/el0,S\n", 3, "thread 1"},
      // All Unattributable occurrences of a cycle are related to the context, or none.
      {"cycle 0x8:1/unattr 0x9:1/unattr,el0,NS\n", 2, "alike"},
      {"cycle 0x8:1/unattr,el0,NS 0x9:1/unattr\n", 2, "alike"},
      {"cycle 0x8:1/unattr 0x9:1/el0,NS 0x9:1/unattr,el0,NS\n", 2, "alike"},
      // Unattributable occurrences take no context.
      {"cycle 0x8:1/unattr/el0,NS\n", 2, "/unattr"},
      {"cycle 0x8:1/el0,NS/unattr\n", 2, "/unattr"},
      {"cycle 0x8:1/unattr,el0,NS/el0,NS\n", 2, "/unattr"},
  });
}

// Cycle events and Slots events belong to the thread's current state.
TEST(StimulusErrorsTest, SuffixesOfCycleEvents) {
  for (const char *event : {"0x23", "0x24", "0x3C", "0x3D", "0x3E", "0x3F", "0x1D", "0x4005"}) {
    const std::string head = std::string("pmuv3-stimulus 1\npe 0 halted=1\ncycle ") + event + ":1";
    for (const char *suffixes :
         {"/unattr", "/el0,NS", "/el1,NS", "/unattr,el0,NS", "/dbg/unattr", "/el0,NS/dbg"})
      ExpectError(head + suffixes + "\n", 3, "takes no context and no /unattr");
  }
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
      {"cycle PMCR_EL0=1 PMCR_EL0=1\n", 2, ""},  // one for each thread
      {"cycle PMCR_EL0=1 0x8:1 PMOVSCLR_EL0=1\n", 2, ""},
      {"param threads=2\ncycle @1:PMCR_EL0=1 PMCR_EL0=1 @1:PMCR_EL0=1\n", 3, "second"},
      {"cycle @0PMCR_EL0=1\n", 2, "@T:REGISTER=VALUE"},
      {"cycle @:PMCR_EL0=1\n", 2, "thread"},
      {"cycle PMCR_EL0=1@0\n", 2, "1@0"},
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
      {"param threads=3\nwrite @3 PMCR_EL0 1\n", 3, "thread 3"},
      {"param threads=3\nexpect @256 PMCR_EL0 1\n", 3, "thread 256"},
      {"param threads=3\nrefused read @3 PMSWINC_EL0\n", 3, "thread 3"},
      {"param threads=3\ncycle 0x8:1/unattr@3\n", 3, "thread 3"},
      {"param threads=3\ncycle @3:PMCR_EL0=1\n", 3, "thread 3"},
      {"param threads=3\npe 3 el=0\n", 3, "thread 3"},
  });
}

TEST(StimulusErrorsTest, States) {
  ExpectErrors({
      {"pe\n", 2, "too early"},
      {"pe el=1\n", 2, "thread"},
      {"pe @0 el=1\n", 2, "thread"},
      {"pe 1 el=1\n", 2, "thread 1"},
      {"pe 0 el\n", 2, "KEY=VALUE"},
      {"pe 0 el=\n", 2, "el"},
      {"pe 0 =1\n", 2, "key"},
      {"pe 0 el=4\n", 2, "0..3"},
      {"pe 0 el=EL1\n", 2, "EL1"},
      {"pe 0 ss=\n", 2, "NS, S, RL or RT"},
      {"pe 0 ss=Realm\n", 2, "Realm"},
      {"pe 0 sm=2\n", 2, "0..1"},
      {"pe 0 halted=yes\n", 2, "yes"},
      {"pe 0 aa32=-1\n", 2, "-1"},
      {"pe 0 active=0x\n", 2, "0x"},
      {"pe 0 wfx=18446744073709551616\n", 2, "wfx"},
      {"pe 0 a32el2=1\n", 2, "a32el2"},
      {"pe 0 EL=1\n", 2, "EL"},
      {"pe 0 el=1 el=1\n", 2, "twice"},
      {"pe 0 sm=0 ss=NS sm=0\n", 2, "sm is given twice"},
      {"pe 0 snid=2\n", 2, "0..1"},
      {"pe 0 snid=1\n", 2, "snid"},
      {"cycle\npe 0 el=1 now\n", 3, "now"},
      // States that do not exist with the parameters.
      {"param el2=0\npe 0 el=2\n", 3, "expected"},
      {"param el3=0\npe 0 el=3\n", 3, "expected"},
      {"param el3=0\npe 0 a32el3=1\n", 3, "expected"},
      {"param el3=0\npe 0 ss=RL\n", 3, "expected"},
      {"param features=none\npe 0 ss=RL\n", 3, "expected"},
      {"param features=none\npe 0 el=3 ss=RT\n", 3, "expected"},
      {"param features=none\npe 0 el=2 ss=S\n", 3, "expected"},
      {"pe 0 el=3 ss=S\n", 2, "expected"},
      {"pe 0 el=3 ss=NS\n", 2, "expected"},
      {"pe 0 el=3 ss=RL\n", 2, "expected"},
      {"pe 0 ss=RT\n", 2, "expected"},
      {"pe 0 el=3\npe 0 el=2 ss=RT\n", 3, "expected"},
      // specification D.3: in AArch32 state SM is 0
      {"pe 0 el=0 sm=1 aa32=1\n", 2, "sm=1 needs AArch64 at the thread's el; expected"},
      {"pe 0 el=0 sm=1 a32el1=1\n", 2, "sm=1 needs AArch64"},
      {"pe 0 sm=1 a32el1=1\n", 2, "sm=1 needs AArch64"},
      {"pe 0 el=2 sm=1 a32el1=1 a32el2=1\n", 2, "sm=1 needs AArch64"},
      {"pe 0 el=3 sm=1 a32el3=1\n", 2, "sm=1 needs AArch64"},
      {"param aa64=0\npe 0 sm=1\n", 3, "sm=1 needs AArch64"},
      {"cycle msr:PMCR_EL0=1/el4\n", 2, "done, undefined"},
      {"cycle msr:PMCR_EL0=1/\n", 2, "done, undefined"},
      {"cycle ext:0xc00=1/el1\n", 2, "done or error"},
      {"cycle PMCR_EL0=1/done\n", 2, "number"},
      // specification I-12: illegal in every PE
      {"pe 0 el=1 aa32=1\n", 2, "a32el1"},
      {"pe 0 el=2 aa32=1\n", 2, "a32el1"},
      {"pe 0 el=3 aa32=1\n", 2, "a32el3"},
      {"pe 0 el=3 aa32=1 a32el1=1\n", 2, "a32el3"},
      {"pe 0 el=1 ss=S a32el3=1\n", 2, "EL3"},
      {"pe 0 el=2 ss=S a32el3=1 aa32=1\n", 2, "EL3"},
      {"param aa64=0\npe 0 el=1 ss=S\n", 3, "EL3"},
      // specification I-2: not in this PE
      {"param aa32=none\npe 0 el=0 aa32=1\n", 3, "aa32=1 needs AArch32 at the thread's el"},
      {"param aa32=el0\npe 0 el=1 aa32=1\n", 3, "aa32=1 needs AArch32 at the thread's el"},
      {"param aa32=el1\npe 0 el=2 aa32=1 a32el1=1\n", 3, "aa32=1 needs AArch32 at the thread's el"},
      {"param aa32=el0\npe 0 a32el1=1\n", 3, "a32el1=1 needs AArch32 at EL1"},
      {"param aa32=el2\npe 0 a32el3=1\n", 3, "a32el3=1 needs AArch32 at EL3"},
      {"param aa32=el4\n", 2, "none|el0|el1|el2|el3"},
      {"param aa32=none\nwrite PMCR 1\n", 3, "PMCR"},
      {"param aa32=none\nexpect PMCCNTR 0\n", 3, "PMCCNTR"},
      {"param aa32=el0\nexpect PMMIR 0\n", 3, "PMMIR"},
      {"param aa32=el1\nexpect HDCR 0\n", 3, "HDCR"},
      {"param aa32=el2\nexpect SDCR 0\n", 3, "SDCR"},
      {"pe 0 fgt=0x1000000000\n", 2, "36 bits"},
      {"pe 0 fgwte3=1\n", 2, "FGWTE3"},
      {"pe 0 a32el2=1\n", 2, "a32el1=1"},
      {"param el2=0\npe 0 a32el1=1 a32el2=1\n", 3, "EL2"},
      {"param aa32=el1\npe 0 a32el1=1 a32el2=1\n", 3, "a32el2=1 needs AArch32 at EL2"},
      {"pe 0 ss=S eel2=1 a32el1=1 a32el2=1\n", 2, "Secure EL2"},
      {"pe 0 fgt=1 fgt=1\n", 2, "twice"},
      {"pe 0 tge=2\n", 2, "0..1"},
      {"param features=SS\npe 0 a32el1=1\n", 3, "expected"},
      {"param features=SS\npe 0 aa32=1\n", 3, "expected"},
      {"pe 0 el=0 sm=1\npe 0 aa32=1\n", 3, "sm=1 needs AArch64"},
      {"pe 0 el=2 sm=1 a32el1=1\npe 0 el=1\n", 3, "sm=1 needs AArch64"},
  });
}

// A thread's state must not change while software increments wait.
TEST(StimulusErrorsTest, StateChangesWhileIncrementsArePending) {
  for (const char *key : {"el=0", "ss=S", "sm=1", "halted=1", "el=0 aa32=1", "active=0", "wfx=1",
                          "a32el1=1", "a32el3=1", "el=1 ss=NS wfx=1", "tge=1", "fgt=2", "dlk=1"})
    ExpectError(std::string("pmuv3-stimulus 1\nwrite PMSWINC_EL0 0x20\npe 0 ") + key + "\n", 3,
                "pending");
  ExpectErrors({
      {"write PMSWINC_EL0 1\nidle 0\npe 0 el=0\n", 4, "pending"},
      {"write PMSWINC_EL0 1\npe 0 el=1\npe 0 el=0\ncycle\n", 4, "pending"},
      {"param threads=2\nwrite @1 PMSWINC_EL0 1\npe 0 el=0\npe 1 el=0\n", 5, "thread 1"},
      {"msr PMSWINC_EL0 1\npe 0 el=0\n", 3, "pending"},
      {"msr PMSWINC 1 done\npe 0 el=0\n", 3, "pending"},
      {"write PMSWINC 1\npe 0 el=0\n", 3, "pending"},
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
      {"refused read PMEVTYPER31_EL0\n", 2, "PMEVTYPER31_EL0"},  // no register's name
      {"refused read 0x10000\n", 2, "0x10000"},
      {"refused read 0X1\n", 2, "0X1"},
      {"refused read -1\n", 2, "-1"},
      {"refused read @1 PMSWINC_EL0\n", 2, "thread 1"},
      {"refused read @0\n", 2, "too early"},
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

// The 256th waiting increment of a counter is refused on its own line. Increments of other counters
// are counted separately.
TEST(StimulusErrorsTest, PendingIncrements) {
  std::string text = "pmuv3-stimulus 1\nwrite PMSWINC_EL0 2\n";
  for (int i = 0; i < 255; i++) text += "write PMSWINC_EL0 1\n";
  text += "write PMCR_EL0 1\n";
  text += "write PMSWINC_EL0 3\n";
  text += "cycle\n";
  ExpectError(text, 2 + 255 + 2, "255");

  text = "pmuv3-stimulus 1\nparam threads=2\nwrite @1 PMSWINC_EL0 0x3F\n";
  for (int i = 0; i < 255; i++) text += "write @0 PMSWINC_EL0 0x3F\n";
  ExpectError(text + "write PMSWINC_EL0 0x20\n", 2 + 1 + 255 + 1, "counter 5");
}

// An error in the last line refuses the whole file.
TEST(StimulusErrorsTest, LateError) {
  std::string text = "pmuv3-stimulus 1\n";
  for (int i = 0; i < 10000; i++) text += "cycle 0x8:1\n";
  text += "cycle 0x8\n";
  ExpectError(text, 10002, "0x8");
}

// The message is cut to the size of the buffer, and ends in 0.
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

// Quoted bytes are printed as ASCII in one line. The file's name is printed unchanged.
TEST(StimulusErrorsTest, QuotedBytes) {
  const struct {
    const char *name, *text, *error;
  } files[] = {
      {"bad.stim", "pmuv3-stimulus 1\nb\xC3\xA4\x7F\x80\xFF\x01ng\n",
       "bad.stim:2: unknown word \"b??????"},
      {"b\xC3\xA4"
       "d\x1B.stim",
       "\xC3\xA4\n",
       "b\xC3\xA4"
       "d?.stim:1: "},
      {"bad.stim", "pmuv3-stimulus 1\nparam features=\xE2\x82!\n",
       "bad.stim:2: unknown feature '\?\?!'"},
  };
  for (const auto &file : files) {
    std::string text = file.text;
    FILE *in = fmemopen(text.data(), text.size(), "r");
    pmuv3_stimulus stimulus;
    char error[256] = "";
    EXPECT_FALSE(pmuv3_stimulus_read(&stimulus, in, file.name, error, sizeof error));
    std::fclose(in);
    EXPECT_EQ(std::string(error).substr(0, std::strlen(file.error)), file.error);
  }
}

// ---- Checked accesses, and outputs ----

TEST(StimulusErrorsTest, CheckedAccesses) {
  ExpectErrors({
      {"msr\n", 2, "too early"},
      {"msr PMCR_EL0\n", 2, "too early"},
      {"mrs @0\n", 2, "too early"},
      {"msr PMBOGUS_EL0 1\n", 2, "PMBOGUS_EL0"},
      {"mrs PMEVCNTR31_EL0\n", 2, "PMEVCNTR31_EL0"},
      {"mrs 0x10000\n", 2, "0x10000"},
      {"msr PMCR_EL0 one\n", 2, "one"},
      {"msr PMCR 0x100000000\n", 2, "32 bits"},
      {"mrs PMCR 0x100000000\n", 2, "32 bits"},
      {"msr PMCR_EL0 1 refused\n", 2, "done, undefined, el1, el2 or el3"},
      {"msr PMCR_EL0 1 el4\n", 2, "el4"},
      {"msr PMCR_EL0 1 el2/\n", 2, "no part of a syndrome"},
      {"msr PMCR_EL0 1 el2/iss0\n", 2, "no part of a syndrome"},
      {"msr PMCR_EL0 1 el2/ec0/ec0\n", 2, "no part of a syndrome"},
      {"msr PMCR_EL0 1 el2/ec0x40\n", 2, "out of range"},
      {"msr PMCR_EL0 1 el2/ecx\n", 2, "decimal or 0x"},
      {"mrs PMCR_EL0 el2/ec0/iss0x2000000\n", 2, "out of range"},
      {"mrs PMCR_EL0 done/ec0\n", 2, "is done"},
      {"cycle msr:PMCR_EL0=1/el2/ec64\n", 2, "out of range"},
      {"msr PMCR_EL0 1 done el1\n", 2, "left over"},
      {"mrs PMCR_EL0 error\n", 2, "error"},
      {"mrs PMCR_EL0 undefined 1\n", 2, "left over"},
      {"mrs PMCR_EL0 1 undefined\n", 2, "not done"},
      {"mrs @1 PMCR_EL0\n", 2, "thread 1"},
      {"msr @0 PMCR_EL0 1\nparam counters=6\n", 3, "param"},
  });
}

TEST(StimulusErrorsTest, ExternalAccesses) {
  ExpectErrors({
      {"extw\n", 2, "too early"},
      {"extw 0\n", 2, "too early"},
      {"extw NS\n", 2, "too early"},
      {"extr @0\n", 2, "too early"},
      {"extr @0 RT\n", 2, "too early"},
      {"extr 0x1000\n", 2, "0x1000"},
      {"extw 4096 0\n", 2, "0x1000"},
      {"extr PMCR_EL0\n", 2, "NS, S, RL or RT"},
      {"extr ns 0\n", 2, "ns"},
      {"extw 0 0x100000000\n", 2, "32 bits"},
      {"extr 0 0x100000000\n", 2, "32 bits"},
      {"extw 0 x\n", 2, "x"},
      {"extw 0 0 undefined\n", 2, "done or error"},
      {"extw 0 0 error done\n", 2, "left over"},
      {"extr 0 1 error\n", 2, "not done"},
      {"extr 0 fault\n", 2, "fault"},
      {"extw @1 0 0\n", 2, "thread 1"},
  });
}

TEST(StimulusErrorsTest, JudgedWritesInCycles) {
  ExpectErrors({
      {"cycle msr:PMBOGUS_EL0=1\n", 2, "PMBOGUS_EL0"},
      {"cycle msr:PMCR=0x100000000\n", 2, "32 bits"},
      {"cycle msr:=1\n", 2, "register"},
      {"cycle mrs:PMCR_EL0=1\n", 2, "mrs:"},
      {"cycle PMCR_EL0=1 msr:PMCR_EL0=1\n", 2, "second register write"},
      {"param threads=2\ncycle ext:0=1 @1:ext:0=1\n", 3, "second external write"},
      {"cycle ext:2=1\n", 2, "multiple of 4"},
      {"cycle ext:0x1000=1\n", 2, "0x1000"},
      {"cycle ext:0=0x100000000\n", 2, "32 bits"},
      {"cycle ext.:0=1\n", 2, "NS, S, RL or RT"},
      {"cycle ext.el3:0=1\n", 2, "el3"},
      {"cycle extw:0=1\n", 2, "extw"},
      {"cycle @1:ext:0=1\n", 2, "thread 1"},
      {"cycle ext:0\n", 2, "ext"},
  });
}

TEST(StimulusErrorsTest, Captures) {
  ExpectErrors({
      {"cycle capture capture\n", 2, "twice"},
      {"cycle capture capture@0\n", 2, "twice"},
      {"cycle capture@1\n", 2, "thread 1"},
      {"cycle capture@\n", 2, "thread"},
      {"cycle captures\n", 2, "captures"},
      {"cycle capture=1\n", 2, "capture"},
      {"capture\n", 2, "capture"},
  });
}

TEST(StimulusErrorsTest, Outputs) {
  ExpectErrors({
      {"expect PMUIRQ\n", 2, "too early"},
      {"expect PMUIRQ 2\n", 2, "0..1"},
      {"expect CTI 2\n", 2, "0..1"},
      {"expect EXCEPTION 16\n", 2, "0..15"},
      {"expect HALT 2\n", 2, "0..1"},
      {"expect BRBE 4\n", 2, "0..3"},
      {"expect PULSES 0x200000000\n", 2, "0..8589934591"},
      {"expect irq 1\n", 2, "irq"},
      {"expect PMUIRQ 1 1\n", 2, "left over"},
      {"write PMUIRQ 1\n", 2, "PMUIRQ"},
      {"expect @1 PMUIRQ 0\n", 2, "thread 1"},
  });
}

}  // namespace
}  // namespace pmuv3
