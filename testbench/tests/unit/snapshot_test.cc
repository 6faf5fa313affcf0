// snapshot: allowed capture requests, and the copied values (D13.9, Table D13-10).
#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

constexpr uint64_t kNc = UINT64_C(1) << 32;

// PMSSE at EL3 and EL2, SSE at EL1. At EL1, 0b01 is reserved and behaves as kDisabled (K-SSE-RES).
enum Sse { kDisabled = 0b00, kDelegate = 0b01, kProhibited = 0b10, kAllowed = 0b11 };
constexpr uint64_t kAllowedAtEl3 = static_cast<uint64_t>(kAllowed) << PMUV3_MDCR_EL3_PMSSE_LSB;

class SnapshotTest : public SideTest {
 protected:
  // A processor whose EL3 allows captures.
  void BuildAllowed(const std::string &settings = "counters=3 features=ICNTR,SS") {
    Build(settings);
    Allow();
  }
  void Allow() { Write(PMUV3_MDCR_EL3, kAllowedAtEl3); }
  void Capture(unsigned thread = 0) { Write(thread, PMUV3_PMSSCR, 1); }
};
PMUV3_ON_BOTH_SIDES(SnapshotTest);

// Table D13-10 with and without EL3 and EL2, with the OS Lock locked and in Debug state.
TEST_P(SnapshotTest, Table) {
  for (int levels = 0; levels < 4; levels++)
    for (int setting = 0; setting < 64; setting++)
      for (int state = 0; state < 4; state++) {
        const bool el2 = Bit(levels, 0), el3 = Bit(levels, 1);
        const bool oslk = Bit(state, 0), halted = Bit(state, 1);
        const int sse3 = setting & 3, sse2 = setting >> 2 & 3, sse1 = setting >> 4;
        SCOPED_TRACE(::testing::Message()
                     << "EL2 " << el2 << " EL3 " << el3 << " PMSSE(EL3) " << sse3 << " PMSSE(EL2) "
                     << sse2 << " SSE " << sse1 << " OSLK " << oslk << " halted " << halted);
        if (setting == 0 && state == 0)
          Build(std::string("counters=2 features=ICNTR,SS el2=") + (el2 ? "1" : "0") +
                " el3=" + (el3 ? "1" : "0"));
        Reset();
        Write(PMUV3_MDCR_EL3, static_cast<uint64_t>(sse3) << 30);
        Write(PMUV3_MDCR_EL2, static_cast<uint64_t>(sse2) << 30);
        Write(PMUV3_PMECR, sse1 << 3);
        SetPe(Pe().Oslk(oslk).Halted(halted));
        Write(PMUV3_PMEVCNTRn(1), 0x1111);
        Write(PMUV3_PMCCNTR, 0x2222);
        Write(PMUV3_PMICNTR, 0x3333);
        const int decides = el3 && sse3 != kDelegate   ? sse3
                            : el2 && sse2 != kDelegate ? sse2
                            : sse1 == kDelegate        ? kDisabled
                                                       : sse1;
        const bool allowed = decides == kAllowed && !oslk && !halted;
        EXPECT_EQ(Read(PMUV3_PMSSCR), kNc) << "after a reset";
        Capture();
        EXPECT_EQ(Read(PMUV3_PMSSCR), allowed ? 0 : kNc);
        EXPECT_EQ(Read(PMUV3_PMEVCNTSVRn(1)), allowed ? 0x1111u : 0u);
        EXPECT_EQ(Read(PMUV3_PMCCNTSVR), allowed ? 0x2222u : 0u);
        EXPECT_EQ(Read(PMUV3_PMICNTSVR), allowed ? 0x3333u : 0u);
      }
}

// RMFJWS, D13.9-2: after a capture, a disabled request keeps NC, and a prohibited request sets NC.
TEST_P(SnapshotTest, DisabledAndProhibited) {
  for (const int sse : {kDisabled, kProhibited}) {
    BuildAllowed();
    Write(PMUV3_PMCCNTR, 0x10);
    Capture();
    EXPECT_EQ(Read(PMUV3_PMSSCR), 0u);
    Write(PMUV3_MDCR_EL3, static_cast<uint64_t>(sse) << 30);
    Write(PMUV3_PMCCNTR, 0x20);
    Capture();
    EXPECT_EQ(Read(PMUV3_PMSSCR), sse == kProhibited ? kNc : 0);
    EXPECT_EQ(Read(PMUV3_PMCCNTSVR), 0x10u);
    Allow();
    EXPECT_EQ(Read(PMUV3_PMSSCR), sse == kProhibited ? kNc : 0) << "until the next capture";
    Capture();
    EXPECT_EQ(Read(PMUV3_PMSSCR), 0u);
    EXPECT_EQ(Read(PMUV3_PMCCNTSVR), 0x20u);
  }
}

// Only a write of 1 to SS is a request; NC is read-only.
TEST_P(SnapshotTest, Request) {
  BuildAllowed();
  Write(PMUV3_PMCCNTR, 7);
  for (const uint64_t none : {UINT64_C(0), UINT64_C(2), kNc, ~UINT64_C(1)}) {
    Write(PMUV3_PMSSCR, none);
    EXPECT_EQ(Read(PMUV3_PMSSCR), kNc);
    EXPECT_EQ(Read(PMUV3_PMCCNTSVR), 0u);
  }
  Write(PMUV3_PMSSCR, ~UINT64_C(0));
  EXPECT_EQ(Read(PMUV3_PMSSCR), 0u);
  EXPECT_EQ(Read(PMUV3_PMCCNTSVR), 7u);
}

// RVLKCZ: every counter is copied to its own register.
TEST_P(SnapshotTest, CopiesEveryCounter) {
  for (const int counters : {0, 1, 8, 31}) {
    SCOPED_TRACE(counters);
    BuildAllowed("features=ICNTR,SS counters=" + std::to_string(counters));
    for (int n = 0; n < counters; n++) Write(PMUV3_PMEVCNTRn(n), UINT64_C(0xFEDC000000000000) + n);
    Write(PMUV3_PMCCNTR, 0xABCDEF0123456789);
    Write(PMUV3_PMICNTR, 0x9876543210FEDCBA);
    Capture();
    const pmuv3_probe probe = Probe();
    for (int n = 0; n < PMUV3_LANES; n++)
      EXPECT_EQ(probe.svr[n], n < counters ? UINT64_C(0xFEDC000000000000) + n : 0) << n;
    for (int n = 0; n < counters; n++)
      EXPECT_EQ(Read(PMUV3_PMEVCNTSVRn(n)), UINT64_C(0xFEDC000000000000) + n) << n;
    EXPECT_EQ(Read(PMUV3_PMCCNTSVR), 0xABCDEF0123456789u);
    EXPECT_EQ(Read(PMUV3_PMICNTSVR), 0x9876543210FEDCBAu);
  }
}

// A capture in the clock of a cycle copies the counters after the cycle. Flags are the same without
// the capture.
TEST_P(SnapshotTest, InCycle) {
  BuildAllowed();
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_CHAIN));
  Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF);
  Enable(0x180000003);
  CycleWriting(PMUV3_PMSSCR, 1, {{PMUV3_EVENT_INST_RETIRED, 3}});
  EXPECT_EQ(Read(PMUV3_PMSSCR), 0u);
  EXPECT_EQ(Read(PMUV3_PMEVCNTSVRn(0)), 0x100000002u);
  EXPECT_EQ(Read(PMUV3_PMEVCNTSVRn(1)), 1u);
  EXPECT_EQ(Read(PMUV3_PMCCNTSVR), 1u);
  EXPECT_EQ(Read(PMUV3_PMICNTSVR), 3u);
  EXPECT_EQ(Read(PMUV3_PMOVSSET), 0x1u);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 3}});
  EXPECT_EQ(Read(PMUV3_PMEVCNTSVRn(0)), 0x100000002u);
  EXPECT_EQ(Counter(0), 0x100000005u);
}

// In one clock, each thread's own state decides about its capture.
TEST_P(SnapshotTest, Threads) {
  Build("counters=2 threads=2 features=SS");
  for (unsigned t : {0u, 1u}) {
    Write(t, PMUV3_MDCR_EL3, kAllowedAtEl3);
    Write(t, PMUV3_PMCCNTR, 0x10 + t);
  }
  SetPe(0, Pe().Oslk());
  CycleWriting({{0, PMUV3_PMSSCR, 1}, {1, PMUV3_PMSSCR, 1}});
  EXPECT_EQ(Read(0, PMUV3_PMSSCR), kNc);
  EXPECT_EQ(Read(0, PMUV3_PMCCNTSVR), 0u);
  EXPECT_EQ(Read(1, PMUV3_PMSSCR), 0u);
  EXPECT_EQ(Read(1, PMUV3_PMCCNTSVR), 0x11u);
}

// A request in the external view has the effect of MSR. EPMSSAD decides who may make the request.
TEST_P(SnapshotTest, External) {
  BuildAllowed("counters=2 features=SS,EXT64");
  Write(PMUV3_PMCCNTR, 0x123456789A);
  EXPECT_TRUE(pmuv3_side_external_write(side(), 0, PMUV3_S, 0xE30, 1));
  uint32_t value = 1;
  EXPECT_TRUE(pmuv3_side_external_read(side(), 0, PMUV3_S, 0xE34, &value));
  EXPECT_EQ(value, 0u) << "NC";
  EXPECT_TRUE(pmuv3_side_external_read(side(), 0, PMUV3_S, 0x6F8, &value));
  EXPECT_EQ(value, 0x3456789Au);
  EXPECT_EQ(Read(PMUV3_PMCCNTSVR), 0x123456789Au);
  Write(PMUV3_PMCCNTR, 5);
  EXPECT_FALSE(pmuv3_side_external_write(side(), 0, PMUV3_NS, 0xE30, 1));
  EXPECT_EQ(Read(PMUV3_PMCCNTSVR), 0x123456789Au);
}

// MSR PMSSCR_EL1 below EL3 needs EnPMSS.
TEST_P(SnapshotTest, Checked) {
  BuildAllowed();
  Write(PMUV3_PMCCNTR, 5);
  EXPECT_EQ(Msr(PMUV3_PMSSCR, 1), PMUV3_TRAP_EL3);
  EXPECT_EQ(Read(PMUV3_PMSSCR), kNc);
  Write(PMUV3_MDCR_EL3, kAllowedAtEl3 | UINT64_C(1) << 44);
  EXPECT_EQ(Msr(PMUV3_PMSSCR, 1), PMUV3_DONE);
  EXPECT_EQ(Mrs(PMUV3_PMCCNTSVR), 5u);
  EXPECT_EQ(Msr(PMUV3_PMCCNTSVR, 1), PMUV3_UNDEFINED);
}

// ---- Requests from outside (I-14) ----

// A request does what a write of SS does: it copies the values after the cycle, or it is prohibited
// or disabled.
TEST_P(SnapshotTest, RequestFromOutside) {
  for (const int sse : {kDisabled, kDelegate, kProhibited, kAllowed}) {
    SCOPED_TRACE(sse);
    BuildAllowed();
    Write(PMUV3_PMCCNTR, 4);
    Capture();
    ASSERT_EQ(Read(PMUV3_PMSSCR), 0u);
    Write(PMUV3_MDCR_EL3, static_cast<uint64_t>(sse) << 30);
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
    Enable(0x180000001);
    CycleCapturing(1, {{PMUV3_EVENT_INST_RETIRED, 3}});
    EXPECT_EQ(Read(PMUV3_PMSSCR), sse == kProhibited ? kNc : 0);
    EXPECT_EQ(Read(PMUV3_PMEVCNTSVRn(0)), sse == kAllowed ? 3u : 0u);
    EXPECT_EQ(Read(PMUV3_PMCCNTSVR), sse == kAllowed ? 5u : 4u);
    EXPECT_EQ(Read(PMUV3_PMICNTSVR), sse == kAllowed ? 3u : 0u);
  }
}

TEST_P(SnapshotTest, RequestWhileLockedOrHalted) {
  for (const pmuv3_pe &pe : {pmuv3_pe(Pe().Oslk()), pmuv3_pe(Pe().Halted())}) {
    BuildAllowed();
    Write(PMUV3_PMCCNTR, 4);
    Capture();
    SetPe(pe);
    Write(PMUV3_PMCCNTR, 9);
    CycleCapturing(1);
    EXPECT_EQ(Read(PMUV3_PMSSCR), kNc);
    EXPECT_EQ(Read(PMUV3_PMCCNTSVR), 4u);
  }
}

// The registers as they were decide about a request. It copies what a write of the clock leaves.
TEST_P(SnapshotTest, RequestBesideAWrite) {
  BuildAllowed();
  CycleCapturing(1, {}, {{0, PMUV3_PMCCNTR, 0x77}});
  EXPECT_EQ(Read(PMUV3_PMCCNTSVR), 0x77u);
  Write(PMUV3_PMCCNTR, 0x88);
  CycleCapturing(1, {}, {{0, PMUV3_MDCR_EL3, 0}});
  EXPECT_EQ(Read(PMUV3_PMCCNTSVR), 0x88u);
  Write(PMUV3_PMCCNTR, 0x99);
  CycleCapturing(1, {}, {{0, PMUV3_MDCR_EL3, kAllowedAtEl3}});
  EXPECT_EQ(Read(PMUV3_PMCCNTSVR), 0x88u);
  EXPECT_EQ(Read(PMUV3_PMSSCR), 0u) << "disabled as it was, so not prohibited";
}

// Each thread has requests of its own.
TEST_P(SnapshotTest, RequestsOfThreads) {
  Build("counters=2 threads=3 features=SS");
  for (unsigned t : {0u, 1u, 2u}) {
    Write(t, PMUV3_MDCR_EL3, kAllowedAtEl3);
    Write(t, PMUV3_PMCCNTR, 0x10 + t);
  }
  CycleCapturing(0b101);
  EXPECT_EQ(Read(0, PMUV3_PMCCNTSVR), 0x10u);
  EXPECT_EQ(Read(1, PMUV3_PMCCNTSVR), 0u);
  EXPECT_EQ(Read(1, PMUV3_PMSSCR), kNc);
  EXPECT_EQ(Read(2, PMUV3_PMCCNTSVR), 0x12u);
}

TEST_P(SnapshotTest, RequestWithoutSnapshots) {
  Build("counters=2");
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_PMU_SNAPSHOT));
  Enable(1);
  for (int i = 0; i < 3; i++) CycleCapturing(1);
  EXPECT_EQ(Counter(0), 0u);
}

// ---- PMU_SNAPSHOT ----

class SnapshotEventTest : public SnapshotTest {
 protected:
  // Counter 0 counts PMU_SNAPSHOT, and captures are allowed.
  void BuildCounting(const std::string &settings = "counters=3 features=ICNTR,SS") {
    BuildAllowed(settings);
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_PMU_SNAPSHOT));
    Enable(1);
  }
};
PMUV3_ON_BOTH_SIDES(SnapshotEventTest);

// D13.9-1: the event is not in the captured values. The next cycle counts it, once.
TEST_P(SnapshotEventTest, CountsInTheNextCycle) {
  BuildCounting();
  CycleWriting(PMUV3_PMSSCR, 1);
  EXPECT_EQ(Counter(0), 0u);
  EXPECT_EQ(Read(PMUV3_PMEVCNTSVRn(0)), 0u);
  Cycle();
  EXPECT_EQ(Counter(0), 1u);
  Cycle();
  EXPECT_EQ(Counter(0), 1u);
  CycleCapturing(1);
  EXPECT_EQ(Counter(0), 1u);
  CycleCapturing(1);
  EXPECT_EQ(Counter(0), 2u);
  EXPECT_EQ(Read(PMUV3_PMEVCNTSVRn(0)), 2u);
  Cycle();
  EXPECT_EQ(Counter(0), 3u);
}

// Captures between the same two cycles are one occurrence.
TEST_P(SnapshotEventTest, CapturesBetweenTwoCyclesAreOne) {
  BuildCounting();
  CycleCapturing(1, {}, {{0, PMUV3_PMSSCR, 1}});
  Capture();
  Capture();
  Cycle();
  EXPECT_EQ(Counter(0), 1u);
  Cycle();
  EXPECT_EQ(Counter(0), 1u);
}

// "PMSSCR_EL1.NC is set to 0": what is disabled or prohibited is no event.
TEST_P(SnapshotEventTest, OnlySuccessfulCaptures) {
  for (const int sse : {kDisabled, kDelegate, kProhibited}) {
    BuildCounting();
    Write(PMUV3_MDCR_EL3, static_cast<uint64_t>(sse) << 30);
    CycleCapturing(1);
    Capture();
    Cycle();
    EXPECT_EQ(Counter(0), 0u) << sse;
  }
}

// The state and the registers of the cycle that counts the event judge it, as those of SW_INCR.
TEST_P(SnapshotEventTest, IsJudgedWhereItCounts) {
  BuildCounting();
  Capture();
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_PMU_SNAPSHOT).P());
  Cycle();
  EXPECT_EQ(Counter(0), 0u) << "EL1 is filtered";
  Capture();
  SetPe(Pe(0, PMUV3_NS));
  Cycle();
  EXPECT_EQ(Counter(0), 1u);
  Capture();
  SetPe(Pe(0, PMUV3_NS).Halted());
  Cycle();
  EXPECT_EQ(Counter(0), 1u) << "in Debug state";
  SetPe(Pe(0, PMUV3_NS));
  Cycle();
  EXPECT_EQ(Counter(0), 1u) << "the event is over";
}

TEST_P(SnapshotEventTest, AWarmResetDropsIt) {
  for (const char *settings : {"counters=3 features=SS", "counters=3 features=SS,EXTPMN"}) {
    BuildCounting(settings);
    CycleCapturing(1);
    Reset();
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_PMU_SNAPSHOT));
    Enable(1);
    Cycle();
    EXPECT_EQ(Counter(0), 0u) << settings;
  }
}

// With MT = 1 a counter counts the captures of every eligible thread; with MT = 0 of its own.
TEST_P(SnapshotEventTest, Multithreaded) {
  Build("counters=2 threads=3 features=SS,MTPMU");
  for (unsigned t : {0u, 1u, 2u})
    Write(t, PMUV3_MDCR_EL3, kAllowedAtEl3 | PMUV3_MASK(MDCR_EL3, MTPME));
  Write(0, PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_PMU_SNAPSHOT).Mt());
  Write(0, PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_PMU_SNAPSHOT));
  Enable(0, 0b11);
  CycleCapturing(0b111);
  Cycle();
  EXPECT_EQ(Counter(0, 0), 3u);
  EXPECT_EQ(Counter(0, 1), 1u);
  CycleCapturing(0b110);
  SetPe(2, Pe().Halted());
  Cycle();
  EXPECT_EQ(Counter(0, 0), 4u) << "thread 2 is in Debug state where the event counts";
  EXPECT_EQ(Counter(0, 1), 1u);
}

}  // namespace
}  // namespace pmuv3
