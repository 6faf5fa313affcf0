// stimulus: reading of good files, and reading back written files (docs/reference/formats.md).
#include "testbench/cosim/stimulus/stimulus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "testbench/cosim/stimulus/random.h"
#include "testbench/tests/unit/register_rows.h"

namespace pmuv3 {
namespace {

// A stimulus file read from text, freed at the end of the test.
class Stimulus {
 public:
  explicit Stimulus(const std::string &text) {
    std::string copy = text;
    FILE *in = fmemopen(copy.data(), copy.size(), "r");
    char error[256] = "";
    good_ = pmuv3_stimulus_read(&stimulus_, in, "good.stim", error, sizeof error);
    EXPECT_TRUE(good_) << error;
    std::fclose(in);
  }
  ~Stimulus() {
    if (good_) pmuv3_stimulus_free(&stimulus_);
  }
  Stimulus(const Stimulus &) = delete;
  Stimulus &operator=(const Stimulus &) = delete;

  bool good() const { return good_; }
  const pmuv3_stimulus *operator->() const { return &stimulus_; }

 private:
  pmuv3_stimulus stimulus_ = {};
  bool good_ = false;
};

TEST(StimulusTest, OneOfEach) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "\n"
      "# a comment\n"
      "param counters=2 th_width=0x4   # another\n"
      "param K-RESTC=b features=TH,PMUv3p5\n"
      "write PMCR_EL0 1\n"
      "  write\tPMEVTYPER1_EL0   0x0008\n"
      "cycle\n"
      "cycle 0x0008:3 4:255 0x8:4 PMCNTENSET_EL0=0x3 60:1\n"
      "idle 1000000000000\n"
      "expect PMEVCNTR1_EL0 0xFFFFFFFFFFFFFFFF");  // no newline at the end
  ASSERT_TRUE(s.good());
  EXPECT_EQ(s->params.counters, 2);
  EXPECT_EQ(s->params.th_width, 4);
  EXPECT_EQ(s->params.k_restc, 1);
  EXPECT_TRUE(pmuv3_has(&s->params, PMUV3_FEATURE_PMUv3p1));  // complete
  EXPECT_FALSE(pmuv3_has(&s->params, PMUV3_FEATURE_EDGE));
  ASSERT_EQ(s->num_items, 6u);

  EXPECT_EQ(s->items[0].kind, PMUV3_ITEM_WRITE);
  EXPECT_EQ(s->items[0].line, 6u);
  EXPECT_EQ(s->items[0].access.reg, PMUV3_PMCR);
  EXPECT_EQ(s->items[0].access.value, 1u);

  EXPECT_EQ(s->items[1].kind, PMUV3_ITEM_WRITE);
  EXPECT_EQ(s->items[1].access.reg, PMUV3_PMEVTYPERn(1));
  EXPECT_EQ(s->items[1].access.value, 8u);

  EXPECT_EQ(s->items[2].kind, PMUV3_ITEM_CYCLE);
  EXPECT_EQ(s->items[2].cycle.num_occurrences, 0);
  EXPECT_EQ(s->items[2].cycle.has_write, 0);

  const pmuv3_cycle &cycle = s->items[3].cycle;
  EXPECT_EQ(s->items[3].kind, PMUV3_ITEM_CYCLE);
  EXPECT_EQ(s->items[3].line, 9u);
  std::map<int, int> counts;
  for (int i = 0; i < cycle.num_occurrences; i++) {
    EXPECT_EQ(counts[cycle.occurrences[i].event], 0) << "an event stands once";
    counts[cycle.occurrences[i].event] = cycle.occurrences[i].count;
  }
  EXPECT_EQ(counts[PMUV3_EVENT_INST_RETIRED], 7);  // items for the same event add up
  EXPECT_EQ(counts[PMUV3_EVENT_L1D_CACHE], 255);
  EXPECT_EQ(counts[PMUV3_EVENT_STALL], 1);
  EXPECT_EQ(cycle.has_write, 1);
  EXPECT_EQ(cycle.write[0].reg, PMUV3_PMCNTENSET);
  EXPECT_EQ(cycle.write[0].value, 3u);

  EXPECT_EQ(s->items[4].kind, PMUV3_ITEM_IDLE);
  EXPECT_EQ(s->items[4].idle, 1000000000000u);

  EXPECT_EQ(s->items[5].kind, PMUV3_ITEM_EXPECT);
  EXPECT_EQ(s->items[5].line, 11u);
  EXPECT_EQ(s->items[5].access.reg, PMUV3_PMEVCNTRn(1));
  EXPECT_EQ(s->items[5].access.value, ~UINT64_C(0));
}

TEST(StimulusTest, GoodInputs) {
  const char *const texts[] = {
      "pmuv3-stimulus 1\n",
      "pmuv3-stimulus 1",
      "pmuv3-stimulus 1  # version\n\n\n",
      "pmuv3-stimulus 1\nparam counters=0 features=none\ncycle 0x8:1\n",
      "pmuv3-stimulus 1\nparam counters=31\nwrite PMEVCNTR30_EL0 0\n",
      "pmuv3-stimulus 1\nparam features=none el2=0 el3=0\nwrite MDCR_EL2 0x80\n",
      "pmuv3-stimulus 1\nwrite PMCNTENSET_EL0 0x7FFFFFFF  # unimplemented bits are ignored\n",
      "pmuv3-stimulus 1\nwrite @0 PMCR_EL0 1\nexpect @0 PMCR_EL0 0x3001\n",
      "pmuv3-stimulus 1\ncycle 0x8:0\n",
      "pmuv3-stimulus 1\ncycle 0x8:200 0x8:55\n",
      "pmuv3-stimulus 1\ncycle 0x23:1 0x24:0 0x3F:255\n",
      "pmuv3-stimulus 1\ncycle 0x8:3@0 @0:PMCR_EL0=1\n",
      "pmuv3-stimulus 1\nidle 0\nidle 1\n",
      "pmuv3-stimulus 1\nexpect PMCEID0_EL0 0\n",
      "pmuv3-stimulus 1\nexpect PMMIR_EL1 0\n",
      "pmuv3-stimulus 1\nwrite PMSWINC_EL0 1\nwrite PMSWINC_EL0 2\ncycle\n",
      "pmuv3-stimulus 1\nparam threads=4\nwrite @3 PMCR_EL0 1\nexpect @0x2 PMCR_EL0 0x3000\n",
      "pmuv3-stimulus 1\nparam threads=2 debugv8p2=0 features=PMUv3p1\npe 1 snid=1\n",
      "pmuv3-stimulus 1\npe 0\npe 0 snid=0\n",
      "pmuv3-stimulus 1\nexpect PMICNTR_EL0 0\nexpect PMICFILTR_EL0 8\nexpect MDCR_EL3 0\n",
      "pmuv3-stimulus 1\nwrite PMCCNTR_EL0 1\nwrite PMCCFILTR_EL0 0x80000000\n",
      "pmuv3-stimulus 1\nwrite PMCCFILTR 0xFFFFFFFF\nwrite PMEVTYPER5 0xFFFFFFFF\n",
      "pmuv3-stimulus 1\nwrite HDCR 1\nwrite SDCR 1\nwrite SDER 2\nexpect SDER 2\n",
      "pmuv3-stimulus 1\nparam el2=0 el3=0\nwrite MDCR_EL2 0x80\nwrite SDER 1\nwrite MDCR_EL3 1\n",
      "pmuv3-stimulus 1\nwrite PMSELR_EL0 31\nwrite PMXEVTYPER_EL0 0\nexpect PMCR 0x3000\n",
      "pmuv3-stimulus 1\nwrite MDCR_EL2 0x30000000000\nwrite PMZR_EL0 1\nwrite PMOVSR 1\n",
      "pmuv3-stimulus 1\nparam features=SS\nexpect PMEVCNTSVR5_EL1 0\nwrite PMSSCR_EL1 1\n",
      "pmuv3-stimulus 1\nmsr PMCEID0_EL0 1\nmrs PMEVCNTR30_EL0\nmsr 0xFFFF 0 undefined\n",
      "pmuv3-stimulus 1\nextr 0xE00\nextw RT 4092 1 error\nextr NS 0 error\n",
  };
  for (const char *text : texts) {
    SCOPED_TRACE(text);
    Stimulus s(text);
  }
}

// At most 255 increments of a counter wait for a cycle. After the cycle, or after a reset, 255 more
// can wait.
TEST(StimulusTest, PendingIncrements) {
  std::string text = "pmuv3-stimulus 1\n";
  for (const char *consumer : {"cycle PMSWINC_EL0=1\n", "reset\n", "idle 1\n"}) {
    for (int i = 0; i < 255; i++) text += "write PMSWINC_EL0 0x1\n";
    text += "write PMSWINC_EL0 0x2\n";
    text += consumer;
  }
  Stimulus s(text);
  ASSERT_TRUE(s.good());
  EXPECT_EQ(s->num_items, 3u * 257);
}

// Checked increments, and increments through the AArch32 view, wait as well. A refused increment
// does not.
TEST(StimulusTest, PendingCheckedIncrements) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "msr PMSWINC_EL0 1 el1\n"
      "pe 0 el=0\n"
      "msr PMSWINC_EL0 1\n"
      "write PMSWINC 1\n"
      "cycle\n"
      "pe 0 el=1\n");
  EXPECT_TRUE(s.good());
}

// Increments wait for each thread. A halted thread makes none.
TEST(StimulusTest, PendingIncrementsOfThreads) {
  std::string text = "pmuv3-stimulus 1\nparam threads=3\npe 2 halted=1\n";
  for (int i = 0; i < 255; i++) text += "write PMSWINC_EL0 0x1\nwrite @1 PMSWINC_EL0 0x1\n";
  for (int i = 0; i < 256; i++) text += "write @2 PMSWINC_EL0 0x1\n";
  text +=
      "pe 2 halted=0\n"    // its own are none
      "pe 0 el=1 ss=NS\n"  // which it is
      "cycle @0:PMSWINC_EL0=1 @1:PMSWINC_EL0=1 @2:PMSWINC_EL0=1\n"
      "pe 0 el=0\n"
      "write PMSWINC_EL0 0xFFFFFFC0\n"  // of no implemented counter
      "pe 0 el=1\n";
  Stimulus s(text);
  EXPECT_TRUE(s.good());
}

// ---- Threads, their states and contexts ----

TEST(StimulusTest, Threads) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "param threads=4\n"
      "write @3 PMCR_EL0 1\n"
      "write PMCR_EL0 2\n"
      "expect @1 PMCR_EL0 3\n"
      "refused write @2 PMCEID0_EL0 4\n"
      "refused read @3 PMSWINC_EL0\n"
      "cycle 0x8:1@3 @2:PMCR_EL0=5 0x8:2@1 @0:PMCR_EL0=6 0x8:3@3 0x8:4\n");
  ASSERT_TRUE(s.good());
  ASSERT_EQ(s->num_items, 6u);
  const int threads[] = {3, 0, 1, 2, 3};
  for (int i = 0; i < 5; i++) EXPECT_EQ(s->items[i].thread, threads[i]) << i;
  const pmuv3_cycle &cycle = s->items[5].cycle;
  EXPECT_EQ(cycle.has_write, 0b0101);
  EXPECT_EQ(cycle.write[2].value, 5u);
  EXPECT_EQ(cycle.write[0].value, 6u);
  int counts[4] = {};
  ASSERT_EQ(cycle.num_occurrences, 3);
  for (int i = 0; i < 3; i++) counts[cycle.occurrences[i].thread] = cycle.occurrences[i].count;
  EXPECT_EQ(counts[0], 4);
  EXPECT_EQ(counts[1], 2);
  EXPECT_EQ(counts[2], 0);
  EXPECT_EQ(counts[3], 4);
}

// Keys in the line change, all others stay.
TEST(StimulusTest, States) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "param threads=2\n"
      "pe 1 el=0 ss=RL\n"
      "pe 0 el=2 sm=1 active=0x0\n"
      "pe 1 halted=1 wfx=1\n"
      "pe 1 sm=0 aa32=1 a32el1=1 a32el3=1 halted=0\n"
      "pe 0\n");
  ASSERT_TRUE(s.good());
  ASSERT_EQ(s->num_items, 5u);
  pmuv3_pe one = {};
  one.el = 1;
  one.active = true;
  pmuv3_pe zero = one;
  const auto expect = [&s](int item, int thread, const pmuv3_pe &pe) {
    EXPECT_EQ(s->items[item].kind, PMUV3_ITEM_PE);
    EXPECT_EQ(s->items[item].thread, thread);
    EXPECT_TRUE(pmuv3_pe_equal(&s->items[item].pe, &pe)) << item;
  };
  one.el = 0;
  one.ss = PMUV3_RL;
  expect(0, 1, one);
  zero.el = 2;
  zero.sm = true;
  zero.active = false;
  expect(1, 0, zero);
  one.halted = one.wfx = true;
  expect(2, 1, one);
  one.halted = false;
  one.aa32 = one.a32el1 = one.a32el3 = true;
  expect(3, 1, one);
  expect(4, 0, zero);
}

// States that decide about accesses and exceptions. Every combination is legal.
TEST(StimulusTest, StatesOfAccesses) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "pe 0 tge=1 e2h=1 eel2=1 pm=1 spe=1 oslk=1 dlk=1 fgt=15\n"
      "pe 0 tge=0 spe=0 dlk=0 fgt=0x8\n");
  ASSERT_TRUE(s.good());
  const pmuv3_pe &all = s->items[0].pe, &some = s->items[1].pe;
  EXPECT_TRUE(all.tge && all.e2h && all.eel2 && all.pm && all.spe && all.oslk && all.dlk);
  EXPECT_EQ(all.fgt, 15);
  EXPECT_TRUE(!some.tge && some.e2h && some.eel2 && some.pm && !some.spe && some.oslk && !some.dlk);
  EXPECT_EQ(some.fgt, PMUV3_FGT_MASK(PMICNTR_WRITE));
}

// The keys of traps (I-3 to I-9).
TEST(StimulusTest, StatesOfTraps) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "param features=FGWTE3\n"
      "pe 0 a32el1=1 a32el2=1 hstr=1 nv=1 sdd=1 fgwte3=1 fgt=0xFFFFFFFFF\n"
      "pe 0 hstr=0 sdd=0\n");
  ASSERT_TRUE(s.good());
  const pmuv3_pe &all = s->items[0].pe, &some = s->items[1].pe;
  EXPECT_TRUE(all.a32el2 && all.hstr && all.nv && all.sdd && all.fgwte3);
  EXPECT_EQ(all.fgt, 0xFFFFFFFFFu);
  EXPECT_TRUE(some.a32el2 && !some.hstr && some.nv && !some.sdd && some.fgwte3);
}

// A result, its exception class, and the syndrome of the instruction.
TEST(StimulusTest, Syndromes) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "msr PMCR_EL0 1 el2\n"
      "msr PMCR_EL0 1 el2/ec0x18\n"
      "mrs PMCR_EL0 el1/ec3/iss0x1E02419\n"
      "cycle msr:PMCR_EL0=1/undefined/ec0x00/iss0\n");
  ASSERT_TRUE(s.good());
  EXPECT_EQ(s->items[0].syndrome.mask, 0u);
  EXPECT_EQ(s->items[1].syndrome.mask, 0xFC000000u);
  EXPECT_EQ(s->items[1].syndrome.bits, 0x60000000u);
  EXPECT_EQ(s->items[2].syndrome.mask, 0xFDFFFFFFu);
  EXPECT_EQ(s->items[2].syndrome.bits, 0x0DE02419u);
  EXPECT_EQ(s->items[2].result, PMUV3_TRAP_EL1);
  EXPECT_EQ(s->items[3].expected.syndrome_mask[0], 0xFDFFFFFFu);
  EXPECT_EQ(s->items[3].expected.ends.syndrome[0], 0u);
  EXPECT_EQ(s->items[3].expected.ends.result[0], PMUV3_UNDEFINED);
}

// The default Security state: EL3's own at EL3, and NS after leaving EL3.
TEST(StimulusTest, SecurityStateAroundEL3) {
  for (const bool rme : {false, true}) {
    Stimulus s(std::string("pmuv3-stimulus 1\n") + (rme ? "" : "param features=PMUv3p9,SEL2\n") +
               "pe 0 el=3\n"
               "pe 0 wfx=1\n"
               "pe 0 el=3\n"
               "pe 0 el=2\n"
               "pe 0 ss=S\n"
               "pe 0 el=0\n"
               "pe 0 el=3 ss=" +
               (rme ? "RT" : "S") +
               "\n"
               "pe 0 el=1 ss=S\n");
    ASSERT_TRUE(s.good());
    const int el3 = rme ? PMUV3_RT : PMUV3_S;
    const int states[] = {el3, el3, el3, PMUV3_NS, PMUV3_S, PMUV3_S, el3, PMUV3_S};
    ASSERT_EQ(s->num_items, 8u);
    for (int i = 0; i < 8; i++) EXPECT_EQ(s->items[i].pe.ss, states[i]) << i;
  }
}

// An occurrence as EVENT:COUNT@T and origin.
struct Occurrence {
  int event, count, thread, origin;
};

void ExpectOccurrences(const pmuv3_cycle &cycle, std::initializer_list<Occurrence> occurrences) {
  ASSERT_EQ(cycle.num_occurrences, occurrences.size());
  int i = 0;
  for (const Occurrence &expected : occurrences) {
    SCOPED_TRACE(i);
    const pmuv3_occurrence &actual = cycle.occurrences[i++];
    EXPECT_EQ(actual.event, expected.event);
    EXPECT_EQ(actual.count, expected.count);
    EXPECT_EQ(actual.thread, expected.thread);
    EXPECT_EQ(actual.origin, expected.origin);
  }
}

void ExpectContext(const pmuv3_context &context, int el, int ss, bool related) {
  EXPECT_EQ(context.el, el);
  EXPECT_EQ(context.ss, ss);
  EXPECT_EQ(context.related, related);
}

TEST(StimulusTest, Contexts) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "param threads=2\n"
      "pe 1 el=3\n"
      "cycle 0x9:1/el0,S 0x9:2/el1,NS 0x9:3 0x9:4/el0,S 0x8:5/el0,S\n"
      "cycle 0x9:1@1/el3 0x9:2/el3,RT@1 0x9:3/el2,RL@1 0x9:4/el3\n"
      "cycle 0x9:0/el2,S\n");
  ASSERT_TRUE(s.good());
  ExpectOccurrences(s->items[1].cycle, {{PMUV3_EVENT_EXC_TAKEN, 5, 0, PMUV3_OTHER},
                                        {PMUV3_EVENT_EXC_TAKEN, 5, 0, PMUV3_CURRENT},
                                        {PMUV3_EVENT_INST_RETIRED, 5, 0, PMUV3_OTHER}});
  ExpectContext(s->items[1].cycle.other[0], 0, PMUV3_S, false);
  ExpectOccurrences(s->items[2].cycle, {{PMUV3_EVENT_EXC_TAKEN, 3, 1, PMUV3_CURRENT},
                                        {PMUV3_EVENT_EXC_TAKEN, 3, 1, PMUV3_OTHER},
                                        {PMUV3_EVENT_EXC_TAKEN, 4, 0, PMUV3_OTHER}});
  ExpectContext(s->items[2].cycle.other[0], 3, PMUV3_RT, false);
  ExpectContext(s->items[2].cycle.other[1], 2, PMUV3_RL, false);
  ExpectOccurrences(s->items[3].cycle, {{PMUV3_EVENT_EXC_TAKEN, 0, 0, PMUV3_OTHER}});
  ExpectContext(s->items[3].cycle.other[0], 2, PMUV3_S, false);
}

TEST(StimulusTest, Unattributable) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "param threads=2\n"
      "cycle 0x19:1/unattr 0x19:2 0x19:3/unattr@1 0x19:4/unattr@0 0x19:5/el0,NS\n"
      "cycle 0x19:1/unattr,el0,NS 0x4:2/unattr,el0,NS 0x19:3/el0,NS 0x19:4@1/unattr\n"
      "cycle 0x19:1/unattr,el1,NS 0x19:2/el1,NS 0x19:3@1/unattr,el3\n");
  ASSERT_TRUE(s.good());
  ExpectOccurrences(s->items[0].cycle, {{PMUV3_EVENT_BUS_ACCESS, 5, 0, PMUV3_UNATTRIBUTABLE},
                                        {PMUV3_EVENT_BUS_ACCESS, 2, 0, PMUV3_CURRENT},
                                        {PMUV3_EVENT_BUS_ACCESS, 3, 1, PMUV3_UNATTRIBUTABLE},
                                        {PMUV3_EVENT_BUS_ACCESS, 5, 0, PMUV3_OTHER}});
  EXPECT_FALSE(s->items[0].cycle.other[0].related);
  EXPECT_FALSE(s->items[0].cycle.other[1].related);
  ExpectOccurrences(s->items[1].cycle, {{PMUV3_EVENT_BUS_ACCESS, 1, 0, PMUV3_UNATTRIBUTABLE},
                                        {PMUV3_EVENT_L1D_CACHE, 2, 0, PMUV3_UNATTRIBUTABLE},
                                        {PMUV3_EVENT_BUS_ACCESS, 3, 0, PMUV3_OTHER},
                                        {PMUV3_EVENT_BUS_ACCESS, 4, 1, PMUV3_UNATTRIBUTABLE}});
  ExpectContext(s->items[1].cycle.other[0], 0, PMUV3_NS, true);
  EXPECT_FALSE(s->items[1].cycle.other[1].related);
  ExpectOccurrences(s->items[2].cycle, {{PMUV3_EVENT_BUS_ACCESS, 1, 0, PMUV3_UNATTRIBUTABLE},
                                        {PMUV3_EVENT_BUS_ACCESS, 2, 0, PMUV3_CURRENT},
                                        {PMUV3_EVENT_BUS_ACCESS, 3, 1, PMUV3_UNATTRIBUTABLE}});
  ExpectContext(s->items[2].cycle.other[0], 1, PMUV3_NS, true);
  ExpectContext(s->items[2].cycle.other[1], 3, PMUV3_RT, true);
}

// Suffixes in any order. With /dbg nothing else matters. Other events of a halted thread are legal.
TEST(StimulusTest, Debugger) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "param threads=2\n"
      "pe 1 halted=1\n"
      "cycle 0x8:1/dbg@1 0x8:2@1/unattr/dbg 0x8:3/dbg/el0,S@1 0x8:4@1 0x8:5/el0,S@1 "
      "0x23:1@1/dbg 0x10:1@1/dbg/el2,NS\n");
  ASSERT_TRUE(s.good());
  ExpectContext(s->items[1].cycle.other[1], 0, PMUV3_S, false);
  ExpectOccurrences(s->items[1].cycle, {{PMUV3_EVENT_INST_RETIRED, 6, 1, PMUV3_DEBUGGER},
                                        {PMUV3_EVENT_INST_RETIRED, 4, 1, PMUV3_CURRENT},
                                        {PMUV3_EVENT_INST_RETIRED, 5, 1, PMUV3_OTHER},
                                        {PMUV3_EVENT_STALL_FRONTEND, 1, 1, PMUV3_DEBUGGER},
                                        {PMUV3_EVENT_BR_MIS_PRED, 1, 1, PMUV3_DEBUGGER}});
}

// 255 of each origin
TEST(StimulusTest, MostOfEachOrigin) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "pe 0 halted=1\n"
      "cycle 0x8:255 0x8:255/el0,NS 0x8:255/unattr 0x8:255/dbg 0x3d:255\n");
  ASSERT_TRUE(s.good());
  ASSERT_EQ(s->items[1].cycle.num_occurrences, 5);
  for (int i = 0; i < 5; i++) EXPECT_EQ(s->items[1].cycle.occurrences[i].count, 255);
}

TEST(StimulusTest, ChoicesAreWords) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "param K-VS-RES=both K-UNATTR-PROHIB=memory K-MT-LEGACY=rw\n"
      "param features=TH K-SHARED-OTHER=all aa64=0 debugv8p2=1\n");
  ASSERT_TRUE(s.good());
  EXPECT_EQ(s->params.k_vs_res, 3);
  EXPECT_EQ(s->params.k_unattr_prohib, 2);
  EXPECT_EQ(s->params.k_unattr_filter, 3);
  EXPECT_EQ(s->params.k_mt_legacy, 1);
  EXPECT_EQ(s->params.k_shared_other, 1);
  EXPECT_FALSE(pmuv3_has(&s->params, PMUV3_FEATURE_TH));  // AArch64's alone
}

// Accesses with `refused` name a register, or any encoding.
TEST(StimulusTest, RefusedAccessesAndReset) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "param counters=2 features=TH\n"
      "refused write PMCEID0_EL0 0xFFFFFFFFFFFFFFFF\n"
      "refused write @0 PMEVTYPER2_EL0 0x80000008  # no field of it is looked at\n"
      "refused read PMSWINC_EL0\n"
      "refused read @0 PMMIR_EL1\n"
      "refused read 0\n"
      "refused write 0xFFFF 1\n"
      "refused read 56548  # PMSWINC_EL0\n"
      "reset\n");
  ASSERT_TRUE(s.good());
  ASSERT_EQ(s->num_items, 8u);
  const struct {
    pmuv3_item_kind kind;
    int reg;
    uint64_t value;
  } items[] = {
      {PMUV3_ITEM_REFUSED_WRITE, PMUV3_PMCEID0, ~UINT64_C(0)},
      {PMUV3_ITEM_REFUSED_WRITE, PMUV3_PMEVTYPERn(2), 0x80000008},
      {PMUV3_ITEM_REFUSED_READ, PMUV3_PMSWINC, 0},
      {PMUV3_ITEM_REFUSED_READ, PMUV3_PMMIR, 0},
      {PMUV3_ITEM_REFUSED_READ, 0, 0},
      {PMUV3_ITEM_REFUSED_WRITE, 0xFFFF, 1},
      {PMUV3_ITEM_REFUSED_READ, PMUV3_PMSWINC, 0},
  };
  for (size_t i = 0; i < 7; i++) {
    SCOPED_TRACE(i);
    EXPECT_EQ(s->items[i].kind, items[i].kind);
    EXPECT_EQ(s->items[i].line, i + 3);
    EXPECT_EQ(s->items[i].access.reg, items[i].reg);
    EXPECT_EQ(s->items[i].access.value, items[i].value);
  }
  EXPECT_EQ(s->items[7].kind, PMUV3_ITEM_RESET);
  EXPECT_EQ(s->items[7].line, 10u);
}

// ---- Checked accesses, and outputs ----

// The expected result and value of an item; -1: no expectation.
void ExpectEnd(const pmuv3_item &item, pmuv3_item_kind kind, int result, bool has_value) {
  EXPECT_EQ(item.kind, kind);
  EXPECT_EQ(item.has_result, result >= 0);
  if (result >= 0) {
    EXPECT_EQ(item.result, result);
  }
  EXPECT_EQ(item.has_value, has_value);
}

void ExpectAccess(const pmuv3_item &item, int thread, int reg, uint64_t value) {
  EXPECT_EQ(item.thread, thread);
  EXPECT_EQ(item.access.reg, reg);
  EXPECT_TRUE(item.access.checked);
  EXPECT_EQ(item.access.value, value);
}

TEST(StimulusTest, CheckedAccesses) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "param threads=2\n"
      "msr PMCR_EL0 1\n"
      "msr @1 PMEVCNTR30_EL0 0xFFFFFFFFFFFFFFFF undefined  # of no implemented counter\n"
      "msr PMCR 0xFFFFFFFF el1\n"
      "msr 0xDCE0 2 done\n"
      "mrs @1 PMCEID0_EL0\n"
      "mrs PMSWINC_EL0 undefined\n"
      "mrs PMUSERENR_EL0 7\n"
      "mrs PMCR_EL0 7 done\n"
      "mrs @1 PMINTENSET_EL1 el3\n");
  ASSERT_TRUE(s.good());
  ASSERT_EQ(s->num_items, 9u);
  ExpectEnd(s->items[0], PMUV3_ITEM_MSR, -1, false);
  ExpectAccess(s->items[0], 0, PMUV3_PMCR, 1);
  ExpectEnd(s->items[1], PMUV3_ITEM_MSR, PMUV3_UNDEFINED, false);
  ExpectAccess(s->items[1], 1, PMUV3_PMEVCNTRn(30), ~UINT64_C(0));
  ExpectEnd(s->items[2], PMUV3_ITEM_MSR, PMUV3_TRAP_EL1, false);
  ExpectAccess(s->items[2], 0, PMUV3_PMCR_AA32, 0xFFFFFFFF);
  ExpectEnd(s->items[3], PMUV3_ITEM_MSR, PMUV3_DONE, false);
  ExpectAccess(s->items[3], 0, PMUV3_PMCR, 2);
  ExpectEnd(s->items[4], PMUV3_ITEM_MRS, -1, false);
  ExpectAccess(s->items[4], 1, PMUV3_PMCEID0, 0);
  ExpectEnd(s->items[5], PMUV3_ITEM_MRS, PMUV3_UNDEFINED, false);
  ExpectEnd(s->items[6], PMUV3_ITEM_MRS, PMUV3_DONE, true);
  ExpectAccess(s->items[6], 0, PMUV3_PMUSERENR, 7);
  ExpectEnd(s->items[7], PMUV3_ITEM_MRS, PMUV3_DONE, true);
  ExpectEnd(s->items[8], PMUV3_ITEM_MRS, PMUV3_TRAP_EL3, false);
}

void ExpectExternal(const pmuv3_external &access, int thread, int ss, int offset, uint32_t value) {
  EXPECT_EQ(access.thread, thread);
  EXPECT_EQ(access.ss, ss);
  EXPECT_EQ(access.offset, offset);
  EXPECT_EQ(access.value, value);
}

TEST(StimulusTest, ExternalAccesses) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "param threads=2\n"
      "extw 0xE04 1\n"
      "extw @1 NS 0xE04 0xFFFFFFFF error\n"
      "extw @1 4 2 done\n"
      "extr RL 0xFFC\n"
      "extr @1 0xFFC 0xB1\n"
      "extr S 0xFFC 0xB1 done\n"
      "extr 0 error\n"
      "extr 0xE02 error\n"
      "extw 1 2\n");
  ASSERT_TRUE(s.good());
  ASSERT_EQ(s->num_items, 9u);
  ExpectEnd(s->items[0], PMUV3_ITEM_EXTERNAL_WRITE, -1, false);
  ExpectExternal(s->items[0].external, 0, PMUV3_RT, 0xE04, 1);
  ExpectEnd(s->items[1], PMUV3_ITEM_EXTERNAL_WRITE, 1, false);
  ExpectExternal(s->items[1].external, 1, PMUV3_NS, 0xE04, 0xFFFFFFFF);
  EXPECT_EQ(s->items[1].thread, 1);
  ExpectEnd(s->items[2], PMUV3_ITEM_EXTERNAL_WRITE, 0, false);
  ExpectExternal(s->items[2].external, 1, PMUV3_RT, 4, 2);
  ExpectEnd(s->items[3], PMUV3_ITEM_EXTERNAL_READ, -1, false);
  ExpectExternal(s->items[3].external, 0, PMUV3_RL, 0xFFC, 0);
  ExpectEnd(s->items[4], PMUV3_ITEM_EXTERNAL_READ, 0, true);
  ExpectExternal(s->items[4].external, 1, PMUV3_RT, 0xFFC, 0xB1);
  ExpectEnd(s->items[5], PMUV3_ITEM_EXTERNAL_READ, 0, true);
  ExpectExternal(s->items[5].external, 0, PMUV3_S, 0xFFC, 0xB1);
  ExpectEnd(s->items[6], PMUV3_ITEM_EXTERNAL_READ, 1, false);
  ExpectExternal(s->items[7].external, 0, PMUV3_RT, 0xE02, 0);
  ExpectExternal(s->items[8].external, 0, PMUV3_RT, 1, 2);
}

// The default address space is the most secure one.
TEST(StimulusTest, MostSecureAddressSpace) {
  const struct {
    const char *params;
    int ss;
  } cases[] = {{"features=RME", PMUV3_RT}, {"features=none", PMUV3_S}, {"el3=0", PMUV3_S}};
  for (const auto &c : cases) {
    Stimulus s(std::string("pmuv3-stimulus 1\nparam ") + c.params + "\nextr 0\ncycle ext:0=1\n");
    ASSERT_TRUE(s.good());
    EXPECT_EQ(s->items[0].external.ss, c.ss) << c.params;
    EXPECT_EQ(s->items[1].cycle.external.ss, c.ss) << c.params;
  }
}

TEST(StimulusTest, JudgedWritesInCycles) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "param threads=3\n"
      "cycle msr:PMCR_EL0=1 @2:msr:0xDCE1=2 @1:PMCR_EL0=3 @1:ext.NS:0xE04=4 0x8:1\n"
      "cycle ext:0xC00=5 PMCR_EL0=1\n");
  ASSERT_TRUE(s.good());
  const pmuv3_cycle &cycle = s->items[0].cycle;
  EXPECT_EQ(cycle.has_write, 0b111);
  EXPECT_TRUE(cycle.write[0].checked);
  EXPECT_EQ(cycle.write[0].value, 1u);
  EXPECT_FALSE(cycle.write[1].checked);
  EXPECT_TRUE(cycle.write[2].checked);
  EXPECT_EQ(cycle.write[2].reg, PMUV3_PMCNTENSET);
  EXPECT_TRUE(cycle.has_external);
  ExpectExternal(cycle.external, 1, PMUV3_NS, 0xE04, 4);
  EXPECT_EQ(cycle.num_occurrences, 1);
  EXPECT_TRUE(s->items[1].cycle.has_external);
  ExpectExternal(s->items[1].cycle.external, 0, PMUV3_RT, 0xC00, 5);
}

// I-14: requests to capture, of threads.
TEST(StimulusTest, Captures) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "param threads=3\n"
      "cycle capture\n"
      "cycle capture@2 capture@0\n"
      "cycle\n");
  ASSERT_TRUE(s.good());
  EXPECT_EQ(s->items[0].cycle.capture, 0b001);
  EXPECT_EQ(s->items[1].cycle.capture, 0b101);
  EXPECT_EQ(s->items[2].cycle.capture, 0);
}

TEST(StimulusTest, Outputs) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "param threads=2\n"
      "expect PMUIRQ 1\n"
      "expect @1 CTI 0\n"
      "expect @1 EXCEPTION 15\n"
      "expect HALT 1\n"
      "expect @1 BRBE 3\n"
      "expect PULSES 0x1FFFFFFFF\n");
  ASSERT_TRUE(s.good());
  const struct {
    int thread, kind;
    uint64_t level;
  } outputs[] = {{0, PMUV3_OUTPUT_PMUIRQ, 1},     {1, PMUV3_OUTPUT_CTI, 0},
                 {1, PMUV3_OUTPUT_EXCEPTION, 15}, {0, PMUV3_OUTPUT_HALT, 1},
                 {1, PMUV3_OUTPUT_BRBE, 3},       {0, PMUV3_OUTPUT_PULSES, 0x1FFFFFFFF}};
  ASSERT_EQ(s->num_items, 6u);
  for (int i = 0; i < 6; i++) {
    EXPECT_EQ(s->items[i].kind, PMUV3_ITEM_EXPECT_OUTPUT);
    EXPECT_EQ(s->items[i].thread, outputs[i].thread);
    EXPECT_EQ(s->items[i].output.kind, outputs[i].kind);
    EXPECT_EQ(s->items[i].output.level, outputs[i].level);
  }
}

// ---- The writer ----

std::string Written(const pmuv3_params &params, const pmuv3_stimulus *stimulus) {
  char *text = nullptr;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  pmuv3_stimulus_write_head(out, &params);
  for (size_t i = 0; stimulus && i < stimulus->num_items; i++)
    pmuv3_stimulus_write_item(out, &stimulus->items[i]);
  std::fclose(out);
  std::string written(text, size);
  std::free(text);
  return written;
}

std::string WrittenItem(const pmuv3_item &item) {
  char *text = nullptr;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  pmuv3_stimulus_write_item(out, &item);
  std::fclose(out);
  std::string written(text, size);
  std::free(text);
  return written;
}

bool SameParams(const pmuv3_params &a, const pmuv3_params &b) {
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  if (a.name != b.name) return false;
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  if (a.id != b.id) return false;
#include "pmuv3/params.def"
  return a.features == b.features;
}

TEST(StimulusWriterTest, EachFeatureAlone) {
  for (int f = -1; f < PMUV3_NUM_FEATURES; f++) {
    pmuv3_params params = pmuv3_params_default();
    params.features = f < 0 ? 0 : UINT32_C(1) << f;
    pmuv3_params_complete(&params);
    const std::string text = Written(params, nullptr);
    SCOPED_TRACE(text);
    Stimulus s(text);
    ASSERT_TRUE(s.good());
    EXPECT_TRUE(SameParams(s->params, params));
    EXPECT_EQ(s->num_items, 0u);
  }
}

TEST(StimulusWriterTest, EachParameter) {
  for (int variant = 0; variant < 11; variant++) {
    pmuv3_params params = pmuv3_params_default();
    if (variant == 1) params.counters = 0;
    if (variant == 2) params.counters = 31;
    if (variant == 3) params.th_width = 1;
    if (variant == 4) params.el2 = 0;
    if (variant == 5) params.el3 = 0;
    if (variant == 6) params.slots = 255;
    if (variant == 7) params.threads = 4;
    if (variant == 8) params.aa64 = 0;
    if (variant >= 9) params.features = 0;
    if (variant == 9) params.debugv8p2 = 0;
    if (variant == 10) params.k_mt_legacy = 1;
    ASSERT_EQ(pmuv3_params_complete(&params), nullptr);
    const std::string text = Written(params, nullptr);
    SCOPED_TRACE(text);
    Stimulus s(text);
    ASSERT_TRUE(s.good());
    EXPECT_TRUE(SameParams(s->params, params));
  }
}

// Every word of every choice
TEST(StimulusWriterTest, EachChoice) {
  const struct {
    const char *name;
    uint8_t pmuv3_params::*choice;
    std::string words;
  } choices[] = {
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) {name, &pmuv3_params::id, values},
#include "pmuv3/params.def"
  };
  for (const auto &choice : choices) {
    const auto words = std::count(choice.words.begin(), choice.words.end(), '|') + 1;
    for (uint8_t word = 0; word < words; word++) {
      pmuv3_params params = pmuv3_params_default();
      params.features = 0;
      params.*choice.choice = word;
      ASSERT_EQ(pmuv3_params_complete(&params), nullptr);
      const std::string text = Written(params, nullptr);
      SCOPED_TRACE(text);
      Stimulus s(text);
      ASSERT_TRUE(s.good());
      EXPECT_TRUE(SameParams(s->params, params)) << choice.name;
    }
  }
}

bool SameContext(const pmuv3_context &a, const pmuv3_context &b) {
  return a.el == b.el && a.ss == b.ss && a.related == b.related;
}

void ExpectSameCycle(const pmuv3_cycle &a, const pmuv3_cycle &b) {
  ASSERT_EQ(a.num_occurrences, b.num_occurrences);
  for (int i = 0; i < a.num_occurrences; i++) {
    const pmuv3_occurrence &of_a = a.occurrences[i], &of_b = b.occurrences[i];
    EXPECT_EQ(std::memcmp(&of_a, &of_b, sizeof of_a), 0) << i;
    const int t = of_a.thread;
    const bool has_other = of_a.origin == PMUV3_OTHER || a.other[t].related;
    EXPECT_TRUE(!has_other || SameContext(a.other[t], b.other[t])) << i;
  }
  EXPECT_EQ(a.capture, b.capture);
  ASSERT_EQ(a.has_write, b.has_write);
  for (int t = 0; t < PMUV3_MAX_THREADS; t++) {
    EXPECT_EQ(a.write[t].reg, b.write[t].reg);
    EXPECT_EQ(a.write[t].checked, b.write[t].checked);
    EXPECT_EQ(a.write[t].value, b.write[t].value);
  }
  ASSERT_EQ(a.has_external, b.has_external);
  ExpectExternal(a.external, b.external.thread, b.external.ss, b.external.offset, b.external.value);
}

void ExpectSameItem(const pmuv3_item &a, const pmuv3_item &b) {
  ASSERT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.thread, b.thread);
  ExpectEnd(a, b.kind, b.has_result ? b.result : -1, b.has_value);
  EXPECT_EQ(a.syndrome.mask, b.syndrome.mask);
  EXPECT_EQ(a.syndrome.bits, b.syndrome.bits);
  switch (a.kind) {
    case PMUV3_ITEM_IDLE:
      EXPECT_EQ(a.idle, b.idle);
      break;
    case PMUV3_ITEM_RESET:
      break;
    case PMUV3_ITEM_PE:
      EXPECT_TRUE(pmuv3_pe_equal(&a.pe, &b.pe));
      break;
    case PMUV3_ITEM_CYCLE:
      ExpectSameCycle(a.cycle, b.cycle);
      EXPECT_EQ(a.expected.syndrome_mask[0], b.expected.syndrome_mask[0]);
      EXPECT_EQ(a.expected.ends.syndrome[0], b.expected.ends.syndrome[0]);
      break;
    case PMUV3_ITEM_EXTERNAL_WRITE:
    case PMUV3_ITEM_EXTERNAL_READ:
      ExpectExternal(a.external, b.external.thread, b.external.ss, b.external.offset,
                     b.external.value);
      break;
    case PMUV3_ITEM_EXPECT_OUTPUT:
      EXPECT_EQ(a.output.kind, b.output.kind);
      EXPECT_EQ(a.output.level, b.output.level);
      break;
    default:
      EXPECT_EQ(a.access.reg, b.access.reg);
      EXPECT_EQ(a.access.checked, b.access.checked);
      EXPECT_EQ(a.access.value, b.access.value);
  }
}

TEST(StimulusWriterTest, Items) {
  Stimulus first(
      "pmuv3-stimulus 1\n"
      "param counters=3 threads=4 K-RESTC=b\n"
      "write PMEVTYPER2_EL0 0xE0C00FFF0200FFFF\n"
      "write PMSWINC_EL0 0x7\n"
      "cycle 0x8:3 0x80C1:255 0x3C:1\n"
      "cycle PMOVSCLR_EL0=0x7\n"
      "cycle 0x4:1 PMEVCNTR2_EL0=0xFFFFFFFFFFFFFFFF\n"
      "cycle\n"
      "idle 12345678901\n"
      "expect PMEVCNTR2_EL0 0x123456789\n"
      "refused write PMEVCNTR3_EL0 0xFFFFFFFFFFFFFFFF\n"
      "refused write 0xABCD 0x1\n"
      "reset\n"
      "refused read PMSWINC_EL0\n"
      "refused read 0x0007\n"
      "write MDCR_EL2 0x4000083\n"
      "write @1 SDCR 0xFFFFFFFF\n"
      "write @3 PMEVTYPER2 0x82000008\n"
      "expect @2 PMICNTR_EL0 0\n"
      "refused write @1 PMEVTYPER3 0x1\n"
      "refused read @3 PMSWINC_EL0\n"
      "pe 0 el=0 sm=1\n"
      "pe 1 el=3 active=0 wfx=1\n"
      "pe 2 ss=RL halted=1\n"
      "pe 3 ss=NS aa32=1 a32el1=1 a32el3=1\n"
      "pe 2 halted=0\n"
      "pe 2 halted=1\n"
      "cycle 0x8:1 0x8:2@3 0x9:3@1/el0,RL 0x8:4@2/dbg 0x8:5@2/el1,NS 0x3C:1@3 0x19:6@3/unattr\n"
      "cycle 0x19:1/unattr,el2,S 0x9:0/el2,S 0x19:2@2/unattr,el1,RL\n"
      "cycle @3:PMCR_EL0=0x7 PMCCNTR_EL0=0x1 @2:SDER=0x2 @1:PMSWINC_EL0=0x7\n"
      "pe 0 tge=1 e2h=1 eel2=1 pm=1 spe=1 oslk=1 dlk=1 fgt=9\n"
      "msr PMCR_EL0 0x1\n"
      "msr @2 0x0007 0x123456789ABCDEF0 undefined\n"
      "mrs PMCNTENSET\n"
      "mrs @3 PMCCNTR_EL0 0xFFFFFFFFFFFFFFFF\n"
      "mrs @1 PMXEVTYPER_EL0 el2\n"
      "mrs @1 PMXEVTYPER_EL0 el2/ec0x18\n"
      "mrs PMCCNTR64 0xFFFFFFFFFFFFFFFF\n"
      "msr SDER32_EL2 2 el2/ec0x18/iss0x330406\n"
      "cycle msr:PMCR_EL0=1/el2/ec0x18/iss0x30e418\n"
      "pe 1 hstr=1 nv=1 sdd=1 fgt=0x800000000\n"
      "extw 0xE04 1\n"
      "extw @3 NS 0x004 0xFFFFFFFF error\n"
      "extr @1 RL 0xE00\n"
      "extr S 0xFF0 0xD\n"
      "extr 0 error\n"
      "expect @1 PMUIRQ 1\n"
      "expect CTI 0\n"
      "expect EXCEPTION 9\n"
      "cycle msr:PMCR_EL0=1 @2:ext.NS:0x4=3 @2:msr:PMCR=4 0x8:1\n"
      "cycle ext:0=0xFFFFFFFF\n"
      "pe 1 pme=1\n"
      "cycle capture@3 0x8:1 capture PMCR_EL0=1\n"
      "expect HALT 1\n"
      "expect @2 BRBE 2\n"
      "expect PULSES 0x180000001\n");
  ASSERT_TRUE(first.good());
  const std::string text = Written(first->params, first.operator->());
  SCOPED_TRACE(text);
  Stimulus second(text);
  ASSERT_TRUE(second.good());
  EXPECT_TRUE(SameParams(first->params, second->params));
  ASSERT_EQ(first->num_items, second->num_items);
  for (size_t i = 0; i < first->num_items; i++) {
    SCOPED_TRACE(i);
    ExpectSameItem(first->items[i], second->items[i]);
  }
  EXPECT_EQ(Written(second->params, second.operator->()),
            text);  // writing again gives the same text
}

// With an external view and an agent's counters.
constexpr char kExternal[] = "TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,SS,DPFZS,EXTPMN";

// The generator's items can be written and read back, line by line.
TEST(StimulusWriterTest, RandomItems) {
  const struct { uint8_t counters, threads; } sizes[] = {{0, 1}, {1, 3}, {6, 4}, {30, 2}, {31, 1}};
  for (const auto &size : sizes) {
    SCOPED_TRACE(testing::Message() << +size.counters << " counters, " << +size.threads);
    pmuv3_params params = pmuv3_params_default();
    params.counters = size.counters;
    params.threads = size.threads;
    if (params.counters == 6) {
      ASSERT_EQ(pmuv3_params_set(&params, "features", kExternal), nullptr);
    }
    if (params.counters == 1) params.features = 0;
    ASSERT_EQ(pmuv3_params_complete(&params), nullptr);
    pmuv3_random *random = pmuv3_random_create(&params, 1);
    int kinds[PMUV3_NUM_ITEM_KINDS] = {};
    std::string text = Written(params, nullptr);
    for (int i = 0; i < 50000; i++) {
      const pmuv3_item *item = pmuv3_random_next(random);
      kinds[item->kind]++;
      text += WrittenItem(*item);
    }
    pmuv3_random_destroy(random);
    for (pmuv3_item_kind kind :
         {PMUV3_ITEM_WRITE, PMUV3_ITEM_READ, PMUV3_ITEM_CYCLE, PMUV3_ITEM_REFUSED_WRITE,
          PMUV3_ITEM_REFUSED_READ, PMUV3_ITEM_RESET, PMUV3_ITEM_PE, PMUV3_ITEM_MSR, PMUV3_ITEM_MRS,
          PMUV3_ITEM_EXTERNAL_WRITE, PMUV3_ITEM_EXTERNAL_READ})
      EXPECT_GT(kinds[kind], 0) << kind;
    Stimulus s(text);
    ASSERT_TRUE(s.good());
    EXPECT_TRUE(Written(params, s.operator->()) == text);
  }
}

// What the generator writes, by name; of counters n = 0.
void AddWritten(const char *features, std::set<uint16_t> *written) {
  pmuv3_params params = pmuv3_params_default();
  ASSERT_EQ(pmuv3_params_set(&params, "features", features), nullptr);
  ASSERT_EQ(pmuv3_params_complete(&params), nullptr);
  pmuv3_random *random = pmuv3_random_create(&params, 1);
  for (int i = 0; i < 200000; i++) {
    const pmuv3_item *item = pmuv3_random_next(random);
    if (item->kind == PMUV3_ITEM_WRITE) written->insert(item->access.reg);
    if (item->kind == PMUV3_ITEM_CYCLE && item->cycle.has_write & 1)
      written->insert(item->cycle.write[0].reg);
  }
  pmuv3_random_destroy(random);
}

// A register that the generator never writes would be compared in its reset state alone.
TEST(RandomTest, WritesEveryRegister) {
  std::set<uint16_t> written;
  AddWritten(kExternal, &written);
  AddWritten("TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,SPE", &written);  // with AArch32 views
  for (const RegisterRow &of : kRegisterRows)
    EXPECT_TRUE(of.access == RO || written.count(of.reg) == 1) << of.name;
}

TEST(StimulusTest, Repeat) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "repeat 3 write PMSWINC_EL0 1\n"
      "repeat 0x2   cycle  0x0008:3 PMCR_EL0=1  # twice\n"
      "repeat 1 idle 7\n");
  ASSERT_TRUE(s.good());
  ASSERT_EQ(s->num_items, 6u);
  for (size_t i = 0; i < 3; i++) {
    EXPECT_EQ(s->items[i].kind, PMUV3_ITEM_WRITE);
    EXPECT_EQ(s->items[i].line, 2u);
  }
  for (size_t i = 3; i < 5; i++) {
    ASSERT_EQ(s->items[i].cycle.num_occurrences, 1);
    EXPECT_EQ(s->items[i].cycle.occurrences[0].count, 3);
    EXPECT_EQ(s->items[i].cycle.has_write, 1);
  }
  EXPECT_EQ(s->items[5].idle, 7u);
}

// A wrong line has no effect at all: items, states, software increments.
TEST(StimulusTest, WrongLinesMayBeLeftOut) {
  char text[] =
      "pmuv3-stimulus 1\n"
      "param counters=2 threads=2\n"
      "pe 0 halted=1 el=4\n"
      "cycle 0x0008:1 0x0010:1/dbg\n"
      "cycle 0x0008:2 0x0008:3@1\n"
      "write PMEVCNTR2_EL0 1\n"
      "nonsense\n"
      "write PMCR_EL0 1\n";
  FILE *in = fmemopen(text, sizeof text - 1, "r");
  pmuv3_stimulus stimulus;
  ASSERT_TRUE(pmuv3_stimulus_read_legal(&stimulus, in));
  std::fclose(in);
  ASSERT_EQ(stimulus.num_items, 2u);
  EXPECT_EQ(stimulus.items[0].line, 5u);
  ASSERT_EQ(stimulus.items[0].cycle.num_occurrences, 2);
  EXPECT_EQ(stimulus.items[0].cycle.occurrences[0].count, 2);
  EXPECT_EQ(stimulus.items[0].cycle.occurrences[1].count, 3);
  EXPECT_EQ(stimulus.items[1].line, 8u);
  pmuv3_stimulus_free(&stimulus);

  char params[] = "pmuv3-stimulus 1\nparam counters=32\ncycle\n";
  in = fmemopen(params, sizeof params - 1, "r");
  EXPECT_FALSE(pmuv3_stimulus_read_legal(&stimulus, in));
  std::fclose(in);
}

// A read is only for the comparison of two sides, but a wrong one may change something.
TEST(StimulusWriterTest, ReadsAreWritten) {
  pmuv3_item item = {};
  item.kind = PMUV3_ITEM_READ;
  item.access.reg = PMUV3_PMCR;
  EXPECT_EQ(WrittenItem(item), "read PMCR_EL0\n");
}

}  // namespace
}  // namespace pmuv3
