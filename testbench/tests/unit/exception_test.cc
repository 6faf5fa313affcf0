// exception: whether an overflow is an interrupt or the PMU Profiling exception, and the
// exception's target and mask (D13.3, EBEP and SEBEP). Every PMEE in every state, against the
// rules' decision steps.
#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

constexpr int kSync = PMUV3_PMEVTYPER_SYNC_LSB;

// PMEE at EL3 and EL2. At EL1, 0b01 is reserved and behaves as kNeither (K-PMEE-RES).
enum Pmee { kInterrupt = 0b00, kDelegate = 0b01, kNeither = 0b10, kException = 0b11 };

struct Setting {
  int el3, el2, el1;  // PMEE
  bool kpme;
};

// A state, whether EL3 exists, and whether EL2 is enabled in the state.
struct State {
  const char *settings;
  pmuv3_pe pe;
  bool el3, el2_enabled;
};

// The decision of an Exception level (RGWLVY).
struct Decision {
  int pmee;
  unsigned target;
};

Decision Decide(const Setting &setting, const State &state) {
  if (state.el3 && setting.el3 != kDelegate) return {setting.el3, 3};
  if (state.el2_enabled && setting.el2 != kDelegate) return {setting.el2, 2};
  return {setting.el1 == kDelegate ? kNeither : setting.el1,
          state.el2_enabled && state.pe.tge ? 2u : 1u};
}

// RSCBDZ, RKBPMJ
bool Masked(const Setting &setting, const State &state, unsigned target) {
  if (state.pe.halted || target < state.pe.el) return true;
  if (target > state.pe.el) return false;
  return (target == 2 && setting.el2 != kException) || !setting.kpme || state.pe.pm;
}

class ExceptionTest : public SideTest {
 protected:
  void Set(const Setting &setting) {
    const uint64_t hpmn = params().counters;
    Write(PMUV3_MDCR_EL3, static_cast<uint64_t>(setting.el3) << PMUV3_MDCR_EL3_PMEE_LSB);
    Write(PMUV3_MDCR_EL2, static_cast<uint64_t>(setting.el2) << PMUV3_MDCR_EL2_PMEE_LSB | hpmn);
    Write(PMUV3_PMECR, (setting.kpme ? 0b100 : 0) | setting.el1);
  }

  // Every PMEE and KPME in a state: without a flag, with the flag of an asynchronous counter, of a
  // synchronous counter, and of both.
  void CheckAll(const State &state) {
    Build(state.settings);
    SetPe(state.pe);
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
    Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_INST_RETIRED).Sync());
    Write(PMUV3_PMCNTENSET, 0x2);  // the synchronous counter needs its enable
    Write(PMUV3_PMINTENSET, 0x3);
    Write(PMUV3_PMCR, 1);
    for (int i = 0; i < 128; i++) {
      const Setting setting = {i & 3, i >> 2 & 3, i >> 4 & 3, Bit(i, 6) != 0};
      SCOPED_TRACE(::testing::Message()
                   << state.settings << " el" << int{state.pe.el} << " ss " << int{state.pe.ss}
                   << " EEL2 " << state.pe.eel2 << " TGE " << state.pe.tge << " PM " << state.pe.pm
                   << " halted " << state.pe.halted << " PMEE " << setting.el3 << setting.el2
                   << setting.el1 << " KPME " << setting.kpme);
      Set(setting);
      const Decision decision = Decide(setting, state);
      const bool taken = decision.pmee == kException && !Masked(setting, state, decision.target);
      for (unsigned flags = 0; flags < 4; flags++) {
        Write(PMUV3_PMOVSCLR, 0x3);
        Write(PMUV3_PMOVSSET, flags);
        EXPECT_EQ(Cti(), flags != 0);
        EXPECT_EQ(Irq(), flags != 0 && decision.pmee == kInterrupt);
        EXPECT_EQ(Exception(), taken && flags ? decision.target << 2 | flags : 0u);
      }
    }
    const pmuv3_probe probe = Probe();
    EXPECT_EQ(probe.irq, Irq() ? 1u : 0u);
    EXPECT_EQ(probe.cti, Cti() ? 1u : 0u);
    EXPECT_EQ(probe.exception, Exception());
  }

  // In Debug state and outside, with PM = 0 and 1.
  void CheckMasks(State state) {
    for (const bool halted : {false, true})
      for (const bool pm : {false, true}) {
        state.pe.halted = halted;
        state.pe.pm = pm;
        CheckAll(state);
      }
  }
};
PMUV3_ON_BOTH_SIDES(ExceptionTest);

TEST_P(ExceptionTest, NonSecure) {
  for (unsigned el = 0; el < 3; el++) CheckMasks({"", Pe(el, PMUV3_NS), true, true});
}

TEST_P(ExceptionTest, Host) {
  for (const unsigned el : {0u, 2u}) {
    CheckMasks({"", Pe(el, PMUV3_NS).Tge(), true, true});
    CheckMasks({"", Pe(el, PMUV3_NS).Tge().E2h(), true, true});
  }
}

TEST_P(ExceptionTest, Secure) {
  for (unsigned el = 0; el < 2; el++) {
    CheckMasks({"", Pe(el, PMUV3_S), true, false});
    CheckMasks({"", Pe(el, PMUV3_S).Tge(), true, false});
    CheckMasks({"", Pe(el, PMUV3_S).Eel2(), true, true});
  }
  CheckMasks({"", Pe(2, PMUV3_S).Eel2(), true, true});
}

// IsSecureEL2Enabled(): EEL2 is ignored if EL3 uses AArch32. At EL3 itself, EEL2 is SCR.NS.
TEST_P(ExceptionTest, AArch32AtEl3) {
  constexpr char kNoRme[] = "features=SEBEP,SEL2";
  for (unsigned el = 0; el < 2; el++) {
    CheckMasks({kNoRme, Pe(el, PMUV3_S).Eel2().A32El3(), true, false});
    CheckMasks({kNoRme, Pe(el, PMUV3_S).Eel2().A32El1(), true, true});
    CheckMasks({kNoRme, Pe(el, PMUV3_NS).A32El3(), true, true});
  }
  CheckMasks({kNoRme, Pe(3, PMUV3_S).A32El3(), true, false});
  CheckMasks({kNoRme, Pe(3, PMUV3_S).Eel2().A32El3(), true, true});
}

TEST_P(ExceptionTest, Realm) {
  for (unsigned el = 0; el < 3; el++) CheckMasks({"", Pe(el, PMUV3_RL), true, true});
}

TEST_P(ExceptionTest, El3) {
  CheckMasks({"", Pe(3, PMUV3_RT), true, false});
  CheckMasks({"", Pe(3, PMUV3_RT).Eel2(), true, true});
  CheckMasks({"features=SEBEP", Pe(3, PMUV3_S), true, false});
}

TEST_P(ExceptionTest, WithoutEl3) {
  for (unsigned el = 0; el < 3; el++) CheckMasks({"el3=0", Pe(el, PMUV3_NS), false, true});
}

TEST_P(ExceptionTest, WithoutEl2) {
  for (unsigned el = 0; el < 2; el++) CheckMasks({"el2=0", Pe(el, PMUV3_NS), true, false});
  CheckMasks({"el2=0 features=SEBEP", Pe(3, PMUV3_S), true, false});
}

TEST_P(ExceptionTest, WithNeither) {
  for (unsigned el = 0; el < 2; el++) CheckMasks({"el2=0 el3=0", Pe(el, PMUV3_NS), false, false});
}

// RCXBNL: without EBEP PMEE is RES0, and PMUIRQ is always enabled.
TEST_P(ExceptionTest, WithoutEbep) {
  Build("features=PMUv3p9");
  Write(PMUV3_MDCR_EL3, UINT64_C(0b11) << PMUV3_MDCR_EL3_PMEE_LSB);
  Write(PMUV3_MDCR_EL2, UINT64_C(0b11) << PMUV3_MDCR_EL2_PMEE_LSB | 6);
  Write(PMUV3_PMINTENSET, 0x1);
  Write(PMUV3_PMOVSSET, 0x1);
  Write(PMUV3_PMCR, 1);
  EXPECT_TRUE(Irq());
  EXPECT_TRUE(Cti());
  EXPECT_EQ(Exception(), 0u);
}

// The exceptions that a flag raises while an exception to EL3 is enabled.
constexpr unsigned kNothing = 0, kAsynchronous = 3 << 2 | 0b01, kSynchronous = 3 << 2 | 0b10;

// RSSVKV, RKBPMJ, RXLMVX: SYNC = 1 makes a counter with a synchronous event synchronous. A counter
// with another event then raises nothing. SYNC = 0 makes a counter asynchronous. Without SEBEP
// every counter is asynchronous.
TEST_P(ExceptionTest, Synchronous) {
  for (const char *settings : {"", "features=EBEP,ICNTR"}) {
    SCOPED_TRACE(settings);
    Build(settings);
    const bool sebep = *settings == '\0';
    Set({kException, 0, 0, false});
    Write(PMUV3_PMCNTENSET, ~UINT64_C(0));
    Write(PMUV3_PMINTENSET, ~UINT64_C(0));
    Write(PMUV3_PMCR, 1);
    const pmuv3_events &events = params().events;
    for (int e = 0; e < events.num; e++) {
      const uint16_t number = events.event[e].number;
      // D14.7: events that support synchronous mode in every implementation.
      const bool synchronous = number == 0x0000 || number == 0x0008 || number == 0x000C ||
                               number == 0x0021 || number == 0x0022 || number == 0x811F;
      for (const bool sync : {false, true}) {
        Write(PMUV3_PMEVTYPERn(4), Type(number).Sync(sync));
        Write(PMUV3_PMOVSSET, 0x10);
        EXPECT_EQ(Exception(), !sync || !sebep ? kAsynchronous
                               : synchronous   ? kSynchronous
                                               : kNothing)
            << "event " << std::hex << number << " SYNC " << sync;
        EXPECT_TRUE(Cti());
        Write(PMUV3_PMOVSCLR, 0x10);
      }
    }
  }
}

// RFCXWT, RKYPTP: PMICFILTR.SYNC makes the instruction counter synchronous. The cycle counter never
// is.
TEST_P(ExceptionTest, SynchronousFixed) {
  for (const char *settings : {"", "features=EBEP,ICNTR"}) {
    SCOPED_TRACE(settings);
    Build(settings);
    const bool sebep = *settings == '\0';
    Set({kException, 0, 0, false});
    Write(PMUV3_PMCNTENSET, ~UINT64_C(0));
    Write(PMUV3_PMINTENSET, ~UINT64_C(0));
    Write(PMUV3_PMCR, 1);
    for (const bool sync : {false, true}) {
      const uint64_t filter = static_cast<uint64_t>(sync) << kSync;
      Write(PMUV3_PMICFILTR, filter);
      Write(PMUV3_PMCCFILTR, filter);
      Write(PMUV3_PMOVSSET, UINT64_C(1) << 32);
      EXPECT_EQ(Exception(), sebep && sync ? kSynchronous : kAsynchronous);
      Write(PMUV3_PMOVSCLR, UINT64_C(1) << 32);
      Write(PMUV3_PMOVSSET, UINT64_C(1) << 31);
      EXPECT_EQ(Exception(), kAsynchronous);
      Write(PMUV3_PMOVSCLR, UINT64_C(1) << 31);
    }
  }
}

// RNZLVW, RMQDPX: a counter in synchronous mode also needs its own enable. Other counters do not.
TEST_P(ExceptionTest, SynchronousNeedsEnable) {
  Build("counters=31");
  Set({kException, 0, 0, false});
  Write(PMUV3_PMINTENSET, ~UINT64_C(0));
  Write(PMUV3_PMCR, 1);
  for (int n = 0; n < 33; n++)
    for (const bool sync : {false, true}) {
      if (n == 31 && sync) continue;  // the cycle counter has no SYNC
      SCOPED_TRACE(::testing::Message() << n << " SYNC " << sync);
      const uint64_t bit = UINT64_C(1) << n;
      if (n < 31) Write(PMUV3_PMEVTYPERn(n), Type(PMUV3_EVENT_INST_RETIRED).Sync(sync));
      if (n == 32) Write(PMUV3_PMICFILTR, Type().Sync(sync));
      Write(PMUV3_PMOVSSET, bit);
      Write(PMUV3_PMCNTENSET, ~bit);
      Write(PMUV3_PMCNTENCLR, bit);
      EXPECT_EQ(Exception(), sync ? kNothing : kAsynchronous);
      EXPECT_TRUE(Cti());
      Write(PMUV3_PMCNTENCLR, ~UINT64_C(0));
      Write(PMUV3_PMCNTENSET, bit);
      EXPECT_EQ(Exception(), sync ? kSynchronous : kAsynchronous);
      Write(PMUV3_PMOVSCLR, bit);
    }
}

// RQZJKS, RNTZHW: while the exception is enabled, masked or not, the Effective values of LP, HLP
// and LC are 1. The state of the cycle decides.
TEST_P(ExceptionTest, LongWhileEnabled) {
  struct {
    Setting setting;
    pmuv3_pe pe;
    bool enabled;
  } const cases[] = {
      {{kInterrupt, 3, 3, true}, Pe(1, PMUV3_NS), false},
      {{kNeither, 3, 3, true}, Pe(1, PMUV3_NS), false},
      {{kException, 0, 0, false}, Pe(1, PMUV3_NS), true},
      {{kDelegate, kException, 0, false}, Pe(1, PMUV3_NS), true},
      {{kDelegate, kException, 0, false}, Pe(1, PMUV3_S), false},
      {{kDelegate, kException, 0, false}, Pe(1, PMUV3_S).Eel2(), true},
      {{kDelegate, kDelegate, kException, false}, Pe(1, PMUV3_NS), true},      // masked: KPME
      {{kDelegate, kDelegate, kException, true}, Pe(1, PMUV3_NS).Pm(), true},  // masked: PM
      {{kDelegate, kDelegate, kDelegate, true}, Pe(1, PMUV3_NS), false},
      {{kDelegate, kDelegate, kInterrupt, true}, Pe(1, PMUV3_NS), false},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << "PMEE " << c.setting.el3 << c.setting.el2 << c.setting.el1
                                      << " ss " << int{c.pe.ss} << " EEL2 " << c.pe.eel2);
    Build("counters=3");
    SetPe(c.pe);
    Set(c.setting);
    Write(PMUV3_MDCR_EL3, Read(PMUV3_MDCR_EL3) | 1 << PMUV3_MDCR_EL3_SPME_LSB);
    Write(PMUV3_MDCR_EL2, (Read(PMUV3_MDCR_EL2) & ~UINT64_C(0x1F)) | 0x82);  // HPME, HPMN = 2
    for (int n : {0, 1, 2}) {
      Write(PMUV3_PMEVTYPERn(n), Type(PMUV3_EVENT_INST_RETIRED));
      Write(PMUV3_PMEVCNTRn(n), 0xFFFFFFFF);
    }
    Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_CHAIN));
    Write(PMUV3_PMEVCNTRn(1), 0);
    Write(PMUV3_PMCCNTR, 0xFFFFFFFF);
    Write(PMUV3_PMCNTENSET, 0x80000007);
    Write(PMUV3_PMCR, 1);
    Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
    EXPECT_EQ(Read(PMUV3_PMOVSSET), c.enabled ? 0 : 0x80000005u);
    EXPECT_EQ(Counter(1), c.enabled ? 0u : 1u) << "CHAIN";
    Write(PMUV3_PMCR, 0b1001);  // D
    Cycle();
    EXPECT_EQ(Read(PMUV3_PMCCNTR), c.enabled ? 0x100000001u : 0x100000000u) << "D";
  }
}

// Without PMUv3p5 counters stay 32 bits wide. The cycle counter has 64 bits (RNTZHW).
TEST_P(ExceptionTest, CountersOf32BitsWhileEnabled) {
  Build("counters=2 el2=0 el3=0 features=EBEP");
  SetPe(Pe(0, PMUV3_NS));
  Set({0, 0, kException, false});
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_CHAIN));
  Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF);
  Write(PMUV3_PMCCNTR, 0xFFFFFFFF);
  Enable(0x80000003);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
  EXPECT_EQ(Read(PMUV3_PMOVSSET), 0x1u);
  EXPECT_EQ(Counter(0), 0u);
  EXPECT_EQ(Counter(1), 1u);
  EXPECT_EQ(Read(PMUV3_PMCCNTR), 0x100000000u);
}

// Each thread's exception depends on its own registers and state.
TEST_P(ExceptionTest, Threads) {
  Build("counters=2 threads=2");
  for (unsigned t : {0u, 1u}) {
    Write(t, PMUV3_PMINTENSET, 0x1);
    Write(t, PMUV3_PMCR, 1);
  }
  Write(1, PMUV3_MDCR_EL3, UINT64_C(0b11) << PMUV3_MDCR_EL3_PMEE_LSB);
  Write(1, PMUV3_PMOVSSET, 0x1);
  EXPECT_EQ(Exception(0), 0u);
  EXPECT_EQ(Exception(1), 3u << 2 | 1);
  EXPECT_FALSE(Irq(0) || Cti(0) || Irq(1));
  EXPECT_TRUE(Cti(1));
  SetPe(0, Pe().Halted());
  EXPECT_EQ(Exception(1), 3u << 2 | 1);
  SetPe(1, Pe().Halted());
  EXPECT_EQ(Exception(1), 0u);
}

// ---- Consumers of overflow (I-10, I-11) ----

// CheckPMUHalt: the level of the CTI, with EDECR.PME. PMEE and SYNC do not matter.
TEST_P(ExceptionTest, HaltRequest) {
  Build("counters=4");
  Write(PMUV3_PMINTENSET, 0b11);
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_INST_RETIRED).Sync());
  Write(PMUV3_PMCR, 1);
  for (unsigned flags = 0; flags < 8; flags++)
    for (int pmee = 0; pmee < 4; pmee++)
      for (const bool pme : {false, true}) {
        SCOPED_TRACE(::testing::Message() << flags << " PMEE " << pmee << " PME " << pme);
        SetPe(Pe().Pme(pme));
        Write(PMUV3_MDCR_EL3, static_cast<uint64_t>(pmee) << PMUV3_MDCR_EL3_PMEE_LSB);
        Write(PMUV3_PMOVSCLR, 0b111);
        Write(PMUV3_PMOVSSET, flags);
        const bool signals = (flags & 0b11) != 0;  // counter 2 has no enable of the interrupt
        EXPECT_EQ(Cti(), signals);
        EXPECT_EQ(Halt(), signals && pme);
        EXPECT_EQ(Probe().halt, signals && pme ? 1u : 0u);
      }
  Write(PMUV3_PMCR, 0);
  EXPECT_FALSE(Halt()) << "PMCR_EL0.E is 0";
}

// Whether halting is allowed is the core's: the request stands in Debug state.
TEST_P(ExceptionTest, HaltRequestInDebugState) {
  Write(PMUV3_PMINTENSET, 1);
  Write(PMUV3_PMCR, 1);
  Write(PMUV3_PMOVSSET, 1);
  SetPe(Pe().Pme().Halted());
  EXPECT_TRUE(Halt());
}

TEST_P(ExceptionTest, HaltRequestNeedsBothFeatures) {
  for (const char *features : {"PMUv3p9", "PMUv3p8,Debugv8p9", "Debugv8p9"}) {
    Build(std::string("features=") + features);
    Write(PMUV3_PMINTENSET, 1);
    Write(PMUV3_PMCR, 1);
    Write(PMUV3_PMOVSSET, 1);
    SetPe(Pe().Pme());
    EXPECT_TRUE(Cti());
    EXPECT_FALSE(Halt()) << features;
  }
}

// CheckPMUOverflowCondition, for BRBEFreeze: the flags of a range, without enables. The cycle
// counter, the third range and counters in synchronous mode never freeze.
TEST_P(ExceptionTest, BrbeFreeze) {
  Build("counters=6 features=ICNTR,SEBEP,EXTPMN,EXT64");
  Write(PMUV3_MDCR_EL2, 2);
  EXPECT_TRUE(pmuv3_side_external_write(side(), 0, PMUV3_S, 0xE58, 4));  // PMCCR.EPMN
  const struct {
    uint64_t flag;
    unsigned freezes;
  } cases[] = {
      {0, 0},
      {UINT64_C(1) << 0, 1},  // R1
      {UINT64_C(1) << 1, 1},
      {UINT64_C(1) << 2, 2},  // R2
      {UINT64_C(1) << 3, 2},
      {UINT64_C(1) << 4, 0},  // R3
      {UINT64_C(1) << 5, 0},
      {UINT64_C(1) << 31, 0},  // C
      {UINT64_C(1) << 32, 1},  // F0
      {UINT64_C(0b1001), 3},
  };
  for (const bool sync : {false, true})
    for (const auto &c : cases) {
      SCOPED_TRACE(::testing::Message() << std::hex << c.flag << " SYNC " << sync);
      for (int n = 0; n < 4; n++)
        Write(PMUV3_PMEVTYPERn(n), Type(PMUV3_EVENT_INST_RETIRED).Sync(sync));
      Write(PMUV3_PMICFILTR, Type().Sync(sync));
      // PMOVS, which reaches the counters of the third range, too.
      EXPECT_TRUE(
          pmuv3_side_external_write(side(), 0, PMUV3_S, 0xC90, static_cast<uint32_t>(c.flag)));
      EXPECT_TRUE(pmuv3_side_external_write(side(), 0, PMUV3_S, 0xC94,
                                            static_cast<uint32_t>(c.flag >> 32)));
      ASSERT_EQ(Probe().overflow, c.flag & 0x7FFFFFFF);
      EXPECT_EQ(Brbe(), sync ? 0u : c.freezes);
      EXPECT_EQ(Probe().brbe, sync ? 0u : c.freezes);
    }
}

TEST_P(ExceptionTest, BrbeFreezeWithoutEl2) {
  Build("counters=6 el2=0");
  for (int n = 0; n < 6; n++) {
    Write(PMUV3_PMOVSCLR, 0x3F);
    Write(PMUV3_PMOVSSET, UINT64_C(1) << n);
    EXPECT_EQ(Brbe(), 1u) << n;
  }
}

}  // namespace
}  // namespace pmuv3
