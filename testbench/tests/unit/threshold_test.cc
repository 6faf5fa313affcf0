// threshold: VB, CT, CP, CE, VT, VE and V (D13.8), against the tables of B.4.1 and C.1 - C.7, typed
// as data.
#include <random>

#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

class ThresholdTest : public SideTest {};
PMUV3_ON_BOTH_SIDES(ThresholdTest);

// ---- C.7: the golden sequences, a column for each value ----

struct Sequence {
  int tc, te, th;
  std::vector<int> vb, ct, cp, ce, v;
};

const Sequence kGolden[] = {
    {0b001,
     1,
     0,
     {0, 0, 1, 1, 0, 1},
     {0, 0, 1, 1, 0, 1},
     {0, 0, 0, 1, 1, 0},
     {0, 0, 1, 0, 0, 1},
     {0, 0, 1, 0, 0, 1}},
    {0b011,
     1,
     0,
     {0, 0, 1, 1, 0, 1},
     {1, 1, 0, 0, 1, 0},
     {0, 1, 1, 0, 0, 1},
     {1, 0, 0, 0, 1, 0},
     {1, 0, 0, 0, 1, 0}},
    {0b010,
     1,
     0,
     {0, 0, 1, 1, 0, 1},
     {1, 1, 0, 0, 1, 0},
     {0, 1, 1, 0, 0, 1},
     {1, 0, 1, 0, 1, 1},
     {1, 0, 1, 0, 1, 1}},
    {0b101,
     1,
     3,
     {2, 3, 4, 2, 3, 3},
     {0, 1, 1, 0, 1, 1},
     {0, 0, 1, 1, 0, 1},
     {0, 1, 0, 0, 1, 0},
     {0, 1, 0, 0, 1, 0}},
    {0b111,
     1,
     3,
     {2, 3, 2, 2, 4, 1},
     {1, 0, 1, 1, 0, 1},
     {0, 1, 0, 1, 1, 0},
     {1, 0, 1, 0, 0, 1},
     {1, 0, 1, 0, 0, 1}},
    {0b110,
     1,
     3,
     {2, 3, 2, 2, 4, 1},
     {1, 0, 1, 1, 0, 1},
     {0, 1, 0, 1, 1, 0},
     {1, 1, 1, 0, 1, 1},
     {1, 1, 1, 0, 1, 1}},
    {0b101, 0, 2, {0, 1, 2, 7}, {0, 0, 1, 1}, {0, 0, 0, 1}, {0, 0, 1, 0}, {0, 0, 1, 1}},
    {0b010, 0, 4, {3, 4, 5, 4}, {0, 1, 0, 1}, {0, 0, 1, 0}, {0, 1, 1, 1}, {0, 4, 0, 4}},
    {0b110, 0, 3, {0, 2, 3, 9}, {1, 1, 0, 0}, {0, 1, 1, 0}, {1, 0, 1, 0}, {0, 2, 0, 0}},
    {0b111, 0, 1, {0, 0, 1, 0}, {1, 1, 0, 1}, {0, 1, 1, 0}, {1, 0, 0, 1}, {1, 1, 0, 1}},
};

TEST_P(ThresholdTest, GoldenSequences) {
  for (const Sequence &golden : kGolden) {
    SCOPED_TRACE(::testing::Message()
                 << "TC=" << golden.tc << " TE=" << golden.te << " TH=" << golden.th);
    Build();
    Write(PMUV3_PMEVTYPERn(0),
          Type(PMUV3_EVENT_INST_RETIRED).Tc(golden.tc).Te(golden.te).Th(golden.th));
    Enable(0x1);
    for (size_t i = 0; i < golden.vb.size(); i++) {
      SCOPED_TRACE(::testing::Message() << "cycle " << i);
      Cycle({{PMUV3_EVENT_INST_RETIRED, golden.vb[i]}});
      const pmuv3_probe probe = Probe();
      EXPECT_EQ(Bit(probe.allowed, 0), 1);
      EXPECT_EQ(probe.VB[0], golden.vb[i]);
      EXPECT_EQ(Bit(probe.CT, 0), golden.ct[i]);
      EXPECT_EQ(Bit(probe.CP, 0), golden.cp[i]);
      EXPECT_EQ(Bit(probe.CE, 0), golden.ce[i]);
      EXPECT_EQ(probe.V[0], golden.v[i]);
    }
  }
}

// A cycle in which the counter does not count, between cycles that count. CP becomes 0 (K-CP-MODE =
// clear).
struct Gap {
  int tc, vb;
  int allowed[4], ct[4], cp[4], v[4];
};

const Gap kGaps[] = {
    {0b001, 1, {1, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 0, 1}, {1, 0, 1, 0}},
    {0b011, 0, {1, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 0, 1}, {1, 0, 1, 0}},
};

TEST_P(ThresholdTest, GoldenSequencesWithGap) {
  for (const Gap &gap : kGaps) {
    SCOPED_TRACE(::testing::Message() << "TC=" << gap.tc);
    Build();
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).Tc(gap.tc).Te(1));
    Write(PMUV3_PMCR, 1);
    for (int i = 0; i < 4; i++) {
      SCOPED_TRACE(::testing::Message() << "cycle " << i);
      Write(gap.allowed[i] ? PMUV3_PMCNTENSET : PMUV3_PMCNTENCLR, 1);
      Cycle({{PMUV3_EVENT_INST_RETIRED, gap.vb}});
      const pmuv3_probe probe = Probe();
      EXPECT_EQ(Bit(probe.allowed, 0), gap.allowed[i]);
      EXPECT_EQ(Bit(probe.CT, 0), gap.ct[i]);
      EXPECT_EQ(Bit(probe.CP, 0), gap.cp[i]);
      EXPECT_EQ(probe.V[0], gap.v[i]);
    }
  }
}

// RJJRJQ/CP, RJJRJQ/DIS, H-26: the same if the thread's state prevents counting.
TEST_P(ThresholdTest, GapsOfEveryKind) {
  const pmuv3_pe filtered = Pe(0, PMUV3_NS), prohibited = Pe(1, PMUV3_S), halted = Pe().Halted();
  for (const Gap &gap : kGaps)
    for (const pmuv3_pe &pe : {filtered, prohibited, halted}) {
      SCOPED_TRACE(::testing::Message() << "TC=" << gap.tc << " EL" << int{pe.el}
                                        << " SS=" << int{pe.ss} << " halted=" << pe.halted);
      Build();
      Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).Tc(gap.tc).Te().U());
      Enable(0x1);
      for (int i = 0; i < 4; i++) {
        SetPe(gap.allowed[i] ? Pe() : pe);
        Cycle({{PMUV3_EVENT_INST_RETIRED, gap.vb}});
        const pmuv3_probe probe = Probe();
        EXPECT_EQ(Bit(probe.allowed, 0), gap.allowed[i]) << i;
        EXPECT_EQ(Bit(probe.CT, 0), gap.ct[i]) << i;
        EXPECT_EQ(Bit(probe.CP, 0), gap.cp[i]) << i;
        EXPECT_EQ(probe.V[0], gap.v[i]) << i;
      }
    }
}

// TH-CYCLE: the threshold applies in every Processor cycle, also while the thread is not active.
TEST_P(ThresholdTest, InactiveCycles) {
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_CPU_CYCLES).Tc(0b011));
  Enable(0x1);
  for (bool active : {true, false, false, true}) {
    SetPe(Pe().Active(active));
    Cycle();
    EXPECT_EQ(Probe().VB[0], active);
    EXPECT_EQ(Probe().V[0], !active);
  }
}

// TH-A32: thresholds stay effective in AArch32 state. Without any AArch64 there are none.
TEST_P(ThresholdTest, AArch32) {
  for (const char *settings : {"counters=2 aa64=1", "counters=2 aa64=0"}) {
    Build(settings);
    const bool there = params().aa64;
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).Tc(0b101).Th(3));
    Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_L1D_CACHE).Tlc(0b01));
    Enable(0x3);
    SetPe(Pe(0, PMUV3_NS).Aa32().A32El1());
    Cycle({{PMUV3_EVENT_INST_RETIRED, 5}});
    EXPECT_EQ(Probe().V[0], there ? 1 : 5);
    EXPECT_EQ(Probe().V[1], there ? 1 : 0);
  }
}

// ---- B.4.1, C.1 - C.3 as data ----

enum class Adds { kZero, kOne, kBase, kLink };  // 0, 1, VB[n], V[n-1]
using A = Adds;

// A row of Tables D13-5 to D13-8: V if the condition holds (CT with TE=0, CE with TE=1), and
// otherwise.
struct Row {
  const char *name;
  Adds then, otherwise;
};

constexpr Row kA = {"A", A::kBase, A::kZero};
constexpr Row kB = {"B", A::kOne, A::kZero};
constexpr Row kC = {"C", A::kBase, A::kLink};
constexpr Row kD = {"D", A::kOne, A::kLink};
constexpr Row kE = {"E", A::kLink, A::kZero};
constexpr Row kF = {"F", A::kOne, A::kZero};
constexpr Row kG = {"G", A::kLink, A::kZero};
constexpr Row kF2 = {"F' (both edges)", A::kOne, A::kZero};
constexpr Row kG2 = {"G' (both edges)", A::kLink, A::kZero};
constexpr Row kR = {nullptr, A::kZero, A::kZero};  // reserved (ILQXJZ)

// Tables D13-5 (TE=0) and D13-6 (TE=1): n odd, with PMUv3_TH2; [TE][TLC][TC[1:0]].
constexpr Row kLinked[2][4][4] = {
    {{kA, kB, kA, kB}, {kC, kD, kC, kD}, {kE, kR, kE, kR}, {kR, kR, kR, kR}},
    {{kR, kF, kF2, kF}, {kR, kR, kR, kR}, {kR, kG, kG2, kG}, {kR, kR, kR, kR}},
};

// Tables D13-7 (TE=0) and D13-8 (TE=1): n even, or without PMUv3_TH2; [TE][TC[1:0]].
constexpr Row kUnlinked[2][4] = {{kA, kB, kA, kB}, {kR, kF, kF2, kF}};

// C.1 (RWXVGN): CT by TC[2:1] for VB below, equal to and above TH.
constexpr int kCt[4][3] = {{1, 0, 1}, {0, 1, 0}, {0, 1, 1}, {1, 0, 0}};

// C.2 (RNXPYM): CE by TC[1:0], CT and CP.
constexpr int kCe[4][2][2] = {
    {{0, 0}, {0, 0}}, {{0, 0}, {1, 0}}, {{0, 1}, {1, 0}}, {{0, 0}, {1, 0}}};

// C.3 (RXFGYS, RYKFCB): VT by TLC and TC[0]. TLC = 11 as 00; TLC = 10 with TC[0] = 1 is V[n-1].
struct Choice {
  Adds then, otherwise;
};
constexpr Choice kVt[4][2] = {{{A::kBase, A::kZero}, {A::kOne, A::kZero}},
                              {{A::kBase, A::kLink}, {A::kOne, A::kLink}},
                              {{A::kLink, A::kZero}, {A::kLink, A::kZero}},
                              {{A::kBase, A::kZero}, {A::kOne, A::kZero}}};

// C.3 (RFLGYG, RBGDTJ): VE by TLC if CE holds; else VE is 0.
constexpr Adds kVe[4] = {A::kOne, A::kOne, A::kLink, A::kOne};

// The Effective parts of {TC, TH}, TE and TLC (RQVYDV, RSGLNM, RMRPVL).
struct Level {
  const char *features;
  bool th, te, tlc;
};
constexpr Level kLevels[] = {
    {"PMUv3p9", false, false, false},
    {"TH,PMUv3p9", true, false, false},
    {"EDGE,PMUv3p9", true, true, false},
    {"TH2,PMUv3p9", true, true, true},
};

struct Setting {
  int tc, te, tlc;  // Effective
  bool th;          // TH is 3, else 0
  bool linked;      // n odd, with PMUv3_TH2
};

int Value(Adds adds, int vb, int link) {
  switch (adds) {
    case Adds::kZero:
      return 0;
    case Adds::kOne:
      return 1;
    case Adds::kBase:
      return vb;
    default:
      return link;
  }
}

constexpr int kThreshold = 3;
constexpr int kLink = 7;

// VB is 2, 3 or 4: with TH = 3 below, equal or above, with TH = 0 always above.
int CtOf(const Setting &setting, int vb) {
  return kCt[setting.tc >> 1][setting.th ? vb - kThreshold + 1 : 2];
}

int VOf(const Setting &setting, char restc, int vb, int ct, int ce) {
  const Row &row = setting.linked ? kLinked[setting.te][setting.tlc][setting.tc & 3]
                                  : kUnlinked[setting.te][setting.tc & 3];
  if (row.name) return Value((setting.te ? ce : ct) ? row.then : row.otherwise, vb, kLink);
  if (restc == 'a') return vb;
  const Row &as = kUnlinked[0][setting.tc & 3];  // b: as {TC, TE=0, TLC=0b00}
  return Value(ct ? as.then : as.otherwise, vb, kLink);
}

class ThresholdTableTest : public SideTest {
 protected:
  // Counter n with V[n-1] = 7: two cycles with VB = `before` and VB = `now`, checked against the
  // tables.
  void Check(int n, const Setting &setting, char restc, int before, int now) {
    Write(PMUV3_PMCNTENCLR, 0xF);
    Cycle();  // CP becomes 0
    Write(PMUV3_PMCNTENSET, 0xF);
    int cp = 0;
    for (int vb : {before, now}) {
      Cycle({{PMUV3_EVENT_L1D_CACHE, vb}, {PMUV3_EVENT_INST_RETIRED, kLink}});
      const int ct = CtOf(setting, vb);
      const int ce = kCe[setting.tc & 3][ct][cp];
      const Choice &vt = kVt[setting.tlc][setting.tc & 1];
      const pmuv3_probe probe = Probe();
      EXPECT_EQ(Bit(probe.allowed, n), 1);
      EXPECT_EQ(probe.VB[n], vb);
      EXPECT_EQ(Bit(probe.CT, n), ct);
      EXPECT_EQ(Bit(probe.CP, n), cp);
      EXPECT_EQ(Bit(probe.CE, n), ce);
      EXPECT_EQ(probe.VT[n], Value(ct ? vt.then : vt.otherwise, vb, kLink));
      EXPECT_EQ(probe.VE[n], ce ? Value(kVe[setting.tlc], vb, kLink) : 0);
      EXPECT_EQ(probe.V[n], VOf(setting, restc, vb, ct, ce));
      cp = ct;
    }
  }

  // Every {TC, TE, TLC} on counter n, and every step of VB across TH.
  void CheckAll(int n, const Level &level, char restc) {
    Build(std::string("counters=4 features=") + level.features + " K-RESTC=" + restc);
    const bool odd = n % 2 == 1;
    for (int other : {0, 1, 2, 3}) Write(PMUV3_PMEVTYPERn(other), Type(PMUV3_EVENT_INST_RETIRED));
    Enable(0xF);
    for (int programmed = 0; programmed < 64; programmed++) {
      const int tc = programmed & 7, te = programmed >> 3 & 1, tlc = programmed >> 4;
      const Setting setting = {level.th ? tc : 0, level.te ? te : 0, level.tlc && odd ? tlc : 0,
                               level.th, level.tlc && odd};
      Write(PMUV3_PMEVTYPERn(n), Type(PMUV3_EVENT_L1D_CACHE).Tc(tc).Te(te).Tlc(tlc).Th(kThreshold));
      for (int before : {2, 3, 4})
        for (int now : {2, 3, 4}) {
          SCOPED_TRACE(::testing::Message()
                       << level.features << " K-RESTC=" << restc << " counter " << n << " TC=" << tc
                       << " TE=" << te << " TLC=" << tlc << " VB=" << before << " then " << now);
          Check(n, setting, restc, before, now);
          if (HasFailure()) return;  // one failure is enough to report
        }
    }
  }
};
PMUV3_ON_BOTH_SIDES(ThresholdTableTest);

TEST_P(ThresholdTableTest, EvenCounter) {
  for (const Level &level : kLevels) CheckAll(2, level, 'a');
}

TEST_P(ThresholdTableTest, OddCounter) {
  for (const Level &level : kLevels) CheckAll(3, level, 'a');
}

TEST_P(ThresholdTableTest, EvenCounterReservedAsAllocated) {
  for (const Level &level : kLevels) CheckAll(2, level, 'b');
}

TEST_P(ThresholdTableTest, OddCounterReservedAsAllocated) {
  for (const Level &level : kLevels) CheckAll(3, level, 'b');
}

// ---- RJJRJQ: the possible values of VT, VE and V ----

TEST_P(ThresholdTest, Domains) {
  Build("counters=8");
  std::mt19937_64 random(1);  // its raw numbers are the same on every machine
  Write(PMUV3_PMCR, 1);
  for (int round = 0; round < 500; round++) {
    for (int n = 0; n < 8; n++)
      Write(PMUV3_PMEVTYPERn(n), Type(n % 2 ? PMUV3_EVENT_L1D_CACHE : PMUV3_EVENT_INST_RETIRED)
                                     .Tc(random() % 8)
                                     .Te(random() % 2)
                                     .Tlc(random() % 4)
                                     .Th(random() % 4));
    Write(PMUV3_PMCNTENCLR, random() % 256);
    Write(PMUV3_PMCNTENSET, random() % 256);
    const int l1d_cache = static_cast<int>(random() % 5);
    const int inst_retired = static_cast<int>(random() % 5);
    Cycle({{PMUV3_EVENT_L1D_CACHE, l1d_cache}, {PMUV3_EVENT_INST_RETIRED, inst_retired}});
    const pmuv3_probe probe = Probe();
    for (int n = 0; n < 8; n++) {
      SCOPED_TRACE(::testing::Message() << "round " << round << " counter " << n);
      const int vb = probe.VB[n], vt = probe.VT[n], ve = probe.VE[n], v = probe.V[n];
      const bool odd = n % 2 == 1;
      const int link = odd ? probe.V[n - 1] : 0;
      EXPECT_TRUE(vt == vb || vt == 1 || vt == 0 || (odd && vt == link)) << vt;
      EXPECT_TRUE(ve == 1 || ve == 0 || (odd && ve == link)) << ve;
      EXPECT_TRUE(v == vb || v == vt || v == ve) << v;
      if (!odd) {
        EXPECT_EQ(ve, Bit(probe.CE, n));
      }
      if (!Bit(probe.allowed, n)) {
        EXPECT_EQ(vb, 0);
        EXPECT_EQ(vt, 0);
        EXPECT_EQ(ve, 0);
        EXPECT_EQ(v, 0);
        EXPECT_EQ(Bit(probe.CT, n), 0);
        EXPECT_EQ(Bit(probe.CE, n), 0);
      }
    }
  }
}

// ---- Single rules ----

// RJJRJQ/DIS: every value of a counter that does not count is 0. CP is shown as used.
TEST_P(ThresholdTest, DisabledCounterIsZero) {
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).Tc(0b111).Te(1).Th(5));
  Enable(0x1);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});  // VB < 5: CT = 1
  Write(PMUV3_PMCNTENCLR, 0x1);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
  pmuv3_probe probe = Probe();
  EXPECT_EQ(Bit(probe.allowed, 0), 0);
  EXPECT_EQ(probe.VB[0], 0);
  EXPECT_EQ(Bit(probe.CT, 0), 0);
  EXPECT_EQ(Bit(probe.CP, 0), 1);
  EXPECT_EQ(Bit(probe.CE, 0), 0);
  EXPECT_EQ(probe.VT[0], 0);
  EXPECT_EQ(probe.VE[0], 0);
  EXPECT_EQ(probe.V[0], 0);
  Cycle();
  EXPECT_EQ(Bit(Probe().CP, 0), 0);
}

// RJJRJQ/VB: all bits of VB are compared. 256 does not fit in the 8 bits of TH.
TEST_P(ThresholdTest, BaseValueWiderThanThreshold) {
  struct {
    int tc, ct;
  } const cases[] = {{0b001, 1}, {0b011, 0}, {0b101, 1}, {0b111, 0}};
  for (const auto &relation : cases) {
    SCOPED_TRACE(::testing::Message() << "TC=" << relation.tc);
    for (int th : {0, 255}) {
      Build("counters=1 th_width=8");
      Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_SW_INCR).Tc(relation.tc).Th(th));
      Enable(0x1);
      for (int i = 0; i < 255; i++) Write(PMUV3_PMSWINC, 1);
      CycleWriting(PMUV3_PMSWINC, 1);
      const pmuv3_probe probe = Probe();
      EXPECT_EQ(probe.VB[0], 256);
      EXPECT_EQ(Bit(probe.CT, 0), relation.ct);
      EXPECT_EQ(probe.V[0], relation.ct);
    }
  }
}

// NOTE-V(n-1): the link carries all bits of V[n-1], also beyond 8 bits.
TEST_P(ThresholdTest, WideLink) {
  Build("counters=2");
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_SW_INCR));
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_L1D_CACHE).Tlc(0b01));
  Enable(0x3);
  for (int i = 0; i < 255; i++) Write(PMUV3_PMSWINC, 1);
  CycleWriting(PMUV3_PMSWINC, 1);
  EXPECT_EQ(Probe().V[0], 256);
  EXPECT_EQ(Probe().VT[1], 256);
  EXPECT_EQ(Probe().V[1], 256);
}

// CYC-1, H-5: a link does not cross pairs.
TEST_P(ThresholdTest, LinksArePairwise) {
  Build("counters=6");
  for (int n = 0; n < 6; n++) Write(PMUV3_PMEVTYPERn(n), Type(PMUV3_EVENT_L1D_CACHE).Tlc(0b01));
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
  Enable(0x3F);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 7}});
  const int v[] = {7, 7, 0, 0, 0, 0};
  for (int n = 0; n < 6; n++) EXPECT_EQ(Probe().V[n], v[n]) << n;
}

// RHVGCV, C.4: CP follows CT with threshold counting disabled, with reserved settings and without
// PMUv3_TH.
TEST_P(ThresholdTest, CpFollowsCt) {
  for (const char *features : {"features=PMUv3p9", "features=TH2,PMUv3p9"}) {
    Build(features);
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
    Enable(0x1);
    int cp = 0;
    for (int vb : {1, 0, 5, 5, 0, 0}) {
      Cycle({{PMUV3_EVENT_INST_RETIRED, vb}});
      EXPECT_EQ(Bit(Probe().CT, 0), vb != 0);
      EXPECT_EQ(Bit(Probe().CP, 0), cp);
      cp = vb != 0;
    }
  }
}

// Section 4 of formats.md: CP holds while the strobe is low, whatever is written.
TEST_P(ThresholdTest, CpHoldsBetweenCycles) {
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).Tc(0b001).Te(1));
  Enable(0x1);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
  Write(PMUV3_PMCR, 0);
  Write(PMUV3_PMCNTENCLR, 0x1);
  Write(PMUV3_PMCNTENSET, 0x1);
  Write(PMUV3_PMCR, 0b11);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
  EXPECT_EQ(Bit(Probe().CP, 0), 1);
  EXPECT_EQ(Probe().V[0], 0);
}

// Section 4: a setting written in the clock of a cycle takes effect in the next cycle.
TEST_P(ThresholdTest, SettingWrittenInCycle) {
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).Tc(0b101).Th(4));
  Enable(0x1);
  CycleWriting(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).Tc(0b100).Th(6),
               {{PMUV3_EVENT_INST_RETIRED, 5}});
  EXPECT_EQ(Probe().V[0], 1);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 5}});
  EXPECT_EQ(Probe().V[0], 0);
  EXPECT_EQ(Bit(Probe().CP, 0), 1);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 6}});
  EXPECT_EQ(Probe().V[0], 6);
}

}  // namespace
}  // namespace pmuv3
