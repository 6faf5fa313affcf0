// instruction counter: PMICNTR_EL0 counts INST_RETIRED of its thread (D.4, D.5, CYC-6). exhaustive/
// tests the filter and the prohibitions.
#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

constexpr uint64_t kE = 1, kFzo = 1 << 9;
constexpr uint64_t kBitC = UINT64_C(1) << 31, kBitF0 = UINT64_C(1) << 32;
constexpr pmuv3_event_number kInstructions = PMUV3_EVENT_INST_RETIRED;

class InstructionCounterTest : public SideTest {
 protected:
  uint64_t Instructions() { return Read(PMUV3_PMICNTR); }

  void CountWith(uint64_t pmcr = 0) {
    Write(PMUV3_PMCNTENSET, kBitF0);
    Write(PMUV3_PMCR, pmcr | kE);
  }

  // The increment of a cycle with these occurrences.
  uint64_t Counts(std::initializer_list<Occurrence> occurrences) {
    const uint64_t before = Instructions();
    Cycle(occurrences);
    EXPECT_EQ(Probe().pmicntr, Instructions());
    return Instructions() - before;
  }
};
PMUV3_ON_BOTH_SIDES(InstructionCounterTest);

// ---- Occurrences that count ----

TEST_P(InstructionCounterTest, InstructionsAlone) {
  for (const char *counters : {"counters=0", "counters=6", "counters=31"}) {
    Build(counters);
    CountWith();
    EXPECT_EQ(Counts({{kInstructions, 0}}), 0u);
    EXPECT_EQ(Counts({{kInstructions, 255}}), 255u);
    EXPECT_EQ(Counts({{PMUV3_EVENT_BR_PRED, 7}, {PMUV3_EVENT_STALL, 1}}), 0u);
    EXPECT_EQ(Instructions(), 255u);
  }
}

// Attributable in both contexts, and Unattributable: at most 765.
TEST_P(InstructionCounterTest, OriginsSum) {
  CountWith();
  EXPECT_EQ(Counts({Occurrence(kInstructions, 255), Occurrence(kInstructions, 255).In(0, PMUV3_NS),
                    Occurrence(kInstructions, 255).Unattributable()}),
            765u);
}

// D.5: only PMCR.E and PMCNTEN.F0 enable the counter.
TEST_P(InstructionCounterTest, Enables) {
  for (int e : {0, 1})
    for (int enabled : {0, 1})
      for (int hpme : {0, 1}) {
        SCOPED_TRACE(::testing::Message() << "E=" << e << " F0=" << enabled << " HPME=" << hpme);
        Build("counters=2");
        Write(PMUV3_MDCR_EL2, hpme << 7);  // HPMN = 0: no event counter is of the first range
        Write(PMUV3_PMCNTENSET, enabled ? kBitF0 : kBitC);
        Write(PMUV3_PMCR, e);
        EXPECT_EQ(Counts({{kInstructions, 3}}), e && enabled ? 3u : 0u);
      }
}

// MT-REG-1: counts its own thread, whatever MT of event counters is.
TEST_P(InstructionCounterTest, OfEachThread) {
  Build("threads=2");
  for (unsigned t : {0u, 1u}) {
    Write(t, PMUV3_PMEVTYPERn(0), Type(kInstructions).Mt());
    Write(t, PMUV3_PMCNTENSET, kBitF0 | 0x1);
    Write(t, PMUV3_PMCR, kE);
  }
  Cycle({Occurrence(kInstructions, 2), Occurrence(kInstructions, 5).On(1)});
  EXPECT_EQ(Read(0, PMUV3_PMICNTR), 2u);
  EXPECT_EQ(Read(1, PMUV3_PMICNTR), 5u);
  EXPECT_EQ(Counter(0, 0), 7u);
}

// In Debug state the counter counts nothing, with any choices.
TEST_P(InstructionCounterTest, Halted) {
  Build("K-DEBUG-LATE=count K-UNATTR-DEBUG=all K-MT-SELF-DEBUG=count");
  CountWith();
  SetPe(Pe().Halted());
  EXPECT_EQ(Counts({Occurrence(kInstructions, 1), Occurrence(kInstructions, 2).In(0, PMUV3_NS),
                    Occurrence(kInstructions, 4).Unattributable(),
                    Occurrence(kInstructions, 8).Debugger()}),
            0u);
}

// CYC-7: each occurrence is judged in its own context.
TEST_P(InstructionCounterTest, Contexts) {
  CountWith();
  Write(PMUV3_PMICFILTR, Type().P());
  EXPECT_EQ(Counts({Occurrence(kInstructions, 1), Occurrence(kInstructions, 2).In(0, PMUV3_NS)}),
            2u);
  SetPe(Pe().El(0));
  EXPECT_EQ(Counts({Occurrence(kInstructions, 1), Occurrence(kInstructions, 2).In(1, PMUV3_NS)}),
            1u);
  EXPECT_EQ(Counts({Occurrence(kInstructions, 1), Occurrence(kInstructions, 2).In(0, PMUV3_S)}),
            1u);  // prohibited there
}

// Unattributable: the thread's own state and the choices for INST_RETIRED's attribution decide.
TEST_P(InstructionCounterTest, Unattributable) {
  for (const char *word : {"none", "core", "memory", "all"}) {
    SCOPED_TRACE(word);
    Build(std::string("K-UNATTR-FILTER=") + word + " K-UNATTR-PROHIB=" + word);
    const bool is = std::string(word) == "core" || std::string(word) == "all";
    CountWith();
    const auto occurrence = Occurrence(kInstructions, 4).Unattributable();
    EXPECT_EQ(Counts({occurrence}), 4u);
    SetPe(Pe(1, PMUV3_S));
    EXPECT_EQ(Counts({occurrence}), is ? 4u : 0u) << "prohibited";
    SetPe(Pe());
    Write(PMUV3_PMICFILTR, Type().P());
    EXPECT_EQ(Counts({occurrence}), is ? 0u : 4u) << "filtered";
  }
}

// The choices of D13.6-12..14 do not apply: in a prohibited context nothing counts, nor do related
// occurrences.
TEST_P(InstructionCounterTest, ProhibitedContexts) {
  Build(
      "K-NS-COUNT-S-ATTR=permit K-NS-COUNT-S-UNATTR=permit K-LO-COUNT-EL2-ATTR=permit "
      "K-LO-COUNT-EL2-UNATTR=permit K-LO-COUNT-SSEL-ATTR=permit K-LO-COUNT-SSEL-UNATTR=permit");
  CountWith();
  Write(PMUV3_PMICFILTR, Type().Nsh());
  Write(PMUV3_MDCR_EL2, 1 << 17 | 6);  // HPMD
  struct {
    unsigned el;
    pmuv3_security_state ss;
    bool counts;
  } const cases[] = {{0, PMUV3_NS, true},  {0, PMUV3_S, false},  {1, PMUV3_S, false},
                     {2, PMUV3_NS, false}, {3, PMUV3_RT, false}, {0, PMUV3_RL, true}};
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << "EL" << c.el << " " << c.ss);
    EXPECT_EQ(Counts({Occurrence(kInstructions, 1).In(c.el, c.ss)}), c.counts ? 1u : 0u);
    EXPECT_EQ(Counts({Occurrence(kInstructions, 4).RelatedTo(c.el, c.ss)}), c.counts ? 4u : 0u);
  }
}

// D.5: freezes with the first range. The counter's own flag freezes, too.
TEST_P(InstructionCounterTest, Freeze) {
  struct {
    int fzo, hpmfzo;
    uint64_t flags;
    bool sync;  // PMICFILTR.SYNC
    bool counts;
  } const cases[] = {
      {0, 0, kBitF0 | 0x3, false, true}, {1, 0, 0x0, false, true},   {1, 0, 0x1, false, false},
      {1, 0, 0x2, false, true},          {0, 1, 0x2, false, true},   {0, 1, 0x3, false, true},
      {1, 0, kBitF0, false, false},      {1, 0, kBitF0, true, true}, {0, 1, kBitF0, false, true},
      {1, 0, kBitC, false, true},        {1, 0, 0x1, true, false},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << "FZO=" << c.fzo << " HPMFZO=" << c.hpmfzo
                                      << " PMOVS=" << std::hex << c.flags << " SYNC=" << c.sync);
    Build("counters=2");
    Write(PMUV3_MDCR_EL2, static_cast<uint64_t>(c.hpmfzo) << 29 | 1);
    Write(PMUV3_PMICFILTR, Type().Sync(c.sync));
    Write(PMUV3_PMOVSSET, c.flags);
    CountWith(c.fzo ? kFzo : 0);
    EXPECT_EQ(Counts({{kInstructions, 2}}), c.counts ? 2u : 0u);
  }
}

// ---- Overflow ----

// RFBGFH: all 64 bits count, whatever LP is.
TEST_P(InstructionCounterTest, Overflow) {
  struct {
    uint64_t pmcr, before;
    int count;
    uint64_t after;
    bool flag;
  } const cases[] = {
      {0, 0xFFFFFFFF, 1, 0x100000000, false},
      {1 << 7, 0xFFFFFFFF, 1, 0x100000000, false},
      {0, 0xFFFFFFFFFFFFFFFF, 0, 0xFFFFFFFFFFFFFFFF, false},
      {0, 0xFFFFFFFFFFFFFFFF, 1, 0, true},
      {1 << 7, 0xFFFFFFFFFFFFFF80, 255, 0x7F, true},
      {0, 0xFFFFFFFFFFFFFF00, 255, 0xFFFFFFFFFFFFFFFF, false},
      {0, 0x7FFFFFFFFFFFFFFF, 1, 0x8000000000000000, false},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message()
                 << std::hex << "PMCR=" << c.pmcr << " " << c.before << " + " << c.count);
    Build();
    Write(PMUV3_PMICNTR, c.before);
    CountWith(c.pmcr);
    Cycle({{kInstructions, c.count}});
    EXPECT_EQ(Instructions(), c.after);
    EXPECT_EQ(Read(PMUV3_PMOVSSET), c.flag ? kBitF0 : 0);
    EXPECT_EQ(Probe().fixed_overflow, c.flag ? 2u : 0u);
  }
}

// D13.3-1: {PMCR.E, PMOVS.F0, PMINTEN.F0} decide. HPME and PMCNTEN.F0 do not.
TEST_P(InstructionCounterTest, Irq) {
  for (int setting = 0; setting < 32; setting++) {
    SCOPED_TRACE(setting);
    Reset();
    Write(PMUV3_PMCR, Bit(setting, 0));
    Write(PMUV3_PMOVSSET, Bit(setting, 1) ? kBitF0 : 0);
    Write(PMUV3_PMINTENSET, Bit(setting, 2) ? kBitF0 : 0);
    Write(PMUV3_PMCNTENSET, Bit(setting, 3) ? kBitF0 : 0);
    Write(PMUV3_MDCR_EL2, Bit(setting, 4) << 7);
    EXPECT_EQ(Irq(), (setting & 7) == 7);
  }
}

// ---- Writes (formats.md section 4) ----

// In the clock of a cycle the write overrides the increment. A new flag stays set.
TEST_P(InstructionCounterTest, WriteInCycle) {
  struct {
    const char *what;
    uint16_t reg;
    uint64_t value, after;
  } const cases[] = {
      {"no effect", PMUV3_PMINTENSET, 0, 1},
      {"PMICNTR wins", PMUV3_PMICNTR, 7, 7},
      {"PMCR.C and P are not its", PMUV3_PMCR, 0b111, 1},
      {"PMOVSCLR clears no new flag", PMUV3_PMOVSCLR, kBitF0, 1},
      {"PMCNTENCLR acts later", PMUV3_PMCNTENCLR, kBitF0, 1},
      {"E acts later", PMUV3_PMCR, 0, 1},
      {"PMICFILTR acts later", PMUV3_PMICFILTR, Type().P(), 1},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.what);
    Build();
    Write(PMUV3_PMICNTR, 0xFFFFFFFFFFFFFFFE);
    CountWith();
    CycleWriting(c.reg, c.value, {{kInstructions, 3}});
    EXPECT_EQ(Instructions(), c.after);
    EXPECT_EQ(Read(PMUV3_PMOVSSET), kBitF0);
  }
}

TEST_P(InstructionCounterTest, FlagWrittenInCycle) {
  for (bool set : {false, true})
    for (bool before : {false, true})
      for (int overflows : {0, 1}) {
        SCOPED_TRACE(::testing::Message() << set << before << overflows);
        Build();
        Write(PMUV3_PMICNTR, 0xFFFFFFFFFFFFFFFF);
        Write(PMUV3_PMOVSSET, before ? kBitF0 : 0);
        CountWith();
        CycleWriting(set ? PMUV3_PMOVSSET : PMUV3_PMOVSCLR, kBitF0, {{kInstructions, overflows}});
        EXPECT_EQ(Read(PMUV3_PMOVSSET), set || overflows ? kBitF0 : 0);
      }
}

}  // namespace
}  // namespace pmuv3
