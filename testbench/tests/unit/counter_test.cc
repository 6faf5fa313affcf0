// counter: the increments of PMEVCNTR<n>_EL0, and other changes of it (D13.3, CYC-4, CYC-5, CYC-9).
#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

class CounterTest : public SideTest {};
PMUV3_ON_BOTH_SIDES(CounterTest);

// The whole counter counts, whatever the overflow width: {features, LP, before, V, after}.
TEST_P(CounterTest, Add) {
  struct {
    const char *features;
    int lp;
    uint64_t before;
    int v;
    uint64_t after;
  } const cases[] = {
      {"PMUv3p5", 0, 0, 0, 0},
      {"PMUv3p5", 0, 0, 255, 255},
      {"PMUv3p5", 0, 0xFFFFFFFF, 1, 0x100000000},
      {"PMUv3p5", 0, 0xFFFFFFFF, 255, 0x1000000FE},
      {"PMUv3p5", 0, 0xFFFFFFFFFFFFFFFF, 1, 0},
      {"PMUv3p5", 1, 0xFFFFFFFF, 1, 0x100000000},
      {"PMUv3p5", 1, 0xFFFFFFFFFFFFFF01, 255, 0},
      {"PMUv3p5", 1, 0xFFFFFFFFFFFFFF02, 255, 1},
      {"PMUv3p5", 1, 0x7FFFFFFFFFFFFFFF, 1, 0x8000000000000000},
      {"PMUv3p4", 0, 0xFFFFFFFF, 1, 0},
      {"PMUv3p4", 0, 0xFFFFFF01, 255, 0},
      {"PMUv3p4", 0, 0xFFFFFFFF, 255, 254},
      {"PMUv3p4", 1, 0xFFFFFFFF, 1, 0},  // LP is RES0
      {"PMUv3p4", 0, 0x7FFFFFFF, 1, 0x80000000},
      {"PMUv3p9 aa64=0", 0, 0xFFFFFFFF, 2, 1},
      {"PMUv3p9 aa64=0", 1, 0xFFFFFFFF, 2, 1},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message()
                 << c.features << " LP=" << c.lp << std::hex << " " << c.before << " + " << c.v);
    Build(std::string("features=") + c.features);
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
    Write(PMUV3_PMEVCNTRn(0), c.before);
    Write(PMUV3_PMCNTENSET, 0x1);
    Write(PMUV3_PMCR, c.lp << 7 | 1);
    Cycle({{PMUV3_EVENT_INST_RETIRED, c.v}});
    EXPECT_EQ(Counter(0), c.after);
    EXPECT_EQ(Probe().value[0], c.after);
  }
}

// 31 counters in parallel, each with a different start value.
TEST_P(CounterTest, Independent) {
  Build("counters=31");
  for (int n = 0; n < 31; n++) {
    Write(PMUV3_PMEVTYPERn(n), Type(n % 3 ? PMUV3_EVENT_INST_RETIRED : PMUV3_EVENT_L1D_CACHE));
    Write(PMUV3_PMEVCNTRn(n), UINT64_C(0x100000001) * n);
  }
  Enable(0x7FFFFFFF);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 5}, {PMUV3_EVENT_L1D_CACHE, 7}});
  for (int n = 0; n < 31; n++)
    EXPECT_EQ(Counter(n), UINT64_C(0x100000001) * n + (n % 3 ? 5 : 7)) << n;
}

// The counter adds V. Linked counters add their own V.
TEST_P(CounterTest, AddsV) {
  Build("counters=2");
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).Tc(0b101).Th(2));
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_L1D_CACHE).Tlc(0b01));
  Enable(0x3);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 9}});
  EXPECT_EQ(Counter(0), 1u);
  EXPECT_EQ(Counter(1), 1u);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 9}, {PMUV3_EVENT_L1D_CACHE, 4}});
  EXPECT_EQ(Counter(0), 2u);
  EXPECT_EQ(Counter(1), 5u);
}

// C.6 step 3: the largest V: 255 pending software increments and one in the cycle.
TEST_P(CounterTest, LargestV) {
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_SW_INCR));
  Enable(0x1);
  for (int i = 0; i < 255; i++) Write(PMUV3_PMSWINC, 1);
  CycleWriting(PMUV3_PMSWINC, 1);
  EXPECT_EQ(Counter(0), 256u);
}

// ---- formats.md section 4: a write in the clock of a cycle ----

class WriteInCycleTest : public SideTest {
 protected:
  // Counter 0 is just below an overflow and chained into counter 1. Counter 2 is plain. All count.
  void Prepare() {
    Build("counters=3");
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
    Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_CHAIN));
    Write(PMUV3_PMEVTYPERn(2), Type(PMUV3_EVENT_INST_RETIRED));
    Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF);
    Write(PMUV3_PMEVCNTRn(1), 10);
    Write(PMUV3_PMEVCNTRn(2), 20);
    Enable(0x7);
  }
};
PMUV3_ON_BOTH_SIDES(WriteInCycleTest);

TEST_P(WriteInCycleTest, Counting) {
  struct {
    const char *what;
    uint16_t reg;
    uint64_t value;
    uint64_t counters[3];
    uint32_t overflow;
  } const cases[] = {
      {"no effect", PMUV3_PMINTENSET, 0, {0x100000002, 11, 23}, 0x1},
      {"PMEVCNTR0 wins", PMUV3_PMEVCNTRn(0), 7, {7, 11, 23}, 0x1},
      {"PMEVCNTR1 wins over CHAIN", PMUV3_PMEVCNTRn(1), 7, {0x100000002, 7, 23}, 0x1},
      {"PMEVCNTR2 wins", PMUV3_PMEVCNTRn(2), 7, {0x100000002, 11, 7}, 0x1},
      {"PMCR.P wins over all", PMUV3_PMCR, 0b11, {0, 0, 0}, 0x1},
      {"PMCR.P wins, E is cleared", PMUV3_PMCR, 0b10, {0, 0, 0}, 0x1},
      {"PMOVSCLR clears no new flag", PMUV3_PMOVSCLR, 0x7, {0x100000002, 11, 23}, 0x1},
      {"PMOVSSET merges", PMUV3_PMOVSSET, 0x4, {0x100000002, 11, 23}, 0x5},
      {"PMCNTENCLR acts later", PMUV3_PMCNTENCLR, 0x7, {0x100000002, 11, 23}, 0x1},
      {"PMCR.E acts later", PMUV3_PMCR, 0, {0x100000002, 11, 23}, 0x1},
      {"PMCR.LP acts later", PMUV3_PMCR, 0x81, {0x100000002, 11, 23}, 0x1},
      {"HPMN acts later", PMUV3_MDCR_EL2, 1, {0x100000002, 11, 23}, 0x1},
      {"PMEVTYPER acts later", PMUV3_PMEVTYPERn(0), 0x11, {0x100000002, 11, 23}, 0x1},
      {"read-only: refused", PMUV3_PMCEID0, 0x7, {0x100000002, 11, 23}, 0x1},
      {"unknown: refused", PMUV3_PMEVCNTRn(3), 0x7, {0x100000002, 11, 23}, 0x1},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.what);
    Prepare();
    CycleWriting(c.reg, c.value, {{PMUV3_EVENT_INST_RETIRED, 3}});
    for (int n = 0; n < 3; n++) EXPECT_EQ(Counter(n), c.counters[n]) << n;
    EXPECT_EQ(Read(PMUV3_PMOVSSET), c.overflow);
    EXPECT_EQ(Probe().V[0], 3);  // the cycle itself is the same without the write
    EXPECT_EQ(Probe().V[1], 1);
    EXPECT_EQ(Probe().V[2], 3);
  }
}

// Between cycles nothing counts, so a write only writes.
TEST_P(WriteInCycleTest, BetweenCycles) {
  Prepare();
  Write(PMUV3_PMEVCNTRn(2), 7);
  Write(PMUV3_PMOVSSET, 0x4);
  EXPECT_EQ(Counter(0), 0xFFFFFFFFu);
  EXPECT_EQ(Counter(1), 10u);
  EXPECT_EQ(Counter(2), 7u);
  EXPECT_EQ(Read(PMUV3_PMOVSSET), 0x4u);
  Write(PMUV3_PMCR, 0b11);
  for (int n = 0; n < 3; n++) EXPECT_EQ(Counter(n), 0u) << n;
  EXPECT_EQ(Read(PMUV3_PMOVSSET), 0x4u);
  EXPECT_EQ(Read(PMUV3_PMCNTENSET), 0x7u);
}

// PMCR.P zeroes both ranges, counting or not.
TEST_P(WriteInCycleTest, ResetOfBothRanges) {
  for (bool in_cycle : {false, true}) {
    SCOPED_TRACE(in_cycle);
    Prepare();
    Write(PMUV3_MDCR_EL2, 1);  // counters 1 and 2 in the second range, HPME = 0
    if (in_cycle)
      CycleWriting(PMUV3_PMCR, 0b10);
    else
      Write(PMUV3_PMCR, 0b10);
    for (int n = 0; n < 3; n++) EXPECT_EQ(Counter(n), 0u) << n;
  }
}

}  // namespace
}  // namespace pmuv3
