// side: rules of every implementation of a side, whatever it counts.
#include <cstring>

#include "testbench/cosim/stimulus/random.h"
#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

void ExpectEqual(const pmuv3_probe &a, const pmuv3_probe &b) {
#define PMUV3_PROBE_BITS(field, name, owner) EXPECT_EQ(a.field, b.field) << name;
#define PMUV3_PROBE_GLOBAL(field, name, owner) EXPECT_EQ(a.field, b.field) << name;
#define PMUV3_PROBE_LANES(field, name, owner) \
  for (int n = 0; n < PMUV3_LANES; n++) EXPECT_EQ(a.field[n], b.field[n]) << name << " " << n;
#define PMUV3_PROBE_COUNTERS(field, name, owner) \
  for (int n = 0; n < PMUV3_LANES; n++) EXPECT_EQ(a.field[n], b.field[n]) << name << " " << n;
#include "pmuv3/probe.def"
}

class OneSideTest : public SideTest {
 protected:
  // Makes every register and value of every thread differ from its reset value.
  void Disturb() {
    for (unsigned t = 0; t < params().threads; t++) DisturbThread(t);
    Cycle({{PMUV3_EVENT_INST_RETIRED, 5}});
    for (unsigned t = 0; t < params().threads; t++) Write(t, PMUV3_PMSWINC, 0x7FFFFFFF);
  }

  // Counts VB != 0 edges and SW_INCR after a reset, which shows CP and waiting increments.
  void ExpectFresh(unsigned thread = 0) {
    Write(thread, PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).Tc(0b001).Te(1));
    Write(thread, PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_SW_INCR));
    Enable(thread, 0x3);
    Cycle({Occurrence(PMUV3_EVENT_INST_RETIRED, 1).On(thread)});
    EXPECT_EQ(Bit(Probe(thread).CP, 0), 0);
    EXPECT_EQ(Probe(thread).V[0], 1);
    EXPECT_EQ(Probe(thread).VB[1], 0);
  }

 private:
  void DisturbThread(unsigned t) {
    for (int n = 0; n < params().counters; n++) {
      Write(t, PMUV3_PMEVTYPERn(n),
            Type(n % 2 ? PMUV3_EVENT_CHAIN : PMUV3_EVENT_INST_RETIRED).Tc(5).Te(1).Tlc(2).Th(1));
      Write(t, PMUV3_PMEVCNTRn(n), kOnes);
    }
    Write(t, PMUV3_PMINTENSET, kOnes);
    Write(t, PMUV3_PMOVSSET, kOnes);
    Write(t, PMUV3_PMCNTENSET, kOnes);
    Write(t, PMUV3_PMCCNTR, kOnes - 1);
    Write(t, PMUV3_PMCCFILTR, Type().U());
    TryWrite(t, PMUV3_PMICNTR, kOnes - 1);  // refused without ICNTR
    TryWrite(t, PMUV3_PMICFILTR, Type().U());
    Write(t, PMUV3_MDCR_EL2, 0x4000081);
    Write(t, PMUV3_MDCR_EL3, PMUV3_MASK(MDCR_EL3, MTPME) | PMUV3_MASK(MDCR_EL3, SPME));
    Write(t, PMUV3_SDER32_EL3, kOnes);
    Write(t, PMUV3_PMCR, 0x89);
  }

  static constexpr uint64_t kOnes = 0xFFFFFFFFFFFFFFFF;
};
PMUV3_ON_BOTH_SIDES(OneSideTest);

// formats.md, Start: everything is 0, except HPMN, PMCR.N, MTPME and the registers that describe
// the implementation.
TEST_P(OneSideTest, StartsAsReset) {
  Build("threads=4");
  pmuv3_probe expected = {};
  expected.pmcr = 6 << 11;
  expected.mdcr_el2 = 6;
  expected.mdcr_el3 = PMUV3_MASK(MDCR_EL3, MTPME);
  expected.pmicfiltr = 0x0008;
  expected.pmmir = 0x12C00008;
  expected.pmceid0 = 0x0F0F5E7FFFFFFFFF;
  expected.pmceid1 = 0x77FFFFFFFF;
  for (unsigned t = 0; t < params().threads; t++) {
    SCOPED_TRACE(t);
    ExpectEqual(Probe(t), expected);
    EXPECT_FALSE(Irq(t));
  }
  for (unsigned t = 0; t < params().threads; t++) ExpectFresh(t);
}

TEST_P(OneSideTest, Reset) {
  for (const char *settings :
       {"", "counters=31", "counters=2 el3=0 features=TH2,PMUv3p5", "counters=3 features=none",
        "threads=4 counters=8", "threads=2 counters=31"}) {
    SCOPED_TRACE(settings);
    Build(settings);
    const pmuv3_probe start = Probe();
    Disturb();
    for (unsigned t = 0; t < params().threads; t++) EXPECT_NE(Read(t, PMUV3_PMOVSSET), 0u);
    Reset();
    for (unsigned t = 0; t < params().threads; t++) {
      ExpectEqual(Probe(t), start);
      EXPECT_FALSE(Irq(t));
    }
    for (unsigned t = 0; t < params().threads; t++) ExpectFresh(t);
  }
}

// A reset does not change a thread's state, which is not the PMU's.
TEST_P(OneSideTest, StatesSurviveReset) {
  Build("threads=2");
  SetPe(1, Pe().Halted());
  Reset();
  for (unsigned t : {0u, 1u}) {
    Write(t, PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
    Enable(t, 0x1);
  }
  Cycle({{PMUV3_EVENT_INST_RETIRED, 1}, Occurrence(PMUV3_EVENT_INST_RETIRED, 1).On(1)});
  EXPECT_EQ(Counter(0, 0), 1u);
  EXPECT_EQ(Counter(1, 0), 0u);
  SetPe(1, Pe());
  Cycle({Occurrence(PMUV3_EVENT_INST_RETIRED, 1).On(1)});
  EXPECT_EQ(Counter(1, 0), 1u);
}

// D13.6-8: MTPME is 1 after a Cold reset. A Warm reset keeps MTPME.
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
  pmuv3_side_probe(side(), 0, &zeros);
  pmuv3_side_probe(side(), 0, &ones);
  EXPECT_EQ(std::memcmp(&zeros, &ones, sizeof zeros), 0);
}

// Lanes beyond the implemented counters stay 0 with any writes.
TEST_P(OneSideTest, UnimplementedLanesAreZero) {
  for (const char *settings :
       {"counters=0", "counters=1", "counters=5", "counters=8", "counters=9", "counters=31",
        "threads=2 counters=7", "threads=3 counters=8", "threads=4 counters=30"}) {
    SCOPED_TRACE(settings);
    Build(settings);
    Disturb();
    const pmuv3_probe probe = Probe(params().threads - 1u);
    for (int n = params().counters; n < PMUV3_LANES; n++) {
#define PMUV3_PROBE_BITS(field, name, owner) EXPECT_EQ(Bit(probe.field, n), 0) << name << " " << n;
#define PMUV3_PROBE_LANES(field, name, owner) EXPECT_EQ(probe.field[n], 0) << name << " " << n;
#define PMUV3_PROBE_COUNTERS(field, name, owner) EXPECT_EQ(probe.field[n], 0u) << name << " " << n;
#include "pmuv3/probe.def"
    }
  }
}

// What an item does to a side; reads do nothing.
void Apply(pmuv3_side *side, const pmuv3_item &item) {
  const pmuv3_write &access = item.access;
  const pmuv3_external &external = item.external;
  switch (item.kind) {
    case PMUV3_ITEM_WRITE:
      pmuv3_side_write(side, item.thread, access.reg, access.value);
      break;
    case PMUV3_ITEM_MSR:
      pmuv3_side_msr(side, item.thread, access.reg, access.value);
      break;
    case PMUV3_ITEM_EXTERNAL_WRITE:
      pmuv3_side_external_write(side, external.thread,
                                static_cast<pmuv3_security_state>(external.ss), external.offset,
                                external.value);
      break;
    case PMUV3_ITEM_PE:
      pmuv3_side_set_pe(side, item.thread, &item.pe);
      break;
    case PMUV3_ITEM_CYCLE:
      pmuv3_side_cycle(side, &item.cycle);
      break;
    default:
      break;
  }
}

// ORs into *seen what a side's probe shows under random stimulus.
void See(const Implementation &implementation, const char *settings, pmuv3_probe *seen) {
  const pmuv3_params params = Params(settings);
  pmuv3_side *side = implementation.create(&params);
  pmuv3_random *random = pmuv3_random_create(&params, 1);
  for (int i = 0; i < 30000; i++) {
    Apply(side, *pmuv3_random_next(random));
    pmuv3_probe probe;
    pmuv3_side_probe(side, 0, &probe);
    const auto *from = reinterpret_cast<const unsigned char *>(&probe);
    auto *to = reinterpret_cast<unsigned char *>(seen);
    for (size_t byte = 0; byte < sizeof probe; byte++) to[byte] |= from[byte];
  }
  pmuv3_random_destroy(random);
  pmuv3_side_destroy(side);
}

// A value that neither side fills would be 0 = 0, and equal.
TEST_P(OneSideTest, FillsEveryValueOfTheProbe) {
  pmuv3_probe seen = {};
  See(GetParam(),
      "counters=8 features=TH2,SME,ICNTR,RME,SEL2,SEBEP,HPMN0,SS,DPFZS,EXTPMN,Debugv8p9", &seen);
  See(GetParam(), "counters=8 features=TH2,SME,ICNTR,RME,SEL2,SEBEP,HPMN0,SPE,EXT32", &seen);
#define PMUV3_PROBE_BITS(field, name, owner) EXPECT_EQ(seen.field, 0xFFu) << name;
#define PMUV3_PROBE_LANES(field, name, owner) \
  for (int n = 0; n < 8; n++) EXPECT_NE(seen.field[n], 0) << name << " " << n;
#define PMUV3_PROBE_COUNTERS(field, name, owner) \
  for (int n = 0; n < 8; n++) EXPECT_NE(seen.field[n], 0u) << name << " " << n;
#define PMUV3_PROBE_GLOBAL(field, name, owner) EXPECT_NE(seen.field, 0u) << name;
#include "pmuv3/probe.def"
#include "tlm_wrapper/side_rtl.h"
}

TEST_P(OneSideTest, NoCounters) {
  Build("counters=0");
  Cycle({{PMUV3_EVENT_INST_RETIRED, 255}});
  EXPECT_EQ(Probe().allowed, 0u);
  EXPECT_EQ(Read(PMUV3_PMCR), 0u);
  EXPECT_FALSE(Irq());
}

// Reads and probes have no side effects. With the strobe low, the last cycle's values stay.
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
  EXPECT_EQ(probe.value[0], 99u);  // the current value
  EXPECT_EQ(probe.cnten, 0u);
}

// Every thread has its own PMU with all registers, lanes and the interrupt.
TEST_P(OneSideTest, ThreadsAreIndependent) {
  for (const char *settings : {"threads=2 counters=3", "threads=2 counters=31",
                               "threads=3 counters=8", "threads=4 counters=31"}) {
    SCOPED_TRACE(settings);
    Build(settings);
    const unsigned threads = params().threads;
    const int last = params().counters - 1;
    for (unsigned t = 0; t < threads; t++) {
      Write(t, PMUV3_PMEVTYPERn(last), Type(PMUV3_EVENT_INST_RETIRED).Tc(0b111).Th(t + 1));
      Write(t, PMUV3_PMEVCNTRn(last), 1000 * t);
      Write(t, PMUV3_PMEVCNTRn(0), 0xFFFFFFFF00000000 + t);
      Write(t, PMUV3_PMCNTENSET, uint64_t{1} << last);
      Write(t, PMUV3_PMCR, 0b1);
    }
    for (unsigned t = 0; t < threads; t++) {
      SCOPED_TRACE(t);
      EXPECT_EQ(Counter(t, 0), 0xFFFFFFFF00000000 + t);
      const uint64_t before = Counter(t, last);
      Cycle({Occurrence(PMUV3_EVENT_INST_RETIRED, static_cast<int>(t)).On(t)});
      EXPECT_EQ(Counter(t, last), before + 1) << "less than TH";
      for (unsigned u = 0; u < threads; u++) {
        const pmuv3_probe probe = Probe(u);
        EXPECT_EQ(probe.VB[last], u == t ? t : 0) << u;
        EXPECT_EQ(probe.V[last], 1) << u;
        EXPECT_EQ(probe.CT, 1u << last) << u;
        EXPECT_EQ(probe.evtyper[last], Type(PMUV3_EVENT_INST_RETIRED).Tc(0b111).Th(u + 1));
        EXPECT_EQ(probe.cnten, 1u << last) << u;
      }
    }
    Write(threads - 1, PMUV3_PMINTENSET, 1);
    Write(threads - 1, PMUV3_PMOVSSET, 1);
    for (unsigned t = 0; t < threads; t++) EXPECT_EQ(Irq(t), t == threads - 1) << t;
  }
}

// formats.md section 4: one write for each thread in the clock of a cycle.
TEST_P(OneSideTest, ThreadsWriteInTheSameClock) {
  Build("threads=4 counters=2");
  CycleWriting({{3, PMUV3_PMEVCNTRn(1), 33}, {1, PMUV3_PMEVCNTRn(0), 11}});
  for (unsigned t = 0; t < 4; t++) {
    EXPECT_EQ(Counter(t, 0), t == 1 ? 11u : 0u) << t;
    EXPECT_EQ(Counter(t, 1), t == 3 ? 33u : 0u) << t;
  }
}

// Occurrences of one cycle do not count in the next, for every origin.
TEST_P(OneSideTest, OccurrencesAreOfOneCycle) {
  Build("threads=2");
  for (unsigned t : {0u, 1u}) {
    Write(t, PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_BUS_ACCESS).Mt());
    Enable(t, 0x1);
  }
  Cycle({Occurrence(PMUV3_EVENT_BUS_ACCESS, 1),
         Occurrence(PMUV3_EVENT_BUS_ACCESS, 2).In(0, PMUV3_NS),
         Occurrence(PMUV3_EVENT_BUS_ACCESS, 4).On(1).Unattributable(),
         Occurrence(PMUV3_EVENT_BUS_ACCESS, 8).On(1).Debugger()});
  EXPECT_EQ(Probe(0).VB[0], 7);
  EXPECT_EQ(Probe(1).VB[0], 7);
  Cycle();
  EXPECT_EQ(Probe(0).VB[0], 0);
  EXPECT_EQ(Probe(1).VB[0], 0);
  EXPECT_EQ(Counter(0, 0), 7u);
}

// Two sides of the same kind share no state.
TEST_P(OneSideTest, SidesAreIndependent) {
  const pmuv3_probe start = Probe();
  pmuv3_side *other = GetParam().create(&params());
  ASSERT_NE(other, nullptr);
  Disturb();
  pmuv3_probe probe;
  pmuv3_side_probe(other, 0, &probe);
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

// State without a reset in the RTL would start at random, different for each seed.
class RandomStartTest : public ::testing::TestWithParam<const char *> {
 protected:
  // Hidden state (CP, waiting increments) shows when it counts.
  static void CountSoftwareIncrements(pmuv3_side *side) {
    pmuv3_side_reset(side);
    for (unsigned t = 0; t < side->params.threads; t++) {
      pmuv3_side_write(side, t, PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_SW_INCR));
      pmuv3_side_write(side, t, PMUV3_PMCNTENSET, 1);
      pmuv3_side_write(side, t, PMUV3_PMCR, 1);
    }
    const pmuv3_cycle cycle = {};
    pmuv3_side_cycle(side, &cycle);
  }

  static pmuv3_probe Probe(pmuv3_side *side, unsigned thread) {
    pmuv3_probe probe;
    pmuv3_side_probe(side, thread, &probe);
    return probe;
  }

  static void ExpectSame(pmuv3_side *a, pmuv3_side *b) {
    for (unsigned t = 0; t < a->params.threads; t++) {
      SCOPED_TRACE(t);
      ExpectEqual(Probe(a, t), Probe(b, t));
    }
  }
};

TEST_P(RandomStartTest, ResetLeavesNothingToChance) {
  const pmuv3_params params = Params(GetParam());
  pmuv3_side *first = pmuv3_side_rtl(&params, 1);
  for (uint32_t x_seed = 2; x_seed < 12; x_seed++) {
    SCOPED_TRACE(x_seed);
    pmuv3_side *side = pmuv3_side_rtl(&params, x_seed);
    ExpectSame(side, first);
    for (pmuv3_side *each : {first, side}) CountSoftwareIncrements(each);
    ExpectSame(side, first);
    EXPECT_EQ(Probe(side, 0).VB[0], 0);
    EXPECT_EQ(Probe(side, 0).CP, 0u);
    pmuv3_side_destroy(side);
    pmuv3_side_reset(first);
  }
  pmuv3_side_destroy(first);
}

INSTANTIATE_TEST_SUITE_P(Rtl, RandomStartTest,
                         ::testing::Values("counters=1", "counters=6", "counters=8", "counters=31",
                                           "threads=3 counters=6", "threads=2 counters=31",
                                           "threads=4 counters=31"));

// ---- Wrong cycles: reported, and never undefined behaviour ----

class WrongCycleTest : public SideTest {
 protected:
  // Thread 0 counts INST_RETIRED, STALL, an unimplemented event, CPU_CYCLES, CHAIN and EXC_TAKEN.
  static constexpr uint16_t kSelected[] = {0x0008, 0x003C, 0x0002, 0x0011, 0x0000, 0x001E, 0x0009};

  void SetUp() override {
    Build("counters=7 threads=2");
    for (int n = 0; n < 7; n++) Write(PMUV3_PMEVTYPERn(n), kSelected[n]);
    Enable(0x7F);
    SetPe(1, Pe().Halted());
  }

  void Run(pmuv3_cycle cycle, const std::vector<pmuv3_occurrence> &occurrences) {
    const pmuv3_pe pe[PMUV3_MAX_THREADS] = {Pe(), Pe().Halted()};
    cycle.occurrences = occurrences.data();
    cycle.num_occurrences = static_cast<uint16_t>(occurrences.size());
    wrong_ = pmuv3_cycle_wrong(&params(), pe, &cycle);
    pmuv3_side_cycle(side(), &cycle);
  }
  void Run(const std::vector<pmuv3_occurrence> &occurrences) { Run({}, occurrences); }

  // VB of the counters in the last cycle, and the value of the instruction counter.
  void ExpectCounts(std::vector<int> counts) {
    const pmuv3_probe probe = Probe();
    for (int n = 0; n < 7; n++) EXPECT_EQ(probe.VB[n], counts[n]) << n;
  }

  const char *wrong_ = nullptr;
};

constexpr uint16_t WrongCycleTest::kSelected[];

// An event is identified by its number, wherever it stands in the list.
TEST_P(WrongCycleTest, EventsGoByTheirNumbers) {
  Run({{0x0008, 5, 0, PMUV3_CURRENT}, {PMUV3_EVENT_EXC_TAKEN, 2, 0, PMUV3_CURRENT}});
  EXPECT_EQ(wrong_, nullptr);
  ExpectCounts({5, 0, 0, 1, 0, 0, 2});
  Run({{0x0012, 5, 0, PMUV3_CURRENT}, {0x811F, 3, 0, PMUV3_CURRENT}});
  EXPECT_EQ(wrong_, nullptr);
  ExpectCounts({0, 0, 0, 1, 0, 0, 0});
}

TEST_P(WrongCycleTest, WhatCannotBePresentedCountsNothing) {
  const struct {
    const char *what;
    pmuv3_occurrence occurrence;
  } cases[] = {
      {"SW_INCR", {0x0000, 1, 0, PMUV3_CURRENT}},
      {"CPU_CYCLES", {0x0011, 3, 0, PMUV3_CURRENT}},
      {"CHAIN", {0x001E, 1, 0, PMUV3_CURRENT}},
      {"CPU_CYCLES of another agent", {0x0011, 3, 0, PMUV3_UNATTRIBUTABLE}},
      {"not implemented", {0x0080, 3, 0, PMUV3_CURRENT}},
      {"not implemented", {0xFFFF, 3, 0, PMUV3_CURRENT}},
      {"PMU_OVFS, which never counts", {0x400D, 3, 0, PMUV3_CURRENT}},
      {"no such origin", {0x0008, 3, 0, PMUV3_NUM_ORIGINS}},
      {"no such origin", {0x0008, 3, 0, 255}},
      {"no such thread", {0x0008, 3, 2, PMUV3_CURRENT}},
      {"no such thread", {0x0008, 3, 255, PMUV3_CURRENT}},
      {"a debugger's, of a thread that runs", {0x0008, 3, 0, PMUV3_DEBUGGER}},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.what);
    const uint64_t instructions = Read(PMUV3_PMICNTR);
    Run({c.occurrence});
    EXPECT_NE(wrong_, nullptr);
    ExpectCounts({0, 0, 0, 1, 0, 0, 0});
    EXPECT_EQ(Read(PMUV3_PMICNTR), instructions);
  }
}

// The counts of a wrong cycle are unspecified, but only in this cycle.
TEST_P(WrongCycleTest, WhatCannotOccurSo) {
  const auto of = [](uint16_t event, uint8_t count, uint8_t origin = PMUV3_CURRENT) {
    return pmuv3_occurrence{event, count, 0, origin};
  };
  const char *const twice = "the event is listed twice";
  const struct {
    const char *wrong;
    std::vector<pmuv3_occurrence> occurrences;
  } cases[] = {
      {twice, {of(0x0008, 3), of(0x0009, 1), of(0x0008, 4)}},
      {twice, {of(0x003C, 1), of(0x003C, 1)}},
      {twice, std::vector<pmuv3_occurrence>(UINT16_MAX, of(0x0009, 255))},
      {"the event cannot occur so often in a cycle", {of(0x003C, 2)}},
      {"the event has no context", {of(0x003C, 1, PMUV3_OTHER)}},
      {"the event cannot be Unattributable", {of(0x003C, 1, PMUV3_UNATTRIBUTABLE)}},
  };
  for (const auto &c : cases) {
    Run(c.occurrences);
    EXPECT_STREQ(wrong_, c.wrong);
    Run({of(0x0008, 3), of(0x003C, 1)});
    EXPECT_EQ(wrong_, nullptr);
    ExpectCounts({3, 1, 0, 1, 0, 0, 0});
  }
}

// A context that does not exist. It does not matter without OTHER and related occurrences.
TEST_P(WrongCycleTest, ContextsThatAreNotThere) {
  for (const pmuv3_context context : {pmuv3_context{3, PMUV3_NS, false},
                                      {3, PMUV3_S, false},
                                      {1, PMUV3_RT, false},
                                      {4, PMUV3_NS, false},
                                      {0, 4, false},
                                      {200, 200, false}}) {
    SCOPED_TRACE(::testing::Message() << int{context.el} << " " << int{context.ss});
    pmuv3_cycle cycle = {};
    cycle.other[0] = context;
    Run(cycle, {{0x0008, 3, 0, PMUV3_OTHER}});
    EXPECT_NE(wrong_, nullptr);
    ExpectCounts({0, 0, 0, 1, 0, 0, 0});
    Run(cycle, {{0x0008, 3, 0, PMUV3_UNATTRIBUTABLE}});
    EXPECT_EQ(wrong_, nullptr);
    ExpectCounts({3, 0, 0, 1, 0, 0, 0});
    cycle.other[0].related = true;
    Run(cycle, {{0x0008, 3, 0, PMUV3_UNATTRIBUTABLE}});
    EXPECT_NE(wrong_, nullptr);
    ExpectCounts({0, 0, 0, 1, 0, 0, 0});
    Run(cycle, {{0x0008, 3, 0, PMUV3_CURRENT}});
    EXPECT_EQ(wrong_, nullptr);
    ExpectCounts({3, 0, 0, 1, 0, 0, 0});
  }
}

TEST_P(WrongCycleTest, WritesOfWhatIsNotThere) {
  Build("counters=2 threads=2 features=EXT64,PMUv3p9");
  pmuv3_cycle cycle = {};
  cycle.has_write = 0xFC;
  Run(cycle, {});
  EXPECT_STREQ(wrong_, "there is no such thread");
  cycle = {};
  cycle.has_write = 1;
  cycle.write[0] = {PMUV3_PMEVCNTRn(2), false, 1};
  Run(cycle, {});
  EXPECT_NE(wrong_, nullptr);
  cycle.write[0].checked = true;  // the write is UNDEFINED
  Run(cycle, {});
  EXPECT_EQ(wrong_, nullptr);
  for (const pmuv3_external external : {pmuv3_external{2, PMUV3_S, 0xC00, 3},
                                        {200, PMUV3_S, 0xC00, 3},
                                        {0, 4, 0xC00, 3},
                                        {0, 200, 0xC00, 3},
                                        {0, PMUV3_S, 0xC01, 3},
                                        {0, PMUV3_S, 0x1C00, 3}}) {
    SCOPED_TRACE(::testing::Message() << int{external.thread} << " " << int{external.ss} << " "
                                      << std::hex << external.offset);
    cycle = {};
    cycle.has_external = true;
    cycle.external = external;
    Run(cycle, {});
    EXPECT_NE(wrong_, nullptr);
    for (unsigned t = 0; t < 2; t++) EXPECT_EQ(Read(t, PMUV3_PMCNTENSET), 0u);
    uint32_t word;
    const auto ss = static_cast<pmuv3_security_state>(external.ss);
    EXPECT_FALSE(pmuv3_side_external_write(side(), external.thread, ss, external.offset, 3));
    EXPECT_FALSE(pmuv3_side_external_read(side(), external.thread, ss, external.offset, &word));
    EXPECT_EQ(word, 0u);
  }
}
PMUV3_ON_BOTH_SIDES(WrongCycleTest);

}  // namespace
}  // namespace pmuv3
