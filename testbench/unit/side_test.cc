// side: what holds for every implementation of a side, whatever it counts.
#include <cstring>

#include "testbench/unit/side_test.h"

namespace pmuv3 {
namespace {

void ExpectEqual(const pmuv3_probe &a, const pmuv3_probe &b) {
#define PMUV3_PROBE_BITS(field, name) EXPECT_EQ(a.field, b.field) << name;
#define PMUV3_PROBE_GLOBAL(field, name) EXPECT_EQ(a.field, b.field) << name;
#define PMUV3_PROBE_LANES(field, name) \
  for (int n = 0; n < PMUV3_LANES; n++) EXPECT_EQ(a.field[n], b.field[n]) << name << " " << n;
#define PMUV3_PROBE_COUNTERS(field, name) \
  for (int n = 0; n < PMUV3_LANES; n++) EXPECT_EQ(a.field[n], b.field[n]) << name << " " << n;
#include "pmuv3/probe.def"
}

class OneSideTest : public SideTest {
 protected:
  // Leaves nothing in any register or value as a reset makes it.
  void Disturb() {
    for (int n = 0; n < params().counters; n++) {
      Write(PMUV3_PMEVTYPERn(n),
            Type(n % 2 ? PMUV3_EVENT_CHAIN : PMUV3_EVENT_INST_RETIRED).Tc(5).Te(1).Tlc(2).Th(1));
      Write(PMUV3_PMEVCNTRn(n), 0xFFFFFFFFFFFFFFFF);
    }
    Write(PMUV3_PMINTENSET, 0x7FFFFFFF);
    Write(PMUV3_PMOVSSET, 0x7FFFFFFF);
    Write(PMUV3_PMCNTENSET, 0x7FFFFFFF);
    Write(PMUV3_MDCR_EL2, 0x4000081);
    Write(PMUV3_PMCR, 0x81);
    Cycle({{PMUV3_EVENT_INST_RETIRED, 5}});
    Write(PMUV3_PMSWINC, 0x7FFFFFFF);
  }

  // After a reset counts VB != 0 edges and SW_INCR: shows CP and pending increments.
  void ExpectFresh() {
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).Tc(0b001).Te(1));
    Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_SW_INCR));
    Enable(0x3);
    Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
    EXPECT_EQ(Bit(Probe().CP, 0), 0);
    EXPECT_EQ(Probe().V[0], 1);
    EXPECT_EQ(Probe().VB[1], 0);
  }
};
PMUV3_ON_BOTH_SIDES(OneSideTest);

// formats.md, Start: 0 everywhere, but for HPMN, PMCR.N and what describes the implementation.
TEST_P(OneSideTest, StartsAsReset) {
  pmuv3_probe expected = {};
  expected.pmcr = 6 << 11;
  expected.mdcr_el2 = 6;
  expected.pmmir = 0x12C00008;
  expected.pmceid0 = 0x50070F11;
  expected.pmceid1 = 0xF0000018;
  ExpectEqual(Probe(), expected);
  EXPECT_FALSE(Irq());
  ExpectFresh();
}

TEST_P(OneSideTest, Reset) {
  for (const char *settings :
       {"", "counters=31", "counters=2 el3=0 features=TH2,PMUv3p5", "counters=3 features=none"}) {
    SCOPED_TRACE(settings);
    Build(settings);
    const pmuv3_probe start = Probe();
    Disturb();
    EXPECT_NE(Read(PMUV3_PMOVSSET), 0u);
    Reset();
    ExpectEqual(Probe(), start);
    EXPECT_FALSE(Irq());
    ExpectFresh();
  }
}

// D13.6-8: MTPME is 1 after a Cold reset, and a Warm one leaves it as it is.
TEST_P(OneSideTest, WarmResetKeepsMTPME) {
  const uint64_t kMtpme = uint64_t{1} << 28;
  Build("counters=4 el3=0");
  EXPECT_EQ(Read(PMUV3_MDCR_EL2), kMtpme | 4);
  Write(PMUV3_MDCR_EL2, 1);
  Reset();
  EXPECT_EQ(Read(PMUV3_MDCR_EL2), 4u);
  Write(PMUV3_MDCR_EL2, kMtpme);
  Reset();
  EXPECT_EQ(Read(PMUV3_MDCR_EL2), kMtpme | 4);
}

// A probe fills every byte, so that probes can be compared as memory.
TEST_P(OneSideTest, ProbeFillsEveryByte) {
  pmuv3_probe zeros, ones;
  std::memset(&zeros, 0x00, sizeof zeros);
  std::memset(&ones, 0xFF, sizeof ones);
  Disturb();
  pmuv3_side_probe(side(), &zeros);
  pmuv3_side_probe(side(), &ones);
  EXPECT_EQ(std::memcmp(&zeros, &ones, sizeof zeros), 0);
}

// Lanes beyond the implemented counters are 0, whatever is written.
TEST_P(OneSideTest, UnimplementedLanesAreZero) {
  for (const char *settings :
       {"counters=0", "counters=1", "counters=5", "counters=8", "counters=9", "counters=31"}) {
    SCOPED_TRACE(settings);
    Build(settings);
    Disturb();
    const pmuv3_probe probe = Probe();
    for (int n = params().counters; n < PMUV3_LANES; n++) {
#define PMUV3_PROBE_BITS(field, name) EXPECT_EQ(Bit(probe.field, n), 0) << name << " " << n;
#define PMUV3_PROBE_LANES(field, name) EXPECT_EQ(probe.field[n], 0) << name << " " << n;
#define PMUV3_PROBE_COUNTERS(field, name) EXPECT_EQ(probe.field[n], 0u) << name << " " << n;
#include "pmuv3/probe.def"
    }
  }
}

TEST_P(OneSideTest, NoCounters) {
  Build("counters=0");
  Cycle({{PMUV3_EVENT_INST_RETIRED, 255}});
  EXPECT_EQ(Probe().allowed, 0u);
  EXPECT_EQ(Read(PMUV3_PMCR), 0u);
  EXPECT_FALSE(Irq());
}

// Reads and probes have no side effects, and with the strobe low the last cycle's values stand.
TEST_P(OneSideTest, LookingChangesNothing) {
  Disturb();
  const pmuv3_probe before = Probe();
  for (int n = 0; n < params().counters; n++) {
    Read(PMUV3_PMEVCNTRn(n));
    Read(PMUV3_PMEVTYPERn(n));
  }
  for (int reg : {PMUV3_PMCR, PMUV3_PMOVSSET, PMUV3_PMOVSCLR, PMUV3_PMINTENCLR, PMUV3_PMCNTENCLR})
    Read(static_cast<uint16_t>(reg));
  uint64_t value;
  TryRead(PMUV3_PMSWINC, &value);
  TryRead(0x0000, &value);
  Irq();
  ExpectEqual(Probe(), before);
}

TEST_P(OneSideTest, ValuesOfLastCycleStandBetweenCycles) {
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).Tc(0b101).Th(2));
  Enable(0x1);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 3}});
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_L1D_CACHE).Tc(0b111).Th(2));
  Write(PMUV3_PMCNTENCLR, 0x1);
  Write(PMUV3_PMEVCNTRn(0), 99);
  const pmuv3_probe probe = Probe();
  EXPECT_EQ(Bit(probe.allowed, 0), 1);
  EXPECT_EQ(probe.VB[0], 3);
  EXPECT_EQ(Bit(probe.CT, 0), 1);
  EXPECT_EQ(Bit(probe.CP, 0), 0);
  EXPECT_EQ(Bit(probe.CE, 0), 1);
  EXPECT_EQ(probe.VT[0], 1);
  EXPECT_EQ(probe.VE[0], 1);
  EXPECT_EQ(probe.V[0], 1);
  EXPECT_EQ(probe.value[0], 99u);  // as it is now
  EXPECT_EQ(probe.cnten, 0u);
}

// Two sides of the same kind share nothing.
TEST_P(OneSideTest, SidesAreIndependent) {
  const pmuv3_probe start = Probe();
  pmuv3_side *other = GetParam().create(&params());
  ASSERT_NE(other, nullptr);
  Disturb();
  pmuv3_probe probe;
  pmuv3_side_probe(other, &probe);
  ExpectEqual(probe, start);
  pmuv3_side_destroy(other);
}

TEST(SideNamesTest, Names) {
  const pmuv3_params params = Params();
  pmuv3_side *cmodel = pmuv3_side_cmodel(&params), *rtl = pmuv3_side_rtl(&params, 1);
  EXPECT_STREQ(cmodel->ops->name, "cmodel");
  EXPECT_STREQ(rtl->ops->name, "rtl");
  for (const pmuv3_side *side : {cmodel, rtl}) {
    EXPECT_EQ(side->params.counters, params.counters);
    EXPECT_EQ(side->params.features, params.features);
  }
  pmuv3_side_destroy(cmodel);
  pmuv3_side_destroy(rtl);
  pmuv3_side_destroy(nullptr);
}

// Whatever the RTL's reset leaves out would start at random, differently for each seed.
TEST(RtlSideTest, ResetLeavesNothingToChance) {
  for (const char *settings : {"counters=1", "counters=6", "counters=8", "counters=31"}) {
    SCOPED_TRACE(settings);
    const pmuv3_params params = Params(settings);
    pmuv3_side *first = pmuv3_side_rtl(&params, 1);
    pmuv3_probe expected;
    pmuv3_side_probe(first, &expected);
    for (uint32_t x_seed = 2; x_seed < 12; x_seed++) {
      SCOPED_TRACE(x_seed);
      pmuv3_side *side = pmuv3_side_rtl(&params, x_seed);
      pmuv3_probe probe;
      pmuv3_side_probe(side, &probe);
      ExpectEqual(probe, expected);
      // Any hidden state (CP, pending increments) would show when it counts.
      for (pmuv3_side *each : {first, side}) {
        pmuv3_side_reset(each);
        pmuv3_side_write(each, PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_SW_INCR));
        pmuv3_side_write(each, PMUV3_PMCNTENSET, 1);
        pmuv3_side_write(each, PMUV3_PMCR, 1);
        const pmuv3_cycle cycle = {};
        pmuv3_side_cycle(each, &cycle);
      }
      pmuv3_probe counted, expected_counted;
      pmuv3_side_probe(first, &expected_counted);
      pmuv3_side_probe(side, &counted);
      ExpectEqual(counted, expected_counted);
      EXPECT_EQ(counted.VB[0], 0);
      EXPECT_EQ(counted.CP, 0u);
      pmuv3_side_destroy(side);
      pmuv3_side_reset(first);
    }
    pmuv3_side_destroy(first);
  }
}

}  // namespace
}  // namespace pmuv3
