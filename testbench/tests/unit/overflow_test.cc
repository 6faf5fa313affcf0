// overflow: PMOVS and PMUIRQ (D13.3).
#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

class OverflowTest : public SideTest {
 protected:
  // Writes PMCCR in the external view from the most secure address space.
  void WritePmccr(int value) {
    EXPECT_TRUE(pmuv3_side_external_write(side(), 0, PMUV3_S, 0xE58, static_cast<uint32_t>(value)));
  }
};
PMUV3_ON_BOTH_SIDES(OverflowTest);

// RQZJKS, CYC-4: {features, LP, HLP, before, V, overflow in the first range, in the second}.
TEST_P(OverflowTest, Width) {
  struct {
    const char *features;
    int lp, hlp;
    uint64_t before;
    int v, first, second;
  } const cases[] = {
      {"PMUv3p5", 0, 0, 0xFFFFFFFE, 1, 0, 0},
      {"PMUv3p5", 0, 0, 0xFFFFFFFF, 1, 1, 1},
      {"PMUv3p5", 0, 0, 0xFFFFFFFF, 0, 0, 0},
      {"PMUv3p5", 0, 0, 0xFFFFFF01, 255, 1, 1},
      {"PMUv3p5", 0, 0, 0xFFFFFF00, 255, 0, 0},
      {"PMUv3p5", 0, 0, 0x7FFFFFFF, 1, 0, 0},
      {"PMUv3p5", 0, 0, 0x100000000, 255, 0, 0},
      {"PMUv3p5", 0, 0, 0x1FFFFFFFF, 1, 1, 1},
      {"PMUv3p5", 0, 0, 0xFFFFFFFFFFFFFFFF, 1, 1, 1},
      {"PMUv3p5", 1, 0, 0xFFFFFFFF, 1, 0, 1},
      {"PMUv3p5", 0, 1, 0xFFFFFFFF, 1, 1, 0},
      {"PMUv3p5", 1, 1, 0xFFFFFFFF, 1, 0, 0},
      {"PMUv3p5", 1, 1, 0xFFFFFFFFFFFFFFFE, 1, 0, 0},
      {"PMUv3p5", 1, 1, 0xFFFFFFFFFFFFFFFF, 1, 1, 1},
      {"PMUv3p5", 1, 1, 0xFFFFFFFFFFFFFF01, 255, 1, 1},
      {"PMUv3p5", 1, 1, 0x7FFFFFFFFFFFFFFF, 1, 0, 0},
      {"PMUv3p4", 1, 1, 0xFFFFFFFF, 1, 1, 1},  // LP and HLP are RES0
      {"PMUv3p4", 0, 0, 0xFFFFFFFF, 1, 1, 1},
      {"PMUv3p4", 0, 0, 0xFFFFFFFE, 1, 0, 0},
      {"PMUv3p9 aa64=0", 1, 1, 0xFFFFFFFF, 1, 1, 1},  // LP and HLP are RES0
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << c.features << " LP=" << c.lp << " HLP=" << c.hlp << " "
                                      << std::hex << c.before << " + " << c.v);
    Build(std::string("counters=2 features=") + c.features);
    for (int n : {0, 1}) {
      Write(PMUV3_PMEVTYPERn(n), Type(PMUV3_EVENT_INST_RETIRED));
      Write(PMUV3_PMEVCNTRn(n), c.before);
    }
    Write(PMUV3_MDCR_EL2, static_cast<uint64_t>(c.hlp) << 26 | 1 << 7 | 1);
    Write(PMUV3_PMCNTENSET, 0x3);
    Write(PMUV3_PMCR, c.lp << 7 | 1);
    Cycle({{PMUV3_EVENT_INST_RETIRED, c.v}});
    EXPECT_EQ(Read(PMUV3_PMOVSSET), static_cast<uint64_t>(c.second << 1 | c.first));
    EXPECT_EQ(Probe().overflow, static_cast<uint32_t>(c.second << 1 | c.first));
  }
}

// formats.md section 4: ovs_next = (ovs and not clr) or set or new overflows, here for counter 0.
TEST_P(OverflowTest, WriteInCycle) {
  struct {
    int before, overflows;
    uint16_t reg;
    int after;
  } const cases[] = {
      {0, 0, PMUV3_PMOVSCLR, 0},   {0, 1, PMUV3_PMOVSCLR, 1}, {1, 0, PMUV3_PMOVSCLR, 0},
      {1, 1, PMUV3_PMOVSCLR, 1},   {0, 0, PMUV3_PMOVSSET, 1}, {0, 1, PMUV3_PMOVSSET, 1},
      {1, 0, PMUV3_PMOVSSET, 1},   {1, 1, PMUV3_PMOVSSET, 1}, {0, 1, PMUV3_PMINTENSET, 1},
      {1, 0, PMUV3_PMINTENSET, 1},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << "before " << c.before << " overflows " << c.overflows
                                      << " writes " << std::hex << c.reg);
    Build();
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
    Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF);
    Write(PMUV3_PMOVSSET, c.before);
    Enable(0x1);
    CycleWriting(c.reg, 0x1, {{PMUV3_EVENT_INST_RETIRED, c.overflows}});
    EXPECT_EQ(Bit(Probe().overflow, 0), c.after);
  }
}

// D13.3-1: global enable, PMOVS and PMINTEN raise PMUIRQ and the CTI trigger. PMCNTEN does not
// matter. Every setting of one counter in each range.
TEST_P(OverflowTest, Irq) {
  Build("counters=2");
  for (int setting = 0; setting < 256; setting++) {
    const int e = Bit(setting, 0), hpme = Bit(setting, 1), enabled = Bit(setting, 2) ? 0x3 : 0x0;
    const int inten = setting >> 4 & 3, ovs = setting >> 6 & 3;
    SCOPED_TRACE(::testing::Message() << "E=" << e << " HPME=" << hpme << " PMCNTEN=" << enabled
                                      << " PMINTEN=" << inten << " PMOVS=" << ovs);
    Reset();
    Write(PMUV3_PMCR, e);
    Write(PMUV3_MDCR_EL2, hpme << 7 | 1);
    Write(PMUV3_PMCNTENSET, enabled);
    Write(PMUV3_PMINTENSET, inten);
    Write(PMUV3_PMOVSSET, ovs);
    const bool first = e && Bit(inten, 0) && Bit(ovs, 0);
    const bool second = hpme && Bit(inten, 1) && Bit(ovs, 1);
    EXPECT_EQ(Irq(), first || second);
    EXPECT_EQ(Cti(), first || second);
    EXPECT_EQ(Probe().irq, first || second ? 1u : 0u);
    EXPECT_EQ(Probe().cti, first || second ? 1u : 0u);
  }
}

// Every counter can raise PMUIRQ: the event counters, C, F0.
TEST_P(OverflowTest, IrqOfEachCounter) {
  Build("counters=31");
  Write(PMUV3_PMCR, 1);
  for (int n = 0; n < 33; n++) {
    const uint64_t bit = UINT64_C(1) << n;
    Write(PMUV3_PMINTENSET, bit);
    EXPECT_FALSE(Irq()) << n;
    Write(PMUV3_PMOVSSET, bit);
    EXPECT_TRUE(Irq() && Cti()) << n;
    Write(PMUV3_PMINTENCLR, bit);
    EXPECT_FALSE(Irq() || Cti()) << n;
    Write(PMUV3_PMOVSCLR, bit);
  }
}

// PMUIRQ is a level: it follows the current registers, up with the overflow and down with the
// clear.
TEST_P(OverflowTest, IrqIsALevel) {
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
  Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF);
  Write(PMUV3_PMINTENSET, 0x1);
  Enable(0x1);
  EXPECT_FALSE(Irq());
  Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
  EXPECT_TRUE(Irq());
  Cycle();
  EXPECT_TRUE(Irq());
  Write(PMUV3_PMCR, 0);
  EXPECT_FALSE(Irq());
  Write(PMUV3_PMCR, 1);
  EXPECT_TRUE(Irq());
  CycleWriting(PMUV3_PMOVSCLR, 0x1);
  EXPECT_FALSE(Irq());
}

// With a reserved HPMN (K-HPMN-RES), and without EL2, PMCR.E is the global enable of every counter.
TEST_P(OverflowTest, IrqRanges) {
  for (const char *settings : {"counters=2", "counters=2 el2=0"}) {
    SCOPED_TRACE(settings);
    Build(settings);
    Write(PMUV3_MDCR_EL2, 31);
    Write(PMUV3_PMINTENSET, 0x2);
    Write(PMUV3_PMOVSSET, 0x2);
    EXPECT_FALSE(Irq());
    Write(PMUV3_PMCR, 1);
    EXPECT_TRUE(Irq());
  }
}

// DXWVNH, IVQXCB: PMCCR.EPME enables R3, for every HPMN and EPMN of three counters. Each has a flag
// in turn.
TEST_P(OverflowTest, IrqOfThirdRange) {
  Build("counters=3 features=PMUv3p9,EXTPMN");
  Write(PMUV3_PMINTENSET, 0x7);
  for (int hpmn = 0; hpmn <= 3; hpmn++)
    for (int epmn = 0; epmn <= 3; epmn++)
      for (int n = 0; n < 3; n++)
        for (int enables = 0; enables < 8; enables++) {
          SCOPED_TRACE(::testing::Message() << "HPMN " << hpmn << " EPMN " << epmn << " counter "
                                            << n << " {EPME, HPME, E} " << enables);
          WritePmccr(3);
          Write(PMUV3_PMOVSCLR, 0x7);
          Write(PMUV3_PMOVSSET, 1 << n);
          Write(PMUV3_PMCR, Bit(enables, 0));
          Write(PMUV3_MDCR_EL2, Bit(enables, 1) << 7 | hpmn);
          WritePmccr(Bit(enables, 2) << 7 | epmn);
          const int range = n >= epmn ? 2 : n >= hpmn ? 1 : 0;
          EXPECT_EQ(Irq(), Bit(enables, range) == 1);
          EXPECT_EQ(Cti(), Bit(enables, range) == 1);
        }
}

// RQZJKS, CHAIN-3: a counter in R3 overflows at bit 63, whatever LP and HLP are, and raises no
// CHAIN.
TEST_P(OverflowTest, WidthOfThirdRange) {
  for (int setting = 0; setting < 4; setting++)
    for (const bool wide : {false, true}) {
      SCOPED_TRACE(::testing::Message() << "LP, HLP " << setting << " all of 64 bits " << wide);
      Build("counters=2 features=PMUv3p9,EXTPMN");
      Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
      Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_CHAIN));
      Write(PMUV3_PMEVCNTRn(0), wide ? ~UINT64_C(0) : 0xFFFFFFFF);
      Write(PMUV3_PMCNTENSET, 0x3);
      Write(PMUV3_MDCR_EL2, static_cast<uint64_t>(Bit(setting, 1)) << 26 | 1 << 7);
      Write(PMUV3_PMCR, Bit(setting, 0) << 7 | 1);
      WritePmccr(1 << 7);  // EPME, EPMN = 0
      Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
      EXPECT_EQ(Probe().overflow, wide ? 0x1u : 0u);
      EXPECT_EQ(Probe().value[0], wide ? 0 : UINT64_C(0x100000000));
      EXPECT_EQ(Probe().value[1], 0u);
    }
}

// Counters of 32 bits in R3 overflow at bit 31, and raise no CHAIN (RBHFSF).
TEST_P(OverflowTest, WidthOfThirdRangeOf32Bits) {
  for (int epmn = 0; epmn < 2; epmn++) {
    SCOPED_TRACE(epmn);
    Build("counters=2 features=PMUv3p4,EXTPMN");
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
    Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_CHAIN));
    Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF);
    Write(PMUV3_PMCNTENSET, 0x3);
    Write(PMUV3_MDCR_EL2, 1 << 7);  // HPME, HPMN = 0: counter 0 is R2 or R3
    WritePmccr(1 << 7 | epmn);      // EPME
    Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
    EXPECT_EQ(Probe().overflow, 0x1u);
    EXPECT_EQ(Probe().value[0], 0u);
    EXPECT_EQ(Probe().value[1], 0u);
  }
}

// ---- Pulses ----

// A pulse is of the cycle in which a counter overflows, whatever its flag is.
TEST_P(OverflowTest, Pulses) {
  Build("counters=4 features=ICNTR");
  EXPECT_EQ(Pulses(), 0u);
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_CHAIN));
  Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF);
  Write(PMUV3_PMEVCNTRn(1), 0xFFFFFFFF);
  Write(PMUV3_PMEVTYPERn(2), Type(PMUV3_EVENT_INST_RETIRED));
  Write(PMUV3_PMCCNTR, ~UINT64_C(0));
  Write(PMUV3_PMICNTR, ~UINT64_C(0));
  Write(PMUV3_PMCR, PMUV3_MASK(PMCR, LC));
  Write(PMUV3_PMCNTENSET, 0x180000007);
  Write(PMUV3_PMCR, PMUV3_MASK(PMCR, LC) | PMUV3_MASK(PMCR, E));
  Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
  EXPECT_EQ(Pulses(), 0x180000003u);
  EXPECT_EQ(Probe().pulses, 0x180000003u);
  Write(PMUV3_PMOVSCLR, ~UINT64_C(0));
  EXPECT_EQ(Pulses(), 0x180000003u) << "of the last cycle still";
  Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
  EXPECT_EQ(Pulses(), 0u);
}

// Exactly the counters whose flag the counting set or would have set: also where the flag was 1,
// and where a write of the clock clears the flag, or sets that of another counter.
TEST_P(OverflowTest, PulsesWhateverTheFlags) {
  const struct {
    bool was_set;
    uint16_t reg;
    uint64_t value;
  } cases[] = {
      {false, PMUV3_PMSELR, 0},   {true, PMUV3_PMSELR, 0},    {true, PMUV3_PMOVSCLR, 1},
      {false, PMUV3_PMOVSCLR, 1}, {false, PMUV3_PMOVSSET, 2}, {false, PMUV3_PMEVCNTRn(0), 5},
      {false, PMUV3_PMCR, 0b11},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << c.was_set << " " << c.reg);
    Build("counters=2");
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
    Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF);
    if (c.was_set) Write(PMUV3_PMOVSSET, 1);
    Enable(1);
    CycleWriting(c.reg, c.value, {{PMUV3_EVENT_INST_RETIRED, 1}});
    EXPECT_EQ(Pulses(), 1u);
  }
}

TEST_P(OverflowTest, AResetEndsPulses) {
  Build("counters=2");
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
  Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF);
  Enable(1);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
  ASSERT_EQ(Pulses(), 1u);
  Reset();
  EXPECT_EQ(Pulses(), 0u);
  EXPECT_EQ(Probe().pulses, 0u);
}

}  // namespace
}  // namespace pmuv3
