// filter: which counters may count in a cycle (D13.5, Table D13-4).
#include "testbench/unit/side_test.h"

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

// Which counters PMCR.E enables, for HPMN in range, reserved (K-HPMN-RES: acts as all), and without
// EL2.
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

TEST_P(FilterTest, UnimplementedCountersNeverCount) {
  Build("counters=5");
  Enable(0x7FFFFFFF);
  Cycle();
  EXPECT_EQ(Probe().allowed, 0x1Fu);
}

// formats.md section 4: the cycle is evaluated with the registers as they were before its write.
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
