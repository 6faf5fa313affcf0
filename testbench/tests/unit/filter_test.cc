// filter: the counters that may count in a cycle: enabled, not frozen, not prohibited, not filtered
// (D13.5, D13.7). exhaustive/ tests every filter and every prohibition in every state.
#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

class FilterTest : public SideTest {};
PMUV3_ON_BOTH_SIDES(FilterTest);

// RKYBQW: {PMCR.E, MDCR_EL2.HPME, PMCNTEN, allowed in the first range, allowed in the second}.
TEST_P(FilterTest, TableD13_4) {
  struct {
    int e, hpme, enabled, first, second;
  } const rows[] = {
      {0, 0, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 1, 0, 0, 0}, {0, 1, 1, 0, 1},
      {1, 0, 0, 0, 0}, {1, 0, 1, 1, 0}, {1, 1, 0, 0, 0}, {1, 1, 1, 1, 1},
  };
  Build("counters=2");
  for (const auto &row : rows) {
    SCOPED_TRACE(::testing::Message()
                 << "E=" << row.e << " HPME=" << row.hpme << " PMCNTEN=" << row.enabled);
    Write(PMUV3_PMCR, row.e);
    Write(PMUV3_MDCR_EL2, row.hpme << 7 | 1);
    Write(row.enabled ? PMUV3_PMCNTENSET : PMUV3_PMCNTENCLR, 0x3);
    Cycle();
    EXPECT_EQ(Bit(Probe().allowed, 0), row.first);
    EXPECT_EQ(Bit(Probe().allowed, 1), row.second);
  }
}

// The counters that PMCR.E enables: HPMN in range, HPMN reserved (K-HPMN-RES: all counters), and
// without EL2.
TEST_P(FilterTest, Ranges) {
  struct {
    const char *settings;
    int hpmn;
    uint32_t first, second;
  } const cases[] = {
      {"counters=6", 6, 0x3F, 0x00},
      {"counters=6", 5, 0x1F, 0x20},
      {"counters=6", 1, 0x01, 0x3E},
      {"counters=6", 0, 0x00, 0x3F},
      {"counters=6", 7, 0x3F, 0x00},
      {"counters=6", 31, 0x3F, 0x00},
      {"counters=6 features=TH2,PMUv3p9", 0, 0x3F, 0x00},
      {"counters=6 features=TH2,PMUv3p9", 1, 0x01, 0x3E},
      {"counters=6 features=none", 0, 0x3F, 0x00},
      {"counters=6 el2=0", 1, 0x3F, 0x00},
      {"counters=1", 1, 0x1, 0x0},
      {"counters=1", 0, 0x0, 0x1},
      {"counters=31", 31, 0x7FFFFFFF, 0x00000000},
      {"counters=31", 30, 0x3FFFFFFF, 0x40000000},
      {"counters=31", 0, 0x00000000, 0x7FFFFFFF},
      {"counters=30", 31, 0x3FFFFFFF, 0x00000000},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << c.settings << " HPMN=" << c.hpmn);
    Build(c.settings);
    Write(PMUV3_PMCNTENSET, 0x7FFFFFFF);
    Write(PMUV3_MDCR_EL2, c.hpmn);
    Write(PMUV3_PMCR, 1);
    Cycle();
    EXPECT_EQ(Probe().allowed, c.first);
    Write(PMUV3_PMCR, 0);
    Write(PMUV3_MDCR_EL2, 1 << 7 | c.hpmn);
    Cycle();
    EXPECT_EQ(Probe().allowed, c.second);
  }
}

// Each counter's own enable.
TEST_P(FilterTest, EachCounter) {
  Build("counters=31");
  Write(PMUV3_PMCR, 1);
  for (int n = 0; n < 31; n++) {
    Write(PMUV3_PMCNTENSET, UINT64_C(1) << n);
    Cycle();
    EXPECT_EQ(Probe().allowed, UINT32_C(1) << n);
    Write(PMUV3_PMCNTENCLR, UINT64_C(1) << n);
  }
}

// The bits of the cycle counter and the instruction counter do not enable event counters either.
TEST_P(FilterTest, UnimplementedCountersNeverCount) {
  for (int counters : {0, 5, 8, 31}) {
    Build("counters=" + std::to_string(counters));
    Write(PMUV3_PMCNTENSET, ~UINT64_C(0));
    Write(PMUV3_PMCR, 1);
    Write(PMUV3_MDCR_EL2, 1 << 7 | counters / 2);
    Cycle();
    EXPECT_EQ(Probe().allowed, (UINT32_C(1) << counters) - 1);
  }
}

// IQKDTZ: HPME, HPMN and HPMFZO act in every state, also in states without EL2.
TEST_P(FilterTest, RangesInEveryState) {
  Build("counters=3");
  for (int n = 0; n < 3; n++) Write(PMUV3_PMEVTYPERn(n), Type(PMUV3_EVENT_INST_RETIRED).Nsh());
  Write(PMUV3_MDCR_EL3, 1 << 17);  // SPME: nothing is prohibited
  Write(PMUV3_PMCNTENSET, 0x7);
  for (auto pe :
       {Pe(0, PMUV3_NS), Pe(1, PMUV3_NS), Pe(2, PMUV3_NS), Pe(0, PMUV3_S), Pe(1, PMUV3_S),
        Pe(2, PMUV3_S), Pe(0, PMUV3_RL), Pe(1, PMUV3_RL), Pe(2, PMUV3_RL), Pe(3, PMUV3_RT)}) {
    SetPe(pe);
    Write(PMUV3_PMOVSCLR, 0x7);
    Write(PMUV3_PMCR, 0);
    Write(PMUV3_MDCR_EL2, 1 << 7 | 1);
    Cycle();
    EXPECT_EQ(Probe().allowed, 0x6u);
    Write(PMUV3_MDCR_EL2, 1 << 29 | 1 << 7 | 1);
    Write(PMUV3_PMOVSSET, 0x2);
    Cycle();
    EXPECT_EQ(Probe().allowed, 0x0u);
  }
}

// ---- Freeze on overflow (D.5) ----

// Counters 0 and 1 in the first range, 2 and 3 in the second.
TEST_P(FilterTest, Freeze) {
  constexpr uint64_t kBitC = UINT64_C(1) << 31, kBitF0 = UINT64_C(1) << 32;
  struct {
    int fzo, hpmfzo;
    uint64_t flags;
    uint64_t sync;  // counters with SYNC = 1
    bool f0_sync;   // PMICFILTR.SYNC
    uint32_t allowed;
  } const cases[] = {
      {0, 0, kBitF0 | kBitC | 0xF, 0x0, false, 0xF},
      {1, 1, 0x0, 0x0, false, 0xF},
      {1, 0, 0x1, 0x0, false, 0xC},
      {1, 0, 0x2, 0x0, false, 0xC},
      {1, 0, 0x4, 0x0, false, 0xF},  // flags of the second range do not freeze the first
      {1, 0, 0xC, 0x0, false, 0xF},
      {0, 1, 0x4, 0x0, false, 0x3},
      {0, 1, 0x8, 0x0, false, 0x3},
      {0, 1, 0x3, 0x0, false, 0xF},
      {1, 1, 0x1, 0x0, false, 0xC},
      {1, 1, 0x8, 0x0, false, 0x3},
      {1, 1, 0x5, 0x0, false, 0x0},
      {1, 0, kBitF0, 0x0, false, 0xC},
      {0, 1, kBitF0, 0x0, false, 0xF},
      {1, 1, kBitF0, 0x0, true, 0xF},
      {1, 1, kBitC, 0x0, false, 0xF},  // PMOVS.C never freezes
      {1, 1, 0x1, 0x1, false, 0xF},    // IDKYFT: a synchronous counter freezes nothing,
      {1, 1, 0x3, 0x1, false, 0xC},    // and is frozen as any other counter
      {1, 1, 0xC, 0x4, false, 0x3},
      {1, 1, 0xC, 0xC, false, 0xF},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message()
                 << "FZO=" << c.fzo << " HPMFZO=" << c.hpmfzo << std::hex << " PMOVS=" << c.flags
                 << " SYNC=" << c.sync << " F0's SYNC=" << c.f0_sync);
    Build("counters=4");
    for (int n = 0; n < 4; n++)
      Write(PMUV3_PMEVTYPERn(n), Type(PMUV3_EVENT_INST_RETIRED).Sync(Bit(c.sync, n)));
    Write(PMUV3_PMICFILTR, Type().Sync(c.f0_sync));
    Write(PMUV3_PMOVSSET, c.flags);
    Write(PMUV3_PMCNTENSET, 0xF);
    Write(PMUV3_MDCR_EL2, static_cast<uint64_t>(c.hpmfzo) << 29 | 1 << 7 | 2);
    Write(PMUV3_PMCR, c.fzo << 9 | 1);
    Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
    EXPECT_EQ(Probe().allowed, c.allowed);
    for (int n = 0; n < 4; n++) EXPECT_EQ(Probe().VB[n], Bit(c.allowed, n)) << n;
  }
}

// CYC-3, CHAIN-7: the flags at the start of the cycle decide. All of the cycle counts, CHAIN too,
// and nothing after.
TEST_P(FilterTest, FreezeFromTheNextCycleOn) {
  Build("counters=4");
  for (int n : {0, 2, 3}) Write(PMUV3_PMEVTYPERn(n), Type(PMUV3_EVENT_INST_RETIRED));
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_CHAIN));
  Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF);
  Write(PMUV3_PMCNTENSET, 0xF);
  Write(PMUV3_PMCR, 1 << 9 | 1);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 2}});
  EXPECT_EQ(Probe().allowed, 0xFu);
  EXPECT_EQ(Counter(0), 0x100000001u);
  EXPECT_EQ(Counter(1), 1u);
  EXPECT_EQ(Counter(3), 2u);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 2}});
  EXPECT_EQ(Probe().allowed, 0x0u);
  EXPECT_EQ(Counter(3), 2u);
  CycleWriting(PMUV3_PMOVSCLR, 0x1, {{PMUV3_EVENT_INST_RETIRED, 2}});
  EXPECT_EQ(Counter(3), 2u);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 2}});
  EXPECT_EQ(Counter(3), 4u);
}

// ICTDHP: a counter with SYNC = 1 counts only sync-capable events. Without SEBEP SYNC is RES0.
TEST_P(FilterTest, SynchronousMode) {
  struct {
    uint64_t event;
    int counts;
  } const cases[] = {{0x0000, 1}, {0x0008, 1}, {0x811F, 1}, {0x0004, 0}, {0x0009, 0},
                     {0x0011, 0}, {0x001E, 0}, {0x003C, 0}, {0x0007, 0}, {0xFFFF, 0}};
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << std::hex << c.event);
    for (uint64_t sync : {0, 1}) {
      Build("counters=1");
      Write(PMUV3_PMEVTYPERn(0), c.event | Type().Sync(sync));
      Enable(0x1);
      Cycle();
      EXPECT_EQ(Bit(Probe().allowed, 0), sync ? c.counts : 1);
    }
    Build("counters=1 features=PMUv3p9");
    Write(PMUV3_PMEVTYPERn(0), c.event | Type().Sync());
    Enable(0x1);
    Cycle();
    EXPECT_EQ(Bit(Probe().allowed, 0), 1);
  }
}

// ---- States ----

// D13.10-1, and D13.7-2: a change of state affects the whole next cycle.
TEST_P(FilterTest, StateOfTheCycle) {
  Build("counters=2");
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).P());
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_INST_RETIRED).U());
  Enable(0x3);
  struct {
    Pe pe;
    uint32_t allowed;
  } const cases[] = {
      {Pe(0, PMUV3_NS), 0x1},
      {Pe(1, PMUV3_NS), 0x2},
      {Pe(2, PMUV3_NS), 0x0},
      {Pe(0, PMUV3_S), 0x0},
      {Pe(0, PMUV3_NS).Halted(), 0x0},
      {Pe(0, PMUV3_NS).Wfx(), 0x1},
      {Pe(0, PMUV3_NS).Active(false), 0x1},
  };
  for (const auto &c : cases) {
    SetPe(c.pe);
    Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
    EXPECT_EQ(Probe().allowed, c.allowed);
    for (int n : {0, 1}) EXPECT_EQ(Probe().VB[n], Bit(c.allowed, n)) << n;
  }
}

// formats.md section 4: the registers before the write decide the cycle.
TEST_P(FilterTest, WrittenInCycle) {
  struct {
    uint16_t reg;
    uint64_t value;
    int in_cycle, after;
  } const cases[] = {
      {PMUV3_PMCNTENCLR, 0x1, 1, 0},
      {PMUV3_PMCR, 0x0, 1, 0},
      {PMUV3_MDCR_EL2, 0x0, 1, 0},  // HPMN = 0: into the second range, HPME = 0
      {PMUV3_MDCR_EL2, 0x80, 1, 1},
      {PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).P(), 1, 0},
      {PMUV3_PMEVTYPERn_AA32(0), Type(PMUV3_EVENT_INST_RETIRED).P(), 1, 0},
      {PMUV3_HDCR, 0x0, 1, 0},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << std::hex << c.reg << "=" << c.value);
    Build();
    Enable(0x1);
    CycleWriting(c.reg, c.value);
    EXPECT_EQ(Bit(Probe().allowed, 0), c.in_cycle);
    Cycle();
    EXPECT_EQ(Bit(Probe().allowed, 0), c.after);
  }
}

}  // namespace
}  // namespace pmuv3
