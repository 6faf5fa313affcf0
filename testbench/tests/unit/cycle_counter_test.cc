// cycle counter: PMCCNTR_EL0, its divider, its overflow, and its disables (D.4, D.5, C.6 step 5).
// exhaustive/ tests the filter and the prohibitions.
#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

constexpr uint64_t kE = 1, kP = 1 << 1, kC = 1 << 2, kD = 1 << 3, kDp = 1 << 5, kLc = 1 << 6;
constexpr uint64_t kFzo = 1 << 9;
constexpr uint64_t kBitC = UINT64_C(1) << 31, kBitF0 = UINT64_C(1) << 32;

class CycleCounterTest : public SideTest {
 protected:
  uint64_t Cycles() { return Read(PMUV3_PMCCNTR); }

  void CountWith(uint64_t pmcr) {
    Write(PMUV3_PMCNTENSET, kBitC);
    Write(PMUV3_PMCR, pmcr | kE);
  }

  void Run(int cycles) {
    for (int i = 0; i < cycles; i++) Cycle();
  }

  // The number of cycles that the counter counts of `cycles`.
  uint64_t Counts(int cycles) {
    const uint64_t before = Cycles();
    Run(cycles);
    return Cycles() - before;
  }
};
PMUV3_ON_BOTH_SIDES(CycleCounterTest);

// ---- Enables and disables ----

// D.5: only PMCR.E and PMCNTEN.C enable the counter.
TEST_P(CycleCounterTest, Enables) {
  for (int e : {0, 1})
    for (int enabled : {0, 1})
      for (int hpme : {0, 1}) {
        SCOPED_TRACE(::testing::Message() << "E=" << e << " C=" << enabled << " HPME=" << hpme);
        Build("counters=2");
        Write(PMUV3_MDCR_EL2, hpme << 7);  // HPMN = 0: no event counter is of the first range
        Write(enabled ? PMUV3_PMCNTENSET : PMUV3_PMCNTENCLR, kBitC);
        Write(PMUV3_PMCR, e);
        EXPECT_EQ(Counts(3), e && enabled ? 3u : 0u);
        EXPECT_EQ(Probe().pmccntr, Cycles());
      }
}

// D14.4-g, D13.6-15: counts every Processor cycle in every state of the thread except Debug state.
TEST_P(CycleCounterTest, EveryProcessorCycle) {
  CountWith(0);
  for (bool active : {false, true})
    for (bool wfx : {false, true}) {
      SetPe(Pe().Active(active).Wfx(wfx));
      EXPECT_EQ(Counts(2), 2u) << active << wfx;
    }
  SetPe(Pe().Halted());
  EXPECT_EQ(Counts(2), 0u);
}

TEST_P(CycleCounterTest, NotBetweenCycles) {
  CountWith(0);
  Write(PMUV3_PMINTENSET, 0);
  Write(PMUV3_PMCR, kE);
  EXPECT_EQ(Cycles(), 0u);
}

// MT-REG-1: each thread has a cycle counter, which depends on the thread's own state.
TEST_P(CycleCounterTest, OfEachThread) {
  Build("threads=3");
  for (unsigned t : {0u, 1u, 2u}) {
    Write(t, PMUV3_PMCCFILTR, Type().P(t == 0));
    Write(t, PMUV3_PMCNTENSET, kBitC);
    Write(t, PMUV3_PMCR, kE);
  }
  SetPe(2, Pe().Halted());
  Cycle();
  EXPECT_EQ(Read(0, PMUV3_PMCCNTR), 0u);
  EXPECT_EQ(Read(1, PMUV3_PMCCNTR), 1u);
  EXPECT_EQ(Read(2, PMUV3_PMCCNTR), 0u);
}

// RGKPZH, D.5: {PMCR, HPMFZO, flags, counts}. With DP = 1 the counter stops if the first range is
// frozen.
TEST_P(CycleCounterTest, FreezeAndDisable) {
  struct {
    uint64_t pmcr;
    int hpmfzo;
    uint64_t flags;
    bool counts;
  } const cases[] = {
      {0, 0, 0x1, true},
      {kFzo, 0, 0x1, true},
      {kDp, 0, 0x1, true},
      {kFzo | kDp, 0, 0x0, true},
      {kFzo | kDp, 0, 0x1, false},
      {kFzo | kDp, 0, 0x2, true},  // of the second range
      {kFzo | kDp, 1, 0x2, true},
      {kDp, 1, 0x3, true},
      {kFzo | kDp, 0, kBitF0, false},
      {kFzo | kDp, 0, kBitC, true},  // never freezes
      {kFzo, 0, kBitF0 | kBitC | 0x3, true},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << std::hex << "PMCR=" << c.pmcr << " HPMFZO=" << c.hpmfzo
                                      << " PMOVS=" << c.flags);
    Build("counters=2");
    Write(PMUV3_MDCR_EL2, static_cast<uint64_t>(c.hpmfzo) << 29 | 1);
    Write(PMUV3_PMOVSSET, c.flags);
    CountWith(c.pmcr);
    EXPECT_EQ(Counts(2), c.counts ? 2u : 0u);
  }
}

// D.4: DP applies with an empty first range, too.
TEST_P(CycleCounterTest, DisableWithEmptyRange) {
  for (const char *counters : {"counters=2", "counters=0"})
    for (uint64_t dp : {uint64_t{0}, kDp}) {
      SCOPED_TRACE(::testing::Message() << counters << " DP=" << (dp != 0));
      Build(counters);
      Write(PMUV3_MDCR_EL2, 0);  // HPMN = 0
      CountWith(dp);
      SetPe(Pe(1, PMUV3_S));  // prohibited
      EXPECT_EQ(Counts(2), dp ? 0u : 2u);
    }
}

// SCCD, HCCD, MCCD and PMCCFILTR_EL0 do not affect the event CPU_CYCLES.
TEST_P(CycleCounterTest, CpuCyclesIsNotIt) {
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_CPU_CYCLES).Nsh());
  Write(PMUV3_PMCCFILTR, Type().Nsh());
  Write(PMUV3_MDCR_EL3, UINT64_C(1) << 34 | 1 << 23 | 1 << 17);
  Write(PMUV3_MDCR_EL2, 1 << 23 | 6);
  Write(PMUV3_PMCNTENSET, 0x1);
  CountWith(0);
  for (const auto &pe : {Pe(2, PMUV3_NS), Pe(1, PMUV3_S), Pe(3, PMUV3_RT)}) {
    SetPe(pe);
    EXPECT_EQ(Counts(1), 0u);
    EXPECT_EQ(Probe().VB[0], 1);
  }
  Write(PMUV3_PMCCFILTR, Type().P());
  SetPe(Pe());
  EXPECT_EQ(Counts(1), 0u);
  EXPECT_EQ(Probe().VB[0], 1);
}

// ---- The divider ----

// C.0: D is effective with LC = 0.
TEST_P(CycleCounterTest, Divider) {
  struct {
    uint64_t pmcr;
    int cycles;
    uint64_t counts;
  } const cases[] = {
      {0, 64, 64}, {kLc, 64, 64}, {kD | kLc, 64, 64}, {kD, 63, 0},
      {kD, 64, 1}, {kD, 127, 1},  {kD, 128, 2},       {kD, 640, 10},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message()
                 << std::hex << "PMCR=" << c.pmcr << std::dec << " " << c.cycles << " cycles");
    Build();
    CountWith(c.pmcr);
    EXPECT_EQ(Counts(c.cycles), c.counts);
  }
}

// The divider holds its value if the counter does not count, or does not divide.
TEST_P(CycleCounterTest, DividerHolds) {
  struct {
    const char *what;
    uint16_t reg;
    uint64_t value, undone;
    uint64_t counted;  // in 10 cycles
  } const cases[] = {
      {"E", PMUV3_PMCR, kD, kD | kE, 0},
      {"LC", PMUV3_PMCR, kD | kLc | kE, kD | kE, 10},
      {"D", PMUV3_PMCR, kE, kD | kE, 10},
      {"filter", PMUV3_PMCCFILTR, Type().P(), 0, 0},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.what);
    Build();
    CountWith(kD);
    Run(40);
    Write(c.reg, c.value);
    EXPECT_EQ(Counts(10), c.counted);
    Write(c.reg, c.undone);
    EXPECT_EQ(Counts(23), 0u);
    EXPECT_EQ(Counts(1), 1u);
  }
  Build();
  CountWith(kD);
  Run(40);
  SetPe(Pe().Halted());
  Run(10);
  SetPe(Pe());
  EXPECT_EQ(Counts(23), 0u);
  EXPECT_EQ(Counts(1), 1u);
}

// PMCR.C and writes to the counter keep the divider. A Warm reset clears it.
TEST_P(CycleCounterTest, DividerAndWrites) {
  CountWith(kD);
  Run(40);
  Write(PMUV3_PMCR, kD | kC | kE);
  Run(10);
  Write(PMUV3_PMCCNTR, 0x100);
  Run(13);
  EXPECT_EQ(Cycles(), 0x100u);
  Cycle();
  EXPECT_EQ(Cycles(), 0x101u);
  Run(40);
  CycleWriting(PMUV3_PMCR, kD | kC | kE);
  Run(22);
  EXPECT_EQ(Cycles(), 0u);
  Cycle();
  EXPECT_EQ(Cycles(), 1u);
  Run(40);
  Reset();
  CountWith(kD);
  EXPECT_EQ(Counts(63), 0u);
  EXPECT_EQ(Counts(1), 1u);
}

// ---- Overflow ----

// RNTZHW: {PMCR, before, after, PMOVS.C}: all 64 bits count. The flag follows bit 31, or bit 63
// with LC.
TEST_P(CycleCounterTest, Overflow) {
  struct {
    uint64_t pmcr, before, after;
    bool flag;
  } const cases[] = {
      {0, 0xFFFFFFFE, 0xFFFFFFFF, false},
      {0, 0xFFFFFFFF, 0x100000000, true},
      {0, 0x1FFFFFFFF, 0x200000000, true},
      {0, 0x7FFFFFFF, 0x80000000, false},
      {0, 0xFFFFFFFFFFFFFFFF, 0, true},
      {kLc, 0xFFFFFFFF, 0x100000000, false},
      {kLc, 0xFFFFFFFFFFFFFFFE, 0xFFFFFFFFFFFFFFFF, false},
      {kLc, 0xFFFFFFFFFFFFFFFF, 0, true},
      {kLc, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, false},
      {1 << 7, 0xFFFFFFFF, 0x100000000, true},  // LP has no effect
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << std::hex << "PMCR=" << c.pmcr << " " << c.before);
    Build();
    Write(PMUV3_PMCCNTR, c.before);
    CountWith(c.pmcr);
    Cycle();
    EXPECT_EQ(Cycles(), c.after);
    EXPECT_EQ(Read(PMUV3_PMOVSSET), c.flag ? kBitC : 0);
    EXPECT_EQ(Probe().fixed_overflow, c.flag ? 1u : 0u);
  }
}

// With the divider, the counter overflows in the cycle that it counts.
TEST_P(CycleCounterTest, OverflowDivided) {
  Write(PMUV3_PMCCNTR, 0xFFFFFFFF);
  CountWith(kD);
  Run(63);
  EXPECT_EQ(Read(PMUV3_PMOVSSET), 0u);
  Cycle();
  EXPECT_EQ(Read(PMUV3_PMOVSSET), kBitC);
}

// D13.3-1: {PMCR.E, PMOVS.C, PMINTEN.C} decide. HPME and PMCNTEN.C do not.
TEST_P(CycleCounterTest, Irq) {
  for (int setting = 0; setting < 32; setting++) {
    SCOPED_TRACE(setting);
    Reset();
    Write(PMUV3_PMCR, Bit(setting, 0));
    Write(PMUV3_PMOVSSET, Bit(setting, 1) ? kBitC : 0);
    Write(PMUV3_PMINTENSET, Bit(setting, 2) ? kBitC : 0);
    Write(PMUV3_PMCNTENSET, Bit(setting, 3) ? kBitC : 0);
    Write(PMUV3_MDCR_EL2, Bit(setting, 4) << 7);
    EXPECT_EQ(Irq(), (setting & 7) == 7);
  }
}

// ---- Writes (formats.md section 4) ----

// PMCR.C zeroes the cycle counter, and nothing else. The flag stays.
TEST_P(CycleCounterTest, ResetByPmcr) {
  Write(PMUV3_PMCCNTR, 123);
  Write(PMUV3_PMICNTR, 45);
  Write(PMUV3_PMEVCNTRn(0), 67);
  Write(PMUV3_PMOVSSET, kBitC);
  Write(PMUV3_PMCR, kP);
  EXPECT_EQ(Cycles(), 123u);
  EXPECT_EQ(Counter(0), 0u);
  Write(PMUV3_PMEVCNTRn(0), 67);
  Write(PMUV3_PMCR, kC);
  EXPECT_EQ(Cycles(), 0u);
  EXPECT_EQ(Counter(0), 67u);
  EXPECT_EQ(Read(PMUV3_PMICNTR), 45u);
  EXPECT_EQ(Read(PMUV3_PMOVSSET), kBitC);
  EXPECT_EQ(Read(PMUV3_PMCR), 6u << 11);  // C and P read as 0
}

// In the clock of a cycle the write overrides the increment. A new flag stays set.
TEST_P(CycleCounterTest, WriteInCycle) {
  struct {
    const char *what;
    uint16_t reg;
    uint64_t value, after;
    bool flag;
  } const cases[] = {
      {"no effect", PMUV3_PMINTENSET, 0, 0x100000000, true},
      {"PMCCNTR wins", PMUV3_PMCCNTR, 7, 7, true},
      {"PMCR.C wins", PMUV3_PMCR, kC | kE, 0, true},
      {"PMCR.P is not its", PMUV3_PMCR, kP | kE, 0x100000000, true},
      {"PMOVSCLR clears no new flag", PMUV3_PMOVSCLR, kBitC, 0x100000000, true},
      {"PMCNTENCLR acts later", PMUV3_PMCNTENCLR, kBitC, 0x100000000, true},
      {"LC acts later", PMUV3_PMCR, kLc | kE, 0x100000000, true},
      {"PMCCFILTR acts later", PMUV3_PMCCFILTR, Type().P(), 0x100000000, true},
      {"D acts later", PMUV3_PMCR, kD | kE, 0x100000000, true},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.what);
    Build();
    Write(PMUV3_PMCCNTR, 0xFFFFFFFF);
    CountWith(0);
    CycleWriting(c.reg, c.value);
    EXPECT_EQ(Cycles(), c.after);
    EXPECT_EQ(Read(PMUV3_PMOVSSET), c.flag ? kBitC : 0);
  }
}

// ovs_next = (ovs and not clr) or set or new overflow.
TEST_P(CycleCounterTest, FlagWrittenInCycle) {
  struct {
    bool before, overflows;
    uint16_t reg;
    bool after;
  } const cases[] = {
      {false, false, PMUV3_PMOVSCLR, false}, {false, true, PMUV3_PMOVSCLR, true},
      {true, false, PMUV3_PMOVSCLR, false},  {true, true, PMUV3_PMOVSCLR, true},
      {false, false, PMUV3_PMOVSSET, true},  {false, true, PMUV3_PMOVSSET, true},
      {true, false, PMUV3_PMOVSSET, true},   {true, true, PMUV3_PMOVSSET, true},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message()
                 << c.before << c.overflows << (c.reg == PMUV3_PMOVSCLR ? " clear" : " set"));
    Build();
    Write(PMUV3_PMCCNTR, c.overflows ? 0xFFFFFFFF : 0);
    Write(PMUV3_PMOVSSET, c.before ? kBitC : 0);
    CountWith(0);
    CycleWriting(c.reg, kBitC);
    EXPECT_EQ(Read(PMUV3_PMOVSSET), c.after ? kBitC : 0);
  }
}

}  // namespace
}  // namespace pmuv3
